//! `iri compare`: whether two references are equivalent (RFC 3987, section 5.3).

use std::ffi::OsString;
use std::io::{self, Write};

use serde::Serialize;
use simd_iri::{Compare, Error, IriRef, Level, Normalize};

use crate::args::{CompareArgs, TransformArgs};
use crate::fault::Fault;
use crate::report::{self, Outcome};
use crate::rules;
use crate::transform::{self, Line, Made};

/// Whether the two of a pair are equivalent.
#[derive(Serialize)]
struct Equality {
    level: &'static str,
    equal: bool,
}

impl Default for Equality {
    fn default() -> Self {
        Self { level: Level::Simple.name(), equal: false }
    }
}

impl Made for Equality {
    fn each_line(&self, write: &mut Line<'_>) -> io::Result<()> {
        write(if self.equal { b"equal" } else { b"different" })
    }
}

pub(crate) fn run(args: &CompareArgs, out: &mut impl Write) -> io::Result<Outcome> {
    let Some(items) = items(args) else {
        report::complain(format_args!("compare: write two references, or --pairs"));
        return Ok(Outcome::Trouble);
    };
    let level = Level::from(args.level);
    let comparison = Comparison { args, level };
    transform::run(&items, ["a", "b"], out, |[a, b], made: &mut Equality| {
        let parse = |name, text| IriRef::parse_bytes(text).map_err(|e| Fault::from(e).of(name));
        let equal = comparison.equivalent(parse("a", a)?, parse("b", b)?)?;
        *made = Equality { level: level.name(), equal };
        Ok(())
    })
}

/// How two references are compared.
struct Comparison<'a> {
    args: &'a CompareArgs,
    level: Level,
}

impl Comparison<'_> {
    /// Tells whether two references are equivalent: their keys are the same, which are their URIs in the
    /// normal form of the level (RFC 3987, section 5.3). Only rules beyond the level need a text of these.
    fn equivalent(&self, a: IriRef<'_>, b: IriRef<'_>) -> Result<bool, Error> {
        if self.args.rules.is_empty() {
            return Ok(self.by(self.level).equivalent(a, b));
        }
        let rules = match self.level {
            Level::Simple => Normalize::none(),
            Level::Syntax => Normalize::syntax(),
            Level::Scheme => Normalize::scheme(),
            _ => Normalize::scheme().domain(true),
        };
        let rules = rules::with(rules, &self.args.rules);
        let by = self.by(Level::Simple);
        if self.level == Level::Simple {
            return Ok(by.equivalent(a.normalize(rules)?.view(), b.normalize(rules)?.view()));
        }
        let (a, b) = (a.to_uri()?, b.to_uri()?);
        Ok(by.equivalent(a.view().normalize(rules)?.view(), b.view().normalize(rules)?.view()))
    }

    /// Comparison at a level.
    fn by(&self, level: Level) -> Compare {
        let by = Compare::new(level);
        if self.args.without_fragment { by.without_fragment() } else { by }
    }
}

/// What is compared: the two references that are given are a pair like those of a line. `None` if
/// they are not two.
fn items(args: &CompareArgs) -> Option<TransformArgs> {
    let mut items = args.transform.clone();
    if !args.pairs && items.input.items.is_empty() {
        let [a, b] = items.input.files.as_slice() else { return None };
        let mut pair = OsString::from(a);
        pair.push("\t");
        pair.push(b);
        items.input.items.push(pair);
        items.input.files.clear();
    }
    Some(items)
}
