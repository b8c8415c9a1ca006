//! The class `Iri`.

use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

use pyo3::prelude::*;
use pyo3::pyclass::CompareOp;
use pyo3::types::{PyString, PyType};
use simd_iri::{Encoded, Error, IriBuf, Rule, ToIri, ToUri, Value};

use crate::error::raised;
use crate::functions::view;
use crate::names;
use crate::text::Text;

/// Hashes differ from process to process, as hashes of strings do in Python.
static HASHES: LazyLock<RandomState> = LazyLock::new(RandomState::new);

/// An IRI (RFC 3987, section 2.2): a text with a scheme that matches the grammar. It is immutable, and equal to an
/// ``Iri`` with the same text.
///
/// >>> iri = Iri("https://ines@例え.jp:8042/도움말?q=क#top")
/// >>> iri.scheme, iri.userinfo, iri.host, iri.port
/// ('https', 'ines', '例え.jp', 8042)
/// >>> iri.path, iri.query, iri.fragment
/// ('/도움말', 'q=क', 'top')
/// >>> str(Iri("http://bücher.example/é").to_uri(idna=True))
/// 'http://xn--bcher-kva.example/%C3%A9'
/// >>> Iri("http://example.org/search?q=a|b")
/// Traceback (most recent call last):
/// simd_iri.IriError: '|' at character 29 is not allowed in a query; write %7C
///
/// The constructor raises ``IriError`` if the text is not an IRI. It takes linear time.
#[pyclass(frozen, weakref, module = "simd_iri")]
pub(crate) struct Iri(IriBuf);

impl Iri {
    /// The text.
    pub(crate) fn text(&self) -> &str {
        self.0.as_str()
    }

    /// The Python exception for an error about this IRI.
    fn raised(&self, py: Python<'_>, error: Error) -> PyErr {
        raised(py, error, self.text().as_bytes())
    }

    /// The IRI with a value in place of a component.
    fn with(
        py: Python<'_>,
        value: Option<&Bound<'_, PyString>>,
        encoded: bool,
        edit: impl FnOnce(Value<'_>) -> Result<IriBuf, Error>,
    ) -> PyResult<Self> {
        let Some(value) = value else {
            return edit(Value::from(None)).map(Self).map_err(|error| raised(py, error, b""));
        };
        let text = Text::of(value)?;
        let Some(utf8) = text.utf8() else {
            return Err(ill_formed(py, &text));
        };
        let value = if encoded { Value::from(Encoded(Some(utf8))) } else { Value::from(utf8) };
        edit(value).map(Self).map_err(|error| raised(py, error, utf8.as_bytes()))
    }
}

/// The error for a text with lone surrogates, for a function that accepts every other text.
fn ill_formed(py: Python<'_>, text: &Text<'_>) -> PyErr {
    let violations = Rule::IriReference.violations(text.bytes());
    let mut ill_formed = violations.filter(|e| e.kind() == simd_iri::ErrorKind::IllFormedUtf8);
    match ill_formed.next() {
        Some(error) => raised(py, error, text.bytes()),
        None => pyo3::exceptions::PyValueError::new_err("the text has lone surrogates"),
    }
}

#[pymethods]
impl Iri {
    #[new]
    fn new(text: &Bound<'_, PyString>) -> PyResult<Self> {
        let read = Text::of(text)?;
        match read.utf8().map(IriBuf::parse) {
            Some(Ok(iri)) => Ok(Self(iri)),
            Some(Err(error)) => Err(raised(text.py(), error, read.bytes())),
            None => Err(crate::functions::violation(text.py(), Rule::Iri, &read)),
        }
    }

    /// The scheme, without its colon.
    #[getter]
    fn scheme(&self) -> &str {
        self.0.view().scheme()
    }

    /// The authority, without the two slashes before it; ``None`` if it is absent.
    #[getter]
    fn authority(&self) -> Option<&str> {
        self.0.view().authority()
    }

    /// The user information, without the ``@``; ``None`` if it is absent.
    #[getter]
    fn userinfo(&self) -> Option<&str> {
        self.0.view().userinfo()
    }

