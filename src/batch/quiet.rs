//! Finds the items of a chunk in which a lint does not have a finding, by a prescan of each item.
//!
//! Not here: the prescan, and what a finding is (`check`).
#![forbid(unsafe_code)]

use super::chunk::{Bits, Chunk};
use crate::check::Lint;
use crate::parse::{Rule, locate};
use crate::scan::CpuLevel;

/// Returns the items of a chunk that match the rule and certainly do not have a finding. The parts of sure items are
/// known.
pub(super) fn items(level: CpuLevel, rule: Rule, lint: &Lint, chunk: &Chunk<'_>) -> Bits {
    let sure = chunk.sure();
    let bytes = |number| chunk.item(number);
    let mut quiet = Bits::NONE;
    for number in sure {
        quiet.set(number, lint.is_quiet(level, bytes(number), &chunk.found.rows.get(number)));
    }
    for number in chunk.unsure {
        let parts = locate(level, rule, bytes(number));
        quiet.set(number, parts.is_ok_and(|parts| lint.is_quiet(level, bytes(number), &parts)));
    }
    quiet
}
