//! Text for readers with as few triplets as UTS #58 needs to find the whole link: the formatting of UTS
//! #58, the inverse of its detection.
//!
//! Here: which characters of a component are escaped. Not here: the properties of characters
//! (`link_tables`), hosts (`labels`).

use alloc::string::String;
use alloc::vec::Vec;

use super::labels;
use super::{DisplayIri, decoded, push_triplets, values};
use simd_iri::low::{Known, UNRESERVED, is_bidi_control, octet, rewrite_components, slice};
use simd_iri::{Component, convert::AsView};
use simd_iri_text::link_tables::{DEEPEST, Term, opening, term};

/// How references are displayed as text, by UTS #58.
///
/// In path, query and fragment, a triplet is decoded unless that would change the structure, or its value is not UTF-8
/// as a whole, as with [`DisplayIri`]. A character is
/// escaped only if a program that looks for links would end the link at it or before it: white space, a closing
/// bracket without its opening bracket, and punctuation at the end. So the text may hold quotes, brackets and
/// percent signs, and is not always a reference. Prepared with [`RepairSet::Rdf`](simd_iri_text::RepairSet::Rdf),
/// it is a reference with the same values. The host is displayed as [`DisplayIri`] displays it.
///
/// Unlike in the standard, bidi formatting characters stay encoded. A `\` in a path and a `+` in a query stay
/// encoded too, because browsers and forms read them as something else. For schemes other than http, https, ws,
/// wss and ftp, the structure is not known, and only unreserved characters are decoded. A reference without a
/// scheme counts as a reference of http.
///
/// ```
/// use simd_iri::iri;
/// use simd_iri_lint::DisplayUts58;
///
/// let iri = iri!("https://example.com/%22%CE%B1%22%20%5Bb%5D)?c%26d=50%25.");
/// assert_eq!(DisplayUts58::new().map(iri), "https://example.com/\"α\"%20[b]%29?c%26d=50%%2E");
/// let medial = DisplayUts58::new().medial(true);
/// assert_eq!(medial.map(iri!("https://example.com/a.")), "https://example.com/a.");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct DisplayUts58 {
    medial: bool,
}

impl DisplayUts58 {
    /// Returns a display of whole links.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// # use simd_iri_lint::DisplayUts58;
    /// assert_eq!(DisplayUts58::new().map(iri!("http://a.example/b!")), "http://a.example/b%21");
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { medial: false }
    }

    /// Sets whether more of the link may follow the text. If so, punctuation at the end is not escaped.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// # use simd_iri_lint::DisplayUts58;
    /// let text = DisplayUts58::new().medial(true).map(iri!("http://a.example/b!"));
    /// assert_eq!(text + "c", "http://a.example/b!c");
    /// ```
    #[must_use]
    pub const fn medial(self, medial: bool) -> Self {
        Self { medial }
    }

    /// Returns the text to display. A few passes, and a few allocations.
    ///
    /// ```
    /// # use simd_iri::iri_ref;
    /// # use simd_iri_lint::DisplayUts58;
    /// assert_eq!(DisplayUts58::new().map(iri_ref!("/%E3%80%8Ca%E3%80%8D#%22")), "/「a」#%22");
    /// ```
    #[must_use]
    pub fn map(self, view: impl AsView) -> String {
        let view = view.as_view();
        let mut text = String::new();
        self.map_into(view, &mut text);
        text
    }

    /// Writes the text to display to `text`, which is cleared first. A few passes, and a few allocations.
    ///
    /// ```
    /// # use simd_iri::iri_ref;
    /// # use simd_iri_lint::DisplayUts58;
    /// let mut text = String::from("b");
    /// DisplayUts58::new().map_into(iri_ref!("?%3C%C3%A9%3E"), &mut text);
    /// assert_eq!(text, "?<é>");
    /// ```
    pub fn map_into(self, view: impl AsView, text: &mut String) {
        let view = view.as_view();
        text.clear();
        let given = view.as_iri_ref();
        let iri = decoded(given);
        let iri = iri.view();
        let display = DisplayIri::new();
        let host = labels::shown(iri, display);
        // An empty query does not belong to a link; an empty fragment does.
        let last = if given.fragment().is_some() {
            Component::Fragment
        } else if given.query().is_some_and(|query| !query.is_empty()) {
            Component::Query
        } else {
            Component::Path
        };
        let scheme = given.scheme();
        let format = Whole {
            is_known: scheme.is_none_or(|name| Known::of(name).is_some_and(Known::has_domains)),
            is_relative: scheme.is_none() && given.authority().is_none(),
        };
        let mut pieces = Vec::new();
        rewrite_components(given, text, |component, value, out| match component {
            Component::Userinfo => display.push(iri.userinfo().unwrap_or_default(), out),
            Component::Host => match &host {
                Some(host) => out.push_str(host),
                None => display.push(iri.host_str().unwrap_or_default(), out),
            },
            Component::Path | Component::Query | Component::Fragment => {
                decode_component(component, value, &mut pieces);
                let end = match component == last {
                    false => AfterComponent::Inner,
                    true if self.medial => AfterComponent::Unknown,
                    true => AfterComponent::Last,
                };
                format.push(component, &pieces, end, out);
            }
            _ => out.push_str(value),
        });
    }
}

