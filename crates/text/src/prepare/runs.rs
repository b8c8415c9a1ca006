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
    wide       of each character outside ASCII: whether it stays, becomes triplets, is not UTF-8, or becomes ASCII
    special    the bytes that no mask describes: white space where a whole run is removed or stays, `&` where character
               references are read, the `?` or `#` that ends the component, a character that becomes ASCII
    loop       the bytes before the next special byte: the sink gets them and these masks
                   encoded: outside the set, if the repair is allowed; `%` without two digits; of `wide`
                   turned: backslashes before `turn_until` become slashes
                   removed: white space
               a special byte
                   white space     the whole run of it is removed, or is encoded
                   becomes ASCII   its ASCII is the piece, as far as it is not `%` or a delimiter
                   otherwise       the end: `encode` takes one step, and begins again

For example, in a path, with the repairs of browsers:

    input      a  |  %  4  1  %  \t b  é  \  &
    foreign       |
    removed                      \t
    stray                     %                   the digits after the second `%` are sought after the tab
    turned                                \
    result     a %7C %  4  1 %25    b  é  /  &    `&` is special only in HTML and XML

# Invariants

- Nothing is put before the bytes of a run and none is replaced because of its place (`Units::limit`), and `room`
  characters are in the component. So a byte is a character, a part of a character, or three characters of a triplet.
- The repairs are those of `step` and `needed`, in the same order: every character has at most one repair here.
- Each turn of each loop passes a byte or ends it, and what is read ahead is white space that is passed at once, or two
  digits. So the time is linear.
*/

use alloc::string::String;
use core::ops::Range;

use super::annotated::{Units, narrow as narrowed};
use super::needed::{allows_private, foreign, wide as needed_wide};
use super::repair::{Record, RepairKind, Repairs};
use super::source::{SourceUnit, first_char};
use simd_iri::low::{
    AsciiSet, At, BLOCK, Block, Characters, Cpu, HEXDIG, HighSet, Job, LEADS, below, private,
    push_triplets, refined, slice, triplet_text,
};
use simd_iri::{Component, parser::CpuLevel};

/// Takes the result, piece by piece.
pub(super) trait Sink {
    /// Takes text that stands in the input at `start`.
    fn same(&mut self, text: &str, start: u32);

    /// Takes a piece that is in the place of `start..end` of the input.
    fn unit(&mut self, piece: &str, start: u32, end: u32);

    /// Takes a block.
    fn block(&mut self, block: EncodedMasks<'_>) {
        block.split(self);
    }
}

/// At most 64 bytes of the input with masks of what happens to them. A byte is in one mask at most. All other bytes stay.
#[derive(Clone, Copy)]
pub(super) struct EncodedMasks<'a> {
    bytes: &'a [u8],
    /// The offset in the input.
    start: u32,
    /// The bytes that become triplets. In a host, no ASCII is among them if the repair of a host is not allowed.
    encoded: u64,
    /// The bytes that become slashes.
    turned: u64,
    /// The bytes that are removed; and those of them that are runs of white space with a line break.
    removed: u64,
    joined: u64,
    /// The bytes from 0x80.
    high: u64,
}

