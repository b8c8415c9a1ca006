//! The format `jsonl`: a JSON object a line (RFC 8259), with the address in a string that a pointer names
//! (RFC 6901).
//!
//! `serde_json` reads each line, and gives the parts of the line that are values (`RawValue`). So the bytes of a value are
//! known, and all other bytes stay unchanged. The whole line is checked, so that an error anywhere in it is found.

use std::borrow::Cow;
use std::fmt::{self, Formatter};
use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer as _, MapAccess, SeqAccess, Visitor};
use serde_json::Deserializer;
use serde_json::value::RawValue;

use crate::format::field::{Coding, Field, Record};
use crate::format::lines;
use crate::item_error::{ItemError, Message};
use crate::output::secrets::quote;

/// A JSON pointer.
#[derive(Clone, Debug)]
pub(crate) struct Pointer {
    text: Arc<str>,
    tokens: Vec<String>,
    /// Whether no value is the address, because every string is read.
    is_all: bool,
}

impl Pointer {
    /// Returns the pointer of records in which no value is the address, because every string is read.
    pub(crate) fn all() -> Self {
        Self { text: Arc::from(""), tokens: Vec::new(), is_all: true }
    }

    /// Tells whether every string is read.
    pub(crate) fn is_all(&self) -> bool {
        self.is_all
    }

    /// Returns the name of the member that is the address, or that holds it.
    pub(crate) fn first(&self) -> Option<&str> {
        self.tokens.first().map(String::as_str)
    }

    /// Returns the name of the member, if the pointer names a member of the outermost object.
    pub(crate) fn member(&self) -> Option<&str> {
        match self.tokens.as_slice() {
            [name] => Some(name),
            _ => None,
        }
    }
}

impl FromStr for Pointer {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!("'{text}' is not a JSON pointer; write a pointer such as /url or /page/links/0")
        };
        let inner = match text.strip_prefix('/') {
            Some(inner) => inner,
            None if text.is_empty() => return Ok(Self { is_all: false, ..Self::all() }),
            None => return Err(wrong()),
        };
        let is_escape = |part: &str| part.starts_with('0') || part.starts_with('1');
        if inner.split('~').skip(1).any(|part| !is_escape(part)) {
            return Err(wrong());
        }
        let tokens = inner.split('/').map(|token| token.replace("~1", "/").replace("~0", "~"));
        Ok(Self { text: Arc::from(text), tokens: tokens.collect(), is_all: false })
    }
}

/// Finds the line that begins at `at`, and the string that the pointer names.
pub(crate) fn next(pointer: &Pointer, block: &[u8], at: usize, record: &mut Record) {
    let line = lines::filled(block, at, record);
    if !record.is_filler {
        locate(pointer, line, at, record);
    }
}

/// Finds the string in a JSON text that begins at `offset` in its block.
pub(crate) fn locate(pointer: &Pointer, json: &[u8], offset: usize, record: &mut Record) {
    let moved = offset - record.body.start;
    let error = |kind, message: Message, at: Range<usize>| {
        ItemError::at(kind, message, at.start + moved..at.end + moved)
    };
    let twins = &mut record.twins;
    let found = find_all(json, &pointer.tokens, |twin| {
        let span = offset + twin.start..offset + twin.end;
        twins.push(Field { span, coding: Coding::Json });
    });
    match found {
        Ok(_) if pointer.is_all => {
            let span = record.body.clone();
            record.fields.push(Field { span, coding: Coding::Record });
        }
        Ok(Some(span)) if json.get(span.start) == Some(&b'"') => {
            let span = offset + span.start..offset + span.end;
            record.fields.push(Field { span, coding: Coding::Json });
        }
        // Null is an absent value, as it is in a column.
        Ok(Some(span)) if json.get(span.clone()) == Some(b"null") => {}
        Ok(Some(span)) => {
            let text = pointer.text.clone();
            let message =
                Message::made(move |f| write!(f, "the value at {} is not a string", quote(&text)));
            record.error = Some(error("no-field", message, span));
        }
        Ok(None) => {
            let text = pointer.text.clone();
            let message =
                Message::made(move |f| write!(f, "the object has nothing at {}", quote(&text)));
            record.error = Some(error("no-field", message, json.len()..json.len()));
        }
        Err(at) => {
            let hint = match at == json.len() {
                true => "; a record is one line, and jq -c writes values so",
                false => "",
            };
            let message =
                Message::made(move |f| write!(f, "this is not JSON from byte {at} on{hint}"));
            record.error = Some(error("not-json", message, at..json.len()));
        }
    }
}

