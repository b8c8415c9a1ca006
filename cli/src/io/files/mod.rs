//! The files that the program writes. Not here: what is written.
//!
//! ```text
//! plan ──▶ which files are read and written, and whether that is allowed
//! outputs ──▶ the outputs of a run: they get their names together, if the run is complete
//!     descriptor ──▶ a file that is open already: standard output, /dev/fd/3
//!     output ──▶ a stream, a device, or a pending file; compressed
//!         pending ──▶ a file that takes its name when it is complete
//! in_place ──▶ the replacement of an input
//! ```

mod attributes;
pub(crate) mod descriptor;
mod encode;
mod identity;
mod in_place;
mod output;
mod outputs;
mod pending;
mod plan;

pub(crate) use in_place::{backup_name, check_replaceable, replace};
pub(crate) use output::Output;
pub(crate) use outputs::Outputs;
pub(crate) use plan::{Named, OUTPUT, Plan};
