//! Tests that every kernel equals the definition: each mask, for every set of the library, and each
//! computation on masks.
#![forbid(unsafe_code)]

use super::arch::scalar::Scalar;
use super::ops::long::EightMasks;
use crate::scan::{
    BLOCK, Block, Cpu, CpuLevel, GROUP, Job, Mask, Members, Query, Simd, Words, as_chunks, find,
};
use crate::tables::{self, AsciiSet, Eight, HighSet};

/// The sets that a kernel may be asked for.
fn ascii_sets() -> [AsciiSet; 23] {
    use tables::*;
    let (empty, ends) = (AsciiSet::EMPTY, AsciiSet::of(b">\"\x7F"));
    [
        SCHEME,
        REG_NAME,
        QUERY,
        END,
        HEXDIG,
        PLAIN,
        SCHEME_FIRST,
        DIGIT,
        PERCENT,
        COLON,
        SLASH,
        QUESTION,
        AT,
        BRACKETS,
        USERINFO,
        PATH,
        SEGMENT,
        SEGMENT_NC,
        FRAGMENT,
        NAME,
        UNRESERVED,
        empty,
        ends,
    ]
}

fn high_sets() -> Vec<HighSet> {
    let seconds = tables::UTF8_SECONDS.iter().flat_map(|(lead, not)| [*lead, *not]);
    let all = seconds.chain(tables::UTF8_LEADS).chain([tables::LEADS]);
    all.chain([tables::UTF8_CONTINUATIONS]).collect()
}

/// Compares every answer about every block of a text with the definition, at the CPU level of this name.
/// Returns the number of answers.
struct CompareBlocks<'a>(&'a [u8], &'static str);

impl Job for CompareBlocks<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, _: &[u8]) -> usize {
        let Self(text, level) = self;
        let (ascii, high) = (ascii_sets(), high_sets());
        let mut count = 0;
        for at in 0..=text.len() {
            let (block, expected) = (simd.load(text, at), Scalar.load(text, at));
            let mut same = |found: u64, expected: u64| {
                let text = text.escape_ascii();
                assert_eq!(found, expected, "{level}: answer {count} of {text} from {at}");
                count += 1;
            };
            same(block.non_ascii(), expected.non_ascii());
            for set in &high {
                same(block.high(set), expected.high(set));
            }
            let mut ask = |query: Query<'_>| {
                let mask = expected.ask(query);
                same(block.ask(query), mask);
                // The search from here, as far as this block decides it.
                let first = at + mask.trailing_zeros() as usize;
                if mask != 0 || at + BLOCK >= text.len() {
                    same(find(simd, text, at, query) as u64, first.min(text.len()) as u64);
                }
            };
            ask(Query::NonAscii);
            for set in &ascii {
                ask(Query::In(set));
                ask(Query::Outside(set));
                ask(Query::Foreign(set));
            }
            let zero = Query::In(&AsciiSet::of(b"\0"));
            let next = text.iter().skip(at).position(|byte| *byte == 0);
            let next = next.map_or(text.len(), |next| at + next);
            same(find(simd, text, at, zero) as u64, next as u64);
            // For a set with the byte zero, bits past the end may be set.
            let there = (!0_u64).checked_shl((text.len() - at) as u32).map_or(!0, |past| !past);
            for set in [AsciiSet::just(0), AsciiSet::of(b"\0a")] {
                same(block.ascii(&set) & there, expected.ascii(&set) & there);
            }
            for (set, but) in ascii.iter().zip(b"/aZ%".iter().cycle()) {
                same(block.ascii(set), expected.ascii(set));
                same(block.foreign(set), expected.foreign(set));
                same(block.without(*but).ascii(set), expected.without(*but).ascii(set));
            }
        }
        count
    }
}

#[test]
fn every_kernel_equals_the_definition() {
    // Bytes of any kind, and only bytes of the grammar, in which a search goes further.
    let grammar = b"aZ09fg%:/?#[]@!-._~";
    for level in CpuLevel::available() {
        let mut state = 1_u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize
        };
        let mut count = 0;
        for len in (0..=2 * BLOCK).chain([3 * BLOCK, 200]) {
            let any: Vec<u8> = (0..len).map(|_| random() as u8).collect();
            let some: Vec<u8> = (0..len).map(|_| grammar[random() % grammar.len()]).collect();
            count += level.run(CompareBlocks(&any, level.name()));
            count += level.run(CompareBlocks(&some, level.name()));
        }
        println!("{}: {count} answers equal those of the definition", level.name());
    }
}

/// The mask of the bytes of a block that `is_in` is true of.
fn mask(bytes: &[u8; BLOCK], is_in: &dyn Fn(u8) -> bool) -> u64 {
    bytes.iter().rev().fold(0, |mask, byte| mask << 1 | u64::from(is_in(*byte)))
}

/// Compares the computations on masks with their meaning: eight sets at once, numbers of 512 bits, places.
struct Compute<'a> {
    blocks: &'a [[u8; BLOCK]; 8],
    words: [[u64; 16]; 2],
}

