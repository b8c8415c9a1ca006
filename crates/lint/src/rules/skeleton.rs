//! Skeletons (UTS #39, section 4): two references with the same skeleton look alike. And what a character looks like.
//!
//! The data come from `unicode-security`. Not here: what is reported (`scripts`, `lookalikes`).

/*
# The algorithm

The definition is `skeleton` of `unicode-security`: NFD, without characters that are ignored, each character replaced by
its prototype, and NFD again. But nearly every character *stands apart*: its skeleton does not depend on the characters before it. Then the skeleton of a text is the skeletons of its characters, one
after the other, and the skeleton of a character is remembered (`of`).

A character stands apart if its NFD and its skeleton both begin with a starter (a character of combining class 0).
Normalization never moves a character across a starter. For example, `é` stands apart, and U+0301 does not.

    push: for each character of the text
      stands apart, its skeleton is itself     go on; it is copied later, with its neighbours
      stands apart, its skeleton is another    copy what is before it; append its skeleton when the next one stands apart
      does not stand apart                     go on to the next character that stands apart; the definition decides
                                               about all these characters and the one before them

In `cafe\u{301} am`: `caf` is copied; the definition gives `e\u{301}` for `e\u{301}`; ` a` is copied; `m` is `rn`.

The answer about a character is a number. Its lowest three bits say what the other 21 bits are:

    JOINS     the character does not stand apart
    ITSELF    its skeleton is the character itself
    ONE       a character
    MARKS     an ASCII character, and one or two marks from U+0300 to U+036F, 7 bits each: `é`
    ASCII     two or three ASCII characters, 7 bits each: `m` is `rn`
    MARKED    a character below U+2000, 13 bits, and a mark from U+0300 to U+03FF, 8 bits
    LONG      any other text; the definition is asked each time, but once a text about the percent sign

A syllable of Hangul is its two or three letters (Unicode, section 3.12), and each has its own answer.

# Invariants

- In `push`, the bytes before `done` are in `out`. `last` is the start of the last character, and `held` is its answer. If
  `held` is not ITSELF, `done` is `last`.
- All answers together are the definition: the tests compare them for every character, alone and in texts.
*/

use alloc::borrow::Cow;
use alloc::string::String;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;
use unicode_security::skeleton as of_text;

use super::meant;
use simd_iri::convert::AsView;
use simd_iri::low::{Remembered, slice};

/// Returns the skeleton of the reference (UTS #39, section 4): references with the same skeleton look
/// alike.
///
/// The skeleton is for comparing, not for display, and is not a reference. A-labels (`xn--`) count as
/// their Unicode form; triplets stay. One pass and a few allocations.
///
/// ```
/// use simd_iri::iri;
/// use simd_iri_lint::skeleton;
///
/// let (latin, cyrillic) = (iri!("http://scope.example/"), iri!("http://ѕсоре.example/"));
/// assert_ne!(latin, cyrillic);
/// assert_eq!(skeleton(latin), skeleton(cyrillic));
/// ```
#[must_use]
pub fn skeleton(view: impl AsView) -> String {
    let view = view.as_view();
    let (text, host) = (view.as_str(), view.parts().host().unwrap_or_default());
    // Most characters that are replaced are replaced by two.
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    push(slice::text(text, ..host.start), &mut out);
    let name = slice::text(text, host.clone());
    for (number, label) in name.split('.').enumerate() {
        out.push_str(if number > 0 { "." } else { "" });
        push(&shown(label), &mut out);
    }
    push(slice::text(text, host.end..), &mut out);
    out
}

/// Returns a label as readers see it.
fn shown(label: &str) -> Cow<'_, str> {
    if let Some(shown) = meant::is_ace(label).then(|| simd_iri::low::to_unicode(label)).flatten() {
        return Cow::Owned(shown);
    }
    Cow::Borrowed(label)
}

const JOINS: u32 = 0;
const ITSELF: u32 = 1;
const ONE: u32 = 2;
const MARKS: u32 = 3;
const ASCII: u32 = 4;
const MARKED: u32 = 5;
const LONG: u32 = 6;
/// The number of bits that say what an answer is.
const TAG: u32 = 3;

