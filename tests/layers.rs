//! Checks that the sources follow docs/architecture.md: modules import only modules before them in the flow; only
//! `codegen` knows the grammar; `unsafe` is only in `src/scan` and at foreign interfaces; no kernel names a character;
//! every file says what it holds; a method of an owner has the comment of the method that it calls.
//!
//! Reads the sources as text, without their comments and the insides of their strings.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The rooms of `src/`, in the order of the flow. The last one passes on what products use of the others.
const FLOW: [&str; 10] = [
    "tables",
    "error",
    "scan",
    "network",
    "parse",
    "reference",
    "transform",
    "versions",
    "batch",
    "low",
];
/// The products beside the engine, and the products on which each is built.
const PRODUCTS: [(&str, &[&str]); 7] = [
    ("archive", &[]),
    ("judge", &[]),
    ("lint", &["redact", "text"]),
    ("redact", &[]),
    ("rules", &[]),
    ("template", &[]),
    ("text", &[]),
];
/// The rooms of `cli/src/`, in the order of the flow.
const PROGRAM: [&str; 18] = [
    "random",
    "invariant",
    "item_error",
    "output",
    "args",
    "recipe",
    "io",
    "spans",
    "format",
    "fuzzing",
    "pipe",
    "classes",
    "extract",
    "transform",
    "with_base",
    "stats",
    "cmd",
    "command_line",
];

/// A source file: its path in the checkout, its text, and its code.
pub(crate) struct Source {
    pub(crate) path: String,
    text: String,
    pub(crate) code: String,
}

pub(crate) fn root() -> &'static Path {
    Path::new(crate::ROOT)
}

/// Every Rust file below a folder of the checkout, or that file itself.
pub(crate) fn sources(place: &str) -> Vec<Source> {
    let mut found = Vec::new();
    let mut pending = vec![root().join(place)];
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path());
            let built = ["target", "node_modules"];
            pending.extend(
                entries.filter(|path: &PathBuf| !built.iter().any(|name| path.ends_with(name))),
            );
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let path = path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
            found.push(Source { code: code(&text), path, text });
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// The library's sources, each with its module path.
fn library() -> Vec<(Source, Vec<String>)> {
    modules("src/")
}

/// The sources of a crate, each with its module path.
fn modules(folder: &str) -> Vec<(Source, Vec<String>)> {
    let found = sources(folder.trim_end_matches('/'));
    assert!(found.len() > 1, "the sources in {folder}");
    let with_module = found.into_iter().map(|source| {
        let module = source.path.trim_start_matches(folder).trim_end_matches(".rs");
        let module = module.split('/').filter(|name| !["lib", "main", "mod"].contains(name));
        let module = module.map(str::to_owned).collect();
        (source, module)
    });
    with_module.collect()
}

/// The text without comments and without the content of strings; characters stay.
fn code(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").expect("comments end") + 2
        } else if let Some(length) = raw_string(rest, &out).or_else(|| string(rest)) {
            out.push_str("\"\"");
            length
        } else {
            let length = character(rest).unwrap_or(c.len_utf8());
            out.push_str(&rest[..length]);
            length
        };
        rest = &rest[length..];
    }
    out
}

fn raw_string(rest: &str, before: &str) -> Option<usize> {
    let named = before.ends_with(|c: char| c.is_alphanumeric() && c != 'b' || c == '_');
    let hashes = rest.strip_prefix('r').filter(|_| !named)?;
    let fence = &hashes[..hashes.find(|c| c != '#')?];
    let inside = hashes[fence.len()..].strip_prefix('"')?;
    let end = inside.find(&format!("\"{fence}"))?;
    Some(1 + fence.len() + 1 + end + 1 + fence.len())
}

fn string(rest: &str) -> Option<usize> {
    let mut escaped = false;
    let close = rest.strip_prefix('"')?.find(|c| {
        let closes = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        closes
    });
    Some(close.expect("strings end") + 2)
}

/// The length of a character or byte literal. A lifetime is not one.
fn character(rest: &str) -> Option<usize> {
    let inside = rest.strip_prefix('\'')?;
    let first = inside.chars().next()?;
    let skip = if first == '\\' { 2 } else { first.len_utf8() };
    let close = inside[skip..].find('\'')?;
    (first == '\\' || close == 0).then_some(1 + skip + close + 1)
}

