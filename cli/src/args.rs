//! The arguments of `iri`, and its help. Not here: what the commands do with them.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use clap::{Parser, Subcommand, ValueEnum};
use encoding_rs::Encoding;
use simd_iri::check::{Code, Profile};
use simd_iri::text::{self, Context, Markup};
use simd_iri::{ComponentRule, IriBuf, Level, Policy, Rule, Unmappable};

use crate::cmd::bidi::BidiArgs;
use crate::cmd::document::{EscapeArgs, UnescapeArgs};
use crate::cmd::explain::{self, ExplainArgs};
use crate::cmd::file::FileArgs;
use crate::cmd::interpret::InterpretArgs;
use crate::cmd::skeleton::SkeletonArgs;
use crate::output::escape;
use crate::output::report::{self, Outcome};
use crate::output::template::Template;
use crate::rules::NormalRule;

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
}

impl Args {
    /// Reads the arguments of the program.
    ///
    /// # Errors
    /// Arguments that are wrong, and those that ask for help or for the version.
    pub(crate) fn read() -> Result<Self, clap::Error> {
        Self::try_parse_from(joined(std::env::args_os()))
    }
}

/// The arguments with a first value of `-i` that begins with a hyphen in the same argument, as in
/// `--item=--x`. By itself it would be an option: only the values after the first may not begin so.
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

/// Prints the help or the version that was asked for, or reports what is wrong with the arguments.
///
/// # Errors
/// Those of `out`.
pub(crate) fn explain(message: &clap::Error, out: &mut impl Write) -> io::Result<ExitCode> {
    let text = message.render().to_string();
    if !message.use_stderr() {
        out.write_all(text.as_bytes())?;
        return Ok(Outcome::AllValid.into());
    }
    let mut safe = Vec::new();
    // The arguments that it repeats may hold anything.
    escape::write_text(&mut safe, text.as_bytes(), true)?;
    report::to_stderr(&safe);
    Ok(Outcome::Trouble.into())
}

const EXIT_CODES: &str = "\
Exit codes:
  0  no item has an error
  1  some item has an error
  2  a file cannot be read, or the arguments are wrong
If the reader of the output stops early, as in iri check links.txt | head, the exit code covers the
items that were read until then. iri compare A B has its own exit codes: see iri compare --help.";

const CHECK_EXAMPLES: &str = "\
Examples:
  iri check links.txt                     report the lines that are not IRIs
  iri check --all --as uri links.txt      every violation of each line, for plain URIs
  grep -o 'http[^ ]*' log | iri check     check what another program found
  iri check --valid links.txt > good.txt  keep the good ones
  iri check --charset utf-16 export.txt   check a file that is not UTF-8
  iri check -i a.test http://a.test       check two items instead of a file";

const PARSE_EXAMPLES: &str = "\
Examples:
  echo 'http://例え.jp:80/a?b#c' | iri parse       draw where the components lie
  iri parse --json links.txt                      a JSON object for every line
  iri parse -g '{host} {path}' links.txt          a table of hosts and paths
  find . -type f -print0 | iri parse -0 --json    names that may hold a newline";

const LINT_EXAMPLES: &str = "\
Examples:
  iri lint links.txt                                   report what is risky or not preferred
  iri lint --profile crawler --json links.txt          a JSON object for every line
  iri lint --deny spoof.mixed-script-label links.txt   exit code 1 for look-alikes
  iri lint --deny warnings --ignore preferred links.txt  exit code 1 for warnings, too
  iri lint --only bidi,spoof links.txt                 check direction and misleading text only
  iri lint --fix links.txt > fixed.txt                 print the references in preferred form";

const EXTRACT_EXAMPLES: &str = "\
Examples:
  iri extract letter.txt                           the links of a text, one a line
  iri extract --reference --unique letter.txt      the reference of each link, once
  iri extract --with-position --context log *.log  the position of each link
  iri extract --schemes any --no-bare notes.txt    IRIs of any scheme, no bare host names
  iri extract --broken letter.txt                  what looks like a link and is not one, and why
  iri extract --context html --base https://a.example/ --reference page.html
                                                   the references of a page, relative ones too";

