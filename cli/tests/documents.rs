//! The commands of the documents, run in a folder with the samples: they print what the document shows, and end with the
//! code that its text lets expect.

use std::fs;
use std::path::Path;
use std::process::Command;

/// The folder of the workspace.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The documents whose commands are run: those of the program, and those of the engine that show the program.
fn documents() -> Vec<String> {
    let docs = fs::read_dir(Path::new(ROOT).join("docs")).unwrap();
    let names = docs.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let pages = names.filter(|name| name.ends_with(".md")).map(|name| format!("docs/{name}"));
    let mut all: Vec<String> = pages.chain(["README.md".into(), "cli/README.md".into()]).collect();
    all.sort();
    all
}

/// The commands that do not end with 0, by a part of each, with the codes that their texts say: an item has an error, or is
/// refused; or a template is wrong.
const OTHER_CODES: [(&str, i32); 13] = [
    ("check -i 'http://example.org/50%'", 1),
    ("check cli/sample/references.txt", 1),
    ("lint --deny warnings", 1),
    ("normalize --keep input -q cli/sample/access.log", 1),
    ("--to tsv --max-errors 9 -q cli/sample/access.log", 1),
    ("-g '{host} {path}' -q cli/sample/access.log", 1),
    ("--errors target/broken.jsonl", 1),
    ("http://localhost:8080/\\n' | iri judge", 1),
    ("judge -q --redirect-from", 1),
    ("judge -q --address", 1),
    ("judge -q --json", 1),
    ("redact -q --from log --keep input", 1),
    ("template expand '/users/{id' ", 2),
];

/// A folder with the samples, and a program `iri` that notes its exit codes.
struct Place {
    folder: tempfile::TempDir,
    bin: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let (folder, bin) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let samples = folder.path().join("cli/sample");
        fs::create_dir_all(&samples).unwrap();
        for entry in fs::read_dir(Path::new(ROOT).join("cli/sample")).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), samples.join(entry.file_name())).unwrap();
        }
        let program = env!("CARGO_BIN_EXE_iri");
        let codes = bin.path().join("codes");
        let script = format!(
            "#!/bin/sh\n'{program}' \"$@\"\ncode=$?\necho $code >> '{}'\nexit $code\n",
            codes.display()
        );
        let name = bin.path().join("iri");
        fs::write(&name, script).unwrap();
        let made = Command::new("chmod").arg("+x").arg(&name).status().unwrap();
        assert!(made.success());
        Self { folder, bin }
    }

    /// Runs a command. Returns its output with its errors, and the greatest exit code of its runs of the program.
    fn run(&self, command: &str) -> (String, Option<i32>) {
        let codes = self.bin.path().join("codes");
        fs::write(&codes, "").unwrap();
        let path = format!("{}:{}", self.bin.path().display(), std::env::var("PATH").unwrap());
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("({command}) 2>&1")]).env("PATH", &path);
        let output = shell.current_dir(self.folder.path()).output().unwrap();
        let codes = fs::read_to_string(codes).unwrap();
        let worst = codes.lines().map(|code| code.parse::<i32>().unwrap()).max();
        (String::from_utf8(output.stdout).unwrap(), worst)
    }
}

/// Returns the blocks of code of a document in a language.
fn blocks<'d>(document: &'d str, language: &str) -> Vec<&'d str> {
    let opening = format!("```{language}\n");
    document.split(&*opening).skip(1).map(|block| block.split("```").next().unwrap()).collect()
}

#[test]
fn each_command_of_the_documents_prints_what_is_shown_and_ends_as_the_text_says() {
    let (mut tried, mut wrong, mut used) = (0, Vec::new(), Vec::new());
    let mut differing = Vec::new();
    let mut check = |document: &str, command: &str, code: Option<i32>| {
        let Some(code) = code else { return };
        tried += 1;
        let other = OTHER_CODES.iter().find(|(part, _)| command.contains(part));
        used.extend(other.map(|(part, _)| *part));
        let expected = other.map_or(0, |(_, code)| *code);
        if code != expected {
            wrong.push(format!("{document}: {command}: {code}, not {expected}"));
        }
    };
    for name in documents() {
        let text = fs::read_to_string(Path::new(ROOT).join(&name)).unwrap();
        let place = Place::new();
        for shown in blocks(&text, "console") {
            let mut printed = String::new();
            for command in shown.lines().filter_map(|line| line.strip_prefix("$ ")) {
                let (output, code) = place.run(command);
                printed += &format!("$ {command}\n{output}");
                check(&name, command, code);
            }
            if printed != shown {
                differing.push(format!("{name} shows\n{shown}and not\n{printed}"));
            }
        }
        if cfg!(feature = "columnar") {
            for (from, to) in [("pages.csv", "crawl.parquet"), ("pages.csv", "crawl.arrow")] {
                let (_, format) = to.rsplit_once('.').unwrap();
                let command =
                    format!("iri normalize -q --field url cli/sample/{from} --to {format} -o {to}");
                assert_ne!(place.run(&command).1, Some(2), "{command}");
            }
            fs::write(place.folder.path().join("pages.jsonl"), "{\"url\":\"HTTP://a/\"}\n")
                .unwrap();
        }
        for line in blocks(&text, "sh").into_iter().flat_map(str::lines) {
            let command = line.replace("cargo run --release -- ", "iri ");
            let is_read = cfg!(feature = "columnar")
                || !command.contains(".parquet") && !command.contains(".arrow");
            if command.starts_with("iri ") && is_read {
                check(&name, &command, place.run(&command).1);
            }
        }
        for command in text.split("`cargo run --release -- ").skip(1) {
            let command = format!("iri {}", command.split('`').next().unwrap());
            check(&name, &command, place.run(&command).1);
        }
    }
    wrong.extend(differing);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(OTHER_CODES.iter().all(|(part, _)| used.contains(part)), "{used:?}");
    assert!(tried > 70, "{tried}");
}
