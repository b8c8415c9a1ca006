//! The regions of Markdown: destinations, autolinks, raw HTML, and all other text (CommonMark 0.31).
//!
//! The definition of a link may stand after its use, and the list or quote around a place may begin far before it. So
//! the document is read as a whole, in two passes:
//!
//! ```text
//! blocks    lines        → leaves: the lines of each paragraph, heading and block of HTML; code is not a leaf
//!                          definitions are taken off the start of paragraphs
//! inlines   each leaf    → regions: code and escapes hide brackets; brackets make links if a destination or a known
//!                          label follows them
//! ```
//!
//! Here: the order of the passes, and the places of a leaf in the source. Not here: the passes (`blocks`, `inlines`),
//! emphasis (`detect`, `ends`), and escapes (`reading`).

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::blocks::{Blocks, Leaf, join};
use super::html;
use super::inlines::{self, Inlines};
use super::reading::Reading;
use super::region::{Next, Reference, Region};
use simd_iri::low::slice;

/// The regions of a document that are not returned yet, in reverse order; `None` until the whole document has arrived.
#[derive(Clone, Debug)]
pub(crate) struct DocumentState {
    regions: Option<Vec<Region>>,
}

impl DocumentState {
    pub(crate) const fn new() -> Self {
        Self { regions: None }
    }

    /// Returns the next region: see [`super::regions::RegionState::next`].
    pub(crate) fn next(&mut self, text: &str, at: usize, is_whole: bool) -> Next {
        if !is_whole {
            return None;
        }
        let regions = self.regions.get_or_insert_with(|| regions(text, at));
        let Some(region) = regions.pop() else {
            self.regions = None;
            return Some((Region::nothing(text.len()), text.len()));
        };
        let end = region.span.end;
        Some((region, end))
    }
}

/// Returns the regions of a document that begins at `at`, in reverse order.
fn regions(text: &str, at: usize) -> Vec<Region> {
    let mut blocks = Blocks::new(text);
    for line in lines(text, at) {
        blocks.line(line);
    }
    blocks.close();
    let mut found =
        Collector { text, regions: blocks.regions, content: String::new(), places: Vec::new() };
    for leaf in blocks.leaves {
        found.leaf(&leaf, &blocks.labels);
    }
    let mut regions = found.regions;
    regions.sort_by_key(|region| core::cmp::Reverse(region.span.start));
    regions
}

/// Returns the ranges of the lines from an offset on, with their ends. A line ends with a line feed, a carriage return
/// or both.
fn lines(text: &str, at: usize) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let mut start = at;
    core::iter::from_fn(move || {
        let rest = bytes.get(start..).filter(|rest| !rest.is_empty())?;
        let end = match memchr::memchr2(b'\n', b'\r', rest) {
            Some(end) if rest.get(end..end + 2) == Some(b"\r\n") => end + 2,
            Some(end) => end + 1,
            None => rest.len(),
        };
        let line = start..start + end;
        start = line.end;
        Some(line)
    })
}

/// The content of a leaf and its places in the source.
///
/// ```text
/// source    > a [b]\n>  (c)        content   a [b]\n(c)
/// ```
///
/// A line is in one piece in the source and in the content. A range that crosses lines has a place in the source only
/// if there is nothing but white space between these lines in the source (`source`).
struct Collector<'a> {
    text: &'a str,
    regions: Vec<Region>,
    content: String,
    /// For each line, its offset in the content and its offset in the source.
    places: Vec<(usize, usize)>,
}

impl Collector<'_> {
    fn leaf(&mut self, leaf: &Leaf, labels: &BTreeSet<String>) {
        self.content = join(self.text, &leaf.lines);
        self.places.clear();
        let mut offset = 0;
        for line in &leaf.lines {
            self.places.push((offset, line.start));
            offset += line.len();
        }
        let content = core::mem::take(&mut self.content);
        if leaf.is_html {
            self.html(&content, 0..content.len());
        } else {
            let mut inlines = Inlines::new(&content, labels);
            let mut from = 0;
            while let Some((span, item)) = inlines.next() {
                self.words(from..span.start, Reading::Markdown);
                from = span.end;
                match item {
                    inlines::Inline::Nothing => {}
                    inlines::Inline::Html => self.html(&content, span),
                    inlines::Inline::Link(inside, escapes) => {
                        if let Some(inside) = self.source(inside) {
                            self.regions.push(Reference::in_markdown(inside, escapes));
                        }
                    }
                }
            }
            self.words(from..content.len(), Reading::Markdown);
        }
        self.content = content;
    }

    /// Adds the regions of a part of the content that is HTML.
    fn html(&mut self, content: &str, span: Range<usize>) {
        let html = slice::text(content, ..span.end);
        let (mut state, mut at) = (html::PageState::new(), span.start);
        while at < span.end {
            let Some((mut region, next)) = state.next(html, at, true) else { return };
            match &mut region.reference {
                None => self.words(region.span, region.reading),
                Some(reference) => {
                    if let Some(place) = self.source(reference.span.clone()) {
                        (reference.span, region.span) = (place.clone(), place);
                        // Markdown has no base.
                        reference.is_base = false;
                        self.regions.push(region);
                    }
                }
            }
            at = next;
        }
    }

    /// Adds the text of a part of the content.
    fn words(&mut self, span: Range<usize>, reading: Reading) {
        if reading == Reading::Literal {
            return;
        }
        let mut at = span.start;
        while at < span.end {
            let (line, offset, source) = self.line(at);
            let end = self.places.get(line + 1).map_or(span.end, |(next, _)| span.end.min(*next));
            let start = source + (at - offset);
            self.regions.push(Region::text(start..start + (end - at), reading));
            at = end.max(at + 1);
        }
    }

    /// Returns the number of the line of an offset, and the offsets of the line in the content and in the source.
    fn line(&self, at: usize) -> (usize, usize, usize) {
        let line = self.places.partition_point(|(offset, _)| *offset <= at).saturating_sub(1);
        let (offset, source) = self.places.get(line).copied().unwrap_or_default();
        (line, offset, source)
    }

    /// Returns the place in the source of a part of the content, if nothing but white space is between its lines there.
    fn source(&self, span: Range<usize>) -> Option<Range<usize>> {
        let (first, offset, source) = self.line(span.start);
        let start = source + (span.start - offset);
        let (last, offset, source) = self.line(span.end.saturating_sub(1).max(span.start));
        let end = source + (span.end - offset);
        let mut between = self.places.get(first..=last)?.windows(2);
        let is_whole = between.all(|pair| {
            let [(this, source), (next, after)] = pair else { return true };
            let gap = self.text.get(source + (next - this)..*after);
            gap.is_some_and(|gap| gap.trim_ascii().is_empty())
        });
        is_whole.then_some(start..end)
    }
}
