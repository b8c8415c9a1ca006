//! The automata of the RFCs' grammar: members and non-members of every rule, and the laws of all automata.

use std::collections::{BTreeSet, HashSet};
use std::net::{Ipv4Addr, Ipv6Addr};

use simd_iri_codegen::{Automaton, Grammar, automaton, grammar};

/// Rule, texts of it, texts that are not of it.
type Row<'a> = (&'a str, &'a [&'a str], &'a [&'a str]);

const RFC5234: &[Row] = &[
    ("ALPHA", &["A", "Z", "a", "z"], &["", "@", "[", "`", "{", "0", "aa", "é"]),
    ("BIT", &["0", "1"], &["", "2", "01"]),
    ("CHAR", &["\x01", "\x7F"], &["", "\0", "\u{80}"]),
    ("CR", &["\r"], &["", "\n", "\r\n"]),
    ("CRLF", &["\r\n"], &["\r", "\n", "\n\r"]),
    ("CTL", &["\0", "\x1F", "\x7F"], &["", " ", "~", "\u{80}"]),
    ("DIGIT", &["0", "9"], &["", "/", ":", "a", "00", "٣"]),
    ("DQUOTE", &["\""], &["", "'", "\"\""]),
    ("HEXDIG", &["0", "9", "a", "f", "A", "F"], &["", "g", "G", "@", "00"]),
    ("HTAB", &["\t"], &["", " ", "\t\t"]),
    ("LF", &["\n"], &["", "\r", "\n\n"]),
    ("LWSP", &["", " ", "\t \t", "\r\n ", " \r\n\t\r\n "], &["\r\n", " \r\n", "\n ", "x"]),
    ("OCTET", &["\0", "\x7F", "\u{80}", "\u{FF}"], &["", "\u{100}", "aa"]),
    ("SP", &[" "], &["", "\t", "  "]),
    ("VCHAR", &["!", "~", "0"], &["", " ", "\x7F", "é"]),
    ("WSP", &[" ", "\t"], &["", "\n", "  "]),
];

/// The rules that RFC 3986 and RFC 3987 both have.
const SHARED: &[Row] = &[
    ("scheme", &["a", "Z", "http", "a+", "a-.+9"], &["", "1", "+a", "a_", "a:", "é", "a%41"]),
    ("port", &["", "0", "80", "0099999999"], &["a", ":", "-1", " 1", "٣"]),
    (
        "IP-literal",
        &["[::]", "[::1.2.3.4]", "[v1.a]", "[VF.:]"],
        &["", "[]", "::", "[::", "::]", "[[::]]", "[1.2.3.4]", "[a]", "[::%25e]", "[v.a]"],
    ),
    (
        "IPvFuture",
        &["v1.a", "VfF.a:b", "v0.!$&'()*+,;=", "v1.~._-"],
        &["", "v1", "v1.", "v.a", "vg.a", "w1.a", "v1.%41", "v1.é", "v1.[", "v1./", "v1.@"],
    ),
    (
        "IPv6address",
        &[
            "::",
            "::1",
            "1::",
            "1:2:3:4:5:6:7:8",
            "1:2:3:4:5:6:7::",
            "::2:3:4:5:6:7:8",
            "1::3:4:5:6:7:8",
            "1:2:3:4:5:6::8",
            "1:2:3:4:5:6:1.2.3.4",
            "::1.2.3.4",
            "1::1.2.3.4",
            "1:2:3:4:5::1.2.3.4",
            "ABCD:ef01::0000",
        ],
        &[
            "",
            ":",
            ":::",
            "1",
            "1:",
            ":1",
            "1::2::3",
            "1:2:3:4:5:6:7",
            "1:2:3:4:5:6:7:8:9",
            "1:2:3:4:5:6:7::8",
            "::1:2:3:4:5:6:7:8",
            "1:2:3:4:5:6:7:1.2.3.4",
            "1:2:3:4:5:6::1.2.3.4",
            "1.2.3.4::",
            "1.2.3.4",
            "::1.2.3",
            "::1.2.3.04",
            "::00000",
            "::g",
            "::1%eth0",
            "[::]",
        ],
    ),
    ("h16", &["0", "fF", "123", "abcd"], &["", "12345", "g", ":"]),
    ("ls32", &["0:0", "abcd:ef01", "255.255.255.255"], &["", "0", "0:", ":0", "0:0:0", "1.2.3"]),
    (
        "IPv4address",
        &["0.0.0.0", "1.2.3.4", "10.99.100.199", "200.249.250.255"],
        &[
            "",
            "1.2.3",
            "1.2.3.4.",
            "1.2.3.4.5",
            ".1.2.3",
            "1..3.4",
            "256.1.1.1",
            "1.1.1.01",
            "1.2.3.a",
        ],
    ),
    (
        "dec-octet",
        &["0", "9", "10", "19", "20", "99", "100", "199", "200", "249", "250", "255"],
        &["", "00", "01", "001", "010", "256", "260", "300", "999", "1000", "a", "-1", "+1"],
    ),
    ("pct-encoded", &["%00", "%aF", "%Ff"], &["", "%", "%0", "%0g", "%%0", "%000", "00"]),
    ("unreserved", &["a", "Z", "0", "-", ".", "_", "~"], &["", "!", "%", "+", "é", "aa"]),
    ("reserved", &[":", "]", "!", "="], &["", "a", "%", "-", "\"", "::"]),
    ("gen-delims", &[":", "/", "?", "#", "[", "]", "@"], &["", "!", "a", "%", "\\"]),
    ("sub-delims", &["!", "$", "&", "'", "(", ")", "*", "+", ",", ";", "="], &["", ":", "-", "%"]),
];

