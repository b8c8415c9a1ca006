//! Other libraries in Rust. Each answers by its own functions alone: what a library does not offer is unsupported.

use serde_json::json;

use crate::{Answer, Components, Library, Request, components};

pub(crate) fn library(name: &str) -> Option<Library> {
    let both = &["RFC 3986", "RFC 3987"][..];
    let (version, standards, answer): (_, _, fn(&Request) -> Answer) = match name {
        "fluent-uri" => ("0.4.1", both, fluent),
        "iref" => ("5.0.0", both, iref),
        "iri-rfc3987" => ("0.2.0", &["RFC 3987"][..], iri_rfc3987),
        "iri-rs" => ("3.4.1", both, iri_rs),
        "iri-string" => ("0.7.14", both, iri_string),
        "oxiri" => ("0.3.1", &["RFC 3987"][..], oxiri),
        "ada-url" => ("4.0.0", &["URL Standard"][..], ada),
        "sorug" => ("0.6.6", &["URL Standard"][..], sorug),
        "url" => ("2.5.8", &["URL Standard"][..], url),
        _ => return None,
    };
    let hello = json!({
        "name": name,
        "version": version,
        "language": "Rust",
        "standards": standards,
    });
    Some(Library { hello, answer })
}

/// The answer of a parse. The libraries take text: what is not UTF-8 is invalid before they are asked.
fn parsed<T, E>(result: Result<T, E>, components: impl FnOnce(T) -> Option<Components>) -> Answer {
    result.map_or(Answer::Invalid, |value| Answer::Valid(components(value)))
}

/// The answer of an operation that makes a text.
fn text<E: ToString>(result: Result<String, E>) -> Answer {
    result.map_or_else(|error| Answer::Refused(error.to_string()), Answer::Text)
}

/// The text of a request to parse. Libraries that take text do not read bytes.
macro_rules! input {
    ($request:expr) => {
        match $request.0["input"].as_str() {
            Some(text) => text,
            None => return Answer::Unsupported,
        }
    };
}

fn fluent(request: &Request) -> Answer {
    use fluent_uri::{Iri, IriRef, Uri, UriRef, normalize::Normalizer};
    macro_rules! parse {
        ($type:ident, $input:expr) => {
            parsed($type::parse($input), |found| {
                let authority = found.authority();
                components([
                    ("scheme", SchemeText::scheme_text(&found)),
                    ("authority", authority.map(|authority| authority.as_str())),
                    (
                        "userinfo",
                        authority.and_then(|authority| Some(authority.userinfo()?.as_str())),
                    ),
                    ("host", authority.map(|authority| authority.host())),
                    ("port", authority.and_then(|authority| Some(authority.port()?.as_str()))),
                    ("path", Some(found.path().as_str())),
                    ("query", found.query().map(|query| query.as_str())),
                    ("fragment", found.fragment().map(|fragment| fragment.as_str())),
                ])
            })
        };
    }
    trait SchemeText<'a> {
        fn scheme_text(&self) -> Option<&'a str>;
    }
    impl<'a> SchemeText<'a> for Uri<&'a str> {
        fn scheme_text(&self) -> Option<&'a str> {
            Some(self.scheme().as_str())
        }
    }
    impl<'a> SchemeText<'a> for Iri<&'a str> {
        fn scheme_text(&self) -> Option<&'a str> {
            Some(self.scheme().as_str())
        }
    }
    impl<'a> SchemeText<'a> for UriRef<&'a str> {
        fn scheme_text(&self) -> Option<&'a str> {
            Some(self.scheme()?.as_str())
        }
    }
    impl<'a> SchemeText<'a> for IriRef<&'a str> {
        fn scheme_text(&self) -> Option<&'a str> {
            Some(self.scheme()?.as_str())
        }
    }
    match request.op() {
        "parse" => {
            let input = input!(request);
            match request.kind() {
                "iri" => parse!(Iri, input),
                "iri-reference" => parse!(IriRef, input),
                "uri" => parse!(Uri, input),
                "uri-reference" => parse!(UriRef, input),
                _ => Answer::Unsupported,
            }
        }
        "resolve" if request.is("strict") => {
            let (base, reference) =
                (Iri::parse(request.text("base")), IriRef::parse(request.text("reference")));
            let (Ok(base), Ok(reference)) = (base, reference) else {
                return Answer::Refused("invalid".to_owned());
            };
            text(reference.resolve_against(&base).map(|found| found.as_str().to_owned()))
        }
        "normalize" => {
            let rules = match request.text("ladder") {
                "syntax" => Normalizer::new().default_port_with(|_| None),
                _ => Normalizer::new(),
            };
            let input = request.text("input");
            if request.kind() == "uri" {
                let Ok(uri) = UriRef::parse(input) else {
                    return Answer::Refused("invalid".to_owned());
                };
                text(rules.normalize(&uri).map(|found| found.as_str().to_owned()))
            } else {
                let Ok(iri) = IriRef::parse(input) else {
                    return Answer::Refused("invalid".to_owned());
                };
                text(rules.normalize(&iri).map(|found| found.as_str().to_owned()))
            }
        }
        "to_uri" if request.text("host") == "percent" => text(
            IriRef::parse(request.text("input")).map(|iri| iri.to_uri_ref().as_str().to_owned()),
        ),
        _ => Answer::Unsupported,
    }
}

