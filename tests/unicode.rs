//! The versions of the tables of characters and names: docs/unicode.md, `DataTable`, the crates and the sources say the
//! same, and tables of different versions meet in an operation only if the page has the reason.
//!
//! Not here: the content of the table of links (`extract`, `standards`) and of the bidi classes (`crates/lint/src/bidi/table.rs`).

use std::collections::BTreeMap;
use std::fs;

use icu_properties::CodePointMapData;
use icu_properties::props::GeneralCategory;
use simd_iri::versions::{DataTable, DataVersion};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_public_assigned;

use crate::cases::unicode;
use crate::layers::{Source, root, sources};

/// The text of a file of the checkout.
fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The rows of the table in Markdown that has this head, each as its cells.
fn rows<'p>(page: &'p str, head: &str) -> Vec<Vec<&'p str>> {
    let mut lines = page.lines().skip_while(|line| *line != head).skip(2);
    let rows = lines.by_ref().map_while(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let rows: Vec<_> = rows.map(|row| row.split(" | ").collect::<Vec<_>>()).collect();
    assert!(!rows.is_empty(), "docs/unicode.md has no table {head}");
    rows
}

/// The words between backquotes.
fn quoted(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// A row of the page about a table.
struct Table<'p> {
    name: &'p str,
    version: &'p str,
    from: &'p str,
    files: Vec<&'p str>,
}

fn tables(page: &str) -> Vec<Table<'_>> {
    let rows = rows(page, "| table | version | from | files that read it |");
    let row = |row: Vec<_>| {
        let [name, version, from, files] = row[..] else { panic!("{row:?}") };
        Table { name: quoted(name)[0], version, from, files: quoted(files) }
    };
    rows.into_iter().map(row).collect()
}

/// An operation: its name, the files that do it, and the tables that it asks.
struct Operation<'p> {
    name: &'p str,
    files: Vec<&'p str>,
    tables: Vec<&'p str>,
}

fn operations(page: &str) -> Vec<Operation<'_>> {
    let rows = rows(page, "| operation | files | tables |");
    let row = |row: Vec<_>| {
        let [name, files, tables] = row[..] else { panic!("{row:?}") };
        let (name, _): (&str, &str) = str::split_once(name, ':').unwrap();
        Operation { name, files: quoted(files), tables: quoted(tables) }
    };
    rows.into_iter().map(row).collect()
}

/// The operation and the table of each reason.
fn reasons(page: &str) -> Vec<(&str, &str)> {
    let rows = rows(page, "| operation | table | why another version does no harm |");
    let row = |row: Vec<_>| {
        let [operation, table, why] = row[..] else { panic!("{row:?}") };
        assert!(str::ends_with(why, '.'), "{why}");
        (operation, quoted(table)[0])
    };
    rows.into_iter().map(row).collect()
}

/// Tells whether a list of files and folders has a path.
fn has(files: &[&str], path: &str) -> bool {
    files.iter().any(|file| path == *file || file.ends_with('/') && path.starts_with(file))
}

/// What is wrong with the page if the tables have these versions: tables of an operation that differ without a reason, and
/// reasons for nothing. A table that is not of a fixed version differs from all others.
fn unexplained(page: &str, versions: &BTreeMap<&str, Option<DataVersion>>) -> Vec<String> {
    let mut wrong = Vec::new();
    let reasons = reasons(page);
    let mut needed = Vec::new();
    for operation in operations(page) {
        let has_reason = |table| reasons.contains(&(operation.name, table));
        for (number, &a) in operation.tables.iter().enumerate() {
            for &b in &operation.tables[number + 1..] {
                if versions[a] == versions[b] && versions[a].is_some() {
                    continue;
                }
                needed.extend([(operation.name, a), (operation.name, b)]);
                if !has_reason(a) && !has_reason(b) {
                    wrong.push(format!("{}: {a} and {b} differ", operation.name));
                }
            }
        }
    }
    let idle = reasons.iter().filter(|reason| !needed.contains(reason));
    wrong.extend(idle.map(|(operation, table)| format!("{operation}: {table} has no difference")));
    wrong
}

/// The versions of this build; none for the compiler, which another build has in another version.
fn versions() -> BTreeMap<&'static str, Option<DataVersion>> {
    let version = |table: &DataTable| (table.name() != "compiler").then(|| table.version());
    all().iter().map(|table| (table.name(), version(table))).collect()
}

/// The tables of the engine and of the crates beside it, by name.
fn all() -> Vec<DataTable> {
    let mut all = [DataTable::ALL, &simd_iri_lint::TABLES, &[simd_iri_text::LINKS]].concat();
    all.sort_by_key(DataTable::name);
    all
}

/// The version of a table.
pub(crate) fn version(name: &str) -> DataVersion {
    all().into_iter().find(|table| table.name() == name).unwrap().version()
}

