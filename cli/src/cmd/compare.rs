//! `iri compare`: whether two references are equivalent (RFC 3987, section 5.3).

use std::ffi::OsString;
use std::io::{self, Write};

use serde::Serialize;
use simd_iri::{Base, Compare, Cow, Error, IriRef, Level, Normalize, kind};

use crate::args::{CompareArgs, TransformArgs};
use crate::fault::Fault;
use crate::output::report::{self, Outcome};
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
    let is_one_pair = !args.pairs && args.transform.input.items.is_empty();
    let Some(items) = items(args) else {
        report::complain(format_args!("compare: write two references, or --pairs"));
        return Ok(Outcome::Trouble);
    };
    let level = Level::from(args.level);
    let by = if args.rules.is_empty() {
        Compare::new(level)
    } else {
        Compare::by(rules::with(rules_of(level), &args.rules))
    };
    let by = if args.without_fragment { by.without_fragment() } else { by };
    let base = args.base.as_ref().map(|base| Base::new(base.view()));
    let mut is_different = false;
    let outcome = transform::run(&items, ["a", "b"], out, |[a, b], made: &mut Equality| {
        let parse = |name, text| seen_from(base, text).map_err(|e| Fault::from(e).of(name));
        let (a, b) = (parse("a", a)?, parse("b", b)?);
        *made = Equality { level: level.name(), equal: by.equivalent(a.view(), b.view()) };
        is_different |= !made.equal;
        Ok(())
    })?;
    Ok(match outcome {
        Outcome::AllValid if is_one_pair && is_different => Outcome::SomeInvalid,
        Outcome::SomeInvalid if is_one_pair => Outcome::Trouble,
        outcome => outcome,
    })
}

/// A reference, resolved against the base if there is one.
fn seen_from<'a>(
    base: Option<Base<'_, kind::Iri>>,
    text: &'a [u8],
) -> Result<Cow<'a, kind::IriReference>, Error> {
    let reference = IriRef::parse_bytes(text)?;
    Ok(match base {
        Some(base) => Cow::Owned(base.resolve(reference)?.into()),
        None => Cow::Borrowed(reference),
    })
}

/// The rules of a level, to which others are added.
fn rules_of(level: Level) -> Normalize {
    match level {
        Level::Syntax => Normalize::syntax(),
        Level::Scheme => Normalize::scheme(),
        Level::SchemeIdna => Normalize::scheme().domain(true),
        _ => Normalize::none(),
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
