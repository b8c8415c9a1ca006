//! Finds the links of a text, region by region.
//!
//! Running text without escapes is looked at where it stands. A word with an escape in it is looked at in its
//! meaning (`reading`), and what is found has its place in the source. A reference that the markup delimits is
//! one as a whole. Not here: what is a link in running text (`detect`).

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

/// What is kept from one piece of a text to the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    state: State,
    /// References without a scheme are links.
    relative: bool,
    /// A base was seen.
    has_base: bool,
}

impl Progress {
    pub(crate) const fn new(extract: Extract<'_>) -> Self {
        let state = State::new(extract.markup);
        Self { state, relative: extract.relative, has_base: false }
    }
}

/// The links of a text, or of a piece of it.
#[derive(Clone, Debug)]
pub(crate) struct Finder<'a> {
    text: &'a str,
    extract: Extract<'a>,
    is_whole: bool,
    progress: Progress,
    /// Where the next region begins.
    at: usize,
    /// What is left of a region.
    region: Range<usize>,
    reading: Reading,
    /// A part of the region without escapes, and where it begins.
    plain: Option<(Detector<'a>, usize)>,
    /// Links of a word, the last one first.
    found: Vec<Found>,
    /// What a word means.
    meaning: String,
    /// A reference that is no link as a whole. It is reported if no link is found in it.
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

    /// How far the text is done, when there is no further link, and how it goes on there.
    pub(crate) const fn done(&self) -> (usize, Progress) {
        (self.at, self.progress)
    }

    /// The next link.
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

    /// Begins with a region: the link that it is, or the text in it.
    fn enter(&mut self, region: Region) -> Option<Link<'a>> {
        let Region { span, reading, reference } = region;
        (self.region, self.reading) = (span, reading);
        let Reference { span: inside, is_base } = reference?;
        let source = self.text.get(inside.clone())?;
        let kind = match self.kind_of(&reading.meaning(source)) {
            Ok(kind) => kind,
            // Names and addresses are found in it all the same.
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

    /// What a reference is as a whole, or why it is no link.
    fn kind_of(&self, meaning: &str) -> Result<LinkKind, Option<Broken>> {
        // Bytes that are no text are part of no link.
        if meaning.contains('\0') {
            return Err(None);
        }
        // As browsers see it, which leave out line breaks and tabs.
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

    /// Takes the next part of a region: words without escapes, or one with an escape.
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

    /// Finds the links of a word in its meaning; tells whether it has another one than itself.
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
            // What is emphasis at the end of a link is part of it if it was escaped.
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
