//! The ABNF reader: the grammars that it accepts, and the line and column of the errors in others.

use simd_iri_codegen::{Error, Grammar, MAX_NESTING};

fn read(text: &str) -> Result<Grammar, Error> {
    Grammar::parse(&[("t", text)])
}

/// Checks which texts the rule `a` of a grammar matches and which it does not.
#[track_caller]
fn check(grammar: &str, members: &[&str], others: &[&str]) {
    let automaton = read(grammar).and_then(|grammar| grammar.automaton("a")).unwrap();
    for text in members {
        assert!(automaton.accepts(text.as_bytes()), "{grammar:?} should take {text:?}");
    }
    for text in others {
        assert!(!automaton.accepts(text.as_bytes()), "{grammar:?} should not take {text:?}");
    }
}

#[test]
fn every_notation() {
    check("a = \"aB1\"", &["aB1", "ab1", "AB1", "Ab1"], &["", "aB", "aB11"]);
    check("a = \"\"", &[""], &["\"", " "]);
    check("a = %x41", &["A"], &["a", ""]);
    check("a = %X41.42.d", &["AB\r"], &["A", "AB", "ab\r"]);
    check("a = %b1000001-1000011", &["A", "B", "C"], &["D", "@", "AB"]);
    check("a = %d65.66", &["AB"], &["A", "B"]);
    check("a = %xD000-E000", &["\u{D000}", "\u{D7FF}", "\u{E000}"], &["\u{CFFF}", "\u{E001}"]);
    check("a = %x10FFFF", &["\u{10FFFF}"], &["\u{FFFF}"]);
    check("a = \"x\" \"y\" / \"z\"", &["xy", "z"], &["x", "xz", "xyz"]);
    check("a = \"x\" (\"y\" / \"z\")", &["xy", "xz"], &["x", "z"]);
    check("a = [\"x\"] \"y\"", &["y", "xy"], &["x", "xxy"]);
    check("a = *\"x\"", &["", "x", "xxxx"], &["y"]);
    check("a = 2\"x\"", &["xx"], &["", "x", "xxx"]);
    check("a = 2*\"x\"", &["xx", "xxx"], &["x"]);
    check("a = *2\"x\"", &["", "x", "xx"], &["xxx"]);
    check("a = 1*2\"x\"", &["x", "xx"], &["", "xxx"]);
    check("a = 0b\nb = \"x\"", &[""], &["x"]);
    check("a = b\nB = \"x\"", &["x"], &["b"]);
}

#[test]
fn prose_stands_for_the_rule_it_names() {
    check("a = 0<b>\nb = \"x\"", &[""], &["x"]);
    check("a = 1*<b>\nb = \"x\"", &["x", "xx"], &[""]);
    let grammar = read("a = <some text>").unwrap();
    assert_eq!(grammar.automaton("a").unwrap_err().to_string(), "t:1:5: no rule some text");
}

#[test]
fn lines_comments_and_white_space() {
    check("a=\"x\"", &["x"], &[]);
    check(
        "\r\n; c\r\na = \"x\" ; c\r\n  / \"y\" ; \"z\"\r\n\t; c\r\n\t/ \"w\"\r\n",
        &["x", "y", "w"],
        &["z"],
    );
    check("a\n =\n \"x\"\n \"y\" \n", &["xy"], &["x"]);
    check("  ; indented\n   \n\na = ( \"x\" ; é\n )\n   \n", &["x"], &[]);
    assert_eq!(read("").unwrap().names().count(), 0);
    assert_eq!(read("; only a comment").unwrap().names().count(), 0);
}

#[test]
fn alternatives_can_be_added() {
    check("a = \"x\"\na =/ \"y\"\nA =/ \"z\" / \"w\"", &["x", "y", "z", "w"], &["", "xy"]);
    let whole = "a = \"x\" / \"y\" / \"z\"";
    let grown = "a = \"x\"\na =/ \"y\" / \"z\"";
    assert!(Grammar::parse(&[("whole", whole), ("grown", grown)]).is_ok());
}

#[test]
fn a_second_definition_must_say_the_same() {
    let parse = |second| Grammar::parse(&[("one", "a = b [\"x\"]\nb = \"y\""), ("two", second)]);
    assert!(parse("; the same\nA  =  B *1\"x\"  ; really").is_ok());
    let error = parse("\na = b [\"z\"]").unwrap_err().to_string();
    assert_eq!(error, "two:2:1: rule a differs from its definition at one:1:1");
    let error = read("a = \"x\"\nb = a\na = \"y\"").unwrap_err().to_string();
    assert_eq!(error, "t:3:1: rule a differs from its definition at t:1:1");
}