impl EncodedMasks<'_> {
    /// Returns the length of the result.
    const fn length(self) -> usize {
        let (triplets, removed) = (self.encoded.count_ones(), self.removed.count_ones());
        self.bytes.len() + 2 * triplets as usize - removed as usize
    }

    /// Gives the block to a sink piece by piece.
    fn split<S: Sink + ?Sized>(self, sink: &mut S) {
        let changed = self.encoded | self.turned | self.removed;
        let mut at = 0;
        while at < self.bytes.len() {
            let kept = (changed >> at).trailing_zeros() as usize;
            let end = self.bytes.len().min(at + kept);
            if end > at {
                let text = core::str::from_utf8(slice::bytes(self.bytes, at..end));
                sink.same(text.unwrap_or_default(), self.start + at as u32);
            }
            let Some(byte) = self.bytes.get(end) else { break };
            let is = |mask: u64| mask >> end & 1 == 1;
            let length = match first_char(slice::bytes(self.bytes, end..)) {
                Some(c) => c.len_utf8(),
                None => 1,
            };
            let place = self.start + end as u32;
            if is(self.turned) {
                sink.unit("/", place, place + 1);
            } else if byte.is_ascii() && is(self.encoded) {
                sink.unit(triplet_text(*byte), place, place + 1);
            } else if is(self.encoded) {
                for octet in slice::bytes(self.bytes, end..end + length) {
                    sink.unit(triplet_text(*octet), place, place + length as u32);
                }
            }
            at = end + length;
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

    fn block(&mut self, block: EncodedMasks<'_>) {
        let EncodedMasks { bytes, encoded, turned, removed, high, .. } = block;
        if high & !encoded != 0 {
            block.split(self);
        } else if turned | removed == 0 {
            push_triplets(bytes, encoded, self);
        } else {
            let (mut left, mut asked, mut length) = ([0; BLOCK], 0, 0);
            for (byte, at) in bytes.iter().zip(0..BLOCK) {
                let is = |mask: u64| mask >> at & 1;
                // A byte that is removed is overwritten by the next byte.
                if let Some(to) = left.get_mut(length) {
                    *to = if is(turned) == 1 { b'/' } else { *byte };
                }
                asked |= is(encoded) << length;
                length += (is(removed) ^ 1) as usize;
            }
            push_triplets(slice::bytes(&left, ..length), asked, self);
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

    fn block(&mut self, block: EncodedMasks<'_>) {
        self.0 += block.length();
    }
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
        let is_apart =
            end <= self.span.start || self.at > self.span.start && self.at >= self.span.end;
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

    fn block(&mut self, block: EncodedMasks<'_>) {
        if !self.passes(block.length()) {
            block.split(self);
        }
    }
}

/// What a block asks of its kernel.
#[derive(Clone, Copy)]
struct RunMasks {
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
struct FindRunMasks<'a>(&'a AsciiSet);

/// What a block with bytes from 0x80 asks of its kernel.
#[derive(Clone, Copy)]
struct WideMasks {
    characters: Characters,
    /// The bytes with which full-width ASCII begins.
    narrowed: u64,
    /// The bytes with which private-use characters begin, and those with which other characters that are not allowed may
    /// begin.
    private: u64,
    leads: u64,
}

/// A job that computes the masks of characters outside ASCII of the first block of its text.
struct FindWide;

impl Job for FindWide {
    type Output = WideMasks;

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, text: &[u8]) -> WideMasks {
        let block = simd.load(text, 0);
        let after = At { simd, text, at: 0 };
        let private = private(block, after);
        WideMasks {
            characters: Characters::of(block),
            narrowed: wide_firsts(block),
            private,
            leads: refined(block, block.high(&LEADS), after) & !private,
        }
    }
}

pub(super) const SPACE: AsciiSet = AsciiSet::just(b' ');
pub(super) const AMPERSAND: AsciiSet = AsciiSet::just(b'&');
const QUESTION: AsciiSet = AsciiSet::just(b'?');
const NUMBER: AsciiSet = AsciiSet::just(b'#');
const BACKSLASH: AsciiSet = AsciiSet::just(b'\\');
const PERCENT: AsciiSet = AsciiSet::just(b'%');

impl Job for FindRunMasks<'_> {
    type Output = RunMasks;

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, text: &[u8]) -> RunMasks {
        let block = simd.load(text, 0);
        let percents = block.ascii(&PERCENT);
        RunMasks {
            breaks: block.ascii(&AsciiSet::BREAKS),
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

/// The first bytes of full-width ASCII and of the ideographic full stop, and their second bytes.
const WIDE: [HighSet; 2] = [HighSet::of(&[0xE3, 0xEF]), HighSet::of(&[0x80, 0xBC, 0xBD])];

/// Returns the bytes of a block with which full-width ASCII and the ideographic full stop begin, and other characters.
#[inline(always)]
pub(super) fn wide_firsts<B: Block>(block: B) -> u64 {
    let [firsts, seconds] = &WIDE;
    block.high(firsts) & block.high(seconds) >> 1
}

/// The kinds of repair by which ASCII outside a host becomes triplets, other than `%`.
const ENCODING: Repairs = Repairs::of(&[
    RepairKind::SecondAt,
    RepairKind::SecondHash,
    RepairKind::Bracket,
    RepairKind::Space,
    RepairKind::Control,
    RepairKind::NotAllowed,
]);

/// The kinds of repair that depend on the component of a character.
pub(super) const IN_COMPONENT: Repairs = ENCODING.or(Repairs::of(&[
    RepairKind::StrayPercent,
    RepairKind::Replacement,
    RepairKind::NotUcschar,
    RepairKind::InHost,
]));

/// The characters outside ASCII in a block.
#[derive(Clone, Copy)]
struct Outside {
    /// The bytes that become triplets; and those that are not UTF-8, which are among them.
    encoded: u64,
    ill_formed: u64,
    /// The bytes of characters other than their first.
    inner: u64,
    /// The first bytes of the characters that become ASCII. The other masks do not have these characters.
    narrowed: u64,
}

/// The length in UTF-8 of each character that becomes ASCII: U+3002 and U+FF01 to U+FF5E.
const FULL_WIDTH: usize = 3;

/// Returns the ASCII that the full-width character at the start of `bytes` becomes; `None` for another character.
fn full_width(bytes: &[u8]) -> Option<u8> {
    let c = first_char(bytes)?;
    let ascii = narrowed(c);
    u8::try_from(ascii).ok().filter(|_| ascii != c)
}

/// Tells whether this ASCII, if it comes from a full-width character, needs a [`step`](Units::step): what follows `%`
/// matters, and the others may be delimiters.
fn needs_step(ascii: u8) -> bool {
    b"%\\/?#".contains(&ascii)
}

/// Returns the number of bytes at the start of `bytes` that are white space.
fn white_length(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| matches!(byte, b' ' | b'\r' | b'\n' | b'\t')).count()
}

/// Tells whether white space has a line break or a tab.
fn has_break(white: &[u8]) -> bool {
    white.iter().any(|byte| *byte != b' ')
}

/// What happens to the white space of a block.
#[derive(Clone, Copy, Default)]
pub(super) struct White {
    /// What is removed.
    pub(super) removed: u64,
    /// The runs with a line break among it, each of which is removed as a whole.
    pub(super) joined: u64,
    /// The runs of which other bytes than those of the block decide.
    pub(super) undecided: u64,
}

/// Returns the runs of `mask` that have a bit of `seeds`.
///
/// ```text
/// mask     .111..11.1
/// seeds    ..1......1
/// result   .111.....1
/// ```
const fn runs_with(seeds: u64, mask: u64) -> u64 {
    let (mut up, mut above) = (seeds & mask, mask);
    let (mut down, mut below) = (seeds & mask, mask);
    let mut shift = 1;
    while shift < BLOCK {
        up |= above & up << shift;
        above &= above << shift;
        down |= below & down >> shift;
        below &= below >> shift;
        shift *= 2;
    }
    up | down
}

/// The block that comes next, before its characters outside ASCII and its percent signs are decided.
struct Ahead<'a> {
    component: Component,
    allowed: Repairs,
    /// The input from the block on, and the offset of the block.
    rest: &'a [u8],
    start: u32,
    /// How many bytes of the block can be decided.
    usable: usize,
    /// Whether full-width ASCII becomes ASCII.
    is_narrow: bool,
    /// The bytes from 0x80, and hexadecimal digits.
    high: u64,
    digits: u64,
    wide: Option<WideMasks>,
    white: White,
    /// The ampersands that may begin character references.
    ampersands: u64,
    /// The bytes that no mask describes.
    special: u64,
    /// The backslashes that become slashes.
    turned: u64,
    /// ASCII that becomes triplets.
    foreign: u64,
    /// The percent signs whose digits are not the next bytes.
    stray: u64,
}

impl Ahead<'_> {
    /// Tells whether nothing happens to the bytes of the block, and they are in ASCII.
    const fn is_plain(&self) -> bool {
        let changed = self.turned | self.foreign | self.white.removed | self.stray;
        (self.special | changed | self.high) & below(self.usable) == 0
    }
}

