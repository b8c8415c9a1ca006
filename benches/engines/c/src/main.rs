//! Parses URLs through C: with this library in Rust and through its shared library, with ada, and with uriparser.
//!
//! This library alone parses all IRIs of the file. The comparison uses only lines for which all libraries give the
//! same answer: ASCII that all accept, that ada leaves unchanged by the URL Standard, and in which uriparser finds
//! the same host. The time of a peer includes the time to free its memory. The libraries run one after another on
//! each chunk of lines. A time is the median of all chunks, and a ratio is the median of the ratios on each chunk.

use std::ffi::{c_char, c_int, c_void};
use std::hint::black_box;
use std::mem::MaybeUninit;
use std::time::Instant;
use std::{env, fs, ptr, slice};

// The type for the C interface of ada.
use ada_url as _;
use simd_iri::Rule;

const ROUNDS: usize = 32;
/// The number of lines in a chunk: so small that a run is seldom interrupted.
const CHUNK: usize = 500;

unsafe extern "C" {
    fn simd_iri_parse(
        rule: u32,
        text: *const c_char,
        length: usize,
        parts: *mut [u32; 8],
        error: *mut [u32; 4],
    ) -> bool;

    fn ada_parse(text: *const c_char, length: usize) -> *mut c_void;
    fn ada_is_valid(url: *mut c_void) -> bool;
    fn ada_get_href(url: *mut c_void) -> Text;
    fn ada_free(url: *mut c_void);

    fn uriParseSingleUriExA(
        uri: *mut Uri,
        first: *const c_char,
        after_last: *const c_char,
        error: *mut *const c_char,
    ) -> c_int;
    fn uriFreeUriMembersA(uri: *mut Uri);
}

/// Parses a line, and tells whether it is valid.
type Parse = fn(&str) -> bool;

/// `ada_string`.
#[repr(C)]
struct Text {
    data: *const c_char,
    length: usize,
}

/// `UriTextRangeA`.
#[repr(C)]
struct Range {
    first: *const c_char,
    after_last: *const c_char,
}

/// `UriUriA`. Only its start is read; the whole is smaller than this.
#[repr(C)]
struct Uri {
    scheme: Range,
    user_info: Range,
    host: Range,
    rest: [usize; 64],
}

fn start(line: &str) -> *const c_char {
    line.as_ptr().cast()
}

fn rust(line: &str) -> bool {
    black_box(Rule::Iri.parse_bytes(line.as_bytes())).is_ok()
}

fn through_c(line: &str) -> bool {
    // As in a C program, these variables have no values before the call, and are not copied after it.
    let (mut parts, mut error) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    // SAFETY: the pointers are those of a text and its length, and of variables of the types in simd_iri.h.
    let is_valid = unsafe {
        simd_iri_parse(0, start(line), line.len(), parts.as_mut_ptr(), error.as_mut_ptr())
    };
    black_box(&parts);
    is_valid
}

fn ada(line: &str) -> bool {
    // SAFETY: the pointer is that of a text and its length; the URL is freed once.
    unsafe {
        let url = ada_parse(start(line), line.len());
        let is_valid = ada_is_valid(url);
        ada_free(url);
        is_valid
    }
}

fn with_uriparser<T>(line: &str, read: impl FnOnce(&Uri) -> T) -> Option<T> {
    let none = || Range { first: ptr::null(), after_last: ptr::null() };
    let mut uri = Uri { scheme: none(), user_info: none(), host: none(), rest: [0; 64] };
    // SAFETY: the pointers are those of the start and the end of a text, and of a variable that is large enough; the
    // members are freed once, and only after a success.
    unsafe {
        let end = start(line).add(line.len());
        let result = uriParseSingleUriExA(&raw mut uri, start(line), end, ptr::null_mut());
        let found = (result == 0).then(|| read(&uri));
        if found.is_some() {
            uriFreeUriMembersA(&raw mut uri);
        }
        found
    }
}

fn uriparser(line: &str) -> bool {
    with_uriparser(line, |_| ()).is_some()
}

/// Tells whether all libraries give the same answer for a line.
fn all_agree(line: &str) -> bool {
    let Ok(parts) = Rule::Uri.parse(line) else { return false };
    // SAFETY: as in `ada`; the text lives as long as the URL.
    let is_same = unsafe {
        let url = ada_parse(start(line), line.len());
        let is_same = ada_is_valid(url) && {
            let href = ada_get_href(url);
            slice::from_raw_parts(href.data.cast::<u8>(), href.length) == line.as_bytes()
        };
        ada_free(url);
        is_same
    };
    let host = with_uriparser(line, |uri| {
        let at = |place: *const c_char| (place as usize).wrapping_sub(line.as_ptr() as usize);
        (!uri.host.first.is_null()).then(|| at(uri.host.first)..at(uri.host.after_last))
    });
    is_same && host == Some(parts.host()) && through_c(line)
}

/// A library, and its function that parses a line.
type Library = (&'static str, Parse);

fn main() {
    let Some(path) = env::args().nth(1) else { panic!("usage: simd-iri-bench-c FILE") };
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let lines: Vec<&str> = text.lines().collect();
    let ours: [Library; 2] = [("Rust", rust), ("C", through_c)];
    println!("{} lines", lines.len());
    compare("IRIs", &only(&lines, rust), &ours);
    let agreed = only(&lines, |line| line.is_ascii() && all_agree(line));
    compare(
        "URLs on which all agree",
        &agreed,
        &[ours[0], ours[1], ("ada", ada), ("uriparser", uriparser)],
    );
}

fn only<'t>(lines: &[&'t str], is_taken: impl Fn(&str) -> bool) -> Vec<&'t str> {
    lines.iter().copied().filter(|line| is_taken(line)).collect()
}

/// Prints the times of libraries on lines that all accept.
fn compare(what: &str, lines: &[&str], libraries: &[Library]) {
    if lines.is_empty() {
        return;
    }
    let bytes: usize = lines.iter().map(|line| line.len()).sum();
    println!("\n{} {what}, {} bytes a line", lines.len(), bytes / lines.len());
    let mut times = vec![Vec::new(); libraries.len()];
    for round in 0..=ROUNDS {
        for chunk in lines.chunks(CHUNK) {
            // In each round another library is first: it finds the lines in no cache.
            for number in (0..libraries.len()).map(|number| (number + round) % libraries.len()) {
                let (_, parse) = libraries[number];
                let begin = Instant::now();
                let valid = chunk.iter().filter(|line| parse(line)).count();
                let nanoseconds = begin.elapsed().as_secs_f64() * 1e9 / chunk.len() as f64;
                assert_eq!(valid, chunk.len());
                // The first round warms the caches of code.
                if round > 0 {
                    times[number].push(nanoseconds);
                }
            }
        }
    }
    println!(
        "{:10} {:>10} {:>24} {:>24}",
        "", "ns a line", "times that of Rust", "times that of C"
    );
    for ((name, _), own) in libraries.iter().zip(&times) {
        let ratio = |other: &[f64]| median(own.iter().zip(other).map(|(a, b)| a / b).collect());
        let (to_rust, to_c) = (ratio(&times[0]), ratio(&times[1]));
        println!("{name:10} {:10.1} {to_rust:24.2} {to_c:24.2}", median(own.clone()));
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
