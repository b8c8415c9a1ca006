//! The regions of Markdown: destinations, autolinks, raw HTML, and all other text (CommonMark 0.31).
//!
//! The definition of a link may stand after its use, and the list or quote around a place may begin far before it. So
//! the document is read as a whole, by `pulldown-cmark`. Here: the places of its events in the source. Not here:
//! emphasis (`detect`, `ends`), and escapes (`reading`).

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use pulldown_cmark::{CowStr, Event, LinkType, Options, Parser, Tag, TagEnd};

use super::escapes::{Escapes, Surroundings};
use super::html;
use super::reading::{Reading, SourceWalk};
use super::region::{Next, Reference, Region};
use simd_iri::low::slice;

/// The number of bytes of a line after which no marker begins a quote or an item of a list.
const MOST: usize = 128;

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
    pub(crate) fn next(&mut self, text: &str, is_whole: bool) -> Next {
        if !is_whole {
            return None;
        }
        let regions = self.regions.get_or_insert_with(|| regions(text));
        let Some(region) = regions.pop() else {
            self.regions = None;
            return Some((Region::nothing(text.len()), text.len()));
        };
        let end = region.span.end;
        Some((region, end))
    }
}

/// Returns the regions of a document, in reverse order.
fn regions(text: &str) -> Vec<Region> {
    let shallow = shallow(text);
    let mut collector = Collector {
        text,
        shallow: &shallow,
        regions: Vec::new(),
        words: None,
        html: None,
        is_code: false,
        links: Vec::new(),
    };
    let parser = Parser::new_ext(&shallow, Options::empty());
    for (_, definition) in parser.reference_definitions().iter() {
        let Range { start, end } = definition.span;
        collector.destination(&definition.dest, start + 1..end);
    }
    let mut before = 0;
    for (event, range) in parser.into_offset_iter() {
        before = collector.event(event, range, before);
    }
    let mut regions = collector.regions;
    regions.sort_by_key(|region| core::cmp::Reverse(region.span.start));
    regions
}

/// Returns a document of the same length, in which each marker after the first `MOST` bytes of a line is a letter. So
/// quotes and lists have a bounded depth: the parser takes a time for each line that grows with the depth.
fn shallow(text: &str) -> Cow<'_, str> {
    let mut made = None;
    let mut start = 0;
    for line in text.split_inclusive(['\n', '\r']) {
        let is_mark = |byte: &u8| byte.is_ascii_digit() || b" \t>-+*.)".contains(byte);
        let marks = line.bytes().take_while(|byte| is_mark(byte)).count();
        for at in MOST..marks {
            let pair = line.as_bytes().get(at..).unwrap_or_default();
            if matches!(
                pair,
                [b'>' | b'-' | b'+' | b'*' | b'.' | b')', b' ' | b'\t' | b'\r' | b'\n' | b'>', ..]
            ) {
                let made = made.get_or_insert_with(|| String::from(text));
                made.replace_range(start + at..start + at + 1, "x");
            }
        }
        start += line.len();
    }
    made.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// The regions of the events so far.
struct Collector<'a> {
    text: &'a str,
    /// The text that the parser reads.
    shallow: &'a str,
    regions: Vec<Region>,
    /// The text of a line that has not ended.
    words: Option<Range<usize>>,
    /// The block of HTML that is open.
    html: Option<Joined>,
    is_code: bool,
    /// The destinations of the links and images that are open.
    links: Vec<(LinkType, CowStr<'a>)>,
}

impl<'a> Collector<'a> {
    /// Takes an event of a part of the source. `before` is the end of the event before it.
    fn event(&mut self, event: Event<'a>, range: Range<usize>, before: usize) -> usize {
        let Range { start, end } = range;
        match event {
            Event::Start(Tag::HtmlBlock) => {
                self.flush();
                self.html = Some(Joined::default());
            }
            Event::Html(line) => {
                self.html.iter_mut().for_each(|html| html.push(&line, start));
            }
            Event::End(TagEnd::HtmlBlock) => {
                let html = self.html.take().unwrap_or_default();
                self.html(&html);
            }
            Event::InlineHtml(html) => {
                self.flush();
                // Each line is without what its quotes and lists take at its start.
                let lines = slice::text(self.text, range).split_inclusive(['\n', '\r']);
                let (mut joined, mut at) = (Joined::default(), start);
                for (inside, line) in html.split_inclusive(['\n', '\r']).zip(lines) {
                    at += line.len();
                    joined.push(inside, at - inside.len());
                }
                self.html(&joined);
            }
            Event::Start(Tag::CodeBlock(_)) => {
                self.flush();
                self.is_code = true;
            }
            Event::End(TagEnd::CodeBlock) => self.is_code = false,
            Event::Text(_) if self.is_code || self.html.is_some() => {}
            Event::Text(_) => {
                let is_autolink = self
                    .links
                    .last()
                    .is_some_and(|(kind, _)| matches!(kind, LinkType::Autolink | LinkType::Email));
                if !is_autolink {
                    let is_escaped = slice::text(self.text, ..start).ends_with('\\');
                    self.words(start - usize::from(is_escaped)..end);
                }
            }
            Event::Start(
                Tag::Link { link_type, dest_url, .. } | Tag::Image { link_type, dest_url, .. },
            ) => {
                self.words(start..start);
                self.links.push((link_type, dest_url));
                return start + 1;
            }
            Event::End(TagEnd::Link | TagEnd::Image) => {
                self.flush();
                let inside = start + 1..end - 1;
                match self.links.pop() {
                    Some((LinkType::Inline, found)) => self.destination(&found, before..end),
                    Some((LinkType::Autolink, _)) => {
                        self.link(inside, Reading::Literal, Surroundings::Autolink);
                    }
                    Some((LinkType::Email, _)) => {
                        self.link(inside, Reading::Literal, Surroundings::Mail);
                    }
                    _ => {}
                }
            }
            Event::Start(Tag::Emphasis | Tag::Strong) => self.words(start..start),
            Event::End(TagEnd::Emphasis | TagEnd::Strong) => self.words(end..end),
            _ => self.flush(),
        }
        end
    }