/// A character of a component, or a triplet that stays.
#[derive(Clone, Copy)]
enum Decoded {
    Char {
        c: char,
        encoded: bool,
    },
    /// The digits of a triplet in a value that is not UTF-8.
    Digits([char; 2]),
}

impl Decoded {
    /// Returns the character, or `None` for a triplet that stays.
    const fn char(self) -> Option<char> {
        match self {
            Self::Char { c, .. } => Some(c),
            Self::Digits(_) => None,
        }
    }

    /// Tells whether it is the character `raw`, not encoded.
    fn is_raw(self, raw: char) -> bool {
        matches!(self, Self::Char { c, encoded: false } if c == raw)
    }
}

/// Decodes a component into `decoded`, which is cleared first. At most two passes.
fn decode_component(component: Component, text: &str, decoded: &mut Vec<Decoded>) {
    decoded.clear();
    for value in values(component, text) {
        let start = decoded.len();
        if !decode_value(value, decoded) {
            decoded.truncate(start);
            keep_value(value, decoded);
        }
    }
}

/// Appends a value with its triplets decoded. Returns false if they are not UTF-8.
fn decode_value(value: &str, decoded: &mut Vec<Decoded>) -> bool {
    let mut octets = Vec::new();
    let (bytes, mut at) = (value.as_bytes(), 0);
    while at < bytes.len() {
        let rest = slice::bytes(bytes, at..);
        let next = memchr::memchr(b'%', rest).map_or(bytes.len(), |next| at + next);
        let raw = slice::text(value, at..next);
        decoded.extend(raw.chars().map(|c| Decoded::Char { c, encoded: false }));
        at = next;
        octets.clear();
        while let Some(octet) = octet(bytes, at) {
            octets.push(octet);
            at += 3;
        }
        let Ok(text) = core::str::from_utf8(&octets) else { return false };
        decoded.extend(text.chars().map(|c| Decoded::Char { c, encoded: true }));
    }
    true
}

/// Appends a value with its triplets as they are written.
fn keep_value(value: &str, decoded: &mut Vec<Decoded>) {
    let mut characters = value.chars();
    while let Some(c) = characters.next() {
        decoded.push(match c {
            '%' => Decoded::Digits([(); 2].map(|()| characters.next().unwrap_or_default())),
            c => Decoded::Char { c, encoded: false },
        });
    }
}

/// The text after a component.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AfterComponent {
    /// Another component of the link.
    Inner,
    /// Perhaps more of the component.
    Unknown,
    /// Nothing that belongs to the link.
    Last,
}

