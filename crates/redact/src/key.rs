//! Which keys are secret: a key is compared as it is written, and as other programs read it.
//!
//! Not here: the sets (`sets`), how a name spells its words (`spelling`), and where a key begins and ends (`find`).

use alloc::vec::Vec;

use memchr::{memchr_iter, memchr2, memmem, memrchr};

use super::sets::{LastLetters, SecretSet, SetBits};
use super::spelling::{self, is_separator};
use simd_iri::low::{AsciiSet, octet, slice};

/// The name of a session identifier in a path.
pub(super) const SESSION_ID: &str = "jsessionid";

/// The keys whose values are secret.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct SecretKeys<'s> {
    pub(super) sets: SetBits,
    pub(super) own: &'s [&'s str],
    /// Also the end of [`SESSION_ID`].
    pub(super) ends: LastLetters,
    /// Whether keys are compared only as they are written.
    pub(super) raw: bool,
    /// Whether each key is a list of words, also of the sets that compare keys byte by byte.
    pub(super) any_case: bool,
}

/// Where a secret key comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Source {
    Own,
    Set(SecretSet),
}

impl Source {
    pub(super) const fn set(self) -> Option<SecretSet> {
        match self {
            Self::Own => None,
            Self::Set(set) => Some(set),
        }
    }
}

impl<'s> SecretKeys<'s> {
    pub(super) const NONE: Self = Self {
        sets: SetBits::NONE,
        own: &[],
        ends: LastLetters::NONE.with(&[SESSION_ID]),
        raw: false,
        any_case: false,
    };

    pub(super) const fn with_set(self, set: SecretSet) -> Self {
        Self { sets: self.sets.with(set), ..self.with(set.keys()) }
    }

    /// Returns the keys with other own keys. The ends may still have those of the former own keys, which costs a
    /// comparison.
    pub(super) const fn with_own(self, own: &'s [&'s str]) -> Self {
        Self { own, ..self.with(own) }
    }

    const fn with(self, keys: &[&str]) -> Self {
        Self { ends: self.ends.with(keys), ..self }
    }

    /// Tells whether the text before an `=` may end with a secret key, from the last bytes of the text alone.
    // The last three letters decide, with triplets decoded, unless a reader may remove one of them.
    //
    //     &X-Amz-Date=    `ate` is not the end of a key: no
    //     &sig=           `sig` is: yes
    //     &s%69g_2=       `sig` is: yes
    //     &sig+=          a reader may remove `+`: yes
    #[inline]
    pub(super) fn may_end(&self, before: &[u8]) -> bool {
        match before {
            [.., x, y, a, b, c] if *x != b'%' && *y != b'%' && are_letters(*a, *b, *c) => {
                self.ends.has(*a, *b, *c)
            }
            // `user_id`
            [.., x, y, a, gap, b, c]
                if is_separator(*gap) && *x != b'%' && *y != b'%' && are_letters(*a, *b, *c) =>
            {
                self.ends.has(*a, *b, *c)
            }
            _ => self.may_end_decoded(before),
        }
    }

    #[cold]
    fn may_end_decoded(&self, before: &[u8]) -> bool {
        let (mut rest, mut letters, mut count) = (before, [0; 3], 0);
        while let [others @ .., byte] = rest {
            // A triplet that ends here is decoded, because its digits cannot belong to another triplet.
            let start = rest.len().saturating_sub(3);
            let byte = match octet(rest, start) {
                Some(octet) => {
                    rest = slice::bytes(rest, ..start);
                    octet
                }
                None => {
                    rest = others;
                    *byte
                }
            };
            if is_separator(byte) || (count == 0 && byte.is_ascii_digit()) {
                continue;
            }
            if is_read(&byte) {
                return true;
            }
            let [_, b, c] = letters;
            letters = match count {
                0 => [0, 0, byte],
                1 => [0, byte, c],
                _ => return self.ends.has(byte, b, c),
            };
            count += 1;
        }
        let [a, b, c] = letters;
        self.ends.has(a, b, c)
    }

    /// Returns where a key comes from, if it is secret.
    // 1. the key as it is written: `sig`
    // 2. the name of an array of values: `sig[]`, `sig[0]`
    // 3. the name in its last brackets, for own keys and the set `common`: `user[password]`
    // 4. all again with the key as a server reads it: `%73ig`, `api+key`, `amp;sig`
    #[inline(always)]
    pub(super) fn find(&self, key: &[u8], class: Class) -> Option<Source> {
        let written = self.named(key);
        if written.is_some() || class & !(SEPARATOR | DIGIT) == PLAIN {
            return written;
        }
        self.find_read(key)
    }

    /// Returns where a key comes from, if it is secret in another way than as a whole.
    #[cold]
    fn find_read(&self, key: &[u8]) -> Option<Source> {
        let written = self.in_brackets(key);
        if written.is_some() || self.raw {
            return written;
        }
        let read = read(key);
        self.named(&read).or_else(|| self.in_brackets(&read))
    }

    /// Returns where a name comes from, if it is a secret key.
    #[inline]
    fn named(&self, name: &[u8]) -> Option<Source> {
        if self.may_end(name) { self.compared(name, self.sets) } else { None }
    }

    /// Compares a name with the own keys and those of some sets.
    fn compared(&self, name: &[u8], sets: SetBits) -> Option<Source> {
        let is_own = |own: &&str| spelling::is_same(own.as_bytes(), name);
        if self.own.iter().any(is_own) {
            return Some(Source::Own);
        }
        let found = |set: &SecretSet| {
            let is_exact = set.has_case() && !self.any_case;
            // A form has `password1` and `password2`.
            let name = if *set == SecretSet::Common { without_number(name) } else { name };
            set.keys().iter().map(|key| key.as_bytes()).any(|key| match is_exact {
                true => key == name,
                false => spelling::is_same(key, name),
            })
        };
        sets.iter().find(found).map(Source::Set)
    }

    /// Finds the name of an array of values, and the name in the last brackets that are not those of an array.
    // For example, `user[password]`, `user[password][]` and `password[0]` are `password`.
    fn in_brackets(&self, key: &[u8]) -> Option<Source> {
        let mut name = key;
        let inner = loop {
            let rest = name.strip_suffix(b"]")?;
            let start = memrchr(b'[', rest).map_or(0, |bracket| bracket + 1);
            let inner = slice::bytes(rest, start..);
            if !inner.iter().all(u8::is_ascii_digit) {
                break inner;
            }
            name = slice::bytes(rest, ..start.saturating_sub(1));
            if !name.ends_with(b"]") {
                return self.named(name);
            }
        };
        let sets = if self.sets.has(SecretSet::Common) { COMMON } else { SetBits::NONE };
        if self.may_end(inner) { self.compared(inner, sets) } else { None }
    }
}

