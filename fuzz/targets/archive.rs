//! Bytes: each profile has a key for them, through each entry, whatever the options. A CDX key is a field of an index, and
//! is in its own range.
#![no_main]

use libfuzzer_sys::fuzz_target;
use simd_iri_archive::{Keys, Profile, Scope, Www, aggressive};

fuzz_target!(|bytes: &[u8]| {
    let Some((switches, text)) = bytes.split_first() else { return };
    let is_set = |bit: u32| switches >> bit & 1 == 1;
    for profile in Profile::ALL {
        let plain = Keys::new(*profile);
        let www = if is_set(0) { Www::All } else { Www::Keep };
        let set = plain.www(www).slash(is_set(1)).session_ids(is_set(2)).sort(is_set(3));
        let set = set.case(is_set(4)).scheme(is_set(5)).comma(is_set(6)).reverse_ip(is_set(7));
        for keys in [plain, set, set.aggressive(true)] {
            check(keys, text);
        }
    }
    if let Ok(text) = std::str::from_utf8(text) {
        let _ = aggressive(text);
    }
});

fn check(keys: Keys, text: &[u8]) {
    let mut key = Vec::new();
    let has_key = keys.key_bytes_into(text, &mut key);
    assert!(has_key || key == text, "{text:?}");
    let is_about =
        [&b"filedesc"[..], b"warcinfo", b"dns:"].iter().any(|start| text.starts_with(start));
    if has_key && keys.profile().is_cdx() && !is_about {
        assert!(key.iter().all(|byte| byte.is_ascii() && *byte > b' '), "{text:?}: {key:?}");
    }
    let Ok(text) = std::str::from_utf8(text) else { return };
    let made = keys.key(text);
    assert_eq!(made.as_str().as_bytes(), key, "{text:?}");
    assert_eq!(made.is_rejected(), !has_key, "{text:?}");
    for scope in Scope::ALL {
        let Some(range) = keys.range(text, *scope) else { continue };
        assert!(range.start() < range.end(), "{text:?}");
        if *scope == Scope::Exact {
            assert!(range.contains(made.as_str()), "{text:?}");
        }
    }
}
