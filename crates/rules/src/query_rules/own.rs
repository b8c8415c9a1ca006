//! Files of rules in TOML: names of pairs that are dropped, and wrappers that are unwrapped.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::error::{RuleError, RuleErrorKind};
use super::fields;
use super::pattern::{Compiler, Extent, Patterns};
use super::round::{Round, RuleOptions};
use crate::wrapped::{
    decode::Notation,
    found::{FoundLink, Wrapper},
    wrappers::{HttpHost, Site, after_ampersand, is_host},
};
use simd_iri::{IriRef, percent};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

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

impl Own {
    /// Reads a file.
    ///
    /// # Errors
    /// The text is not a file of rules, or has a wrong pattern.
    pub(super) fn parse(text: &str) -> Result<Self, RuleError> {
        let file = DeTable::parse(text).map_err(|error| {
            let is_twice = error.message().starts_with("duplicate key");
            let kind = if is_twice { RuleErrorKind::Twice } else { RuleErrorKind::Syntax };
            RuleError::at(kind, text, error.span().unwrap_or_default().start)
        })?;
        let mut compiler = Compiler::default();
        let mut own = Self::default();
        for (name, tables) in file.get_ref() {
            let at = tables.span().start;
            let wrong = |kind| RuleError::at(kind, text, at);
            let tables = match &**name.get_ref() {
                "drop" | "wrapper" => tables.get_ref().as_array(),
                _ => return Err(RuleError::at(RuleErrorKind::UnknownKey, text, name.span().start)),
            };
            for table in tables.ok_or_else(|| wrong(RuleErrorKind::Unread))? {
                let fields = table.get_ref().as_table();
                let fields = fields.ok_or_else(|| wrong(RuleErrorKind::Unread))?;
                let table = TomlTable { text, at: table.span().start, fields };
                match &**name.get_ref() {
                    "drop" => own.add_drop(&table, &mut compiler)?,
                    _ => own.add_wrapper(&table)?,
                }
            }
        }
        Ok(own)
    }

    fn add_drop(
        &mut self,
        table: &TomlTable<'_>,
        compiler: &mut Compiler,
    ) -> Result<(), RuleError> {
        table.has_only(&["host", "names", "patterns"])?;
        let (names, patterns) = (table.strings("names")?, table.strings("patterns")?);
        if names.is_none() && patterns.is_none() {
            return Err(table.error(RuleErrorKind::MissingKey));
        }
        let mut checked = Vec::new();
        for (at, source) in patterns.unwrap_or_default() {
            let wrong = |kind| RuleError::at(kind, table.text, at);
            checked.push(compiler.check(source, Extent::Whole, false).map_err(wrong)?);
        }
        let names: Vec<_> =
            names.unwrap_or_default().into_iter().map(|(_, name)| name.to_string()).collect();
        self.count += names.len() + checked.len();
        let patterns = Patterns::new(&checked).map_err(|kind| table.error(kind))?;
        self.drops.push(Drop { host: table.host()?, names, patterns });
        Ok(())
    }

    fn add_wrapper(&mut self, table: &TomlTable<'_>) -> Result<(), RuleError> {
        table.has_only(&["host", "path", "parameter", "decode"])?;
        let (decode, path) = match table.string("decode")? {
            None | Some((_, "percent")) => (Notation::Percent, "*"),
            Some((_, "proofpoint2")) => (Notation::Proofpoint2, "*"),
            Some((_, "proofpoint3")) => (Notation::Proofpoint3, "/v3/*"),
            Some((at, _)) => return Err(RuleError::at(RuleErrorKind::WrongValue, table.text, at)),
        };
        let path = match table.string("path")? {
            None => path,
            Some((_, path)) if path.starts_with(['/', '*']) => path,
            Some((at, _)) => return Err(RuleError::at(RuleErrorKind::WrongValue, table.text, at)),
        };
        let missing = || table.error(RuleErrorKind::MissingKey);
        let parameter = match table.string("parameter")? {
            Some((_, parameter)) => parameter,
            None if decode == Notation::Proofpoint3 => "",
            None => return Err(missing()),
        };
        let (path, parameter) = (path.to_string(), parameter.to_string());
        let host = table.host()?.ok_or_else(missing)?;
        self.wrappers.push(OwnWrapper { host, path, parameter, decode });
        self.count += 1;
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

/// A table of a file. The byte offset of its start is for errors.
struct TomlTable<'t> {
    text: &'t str,
    at: usize,
    fields: &'t DeTable<'t>,
}

impl<'t> TomlTable<'t> {
    fn error(&self, kind: RuleErrorKind) -> RuleError {
        RuleError::at(kind, self.text, self.at)
    }

    /// # Errors
    /// The table has another key.
    fn has_only(&self, keys: &[&str]) -> Result<(), RuleError> {
        match self.fields.keys().find(|key| !keys.contains(&&**key.get_ref())) {
            Some(key) => Err(RuleError::at(RuleErrorKind::UnknownKey, self.text, key.span().start)),
            None => Ok(()),
        }
    }

    /// Returns the text of a value, and its byte offset.
    fn text(&self, value: &'t Spanned<DeValue<'t>>) -> Result<(usize, &'t str), RuleError> {
        let at = value.span().start;
        let text = value.get_ref().as_str();
        let text = text.ok_or_else(|| RuleError::at(RuleErrorKind::WrongType, self.text, at))?;
        Ok((at, text))
    }

    fn string(&self, key: &str) -> Result<Option<(usize, &'t str)>, RuleError> {
        self.fields.get(key).map(|value| self.text(value)).transpose()
    }

    fn strings(&self, key: &str) -> Result<Option<Vec<(usize, &'t str)>>, RuleError> {
        let Some(value) = self.fields.get(key) else { return Ok(None) };
        let Some(values) = value.get_ref().as_array() else {
            return Err(RuleError::at(RuleErrorKind::WrongType, self.text, value.span().start));
        };
        values.iter().map(|value| self.text(value)).collect::<Result<_, _>>().map(Some)
    }

    /// No host is empty, and a star stands only for the labels before a dot.
    fn host(&self) -> Result<Option<String>, RuleError> {
        let Some((at, host)) = self.string("host")? else { return Ok(None) };
        let name = host.strip_prefix("*.").unwrap_or(host);
        if name.is_empty() || name.contains(['*', '/', ':', '@']) {
            return Err(RuleError::at(RuleErrorKind::WrongValue, self.text, at));
        }
        Ok(Some(host.to_ascii_lowercase()))
    }
}
