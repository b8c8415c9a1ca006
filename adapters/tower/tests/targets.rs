//! What a server with the layers answers to good, odd and hostile targets.

use http::{Request, Response, StatusCode};
use http_body_util::BodyExt;
use simd_iri_tower::{CheckTarget, NormalizeTarget, TargetError};
use tower_http::map_response_body::MapResponseBodyLayer;
use tower_http::trace::TraceLayer;
use tower_layer::Layer;

use crate::support::{Answering, Body, Server, over_http2, told};

fn tell<B>(request: Request<B>) -> Response<Body> {
    Response::new(Body::from(told(&request)))
}

fn checking() -> Server {
    Server::hyper(CheckTarget::new().layer(Answering(tell)), false)
}

fn normalizing() -> Server {
    Server::hyper(NormalizeTarget::new().layer(Answering(tell)), false)
}

#[test]
fn a_refusal_says_what_is_wrong_and_where() {
    let server = checking();
    for (target, message, kind, byte, component) in [
        (
            "/a|b",
            "'|' at byte 2 is not allowed in a path; write %7C",
            "character-not-allowed",
            2,
            "path",
        ),
        (
            "///a?b{c",
            "'{' at byte 6 is not allowed in a query; write %7B",
            "character-not-allowed",
            6,
            "query",
        ),
        (
            "//a/%zz",
            "'%' at byte 4 in a path is not followed by two hexadecimal digits; write %25 for a literal '%'",
            "bad-percent-encoding",
            4,
            "path",
        ),
        (
            "http://a/b|",
            "'|' at byte 10 is not allowed in a path; write %7C",
            "character-not-allowed",
            10,
            "path",
        ),
        (
            "/é",
            "'é' (U+00E9) at byte 1 in a path is not ASCII, as a URI is; map the IRI to a URI first, or write %C3%A9",
            "non-ascii",
            1,
            "path",
        ),
    ] {
        let answer = server.get(target);
        assert_eq!(answer.status, 400, "{target}");
        assert_eq!(answer.fields("content-type"), [b"text/plain; charset=utf-8"]);
        let body = format!(
            "The request target is not valid: {message}\nkind: {kind}\nbyte: {byte}\ncomponent: {component}\n"
        );
        assert_eq!(answer.body, body, "{target}");
    }
}

const NO_PORT: &str =
    "the port of the target is missing, or is no number from 0 to 65535; correct the port";

#[test]
fn the_four_forms_are_told_apart() {
    let server = checking();
    for (method, target, message) in [
        ("GET", "/", None),
        ("GET", "//a/b", None),
        (
            "GET",
            "//a:b:c@[/",
            Some(
                "'[' at byte 8 is not allowed in a path; write %5B; brackets are only for the IP literal of a host",
            ),
        ),
        ("GET", "/a:b", None),
        ("GET", "http://a/b?c", None),
        ("GET", "http://[::1]:80/", None),
        ("GET", "http://a//b", None),
        ("GET", "http://a:/b", None),
        ("GET", "http://a:65535/b", None),
        ("GET", "http://a:65536/b", Some(NO_PORT)),
        ("GET", "https://[::1]:99999/", Some(NO_PORT)),
        (
            "GET",
            "http://u:p@a/b",
            Some("the target has user information; write only the host and the port"),
        ),
        ("GET", "ftp://u@a:99999/b", None),
        ("OPTIONS", "*", None),
        ("OPTIONS", "/", None),
        (
            "GET",
            "*",
            Some(
                "the target is in asterisk-form; only OPTIONS takes it; write a path that begins with '/'",
            ),
        ),
        (
            "GET",
            "example.com:443",
            Some(
                "the target is in authority-form; only CONNECT takes it; write a path that begins with '/'",
            ),
        ),
        (
            "GET",
            "example.com",
            Some(
                "the target is in authority-form; only CONNECT takes it; write a path that begins with '/'",
            ),
        ),
        (
            "CONNECT",
            "/",
            Some("the target is in origin-form; CONNECT takes a host and a port; write host:port"),
        ),
        (
            "CONNECT",
            "http://a/",
            Some(
                "the target is in absolute-form; CONNECT takes a host and a port; write host:port",
            ),
        ),
        ("CONNECT", "example.com", Some(NO_PORT)),
        (
            "CONNECT",
            "a@example.com:443",
            Some("the target has user information; write only the host and the port"),
        ),
    ] {
        let answer = server.request(method, target.as_bytes());
        match message {
            None => {
                assert_eq!(answer.status, 200, "{method} {target}");
                assert_eq!(answer.body.lines().next(), Some(target), "{method}");
            }
            Some(message) => {
                assert_eq!(answer.status, 400, "{method} {target}");
                let first = answer.body.lines().next().unwrap_or_default();
                assert_eq!(first, format!("The request target is not valid: {message}"));
            }
        }
    }
    // A tunnel has no end that the client sees; the status is all.
    assert_eq!(server.request("CONNECT", b"example.com:443").status, 200);
    assert_eq!(server.request("CONNECT", b"[::1]:443").status, 200);
}

