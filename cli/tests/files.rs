//! The files that the program writes: which it may write, and what they hold when a run is not complete.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

#[cfg(target_os = "linux")]
use super::iri_with_signals;
use super::records::compressed;
use super::{iri, run};

/// The program in an empty folder.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.0.path().join(name), content).unwrap();
    }

    fn read(&self, name: &str) -> String {
        String::from_utf8(fs::read(self.0.path().join(name)).unwrap()).unwrap()
    }

    fn has(&self, name: &str) -> bool {
        fs::symlink_metadata(self.0.path().join(name)).is_ok()
    }

    /// The names and the contents of all files, through links.
    fn all(&self) -> Vec<(String, Vec<u8>)> {
        let mut all: Vec<_> = fs::read_dir(self.0.path())
            .unwrap()
            .map(|entry| {
                let entry = entry.unwrap();
                let name = entry.file_name().into_string().unwrap();
                (name, fs::read(entry.path()).unwrap_or_default())
            })
            .collect();
        all.sort();
        all
    }

    /// The names of all files.
    #[cfg(target_os = "linux")]
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    /// Runs the program through a shell. Returns the exit code and the lines of standard error.
    fn shell(&self, line: &str) -> (i32, String) {
        let program = env!("CARGO_BIN_EXE_iri");
        let output = std::process::Command::new("sh")
            .args(["-c", &line.replace("iri ", &format!("{program} "))])
            .current_dir(self.0.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code().unwrap_or(-1), err)
    }
}

const INPUT: &str = "HTTP://a/%7e\n|\nHTTP://c/\n";

/// Every output option with every way to name a file that is read or written already. Nothing is touched.
#[test]
#[cfg(unix)]
fn an_output_is_no_input_and_no_other_output() {
    use std::os::unix::fs::symlink;

    let names = ["f", "./f", "../F/f", "link", "chain", "hard", "d/up"];
    let mut lines = Vec::new();
    for name in names {
        for option in ["-o", "--output", "--errors"] {
            lines.push(format!("iri normalize f {option} {name}"));
            lines.push(format!("iri dedup f {option} {name}"));
            lines.push(format!("iri normalize --from lines {option} {name} < f"));
            lines.push(format!("iri normalize {option} {name} - < f"));
        }
        lines.push(format!("iri stats f --html {name}"));
        lines.push(format!("iri check f -o {name}"));
        lines.push(format!("iri check -o {name} -r d f"));
        lines.push(format!("iri dedup --redirects f g --errors {name}"));
        lines.push(format!("iri interpret --names f g -o {name}"));
        lines.push(format!("iri normalize --in-place f {name}"));
        lines.push(format!("iri normalize --in-place f --errors {name}"));
        lines.push(format!("iri normalize g -o f --errors {name}"));
        lines.push(format!("iri normalize g -o {name} >> f"));
        lines.push(format!("iri normalize g -o {name} 2>> f"));
        lines.push(format!("iri stats g -o f --html {name}"));
    }
    lines.push("iri normalize f >> f".to_owned());
    lines.push("iri normalize f -o new --errors ./new".to_owned());
    lines.push("iri normalize f -o dangling --errors missing".to_owned());
    lines.push("iri normalize f -o new --errors new.partial".to_owned());
    lines.push("iri normalize f.partial -o f".to_owned());
    lines.push("iri normalize f -o - --errors -".to_owned());
    lines.push("iri normalize f --errors /dev/stdout".to_owned());
    for line in lines {
        let folder = Folder::new();
        let path = folder.0.path();
        for name in ["f", "g", "f.partial"] {
            folder.write(name, INPUT);
        }
        fs::create_dir(path.join("d")).unwrap();
        symlink("f", path.join("link")).unwrap();
        symlink("link", path.join("chain")).unwrap();
        symlink("../f", path.join("d/up")).unwrap();
        symlink("missing", path.join("dangling")).unwrap();
        fs::hard_link(path.join("f"), path.join("hard")).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap();
        let before = folder.all();
        let (code, err) = folder.shell(&line.replace("../F/", &format!("../{name}/")));
        // If standard error is the file, the message is in it.
        let is_silent = line.contains("2>>");
        assert!(
            code == 2
                && (is_silent
                    || ["same file", "both input", "not a page"]
                        .iter()
                        .any(|part| err.contains(part))),
            "{line} {err}"
        );
        let after: Vec<_> = folder.all();
        if is_silent {
            assert!(folder.read("f").starts_with(INPUT), "{line}");
        } else {
            assert!(before == after, "{line} {err}");
        }
    }
}

