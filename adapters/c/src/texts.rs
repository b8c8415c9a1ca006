//! The functions that C calls and that make a text. `include/simd_iri.h` says what they do.
#![expect(unsafe_code, reason = "C calls these functions with pointers")]
#![expect(clippy::missing_safety_doc, reason = "`interface` has the contract of all functions")]

use core::ffi::c_char;

use crate::call::{answer, arguments, found, put, written, written_part};
use crate::types::*;
use crate::work::{self, Failure, with_strings};
use crate::{memory, rules, target, template};

/// Maps an IRI reference to a URI reference.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_to_uri(
    flags: u32,
    text: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    arguments! {
        text = text(text, length, 2);
        room = buffer(buffer, capacity, 4);
        error = place(error);
    }
    written(room, error, |strings| work::to_uri(flags, text?, &mut strings.out))
}

/// Maps a URI reference to an IRI reference.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_to_iri(
    flags: u32,
    text: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    arguments! {
        text = text(text, length, 2);
        room = buffer(buffer, capacity, 4);
        error = place(error);
    }
    written(room, error, |strings| work::to_iri(flags, text?, &mut strings.out))
}

/// Normalizes a text that matches a start rule.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_normalize(
    rule: u32,
    level: u32,
    text: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    arguments! {
        text = text(text, length, 3);
        room = buffer(buffer, capacity, 5);
        error = place(error);
    }
    written(room, error, |strings| work::normalize(rule, level, text?, &mut strings.out))
}

/// Resolves a reference relative to a base.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_resolve(
    flags: u32,
    base: *const c_char,
    base_length: usize,
    text: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    arguments! {
        base = text(base, base_length, 2);
        text = text(text, length, 4);
        room = buffer(buffer, capacity, 6);
        error = place(error);
    }
    written(room, error, |strings| work::resolve(flags, base?, text?, &mut strings.out))
}

/// Makes a reference of an arbitrary text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_prepare(
    profile: u32,
    flags: u32,
    text: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    arguments! {
        text = text(text, length, 3);
        room = buffer(buffer, capacity, 5);
        error = place(error);
    }
    written(room, error, |strings| work::prepare(profile, flags, text?, &mut strings.out))
}

/// Writes the key by which a reference is compared.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_key(
    level: u32,
    text: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    arguments! {
        text = text(text, length, 2);
        room = buffer(buffer, capacity, 4);
        error = place(error);
    }
    written(room, error, |strings| work::key(level, text?, &mut strings.out))
}

/// Writes the origin of a reference.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_origin(
    text: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    arguments! {
        text = text(text, length, 1);
        room = buffer(buffer, capacity, 3);
        error = place(error);
    }
    found(room, error, |strings| work::origin(text?, &mut strings.out))
}

/// Writes the decoded value of the first pair of the query that has a name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_query_value(
    name: *const c_char,
    name_length: usize,
    text: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    arguments! {
        name = text(name, name_length, 1);
        text = text(text, length, 3);
        room = buffer(buffer, capacity, 5);
        error = place(error);
    }
    found(room, error, |strings| work::query_value(name?, text?, &mut strings.out))
}

/// Writes a text with a mask in place of what may be a password.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_masked(
    text: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    arguments! {
        text = text(text, length, 1);
        room = buffer(buffer, capacity, 3);
        error = place(error);
    }
    written(room, error, |strings| {
        work::masked(text?, &mut strings.out);
        Ok(())
    })
}

/// Writes a text without its secrets.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_redact(
    part: u32,
    flags: u32,
    sets: *const c_char,
    sets_length: usize,
    text: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    arguments! {
        sets = text(sets, sets_length, 3);
        text = text(text, length, 5);
        room = buffer(buffer, capacity, 7);
        error = place(error);
    }
    written_part(room, error, |strings| {
        work::redact(part, flags, sets?, text?, &mut strings.scratch)?;
        Ok(&strings.scratch)
    })
}

/// Writes the key by which web archives find an address.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_archive_key(
    profile: u32,
    text: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    arguments! {
        text = text(text, length, 2);
        room = buffer(buffer, capacity, 4);
        error = place(error);
    }
    written_part(room, error, |strings| {
        work::archive_key(profile, text?, &mut strings.scratch)?;
        Ok(&strings.scratch)
    })
}

