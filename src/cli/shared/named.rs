//! Options that take a value of a library's enum by its name.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Takes one of `all` values; `possible` is its name on the command line, with its help.
pub(crate) fn one_of<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    possible: fn(T) -> PossibleValue,
) -> impl TypedValueParser<Value = T> {
    let names = PossibleValuesParser::new(all.iter().map(|value| possible(*value)));
    names.map(move |name| {
        let value = all.iter().find(|value| possible(**value).get_name() == name);
        *value.expect("clap has looked at the name")
    })
}
