//! Findings about triplets: octets that mislead, delimiters that mean something else after decoding, and
//! characters that need no triplet (RFC 3986, sections 6.2.2.2 and 7.3; RFC 3987, section 6.4).
//!
//! Not here: which octets are well-formed UTF-8 (`unit`), and decoding by a policy (the engine).

/*
# The algorithm

    the path has an encoded dot    report each segment that becomes a dot segment when it is decoded
    for each component that has a percent sign:
      facts of the component, as if all its triplets were decoded
      which triplets are needless: `Everything`, `Ascii` or `Nothing`
      walk over the triplets: each unit has at most one code, and neighbours with the same code are one finding

A *unit* is a triplet, or the triplets of one character. In the path `/%41%42%2F%00`, the walk finds

    %41%42    preferred.needless-encoding, one finding of two units
    %2F       spoof.encoded-delimiter
    %00       spoof.encoded-nul

A triplet is needless if no other check reports the component after it is decoded (`Needless::of`). The first question
that is answered with yes decides:

    the facts rule out such a finding (`is_certainly_clean`)           Everything
    the checks find nothing if all triplets are decoded                Everything
    the component is ASCII                                             Ascii
    the checks find nothing if the triplets of ASCII are decoded       Ascii
    otherwise                                                          Nothing

In a URI, characters outside ASCII stay encoded, so `Everything` is left out.

# Invariants

- A host that misleads and user information that looks like a host keep their triplets.
- `check` returns the facts of all components with triplets. `lint` reads CONTINUES in them.
*/

use alloc::string::String;
use core::ops::Range;

use super::components::{ComponentText, components};
use super::host::is_honest;
use super::spoof::looks_like_host;
use super::unit::{Unit, unit};
use crate::code::Code;
use crate::facts::{COMPOSES, CONTINUES, DecodedFacts, Facts, PLAIN, RIGHT_TO_LEFT};
use crate::finding::Reporter;
use crate::prescan::LintPrescan;
use crate::suggestion::Suggestion;
use simd_iri::low::{Known, UNRESERVED, decoded_dots, dots, has_encoded_dot, slice};
use simd_iri::{Component, IriRef, percent::decode};

/// Tells whether a triplet stands for a character that can be written as itself, as far as the character
/// alone decides.
fn need_not_be_encoded(unit: &Unit) -> bool {
    match unit {
        Unit::Ascii(byte) => UNRESERVED.contains(*byte),
        Unit::Character(c) => Facts::of(*c).has(PLAIN),
        Unit::Overlong | Unit::Other => false,
    }
}

/// The triplets of a component that are needless: they can be decoded without a finding of another check.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needless {
    /// No triplet is needless.
    Nothing,
    /// The triplets of unreserved ASCII characters are needless.
    Ascii,
    /// The triplets of all characters that can be written as themselves are needless.
    Everything,
}

impl Needless {
    /// Returns the needless triplets of a component. `facts` are the facts of the decoded component.
    fn of(text: &str, facts: &DecodedFacts, is_uri: bool, reporter: &Reporter<'_>) -> Self {
        let is_draft = reporter.is_reported(Code::BidiOther);
        if !is_uri && (is_certainly_clean(facts, is_draft) || is_clean(text, true, facts, is_draft))
        {
            Self::Everything
        } else if text.is_ascii() || is_clean(text, false, facts, is_draft) {
            Self::Ascii
        } else {
            Self::Nothing
        }
    }
}

/// Tells whether the facts of a decoded component rule out a finding of the checks of whole components. `is_draft`
/// tells whether the rules of the draft for directions count, too.
fn is_certainly_clean(of: &DecodedFacts, is_draft: bool) -> bool {
    let is_in_doubt =
        of.facts.has(COMPOSES.or(CONTINUES)) || is_draft && of.facts.has(RIGHT_TO_LEFT);
    !is_in_doubt && of.certainly_keeps_directions() && of.is_certainly_of_one_script()
}

/// Tells whether the checks of whole components have no finding for this text, which has these facts, after it is decoded
/// ([`decoded_to`]). A check runs only if the facts allow a finding of that check.
fn is_clean(text: &str, wide: bool, of: &DecodedFacts, is_draft: bool) -> bool {
    // This check reads the characters for which triplets stand, so the text need not be decoded.
    if of.facts.has(CONTINUES) && super::mojibake::has_any(text) {
        return false;
    }
    let text = &decoded_to(text, wide);
    (!of.facts.has(RIGHT_TO_LEFT) || crate::bidi::is_clean(text, is_draft))
        && (!of.facts.has(COMPOSES) || super::repertoire::is_nfc(text))
        && (of.is_certainly_of_one_script() || !super::scripts::is_component_mixed(text))
}