const RESOLVE_EXAMPLES: &str = "\
Examples:
  iri resolve --base https://a.example/b/ -i ../céu  print https://a.example/céu
  iri resolve --base https://a.example/b/ links.txt  resolve each line
  iri resolve --pairs crawl.tsv                      each line has its own base, a tab and a reference";

const RELATIVIZE_EXAMPLES: &str = "\
Examples:
  iri relativize --base https://a.example/b/c -i https://a.example/b/d  print d
  iri relativize --base https://a.example/ --no-network-path links.txt  keep the scheme of other hosts
  iri relativize --pairs --json crawl.tsv                               a JSON object for every line";

const TO_URI_EXAMPLES: &str = "\
Examples:
  iri to-uri -i https://a.example/céu             print https://a.example/c%C3%A9u
  iri to-uri --host idna links.txt                hosts for the DNS: xn--...
  iri to-uri --lenient --json links.txt           encode spaces too, a JSON object for every line
  iri to-uri --charset windows-1252 old-links.txt
  iri to-uri --query-charset shift_jis -i 'http://a.example/?検索'  encode as a form in Shift_JIS does";

const TO_IRI_EXAMPLES: &str = "\
Examples:
  iri to-iri -i https://a.example/c%C3%A9u           print https://a.example/céu
  iri to-iri --host idna links.txt                   decode xn-- hosts too
  iri to-iri --policy non-ascii-only links.txt       decode no ASCII";

const NORMALIZE_EXAMPLES: &str = "\
Examples:
  iri normalize -i HTTP://a.example/b/../%7ec     print http://a.example/~c
  iri normalize --level scheme --as uri links.txt  remove default ports, allow only URIs
  iri normalize --level scheme-idna links.txt      normalize domain names too
  iri normalize --rule ipv6,mailto links.txt       apply rules that no level has
  iri normalize links.txt | sort -u               each once";

const COMPARE_EXAMPLES: &str = "\
Examples:
  iri compare http://a.example/%7Eb HTTP://a.example/~b        print equal
  iri compare --level scheme http://a.example http://a.example:80/
  iri compare --base http://a.example/b/ ../c /c               print equal
  iri compare --rule ipv6 'http://[::1]' 'http://[0:0::1]'     print equal
  iri compare --pairs --json links.tsv                         a JSON object for every line";

const PREPARE_EXAMPLES: &str = "\
Examples:
  iri prepare --context typed -i www.a.example/é  print https://www.a.example/é
  iri prepare --explain links.txt                 report each repair on standard error
  iri prepare --profile strict --json links.txt   a JSON object for every line, with its repairs
  iri prepare --split -i 'a|b http://c.example'   prepare each word by itself
  iri prepare --spaces remove -i 'http://a.example/b c'  print http://a.example/bc";

const DISPLAY_EXAMPLES: &str = "\
Examples:
  iri display -i https://xn--bcher-kva.example/%C3%A9%20  print https://bücher.example/é%20
  iri display --form uts58 -i https://a.example/%5B1%5D.  print https://a.example/[1]%2E";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(CheckArgs),
    Parse(ParseArgs),
    Lint(LintArgs),
    Extract(ExtractArgs),
    ToUri(ToUriArgs),
    ToIri(ToIriArgs),
    Normalize(NormalizeArgs),
    Compare(CompareArgs),
    Resolve(ResolveArgs),
    Relativize(RelativizeArgs),
    Prepare(PrepareArgs),
    Display(DisplayArgs),
    Bidi(BidiArgs),
    Escape(EscapeArgs),
    Explain(ExplainArgs),
    File(FileArgs),
    Interpret(InterpretArgs),
    Skeleton(SkeletonArgs),
    Unescape(UnescapeArgs),
}

