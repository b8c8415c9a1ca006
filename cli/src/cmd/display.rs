//! `iri display`: prints references as people read them best (RFC 3987, section 7.6; UTS #58).

use std::io;

use clap::ValueEnum;
use serde::Serialize;
use simd_iri::IriRef;
use simd_iri_lint::DisplayPolicy;
use simd_iri_lint::{DisplayIri, DisplayUts58};

use crate::args::named::named;
use crate::args::transform::TransformArgs;
use crate::io::files::Outputs;
use crate::output::report::{Failure, Outcome};
use crate::transform::{self, ItemOutput, Line, Text};

const EXAMPLES: &str = "\
Examples:
  iri display -i https://xn--bcher-kva.example/%C3%A9%20  print https://bücher.example/é%20
  iri display --form uts58 -i https://a.example/%5B1%5D.  print https://a.example/[1]%2E
  iri display --policy chromium -i http://tᴡitter.com/     print http://xn--titter-345b.com/
  iri display --policy chromium --rule -i http://аст.com/   print whole-script";

/// Print references as people read them best
///
/// Prints IRIs, or with --form uts58 text that need not be an IRI. Invisible characters are percent-encoded. A
/// component or a value of a query that is not UTF-8 stays as it is written. A label of a host that misleads is
/// printed as its A-label.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DisplayArgs {
    #[command(flatten)]
    pub(super) transform: TransformArgs,

    /// The form of the output
    #[arg(long, value_enum, default_value_t = Form::Iri)]
    form: Form,

    /// With --form uts58: more text of the link follows, so do not escape the last character
    #[arg(long)]
    medial: bool,

    /// Show a label of a host in Unicode if this browser does, and otherwise as its A-label; --json has the rule that
    /// decides
    #[arg(long, value_name = "BROWSER", value_parser = named([
        (DisplayPolicy::Chromium, "Chromium of 2026, without its list of the most visited domains"),
        (DisplayPolicy::Firefox, "Firefox of 2025"),
    ]))]
    policy: Option<DisplayPolicy>,

    /// With --policy: print the rule by which the browser shows an A-label, or 'unicode' if it shows none
    #[arg(long, requires = "policy")]
    rule: bool,
}

/// A reference as it is displayed, and with a policy the rule that decides about its host.
#[derive(Default, Serialize)]
struct Displayed {
    #[serde(flatten)]
    text: Text,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<Option<&'static str>>,
}

impl ItemOutput for Displayed {
    fn is_item(&self) -> bool {
        self.text.is_item()
    }

    fn complete(&mut self, item: &[u8]) {
        self.text.complete(item);
    }

    fn each_line(&self, write: &mut Line<'_>) -> io::Result<()> {
        self.text.each_line(write)
    }
}

/// The form in which a reference is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Form {
    /// The most readable IRI
    Iri,
    /// Text with as few escapes as link detection by UTS #58 allows
    Uts58,
}

pub(crate) fn run(args: &DisplayArgs, out: &mut Outputs) -> Result<Outcome, Failure> {
    if args.medial && args.form == Form::Iri {
        return Err("display: --medial needs --form uts58".into());
    }
    if args.policy.is_some() && args.form == Form::Uts58 {
        return Err("display: --policy needs --form iri".into());
    }
    let policy = args.policy;
    let (iri, text) = (DisplayIri::new(), DisplayUts58::new().medial(args.medial));
    let iri = policy.map_or(iri, |policy| iri.policy(policy));
    transform::run(&args.transform, out, |item, made: &mut Displayed| {
        let reference = IriRef::parse_bytes(item)?;
        let host = reference.host_str().unwrap_or_default();
        let rule = policy.map(|policy| policy.judge(host).rule().map(|rule| rule.name()));
        made.rule = rule;
        match args.form {
            Form::Iri if args.rule => {
                made.text.set_text(Some(rule.flatten().unwrap_or("unicode").to_owned()));
            }
            Form::Iri => made.text.set(iri.map(reference)?, true),
            Form::Uts58 => text.map_into(reference, &mut made.text.output),
        }
        Ok(())
    })
}
