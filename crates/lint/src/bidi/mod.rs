//! The directions of the components of a reference (RFC 3987, sections 4.1 and 4.2; draft-duerst-iri-01,
//! section 4.1).
//!
//! Each character counts as it is written. A triplet counts as its three ASCII characters: `%D7` is displayed as a
//! percent sign, a letter and a digit. Not here: the order of display (`visual`), and the classes of characters
//! (`table`).

pub(crate) mod embed;
pub(crate) mod table;
pub(crate) mod visual;

use super::code::Code;
use super::facts::{CONTROL, Facts};
use super::finding::Reporter;
use super::suggestion::Suggestion;
use simd_iri::low::is_bidi_control;
use simd_iri::{Component, IriRef};

/// The remedy of section 4.2, which applies to the whole component.
const ENCODE: Option<Suggestion> = Some(Suggestion::PercentEncode);

/// Reports violations of the rules for directions in a reference. `facts` are the facts of its characters.
pub(super) fn check(iri: IriRef<'_>, divided: bool, facts: Facts, reporter: &mut Reporter<'_>) {
    if facts.has(CONTROL) {
        formatting(iri, reporter);
    }
    // Without a right-to-left character, a reference keeps all rules for directions.
    if facts.has(super::facts::RIGHT_TO_LEFT) {
        components::check(iri, divided, reporter);
    }
}

pub(super) use components::is_clean;

/// Reports each bidi formatting character.
fn formatting(iri: IriRef<'_>, reporter: &mut Reporter<'_>) {
    for (at, c) in iri.as_str().char_indices().filter(|(_, c)| is_bidi_control(*c)) {
        let (component, span) = (component_at(iri, at), at..at + c.len_utf8());
        reporter.report(Code::BidiFormatting, component, span, ENCODE, u32::from(c));
    }
}

/// Returns the component that holds the character at this offset.
fn component_at(iri: IriRef<'_>, at: usize) -> Component {
    let parts = iri.parts();
    let ends = [
        (Component::Scheme, parts.scheme()),
        (Component::Userinfo, parts.userinfo()),
        (Component::Host, parts.host()),
        (Component::Port, parts.port()),
        (Component::Path, Some(parts.path())),
        (Component::Query, parts.query()),
    ];
    let found = ends.into_iter().find(|(_, range)| range.as_ref().is_some_and(|r| at < r.end));
    found.map_or(Component::Fragment, |(component, _)| component)
}

/// The checks that need the bidi classes of characters.
mod components {
    use super::{Code, ENCODE, Facts, IriRef, Reporter, is_bidi_control};
    use crate::facts::{LEFT_TO_RIGHT, MARK, NUMBER, RIGHT_TO_LEFT};
    use crate::rules::components::{ComponentText, components};

    /// The directions of the characters of a component.
    struct Directions {
        /// Whether a character runs from right to left.
        rtl: bool,
        /// Whether a character runs from left to right.
        ltr: bool,
        /// The first character that is neutral or a digit: it is not a mark and does not run in a direction.
        other: Option<char>,
        /// Whether the component holds digits and nothing else.
        number: bool,
        /// The facts of the first character.
        first: Option<Facts>,
        /// The facts of the last character that is not a combining mark (RFC 5893, section 2).
        last: Option<Facts>,
    }

    impl Directions {
        fn of(text: &str) -> Self {
            let mut of = Self {
                rtl: false,
                ltr: false,
                other: None,
                number: !text.is_empty(),
                first: None,
                last: None,
            };
            // Bidi formatting characters have a code of their own.
            for c in text.chars().filter(|c| !is_bidi_control(*c)) {
                let facts = Facts::of(c);
                of.rtl |= facts.has(RIGHT_TO_LEFT);
                of.ltr |= facts.has(LEFT_TO_RIGHT);
                if !facts.has(RIGHT_TO_LEFT.or(LEFT_TO_RIGHT).or(MARK)) {
                    of.other = of.other.or(Some(c));
                }
                of.number &= is_digit(facts);
                of.first = of.first.or(Some(facts));
                if !facts.has(MARK) {
                    of.last = Some(facts);
                }
            }
            of
        }
    }

    const fn is_digit(facts: Facts) -> bool {
        facts.has(NUMBER)
    }

    const fn is_rtl(facts: Facts) -> bool {
        facts.has(RIGHT_TO_LEFT)
    }

    /// Reports the components that violate the rules for directions, and the numbers beside right-to-left components.
    ///
    /// A number after a right-to-left component is reported at once. A number before a right-to-left component waits
    /// until the next component is known. In `/1/א/2`, the number 1 waits in `number_before` until `א` comes, and the
    /// number 2 is reported because `rtl_before` is true. In `/א/1/ב`, the number is reported once.
    pub(super) fn check(iri: IriRef<'_>, divided: bool, reporter: &mut Reporter<'_>) {
        // Whether the component before runs from right to left; and the component before, if it is a number that is
        // not reported yet.
        let (mut rtl_before, mut number_before) = (false, None);
        // An empty component shows nothing: the components around it are neighbours.
        for part in components(iri, divided).filter(|part| !part.text.is_empty()) {
            let of = Directions::of(part.text);
            if of.rtl {
                structure(&part, &of, reporter);
            }
            let number = of.number.then_some(part);
            if let Some(part) = number.as_ref().filter(|_| rtl_before) {
                reporter.report(Code::BidiNumber, part.component, part.span(), None, 0);
            }
            if let Some(part) = number_before.filter(|_: &ComponentText<'_>| of.rtl) {
                reporter.report(Code::BidiNumber, part.component, part.span(), None, 0);
            }
            number_before = number.filter(|_| !rtl_before);
            rtl_before = of.rtl;
        }
    }

    /// Reports the violations in a component that has right-to-left characters.
    fn structure(part: &ComponentText<'_>, of: &Directions, reporter: &mut Reporter<'_>) {
        let mut report = |code, about: u32| {
            reporter.report(code, part.component, part.span(), ENCODE, about);
        };
        if of.ltr {
            report(Code::BidiMixed, 0);
        }
        let edges = [of.first, of.last];
        if edges.iter().flatten().any(|facts| is_digit(*facts)) {
            report(Code::BidiDigit, 0);
        } else if !edges.iter().flatten().all(|facts| is_rtl(*facts)) {
            report(Code::BidiEdge, 0);
        }
        if let Some(c) = of.other {
            report(Code::BidiOther, u32::from(c));
        }
    }

    /// Tells whether a component keeps the rules of RFC 3987 for directions. If `is_draft` is true, the component must
    /// also keep the rules of the draft.
    pub(crate) fn is_clean(text: &str, is_draft: bool) -> bool {
        let of = Directions::of(text);
        let edges = [of.first, of.last];
        let is_clean = !of.ltr && edges.iter().flatten().all(|facts| is_rtl(*facts));
        !of.rtl || is_clean && !(is_draft && of.other.is_some())
    }
}
