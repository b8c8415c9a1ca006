//! What the benchmarks share: the libraries that are compared, the references
//! they read, the check that all of them give the same answers, and the clock.
//!
//! Nothing here prints: that is for `criterion.rs` and the programs in `src/bin`.

pub mod agreement;
pub mod buffers;
pub mod corpora;
mod generate;
pub mod job;
pub mod libraries;
pub mod measure;
pub mod median;
pub mod random;
pub mod work;
