//! `--recursive`: which files of a folder are read. A model says it for each file of generated folders, and the files
//! that it leaves out keep their bytes under `--in-place`.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::run;

/// A folder that is removed at the end of the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("iri-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn name(&self) -> &str {
        self.0.to_str().unwrap()
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The texts of all regular files below a folder, by their names in it.
fn texts(root: &Path) -> BTreeMap<String, String> {
    let (mut texts, mut pending) = (BTreeMap::new(), vec![root.to_owned()]);
    while let Some(path) = pending.pop() {
        let kind = fs::symlink_metadata(&path).unwrap().file_type();
        if kind.is_dir() {
            pending.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if kind.is_file() {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            texts.insert(name, fs::read_to_string(&path).unwrap());
        }
    }
    texts
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Names of folders, and whether they are hidden, ignored or excluded.
const FOLDERS: [(&str, [bool; 3]); 5] = [
    ("", [false; 3]),
    ("a/", [false; 3]),
    (".hidden/", [true, false, false]),
    ("ignored/", [false, true, false]),
    ("a/old/", [false, false, true]),
];

/// Names of files, whether they are hidden, ignored or excluded, and whether their names say a format.
const FILES: [(&str, [bool; 3], bool); 8] = [
    ("x.txt", [false; 3], true),
    ("access.log.1", [false; 3], true),
    ("error.log", [false; 3], false),
    ("Makefile", [false; 3], false),
    (".x.txt", [true, false, false], true),
    ("tmp.txt", [false, true, false], true),
    ("old.txt", [false, false, true], true),
    ("pom.xml", [false; 3], false),
];

/// A text that a command changes, in the format of the name.
fn text(name: &str) -> &'static str {
    if name.contains("access.log") {
        "h - - [t] \"GET HTTP://a/ HTTP/1.1\" 200 1\n"
    } else {
        "Build:\n"
    }
}

#[test]
fn a_file_is_read_if_the_model_says_so() {
    // Every set of the options.
    for options in 0..32_u32 {
        let has = |bit: u32| options >> bit & 1 == 1;
        let folder = Folder::new("walk");
        folder.write(".gitignore", "/ignored/\ntmp.*\n");
        let mut changed = BTreeMap::new();
        for (place, place_kinds) in FOLDERS {
            for (file, kinds, has_format) in FILES {
                let name = format!("{place}{file}");
                folder.write(&name, text(file));
                let is = |kind: usize| place_kinds[kind] || kinds[kind];
                let is_read = (!is(0) || has(0))
                    && (!is(1) || has(1))
                    && (!is(2) || !has(2))
                    && (has_format || has(3))
                    && (!has(4) || file.ends_with(".txt"));
                let expected = if is_read {
                    text(file).replace("HTTP:", "http:").replace("Build", "build")
                } else {
                    text(file).to_owned()
                };
                changed.insert(name, expected);
            }
        }
        // Nothing of these is opened: a pipe without a writer would wait for ever, and a link leads outside.
        let outside = Folder::new("walk-outside");
        outside.write("x.txt", "Build:\n");
        pipe(&folder.0.join("a/pipe.txt"));
        pipe(&folder.0.join("a/access.log"));
        symlink(outside.0.join("x.txt"), folder.0.join("a/link.txt")).unwrap();
        symlink(&outside.0, folder.0.join("a/folder")).unwrap();
        symlink("/dev/zero", folder.0.join("a/zero.txt")).unwrap();
        let mut args = vec!["normalize", "-q", "-r", "--in-place"];
        for (bit, option) in [
            &["--hidden"][..],
            &["--no-ignore"],
            &["--exclude", "/a/old/", "--exclude", "old.*"],
            &["--from", "lines"],
            &["--include", "*.txt"],
        ]
        .into_iter()
        .enumerate()
        {
            if has(bit as u32) {
                args.extend(option);
            }
        }
        args.push(folder.name());
        let found = run(&args, "");
        let mut after = texts(&folder.0);
        after.remove(".gitignore");
        assert_eq!(after, changed, "{args:?} {}", found.err);
        assert_eq!(texts(&outside.0)["x.txt"], "Build:\n");
        assert_eq!(found.code, 0, "{args:?} {}", found.err);
    }
}

#[test]
fn a_named_file_is_read_whatever_it_is() {
    let folder = Folder::new("walk-named");
    folder.write("Makefile", "A:1\n");
    folder.write(".hidden.txt", "A:2\n");
    folder.write("x.dat", "A:3\n");
    symlink(folder.0.join("x.dat"), folder.0.join("link")).unwrap();
    let names = ["Makefile", ".hidden.txt", "link"].map(|name| format!("{}/{name}", folder.name()));
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let found = run(&[&["normalize", "-r"], &names[..]].concat(), "");
    assert_eq!((found.text(), found.err.as_str(), found.code), ("a:1\na:2\na:3\n", "", 0));
    // A link to a folder is followed if it is named.
    symlink(&folder.0, folder.0.join("here")).unwrap();
    let here = format!("{}/here", folder.name());
    let found = run(&["check", "-r", "--count", "--hidden", &here], "");
    assert_eq!(found.text(), "1 item, 1 valid, 0 invalid as IRI\n");
    assert!(
        found.err.contains("2 files are left out because their names do not say a format"),
        "{}",
        found.err
    );
}

#[test]
fn files_above_count_in_a_repository_only() {
    let folder = Folder::new("walk-above");
    folder.write("project/.gitignore", "*.log\n");
    folder.write("project/sub/access.log", "h - - [t] \"GET /a HTTP/1.1\" 200 1\n");
    let sub = folder.0.join("project/sub");
    let count = |items: &str| {
        let found = run(&["check", "-r", "--count", sub.to_str().unwrap()], "");
        assert!(found.text().starts_with(items), "{} {}", found.text(), found.err);
    };
    count("1 item,");
    fs::create_dir(folder.0.join("project/.git")).unwrap();
    count("0 items,");
    folder.write("project/sub/.gitignore", "!access.log\n");
    count("1 item,");
}

#[test]
fn formats_of_names_come_before_that_of_the_command_line() {
    let folder = Folder::new("walk-formats");
    folder.write("a.html", "<a href='http://a/'>x</a>");
    folder.write("b", "A:2\n");
    folder.write("c.xml", "<urlset><url><loc>A:3</loc></url></urlset>");
    folder.write("d.xml", "A:4\n");
    let found = run(&["check", "-r", "--count", "--from", "lines", folder.name()], "");
    assert_eq!((found.text(), found.err.as_str()), ("4 items, 4 valid, 0 invalid as IRI\n", ""));
    let found = run(&["check", "-r", "--count", folder.name()], "");
    assert_eq!(found.text(), "2 items, 2 valid, 0 invalid as IRI\n");
    // Without folders, the format of the command line is that of every file.
    let page = format!("{}/a.html", folder.name());
    assert_eq!(
        run(&["check", "--count", "--from", "lines", &page], "").text(),
        "1 item, 0 valid, 1 invalid as IRI\n"
    );
}

#[test]
fn patterns_are_for_folders() {
    for args in [
        &["check", "--include", "*.txt", "x"][..],
        &["check", "--exclude", "*.txt", "x"],
        &["check", "--hidden", "x"],
        &["check", "--no-ignore", "x"],
        &["check", "-r", "--exclude", " ", "x"],
    ] {
        let found = run(args, "");
        assert_eq!((found.text(), found.code), ("", 2), "{args:?} {}", found.err);
    }
    // In a file of patterns, these would begin a comment and an exception.
    let folder = Folder::new("walk-patterns");
    folder.write("#x.txt", "a:1\n");
    folder.write("!x.txt", "a:2\n");
    folder.write("x.txt", "a:3\n");
    for (pattern, count) in
        [("#x.txt", "2 items"), ("!x.txt", "2 items"), ("*x.txt", "0 items"), ("/x.*", "2 items")]
    {
        let found = run(&["check", "-r", "--count", "--exclude", pattern, folder.name()], "");
        assert!(found.text().starts_with(count), "{pattern} {}", found.text());
    }
}
