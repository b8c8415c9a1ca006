//! Filter lists of AdGuard and uBlock Origin: their rules with the modifier `removeparam`.
//!
//! Not here: the lists themselves, which are data of their projects and read at run time.

/*
# A rule

    [@@]PATTERN$removeparam[=VALUE][,MODIFIER…]

PATTERN says which addresses are meant: `||host^` a host and every host below it, `|` the start or the end, `*` any
text, `^` a separator or the end, `/…/` a regular expression, and no pattern every address. A fragment is no part of the
address. The modifiers that are about the page, such as `domain=`, cannot be answered without a page. So a rule with
such a modifier is skipped and counted. Types of content, such as `script`, are ignored.

VALUE says which pairs are removed: `name` the pairs with that name, `/…/` the pairs `name=value` that a regular
expression finds, `~` before either the other pairs, and no value all pairs. Names and pairs are compared as they are
written. `@@` switches off the rules with the same value, or without a value all rules.

# The index

Most rules are about a host or about every address. So `hosts` has the numbers of the rules of each host, and each host
that ends the host of an address is looked up. The other patterns are one set, which is searched in one pass. `names`
has the rules about one name; the rules about pairs by other means, few in each list, are asked one by one.

For example, `https://a.b.example/` asks `a.b.example`, `b.example` and `example`.
*/

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::error::{RuleError, RuleErrorKind};
use super::fields;
use super::pattern::{CheckedPattern, Compiler, Extent, Pattern, Patterns, push_literal};
use super::round::{Round, RuleOptions};
use simd_iri::IriRef;
use simd_iri::low::slice;

/// A list of filters.
pub(super) struct Filters {
    rules: Vec<Filter>,
    /// Whether the rule is about every address.
    everywhere: Vec<bool>,
    hosts: BTreeMap<String, Vec<usize>>,
    patterns: Patterns,
    /// The rule of each pattern.
    owners: Vec<usize>,
    /// The rules about one name that remove it.
    names: BTreeMap<String, Vec<usize>>,
    /// The rules that remove pairs by other means.
    others: Vec<usize>,
    exceptions: Vec<usize>,
    pub(super) skipped: Vec<RuleError>,
}

struct Filter {
    what: What,
    is_inverted: bool,
    /// The value as it is written.
    value: String,
}

/// The pairs that a rule is about.
enum What {
    All,
    Name(String),
    Pair(Pattern),
}

impl Filter {
    /// Tells whether the rule is about a pair as it is written.
    fn is_about(&self, pair: &str) -> bool {
        let is_meant = match &self.what {
            What::All => true,
            What::Name(name) => name_of(pair) == name,
            What::Pair(pattern) => pattern.is_match(pair),
        };
        is_meant != self.is_inverted
    }
}

fn name_of(pair: &str) -> &str {
    pair.split('=').next().unwrap_or_default()
}

/// What a list is made of while it is read.
struct ListReading {
    compiler: Compiler,
    patterns: Vec<CheckedPattern>,
    made: Filters,
}

impl Filters {
    /// Reads a list. A rule that is not applied is skipped and noted.
    ///
    /// # Errors
    /// The patterns take too much memory.
    pub(super) fn parse(text: &str) -> Result<Self, RuleError> {
        let made = Self {
            rules: Vec::new(),
            everywhere: Vec::new(),
            hosts: BTreeMap::new(),
            patterns: Patterns::default(),
            owners: Vec::new(),
            names: BTreeMap::new(),
            others: Vec::new(),
            exceptions: Vec::new(),
            skipped: Vec::new(),
        };
        let mut reading = ListReading { compiler: Compiler::default(), patterns: Vec::new(), made };
        let mut lines = 0;
        for line in text.strip_prefix('\u{FEFF}').unwrap_or(text).lines() {
            lines += 1;
            let rule = line.trim();
            if rule.is_empty() || rule.starts_with(['!', '#', '[']) {
                continue;
            }
            if let Err((kind, at)) = reading.read(rule) {
                let indent = line.len() - line.trim_start().len();
                let before = line.get(..indent + at).unwrap_or(line);
                let error = RuleError::in_line(kind, lines, before.chars().count() + 1);
                if kind == RuleErrorKind::TooLarge {
                    return Err(error);
                }
                reading.made.skipped.push(error);
            }
        }
        let ListReading { patterns, mut made, .. } = reading;
        made.patterns =
            Patterns::new(&patterns).map_err(|kind| RuleError::in_line(kind, lines, 1))?;
        Ok(made)
    }

    /// The number of rules that are applied.
    pub(super) fn count(&self) -> usize {
        self.rules.len()
    }

