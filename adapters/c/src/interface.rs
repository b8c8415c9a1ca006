//! The functions that C calls and that do not make a text. `include/simd_iri.h` says what they do.
//!
//! Each function turns its pointers into slices, calls `work` or `target`, and stores the answer. A panic does not
//! leave a function: it becomes the error `SIMD_IRI_ERROR_INTERNAL`. `texts` has the functions that make a text.
//!
//! # Safety
//! This contract holds for every function, here and in `texts`. A text, which is a pointer and a length, can be read. A
//! buffer, which is a pointer and a capacity, can be written, and overlaps nothing else. A pointer to rules is null, or of
//! `simd_iri_query_rules_new`, and is not used during or after its only call of `simd_iri_query_rules_free`. Other pointers
//! are null or point to a value of their type, aligned or not.
#![expect(unsafe_code, reason = "C calls these functions with pointers")]
#![expect(clippy::missing_safety_doc, reason = "the contract of all functions is above")]

use core::ffi::c_char;
use core::fmt::Write;
use core::mem::MaybeUninit;
use core::ptr;

use simd_iri::batch::{Batch, IntoItems, Offset, Separated, TextColumn};
use simd_iri::{Component, parser::CpuLevel};

use crate::call::{
    ARGUMENT, DOT_SEGMENT, ESCAPE, FILE_NAME, INTERNAL, PREFIX_OF_LIST, RULES, Room, TEMPLATE,
    answer, arguments, as_array, caught, made,
};
use crate::memory::{self, Message};
use crate::types::*;
use crate::work::{self, Failure, Uncompared};
use crate::{rules, target, template};

/// Parses a text by a start rule.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_parse(
    rule: u32,
    text: *const c_char,
    length: usize,
    parts: *mut Parts,
    error: *mut Error,
) -> bool {
    arguments! {
        text = text(text, length, 2);
        parts = place(as_array(parts));
        error = place(error);
    }
    // PERF: no `?` and no `answer` between the parser and the memory of the caller. In a `Result<_, Failure>`, the
    // offsets share their memory with the fields of an error, and the compiler moves them in pieces of 4, 8, 4 and 16
    // bytes. A caller that copies them with loads of 16 bytes then waits for those stores: a quarter of the time of a
    // parse.
    let run = || match work::rule(rule)?.parse_bytes(text?) {
        Ok(found) => {
            parts.store(found.offsets());
            Ok(())
        }
        Err(error) => Err(Failure::Refused(error)),
    };
    made(run, error).is_some()
}

/// Tells whether a text matches a start rule.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_is_valid(rule: u32, text: *const c_char, length: usize) -> bool {
    arguments! { text = text(text, length, 2); }
    caught(|| Ok(work::rule(rule)?.is_valid_bytes(text?))).unwrap_or(false)
}

/// Stores the violations of a start rule in a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_violations(
    rule: u32,
    text: *const c_char,
    length: usize,
    violations: *mut Error,
    capacity: usize,
    error: *mut Error,
) -> isize {
    arguments! {
        text = text(text, length, 2);
        room = places(violations, capacity, 4);
        error = place(error);
    }
    let make = || {
        let mut places = room?;
        let store = |violation| {
            if let Some(place) = places.next() {
                place.store(violation);
            }
        };
        work::violations(rule, text?, store)
    };
    // A text has fewer than 2^32 bytes and violations.
    made(make, error).map_or(-1, |count| count as isize)
}

/// Returns the kind of the host of a reference.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_host_kind(
    text: *const c_char,
    length: usize,
    error: *mut Error,
) -> i32 {
    arguments! {
        text = text(text, length, 1);
        error = place(error);
    }
    made(|| work::host_kind(text?), error).unwrap_or(-1)
}

/// Returns the port of a reference, or the port that its scheme implies.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_port(
    text: *const c_char,
    length: usize,
    error: *mut Error,
) -> i32 {
    arguments! {
        text = text(text, length, 1);
        error = place(error);
    }
    made(|| work::port(text?), error).unwrap_or(-1)
}

