//! Every name that `docs/operations.md` has for Rust is called with the cases of `tests/data/operations.jsonl`. The tests
//! of the other interfaces do the same with their columns. And the page itself: each empty cell has a reason, and each
//! operation has a case.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use simd_iri::encoding_rs::Encoding;
use simd_iri::{
    Base, Compare, Error, Host, Iri, IriBuf, IriRef, Level, Rule, ToIri, ToUri,
    charset::Unmappable,
    document::{Document, Format},
    domain::{host_to_ascii, host_to_unicode, is_hostname, is_idn_hostname},
    http_message::{Field, TargetForm},
    percent,
};
use simd_iri_archive as archive;
use simd_iri_archive::Profile as ArchiveProfile;
use simd_iri_judge::Policy;
use simd_iri_lint::{Direction, DisplayPolicy, Embed, Lint, Profile, charsets, interpret, unembed};
use simd_iri_lint::{DisplayIri, DisplayUts58};
use simd_iri_redact::Redact;
use simd_iri_rules::{QueryRules, RuleFormat, Unwrap};
use simd_iri_template::{Template, Value as Variable};
use simd_iri_text::{Ends, Extract, Markup, Prepare, RepairSet};

mod table;

use table::Case;

#[test]
fn each_name_for_rust_has_its_answers() {
    table::check("Rust", |operation, name, case| {
        let call = CALLS.iter().find(|(of, called, _)| (*of, *called) == (operation, name))?;
        Some((call.2)(case).unwrap_or(Value::Null))
    });
    let called = CALLS.iter().map(|(_, name, _)| *name).collect();
    assert_eq!(table::names("Rust"), called, "the names of docs/operations.md, and those here");
}

#[test]
fn the_page_of_the_crate_has_each_name_for_rust() {
    let page = include_str!("../src/lib.rs").split_once("//! # I want to…\n").unwrap().1;
    let tasks = page.split_once("\n//! # ").unwrap().0;
    let has =
        |name: &str| ["`", "::"].iter().any(|before| tasks.contains(&format!("{before}{name}`")));
    let missing: Vec<_> = table::names("Rust").into_iter().filter(|name| !has(name)).collect();
    assert!(missing.is_empty(), "names of docs/operations.md that src/lib.rs lacks: {missing:?}");
}

#[test]
fn an_empty_cell_has_a_reason_and_an_operation_has_a_case() {
    let page = include_str!("../docs/operations.md");
    let reasons = page.split_once("\n## Empty cells\n").unwrap().1.split_once("\n## ").unwrap().0;
    let reasons = reasons.lines().filter_map(|line| line.strip_prefix("| ")?.split(' ').next());
    let reasons: BTreeSet<_> = reasons.filter(|word| !["word", "---"].contains(word)).collect();

    let (mut named, mut used) = (BTreeSet::new(), BTreeSet::new());
    for (operation, row) in table::rows() {
        assert!(named.insert(operation.to_owned()), "two rows: {operation}");
        used.extend(row.values().filter(|cell| table::name(cell).is_none()));
        let is_named = row.values().any(|cell| table::name(cell).is_some());
        assert!(is_named, "no interface has: {operation}");
    }
    assert_eq!(used, reasons, "the words in cells, and the reasons");
    let of_cases: BTreeSet<_> =
        table::cases().into_iter().map(|(operation, _)| operation).collect();
    assert_eq!(named, of_cases, "the operations of the page, and those of the cases");
}

/// An operation, the name of a function of Rust, and a call of this function. `None` stands for an error and for an
/// absent component.
type Call = (&'static str, &'static str, fn(&Case) -> Option<Value>);

/// Returns a call whose text is a reference.
macro_rules! of_view {
    ($operation:literal, $name:literal, |$view:ident, $case:ident| $answer:expr) => {
        ($operation, $name, |$case| {
            let $view = view($case)?;
            Some(json!($answer))
        })
    };
}

