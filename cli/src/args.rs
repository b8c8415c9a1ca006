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

use crate::bidi::BidiArgs;
use crate::document::{EscapeArgs, UnescapeArgs};
use crate::escape;
use crate::explain::{self, ExplainArgs};
use crate::file::FileArgs;
use crate::interpret::InterpretArgs;
use crate::report::{self, Outcome};
use crate::rules::NormalRule;
use crate::skeleton::SkeletonArgs;
use crate::template::Template;

/// Checks Internationalized Resource Identifiers (RFC 3987) and URIs (RFC 3986), takes them apart, maps
/// one to the other, normalizes, compares and resolves them, makes them relative or readable, and makes them of arbitrary strings: one a line, from files or standard input, or as arguments.
/// Finds them in running text.
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
  0  nothing is wrong with any item
  1  something is wrong with some item
  2  trouble: a file that cannot be read, wrong arguments
If nobody reads the output to its end, as in iri check links.txt | head, they are about what was read
until then. iri compare A B has its own, see iri compare --help.";

const CHECK_EXAMPLES: &str = "\
Examples:
  iri check links.txt                     say which lines are no IRI, where and why
  iri check --all --as uri links.txt      every violation of each line, for plain URIs
  grep -o 'http[^ ]*' log | iri check     check what another program found
  iri check --valid links.txt > good.txt  keep the good ones
  iri check --charset utf-16 export.txt   check a file that is not UTF-8
  iri check -i a.example http://a.example say it of two items instead of a file";

const PARSE_EXAMPLES: &str = "\
Examples:
  echo 'http://例え.jp:80/a?b#c' | iri parse       draw where the components lie
  iri parse --json links.txt                      a JSON object for every line
  iri parse -g '{host} {path}' links.txt          a table of hosts and paths
  find . -type f -print0 | iri parse -0 --json    names that may hold a newline";

const LINT_EXAMPLES: &str = "\
Examples:
  iri lint links.txt                                   what is wrong, or may mislead, in each line
  iri lint --profile crawler --json links.txt          a JSON object for every line
  iri lint --deny spoof.mixed-script-label links.txt   exit code 1 for look-alikes
  iri lint --deny warnings --ignore preferred links.txt  exit code 1 for warnings, too
  iri lint --only bidi,spoof links.txt                 direction and what misleads, and no more
  iri lint --fix links.txt > fixed.txt                 the same references, spelled as preferred";

const EXTRACT_EXAMPLES: &str = "\
Examples:
  iri extract letter.txt                           the links of a text, one a line
  iri extract --reference --unique letter.txt      what each refers to, once
  iri extract --with-position --context log *.log  where each is
  iri extract --schemes any --no-bare notes.txt    IRIs of any scheme, and no names without one
  iri extract --broken letter.txt                  what looks like a link and is none, and why
  iri extract --context html --base https://a.example/ --reference page.html
                                                   what a page refers to, relative references too";

const RESOLVE_EXAMPLES: &str = "\
Examples:
  iri resolve --base https://a.example/b/ -i ../céu  print https://a.example/céu
  iri resolve --base https://a.example/b/ links.txt  what each line means there
  iri resolve --pairs crawl.tsv                      each line has its own base, a tab and a reference";

const RELATIVIZE_EXAMPLES: &str = "\
Examples:
  iri relativize --base https://a.example/b/c -i https://a.example/b/d  print d
  iri relativize --base https://a.example/ --no-network-path links.txt  other hosts with their scheme
  iri relativize --pairs --json crawl.tsv                               a JSON object for every line";

const TO_URI_EXAMPLES: &str = "\
Examples:
  iri to-uri -i https://a.example/céu             print https://a.example/c%C3%A9u
  iri to-uri --host idna links.txt                hosts for the DNS: xn--...
  iri to-uri --lenient --json links.txt           spaces and the like encoded, a JSON object for every line
  iri to-uri --charset windows-1252 old-links.txt
  iri to-uri --query-charset shift_jis -i 'http://a.example/?検索'  as a form in Shift_JIS sends it";

const TO_IRI_EXAMPLES: &str = "\
Examples:
  iri to-iri -i https://a.example/c%C3%A9u           print https://a.example/céu
  iri to-iri --host idna links.txt                   hosts for people, too
  iri to-iri --policy non-ascii-only links.txt       nothing of ASCII is decoded";

