//! Laws for random targets and values, without a network.

use http::uri::PathAndQuery;
use http::{HeaderValue, Method, Request, Response, Uri, Version};
use proptest::prelude::*;
use simd_iri_tower::simd_iri::{Rule, UriRef};
use simd_iri_tower::{CheckTarget, NormalizeTarget, RawTarget, TargetError, UriLocation};
use tower_layer::Layer;

use crate::support::{Answering, answer};

/// The target that a service behind the layer sees, and the raw target.
fn through_normalize(uri: &Uri) -> (Uri, Uri) {
    let tell = |request: Request<()>| {
        let raw = RawTarget::of(&request).clone();
        Response::new((request.into_parts().0.uri, raw))
    };
    let request = Request::builder().uri(uri).body(()).unwrap();
    answer(&mut NormalizeTarget::new().layer(Answering(tell)), request).into_body()
}

/// Paths of parts that may change, or merge with their neighbours.
fn target() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "/", "/", "/", "//", ".", "..", "...", "%2e", "%2E", "%2F", "%2f", "%5c", "%25", "%41",
        "%7e", "%c3%a9", "%0d%0a", "a", "B", ":", "@", ";", "é", "例", "%", "|", "?", "-~",
    ]);
    prop::collection::vec(pieces, 0..14).prop_map(|pieces| format!("/{}", pieces.concat()))
}

/// A segment in its normal form, octet by octet.
fn normal_segment(segment: &str) -> String {
    let bytes = segment.as_bytes();
    let (mut normal, mut at) = (String::new(), 0);
    while let Some(byte) = bytes.get(at).copied() {
        let digits = segment.get(at + 1..at + 3).filter(|_| byte == b'%');
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(octet) if octet.is_ascii_alphanumeric() || b"-._~".contains(&octet) => {
                normal.push(char::from(octet));
            }
            Some(octet) => normal += &format!("%{octet:02X}"),
            None if byte.is_ascii() => normal.push(char::from(byte)),
            None => normal += &format!("%{byte:02X}"),
        }
        at += if digits.is_some() { 3 } else { 1 };
    }
    normal
}

/// The path without its dot segments, by a stack of segments.
fn without_dots(path: &str) -> String {
    let segments: Vec<_> = path.split('/').skip(1).map(normal_segment).collect();
    let mut kept: Vec<&str> = Vec::new();
    for (at, segment) in segments.iter().enumerate() {
        let is_dots = matches!(&**segment, "." | "..");
        if segment == ".." {
            kept.pop();
        }
        if !is_dots {
            kept.push(segment);
        } else if at + 1 == segments.len() {
            kept.push("");
        }
    }
    let path_without = format!("/{}", kept.join("/"));
    let is_new = path_without.starts_with("//") && !path.starts_with("//");
    format!("{}{path_without}", if is_new { "/." } else { "" })
}

fn count(text: &str, what: &str) -> usize {
    text.to_ascii_uppercase().matches(what).count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn a_target_becomes_its_normal_form(target in target(), is_absolute: bool) {
        let Ok(path) = PathAndQuery::try_from(&target) else { return Ok(()) };
        let uri = if is_absolute {
            Uri::builder().scheme("http").authority("a").path_and_query(path).build().unwrap()
        } else {
            Uri::from(path)
        };
        let (normal, raw) = through_normalize(&uri);
        prop_assert_eq!(&raw, &uri);
        if !Rule::AbsoluteIri.is_valid(&format!("http://a{target}")) {
            prop_assert_eq!(normal, uri);
            return Ok(());
        }
        prop_assert_eq!(normal.path(), without_dots(uri.path()));
        prop_assert_eq!(normal.query().map(String::from), uri.query().map(normal_segment));
        prop_assert_eq!((normal.scheme(), normal.authority()), (uri.scheme(), uri.authority()));
        let (again, _) = through_normalize(&normal);
        prop_assert_eq!(&again, &normal, "normalizing is idempotent");
        prop_assert!(!normal.path().starts_with("//") || uri.path().starts_with("//"));
        prop_assert!(normal.to_string().bytes().all(|byte| byte.is_ascii_graphic()));
        // The first law again, in the words of the user of a proxy.
        let segments = |uri: &Uri| uri.path().matches('/').count();
        let has_dots = uri.path().split('/').any(|segment| matches!(&*normal_segment(segment), "." | ".."));
        if !has_dots {
            prop_assert_eq!(segments(&normal), segments(&uri), "no segment is split or merged");
            for octet in ["%2F", "%5C", "%0D%0A", "%25"] {
                prop_assert_eq!(count(normal.path(), octet), count(uri.path(), octet));
            }
        }
    }

    #[test]
    fn a_target_is_checked_as_the_path_of_an_absolute_uri(target in target()) {
        let Ok(path) = PathAndQuery::try_from(&target) else { return Ok(()) };
        let uri = Uri::from(path);
        for (layer, rule) in [
            (CheckTarget::new(), Rule::AbsoluteUri),
            (CheckTarget::new().iri(true), Rule::AbsoluteIri),
        ] {
            let checked = layer.check(&Method::GET, Version::HTTP_11, &uri);
            let expected = rule.parse(&format!("http://a{target}")).map(|_| ());
            let moved = checked.map_err(|error| match error {
                TargetError::Syntax(error) => error.moved_by("http://a".len()),
                other => panic!("{other}"),
            });
            prop_assert_eq!(moved, expected);
        }
    }

    #[test]
    fn a_value_is_a_uri_or_stays(value in prop::collection::vec(any::<u8>(), 0..40), text in "[ -~é例\u{202E}]{0,40}") {
        for bytes in [&value[..], text.as_bytes()] {
            let Ok(value) = HeaderValue::from_bytes(bytes) else { continue };
            for name in ["location", "link", "refresh"] {
                let redirect = |_: Request<()>| {
                    let mut response = Response::new(());
                    response.headers_mut().insert(name, value.clone());
                    response
                };
                let layer = UriLocation::new();
                let left = layer.left();
                let response = answer(&mut layer.layer(Answering(redirect)), Request::new(()));
                let mapped = &response.headers()[name];
                prop_assert!(!mapped.as_bytes().contains(&b'\r') && !mapped.as_bytes().contains(&b'\n'));
                if name == "location" {
                    let is_uri = UriRef::parse_bytes(mapped.as_bytes().trim_ascii()).is_ok();
                    prop_assert_eq!(is_uri, left.get() == 0);
                    prop_assert!(is_uri || *mapped == value);
                }
            }
        }
    }
}
