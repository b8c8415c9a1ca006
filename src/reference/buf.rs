//! The owner: a `String` and the offsets of its components. It has all methods of its [`View`].

use alloc::string::String;
use core::fmt;
use core::marker::PhantomData;
use core::ops::Range;

use super::View;
use super::kind::Kind;
use crate::error::Error;
use crate::parse::{self, Delimited, Parts};

/// A reference that owns its text and the offsets of its components. [`IriBuf`](crate::IriBuf),
/// [`IriRefBuf`](crate::IriRefBuf), [`UriBuf`](crate::UriBuf) and [`UriRefBuf`](crate::UriRefBuf) are the four kinds.
///
/// ```
/// use simd_iri::IriBuf;
///
/// let iri: IriBuf = "http://example.org/a".parse()?;
/// assert_eq!(iri.view().path(), "/a");
/// assert_eq!(iri.into_string(), "http://example.org/a");
/// # Ok::<(), simd_iri::Error>(())
/// ```
///
/// If a `String` is not a reference, the error returns it:
///
/// ```
/// # use simd_iri::IriBuf;
/// let refused = IriBuf::try_from(String::from("a b")).unwrap_err();
/// assert_eq!(refused.into_text(), "a b");
/// ```
///
/// It has the methods of a [`View`]. It also has methods that change it in place: [`set_path`](Self::set_path) and the
/// others for one component, [`push_segment`](Self::push_segment), [`append_query_pair`](Self::append_query_pair). A
/// change for which the text has room allocates nothing, if nothing in the value is encoded. A copy has room for 16
/// bytes; to store many references, use a box ([`IriBox`](crate::thin::IriBox)).
pub struct Buf<K: Kind> {
    pub(super) text: String,
    pub(super) parts: Parts,
    kind: PhantomData<K>,
}

/// The room of a copy for an edit, in bytes.
///
/// A fragment, a segment or a pair of a few bytes fits. Measured: `docs/performance/notes.md`, "Edits".
const ROOM: usize = 16;

/// Returns a copy of a text, with room for more bytes.
///
/// After the comparison, which never holds, the compiler knows that `push_str` does not allocate, and so keeps the
/// string in registers. Measured: `docs/performance/notes.md`, "Edits".
#[inline(never)]
fn copy(text: &str, room: usize) -> String {
    let mut copy = String::with_capacity(text.len() + room);
    if copy.capacity() < text.len() {
        return String::from(text);
    }
    copy.push_str(text);
    copy
}

impl<K: Kind> Buf<K> {
    /// Returns an owner of a text that matches the rule. `parts` are the parts of the text.
    pub(crate) const fn new(text: String, parts: Parts) -> Self {
        Self { text, parts, kind: PhantomData }
    }

    /// Returns an owner of a copy of the text.
    #[inline]
    pub(super) fn from_view(view: View<'_, K>) -> Self {
        Self::with_room(view, ROOM)
    }

    /// Returns an owner of a copy of the text, with room for more bytes.
    #[inline]
    pub(crate) fn with_room(view: View<'_, K>, bytes: usize) -> Self {
        Self::new(copy(view.text, bytes), view.parts)
    }

    /// [`Parts::replace`].
    #[inline]
    pub(crate) fn replace<const P: usize, const N: usize>(
        &mut self,
        first: Delimited,
        fields: [[&str; P]; N],
    ) -> Result<(), Error> {
        self.parts.replace(&mut self.text, first, fields)
    }

    /// [`Parts::replace_span`].
    #[inline]
    pub(crate) fn replace_span<const P: usize>(
        &mut self,
        span: Range<usize>,
        field: Delimited,
        pieces: [&str; P],
    ) -> Result<(), Error> {
        self.parts.replace_span(&mut self.text, span, field, [pieces])
    }

