//! The tables of `docs/operations.md` and the cases of `tests/data/operations.jsonl`, for the tests of each door in Rust:
//! the library, the program, C and DataFusion.
//!
//! Not here: how a door is called.

use std::collections::BTreeMap;

use serde_json::Value;

const PAGE: &str = include_str!("../../docs/operations.md");
const CASES: &str = include_str!("../data/operations.jsonl");

/// A call of an operation, and its answer.
pub(crate) struct Case(Value);

impl Case {
    /// A text of the case: its `input`, or a setting. `None` if the case does not have it.
    pub(crate) fn get(&self, field: &str) -> Option<&str> {
        self.0.get(field).and_then(Value::as_str)
    }

    /// The text on which the operation works.
    pub(crate) fn input(&self) -> &str {
        self.get("input").unwrap()
    }

    /// What a door must answer. A case has other answers for doors with another default: `differs`.
    fn answer(&self, door: &str) -> &Value {
        let differs = self.0.get("differs").and_then(|differs| differs.get(door));
        differs.or(self.0.get("answer")).unwrap()
    }
}

/// The rows of the tables about operations: the operation, and the cell of each door by its heading.
pub(crate) fn rows() -> Vec<(&'static str, BTreeMap<&'static str, &'static str>)> {
    let mut doors: Option<Vec<&str>> = None;
    let mut rows = Vec::new();
    for line in PAGE.lines() {
        let cells = line.strip_prefix("| ").and_then(|line| line.strip_suffix(" |"));
        let Some(mut cells) = cells.map(|cells| cells.split(" | ")) else {
            doors = None;
            continue;
        };
        let operation = cells.next().unwrap().trim_end_matches(" ¹");
        match &doors {
            _ if operation == "operation" => doors = Some(cells.collect()),
            Some(_) if operation == "---" => {}
            Some(doors) => {
                let row: BTreeMap<_, _> = doors.iter().copied().zip(cells).collect();
                assert_eq!(row.len(), doors.len(), "{operation}: a cell for each door");
                rows.push((operation, row));
            }
            None => {}
        }
    }
    rows
}

/// The name in a cell, or `None` if the cell has a word from the list of reasons.
pub(crate) fn name(cell: &str) -> Option<&str> {
    cell.strip_prefix('`')?.strip_suffix('`')
}

/// All cases, with the name of the operation.
pub(crate) fn cases() -> Vec<(String, Case)> {
    let cases = CASES.lines().map(|line| Case(serde_json::from_str(line).unwrap()));
    cases.map(|case| (case.get("operation").unwrap().to_owned(), case)).collect()
}

/// Calls each name in the column of a door with each case of its operation, and compares the answers. `call` takes the
/// operation, the name and a case, and returns `None` if it does not know that name.
pub(crate) fn check(door: &str, mut call: impl FnMut(&str, &str, &Case) -> Option<Value>) {
    let cases = cases();
    let (mut names, mut calls, mut wrong) = (0, 0, String::new());
    for (operation, row) in rows() {
        let Some(name) = row.get(door).copied().and_then(name) else { continue };
        names += 1;
        for (_, case) in cases.iter().filter(|(of, _)| of == operation) {
            let found = call(operation, name, case);
            assert!(found.is_some(), "{door}: the test cannot call {name} for: {operation}");
            if found.as_ref() != Some(case.answer(door)) {
                wrong += &format!("{name}: {}, not as in {}\n", found.unwrap(), case.0);
            }
            calls += 1;
        }
    }
    println!("{door}: {names} names of docs/operations.md in {calls} calls");
    assert!(names > 0, "docs/operations.md has no column {door}");
    assert!(wrong.is_empty(), "{door}:\n{wrong}");
}
