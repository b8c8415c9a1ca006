//! Templates such as `{scheme} {host}`: text with the names of components in braces.

use std::borrow::Cow;
use std::io::{self, Write};
use std::str::FromStr;

use simd_iri::{Compare, IriRef, Level};

use crate::item_error::ItemError;
use crate::output::escape;
use crate::output::json::host_kind;

/// Returns the component that a name stands for.
type Component = for<'a> fn(IriRef<'a>) -> Option<Cow<'a, str>>;

const COMPONENTS: [(&str, Component); 14] = [
    ("input", |iri| Some(iri.as_str().into())),
    ("masked", |iri| Some(iri.masked().to_string().into())),
    ("origin", |iri| iri.origin().map(|origin| origin.to_string().into())),
    ("scheme", |iri| iri.scheme().map(Cow::from)),
    ("authority", |iri| iri.authority().map(Cow::from)),
    ("userinfo", |iri| iri.userinfo().map(Cow::from)),
    ("host", |iri| iri.host_str().map(Cow::from)),
    ("host_kind", |iri| iri.host().map(|host| host_kind(host).into())),
    ("registrable_domain", |iri| iri.registrable_domain()),
    ("port", |iri| iri.port().map(Cow::from)),
    ("port_or_default", |iri| iri.port_or_default().map(|port| port.to_string().into())),
    ("path", |iri| Some(iri.path().into())),
    ("query", |iri| iri.query().map(Cow::from)),
    ("fragment", |iri| iri.fragment().map(Cow::from)),
];

/// A parsed template.
#[derive(Clone, Debug)]
pub(crate) struct Template(Vec<Part>);

#[derive(Clone, Debug)]
enum Part {
    Text(String),
    Component(Component),
    /// The decoded value of the first pair of the query with this name.
    Query(String),
    /// The key at a level of comparison.
    Key(Level),
    /// The fingerprint of the key at a level of comparison.
    Fingerprint(Level),
    /// The name of the file.
    File,
    /// The number of the line.
    Line,
}

impl Template {
    /// Writes the template with the components of `iri` in it, and the file and the line of `iri`. On a terminal,
    /// hidden characters are escaped.
    ///
    /// # Errors
    /// The errors of `out`.
    pub(crate) fn write(
        &self,
        out: &mut impl Write,
        (file, line): (&str, u64),
        iri: IriRef<'_>,
        terminal: bool,
    ) -> io::Result<()> {
        for part in &self.0 {
            let text = match part {
                // The text of a template is the user's own: its tabs are wanted.
                Part::Text(text) => {
                    escape::write_text(out, text.as_bytes(), terminal)?;
                    continue;
                }
                Part::Component(component) => component(iri),
                Part::Query(name) => iri.query_value(name),
                Part::Key(level) => Compare::new(*level).key(iri).ok().map(Cow::from),
                Part::Fingerprint(level) => {
                    Some(Compare::new(*level).fingerprint64(iri).to_string().into())
                }
                Part::File => Some(file.into()),
                Part::Line => Some(line.to_string().into()),
            };
            escape::write(out, text.unwrap_or_default().as_bytes(), terminal)?;
        }
        Ok(())
    }

    /// Tells whether the text has the file or the line of an item.
    pub(crate) fn has_places(&self) -> bool {
        self.0.iter().any(|part| matches!(part, Part::File | Part::Line))
    }

    /// Checks that no value of a query in the text of an item ends the line.
    ///
    /// # Errors
    /// A value holds the separator of lines.
    pub(crate) fn check(&self, iri: IriRef<'_>, separator: u8) -> Result<(), ItemError> {
        let holds = |part: &Part| match part {
            Part::Query(name) => {
                iri.query_value(name).is_some_and(|it| it.contains(char::from(separator)))
            }
            _ => false,
        };
        match self.0.iter().any(holds) {
            true => Err(ItemError::lines(iri.as_str().as_bytes())),
            false => Ok(()),
        }
    }
}

impl FromStr for Template {
    type Err = String;

    fn from_str(template: &str) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut rest = template;
        while let Some(at) = rest.find(['{', '}', '\\']) {
            let (text, special) = rest.split_at(at);
            parts.push(Part::Text(text.to_owned()));
            let escapes = [("{{", "{"), ("}}", "}"), ("\\t", "\t"), ("\\n", "\n"), ("\\\\", "\\")];
            let escape = escapes.iter().find(|(escape, _)| special.starts_with(escape));
            if let Some((escape, text)) = escape {
                parts.push(Part::Text((*text).to_owned()));
                rest = special.get(escape.len()..).unwrap_or_default();
            } else if let Some(after) = special.strip_prefix('\\') {
                parts.push(Part::Text("\\".to_owned()));
                rest = after;
            } else if let Some((name, after)) =
                special.strip_prefix('{').and_then(|inner| inner.split_once('}'))
            {
                parts.push(part(name)?);
                rest = after;
            } else {
                return Err("a brace has no partner; write {{ or }} for a literal brace".to_owned());
            }
        }
        parts.push(Part::Text(rest.to_owned()));
        parts.retain(|part| !matches!(part, Part::Text(text) if text.is_empty()));
        Ok(Self(parts))
    }
}

/// Returns what a name in braces stands for.
fn part(name: &str) -> Result<Part, String> {
    if let Some(query) = name.strip_prefix("query:") {
        return Ok(Part::Query(query.to_owned()));
    }
    let (what, level) = name.split_once(':').unwrap_or((name, Level::default().name()));
    let level = || level.parse::<Level>().map_err(|error| format!("{{{name}}}: {error}"));
    match what {
        "key" => return Ok(Part::Key(level()?)),
        "fingerprint" => return Ok(Part::Fingerprint(level()?)),
        _ => {}
    }
    match name {
        "file" => return Ok(Part::File),
        "line" => return Ok(Part::Line),
        _ => {}
    }
    let found = COMPONENTS.iter().find(|(known, _)| *known == name);
    found.map(|(_, component)| Part::Component(*component)).ok_or_else(|| {
        let known = COMPONENTS.map(|(known, _)| known).join(", ");
        format!(
            "no component is called '{name}'; the names are {known}, query:NAME, key, \
             key:LEVEL, fingerprint, fingerprint:LEVEL, file and line"
        )
    })
}
