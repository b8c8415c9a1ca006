//! UTF-8 that a program has read as windows-1252, and perhaps encoded again: `cafÃ©` and
//! `caf%C3%83%C2%A9` for `café` (draft-duerst-iri-01, section 7).
//!
//! Not here: octets that are not UTF-8 (`escapes`).

/*
# The algorithm

Each character of windows-1252 is one octet. If the octets of several characters are the UTF-8 of one character, these
characters are a *sequence*. In windows-1252, a sequence is a letter and one, two or three characters after it, most of
them symbols. Ordinary text hardly ever has them together, so a sequence is almost certainly UTF-8 that was read as
windows-1252.

    runs: at each character
      a sequence begins here    add it to the run, and go on after it
      otherwise                 the run ends: call `each` if the run is plausible; go on at the next character

A run is consecutive sequences. Examples, with the octets of windows-1252:

    cafÃ©      C3 A9          U+00E9 é          plausible: `©` is not in `CLOSING`
    itâ€™s     E2 80 99       U+2019 ’          plausible: three octets, and `€` is not in `CLOSING`
    Ð¿Ñ€       D0 BF D1 80    U+043F U+0440     plausible: two characters of one script
    IRMÃ”      C3 94          U+00D4 Ô          not plausible: `”` is in `CLOSING`, after a word in capitals
    Úžasný     DA 9E          U+069E            not plausible: a single character of U+0180 to U+07FF

# Invariants

- The algorithm reads the characters for which the text stands: `%C3%83` is `Ã`. So it also finds mojibake that is
  percent-encoded.
- `runs` copies the iterator to look ahead. A sequence has at most four characters, so `runs` takes linear time. It reads
  the characters of a sequence once.
- `repaired` cuts the text into the same sequences, so it repairs what `runs` has reported.
*/

use alloc::string::String;
use core::ops::Range;

use super::components::components;
use super::meant;
use super::script::{Scripts, is_mixed};
use super::unit::character;
use crate::code::Code;
use crate::finding::Reporter;
use crate::suggestion::Suggestion;
use simd_iri::IriRef;
use simd_iri::low::{NonAscii, is_bidi_control, triplet_text};

/// The characters of the octets 0x80 to 0x9F, by the index of windows-1252 in the Encoding Standard. NUL marks an octet
/// without a character.
const HIGH: [char; 32] = [
    '€', '\0', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\0', 'Ž', '\0', //
    '\0', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\0', 'ž', 'Ÿ',
];

/// Punctuation that follows a word in ordinary text.
const CLOSING: &[char] = &[
    '…', '‘', '’', '“', '”', '•', '–', '—', '™', '›', '»', '«', '‹', '‚', '„', '®', '\u{A0}', '§',
    '¡', '¿', '·',
];

/// Returns the octet of a character outside ASCII in windows-1252. A control character from U+0080 to U+009F is the
/// octet of the same number.
pub(crate) fn octet(c: char) -> Option<u8> {
    match u8::try_from(c) {
        Ok(byte) => Some(byte).filter(|byte| !byte.is_ascii()),
        Err(_) => {
            let at = HIGH.iter().position(|high| *high == c)?;
            u8::try_from(at).ok().map(|at| 0x80 + at)
        }
    }
}

/// Tells whether the octet of a character in windows-1252 begins a character in UTF-8.
fn begins(c: char) -> bool {
    // These characters are the octets of the same numbers.
    matches!(c, '\u{C2}'..='\u{F4}')
}

/// Several characters whose octets in windows-1252 are the UTF-8 of one character.
struct Mojibake {
    /// The character of which the octets are the UTF-8.
    character: char,
    /// The characters of windows-1252 after the first. Those that the sequence does not have are NUL.
    others: [char; 3],
    /// The byte offset in the text at which they end.
    end: usize,
}

impl Mojibake {
    /// Returns the characters of windows-1252 after the first.
    fn others(&self) -> impl DoubleEndedIterator<Item = char> {
        self.others.into_iter().filter(|c| *c != '\0')
    }

    /// Tells whether all characters of windows-1252 after the first are punctuation that follows words (`CLOSING`).
    fn is_closing(&self) -> bool {
        self.others().all(|c| CLOSING.contains(&c))
    }
}

/// Returns the sequence that begins with `first`, and takes its other characters from `rest`. Returns `None` if no sequence
/// begins with `first`.
fn sequence(
    first: char,
    rest: &mut impl Iterator<Item = (char, Range<usize>)>,
) -> Option<Mojibake> {
    let first = octet(first)?;
    let length = match first {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return None,
    };
    let (mut octets, mut others, mut end) = ([0; 3], ['\0'; 3], 0);
    for (place, other) in octets.iter_mut().zip(&mut others).take(length - 1) {
        let (c, span) = rest.next()?;
        *place = octet(c).filter(|octet| octet & 0xC0 == 0x80)?;
        (*other, end) = (c, span.end);
    }
    let [second, third, fourth] = octets;
    Some(Mojibake { character: character([first, second, third, fourth], length)?, others, end })
}