/// An option that stops the run, an input that breaks off, and an input that is missing.
#[test]
fn an_incomplete_run_leaves_the_old_file_and_what_it_made() {
    let packed = compressed("HTTP://a/%7e\n".repeat(100_000).as_bytes(), "gzip");
    for (arguments, made) in [
        ("f --fail-fast", Some("http://a/~\n")),
        ("f --max-errors 1", Some("http://a/~\n")),
        ("f missing", Some("http://a/~\nhttp://c/\n")),
        ("cut.gz", None),
    ] {
        for ending in ["", ".gz", ".zst", ".bz2", ".xz"] {
            let folder = Folder::new();
            folder.write("f", INPUT);
            folder.write("cut.gz", &packed[..packed.len() - 8]);
            let (out, errors) = (format!("out{ending}"), format!("errors{ending}"));
            for name in [&out, &errors, &format!("{out}.partial")] {
                folder.write(name, "old");
            }
            let line = format!("iri normalize {arguments} -o {out} --errors {errors}");
            let (code, err) = folder.shell(&line);
            assert_eq!(code, 2, "{line} {err}");
            assert!(folder.read(&out) == "old" && folder.read(&errors) == "old", "{line}");
            let says = format!("iri: {out}: not written, because the run ");
            assert!(
                err.contains(&says) && err.contains(&format!("{out}.partial has what was made")),
                "{err}"
            );
            // What was made is whole: it can be read again.
            let read = run(
                &["to-iri", folder.0.path().join(format!("{out}.partial")).to_str().unwrap()],
                "",
            );
            assert_eq!(read.code, 0, "{line} {}", read.err);
            match made {
                Some(made) => assert_eq!(read.text(), made, "{line}"),
                None => assert!(read.text().lines().count() > 10_000),
            }
            // An output that had nothing leaves nothing.
            assert_eq!(folder.has(&format!("{errors}.partial")), made.is_some(), "{line}");
        }
    }
}

/// A run that waits for more input is interrupted.
#[test]
#[cfg(target_os = "linux")]
fn a_signal_leaves_the_old_file_and_what_was_made() {
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let folder = Folder::new();
        folder.write("out", "old");
        let mut child = iri_with_signals(&["normalize", "-o", "out", "--errors", "errors"])
            .current_dir(folder.0.path())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(INPUT.as_bytes()).unwrap();
        thread::sleep(Duration::from_millis(500));
        let mut kill = Command::new("kill");
        kill.args([&format!("-{signal}"), &child.id().to_string()]);
        assert!(kill.status().unwrap().success());
        let status = child.wait().unwrap();
        drop(stdin);
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        assert_eq!(status.code(), Some(code), "{signal} {err}");
        assert_eq!(folder.read("out"), "old");
        assert_eq!(folder.read("out.partial"), "http://a/~\nhttp://c/\n");
        assert_eq!(folder.read("errors.partial").lines().count(), 1);
        assert!(!folder.has("errors") && err.contains("interrupted"), "{err}");
    }
}

/// Files that are replaced, and files that are not, with the reason.
#[test]
#[cfg(target_os = "linux")]
fn a_file_is_replaced_with_all_its_attributes_or_not_at_all() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};

    for compression in ["none", "gzip", "zstd", "bzip2", "xz"] {
        let folder = Folder::new();
        let bytes = match compression {
            "none" => INPUT.as_bytes().to_vec(),
            compression => compressed(INPUT.as_bytes(), compression),
        };
        // The bytes say the compression, not the name.
        folder.write("f", &bytes);
        let path = folder.0.path().join("f");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        let is_root = chown(&path, Some(12), Some(34)).is_ok();
        let has_attribute =
            rustix::fs::setxattr(&path, "user.note", b"a\0b", rustix::fs::XattrFlags::empty())
                .is_ok();
        println!("owner: {is_root}, extended attribute: {has_attribute}");
        let (code, err) = folder.shell("iri normalize --in-place --backup .old f");
        assert_eq!(code, 1, "{err}");
        let data = fs::metadata(&path).unwrap();
        assert_eq!(data.mode() & 0o7777, 0o640);
        assert!(!is_root || (data.uid(), data.gid()) == (12, 34));
        if has_attribute {
            let mut value = [0; 8];
            assert_eq!(rustix::fs::getxattr(&path, "user.note", &mut value).unwrap(), 3);
        }
        assert_eq!(fs::read(folder.0.path().join("f.old")).unwrap(), bytes);
        let first = fs::read(&path).unwrap();
        assert_eq!(first[..2] == bytes[..2], compression != "none", "{compression}");
        assert_eq!(
            run(&["to-iri", "-q", "--keep", "input", path.to_str().unwrap()], "").text(),
            "http://a/~\n|\nhttp://c/\n"
        );
        // A backup is never overwritten.
        let (code, err) = folder.shell("iri normalize --in-place --backup .old f");
        assert!(code == 2 && err.contains("the backup f.old exists"), "{err}");
        assert_eq!(fs::read(&path).unwrap(), first);
    }
    let folder = Folder::new();
    folder.write("f", INPUT);
    fs::hard_link(folder.0.path().join("f"), folder.0.path().join("g")).unwrap();
    let (code, err) = folder.shell("iri normalize --in-place f");
    assert!(code == 2 && err.contains("several names (hard links)"), "{err}");
    assert_eq!(folder.read("g"), INPUT);
}

