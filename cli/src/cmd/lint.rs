//! `iri lint`: reports what is risky or not preferred in items, and prints their preferred spelling.

use std::io::{self, Write};
use std::ops::Range;
use std::slice;
use std::str::FromStr;

use clap::builder::TypedValueParser;
use encoding_rs::Encoding;
use serde::Serialize;
use simd_iri::batch::{Batch, Separated};
use simd_iri::{Error, IriRef, Mapped, Rule, UriRef, View, kind};
use simd_iri_lint::{Code, Finding, Lint, Profile, Severity};

use crate::args::keep::Keep;
use crate::args::kind as item_kind;
use crate::args::named::named;
use crate::args::transform::TransformArgs;
use crate::cmd::explain;
use crate::format::Record;
use crate::invariant::present;
use crate::io::files::Outputs;
use crate::io::text;
use crate::item_error::{ItemError, Message};
use crate::output::report::{self, Failure, Label, Outcome, Place, Remark, Style, Verbosity};
use crate::output::{json, screen, summary};
use crate::pipe::block::Block;
use crate::pipe::sink::Sink;
use crate::pipe::tally::Tally;
use crate::pipe::{self, Beside, Ended, Item, Options, Worker};
use crate::transform::{self, Before, ItemOutput, Line, Text};

const EXAMPLES: &str = "\
Examples:
  iri lint links.txt                                   report what is risky or not preferred
  iri lint --profile crawler --json links.txt          a JSON object for every line
  iri lint --deny spoof.mixed-script-label links.txt   exit code 1 for look-alikes
  iri lint --deny warnings --ignore preferred links.txt  exit code 1 for warnings, too
  iri lint --only bidi,spoof links.txt                 check direction and misleading text only
  iri lint --fix links.txt > fixed.txt                 print the references in preferred form
  iri lint --fix --in-place notes.md                   write the preferred form of its links to the file";

/// Report what is risky or not preferred in valid items
///
/// Checks the direction of text, look-alikes, the rules of schemes, and spelling. Prints
/// `FILE:LINE:COLUMN: SEVERITY[CODE]: MESSAGE` for every finding, and a summary on standard error. An
/// invalid item is an error with a code that begins with syntax. Only errors make the exit code 1.
///
/// With --fix, an invalid item stays as it is, unless --keep or --errors says otherwise.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct LintArgs {
    #[command(flatten)]
    pub(super) transform: TransformArgs,

    /// The kind that every item must be; in URIs, encoded characters outside ASCII are not reported
    #[arg(long = "as", value_name = "KIND", value_parser = item_kind::kind(), default_value = "iri-reference")]
    kind: Rule,

    /// The profile, which decides what is reported and with which severity
    #[arg(long, value_parser = profile(), default_value_t = Profile::Rfc)]
    profile: Profile,

    /// Codes to report as errors, whatever the profile says; the word warnings stands for all warnings
    ///
    /// A code is a name that iri explain lists. The word before its dot stands for all codes of that
    /// check. Separate several codes by commas, or repeat the option.
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    deny: Vec<Denied>,

    /// The only codes to report, whatever the profile says; invalid items are still errors
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    only: Vec<Codes>,

    /// Codes not to report, whatever the other options say
    #[arg(long, visible_alias = "allow", value_name = "CODE", value_delimiter = ',')]
    ignore: Vec<Codes>,

    /// Check the direction of labels, of path parts between dots, and of query names and values separately
    #[arg(long)]
    divided: bool,

    /// Print every item with the suggestions applied that keep its meaning; remaining findings go to
    /// standard error
    #[arg(long, conflicts_with_all = ["fix_all", "json"])]
    fix: bool,

    /// Like --fix, and also apply suggestions that change the reference: normal forms, IPv4 addresses
    #[arg(long, conflicts_with = "json")]
    fix_all: bool,
}

/// The codes that an argument names: one code, or all codes of a check.
#[derive(Clone, Debug)]
struct Codes(Vec<Code>);

