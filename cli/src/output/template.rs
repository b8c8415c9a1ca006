//! Templates such as `{scheme} {host}`: text with the names of components in braces.

use std::io::{self, Write};
use std::str::FromStr;

use simd_iri::IriRef;

use crate::output::escape;
use crate::output::json::host_kind;

/// Finds what a name stands for.
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

/// A template, read.
#[derive(Clone, Debug)]
pub(crate) struct Template(Vec<Piece>);

#[derive(Clone, Debug)]
enum Piece {
    Text(String),
    Field(Field),
}

impl Template {
    /// Writes the template with the components of `iri` in it; hidden characters are spelled out
    /// on a terminal alone.
    pub(crate) fn write(
        &self,
        out: &mut impl Write,
        iri: IriRef<'_>,
        terminal: bool,
    ) -> io::Result<()> {
        for piece in &self.0 {
            let text = match piece {
                Piece::Text(text) => text,
                Piece::Field(field) => field(iri).unwrap_or_default(),
            };
            escape::write(out, text.as_bytes(), terminal)?;
        }
        Ok(())
    }
}

impl FromStr for Template {
    type Err = String;

    fn from_str(template: &str) -> Result<Self, String> {
        let mut pieces = Vec::new();
        let mut rest = template;
        while let Some(at) = rest.find(['{', '}']) {
            let (text, braces) = rest.split_at(at);
            pieces.push(Piece::Text(text.to_owned()));
            if let Some(after) = braces.strip_prefix("{{") {
                pieces.push(Piece::Text("{".to_owned()));
                rest = after;
            } else if let Some(after) = braces.strip_prefix("}}") {
                pieces.push(Piece::Text("}".to_owned()));
                rest = after;
            } else if let Some((name, after)) =
                braces.strip_prefix('{').and_then(|inner| inner.split_once('}'))
            {
                pieces.push(Piece::Field(field(name)?));
                rest = after;
            } else {
                return Err("a brace without its partner; write {{ or }} for itself".to_owned());
            }
        }
        pieces.push(Piece::Text(rest.to_owned()));
        Ok(Self(pieces))
    }
}

fn field(name: &str) -> Result<Field, String> {
    let found = FIELDS.iter().find(|(known, _)| *known == name);
    found.map(|(_, field)| *field).ok_or_else(|| {
        let known = FIELDS.map(|(known, _)| known).join(", ");
        format!("no component is called '{name}'; there are {known}")
    })
}
