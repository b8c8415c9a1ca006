//! The cases: JSON Lines of `conformance/cases/` and `tests/data/`, and of the shared cases where there are any.
//!
//! `conformance/README.md` and `data/README.md` describe the format. Not here: what is done with a case.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use simd_iri::Rule;

/// A text, the rule that it should match, and the known answers.
pub(crate) struct Case {
    pub(crate) id: String,
    pub(crate) rule: Rule,
    pub(crate) input: Vec<u8>,
    pub(crate) valid: bool,
    pub(crate) components: Option<Components>,
    pub(crate) host_kind: Option<String>,
    pub(crate) violations: Option<Vec<Violation>>,
}

impl Case {
    /// The input as text, if it is text.
    pub(crate) fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.input).ok()
    }
}

/// The components of a valid text: `None` where absent.
#[derive(Deserialize, PartialEq, Eq, Debug, Clone)]
pub(crate) struct Components {
    pub(crate) scheme: Option<String>,
    pub(crate) authority: Option<String>,
    pub(crate) userinfo: Option<String>,
    pub(crate) host: Option<String>,
    pub(crate) port: Option<String>,
    pub(crate) path: String,
    pub(crate) query: Option<String>,
    pub(crate) fragment: Option<String>,
}

/// The content of an `Error`, in words.
#[derive(Deserialize, PartialEq, Eq, Debug, Clone)]
pub(crate) struct Violation {
    pub(crate) kind: String,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) component: String,
}

impl From<simd_iri::Error> for Violation {
    fn from(error: simd_iri::Error) -> Self {
        Self {
            kind: error.kind().name().to_owned(),
            start: error.span().start,
            end: error.span().end,
            component: error.component().name().to_owned(),
        }
    }
}

/// A file of cases.
pub(crate) struct File {
    pub(crate) path: PathBuf,
    pub(crate) cases: Vec<Case>,
}

/// The folders of this checkout with cases: the cases of all libraries, and the cases of this library alone.
const CONFORMANCE: &str = "conformance/cases";
const DATA: &str = "tests/data";

fn checkout(folder: &str) -> PathBuf {
    Path::new(crate::ROOT).join(folder)
}

/// What this library reports of an invalid input: the violations by the id of the case.
fn reports() -> HashMap<String, Vec<Violation>> {
    #[derive(Deserialize)]
    struct Report {
        case: String,
        violations: Vec<Violation>,
    }
    let text = fs::read_to_string(checkout(DATA).join("violations.jsonl")).unwrap();
    let reports = text.lines().map(|line| serde_json::from_str::<Report>(line).unwrap());
    reports.map(|report| (report.case, report.violations)).collect()
}

/// The syntax cases of this checkout.
pub(crate) fn own() -> Vec<File> {
    let mut files = read(&checkout(CONFORMANCE));
    let mut reports = reports();
    for case in files.iter_mut().flat_map(|file| &mut file.cases) {
        case.violations = reports.remove(&case.id);
    }
    assert!(reports.is_empty(), "reports of no case: {:?}", reports.keys());
    files
}

/// The syntax cases of this checkout, and those of `$SIMD_IRI_CASES` or `../shared/cases` if that folder exists.
/// Prints where they come from.
pub(crate) fn all() -> Vec<File> {
    let mut files = own();
    let named = std::env::var_os("SIMD_IRI_CASES").map(PathBuf::from);
    let required = named.is_some();
    let shared = named.unwrap_or_else(|| Path::new(crate::ROOT).join("../shared/cases"));
    if shared.is_dir() {
        files.extend(read(&shared));
    } else {
        assert!(!required, "SIMD_IRI_CASES names no folder: {}", shared.display());
        println!("no shared cases at {}: the cases of this checkout alone", shared.display());
    }
    files
}

/// The rows of files that hold cases of another kind: the rows with all of `fields`. They come from the folders of
/// [`all`]. A test that has shared cases only is ignored by default, and fails without them.
pub(crate) fn rows<T: serde::de::DeserializeOwned>(fields: &[&str]) -> Vec<(PathBuf, Vec<T>)> {
    let named = std::env::var_os("SIMD_IRI_CASES").map(PathBuf::from);
    let shared = named.unwrap_or_else(|| Path::new(crate::ROOT).join("../shared/cases"));
    let mut found = Vec::new();
    let folders = [checkout(CONFORMANCE), checkout(DATA), shared];
    for path in folders.iter().filter(|folder| folder.is_dir()).flat_map(|folder| paths(folder)) {
        let text = fs::read_to_string(&path).unwrap();
        let rows =
            text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let rows = rows.filter(|row| fields.iter().all(|field| row.get(field).is_some()));
        let rows: Vec<_> = rows.map(|row| serde_json::from_value(row).unwrap()).collect();
        if !rows.is_empty() {
            found.push((path, rows));
        }
    }
    assert!(!found.is_empty(), "no case with {fields:?}");
    found
}