const NORMALIZE_EXAMPLES: &str = "\
Examples:
  iri normalize -i HTTP://a.example/b/../%7ec     print http://a.example/~c
  iri normalize --level scheme --as uri links.txt  default ports removed, and only URIs allowed
  iri normalize --level scheme-idna links.txt      domain names in their normal form, too
  iri normalize --rule ipv6,mailto links.txt       rules that no level has
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
  iri prepare --explain links.txt                 what is repaired is told of on standard error
  iri prepare --profile strict --json links.txt   a JSON object for every line, with its repairs
  iri prepare --split -i 'a|b http://c.example'   each string between spaces on a line of its own
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

/// Say which items are invalid, where, and why
///
/// Prints FILE:LINE:COLUMN: error: MESSAGE for every invalid item, and a summary on standard
/// error. Columns count characters.
#[derive(Debug, clap::Args)]
#[command(after_help = CHECK_EXAMPLES)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// What every item has to be
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

    /// Print how many items there are, how many are valid and how many are not, and no more
    #[arg(long, group = "output")]
    pub(crate) count: bool,
}

/// Take items apart into scheme, authority, path, query and fragment
///
/// Draws where the components of each item lie, with their byte offsets; or prints JSON, or chosen
/// components.
#[derive(Debug, clap::Args)]
#[command(after_help = PARSE_EXAMPLES)]
pub(crate) struct ParseArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// What every item has to be
    #[arg(long = "as", value_name = "KIND", value_enum, default_value_t = Kind::IriReference)]
    pub(crate) kind: Kind,

    /// Print one JSON object an item, a line each, for invalid items too
    #[arg(long)]
    pub(crate) json: bool,

    /// Print chosen components of valid items, such as '{scheme} {host}'
    ///
    /// The names are input, scheme, authority, userinfo, host, host_kind, port, path, query and
    /// fragment; an absent component is empty. Write {{ and }} for braces. Invalid items are
    /// reported on standard error.
    #[arg(short, long, value_name = "TEMPLATE", conflicts_with = "json")]
    pub(crate) get: Option<Template>,

    /// Print a line for every invalid item, too, so that lines of output stay beside those of input
    #[arg(long, value_name = "WHAT", value_enum, requires = "get")]
    pub(crate) keep: Option<Keep>,
}

/// Say what valid items have against them: direction, look-alikes, rules of schemes, spelling
///
/// Prints `FILE:LINE:COLUMN: SEVERITY[CODE]: MESSAGE` for every finding, and a summary on standard
/// error. An item that is no reference is an error too, with a code that begins with syntax. Only errors
/// make the exit code 1.
#[derive(Debug, clap::Args)]
#[command(after_help = LINT_EXAMPLES)]
pub(crate) struct LintArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// What every item has to be; in URIs only ASCII need not be encoded
    #[arg(long = "as", value_name = "KIND", value_enum, default_value_t = Kind::IriReference)]
    pub(crate) kind: Kind,

    /// For whom items are checked, which says what is found and how grave it is
    #[arg(long, value_enum, default_value_t = LintProfile::Rfc)]
    pub(crate) profile: LintProfile,

    /// Codes that are errors, whatever the profile says, or the word warnings for all that are warnings
    ///
    /// A code is a name that iri explain lists, or the word before its dot for all codes of that check.
    /// Several have commas between them, or the option is given again.
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    pub(crate) deny: Vec<Denied>,

    /// The only codes to report, whatever the profile says; items that are no reference still are errors
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    pub(crate) only: Vec<Codes>,

    /// Codes that are not reported, whatever else is said
    #[arg(long, visible_alias = "allow", value_name = "CODE", value_delimiter = ',')]
    pub(crate) ignore: Vec<Codes>,

    /// Take labels, parts of paths between dots, and names and values of queries for components
    #[arg(long)]
    pub(crate) divided: bool,

    /// Print every item, spelled as suggested where that means the same; what is left to say of it
    /// goes to standard error
    #[arg(long, group = "output")]
    pub(crate) fix: bool,

    /// As --fix, also where another reference comes of it: normal forms, IPv4 addresses
    #[arg(long, group = "output")]
    pub(crate) fix_all: bool,

    /// Print one JSON object an item, a line each, for items without a finding too
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
    /// Little more than the grammar
    JsonSchema,
    /// Links that somebody else has written
    Crawler,
    /// Everything
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
/// Prints every link as it is written: what begins with http, https or mailto, names of hosts below a
/// registered top-level domain, and addresses of e-mail (UTS #58). Bytes that are not UTF-8 are in no
/// link.
#[derive(Debug, clap::Args)]
#[command(after_help = EXTRACT_EXAMPLES)]
pub(crate) struct ExtractArgs {
    /// Files to read; standard input if there is none, or for -
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// One or more texts themselves, instead of files; may be given again
    #[arg(short, long = "item", value_name = "TEXT", num_args = 1.., conflicts_with = "files")]
    pub(crate) items: Vec<OsString>,

