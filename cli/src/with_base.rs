//! The loop of the commands that have a base: one base for all items, or a base in a column before each
//! item. Not here: what a command does with an item and its base.

use simd_iri::{Base, Iri, kind};

use crate::args::base::BaseArgs;
use crate::io::files::Outputs;
use crate::item_error::ItemError;
use crate::output::report::{Failure, Outcome};
use crate::transform::{self, Text};

/// Calls `make` with every item and its base.
///
/// # Errors
/// The output cannot be written.
pub(crate) fn run(
    args: &BaseArgs,
    out: &mut Outputs,
    make: impl Fn(Base<'_, kind::Iri>, &[u8], &mut Text) -> Result<(), ItemError> + Sync,
) -> Result<Outcome, Failure> {
    if let Some(base) = &args.base {
        let base = Base::new(base.view());
        return transform::run(&args.transform, out, |item, made| make(base, item, made));
    }
    transform::pairs(&args.transform, &["base", "reference"], out, |[base, item], made| {
        let base = Iri::parse_bytes(base).map_err(|error| ItemError::from(error).of("base"))?;
        make(Base::new(base), item, made).map_err(|error| error.of("reference"))
    })
}