    /// Returns for each rule whether it is about an address.
    fn active(&self, reference: IriRef<'_>) -> Vec<bool> {
        let mut active = self.everywhere.clone();
        let mut note = |rule: usize| {
            if let Some(is_active) = active.get_mut(rule) {
                *is_active = true;
            }
        };
        if !self.hosts.is_empty() {
            let host = reference.host_str().unwrap_or_default().to_ascii_lowercase();
            let mut rest = Some(host.as_str()).filter(|host| !host.is_empty());
            while let Some(domain) = rest {
                self.hosts.get(domain).into_iter().flatten().for_each(|rule| note(*rule));
                rest = domain.split_once('.').map(|(_, parent)| parent);
            }
        }
        self.patterns.each_match(reference.without_fragment().as_str(), |number| {
            self.owners.get(number).into_iter().for_each(|rule| note(*rule));
        });
        active
    }

    /// Does one round.
    pub(super) fn round(&self, reference: IriRef<'_>, options: RuleOptions) -> Round {
        let mut round = Round::default();
        if reference.query().is_none() {
            return round;
        }
        let mut active = self.active(reference);
        let is_active = |active: &[bool], rule: usize| active.get(rule).is_some_and(|is| *is);
        let mut switched_off = BTreeSet::new();
        for exception in self.exceptions.iter().filter(|rule| is_active(&active, **rule)) {
            match self.rules.get(*exception) {
                Some(Filter { what: What::All, is_inverted: false, .. }) => return round,
                Some(rule) => drop(switched_off.insert(rule.value.as_str())),
                None => {}
            }
        }
        if !switched_off.is_empty() {
            for (rule, is_active) in self.rules.iter().zip(&mut active) {
                *is_active &= !switched_off.contains(rule.value.as_str());
            }
        }
        let others: Vec<&Filter> = self
            .others
            .iter()
            .filter(|rule| is_active(&active, **rule))
            .filter_map(|rule| self.rules.get(*rule))
            .collect();
        let drops = |pair: &str| {
            let named = self.names.get(name_of(pair)).into_iter().flatten();
            named.into_iter().any(|rule| is_active(&active, *rule))
                || others.iter().any(|rule| rule.is_about(pair))
        };
        if let Some((made, dropped)) = fields::without(reference, options, false, drops) {
            round.made = Some(made);
            round.dropped = dropped;
        }
        round
    }
}

/// The types of content, which are ignored.
const TYPES: [&str; 22] = [
    "all",
    "css",
    "doc",
    "document",
    "font",
    "frame",
    "image",
    "media",
    "object",
    "other",
    "ping",
    "script",
    "stylesheet",
    "subdocument",
    "webrtc",
    "websocket",
    "xhr",
    "xmlhttprequest",
    "beacon",
    "object-subrequest",
    "popup",
    "iframe",
];

/// The modifiers of a rule that is applied.
#[derive(Default)]
struct Modifiers {
    /// The value of `removeparam`, with its byte offset in the rule.
    value: Option<(usize, String)>,
    has_case: bool,
}

impl ListReading {
    /// Reads a rule.
    ///
    /// # Errors
    /// Why the rule is not applied, and the byte offset of the reason in the rule.
    fn read(&mut self, rule: &str) -> Result<(), (RuleErrorKind, usize)> {
        let is_exception = rule.starts_with("@@");
        let start = if is_exception { 2 } else { 0 };
        let dollar = modifiers_start(rule).ok_or((RuleErrorKind::OtherRule, 0))?;
        let modifiers = modifiers(rule, dollar + 1)?;
        let (at, value) = modifiers.value.ok_or((RuleErrorKind::OtherRule, 0))?;
        let filter = self.filter(value).map_err(|kind| (kind, at))?;
        let pattern = rule.get(start..dollar).unwrap_or_default();
        let number = self.made.rules.len();
        let (is_everywhere, host) = match place(pattern) {
            RuleScope::Everywhere => (true, None),
            RuleScope::Host(host) => (false, Some(host)),
            RuleScope::Pattern(source) => {
                let checked = self.compiler.check(&source, Extent::Part, !modifiers.has_case);
                self.patterns.push(checked.map_err(|kind| (kind, start))?);
                self.made.owners.push(number);
                (false, None)
            }
        };
        let made = &mut self.made;
        if let Some(host) = host {
            made.hosts.entry(host).or_default().push(number);
        }
        match &filter.what {
            _ if is_exception => made.exceptions.push(number),
            What::Name(name) if !filter.is_inverted => {
                made.names.entry(name.clone()).or_default().push(number);
            }
            _ => made.others.push(number),
        }
        made.everywhere.push(is_everywhere);
        made.rules.push(filter);
        Ok(())
    }

