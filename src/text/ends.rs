//! Where a link ends: path, query and fragment, character by character (UTS #58, link termination).
//!
//! Here: brackets that pair, what counts only if something follows, and what a context adds to that.
//! Not here: where a link begins, and its host.

use alloc::vec::Vec;

use super::Markup;
use super::link_tables::{DEEPEST, Term, opening, term};
use super::reader::{char_at, char_before, run_at};
use crate::tables::AsciiSet;
use crate::transform::{character_reference, is_bidi_control};

/// The rules of a link.
#[derive(Clone, Copy)]
pub(super) struct Rules {
    /// ASCII that no IRI holds ends the link.
    strict: bool,
    /// Marks of emphasis count only if something follows.
    emphasis: bool,
    /// Characters may be referred to.
    references: bool,
    /// What the link is between ends with this, and the link right before it.
    closer: Option<char>,
}

/// ASCII that no IRI holds (RFC 3987, section 3.1).
const EXCLUDED: AsciiSet = AsciiSet::of(b"<>\"{}|\\^`");
/// What belongs to every link, has no structure, and is most of it.
const PLAIN: AsciiSet =
    AsciiSet::of(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-%+$@");

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Path,
    Query,
    Fragment,
}

impl Rules {
    /// The rules of a link that begins at `start`. Of `http` and without a scheme UTS #58 has some for
    /// plain text that allow more than IRIs.
    pub(super) fn of(markup: Markup, text: &str, start: usize, is_web: bool) -> Self {
        let strict = !is_web || markup != Markup::Plain;
        let emphasis = markup == Markup::Markdown;
        let references = markup == Markup::Html;
        let before = text.get(..start).unwrap_or_default();
        let closer = match char_before(text, start) {
            _ if markup == Markup::Plain => None,
            Some('<') if markup != Markup::Html => Some('>'),
            Some('(') if emphasis && before.ends_with("](") => Some(')'),
            quote @ Some('"' | '\'' | '`') => quote,
            _ => None,
        };
        Self { strict, emphasis, references, closer }
    }

    /// Whether a character is one that delimits the local part of an address in this context.
    pub(super) fn delimits(markup: Markup, c: char) -> bool {
        let is_excluded = |byte: u8| {
            EXCLUDED.contains(byte) || matches!(byte, b'\'' | b'=' | b'/' | b'?' | b'&' | b'#')
        };
        markup != Markup::Plain && u8::try_from(c).is_ok_and(is_excluded)
    }

    /// How a character bears on the end, with its length in the text.
    fn term(&self, text: &str, at: usize, c: char) -> (Term, char, usize) {
        let (c, length) = match self.references && c == '&' {
            true => match character_reference(text.get(at..).unwrap_or_default()) {
                Some((Some(meant), length)) => (meant, length),
                _ => (c, 1),
            },
            false => (c, c.len_utf8()),
        };
        let is_excluded = |byte: u8| EXCLUDED.contains(byte) || self.references && byte <= b' ';
        let is_mark = || self.emphasis && matches!(c, '*' | '_' | '~');
        let is_hard = self.strict && u8::try_from(c).is_ok_and(is_excluded);
        let term = match term(c) {
            _ if is_hard => Term::Hard,
            // No link ends with a mark that directs the order of display.
            _ if is_mark() || is_bidi_control(c) => Term::Soft,
            term => term,
        };
        (term, c, length)
    }

    /// Where the link ends that has come to `from`, after a host or a scheme; `from` if nothing follows
    /// that belongs to it.
    pub(super) fn end(&self, text: &str, from: usize, open: &mut Vec<char>) -> usize {
        let mut part = Part::Path;
        // How many embeddings and isolates are open.
        let mut directed = 0_usize;
        let (mut at, mut safe) = (from, from);
        open.clear();
        loop {
            let plain = run_at(text, at, &PLAIN);
            if plain > 0 {
                at += plain;
                safe = at;
            }
            let Some(c) = char_at(text, at) else { break };
            if self.closer == Some(c) && open.is_empty() {
                return at;
            }
            let (term, meant, length) = self.term(text, at, c);
            let is_interior = match (part, meant) {
                (Part::Path, '?') | (_, '#') if part != Part::Fragment => {
                    part = if meant == '?' { Part::Query } else { Part::Fragment };
                    true
                }
                (Part::Path, '/') | (Part::Query, '=' | '&') => true,
                (Part::Fragment, ':') => text.get(at..).is_some_and(|rest| rest.starts_with(":~:")),
                _ => false,
            };
            if is_interior {
                open.clear();
            }
            match meant {
                '\u{202A}' | '\u{202B}' | '\u{202D}' | '\u{202E}' | '\u{2066}'..='\u{2068}' => {
                    directed += 1;
                }
                // What closes one that was opened before the link ends it.
                '\u{202C}' | '\u{2069}' if directed == 0 => break,
                '\u{202C}' | '\u{2069}' => directed -= 1,
                _ => {}
            }
            match term {
                Term::Hard => break,
                Term::Soft => at += length,
                Term::Open if open.len() == DEEPEST => break,
                Term::Close if open.pop() != opening(meant) => break,
                Term::Include | Term::Open | Term::Close => {
                    if term == Term::Open {
                        open.push(meant);
                    }
                    at += length;
                    safe = at;
                }
            }
        }
        safe
    }
}