/// Judges a URL before it is fetched, and writes the URL to send.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_judge(
    flags: u32,
    text: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    verdict: *mut Verdict,
    error: *mut Error,
) -> isize {
    arguments! {
        text = text(text, length, 2);
        room = buffer(buffer, capacity, 4);
        verdict = place(verdict);
        error = place(error);
    }
    // After an error, too, the verdict refuses the text.
    verdict.store(Verdict::default());
    found(room, error, |strings| {
        let (judged, url) = work::judge(flags, text?, &mut strings.out)?;
        verdict.store(judged);
        Ok(url)
    })
}

/// Writes the range because of which an address is refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_judge_address(
    address: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    arguments! {
        address = text(address, length, 1);
        room = buffer(buffer, capacity, 3);
        error = place(error);
    }
    found(room, error, |strings| work::judge_address(address?, &mut strings.out))
}

/// Writes a link without its wrappers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_unwrap(
    levels: u32,
    rules: *const QueryRules,
    text: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    arguments! {
        rules = rules(rules);
        text = text(text, length, 3);
        room = buffer(buffer, capacity, 5);
        error = place(error);
    }
    written(room, error, |strings| rules::unwrap(levels, rules, text?, &mut strings.out))
}

/// Writes a reference without the pairs of the query that rules name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_query_rules_apply(
    rules: *const QueryRules,
    text: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    arguments! {
        rules = rules(rules);
        text = text(text, length, 2);
        room = buffer(buffer, capacity, 4);
        error = place(error);
    }
    written(room, error, |strings| {
        rules::apply(rules.ok_or(Failure::Argument(1))?, text?, &mut strings.out)
    })
}

/// Puts values into the place of the expressions of a template.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_template_expand(
    flags: u32,
    template_text: *const c_char,
    template_length: usize,
    variables: *const Variable,
    count: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    arguments! {
        template = text(template_text, template_length, 2);
        variables = variables(variables, count, 4);
        room = buffer(buffer, capacity, 6);
        error = place(error);
    }
    written(room, error, |strings| template::expand(flags, template?, variables?, &mut strings.out))
}

/// Makes an IRI relative to a base.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_relativize(
    base: *const c_char,
    base_length: usize,
    text: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    arguments! {
        base = text(base, base_length, 1);
        text = text(text, length, 3);
        room = buffer(buffer, capacity, 5);
        error = place(error);
    }
    written(room, error, |strings| work::relativize(base?, text?, &mut strings.out))
}

/// Maps an IRI reference to a URI reference whose query is in a legacy charset.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_to_uri_in_charset(
    charset: *const c_char,
    charset_length: usize,
    text: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    arguments! {
        charset = text(charset, charset_length, 1);
        text = text(text, length, 3);
        room = buffer(buffer, capacity, 5);
        error = place(error);
    }
    written(room, error, |strings| work::to_uri_in_charset(charset?, text?, &mut strings.out))
}

/// Writes the reference that a text stands for in a legacy charset.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_interpret(
    charset: *const c_char,
    charset_length: usize,
    text: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    arguments! {
        charset = text(charset, charset_length, 1);
        text = text(text, length, 3);
        room = buffer(buffer, capacity, 5);
        error = place(error);
    }
    found(room, error, |strings| work::interpret(charset?, text?, &mut strings.out))
}

/// Replaces or removes a component of a reference.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_set_component(
    component: u32,
    value: *const c_char,
    value_length: usize,
    text: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    arguments! {
        value = optional(value, value_length, 2);
        text = text(text, length, 4);
        room = buffer(buffer, capacity, 6);
        error = place(error);
    }
    written(room, error, |strings| work::set_component(component, value?, text?, &mut strings.out))
}

/// Builds a reference from components.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_build(
    flags: u32,
    components: *const Components,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    arguments! {
        components = components(components, 2);
        room = buffer(buffer, capacity, 3);
        error = place(error);
    }
    written(room, error, |strings| work::build(flags, components?, &mut strings.out))
}

/// Removes the pairs of the query that have a name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_drop_query_pairs(
    name: *const c_char,
    name_length: usize,
    text: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    arguments! {
        name = text(name, name_length, 1);
        text = text(text, length, 3);
        room = buffer(buffer, capacity, 5);
        error = place(error);
    }
    written(room, error, |strings| work::drop_query_pairs(name?, text?, &mut strings.out))
}

/// Percent-encodes a value for a place in a URI.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_percent_encode(
    place: u32,
    text: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    arguments! {
        text = text(text, length, 2);
        room = buffer(buffer, capacity, 4);
        error = place(error);
    }
    written(room, error, |strings| work::percent_encode(place, text?, &mut strings.out))
}

