//! Servers of hyper on loopback, and a client that sends any bytes. Every wait has an end.

use std::future::{Ready, ready};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::service::TowerToHyperService;
use simd_iri_tower::{RawTarget, TargetError};
use tokio::sync::oneshot;
use tower_service::Service;

/// How long a client waits for an answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// The body of every response.
pub(crate) type Body = Full<Bytes>;

/// A server in a thread of its own, until it is dropped.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.stop.take().unwrap().send(());
        self.thread.take().unwrap().join().unwrap();
    }
}

impl Server {
    /// Starts what `run` makes of a listener on loopback.
    pub(crate) fn start<F: Future<Output = ()>>(
        run: impl FnOnce(tokio::net::TcpListener) -> F + Send + 'static,
    ) -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.unwrap().block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                tokio::select! {
                    () = run(listener) => {}
                    _ = stopped => {}
                }
            });
        });
        Self { address, stop: Some(stop), thread: Some(thread) }
    }

    /// Starts hyper with a service of tower, for HTTP/1.1 or for HTTP/2.
    pub(crate) fn hyper<S, R>(service: S, is_http2: bool) -> Self
    where
        R: hyper::body::Body<Data: Send, Error: std::error::Error + Send + Sync> + Send + 'static,
        S: Service<Request<Incoming>, Response = Response<R>> + Clone + Send + 'static,
        S::Error: std::error::Error + Send + Sync,
        S::Future: Send,
    {
        let service = TowerToHyperService::new(service);
        Self::start(move |listener| async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let (stream, service) = (TokioIo::new(stream), service.clone());
                // A client that ends the connection is not a failure of the test; the test checks the answer that it
                // gets.
                tokio::spawn(async move {
                    if is_http2 {
                        let server = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
                        let _ = server.serve_connection(stream, service).await;
                    } else {
                        let server = hyper::server::conn::http1::Builder::new();
                        let _ = server.serve_connection(stream, service).await;
                    }
                });
            }
        })
    }

    /// Sends bytes, and returns the answer.
    pub(crate) fn send(&self, bytes: &[u8]) -> Answer {
        let mut stream = TcpStream::connect_timeout(&self.address, PATIENCE).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(bytes).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        Answer::read(&answer)
    }

    /// Sends a request line with this method and target.
    pub(crate) fn request(&self, method: &str, target: &[u8]) -> Answer {
        let after = b" HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n";
        self.send(&[method.as_bytes(), b" ", target, after].concat())
    }

    /// Sends a request with this target.
    pub(crate) fn get(&self, target: impl AsRef<[u8]>) -> Answer {
        self.request("GET", target.as_ref())
    }
}

/// An answer: its status, its fields as they came, and its body.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    fields: Vec<(String, Vec<u8>)>,
    pub(crate) body: String,
}

impl Answer {
    fn read(bytes: &[u8]) -> Self {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
        let end = end.unwrap_or_else(|| panic!("no answer: {}", bytes.escape_ascii()));
        let (head, body) = (&bytes[..end], &bytes[end + 4..]);
        let mut lines = head.split(|byte| *byte == b'\n').map(|line| line.trim_ascii_end());
        let status = std::str::from_utf8(lines.next().unwrap()).unwrap();
        let status = status.split(' ').nth(1).unwrap().parse().unwrap();
        let field = |line: &[u8]| {
            let colon = line.iter().position(|byte| *byte == b':').unwrap();
            let name = String::from_utf8(line[..colon].to_vec()).unwrap().to_ascii_lowercase();
            (name, line[colon + 1..].trim_ascii().to_vec())
        };
        let body = String::from_utf8(body.to_vec()).unwrap();
        Self { status, fields: lines.map(field).collect(), body }
    }

    /// The values of the field with this name.
    pub(crate) fn fields(&self, name: &str) -> Vec<&[u8]> {
        let fields = self.fields.iter().filter(|(field, _)| field == name);
        fields.map(|(_, value)| &value[..]).collect()
    }
}

/// A service that tells what it gets: the target, the raw target, and the error if there is one.
pub(crate) fn told<B>(request: &Request<B>) -> String {
    let error = request.extensions().get::<TargetError>().map(ToString::to_string);
    let raw = RawTarget::of(request);
    format!("{}\n{raw}\n{}", request.uri(), error.unwrap_or_default())
}

/// A function as a service that is always ready.
#[derive(Clone, Copy)]
pub(crate) struct Answering<F>(pub(crate) F);

impl<F: Fn(Request<B>) -> Response<R>, B, R> Service<Request<B>> for Answering<F> {
    type Response = Response<R>;
    type Error = std::convert::Infallible;
    type Future = Ready<Result<Response<R>, Self::Error>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        ready(Ok((self.0)(request)))
    }
}

/// The response of a service that need not wait.
pub(crate) fn answer<S, B, R>(service: &mut S, request: Request<B>) -> Response<R>
where
    S: Service<Request<B>, Response = Response<R>>,
{
    let mut context = Context::from_waker(Waker::noop());
    assert!(service.poll_ready(&mut context).is_ready());
    match pin!(service.call(request)).poll(&mut context) {
        Poll::Ready(Ok(response)) => response,
        Poll::Ready(Err(_)) => panic!("the service fails"),
        Poll::Pending => panic!("the service waits"),
    }
}

/// A request over HTTP/2 with this URI, and its answer: status and body.
pub(crate) fn over_http2(server: &Server, method: &str, uri: &str) -> (u16, String) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let exchange = async {
            let stream = tokio::net::TcpStream::connect(server.address).await.unwrap();
            let client = hyper::client::conn::http2::Builder::new(TokioExecutor::new());
            let (mut sender, connection) = client.handshake(TokioIo::new(stream)).await.unwrap();
            let connection = tokio::spawn(connection);
            let request = Request::builder().method(method).uri(uri);
            let response = sender.send_request(request.body(Body::default()).unwrap()).await;
            let response = response.unwrap();
            let status = response.status().as_u16();
            let body = response.into_body().collect().await.unwrap().to_bytes();
            connection.abort();
            (status, String::from_utf8(body.to_vec()).unwrap())
        };
        tokio::time::timeout(PATIENCE, exchange).await.unwrap()
    })
}