/// What happens to the bytes of a block.
struct Changes<'a> {
    ahead: Ahead<'a>,
    /// The bytes that become triplets.
    encoded: u64,
    outside: Outside,
}

impl Changes<'_> {
    /// Returns the largest number of bytes from `at` on, at most `most`, whose result is at most `room` characters; and
    /// how many characters that result counts as.
    fn fitting(&self, at: usize, most: usize, room: usize) -> (usize, usize) {
        let kept = !self.ahead.white.removed & !self.outside.inner;
        let characters = |length| {
            let count = |mask: u64| (mask >> at & below(length)).count_ones() as usize;
            count(kept) + 2 * count(self.outside.ill_formed)
        };
        let mut length = most;
        while characters(length) > room {
            length -= 1;
        }
        (length, characters(length))
    }

    /// Returns the `length` bytes from `at` on with their masks.
    fn masks(&self, at: usize, length: usize) -> EncodedMasks<'_> {
        let Ahead { rest, start, white, turned, high, .. } = self.ahead;
        let window = |mask: u64| mask >> at & below(length);
        EncodedMasks {
            bytes: slice::bytes(rest, at..at + length),
            start: start + at as u32,
            encoded: window(self.encoded),
            turned: window(turned),
            removed: window(white.removed),
            joined: window(white.joined),
            high: window(high),
        }
    }

    /// Returns which of the `length` bytes from `at` on continue a repair: those of a character, and of a run of white
    /// space.
    const fn inner(&self, at: usize, length: usize) -> u64 {
        let joined = self.ahead.white.joined;
        (self.outside.inner | joined & joined << 1) >> at & below(length)
    }
}

