//! The functions for C, with any texts, numbers, lengths and capacities: they write no byte past the capacity, give
//! the same answer for every capacity, and give the answer of the library.
#![no_main]
#![expect(unsafe_code, reason = "calls the functions as C does")]

use std::ffi::c_char;
use std::ptr;

use libfuzzer_sys::fuzz_target;
use simd_iri::{IriRef, Rule, ToUri};
use simd_iri_c::*;

/// A function that makes a text, with all arguments but the text bound.
type Make<'a> = &'a dyn Fn(*const c_char, usize, *mut c_char, usize, *mut Error) -> isize;

const GUARD: u8 = 0xA5;

fuzz_target!(|bytes: &[u8]| {
    let [number, flags, capacity, shift, cut, rest @ ..] = bytes else { return };
    let (number, flags, shift) = (u32::from(*number), u32::from(*flags), usize::from(*shift % 8));
    let (first, second) = rest.split_at(usize::from(*cut).min(rest.len()));
    // Addresses with any alignment.
    let moved = [vec![0; shift], first.to_vec()].concat();
    let text = &moved[shift..];

    parse(number % 10, text);
    let (level, profile) = (number % 5, number % 6);
    // SAFETY: here and below, each pointer is null or that of a slice or a variable, with its length.
    let (other, other_length) = (second.as_ptr().cast(), second.len());
    let text_of = |bytes: &[u8]| Text { start: bytes.as_ptr().cast(), length: bytes.len() };
    let build: Make<'_> = &|t, n, b, c, e| {
        let path = Text { start: t, length: n };
        let [scheme, userinfo, host, port, query, fragment] = [0, 1, 2, 3, 4, 5].map(|place| {
            if flags >> place & 1 == 0 {
                Text { start: ptr::null(), length: 0 }
            } else {
                text_of(second)
            }
        });
        let components = Components { scheme, userinfo, host, port, path, query, fragment };
        unsafe { simd_iri_build(flags & 8, &raw const components, b, c, e) }
    };
    // The texts of a template are the text itself.
    let expand: Make<'_> = &|t, n, b, c, e| {
        let text = Text { start: t, length: n };
        let none = Text { start: ptr::null(), length: 0 };
        let key = if flags & 1 == 0 { none } else { text };
        let variables = [
            Variable { name: text_of(b"a"), value: text, key },
            Variable { name: text_of(second), value: text_of(second), key: none },
        ];
        let count = usize::from(number % 3 != 0) + usize::from(number % 3 == 2);
        unsafe {
            simd_iri_template_expand(
                flags & 64,
                other,
                other_length,
                variables.as_ptr(),
                count,
                b,
                c,
                e,
            )
        }
    };
    let (format, kept) = (number % 4, flags << 16 & 196_608);
    let rules =
        unsafe { simd_iri_query_rules_new(format, kept, other, other_length, ptr::null_mut()) };
    let makers: [Make<'_>; 29] = [
        &|t, n, b, c, e| unsafe { simd_iri_unwrap(number, rules, t, n, b, c, e) },
        &|t, n, b, c, e| unsafe { simd_iri_query_rules_apply(rules, t, n, b, c, e) },
        &|t, n, b, c, e| unsafe { simd_iri_to_uri(flags & 3, t, n, b, c, e) },
        &|t, n, b, c, e| unsafe { simd_iri_to_iri(flags & 3, t, n, b, c, e) },
        &|t, n, b, c, e| unsafe { simd_iri_normalize(number % 9, level, t, n, b, c, e) },
        &|t, n, b, c, e| unsafe {
            simd_iri_resolve(flags & 2, second.as_ptr().cast(), second.len(), t, n, b, c, e)
        },
        &|t, n, b, c, e| unsafe { simd_iri_prepare(profile, flags & 13, t, n, b, c, e) },
        &|t, n, b, c, e| unsafe { simd_iri_key(level, t, n, b, c, e) },
        &|t, n, b, c, e| unsafe { simd_iri_host_to_unicode(t, n, b, c, e) },
        &|t, n, b, c, e| unsafe { simd_iri_target_transform(flags & 112, t, n, b, c, e) },
        &|t, n, b, c, e| unsafe { simd_iri_target_names(t, n, b, c, e) },
        &|t, n, b, c, e| unsafe { simd_iri_host_to_ascii(t, n, b, c, e) },
        &|t, n, b, c, e| unsafe { simd_iri_origin(t, n, b, c, e) },
        &|t, n, b, c, e| unsafe { simd_iri_masked(t, n, b, c, e) },
        &|t, n, b, c, e| unsafe { simd_iri_relativize(other, other_length, t, n, b, c, e) },
        &|t, n, b, c, e| unsafe {
            simd_iri_to_uri_in_charset(c"euc-kr".as_ptr(), 6, t, n, b, c, e)
        },
        &|t, n, b, c, e| unsafe { simd_iri_interpret(c"euc-kr".as_ptr(), 6, t, n, b, c, e) },
        &|t, n, b, c, e| unsafe {
            simd_iri_set_component(number % 10, other, other_length, t, n, b, c, e)
        },
        &|t, n, b, c, e| unsafe { simd_iri_drop_query_pairs(other, other_length, t, n, b, c, e) },
        &|t, n, b, c, e| unsafe { simd_iri_percent_encode(number % 10, t, n, b, c, e) },
        &|t, n, b, c, e| unsafe { simd_iri_from_posix_path(t, n, b, c, e) },
        &|t, n, b, c, e| unsafe { simd_iri_from_windows_path(t, n, b, c, e) },
        &|t, n, b, c, e| unsafe { simd_iri_to_windows_path(t, n, b, c, e) },
        &|t, n, b, c, e| unsafe { simd_iri_escape(number % 7, flags & 128, t, n, b, c, e) },
        build,
        expand,
        &|t, n, b, c, e| unsafe {
            simd_iri_judge(flags << 8 & 6144, t, n, b, c, ptr::null_mut(), e)
        },
        &|t, n, b, c, e| unsafe { simd_iri_judge_address(t, n, b, c, e) },
        &|t, n, b, c, e| unsafe { simd_iri_query_value(other, other_length.min(4), t, n, b, c, e) },
    ];
    // Texts that need not be UTF-8, and may have a NUL.
    let of_bytes: [Make<'_>; 5] = [
        &|t, n, b, c, e| unsafe {
            simd_iri_redact(
                number % 5,
                flags << 8 & 57_344,
                other,
                other_length.min(5),
                t,
                n,
                b,
                c,
                e,
            )
        },
        &|t, n, b, c, e| unsafe { simd_iri_archive_key(number % 6, t, n, b, c, e) },
        &|t, n, b, c, e| unsafe { simd_iri_percent_decode(t, n, b, c, e) },
        &|t, n, b, c, e| unsafe { simd_iri_to_posix_path(t, n, b, c, e) },
        &|t, n, b, c, e| unsafe { simd_iri_unescape(number % 7, t, n, b, c, e) },
    ];
    for make in of_bytes {
        made(make, text, usize::from(*capacity), shift);
    }
    for make in makers {
        let result = made(make, text, usize::from(*capacity), shift).unwrap_or_default();
        assert!(std::str::from_utf8(&result).is_ok());
    }
    unsafe { simd_iri_query_rules_free(rules) };
    reading(number, text);
    compare(level, text, second);
    batch(number % 10, text, second, usize::from(*capacity));
    target(text);
    captures(flags, second, text);
    field(
        flags,
        ["Location", "content-location", "LINK", "Refresh", "Via"][number as usize % 5],
        text,
        *capacity,
    );
});