/// Another program writes to the file while it is read through a slow command.
#[test]
#[cfg(unix)]
fn a_file_that_changes_during_the_run_is_not_replaced() {
    let folder = Folder::new();
    folder.write("f", "HTTP://a/%7e\n".repeat(1_000_000));
    let path = folder.0.path().join("f");
    let child = iri(&["normalize", "--in-place", "f"])
        .current_dir(folder.0.path())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut file = File::options().append(true).open(&path).unwrap();
    // Until the end of the run, some bytes come at any time.
    let appended = thread::spawn(move || {
        for _ in 0..200 {
            file.write_all(b"HTTP://b/\n").unwrap();
            thread::sleep(Duration::from_millis(10));
        }
    });
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    appended.join().unwrap();
    assert!(err.contains("another program changed it during the run"), "{err}");
    assert_eq!(output.status.code(), Some(2));
    let text = folder.read("f");
    assert!(text.starts_with("HTTP://a/%7e\n") && text.lines().count() == 1_000_200);
}

/// A record that is longer than allowed is in the output or in the file of errors, byte for byte.
#[test]
fn a_long_record_is_kept_whole() {
    let long = "é".repeat(400_000);
    for (options, text) in [
        ("--from lines", format!("A:1\nA:{long}\nA:2\n")),
        ("--from lines", format!("A:1\nA:2\nA:{long}")),
        ("--from csv --field u", format!("u,v\nA:1,\"\"\nA:2,\"{long}\n\"\nA:3,\n")),
        (
            "--from jsonl --field /u",
            format!("{{\"u\":\"A:1\"}}\n{{\"u\":\"A:{long}\"}}\n{{\"u\":\"A:2\"}}\n"),
        ),
    ] {
        for jobs in ["1", "2", "2 --unordered"] {
            let folder = Folder::new();
            folder.write("f", &text);
            let base = format!("iri normalize -j {jobs} --max-record 300K {options}");
            let (code, err) = folder.shell(&format!("{base} f --keep input -o out"));
            assert_eq!(code, 1, "{base} {err}");
            let lower = |text: &str| -> Vec<String> {
                let mut lines: Vec<_> = text
                    .split_inclusive('\n')
                    .map(|line| match line.len() < 1000 {
                        true => line.replace("A:", "a:"),
                        false => line.to_owned(),
                    })
                    .collect();
                if jobs.contains("unordered") {
                    // Each record has an end, since another one may follow.
                    lines.iter_mut().for_each(|line| line.truncate(line.trim_end().len()));
                    lines.sort();
                }
                lines
            };
            assert!(lower(&folder.read("out")) == lower(&text), "{base}");
            let (code, err) = folder.shell(&format!("{base} f -o rest --errors errors"));
            assert_eq!(code, 1, "{base} {err}");
            let object: serde_json::Value = serde_json::from_str(&folder.read("errors")).unwrap();
            let record = object["record"].as_str().unwrap().to_owned();
            assert!(record.contains(&long) && text.contains(&record), "{base}");
            assert_eq!(object["error"]["kind"], "too-long");
            assert!(!folder.read("rest").contains(&long));
            // In place, the record stays. The order does, too.
            let base = base.replace("--unordered ", "");
            let (code, err) = folder.shell(&format!("{base} --in-place f"));
            assert_eq!(code, 1, "{base} {err}");
            assert!(lower(&folder.read("f")) == lower(&text), "{base}");
        }
    }
}

