//! `iri template`: expands templates of references (RFC 6570), and reads values from references by a template.

use std::io::{self, Write};

use clap::Subcommand;
use serde::Serialize;
use serde::ser::SerializeMap;
use simd_iri_template::{Captures, Match, Template, Value, Variables};

use crate::args::records::From;
use crate::args::transform::TransformArgs;
use crate::io::files::Outputs;
use crate::io::text::utf8;
use crate::item_error::ItemError;
use crate::output::report::{Failure, Outcome};
use crate::transform::{self, ItemOutput, Line, Text};

const EXAMPLES: &str = "\
Examples:
  iri template expand '/search{?q,page}' --var 'q=a b'     print /search?q=a%20b
  iri template match '/users/{id}' links.txt               a JSON object for every link";

/// Expand a template of references, or read values by a template (RFC 6570)
///
/// A template is a text with expressions in braces, such as /users/{id}{?fields*}.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TemplateArgs {
    #[command(subcommand)]
    pub(super) verb: Verb,
}

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    Expand(ExpandArgs),
    Match(MatchArgs),
}

impl TemplateArgs {
    /// Returns the arguments that the verbs share.
    pub(super) fn transform(&mut self) -> &mut TransformArgs {
        match &mut self.verb {
            Verb::Expand(args) => &mut args.transform,
            Verb::Match(args) => &mut args.transform,
        }
    }
}

const EXPAND_EXAMPLES: &str = "\
Examples:
  iri template expand '/{a}{?list*}' --var a=é --var list=x,y     print /%C3%A9?list=x&list=y
  iri template expand --iri '/{a}' --var a=é                      print /é
  iri template expand '{?keys*}' --map keys=k=1,l=2               print ?k=1&l=2
  iri template expand '/users/{id}' users.jsonl                   an expansion for every JSON object";

/// Put values into the place of the expressions
///
/// With a value in the arguments, and without FILE and --item, the template is expanded once. Otherwise every item is a
/// JSON object of the values by their names, and values in the arguments are for names that the object does not have. In
/// the object, a text, a number, true and false are texts, an array is a list, an object is a map, and null is undefined.
#[derive(Debug, clap::Args)]
#[command(after_help = EXPAND_EXAMPLES)]
pub(super) struct ExpandArgs {
    /// The template
    #[arg(value_name = "TEMPLATE")]
    template: Template,

    #[command(flatten)]
    transform: TransformArgs,

    /// The value of a variable: a text, or a list if it has commas; may be repeated
    #[arg(long = "var", value_name = "NAME=VALUE", value_parser = Var::read)]
    vars: Vec<Var>,

    /// The value of a variable: a text, which may have commas; may be repeated
    #[arg(long = "text", value_name = "NAME=TEXT", value_parser = Var::read_text)]
    texts: Vec<Var>,

    /// The value of a variable: a map; may be repeated
    #[arg(long = "map", value_name = "NAME=KEY=VALUE,KEY=VALUE", value_parser = Var::read_map)]
    maps: Vec<Var>,

    /// Make IRIs: characters outside ASCII stay, where an IRI may have them
    #[arg(long)]
    iri: bool,
}

const MATCH_EXAMPLES: &str = "\
Examples:
  iri template match '/users/{id}' -i /users/a%20b             print {\"id\":\"a b\"}
  iri template match --query-as-set '/s{?q,page}' links.txt    pairs of the query in any order
  iri template match '/{a}{/rest*}' --from csv --field url --add values list.csv
                                                               the values of each row, in a new column";

/// Read the values of the variables from references
///
/// Prints a JSON object of the values by their names for every item that the template matches: a text or an array of
/// texts, decoded. The values of {+name} and {#name} keep their triplets. An item that the template does not match fails.
#[derive(Debug, clap::Args)]
#[command(after_help = MATCH_EXAMPLES)]
pub(super) struct MatchArgs {
    /// The template
    #[arg(value_name = "TEMPLATE")]
    template: Template,

    #[command(flatten)]
    transform: TransformArgs,

    /// Take the pairs of the query in any order, and ignore other pairs and the fragment
    ///
    /// The template must end in expressions with ? or &.
    #[arg(long)]
    query_as_set: bool,

    /// With --query-as-set, refuse pairs that the template does not have
    #[arg(long, requires = "query_as_set")]
    known_pairs: bool,

    /// With --query-as-set, refuse repeated pairs, unless their variable has a *
    #[arg(long, requires = "query_as_set")]
    single_pairs: bool,
}

/// A variable of the arguments.
#[derive(Clone, Debug)]
struct Var {
    name: String,
    value: Value<'static>,
}

impl Var {
    /// Reads a name and a value, which `read` makes of the text.
    fn with(text: &str, read: impl Fn(&str) -> Option<Value<'static>>) -> Result<Self, String> {
        let (name, value) = text.split_once('=').ok_or("write a name and a value: id=7")?;
        let value = read(value).ok_or("write keys and values: keys=k=1,l=2")?;
        Ok(Self { name: name.to_owned(), value })
    }

    fn read(text: &str) -> Result<Self, String> {
        Self::with(text, |value| {
            let mut items = value.split(',').map(str::to_owned);
            let is_list = value.contains(',');
            Some(if is_list { items.collect::<Vec<_>>().into() } else { items.next()?.into() })
        })
    }

    fn read_text(text: &str) -> Result<Self, String> {
        Self::with(text, |value| Some(value.to_owned().into()))
    }

    fn read_map(text: &str) -> Result<Self, String> {
        Self::with(text, |value| {
            let pairs = value.split(',').map(|pair| pair.split_once('='));
            let pairs = pairs.map(|pair| {
                pair.map(|(key, value)| (key.to_owned().into(), value.to_owned().into()))
            });
            Some(Value::Map(pairs.collect::<Option<_>>()?))
        })
    }
}

pub(crate) fn run(args: &TemplateArgs, out: &mut Outputs) -> Result<Outcome, Failure> {
    match &args.verb {
        Verb::Expand(args) => expand(args, out),
        Verb::Match(args) => matched(args, out),
    }
}

fn expand(args: &ExpandArgs, out: &mut Outputs) -> Result<Outcome, Failure> {
    let given = args.vars.iter().chain(&args.texts).chain(&args.maps);
    let given: Variables<'_> = given.map(|var| (var.name.as_str(), var.value.clone())).collect();
    let expanded = |variables: &Variables<'_>| match args.iri {
        true => args.template.expand_iri(variables),
        false => args.template.expand(variables),
    };
    let input = &args.transform.input;
    if given != Variables::new() && input.files.is_empty() && input.items.is_empty() {
        let reference = expanded(&given).map_err(|error| format!("template: {error}"))?;
        writeln!(out, "{reference}")?;
        return Ok(Outcome::AllValid);
    }
    let mut transform = args.transform.clone();
    // The whole line is the object, whatever the name of the file says.
    transform.input.records.from.get_or_insert(From::Lines);
    transform::run(&transform, out, |item, made: &mut Text| {
        let mut variables = given.clone();
        add_json(utf8(item)?, &mut variables)
            .map_err(|message| ItemError::whole("not-variables", message, item))?;
        let made_of = expanded(&variables);
        made.output =
            made_of.map_err(|error| ItemError::whole("prefix-of-list", error.to_string(), item))?;
        Ok(())
    })
}

