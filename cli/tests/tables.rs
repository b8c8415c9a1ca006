//! A table after a run is the table before it, with new results and new columns: for generated tables, with a reader and
//! a writer of CSV of their own.

#![expect(clippy::indexing_slicing, clippy::string_slice, reason = "a failure is a failed test")]

use std::fs;

use super::faults::dice::Dice;
use super::{run, run_in};

type Row = Vec<String>;

/// Reads CSV by RFC 4180: a field in quotes holds anything, and a line without a byte is no row.
fn read(text: &str, delimiter: char) -> Vec<Row> {
    let (mut rows, mut row, mut field) = (Vec::new(), Row::new(), String::new());
    let mut letters = text.strip_prefix('\u{feff}').unwrap_or(text).chars().peekable();
    let (mut is_quoted, mut is_begun) = (false, false);
    while let Some(letter) = letters.next() {
        match letter {
            '"' if is_quoted && letters.peek() == Some(&'"') => {
                letters.next();
                field.push('"');
            }
            '"' if is_quoted => is_quoted = false,
            _ if is_quoted => field.push(letter),
            '"' if field.is_empty() => (is_quoted, is_begun) = (true, true),
            '\r' if letters.peek() == Some(&'\n') => {}
            '\n' => {
                if is_begun || !field.is_empty() || !row.is_empty() {
                    row.push(std::mem::take(&mut field));
                    rows.push(std::mem::take(&mut row));
                }
                is_begun = false;
            }
            _ if letter == delimiter => {
                row.push(std::mem::take(&mut field));
                is_begun = true;
            }
            _ => field.push(letter),
        }
    }
    if is_begun || !field.is_empty() || !row.is_empty() {
        row.push(field);
        rows.push(row);
    }
    rows
}

/// Writes a row. A field may have quotes that it does not need; a row of one empty field has them.
fn write(row: &[String], delimiter: char, end: &str, dice: &mut Dice, out: &mut String) {
    for (number, field) in row.iter().enumerate() {
        if number > 0 {
            out.push(delimiter);
        }
        let needs =
            field.contains([delimiter, '"', '\r', '\n']) || row.len() == 1 && field.is_empty();
        match needs || dice.one_in(6) {
            true => *out += &format!("\"{}\"", field.replace('"', "\"\"")),
            false => *out += field,
        }
    }
    *out += end;
}

/// A table, and the number of the column with the addresses.
#[derive(Debug)]
struct Table {
    delimiter: char,
    text: String,
    /// The header first, if there is one.
    rows: Vec<Row>,
    has_header: bool,
    place: usize,
    columns: usize,
}

const ADDRESSES: [&str; 5] = ["http://a/", "HTTP://A/", "http://a/b", "http://a/%7Eb", "|"];

impl Table {
    fn new(dice: &mut Dice) -> Self {
        let names = [
            "url",
            "b ",
            " b",
            "",
            " ",
            "\t",
            "é",
            "2024",
            "1",
            "a,b",
            "a;b",
            "say \"x\"",
            "x\ny",
            "url ",
            "\u{3000}",
            "a\tb",
            "\u{a0}",
        ];
        let values =
            ["", " ", "1", "x ", "\t", "a,b", "\"", "x\r\ny", "http://a/", "é", "a\rb", "0"];
        let delimiter = *dice.pick(&[',', '\t', ';', '|']);
        let end = *dice.pick(&["\n", "\r\n"]);
        let columns = 1 + dice.below(4);
        let place = dice.below(columns);
        let has_header = !dice.one_in(4);
        let mut rows = Vec::new();
        if has_header {
            rows.push((0..columns).map(|_| (*dice.pick(&names)).to_owned()).collect());
        }
        for _ in 0..dice.below(6) {
            let mut row: Row = (0..columns).map(|_| (*dice.pick(&values)).to_owned()).collect();
            row[place] = (*dice.pick(&ADDRESSES)).to_owned();
            // A short row has the address.
            if dice.one_in(5) && (has_header || !rows.is_empty()) {
                row.truncate(place + 1 + dice.below(columns - place));
            }
            rows.push(row);
        }
        let mut text = if dice.one_in(3) { "\u{feff}".to_owned() } else { String::new() };
        for (number, row) in rows.iter().enumerate() {
            if (number > 0 || !has_header) && dice.one_in(8) {
                text += end;
            }
            let end = if number + 1 == rows.len() && dice.one_in(4) { "" } else { end };
            write(row, delimiter, end, dice, &mut text);
        }
        Self { delimiter, text, rows, has_header, place, columns }
    }

