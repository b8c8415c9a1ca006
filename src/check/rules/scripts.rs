//! Mixed scripts and look-alikes (UTS #39; RFC 3987, section 8), and skeletons: two references with the
//! same skeleton look alike.
//!
//! The data come from `unicode-security` and `unicode-script`. Text in ASCII is skipped.

use alloc::borrow::Cow;
use alloc::string::String;

use unicode_script::Script;
use unicode_security::mixed_script::AugmentedScriptSet;
use unicode_security::skeleton;

use super::components::components;
use super::meant;
use crate::check::code::Code;
use crate::check::finding::Reporter;
use crate::error::Component;
use crate::reference::kind::Kind;
use crate::reference::{IriRef, View};
use crate::scan::slice;
use crate::transform::{Known, LABEL_DOTS};

impl<K: Kind> View<'_, K> {
    /// Returns the skeleton of the reference (UTS #39, section 4): references with the same skeleton look
    /// alike.
    ///
    /// The skeleton is for comparing, not for display, and is not a reference. With the feature `idna`,
    /// A-labels (`xn--`) count as their Unicode form; triplets stay. One pass and a few allocations.
    ///
    /// ```
    /// use simd_iri::iri;
    ///
    /// let (latin, cyrillic) = (iri!("http://scope.example/"), iri!("http://ѕсоре.example/"));
    /// assert_ne!(latin, cyrillic);
    /// assert_eq!(latin.skeleton(), cyrillic.skeleton());
    /// ```
    #[must_use]
    pub fn skeleton(self) -> String {
        let (text, host) = (self.as_str(), self.parts().host().unwrap_or_default());
        let mut out = String::with_capacity(text.len());
        out.extend(skeleton(slice::text(text, ..host.start)));
        let name = slice::text(text, host.clone());
        for (number, label) in name.split('.').enumerate() {
            out.push_str(if number > 0 { "." } else { "" });
            out.extend(skeleton(&shown(label)));
        }
        out.extend(skeleton(slice::text(text, host.end..)));
        out
    }
}

/// Returns a label as readers see it.
fn shown(label: &str) -> Cow<'_, str> {
    #[cfg(feature = "idna")]
    if let Some(shown) = meant::is_ace(label).then(|| crate::transform::to_unicode(label)).flatten()
    {
        return Cow::Owned(shown);
    }
    Cow::Borrowed(label)
}

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
/// maps them. The name begins at the byte offset `start`. A few passes.
pub(crate) fn check_name(
    name: &str,
    component: Component,
    start: usize,
    reporter: &mut Reporter<'_>,
) {
    let (mut label, mut from) = (String::new(), 0);
    let mut judge = |label: &str, span: core::ops::Range<usize>| {
        if let Some((code, c)) = of(label) {
            reporter.report(
                code,
                component,
                start + span.start..start + span.end,
                None,
                u32::from(c),
            );
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

/// Returns the code for a label without triplets, and the character that causes it.
fn of(label: &str) -> Option<(Code, char)> {
    if label.is_ascii() && !meant::is_ace(label) {
        return None;
    }
    // UTS #46 may map one character to several, with a dot among them.
    meant::mapped(label).split('.').find_map(of_shown)
}

/// Returns the code for a label as readers see it, and the character that causes it.
fn of_shown(label: &str) -> Option<(Code, char)> {
    if label.is_ascii() {
        None
    } else if is_mixed(label.chars()) {
        Some((Code::SpoofLabel, odd_one(label)))
    } else if skeleton(label).all(|c| c.is_ascii()) && !is_latin(label) {
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

/// Returns the single ASCII character that a character outside ASCII looks like (UTS #39, section 4).
pub(crate) fn prototype(c: char) -> Option<char> {
    if c.is_ascii() {
        return None;
    }
    let mut buffer = [0; 4];
    let text: &str = c.encode_utf8(&mut buffer);
    let mut characters = skeleton(text);
    let only = characters.next().filter(char::is_ascii)?;
    characters.next().is_none().then_some(only)
}

/// Tells whether the neighbour of a character outside ASCII is of another script. An ASCII letter or digit counts as a
/// character of another script, unless the character outside ASCII is of the Latin script.
pub(crate) fn is_other_script(neighbour: char, c: char) -> bool {
    let mut scripts = AugmentedScriptSet::for_char(c);
    // A character of every script contains Latin too, but it is not a Latin letter.
    let is_of_any = scripts.is_all();
    let is_latin = !is_of_any && scripts.base.contains_script(Script::Latin);
    scripts.intersect_with(AugmentedScriptSet::for_char(neighbour));
    scripts.is_empty() || neighbour.is_ascii_alphanumeric() && !is_latin
}

/// Tells whether a label, as readers see it, looks like another text.
#[cfg(feature = "display")]
pub(crate) fn is_misleading(label: &str) -> bool {
    of(label).is_some()
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

/// Tells whether a text is not *highly restrictive* (UTS #39, section 5.2): it has characters of more than
/// one script, except for Latin with the scripts of Chinese, Japanese or Korean.
///
/// A character may belong to several scripts and writing systems. The text is not mixed if all characters have a script
/// or writing system in common (`all`), or if all characters except Latin letters have Chinese, Japanese or Korean in
/// common (`beside_latin`):
///
/// ```text
/// a Latin, é Latin                 all: Latin      not mixed
/// a Latin, 日 Han, か Hiragana     all: nothing    beside_latin: Japanese    not mixed
/// p Latin, а Cyrillic              all: nothing    beside_latin: Cyrillic    mixed
/// ```
pub(crate) fn is_mixed(characters: impl Iterator<Item = char>) -> bool {
    let (mut all, mut beside_latin) =
        (AugmentedScriptSet::default(), AugmentedScriptSet::default());
    for scripts in characters.map(AugmentedScriptSet::for_char) {
        // Unassigned and private-use characters have codes of their own.
        if scripts.is_empty() {
            continue;
        }
        all.intersect_with(scripts);
        if !scripts.base.contains_script(Script::Latin) {
            beside_latin.intersect_with(scripts);
        }
    }
    all.is_empty() && !(beside_latin.hanb || beside_latin.jpan || beside_latin.kore)
}

/// Tells whether a text has a Latin letter.
fn is_latin(text: &str) -> bool {
    let is_latin = |c: char| {
        let scripts = AugmentedScriptSet::for_char(c);
        !scripts.is_all() && scripts.base.contains_script(Script::Latin)
    };
    text.chars().any(is_latin)
}
