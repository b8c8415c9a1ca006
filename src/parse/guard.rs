//! The guard of a path: `/.` before a path that begins with two slashes and follows no authority.
//!
//! Without the guard, a parser reads the text after the two slashes as an authority (RFC 3986, section 3.3). With it,
//! the path means the same, because `.` is a dot segment (section 5.2.4).
//!
//! ```text
//! a:/b/..//c   without its dot segments   a://c      wrong: `c` is a host
//!                                         a:/.//c    right
//! ```
#![forbid(unsafe_code)]

use alloc::string::String;

/// The dot segment that is put before a path.
pub(crate) const GUARD: &str = "/.";

/// Returns the text that must stand before a path with these bytes: [`GUARD`], or nothing. Reads two bytes.
#[inline]
pub(crate) fn guard(path: impl IntoIterator<Item = u8>, has_authority: bool) -> &'static str {
    let mut path = path.into_iter();
    let needs = !has_authority && path.next() == Some(b'/') && path.next() == Some(b'/');
    if needs { GUARD } else { "" }
}

/// Inserts the [`guard`] of a path before the path. The path is the end of `text`, from the byte offset `path` on.
/// Returns the number of bytes that are inserted.
#[inline]
pub(crate) fn insert_guard(text: &mut String, path: usize, has_authority: bool) -> usize {
    let guard = guard(text.bytes().skip(path), has_authority);
    if !guard.is_empty() {
        text.insert_str(path, guard);
    }
    guard.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::Rule;

    #[test]
    fn a_guarded_path_stays_a_path() {
        for path in ["", "/", "//", "///", "/a", "//a", "a//", "/.//"] {
            for before in ["a:", "a://b"] {
                let has_authority = before.len() > 2;
                let mut text = [before, path].concat();
                let inserted = insert_guard(&mut text, before.len(), has_authority);
                assert_eq!(text, [before, guard(path.bytes(), has_authority), path].concat());
                assert_eq!(inserted, text.len() - before.len() - path.len());
                let Ok(parts) = Rule::Iri.parse(&text) else { continue };
                assert_eq!(parts.authority().is_some(), has_authority, "{text}");
                assert_eq!(inserted > 0, !has_authority && path.starts_with("//"), "{text}");
            }
        }
    }
}
