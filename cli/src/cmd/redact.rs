//! `iri redact`: prints references without their secrets, for logs.

use std::path::PathBuf;
use std::{fmt, io};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::{Serialize, Serializer};
use simd_iri_redact::{Redact, RedactPart, RedactUserinfo, SecretSet};

use crate::args::named::named;
use crate::args::output::To;
use crate::args::records::{From, RecordArgs};
use crate::args::transform::TransformArgs;
use crate::io::files::Outputs;
use crate::output::report::{Failure, Outcome};
use crate::pipe::tally::{Replaced, Tally};
use crate::transform::{self, Before, Hide, ItemOutput, Line};

const EXAMPLES: &str = "\
Examples:
  iri redact -i 'https://me:pw@a.example/?sig=x'  print https://REDACTED:REDACTED@a.example/?sig=REDACTED
  iri redact --set gcs,oauth --key '*-pin' links.txt  other sets, and a key of your own
  iri redact --userinfo drop --replacement '*' links.txt
  iri redact --part text app.log                  the references in running text; other bytes stay
  iri redact access.log                           every field of each line
  iri redact --from jsonl --field /url --in-place events.jsonl  one member of every object alone";

/// Print references without their secrets
///
/// Replaces user information, and the values of keys of the query that are secret. An item need not be a reference:
/// what is invalid is redacted too. Of a record, every field is redacted: the address, and the rest as running text; with
/// --field, the field that it names alone. A record that cannot be read is redacted as running text, wherever it is
/// written. Every other byte stays.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RedactArgs {
    #[command(flatten)]
    pub(super) transform: TransformArgs,

    /// The sets of secret keys, separated by commas; none is user information alone
    #[arg(long = "set", value_name = "SET", value_parser = set(), value_delimiter = ',', default_values_t = default_sets())]
    sets: Vec<Set>,

    /// A secret key in addition to the sets, such as '*-token'; may be repeated
    ///
    /// A key is a list of words: access-token is also access_token, accessToken and ACCESS_TOKEN. A * stands for any text,
    /// and beside a separator for any words, also for none.
    #[arg(long = "key", value_name = "KEY")]
    keys: Vec<String>,

    /// Compare the keys of otel as words, too, and not byte by byte
    #[arg(long)]
    any_case: bool,

    /// Compare keys only as they are written, without decoding them
    #[arg(long)]
    raw: bool,

    /// What to print in the place of user information
    #[arg(long, value_parser = userinfo(), default_value_t = RedactUserinfo::Shape)]
    userinfo: RedactUserinfo,

    /// The text in the place of a secret
    #[arg(long, value_name = "TEXT", value_parser = replacement, default_value = "REDACTED")]
    replacement: String,

    /// What an item is
    #[arg(long, value_parser = part(), default_value_t = RedactPart::Reference)]
    part: RedactPart,

    /// Separate pairs at semicolons, too
    #[arg(long)]
    semicolons: bool,

    /// End an authority at a backslash, as browsers do
    #[arg(long)]
    whatwg: bool,

    /// How often values and segments are decoded to find a secret in them; by default 1 in running text and in records,
    /// otherwise 0
    ///
    /// A value with a secret is replaced whole.
    #[arg(long, value_name = "LEVELS", value_parser = clap::value_parser!(u8).range(..=4))]
    nested: Option<u8>,

    /// Whether the pairs of fragments are redacted; by default with oauth and common
    #[arg(long, value_name = "BOOL")]
    fragment: Option<bool>,

    /// Whether ;jsessionid= in paths is redacted; by default with common
    #[arg(long, value_name = "BOOL")]
    session_ids: Option<bool>,

    /// Redact the content of data: too; its length stays
    #[arg(long)]
    data: bool,
}

/// A set of keys, or `none`.
#[derive(Clone, Copy, Debug)]
struct Set(Option<SecretSet>);

fn default_sets() -> impl Iterator<Item = Set> {
    SecretSet::DEFAULT.iter().map(|set| Set(Some(*set)))
}

impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.map_or("none", SecretSet::name))
    }
}

fn set() -> impl TypedValueParser<Value = Set> {
    let help = |set: SecretSet| match set {
        SecretSet::Otel => "OpenTelemetry, the newest set",
        SecretSet::Otel1_29 => "OpenTelemetry 1.29 to 1.41",
        SecretSet::Otel1_42 => "OpenTelemetry 1.42 to 1.44",
        SecretSet::Otel1_45 => "OpenTelemetry after 1.44",
        SecretSet::AwsSigV4 => "Signed requests to AWS, version 4",
        SecretSet::AwsSigV2 => "Signed requests to AWS, version 2",
        SecretSet::CloudFront => "Signed addresses of CloudFront",
        SecretSet::AzureSas => "Signatures of Azure Storage",
        SecretSet::Gcs => "Signed addresses of Google Cloud Storage",
        SecretSet::OAuth => "Tokens of OAuth 2, OpenID Connect and SAML",
        SecretSet::Common => "Usual names of passwords, tokens and sessions",
        _ => "",
    };
    let values =
        SecretSet::ALL.iter().map(move |set| PossibleValue::new(set.name()).help(help(*set)));
    let none = PossibleValue::new("none").help("No key");
    let parse = |name: String| match name.as_str() {
        "none" => Ok(Set(None)),
        name => name.parse().map(|set| Set(Some(set))),
    };
    PossibleValuesParser::new(values.chain([none])).try_map(parse)
}

