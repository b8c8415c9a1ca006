//! The format `jsonl`: a JSON object a line (RFC 8259), with the address in a string that a pointer names
//! (RFC 6901).
//!
//! The scanner finds the bytes of a value, so that all other bytes stay unchanged. A parser that returns values does
//! not tell where they are. The scanner checks the whole line, so that an error anywhere in the line is found. It keeps
//! an entry for each open array or object and does not recurse.

/*
# The algorithm

`find` reads a JSON text once, from the left, and compares the path of each value with the tokens of a pointer. The path
has a step for each open array or object: the name of the current member, or its index. `open` is the stack of open
arrays and objects, and `matched` is the number of steps, from the outermost, that equal the first tokens:

    before a name or an element, at depth = open.len():
        the step is equal if all steps outside it are equal, and it is token number depth - 1
        matched = depth if the step is equal, otherwise at most depth - 1
    before a value: it is the value that the pointer names if matched = depth = the number of tokens
    after the end of an array or object: matched = at most the new depth

For example, the pointer /a/1 has the tokens `a` and `1`:

    text       {   "x":   [   0   ]   "a":   [   5   6   ]   }
    depth      0   1      1   2   2   1      1   2   2   2   1
    matched    0   0      0   0   0   1      1   1   2   2   1
                                                     ^ found: 2 = 2 = the number of tokens

If several members of an object have one name, the last member counts, as in parsers that make maps. So each name that
equals its token forgets the value that was found before.

# Invariant

`matched` is at most `open.len()`: it says nothing about the steps inside the innermost open array or object.
*/

use std::borrow::Cow;
use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;

use memchr::memchr2;
use simd_iri::parser::CpuLevel;

