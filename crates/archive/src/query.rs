//! The query of a CDX key: the ids of sessions go, and the pairs are sorted.
//!
//! Not here: the percent-encoding of the query (`escape`).

use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::Range;

use memchr::{memchr, memrchr};

use super::neighbours::has_pair;

/// Finds an id of a session in a query.
type Find = fn(&[u8]) -> Option<Range<usize>>;

/// Removes the ids of sessions from the query that `out` has from `start` on. Each kind of id is removed once, where
/// it stands last; the `&` after it goes too. A name may be the end of a longer name.
pub(super) fn drop_sessions(start: usize, out: &mut Vec<u8>) {
    // Each kind has a name with these two letters.
    let query = out.get(start..).unwrap_or_default();
    if !has_pair(query, |a, b| (a | 0x20 == b'i') & (b | 0x20 == b'd')) {
        return;
    }
    let kinds: [Find; 5] = [
        |query| last(query, b"jsessionid=", is_hash),
        |query| last(query, b"phpsessid=", is_hash),
        |query| last(query, b"sid=", is_hash),
        |query| last(query, b"aspsessionid", is_asp),
        cold_fusion,
    ];
    for find in kinds {
        if let Some(found) = find(out.get(start..).unwrap_or_default()) {
            out.drain(start + found.start..start + found.end);
        }
    }
}

/// Returns the length of a value of 32 letters or digits at the start of a text.
fn is_hash(text: &[u8]) -> Option<usize> {
    text.get(..32)?.iter().all(u8::is_ascii_alphanumeric).then_some(32)
}

/// Returns the length of the rest of an ASP session at the start of a text: eight letters, `=` and 24 letters.
fn is_asp(text: &[u8]) -> Option<usize> {
    let is_letters = |from, to| {
        text.get(from..to).is_some_and(|part: &[u8]| part.iter().all(u8::is_ascii_alphabetic))
    };
    (is_letters(0, 8) && text.get(8) == Some(&b'=') && is_letters(9, 33)).then_some(33)
}

/// Returns the range of the last place where a name, in any case, is followed by a value and by `&` or the end. The
/// range has the `&`.
fn last(query: &[u8], name: &[u8], value: fn(&[u8]) -> Option<usize>) -> Option<Range<usize>> {
    let mut places = query.windows(name.len()).enumerate().rev();
    places.find_map(|(at, place)| {
        if !place.eq_ignore_ascii_case(name) {
            return None;
        }
        let from = at + name.len();
        let to = from + value(query.get(from..)?)?;
        match query.get(to) {
            None => Some(at..to),
            Some(b'&') => Some(at..to + 1),
            Some(_) => None,
        }
    })
}

/// Returns the range of the last `cfid=…&cftoken=…`, with the `&` after it. Neither value is empty.
// The pairs are read from the end, each with the pair after it, so that the time is linear. In the pair of `cfid`, the
// last name that has a value counts.
fn cold_fusion(query: &[u8]) -> Option<Range<usize>> {
    let (id, token) = (b"cfid=", b"cftoken=");
    let has_token = |pair: &[u8]| {
        pair.len() > token.len()
            && pair.get(..token.len()).is_some_and(|name| name.eq_ignore_ascii_case(token))
    };
    let (mut end, mut next) = (query.len(), None::<Range<usize>>);
    loop {
        let start = memrchr(b'&', query.get(..end)?).map_or(0, |place| place + 1);
        let pair = query.get(start..end)?;
        if let Some(next) = next.filter(|next| query.get(next.clone()).is_some_and(has_token)) {
            // A byte is left for the value.
            let names = pair.get(..pair.len().saturating_sub(1))?;
            let found = names.windows(id.len()).rposition(|name| name.eq_ignore_ascii_case(id));
            if let Some(found) = found {
                return Some(start + found..(next.end + 1).min(query.len()));
            }
        }
        next = Some(start..end);
        end = start.checked_sub(1)?;
    }
}

/// Sorts the pairs of the query that `out` has from `start` on. Equal pairs keep their order.
pub(super) fn sort(start: usize, out: &mut Vec<u8>) {
    let query = out.get(start..).unwrap_or_default();
    if memchr(b'&', query).is_none() {
        return;
    }
    let pairs = || query.split(|byte| *byte == b'&');
    if pairs().zip(pairs().skip(1)).all(|(a, b)| compared(a, b).is_le()) {
        return;
    }
    let mut at = start;
    let mut ranges: Vec<Range<usize>> = Vec::new();
    ranges.extend(pairs().map(|pair| {
        let from = at;
        at += pair.len() + 1;
        from..from + pair.len()
    }));
    let pair = |range: &Range<usize>| out.get(range.clone()).unwrap_or_default();
    ranges.sort_by(|a, b| compared(pair(a), pair(b)));
    // The sorted pairs are written after the query, and then moved to its place.
    let end = out.len();
    for range in ranges {
        out.extend_from_within(range);
        out.push(b'&');
    }
    out.pop();
    out.copy_within(end.., start);
    out.truncate(end);
}

/// Compares the names of two pairs, then whether there is an `=`, then the values.
fn compared(a: &[u8], b: &[u8]) -> Ordering {
    let parts = |pair| {
        let mut parts = <[u8]>::splitn(pair, 2, |byte| *byte == b'=');
        (parts.next(), parts.next())
    };
    parts(a).cmp(&parts(b))
}