/// Percent-decodes a value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_percent_decode(
    text: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    arguments! {
        text = text(text, length, 1);
        room = buffer(buffer, capacity, 3);
        error = place(error);
    }
    written_part(room, error, |strings| {
        strings.scratch = work::percent_decode(text?)?;
        Ok(&strings.scratch)
    })
}

/// Makes the `file` IRI of a name on a POSIX system.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_from_posix_path(
    name: *const c_char,
    name_length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    arguments! {
        name = text(name, name_length, 1);
        room = buffer(buffer, capacity, 3);
        error = place(error);
    }
    written(room, error, |strings| work::from_posix_path(name?, &mut strings.out))
}

/// Makes the `file` IRI of a name on Windows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_from_windows_path(
    name: *const c_char,
    name_length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    arguments! {
        name = text(name, name_length, 1);
        room = buffer(buffer, capacity, 3);
        error = place(error);
    }
    written(room, error, |strings| work::from_windows_path(name?, &mut strings.out))
}

/// Writes the name on a POSIX system that a `file` IRI identifies.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_to_posix_path(
    text: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    arguments! {
        text = text(text, length, 1);
        room = buffer(buffer, capacity, 3);
        error = place(error);
    }
    written_part(room, error, |strings| {
        strings.scratch = work::to_posix_path(text?)?;
        Ok(&strings.scratch)
    })
}

/// Writes the name on Windows that a `file` IRI identifies.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_to_windows_path(
    text: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    arguments! {
        text = text(text, length, 1);
        room = buffer(buffer, capacity, 3);
        error = place(error);
    }
    written(room, error, |strings| work::to_windows_path(text?, &mut strings.out))
}

/// Writes a reference with the escapes of a document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_escape(
    format: u32,
    flags: u32,
    text: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    arguments! {
        text = text(text, length, 3);
        room = buffer(buffer, capacity, 5);
        error = place(error);
    }
    written(room, error, |strings| work::escape(format, flags, text?, &mut strings.out))
}

/// Decodes the escapes of a document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_unescape(
    format: u32,
    text: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    arguments! {
        text = text(text, length, 2);
        room = buffer(buffer, capacity, 4);
        error = place(error);
    }
    written(room, error, |strings| work::unescape(format, text?, &mut strings.out))
}

/// Writes a host in ASCII.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_host_to_ascii(
    host: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    arguments! {
        host = text(host, length, 1);
        room = buffer(buffer, capacity, 3);
        error = place(error);
    }
    written(room, error, |strings| work::host_to_ascii(host?, &mut strings.out))
}

/// Writes a host in Unicode.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_host_to_unicode(
    host: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    arguments! {
        host = text(host, length, 1);
        room = buffer(buffer, capacity, 3);
        error = place(error);
    }
    written(room, error, |strings| work::host_to_unicode(host?, &mut strings.out))
}

/// Repairs, normalizes or maps the target of an HTTP request in origin-form.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_target_transform(
    flags: u32,
    target: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    arguments! {
        bytes = text(target, length, 2);
        room = buffer(buffer, capacity, 4);
        error = place(error);
    }
    written_part(room, error, |strings| target::transform(flags, bytes?, strings))
}

/// Writes the names that a legacy target may stand for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_target_names(
    target: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    arguments! {
        bytes = text(target, length, 1);
        room = buffer(buffer, capacity, 3);
        error = place(error);
    }
    written(room, error, |strings| target::names(bytes?, strings))
}

/// Maps the references in the value of a field of HTTP.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_field_to_uri(
    flags: u32,
    name: *const c_char,
    name_length: usize,
    value: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    left: *mut usize,
    error: *mut Error,
) -> isize {
    arguments! {
        name = text(name, name_length, 2);
        value = text(value, length, 4);
        room = buffer(buffer, capacity, 6);
        left = place(left);
        error = place(error);
    }
    let mut written = -1;
    let make = || {
        let room = room?;
        memory::put(&[], room);
        let Some(field) = work::field(name?) else {
            written = SIMD_IRI_NONE as isize;
            return Ok(0);
        };
        with_strings(|strings| {
            let (mapped, left) = work::field_to_uri(flags, field, value?, strings)?;
            written = put(mapped, room);
            Ok(left)
        })
    };
    answer(make, left, error);
    written
}
