//! The arguments of the commands that have a base.

use simd_iri::IriBuf;

use crate::args::transform::TransformArgs;

/// The arguments of the commands that have a base.
#[derive(Debug, clap::Args)]
pub(crate) struct BaseArgs {
    /// The base of every item; it has a scheme
    ///
    /// A base element of a page is an address of the page like the others. It changes the base of no other address; iri
    /// extract --reference resolves by it.
    #[arg(long, value_name = "IRI", required_unless_present = "pairs")]
    pub(crate) base: Option<IriBuf>,

    /// Every item is a base, a tab, and a reference
    ///
    /// An error names the invalid column: base or reference.
    #[arg(long, conflicts_with = "base")]
    pub(crate) pairs: bool,

    #[command(flatten)]
    pub(crate) transform: TransformArgs,
}
