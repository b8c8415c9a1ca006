//! Finds the items of a chunk that normalization may change (RFC 3986, sections 6.2.2 and 6.2.3).
//!
//! An item is in normal form for certain if it has no percent sign, no dot after a slash, no byte that may begin a
//! bidi formatting character, no upper-case letter up to the end of its host, and after an authority no port and a path.
//! Cursors find these signs in all items of a chunk at once. The prescan of one reference
//! (`transform/normalize/prescan.rs`) is more exact.
#![forbid(unsafe_code)]

use super::chunk::{Chunk, ItemSet};
use crate::parse::{Parts, Rule, locate};
use crate::scan::CpuLevel;
use crate::tables::HighSet;
use crate::transform::BIDI_CONTROL_PAIRS;

/// Returns the items of a chunk that match the rule and do not have a sign of a change. The search has already found
/// the sure items without a sign.
pub(super) fn items(level: CpuLevel, rule: Rule, chunk: &Chunk<'_>) -> ItemSet {
    let sure = chunk.sure();
    let mut normal = sure.and(ItemSet(chunk.found.normal));
    for number in chunk.unsure {
        let bytes = chunk.item(number);
        let is_normal = |parts: Parts| !has_sign(bytes, parts);
        normal.set(number, locate(level, rule, bytes).is_ok_and(is_normal));
    }
    normal
}

/// Tells whether a reference has a sign of a change. This is the definition for the cursors.
fn has_sign(text: &[u8], parts: Parts) -> bool {
    let [_, _, _, host_end, path, path_end, ..] = parts.places();
    let mut before = None;
    parts.authority().is_some() && (host_end < path || path == path_end)
        || text.iter().enumerate().any(|(at, byte)| {
            let is_dot = *byte == b'.' && before == Some(b'/');
            before = Some(*byte);
            is_dot || is_sign(*byte) || at < host_end && byte.is_ascii_uppercase()
        })
}

/// Tells whether a byte is a sign wherever it stands: a percent sign, or a byte that may begin a bidi formatting
/// character.
fn is_sign(byte: u8) -> bool {
    let is_in = |set: &HighSet| set.bits >> (byte & 0x7F) & 1 == 1;
    byte == b'%' || !byte.is_ascii() && BIDI_CONTROL_PAIRS.iter().any(|[lead, _]| is_in(lead))
}