#[test]
fn the_reader_of_code_tells_code_from_comments_and_strings() {
    for (text, expected) in [
        ("a // unsafe\nb", "a \nb"),
        ("a /* 'x' */ b", "a  b"),
        (r#"f("unsafe \" // ")"#, r#"f("")"#),
        ("br#\"a\"b\"#;", "b\"\";"),
        ("for_r\"\"", "for_r\"\""),
        ("&'a str, b'\"', '\\'', '\"'", "&'a str, b'\"', '\\'', '\"'"),
    ] {
        assert_eq!(code(text), expected);
    }
    assert_eq!(character("'a, 'b"), None);
    assert_eq!(inline_modules("mod a { mod b { fn c() { '{'; } } mod d { "), 2);
    assert_eq!(imports("mod tests { use super::super::x; } use super::super::y;", 2), ["y"]);
    assert_eq!(
        imports("use crate::{scan::{x, y}, parse}; $crate::z; super::super::t", 2),
        ["scan", "parse", "t"]
    );
}

/// The names that code imports from the root of the crate, if its file is a module so deep.
fn imports(code: &str, depth: usize) -> Vec<&str> {
    let from_crate = code.match_indices("crate::").filter_map(|(at, path)| {
        let macro_path = code[..at].ends_with('$');
        (!macro_path).then(|| &code[at + path.len()..])
    });
    let from_super = code.match_indices("super::").filter_map(|(at, path)| {
        let mut rest = &code[at..];
        let mut up = 0;
        while let Some(further) = rest.strip_prefix(path) {
            (up, rest) = (up + 1, further);
        }
        let begins = !code[..at].ends_with(path);
        (begins && up == depth + inline_modules(&code[..at])).then_some(rest)
    });
    from_crate.chain(from_super).flat_map(first_names).collect()
}

/// The number of `mod name {` that are open at the end of this code.
fn inline_modules(code: &str) -> usize {
    let mut open = Vec::new();
    let mut at = 0;
    while let Some(c) = code[at..].chars().next() {
        match c {
            '{' => {
                let mut words = code[..at].split_whitespace().rev();
                open.push(words.nth(1) == Some("mod"));
            }
            '}' => _ = open.pop(),
            _ => {}
        }
        at += character(&code[at..]).unwrap_or(c.len_utf8());
    }
    open.into_iter().filter(|module| *module).count()
}

/// The first name of each path that a use tree begins with: `a::b` has a, `{a::{b, c}, d}` a and d.
fn first_names(tree: &str) -> Vec<&str> {
    let end_of_name = |path: &str| path.find(|c: char| !c.is_alphanumeric() && c != '_');
    let Some(group) = tree.strip_prefix('{') else {
        return vec![&tree[..end_of_name(tree).unwrap_or(tree.len())]];
    };
    let mut depth = 0_usize;
    let mut begins = true;
    let mut names = Vec::new();
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => begins = true,
            c if begins && !c.is_whitespace() => {
                names.push(&group[at..][..end_of_name(&group[at..]).unwrap_or(0)]);
                begins = false;
            }
            _ => {}
        }
    }
    names
}

#[test]
fn modules_import_only_what_is_before_them() {
    for (folder, flow) in [("src/", FLOW.to_vec()), ("cli/src/", PROGRAM.to_vec())] {
        let rank = |room: &str| flow.iter().position(|name| *name == room);
        let mut total = 0;
        for (source, module) in modules(folder) {
            // The root names every room.
            let Some(room) = module.first() else { continue };
            let own = rank(room).unwrap_or_else(|| panic!("{}: no room {room}", source.path));
            for name in imports(&source.code, module.len()) {
                // A macro is at the root, wherever it is written.
                if name.starts_with("__") {
                    continue;
                }
                let rank = rank(name).unwrap_or_else(|| {
                    panic!("{}: {name} is imported from the root, not from its room", source.path)
                });
                assert!(rank <= own, "{}: {room} imports {name}, which is after it", source.path);
                total += 1;
            }
        }
        assert!(total > 0);
        println!("{folder}: {total} imports among rooms");
    }
}

