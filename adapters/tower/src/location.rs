//! The layer [`UriLocation`]: responses have URIs in place of the IRIs that a service has written.
//!
//! Not here: where the references are in a field, and their mapping ([`ToUri::map_field`]).

use std::borrow::Cow;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};

use http::{HeaderMap, HeaderValue, Request, Response};
use pin_project_lite::pin_project;
use simd_iri::{ToUri, http_message::Field};
use tower_layer::Layer;
use tower_service::Service;

/// A layer that makes URIs of the IRI references in `Location`, `Content-Location`, `Link` and `Refresh` of each
/// response: `Location: /é`, in bytes of UTF-8, becomes `Location: /%C3%A9`. A reference that cannot become a URI stays
/// as it is and is counted.
///
/// ```
/// use http::{HeaderMap, HeaderValue};
/// use simd_iri_tower::UriLocation;
///
/// let layer = UriLocation::new();
/// let mut headers = HeaderMap::new();
/// headers.insert("location", HeaderValue::from_bytes("/é".as_bytes()).unwrap());
/// headers.insert("link", HeaderValue::from_static("</a b>; rel=next"));
/// layer.map(&mut headers);
/// assert_eq!(headers["location"], "/%C3%A9");
/// assert_eq!(headers["link"], "</a b>; rel=next");
/// assert_eq!(layer.left().get(), 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct UriLocation {
    mapping: ToUri<'static>,
    left: Left,
}

impl UriLocation {
    /// A layer that percent-encodes characters outside ASCII, also in hosts.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A layer that maps references with these options. `ToUri::new().idna(true)`, with the feature `idna`, writes
    /// hosts as domain names, which more clients understand.
    #[must_use]
    pub fn with(mapping: ToUri<'static>) -> Self {
        Self { mapping, left: Left::default() }
    }

    /// Returns the counter of the references that are left as they are, which the layer and its services share.
    #[must_use]
    pub fn left(&self) -> Left {
        self.left.clone()
    }

    /// Maps the references in the fields of a response.
    pub fn map(&self, headers: &mut HeaderMap) {
        for (name, value) in headers {
            let Some(field) = Field::of(name.as_str()) else { continue };
            let mapped = self.mapping.map_field(field, value.as_bytes());
            self.left.add(mapped.left);
            // The replacement of an IRI is ASCII, and the rest of the value was valid before.
            if let Cow::Owned(bytes) = mapped.value {
                if let Ok(mut uri) = HeaderValue::try_from(bytes) {
                    uri.set_sensitive(value.is_sensitive());
                    *value = uri;
                }
            }
        }
    }
}

/// A counter of the references that [`UriLocation`] has left as they are, because they are not IRI references or
/// cannot be mapped. Clones share the number.
#[derive(Clone, Debug, Default)]
pub struct Left(Arc<AtomicU64>);

impl Left {
    /// Returns the number.
    #[must_use]
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    fn add(&self, left: usize) {
        if left > 0 {
            self.0.fetch_add(left as u64, Ordering::Relaxed);
        }
    }
}

impl<S> Layer<S> for UriLocation {
    type Service = LocationService<S>;

    fn layer(&self, inner: S) -> Self::Service {
        LocationService { inner, layer: self.clone() }
    }
}

/// The service of [`UriLocation`].
#[derive(Clone, Debug)]
pub struct LocationService<S> {
    inner: S,
    layer: UriLocation,
}

impl<S, B, R> Service<Request<B>> for LocationService<S>
where
    S: Service<Request<B>, Response = Response<R>>,
{
    type Response = Response<R>;
    type Error = S::Error;
    type Future = LocationFuture<S::Future>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        LocationFuture { future: self.inner.call(request), layer: self.layer.clone() }
    }
}

pin_project! {
    /// The future of [`LocationService`].
    #[derive(Debug)]
    pub struct LocationFuture<F> {
        #[pin]
        future: F,
        layer: UriLocation,
    }
}

impl<F, R, E> Future for LocationFuture<F>
where
    F: Future<Output = Result<Response<R>, E>>,
{
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let this = self.project();
        let mut answered = ready!(this.future.poll(context));
        if let Ok(response) = &mut answered {
            this.layer.map(response.headers_mut());
        }
        Poll::Ready(answered)
    }
}