#[test]
fn tables_that_meet_are_of_one_version_or_the_page_has_the_reason() {
    let page = read("docs/unicode.md");
    assert_eq!(unexplained(&page, &versions()), Vec::<String>::new());
    // An older table of links, and a reason that is left over, would be found.
    let mut older = versions();
    older.insert("link", Some(DataVersion::Unicode(17, 0, 0)));
    assert!(unexplained(&page, &older).contains(&"links in text: link and idna differ".to_owned()));
    let more = page.replace("| registrable domains | `compiler`", "| order of display | `bidi`");
    let found = unexplained(&more, &versions());
    assert_eq!(found, ["order of display: bidi has no difference"]);
}

#[test]
fn the_page_has_the_version_of_each_table() {
    let page = read("docs/unicode.md");
    let mut tables = tables(&page);
    tables.sort_by_key(|table| table.name);
    assert!(all().iter().map(DataTable::name).eq(tables.iter().map(|table| table.name)));
    for (table, of) in all().iter().zip(&tables) {
        if table.name() == "compiler" {
            let (major, minor, update) = char::UNICODE_VERSION;
            assert_eq!(table.version(), DataVersion::Unicode(major, minor, update));
        } else {
            assert_eq!(table.version().to_string(), of.version, "{}", table.name());
        }
    }
    // The date belongs to a release, which is the oldest that the library takes and the one that the tests take.
    let from = tables.iter().find(|table| table.name == "public-suffixes").unwrap().from;
    let (_, release) = from.split_once("`psl` ").unwrap();
    let release = release.split(',').next().unwrap();
    assert!(read("Cargo.lock").contains(&format!("name = \"psl\"\nversion = \"{release}\"\n")));
    assert!(read("Cargo.toml").contains(&format!("psl = {{ version = \"{release}\"")));
    // The head of the generated table has the date of its data.
    let from = tables.iter().find(|table| table.name == "link").unwrap().from;
    let head = read("crates/text/src/link_tables/data.rs");
    let (_, date) = head.lines().next().unwrap().split_once("data of ").unwrap();
    let date = date.split('.').next().unwrap();
    assert!(from.contains(&format!("the data of {date} ")), "{date}");
}

/// The tables that code reads, by the names in it.
fn read_by(code: &str) -> Vec<&'static str> {
    // What comes from the crates and the table of links.
    let crates: [(&str, &[&str]); 9] = [
        ("link", &["link_tables::"]),
        ("bidi", &["unicode_bidi::", "bidi::table::", "props::BidiClass"]),
        ("idna", &["idna::uts46", "idna::AsciiDenyList", "idna::punycode"]),
        ("normalization", &["unicode_normalization::"]),
        ("scripts", &["unicode_script::"]),
        ("confusables", &["unicode_security::"]),
        ("identifiers", &["identifiers::"]),
        ("public-suffixes", &["psl::"]),
        (
            "compiler",
            &[
                "is_alphabetic",
                "is_alphanumeric",
                "is_numeric",
                "is_lowercase",
                "is_uppercase",
                ".to_lowercase",
                ".to_uppercase",
            ],
        ),
    ];
    let mut found: Vec<_> = crates
        .into_iter()
        .filter(|(_, names)| {
            names.iter().any(|name| {
                code.match_indices(name).any(|(at, _)| {
                    // `psl::` is not `xpsl::`, and `is_lowercase` is not a part of a longer name.
                    let is_name =
                        |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
                    let after = code[at + name.len()..].chars().next();
                    !is_name(code[..at].chars().next_back())
                        && (name.ends_with("::") || !is_name(after))
                })
            })
        })
        .map(|(table, _)| table)
        .collect();
    if code.contains("icu_properties::") && !found.contains(&"bidi") {
        found.push("properties");
    }
    found
}

#[test]
fn each_file_that_reads_a_table_is_on_the_page() {
    assert_eq!(read_by("use psl::Type; c.is_lowercase()"), ["public-suffixes", "compiler"]);
    assert_eq!(read_by("xpsl::a; is_lowercase_x(c); to_ascii_lowercase()"), Vec::<&str>::new());
    let page = read("docs/unicode.md");
    let (tables, operations) = (tables(&page), operations(&page));
    let mut found = BTreeMap::<&str, usize>::new();
    for Source { path, code, .. } in ["src", "crates"].into_iter().flat_map(sources) {
        // Unit tests may ask any table, and the version of a table is not a part of it.
        let code = code[..code.find("#[cfg(test)]\nmod ").unwrap_or(code.len())].to_owned();
        // The tables themselves, and their versions.
        let has_versions = ["src/versions.rs", "crates/lint/src/lib.rs", "crates/text/src/lib.rs"]
            .contains(&path.as_str());
        if has_versions || path.starts_with("crates/text/src/link_tables") {
            continue;
        }
        for table in read_by(&code) {
            let row = tables.iter().find(|row| row.name == table).unwrap();
            assert!(has(&row.files, &path), "{path} reads {table}, which the page does not say");
            let is_listed =
                operations.iter().any(|of| has(&of.files, &path) && of.tables.contains(&table));
            assert!(is_listed, "{path} reads {table}: the page has no such operation");
            *found.entry(table).or_default() += 1;
        }
    }
    for table in &tables {
        assert!(found.contains_key(table.name), "no file reads {}", table.name);
        for file in &table.files {
            assert!(root().join(file).exists(), "{}: {file}", table.name);
        }
    }
    for operation in &operations {
        for table in &operation.tables {
            assert!(found.contains_key(table), "{}: {table}", operation.name);
        }
    }
    println!("{found:?}");
}

