//! Bytes to triplets: percent-encodes the bytes of a set, with digits in upper case.
//!
//! Here: the walk over a text. Not here: the triplets of a block (`ops::encode`); which bytes are encoded
//! (`transform`); and decoding (`rewrite`).

use alloc::string::String;
use alloc::vec::Vec;
use core::mem::MaybeUninit;
use core::slice;

use super::ops::encode::{AT_ONCE, EXPANDED};
use super::search::is_ascii_in;
use super::{BLOCK, Block, Cpu, CpuLevel, Job, Query, below};

/// Appends `text` to `out`, with a triplet for each byte from 0x80 up. Returns the offsets in `out` of eight places in
/// the text. Returns `None` if the text is ASCII: then each place moves by the length of `out`.
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

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, text: &[u8]) -> Option<[u32; 8]> {
        if push_ascii(simd, text, self.out) {
            return None;
        }
        // A separate function, so that this function saves no registers.
        simd.apart_on(EncodeSome(self), text)
    }
}

/// [`EncodeWithPlaces`] for a text that is not ASCII.
struct EncodeSome<'a>(EncodeWithPlaces<'a>);

impl Job for EncodeSome<'_> {
    type Output = Option<[u32; 8]>;

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, text: &[u8]) -> Option<[u32; 8]> {
        let EncodeWithPlaces { places, out } = self.0;
        Some(encode_in(simd, text, Query::NonAscii, places, out))
    }
}

/// Appends `text` to `out` if it is ASCII, and tells whether it is. Allocates nothing if `out` has room for the text
/// and [`AT_ONCE`] bytes.
///
/// Measured: `docs/performance/notes.md`, "Short copies".
#[inline(always)]
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
/// If `out` has room for 256 bytes, a short text is copied without a call of `memcpy`, as in [`push_ascii`].
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

/// [`push_both`] as a job. The second text is the text of the job, and is UTF-8.
pub(crate) struct PushBoth<'a> {
    pub(crate) first: &'a str,
    pub(crate) out: &'a mut String,
}

impl Job for PushBoth<'_> {
    type Output = ();

    #[inline(always)]
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
pub fn encode(text: &[u8], query: Query<'_>, out: &mut String) {
    CpuLevel::best().run_wide_on(EncodeJob { query, out }, text);
}

/// Appends a block of at most 64 bytes to `out`, with a triplet for each byte that `asked` has a bit for and for each byte
/// from 0x80 up.
///
/// Allocates nothing if `out` has room for the result and, with more than a few triplets, for 256 bytes.
pub fn push_triplets(block: &[u8], asked: u64, out: &mut String) {
    CpuLevel::best().run_wide_on(PushTriplets { asked, out }, block);
}

/// [`push_triplets`] as a job.
struct PushTriplets<'a> {
    asked: u64,
    out: &'a mut String,
}

impl Job for PushTriplets<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, text: &[u8]) {
        let block = text.get(..BLOCK).unwrap_or(text);
        let asked = (self.asked | simd.load(block, 0).non_ascii()) & below(block.len());
        // SAFETY: what is appended is ASCII: triplets, and bytes below 0x80.
        let out = unsafe { self.out.as_mut_vec() };
        push_block(simd, block, asked, out);
    }
}

/// Appends a block to `out`, with a triplet for each byte that is `asked` for.
#[inline(always)]
fn push_block<S: Cpu>(simd: S, block: &[u8], asked: u64, out: &mut Vec<u8>) {
    out.reserve(EXPANDED);
    if let Some(room) = out.spare_capacity_mut().first_chunk_mut() {
        let written = simd.triplets(block, asked, room);
        debug_assert_eq!(written, block.len() + 2 * asked.count_ones() as usize);
        // SAFETY: `room` is spare capacity for a block of triplets, of which the kernel wrote the first `written`
        // bytes.
        unsafe { out.set_len(out.len() + written) };
    }
}

/// [`encode`] as a job.
struct EncodeJob<'a> {
    query: Query<'a>,
    out: &'a mut String,
}

impl Job for EncodeJob<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, text: &[u8]) {
        encode_in(simd, text, self.query, &[0; 8], self.out);
    }
}

/// [`encode`] with a kernel. Returns the offsets in `out` of eight places in the text.
#[inline(always)]
fn encode_in<S: Cpu>(
    simd: S,
    text: &[u8],
    query: Query<'_>,
    places: &[u32; 8],
    out: &mut String,
) -> [u32; 8] {
    // The places are added at the end. They may just have been stored in parts, and one load of all places would wait
    // for these stores (`row`).
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
        push_block(simd, block, asked, out);
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

    #[inline(always)]
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
}
