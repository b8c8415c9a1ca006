//! The key of a reference: the normal form of its URI, as an iterator over pieces that writes nothing. Two
//! references are equivalent if the bytes of their keys are equal.
//!
//! Not here: what is done with keys (`compare`), and the definition of how dot segments are removed (`dots`):
//! a test holds [`Cleaned`] to it. Other tests hold a key to what `to_uri` and `normalize` write.

/*
# The algorithm

A key is a chain of iterators, one for each component that is there. Each gives slices: a run of bytes that stay is a
part of the text, and a byte that changes is a part of a constant table. An iterator over bytes would ask every
link of the chain for each byte; that took 250 instructions for each byte of a text outside ASCII.

    key       = scheme ":"              in lower case
                "//" userinfo "@"       canonical
                host                    canonical and in lower case
                ":" port                by scheme: without the default port, and none that is empty
                path                    canonical, without its dot segments; by scheme, `/` for an empty one
                "?" query               canonical
                "#" fragment            canonical
    canonical = each triplet of an unreserved ASCII character becomes that character, each other triplet
                gets digits in upper case, and each byte from 0x80 up becomes a triplet

Only dot segments need more than the next byte: a `..` removes a segment *before* it, which an iterator
would have given out. So `Cleaned` reads the path twice. The first pass goes backwards, where a `..` comes
before the segment that it removes; it counts the segments that are still to be removed, and keeps one
bit for each segment. The second pass goes forwards and gives the segments whose bit is set:

    path        /a/./b/../%7Ec

    number      0    1    2    3    4    5
    segment     ""   a    .    b    ..   %7Ec
    to remove   0    0    0    0    1    0        after the segment, read from right to left
    stays       1    1    -    -    -    1

    key         /a/~c

# Invariants

- The path that is cleaned begins with a slash, and the reference has a scheme: other paths keep their dot
  segments. Segment 0 is then the empty text before the first slash.
- A dot segment may be written with triplets (`decoded_dots`), so that the key does not depend on that.
- Without an authority, a path that would begin with `//` gets `/.` before it, as in the normal form.
- Time is linear in the text. Nothing is allocated for a path of at most `SEGMENTS` segments; a longer
  one is written to a string (`written`), so that the memory of the iterator is bounded.
*/

use alloc::string::String;
use alloc::vec;
use core::iter::{self, Enumerate, Fuse};
use core::str::Split;
use core::{mem, slice};

use crate::parse::{guard, insert_guard};
use crate::reference::View;
use crate::reference::kind::{IriReference, Kind};
use crate::scan::{octet, triplet_text};
use crate::tables::UNRESERVED;
use crate::transform::dots::{decoded_dots, push_without_as};
use crate::transform::schemes::{Known, written_port};

/// Returns the pieces of the key of a reference; with `by_scheme`, also by the rules of its scheme.
pub(crate) fn key<K: Kind>(view: View<'_, K>, by_scheme: bool) -> impl Iterator<Item = &[u8]> {
    let view = view.as_iri_ref();
    let known = view.scheme().and_then(Known::of).filter(|_| by_scheme);
    let mark = |mark: &'static [u8]| iter::once(mark);
    let scheme = view.scheme().map(|name| Canonical::of(name, true).chain(mark(b":")));
    let authority = view.authority().map(|_| {
        let scheme = view.scheme().filter(|_| by_scheme);
        let port =
            view.port().map(|port| if by_scheme { written_port(port, scheme) } else { port });
        let port = port.filter(|port| !(by_scheme && port.is_empty()));
        let port = port.map(|port| mark(b":").chain([port.as_bytes()])).into_iter().flatten();
        let userinfo = view.userinfo().map(|text| Canonical::of(text, false).chain(mark(b"@")));
        // An IP literal has no triplets: only its case can differ.
        let host = Canonical::of(view.host_str().unwrap_or_default(), true);
        mark(b"//").chain(userinfo.into_iter().flatten()).chain(host).chain(port)
    });
    let path = Path::of(view, known.is_some_and(Known::has_root));
    let query = view.query().map(|query| mark(b"?").chain(Canonical::of(query, false)));
    let fragment = view.fragment().map(|text| mark(b"#").chain(Canonical::of(text, false)));
    let head = scheme.into_iter().flatten().chain(authority.into_iter().flatten());
    head.chain(path).chain(query.into_iter().flatten()).chain(fragment.into_iter().flatten())
}