/// Makes a text with no memory, with some, and with enough. Returns the text.
fn made(make: Make<'_>, text: &[u8], capacity: usize, shift: usize) -> Option<Vec<u8>> {
    let mut error = Error::default();
    let call = |room: &mut [u8], capacity: usize, error: *mut Error| {
        let room = room.get_mut(shift..).unwrap_or_default();
        make(text.as_ptr().cast(), text.len(), room.as_mut_ptr().cast(), capacity, error)
    };
    let length = make(text.as_ptr().cast(), text.len(), ptr::null_mut(), 0, &raw mut error);
    assert_eq!(length == -1, error.kind != 0);
    message(&error, capacity);
    let mut room = vec![GUARD; shift + capacity + 1];
    assert_eq!(call(&mut room, capacity, ptr::null_mut()), length);
    assert_eq!(room[shift + capacity], GUARD);
    let Ok(length) = usize::try_from(length) else { return None };
    if capacity > 0 && length >= capacity {
        assert_eq!(room[shift], 0);
    }
    let mut room = vec![GUARD; shift + length + 2];
    assert_eq!(call(&mut room, length + 1, ptr::null_mut()), length as isize);
    assert_eq!(room[shift + length..], [0, GUARD]);
    let result = room[shift..shift + length].to_vec();
    Some(result)
}

