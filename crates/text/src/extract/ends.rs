//! Finds the end of a link: path, query and fragment, character by character (UTS #58, link termination).
//!
//! Here: pairs of brackets, characters that belong to a link only if more of the link follows, and the rules of
//! each markup. Not here: where a link begins, and its host.

use alloc::vec::Vec;

use icu_properties::props::{BinaryProperty, Emoji};

use super::prose::is_opener;
use super::reader::{char_at, char_before};
use super::stretch::{LinkSets, Stretch};
use crate::Ends;
use crate::Extract;
use crate::Markup;
use crate::link_tables::{DEEPEST, Term, is_invisible, opening, term};
use simd_iri::low::{DISALLOWED, is_bidi_control, slice};
use simd_iri::parser::CpuLevel;

/// The rules by which a link ends.
#[derive(Clone, Copy)]
pub(crate) struct EndRules {
    level: CpuLevel,
    ends: Ends,
    /// The offset at which the host ends, if the rules read the host: `Ends::Ascii` holds from there on.
    host_end: usize,
    /// Whether ASCII that no IRI holds ends the link.
    strict: bool,
    markup: Markup,
    /// The character that closes the quotation or bracket right around the link, and so ends the link.
    closer: Option<char>,
}

/// Tells whether Markdown begins and ends emphasis with a character.
pub(crate) const fn is_emphasis(c: char) -> bool {
    matches!(c, '*' | '_' | '~')
}

/// Tells whether the character `c` at an offset is a variation selector that belongs to the emoji before it.
fn is_style(text: &str, c: char, at: usize) -> bool {
    matches!(c, '\u{FE0E}' | '\u{FE0F}')
        && char_before(text, at).is_some_and(|last| !last.is_ascii() && Emoji::for_char(last))
}

