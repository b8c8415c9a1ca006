//! The meaning of a text: the characters of its triplets, and the name that a resolver looks up for a host.
//!
//! Programs decode triplets and map names by UTS #46 before they look up a host. So the checks read the decoded and
//! mapped host. The positions of findings are positions in the text as it is written. Not here: the checks (`host`,
//! `scripts`, `lookalikes`).

use alloc::borrow::Cow;
use core::ops::Range;

use super::unit::{Unit, unit};
use crate::scan::slice;
use crate::transform::percent::decode;

/// Returns the characters for which a text stands, each with its byte offsets in the text. Octets that are
/// not UTF-8 become U+FFFD. One pass.
pub(crate) fn characters(text: &str) -> impl Iterator<Item = (char, Range<usize>)> + Clone + '_ {
    let mut at = 0;
    core::iter::from_fn(move || {
        let start = at;
        let byte = *text.as_bytes().get(at)?;
        if byte.is_ascii() && byte != b'%' {
            at += 1;
            return Some((char::from(byte), start..at));
        }
        let c = slice::text(text, at..).chars().next()?;
        let (c, length) = match unit(text.as_bytes(), at) {
            Some((Unit::Ascii(byte), _)) => (char::from(byte), 3),
            Some((Unit::Character(c), count)) => (c, 3 * count),
            Some((Unit::Overlong | Unit::Other, count)) => (char::REPLACEMENT_CHARACTER, 3 * count),
            None => (c, c.len_utf8()),
        };
        at += length;
        Some((c, start..at))
    })
}

/// Tells whether a host may stand for a name other than the host as it is written.
pub(crate) fn may_differ(host: &str) -> bool {
    let bytes = host.as_bytes();
    let has_ace = || memchr::memmem::find(bytes, b"--").is_some();
    !host.is_ascii() || memchr::memchr(b'%', bytes).is_some() || has_ace()
}

/// Returns the name for which a host stands: decodes triplets, and maps characters by UTS #46 as far as
/// possible. Borrows a host in plain ASCII, without changing its case. A few passes.
pub(crate) fn name(host: &str) -> Cow<'_, str> {
    if !may_differ(host) {
        return Cow::Borrowed(host);
    }
    let decoded = decode(host).lossy();
    Cow::Owned(mapped(&decoded).into_owned())
}

/// Maps a name or a label without triplets by UTS #46.
#[cfg(feature = "idna")]
pub(crate) fn mapped(name: &str) -> Cow<'_, str> {
    crate::transform::mapped(name)
}

/// Without the tables of UTS #46, maps only its dots.
#[cfg(not(feature = "idna"))]
pub(crate) fn mapped(name: &str) -> Cow<'_, str> {
    Cow::Owned(name.replace(crate::transform::LABEL_DOTS, "."))
}

/// Tells whether a label begins with `xn--`, as A-labels do.
pub(crate) fn is_ace(label: &str) -> bool {
    label.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("xn--"))
}