const RFC3986: &[Row] = &[
    (
        "URI",
        &[
            "a:",
            "a:b",
            "a://",
            "a:/",
            "a:?#",
            "http://u:p@h:1/p?q#f",
            "a:b:c",
            "a://[::]:/",
            "a://@:",
        ],
        &[
            "", "a", "//h", ":", "1:", "a:%", "a:[", "a:b c", "a:é", "a:##", "a://h:p", "a://@@",
            "a://[::",
        ],
    ),
    ("hier-part", &["", "//h", "//h/p", "/p", "p:q", "//"], &["?", "#", "//h:p", "//[", " "]),
    (
        "URI-reference",
        &["", "a:b", "//h", "p", "?q", "#f", "./a:b", "/:"],
        &[":", "1:b", "é", "a b", "%"],
    ),
    ("absolute-URI", &["a:", "a:b?q", "a://h/p?q?"], &["", "b", "a:#", "a:b?q#f"]),
    ("relative-ref", &["", "p", "//h", "/p", "?", "#", "p/a:b"], &["a:b", ":", "a:", "##", "é"]),
    ("relative-part", &["", "//h/p", "/p", "p", "p/q:r"], &["a:b", "?", "#", "///?"]),
    (
        "authority",
        &["", "h", "u@h", "@", ":", "u:p@h:1", "[::]:1", "1.2.3.4"],
        &["u@v@h", "h:p", "h:1:2", "/", "[", "[::]a"],
    ),
    ("userinfo", &["", "u", "u:p", ":::", "%40", "!$&'()*+,;="], &["@", "/", "[", "%", "é"]),
    (
        "host",
        &["", "h", "1.2.3.4", "[::]", "256.1.1.1", "%41", "[v1.a]"],
        &[":", "::", "[", "a/b", "é", "[::]:"],
    ),
    (
        "reg-name",
        &["", "h", "a.b", "1.2.3.4", "%C3%A9", "!$&'()*+,;="],
        &[":", "@", "[", "/", "%4", "é"],
    ),
    ("path", &["", "/", "//", "a:b", "a/b", "/a//", "@"], &["?", "#", "[", "%", "\\", "é"]),
    ("path-abempty", &["", "/", "//", "/a/b:c"], &["a", "a/", "/?", "/é"]),
    ("path-absolute", &["/", "/a", "/a//", "/a:b/"], &["", "//", "//a", "a", "/é"]),
    ("path-noscheme", &["a", "a/", "a//b:c", "@", "./a:b"], &["", "/", "a:b", ":", ":/"]),
    ("path-rootless", &["a", "a:b", ":", "a//", "a/"], &["", "/", "/a", "é"]),
    ("path-empty", &[""], &["a", "/", "<", "0"]),
    ("segment", &["", "a", ":@", "%41"], &["/", "?", "#", "%4", "é"]),
    ("segment-nz", &["a", ":", "@@"], &["", "/", "é"]),
    ("segment-nz-nc", &["a", "@", "%3A", "=;"], &["", ":", "a:", "/"]),
    ("pchar", &["a", ":", "@", "%41", "!"], &["", "/", "?", "aa", "é", "[", "%"]),
    ("query", &["", "a", "/?:@", "%41", "a=b&c"], &["#", "[", "%", "\"", "é", "\u{E000}"]),
    ("fragment", &["", "a", "/?:@", "%41"], &["#", "[", "%", "\"", "é"]),
];