const _: () = assert!(TAG + 21 <= Remembered::BITS);

/// Returns the skeleton of a character as a number.
#[inline]
fn of(c: char) -> u32 {
    static FOUND: Remembered = Remembered::new(looked_up);
    FOUND.get(c)
}

/// [`of`], from the tables.
fn looked_up(c: char) -> u32 {
    let is_starter = |c: char| canonical_combining_class(c) == 0;
    let mut buffer = [0; 4];
    let text: &str = c.encode_utf8(&mut buffer);
    let mut parts = of_text(text);
    let Some(first) = parts.next().filter(|first| is_starter(*first)) else { return JOINS };
    if !core::iter::once(c).nfd().next().is_some_and(is_starter) {
        return JOINS;
    }
    let (second, third, rest) = (parts.next(), parts.next(), parts.next());
    // The number of a mark from 1, or of an ASCII character other than NUL; 0 for no character.
    let mark = |c: Option<char>| match c {
        None => Some(0),
        Some(c) => u32::from(c).checked_sub(0x2FF).filter(|mark| (1..=0x70).contains(mark)),
    };
    let ascii = |c: Option<char>| match c {
        None => Some(0),
        Some(c) => (c.is_ascii() && c != '\0').then_some(u32::from(c)),
    };
    let of_three = |first: u32, second: u32, third: u32| first | second << 7 | third << 14;
    let number = u32::from(first);
    if rest.is_some() {
        return LONG;
    }
    let Some(next) = second else {
        return if first == c { ITSELF } else { ONE | number << TAG };
    };
    if let (true, Some(second), Some(third)) = (first.is_ascii(), mark(second), mark(third)) {
        MARKS | of_three(number, second, third) << TAG
    } else if let (true, Some(second), Some(third)) =
        (first.is_ascii(), ascii(second), ascii(third))
    {
        ASCII | of_three(number, second, third) << TAG
    } else if let (true, None, 0x300..0x400) = (number < 0x2000, third, u32::from(next)) {
        MARKED | (number | (u32::from(next) - 0x300) << 13) << TAG
    } else {
        LONG
    }
}

/// Appends the skeleton of a text.
fn push(text: &str, out: &mut String) {
    let (mut done, mut last, mut held) = (0, 0, (ITSELF, '\0'));
    let mut percent = String::new();
    let mut characters = text.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let found = of(c);
        if found == JOINS {
            while characters.next_if(|(_, c)| of(*c) == JOINS).is_some() {}
            let end = characters.peek().map_or(text.len(), |(next, _)| *next);
            out.push_str(slice::text(text, done..last));
            out.extend(of_text(slice::text(text, last..end)));
            (done, last, held) = (end, end, (ITSELF, '\0'));
            continue;
        }
        if held.0 != ITSELF {
            push_one(held, &mut percent, out);
            done = at;
        } else if found != ITSELF {
            out.push_str(slice::text(text, done..at));
            done = at;
        }
        (last, held) = (at, (found, c));
    }
    match held.0 {
        ITSELF => out.push_str(slice::text(text, done..)),
        _ => push_one(held, &mut percent, out),
    }
}

/// Appends the skeleton of a character that stands apart and is not its own skeleton. `percent` holds the skeleton of the
/// percent sign, once it is known.
fn push_one((found, c): (u32, char), percent: &mut String, out: &mut String) {
    let number = found >> TAG;
    let seven = |place: u32| number >> (7 * place) & 0x7F;
    let mut add = |code: u32| out.extend(char::from_u32(code));
    match found & ((1 << TAG) - 1) {
        ONE => add(number),
        MARKS => {
            add(seven(0));
            [seven(1), seven(2)]
                .into_iter()
                .filter(|mark| *mark != 0)
                .for_each(|mark| add(0x2FF + mark));
        }
        ASCII => [seven(0), seven(1), seven(2)].into_iter().filter(|byte| *byte != 0).for_each(add),
        MARKED => {
            add(number & 0x1FFF);
            add(0x300 + (number >> 13));
        }
        _ if c == '%' => {
            if percent.is_empty() {
                percent.extend(of_text("%"));
            }
            out.push_str(percent);
        }
        _ => push_long(c, out),
    }
}