    /// Reads the value of `removeparam`.
    fn filter(&mut self, value: String) -> Result<Filter, RuleErrorKind> {
        let inner = value.strip_prefix('~').unwrap_or(&value);
        let is_inverted = inner.len() < value.len();
        let what = match inner.strip_prefix('/').and_then(|rest| rest.rsplit_once('/')) {
            Some((source, flags @ ("" | "i"))) => {
                let checked = self.compiler.check(source, Extent::Part, flags == "i")?;
                What::Pair(Pattern::new(&checked)?)
            }
            Some(_) => return Err(RuleErrorKind::Modifier),
            None if inner.is_empty() || inner == "|" => What::All,
            None => What::Name(inner.to_string()),
        };
        Ok(Filter { what, is_inverted, value })
    }
}

/// Returns the byte offset of the `$` before the modifiers: the first after which a modifier stands, so a `$` in a
/// regular expression is no such place.
fn modifiers_start(rule: &str) -> Option<usize> {
    rule.match_indices('$').map(|(at, _)| at).find(|at| {
        let after = slice::text(rule, at + 1..);
        let name = after.strip_prefix('~').unwrap_or(after);
        let length = name
            .bytes()
            .take_while(|byte| byte.is_ascii_lowercase() || b"-_0123456789".contains(byte))
            .count();
        let next = name.as_bytes().get(length);
        length > 0 && matches!(next, None | Some(b',' | b'='))
    })
}

/// Reads modifiers, which begin at a byte offset of a rule. A comma after a backslash does not end a modifier.
fn modifiers(rule: &str, start: usize) -> Result<Modifiers, (RuleErrorKind, usize)> {
    let mut modifiers = Modifiers::default();
    let mut at = start;
    while at <= rule.len() {
        let rest = slice::text(rule, at..);
        let mut is_escaped = false;
        let end = rest.bytes().position(|byte| {
            let ends = byte == b',' && !is_escaped;
            is_escaped = byte == b'\\' && !is_escaped;
            ends
        });
        let modifier = slice::text(rest, ..end.unwrap_or(rest.len()));
        let (name, value) = modifier.split_once('=').unwrap_or((modifier, ""));
        match name {
            "removeparam" | "queryprune" if modifiers.value.is_none() => {
                let offset = at + modifier.len() - value.len();
                modifiers.value = Some((offset, value.replace("\\,", ",")));
            }
            "match-case" => modifiers.has_case = true,
            name if TYPES.contains(&name.strip_prefix('~').unwrap_or(name)) && value.is_empty() => {
            }
            _ => return Err((RuleErrorKind::Modifier, at)),
        }
        at += modifier.len() + 1;
    }
    Ok(modifiers)
}

/// The addresses that a rule is about.
enum RuleScope {
    Everywhere,
    /// The host and every host below it.
    Host(String),
    /// A pattern in the notation of JavaScript.
    Pattern(String),
}

/// Reads the pattern of a rule.
fn place(pattern: &str) -> RuleScope {
    if pattern.bytes().all(|byte| byte == b'*') {
        return RuleScope::Everywhere;
    }
    let inner = pattern.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'));
    if let Some(source) = inner.filter(|source| !source.is_empty()) {
        return RuleScope::Pattern(source.to_string());
    }
    let is_name = |text: &str| text.bytes().all(|byte| !b"*^|/:?#".contains(&byte));
    let host = pattern.strip_prefix("||").and_then(|rest| rest.strip_suffix('^'));
    if let Some(host) = host.filter(|host| !host.is_empty() && is_name(host)) {
        return RuleScope::Host(host.to_ascii_lowercase());
    }
    let mut source = String::new();
    let mut rest = pattern;
    if let Some(after) = rest.strip_prefix("||") {
        source.push_str(r"^[^:/?#]+:\/\/(?:[^\/?#]*[.@])?");
        rest = after;
    } else if let Some(after) = rest.strip_prefix('|') {
        source.push('^');
        rest = after;
    }
    let (rest, is_end) = match rest.strip_suffix('|') {
        Some(before) => (before, true),
        None => (rest, false),
    };
    for (number, part) in rest.split('*').enumerate() {
        if number > 0 {
            source.push_str("[^]*");
        }
        for (number, literal) in part.split('^').enumerate() {
            if number > 0 {
                source.push_str(r"(?:[^A-Za-z0-9_\-.%]|$)");
            }
            push_literal(literal, &mut source);
        }
    }
    if is_end {
        source.push('$');
    }
    RuleScope::Pattern(source)
}
