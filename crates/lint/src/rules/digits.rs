//! Digits that look like letters inside words: `paypa1`, `br0ken` (draft-duerst-iri-01, section 6.4). Many
//! names have digits in words for good reason, so no profile reports them.

use super::components::components;
use super::meant;
use crate::code::Code;
use crate::finding::Reporter;
use simd_iri::IriRef;

/// A word, as far as it has been read.
#[derive(Default)]
struct Word {
    start: usize,
    end: usize,
    letters: usize,
    /// The number of digits.
    digits: usize,
    /// The first digit.
    digit: Option<char>,
    /// The number of digits with which the word begins.
    leading: usize,
    /// The number of digits with which the word ends.
    trailing: usize,
    /// Whether the word has a digit other than 0 and 1.
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

    /// Tells whether the digits of the word may stand for letters. Fewer than three letters do not make a word. Two
    /// digits at an end of the word are a number.
    const fn looks_spelled(&self) -> bool {
        !self.has_other_digit
            && self.letters > 2
            && self.letters > self.digits
            && self.leading < 2
            && self.trailing < 2
    }
}

/// Reports the words of a reference in which the digits 0 and 1 stand where letters could. One pass.
pub(crate) fn check(iri: IriRef<'_>, reporter: &mut Reporter<'_>) {
    for part in components(iri, false) {
        let mut report = |word: Word| {
            if let Some(digit) = word.digit.filter(|_| word.looks_spelled()) {
                let span = part.start + word.start..part.start + word.end;
                reporter.report(Code::SpoofDigit, part.component, span, None, u32::from(digit));
            }
        };
        let mut word = Word::default();
        for (c, span) in meant::characters(part.text) {
            if !c.is_alphanumeric() {
                report(core::mem::take(&mut word));
                continue;
            }
            if word.letters + word.digits == 0 {
                word.start = span.start;
            }
            word.end = span.end;
            word.push(c);
        }
        report(word);
    }
}
