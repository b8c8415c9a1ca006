//! Templates: expansions are those of RFC 6570, and a match is the definition of the crate.
//!
//! The witness of a match is a slow matcher: it lists every reading of a short text by the definition, and takes the
//! reading that the definition prefers.

use std::cell::Cell;
use std::fmt::Write;
use std::hint::black_box;
use std::ops::Range;

use proptest::prelude::*;
use proptest::sample::{Index, select};
use simd_iri::{IriRef, UriRef};
use simd_iri_template::{AmbiguityKind, Match, Template, TemplateErrorKind, Value, Variables};

use crate::support::*;

fn parsed(text: &str) -> Template {
    Template::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The variables of the examples of RFC 6570, section 3.2.
fn rfc() -> Variables<'static> {
    let mut variables = Variables::new();
    variables.set("count", ["one", "two", "three"]).set("dom", ["example", "com"]);
    variables.set("dub", "me/too").set("hello", "Hello World!").set("half", "50%");
    variables.set("var", "value").set("who", "fred").set("base", "http://example.com/home/");
    variables.set("path", "/foo/bar").set("list", ["red", "green", "blue"]);
    variables.set("keys", [("semi", ";"), ("dot", "."), ("comma", ",")]);
    variables.set("v", "6").set("x", "1024").set("y", "768").set("empty", "");
    variables.set("empty_keys", Vec::<&str>::new());
    variables
}

#[test]
fn the_examples_of_the_rfc() {
    for (template, expected) in [
        ("{half}", "50%25"),
        ("O{empty}X", "OX"),
        ("O{undef}X", "OX"),
        ("?{x,empty}", "?1024,"),
        ("?{undef,y}", "?768"),
        ("{var:30}", "value"),
        ("{keys}", "semi,%3B,dot,.,comma,%2C"),
        ("{keys*}", "semi=%3B,dot=.,comma=%2C"),
        ("{+hello}", "Hello%20World!"),
        ("{+half}", "50%25"),
        ("{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex"),
        ("{+base}index", "http://example.com/home/index"),
        ("{+path:6}/here", "/foo/b/here"),
        ("{+keys*}", "semi=;,dot=.,comma=,"),
        ("{#path,x}/here", "#/foo/bar,1024/here"),
        ("foo{#empty}", "foo#"),
        ("www{.dom*}", "www.example.com"),
        ("X{.empty_keys}", "X"),
        ("{/list*,path:4}", "/red/green/blue/%2Ffoo"),
        ("{/keys*}", "/semi=%3B/dot=./comma=%2C"),
        ("{;x,y,empty}", ";x=1024;y=768;empty"),
        ("{;v,bar,who}", ";v=6;who=fred"),
        ("{;list*}", ";list=red;list=green;list=blue"),
        ("{;keys}", ";keys=semi,%3B,dot,.,comma,%2C"),
        ("{?x,y,empty}", "?x=1024&y=768&empty="),
        ("{?keys*}", "?semi=%3B&dot=.&comma=%2C"),
        ("?fixed=yes{&x}", "?fixed=yes&x=1024"),
        ("{&var:3}", "&var=val"),
        ("'{var}'", "'value'"),
        ("café/{var}", "caf%C3%A9/value"),
    ] {
        assert_eq!(parsed(template).expand(&rfc()).unwrap(), expected, "{template}");
    }
}

