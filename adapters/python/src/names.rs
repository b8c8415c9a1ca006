//! The names by which Python chooses rules, levels, profiles and components.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use simd_iri::encoding_rs::Encoding;
use simd_iri::percent::Place;
use simd_iri::{Compare, Level, Normalize, Rule, document::Format};
use simd_iri_archive as archive;
use simd_iri_arrow::Component;
use simd_iri_lint::DisplayIri;
use simd_iri_lint::{Direction, DisplayPolicy, Marks, Profile};
use simd_iri_redact::{RedactPart, RedactUserinfo, SecretSet};
use simd_iri_rules::RuleFormat;
use simd_iri_text::{Ends, Markup, RepairSet};

/// The start rule with this name, in any case of letters.
pub(crate) fn rule(name: &str) -> PyResult<Rule> {
    // As the defaults are written.
    let known = || Rule::ALL.iter().map(|rule| rule.name().to_ascii_lowercase());
    rule_of(name).ok_or_else(|| unknown("rule", name, known()))
}

/// The start rule with this name, in any case of letters, or `None`.
pub(crate) fn rule_of(name: &str) -> Option<Rule> {
    // Nearly all calls have this name.
    if name == "iri" {
        return Some(Rule::Iri);
    }
    Rule::ALL.iter().find(|rule| rule.name().eq_ignore_ascii_case(name)).copied()
}

/// The level with this name: `simple`, `syntax`, `scheme` or `scheme-idna`.
fn level(name: &str) -> PyResult<Level> {
    one("level", name, Level::ALL, Level::name)
}

/// The rules of normalization of a level.
pub(crate) fn normalize(name: &str) -> PyResult<Normalize> {
    level(name).map(Level::rules)
}

/// The comparison of a level.
pub(crate) fn compare(name: &str) -> PyResult<Compare> {
    level(name).map(Compare::new)
}

/// The profile of findings with this name.
pub(crate) fn profile(name: &str) -> PyResult<Profile> {
    one("profile", name, Profile::ALL, Profile::name)
}

/// The set of repairs with this name.
pub(crate) fn repairs(name: &str) -> PyResult<RepairSet> {
    one("profile", name, RepairSet::ALL, RepairSet::name)
}

/// The format of a text with this name.
pub(crate) fn markup(name: &str) -> PyResult<Markup> {
    one("markup", name, Markup::ALL, Markup::name)
}

/// The way in which links begin and end, with this name.
pub(crate) fn ends(name: &str) -> PyResult<Ends> {
    one("way in which links end", name, Ends::ALL, Ends::name)
}

/// The policy of display with this name.
pub(crate) fn policy(name: &str) -> PyResult<DisplayPolicy> {
    one("policy", name, DisplayPolicy::ALL, DisplayPolicy::name)
}

/// The display by the policy with this name, if there is one.
pub(crate) fn display(name: Option<&str>) -> PyResult<DisplayIri> {
    let shape = DisplayIri::new();
    Ok(match name {
        Some(name) => shape.policy(policy(name)?),
        None => shape,
    })
}

/// The set of secret keys with this name.
pub(crate) fn secret_set(name: &str) -> PyResult<SecretSet> {
    one("set of keys", name, SecretSet::ALL, SecretSet::name)
}

/// What is written in the place of user information, by this name.
pub(crate) fn userinfo(name: &str) -> PyResult<RedactUserinfo> {
    one("form of user information", name, RedactUserinfo::ALL, RedactUserinfo::name)
}

/// What a text to redact is, by this name.
pub(crate) fn part(name: &str) -> PyResult<RedactPart> {
    one("part", name, RedactPart::ALL, RedactPart::name)
}

/// The profile of keys of web archives with this name.
pub(crate) fn archive_profile(name: &str) -> PyResult<archive::Profile> {
    one("profile", name, archive::Profile::ALL, archive::Profile::name)
}

/// The charset with this label (WHATWG Encoding Standard).
pub(crate) fn charset(label: &str) -> PyResult<&'static Encoding> {
    let charset = Encoding::for_label(label.as_bytes());
    charset.ok_or_else(|| {
        PyValueError::new_err(format!(
            "unknown charset {label:?}; write a label such as 'windows-1252'"
        ))
    })
}

/// The place of a value with this name.
pub(crate) fn place(name: &str) -> PyResult<Place> {
    one("place", name, Place::ALL, Place::name)
}

/// The format of a document with this name.
pub(crate) fn format(name: &str) -> PyResult<Format> {
    one("format", name, Format::ALL, Format::name)
}

/// The format of a file of rules with this name.
pub(crate) fn rule_format(name: &str) -> PyResult<RuleFormat> {
    one("format", name, RuleFormat::ALL, RuleFormat::name)
}

/// The direction of a paragraph with this name.
pub(crate) fn direction(name: &str) -> PyResult<Direction> {
    one("direction", name, Direction::ALL, Direction::name)
}

/// The marks around a reference with this name.
pub(crate) fn marks(name: &str) -> PyResult<Marks> {
    one("kind of marks", name, Marks::ALL, Marks::name)
}

/// The column with this name.
pub(crate) fn component(name: &str) -> PyResult<Component> {
    one("component", name, Component::ALL, Component::name)
}

/// The value with this name.
fn one<T: Copy>(what: &str, name: &str, all: &[T], name_of: fn(T) -> &'static str) -> PyResult<T> {
    let found = all.iter().copied().find(|value| name_of(*value) == name);
    found.ok_or_else(|| unknown(what, name, all.iter().map(|value| name_of(*value).to_owned())))
}

/// The error about an unknown name. The error repeats the name only if it looks like a name, because an address in its
/// place may have a password.
#[cold]
fn unknown(what: &str, name: &str, known: impl IntoIterator<Item = String>) -> PyErr {
    let known: Vec<String> = known.into_iter().collect();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let name = match name {
        name if name.len() <= 32 && name.bytes().all(is_word) => format!("no {what} {name:?}"),
        _ => format!("a text that names no {what}"),
    };
    PyValueError::new_err(format!("{name}; write one of {}", known.join(", ")))
}
