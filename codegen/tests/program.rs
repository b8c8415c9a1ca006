//! The program: `show`, `dot`, `stats`.

use std::process::{Command, Output};

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_simd-iri-codegen")).args(args).output().unwrap()
}

#[track_caller]
fn prints(args: &[&str], wanted: &str) {
    let output = run(args);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), wanted);
    assert!(output.status.success() && output.stderr.is_empty());
}

#[test]
fn show() {
    prints(
        &["show", "pct-encoded"],
        "pct-encoded: 5 states, 3 byte classes. State 0 is dead: all other bytes lead there.

state 1, start
        2 <- '%'

state 2
        3 <- '0'-'9' 'A'-'F' 'a'-'f'

state 3
        4 <- '0'-'9' 'A'-'F' 'a'-'f'

state 4, accepting
",
    );
}

#[test]
fn dot() {
    prints(
        &["dot", "DQUOTE"],
        r#"digraph "DQUOTE" {
  rankdir=LR
  node [shape=circle]
  "" [shape=none]
  "" -> 1
  1 -> 2 [label="'\"'"]
  2 [shape=doublecircle]
}
"#,
    );
}

#[test]
fn stats() {
    prints(
        &["stats", "DIGIT", "h16"],
        "automaton       states  classes   bytes
DIGIT                3        2     512
h16                  6        2     512
",
    );
    prints(&["stats"], include_str!("golden-summary.txt"));
}

#[test]
fn mistakes_exit_with_2() {
    for (args, message) in [
        (&["show", "nothing"][..], "simd-iri-codegen: no rule nothing\n"),
        (&["show"], "usage: "),
        (&[], "usage: "),
    ] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(output.stdout.is_empty());
        assert!(String::from_utf8(output.stderr).unwrap().starts_with(message), "{args:?}");
    }
}