/// Returns the names and the values of the members of an object; `None` if the text is not a JSON object. If several
/// members have one name, the value of the last member counts.
pub(crate) fn members(json: &[u8]) -> Option<Vec<(String, Range<usize>)>> {
    let text = std::str::from_utf8(json).ok()?;
    let mut members = Vec::new();
    let mut are_names = text.trim_start_matches(SPACE).starts_with('{');
    each_child(text, |step, value| {
        let name = match step {
            Step::Name(raw) => decode(raw.as_bytes()).ok(),
            Step::Number(_) => None,
        };
        let name = name.and_then(|name| String::from_utf8(name.into_owned()).ok());
        are_names &= name.is_some();
        members.extend(name.map(|name| (name, span(text, value))));
    })
    .ok()?;
    are_names.then_some(members)
}

/// Tells whether the object of a record, which may begin after other text, has a member of a name.
///
/// PERF: a record that has neither the bytes of the name nor an escape is not scanned. Most records are like this.
pub(crate) fn has_member(record: &[u8], name: &str) -> bool {
    let mut encoded = Vec::new();
    encode(name.as_bytes(), &mut encoded);
    let has_escapes = memchr::memchr(b'\\', record).is_some();
    if !has_escapes && memchr::memmem::find(record, &encoded).is_none() {
        return false;
    }
    let start = memchr::memchr(b'{', record).unwrap_or_default();
    let object = record.get(start..).unwrap_or_default();
    matches!(find(object, &[name.to_owned()]), Ok(Some(_)))
}

/// Returns the position in an object after its last member, where another member may be written.
pub(crate) fn end_of_members(json: &[u8]) -> Option<usize> {
    let text = json.trim_ascii_end();
    let inside = text.strip_suffix(b"}")?;
    Some(inside.trim_ascii_end().len())
}

/// Finds the value that the tokens name, in a text that must be JSON. Of several members of one name, the last is
/// found, as in parsers that make maps.
///
/// # Errors
/// The text is not JSON. The error is the position of the first wrong byte.
pub(crate) fn find(json: &[u8], tokens: &[String]) -> Result<Option<Range<usize>>, usize> {
    find_all(json, tokens, |_| {})
}

/// Does what [`find`] does, and calls `twin` with each value that a later member of the same name replaces.
///
/// # Errors
/// The errors of [`find`].
fn find_all(
    json: &[u8],
    tokens: &[String],
    mut twin: impl FnMut(Range<usize>),
) -> Result<Option<Range<usize>>, usize> {
    let text = std::str::from_utf8(json).map_err(|error| error.valid_up_to())?;
    let found = value(text, tokens, &mut |value| twin(span(text, value)));
    match found {
        Ok(found) => Ok(found.map(|value| span(text, value))),
        Err(error) if error.is_eof() => Err(json.len()),
        Err(error) => {
            let lines = text.split_inclusive('\n').take(error.line().saturating_sub(1));
            let at = lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
            // The parser has passed all four digits of an escape, of which one is wrong.
            let escape = json.get(at.saturating_sub(5)..=at).unwrap_or_default();
            let digits = memchr::memmem::rfind(escape, b"\\u").and_then(|u| escape.get(u + 2..));
            let is_wrong = |byte: &u8| !byte.is_ascii_hexdigit();
            let wrong =
                digits.and_then(|digits| Some(digits.len() - digits.iter().position(is_wrong)?));
            Err(at + 1 - wrong.unwrap_or(1))
        }
    }
}

