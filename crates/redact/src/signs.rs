//! The signs of a secret: the bytes without which a text has no secret. Most texts have no sign, and are read once.
//!
//! Here: the search for the signs, by masks. Not here: what the secret is (`find`).

/*
    sign            what it may be
    @               the end of user information
    =               the end of a secret key, if the octets before it are the end of a secret key
    \u003d, \x3d    an equals sign, as writers of JSON and of scripts escape it
    %40, %3D, ...   the same in a nested reference, if references are nested
    ://             in running text, the start of an authority whose password was cut, or has a space

For example, with the default keys, of `https://h/@me?page=2&sig=x#a=b`:

    @       a sign, which may end user information
    page=   no key ends with `age`
    sig=    the first sign of a key

All signs but `@` are signs of a *key*: without such a sign, nothing behind the authority is a secret. If references are nested,
`@` is a sign of a key, too.
*/

use memchr::memchr2;

use super::Redact;
use super::authority::{Reach, after_scheme};
use super::key::{SecretKeys, escaped};
use simd_iri::low::{AsciiSet, BLOCK, Block, Cpu, Job, Query, find, slice};
use simd_iri::parser::CpuLevel;

/// The signs of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Signs {
    /// Whether the text has an `@`.
    pub(super) user: bool,
    /// Whether the text has a backslash.
    pub(super) backslash: bool,
    /// The offset of the first sign of a key.
    pub(super) key: Option<usize>,
}

impl Signs {
    pub(super) const NONE: Self = Self { user: false, backslash: false, key: None };

    /// Returns the signs of a text. One pass up to the first sign of a key, and a few passes over the rest.
    pub(super) fn of(text: &[u8], rules: &Redact<'_>) -> Self {
        let marks = if rules.levels() > 0 { EndMarks::Nested } else { EndMarks::Keys };
        let signs = search(text, rules, marks);
        match signs.key.map(|key| slice::bytes(text, key..)) {
            // What the search has not read.
            Some(rest) if memchr2(b'@', b'\\', rest).is_some() => Self {
                user: signs.user || rest.contains(&b'@'),
                backslash: signs.backslash || rest.contains(&b'\\'),
                ..signs
            },
            _ => signs,
        }
    }

    /// Returns the offset of the first sign of running text, of any kind.
    pub(super) fn first(text: &[u8], rules: &Redact<'_>) -> Option<usize> {
        let marks = if rules.levels() > 0 { EndMarks::NestedText } else { EndMarks::Text };
        search(text, rules, marks).key
    }

    /// Tells whether there is no sign, and so no secret.
    pub(super) const fn is_none(self) -> bool {
        !self.user && self.key.is_none()
    }
}

fn search(text: &[u8], rules: &Redact<'_>, marks: EndMarks) -> Signs {
    let wanted = &SignSearch::new(rules, marks);
    CpuLevel::run_best(wanted, text, |job, text| CpuLevel::best().run_wide_on(job, text))
}

/// What ends a search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EndMarks {
    /// A sign of a key.
    Keys,
    /// A sign of a key if references are nested.
    Nested,
    /// Any sign of running text.
    Text,
    /// The same if references are nested.
    NestedText,
}

/// The bytes that may be such signs, for each of [`EndMarks`].
const MARKS: [AsciiSet; 4] =
    [AsciiSet::of(b"=\\"), AsciiSet::of(b"=\\@%"), AsciiSet::of(b"=\\@:"), AsciiSet::of(b"=\\@%:")];

/// What follows the colon of a scheme, also in JSON.
const SLASHES: AsciiSet = AsciiSet::of(b"/\\");
const COLON: AsciiSet = AsciiSet::just(b':');

/// The search for the first sign that ends it, as a job. The other signs are those before it, or in the same block.
struct SignSearch<'a, 's> {
    keys: &'a SecretKeys<'s>,
    marks: EndMarks,
    /// Whether each `=` and `%` is a sign: a nested reference is decoded more than once, or its data count.
    is_all: bool,
}

impl<'a, 's> SignSearch<'a, 's> {
    fn new(rules: &'a Redact<'s>, marks: EndMarks) -> Self {
        let is_all = rules.levels() > 1 || (rules.levels() > 0 && rules.keeps_no_data);
        Self { keys: &rules.keys, marks, is_all }
    }
}

impl SignSearch<'_, '_> {
    /// Tells whether the mark at an offset is a sign.
    #[inline(always)]
    fn is_sign(&self, text: &[u8], at: usize) -> bool {
        match slice::bytes(text, at..) {
            escape @ [b'\\', ..] => matches!(escaped(escape), Some((b'=', _))),
            [b'=' | b'%', ..] if self.is_all => true,
            [b'=', ..] | [b'%', b'3', b'D' | b'd', ..] => {
                self.keys.may_end(slice::bytes(text, ..at))
            }
            // What it stands for is `@`, or may be decoded to another sign.
            [b'%', b'4', b'0', ..] | [b'%', b'2', b'5', ..] | [b'%', b'5', b'C' | b'c', ..] => true,
            [b'%', ..] => false,
            [b':', b'/' | b'\\', ..] => {
                after_scheme(text, at).is_some_and(|start| Reach::of(text, start) != Reach::Usual)
            }
            [b':', ..] => false,
            _ => true,
        }
    }