/// Report invalid items, with position and reason
///
/// Prints FILE:LINE:COLUMN: error: MESSAGE for every invalid item, and a summary on standard
/// error. Columns count characters.
#[derive(Debug, clap::Args)]
#[command(after_help = CHECK_EXAMPLES)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// The kind that every item must be
    #[arg(long = "as", value_name = "KIND", value_enum, default_value_t = Kind::Iri)]
    pub(crate) kind: Kind,

    /// Report every violation of an item, not only its first
    #[arg(long, group = "output")]
    pub(crate) all: bool,

    /// Print the valid items instead, byte for byte
    #[arg(long, group = "output")]
    pub(crate) valid: bool,

    /// Print the invalid items instead, byte for byte
    #[arg(long, group = "output")]
    pub(crate) invalid: bool,

    /// Print only the number of items, of valid items and of invalid items
    #[arg(long, group = "output")]
    pub(crate) count: bool,
}

/// Take items apart into scheme, authority, path, query and fragment
///
/// Draws each item with the byte offsets of its components. With --json or --get, prints JSON or
/// chosen components instead.
#[derive(Debug, clap::Args)]
#[command(after_help = PARSE_EXAMPLES)]
pub(crate) struct ParseArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// The kind that every item must be
    #[arg(long = "as", value_name = "KIND", value_enum, default_value_t = Kind::IriReference)]
    pub(crate) kind: Kind,

    /// Print a JSON object for every item, one a line, for invalid items too
    #[arg(long)]
    pub(crate) json: bool,

    /// Print chosen components of valid items, such as '{scheme} {host}'
    ///
    /// The names are input, scheme, authority, userinfo, host, host_kind, port, path, query and
    /// fragment; an absent component is empty. Write {{ and }} for braces. Invalid items are
    /// reported on standard error.
    #[arg(short, long, value_name = "TEMPLATE", conflicts_with = "json")]
    pub(crate) get: Option<Template>,

    /// Print a line for every invalid item too, so that output lines match input lines
    #[arg(long, value_name = "WHAT", value_enum, requires = "get")]
    pub(crate) keep: Option<Keep>,
}

/// Report what is risky or not preferred in valid items
///
/// Checks the direction of text, look-alikes, the rules of schemes, and spelling. Prints
/// `FILE:LINE:COLUMN: SEVERITY[CODE]: MESSAGE` for every finding, and a summary on standard error. An
/// invalid item is an error with a code that begins with syntax. Only errors make the exit code 1.
#[derive(Debug, clap::Args)]
#[command(after_help = LINT_EXAMPLES)]
pub(crate) struct LintArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// The kind that every item must be; in URIs, encoded characters outside ASCII are not reported
    #[arg(long = "as", value_name = "KIND", value_enum, default_value_t = Kind::IriReference)]
    pub(crate) kind: Kind,

    /// The profile, which decides what is reported and with which severity
    #[arg(long, value_enum, default_value_t = LintProfile::Rfc)]
    pub(crate) profile: LintProfile,

    /// Codes to report as errors, whatever the profile says; the word warnings stands for all warnings
    ///
    /// A code is a name that iri explain lists. The word before its dot stands for all codes of that
    /// check. Separate several codes by commas, or repeat the option.
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    pub(crate) deny: Vec<Denied>,

    /// The only codes to report, whatever the profile says; invalid items are still errors
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    pub(crate) only: Vec<Codes>,

    /// Codes not to report, whatever the other options say
    #[arg(long, visible_alias = "allow", value_name = "CODE", value_delimiter = ',')]
    pub(crate) ignore: Vec<Codes>,

    /// Check the direction of labels, of path parts between dots, and of query names and values separately
    #[arg(long)]
    pub(crate) divided: bool,

    /// Print every item with the suggestions applied that keep its meaning; remaining findings go to
    /// standard error
    #[arg(long, group = "output")]
    pub(crate) fix: bool,

    /// Like --fix, and also apply suggestions that change the reference: normal forms, IPv4 addresses
    #[arg(long, group = "output")]
    pub(crate) fix_all: bool,

    /// Print a JSON object for every item, one a line, for items without a finding too
    #[arg(long, group = "output")]
    pub(crate) json: bool,
}

/// The codes that an argument names: one, or all of a check.
#[derive(Clone, Debug)]
pub(crate) struct Codes(Vec<Code>);