impl Codes {
    /// Tells whether one of the arguments names a code.
    fn name(all: &[Self], code: Code) -> bool {
        all.iter().any(|codes| codes.0.contains(&code))
    }
}

impl FromStr for Codes {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let check = |code: &Code| code.name().split('.').next() == Some(name);
        let codes: Vec<_> =
            Code::ALL.iter().copied().filter(|code| code.name() == name || check(code)).collect();
        if codes.is_empty() { Err(explain::unknown(name)) } else { Ok(Self(codes)) }
    }
}

/// The codes that `--deny` makes errors.
#[derive(Clone, Debug)]
enum Denied {
    /// All codes that are warnings otherwise.
    Warnings,
    Codes(Codes),
}

impl FromStr for Denied {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        if name == "warnings" { Ok(Self::Warnings) } else { name.parse().map(Self::Codes) }
    }
}

/// Reads the purpose for which items are checked.
fn profile() -> impl TypedValueParser<Value = Profile> {
    named([
        (Profile::Rfc, "What the RFCs say"),
        (Profile::Rdf, "Names in RDF, which are compared character by character"),
        (Profile::JsonSchema, "The formats of JSON Schema: little more than the grammar"),
        (Profile::Crawler, "Links that other people wrote"),
        (Profile::Strict, "Every code"),
    ])
}

pub(crate) fn run(args: &LintArgs, out: &mut Outputs) -> Result<Outcome, Failure> {
    let rule = args.kind;
    let lint = Lint::new(args.profile).divided(args.divided);
    let lint =
        Code::ALL.iter().fold(lint, |lint, code| lint.severity(*code, severity(args, *code)));
    let terminal = out.is_terminal();
    let style = Style::new(terminal.then(screen::stdout_width));
    let linter = &Linter { args, rule, lint, style };
    if args.fix || args.fix_all {
        return linter.fix_all(out);
    }
    let option = args.transform.of_results().or(args.transform.keep.map(|_| "--keep"));
    if let Some(option) = option {
        return Err(format!("lint: {option} needs a result for each item; add --fix").into());
    }
    let TransformArgs { input, json, limit, .. } = &args.transform;
    let has_limit = limit.failures() != u64::MAX;
    let worker = || -> Worker<'_> {
        let mut record = Record::default();
        Box::new(move |block, sink| match block.lines().filter(|_| !json && !has_limit) {
            Some(lines) => linter.lines(lines, block, sink),
            None => pipe::each_item(&mut record, block, sink, |place, item, sink| {
                linter.report(place, item, sink)
            }),
        })
    };
    let options = Options { limit: *limit, ..Options::default() };
    let ended = pipe::run(input, &options, out, Beside::default(), &worker)?;
    if !json || summary::is_asked() {
        // The output is flushed, so that the reports come before the summary even if both go to the same file.
        out.flush()?;
        print_summary(&ended);
    }
    Ok(ended.outcome())
}

/// Returns the severity of a code by the arguments; `None` if it is not reported.
fn severity(args: &LintArgs, code: Code) -> Option<Severity> {
    let of_profile = code.severity(args.profile);
    let severity = if args.only.is_empty() {
        of_profile
    } else if Codes::name(&args.only, code) {
        // `--only` reports a code even if the profile does not.
        of_profile.or(code.severity(Profile::Strict)).or(Some(Severity::Warning))
    } else {
        None
    };
    let is_denied = args.deny.iter().any(|denied| match denied {
        Denied::Warnings => severity == Some(Severity::Warning),
        Denied::Codes(codes) => Codes::name(slice::from_ref(codes), code),
    });
    match Codes::name(&args.ignore, code) {
        true => None,
        false if is_denied => Some(Severity::Error),
        false => severity,
    }
}

/// Lints items.
struct Linter<'a> {
    args: &'a LintArgs,
    rule: Rule,
    lint: Lint,
    /// How remarks are shown.
    style: Style,
}

