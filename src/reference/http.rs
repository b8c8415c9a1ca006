//! Conversions from and to the types of the crate `http`. These types cannot hold every reference of RFC 3986, and read
//! some texts with other components. If the components of a reference would change, the conversion is an error.

use alloc::string::String;

use ::http::uri::{Authority, PathAndQuery};
use ::http::{HeaderValue, Uri};

use super::kind::Kind;
use super::{Buf, View};
use crate::error::{ConvertError, Error, InvalidText};
use crate::parse::guard;
use crate::scan::is_ascii;

/// Converts an `http::Uri` into the reference with the same components. The authority form of a `CONNECT` request
/// becomes a reference with an authority and without a scheme: `a:80` becomes `//a:80`. A path that begins with `//`
/// and does not follow an authority gets `/.` before it: `//a/b` becomes `/.//a/b`.
///
/// # Errors
/// The text does not match the rule: `http` allows some characters that RFC 3986 does not allow.
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

/// Converts an `http::Uri` in the same way as `&http::Uri`. The error returns the `Uri`.
impl<K: Kind> TryFrom<Uri> for Buf<K> {
    type Error = InvalidText<Uri>;

    fn try_from(uri: Uri) -> Result<Self, Self::Error> {
        Self::try_from(&uri).map_err(|error| InvalidText::new(error, uri))
    }
}

/// Returns the `http::Uri` that has the same components as a reference.
///
/// The form of the reference selects the constructor: the whole text, an authority alone, or a path and query. Then
/// each component that `http` has read is compared with the component of the reference.
fn to_http<K: Kind>(view: View<'_, K>) -> Result<Uri, ConvertError> {
    let text = view.as_str();
    if view.fragment().is_some() {
        return Err(ConvertError::Fragment);
    }
    if !is_ascii(text) {
        return Err(ConvertError::NonAscii);
    }
    let path = view.path();
    let uri = match (view.scheme_opt(), view.authority()) {
        (Some(_), Some(_)) => Uri::try_from(text).map_err(ConvertError::refused)?,
        (None, Some(authority)) if path.is_empty() && view.query().is_none() => {
            Authority::try_from(authority).map_err(ConvertError::refused)?.into()
        }
        (None, None) if path.starts_with('/') || text == "*" => {
            PathAndQuery::try_from(text).map_err(ConvertError::refused)?.into()
        }
        (Some(_), None) => return Err(ConvertError::NoAuthority),
        _ => return Err(ConvertError::Form),
    };
    let schemes = (uri.scheme_str(), view.scheme_opt());
    let is_same_scheme = match schemes {
        (Some(one), Some(other)) => one.eq_ignore_ascii_case(other),
        (one, other) => one == other,
    };
    let is_same_path = uri.path() == path || path.is_empty() && matches!(uri.path(), "/" | "");
    // `http` treats a port that is not a 16-bit number as an absent port.
    let has_port = view.port().is_some_and(|port| !port.is_empty());
    let is_same = is_same_scheme
        && uri.port().is_some() == has_port
        && uri.authority().map(Authority::as_str) == view.authority()
        && is_same_path
        && uri.query() == view.query();
    if is_same { Ok(uri) } else { Err(ConvertError::Misread) }
}

/// Returns a reference as the value of a header field.
fn to_header<K: Kind>(view: View<'_, K>) -> Result<HeaderValue, ConvertError> {
    if !is_ascii(view.as_str()) {
        return Err(ConvertError::NonAscii);
    }
    HeaderValue::from_str(view.as_str()).map_err(ConvertError::refused)
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
        impl<K: Kind> TryFrom<super::Mapped<'_, K>> for $other {
            type Error = ConvertError;

            fn try_from(mapped: super::Mapped<'_, K>) -> Result<Self, ConvertError> { $convert(mapped.view()) }
        }
    )+};
}

impl_into! {
    /// Converts a reference into an `http::Uri`. The reference has a scheme and an authority, or a path that begins
    /// with a slash, or only an authority, or is `*`. An empty path after scheme and authority becomes `/`, as `http`
    /// writes it.
    ///
    /// # Errors
    /// [`ConvertError`]: there is a fragment, or a character outside ASCII; the reference has another form; or
    /// `http` refuses it, or reads it with other components.
    ///
    /// ```
    /// use simd_iri::{errors::ConvertError, uri, uri_ref};
    ///
    /// assert_eq!(http::Uri::try_from(uri!("http://a/b?c"))?, "http://a/b?c");
    /// assert_eq!(http::Uri::try_from(uri_ref!("/b?c"))?, "/b?c");
    /// assert_eq!(http::Uri::try_from(uri!("urn:80")), Err(ConvertError::NoAuthority));
    /// # Ok::<(), ConvertError>(())
    /// ```
    Uri: to_http;
    /// Converts a reference into the value of a header field, such as `Location`.
    ///
    /// # Errors
    /// The text is not ASCII; map it by [`to_uri`](View::to_uri) first.
    ///
    /// ```
    /// use http::HeaderValue;
    /// use simd_iri::{iri, uri_ref};
    ///
    /// assert_eq!(HeaderValue::try_from(uri_ref!("../b?c#d"))?, "../b?c#d");
    /// assert!(HeaderValue::try_from(iri!("a:é")).is_err());
    /// # Ok::<(), simd_iri::errors::ConvertError>(())
    /// ```
    HeaderValue: to_header;
}

/// Converts the value of a header field, such as `Location`, into a reference.
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

/// Converts the value into an owner, in the same way as into a view.
impl<K: Kind> TryFrom<&HeaderValue> for Buf<K> {
    type Error = Error;

    fn try_from(value: &HeaderValue) -> Result<Self, Error> {
        View::parse_bytes(value.as_bytes()).map(Self::from_view)
    }
}