impl Codes {
    /// Tells whether one of some arguments names a code.
    pub(crate) fn name(all: &[Self], code: Code) -> bool {
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

/// What is to be an error.
#[derive(Clone, Debug)]
pub(crate) enum Denied {
    /// Everything that is a warning otherwise.
    Warnings,
    Codes(Codes),
}

impl FromStr for Denied {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        if name == "warnings" { Ok(Self::Warnings) } else { name.parse().map(Self::Codes) }
    }
}

/// For whom items are checked.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LintProfile {
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

/// Find links in running text
///
/// Prints every link as it stands in the text (UTS #58): what begins with http, https or mailto, host
/// names below a registered top-level domain, and e-mail addresses. Bytes that are not UTF-8 are never
/// part of a link.
#[derive(Debug, clap::Args)]
#[command(after_help = EXTRACT_EXAMPLES)]
pub(crate) struct ExtractArgs {
    /// Files to read; without one, or for -, standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// One or more texts, instead of files; may be repeated
    #[arg(short, long = "item", value_name = "TEXT", num_args = 1.., conflicts_with = "files")]
    pub(crate) items: Vec<OsString>,

    /// The charset of the text, such as utf-16 or windows-1252
    ///
    /// The program decodes the text first and prints UTF-8. Columns count characters; byte offsets are
    /// those of the text in UTF-8. A byte-order mark of UTF-8 or UTF-16 overrides this option. Bytes
    /// that are invalid in the charset are an error. Without this option, HTML has the charset that a
    /// meta element in its first 1024 bytes declares.
    #[arg(long, value_name = "LABEL", value_parser = charset)]
    pub(crate) charset: Option<&'static Encoding>,

    /// The format of the text
    #[arg(long, value_enum, default_value_t = TextContext::Plain)]
    pub(crate) context: TextContext,

    /// The schemes of links, separated by commas, instead of http, https and mailto; or the word any
    #[arg(long, value_name = "SCHEMES", value_delimiter = ',', value_parser = scheme)]
    pub(crate) schemes: Vec<String>,

    /// Do not find host names and e-mail addresses without a scheme
    #[arg(long)]
    pub(crate) no_bare: bool,

    /// The base of relative references in HTML and Markdown, which then count as links
    ///
    /// In HTML these are the values of attributes such as href and src; a base element changes the base.
    /// In Markdown they are the destinations of links. --json and --reference print the resolved
    /// reference.
    #[arg(long, value_name = "IRI")]
    pub(crate) base: Option<IriBuf>,

    /// Print instead what looks like a link and is not one, with its position and the reason
    #[arg(long, conflicts_with_all = ["with_position", "reference", "mark"])]
    pub(crate) broken: bool,

    /// Print FILE:LINE:COLUMN: before each link; columns count characters
    #[arg(long)]
    pub(crate) with_position: bool,

    /// Print each link once
    #[arg(long)]
    pub(crate) unique: bool,

    /// Print the reference of each link, repaired as browsers do
    #[arg(long)]
    pub(crate) reference: bool,

    /// Print the whole text, with U+2E20 before and U+2E21 after each link
    #[arg(long, conflicts_with_all = ["with_position", "unique", "reference", "json"])]
    pub(crate) mark: bool,

    /// Print a JSON object for every link, one a line, with its position and its reference
    #[arg(long, conflicts_with = "with_position")]
    pub(crate) json: bool,
}

/// A scheme by the grammar.
fn scheme(name: &str) -> Result<String, String> {
    let valid = ComponentRule::Scheme.validate(name);
    valid.map(|()| name.to_owned()).map_err(|error| error.to_string())
}

/// What a text is written in.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum TextContext {
    /// Text for people
    Plain,
    /// Output of programs, such as logs and JSON
    Log,
    /// Markdown
    Markdown,
    /// HTML: attributes and text
    Html,
}

impl From<TextContext> for Markup {
    fn from(context: TextContext) -> Self {
        match context {
            TextContext::Plain => Self::Plain,
            TextContext::Log => Self::Log,
            TextContext::Markdown => Self::Markdown,
            TextContext::Html => Self::Html,
        }
    }
}

