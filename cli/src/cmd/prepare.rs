//! `iri prepare`: arbitrary strings to references (RFC 3987, section 7.2).

use std::io::{self, Write};

use serde::Serialize;
use simd_iri::text::{Prepare, Prepared, Repair, RepairKind};

use crate::args::{PrepareArgs, Spaces};
use crate::cmd::to_uri::utf8;
use crate::output::report::{Outcome, Remark};
use crate::transform::{self, Line, Made};

/// A reference, and the repairs if they are to be reported.
#[derive(Default, Serialize)]
struct Repairable {
    output: String,
    repairs: Vec<Repaired>,
    /// How many more repairs there are than the list holds.
    #[serde(skip_serializing_if = "is_zero")]
    unlisted: usize,
}

/// The references of an item that was split.
#[derive(Default, Serialize)]
struct Split {
    outputs: Vec<Repairable>,
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

impl Repairable {
    /// What was prepared, with its repairs in the order of their places if `repairs` is set.
    fn of(prepared: Prepared<'_>, repairs: bool) -> Self {
        let mut made = Self::default();
        if repairs {
            made.repairs.extend(prepared.repairs().iter().copied().map(Repaired::from));
            made.repairs.sort_by_key(|repair| repair.start);
            made.unlisted = prepared.unlisted_repairs();
        }
        made.output = prepared.into_reference().into_buf().into_string();
        made
    }
}

impl Made for Repairable {
    fn each_line(&self, write: &mut Line<'_>) -> io::Result<()> {
        write(self.output.as_bytes())
    }

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

impl Made for Split {
    fn each_line(&self, write: &mut Line<'_>) -> io::Result<()> {
        self.outputs.iter().try_for_each(|made| made.each_line(write))
    }

    fn remarks(&self) -> Vec<Remark> {
        self.outputs.iter().flat_map(Repairable::remarks).collect()
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
    let prepare = match args.spaces {
        None => prepare,
        Some(Spaces::Keep) => prepare.forbid(RepairKind::Space).forbid(RepairKind::SpaceRemoved),
        Some(Spaces::Encode) => prepare.allow(RepairKind::Space).forbid(RepairKind::SpaceRemoved),
        Some(Spaces::Remove) => prepare.allow(RepairKind::SpaceRemoved),
    };
    let is_reported = args.explain || args.transform.json;
    if args.split {
        return transform::run(&args.transform, ["input"], out, |[item], made: &mut Split| {
            made.outputs.clear();
            for prepared in prepare.each(utf8(item)?) {
                made.outputs.push(Repairable::of(prepared?, is_reported));
            }
            Ok(())
        });
    }
    transform::run(&args.transform, ["input"], out, |[item], made: &mut Repairable| {
        // What is left of the item before is no longer needed while this one is made.
        *made = Repairable::default();
        *made = Repairable::of(prepare.bytes(item)?, is_reported);
        Ok(())
    })
}
