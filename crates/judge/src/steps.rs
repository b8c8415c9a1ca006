//! The steps of a verdict about a text.
//!
//! Not here: the two readings (`rfc`, `standard`), addresses (`address`), and redirects (`redirect`).

/*
# The algorithm

Each step adds a reason, and the later steps still run, so that a verdict has all reasons:

    1  a control or a space; a backslash
    2  no scheme; a scheme that is not allowed, which ends the steps
    3  no host; not an IRI; refused by the URL Standard
    4  user information
    5  the readings differ
    6  the host by the URL Standard: an empty label, a name, an address
    7  the port

The host of the URL Standard is judged, because it is the host after decoding and mapping. The host by RFC 3987 must be
the same host:

    host by the URL Standard   host by RFC 3987
    IPv4 address               the same four decimals
    IPv6 address               the same address, in any form
    name                       the same ASCII in any case, or letters that UTS #46 maps to it

For example, `http://%65xample.com/` is refused: its host is `%65xample.com` by RFC 3987 and `example.com` by the URL
Standard.

# Invariants

- A text without a reason has one host and one port in both readings, and this host is judged.
- A verdict with a reason has no URL to send.
*/

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::net::{IpAddr, Ipv6Addr};
use core::ops::Range;

use super::policy::Policy;
use super::rfc::{AuthorityParts, Split, violation};
use super::standard::{self, StandardHost, StandardReading};
use super::verdict::{Decision, Reason, ReasonKind, Verdict};
use super::{rfc, send};
use simd_iri::low::{LONGEST_LABEL, default_port, names, slice};

/// The longest name of the DNS, in bytes (RFC 1035, section 2.3.4).
const LONGEST_NAME: usize = 253;

impl Policy {
    /// Judges a text.
    ///
    /// A few passes over the text, and a few more over a host that is not plain ASCII; linear time. Allocates what the
    /// verdict holds. Opens no socket and looks up no name.
    ///
    /// ```
    /// use simd_iri_judge::{Decision, Policy};
    ///
    /// let policy = Policy::public_web();
    /// assert_eq!(policy.judge("http://example.com/").decision(), Decision::Resolve);
    /// let verdict = policy.judge(r"http://127.0.0.1:6666\@1.1.1.1/");
    /// let reasons: Vec<_> = verdict.reasons().iter().map(|reason| reason.kind().name()).collect();
    /// assert_eq!(reasons, ["backslash", "userinfo", "readings-differ", "address", "port"]);
    /// ```
    #[must_use]
    pub fn judge(&self, text: &str) -> Verdict {
        let split = Split::of(text);
        let reading = standard::read(text, |scheme| self.allows_scheme(scheme));
        let mut reasons = Vec::new();
        push_characters(text, &mut reasons);
        let is_refused = self.push_grammar(text, &split, reading.as_ref(), &mut reasons);
        if let Some(reading) = reading.as_ref().filter(|_| !is_refused) {
            // A text without a scheme by RFC 3987 may have one by the URL Standard.
            if self.allows_scheme(&reading.scheme) {
                self.push_host(reading, &mut reasons);
                if !self.allows_port(reading.port) {
                    let authority = split.authority.as_ref();
                    let port = authority.and_then(|authority| authority.port.clone());
                    reasons.push(Reason::new(ReasonKind::Port, port));
                }
            }
        }
        verdict(text, &split, reading, reasons)
    }

    /// Judges bytes, as [`judge`](Self::judge) does. Bytes that are not UTF-8 are refused.
    ///
    /// ```
    /// use simd_iri_judge::{Policy, ReasonKind};
    ///
    /// let verdict = Policy::public_web().judge_bytes(b"http://example.com/\xFF");
    /// assert_eq!(verdict.reasons()[0].kind(), ReasonKind::NotUtf8);
    /// assert_eq!(verdict.reasons()[0].span(), Some(19..20));
    /// ```
    #[must_use]
    pub fn judge_bytes(&self, bytes: &[u8]) -> Verdict {
        match core::str::from_utf8(bytes) {
            Ok(text) => self.judge(text),
            Err(error) => Verdict::refused([not_utf8(bytes, error)].into()),
        }
    }

