//! Decides whether there is a link at a candidate, and where it begins and ends: the definition of UTS
//! #58, and IRIs of other schemes (RFC 3987, section 7.3).
//!
//! Not here: where candidates are (`candidates`), what a host is (`hosts`), where path, query and fragment
//! end (`ends`), and where no link begins (`inside`).

/*
# The algorithm

`candidates` searches the text with masks for places where a link may be. In prose there are few. Around
each of them this file reads a few characters:

    for each candidate, from `done` on:
        a whole common link of http       take it
        a link up to its host             add port, path, query and fragment, and take it
        a colon     (`with_scheme`)       a scheme ends here: http and https need a host, mailto an
                                          address, any other scheme is an IRI up to where `ends` says
        a dot       (`name`)              a top-level domain begins here: read the name around it, add
                                          port, path, query and fragment
        an at sign  (`address`)           read the local part before it and the domain after it
        a control   (`control`)           a sequence of a terminal: the text before it and the text after it are
                                          apart, and OSC 8 has a link

For example:

    Go to example.com/a. Or mail b@example.org!
                 ^                ^
                 a dot            an at sign

At the dot, `com` is a top-level domain. The name around it is `example.com`. The path ends before the full
stop, because nothing follows the full stop: the link is `example.com/a`. The full stop before the space is
not a candidate. At the at sign, the link is `b@example.org`. The dot in it is not examined, because `done`
is then the end of the link.

# Invariants

- Links ascend and do not overlap: no link begins before `floor`. This is the end of the last link, or of the
  last stretch that was refused as a whole (`refuse_until`).
- `done` never moves back, and is never before `floor`. So a candidate is examined once, and no text makes
  this file read the same stretch again and again; `adversarial` counts the reads.
- No link is guessed inside what looks like an address, a connection string or a triplet (`inside`).
- No link begins in a sequence of a terminal, but the address of OSC 8, and no link goes over one: `refuse_until` passes it,
  and each question for the character before a place asks `last`.
- `held`, `ready` and `reported` are used only if broken links are wanted. A link replaces the broken links
  in `held` that it overlaps. An entry of `held` that white space follows cannot change any more.

The gains that were measured stand at the PERF comments of `candidates`, `hosts` and `stretch`.
*/

use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::ops::Range;

use super::broken::Broken;
use super::candidates::{FindCandidate, LONGEST_TLD, LONGEST_TLD_OF_HAN, Wanted};
use super::common::Candidate;
use super::ends::{EndRules, is_emphasis};
use super::hosts::{self, LabelRun};
use super::inside::{APART, Inside, OpenKind, Opened};
use super::prose;
use super::reader::{char_at, char_before, count, run_at, run_before};
use super::region::is_white;
use super::terminal::{self, Sequence};
use crate::Ends;
use crate::Extract;
use crate::LinkKind;
use crate::Markup;
use crate::Schemes;
use crate::link_tables::{is_email, is_invisible};
use simd_iri::Component;
use simd_iri::low::{
    AsciiSet, DIGIT, LABEL_DOTS, SCHEME, SCHEME_FIRST, UNRESERVED, ascii_of, octet, slice,
};

/// The byte offsets of a link in the text, and its kind.
pub(crate) type FoundLink = (Range<usize>, LinkKind);

/// The state of the search in a text.
#[derive(Clone, Debug)]
pub(crate) struct Detector<'a> {
    text: &'a str,
    pub(crate) extract: Extract<'a>,
    /// No link begins before this offset.
    floor: usize,
    /// No candidate before this offset is examined again.
    done: usize,
    /// The end of the last link or sequence of a terminal.
    link: usize,
    /// The end of the last sequence of a terminal. The character before it is not before what follows it.
    control: usize,
    /// The end of the last path on a host, as in `git@host:path`. No link without a scheme begins in it.
    remote: usize,
    /// What is known about the word around the last candidate.
    inside: Inside,
    /// The open brackets of the link that is examined. The field keeps the memory for the next link.
    open: Vec<char>,
    /// Links and broken links that are not reported yet. Only used if broken links are wanted.
    held: VecDeque<FoundLink>,
    /// The number of entries of `held`, from the first on, that no later link can change.
    ready: usize,
    /// The end of the last link or broken link that was put into `held`.
    reported: usize,
}

