//! Counts the parts of addresses, in a bounded memory, and shows the counts.
//!
//! ```text
//! worker 1: small tables ─┐ when a table is full, and at the end
//! worker 2: small tables ─┴──▶ totals ──▶ summary ──▶ table, JSON, page
//! ```
//!
//! Here: sketches (`top`, `distinct`, `bins`), counting (`counters`), the numbers that are shown (`summary`), and
//! their output (`table`, `page` with `chart`). Not here: how input is read.

pub(crate) mod bins;
pub(crate) mod chart;
pub(crate) mod counters;
pub(crate) mod distinct;
pub(crate) mod page;
pub(crate) mod summary;
pub(crate) mod table;
pub(crate) mod top;
