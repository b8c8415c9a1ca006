//! `iri prepare`: arbitrary strings to references (RFC 3987, section 7.2).

use std::io::{self, Write};

use serde::Serialize;
use simd_iri::text::{Prepare, Prepared, Repair, RepairKind};

use crate::args::{PrepareArgs, Spaces};
use crate::report::{Outcome, Remark};
use crate::to_uri::utf8;
use crate::transform::{self, Line, Made};

/// A reference, and what was repaired to get it if that is to be reported.
#[derive(Default, Serialize)]
struct Repairable {
    output: String,
    repairs: Vec<Repaired>,
}

/// The references of an item that was split.
#[derive(Default, Serialize)]
struct Split {
    outputs: Vec<Repairable>,
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
    /// Becomes what was prepared, with its repairs in the order of their places if `repairs` is set.
    fn set(&mut self, prepared: &Prepared<'_>, repairs: bool) {
        self.output.clear();
        self.output.push_str(prepared.view().as_str());
        self.repairs.clear();
        if repairs {
            self.repairs.extend(prepared.repairs().iter().copied().map(Repaired::from));
            self.repairs.sort_by_key(|repair| repair.start);
        }
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
        self.repairs.iter().map(remark).collect()
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
    let prepare = match args.spaces {
        None => prepare,
        Some(Spaces::Keep) => prepare.forbid(RepairKind::Space).forbid(RepairKind::SpaceRemoved),
        Some(Spaces::Encode) => prepare.allow(RepairKind::Space).forbid(RepairKind::SpaceRemoved),
        Some(Spaces::Remove) => prepare.allow(RepairKind::SpaceRemoved),
    };
    let is_told = args.explain || args.transform.json;
    if args.split {
        return transform::run(&args.transform, ["input"], out, |[item], made: &mut Split| {
            made.outputs.clear();
            for prepared in prepare.each(utf8(item)?) {
                let mut output = Repairable::default();
                output.set(&prepared?, is_told);
                made.outputs.push(output);
            }
            Ok(())
        });
    }
    transform::run(&args.transform, ["input"], out, |[item], made: &mut Repairable| {
        let prepared = match args.charset {
            Some(charset) => prepare.bytes_in(item, charset)?,
            None => prepare.bytes(item)?,
        };
        made.set(&prepared, is_told);
        Ok(())
    })
}