#[test]
fn the_root_lists_the_rooms_in_the_order_of_the_flow() {
    let root = sources("src/lib.rs").pop().unwrap();
    let rooms = root.code.lines().filter_map(|line| {
        let line = line.trim().trim_start_matches("pub ").strip_prefix("mod ")?;
        line.strip_suffix(';')
    });
    let rank = |room| FLOW.iter().position(|name| *name == room);
    let ranks: Vec<_> = rooms.map(|room| rank(room).unwrap_or_else(|| panic!("{room}"))).collect();
    assert!(ranks.len() >= 5 && ranks.is_sorted(), "{ranks:?}");
}

#[test]
fn a_method_of_an_owner_says_the_first_sentence_of_the_view() {
    let (mut of_view, mut of_owners) = (BTreeSet::new(), Vec::new());
    for (source, _) in library() {
        for (block, line, sentence) in commented(&source.text) {
            let method = line.trim_start_matches("pub ").trim_start_matches("const ");
            let method = method.trim_start_matches("fn ").trim_start_matches("#[must_use] ");
            let end = method.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(0);
            let (name, rest) = method.split_at(end);
            let is_public = line.starts_with("pub");
            if is_public && block.contains(" View<") {
                of_view.insert((name.to_owned(), sentence));
            } else if source.path.ends_with("/owners.rs") && !is_public {
                let is_method = end > 0 && rest.starts_with(['(', '[']);
                of_owners.extend(is_method.then(|| (name.to_owned(), sentence)));
            }
        }
    }
    assert!(of_owners.len() >= 40, "{of_owners:?}");
    for method in of_owners {
        assert!(of_view.contains(&method), "{method:?}");
    }
}

/// The lines of code, each with the first line of its `impl` and the first sentence of its comment. A link in the sentence
/// has no target.
fn commented(text: &str) -> Vec<(&str, &str, String)> {
    let (mut found, mut block, mut comment) = (Vec::new(), "", String::new());
    for line in text.lines() {
        if line.starts_with("impl") {
            block = line;
        }
        let line = line.trim();
        if let Some(words) = line.strip_prefix("///") {
            comment = format!("{comment}{words}\n");
        } else if !line.starts_with("#[") || line.starts_with("#[must_use] ") {
            let paragraph = comment.split("\n\n").next().unwrap().replace('\n', "");
            let sentence = paragraph.split(". ").next().unwrap().trim();
            let mut sentence = sentence.trim_end_matches('.').to_owned();
            while let Some((words, target)) = sentence.split_once("](") {
                sentence = format!("{words}]{}", target.split_once(')').unwrap().1);
            }
            found.push((block, line, sentence));
            comment.clear();
        }
    }
    found
}

/// The paths of a use tree, written out: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn paths_of(tree: &str) -> Vec<String> {
    let Some(open) = tree.find('{') else {
        return vec![tree.split(" as ").next().unwrap_or(tree).trim().to_owned()];
    };
    let close = tree.rfind('}').expect("braces close");
    let (mut depth, mut branches) = (0, vec![String::new()]);
    for c in tree[open + 1..close].chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                branches.push(String::new());
                continue;
            }
            _ => {}
        }
        branches.last_mut().unwrap().push(c);
    }
    let prefix = tree[..open].trim();
    let branches = branches.iter().map(|branch| branch.trim()).filter(|branch| !branch.is_empty());
    branches.flat_map(paths_of).map(|path| format!("{prefix}{path}")).collect()
}