/// Map references to URIs
///
/// Percent-encodes the characters outside ASCII (RFC 3987, section 3.1). Items may be relative.
#[derive(Debug, clap::Args)]
#[command(after_help = TO_URI_EXAMPLES)]
pub(crate) struct ToUriArgs {
    #[command(flatten)]
    pub(crate) transform: TransformArgs,

    /// How a host is mapped
    #[arg(long, value_enum, default_value_t = HostForm::Percent)]
    pub(crate) host: HostForm,

    /// Also percent-encode spaces and the other printable ASCII characters that no reference may hold
    #[arg(long)]
    pub(crate) lenient: bool,

    /// The charset of the document that contains the items, for the queries of http and https
    ///
    /// Characters of queries are encoded in that charset instead of UTF-8, as browsers do.
    #[arg(long, value_name = "LABEL", value_parser = charset)]
    pub(crate) query_charset: Option<&'static Encoding>,

    /// What to do with a character that --query-charset does not have
    #[arg(long, value_enum, default_value_t = Missing::Error, requires = "query_charset")]
    pub(crate) unmappable: Missing,
}

/// What becomes of a character that a charset does not have.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Missing {
    /// The item fails
    Error,
    /// It becomes a percent-encoded character reference of HTML, as in browsers
    Reference,
}

impl From<Missing> for Unmappable {
    fn from(missing: Missing) -> Self {
        match missing {
            Missing::Error => Self::Error,
            Missing::Reference => Self::Reference,
        }
    }
}

/// Map URIs to IRIs
///
/// Decodes triplets (such as %C3%A9) where that is safe (RFC 3987, section 3.2). Items may be relative.
#[derive(Debug, clap::Args)]
#[command(after_help = TO_IRI_EXAMPLES)]
pub(crate) struct ToIriArgs {
    #[command(flatten)]
    pub(crate) transform: TransformArgs,

    /// Which triplets to decode
    #[arg(long, value_enum, default_value_t = Decoded::Default)]
    pub(crate) policy: Decoded,

    /// Decode private-use characters in queries
    #[arg(long)]
    pub(crate) private: bool,

    /// How a host is mapped
    #[arg(long, value_enum, default_value_t = HostForm::Percent)]
    pub(crate) host: HostForm,
}

/// Print references in their normal form
///
/// Normalizes case, triplets and dot segments (RFC 3987, section 5.3.2). At the level of schemes, it also
/// normalizes default ports and empty paths (section 5.3.3).
#[derive(Debug, clap::Args)]
#[command(after_help = NORMALIZE_EXAMPLES)]
pub(crate) struct NormalizeArgs {
    #[command(flatten)]
    pub(crate) transform: TransformArgs,

    /// How much to normalize
    #[arg(long, value_enum, default_value_t = NormalLevel::Syntax)]
    pub(crate) level: NormalLevel,

    /// A rule in addition to the level; may be repeated
    #[arg(long = "rule", value_name = "RULE", value_enum, value_delimiter = ',')]
    pub(crate) rules: Vec<NormalRule>,

    /// Which triplets of IRIs to decode
    #[arg(long, value_enum, default_value_t = Decoded::Default)]
    pub(crate) policy: Decoded,

    /// The kind that every item must be; in URIs, only ASCII is decoded
    #[arg(long = "as", value_name = "KIND", value_enum, default_value_t = Kind::IriReference)]
    pub(crate) kind: Kind,
}

/// Tell whether two references are equivalent
///
/// Prints equal or different, for the two arguments or for the two references of every line.
///
/// For two arguments, the exit code is 0 if they are equal, 1 if they are different, and 2 if one of
/// them is invalid. With --pairs or -i, it is 0 if every pair could be compared, and 1 otherwise.
#[derive(Debug, clap::Args)]
#[command(after_help = COMPARE_EXAMPLES)]
pub(crate) struct CompareArgs {
    /// Which differences to ignore
    #[arg(long, value_enum, default_value_t = CompareLevel::Syntax)]
    pub(crate) level: CompareLevel,

    /// A rule in addition to the level; may be repeated. With a rule, even the level simple compares the
    /// URIs that the references map to
    #[arg(long = "rule", value_name = "RULE", value_enum, value_delimiter = ',')]
    pub(crate) rules: Vec<NormalRule>,

