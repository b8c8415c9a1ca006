//! Files of rules in TOML: names of pairs that are dropped, and wrappers that are unwrapped.
//!
//! Not here: values of TOML that a file of rules does not have. Such a value is an error.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::error::{RuleError, RuleErrorKind};
use super::fields;
use super::pattern::{CheckedPattern, Compiler, Extent, Patterns};
use super::reader::Reader;
use super::round::{Round, RuleOptions};
use crate::wrapped::{
    decode::Notation,
    found::{FoundLink, Wrapper},
    wrappers::{HttpHost, Site, after_ampersand, is_host},
};
use simd_iri::low::slice;
use simd_iri::{IriRef, percent};

/// The rules of a file.
#[derive(Default)]
pub(super) struct Own {
    drops: Vec<Drop>,
    wrappers: Vec<OwnWrapper>,
    pub(super) count: usize,
}

/// A table `drop`.
#[derive(Default)]
struct Drop {
    /// The host, or `None` for every address.
    host: Option<String>,
    names: Vec<String>,
    patterns: Patterns,
}

/// A table `wrapper`.
struct OwnWrapper {
    host: String,
    path: String,
    parameter: String,
    decode: Notation,
}

/// A table that is read. The byte offset of its start is for errors.
#[derive(Default)]
struct Table {
    is_wrapper: bool,
    start: usize,
    host: Option<String>,
    path: Option<String>,
    parameter: Option<String>,
    decode: Option<Notation>,
    names: Option<Vec<String>>,
    patterns: Option<Vec<CheckedPattern>>,
}

impl Own {
    /// Reads a file.
    ///
    /// # Errors
    /// The text is not a file of rules, or has a wrong pattern.
    pub(super) fn parse(text: &str) -> Result<Self, RuleError> {
        let mut reader = Reader::new(text);
        let mut compiler = Compiler::new();
        let mut own = Self::default();
        let mut table: Option<Table> = None;
        loop {
            reader.space(true);
            let start = reader.at;
            if reader.peek().is_none() {
                break;
            }
            if reader.eat("[[") {
                own.add(table.take(), text)?;
                reader.skip(b" \t");
                let name = reader.key();
                reader.skip(b" \t");
                reader.expect("]]")?;
                let is_wrapper = match name {
                    "wrapper" => true,
                    "drop" => false,
                    _ => return Err(RuleError::at(RuleErrorKind::UnknownKey, text, start)),
                };
                table = Some(Table { is_wrapper, start, ..Table::default() });
            } else {
                let kind = match reader.peek() {
                    Some(b'[') => RuleErrorKind::Unread,
                    _ => RuleErrorKind::UnknownKey,
                };
                let table = table.as_mut().ok_or_else(|| reader.error(kind))?;
                table.read(&mut reader, &mut compiler)?;
            }
            // A table or a key ends its line.
            reader.skip(b" \t\r");
            if !matches!(reader.peek(), None | Some(b'\n' | b'#')) {
                return Err(reader.error(RuleErrorKind::Syntax));
            }
        }
        own.add(table, text)?;
        Ok(own)
    }

    fn add(&mut self, table: Option<Table>, text: &str) -> Result<(), RuleError> {
        let Some(table) = table else { return Ok(()) };
        let wrong = |kind| RuleError::at(kind, text, table.start);
        if table.is_wrapper {
            let decode = table.decode.unwrap_or(Notation::Percent);
            let path = match decode {
                Notation::Proofpoint3 => "/v3/*",
                Notation::Percent | Notation::Proofpoint2 => "*",
            };
            let parameter = match (table.parameter, decode) {
                (Some(parameter), _) => parameter,
                (None, Notation::Proofpoint3) => String::new(),
                (None, _) => return Err(wrong(RuleErrorKind::MissingKey)),
            };
            self.wrappers.push(OwnWrapper {
                host: table.host.ok_or_else(|| wrong(RuleErrorKind::MissingKey))?,
                path: table.path.unwrap_or_else(|| path.to_string()),
                parameter,
                decode,
            });
            self.count += 1;
            return Ok(());
        }
        if table.names.is_none() && table.patterns.is_none() {
            return Err(wrong(RuleErrorKind::MissingKey));
        }
        let names = table.names.unwrap_or_default();
        let checked = table.patterns.unwrap_or_default();
        self.count += names.len() + checked.len();
        let patterns = Patterns::new(&checked).map_err(wrong)?;
        self.drops.push(Drop { host: table.host, names, patterns });
        Ok(())
    }

    /// Does one round.
    pub(super) fn round(&self, reference: IriRef<'_>, options: RuleOptions) -> Round {
        let mut round = Round::default();
        if reference.query().is_none() {
            return round;
        }
        let host = reference.host_str().unwrap_or_default().to_ascii_lowercase();
        let is_meant = |drop: &&Drop| match &drop.host {
            None => true,
            Some(pattern) => is_host(pattern, &host),
        };
        let active: Vec<&Drop> = self.drops.iter().filter(is_meant).collect();
        let drops = |pair: &str| {
            let written = pair.split('=').next().unwrap_or_default();
            // A name may begin after `&amp;` of HTML.
            let is_about = |written: &str| {
                let name = percent::decode(written).lossy();
                active.iter().any(|drop| drop.is_about(&name))
            };
            let inner = after_ampersand(written);
            is_about(written) || inner.len() < written.len() && is_about(inner)
        };
        let options = RuleOptions { reads_html: true, ..options };
        if let Some((made, dropped)) = fields::without(reference, options, false, drops) {
            round.made = Some(made);
            round.dropped = dropped;
        }
        round
    }