/// The files of the same package that a file imports, as module paths. A re-export (`pub use`) of a folder is not an
/// import of the folder.
fn neighbours(code: &str, module: &[String], modules: &[Vec<String>]) -> Vec<Vec<String>> {
    // Unit tests may import all files.
    let code = &code[..code.find("#[cfg(test)]\nmod ").unwrap_or(code.len())];
    let mut found = Vec::new();
    for statement in code.split(';') {
        // It begins a line. A re-export does not.
        let begins =
            |at: &usize| statement[..*at].rsplit('\n').next().unwrap_or("").trim().is_empty();
        let Some(at) = statement.match_indices("use ").map(|(at, _)| at).find(begins) else {
            continue;
        };
        for path in paths_of(&statement[at + "use ".len()..]) {
            let mut names: Vec<&str> = path.split("::").map(str::trim).collect();
            let mut place = match names[0] {
                "crate" => Vec::new(),
                "super" => module.to_vec(),
                _ => continue,
            };
            while names.first() == Some(&"super") {
                place.pop();
                names.remove(0);
            }
            place
                .extend(names.iter().filter(|name| **name != "crate").map(|&name| name.to_owned()));
            while !place.is_empty() && !modules.contains(&place) {
                place.pop();
            }
            if !place.is_empty() && place != module {
                found.push(place);
            }
        }
    }
    // A path in an expression is an import, too.
    for (at, _) in code.match_indices("crate::") {
        let is_path = !code[..at].ends_with(|c: char| c == '$' || c == ':' || c.is_alphanumeric());
        let before = code[..at].rsplit(';').next().unwrap_or("");
        if is_path && !before.contains("use ") {
            let path = code[at + "crate::".len()..]
                .split(|c: char| !c.is_alphanumeric() && !"_:".contains(c));
            let mut place: Vec<String> =
                path.into_iter().next().unwrap_or("").split("::").map(str::to_owned).collect();
            while !place.is_empty() && !modules.contains(&place) {
                place.pop();
            }
            if !place.is_empty() && place != module {
                found.push(place);
            }
        }
    }
    found
}

#[test]
fn no_circle_of_imports_in_a_room() {
    assert_eq!(paths_of("a::{b, c::{d, e as f}}"), ["a::b", "a::c::d", "a::c::e"]);
    let known = [["a", "b"], ["a", "c"]].map(|module| module.map(str::to_owned).to_vec());
    for (code, expected) in [
        ("#[cfg(x)]\nuse super::c;", 1),
        ("use x;\n#[cfg(x)]\n#[y]\nuse crate::a::c::d;", 1),
        ("fn because() {}\nuse super::c;", 1),
        ("fn f() { crate::a::c::d() }", 1),
        ("pub use super::c;", 0),
        ("use x; #[cfg(test)]\nmod tests { use super::super::c; }", 0),
    ] {
        assert_eq!(neighbours(code, &known[0], &known).len(), expected, "{code}");
    }
    for (folder, least) in [
        ("src/", 200),
        ("crates/archive/src/", 10),
        ("crates/judge/src/", 10),
        ("crates/lint/src/", 50),
        ("crates/redact/src/", 5),
        ("crates/rules/src/", 10),
        ("crates/template/src/", 10),
        ("crates/text/src/", 40),
        ("cli/src/", 400),
        ("codegen/src/", 10),
        ("benches/src/", 5),
        ("adapters/arrow/src/", 1),
        ("adapters/duckdb/src/", 1),
        ("adapters/datafusion/src/", 1),
        ("adapters/c/src/", 1),
        ("adapters/python/src/", 1),
        ("adapters/tower/src/", 1),
        ("adapters/web/src/", 1),
    ] {
        let sources = modules(folder);
        let modules: Vec<_> = sources.iter().map(|(_, module)| module.clone()).collect();
        let mut imports: Vec<(Vec<String>, Vec<Vec<String>>)> = sources
            .iter()
            .filter(|(_, module)| !module.is_empty())
            .map(|(source, module)| (module.clone(), neighbours(&source.code, module, &modules)))
            .collect();
        let total: usize = imports.iter().map(|(_, found)| found.len()).sum();
        println!("{folder}: {total} imports");
        assert!(total >= least, "{folder}: {total} imports");
        // Removes the files that import none of those left, until only circles are left, or nothing.
        loop {
            let left: Vec<_> = imports.iter().map(|(module, _)| module.clone()).collect();
            imports.retain(|(_, found)| found.iter().any(|import| left.contains(import)));
            if imports.len() == left.len() {
                break;
            }
        }
        let circles: Vec<_> = imports.iter().map(|(module, _)| module.join("::")).collect();
        assert!(
            circles.is_empty(),
            "{folder}: these files import each other, or one that does: {circles:?}"
        );
    }
}

