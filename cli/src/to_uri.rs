//! `iri to-uri`: the URIs that references are mapped to (RFC 3987, section 3.1).

use std::io::{self, Write};

use encoding_rs::Encoding;
use simd_iri::{Error, ErrorKind, InvalidText, IriRef, IriRefBuf, LegacyError, Rule, ToUri};

use crate::args::{HostForm, ToUriArgs};
use crate::fault::Fault;
use crate::report::Outcome;
use crate::transform::{self, Text};

pub(crate) fn run(args: &ToUriArgs, out: &mut impl Write) -> io::Result<Outcome> {
    let map = match args.host {
        HostForm::Percent => ToUri::new(),
        HostForm::Idna => ToUri::new().idna(),
    };
    let map = match args.query_charset {
        Some(charset) => map.query_charset(charset, args.unmappable.into()),
        None => map,
    };
    transform::run(&args.transform, ["input"], out, |[item], made: &mut Text| {
        if let Some(charset) = args.charset {
            let reference = from_legacy(item, charset)?;
            map.map_into(reference.view(), &mut made.output)?;
        } else if args.lenient {
            made.output = map.map_lenient(utf8(item)?)?.into_string();
        } else {
            map.map_into(IriRef::parse_bytes(item)?, &mut made.output)?;
        }
        Ok(())
    })
}

/// An item as text, which may hold what no reference does but must be UTF-8.
pub(crate) fn utf8(item: &[u8]) -> Result<&str, Fault> {
    let is_ill_formed = |error: &Error| error.kind() == ErrorKind::IllFormedUtf8;
    match Rule::IriReference.violations(item).find(is_ill_formed) {
        Some(error) => Err(error.into()),
        None => Ok(str::from_utf8(item).unwrap_or_default()),
    }
}

/// A reference in a charset. Errors in the text are told by their place in it, not in the bytes.
fn from_legacy(item: &[u8], charset: &'static Encoding) -> Result<IriRefBuf, Fault> {
    IriRefBuf::from_legacy(item, charset).map_err(|error| match &error {
        LegacyError::Invalid(refused) => Fault::from(InvalidText::error(refused)),
        LegacyError::IllFormed { at } => Fault {
            kind: "ill-formed-charset",
            message: error.to_string(),
            start: *at,
            end: at.saturating_add(1),
            component: None,
            of: None,
        },
    })
}
