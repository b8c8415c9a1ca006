//! What a match finds: the values of variables, with their places.
#![forbid(unsafe_code)]

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::Range;

use super::choice::{FoundValue, choose};
use super::sweep::Text;
use super::value::{Value, Variables};
use super::{Modifier, Part, Template, symbols};
use simd_iri::low::{debug_without_text, slice};
use simd_iri::percent;

impl Template {
    /// Matches the first `parts` parts of the template with the whole of `text`, which begins at the start of `whole`.
    pub(super) fn captures<'u>(
        &self,
        parts: usize,
        text: &'u str,
        whole: &'u str,
    ) -> Option<Captures<'_, 'u>> {
        let parts = self.parts.get(..parts)?;
        let steps = parts.iter().map(|part| match part {
            Part::Literal(_) => 1,
            Part::Expression(expression) => 1 + expression.variables.len(),
        });
        let steps = self.steps.get(..steps.sum())?;
        let text = Text::of(text, steps)?;
        let mut captures = Captures { text: whole, captures: Vec::new(), places: BTreeMap::new() };
        for found in choose(steps, &text)? {
            captures.push_found(self, found, &text)?;
        }
        // A variable may have a value at one place and none at another. Only the expansion tells whether this is the same.
        if self.has_repeated {
            let again = self.expanded(parts, &Variables::from(&captures), false).ok()?;
            let (again, text) = (symbols::literal(&again), &text.symbols.symbols);
            if !again
                .iter()
                .map(|symbol| symbol.again())
                .eq(text.iter().map(|symbol| symbol.again()))
            {
                return None;
            }
        }
        Some(captures)
    }
}

/// The values that a match has found, in the order of the template. Each name of a variable is there once.
///
/// ```
/// use simd_iri_template::{Template, Variables};
///
/// let template = Template::parse("/{a}/{b}/{c}")?;
/// let captures = template.match_uri("/1/x%2Fy/").unwrap();
/// let names: Vec<_> = captures.iter().map(|capture| capture.name()).collect();
/// assert_eq!(names, ["a", "b"], "`c` is undefined");
/// assert_eq!(template.expand(&Variables::from(&captures))?, "/1/x%2Fy/");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// `Debug` does not write the texts.
#[derive(Clone)]
pub struct Captures<'t, 'u> {
    text: &'u str,
    captures: Vec<Capture<'t, 'u>>,
    /// The place of each name in `captures`.
    places: BTreeMap<&'t str, usize>,
}

debug_without_text!([] Captures<'_, '_>, "Captures");

/// The value of a variable that a match has found. `Debug` does not write it.
#[derive(Clone)]
pub struct Capture<'t, 'u> {
    name: &'t str,
    text: &'u str,
    spans: Vec<Range<usize>>,
    value: Value<'u>,
    place: VariablePlace,
}

/// What the template has at the place of a variable.
#[derive(Clone, Copy)]
pub(super) struct VariablePlace {
    /// The value has its triplets.
    pub(super) is_raw: bool,
    /// The variable has a prefix.
    pub(super) is_prefix: bool,
}

debug_without_text!([] Capture<'_, '_>, "Capture", spans);

impl<'u> Capture<'_, 'u> {
    /// Returns the name of the variable.
    ///
    /// ```
    /// # use simd_iri_template::Template;
    /// let template = Template::parse("{a}").unwrap();
    /// assert_eq!(template.match_uri("1").unwrap().iter().next().unwrap().name(), "a");
    /// ```
    #[must_use]
    pub const fn name(&self) -> &str {
        self.name
    }

    /// Returns the decoded value: a text or a list. The values of `{+a}` and `{#a}` keep their triplets.
    ///
    /// ```
    /// # use simd_iri_template::{Template, Value};
    /// let template = Template::parse("{a}{+b}").unwrap();
    /// let captures = template.match_uri("%2F/%2F").unwrap();
    /// assert_eq!(captures.get("a").unwrap().value(), &Value::from("/"));
    /// assert_eq!(captures.get("b").unwrap().value(), &Value::from("/%2F"));
    /// ```
    #[must_use]
    pub const fn value(&self) -> &Value<'u> {
        &self.value
    }

    /// Returns the byte range of the value in the text, or a range for each item of a list.
    ///
    /// ```
    /// # use simd_iri_template::Template;
    /// let template = Template::parse("{?a*}").unwrap();
    /// assert_eq!(template.match_uri("?a=1&a=22").unwrap().get("a").unwrap().spans(), [3..4, 7..9]);
    /// ```
    #[must_use]
    pub fn spans(&self) -> &[Range<usize>] {
        &self.spans
    }

    /// Returns the value as it is written in the text, or each item of a list.
    ///
    /// ```
    /// # use simd_iri_template::Template;
    /// let template = Template::parse("{a*}").unwrap();
    /// assert!(template.match_uri("%41,b").unwrap().get("a").unwrap().raw().eq(["%41", "b"]));
    /// ```
    pub fn raw(&self) -> impl Iterator<Item = &'u str> {
        self.spans.iter().map(|span| slice::text(self.text, span.clone()))
    }

    /// Joins the value of the same variable at another place of the template. Returns `None` if the values differ.
    fn join(&mut self, other: Self) -> Option<()> {
        // If only one of two values has its triplets, they are equal if the decoded forms are, and the decoded form stays.
        if self.place.is_raw != other.place.is_raw && !is_equal(&self.value, &other.value) {
            let (raw, kept) =
                if self.place.is_raw { (&self.value, &other) } else { (&other.value, &*self) };
            if is_equal(&decoded(raw)?, &kept.value) {
                *self = kept.clone();
                return Some(());
            }
        }
        if is_equal(&self.value, &other.value) {
            // A text may have a prefix, and a list may not.
            if matches!(self.value, Value::List(_)) {
                *self = other;
            }
            return Some(());
        }
        let (Value::Text(own), Value::Text(others)) = (&self.value, &other.value) else {
            return None;
        };
        // The longer value stays: its prefix is the other value.
        let is_longer = self.place.is_prefix && others.starts_with(&**own);
        if !(is_longer || other.place.is_prefix && own.starts_with(&**others)) {
            return None;
        }
        if is_longer {
            *self = other;
        }
        Some(())
    }
}

