//! The rules that individual schemes have for authorities, queries and fragments (RFC 3987, sections 3.1
//! and 6.4).
//!
//! They are rules for URIs and apply to the URI to which the reference maps: a character outside ASCII
//! counts as its triplets. A host is right if one of its two forms is a domain name. Not here: the syntax of paths
//! and queries (`syntax`).

use core::ops::Range;

use super::domain::is_domain_name;
use super::syntax;
use crate::code::Code;
use crate::finding::Reporter;
use simd_iri::low::Known;
use simd_iri::{Component, Host, IriRef, percent::decode};

/// Reports violations of the rules of the scheme. `second` is where [`second`] finds another scheme.
pub(crate) fn check(
    iri: IriRef<'_>,
    scheme: Option<Known>,
    second: Option<(Component, Range<usize>)>,
    reporter: &mut Reporter<'_>,
) {
    if let Some((component, span)) = second {
        reporter.report(Code::SchemeTwice, component, span, None, 0);
    }
    let Some(scheme) = scheme else { return };
    match scheme {
        Known::Http | Known::Https | Known::Ws | Known::Wss | Known::Ftp => {
            network(iri, scheme, reporter);
        }
        Known::File => file(iri, reporter),
        Known::Mailto | Known::Data | Known::Urn | Known::Tag => {
            let parts = iri.parts();
            if let Some(authority) = parts.authority() {
                let span = authority.start.saturating_sub(2)..authority.end;
                reporter.report(Code::SchemeAuthority, Component::Authority, span, None, 0);
            } else {
                match scheme {
                    Known::Mailto => syntax::mailto(iri, reporter),
                    Known::Data => syntax::data(iri, reporter),
                    Known::Urn => syntax::urn(iri, reporter),
                    _ => syntax::tag(iri, reporter),
                }
            }
        }
    }
}

/// Returns where another scheme is after the scheme, if there is one: the host of `http://http://a` and `http://http//a`, the
/// user of `http://mailto:ann@a`, or the begin of the path of `http:http://a` and `mailto:mailto:ann@a`.
///
/// A host with the name of a scheme is a host if nothing else tells that it is a scheme: `http://http/` and
/// `http://http:8080/` are addresses in a local network.
pub(crate) fn second(iri: IriRef<'_>, scheme: Option<Known>) -> Option<(Component, Range<usize>)> {
    let (scheme, parts) = (scheme?, iri.parts());
    if let Some((user, span)) = iri.user().zip(parts.userinfo()) {
        let is_mail = user.eq_ignore_ascii_case("mailto") && iri.password().is_some();
        if is_mail && scheme.has_domains() {
            return Some((Component::Userinfo, span.start..span.start + user.len()));
        }
    }
    if let Some((host, span)) =
        iri.host_str().zip(parts.host()).filter(|(host, _)| !host.is_empty())
    {
        let host = decode(host).lossy();
        let name = host.strip_suffix(':');
        let is_marked = name.is_some()
            || matches!(iri.port(), Some(""))
            || iri.port().is_none() && iri.path().starts_with("//");
        let is_scheme = is_second(scheme, name.unwrap_or(&host));
        return (is_marked && is_scheme).then_some((Component::Host, span));
    }
    let (path, start) = (iri.path(), parts.path().start);
    let rest = path.trim_start_matches('/');
    let (name, _) = rest.split_once(':').filter(|(name, _)| is_second(scheme, name))?;
    let start = start + path.len() - rest.len();
    Some((Component::Path, start..start + name.len()))
}

/// Tells whether a name after a scheme is a scheme, too: the same one, or another one of those that say where something is.
pub(crate) fn is_second(first: Known, name: &str) -> bool {
    let locates = |scheme: Known| scheme.has_domains() || scheme == Known::File;
    Known::of(name).is_some_and(|second| second == first || locates(first) && locates(second))
}

/// The length in bytes of the longest name for which [`is_second`] may hold if the first scheme is `http`, `https` or `file`.
pub(crate) const LONGEST_SECOND: usize = 5;

/// The rules for schemes that name a server (RFC 9110, section 4.2; RFC 6455, section 3; RFC 1738, section
/// 3.2).
fn network(iri: IriRef<'_>, scheme: Known, reporter: &mut Reporter<'_>) {
    let parts = iri.parts();
    match parts.host() {
        Some(host) if !host.is_empty() => domain(iri, host, reporter),
        host => {
            let span = host.unwrap_or(parts.path().start..parts.path().start);
            reporter.report(Code::SchemeNoHost, Component::Host, span, None, 0);
        }
    }
    if let (Some(userinfo), true) = (parts.userinfo(), scheme != Known::Ftp) {
        reporter.report(Code::SchemeUserinfo, Component::Userinfo, userinfo, None, 0);
    }
    if let Some(port) = parts.port() {
        let is_port = matches!(iri.port(), Some("")) || iri.port_u16().is_some_and(|port| port > 0);
        if !is_port {
            reporter.report(Code::SchemePort, Component::Port, port, None, 0);
        }
    }
    match scheme {
        Known::Ws | Known::Wss => {
            if let Some(fragment) = parts.fragment() {
                let span = fragment.start - 1..fragment.end;
                reporter.report(Code::SchemeFragment, Component::Fragment, span, None, 0);
            }
        }
        Known::Ftp => syntax::ftp(iri, reporter),
        _ => {}
    }
}

/// The rules for `file` (RFC 8089, section 2).
fn file(iri: IriRef<'_>, reporter: &mut Reporter<'_>) {
    let parts = iri.parts();
    if let Some(userinfo) = parts.userinfo() {
        reporter.report(Code::SchemeUserinfo, Component::Userinfo, userinfo, None, 0);
    }
    if let Some(port) = parts.port() {
        reporter.report(Code::SchemePort, Component::Port, port, None, 0);
    }
    let path = iri.path();
    if !path.starts_with('/') || path.starts_with("//") {
        reporter.report(Code::SchemeFilePath, Component::Path, parts.path(), None, 0);
    }
    if let Some(query) = parts.query() {
        reporter.report(Code::SchemeQuery, Component::Query, query.start - 1..query.end, None, 0);
    }
}

/// Reports a host that is not a domain name.
fn domain(iri: IriRef<'_>, span: Range<usize>, reporter: &mut Reporter<'_>) {
    if matches!(iri.host(), Some(Host::RegName(name)) if !is_domain_name(name)) {
        reporter.report(Code::SchemeDomain, Component::Host, span, None, 0);
    }
}
