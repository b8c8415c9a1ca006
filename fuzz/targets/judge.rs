//! Any text: a verdict has reasons or a URL to send, which has the same verdict and is a URI. The crate `url` reads the
//! same host, and no host that is internal by the standard library is let through. Bytes are judged as their text. A
//! redirect leads where the URL Standard says.
#![no_main]

use std::net::Ipv4Addr;

use libfuzzer_sys::fuzz_target;
use simd_iri::Rule;
use simd_iri_judge::{Decision, Policy, ReasonKind};
use url::{Host, Url};

const BASE: &str = "https://example.com/a/b?c";

fuzz_target!(|text: &str| {
    let policies = [
        Policy::public_web(),
        Policy::public_web()
            .schemes(&["http", "https", "ws", "wss", "ftp", "dict"])
            .ports(&[21, 80, 443, 2628, 8080])
            .strip_userinfo(true),
    ];
    for policy in &policies {
        let verdict = policy.judge(text);
        assert_eq!(policy.judge_bytes(text.as_bytes()), verdict);
        let is_refused = verdict.decision() == Decision::Refuse;
        assert_eq!(is_refused, !verdict.reasons().is_empty(), "{text:?}");
        assert_eq!(is_refused, verdict.url_to_send().is_none(), "{text:?}");
        for reason in verdict.reasons() {
            assert!(
                reason.span().is_none_or(|span| text.get(span).is_some()),
                "{text:?}: {reason}"
            );
        }
        if let Some(url) = verdict.url_to_send() {
            assert!(Rule::AbsoluteUri.is_valid(url), "{text:?}: {url}");
            let again = policy.judge(url);
            assert_eq!(again.url_to_send(), Some(url), "{text:?}");
            assert_eq!(again.decision(), verdict.decision(), "{text:?}");
            assert_eq!(again.host_by_rfc(), verdict.host_by_whatwg(), "{text:?}");
            let stranger = Url::parse(url).expect("a URL");
            assert_eq!(stranger.as_str(), url, "{text:?}");
            assert!(!stranger.host().is_some_and(is_internal), "{text:?}");
        }
        let is_long = verdict.reasons().iter().any(|it| it.kind() == ReasonKind::HostTooLong);
        let is_special = matches!(verdict.scheme(), Some("http" | "https" | "ws" | "wss" | "ftp"));
        match Url::parse(text) {
            Ok(url) if is_special && !is_long => {
                assert_eq!(
                    verdict.host_by_whatwg(),
                    Some(url.host_str().unwrap_or("")),
                    "{text:?}"
                );
                let is_internal = url.host().is_some_and(is_internal);
                assert!(is_refused || !is_internal, "{text:?}");
            }
            Err(_) => assert!(is_refused, "{text:?}"),
            Ok(_) => {}
        }
    }
    let redirect = policies[0].judge_redirect(text, BASE, 1);
    if let Some(sent) = redirect.verdict().url_to_send() {
        let mut url = Url::parse(BASE).and_then(|base| base.join(text)).expect("a URL");
        url.set_fragment(None);
        assert_eq!(url.as_str(), sent, "{text:?}");
    }
});

/// Tells whether a host is internal, by the methods of the standard library.
fn is_internal(host: Host<&str>) -> bool {
    let of_v4 = |it: Ipv4Addr| {
        it.is_private()
            || it.is_loopback()
            || it.is_link_local()
            || it.is_unspecified()
            || it.is_multicast()
    };
    match host {
        Host::Ipv4(address) => of_v4(address),
        Host::Ipv6(address) => {
            address.is_loopback()
                || address.is_unspecified()
                || address.is_unique_local()
                || address.is_unicast_link_local()
                || address.to_ipv4_mapped().is_some_and(of_v4)
        }
        Host::Domain(name) => {
            let name = name.strip_suffix('.').unwrap_or(name);
            !name.contains('.')
                || [".localhost", ".local", ".internal"].iter().any(|it| name.ends_with(it))
        }
    }
}