/// The lock files of the checkout, by path.
fn locks() -> Vec<String> {
    let (mut found, mut pending) = (Vec::new(), vec![root().to_path_buf()]);
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap()) {
            let (path, name) = (entry.path(), entry.file_name());
            if entry.file_type().unwrap().is_dir()
                && !["target", ".git", "node_modules"].iter().any(|built| name == *built)
            {
                pending.push(path);
            } else if name == "Cargo.lock" {
                found.push(path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

/// Each workspace has a lock file. A wheel for Python has the tables of its lock file.
#[test]
fn every_package_takes_the_same_releases_of_the_tables() {
    const CRATES: [&str; 10] = [
        "icu_normalizer_data",
        "icu_properties",
        "icu_properties_data",
        "idna",
        "idna_adapter",
        "psl",
        "unicode-bidi",
        "unicode-normalization",
        "unicode-script",
        "unicode-security",
    ];
    let release = |lock: &str, name| {
        let (_, rest) = lock.split_once(&format!("name = \"{name}\"\nversion = \""))?;
        Some(rest.split('"').next().unwrap().to_owned())
    };
    let workspace = read("Cargo.lock");
    let (locks, mut compared) = (locks(), 0);
    for name in CRATES {
        let ours = release(&workspace, name).unwrap();
        for path in &locks {
            if let Some(other) = release(&read(path), name) {
                assert_eq!(other, ours, "{path}: {name}");
                compared += 1;
            }
        }
    }
    assert!(locks.len() == 3 && compared > 20, "{compared} in {locks:?}");
    println!("{compared} releases in {} lock files", locks.len());
}

/// The characters that are assigned by `unicode-normalization`, whose version is known, are those of the crates that do not
/// say theirs.
#[test]
fn crates_without_a_version_have_the_characters_of_one_that_has_a_version() {
    let known = unicode_normalization::UNICODE_VERSION;
    let known = DataVersion::Unicode(known.0, known.1, known.2);
    assert_eq!(version("normalization"), known);
    let category = CodePointMapData::<GeneralCategory>::new();
    let (mut assigned, mut letters) = (0, 0);
    for c in '\0'..=char::MAX {
        let of = category.get(c);
        let is_known = is_public_assigned(c) || of == GeneralCategory::PrivateUse;
        assert_eq!(of != GeneralCategory::Unassigned, is_known, "{c:?}");
        assigned += usize::from(is_known);
        let shown = idna::domain_to_unicode(&c.to_string()).1.is_ok();
        assert!(is_known || !shown, "{c:?} is not assigned, and idna takes it");
        // UTS #46 takes every small letter that it does not map.
        if of == GeneralCategory::LowercaseLetter && [c].into_iter().nfkc().eq([c]) {
            assert!(shown, "idna refuses {c:?}");
            letters += 1;
        }
    }
    assert!(assigned > 290_000 && letters > 1_500, "{assigned} {letters}");
    assert_eq!(version("properties"), known);
    assert_eq!(version("idna"), known);
    assert_eq!(version("bidi"), known);
    println!("{assigned} characters are assigned, {letters} of them small letters");
}

/// The ages in the comments of the data of UTS #58: the file lists no character of which the crates do not know, and the
/// crates have those of the version that they are said to have.
#[test]
#[ignore = "reads the data of UTS #58, which are not in the project"]
fn the_crates_have_the_characters_of_the_version_of_the_links() {
    let text = fs::read_to_string(unicode().join("LinkTerm.txt")).unwrap();
    let mut newest = BTreeMap::<(u8, u8), usize>::new();
    for line in text.lines().filter(|line| !line.starts_with('#') && line.contains(';')) {
        let (range, rest) = line.split_once(';').unwrap();
        let (_, comment) = rest.split_once('#').unwrap();
        let Some((major, minor)) = comment.split_whitespace().next().unwrap().split_once('.')
        else {
            continue;
        };
        let range = range.trim();
        let (first, last) = range.split_once("..").unwrap_or((range, range));
        let number = |text| u32::from_str_radix(text, 16).unwrap();
        let age = (major.parse().unwrap(), minor.parse().unwrap());
        for c in (number(first)..=number(last)).filter_map(char::from_u32) {
            assert!(is_public_assigned(c), "{c:?} of Unicode {age:?}");
            *newest.entry(age).or_default() += 1;
        }
    }
    let (&(major, minor), count) = newest.last_key_value().unwrap();
    assert_eq!(version("link"), DataVersion::Unicode(major, minor, 0));
    println!("{count} characters are of Unicode {major}.{minor}");
}
