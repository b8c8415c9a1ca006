//! `iri prepare`: repairs arbitrary strings so that they are references (RFC 3987, section 7.2).

use std::io;

use serde::Serialize;
use simd_iri::{IriBuf, IriRef, Mapped, kind};
use simd_iri_rules::{StillWrapped, Wrapper};
use simd_iri_text::{Context, Prepared, Repair, RepairSet};

use crate::args::base::base;
use crate::args::repairs::{self, Spaces};
use crate::args::scheme::scheme;
use crate::args::transform::TransformArgs;
use crate::io::files::Outputs;
use crate::io::text::utf8;
use crate::item_error::Message;
use crate::output::report::{Failure, Label, Outcome, Remark};
use crate::recipe::{RecipeArgs, Repairs, RuleArgs};
use crate::transform::{self, ItemOutput, Line, Text};

const EXAMPLES: &str = "\
Examples:
  iri prepare --context typed -i www.a.example/é  print https://www.a.example/é
  iri prepare --explain links.txt                 report each repair on standard error
  iri prepare --profile strict --json links.txt   a JSON object for every line, with its repairs
  iri prepare --recipe rdf links.txt              repair what a recipe says
  iri prepare --split -i 'a|b http://c.example'   prepare each word by itself
  iri prepare --unwrap 2 --explain links.txt      links out of Safe Links, Proofpoint and others
  iri prepare --spaces remove -i 'http://a.example/b c'  print http://a.example/bc";

/// Repair arbitrary strings so that they are references
///
/// Repairs what people, programs and documents do to references (RFC 3987, section 7.2). An item that
/// cannot be repaired is an error.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct PrepareArgs {
    #[command(flatten)]
    pub(super) transform: TransformArgs,

    #[command(flatten)]
    pub(super) recipe: RecipeArgs,

    /// How much to repair
    #[arg(long, value_parser = repairs::profile(), default_value_t = RepairSet::BrowserLike)]
    #[arg(conflicts_with = "recipe")]
    profile: RepairSet,

    /// The source of the items
    #[arg(long, value_parser = repairs::context(), default_value_t = Context::Plain, conflicts_with = "recipe")]
    context: Context,

    /// Split each item at white space, and print each part on a line of its own
    ///
    /// In JSON, the parts are in the array outputs. If a part cannot be repaired, the item fails.
    #[arg(long, conflicts_with = "charset")]
    split: bool,

    /// What to do with spaces inside an item, whatever the profile says
    #[arg(long, value_enum, conflicts_with = "recipe")]
    spaces: Option<Spaces>,

    /// The scheme of a host that was typed without one
    #[arg(long, value_name = "NAME", value_parser = scheme, default_value = "https")]
    #[arg(conflicts_with = "recipe")]
    scheme: String,

    /// Resolve every reference relative to this IRI
    ///
    /// As in browsers, an item loses the scheme of the base if no authority follows it: relative to an
    /// http base, http:/foo is /foo.
    #[arg(long, value_name = "IRI", value_parser = base, conflicts_with = "recipe")]
    base: Option<IriBuf>,

    /// Take links out of the links that mail filters and sites put around them, up to this many levels
    ///
    /// Known are Safe Links, Proofpoint 1 to 3, Google, Facebook, Instagram, YouTube, LinkedIn and DuckDuckGo, and the
    /// wrappers of --query-rules. What is in a wrapper and is no link stays as it is; --explain and --json say why.
    #[arg(long, value_name = "LEVELS", value_parser = clap::value_parser!(u8).range(..=5), default_value_t = 0)]
    #[arg(conflicts_with = "recipe")]
    unwrap: u8,

    #[command(flatten)]
    pub(super) rules: RuleArgs,

    /// Report each repair on standard error, up to 1,000 for an item
    #[arg(long, conflicts_with = "json")]
    explain: bool,
}

/// A reference, and its repairs if they are reported.
#[derive(Default, Serialize)]
struct PreparedItem {
    #[serde(flatten)]
    reference: Text,
    repairs: Vec<ReportedRepair>,
    /// The number of repairs that are not in the list.
    #[serde(skip_serializing_if = "is_zero")]
    unlisted: usize,
    /// What was unwrapped, the outermost wrapper first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unwrapped: Vec<&'static str>,
    /// Why the reference is still a wrapped link.
    #[serde(skip_serializing_if = "Option::is_none")]
    still_wrapped: Option<&'static str>,
}

/// What is done to a reference after it is repaired.
struct After<'r> {
    levels: u8,
    /// The rules whose wrappers are unwrapped.
    wrappers: &'r RuleArgs,
    /// The rules that are applied to queries.
    rules: &'r RuleArgs,
    /// Whether repairs and wrappers are reported.
    is_reported: bool,
}

/// The references of an item that was split.
#[derive(Default, Serialize)]
struct SplitItem {
    outputs: Vec<PreparedItem>,
}

/// Tells whether a number is omitted from JSON.
const fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// A repair, as it is reported.
#[derive(Serialize)]
struct ReportedRepair {
    code: &'static str,
    message: Message,
    start: usize,
    end: usize,
}

impl From<Repair> for ReportedRepair {
    fn from(repair: Repair) -> Self {
        let span = repair.span();
        Self {
            code: repair.kind().name(),
            message: Message::other(repair),
            start: span.start,
            end: span.end,
        }
    }
}