/// The files outside `src/scan` that hold `unsafe`: where a foreign interface demands it, and the programs and tests that call
/// such an interface; and where the program notes its closed streams before the standard library begins.
const UNSAFE: [&str; 19] = [
    "adapters/arrow/src/views.rs",
    "adapters/c/src/call.rs",
    "adapters/c/src/interface.rs",
    "adapters/c/src/memory.rs",
    "adapters/c/src/texts.rs",
    "adapters/c/tests/answers.rs",
    "adapters/c/tests/bits.rs",
    "adapters/c/tests/bounds.rs",
    "adapters/c/tests/cases.rs",
    "adapters/c/tests/memory.rs",
    "adapters/c/tests/operations.rs",
    "adapters/duckdb/src/duckdb.rs",
    "adapters/duckdb/src/lib.rs",
    "adapters/python/src/arrow/capsule.rs",
    "adapters/python/src/quick.rs",
    "adapters/web/src/lib.rs",
    "benches/engines/c/src/main.rs",
    "cli/src/main.rs",
    "fuzz/targets/c_abi.rs",
];

/// Tells whether code holds a word.
fn has_word(code: &str, word: &str) -> bool {
    code.split(|c: char| !c.is_alphanumeric() && c != '_').any(|found| found == word)
}

#[test]
fn unsafe_is_in_scan_and_at_foreign_interfaces() {
    let places =
        ["src", "crates", "codegen", "cli", "build.rs", "examples", "adapters", "benches", "fuzz"];
    let all = places.into_iter().flat_map(sources);
    let is_unsafe = all.filter(|source| has_word(&source.code, "unsafe"));
    let files = is_unsafe.map(|source| source.path).filter(|path| !path.starts_with("src/scan/"));
    let mut files: Vec<_> = files.collect();
    files.sort();
    assert_eq!(files, UNSAFE);
    for (product, _) in PRODUCTS {
        let root = sources(&format!("crates/{product}/src/lib.rs")).pop().unwrap();
        assert!(root.code.contains("#![forbid(unsafe_code)]"), "{}", root.path);
    }
    for (source, module) in library() {
        if let [room] = &module[..] {
            let forbids = source.code.contains("#![forbid(unsafe_code)]");
            assert_eq!(forbids, room != "scan", "{}: forbid(unsafe_code)", source.path);
        }
    }
}

#[test]
fn no_kernel_spells_out_a_character() {
    let kernels = sources("src/scan/arch");
    assert!(kernels.len() >= 6);
    for Source { path, code, text } in &kernels {
        let spelled = (0..code.len()).find_map(|at| character(code.get(at..)?));
        assert_eq!(spelled, None, "{path}: a character");
        let bytes =
            text.lines().find(|line| !line.trim().starts_with("//") && line.contains("b\""));
        assert_eq!(bytes, None, "{path}: a byte string");
    }
}

#[test]
fn the_grammar_is_known_to_codegen_alone() {
    let places = ["src", "crates", "cli", "build.rs", "benches", "fuzz", "adapters", "examples"];
    for place in places {
        for source in sources(place) {
            let lines = source.text.lines().filter(|line| !line.trim().starts_with("//"));
            for line in lines {
                // The patterns of files of rules are not the grammar.
                let is_pattern = source.path == "crates/rules/src/query_rules/pattern.rs";
                let knows = [".abnf", "regex_automata", "regex_syntax"];
                let knows = &knows[..if is_pattern { 1 } else { 3 }];
                assert!(!knows.iter().any(|word| line.contains(word)), "{}: {line}", source.path);
            }
        }
    }
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    assert!(!manifest.contains("regex-automata"), "the engine depends on codegen alone");
}

