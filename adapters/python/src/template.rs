//! The class `Template`: templates of references (RFC 6570), and what they share with the kernel.

use std::borrow::Cow;
use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyList, PyMapping, PyString, PyTuple, PyType};
use simd_iri_template as template;
use simd_iri_template::{Match, Value, Variables};

use crate::error::{lone_surrogates, raised_about_template, surrogates_in_template};
use crate::text::Text;

/// Hashes differ from process to process, as hashes of strings do in Python.
static HASHES: LazyLock<RandomState> = LazyLock::new(RandomState::new);

/// A template of references (RFC 6570): a text with expressions in braces. It is immutable.
///
/// >>> template = Template("/users/{id}/files{/path*}{?tag}")
/// >>> template.expand({"id": "a b", "path": ["x", "y"], "tag": None})
/// '/users/a%20b/files/x/y'
/// >>> template.match("/users/a%20b/files/x/y?tag=1")
/// {'id': 'a b', 'path': ['x', 'y'], 'tag': '1'}
/// >>> template.variables
/// ['id', 'path', 'tag']
///
/// Raises ``TemplateError``, a ``ValueError`` with the place, about a text that is not a template.
#[pyclass(frozen, weakref, module = "simd_iri")]
pub(crate) struct Template(pub(crate) template::Template);

#[pymethods]
impl Template {
    #[new]
    fn new(py: Python<'_>, text: Text<'_>) -> PyResult<Self> {
        parse(py, &text).map(Self)
    }

    /// The names of the variables, each once, in the order of the template.
    #[getter]
    fn variables(&self) -> Vec<&str> {
        self.0.variables().collect()
    }

    /// The level of RFC 6570, from 1 to 4, that has all expressions of the template.
    #[getter]
    fn level(&self) -> u8 {
        self.0.level()
    }

    /// Puts values into the place of the expressions. A value is a text, an integer, a list of these, or a mapping from texts
    /// to these. A variable without a value, or with ``None``, an empty list or an empty mapping, is undefined. With
    /// ``iri``, characters outside ASCII stay where an IRI may have them.
    ///
    /// >>> Template("{/list*}{?keys*}").expand({"list": ["a", "é"], "keys": {"k": 1, "l": "2"}})
    /// '/a/%C3%A9?k=1&l=2'
    /// >>> Template("/{a}").expand({"a": "é"}, iri=True)
    /// '/é'
    ///
    /// Raises ``TemplateError`` if a variable with a prefix, such as ``{a:3}``, has a list or a mapping.
    #[pyo3(signature = (variables, *, iri=false))]
    fn expand(&self, py: Python<'_>, variables: &Bound<'_, PyAny>, iri: bool) -> PyResult<String> {
        let variables = read_variables(variables)?;
        let made = if iri { self.0.expand_iri(&variables) } else { self.0.expand(&variables) };
        made.map_err(|error| {
            raised_about_template(py, &error.to_string(), error.span(), self.0.as_str().as_bytes())
        })
    }

    /// Reads the values of the variables from a text: a ``dict`` of decoded texts and lists of texts; ``None`` if the
    /// template does not match. ``docs/templates.md`` has the definition of a match.
    ///
    /// >>> Template("/{a}{?q}").match("/1,2?q=x%20y"), Template("/{a}").match("/1/2")
    /// ({'a': ['1', '2'], 'q': 'x y'}, None)
    /// >>> Template("/s{?q,page}").match("/s?page=2&utm=x&q=a+b", query_as_set=True)
    /// {'q': 'a+b', 'page': '2'}
    ///
    /// With ``query_as_set``, the pairs of the query may come in any order, and other pairs and the fragment are ignored;
    /// then the template must end in expressions with ``?`` or ``&``, otherwise ``ValueError`` is raised. With
    /// ``known_pairs_only``, another pair is no match, and with ``single_pairs_only``, neither is a repeated pair.
    #[pyo3(signature = (text, *, query_as_set=false, known_pairs_only=false, single_pairs_only=false))]
    fn r#match<'py>(
        &self,
        py: Python<'py>,
        text: Text<'_>,
        query_as_set: bool,
        known_pairs_only: bool,
        single_pairs_only: bool,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let options = options(&self.0, query_as_set, known_pairs_only, single_pairs_only)?;
        let captures = text.utf8().and_then(|text| options.match_uri(&self.0, text));
        let Some(captures) = captures else { return Ok(None) };
        let values = PyDict::new(py);
        for capture in captures.iter() {
            let value = match capture.value() {
                Value::Text(text) => text.into_bound_py_any(py)?,
                Value::List(items) => items.into_bound_py_any(py)?,
                Value::Map(pairs) => pairs.into_bound_py_any(py)?,
            };
            values.set_item(capture.name(), value)?;
        }
        Ok(Some(values))
    }

    fn __str__(&self) -> &str {
        self.0.as_str()
    }

    /// The constructor and the text, with ``***`` in place of a password.
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let shown = simd_iri::masked(self.0.as_str()).to_string();
        Ok(format!("Template({})", PyString::new(py, &shown).repr()?.to_cow()?))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0.as_str() == other.0.as_str()
    }

    fn __hash__(&self) -> u64 {
        HASHES.hash_one(self.0.as_str())
    }

    /// For ``copy`` and ``pickle``.
    fn __reduce__<'py>(template: &'py Bound<'py, Self>) -> (Bound<'py, PyType>, (&'py str,)) {
        (template.get_type(), (template.get().0.as_str(),))
    }
}