/// Tells whether a text is the name of a host.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_is_hostname(
    flags: u32,
    text: *const c_char,
    length: usize,
) -> bool {
    arguments! { text = text(text, length, 2); }
    caught(|| work::is_hostname(flags, text?)).unwrap_or(false)
}

/// Stores the fingerprint of a reference: two numbers of 64 bits, the lower one first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_fingerprint(
    level: u32,
    text: *const c_char,
    length: usize,
    fingerprint: *mut u64,
    error: *mut Error,
) -> bool {
    arguments! {
        text = text(text, length, 2);
        fingerprint = place(fingerprint.cast::<[u64; 2]>());
        error = place(error);
    }
    let make = || {
        let whole = work::fingerprint(level, text?)?;
        Ok([whole as u64, (whole >> 64) as u64])
    };
    answer(make, fingerprint, error)
}

/// Compares two references by their keys.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_compare(
    level: u32,
    first: *const c_char,
    first_length: usize,
    second: *const c_char,
    second_length: usize,
    error: *mut Error,
) -> i32 {
    arguments! {
        first = text(first, first_length, 2);
        second = text(second, second_length, 4);
        error = place(error);
    }
    let mut refused = SIMD_IRI_FIRST_REFUSED;
    let make = || {
        let compared = work::compare(level, first, second);
        compared.map_err(|Uncompared { is_second, failure }| {
            refused = if is_second { SIMD_IRI_SECOND_REFUSED } else { SIMD_IRI_FIRST_REFUSED };
            failure
        })
    };
    made(make, error).unwrap_or(refused)
}

/// Parses the target of an HTTP request in origin-form.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_target_parse(
    target: *const c_char,
    length: usize,
    parts: *mut Parts,
    error: *mut Error,
) -> bool {
    arguments! {
        bytes = text(target, length, 1);
        parts = place(as_array(parts));
        error = place(error);
    }
    answer(|| target::parse(bytes?), parts, error)
}

/// Stores the values that a template finds in a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_template_match(
    flags: u32,
    template_text: *const c_char,
    template_length: usize,
    text: *const c_char,
    length: usize,
    captures: *mut Capture,
    capacity: usize,
    error: *mut Error,
) -> isize {
    arguments! {
        template = text(template_text, template_length, 2);
        text = text(text, length, 4);
        room = places(captures, capacity, 6);
        error = place(error);
    }
    let make = || {
        let mut places = room?;
        let store = |capture| {
            if let Some(place) = places.next() {
                place.store(capture);
            }
        };
        template::matched(flags, template?, text?, store)
    };
    // A text has fewer than 2^32 bytes, and a template fewer variables.
    made(make, error)
        .map_or(-1, |count| count.map_or(SIMD_IRI_NONE as isize, |count| count as isize))
}

/// Reads rules for queries. The caller ends them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_query_rules_new(
    format: u32,
    flags: u32,
    text: *const c_char,
    length: usize,
    error: *mut Error,
) -> *mut QueryRules {
    arguments! {
        text = text(text, length, 3);
        error = place(error);
    }
    let make = || rules::read(format, flags, text?).map(memory::boxed);
    made(make, error).unwrap_or(ptr::null_mut())
}

/// Ends rules for queries.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_query_rules_free(rules: *mut QueryRules) {
    // A panic while memory is given back leaves nothing to report.
    let _ = caught(|| {
        // SAFETY: the contract of all functions.
        unsafe { memory::free(rules) };
        Ok(())
    });
}

