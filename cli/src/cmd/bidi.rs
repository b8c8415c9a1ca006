//! `iri bidi`: prints references in the order of display, and embeds them in running text (RFC 3987,
//! section 4.1; UAX #9). Not here: which references are displayed badly; `lint` reports them.

use std::io;

use clap::ValueEnum;
use clap::builder::TypedValueParser;
use serde::Serialize;
use simd_iri::IriRef;
use simd_iri_lint::{Direction, Embed, Marks, unembed};

use crate::args::named::named;
use crate::args::transform::TransformArgs;
use crate::io::files::Outputs;
use crate::io::text::utf8;
use crate::output::report::{Failure, Outcome};
use crate::transform::{self, ItemOutput, Line, Text};

const EXAMPLES: &str = "\
Examples:
  iri bidi -i http://ab.אבג/                      print the characters as a reader sees them
  iri bidi --positions -i a:אב                    a line for each character, with its positions
  iri bidi --embed rtl -i http://a.example/       the text for a paragraph in Hebrew or Arabic
  iri bidi --embed ltr --after ' ו' --marks isolate -i http://ab.אבג
  iri bidi --unembed lines.txt                    the references without marks";

/// Print references in the order of display, and embed them in text
///
/// Prints the characters of every item from left to right, as a reader sees them (RFC 3987, section 4.1).
/// A terminal that reorders text itself reorders them again. --embed prints the item with the marks that
/// keep its order in a text. --unembed prints the item without these marks.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct BidiArgs {
    #[command(flatten)]
    pub(super) transform: TransformArgs,

    /// Print a line for each character from left to right: its column of display, its number in the
    /// item (both from 1), its byte offset, and the character
    #[arg(long, group = "form", conflicts_with = "json")]
    positions: bool,

    /// Print the item for a paragraph of this direction, with marks only if they are needed
    #[arg(long, value_name = "DIRECTION", value_enum, group = "form")]
    embed: Option<Base>,

    /// The marks that --embed adds
    #[arg(long, value_parser = marks(), default_value_t = Marks::Embedding, requires = "embed")]
    marks: Marks,

    /// The text of the paragraph before the item, for --embed
    #[arg(long, value_name = "TEXT", requires = "embed")]
    before: Option<String>,

    /// The text of the paragraph after the item, for --embed
    #[arg(long, value_name = "TEXT", requires = "embed")]
    after: Option<String>,

    /// Remove the marks that --embed added
    #[arg(long, group = "form")]
    unembed: bool,
}

/// The base direction of a paragraph.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Base {
    /// Left to right, as in English
    Ltr,
    /// Right to left, as in Arabic and Hebrew
    Rtl,
}

impl From<Base> for Direction {
    fn from(base: Base) -> Self {
        match base {
            Base::Ltr => Self::LeftToRight,
            Base::Rtl => Self::RightToLeft,
        }
    }
}

/// Reads the marks that are put around a reference.
fn marks() -> impl TypedValueParser<Value = Marks> {
    named([
        (Marks::Embedding, "U+202A and U+202C around the item, as in RFC 3987"),
        (
            Marks::Isolate,
            "U+2066 and U+2069 around the item, which also protect the text around it",
        ),
        (
            Marks::EachPart,
            "U+200E on both sides of each right-to-left part, so that the parts run from left to right",
        ),
    ])
}

/// A reference as it is displayed.
#[derive(Default, Serialize)]
struct Displayed {
    output: String,
    /// For each column of display, the number of its character in the item. Both count from 0.
    visual_to_logical: Vec<usize>,
    /// For each character of the item, its column of display. Both count from 0.
    logical_to_visual: Vec<usize>,
    /// For each column of display, the byte offset of its character in the item.
    offsets: Vec<usize>,
    /// Whether each character is printed on its own line.
    #[serde(skip)]
    positions: bool,
}

impl Displayed {
    fn of(item: IriRef<'_>, positions: bool) -> Self {
        let output = simd_iri_lint::visual(item).into_owned();
        let offsets = simd_iri_lint::visual_offsets(item);
        let mut visual_to_logical = vec![0; offsets.len()];
        let mut logical_to_visual: Vec<usize> = (0..offsets.len()).collect();
        // Sorted by the byte offsets of their characters, the columns are in the order of the item.
        logical_to_visual.sort_by_key(|column| offsets.get(*column).copied());
        for (logical, column) in logical_to_visual.iter().enumerate() {
            if let Some(entry) = visual_to_logical.get_mut(*column) {
                *entry = logical;
            }
        }
        Self { output, visual_to_logical, logical_to_visual, offsets, positions }
    }
}

impl ItemOutput for Displayed {
    fn each_line(&self, write: &mut Line<'_>) -> io::Result<()> {
        if !self.positions {
            return write(self.output.as_bytes());
        }
        let places = self.visual_to_logical.iter().zip(&self.offsets);
        for (column, (c, (logical, offset))) in self.output.chars().zip(places).enumerate() {
            write(format!("{} {} {offset} {c}", column + 1, logical + 1).as_bytes())?;
        }
        Ok(())
    }
}

pub(crate) fn run(args: &BidiArgs, out: &mut Outputs) -> Result<Outcome, Failure> {
    if args.unembed {
        return transform::run(&args.transform, out, |item, made: &mut Text| {
            made.output = unembed(utf8(item)?).into_owned();
            // Positions in an error are positions in the text without marks.
            IriRef::parse(&made.output)?;
            Ok(())
        });
    }
    if let Some(base) = args.embed {
        let (before, after) = (args.before.as_deref(), args.after.as_deref());
        let embed = Embed::new(base.into()).marks(args.marks);
        let embed = embed.before(before.unwrap_or_default()).after(after.unwrap_or_default());
        return transform::run(&args.transform, out, |item, made: &mut Text| {
            made.output = embed.map(IriRef::parse_bytes(item)?).into_owned();
            Ok(())
        });
    }
    transform::run(&args.transform, out, |item, made: &mut Displayed| {
        *made = Displayed::of(IriRef::parse_bytes(item)?, args.positions);
        Ok(())
    })
}
