//! Names of hosts by RFC 1123 and by IDNA2008: every rule with cases on both sides of it.

use simd_iri::domain::{is_hostname, is_idn_hostname};

#[test]
fn names_in_ascii() {
    let label = "a".repeat(63);
    let long = [&*label, &label, &label, &"a".repeat(61)].join(".");
    let valid = ["a", "A", "1", "a-b", "a.b", "1.2.3.4", "r3---sn.example", &label, &long];
    let wrong = [
        "",
        ".",
        "a.",
        ".a",
        "a..b",
        "-",
        "-a",
        "a-",
        "a.-b",
        "a_b",
        "a b",
        "a/b",
        "a:b",
        "[::1]",
        "a%41",
        "\0",
        &format!("{label}a"),
        &format!("{long}a"),
    ];
    for name in valid {
        assert!(is_hostname(name) && is_idn_hostname(name), "{name}");
    }
    for name in wrong {
        assert!(!is_hostname(name) && !is_idn_hostname(name), "{name}");
    }
}

#[test]
fn labels_in_letters_are_a_labels_or_u_labels() {
    for (letters, ascii) in [
        ("bücher", "xn--bcher-kva"),
        ("straße", "xn--strae-oqa"),
        ("例え", "xn--r8jz45g"),
        ("βόλος", "xn--nxasmm1c"),
    ] {
        assert!(is_idn_hostname(letters) && !is_hostname(letters), "{letters}");
        assert!(is_idn_hostname(ascii) && is_hostname(ascii), "{ascii}");
        assert!(is_hostname(&ascii.to_uppercase()), "{ascii}");
    }
    // Not Punycode; Punycode of ASCII, of characters that IDNA2008 does not allow, of a capital, of two hyphens.
    for name in
        ["xn--X", "xn--", "xn--a", "xn--abc-", "xn--n3h", "xn--bcher-Kva1", "xn--aa---o47jg78q"]
    {
        assert!(!is_hostname(name) && !is_idn_hostname(name), "{name}");
    }
}

#[test]
fn dots_separate_labels() {
    for dot in ['.', '\u{3002}', '\u{FF0E}', '\u{FF61}'] {
        assert!(is_idn_hostname(&format!("a{dot}é")), "{dot}");
        assert!(!is_idn_hostname(&dot.to_string()), "{dot}");
        assert!(
            !is_idn_hostname(&format!("{dot}é")) && !is_idn_hostname(&format!("é{dot}")),
            "{dot}"
        );
    }
}

/// Sections 2.1 to 2.10 and 3 of RFC 5892: one label for each category.
#[test]
fn derived_properties() {
    let valid = [
        "\u{DF}",
        "\u{3C2}",
        "\u{6FD}",
        "\u{6FE}",
        "a\u{F0B}",
        "\u{3007}", // exceptions
        "é",
        "ʻa",
        "中",
        "가",
        "a\u{301}x",
        "क\u{93F}",
        "\u{966}", // letters, marks and digits
    ];
    for label in valid {
        // Only in normal form C; the third to last is not.
        let is_normal = label != "a\u{301}x";
        assert_eq!(is_idn_hostname(label), is_normal, "{label:?}");
    }
    let wrong = [
        "ا\u{640}ا",
        "\u{7CA}\u{7FA}",
        "가\u{302E}",
        "가\u{302F}",
        "あ\u{3031}",
        "あ\u{3035}",
        "\u{303B}",
        "É",
        "ａ",
        "ﬁ",
        "²",
        "ſ",
        "Ⅷ", // unstable
        "\u{AD}é",
        "é\u{FE0F}",
        "\u{115F}",
        "é\u{17B4}",
        "\u{3164}", // ignorable
        "é\u{20D0}",
        "\u{1D165}",
        "\u{1D242}", // blocks
        "\u{1100}\u{1161}",
        "\u{1100}",
        "\u{11A8}a", // old jamo
        "☃",
        "é!",
        "€",
        "é\u{2010}é",
        "💩",
        "٪", // no letter or digit
        "\u{378}",
        "\u{E000}",
        "\u{FFFF}", // unassigned, private, no character
    ];
    for label in wrong {
        assert!(!is_idn_hostname(label), "{label:?}");
    }
}

#[test]
fn places_of_hyphens_and_marks() {
    for (label, expected) in [
        ("é-é", true),
        ("-é", false),
        ("é-", false),
        ("éé--é", false),
        ("é--é", true),
        ("ééé--é", true),
        ("\u{903}é", false),
        ("\u{300}é", false),
        ("\u{488}é", false),
    ] {
        assert_eq!(is_idn_hostname(label), expected, "{label:?}");
    }
}

/// Appendix A of RFC 5892, rule by rule.
#[test]
fn characters_that_need_a_context() {
    for (label, expected) in [
        // A.1 and A.2: joiners, after a virama, or between letters that join.
        ("क\u{94D}\u{200C}ष", true),
        ("क\u{94D}\u{200D}ष", true),
        ("بي\u{200C}بي", true),
        ("بي\u{200D}بي", false),
        ("क\u{200D}ष", false),
        ("a\u{200C}b", false),
        ("\u{200D}é", false),
        // A.3: between two l.
        ("l\u{B7}l", true),
        ("col\u{B7}legi", true),
        ("a\u{B7}l", false),
        ("l\u{B7}a", false),
        ("\u{B7}l", false),
        ("l\u{B7}", false),
        // A.4: before Greek.
        ("α\u{375}β", true),
        ("α\u{375}s", false),
        ("α\u{375}", false),
        // A.5 and A.6: after Hebrew.
        ("א\u{5F3}ב", true),
        ("א\u{5F4}ב", true),
        ("א\u{5F3}", true),
        ("\u{5F3}ב", false),
        ("\u{5F4}ב", false),
        // A.7: in a label with Hiragana, Katakana or Han.
        ("\u{30FB}ぁ", true),
        ("\u{30FB}ァ", true),
        ("\u{30FB}丈", true),
        ("def\u{30FB}abc", false),
        ("\u{30FB}", false),
        // A.8 and A.9: digits of one kind.
        ("ب\u{660}", true),
        ("ب\u{6F0}", true),
        ("ب\u{660}ب\u{661}", true),
        ("ب\u{660}\u{6F0}", false),
        ("ب\u{6F0}\u{660}", false),
    ] {
        assert_eq!(is_idn_hostname(label), expected, "{label:?}");
    }
}

/// A name in letters and the same name in ASCII have the same answer.
#[test]
fn both_forms_of_a_name_agree() {
    for name in [
        "bücher.example",
        "l·l.example",
        "例え.テスト",
        "α\u{375}β",
        "א\u{5F3}ב",
        "क\u{94D}\u{200D}ष",
    ] {
        let iri = format!("http://{name}/");
        let uri =
            simd_iri::ToUri::new().idna(true).map(simd_iri::Iri::parse(&iri).unwrap()).unwrap();
        assert!(is_idn_hostname(name), "{name}");
        assert!(is_hostname(uri.view().host_str().unwrap()), "{uri}");
    }
}

#[test]
fn the_length_is_that_of_ascii() {
    // 59 characters, whose Punycode has more than 63.
    assert!(is_idn_hostname(&"é".repeat(20)));
    assert!(!is_idn_hostname(&"実".repeat(80)));
    assert!(!is_idn_hostname(&"é.".repeat(600)));
}
