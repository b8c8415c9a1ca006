//! Findings about user information, ports and schemes that mislead (RFC 3986, sections 7, 7.2, 7.5 and
//! 7.6).
//!
//! Not here: hosts (`host`), triplets (`escapes`), scripts and look-alikes (`scripts`, `lookalikes`).

use crate::code::Code;
use crate::finding::Reporter;
use simd_iri::low::{Known, LABEL_DOTS};
use simd_iri::{Component, IriRef, percent::decode};

/// The highest port that systems reserve for protocols.
pub(crate) const WELL_KNOWN: u16 = 1023;

/// Reports misleading schemes and authorities, and a path from which browsers take a host.
pub(crate) fn check(iri: IriRef<'_>, scheme: Option<Known>, reporter: &mut Reporter<'_>) {
    let parts = iri.parts();
    let has_domains = scheme.is_some_and(Known::has_domains);
    if iri.host_str().is_none_or(str::is_empty) && has_domains && !iri.path().is_empty() {
        reporter.report(Code::SpoofBrowserHost, Component::Path, parts.path(), None, 0);
    }
    if let (true, Some(span)) = (iri.scheme().is_some_and(is_active), parts.scheme()) {
        reporter.report(Code::SpoofActiveScheme, Component::Scheme, span, None, 0);
    }
    if let (Some(userinfo), Some(span)) = (iri.userinfo(), parts.userinfo()) {
        if looks_like_host(userinfo) {
            reporter.report(Code::SpoofUserinfo, Component::Userinfo, span.clone(), None, 0);
        }
        if let Some(password) = iri.password().filter(|password| !password.is_empty()) {
            let span = span.end - password.len()..span.end;
            reporter.report(Code::SpoofPassword, Component::Userinfo, span, None, 0);
        }
    }
    if let (Some(span), Some(port)) = (parts.port(), iri.port_u16()) {
        let expected = scheme.and_then(Known::port);
        if expected.is_some_and(|expected| port <= WELL_KNOWN && port != expected) {
            reporter.report(Code::SpoofPort, Component::Port, span, None, u32::from(port));
        }
    }
}

/// The schemes whose references hold content that is run or shown. A link to such a reference acts on the page that has
/// the link.
const ACTIVE: [&str; 3] = ["javascript", "vbscript", "data"];

/// Tells whether references of a scheme, in any case, hold content that is run or shown.
pub(crate) fn is_active(scheme: &str) -> bool {
    ACTIVE.iter().any(|active| scheme.eq_ignore_ascii_case(active))
}

/// Tells whether decoded user information begins like the name of a host: a label, a dot, and the first character of
/// another label. A label holds letters, digits, hyphens and underscores.
pub(crate) fn looks_like_host(userinfo: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let userinfo = decode(userinfo).lossy();
    let mut labels = userinfo.split(LABEL_DOTS);
    let first = labels.next().unwrap_or_default();
    let second = labels.next().unwrap_or_default();
    !first.is_empty() && first.chars().all(is_name) && second.starts_with(is_name)
}