    /// Ignore fragments
    #[arg(long)]
    pub(crate) without_fragment: bool,

    /// Resolve both references relative to this base first
    #[arg(long, value_name = "IRI")]
    pub(crate) base: Option<IriBuf>,

    /// Every item of the files, or of standard input, is two references separated by a tab
    ///
    /// An error says which of the two it is about: a or b.
    #[arg(long)]
    pub(crate) pairs: bool,

    #[command(flatten)]
    pub(crate) transform: TransformArgs,
}

/// The charset of a label, as the web names them.
pub(crate) fn charset(label: &str) -> Result<&'static Encoding, String> {
    Encoding::for_label_no_replacement(label.as_bytes()).ok_or_else(|| {
        "no charset has this label; write one of the Encoding Standard, such as utf-8, windows-1252, \
         iso-8859-2, koi8-r, shift_jis, euc-kr, gb18030 or big5"
            .to_owned()
    })
}

/// A charset that lines of bytes can be written in, which those of 16-bit units are not.
pub(crate) fn byte_charset(label: &str) -> Result<&'static Encoding, String> {
    let charset = charset(label)?;
    if charset.output_encoding() == charset {
        Ok(charset)
    } else {
        Err(format!("{} is no charset of bytes; write another one, such as utf-8", charset.name()))
    }
}

/// What a host becomes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum HostForm {
    /// Like any other component
    Percent,
    /// As a domain name by UTS #46, for http, https, ws, wss and ftp
    Idna,
}

/// Which triplets are decoded.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Decoded {
    /// Those of letters of all scripts, and of unreserved ASCII
    Default,
    /// Only those of letters of all scripts
    NonAsciiOnly,
    /// Like default, but not spaces, look-alikes and invisible characters
    Conservative,
}

impl From<Decoded> for Policy {
    fn from(decoded: Decoded) -> Self {
        match decoded {
            Decoded::Default => Self::Default,
            Decoded::NonAsciiOnly => Self::NonAsciiOnly,
            Decoded::Conservative => Self::Conservative,
        }
    }
}

/// How much is normalized.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum NormalLevel {
    /// Nothing but what --rule names
    None,
    /// Case, triplets, dot segments
    Syntax,
    /// Also what a scheme implies
    Scheme,
    /// Also hosts as domain names
    SchemeIdna,
}

/// How much is overlooked.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum CompareLevel {
    /// Nothing
    Simple,
    /// Case, triplets, dot segments
    Syntax,
    /// Also what a scheme implies
    Scheme,
    /// Also hosts that are the same domain name
    SchemeIdna,
}

impl From<CompareLevel> for Level {
    fn from(level: CompareLevel) -> Self {
        match level {
            CompareLevel::Simple => Self::Simple,
            CompareLevel::Syntax => Self::Syntax,
            CompareLevel::Scheme => Self::Scheme,
            CompareLevel::SchemeIdna => Self::SchemeIdna,
        }
    }
}

/// Resolve references relative to a base
///
/// Prints the target of every item (RFC 3986, section 5.2).
#[derive(Debug, clap::Args)]
#[command(after_help = RESOLVE_EXAMPLES)]
pub(crate) struct ResolveArgs {
    #[command(flatten)]
    pub(crate) against: AgainstArgs,

    /// Ignore the scheme of a reference if it is that of the base, as before RFC 3986
    #[arg(long)]
    pub(crate) lenient: bool,
}

/// Make IRIs relative to a base
///
/// Prints the shortest reference that resolves to the item. No reference resolves to an item with dot
/// segments.
#[derive(Debug, clap::Args)]
#[command(after_help = RELATIVIZE_EXAMPLES)]
pub(crate) struct RelativizeArgs {
    #[command(flatten)]
    pub(crate) against: AgainstArgs,

    /// Print no reference that begins with two slashes
    #[arg(long)]
    pub(crate) no_network_path: bool,

    /// Print no reference that begins with a single slash
    #[arg(long)]
    pub(crate) no_absolute_path: bool,
}

