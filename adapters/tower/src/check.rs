//! The layer [`CheckTarget`]: requests with an invalid target are answered before the service, or reach it with the
//! error.
//!
//! Not here: what is invalid (`target`).

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use http::header::{CONTENT_TYPE, HeaderValue};
use http::{Method, Request, Response, StatusCode, Uri, Version};
use pin_project_lite::pin_project;
use tower_layer::Layer;
use tower_service::Service;

use crate::target::{TargetError, check};

/// A layer that checks the target of each request by the grammar of RFC 3986 and RFC 9112. A request with an invalid
/// target is answered by a [`Handler`]: by default with the status 400 and the reason as plain text.
///
/// ```
/// use simd_iri_tower::CheckTarget;
/// use tower_layer::Layer;
///
/// # struct Service;
/// let service = CheckTarget::new().layer(Service);
/// let service = CheckTarget::report().layer(Service);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CheckTarget<H = Refuse> {
    handler: H,
    is_iri: bool,
}

impl CheckTarget {
    /// A layer that refuses invalid targets: [`Refuse`].
    #[must_use]
    pub const fn new() -> Self {
        Self::with(Refuse)
    }
}

impl Default for CheckTarget {
    fn default() -> Self {
        Self::new()
    }
}

impl CheckTarget<Report> {
    /// A layer that refuses nothing: [`Report`].
    #[must_use]
    pub const fn report() -> Self {
        Self::with(Report)
    }
}

impl<F> CheckTarget<RefuseWith<F>> {
    /// A layer that refuses invalid targets as [`CheckTarget::new`] does, for a body that is not `From<String>`. `body`
    /// makes the body of the text:
    ///
    /// ```
    /// use http_body_util::combinators::BoxBody;
    /// use http_body_util::{BodyExt, Full};
    /// use simd_iri_tower::CheckTarget;
    ///
    /// type Body = BoxBody<hyper::body::Bytes, std::convert::Infallible>;
    /// let layer = CheckTarget::refuse_with(|text| -> Body { Full::from(text).boxed() });
    /// ```
    #[must_use]
    pub const fn refuse_with<R>(body: F) -> Self
    where
        F: Fn(String) -> R,
    {
        Self::with(RefuseWith(body))
    }
}

impl<H> CheckTarget<H> {
    /// A layer that asks `handler` what to do with an invalid target. A closure can be a handler:
    ///
    /// ```
    /// use http::{Request, Response, StatusCode};
    /// use simd_iri_tower::{CheckTarget, TargetError};
    ///
    /// let layer = CheckTarget::with(|error: &TargetError, request: &Request<String>| {
    ///     eprintln!("{}: {error}", request.uri());
    ///     let mut response = Response::new(String::new());
    ///     *response.status_mut() = StatusCode::NOT_FOUND;
    ///     Some(response)
    /// });
    /// ```
    #[must_use]
    pub const fn with(handler: H) -> Self {
        Self { handler, is_iri: false }
    }

    /// Sets whether path and query may have the characters outside ASCII that an IRI may have (RFC 3987), which the
    /// grammar of HTTP does not allow. [`NormalizeTarget`](crate::NormalizeTarget) percent-encodes them.
    ///
    /// ```
    /// use http::{Method, Uri, Version};
    /// use simd_iri_tower::CheckTarget;
    ///
    /// let uri = Uri::try_from("/é").unwrap();
    /// let is_valid = |layer: CheckTarget| layer.check(&Method::GET, Version::HTTP_11, &uri).is_ok();
    /// assert!(!is_valid(CheckTarget::new()));
    /// assert!(is_valid(CheckTarget::new().iri(true)));
    /// ```
    #[must_use]
    pub fn iri(self, on: bool) -> Self {
        Self { is_iri: on, ..self }
    }

    /// Checks the target of a request with this method, version and URI.
    ///
    /// # Errors
    /// The target is not valid.
    pub fn check(&self, method: &Method, version: Version, uri: &Uri) -> Result<(), TargetError> {
        check(method, version, uri, self.is_iri)
    }
}