#[test]
fn every_case() {
    let (mut count, mut wrong) = (0, String::new());
    let files = crate::cases::rows::<serde_json::Value>(&["input", "options", "expected"]);
    let of_templates = |path: &std::path::Path| path.to_string_lossy().contains("templates");
    for row in files.into_iter().filter(|(path, _)| of_templates(path)).flat_map(|(_, rows)| rows) {
        let got = answer(row["input"].as_str().unwrap(), &row["options"]);
        let expected = &row["expected"];
        let is_one = expected.as_array().is_some_and(|all| all.contains(&got));
        if *expected != got && !is_one {
            writeln!(wrong, "{row}: {got}").unwrap();
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{wrong}");
    println!("{count} cases");
    assert!(count >= 90, "the cases of tests/data");
}

/// The answer to a case.
fn answer(input: &str, options: &serde_json::Value) -> serde_json::Value {
    let template = options["template"].as_str().unwrap_or(input);
    let Ok(template) = Template::parse(template) else { return false.into() };
    match options["op"].as_str().unwrap() {
        "parse" => true.into(),
        "expand" => {
            let variables = options["variables"].as_object().unwrap().iter();
            let variables: Variables<'_> = variables
                .filter_map(|(name, value)| Some((name.clone(), of_json(value)?)))
                .collect();
            template.expand(&variables).map_or(false.into(), Into::into)
        }
        "match" => {
            let options = Match::new().query_as_set(options["query"] == "set");
            let Some(captures) = options.match_uri(&template, input) else { return ().into() };
            let values = captures.iter().map(|capture| {
                let value = match capture.value() {
                    Value::Text(text) => (&**text).into(),
                    Value::List(items) => items.iter().map(|item| &**item).collect(),
                    Value::Map(_) => panic!("a match gives no map"),
                };
                (capture.name().to_owned(), value)
            });
            serde_json::Value::Object(values.collect())
        }
        other => panic!("{other}"),
    }
}

/// A value of a variable in JSON. What is null is undefined.
fn of_json(value: &serde_json::Value) -> Option<Value<'static>> {
    let text = |value: &serde_json::Value| match value {
        serde_json::Value::Null => None,
        serde_json::Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    };
    match value {
        serde_json::Value::Array(items) => {
            Some(items.iter().filter_map(text).collect::<Vec<_>>().into())
        }
        serde_json::Value::Object(pairs) => {
            let pairs = pairs.iter().filter_map(|(key, value)| Some((key.clone(), text(value)?)));
            Some(Value::Map(pairs.map(|(key, value)| (key.into(), value.into())).collect()))
        }
        other => Some(text(other)?.into()),
    }
}

#[test]
fn an_error_has_its_place_and_its_correction() {
    use TemplateErrorKind as Kind;
    for (template, kind, span, says) in [
        ("/a b", Kind::NotInLiteral, 2..3, "' ' at byte 2 is not allowed in a literal; write %20"),
        (
            "é\u{7}",
            Kind::NotInLiteral,
            2..3,
            "U+0007 at byte 2 is not allowed in a literal; write %07",
        ),
        ("\u{FFFE}", Kind::NotInLiteral, 0..3, "write %EF%BF%BE"),
        ("/%4", Kind::BadTriplet, 1..2, "write %25"),
        ("{a%}", Kind::BadTriplet, 2..3, "'%' at byte 2"),
        ("a}", Kind::NoStart, 1..2, "'}' at byte 1 ends no expression"),
        ("a{b", Kind::NoEnd, 1..2, "the expression at byte 1 has no end"),
        ("{", Kind::NoEnd, 0..1, "the expression at byte 0 has no end"),
        ("{a*", Kind::NoEnd, 0..1, "the expression at byte 0 has no end"),
        ("{!a}", Kind::ReservedOperator, 1..2, "the operator '!' at byte 1 is reserved"),
        ("{}", Kind::NoName, 1..2, "missing at byte 1"),
        ("{?a,}", Kind::NoName, 4..5, "missing at byte 4"),
        ("{a.}", Kind::BadDot, 2..3, "the dot at byte 2"),
        ("{a..b}", Kind::BadDot, 3..4, "the dot at byte 3"),
        ("{+.a}", Kind::BadDot, 2..3, "the dot at byte 2"),
        ("{a:0}", Kind::BadPrefix, 3..4, "a number from 1 to 9999"),
        ("{a:12345}", Kind::BadPrefix, 3..4, "a number from 1 to 9999"),
        ("{a:", Kind::BadPrefix, 3..3, "at byte 3"),
        ("{a:3*}", Kind::NotInExpression, 4..5, "'*' at byte 4"),
        ("{é}", Kind::NotInExpression, 1..3, "'é' (U+00E9) at byte 1"),
    ] {
        let error = Template::parse(template).unwrap_err();
        assert_eq!((error.kind(), error.span()), (kind, span), "{template}");
        assert!(error.to_string().contains(says), "{template}: {error}");
    }
    let most = |count: usize| format!("{{{}a}}", "a,".repeat(count - 1));
    assert_eq!(parsed(&most(10_000)).level(), 3);
    let error = Template::parse(&most(10_001)).unwrap_err();
    assert_eq!(error.kind(), TemplateErrorKind::TooManyVariables);
    assert_eq!(error.span().start, 20_001);
}

#[test]
fn any_text_is_a_template_or_an_error_in_it() {
    let pieces = &[
        "{", "}", "a", "b", ",", ":", "3", "*", "+", "?", ".", "%41", "%", "é", "\u{E000}", " ",
        "\u{FFFF}", "=", "/",
    ];
    let (count, valid) = (Cell::new(0), Cell::new(0));
    let texts = prop::collection::vec(select(pieces), 0..12).prop_map(|pieces| pieces.concat());
    random(200_000, texts, |text| {
        count.set(count.get() + 1);
        match Template::parse(&text) {
            Ok(template) => {
                valid.set(valid.get() + 1);
                assert_eq!(template.as_str(), text);
                assert!((1..=4).contains(&template.level()));
                template.expand(&Variables::new()).unwrap();
            }
            Err(error) => {
                let span = error.span();
                assert!(text.get(span.clone()).is_some(), "{text}");
                assert!(
                    error.to_string().contains(&format!("at byte {}", span.start)),
                    "{text}: {error}"
                );
            }
        }
        Ok(())
    });
    println!("{} templates", valid.get());
    assert!(valid.get() * 50 > count.get());
}

/*
The slow matcher. A template is a list of parts, from which its text is written, and a text is a list of tokens.
*/

#[derive(Clone, Debug)]
enum Part {
    Literal(&'static str),
    /// The operator, or an empty text, and the variables.
    Expression(&'static str, Vec<Var>),
}

#[derive(Clone, Copy, Debug)]
struct Var {
    name: &'static str,
    list: bool,
    prefix: Option<usize>,
}

const fn var(name: &'static str) -> Var {
    Var { name, list: false, prefix: None }
}

fn text_of(parts: &[Part]) -> String {
    let mut text = String::new();
    for part in parts {
        match part {
            Part::Literal(literal) => text.push_str(literal),
            Part::Expression(operator, variables) => {
                let variables = variables.iter().map(|variable| {
                    let prefix =
                        variable.prefix.map_or(String::new(), |length| format!(":{length}"));
                    format!("{}{prefix}{}", variable.name, if variable.list { "*" } else { "" })
                });
                let variables: Vec<_> = variables.collect();
                write!(text, "{{{operator}{}}}", variables.join(",")).unwrap();
            }
        }
    }
    text
}

/// The tokens of a text: characters, triplets, and the triplets of `é`.
fn tokens(text: &str) -> Vec<&str> {
    let (mut tokens, mut rest) = (Vec::new(), text);
    while !rest.is_empty() {
        let length = match rest {
            _ if rest.starts_with("%C3%A9") => 6,
            _ if rest.starts_with('%') => 3,
            _ => 1,
        };
        let (token, after) = rest.split_at(length);
        tokens.push(token);
        rest = after;
    }
    tokens
}

fn is_unreserved(token: &str) -> bool {
    token.len() > 1 || token.chars().all(|c| c.is_ascii_alphanumeric() || "-._~".contains(c))
}

/// A value: its items as ranges of tokens, and its place.
#[derive(Clone, Debug, PartialEq)]
struct Read {
    name: &'static str,
    items: Vec<Range<usize>>,
    list: bool,
    whole: Range<usize>,
}

/// A reading of an expression: a value for each variable that has one, by its number.
type Reading = Vec<(usize, Read)>;

/// What the definition prefers: more variables, then a longer first value, and so on.
fn preference(reading: &Reading, variables: usize) -> Vec<i64> {
    let mut key = vec![-1; variables];
    for (number, read) in reading {
        key[*number] = read.whole.len() as i64;
    }
    key.insert(0, reading.len() as i64);
    key
}

struct Slow<'a> {
    tokens: Vec<&'a str>,
}

impl Slow<'_> {
    fn is(&self, at: usize, token: &str) -> bool {
        self.tokens.get(at) == Some(&token)
    }

    /// The ends of the values that begin at `at`, by whether a token may be in them.
    fn ends(&self, at: usize, longest: Option<usize>, may: impl Fn(&str) -> bool) -> Vec<usize> {
        let run = self.tokens[at..].iter().take_while(|token| may(token)).count();
        (at..=at + run.min(longest.unwrap_or(usize::MAX))).collect()
    }

    fn split(&self, whole: Range<usize>, separator: &str) -> Vec<Range<usize>> {
        let mut items = Vec::from([whole.clone()]);
        for at in whole.clone().filter(|at| self.is(*at, separator)) {
            items.last_mut().unwrap().end = at;
            items.push(at + 1..whole.end);
        }
        items
    }

    /// The readings of an expression that begins at `at`, each with its end.
    fn expression(&self, operator: &str, variables: &[Var], at: usize) -> Vec<(Reading, usize)> {
        let mut all = vec![(Vec::new(), at)];
        let is_named = [";", "?", "&"].contains(&operator);
        let first = if operator == "+" { "" } else { operator };
        let start = match first {
            "" => at,
            _ if self.is(at, first) => at + 1,
            _ => return all,
        };
        if is_named {
            self.pairs(operator, variables, 0, start, &Vec::new(), &mut all);
        } else {
            self.values(operator, variables, start, &Vec::new(), &mut all);
            // An empty expression has no value.
            all.retain(|(reading, end)| !first.is_empty() || reading.is_empty() || *end > at);
        }
        all
    }

    fn values(
        &self,
        operator: &str,
        variables: &[Var],
        at: usize,
        before: &Reading,
        all: &mut Vec<(Reading, usize)>,
    ) {
        let number = before.len();
        let Some(variable) = variables.get(number) else { return };
        let separator = match operator {
            "" | "+" | "#" => ",",
            other => other,
        };
        let keeps = ["+", "#"].contains(&operator);
        let several = variables.len() > 1;
        let has_list =
            !keeps && variable.prefix.is_none() && !variable.list && (separator != "," || !several);
        let may = |token: &str| {
            let is_inside = keeps || is_unreserved(token) || has_list && token == ",";
            let divides = token == separator && (several || variable.list);
            if variable.list && token == separator { true } else { is_inside && !divides }
        };
        for end in self.ends(at, variable.prefix, may) {
            let whole = at..end;
            let items = match () {
                () if variable.list => self.split(whole.clone(), separator),
                () if has_list => self.split(whole.clone(), ","),
                () => vec![whole.clone()],
            };
            let list = variable.list || items.len() > 1;
            let mut reading = before.clone();
            reading.push((number, Read { name: variable.name, items, list, whole }));
            if self.is(end, separator) {
                self.values(operator, variables, end + 1, &reading, all);
            }
            all.push((reading, end));
        }
    }

    fn pairs(
        &self,
        operator: &str,
        variables: &[Var],
        from: usize,
        at: usize,
        before: &Reading,
        all: &mut Vec<(Reading, usize)>,
    ) {
        let separator = if operator == ";" { ";" } else { "&" };
        for (number, variable) in variables.iter().enumerate().skip(from) {
            let after = at + variable.name.len();
            if self.tokens.get(at..after).is_none_or(|name| name.concat() != variable.name) {
                continue;
            }
            let has_list = variable.prefix.is_none() && !variable.list;
            let mut ends = Vec::new();
            if self.is(after, "=") {
                let may = |token: &str| is_unreserved(token) || has_list && token == ",";
                let values = self.ends(after + 1, variable.prefix, may);
                let values = values.into_iter().map(|end| after + 1..end);
                ends.extend(values.filter(|value| operator != ";" || !value.is_empty()));
            }
            if operator == ";" {
                ends.push(after..after);
            }
            for value in ends {
                let mut reading = before.clone();
                let end = value.end;
                match reading.last_mut() {
                    Some((last, read)) if *last == number => {
                        read.items.push(value);
                        read.whole.end = end;
                    }
                    _ => {
                        let items =
                            if has_list { self.split(value.clone(), ",") } else { vec![value] };
                        let list = variable.list || items.len() > 1;
                        let read = Read { name: variable.name, items, list, whole: at..end };
                        reading.push((number, read));
                    }
                }
                if self.is(end, separator) {
                    let next = if variable.list { number } else { number + 1 };
                    self.pairs(operator, variables, next, end + 1, &reading, all);
                }
                all.push((reading, end));
            }
        }
    }

    /// The preferred reading of the rest of the text, with its preferences.
    fn best(&self, parts: &[Part], at: usize) -> Option<(Vec<Vec<i64>>, Vec<Read>)> {
        let Some((part, rest)) = parts.split_first() else {
            return (at == self.tokens.len()).then(Default::default);
        };
        match part {
            Part::Literal(literal) => {
                let literal = tokens(literal);
                let end = at + literal.len();
                if self.tokens.get(at..end)? != literal { None } else { self.best(rest, end) }
            }
            Part::Expression(operator, variables) => {
                let readings = self.expression(operator, variables, at).into_iter();
                let whole = readings.filter_map(|(reading, end)| {
                    let (mut keys, mut reads) = self.best(rest, end)?;
                    keys.insert(0, preference(&reading, variables.len()));
                    let own = reading.into_iter().map(|(_, read)| read);
                    reads.splice(0..0, own);
                    Some((keys, reads))
                });
                whole.max_by(|(one, _), (other, _)| one.cmp(other))
            }
        }
    }
}

/// Whether the definition of the crate leaves the order of the definition: a variable after a list has a prefix, or may
/// have commas that the list may not have.
fn is_mixed(parts: &[Part]) -> bool {
    parts.iter().any(|part| match part {
        Part::Literal(_) => false,
        Part::Expression(operator, variables) => {
            let after = variables.iter().skip_while(|variable| !variable.list).skip(1);
            let has_commas = ["/", "."].contains(operator);
            let mut after = after.filter(|_| ![";", "?", "&"].contains(operator));
            after.any(|variable| variable.prefix.is_some() || has_commas && !variable.list)
        }
    })
}

fn compare(parts: &[Part], text: &str) -> bool {
    let template = parsed(&text_of(parts));
    let captures = template.match_uri(text);
    let slow = Slow { tokens: tokens(text) };
    let best = slow.best(parts, 0);
    let context = || format!("{template} on {text}");
    let (Some(captures), Some((_, reads))) = (&captures, &best) else {
        assert_eq!(captures.is_some(), best.is_some(), "{}", context());
        return false;
    };
    // The captures expand to the text.
    let again = template.expand(&Variables::from(captures)).unwrap();
    assert_eq!(again, text, "{}", context());
    if !is_mixed(parts) {
        let found: Vec<_> = captures
            .iter()
            .map(|capture| {
                let is_list = matches!(capture.value(), Value::List(_));
                (capture.name(), capture.raw().map(str::to_owned).collect::<Vec<_>>(), is_list)
            })
            .collect();
        let expected: Vec<_> = reads
            .iter()
            .map(|read| {
                let items = read.items.iter().map(|item| slow.tokens[item.clone()].concat());
                (read.name, items.collect::<Vec<_>>(), read.list)
            })
            .collect();
        assert_eq!(found, expected, "{}", context());
    }
    true
}

/// The expressions of small templates, with the names `a` and `b`, or `c` and `d`.
fn expressions(one: &'static str, two: &'static str) -> Vec<Part> {
    let list = |name| Var { list: true, ..var(name) };
    let prefix = |name, length| Var { prefix: Some(length), ..var(name) };
    let shapes = [
        vec![var(one)],
        vec![list(one)],
        vec![prefix(one, 1)],
        vec![prefix(one, 2)],
        vec![var(one), var(two)],
        vec![list(one), var(two)],
        vec![var(one), list(two)],
        vec![prefix(one, 1), var(two)],
        vec![list(one), list(two)],
        vec![list(one), prefix(two, 1)],
    ];
    let operators = ["", "+", "#", ".", "/", ";", "?", "&"];
    let of = |operator| shapes.iter().map(move |shape: &Vec<Var>| (operator, shape.clone()));
    let all = operators.into_iter().flat_map(of);
    all.map(|(operator, shape)| Part::Expression(operator, shape)).collect()
}

const LITERALS: &[&str] =
    &["/", "a-b-a-b-a-b-a-b-a", "a/a/a", "-", "a", ",", ".", "a=", "=", "%C3%A9", "&a", ";a"];

/// What values and texts are made of.
const TOKENS: &[&str] =
    &["a", "b", "c", "-", ".", ",", "/", "=", "&", ";", "?", "#", "%2C", "%C3%A9", "%2F"];

/// A value for a variable, of few tokens.
fn values() -> impl Strategy<Value = Option<Value<'static>>> {
    let text = prop::collection::vec(select(&["a", "b", "-", ".", "é", ",", "/", ""][..]), 0..3);
    let text = text.prop_map(|pieces| pieces.concat());
    prop_oneof![
        1 => Just(None),
        3 => text.clone().prop_map(|text| Some(text.into())),
        2 => prop::collection::vec(text, 1..4).prop_map(|items| Some(items.into())),
    ]
}

