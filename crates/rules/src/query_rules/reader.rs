//! Readers of the two formats in which rules are written as values: JSON, and a part of TOML. Both read one value after
//! another, without recursion and without a tree.
//!
//! Not here: what the values mean (`clearurls`, `own`).

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::error::{RuleError, RuleErrorKind};
use simd_iri::low::slice;

/// A text, and how far it is read.
pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        // A byte order mark at the start is no part of the text.
        Self { text, at: if text.starts_with('\u{FEFF}') { 3 } else { 0 } }
    }

    /// Returns what is not read yet.
    pub(super) fn rest(&self) -> &'t str {
        slice::text(self.text, self.at..)
    }

    pub(super) fn error(&self, kind: RuleErrorKind) -> RuleError {
        RuleError::at(kind, self.text, self.at)
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Reads a text if it is next.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        let is_next = self.rest().starts_with(text);
        if is_next {
            self.at += text.len();
        }
        is_next
    }

    /// # Errors
    /// The next text is another text.
    pub(super) fn expect(&mut self, text: &str) -> Result<(), RuleError> {
        if self.eat(text) { Ok(()) } else { Err(self.error(RuleErrorKind::Syntax)) }
    }

    /// Reads ASCII characters that are in a set.
    pub(super) fn skip(&mut self, set: &[u8]) {
        let rest = self.rest().bytes();
        self.at += rest.take_while(|byte| set.contains(byte)).count();
    }

    /// Reads white space, and the comments of TOML if `comments` is set.
    pub(super) fn space(&mut self, comments: bool) {
        loop {
            self.skip(b" \t\r\n");
            if !(comments && self.peek() == Some(b'#')) {
                return;
            }
            let rest = self.rest();
            self.at += rest.find('\n').unwrap_or(rest.len());
        }
    }

    /// Reads the string of JSON or the basic string of TOML at this place.
    ///
    /// # Errors
    /// It is not a string, or has a wrong escape or a control.
    pub(super) fn string(&mut self) -> Result<Cow<'t, str>, RuleError> {
        self.expect("\"")?;
        let mut read: Option<String> = None;
        let mut from = self.at;
        loop {
            match self.peek() {
                Some(b'"') => {
                    let part = slice::text(self.text, from..self.at);
                    self.at += 1;
                    return Ok(match read {
                        None => Cow::Borrowed(part),
                        Some(mut read) => {
                            read.push_str(part);
                            Cow::Owned(read)
                        }
                    });
                }
                Some(b'\\') => {
                    let read = read.get_or_insert_default();
                    read.push_str(slice::text(self.text, from..self.at));
                    read.push(self.escape()?);
                    from = self.at;
                }
                None | Some(..0x20) => return Err(self.error(RuleErrorKind::Syntax)),
                Some(_) => self.at += 1,
            }
        }
    }

    /// Reads an escape. What JSON has and TOML has not is read in both, and the reverse.
    fn escape(&mut self) -> Result<char, RuleError> {
        let wrong = self.error(RuleErrorKind::Syntax);
        self.at += 1;
        let c = self.peek().ok_or(wrong)?;
        self.at += 1;
        Ok(match c {
            b'"' | b'\\' | b'/' => c.into(),
            b'b' => '\u{8}',
            b'f' => '\u{C}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let unit = self.number(4).ok_or(wrong)?;
                if !(0xD800..0xDC00).contains(&unit) {
                    return char::from_u32(unit).ok_or(wrong);
                }
                if !self.eat("\\u") {
                    return Err(wrong);
                }
                let low = self.number(4).filter(|low| (0xDC00..0xE000).contains(low));
                let low = low.ok_or(wrong)?;
                char::from_u32(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00)).ok_or(wrong)?
            }
            b'U' => self.number(8).and_then(char::from_u32).ok_or(wrong)?,
            _ => return Err(wrong),
        })
    }

    /// Reads a number of hexadecimal digits.
    fn number(&mut self, length: usize) -> Option<u32> {
        let digits = self.rest().get(..length)?;
        let is_number = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        self.at += length;
        if is_number { u32::from_str_radix(digits, 16).ok() } else { None }
    }

    /// Moves to the next member of an object or element of an array, whose end is `end`; tells whether there is one.
    /// `is_first` is set at the first call.
    ///
    /// # Errors
    /// There is no comma.
    pub(super) fn next(&mut self, end: &str, is_first: &mut bool) -> Result<bool, RuleError> {
        self.space(false);
        if self.eat(end) {
            return Ok(false);
        }
        if !core::mem::take(is_first) {
            self.expect(",")?;
            self.space(false);
        }
        Ok(true)
    }

    /// Reads the name of a member of an object of JSON, and its colon.
    ///
    /// # Errors
    /// Something else is there.
    pub(super) fn name(&mut self) -> Result<Cow<'t, str>, RuleError> {
        let name = self.string()?;
        self.space(false);
        self.expect(":")?;
        self.space(false);
        Ok(name)
    }

    /// Reads a value of JSON without its meaning: one pass, with a byte of memory for each open bracket.
    ///
    /// # Errors
    /// The brackets do not match, a string is wrong, or the text ends. What stands between strings and brackets is not
    /// checked.
    pub(super) fn skip_value(&mut self) -> Result<(), RuleError> {
        let mut open = Vec::new();
        loop {
            self.space(false);
            match self.peek() {
                Some(b'"') => drop(self.string()?),
                Some(bracket @ (b'{' | b'[')) => {
                    open.push(bracket);
                    self.at += 1;
                    continue;
                }
                Some(bracket @ (b'}' | b']')) => {
                    // The code of a closing bracket is that of the opening bracket and two.
                    if open.pop() != Some(bracket - 2) {
                        return Err(self.error(RuleErrorKind::Syntax));
                    }
                    self.at += 1;
                }
                Some(b',' | b':') if !open.is_empty() => {
                    self.at += 1;
                    continue;
                }
                Some(byte) if byte.is_ascii_alphanumeric() || byte == b'-' => {
                    let rest = self.rest().bytes();
                    let is_scalar =
                        |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
                    self.at += rest.take_while(is_scalar).count();
                }
                Some(_) | None => return Err(self.error(RuleErrorKind::Syntax)),
            }
            if open.is_empty() {
                return Ok(());
            }
        }
    }

    /// Reads an array of strings of JSON. Each string comes with its byte offset.
    ///
    /// # Errors
    /// Something else is there.
    pub(super) fn strings(&mut self) -> Result<Vec<(usize, Cow<'t, str>)>, RuleError> {
        if self.peek() != Some(b'[') {
            return Err(self.error(RuleErrorKind::WrongType));
        }
        self.at += 1;
        let (mut strings, mut is_first) = (Vec::new(), true);
        while self.next("]", &mut is_first)? {
            let at = self.at;
            if self.peek() != Some(b'"') {
                return Err(self.error(RuleErrorKind::WrongType));
            }
            strings.push((at, self.string()?));
        }
        Ok(strings)
    }
}
