//! The scanners of CSV and of JSON find what the crates `csv` and `serde_json` find, and a text that is written over
//! a field is read back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde::de::IgnoredAny;
use serde_json::Value;
use simd_iri_cli::fuzzing::{csv_ends, csv_field, csv_rows, json_find, json_members};

fuzz_target!(|bytes: &[u8]| {
    csv(bytes);
    json(bytes);
});

/// The crate `csv` ends records at a lone carriage return, which the program does not, and skips a
/// byte-order mark, which the program has read before.
fn csv(bytes: &[u8]) {
    let text: Vec<u8> = bytes.iter().copied().filter(|byte| *byte != b'\r').collect();
    for delimiter in [b',', b'\t', b';'] {
        if let Some(rows) =
            csv_rows(&text, delimiter).filter(|_| !text.starts_with(b"\xEF\xBB\xBF"))
        {
            let mut peer = csv::ReaderBuilder::new();
            let peer = peer.has_headers(false).flexible(true).delimiter(delimiter);
            let found = peer.from_reader(&*text).into_byte_records().map(|row| {
                row.expect("a slice is read").iter().map(<[u8]>::to_vec).collect::<Vec<_>>()
            });
            assert!(rows.iter().cloned().eq(found));
            // A carriage return before each newline that ends a row changes nothing.
            let mut written = Vec::new();
            for row in &rows {
                for (number, field) in row.iter().enumerate() {
                    written.extend(if number > 0 { vec![delimiter] } else { vec![] });
                    written.extend(csv_field(b"", field, delimiter, row.len() == 1));
                }
                written.extend_from_slice(b"\r\n");
            }
            assert_eq!(csv_rows(&written, delimiter), Some(rows));
        }
        // The ends of records do not depend on where a read ends.
        let whole = csv_ends(&text, delimiter, 0);
        for cut in [1, text.len() / 3, text.len() / 2, text.len().saturating_sub(1)] {
            assert_eq!(csv_ends(&text, delimiter, cut), whole);
        }
    }
}

fn json(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        assert!(json_find(bytes, &[]).is_err());
        return;
    };
    let is_json = serde_json::from_str::<IgnoredAny>(text).is_ok();
    assert_eq!(json_find(bytes, &[]).is_ok(), is_json);
    // Values have limits that the scanners do not have: the depth, the range of numbers, halves of surrogate pairs.
    let Ok(value) = serde_json::from_str::<Value>(text) else { return };
    let mut pending = vec![(Vec::<String>::new(), &value)];
    let mut looks = 0;
    while let Some((path, value)) = pending.pop() {
        let span = json_find(bytes, &path).expect("it is JSON").expect("it has the value");
        let found: Value = serde_json::from_str(&text[span]).expect("a value is JSON");
        assert_eq!(found, *value);
        let mut absent = path.clone();
        absent.push("no such name".to_owned());
        if value.get("no such name").is_none() {
            assert_eq!(json_find(bytes, &absent), Ok(None));
        }
        looks += 1;
        if looks > 20 {
            return;
        }
        let child = |name: String| path.iter().cloned().chain([name]).collect::<Vec<_>>();
        match value {
            Value::Array(values) => {
                let values = values.iter().enumerate();
                pending.extend(values.map(|(number, value)| (child(number.to_string()), value)));
            }
            Value::Object(members) => {
                let found =
                    json_members(text[json_find(bytes, &path).unwrap().unwrap()].as_bytes());
                let mut names: Vec<_> = found.unwrap().into_iter().map(|(name, _)| name).collect();
                names.sort();
                names.dedup();
                assert!(names.iter().eq(members.keys()));
                pending.extend(members.iter().map(|(name, value)| (child(name.clone()), value)));
            }
            _ => {}
        }
    }
}
