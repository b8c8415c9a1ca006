//! What a client gets from a server whose service writes IRIs into its responses.

use http::{HeaderValue, Request, Response};
use simd_iri_tower::UriLocation;
use tower_layer::Layer;

use crate::support::{Answering, Body, Server};

/// Answers with all fields that may have references.
fn redirect<B>(_: Request<B>) -> Response<Body> {
    let value = |bytes: &[u8]| HeaderValue::from_bytes(bytes).unwrap();
    let mut response = Response::new(Body::default());
    let fields = response.headers_mut();
    fields.append("location", value("http://é/c\u{E9}u?ü#ß".as_bytes()));
    fields.append("content-location", value(b"/caf\xE9"));
    fields.append("link", value("</é>; title=\"é\", </a b>".as_bytes()));
    fields.append("link", value(b"</a>; rel=next"));
    fields.append("refresh", value("5; url=\"/é\"".as_bytes()));
    fields.append("x-other", value("é".as_bytes()));
    response
}

#[test]
fn iris_become_uris_and_nothing_else_changes() {
    let layer = UriLocation::new();
    let left = layer.left();
    let server = Server::hyper(layer.layer(Answering(redirect)), false);
    for times in 1..=2 {
        let answer = server.get("/");
        assert_eq!(answer.fields("location"), [b"http://%C3%A9/c%C3%A9u?%C3%BC#%C3%9F"]);
        assert_eq!(answer.fields("content-location"), [b"/caf\xE9"]);
        let links = ["</%C3%A9>; title=\"é\", </a b>".as_bytes(), b"</a>; rel=next"];
        assert_eq!(answer.fields("link"), links);
        assert_eq!(answer.fields("refresh"), [b"5; url=\"/%C3%A9\""]);
        assert_eq!(answer.fields("x-other"), ["é".as_bytes()]);
        assert_eq!(left.get(), 2 * times);
    }
}

#[cfg(feature = "idna")]
#[test]
fn hosts_become_domain_names_where_that_is_asked_for() {
    let layer = UriLocation::with(simd_iri_tower::simd_iri::ToUri::new().idna(true));
    let server = Server::hyper(layer.layer(Answering(redirect)), false);
    let location = "http://xn--9ca/c%C3%A9u?%C3%BC#%C3%9F";
    assert_eq!(server.get("/").fields("location"), [location.as_bytes()]);
}