#[test]
fn hostile_bytes_do_not_reach_the_service() {
    let server = checking();
    let long = format!("/{}|", "a".repeat(32 * 1024));
    let legacy = b"/caf\xE9";
    let targets: [&[u8]; 15] = [
        b"/%",
        b"/%z",
        b"/%zz",
        b"/%0",
        legacy,
        b"/\xC0\xAF",
        b"/\xED\xA0\x80",
        b"/\x00",
        b"/\x7F",
        b"/a b",
        b"/\\..\\..",
        b"/<script>",
        b"/a\r\nX: y",
        b"/a\tb",
        long.as_bytes(),
    ];
    for target in targets {
        let answer = server.get(target);
        assert_eq!(answer.status, 400, "{}: {answer:?}", target.escape_ascii());
    }
    // Bare line feeds and a second request in the target make no second answer.
    for bytes in [
        &b"GET /a\nGET /b HTTP/1.1\r\n\r\n"[..],
        b"GET /a%0d%0aX:%20y|HTTP/1.1\r\n\r\n HTTP/1.1\r\n\r\n",
    ] {
        let answer = server.send(bytes);
        assert_eq!((answer.status, &*answer.body), (400, ""));
    }
    assert_eq!(server.get("/%0d%0a").status, 200, "an encoded line break is data");
    assert_eq!(server.get(format!("/{}", "a".repeat(32 * 1024))).status, 200);
}

#[test]
fn a_handler_decides_or_lets_pass() {
    let report = Server::hyper(CheckTarget::report().layer(Answering(tell)), false);
    let answer = report.get("/a|b");
    assert_eq!(
        (answer.status, answer.body.lines().last()),
        (200, Some("'|' at byte 2 is not allowed in a path; write %7C"))
    );
    assert_eq!(report.get("/a").body, "/a\n/a\n");

    let handler = |error: &TargetError, request: &Request<_>| {
        let text = format!("{} {}", error.name(), request.uri());
        let mut response = Response::new(Body::from(text));
        *response.status_mut() = StatusCode::NOT_FOUND;
        (!request.uri().path().starts_with("/old")).then_some(response)
    };
    let own = Server::hyper(CheckTarget::with(handler).layer(Answering(tell)), false);
    let answer = own.get("/a|b");
    assert_eq!((answer.status, &*answer.body), (404, "character-not-allowed /a|b"));
    assert_eq!(own.get("/old|").status, 200);

    let iri = Server::hyper(CheckTarget::new().iri(true).layer(Answering(tell)), false);
    assert_eq!(iri.get("/é?\u{E000}").status, 200);
    assert_eq!(iri.get("/\u{E000}").status, 400, "private use is for queries");
    assert_eq!(iri.get("/a|b").status, 400);
}

