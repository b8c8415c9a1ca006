//! `iri to-iri`: the IRIs that references stand for (RFC 3987, section 3.2).

use std::io::{self, Write};

use simd_iri::{IriRef, ToIri};

use crate::args::{HostForm, ToIriArgs};
use crate::output::report::Outcome;
use crate::transform::{self, Text};

pub(crate) fn run(args: &ToIriArgs, out: &mut impl Write) -> io::Result<Outcome> {
    let map = ToIri::new()
        .policy(args.policy.into())
        .private(args.private)
        .unicode_host(args.host == HostForm::Idna);
    transform::run(&args.transform, ["input"], out, |[item], made: &mut Text| {
        map.map_into(IriRef::parse_bytes(item)?, &mut made.output);
        Ok(())
    })
}
