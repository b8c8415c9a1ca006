//! Findings about triplets: octets that mislead, delimiters that mean something else after decoding, and
//! characters that need no triplet (RFC 3986, sections 6.2.2.2 and 7.3; RFC 3987, section 6.4).
//!
//! Not here: which octets are well-formed UTF-8 (`core::str`), and decoding by a policy (`transform`).

use alloc::string::String;
use core::ops::Range;

use super::components::{ComponentText, components};
use super::host::is_honest;
use super::spoof::looks_like_host;
use super::unit::{Unit, unit};
use crate::check::code::Code;
use crate::check::finding::Reporter;
use crate::check::suggestion::Suggestion;
use crate::error::Component;
use crate::reference::IriRef;
use crate::scan::slice;
use crate::tables::UNRESERVED;
use crate::transform::percent::decode;
use crate::transform::{Known, decoded_dots, dots};

/// Tells whether a triplet stands for a character that can be written as itself, as far as the character
/// alone decides.
fn need_not_be_encoded(unit: &Unit) -> bool {
    match unit {
        Unit::Ascii(byte) => UNRESERVED.contains(*byte),
        Unit::Character(c) => is_plain(*c),
        Unit::Overlong | Unit::Other => false,
    }
}

/// Tells whether a character outside ASCII is a `ucschar` that no check reports.
#[cfg(all(feature = "bidi", feature = "repertoire", feature = "spoof"))]
fn is_plain(c: char) -> bool {
    use crate::parse::dfa::{NonAscii, non_ascii};
    let is_ucschar = matches!(non_ascii(c.encode_utf8(&mut [0; 4]).as_bytes()), NonAscii::Ucschar);
    is_ucschar
        && !crate::transform::is_bidi_control(c)
        && !super::lookalikes::is_listed(c)
        && super::repertoire::is_plain(c)
}

/// Without the tables, no character is known to be plain.
#[cfg(not(all(feature = "bidi", feature = "repertoire", feature = "spoof")))]
fn is_plain(_: char) -> bool {
    false
}

/// Which triplets of a component can be decoded.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needless {
    Nothing,
    Ascii,
    Everything,
}

impl Needless {
    /// Returns the triplets that can be decoded without a finding of another check for the component.
    fn of(text: &str, is_uri: bool, reporter: &Reporter<'_>) -> Self {
        if !is_uri && is_clean(&decoded(text), reporter) {
            Self::Everything
        } else if text.is_ascii() || is_clean(&decoded_to(text, false), reporter) {
            Self::Ascii
        } else {
            Self::Nothing
        }
    }
}

/// Tells whether the checks of whole components have no finding for this text.
#[cfg(all(feature = "bidi", feature = "repertoire", feature = "spoof"))]
fn is_clean(text: &str, reporter: &Reporter<'_>) -> bool {
    crate::check::bidi::is_clean(text, reporter.is_reported(Code::BidiOther))
        && super::repertoire::is_nfc(text)
        && !super::scripts::is_component_mixed(text)
        && !super::mojibake::has_any(text)
}

/// Without the tables, only ASCII is known to be clean.
#[cfg(not(all(feature = "bidi", feature = "repertoire", feature = "spoof")))]
fn is_clean(text: &str, _: &Reporter<'_>) -> bool {
    text.is_ascii()
}

/// Returns a text with all triplets decoded that can be. One pass.
pub(crate) fn decoded(text: &str) -> String {
    decoded_to(text, true)
}

/// [`decoded`]; decodes characters outside ASCII only if `wide` is true.
fn decoded_to(text: &str, wide: bool) -> String {
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

/// Reports findings about the triplets of a reference that has some. A few passes.
pub(crate) fn check(
    iri: IriRef<'_>,
    scheme: Option<Known>,
    is_uri: bool,
    divided: bool,
    reporter: &mut Reporter<'_>,
) {
    for part in components(iri, false).filter(|part| part.component == Component::Path) {
        if decoded_dots(part.text).is_some() && dots(part.text).is_none() {
            reporter.report(Code::SpoofDots, part.component, part.span(), None, 0);
        }
    }
    // A part that misleads keeps its triplets: decoded, it would mislead more.
    let has_triplets = |text: &&str| text.contains('%');
    let is_host_misleading =
        iri.host_str().filter(has_triplets).is_some_and(|_| !is_honest(iri, scheme));
    let is_userinfo_misleading = iri.userinfo().filter(has_triplets).is_some_and(looks_like_host);
    for part in components(iri, divided).filter(|part| part.text.contains('%')) {
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
            Needless::of(part.text, is_uri, reporter)
        };
        Walk { reporter: &mut *reporter, scheme, part: &part, open: None, needless }.walk();
    }
}

/// A walk over the triplets of a component. Consecutive spans of the same code are one finding.
struct Walk<'w, 's> {
    reporter: &'w mut Reporter<'s>,
    scheme: Option<Known>,
    part: &'w ComponentText<'w>,
    open: Option<(Code, Range<usize>)>,
    needless: Needless,
}

impl Walk<'_, '_> {
    /// Reports findings about each triplet.
    fn walk(&mut self) {
        let text = self.part.text;
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(next) = memchr::memchr(b'%', slice::bytes(bytes, at..)) {
            let start = at + next;
            let mut end = start;
            while let Some((unit, count)) = unit(bytes, end) {
                self.unit(&unit, end..end + 3 * count);
                end += 3 * count;
            }
            let run = slice::bytes(bytes, start..end);
            // Tags are compared character by character (RFC 4151, section 2.4).
            let is_tag = self.scheme == Some(Known::Tag);
            if run.iter().any(|byte| byte.is_ascii_lowercase()) && !is_tag {
                self.report(Code::PreferredHexCase, start..end);
            }
            at = end.max(start + 1);
        }
        self.close();
    }

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

/// Tells whether two hexadecimal digits begin at `at`, written as themselves or as triplets.
fn is_hexadecimal(text: &str, at: usize) -> bool {
    let mut digits = decode(slice::text(text, at..));
    let mut is_digit = || digits.next().is_some_and(|byte| byte.is_ascii_hexdigit());
    is_digit() && is_digit()
}

/// Tells whether a decoded byte would be a delimiter of references or of file names. Queries and fragments
/// have none: their values are encoded for good reason.
fn is_delimiter(component: Component, byte: u8) -> bool {
    match component {
        Component::Userinfo => b"/\\@?#".contains(&byte),
        Component::Host => b"/\\@?#:[]".contains(&byte),
        Component::Path => b"/\\?#".contains(&byte),
        _ => false,
    }
}
