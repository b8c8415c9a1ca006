//! Divides a reference into the components that RFC 3987, section 4.2 means: user information, host, port,
//! segments, query, fragment; labels if the host is a domain name, and smaller parts on request.

use core::ops::Range;

use crate::error::Component;
use crate::reference::IriRef;
use crate::scan::slice;
use crate::transform::{Known, LABEL_DOTS};

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
type Cut = (Component, Option<Range<usize>>, &'static [char]);

/// Returns the components in the order of the text; with `divided`, their smaller parts. One pass.
pub(crate) fn components(
    iri: IriRef<'_>,
    divided: bool,
) -> impl Iterator<Item = ComponentText<'_>> {
    let parts = iri.parts();
    let has_labels = iri.scheme().and_then(Known::of).is_some_and(Known::has_domains);
    let host = slice::text(iri.as_str(), parts.host().unwrap_or_default());
    let dots: &[char] = if host.is_ascii() { &['.'] } else { &LABEL_DOTS };
    let by = |delimiters: &'static [char]| if divided { delimiters } else { &[] };
    let cuts: [Cut; 6] = [
        (Component::Userinfo, parts.userinfo(), by(&[':'])),
        (Component::Host, parts.host(), if has_labels || divided { dots } else { &[] }),
        (Component::Port, parts.port(), &[]),
        (Component::Path, Some(parts.path()), if divided { &['/', '.'] } else { &['/'] }),
        (Component::Query, parts.query(), by(&['&', ';', '='])),
        (Component::Fragment, parts.fragment(), &[]),
    ];
    cuts.into_iter().flat_map(move |(component, range, delimiters)| {
        let range = range.unwrap_or_default();
        let text = slice::text(iri.as_str(), range.clone());
        let (mut rest, mut start) = (Some(text), range.start);
        core::iter::from_fn(move || {
            let text = rest?;
            let cut = match delimiters {
                [] => None,
                [only] if only.is_ascii() => {
                    memchr::memchr(*only as u8, text.as_bytes()).map(|at| (at, *only))
                }
                // A dot of a domain name may have three bytes.
                _ => text.char_indices().find(|(_, c)| delimiters.contains(c)),
            };
            let length = cut.map_or(text.len(), |(at, _)| at);
            let part = ComponentText { component, start, text: slice::text(text, ..length) };
            let after = cut.map(|(at, c)| at + c.len_utf8());
            start += after.unwrap_or_default();
            rest = after.and_then(|after| text.get(after..));
            Some(part)
        })
    })
}