/// The ASCII with which a path on a host or a port may begin, after a colon or a slash.
const PATH_START: AsciiSet = UNRESERVED.with(&AsciiSet::of(b"/:$%*+@\\"));
/// The ASCII of a segment of a path, without an at sign.
const SEGMENT: AsciiSet = UNRESERVED.with(&AsciiSet::of(b":$%*+!=&\\"));
/// Quotes and brackets, which end the path.
const AROUND: AsciiSet = AsciiSet::of(b"\"'`<>()[]{},;|");
/// The white space that ends every word.
const WHITE: AsciiSet = AsciiSet::of(b" \n\r\t");
/// The characters of the name of a header field of a mail.
const FIELD_NAME: AsciiSet = SCHEME_FIRST.with(&DIGIT).with(&AsciiSet::just(b'-'));

impl<'a> Detector<'a> {
    pub(crate) const fn new(text: &'a str, extract: Extract<'a>) -> Self {
        Self {
            text,
            extract,
            floor: 0,
            done: 0,
            link: 0,
            control: 0,
            remote: 0,
            inside: Inside::new(),
            open: Vec::new(),
            held: VecDeque::new(),
            ready: 0,
            reported: 0,
        }
    }

    /// Returns the next link, or the next broken link if broken links are wanted.
    pub(crate) fn find(&mut self, wanted: Wanted) -> Option<FoundLink> {
        if !self.extract.broken {
            return self.candidate(wanted);
        }
        loop {
            if self.ready > 0 {
                self.ready -= 1;
                return self.held.pop_front();
            }
            let Some(next) = self.candidate(wanted) else {
                self.ready = self.held.len();
                if self.ready == 0 {
                    return None;
                }
                continue;
            };
            let (start, end) = (next.0.start, next.0.end);
            if !is_broken(&next) {
                // A link may begin before a broken link that was found earlier. A part of a link is not a broken link.
                while self.held.back().is_some_and(|held| held.0.end > start) {
                    self.held.pop_back();
                }
                self.held.push_back(next);
                self.ready = self.held.len();
                self.reported = end;
            } else if start >= self.reported {
                // No link has white space in it: after white space, the results before it are final.
                let between = slice::bytes(self.text.as_bytes(), self.reported..start);
                if between.iter().copied().any(is_white) {
                    self.ready = self.held.len();
                }
                self.held.push_back(next);
                self.reported = end;
            }
        }
    }

    /// Returns the next link or broken link, in the order in which they are found.
    fn candidate(&mut self, wanted: Wanted) -> Option<FoundLink> {
        loop {
            let (text, from, floor) = (self.text, self.done, self.floor);
            match self.extract.level.run_wide(FindCandidate { text, from, wanted, floor })? {
                Candidate::Link(span) => return self.take(span.start, span.end, LinkKind::Iri),
                Candidate::Host(span) => {
                    let end = self.after_host(span.start, span.end, span.end);
                    return self.take(span.start, end, LinkKind::Iri);
                }
                Candidate::At(at) => {
                    self.done = at + 1;
                    let found = match text.as_bytes().get(at)? {
                        b':' => self.with_scheme(at),
                        b'@' => self.address(at),
                        &terminal::ESCAPE => self.control(at),
                        &(terminal::CSI | terminal::OSC) => self.control(at - 1),
                        _ => self.name(at + 1),
                    };
                    if found.is_some() {
                        return found;
                    }
                }
            }
        }
    }

    /// Returns a broken link from `start` to `end` with its reason, if broken links are wanted.
    fn refuse(&self, start: usize, end: usize, reason: Broken) -> Option<FoundLink> {
        let is_wanted = self.extract.broken && start < end;
        is_wanted.then_some((start..end, LinkKind::Broken(reason)))
    }

    /// Ends the search before `until`: no link begins before `until`, and no candidate before it is examined.
    fn refuse_until(&mut self, until: usize) {
        self.done = self.done.max(until);
        self.floor = self.done;
    }

    /// Returns a link, and continues after its end.
    fn take(&mut self, start: usize, end: usize, kind: LinkKind) -> Option<FoundLink> {
        self.refuse_until(end);
        self.link = end;
        self.inside.note_link(self.text, start, end, self.extract.ends);
        Some((start..end, kind))
    }