    /// The options that say how the table is read.
    fn options(&self, dice: &mut Dice) -> Vec<String> {
        let mut options: Vec<String> = match self.delimiter {
            '\t' => vec!["--from".into(), "tsv".into()],
            ',' => vec!["--from".into(), "csv".into()],
            other => vec!["--from".into(), "csv".into(), "--delimiter".into(), other.into()],
        };
        if !self.has_header {
            options.push("--no-header".into());
        }
        options.push("--field".into());
        let name = self.rows.first().map(|row| row[self.place].clone()).unwrap_or_default();
        let is_first = |row: &Row| row.iter().position(|known| *known == name) == Some(self.place);
        let is_named = self.has_header && self.rows.first().is_some_and(is_first);
        options.push(match (is_named && dice.one_in(2), name.parse::<usize>()) {
            (true, Ok(_)) => format!("\"{name}\""),
            (true, Err(_)) => name,
            _ => (self.place + 1).to_string(),
        });
        options
    }

    /// The rows after a run. `made` returns the result of an address, and `None` if its row is left out.
    fn after(&self, made: impl Fn(&str) -> Option<String>, added: Option<&str>) -> Vec<Row> {
        let mut rows = Vec::new();
        for (number, row) in self.rows.iter().enumerate() {
            let mut row = row.clone();
            let is_header = self.has_header && number == 0;
            let result = match is_header {
                true => Some(added.unwrap_or(&row[self.place]).to_owned()),
                false => made(&row[self.place]),
            };
            let Some(result) = result else { continue };
            match added {
                Some(_) => {
                    row.resize(self.columns, String::new());
                    row.push(result);
                }
                None => row[self.place] = result,
            }
            rows.push(row);
        }
        rows
    }
}

fn normal(address: &str) -> Option<String> {
    match address {
        "|" => None,
        "http://a/%7Eb" => Some("http://a/~b".into()),
        _ => Some(address.to_ascii_lowercase()),
    }
}

fn relative(address: &str) -> Option<String> {
    match address {
        "http://a/" => Some(String::new()),
        "HTTP://A/" => Some(address.into()),
        "|" => None,
        _ => Some(address["http://a/".len()..].into()),
    }
}

fn or_empty(made: Option<String>) -> Option<String> {
    Some(made.unwrap_or_default())
}