    /// The charset of the text, such as utf-16 or windows-1252
    ///
    /// The text is decoded first, and the output is UTF-8. Columns count characters, and so are those of
    /// the input; byte offsets are those of the text in UTF-8. A byte-order mark of UTF-8 or UTF-16 counts
    /// for more than this option. Bytes that mean nothing in the charset are an error. Without this option,
    /// the charset of HTML is the one that a meta element in the first 1024 bytes declares.
    #[arg(long, value_name = "LABEL", value_parser = charset)]
    pub(crate) charset: Option<&'static Encoding>,

    /// What the text is written in
    #[arg(long, value_enum, default_value_t = TextContext::Plain)]
    pub(crate) context: TextContext,

    /// The schemes of links, with commas between them, instead of http, https and mailto; or any
    #[arg(long, value_name = "SCHEMES", value_delimiter = ',', value_parser = scheme)]
    pub(crate) schemes: Vec<String>,

    /// Find no names of hosts and addresses of e-mail without a scheme
    #[arg(long)]
    pub(crate) no_bare: bool,

    /// The base of relative references in HTML and Markdown, which are links then
    ///
    /// In HTML these are the values of attributes such as href and src, and a base element changes the base;
    /// in Markdown, the destinations of links. JSON and --reference have the resolved reference.
    #[arg(long, value_name = "IRI")]
    pub(crate) base: Option<IriBuf>,

    /// List what looks like a link and is none instead, each with its place and the reason
    #[arg(long, conflicts_with_all = ["with_position", "reference", "mark"])]
    pub(crate) broken: bool,

    /// Print FILE:LINE:COLUMN: before each link; columns count characters
    #[arg(long)]
    pub(crate) with_position: bool,

    /// Print each link once
    #[arg(long)]
    pub(crate) unique: bool,

    /// Print the reference that is meant, repaired as browsers do
    #[arg(long)]
    pub(crate) reference: bool,

    /// Print the whole text, with U+2E20 before and U+2E21 after each link
    #[arg(long, conflicts_with_all = ["with_position", "unique", "reference", "json"])]
    pub(crate) mark: bool,

    /// Print one JSON object a link, a line each, with its place and its reference
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
    /// Lines that programs wrote, JSON and the like
    Log,
    /// Markdown
    Markdown,
    /// HTML, attributes and text
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
/// Prints every item with what is outside ASCII percent-encoded (RFC 3987, section 3.1). Items may be
/// relative.
#[derive(Debug, clap::Args)]
#[command(after_help = TO_URI_EXAMPLES)]
pub(crate) struct ToUriArgs {
    #[command(flatten)]
    pub(crate) transform: TransformArgs,

    /// What a host becomes
    #[arg(long, value_enum, default_value_t = HostForm::Percent)]
    pub(crate) host: HostForm,

    /// Percent-encode spaces and the other printable ASCII characters that no reference holds
    #[arg(long)]
    pub(crate) lenient: bool,

    /// The charset of the document that the items stand in, for the queries of http and https
    ///
    /// Their characters become triplets of that charset, not of UTF-8, as browsers send them.
    #[arg(long, value_name = "LABEL", value_parser = charset)]
    pub(crate) query_charset: Option<&'static Encoding>,

    /// What becomes of a character that --query-charset does not have
    #[arg(long, value_enum, default_value_t = Missing::Error, requires = "query_charset")]
    pub(crate) unmappable: Missing,
}

/// What becomes of a character that a charset does not have.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Missing {
    /// The item fails
    Error,
    /// It becomes a character reference of HTML, percent-encoded, as browsers send it
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
/// Prints every item with triplets decoded where that is safe (RFC 3987, section 3.2). Items may be
/// relative.
#[derive(Debug, clap::Args)]
#[command(after_help = TO_IRI_EXAMPLES)]
pub(crate) struct ToIriArgs {
    #[command(flatten)]
    pub(crate) transform: TransformArgs,