/// Repair arbitrary strings so that they are references
///
/// Repairs what people, programs and documents do to references (RFC 3987, section 7.2). An item that
/// cannot be repaired is an error.
#[derive(Debug, clap::Args)]
#[command(after_help = PREPARE_EXAMPLES)]
pub(crate) struct PrepareArgs {
    #[command(flatten)]
    pub(crate) transform: TransformArgs,

    /// How much to repair
    #[arg(long, value_enum, default_value_t = Repaired::BrowserLike)]
    pub(crate) profile: Repaired,

    /// The source of the items
    #[arg(long, value_enum, default_value_t = Origin::Plain)]
    pub(crate) context: Origin,

    /// Split each item at white space, and print each part on a line of its own
    ///
    /// In JSON the parts are the array outputs. If one cannot be repaired, the item fails.
    #[arg(long, conflicts_with = "charset")]
    pub(crate) split: bool,

    /// What to do with spaces inside, whatever the profile says
    #[arg(long, value_enum)]
    pub(crate) spaces: Option<Spaces>,

    /// The scheme of a host that was typed without one
    #[arg(long, value_name = "NAME", value_parser = scheme, default_value = "https")]
    pub(crate) scheme: String,

    /// Resolve every reference relative to this IRI
    ///
    /// As in browsers, an item loses the scheme of the base if no authority follows it: relative to an
    /// http base, http:/foo is /foo.
    #[arg(long, value_name = "IRI")]
    pub(crate) base: Option<IriBuf>,

    /// Report each repair on standard error, up to 1,000 for an item
    #[arg(long, conflicts_with = "json")]
    pub(crate) explain: bool,
}

/// Print references as people read them best
///
/// Prints IRIs, or with --form uts58 text that need not be an IRI. Invisible characters are
/// percent-encoded.
#[derive(Debug, clap::Args)]
#[command(after_help = DISPLAY_EXAMPLES)]
pub(crate) struct DisplayArgs {
    #[command(flatten)]
    pub(crate) transform: TransformArgs,

    /// The form of the output
    #[arg(long, value_enum, default_value_t = Form::Iri)]
    pub(crate) form: Form,

    /// With --form uts58: more of the link follows, so do not escape its last character
    #[arg(long)]
    pub(crate) medial: bool,
}

/// How much is repaired.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Repaired {
    /// White space at the ends
    Strict,
    /// What XML once allowed in references
    Leiri,
    /// What browsers repair in a link
    BrowserLike,
    /// What browsers repair, and wrappers around the link
    Crawler,
    /// Characters that are not allowed are percent-encoded, and nothing is removed
    Rdf,
}

impl From<Repaired> for text::Profile {
    fn from(profile: Repaired) -> Self {
        match profile {
            Repaired::Strict => Self::Strict,
            Repaired::Leiri => Self::Leiri,
            Repaired::BrowserLike => Self::BrowserLike,
            Repaired::Crawler => Self::Crawler,
            Repaired::Rdf => Self::Rdf,
        }
    }
}

/// What becomes of spaces inside.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Spaces {
    /// They stay, which is an error
    Keep,
    /// They become %20
    Encode,
    /// They are removed
    Remove,
}

/// Where items come from.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Origin {
    /// A field of a protocol or a file
    Plain,
    /// A person: wrappers are removed, and a missing scheme is added
    Typed,
    /// An attribute of HTML: character references are decoded
    Html,
    /// An attribute of XML: character references are decoded
    Xml,
}

impl From<Origin> for Context {
    fn from(origin: Origin) -> Self {
        match origin {
            Origin::Plain => Self::Plain,
            Origin::Typed => Self::Typed,
            Origin::Html => Self::Html,
            Origin::Xml => Self::Xml,
        }
    }
}

/// What is printed of a reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Form {
    /// The most readable IRI
    Iri,
    /// Text with as few escapes as link detection by UTS #58 allows
    Uts58,
}

/// The arguments of the commands that have a base.
#[derive(Debug, clap::Args)]
pub(crate) struct AgainstArgs {
    /// The base of every item; it has a scheme
    #[arg(long, value_name = "IRI", required_unless_present = "pairs")]
    pub(crate) base: Option<IriBuf>,

