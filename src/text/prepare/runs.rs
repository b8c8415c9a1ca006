//! The characters of a component by masks: a run of what is repaired alike is one piece of the result. Also the sinks
//! of these pieces.
//!
//! Not here: the components (`encode`), and characters that come from a character reference or from a text that a step has
//! put there (`annotated`).

/*
# The algorithm

`Units::encode_runs` does what `Units::step` and `needed` do character by character, for the bytes of the input of one
component. It reads 64 bytes at once, of which it treats 62, so that both digits after each `%` are in the block:

    masks      white space, `&`, `?` and `#`, `\`, `%`, hexadecimal digits, ASCII outside the component's set, bytes from 0x80
    special    the bytes that are not simple: white space that may be removed, `&` where character references are read,
               the `?` or `#` that ends the component, bytes from 0x80
    loop       the bytes before the next special byte
                   become triplets: outside the set, if the repair is allowed; `%` without two digits
                   become slashes: backslashes before `turn_until`
                   the sink gets the bytes and these masks
               a special byte
                   white space     the whole run of it is removed, or is treated as simple bytes
                   from 0x80       the whole run of such bytes: characters that stay, that become triplets or ASCII, and
                                   bytes that are not UTF-8
                   otherwise       the end: `encode` takes one step, and begins again

For example, in a path, with the repairs of browsers:

    input       a  |  %  4  1  %  \t b  é  &
    outside        |
    special                       \t    é         `&` is special only in HTML and XML
    simple      a  %7C %  4  1  %25               the digits after the second `%` are sought after the tab
    removed                       \t
    simple                           b
    from 0x80                           é

# Invariants

- Nothing is put before the bytes of a run and none is replaced because of its place (`Units::limit`), and `room`
  characters are in the component. So a byte is a character, a part of a character, or three characters of a triplet.
- The repairs are those of `step` and `needed`, in the same order: every character has at most one repair here.
  `tests/prepare.rs::a_run_is_repaired_as_its_characters` compares the two.
- Each turn of each loop passes a byte or ends it, and what is read ahead is white space that is passed at once, or two
  digits. So the time is linear.
*/

use alloc::string::String;
use core::ops::Range;

use super::annotated::{Units, narrow};
use super::encode::{foreign, wide};
use super::repair::{Record, RepairKind, Repairs};
use super::source::{Unit, first_char};
use crate::error::Component;
use crate::scan::{BLOCK, Block, Cpu, CpuLevel, Job, below, push_triplets, slice, triplet_text};
use crate::tables::{AsciiSet, HEXDIG};

/// Takes the result, piece by piece.
pub(super) trait Sink {
    /// Takes text that stands in the input at `start`.
    fn same(&mut self, text: &str, start: u32);

    /// Takes a piece that is in the place of `start..end` of the input.
    fn unit(&mut self, piece: &str, start: u32, end: u32);

    /// Takes at most 64 bytes that stand in the input at `start`: those of `encoded` become triplets, those of `turned`
    /// slashes. All other bytes are ASCII.
    fn block(&mut self, bytes: &[u8], encoded: u64, turned: u64, start: u32) {
        let mut at = 0;
        while at < bytes.len() {
            let kept = ((encoded | turned) >> at).trailing_zeros() as usize;
            let end = bytes.len().min(at + kept);
            if end > at {
                let text = core::str::from_utf8(slice::bytes(bytes, at..end));
                self.same(text.unwrap_or_default(), start + at as u32);
            }
            if let Some(byte) = bytes.get(end) {
                let is_turned = turned >> end & 1 == 1;
                let piece = if is_turned { "/" } else { triplet_text(*byte) };
                self.unit(piece, start + end as u32, start + end as u32 + 1);
            }
            at = end + 1;
        }
    }
}

/// The text of the result.
impl Sink for String {
    fn same(&mut self, text: &str, _: u32) {
        self.push_str(text);
    }

    fn unit(&mut self, piece: &str, _: u32, _: u32) {
        self.push_str(piece);
    }

