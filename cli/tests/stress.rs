//! Checks that memory and time are bounded for items of 64 MB. The memory is the peak that Linux reports
//! for the process. The bound on time only finds work that is not linear.

use std::fs;
use std::io::Read;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::{TempFile, iri};

const MB: usize = 1 << 20;
const ITEM: usize = 64 * MB;
/// The memory of the program without an item: its code, its buffers, and the input that it reads ahead.
const FIXED: usize = 48 * MB;

/// Returns the peak of the memory of a process so far, in bytes; 0 after the process has ended.
pub(super) fn peak(process: u32) -> usize {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<usize>().ok());
    kilobytes.unwrap_or_default() * 1024
}

/// Runs a command on a file of one item. Returns the length of its output, its peak of memory and its exit code.
pub(super) fn measure(args: &[&str], item: &[u8]) -> (usize, usize, i32) {
    let file = TempFile::new(&format!("stress-{}", args.first().unwrap()), item);
    let mut command = iri(args);
    let mut child =
        command.arg(&file.0).stdin(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let (process, is_over) = (child.id(), AtomicBool::new(false));
    let mut out = child.stdout.take().unwrap();
    let started = Instant::now();
    let (printed, highest, code) = thread::scope(|scope| {
        // The peak never falls, so the last value before the end is enough.
        let watcher = scope.spawn(|| {
            let mut highest = 0;
            while !is_over.load(Ordering::Relaxed) {
                highest = highest.max(peak(process));
                thread::sleep(Duration::from_millis(2));
            }
            highest
        });
        let (mut printed, mut buffer) = (0, vec![0; MB]);
        loop {
            let count = out.read(&mut buffer).unwrap();
            if count == 0 {
                break;
            }
            printed += count;
        }
        let code = child.wait().unwrap().code().unwrap();
        is_over.store(true, Ordering::Relaxed);
        (printed, watcher.join().unwrap(), code)
    });
    assert!(started.elapsed() < Duration::from_secs(240), "{args:?}: {:?}", started.elapsed());
    eprintln!(
        "{args:?} {:?}: {:.2} times the item, {:.1?}",
        String::from_utf8_lossy(item.get(..12).unwrap_or(item)),
        highest as f64 / ITEM as f64,
        started.elapsed()
    );
    (printed, highest, code)
}

/// Returns a text of 64 MB that repeats another.
fn item(start: &str, repeated: &str, end: &str) -> Vec<u8> {
    let count = (ITEM - start.len() - end.len()) / repeated.len();
    [start, &repeated.repeat(count), end].concat().into_bytes()
}

/// `prepare` takes at most four times the memory of the item: the item, and a result of at most three
/// times its size.
#[test]
fn preparing_takes_at_most_four_times_the_item() {
    let most = 4 * ITEM + FIXED;
    for (options, item) in [
        (&[][..], item("http://a/", "abcdefgh/", " b")),
        (&[], item("http://a/", "|", "")),
        (&[], item("", " ", "a")),
        (&[], item("http:/", "/", "a/|")),
        (&[], item("", "\u{1}\u{200B} ", "a")),
        (&["--context", "html"], item("/?", "&amp;&eacute;", " b")),
        (&["--context", "html"], item("/?", "&#", "")),
        (&["--context", "xml"], item("/?", "&#9;", "|")),
        (&["--context", "typed"], item("www.a.example/", "a\t b", "")),
        (&["--explain"], item("/", "%", "")),
    ] {
        let (printed, highest, code) = measure(&[&["prepare"], options].concat(), &item);
        assert!(printed > 0 && code == 0, "{options:?}: {printed} bytes, exit code {code}");
        assert!(highest < most, "{options:?}: {} MB", highest / MB);
    }
    // Bytes that are not UTF-8, and an error at the end.
    let mut bytes = vec![0xFF; ITEM];
    let (printed, highest, _) = measure(&["prepare"], &bytes);
    assert!(printed >= 3 * ITEM && highest < most, "{} MB", highest / MB);
    bytes.splice(..2, *b"//");
    let (_, highest, _) = measure(&["prepare"], &bytes);
    assert!(highest < most, "{} MB", highest / MB);
}

/// The other commands, each with an item for which it has to work.
#[test]
fn every_command_bounds_its_memory() {
    let iri = item("http://a/", "b/é/", "c");
    for args in [
        &["check"][..],
        &["to-uri"],
        &["to-iri"],
        &["normalize"],
        &["resolve", "--base", "http://a/b"],
        &["relativize", "--base", "http://a/b"],
        &["display"],
        &["redact"],
        &["lint"],
        &["extract"],
        &["dedup"],
    ] {
        let (_, highest, _) = measure(args, &iri);
        assert!(highest < 12 * ITEM, "{args:?}: {} MB", highest / MB);
    }
}

/// Keys that do not fit into the memory that they may take. What the program takes besides is its code, its
/// buffers, and the input that it reads ahead.
#[test]
fn dedup_and_join_keep_to_their_memory() {
    let mut lines = String::new();
    while lines.len() < ITEM {
        lines.push_str(&format!("http://a{}.test/{}\n", lines.len() % 97, lines.len()));
    }
    let b = TempFile::new("stress-b", &lines);
    for args in [
        &["dedup"][..],
        &["dedup", "--count"],
        &["dedup", "--groups"],
        &["join", "--both", b.name()],
    ] {
        let all = [args, &["--memory", "16M", "-j", "2"]].concat();
        let (printed, highest, code) = measure(&all, lines.as_bytes());
        assert!(printed >= ITEM && code == 0, "{args:?}: {printed} bytes, exit code {code}");
        assert!(highest < 16 * MB + FIXED, "{args:?}: {} MB", highest / MB);
    }
    // A record that is long outside its address, and a long address.
    let row = item("u,x\nhttp://a/,", "abcdefg/", "");
    for options in [&["dedup"][..], &["dedup", "--groups"]] {
        let from = ["--from", "csv", "--field", "u", "--memory", "1M"];
        let (printed, highest, code) = measure(&[options, &from].concat(), &row);
        assert!(printed > ITEM - 8 && code == 0, "{options:?}: {printed} bytes, exit code {code}");
        assert!(highest < 3 * ITEM + FIXED, "{options:?}: {} MB", highest / MB);
        let address = item("http://a/", "b/é/", "c");
        let (_, highest, code) = measure(&[options, &["--memory", "1M"]].concat(), &address);
        assert_eq!(code, 0);
        assert!(highest < 7 * ITEM + FIXED, "{options:?}: {} MB", highest / MB);
    }
}