/// A text that a template may match: an expansion, in which a token may be replaced, or tokens.
fn near(
    parts: &[Part],
    given: &[Option<Value<'static>>],
    edit: (Option<&'static str>, Index),
) -> String {
    let template = parsed(&text_of(parts));
    let names = ["a", "b", "c", "d"].into_iter().zip(given);
    let has_prefix = |name: &str| template.as_str().contains(&format!("{name}:"));
    let variables: Variables<'_> = names
        .filter_map(|(name, value)| match value {
            Some(Value::List(items)) if has_prefix(name) => {
                Some((name, items.first()?.clone().into()))
            }
            value => Some((name, value.clone()?)),
        })
        .collect();
    let text = template.expand(&variables).unwrap();
    let (token, index) = edit;
    let Some(token) = token else { return text };
    let mut all: Vec<&str> = tokens(&text);
    if all.is_empty() {
        return token.to_owned();
    }
    let at = index.index(all.len());
    all[at] = token;
    all.concat()
}

#[test]
fn a_match_is_that_of_the_definition() {
    let part = |one, two| {
        prop_oneof![
            3 => select(expressions(one, two)),
            1 => select(LITERALS).prop_map(Part::Literal),
        ]
    };
    let edit = (prop::option::of(select(TOKENS)), any::<Index>());
    let inputs = (part("a", "b"), part("c", "d"), select(LITERALS), 0..4_u8);
    let given = prop::collection::vec(values(), 4);
    let (matches, count) = (Cell::new(0), Cell::new(0));
    random(400_000, (inputs, given, edit), |((one, two, literal, order), given, edit)| {
        let literal = Part::Literal(literal);
        let parts = match order {
            0 => vec![one],
            1 => vec![one, two],
            2 => vec![one, literal, two],
            _ => vec![literal, one, two],
        };
        let text = near(&parts, &given, edit);
        count.set(count.get() + 1);
        matches.set(matches.get() + usize::from(compare(&parts, &text)));
        Ok(())
    });
    println!("{} matches", matches.get());
    assert!(matches.get() * 4 > count.get(), "enough of the texts match");
}

#[test]
fn every_short_text_and_every_small_template() {
    let alphabet = ["a", ",", "=", "/", ".", "&", "?", ";"];
    let mut texts = vec![String::new()];
    for length in 1..=4 {
        let longer = texts.iter().filter(|text| text.len() == length - 1);
        let longer: Vec<_> = longer
            .flat_map(|text| alphabet.iter().map(move |token| format!("{text}{token}")))
            .collect();
        texts.extend(longer);
    }
    let mut templates: Vec<_> = expressions("a", "b").into_iter().map(|part| vec![part]).collect();
    for one in expressions("a", "b") {
        templates.push(vec![one.clone(), Part::Literal("a")]);
        templates.push(vec![Part::Literal("/"), one.clone(), Part::Literal(",")]);
        templates
            .extend(expressions("c", "d").into_iter().step_by(3).map(|two| vec![one.clone(), two]));
    }
    let jobs = templates.len();
    let count =
        count_all(jobs, |job| texts.iter().filter(|text| compare(&templates[job], text)).count());
    println!("{jobs} templates, {} texts, {count} matches", texts.len());
}

/// A template whose parts are in the order of a reference, so that its expansions are references.
fn of_reference() -> impl Strategy<Value = String> {
    let front = select(&["http://h", "http://é.example", "", "//h"][..]);
    let path = prop::collection::vec(
        select(&["/{a}", "{/b*}", "/é", "/x{.c}", "/{d:2}", "{;e,f}", "/{g,h}"][..]),
        1..4,
    );
    let query = select(&["", "{?q,r*}", "?x=1{&q}{&r*}", "{?q:3}", "?\u{E000}={q}"][..]);
    let fragment = select(&["", "{#s}", "#é{t}"][..]);
    (front, path, query, fragment).prop_map(|(front, path, query, fragment)| {
        format!("{front}/p{}{query}{fragment}", path.concat())
    })
}

/// Texts with characters of every kind.
fn any_value() -> impl Strategy<Value = Option<Value<'static>>> {
    const PIECES: &[&str] = &[
        "a", "Z", "1", "-", ".", "~", "_", "!", "/", "?", "#", "[", "%", "%41", "%C3%A9", " ",
        "\"", "|", "\0", "é", "例", "😀", "e\u{301}", "\u{202E}", "\u{E000}", "\u{FFFF}", ",", "=",
        "&", ";", "+",
    ];
    let text = prop::collection::vec(select(PIECES), 0..6).prop_map(|pieces| pieces.concat());
    prop_oneof![
        1 => Just(None),
        4 => text.clone().prop_map(|text| Some(text.into())),
        1 => prop::collection::vec(text, 0..4).prop_map(|items| Some(items.into())),
    ]
}

fn variables<'a>(given: &'a [Option<Value<'static>>], template: &Template) -> Variables<'a> {
    let names: Vec<&'static str> = vec!["a", "b", "c", "d", "e", "f", "g", "h", "q", "r", "s", "t"];
    let has_prefix = |name: &str| template.as_str().contains(&format!("{name}:"));
    let all = names.into_iter().zip(given).filter_map(|(name, value)| {
        let value = value.clone()?;
        (!has_prefix(name) || matches!(value, Value::Text(_))).then_some((name, value))
    });
    all.collect()
}

#[test]
fn an_expansion_is_a_reference_and_its_iri_is_the_same_reference() {
    let given = prop::collection::vec(any_value(), 12);
    random(100_000, (of_reference(), given), |(text, given)| {
        let template = parsed(&text);
        let mut variables = variables(&given, &template);
        // The operator `#` keeps these characters, which a fragment may not have.
        if let Some(Value::Text(text)) = variables.get("s") {
            variables.set("s", text.replace(['#', '[', ']'], ""));
        } else {
            variables.set("s", Vec::<&str>::new());
        }
        let uri = template.expand(&variables).unwrap();
        UriRef::parse(&uri).unwrap_or_else(|error| panic!("{text}: {uri}: {error}"));
        let iri = template.expand_iri(&variables).unwrap();
        let view = IriRef::parse(&iri).unwrap_or_else(|error| panic!("{text}: {iri}: {error}"));
        assert_eq!(view.to_uri().unwrap().as_str(), uri, "{text}");
        // Both spellings are read alike.
        let (from_uri, from_iri) = (template.match_uri(&uri), template.match_uri(&iri));
        let values = |captures: &simd_iri_template::Captures<'_, '_>| {
            let all = captures.iter().map(|found| (found.name().to_owned(), found.spans().len()));
            all.collect::<Vec<_>>()
        };
        assert_eq!(from_uri.as_ref().map(values), from_iri.as_ref().map(values), "{text}: {uri}");
        // What a match finds makes the text again.
        if let Some(captures) = &from_uri {
            assert_eq!(template.expand(&Variables::from(captures)).unwrap(), uri, "{text}");
            for capture in captures {
                for (span, raw) in capture.spans().iter().zip(capture.raw()) {
                    assert_eq!(&uri[span.clone()], raw, "{text}");
                }
            }
        }
        // An expansion is of the language, unless a list is where only a text may be.
        let is_text = given.iter().flatten().all(|value| matches!(value, Value::Text(_)));
        let all = text.matches(['{', ',']).count();
        let is_once = template.variables().count() == all;
        assert!(!is_text || !is_once || from_uri.is_some(), "{text}: {uri}");
        Ok(())
    });
}

#[test]
fn a_match_gives_the_values_back_without_an_ambiguity() {
    const TEMPLATES: &[&str] = &[
        "/{a}",
        "/{a}/{b}{?c,d}",
        "{/a}{?b*}{&c}{#d}",
        "http://h/{a}{;b,c*}{/d*}",
        "{+a}",
        "{#a}",
        "{?a:2,b}",
        "x{.a}/{b}",
        "/{a}{/b*}{?c}",
        "é/{a}:{b}",
        "{a}{+b}",
        "{a,b}",
        "{.a*}",
        "{+a}/x",
        "{a}{b}",
        "{/a}{/b}",
        "{;a}b",
    ];
    let given = prop::collection::vec(any_value(), 4);
    let count = Cell::new(0);
    random(100_000, (select(TEMPLATES), given), |(text, given)| {
        let template = parsed(text);
        let ambiguous =
            ["{a}{+b}", "{a,b}", "{.a*}", "{+a}/x", "{a}{b}", "{/a}{/b}", "{;a}b"].contains(&text);
        assert_eq!(template.ambiguities().is_empty(), !ambiguous, "{text}");
        let variables = variables(&given, &template);
        let uri = template.expand(&variables).unwrap();
        if ambiguous {
            return Ok(());
        }
        let captures = template.match_uri(&uri).unwrap_or_else(|| panic!("{text}: {uri}"));
        for name in template.variables() {
            let has = |modifier: &str| text.contains(&format!("{name}{modifier}"));
            let keeps = text.contains(&format!("+{name}")) || text.contains(&format!("#{name}"));
            let found = captures.get(name).map(|capture| capture.value().clone());
            let expected = match variables.get(name) {
                // An empty text without a first character is not seen. Others lose whether they were a list.
                None => None,
                Some(Value::List(items)) if items.is_empty() => None,
                Some(Value::Text(value)) if has("*") => Some(vec![value.clone()].into()),
                Some(Value::Text(value)) if has(":2") => {
                    Some(value.chars().take(2).collect::<String>().into())
                }
                Some(Value::List(items)) if items.len() == 1 && !has("*") => {
                    Some(Value::Text(items[0].clone()))
                }
                Some(value) => Some(value.clone()),
            };
            if keeps {
                continue;
            }
            let is_empty = expected == Some("".into()) && found.is_none();
            assert!(is_empty || found == expected, "{text}: {uri}: {name}");
            count.set(count.get() + 1);
        }
        Ok(())
    });
    println!("{} values", count.get());
}

#[test]
fn a_query_as_a_set_has_the_same_pairs_in_any_order() {
    let given = prop::collection::vec(any_value(), 12);
    let order = prop::collection::vec(any::<Index>(), 8);
    let front = select(&["/p/{a}{?q,r*}", "/p{/b*}{?q}{&r*,s}", "{+c}{?q,r*,s,t}"][..]);
    random(100_000, (front, given, order), |(text, given, order)| {
        let template = parsed(text);
        // A plus sign and others may stand in a value of a set, and a comma makes no list there.
        let mut variables = variables(&given, &template);
        for name in ["q", "s", "t"] {
            // Without a pair of `{?q}`, the pairs of `{&r*}` are no query.
            let is_first = name == "q" && text.contains("{?q}");
            let value = variables.get(name);
            if matches!(value, Some(Value::List(_))) || is_first && value.is_none() {
                variables.set(name, "x,y");
            }
        }
        variables.set("c", "/");
        let uri = template.expand(&variables).unwrap();
        let (front, query) = uri.split_once('?').unwrap_or((&uri, ""));
        // Another order of the pairs, in which those of one name keep theirs, and unknown pairs between.
        let mut pairs: Vec<&str> = query.split('&').filter(|pair| !pair.is_empty()).collect();
        for index in &order {
            if pairs.len() > 1 {
                let at = index.index(pairs.len() - 1);
                let name = |pair: &str| pair.split('=').next().unwrap().to_owned();
                if name(pairs[at]) != name(pairs[at + 1]) {
                    pairs.swap(at, at + 1);
                }
            }
        }
        pairs.push("unknown=1");
        let shuffled = format!("{front}?{}#f", pairs.join("&"));
        let set = Match::new().query_as_set(true);
        let captures =
            set.match_uri(&template, &shuffled).unwrap_or_else(|| panic!("{text}: {shuffled}"));
        let again = template.expand(&Variables::from(&captures)).unwrap();
        assert_eq!(again, uri, "{shuffled}");
        assert!(set.known_pairs_only(true).match_uri(&template, &shuffled).is_none());
        pairs.push(pairs[0]);
        let repeated = format!("{front}?{}", pairs.join("&"));
        let is_list = pairs[0].starts_with("r=") || pairs[0] == "unknown=1";
        assert_eq!(
            set.single_pairs_only(true).match_uri(&template, &repeated).is_some(),
            is_list,
            "{repeated}"
        );
        Ok(())
    });
}

#[test]
fn what_a_match_refuses() {
    for (template, text) in [
        ("{a}", "%"),
        ("{a}", "%4"),
        ("{a}", "a b"),
        ("{a}", "%FF"),
        ("{a}", "\u{FFFE}"),
        ("{a}", "\u{E000}"),
        ("{a:1}", "ab"),
        ("{a:1}", "%C3%A9%C3%A9"),
        ("%C3{+a}", "%C3%A9"),
        ("%FF{a}", "ÿ"),
        ("{+a}%A9", "%C3%A9"),
        ("{a}{a}x", "abx"),
        ("{a:2}/{a}", "ab/ac"),
        ("{;a}", ";a="),
        ("{?a}", "?a"),
        ("{a}", "[1]"),
        ("{+a,b}", "1,2,3"),
        ("{+a}/{a}", "%2F/%2F"),
        ("A", "%41"),
        ("%41", "A"),
    ] {
        assert!(parsed(template).match_uri(text).is_none(), "{template} on {text}");
    }
    for (template, text, name, value) in [
        ("{a:1}", "%C3%A9", "a", "é"),
        ("{a:1}", "é", "a", "é"),
        ("{+a:1}", "%c3%a9", "a", "%c3%a9"),
        ("é{a}", "%c3%a9%2f", "a", "/"),
        ("%C3%A9{a}", "éx", "a", "x"),
        ("%2f{a}", "%2Fx", "a", "x"),
        ("{?a}", "?a=\u{E000}", "a", "\u{E000}"),
        ("{a:1}/{a}", "a/ab", "a", "ab"),
        ("{a}/{a:1}", "ab/a", "a", "ab"),
        ("{a}/{a}", "%41/A", "a", "A"),
        ("{+a}/{a}", "%41/A", "a", "A"),
        ("{+a}/{a}", "%20/%20", "a", " "),
        ("{a*}/{a}", "x/x", "a", "x"),
        ("{a*,b}", "1,2,3", "b", "3"),
        ("{a}{b:1}", "xyz", "a", "xyz"),
        ("{a:1}{b:1}{c}", "xyz", "c", "z"),
    ] {
        let template = parsed(template);
        let captures = template.match_uri(text).unwrap_or_else(|| panic!("{template} on {text}"));
        assert_eq!(captures.text(name), Some(value), "{template} on {text}");
    }
}

/// Above 64 steps, the places are computed in blocks.
#[test]
fn a_long_template_is_matched_as_a_short_one_is() {
    for count in (1..70).chain([200, 1000]) {
        let names: Vec<_> = (0..count).map(|number| format!("a{number}")).collect();
        let each = |piece: &dyn Fn(&String) -> String| names.iter().map(piece).collect::<String>();
        // Each expression is absent.
        for piece in ["{/#}", "{?#}", "{#}", "{;#*}", "{.#:3}"] {
            let template = parsed(&each(&|name| piece.replacen('#', name, 1)));
            assert_eq!(
                template.match_uri("").map(|captures| captures.iter().len()),
                Some(0),
                "{piece}"
            );
        }
        // One value each, and the first value as long as it can be, with three dots more than literals.
        for (template, text, first) in [
            (each(&|name| format!("{{{name}}}/")), each(&|name| format!("{name}/")), "a0"),
            (each(&|name| format!("{{/{name}}}")), each(&|name| format!("/{name}")), "a0"),
            (
                each(&|name| format!("{{{name}:9}}.")),
                "x.y.z.".to_owned() + &each(&|name| format!("{name}.")),
                "",
            ),
            (
                each(&|name| format!("{{+{name}}}.")),
                "x.y.z.".to_owned() + &each(&|name| format!("{name}.")),
                "x.y.z.a0",
            ),
            (
                format!("{{?{}}}", names.join(",")),
                format!("?{}", each(&|name| format!("{name}={name}&"))),
                "",
            ),
            (
                format!("{{?{}}}", names.join(",")),
                format!("?{}z=", each(&|name| format!("{name}={name}&"))),
                "",
            ),
            (
                each(&|name| format!("{{+{name}}}-a-a-a-a-a-a-a-a-a")),
                "-a".repeat(6) + &each(&|name| format!("{name}-a-a-a-a-a-a-a-a-a")),
                "",
            ),
            (each(&|name| format!("{{;{name}*}}")), each(&|name| format!(";{name}={name}")), ""),
        ] {
            let text = text.trim_end_matches('&');
            let template = parsed(&template);
            let captures = template.match_uri(text);
            if text.ends_with("z=") {
                assert!(captures.is_none(), "{count}");
                continue;
            }
            let captures =
                captures.unwrap_or_else(|| panic!("{count}: {template:.30} on {text:.30}"));
            assert_eq!(captures.iter().len(), count);
            assert_eq!(template.expand(&Variables::from(&captures)).unwrap(), text, "{count}");
            if !first.is_empty() {
                assert_eq!(captures.text("a0"), Some(first), "{count}");
                let others = captures
                    .iter()
                    .skip(1)
                    .all(|found| *found.value() == Value::from(found.name()));
                assert!(others, "{count}: {template:.30}");
            }
        }
    }
}

#[test]
fn an_iri_keeps_what_it_may_have_at_that_place() {
    let variables = Variables::from([("a", "é\u{E000}\u{202E}\u{FFFE}")]);
    let (private, others) = ("%EE%80%80", "%E2%80%AE%EF%BF%BE");
    for (template, expected) in [
        ("/{a}", format!("/é{private}{others}")),
        ("{?a}", format!("?a=é\u{E000}{others}")),
        ("?x{&a}", format!("?x&a=é\u{E000}{others}")),
        ("{&a}", format!("&a=é{private}{others}")),
        ("?{a}", format!("?é{private}{others}")),
        ("#?{&a}", format!("#?&a=é{private}{others}")),
        (
            "/\u{E000}?\u{E000}#\u{E000}é\u{202E}",
            format!("/{private}?\u{E000}#{private}é%E2%80%AE"),
        ),
    ] {
        assert_eq!(parsed(template).expand_iri(&variables).unwrap(), expected, "{template}");
    }
}

#[test]
fn ambiguities_have_their_places() {
    for (template, expected) in [
        ("/{a}{b}", &[(AmbiguityKind::Next, 1..4)][..]),
        ("{+a}/here", &[(AmbiguityKind::Next, 0..4)]),
        ("{a}{?b}{c}", &[(AmbiguityKind::Next, 0..3), (AmbiguityKind::Next, 3..7)]),
        ("{.x,y}", &[(AmbiguityKind::Separator, 0..6), (AmbiguityKind::Shift, 0..6)]),
        ("{a}{?b}{#c}", &[]),
    ] {
        let found = parsed(template).ambiguities();
        let found: Vec<_> = found.iter().map(|found| (found.kind(), found.span())).collect();
        assert_eq!(found, expected, "{template}");
    }
}

/// The least time of three matches, in nanoseconds.
fn time_of(template: &Template, text: &str) -> f64 {
    let times = (0..3).map(|_| {
        let start = crate::cost::time();
        black_box(template.match_uri(black_box(text)).is_some());
        (crate::cost::time() - start).as_nanos() as f64
    });
    times.fold(f64::MAX, f64::min)
}

/// Templates and texts that take a search exponential or quadratic time.
#[test]
fn the_time_of_a_match_is_linear_in_the_text() {
    const LENGTH: usize = 1 << 20;
    let many = |piece: &str, count: usize| {
        let one = |number: usize| piece.replace('#', &number.to_string());
        (0..count).map(one).collect::<String>()
    };
    let templates = [
        ("{id*}".to_owned(), ",", "/"),
        ("users{/a*,b}".to_owned(), "/", ""),
        ("users{/a*,b,c}".to_owned(), "/x", ""),
        ("{a*,b}".to_owned(), "x,", ""),
        ("users{#a*,b*}".to_owned(), "#,", ""),
        ("users{/id*}".to_owned(), "/u", "/,"),
        ("users{/id*}".to_owned(), "/u", "["),
        (many("{a#}", 100), "a", "/"),
        (many("{+a#}", 100), "a", "/"),
        (many("{+a#}-", 100), "-", "x"),
        (many("{a#:1}", 100), "a", "a"),
        (many("{a#:9999}-", 100), "a-", "x"),
        (many("{&a#*}", 30), "&a1=", "/"),
        (many("{;a#*}", 30), ";a1", "/"),
        (format!("{{?{}z}}", many("a#,", 100)), "&a1=", ""),
        (many("{/a#,b#*}", 50), "/", ","),
        (format!("{{a}}{}b{{c}}", "a".repeat(1000)), "a", "/"),
    ];
    for (template, piece, end) in templates {
        let template = parsed(&template);
        let text = |length: usize| format!("users{}{end}", piece.repeat(length / piece.len()));
        let is_dear = (0..5).all(|_| {
            let (short, long) =
                (time_of(&template, &text(LENGTH / 8)), time_of(&template, &text(LENGTH)));
            println!(
                "{:.0} ms, {:.1} times the time of an eighth: {template:.30}",
                long / 1e6,
                long / short
            );
            long > 3.0 * 8.0 * short
        });
        assert!(!is_dear, "{template:.30}");
    }
}