/// Decides what happens to a request with an invalid target. Closures with the same arguments are handlers.
pub trait Handler<B, R> {
    /// Returns the response; `None` to pass the request on, with the [`TargetError`] in its extensions.
    fn handle(&self, error: &TargetError, request: &Request<B>) -> Option<Response<R>>;
}

impl<F, B, R> Handler<B, R> for F
where
    F: Fn(&TargetError, &Request<B>) -> Option<Response<R>>,
{
    fn handle(&self, error: &TargetError, request: &Request<B>) -> Option<Response<R>> {
        self(error, request)
    }
}

/// The handler that answers 400 with the reason as plain text. The text has a line each for the message and the kind of
/// the error. If the target does not match the grammar, lines for the byte in the target and the component follow.
#[derive(Clone, Copy, Debug, Default)]
pub struct Refuse;

impl<B, R: From<String>> Handler<B, R> for Refuse {
    fn handle(&self, error: &TargetError, _: &Request<B>) -> Option<Response<R>> {
        Some(refusal(error, R::from))
    }
}

/// The handler that answers as [`Refuse`] does, with a body that a function makes of the text:
/// [`CheckTarget::refuse_with`].
#[derive(Clone, Copy, Debug)]
pub struct RefuseWith<F>(F);

impl<F: Fn(String) -> R, B, R> Handler<B, R> for RefuseWith<F> {
    fn handle(&self, error: &TargetError, _: &Request<B>) -> Option<Response<R>> {
        Some(refusal(error, &self.0))
    }
}

/// The answer with the status 400, whose body is made of the text.
fn refusal<R>(error: &TargetError, body: impl FnOnce(String) -> R) -> Response<R> {
    let mut text = format!("The request target is not valid: {error}\nkind: {}\n", error.name());
    if let TargetError::Syntax(error) = error {
        let lines = [
            format!("byte: {}\n", error.span().start),
            format!("component: {}\n", error.component().name()),
        ];
        text.extend(lines);
    }
    let mut response = Response::new(body(text));
    *response.status_mut() = StatusCode::BAD_REQUEST;
    let plain = HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, plain);
    response
}

/// The handler that passes every request on, with the [`TargetError`] in its extensions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Report;

impl<B, R> Handler<B, R> for Report {
    fn handle(&self, _: &TargetError, _: &Request<B>) -> Option<Response<R>> {
        None
    }
}

impl<S, H: Clone> Layer<S> for CheckTarget<H> {
    type Service = CheckService<S, H>;

    fn layer(&self, inner: S) -> Self::Service {
        CheckService { inner, layer: self.clone() }
    }
}

/// The service of [`CheckTarget`].
#[derive(Clone, Copy, Debug)]
pub struct CheckService<S, H = Refuse> {
    inner: S,
    layer: CheckTarget<H>,
}

impl<S, H, B, R> Service<Request<B>> for CheckService<S, H>
where
    S: Service<Request<B>, Response = Response<R>>,
    H: Handler<B, R>,
{
    type Response = Response<R>;
    type Error = S::Error;
    type Future = CheckFuture<S::Future, R>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        let checked = self.layer.check(request.method(), request.version(), request.uri());
        if let Err(error) = checked {
            let answer = self.layer.handler.handle(&error, &request);
            if answer.is_some() {
                return CheckFuture { inner: None, answer };
            }
            request.extensions_mut().insert(error);
        }
        CheckFuture { inner: Some(self.inner.call(request)), answer: None }
    }
}

pin_project! {
    /// The future of [`CheckService`]: the future of the inner service, or the answer of the handler.
    #[derive(Debug)]
    pub struct CheckFuture<F, R> {
        #[pin]
        inner: Option<F>,
        answer: Option<Response<R>>,
    }
}

impl<F, R, E> Future for CheckFuture<F, R>
where
    F: Future<Output = Result<Response<R>, E>>,
{
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let this = self.project();
        match this.inner.as_pin_mut() {
            Some(inner) => inner.poll(context),
            // A future that is polled after its end stays pending.
            None => this.answer.take().map_or(Poll::Pending, |answer| Poll::Ready(Ok(answer))),
        }
    }
}