    fn block(&mut self, bytes: &[u8], encoded: u64, turned: u64, _: u32) {
        if turned == 0 {
            push_triplets(bytes, encoded, self);
        } else {
            let mut slashes = [0; BLOCK];
            for ((to, from), at) in slashes.iter_mut().zip(bytes).zip(0..) {
                *to = if turned >> at & 1 == 1 { b'/' } else { *from };
            }
            push_triplets(slice::bytes(&slashes, ..bytes.len().min(BLOCK)), encoded, self);
        }
    }
}

/// The length of the result in bytes.
pub(super) struct Length(pub(super) usize);

impl Sink for Length {
    fn same(&mut self, text: &str, _: u32) {
        self.0 += text.len();
    }

    fn unit(&mut self, piece: &str, _: u32, _: u32) {
        self.0 += piece.len();
    }

    fn block(&mut self, bytes: &[u8], encoded: u64, _: u64, _: u32) {
        self.0 += expanded(bytes, encoded);
    }
}

/// Returns the length of bytes of which some are triplets.
const fn expanded(bytes: &[u8], encoded: u64) -> usize {
    bytes.len() + 2 * encoded.count_ones() as usize
}

/// The place in the input of a span of the result.
pub(super) struct Sought {
    pub(super) span: Range<usize>,
    /// The length of the result so far.
    pub(super) at: usize,
    pub(super) place: Range<usize>,
}

impl Sought {
    /// Tells whether a piece with this length is not in the span, and passes it if so.
    const fn passes(&mut self, length: usize) -> bool {
        let end = self.at + length;
        let is_apart = end <= self.span.start || self.at > self.span.start && self.at >= self.span.end;
        if is_apart {
            self.at = end;
        }
        is_apart
    }

    /// Takes the next character, which is in the place of `start..end` of the input.
    fn take(&mut self, c: char, start: usize, end: usize) {
        if self.at == self.span.start {
            self.place = start..start;
        }
        if self.span.contains(&self.at) {
            self.place.end = end;
        }
        self.at += c.len_utf8();
    }
}

impl Sink for Sought {
    fn same(&mut self, text: &str, start: u32) {
        if !self.passes(text.len()) {
            for (n, c) in text.char_indices() {
                let start = start as usize + n;
                self.take(c, start, start + c.len_utf8());
            }
        }
    }

    fn unit(&mut self, piece: &str, start: u32, end: u32) {
        if !self.passes(piece.len()) {
            piece.chars().for_each(|c| self.take(c, start as usize, end as usize));
        }
    }

    fn block(&mut self, bytes: &[u8], encoded: u64, turned: u64, start: u32) {
        if !self.passes(expanded(bytes, encoded)) {
            Split(self).block(bytes, encoded, turned, start);
        }
    }
}

/// A sink that takes a block piece by piece.
struct Split<'s, S>(&'s mut S);

impl<S: Sink> Sink for Split<'_, S> {
    fn same(&mut self, text: &str, start: u32) {
        self.0.same(text, start);
    }

    fn unit(&mut self, piece: &str, start: u32, end: u32) {
        self.0.unit(piece, start, end);
    }
}

/// What a block asks of its kernel.
#[derive(Clone, Copy)]
struct Masks {
    breaks: u64,
    spaces: u64,
    ampersands: u64,
    questions: u64,
    numbers: u64,
    backslashes: u64,
    percents: u64,
    digits: u64,
    /// ASCII outside the set of the component, and not `%`.
    foreign: u64,
    high: u64,
}

/// A job that computes the masks of the first block of its text.
struct FindMasks<'a>(&'a AsciiSet);

const BREAKS: AsciiSet = AsciiSet::of(b"\r\n\t");
const SPACE: AsciiSet = AsciiSet::just(b' ');
const AMPERSAND: AsciiSet = AsciiSet::just(b'&');
const QUESTION: AsciiSet = AsciiSet::just(b'?');
const NUMBER: AsciiSet = AsciiSet::just(b'#');
const BACKSLASH: AsciiSet = AsciiSet::just(b'\\');
const PERCENT: AsciiSet = AsciiSet::just(b'%');

impl Job for FindMasks<'_> {
    type Output = Masks;

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, text: &[u8]) -> Masks {
        let block = simd.load(text, 0);
        let percents = block.ascii(&PERCENT);
        Masks {
            breaks: block.ascii(&BREAKS),
            spaces: block.ascii(&SPACE),
            ampersands: block.ascii(&AMPERSAND),
            questions: block.ascii(&QUESTION),
            numbers: block.ascii(&NUMBER),
            backslashes: block.ascii(&BACKSLASH),
            percents,
            digits: block.ascii(&HEXDIG),
            foreign: block.foreign(self.0) & !percents,
            high: block.non_ascii(),
        }
    }
}

