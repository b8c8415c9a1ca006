//! `iri interpret`: lists what references in a legacy charset may stand for, and selects those that are
//! in a list of names (RFC 3987, section 7.7).

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use encoding_rs::Encoding;
use serde::Serialize;
use simd_iri::{Compare, Error, IriRef, Level};
use simd_iri_lint::{Interpretation, charsets, interpret};

use crate::args::charset::charset;
use crate::args::transform::TransformArgs;
use crate::io::files::Outputs;
use crate::io::text::utf8;
use crate::item_error::ItemError;
use crate::output::report::{Failure, Outcome};
use crate::output::secrets::quote;
use crate::transform::{self, ItemOutput, Line};

const EXAMPLES: &str = "\
Examples:
  iri interpret -i http://a.example/caf%E9                    a line for each charset in which %E9 is a letter
  iri interpret --charsets shift_jis,euc-jp -i /%83A              try only these charsets
  iri interpret --names names.txt --json requests.txt         find the names that items stand for";

/// List what references in a legacy charset may stand for
///
/// Prints FILE:LINE:COLUMN: CHARSET REFERENCE for each charset in which path, query and fragment are
/// valid text, and omits references that an earlier charset gave (RFC 3987, section 7.7). %uHHHH is a
/// unit of UTF-16. The host does not change. With --names, only references of a list are printed.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct InterpretArgs {
    #[command(flatten)]
    pub(super) transform: TransformArgs,

    /// The charsets to try, in this order, separated by commas. By default, these are UTF-8 and the
    /// charsets that were common before it, if they decode the encoded bytes to letters
    #[arg(long, value_name = "LABELS", value_delimiter = ',', value_parser = charset)]
    charsets: Vec<&'static Encoding>,

    /// A file with a reference on each line; print only these references, in the spelling of the file
    ///
    /// Differences in case, triplets and dot segments do not count. An item that stands for none of them
    /// fails.
    #[arg(long, value_name = "FILE")]
    pub(super) names: Option<PathBuf>,
}

/// The references that an item may stand for.
#[derive(Default, Serialize)]
struct Interpreted {
    interpretations: Vec<Meaning>,
}

/// The reference that an item stands for in one charset.
#[derive(Serialize)]
struct Meaning {
    charset: &'static str,
    output: String,
}

impl ItemOutput for Interpreted {
    fn has_places(&self) -> bool {
        true
    }

    fn each_line(&self, write: &mut Line<'_>) -> io::Result<()> {
        // PERF: the lines of an item are made in the same memory.
        let mut line = String::with_capacity(256);
        for Meaning { charset, output } in &self.interpretations {
            line.clear();
            for part in [charset, " ", output] {
                line.push_str(part);
            }
            write(line.as_bytes())?;
        }
        Ok(())
    }
}

pub(crate) fn run(args: &InterpretArgs, out: &mut Outputs) -> Result<Outcome, Failure> {
    let names = args.names.as_deref().map(Names::read).transpose()?;
    if args.transform.output.in_place {
        return Err("interpret prints several lines for an item; leave out --in-place".into());
    }
    transform::run(&args.transform, out, |item, made: &mut Interpreted| {
        let text = utf8(item)?;
        let found = if args.charsets.is_empty() {
            // PERF: there is room for all charsets, which are fewer.
            let mut tried = Vec::with_capacity(32);
            tried.extend(charsets(text));
            interpret(text, &tried)?
        } else {
            interpret(text, &args.charsets)?
        };
        if found.is_empty() {
            let message = "no charset decodes the encoded bytes; name others with --charsets";
            return Err(ItemError::whole("no-interpretation", message, item));
        }
        made.interpretations.clear();
        for interpretation in found {
            let charset = interpretation.charset().name();
            let output = match &names {
                None => Some(interpretation.view().as_str().to_owned()),
                Some(names) => names.find(&interpretation)?,
            };
            made.interpretations.extend(output.map(|output| Meaning { charset, output }));
        }
        if made.interpretations.is_empty() {
            return Err(ItemError::whole(
                "no-name",
                "it stands for none of the names in any of the charsets",
                item,
            ));
        }
        Ok(())
    })
}

/// The references of the list, by their keys.
struct Names(HashMap<String, String>);

/// The comparison of names: two spellings of a name are equal.
const BY: Compare = Compare::new(Level::Syntax);

impl Names {
    /// Reads the lines of a file.
    ///
    /// # Errors
    /// A message: the file cannot be read, or a line is not a reference.
    fn read(file: &Path) -> Result<Self, String> {
        let shown = quote(&file.to_string_lossy());
        let text = fs::read_to_string(file).map_err(|error| format!("{shown}: {error}"))?;
        let mut names = HashMap::new();
        for (number, name) in text.lines().enumerate().filter(|(_, name)| !name.is_empty()) {
            let key = IriRef::parse(name).and_then(key);
            let key = key.map_err(|error| format!("{shown}:{}: {error}", number + 1))?;
            // Of two spellings of a name, the first is used.
            names.entry(key).or_insert_with(|| name.to_owned());
        }
        Ok(Self(names))
    }

    /// Returns the name that an interpretation stands for.
    fn find(&self, interpretation: &Interpretation) -> Result<Option<String>, Error> {
        Ok(self.0.get(&key(interpretation.view())?).cloned())
    }
}

/// Returns a key that is equal for all spellings of a name.
fn key(name: IriRef<'_>) -> Result<String, Error> {
    BY.key(name).map(|key| key.to_string())
}
