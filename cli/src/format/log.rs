//! The format `log`: access logs of web servers, in the common and combined formats of Apache, which
//! nginx writes too, or in a format in the notation of nginx.
//!
//! A format is a list of variables with text between them. A value ends where the text after its variable begins. If
//! this text begins with a quote, a quote after a backslash does not count:
//!
//! ```text
//! format   $remote_addr [$time_local] "$request" $status
//! line     192.0.2.1 [1/Jan/2024:00:00:00 +0000] "GET /a\"b HTTP/1.1" 200
//! values   192.0.2.1 ends at ` [`, the time at `] "`, and GET /a\"b HTTP/1.1 at `" `
//! ```
//!
//! One format stands for the common and the combined log, because a line is only read up to the address. If lines
//! become records of another format, the text after the last variable is a value of its own, [`REST`].
//!
//! A request is a method, a target and a version, with a space between them. Its target has one of four forms (RFC 9112,
//! section 3.2):
//!
//! ```text
//! /a?b                       the address
//! http://a/b                 the address
//! a.example:443 of CONNECT   an authority; the address is //a.example:443
//! *                          no address
//! ```
//!
//! A server that has no request logs `-`. It also logs what clients send that is no request, such as the first bytes of
//! TLS. No part of such a text is a target, however much it looks like one: the record has an error.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use memchr::{memchr, memchr_iter, memmem};
use simd_iri::parser::CpuLevel;

use crate::args::records::RecordArgs;
use crate::format::field::{Coding, Field, Record, Site};
use crate::format::lines;
use crate::item_error::{ItemError, Message};
use crate::output::secrets::quote;
use crate::spans::log::{Format, TOKEN, Value};
use crate::spans::{self, Records};

/// The combined format, whose beginning is the common format.
const COMBINED: &str = "$remote_addr $ident $remote_user [$time_local] \"$request\" $status $bytes \
                        \"$http_referer\" \"$http_user_agent\"";

/// The name of the text after the format.
const REST: &str = "rest";

/// The variables of nginx that hold a target, as the client sent it or as nginx changed it.
const TARGETS: [&str; 3] = ["request_uri", "uri", "document_uri"];

/// The format of a log, and its variable with the address.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// The text before the first variable.
    start: Arc<[u8]>,
    /// Each variable with the text after it.
    parts: Vec<Part>,
    /// The number of the variable with the address.
    wanted: usize,
    kind: Kind,
    /// The scheme and the authority of the site, if one is given.
    site: Option<String>,
    /// The number of the variable with the scheme, if the host is wanted.
    scheme: Option<usize>,
    /// The number of the variable with the host, if the host is wanted.
    host: Option<usize>,
}

/// What the variable with the address holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// A request, whose second word is the target: `GET /path HTTP/1.1`.
    Request,
    /// A target. `method` is the number of the variable with the method, if the format has it.
    Target { method: Option<usize> },
    /// An address.
    Address,
}

#[derive(Clone, Debug)]
struct Part {
    name: Arc<str>,
    /// The text after the variable; empty at the end of the line.
    after: Arc<[u8]>,
}

