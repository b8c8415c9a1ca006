//! simd-iri.

use serde_json::{Value, json};
use simd_iri::{Base, Host, Iri, IriRef, Level, Normalize, Rule, ToUri, UriRef};

use crate::{Answer, Library, Request, components};

pub(crate) fn library() -> Library {
    let hello = json!({
        "name": "simd-iri",
        "version": "0.1.0",
        "language": "Rust",
        "standards": ["RFC 3986", "RFC 3987"],
        "features": ["bidi", "idna"],
    });
    Library { hello, answer }
}

fn answer(request: &Request) -> Answer {
    let input = request.text("input");
    match request.op() {
        "parse" => parse(request.kind(), &request.bytes()),
        "resolve" => {
            let (base, reference) = (request.text("base"), request.text("reference"));
            text(Iri::parse(base).and_then(|base| {
                let base = Base::new(base).lenient(!request.is("strict"));
                Ok(base.resolve(IriRef::parse(reference)?)?.as_str().to_owned())
            }))
        }
        "normalize" => {
            let rules = match request.text("ladder") {
                "syntax" => Normalize::syntax(),
                _ => Normalize::scheme(),
            };
            text(match request.kind() {
                "uri" => UriRef::parse(input)
                    .and_then(|uri| Ok(uri.normalize(rules)?.view().as_str().to_owned())),
                _ => IriRef::parse(input)
                    .and_then(|iri| Ok(iri.normalize(rules)?.view().as_str().to_owned())),
            })
        }
        "compare" => {
            let level = match request.text("ladder") {
                "simple" => Level::Simple,
                "syntax" => Level::Syntax,
                _ if request.is("idna") => Level::SchemeIdna,
                _ => Level::Scheme,
            };
            match (IriRef::parse(request.text("a")), IriRef::parse(request.text("b"))) {
                (Ok(a), Ok(b)) => Answer::Equal(a.is_equivalent(b, level)),
                (Err(error), _) | (_, Err(error)) => Answer::Refused(error.to_string()),
            }
        }
        "to_uri" => {
            let rules = ToUri::new().idna(request.text("host") == "idna");
            text(
                IriRef::parse(input).and_then(|iri| Ok(rules.map(iri)?.view().as_str().to_owned())),
            )
        }
        "from_uri" => text(UriRef::parse(input).map(|uri| uri.to_iri().view().as_str().to_owned())),
        "visual" => text(Iri::parse(input).map(|iri| simd_iri_lint::visual(iri).into_owned())),
        _ => Answer::Unsupported,
    }
}

fn text(result: Result<String, simd_iri::Error>) -> Answer {
    match result {
        Ok(text) => Answer::Text(text),
        Err(error) => Answer::Refused(error.to_string()),
    }
}

fn parse(kind: &str, input: &[u8]) -> Answer {
    let Some(rule) = Rule::ALL.iter().find(|rule| rule.name().eq_ignore_ascii_case(kind)) else {
        return Answer::Unsupported;
    };
    let (Ok(_), Ok(text)) = (rule.parse_bytes(input), std::str::from_utf8(input)) else {
        return Answer::Invalid;
    };
    let Ok(view) = IriRef::parse_as(*rule, text) else { return Answer::Invalid };
    let host_kind = view.host().map(|host| match host {
        Host::Ipv4(_) => "ipv4",
        Host::Ipv6(_) => "ipv6",
        Host::IpvFuture(_) => "ipvfuture",
        Host::RegName(_) => "reg-name",
    });
    let mut found = components([
        ("scheme", view.scheme()),
        ("authority", view.authority()),
        ("userinfo", view.userinfo()),
        ("host", view.host_str()),
        ("port", view.port()),
        ("path", Some(view.path())),
        ("query", view.query()),
        ("fragment", view.fragment()),
    ]);
    if let Some(found) = &mut found {
        found.insert("host_kind".to_owned(), Value::from(host_kind));
    }
    Answer::Valid(found)
}
