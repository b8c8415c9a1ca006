//! Mixed scripts and look-alikes (UTS #39; RFC 3987, section 8), and skeletons by which two references
//! can be compared as eyes do.
//!
//! The data are those of `unicode-security` and `unicode-script`. What is all ASCII is skipped.

use alloc::borrow::Cow;
use alloc::string::String;

use unicode_script::Script;
use unicode_security::mixed_script::AugmentedScriptSet;
use unicode_security::skeleton;

use super::code::Code;
use super::finding::Sink;
use super::pieces::{Piece, pieces};
use crate::error::Component;
use crate::reference::kind::Kind;
use crate::reference::{IriRef, View};
use crate::transform::Known;

impl<K: Kind> View<'_, K> {
    /// The skeleton of the reference (UTS #39, section 4): references with the same one look alike.
    ///
    /// It is for comparing, not for showing, and is no reference. Labels in the form `xn--` count as
    /// what they stand for, with the feature `idna`; triplets stay. One pass and a few allocations.
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
        out.extend(skeleton(text.get(..host.start).unwrap_or_default()));
        let name = text.get(host.clone()).unwrap_or_default();
        for (number, label) in name.split('.').enumerate() {
            out.push_str(if number > 0 { "." } else { "" });
            out.extend(skeleton(&shown(label)));
        }
        out.extend(skeleton(text.get(host.end..).unwrap_or_default()));
        out
    }
}

/// A label as people see it.
fn shown(label: &str) -> Cow<'_, str> {
    #[cfg(feature = "idna")]
    if let Some(shown) = is_ace(label).then(|| crate::transform::to_unicode(label)).flatten() {
        return Cow::Owned(shown);
    }
    Cow::Borrowed(label)
}

/// Tells whether a label is in the form for the DNS.
#[cfg(feature = "idna")]
fn is_ace(label: &str) -> bool {
    label.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("xn--"))
}

/// Tells whether a reference may have a label in the form for the DNS.
pub(super) fn may_have_ace(iri: IriRef<'_>) -> bool {
    let host = iri.host_str().unwrap_or_default();
    host.len() > 4 && memchr::memchr(b'-', host.as_bytes()).is_some()
}

/// Reports what looks like something else. A few passes over what is not ASCII.
pub(super) fn check(iri: IriRef<'_>, scheme: Option<Known>, divided: bool, sink: &mut Sink<'_>) {
    let has_labels = scheme.is_some_and(Known::has_domains);
    for piece in pieces(iri, divided) {
        let is_label = has_labels && piece.component == Component::Host;
        if is_label {
            label(&piece, sink);
        } else if !piece.text.is_ascii() && is_mixed(piece.text) {
            sink.say(Code::SpoofScript, piece.component, piece.span(), None, 0);
        }
    }
}

/// Reports a label of a domain name.
fn label(piece: &Piece<'_>, sink: &mut Sink<'_>) {
    if let Some(code) = of(&shown(piece.text)) {
        sink.say(code, piece.component, piece.span(), None, 0);
    }
}

/// What there is to say of a label as people see it.
fn of(label: &str) -> Option<Code> {
    if label.is_ascii() {
        None
    } else if is_mixed(label) {
        Some(Code::SpoofLabel)
    } else if skeleton(label).all(|c| c.is_ascii()) && !is_latin(label) {
        Some(Code::SpoofWholeScript)
    } else {
        None
    }
}

/// Tells whether a label as people see it looks like something else.
#[cfg(feature = "display")]
pub(crate) fn is_misleading(label: &str) -> bool {
    of(label).is_some()
}

/// Tells whether a text is beyond the level *highly restrictive* (UTS #39, section 5.2): characters
/// of more than one script, other than Latin with those that Chinese, Japanese or Korean is written in.
pub(super) fn is_mixed(text: &str) -> bool {
    let (mut all, mut beside_latin) =
        (AugmentedScriptSet::default(), AugmentedScriptSet::default());
    for scripts in text.chars().map(AugmentedScriptSet::for_char) {
        // What is not assigned, or for private use, is reported as that.
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
