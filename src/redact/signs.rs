//! The signs of a secret: the bytes without which a text has no secret. Most texts have no sign, and are read once.
//!
//! Here: the search for the signs, by masks. Not here: what the secret is (`find`).

/*
    sign            what it may be
    @               the end of user information
    =               the end of a secret key, if the octets before it are the end of a secret key
    \u003d, \x3d    an equals sign, as writers of JSON and of scripts escape it
    %, any =        a delimiter of a nested reference, if references are nested

For example, with the default keys, of `https://h/@me?page=2&sig=x#a=b`:

    @       a sign, which may end user information
    page=   no key ends with `age`
    sig=    the first sign of a key

All signs but `@` are signs of a *key*: without such a sign, nothing behind the authority is a secret. If references are nested,
`@` is a sign of a key, too.
*/

use memchr::memchr2;

use super::Redact;
use super::key::{Keys, escaped};
use crate::scan::{BLOCK, Block, Cpu, CpuLevel, Job, Query, find, slice};
use crate::tables::AsciiSet;

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
        let marks = if rules.levels() > 0 { Marks::Nested } else { Marks::Keys };
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

    /// Returns the offset of the first sign of a text, of any kind.
    pub(super) fn first(text: &[u8], rules: &Redact<'_>) -> Option<usize> {
        let marks = if rules.levels() > 0 { Marks::Nested } else { Marks::All };
        search(text, rules, marks).key
    }

    /// Tells whether there is no sign, and so no secret.
    pub(super) const fn is_none(self) -> bool {
        !self.user && self.key.is_none()
    }
}

fn search(text: &[u8], rules: &Redact<'_>, marks: Marks) -> Signs {
    let wanted = &Search { keys: &rules.keys, marks };
    CpuLevel::run_best(wanted, text, |job, text| CpuLevel::best().run_wide_on(job, text))
}

/// What ends a search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Marks {
    /// A sign of a key.
    Keys,
    /// A sign of a key, or an `@`.
    All,
    /// A sign of a key if references are nested.
    Nested,
}

/// The bytes that may be such signs, for each of [`Marks`].
const MARKS: [AsciiSet; 3] = [AsciiSet::of(b"=\\"), AsciiSet::of(b"=\\@"), AsciiSet::of(b"=\\@%")];

/// The search for the first sign that ends it, as a job. The other signs are those before it, or in the same block.
struct Search<'a, 's> {
    keys: &'a Keys<'s>,
    marks: Marks,
}

impl Search<'_, '_> {
    /// Tells whether the mark at an offset is a sign.
    #[inline(always)]
    fn is_sign(&self, text: &[u8], at: usize) -> bool {
        match slice::bytes(text, at..) {
            escape @ [b'\\', ..] => matches!(escaped(escape), Some((b'=', _))),
            [b'=', ..] if self.marks != Marks::Nested => {
                self.keys.may_end(slice::bytes(text, ..at))
            }
            _ => true,
        }
    }

    /// [`Search`] without masks.
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

impl Job for &Search<'_, '_> {
    type Output = Signs;

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, text: &[u8]) -> Signs {
        let [keys, all, nested] = &MARKS;
        let marks = match self.marks {
            Marks::Keys => keys,
            Marks::All => all,
            Marks::Nested => nested,
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
    use super::{CpuLevel, Marks, Search, Signs};

    /// Texts of all lengths around the ends of blocks, with a mark at each place, alone and with others behind it.
    #[test]
    fn every_kernel_finds_the_signs_by_their_definition() {
        let all = SecretSet::ALL.iter().fold(Redact::none(), |redact, set| redact.set(*set));
        let marks = ["", "@", "=", "sig=", "page=", r"\u003d", r"\x3D", r"\n", "%73ig=", "é"];
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
                            level.run_on(&Search { keys: &rules.keys, marks }, text.as_bytes()).key
                        };
                        if is_nested {
                            assert_eq!(found(Marks::Nested), key, "{level} {text:?}");
                        } else {
                            assert_eq!(found(Marks::Keys), key, "{level} {text:?}");
                            assert_eq!(found(Marks::All), sign, "{level} {text:?}");
                        }
                    }
                    keys += usize::from(key.is_some());
                    users += usize::from(user);
                }
            }
        }
        assert!(keys > 10_000 && users > 10_000, "{keys} {users}");
    }

    /// The first sign of a key, byte by byte.
    fn key(text: &str, rules: &Redact<'_>) -> Option<usize> {
        let is_nested = rules.levels() > 0;
        text.bytes().enumerate().position(|(at, byte)| match byte {
            b'@' | b'%' => is_nested,
            b'=' => is_nested || rules.keys.may_end(&text.as_bytes()[..at]),
            b'\\' => {
                let rest = text.get(at..).unwrap_or_default().to_ascii_lowercase();
                rest.starts_with(r"\u003d") || rest.starts_with(r"\x3d")
            }
            _ => false,
        })
    }
}
