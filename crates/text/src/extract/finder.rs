//! Finds the links of a text, region by region.
//!
//! In running text, words without escapes are searched where they stand. A word with an escape is searched
//! in its meaning (`reading`), and the offsets of a link in it are translated into offsets of the source. A
//! reference that the markup delimits is a link, whatever it holds. Not here: what is a link in running text
//! (`detect`), and where the markup has references (`regions`, `values`).

/*
# The algorithm

`next` returns a link from the first source that has one:

    1. `references`   the references of the last attribute or destination
    2. `found`        the links of the last word with an escape
    3. `plain`        the search in the last words without escapes
    4. `region`       begin the search in its next part (`part`): fills `plain` or `found`
    5. `state`        enter the next region of the text (`enter`): sets `region`, or fills `references`

For example, in a log:

    see a.com "http:\/\/b.com\/c" d.com
    see a.com                              no escape: searched by `plain`
              "http:\/\/b.com\/c"          a word with escapes: its meaning is "http://b.com/c", with the quotes
                                 d.com     no escape: searched by `plain`

# Invariants

- A part begins and ends at white space or at an end of its region. No link in running text has white space in it, so
  no link crosses parts.
- `found` and `references` are in reverse order, so that `pop` returns the next link.
- A `SourceWalk` is asked for ascending offsets alone, so each word is read a fixed number of times.
*/

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::attributes::Form;
use super::broken::Broken;
use super::detect::{Detector, FoundLink};
use super::ends::is_emphasis;
use super::escapes::{Escapes, Within};
use super::reading::{Reading, SourceWalk};
use super::region::{Reference, Region, is_white};
use super::regions::RegionState;
use super::values;
use crate::Extract;
use crate::Link;
use crate::LinkKind;
use crate::Schemes;
use simd_iri::component::ComponentRule;
use simd_iri::low::slice;

/// The state that is kept from one part of a text to the next.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    state: RegionState,
    /// Whether references without a scheme are links.
    relative: bool,
    /// Whether the text had a base.
    has_base: bool,
}

impl Progress {
    pub(crate) const fn new(extract: Extract<'_>) -> Self {
        let state = RegionState::new(extract.markup);
        Self { state, relative: extract.relative, has_base: false }
    }
}

/// An iterator over the links of a text, or of a part of it.
#[derive(Clone, Debug)]
pub(crate) struct Finder<'a> {
    text: &'a str,
    extract: Extract<'a>,
    is_whole: bool,
    progress: Progress,
    /// The offset at which the next region begins.
    at: usize,
    /// The rest of the current region.
    region: Range<usize>,
    reading: Reading,
    /// The search in a part of the region without escapes, and the offset at which that part begins.
    plain: Option<(Detector<'a>, usize)>,
    /// The links of a word with an escape, in reverse order.
    found: Vec<FoundLink>,
    /// The meaning of that word.
    meaning: String,
    /// The references of an attribute, in reverse order.
    references: Vec<(Range<usize>, Escapes)>,
    /// The places of references in the meaning of an attribute.
    places: Vec<Range<usize>>,
}

impl<'a> Finder<'a> {
    pub(crate) const fn new(
        text: &'a str,
        extract: Extract<'a>,
        progress: Progress,
        is_whole: bool,
    ) -> Self {
        Self {
            text,
            extract,
            is_whole,
            progress,
            at: 0,
            region: 0..0,
            reading: Reading::Literal,
            plain: None,
            found: Vec::new(),
            meaning: String::new(),
            references: Vec::new(),
            places: Vec::new(),
        }
    }

    /// Returns the offset up to which the text was searched, when no links are left, and the state at that
    /// offset.
    pub(crate) fn done(self) -> (usize, Progress) {
        (self.at, self.progress)
    }