    /// Adds a part of a line to its text.
    fn words(&mut self, span: Range<usize>) {
        let words = self.words.get_or_insert(span.clone());
        words.end = span.end;
    }

    /// Ends the text of a line.
    fn flush(&mut self) {
        let words = self.words.take();
        self.regions.extend(words.map(|words| Region::text(words, Reading::Markdown)));
    }

    /// Adds the region of a destination or an autolink. The parser accepts controls in both, and CommonMark only between
    /// `<` and `>`.
    fn link(&mut self, span: Range<usize>, reading: Reading, around: Surroundings) {
        let link = slice::text(self.text, span.clone());
        if around == Surroundings::Angle || !link.contains(|c: char| c.is_ascii_control()) {
            self.regions.push(Reference::in_markdown(span, Escapes::new(reading, around)));
        }
    }

    /// Adds the region of a destination. `around` begins before the bracket that ends a text or a label, and after all
    /// other brackets that are not escaped.
    fn destination(&mut self, found: &CowStr<'_>, around: Range<usize>) {
        if found.is_empty() {
            return;
        }
        let span = match found {
            CowStr::Borrowed(found) => {
                let base = self.shallow.as_ptr().addr();
                let Some(start) = found.as_ptr().addr().checked_sub(base) else { return };
                start..start + found.len()
            }
            CowStr::Boxed(_) | CowStr::Inlined(_) => {
                let Some(span) = escaped(self.text, found, around) else { return };
                span
            }
        };
        let is_angle = slice::text(self.text, ..span.start).ends_with('<');
        let bounds = if is_angle { Surroundings::Angle } else { Surroundings::Destination };
        self.link(span, Reading::Markdown, bounds);
    }

    /// Adds the regions of HTML.
    fn html(&mut self, html: &Joined) {
        let (mut state, mut at) = (html::PageState::new(), 0);
        while at < html.content.len() {
            let Some((mut region, next)) = state.next(&html.content, at, true) else { return };
            match &mut region.reference {
                None if region.reading == Reading::Literal => {}
                None => {
                    let texts =
                        html.lines(region.span).map(|span| Region::text(span, region.reading));
                    self.regions.extend(texts);
                }
                Some(reference) => {
                    if let Some(place) = html.place(self.text, reference.span.clone()) {
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
}

/// Lines of the source without what quotes and lists take at their starts, and the places of these lines in the source.
///
/// ```text
/// source    > <a\n> b>        content   <a\nb>
/// ```
#[derive(Default)]
struct Joined {
    content: String,
    /// For each line, its offset in the content and its offset in the source.
    places: Vec<(usize, usize)>,
}

impl Joined {
    fn push(&mut self, line: &str, source: usize) {
        self.places.push((self.content.len(), source));
        self.content.push_str(line);
    }

    /// Returns the places in the source of a part of the content, line by line.
    fn lines(&self, span: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let first =
            self.places.partition_point(|(offset, _)| *offset <= span.start).saturating_sub(1);
        let places = self.places.get(first..).unwrap_or_default();
        let ends = places.iter().skip(1).map(|(next, _)| *next).chain([span.end]);
        let lines = places.iter().zip(ends).take_while(move |((offset, _), _)| *offset < span.end);
        lines.map(move |((offset, source), end)| {
            let (start, end) = (span.start.max(*offset), span.end.min(end));
            source + (start - offset)..source + (end - offset)
        })
    }

    /// Returns the place in the source of a part of the content, if nothing but white space is between its lines there.
    fn place(&self, text: &str, span: Range<usize>) -> Option<Range<usize>> {
        let mut lines = self.lines(span);
        let mut place = lines.next()?;
        for line in lines {
            let gap = text.get(place.end..line.start)?;
            if !gap.trim_ascii().is_empty() {
                return None;
            }
            place.end = line.end;
        }
        Some(place)
    }
}

/// Returns the place of a destination that has escapes, and so is not a part of the source: see
/// [`Collector::destination`].
fn escaped(text: &str, found: &str, around: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes().get(..around.end)?;
    let mut at = around.start;
    while *bytes.get(at)? != b']' {
        at += if bytes.get(at) == Some(&b'\\') { 2 } else { 1 };
    }
    // After `](` or `]:`. A destination on the next line may have marks of quotes before it.
    let after = slice::text(text, at + 2..around.end);
    let rest = after.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '>');
    let skipped = slice::text(after, ..after.len() - rest.len());
    let own = skipped.len() - skipped.trim_end_matches('>').len();
    let own = own.min(found.len() - found.trim_start_matches('>').len());
    let start = around.end - rest.len() - own;
    let start = start + usize::from(slice::text(text, start..).starts_with('<'));
    let end =
        SourceWalk::new(Reading::Markdown, slice::text(text, start..around.end)).end(found.len());
    Some(start..start + end)
}
