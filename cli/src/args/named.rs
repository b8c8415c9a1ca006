//! The options whose values are named values of the library.

use std::fmt::Display;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Returns a parser of values by their names in lower case. Each value has a help.
pub(crate) fn named<T>(
    values: impl IntoIterator<Item = (T, &'static str)>,
) -> impl TypedValueParser<Value = T>
where
    T: Display + FromStr<Err: std::error::Error + Send + Sync> + Clone + Send + Sync + 'static,
{
    let with_help = |(value, help): (T, _)| {
        PossibleValue::new(value.to_string().to_ascii_lowercase()).help(help)
    };
    PossibleValuesParser::new(values.into_iter().map(with_help)).try_map(|name| name.parse::<T>())
}