    /// Returns the next link.
    pub(crate) fn next(&mut self) -> Option<Link<'a>> {
        loop {
            if let Some((span, escapes)) = self.references.pop() {
                let link = self.reference(span, escapes, false);
                if link.is_some() {
                    return link;
                }
                continue;
            }
            if let Some((span, kind)) = self.found.pop() {
                return self.link(span, kind, self.reading, None, false);
            }
            if let Some((detector, start)) = &mut self.plain {
                if let Some((span, kind)) = detector.find(self.extract.wanted()) {
                    let span = *start + span.start..*start + span.end;
                    return self.link(span, kind, Reading::Literal, None, false);
                }
                self.plain = None;
            }
            if !self.region.is_empty() {
                self.part();
                continue;
            }
            let (region, next) = self.progress.state.next(self.text, self.at, self.is_whole)?;
            self.at = next;
            let link = self.enter(region);
            if link.is_some() {
                return link;
            }
        }
    }

    fn link(
        &self,
        span: Range<usize>,
        kind: LinkKind,
        reading: Reading,
        escapes: Option<Escapes>,
        is_base: bool,
    ) -> Option<Link<'a>> {
        let text = self.text.get(span.clone())?;
        Some(Link { text, start: span.start, kind, reading, escapes, is_base })
    }

    /// Begins a region: prepares the search in its text, or finds its references. Returns the base, if it is there.
    fn enter(&mut self, region: Region) -> Option<Link<'a>> {
        let Region { span, reading, reference } = region;
        self.reading = reading;
        self.region = if self.extract.shows_text() { span } else { 0..0 };
        let Reference { span, form, escapes, is_base } = reference?;
        self.region = 0..0;
        let source = self.text.get(span.clone())?;
        // The escapes of CSS are read later, in each reference.
        let outer = match form {
            Form::Style => Reading::HtmlAttribute,
            _ => reading,
        };
        self.places.clear();
        let meaning = outer.meaning(source);
        values::references(form, &meaning, &mut self.places);
        let mut walk = SourceWalk::new(outer, source);
        for place in &self.places {
            let before = meaning.as_bytes().get(..place.start).and_then(<[u8]>::last);
            let quote = before.copied().filter(|byte| matches!(byte, b'"' | b'\''));
            let within = match (form, quote) {
                (Form::Exact | Form::One, _) => Within::Whole,
                (Form::Set, _) => Within::Words,
                (Form::Candidates, _) => Within::List,
                (Form::Style, Some(quote)) => Within::String(quote),
                (Form::Style, None) => Within::Url,
                (Form::Refresh, Some(quote)) => Within::Quotes(quote),
                (Form::Refresh, None) => Within::Refresh,
            };
            let start = walk.start(place.start);
            let place = span.start + start..span.start + walk.end(place.end);
            self.references.push((place, escapes.within(within)));
        }
        self.references.reverse();
        if is_base && !self.progress.has_base {
            // A later base does not count, even if the first base is empty and so is the address of the page.
            self.progress.has_base = true;
            let (place, escapes) = self.references.pop()?;
            return self.reference(place, escapes, true);
        }
        None
    }

    /// Returns a reference as a link, if it is wanted.
    fn reference(
        &mut self,
        span: Range<usize>,
        escapes: Escapes,
        is_base: bool,
    ) -> Option<Link<'a>> {
        let source = self.text.get(span.clone())?;
        let reading = escapes.reading();
        let kind = match self.kind_of(&escapes.read(source)) {
            Ok(_) if escapes.is_mail() => LinkKind::Email,
            Ok(kind) => kind,
            Err(reason) if self.extract.broken => LinkKind::Broken(reason),
            Err(_) => return None,
        };
        self.progress.relative |= is_base && kind == LinkKind::Iri;
        let is_base = is_base && !matches!(kind, LinkKind::Broken(_));
        self.link(span, kind, reading, Some(escapes), is_base)
    }

    /// Returns the kind of a reference, or the reason why it is not wanted.
    fn kind_of(&self, meaning: &str) -> Result<LinkKind, Broken> {
        // NUL stands for a byte that is not text and is part of no link.
        if meaning.contains('\0') {
            return Err(Broken::NotText);
        }
        // Browsers remove controls and spaces at the ends, and line breaks and tabs anywhere.
        let meaning = meaning.trim_matches(|c| c <= ' ');
        let meaning = match meaning.contains(['\t', '\n', '\r']) {
            true => Cow::Owned(meaning.replace(['\t', '\n', '\r'], "")),
            false => Cow::Borrowed(meaning),
        };
        let scheme = meaning.find([':', '/', '?', '#', '\\']).and_then(|end| {
            let (scheme, rest) = meaning.split_at_checked(end)?;
            (rest.starts_with(':') && ComponentRule::Scheme.validate(scheme).is_ok())
                .then_some(scheme)
        });
        let Some(scheme) = scheme else {
            return match self.progress.relative {
                true => Ok(LinkKind::Relative),
                false => Err(Broken::Relative),
            };
        };
        let is = |name: &&str| scheme.eq_ignore_ascii_case(name);
        match self.extract.schemes {
            Schemes::Only(names) if !names.iter().any(is) => Err(Broken::Scheme),
            _ => Ok(LinkKind::Iri),
        }
    }

    /// Begins the search in the next part of the region: words without escapes, or a word with an escape.
    fn part(&mut self) {
        let Range { start, end } = self.region;
        let region = slice::text(self.text, ..end);
        let (plain, word) = match self.reading.mark(region, start) {
            None => (end, end),
            Some(mark) => {
                let (before, after) = region.as_bytes().split_at(mark);
                let before = slice::bytes(before, start..);
                let words = before.iter().rposition(|byte| is_white(*byte));
                let length = after.iter().position(|byte| is_white(*byte)).unwrap_or(after.len());
                (words.map_or(start, |last| start + last + 1), mark + length)
            }
        };
        let is_plain = plain > start || !self.in_meaning(start, word);
        let next = if plain > start { plain } else { word };
        if is_plain {
            let text = slice::text(self.text, start..next);
            self.plain = Some((Detector::new(text, self.extract), start));
        }
        self.region.start = next;
    }

    /// Finds the links of a word in its meaning. Returns false if the word has no escape.
    fn in_meaning(&mut self, start: usize, end: usize) -> bool {
        let source = slice::text(self.text, start..end);
        if !self.reading.has_escape(source) {
            return false;
        }
        self.meaning.clear();
        self.reading.read_into(source, &mut self.meaning);
        let mut walk = SourceWalk::new(self.reading, source);
        let mut detector = Detector::new(&self.meaning, self.extract);
        while let Some((span, kind)) = detector.find(self.extract.wanted()) {
            let first = walk.start(span.start);
            let mut last = span.end;
            // A character of emphasis after a link belongs to the link if it was escaped.
            let link = slice::text(&self.meaning, span);
            let has_path =
                link.rsplit("://").next().is_some_and(|link| link.contains(['/', '?', '#']));
            let is_emphasis = |at: usize| self.meaning.get(at..)?.chars().next().map(is_emphasis);
            while self.reading == Reading::Markdown
                && has_path
                && is_emphasis(last) == Some(true)
                && source.as_bytes().get(walk.start(last)).is_some_and(|mark| b"\\&".contains(mark))
            {
                last += 1;
            }
            self.found.push((start + first..start + walk.end(last), kind));
        }
        self.found.reverse();
        true
    }
}
