//! Conversions from and to `url::Url`, the URL of the URL Standard (WHATWG).

use ::url::Url;

use super::kind::Kind;
use super::{Buf, View};
use crate::error::{ConvertError, Error, InvalidText};

/// Converts the text of a `Url`.
///
/// # Errors
/// The text does not match the rule: the URL Standard keeps some characters that RFC 3986 does not allow, such as `|`
/// in a query.
///
/// ```
/// use simd_iri::UriBuf;
/// use url::Url;
///
/// let url = Url::parse("HTTP://EXAMPLE.org/é").unwrap();
/// assert_eq!(UriBuf::try_from(&url)?, "http://example.org/%C3%A9");
/// # Ok::<(), simd_iri::Error>(())
/// ```
impl<K: Kind> TryFrom<&Url> for Buf<K> {
    type Error = Error;

    fn try_from(url: &Url) -> Result<Self, Error> {
        Self::parse(url.as_str())
    }
}

/// Converts a `Url` in the same way as `&Url`. The error returns the `Url`.
impl<K: Kind> TryFrom<Url> for Buf<K> {
    type Error = InvalidText<Url>;

    fn try_from(url: Url) -> Result<Self, Self::Error> {
        match View::<K>::parse(url.as_str()) {
            Ok(view) => {
                let parts = view.parts();
                Ok(Self::new(url.into(), parts))
            }
            Err(error) => Err(InvalidText::new(error, url)),
        }
    }
}

/// Converts the text of a `Url`, borrowed.
impl<'a, K: Kind> TryFrom<&'a Url> for View<'a, K> {
    type Error = Error;

    fn try_from(url: &'a Url) -> Result<Self, Error> {
        Self::parse(url.as_str())
    }
}

/// Returns a reference as a `Url`, or an error if the URL Standard reads other components in it.
///
/// The two agree if they have the same scheme, and if both have a host or neither has a host. The host `localhost` of a
/// file counts as no host. The path of a file must be empty or begin with a slash, because the URL Standard reads every
/// such path as absolute. For example, `http:a` does not have a host, and its `Url` has the host `a`.
fn to_url<K: Kind>(view: View<'_, K>) -> Result<Url, ConvertError> {
    let Some(scheme) = view.scheme_opt() else { return Err(ConvertError::Form) };
    let url = Url::parse(view.as_str()).map_err(ConvertError::refused)?;
    let is_file = scheme.eq_ignore_ascii_case("file");
    // The host of a local file is `localhost` or absent (RFC 8089, section 2).
    let is_named =
        |host: &&str| !(host.is_empty() || is_file && host.eq_ignore_ascii_case("localhost"));
    let is_read_alike = url.scheme().eq_ignore_ascii_case(scheme)
        && url.host_str().is_some_and(|host| !host.is_empty())
            == view.host_str().filter(is_named).is_some()
        && !(is_file && !view.path().starts_with('/') && !view.path().is_empty());
    if is_read_alike { Ok(url) } else { Err(ConvertError::Misread) }
}

/// Converts a reference into a `Url`. The text may change, because a `Url` is in the normal form of the URL Standard:
/// the scheme in lower case, the host of a web address in the form of the DNS, IPv4 addresses as four decimal numbers,
/// no dot segments, no default port, `/` for an empty path of a web address, and triplets for characters outside ASCII.
///
/// # Errors
/// [`ConvertError`]: there is no scheme; `Url` refuses the text, for instance for its host or port; or the
/// URL Standard reads another host in it, as in `http:a` or `http:///a`.
///
/// ```
/// use simd_iri::{errors::ConvertError, iri, iri_ref};
/// use url::Url;
///
/// assert_eq!(Url::try_from(iri!("http://EXAMPLE.org/é")).unwrap().as_str(), "http://example.org/%C3%A9");
/// assert_eq!(Url::try_from(iri!("http:a")), Err(ConvertError::Misread));
/// assert_eq!(Url::try_from(iri_ref!("../a")), Err(ConvertError::Form));
/// ```
impl<K: Kind> TryFrom<View<'_, K>> for Url {
    type Error = ConvertError;

    fn try_from(view: View<'_, K>) -> Result<Self, ConvertError> {
        to_url(view)
    }
}

impl<K: Kind> TryFrom<&Buf<K>> for Url {
    type Error = ConvertError;

    fn try_from(buf: &Buf<K>) -> Result<Self, ConvertError> {
        to_url(buf.view())
    }
}

impl<K: Kind> TryFrom<Buf<K>> for Url {
    type Error = ConvertError;

    fn try_from(buf: Buf<K>) -> Result<Self, ConvertError> {
        to_url(buf.view())
    }
}

impl<K: Kind> TryFrom<super::Mapped<'_, K>> for Url {
    type Error = ConvertError;

    fn try_from(mapped: super::Mapped<'_, K>) -> Result<Self, ConvertError> {
        to_url(mapped.view())
    }
}
