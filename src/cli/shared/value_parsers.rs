//! Value parsers for enums of the libraries and for folders.

use std::path::PathBuf;

use clap::builder::{PathBufValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::files;

/// Parses one of the values in `all`. `possible` returns the name of a value on the command line
/// and its help.
pub(crate) fn choice<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    possible: fn(T) -> PossibleValue,
) -> impl TypedValueParser<Value = T> {
    let names = PossibleValuesParser::new(all.iter().map(|value| possible(*value)));
    names.map(move |name| {
        let value = all.iter().find(|value| possible(**value).get_name() == name);
        *value.expect("clap has looked at the name")
    })
}

/// Parses a folder to write files to. Standard output is rejected.
pub(crate) fn output_folder() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        let is_folder = path.as_os_str() != files::STDIO;
        is_folder.then_some(path).ok_or("expected a folder, not standard output")
    })
}
