//! Tells whether a place of a running text is inside what looks like an address or a connection string, where no
//! link begins.
//!
//! A name after `//` is the host of some address, and the text before an at sign may be a password. So a link is
//! not guessed there. Not here: what is a link (`detect`).

/*
# What looks like an address

A word is the text between white space. It is read once, from its start or from the end of the last link in it. Some
characters open something (`Opened`):

    characters                                      after them
    `:` and two slashes or more; `jdbc:`, `odbc:`   an address (`OpenKind::Scheme`)
    two slashes or more                             an address without its scheme (`OpenKind::Slashes`)
    `:` and a slash                                 what may be an address (`OpenKind::Path`)
    `password=`, `"pwd":` and the like              a value that is secret (`OpenKind::Value`)

A colon or a slash may be written as an escape of URIs, JSON or HTML, because these escapes may still be in the text.

An address goes on to white space, because a password that is not encoded may hold any other character. But if a quote
or a bracket was opened before the address, the address ends at the character that closes it. That character is in a
password, and does not end the address, if a backslash is before it, or if a character follows that is neither white
space nor punctuation (`is_inner`). For example:

    {"dsn":"postgres://bob:hunter2@db.example.com/app","by":"ann@example.com"}
           ^ the quote opens                         ^ the quote closes, because a comma follows:
            ^ an address begins                        the address ends, and `ann@example.com` is a link

Besides, `is_credential` knows the forms of connection strings that have no scheme.

# Invariant

`seen` never moves back, and everything before it is known. So all questions together read a text at most twice: once
backwards for the start of the word, once forwards. A link before other text than white space is read once more
(`note_link`).
*/

use super::prose::{is_boundary, is_cjk};
use super::reader::count;
use crate::Ends;
use simd_iri::low::{AsciiSet, SCHEME, slice};

/// What is open at a place. An address of a higher kind forbids more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum OpenKind {
    /// What may be an address: no mail address begins in it.
    Path,
    /// What follows two slashes: no mail address and no name of a host begins in it.
    Slashes,
    /// What follows a scheme and two slashes: no link at all begins in it.
    Scheme,
    /// A secret value, such as a password, by the name before it: no link at all begins in it.
    Value,
}

/// An address or a value that is open at a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Opened {
    pub(crate) kind: OpenKind,
    /// The offset at which it begins, with its scheme.
    pub(crate) start: usize,
    /// The character that ends it.
    closer: Option<char>,
}

/// What is known about the word around `seen`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inside {
    seen: usize,
    /// The offset at which the characters of schemes and the colons before `seen` begin.
    scheme: usize,
    /// Whether a colon is before the slashes before `seen`.
    is_after_colon: bool,
    /// The number of slashes before `seen`, at most two.
    slashes: u8,
    /// The number of colons since the last quote, bracket or equals sign.
    colons: u8,
    /// Whether the field before the last of these colons has only digits.
    is_number: bool,
    /// Whether an equals sign is before these colons.
    is_assigned: bool,
    /// The character that closes the last quote or bracket that was opened before `seen`.
    closer: Option<char>,
    opened: Option<Opened>,
}

/// The characters after which `http://` begins a link of its own, whatever is before them. After another character, it
/// may be a part of an address, as in `a://b?c=http://d`.
pub(crate) const APART: AsciiSet = AsciiSet::of(b" \n\r\t\"'`(<[{>");

/// The spellings of a slash or a backslash: as it is; as a triplet, and as a triplet whose percent sign is encoded; as
/// an escape of JSON or HTML; in full width.
const SLASHES: &[&str] =
    &["/", "\\", "%2f", "%5c", "%252f", "\\u002f", "&#47;", "&#x2f;", "&sol;", "\u{FF0F}"];
/// The spellings of a colon.
const COLONS: &[&str] = &[":", "%3a", "%253a", "\\u003a", "&#58;", "&#x3a;", "&colon;", "\u{FF1A}"];
/// The ends of the names of secret values, in lower case.
const SECRETS: &[&str] =
    &["password", "passwd", "pass", "pwd", "passphrase", "secret", "token", "passcode"];
/// Prefixes of connection strings that need no slashes.
const PREFIXES: &[&str] = &["jdbc", "odbc"];

/// The number of colons before the password in a line `host:port:database:user:password` of a file `.pgpass`. The colon
/// after the host is not counted, because the host and the port may be a link.
const FIELDS: u8 = 3;

/// The length in bytes that `user/password` does not exceed.
const LONGEST_PAIR: usize = 128;

impl Inside {
    pub(crate) const fn new() -> Self {
        Self::at(0)
    }

