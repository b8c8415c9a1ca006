//! The functions of one or two texts. All arguments are texts, names too.
//!
//! Not here: the list of all functions, and their numbers (`call`).

use core::str::FromStr;

use simd_iri::kind::{IriReference, Kind, UriReference};
use simd_iri::{
    Base, Iri, IriRef, Level, Normalize, Rule, ToIri, ToUri, View, errors::UnknownName,
};
#[cfg(feature = "idna")]
use simd_iri::{Compare, Host};

use crate::answer::{self, ErrorAnswer};
use crate::state::{ABSENT, TEXTS};

/// The answer of a function: a text, no such value, or the reason why its texts are refused.
pub(crate) type Answer = Result<Option<String>, ErrorAnswer>;

/// A function, by its name for `package/engine.js`.
pub(crate) type Function = (&'static str, fn(&Arguments<'_>) -> Answer);

/// The functions of the first module.
pub(crate) const CORE: &[Function] = &[
    ("rules", |_| made(Rule::ALL.iter().map(|rule| rule.name()).collect::<Vec<_>>().join(" "))),
    ("toUri", |of| to_uri(of, ToUri::new())),
    ("toIri", |of| made(ToIri::new().map(of.reference()?).as_str())),
    ("normalize", normalize),
    ("resolve", resolve),
];

/// The further functions of the module with domain names.
#[cfg(feature = "idna")]
pub(crate) const IDNA: &[Function] = &[
    ("relativize", relativize),
    ("key", key),
    ("fingerprint", |of| made(compare(of)?.fingerprint64(of.reference()?))),
    ("hostKind", |of| some(of.reference()?.host().map(Host::kind))),
    ("origin", |of| some(of.reference()?.origin())),
    ("portOrDefault", |of| some(of.reference()?.port_or_default())),
    ("queryValue", |of| some(of.reference()?.query_value(of.text(2)?))),
    ("masked", |of| made(simd_iri::masked(of.text(0)?))),
    ("toUriIdna", |of| to_uri(of, ToUri::new().idna(true))),
    ("toIriIdna", |of| made(ToIri::new().idna(true).map(of.reference()?).as_str())),
    ("hostToAscii", |of| of_host(of, simd_iri::domain::host_to_ascii)),
    ("hostToUnicode", |of| of_host(of, simd_iri::domain::host_to_unicode)),
    ("isHostname", |of| some(simd_iri::domain::is_hostname(of.text(0)?).then_some(""))),
    ("isIdnHostname", |of| some(simd_iri::domain::is_idn_hostname(of.text(0)?).then_some(""))),
];

/// The texts of a call. By convention the first is the text that the function is about, and the second the name of a rule.
pub(crate) struct Arguments<'a> {
    texts: [Option<&'a [u8]>; TEXTS],
}

impl<'a> Arguments<'a> {
    pub(crate) fn of(input: &'a [u8], lengths: &[u32; TEXTS]) -> Self {
        let mut rest = input;
        let texts = lengths.map(|length| {
            if length == ABSENT {
                return None;
            }
            let (text, after) = rest.split_at_checked(length as usize)?;
            rest = after;
            Some(text)
        });
        Self { texts }
    }

    /// Tells whether a text is the first text.
    pub(crate) fn is_first(&self, text: &str) -> bool {
        matches!(self.texts, [Some(first), ..] if first == text.as_bytes())
    }