/// Returns the kinds of repair by which ASCII of a component becomes triplets, other than `%`.
const fn encoding(component: Component) -> Repairs {
    use RepairKind::{Bracket, Control, InHost, NotAllowed, SecondAt, SecondHash, Space};
    match component {
        Component::Host => Repairs::of(&[InHost]),
        Component::Userinfo => Repairs::of(&[SecondAt, Bracket, Space, Control, NotAllowed]),
        Component::Fragment => Repairs::of(&[SecondHash, Bracket, Space, Control, NotAllowed]),
        _ => Repairs::of(&[Bracket, Space, Control, NotAllowed]),
    }
}

/// The part of a block before the next special byte.
struct Simple<'a> {
    bytes: &'a [u8],
    start: u32,
    /// The masks of these bytes alone.
    foreign: u64,
    turned: u64,
    stray: u64,
}

/// What a run of special bytes was.
enum Special {
    /// They are done: so many characters, and the offset after them.
    Done(usize, u32),
    /// The next character is not for this file.
    Step,
}

impl Units<'_> {
    /// Tells whether the next two characters are hexadecimal digits.
    pub(super) fn begin_with_digits(&self) -> bool {
        let is_hex = |unit: Unit| u8::try_from(unit.c).is_ok_and(|digit| HEXDIG.contains(digit));
        let mut rest = self.clone();
        (0..2).all(|_| rest.next().is_some_and(is_hex))
    }

    /// Returns the offset after the white space at `start` that is certainly removed, or `None` if it is not certain what
    /// comes after `start`.
    fn after_white(&self, start: u32) -> Option<u32> {
        let joins = self.joins();
        if joins || self.source.references().is_some() || start < self.annotated.narrow_until {
            return None;
        }
        let mut rest = self.source.clone();
        rest.begin_at(start);
        let rest = rest.rest();
        let count = rest.iter().take_while(|byte| self.is_removed(**byte)).count();
        Some(start + count as u32)
    }

    /// Tells whether two hexadecimal digits come after the offset `start`, at which the next character begins.
    fn has_digits(&self, mut start: u32) -> bool {
        for _ in 0..2 {
            let Some(at) = self.after_white(start) else {
                let mut ahead = self.clone();
                ahead.source.begin_at(start);
                return ahead.begin_with_digits();
            };
            let mut rest = self.source.clone();
            rest.begin_at(at);
            if !rest.rest().first().is_some_and(|byte| HEXDIG.contains(*byte)) {
                return false;
            }
            start = at + 1;
        }
        true
    }

    /// Tells whether spaces around a line break are removed with it.
    const fn joins(&self) -> bool {
        let allowed = self.annotated.allowed;
        allowed.contains(RepairKind::Wrapper) && allowed.contains(RepairKind::LineBreak)
    }

    /// Tells whether white space with this byte is removed wherever it is.
    const fn is_removed(&self, byte: u8) -> bool {
        let allowed = self.annotated.allowed;
        match byte {
            b' ' => allowed.contains(RepairKind::SpaceRemoved),
            b'\r' | b'\n' | b'\t' => allowed.contains(RepairKind::LineBreak),
            _ => false,
        }
    }

    /// Encodes the next characters, which are in this component, until one needs a [`step`](Self::step), but at most
    /// `room` characters. Returns their number.
    pub(super) fn encode_runs<S: Sink>(
        &mut self,
        component: Component,
        set: &AsciiSet,
        room: usize,
        record: &mut Record,
        sink: &mut S,
    ) -> usize {
        let annotated = self.annotated;
        let is_script = annotated.is_script();
        let allowed = if is_script { Repairs::of(&[]) } else { annotated.allowed };
        let may_remove = |kind| !is_script && annotated.allowed.contains(kind);
        let has_references = self.source.references().is_some();
        let joins = self.joins() && !is_script;
        let mut count = 0;
        loop {
            let start = self.source.start();
            let turns = start < annotated.turn_until;
            let limit = self.limit();
            let limit = if turns { limit.min(annotated.turn_until) } else { limit };
            let length = self.source.rest_until(limit).len();
            if length == 0 || count >= room {
                return count;
            }
            let rest = self.source.rest();
            let masks = CpuLevel::best().run_wide_on(FindMasks(set), rest);
            // Both digits after each `%` are in the block.
            let usable = length.min(if rest.len() > BLOCK { BLOCK - 2 } else { BLOCK });
            let removed = if may_remove(RepairKind::LineBreak) { masks.breaks } else { 0 }
                | if may_remove(RepairKind::SpaceRemoved) || joins { masks.spaces } else { 0 };
            let ampersands = if has_references { masks.ampersands } else { 0 };
            let delimiters = match component {
                Component::Path => masks.questions | masks.numbers,
                Component::Query => masks.numbers,
                _ => 0,
            };
            let special = removed | ampersands | delimiters | masks.high;
            let turned = if turns { masks.backslashes } else { 0 };
            // A `%` whose digits are not simply the next bytes.
            let unclear = removed | ampersands | masks.high;
            let mut stray = masks.percents & !(masks.digits >> 1 & masks.digits >> 2);
            if !allowed.contains(RepairKind::StrayPercent) {
                stray = 0;
            }
            let mut unclear = stray & (unclear >> 1 | masks.digits >> 1 & unclear >> 2) & below(usable);
            while unclear != 0 {
                let at = unclear.trailing_zeros();
                if self.has_digits(start + at + 1) {
                    stray &= !(1 << at);
                }
                unclear &= unclear - 1;
            }
            let mut at = 0;
            while at < usable && count < room {
                let before = (special >> at).trailing_zeros() as usize;
                let length = before.min(usable - at).min(room - count);
                if length > 0 {
                    let window = |mask: u64| mask >> at & below(length);
                    let simple = Simple {
                        bytes: slice::bytes(rest, at..at + length),
                        start: start + at as u32,
                        foreign: window(masks.foreign & !turned),
                        turned: window(turned),
                        stray: window(stray),
                    };
                    simple.encode(component, allowed, record, sink);
                    count += length;
                    at += length;
                    self.source.begin_at(start + at as u32);
                    continue;
                }
                let byte = rest.get(at).copied().unwrap_or_default();
                let done = if byte.is_ascii() {
                    self.white(component, allowed, room - count, record, sink)
                } else {
                    self.high(component, allowed, room - count, record, sink)
                };
                let Special::Done(more, end) = done else { return count };
                count += more;
                at = (end - start) as usize;
                self.source.begin_at(end);
            }
        }
    }

    /// Removes or encodes a run of white space. The next byte is special.
    fn white<S: Sink>(
        &mut self,
        component: Component,
        allowed: Repairs,
        room: usize,
        record: &mut Record,
        sink: &mut S,
    ) -> Special {
        let (start, limit) = (self.source.start(), self.limit());
        let rest = self.source.rest_until(limit);
        if !self.joins() {
            let removed = rest.iter().take_while(|byte| self.is_removed(**byte));
            let mut end = start;
            for byte in removed {
                let kind = match byte {
                    b' ' => RepairKind::SpaceRemoved,
                    _ => RepairKind::LineBreak,
                };
                record.push(kind, end, end + 1);
                end += 1;
            }
            return if end > start { Special::Done(0, end) } else { Special::Step };
        }
        // A character reference may continue the run.
        if self.source.references().is_some() {
            return Special::Step;
        }
        if start >= self.run_end {
            let is_white = |byte: &&u8| matches!(byte, b' ' | b'\r' | b'\n' | b'\t');
            let all = self.source.rest();
            let length = all.iter().take_while(is_white).count();
            if length == 0 {
                return Special::Step;
            }
            self.run_end = start + length as u32;
            let run = slice::bytes(all, ..length);
            self.is_run_dropped = memchr::memchr3(b'\r', b'\n', b'\t', run).is_some();
            if self.is_run_dropped {
                record.push(RepairKind::LineBreak, start, self.run_end);
            }
        }
        let end = self.run_end.min(limit);
        if self.is_run_dropped {
            return Special::Done(0, end);
        }
        if self.is_removed(b' ') {
            for at in start..end {
                record.push(RepairKind::SpaceRemoved, at, at + 1);
            }
            return Special::Done(0, end);
        }
        let spaces = slice::bytes(rest, ..((end - start) as usize).min(room));
        for (block, at) in spaces.chunks(BLOCK).zip((start..).step_by(BLOCK)) {
            let foreign = below(block.len());
            let simple = Simple { bytes: block, start: at, foreign, turned: 0, stray: 0 };
            simple.encode(component, allowed, record, sink);
        }
        Special::Done(spaces.len(), start + spaces.len() as u32)
    }

    /// Encodes a run of bytes from 0x80 up. The next byte is special.
    fn high<S: Sink>(
        &self,
        component: Component,
        allowed: Repairs,
        room: usize,
        record: &mut Record,
        sink: &mut S,
    ) -> Special {
        let (start, narrow_until) = (self.source.start(), self.annotated.narrow_until);
        let all = self.source.rest_until(self.limit());
        let (mut at, mut kept, mut count) = (0, 0, 0);
        let keep = |sink: &mut S, range: Range<usize>| {
            if !range.is_empty() {
                let text = core::str::from_utf8(slice::bytes(all, range.clone()));
                sink.same(text.unwrap_or_default(), start + range.start as u32);
            }
        };
        while count < room {
            let rest = slice::bytes(all, at..);
            let Some(byte) = rest.first().filter(|byte| !byte.is_ascii()) else { break };
            let place = start + at as u32;
            let Some(c) = first_char(rest) else {
                keep(sink, kept..at);
                record.push(RepairKind::IllFormed, place, place + 1);
                sink.unit(triplet_text(*byte), place, place + 1);
                (at, count) = (at + 1, count + 3);
                kept = at;
                continue;
            };
            let length = c.len_utf8();
            let ascii = if place < narrow_until { narrow(c) } else { c };
            if ascii != c {
                keep(sink, kept..at);
                kept = at;
                if !ascii.is_ascii_alphanumeric() && ascii != '.' {
                    break;
                }
                record.push(RepairKind::FullWidth, place, place + length as u32);
                sink.unit(ascii.encode_utf8(&mut [0; 4]), place, place + length as u32);
                kept += length;
            } else if let Some(kind) = wide(c, component).filter(|kind| allowed.contains(*kind)) {
                keep(sink, kept..at);
                let end = place + length as u32;
                record.push(kind, place, end);
                for octet in c.encode_utf8(&mut [0; 4]).bytes() {
                    sink.unit(triplet_text(octet), place, end);
                }
                kept = at + length;
            }
            (at, count) = (at + length, count + 1);
        }
        keep(sink, kept..at);
        if at == 0 { Special::Step } else { Special::Done(count, start + at as u32) }
    }
}

