//! Measures the layers on the targets of real requests, and compares them with the time of `http` to parse the same
//! targets, in one run. It compares the answers first.
//!
//! `cargo run --release --example rates -- FILE…`, where each line of a file is a URI.

use std::convert::Infallible;
use std::env;
use std::error::Error;
use std::fs;
use std::future::{Future, Ready, ready};
use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

use http::{HeaderMap, HeaderValue, Method, Request, Response, Uri, Version};
use hyper::body::Bytes;
use simd_iri_tower::simd_iri::{Rule, UriRef};
use simd_iri_tower::{CheckTarget, NormalizeTarget, UriLocation};
use tower_layer::Layer;
use tower_service::Service;

/// The largest number of targets of a file.
const TARGETS: usize = 10_000;
/// The number of times that each work is done.
const ROUNDS: usize = 101;

/// A service that does nothing.
#[derive(Clone, Copy)]
struct Empty;

impl Service<Request<()>> for Empty {
    type Response = Response<String>;
    type Error = Infallible;
    type Future = Ready<Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<()>) -> Self::Future {
        black_box(request.uri());
        ready(Ok(Response::new(String::new())))
    }
}

/// Sends a request for each target, and returns the number of responses without an error.
fn send<S>(mut service: S, uris: &[Uri]) -> usize
where
    S: Service<Request<()>, Response = Response<String>>,
{
    let mut context = Context::from_waker(Waker::noop());
    let mut sent = 0;
    for uri in uris {
        let mut request = Request::new(());
        *request.uri_mut() = uri.clone();
        if let Poll::Ready(Ok(response)) = pin!(service.call(request)).poll(&mut context) {
            sent += usize::from(response.status().is_success());
        }
    }
    sent
}

/// The path and query of a URI.
fn target(line: &str) -> Option<String> {
    let uri = UriRef::parse(line).ok()?;
    let query = uri.query().map_or(String::new(), |query| format!("?{query}"));
    let target = format!("{}{query}", uri.path());
    (uri.authority().is_some() && target.starts_with('/')).then_some(target)
}

/// Work, and a number that identifies its result.
type Work<'a> = (&'static str, Box<dyn Fn() -> usize + 'a>);

fn measure(targets: &[String]) -> Result<(), Box<dyn Error>> {
    // The targets in the form that hyper has: in a buffer that is shared.
    let buffer = Bytes::from(targets.concat());
    let mut at = 0;
    let mut slices = Vec::new();
    for target in targets {
        slices.push(buffer.slice(at..at + target.len()));
        at += target.len();
    }
    let uris: Vec<Uri> = targets.iter().map(Uri::try_from).collect::<Result<_, _>>()?;
    let check = CheckTarget::new();
    let normalize = NormalizeTarget::new();

    let is_valid = |uri: &&Uri| check.check(&Method::GET, Version::HTTP_11, uri).is_ok();
    let valid = uris.iter().filter(is_valid).count();
    let expected =
        targets.iter().filter(|target| Rule::AbsoluteUri.is_valid(&format!("x://y{target}")));
    if valid != expected.count() {
        return Err("the answers differ".into());
    }
    let changed = uris.iter().filter_map(|uri| normalize.normalize(uri)).count();
    let bytes = buffer.len() / targets.len();
    println!("{} targets of {bytes} bytes, {valid} valid, {changed} not normal", targets.len());

    let works: [Work<'_>; 7] = [
        (
            "http::Uri, shared bytes",
            Box::new(|| {
                let parsed =
                    slices.iter().filter_map(|slice| Uri::from_maybe_shared(slice.clone()).ok());
                parsed.map(black_box).count()
            }),
        ),
        (
            "http::Uri, copied",
            Box::new(|| {
                targets.iter().filter_map(|text| Uri::try_from(text).ok()).map(black_box).count()
            }),
        ),
        ("CheckTarget::check", Box::new(|| uris.iter().filter(is_valid).count())),
        (
            "NormalizeTarget::normalize",
            Box::new(|| uris.iter().filter_map(|uri| black_box(normalize.normalize(uri))).count()),
        ),
        ("a service without a layer", Box::new(|| send(Empty, &uris))),
        ("the service in CheckTarget", Box::new(|| send(check.layer(Empty), &uris))),
        ("the service in NormalizeTarget", Box::new(|| send(normalize.layer(Empty), &uris))),
    ];
    let medians = medians(&works, targets.len());
    let [parse, _, check, normalize, none, in_check, in_normalize] = medians;
    for ((name, _), median) in works.iter().zip(medians) {
        println!("{name:<32} {median:6.1} ns a target");
    }
    for (name, cost) in [
        ("check", check),
        ("normalize", normalize),
        ("layer CheckTarget", in_check - none),
        ("layer NormalizeTarget", in_normalize - none),
    ] {
        println!("{name:<32} {:6.2} of http::Uri from shared bytes", cost / parse);
    }
    Ok(())
}

