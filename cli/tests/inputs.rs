//! What decides how an input is read: its name, its first bytes, the inputs before it, and the limits of memory. Not here:
//! the formats of records (`records.rs`).

use std::fs;
use std::ops::Range;

use super::records::compressed;
use super::{TempFile, run};

const MARK: &str = "\u{FEFF}";

/// Each file of Windows begins with a byte-order mark. A mark in the middle of the output would be a part of an address.
#[test]
fn only_the_first_input_keeps_its_mark() {
    /// A format, the text before its records, and two records.
    type Case<'a> = (&'a [&'a str], &'a str, [&'a str; 2]);
    let cases: [Case<'_>; 7] = [
        (&["--from", "lines"], "", ["HTTP://A/\n", "HTTP://B/\n"]),
        (&["--from", "lines"], "", ["HTTP://A/", "HTTP://B/"]),
        (&["--from", "lines", "-0"], "", ["HTTP://A/\0", "HTTP://B/\0"]),
        (&["--from", "csv", "--field", "u"], "u\n", ["HTTP://A/\n", "HTTP://B/\n"]),
        (&["--from", "tsv", "--no-header", "--field", "1"], "", ["HTTP://A/\n", "HTTP://B/\n"]),
        (
            &["--from", "jsonl", "--field", "/u"],
            "",
            ["{\"u\":\"HTTP://A/\"}\n", "{\"u\":\"HTTP://B/\"}\n"],
        ),
        (&["--from", "nt"], "", ["<HTTP://A/> <a:b> <a:c> .\n", "<HTTP://B/> <a:b> <a:c> .\n"]),
    ];
    let commands = [
        &["normalize"][..],
        &["normalize", "-j", "1"],
        &["normalize", "--unordered", "-j", "1"],
        &["normalize", "--to", "lines"],
        &["normalize", "--keep", "input", "--max-record", "3"],
        &["dedup"],
        &["dedup", "--groups"],
        &["check", "--valid"],
        &["lint", "--fix"],
        &["redact"],
        &["to-uri"],
        &["prepare"],
    ];
    let mut runs = 0;
    for (number, (from, head, records)) in cases.into_iter().enumerate() {
        // Each command reads lines, and a few read each of the other formats.
        let step = if number == 0 { 1 } else { 4 };
        for command in commands.into_iter().skip(number % step).step_by(step) {
            let runs_of = |marks: [&str; 4]| {
                let texts = [
                    [marks[0], head, records[0]].concat(),
                    marks[1].to_owned(),
                    [marks[2], head, records[1]].concat(),
                    [marks[3], head, records[0]].concat(),
                ];
                let files: Vec<TempFile> = texts
                    .iter()
                    .zip(0..)
                    .map(|(text, n)| TempFile::new(&format!("mark-{n}"), text))
                    .collect();
                let names: Vec<&str> = files.iter().map(TempFile::name).collect();
                run(&[command, from, &names].concat(), "")
            };
            let without = runs_of([""; 4]);
            // Without a mark, the file of the second mark is empty.
            for marks in [[MARK; 4], ["", MARK, MARK, MARK], ["", "", MARK, ""], [MARK, "", "", ""]]
            {
                let found = runs_of(marks);
                let text = found.text();
                let place = text.rfind(MARK);
                assert!(place.is_none_or(|place| place == 0), "{command:?} {from:?} {text:?}");
                assert_eq!(text.replace(MARK, ""), without.text(), "{command:?} {from:?}");
                assert_eq!(found.code, without.code, "{command:?} {from:?}: {}", found.err);
                runs += 1;
            }
        }
    }
    assert!(runs > 100, "{runs}");
    // The places of a message do not count the mark of a line.
    let bad = TempFile::new("mark", [MARK, "a b\n"].concat());
    let found = run(&["normalize", bad.name(), bad.name()], "");
    assert_eq!(found.err.matches(":1:2: ").count(), 2, "{}", found.err);
    // Each file that is replaced keeps its own mark.
    let files = [("a", MARK), ("b", ""), ("c", MARK)]
        .map(|(name, mark)| TempFile::new(&format!("mark-{name}"), [mark, "HTTP://A/\n"].concat()));
    let names: Vec<&str> = files.iter().map(TempFile::name).collect();
    assert_eq!(run(&[&["normalize", "--in-place"][..], &names].concat(), "").code, 0);
    for (file, mark) in files.iter().zip([MARK, "", MARK]) {
        assert_eq!(fs::read_to_string(&file.0).unwrap(), [mark, "http://a/\n"].concat());
    }
    // Running text, and text that is marked.
    let texts = ["a", "b"].map(|name| {
        TempFile::new(&format!("mark-{name}.txt"), [MARK, "see <http://a/>\n"].concat())
    });
    for (args, expected) in [
        (&["redact", "--part", "text"][..], "see <http://a/>\n"),
        (&["extract", "--mark"], "see <\u{2E20}http://a/\u{2E21}>\n"),
        (&["extract", "--mark", "--context", "markdown"], "see <\u{2E20}http://a/\u{2E21}>\n"),
    ] {
        let found = run(&[args, &[texts[0].name(), texts[1].name()]].concat(), "");
        assert_eq!(found.text(), [MARK, expected, expected].concat(), "{args:?}");
    }
}

/// A skippable frame of zstd (RFC 8878, section 3.1.2), as pzstd writes it.
fn skippable() -> Vec<u8> {
    [&b"\x5E\x2A\x4D\x18\x03\0\0\0"[..], b"abc"].concat()
}

type Archive = (&'static str, Vec<u8>, Vec<Range<usize>>);

/// The archives of a text: the ending of each, its bytes, and the lengths to which it is cut: no shorter archive is whole.
#[expect(clippy::single_range_in_vec_init, reason = "one range of cuts")]
fn archives(text: &[u8]) -> Vec<Archive> {
    let mut all = Vec::new();
    for (ending, name) in [("gz", "gzip"), ("zst", "zstd"), ("bz2", "bzip2"), ("xz", "xz")] {
        let one = compressed(text, name);
        let length = one.len();
        all.push((ending, one.clone(), vec![0..length]));
        all.push((ending, [&one[..], &one].concat(), vec![length + 1..2 * length]));
        if ending == "zst" {
            let frame = skippable();
            let (start, end) = (frame.len(), frame.len() + length);
            let cuts = vec![0..start, start + 1..start + 9, end + 1..end + start];
            all.push((ending, [&frame[..], &one, &frame].concat(), cuts));
        }
    }
    all
}

/// The run is complete only if the archive is: after a cut at each byte, the first one too, the exit code is 2, and an
/// output has no name.
#[test]
fn no_cut_of_an_archive_is_complete() {
    let text = b"http://a/1\nhttp://a/2\n";
    let commands =
        [&["check"][..], &["normalize"], &["stats"], &["dedup"], &["extract"], &["redact"]];
    let mut runs = 0;
    for (ending, bytes, cuts) in archives(text) {
        let file = TempFile::new(&format!("cut.txt.{ending}"), &bytes);
        let whole = run(&["normalize", file.name()], "");
        assert_eq!((whole.code, whole.err.as_str()), (0, ""), "{ending}");
        assert!(whole.out.starts_with(text), "{ending}");
        assert_eq!(run(&["normalize"], &bytes).out, whole.out, "{ending}");
        for cut in cuts.into_iter().flatten() {
            fs::write(&file.0, &bytes[..cut]).unwrap();
            let command = commands[cut % commands.len()];
            let found = run(&[command, &[file.name()]].concat(), "");
            assert_eq!(found.code, 2, "{command:?} {ending} {cut}: {}", found.err);
            assert!(found.err.contains(file.name()), "{command:?} {ending} {cut}: {}", found.err);
            // Standard input has no name. No byte, and a few letters, are a text.
            let is_text = match ending {
                "gz" | "xz" => cut == 0,
                "zst" => cut < 2 || bytes[0] != b'\x28' && cut < 4,
                _ => cut < 4,
            };
            if cut < 20 || cut % 16 == 0 {
                let found = run(&["check", "-q"], &bytes[..cut]);
                assert_eq!(found.code == 2, !is_text, "{ending} {cut}: {}", found.err);
            }
            // A compression that is named is not guessed.
            let choice = match ending {
                "gz" => "gzip",
                "zst" => "zstd",
                "bz2" => "bzip2",
                _ => ending,
            };
            if cut < 12 {
                let found = run(&["check", "--decompress", choice], &bytes[..cut]);
                assert_eq!(found.code, 2, "{ending} {cut}");
            }
            runs += 1;
        }
    }
    assert!(runs > 300, "{runs}");
    // An output keeps its old bytes.
    let (file, out) = (TempFile::new("cut.txt.gz", ""), TempFile::new("cut.out", "old\n"));
    assert_eq!(run(&["normalize", file.name(), "-o", out.name()], "").code, 2);
    assert_eq!(fs::read_to_string(&out.0).unwrap(), "old\n");
    assert_eq!(run(&["normalize", "--in-place", file.name()], "").code, 2);
    assert_eq!(fs::read(&file.0).unwrap(), b"");
}

#[test]
fn a_name_and_the_first_bytes_decide_together() {
    let text = "http://a/\n";
    // What the program does not read, by its name and by its first bytes.
    for ending in ["Z", "z", "lz4", "br", "zip", "7z", "lz", "lzma", "lzo", "rar", "sz"] {
        let file = TempFile::new(&format!("a.txt.{ending}"), text);
        for command in ["check", "normalize", "extract", "stats", "dedup"] {
            let found = run(&[command, file.name()], "");
            assert_eq!((found.code, found.text().lines().count() > 9), (2, false), "{ending}");
            assert!(found.err.contains("which is not read"), "{ending}: {}", found.err);
        }
        let read = run(&["normalize", "--decompress", "none", file.name()], "");
        assert_eq!((read.text(), read.code), (text, 0), "{ending}: {}", read.err);
    }
    for (bytes, name) in [
        (&b"\x1F\x9D\x90abc"[..], "compress"),
        (b"\x04\x22\x4D\x18abc", "LZ4"),
        (b"PK\x03\x04abc", "ZIP"),
        (b"PK\x05\x06abc", "ZIP"),
        (b"7z\xBC\xAF\x27\x1Cabc", "7-Zip"),
        (b"LZIP\x01abc", "lzip"),
        (b"]\0\0\x80\0", "LZMA"),
        (b"\x89LZO\0\r\n", "lzop"),
        (b"Rar!\x1A\x07\0", "RAR"),
        (b"\xFF\x06\0\0sNaPpY", "Snappy"),
    ] {
        let found = run(&["check"], bytes);
        assert_eq!(found.code, 2, "{name}");
        assert!(found.err.contains(&format!("this is {name},")), "{name}: {}", found.err);
        assert!(found.err.contains("--decompress none"), "{name}: {}", found.err);
    }
    // The name says gzip, and the bytes are a text or another compression.
    let file = TempFile::new("a.txt.gz", text);
    let found = run(&["check", file.name()], "");
    assert_eq!(found.code, 2);
    assert!(found.err.contains("its name says gzip, and its first bytes are not"), "{}", found.err);
    let file = TempFile::new("a.txt.gz", compressed(text.as_bytes(), "xz"));
    let found = run(&["normalize", file.name()], "");
    assert_eq!((found.code, found.text()), (2, ""));
    assert!(found.err.contains("--decompress xz reads them"), "{}", found.err);
    assert_eq!(run(&["normalize", "--decompress", "xz", file.name()], "").text(), text);
    let found = run(&["normalize", "--decompress", "gzip", file.name()], "");
    assert_eq!(found.code, 2);
    assert!(found.err.contains("--decompress says gzip, and its bytes are xz"), "{}", found.err);
    // Texts that begin nearly as compressed files do.
    for text in
        ["BZh\n", "BZh9\n", "BZh91AY\n", "B", "BZ", "BZh", "(", "P*\n", "PK\n", "Rar!\n", "LZIP\n"]
    {
        let found = run(&["normalize"], text);
        assert_eq!((found.code, found.text()), (0, text), "{text:?}: {}", found.err);
    }
    // A text that begins as bzip2 does is read as it is, if the user says so.
    let text = "BZh91AY&SY\n";
    assert_eq!(run(&["normalize"], text).code, 2);
    let found = run(&["normalize", "--decompress", "none"], text);
    assert_eq!((found.code, found.text()), (0, text), "{}", found.err);
    let file = TempFile::new("a.txt.bz2", text);
    assert_eq!(run(&["extract", "--decompress", "none", "-q", file.name()], "").code, 0);
    assert_eq!(run(&["normalize", "--in-place", "--decompress", "none", file.name()], "").code, 0);
    assert_eq!(fs::read_to_string(&file.0).unwrap(), text);
}

/// A line of 256 MiB takes the memory of the longest record, which is not held, and not that of the line.
#[cfg(target_os = "linux")]
#[test]
fn a_long_line_takes_little_memory() {
    const MB: usize = 1 << 20;
    let line = ["http://a/", &"b".repeat(256 * MB), "\nhttp://b/\n"].concat();
    let packed = zstd::encode_all(line.as_bytes(), 1).unwrap();
    drop(line);
    assert!(packed.len() < MB);
    for args in [&["check"][..], &["normalize"], &["stats"], &["redact"], &["dedup"]] {
        let (_, highest, code) = super::stress::measure(args, &packed);
        // A line that is not counted is an error, and the line after it is read.
        assert!(code < 2, "{args:?}");
        assert!((MB..300 * MB).contains(&highest), "{args:?}: {} MB", highest / MB);
    }
    let file = TempFile::new("long.txt.zst", &packed);
    let found = run(&["normalize", file.name()], "");
    assert_eq!((found.text(), found.code), ("http://b/\n", 1));
    assert!(
        found.err.contains("longer than 67108864 bytes; allow it with --max-record"),
        "{}",
        found.err
    );
}

/// The memory of `dedup` does not grow with its input, however little it may take.
#[cfg(target_os = "linux")]
#[test]
fn the_least_memory_holds() {
    const MB: usize = 1 << 20;
    let peaks = [10_000, 40_000].map(|count| {
        let lines: String =
            (0..count).map(|n| format!("http://a.example/{}\n", n % 9_000)).collect();
        for args in [&["dedup", "-j", "1"][..], &["dedup", "-j", "1", "--groups"]] {
            let (most, least) =
                (run(args, &lines), run(&[args, &["--memory", "1"]].concat(), &lines));
            assert_eq!(least.text(), most.text(), "{args:?}");
        }
        super::stress::measure(&["dedup", "--groups", "--memory", "1", "-j", "1"], lines.as_bytes())
            .1
    });
    assert!(peaks[1] < peaks[0] + 2 * MB, "{peaks:?}");
}
