//! What the benchmarks share: the libraries that are compared, the references
//! they read, and the check that all of them give the same answers.
//!
//! Nothing here is timed and nothing here prints: that is for `parse.rs` and
//! `validate.rs` (criterion) and for the programs in `src/bin`.

pub mod agreement;
pub mod corpora;
mod generate;
pub mod libraries;
