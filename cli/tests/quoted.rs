//! One law for messages: a secret and a character that is not seen are in no message, whoever wrote the text that the
//! message quotes. They are planted into each argument of each command, into each value of each option, into names of
//! files, headers and members, and into the files that options name. The commands and their options are those of the
//! help, so a new option is tried, too.
//!
//! What a command prints on standard output is its result, which may be the item itself; so the law is about standard
//! error, and about standard output where nothing was done.

use std::collections::BTreeSet;

use super::planted::Numbers;
use super::{Run, run, run_in};

/// A text that stands nowhere else.
const SECRET: &str = "S3CRET9";

/// What is planted: arguments that a user may write, with a secret where a secret may be.
const PLANTS: [&str; 17] = [
    "http://u:SECRET@h/",
    "http://u:SECRET@h/x.warc.gz",
    "//u:SECRET@h?sig=SECRET&token=SECRET",
    "https://h/cb#access_token=SECRET",
    "{http://u:SECRET@h/}",
    "password=SECRET",
    "a,http://u:SECRET@h/",
    "x http://u:SECRET@h/ y",
    "http://u:SE\u{1b}[31mCRET@h/",
    "http://u:SE\u{9b}CRET@h/\u{202e}\u{200b}\u{7}",
    "/x?token=SECRET\u{1b}]0;a\u{7}",
    "\u{1b}[31m\u{85}\u{2066}\u{feff}\u{ad}",
    "/none/http://u:S3/CRET9@h/",
    "http://h/?token=S3 CRET9",
    "//u:SECRET@h/",
    "http:u:SECRET@h/",
    "a\tb\nFORGED: a",
];

/// Tells whether a character changes what a terminal shows, or is not seen.
fn is_unseen(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || "\u{202e}\u{2066}\u{200b}\u{feff}\u{ad}".contains(c)
}

fn check(found: &Run, tried: &dyn std::fmt::Debug) {
    let outs = if found.code == 2 {
        vec![found.err.as_str(), found.text()]
    } else {
        vec![found.err.as_str()]
    };
    for text in outs {
        assert!(!text.contains(SECRET) && !text.contains("CRET9"), "{tried:?}: {text:?}");
        assert!(!text.chars().any(is_unseen), "{tried:?}: {text:?}");
        assert!(!text.contains("\nFORGED"), "{tried:?}: {text:?}");
    }
}

/// Returns the commands of the help, each with its options that take a value.
fn commands() -> Vec<(String, Vec<String>)> {
    let help = run(&["--help"], "");
    let list = help.text().split_once("Commands:\n").unwrap().1;
    let list = list.split("\n\n").next().unwrap();
    let names = list.lines().filter_map(|line| line.split_whitespace().next());
    let options = |name: &str| {
        let help = run(&[name, "--help"], "");
        let option = |line: &str| {
            let line = line.trim_start();
            let at = line.find("--").filter(|_| line.starts_with('-'))?;
            let (name, value) = line.get(at..)?.split_once(' ')?;
            value.starts_with('<').then(|| name.to_owned())
        };
        help.text().lines().filter_map(option).collect::<BTreeSet<_>>().into_iter().collect()
    };
    names.filter(|name| *name != "help").map(|name| (name.to_owned(), options(name))).collect()
}

fn variable(name: &str) -> Option<usize> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn no_argument_puts_a_secret_or_a_control_into_a_message() {
    let sample = variable("SIMD_IRI_SAMPLE").unwrap_or(1);
    let mut numbers = Numbers(variable("PROPTEST_RNG_SEED").unwrap_or(1) as u64);
    let commands = commands();
    let options: usize = commands.iter().map(|(_, options)| options.len()).sum();
    assert!(commands.len() > 30 && options > 300, "{} {options}", commands.len());
    let plants = PLANTS.map(|plant| {
        plant
            .replace("SECRET", SECRET)
            .replace("SE\u{1b}[31mCRET", "S3\u{1b}[31mCRET9")
            .replace("SE\u{9b}CRET", "S3\u{9b}CRET9")
    });
    for (command, options) in &commands {
        let mut tries: Vec<Vec<String>> = Vec::new();
        for plant in &plants {
            tries.push(vec![plant.clone()]);
            tries.push(vec![plant.clone(), plant.clone()]);
            tries.push(vec![format!("--{plant}")]);
            for option in options {
                tries.push(vec![format!("{option}={plant}"), "-i".to_owned(), "a:b".to_owned()]);
                tries.push(vec![option.clone(), plant.clone()]);
            }
        }
        for arguments in tries {
            // A run takes some milliseconds, and there are ten thousand.
            if sample > 1 && numbers.below(24) > 0 {
                continue;
            }
            let folder = tempfile::tempdir().unwrap();
            let mut args = vec![command.as_str()];
            args.extend(arguments.iter().map(String::as_str));
            check(&run_in(folder.path(), &args, "a:b\n"), &args);
        }
    }
}

