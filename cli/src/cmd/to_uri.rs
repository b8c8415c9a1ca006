//! `iri to-uri`: the URIs that references are mapped to (RFC 3987, section 3.1).

use std::io::{self, Write};

use simd_iri::{Error, ErrorKind, IriRef, Rule, ToUri};

use crate::args::{HostForm, ToUriArgs};
use crate::fault::Fault;
use crate::output::report::Outcome;
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
        if args.lenient {
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
        None => Ok(std::str::from_utf8(item).unwrap_or_default()),
    }
}
