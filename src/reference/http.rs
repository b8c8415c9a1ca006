//! Conversions from and to the types of the crate `http`. They hold fewer references than RFC 3986 has, and
//! read some texts as others: what does not come back with the same components is an error.

use alloc::string::String;

use ::http::uri::{Authority, PathAndQuery};
use ::http::{HeaderValue, Uri};

use super::kind::Kind;
use super::{Buf, View};
use crate::error::{ConvertError, Error, InvalidText};
use crate::parse::guard;
use crate::scan::is_ascii;

/// An `http::Uri` as a reference, of its components. One of the authority form, as in a request of
/// `CONNECT`, is a reference with an authority and no scheme: `a:80` becomes `//a:80`.
///
/// # Errors
/// The text does not match the rule: `http` allows some characters that RFC 3986 does not. A path that
/// begins with `//` without an authority before it is no path of a reference.
///
/// ```
/// use simd_iri::{UriBuf, UriRefBuf};
///
/// let uri = UriBuf::try_from(http::Uri::from_static("http://a/b?c"))?;
/// assert_eq!(uri.query(), Some("c"));
/// let reference = UriRefBuf::try_from(http::Uri::from_static("example.org:443"))?;
/// assert_eq!((reference.scheme(), reference.host_str()), (None, Some("example.org")));
/// # Ok::<(), simd_iri::Error>(())
/// ```
impl<K: Kind> TryFrom<&Uri> for Buf<K> {
    type Error = Error;

    fn try_from(uri: &Uri) -> Result<Self, Error> {
        let mut text = String::new();
        if let Some(scheme) = uri.scheme_str() {
            text.extend([scheme, ":"]);
        }
        if let Some(authority) = uri.authority() {
            text.extend(["//", authority.as_str()]);
        }
        text.extend([guard(uri.path().bytes(), uri.authority().is_some()), uri.path()]);
        if let Some(query) = uri.query() {
            text.extend(["?", query]);
        }
        Self::try_from(text).map_err(Error::from)
    }
}

/// As from `&http::Uri`; a `Uri` that is refused is handed back.
impl<K: Kind> TryFrom<Uri> for Buf<K> {
    type Error = InvalidText<Uri>;

    fn try_from(uri: Uri) -> Result<Self, Self::Error> {
        Self::try_from(&uri).map_err(|error| InvalidText::new(error, uri))
    }
}

/// A reference as an `http::Uri` that has the same components.
fn to_http<K: Kind>(view: View<'_, K>) -> Result<Uri, ConvertError> {
    let text = view.as_str();
    if view.fragment().is_some() {
        return Err(ConvertError::Fragment);
    }
    if !is_ascii(text) {
        return Err(ConvertError::NonAscii);
    }
    let refused = |_| ConvertError::Refused;
    let path = view.path();
    let uri = match (view.scheme_opt(), view.authority()) {
        (Some(_), Some(_)) => Uri::try_from(text).map_err(refused)?,
        (None, Some(authority)) if path.is_empty() && view.query().is_none() => {
            Authority::try_from(authority).map_err(refused)?.into()
        }
        (None, None) if path.starts_with('/') || text == "*" => {
            PathAndQuery::try_from(text).map_err(refused)?.into()
        }
        _ => return Err(ConvertError::Form),
    };
    let schemes = (uri.scheme_str(), view.scheme_opt());
    let is_same_scheme = match schemes {
        (Some(one), Some(other)) => one.eq_ignore_ascii_case(other),
        (one, other) => one == other,
    };
    let is_same_path = uri.path() == path || path.is_empty() && matches!(uri.path(), "/" | "");
    // A port that is no 16-bit number is none to `http`.
    let has_port = view.port().is_some_and(|port| !port.is_empty());
    let is_same = is_same_scheme
        && uri.port().is_some() == has_port
        && uri.authority().map(Authority::as_str) == view.authority()
        && is_same_path
        && uri.query() == view.query();
    if is_same { Ok(uri) } else { Err(ConvertError::Misread) }
}

