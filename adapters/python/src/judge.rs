//! Verdicts about URLs before they are fetched: the class `Policy`, and the functions that judge.

use std::net::IpAddr;
use std::str::FromStr;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use simd_iri_judge as judge;
use simd_iri_judge::{AddressRange, IpRange, ReasonKind, Verdict};

use crate::text::{Characters, Text};

/// A reason: its name, kind, message, start and end, and the range of an address. Offsets are in characters.
type Reason = (String, &'static str, &'static str, Option<usize>, Option<usize>, Option<Range>);

/// A range of addresses: its name, what it is for, and whether it is that of a metadata service.
type Range = (String, &'static str, bool);

/// The fields of a verdict.
type Fields = (
    &'static str,
    Vec<Reason>,
    Option<String>,
    Option<String>,
    Option<String>,
    Option<u16>,
    Option<String>,
    Option<String>,
);

/// What the functions that judge refuse: by default, all but pages of the public web. It is immutable.
///
/// >>> judge("https://a.example:8443/").decision, judge("https://a.example:8443/", Policy(ports=[8443])).decision
/// ('refuse', 'resolve')
///
/// - ``schemes`` and ``ports`` are allowed in the place of http and https, and of 80 and 443.
/// - ``strip_userinfo`` leaves user information out of the URL to send, in place of refusing the text.
/// - ``refuse_literals`` refuses every host that is an address.
/// - ``only_hosts`` and ``only_domains`` refuse every host that is not one of these hosts, or in one of these domains.
/// - ``refuse_domains`` and ``permit_domains`` are domains with all names below them, ``refuse_ranges`` and
///   ``permit_ranges`` are ranges of addresses such as ``"10.0.0.0/8"``. Metadata services of clouds stay refused.
/// - ``nat64_prefixes`` are prefixes of translators of the own network, such as ``"2001:db8::/96"``.
/// - ``max_redirects`` is how many redirects may follow one another.
///
/// ``docs/judge.md`` has the ranges and the names of the policy. Raises ``ValueError`` about an argument.
#[pyclass(frozen, weakref, module = "simd_iri")]
pub(crate) struct Policy(pub(crate) judge::Policy);

#[pymethods]
impl Policy {
    #[new]
    #[pyo3(signature = (
        *, schemes=None, ports=None, strip_userinfo=false, refuse_literals=false, only_hosts=None, only_domains=None,
        refuse_domains=None, permit_domains=None, refuse_ranges=None, permit_ranges=None, nat64_prefixes=None,
        max_redirects=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are named where they are given")]
    fn new(
        schemes: Option<Vec<String>>,
        ports: Option<Vec<u16>>,
        strip_userinfo: bool,
        refuse_literals: bool,
        only_hosts: Option<Vec<String>>,
        only_domains: Option<Vec<String>>,
        refuse_domains: Option<Vec<String>>,
        permit_domains: Option<Vec<String>>,
        refuse_ranges: Option<Vec<String>>,
        permit_ranges: Option<Vec<String>>,
        nat64_prefixes: Option<Vec<String>>,
        max_redirects: Option<u32>,
    ) -> PyResult<Self> {
        let mut policy = judge::Policy::public_web()
            .strip_userinfo(strip_userinfo)
            .refuse_literals(refuse_literals);
        if let Some(schemes) = schemes {
            policy = policy.schemes(&schemes.iter().map(String::as_str).collect::<Vec<_>>());
        }
        policy = ports.into_iter().fold(policy, |policy, ports| policy.ports(&ports));
        policy = max_redirects.into_iter().fold(policy, judge::Policy::max_redirects);
        let each = |given: Option<Vec<String>>| given.into_iter().flatten();
        for host in each(only_hosts) {
            policy = policy.only_host(&host).map_err(|error| refused("only_hosts", error))?;
        }
        for domain in each(only_domains) {
            policy = policy.only_domain(&domain).map_err(|error| refused("only_domains", error))?;
        }
        for domain in each(refuse_domains) {
            policy =
                policy.refuse_domain(&domain).map_err(|error| refused("refuse_domains", error))?;
        }
        for domain in each(permit_domains) {
            policy =
                policy.permit_domain(&domain).map_err(|error| refused("permit_domains", error))?;
        }
        for text in each(refuse_ranges) {
            policy = policy.refuse_range(range("refuse_ranges", &text)?);
        }
        for text in each(permit_ranges) {
            policy = policy.permit_range(range("permit_ranges", &text)?);
        }
        for text in each(nat64_prefixes) {
            policy = policy.nat64_prefix(range("nat64_prefixes", &text)?).map_err(|_| {
                refused("nat64_prefixes", "a prefix of IPv6 has 32, 40, 48, 56, 64 or 96 bits")
            })?;
        }
        Ok(Self(policy))
    }
}

/// The error about an argument of `Policy`.
#[cold]
fn refused(argument: &str, why: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(format!("{argument}: {why}"))
}

fn range(argument: &str, text: &str) -> PyResult<IpRange> {
    IpRange::from_str(text).map_err(|error| refused(argument, error))
}

/// Calls `call` with a policy, or with the policy of the public web.
pub(crate) fn with<R>(policy: Option<&Policy>, call: impl FnOnce(&judge::Policy) -> R) -> R {
    match policy {
        Some(policy) => call(&policy.0),
        None => call(&judge::Policy::public_web()),
    }
}

/// The verdict about a text.
#[pyfunction]
#[pyo3(name = "judge", signature = (text, policy=None))]
pub(crate) fn judge_text(text: Text<'_>, policy: Option<PyRef<'_, Policy>>) -> Fields {
    let verdict = with(policy.as_deref(), |policy| policy.judge_bytes(text.bytes()));
    fields(&verdict, text.bytes())
}

/// The verdict about the `Location` of a response, and whether the next request may have credentials.
#[pyfunction]
#[pyo3(signature = (location, base, number=1, policy=None))]
pub(crate) fn judge_redirect(
    location: Text<'_>,
    base: Text<'_>,
    number: u32,
    policy: Option<PyRef<'_, Policy>>,
) -> (Fields, bool) {
    let redirect = with(policy.as_deref(), |policy| {
        policy.judge_redirect_bytes(location.bytes(), &base.replaced(), number)
    });
    (fields(redirect.verdict(), location.bytes()), redirect.keeps_credentials())
}

/// The range because of which an address is refused.
#[pyfunction]
#[pyo3(signature = (address, policy=None))]
pub(crate) fn judge_address(address: IpAddr, policy: Option<PyRef<'_, Policy>>) -> Option<Range> {
    with(policy.as_deref(), |policy| policy.judge_address(address)).map(named)
}

fn named(range: AddressRange) -> Range {
    (range.to_string(), range.meaning(), range.is_metadata())
}

/// The fields of a verdict about a text with these bytes.
fn fields(verdict: &Verdict, bytes: &[u8]) -> Fields {
    let owned = |text: Option<&str>| text.map(str::to_owned);
    let mut characters = Characters::of(bytes);
    let reasons = verdict.reasons().iter().map(|reason| {
        let (kind, span) = (reason.kind(), reason.span());
        // A string is not UTF-8 for one reason.
        let message = match kind {
            ReasonKind::NotUtf8 => "a lone surrogate stands for no character",
            _ => kind.message(),
        };
        let start = span.as_ref().map(|span| characters.before(span.start));
        let end = span.map(|span| characters.before(span.end));
        let range = reason.range().map(named);
        (reason.to_string(), kind.name(), message, start, end, range)
    });
    (
        verdict.decision().name(),
        reasons.collect(),
        owned(verdict.scheme()),
        owned(verdict.host_by_rfc()),
        owned(verdict.host_by_whatwg()),
        verdict.port(),
        verdict.address().map(|address| address.to_string()),
        owned(verdict.url_to_send()),
    )
}
