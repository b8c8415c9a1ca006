//! The arguments of the commands that have a base, and how a base is read.

use simd_iri::{Error, Iri, IriBuf};
use simd_iri_text::{Prepare, RepairSet};

use crate::args::transform::TransformArgs;

/// The arguments of the commands that have a base.
#[derive(Debug, clap::Args)]
pub(crate) struct BaseArgs {
    /// The base of every item; it has a scheme, and is repaired as browsers do
    ///
    /// A base element of a page is an address of the page like the others. It changes the base of no other address; iri
    /// extract --reference resolves by it.
    #[arg(long, value_name = "IRI", required_unless_present = "pairs", value_parser = base)]
    pub(crate) base: Option<IriBuf>,

    /// Every item is a base, a tab, and a reference
    ///
    /// An error names the invalid column: base or reference.
    #[arg(long, conflicts_with = "base")]
    pub(crate) pairs: bool,

    #[command(flatten)]
    pub(crate) transform: TransformArgs,
}

/// Reads the base of an argument or of a recipe.
///
/// # Errors
/// Those of [`of_page`].
pub(crate) fn base(text: &str) -> Result<IriBuf, Error> {
    of_page(text.as_bytes())
}

/// Returns the address of a page as an IRI, with the repairs of browsers. So what a browser loads has links.
///
/// # Errors
/// The first violation of the address as it is written, if the repairs do not make an IRI of it.
pub(crate) fn of_page(address: &[u8]) -> Result<IriBuf, Error> {
    let prepared = Prepare::new(RepairSet::BrowserLike).prepare_bytes(address);
    match prepared.ok().and_then(|prepared| prepared.into_iri().ok()) {
        Some(iri) => Ok(iri),
        None => Iri::parse_bytes(address).map(IriBuf::from),
    }
}