    /// Adds the reasons of the scheme, of the grammars and of the user information, and the reason that the readings
    /// differ. Tells whether the scheme is refused.
    fn push_grammar(
        &self,
        text: &str,
        split: &Split,
        reading: Option<&StandardReading>,
        reasons: &mut Vec<Reason>,
    ) -> bool {
        let mut push = |kind, place| reasons.push(Reason::new(kind, place));
        let mut is_valid = false;
        match &split.scheme {
            None => push(ReasonKind::NoScheme, None),
            Some(scheme)
                if !self.allows_scheme(&slice::text(text, scheme.clone()).to_ascii_lowercase()) =>
            {
                push(ReasonKind::Scheme, Some(scheme.clone()));
                return true;
            }
            Some(_) => {
                match &split.authority {
                    None => push(ReasonKind::NoHost, None),
                    Some(authority) => {
                        let place = violation(text, authority, self.strips_userinfo());
                        is_valid = place.is_none();
                        if place.is_some() {
                            push(ReasonKind::InvalidRfc3987, place);
                        }
                    }
                }
                if reading.is_none() {
                    let host = split.authority.as_ref().map(|authority| authority.host.clone());
                    push(ReasonKind::InvalidWhatwg, host);
                }
            }
        }
        let authority = split.authority.as_ref();
        let userinfo = authority.and_then(|authority| {
            authority.userinfo.clone().map(|userinfo| userinfo.start..userinfo.end + 1)
        });
        let has_userinfo = userinfo.is_some() || reading.is_some_and(|read| read.has_userinfo);
        if has_userinfo && !self.strips_userinfo() {
            push(ReasonKind::Userinfo, userinfo);
        }
        if let (true, Some(authority), Some(reading)) = (is_valid, authority, reading) {
            if differ(text, authority, reading) {
                push(ReasonKind::ReadingsDiffer, Some(authority.host.clone()));
            }
        }
        false
    }

    /// Adds the reasons of the host by the URL Standard.
    fn push_host(&self, reading: &StandardReading, reasons: &mut Vec<Reason>) {
        let place = || reading.span.clone();
        let is_missing = reasons.iter().any(|reason| reason.kind() == ReasonKind::NoHost);
        let mut push = |kind| reasons.push(Reason::new(kind, place()));
        let host = reading.host.text();
        let mut is_listed = self.only.is_empty();
        match &reading.host {
            // Without an authority by RFC 3987, the reason is there.
            StandardHost::Empty if is_missing => {}
            StandardHost::Empty => push(ReasonKind::NoHost),
            StandardHost::TooLong => push(ReasonKind::HostTooLong),
            StandardHost::Name(_) | StandardHost::Opaque(_) => {
                let name = host.strip_suffix('.').unwrap_or(&host);
                is_listed |= self.only.has(name);
                if name.split('.').any(str::is_empty) {
                    push(ReasonKind::EmptyLabel);
                } else if name.len() > LONGEST_NAME
                    || name.split('.').any(|label| label.len() > LONGEST_LABEL)
                {
                    push(ReasonKind::HostTooLong);
                }
                let is_empty = name.is_empty();
                if names::is_metadata(name.as_bytes()) {
                    push(ReasonKind::MetadataName);
                } else if names::is_special(name.as_bytes())
                    && !is_empty
                    && !self.permitted.has(name)
                {
                    push(ReasonKind::SpecialName);
                }
                if self.refused.has(name) {
                    push(ReasonKind::RefusedName);
                }
            }
            StandardHost::Address(_) => is_listed |= self.only.has(&host),
        }
        if !is_listed {
            push(ReasonKind::NotListed);
        }
        if let StandardHost::Address(address) = reading.host {
            if self.refuses_literals() {
                push(ReasonKind::Literal);
            }
            if let Some(range) = self.judge_address(address) {
                reasons.push(Reason::of_range(range, place()));
            }
        }
    }
}

