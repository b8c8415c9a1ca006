//! Data files of Unicode → the table of the character properties of UTS #58, with which the library finds links in
//! running text.
//!
//! Not here: the grammar of references, and how the library uses the properties.

use std::{collections::BTreeMap, fmt::Write, sync::Arc};

use crate::error::{Error, Place};

/// The values of Link_Term. Their indices are the numbers in the table.
const TERMS: [&str; 5] = ["Include", "Hard", "Soft", "Close", "Open"];
/// The value of characters that the file does not list.
const HARD: u32 = 1;
/// The bit of Link_Email, above the bits of Link_Term.
const EMAIL: u32 = 1 << 3;
/// The number of bits by which a code point is shifted, to make room for both properties.
const SHIFT: u32 = 4;

/// The texts of the data files of Unicode.
#[derive(Clone, Copy, Debug)]
pub struct LinkData<'a> {
    /// `LinkTerm.txt`.
    pub term: &'a str,
    /// `LinkBracket.txt`.
    pub bracket: &'a str,
    /// `LinkEmail.txt`.
    pub email: &'a str,
}

/// Returns the source file that holds the tables.
///
/// # Errors
/// [`Error::Syntax`] for a line that does not have the form of its file.
pub fn links(data: LinkData<'_>) -> Result<String, Error> {
    let (term, bracket, email) = (
        File { name: "LinkTerm.txt", text: data.term },
        File { name: "LinkBracket.txt", text: data.bracket },
        File { name: "LinkEmail.txt", text: data.email },
    );
    let changes = changes(term, email)?;
    let brackets = brackets(bracket)?;
    let mut text = header(term);
    text += &array(
        "Where the properties change: a code point, four bits to the left, and what holds from there on:\n\
         /// Link_Term (0 Include, 1 Hard, 2 Soft, 3 Close, 4 Open), and 8 for Link_Email.",
        "CHANGES: [u32;",
        changes.iter().map(|change| format!("{change:#X}")),
    );
    text += &array(
        "Each closing bracket with its opening one (Link_Bracket), in order.",
        "BRACKETS: [(char, char);",
        brackets.iter().map(|(close, open)| {
            format!("('{}', '{}')", close.escape_unicode(), open.escape_unicode())
        }),
    );
    Ok(text)
}

/// A data file of properties.
#[derive(Clone, Copy)]
struct File<'a> {
    name: &'a str,
    text: &'a str,
}

/// A line of a data file: its number, the fields before the comment, and the comment.
struct Line<'a> {
    number: u32,
    fields: Vec<&'a str>,
    comment: &'a str,
}

impl<'a> File<'a> {
    /// Returns the lines that have a field: no empty lines, and no lines with only a comment.
    fn lines(self) -> impl Iterator<Item = Line<'a>> {
        self.text.lines().zip(1..).filter_map(|(line, number)| {
            let (fields, comment) = line.split_once('#').unwrap_or((line, ""));
            let fields: Vec<&str> = fields.split(';').map(str::trim).collect();
            let lists_something = fields.iter().any(|field| !field.is_empty());
            lists_something.then_some(Line { number, fields, comment: comment.trim() })
        })
    }

    /// Returns the error of a line.
    fn error(self, line: &Line<'_>, problem: &str) -> Error {
        let at = Place { file: Arc::from(self.name), line: line.number, column: 1 };
        Error::Syntax { at, problem: problem.to_owned() }
    }

    /// Parses a field that is a code point, or the first and the last of a range.
    fn range(self, line: &Line<'a>, field: &str) -> Result<(u32, u32), Error> {
        let (first, last) = field.split_once("..").unwrap_or((field, field));
        let number = |text| u32::from_str_radix(text, 16).ok().filter(|c| *c <= char::MAX.into());
        match (number(first), number(last)) {
            (Some(first), Some(last)) if first <= last => Ok((first, last)),
            _ => Err(self.error(line, "no range of code points")),
        }
    }

    /// Parses a field that is one code point.
    fn character(self, line: &Line<'a>, field: &str) -> Result<char, Error> {
        let (first, last) = self.range(line, field)?;
        let c = char::from_u32(first).filter(|_| first == last);
        c.ok_or_else(|| self.error(line, "no character"))
    }
}

