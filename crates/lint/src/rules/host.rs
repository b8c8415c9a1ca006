//! Findings about hosts and about the domains of mail addresses. Each host is judged by the name for which
//! it stands: `http://127%2E0.0.1/` and `http://127。0。0。1/` get the findings of `http://127.0.0.1/`.
//!
//! Not here: the name for which a host stands (`meant`), and whether it is a domain name (`scheme`).

use alloc::borrow::Cow;
use core::net::Ipv4Addr;
use core::ops::Range;

use super::{internal, lookalikes, meant, syntax};
use crate::code::{COUNT, Code};
use crate::finding::Reporter;
use crate::severity::Severity;
use crate::suggestion::Suggestion;
use simd_iri::low::{Known, ipv4};
use simd_iri::{Component, Host, IriRef};

/// Returns the name for which the host stands, if the host is a name ([`meant::name`]).
pub(crate) fn name(iri: IriRef<'_>) -> Option<Cow<'_, str>> {
    match iri.host() {
        Some(Host::RegName(host)) => Some(meant::name(host)),
        _ => None,
    }
}

/// Reports misleading hosts and internal hosts. `name` is what [`name`] returns for the reference. A few passes over a host
/// that has triplets or characters outside ASCII, one pass over any other host.
pub(crate) fn check(
    iri: IriRef<'_>,
    scheme: Option<Known>,
    name: Option<&str>,
    reporter: &mut Reporter<'_>,
) {
    if let Some(span) = iri.parts().host() {
        address(iri, scheme, span, name, reporter);
    }
    // A host that is too long for the DNS misleads nobody by its letters. It may still be an address, such as 127.0.0.1 with
    // a hundred zeros before it, or a name below `localhost`, which programs do not look up in the DNS.
    let name = name.filter(|_| !iri.host_str().is_some_and(meant::is_too_long));
    names(iri, scheme, name, reporter);
}

/// Reports addresses that are not four decimal numbers, and internal hosts. `name` is the name for which the host stands, if there is one.
fn address(
    iri: IriRef<'_>,
    scheme: Option<Known>,
    span: Range<usize>,
    name: Option<&str>,
    reporter: &mut Reporter<'_>,
) {
    let kind = match iri.host() {
        Some(Host::Ipv4(address)) => internal::of_v4(address),
        Some(Host::Ipv6(address)) => internal::of_v6(address),
        Some(Host::RegName(_)) => {
            let name = name.unwrap_or_default();
            // The grammar reads this address as a name.
            if let Some(address) = ipv4::address(name) {
                let suggestion = Some(Suggestion::DottedDecimal);
                reporter.report(
                    Code::SpoofIpv4,
                    Component::Host,
                    span.clone(),
                    suggestion,
                    address,
                );
                internal::of_v4(Ipv4Addr::from_bits(address))
            } else if scheme == Some(Known::File) && name.eq_ignore_ascii_case("localhost") {
                // `localhost` is usual in references to files (RFC 8089, section 2).
                None
            } else {
                internal::of_name(name)
            }
        }
        _ => None,
    };
    if let Some(kind) = kind {
        reporter.report(Code::SpoofInternalHost, Component::Host, span, None, kind as u32);
    }
}

/// Reports names that look like other names. `name` is the name for which the host stands, if there is one.
fn names(iri: IriRef<'_>, scheme: Option<Known>, name: Option<&str>, reporter: &mut Reporter<'_>) {
    let host = iri.host_str().zip(iri.parts().host());
    if let (Some((host, span)), Some(name)) = (host, name) {
        if meant::may_differ(host) {
            lookalikes::check_name(host, Component::Host, span.start, reporter);
            if scheme.is_some_and(Known::has_domains) {
                let start = span.start;
                super::scripts::check_name(host, name, Component::Host, start, reporter);
            }
        }
    }
    if scheme == Some(Known::Mailto) {
        for (component, span, name) in syntax::mail_domains(iri) {
            if meant::may_differ(name) && !meant::is_too_long(name) {
                lookalikes::check_name(name, component, span.start, reporter);
                super::scripts::check_name(
                    name,
                    &meant::name(name),
                    component,
                    span.start,
                    reporter,
                );
            }
        }
    }
}

/// Tells whether the name for which the host of a reference stands has no finding. An internal host does not count as a
/// finding here. The decoded host then hides nothing and misleads nobody.
pub(crate) fn is_honest(iri: IriRef<'_>, scheme: Option<Known>, name: Option<&str>) -> bool {
    let mut is_honest = true;
    let mut each = |finding: crate::Finding| is_honest &= finding.code() == Code::SpoofInternalHost;
    check(iri, scheme, name, &mut Reporter::new(&[Some(Severity::Note); COUNT], &mut each));
    is_honest
}

/// Tells whether a lint calls a label of a domain name misleading. The label has no triplets. `top` is the last label of
/// the name, as UTS #46 maps it.
pub(crate) fn is_label_misleading(label: &str, top: &str) -> bool {
    let mut has_look_alike = false;
    let mut each = |_| has_look_alike = true;
    let mut reporter = Reporter::new(&[Some(Severity::Note); COUNT], &mut each);
    lookalikes::check_name(label, Component::Host, 0, &mut reporter);
    has_look_alike || super::scripts::is_misleading(label, top) || super::mojibake::has_any(label)
}

/// Tells whether a lint calls a host misleading that is not a domain name, or has a scheme without domain names.
pub(crate) fn is_misleading(iri: IriRef<'_>, scheme: Option<Known>) -> bool {
    let host = iri.host_str().unwrap_or_default();
    let has_domains = scheme.is_some_and(Known::has_domains);
    !is_honest(iri, scheme, name(iri).as_deref())
        || !has_domains && super::scripts::is_component_mixed(host)
        || super::mojibake::has_any(host)
}