/// RFC 5234, sections 2.1 and 2.3: letters in names of rules and in quotes mean both cases.
#[test]
fn a_definition_in_another_case_is_of_the_same_rule() {
    assert!(read("a = \"x\" B\nb = \"y\"\nA = \"X\" b").is_ok());
    let Err(Error::Redefined { at, first, rule }) = read("Ab = \"x\"\naB = \"y\"") else {
        panic!("two definitions of one rule");
    };
    assert_eq!((at.line, first.line, rule.as_str()), (2, 1, "aB"));
    let grammar = read("Ab = \"x\"\naB =/ \"y\"").unwrap();
    assert!(grammar.names().eq(["Ab"]) && grammar.automaton("AB").is_ok());
}

#[test]
fn mistakes_have_a_line_and_a_column() {
    const WHITE: &str = "expected white space, '/' or the end of the rule, found";
    let rows: &[(&str, &str)] = &[
        ("a", "1:2: expected '=' after the rule name, found the end of the text"),
        ("a\nb = \"x\"", "1:2: expected '=' after the rule name, found the end of the line"),
        ("a b", "1:3: expected '=' after the rule name, found 'b'"),
        ("a = ", "1:5: expected an element, found the end of the text"),
        ("a = \r\n", "1:5: expected an element, found the end of the line"),
        ("a = \"x\" /", "1:10: expected an element, found the end of the text"),
        ("a = \"x\" / / \"y\"", "1:11: expected an element, found '/'"),
        ("a = ()", "1:6: expected an element, found ')'"),
        ("a = 3", "1:6: expected an element, found the end of the text"),
        ("a = 3 b", "1:6: expected an element, found ' '"),
        ("a = 2*1\"x\"", "1:5: a repetition's maximum is below its minimum"),
        ("a = 4294967296b", "1:5: the number is too large"),
        ("a = (\"x\"", "1:9: expected ')', found the end of the text"),
        ("a = (\"x\"\nb = \"y\"", "1:9: expected ')', found the end of the line"),
        ("a = [\"x\")", "1:9: expected ']', found ')'"),
        ("a = \"x\")", &format!("1:8: {WHITE} ')'")),
        ("a = \"x\"\"y\"", &format!("1:8: {WHITE} '\"'")),
        ("a = \"x\"\n  / \"y\" é", &format!("2:9: {WHITE} 'é'")),
        ("a = \"é", "1:6: expected printable ASCII or '\"', found 'é'"),
        ("a = \"x\n\"", "1:7: expected printable ASCII or '\"', found the end of the line"),
        ("a = <x", "1:7: expected printable ASCII or '>', found the end of the text"),
        ("a = %", "1:6: expected 'b', 'd' or 'x' after '%', found the end of the text"),
        ("a = %s\"x\"", "1:6: expected 'b', 'd' or 'x' after '%', found 's'"),
        ("a = %xG", "1:7: expected a digit of base 16, found 'G'"),
        ("a = %x41-", "1:10: expected a digit of base 16, found the end of the text"),
        ("a = %b2", "1:7: expected a digit of base 2, found '2'"),
        ("a = %x41.42-43", &format!("1:12: {WHITE} '-'")),
        ("a = %x42-41", "1:7: a range ends before it begins"),
        ("a = %xD800", "1:7: D800 (hexadecimal) is not a Unicode scalar value"),
        ("a = %x0-110000", "1:9: 110000 (hexadecimal) is not a Unicode scalar value"),
        ("a = \"x\"\n\n  / \"y\"", "3:3: expected a rule name, in the first column, found '/'"),
        ("; c\n  a = \"x\"", "2:3: expected a rule name, in the first column, found 'a'"),
        ("1a = \"x\"", "1:1: expected a rule name, in the first column, found '1'"),
        ("a =/ \"x\"", "1:1: '=/' adds to rule a, which is not defined before"),
    ];
    for (text, wanted) in rows {
        let error = read(text).expect_err(text).to_string();
        assert_eq!(error, format!("t:{wanted}"), "for {text:?}");
    }
}

