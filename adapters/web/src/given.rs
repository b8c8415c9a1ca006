//! Options and values of the caller in one text, as `written` of `package/engine.js` makes it.
//!
//! A record is a name and texts. An ampersand ends each record, and an equals sign begins each of its texts. In names and
//! texts, these two characters and percent signs are percent-encoded:
//!
//! ```text
//! { sets: ['otel', 'oauth'], keys: ['a&b'], raw: true }    sets=otel=oauth&keys=a%26b&raw=true&
//! ```

use std::borrow::Cow;
use std::str::FromStr;

use simd_iri::{errors::UnknownName, percent};

use crate::answer::{self, ErrorAnswer};

/// A name with its texts.
pub(crate) struct Record<'a> {
    pub(crate) name: Cow<'a, str>,
    pub(crate) texts: Vec<Cow<'a, str>>,
}

/// Reads the records of a text.
pub(crate) fn records(text: &str) -> Vec<Record<'_>> {
    let decoded = |text| percent::decode(text).lossy();
    let records = text.split_terminator('&').map(|record| {
        let mut texts = record.split('=').map(decoded);
        Record { name: texts.next().unwrap_or_default(), texts: texts.collect() }
    });
    records.collect()
}

/// The answer for an option that the function does not have. Its name is not repeated.
pub(crate) fn unknown_option() -> ErrorAnswer {
    answer::of_argument("no such option; the types of the package list the options")
}

impl Record<'_> {
    /// Returns the only text.
    pub(crate) fn text(&self) -> Result<&str, ErrorAnswer> {
        match &*self.texts {
            [text] => Ok(text),
            _ => Err(answer::of_argument("an option has a list, but takes one value")),
        }
    }

    /// Returns the texts as slices.
    pub(crate) fn slices(&self) -> Vec<&str> {
        self.texts.iter().map(AsRef::as_ref).collect()
    }

    /// Returns the only value, which has a name.
    pub(crate) fn named<T: FromStr<Err = UnknownName>>(&self) -> Result<T, ErrorAnswer> {
        self.text()?.parse().map_err(answer::of_unknown_name)
    }

    /// Returns the only value: true or false.
    pub(crate) fn flag(&self) -> Result<bool, ErrorAnswer> {
        let flag = self.text()?.parse();
        flag.map_err(|_| answer::of_argument("the value of an option is not true or false"))
    }

    /// Returns the only value: a number.
    pub(crate) fn number<T: FromStr>(&self) -> Result<T, ErrorAnswer> {
        number(self.text()?)
    }

    /// Returns the values, which are numbers.
    #[cfg(feature = "full")]
    pub(crate) fn numbers<T: FromStr>(&self) -> Result<Vec<T>, ErrorAnswer> {
        self.texts.iter().map(|text| number(text)).collect()
    }
}

/// Reads a number of an option.
pub(crate) fn number<T: FromStr>(text: &str) -> Result<T, ErrorAnswer> {
    text.parse()
        .map_err(|_| answer::of_argument("the value of an option is not a number in its range"))
}
