//! The values of variables.
#![forbid(unsafe_code)]

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use simd_iri::low::debug_without_text;

/// The value of a variable. A variable without a value is undefined, and so is a variable with an empty list or an empty
/// map.
///
/// ```
/// use simd_iri_template::{Template, Value, Variables};
///
/// let mut variables = Variables::new();
/// variables.set("id", "a b");
/// variables.set("list", ["x", "y"]);
/// variables.set("keys", [("k", "1"), ("l", "2")]);
/// assert_eq!(variables.get("list"), Some(&Value::from(["x", "y"])));
/// let template = Template::parse("{id}{/list*}{?keys*}")?;
/// assert_eq!(template.expand(&variables)?, "a%20b/x/y?k=1&l=2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// `Debug` does not write the texts.
#[derive(Clone, PartialEq, Eq)]
pub enum Value<'a> {
    /// A text. It is not percent-encoded.
    Text(Cow<'a, str>),
    /// Texts in their order.
    List(Vec<Cow<'a, str>>),
    /// Pairs of a key and a text, in their order.
    Map(Vec<(Cow<'a, str>, Cow<'a, str>)>),
}

debug_without_text!([] Value<'_>, "Value");

impl Value<'_> {
    /// Tells whether a variable with this value is undefined: whether the value is an empty list or an empty map.
    pub(super) fn is_undefined(&self) -> bool {
        match self {
            Value::Text(_) => false,
            Value::List(items) => items.is_empty(),
            Value::Map(pairs) => pairs.is_empty(),
        }
    }

    /// Returns the value with its own texts.
    ///
    /// ```
    /// # use simd_iri_template::Value;
    /// let owned: Value<'static> = Value::from(String::from("a").as_str()).into_owned();
    /// assert_eq!(owned, Value::from("a"));
    /// ```
    #[must_use]
    pub fn into_owned(self) -> Value<'static> {
        let owned = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        match self {
            Value::Text(text) => Value::Text(owned(text)),
            Value::List(items) => Value::List(items.into_iter().map(owned).collect()),
            Value::Map(pairs) => {
                Value::Map(pairs.into_iter().map(|(key, text)| (owned(key), owned(text))).collect())
            }
        }
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl<'a> From<Cow<'a, str>> for Value<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        Self::Text(text)
    }
}

impl<'a, T: Into<Cow<'a, str>>> From<Vec<T>> for Value<'a> {
    fn from(items: Vec<T>) -> Self {
        Self::List(items.into_iter().map(Into::into).collect())
    }
}

impl<'a, const N: usize> From<[&'a str; N]> for Value<'a> {
    fn from(items: [&'a str; N]) -> Self {
        Self::List(items.into_iter().map(Into::into).collect())
    }
}

impl<'a, const N: usize> From<[(&'a str, &'a str); N]> for Value<'a> {
    fn from(pairs: [(&'a str, &'a str); N]) -> Self {
        Self::Map(pairs.into_iter().map(|(key, text)| (key.into(), text.into())).collect())
    }
}

/// Values by the names of their variables. A name is compared as it is written in the template.
///
/// ```
/// use simd_iri_template::{Template, Variables};
///
/// let variables: Variables<'_> = [("a", "1"), ("b", "2")].into_iter().collect();
/// assert_eq!(Template::parse("{a}-{b}-{c}")?.expand(&variables)?, "1-2-");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// `Debug` does not write the texts.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Variables<'a> {
    values: BTreeMap<Cow<'a, str>, Value<'a>>,
}

debug_without_text!([] Variables<'_>, "Variables");

impl<'a> Variables<'a> {
    /// Creates an empty set of variables.
    ///
    /// ```
    /// # use simd_iri_template::Variables;
    /// assert_eq!(Variables::new().get("a"), None);
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { values: BTreeMap::new() }
    }

    /// Gives a variable a value, in the place of a value that it had.
    ///
    /// ```
    /// # use simd_iri_template::{Value, Variables};
    /// let mut variables = Variables::new();
    /// variables.set("a", "1").set("a", "2");
    /// assert_eq!(variables.get("a"), Some(&Value::from("2")));
    /// ```
    pub fn set(&mut self, name: impl Into<Cow<'a, str>>, value: impl Into<Value<'a>>) -> &mut Self {
        self.values.insert(name.into(), value.into());
        self
    }

    /// Returns the value of a variable. Returns `None` if the variable has no value.
    ///
    /// ```
    /// # use simd_iri_template::{Value, Variables};
    /// assert_eq!(Variables::from([("a", "1")]).get("a"), Some(&Value::from("1")));
    /// ```
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value<'a>> {
        self.values.get(name)
    }
}

impl<'a, N: Into<Cow<'a, str>>, V: Into<Value<'a>>> FromIterator<(N, V)> for Variables<'a> {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(values: I) -> Self {
        let values = values.into_iter().map(|(name, value)| (name.into(), value.into()));
        Self { values: values.collect() }
    }
}

impl<'a, N: Into<Cow<'a, str>>, V: Into<Value<'a>>, const M: usize> From<[(N, V); M]>
    for Variables<'a>
{
    fn from(values: [(N, V); M]) -> Self {
        values.into_iter().collect()
    }
}
