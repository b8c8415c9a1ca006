//! A match and its options, and the pairs of a query in any order.
#![forbid(unsafe_code)]

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::captures::{Captures, VariablePlace};
use super::symbols::Symbols;
use super::{Modifier, Part, Template};
use simd_iri::low::slice;
use simd_iri::percent;

/// The options of a match.
///
/// ```
/// use simd_iri_template::{Match, Template};
///
/// let template = Template::parse("/search{?q,page}")?;
/// let any_order = Match::new().query_as_set(true);
/// let captures = any_order.match_uri(&template, "/search?page=2&x=1&q=a+b").unwrap();
/// assert_eq!(captures.text("q"), Some("a+b"));
/// assert_eq!(captures.text("page"), Some("2"));
/// assert!(template.match_uri("/search?page=2&q=a").is_none());
/// # Ok::<(), simd_iri_template::TemplateError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Match {
    query_as_set: bool,
    known_pairs_only: bool,
    single_pairs_only: bool,
}

impl Match {
    /// Creates the usual options: a query has the pairs of the template alone, in their order.
    ///
    /// ```
    /// # use simd_iri_template::{Match, Template};
    /// let template = Template::parse("{?a,b}").unwrap();
    /// assert!(Match::new().match_uri(&template, "?b=1&a=2").is_none());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { query_as_set: false, known_pairs_only: false, single_pairs_only: false }
    }

    /// Takes the pairs of a query in any order. Ignores pairs that the template does not have, and the fragment. This is
    /// disabled by default.
    ///
    /// The reference is cut at the first `?` or `#`. The part before is matched as always. A value is any text of a query
    /// and is decoded; a plus sign stays a plus sign, and a comma makes no list. A pair without an equals sign has the
    /// empty value. If a pair is repeated, its first value counts, or all of its values as a list if the variable has a
    /// `*`.
    ///
    /// The option is for a template that ends in expressions with `?` or `&` ([`Template::ends_in_query`]). Any other
    /// template is matched as if the option were disabled.
    ///
    /// ```
    /// # use simd_iri_template::{Match, Template, Value};
    /// let template = Template::parse("/s{?q,tag*}").unwrap();
    /// let captures = Match::new().query_as_set(true).match_uri(&template, "/s?tag=1&q&tag=2").unwrap();
    /// assert_eq!(captures.get("tag").unwrap().value(), &Value::from(["1", "2"]));
    /// assert_eq!(captures.text("q"), Some(""));
    /// ```
    #[must_use]
    pub const fn query_as_set(self, query_as_set: bool) -> Self {
        Self { query_as_set, ..self }
    }

    /// With the query as a set, a pair that the template does not have is no match. This is disabled by default.
    ///
    /// ```
    /// # use simd_iri_template::{Match, Template};
    /// let template = Template::parse("/s{?q}").unwrap();
    /// let strict = Match::new().query_as_set(true).known_pairs_only(true);
    /// assert!(strict.match_uri(&template, "/s?q=1&x=2").is_none());
    /// ```
    #[must_use]
    pub const fn known_pairs_only(self, known_pairs_only: bool) -> Self {
        Self { known_pairs_only, ..self }
    }

    /// With the query as a set, a repeated pair is no match unless its variable has a `*`. This is disabled by default.
    ///
    /// ```
    /// # use simd_iri_template::{Match, Template};
    /// let template = Template::parse("/s{?q}").unwrap();
    /// let strict = Match::new().query_as_set(true).single_pairs_only(true);
    /// assert!(strict.match_uri(&template, "/s?q=1&q=2").is_none());
    /// ```
    #[must_use]
    pub const fn single_pairs_only(self, single_pairs_only: bool) -> Self {
        Self { single_pairs_only, ..self }
    }

    /// Reads the values of the variables of a template from a text, as [`Template::match_uri`] does, with these options.
    ///
    /// ```
    /// # use simd_iri_template::{Match, Template};
    /// let template = Template::parse("/{id}").unwrap();
    /// assert_eq!(Match::new().match_uri(&template, "/7").unwrap().text("id"), Some("7"));
    /// ```
    #[must_use]
    pub fn match_uri<'t, 'u>(
        self,
        template: &'t Template,
        text: &'u str,
    ) -> Option<Captures<'t, 'u>> {
        match template.front() {
            Some(front) if self.query_as_set => self.with_set(template, front, text),
            _ => template.captures(template.parts.len(), text, text),
        }
    }

    /// Matches with the query as a set. `front` is the number of parts before the query.
    fn with_set<'t, 'u>(
        self,
        template: &'t Template,
        front: usize,
        text: &'u str,
    ) -> Option<Captures<'t, 'u>> {
        // The whole text must have the characters of a reference, and not only the part that is matched.
        Symbols::of(text)?;
        let cut = text.find(['?', '#']).unwrap_or(text.len());
        let (before, after) = slice::split(text, cut);
        let mut captures = template.captures(front, before, text)?;

        let tail = template.parts.get(front..).unwrap_or_default();
        let variables = tail.iter().flat_map(|part| match part {
            Part::Literal(_) => [].iter(),
            Part::Expression(expression) => expression.variables.iter(),
        });
        // Each name once, with its number in the order of the template, and the places of its values.
        let (mut numbers, mut found) = (BTreeMap::new(), Vec::new());
        for variable in variables {
            numbers.entry(template.name(variable)).or_insert_with(|| {
                found.push((variable, Vec::new()));
                found.len() - 1
            });
        }
        let query = after.strip_prefix('?').unwrap_or_default();
        let query = query.split('#').next().unwrap_or_default();
        let mut start = cut + 1;
        for pair in query.split('&') {
            let end = start + pair.len();
            let name = pair.split('=').next().unwrap_or_default();
            let value = (start + name.len() + 1).min(end)..end;
            start = end + 1;
            let known = numbers.get(name).and_then(|number| found.get_mut(*number));
            match known {
                Some((variable, values)) => {
                    if values.is_empty() || variable.modifier == Modifier::Explode {
                        values.push(value);
                    } else if self.single_pairs_only {
                        return None;
                    }
                }
                None if self.known_pairs_only && !pair.is_empty() => return None,
                None => {}
            }
        }
        for (variable, spans) in found.into_iter().filter(|(_, spans)| !spans.is_empty()) {
            let place = VariablePlace { is_raw: false, is_prefix: false };
            let (name, is_list) = (template.name(variable), variable.modifier == Modifier::Explode);
            if let (Modifier::Prefix(length), Some(span)) = (variable.modifier, spans.first()) {
                let value = percent::decode(slice::text(text, span.clone())).utf8().ok()?;
                if value.chars().nth(usize::from(length)).is_some() {
                    return None;
                }
            }
            captures.push(name, spans, is_list, place)?;
        }
        Some(captures)
    }
}

