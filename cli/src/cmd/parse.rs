//! `iri parse`: takes items apart, and shows the parts as a picture, as JSON or by a template.

use std::io::{self, IsTerminal, Write};
use std::str;

use simd_iri::{Error, Host, IriRef, Rule};

use crate::args::ParseArgs;
use crate::fault::Fault;
use crate::io::input;
use crate::output::report::{self, Outcome};
use crate::output::{json, picture, screen};

pub(crate) fn run(args: &ParseArgs, out: &mut impl Write) -> io::Result<Outcome> {
    let rule = Rule::from(args.kind);
    let terminal = io::stdout().is_terminal();
    let width = terminal.then(screen::stdout_width);
    let mut invalid = 0;
    let complete = input::for_each(&args.input, out, |out, place, item| {
        let parsed = match place.ill_formed(item) {
            Some(fault) => Err(fault),
            None => parse(rule, item).map_err(Fault::from),
        };
        if parsed.is_err() {
            invalid += 1;
            Outcome::SomeInvalid.note();
        }
        if args.json {
            return json::write_parsed(out, place, item, parsed);
        }
        match (parsed, &args.get) {
            (Ok(iri), Some(template)) => {
                template.write(out, iri, terminal)?;
                out.write_all(&[args.input.separator()])
            }
            (Ok(iri), None) => picture::write(out, iri, width),
            (Err(fault), Some(_)) => {
                if let Some(keep) = args.keep {
                    place.write_item(out, keep.text(item), terminal)?;
                    out.write_all(&[args.input.separator()])?;
                }
                report::aside(out, place, item, [fault])
            }
            (Err(fault), None) => {
                let width = width.unwrap_or(screen::USUAL);
                report::remark(out, place, item, [fault], Some(width))?;
                writeln!(out)
            }
        }
    })?;
    Ok(Outcome::new(complete, invalid))
}

/// Parses an item by any rule. The type promises no more than `IRI-reference`, which all allow.
fn parse(rule: Rule, item: &[u8]) -> Result<IriRef<'_>, Error> {
    // What is not UTF-8 matches no rule: the empty text is never taken.
    let text = std::str::from_utf8(item).or_else(|_| rule.parse_bytes(item).map(|_| ""))?;
    IriRef::parse_as(rule, text)
}

/// The name of a kind of host, as JSON and templates have it.
pub(crate) fn host_kind(host: Host<'_>) -> &'static str {
    match host {
        Host::Ipv4(_) => "ipv4",
        Host::Ipv6(_) => "ipv6",
        Host::IpvFuture(_) => "ipvfuture",
        Host::RegName(_) => "reg-name",
    }
}