/// Stores why lines of a filter list are not applied.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_query_rules_skipped(
    rules: *const QueryRules,
    skipped: *mut Error,
    capacity: usize,
    error: *mut Error,
) -> isize {
    arguments! {
        rules = rules(rules);
        room = places(skipped, capacity, 2);
        error = place(error);
    }
    let make = || {
        let (rules, mut places) = (rules.ok_or(Failure::Argument(1))?, room?);
        let store = |skipped| {
            if let Some(place) = places.next() {
                place.store(skipped);
            }
        };
        Ok(rules::skipped(rules, store))
    };
    // A text has fewer lines than `isize::MAX`.
    made(make, error).map_or(-1, |count| count as isize)
}

/// Validates the items of a batch. Writes a bit for each item into `room`; bits that do not fit into `room` are left
/// out.
fn validated<'a>(
    rule: u32,
    items: impl IntoItems<'a>,
    room: &mut [MaybeUninit<u8>],
) -> Result<Count, Failure> {
    let mut count = Count::default();
    let mut places = room.iter_mut();
    let mut write = |byte| {
        places.next().map(|place| place.write(byte));
    };
    // A chunk may end within a byte. `bits` holds the bits that do not fill a byte yet, and `held` is their number. For
    // example, after a chunk of 11 items, one byte is written and `held` is 3. The next chunk begins at bit 3 of the
    // second byte.
    let (mut bits, mut held) = (0_u16, 0);
    Batch::new(work::rule(rule)?).each_validity(items, |words, number| {
        let bytes = words.into_iter().flat_map(u64::to_le_bytes);
        for (byte, first) in bytes.zip((0..number).step_by(8)) {
            bits |= u16::from(byte) << held;
            held += (number - first).min(8);
            if held >= 8 {
                let [whole, rest] = bits.to_le_bytes();
                write(whole);
                (bits, held) = (u16::from(rest), held - 8);
            }
        }
        count.items += number as u64;
        count.valid += words.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
    });
    if held > 0 {
        let [rest, _] = bits.to_le_bytes();
        write(rest);
    }
    Ok(count)
}

/// Validates the lines of a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_validate_lines(
    rule: u32,
    text: *const c_char,
    length: usize,
    valid: *mut u8,
    capacity: usize,
    count: *mut Count,
    error: *mut Error,
) -> bool {
    arguments! {
        text = text(text, length, 2);
        room = buffer(valid, capacity, 4);
        count = place(count);
        error = place(error);
    }
    answer(|| validated(rule, Separated::lines(text?), room?), count, error)
}

/// Validates the items between offsets. Without offsets there are no items.
fn validated_column<O: Offset>(
    rule: u32,
    offsets: Result<&[O], Failure>,
    text: Result<&[u8], Failure>,
    room: Room<'_>,
) -> Result<Count, Failure> {
    let (offsets, text) = (offsets?, text?);
    if offsets.is_empty() {
        return validated(rule, Separated::lines(b""), room?);
    }
    let column = TextColumn::new(offsets, text).map_err(|_| Failure::Argument(2))?;
    validated(rule, column, room?)
}

/// Validates the items between offsets of 32 bits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_validate_offsets32(
    rule: u32,
    offsets: *const i32,
    items: usize,
    text: *const c_char,
    length: usize,
    valid: *mut u8,
    capacity: usize,
    count: *mut Count,
    error: *mut Error,
) -> bool {
    arguments! {
        offsets = offsets(offsets, items, 2);
        text = text(text, length, 4);
        room = buffer(valid, capacity, 6);
        count = place(count);
        error = place(error);
    }
    answer(|| validated_column(rule, offsets, text, room), count, error)
}

/// Validates the items between offsets of 64 bits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_validate_offsets64(
    rule: u32,
    offsets: *const i64,
    items: usize,
    text: *const c_char,
    length: usize,
    valid: *mut u8,
    capacity: usize,
    count: *mut Count,
    error: *mut Error,
) -> bool {
    arguments! {
        offsets = offsets(offsets, items, 2);
        text = text(text, length, 4);
        room = buffer(valid, capacity, 6);
        count = place(count);
        error = place(error);
    }
    answer(|| validated_column(rule, offsets, text, room), count, error)
}