/// The median time of each work for one item, in nanoseconds. The works take turns.
fn medians<const N: usize>(works: &[Work<'_>; N], items: usize) -> [f64; N] {
    let mut times = [const { Vec::new() }; N];
    for _ in 0..ROUNDS {
        for ((_, work), times) in works.iter().zip(&mut times) {
            let start = Instant::now();
            black_box(work());
            times.push(start.elapsed().as_nanos());
        }
    }
    times.map(|mut times| {
        times.sort_unstable();
        times.get(ROUNDS / 2).map_or(0.0, |median| *median as f64 / items as f64)
    })
}

/// Measures `UriLocation` on the fields of responses.
fn measure_locations() -> Result<(), Box<dyn Error>> {
    const TIMES: usize = 10_000;
    let layer = UriLocation::new();
    let with = |location: Option<&str>| {
        let mut fields = HeaderMap::new();
        for (name, value) in [
            ("content-type", "text/html; charset=utf-8"),
            ("content-length", "1270"),
            ("cache-control", "max-age=3600"),
            ("date", "Mon, 23 Nov 2026 12:00:00 GMT"),
            ("etag", "\"abc\""),
        ] {
            fields.insert(name, HeaderValue::from_static(value));
        }
        if let Some(location) = location {
            fields.insert("location", HeaderValue::from_bytes(location.as_bytes())?);
        }
        Ok::<_, Box<dyn Error>>(fields)
    };
    let fields = [with(None)?, with(Some("/a/path?b=c"))?, with(Some("/wiki/São_Paulo?b=ã"))?];
    let map = |fields: &HeaderMap, is_mapped: bool| {
        (0..TIMES)
            .map(|_| {
                let mut fields = fields.clone();
                if is_mapped {
                    layer.map(&mut fields);
                }
                black_box(&fields).len()
            })
            .sum()
    };
    let [none, uri, iri] = &fields;
    let works: [Work<'_>; 6] = [
        ("five fields", Box::new(|| map(none, false))),
        ("five fields, mapped", Box::new(|| map(none, true))),
        ("and a URI", Box::new(|| map(uri, false))),
        ("and a URI, mapped", Box::new(|| map(uri, true))),
        ("and an IRI", Box::new(|| map(iri, false))),
        ("and an IRI, mapped", Box::new(|| map(iri, true))),
    ];
    let [none, none_mapped, uri, uri_mapped, iri, iri_mapped] = medians(&works, TIMES);
    println!("UriLocation::map of a response with five fields: {:.1} ns", none_mapped - none);
    println!("and a Location that is a URI: {:.1} ns", uri_mapped - uri);
    println!("and a Location that is an IRI: {:.1} ns", iri_mapped - iri);
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let files: Vec<String> = env::args().skip(1).collect();
    if files.is_empty() {
        return Err("usage: rates FILE…".into());
    }
    for file in files {
        let text = fs::read_to_string(&file)?;
        let targets: Vec<String> = text.lines().filter_map(target).take(TARGETS).collect();
        if targets.is_empty() {
            return Err(format!("{file} has no URI with an authority and a path").into());
        }
        println!("\n{file}");
        measure(&targets)?;
    }
    println!();
    measure_locations()
}
