//! The class `IriRef`, which has all methods, and its subclasses `Iri`, `UriRef` and `Uri`.
//!
//! The classes have the names of the types in Rust. A line leads down to a class that holds fewer texts:
//!
//! ```text
//!             IriRef
//!            /      \
//!          Iri    UriRef
//!            \      /
//!              Uri
//! ```

use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::pyclass::CompareOp;
use pyo3::types::{PyInt, PyString, PyType};
use simd_iri::kind::{self, HasScheme, Kind};
use simd_iri::{
    Base, Buf, Component, Error, ErrorKind, ToIri, ToUri, View,
    component::{ComponentRule, Encoded, Value},
};
use simd_iri_lint::DisplayIri;

use crate::error::{lone_surrogates, raised, raised_about_dots, raised_about_port};
use crate::functions::{bits, first_value, parsed};
use crate::held::{Held, Reference, with_buf};
use crate::names;
use crate::text::Text;

/// Hashes differ from process to process, as hashes of strings do in Python.
static HASHES: LazyLock<RandomState> = LazyLock::new(RandomState::new);

/// Makes the subclasses, and the constructor of each class.
macro_rules! classes {
    ($($(#[$doc:meta])* $class:ident($kind:ident): $parent:ty, |$held:ident| $of:expr;)+) => {$(
        $(#[$doc])*
        #[pyclass(frozen, subclass, extends = $parent, module = "simd_iri")]
        pub(crate) struct $class;

        impl $class {
            /// An object that is not made yet.
            fn of($held: Held) -> PyClassInitializer<Self> {
                $of
            }
        }

        #[pymethods]
        impl $class {
            #[new]
            fn new(py: Python<'_>, text: Text<'_>) -> PyResult<PyClassInitializer<Self>> {
                read::<kind::$kind>(py, &text).map(Self::of)
            }
        }
    )+};
}

classes! {
    /// An IRI (RFC 3987, section 2.2): an ``IriRef`` with a scheme.
    ///
    /// >>> iri = Iri("https://ines@例え.jp:8042/도움말?q=क#top")
    /// >>> iri.scheme, iri.userinfo, iri.host, iri.port
    /// ('https', 'ines', '例え.jp', 8042)
    /// >>> iri.path, iri.query, iri.fragment
    /// ('/도움말', 'q=क', 'top')
    /// >>> iri.to_uri(idna=True).host
    /// 'xn--r8jz45g.jp'
    /// >>> Iri("http://example.org/search?q=a|b")
    /// Traceback (most recent call last):
    /// simd_iri.IriError: '|' at character 29 is not allowed in a query; write %7C
    Iri(Iri): Reference, |held| (Self, Reference(held)).into();

    /// A URI reference (RFC 3986, section 4.1): an ``IriRef`` in ASCII.
    ///
    /// >>> UriRef("../%C3%A9").to_iri()
    /// IriRef('../é')
    UriRef(UriReference): Reference, |held| (Self, Reference(held)).into();

    /// A URI (RFC 3986, section 3): an ``Iri`` in ASCII, and a ``UriRef`` with a scheme.
    ///
    /// >>> Uri("http://a/%C3%A9").to_iri()
    /// Iri('http://a/é')
    /// >>> Uri("http://a/").with_path("/é")
    /// Uri('http://a/%C3%A9')
    Uri(Uri): Iri, |held| Iri::of(held).add_subclass(Self);
}

/// Makes `Uri` a subclass of `UriRef` too. PyO3 gives a class one parent. The parents add nothing to the layout of an
/// object, so that Python lets the class have both.
pub(crate) fn add_second_parent(py: Python<'_>) -> PyResult<()> {
    let parents = (py.get_type::<Iri>(), py.get_type::<UriRef>());
    py.get_type::<Uri>().setattr("__bases__", parents)
}

/// Parses a text of a kind.
fn read<K: Kind>(py: Python<'_>, text: &Text<'_>) -> PyResult<Held>
where
    Buf<K>: Into<Held>,
{
    parsed(py, K::RULE, text, Buf::<K>::parse).map(Into::into)
}

impl<'py> IntoPyObject<'py> for Held {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        match &self {
            Self::IriRef(_) => Ok(Bound::new(py, Reference(self))?.into_any()),
            Self::Iri(_) => Ok(Bound::new(py, Iri::of(self))?.into_any()),
            Self::UriRef(_) => Ok(Bound::new(py, UriRef::of(self))?.into_any()),
            Self::Uri(_) => Ok(Bound::new(py, Uri::of(self))?.into_any()),
        }
    }
}

impl Reference {
    /// The Python exception for an error about this reference.
    fn raised(&self, py: Python<'_>, error: Error) -> PyErr {
        raised(py, error, self.text().as_bytes())
    }

    /// This reference as a base.
    fn base(&self, py: Python<'_>) -> PyResult<AnyBase<'_>> {
        let base = match &self.0 {
            Held::IriRef(buf) => buf.view().try_into().map(AnyBase::Iri),
            Held::Iri(buf) => Ok(AnyBase::Iri(buf.view())),
            Held::UriRef(buf) => buf.view().try_into().map(AnyBase::Uri),
            Held::Uri(buf) => Ok(AnyBase::Uri(buf.view())),
        };
        base.map_err(|error| self.raised(py, error))
    }
}

/// A base. Each of these kinds has a scheme.
enum AnyBase<'a> {
    Iri(View<'a, kind::Iri>),
    Uri(View<'a, kind::Uri>),
}

/// Resolves a reference.
fn joined<K: HasScheme>(py: Python<'_>, base: View<'_, K>, text: &Text<'_>) -> PyResult<Held>
where
    Buf<K>: Into<Held>,
{
    let reference = parsed(py, K::Reference::RULE, text, View::<K::Reference>::parse)?;
    let joined = base.resolve(reference).map_err(|error| raised(py, error, text.bytes()))?;
    Ok(joined.into())
}

/// Makes a target relative to a base.
fn relative<K: HasScheme>(py: Python<'_>, base: View<'_, K>, text: &Text<'_>) -> PyResult<Held>
where
    Buf<K::Reference>: Into<Held>,
{
    let made = Base::new(base).relativize(parsed(py, K::RULE, text, View::<K>::parse)?);
    Ok(made.map_err(|dots| raised_about_dots(py, dots, text.bytes()))?.into())
}

/// A reference with a value in place of a component.
fn edited<K: Kind>(
    py: Python<'_>,
    component: Component,
    value: Option<&Text<'_>>,
    encoded: bool,
    edit: impl FnOnce(Value<'_>) -> Result<Buf<K>, Error>,
) -> PyResult<Held>
where
    Buf<K>: Into<Held>,
{
    let bytes = value.map(Text::bytes).unwrap_or_default();
    let made = match value.map(Text::utf8) {
        None => edit(Value::from(None)),
        Some(Some(text)) if encoded => edit(Value::from(Encoded(Some(text)))),
        Some(Some(text)) => edit(Value::from(text)),
        Some(None) => return Err(ill_formed(py, component, bytes)),
    };
    made.map(Into::into).map_err(|error| raised(py, error, bytes))
}

/// The error for the value of a component with lone surrogates.
fn ill_formed(py: Python<'_>, component: Component, bytes: &[u8]) -> PyErr {
    let rule = match component {
        Component::Scheme => ComponentRule::Scheme,
        Component::Userinfo => ComponentRule::Iuserinfo,
        Component::Host => ComponentRule::Ihost,
        Component::Query => ComponentRule::Iquery,
        Component::Fragment => ComponentRule::Ifragment,
        _ => ComponentRule::Ipath,
    };
    let mut violations = rule.violations_bytes(bytes);
    match violations.find(|error| error.kind() == ErrorKind::IllFormedUtf8) {
        Some(error) => raised(py, error, bytes),
        None => lone_surrogates(py, bytes),
    }
}

/// What Python stores of an object.
type Reduced<'py> = (Bound<'py, PyType>, (&'py str,), Option<Bound<'py, PyAny>>);

#[pymethods]
impl Reference {
    /// The components, in the order of a class pattern.
    #[classattr]
    #[pyo3(name = "__match_args__")]
    const MATCH_ARGS: (&str, &str, &str, &str, &str) =
        ("scheme", "authority", "path", "query", "fragment");

    #[new]
    fn new(py: Python<'_>, text: Text<'_>) -> PyResult<Self> {
        read::<kind::IriReference>(py, &text).map(Self)
    }

    /// The scheme, without its colon; ``None`` if it is absent, as only in a relative reference.
    #[getter]
    fn scheme(&self) -> Option<&str> {
        self.view().scheme()
    }

    /// The authority, without the two slashes before it; ``None`` if it is absent.
    #[getter]
    fn authority(&self) -> Option<&str> {
        self.view().authority()
    }

    /// The user information, without the ``@``; ``None`` if it is absent.
    #[getter]
    fn userinfo(&self) -> Option<&str> {
        self.view().userinfo()
    }

    /// The host, an IP literal with its brackets; ``None`` if there is no authority.
    #[getter]
    fn host(&self) -> Option<&str> {
        self.view().host_str()
    }

    /// The port as it is written, which may be greater than 65535; ``None`` if it is absent or empty.
    #[getter]
    fn port<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(port) = self.view().port().filter(|port| !port.is_empty()) else {
            return Ok(None);
        };
        match port.parse::<u64>() {
            Ok(number) => Ok(Some(number.into_pyobject(py)?.into_any())),
            // Python limits the digits of a number.
            Err(_) => py.get_type::<PyInt>().call1((port,)).map(Some),
        }
    }

    /// The path, which every reference has; it may be empty.
    #[getter]
    fn path(&self) -> &str {
        self.view().path()
    }

    /// The query, without the question mark; ``None`` if it is absent.
    #[getter]
    fn query(&self) -> Option<&str> {
        self.view().query()
    }

    /// The fragment, without the number sign; ``None`` if it is absent.
    #[getter]
    fn fragment(&self) -> Option<&str> {
        self.view().fragment()
    }

    /// Normalizes (RFC 3987, section 5.3). The level is ``"simple"``, which changes nothing, ``"syntax"``,
    /// ``"scheme"`` or ``"scheme-idna"``.
    ///
    /// >>> Iri("HTTP://Example.org:80/a/../%7Eb").normalize("scheme")
    /// Iri('http://example.org/~b')
    #[pyo3(signature = (level="scheme"))]
    fn normalize(&self, py: Python<'_>, level: &str) -> PyResult<Held> {
        let rules = names::normalize(level)?;
        with_buf!(&self.0, buf => rules.map(buf.view()).map(|normal| normal.into_owned().into()))
            .map_err(|error| self.raised(py, error))
    }

    /// Maps to a URI, or to a URI reference (RFC 3987, section 3.1). With ``idna``, hosts become domain names in ASCII
    /// by UTS #46.
    ///
    /// >>> Iri("http://a/é").to_uri()
    /// Uri('http://a/%C3%A9')
    #[pyo3(signature = (*, idna=false))]
    fn to_uri(&self, py: Python<'_>, idna: bool) -> PyResult<Held> {
        let mapping = ToUri::new().idna(idna);
        with_buf!(&self.0, buf => mapping.map(buf.view()).map(|uri| uri.into_owned().into()))
            .map_err(|error| self.raised(py, error))
    }

    /// Maps to an IRI, or to an IRI reference: decodes triplets of characters that an IRI may hold (RFC 3987, section
    /// 3.2). With ``idna``, hosts that are domain names in ASCII become readable.
    ///
    /// >>> Uri("http://a/%C3%A9").to_iri()
    /// Iri('http://a/é')
    #[pyo3(signature = (*, idna=false))]
    fn to_iri(&self, idna: bool) -> Held {
        let mapping = ToIri::new().idna(idna);
        with_buf!(&self.0, buf => mapping.map(buf.view()).into_owned().into())
    }

    /// Returns the reference as it is best read: nothing in it is invisible and no label of a host misleads.
    ///
    /// >>> Uri("http://xn--bcher-kva.example/%C3%A9").display()
    /// Iri('http://bücher.example/é')
    fn display(&self, py: Python<'_>) -> PyResult<Held> {
        let shape = DisplayIri::new();
        with_buf!(&self.0, buf => shape.map(buf.view()).map(|shown| shown.into_owned().into()))
            .map_err(|error| self.raised(py, error))
    }

    /// Resolves a reference relative to this reference, which needs a scheme (RFC 3986, section 5.2). A ``Uri`` or a
    /// ``UriRef`` takes a URI reference and gives a ``Uri``.
    ///
    /// >>> Iri("http://a/b/c").join("../d")
    /// Iri('http://a/d')
    fn join(&self, py: Python<'_>, reference: Text<'_>) -> PyResult<Held> {
        match self.base(py)? {
            AnyBase::Iri(base) => joined(py, base, &reference),
            AnyBase::Uri(base) => joined(py, base, &reference),
        }
    }

    /// Returns the shortest reference that resolves to a target, relative to this reference, which needs a scheme. The
    /// target is an IRI; for a ``Uri`` or a ``UriRef``, it is a URI.
    ///
    /// >>> Iri("http://a/b/c").relativize("http://a/b/d")
    /// IriRef('d')
    fn relativize(&self, py: Python<'_>, target: Text<'_>) -> PyResult<Held> {
        match self.base(py)? {
            AnyBase::Iri(base) => relative(py, base, &target),
            AnyBase::Uri(base) => relative(py, base, &target),
        }
    }

    /// Returns the registrable domain, by the list of public suffixes; ``None`` if there is none.
    ///
    /// >>> Iri("http://www.example.co.uk/").registrable_domain()
    /// 'example.co.uk'
    fn registrable_domain(&self) -> Option<String> {
        self.view().registrable_domain().map(|domain| domain.into_owned())
    }

    /// Returns the origin (RFC 6454), in ASCII; ``None`` if it is opaque.
    ///
    /// >>> Iri("HTTP://A:80/b").origin()
    /// 'http://a'
    fn origin(&self) -> Option<String> {
        self.view().origin().map(|origin| origin.to_string())
    }

    /// Returns the decoded value of the first pair with a name in the query; ``None`` if there is no such pair.
    ///
    /// >>> Iri("http://a/?q=%C3%A9&b").query_value("q")
    /// 'é'
    fn query_value(&self, name: &str) -> Option<String> {
        first_value(self.view(), name)
    }

    /// Returns a number of 64 bits, the same for references that are equivalent at a level, as for ``normalize``.
    ///
    /// >>> Iri("HTTP://a/%7e").fingerprint() == Iri("http://A/~").fingerprint()
    /// True
    #[pyo3(signature = (level="scheme"))]
    fn fingerprint(&self, level: &str) -> PyResult<u64> {
        bits(self.view(), level)
    }

    /// Returns the reference with another scheme. ``None`` removes the scheme, which an ``Iri`` and a ``Uri`` need.
    ///
    /// >>> Iri("http://a/b").with_scheme("https")
    /// Iri('https://a/b')
    fn with_scheme(&self, py: Python<'_>, scheme: Option<Text<'_>>) -> PyResult<Held> {
        with_buf!(&self.0, buf => edited(py, Component::Scheme, scheme.as_ref(), false, |value| buf.view().with_scheme(value)))
    }

    /// Returns the reference with another user information, or with ``None`` without one. What a component cannot hold is
    /// percent-encoded, and so are percent signs, unless the value is ``encoded`` already; this holds for all
    /// components.
    ///
    /// >>> Iri("ftp://a/b").with_userinfo("me@home")
    /// Iri('ftp://me%40home@a/b')
    #[pyo3(signature = (userinfo, *, encoded=false))]
    fn with_userinfo(
        &self,
        py: Python<'_>,
        userinfo: Option<Text<'_>>,
        encoded: bool,
    ) -> PyResult<Held> {
        with_buf!(&self.0, buf => edited(py, Component::Userinfo, userinfo.as_ref(), encoded, |value| buf.view().with_userinfo(value)))
    }

    /// Returns the reference with another host, or with ``None`` without an authority.
    ///
    /// >>> Iri("http://a:1/b").with_host("[::1]")
    /// Iri('http://[::1]:1/b')
    #[pyo3(signature = (host, *, encoded=false))]
    fn with_host(&self, py: Python<'_>, host: Option<Text<'_>>, encoded: bool) -> PyResult<Held> {
        with_buf!(&self.0, buf => edited(py, Component::Host, host.as_ref(), encoded, |value| buf.view().with_host(value)))
    }

    /// Returns the reference with another port from 0 to 65535, or with ``None`` without one.
    ///
    /// >>> Iri("http://a/b").with_port(8080)
    /// Iri('http://a:8080/b')
    fn with_port(&self, py: Python<'_>, port: Option<&Bound<'_, PyAny>>) -> PyResult<Held> {
        let number = port.map(|port| port.extract::<u16>()).transpose().map_err(|error| {
            let is_number = error.is_instance_of::<PyOverflowError>(py);
            port.filter(|_| is_number).map_or(error, |port| raised_about_port(py, port))
        })?;
        with_buf!(&self.0, buf => buf.view().with_port(number).map(Into::into))
            .map_err(|error| raised(py, error, b""))
    }

    /// Returns the reference with another path.
    ///
    /// >>> Iri("http://a/b").with_path("/100%/a b")
    /// Iri('http://a/100%25/a%20b')
    /// >>> Iri("http://a/b").with_path("/a%20b", encoded=True)
    /// Iri('http://a/a%20b')
    #[pyo3(signature = (path, *, encoded=false))]
    fn with_path(&self, py: Python<'_>, path: Text<'_>, encoded: bool) -> PyResult<Held> {
        with_buf!(&self.0, buf => edited(py, Component::Path, Some(&path), encoded, |value| buf.view().with_path(value)))
    }

    /// Returns the reference with another query, or with ``None`` without one.
    ///
    /// >>> Iri("http://a/b?c").with_query("q=é#")
    /// Iri('http://a/b?q=é%23')
    #[pyo3(signature = (query, *, encoded=false))]
    fn with_query(&self, py: Python<'_>, query: Option<Text<'_>>, encoded: bool) -> PyResult<Held> {
        with_buf!(&self.0, buf => edited(py, Component::Query, query.as_ref(), encoded, |value| buf.view().with_query(value)))
    }

    /// Returns the reference with another fragment, or with ``None`` without one.
    ///
    /// >>> Iri("http://a/b#c").with_fragment(None)
    /// Iri('http://a/b')
    #[pyo3(signature = (fragment, *, encoded=false))]
    fn with_fragment(
        &self,
        py: Python<'_>,
        fragment: Option<Text<'_>>,
        encoded: bool,
    ) -> PyResult<Held> {
        with_buf!(&self.0, buf => edited(py, Component::Fragment, fragment.as_ref(), encoded, |value| buf.view().with_fragment(value)))
    }

    fn __str__(&self) -> &str {
        self.text()
    }

    /// With ``***`` in place of a password, as in all representations.
    fn __repr__(reference: &Bound<'_, Self>) -> PyResult<String> {
        let shown = reference.get().view().masked().to_string();
        let shown = PyString::new(reference.py(), &shown).repr()?;
        Ok(format!("{}({})", reference.get_type().name()?, shown.to_cow()?))
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
        class.py().import("simd_iri.pydantic")?.call_method1("_core_schema", (class,))
    }

    #[classmethod]
    fn __get_pydantic_json_schema__<'py>(
        class: &Bound<'py, PyType>,
        _schema: &Bound<'py, PyAny>,
        _handler: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        class.py().import("simd_iri.pydantic")?.call_method1("_json_schema", (class,))
    }

    fn __hash__(&self) -> u64 {
        HASHES.hash_one(self.text())
    }

    fn __richcmp__(&self, other: &Self, op: CompareOp) -> bool {
        op.matches(self.text().cmp(other.text()))
    }

    /// For ``copy`` and ``pickle``: the class, its argument, and the attributes of an object of a subclass.
    fn __reduce__<'py>(reference: &'py Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let attributes = reference.getattr_opt("__dict__")?;
        Ok((reference.get_type(), (reference.get().text(),), attributes))
    }
}
