//! Bytes to triplets: percent-encodes the bytes of a set, with digits in upper case.
//!
//! Here: the walk over a text, and the definition of `EncodeBlocks::triplets`. Not here: which bytes are encoded
//! (`transform`), and decoding (`rewrite`).

use alloc::string::String;
use core::mem::MaybeUninit;
use core::slice;

#[cfg(any(avx2, neon))]
use crate::scan::as_chunks;
#[cfg(any(avx2, neon))]
use crate::scan::kernel::halves::Halves;
use crate::scan::kernel::scalar::Scalar;
use crate::scan::search::{DotAfterSlash, is_ascii_in};
use crate::scan::{BLOCK, Block, Cpu, CpuLevel, Job, Query, Simd, below};
use crate::tables::AsciiSet;

/// The memory for the triplets of a block (192 bytes) and for the bytes that kernels write past them.
pub(crate) const EXPANDED: usize = 4 * BLOCK;

/// The length of the longest text that is copied without a loop: two blocks.
pub(crate) const AT_ONCE: usize = 2 * BLOCK;

/// The hexadecimal digits.
pub(crate) const DIGITS: [u8; 16] = *b"0123456789ABCDEF";

/// The byte that begins a triplet.
pub(crate) const PERCENT: u8 = b'%';

/// The triplet of each byte.
static TRIPLETS: [[u8; 3]; 256] = {
    let mut triplets = [[0; 3]; 256];
    let (mut rest, mut byte): (&mut [[u8; 3]], u8) = (&mut triplets, 0);
    while let [triplet, tail @ ..] = rest {
        *triplet = [PERCENT, digit(byte >> 4), digit(byte & 15)];
        (rest, byte) = (tail, byte.wrapping_add(1));
    }
    triplets
};

/// The digit of a number below 16.
#[expect(clippy::indexing_slicing, reason = "sixteen digits, indexed by four bits")]
const fn digit(number: u8) -> u8 {
    DIGITS[(number & 15) as usize]
}

/// The triplet of a byte.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn triplet(byte: u8) -> [u8; 3] {
    #[expect(clippy::indexing_slicing, reason = "256 entries, indexed by a byte")]
    TRIPLETS[byte as usize]
}

/// The triplet of a byte, as text.
pub(crate) fn triplet_text(byte: u8) -> &'static str {
    #[expect(clippy::indexing_slicing, reason = "256 entries, indexed by a byte")]
    core::str::from_utf8(&TRIPLETS[byte as usize]).unwrap_or_default()
}

/// Appends `text` to `out`, with a triplet for each byte from 0x80 up. Returns the offsets in `out` of eight places in the
/// text; `None` if the text is ASCII, so that each place moves by the length of `out`.
///
/// One pass. Allocates nothing if `out` has room for the result and 256 bytes.
pub(crate) fn encode_with_places(
    text: &[u8],
    places: &[u32; 8],
    out: &mut String,
) -> Option<[u32; 8]> {
    CpuLevel::run_best(EncodeWithPlaces { places, out }, text, |job, text| {
        CpuLevel::best().run_wide_on(job, text)
    })
}

/// [`encode_with_places`] as a job.
struct EncodeWithPlaces<'a> {
    places: &'a [u32; 8],
    out: &'a mut String,
}

impl Job for EncodeWithPlaces<'_> {
    type Output = Option<[u32; 8]>;

    #[cfg_attr(optimized, inline(always))]
    fn run<S: Cpu>(self, simd: S, text: &[u8]) -> Option<[u32; 8]> {
        if push_ascii(simd, text, self.out) {
            return None;
        }
        // PERF: a separate function, so that this one saves no registers.
        simd.apart_on(EncodeSome(self), text)
    }
}

/// [`EncodeWithPlaces`] for a text that is not ASCII.
struct EncodeSome<'a>(EncodeWithPlaces<'a>);

