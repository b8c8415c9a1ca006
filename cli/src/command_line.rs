//! Reads the command line, and prints help and errors of the arguments. Not here: the arguments of the
//! commands, which are in `cmd` and `args`.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser};

use crate::cmd::Command;
use crate::output::color::{self, When};
use crate::output::report::{self, Outcome, Verbosity};
use crate::output::secrets;
use crate::output::summary::{self, SummaryForm};

const EXIT_CODES: &str = "\
Exit codes:
  0  no item has an error
  1  some item has an error; iri stats counts such items, and ends with 0
  2  a file cannot be read, or the arguments are wrong
If the reader of the output stops early, as in iri check links.txt | head, the exit code covers the
items that were read until then. iri compare A B has its own exit codes: see iri compare --help.";

/// Works with Internationalized Resource Identifiers (RFC 3987) and URIs (RFC 3986)
///
/// Checks them, takes them apart, maps one to the other, normalizes, compares, resolves, repairs and
/// displays them, and finds links in text. Items are lines of files or of standard input, or
/// arguments after -i.
#[derive(Debug, Parser)]
#[command(name = "iri", version, after_help = EXIT_CODES)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Do not report errors of records, and print no summary; with -v, print the summary alone
    #[arg(short, long, global = true)]
    quiet: bool,

    /// Say how each file is read, and always print a summary
    #[arg(short, long, global = true)]
    verbose: bool,

    /// The form of the summary, which is printed even if no record failed
    #[arg(long, global = true, value_name = "FORM", value_enum)]
    pub(crate) summary: Option<SummaryForm>,

    /// Write to this file; a name that ends in .gz, .zst, .bz2 or .xz is compressed
    ///
    /// The file gets its name when the run is complete. Until then, and if the run does not end, the old file stays. What
    /// an incomplete run made is then in FILE.partial. A device or a named pipe is written directly, and - is standard
    /// output.
    #[arg(help_heading = "Output", short = 'o', long, global = true, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// When labels have colors
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = When::Auto)]
    color: When,
}

impl Args {
    /// Reads the arguments of the program.
    ///
    /// # Errors
    /// Wrong arguments, and arguments that ask for help or for the version.
    pub(crate) fn read() -> Result<Self, clap::Error> {
        let args = Self::try_parse_from(joined(std::env::args_os()))?;
        report::set_verbosity(match (args.quiet, args.verbose) {
            (true, false) if args.summary.is_none() => Verbosity::Quiet,
            (true, _) => Verbosity::Summary,
            (false, true) => Verbosity::Verbose,
            (false, false) => Verbosity::Usual,
        });
        summary::set(args.summary);
        color::set(args.color);
        Ok(args)
    }
}

/// Joins `-i` and its first value, as in `--item=--x`, if that value begins with a hyphen. Otherwise clap
/// would take the value for an option. Later values of `-i` that begin with a hyphen are options.
fn joined(args: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut joined: Vec<OsString> = Vec::new();
    let mut is_option = true;
    for arg in args {
        let after_item = joined.last().is_some_and(|last| last == "-i" || last == "--item");
        if is_option && after_item && arg.as_encoded_bytes().starts_with(b"-") {
            joined.pop();
            let mut whole = OsString::from("--item=");
            whole.push(arg);
            joined.push(whole);
            continue;
        }
        is_option &= arg != "--";
        joined.push(arg);
    }
    joined
}

/// Prints the help or the version, or reports an error of the arguments.
///
/// # Errors
/// The output cannot be written.
pub(crate) fn explain(mut message: clap::Error, out: &mut impl Write) -> io::Result<Outcome> {
    let advice = advice(&message);
    if advice.is_some() {
        // The advice is better than the options of a similar name that clap suggests.
        message.remove(ContextKind::Suggested);
        message.remove(ContextKind::SuggestedArg);
        message.remove(ContextKind::SuggestedSubcommand);
        message.remove(ContextKind::TrailingArg);
    }
    let mut text = message.render().to_string();
    if !message.use_stderr() {
        out.write_all(text.as_bytes())?;
        return Ok(Outcome::AllValid);
    }
    if let Some(advice) = advice {
        text = format!("{}\n\n  tip: {advice}\n", text.trim_end());
    }
    // The message quotes arguments, which may hold any character and any secret.
    report::to_stderr(secrets::message(&text).as_bytes());
    Ok(Outcome::Refused)
}

/// What to use instead of an option that has no meaning for a command: commands, options, and the advice.
const ADVICE: [(&[&str], &[&str], &str); 9] = [
    (&["check"], &["--keep"], "--valid and --invalid say which records are printed"),
    (
        &["check"],
        &["--in-place"],
        "iri check --valid -o NEW FILE writes the valid records to another file",
    ),
    (
        &["check", "dedup", "join"],
        &["--to", "--add"],
        "iri normalize writes records in another format, or with a new field",
    ),
    (
        &["dedup", "join"],
        &["--json"],
        "iri parse --json prints an object for each record; give it the output",
    ),
    (&["join"], &["--in-place"], "join reads two inputs; -o writes the records to another file"),
    (
        &["stats"],
        &["--errors", "--keep", "--fail-fast", "--max-errors"],
        "iri check --errors FILE writes the records that stats counts as errors to a file",
    ),
    (
        &["stats"],
        &["--to", "--add", "--in-place"],
        "stats prints counts, with --json as JSON; iri normalize writes records",
    ),
    (
        &["extract"],
        &["--to", "--add", "--in-place", "--errors", "--keep", "--fail-fast", "--max-errors"],
        "--broken prints what is invalid; iri normalize --from html or --from markdown changes the links of a page",
    ),
    (
        &["extract"],
        &["--links"],
        "iri normalize --from warc --links reads the links of the pages in an archive",
    ),
];

