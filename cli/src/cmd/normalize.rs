//! `iri normalize`: prints references in their normal form (RFC 3987, section 5.3).

use simd_iri::{DecodePolicy, IriRef, Mapped, Rule, UriRef};

use crate::args::kind;
use crate::args::policy::policy;
use crate::args::rules::{self, NormalLevel, NormalRule};
use crate::args::transform::TransformArgs;
use crate::io::files::Outputs;
use crate::output::report::{Failure, Outcome};
use crate::recipe::{Edits, RecipeArgs};
use crate::transform::{self, Before, Text, Unchanged};

const EXAMPLES: &str = "\
Examples:
  iri normalize -i HTTP://a.example/b/../%7ec     print http://a.example/~c
  iri normalize --level syntax --as uri links.txt  keep default ports and empty paths, allow only URIs
  iri normalize --level scheme-idna links.txt      normalize domain names too
  iri normalize --rule ipv6,mailto links.txt       apply rules that no level has
  iri normalize --recipe crawler links.txt         do what a recipe says
  iri normalize --drop-query 'utm_*' --drop-fragment links.txt  drop pairs of queries, and fragments
  iri normalize links.txt | sort -u               each normal form once";

/// Print references in their normal form
///
/// Normalizes case, triplets and dot segments (RFC 3987, section 5.3.2), and default ports and empty paths
/// (section 5.3.3). With --level syntax, ports and empty paths stay.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct NormalizeArgs {
    #[command(flatten)]
    pub(super) transform: TransformArgs,

    #[command(flatten)]
    pub(super) edits: Edits,

    #[command(flatten)]
    pub(super) recipe: RecipeArgs,

    /// How much to normalize
    #[arg(long, value_enum, default_value_t = NormalLevel::Scheme, conflicts_with = "recipe")]
    level: NormalLevel,

    /// A rule in addition to the level; may be repeated
    #[arg(long = "rule", value_name = "RULE", value_enum, value_delimiter = ',')]
    #[arg(conflicts_with = "recipe")]
    rules: Vec<NormalRule>,

    /// Which triplets of IRIs to decode
    #[arg(long, value_parser = policy(), default_value_t = DecodePolicy::Default, conflicts_with = "recipe")]
    policy: DecodePolicy,

    /// The kind that every item must be; in URIs, only ASCII is decoded
    #[arg(long = "as", value_name = "KIND", value_parser = kind::kind(), default_value = "iri-reference")]
    #[arg(conflicts_with = "recipe")]
    kind: Rule,
}

pub(crate) fn run(args: &NormalizeArgs, out: &mut Outputs) -> Result<Outcome, Failure> {
    if let Some(recipe) = &args.recipe.recipe {
        return transform::run(&args.transform, out, |item, made: &mut Text| {
            // This frees the memory of the last result before the next result is made.
            *made = Text::default();
            let edited = args.edits.apply(recipe.apply(item)?)?;
            made.output = edited.into_owned().into_string();
            Ok(())
        });
    }
    let rules = rules::with(args.level.into(), &args.rules).policy(args.policy);
    let rule = args.kind;
    // If the items must be URIs, the results must be URIs too. So only ASCII is decoded.
    let is_uri = kind::is_uri(args.kind);
    let has_edits = !args.edits.is_empty();
    let unchanged = (!has_edits).then_some(Unchanged::Normal(rule, rules));
    let before = Before { unchanged, hide: None };
    transform::run_after(&args.transform, before, out, |item, made: &mut Text| {
        let mut edited = Mapped::Borrowed(IriRef::parse_as_bytes(args.kind, item)?);
        if has_edits {
            edited = args.edits.apply(edited)?;
        }
        let is_item = edited.is_borrowed();
        if is_uri {
            made.set_normal(UriRef::try_from(edited.view())?, rules, is_item)?;
        } else {
            made.set_normal(edited.view(), rules, is_item)?;
        }
        Ok(())
    })
}
