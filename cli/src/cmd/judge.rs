//! `iri judge`: judges URLs before they are fetched, addresses to which names resolve, and redirects. Not here: the
//! rules, which are in the library.

use std::io::{self, Write};
use std::net::IpAddr;

use clap::ValueEnum;
use serde::Serialize;
use simd_iri_judge::{AddressRange, Decision, IpRange, Policy, Reason, ReasonKind, Verdict};

use crate::args::scheme::scheme;
use crate::args::transform::TransformArgs;
use crate::io::files::Outputs;
use crate::item_error::{ItemError, Message};
use crate::output::columns::Columns;
use crate::output::report::{self, Failure, Outcome, Place};
use crate::output::{json, summary};
use crate::pipe::sink::Sink;
use crate::pipe::{self, Beside, Ended, Item, Options};
use crate::transform::{self, Before, ItemOutput, Line};

const EXAMPLES: &str = "\
Examples:
  iri judge -i https://Example.com/a/../b              print https://example.com/b, the URL to send
  iri judge links.txt > to-fetch.txt                   keep what nothing speaks against
  iri judge --json links.txt                           the decision and all reasons of every item
  iri judge --redirect-from https://a.example/b -i /c  judge the Location of a response
  iri judge --address -i 10.0.0.1                      judge an address to which a name resolves
  iri judge --port 80,443,8080 --permit-range 10.0.0.0/8 links.txt  allow more";

/// Judge URLs before they are fetched
///
/// Prints the URL to send for every item that is not refused. A refused item is an error with all reasons, and the exit
/// code is 1. Each item is read by RFC 3987 and by the URL Standard, and is refused if the two read different hosts.
///
/// The command looks up no name. The client must judge each address to which the host resolves, and connect to an
/// address that is not refused.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct JudgeArgs {
    #[command(flatten)]
    pub(super) transform: TransformArgs,

    /// The policy with which the other options begin
    #[arg(help_heading = "Policy", long, value_enum, default_value_t = Named::PublicWeb)]
    policy: Named,

    /// The schemes that are allowed, in place of http and https
    #[arg(help_heading = "Policy", long, value_name = "SCHEME", value_delimiter = ',', value_parser = scheme)]
    scheme: Vec<String>,

    /// The ports that are allowed, in place of 80 and 443
    #[arg(help_heading = "Policy", long, value_name = "PORT", value_delimiter = ',')]
    port: Vec<u16>,

    /// Leave user information out of the URL to send, in place of refusing the item
    #[arg(help_heading = "Policy", long)]
    strip_userinfo: bool,

    /// Refuse every host that is an address
    #[arg(help_heading = "Policy", long)]
    no_literals: bool,

    /// Refuse every host that is not this host; repeat the option for more hosts
    #[arg(help_heading = "Policy", long, value_name = "HOST")]
    only_host: Vec<String>,

    /// Refuse every host that is not this domain or below it; repeat the option for more domains
    #[arg(help_heading = "Policy", long, value_name = "DOMAIN")]
    only_domain: Vec<String>,

    /// Refuse this domain and all names below it
    #[arg(help_heading = "Policy", long, value_name = "DOMAIN")]
    refuse_domain: Vec<String>,

    /// Permit this domain of a private network, and all names below it; metadata services stay refused
    #[arg(help_heading = "Policy", long, value_name = "DOMAIN")]
    permit_domain: Vec<String>,

    /// Refuse the addresses of this range, such as 203.0.113.0/24
    #[arg(help_heading = "Policy", long, value_name = "RANGE")]
    refuse_range: Vec<IpRange>,

    /// Permit the addresses of this range, such as 10.0.0.0/8; metadata services stay refused
    #[arg(help_heading = "Policy", long, value_name = "RANGE")]
    permit_range: Vec<IpRange>,

    /// The prefix of a translator of the own network, such as 2001:db8::/96
    #[arg(help_heading = "Policy", long, value_name = "RANGE")]
    nat64_prefix: Vec<IpRange>,

    /// Every item is the Location of a response to a request of this URL
    #[arg(long, value_name = "URL", conflicts_with = "address")]
    redirect_from: Option<String>,

    /// The number of the redirect: 1 for the first
    #[arg(long, value_name = "NUMBER", default_value_t = 1, requires = "redirect_from")]
    redirect_number: u32,

    /// How many redirects may follow one another; by default 5
    #[arg(long, value_name = "COUNT", requires = "redirect_from")]
    max_redirects: Option<u32>,

    /// Every item is an IP address
    #[arg(long)]
    address: bool,
}

