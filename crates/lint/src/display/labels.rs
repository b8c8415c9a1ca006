//! The host of a reference for display: each label of a domain name in its Unicode form, or in its ASCII
//! form if the Unicode form misleads or is invisible (UTS #39; UTS #46). A misleading host that is not a domain name is
//! percent-encoded.
//!
//! A label is judged by its Unicode form. So the judgement does not depend on the spelling of the label,
//! and a displayed label is displayed unchanged again. What misleads is what a lint reports of a host: no label is shown
//! that has a code `spoof.…`.
//!
//! Not here: what misleads (`rules`), and the mapping of labels (the engine).

use alloc::string::String;
use alloc::vec::Vec;

use crate::display::DisplayIri;
use crate::{is_label_misleading, is_misleading, mapped};
use simd_iri::IriRef;
use simd_iri::low::ipv4;
use simd_iri::low::{Known, LABEL_DOTS, Question, is_unchanged, to_ascii, to_unicode};
use simd_iri::low::{Query, encode};

/// Returns the host for display of a reference whose triplets are decoded. Returns `None` if it is displayed as it is.
pub(super) fn shown(iri: IriRef<'_>, display: DisplayIri) -> Option<String> {
    let host = iri.host_str()?;
    if host.is_ascii() && !host.contains('%') && !has_two_hyphens(host) {
        return None;
    }
    let scheme = iri.scheme().and_then(Known::of);
    let answer = |host: &str| match to_ascii(host) {
        Some(ascii) => shown_anew(host, &ascii.to_ascii_lowercase(), display),
        None => encoded(iri, scheme),
    };
    if !scheme.is_some_and(Known::has_domains) {
        return encoded(iri, scheme);
    }
    match (display.has_glyph, display.policy) {
        (None, None) => Question::Shown.remembered(host, answer),
        _ => answer(host),
    }
}

/// Returns a host that is not a domain name for display: its characters outside ASCII become triplets if they mislead. A
/// few passes.
fn encoded(iri: IriRef<'_>, scheme: Option<Known>) -> Option<String> {
    let host = iri.host_str().filter(|host| !host.is_ascii() && is_misleading(iri, scheme))?;
    let mut text = String::new();
    encode(host.as_bytes(), Query::NonAscii, &mut text);
    Some(text)
}

/// Returns a domain name for display. `ascii` is the name mapped to A-labels. A few passes.
///
/// ```text
/// each label its Unicode form, if it can be displayed and does not mislead, or the policy of a browser shows it;
///            otherwise its A-label
/// the result the labels with the spelling of the host, if they map back to `ascii`;
///            otherwise the labels without that spelling, if they map back; otherwise `ascii`
/// ```
fn shown_anew(host: &str, ascii: &str, display: DisplayIri) -> Option<String> {
    // Letters that stand for an address would be read as a name.
    if ipv4::address(ascii).is_some() {
        return Some(ascii.into());
    }
    let is_unchanged = is_unchanged(host);
    let top = mapped(ascii.rsplit('.').next().unwrap_or_default());
    let is_hidden = |label: &str| match display.policy {
        Some(policy) => policy.rule_of(label, &top).is_some(),
        None => is_label_misleading(label, &top),
    };
    let is_seen = |c: char| c.is_ascii() || display.is_seen(c);
    let is_fine = |label: &str| label.chars().all(is_seen) && !is_hidden(label);
    // Such a label is its own Unicode form, and maps back to its A-label. So the forms below need no mapping.
    if is_unchanged {
        let mut is_shown = true;
        let labels = host.split('.').zip(ascii.split('.')).map(|(written, ascii)| {
            let is_fine = is_fine(written);
            is_shown &= is_fine;
            if is_fine { written } else { ascii }
        });
        let text = labels.collect::<Vec<_>>().join(".");
        return (!is_shown).then_some(text);
    }
    let form = |written: &str, ascii: &str| {
        let people = to_unicode(ascii);
        let people = people.as_deref().unwrap_or(ascii);
        // An A-label in upper case does not map back to itself.
        if written != ascii && written.eq_ignore_ascii_case(ascii) {
            return String::from(written);
        }
        String::from(match is_fine(people) {
            true if !written.is_ascii() && is_fine(written) => written,
            true => people,
            false => ascii,
        })
    };
    let join = |labels: &mut dyn Iterator<Item = &str>| {
        let labels = labels.zip(ascii.split('.')).map(|(written, ascii)| form(written, ascii));
        labels.collect::<Vec<_>>().join(".")
    };
    let comes_back =
        |text: &String| to_ascii(text).is_some_and(|back| back.eq_ignore_ascii_case(ascii));
    // UTS #46 may map a character to several characters, and a dot may be among them.
    let is_aligned = host.split(LABEL_DOTS).count() == ascii.split('.').count();
    let written = is_aligned.then(|| join(&mut host.split(LABEL_DOTS))).filter(comes_back);
    let text = written.or_else(|| Some(join(&mut ascii.split('.'))).filter(comes_back));
    Some(text.unwrap_or_else(|| ascii.into()))
}

/// Tells whether a host has two hyphens together, as A-labels have.
fn has_two_hyphens(host: &str) -> bool {
    host.as_bytes().windows(2).fold(false, |found, pair| found | (pair == b"--"))
}
