//! Any text as a grammar: reading it and compiling its rules never panics, takes bounded time and memory, and reports
//! the position of each mistake.
//!
//! A grammar is input like any other: `codegen` is published, and reads what a person wrote (RFC 5234). libFuzzer's
//! `-timeout` and `-rss_limit_mb`, which `fuzz/run` sets, are the bounds. Not here: whether an automaton is right,
//! which `parse` and the tests of `codegen` check.
#![no_main]

use libfuzzer_sys::fuzz_target;
use simd_iri_codegen::{Automaton, Error, Grammar, Place};

fuzz_target!(|text: &str| {
    let grammar = match Grammar::parse(&[("fuzz", text)]) {
        Ok(grammar) => grammar,
        Err(Error::Syntax { at, problem }) => {
            assert!(!problem.is_empty());
            return is_in(&at, text);
        }
        Err(Error::Redefined { at, first, rule }) => {
            assert!(names(&first, text, &rule) && names(&at, text, &rule), "{at}, {first}: {rule}");
            return;
        }
        Err(error) => panic!("not an error of reading: {error}"),
    };
    // Each rule may use up the limits, which takes a second or more here, so that two rules are enough.
    for rule in grammar.names().take(2) {
        match grammar.automaton(rule) {
            Ok(automaton) => {
                is_sound(&automaton);
                if automaton.states() < 1000 {
                    is_the_same_by_another_name(&grammar, text, rule, &automaton);
                }
            }
            Err(Error::Undefined { at: Some(at), rule } | Error::Recursive { at, rule }) => {
                assert!(names(&at, text, &rule), "{at}: {rule}");
            }
            Err(Error::TooLarge { rule: large, limit }) => {
                assert_eq!(large, rule);
                assert!(!limit.is_empty());
            }
            Err(error) => panic!("not an error of compiling: {error}"),
        }
    }
});

/// A position is in the text, or just after it or one of its lines.
fn is_in(at: &Place, text: &str) {
    let line = text.split('\n').nth(at.line as usize - 1).unwrap();
    assert!((1..=line.chars().count() + 1).contains(&(at.column as usize)), "{at}");
}

/// Tells whether the name of a rule stands at a place, in either case (RFC 5234, section 2.1) and perhaps
/// in the angle brackets of a prose-val.
fn names(at: &Place, text: &str, rule: &str) -> bool {
    is_in(at, text);
    let line = text.split('\n').nth(at.line as usize - 1).unwrap();
    let start = line.char_indices().nth(at.column as usize - 1).map_or(line.len(), |(at, _)| at);
    let here = line[start..].strip_prefix('<').unwrap_or(&line[start..]);
    here.get(..rule.len()).is_some_and(|name| name.eq_ignore_ascii_case(rule))
}

/// The automaton has the sizes that it reports.
fn is_sound(automaton: &Automaton) {
    let states = automaton.states();
    assert!((1..=1 << 16).contains(&states) && automaton.start() < states);
    assert!(
        (0..states)
            .all(|state| { automaton.is_accepting(state) == (state >= automaton.first_accept()) })
    );
    assert!((0..=255).all(|byte| automaton.next(0, byte) == 0), "the dead state is left");
    let class_of = automaton.class_of();
    assert_eq!(class_of.iter().max().map(|&last| usize::from(last) + 1), Some(automaton.classes()));
    assert!((0..=255_u8).filter(|&byte| automaton.first()[usize::from(byte)]).all(|byte| {
        automaton.alphabet()[usize::from(byte)] && automaton.next(automaton.start(), byte) != 0
    }));
}

/// Minimal automata of one language are equal, however the rule is written.
fn is_the_same_by_another_name(grammar: &Grammar, text: &str, rule: &str, automaton: &Automaton) {
    // Longer than every existing name.
    let fresh = "z".repeat(grammar.names().map(str::len).max().unwrap_or(0) + 1);
    let more = format!("{text}\n{fresh} = {rule} / 1({rule})\n");
    let Ok(grown) = Grammar::parse(&[("grown", &more)]) else { panic!("a rule cannot be added") };
    match grown.automaton(&fresh) {
        Ok(other) => assert!(other == *automaton, "{rule} is not minimal"),
        Err(error) => assert!(matches!(error, Error::TooLarge { .. }), "{error}"),
    }
}