    fn slice(&self, start: usize, end: usize) -> &'a str {
        slice::text(self.text, start..end)
    }

    /// Tells whether `//` is at the place `at`.
    fn has_slashes(&self, at: usize) -> bool {
        self.text.get(at..at + 2) == Some("//")
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// Returns the run of labels and dots that begins at `start`, for a link that begins at `link`.
    fn run(&self, link: usize, start: usize) -> LabelRun {
        let ends = self.extract.ends.of_link(self.text, link);
        prose::run(self.text, start, self.extract.markup, ends)
    }

    /// Returns the offset at which the run of labels and dots before `end` begins.
    fn run_start(&self, end: usize) -> usize {
        let Extract { markup, ends, .. } = self.extract;
        let is_tight = ends.is_tight();
        LabelRun::start_of(self.text, end, self.floor, markup, |c, at| {
            // A dot of prose ends a sentence, unless it is the dot before the top-level domain.
            !is_tight || !prose::is_ender(c) || at == end && LABEL_DOTS.contains(&c)
        })
    }

    /// Returns the character before an offset, if no sequence of a terminal is between them.
    fn last(&self, at: usize) -> Option<char> {
        if at == self.control { None } else { char_before(self.text, at) }
    }

    /// Returns the last visible character before an offset, if no sequence of a terminal is between them.
    fn last_visible(&self, mut at: usize) -> Option<char> {
        while let Some(c) = self.last(at) {
            if !is_invisible(c) {
                return Some(c);
            }
            at -= c.len_utf8();
        }
        None
    }

    /// Tells whether the character before `start` belongs to the same word.
    fn is_within_word(&self, start: usize) -> bool {
        self.last_visible(start).is_some_and(|c| {
            let is_prose =
                || prose::is_cjk(c) && self.byte(start).is_some_and(|byte| byte.is_ascii());
            let ends = self.extract.ends;
            ends.is_in_name(c) && c != '_' && !(ends.is_tight() && is_prose())
        })
    }

    /// Tells whether a mark or a bracket of prose before `start` ends what was before it.
    fn is_after_mark(&self, start: usize) -> bool {
        self.extract.ends.is_tight() && self.last(start).is_some_and(prose::is_boundary)
    }

    /// Tells whether a scheme that begins at `start` is the end of a longer word.
    fn is_end_of_word(&self, start: usize) -> bool {
        match self.extract.ends {
            Ends::Strict => self.is_within_word(start) || self.last(start) == Some('+'),
            Ends::Tight | Ends::Ascii => {
                self.last(start).is_some_and(|last| is_member(last, &SCHEME))
            }
        }
    }

    /// Tells whether the first two characters from `start` on are the digits of a triplet.
    fn is_within_triplet(&self, start: usize) -> bool {
        start.checked_sub(1).is_some_and(|percent| octet(self.text.as_bytes(), percent).is_some())
    }

    /// Returns the address or the value that is open at a place.
    fn opened(&mut self, at: usize) -> Option<Opened> {
        self.inside.opened(self.text, self.link, at)
    }

    /// Returns a broken link up to `end`, if the open address has a scheme.
    fn refuse_within(&self, opened: Opened, end: usize) -> Option<FoundLink> {
        let start = opened.start.max(self.link);
        self.refuse(if opened.kind == OpenKind::Scheme { start } else { end }, end, Broken::Scheme)
    }

    /// Passes over the sequence of a terminal that begins at `start`. Returns the link that it has.
    fn control(&mut self, start: usize) -> Option<FoundLink> {
        let Sequence { end, address } = terminal::sequence(self.text.as_bytes(), start);
        let address = address.filter(|place| self.is_wanted(self.slice(place.start, place.end)));
        if let Some(Range { start, end }) = address {
            // The end of the sequence is a control, or begins with one.
            return self.take(start, end, LinkKind::Iri);
        }
        self.refuse_until(end);
        (self.link, self.control) = (end, end);
        None
    }

    /// Tells whether a text begins with the whole of a wanted scheme.
    fn is_wanted(&self, text: &str) -> bool {
        let Some((scheme, rest)) = text.split_once(':') else { return false };
        let is_begun = scheme.starts_with(|c: char| c.is_ascii_alphabetic());
        let is_web = ["http", "https"].iter().any(|web| scheme.eq_ignore_ascii_case(web));
        is_begun
            && scheme.bytes().all(|byte| SCHEME.contains(byte))
            && self.scheme_in(scheme) == Some(scheme.len())
            && rest.len() > 2
            && (!is_web || rest.starts_with("//"))
    }

    /// Returns the link whose scheme ends at `colon`.
    fn with_scheme(&mut self, colon: usize) -> Option<FoundLink> {
        // A wanted scheme is at the end of the characters of schemes before the colon.
        let length = run_before(self.text, colon, self.floor, &SCHEME);
        let run = self.slice(colon - length, colon);
        let start = colon - self.scheme_in(run)?;
        let after = colon + 1;
        let scheme = self.slice(start, colon);
        let is = |name: &str| scheme.eq_ignore_ascii_case(name);
        let is_web = is("http") || is("https");
        let has_slashes = self.has_slashes(after);
        if self.is_end_of_word(start) {
            if !is_web || !has_slashes {
                return None;
            }
            let end = self.run(start, after + 2).name_end;
            return self.refuse(colon - length, end, Broken::WithinWord);
        }
        let before = self.last(start);
        let may_be_inside = before.is_some_and(|c| match is_web && has_slashes {
            true => !is_member(c, &APART) && !self.is_after_mark(start),
            false => !is_member(c, &WHITE),
        });
        if may_be_inside && self.opened(start).is_some_and(|opened| opened.kind >= OpenKind::Scheme)
        {
            return None;
        }
        // http and https: two slashes and a host.
        if is_web {
            if has_slashes {
                return self.web(start, after + 2);
            }
            let body = after + usize::from(self.byte(after) == Some(b'/'));
            let is_host = char_at(self.text, body).is_some_and(hosts::is_in_name);
            let end = if is_host { self.run(start, body).name_end } else { start };
            return self.refuse(start, end, Broken::Slashes);
        }
        if is("mailto") {
            return self.mail_to(start, after);
        }
        let body = if has_slashes { after + 2 } else { after };
        // `std::vector` is a name in a program, not an IRI.
        if self.extract.schemes == Schemes::Any && self.byte(after) == Some(b':') {
            return None;
        }
        let mut rules = EndRules::of(self.extract, self.text, start, false);
        let mut text = self.text;
        if self.extract.ends.is_tight() && has_slashes {
            let host = self.run(start, body);
            rules = rules.with_host(host.end);
            if self.is_cut(start, host.end) {
                text = self.slice(0, host.end);
            }
        }
        let end = rules.end(text, after, &mut self.open);
        if end <= body {
            return None;
        }
        self.take(start, end, LinkKind::Iri)
    }

    /// Returns the length of the wanted scheme at the end of `run`, the characters of schemes before a colon.
    fn scheme_in(&self, run: &str) -> Option<usize> {
        let ends_with = |name: &&&str| {
            let at = run.len().checked_sub(name.len());
            at.and_then(|at| run.get(at..)).is_some_and(|end| end.eq_ignore_ascii_case(name))
        };
        let longest = |names: &[&str]| {
            names.iter().filter(ends_with).map(|name| name.len()).filter(|length| *length > 0).max()
        };
        match self.extract.schemes {
            Schemes::Web => longest(&["http", "https", "mailto"]),
            Schemes::Only(names) => longest(names),
            Schemes::Any => {
                // A web scheme may stand right after the full stop of a sentence.
                let web = longest(&["http", "https"])
                    .filter(|length| run.len() == *length || Self::is_after_dot(run, *length));
                if web.is_some() {
                    return web;
                }
                let first = run.find(|c: char| c.is_ascii_alphabetic())?;
                // A single letter is the name of a drive, as in `C:\`.
                Some(run.len() - first).filter(|length| *length > 1)
            }
        }
    }

    /// Tells whether a dot is before the last `length` bytes of a run.
    fn is_after_dot(run: &str, length: usize) -> bool {
        let before = run.len().checked_sub(length).and_then(|at| run.get(..at));
        before.is_some_and(|before| before.ends_with('.'))
    }

    /// Returns the link that begins with `http://` or `https://`. Its host begins at `host`.
    fn web(&mut self, start: usize, host: usize) -> Option<FoundLink> {
        let (name_end, host_end, is_host) = match self.byte(host) {
            Some(b'[') => match hosts::ip_literal_end(self.text.as_bytes(), host) {
                Some(end) => (end, end, true),
                None => (host, host, false),
            },
            _ => {
                let run = self.run(start, host);
                (run.name_end, run.end, hosts::is_host(run.name(self.text)))
            }
        };
        let userinfo = || self.userinfo_end(host_end);
        if let Some(at) = (!self.is_cut(start, host_end)).then(userinfo).flatten() {
            self.refuse_until(self.run(start, at + 1).end);
            return self.refuse(start, self.done, Broken::Userinfo);
        }
        if !is_host {
            self.refuse_until(host_end);
            let end = if host_end == host { self.literal_end(host) } else { host_end };
            return self.refuse(start, end, Broken::Host);
        }
        let end = self.after_host(start, name_end, host_end);
        self.take(start, end, LinkKind::Iri)
    }

    /// Tells whether prose follows the host of a link that begins at `start`, right after the end of the host.
    fn is_cut(&self, start: usize, host_end: usize) -> bool {
        self.extract.ends.of_link(self.text, start).is_tight()
            && self.byte(host_end).is_some_and(|byte| !byte.is_ascii())
    }

    /// Returns the offset after a text that looks like an IP literal, or `start` if there is no such text.
    fn literal_end(&self, start: usize) -> usize {
        const LONGEST: usize = 64;
        let rest = slice::bytes(self.text.as_bytes(), start..);
        let is_in = |byte: &&u8| byte.is_ascii_graphic() && **byte != b']';
        let length = rest.iter().take(LONGEST).take_while(is_in).count();
        if rest.get(length) == Some(&b']') { start + length + 1 } else { start }
    }

    /// Returns the place of the next at sign, if all characters from `from` up to it may be in user information.
    fn userinfo_end(&self, from: usize) -> Option<usize> {
        let mut at = from;
        while let Some(c) = char_at(self.text, at).filter(|c| *c != '@') {
            let is_of_userinfo = match u8::try_from(c) {
                Ok(byte) if byte.is_ascii() => {
                    ascii_of(Component::Userinfo).contains(byte) || matches!(byte, b':' | b'%')
                }
                _ => hosts::is_in_name(c),
            };
            if !is_of_userinfo {
                return None;
            }
            at += c.len_utf8();
        }
        (self.byte(at) == Some(b'@')).then_some(at)
    }

    /// Returns the end of a link whose host ends at `host_end`: adds port, path, query and fragment.
    fn after_host(&mut self, start: usize, name_end: usize, host_end: usize) -> usize {
        let is_initiator = |byte| matches!(byte, Some(b'/' | b'?' | b'#'));
        let mut end = name_end;
        let mut at = host_end;
        if self.byte(at) == Some(b':') {
            let digits = run_at(self.text, at + 1, &DIGIT);
            let after = at + 1 + digits;
            if digits > 0 || is_initiator(self.byte(after)) {
                at = after;
            }
            if digits > 0 {
                end = after;
            }
        }
        if is_initiator(self.byte(at)) {
            let rules = EndRules::of(self.extract, self.text, start, true);
            let further = rules.end(self.text, at, &mut self.open);
            if further > at {
                end = further;
            }
        }
        end
    }

    /// Returns the link that begins with the name of a host. `label` is the start of the label after a dot
    /// of that name.
    fn name(&mut self, label: usize) -> Option<FoundLink> {
        let longest = match self.byte(label)? {
            0xE3..=0xEF => LONGEST_TLD_OF_HAN,
            _ => LONGEST_TLD,
        };
        let ends = self.extract.ends;
        // Prose may stand right after the top-level domain, but not after a name with a dot of prose.
        let may_be_cut =
            ends.is_tight() && label.checked_sub(1).and_then(|at| self.byte(at)) == Some(b'.');
        let (mut end, mut is_long) = (label, false);
        for c in self.text.get(label..)?.chars().take_while(|c| ends.is_in_name(*c)) {
            count(1);
            is_long = end + c.len_utf8() - label > longest;
            if is_long {
                break;
            }
            end += c.len_utf8();
        }
        if is_long && !may_be_cut {
            return None;
        }
        end = label + self.slice(label, end).trim_end_matches(is_invisible).len();
        // Underscores at the end are emphasis.
        if self.extract.markup == Markup::Markdown {
            end = label + self.slice(label, end).trim_end_matches('_').len();
        }
        // Only the last label tells whether the domain may be registered. If more labels follow, the next dot
        // is a candidate of its own.
        let is_dot = |c: &char| LABEL_DOTS.contains(c) && !(ends.is_tight() && prose::is_ender(*c));
        let dot = char_at(self.text, end).filter(is_dot);
        let after = dot.map_or(end, |dot| end + dot.len_utf8());
        let goes_on = char_at(self.text, after).is_some_and(|c| ends.is_in_name(c));
        if dot.is_some() && goes_on {
            return None;
        }
        let last = self.slice(label, end);
        let is_glued = || may_be_cut && prose::tld_before_cjk(last).is_some();
        if (is_long || !hosts::is_tld(last)) && !is_glued() {
            return if is_long { None } else { self.unregistered(label) };
        }
        let start = self.run_start(label);
        let mut run = self.run(start, start);
        // A dot of prose after another dot ends the name before this label.
        if run.name_end <= label {
            return None;
        }
        self.done = run.end;
        if ends.is_tight() {
            run.start = self.without_prose(run.start, label, run.name_end);
        }
        // This is the local part of an address. The at sign is a candidate of its own.
        if self.byte(run.end) == Some(b'@') {
            return None;
        }
        if run.start < self.remote {
            return None;
        }
        // This may be the host of an IRI whose scheme is not wanted.
        if let Some(opened) =
            self.opened(run.start).filter(|opened| opened.kind >= OpenKind::Slashes)
        {
            return self.refuse_within(opened, run.end);
        }
        if self.is_within_word(run.start) || self.is_within_triplet(run.start) {
            return None;
        }
        if !hosts::is_registered(run.name(self.text)) {
            return self.refuse(run.start, run.name_end, Broken::Host);
        }
        let end = self.after_host(run.start, run.name_end, run.end);
        self.take(run.start, end, LinkKind::Domain)
    }

    /// Returns the offset at which a name in ASCII begins after prose, in the name from `start` to `end`; `start` if the
    /// name is not in ASCII. The name has a part before `within`.
    fn without_prose(&self, start: usize, within: usize, end: usize) -> usize {
        let name = self.slice(start, end);
        let found = end - prose::without_prose(name).len();
        if found < within { found } else { start }
    }

    /// Returns the e-mail address around the at sign at `at`.
    fn address(&mut self, at: usize) -> Option<FoundLink> {
        let mut start = at;
        let Extract { markup, ends, .. } = self.extract;
        let is_prose = |c: char| ends.is_tight() && prose::is_ender(c);
        let is_local = |c: char| is_email(c) && !EndRules::delimits(markup, c) && !is_prose(c);
        while let Some(c) = char_before(self.text, start).filter(|c| is_local(*c)) {
            if start <= self.floor {
                break;
            }
            start -= c.len_utf8();
        }
        if self.extract.ends.is_tight() {
            start = self.without_prose(start, at, at);
        }
        start = at - self.slice(start, at).trim_start_matches(is_invisible).len();
        let domain = self.run(start, at + 1);
        // A scheme may stand right after the at sign of a mention or of an argument: `@https://a.example`.
        let name = self.slice(at + 1, domain.end);
        if ends.is_tight()
            && (self.has_slashes(domain.end + 1) || name.eq_ignore_ascii_case("mailto"))
            && self.byte(domain.end) == Some(b':')
            && self.scheme_in(name) == Some(name.len())
        {
            return None;
        }
        let is_within = self.is_within_word(start) || self.last(start) == Some('@');
        let is_local = !is_within && is_local_part(self.slice(start, at));
        if at < self.remote {
            self.refuse_until(domain.end);
            return None;
        }
        // A text that looks like a local part may be the end of a password.
        if let Some(opened) = self.opened(at) {
            self.refuse_until(domain.end);
            return self.refuse_within(opened, domain.name_end);
        }
        let (text, link) = (self.text, self.link);
        if self.is_within_triplet(start)
            || is_local && self.inside.is_credential(text, link, start, at, domain.end)
        {
            self.refuse_until(domain.end);
            return None;
        }
        if is_local && self.goes_on(domain.end) {
            // `git@host:path`, `user@host:port`, `user@host/path` and `a@b@c` name accounts on hosts.
            self.refuse_until(domain.end);
            self.remote = self.word_end(domain.end);
            return None;
        }
        if !is_local || !hosts::is_registered(domain.name(self.text)) {
            // An address without a local part is not a link, and neither is its domain.
            self.refuse_until(domain.end);
            let reason = if is_local { Broken::Unregistered } else { Broken::LocalPart };
            return self.refuse(start, domain.name_end, reason);
        }
        // In Markdown, emphasis begins and ends with the same character. That character is not part of the
        // address.
        let after = char_at(self.text, domain.name_end).filter(|c| is_emphasis(*c));
        if let (Some(c), Markup::Markdown) = (after, self.extract.markup) {
            let local = self.slice(start, at);
            start += local.len() - local.trim_start_matches(c).len();
        }
        if start == at {
            return None;
        }
        self.take(start, domain.name_end, LinkKind::Email)
    }

    /// Tells whether what looks like an e-mail address and ends at `end` goes on as the name of something on a host:
    ///
    /// ```text
    /// git@host:path  ann@host:8080  ann@host::module      a colon and a path or a port
    /// ann@host/inbox                                      a slash and one segment
    /// ann@host@host                                       another at sign
    /// ```
    ///
    /// In the test file of UTS #58, an address ends before a port and a path, and before a path of two segments.
    fn goes_on(&self, end: usize) -> bool {
        let is_begun = || self.byte(end + 1).is_some_and(|byte| PATH_START.contains(byte));
        match self.byte(end) {
            Some(b'@') => true,
            Some(b':') => {
                let digits = run_at(self.text, end + 1, &DIGIT);
                is_begun() && !(digits > 0 && self.byte(end + 1 + digits) == Some(b'/'))
            }
            Some(b'/') => {
                let segment = run_at(self.text, end + 1, &SEGMENT);
                let after = self.byte(end + 1 + segment);
                is_begun() && !matches!(after, Some(b'/' | b'?' | b'#' | b'@'))
            }
            _ => false,
        }
    }

    /// Returns the offset at which the word ends that goes on at `from`.
    fn word_end(&self, from: usize) -> usize {
        let rest = slice::text(self.text, from..);
        let ends = |c: char| c.is_whitespace() || c.is_control() || is_member(c, &AROUND);
        let length = rest.find(ends).unwrap_or(rest.len());
        count(length);
        from + length
    }

    /// Returns a broken link for a name without a registered top-level domain. `label` is the start of the
    /// label after a dot of that name.
    fn unregistered(&self, label: usize) -> Option<FoundLink> {
        if !self.extract.broken {
            return None;
        }
        let start = self.run_start(label);
        let run = self.run(start, start);
        let is_part = matches!(self.last(run.start), Some('@' | '/' | '\\'))
            || self.is_within_word(run.start);
        let is_local = self.byte(run.end) == Some(b'@');
        if is_part || is_local || !hosts::is_host(run.name(self.text)) {
            return None;
        }
        self.refuse(run.start, run.name_end, Broken::Unregistered)
    }

    /// Returns the link that begins with `mailto:`. Its address begins at `local`.
    fn mail_to(&mut self, start: usize, local: usize) -> Option<FoundLink> {
        let mut at = local;
        while let Some(c) = char_at(self.text, at).filter(|c| is_email(*c)) {
            at += c.len_utf8();
        }
        if self.byte(at) != Some(b'@') {
            let end = if at > local { at } else { start };
            return self.refuse(start, end, Broken::LocalPart);
        }
        let domain = self.run(start, at + 1);
        let name = domain.name(self.text);
        let is_local = is_local_part(self.slice(local, at));
        if !is_local || name.contains('_') || !hosts::is_host(name) {
            self.refuse_until(domain.end);
            let reason = if is_local { Broken::Host } else { Broken::LocalPart };
            return self.refuse(start, domain.name_end, reason);
        }
        let mut end = domain.name_end;
        // Header fields (RFC 6068, section 2), which have a name and a value.
        let has_query = self.byte(end) == Some(b'?');
        let name = if has_query { run_at(self.text, end + 1, &FIELD_NAME) } else { 0 };
        if name > 0 && self.byte(end + 1 + name) == Some(b'=') {
            let rules = EndRules::of(self.extract, self.text, start, true);
            end = rules.end(self.text, end, &mut self.open);
        }
        self.take(start, end, LinkKind::Iri)
    }
}

const fn is_broken((_, kind): &FoundLink) -> bool {
    matches!(kind, LinkKind::Broken(_))
}

/// Tells whether a character is a member of a set.
fn is_member(c: char, set: &AsciiSet) -> bool {
    u8::try_from(c).is_ok_and(|byte| byte.is_ascii() && set.contains(byte))
}

/// Tells whether a text without quotes may be a local part: dots are neither first nor last, and no two
/// dots are together.
fn is_local_part(local: &str) -> bool {
    !local.is_empty() && local.split('.').all(|atom| !atom.is_empty())
}