    /// Returns the state at the start of a word.
    const fn at(seen: usize) -> Self {
        Self {
            seen,
            scheme: seen,
            is_after_colon: false,
            slashes: 0,
            colons: 0,
            is_number: false,
            is_assigned: false,
            closer: None,
            opened: None,
        }
    }

    /// Notes a link from `start` to `end`. If the link ended too early, the text after it is inside its address.
    pub(crate) fn note_link(&mut self, text: &str, start: usize, end: usize, ends: Ends) {
        let Some(next) = text.get(end..).and_then(|rest| rest.chars().next()) else { return };
        // After white space, nothing is open.
        if next.is_whitespace() {
            return;
        }
        let closer = text.get(..start).and_then(|before| before.chars().next_back());
        let closer = closer.and_then(closing);
        // An address that was open where the link begins is still open after the link.
        let around = self.opened.filter(|_| self.seen == start);
        // A link between quotes is whole.
        if closer == Some(next) && !is_inner(text, end, next) {
            *self = Self { opened: around, ..Self::at(end) };
            return;
        }
        let link = slice::text(text, start..end);
        let web = web_start(link);
        let after = slice::text(text, end..);
        // A mark of prose ends the link, as white space does. But it may be in a password: after another scheme, or after
        // what looks like a port.
        let has_colon = || web.is_none_or(|host| slice::text(link, host..).contains(':'));
        if ends.is_tight() && is_boundary(next) && !(has_colon() && has_at_sign(after)) {
            *self = Self { opened: around, ..Self::at(end) };
            return;
        }
        // A web link is read from its host on: its own scheme does not open an address.
        let mut state = Self { closer, opened: around, ..Self::at(start + web.unwrap_or(0)) };
        state.read(text, 0, end);
        let is_open = match web {
            Some(host) => {
                // After a letter of prose, a colon is a mark of the prose, but an at sign may end a password.
                let is_prose = ends.is_tight() && is_cjk(next);
                is_cut(slice::text(link, host..), after) && (!is_prose || has_at_sign(after))
            }
            None => false,
        };
        *self = Self { opened: state.opened, ..Self::at(end) };
        if is_open {
            self.open(OpenKind::Scheme, start, closer);
        }
    }

    /// Returns the address or value that is open at the place `at`. `link` is the end of the last link.
    pub(crate) fn opened(&mut self, text: &str, link: usize, at: usize) -> Option<Opened> {
        self.read(text, link, at);
        self.opened
    }

    /// Tells whether the text before the at sign at `at` ends user information without a scheme, or another form of a
    /// connection string. A mail address would have its local part from `start` on, and its domain would end at `end`.
    /// The last link ends at `link`.
    pub(crate) fn is_credential(
        &mut self,
        text: &str,
        link: usize,
        start: usize,
        at: usize,
        end: usize,
    ) -> bool {
        self.read(text, link, at);
        let next = text.as_bytes().get(end..).unwrap_or_default();
        let goes_on = matches!(next, [b'/', ..] | [b':', b'0'..=b'9', ..]);
        let local = slice::text(text, start..at);
        let has_colon = COLONS.iter().any(|colon| colon.len() > 1 && has(local, colon));
        let has_slash = || local.contains('/') || slice::text(text, ..start).ends_with('/');
        let is_field = self.colons >= FIELDS && !self.is_number;
        // `bob:secret@host:80`, `URL=bob:secret@host`, `host:80:database:bob:secret`, `bob/secret@host`.
        matches!(next, [b'@', ..])
            || has_colon
            || self.colons > 0 && (goes_on || self.is_assigned || is_field)
            || goes_on && has_slash()
            || is_pair(slice::text(text, link..at))
    }