const RFC3987: &[Row] = &[
    (
        "IRI",
        &["a:", "a://é.é/é?é\u{E000}#é", "a:é", "http://u:p@h:1/p?q#f", "a:?\u{10FFFD}"],
        &[
            "",
            "é:",
            "é",
            "a:\u{E000}",
            "a:#\u{E000}",
            "a://\u{F0000}",
            "a:\u{80}",
            "a:\u{FFFE}",
            "a: ",
        ],
    ),
    ("ihier-part", &["", "//é", "//é/é", "/é", "é:é"], &["?", "#", "//é:é", "\u{E000}"]),
    (
        "IRI-reference",
        &["", "a:é", "é", "//é", "?\u{E000}", "#é", "é/a:b"],
        &["é:b", ":", "#\u{E000}", "\u{9F}"],
    ),
    ("absolute-IRI", &["a:é", "a:?\u{E000}"], &["é", "a:#", "a:é#é"]),
    ("irelative-ref", &["", "é", "é?\u{E000}#é", "//é"], &["a:é", "é:é", "#\u{E000}"]),
    ("irelative-part", &["", "é", "//é/é", "/é", "é/é:é"], &["é:é", "?", "\u{E000}"]),
    (
        "iauthority",
        &["", "é", "é@é:1", "é:é@[::]", "@"],
        &["é:é", "é@é@é", "\u{E000}", "[é]", "é:٣"],
    ),
    ("iuserinfo", &["", "é:é", "%C3"], &["@", "\u{E000}", "\u{FDD0}"]),
    ("ihost", &["", "é", "[::]", "1.2.3.4", "١.2.3.4"], &[":", "\u{E000}", "[é]"]),
    ("ireg-name", &["", "é", "a.é", "😀", "%41"], &[":", "@", "\u{E000}", "/"]),
    ("ipath", &["", "é", "/é", "//é", "é:é"], &["?", "\u{E000}", "["]),
    ("ipath-abempty", &["", "/é", "//"], &["é", "/\u{E000}"]),
    ("ipath-absolute", &["/", "/é", "/é//"], &["", "//", "é", "/\u{E000}"]),
    ("ipath-noscheme", &["é", "é/é:é", "@"], &["", "é:é", "/", "\u{E000}"]),
    ("ipath-rootless", &["é", "é:é", "é/"], &["", "/é", "\u{E000}"]),
    ("ipath-empty", &[""], &["a", "é", "/"]),
    ("isegment", &["", "é:@"], &["/", "\u{E000}"]),
    ("isegment-nz", &["é", ":"], &["", "/", "\u{E000}"]),
    ("isegment-nz-nc", &["é@", "a"], &["", "é:", "/", "\u{E000}"]),
    (
        "ipchar",
        &["é", "a", ":", "@", "%C3", "\u{10000}"],
        &["", "éé", "/", "\u{E000}", "\u{1FFFE}"],
    ),
    (
        "iquery",
        &["", "é", "\u{E000}", "\u{F8FF}\u{F0000}\u{10FFFD}", "/?"],
        &["#", "\u{FFFF}", "\u{10FFFE}", "\u{80}"],
    ),
    ("ifragment", &["", "é", "/?"], &["#", "\u{E000}", "\u{F0000}"]),
    ("iunreserved", &["a", "~", "é"], &["", "!", "%", "\u{9F}", "\u{E000}"]),
    (
        "ucschar",
        &[
            "\u{A0}",
            "\u{D7FF}",
            "\u{F900}",
            "\u{FDCF}",
            "\u{FDF0}",
            "\u{FFEF}",
            "\u{10000}",
            "\u{1FFFD}",
            "\u{DFFFD}",
            "\u{E1000}",
            "\u{EFFFD}",
        ],
        &[
            "",
            "~",
            "\u{9F}",
            "\u{E000}",
            "\u{F8FF}",
            "\u{FDD0}",
            "\u{FDEF}",
            "\u{FFF0}",
            "\u{FFFD}",
            "\u{1FFFE}",
            "\u{E0000}",
            "\u{E0FFF}",
            "\u{EFFFE}",
            "\u{F0000}",
            "éé",
        ],
    ),
    (
        "iprivate",
        &["\u{E000}", "\u{F8FF}", "\u{F0000}", "\u{FFFFD}", "\u{100000}", "\u{10FFFD}"],
        &["", "\u{D7FF}", "\u{F900}", "\u{EFFFD}", "\u{FFFFE}", "\u{10FFFE}", "\u{10FFFF}"],
    ),
];

