//! What misleads in an authority, without a look at scripts (RFC 3986, sections 7.2, 7.4, 7.5 and 7.6).
//!
//! Not here: triplets (`escapes`), scripts and look-alikes (`scripts`).

use super::code::Code;
use super::finding::Sink;
use super::ipv4;
use super::suggestion::Suggestion;
use crate::error::Component;
use crate::reference::IriRef;
use crate::transform::Known;

/// The ports that systems reserve for protocols.
pub(super) const WELL_KNOWN: u16 = 1023;

/// Reports what misleads in the authority of a reference, or where browsers find one.
pub(super) fn check(iri: IriRef<'_>, scheme: Option<Known>, sink: &mut Sink<'_>) {
    let parts = iri.parts();
    let has_domains = scheme.is_some_and(Known::has_domains);
    if let (Some(host), Some(name)) = (parts.host(), iri.host_str()) {
        if let Some(address) = ipv4::rare(name) {
            let suggestion = Some(Suggestion::DottedDecimal);
            sink.say(Code::SpoofIpv4, Component::Host, host.clone(), suggestion, address);
        }
        if host.is_empty() && has_domains && !iri.path().is_empty() {
            sink.say(Code::SpoofBrowserHost, Component::Path, parts.path(), None, 0);
        }
    } else if has_domains && !iri.path().is_empty() {
        sink.say(Code::SpoofBrowserHost, Component::Path, parts.path(), None, 0);
    }
    if let (Some(userinfo), Some(span)) = (iri.userinfo(), parts.userinfo()) {
        if looks_like_host(userinfo) {
            sink.say(Code::SpoofUserinfo, Component::Userinfo, span.clone(), None, 0);
        }
        if let Some(password) = iri.password().filter(|password| !password.is_empty()) {
            let span = span.end - password.len()..span.end;
            sink.say(Code::SpoofPassword, Component::Userinfo, span, None, 0);
        }
    }
    if let (Some(span), Some(port)) = (parts.port(), iri.port_u16()) {
        let expected = scheme.and_then(Known::port);
        if expected.is_some_and(|expected| port <= WELL_KNOWN && port != expected) {
            sink.say(Code::SpoofPort, Component::Port, span, None, u32::from(port));
        }
    }
}

/// Tells whether a text begins like the name of a host: letters or digits, a dot, letters or digits.
fn looks_like_host(userinfo: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let mut labels = userinfo.split('.');
    let first = labels.next().unwrap_or_default();
    let second = labels.next().unwrap_or_default();
    !first.is_empty() && first.chars().all(is_name) && second.starts_with(is_name)
}