/// What a run of special bytes was.
pub(super) enum Special {
    /// They are done: so many characters, and the offset after them.
    Done(usize, u32),
    /// The next character is not for this file.
    Step,
}

impl<'d> Units<'d> {
    /// Tells whether the next `count` characters are hexadecimal digits.
    pub(super) fn begin_with_digits(&self, count: usize) -> bool {
        let is_hex =
            |unit: SourceUnit| u8::try_from(unit.c).is_ok_and(|digit| HEXDIG.contains(digit));
        let mut rest = self.clone();
        (0..count).all(|_| rest.next().is_some_and(is_hex))
    }

    /// Returns the bytes from the offset `start` on.
    fn bytes_from(&self, start: u32) -> &[u8] {
        slice::bytes(self.source.rest(), (start - self.source.start()) as usize..)
    }

    /// Returns the offset after the white space at `start` that is removed. Returns `None` if the byte there is not a
    /// character of its own.
    fn after_white(&self, start: u32) -> Option<u32> {
        let rest = self.bytes_from(start);
        let white = white_length(rest);
        let (run, next) =
            (slice::bytes(rest, ..white), rest.get(white).copied().unwrap_or_default());
        let end = start + white as u32;
        let is_reference = next == b'&' && self.source.references().is_some();
        if is_reference || !next.is_ascii() && end < self.annotated.narrow_until {
            return None;
        }
        let is_run_removed = self.joins() && has_break(run);
        let removed = run.iter().take_while(|byte| is_run_removed || self.is_removed(**byte));
        Some(start + removed.count() as u32)
    }

