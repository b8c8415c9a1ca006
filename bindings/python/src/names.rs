//! The names by which Python chooses rules, levels, profiles and components.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use simd_iri::check::Profile;
use simd_iri::text::{Markup, RepairSet};
use simd_iri::{Compare, Level, Normalize, Rule};
use simd_iri_arrow::Component;

/// The start rule with this name, in any case of letters.
pub(crate) fn rule(name: &str) -> PyResult<Rule> {
    let known = || Rule::ALL.iter().map(|rule| rule.name());
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
    let found = Level::ALL.iter().copied().find(|level| level.name() == name);
    found.ok_or_else(|| unknown("level", name, Level::ALL.iter().map(|level| level.name())))
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
    let found = Profile::ALL.iter().copied().find(|profile| profile.name() == name);
    found.ok_or_else(|| unknown("profile", name, Profile::ALL.iter().map(|profile| profile.name())))
}

/// The set of repairs with this name.
pub(crate) fn repairs(name: &str) -> PyResult<RepairSet> {
    let found = RepairSet::ALL.iter().copied().find(|set| set.name() == name);
    found.ok_or_else(|| unknown("profile", name, RepairSet::ALL.iter().map(|set| set.name())))
}

/// The format of a text with this name.
pub(crate) fn markup(name: &str) -> PyResult<Markup> {
    let found = Markup::ALL.iter().copied().find(|markup| markup.name() == name);
    found.ok_or_else(|| unknown("markup", name, Markup::ALL.iter().map(|markup| markup.name())))
}

/// The column with this name.
pub(crate) fn component(name: &str) -> PyResult<Component> {
    let found = Component::ALL.iter().copied().find(|component| component.name() == name);
    found.ok_or_else(|| unknown("component", name, Component::ALL.iter().map(|c| c.name())))
}

/// The error about an unknown name. The error repeats the name only if it looks like a name, because an address in its
/// place may have a password.
#[cold]
fn unknown(what: &str, name: &str, known: impl IntoIterator<Item = &'static str>) -> PyErr {
    let known: Vec<&str> = known.into_iter().collect();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let name = match name {
        name if name.len() <= 32 && name.bytes().all(is_word) => format!("no {what} {name:?}"),
        _ => format!("a text that names no {what}"),
    };
    PyValueError::new_err(format!("{name}; write one of {}", known.join(", ")))
}