/// A policy with a name.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Named {
    /// Pages of the public web
    PublicWeb,
}

impl JudgeArgs {
    /// Returns the policy, or a message about an option.
    fn policy(&self) -> Result<Policy, String> {
        let Named::PublicWeb = self.policy;
        let mut policy = Policy::public_web()
            .strip_userinfo(self.strip_userinfo)
            .refuse_literals(self.no_literals);
        if !self.scheme.is_empty() {
            let schemes: Vec<_> = self.scheme.iter().map(String::as_str).collect();
            policy = policy.schemes(&schemes);
        }
        if !self.port.is_empty() {
            policy = policy.ports(&self.port);
        }
        if let Some(count) = self.max_redirects {
            policy = policy.max_redirects(count);
        }
        let said = |option: &'static str, error: &dyn std::fmt::Display| {
            format!("judge: {option}: {error}")
        };
        for host in &self.only_host {
            policy = policy.only_host(host).map_err(|error| said("--only-host", &error))?;
        }
        for domain in &self.only_domain {
            policy = policy.only_domain(domain).map_err(|error| said("--only-domain", &error))?;
        }
        for domain in &self.refuse_domain {
            policy =
                policy.refuse_domain(domain).map_err(|error| said("--refuse-domain", &error))?;
        }
        for domain in &self.permit_domain {
            policy =
                policy.permit_domain(domain).map_err(|error| said("--permit-domain", &error))?;
        }
        policy = self.refuse_range.iter().fold(policy, |policy, range| policy.refuse_range(*range));
        policy = self.permit_range.iter().fold(policy, |policy, range| policy.permit_range(*range));
        for prefix in &self.nat64_prefix {
            policy = policy.nat64_prefix(*prefix).map_err(|_| {
                let message = "a prefix of IPv6 has 32, 40, 48, 56, 64 or 96 bits";
                said("--nat64-prefix", &message)
            })?;
        }
        Ok(policy)
    }

    /// Judges an item. The error says that the item is not an address.
    fn judge(&self, policy: &Policy, item: &[u8]) -> Result<Judged, ItemError> {
        if self.address {
            let text = std::str::from_utf8(item).ok();
            let address: Option<IpAddr> = text.and_then(|text| text.parse().ok());
            let address = address.ok_or_else(|| {
                let message = "this is not an IP address, such as 192.0.2.1 or 2001:db8::1";
                ItemError::whole("not-an-address", message, item)
            })?;
            return Ok(Judged::of_address(address, policy.judge_address(address), item));
        }
        match &self.redirect_from {
            None => Ok(Judged::of(&policy.judge_bytes(item), item, None)),
            Some(base) => {
                let redirect = policy.judge_redirect_bytes(item, base, self.redirect_number);
                Ok(Judged::of(redirect.verdict(), item, Some(redirect.keeps_credentials())))
            }
        }
    }
}

pub(crate) fn run(args: &JudgeArgs, out: &mut Outputs) -> Result<Outcome, Failure> {
    let policy = args.policy()?;
    let ended = if args.transform.json {
        objects(args, &policy, out)?
    } else {
        transform::total(&args.transform, Before::default(), out, |item, made: &mut Judged| {
            *made = args.judge(&policy, item)?;
            made.error(item).map_or(Ok(()), Err)
        })?
    };
    if !args.transform.json || summary::is_asked() {
        out.flush()?;
        let (items, passed, refused) =
            (ended.tally.records(), ended.tally.made, ended.tally.failed);
        let all = report::counted(items, "item");
        let counts = [("items", items), ("not_refused", passed), ("refused", refused)];
        let text = format!("{all}, {passed} not refused, {refused} refused");
        ended.summary(&text, &counts).print();
    }
    Ok(ended.outcome())
}

