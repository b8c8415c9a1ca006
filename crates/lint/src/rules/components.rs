//! Divides a reference into the components of RFC 3987, section 4.2: user information, host, port, segments, query,
//! fragment; labels if the host is a domain name, and smaller parts on request.

use core::array;
use core::ops::Range;

use simd_iri::low::{Known, LABEL_DOTS, slice};
use simd_iri::{Component, IriRef};

/// The text of a component, or of a part of one.
#[derive(Clone)]
pub(crate) struct ComponentText<'a> {
    pub(crate) component: Component,
    pub(crate) start: usize,
    pub(crate) text: &'a str,
}

impl ComponentText<'_> {
    /// Returns the byte offsets in the reference.
    pub(crate) const fn span(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }
}

/// A component, its byte offsets, and the delimiters that divide it.
type Cut = (Component, Range<usize>, &'static [char]);

/// The components of a reference, one by one.
pub(crate) struct Components<'a> {
    text: &'a str,
    cuts: array::IntoIter<Cut, 6>,
    /// The rest of the component whose parts come next, if at least one part is left. The last part may be empty.
    open: Option<Cut>,
}

/// Returns the components in the order of the text; with `divided`, their smaller parts. One pass.
///
/// A component that is absent or empty has no part. A delimiter has a part on each side, which may be empty: the path
/// `/a/` has the parts "", "a" and "".
pub(crate) fn components(iri: IriRef<'_>, divided: bool) -> Components<'_> {
    let (text, parts) = (iri.as_str(), iri.parts());
    let has_labels = iri.scheme().and_then(Known::of).is_some_and(Known::has_domains);
    let host = parts.host().unwrap_or_default();
    let dots: &[char] =
        if slice::text(text, host.clone()).is_ascii() { &['.'] } else { &LABEL_DOTS };
    let by = |delimiters: &'static [char]| if divided { delimiters } else { &[] };
    let cuts: [Cut; 6] = [
        (Component::Userinfo, parts.userinfo().unwrap_or_default(), by(&[':'])),
        (Component::Host, host, if has_labels || divided { dots } else { &[] }),
        (Component::Port, parts.port().unwrap_or_default(), &[]),
        (Component::Path, parts.path(), if divided { &['/', '.'] } else { &['/'] }),
        (Component::Query, parts.query().unwrap_or_default(), by(&['&', ';', '='])),
        (Component::Fragment, parts.fragment().unwrap_or_default(), &[]),
    ];
    Components { text, cuts: cuts.into_iter(), open: None }
}

/// Tells whether a character is one of these delimiters.
#[inline]
fn is_among(c: char, delimiters: &[char]) -> bool {
    let may_be = if c.is_ascii() { !c.is_ascii_alphanumeric() } else { LABEL_DOTS.contains(&c) };
    may_be && delimiters.contains(&c)
}

impl<'a> Components<'a> {
    /// Leaves out the components that end at or before a byte offset, and the segments of an undivided path that end
    /// before it. If the offset is in another component, all parts of that component come.
    pub(crate) fn after(mut self, first: usize) -> Self {
        let bytes = self.text.as_bytes();
        for (_, range, delimiters) in self.cuts.as_mut_slice() {
            if range.end <= first {
                *range = 0..0;
            } else if *delimiters == ['/'] && range.contains(&first) {
                let before = slice::bytes(bytes, range.start..first);
                range.start += memchr::memrchr(b'/', before).map_or(0, |slash| slash + 1);
            }
        }
        self
    }
}

impl<'a> Iterator for Components<'a> {
    type Item = ComponentText<'a>;

    #[inline]
    fn next(&mut self) -> Option<ComponentText<'a>> {
        let (component, range, delimiters) = match self.open.take() {
            Some(open) => open,
            // An absent component is empty, and no check has a finding in it.
            None => self.cuts.find(|(_, range, _)| !range.is_empty())?,
        };
        let text = slice::text(self.text, range.clone());
        let cut = match delimiters {
            [] => None,
            [only] if only.is_ascii() => {
                memchr::memchr(*only as u8, text.as_bytes()).map(|at| (at, *only))
            }
            // A dot of a domain name may have three bytes.
            _ => text.char_indices().find(|(_, c)| is_among(*c, delimiters)),
        };
        let Some((length, delimiter)) = cut else {
            return Some(ComponentText { component, start: range.start, text });
        };
        let rest = range.start + length + delimiter.len_utf8()..range.end;
        self.open = Some((component, rest, delimiters));
        Some(ComponentText { component, start: range.start, text: slice::text(text, ..length) })
    }
}