#[test]
fn members_and_others_of_every_rule() {
    let grammar = grammar().unwrap();
    for &(rule, members, others) in [RFC5234, SHARED, RFC3986, RFC3987].iter().copied().flatten() {
        let automaton = grammar.automaton(rule).unwrap();
        for text in members {
            assert!(automaton.accepts(text.as_bytes()), "{text:?} is of {rule}");
        }
        for text in others {
            assert!(!automaton.accepts(text.as_bytes()), "{text:?} is not of {rule}");
        }
    }
}

#[test]
fn each_file_holds_the_rules_of_its_rfc() {
    let files = [
        (include_str!("../grammar/rfc5234-core.abnf"), 16, vec![RFC5234]),
        (include_str!("../grammar/rfc3986.abnf"), 36, vec![SHARED, RFC3986]),
        (include_str!("../grammar/rfc3987.abnf"), 39, vec![SHARED, RFC3987]),
    ];
    for (text, count, rows) in files {
        let file = Grammar::parse(&[("file", text)]).unwrap();
        let names: BTreeSet<&str> = file.names().collect();
        assert_eq!(names, rows.iter().copied().flatten().map(|row| row.0).collect());
        assert_eq!(names.len(), count);
    }
    assert_eq!(grammar().unwrap().names().count(), 16 + 14 + 22 + 25);
}

#[test]
fn only_well_formed_utf8() {
    let iri = automaton("IRI").unwrap();
    assert!(iri.accepts(b"a:\xC3\xA9"));
    let ill_formed: [&[u8]; 9] = [
        b"\x80",
        b"\xC3",
        b"\xC1\xA9",
        b"\xC3\xA9\xA9",
        b"\xE0\x83\xA9",
        b"\xED\xA0\x80",
        b"\xF0\x80\x83\xA9",
        b"\xF4\x90\x80\x80",
        b"\xF5\x80\x80\x80",
    ];
    for bytes in ill_formed {
        assert!(!iri.accepts(&[b"a:", bytes].concat()), "{bytes:X?}");
    }
}

/// Every octet of up to four digits, by arithmetic.
#[test]
fn dec_octet_is_a_number_up_to_255() {
    let dec_octet = automaton("dec-octet").unwrap();
    for width in 0..=4 {
        for value in 0..10_u32.pow(width) {
            let text = format!("{value:0width$}", width = width as usize);
            let text = if width == 0 { "" } else { &text };
            let canonical = text == value.to_string();
            assert_eq!(dec_octet.accepts(text.as_bytes()), canonical && value < 256, "{text}");
        }
    }
}

/// Compares all sequences of these parts with the reader of addresses in the standard library.
#[test]
fn addresses_are_those_of_the_standard_library() {
    let ipv4 = automaton("IPv4address").unwrap();
    all_of(&["0", "1", "25", "."], 9, &mut |text| {
        assert_eq!(ipv4.accepts(text.as_bytes()), text.parse::<Ipv4Addr>().is_ok(), "{text}");
    });
    let ipv6 = automaton("IPv6address").unwrap();
    all_of(&["fF", ":"], 19, &mut |text| {
        assert_eq!(ipv6.accepts(text.as_bytes()), text.parse::<Ipv6Addr>().is_ok(), "{text}");
    });
    all_of(&["a", ":", "0.0.0.0"], 12, &mut |text| {
        assert_eq!(ipv6.accepts(text.as_bytes()), text.parse::<Ipv6Addr>().is_ok(), "{text}");
    });
}

/// Calls `see` with each sequence of at most `longest` parts.
fn all_of(pieces: &[&str], longest: u32, see: &mut impl FnMut(&str)) {
    let mut text = String::new();
    for length in 0..=longest {
        for mut number in 0..pieces.len().pow(length) {
            text.clear();
            for _ in 0..length {
                text.push_str(pieces[number % pieces.len()]);
                number /= pieces.len();
            }
            see(&text);
        }
    }
}

