//! The corpora: nine generated ones and, if the environment variable `CORPUS` names a file or a directory, the files
//! there. All items of a corpus are slices of one text in memory, one after the other, like the lines of a file. For
//! work on a whole buffer, there is a second text with a line feed after each item.
//!
//! A `.txt` file holds one reference a line, which is read by the rule `IRI`. A `.csv` file has a heading and then
//! pairs of a base and a reference; the references are read by the rule `IRI-reference`.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use crate::{
    generate::{self, Generated},
    work::Start,
};

pub struct Corpus {
    pub name: String,
    pub start: Start,
    pub items: Vec<&'static str>,
    /// The items as lines, each with its end.
    pub lines: Vec<u8>,
    /// Whether each item is valid, if that is known without a parser.
    pub valid: Option<Vec<bool>>,
}

impl Corpus {
    fn new(name: &str, start: Start, items: Vec<&'static str>, valid: Option<Vec<bool>>) -> Self {
        let lines = items.iter().flat_map(|item| [item.as_bytes(), b"\n"]).flatten().copied();
        Self { name: name.into(), start, lines: lines.collect(), items, valid }
    }

    pub fn bytes_an_item(&self) -> f64 {
        (self.lines.len() - self.items.len()) as f64 / self.items.len() as f64
    }
}

/// The generated corpora, then the files of `CORPUS`.
///
/// # Errors
/// `CORPUS` cannot be read, or is not UTF-8.
pub fn all() -> io::Result<Vec<Corpus>> {
    let mut corpora = generated(20_000);
    if let Some(path) = env::var_os("CORPUS") {
        for file in files(Path::new(&path))? {
            corpora.push(read(&file)?);
        }
    }
    Ok(corpora)
}

/// The generated corpora with so many items each. The corpora of long items have fewer, so that they have about as
/// many bytes.
pub fn generated(count: usize) -> Vec<Corpus> {
    let corpus = |name, start, Generated { texts, valid }: Generated| {
        let items = leaked(texts.join("\n")).split('\n').collect();
        Corpus::new(name, start, items, Some(valid))
    };
    vec![
        corpus("plain", Start::Iri, generate::plain(count)),
        corpus("hard", Start::IriReference, generate::hard(count)),
        corpus("hostile", Start::IriReference, generate::hostile(count)),
        corpus("log", Start::Iri, generate::log(count)),
        corpus("malformed", Start::Iri, generate::malformed(count)),
        corpus("non_ascii", Start::Iri, generate::non_ascii(count)),
        corpus("emoji", Start::Iri, generate::emoji(count)),
        corpus("long", Start::Iri, generate::long(count / 200)),
        corpus("long_path", Start::Iri, generate::long_path(count / 200)),
    ]
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
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    Ok(Corpus::new(&name, start, items, None))
}

/// A corpus lives as long as the process.
fn leaked(text: String) -> &'static str {
    text.leak()
}