/// The reader of standard output may stop early: the files are complete all the same.
#[test]
#[cfg(unix)]
fn a_closed_output_is_no_error_of_the_files() {
    let folder = Folder::new();
    folder.write("f", format!("|\n{}|\n", "HTTP://a/\n".repeat(500_000)));
    let (_, err) = folder.shell("iri normalize f --errors errors | head -n 1 > first");
    assert_eq!(folder.read("first"), "http://a/\n");
    assert_eq!(folder.read("errors").lines().count(), 2, "{err}");
    assert!(!folder.has("errors.partial"));
    let _ = folder.shell("iri stats f --html page.html | head -n 1 > first");
    assert!(folder.read("page.html").ends_with("</html>\n"));
}

/// A device and a pipe are written directly, a link is followed, and its target is replaced.
#[test]
#[cfg(unix)]
fn an_output_may_be_a_link_a_pipe_or_a_device() {
    use std::os::unix::fs::symlink;

    let folder = Folder::new();
    folder.write("f", INPUT);
    folder.write("target", "old");
    symlink("target", folder.0.path().join("link")).unwrap();
    symlink("made", folder.0.path().join("dangling")).unwrap();
    for (line, expected) in [
        ("iri normalize -q f -o link; cat target", "http://a/~\nhttp://c/\n"),
        ("iri normalize -q f -o dangling; cat made", "http://a/~\nhttp://c/\n"),
        ("mkfifo pipe; cat pipe & iri normalize -q f -o pipe; wait", "http://a/~\nhttp://c/\n"),
        ("iri normalize -q f -o /dev/null", ""),
        ("iri normalize -q f -o -", "http://a/~\nhttp://c/\n"),
        ("iri normalize -q f -o /dev/stdout", "http://a/~\nhttp://c/\n"),
        ("iri normalize -q f -o f2 --errors -", "{"),
    ] {
        let (_, err) = folder.shell(&format!("({line}) > result"));
        let result = folder.read("result");
        assert!(
            if expected == "{" { result.starts_with('{') } else { result == expected },
            "{line} {result} {err}"
        );
    }
    assert!(fs::symlink_metadata(folder.0.path().join("link")).unwrap().is_symlink());
    assert!(fs::symlink_metadata(folder.0.path().join("dangling")).unwrap().is_symlink());
    assert!(!Path::new(&folder.0.path().join("-")).exists());
}

/// What would change is printed as a diff, and no file changes.
#[test]
fn a_dry_run_changes_nothing() {
    let folder = Folder::new();
    folder.write("f", INPUT);
    let (code, _) = folder.shell("iri normalize -q --in-place --dry-run f > diff");
    assert_eq!(code, 1);
    assert_eq!(folder.read("f"), INPUT);
    let expected = "--- f\n+++ f\n@@ -1 +1 @@\n-HTTP://a/%7e\n+http://a/~\n@@ -3 +3 @@\n-HTTP://c/\n+http://c/\n";
    assert_eq!(folder.read("diff"), expected);
}

/// A file that is refused before it is read makes the whole run incomplete, wherever it stands among the files.
#[test]
#[cfg(unix)]
fn a_file_that_is_not_replaced_decides_the_exit_code() {
    for files in ["hard ok", "ok hard", "missing ok", "ok missing"] {
        let folder = Folder::new();
        folder.write("hard", "HTTP://a/\n");
        folder.write("ok", "HTTP://a/\n");
        folder.write("errors", "old");
        fs::hard_link(folder.0.path().join("hard"), folder.0.path().join("other")).unwrap();
        let (code, err) =
            folder.shell(&format!("iri normalize --in-place {files} --errors errors"));
        assert_eq!(code, 2, "{files} {err}");
        assert_eq!(
            (folder.read("ok"), folder.read("errors")),
            ("http://a/\n".into(), "old".into())
        );
    }
}