impl Layout {
    /// Returns the layout of a format and a field.
    ///
    /// # Errors
    /// The format has no such variable, or two variables with no text between them.
    pub(crate) fn new(args: &RecordArgs, field: Option<&str>) -> Result<Self, String> {
        let format = args.log_format.as_deref().unwrap_or(COMBINED);
        let field = field.unwrap_or("request");
        let wanted = match field.trim_start_matches('$') {
            "referer" | "referrer" => "http_referer",
            "target" => "request",
            name => name,
        };
        let mut variables = format.split('$');
        let start = Arc::from(variables.next().unwrap_or_default().as_bytes());
        let mut parts = Vec::new();
        for variable in variables {
            let is_end = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
            let braced = variable.strip_prefix('{').and_then(|inner| inner.split_once('}'));
            let (name, after) = braced.unwrap_or_else(|| {
                variable.split_at(variable.find(is_end).unwrap_or(variable.len()))
            });
            if name.is_empty() {
                return Err("in --log-format, a $ has no name after it".to_owned());
            }
            if name == REST {
                return Err("in --log-format, $rest names what follows the format".to_owned());
            }
            parts.push(Part { name: Arc::from(name), after: Arc::from(after.as_bytes()) });
        }
        // Only the last variable may end with the line. Without text after another variable, its end is not known.
        let open = parts.iter().rev().skip(1).find(|part| part.after.is_empty());
        if let Some(part) = open {
            return Err(format!("in --log-format, no text ends ${}", part.name));
        }
        let find = |wanted: &str, field: &str| {
            let names = || parts.iter().map(|part| &*part.name).collect::<Vec<_>>();
            let found = parts.iter().position(|part| *part.name == *wanted);
            let message =
                || format!("the log has no field '{field}'; it has {}", names().join(", "));
            found.ok_or_else(message)
        };
        let wanted = find(wanted, field)?;
        let host = args.host_field.as_deref();
        let host = host.map(|name| find(name.trim_start_matches('$'), name)).transpose()?;
        let scheme = host.and_then(|_| find("scheme", "scheme").ok());
        let site = args.site.clone();
        let kind = match parts.get(wanted).map_or("", |part| &*part.name) {
            "request" => Kind::Request,
            name if TARGETS.contains(&name) => {
                Kind::Target { method: find("request_method", "request_method").ok() }
            }
            _ => Kind::Address,
        };
        Ok(Self { start, parts, wanted, kind, site, scheme, host })
    }

    /// Finds the addresses of the lines from `from` on. Returns `false` if masks cannot find them, or if an address is not
    /// the text of its line.
    pub(crate) fn find(
        &self,
        level: CpuLevel,
        block: &[u8],
        from: usize,
        records: &mut Records,
    ) -> bool {
        let texts = self.parts.iter().map(|part| &*part.after);
        let mut before: Vec<_> = texts.take(self.wanted + 1).collect();
        let after = before.pop().unwrap_or_default();
        let value = match self.kind {
            Kind::Request => Value::Request,
            Kind::Target { .. } => Value::Target,
            Kind::Address => Value::Address,
        };
        let format = Format { start: &self.start, before, value, after };
        !self.has_site()
            && format.has_masks()
            && spans::lines(level, (block, from), &format, records)
    }

    /// Finds the line that begins at `at`, and the address in it.
    pub(crate) fn next(&self, block: &[u8], at: usize, record: &mut Record) {
        let line = lines::filled(block, at, record);
        if record.is_filler {
            return;
        }
        match self.address_of(line) {
            Ok(Some(Field { span, coding })) => {
                if self.host.is_some() {
                    let values = self.values(line);
                    let place = |number: Option<usize>| {
                        let value = given(line, values.get(number?)?.clone())?;
                        Some(at + value.start..at + value.end)
                    };
                    record.site = Site { scheme: place(self.scheme), host: place(self.host) };
                }
                let span = at + span.start..at + span.end;
                record.fields.push(Field { span, coding });
            }
            Ok(None) => {}
            Err(error) => record.error = Some(*error),
        }
    }

    /// Returns the number of the variable with the address, if the address is its whole value.
    pub(crate) fn address(&self) -> Option<usize> {
        (self.kind != Kind::Request).then_some(self.wanted)
    }

    /// Tells whether the addresses are targets of requests, most of which have no scheme.
    pub(crate) fn has_targets(&self) -> bool {
        self.kind != Kind::Address
    }

    /// Tells whether targets are read as addresses of a site.
    pub(crate) fn has_site(&self) -> bool {
        self.site.is_some() || self.host.is_some()
    }

