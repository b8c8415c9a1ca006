//! The layer [`NormalizeTarget`]: the service sees one spelling of a target.
//!
//! Not here: the rules of normal forms ([`Normalize`]).

use std::task::{Context, Poll};

use http::uri::{Authority, PathAndQuery, Scheme};
use http::{Request, Uri};
use simd_iri::{Normalize, UriRef, http_message::TargetForm};
use tower_layer::Layer;
use tower_service::Service;

use crate::target::origin_form;

/// A layer that rewrites the target of each request in its normal form (RFC 3986, section 6.2.2). Targets that are
/// spelled differently and mean the same are the same for the service, its routes and its caches.
///
/// | | before | after |
/// | --- | --- | --- |
/// | triplets of unreserved characters are decoded | `/%7Eb` | `/~b` |
/// | other triplets are written in upper case | `/a%2fb` | `/a%2Fb` |
/// | dot segments are removed | `/a/./b/%2e%2E/c` | `/a/c` |
/// | no dot segment leads above the root | `/../../a` | `/a` |
/// | characters outside ASCII are percent-encoded | `/é` | `/%C3%A9` |
/// | scheme and host are written in lower case | `HTTP://A/` | `http://a/` |
///
/// Nothing else changes. A triplet of a delimiter stays, so that no segment is split: `%2F` is not a slash. Empty
/// segments stay: `/a//b` and `//a/b` are normal. A path that did not begin with two slashes does not begin with two
/// slashes afterwards: `/a/..//b` becomes `/.//b`, because a program that reads the path as a reference would read
/// `//b` as a host.
///
/// A target that does not match the grammar stays as it is; use [`CheckTarget`](crate::CheckTarget) to refuse it.
///
/// A router of axum chooses the route before its layers run. Put this layer around the router, as the example `axum`
/// does.
#[derive(Clone, Copy, Debug, Default)]
pub struct NormalizeTarget(());

impl NormalizeTarget {
    /// The layer.
    #[must_use]
    pub const fn new() -> Self {
        Self(())
    }

    /// Returns the normal form of a target; `None` if the target is normal already, or does not match the grammar.
    ///
    /// ```
    /// use http::Uri;
    /// use simd_iri_tower::NormalizeTarget;
    ///
    /// let normal = |uri| NormalizeTarget::new().normalize(&Uri::from_static(uri));
    /// assert_eq!(normal("/a/../b%2f?%41").unwrap(), "/b%2F?A");
    /// assert_eq!(normal("HTTP://A:80/").unwrap(), "http://a:80/");
    /// assert_eq!(normal("//a/b"), None);
    /// assert_eq!(normal("/%zz"), None);
    /// ```
    #[must_use]
    pub fn normalize(&self, uri: &Uri) -> Option<Uri> {
        let is_split = matches!(TargetForm::from(uri), TargetForm::Origin | TargetForm::Absolute);
        let path = uri.path_and_query().filter(|_| is_split);
        let path = path.and_then(|path| normal_path(path).transpose());
        let names = normal_names(uri).transpose();
        if path.is_none() && names.is_none() {
            return None;
        }
        let mut parts = uri.clone().into_parts();
        if let Some(names) = names {
            (parts.scheme, parts.authority) = names.ok()?;
        }
        if let Some(path) = path {
            parts.path_and_query = Some(PathAndQuery::try_from(path.ok()?).ok()?);
        }
        Uri::from_parts(parts).ok()
    }
}

/// The target is not valid.
struct Invalid;

/// Returns the normal form of a path and query; `None` if it is normal already.
fn normal_path(given: &PathAndQuery) -> Result<Option<String>, Invalid> {
    let target = origin_form(given);
    let normal = TargetForm::Origin.normalize(&target).map_err(|_| Invalid)?;
    Ok(if normal == target { None } else { Some(normal.into_owned()) })
}

type Names = (Option<Scheme>, Option<Authority>);

/// Returns scheme and authority in their normal forms; `None` if they are normal already.
fn normal_names(uri: &Uri) -> Result<Option<Names>, Invalid> {
    let Some(authority) = uri.authority() else { return Ok(None) };
    let scheme = uri.scheme_str();
    // PERF: without these bytes nothing changes, and no text must be made.
    let may_change = |byte: u8| byte.is_ascii_uppercase() || byte == b'%';
    let names = scheme.unwrap_or_default().bytes().chain(authority.as_str().bytes());
    if !names.into_iter().any(may_change) {
        return Ok(None);
    }
    let text = format!(
        "{}{}//{authority}",
        scheme.unwrap_or_default(),
        if scheme.is_some() { ":" } else { "" }
    );
    let view = UriRef::parse(&text).map_err(|_| Invalid)?;
    let normal = view.normalize(Normalize::syntax()).map_err(|_| Invalid)?;
    if normal.is_borrowed() {
        return Ok(None);
    }
    let scheme =
        normal.view().scheme_opt().map(Scheme::try_from).transpose().map_err(|_| Invalid)?;
    let authority =
        normal.view().authority().map(Authority::try_from).transpose().map_err(|_| Invalid)?;
    Ok(Some((scheme, authority)))
}

/// The target as the client sent it, in the extensions of a request whose target [`NormalizeTarget`] has changed.
///
/// ```
/// use http::{Request, Uri};
/// use simd_iri_tower::RawTarget;
///
/// let mut request = Request::new(());
/// assert_eq!(RawTarget::of(&request), "/");
/// request.extensions_mut().insert(RawTarget(Uri::from_static("/%7Eb")));
/// assert_eq!(RawTarget::of(&request), "/%7Eb");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawTarget(pub Uri);

impl RawTarget {
    /// Returns the target of a request as the client sent it.
    #[must_use]
    pub fn of<B>(request: &Request<B>) -> &Uri {
        request.extensions().get::<Self>().map_or(request.uri(), |raw| &raw.0)
    }
}

impl<S> Layer<S> for NormalizeTarget {
    type Service = NormalizeService<S>;

    fn layer(&self, inner: S) -> Self::Service {
        NormalizeService { inner, layer: *self }
    }
}

/// The service of [`NormalizeTarget`].
#[derive(Clone, Copy, Debug)]
pub struct NormalizeService<S> {
    inner: S,
    layer: NormalizeTarget,
}

impl<S: Service<Request<B>>, B> Service<Request<B>> for NormalizeService<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request<B>) -> S::Future {
        if let Some(normal) = self.layer.normalize(request.uri()) {
            let raw = std::mem::replace(request.uri_mut(), normal);
            // Of two such layers, the outer one has seen the target of the client.
            request.extensions_mut().get_or_insert(RawTarget(raw));
        }
        self.inner.call(request)
    }
}