/// The names under which people look for a command, in lower case without hyphens and underscores.
const OTHER_NAMES: [(&str, &[&str]); 22] = [
    ("archive-key", &["surt", "key"]),
    ("build", &["compose", "make", "new", "create"]),
    ("cdxj", &["index", "cdx", "warc"]),
    ("check", &["validate", "validation", "valid", "isvalid", "verify", "test"]),
    ("compare", &["equal", "equals", "equivalent", "same", "eq"]),
    ("decode", &["urldecode", "percentdecode", "unquote", "decodeuricomponent"]),
    ("dedup", &["uniq", "unique", "distinct"]),
    ("display", &["show", "pretty", "print"]),
    ("encode", &["urlencode", "percentencode", "percent", "quote", "encodeuricomponent"]),
    ("extract", &["find", "grep", "search", "links", "linkify", "urls"]),
    ("file", &["filename", "path", "fromfile", "tofile"]),
    ("host", &["idna", "idn", "punycode", "toascii", "tounicode"]),
    ("interpret", &["charset", "sniff"]),
    ("join", &["intersect", "except", "difference", "antijoin"]),
    ("judge", &["ssrf", "guard", "allow", "safe"]),
    (
        "normalize",
        &["canonicalize", "canonicalise", "canonical", "canon", "convert", "sort", "set"],
    ),
    ("parse", &["split", "components", "parts", "get", "cut"]),
    ("prepare", &["fix", "repair", "clean", "sanitize", "sanitise", "unwrap", "safelinks"]),
    ("redact", &["mask", "anonymize", "anonymise", "scrub", "censor", "secrets"]),
    ("relativize", &["relative", "torelative"]),
    ("resolve", &["absolute", "absolutize", "toabsolute", "urljoin"]),
    ("stats", &["count", "summary", "summarize", "histogram", "top", "freq", "wc"]),
];

/// Returns what to use instead of an option or a command that does not exist. `None` leaves the advice to clap.
fn advice(message: &clap::Error) -> Option<String> {
    match message.kind() {
        ErrorKind::UnknownArgument => other_option(message),
        ErrorKind::InvalidSubcommand => other_command(message),
        _ => None,
    }
}

/// Returns the command that has another name than the one that was typed.
fn other_command(message: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(typed)) = message.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    // The names within a command, such as those of `template`, are its own.
    let program = Args::command();
    let mut before = std::env::args_os().skip(1).take_while(|arg| **arg != **typed);
    if before.any(|arg| program.find_subcommand(arg).is_some()) {
        return None;
    }
    let name = typed.replace(['-', '_'], "").to_ascii_lowercase();
    let (command, _) = OTHER_NAMES.iter().find(|(_, names)| names.contains(&&*name))?;
    Some(format!("the command for this is '{command}'; 'iri --help' lists all"))
}

/// Tells whether two words differ as after a slip of a finger: by one letter, or by two letters that changed places.
fn is_slip(typed: &str, meant: &str) -> bool {
    let (typed, meant) = (typed.as_bytes(), meant.as_bytes());
    let same = typed.iter().zip(meant).take_while(|(a, b)| a == b).count();
    let (typed, meant) = (typed.get(same..), meant.get(same..));
    let (typed, meant) = (typed.unwrap_or_default(), meant.unwrap_or_default());
    let ends = typed.iter().rev().zip(meant.iter().rev());
    let same = ends.take_while(|(a, b)| a == b).count();
    let typed = typed.get(..typed.len().saturating_sub(same)).unwrap_or_default();
    let meant = meant.get(..meant.len().saturating_sub(same)).unwrap_or_default();
    match (typed, meant) {
        ([a, b], [c, d]) => a == d && b == c,
        _ => typed.len().max(meant.len()) <= 1,
    }
}

/// Returns what to use instead of an option that the command does not have.
fn other_option(message: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(option)) = message.get(ContextKind::InvalidArg) else {
        return None;
    };
    let option = option.split('=').next()?;
    let program = Args::command();
    // An option that all commands have may come before the command.
    let mut given = std::env::args_os().skip(1);
    let command = given.find_map(|arg| program.find_subcommand(arg))?.get_name();
    let known = ADVICE
        .iter()
        .find(|(commands, options, _)| commands.contains(&command) && options.contains(&option));
    if let Some((.., advice)) = known {
        return Some((*advice).to_owned());
    }
    let suggested = message.get(ContextKind::SuggestedArg);
    if matches!(suggested, Some(ContextValue::String(meant)) if is_slip(option, meant)) {
        return None;
    }
    let name = option.strip_prefix("--")?;
    let has_it =
        |command: &&clap::Command| command.get_arguments().any(|arg| arg.get_long() == Some(name));
    let others: Vec<_> =
        program.get_subcommands().filter(has_it).map(clap::Command::get_name).collect();
    (!others.is_empty()).then(|| format!("these commands have {option}: {}", others.join(", ")))
}