/// Consecutive sequences. It is empty while `text` is empty.
#[derive(Default)]
struct Run {
    start: usize,
    end: usize,
    /// The characters of the sequences.
    text: String,
    /// [`Mojibake::is_closing`] of the first sequence. It counts only if the run has one sequence.
    is_closing: bool,
    /// The character of windows-1252 before the run.
    before: Option<char>,
}

impl Run {
    /// Tells whether the characters are more likely UTF-8 than ordinary text.
    fn is_plausible(&self, after: Option<char>) -> bool {
        let is_assigned = |c: char| !Scripts::of(c).is_unknown() && !c.is_control();
        if !self.text.chars().all(is_assigned) {
            return false;
        }
        let mut characters = self.text.chars();
        let (Some(first), None) = (characters.next(), characters.next()) else {
            // Two or more sequences follow each other only by accident in ordinary text. The
            // characters of a word have one script.
            return !is_mixed(self.text.chars());
        };
        let is_small = |c: Option<char>| c.is_some_and(char::is_lowercase);
        let is_letter = |c: Option<char>| c.is_some_and(char::is_alphabetic);
        // `Ã“a`, which was `Óa`: a capital at the start of a word, with a small letter after the sequence.
        let is_capital = matches!(first, 'À'..='ÿ') && !is_letter(self.before) && is_small(after);
        match first {
            // Symbols and Latin letters. With closing punctuation, the letters around the sequence decide.
            '\u{A0}'..='ſ' => !self.is_closing || is_small(self.before) || is_capital,
            // Sequences of three or four octets.
            '\u{800}'.. => !self.is_closing,
            _ => false,
        }
    }
}

/// Calls `each` with every plausible run of a text: its byte offsets, and the first character for which it stands.
/// Reads each character a few times.
// In the loop, `characters` begins at the first character that is not decided, and `before` is the character before it.
// For example, in `xÃ©Ã¨y`: `x` ends an empty run; `Ã©` begins a run; `Ã¨` continues it; `y` ends it, and `each` is
// called with the span of both sequences and `é`.
fn runs(text: &str, mut each: impl FnMut(Range<usize>, char)) {
    if text.is_ascii() && !text.contains('%') {
        return;
    }
    let mut run = Run::default();
    let mut before = None;
    let mut characters = meant::characters(text);
    loop {
        let next = characters.next();
        if let Some((first, span)) = next.as_ref().filter(|(c, _)| begins(*c)) {
            let mut rest = characters.clone();
            if let Some(found) = sequence(*first, &mut rest) {
                if run.text.is_empty() {
                    (run.start, run.before, run.is_closing) =
                        (span.start, before, found.is_closing());
                }
                run.text.push(found.character);
                run.end = found.end;
                before = found.others().next_back();
                characters = rest;
                continue;
            }
        }
        let after = next.as_ref().map(|(c, _)| *c);
        if let Some(first) = run.text.chars().next().filter(|_| run.is_plausible(after)) {
            each(run.start..run.end, first);
        }
        run.text.clear();
        if next.is_none() {
            return;
        }
        before = after;
    }
}

/// Reports UTF-8 that was read as windows-1252. A few passes over components outside ASCII.
pub(crate) fn check(iri: IriRef<'_>, reporter: &mut Reporter<'_>) {
    for part in components(iri, false) {
        runs(part.text, |span, first| {
            let span = part.start + span.start..part.start + span.end;
            let repair = Some(Suggestion::Utf8);
            reporter.report(Code::SpoofMojibake, part.component, span, repair, u32::from(first));
        });
    }
}

/// Tells whether a component has a plausible run.
pub(crate) fn has_any(text: &str) -> bool {
    let mut has_any = false;
    runs(text, |_, _| has_any = true);
    has_any
}

/// Returns the text for which a run stands. If the run is in triplets alone, the result is in triplets.
pub(crate) fn repaired(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = meant::characters(text);
    let has_characters = !text.is_ascii();
    while let Some((first, _)) = characters.next() {
        let mut rest = characters.clone();
        let c = match sequence(first, &mut rest) {
            Some(sequence) => {
                characters = rest;
                sequence.character
            }
            None => first,
        };
        let mut buffer = [0; 4];
        let bytes = c.encode_utf8(&mut buffer).as_bytes();
        let may_be_written = has_characters
            && matches!(NonAscii::of(bytes), NonAscii::Ucschar)
            && !is_bidi_control(c);
        if may_be_written {
            out.push(c);
        } else {
            bytes.iter().for_each(|byte| out.push_str(triplet_text(*byte)));
        }
    }
    out
}