/// Files that the shell has opened, by each of their names and in each mode: what the shell writes before and after the
/// run stays, and the output of the run is between them.
#[test]
#[cfg(target_os = "linux")]
fn an_open_file_is_written_where_it_stands() {
    let names = [
        "/dev/fd/3",
        "/proc/self/fd/3",
        "/proc/thread-self/fd/3",
        "/proc/$$/fd/3",
        "./to-fd",
        "to-link",
        "fds/3",
        "/dev/./fd//3",
    ];
    for name in names {
        for (mode, old) in
            [(">", ""), (">>", "old\n"), ("<>", ""), ("> gone; rm gone; exec 3>", "")]
        {
            for (line, made) in [
                ("iri normalize -q -o NAME f", "http://a/~\nhttp://c/\n"),
                ("iri normalize -q -o rest --errors NAME f", "{"),
                ("iri stats --html NAME f", "<!DOCTYPE html>"),
                ("iri extract --reference -o NAME f", "HTTP://"),
                ("iri parse -g '{scheme}' -q -o NAME f", "HTTP\nHTTP\n"),
            ] {
                let folder = Folder::new();
                folder.write("f", INPUT);
                folder.write("out", "old\n");
                std::os::unix::fs::symlink("/dev/fd/3", folder.0.path().join("to-fd")).unwrap();
                std::os::unix::fs::symlink("to-fd", folder.0.path().join("to-link")).unwrap();
                std::os::unix::fs::symlink("/proc/self/fd", folder.0.path().join("fds")).unwrap();
                let line = line.replace("NAME", name);
                let script = format!("exec 3{mode}out; echo before >&3; {line}; echo after >&3");
                let (code, err) = folder.shell(&script);
                let out = folder.read("out");
                let starts = out.starts_with(&format!("{old}before\n{made}"));
                assert!(code == 0 && starts && out.ends_with("\nafter\n"), "{script} {out} {err}");
                assert!(!folder.has("out.partial") && !folder.has("to-fd.partial"), "{script}");
            }
        }
    }
}

/// What stands for no file that can be written is refused before a byte is read; and a closed stream is no empty file.
#[test]
#[cfg(target_os = "linux")]
fn a_closed_stream_is_an_error() {
    let bad = "Bad file descriptor";
    for (line, expected) in [
        ("iri normalize f >&-", 2),
        ("iri normalize f 1< f", 2),
        ("iri check f >&-", 2),
        ("iri check --count -q f >&-", 2),
        ("iri stats f >&-", 2),
        ("iri extract f >&-", 2),
        ("iri dedup f 1< /dev/null", 2),
        ("iri build host=a >&-", 2),
        ("iri compare a b >&-", 2),
        ("iri explain >&-", 2),
        ("iri normalize --help >&-", 2),
        ("iri --version >&-", 2),
        ("iri normalize f -o - >&-", 2),
        ("iri normalize f -o /dev/stdout >&-", 2),
        ("iri normalize f -o new --errors - >&-", 2),
        ("iri normalize f -o /dev/fd/9", 2),
        ("iri normalize f -o /dev/fd/3 3< g", 2),
        ("iri normalize f -o /dev/stdin < g", 2),
        ("iri normalize f --errors /dev/stderr 2>&-", 2),
        ("iri normalize <&-", 2),
        ("iri check - <&-", 2),
        ("iri check /dev/stdin <&-", 2),
        ("iri check 0> /dev/null", 2),
        // These do not need the stream.
        ("iri normalize -q f -o new >&-", 1),
        ("iri normalize -q f -o new <&-", 1),
        ("iri normalize -q --in-place f >&- <&-", 1),
        ("iri normalize -q f -o new >&- <&- 2>&-", 1),
        ("iri man pages >&-", 0),
        ("iri normalize -q f > /dev/null", 1),
        ("iri normalize -q f <> /dev/null 1>&0", 1),
    ] {
        let folder = Folder::new();
        folder.write("f", INPUT);
        folder.write("g", INPUT);
        // The message of a closed stream of errors is lost.
        let (code, err) = folder.shell(&format!("exec 2> err; {line}"));
        let err = err + &folder.read("err");
        assert_eq!(code, expected, "{line} {err}");
        if expected == 2 {
            assert!(err.contains(bad) || line.contains("2>&-"), "{line} {err}");
            assert!(!folder.has("new") && folder.read("f") == INPUT, "{line}");
        }
    }
}

/// A folder in which mounts are removed at its end.
#[cfg(target_os = "linux")]
struct Mounts(Folder);

#[cfg(target_os = "linux")]
impl Mounts {
    /// A new folder; `None` if this user may not mount.
    fn new() -> Option<Self> {
        let mounts = Self(Folder::new());
        mounts.0.write("volume", "volume\n");
        mounts.0.write("try", "");
        if mounts.mount("try") {
            mounts.0.shell("umount try");
            return Some(mounts);
        }
        eprintln!("NOT TESTED: this user may not mount files");
        None
    }

    /// Mounts a file over another, as `docker run -v` does.
    fn mount(&self, name: &str) -> bool {
        self.0.shell(&format!("mount --bind volume {name}")).0 == 0
    }
}