/// Returns the offset before the characters that a reader does not see at the end of `text[from..at]`.
fn before_invisible(text: &str, from: usize, mut at: usize) -> usize {
    let is_unseen =
        |c: char, start| is_bidi_control(c) || is_invisible(c) && !is_style(text, c, start);
    while let Some(c) = char_before(text, at).filter(|_| at > from) {
        let start = at - c.len_utf8();
        if !is_unseen(c, start) {
            break;
        }
        at = start;
    }
    at
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LinkPart {
    Path,
    Query,
    Fragment,
}

/// An opening bracket of prose that is part of the link only if it is closed in the link.
#[derive(Clone, Copy)]
struct Unclosed {
    /// The offset of the bracket, at which the link ends if the bracket stays open.
    at: usize,
    /// The number of brackets that are open before it.
    depth: usize,
}

/// The length in bytes that the text between brackets of prose does not exceed. So no text is read again and again to
/// find a closing bracket.
const LONGEST_TITLE: usize = 256;

impl LinkPart {
    /// Returns the component at the end of `text`, which begins in this component.
    fn after(self, text: &[u8]) -> Self {
        match self {
            Self::Fragment => self,
            _ if text.contains(&b'#') => Self::Fragment,
            Self::Path if text.contains(&b'?') => Self::Query,
            _ => self,
        }
    }

    /// Tells whether brackets before a character do not pair with brackets after it (UTS #58, interior
    /// syntax).
    fn is_interior(self, text: &str, at: usize, c: char) -> bool {
        match (self, c) {
            (Self::Path, '/' | '?' | '#') | (Self::Query, '=' | '&' | '#') => true,
            (Self::Fragment, ':') => text.get(at..).is_some_and(|rest| rest.starts_with(":~:")),
            _ => false,
        }
    }
}

impl EndRules {
    /// Returns the rules of a link that begins at `start`. With `is_web`, for links of http and without a
    /// scheme, plain text follows UTS #58, which allows more characters than IRIs.
    pub(crate) fn of(extract: Extract<'_>, text: &str, start: usize, is_web: bool) -> Self {
        let Extract { level, markup, ends, .. } = extract;
        let ends = ends.of_link(text, start);
        let strict = !is_web || markup != Markup::Plain;
        let is_destination = || text.get(..start).is_some_and(|before| before.ends_with("]("));
        let closer = match markup {
            Markup::Plain => None,
            _ => match char_before(text, start) {
                Some('<') if markup != Markup::Html => Some('>'),
                Some('(') if markup == Markup::Markdown && is_destination() => Some(')'),
                quote @ Some('"' | '\'' | '`') => quote,
                _ => None,
            },
        };
        Self { level, ends, host_end: 0, strict, markup, closer }
    }

    /// Returns the rules of a link whose host is read by the rules, and ends at `host_end`.
    pub(crate) const fn with_host(self, host_end: usize) -> Self {
        Self { host_end, ..self }
    }

    /// Tells whether a character delimits the local part of an e-mail address in this markup.
    pub(crate) fn delimits(markup: Markup, c: char) -> bool {
        let is_delimiter = |byte: u8| {
            DISALLOWED.contains(byte) || matches!(byte, b'\'' | b'=' | b'/' | b'?' | b'&' | b'#')
        };
        markup != Markup::Plain && u8::try_from(c).is_ok_and(is_delimiter)
    }

    /// Returns the role of the character `c` at an offset of a text, at the end of a link.
    fn term(&self, text: &str, c: char, at: usize) -> Term {
        let ends = match self.ends {
            Ends::Ascii if at < self.host_end => Ends::Tight,
            ends => ends,
        };
        let is_mark = || self.markup == Markup::Markdown && is_emphasis(c);
        let is_hard = self.strict && u8::try_from(c).is_ok_and(|byte| DISALLOWED.contains(byte));
        match term(c) {
            _ if is_hard || ends.is_end(c) => Term::Hard,
            // No link ends with a bidi formatting character.
            _ if is_mark() || is_bidi_control(c) => Term::Soft,
            // Nor with an invisible character, which a reader does not see, unless it styles an emoji.
            Term::Include if is_invisible(c) && !is_style(text, c, at) => Term::Soft,
            term => term,
        }
    }

    /// Returns the offset at which the link ends. Its host or scheme ends at `from`. Returns `from` itself if
    /// nothing after it belongs to the link. `open` is memory for the open brackets.
    ///
    /// ```text
    /// while no bracket is open: pass over plain characters by masks (`Stretch`)
    /// then, for the next character:
    ///     the quotation around the link closes       end the link before invisible characters, if no bracket is open
    ///     it divides the component (`is_interior`)   forget the open brackets
    ///     hard                                       stop
    ///     soft                                       pass over it; `safe` stays
    ///     an opening bracket of prose, not strict    stop, unless a letter outside ASCII is before it; see `Unclosed`
    ///     an opening bracket                         push it, and move `safe` after it
    ///     the bracket that closes the last one       pop that, and move `safe` after it
    ///     another closing bracket                    stop
    ///     any other character                        move `safe` after it
    /// after a stop, the link ends at `safe`
    /// ```
    ///
    /// With `Ends::Tight`, the link ends before a bracket of prose that is not closed after all: `/苹果（公司）` is whole,
    /// and `/苹果（公司，` ends after `果`.
    ///
    /// For example, `/a_(b).` before a space ends after `)`, because nothing follows the full stop. `/a)` ends after
    /// `a`, because no bracket is open.
    pub(crate) fn end(&self, text: &str, from: usize, open: &mut Vec<char>) -> usize {
        let bytes = text.as_bytes();
        let (mut at, mut safe) = (from, from);
        // The component of the link at `part_at`. Only brackets need it.
        let (mut part, mut part_at) = (LinkPart::Path, from);
        // The number of open bidi embeddings and isolates.
        let mut directed = 0_usize;
        let mut unclosed: Option<Unclosed> = None;
        let sets = LinkSets::of(self.markup, self.strict);
        open.clear();
        loop {
            if open.is_empty() {
                let (stop, firm) =
                    self.level.run_wide(Stretch { text, from: at, sets, ends: self.ends });
                safe = if firm > at { firm } else { safe };
                at = stop;
            }
            let Some(c) = char_at(text, at) else { break };
            if self.closer == Some(c) && open.is_empty() {
                return before_invisible(text, from, at);
            }
            let term = self.term(text, c, at);
            if !open.is_empty() && part.is_interior(text, at, c) {
                if unclosed.is_some() {
                    break;
                }
                open.clear();
            }
            if unclosed.is_some_and(|bracket| at - bracket.at > LONGEST_TITLE) {
                break;
            }
            if term == Term::Open && unclosed.is_none() && self.ends.is_tight() && is_opener(c) {
                let last = char_before(text, at).filter(|_| at > from);
                if !last.is_some_and(|last| !last.is_ascii() && last.is_alphanumeric()) {
                    break;
                }
                unclosed = Some(Unclosed { at, depth: open.len() });
            }
            match c {
                '\u{202A}' | '\u{202B}' | '\u{202D}' | '\u{202E}' | '\u{2066}'..='\u{2068}' => {
                    directed += 1;
                }
                // A character that closes an embedding or isolate from before the link ends the link.
                '\u{202C}' | '\u{2069}' if directed == 0 => break,
                '\u{202C}' | '\u{2069}' => directed -= 1,
                _ => {}
            }
            at += c.len_utf8();
            match term {
                Term::Hard => break,
                Term::Soft => {}
                Term::Open if open.len() == DEEPEST => break,
                Term::Close if open.pop() != opening(c) => break,
                Term::Include | Term::Open | Term::Close => safe = at,
            }
            if term == Term::Open {
                open.push(c);
            } else if unclosed.is_some_and(|bracket| open.len() == bracket.depth) {
                unclosed = None;
            }
            if !open.is_empty() {
                part = part.after(slice::bytes(bytes, part_at..at));
                part_at = at;
            }
        }
        unclosed.map_or(safe, |bracket| bracket.at)
    }
}
