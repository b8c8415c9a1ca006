//! The bits of a batch are those of its items, whatever the lengths of the items and the capacity.
#![expect(unsafe_code, reason = "calls the functions as C does")]

use std::ptr;

use simd_iri::Rule;
use simd_iri_c::*;

/// The same numbers in every run, without a pattern.
fn random(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

#[test]
fn each_item_has_its_bit() {
    let mut state = 3987;
    let mut lengths = [0_u32; 8];
    for round in 0..4_000 {
        // Few or many lines, most of which are empty, short or longer than a block of the parser.
        let (lines, most) = (random(&mut state) % 900, [0, 1, 3, 70, 200][round % 5]);
        let odd = [0, 2, 30, 400][random(&mut state) % 4];
        let mut text = Vec::new();
        for _ in 0..lines {
            let length = random(&mut state) % (most + 1);
            text.extend((0..length).map(|_| b"abcdefgh"[random(&mut state) % 8]));
            if odd > 0 && random(&mut state) % odd == 0 {
                text.extend(
                    [&b":"[..], b"|", b"\xC3\xA9", b"\xFF", b":\r"][random(&mut state) % 5],
                );
            }
            text.push(b'\n');
        }
        let rule = [Rule::Iri, Rule::IriReference, Rule::Uri, Rule::UriReference][round % 4];
        let number = [0, 1, 4, 5][round % 4];
        let items: Vec<&[u8]> = text.split(|byte| *byte == b'\n').take(lines).collect();
        let expected: Vec<bool> = items.iter().map(|item| rule.is_valid_bytes(item)).collect();
        let mut count = Count::default();
        // Room for all bits, or for some.
        let whole = lines.div_ceil(8);
        let capacity = if round % 3 == 0 { random(&mut state) % (whole + 1) } else { whole };
        let mut valid = vec![0xA5; capacity + 1];
        let start = text.as_ptr().cast();
        // SAFETY: each pointer is null or points to a text, a buffer or a variable, with its length.
        let is_done = unsafe {
            let room = valid.as_mut_ptr();
            simd_iri_validate_lines(
                number,
                start,
                text.len(),
                room,
                capacity,
                &raw mut count,
                ptr::null_mut(),
            )
        };
        assert!(is_done);
        let bits = (0..lines.min(8 * capacity)).map(|item| valid[item / 8] >> (item % 8) & 1 == 1);
        assert!(
            bits.eq(expected.iter().copied().take(8 * capacity)),
            "{rule:?} {}",
            text.escape_ascii()
        );
        assert_eq!(count.items, lines as u64);
        assert_eq!(count.valid, expected.iter().filter(|is_valid| **is_valid).count() as u64);
        assert_eq!(valid[capacity], 0xA5);
        lengths[lines % 8] += 1;
    }
    assert!(lengths.iter().all(|count| *count > 100));
}