    /// Returns a target as an address of the site of its request. A target that does not begin with a slash is not a
    /// path, and stays as it is.
    pub(crate) fn of_site<'b>(
        &self,
        target: Cow<'b, [u8]>,
        block: &[u8],
        record: &Record,
    ) -> Cow<'b, [u8]> {
        if !self.has_site() || !target.starts_with(b"/") {
            return target;
        }
        let text = |place: &Option<Range<usize>>| block.get(place.clone()?).map(decode);
        // For example, `/x` of a line whose host is `a.example` is `http://a.example/x`. The scheme is the first that
        // is given: the scheme of the line, the scheme of --site, `http`.
        let mut address = match (text(&record.site.host), &self.site) {
            (Some(host), site) => {
                let scheme = text(&record.site.scheme);
                let of_site = site.as_deref().and_then(|site| site.split(':').next());
                let scheme = scheme.unwrap_or(Cow::Borrowed(of_site.unwrap_or("http").as_bytes()));
                [&scheme, b"://".as_slice(), &host].concat()
            }
            (None, Some(site)) => site.clone().into_bytes(),
            (None, None) => return target,
        };
        address.extend_from_slice(&target);
        Cow::Owned(address)
    }

    /// Returns the names of the variables, and of the text after them.
    pub(crate) fn names(&self) -> Vec<String> {
        let names = self.parts.iter().map(|part| &*part.name).chain([REST]);
        names.map(str::to_owned).collect()
    }

    /// Returns the names of the fields without the address.
    pub(crate) fn others(&self) -> impl Iterator<Item = &str> {
        let others = self.parts.iter().enumerate().filter(|(number, _)| *number != self.wanted);
        others.map(|(_, part)| &*part.name).chain([REST])
    }

    /// Returns the number of variables. The value after their values is the rest.
    pub(crate) fn variables(&self) -> usize {
        self.parts.len()
    }

    /// Returns the spans of the variables of a line that has the format, and of the text after them, which may be
    /// empty.
    pub(crate) fn values(&self, line: &[u8]) -> Vec<Range<usize>> {
        let mut at = self.start.len();
        let span = |part: &Part| {
            let rest = line.get(at..).unwrap_or_default();
            let end = value(rest, &part.after).unwrap_or(rest.len());
            let span = at..at + end;
            at = (span.end + part.after.len()).min(line.len());
            span
        };
        let mut spans: Vec<_> = self.parts.iter().map(span).collect();
        let rest = line.get(at..).unwrap_or_default().trim_ascii_start();
        spans.push(line.len() - rest.len()..line.len());
        spans
    }

    /// Returns the place of the address; `None` if it is absent.
    fn address_of(&self, line: &[u8]) -> Result<Option<Field>, Box<ItemError>> {
        let other_format = |at: usize, message: Message| {
            let message = Message::made(move |f| {
                write!(f, "{message}; name another format with --log-format or --from")
            });
            Err(error("not-in-log-format", at..line.len(), message))
        };
        if !line.starts_with(&self.start) {
            let start = self.start.clone();
            let message = Message::made(move |f| {
                write!(
                    f,
                    "the line does not begin with '{}'",
                    quote(&String::from_utf8_lossy(&start))
                )
            });
            return other_format(0, message);
        }
        let mut at = self.start.len();
        for (number, Part { name, after }) in self.parts.iter().enumerate() {
            let rest = line.get(at..).unwrap_or_default();
            let is_last = number + 1 == self.parts.len();
            let end = match value(rest, after) {
                Some(end) => end,
                // The last variable may end with the line.
                None if is_last => rest.len(),
                None => {
                    let (name, after) = (name.clone(), after.clone());
                    let message = Message::made(move |f| {
                        write!(
                            f,
                            "${name} has no '{}' after it",
                            quote(&String::from_utf8_lossy(&after))
                        )
                    });
                    return other_format(at, message);
                }
            };
            if number == self.wanted {
                let value = at..at + end;
                return match self.kind {
                    Kind::Request => request(line, value),
                    Kind::Target { method } => Ok(target(line, value, || {
                        line.get(self.values(line).get(method?)?.clone())
                    })),
                    Kind::Address => {
                        Ok(given(line, value).map(|span| Field { span, coding: Coding::Log }))
                    }
                };
            }
            at += end + after.len();
        }
        Ok(None)
    }
}

/// Returns the length of a value that ends where `after` begins. If `after` begins with a quote, an escaped quote does
/// not end the value.
fn value(rest: &[u8], after: &[u8]) -> Option<usize> {
    match after {
        [] => Some(memchr(b' ', rest).unwrap_or(rest.len())),
        [b'"', ..] => {
            let mut from = 0;
            loop {
                let at = from + place(rest.get(from..)?, after)?;
                let before = rest.get(..at)?;
                // Two backslashes stand for a backslash. So a quote is escaped only after an odd number of backslashes.
                let backslashes = before.iter().rev().take_while(|byte| **byte == b'\\').count();
                if backslashes % 2 == 0 {
                    return Some(at);
                }
                from = at + 1;
            }
        }
        _ => place(rest, after),
    }
}

