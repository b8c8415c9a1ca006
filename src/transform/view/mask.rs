//! A text whose password is masked, for display (RFC 3986, section 3.2.1).
//!
//! Not here: other parts that should not be displayed as they are (`simd-iri-lint`).

use core::fmt;

use crate::reference::kind::Kind;
use crate::reference::{IriRef, View};
use crate::scan::slice;
use crate::tables::SCHEME;

impl<'a, K: Kind> View<'a, K> {
    /// Returns the text with `***` in place of the password, for logs. The password is the text after the first colon
    /// of the userinfo (RFC 3986, section 3.2.1). An empty password stays empty. Allocates nothing.
    ///
    /// The masked text is a valid reference. Secrets in other components stay.
    ///
    /// ```
    /// use simd_iri::iri;
    ///
    /// let masked = iri!("ftp://me:s3cret@a/b?c").masked();
    /// assert_eq!(masked.to_string(), "ftp://me:***@a/b?c");
    /// assert_eq!(iri!("ftp://me:@a/").masked().to_string(), "ftp://me:@a/");
    /// ```
    #[doc(alias = "redact")]
    #[must_use]
    pub fn masked(self) -> Masked<'a> {
        let end = self.parts().userinfo().map_or(0, |userinfo| userinfo.end);
        let length = self.password().map_or(0, str::len);
        let text = self.as_str();
        Masked {
            before: slice::text(text, ..end - length),
            mask: if length > 0 { "***" } else { "" },
            after: slice::text(text, end..),
        }
    }
}

/// Returns a text with `***` in place of what may be a password, for logs. The text need not be a reference: what is
/// refused is logged too. Allocates nothing.
///
/// In a reference, this is [`View::masked`]. In another text, the password may be anywhere after the first colon (after
/// the first colon of the authority, if a scheme and two slashes come first) and before the last `@`.
///
/// ```
/// use simd_iri::masked;
///
/// assert_eq!(masked("http://u:p/w@h|").to_string(), "http://u:***@h|");
/// assert_eq!(masked("u:p w@h").to_string(), "u:***@h");
/// assert_eq!(masked("a b").to_string(), "a b");
/// ```
#[must_use]
pub fn masked(text: &str) -> Masked<'_> {
    if let Ok(reference) = IriRef::parse(text) {
        return reference.masked();
    }
    let found = text.rsplit_once('@').and_then(|(before, _)| {
        let (start, rest) = before.split_once(':')?;
        let is_scheme = start.bytes().all(|byte| SCHEME.contains(byte));
        let user = match rest.strip_prefix("//").filter(|_| is_scheme) {
            // The password begins after the name of the user.
            Some(authority) => start.len() + "://".len() + authority.find(':')?,
            None => start.len(),
        };
        Some((user + 1, before.len()))
    });
    let (start, end) = found.unwrap_or((text.len(), text.len()));
    Masked {
        before: slice::text(text, ..start),
        mask: if found.is_some() { "***" } else { "" },
        after: slice::text(text, end..),
    }
}

/// A text with its password masked. [`View::masked`] and [`masked`] return it, and `Display` writes it.
///
/// ```
/// use simd_iri::{Iri, Masked};
///
/// fn log(line: Masked<'_>) -> String {
///     format!("fetching {line}")
/// }
/// assert_eq!(log(Iri::parse("http://a:b@c")?.masked()), "fetching http://a:***@c");
/// # Ok::<(), simd_iri::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Masked<'a> {
    before: &'a str,
    mask: &'static str,
    after: &'a str,
}

impl fmt::Display for Masked<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        [self.before, self.mask, self.after].into_iter().try_for_each(|part| f.write_str(part))
    }
}

impl fmt::Debug for Masked<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Masked({self})")
    }
}
