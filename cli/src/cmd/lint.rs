//! `iri lint`: reports what is risky or not preferred in items, and prints their preferred spelling.

use std::io::{self, IsTerminal, Write};
use std::ops::Range;
use std::slice;
use std::str::FromStr;

use clap::ValueEnum;
use simd_iri::check::{Code, Finding, Lint, Profile, Severity};
use simd_iri::{Cow, Error, IriRef, Rule, UriRef, View, kind};

use crate::args::input::InputArgs;
use crate::args::kind::Kind;
use crate::cmd::explain;
use crate::invariant::present;
use crate::io::{input, text};
use crate::item_error::ItemError;
use crate::output::report::{self, Outcome, Remark};
use crate::output::{json, screen};

const EXAMPLES: &str = "\
Examples:
  iri lint links.txt                                   report what is risky or not preferred
  iri lint --profile crawler --json links.txt          a JSON object for every line
  iri lint --deny spoof.mixed-script-label links.txt   exit code 1 for look-alikes
  iri lint --deny warnings --ignore preferred links.txt  exit code 1 for warnings, too
  iri lint --only bidi,spoof links.txt                 check direction and misleading text only
  iri lint --fix links.txt > fixed.txt                 print the references in preferred form";

/// Report what is risky or not preferred in valid items
///
/// Checks the direction of text, look-alikes, the rules of schemes, and spelling. Prints
/// `FILE:LINE:COLUMN: SEVERITY[CODE]: MESSAGE` for every finding, and a summary on standard error. An
/// invalid item is an error with a code that begins with syntax. Only errors make the exit code 1.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct LintArgs {
    #[command(flatten)]
    input: InputArgs,

    /// The kind that every item must be; in URIs, encoded characters outside ASCII are not reported
    #[arg(long = "as", value_name = "KIND", value_enum, default_value_t = Kind::IriReference)]
    kind: Kind,

    /// The profile, which decides what is reported and with which severity
    #[arg(long, value_enum, default_value_t = LintProfile::Rfc)]
    profile: LintProfile,

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
    #[arg(long, group = "output")]
    fix: bool,

    /// Like --fix, and also apply suggestions that change the reference: normal forms, IPv4 addresses
    #[arg(long, group = "output")]
    fix_all: bool,

    /// Print a JSON object for every item, one a line, for items without a finding too
    #[arg(long, group = "output")]
    json: bool,
}

/// The codes that an argument names: one, or all of a check.
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

/// The purpose for which items are checked.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum LintProfile {
    /// What the RFCs say
    Rfc,
    /// Names in RDF, which are compared character by character
    Rdf,
    /// The formats of JSON Schema: little more than the grammar
    JsonSchema,
    /// Links that other people wrote
    Crawler,
    /// Every code
    Strict,
}

impl From<LintProfile> for Profile {
    fn from(profile: LintProfile) -> Self {
        match profile {
            LintProfile::Rfc => Self::Rfc,
            LintProfile::Rdf => Self::Rdf,
            LintProfile::JsonSchema => Self::JsonSchema,
            LintProfile::Crawler => Self::Crawler,
            LintProfile::Strict => Self::Strict,
        }
    }
}