/// The canonical bytes of a component, in pieces: triplets of unreserved ASCII characters are decoded; other triplets
/// get digits in upper case; bytes from 0x80 up become triplets. With `is_lower`, ASCII letters get lower case.
#[derive(Clone)]
pub(crate) struct Canonical<'a> {
    rest: &'a [u8],
    is_lower: bool,
}

impl<'a> Canonical<'a> {
    pub(crate) fn of(text: &'a str, is_lower: bool) -> Self {
        Self { rest: text.as_bytes(), is_lower }
    }
}

impl<'a> Iterator for Canonical<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let Self { rest, is_lower } = *self;
        let stays = |byte: &u8| {
            byte.is_ascii() && *byte != b'%' && !(is_lower && byte.is_ascii_uppercase())
        };
        let length = rest.iter().position(|byte| !stays(byte)).unwrap_or(rest.len());
        let (run, after) = rest.split_at_checked(length)?;
        if !run.is_empty() {
            self.rest = after;
            return Some(run);
        }
        let (first, after) = rest.split_first()?;
        let octet = octet(rest, 0);
        self.rest = if octet.is_some() { after.get(2..)? } else { after };
        let byte = octet.unwrap_or(*first);
        let stays = if octet.is_some() { UNRESERVED.contains(byte) } else { byte.is_ascii() };
        if !stays {
            return Some(triplet_text(byte).as_bytes());
        }
        Some(just(if is_lower { byte.to_ascii_lowercase() } else { byte }))
    }
}

/// A piece of one ASCII byte.
fn just(byte: u8) -> &'static [u8] {
    static BYTES: [u8; 128] = {
        let mut bytes = [0; 128];
        let (mut rest, mut byte): (&mut [u8], u8) = (&mut bytes, 0);
        while let [place, tail @ ..] = rest {
            *place = byte;
            (rest, byte) = (tail, byte + 1);
        }
        bytes
    };
    BYTES.get(usize::from(byte)).map_or(&[], slice::from_ref)
}

/// The pieces of a path.
#[expect(clippy::large_enum_variant, reason = "it is not kept, and a box would be an allocation")]
enum Path<'a> {
    /// A path that has no dot segments, or keeps them.
    Whole(Canonical<'a>),
    /// A path without its dot segments.
    Cleaned(Cleaned<'a>),
    /// A path without its dot segments that has more segments than [`Cleaned`] has bits.
    Written(vec::IntoIter<u8>),
}

impl<'a> Path<'a> {
    fn of(view: View<'a, IriReference>, has_root: bool) -> Self {
        let path = view.path();
        let has_authority = view.authority().is_some();
        if path.is_empty() && has_authority && has_root {
            return Self::Whole(Canonical::of("/", false));
        }
        let is_cleaned = view.scheme().is_some() && path.starts_with('/');
        if !is_cleaned || path.split('/').all(|segment| decoded_dots(segment).is_none()) {
            return Self::Whole(Canonical::of(path, false));
        }
        Cleaned::of(path, has_authority).map_or_else(
            || Self::Written(written(path, has_authority).into_bytes().into_iter()),
            Self::Cleaned,
        )
    }
}

/// Returns a path without its dot segments as a string.
fn written(path: &str, has_authority: bool) -> String {
    let mut text = String::with_capacity(path.len() + 2);
    push_without_as(&mut text, path.split('/'), decoded_dots, |segment, out| {
        out.extend(Canonical::of(segment, false).flatten().map(|byte| char::from(*byte)));
    });
    insert_guard(&mut text, 0, has_authority);
    text
}

impl<'a> Iterator for Path<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        match self {
            Self::Whole(path) => path.next(),
            Self::Cleaned(path) => path.next(),
            Self::Written(path) => path.next().map(just),
        }
    }
}