/// Tells whether two values are equal. A text equals a list of this text alone.
fn is_equal(one: &Value<'_>, other: &Value<'_>) -> bool {
    match (one, other) {
        (Value::Text(text), Value::List(items)) | (Value::List(items), Value::Text(text)) => {
            matches!(items.as_slice(), [only] if only == text)
        }
        _ => one == other,
    }
}

/// Returns a value with its triplets decoded. Returns `None` if it is not UTF-8.
fn decoded(value: &Value<'_>) -> Option<Value<'static>> {
    let decode = |text: &Cow<'_, str>| Some(percent::decode(text).utf8().ok()?.into_owned().into());
    match value {
        Value::Text(text) => Some(Value::Text(decode(text)?)),
        Value::List(items) => Some(Value::List(items.iter().map(decode).collect::<Option<_>>()?)),
        Value::Map(_) => None,
    }
}

impl<'t, 'u> Captures<'t, 'u> {
    /// Returns what the match has found for a variable. Returns `None` if the variable is undefined.
    ///
    /// ```
    /// # use simd_iri_template::Template;
    /// let template = Template::parse("/{a}{?b}").unwrap();
    /// let captures = template.match_uri("/1").unwrap();
    /// assert_eq!(captures.get("a").unwrap().spans(), [1..2]);
    /// assert!(captures.get("b").is_none());
    /// ```
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Capture<'t, 'u>> {
        self.captures.get(*self.places.get(name)?)
    }

    /// Returns the decoded value of a variable, if it is a text and not a list.
    ///
    /// ```
    /// # use simd_iri_template::Template;
    /// let template = Template::parse("/{a}").unwrap();
    /// assert_eq!(template.match_uri("/caf%C3%A9").unwrap().text("a"), Some("café"));
    /// assert_eq!(template.match_uri("/1,2").unwrap().text("a"), None);
    /// ```
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        match &self.get(name)?.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns what the match has found, in the order of the template.
    ///
    /// ```
    /// # use simd_iri_template::Template;
    /// let template = Template::parse("{b}-{a}").unwrap();
    /// assert!(template.match_uri("1-2").unwrap().iter().map(|found| found.name()).eq(["b", "a"]));
    /// ```
    pub fn iter(&self) -> core::slice::Iter<'_, Capture<'t, 'u>> {
        self.captures.iter()
    }

    /// Adds a value that the choice has found. Returns `None` if it is not UTF-8, or differs from a value of the same
    /// variable.
    fn push_found(
        &mut self,
        template: &'t Template,
        found: FoundValue<'_>,
        text: &Text<'u>,
    ) -> Option<()> {
        let byte = |at| text.symbols.byte(at);
        let spans = found.items.iter().map(|item| byte(item.start)..byte(item.end)).collect();
        let name = slice::text(&template.text, found.step.name.clone());
        let is_prefix = matches!(found.step.modifier, Modifier::Prefix(_));
        let place = VariablePlace { is_raw: found.step.operator.keeps_reserved(), is_prefix };
        self.push(name, spans, found.is_list, place)
    }

    /// Adds a value with these byte ranges. Returns `None` if it is not UTF-8, or differs from a value of the same
    /// variable.
    pub(super) fn push(
        &mut self,
        name: &'t str,
        spans: Vec<Range<usize>>,
        is_list: bool,
        place: VariablePlace,
    ) -> Option<()> {
        let text = self.text;
        let mut items = spans.iter().map(|span| {
            let raw = slice::text(text, span.clone());
            if place.is_raw { Some(Cow::Borrowed(raw)) } else { percent::decode(raw).utf8().ok() }
        });
        let value = match is_list {
            true => Value::List(items.collect::<Option<_>>()?),
            false => Value::Text(items.next()??),
        };
        let capture = Capture { name, text, spans, value, place };
        let known = *self.places.entry(name).or_insert(self.captures.len());
        match self.captures.get_mut(known) {
            Some(known) => known.join(capture),
            None => {
                self.captures.push(capture);
                Some(())
            }
        }
    }
}

impl<'c, 't, 'u> IntoIterator for &'c Captures<'t, 'u> {
    type Item = &'c Capture<'t, 'u>;
    type IntoIter = core::slice::Iter<'c, Capture<'t, 'u>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The values as variables, for another expansion.
impl<'c> From<&'c Captures<'_, '_>> for Variables<'c> {
    fn from(captures: &'c Captures<'_, '_>) -> Self {
        captures.iter().map(|capture| (capture.name, capture.value.clone())).collect()
    }
}