/// Returns where `after` begins.
// PERF: a value is short, and takes less time to search than a searcher of `memmem` takes to make.
fn place(rest: &[u8], after: &[u8]) -> Option<usize> {
    let (first, more) = after.split_first()?;
    let follows = |at: &usize| rest.get(at + 1..).is_some_and(|rest| rest.starts_with(more));
    memchr_iter(*first, rest).find(follows)
}

/// Returns the span of a value, or `None` if it is empty or `-`, which stands for an absent value.
fn given(line: &[u8], value: Range<usize>) -> Option<Range<usize>> {
    (!matches!(line.get(value.clone()), None | Some(b"-" | b""))).then_some(value)
}

/// The kind of the error of a text that is no request.
pub(crate) const NO_REQUEST: &str = "no-request";

/// Returns the error of a part of a line.
fn error(kind: &'static str, span: Range<usize>, message: impl Into<Message>) -> Box<ItemError> {
    Box::new(ItemError::at(kind, message, span))
}

/// Returns the place of the target in a request line (RFC 9112, section 3).
//     GET /a HTTP/1.1      /a
//     GET /a               /a, of HTTP/0.9, which has no other method
//     GET /a b HTTP/1.1    an error: by the standard, a server must not look for the end of such a target
//     GET  HTTP/1.1        an error, as each of the next
//     GET
//     /a HTTP/1.1
//     GET a HTTP/1.1
//     \x16\x03\x01 \x00u
fn request(line: &[u8], value: Range<usize>) -> Result<Option<Field>, Box<ItemError>> {
    let Some(value) = given(line, value) else { return Ok(None) };
    let request = line.get(value.clone()).unwrap_or_default();
    let fail = |message: &'static str| Err(error(NO_REQUEST, value.clone(), message));
    let Some(length) = memchr(b' ', request) else {
        return fail("this is no request: it is a single word");
    };
    let start = length + 1;
    let method = request.get(..length).unwrap_or_default();
    if method.is_empty() || !method.iter().all(|byte| TOKEN.contains(*byte)) {
        return fail(
            "this is no request: it does not begin with a method, as GET /a HTTP/1.1 does",
        );
    }
    let end = match memchr::memrchr(b' ', request).filter(|end| start <= *end) {
        Some(end) if request.get(end + 1..).is_some_and(is_version) => end,
        None if method == b"GET" => request.len(),
        _ => {
            return fail(
                "this is no request: it does not end with a version, as GET /a HTTP/1.1 does",
            );
        }
    };
    let span = value.start + start..value.start + end;
    let raw = line.get(span.clone()).unwrap_or_default();
    let sent = decode(raw);
    // PERF: without an early exit, the compiler vectorizes the loop.
    if sent.iter().fold(false, |found, byte| found | matches!(byte, b'\t'..=b'\r' | b' ')) {
        return fail("this is no request: its target has a blank, which is written %20");
    }
    if !is_target(&sent, method) {
        return fail(
            "this is no request: a target begins with a slash or a scheme and has no fragment; \
             HOST:PORT is a target of CONNECT alone",
        );
    }
    Ok(target(line, span, || Some(method)))
}

/// Tells whether a word is a version: `HTTP/1.1`, or `HTTP/2` as some servers write it.
fn is_version(word: &[u8]) -> bool {
    let is_number = |digits: &[u8]| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    word.strip_prefix(b"HTTP/").is_some_and(|number| {
        let mut parts = number.splitn(2, |byte| *byte == b'.');
        parts.all(is_number)
    })
}

/// Tells whether a text has one of the forms of a target. Whether its characters are legal, is told by who reads the
/// address.
fn is_target(target: &[u8], method: &[u8]) -> bool {
    match method {
        _ if target.contains(&b'#') => false,
        _ if target.starts_with(b"/") || target == b"*" => true,
        b"CONNECT" if is_authority(target) => is_host_and_port(target) && !target.contains(&b'@'),
        // `a.example:443` could have the scheme `a.example`. No client means that.
        _ => has_scheme(target) && !is_host_and_port(target),
    }
}

/// Tells whether a text begins with a scheme.
fn has_scheme(text: &[u8]) -> bool {
    let mut bytes = text.iter().copied();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic())
        && bytes.find(|byte| !(byte.is_ascii_alphanumeric() || b"+-.".contains(byte))) == Some(b':')
}