/// Prints an object with all reasons for every item.
fn objects(args: &JudgeArgs, policy: &Policy, out: &mut Outputs) -> io::Result<Ended> {
    let TransformArgs { input, limit, .. } = &args.transform;
    let print = |place: Place<'_>, item: &Item<'_>, sink: &mut Sink<'_>| {
        let (item, judged) = match item {
            Ok(item) => (&**item, args.judge(policy, item)),
            Err((raw, error)) => (*raw, Err(error.clone())),
        };
        let first = match &judged {
            Ok(judged) => judged.reasons.first().map(|reason| reason.kind),
            Err(error) => Some(error.kind),
        };
        sink.tally.count(first.is_some());
        first.into_iter().for_each(|kind| sink.tally.kinds.note(kind));
        let columns = Columns { names: &["input"], texts: &[item] };
        json::write_transformed(sink, place, columns, judged.as_ref().map_err(Clone::clone))
    };
    let options = Options { limit: *limit, ..Options::default() };
    pipe::run(input, &options, out, Beside::default(), &|| pipe::items(print))
}

/// The verdict about an item. Its text is the URL to send, or the address.
#[derive(Default, Serialize)]
struct Judged {
    decision: &'static str,
    reasons: Vec<Why>,
    scheme: Option<String>,
    host_by_rfc: Option<String>,
    host_by_whatwg: Option<String>,
    port: Option<u16>,
    address: Option<IpAddr>,
    url_to_send: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    keeps_credentials: Option<bool>,
}

/// A reason.
#[derive(Serialize)]
struct Why {
    /// The kind, and the range of an address.
    name: String,
    kind: &'static str,
    /// The name of the range of an address.
    range: Option<String>,
    message: String,
    start: usize,
    end: usize,
}

impl Why {
    /// Describes a reason. A reason without a place is about the whole item.
    fn of(reason: Reason, item: &[u8]) -> Self {
        let span = reason.span().unwrap_or(0..item.len());
        let range = reason.range().map(|range| range.to_string());
        let message = message(reason.kind(), reason.range());
        Self {
            name: reason.to_string(),
            kind: reason.kind().name(),
            range,
            message,
            start: span.start,
            end: span.end,
        }
    }
}

/// Returns the words about a reason.
fn message(kind: ReasonKind, range: Option<AddressRange>) -> String {
    match range {
        Some(range) => format!("the address is in {range} ({})", range.meaning()),
        None => kind.message().to_owned(),
    }
}

impl Judged {
    fn of(verdict: &Verdict, item: &[u8], keeps_credentials: Option<bool>) -> Self {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        Self {
            decision: verdict.decision().name(),
            reasons: verdict.reasons().iter().map(|reason| Why::of(*reason, item)).collect(),
            scheme: owned(verdict.scheme()),
            host_by_rfc: owned(verdict.host_by_rfc()),
            host_by_whatwg: owned(verdict.host_by_whatwg()),
            port: verdict.port(),
            address: verdict.address(),
            url_to_send: owned(verdict.url_to_send()),
            keeps_credentials,
        }
    }

    fn of_address(address: IpAddr, range: Option<AddressRange>, item: &[u8]) -> Self {
        let decision = if range.is_some() { Decision::Refuse } else { Decision::Allow };
        let kind = ReasonKind::Address;
        let reasons = range.map(|range| Why {
            name: format!("{kind} {range}"),
            kind: kind.name(),
            range: Some(range.to_string()),
            message: message(kind, Some(range)),
            start: 0,
            end: item.len(),
        });
        Self {
            decision: decision.name(),
            reasons: reasons.into_iter().collect(),
            address: Some(address),
            ..Self::default()
        }
    }

    /// Returns the error of an item that is refused: the place of the first reason, and the words of all reasons.
    fn error(&self, item: &[u8]) -> Option<ItemError> {
        let first = self.reasons.first()?;
        let words: Vec<_> = self.reasons.iter().map(|reason| reason.message.as_str()).collect();
        let message = Message::from(format!("refused: {}", words.join("; ")));
        let error = ItemError::whole(first.kind, message, item);
        Some(ItemError { start: first.start, end: first.end, ..error })
    }
}

impl ItemOutput for Judged {
    fn each_line(&self, write: &mut Line<'_>) -> io::Result<()> {
        match (&self.url_to_send, self.address) {
            (Some(url), _) => write(url.as_bytes()),
            (None, Some(address)) => write(address.to_string().as_bytes()),
            (None, None) => Ok(()),
        }
    }
}