    /// Which triplets are decoded
    #[arg(long, value_enum, default_value_t = Decoded::Default)]
    pub(crate) policy: Decoded,

    /// Decode private-use characters in queries
    #[arg(long)]
    pub(crate) private: bool,

    /// What a host becomes
    #[arg(long, value_enum, default_value_t = HostForm::Percent)]
    pub(crate) host: HostForm,
}

/// Print references in their normal form
///
/// Case, triplets and dot segments (RFC 3987, section 5.3.2); at the level of schemes, default ports
/// and empty paths too (section 5.3.3).
#[derive(Debug, clap::Args)]
#[command(after_help = NORMALIZE_EXAMPLES)]
pub(crate) struct NormalizeArgs {
    #[command(flatten)]
    pub(crate) transform: TransformArgs,

    /// How much is normalized
    #[arg(long, value_enum, default_value_t = NormalLevel::Syntax)]
    pub(crate) level: NormalLevel,

    /// A rule beyond the level; may be given again
    #[arg(long = "rule", value_name = "RULE", value_enum, value_delimiter = ',')]
    pub(crate) rules: Vec<NormalRule>,

    /// Which triplets of IRIs are decoded
    #[arg(long, value_enum, default_value_t = Decoded::Default)]
    pub(crate) policy: Decoded,

    /// What every item has to be; of URIs only ASCII is decoded
    #[arg(long = "as", value_name = "KIND", value_enum, default_value_t = Kind::IriReference)]
    pub(crate) kind: Kind,
}

/// Say whether two references are equivalent
///
/// Prints equal or different, for the two that are given or for the two of every line.
///
/// For two that are given, the exit code is 0 if they are equal, 1 if they are different, and 2 if one
/// of them is invalid. With --pairs or -i, it is 0 if every pair could be compared, and 1 if not.
#[derive(Debug, clap::Args)]
#[command(after_help = COMPARE_EXAMPLES)]
pub(crate) struct CompareArgs {
    /// How much is overlooked
    #[arg(long, value_enum, default_value_t = CompareLevel::Syntax)]
    pub(crate) level: CompareLevel,

    /// A rule beyond the level; may be given again. Even at the level simple, URIs are compared then
    #[arg(long = "rule", value_name = "RULE", value_enum, value_delimiter = ',')]
    pub(crate) rules: Vec<NormalRule>,

    /// Overlook fragments
    #[arg(long)]
    pub(crate) without_fragment: bool,

    /// The base against which both references are resolved before they are compared
    #[arg(long, value_name = "IRI")]
    pub(crate) base: Option<IriBuf>,

    /// Every item of the files, or of standard input, is two references with a tab between them
    ///
    /// Errors say which of the two they are about: a or b.
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
    /// As any other component
    Percent,
    /// A domain name by UTS #46, of http, https, ws, wss and ftp
    Idna,
}

/// Which triplets are decoded.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Decoded {
    /// Those of letters of all scripts, and of unreserved ASCII
    Default,
    /// Those of letters of all scripts alone
    NonAsciiOnly,
    /// As default, but not those of spaces, look-alikes, and characters that are not seen
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
    /// What a scheme implies, too
    Scheme,
    /// And hosts as domain names
    SchemeIdna,
}

/// How much is overlooked.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum CompareLevel {
    /// Nothing
    Simple,
    /// Case, triplets, dot segments
    Syntax,
    /// What a scheme implies, too
    Scheme,
    /// And hosts that are the same domain name
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

/// Resolve references against a base
///
/// Prints what every item means, seen from a base (RFC 3986, section 5.2).
#[derive(Debug, clap::Args)]
#[command(after_help = RESOLVE_EXAMPLES)]
pub(crate) struct ResolveArgs {
    #[command(flatten)]
    pub(crate) against: AgainstArgs,

    /// Take a reference with the scheme of the base for one without, as before RFC 3986
    #[arg(long)]
    pub(crate) lenient: bool,
}

/// Make IRIs relative to a base
///
/// Prints the shortest reference that resolves to the item. There is none to an item with dot
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

/// Make references of arbitrary strings
///
/// Repairs what people, programs and documents do to references (RFC 3987, section 7.2). What cannot be
/// repaired is an error.
#[derive(Debug, clap::Args)]
#[command(after_help = PREPARE_EXAMPLES)]
pub(crate) struct PrepareArgs {
    #[command(flatten)]
    pub(crate) transform: TransformArgs,