/// Tells whether a text is a host, a colon and a port, which may be empty. A client that wrote user information before the
/// host meant an authority, too.
fn is_host_and_port(text: &[u8]) -> bool {
    let host = text.rsplit(|byte| *byte == b'@').next().unwrap_or_default();
    let digits = host.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let host = host.get(..host.len() - digits).and_then(|host| host.strip_suffix(b":"));
    host.is_some_and(|host| host.starts_with(b"[") || memchr(b':', host).is_none())
}

/// Returns the place of a target that is an address; `None` if it is not. `method` returns the method of the request.
fn target<'l>(
    line: &'l [u8],
    span: Range<usize>,
    method: impl FnOnce() -> Option<&'l [u8]>,
) -> Option<Field> {
    let span = given(line, span)?;
    let target = line.get(span.clone())?;
    if target == b"*" {
        return None;
    }
    let is_authority = is_authority(target) && method() == Some(b"CONNECT");
    let coding = if is_authority { Coding::LogAuthority } else { Coding::Log };
    Some(Field { span, coding })
}

/// Tells whether the target of CONNECT is an authority. Some clients send a path, or an address with a scheme.
fn is_authority(target: &[u8]) -> bool {
    !target.starts_with(b"/") && memmem::find(target, b"://").is_none()
}

/// Returns the reference that an authority of a log stands for: two slashes and the authority. Without the slashes, the
/// host of `a.example:443` would be a scheme, and the port a path.
pub(crate) fn decode_authority(raw: &[u8]) -> Cow<'_, [u8]> {
    Cow::Owned([b"//", &*decode(raw)].concat())
}

/// Appends a reference in the place of an authority. The two slashes at its start are left out if the rest is an
/// authority with a port, which is read as the same reference.
pub(crate) fn encode_authority(text: &[u8], out: &mut Vec<u8>) {
    let authority = text.strip_prefix(b"//");
    let authority = authority.filter(|rest| is_authority(rest) && is_host_and_port(rest));
    encode(authority.unwrap_or(text), out);
}

/// Returns the bytes that a value of a log stands for. Servers write quotes, backslashes and bytes that
/// are not printable as `\"`, `\\` and `\xHH`. Apache writes `\t` for a tab, and `\b`, `\n`, `\v` and `\r`; in a log of
/// nginx, a backslash is `\x5C`, so no text looks like these.
pub(crate) fn decode(raw: &[u8]) -> Cow<'_, [u8]> {
    if memchr(b'\\', raw).is_none() {
        return Cow::Borrowed(raw);
    }
    let mut text = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        match (byte, after) {
            (b'\\', [b'x', high, low, after @ ..]) => match hexadecimal(*high, *low) {
                Some(byte) => {
                    text.push(byte);
                    rest = after;
                }
                None => text.push(b'\\'),
            },
            (b'\\', [escaped, after @ ..]) => {
                let byte = match escaped {
                    b'"' | b'\\' => Some(*escaped),
                    b'b' => Some(8),
                    b't' => Some(b'\t'),
                    b'n' => Some(b'\n'),
                    b'v' => Some(11),
                    b'r' => Some(b'\r'),
                    _ => None,
                };
                text.push(byte.unwrap_or(b'\\'));
                rest = if byte.is_some() { after } else { rest };
            }
            _ => text.push(*byte),
        }
    }
    Cow::Owned(text)
}

/// Returns a value as a field of another format. If its escapes stand for NUL, which stops many readers of CSV, or for bytes
/// that are not UTF-8, it stays as it is written.
pub(crate) fn text(raw: &[u8]) -> Cow<'_, [u8]> {
    let text = decode(raw);
    let is_text = std::str::from_utf8(&text).is_ok() && memchr(0, &text).is_none();
    if is_text { text } else { Cow::Borrowed(raw) }
}

fn hexadecimal(high: u8, low: u8) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}

/// Appends a text as servers write it.
pub(crate) fn encode(text: &[u8], out: &mut Vec<u8>) {
    for byte in text {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', *byte]),
            0x20..=0x7E => out.push(*byte),
            _ => {
                const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
                let digit = |value: u8| DIGITS.get(usize::from(value)).copied().unwrap_or_default();
                out.extend_from_slice(&[b'\\', b'x', digit(byte >> 4), digit(byte & 15)]);
            }
        }
    }
}