/// Adds the members of a JSON object to variables.
///
/// # Errors
/// A message: the text is not such an object.
fn add_json(text: &str, variables: &mut Variables<'_>) -> Result<(), String> {
    use serde_json::Value as Json;
    let object: serde_json::Map<String, Json> = serde_json::from_str(text).map_err(|error| {
        // The message of `serde_json` repeats a value, which may be a secret.
        let column = error.column();
        format!("not a JSON object of values (column {column}); write {{\"id\":\"7\"}}")
    })?;
    for (name, value) in object {
        let text = |value: Json| match value {
            Json::Null => Ok(None),
            Json::String(text) => Ok(Some(text)),
            Json::Bool(_) | Json::Number(_) => Ok(Some(value.to_string())),
            Json::Array(_) | Json::Object(_) => {
                Err("an item of a list or a map is a list or a map; write a text".to_owned())
            }
        };
        let value = match value {
            Json::Array(items) => {
                let items: Result<Vec<_>, _> =
                    items.into_iter().filter_map(|item| text(item).transpose()).collect();
                Some(Value::from(items?))
            }
            Json::Object(pairs) => {
                let pairs = pairs.into_iter().filter_map(|(key, value)| {
                    let value = text(value).transpose()?;
                    Some(value.map(|value| (key.into(), value.into())))
                });
                Some(Value::Map(pairs.collect::<Result<_, String>>()?))
            }
            other => text(other)?.map(Value::from),
        };
        // What is null is undefined, whatever the arguments say.
        variables.set(name, value.unwrap_or(Value::List(Vec::new())));
    }
    Ok(())
}

/// The values that a template finds in an item.
#[derive(Default, Serialize)]
struct Found {
    variables: Values,
}

/// Values by their names.
#[derive(Default)]
struct Values(Vec<(String, Value<'static>)>);

impl Values {
    fn of(captures: &Captures<'_, '_>) -> Self {
        let values = captures
            .iter()
            .map(|found| (found.name().to_owned(), found.value().clone().into_owned()));
        Self(values.collect())
    }
}

/// A JSON object of texts and arrays.
impl Serialize for Values {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            match value {
                Value::Text(text) => map.serialize_entry(name, text)?,
                Value::List(items) => map.serialize_entry(name, items)?,
                Value::Map(pairs) => map.serialize_entry(name, pairs)?,
            }
        }
        map.end()
    }
}

impl ItemOutput for Found {
    fn each_line(&self, write: &mut Line<'_>) -> io::Result<()> {
        write(&serde_json::to_vec(&self.variables)?)
    }
}

fn matched(args: &MatchArgs, out: &mut Outputs) -> Result<Outcome, Failure> {
    if args.query_as_set && !args.template.ends_in_query() {
        return Err("template: --query-as-set needs a template that ends in expressions with ? or &, without another ?".into());
    }
    let options = Match::new()
        .query_as_set(args.query_as_set)
        .known_pairs_only(args.known_pairs)
        .single_pairs_only(args.single_pairs);
    transform::run(&args.transform, out, |item, made: &mut Found| {
        let captures = options.match_uri(&args.template, utf8(item)?).ok_or_else(|| {
            ItemError::whole("no-match", "the template does not match this text", item)
        })?;
        made.variables = Values::of(&captures);
        Ok(())
    })
}