/// The result of linting an item. If there is a fixed text, the findings are about the fixed text.
#[derive(Default)]
struct Linted {
    fixed: Option<String>,
    findings: Vec<Finding>,
    error: Option<ItemError>,
}

impl Linter<'_> {
    /// Reports the error and the findings of an item.
    fn report(&self, place: Place<'_>, item: &Item<'_>, sink: &mut Sink<'_>) -> io::Result<()> {
        let (item, Linted { findings, error, .. }) = match item {
            Ok(item) => (&**item, self.lint(place.charset, item)),
            Err((raw, error)) => (*raw, Linted { error: Some(error.clone()), ..Linted::default() }),
        };
        sink.tally.count(error.is_some());
        if let Some(error) = &error {
            sink.tally.kinds.note(error.kind);
        }
        count(&findings, &mut sink.tally);
        if findings.is_empty() && error.is_none() && !self.args.transform.json {
            return Ok(());
        }
        if self.args.transform.json {
            return json::write_linted(sink, place, item, error, &findings);
        }
        if !report::says(Verbosity::Usual) {
            return Ok(());
        }
        sink.append(|out| {
            report::append_remarks(out, place, item, remarks(item, findings, error), self.style)
        })
    }

    /// Reports the errors and the findings of lines. A batch leaves out lines that certainly have none.
    ///
    /// PERF: of the files of `benches/pipeline`, a batch leaves out 64 of 100 lines.
    fn lines(
        &self,
        (lines, separator): (Separated<'_>, u8),
        block: &Block,
        sink: &mut Sink<'_>,
    ) -> io::Result<()> {
        let (mut position, mut others) = (block.start(), 0);
        for item in self.lint.not_quiet(Batch::new(self.rule), lines) {
            others += 1;
            let place = block.place(&mut position, block.offset_of(item));
            self.report(place, &Ok(item.into()), sink)?;
        }
        sink.tally.made += block.count_lines(separator) - others;
        Ok(())
    }

    /// Prints the records with fixed addresses. Remaining findings go to standard error.
    fn fix_all(&self, out: &mut Outputs) -> Result<Outcome, Failure> {
        let mut transform = self.args.transform.clone();
        if transform.output.errors.is_none() {
            transform.keep = transform.keep.or(Some(Keep::Input));
        }
        let ended =
            transform::total(&transform, Before::default(), out, |item, made: &mut Fixed| {
                let Linted { fixed, findings, error } = self.lint(None, item);
                match error {
                    None => {
                        made.text.set_text(fixed);
                        made.findings = findings;
                        Ok(())
                    }
                    Some(error) => {
                        made.of_invalid = findings;
                        Err(error)
                    }
                }
            })?;
        out.flush()?;
        print_summary(&ended);
        Ok(ended.outcome())
    }

    /// Lints an item.
    fn lint(&self, charset: Option<&'static Encoding>, item: &[u8]) -> Linted {
        let kind = self.args.kind;
        let result =
            IriRef::parse_as_bytes(kind, item).and_then(|view| match item_kind::is_uri(kind) {
                true => self.lint_valid(UriRef::try_from(view)?),
                false => self.lint_valid(view),
            });
        result.unwrap_or_else(|error| {
            let error = text::ill_formed(charset, item).unwrap_or_else(|| error.into());
            self.lint_invalid(item, error)
        })
    }

    fn lint_valid<K: kind::Kind>(&self, view: View<'_, K>) -> Result<Linted, Error> {
        let fixed = match (self.args.fix, self.args.fix_all) {
            (true, _) => self.lint.fix(view)?,
            (_, true) => self.lint.fix_all(view)?,
            _ => Mapped::Borrowed(view),
        };
        let findings = self.lint.report(fixed.view()).into_iter().collect();
        let fixed = (!fixed.is_borrowed()).then(|| fixed.into_owned().into_string());
        Ok(Linted { fixed, findings, error: None })
    }

    fn lint_invalid(&self, item: &[u8], error: ItemError) -> Linted {
        let mut findings = Vec::new();
        // An item that is not UTF-8 does not have findings.
        let text = std::str::from_utf8(item).unwrap_or_default();
        self.lint.each_of_invalid(text, |finding| findings.push(finding));
        Linted { findings, error: Some(error), ..Linted::default() }
    }
}

