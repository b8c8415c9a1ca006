//! `iri prepare`: arbitrary strings to references (RFC 3987, section 7.2).

use std::fmt::{self, Display};
use std::io::{self, Write};

use serde::Serialize;
use simd_iri::text::{Prepare, Repair};

use crate::args::PrepareArgs;
use crate::report::{Outcome, Remark};
use crate::transform::{self, Made};

/// A reference, and the repairs if they are to be reported.
#[derive(Default, Serialize)]
struct Prepared {
    output: String,
    repairs: Vec<Repaired>,
    /// How many more repairs there are than the list holds.
    #[serde(skip_serializing_if = "is_zero")]
    unlisted: usize,
}

/// Tells whether a field is left out of JSON.
const fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// A repair as it is reported.
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
        let mut remarks: Vec<_> = self.repairs.iter().map(remark).collect();
        if self.unlisted > 0 {
            let (start, end) = remarks.last().map_or((0, 0), |last| (last.end, last.end));
            let (label, message) = ("note".to_owned(), format!("{} more repairs", self.unlisted));
            remarks.push(Remark { start, end, label, message });
        }
        remarks
    }
}

pub(crate) fn run(args: &PrepareArgs, out: &mut impl Write) -> io::Result<Outcome> {
    let prepare = Prepare::new(args.profile.into()).context(args.context.into());
    // The arguments have been read, so that this is a scheme.
    let prepare = prepare.scheme(&args.scheme).unwrap_or(prepare);
    let prepare = match &args.base {
        Some(base) => prepare.base(base.view()),
        None => prepare,
    };
    let is_reported = args.explain || args.transform.json;
    transform::run(&args.transform, ["input"], out, |[item], made: &mut Prepared| {
        // What is left of the item before is no longer needed while this one is made.
        *made = Prepared::default();
        let prepared = match args.charset {
            Some(charset) => prepare.bytes_in(item, charset)?,
            None => prepare.bytes(item)?,
        };
        if is_reported {
            made.repairs.extend(prepared.repairs().iter().copied().map(Repaired::from));
            made.repairs.sort_by_key(|repair| repair.start);
            made.unlisted = prepared.unlisted_repairs();
        }
        made.output = prepared.into_reference().into_buf().into_string();
        Ok(())
    })
}
