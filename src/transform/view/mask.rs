//! A reference whose password is masked, for display (RFC 3986, section 3.2.1).
//!
//! Not here: other parts that should not be displayed as they are (`text::display`).

use core::fmt;

use crate::reference::View;
use crate::reference::kind::Kind;
use crate::scan::slice;

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

/// The text of a reference with its password masked. [`View::masked`] returns it, and `Display` writes it.
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