    /// Every item is a base, a tab, and a reference
    ///
    /// An error says which of the two it is about: base or reference.
    #[arg(long, conflicts_with = "base")]
    pub(crate) pairs: bool,

    #[command(flatten)]
    pub(crate) transform: TransformArgs,
}

/// What the commands share that make something of every item.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct TransformArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Print a JSON object for every item, one a line, for items that fail too
    ///
    /// Without this option, errors go to standard error.
    #[arg(long)]
    pub(crate) json: bool,

    /// Stop at the first item that fails
    #[arg(long)]
    pub(crate) fail_fast: bool,

    /// Print a line for every item that fails too, so that output lines match input lines
    #[arg(long, value_name = "WHAT", value_enum, conflicts_with = "json")]
    pub(crate) keep: Option<Keep>,
}

/// What is printed in the place of an item that fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Keep {
    /// An empty line
    Empty,
    /// The item itself
    Input,
}

impl Keep {
    /// What is printed for an item.
    pub(crate) fn text(self, item: &[u8]) -> &[u8] {
        match self {
            Self::Empty => b"",
            Self::Input => item,
        }
    }
}

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct InputArgs {
    /// Files to read; without one, or for -, standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// One or more items, instead of files; may be repeated
    ///
    /// Only the first item after -i may begin with a hyphen. --item=TEXT is one item, whatever its text.
    #[arg(short, long = "item", value_name = "TEXT", num_args = 1.., conflicts_with = "files")]
    pub(crate) items: Vec<OsString>,

    /// The charset of the input, such as utf-16 or windows-1252
    ///
    /// The program decodes the input, then splits it into lines, and prints UTF-8. Columns count
    /// characters; byte offsets are those of the item in UTF-8. A byte-order mark of UTF-8 or UTF-16
    /// overrides this option. An item with bytes that are invalid in the charset is an error. Text in a
    /// charset that is not a form of Unicode is normalized to NFC (RFC 3987, section 5.3.2.2).
    #[arg(long, value_name = "LABEL", value_parser = charset)]
    pub(crate) charset: Option<&'static Encoding>,

    /// Items end at a NUL byte instead of a newline, in the input and in the output
    #[arg(short = '0', long = "null")]
    pub(crate) null: bool,
}

impl InputArgs {
    /// The byte that ends an item.
    pub(crate) fn separator(&self) -> u8 {
        if self.null { b'\0' } else { b'\n' }
    }
}

/// What an item has to be: a start rule of the grammar.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Kind {
    /// Has a scheme; may have a fragment
    Iri,
    /// An iri, or a reference relative to one
    IriReference,
    /// Has a scheme and no fragment
    AbsoluteIri,
    /// Has no scheme
    IrelativeRef,
    /// An iri in ASCII
    Uri,
    /// An iri-reference in ASCII
    UriReference,
    /// An absolute-iri in ASCII
    AbsoluteUri,
    /// An irelative-ref in ASCII
    RelativeRef,
}

impl Kind {
    /// What an item of this kind is called.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Iri => "IRI",
            Self::IriReference => "IRI reference",
            Self::AbsoluteIri => "absolute IRI",
            Self::IrelativeRef => "relative IRI reference",
            Self::Uri => "URI",
            Self::UriReference => "URI reference",
            Self::AbsoluteUri => "absolute URI",
            Self::RelativeRef => "relative URI reference",
        }
    }

    /// Tells whether only ASCII is allowed.
    pub(crate) const fn is_uri(self) -> bool {
        matches!(self, Self::Uri | Self::UriReference | Self::AbsoluteUri | Self::RelativeRef)
    }
}

impl From<Kind> for Rule {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Iri => Self::Iri,
            Kind::IriReference => Self::IriReference,
            Kind::AbsoluteIri => Self::AbsoluteIri,
            Kind::IrelativeRef => Self::IrelativeRef,
            Kind::Uri => Self::Uri,
            Kind::UriReference => Self::UriReference,
            Kind::AbsoluteUri => Self::AbsoluteUri,
            Kind::RelativeRef => Self::RelativeRef,
        }
    }
}
