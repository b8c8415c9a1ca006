//! The path of a CDX key: which segments stay, and which segments are the ids of sessions of ASP.NET.
//!
//! Not here: the percent-encoding of the path (`escape`).

use alloc::vec::Vec;

use memchr::{memchr, memrchr};

use super::neighbours::has_pair;

/// Drops the dot segments and the empty segments of the path that `out` has from `start` on. The path begins with `/`.
///
/// `.` goes. `..` goes with the segment before it, also if that segment is empty, and stays if there is no segment
/// before it. Then an empty segment stays at the end alone. This differs from RFC 3986: `/..` stays as it is, and
/// `/../..` is `/`.
// For example, `/a//./../b/` has the segments `a`, an empty one, `.`, `..`, `b` and an empty one. The dot segments go
// with the first empty segment, which gives `/a/b/`.
pub(super) fn drop_segments(start: usize, out: &mut Vec<u8>) {
    let path = out.get(start..).unwrap_or_default();
    if !has_pair(path, |a, b| (a == b'/') & ((b == b'/') | (b == b'.'))) {
        return;
    }
    let path = out.split_off(start);
    let mut kept = Vec::with_capacity(path.len());
    let mut rest = path.as_slice();
    while let Some((_, after)) = rest.split_first() {
        let segment = memchr(b'/', after).and_then(|end| after.get(..end)).unwrap_or(after);
        rest = after.get(segment.len()..).unwrap_or_default();
        match (segment, memrchr(b'/', &kept)) {
            (b".", _) => {}
            (b"..", Some(slash)) => kept.truncate(slash),
            _ => {
                kept.push(b'/');
                kept.extend_from_slice(segment);
            }
        }
    }
    // A slash before a slash begins an empty segment that is not the last one.
    for (number, byte) in kept.iter().enumerate() {
        if *byte != b'/' || kept.get(number + 1) != Some(&b'/') {
            out.push(*byte);
        }
    }
    if out.len() == start {
        out.push(b'/');
    }
}

/// The name that the path of a page of ASP.NET has after the id.
const PAGE: &[u8] = b".aspx";

/// Removes the ids of sessions of ASP.NET from the path that `out` has from `start` on: the last segment such as
/// `(S(…))`, then the last segment `(…)`, where `…` has 24 letters or digits and a later segment has `.aspx`.
pub(super) fn drop_sessions(start: usize, out: &mut Vec<u8>) {
    if memchr(b'(', out.get(start..).unwrap_or_default()).is_none() {
        return;
    }
    for is_session in [is_grouped as fn(&[u8]) -> bool, is_single] {
        let path = out.get(start..).unwrap_or_default();
        if let Some([from, to]) = last_session(path, is_session) {
            out.drain(start + from..start + to);
        }
    }
}

/// Returns the offsets of the last segment that is an id of a session, with the slash after it.
// From the end to the start. `page` is the end-most `.aspx` before the next question mark, which is the best answer to
// "does a `.aspx` follow, not at once, and no question mark before it?" for each segment before that question mark.
fn last_session(path: &[u8], is_session: fn(&[u8]) -> bool) -> Option<[usize; 2]> {
    let mut page = None;
    // The offset after the segment that is read, which is the offset of a slash or of the end.
    let mut end = path.len();
    for (at, byte) in path.iter().enumerate().rev() {
        match byte {
            b'?' => page = None,
            b'.' if page.is_none() && begins_with_page(path.get(at..)?) => page = Some(at),
            b'/' => {
                let segment = path.get(at + 1..end)?;
                // The part after the slash begins at `end + 1`, and has a byte before `.aspx`.
                if page.is_some_and(|page| page > end + 1) && is_session(segment) {
                    return Some([at + 1, end + 1]);
                }
                end = at;
            }
            _ => {}
        }
    }
    None
}

fn begins_with_page(text: &[u8]) -> bool {
    text.get(..PAGE.len()).is_some_and(|start| start.eq_ignore_ascii_case(PAGE))
}

/// Tells whether a segment is such as `(S(…))` or `(A(…)S(…))`.
fn is_grouped(segment: &[u8]) -> bool {
    let inner = segment.strip_prefix(b"(").and_then(|rest| rest.strip_suffix(b")"));
    let mut groups = inner.unwrap_or_default().chunks(1 + ID_IN_PARENTHESES).peekable();
    groups.peek().is_some()
        && groups.all(|group| {
            group
                .split_first()
                .is_some_and(|(letter, id)| letter.is_ascii_alphabetic() && is_single(id))
        })
}

/// How many bytes an id and its parentheses have.
const ID_IN_PARENTHESES: usize = 26;

/// Tells whether a segment is `(…)`.
fn is_single(segment: &[u8]) -> bool {
    let inner = segment.strip_prefix(b"(").and_then(|rest| rest.strip_suffix(b")"));
    segment.len() == ID_IN_PARENTHESES
        && inner.is_some_and(|id| id.iter().all(u8::is_ascii_alphanumeric))
}
