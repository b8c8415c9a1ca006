//! The functions for people: checks, repairs, and how a reference is shown.

use core::ops::Range;

use serde::Serialize;
use simd_iri::ErrorKind;
use simd_iri_lint::{Code, Direction, DisplayPolicy, Embed, Lint, Marks, Profile, unembed};
use simd_iri_lint::{DisplayIri, DisplayUts58};
#[cfg(feature = "full")]
use simd_iri_text::{Ends, Extract, Markup};
use simd_iri_text::{Prepare, RepairSet};

use crate::answer::{Correction, with_place};
use crate::documents::json;
use crate::functions::{Answer, Arguments, Function, made};
use crate::utf16::Offsets;

pub(crate) const ALL: &[Function] = &[
    ("lint", lint),
    ("explain", explain),
    ("fix", fix),
    ("prepare", prepare),
    ("display", display),
    ("displayRule", display_rule),
    ("displayInText", |of| made(DisplayUts58::new().map(of.reference()?))),
    ("skeleton", |of| made(simd_iri_lint::skeleton(of.reference()?))),
    ("visual", |of| made(simd_iri_lint::visual(of.reference_of_any_rule()?))),
    ("embed", embed),
    ("unembed", |of| made(unembed(of.text(0)?))),
    #[cfg(feature = "full")]
    ("extract", extract),
    #[cfg(feature = "full")]
    ("registrableDomain", |of| Ok(of.reference()?.registrable_domain().map(Into::into))),
];

#[derive(Serialize)]
struct Finding {
    code: &'static str,
    severity: &'static str,
    start: u32,
    end: u32,
    component: &'static str,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestion: Option<Suggestion>,
}

#[derive(Serialize)]
struct Suggestion {
    #[serde(flatten)]
    correction: Correction,
    #[serde(rename = "keepsMeaning")]
    keeps_meaning: bool,
}

fn lint(of: &Arguments<'_>) -> Answer {
    let lint = Lint::new(of.name::<Profile>(2)?);
    let view = of.reference()?;
    let offsets = Offsets::of(of.bytes(0));
    let span_of = |span: Range<usize>| view.as_str().get(span).unwrap_or_default();
    let findings = lint.report(view);
    let findings = findings.iter().map(|finding| {
        let span = finding.span();
        let [start, end] = offsets.range(span.clone());
        Finding {
            code: finding.code().name(),
            severity: finding.severity().name(),
            start,
            end,
            component: finding.component().name(),
            message: with_place(&finding.to_string(), span.start, start),
            suggestion: finding.suggestion().map(|suggestion| Suggestion {
                correction: Correction { start, end, text: suggestion.apply(span_of(span)) },
                keeps_meaning: suggestion.keeps_meaning(),
            }),
        }
    });
    let findings: Vec<_> = findings.collect();
    made(json(&findings))
}

#[derive(Serialize)]
struct Explanation {
    meaning: &'static str,
    section: &'static str,
    fix: &'static str,
    example: &'static str,
    fixed: &'static str,
}

/// Explains the code of a finding or the kind of an error.
fn explain(of: &Arguments<'_>) -> Answer {
    let of_code = || of.name::<Code>(0).map(|code| code.explanation());
    let explanation = of
        .name::<ErrorKind>(0)
        .map_or_else(|_| of_code(), |kind| Ok(simd_iri_lint::Explanation::of_error(kind)))?;
    let simd_iri_lint::Explanation { meaning, section, fix, example, fixed, .. } = explanation;
    made(json(&Explanation { meaning, section, fix, example, fixed }))
}

fn fix(of: &Arguments<'_>) -> Answer {
    match Lint::new(of.name::<Profile>(2)?).fix(of.reference()?) {
        Ok(fixed) => made(fixed.as_str()),
        Err(error) => Err(of.refused(error)),
    }
}

#[derive(Serialize)]
struct Prepared {
    text: String,
    repairs: Vec<Repair>,
}

#[derive(Serialize)]
struct Repair {
    kind: &'static str,
    start: u32,
    end: u32,
}

fn prepare(of: &Arguments<'_>) -> Answer {
    let prepare = Prepare::new(of.name::<RepairSet>(1)?);
    let prepared = prepare.prepare(of.text(0)?).map_err(|error| of.refused(error))?;
    let offsets = Offsets::of(of.bytes(0));
    let repairs = prepared.repairs().iter().map(|repair| {
        let [start, end] = offsets.range(repair.span());
        Repair { kind: repair.kind().name(), start, end }
    });
    let repairs = repairs.collect();
    made(json(&Prepared { text: prepared.view().as_str().to_owned(), repairs }))
}

fn display(of: &Arguments<'_>) -> Answer {
    let display = match of.text_if_there(2)? {
        Some(_) => DisplayIri::new().policy(of.name(2)?),
        None => DisplayIri::new(),
    };
    match display.map(of.reference()?) {
        Ok(shown) => made(shown.as_str()),
        Err(error) => Err(of.refused(error)),
    }
}

/// Names the rule by which a browser shows an A-label of the host, if it shows one.
fn display_rule(of: &Arguments<'_>) -> Answer {
    let policy: DisplayPolicy = of.name(2)?;
    let host = of.reference()?.host_str().unwrap_or_default();
    Ok(policy.judge(host).rule().map(|rule| rule.name().to_owned()))
}

fn embed(of: &Arguments<'_>) -> Answer {
    let embed = Embed::new(of.name::<Direction>(1)?).marks(of.name::<Marks>(2)?);
    made(embed.before(of.text(3)?).after(of.text(4)?).map(of.reference_of_any_rule()?))
}

#[cfg(feature = "full")]
#[derive(Serialize)]
struct Link {
    text: String,
    kind: &'static str,
    start: u32,
    end: u32,
    reference: Option<String>,
}

#[cfg(feature = "full")]
fn extract(of: &Arguments<'_>) -> Answer {
    let search = Extract::new().markup(of.name::<Markup>(1)?).ends(of.name::<Ends>(2)?);
    let offsets = Offsets::of(of.bytes(0));
    let links = search.links(of.text(0)?).map(|link| {
        let [start, end] = offsets.range(link.span());
        let reference = link.prepare().ok().map(|made| made.view().as_str().to_owned());
        Link { text: link.as_str().to_owned(), kind: link.kind().name(), start, end, reference }
    });
    made(json(&links.collect::<Vec<_>>()))
}
