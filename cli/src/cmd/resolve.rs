//! `iri resolve`: the targets of references, relative to a base.

use std::io::{self, Write};

use simd_iri::IriRef;

use crate::against;
use crate::args::ResolveArgs;
use crate::output::report::Outcome;

pub(crate) fn run(args: &ResolveArgs, out: &mut impl Write) -> io::Result<Outcome> {
    against::run(&args.against, out, |base, item, made| {
        let base = if args.lenient { base.lenient() } else { base };
        base.resolve_into(IriRef::parse_bytes(item)?, &mut made.output)?;
        Ok(())
    })
}