use crate::format::field::{Coding, Field, Record};
use crate::format::lines;
use crate::item_error::{ItemError, Message};
use crate::output::secrets::quote;
use crate::spans::Records;
use crate::spans::json::{Search, find as find_lines};

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

    /// Finds the addresses of the lines from `from` on. If `has_key`, each line has other text before its object. Returns
    /// `false` if the masks of many lines cannot find them.
    pub(crate) fn find(
        &self,
        level: CpuLevel,
        (block, from): (&[u8], usize),
        has_key: bool,
        records: &mut Records,
    ) -> bool {
        let quoted = |token: &String| [b"\"", token.as_bytes(), b"\""].concat();
        let names = self.tokens.iter().map(quoted).collect();
        let search = Search { names, has_key, is_scalar, end_of_string };
        !self.tokens.is_empty() && find_lines(level, (block, from), &search, records)
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
    // The whole text is checked first, so the scan below meets only JSON.
    find(json, &[]).ok()?;
    let mut scan = Scan { json, at: 0 };
    scan.space();
    scan.expect(b'{').ok()?;
    let mut members: Vec<(String, Range<usize>)> = Vec::new();
    loop {
        scan.space();
        if scan.peek() == Some(b'}') {
            return Some(members);
        }
        let name = scan.string().ok()?;
        let name = String::from_utf8(decode(json.get(name)?).ok()?.into_owned()).ok()?;
        scan.space();
        scan.expect(b':').ok()?;
        scan.space();
        let start = scan.at;
        scan.value().ok()?;
        members.push((name, start..scan.at));
        scan.space();
        if scan.peek() == Some(b',') {
            scan.at += 1;
        }
    }
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

/// The next token that the scanner expects.
// The states of the scanner:
//
//     Value, FirstValue              a value is next: `{` leads to FirstName, `[` to FirstValue, another value to Next
//     FirstName, Name                a name and a colon are next, and lead to Value
//     Next                           a comma leads to Name in an object, and to Value in an array
//     FirstName, FirstValue, Next    an end leads to Next of the array or object around it, or ends the text
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expect {
    Value,
    /// A value, or the end of an empty array.
    FirstValue,
    /// A name, or the end of an empty object.
    FirstName,
    Name,
    /// A comma, or the end of the array or object.
    Next,
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
    if let Err(error) = std::str::from_utf8(json) {
        return Err(error.valid_up_to());
    }
    let mut scan = Scan { json, at: 0 };
    // For each open array or object: whether it is an object, and how many members came before the current member.
    let mut open: Vec<(bool, usize)> = Vec::new();
    // How many steps of the path, from the outermost, equal the first tokens.
    let mut matched = 0;
    let mut found: Option<Range<usize>> = None;
    // If the value that is found is an array or object, and still open: its start, and the depth outside it.
    let mut begun: Option<(usize, usize)> = None;
    let mut expect = Expect::Value;
    loop {
        scan.space();
        let depth = open.len();
        let byte = scan.peek();
        match expect {
            Expect::FirstName | Expect::Name => match byte {
                Some(b'"') => {
                    let name = scan.string()?;
                    scan.space();
                    scan.expect(b':')?;
                    scan.space();
                    let is_token = matched + 1 >= depth
                        && tokens
                            .get(depth - 1)
                            .is_some_and(|token| is_name(present(json, name), token));
                    if is_token {
                        // A later member of the same name replaces an earlier one.
                        if let Some(earlier) = found.take() {
                            twin(earlier);
                        }
                    }
                    matched = if is_token { depth } else { matched.min(depth - 1) };
                    expect = Expect::Value;
                    continue;
                }
                Some(b'}') if expect == Expect::FirstName => {}
                _ => return Err(scan.at),
            },
            Expect::Value | Expect::FirstValue => {
                let is_end = expect == Expect::FirstValue && byte == Some(b']');
                if !is_end {
                    if let Some((false, number)) = open.last() {
                        let token = tokens.get(depth - 1).filter(|_| matched >= depth - 1);
                        let is_token = token.is_some_and(|token| is_index(token, *number));
                        matched = if is_token { depth } else { matched.min(depth - 1) };
                    }
                    let is_target = matched == depth && depth == tokens.len() && begun.is_none();
                    let start = scan.at;
                    match byte {
                        Some(open_byte @ (b'{' | b'[')) => {
                            if is_target {
                                begun = Some((start, depth));
                            }
                            scan.at += 1;
                            open.push((open_byte == b'{', 0));
                            expect = match open_byte {
                                b'{' => Expect::FirstName,
                                _ => Expect::FirstValue,
                            };
                            continue;
                        }
                        Some(b'"') => _ = scan.string()?,
                        _ => scan.scalar()?,
                    }
                    if is_target {
                        found = Some(start..scan.at);
                    }
                    if depth == 0 {
                        break;
                    }
                    expect = Expect::Next;
                    continue;
                }
            }
            Expect::Next => {
                if let (Some((is_object, number)), Some(b',')) = (open.last_mut(), byte) {
                    *number += 1;
                    expect = if *is_object { Expect::Name } else { Expect::Value };
                    scan.at += 1;
                    continue;
                }
            }
        }
        // The end of the innermost array or object.
        match (open.pop(), byte) {
            (Some((true, _)), Some(b'}')) | (Some((false, _)), Some(b']')) => scan.at += 1,
            _ => return Err(scan.at),
        }
        let depth = open.len();
        if let Some((start, _)) = begun.filter(|(_, outside)| *outside == depth) {
            begun = None;
            found = Some(start..scan.at);
        }
        matched = matched.min(depth);
        if depth == 0 {
            break;
        }
        expect = Expect::Next;
    }
    scan.space();
    if scan.at == json.len() { Ok(found) } else { Err(scan.at) }
}

/// Returns a part of a text between positions that the scanner found.
fn present(json: &[u8], span: Range<usize>) -> &[u8] {
    crate::invariant::present(json.get(span))
}

/// Tells whether a text is a literal or a number, and perhaps white space after it.
fn is_scalar(text: &[u8]) -> bool {
    let mut scan = Scan { json: text, at: 0 };
    let is_read = scan.scalar().is_ok();
    scan.space();
    is_read && scan.at == text.len()
}

/// Returns the end of the string that begins at a place; `None` if it is not one.
fn end_of_string(text: &[u8], at: usize) -> Option<usize> {
    Scan { json: text, at }.string().ok().map(|string| string.end)
}

/// Tells whether a string of JSON, with its quotes, is this name.
fn is_name(raw: &[u8], name: &str) -> bool {
    decode(raw).is_ok_and(|text| *text == *name.as_bytes())
}

/// Tells whether a token of a pointer is this index of an array (RFC 6901, section 4).
fn is_index(token: &str, number: usize) -> bool {
    (token == "0" || !token.starts_with('0'))
        && token.bytes().all(|byte| byte.is_ascii_digit())
        && token.parse() == Ok(number)
}

/// A position in a JSON text.
struct Scan<'j> {
    json: &'j [u8],
    at: usize,
}

