//! The header agrees with the Rust code: functions with their parameters, structures with the order of their fields,
//! constants with their values, and the names of the library for them.
#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

use std::collections::{BTreeMap, BTreeSet};

use cbindgen::{Builder, Config, ExportConfig, Language};
use simd_iri::percent::Place;
use simd_iri::{Component, ErrorKind, Level, Rule, document::Format};
use simd_iri_archive::Profile;
use simd_iri_judge::{Decision, ReasonKind};
use simd_iri_redact::RedactPart;
use simd_iri_rules::RuleFormat;

const HEADER: &str = include_str!("../include/simd_iri.h");

/// Returns the text without its comments, and without the lines for C++ and for the preprocessor.
fn stripped(header: &str) -> String {
    let mut text = String::new();
    for piece in header.split("/*") {
        text.push_str(piece.split_once("*/").map_or(piece, |(_, after)| after));
        text.push(' ');
    }
    let mut is_cpp = false;
    let lines = text.lines().filter(|line| {
        is_cpp |= line.starts_with("#ifdef __cplusplus");
        let is_dropped = is_cpp || line.starts_with('#');
        is_cpp &= !line.starts_with("#endif");
        !is_dropped
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the declarations of a header, each as its tokens with one space between them.
fn declarations(header: &str) -> BTreeSet<String> {
    let (mut all, mut tokens, mut depth) = (BTreeSet::new(), Vec::<String>::new(), 0);
    let mut is_word = false;
    for c in stripped(header).chars() {
        let continues = is_word && (c.is_alphanumeric() || c == '_');
        is_word = c.is_alphanumeric() || c == '_';
        match tokens.last_mut() {
            Some(last) if continues => last.push(c),
            _ if c.is_whitespace() => {}
            _ => tokens.push(c.to_string()),
        }
        depth += i32::from(c == '{') - i32::from(c == '}');
        if c == ';' && depth == 0 {
            let is_function = tokens.contains(&"(".to_owned());
            // cbindgen repeats the word in parameters.
            tokens.retain(|token| !(is_function && (token == "struct" || token == "void")));
            // So it does in fields.
            let text = tokens.join(" ").replace(" struct simd_iri_text ", " simd_iri_text ");
            all.insert(text.replace("typedef simd_iri_text", "typedef struct simd_iri_text"));
            tokens.clear();
        }
    }
    all
}

/// Returns the constants in the enumerations of the header.
fn constants(header: &str) -> BTreeMap<String, i64> {
    let text = stripped(header);
    let entries = text.split([',', '{', '}', '\n']).filter_map(|entry| entry.split_once(" = "));
    entries.map(|(name, value)| (name.trim().to_owned(), value.trim().parse().unwrap())).collect()
}

fn generated() -> String {
    let rename =
        ["Parts", "Error", "Text", "Components", "Count", "Variable", "Capture", "Verdict"]
            .map(|name| (name.to_owned(), format!("simd_iri_{}", name.to_lowercase())));
    let rules = ("QueryRules".to_owned(), "simd_iri_query_rules".to_owned());
    let rename = rename.into_iter().chain([rules]).collect();
    let config = Config {
        language: Language::C,
        usize_is_size_t: true,
        documentation: false,
        export: ExportConfig { rename, ..ExportConfig::default() },
        ..Config::default()
    };
    let source = |name: &str| format!("{}/src/{name}.rs", env!("CARGO_MANIFEST_DIR"));
    let builder = Builder::new().with_config(config);
    let bindings =
        ["interface", "texts", "types"].map(source).into_iter().fold(builder, Builder::with_src);
    let mut text = Vec::new();
    bindings.generate().unwrap().write(&mut text);
    String::from_utf8(text).unwrap()
}

#[test]
fn the_declarations_are_those_of_the_code() {
    let generated = generated();
    let of_people = declarations(HEADER).into_iter();
    let of_people = of_people.filter(|text| !text.starts_with("enum") && !text.contains("bool ;"));
    // The header has a name for bool of its own, because C89 has no bool.
    let of_people = of_people.map(|text| text.replace("simd_iri_bool", "bool"));
    let of_people: BTreeSet<_> = of_people.collect();
    let of_code = declarations(&generated);
    assert!(of_code.len() > 20, "{generated}");
    let missing: Vec<_> = of_code.difference(&of_people).collect();
    let unknown: Vec<_> = of_people.difference(&of_code).collect();
    assert!(missing.is_empty() && unknown.is_empty(), "missing {missing:#?}, unknown {unknown:#?}");

    let defined =
        generated.lines().filter_map(|line| line.strip_prefix("#define ")?.split_once(' '));
    let defined: BTreeMap<String, i64> =
        defined.map(|(name, value)| (name.to_owned(), value.parse().unwrap())).collect();
    assert!(defined.len() > 40, "{defined:?}");
    assert_eq!(constants(HEADER), defined);
}

/// Returns the names of the constants with a prefix, in the order of their values.
fn names(prefix: &str) -> Vec<(i64, String)> {
    let all = constants(HEADER);
    let found = all.iter().filter_map(|(name, value)| {
        let name = name.strip_prefix("SIMD_IRI_")?.strip_prefix(prefix)?;
        Some((*value, name.to_lowercase().replace('_', "-")))
    });
    let mut found: Vec<_> = found.collect();
    found.sort_unstable();
    found
}

#[test]
fn the_constants_have_the_names_of_the_library() {
    let numbered = |first: i64, names: &mut dyn Iterator<Item = &str>| -> Vec<(i64, String)> {
        (first..).zip(names.map(str::to_lowercase)).collect()
    };
    assert_eq!(names("RULE_"), numbered(0, &mut Rule::ALL.iter().map(|rule| rule.name())));
    assert_eq!(names("COMPONENT_"), numbered(0, &mut Component::ALL.iter().map(|c| c.name())));
    let mut kinds = numbered(1, &mut ErrorKind::ALL.iter().map(|kind| kind.name()));
    let own = [
        "rules",
        "prefix-of-list",
        "template",
        "dot-segment",
        "escape",
        "file-name",
        "argument",
        "internal",
    ];
    kinds.extend(numbered(248, &mut own.into_iter()));
    assert_eq!(names("ERROR_"), kinds);
    assert_eq!(names("PLACE_"), numbered(0, &mut Place::ALL.iter().map(|place| place.name())));
    assert_eq!(names("FORMAT_"), numbered(0, &mut Format::ALL.iter().map(|format| format.name())));
    assert_eq!(names("PART_"), numbered(0, &mut RedactPart::ALL.iter().map(|part| part.name())));
    assert_eq!(names("ARCHIVE_"), numbered(0, &mut Profile::ALL.iter().map(|tool| tool.name())));
    assert_eq!(names("RULES_"), numbered(0, &mut RuleFormat::ALL.iter().map(|one| one.name())));
    assert_eq!(names("DECISION_"), numbered(0, &mut Decision::ALL.iter().map(|one| one.name())));
    assert_eq!(names("REASON_"), numbered(0, &mut ReasonKind::ALL.iter().map(|one| one.name())));
    let levels = [Level::Simple, Level::Syntax, Level::Scheme, Level::SchemeIdna];
    assert_eq!(names("LEVEL_"), numbered(0, &mut levels.iter().map(|level| level.name())));
}

#[test]
fn the_version_is_that_of_the_package() {
    let defined = |name: &str| {
        let prefix = format!("#define {name} ");
        HEADER.lines().find_map(|line| line.strip_prefix(&prefix)).map(str::to_owned)
    };
    assert_eq!(defined("SIMD_IRI_VERSION"), Some(format!("{:?}", env!("CARGO_PKG_VERSION"))));
    for (part, of_package) in [
        ("MAJOR", env!("CARGO_PKG_VERSION_MAJOR")),
        ("MINOR", env!("CARGO_PKG_VERSION_MINOR")),
        ("PATCH", env!("CARGO_PKG_VERSION_PATCH")),
    ] {
        let name = format!("SIMD_IRI_VERSION_{part}");
        assert_eq!(defined(&name).as_deref(), Some(of_package), "{name}");
    }
}
