//! `iri normalize`: references in their normal form (RFC 3987, section 5.3).

use std::io::{self, Write};

use simd_iri::{IriRef, Normalize, Rule, UriRef};

use crate::args::{NormalLevel, NormalizeArgs};
use crate::output::report::Outcome;
use crate::rules;
use crate::transform::{self, Text};

pub(crate) fn run(args: &NormalizeArgs, out: &mut impl Write) -> io::Result<Outcome> {
    let level = match args.level {
        NormalLevel::None => Normalize::none(),
        NormalLevel::Syntax => Normalize::syntax(),
        NormalLevel::Scheme => Normalize::scheme(),
        NormalLevel::SchemeIdna => Normalize::scheme().domain(true),
    };
    let rules = rules::with(level, &args.rules).policy(args.policy.into());
    let rule = Rule::from(args.kind);
    // What need not be a URI may hold what triplets stand for.
    let is_uri = args.kind.is_uri();
    transform::run(&args.transform, ["input"], out, |[item], made: &mut Text| {
        rule.parse_bytes(item)?;
        if is_uri {
            UriRef::parse_bytes(item)?.normalize_into(rules, &mut made.output)?;
        } else {
            IriRef::parse_bytes(item)?.normalize_into(rules, &mut made.output)?;
        }
        Ok(())
    })
}
