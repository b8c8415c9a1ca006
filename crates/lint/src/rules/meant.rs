//! The meaning of a text: the characters of its triplets, and the name that a resolver looks up for a host.
//!
//! Programs decode triplets and map names by UTS #46 before they look up a host. So the checks read the decoded and
//! mapped host. The positions of findings are positions in the text as it is written. Not here: the checks (`host`,
//! `scripts`, `lookalikes`).

use alloc::borrow::Cow;
use core::ops::Range;

use super::unit::{Unit, unit};
use simd_iri::low::slice;
use simd_iri::percent::decode;

/// Returns the characters for which a text stands, each with its byte offsets in the text. Octets that are
/// not UTF-8 become U+FFFD. One pass.
#[inline]
pub(crate) fn characters(text: &str) -> impl Iterator<Item = (char, Range<usize>)> + Clone + '_ {
    let mut at = 0;
    core::iter::from_fn(move || {
        let (start, byte) = (at, *text.as_bytes().get(at)?);
        let (c, length) = match byte.is_ascii() && byte != b'%' {
            true => (char::from(byte), 1),
            false => other_character(text, at),
        };
        at += length;
        Some((c, start..at))
    })
}

/// Returns the character outside ASCII, or the character for which the triplets stand, and its length in bytes.
fn other_character(text: &str, at: usize) -> (char, usize) {
    match unit(text.as_bytes(), at) {
        Some((Unit::Ascii(byte), _)) => (char::from(byte), 3),
        Some((Unit::Character(c), count)) => (c, 3 * count),
        Some((Unit::Overlong | Unit::Other, count)) => (char::REPLACEMENT_CHARACTER, 3 * count),
        None => {
            let c = slice::text(text, at..).chars().next().unwrap_or(char::REPLACEMENT_CHARACTER);
            (c, c.len_utf8())
        }
    }
}

/// Tells whether a host may stand for a name other than the host as it is written.
pub(crate) fn may_differ(host: &str) -> bool {
    let bytes = host.as_bytes();
    let has_ace = || memchr::memmem::find(bytes, b"--").is_some();
    !host.is_ascii() || memchr::memchr(b'%', bytes).is_some() || has_ace()
}

/// Tells whether a host certainly stands for no name of the DNS, because the name would be too long. No resolver looks up such
/// a host, so no check judges its letters. Reads at most a few hundred characters, besides invisible characters.
pub(crate) fn is_too_long(host: &str) -> bool {
    host.len() > simd_iri::low::LONGEST_LABEL
        && simd_iri::low::is_too_long(characters(host).map(|(c, _)| c))
}

/// Returns the name for which a host stands: decodes triplets, and maps characters by UTS #46 as far as
/// possible. Borrows a host in plain ASCII, without changing its case. A few passes.
pub(crate) fn name(host: &str) -> Cow<'_, str> {
    if !may_differ(host) {
        return Cow::Borrowed(host);
    }
    match decode(host).lossy() {
        Cow::Borrowed(name) => mapped(name),
        Cow::Owned(name) => Cow::Owned(mapped(&name).into_owned()),
    }
}

/// Tells whether the labels of a name that [`name`] gives for a host are certainly those that [`mapped`] gives for the labels
/// of the decoded host one by one. It is not certain if the host is so long that it is not mapped, or if UTS #46 refuses a
/// part of it: the rule for directions depends on the other labels.
pub(crate) fn is_of_labels(host: &str, name: &str) -> bool {
    host.len() <= LONGEST_MAPPED
        && !is_too_long(host)
        && !name.contains(char::REPLACEMENT_CHARACTER)
}

/// The length in bytes of the longest name that [`mapped`] maps.
const LONGEST_MAPPED: usize = simd_iri::low::LONGEST_NAME;

/// Maps a name or a label without triplets by UTS #46.
pub(crate) fn mapped(name: &str) -> Cow<'_, str> {
    simd_iri::low::mapped(name)
}

/// Tells whether a label begins with `xn--`, as A-labels do.
pub(crate) fn is_ace(label: &str) -> bool {
    label.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("xn--"))
}