#[test]
fn nesting_is_limited() {
    let nested = |depth| format!("a = {}\"x\"{}", "(".repeat(depth), ")".repeat(depth));
    check(&nested(MAX_NESTING), &["x"], &[""]);
    let error = read(&nested(MAX_NESTING + 1)).unwrap_err().to_string();
    assert_eq!(error, "t:1:70: groups nest deeper than 64");
    assert!(read(&nested(1_000_000)).is_err());
}

#[test]
fn rules_that_are_no_finite_automaton() {
    let error = |text: &str| read(text).unwrap().automaton("a").unwrap_err().to_string();
    assert_eq!(error("b = \"x\""), "no rule a");
    assert_eq!(error("a = \"x\"\n  b"), "t:2:3: no rule b");
    assert_eq!(error("a = \"x\" a"), "t:1:9: rule a contains itself");
    assert_eq!(error("a = b\nb = c\nc = [ B ]"), "t:3:7: rule B contains itself");
}

#[test]
fn rules_too_large_to_compile() {
    let refused = |text: &str| match read(text).unwrap().automaton("r0") {
        Err(Error::TooLarge { rule, .. }) => assert_eq!(rule, "r0"),
        other => panic!("{other:?}"),
    };
    let chain = |times: usize, body: &str| -> String {
        let rule = |i: usize| format!("r{i} = {}\n", body.replace('?', &format!("r{}", i + 1)));
        (0..times).map(rule).collect::<String>() + &format!("r{times} = \"x\"\n")
    };
    assert!(read(&chain(60, "*( \"y\" [ ? ] )")).unwrap().automaton("r0").is_ok());
    refused(&chain(10_000, "?"));
    refused(&chain(40, "? ?"));
    refused("r0 = 4294967295\"x\"");
    refused("r0 = *( %x0-10FFFF ) \"x\" 30( %x0-10FFFF )");
    // Optional copies cost the square of their number, so they count as parts, also inside each other.
    refused("r0 = *103103%x5");
    refused("r0 = 1*300( *300( \"x\" ) \"y\" )");
    assert!(read("r0 = *1000\"x\"").unwrap().automaton("r0").is_ok());
}

/// A chain of many states is minimized in a moment. Comparing all states in rounds, one for each of them,
/// would take minutes.
#[test]
fn long_rules_are_compiled_in_a_moment() {
    let automaton = read("a = 30000\"x\" / 20000\"y\"").unwrap().automaton("a").unwrap();
    // The dead state, one for each place of the first chain, and those that the second does not share.
    assert_eq!(automaton.states(), 1 + 30_001 + 19_999);
    assert!(automaton.accepts(&[b'X'; 30_000]) && automaton.accepts(&[b'y'; 20_000]));
    assert!(!automaton.accepts(&[b'x'; 20_000]) && !automaton.accepts(&[b'y'; 20_001]));
}

/// Some text distinguishes every two states: the definition, tried round by round.
#[test]
fn no_two_states_are_alike() {
    let mut total = 0;
    for rule in [
        "*\"x\" / *( \"x\" \"x\" )",
        "*( \"x\" / \"y\" ) \"x\" 3( \"x\" / \"y\" )",
        "1*5\"x\" / 3*9\"y\" / *( 2\"z\" ) / *( 3\"z\" )",
        "[ \"x\" ] [ \"y\" ] [ \"z\" ] / 2( \"x\" / \"z\" )",
        "*( %x0-10FFFF ) \"xyx\" *( %x0-10FFFF )",
        "%xA0-D7FF / %xF900-FDCF / %x10000-1FFFD",
        "\"x\" \"y\" / \"z\" \"y\" / \"w\" \"y\"",
        "0\"x\"",
    ] {
        let automaton = read(&format!("a = {rule}")).unwrap().automaton("a").unwrap();
        let states = automaton.states();
        let mut group: Vec<usize> = (0..states).map(|s| automaton.is_accepting(s).into()).collect();
        for _ in 0..states {
            let known = |state: usize| -> Vec<usize> {
                let next = (0..=255).map(|byte| group[automaton.next(state, byte)]);
                std::iter::once(group[state]).chain(next).collect()
            };
            let all: Vec<Vec<usize>> = (0..states).map(known).collect();
            group =
                all.iter().map(|one| all.iter().position(|other| other == one).unwrap()).collect();
        }
        assert!(group.into_iter().eq(0..states), "{rule}");
        total += states;
    }
    println!("{total} states");
}
