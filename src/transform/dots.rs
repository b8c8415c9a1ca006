//! Dot segments: finds out whether a path has them, and removes them (RFC 3986, section 5.2.4).
//!
//! [`push_without_as`] is the definition: the loop of the RFC. Where this loop would be too slow, `scan::rewrite` removes
//! dot segments with masks while it writes a reference, and tests compare it with the loop. [`climbed`] is the short way for
//! a path whose dot segments are all at its start.
//!
//! Not here: the merge of two paths (`resolve`).

/*
# The algorithm

`push_without_as` reads the segments of a path and writes each after a slash. A dot segment is not written:

    first segments, while they are `.` or `..`    drop them; write the next segment without a slash
    `.`                                           write nothing
    `..`                                          remove the last segment that is written, and its slash
    another segment                               write a slash and the segment
    `.` or `..` at the end of the path            then write a slash

For example, `/a/b/../c/.`. Its first segment is empty:

    segment        a     b       ..    c       .
    written   ""   /a    /a/b    /a    /a/c    /a/c/

# Invariants

- Text that is in `out` at the start (`floor`) stays: `..` removes nothing there.
- The result may begin with two slashes where the path did not: `/b/..//c` becomes `//c`. If no authority is before it,
  the caller inserts the guard `/.`.
*/

use alloc::string::String;
use core::iter;

use crate::scan::slice;
use crate::transform::dot_search::dot_after_slash;

/// Tells whether a segment of `path` is `.` or `..`.
#[inline]
pub fn has_dot_segment(path: &str) -> bool {
    dot_segment(path).is_some()
}

/// Returns the byte offset of the first segment of `path` that is `.` or `..`. One pass.
pub(super) fn dot_segment(path: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        at = dot_after_slash(path.as_bytes(), at);
        let rest = slice::bytes(path.as_bytes(), at..);
        match rest {
            [] => return None,
            [b'.'] | [b'.', b'/', ..] | [b'.', b'.'] | [b'.', b'.', b'/', ..] => return Some(at),
            _ => at += 1,
        }
    }
}

/// Follows the dot segments at the start of a relative path, from a directory that begins and ends with a
/// slash and has no dot segments. Returns the directory to which they lead, and the rest of the path. For
/// example, `/a/b/` and `./../c` lead to `/a/` and `c`.
///
/// If the rest would begin with a slash, no dot segment is followed, and both arguments are returned.
pub(super) fn climbed<'d, 'p>(directory: &'d str, path: &'p str) -> (&'d str, &'p str) {
    let (mut at, mut rest) = (directory, path);
    loop {
        let (is_up, next) = match rest.as_bytes() {
            [b'.', b'.', b'/', ..] => (true, 3),
            [b'.', b'/', ..] => (false, 2),
            b".." => (true, 2),
            b"." => (false, 1),
            // The slash of the directory and this slash could begin an authority.
            [b'/', ..] => return (directory, path),
            _ => return (at, rest),
        };
        rest = slice::text(rest, next..);
        if is_up {
            let above = at.strip_suffix('/').unwrap_or_default();
            let last = memchr::memrchr(b'/', above.as_bytes());
            at = slice::text(at, ..last.map_or(1, |last| last + 1));
        }
    }
}

/// Returns the segments of a path: what is between its slashes.
///
/// They are the parts of `split('/')`, and a path may have as many segments as bytes.
/// Measured: `docs/performance/notes.md`, "Resolution".
pub fn segments(path: &str) -> impl Iterator<Item = &str> + Clone {
    const AT_FIRST: usize = 16;
    let mut rest = Some(path);
    iter::from_fn(move || {
        let path = rest?;
        let bytes = path.as_bytes();
        let end = bytes.iter().take(AT_FIRST).position(|byte| *byte == b'/').or_else(|| {
            let after = bytes.get(AT_FIRST..)?;
            memchr::memchr(b'/', after).map(|at| at + AT_FIRST)
        });
        rest = end.map(|end| slice::text(path, end + 1..));
        Some(end.map_or(path, |end| slice::text(path, ..end)))
    })
}

/// Appends to `out` the path of these segments, with slashes between them and without its dot segments.
pub(crate) fn push_without<'a>(out: &mut String, segments: impl Iterator<Item = &'a str>) {
    push_without_as(out, segments, dots, |segment, out| out.push_str(segment));
}

