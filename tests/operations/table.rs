//! The tables of `docs/operations.md` and the cases of `tests/data/operations.jsonl`, for the tests in Rust: those of
//! the library, the program, C and DataFusion.
//!
//! Not here: how an interface is called.

use std::collections::{BTreeMap, BTreeSet};

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

    /// What an interface must answer. `differs` has the answers of interfaces that answer otherwise.
    fn answer(&self, interface: &str) -> &Value {
        let differs = self.0.get("differs").and_then(|differs| differs.get(interface));
        differs.or(self.0.get("answer")).unwrap()
    }
}

/// The rows of the tables about operations: the operation, and the cell of each interface by its heading.
pub(crate) fn rows() -> Vec<(&'static str, BTreeMap<&'static str, &'static str>)> {
    let mut interfaces: Option<Vec<&str>> = None;
    let mut rows = Vec::new();
    for line in PAGE.lines() {
        let cells = line.strip_prefix("| ").and_then(|line| line.strip_suffix(" |"));
        let Some(mut cells) = cells.map(|cells| cells.split(" | ")) else {
            interfaces = None;
            continue;
        };
        let operation = cells.next().unwrap().trim_end_matches(" ¹");
        match &interfaces {
            _ if operation == "operation" => interfaces = Some(cells.collect()),
            Some(_) if operation == "---" => {}
            Some(interfaces) => {
                let row: BTreeMap<_, _> = interfaces.iter().copied().zip(cells).collect();
                assert_eq!(row.len(), interfaces.len(), "{operation}: a cell for each interface");
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

/// The names in the column of an interface, without arguments.
pub(crate) fn names(interface: &str) -> BTreeSet<&'static str> {
    let cells = rows().into_iter().filter_map(|(_, row)| row.get(interface).copied());
    cells.filter_map(name).filter_map(|name| name.split('(').next()).collect()
}

/// All cases, with the name of the operation.
pub(crate) fn cases() -> Vec<(String, Case)> {
    let cases = CASES.lines().map(|line| Case(serde_json::from_str(line).unwrap()));
    cases.map(|case| (case.get("operation").unwrap().to_owned(), case)).collect()
}

/// Calls each name in the column of an interface with each case of its operation, and compares the answers. `call`
/// takes the operation, the name and a case, and returns `None` if it does not know that name.
pub(crate) fn check(interface: &str, mut call: impl FnMut(&str, &str, &Case) -> Option<Value>) {
    let cases = cases();
    let (mut names, mut calls, mut wrong) = (0, 0, String::new());
    for (operation, row) in rows() {
        let Some(name) = row.get(interface).copied().and_then(name) else { continue };
        names += 1;
        for (_, case) in cases.iter().filter(|(of, _)| of == operation) {
            let found = call(operation, name, case);
            assert!(found.is_some(), "{interface}: the test cannot call {name} for: {operation}");
            if found.as_ref() != Some(case.answer(interface)) {
                wrong += &format!("{name}: {}, not as in {}\n", found.unwrap(), case.0);
            }
            calls += 1;
        }
    }
    println!("{interface}: {names} names of docs/operations.md in {calls} calls");
    assert!(names > 0, "docs/operations.md has no column {interface}");
    assert!(wrong.is_empty(), "{interface}:\n{wrong}");
}
