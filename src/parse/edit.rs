//! The change of a text: replaces consecutive components, and moves the offsets.
//!
//! Not here: how a value is encoded, and which components fit together (`transform::build`).

/*
# The algorithm

Eight *fields* cover a text without a gap: each component with the delimiters that come and go with it. The offsets of
`Parts` are the ends of the fields, but for the first offset: it is before the colon of the scheme.

    text      http:   //       me@       host  :80   /path  ?query  #fragment
    field     Scheme  Slashes  Userinfo  Host  Port  Path   Query   Fragment

An absent field is empty, and begins and ends where the field before it ends. So one function adds a component, removes
a component, and replaces a component:

    replace(fields of the new text):
        span       from the end of the field before the first to the end of the last
        text       the span becomes the new fields
        offsets    of the new fields, but the last: from the start of the span, the sum of the lengths
                   of the last and of all after it: moved by the difference of the lengths

For example, a host for `a:/b` replaces the fields Slashes, Userinfo and Host:

    before    a:/b          offsets  1 2 2 2  2 4 4 4
    fields    "//" "" "h"            span 2..2, 3 bytes more
    after     a://h/b       offsets  1 4 4 5  5 7 7 7

# Invariants

- The caller knows that the new text is a reference with these components. Nothing is parsed.
- If the text would have 4 GiB or more, nothing changes.

`docs/performance/notes.md`, "Edits", has what was tried.
*/

use alloc::string::String;
use core::ops::Range;

use super::Parts;
use crate::error::Error;
use crate::scan::splice;

/// A component with its delimiters. The order is that of the text.
#[derive(Clone, Copy)]
pub(crate) enum Delimited {
    /// The scheme and its colon.
    Scheme,
    /// The two slashes before an authority.
    Slashes,
    /// The userinfo and its `@`.
    Userinfo,
    Host,
    /// The port and the colon before it.
    Port,
    Path,
    /// The query and the question mark before it.
    Query,
    /// The fragment and the number sign before it.
    Fragment,
}

impl Parts {
    /// Replaces consecutive fields of `text`, the first of which is `first`. Each new field is given as the pieces of
    /// its text. These are the parts of `text`.
    ///
    /// # Errors
    /// The result has 4 GiB or more. Nothing changes then.
    #[inline(always)]
    pub(crate) fn replace<const P: usize, const N: usize>(
        &mut self,
        text: &mut String,
        first: Delimited,
        fields: [[&str; P]; N],
    ) -> Result<(), Error> {
        let offsets = self.as_offsets();
        let end = |number: usize| match number {
            0 => self.scheme().map_or(0, |scheme| scheme.end + 1),
            _ => offsets.get(number).map_or(0, |end| *end as usize),
        };
        let start = (first as usize).checked_sub(1).map_or(0, end);
        let span = start..end(first as usize + N - 1);
        self.replace_span(text, span, first, fields)
    }

    /// [`replace`](Self::replace) of a span alone, which begins in the field `first` and ends in the last field.
    ///
    /// # Errors
    /// The result has 4 GiB or more. Nothing changes then.
    #[inline(always)]
    pub(crate) fn replace_span<const P: usize, const N: usize>(
        &mut self,
        text: &mut String,
        span: Range<usize>,
        first: Delimited,
        fields: [[&str; P]; N],
    ) -> Result<(), Error> {
        let removed = span.len();
        let mut end = span.start;
        // The same text may be given twice, so the sum may not fit into a `usize` of 32 bits.
        let all = fields.iter().flatten().map(|piece| piece.len() as u64).sum::<u64>();
        if u32::try_from((text.len() - removed) as u64 + all).is_err() {
            return Err(Error::too_long(u32::MAX));
        }
        splice(text, span, fields.as_flattened());
        let mut places = self.offsets_mut().iter_mut().skip(first as usize);
        for pieces in fields.iter().take(N - 1) {
            end += pieces.iter().map(|piece| piece.len()).sum::<usize>();
            if let Some(place) = places.next() {
                *place = end as u32;
            }
        }
        let moved = (all as u32).wrapping_sub(removed as u32);
        places.for_each(|place| *place = place.wrapping_add(moved));
        if let (Delimited::Scheme, [scheme_end, ..]) = (first, self.offsets_mut()) {
            // The scheme ends before its colon.
            *scheme_end = (all as u32).saturating_sub(1);
        }
        Ok(())
    }
}
