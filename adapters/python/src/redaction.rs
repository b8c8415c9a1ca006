//! A text without its secrets: `redact` and `redactions`, and what they share with the kernel.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use simd_iri_redact::{Redact, SecretSet};

use crate::error::raised;
use crate::names;
use crate::text::{Characters, Text};

/// A range of a text that is redacted: its start and end, the reason, the key, and the set that has the key. Offsets are
/// in characters.
type Redaction<'py> = (usize, usize, &'static str, Option<Bound<'py, PyAny>>, Option<&'static str>);

/// The options, as Python gives them.
pub(crate) struct Options<'a> {
    pub(crate) sets: Option<Vec<String>>,
    pub(crate) keys: Option<Vec<String>>,
    pub(crate) any_case: bool,
    pub(crate) raw: bool,
    pub(crate) userinfo: &'a str,
    pub(crate) part: &'a str,
    pub(crate) replacement: &'a str,
    pub(crate) semicolons: bool,
    pub(crate) whatwg: bool,
    pub(crate) nested: Option<u8>,
    pub(crate) fragment: Option<bool>,
    pub(crate) session_ids: Option<bool>,
    pub(crate) data: bool,
}

impl Options<'_> {
    /// Calls `call` with the redaction that has these options.
    pub(crate) fn with<R>(
        &self,
        py: Python<'_>,
        call: impl FnOnce(Redact<'_>) -> PyResult<R>,
    ) -> PyResult<R> {
        let keys: Vec<&str> = self.keys.iter().flatten().map(String::as_str).collect();
        let mut redact = match &self.sets {
            None => Redact::default(),
            Some(sets) => sets
                .iter()
                .try_fold(Redact::none(), |redact, set| Ok(redact.set(names::secret_set(set)?)))
                .map_err(|error: PyErr| error)?,
        };
        redact = redact.keys(&keys).any_case(self.any_case).raw(self.raw);
        redact = redact.userinfo(names::userinfo(self.userinfo)?).part(names::part(self.part)?);
        redact = redact.semicolons(self.semicolons).whatwg(self.whatwg);
        redact = redact.data(self.data);
        redact = self.nested.map_or(redact, |nested| redact.nested(nested));
        redact = self.fragment.map_or(redact, |fragment| redact.fragment(fragment));
        redact = self.session_ids.map_or(redact, |session_ids| redact.session_ids(session_ids));
        let redact = redact.replacement(self.replacement);
        call(redact.map_err(|error| raised(py, error, self.replacement.as_bytes()))?)
    }
}

/// Makes a function whose parameters after the first are the options.
macro_rules! with_options {
    ($(#[$doc:meta])* $name:ident<'py>($input:ident: $type:ty) -> $result:ty, |$py:ident, $redact:ident| $made:expr) => {
        $(#[$doc])*
        #[pyfunction]
        #[pyo3(signature = (
            $input, sets=None, *, keys=None, any_case=false, raw=false, userinfo="shape", part="reference",
            replacement="REDACTED", semicolons=false, whatwg=false, nested=None, fragment=None, session_ids=None,
            data=false
        ))]
        #[expect(clippy::too_many_arguments, reason = "they are named where they are given")]
        pub(crate) fn $name<'py>(
            $py: Python<'py>,
            $input: $type,
            sets: Option<Vec<String>>,
            keys: Option<Vec<String>>,
            any_case: bool,
            raw: bool,
            userinfo: &str,
            part: &str,
            replacement: &str,
            semicolons: bool,
            whatwg: bool,
            nested: Option<u8>,
            fragment: Option<bool>,
            session_ids: Option<bool>,
            data: bool,
        ) -> PyResult<$result> {
            let options = crate::redaction::Options {
                sets, keys, any_case, raw, userinfo, part, replacement, semicolons, whatwg, nested, fragment,
                session_ids, data,
            };
            options.with($py, |$redact| $made)
        }
    };
}

pub(crate) use with_options;

with_options! {
    /// Returns a text without its passwords, signatures and tokens, for logs. The text need not be a reference: a ``str`` or
    /// a reference gives a ``str``, and ``bytes`` give ``bytes``.
    ///
    /// >>> redact("https://me:pw@a.example/x y?q=1&sig=abc")
    /// 'https://REDACTED:REDACTED@a.example/x y?q=1&sig=REDACTED'
    /// >>> redact("/?code=x&apikey=y&sig=z", ["oauth"], keys=["apikey"])
    /// '/?code=REDACTED&apikey=REDACTED&sig=z'
    /// >>> redact("GET /login?sig=x, then (ftp://u:p@h/).", part="text")
    /// 'GET /login?sig=REDACTED, then (ftp://REDACTED:REDACTED@h/).'
    ///
    /// - ``sets`` are the names of sets of secret keys, by default ``["otel", "oauth", "common"]``; ``docs/redact.md``
    ///   lists them. With an empty list, only user information is redacted.
    /// - ``keys`` are keys of your own: lists of words, such as ``"user-pin"`` or ``"*-pin"``, however a name spells them.
    /// - ``any_case`` compares the keys of the sets of OpenTelemetry as words, too, and not byte by byte.
    /// - ``raw`` compares keys only as they are written, without decoding them.
    /// - ``userinfo`` is ``"shape"``, ``"both"``, ``"password"`` or ``"drop"``: what is written for user information.
    /// - ``part`` is what the text is: ``"reference"``, ``"target"`` of a request, ``"query"``, or running ``"text"``.
    /// - ``replacement`` stands in the place of a secret. It raises ``IriError`` if it would be a part of a reference of its
    ///   own.
    /// - ``semicolons`` separates pairs at semicolons, too; ``whatwg`` ends an authority at a backslash.
    /// - ``nested`` tells how often values are decoded to find a secret in them, up to 4; by default 1 in running text,
    ///   otherwise 0.
    /// - ``fragment``, ``session_ids`` and ``data`` redact the pairs of fragments, session identifiers in paths, and the
    ///   content of ``data:``. By default, the sets decide about the first two.
    redact<'py>(text: &Bound<'py, PyAny>) -> Bound<'py, PyAny>, |py, redact| {
        if let Ok(bytes) = text.cast::<PyBytes>() {
            return Ok(PyBytes::new(py, &redact.redact_bytes(bytes.as_bytes())).into_any());
        }
        let read: Text<'_> = text.extract()?;
        match read.utf8() {
            Some(text) => Ok(PyString::new(py, &redact.redact(text)).into_any()),
            None => {
                let bytes = text.call_method1("encode", ("utf-8", "surrogatepass"))?;
                let redacted = PyBytes::new(py, &redact.redact_bytes(bytes.extract()?));
                redacted.call_method1("decode", ("utf-8", "surrogatepass"))
            }
        }
    }
}

with_options! {
    /// The ranges that `redact` replaces.
    redactions<'py>(text: Text<'_>) -> Vec<Redaction<'py>>, |py, redact| {
        let bytes = text.bytes();
        let mut characters = Characters::of(bytes);
        let redactions = redact.redactions(bytes).map(|redaction| {
            let (key, span) = (redaction.key(), redaction.span());
            let key = match key.is_empty() {
                true => None,
                // The key is before the value.
                false => {
                    let place = characters.before(key.start)..characters.before(key.end);
                    Some(text.part(py, key, place)?)
                }
            };
            let (start, end) = (characters.before(span.start), characters.before(span.end));
            Ok((start, end, redaction.reason().name(), key, redaction.set().map(SecretSet::name)))
        });
        redactions.collect()
    }
}
