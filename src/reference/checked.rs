//! The thin types: a text that is known to match a rule, without offsets, for programs that store millions of
//! references. A view finds the offsets again, and does not validate again.

use alloc::{boxed::Box, sync::Arc};
use core::fmt;
use core::marker::PhantomData;

use super::View;
use super::kind::Kind;
use crate::error::Error;

mod sealed {
    pub trait Sealed {}
}

/// The types that can hold the text of a [`Checked`]: `&str`, `Box<str>` and `Arc<str>`. Sealed.
///
/// ```
/// use simd_iri::{View, kind, thin::{Checked, Text}};
///
/// fn path_length<T: Text>(iri: &Checked<T, kind::Iri>) -> usize {
///     iri.view().path().len()
/// }
/// assert_eq!(path_length(&simd_iri::thin::IriStr::parse("a:bc")?), 2);
/// # Ok::<(), simd_iri::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot hold the text of a `Checked`",
    label = "not `&str`, `Box<str>` or `Arc<str>`"
)]
pub trait Text: AsRef<str> + sealed::Sealed {}

impl sealed::Sealed for &str {}
impl Text for &str {}
impl sealed::Sealed for Box<str> {}
impl Text for Box<str> {}
impl sealed::Sealed for Arc<str> {}
impl Text for Arc<str> {}

/// A text that matches the rule of its kind, in a `&str`, a `Box<str>` or an `Arc<str>`. It takes 16 bytes.
///
/// ```
/// use std::sync::Arc;
/// use simd_iri::{iri, thin::{IriArc, IriStr}};
///
/// let thin = IriStr::parse("http://example.org/a")?;
/// assert_eq!(thin.view().path(), "/a");
/// let shared = IriArc::try_from(Arc::from("urn:a")).map_err(|refused| refused.error())?;
/// assert_eq!(shared.view(), iri!("urn:a"));
/// # Ok::<(), simd_iri::Error>(())
/// ```
///
/// It has no offsets: [`view`](Self::view) splits the text again, and has the accessors.
pub struct Checked<T, K: Kind> {
    pub(super) text: T,
    kind: PhantomData<K>,
}

const _: () = assert!(size_of::<Checked<&str, super::kind::Iri>>() == 2 * size_of::<usize>());

impl<T: Text, K: Kind> Checked<T, K> {
    /// Wraps a text that matches the rule.
    // INVARIANT: `view` splits the text by this rule and does not validate it. So each caller has the text from a
    // reference of this kind, or has parsed it.
    pub(super) const fn new(text: T) -> Self {
        Self { text, kind: PhantomData }
    }

    /// Returns the whole text.
    ///
    /// ```
    /// # use simd_iri::thin::IriStr;
    /// assert_eq!(IriStr::parse("urn:a")?.as_str(), "urn:a");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.text.as_ref()
    }

    /// Returns the view, which has the accessors. Splits the text, and does not validate it again.
    ///
    /// ```
    /// # use simd_iri::thin::IriStr;
    /// assert_eq!(IriStr::parse("urn:a")?.view().path(), "a");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn view(&self) -> View<'_, K> {
        View::split(self.text.as_ref())
    }

    /// Returns the text. Nothing is copied.
    ///
    /// ```
    /// # use simd_iri::thin::IriStr;
    /// assert_eq!(IriStr::parse("urn:a")?.into_text(), "urn:a");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn into_text(self) -> T {
        self.text
    }
}

impl<'a, K: Kind> Checked<&'a str, K> {
    /// Checks that the whole of `text` is a reference of this kind.
    ///
    /// # Errors
    /// Returns the first violation of the grammar, with its byte offsets.
    ///
    /// ```
    /// # use simd_iri::thin::IriStr;
    /// assert!(IriStr::parse("urn:a").is_ok() && IriStr::parse("a").is_err());
    /// ```
    #[inline]
    pub fn parse(text: &'a str) -> Result<Self, Error> {
        View::<K>::parse(text).map(Self::from)
    }

    /// Returns a view that lives as long as the text. A view of [`Checked::view`] lives only as long as the borrow.
    ///
    /// ```
    /// # use simd_iri::thin::IriStr;
    /// let path = IriStr::parse("urn:a")?.into_view().path();
    /// assert_eq!(path, "a");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn into_view(self) -> View<'a, K> {
        View::split(self.text)
    }
}

impl<'a, K: Kind> From<View<'a, K>> for Checked<&'a str, K> {
    #[inline]
    fn from(view: View<'a, K>) -> Self {
        Self::new(view.text)
    }
}

impl<'a, K: Kind> TryFrom<&'a str> for Checked<&'a str, K> {
    type Error = Error;

    fn try_from(text: &'a str) -> Result<Self, Error> {
        Self::parse(text)
    }
}

macro_rules! impl_parse {
    ($($text:ty),+) => {$(
        impl<K: Kind> Checked<$text, K> {
            /// Checks that the whole of `text` is a reference of this kind, and copies it.
            ///
            /// # Errors
            /// Returns the first violation of the grammar, with its byte offsets.
            ///
            /// ```
            /// # use simd_iri::thin::{IriArc, IriBox};
            /// assert!(IriArc::parse("urn:a").is_ok() && IriBox::parse("a").is_err());
            /// ```
            pub fn parse(text: &str) -> Result<Self, Error> {
                View::<K>::parse(text).map(Self::from)
            }
        }
    )+};
}

impl_parse!(Box<str>, Arc<str>);

impl<T: Clone, K: Kind> Clone for Checked<T, K> {
    #[inline]
    fn clone(&self) -> Self {
        Self { text: self.text.clone(), kind: PhantomData }
    }
}

impl<T: Copy, K: Kind> Copy for Checked<T, K> {}

impl<T: Text, K: Kind> fmt::Debug for Checked<T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view().fmt(f)
    }
}
