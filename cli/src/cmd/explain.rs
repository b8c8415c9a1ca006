//! `iri explain`: explains the codes of `iri lint`: their meaning, their severity in each profile, and
//! their remedies. Not here: the explanations, which are in the library.

use std::io::{self, Write};
use std::str::FromStr;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use simd_iri::ErrorKind;
use simd_iri_lint::{Code, Explanation, Profile, Severity};

use crate::output::escape::Escaped;
use crate::output::json;
use crate::output::report::{Failure, Outcome};

const EXAMPLES: &str = "\
Examples:
  iri explain                             a table of all codes, with their severities
  iri explain spoof.rare-ipv4             one code, with its meaning, an example and the fix
  iri explain bidi                        all codes of a check
  iri explain syntax.bad-port --json      a JSON object for each code";

/// Explain the codes of findings and errors
///
/// Prints the meaning of each code, its severity in each profile of iri lint, its source, an example,
/// and the remedy. Without a code, prints a table of all codes.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ExplainArgs {
    /// A code, or the word before its dot for all codes of that check
    #[arg(value_name = "CODE")]
    topics: Vec<Topics>,

    /// Print a JSON object for every code, one a line
    #[arg(long)]
    json: bool,
}

/// A finding or an error: each has a code.
#[derive(Clone, Copy, Debug)]
enum Topic {
    Finding(Code),
    Error(ErrorKind),
}

/// The word before the dot of errors, as `iri lint` prints them.
const SYNTAX: &str = "syntax";

impl Topic {
    /// Returns all topics: the findings of each check, then the errors.
    fn all() -> impl Iterator<Item = Self> {
        let findings = Code::ALL.iter().copied().map(Self::Finding);
        findings.chain(ErrorKind::ALL.iter().copied().map(Self::Error))
    }

    fn code(self) -> String {
        match self {
            Self::Finding(code) => code.name().to_owned(),
            Self::Error(kind) => format!("{SYNTAX}.{}", kind.name()),
        }
    }

    fn explanation(self) -> Explanation {
        match self {
            Self::Finding(code) => code.explanation(),
            Self::Error(kind) => Explanation::of_error(kind),
        }
    }

    /// Returns the severity in a profile. An invalid item is an error in every profile.
    fn severity(self, profile: Profile) -> Option<Severity> {
        match self {
            Self::Finding(code) => code.severity(profile),
            Self::Error(_) => Some(Severity::Error),
        }
    }
}

/// The topics that an argument names: one topic, or all topics of a check.
#[derive(Clone, Debug)]
struct Topics(Vec<Topic>);

impl FromStr for Topics {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let is_named = |topic: &Topic| {
            let code = topic.code();
            let check = code.split_once('.').map(|(check, _)| check);
            // In JSON, an error is named without `syntax`.
            let kind = matches!(topic, Topic::Error(kind) if kind.name() == name);
            code == name || check == Some(name) || kind
        };
        let topics: Vec<_> = Topic::all().filter(is_named).collect();
        if topics.is_empty() { Err(unknown(name)) } else { Ok(Self(topics)) }
    }
}

/// Returns the message for an unknown code.
pub(crate) fn unknown(name: &str) -> String {
    let last = after_dot(name);
    let near = Topic::all()
        .map(Topic::code)
        .find(|code| !last.is_empty() && (code.contains(last) || last.contains(after_dot(code))));
    match near {
        Some(code) => {
            format!("no such code; did you mean {code}? `iri explain` lists all codes")
        }
        None => "no such code; `iri explain` lists all codes".to_owned(),
    }
}

/// Returns the part of a name after its last dot.
fn after_dot(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(_, last)| last)
}

/// The explanation of a topic, as JSON.
#[derive(Serialize)]
struct Explained {
    code: String,
    severities: Severities,
    section: &'static str,
    meaning: &'static str,
    fix: &'static str,
    example: &'static str,
    fixed: &'static str,
}

/// The severity of a topic in each profile, under the name of the profile.
struct Severities(Topic);

impl Serialize for Severities {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for &profile in Profile::ALL {
            map.serialize_entry(profile.name(), &self.0.severity(profile).map(Severity::name))?;
        }
        map.end()
    }
}

impl From<Topic> for Explained {
    fn from(topic: Topic) -> Self {
        let Explanation { section, meaning, fix, example, fixed, .. } = topic.explanation();
        let (code, severities) = (topic.code(), Severities(topic));
        Self { code, severities, section, meaning, fix, example, fixed }
    }
}

pub(crate) fn run(args: &ExplainArgs, out: &mut (impl Write + Send)) -> Result<Outcome, Failure> {
    let named = args.topics.iter().flat_map(|topics| topics.0.iter().copied());
    let topics: Vec<_> =
        if args.topics.is_empty() { Topic::all().collect() } else { named.collect() };
    if args.json {
        topics.into_iter().try_for_each(|topic| json::write(out, &Explained::from(topic)))?;
    } else if args.topics.is_empty() {
        table(&topics, out)?;
    } else {
        for (number, topic) in topics.into_iter().enumerate() {
            if number > 0 {
                writeln!(out)?;
            }
            page(topic, out)?;
        }
    }
    Ok(Outcome::AllValid)
}

/// Writes a line for each topic, with its severity in each profile.
fn table(topics: &[Topic], out: &mut (impl Write + Send)) -> io::Result<()> {
    let width = topics.iter().map(|topic| topic.code().len()).max().unwrap_or_default();
    let mut row = |first: &str, cell: &dyn Fn(Profile) -> &'static str| {
        let mut line = format!("{first:width$}");
        for &profile in Profile::ALL {
            let width = profile.name().len().max(Severity::Warning.name().len());
            line += &format!("  {:width$}", cell(profile));
        }
        writeln!(out, "{}", line.trim_end())
    };
    row("code", &Profile::name)?;
    topics.iter().try_for_each(|topic| row(&topic.code(), &|profile| shown(*topic, profile)))
}

/// Returns the severity of a topic in a profile, as text.
fn shown(topic: Topic, profile: Profile) -> &'static str {
    topic.severity(profile).map_or("-", Severity::name)
}

/// Writes the whole explanation of a topic.
fn page(topic: Topic, out: &mut (impl Write + Send)) -> io::Result<()> {
    let Explanation { section, meaning, fix, example, fixed, .. } = topic.explanation();
    let severity = |&profile: &Profile| format!("{profile} {}", shown(topic, profile));
    let severities: Vec<_> = Profile::ALL.iter().map(severity).collect();
    writeln!(out, "{}", topic.code())?;
    wrapped(meaning, out)?;
    writeln!(out)?;
    writeln!(out, "  Severity  {}", severities.join(", "))?;
    writeln!(out, "  Source    {section}")?;
    if !example.is_empty() {
        writeln!(out, "  Example   {}", Escaped(example.as_bytes()))?;
        if !example.is_ascii() {
            // Some characters look like others or are invisible.
            writeln!(out, "            {}", example.escape_default())?;
        }
        writeln!(out, "  Fixed     {}", Escaped(fixed.as_bytes()))?;
    }
    writeln!(out)?;
    wrapped(fix, out)
}

/// The width of a paragraph without its indentation. It fits in the usual 80 columns.
const WIDTH: usize = 76;

/// Writes an indented paragraph in lines of at most `WIDTH` bytes.
fn wrapped(text: &str, out: &mut (impl Write + Send)) -> io::Result<()> {
    let mut line = String::new();
    for word in text.split(' ') {
        if !line.is_empty() && line.len() + 1 + word.len() > WIDTH {
            writeln!(out, "  {line}")?;
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    writeln!(out, "  {line}")
}