/// The set whose names count in brackets.
const COMMON: SetBits = SetBits::NONE.with(SecretSet::Common);

/// Returns a name without the digits at its end.
fn without_number(name: &[u8]) -> &[u8] {
    let digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    slice::bytes(name, ..name.len() - digits)
}

/// Returns the delimiter that an escape at the start of a text stands for, and the length of the escape. Writers of JSON
/// and of scripts escape what has a meaning in HTML: `\u0026` and `\x26` are `&`, `\u003d` and `\x3d` are `=`.
pub(super) fn escaped(text: &[u8]) -> Option<(u8, usize)> {
    escaped_octet(text).filter(|(octet, _)| matches!(octet, b'&' | b'='))
}

/// Returns the ASCII character that an escape at the start of a text stands for, and the length of the escape.
pub(super) fn escaped_octet(text: &[u8]) -> Option<(u8, usize)> {
    let (high, low, length) = match text {
        [b'\\', b'n', ..] => return Some((b'\n', 2)),
        [b'\\', b'r', ..] => return Some((b'\r', 2)),
        [b'\\', b't', ..] => return Some((b'\t', 2)),
        [b'\\', b'f', ..] => return Some((b'\x0C', 2)),
        [b'\\', b'b', ..] => return Some((b'\x08', 2)),
        [b'\\', b'u', b'0', b'0', high, low, ..] => (high, low, 6),
        [b'\\', b'x', high, low, ..] => (high, low, 4),
        _ => return None,
    };
    let digit =
        |byte: &u8| char::from(*byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let octet = digit(high)? << 4 | digit(low)?;
    octet.is_ascii().then_some((octet, length))
}

/// Returns where the first escaped ampersand of a text begins, and where it ends.
pub(super) fn escaped_ampersand(text: &[u8]) -> Option<(usize, usize)> {
    memchr_iter(b'\\', text).find_map(|at| match escaped(slice::bytes(text, at..)) {
        Some((b'&', length)) => Some((at, at + length)),
        _ => None,
    })
}

/// References to the ampersand in HTML and XML, without the ampersand that they begin with.
const AMPERSANDS: [&[u8]; 5] = [b"amp;", b"#38;", b"#x26;", b"#X26;", b"#038;"];

/// Tells whether the `#` at an offset of a text belongs to a reference to the ampersand, such as `&#38;`.
pub(super) fn is_ampersand(text: &[u8], at: usize) -> bool {
    let is_here = |name: &&[u8]| slice::bytes(text, at..).starts_with(name);
    slice::bytes(text, ..at).ends_with(b"&") && AMPERSANDS.iter().any(is_here)
}

/// What bytes of a key are, as bits.
pub(super) type Class = u8;

/// No server reads the key otherwise.
const PLAIN: Class = 0;
/// `=` or `&`, which end a key.
const END: Class = 1;
/// `;`, which may end a key.
const SEMICOLON: Class = 2;
/// A byte that [`read`] may change, or the end of brackets.
const READ: Class = 4;
/// A backslash, which may begin an escape of a delimiter. [`read`] may change the key, too.
const BACKSLASH: Class = 8;
/// A separator of words.
const SEPARATOR: Class = 16;
/// A digit, which does not count at the end of a key.
const DIGIT: Class = 32;

/// The class of each byte.
const CLASSES: [Class; 256] = {
    let mut classes = [PLAIN; 256];
    let mut byte = 0;
    #[expect(clippy::indexing_slicing, reason = "indices below the length")]
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'=' | b'&' => END,
            b';' => SEMICOLON,
            b'\\' => BACKSLASH,
            b'%' | b'+' | b']' | ..=b' ' => READ,
            b'0'..=b'9' => DIGIT,
            byte if is_separator(byte) => SEPARATOR,
            _ => PLAIN,
        };
        byte += 1;
    }
    classes
};