impl Template {
    /// Reads the values of the variables from a URI reference or an IRI reference. Returns `None` if no expansion of the
    /// template is this text, up to the spelling of triplets: `%c3` is `%C3`, and `%41` is `A` in a value. [`Match`] has
    /// options, such as pairs of a query in any order.
    ///
    /// A variable is undefined, a text or a list. A value consists of the characters that an expansion does not encode,
    /// and of triplets; it never ends inside the triplets of a character. If there are several readings, each expression
    /// from left to right has as many variables as it can have, and then its first value is as long as it can be, and so
    /// on. In detail:
    ///
    /// | expression | reading |
    /// | --- | --- |
    /// | `{a}` on `x,y` | a list, because an expansion encodes the comma of a text |
    /// | `{a,b}` on `x,y` | `a` is `x`, `b` is `y`: the separator of several values is in no value |
    /// | `{.a}` on `.x.y` | `a` is `x.y` |
    /// | `{a*}` on `x` | a list of one |
    /// | `{a}` on the empty text | `a` is undefined |
    /// | `{/a}` on `/` | `a` is the empty text |
    /// | `{a:3}` | at most three characters after decoding |
    /// | `{+a}`, `{#a}` on `%2F` | the text `%2F`, because `/` is another value; the value of all other operators is decoded |
    /// | `{a}…{a}` | both values must be equal, or one is a prefix of the other where the template has a prefix; otherwise there is no match |
    ///
    /// An expression without names in which a variable comes after a variable with `*`, such as `{/a*,b:3}`, gives the
    /// later variables a value each if they may have the last values; otherwise the list has all values that it can
    /// have.
    ///
    /// ```
    /// use simd_iri_template::{Template, Value};
    ///
    /// let template = Template::parse("/{user}/files{/path*}{?tag}")?;
    /// let captures = template.match_uri("/a%20b/files/x/y%2Fz?tag=1,2").unwrap();
    /// assert_eq!(captures.text("user"), Some("a b"));
    /// assert_eq!(captures.get("path").unwrap().value(), &Value::from(["x", "y/z"]));
    /// assert_eq!(captures.get("path").unwrap().spans(), [13..14, 15..20]);
    /// assert_eq!(captures.get("tag").unwrap().value(), &Value::from(["1", "2"]));
    /// assert!(template.match_uri("/a/files?tag=1&x=2").is_none());
    /// # Ok::<(), simd_iri_template::TemplateError>(())
    /// ```
    ///
    /// The time is linear in the length of the text, whatever the template and the text: at most a pass for each
    /// variable and each literal of the template, of which there are at most 10,000. Most passes are over words of 64 places, and none is repeated more than once. The memory is about 20
    /// bytes for each byte of the text, and a bit for each byte and each of 2√n of the n variables and literals.
    #[must_use]
    pub fn match_uri<'u>(&self, text: &'u str) -> Option<Captures<'_, 'u>> {
        Match::new().match_uri(self, text)
    }

    /// Tells whether the template ends in expressions with `?` or `&`, and has no literal `?`. [`Match::query_as_set`] is
    /// for such a template.
    ///
    /// ```
    /// # use simd_iri_template::Template;
    /// assert!(Template::parse("/s{?q}{&page}").unwrap().ends_in_query());
    /// assert!(!Template::parse("/s?fixed=yes{&x}").unwrap().ends_in_query());
    /// assert!(!Template::parse("/s{?q}/x").unwrap().ends_in_query());
    /// ```
    #[must_use]
    pub fn ends_in_query(&self) -> bool {
        self.front().is_some()
    }

    /// Returns the number of parts before the query, if the template ends in a query.
    fn front(&self) -> Option<usize> {
        let is_query = |part: &Part| matches!(part, Part::Expression(expression) if expression.operator.has_empty_equals());
        let front = self.parts.iter().rposition(|part| !is_query(part)).map_or(0, |last| last + 1);
        let is_before = |part: &Part| match part {
            Part::Literal(span) => !slice::text(&self.text, span.clone()).contains('?'),
            Part::Expression(_) => !is_query(part),
        };
        let is_front = front < self.parts.len() && self.parts.get(..front)?.iter().all(is_before);
        is_front.then_some(front)
    }
}