/// Finds a value of a text, and the values that it replaces, as parts of the text.
fn value<'j>(
    json: &'j str,
    tokens: &[String],
    twin: &mut dyn FnMut(&'j str),
) -> serde_json::Result<Option<&'j str>> {
    let Some((token, inner)) = tokens.split_first() else {
        return serde_json::from_str::<&RawValue>(json).map(|value| Some(value.get()));
    };
    let mut found = None;
    each_child(json, |step, child| {
        if step.is(token) {
            // Parsers that make maps know only the last member of a name.
            if let Some(earlier) = found.take() {
                twin(earlier);
            }
            found = value(child, inner, twin).ok().flatten();
        }
    })?;
    Ok(found)
}

/// Returns the place of a part of a text.
fn span(text: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr().addr() - text.as_ptr().addr();
    start..start + part.len()
}

/// A step from an object or an array to one of its values.
enum Step<'j> {
    /// The name of a member, as it is written.
    Name(&'j str),
    /// The number of an element.
    Number(usize),
}

impl Step<'_> {
    /// Tells whether a token of a pointer is this step (RFC 6901, section 4).
    fn is(&self, token: &str) -> bool {
        match self {
            Self::Name(raw) => decode(raw.as_bytes()).is_ok_and(|name| *name == *token.as_bytes()),
            Self::Number(number) => {
                (token == "0" || !token.starts_with('0'))
                    && token.bytes().all(|byte| byte.is_ascii_digit())
                    && token.parse() == Ok(*number)
            }
        }
    }
}

/// The white space of JSON.
const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];

/// Calls `each` with the values of a text that is an object or an array. Another value has none.
///
/// # Errors
/// The text is not JSON.
fn each_child<'j>(json: &'j str, each: impl FnMut(Step<'j>, &'j str)) -> serde_json::Result<()> {
    let mut parser = Deserializer::from_str(json);
    match json.trim_start_matches(SPACE).as_bytes().first() {
        Some(b'{') => parser.deserialize_map(Children(each))?,
        Some(b'[') => parser.deserialize_seq(Children(each))?,
        _ => _ = <&RawValue>::deserialize(&mut parser)?,
    }
    parser.end()
}

/// Takes the values of an object or an array.
struct Children<F>(F);

impl<'j, F: FnMut(Step<'j>, &'j str)> Visitor<'j> for Children<F> {
    type Value = ();

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("an object or an array")
    }

    fn visit_map<A: MapAccess<'j>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some((name, value)) = map.next_entry::<&RawValue, &RawValue>()? {
            (self.0)(Step::Name(name.get()), value.get());
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'j>>(mut self, mut elements: A) -> Result<(), A::Error> {
        let mut number = 0;
        while let Some(value) = elements.next_element::<&RawValue>()? {
            (self.0)(Step::Number(number), value.get());
            number += 1;
        }
        Ok(())
    }
}

/// Returns the text of a string with its quotes.
///
/// # Errors
/// An escape stands for half of a surrogate pair, which is not a character.
pub(crate) fn decode(raw: &[u8]) -> Result<Cow<'_, [u8]>, ItemError> {
    let inside = raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default();
    if memchr::memchr(b'\\', inside).is_none() {
        return Ok(Cow::Borrowed(inside));
    }
    let text: String = serde_json::from_slice(raw).map_err(|_| {
        let message = "an escape in the string stands for no character";
        ItemError::whole("bad-escape", message, raw)
    })?;
    Ok(Cow::Owned(text.into_bytes()))
}

/// Appends a text as a string, or null if it is not UTF-8, which is all that JSON holds.
pub(crate) fn encode(text: &[u8], out: &mut Vec<u8>) {
    let written = serde_json::to_writer(&mut *out, &std::str::from_utf8(text).ok());
    debug_assert!(written.is_ok(), "a vector takes all bytes");
}