    /// [`SignSearch`] without masks.
    fn walk<S: Cpu>(&self, simd: S, text: &[u8], marks: &AsciiSet) -> Signs {
        let mut at = find(simd, text, 0, Query::In(marks));
        while at < text.len() && !self.is_sign(text, at) {
            at = find(simd, text, at + 1, Query::In(marks));
        }
        let before = slice::bytes(text, ..at);
        let key = Some(at).filter(|at| *at < text.len());
        Signs { user: before.contains(&b'@'), backslash: before.contains(&b'\\'), key }
    }
}

impl Job for &SignSearch<'_, '_> {
    type Output = Signs;

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, text: &[u8]) -> Signs {
        let [keys, nested, text_marks, nested_text] = &MARKS;
        let (marks, is_text) = match self.marks {
            EndMarks::Keys => (keys, false),
            EndMarks::Nested => (nested, false),
            EndMarks::Text => (text_marks, true),
            EndMarks::NestedText => (nested_text, true),
        };
        if !S::MASKS {
            return self.walk(simd, text, marks);
        }
        let (mut signs, mut at) = (Signs::NONE, 0);
        while at < text.len() {
            let block = simd.load(text, at);
            signs.user |= block.ascii(&AsciiSet::just(b'@')) != 0;
            signs.backslash |= block.ascii(&AsciiSet::just(b'\\')) != 0;
            let mut mask = block.ascii(marks);
            if is_text {
                // The colon of a scheme has a slash after it in the block, or the next block decides.
                let slashes = block.ascii(&SLASHES) >> 1 | 1 << (BLOCK - 1);
                mask &= slashes | !block.ascii(&COLON);
            }
            while mask != 0 {
                let place = at + mask.trailing_zeros() as usize;
                if self.is_sign(text, place) {
                    return Signs { key: Some(place), ..signs };
                }
                mask &= mask - 1;
            }
            at += BLOCK;
        }
        signs
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Redact, SecretSet};
    use super::{CpuLevel, EndMarks, SignSearch, Signs};

    /// Texts of all lengths around the ends of blocks, with a mark at each place, alone and with others behind it.
    #[test]
    fn every_kernel_finds_the_signs_by_their_definition() {
        let all = SecretSet::ALL.iter().fold(Redact::none(), |redact, set| redact.set(*set));
        let marks = [
            "", "@", "=", "sig=", "page=", r"\u003d", r"\x3D", r"\n", "%73ig=", "é", "://u:s",
            "%40", "sig%3D",
        ];
        let places =
            (0..70).chain(125..132).flat_map(|length| (0..=length).map(move |at| (length, at)));
        let (mut keys, mut users) = (0, 0);
        for ((length, at), mark) in places.flat_map(|place| marks.map(|mark| (place, mark))) {
            let text = ["x".repeat(at), "x".repeat(length - at)].join(mark);
            for text in [text.clone(), text.clone() + "@", text + r"&sig=@\"] {
                for rules in [Redact::default(), all, all.nested(1)] {
                    let is_nested = rules.levels() > 0;
                    let key = key(&text, &rules);
                    let (user, backslash) = (text.contains('@'), text.contains('\\'));
                    let signs = Signs::of(text.as_bytes(), &rules);
                    assert_eq!(signs, Signs { user, backslash, key }, "{text:?}");
                    let sign = text.find('@').into_iter().chain(key).min();
                    for level in CpuLevel::available() {
                        let found = |marks| {
                            level.run_on(&SignSearch::new(&rules, marks), text.as_bytes()).key
                        };
                        let cut = cut(&text);
                        if is_nested {
                            assert_eq!(found(EndMarks::Nested), key, "{level} {text:?}");
                            let sign = sign.into_iter().chain(cut).min();
                            assert_eq!(found(EndMarks::NestedText), sign, "{level} {text:?}");
                        } else {
                            assert_eq!(found(EndMarks::Keys), key, "{level} {text:?}");
                            let sign = sign.into_iter().chain(cut).min();
                            assert_eq!(found(EndMarks::Text), sign, "{level} {text:?}");
                        }
                    }
                    keys += usize::from(key.is_some());
                    users += usize::from(user);
                }
            }
        }
        assert!(keys > 10_000 && users > 10_000, "{keys} {users}");
    }

    /// The first scheme of a password that was cut. A password begins with an `s`.
    #[expect(clippy::string_slice, reason = "an index of a match")]
    fn cut(text: &str) -> Option<usize> {
        let cut = text.find("://u:s")?;
        (!text[cut..].contains('@') && text[..cut].ends_with('x')).then_some(cut)
    }

    /// The first sign of a key, byte by byte.
    fn key(text: &str, rules: &Redact<'_>) -> Option<usize> {
        let is_nested = rules.levels() > 0;
        text.bytes().enumerate().position(|(at, byte)| match byte {
            b'@' => is_nested,
            b'=' => rules.keys.may_end(&text.as_bytes()[..at]),
            b'%' if is_nested => match text.get(at + 1..at + 3).unwrap_or_default() {
                "40" | "25" | "5C" => true,
                "3D" => rules.keys.may_end(&text.as_bytes()[..at]),
                _ => false,
            },
            b'\\' => {
                let rest = text.get(at..).unwrap_or_default().to_ascii_lowercase();
                rest.starts_with(r"\u003d") || rest.starts_with(r"\x3d")
            }
            _ => false,
        })
    }
}