    /// The host, an IP literal with its brackets; ``None`` if there is no authority.
    #[getter]
    fn host(&self) -> Option<&str> {
        self.0.view().host_str()
    }

    /// The port; ``None`` if it is absent, empty, or greater than 65535.
    #[getter]
    fn port(&self) -> Option<u16> {
        self.0.view().port_u16()
    }

    /// The path, which every IRI has; it may be empty.
    #[getter]
    fn path(&self) -> &str {
        self.0.view().path()
    }

    /// The query, without the question mark; ``None`` if it is absent.
    #[getter]
    fn query(&self) -> Option<&str> {
        self.0.view().query()
    }

    /// The fragment, without the number sign; ``None`` if it is absent.
    #[getter]
    fn fragment(&self) -> Option<&str> {
        self.0.view().fragment()
    }

    /// Normalizes (RFC 3987, section 5.3). The level is ``"simple"``, which changes nothing, ``"syntax"``,
    /// ``"scheme"`` or ``"scheme-idna"``.
    ///
    /// >>> Iri("HTTP://Example.org:80/a/../%7Eb").normalize("scheme")
    /// Iri('http://example.org/~b')
    #[pyo3(signature = (level="syntax"))]
    fn normalize(&self, py: Python<'_>, level: &str) -> PyResult<Self> {
        let normal = names::normalize(level)?.map(self.0.view());
        normal.map(|normal| Self(normal.into_buf())).map_err(|error| self.raised(py, error))
    }

    /// Maps to a URI (RFC 3987, section 3.1). With ``idna``, hosts become domain names in ASCII by UTS #46.
    ///
    /// >>> Iri("http://a/é").to_uri()
    /// Iri('http://a/%C3%A9')
    #[pyo3(signature = (*, idna=false))]
    fn to_uri(&self, py: Python<'_>, idna: bool) -> PyResult<Self> {
        match ToUri::new().idna(idna).map(self.0.view()) {
            Ok(uri) => Ok(Self(uri.into_buf().into())),
            Err(error) => Err(self.raised(py, error)),
        }
    }

    /// Maps to an IRI: decodes triplets of characters that an IRI may hold (RFC 3987, section 3.2). With ``idna``,
    /// hosts that are domain names in ASCII become readable.
    ///
    /// >>> Iri("http://a/%C3%A9").to_iri()
    /// Iri('http://a/é')
    #[pyo3(signature = (*, idna=false))]
    fn to_iri(&self, idna: bool) -> Self {
        Self(ToIri::new().idna(idna).map(self.0.view()).into_buf())
    }

    /// Resolves a reference relative to this IRI (RFC 3986, section 5.2).
    ///
    /// >>> Iri("http://a/b/c").join("../d")
    /// Iri('http://a/d')
    fn join(&self, reference: &Bound<'_, PyString>) -> PyResult<Self> {
        let (py, text) = (reference.py(), Text::of(reference)?);
        let joined = self.0.view().resolve(view(py, &text)?);
        joined.map(Self).map_err(|error| raised(py, error, text.bytes()))
    }

    /// Returns the IRI with another scheme.
    ///
    /// >>> Iri("http://a/b").with_scheme("https")
    /// Iri('https://a/b')
    fn with_scheme(&self, scheme: &Bound<'_, PyString>) -> PyResult<Self> {
        Self::with(scheme.py(), Some(scheme), false, |value| self.0.view().with_scheme(value))
    }

    /// Returns the IRI with another user information, or with ``None`` without one. What a component cannot hold is
    /// percent-encoded, and so are percent signs, unless the value is ``encoded`` already; this holds for all
    /// components.
    ///
    /// >>> Iri("ftp://a/b").with_userinfo("me@home")
    /// Iri('ftp://me%40home@a/b')
    #[pyo3(signature = (userinfo, *, encoded=false))]
    fn with_userinfo(
        &self,
        py: Python<'_>,
        userinfo: Option<&Bound<'_, PyString>>,
        encoded: bool,
    ) -> PyResult<Self> {
        Self::with(py, userinfo, encoded, |value| self.0.view().with_userinfo(value))
    }

