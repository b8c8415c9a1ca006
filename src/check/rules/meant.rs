//! What a text stands for: the characters of its triplets, and the name that a resolver looks up for a
//! host.
//!
//! Programs decode triplets and map names by UTS #46 before they look up a host. So hosts are judged in
//! that form, and findings have their places in the text as it is written. Not here: the judgement
//! (`host`, `scripts`, `lookalikes`).

use alloc::borrow::Cow;
use core::ops::Range;

use super::unit::{Unit, unit};
use crate::transform::percent::decode;

/// The characters that a text stands for, each with its place in the text. U+FFFD stands for octets that
/// are not UTF-8. One pass.
pub(crate) fn characters(text: &str) -> impl Iterator<Item = (char, Range<usize>)> + Clone + '_ {
    let mut at = 0;
    core::iter::from_fn(move || {
        let c = text.get(at..)?.chars().next()?;
        let start = at;
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

/// Tells whether a host may stand for something else than its bytes say.
pub(crate) fn may_differ(host: &str) -> bool {
    let bytes = host.as_bytes();
    let has_ace = || memchr::memmem::find(bytes, b"--").is_some();
    !host.is_ascii() || memchr::memchr(b'%', bytes).is_some() || has_ace()
}

/// The name that a host stands for: triplets are decoded, and characters are mapped by UTS #46, as far
/// as that is possible. A host in plain ASCII is borrowed, in its own case. A few passes.
pub(crate) fn name(host: &str) -> Cow<'_, str> {
    if !may_differ(host) {
        return Cow::Borrowed(host);
    }
    let decoded = decode(host).lossy();
    Cow::Owned(mapped(&decoded).into_owned())
}

/// A name, or a label, without triplets as UTS #46 maps it.
#[cfg(feature = "idna")]
pub(crate) fn mapped(name: &str) -> Cow<'_, str> {
    crate::transform::mapped(name)
}

/// Without the tables of UTS #46, only its full stops are known.
#[cfg(not(feature = "idna"))]
pub(crate) fn mapped(name: &str) -> Cow<'_, str> {
    Cow::Owned(name.replace(crate::transform::LABEL_DOTS, "."))
}

/// Tells whether a label is in the form for the DNS.
pub(crate) fn is_ace(label: &str) -> bool {
    label.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("xn--"))
}