    /// Returns the target of a link that a wrapper of the file wraps.
    pub(super) fn wrapped(&self, reference: IriRef<'_>) -> Option<FoundLink> {
        let host = HttpHost::of(reference)?;
        let meant = self.wrappers.iter().filter(|wrapper| is_host(&wrapper.host, host.as_str()));
        let mut targets = meant.filter_map(|OwnWrapper { path, parameter, decode, .. }| {
            Site { path, parameter, decode: *decode }.target(reference)
        });
        Some(FoundLink { wrapper: Wrapper::Rule, target: targets.next()? })
    }
}

impl Drop {
    /// Tells whether a pair with this decoded name is dropped.
    fn is_about(&self, name: &str) -> bool {
        let is_named = self.names.iter().any(|pattern| match pattern.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == pattern,
        });
        let mut is_about = is_named;
        if !is_named {
            self.patterns.each_match(name, |_| is_about = true);
        }
        is_about
    }
}

impl Table {
    /// Reads a key and its value.
    fn read(&mut self, reader: &mut Reader<'_>, compiler: &mut Compiler) -> Result<(), RuleError> {
        let start = reader.at;
        let key = reader.key();
        reader.skip(b" \t");
        if key.is_empty() || !reader.eat("=") {
            return Err(reader.error(RuleErrorKind::Syntax));
        }
        reader.skip(b" \t");
        let at = reader.at;
        let is_twice = match (key, self.is_wrapper) {
            ("host", _) => {
                let host = reader.toml_string()?.to_ascii_lowercase();
                // No host is empty, and a star stands only for the labels before a dot.
                let name = host.strip_prefix("*.").unwrap_or(&host);
                if name.is_empty() || name.contains(['*', '/', ':', '@']) {
                    return Err(RuleError::at(RuleErrorKind::WrongValue, reader.text, at));
                }
                self.host.replace(host).is_some()
            }
            ("path", true) => {
                let path = reader.toml_string()?;
                if !path.starts_with(['/', '*']) {
                    return Err(RuleError::at(RuleErrorKind::WrongValue, reader.text, at));
                }
                self.path.replace(path.into_owned()).is_some()
            }
            ("parameter", true) => {
                self.parameter.replace(reader.toml_string()?.into_owned()).is_some()
            }
            ("decode", true) => {
                let decode = match &*reader.toml_string()? {
                    "percent" => Notation::Percent,
                    "proofpoint2" => Notation::Proofpoint2,
                    "proofpoint3" => Notation::Proofpoint3,
                    _ => return Err(RuleError::at(RuleErrorKind::WrongValue, reader.text, at)),
                };
                self.decode.replace(decode).is_some()
            }
            ("names", false) => {
                let names = reader.toml_strings()?.into_iter().map(|(_, name)| name.into_owned());
                self.names.replace(names.collect()).is_some()
            }
            ("patterns", false) => {
                let mut checked = Vec::new();
                for (at, source) in reader.toml_strings()? {
                    let wrong = |kind| RuleError::at(kind, reader.text, at);
                    checked.push(compiler.check(&source, Extent::Whole, false).map_err(wrong)?);
                }
                self.patterns.replace(checked).is_some()
            }
            _ => return Err(RuleError::at(RuleErrorKind::UnknownKey, reader.text, start)),
        };
        if is_twice {
            return Err(RuleError::at(RuleErrorKind::Twice, reader.text, start));
        }
        Ok(())
    }
}

/// What TOML has and JSON has not.
impl<'t> Reader<'t> {
    /// Reads a bare key.
    fn key(&mut self) -> &'t str {
        let rest = self.rest();
        let is_key = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
        let length = rest.bytes().take_while(is_key).count();
        self.at += length;
        slice::text(rest, ..length)
    }

    /// Reads a string on one line, with quotes or with apostrophes.
    fn toml_string(&mut self) -> Result<Cow<'t, str>, RuleError> {
        if self.rest().starts_with("\"\"\"") || self.rest().starts_with("'''") {
            return Err(self.error(RuleErrorKind::Unread));
        }
        match self.peek() {
            Some(b'"') => self.string(),
            Some(b'\'') => {
                let text = slice::text(self.text, self.at + 1..);
                let length =
                    text.find(['\'', '\n']).filter(|at| slice::text(text, *at..).starts_with('\''));
                let length = length.ok_or_else(|| self.error(RuleErrorKind::Syntax))?;
                self.at += length + 2;
                Ok(Cow::Borrowed(slice::text(text, ..length)))
            }
            _ => Err(self.error(RuleErrorKind::WrongType)),
        }
    }

    /// Reads an array of strings. Each string comes with its byte offset.
    fn toml_strings(&mut self) -> Result<Vec<(usize, Cow<'t, str>)>, RuleError> {
        if self.peek() != Some(b'[') {
            return Err(self.error(RuleErrorKind::WrongType));
        }
        self.at += 1;
        let mut strings = Vec::new();
        loop {
            self.space(true);
            if self.eat("]") {
                return Ok(strings);
            }
            let at = self.at;
            strings.push((at, self.toml_string()?));
            self.space(true);
            if !self.eat(",") && self.peek() != Some(b']') {
                return Err(self.error(RuleErrorKind::Syntax));
            }
        }
    }
}