/// A reference as the value of a header field.
fn to_header<K: Kind>(view: View<'_, K>) -> Result<HeaderValue, ConvertError> {
    if !is_ascii(view.as_str()) {
        return Err(ConvertError::NonAscii);
    }
    HeaderValue::from_str(view.as_str()).map_err(|_| ConvertError::Refused)
}

macro_rules! impl_into {
    ($($(#[$doc:meta])+ $other:ty: $convert:ident;)+) => {$(
        $(#[$doc])+
        impl<K: Kind> TryFrom<View<'_, K>> for $other {
            type Error = ConvertError;

            fn try_from(view: View<'_, K>) -> Result<Self, ConvertError> { $convert(view) }
        }
        impl<K: Kind> TryFrom<&Buf<K>> for $other {
            type Error = ConvertError;

            fn try_from(buf: &Buf<K>) -> Result<Self, ConvertError> { $convert(buf.view()) }
        }
        impl<K: Kind> TryFrom<Buf<K>> for $other {
            type Error = ConvertError;

            fn try_from(buf: Buf<K>) -> Result<Self, ConvertError> { $convert(buf.view()) }
        }
        impl<K: Kind> TryFrom<super::Cow<'_, K>> for $other {
            type Error = ConvertError;

            fn try_from(cow: super::Cow<'_, K>) -> Result<Self, ConvertError> { $convert(cow.view()) }
        }
    )+};
}

impl_into! {
    /// A reference as an `http::Uri`: with a scheme and an authority, or a path that begins with a slash, or an
    /// authority alone, or `*`. An empty path after an authority and a scheme becomes `/`, as `http` has it.
    ///
    /// # Errors
    /// [`ConvertError`]: there is a fragment, or a character outside ASCII; the reference has another form; or
    /// `http` refuses it, or reads it with other components.
    ///
    /// ```
    /// use simd_iri::{ConvertError, uri, uri_ref};
    ///
    /// assert_eq!(http::Uri::try_from(uri!("http://a/b?c"))?, "http://a/b?c");
    /// assert_eq!(http::Uri::try_from(uri_ref!("/b?c"))?, "/b?c");
    /// assert_eq!(http::Uri::try_from(uri!("urn:80")), Err(ConvertError::Form));
    /// # Ok::<(), ConvertError>(())
    /// ```
    Uri: to_http;
    /// A reference as the value of a header field, such as `Location`.
    ///
    /// # Errors
    /// The text is not ASCII: [`to_uri`](View::to_uri) maps it.
    ///
    /// ```
    /// use http::HeaderValue;
    /// use simd_iri::{iri, uri_ref};
    ///
    /// assert_eq!(HeaderValue::try_from(uri_ref!("../b?c#d"))?, "../b?c#d");
    /// assert!(HeaderValue::try_from(iri!("a:é")).is_err());
    /// # Ok::<(), simd_iri::ConvertError>(())
    /// ```
    HeaderValue: to_header;
}

/// The value of a header field, such as `Location`, as a reference.
///
/// # Errors
/// The bytes do not match the rule.
///
/// ```
/// use http::HeaderValue;
/// use simd_iri::UriRef;
///
/// let location = HeaderValue::from_static("/a?b#c");
/// assert_eq!(UriRef::try_from(&location)?.fragment(), Some("c"));
/// assert!(UriRef::try_from(&HeaderValue::from_static("a b")).is_err());
/// # Ok::<(), simd_iri::Error>(())
/// ```
impl<'a, K: Kind> TryFrom<&'a HeaderValue> for View<'a, K> {
    type Error = Error;

    fn try_from(value: &'a HeaderValue) -> Result<Self, Error> {
        Self::parse_bytes(value.as_bytes())
    }
}

/// As of a view.
impl<K: Kind> TryFrom<&HeaderValue> for Buf<K> {
    type Error = Error;

    fn try_from(value: &HeaderValue) -> Result<Self, Error> {
        View::parse_bytes(value.as_bytes()).map(Self::from_view)
    }
}