fn iri_string(request: &Request) -> Answer {
    use iri_string::format::ToDedicatedString;
    use iri_string::resolve::FixedBaseResolver;
    use iri_string::spec::{IriSpec, Spec, UriSpec};
    use iri_string::types::{
        IriReferenceStr, IriStr, RiAbsoluteStr, RiReferenceStr, RiRelativeStr, RiStr,
        UriReferenceStr, UriStr,
    };
    fn of<S: Spec>(found: &RiReferenceStr<S>) -> Option<Components> {
        let authority = found.authority_components();
        components([
            ("scheme", found.scheme_str()),
            ("authority", found.authority_str()),
            ("userinfo", authority.and_then(|authority| authority.userinfo())),
            ("host", authority.map(|authority| authority.host())),
            ("port", authority.and_then(|authority| authority.port())),
            ("path", Some(found.path_str())),
            ("query", found.query_str()),
            ("fragment", found.fragment_str()),
        ])
    }
    let text_of = |name| request.text(name);
    match request.op() {
        "parse" => {
            let input = input!(request);
            match request.kind() {
                "iri" => parsed(RiStr::<IriSpec>::new(input), |found| of(found.as_ref())),
                "iri-reference" => parsed(RiReferenceStr::<IriSpec>::new(input), of),
                "absolute-iri" => {
                    parsed(RiAbsoluteStr::<IriSpec>::new(input), |found| of(found.as_ref()))
                }
                "irelative-ref" => {
                    parsed(RiRelativeStr::<IriSpec>::new(input), |found| of(found.as_ref()))
                }
                "uri" => parsed(RiStr::<UriSpec>::new(input), |found| of(found.as_ref())),
                "uri-reference" => parsed(RiReferenceStr::<UriSpec>::new(input), of),
                "absolute-uri" => {
                    parsed(RiAbsoluteStr::<UriSpec>::new(input), |found| of(found.as_ref()))
                }
                "relative-ref" => {
                    parsed(RiRelativeStr::<UriSpec>::new(input), |found| of(found.as_ref()))
                }
                _ => Answer::Unsupported,
            }
        }
        "resolve" if request.is("strict") => {
            let (base, reference) =
                (IriStr::new(text_of("base")), IriReferenceStr::new(text_of("reference")));
            let (Ok(base), Ok(reference)) = (base, reference) else {
                return Answer::Refused("invalid".to_owned());
            };
            Answer::Text(FixedBaseResolver::new(base.to_absolute()).resolve(reference).to_string())
        }
        "normalize" if request.text("ladder") == "syntax" => match request.kind() {
            "uri" => UriStr::new(text_of("input"))
                .map_or(Answer::Unsupported, |uri| Answer::Text(uri.normalize().to_string())),
            _ => IriStr::new(text_of("input"))
                .map_or(Answer::Unsupported, |iri| Answer::Text(iri.normalize().to_string())),
        },
        "to_uri" if request.text("host") == "percent" => {
            text(IriReferenceStr::new(text_of("input")).map(|iri| -> String {
                <UriReferenceStr as AsRef<str>>::as_ref(&iri.encode_to_uri().to_dedicated_string())
                    .to_owned()
            }))
        }
        _ => Answer::Unsupported,
    }
}

