//! `iri compare`: tells whether two references are equivalent (RFC 3987, section 5.3).

use std::ffi::OsString;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::builder::TypedValueParser;
use serde::Serialize;
use simd_iri::IriBuf;
use simd_iri::{Base, Compare, Error, IriRef, Level, Mapped, kind};

use crate::args::base::base;
use crate::args::named::named;
use crate::args::rules::{self, NormalRule};
use crate::args::transform::TransformArgs;
use crate::io::files::Outputs;
use crate::item_error::ItemError;
use crate::output::report::{Failure, Outcome};
use crate::transform::{self, ItemOutput, Line};

const EXAMPLES: &str = "\
Examples:
  iri compare http://a.example/%7Eb HTTP://a.example/~b        print equal
  iri compare http://a.example http://a.example:80/            print equal
  iri compare --level simple http://a.example http://a.example/   compare character by character
  iri compare --base http://a.example/b/ ../c /c               print equal
  iri compare --rule ipv6 'http://[::1]' 'http://[0:0::1]'     print equal
  iri compare --pairs --json links.tsv                         a JSON object for every line";

/// Tell whether two references are equivalent
///
/// Prints equal or different, for the two arguments or for the two references of every line.
///
/// For two arguments, the exit code is 0 if they are equal, 1 if they are different, and 2 if one of
/// them is invalid. With --pairs or -i, it is 0 if every pair could be compared, and 1 otherwise.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CompareArgs {
    /// Which differences to ignore
    #[arg(long, value_parser = level(), default_value_t = Level::default())]
    level: Level,

    /// A rule in addition to the level; may be repeated. With a rule, even the level simple compares the
    /// URIs to which the references map
    #[arg(long = "rule", value_name = "RULE", value_enum, value_delimiter = ',')]
    rules: Vec<NormalRule>,

    /// Ignore fragments
    #[arg(long)]
    without_fragment: bool,

    /// Resolve both references relative to this base first
    #[arg(long, value_name = "IRI", value_parser = base)]
    base: Option<IriBuf>,

    /// Every item of the files, or of standard input, is two references separated by a tab
    ///
    /// An error names the invalid reference: a or b.
    #[arg(long)]
    pub(super) pairs: bool,

    #[command(flatten)]
    pub(super) transform: TransformArgs,
}

/// Reads which differences are ignored.
fn level() -> impl TypedValueParser<Value = Level> {
    named([
        (Level::Simple, "Nothing"),
        (Level::Syntax, "Case, triplets, dot segments"),
        (Level::Scheme, "Also what a scheme implies"),
        (Level::SchemeIdna, "Also hosts that are the same domain name"),
    ])
}

/// Whether the two references of a pair are equivalent.
#[derive(Serialize)]
struct Equality {
    level: &'static str,
    equal: bool,
}

impl Default for Equality {
    fn default() -> Self {
        Self { level: Level::Simple.name(), equal: false }
    }
}

impl ItemOutput for Equality {
    fn each_line(&self, write: &mut Line<'_>) -> io::Result<()> {
        write(if self.equal { b"equal" } else { b"different" })
    }
}

pub(crate) fn run(args: &CompareArgs, out: &mut Outputs) -> Result<Outcome, Failure> {
    let is_one_pair = !args.pairs && args.transform.input.items.is_empty();
    let Some(items) = items(args) else {
        return Err("compare: write two references, or --pairs".into());
    };
    let level = args.level;
    let by = if args.rules.is_empty() {
        Compare::new(level)
    } else {
        Compare::by(rules::with(level.rules(), &args.rules))
    };
    let by = by.fragment(!args.without_fragment);
    let base = args.base.as_ref().map(|base| Base::new(base.view()));
    let is_different = AtomicBool::new(false);
    let outcome = transform::pairs(&items, &["a", "b"], out, |[a, b], made: &mut Equality| {
        let parse = |name, text| resolved(base, text).map_err(|e| ItemError::from(e).of(name));
        let (a, b) = (parse("a", a)?, parse("b", b)?);
        *made = Equality { level: level.name(), equal: by.equivalent(a.view(), b.view()) };
        is_different.fetch_or(!made.equal, Ordering::Relaxed);
        Ok(())
    })?;
    Ok(match outcome {
        Outcome::AllValid if is_one_pair && is_different.into_inner() => Outcome::SomeInvalid,
        Outcome::SomeInvalid if is_one_pair => Outcome::Trouble,
        outcome => outcome,
    })
}

/// Parses a reference, and resolves it relative to the base if there is one.
fn resolved<'a>(
    base: Option<Base<'_, kind::Iri>>,
    text: &'a [u8],
) -> Result<Mapped<'a, kind::IriReference>, Error> {
    let reference = IriRef::parse_bytes(text)?;
    Ok(match base {
        Some(base) => Mapped::Owned(base.resolve(reference)?.into()),
        None => Mapped::Borrowed(reference),
    })
}

/// Returns the arguments with the pairs as items: two references on the command line become one pair, as
/// on a line of a file. Returns `None` if there are not two references.
fn items(args: &CompareArgs) -> Option<TransformArgs> {
    let mut items = args.transform.clone();
    if !args.pairs && items.input.items.is_empty() {
        let [a, b] = items.input.files.as_slice() else { return None };
        let mut pair = OsString::from(a);
        pair.push("\t");
        pair.push(b);
        items.input.items.push(pair);
        items.input.files.clear();
    }
    Some(items)
}