impl PreparedItem {
    /// Returns the result of an item, or of a part of an item. A whole item often is its own result.
    fn of(item: Option<&[u8]>, prepared: Prepared<'_>, after: &After<'_>) -> Self {
        let mut made = Self::repairs_of(&prepared, after.is_reported);
        let reference = made.done(prepared.into_reference(), after);
        // A shorter text is a part of the item, with spaces around it, and is not the item itself.
        let is_item =
            |view: &IriRef<'_>| item.is_some_and(|item| view.as_str().len() == item.len());
        made.reference.set_text(match reference {
            Mapped::Borrowed(view) if is_item(&view) => None,
            reference => Some(reference.into_owned().into_string()),
        });
        made
    }

    /// Returns a repaired reference without its wrappers, and by the rules.
    fn done<'a>(
        &mut self,
        reference: Mapped<'a, kind::IriReference>,
        after: &After<'_>,
    ) -> Mapped<'a, kind::IriReference> {
        if after.levels == 0 {
            return after.rules.apply(reference);
        }
        let (reference, wrappers, still_wrapped) = after.wrappers.unwrap(after.levels, reference);
        if after.is_reported {
            self.unwrapped = wrappers.into_iter().map(Wrapper::name).collect();
            self.still_wrapped = still_wrapped.map(StillWrapped::name);
        }
        after.rules.apply(reference)
    }

    /// Returns a result without its reference.
    fn repairs_of(prepared: &Prepared<'_>, repairs: bool) -> Self {
        let mut made = Self::default();
        if repairs {
            made.repairs.extend(prepared.repairs().iter().copied().map(ReportedRepair::from));
            made.repairs.sort_by_key(|repair| repair.start);
            made.unlisted = prepared.unlisted_repairs();
        }
        made
    }
}

impl ItemOutput for PreparedItem {
    fn is_item(&self) -> bool {
        self.reference.is_item()
    }

    fn complete(&mut self, item: &[u8]) {
        self.reference.complete(item);
    }

    fn each_line(&self, write: &mut Line<'_>) -> io::Result<()> {
        self.reference.each_line(write)
    }

    fn remarks(&self, item: &[u8]) -> Vec<Remark> {
        let remark = |repair: &ReportedRepair| Remark {
            start: repair.start,
            end: repair.end,
            label: Label { severity: "note", check: "", code: repair.code },
            of: None,
            message: repair.message.clone(),
        };
        let mut remarks: Vec<_> = self.repairs.iter().map(remark).collect();
        if self.unlisted > 0 {
            let (start, end) = remarks.last().map_or((0, 0), |last| (last.end, last.end));
            let label = Label { severity: "note", check: "", code: "" };
            let message = format!("{} more repairs", self.unlisted).into();
            remarks.push(Remark { start, end, label, of: None, message });
        }
        let mut about_link = |code, message: String| {
            let label = Label { severity: "note", check: "", code };
            remarks.push(Remark {
                start: 0,
                end: item.len(),
                label,
                of: None,
                message: message.into(),
            });
        };
        for wrapper in &self.unwrapped {
            about_link("unwrapped", format!("the link was in a wrapper: {wrapper}"));
        }
        if let Some(reason) = self.still_wrapped {
            about_link("still-wrapped", format!("the link is still in a wrapper: {reason}"));
        }
        remarks
    }
}

impl ItemOutput for SplitItem {
    fn each_line(&self, write: &mut Line<'_>) -> io::Result<()> {
        self.outputs.iter().try_for_each(|made| made.each_line(write))
    }

    fn remarks(&self, item: &[u8]) -> Vec<Remark> {
        self.outputs.iter().flat_map(|output| output.remarks(item)).collect()
    }
}

pub(crate) fn run(args: &PrepareArgs, out: &mut Outputs) -> Result<Outcome, Failure> {
    let options;
    let prepare = match &args.recipe.recipe {
        Some(recipe) => {
            let Some(repairs) = &recipe.prepare else {
                return Err("the recipe has no table prepare".into());
            };
            repairs.prepare(recipe.base.as_ref())
        }
        None => {
            options = Repairs {
                profile: args.profile,
                context: Some(args.context),
                spaces: args.spaces,
                scheme: Some(args.scheme.clone()),
            };
            options.prepare(args.base.as_ref())
        }
    };
    let (levels, wrappers) = match &args.recipe.recipe {
        Some(recipe) => (recipe.unwrap, recipe.rules()),
        None => (args.unwrap, &args.rules),
    };
    let is_reported = args.explain || args.transform.json;
    let after = After { levels, wrappers, rules: &args.rules, is_reported };
    if args.split {
        return transform::run(&args.transform, out, |item, made: &mut SplitItem| {
            made.outputs.clear();
            for prepared in prepare.prepare_each(utf8(item)?) {
                made.outputs.push(PreparedItem::of(None, prepared?, &after));
            }
            Ok(())
        });
    }
    transform::run(&args.transform, out, |item, made: &mut PreparedItem| {
        // This frees the memory of the last result before the next result is made.
        *made = PreparedItem::default();
        *made = PreparedItem::of(Some(item), prepare.prepare_bytes(item)?, &after);
        Ok(())
    })
}