/// One line of a file of cases. The shared files of other kinds lack the fields of this one.
#[derive(Deserialize)]
struct Row {
    id: String,
    kind: Option<String>,
    valid_as: Option<Vec<String>>,
    input: Option<Input>,
    input_hex: Option<String>,
    valid: Option<bool>,
    components: Option<Components>,
    host_kind: Option<String>,
}

/// A text, or texts that are repeated and joined.
#[derive(Deserialize)]
#[serde(untagged)]
enum Input {
    Text(String),
    Pieces { repeat: Vec<(String, usize)> },
}

/// The kinds that the field `valid_as` of a row names.
const MATRIX: [Rule; 6] = [
    Rule::Iri,
    Rule::IriReference,
    Rule::AbsoluteIri,
    Rule::Uri,
    Rule::UriReference,
    Rule::AbsoluteUri,
];

impl Row {
    fn input(&self) -> Vec<u8> {
        match (&self.input, &self.input_hex) {
            (Some(Input::Text(text)), None) => text.clone().into_bytes(),
            (Some(Input::Pieces { repeat }), None) => {
                repeat.iter().map(|(piece, times)| piece.repeat(*times)).collect::<String>().into()
            }
            (None, Some(hex)) => {
                let pairs = hex.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).unwrap());
                pairs.map(|pair| u8::from_str_radix(pair, 16).unwrap()).collect()
            }
            _ => panic!("{}: one of input and input_hex", self.id),
        }
    }

    fn cases(self) -> Vec<Case> {
        let input = self.input();
        let case = |rule, valid| Case {
            id: self.id.clone(),
            rule,
            input: input.clone(),
            valid,
            components: self.components.clone(),
            host_kind: self.host_kind.clone(),
            violations: None,
        };
        match (&self.kind, self.valid, &self.valid_as) {
            (Some(kind), Some(valid), None) => vec![case(rule(kind), valid)],
            (None, None, Some(valid_as)) => {
                let valid_as: Vec<_> = valid_as.iter().map(|kind| rule(kind)).collect();
                MATRIX.map(|rule| case(rule, valid_as.contains(&rule))).into()
            }
            _ => panic!("{}: either kind and valid, or valid_as", self.id),
        }
    }
}

fn rule(kind: &str) -> Rule {
    let found = Rule::ALL.iter().copied().find(|rule| rule.name().eq_ignore_ascii_case(kind));
    found.unwrap_or_else(|| panic!("no rule {kind}"))
}

/// The files of cases in a folder and in the folders in it, by name.
///
/// The cases `asked_…` are about what the library does not have yet; their fields have the names of others.
fn paths(folder: &Path) -> Vec<PathBuf> {
    let (mut paths, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let (inner, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
        folders.extend(inner);
        paths.extend(files);
    }
    paths.sort();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    paths.retain(|path| !path.file_name().unwrap().to_str().unwrap().starts_with("asked_"));
    paths
}

/// The files of a folder that hold syntax cases, by name.
fn read(folder: &Path) -> Vec<File> {
    let files = paths(folder).into_iter().filter_map(|path| {
        let text = fs::read_to_string(&path).unwrap();
        let rows =
            text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        // A row is about syntax if it has the field `valid`; rows of other kinds have expected results.
        let rows = rows.filter(|row| row.get("valid").or(row.get("valid_as")).is_some());
        let cases: Vec<_> =
            rows.flat_map(|row| serde_json::from_value::<Row>(row).unwrap().cases()).collect();
        (!cases.is_empty()).then_some(File { path, cases })
    });
    files.collect()
}

/// The folder with the data of UTS #58 from which the table is made: `$SIMD_IRI_UNICODE` or `../shared/unicode-18`. The
/// tests that read it are ignored by default, and fail without it.
pub(crate) fn unicode() -> PathBuf {
    let named = std::env::var_os("SIMD_IRI_UNICODE").map(PathBuf::from);
    let folder = named.unwrap_or_else(|| Path::new(crate::ROOT).join("../shared/unicode-18"));
    assert!(folder.is_dir(), "the data of UTS #58 are not at {}", folder.display());
    folder
}
