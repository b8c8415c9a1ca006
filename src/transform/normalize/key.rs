//! The key of a reference: the normal form of its URI, as an iterator over pieces. Two references are equivalent if the
//! bytes of their keys are equal.
//!
//! Not here: the comparison of keys (`compare`), and the removal of dot segments (`dots`). Tests compare a key with the
//! text that `to_uri` and `normalize` write.

/*
# The algorithm

A key is a chain of iterators, one for each component that is there. Each iterator gives slices: a run of bytes that
stay is a part of the text, and a byte that changes is a part of a constant table. An iterator over bytes would ask
every link of the chain for each byte; that took 250 instructions for each byte of a text outside ASCII.

    key       = scheme ":"              in lower case
                "//" userinfo "@"       canonical
                host                    canonical and in lower case
                ":" port                by scheme: without leading zeros, and not if it is empty or the default port
                path                    canonical, without its dot segments; by scheme, `/` for an empty path
                "?" query               canonical
                "#" fragment            canonical
    canonical = each triplet of an unreserved ASCII character becomes that character, each other triplet
                gets digits in upper case, and each byte from 0x80 up becomes a triplet

Only dot segments need more than the next byte: a `..` removes a segment *before* it, and an iterator would have given
out this segment already. So a path that has dot segments is written first (`written`), and the iterator gives the bytes
of the written text.

# Invariants

- A path loses its dot segments if it begins with a slash and the reference has a scheme. Other paths keep their dot
  segments.
- A dot of a dot segment may be written as a triplet (`decoded_dots`). The key is the same.
- Without an authority, a path that would begin with `//` gets `/.` before it, as in the normal form.
- Time is linear in the text. Nothing is allocated for a path without dot segments.
*/

use alloc::string::String;
use alloc::vec;
use core::iter;
use core::slice;

use crate::parse::insert_guard;
use crate::reference::View;
use crate::reference::kind::{IriReference, Kind};
use crate::scan::{octet, triplet_text};
use crate::tables::UNRESERVED;
use crate::transform::dots::{decoded_dots, push_without_as, segments};
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
enum Path<'a> {
    /// A path that has no dot segments, or keeps its dot segments.
    Whole(Canonical<'a>),
    /// A path that had dot segments, without them.
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
        if !is_cleaned || segments(path).all(|segment| decoded_dots(segment).is_none()) {
            return Self::Whole(Canonical::of(path, false));
        }
        Self::Written(written(path, has_authority).into_bytes().into_iter())
    }
}

/// Returns a path without its dot segments as a string.
fn written(path: &str, has_authority: bool) -> String {
    let mut text = String::with_capacity(path.len() + 2);
    push_without_as(&mut text, segments(path), decoded_dots, |segment, out| {
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
            Self::Written(path) => path.next().map(just),
        }
    }
}