/// Parses a template.
fn parse(py: Python<'_>, text: &Text<'_>) -> PyResult<template::Template> {
    let utf8 = text.utf8().ok_or_else(|| surrogates_in_template(py, text.bytes()))?;
    template::Template::parse(utf8)
        .map_err(|error| raised_about_template(py, &error.to_string(), error.span(), text.bytes()))
}

/// A template, or the text of a template.
pub(crate) fn read<'py>(template: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Template>> {
    if let Ok(template) = template.cast::<Template>() {
        return Ok(template.clone());
    }
    let text: Text<'_> = template.extract()?;
    Bound::new(template.py(), Template(parse(template.py(), &text)?))
}

/// The options of a match.
pub(crate) fn options(
    template: &template::Template,
    query_as_set: bool,
    known_pairs_only: bool,
    single_pairs_only: bool,
) -> PyResult<Match> {
    if query_as_set && !template.ends_in_query() {
        return Err(PyValueError::new_err(
            "query_as_set needs a template that ends in expressions with ? or &, without another ?",
        ));
    }
    Ok(Match::new()
        .query_as_set(query_as_set)
        .known_pairs_only(known_pairs_only)
        .single_pairs_only(single_pairs_only))
}

/// The values of a mapping.
fn read_variables(variables: &Bound<'_, PyAny>) -> PyResult<Variables<'static>> {
    let variables = variables.cast::<PyMapping>()?;
    let mut read = Variables::new();
    for pair in variables.items()?.try_iter()? {
        let (name, value): (String, Bound<'_, PyAny>) = pair?.extract()?;
        if let Some(value) = read_value(&name, &value)? {
            read.set(name, value);
        }
    }
    Ok(read)
}

/// The value of a variable; `None` if the variable is undefined.
fn read_value(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<Value<'static>>> {
    if value.is_none() {
        return Ok(None);
    }
    if value.cast::<PyList>().is_ok() || value.cast::<PyTuple>().is_ok() {
        let items = value.try_iter()?.map(|item| read_text(name, &item?));
        return Ok(Some(items.collect::<PyResult<Vec<_>>>()?.into()));
    }
    if let Ok(mapping) = value.cast::<PyMapping>() {
        let items = mapping.items()?;
        let pairs = items.try_iter()?.map(|pair| {
            let (key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair?.extract()?;
            Ok((read_text(name, &key)?, read_text(name, &value)?))
        });
        return Ok(Some(Value::Map(pairs.collect::<PyResult<_>>()?)));
    }
    read_text(name, value).map(|text| Some(Value::Text(text)))
}

/// A text, or a number as a text.
fn read_text(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Cow<'static, str>> {
    if value.cast::<PyInt>().is_ok() && value.cast::<PyBool>().is_err() {
        return Ok(value.str()?.to_cow()?.into_owned().into());
    }
    match Text::read(value.as_borrowed())? {
        Some(text) => match text.utf8() {
            Some(utf8) => Ok(utf8.to_owned().into()),
            None => Err(lone_surrogates(value.py(), text.bytes())),
        },
        None => {
            let kind = value.get_type().name()?;
            let message = format!(
                "the variable {name:?} has a {kind}; expected a str, an int, a list or tuple of these, or a mapping"
            );
            Err(PyTypeError::new_err(message))
        }
    }
}
