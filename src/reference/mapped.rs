//! The result of a transform: the given reference if nothing changes, otherwise a new reference.

use core::fmt;

use super::kind::Kind;
use super::{Buf, View};

/// The result of a transform: the given reference, borrowed, if nothing changes; otherwise a new reference, owned.
///
/// ```
/// use simd_iri::{Mapped, iri};
///
/// assert!(matches!(iri!("http://a/b").to_uri()?, Mapped::Borrowed(_)));
/// let owned = iri!("http://a/é").to_uri()?;
/// assert!(matches!(owned, Mapped::Owned(_)));
/// assert_eq!(owned.view().path(), "/%C3%A9");
/// # Ok::<(), simd_iri::Error>(())
/// ```
///
/// Equality, order and hash are those of the text.
pub enum Mapped<'a, K: Kind> {
    /// The given reference.
    Borrowed(View<'a, K>),
    /// A new reference.
    Owned(Buf<K>),
}

impl<'a, K: Kind> Mapped<'a, K> {
    /// Returns the view, which has the accessors.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert_eq!(iri!("a:b").to_uri()?.view().scheme(), "a");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub fn view(&self) -> View<'_, K> {
        match self {
            Self::Borrowed(view) => *view,
            Self::Owned(buf) => buf.view(),
        }
    }

    /// Returns the whole text.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert_eq!(iri!("a:é").to_uri()?.as_str(), "a:%C3%A9");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Borrowed(view) => view.as_str(),
            Self::Owned(buf) => buf.as_str(),
        }
    }

    /// Returns the owner of the text. Copies the text if it is borrowed.
    ///
    /// ```
    /// # use simd_iri::{UriBuf, iri};
    /// let uri: UriBuf = iri!("a:b").to_uri()?.into_owned();
    /// assert_eq!(uri, "a:b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[doc(alias = "into_buf")]
    #[must_use]
    pub fn into_owned(self) -> Buf<K> {
        match self {
            Self::Borrowed(view) => view.into(),
            Self::Owned(buf) => buf,
        }
    }

    /// Tells whether the result is the given reference, because nothing changed.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert!(iri!("a:b").to_uri()?.is_borrowed());
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub const fn is_borrowed(&self) -> bool {
        matches!(self, Self::Borrowed(_))
    }

    /// Returns the given reference if the new reference has the same text. Otherwise returns the new reference.
    #[doc(hidden)]
    pub fn of(given: View<'a, K>, made: Buf<K>) -> Self {
        if given.as_str() == made.as_str() { Self::Borrowed(given) } else { Self::Owned(made) }
    }
}

impl<K: Kind> Clone for Mapped<'_, K> {
    fn clone(&self) -> Self {
        match self {
            Self::Borrowed(view) => Self::Borrowed(*view),
            Self::Owned(buf) => Self::Owned(buf.clone()),
        }
    }
}

impl<K: Kind> fmt::Debug for Mapped<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view().fmt(f)
    }
}
