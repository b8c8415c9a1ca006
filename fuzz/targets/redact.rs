//! Any bytes: by any options, every range that is redacted lies in the input and in order, and every byte outside the
//! ranges stays. A redacted text is its own redacted text. Text and bytes give the same result. A secret that is planted in a
//! valid place is never in the output.
#![no_main]

use libfuzzer_sys::fuzz_target;
use simd_iri_redact::{Redact, RedactPart, RedactUserinfo, SecretSet};

/// A text that the input hardly has.
const SECRET: &[u8] = b"5ecRet-0f-This-Run";

fuzz_target!(|bytes: &[u8]| {
    let [first, second, bytes @ ..] = bytes else { return };
    let flag = |bit: u8| first >> bit & 1 != 0;
    let all = SecretSet::ALL.iter().fold(Redact::none(), |redact, set| redact.set(*set));
    let redact = all
        .raw(flag(0))
        .whatwg(flag(1))
        .semicolons(flag(2))
        .fragment(flag(3))
        .data(flag(4))
        .nested(first >> 5)
        .any_case(second & 1 != 0)
        .part(one(RedactPart::ALL, second >> 1))
        .userinfo(one(RedactUserinfo::ALL, second >> 3))
        .replacement(if second >> 5 & 1 != 0 { "*" } else { "REDACTED" })
        .expect("a replacement");
    let redacted = check(redact, bytes);
    let again: Vec<_> = redact.redactions(&redacted).collect();
    assert!(again.is_empty(), "{} of {}: {again:?}", redacted.escape_ascii(), bytes.escape_ascii());
    planted(all, bytes);
});

fn one<T: Copy>(values: &[T], number: u8) -> T {
    values[usize::from(number) % values.len()]
}

/// Redacts bytes, and compares the result with the ranges.
fn check(redact: Redact<'_>, bytes: &[u8]) -> Vec<u8> {
    let (mut expected, mut done) = (Vec::new(), 0);
    for one in redact.redactions(bytes) {
        let span = one.span();
        assert!(done <= span.start && span.end <= bytes.len() && one.key().end <= span.start);
        expected.extend_from_slice(&bytes[done..span.start]);
        expected.extend_from_slice(one.to_string().as_bytes());
        done = span.end;
    }
    expected.extend_from_slice(&bytes[done..]);
    assert_eq!(redact.redact_bytes(bytes), expected);
    if let Ok(text) = std::str::from_utf8(bytes) {
        assert_eq!(redact.redact(text).as_bytes(), expected);
        assert_eq!(redact.wrap(text).to_string().as_bytes(), expected);
    }
    expected
}

/// Plants a secret with the input before and after it.
fn planted(redact: Redact<'_>, bytes: &[u8]) {
    let without = |ends: &[u8]| -> Vec<u8> {
        bytes.iter().copied().filter(|byte| !ends.contains(byte)).collect()
    };
    let (user, value) = (without(b"/?#\\"), without(b"&#"));
    let texts = [
        [b"https://", &user[..], SECRET, &user, b"@h"].concat(),
        [b"x://u:", &user[..], SECRET, &user, b"@h/"].concat(),
        [b"/?a=b&password=", &value[..], SECRET, &value, b"&c"].concat(),
        [b"/?x%5Bpa%73sword%5D=", &value[..], SECRET].concat(),
        [b"/#access_token=", &value[..], SECRET].concat(),
    ];
    for text in texts {
        let redacted = redact.redact_bytes(&text);
        let is_left = redacted.windows(SECRET.len()).any(|part| part == SECRET);
        assert!(!is_left, "{} of {}", redacted.escape_ascii(), text.escape_ascii());
    }
}