impl Job for Compute<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, _: &[u8]) -> usize {
        let Self { blocks, words: [words, others] } = self;
        let [scheme, _, _, end, hexdig, plain, first, _, percent, colon, ..] = ascii_sets();
        // Set 1 is a part of set 0; sets 2 and 3 have no byte in common.
        let sets = Eight::of([scheme, first, colon, end, hexdig, plain, percent, scheme]);
        for separator in *b"/aZ%\n\0\x7F" {
            let of_bytes = |is_in: &dyn Fn(u8) -> bool| blocks.map(|bytes| mask(&bytes, is_in));
            let Members { of, separators, non_ascii } = simd.members(blocks, separator, &sets);
            for (found, set) in of.into_iter().zip(&sets.sets) {
                let expected = of_bytes(&|byte| {
                    byte != separator && byte.is_ascii() && set.bits >> byte & 1 == 1
                });
                assert_eq!(found.masks(), expected, "without {}", char::from(separator));
            }
            assert_eq!(separators.masks(), of_bytes(&|byte| byte == separator));
            assert_eq!(non_ascii.masks(), of_bytes(&|byte| !byte.is_ascii()));
        }
        let zero = simd.words(&[0; GROUP]);
        let [mut carry, mut near_carry, mut one, mut three, mut most] = [zero; 5];
        let (mut carried, mut last) = (0, 0);
        let groups = as_chunks(&words).0.iter().zip(as_chunks(&others).0);
        for (words, others) in groups {
            let (a, b) = (simd.words(words), simd.words(others));
            let sum = a.plus(b, &mut carry).masks();
            assert_eq!(a.plus_near(b, &mut near_carry).masks(), sum, "{words:x?} + {others:x?}");
            let (moved, far, farthest) =
                (a.next(&mut one), a.ahead::<3>(&mut three), a.ahead::<63>(&mut most));
            let moved = [moved.masks(), far.masks(), farthest.masks()];
            for (i, (word, other)) in words.iter().zip(others).enumerate() {
                let whole = u128::from(*word) + u128::from(*other) + carried;
                assert_eq!(
                    u128::from(sum[i]),
                    whole & u128::from(u64::MAX),
                    "{words:x?} + {others:x?}"
                );
                carried = whole >> 64;
                let beside = u128::from(*word) << 64 | u128::from(last);
                for (moved, places) in moved.iter().zip([1, 3, 63]) {
                    assert_eq!(moved[i], (beside << places >> 64) as u64, "{words:x?}, {places}");
                }
                last = *word;
                assert_eq!((a & b).masks()[i], word & other);
                assert_eq!((a | b).masks()[i], word | other);
                assert_eq!((!a).masks()[i], !word);
                assert_eq!(a.some() >> i & 1 == 1, *word != 0);
            }
            assert_eq!(a.any(), *words != [0; GROUP]);
            assert_eq!(a.count(), words.iter().map(|word| word.count_ones()).sum::<u32>());
        }
        for mask in words {
            let mut places = [0; BLOCK];
            simd.put(mask, u32::MAX - 20, &mut places);
            let bits = (0..64).filter(|bit| mask >> bit & 1 == 1);
            let expected: Vec<u32> = bits.map(|bit| (u32::MAX - 20).wrapping_add(bit)).collect();
            assert_eq!(places.get(..expected.len()), Some(&expected[..]), "{mask:x}");
        }
        1
    }
}

#[test]
fn every_kernel_computes_the_same() {
    for level in CpuLevel::available() {
        let mut state = 1_u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state >> 33
        };
        let mut count = 0;
        for _ in 0..500 {
            let mut blocks = [[0; BLOCK]; 8];
            blocks
                .as_flattened_mut()
                .fill_with(|| b"aZ09fg%:/?#[]@!-._~\n\xE2\xFF"[random() as usize % 22]);
            // Words of ones, over which a carry runs; words of zeros; and random words.
            let mut word = || match random() % 4 {
                0 => 0,
                1 => u64::MAX,
                2 => random() << 33 ^ random(),
                _ => 1 << (random() % 64) | 1 << (random() % 64),
            };
            let words = [(); 2].map(|()| [(); 16].map(|()| word()));
            count += level.run(Compute { blocks: &blocks, words });
        }
        println!("{}: {count} computations equal the definition", level.name());
    }
}

/// The masks of two blocks as one number equal the same two among the masks of eight.
#[test]
fn a_number_of_two_blocks_computes_as_that_of_eight() {
    let mut state = 1_u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        state >> 33
    };
    let mut word = || match random() % 4 {
        0 => 0,
        1 => u64::MAX,
        2 => random() << 33 ^ random(),
        _ => 1 << (random() % 64) | 1 << (random() % 64),
    };
    let eight = |[low, high]: [u64; 2]| EightMasks([low, high, 0, 0, 0, 0, 0, 0]);
    let two = |[low, high]: [u64; 2]| u128::from(high) << BLOCK | u128::from(low);
    // The lowest three masks: what leaves a number of two blocks is in the third mask of eight.
    let lowest = |masks: EightMasks| {
        let [low, high, over, ..] = masks.masks();
        (two([low, high]), over)
    };
    for _ in 0..10_000 {
        let (a, b) = ([word(), word()], [word(), word()]);
        let (mut of_two, mut of_eight) = (0, eight([0, 0]));
        let sum = two(a).plus(two(b), &mut of_two);
        assert_eq!((sum, of_two as u64), lowest(eight(a).plus(eight(b), &mut of_eight)), "{a:x?}");
        let (mut of_two, mut of_eight) = (0, eight([0, 0]));
        let moved = two(a).ahead::<3>(&mut of_two);
        let over = (of_two >> 125) as u64;
        assert_eq!((moved, over), lowest(eight(a).ahead::<3>(&mut of_eight)), "{a:x?}");
        // One text, which ends with the second block.
        let a = [a[0], a[1] & !(1 << 63)];
        let stop = eight([0, 1 << 63]);
        let rest = eight(a).after_first(stop, &mut [eight([0, 0]); 2]);
        let rest_of_two = two(a).after_first(1 << 127, &mut [0; 2]);
        assert_eq!((rest_of_two, 0), lowest(rest), "{a:x?}");
    }
}
