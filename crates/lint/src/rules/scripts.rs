//! Mixed scripts and look-alikes (UTS #39; RFC 3987, section 8).
//!
//! Text in ASCII is skipped. Not here: the scripts of characters (`script`), and what characters look like (`skeleton`).

use alloc::string::String;

use super::components::components;
use super::lookalikes::delimiter;
use super::meant;
use super::script::{Scripts, is_mixed};
use super::skeleton::{is_like_ascii, prototype};
use crate::browsers::{DisplayPolicy, DisplayRule, chromium_allows};
use crate::code::Code;
use crate::finding::Reporter;
use simd_iri::low::{Known, LABEL_DOTS, Question};
use simd_iri::{Component, IriRef};

/// Reports mixed scripts in components other than hosts, and in hosts that are not domain names. A few
/// passes over text outside ASCII.
pub(crate) fn check(
    iri: IriRef<'_>,
    scheme: Option<Known>,
    divided: bool,
    reporter: &mut Reporter<'_>,
) {
    let has_labels = scheme.is_some_and(Known::has_domains);
    for part in components(iri, divided).filter(|part| !part.text.is_ascii()) {
        let is_label = has_labels && part.component == Component::Host;
        if !is_label && is_component_mixed(part.text) {
            let about = u32::from(odd_one(part.text));
            reporter.report(Code::SpoofScript, part.component, part.span(), None, about);
        }
    }
}

/// Reports the labels of a domain name that mislead when they are displayed. Their triplets are decoded, and UTS #46
/// maps them. `mapped` is the name for which the name stands ([`meant::name`]). The name begins at the byte offset `start`.
/// A few passes.
pub(crate) fn check_name(
    name: &str,
    mapped: &str,
    component: Component,
    start: usize,
    reporter: &mut Reporter<'_>,
) {
    let is_of_labels = meant::is_of_labels(name, mapped);
    let top = mapped.rsplit('.').next().unwrap_or_default();
    if is_of_labels && is_honest(mapped, top) {
        return;
    }
    let (mut label, mut from) = (String::new(), 0);
    let mut judge = |label: &str, span: core::ops::Range<usize>| {
        if let Some((code, about)) = of(label, |label| of_name(label, top)) {
            let span = start + span.start..start + span.end;
            reporter.report(code, component, span, None, about);
        }
    };
    for (c, span) in meant::characters(name) {
        // `label` has the decoded characters, and the span has the label as it is written, with its triplets.
        if LABEL_DOTS.contains(&c) {
            judge(&label, from..span.start);
            label.clear();
            from = span.end;
        } else {
            label.push(c);
        }
    }
    judge(&label, from..name.len());
}

/// Tells whether no label of a name that UTS #46 has mapped misleads. `top` is the last label of the name.
fn is_honest(mapped: &str, top: &str) -> bool {
    mapped.is_ascii()
        || is_known(mapped, |name| name.split('.').all(|label| of_name(label, top).is_none()))
}

/// Returns what `is_honest` tells about a name. The policies of browsers ask each character many questions, so the answer is
/// remembered.
fn is_known(name: &str, is_honest: impl FnOnce(&str) -> bool) -> bool {
    let answer = |name: &str| is_honest(name).then(String::new);
    Question::Honest.remembered(name, answer).is_some()
}

/// Returns what `of_mapped` returns for a label without triplets.
fn of<T>(label: &str, of_mapped: impl Fn(&str) -> Option<T>) -> Option<T> {
    if label.is_ascii() && !meant::is_ace(label) {
        return None;
    }
    // UTS #46 may map one character to several, with a dot among them.
    meant::mapped(label).split('.').find_map(of_mapped)
}

/// Returns the code for a label as readers see it, in a name whose last label is `top`, and the number of its message.
fn of_name(label: &str, top: &str) -> Option<(Code, u32)> {
    let misleading = of_shown(label).map(|(code, c)| (code, u32::from(c)));
    misleading.or_else(|| of_browsers(label, top))
}

/// Returns the code for a label that both browsers show as its A-label, and the number of the rule of Chromium.
///
/// Browsers also hide what misleads nobody: emoji, letters of many languages of Africa, and Icelandic names below `com`. So
/// a character that is not allowed counts only if it looks like a character of ASCII, and a letter that belongs to other
/// top-level domains does not count. `scheme.domain` reports a label that is not valid.
fn of_browsers(label: &str, top: &str) -> Option<(Code, u32)> {
    if label.is_ascii() {
        return None;
    }
    let rule = DisplayPolicy::Chromium.rule_of_mapped(label, top)?;
    // A look-alike of a delimiter has a code of its own.
    let misleads = match rule {
        DisplayRule::NotIdna | DisplayRule::OtherDomain => false,
        DisplayRule::Character => label
            .chars()
            .any(|c| !chromium_allows(c) && prototype(c).is_some() && delimiter(c).is_none()),
        DisplayRule::SlashLike => label.chars().all(|c| delimiter(c).is_none()),
        _ => true,
    };
    let is_hidden = misleads && DisplayPolicy::Firefox.rule_of_mapped(label, top).is_some();
    is_hidden.then_some((Code::SpoofShown, rule as u32))
}

/// Returns the code for a label as readers see it, and the character that causes it.
fn of_shown(label: &str) -> Option<(Code, char)> {
    if label.is_ascii() {
        None
    } else if is_mixed(label.chars()) {
        Some((Code::SpoofLabel, odd_one(label)))
    } else if label.chars().all(is_like_ascii) && !label.chars().any(|c| Scripts::of(c).has_latin())
    {
        Some((Code::SpoofWholeScript, odd_one(label)))
    } else {
        None
    }
}

/// Returns the character that a message names: the first character outside ASCII that looks like an ASCII character,
/// otherwise the first character outside ASCII.
fn odd_one(text: &str) -> char {
    let non_ascii = || text.chars().filter(|c| !c.is_ascii());
    let like_ascii = non_ascii().find(|c| prototype(*c).is_some());
    like_ascii.or_else(|| non_ascii().next()).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// Tells whether a label without triplets misleads in a name whose last label is `top`.
pub(crate) fn is_misleading(label: &str, top: &str) -> bool {
    of(label, |label| of_name(label, top)).is_some()
}

/// Tells whether a component mixes scripts. The digits of triplets do not count as characters.
pub(crate) fn is_component_mixed(text: &str) -> bool {
    let mut digits = 0_u8;
    is_mixed(text.chars().filter(|c| {
        let is_digit = digits > 0;
        // The two characters after a percent sign are digits of its triplet, and not Latin letters.
        digits = if *c == '%' { 2 } else { digits.saturating_sub(1) };
        !is_digit
    }))
}