impl Job for EncodeSome<'_> {
    type Output = Option<[u32; 8]>;

    #[cfg_attr(optimized, inline(always))]
    fn run<S: Cpu>(self, simd: S, text: &[u8]) -> Option<[u32; 8]> {
        let EncodeWithPlaces { places, out } = self.0;
        Some(encode_in(simd, text, Query::NonAscii, places, out))
    }
}

/// Appends `text` to `out` if it is ASCII, and tells whether it is. Allocates nothing if `out` has room for the text and
/// [`AT_ONCE`] bytes.
///
/// PERF: to copy a short text here takes a nanosecond. A call of `memcpy` takes three, and more if the lengths of the texts
/// change, because it chooses among ways to copy them.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn push_ascii<S: Cpu>(simd: S, text: &[u8], out: &mut String) -> bool {
    // SAFETY: what is appended is ASCII.
    let out = unsafe { out.as_mut_vec() };
    if text.len() > AT_ONCE {
        let is_ascii = is_ascii_in(simd, text);
        if is_ascii {
            out.extend_from_slice(text);
        }
        return is_ascii;
    }
    let (first, second) = (simd.load(text, 0), simd.load(text, BLOCK.min(text.len())));
    if first.non_ascii() | second.non_ascii() != 0 {
        return false;
    }
    out.reserve(AT_ONCE);
    match out.spare_capacity_mut().first_chunk_mut() {
        Some(room) => {
            simd.copy(text, room);
            // SAFETY: the text is short, and so the kernel wrote all of it to the spare capacity.
            unsafe { out.set_len(out.len() + text.len()) };
        }
        None => out.extend_from_slice(text),
    }
    true
}

/// Appends two texts to `out`, one after the other. Allocates nothing if `out` has room for them.
///
/// PERF: both are copied at once if they are short and `out` has room for 256 bytes more, for the reason that
/// [`push_ascii`] does so.
pub(crate) fn push_both(first: &str, second: &str, out: &mut String) {
    let room = out.capacity() - out.len();
    if room < 2 * AT_ONCE {
        out.push_str(first);
        out.push_str(second);
        return;
    }
    CpuLevel::run_best(PushBoth { first, out }, second.as_bytes(), |PushBoth { first, out }, _| {
        out.push_str(first);
        out.push_str(second);
    });
}

/// Appends two texts to `out`, one after the other, unless a dot begins the first `path` bytes of the second or follows a
/// slash in them. Returns whether it did. Allocates nothing if `out` has room for both texts.
///
/// PERF: one job, because with two jobs a short reference takes 1.7 ns (7 %) longer to resolve.
pub(crate) fn push_dotless(first: &str, second: &str, path: usize, out: &mut String) -> bool {
    CpuLevel::run_best(PushDotless { first, path, out }, second.as_bytes(), |job, second| {
        CpuLevel::best().run_wide_on(job, second)
    })
}

/// [`push_dotless`] as a job. The second text is the one of the job, and is UTF-8.
struct PushDotless<'a> {
    first: &'a str,
    path: usize,
    out: &'a mut String,
}

impl Job for PushDotless<'_> {
    type Output = bool;

    #[cfg_attr(optimized, inline(always))]
    fn run<S: Cpu>(self, simd: S, second: &[u8]) -> bool {
        let Self { first, path, out } = self;
        let path = crate::scan::slice::bytes(second, ..path);
        let is_dotless = DotAfterSlash { from: 0 }.run(simd, path) == path.len();
        if is_dotless {
            PushBoth { first, out }.run(simd, second);
        }
        is_dotless
    }
}

/// [`push_both`] as a job. The second text is the one of the job, and is UTF-8.
struct PushBoth<'a> {
    first: &'a str,
    out: &'a mut String,
}