impl Simple<'_> {
    /// Records the repairs, and gives the bytes to a sink.
    #[inline]
    fn encode<S: Sink>(
        mut self,
        component: Component,
        allowed: Repairs,
        record: &mut Record,
        sink: &mut S,
    ) {
        if self.foreign | self.turned | self.stray == 0 {
            let text = core::str::from_utf8(self.bytes).unwrap_or_default();
            return sink.same(text, self.start);
        }
        let changed = self.foreign | self.turned | self.stray;
        if record.counts_only() && allowed.contains_all(encoding(component)) && component != Component::Host {
            record.count(changed.count_ones() as usize);
        } else {
            let mut rest = changed;
            while rest != 0 {
                let at = rest.trailing_zeros();
                rest &= rest - 1;
                let is = |mask: u64| mask >> at & 1 == 1;
                let byte = self.bytes.get(at as usize).copied().unwrap_or_default();
                let kind = match byte {
                    _ if is(self.turned) => Some(RepairKind::Backslash),
                    _ if is(self.stray) => Some(RepairKind::StrayPercent),
                    _ => foreign(byte, component).filter(|kind| allowed.contains(*kind)),
                };
                match kind {
                    Some(kind) => record.push(kind, self.start + at, self.start + at + 1),
                    None => self.foreign &= !(1 << at),
                }
            }
        }
        sink.block(self.bytes, self.foreign | self.stray, self.turned, self.start);
    }
}
