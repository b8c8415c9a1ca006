//! Templates of references. The first text of each function is the template.

use std::borrow::Cow;

use serde::ser::{Serialize, SerializeMap, Serializer};
use simd_iri::Component;
use simd_iri_template::{Captures, ExpandError, Match, Template, Value, Variables};

use crate::answer::{self, ErrorAnswer};
use crate::documents::json;
use crate::functions::{Answer, Arguments, Function, made};
use crate::given::{self, Record};

pub(crate) const ALL: &[Function] =
    &[("template", template), ("templateExpand", expand), ("templateMatch", matched)];

/// Parses the first text.
fn parsed(of: &Arguments<'_>) -> Result<Template, ErrorAnswer> {
    let text = of.text(0)?;
    Template::parse(text).map_err(|error| {
        let all = Component::Reference.name();
        answer::at("template", all, &error.to_string(), error.span(), text.as_bytes())
    })
}

#[derive(serde::Serialize)]
#[serde(rename_all = "camelCase")]
struct Facts<'t> {
    variables: Vec<&'t str>,
    level: u8,
    ends_in_query: bool,
}

fn template(of: &Arguments<'_>) -> Answer {
    let template = parsed(of)?;
    made(json(&Facts {
        variables: template.variables().collect(),
        level: template.level(),
        ends_in_query: template.ends_in_query(),
    }))
}

/// The second text has a record for each variable. The third text tells whether the result is an IRI.
fn expand(of: &Arguments<'_>) -> Answer {
    let template = parsed(of)?;
    let mut variables = Variables::new();
    for record in given::records(of.text(1)?) {
        let Record { name, texts } = record;
        variables.set(name, value(texts)?);
    }
    let expanded = match of.text(2)? {
        "iri" => template.expand_iri(&variables),
        _ => template.expand(&variables),
    };
    expanded.map_err(|error| refused(&error, of)).map(Some)
}

/// Returns the value of a variable. The first text is the kind of the value; after `map`, a key and its text follow one
/// another.
fn value<'a>(texts: Vec<Cow<'a, str>>) -> Result<Value<'a>, ErrorAnswer> {
    let mut texts = texts.into_iter();
    let kind = texts.next();
    Ok(match kind.as_deref() {
        Some("text") => Value::Text(texts.next().unwrap_or_default()),
        Some("list") => Value::List(texts.collect()),
        Some("map") => {
            let pairs = core::iter::from_fn(|| texts.next().zip(texts.next()));
            Value::Map(pairs.collect())
        }
        _ => return Err(answer::of_argument("a value is not a text, a list or a map")),
    })
}

/// The answer for a value that the template does not take.
fn refused(error: &ExpandError, of: &Arguments<'_>) -> ErrorAnswer {
    let all = Component::Reference.name();
    answer::at("prefix-of-list", all, &error.to_string(), error.span(), of.bytes(0))
}

/// The second text is matched, and the third has the options.
fn matched(of: &Arguments<'_>) -> Answer {
    let template = parsed(of)?;
    let mut options = Match::new();
    for option in given::records(of.text(2)?) {
        options = match &*option.name {
            "queryAsSet" => options.query_as_set(option.flag()?),
            "knownPairsOnly" => options.known_pairs_only(option.flag()?),
            "singlePairsOnly" => options.single_pairs_only(option.flag()?),
            _ => return Err(given::unknown_option()),
        };
    }
    let captures = options.match_uri(&template, of.text(1)?);
    Ok(captures.map(|captures| json(&Values(captures))))
}

/// The values of a match by their names.
struct Values<'t, 'u>(Captures<'t, 'u>);

impl Serialize for Values<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for capture in self.0.iter() {
            match capture.value() {
                Value::Text(text) => map.serialize_entry(capture.name(), text)?,
                Value::List(items) => map.serialize_entry(capture.name(), items)?,
                // A match has no maps.
                Value::Map(pairs) => map.serialize_entry(capture.name(), pairs)?,
            }
        }
        map.end()
    }
}
