//! Digits that look like letters inside words: `paypa1`, `br0ken` (draft-duerst-iri-01, section 6.4). Many
//! names have such digits for good reason, so no profile reports them.

use super::components::pieces;
use super::meant;
use crate::check::code::Code;
use crate::check::finding::Sink;
use crate::reference::IriRef;

/// A word so far.
#[derive(Default)]
struct Word {
    start: usize,
    end: usize,
    letters: usize,
    /// The zeros and ones, and the first of them.
    digits: usize,
    digit: Option<char>,
    /// How many digits it begins with, and how many it ends with.
    leading: usize,
    trailing: usize,
    has_other_digit: bool,
}

impl Word {
    fn push(&mut self, c: char) {
        if c.is_numeric() {
            self.has_other_digit |= !matches!(c, '0' | '1');
            self.digits += 1;
            self.trailing += 1;
            self.leading += usize::from(self.letters == 0);
            self.digit = self.digit.or(Some(c));
        } else {
            self.letters += 1;
            self.trailing = 0;
        }
    }

    /// Three letters make a word; two digits at either end are a number.
    const fn looks_spelled(&self) -> bool {
        !self.has_other_digit
            && self.letters > 2
            && self.letters > self.digits
            && self.leading < 2
            && self.trailing < 2
    }
}

/// Reports the words of a reference in which the digits 0 and 1 stand where letters could. One pass.
pub(crate) fn check(iri: IriRef<'_>, sink: &mut Sink<'_>) {
    for piece in pieces(iri, false) {
        let mut say = |word: Word| {
            if let Some(digit) = word.digit.filter(|_| word.looks_spelled()) {
                let span = piece.start + word.start..piece.start + word.end;
                sink.say(Code::SpoofDigit, piece.component, span, None, u32::from(digit));
            }
        };
        let mut word = Word::default();
        for (c, span) in meant::characters(piece.text) {
            if !c.is_alphanumeric() {
                say(core::mem::take(&mut word));
                continue;
            }
            if word.letters + word.digits == 0 {
                word.start = span.start;
            }
            word.end = span.end;
            word.push(c);
        }
        say(word);
    }
}
