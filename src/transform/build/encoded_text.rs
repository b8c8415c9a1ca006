//! Text that is percent-encoded already: a component that is copied, compared and split as it is written.
//!
//! Not here: the value of a component, encoded or not (`build`), and the decoder (`percent`).

use crate::error::{Component, debug_without_text};
use crate::reference::View;
use crate::reference::kind::Kind;
use crate::transform::percent::{Decode, decode};

/// Text that is already percent-encoded: its triplets are kept. It is checked, and not changed.
///
/// It converts into a [`Value`](crate::component::Value). In text that is not `Encoded`, every percent sign becomes `%25`.
///
/// ```
/// use simd_iri::{IriBuf, component::Encoded, iri};
///
/// let new = || IriBuf::builder().scheme("a").path("b");
/// assert_eq!(new().query("50%20").build()?, "a:b?50%2520");
/// assert_eq!(new().query(Encoded("50%20")).build()?, "a:b?50%20");
/// assert!(new().query(Encoded("50%")).build().is_err());
/// // A component of another reference is encoded already, and may be absent.
/// assert_eq!(new().query(iri!("c:?%20").encoded_query()).build()?, "a:b?%20");
/// # Ok::<(), simd_iri::Error>(())
/// ```
///
/// `Encoded<&str>` is compared, split and decoded, too. `==` compares the text as it is written, and
/// [`decodes_to`](Self::decodes_to) compares the decoded text.
///
/// ```
/// use simd_iri::{component::Encoded, iri};
///
/// let path = iri!("http://a/b%2Fc/d").encoded_path();
/// let mut segments = path.split('/').skip(1);
/// assert!(segments.next().is_some_and(|segment| segment.decodes_to("b/c")));
/// assert_eq!(segments.next(), Some(Encoded("d")));
/// ```
///
/// `Debug` does not write the text, which may hold a password.
#[doc(alias = "EStr")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Encoded<T>(
    /// The text, or `None`.
    pub T,
);

debug_without_text!([T] Encoded<T>, "Encoded");

impl<'a> Encoded<&'a str> {
    /// Returns the text as it is written.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert_eq!(iri!("a:b%20c").encoded_path().as_str(), "b%20c");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'a str {
        self.0
    }

    /// Decodes the triplets, as [`percent::decode`](crate::percent::decode) does: to bytes or to text.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// let path = iri!("a:b%20%C3%A9").encoded_path();
    /// assert_eq!(path.decode().utf8()?, "b é");
    /// assert_eq!(*path.decode().bytes()?, *b"b \xC3\xA9");
    /// # Ok::<(), simd_iri::percent::DecodeError>(())
    /// ```
    #[must_use]
    pub const fn decode(self) -> Decode<'a> {
        decode(self.0)
    }

    /// Tells whether the decoded bytes are these bytes, or the UTF-8 of this text. One pass; no allocation.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// let path = iri!("a:%62%20").encoded_path();
    /// assert!(path.decodes_to("b ") && path.decodes_to(b"b "));
    /// assert!(!path.decodes_to("%62%20"));
    /// ```
    #[must_use]
    pub fn decodes_to(self, value: impl AsRef<[u8]>) -> bool {
        self.decode().eq(value.as_ref().iter().copied())
    }

    /// Returns the pieces between the delimiters, in order. No character of a triplet is a delimiter: `%2F` is not a
    /// `/`, and its `F` is not an `F`. Without a delimiter in the text, the only piece is the whole text.
    ///
    /// ```
    /// # use simd_iri::{component::Encoded, iri};
    /// let path = iri!("a:b,c%2Cd").encoded_path();
    /// assert!(path.split(',').eq([Encoded("b"), Encoded("c%2Cd")]));
    /// ```
    pub fn split(self, delimiter: char) -> impl Iterator<Item = Self> + Clone + use<'a> {
        self.0.split(outside_triplets(delimiter)).map(Self)
    }

    /// Returns the text before the first delimiter and the text after it, or `None` if there is no delimiter. No
    /// character of a triplet is a delimiter.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// let path = iri!("a:b%3D=c=d").encoded_path();
    /// let halves = path.split_once('=').map(|(name, value)| (name.as_str(), value.as_str()));
    /// assert_eq!(halves, Some(("b%3D", "c=d")));
    /// ```
    #[must_use]
    pub fn split_once(self, delimiter: char) -> Option<(Self, Self)> {
        let (before, after) = self.0.split_once(outside_triplets(delimiter))?;
        Some((Self(before), Self(after)))
    }
}

