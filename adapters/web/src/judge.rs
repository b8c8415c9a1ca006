//! Verdicts about URLs before they are fetched.

use std::net::IpAddr;

use serde::Serialize;
use simd_iri_judge::{AddressRange, IpRange, Policy, Reason, Verdict};

use crate::answer::{self, ErrorAnswer};
use crate::documents::json;
use crate::functions::{Answer, Arguments, Function, made};
use crate::given::{self, Record};
use crate::utf16::Offsets;

pub(crate) const ALL: &[Function] =
    &[("judge", judge), ("judgeRedirect", judge_redirect), ("judgeAddress", judge_address)];

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Judged<'v> {
    decision: &'static str,
    reasons: Vec<Why>,
    scheme: Option<&'v str>,
    host_by_rfc: Option<&'v str>,
    host_by_whatwg: Option<&'v str>,
    port: Option<u16>,
    address: Option<String>,
    url_to_send: Option<&'v str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    keeps_credentials: Option<bool>,
}

#[derive(Serialize)]
struct Why {
    name: String,
    kind: &'static str,
    message: &'static str,
    start: Option<u32>,
    end: Option<u32>,
    range: Option<Range>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Range {
    name: String,
    meaning: &'static str,
    is_metadata: bool,
}

impl Why {
    fn of(reason: Reason, offsets: &Offsets) -> Self {
        let place = reason.span().map(|span| offsets.range(span));
        Self {
            name: reason.to_string(),
            kind: reason.kind().name(),
            message: reason.kind().message(),
            start: place.map(|[start, _]| start),
            end: place.map(|[_, end]| end),
            range: reason.range().map(Range::of),
        }
    }
}

impl Range {
    fn of(range: AddressRange) -> Self {
        let (meaning, is_metadata) = (range.meaning(), range.is_metadata());
        Self { name: range.to_string(), meaning, is_metadata }
    }
}

/// Reads the policy that a text has.
fn policy(of: &Arguments<'_>, at: usize) -> Result<Policy, ErrorAnswer> {
    let mut policy = Policy::public_web();
    for option in given::records(of.text(at)?) {
        let texts = option.slices();
        let mut each = texts.iter().copied();
        policy = match &*option.name {
            "schemes" => policy.schemes(&texts),
            "ports" => policy.ports(&option.numbers()?),
            "stripUserinfo" => policy.strip_userinfo(option.flag()?),
            "refuseLiterals" => policy.refuse_literals(option.flag()?),
            "maxRedirects" => policy.max_redirects(option.number()?),
            "onlyHosts" => {
                not_empty(&option)?;
                each.try_fold(policy, Policy::only_host).map_err(answer::of_message)?
            }
            "onlyDomains" => {
                not_empty(&option)?;
                each.try_fold(policy, Policy::only_domain).map_err(answer::of_message)?
            }
            "refuseDomains" => {
                each.try_fold(policy, Policy::refuse_domain).map_err(answer::of_message)?
            }
            "permitDomains" => {
                each.try_fold(policy, Policy::permit_domain).map_err(answer::of_message)?
            }
            "refuseRanges" => ranges(&texts)?.into_iter().fold(policy, Policy::refuse_range),
            "permitRanges" => ranges(&texts)?.into_iter().fold(policy, Policy::permit_range),
            "nat64Prefixes" => {
                let mut prefixes = ranges(&texts)?.into_iter();
                prefixes.try_fold(policy, Policy::nat64_prefix).map_err(|_| {
                    answer::of_message("a prefix of IPv6 has 32, 40, 48, 56, 64 or 96 bits")
                })?
            }
            _ => return Err(given::unknown_option()),
        };
    }
    Ok(policy)
}

/// Refuses an allow-list without a name: the policy would allow every host.
fn not_empty(option: &Record<'_>) -> Result<(), ErrorAnswer> {
    match &*option.texts {
        [] => Err(answer::of_argument("a list of the only hosts or domains is empty; name one")),
        _ => Ok(()),
    }
}

fn ranges(texts: &[&str]) -> Result<Vec<IpRange>, ErrorAnswer> {
    texts.iter().map(|text| text.parse().map_err(answer::of_message)).collect()
}

fn judged(verdict: &Verdict, keeps_credentials: Option<bool>, of: &Arguments<'_>) -> Answer {
    let offsets = Offsets::of(of.bytes(0));
    let reasons = verdict.reasons().iter().map(|reason| Why::of(*reason, &offsets));
    made(json(&Judged {
        decision: verdict.decision().name(),
        reasons: reasons.collect(),
        scheme: verdict.scheme(),
        host_by_rfc: verdict.host_by_rfc(),
        host_by_whatwg: verdict.host_by_whatwg(),
        port: verdict.port(),
        address: verdict.address().map(|address| address.to_string()),
        url_to_send: verdict.url_to_send(),
        keeps_credentials,
    }))
}

/// The second text has the policy.
fn judge(of: &Arguments<'_>) -> Answer {
    judged(&policy(of, 1)?.judge(of.text(0)?), None, of)
}

/// The second text has the policy, the third the URL that redirects, and the fourth the number of the redirect.
fn judge_redirect(of: &Arguments<'_>) -> Answer {
    let number = given::number(of.text(3)?)?;
    let redirect = policy(of, 1)?.judge_redirect(of.text(0)?, of.text(2)?, number);
    judged(redirect.verdict(), Some(redirect.keeps_credentials()), of)
}

/// The second text has the policy. There is an answer if the address is refused.
fn judge_address(of: &Arguments<'_>) -> Answer {
    let address: IpAddr = of.text(0)?.parse().map_err(|_| {
        answer::of_message("this is not an IP address, such as 192.0.2.1 or 2001:db8::1")
    })?;
    Ok(policy(of, 1)?.judge_address(address).map(|range| json(&Range::of(range))))
}
