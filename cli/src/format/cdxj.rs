//! The format `cdxj`, the index of web archives: a sort key, a time, and a JSON object a line.

use memchr::memchr;

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
    match memchr(b'{', line) {
        Some(start) => {
            json::locate(pointer, line.get(start..).unwrap_or_default(), at + start, record);
        }
        None => {
            record.error = Some(ItemError::whole("no-field", "the line has no JSON object", line));
        }
    }
}