/// Returns a function that tells whether a character is a delimiter outside the triplets of a text. It is called with
/// each character of the text, in order.
fn outside_triplets(delimiter: char) -> impl FnMut(char) -> bool + Clone {
    // The number of digits that the last percent sign still needs.
    let mut digits = 0;
    move |c| {
        if digits > 0 && c.is_ascii_hexdigit() {
            digits -= 1;
            return false;
        }
        digits = if c == '%' { 2 } else { 0 };
        c != '%' && c == delimiter
    }
}

impl<T> Encoded<Option<T>> {
    /// Returns the encoded text, or `None` if the component is absent.
    ///
    /// ```
    /// # use simd_iri::{component::Encoded, iri};
    /// assert_eq!(iri!("a:?b").encoded_query().transpose(), Some(Encoded("b")));
    /// assert_eq!(iri!("a:").encoded_query().transpose(), None);
    /// ```
    #[must_use]
    pub fn transpose(self) -> Option<Encoded<T>> {
        self.0.map(Encoded)
    }
}

impl<'a, K: Kind> View<'a, K> {
    /// Returns a component as a value for a [`Builder`](crate::Builder), a `with_` method or a `set_` method, which
    /// copies it as it is written: its triplets are not encoded again. The value is `None` if the component is absent.
    /// A port is a number instead: [`View::port_u16`].
    ///
    /// ```
    /// # use simd_iri::{Component, UriBuf, uri};
    /// let other = uri!("ftp://me%40b@c/p");
    /// let mut uri: UriBuf = "ftp://d/e".parse()?;
    /// uri.set_userinfo(other.encoded(Component::Userinfo))?;
    /// assert_eq!(uri, "ftp://me%40b@d/e");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub fn encoded(self, component: Component) -> Encoded<Option<&'a str>> {
        Encoded(self.component(component))
    }

    /// Returns the path as a value that a `with_` or `set_` method copies as it is written.
    ///
    /// ```
    /// # use simd_iri::{IriBuf, iri};
    /// let mut iri: IriBuf = "http://b/?c".parse()?;
    /// iri.set_path(iri!("http://a/p%20q").encoded_path())?;
    /// assert_eq!(iri, "http://b/p%20q?c");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub const fn encoded_path(self) -> Encoded<&'a str> {
        Encoded(self.path())
    }

    /// Returns the query as a value that a `with_` or `set_` method copies as it is written. If the query is absent,
    /// the copy is absent, too. [`Encoded::transpose`] returns the text to compare or split.
    ///
    /// ```
    /// # use simd_iri::{IriBuf, iri};
    /// let mut iri: IriBuf = "http://b/".parse()?;
    /// iri.set_query(iri!("http://a?p%20q").encoded_query())?;
    /// assert_eq!(iri, "http://b/?p%20q");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub const fn encoded_query(self) -> Encoded<Option<&'a str>> {
        Encoded(self.query())
    }

    /// Returns the fragment as a value that a `with_` or `set_` method copies as it is written. If the fragment is
    /// absent, the copy is absent, too.
    ///
    /// ```
    /// # use simd_iri::{IriBuf, iri};
    /// let mut iri: IriBuf = "http://b/#c".parse()?;
    /// iri.set_fragment(iri!("http://a#p%20q").encoded_fragment())?;
    /// assert_eq!(iri, "http://b/#p%20q");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub const fn encoded_fragment(self) -> Encoded<Option<&'a str>> {
        Encoded(self.fragment())
    }
}