impl Job for PushBoth<'_> {
    type Output = ();

    #[cfg_attr(optimized, inline(always))]
    fn run<S: Cpu>(self, simd: S, second: &[u8]) {
        // SAFETY: two whole texts are appended, and both are UTF-8.
        let out = unsafe { self.out.as_mut_vec() };
        for text in [self.first.as_bytes(), second] {
            let is_short = text.len() <= AT_ONCE;
            match out.spare_capacity_mut().first_chunk_mut().filter(|_| is_short) {
                Some(room) => {
                    simd.copy(text, room);
                    // SAFETY: the text is short, and so the kernel wrote all of it to the spare capacity.
                    unsafe { out.set_len(out.len() + text.len()) };
                }
                None => out.extend_from_slice(text),
            }
        }
    }
}

/// Appends `text` to `out`, with a triplet for each byte that `query` asks for and for each byte from 0x80 up.
///
/// One pass. Allocates nothing if `out` has room for the result and 256 bytes.
pub(crate) fn encode(text: &[u8], query: Query<'_>, out: &mut String) {
    CpuLevel::best().run_wide_on(Encode { query, out }, text);
}

/// [`encode`] as a job.
struct Encode<'a> {
    query: Query<'a>,
    out: &'a mut String,
}

impl Job for Encode<'_> {
    type Output = ();

    #[cfg_attr(optimized, inline(always))]
    fn run<S: Cpu>(self, simd: S, text: &[u8]) {
        encode_in(simd, text, self.query, &[0; 8], self.out);
    }
}

/// [`encode`] with a kernel. Returns the offsets in `out` of eight places in the text.
#[cfg_attr(optimized, inline(always))]
fn encode_in<S: Cpu>(
    simd: S,
    text: &[u8],
    query: Query<'_>,
    places: &[u32; 8],
    out: &mut String,
) -> [u32; 8] {
    // PERF: the places are added at the end. They may just have been stored, in parts, and a load of all of them would
    // wait for these stores (`row`).
    let (mut moved, places) = ([out.len() as u32; 8], *places);
    // SAFETY: what is appended is ASCII: triplets, and bytes below 0x80.
    let out = unsafe { out.as_mut_vec() };
    for (block, at) in text.chunks(BLOCK).zip((0..).step_by(BLOCK)) {
        let bytes = simd.load(block, 0);
        let asked = (bytes.ask(query) | bytes.non_ascii()) & below(block.len());
        if asked == 0 {
            out.extend_from_slice(block);
            continue;
        }
        moved = simd.shifted(moved, &places, at, asked);
        out.reserve(EXPANDED);
        if let Some(room) = out.spare_capacity_mut().first_chunk_mut() {
            let written = simd.triplets(block, asked, room);
            debug_assert_eq!(written, block.len() + 2 * asked.count_ones() as usize);
            // SAFETY: `room` is spare capacity for a block of triplets, of which the kernel wrote the first `written`
            // bytes.
            unsafe { out.set_len(out.len() + written) };
        }
    }
    for (moved, place) in moved.iter_mut().zip(places) {
        *moved += place;
    }
    moved
}

/// Gives `text`, with a triplet for each byte from 0x80 up, to `push`, block by block. One pass; allocates nothing.
pub(crate) fn encode_blocks(text: &[u8], push: impl FnMut(&[u8])) {
    CpuLevel::best().run_wide(EncodeEach { text, push });
}

/// [`encode_blocks`] as a job.
struct EncodeEach<'a, P> {
    text: &'a [u8],
    push: P,
}

impl<P: FnMut(&[u8])> Job for EncodeEach<'_, P> {
    type Output = ();

    #[cfg_attr(optimized, inline(always))]
    fn run<S: Cpu>(self, simd: S, _: &[u8]) {
        let Self { text, mut push } = self;
        let mut room = [MaybeUninit::uninit(); EXPANDED];
        for block in text.chunks(BLOCK) {
            let asked = simd.load(block, 0).non_ascii();
            if asked == 0 {
                push(block);
                continue;
            }
            let written = simd.triplets(block, asked, &mut room);
            debug_assert!(written <= EXPANDED);
            // SAFETY: the kernel wrote the first `written` bytes of `room`.
            push(unsafe { slice::from_raw_parts(room.as_ptr().cast(), written) });
        }
    }
}

