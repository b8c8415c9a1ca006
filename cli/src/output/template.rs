//! Templates such as `{scheme} {host}`: text with the names of components in braces.

use std::io::{self, Write};
use std::str::FromStr;

use simd_iri::IriRef;

use crate::output::escape;
use crate::output::json::host_kind;

/// Returns the component that a name stands for.
type Field = for<'a> fn(IriRef<'a>) -> Option<&'a str>;

const FIELDS: [(&str, Field); 10] = [
    ("input", |iri| Some(iri.as_str())),
    ("scheme", |iri| iri.scheme()),
    ("authority", |iri| iri.authority()),
    ("userinfo", |iri| iri.userinfo()),
    ("host", |iri| iri.host_str()),
    ("host_kind", |iri| iri.host().map(host_kind)),
    ("port", |iri| iri.port()),
    ("path", |iri| Some(iri.path())),
    ("query", |iri| iri.query()),
    ("fragment", |iri| iri.fragment()),
];

/// A parsed template.
#[derive(Clone, Debug)]
pub(crate) struct Template(Vec<Part>);

#[derive(Clone, Debug)]
enum Part {
    Text(String),
    Field(Field),
}

impl Template {
    /// Writes the template with the components of `iri` in it. On a terminal, hidden characters are
    /// escaped.
    pub(crate) fn write(
        &self,
        out: &mut impl Write,
        iri: IriRef<'_>,
        terminal: bool,
    ) -> io::Result<()> {
        for part in &self.0 {
            let text = match part {
                Part::Text(text) => text,
                Part::Field(field) => field(iri).unwrap_or_default(),
            };
            escape::write(out, text.as_bytes(), terminal)?;
        }
        Ok(())
    }
}

impl FromStr for Template {
    type Err = String;

    fn from_str(template: &str) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut rest = template;
        while let Some(at) = rest.find(['{', '}']) {
            let (text, braces) = rest.split_at(at);
            parts.push(Part::Text(text.to_owned()));
            if let Some(after) = braces.strip_prefix("{{") {
                parts.push(Part::Text("{".to_owned()));
                rest = after;
            } else if let Some(after) = braces.strip_prefix("}}") {
                parts.push(Part::Text("}".to_owned()));
                rest = after;
            } else if let Some((name, after)) =
                braces.strip_prefix('{').and_then(|inner| inner.split_once('}'))
            {
                parts.push(Part::Field(field(name)?));
                rest = after;
            } else {
                return Err("a brace has no partner; write {{ or }} for a literal brace".to_owned());
            }
        }
        parts.push(Part::Text(rest.to_owned()));
        Ok(Self(parts))
    }
}

fn field(name: &str) -> Result<Field, String> {
    let found = FIELDS.iter().find(|(known, _)| *known == name);
    found.map(|(_, field)| *field).ok_or_else(|| {
        let known = FIELDS.map(|(known, _)| known).join(", ");
        format!("no component is called '{name}'; the names are {known}")
    })
}
