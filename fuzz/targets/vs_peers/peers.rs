//! The answer of each library for a text, all in one form. Not here: the comparison.

use simd_iri::{Host, IriRef, Rule};

/// The components of a text by name, as far as a library returns them, with absent ones as `None`; or that the text
/// does not match.
pub type Answer = Option<Vec<(&'static str, Option<String>)>>;

/// Another library's parser for one start rule.
pub struct Peer {
    pub name: &'static str,
    pub rule: Rule,
    pub parse: fn(&str) -> Answer,
}

impl Peer {
    const fn new(name: &'static str, rule: Rule, parse: fn(&str) -> Answer) -> Self {
        Self { name, rule, parse }
    }
}

/// Every start rule of every peer.
pub static PEERS: [Peer; 16] = {
    use iri_string::types::{
        IriAbsoluteStr, IriReferenceStr, IriRelativeStr, IriStr, UriAbsoluteStr, UriReferenceStr,
        UriRelativeStr, UriStr,
    };
    [
        Peer::new("oxiri", Rule::Iri, |t| Some(oxiri(oxiri::Iri::parse(t).ok()?.into()))),
        Peer::new("oxiri", Rule::IriReference, |t| Some(oxiri(oxiri::IriRef::parse(t).ok()?))),
        // The library does not return its components.
        Peer::new("iri-rfc3987", Rule::Iri, |t| iri_rfc3987::Iri::parse(t).ok().map(|_| vec![])),
        Peer::new("iri-rfc3987", Rule::IriReference, |t| {
            iri_rfc3987::IriRef::parse(t).ok().map(|_| vec![])
        }),
        Peer::new("fluent-uri", Rule::Iri, |t| {
            Some(fluent(fluent_uri::Iri::parse(t).ok()?.into()))
        }),
        Peer::new("fluent-uri", Rule::IriReference, |t| {
            Some(fluent(fluent_uri::IriRef::parse(t).ok()?))
        }),
        Peer::new("fluent-uri", Rule::Uri, |t| {
            Some(fluent(fluent_uri::Uri::parse(t).ok()?.into()))
        }),
        Peer::new("fluent-uri", Rule::UriReference, |t| {
            Some(fluent(fluent_uri::UriRef::parse(t).ok()?.into()))
        }),
        Peer::new("iri-string", Rule::Iri, |t| Some(iri_string(IriStr::new(t).ok()?.as_ref()))),
        Peer::new("iri-string", Rule::IriReference, |t| {
            Some(iri_string(IriReferenceStr::new(t).ok()?))
        }),
        Peer::new("iri-string", Rule::AbsoluteIri, |t| {
            Some(iri_string(IriAbsoluteStr::new(t).ok()?.as_ref()))
        }),
        Peer::new("iri-string", Rule::IrelativeRef, |t| {
            Some(iri_string(IriRelativeStr::new(t).ok()?.as_ref()))
        }),
        Peer::new("iri-string", Rule::Uri, |t| Some(iri_string(UriStr::new(t).ok()?.as_ref()))),
        Peer::new("iri-string", Rule::UriReference, |t| {
            Some(iri_string(UriReferenceStr::new(t).ok()?))
        }),
        Peer::new("iri-string", Rule::AbsoluteUri, |t| {
            Some(iri_string(UriAbsoluteStr::new(t).ok()?.as_ref()))
        }),
        Peer::new("iri-string", Rule::RelativeRef, |t| {
            Some(iri_string(UriRelativeStr::new(t).ok()?.as_ref()))
        }),
    ]
};

/// Ours: every component that some peer returns.
pub fn ours(rule: Rule, text: &str) -> Answer {
    let view = IriRef::parse_as(rule, text).ok()?;
    let host = view.host();
    let address = match host {
        Some(Host::Ipv4(address)) => Some(address.to_string()),
        Some(Host::Ipv6(address)) => Some(address.to_string()),
        _ => None,
    };
    Some(vec![
        ("scheme", owned(view.scheme())),
        ("authority", owned(view.authority())),
        ("userinfo", owned(view.userinfo())),
        ("host", owned(view.host_str())),
        ("host kind", owned(host.map(Host::kind))),
        ("address", address),
        ("port", owned(view.port())),
        ("port number", view.port_u16().map(|port| port.to_string())),
        ("path", owned(Some(view.path()))),
        ("query", owned(view.query())),
        ("fragment", owned(view.fragment())),
    ])
}

fn owned(component: Option<&str>) -> Option<String> {
    component.map(str::to_owned)
}

fn oxiri(reference: oxiri::IriRef<&str>) -> Vec<(&'static str, Option<String>)> {
    vec![
        ("scheme", owned(reference.scheme())),
        ("authority", owned(reference.authority())),
        ("path", owned(Some(reference.path()))),
        ("query", owned(reference.query())),
        ("fragment", owned(reference.fragment())),
    ]
}

fn fluent(reference: fluent_uri::IriRef<&str>) -> Vec<(&'static str, Option<String>)> {
    use fluent_uri::component::Host;

    let authority = reference.authority();
    let host = authority.map(|authority| authority.host_parsed());
    let (kind, address) = match host {
        None => (None, None),
        Some(Host::Ipv4(address)) => (Some("ipv4"), Some(address.to_string())),
        Some(Host::Ipv6(address)) => (Some("ipv6"), Some(address.to_string())),
        Some(Host::RegName(_)) => (Some("reg-name"), None),
        // The enum may grow; it has one more variant.
        Some(_) => (Some("ipvfuture"), None),
    };
    let number = authority.and_then(|authority| authority.port_to_u16().ok().flatten());
    vec![
        ("scheme", owned(reference.scheme().map(|scheme| scheme.as_str()))),
        ("authority", owned(authority.map(|authority| authority.as_str()))),
        ("userinfo", owned(authority.and_then(|a| Some(a.userinfo()?.as_str())))),
        ("host", owned(authority.map(|authority| authority.host()))),
        ("host kind", owned(kind)),
        ("address", address),
        ("port", owned(authority.and_then(|authority| Some(authority.port()?.as_str())))),
        ("port number", number.map(|port| port.to_string())),
        ("path", owned(Some(reference.path().as_str()))),
        ("query", owned(reference.query().map(|query| query.as_str()))),
        ("fragment", owned(reference.fragment().map(|fragment| fragment.as_str()))),
    ]
}

fn iri_string<S: iri_string::spec::Spec>(
    reference: &iri_string::types::RiReferenceStr<S>,
) -> Vec<(&'static str, Option<String>)> {
    let authority = reference.authority_components();
    vec![
        ("scheme", owned(reference.scheme_str())),
        ("authority", owned(reference.authority_str())),
        ("userinfo", owned(authority.and_then(|authority| authority.userinfo()))),
        ("host", owned(authority.map(|authority| authority.host()))),
        ("port", owned(authority.and_then(|authority| authority.port()))),
        ("path", owned(Some(reference.path_str()))),
        ("query", owned(reference.query_str())),
        ("fragment", owned(reference.fragment_str())),
    ]
}