fn iref(request: &Request) -> Answer {
    use iref::{Iri, IriRef, Uri, UriRef};
    macro_rules! parse {
        ($type:ident, $input:expr, $scheme:expr) => {
            parsed($type::new($input), |found| {
                let parts = found.parts();
                let authority =
                    parts.authority.map(|authority| (authority.as_str(), authority.parts()));
                components([
                    ("scheme", $scheme(found).as_deref()),
                    ("authority", authority.as_ref().map(|(text, _)| *text)),
                    (
                        "userinfo",
                        authority.as_ref().and_then(|(_, parts)| Some(parts.user_info?.as_str())),
                    ),
                    ("host", authority.as_ref().map(|(_, parts)| parts.host.as_str())),
                    ("port", authority.as_ref().and_then(|(_, parts)| Some(parts.port?.as_str()))),
                    ("path", Some(parts.path.as_str())),
                    ("query", parts.query.map(|query| query.as_str())),
                    ("fragment", parts.fragment.map(|fragment| fragment.as_str())),
                ])
            })
        };
    }
    match request.op() {
        "parse" => {
            let input = input!(request);
            match request.kind() {
                "iri" => {
                    parse!(Iri, input, |found: &'_ Iri| Some(found.scheme().as_str().to_owned()))
                }
                "iri-reference" => {
                    parse!(IriRef, input, |found: &'_ IriRef| found
                        .scheme()
                        .map(|scheme| scheme.as_str().to_owned()))
                }
                "uri" => {
                    parse!(Uri, input, |found: &'_ Uri| Some(found.scheme().as_str().to_owned()))
                }
                "uri-reference" => {
                    parse!(UriRef, input, |found: &'_ UriRef| found
                        .scheme()
                        .map(|scheme| scheme.as_str().to_owned()))
                }
                _ => Answer::Unsupported,
            }
        }
        "resolve" if request.is("strict") => {
            let (base, reference) =
                (Iri::new(request.text("base")), IriRef::new(request.text("reference")));
            let (Ok(base), Ok(reference)) = (base, reference) else {
                return Answer::Refused("invalid".to_owned());
            };
            Answer::Text(reference.resolved(base).as_str().to_owned())
        }
        _ => Answer::Unsupported,
    }
}

fn iri_rs(request: &Request) -> Answer {
    use iri_rs::{Iri, IriRef, Uri, UriRef};
    macro_rules! parse {
        ($type:ident, $input:expr, $scheme:expr) => {
            parsed($type::parse($input), |found| {
                let authority = found.authority_parts();
                components([
                    ("scheme", $scheme(&found).as_deref()),
                    ("authority", found.authority()),
                    ("userinfo", authority.and_then(|(userinfo, _, _)| userinfo)),
                    ("host", authority.map(|(_, host, _)| host)),
                    ("port", authority.and_then(|(_, _, port)| port)),
                    ("path", Some(found.path())),
                    ("query", found.query()),
                    ("fragment", found.fragment()),
                ])
            })
        };
    }
    match request.op() {
        "parse" => {
            let input = input!(request);
            match request.kind() {
                "iri" => parse!(Iri, input, |found: &Iri<&str>| Some(found.scheme().to_owned())),
                "iri-reference" => {
                    parse!(IriRef, input, |found: &IriRef<&str>| found.scheme().map(str::to_owned))
                }
                "uri" => parse!(Uri, input, |found: &Uri<&str>| Some(found.scheme().to_owned())),
                "uri-reference" => {
                    parse!(UriRef, input, |found: &UriRef<&str>| found.scheme().map(str::to_owned))
                }
                _ => Answer::Unsupported,
            }
        }
        "resolve" if request.is("strict") => {
            let (base, reference) =
                (Iri::parse(request.text("base")), IriRef::parse(request.text("reference")));
            let (Ok(base), Ok(reference)) = (base, reference) else {
                return Answer::Refused("invalid".to_owned());
            };
            text(reference.resolved(&base).map(|found| found.as_str().to_owned()))
        }
        _ => Answer::Unsupported,
    }
}

/// The library does not return components.
fn iri_rfc3987(request: &Request) -> Answer {
    use iri_rfc3987::{Iri, IriRef};
    match request.op() {
        "parse" => {
            let input = input!(request);
            match request.kind() {
                "iri" => parsed(Iri::parse(input), |_| None),
                "iri-reference" => parsed(IriRef::parse(input), |_| None),
                _ => Answer::Unsupported,
            }
        }
        "resolve" if request.is("strict") => {
            let (base, reference) =
                (Iri::parse(request.text("base")), IriRef::parse(request.text("reference")));
            let (Ok(base), Ok(reference)) = (base, reference) else {
                return Answer::Refused("invalid".to_owned());
            };
            text(reference.resolve_against(&base).map(|found| found.as_str().to_owned()))
        }
        _ => Answer::Unsupported,
    }
}

/// The library does not divide an authority.
fn oxiri(request: &Request) -> Answer {
    use oxiri::{Iri, IriRef};
    let of = |found: IriRef<&str>| {
        components([
            ("scheme", found.scheme()),
            ("authority", found.authority()),
            ("path", Some(found.path())),
            ("query", found.query()),
            ("fragment", found.fragment()),
        ])
    };
    match request.op() {
        "parse" => {
            let input = input!(request);
            match request.kind() {
                "iri" => parsed(Iri::parse(input), |found| of(found.into())),
                "iri-reference" => parsed(IriRef::parse(input), of),
                _ => Answer::Unsupported,
            }
        }
        "resolve" if request.is("strict") => {
            text(Iri::parse(request.text("base")).and_then(|base| {
                Ok(base.resolve(&IriRef::parse(request.text("reference"))?)?.into_inner())
            }))
        }
        _ => Answer::Unsupported,
    }
}

/// A parser of the URL Standard. It reads strings that are not URIs, and writes others: its components are not compared.
fn whatwg<E: ToString>(
    request: &Request,
    parse: impl Fn(&str, Option<&str>) -> Result<String, E>,
) -> Answer {
    match request.op() {
        "parse" if matches!(request.kind(), "iri" | "uri") => {
            parsed(parse(input!(request), None), |_| None)
        }
        "resolve" if request.is("strict") => {
            text(parse(request.text("reference"), Some(request.text("base"))))
        }
        _ => Answer::Unsupported,
    }
}

fn ada(request: &Request) -> Answer {
    whatwg(request, |text, base| match ada_url::Url::parse(text, base) {
        Ok(url) => Ok(url.href().to_owned()),
        Err(_) => Err("invalid"),
    })
}

fn sorug(request: &Request) -> Answer {
    whatwg(request, |text, base| match base {
        None => sorug::Url::parse(text).map(|url| url.as_str().to_owned()).map_err(|_| "invalid"),
        Some(base) => {
            let base = sorug::Url::parse(base).map_err(|_| "invalid")?;
            base.join(text).map(|url| url.as_str().to_owned()).map_err(|_| "invalid")
        }
    })
}

fn url(request: &Request) -> Answer {
    whatwg(request, |text, base| match base {
        None => url::Url::parse(text).map(String::from),
        Some(base) => Ok(String::from(url::Url::parse(base)?.join(text)?)),
    })
}
