//! The format `cdxj`, the index of web archives: a sort key, a time, and a JSON object a line.

use crate::format::field::Record;
use crate::format::{json, lines};
use crate::item_error::ItemError;

/// Finds the line that begins at `at`, and the string that the pointer names in its object. A line that
/// begins with `!` describes the file.
pub(crate) fn next(pointer: &json::Pointer, block: &[u8], at: usize, record: &mut Record) {
    let line = lines::filled(block, at, record);
    record.is_filler |= line.starts_with(b"!");
    if record.is_filler {
        return;
    }
    match object(line) {
        Some(start) => {
            json::locate(pointer, line.get(start..).unwrap_or_default(), at + start, record);
        }
        None => {
            record.error = Some(ItemError::whole("no-field", "the line has no JSON object", line));
        }
    }
}

/// Returns where the object of a line begins. A key may have braces, as the path that it was made of, but no white space.
fn object(line: &[u8]) -> Option<usize> {
    // A line without a key and a time is an object alone.
    let is_after_space = |pair: &[u8]| matches!(pair, [b' ' | b'\t', b'{']);
    let after_key = line.windows(2).position(is_after_space).map(|space| space + 1);
    if line.starts_with(b"{\"") {
        Some(0)
    } else {
        after_key.or(line.starts_with(b"{").then_some(0))
    }
}