/// The largest number of segments of a path that [`Cleaned`] reads: it keeps a bit for each.
const SEGMENTS: usize = 4096;

/// The pieces of a path without its dot segments. [`Cleaned::of`] goes backwards and finds which segments
/// stay; the iterator goes forwards and gives them.
#[derive(Clone)]
struct Cleaned<'a> {
    segments: Fuse<Enumerate<Split<'a, char>>>,
    /// Bit *i* of word *j* if segment 64 *j* + *i* stays.
    stay: [u64; SEGMENTS / 64],
    /// The number of the first segment that is not a dot segment, or that a `..` removes. No slash is given
    /// before it.
    first: usize,
    /// The number of the last segment.
    last: usize,
    /// The piece that is given before the rest of `segment`: nothing, `/` or `/.`.
    before: &'static [u8],
    segment: Canonical<'a>,
}

impl<'a> Cleaned<'a> {
    /// Returns `None` if the path has more than [`SEGMENTS`] segments.
    fn of(path: &'a str, has_authority: bool) -> Option<Self> {
        let last = memchr::memchr_iter(b'/', path.as_bytes()).count();
        let (mut stay, mut first, mut ups) = ([0; SEGMENTS / 64], last + 1, 0_usize);
        // Backwards: `ups` is the number of segments that are still to be removed.
        for (back, segment) in path.rsplit('/').enumerate() {
            let number = last - back;
            let word = stay.get_mut(number / 64)?;
            match (decoded_dots(segment), ups.checked_sub(1)) {
                (Some(dots), _) => ups += dots - 1,
                (None, Some(left)) => (ups, first) = (left, number),
                (None, None) => {
                    *word |= 1 << (number % 64);
                    first = number;
                }
            }
        }
        let segments = path.split('/').enumerate().fuse();
        let segment = Canonical::of("", false);
        let mut cleaned = Self { segments, stay, first, last, before: b"", segment };
        if !has_authority {
            cleaned.before = guard(cleaned.clone().flatten().copied(), has_authority).as_bytes();
        }
        Some(cleaned)
    }
}

impl<'a> Iterator for Cleaned<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        loop {
            if !self.before.is_empty() {
                return Some(mem::take(&mut self.before));
            }
            if let Some(piece) = self.segment.next() {
                return Some(piece);
            }
            let (number, segment) = self.segments.next()?;
            let stays = self.stay.get(number / 64)? >> (number % 64) & 1 != 0;
            if stays {
                self.segment = Canonical::of(segment, false);
            }
            // A dot segment at the end of the path leaves its slash.
            let is_end = number == self.last && decoded_dots(segment).is_some();
            if number > self.first && (stays || is_end) {
                self.before = b"/";
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::parse::GUARD;

    #[test]
    fn a_cleaned_path_is_that_of_the_definition() {
        let kinds = ["", "a", ".", "..", "...", "%2e", ".%2E", "%2eb"];
        let mut paths = Vec::from([String::new()]);
        let (mut begin, mut guarded) = (0, 0);
        for _ in 0..5 {
            let end = paths.len();
            for number in begin..end {
                paths.extend(kinds.map(|kind| [&paths[number], "/", kind].concat()));
            }
            begin = end;
        }
        for path in paths.iter().skip(1) {
            for has_authority in [false, true] {
                let expected = written(path, has_authority);
                let cleaned = Cleaned::of(path, has_authority).unwrap();
                assert!(cleaned.flatten().copied().eq(expected.bytes()), "{path}");
                guarded += usize::from(expected.starts_with(GUARD));
            }
        }
        assert!(guarded > 1_000, "{guarded} of {}", paths.len());
    }
}