#[cfg(target_os = "linux")]
impl Drop for Mounts {
    fn drop(&mut self) {
        self.0.shell("for file in out errors page try; do umount -l $file; done 2> err");
    }
}

/// A name that no file can take is refused before a byte is read.
#[test]
#[cfg(target_os = "linux")]
fn a_name_that_cannot_be_taken_is_refused_at_once() {
    if let Some(mounts) = Mounts::new() {
        let folder = &mounts.0;
        folder.write("out", "");
        assert!(mounts.mount("out"));
        for line in [
            "iri normalize pipe -o out",
            "iri normalize pipe -o new --errors out",
            "iri check pipe --errors ./out",
            "iri stats pipe --html out",
            "iri normalize --in-place out",
            "iri dedup --in-place out",
        ] {
            // Nobody writes to the pipe, so that a run which reads it does not end.
            let (code, err) =
                folder.shell(&format!("test -p pipe || mkfifo pipe; timeout 20 {line}"));
            assert!(
                code == 2 && err.contains("this file is mounted") | err.contains("not a page"),
                "{line} {err}"
            );
            assert!(folder.read("out") == "volume\n" && !folder.has("out.partial"), "{line}");
        }
    }
    let folder = Folder::new();
    let script = "mkdir -m 1777 sticky; echo HTTP://a/ > sticky/f; chmod 666 sticky/f; chmod 755 . ; \
                  setpriv --reuid=12345 --regid=12345 --clear-groups true || exit 99";
    if folder.shell(script).0 != 0 {
        eprintln!("NOT TESTED: this user may not become another user");
        return;
    }
    let nobody = "setpriv --reuid=12345 --regid=12345 --clear-groups iri normalize";
    for line in ["-o sticky/f /dev/null", "--in-place sticky/f", "--errors sticky/f /dev/null"] {
        let (code, err) = folder.shell(&format!("{nobody} {line}"));
        assert!(code == 2 && err.contains("sticky bit"), "{line} {err}");
    }
    assert_eq!(folder.read("sticky/f"), "HTTP://a/\n");
}

/// If one of several names cannot be taken at the end, no name is taken, and what was made is beside them.
#[test]
#[cfg(target_os = "linux")]
fn names_are_taken_together() {
    let has_strace = Command::new("strace").arg("-V").output().is_ok();
    // Without an exchange of names, as on some file systems.
    let plain = "strace -f -o /dev/null -e inject=renameat2:error=EINVAL ";
    for before in ["", plain] {
        if !before.is_empty() && !has_strace {
            eprintln!("NOT TESTED: there is no strace");
            continue;
        }
        for (failing, has_old) in
            [("out", true), ("errors", true), ("errors", false), ("out", false)]
        {
            let Some(mounts) = Mounts::new() else { return };
            let folder = &mounts.0;
            if has_old {
                folder.write("out", "old\n");
                folder.write("errors", "old\n");
            }
            let fault = match has_old {
                true => format!("mount --bind volume {failing}"),
                // Another program makes a file with the name.
                false => format!("cp volume {failing}"),
            };
            let (code, err) = folder.shell(&format!(
                "mkfifo pipe; {before}iri normalize pipe -o out --errors errors & exec 5> pipe; sleep 0.5; {fault}; \
                 printf 'HTTP://a/\\n|\\n' >&5; exec 5>&-; wait $!"
            ));
            assert_eq!(code, 2, "{before} {failing} {err}");
            if has_old {
                folder.shell(&format!("umount {failing}"));
            }
            for name in ["out", "errors"] {
                let expected = match has_old {
                    true => Some("old\n"),
                    false => (name == failing).then_some("volume\n"),
                };
                let found = folder.has(name).then(|| folder.read(name));
                assert_eq!(found.as_deref(), expected, "{before} {failing} {name} {err}");
                let partial = folder.read(&format!("{name}.partial"));
                let starts = if name == "out" { "http://a/\n" } else { "{\"file\":\"pipe\"" };
                assert!(partial.starts_with(starts), "{before} {failing} {partial}");
            }
            let names = folder.names();
            assert!(!names.iter().any(|name| name.starts_with(".iri-")), "{names:?}");
        }
    }
}

