//! Findings about characters: normal forms, and characters that should be percent-encoded (RFC 3987,
//! sections 5.3.2.2 and 6.1).
//!
//! Not here: the properties of a character (the engine).

use alloc::string::String;
use core::ops::Range;

use unicode_normalization::UnicodeNormalization;

use super::components::{ComponentText, components};
use crate::code::Code;
use crate::finding::Reporter;
use crate::joiners::is_needed;
use crate::suggestion::Suggestion;
use simd_iri::IriRef;
use simd_iri::low::{Oddity, UNRESERVED, octet, slice, triplet_text};

/// Reports findings about the characters of a reference outside ASCII. Two passes.
pub(crate) fn check(iri: IriRef<'_>, reporter: &mut Reporter<'_>) {
    for part in components(iri, false).filter(|part| !part.text.is_ascii()) {
        if !is_nfc(part.text) {
            let nfc = Some(Suggestion::Nfc);
            reporter.report(Code::RepertoireNfc, part.component, part.span(), nfc, 0);
        }
        characters(&part, reporter);
    }
}

/// Reports the characters of a component that have a code. Consecutive characters of one code are one finding.
fn characters(part: &ComponentText<'_>, reporter: &mut Reporter<'_>) {
    let mut open: Option<(Code, Range<usize>, u32)> = None;
    let mut report = |code, span: Range<usize>, about| {
        let suggestion = match code {
            Code::RepertoireCompatibility => Suggestion::Nfkc,
            _ => Suggestion::PercentEncode,
        };
        reporter.report(code, part.component, span, Some(suggestion), about);
    };
    for (at, c) in part.text.char_indices() {
        let Some(code) = of(c) else { continue };
        let (before, rest) = slice::split(part.text, at);
        let after = slice::text(rest, c.len_utf8()..);
        if code == Code::RepertoireInvisible && is_needed(before, c, after) {
            continue;
        }
        let span = part.start + at..part.start + at + c.len_utf8();
        match &mut open {
            Some((last, range, _)) if *last == code && range.end == span.start => {
                range.end = span.end;
            }
            open => {
                if let Some((code, span, about)) = open.take() {
                    report(code, span, about);
                }
                *open = Some((code, span, u32::from(c)));
            }
        }
    }
    if let Some((code, span, about)) = open {
        report(code, span, about);
    }
}

/// Returns the code for a character by itself.
fn of(c: char) -> Option<Code> {
    Some(match Oddity::of(c)? {
        Oddity::Deprecated => Code::RepertoireDeprecated,
        Oddity::Space => Code::RepertoireSpace,
        Oddity::Unassigned => Code::RepertoireUnassigned,
        Oddity::Invisible => Code::RepertoireInvisible,
        Oddity::Private => Code::RepertoirePrivate,
        Oddity::Compatibility => Code::RepertoireCompatibility,
    })
}

/// Tells whether a component is in normalization form C.
pub(crate) fn is_nfc(text: &str) -> bool {
    let mut is_nfc = true;
    each_run(text, |run, _| is_nfc &= unicode_normalization::is_nfc(run));
    is_nfc
}

/// Returns normalization form C of a component. No delimiter appears or disappears.
pub(crate) fn nfc(text: &str) -> String {
    composed(text, |c, each| core::iter::once(c).nfd().for_each(each))
}

/// Returns normalization form KC of a component. No delimiter appears or disappears.
pub(crate) fn nfkc(text: &str) -> String {
    composed(text, |c, each| core::iter::once(c).nfkd().for_each(each))
}

/// Decomposes the characters of a text outside ASCII with `apart`, and composes them again. A character
/// that would become a delimiter becomes its triplet.
fn composed(text: &str, apart: impl Fn(char, &mut dyn FnMut(char))) -> String {
    let mut decomposed = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii() {
            decomposed.push(c);
            continue;
        }
        apart(c, &mut |part| match u8::try_from(part) {
            Ok(byte) if byte.is_ascii() && !UNRESERVED.contains(byte) => {
                decomposed.push_str(triplet_text(byte));
            }
            _ => decomposed.push(part),
        });
    }
    let mut out = String::with_capacity(decomposed.len());
    each_run(&decomposed, |run, delimiter| {
        out.extend(run.nfc());
        out.push_str(delimiter);
    });
    out
}

/// Calls `each` with every run of characters that may compose, and with the delimiter or triplet after the run. The
/// delimiter or triplet composes with nothing.
fn each_run(text: &str, mut each: impl FnMut(&str, &str)) {
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric()) {
        let (run, delimiter) = slice::split(rest, at);
        let length = if octet(delimiter.as_bytes(), 0).is_some() { 3 } else { 1 };
        let (delimiter, after) = slice::split(delimiter, length);
        each(run, delimiter);
        rest = after;
    }
    each(rest, "");
}