/// The default answer beside layers that change the type of the body. README.md has this order.
#[test]
fn a_refusal_has_the_body_of_the_service() {
    let text = |server: Server| {
        assert_eq!(server.get("/a").status, 200);
        let answer = server.get("/a|b");
        assert_eq!(answer.status, 400);
        assert!(answer.body.starts_with("The request target is not valid: "), "{}", answer.body);
        answer.body
    };
    let plain = text(Server::hyper(CheckTarget::new().layer(Answering(tell)), false));
    let traced = CheckTarget::new().layer(Answering(tell));
    assert_eq!(text(Server::hyper(TraceLayer::new_for_http().layer(traced), false)), plain);
    // A body that is not made of a text, for which the default answer needs a function.
    let boxed = MapResponseBodyLayer::new(|body: Body| body.boxed()).layer(Answering(tell));
    let refuse = CheckTarget::refuse_with(|text| Body::from(text).boxed());
    let boxed = TraceLayer::new_for_http().layer(refuse.layer(boxed));
    assert_eq!(text(Server::hyper(boxed, false)), plain);
}

#[test]
fn the_service_sees_the_normal_form_and_can_have_the_raw_one() {
    let server = normalizing();
    for (target, normal) in [
        ("/", "/"),
        ("/%7e/a%2fb%2e?%41%2f", "/~/a%2Fb.?A%2F"),
        ("/a/./b/%2E%2e/c", "/a/c"),
        ("/../../a/..", "/"),
        ("/a?/../b", "/a?/../b"),
        ("/a/..//b", "/.//b"),
        ("/./%2e//b", "/.//b"),
        ("/.//b", "/.//b"),
        ("//a/b/../c", "//a/c"),
        ("//../b", "/b"),
        ("//", "//"),
        ("/a//b///", "/a//b///"),
        ("/a;b=%3B/:@", "/a;b=%3B/:@"),
        ("/..%2fetc", "/..%2Fetc"),
        ("/%2e%2e%2fetc", "/..%2Fetc"),
        ("/...", "/..."),
        ("/.well-known/a", "/.well-known/a"),
        ("/é/%c3%a9?ü", "/%C3%A9/%C3%A9?%C3%BC"),
        ("HTTP://EXAMPLE.org:80/%7e", "http://example.org:80/~"),
        ("http://%41%c3@a:80/", "http://A%C3@a:80/"),
        ("http://a?%7e", "http://a/?~"),
        ("http://a/b/..//c", "http://a/.//c"),
        ("/a|%7e", "/a|%7e"),
        ("/%zz/../b", "/%zz/../b"),
    ] {
        let answer = server.get(target);
        let mut lines = answer.body.lines();
        assert_eq!((answer.status, lines.next()), (200, Some(normal)), "{target}");
        // `http` writes the slash of an empty path, and these two schemes in lower case.
        let raw = target.replace("http://a?", "http://a/?").replace("HTTP:", "http:");
        assert_eq!(lines.next(), Some(&*raw));
    }
    assert_eq!(server.request("OPTIONS", b"*").body, "*\n*\n");
    assert_eq!(server.request("CONNECT", b"EXAMPLE.com:443").status, 200);
}

#[test]
fn of_two_layers_the_first_keeps_the_raw_target() {
    let twice = NormalizeTarget::new().layer(NormalizeTarget::new().layer(Answering(tell)));
    assert_eq!(Server::hyper(twice, false).get("/%7e").body, "/~\n/%7e\n");
}

#[test]
fn http2_has_the_same_answers() {
    let service = CheckTarget::new().layer(NormalizeTarget::new().layer(Answering(tell)));
    let server = Server::hyper(service, true);
    let (status, body) = over_http2(&server, "GET", "http://EXAMPLE.org/a/../%7eb/..//c?%2f");
    assert_eq!((status, body.lines().next()), (200, Some("http://example.org/.//c?%2F")));
    let (status, body) = over_http2(&server, "GET", "http://a//b");
    assert_eq!((status, body.lines().next()), (200, Some("http://a//b")));
    let (status, body) = over_http2(&server, "GET", "http://a/b|");
    assert!(status == 400 && body.contains("byte: 10\ncomponent: path"), "{status} {body}");
}