fn userinfo() -> impl TypedValueParser<Value = RedactUserinfo> {
    named([
        (RedactUserinfo::Shape, "The text twice if there is a colon, otherwise once"),
        (RedactUserinfo::Both, "The text twice, with a colon"),
        (RedactUserinfo::Password, "The name of the user, and the text for the password"),
        (RedactUserinfo::Drop, "Nothing, also no at sign"),
    ])
}

fn part() -> impl TypedValueParser<Value = RedactPart> {
    named([
        (RedactPart::Reference, "A reference"),
        (
            RedactPart::Target,
            "The target of a request, which has no authority if it begins with a slash",
        ),
        (RedactPart::Query, "A query, with or without its question mark"),
        (RedactPart::Text, "Running text, whose references are redacted"),
    ])
}

fn replacement(text: &str) -> Result<String, simd_iri::Error> {
    Redact::none().replacement(text).map(|_| text.to_owned())
}

/// A redacted item, and what was replaced.
#[derive(Default)]
struct RedactedItem {
    output: Vec<u8>,
    /// `None` if no value was replaced.
    replaced: Option<Replaced>,
}

impl ItemOutput for RedactedItem {
    // In running text, a secret ends with its word.
    fn copies_damage(&self) -> bool {
        false
    }

    fn is_item(&self) -> bool {
        self.replaced.is_none()
    }

    fn complete(&mut self, item: &[u8]) {
        if self.is_item() {
            self.output.clear();
            self.output.extend_from_slice(item);
        }
    }

    fn each_line(&self, write: &mut Line<'_>) -> io::Result<()> {
        write(&self.output)
    }

    fn count(&self, tally: &mut Tally) {
        let all = tally.replaced.get_or_insert_default();
        if let Some(replaced) = &self.replaced {
            all.add(replaced);
        }
    }
}

/// Never called: `--json`, which writes the items too, is refused.
impl Serialize for RedactedItem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }
}

/// Returns the option that needs the address of records, where no field is the address.
fn needs_field(args: &TransformArgs) -> Option<&'static str> {
    let TransformArgs { input, output, .. } = args;
    let files = input.found.as_ref().unwrap_or(&input.files);
    let stdin = [PathBuf::from("-")];
    let files = if files.is_empty() { &stdin } else { files.as_slice() };
    let is_table =
        |file: &PathBuf| matches!(input.format(file), From::Csv | From::Tsv | From::Jsonl);
    let is_asked = input.records.field.is_none() && input.items.is_empty();
    let option = match (output.add.is_some(), output.to) {
        (true, _) => "--add",
        (_, Some(To::Lines)) => "--to lines",
        _ => return None,
    };
    (is_asked && files.iter().any(is_table)).then_some(option)
}

pub(crate) fn run(args: &RedactArgs, out: &mut Outputs) -> Result<Outcome, Failure> {
    let refused = match (args.transform.json, args.transform.output.dry_run) {
        (true, _) => Some("--json would print the items with their secrets; use --to jsonl"),
        (_, true) => Some(
            "--dry-run would print the items with their secrets; leave out --in-place to see the results",
        ),
        _ => None,
    };
    if let Some(why) = refused {
        return Err(format!("redact: {why}").into());
    }
    if let Some(option) = needs_field(&args.transform) {
        return Err(format!("redact: {option} needs --field with the field of the address; without --field, every field is redacted").into());
    }
    let keys: Vec<&str> = args.keys.iter().map(String::as_str).collect();
    let sets = args.sets.iter().filter_map(|set| set.0);
    let redact = sets.fold(Redact::none(), Redact::set).keys(&keys);
    let redact = redact.any_case(args.any_case).raw(args.raw).userinfo(args.userinfo);
    let redact = redact.part(args.part).semicolons(args.semicolons).whatwg(args.whatwg);
    let redact = redact.data(args.data);
    let redact = args.nested.map_or(redact, |nested| redact.nested(nested));
    let redact = args.fragment.map_or(redact, |fragment| redact.fragment(fragment));
    let redact = args.session_ids.map_or(redact, |session_ids| redact.session_ids(session_ids));
    // The parser of the arguments has checked the replacement.
    let redact = redact.replacement(&args.replacement).unwrap_or(redact);
    let mut transform = args.transform.clone();
    let is_item = !transform.input.items.is_empty();
    let RecordArgs { field, reads_all, .. } = &mut transform.input.records;
    *reads_all = field.is_none();
    // In records, an address is redacted at least as well as the same text in running text.
    let is_record = *reads_all && !is_item;
    let address = if is_record && args.nested.is_none() { redact.nested(1) } else { redact };
    let hide = Hide {
        redact: address,
        part: args.part,
        replacement: &args.replacement,
        reads_all: *reads_all,
    };
    let before = Before { unchanged: None, hide: Some(hide) };
    transform::run_after(&transform, before, out, |item, made: &mut RedactedItem| {
        made.output.clear();
        made.replaced = None;
        // An item without a secret is its own result, and is not copied.
        if redact.redactions(item).next().is_some() {
            let replaced = made.replaced.get_or_insert_default();
            transform::replace(redact, item, &mut made.output, replaced);
        }
        Ok(())
    })
}