    /// Tells whether two hexadecimal digits come after the offset `start`, at which the next character begins.
    fn has_digits(&self, mut start: u32) -> bool {
        for missing in [2, 1] {
            let Some(at) = self.after_white(start) else {
                let mut ahead = self.clone();
                ahead.source.begin_at(start);
                return ahead.begin_with_digits(missing);
            };
            if !self.bytes_from(at).first().is_some_and(|byte| HEXDIG.contains(*byte)) {
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

    /// Finds out what happens to the white space among the `usable` bytes that come next. `ampersands` may begin character
    /// references.
    pub(super) fn white_of(
        &self,
        breaks: u64,
        spaces: u64,
        ampersands: u64,
        usable: usize,
    ) -> White {
        let allowed = self.annotated.allowed;
        let if_allowed = |kind, mask| if allowed.contains(kind) { mask } else { 0 };
        let all = breaks | spaces;
        if all == 0 || !self.joins() {
            let removed = if_allowed(RepairKind::LineBreak, breaks)
                | if_allowed(RepairKind::SpaceRemoved, spaces);
            return White { removed, ..White::default() };
        }
        let white = all & below(usable);
        let mut seeds = ampersands >> 1;
        if self.source.rest().len() > usable {
            seeds |= 1 << (usable - 1);
        }
        if self.source.start() < self.run_end {
            seeds |= 1;
        }
        let undecided = if seeds & white == 0 { 0 } else { runs_with(seeds, white) };
        let joined = if breaks == 0 { 0 } else { runs_with(breaks, white) & !undecided };
        let removed = joined | if_allowed(RepairKind::SpaceRemoved, white & !(joined | undecided));
        White { removed, joined, undecided: undecided | all & !below(usable) }
    }

    /// Appends the white space that comes next, as far as it stays. Returns false if it needs a [`step`](Self::step).
    pub(super) fn push_white(&mut self, out: &mut String) -> bool {
        let (start, rest) = (self.source.start(), self.source.rest());
        let length = white_length(rest);
        let is_reference = rest.get(length) == Some(&b'&') && self.source.references().is_some();
        if is_reference
            || start < self.run_end
            || length == 0
            || length > self.source.rest_until(self.limit()).len()
        {
            return false;
        }
        let run = slice::bytes(rest, ..length);
        let is_run_removed = self.joins() && has_break(run);
        let left = run.iter().filter(|byte| !is_run_removed && !self.is_removed(**byte));
        out.extend(left.map(|byte| char::from(*byte)));
        self.source.begin_at(start + length as u32);
        true
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
    /// `room` characters. `allowed` are the repairs that are allowed there. Returns the number of the characters.
    pub(super) fn encode_runs<S: Sink>(
        &mut self,
        component: Component,
        set: &AsciiSet,
        room: usize,
        allowed: Repairs,
        record: &mut Record,
        sink: &mut S,
    ) -> usize {
        let is_script = self.annotated.is_script();
        let allowed = if is_script { Repairs::of(&[]) } else { allowed };
        let mut count = 0;
        while count < room {
            let Some(ahead) = self.ahead(component, set, allowed) else { break };
            if ahead.is_plain() {
                // Nothing changes here, and so perhaps in what follows.
                let (run, start) = self.run();
                if !run.is_empty() {
                    sink.same(core::str::from_utf8(run).unwrap_or_default(), start);
                    count += run.len();
                    continue;
                }
            }
            let block = self.changes(ahead);
            let (more, is_done) = self.encode_block(block, set, room - count, record, sink);
            count += more;
            if !is_done {
                break;
            }
        }
        count
    }

    /// Looks at the block that comes next. Returns `None` if there is none, or if it begins with a character that needs
    /// a [`step`](Self::step).
    // Inlined, like `changes`. Measured: `docs/performance/notes.md`, "Repairs".
    #[inline(always)]
    fn ahead(&self, component: Component, set: &AsciiSet, allowed: Repairs) -> Option<Ahead<'d>> {
        let annotated = self.annotated;
        let start = self.source.start();
        let (turns, is_narrow) = (start < annotated.turn_until, start < annotated.narrow_until);
        let limit = self.limit();
        let limit = if turns { limit.min(annotated.turn_until) } else { limit };
        let length = self.source.rest_until(limit).len();
        let rest = self.source.rest();
        // The next step is for this character alone, and needs no masks.
        if length == 0 || is_narrow && full_width(rest).is_some_and(needs_step) {
            return None;
        }
        let masks = CpuLevel::best().run_wide_on(FindRunMasks(set), rest);
        let wide = (masks.high != 0).then(|| CpuLevel::best().run_wide_on(FindWide, rest));
        // Both digits after each `%` are in the block.
        let is_cut = rest.len() > BLOCK && length >= Characters::CERTAIN;
        let certain = wide.map_or(Characters::CERTAIN, |wide| wide.characters.certain());
        let usable = if is_cut { certain } else { length.min(BLOCK) };
        let has_references = self.source.references().is_some();
        let ampersands = if has_references { masks.ampersands } else { 0 };
        let white = if annotated.is_script() || masks.breaks | masks.spaces == 0 {
            White::default()
        } else {
            self.white_of(masks.breaks, masks.spaces, ampersands, usable)
        };
        let delimiters = match component {
            Component::Path => masks.questions | masks.numbers,
            Component::Query => masks.numbers,
            _ => 0,
        };
        let special = white.undecided | ampersands | delimiters;
        let turned = if turns { masks.backslashes } else { 0 };
        let is_kept = component == Component::Host && !allowed.contains(RepairKind::InHost);
        let foreign = masks.foreign & !(special | turned | white.removed);
        let without_digits = masks.percents & !(masks.digits >> 1 & masks.digits >> 2);
        Some(Ahead {
            component,
            allowed,
            rest,
            start,
            usable,
            is_narrow,
            high: masks.high,
            digits: masks.digits,
            wide,
            white,
            ampersands,
            special,
            turned,
            foreign: if is_kept { 0 } else { foreign },
            stray: if allowed.contains(RepairKind::StrayPercent) { without_digits } else { 0 },
        })
    }

    /// Decides what happens to each byte of a block.
    #[inline(always)]
    fn changes(&self, mut ahead: Ahead<'d>) -> Changes<'d> {
        let outside = match &ahead.wide {
            Some(wide) => self.wide(ahead.rest, wide, ahead.usable, ahead.component, ahead.allowed),
            None => Outside { encoded: 0, ill_formed: 0, inner: 0, narrowed: 0 },
        };
        let encoded = ahead.foreign | self.stray(&ahead) | outside.encoded;
        ahead.special |= outside.narrowed;
        Changes { ahead, encoded, outside }
    }

    /// Returns the percent signs of a block that have no digits, whether the digits are the next bytes or not.
    fn stray(&self, ahead: &Ahead<'_>) -> u64 {
        let &Ahead { rest, digits, usable, white, ampersands, mut stray, .. } = ahead;
        // The bytes of which others than those of the block decide.
        let unclear = white.undecided | ampersands | if ahead.is_narrow { ahead.high } else { 0 };
        let after = white.removed | unclear;
        let mut doubtful = stray & (after >> 1 | digits >> 1 & after >> 2) & below(usable);
        while doubtful != 0 {
            let at = doubtful.trailing_zeros();
            doubtful &= doubtful - 1;
            let left = !white.removed & !below(at as usize + 1);
            let others = left & left.wrapping_sub(1);
            let next = left & left.wrapping_neg() | others & others.wrapping_neg();
            // The bytes of the block that are left decide, if they are certain.
            let has_digits = if unclear == 0 && (others != 0 || rest.len() <= BLOCK) {
                next.count_ones() == 2 && digits & next == next
            } else {
                self.has_digits(ahead.start + at + 1)
            };
            if has_digits {
                stray &= !(1 << at);
            }
        }
        stray
    }

    /// Encodes the characters of a block, but at most `room` characters. Returns their number, and false if the next
    /// character needs a [`step`](Self::step) or there is no room for it.
    fn encode_block<S: Sink>(
        &mut self,
        mut block: Changes<'_>,
        set: &AsciiSet,
        room: usize,
        record: &mut Record,
        sink: &mut S,
    ) -> (usize, bool) {
        let Ahead { component, allowed, rest, start, usable, ampersands, .. } = block.ahead;
        let (mut at, mut count) = (0, 0);
        while at < usable && count < room {
            let before = (block.ahead.special >> at).trailing_zeros() as usize;
            if before > 0 {
                let most = before.min(usable - at);
                let (length, more) = block.fitting(at, most, room - count);
                if length == 0 {
                    return (count, false);
                }
                let inner = block.inner(at, length);
                block.masks(at, length).encode(inner, component, allowed, record, sink);
                count += more;
                at += length;
                self.source.begin_at(start + at as u32);
                continue;
            }
            if block.outside.narrowed >> at & 1 == 1 {
                match self.narrow(component, set, allowed, room - count, record, sink) {
                    0 => return (count, false),
                    more => count += more,
                }
                at = (self.source.start() - start) as usize;
                continue;
            }
            let tail = slice::bytes(rest, at..);
            if ampersands >> at & 1 == 1
                && self.source.references().is_some_and(|all| all.read_bytes(tail) == Ok(None))
            {
                block.ahead.special &= !(1 << at);
                continue;
            }
            match self.white(component, allowed, room - count, record, sink) {
                Special::Done(more, end) => {
                    count += more;
                    at = (end - start) as usize;
                    self.source.begin_at(end);
                }
                Special::Step => return (count, false),
            }
        }
        (count, true)
    }

    /// Finds out what happens to the characters outside ASCII in the `usable` bytes at the start of a block.
    // What is not UTF-8 is found by masks, and so are nearly all characters of `ucschar` and of `iprivate`.
    fn wide(
        &self,
        block: &[u8],
        masks: &WideMasks,
        usable: usize,
        component: Component,
        allowed: Repairs,
    ) -> Outside {
        let characters = &masks.characters;
        let here = below(usable);
        let narrowed = self.narrowed(block, masks.narrowed & characters.firsts() & here);
        let ill_formed = characters.ill_formed() & here;
        let firsts = characters.firsts() & here & !narrowed;
        let refuses_private =
            !allows_private(component) && allowed.contains(RepairKind::NotUcschar);
        let mut needed = if refuses_private { masks.private & firsts } else { 0 };
        let mut doubtful = masks.leads & firsts;
        while doubtful != 0 {
            let at = doubtful.trailing_zeros() as usize;
            let first = doubtful & doubtful.wrapping_neg();
            doubtful ^= first;
            let kind = needed_wide(slice::bytes(block, at..), component);
            needed |= if kind.is_some_and(|kind| allowed.contains(kind)) { first } else { 0 };
        }
        // A byte that is not UTF-8 cannot stay.
        let encoded = ill_formed | characters.whole(needed);
        let inner = characters.inner() & here;
        Outside { encoded, ill_formed, inner, narrowed }
    }

    /// Returns the first bytes, among `wide`, of the characters of a block that become ASCII.
    fn narrowed(&self, block: &[u8], wide: u64) -> u64 {
        let narrow = self.annotated.narrow_until.saturating_sub(self.source.start()) as usize;
        let (mut rest, mut found) = (wide & below(narrow), 0);
        while rest != 0 {
            let first = rest & rest.wrapping_neg();
            let ascii = full_width(slice::bytes(block, rest.trailing_zeros() as usize..));
            rest ^= first;
            found |= if ascii.is_some() { first } else { 0 };
        }
        found
    }

    /// Encodes characters that become ASCII, and ordinary bytes between them. Returns the number of the characters.
    fn narrow<S: Sink>(
        &mut self,
        component: Component,
        set: &AsciiSet,
        allowed: Repairs,
        room: usize,
        record: &mut Record,
        sink: &mut S,
    ) -> usize {
        let mut count = 0;
        let mut rest = self.source.rest_until(self.annotated.narrow_until);
        while let Some(ascii) = full_width(rest).filter(|ascii| count < room && !needs_step(*ascii))
        {
            let start = self.source.start();
            let end = start + FULL_WIDTH as u32;
            record.push(RepairKind::FullWidth, start, end);
            let kind = if set.contains(ascii) { None } else { foreign(ascii, component) };
            match kind.filter(|kind| allowed.contains(*kind)) {
                Some(kind) => {
                    record.push(kind, start, end);
                    sink.unit(triplet_text(ascii), start, end);
                }
                None => sink.unit(char::from(ascii).encode_utf8(&mut [0; 4]), start, end),
            }
            self.source.begin_at(end);
            count += 1;
            // A block would end at each of the characters.
            let (run, start) = self.run();
            if !run.is_empty() {
                sink.same(core::str::from_utf8(run).unwrap_or_default(), start);
                count += run.len();
            }
            rest = self.source.rest_until(self.annotated.narrow_until);
        }
        count
    }

    /// Removes or encodes a run of white space. The next byte is special.
    pub(super) fn white<S: Sink>(
        &mut self,
        component: Component,
        allowed: Repairs,
        room: usize,
        record: &mut Record,
        sink: &mut S,
    ) -> Special {
        let (start, rest) = (self.source.start(), self.source.rest_until(self.limit()));
        let length = white_length(rest);
        if !self.joins() || length == 0 {
            return Special::Step;
        }
        let mut end = start + length as u32;
        if start >= self.run_end {
            // A character reference may continue the run.
            if rest.get(length) == Some(&b'&') && self.source.references().is_some() {
                return Special::Step;
            }
            self.run_end = end;
            self.is_run_dropped = has_break(slice::bytes(rest, ..length));
            if self.is_run_dropped {
                record.push(RepairKind::LineBreak, start, end);
            }
        }
        end = end.min(self.run_end);
        if self.is_run_dropped {
            return Special::Done(0, end);
        }
        if self.is_removed(b' ') {
            for at in start..end {
                record.push(RepairKind::SpaceRemoved, at, at + 1);
            }
            return Special::Done(0, end);
        }
        let spaces = slice::bytes(self.source.rest(), ..((end - start) as usize).min(room));
        for (bytes, start) in spaces.chunks(BLOCK).zip((start..).step_by(BLOCK)) {
            let stays = component == Component::Host && !allowed.contains(RepairKind::InHost);
            let encoded = if stays { 0 } else { below(bytes.len()) };
            let block =
                EncodedMasks { bytes, start, encoded, turned: 0, removed: 0, joined: 0, high: 0 };
            block.encode(0, component, allowed, record, sink);
        }
        Special::Done(spaces.len(), start + spaces.len() as u32)
    }
}

impl EncodedMasks<'_> {
    /// Records the repairs, and gives the bytes to a sink. `inner` are the bytes of characters other than their first.
    /// Bytes that become triplets only by a repair that is not allowed stay.
    #[inline]
    fn encode<S: Sink>(
        mut self,
        inner: u64,
        component: Component,
        allowed: Repairs,
        record: &mut Record,
        sink: &mut S,
    ) {
        let changed = (self.encoded | self.turned | self.removed) & !inner;
        if changed == 0 {
            let text = core::str::from_utf8(self.bytes).unwrap_or_default();
            return sink.same(text, self.start);
        }
        // In a host, only `InHost` depends on the byte.
        let is_certain = || match component {
            Component::Host => !allowed.contains(RepairKind::InHost),
            _ => allowed.contains_all(ENCODING),
        };
        if record.counts_only() && is_certain() {
            record.count(changed.count_ones() as usize);
        } else {
            let mut rest = changed;
            while rest != 0 {
                let at = rest.trailing_zeros();
                rest &= rest - 1;
                let is = |mask: u64| mask >> at & 1 == 1;
                let byte = self.bytes.get(at as usize).copied().unwrap_or_default();
                let mut length = 1;
                let kind = match byte {
                    b'\\' if is(self.turned) => Some(RepairKind::Backslash),
                    _ if is(self.removed) => {
                        if is(self.joined) {
                            length = (self.joined >> at).trailing_ones();
                        }
                        let is_space = byte == b' ' && !is(self.joined);
                        let (space, other) = (RepairKind::SpaceRemoved, RepairKind::LineBreak);
                        Some(if is_space { space } else { other })
                    }
                    b'%' => Some(RepairKind::StrayPercent),
                    _ if byte.is_ascii() => {
                        foreign(byte, component).filter(|kind| allowed.contains(*kind))
                    }
                    _ => {
                        let tail = slice::bytes(self.bytes, at as usize..);
                        match first_char(tail) {
                            Some(c) => {
                                length = c.len_utf8() as u32;
                                needed_wide(tail, component)
                            }
                            None => Some(RepairKind::IllFormed),
                        }
                    }
                };
                let start = self.start + at;
                match kind {
                    Some(kind) => record.push(kind, start, start + length),
                    None => self.encoded &= !(1 << at),
                }
            }
        }
        sink.block(self);
    }
}
