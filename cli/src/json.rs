//! An item as one JSON object on one line. Not here: how an item is read.

use std::borrow::Cow;
use std::io::{self, Write};

use base64::{Engine, engine::general_purpose::STANDARD};
use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
use simd_iri::{Error, IriRef};

use crate::escape::{may_hide, runs};
use crate::parse::host_kind;

/// What a valid item is made of: `null` where a component is absent, `""` where it is empty.
#[derive(Serialize)]
struct Valid<'a> {
    input: &'a str,
    valid: bool,
    scheme: Option<&'a str>,
    authority: Option<&'a str>,
    userinfo: Option<&'a str>,
    host: Option<&'a str>,
    host_kind: Option<&'a str>,
    port: Option<&'a str>,
    path: &'a str,
    query: Option<&'a str>,
    fragment: Option<&'a str>,
}

/// What is wrong with an invalid item.
#[derive(Serialize)]
struct Invalid<'a> {
    input: Cow<'a, str>,
    /// Only for an item that is not UTF-8: all of its bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    input_base64: Option<String>,
    valid: bool,
    error: Violation,
}

#[derive(Serialize)]
struct Violation {
    kind: &'static str,
    message: String,
    start: usize,
    end: usize,
    component: &'static str,
}

/// Writes the object of an item.
pub(crate) fn write(
    out: &mut impl Write,
    item: &[u8],
    parsed: Result<IriRef<'_>, Error>,
) -> io::Result<()> {
    let mut serializer = Serializer::with_formatter(&mut *out, Visible);
    match parsed {
        Ok(iri) => valid(iri).serialize(&mut serializer),
        Err(error) => invalid(item, error).serialize(&mut serializer),
    }?;
    out.write_all(b"\n")
}

fn valid(iri: IriRef<'_>) -> Valid<'_> {
    Valid {
        input: iri.as_str(),
        valid: true,
        scheme: iri.scheme(),
        authority: iri.authority(),
        userinfo: iri.userinfo(),
        host: iri.host_str(),
        host_kind: iri.host().map(host_kind),
        port: iri.port(),
        path: iri.path(),
        query: iri.query(),
        fragment: iri.fragment(),
    }
}

fn invalid(item: &[u8], error: Error) -> Invalid<'_> {
    let input = String::from_utf8_lossy(item);
    // Only what is replaced has to be copied.
    let input_base64 = matches!(input, Cow::Owned(_)).then(|| STANDARD.encode(item));
    let span = error.span();
    let error = Violation {
        kind: error.kind().code(),
        message: error.to_string(),
        start: span.start,
        end: span.end,
        component: error.component().name(),
    };
    Invalid { input, input_base64, valid: false, error }
}

/// Compact JSON in which hidden characters are escaped: the same values, safe to look at.
struct Visible;

impl Formatter for Visible {
    fn write_string_fragment<W>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()>
    where
        W: ?Sized + Write,
    {
        if !may_hide(fragment) {
            return writer.write_all(fragment.as_bytes());
        }
        for (plain, hidden) in runs(fragment) {
            writer.write_all(plain.as_bytes())?;
            if let Some(hidden) = hidden {
                // None of them is beyond the 16 bits that this escape has room for.
                write!(writer, "\\u{:04x}", u32::from(hidden))?;
            }
        }
        Ok(())
    }
}