/// Another program changes, replaces or removes the file between the last look and the replacement.
#[test]
#[cfg(target_os = "linux")]
fn what_comes_in_the_last_moment_is_put_back() {
    if Command::new("strace").arg("-V").output().is_err() {
        eprintln!("NOT TESTED: there is no strace");
        return;
    }
    let slow = "strace -f -o /dev/null -e inject=rename,renameat,renameat2:delay_enter=1500000 ";
    for (change, expected) in [
        ("echo HTTP://b/ >> f", Some("HTTP://a/\nHTTP://b/\n")),
        (": > f", Some("")),
        ("echo HTTP://b/ > g; mv g f", Some("HTTP://b/\n")),
        ("rm f", None),
    ] {
        let check = |command: &str| {
            let folder = Folder::new();
            folder.write("f", "HTTP://a/\n");
            let line = format!("{slow}iri {command} --in-place f & sleep 0.8; {change}; wait $!");
            let (code, err) = folder.shell(&line);
            assert!(code == 2 && err.contains("f: not replaced: another program"), "{line} {err}");
            let names = folder.names();
            assert!(names.len() == usize::from(expected.is_some()), "{line} {names:?} {err}");
            assert_eq!(expected.map(|_| folder.read("f")).as_deref(), expected, "{line}");
        };
        // Each of them sleeps for the most part.
        thread::scope(|scope| {
            for command in ["normalize", "normalize --backup .bak", "dedup"] {
                scope.spawn(move || check(command));
            }
        });
    }
}

/// Two runs that write one file: the second is refused, whichever option names the file, and the first is not disturbed.
#[test]
#[cfg(target_os = "linux")]
fn two_runs_exclude_each_other() {
    let seconds = [
        "normalize in -o out",
        "check in --errors out",
        "normalize in -o new --errors link",
        "normalize --in-place out",
        "dedup --in-place link",
        "extract in -o hard",
        "stats in --html page",
    ];
    for first in ["normalize pipe -o out --errors page", "stats pipe -o out --html page"] {
        for second in seconds {
            let folder = Folder::new();
            folder.write("in", "HTTP://b/\n");
            folder.write("out", "HTTP://old/\n");
            folder.write("page", "");
            std::os::unix::fs::symlink("out", folder.0.path().join("link")).unwrap();
            fs::hard_link(folder.0.path().join("out"), folder.0.path().join("hard")).unwrap();
            let second = match second.contains("hard") {
                true => second,
                false => {
                    fs::remove_file(folder.0.path().join("hard")).unwrap();
                    second
                }
            };
            let line = format!(
                "mkfifo pipe; iri {first} & exec 5> pipe; sleep 0.3; iri {second} 2> err; echo $? > code; \
                 printf 'HTTP://a/\\n' >&5; exec 5>&-; wait $!"
            );
            let (code, err) = folder.shell(&line);
            let said = folder.read("err");
            assert_eq!((code, folder.read("code").as_str()), (0, "2\n"), "{line} {err} {said}");
            assert!(said.contains("another run of iri writes this file"), "{line} {said}");
            assert!(!folder.has("new") && folder.read("out") != "HTTP://old/\n", "{line}");
        }
    }
    // A run that is killed leaves no lock, and a new name is taken once.
    let folder = Folder::new();
    folder.write("in", "HTTP://b/\n");
    folder.write("out", "old\n");
    let (code, err) = folder.shell(
        "mkfifo pipe; iri normalize pipe -o out & exec 5> pipe; sleep 0.3; kill -KILL $!; iri normalize in -o out; \
         code=$?; exec 5>&-; exit $code",
    );
    assert_eq!((code, folder.read("out").as_str()), (0, "http://b/\n"), "{err}");
    let (code, err) = folder.shell(
        "iri normalize pipe -o new & exec 5> pipe; sleep 0.3; iri normalize in -o new || exit 9; \
         printf 'HTTP://a/\\n' >&5; exec 5>&-; wait $!",
    );
    assert_eq!((code, folder.read("new").as_str()), (2, "http://b/\n"), "{err}");
    assert_eq!(folder.read("new.partial"), "http://a/\n");
}