/// The properties of the whole reference that matter for each component.
struct Whole {
    /// Whether an encoded reserved character means no more than itself, because the scheme is known.
    is_known: bool,
    /// Whether the reference begins with the path.
    is_relative: bool,
}

impl Whole {
    /// Appends a component. One pass.
    fn push(
        &self,
        component: Component,
        decoded: &[Decoded],
        end: AfterComponent,
        out: &mut String,
    ) {
        // The open brackets; and the last character with its place, if a reader might exclude that character
        // from the link.
        let (mut open, mut soft) = (Vec::new(), None);
        let mut is_first_segment = component == Component::Path && self.is_relative;
        for at in 0..decoded.len() {
            let (before, rest) = decoded.split_at(at);
            let [one, after @ ..] = rest else { break };
            soft = None;
            let (c, encoded) = match *one {
                Decoded::Char { c, encoded } => (c, encoded),
                Decoded::Digits([first, second]) => {
                    out.extend(['%', first, second]);
                    continue;
                }
            };
            if !encoded && is_interior(component, c, after) {
                open.clear();
                is_first_segment = false;
            }
            let stays = encoded
                && (!self.is_known && c.is_ascii() && !is_unreserved(c)
                    || is_structure(component, c, before, after)
                    || c == ':' && is_first_segment
                    || c == '%' && may_be_triplet(after, end));
            let is_escaped = stays
                || is_bidi_control(c)
                || match term(c) {
                    Term::Include => false,
                    Term::Hard => true,
                    Term::Soft => {
                        soft = Some((out.len(), c));
                        false
                    }
                    Term::Open if open.len() == DEEPEST => true,
                    Term::Open => {
                        open.push(c);
                        false
                    }
                    Term::Close => {
                        let is_matched =
                            opening(c).is_some_and(|opened| open.last() == Some(&opened));
                        if is_matched {
                            open.pop();
                        }
                        !is_matched
                    }
                };
            if is_escaped { push_triplets(c, out) } else { out.push(c) }
        }
        if let (Some((at, c)), AfterComponent::Last) = (soft, end) {
            out.truncate(at);
            push_triplets(c, out);
        }
    }
}

/// Tells whether a character that is not encoded divides the component. A bracket that is open before it is not
/// closed after it.
fn is_interior(component: Component, c: char, after: &[Decoded]) -> bool {
    match component {
        Component::Path => c == '/',
        Component::Query => matches!(c, '=' | '&'),
        _ => {
            c == ':'
                && matches!(after, [tilde, colon, ..] if tilde.is_raw('~') && colon.is_raw(':'))
        }
    }
}

/// Tells whether an encoded character would divide or end the component if it were decoded.
fn is_structure(component: Component, c: char, before: &[Decoded], after: &[Decoded]) -> bool {
    match component {
        Component::Path => matches!(c, '/' | '?' | '#' | '\\'),
        Component::Query => matches!(c, '=' | '&' | '#' | '+'),
        // A character of `:~:`.
        _ => {
            let is = |one: &Decoded, c| one.char() == Some(c);
            match (c, before, after) {
                ('~', [.., last], [next, ..]) => is(last, ':') && is(next, ':'),
                (':', [.., colon, tilde], _) if is(colon, ':') && is(tilde, '~') => true,
                (':', _, [tilde, colon, ..]) => is(tilde, '~') && is(colon, ':'),
                _ => false,
            }
        }
    }
}

/// Tells whether a percent sign and the text after it may be a triplet.
fn may_be_triplet(after: &[Decoded], end: AfterComponent) -> bool {
    let is_hex = |one: &Decoded| one.char().is_some_and(|c| c.is_ascii_hexdigit());
    match after {
        [first, second, ..] => is_hex(first) && is_hex(second),
        rest => end == AfterComponent::Unknown && rest.iter().all(is_hex),
    }
}

/// Tells whether a character is unreserved ASCII.
fn is_unreserved(c: char) -> bool {
    u8::try_from(c).is_ok_and(|byte| UNRESERVED.contains(byte))
}