    /// How much is repaired
    #[arg(long, value_enum, default_value_t = Repaired::BrowserLike)]
    pub(crate) profile: Repaired,

    /// Where the items come from
    #[arg(long, value_enum, default_value_t = Origin::Plain)]
    pub(crate) context: Origin,

    /// Prepare each of the strings between white space by itself, on a line of its own
    ///
    /// In JSON they are the array outputs. If one cannot be repaired, the item fails.
    #[arg(long, conflicts_with = "charset")]
    pub(crate) split: bool,

    /// What becomes of spaces inside, instead of what the profile says
    #[arg(long, value_enum)]
    pub(crate) spaces: Option<Spaces>,

    /// What is put before a host that was typed without a scheme
    #[arg(long, value_name = "NAME", value_parser = scheme, default_value = "https")]
    pub(crate) scheme: String,

    /// Resolve every reference against this IRI
    ///
    /// As in browsers, the scheme of the base is left out of an item where no authority follows it: with a
    /// base of http, http:/foo is /foo.
    #[arg(long, value_name = "IRI")]
    pub(crate) base: Option<IriBuf>,

    /// Report each repair on standard error, up to 1,000 an item
    #[arg(long, conflicts_with = "json")]
    pub(crate) explain: bool,
}

/// Print references as they are best read
///
/// As IRIs, or as text that need not be one. Characters that cannot be seen are percent-encoded.
#[derive(Debug, clap::Args)]
#[command(after_help = DISPLAY_EXAMPLES)]
pub(crate) struct DisplayArgs {
    #[command(flatten)]
    pub(crate) transform: TransformArgs,

    /// What is printed
    #[arg(long, value_enum, default_value_t = Form::Iri)]
    pub(crate) form: Form,

    /// More of the link follows, so that nothing is escaped for being at its end: for --form uts58
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
    /// That, and wrappers around it
    Crawler,
    /// What is not allowed is percent-encoded, and nothing is left out
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
    /// They stay, and are an error, for no reference holds one
    Keep,
    /// %20
    Encode,
    /// They are left out
    Remove,
}

/// Where items come from.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Origin {
    /// A field of a protocol or a file
    Plain,
    /// A person: wrappers are left out, and a missing scheme is put before
    Typed,
    /// An attribute of HTML: character references are read
    Html,
    /// An attribute of XML, likewise
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
    /// Text with as few escapes as a reader of UTS #58 needs to find all of it
    Uts58,
}

/// What the commands share that see items from a base.
#[derive(Debug, clap::Args)]
pub(crate) struct AgainstArgs {
    /// The base of every item, with a scheme
    #[arg(long, value_name = "IRI", required_unless_present = "pairs")]
    pub(crate) base: Option<IriBuf>,

    /// Every item is its own base, a tab, and what is seen from there
    ///
    /// Errors say which of the two they are about: base or reference.
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

    /// Print one JSON object an item, a line each, for items that fail too
    ///
    /// Otherwise these are reported on standard error.
    #[arg(long)]
    pub(crate) json: bool,

    /// Stop at the first item that fails
    #[arg(long)]
    pub(crate) fail_fast: bool,

    /// Print a line for every item that fails, too, so that lines of output stay beside those of input
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
    /// Files to read; standard input if there is none, or for -
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// One or more items themselves, instead of files; may be given again
    ///
    /// Only the first item after -i may begin with a hyphen; --item=TEXT is one item, whatever it is.
    #[arg(short, long = "item", value_name = "TEXT", num_args = 1.., conflicts_with = "files")]
    pub(crate) items: Vec<OsString>,

    /// The charset of the input, such as utf-16 or windows-1252
    ///
    /// The input is decoded before lines are split, and the output is UTF-8. Columns count characters,
    /// and so are those of the input; byte offsets are those of the item in UTF-8. A byte-order mark of
    /// UTF-8 or UTF-16 counts for more than this option. An item with bytes that mean nothing in the
    /// charset is an error. Text in a charset that is no form of Unicode becomes normalization form C
    /// (RFC 3987, section 5.3.2.2).
    #[arg(long, value_name = "LABEL", value_parser = charset)]
    pub(crate) charset: Option<&'static Encoding>,

    /// Items end at a NUL byte instead of a newline, those that are printed too
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
    /// With a scheme, perhaps with a fragment
    Iri,
    /// An iri, or relative
    IriReference,
    /// With a scheme, without a fragment
    AbsoluteIri,
    /// Without a scheme
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