/// Tells whether a server may read a byte of a key otherwise.
#[inline]
#[expect(clippy::indexing_slicing, reason = "every byte has a class")]
fn is_read(byte: &u8) -> bool {
    CLASSES[usize::from(*byte)] & (READ | BACKSLASH) != 0
}

/// Tells whether the last bytes of a key are its last letters, as it is written.
#[inline]
#[expect(clippy::indexing_slicing, reason = "every byte has a class")]
fn are_letters(a: u8, b: u8, c: u8) -> bool {
    let [a, b, c] = [a, b, c].map(|byte| CLASSES[usize::from(byte)]);
    ((a | b | c) & (READ | BACKSLASH | SEPARATOR)) | (c & DIGIT) == PLAIN
}

/// The key at the start of a text: its length, the length of the `=` or `&` after it, and whether that is `=`.
pub(super) struct FirstKey {
    pub(super) length: usize,
    pub(super) delimiter: usize,
    pub(super) has_value: bool,
    pub(super) class: Class,
}

/// Returns the key at the start of a text. Escaped delimiters end it, unless keys are compared `raw`.
#[expect(clippy::indexing_slicing, reason = "every byte has a class")]
pub(super) fn first(text: &[u8], semicolons: bool, raw: bool) -> FirstKey {
    let ends = if semicolons { END | SEMICOLON } else { END };
    let mut classes = PLAIN;
    for (at, byte) in text.iter().enumerate() {
        let class = CLASSES[usize::from(*byte)];
        if class & ends != 0 {
            return FirstKey { length: at, delimiter: 1, has_value: *byte == b'=', class: classes };
        }
        if class == BACKSLASH && !raw {
            if let Some((byte, delimiter)) = escaped(slice::bytes(text, at..)) {
                return FirstKey { length: at, delimiter, has_value: byte == b'=', class: classes };
            }
        }
        classes |= class;
    }
    FirstKey { length: text.len(), delimiter: 1, has_value: false, class: classes }
}

/// Returns the length of the value at the start of a text.
pub(super) fn value_length(text: &[u8], semicolons: bool) -> usize {
    const STEPS: usize = 16;
    let other = if semicolons { b';' } else { b'&' };
    let short = text.iter().take(STEPS).position(|byte| *byte == b'&' || *byte == other);
    short.unwrap_or_else(|| {
        let from = STEPS.min(text.len());
        let rest = slice::bytes(text, from..);
        from + memchr2(b'&', other, rest).unwrap_or(rest.len())
    })
}