/// `push_without` with functions that recognise a dot segment and write another segment: `dots` returns the number
/// of dots of a dot segment, and `push` appends any other segment.
///
/// This is the loop of section 5.2.4, segment by segment. Each segment is written once and removed at most
/// once: linear time.
pub fn push_without_as<'a>(
    out: &mut String,
    segments: impl Iterator<Item = &'a str>,
    dots: impl Fn(&str) -> Option<usize>,
    push: impl Fn(&str, &mut String),
) {
    let floor = out.len();
    let mut segments = segments.peekable();
    // Steps A and D: dot segments before the first slash are dropped, with the slash after them.
    for segment in segments.by_ref() {
        if dots(segment).is_none() {
            push(segment, out);
            break;
        }
    }
    while let Some(segment) = segments.next() {
        // Steps B and C: a dot segment goes with the slash before it; `..` also removes the last segment that is
        // written. At the end of the path, the slash stays.
        if let Some(dots) = dots(segment) {
            if dots == 2 {
                let path = slice::bytes(out.as_bytes(), floor..);
                out.truncate(floor + memchr::memrchr(b'/', path).unwrap_or_default());
            }
            if segments.peek().is_none() {
                out.push('/');
            }
        } else {
            out.push('/');
            push(segment, out);
        }
    }
}

/// Returns the number of dots of a dot segment, 1 or 2; `None` for any other segment.
pub fn dots(segment: &str) -> Option<usize> {
    matches!(segment.as_bytes(), [b'.'] | [b'.', b'.']).then_some(segment.len())
}

/// [`dots`], where a dot may also be written as the triplet `%2E`.
pub fn decoded_dots(segment: &str) -> Option<usize> {
    let after = after_dot(segment.as_bytes())?;
    if after.is_empty() {
        return Some(1);
    }
    after_dot(after)?.is_empty().then_some(2)
}

/// Tells whether a text has a dot that is written as the triplet `%2E`. One pass.
///
/// The loop does not exit early, so that the compiler vectorizes it. A text may have many triplets.
pub fn has_encoded_dot(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (second, third) = (bytes.iter().skip(1), bytes.iter().skip(2));
    bytes.iter().zip(second).zip(third).fold(false, |found, ((first, second), third)| {
        found | (*first == b'%') & (*second == b'2') & (*third | 0x20 == b'e')
    })
}

/// Returns the text after the dot with which `text` begins, encoded or not.
fn after_dot(text: &[u8]) -> Option<&[u8]> {
    match text {
        [b'.', rest @ ..] | [b'%', b'2', b'E' | b'e', rest @ ..] => Some(rest),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::scan::{Changes, CpuLevel, Rewrite};
    use crate::transform::triplets::Certain;

    /// Every path of at most five segments of these kinds, each after a slash.
    fn paths() -> Vec<String> {
        let mut paths = Vec::from([String::new()]);
        let mut begin = 0;
        for _ in 0..5 {
            let end = paths.len();
            for number in begin..end {
                for kind in ["", "a", ".", "..", "...", ".b", "c."] {
                    paths.push([&paths[number], "/", kind].concat());
                }
            }
            begin = end;
        }
        paths
    }

    fn defined(path: &str) -> String {
        let mut out = String::new();
        push_without(&mut out, path.split('/'));
        out
    }

    #[test]
    fn the_definition_removes_what_the_rfc_shows() {
        for (path, expected) in [
            ("/a/b/c/./../../g", "/a/g"),
            ("mid/content=5/../6", "mid/6"),
            ("/..", "/"),
            ("..", ""),
            ("/a/.", "/a/"),
            ("/b/..//c", "//c"),
        ] {
            assert_eq!(defined(path), expected, "{path}");
        }
    }

    #[test]
    fn the_masks_remove_what_the_definition_removes() {
        for path in paths() {
            // From 0 bytes before the path to a path that begins in the second block.
            for before in [0, 1, 50, 60, 63, 64] {
                let text = ["a".repeat(before), path.clone()].concat();
                let expected = ["a".repeat(before), defined(&path)].concat();
                let changes = Changes { path: before..text.len(), ..Changes::default() };
                let level = CpuLevel::best();
                let mut out = String::new();
                let job = Rewrite::<Certain, 0>::of(&text, &changes, &[], &mut out);
                assert!(level.run(job).is_some());
                assert_eq!(out, expected, "{path}");
            }
        }
    }

    #[test]
    fn segments_are_what_is_between_slashes() {
        for path in paths() {
            for length in [0, 1, 14, 15, 16, 17, 40] {
                let path = ["é".repeat(length / 2), "a".repeat(length % 2), path.clone()].concat();
                assert!(segments(&path).eq(path.split('/')), "{path}");
            }
        }
        assert!(segments("").eq([""]));
    }

    #[test]
    fn a_climb_leads_where_the_definition_leads() {
        let mut count = 0;
        for path in paths() {
            let Some(relative) = path.strip_prefix('/') else { continue };
            for directory in ["/", "/x/", "/x/y/", "//"] {
                let (above, rest) = climbed(directory, relative);
                if !has_dot_segment(rest) {
                    let expected = defined(&[directory, relative].concat());
                    assert_eq!([above, rest].concat(), expected, "{directory} {relative}");
                    count += 1;
                }
            }
        }
        assert!(count > 10_000, "{count}");
    }
}