/// The hexadecimal digits in lower case.
pub(crate) const LOWER_DIGITS: AsciiSet = AsciiSet::of(b"abcdef");

/// The definition of `EncodeBlocks::triplets`, byte by byte.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn expand(block: &[u8], asked: u64, room: &mut [MaybeUninit<u8>; EXPANDED]) -> usize {
    let mut end = 0;
    for (bytes, at) in block.chunks(8).zip((0..).step_by(8)) {
        let asked = asked >> at & 0xFF;
        if let (0, Ok(bytes)) = (asked, <[u8; 8]>::try_from(bytes)) {
            write(room, end, bytes);
            end += bytes.len();
            continue;
        }
        for (byte, at) in bytes.iter().zip(0..) {
            let is_asked = asked >> at & 1 != 0;
            let [percent, high, low] = triplet(*byte);
            // Always three bytes, so that there is no branch: if one byte is enough, the next byte overwrites the
            // other two.
            write(room, end, [if is_asked { percent } else { *byte }, high, low]);
            end += if is_asked { 3 } else { 1 };
        }
    }
    end
}

/// Writes `bytes` at `at`, if there is room for them.
#[cfg_attr(optimized, inline(always))]
fn write<const N: usize>(room: &mut [MaybeUninit<u8>; EXPANDED], at: usize, bytes: [u8; N]) {
    if let Some(room) = room.get_mut(at..at + N) {
        for (room, byte) in room.iter_mut().zip(bytes) {
            room.write(byte);
        }
    }
}

/// The operations of a kernel for [`encode`].
pub(crate) trait EncodeBlocks: Simd {
    /// Writes the bytes of `block`, at most 64, to `room`: a triplet for each byte that is `asked` for.
    /// Returns how many bytes are written. What is in `room` past them means nothing afterwards.
    #[cfg_attr(optimized, inline(always))]
    fn triplets(self, block: &[u8], asked: u64, room: &mut [MaybeUninit<u8>; EXPANDED]) -> usize {
        expand(block, asked, room)
    }

    /// Returns `moved`, with two bytes added to each for each byte of the block at `at` that is `asked` for and lies before
    /// its place.
    #[cfg_attr(optimized, inline(always))]
    fn shifted(self, mut moved: [u32; 8], places: &[u32; 8], at: usize, asked: u64) -> [u32; 8] {
        for (moved, place) in moved.iter_mut().zip(places) {
            let before = (*place as usize).saturating_sub(at);
            *moved += 2 * (asked & below(before)).count_ones();
        }
        moved
    }

    /// Writes a text of at most [`AT_ONCE`] bytes to `room`. The bytes of `room` past the text have no meaning
    /// afterwards.
    #[cfg_attr(optimized, inline(always))]
    fn copy(self, text: &[u8], room: &mut [MaybeUninit<u8>; AT_ONCE]) {
        if let Some(room) = room.get_mut(..text.len()) {
            // SAFETY: `room` has the length of the text, and they do not overlap: one is borrowed mutably.
            unsafe { text.as_ptr().copy_to_nonoverlapping(room.as_mut_ptr().cast(), text.len()) };
        }
    }
}

impl EncodeBlocks for Scalar {}

#[cfg(any(avx2, neon))]
impl<K: Halves> EncodeBlocks for K {
    #[cfg_attr(optimized, inline(always))]
    fn triplets(self, block: &[u8], asked: u64, room: &mut [MaybeUninit<u8>; EXPANDED]) -> usize {
        expand_fours(self, block, asked, room)
    }
}