/// A product is built on the engine, and on the products that this test names. It uses the public items of the engine and
/// those of `low`, and `low` has none that no product uses.
#[test]
fn a_product_uses_the_engine_and_few_others() {
    let folders = fs::read_dir(root().join("crates")).unwrap();
    let mut folders: Vec<_> =
        folders.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    folders.sort();
    assert_eq!(folders, PRODUCTS.map(|(product, _)| product));

    let mut used = BTreeSet::new();
    for (product, others) in PRODUCTS {
        let manifest = fs::read_to_string(root().join(format!("crates/{product}/Cargo.toml")));
        let manifest = manifest.unwrap();
        let dependencies = manifest.lines().filter_map(|line| line.strip_prefix("simd-iri-"));
        let found: Vec<_> = dependencies.filter_map(|line| line.split(' ').next()).collect();
        assert_eq!(found, others, "crates/{product}/Cargo.toml");
        for source in sources(&format!("crates/{product}/src")) {
            for (at, _) in source.code.match_indices("simd_iri::low::") {
                let tree = source.code[at + "simd_iri::low::".len()..].split(';').next().unwrap();
                used.extend(first_names(tree).into_iter().map(str::to_owned));
            }
        }
    }
    // Types of these are in signatures, and need no import.
    let named_by_others = ["ByName", "CharacterReference", "NoCharacter", "serde"];
    let low = sources("src/low.rs").pop().unwrap();
    let passed_on = low.code.split("pub use ").skip(1).flat_map(|statement| {
        paths_of(statement.split(';').next().unwrap())
            .into_iter()
            .map(|path| path.rsplit("::").next().unwrap().to_owned())
    });
    let constants = low.code.split("sets! {").nth(1).unwrap().split('}').next().unwrap();
    let constants = constants.lines().filter_map(|line| line.trim().split_once(':'));
    let functions = low.code.split("fn ").skip(1);
    let functions = functions.filter_map(|rest| rest.split(['(', '<']).next());
    let has: BTreeSet<String> = passed_on
        .chain(constants.map(|(name, _)| name.to_owned()))
        .chain(functions.map(str::to_owned))
        .collect();
    let count = has.iter().filter(|name| used.contains(*name)).count();
    println!("products use {count} items of the inside of the engine");
    assert!(count <= 80, "the inside becomes a second interface");
    let idle: Vec<_> = has
        .iter()
        .filter(|name| !used.contains(*name) && !named_by_others.contains(&name.as_str()))
        .collect();
    assert!(idle.is_empty(), "no product uses {idle:?}");
}

#[test]
fn every_source_file_says_what_it_holds() {
    let places = [
        "src", "crates", "codegen", "cli", "tests", "benches", "fuzz", "build.rs", "adapters",
        "examples",
    ];
    for place in places {
        for source in sources(place) {
            let header = source.text.lines().next().is_some_and(|line| line.starts_with("//!"));
            assert!(header, "{}: no header", source.path);
        }
    }
}

/// The characters of a scheme are those of the ABNF (`tables::SCHEME`), and no file of the library lists them.
#[test]
fn no_file_lists_the_characters_of_a_scheme() {
    let signs = ["+", "-", "."];
    for Source { path, text, .. } in ["src", "crates"].into_iter().flat_map(sources) {
        let code = text.lines().filter(|line| !line.trim().starts_with("//"));
        let typed = code.filter(|line| line.contains("is_ascii_alphanumeric")).find(|line| {
            let has = |sign: &&str| {
                let strings = line.split("b\"").skip(1).filter_map(|rest| rest.split('"').next());
                let mut short = strings.filter(|string| string.len() == signs.len());
                line.contains(&format!("b'{sign}'")) || short.any(|string| string.contains(*sign))
            };
            signs.iter().all(has)
        });
        assert!(typed.is_none(), "{path}: {typed:?}");
    }
}

/// The letters and the digits are those of the ABNF (`tables::SCHEME_FIRST`, `tables::DIGIT`), and no other set lists them.
#[test]
fn no_set_lists_the_letters_or_the_digits() {
    let lists = |line: &&str| {
        let set = line.split("AsciiSet::of(b\"").nth(1).unwrap_or_default();
        ["ABCDEFGH", "abcdefgh", "01234567"].into_iter().any(|run| set.contains(run))
    };
    for Source { path, text, .. } in ["src", "crates"].into_iter().flat_map(sources) {
        // The letters in upper case are no set of the ABNF.
        let typed = text.lines().filter(lists).find(|line| !line.contains("const UPPER: "));
        assert_eq!(typed, None, "{path}");
    }
}

/// Features, levels and tests gate rooms, not lines.
#[test]
fn few_lines_of_the_library_are_gated() {
    let sources = sources("src");
    let lines = sources.iter().flat_map(|source| source.code.lines());
    let lines: Vec<_> = lines.filter(|line| !line.trim().is_empty()).collect();
    let is_gate = |line: &&&str| line.contains("cfg(") || line.contains("cfg_attr(");
    let gates = lines.iter().filter(is_gate).count();
    println!("{gates} gates in {} lines", lines.len());
    assert!(gates * 1000 <= lines.len() * 15);
}