const CALLS: &[Call] = &[
    ("is valid", "Rule::is_valid", |case| {
        Some(json!(rule(case, Rule::Iri).is_valid(case.input())))
    }),
    ("first error", "View::parse", |case| Iri::parse(case.input()).err().map(error)),
    ("all errors", "Rule::violations", |case| {
        let errors = Rule::Iri.violations(case.input());
        Some(json!(errors.map(|error| error.span().start).collect::<Vec<_>>()))
    }),
    of_view!("components", "View::parse", |view, case| {
        json!({
            "scheme": view.scheme(), "authority": view.authority(), "userinfo": view.userinfo(),
            "host": view.host_str(), "port": view.port(), "path": view.path(),
            "query": view.query(), "fragment": view.fragment(),
        })
    }),
    of_view!("scheme", "View::scheme", |view, case| view.scheme()),
    of_view!("authority", "View::authority", |view, case| view.authority()),
    of_view!("user information", "View::userinfo", |view, case| view.userinfo()),
    of_view!("host", "View::host_str", |view, case| view.host_str()),
    of_view!("kind of host", "Host::kind", |view, case| view.host().map(Host::kind)),
    of_view!("port", "View::port", |view, case| view.port()),
    of_view!("port for a connection", "View::port_or_default", |view, case| view.port_or_default()),
    of_view!("path", "View::path", |view, case| view.path()),
    of_view!("query", "View::query", |view, case| view.query()),
    of_view!("fragment", "View::fragment", |view, case| view.fragment()),
    of_view!("registrable domain", "View::registrable_domain", |view, case| {
        view.registrable_domain()
    }),
    of_view!("origin", "View::origin", |view, case| view.origin().map(|it| it.to_string())),
    of_view!("value in the query", "View::query_value", |view, case| view
        .query_value(case.get("name")?)),
    ("is a host name", "is_hostname", |case| Some(json!(is_hostname(case.input())))),
    ("is a host name of IDNA2008", "is_idn_hostname", |case| {
        Some(json!(is_idn_hostname(case.input())))
    }),
    of_view!("to URI", "View::to_uri", |view, case| view.to_uri().ok()?),
    of_view!("to URI, with domain names", "ToUri::idna", |view, case| {
        ToUri::new().idna(true).map(view).ok()?
    }),
    of_view!("to URI, with a query in a legacy charset", "ToUri::query_charset", |view, case| {
        ToUri::new().query_charset(charset(case), Unmappable::Error).map(view).ok()?
    }),
    of_view!("to IRI", "View::to_iri", |view, case| view.to_iri()),
    of_view!("to IRI, with domain names", "ToIri::idna", |view, case| {
        ToIri::new().idna(true).map(view)
    }),
    of_view!("normalize", "View::normalize", |view, case| {
        view.normalize(level(case).rules()).ok()?
    }),
    ("resolve", "Base::resolve", |case| {
        let base = Base::parse(case.get("base")?).ok()?;
        Some(json!(base.resolve(IriRef::parse(case.input()).ok()?).ok()?.as_str()))
    }),
    ("make relative", "Base::relativize", |case| {
        let base = Base::parse(case.get("base")?).ok()?;
        Some(json!(base.relativize(Iri::parse(case.input()).ok()?).ok()?.as_str()))
    }),
    of_view!("is equivalent", "View::is_equivalent", |view, case| {
        view.is_equivalent(IriRef::parse(case.get("other")?).ok()?, level(case))
    }),
    of_view!("order", "Compare::order", |view, case| {
        Compare::new(level(case)).order(view, IriRef::parse(case.get("other")?).ok()?) as i8
    }),
    of_view!("key", "Compare::key", |view, case| Compare::new(level(case)).key(view).ok()),
    of_view!("fingerprint of the key", "Compare::fingerprint64", |view, case| {
        Compare::new(level(case)).fingerprint64(view).to_string()
    }),
    of_view!("replace a component", "View::with_path", |view, case| {
        view.with_path(case.get("value")?).ok()?
    }),
    ("build from components", "Builder::build", |case| {
        let builder = IriBuf::builder().scheme("http").host("a").path(case.input());
        Some(json!(builder.build().ok()?.as_str()))
    }),
    ("drop pairs of the query", "Buf::drop_query_pairs", |case| {
        let mut iri = IriBuf::parse(case.input()).ok()?;
        iri.drop_query_pairs(|name| name == case.get("name").unwrap());
        Some(json!(iri.as_str()))
    }),
    ("percent-encode a value", "percent::encode", |case| {
        Some(json!(percent::encode::<percent::Segment>(case.input()).to_string()))
    }),
    ("percent-decode a value", "percent::decode", |case| {
        Some(json!(percent::decode(case.input()).utf8().ok()?))
    }),
    ("file name to IRI", "Buf::from_posix_path", |case| {
        Some(json!(IriBuf::from_posix_path(case.input()).ok()?.as_str()))
    }),
    of_view!("IRI to file name", "View::to_posix_path", |view, case| {
        String::from_utf8(view.to_posix_path().ok()?).unwrap()
    }),
    ("file name of Windows to IRI", "Buf::from_windows_path", |case| {
        Some(json!(IriBuf::from_windows_path(case.input()).ok()?.as_str()))
    }),
    of_view!("IRI to file name of Windows", "View::to_windows_path", |view, case| {
        view.to_windows_path().ok()?
    }),
    ("repair", "Prepare::prepare", |case| {
        let profile = case.get("profile").unwrap_or("browser-like");
        let profile = RepairSet::ALL.iter().find(|set| set.name() == profile).unwrap();
        Some(json!(Prepare::new(*profile).prepare(case.input()).ok()?.view().as_str()))
    }),
    of_view!("lint", "lint", |view, case| {
        let report = simd_iri_lint::lint(view, profile(case));
        report.iter().map(|finding| finding.code().name()).collect::<Vec<_>>()
    }),
    of_view!("fix what the lint finds", "Lint::fix", |view, case| {
        Lint::new(profile(case)).fix(view).ok()?
    }),
    ("extract links from text", "Extract::links", |case| {
        let markup = if case.get("markup").is_some() { Markup::Markdown } else { Markup::Plain };
        let search = Extract::new().markup(markup);
        let links = search.links(case.input());
        let links = links.map(|link| link.prepare().unwrap().view().as_str().to_owned());
        Some(json!(links.collect::<Vec<_>>()))
    }),
    ("extract links from prose without spaces", "Extract::ends", |case| {
        let links = Extract::new().ends(Ends::Tight).links(case.input());
        let links = links.map(|link| link.prepare().unwrap().view().as_str().to_owned());
        Some(json!(links.collect::<Vec<_>>()))
    }),
    of_view!("display", "DisplayIri::map", |view, case| { DisplayIri::new().map(view).ok()? }),
    of_view!("display, as a browser does", "DisplayIri::policy", |view, case| {
        DisplayIri::new().policy(DisplayPolicy::Chromium).map(view).ok()?
    }),
    of_view!("rule of a browser that hides a label", "DisplayPolicy::judge", |view, case| {
        DisplayPolicy::Firefox.judge(view.host_str()?).rule()?.name()
    }),
    of_view!("display in running text", "DisplayUts58::map", |view, case| {
        DisplayUts58::new().map(view)
    }),
    of_view!("order of display", "visual", |view, case| simd_iri_lint::visual(view)),
    of_view!("embed in a paragraph", "Embed::map", |view, case| {
        let is_rtl = case.get("direction") == Some("rtl");
        let direction = if is_rtl { Direction::RightToLeft } else { Direction::LeftToRight };
        Embed::new(direction).map(view)
    }),
    ("remove the marks of a paragraph", "unembed", |case| Some(json!(unembed(case.input())))),
    of_view!("skeleton", "skeleton", |view, case| simd_iri_lint::skeleton(view)),
    of_view!("mask a password", "View::masked", |view, case| view.masked().to_string()),
    of_view!("escape in a document", "Document::write", |view, case| {
        Document::new(format(case)).write(view)
    }),
    ("read from a document", "Document::read", |case| {
        Some(json!(Document::new(format(case)).read(case.input()).ok()?))
    }),
    ("interpret in a legacy charset", "interpret", |case| {
        Some(json!(interpret(case.input(), &[charset(case)]).ok()?.first()?.view().as_str()))
    }),
    ("is a target", "TargetForm::parse", |case| {
        Some(json!(TargetForm::Origin.parse(case.input()).is_ok()))
    }),
    ("repair a target", "TargetForm::to_reference", |case| {
        let target = case.input();
        let reference = TargetForm::Origin.to_reference(target.as_bytes());
        let prepared = Prepare::new(RepairSet::Rdf).prepare_bytes(&reference).ok()?;
        let uri = prepared.view().to_uri().ok()?;
        Some(json!(TargetForm::Origin.target_of(target.as_bytes(), uri.as_str())))
    }),
    ("normalize a target", "TargetForm::normalize", |case| {
        Some(json!(TargetForm::Origin.normalize(case.input()).ok()?))
    }),
    ("names of a target in legacy charsets", "interpret", |case| {
        let charsets: Vec<_> = charsets(case.input()).collect();
        let found = interpret(case.input(), &charsets).ok()?;
        Some(json!(found.iter().map(|name| name.view().as_str()).collect::<Vec<_>>().join(" ")))
    }),
    ("host in Unicode", "host_to_unicode", |case| Some(json!(host_to_unicode(case.input()).ok()?))),
    ("host in ASCII", "host_to_ascii", |case| Some(json!(host_to_ascii(case.input()).ok()?))),
    ("references of a field to URIs", "ToUri::map_field", |case| {
        let field = Field::of(case.get("field")?)?;
        let mapped = ToUri::new().map_field(field, case.input().as_bytes());
        Some(json!(std::str::from_utf8(&mapped.value).unwrap()))
    }),
    ("redact secrets", "Redact::redact", |case| {
        Some(json!(Redact::default().redact(case.input())))
    }),
    ("places of secrets", "Redact::redactions", |case| {
        let redact = Redact::default();
        let places = redact.redactions(case.input()).map(|redaction| redaction.span().start);
        Some(json!(places.collect::<Vec<_>>()))
    }),
    ("URL to send, if nothing speaks against a fetch", "Policy::judge", |case| {
        Some(json!(Policy::default().judge(case.input()).url_to_send()))
    }),
    ("URL to send after a redirect", "Policy::judge_redirect", |case| {
        let redirect = Policy::default().judge_redirect(case.input(), case.get("base")?, 1);
        Some(json!(redirect.verdict().url_to_send()))
    }),
    ("is an address of the public web", "Policy::judge_address", |case| {
        Some(json!(Policy::default().judge_address(case.input().parse().unwrap()).is_none()))
    }),
    ("key of a web archive", "simd_iri_archive::key", |case| {
        let key = archive::key(case.input(), ArchiveProfile::Pywb);
        (!key.is_rejected()).then(|| json!(key.as_str()))
    }),
    ("values of a template", "Template::match_uri", |case| {
        let template = Template::parse("/users/{id}{?q}").unwrap();
        let captures = template.match_uri(case.input())?;
        let values: BTreeMap<_, _> = captures
            .iter()
            .map(|capture| match capture.value() {
                Variable::List(items) => (capture.name(), json!(items)),
                _ => (capture.name(), json!(captures.text(capture.name()))),
            })
            .collect();
        Some(json!(serde_json::to_string(&values).unwrap()))
    }),
    of_view!("link out of its wrappers", "Unwrap::apply", |view, case| {
        Unwrap::new().apply(view.as_iri_ref()).reference().as_str().to_owned()
    }),
    of_view!("reference without the pairs that rules name", "QueryRules::apply", |view, case| {
        let rules = QueryRules::parse(case.get("rules").unwrap(), RuleFormat::Toml).unwrap();
        rules.apply(view.as_iri_ref()).reference().as_str().to_owned()
    }),
    ("expansion of a template", "Template::expand", |case| {
        let template = Template::parse("/users/{id}{?q}").unwrap();
        let variables: BTreeMap<String, String> = serde_json::from_str(case.input()).unwrap();
        Some(json!(template.expand(&variables.into_iter().collect()).unwrap()))
    }),
];