/// Returns a text in which the triplets of characters that can be written as themselves are decoded. One pass.
pub(crate) fn decoded(text: &str) -> String {
    decoded_to(text, true)
}

/// [`decoded`], with characters outside ASCII only if `wide` is true.
fn decoded_to(text: &str, wide: bool) -> String {
    // The result is not longer than the text: a character of n octets replaces 3n bytes by n bytes.
    let mut out = String::with_capacity(text.len());
    let (bytes, mut at) = (text.as_bytes(), 0);
    while let Some(length) = memchr::memchr(b'%', slice::bytes(bytes, at..)) {
        let next = at + length;
        out.push_str(slice::text(text, at..next));
        let Some((unit, count)) = unit(bytes, next) else {
            at = next + 1;
            out.push('%');
            continue;
        };
        at = next + 3 * count;
        match unit {
            Unit::Ascii(byte) if need_not_be_encoded(&unit) => out.push(char::from(byte)),
            Unit::Character(c) if wide && need_not_be_encoded(&unit) => out.push(c),
            _ => out.push_str(slice::text(text, next..at)),
        }
    }
    out.push_str(slice::text(text, at..));
    out
}

/// Reports findings about the triplets of a reference that has triplets. `name` is the name for which the host stands
/// ([`host::name`](super::host::name)). A few passes.
///
/// Returns the facts about all components with triplets together.
pub(crate) fn check(
    iri: IriRef<'_>,
    scheme: Option<Known>,
    name: Option<&str>,
    is_uri: bool,
    divided: bool,
    prescan: LintPrescan,
    reporter: &mut Reporter<'_>,
) -> Facts {
    let text = iri.as_str().as_bytes();
    let first = memchr::memchr(b'%', text).unwrap_or(text.len());
    if prescan.encoded_dot && has_encoded_dot(iri.path()) {
        for part in components(iri, false).filter(|part| part.component == Component::Path) {
            if decoded_dots(part.text).is_some() && dots(part.text).is_none() {
                reporter.report(Code::SpoofDots, part.component, part.span(), None, 0);
            }
        }
    }
    // A host or user information that misleads keeps its triplets: if it were decoded, it would mislead more.
    let has_triplets = |text: &&str| first < iri.parts().path().start && text.contains('%');
    let is_host_misleading =
        iri.host_str().filter(has_triplets).is_some_and(|_| !is_honest(iri, scheme, name));
    let is_userinfo_misleading = iri.userinfo().filter(has_triplets).is_some_and(looks_like_host);
    let mut all = Facts::NONE;
    let is_encoded = |part: &ComponentText<'_>| {
        // The place of the first percent sign is known, so its component is not searched again.
        part.span().contains(&first) || memchr::memchr(b'%', part.text.as_bytes()).is_some()
    };
    for part in components(iri, divided).after(first).filter(is_encoded) {
        let facts =
            if prescan.asks_facts { DecodedFacts::of(part.text) } else { DecodedFacts::ANYTHING };
        all = all.or(facts.facts);
        let misleads = match part.component {
            Component::Host => is_host_misleading,
            Component::Userinfo => is_userinfo_misleading,
            _ => false,
        };
        // A URN with a triplet and a URN with the character are different (RFC 8141, section 3.1).
        let means_itself = matches!(scheme, Some(Known::Urn | Known::Tag));
        let needless = if misleads || means_itself {
            Needless::Nothing
        } else {
            Needless::of(part.text, &facts, is_uri, reporter)
        };
        // Every triplet is of a character that can be written as itself. Either all triplets are needless, or all are
        // of characters outside ASCII and stay without a finding.
        let is_alike = facts.is_plain && (needless == Needless::Everything || !facts.has_ascii);
        let walk =
            TripletWalk { reporter: &mut *reporter, scheme, part: &part, open: None, needless };
        walk.walk(is_alike);
    }
    all
}

/// A walk over the triplets of a component. Consecutive spans of the same code are one finding.
struct TripletWalk<'w, 's> {
    reporter: &'w mut Reporter<'s>,
    scheme: Option<Known>,
    part: &'w ComponentText<'w>,
    /// The last finding, which is not reported yet, because the next unit may extend it. The offsets are in the part.
    open: Option<(Code, Range<usize>)>,
    needless: Needless,
}