/// A match: each value has its place, and the number does not depend on the room.
fn captures(flags: u32, template: &[u8], text: &[u8]) {
    let (by, by_length) = (template.as_ptr().cast(), template.len());
    let (start, length) = (text.as_ptr().cast(), text.len());
    let call = |found: &mut [Capture]| unsafe {
        let (room, capacity, error) = (found.as_mut_ptr(), found.len(), ptr::null_mut());
        simd_iri_template_match(
            flags << 8 & 1792,
            by,
            by_length,
            start,
            length,
            room,
            capacity,
            error,
        )
    };
    let count = call(&mut []);
    let mut found = vec![Capture::default(); usize::try_from(count).unwrap_or(1)];
    assert_eq!(call(&mut found), count);
    for one in found.iter().filter(|_| count >= 0) {
        assert!(template.get(one.name as usize..one.name_end as usize).is_some());
        assert!(text.get(one.start as usize..one.end as usize).is_some());
    }
}

/// The functions that answer with a number.
fn reading(number: u32, text: &[u8]) {
    let (start, length, no_error) = (text.as_ptr().cast(), text.len(), ptr::null_mut());
    let is_reference = unsafe { simd_iri_is_valid(SIMD_IRI_RULE_IRI_REFERENCE, start, length) };
    let kind = unsafe { simd_iri_host_kind(start, length, no_error) };
    let port = unsafe { simd_iri_port(start, length, no_error) };
    assert!((kind == -1) != is_reference && (-2..4).contains(&kind));
    assert!((port == -1) != is_reference && (-2..65_536).contains(&port));
    let mut errors = [Error::default(); 2];
    let rule = number % 8;
    let count =
        unsafe { simd_iri_violations(rule, start, length, errors.as_mut_ptr(), 2, no_error) };
    assert_eq!(count == 0, unsafe { simd_iri_is_valid(rule, start, length) });
    let stored = errors.iter().filter(|error| error.kind != 0).count();
    assert_eq!(stored as isize, count.min(2));
    let [plain, idna] = [0, 1].map(|flags| unsafe { simd_iri_is_hostname(flags, start, length) });
    assert!(idna || !plain);
}

fn message(error: &Error, capacity: usize) {
    let mut room = vec![GUARD; capacity + 1];
    let length = unsafe { simd_iri_error_message(error, room.as_mut_ptr().cast(), capacity) };
    assert!(length > 0 && room[capacity] == GUARD);
    if let Some(end) = room[..capacity].iter().position(|byte| *byte == 0) {
        assert!(std::str::from_utf8(&room[..end]).is_ok());
    } else {
        assert_eq!(capacity, 0);
    }
}

fn parse(number: u32, text: &[u8]) {
    let (mut parts, mut error) = (Parts::default(), Error::default());
    let (start, length) = (text.as_ptr().cast(), text.len());
    let is_valid = unsafe { simd_iri_parse(number, start, length, &raw mut parts, &raw mut error) };
    assert_eq!(unsafe { simd_iri_is_valid(number, start, length) }, is_valid);
    let Some(rule) = Rule::ALL.get(number as usize) else {
        return assert_eq!((u32::from(error.kind), error.hint), (SIMD_IRI_ERROR_ARGUMENT, 1));
    };
    match rule.parse_bytes(text) {
        Ok(of_rust) => assert_eq!((is_valid, parts.end), (true, of_rust.len() as u32)),
        Err(of_rust) => {
            let [start, end, ..] = of_rust.to_words();
            assert_eq!((is_valid, error.start, error.end), (false, start, end));
        }
    }
}

fn compare(level: u32, first: &[u8], second: &[u8]) {
    let (a, b) = (first.as_ptr().cast(), second.as_ptr().cast());
    let order = |a, la, b, lb| unsafe { simd_iri_compare(level, a, la, b, lb, ptr::null_mut()) };
    let (one, other) =
        (order(a, first.len(), b, second.len()), order(b, second.len(), a, first.len()));
    if one.abs() <= 1 {
        assert_eq!(one, -other);
    } else {
        assert!(other > 1);
    }
    assert!([0, 2].contains(&order(a, first.len(), a, first.len())));
    let fingerprint = |text: &[u8]| {
        let (mut found, start) = ([0_u64; 2], text.as_ptr().cast());
        let (level, error) = (level, ptr::null_mut());
        let is_made = unsafe {
            simd_iri_fingerprint(level, start, text.len(), (&raw mut found).cast(), error)
        };
        is_made.then_some(found)
    };
    let (first, second) = (fingerprint(first), fingerprint(second));
    assert_eq!(one.abs() <= 1, first.is_some() && second.is_some());
    assert!(one.abs() > 1 || (one == 0) == (first == second));
}

