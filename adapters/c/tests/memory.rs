//! The claims of the header about memory: which functions allocate nothing once their thread has its memory.
#![expect(unsafe_code, reason = "calls the functions as C does")]
#![expect(
    clippy::undocumented_unsafe_blocks,
    reason = "each pointer is null or that of a variable, with its length"
)]

use std::ffi::c_char;
use std::ptr;

use allocation_counter::measure;
use simd_iri_c::*;

/// Returns the number of allocations of a call after the first one.
fn allocations(call: impl Fn()) -> u64 {
    call();
    measure(call).count_total
}

#[test]
fn nothing_is_allocated() {
    let text = |text: &str| (text.as_ptr().cast::<c_char>(), text.len());
    let mut room = [0_u8; 256];
    let (buffer, capacity) = (room.as_mut_ptr().cast::<c_char>(), room.len());
    let (error, parts) = (&mut Error::default(), &mut Parts::default());
    let (error, parts): (*mut Error, *mut Parts) = (error, parts);
    for given in
        ["http://u@example.org:80/a/./%7e?b#c", "http://例え.jp/é", "/a/../b?ü", "not | valid", ""]
    {
        let (start, length) = text(given);
        let calls: [&dyn Fn(); 10] = [
            &|| _ = unsafe { simd_iri_parse(1, start, length, parts, error) },
            &|| _ = unsafe { simd_iri_is_valid(1, start, length) },
            &|| _ = unsafe { simd_iri_to_uri(0, start, length, buffer, capacity, error) },
            &|| _ = unsafe { simd_iri_to_iri(0, start, length, buffer, capacity, error) },
            &|| _ = unsafe { simd_iri_normalize(1, 2, start, length, buffer, capacity, error) },
            &|| {
                _ = unsafe {
                    let (base, base_length) = text("http://a/b/c");
                    simd_iri_resolve(0, base, base_length, start, length, buffer, capacity, error)
                }
            },
            &|| {
                _ = unsafe {
                    let mut print = [0; 2];
                    simd_iri_fingerprint(2, start, length, print.as_mut_ptr(), error)
                }
            },
            &|| _ = unsafe { simd_iri_compare(2, start, length, start, length, error) },
            &|| _ = unsafe { simd_iri_target_parse(start, length, parts, error) },
            &|| _ = unsafe { simd_iri_error_message(error, buffer, capacity) },
        ];
        for (number, call) in calls.iter().enumerate() {
            // To compare a path with dot segments, it is written.
            let is_written = number == 6 && given.contains("/./");
            let allowed = u64::from(is_written);
            assert_eq!(allocations(call), allowed, "call {number} with {given:?}");
        }
        let lines = || unsafe {
            let mut count = Count::default();
            simd_iri_validate_lines(1, start, length, ptr::null_mut(), 0, &raw mut count, error)
        };
        assert_eq!(allocations(|| _ = lines()), 0, "lines of {given:?}");
    }
    let ((name, name_length), mut left) = (text("Link"), 0_usize);
    let left = &raw mut left;
    for value in ["</é>; title=\"é\", </ü>", "</a|b>", "</a>, </b>"] {
        let (start, length) = text(value);
        let field = || unsafe {
            simd_iri_field_to_uri(
                0,
                name,
                name_length,
                start,
                length,
                buffer,
                capacity,
                left,
                error,
            )
        };
        assert_eq!(allocations(|| _ = field()), 0, "{value}");
    }
    // Targets in ASCII.
    let (start, length) = text("/a/../%7e?b");
    let normalize = || unsafe {
        simd_iri_target_transform(SIMD_IRI_FLAG_NORMALIZE, start, length, buffer, capacity, error)
    };
    assert_eq!(allocations(|| _ = normalize()), 0);
}