/// Returns each code point at which a property changes, with the properties from there on.
fn changes(term: File<'_>, email: File<'_>) -> Result<Vec<u32>, Error> {
    let mut properties = vec![HARD; char::MAX as usize + 1];
    let mut set = |(first, last): (u32, u32), set: &dyn Fn(u32) -> u32| {
        for place in properties.iter_mut().take(last as usize + 1).skip(first as usize) {
            *place = set(*place);
        }
    };
    for line in term.lines() {
        let [range, value] = line.fields.as_slice() else {
            return Err(term.error(&line, "not two fields"));
        };
        let number = TERMS.iter().position(|name| name == value);
        let number = number.ok_or_else(|| term.error(&line, "no value of Link_Term"))? as u32;
        set(term.range(&line, range)?, &|_| number);
    }
    for line in email.lines() {
        let [range] = line.fields.as_slice() else {
            return Err(email.error(&line, "not one field"));
        };
        set(email.range(&line, range)?, &|value| value | EMAIL);
    }
    let mut before = None;
    let changes = (0..).zip(&properties).filter_map(|(c, value): (u32, _)| {
        (before.replace(value) != Some(value)).then_some(c << SHIFT | value)
    });
    Ok(changes.collect())
}

/// Returns each closing bracket with its opening bracket.
fn brackets(bracket: File<'_>) -> Result<BTreeMap<char, char>, Error> {
    let mut pairs = BTreeMap::new();
    for line in bracket.lines() {
        let [close, open] = line.fields.as_slice() else {
            return Err(bracket.error(&line, "not two fields"));
        };
        pairs.insert(bracket.character(&line, close)?, bracket.character(&line, open)?);
    }
    Ok(pairs)
}

/// Returns the version of Unicode: the latest version in a comment about a character.
fn version(term: File<'_>) -> (u32, u32) {
    let age = |line: Line<'_>| {
        let (major, minor) = line.comment.split_whitespace().next()?.split_once('.')?;
        Some((major.parse::<u32>().ok()?, minor.parse::<u32>().ok()?))
    };
    term.lines().filter_map(age).max().unwrap_or_default()
}

/// Returns the head of the source file, and the version of Unicode, which it names.
fn header(term: File<'_>) -> String {
    let (major, minor) = version(term);
    let date = term.text.lines().find_map(|line| line.strip_prefix("# Date: ")?.get(..10));
    let date = date.map(|date| format!(", data of {date}")).unwrap_or_default();
    format!(
        "//! The properties of UTS #58 in Unicode {major}.{minor}{date}. Generated; not to be edited.\n\
         //!\n\
         //! To make it from LinkTerm.txt, LinkBracket.txt and LinkEmail.txt, which Unicode publishes:\n\
         //! `cargo run -p simd-iri-codegen -- links DIR > crates/text/src/link_tables/data.rs`.\n\
         //!\n\
         //! Derived from data files that are © Unicode, Inc.: <https://www.unicode.org/terms_of_use.html>.\n\
         \n\
         /// The version of Unicode of these properties.\n\
         pub(crate) const UNICODE_VERSION: (u8, u8, u8) = ({major}, {minor}, 0);\n"
    )
}

/// A constant that is an array, with as many entries a line as there is room for.
fn array(doc: &str, declared: &str, entries: impl ExactSizeIterator<Item = String>) -> String {
    const ROOM: usize = 100;
    let count = entries.len();
    let mut text = String::new();
    // Writing to a string never fails.
    let _ = write!(text, "\n/// {doc}\n#[rustfmt::skip]\npub(super) const {declared} {count}] = [");
    let mut width = ROOM;
    for entry in entries {
        if width + entry.len() + 2 > ROOM {
            text += "\n   ";
            width = 3;
        }
        let _ = write!(text, " {entry},");
        width += entry.len() + 2;
    }
    text + "\n];\n"
}
