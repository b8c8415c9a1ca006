//! Dot segments: finds out whether a path has them, and removes them (RFC 3986, section 5.2.4).
//!
//! Not here: what a path is merged with (`resolve`).

use alloc::string::String;

use crate::scan::follower;

/// Tells whether a segment of `path` is `.` or `..`.
#[inline]
pub(crate) fn has_dot_segment(path: &str) -> bool {
    dot_segment(path).is_some()
}

/// The place of the first segment of `path` that is `.` or `..`. One pass.
pub(super) fn dot_segment(path: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        // Hardly any path has a segment that begins with a dot.
        at = follower(path.as_bytes(), at, b'/', b'.');
        let rest = path.as_bytes().get(at..).unwrap_or_default();
        match rest {
            [] => return None,
            [b'.'] | [b'.', b'/', ..] | [b'.', b'.'] | [b'.', b'.', b'/', ..] => return Some(at),
            _ => at += 1,
        }
    }
}

/// Follows the dot segments with which a relative path begins: where they lead, from a directory that
/// begins and ends with a slash and has none itself, and what is left of the path. What is left
/// begins with a slash only if none was followed.
pub(super) fn climbed<'d, 'p>(directory: &'d str, path: &'p str) -> (&'d str, &'p str) {
    let (mut at, mut rest) = (directory, path);
    loop {
        let (is_up, next) = match rest.as_bytes() {
            [b'.', b'.', b'/', ..] => (true, 3),
            [b'.', b'/', ..] => (false, 2),
            b".." => (true, 2),
            b"." => (false, 1),
            // Two slashes together may mean an authority.
            [b'/', ..] => return (directory, path),
            _ => return (at, rest),
        };
        rest = rest.get(next..).unwrap_or_default();
        if is_up {
            let above = at.strip_suffix('/').unwrap_or_default();
            let last = memchr::memrchr(b'/', above.as_bytes());
            at = at.get(..last.map_or(1, |last| last + 1)).unwrap_or_default();
        }
    }
}

/// Appends to `out` a path without its dot segments: that of `segments`, with slashes between them.
pub(crate) fn push_without<'a>(out: &mut String, segments: impl Iterator<Item = &'a str>) {
    push_without_as(out, segments, dots, |segment, out| out.push_str(segment));
}

/// [`push_without`], with a function that counts the dots of a dot segment, and one that appends another segment.
///
/// This is the loop of section 5.2.4 for a path that is known segment by segment. Each segment is
/// moved once and removed at most once, so that it is linear.
pub(crate) fn push_without_as<'a>(
    out: &mut String,
    segments: impl Iterator<Item = &'a str>,
    dots: impl Fn(&str) -> Option<usize>,
    push: impl Fn(&str, &mut String),
) {
    let floor = out.len();
    let mut segments = segments.peekable();
    // Steps A and D: before the first slash, dot segments mean nothing.
    for segment in segments.by_ref() {
        if dots(segment).is_none() {
            push(segment, out);
            break;
        }
    }
    while let Some(segment) = segments.next() {
        // Steps B and C: here, or up by one segment. At the end of a path a slash stays.
        if let Some(dots) = dots(segment) {
            if dots == 2 {
                let path = out.as_bytes().get(floor..).unwrap_or_default();
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

/// How many dots a segment consists of, if that is one or two.
pub(crate) fn dots(segment: &str) -> Option<usize> {
    matches!(segment.as_bytes(), [b'.'] | [b'.', b'.']).then_some(segment.len())
}

/// The same for a segment of which unreserved characters are to be decoded.
pub(crate) fn decoded_dots(segment: &str) -> Option<usize> {
    let after = after_dot(segment.as_bytes())?;
    if after.is_empty() {
        return Some(1);
    }
    after_dot(after)?.is_empty().then_some(2)
}

/// What follows a dot, encoded or not.
fn after_dot(text: &[u8]) -> Option<&[u8]> {
    match text {
        [b'.', rest @ ..] | [b'%', b'2', b'E' | b'e', rest @ ..] => Some(rest),
        _ => None,
    }
}