/// [`expand`] with byte shuffles, four bytes at a time:
///
/// ```text
/// bytes     a  é  é  b                                  `é` has two bytes, C3 A9; both are asked for
/// thrice    a  a  a  C3 C3 C3 A9 A9 A9 b  b  b  %       each byte three times, and a percent sign
/// digits    a  6  1  C3 C  3  A9 A  9  b  6  2  %       of each three, the second and the third
/// FOURS     a  %  C  3  %  A  9  b                      one or three bytes of each three
/// ```
///
/// The kernel computes the third line (`Halves::four`); a table with an entry for each of the 16 masks of four bytes
/// has the places of the last one. Sixteen bytes are always written, of which those past the result mean nothing.
///
/// Instructions at AVX2 to map an IRI of the generated corpus `non_ascii`: 2,300 byte by byte, 970 in this way.
#[cfg(any(avx2, neon))]
#[cfg_attr(optimized, inline(always))]
fn expand_fours<K: Halves>(
    kernel: K,
    block: &[u8],
    asked: u64,
    room: &mut [MaybeUninit<u8>; EXPANDED],
) -> usize {
    let (eights, tail) = as_chunks::<u8, 8>(block);
    let (mut end, mut rest) = (0, asked);
    for eight in eights {
        if rest & 0xFF == 0 {
            write(room, end, *eight);
            end += eight.len();
        } else {
            end += push_eight(kernel, u64::from_le_bytes(*eight), rest & 0xFF, 8, room, end);
        }
        rest >>= eight.len();
    }
    if !tail.is_empty() {
        let bytes = match block.last_chunk() {
            Some(last) => u64::from_le_bytes(*last) >> (64 - 8 * tail.len()),
            None => tail.iter().rev().fold(0, |bytes, byte| bytes << 8 | u64::from(*byte)),
        };
        end += push_eight(kernel, bytes, rest, tail.len(), room, end);
    }
    end
}

/// Writes `length` bytes at `end`, at most eight, and returns how many bytes they become. A function and no closure,
/// which would be compiled without the instructions of the kernel.
#[cfg(any(avx2, neon))]
#[cfg_attr(optimized, inline(always))]
fn push_eight<K: Halves>(
    kernel: K,
    bytes: u64,
    asked: u64,
    length: usize,
    room: &mut [MaybeUninit<u8>; EXPANDED],
    end: usize,
) -> usize {
    let (low, high) = (asked & 15, asked >> 4);
    write(room, end, kernel.four(with_percent(bytes as u32), &DIGITS, four(low)));
    let middle = end + 4 + 2 * low.count_ones() as usize;
    write(room, middle, kernel.four(with_percent((bytes >> 32) as u32), &DIGITS, four(high)));
    length + 2 * asked.count_ones() as usize
}

/// Four bytes, and a percent sign after them.
#[cfg(any(avx2, neon))]
#[cfg_attr(optimized, inline(always))]
fn with_percent(bytes: u32) -> u64 {
    u64::from(bytes) | u64::from(PERCENT) << 32
}

/// The entry of [`FOURS`] for a mask of four bytes.
#[cfg(any(avx2, neon))]
#[cfg_attr(optimized, inline(always))]
fn four(asked: u64) -> &'static [u8; 16] {
    #[expect(clippy::indexing_slicing, reason = "sixteen entries, indexed by four bits")]
    &FOURS[(asked & 15) as usize]
}