/// Writes a message into a buffer. Returns its length.
fn told(room: Room<'_>, tell: impl FnOnce(&mut Message<'_>)) -> usize {
    let result = caught(|| {
        let mut message = Message::new(room?);
        tell(&mut message);
        Ok(message.length)
    });
    result.unwrap_or(0)
}

/// Writes the message of an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_error_message(
    error: *const Error,
    buffer: *mut c_char,
    capacity: usize,
) -> usize {
    arguments! {
        error = load(error);
        room = buffer(buffer, capacity, 2);
    }
    let error = error.unwrap_or_default();
    told(room, |message| {
        // Writing a message does not fail.
        let _ = match (error.of_library(), error.kind) {
            (Some(error), _) => write!(message, "{error}"),
            (None, 0) => write!(message, "no error"),
            (None, ARGUMENT) => write!(
                message,
                "argument {} is not what the function asks for; simd_iri.h says what it must be",
                error.hint
            ),
            (None, INTERNAL) => write!(message, "the library failed; please report it as a defect"),
            (None, TEMPLATE) => match template::error(error) {
                Some(error) => write!(message, "{error}"),
                None => write!(message, "the template is invalid"),
            },
            (None, PREFIX_OF_LIST) => write!(message, "{}", template::prefix_error(error)),
            (None, RULES) => match rules::error(error) {
                Some(error) => write!(message, "{error}"),
                None => write!(message, "the rules are invalid"),
            },
            (None, DOT_SEGMENT) => write!(
                message,
                "no reference resolves to a target with the dot segment at byte {}; remove its dot segments first",
                error.start
            ),
            (None, ESCAPE) => write!(
                message,
                "the escape at byte {} does not stand for a character; correct the escape",
                error.start
            ),
            (None, FILE_NAME) => match work::of_file_name(error.hint) {
                Some(reason) => write!(message, "{reason}"),
                None => write!(message, "a file name has no IRI"),
            },
            (None, _) => {
                write!(message, "this is not an error of simd_iri; pass an error unchanged")
            }
        };
    })
}

/// Writes the name of the kind of an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_error_name(
    error: *const Error,
    buffer: *mut c_char,
    capacity: usize,
) -> usize {
    arguments! {
        error = load(error);
        room = buffer(buffer, capacity, 2);
    }
    let error = error.unwrap_or_default();
    told(room, |message| {
        let _ = message.write_str(match (error.of_library(), error.kind) {
            (Some(error), _) => error.kind().name(),
            (None, 0) => "none",
            (None, ARGUMENT) => "argument",
            (None, TEMPLATE) => "template",
            (None, PREFIX_OF_LIST) => "prefix-of-list",
            (None, RULES) => rules::error(error).map_or("rules", |error| error.kind().name()),
            (None, DOT_SEGMENT) => "dot-segment",
            (None, ESCAPE) => "escape",
            (None, FILE_NAME) => "file-name",
            (None, INTERNAL) => "internal",
            (None, _) => "unknown",
        });
    })
}

/// Writes the name of the component of an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_error_component(
    error: *const Error,
    buffer: *mut c_char,
    capacity: usize,
) -> usize {
    arguments! {
        error = load(error);
        room = buffer(buffer, capacity, 2);
    }
    let error = error.unwrap_or_default();
    told(room, |message| {
        let component = error.of_library().map(simd_iri::Error::component);
        let _ = message.write_str(component.unwrap_or(Component::Reference).name());
    })
}

/// Writes the name of the CPU level that is used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_cpu_level(buffer: *mut c_char, capacity: usize) -> usize {
    arguments! { room = buffer(buffer, capacity, 1); }
    told(room, |message| {
        let _ = message.write_str(CpuLevel::best().name());
    })
}

/// Returns the version of the library.
#[unsafe(no_mangle)]
pub extern "C" fn simd_iri_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}
