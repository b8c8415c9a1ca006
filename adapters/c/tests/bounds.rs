//! The bounds of the header for the length of a result. Callers choose their buffers by these bounds.
#![expect(unsafe_code, reason = "calls the functions as C does")]
#![expect(
    clippy::undocumented_unsafe_blocks,
    reason = "each pointer is null or that of a variable, with its length"
)]

use std::ffi::c_char;
use std::ptr;

use simd_iri_c::*;

/// Checks all texts of up to `most` pieces, each after `before`, and each piece also many times. Returns how many have
/// a result.
fn check(
    before: &[u8],
    pieces: &[&[u8]],
    most: u32,
    bound: impl Fn(usize) -> usize,
    call: &dyn Fn(*const c_char, usize) -> isize,
) -> u64 {
    let (base, mut found) = (pieces.len() as u64, 0);
    for length in 0..=most {
        for number in 0..base.pow(length) {
            let mut text = before.to_vec();
            let places = (0..length).map(|place| number / base.pow(place) % base);
            text.extend(places.flat_map(|piece| pieces.get(piece as usize)).copied().flatten());
            for times in [1, 40] {
                let long = [before, &text.split_off(before.len()).repeat(times)].concat();
                let made = call(long.as_ptr().cast(), long.len());
                let bound = bound(long.len());
                assert!(made <= bound as isize, "{made} > {bound}: {}", long.escape_ascii());
                found += u64::from(made >= 0);
                text = long;
            }
        }
    }
    found
}

#[test]
fn a_result_is_not_longer_than_the_header_says() {
    let pieces: [&[u8]; 15] = [
        b"/",
        b"..",
        b".",
        b"a",
        b"%",
        b"%7e",
        b"%E9",
        b"\xE9",
        b"\xFF",
        "é".as_bytes(),
        "\u{202E}".as_bytes(),
        "\u{10FFFF}".as_bytes(),
        b"|",
        b"?",
        b"%D0%BF",
    ];
    let mut found = 0;
    for flags in 0..8 {
        let flags = [SIMD_IRI_FLAG_REPAIR, SIMD_IRI_FLAG_NORMALIZE, SIMD_IRI_FLAG_IRI]
            .iter()
            .enumerate()
            .filter(|(bit, _)| flags >> bit & 1 == 1)
            .fold(0, |all, (_, flag)| all | flag);
        found += check(b"/", &pieces, 3, |n| 3 * n + 2, &|text, length| unsafe {
            simd_iri_target_transform(flags, text, length, ptr::null_mut(), 0, ptr::null_mut())
        });
    }
    // Letters of many charsets, in which one octet is a character.
    let octets: [&[u8]; 8] = [b"\xE0", b"\xE9", b"\xF0", b"\xB1", b"\x83A", b"%C5", b"a", b"/"];
    found += check(b"/", &octets, 3, |n| 17 * (3 * n + 1), &|text, length| unsafe {
        simd_iri_target_names(text, length, ptr::null_mut(), 0, ptr::null_mut())
    });
    let secrets: [&[u8]; 12] =
        [b"//", b":", b"@", b"h", b" ", b"?", b"pw=", b"&", b";", b"/", b"ws:", b"%2F"];
    let sets = "common";
    for part in 0..4 {
        for flags in [0, SIMD_IRI_FLAG_SEMICOLONS | SIMD_IRI_FLAG_NESTED] {
            found += check(b"", &secrets, 4, |n| 5 * n + 18, &|text, length| unsafe {
                let (start, size) = (sets.as_ptr().cast(), sets.len());
                simd_iri_redact(
                    part,
                    flags,
                    start,
                    size,
                    text,
                    length,
                    ptr::null_mut(),
                    0,
                    ptr::null_mut(),
                )
            });
        }
    }
    let hosts: [&[u8]; 9] = [
        b"xn--",
        b"a",
        b"9ca",
        b".",
        b"%F0%9F%98%80",
        "\u{202E}".as_bytes(),
        "ß".as_bytes(),
        b"xn--ls8h",
        "\u{FDFA}".as_bytes(),
    ];
    found += check(b"", &hosts, 4, |n| 4 * n, &|text, length| unsafe {
        simd_iri_host_to_unicode(text, length, ptr::null_mut(), 0, ptr::null_mut())
    });
    assert!(found > 20_000, "{found}");
}
