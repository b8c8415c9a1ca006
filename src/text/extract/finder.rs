//! Finds the links of a text, region by region.
//!
//! In running text, words without escapes are searched where they stand. A word with an escape is searched
//! in its meaning (`reading`), and a link in it has its offsets in the source. A reference that the markup
//! delimits is a link as a whole. Not here: what is a link in running text (`detect`).

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::broken::Broken;
use super::detect::{Detector, Found};
use super::ends::is_emphasis;
use super::reading::{Reading, Walk};
use super::region::{Reference, Region, is_white};
use super::regions::State;
use crate::parse::ComponentRule;
use crate::scan::slice;
use crate::text::{Extract, Link, LinkKind, Schemes};

/// The state that is kept from one part of a text to the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    state: State,
    /// Whether references without a scheme are links.
    relative: bool,
    /// Whether a base was found.
    has_base: bool,
}

impl Progress {
    pub(crate) const fn new(extract: Extract<'_>) -> Self {
        let state = State::new(extract.markup);
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
    /// The search in a part of the region without escapes, and the offset of that part.
    plain: Option<(Detector<'a>, usize)>,
    /// The links of a word with an escape, in reverse order.
    found: Vec<Found>,
    /// The meaning of that word.
    meaning: String,
    /// A reference that is not a link as a whole. It is reported as broken if no link is found in it.
    lost: Option<Found>,
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
            lost: None,
        }
    }

    /// Returns the offset up to which the text was searched, when no links are left, and the state at that
    /// offset.
    pub(crate) const fn done(&self) -> (usize, Progress) {
        (self.at, self.progress)
    }

    /// Returns the next link.
    pub(crate) fn next(&mut self) -> Option<Link<'a>> {
        loop {
            if let Some((span, kind)) = self.found.pop() {
                self.lost = None;
                return self.link(span, kind, self.reading, false);
            }
            if let Some((detector, start)) = &mut self.plain {
                if let Some((span, kind)) = detector.find(self.extract.wanted()) {
                    let span = *start + span.start..*start + span.end;
                    self.lost = None;
                    return self.link(span, kind, Reading::Literal, false);
                }
                self.plain = None;
            }
            if !self.region.is_empty() {
                self.part();
                continue;
            }
            if let Some((span, kind)) = self.lost.take() {
                return self.link(span, kind, self.reading, false);
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
        is_base: bool,
    ) -> Option<Link<'a>> {
        let text = self.text.get(span.clone())?;
        Some(Link { text, start: span.start, kind, reading, is_base })
    }

    /// Begins a region: returns the link that it is as a whole, or prepares the search in it.
    fn enter(&mut self, region: Region) -> Option<Link<'a>> {
        let Region { span, reading, reference } = region;
        (self.region, self.reading) = (span, reading);
        let Reference { span: inside, is_base } = reference?;
        let source = self.text.get(inside.clone())?;
        let kind = match self.kind_of(&reading.meaning(source)) {
            Ok(kind) => kind,
            // Names of hosts and addresses are searched for in it nevertheless.
            Err(reason) => {
                let broken = reason.filter(|_| self.extract.broken);
                self.lost = broken.map(|reason| (inside, LinkKind::Broken(reason)));
                return None;
            }
        };
        self.region = 0..0;
        let is_base = is_base && !self.progress.has_base;
        if is_base {
            self.progress.has_base = true;
            self.progress.relative |= kind == LinkKind::Iri;
        }
        self.link(inside, kind, reading, is_base)
    }

    /// Returns the kind of a reference as a whole, or the reason why it is not a link.
    fn kind_of(&self, meaning: &str) -> Result<LinkKind, Option<Broken>> {
        // NUL stands for a byte that is not text and is part of no link.
        if meaning.contains('\0') {
            return Err(None);
        }
        // Browsers remove controls and spaces at the ends, and line breaks and tabs anywhere.
        let meaning = meaning.trim_matches(|c| c <= ' ');
        let meaning = match meaning.contains(['\t', '\n', '\r']) {
            true => Cow::Owned(meaning.replace(['\t', '\n', '\r'], "")),
            false => Cow::Borrowed(meaning),
        };
        let scheme = meaning.find([':', '/', '?', '#', '\\']).and_then(|end| {
            let (scheme, rest) = meaning.split_at_checked(end)?;
            let body = rest.strip_prefix(':')?;
            ComponentRule::Scheme.validate(scheme).is_ok().then_some((scheme, body))
        });
        let Some((scheme, body)) = scheme else {
            let is_known = self.progress.relative && !meaning.is_empty();
            return if is_known { Ok(LinkKind::Relative) } else { Err(Some(Broken::Relative)) };
        };
        let is = |name: &&str| scheme.eq_ignore_ascii_case(name);
        let is_wanted = match self.extract.schemes {
            Schemes::Web => ["http", "https", "mailto"].iter().any(is),
            Schemes::Only(names) => names.iter().any(is),
            Schemes::Any => true,
        };
        if !is_wanted {
            return Err(Some(Broken::Scheme));
        }
        if body.trim_start_matches(['/', '\\']).is_empty() && scheme != "file" {
            return Err(Some(Broken::Host));
        }
        Ok(LinkKind::Iri)
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
        let mut walk = Walk::new(self.reading, source);
        let mut detector = Detector::new(&self.meaning, self.extract);
        while let Some((span, kind)) = detector.find(self.extract.wanted()) {
            let first = walk.start(span.start);
            let mut last = span.end;
            // Emphasis at the end of a link belongs to the link if it was escaped.
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