    /// Reads the text up to `at`.
    fn read(&mut self, text: &str, link: usize, at: usize) {
        if self.seen < link {
            *self = Self::at(link);
        }
        let before = slice::bytes(text.as_bytes(), self.seen.min(at)..at);
        let word = before.iter().rposition(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t'));
        count(before.len() - word.unwrap_or(0));
        if let Some(white) = word {
            *self = Self::at(self.seen + white + 1);
        }
        while self.seen < at {
            // `step` does the same for each character of a scheme. No such character closes anything.
            let run = slice::bytes(text.as_bytes(), self.seen..at);
            let length = run.iter().take_while(|byte| SCHEME.contains(**byte)).count();
            if length > 0 {
                count(length);
                self.seen += length;
                (self.slashes, self.is_after_colon) = (0, false);
                continue;
            }
            let rest = slice::text(text, self.seen..);
            let Some(c) = rest.chars().next() else { return };
            count(1);
            self.step(text, rest, c);
        }
    }

    /// Reads one character. A colon or a slash may be spelled with several characters.
    fn step(&mut self, text: &str, rest: &str, c: char) {
        let at = self.seen;
        self.seen += c.len_utf8();
        if let Some(opened) = self.opened {
            if opened.closer == Some(c) && (c == ';' || !is_inner(text, at, c)) {
                *self = Self::at(self.seen);
                return;
            }
        }
        if let Some(length) = spelled(rest, c, SLASHES) {
            self.seen = at + length;
            self.slashes = (self.slashes + 1).min(2);
            match (self.slashes, self.is_after_colon) {
                (1, false) => {}
                (1, true) => self.open(OpenKind::Path, self.scheme, self.closer),
                (_, true) => self.open(OpenKind::Scheme, self.scheme, self.closer),
                (_, false) => self.open(OpenKind::Slashes, at, self.closer),
            }
            return;
        }
        self.slashes = 0;
        self.is_after_colon = false;
        if let Some(length) = spelled(rest, c, COLONS) {
            self.seen = at + length;
            self.colons = self.colons.saturating_add(1);
            let name = slice::text(text, self.scheme..at);
            // A single letter is the name of a drive, as in `C:\\`.
            self.is_after_colon = name.len() != 1;
            let last = memchr::memrchr(b':', name.as_bytes()).map_or(0, |colon| colon + 1);
            let field = slice::bytes(name.as_bytes(), last..);
            self.is_number = field.iter().all(u8::is_ascii_digit);
            if PREFIXES.iter().any(|prefix| ends_with(name, prefix)) {
                self.open(OpenKind::Scheme, self.scheme, self.closer);
            }
            self.value(text, at);
            return;
        }
        match c {
            _ if c.is_whitespace() || c.is_control() => *self = Self::at(self.seen),
            '=' => {
                self.value(text, at);
                (self.colons, self.is_assigned, self.scheme) = (0, true, self.seen);
            }
            _ if u8::try_from(c).is_ok_and(|byte| SCHEME.contains(byte)) => {}
            _ => {
                self.scheme = self.seen;
                if self.closer == Some(c) {
                    (self.closer, self.colons, self.is_assigned) = (None, 0, false);
                } else if let Some(closer) = closing(c) {
                    (self.closer, self.colons) = (Some(closer), 0);
                }
            }
        }
    }

    /// Opens a secret value after the colon or equals sign at `at`, if the name before it is the name of a secret.
    fn value(&mut self, text: &str, at: usize) {
        let name = slice::text(text, ..at).trim_end_matches(['"', '\'', '`', '\\']);
        let may_be_secret = name.bytes().next_back().is_some_and(|last| {
            SECRETS.iter().any(|secret| secret.ends_with(char::from(last.to_ascii_lowercase())))
        });
        if may_be_secret && SECRETS.iter().any(|secret| ends_with(name, secret)) {
            let value = slice::text(text, self.seen..).trim_start_matches('\\');
            let closer = value.chars().next().and_then(closing);
            if let (Some(_), Some(quote)) = (closer, value.chars().next()) {
                self.seen = text.len() - value.len() + quote.len_utf8();
            }
            self.open(OpenKind::Value, self.seen, Some(closer.unwrap_or(';')));
        }
    }

    /// Opens an address or a value, unless the open address or value already forbids as much.
    fn open(&mut self, kind: OpenKind, start: usize, closer: Option<char>) {
        if self.opened.is_none_or(|opened| opened.kind < kind.min(OpenKind::Scheme)) {
            self.opened = Some(Opened { kind, start, closer });
        }
    }
}

/// Tells whether the closing character `c` at a place belongs to a password: a backslash is before it, or a character
/// follows that is neither white space nor punctuation.
fn is_inner(text: &str, at: usize, c: char) -> bool {
    let after = slice::text(text, at + c.len_utf8()..);
    let ends = |c: char| c.is_whitespace() || c.is_control() || ",;:.!?)}]>\"'`".contains(c);
    !after.is_empty() && !after.starts_with(ends) || slice::text(text, ..at).ends_with('\\')
}

/// Returns the offset at which the host of a web link begins, or `None` for another link.
fn web_start(link: &str) -> Option<usize> {
    let (scheme, _) = link.split_once("://")?;
    let is_web = ["http", "https"].iter().any(|name| scheme.eq_ignore_ascii_case(name));
    is_web.then_some(scheme.len() + "://".len())
}

/// Tells whether a web link ended inside user information. `link` is the link from its host on, and `after` is the text
/// after it. A host may be a user name, and a port may be the start of a password:
///
/// ```text
/// a host and a port, and nothing more    yes
/// an empty port                          yes
/// a host, and nothing more               yes, if a colon or an at sign follows in the word, and no comma comes first
/// a host, a port, and more               yes, if a colon or an at sign follows in the word, and no comma comes first
/// a host without a port, and more        no
/// ```
fn is_cut(link: &str, after: &str) -> bool {
    let rest = slice::bytes(after.as_bytes(), ..after.len().min(LONGEST_PAIR));
    let mut marks = rest.iter().take_while(|byte| !ends_word(byte));
    let mut is_user = || marks.any(|byte| matches!(byte, b':' | b'@')) && !after.starts_with(',');
    let authority = link.split(['/', '?', '#']).next().unwrap_or_default();
    let is_whole = authority.len() == link.len();
    match authority.rsplit(']').next().and_then(|host| host.split_once(':')) {
        Some((_, port)) => is_whole || port.is_empty() || is_user(),
        None => is_whole && is_user(),
    }
}

/// Tells whether an at sign is in the word at the start of a text.
fn has_at_sign(text: &str) -> bool {
    let rest = slice::bytes(text.as_bytes(), ..text.len().min(LONGEST_PAIR));
    rest.iter().take_while(|byte| !ends_word(byte)).any(|byte| *byte == b'@')
}

/// Tells whether a byte is white space or a control, before which every address ends.
const fn ends_word(byte: &u8) -> bool {
    *byte <= b' ' || *byte == 0x7F
}

/// Tells whether a text ends with `user/password`.
fn is_pair(text: &str) -> bool {
    let tail = slice::bytes(text.as_bytes(), text.len().saturating_sub(LONGEST_PAIR)..);
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`=(<[{,;@".contains(byte);
    let pair = tail.iter().rposition(is_end).map_or(tail, |end| slice::bytes(tail, end + 1..));
    let mut halves = pair.split(|byte| *byte == b'/');
    let is_name = |name: &[u8]| {
        name.first().is_some_and(u8::is_ascii_alphabetic)
            && name.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_.$#-:".contains(byte))
    };
    halves.next().is_some_and(is_name)
        && halves.next().is_some_and(|password| !password.is_empty())
        && halves.next().is_none()
}

/// Returns the length of the longest spelling with which a text begins. `c` is the first character of the text.
#[inline]
fn spelled(text: &str, c: char, spellings: &[&str]) -> Option<usize> {
    // These two are spelled only as themselves, which comes first in each list.
    if let '/' | ':' = c {
        return spellings.first().filter(|itself| itself.starts_with(c)).map(|_| 1);
    }
    if !matches!(c, '%' | '&' | '\\' | '\u{FF0F}' | '\u{FF1A}') {
        return None;
    }
    longest_spelling(text, spellings)
}

/// Returns the length of the longest spelling with which a text begins.
fn longest_spelling(text: &str, spellings: &[&str]) -> Option<usize> {
    let second = text.as_bytes().get(1).map(u8::to_ascii_lowercase);
    let begins = |spelling: &&&str| {
        let is_like = spelling.as_bytes().get(1).is_none_or(|byte| second == Some(*byte));
        let start = text.as_bytes().get(..spelling.len()).filter(|_| is_like);
        start.is_some_and(|start| start.eq_ignore_ascii_case(spelling.as_bytes()))
    };
    spellings.iter().filter(begins).map(|spelling| spelling.len()).max()
}

/// Tells whether a text has a piece, in any case of its letters.
fn has(text: &str, piece: &str) -> bool {
    let mut windows = text.as_bytes().windows(piece.len());
    windows.any(|window| window.eq_ignore_ascii_case(piece.as_bytes()))
}

/// Tells whether a text ends with a word, in any case of its letters.
fn ends_with(text: &str, word: &str) -> bool {
    let from = text.len().checked_sub(word.len());
    let end = from.and_then(|from| text.as_bytes().get(from..));
    end.is_some_and(|end| end.eq_ignore_ascii_case(word.as_bytes()))
}

/// Returns the character that closes a quote or bracket, or `None` for any other character.
const fn closing(c: char) -> Option<char> {
    Some(match c {
        '"' | '\'' | '`' => c,
        '(' => ')',
        '[' => ']',
        '{' => '}',
        '<' => '>',
        '\u{201C}' => '\u{201D}',
        '\u{2018}' => '\u{2019}',
        '«' => '»',
        '‹' => '›',
        '「' => '」',
        '（' => '）',
        _ => return None,
    })
}