    /// Returns the IRI with another host, or with ``None`` without an authority.
    ///
    /// >>> Iri("http://a:1/b").with_host("[::1]")
    /// Iri('http://[::1]:1/b')
    #[pyo3(signature = (host, *, encoded=false))]
    fn with_host(
        &self,
        py: Python<'_>,
        host: Option<&Bound<'_, PyString>>,
        encoded: bool,
    ) -> PyResult<Self> {
        Self::with(py, host, encoded, |value| self.0.view().with_host(value))
    }

    /// Returns the IRI with another port from 0 to 65535, or with ``None`` without one.
    ///
    /// >>> Iri("http://a/b").with_port(8080)
    /// Iri('http://a:8080/b')
    fn with_port(&self, py: Python<'_>, port: Option<u16>) -> PyResult<Self> {
        let made = self.0.view().with_port(port);
        made.map(Self).map_err(|error| raised(py, error, b""))
    }

    /// Returns the IRI with another path.
    ///
    /// >>> Iri("http://a/b").with_path("/100%/a b")
    /// Iri('http://a/100%25/a%20b')
    /// >>> Iri("http://a/b").with_path("/a%20b", encoded=True)
    /// Iri('http://a/a%20b')
    #[pyo3(signature = (path, *, encoded=false))]
    fn with_path(&self, path: &Bound<'_, PyString>, encoded: bool) -> PyResult<Self> {
        Self::with(path.py(), Some(path), encoded, |value| self.0.view().with_path(value))
    }

    /// Returns the IRI with another query, or with ``None`` without one.
    ///
    /// >>> Iri("http://a/b?c").with_query("q=é#")
    /// Iri('http://a/b?q=é%23')
    #[pyo3(signature = (query, *, encoded=false))]
    fn with_query(
        &self,
        py: Python<'_>,
        query: Option<&Bound<'_, PyString>>,
        encoded: bool,
    ) -> PyResult<Self> {
        Self::with(py, query, encoded, |value| self.0.view().with_query(value))
    }

    /// Returns the IRI with another fragment, or with ``None`` without one.
    ///
    /// >>> Iri("http://a/b#c").with_fragment(None)
    /// Iri('http://a/b')
    #[pyo3(signature = (fragment, *, encoded=false))]
    fn with_fragment(
        &self,
        py: Python<'_>,
        fragment: Option<&Bound<'_, PyString>>,
        encoded: bool,
    ) -> PyResult<Self> {
        Self::with(py, fragment, encoded, |value| self.0.view().with_fragment(value))
    }

    fn __str__(&self) -> &str {
        self.text()
    }

    /// With ``***`` in place of a password, as in all representations.
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let shown = self.0.view().masked().to_string();
        Ok(format!("Iri({})", PyString::new(py, &shown).repr()?.to_cow()?))
    }

    /// Formats the text.
    fn __format__<'py>(&self, py: Python<'py>, spec: &str) -> PyResult<Bound<'py, PyAny>> {
        PyString::new(py, self.text()).call_method1("__format__", (spec,))
    }

    /// The schema for Pydantic, which asks a class for it.
    #[classmethod]
    fn __get_pydantic_core_schema__<'py>(
        class: &Bound<'py, PyType>,
        _source: &Bound<'py, PyAny>,
        _handler: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        class.py().import("simd_iri.pydantic")?.call_method0("_core_schema")
    }

    #[classmethod]
    fn __get_pydantic_json_schema__<'py>(
        class: &Bound<'py, PyType>,
        _schema: &Bound<'py, PyAny>,
        _handler: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        class.py().import("simd_iri.pydantic")?.call_method0("_json_schema")
    }

    fn __hash__(&self) -> u64 {
        HASHES.hash_one(self.text())
    }

    fn __richcmp__(&self, other: &Self, op: CompareOp) -> bool {
        op.matches(self.text().cmp(other.text()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (&str,)) {
        (py.get_type::<Self>(), (self.text(),))
    }
}