/// Of two runs at once that change one file, no change is lost that exit code 0 promises.
#[test]
#[cfg(unix)]
fn no_change_of_two_runs_at_once_is_lost() {
    let (mut both, runs) = (0, 60);
    for turn in 0..runs {
        let folder = Folder::new();
        folder.write("f", "HTTP://a/\n".repeat(turn * turn));
        let (_, err) = folder.shell(&format!(
            "iri normalize --in-place f & sleep 0.00{}; iri normalize --set fragment=z --in-place f; echo $? > two; \
             wait $!; echo $? > one",
            turn % 10
        ));
        let (one, two) = (folder.read("one") == "0\n", folder.read("two") == "0\n");
        let text = folder.read("f");
        let has_second = text.lines().all(|line| line.ends_with("#z"));
        let has_first = text.lines().all(|line| line.starts_with("http:"));
        assert!(one || two, "{err}");
        assert!(!two || has_second, "{turn}: the second change is lost: {err}");
        assert!(!(one || two) || has_first, "{turn}: the first change is lost: {err}");
        both += usize::from(one && two);
    }
    println!("{runs} pairs: {both} times both runs changed the file");
}

/// `--html` takes a file, and may be typed before the name of an input.
#[test]
fn a_page_takes_the_place_of_a_page_alone() {
    let folder = Folder::new();
    for (old, is_replaced) in [
        ("HTTP://a/\n", false),
        ("<!DOCTYPE html>\n<html><a href='b'>", false),
        ("<", false),
        ("\u{feff}", false),
        ("", true),
    ] {
        folder.write("links.txt", old);
        let (code, err) = folder.shell("iri stats --html links.txt");
        let says = err.contains("links.txt: this file is not a page that iri wrote");
        assert!((code, says) == if is_replaced { (0, false) } else { (2, true) }, "{old} {err}");
        assert_eq!(folder.read("links.txt") == old, !is_replaced, "{old}");
    }
    // A page is replaced, also through a link.
    folder.write("f", INPUT);
    for name in ["links.txt", "./links.txt"] {
        let (code, err) = folder.shell(&format!("iri stats f --html {name}"));
        assert!(code < 2 && folder.read("links.txt").contains("Addresses in <bdi>f<"), "{err}");
    }
    for name in ["page.html.gz", "page.html.gz", "page.html.xz", "page.html.xz"] {
        let (code, err) = folder.shell(&format!("iri stats f --html {name}"));
        assert_eq!(code, 0, "{name}: {err}");
    }
    let (code, err) = folder.shell("iri stats f missing --html links.txt");
    assert!(code == 2 && folder.read("links.txt.partial").contains("could not be read"), "{err}");
}

/// A run without a thread is a run, whatever the number of jobs; and `-j 1` asks for none.
#[test]
#[cfg(target_os = "linux")]
fn a_run_needs_no_thread() {
    let folder = Folder::new();
    folder.write("f", INPUT);
    folder.write("g.gz", compressed(INPUT.as_bytes(), "gzip"));
    // Another user may not read the folder of the build. Another process copies the program, because a file that this
    // process has open for writing may be open in a child of another test, and then it cannot run.
    let copy = folder.0.path().join("copy");
    assert!(
        Command::new("cp").arg(env!("CARGO_BIN_EXE_iri")).arg(copy).status().unwrap().success()
    );
    let limit = "setpriv --reuid=12345 --clear-groups prlimit --nproc=0";
    let is_limited = folder.shell(&format!("chmod 755 . copy; {limit} true")).0 == 0;
    let has_strace = Command::new("strace").arg("-V").output().is_ok();
    if !(is_limited && has_strace) {
        eprintln!("NOT TESTED: limits of processes: {is_limited}, strace: {has_strace}");
    }
    for command in [
        "normalize",
        "check",
        "extract",
        "dedup",
        "stats",
        "parse --json",
        "to-uri --unordered",
        "display",
    ] {
        for inputs in ["f", "g.gz", "g.gz f g.gz", "- < f"] {
            let usual = folder.shell(&format!("iri {command} {inputs} > usual"));
            for jobs in ["", "-j 1", "-j 4"] {
                if is_limited {
                    let limited =
                        folder.shell(&format!("{limit} ./copy {command} {jobs} {inputs} > made"));
                    // Without an order, the messages of several files have none.
                    let sorted = |(code, err): &(i32, String)| {
                        let mut lines: Vec<String> = err.lines().map(str::to_owned).collect();
                        lines.sort_unstable();
                        (*code, lines)
                    };
                    assert_eq!(sorted(&limited), sorted(&usual), "{command} {jobs} {inputs}");
                    assert_eq!(folder.read("made"), folder.read("usual"), "{command} {inputs}");
                }
            }
            if has_strace {
                folder.shell(&format!(
                    "strace -f -o calls -e trace=clone,clone3,fork,vfork iri {command} -j 1 {inputs} > made"
                ));
                assert!(!folder.read("calls").contains("clone"), "{command} {inputs}");
            }
        }
    }
}