/// For each mask of four bytes, the places in `Halves::four` of what is written: of a byte that is asked for, the
/// percent sign and the two digits; of another one, the byte. A place from 0x80 up stands for nothing.
#[cfg(any(avx2, neon))]
#[expect(clippy::indexing_slicing, reason = "indices below the lengths")]
static FOURS: [[u8; 16]; 16] = {
    let mut fours = [[0x80; 16]; 16];
    let mut mask = 0;
    while mask < fours.len() {
        let (mut byte, mut end) = (0, 0);
        while byte < 4 {
            let first = 3 * byte;
            if mask >> byte & 1 != 0 {
                fours[mask][end] = 12;
                fours[mask][end + 1] = first + 1;
                fours[mask][end + 2] = first + 2;
                end += 3;
            } else {
                fours[mask][end] = first;
                end += 1;
            }
            byte += 1;
        }
        mask += 1;
    }
    fours
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kernel_expands_as_the_definition() {
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            seed >> 24
        };
        let mut count = 0;
        for _ in 0..20_000 {
            let length = random() as usize % 200;
            let (mask, shift) = (random() as u8, random() % 8);
            let text: Vec<u8> =
                (0..length).map(|_| (random() >> shift) as u8 & (mask | 0x80)).collect();
            let mut places = [(); 8].map(|()| random() as u32 % (length as u32 + 1));
            places.sort_unstable();
            let mut expected = String::from("before");
            let mut expected_places = places;
            for (at, byte) in text.iter().enumerate() {
                for (expected_place, place) in expected_places.iter_mut().zip(places) {
                    if at == place as usize {
                        *expected_place = expected.len() as u32;
                    }
                }
                if byte.is_ascii() {
                    expected.push(char::from(*byte));
                } else {
                    expected.push_str(&format!("%{byte:02X}"));
                }
            }
            for (expected_place, place) in expected_places.iter_mut().zip(places) {
                if place as usize == length {
                    *expected_place = expected.len() as u32;
                }
            }
            for level in CpuLevel::available() {
                let mut out = String::from("before");
                let job = EncodeWithPlaces { places: &places, out: &mut out };
                let moved = level.run_on(job, &text);
                let moved = moved.unwrap_or_else(|| places.map(|place| place + 6));
                assert_eq!(moved, expected_places, "{level:?}, {text:02X?}");
                assert_eq!(out, expected, "{level:?}, {text:02X?}");
                let mut blocks = Vec::from(*b"before");
                level.run(EncodeEach {
                    text: &text,
                    push: |block: &[u8]| blocks.extend_from_slice(block),
                });
                assert_eq!(blocks, expected.as_bytes(), "{level:?}, {text:02X?}");
                count += 1;
            }
        }
        println!("{count} texts expanded");
    }

    #[test]
    fn every_kernel_copies_what_is_ascii() {
        for length in (0..2 * AT_ONCE).chain([1000, 5000]) {
            let text = "a".repeat(length);
            for level in CpuLevel::available() {
                let mut out = String::from("before");
                let job = EncodeWithPlaces { places: &[0; 8], out: &mut out };
                assert_eq!(level.run_on(job, text.as_bytes()), None, "{level:?} {text}");
                assert_eq!(out, format!("before{text}"), "{level:?}");
                let mut out = String::with_capacity(10_000);
                push_both(&text, "é", &mut out);
                push_both("é", &text, &mut out);
                assert_eq!(out, format!("{text}éé{text}"));
            }
        }
    }

    #[test]
    fn every_kernel_looks_for_dots_in_the_path_alone() {
        for length in (0..2 * AT_ONCE).chain([1000, 5000]) {
            for (start, dot) in
                [(".", true), ("/.", true), ("a.", false), ("/a", false), ("", false)]
            {
                let path = format!("{start}{}", "é/b".repeat(length / 4));
                for (end, last) in [("/.", true), ("x.", false)] {
                    let path = format!("{path}{end}");
                    let second = format!("{path}?/.");
                    for level in CpuLevel::available() {
                        for room in [0, 20_000] {
                            let mut out = String::with_capacity(room);
                            let job = PushDotless { first: "é", path: path.len(), out: &mut out };
                            let pushed = level.run_on(job, second.as_bytes());
                            assert_eq!(pushed, !dot && !last, "{level:?} {second}");
                            let expected =
                                if pushed { format!("é{second}") } else { String::new() };
                            assert_eq!(out, expected, "{level:?}");
                        }
                    }
                }
            }
        }
    }
}