/// A fixed item, and the findings that remain.
#[derive(Default, Serialize)]
struct Fixed {
    #[serde(flatten)]
    text: Text,
    #[serde(skip)]
    findings: Vec<Finding>,
    /// The findings of the last item, if the item is invalid.
    #[serde(skip)]
    of_invalid: Vec<Finding>,
}

impl ItemOutput for Fixed {
    fn is_item(&self) -> bool {
        self.text.is_item()
    }

    fn complete(&mut self, item: &[u8]) {
        self.text.complete(item);
    }

    fn each_line(&self, write: &mut Line<'_>) -> io::Result<()> {
        self.text.each_line(write)
    }

    fn remarks(&self, item: &[u8]) -> Vec<Remark> {
        remarks(self.remarked(item), self.findings.clone(), None)
    }

    fn remarked<'a>(&'a self, item: &'a [u8]) -> &'a [u8] {
        if self.text.is_item() { item } else { self.text.output.as_bytes() }
    }

    fn count(&self, tally: &mut Tally) {
        count(&self.findings, tally);
    }

    fn failure(&mut self, item: &[u8], error: &ItemError, tally: &mut Tally) -> Vec<Remark> {
        let findings = std::mem::take(&mut self.of_invalid);
        count(&findings, tally);
        remarks(item, findings, Some(error.clone()))
    }
}

/// Counts findings by their severities and by their codes.
fn count(findings: &[Finding], tally: &mut Tally) {
    for finding in findings {
        let [errors, warnings, notes] = &mut tally.found;
        *match finding.severity() {
            Severity::Error => errors,
            Severity::Warning => warnings,
            _ => notes,
        } += 1;
        tally.kinds.note(finding.code().name());
    }
}

/// Returns the remarks about an item, in the order of their positions.
fn remarks(item: &[u8], findings: Vec<Finding>, error: Option<ItemError>) -> Vec<Remark> {
    let findings = findings.into_iter().map(|finding| finding_remark(item, finding));
    let mut remarks: Vec<_> = error.map(error_remark).into_iter().chain(findings).collect();
    remarks.sort_by_key(|remark| remark.start);
    remarks
}

/// Returns the remark about a finding in an item.
fn finding_remark(item: &[u8], finding: Finding) -> Remark {
    let Range { start, end } = finding.span();
    let severity = finding.severity().name();
    let label = Label { severity, check: "", code: finding.code().name() };
    let mut message = Message::Finding(finding);
    if finding.code() == Code::SpoofLegacy {
        let text = present(item.get(start..end).and_then(|text| std::str::from_utf8(text).ok()));
        let charsets = json::charsets(finding, text);
        if !charsets.is_empty() {
            message =
                Message::made(move |f| write!(f, "{finding}; letters in {}", charsets.join(", ")));
        }
    }
    Remark { start, end, label, of: None, message }
}

/// Returns the remark about the error of an invalid item.
fn error_remark(error: ItemError) -> Remark {
    let label = Label { severity: "error", check: "syntax.", code: error.kind };
    Remark { label, ..error.into() }
}

fn print_summary(ended: &Ended) {
    let [_, warnings, notes] = ended.tally.found;
    let (items, errors) = (ended.tally.records(), ended.tally.failed());
    let [all, wrong, risky, noted] =
        [(items, "item"), (errors, "error"), (warnings, "warning"), (notes, "note")]
            .map(|(count, name)| report::counted(count, name));
    let counts = [("items", items), ("errors", errors), ("warnings", warnings), ("notes", notes)];
    ended.summary(&format!("{all}, {wrong}, {risky}, {noted}"), &counts).print();
}