    /// Checks that the whole of `text` is a reference of this kind, and keeps it: a `String` as it is, and a `&str` as a
    /// copy.
    ///
    /// A `String` that is refused is lost. `IriBuf::try_from(string)` gives it back with the error.
    ///
    /// # Errors
    /// Returns the first violation of the grammar, with its byte offsets.
    ///
    /// ```
    /// # use simd_iri::IriBuf;
    /// assert_eq!(IriBuf::parse("http://a/b")?.path(), "/b");
    /// assert_eq!(IriBuf::parse(String::from("http://a/b"))?.path(), "/b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn parse(text: impl IntoText) -> Result<Self, Error> {
        match parse::parse_best(K::RULE, text.as_text()) {
            Ok(parts) => Ok(Self::new(text.into_text(), parts)),
            Err(error) => Err(error),
        }
    }

    /// [`Buf::parse`] for bytes, which must be UTF-8.
    ///
    /// # Errors
    /// Returns the first violation of the grammar, with its byte offsets.
    ///
    /// ```
    /// # use simd_iri::IriBuf;
    /// assert_eq!(IriBuf::parse_bytes(b"http://a/b")?.path(), "/b");
    /// assert!(IriBuf::parse_bytes(b"http://a/\xE9").is_err());
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn parse_bytes(bytes: &[u8]) -> Result<Self, Error> {
        View::parse_bytes(bytes).map(Self::from_view)
    }

    /// Returns the view, which has the accessors. Copies 48 bytes.
    ///
    /// ```
    /// # use simd_iri::{IriBuf, iri};
    /// assert_eq!(IriBuf::from(iri!("urn:a")).view().scheme(), "urn");
    /// ```
    #[inline]
    #[must_use]
    pub fn view(&self) -> View<'_, K> {
        View::new(&self.text, self.parts)
    }

    /// Returns the whole text.
    ///
    /// ```
    /// # use simd_iri::{IriBuf, iri};
    /// assert_eq!(IriBuf::from(iri!("urn:a")).as_str(), "urn:a");
    /// ```
    #[inline]
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the text as a `String`. Nothing is copied.
    ///
    /// ```
    /// # use simd_iri::{IriBuf, iri};
    /// assert_eq!(IriBuf::from(iri!("urn:a")).into_string(), "urn:a");
    /// ```
    #[inline]
    #[must_use]
    pub fn into_string(self) -> String {
        self.text
    }
}

/// A text that [`Buf::parse`] takes: `String`, `Box<str>` and `Cow<str>` are kept, and a reference to a text, such as
/// `&str` and `&String`, is copied. The trait is sealed.
///
/// ```
/// use simd_iri::{Error, IriBuf, convert::IntoText};
///
/// fn read(texts: Vec<impl IntoText>) -> Result<Vec<IriBuf>, Error> {
///     texts.into_iter().map(IriBuf::parse).collect()
/// }
/// assert_eq!(read(vec!["a:b"])?, read(vec![String::from("a:b")])?);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a text that an owner can keep",
    note = "pass a `&str` or a `String`; for bytes, there is `parse_bytes`"
)]
pub trait IntoText: sealed::IntoText {}

impl<T: sealed::IntoText> IntoText for T {}

mod sealed {
    use alloc::{borrow::Cow, boxed::Box, string::String};

    use super::{ROOM, copy};

    pub trait IntoText {
        fn as_text(&self) -> &str;

        fn into_text(self) -> String;
    }

    impl<T: AsRef<str> + ?Sized> IntoText for &T {
        fn as_text(&self) -> &str {
            (*self).as_ref()
        }

        fn into_text(self) -> String {
            copy(self.as_ref(), ROOM)
        }
    }

    macro_rules! kept {
        ($($text:ty),+) => {$(
            impl IntoText for $text {
                fn as_text(&self) -> &str {
                    self
                }

                fn into_text(self) -> String {
                    self.into()
                }
            }
        )+};
    }

    kept!(String, Box<str>, Cow<'_, str>);
}

impl<K: Kind> View<'_, K> {
    /// Returns an owner of a copy of the text.
    ///
    /// ```
    /// use simd_iri::{IriBuf, iri};
    ///
    /// let owner: IriBuf = iri!("urn:a").to_buf();
    /// assert_eq!(owner, "urn:a");
    /// ```
    #[must_use]
    pub fn to_buf(self) -> Buf<K> {
        Buf::from_view(self)
    }

    /// The same as [`to_buf`](Self::to_buf): a view is a borrowed text, and its owner is a [`Buf`]. The method of the
    /// trait `ToOwned`, for generic code, copies the view.
    ///
    /// ```
    /// use simd_iri::{IriBuf, iri};
    ///
    /// let owner: IriBuf = iri!("urn:a").to_owned();
    /// assert_eq!(owner, "urn:a");
    /// ```
    #[must_use]
    pub fn to_owned(self) -> Buf<K> {
        self.to_buf()
    }
}

impl<K: Kind> Clone for Buf<K> {
    fn clone(&self) -> Self {
        Self { text: self.text.clone(), parts: self.parts, kind: PhantomData }
    }
}

impl<K: Kind> fmt::Debug for Buf<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view().fmt(f)
    }
}