/// The value of a field of HTTP, which a server has from others: any bytes. What was mapped is not mapped again.
fn field(flags: u32, name: &str, value: &[u8], capacity: u8) {
    let call = |value: &[u8], room: &mut [u8], capacity: usize| {
        let (mut left, start) = (usize::MAX, value.as_ptr().cast());
        let (name, name_length, error) = (name.as_ptr().cast(), name.len(), ptr::null_mut());
        let (flags, room) =
            (flags & (SIMD_IRI_FLAG_IDNA | SIMD_IRI_FLAG_REPAIR), room.as_mut_ptr().cast());
        let length = unsafe {
            simd_iri_field_to_uri(
                flags,
                name,
                name_length,
                start,
                value.len(),
                room,
                capacity,
                &raw mut left,
                error,
            )
        };
        (length, left)
    };
    let make = |value: &[u8]| {
        let (length, left) = call(value, &mut [], 0);
        let capacity = usize::from(capacity);
        let mut room = vec![GUARD; capacity + 1];
        assert_eq!((call(value, &mut room, capacity), room[capacity]), ((length, left), GUARD));
        let whole = usize::try_from(length).unwrap_or_default();
        let mut room = vec![GUARD; whole + 2];
        assert_eq!(call(value, &mut room, whole + 1), (length, left));
        assert_eq!(room[whole..], [0, GUARD]);
        room.truncate(whole);
        (length, left, room)
    };
    let (length, left, mapped) = make(value);
    if name == "Via" {
        assert_eq!((length, left, mapped), (SIMD_IRI_NONE as isize, 0, vec![]));
    } else {
        assert!(length >= 0 && left <= value.len() + 1);
        assert_eq!(make(&mapped), (length, left, mapped));
    }
}

/// The lines of a text, and items between any offsets.
fn batch(number: u32, text: &[u8], offsets: &[u8], capacity: usize) {
    let mut valid = vec![GUARD; capacity + 1];
    let mut count = Count::default();
    let (start, error) = (text.as_ptr().cast(), ptr::null_mut());
    let room = valid.as_mut_ptr();
    let is_done = unsafe {
        simd_iri_validate_lines(number, start, text.len(), room, capacity, &raw mut count, error)
    };
    assert_eq!((is_done, valid[capacity]), (number < 8, GUARD));
    let set: u32 =
        valid.iter().take(count.items.div_ceil(8) as usize).map(|byte| byte.count_ones()).sum();
    if is_done && count.items <= 8 * capacity as u64 {
        assert_eq!(u64::from(set), count.valid);
    }
    let offsets: Vec<i32> = offsets.iter().map(|byte| i32::from(*byte) - 8).collect();
    let wide: Vec<i64> = offsets.iter().map(|offset| i64::from(*offset)).collect();
    let items = offsets.len().saturating_sub(1);
    let mut other = count;
    let (room, narrow) = (valid.as_mut_ptr(), offsets.as_ptr());
    if offsets.is_empty() {
        return;
    }
    let answers = unsafe {
        [
            simd_iri_validate_offsets32(
                number,
                narrow,
                items,
                start,
                text.len(),
                room,
                capacity,
                &raw mut count,
                error,
            ),
            simd_iri_validate_offsets64(
                number,
                wide.as_ptr(),
                items,
                start,
                text.len(),
                room,
                capacity,
                &raw mut other,
                error,
            ),
        ]
    };
    assert_eq!((answers[0], count, valid[capacity]), (answers[1], other, GUARD));
}

/// A target that is parsed is mapped, and its normal form is a URI that is its own normal form.
fn target(text: &[u8]) {
    let parsed = unsafe {
        simd_iri_target_parse(text.as_ptr().cast(), text.len(), ptr::null_mut(), ptr::null_mut())
    };
    let by = |flags: u32, text: &[u8]| {
        let make: Make<'_> =
            &|t, n, b, c, e| unsafe { simd_iri_target_transform(flags, t, n, b, c, e) };
        made(make, text, 0, 0)
    };
    assert_eq!(by(0, text).is_some(), parsed);
    if let Some(normal) = by(SIMD_IRI_FLAG_REPAIR | SIMD_IRI_FLAG_NORMALIZE, text) {
        assert!(normal.is_ascii() && normal.starts_with(b"/"));
        assert_eq!(by(SIMD_IRI_FLAG_NORMALIZE, &normal), Some(normal));
    }
    // Without two slashes and a fragment, a target is an ordinary reference.
    if let (true, Ok(view)) = (parsed && !text.starts_with(b"//"), IriRef::parse_bytes(text)) {
        let uri = ToUri::new().map(view).expect("room");
        assert_eq!(by(0, text).as_deref(), Some(uri.view().as_str().as_bytes()));
    }
}
