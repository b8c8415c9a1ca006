//! The corpora: three that are generated and, if the environment variable
//! `CORPUS` names a file or a directory, the files there. Every item is a slice
//! of one text in memory, one after the other, as lines of a file are.
//!
//! A file holds one reference a line and is read by the rule `IRI`; a `.csv` is
//! a heading and then pairs of a base and a reference: the references are read
//! by the rule `IRI-reference`.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use crate::{
    generate::{self, Generated},
    libraries::Start,
};

pub struct Corpus {
    pub name: String,
    pub start: Start,
    pub items: Vec<&'static str>,
    /// Whether each item is valid, if that is known without a parser.
    pub valid: Option<Vec<bool>>,
}

/// The generated corpora, then the files of `CORPUS`.
///
/// # Errors
/// `CORPUS` cannot be read, or is not UTF-8.
pub fn all() -> io::Result<Vec<Corpus>> {
    let mut corpora = vec![
        generated("plain", Start::Iri, generate::plain()),
        generated("hard", Start::IriReference, generate::hard()),
        generated("hostile", Start::IriReference, generate::hostile()),
    ];
    if let Some(path) = env::var_os("CORPUS") {
        for file in files(Path::new(&path))? {
            corpora.push(read(&file)?);
        }
    }
    Ok(corpora)
}

fn generated(name: &str, start: Start, Generated { texts, valid }: Generated) -> Corpus {
    let items = leaked(texts.join("\n")).split('\n').collect();
    Corpus { name: name.into(), start, items, valid: Some(valid) }
}

fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.into()]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path)? {
        let file = entry?.path();
        if file.extension().is_some_and(|extension| extension == "txt" || extension == "csv") {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

fn read(file: &Path) -> io::Result<Corpus> {
    let lines = leaked(fs::read_to_string(file)?).lines();
    let (start, items) = if file.extension().is_some_and(|extension| extension == "csv") {
        let second =
            lines.skip(1).filter_map(|line| line.split_once(',')).map(|(_, second)| second);
        (Start::IriReference, second.collect())
    } else {
        (Start::Iri, lines.collect())
    };
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Corpus { name, start, items, valid: None })
}

/// A corpus lives as long as the process.
fn leaked(text: String) -> &'static str {
    text.leak()
}