/// Returns the reason for bytes that are not UTF-8.
pub(super) fn not_utf8(bytes: &[u8], error: core::str::Utf8Error) -> Reason {
    let start = error.valid_up_to();
    let end = error.error_len().map_or(bytes.len(), |length| start + length);
    Reason::new(ReasonKind::NotUtf8, Some(start..end))
}

/// Adds the reasons of single characters: the first control or space, and the first backslash.
pub(super) fn push_characters(text: &str, reasons: &mut Vec<Reason>) {
    let bytes = text.as_bytes();
    let is_control = |byte: &u8| *byte <= b' ' || *byte == 0x7F;
    for (kind, at) in [
        (ReasonKind::ControlOrSpace, bytes.iter().position(is_control)),
        (ReasonKind::Backslash, memchr::memchr(b'\\', bytes)),
    ] {
        reasons.extend(at.map(|at| Reason::new(kind, Some(at..at + 1))));
    }
}

/// Tells whether the host or the port by RFC 3987 is not that of the URL Standard.
fn differ(text: &str, authority: &AuthorityParts, reading: &StandardReading) -> bool {
    let host = slice::text(text, authority.host.clone());
    let is_host = match &reading.host {
        StandardHost::Empty => host.is_empty(),
        StandardHost::Address(IpAddr::V4(address)) => host == address.to_string(),
        StandardHost::Address(IpAddr::V6(address)) => {
            let literal = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
            literal.and_then(|literal| literal.parse::<Ipv6Addr>().ok()) == Some(*address)
        }
        StandardHost::Name(name) if host.is_ascii() => host.eq_ignore_ascii_case(name),
        StandardHost::Name(name) => standard::ascii(host).is_some_and(|ascii| ascii == *name),
        StandardHost::Opaque(name) => host == name,
        // The host has its own reason.
        StandardHost::TooLong => true,
    };
    let port = match authority.port.clone().map_or("", |port| slice::text(text, port)) {
        "" => default_port(&reading.scheme),
        digits => standard::port_number(digits),
    };
    !is_host || port != reading.port
}

/// Puts a verdict together.
fn verdict(
    text: &str,
    split: &Split,
    reading: Option<StandardReading>,
    reasons: Vec<Reason>,
) -> Verdict {
    let part = |range: &Range<usize>| slice::text(text, range.clone());
    let host = reading.as_ref().map(|reading| &reading.host);
    let decision = match host {
        _ if !reasons.is_empty() => Decision::Refuse,
        Some(StandardHost::Address(_)) => Decision::Allow,
        Some(StandardHost::Name(_)) => Decision::Resolve,
        // A policy reads the host of an allowed scheme as a name or an address.
        _ => Decision::Refuse,
    };
    let address = match host {
        Some(StandardHost::Address(address)) => Some(*address),
        _ => None,
    };
    let is_sent = decision != Decision::Refuse;
    let url_to_send = reading.as_ref().filter(|_| is_sent).map(|reading| send::url(text, reading));
    let of_rfc = split.scheme.as_ref().map(|scheme| part(scheme).to_ascii_lowercase());
    let port = reading.as_ref().and_then(|reading| reading.port);
    let host_by_whatwg = host.map(|host| host.text().into_owned());
    Verdict {
        decision,
        reasons,
        scheme: of_rfc.or(reading.map(|reading| reading.scheme)),
        host_by_rfc: split
            .authority
            .as_ref()
            .map(|rfc::AuthorityParts { host, .. }| String::from(part(host))),
        host_by_whatwg,
        port,
        address,
        url_to_send,
    }
}
