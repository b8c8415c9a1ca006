//! Classes of equivalent records, for `dedup` and `join`: exact, whatever the size of the input, in a memory
//! that is bounded.
//!
//! ```text
//! workers ──keys──▶ the set that all workers share
//!    └──in turn──▶ collector ──▶ output, while all keys are in memory
//!                    │    │
//!                records  sorter ──▶ output, at the end
//!                    │
//!                 files on disk, each read like the input
//! ```
//!
//! Not here: what the key of an address is (`recipe`).

pub(crate) mod collector;
pub(crate) mod found;
pub(crate) mod keyer;
pub(crate) mod keys;
pub(crate) mod sorter;
pub(crate) mod spool;
pub(crate) mod worker;