/// Appends the skeleton of a character that an answer has no room for.
fn push_long(c: char, out: &mut String) {
    let Some(syllable) = u32::from(c).checked_sub(0xAC00).filter(|syllable| *syllable < 11_172)
    else {
        out.extend(of_text(c.encode_utf8(&mut [0; 4])));
        return;
    };
    let parts = [0x1100 + syllable / 588, 0x1161 + syllable % 588 / 28, 0x11A7 + syllable % 28];
    // The last number stands for no letter if it is the first of its row.
    for part in parts.into_iter().filter(|part| *part != 0x11A7).filter_map(char::from_u32) {
        match of(part) {
            ITSELF => out.push(part),
            found if found & ((1 << TAG) - 1) == ONE => out.extend(char::from_u32(found >> TAG)),
            _ => out.extend(of_text(part.encode_utf8(&mut [0; 4]))),
        }
    }
}

/// The bit of [`likeness`] for a character whose skeleton is ASCII.
const LIKE_ASCII: u32 = 1 << 7;

/// Returns the ASCII character that a character outside ASCII looks like, or 0; with [`LIKE_ASCII`] if the whole skeleton
/// is ASCII.
#[inline]
fn likeness(c: char) -> u32 {
    static FOUND: Remembered = Remembered::new(|c| {
        let mut buffer = [0; 4];
        let text: &str = c.encode_utf8(&mut buffer);
        let is_like = of_text(text).all(|c| c.is_ascii());
        let mut characters = of_text(text);
        let only = characters.next().filter(|only| !c.is_ascii() && only.is_ascii());
        let only = only.filter(|_| characters.next().is_none());
        only.map_or(0, u32::from) | if is_like { LIKE_ASCII } else { 0 }
    });
    FOUND.get(c)
}

/// Returns the single ASCII character that a character outside ASCII looks like (UTS #39, section 4).
pub(crate) fn prototype(c: char) -> Option<char> {
    char::from_u32(likeness(c) & 0x7F).filter(|only| *only != '\0')
}

/// Tells whether the skeleton of a character consists of ASCII characters, or is empty.
pub(crate) fn is_like_ascii(c: char) -> bool {
    likeness(c) & LIKE_ASCII != 0
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    fn check(text: &str) {
        let mut out = String::from("a");
        push(text, &mut out);
        assert_eq!(out, format!("a{}", of_text(text).collect::<String>()), "{text:?}");
    }

    #[test]
    fn every_character_has_the_skeleton_of_the_definition() {
        let mut few = 0;
        for c in '\0'..=char::MAX {
            let text = format!("{c}");
            let definition: String = of_text(&text).collect();
            let mut characters = definition.chars();
            let only = characters.next().filter(|only| !c.is_ascii() && only.is_ascii());
            let only = only.filter(|_| characters.next().is_none());
            assert_eq!(prototype(c), only, "{c:?}");
            assert_eq!(is_like_ascii(c), definition.is_ascii(), "{c:?}");
            few += u32::from(matches!(of(c) & 7, LONG | JOINS));
            // Alone; beside ASCII; twice; and between marks that normalization orders.
            check(&text);
            check(&format!("m{c}\u{301}{c}"));
            check(&format!("e\u{345}{c}\u{323}1"));
        }
        // Syllables of Hangul are 11,172 of these, and there are about 2,400 marks and 4,200 characters that are ignored.
        assert!(few < 22_000, "{few}");
    }

    #[test]
    fn texts_have_the_skeleton_of_the_definition() {
        let pieces = [
            "a",
            "m",
            "%",
            "|",
            "1",
            "é",
            "ế",
            "e\u{301}",
            "\u{301}",
            "\u{323}",
            "\u{345}",
            "\u{AD}",
            "\u{34F}",
            "й",
            "한",
            "각",
            "ᄒ",
            "ﷺ",
            "½",
            "日",
            "ש\u{5BC}",
            "\u{5B0}",
            "\u{1D15E}",
            "",
        ];
        let mut seed = 5_u64;
        let mut random = move |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % below
        };
        for _ in 0..100_000 {
            let text: String = (0..random(9)).map(|_| pieces[random(pieces.len())]).collect();
            check(&text);
        }
    }
}
