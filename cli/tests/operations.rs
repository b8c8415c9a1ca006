//! Every command that `docs/operations.md` has for the program is run with the cases of `tests/data/operations.jsonl`.

use serde_json::{Value, json};

use super::{Run, TempFile, run};

#[path = "../../tests/operations/table.rs"]
mod table;

use table::Case;

#[test]
fn each_command_of_the_page_has_its_answers() {
    table::check("program", |operation, name, case| {
        let mut arguments = arguments(name, case);
        let rules = case.get("rules").map(|rules| TempFile::new("operations.toml", rules));
        // The option is the last word of the command, and stands before the item.
        let place = arguments.iter().position(|argument| argument == "--query-rules");
        if let (Some(place), Some(rules)) = (place, &rules) {
            arguments.insert(place + 1, rules.name().to_owned());
        }
        let run = run(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), "");
        Some(answer(operation, name, &run))
    });
}

/// These commands count, select or explain many records, or are about the program itself.
const OTHERS: [&str; 9] =
    ["cdxj", "completions", "dedup", "explain", "help", "join", "man", "recipe", "stats"];

#[test]
fn the_page_has_each_command() {
    let named = table::names("program");
    let help = run(&["help"], "");
    let commands = help.text().split_once("Commands:\n").unwrap().1.split_once("\n\n").unwrap().0;
    // A line that goes on has more spaces.
    let commands = commands.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    for command in commands.filter(|name| !name.is_empty() && !OTHERS.contains(name)) {
        let is_of = |name: &&str| name.split(' ').nth(1) == Some(command);
        assert!(named.iter().any(is_of), "docs/operations.md lacks iri {command}");
    }
}

/// The arguments of a command for a case. A command that ends with an option gets the value of this option.
///
///     iri resolve --base          resolve --base http://a/b/c --item g
///     iri parse -g '{host}'       parse -g {host} --item http://a/
///     iri parse -g '{key}'        parse -g {key:scheme} --item http://a/
///     iri normalize --set path=   normalize --set path=/b --item http://a/
fn arguments(command: &str, case: &Case) -> Vec<String> {
    const VALUES: [(&str, &str); 7] = [
        ("--base", "base"),
        ("--query-charset", "charset"),
        ("--charsets", "charset"),
        ("--drop-query", "name"),
        ("--embed", "direction"),
        ("--format", "format"),
        ("--redirect-from", "base"),
    ];
    const SETTINGS: [(&str, &str); 4] =
        [("--as", "rule"), ("--level", "level"), ("--profile", "profile"), ("--context", "markup")];
    // These take every IRI reference.
    const WITHOUT_RULE: [&str; 3] = ["to-uri", "to-iri", "compare"];
    let mut arguments: Vec<_> =
        command.split(' ').skip(1).map(|word| word.trim_matches('\'')).collect();
    let is_of = |name: &&str| arguments.first() == Some(name);
    let without_rule = WITHOUT_RULE.iter().any(is_of);
    let (is_compare, is_template) = (is_of(&"compare"), is_of(&"parse"));
    let is_build = is_of(&"build");
    let value = VALUES.iter().find(|(option, _)| arguments.last() == Some(option));
    arguments.extend(value.map(|(_, field)| case.get(field).unwrap()));
    for (option, field) in SETTINGS {
        let is_taken = !(without_rule && field == "rule" || is_template && field == "level");
        if let Some(value) = case.get(field).filter(|_| is_taken) {
            arguments.extend([option, value]);
        }
    }
    if is_build {
        // The input is the path.
    } else if is_compare {
        arguments.extend([case.input(), case.get("other").unwrap()]);
    } else {
        arguments.extend(["--item", case.input()]);
    }
    let whole = |word: &str| match (word, case.get("level"), case.get("value")) {
        ("{key}" | "{fingerprint}", Some(level), _) => word.replace('}', &format!(":{level}}}")),
        ("path=", _, Some(value)) => format!("path={value}"),
        ("path=", _, None) => format!("path={}", case.input()),
        _ => word.to_owned(),
    };
    arguments.into_iter().map(whole).collect()
}

/// What the program has answered, in the form of the cases.
fn answer(operation: &str, command: &str, run: &Run) -> Value {
    let lines = run.lines();
    let line = lines.first().copied();
    let is_done = run.code == 0;
    match (operation, command) {
        ("is valid" | "is a host name" | "is a host name of IDNA2008", _)
        | ("is an address of the public web", _) => json!(is_done),
        ("is equivalent", _) => line.map_or(Value::Null, |line| json!(line == "equal")),
        ("first error", _) => line.map_or(Value::Null, |line| {
            let error = field(line, "error");
            let part = |name: &str| (name.to_owned(), error.get(name).unwrap().clone());
            ["kind", "start", "end", "component"].map(part).into_iter().collect()
        }),
        // A place is a column, which counts characters from 1.
        ("all errors", _) => {
            let column = |line: &str| line.split(':').nth(2)?.parse::<usize>().ok();
            json!(lines.iter().filter_map(|line| Some(column(line)? - 1)).collect::<Vec<_>>())
        }
        ("components", _) if is_done => {
            let components =
                ["scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment"];
            let part = |name: &str| (name.to_owned(), field(line.unwrap(), name));
            components.map(part).into_iter().collect()
        }
        ("lint", _) if is_done => {
            let findings = field(line.unwrap(), "findings");
            let findings = findings.as_array().unwrap();
            findings.iter().map(|finding| finding.get("code").unwrap().clone()).collect()
        }
        (_, command) if command.starts_with("iri extract") => json!(lines),
        // FILE:LINE:COLUMN: CHARSET REFERENCE
        ("interpret in a legacy charset", _) => json!(line.unwrap().rsplit(' ').next()),
        ("port for a connection", _) => json!(line.and_then(|line| line.parse::<u16>().ok())),
        // A template writes nothing for a component that is absent.
        (_, command) if command.starts_with("iri parse -g") && line == Some("") => Value::Null,
        _ if is_done => json!(line),
        _ => Value::Null,
    }
}

/// A field of the object in a line.
fn field(line: &str, name: &str) -> Value {
    serde_json::from_str::<Value>(line).unwrap().get(name).unwrap().clone()
}