/// Generated tables: white space at the ends of names, names that are numbers, marks, quotes, short rows, one column,
/// results and addresses of length 0.
#[test]
fn a_table_after_a_run_is_the_table_before_with_what_is_new() {
    let number = |name: &str, usual: u64| {
        std::env::var(name).map_or(usual, |value| value.parse::<u64>().unwrap())
    };
    let (runs, first) = (number("IRI_TABLES", super::sampled(150)), number("IRI_TABLES_SEED", 1));
    for seed in first..first + runs {
        let mut dice = Dice::new(seed);
        let table = Table::new(&mut dice);
        let options = table.options(&mut dice);
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        let with = |args: &[&str]| {
            let found = run(&[args, &options, &["-q"]].concat(), &table.text);
            assert_ne!(found.code, 2, "{seed} {args:?} {table:?} {}", found.err);
            found
        };
        let rows = |args: &[&str], delimiter| read(with(args).text(), delimiter);
        let delimiter = table.delimiter;
        let says = |what: &str| format!("seed {seed}, {what}: {table:?}");
        assert_eq!(
            rows(&["normalize", "--add", "n"], delimiter),
            table.after(normal, Some("n")),
            "{}",
            says("a new column")
        );
        assert_eq!(
            rows(&["normalize"], delimiter),
            table.after(normal, None),
            "{}",
            says("results")
        );
        assert_eq!(
            rows(&["relativize", "--base", "http://a/"], delimiter),
            table.after(relative, None),
            "{}",
            says("empty results")
        );
        assert_eq!(
            rows(&["normalize", "--keep", "empty"], delimiter),
            table.after(|address| or_empty(normal(address)), None),
            "{}",
            says("--keep empty")
        );
        let counted = table.after(|address| normal(address).map(|_| "1".into()), Some("n"));
        let counts = rows(&["dedup", "--count", "--add", "n", "--level", "simple"], delimiter);
        let first = counts.first().filter(|_| table.has_header);
        assert_eq!(first, counted.first().filter(|_| table.has_header), "{}", says("--count"));
        assert!(counts.iter().all(|row| row.len() == table.columns + 1), "{}", says("--count"));
        // The other formats. A table without a row has no names to write.
        let is_empty = table.rows.len() == usize::from(table.has_header);
        if !is_empty {
            let mut expected = table.after(normal, None);
            expected.iter_mut().for_each(|row| row.resize(table.columns, String::new()));
            for (to, delimiter) in [("csv", ','), ("tsv", '\t')] {
                let mut found = rows(&["normalize", "--to", to], delimiter);
                if !table.has_header {
                    let names = (1..=table.columns).map(|number| format!("field{number}"));
                    assert_eq!(found.remove(0), names.collect::<Row>(), "{}", says(to));
                }
                assert_eq!(found, expected, "{}", says(to));
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("t");
        fs::write(&file, &table.text).unwrap();
        let args = [&["normalize", "--in-place", "-q"], &options[..], &["t"]].concat();
        let found = run_in(folder.path(), &args, "");
        assert_ne!(found.code, 2, "{seed} {table:?} {}", found.err);
        let kept = |address: &str| Some(normal(address).unwrap_or_else(|| address.to_owned()));
        let text = fs::read_to_string(&file).unwrap();
        assert_eq!(read(&text, delimiter), table.after(kept, None), "{}", says("--in-place"));
    }
    println!("{runs} tables");
}

/// A header keeps its white space, whatever ends it, and whatever adds the column.
#[test]
fn a_header_is_not_trimmed() {
    for from in ["csv", "tsv"] {
        let delimiter = if from == "csv" { "," } else { "\t" };
        for mark in ["", "\u{feff}"] {
            for (name, column) in [
                ("b ", "b "),
                ("", ""),
                (" ", " "),
                ("\u{3000}", "\u{3000}"),
                ("\"a,\tb\"", "a,\tb"),
            ] {
                for end in ["\n", "\r\n"] {
                    let head = format!("{mark}u{delimiter}{name}");
                    let input = format!("{head}{end}A:b{delimiter}1{end}");
                    for (args, new) in [
                        (&["normalize", "--add", "n"][..], "a:b"),
                        (&["dedup", "--count", "--add", "n"], "1"),
                        (&["parse", "-g", "{scheme}", "--add", "n"], "A"),
                        (&["lint", "--fix", "--add", "n"], "a:b"),
                    ] {
                        let args = [args, &["--from", from, "--field", "u"]].concat();
                        let found = run(&args, &input);
                        let expected =
                            format!("{head}{delimiter}n{end}A:b{delimiter}1{delimiter}{new}{end}");
                        assert_eq!(found.text(), expected, "{args:?} {}", found.err);
                        let rows = read(found.text(), delimiter.chars().next().unwrap());
                        assert_eq!(rows[0], ["u", column, "n"]);
                    }
                }
            }
        }
    }
}

/// Carriage returns that end the rows of a file, alone or in some rows, are named, and hide no row.
#[test]
fn a_lone_carriage_return_is_an_error_that_names_it() {
    for (args, input, code) in [
        (&["--field", "u"][..], "u\rhttp://a/\rhttp://b/\r", 2),
        (&["--field", "u"], "u", 0),
        (&["--field", "u"], "u\r", 2),
        (&["--field", "1", "--no-header"], "http://a/,1\rhttp://b/,2\r", 1),
        (&["--field", "u"], "u,n\nhttp://a/,1\rhttp://b/,2\n", 1),
        (&["--field", "u"], "u,\"x\ry\"\r\nhttp://a/,\"1\r2\"\r\n", 0),
    ] {
        for from in ["csv", "tsv"] {
            let input = if from == "tsv" { input.replace(',', "\t") } else { input.to_owned() };
            for command in ["check", "normalize", "dedup", "stats"] {
                let found = run(&[&[command, "--from", from], args].concat(), &input);
                let code = if command == "stats" && code == 1 { 0 } else { code };
                assert_eq!(found.code, code, "{command} {input:?} {}", found.err);
                let says = [found.text(), &found.err].concat();
                let names =
                    says.contains("a carriage return (CR)") || command == "stats" && code == 0;
                assert!(names || code == 0, "{command} {input:?} {says}");
            }
        }
    }
}

/// A column is named by its name, also if the name is a number.
#[test]
fn a_column_may_be_called_like_a_number() {
    for (header, field, column) in [
        ("id,2024", "2024", 2),
        ("2024,id", "2024", 1),
        ("2,1", "1", 1),
        ("2,1", "\"1\"", 2),
        ("2,1", "\"2\"", 1),
        ("id,007", "\"007\"", 2),
        ("id,\"\"\"x\"\"\"", "\"x\"", 2),
    ] {
        let input = format!("{header}\nA:1,A:2\n");
        let found = run(&["normalize", "--from", "csv", "--field", field, "--to", "lines"], &input);
        assert_eq!(found.text(), format!("a:{column}\n"), "{header} {field} {}", found.err);
        let table = run(&["normalize", "--from", "csv", "--field", field, "--to", "tsv"], &input);
        let row = if column == 1 { "a:1\tA:2" } else { "A:1\ta:2" };
        assert_eq!(table.lines()[1], row, "{header} {field} {}", table.err);
    }
    let found = run(&["check", "--from", "csv", "--field", "3"], "a,b\nhttp://a/,1\n");
    assert!(found.code == 1 && found.text().contains("in column 3"), "{}", found.text());
}

/// A conversion loses no byte and no member in silence, and makes none up.
#[test]
fn a_conversion_says_what_it_cannot_hold() {
    // Bytes that are not UTF-8, in a field, a name, a log and a result.
    for (args, input) in [
        (
            &["normalize", "--from", "csv", "--field", "u", "--to", "jsonl"][..],
            &b"u,n\nA:b,caf\xE9\n"[..],
        ),
        (
            &["normalize", "--from", "csv", "--field", "u", "--to", "jsonl", "--add", "x"],
            b"u,n\nA:b,caf\xE9\n",
        ),
        (
            &["normalize", "--from", "log", "--to", "jsonl"],
            b"h - - [t] \"GET / HTTP/1.1\" 200 1 \"-\" \"caf\xE9\"\n",
        ),
        (&["decode", "--from", "jsonl", "--field", "/u"], b"{\"u\":\"%FF\"}\n"),
        (&["decode", "--from", "jsonl", "--field", "/u", "--add", "x"], b"{\"u\":\"%FF\"}\n"),
        (&["decode", "--from", "cdxj"], b"a 1 {\"url\":\"%FF\"}\n"),
        (&["decode", "--from", "csv", "--field", "u", "--to", "jsonl"], b"u\n%FF\n"),
        (&["decode", "--from", "nt"], b"<a:%FF> <a:b> <a:c> .\n"),
        (
            &["normalize", "--charset", "utf-8", "--from", "csv", "--field", "u"],
            b"u,n\nA:b,caf\xE9\n",
        ),
        (
            &[
                "normalize",
                "--charset",
                "shift_jis",
                "--from",
                "csv",
                "--field",
                "u",
                "--to",
                "tsv",
            ],
            b"u,n\nA:b,\xFF\n",
        ),
    ] {
        for keep in [&[][..], &["--keep", "input"], &["--keep", "empty"]] {
            let found = run(&[args, keep].concat(), input);
            assert_eq!(found.code, 1, "{args:?} {}", found.err);
            assert!(found.err.contains(" error: "), "{args:?} {}", found.err);
            let is_text = !args.contains(&"--charset") && keep != ["--keep", "input"];
            let text = String::from_utf8_lossy(&found.out);
            assert!(!is_text || !text.contains('\u{fffd}'), "{args:?} {text}");
        }
        let aside = super::TempFile::new("tables-aside", "");
        let found = run(&[args, &["--errors", aside.name()]].concat(), input);
        assert_eq!(found.code, 1, "{args:?} {}", found.err);
        let object = fs::read_to_string(&aside.0).unwrap();
        assert_eq!(object.lines().count(), 1, "{args:?} {object}");
        let object: serde_json::Value = serde_json::from_str(&object).unwrap();
        let is_utf8 = std::str::from_utf8(input).is_ok() || args.contains(&"--charset");
        assert_eq!(object.get("record_base64").is_none(), is_utf8, "{args:?} {object}");
    }
    for to in ["jsonl", "tsv", "csv"] {
        let found =
            run(&["normalize", "--from", "csv", "--field", "u", "--to", to], b"u,caf\xE9\nA:b,1\n");
        assert_eq!((found.text(), found.code), ("", 2), "{}", found.err);
        assert!(found.err.contains("its header is not UTF-8; --charset"), "{}", found.err);
        let latin =
            ["normalize", "--charset", "latin1", "--from", "csv", "--field", "u", "--to", to];
        let found = run(&latin, b"u,caf\xE9\nA:b,\xE9\n");
        assert_eq!((found.text().matches('é').count(), found.code), (2, 0), "{}", found.err);
    }
    // The escapes of a log are text.
    for to in ["jsonl", "csv", "tsv"] {
        for (agent, text) in
            [("caf\\xE9", "caf\\xE9"), ("\\x00\\x41", "\\x00\\x41"), ("\\xC3\\xA9\\x41", "éA")]
        {
            let log = format!("h - - [t] \"GET /%7e HTTP/1.1\" 200 1 \"-\" \"{agent}\"\n");
            let found = run(&["normalize", "--from", "log", "--to", to], log);
            let text = if to == "jsonl" { text.replace('\\', "\\\\") } else { text.to_owned() };
            assert!(
                found.code == 0 && found.text().contains(&text),
                "{to} {agent} {}",
                found.text()
            );
        }
    }
    // Where the output holds bytes, they stay.
    let found =
        run(&["normalize", "--from", "csv", "--field", "u", "--to", "tsv"], b"u,n\nA:b,caf\xE9\n");
    assert_eq!((&*found.out, found.code), (&b"u\tn\na:b\tcaf\xE9\n"[..], 0));

    // A member that is missing, null, or there twice.
    let jsonl = |to: &str, input: &str| {
        run(&["normalize", "--from", "jsonl", "--field", "/u", "--to", to], input)
    };
    let found = jsonl(
        "jsonl",
        "{\"u\":\"A:b\",\"x\":1,\"y\":\"\"}\n{\"u\":\"A:c\"}\n{\"x\":null,\"u\":\"A:d\"}\n",
    );
    let expected = "{\"u\":\"a:b\",\"x\":1,\"y\":\"\"}\n{\"u\":\"a:c\",\"x\":null,\"y\":null}\n{\"u\":\"a:d\",\"x\":null,\"y\":null}\n";
    assert_eq!((found.text(), found.code), (expected, 0), "{}", found.err);
    for to in ["jsonl", "csv", "tsv"] {
        for twin in ["\"x\":1,\"x\":2", "\"x\":1,\"\\u0078\":1", "\"u\":\"A:c\",\"x\":1"] {
            let found =
                jsonl(to, &format!("{{\"u\":\"A:b\",\"x\":0}}\n{{\"u\":\"A:b\",{twin}}}\n"));
            assert_eq!(found.code, 1, "{twin} {}", found.err);
            assert!(found.err.contains(" twice, and the output has one place"), "{}", found.err);
        }
    }
    let row = run(&["normalize", "--from", "csv", "--field", "u", "--to", "jsonl"], "u,x\nA:b\n");
    assert_eq!(row.text(), "{\"u\":\"a:b\",\"x\":null}\n");
    // Columns with one name.
    for header in ["u,n,n", "u,u,n", "n,u,\"n\"", "u,,"] {
        let input = format!("{header}\nA:1,A:2,A:3\n");
        let found = run(&["normalize", "--from", "csv", "--field", "u", "--to", "jsonl"], &input);
        assert_eq!((found.text(), found.code), ("", 2), "{header} {}", found.err);
        assert!(found.err.contains("two fields are called "), "{}", found.err);
        let table = run(&["normalize", "--from", "csv", "--field", "u", "--to", "tsv"], &input);
        assert_eq!((table.lines().len(), table.code), (2, 0), "{}", table.err);
    }
}
