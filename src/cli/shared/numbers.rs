//! Numbers on the command line.

use std::ops::RangeInclusive;

use clap::builder::{StringValueParser, TypedValueParser};
use gray1_isa::text;
use gray1_isa::text::grouped;

/// Parses a number in this range, also in the forms shown on the screen: `5,000`, `5_000` or
/// `0x1388`.
pub(crate) fn number_in<T>(range: RangeInclusive<T>) -> impl TypedValueParser<Value = T>
where
    T: TryFrom<u64> + Into<u64> + Copy + Send + Sync + 'static,
{
    let (first, last) = ((*range.start()).into(), (*range.end()).into());
    StringValueParser::new().try_map(move |word| {
        let number = text::parse_number(&word).filter(|number| (first..=last).contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| {
            format!("expected a number from {} to {}", grouped(first), grouped(last))
        })
    })
}

/// Parses any number.
pub(crate) fn number() -> impl TypedValueParser<Value = u64> {
    number_in(0..=u64::MAX)
}
