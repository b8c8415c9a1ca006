//! `iri prepare`: arbitrary strings to references (RFC 3987, section 7.2).

use std::fmt::{self, Display};
use std::io::{self, Write};

use serde::Serialize;
use simd_iri::text::{Prepare, Repair};

use crate::args::PrepareArgs;
use crate::report::{Outcome, Remark};
use crate::transform::{self, Made};

/// A reference, and what was repaired to get it if that is to be told.
#[derive(Default, Serialize)]
struct Prepared {
    output: String,
    repairs: Vec<Repaired>,
}

/// A repair as it is told of.
#[derive(Serialize)]
struct Repaired {
    code: &'static str,
    message: String,
    start: usize,
    end: usize,
}

impl From<Repair> for Repaired {
    fn from(repair: Repair) -> Self {
        let span = repair.span();
        Self {
            code: repair.kind().code(),
            message: repair.to_string(),
            start: span.start,
            end: span.end,
        }
    }
}

impl Display for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.output)
    }
}

impl Made for Prepared {
    fn remarks(&self) -> Vec<Remark> {
        let remark = |repair: &Repaired| Remark {
            start: repair.start,
            end: repair.end,
            label: format!("note[{}]", repair.code),
            message: repair.message.clone(),
        };
        self.repairs.iter().map(remark).collect()
    }
}

pub(crate) fn run(args: &PrepareArgs, out: &mut impl Write) -> io::Result<Outcome> {
    let prepare = Prepare::new(args.profile.into()).context(args.context.into());
    // The arguments have been read, so that this is a scheme.
    let prepare = prepare.scheme(&args.scheme).unwrap_or(prepare);
    let is_told = args.explain || args.transform.json;
    transform::run(&args.transform, ["input"], out, |[item], made: &mut Prepared| {
        let prepared = prepare.bytes(item)?;
        made.output.clear();
        made.output.push_str(prepared.view().as_str());
        made.repairs.clear();
        if is_told {
            made.repairs.extend(prepared.repairs().iter().copied().map(Repaired::from));
            made.repairs.sort_by_key(|repair| repair.start);
        }
        Ok(())
    })
}