/// RFC 3987, section 2.2: a rule that differs is named for the one of RFC 3986. Within ASCII the two
/// are the same.
#[test]
fn rules_of_3987_are_those_of_3986_within_ascii() {
    let grammar = grammar().unwrap();
    let mut twins = 0;
    for &(rule, ..) in RFC3987 {
        let uri = match rule.strip_prefix('i') {
            Some(uri) => uri.to_owned(),
            None => rule.replace("IRI", "URI"),
        };
        if !["ucschar", "iprivate"].contains(&rule) {
            let (a, b) = (grammar.automaton(rule).unwrap(), grammar.automaton(&uri).unwrap());
            assert!(same_within_ascii(&a, &b), "{rule} and {uri}");
            twins += 1;
        }
    }
    assert_eq!(twins, 23);
    let (path, query) = (grammar.automaton("path").unwrap(), grammar.automaton("query").unwrap());
    assert!(!same_within_ascii(&path, &query));
}

/// Walks both automata at once through all pairs of states that ASCII reaches.
fn same_within_ascii(a: &Automaton, b: &Automaton) -> bool {
    let mut open = vec![(a.start(), b.start())];
    let mut seen = HashSet::from([(a.start(), b.start())]);
    while let Some((s, t)) = open.pop() {
        if a.is_accepting(s) != b.is_accepting(t) {
            return false;
        }
        let next = (0..128).map(|byte| (a.next(s, byte), b.next(t, byte)));
        open.extend(next.filter(|&pair| seen.insert(pair)));
    }
    true
}

/// The promises of [`Automaton`]: the dead state, reachable and ordered states, a minimal number of states, and no
/// class too many.
#[test]
fn automata_are_minimal() {
    let grammar = grammar().unwrap();
    for rule in grammar.names() {
        let automaton = grammar.automaton(rule).unwrap();
        let states = automaton.states();
        let bytes = || 0..=u8::MAX;
        assert!(!automaton.is_accepting(0) && bytes().all(|byte| automaton.next(0, byte) == 0));
        let order: Vec<bool> = (0..states).map(|state| automaton.is_accepting(state)).collect();
        assert!(
            order.is_sorted() && order.iter().filter(|&&a| !a).count() == automaton.first_accept()
        );

        let mut reached = BTreeSet::from([0, automaton.start()]);
        let mut open = vec![automaton.start()];
        while let Some(state) = open.pop() {
            open.extend(bytes().map(|b| automaton.next(state, b)).filter(|&s| reached.insert(s)));
        }
        assert_eq!(reached.len(), states, "{rule}");

        let columns: HashSet<Vec<usize>> =
            bytes().map(|b| (0..states).map(|s| automaton.next(s, b)).collect()).collect();
        assert_eq!(columns.len(), automaton.classes(), "{rule}");
        assert_eq!(apart(&automaton), states * (states - 1) / 2, "{rule}");
    }
}

/// The number of pairs of states that some text distinguishes: marks pairs until nothing changes.
fn apart(automaton: &Automaton) -> usize {
    let states = automaton.states();
    let mut bytes: Vec<u8> = (0..=u8::MAX).collect();
    bytes.sort_by_key(|&byte| automaton.class_of()[usize::from(byte)]);
    bytes.dedup_by_key(|byte| automaton.class_of()[usize::from(*byte)]);
    let mut apart: Vec<Vec<bool>> = (0..states)
        .map(|s| {
            (0..states).map(|t| automaton.is_accepting(s) != automaton.is_accepting(t)).collect()
        })
        .collect();
    loop {
        let mut changed = false;
        for s in 0..states {
            for t in 0..s {
                let differ = |&byte: &u8| apart[automaton.next(s, byte)][automaton.next(t, byte)];
                if !apart[s][t] && bytes.iter().any(differ) {
                    (apart[s][t], apart[t][s], changed) = (true, true, true);
                }
            }
        }
        if !changed {
            return apart.iter().flatten().filter(|&&apart| apart).count() / 2;
        }
    }
}

#[test]
fn alphabet_and_first() {
    let set = |members: [bool; 256]| -> Vec<u8> {
        (0..=u8::MAX).filter(|&byte| members[usize::from(byte)]).collect()
    };
    let pct_encoded = automaton("pct-encoded").unwrap();
    assert_eq!(set(pct_encoded.first()), b"%");
    assert_eq!(set(pct_encoded.alphabet()), b"%0123456789ABCDEFabcdef");
    let empty = automaton("path-empty").unwrap();
    assert_eq!(set(empty.alphabet()), b"");
    let iprivate = automaton("iprivate").unwrap();
    assert_eq!(set(iprivate.first()), [0xEE, 0xEF, 0xF3, 0xF4]);
}