#[test]
fn no_name_of_a_file_puts_a_secret_or_a_control_into_a_message() {
    for name in [
        "http:/u:S3CRET9@h/x?token=S3CRET9",
        "a\u{1b}[31m\u{202e}\u{200b}.csv",
        "password=S3CRET9.jsonl",
        "x?sig=S3CRET9",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, "a b\n{\"u\":\"a b\"}\n").unwrap();
        let base = [
            "normalize",
            "extract",
            "stats",
            "dedup",
            "lint",
            "redact",
            "cdxj",
            "parse",
            "prepare",
        ];
        for command in base {
            for more in [
                &[][..],
                &["--from", "csv", "--field", "9"],
                &["--from", "jsonl", "--field", "/u"],
                &["-v", "--max-record", "1"],
            ] {
                let args = [&[command][..], more, &[name]].concat();
                let found = run_in(folder.path(), &args, "");
                check(&found, &args);
            }
        }
        // Reports of `check` are its result.
        let found = run_in(folder.path(), &["check", name], "");
        assert!(
            !found.text().contains(SECRET) && !found.text().chars().any(is_unseen),
            "{:?}",
            found.text()
        );
    }
}

#[test]
fn no_text_of_a_file_puts_a_secret_or_a_control_into_a_message() {
    let plants = ["http://u:S3CRET9@h/", "/x?token=S3CRET9", "\u{1b}[31m\u{9b}\u{202e}\u{200b}"];
    for plant in plants {
        let string = serde_json::to_string(plant).unwrap();
        let header = format!("url,{plant}\nx,y\n");
        let member = format!("{{\"u\":\"x\"}}\n{{\"u\":\"x\",{string}:1}}\n");
        let recipe = format!("[{plant}]\n\"{plant}\" = {string}\n");
        for (args, text) in [
            (&["check", "--from", "csv", "--field", "nosuch"][..], &*header),
            (&["redact", "-v", "--from", "csv", "--field", "url"], &header),
            (&["normalize", "--from", "csv", "--field", "url", "--add", plant], &header),
            (&["normalize", "--from", "jsonl", "--field", "/u", "--add", plant], &member),
            (&["normalize", "--from", "jsonl", "--field", plant], &member),
            (&["normalize", "--from", "jsonl", "--field", "/u", "--to", "csv"], &member),
            (&["normalize", "--from", "log", "--log-format", plant], "a b\n"),
            (
                &["normalize", "--from", "log", "--log-format", &format!("{plant} \"$request\"")],
                "a b\n",
            ),
            (&["normalize", "--from", "xml"], &format!("<a><{plant}>")),
            (&["normalize", "--from", "xml"], &format!("<{plant}>")),
            (&["normalize", "--recipe", "/dev/stdin", "-i", "a"], &recipe),
            (&["normalize", "--query-rules", "/dev/stdin", "-i", "a"], &recipe),
            (&["dedup", "--redirects", "/dev/stdin", "-i", "a"], &format!("{plant}\n")),
            (&["cdxj", "/dev/stdin"], &format!("{plant}\r\n\r\n")),
            (&["check", "--from", "cdxj", "--field", "/x"], &format!("{plant} 1 {{{string}:1}}\n")),
        ] {
            check(&run(args, text), &args);
        }
    }
}
