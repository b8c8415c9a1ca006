//! A value that is written without its secrets.
//!
//! Not here: what is secret (`find`).

use core::fmt;

use super::{Redact, RedactedPiece, each};
use simd_iri::low::slice;

/// A text whose `Display` and `Debug` write it without its secrets. [`Redact::wrap`] makes it.
///
/// A field of this type keeps the secrets of a struct out of its derived `Debug`. Other code reads the text itself with
/// [`get_ref`](Self::get_ref).
///
/// ```
/// use simd_iri_redact::{Redact, Redacted};
///
/// #[derive(Debug)]
/// struct Config {
///     database: Redacted<'static, String>,
/// }
/// let config = Config { database: Redact::default().wrap("postgres://me:s3cret@h/db".to_owned()) };
/// assert_eq!(format!("{config:?}"), r#"Config { database: "postgres://REDACTED:REDACTED@h/db" }"#);
/// assert_eq!(config.database.get_ref(), "postgres://me:s3cret@h/db");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Redacted<'s, T> {
    pub(super) rules: Redact<'s>,
    pub(super) text: T,
}

impl<T> Redacted<'_, T> {
    /// Returns the text with its secrets.
    ///
    /// ```
    /// # use simd_iri_redact::Redact;
    /// assert_eq!(*Redact::default().wrap("//u:p@h").get_ref(), "//u:p@h");
    /// ```
    #[must_use]
    pub const fn get_ref(&self) -> &T {
        &self.text
    }

    /// Returns the text with its secrets, as the value that was wrapped.
    ///
    /// ```
    /// # use simd_iri_redact::Redact;
    /// assert_eq!(Redact::default().wrap("//u:p@h").into_inner(), "//u:p@h");
    /// ```
    #[must_use]
    pub fn into_inner(self) -> T {
        self.text
    }
}

/// Writes the text without its secrets. Allocates nothing, unless a key has triplets or references are nested.
impl<T: AsRef<str>> fmt::Display for Redacted<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.text.as_ref();
        let written = each(text.len(), self.rules.redactions(text), |piece| match piece {
            RedactedPiece::Kept(range) => f.write_str(slice::text(text, range)),
            RedactedPiece::Redacted(redaction) => redaction.write(f),
        });
        written.map(|_| ())
    }
}

/// Writes the text without its secrets, as a string literal.
impl<T: AsRef<str>> fmt::Debug for Redacted<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rules.redact(self.text.as_ref()).fmt(f)
    }
}