/// Returns a key as other programs read it.
//
// - HTML writes `&` as `&amp;` or `&#38;`: the key begins after them
// - browsers remove tabs and line breaks
// - servers decode triplets, and `+` to a space; some of them trim the name
//
// For example, `amp;%73i\tg` becomes `sig`. A `%` without two digits stays.
fn read(key: &[u8]) -> Vec<u8> {
    let mut key = key;
    for ampersand in AMPERSANDS {
        if let Some(at) = memmem::rfind(key, ampersand) {
            key = slice::bytes(key, at + ampersand.len()..);
        }
    }
    let mut read = decode(key, true);
    read.truncate(read.trim_ascii_end().len());
    let spaces = read.len() - read.trim_ascii_start().len();
    read.drain(..spaces);
    read
}

/// Decodes triplets, and `+` to a space if the text is a key of a form. Removes tabs and line breaks, as browsers do.
pub(super) fn decode(text: &[u8], is_form: bool) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(byte) = text.get(at).copied() {
        match octet(text, at) {
            Some(octet) => {
                decoded.push(octet);
                at += 3;
                continue;
            }
            None if AsciiSet::BREAKS.contains(byte) => {}
            None if byte == b'+' && is_form => decoded.push(b' '),
            None => decoded.push(byte),
        }
        at += 1;
    }
    decoded
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;
    use alloc::vec::Vec;

    use super::super::sets::SecretSet;
    use super::{SecretKeys, first};

    /// A key as writers and readers spell it: at each two places, a byte as a triplet, or what readers remove.
    fn spellings(key: &str) -> Vec<String> {
        let around = [("amp;", ""), ("user[", "]"), ("", "[]"), ("", "+")];
        let mut all = Vec::from(around.map(|(before, after)| format!("{before}{key}{after}")));
        let written = |c: char, how: usize| match how {
            0 => c.into(),
            1 => format!("%{:02x}", u32::from(c)),
            2 => format!("\t{c}"),
            _ => format!("{c}\n"),
        };
        for (a, b) in (0..key.len()).flat_map(|a| (a..key.len()).map(move |b| (a, b))) {
            for (how_a, how_b) in (0..4).flat_map(|how_a| (0..4).map(move |how_b| (how_a, how_b))) {
                let how = |at| match at {
                    _ if at == a => how_a,
                    _ if at == b => how_b,
                    _ => 0,
                };
                all.push(key.chars().enumerate().map(|(at, c)| written(c, how(at))).collect());
            }
        }
        all
    }

    #[test]
    fn what_may_not_end_a_key_is_not_a_secret_key() {
        let mut secret = 0;
        for set in SecretSet::ALL {
            let keys = SecretKeys { any_case: true, ..SecretKeys::NONE.with_set(*set) }
                .with_own(&["own", "ünï"]);
            for key in set.keys().iter().chain(keys.own) {
                let lower = key.to_ascii_lowercase();
                for spelled in
                    [*key, &lower].into_iter().filter(|key| key.is_ascii()).flat_map(spellings)
                {
                    let class = first(spelled.as_bytes(), false, false).class;
                    if keys.find(spelled.as_bytes(), class).is_some() {
                        secret += 1;
                        for before in ["", "?", "a=b&", "/x?%"] {
                            let text = format!("{before}{spelled}");
                            assert!(keys.may_end(text.as_bytes()), "{text:?}");
                        }
                    }
                }
                assert!(keys.may_end(key.as_bytes()));
            }
            // Most keys are ruled out.
            let usual = ["page", "utm_source", "lang", "X-Amz-Date", "width", "query", "sort"];
            let ruled_out =
                usual.iter().filter(|key| !keys.may_end(format!("a=b&{key}").as_bytes()));
            assert!(ruled_out.count() > usual.len() / 2, "{set:?}");
        }
        assert!(secret > 10_000, "{secret}");
        // With a key of two bytes or with a triplet, every text may end with a key.
        assert!(SecretKeys::NONE.with_own(&["id"]).may_end(b"a=b&id"));
        assert!(SecretKeys::NONE.with_own(&["%61b"]).may_end(b"a=b&%61b"));
    }
}
