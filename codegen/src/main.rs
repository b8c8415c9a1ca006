//! The program: prints the automaton of a rule or the sizes of the tables, and writes the table of links. It only calls
//! the library.
#![forbid(unsafe_code)]

use std::{
    collections::BTreeMap,
    env, fs,
    io::{self, ErrorKind, Write},
    path::Path,
    process::ExitCode,
};

use simd_iri_codegen::{
    Automaton, Endian, Error, LinkData, automata_summary, automaton, generate, links, ranges,
};

const USAGE: &str = "\
usage: simd-iri-codegen show RULE     the states of a rule's automaton and where their bytes lead
       simd-iri-codegen dot RULE      the same as a graph for Graphviz
       simd-iri-codegen stats RULE…   states, byte classes and bytes of the tables
       simd-iri-codegen stats         the figures of all tables that the library ships
       simd-iri-codegen links DIR     the table of UTS #58, from LinkTerm.txt, LinkBracket.txt and LinkEmail.txt
";

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let text = match args.as_slice() {
        ["show", rule] => automaton(rule).map(|automaton| show(rule, &automaton)),
        ["dot", rule] => automaton(rule).map(|automaton| dot(rule, &automaton)),
        ["stats"] => generate(Endian::Little).map(|generated| generated.summary),
        ["stats", rules @ ..] => stats(rules),
        ["links", folder] => match read(Path::new(folder)) {
            Ok([term, bracket, email]) => {
                links(LinkData { term: &term, bracket: &bracket, email: &email })
            }
            Err(error) => return fail(&format!("simd-iri-codegen: {error}\n")),
        },
        ["help" | "-h" | "--help"] => Ok(USAGE.to_owned()),
        _ => return fail(USAGE),
    };
    match text {
        Err(error) => fail(&format!("simd-iri-codegen: {error}\n")),
        Ok(text) => match io::stdout().write_all(text.as_bytes()) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                fail(&format!("simd-iri-codegen: {error}\n"))
            }
            _ => ExitCode::SUCCESS,
        },
    }
}

fn fail(message: &str) -> ExitCode {
    eprint!("{message}");
    ExitCode::from(2)
}

/// Reads the data files of UTS #58.
fn read(folder: &Path) -> io::Result<[String; 3]> {
    let read = |name: &str| {
        let path = folder.join(name);
        fs::read_to_string(&path)
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
    };
    Ok([read("LinkTerm.txt")?, read("LinkBracket.txt")?, read("LinkEmail.txt")?])
}

fn show(rule: &str, automaton: &Automaton) -> String {
    let (states, classes) = (automaton.states(), automaton.classes());
    let mut text = format!(
        "{rule}: {states} states, {classes} byte classes. State 0 is dead: all other bytes lead there.\n"
    );
    for state in 1..states {
        text += &format!("\nstate {state}{}\n", role(automaton, state));
        for (next, bytes) in moves(automaton, state) {
            text += &format!("    {next:>5} <- {}\n", ranges(bytes));
        }
    }
    text
}

fn role(automaton: &Automaton, state: usize) -> &'static str {
    match (state == automaton.start(), automaton.is_accepting(state)) {
        (true, true) => ", start, accepting",
        (true, false) => ", start",
        (false, true) => ", accepting",
        (false, false) => "",
    }
}

fn dot(rule: &str, automaton: &Automaton) -> String {
    let start = automaton.start();
    let mut text = format!(
        "digraph \"{rule}\" {{\n  rankdir=LR\n  node [shape=circle]\n  \"\" [shape=none]\n  \"\" -> {start}\n"
    );
    for state in 1..automaton.states() {
        if automaton.is_accepting(state) {
            text += &format!("  {state} [shape=doublecircle]\n");
        }
        for (next, bytes) in moves(automaton, state) {
            let label = ranges(bytes).replace('\\', "\\\\").replace('"', "\\\"");
            text += &format!("  {state} -> {next} [label=\"{label}\"]\n");
        }
    }
    text + "}\n"
}

/// Returns the successors of a state, each with the bytes that lead to it, without the dead state.
fn moves(automaton: &Automaton, state: usize) -> BTreeMap<usize, Vec<u8>> {
    let mut moves: BTreeMap<usize, Vec<u8>> = BTreeMap::new();
    for byte in 0..=u8::MAX {
        moves.entry(automaton.next(state, byte)).or_default().push(byte);
    }
    moves.remove(&0);
    moves
}

fn stats(rules: &[&str]) -> Result<String, Error> {
    let automata: Vec<(&str, Automaton)> =
        rules.iter().map(|&rule| Ok((rule, automaton(rule)?))).collect::<Result<_, Error>>()?;
    Ok(automata_summary(automata.iter().map(|(rule, automaton)| (*rule, automaton))))
}