impl Scan<'_> {
    fn peek(&self) -> Option<u8> {
        self.json.get(self.at).copied()
    }

    fn space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn expect(&mut self, byte: u8) -> Result<(), usize> {
        if self.peek() == Some(byte) {
            self.at += 1;
            Ok(())
        } else {
            Err(self.at)
        }
    }

    fn word(&mut self, word: &[u8]) -> Result<(), usize> {
        word.iter().try_for_each(|byte| self.expect(*byte))
    }

    /// Passes a literal or a number.
    fn scalar(&mut self) -> Result<(), usize> {
        match self.peek() {
            Some(b't') => self.word(b"true"),
            Some(b'f') => self.word(b"false"),
            Some(b'n') => self.word(b"null"),
            _ => self.number(),
        }
    }

    /// Passes a string, and returns its span with the quotes.
    fn string(&mut self) -> Result<Range<usize>, usize> {
        let start = self.at;
        self.at += 1;
        loop {
            let rest = self.json.get(self.at..).unwrap_or_default();
            let Some(length) = memchr2(b'"', b'\\', rest) else { return Err(self.json.len()) };
            let plain = rest.get(..length).unwrap_or_default();
            // PERF: without an early exit, the compiler makes this a loop over vectors.
            if plain.iter().fold(false, |found, byte| found | (*byte < 0x20)) {
                let wrong = plain.iter().position(|byte| *byte < 0x20);
                return Err(self.at + wrong.unwrap_or_default());
            }
            self.at += length + 1;
            if rest.get(length) == Some(&b'"') {
                return Ok(start..self.at);
            }
            match self.peek() {
                Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 1,
                Some(b'u') => {
                    self.at += 1;
                    for _ in 0..4 {
                        match self.peek() {
                            Some(digit) if digit.is_ascii_hexdigit() => self.at += 1,
                            _ => return Err(self.at),
                        }
                    }
                }
                _ => return Err(self.at),
            }
        }
    }

    /// Passes a value in a text that is known to be JSON. So it only counts the beginnings and ends of arrays and
    /// objects.
    fn value(&mut self) -> Result<(), usize> {
        let mut open = 0_usize;
        loop {
            match self.peek() {
                Some(b'"') => _ = self.string()?,
                Some(b'{' | b'[') => {
                    open += 1;
                    self.at += 1;
                }
                Some(b'}' | b']') if open > 0 => {
                    open -= 1;
                    self.at += 1;
                }
                Some(b',' | b':' | b' ' | b'\t' | b'\r' | b'\n') if open > 0 => self.at += 1,
                Some(byte) if !b",:}] \t\r\n".contains(&byte) => {
                    while self.peek().is_some_and(|byte| !b",:}] \t\r\n".contains(&byte)) {
                        self.at += 1;
                    }
                }
                _ => return Err(self.at),
            }
            if open == 0 {
                return Ok(());
            }
        }
    }

    fn number(&mut self) -> Result<(), usize> {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            _ => self.digits()?,
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    /// Passes one or more digits.
    fn digits(&mut self) -> Result<(), usize> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at > start { Ok(()) } else { Err(self.at) }
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