impl TripletWalk<'_, '_> {
    /// Reports findings about each triplet. If `is_alike` is true, either all triplets are needless, or no triplet has
    /// a finding. The case of the digits is a finding of its own.
    fn walk(mut self, is_alike: bool) {
        let text = self.part.text;
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(next) = memchr::memchr(b'%', slice::bytes(bytes, at..)) {
            // A run of triplets is from `start` to `end`. The case of the digits is one finding for the whole run, and
            // it is reported before the findings of the run that are still open.
            let start = at + next;
            let mut end = start;
            if is_alike {
                while bytes.get(end) == Some(&b'%') {
                    end += 3;
                }
                if self.needless == Needless::Everything {
                    self.found(Code::PreferredEncoding, start..end);
                }
            } else {
                while let Some((unit, count)) = unit(bytes, end) {
                    self.unit(&unit, end..end + 3 * count);
                    end += 3 * count;
                }
            }
            // Tags are compared character by character (RFC 4151, section 2.4).
            let is_tag = self.scheme == Some(Known::Tag);
            if has_lower_case(slice::bytes(bytes, start..end)) && !is_tag {
                self.report(Code::PreferredHexCase, start..end);
            }
            // A percent sign without a triplet is passed too, so each turn moves forward.
            at = end.max(start + 1);
        }
        self.close();
    }

    /// Adds the finding about a unit, if there is one.
    fn unit(&mut self, unit: &Unit, span: Range<usize>) {
        let code = match *unit {
            Unit::Ascii(b'%') if is_hexadecimal(self.part.text, span.end) => {
                Code::SpoofDoubleEncoding
            }
            Unit::Ascii(0) => Code::SpoofNul,
            Unit::Ascii(b'\r' | b'\n') => Code::SpoofLineBreak,
            Unit::Ascii(byte) if is_delimiter(self.part.component, byte) => Code::SpoofDelimiter,
            Unit::Overlong => Code::SpoofOverlong,
            Unit::Other => Code::SpoofLegacy,
            Unit::Ascii(_) if self.needless != Needless::Nothing && need_not_be_encoded(unit) => {
                Code::PreferredEncoding
            }
            Unit::Character(_)
                if self.needless == Needless::Everything && need_not_be_encoded(unit) =>
            {
                Code::PreferredEncoding
            }
            _ => return,
        };
        self.found(code, span);
    }

    /// Adds a finding: extends the open finding, or reports it and opens another finding.
    fn found(&mut self, code: Code, span: Range<usize>) {
        match &mut self.open {
            Some((open, range)) if *open == code && range.end == span.start => range.end = span.end,
            _ => {
                self.close();
                self.open = Some((code, span));
            }
        }
    }

    fn close(&mut self) {
        if let Some((code, span)) = self.open.take() {
            self.report(code, span);
        }
    }

    fn report(&mut self, code: Code, span: Range<usize>) {
        let suggestion = match code {
            Code::PreferredHexCase => Some(Suggestion::UpperCase),
            Code::PreferredEncoding => Some(Suggestion::Decode),
            _ => None,
        };
        let start = self.part.start;
        let span = start + span.start..start + span.end;
        self.reporter.report(code, self.part.component, span, suggestion, 0);
    }
}

/// Tells whether a digit of these triplets is a letter in lower case.
///
/// The loop has no early exit, so that the compiler vectorizes it.
fn has_lower_case(triplets: &[u8]) -> bool {
    triplets.iter().fold(false, |found, byte| found | byte.is_ascii_lowercase())
}

/// Tells whether two hexadecimal digits begin at `at`, written as themselves or as triplets.
fn is_hexadecimal(text: &str, at: usize) -> bool {
    let mut digits = decode(slice::text(text, at..));
    let mut is_digit = || digits.next().is_some_and(|byte| byte.is_ascii_hexdigit());
    is_digit() && is_digit()
}

/// Tells whether a decoded byte would be a delimiter of references or of file names. In a query or a fragment, no byte
/// counts: values are encoded there for good reason.
fn is_delimiter(component: Component, byte: u8) -> bool {
    match component {
        Component::Userinfo => b"/\\@?#".contains(&byte),
        Component::Host => b"/\\@?#:[]".contains(&byte),
        Component::Path => b"/\\?#".contains(&byte),
        _ => false,
    }
}