/// The rule of a case.
fn rule(case: &Case, default: Rule) -> Rule {
    case.get("rule").map_or(default, |name| name.parse().unwrap())
}

/// The input as a reference that matches the rule, by default `IRI-reference`.
fn view(case: &Case) -> Option<IriRef<'_>> {
    IriRef::parse_as(rule(case, Rule::IriReference), case.input()).ok()
}

/// The level of a case, or the default.
fn level(case: &Case) -> Level {
    case.get("level").map_or(Level::default(), |name| name.parse().unwrap())
}

/// The profile of a lint, by default `rfc`.
fn profile(case: &Case) -> Profile {
    let name = case.get("profile").unwrap_or("rfc");
    *Profile::ALL.iter().find(|profile| profile.name() == name).unwrap()
}

fn charset(case: &Case) -> &'static Encoding {
    Encoding::for_label(case.get("charset").unwrap().as_bytes()).unwrap()
}

fn format(case: &Case) -> Format {
    match case.get("format") {
        Some("html") => Format::Html,
        Some("json") => Format::Json,
        other => panic!("no format {other:?}"),
    }
}

fn error(error: Error) -> Value {
    let span = error.span();
    json!({
        "kind": error.kind().name(), "start": span.start, "end": span.end,
        "component": error.component().name(),
    })
}