    pub(crate) fn bytes(&self, at: usize) -> &'a [u8] {
        self.texts.get(at).copied().flatten().unwrap_or_default()
    }

    /// Returns an argument. The caller writes UTF-8.
    pub(crate) fn text(&self, at: usize) -> Result<&'a str, ErrorAnswer> {
        core::str::from_utf8(self.bytes(at)).map_err(answer::of_message)
    }

    #[cfg(feature = "check")]
    pub(crate) fn text_if_there(&self, at: usize) -> Result<Option<&'a str>, ErrorAnswer> {
        match self.texts.get(at) {
            Some(Some(_)) => self.text(at).map(Some),
            _ => Ok(None),
        }
    }

    /// Returns the value with the name that an argument has.
    pub(crate) fn name<T: FromStr<Err = UnknownName>>(&self, at: usize) -> Result<T, ErrorAnswer> {
        self.text(at)?.parse().map_err(answer::of_unknown_name)
    }

    /// Returns the first text as a reference that matches the rule with the name in the second text.
    pub(crate) fn reference(&self) -> Result<IriRef<'a>, ErrorAnswer> {
        let rule: Rule = self.name(1)?;
        let text = self.bytes(0);
        IriRef::parse_as_bytes(rule, text).map_err(|error| answer::of_error(error, text))
    }

    /// Returns the first text as an IRI reference.
    pub(crate) fn reference_of_any_rule(&self) -> Result<IriRef<'a>, ErrorAnswer> {
        let text = self.bytes(0);
        IriRef::parse_bytes(text).map_err(|error| answer::of_error(error, text))
    }

    /// Returns the first text as an IRI.
    #[cfg(feature = "idna")]
    pub(crate) fn iri(&self) -> Result<Iri<'a>, ErrorAnswer> {
        let text = self.bytes(0);
        Iri::parse_bytes(text).map_err(|error| answer::of_error(error, text))
    }

    /// Returns the second text as a base.
    fn base(&self) -> Result<Base<'a, simd_iri::kind::Iri>, ErrorAnswer> {
        let text = self.bytes(1);
        let base = Iri::parse_bytes(text).map_err(|error| answer::of_error(error, text));
        base.map(Base::new)
    }

    /// The answer for an error about the first text.
    pub(crate) fn refused(&self, error: simd_iri::Error) -> ErrorAnswer {
        answer::of_error(error, self.bytes(0))
    }
}

/// The answer with a text.
pub(crate) fn made(text: impl ToString) -> Answer {
    Ok(Some(text.to_string()))
}

/// The answer with a text, if there is a text.
#[cfg(feature = "idna")]
fn some(text: Option<impl ToString>) -> Answer {
    Ok(text.map(|text| text.to_string()))
}

/// The answer for an error without a place.
#[cfg(feature = "check")]
pub(crate) fn refused(error: impl ToString) -> Answer {
    Err(answer::of_message(error))
}

fn to_uri(of: &Arguments<'_>, map: ToUri) -> Answer {
    match map.map(of.reference()?) {
        Ok(uri) => made(uri.as_str()),
        Err(error) => Err(of.refused(error)),
    }
}

/// Tells whether the texts of a rule are URI references. Their mappings have no characters outside ASCII.
pub(crate) const fn is_of_uris(rule: Rule) -> bool {
    matches!(rule, Rule::Uri | Rule::UriReference | Rule::AbsoluteUri | Rule::RelativeRef)
}

fn normalize(of: &Arguments<'_>) -> Answer {
    let rules = of.name::<Level>(2)?.rules();
    // A text that does not match the rule has an error of the rule.
    of.reference()?;
    if is_of_uris(of.name(1)?) {
        normalized::<UriReference>(of, rules)
    } else {
        normalized::<IriReference>(of, rules)
    }
}

fn normalized<K: Kind>(of: &Arguments<'_>, rules: Normalize) -> Answer {
    let normal = View::<K>::parse_bytes(of.bytes(0)).and_then(|view| rules.map(view));
    normal.map_or_else(|error| Err(of.refused(error)), |normal| made(normal.as_str()))
}

fn resolve(of: &Arguments<'_>) -> Answer {
    match of.base()?.resolve(of.reference_of_any_rule()?) {
        Ok(iri) => made(iri),
        Err(error) => Err(of.refused(error)),
    }
}

#[cfg(feature = "idna")]
fn relativize(of: &Arguments<'_>) -> Answer {
    match of.base()?.relativize(of.iri()?) {
        Ok(reference) => made(reference),
        Err(error) => {
            let path = simd_iri::Component::Path.name();
            let span = error.at()..error.at() + 1;
            Err(answer::at("dot-segment", path, &error.to_string(), span, of.bytes(0)))
        }
    }
}

#[cfg(feature = "idna")]
fn compare(of: &Arguments<'_>) -> Result<Compare, ErrorAnswer> {
    Ok(Compare::new(of.name::<Level>(2)?))
}

#[cfg(feature = "idna")]
fn key(of: &Arguments<'_>) -> Answer {
    compare(of)?.key(of.reference()?).map(Some).map_err(|error| of.refused(error))
}

#[cfg(feature = "idna")]
fn of_host(of: &Arguments<'_>, map: fn(&str) -> Result<String, simd_iri::Error>) -> Answer {
    map(of.text(0)?).map(Some).map_err(|error| of.refused(error))
}
