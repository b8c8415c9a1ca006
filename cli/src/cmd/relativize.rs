//! `iri relativize`: the shortest references that resolve to the items, relative to a base.

use std::io::{self, Write};

use simd_iri::{Component, DotSegment, Iri, Relativize};

use crate::against;
use crate::args::RelativizeArgs;
use crate::fault::Fault;
use crate::output::report::Outcome;

pub(crate) fn run(args: &RelativizeArgs, out: &mut impl Write) -> io::Result<Outcome> {
    let forms =
        Relativize::new().network_path(!args.no_network_path).absolute_path(!args.no_absolute_path);
    against::run(&args.against, out, |base, item, made| {
        let target = Iri::parse_bytes(item)?;
        let relative = forms.relativize(base, target).map_err(|error| fault(error, target))?;
        made.output = relative.into_string();
        Ok(())
    })
}

fn fault(error: DotSegment, target: Iri<'_>) -> Fault {
    let start = error.at();
    let segment = target.as_str().get(start..).unwrap_or_default();
    let dots = segment.bytes().take_while(|byte| *byte == b'.').count();
    Fault {
        kind: "dot-segment",
        message: error.to_string(),
        start,
        end: start + dots,
        component: Some(Component::Path.name()),
        of: None,
    }
}