pub(crate) fn run(args: &LintArgs, out: &mut impl Write) -> io::Result<Outcome> {
    let rule = Rule::from(args.kind);
    let lint = Lint::new(args.profile.into()).divided(args.divided);
    let lint =
        Code::ALL.iter().fold(lint, |lint, code| lint.severity(*code, severity(args, *code)));
    let linter = Linter { args, lint };
    let terminal = io::stdout().is_terminal();
    let excerpt = terminal.then(screen::stdout_width);
    let mut counts = Counts::default();
    let complete = input::for_each(&args.input, out, |out, place, item| {
        let result = rule.parse_bytes(item).and_then(|_| {
            if args.kind.is_uri() {
                UriRef::parse_bytes(item).and_then(|view| linter.lint_valid(view))
            } else {
                IriRef::parse_bytes(item).and_then(|view| linter.lint_valid(view))
            }
        });
        let Linted { fixed, findings, error } = match result {
            Ok(linted) => linted,
            Err(error) => linter.lint_invalid(item, error),
        };
        let error =
            error.map(|error| text::ill_formed(place, item).unwrap_or_else(|| error.into()));
        counts.add(error.is_some(), &findings);
        if counts.errors > 0 {
            Outcome::SomeInvalid.record();
        }
        if args.json {
            return json::write_linted(out, place, item, error, &findings);
        }
        let shown = fixed.as_ref().map_or(item, String::as_bytes);
        let findings = findings.into_iter().map(|finding| finding_remark(shown, finding));
        let mut remarks: Vec<_> = error.map(error_remark).into_iter().chain(findings).collect();
        remarks.sort_by_key(|remark| remark.start);
        if !(args.fix || args.fix_all) {
            return report::write_remarks(out, place, item, remarks, excerpt);
        }
        place.write_item(out, shown, terminal)?;
        out.write_all(&[args.input.separator()])?;
        if remarks.is_empty() {
            Ok(())
        } else {
            report::remarks_to_stderr(out, place, shown, remarks)
        }
    })?;
    if !args.json {
        // The reports come before the summary, even if both go to the same file.
        out.flush()?;
        counts.print_summary();
    }
    Ok(Outcome::new(complete, counts.errors))
}

/// Returns the severity of a code by the arguments; `None` if it is not reported.
fn severity(args: &LintArgs, code: Code) -> Option<Severity> {
    let of_profile = code.severity(args.profile.into());
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
    lint: Lint,
}

/// The result of linting an item. The findings are those of the fixed text, if there is one.
#[derive(Default)]
struct Linted {
    fixed: Option<String>,
    findings: Vec<Finding>,
    error: Option<Error>,
}

impl Linter<'_> {
    fn lint_valid<K: kind::Kind>(&self, view: View<'_, K>) -> Result<Linted, Error> {
        let fixed = match (self.args.fix, self.args.fix_all) {
            (true, _) => self.lint.fix(view)?,
            (_, true) => self.lint.fix_all(view)?,
            _ => Cow::Borrowed(view),
        };
        let findings = self.lint.report(fixed.view()).into_iter().collect();
        let fixed = (!fixed.is_borrowed()).then(|| fixed.into_buf().into_string());
        Ok(Linted { fixed, findings, error: None })
    }

    fn lint_invalid(&self, item: &[u8], error: Error) -> Linted {
        let mut findings = Vec::new();
        // Bytes that are not UTF-8 have no findings.
        let text = std::str::from_utf8(item).unwrap_or_default();
        self.lint.each_of_invalid(text, |finding| findings.push(finding));
        Linted { findings, error: Some(error), ..Linted::default() }
    }
}

/// Returns the remark about a finding in an item.
fn finding_remark(item: &[u8], finding: Finding) -> Remark {
    let Range { start, end } = finding.span();
    let label = format!("{}[{}]", finding.severity().name(), finding.code());
    let mut message = finding.to_string();
    let text = present(item.get(start..end).and_then(|text| std::str::from_utf8(text).ok()));
    let charsets = json::charsets(finding, text);
    if !charsets.is_empty() {
        message += &format!("; letters in {}", charsets.join(", "));
    }
    Remark { start, end, label, message }
}

/// Returns the remark about the error of an invalid item.
fn error_remark(error: ItemError) -> Remark {
    let label = format!("error[syntax.{}]", error.kind);
    Remark { label, ..error.into() }
}

/// The number of items, and of findings of each severity.
#[derive(Default)]
struct Counts {
    items: u64,
    errors: u64,
    warnings: u64,
    notes: u64,
}

impl Counts {
    fn add(&mut self, is_invalid: bool, findings: &[Finding]) {
        self.items += 1;
        self.errors += u64::from(is_invalid);
        for finding in findings {
            *match finding.severity() {
                Severity::Error => &mut self.errors,
                Severity::Warning => &mut self.warnings,
                Severity::Note => &mut self.notes,
            } += 1;
        }
    }

    fn print_summary(&self) {
        let Self { items, errors, warnings, notes } = self;
        let items = report::items(*items);
        report::print_message(format_args!(
            "{items}, {errors} error{}, {warnings} warning{}, {notes} note{}",
            plural(*errors),
            plural(*warnings),
            plural(*notes),
        ));
    }
}

fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}
