//! Wrapped links, and rules for queries. A module keeps the rules of the caller, which has their numbers.

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde::Serialize;
use simd_iri_rules::{QueryRules, RuleError, Unwrap};

use crate::documents::json;
use crate::functions::{Answer, Arguments, Function, made};
use crate::given;

pub(crate) const ALL: &[Function] = &[
    ("queryRules", read),
    ("applyQueryRules", |of| {
        let reference = of.reference_of_any_rule()?;
        with(of.text(1)?, |rules| made(rules.apply(reference).reference().as_str()))
    }),
    ("endQueryRules", end),
    ("unwrap", unwrap),
];

thread_local! {
    /// The rules by their numbers.
    static KEPT: RefCell<BTreeMap<String, QueryRules>> = const { RefCell::new(BTreeMap::new()) };
}

/// Calls a function with the rules that have a number. There is no answer if the module does not have them: after a failure,
/// a module begins again.
fn with(number: &str, call: impl FnOnce(&QueryRules) -> Answer) -> Answer {
    KEPT.with_borrow(|kept| kept.get(number).map_or(Ok(None), call))
}

/// What a text of rules has.
#[derive(Serialize)]
struct Facts {
    /// Why the text is refused.
    error: Option<Place>,
    count: usize,
    skipped: Vec<Place>,
}

/// An error of rules.
#[derive(Serialize)]
struct Place {
    kind: &'static str,
    message: String,
    line: usize,
    column: usize,
}

impl From<RuleError> for Place {
    fn from(error: RuleError) -> Self {
        let (kind, message) = (error.kind().name(), error.to_string());
        Self { kind, message, line: error.line(), column: error.column() }
    }
}

/// Reads the first text. The second text is the format, the third the number, and the fourth has the options.
fn read(of: &Arguments<'_>) -> Answer {
    let format = of.name(1)?;
    let options = given::records(of.text(3)?);
    let mut rules = match QueryRules::parse(of.text(0)?, format) {
        Ok(rules) => rules,
        Err(error) => {
            return made(json(&Facts { error: Some(error.into()), count: 0, skipped: Vec::new() }));
        }
    };
    for option in options {
        rules = match &*option.name {
            "allowReferral" => rules.allow_referral(option.flag()?),
            "keepMark" => rules.keep_mark(option.flag()?),
            _ => return Err(given::unknown_option()),
        };
    }
    let skipped = rules.skipped().iter().copied().map(Place::from).collect();
    let facts = Facts { error: None, count: rules.count(), skipped };
    let number = of.text(2)?.to_owned();
    KEPT.with_borrow_mut(|kept| kept.insert(number, rules));
    made(json(&facts))
}

/// Ends the rules with a number.
fn end(of: &Arguments<'_>) -> Answer {
    let number = of.text(0)?;
    KEPT.with_borrow_mut(|kept| kept.remove(number));
    Ok(None)
}

/// The second text is the number of levels, and the third the number of rules, if there are rules.
fn unwrap(of: &Arguments<'_>) -> Answer {
    let reference = of.reference_of_any_rule()?;
    let unwrap = Unwrap::new().levels(given::number(of.text(1)?)?);
    let link = |unwrap: Unwrap<'_>| made(unwrap.apply(reference).reference().as_str());
    match of.text_if_there(2)? {
        Some(number) => with(number, |rules| link(unwrap.rules(&[rules]))),
        None => link(unwrap),
    }
}
