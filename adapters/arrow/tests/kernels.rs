//! Compares each kernel with single calls of the library, for every type of array, with nulls and as a slice.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failure is a failed test"
)]

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, UInt32Type};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, DictionaryArray, Int8Array, Int32Array,
    LargeBinaryArray, LargeStringArray, Scalar, StringArray, StringViewArray,
};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::DataType;
use proptest::prelude::*;
use simd_iri::percent::{Place, QueryPart, decode, encode};
use simd_iri::{Base, Compare, IriRef, Level, Normalize, ToIri, ToUri, iri};
use simd_iri_archive as archive;
use simd_iri_archive::Keys;
use simd_iri_arrow::*;
use simd_iri_judge::Policy;
use simd_iri_lint::{DisplayIri, DisplayUts58};
use simd_iri_lint::{DisplayPolicy, Lint, Profile};
use simd_iri_redact::{Redact, RedactPart, SecretSet};
use simd_iri_rules::{QueryRules, RuleFormat, Unwrap};
use simd_iri_template::{Match, Template, Value};
use simd_iri_text::{Ends, Extract, Markup, Prepare, RepairSet};

/// Texts with every component, and texts that match no rule.
const TEXTS: &[&str] = &[
    "http://user@例え.jp:8042/引き割り/a?b=%C3%A9&b=2#c",
    "HTTP://EXAMPLE.org:80/%7e/../b",
    "//host",
    "http://[2001:db8::7]/a/very/long/path/that/no/view/holds",
    "http://[v1.a]/",
    "http://192.0.2.1/",
    "urn:isbn:9783161484100",
    "a:b?",
    "a:#",
    "http://:@:/",
    "",
    "../a",
    "a b",
    "http://a/|",
    "http://a/%zz",
    "%",
    "http://a:b/",
    "http://u:p@www.example.co.uk/?q",
    "www.example.com",
    "例え.jp",
    "http://xn--bcher-kva.example/%D8%A7",
    "file:///\u{202E}abc/def/ghi/jkl",
    "See example.com/a(b)! [a](http://a.example/\\(b) and ann@example.org; http://50%.example",
    "请看http://a.example/苹果（公司）！还有http://b.com、http://c.example/d了解",
    "http://xn--80a8ad.com:99999/?sig=x&q=1,2",
    "/a/b/c?q=1&q=2&r",
    "/x,y?r=%C3%A9",
    "https://www.google.com/url?q=https%3A%2F%2Fl.instagram.com%2F%3Fu%3Dhttps://a.example/%3Fb&b=2",
    "https://l.facebook.com/l.php?u=javascript%3Aalert(1)&b",
    "https://out.example/?b=https%3A%2F%2Fa.example",
];

/// Each text, a null, and texts of lengths around the longest that a view holds, in every type of array.
fn arrays(rows: &[Option<String>]) -> Vec<ArrayRef> {
    let texts = || rows.iter().map(Option::as_deref);
    let bytes = || rows.iter().map(|row| row.as_deref().map(str::as_bytes));
    let values: StringArray = texts().rev().collect();
    let last = rows.len() as i32 - 1;
    let keys: Int32Array = (0..rows.len() as i32).map(|row| Some(last - row)).collect();
    vec![
        Arc::new(texts().collect::<StringArray>()),
        Arc::new(texts().collect::<LargeStringArray>()),
        Arc::new(texts().collect::<StringViewArray>()),
        Arc::new(bytes().collect::<BinaryArray>()),
        Arc::new(bytes().collect::<LargeBinaryArray>()),
        Arc::new(bytes().collect::<BinaryViewArray>()),
        Arc::new(DictionaryArray::new(keys, Arc::new(values))),
    ]
}

/// Asserts that every kernel gives for each row of `array` the answer of the library for the text alone.
fn assert_is_right(array: &dyn Array, rows: &[Option<String>], rule: Rule) {
    let name = array.data_type().to_string();
    let views = || rows.iter().map(move |row| IriRef::parse_as(rule, row.as_deref()?).ok());
    let check = |result: &StringViewArray, of: &dyn Fn(IriRef<'_>) -> Option<String>| {
        let expected: Vec<_> = views().map(|view| of(view?)).collect();
        let result: Vec<_> = result.iter().map(|text| text.map(String::from)).collect();
        assert_eq!(result, expected, "{name}, {rows:?}");
    };

    let valid = is_valid(array, rule).unwrap();
    let expected = rows.iter().map(|row| Some(rule.is_valid(row.as_deref()?)));
    assert!(valid.iter().eq(expected), "{name}, {rows:?}: {valid:?}");

    let parts = parse(array, rule).unwrap();
    assert!((0..rows.len()).map(|row| parts.is_valid(row)).eq(views().map(|view| view.is_some())));
    for (at, part) in Component::ALL.iter().enumerate() {
        let of = |view: IriRef<'_>| match part {
            Component::Scheme => view.scheme().map(String::from),
            Component::Authority => view.authority().map(String::from),
            Component::Userinfo => view.userinfo().map(String::from),
            Component::Host => view.host_str().map(String::from),
            Component::Port => view.port().map(String::from),
            Component::Path => Some(view.path().to_owned()),
            Component::Query => view.query().map(String::from),
            Component::Fragment => view.fragment().map(String::from),
            _ => view.host().map(|host| host.kind().to_owned()),
        };
        check(parts.column(at).as_string_view(), &of);
        check(&component(array, rule, *part).unwrap(), &of);
        assert_eq!(parts.fields()[at].name(), part.name());
    }

    let errors = error(array, rule).unwrap();
    let [kind, start, end, of, message] = errors.columns() else { panic!() };
    for (at, row) in rows.iter().enumerate() {
        let expected = row.as_deref().and_then(|text| rule.parse(text).err());
        assert_eq!(errors.is_valid(at), expected.is_some(), "{name}, {row:?}");
        assert_eq!(kind.is_valid(at), expected.is_some());
        let Some(expected) = expected else { continue };
        assert_eq!(kind.as_string_view().value(at), expected.kind().name());
        assert_eq!(of.as_string_view().value(at), expected.component().name());
        assert_eq!(message.as_string_view().value(at), expected.to_string());
        let place = |column: &ArrayRef| column.as_primitive::<UInt32Type>().value(at) as usize;
        assert_eq!(place(start)..place(end), expected.span());
    }

    let all = violations(array, rule).unwrap();
    for (at, row) in rows.iter().enumerate() {
        assert_eq!(all.is_valid(at), row.is_some(), "{name}, {row:?}");
        let Some(row) = row else { continue };
        let found = all.value(at);
        let [kind, start, end, of, message] = found.as_struct().columns() else { panic!() };
        let expected: Vec<_> = rule.violations(row).collect();
        assert_eq!(found.len(), expected.len(), "{name}, {row:?}");
        for (at, expected) in expected.iter().enumerate() {
            assert_eq!(kind.as_string_view().value(at), expected.kind().name());
            assert_eq!(of.as_string_view().value(at), expected.component().name());
            assert_eq!(message.as_string_view().value(at), expected.to_string());
            let place = |column: &ArrayRef| column.as_primitive::<UInt32Type>().value(at) as usize;
            assert_eq!(place(start)..place(end), expected.span());
        }
    }

    let rules = Normalize::scheme();
    check(&normalize(array, rule, rules).unwrap(), &|v| {
        Some(rules.map(v).unwrap().as_str().into())
    });
    let mapping = ToUri::new().idna(true);
    check(&to_uri(array, rule, mapping).unwrap(), &|v| {
        mapping.map(v).ok().map(|uri| uri.as_str().into())
    });
    check(&to_iri(array, rule, ToIri::new()).unwrap(), &|v| Some(v.to_iri().as_str().into()));
    check(&display(array, rule, DisplayIri::new()).unwrap(), &|v| {
        DisplayIri::new().map(v).ok().map(|iri| iri.as_str().into())
    });
    let shape = DisplayIri::new().policy(DisplayPolicy::Chromium);
    check(&display(array, rule, shape).unwrap(), &|v| {
        shape.map(v).ok().map(|iri| iri.as_str().into())
    });
    check(&display_rule(array, rule, DisplayPolicy::Firefox).unwrap(), &|v| {
        let rule = DisplayPolicy::Firefox.judge(v.host_str()?).rule()?;
        Some(rule.name().to_owned())
    });
    check(&registrable_domain(array, rule).unwrap(), &|v| {
        v.registrable_domain().map(|domain| domain.into_owned())
    });
    check(&origin(array, rule).unwrap(), &|v| v.origin().map(|origin| origin.to_string()));
    check(&query_value(array, rule, "b").unwrap(), &|v| {
        v.query_pairs().find(|(name, _)| name == "b").map(|(_, value)| value.into_owned())
    });

    check(&masked(array, rule).unwrap(), &|v| Some(v.masked().to_string()));
    check(&drop_query_pairs(array, rule, |name| name == "b").unwrap(), &|v| {
        let mut reference = v.to_buf();
        reference.drop_query_pairs(|name| name == "b");
        Some(reference.into_string())
    });
    let list = "$removeparam=b\n||l.facebook.com^$removeparam";
    let rules = QueryRules::parse(list, RuleFormat::AdGuard).unwrap();
    check(&apply_query_rules(array, rule, &rules).unwrap(), &|v| {
        Some(rules.apply(v).reference().as_str().to_owned())
    });
    let wrapper = "[[wrapper]]\nhost = 'out.example'\nparameter = 'b'";
    let wrappers = QueryRules::parse(wrapper, RuleFormat::Toml).unwrap();
    for levels in 0..3 {
        let all = [&wrappers];
        let with = Unwrap::new().levels(levels).rules(&all);
        check(&unwrap(array, rule, with).unwrap(), &|v| {
            Some(with.apply(v).reference().as_str().to_owned())
        });
    }

    check(&skeleton(array, rule).unwrap(), &|v| Some(simd_iri_lint::skeleton(v)));
    check(&fix(array, rule, Profile::Crawler).unwrap(), &|v| {
        Lint::new(Profile::Crawler).fix(v).ok().map(|fixed| fixed.as_str().to_owned())
    });

    let hosts = is_hostname(array).unwrap();
    let expected = rows.iter().map(|row| Some(simd_iri::domain::is_hostname(row.as_deref()?)));
    assert!(hosts.iter().eq(expected), "{name}, {rows:?}: {hosts:?}");
    let hosts = is_idn_hostname(array).unwrap();
    let expected = rows.iter().map(|row| Some(simd_iri::domain::is_idn_hostname(row.as_deref()?)));
    assert!(hosts.iter().eq(expected), "{name}, {rows:?}: {hosts:?}");

    let encoded = percent_encode(array, Place::QueryPart).unwrap();
    let expected = rows.iter().map(|row| Some(encode::<QueryPart>(row.as_deref()?).to_string()));
    assert!(encoded.iter().map(|text| text.map(String::from)).eq(expected), "{name}, {rows:?}");
    let decoded = percent_decode(array).unwrap();
    let expected = rows.iter().map(|row| decode(row.as_deref()?).utf8().ok());
    assert!(decoded.iter().eq(expected.collect::<Vec<_>>().iter().map(Option::as_deref)));

    check(&display_in_text(array, rule).unwrap(), &|v| Some(DisplayUts58::new().map(v)));

    let by = Compare::new(Level::Scheme);
    check(&key(array, rule, by).unwrap(), &|v| by.key(v).ok());
    let keys = fingerprint(array, rule, by).unwrap();
    assert!(keys.iter().eq(views().map(|view| Some(by.fingerprint(view?) as u64))));

    let repairs = Prepare::new(RepairSet::BrowserLike);
    let prepared = prepare(array, repairs).unwrap();
    let expected = rows.iter().map(|row| {
        let prepared = repairs.prepare(row.as_deref()?).ok()?;
        Some(prepared.view().as_str().to_owned())
    });
    assert!(prepared.iter().map(|text| text.map(String::from)).eq(expected));

    let lints = lint(array, rule, Profile::Crawler).unwrap();
    for (at, view) in views().enumerate() {
        assert_eq!(lints.is_valid(at), view.is_some());
        let Some(view) = view else { continue };
        let mut codes = Vec::new();
        Lint::new(Profile::Crawler).each(view, |finding| codes.push(Some(finding.code().name())));
        assert!(lints.value(at).as_string_view().iter().eq(codes));
    }

    let search = Extract::new().markup(Markup::Markdown);
    let links = extract(array, search).unwrap();
    for (at, row) in rows.iter().enumerate() {
        assert_eq!(links.is_valid(at), row.is_some());
        let Some(row) = row else { continue };
        let found = links.value(at);
        let text = |name| found.as_struct().column_by_name(name).unwrap().as_string_view().clone();
        let number = |name| {
            let column = found.as_struct().column_by_name(name).unwrap();
            column.as_primitive::<UInt32Type>().clone()
        };
        let expected: Vec<_> = search.links(row).collect();
        assert_eq!(found.len(), expected.len(), "{name}, {row:?}");
        for (at, link) in expected.iter().enumerate() {
            let span = number("start").value(at) as usize..number("end").value(at) as usize;
            assert_eq!((text("text").value(at), span), (link.as_str(), link.span()), "{name}");
            assert_eq!(text("kind").value(at), link.kind().name());
            let made = link.prepare().ok();
            let reference = made.as_ref().map(|made| made.view().as_str());
            assert_eq!(text("reference").iter().nth(at), Some(reference), "{name}, {row:?}");
        }
    }

    assert_texts_are_right(array, rows);
    let verdicts = judge(array, &Policy::public_web()).unwrap();
    for (at, row) in rows.iter().enumerate() {
        let verdict = row.as_deref().map(|row| Policy::public_web().judge(row));
        assert_eq!(verdicts.is_valid(at), verdict.is_some(), "{name}, {row:?}");
        let Some(verdict) = verdict else { continue };
        let text = |field| {
            let column = verdicts.column_by_name(field).unwrap().as_string_view();
            column.is_valid(at).then(|| column.value(at).to_owned())
        };
        let owned = |text: Option<&str>| text.map(String::from);
        assert_eq!(text("decision").as_deref(), Some(verdict.decision().name()));
        assert_eq!(text("scheme"), owned(verdict.scheme()));
        assert_eq!(text("host_by_rfc"), owned(verdict.host_by_rfc()));
        assert_eq!(text("host_by_whatwg"), owned(verdict.host_by_whatwg()));
        assert_eq!(text("address"), verdict.address().map(|address| address.to_string()));
        assert_eq!(text("url_to_send"), owned(verdict.url_to_send()));
        let ports = verdicts.column_by_name("port").unwrap().as_primitive::<UInt32Type>();
        let port = ports.is_valid(at).then(|| ports.value(at));
        assert_eq!(port, verdict.port().map(u32::from));
        let reasons = verdicts.column_by_name("reasons").unwrap().as_list::<i32>().value(at);
        let expected: Vec<_> = verdict.reasons().iter().map(ToString::to_string).collect();
        assert_eq!(texts_of(&reasons), expected);
    }

    let base = iri!("http://base.example/a/b/c?d");
    let resolved = resolve(&Scalar::new(StringArray::from(vec![base.as_str()])), array).unwrap();
    let expected = rows.iter().map(|row| {
        let reference = IriRef::parse(row.as_deref()?).ok()?;
        Some(Base::new(base).resolve(reference).unwrap().as_str().to_owned())
    });
    assert!(resolved.iter().map(|text| text.map(String::from)).eq(expected), "{name}");
}

/// Asserts that the kernels of any text give for each row the answer of the library.
fn assert_texts_are_right(array: &dyn Array, rows: &[Option<String>]) {
    let name = array.data_type().to_string();
    let check = |result: &StringViewArray, of: &dyn Fn(&str) -> Option<String>| {
        let expected: Vec<_> = rows.iter().map(|row| of(row.as_deref()?)).collect();
        let result: Vec<_> = result.iter().map(|text| text.map(String::from)).collect();
        assert_eq!(result, expected, "{name}, {rows:?}");
    };
    for with in [Redact::default(), Redact::new(SecretSet::Common).part(RedactPart::Text)] {
        check(&redact(array, with).unwrap(), &|text| Some(with.redact(text).into_owned()));
    }
    for profile in archive::Profile::ALL {
        check(&archive_key(array, Keys::new(*profile)).unwrap(), &|text| {
            let key = Keys::new(*profile).key(text);
            (!key.is_rejected()).then(|| key.into_string())
        });
    }
    let search = Extract::new().ends(Ends::Tight);
    let links = extract(array, search).unwrap();
    for (at, row) in rows.iter().enumerate() {
        let Some(row) = row else { continue };
        let found = links.value(at);
        let expected: Vec<_> = search.links(row).map(|link| link.as_str().to_owned()).collect();
        assert_eq!(texts_of(found.as_struct().column(0)), expected, "{name}, {row:?}");
    }
    for template in ["{+a}", "/{a}{/b*}{?q,r}", "{?q*}{&r}", "/x,y{?r}", "{a}{b*}{a}", "/a"] {
        let template = Template::parse(template).unwrap();
        for options in [Match::new(), Match::new().query_as_set(true)] {
            assert_template_is_right(array, rows, &template, options);
        }
    }
}

/// Asserts that the struct and the map of a template have for each row the values that the library finds.
fn assert_template_is_right(
    array: &dyn Array,
    rows: &[Option<String>],
    template: &Template,
    options: Match,
) {
    let fields = template_match(array, template, options).unwrap();
    let map = template_map(array, template, options).unwrap();
    assert_eq!((fields.len(), map.len()), (rows.len(), rows.len()));
    assert!(fields.column_names().into_iter().eq(template.variables()));
    for (at, row) in rows.iter().enumerate() {
        let captures = row.as_deref().and_then(|row| options.match_uri(template, row));
        assert_eq!(fields.is_valid(at), captures.is_some(), "{row:?}");
        assert_eq!(map.is_valid(at), captures.is_some(), "{row:?}");
        let Some(captures) = captures else { continue };
        let expected: Vec<(String, Vec<String>)> = captures
            .iter()
            .map(|capture| {
                let texts = match capture.value() {
                    Value::Text(text) => vec![text.to_string()],
                    Value::List(items) => items.iter().map(ToString::to_string).collect(),
                    Value::Map(_) => panic!("a map"),
                };
                (capture.name().to_owned(), texts)
            })
            .collect();
        for name in template.variables() {
            let column = fields.column_by_name(name).unwrap().as_list::<i32>();
            let found = column.is_valid(at).then(|| texts_of(&column.value(at)));
            let wanted = expected.iter().find(|(of, _)| of == name).map(|(_, texts)| texts.clone());
            assert_eq!(found, wanted, "{row:?}, {name}");
        }
        let entries = map.value(at);
        let values = entries.column(1).as_list::<i32>();
        let names = texts_of(entries.column(0)).into_iter();
        let found: Vec<_> =
            names.enumerate().map(|(at, name)| (name, texts_of(&values.value(at)))).collect();
        assert_eq!(found, expected, "{row:?}");
    }
}

/// The texts of a column without nulls.
fn texts_of(column: &ArrayRef) -> Vec<String> {
    column.as_string_view().iter().map(|text| text.unwrap().to_owned()).collect()
}

fn owned(rows: &[Option<&str>]) -> Vec<Option<String>> {
    rows.iter().map(|row| row.map(String::from)).collect()
}

#[test]
fn every_kernel_agrees_with_single_calls_for_every_type() {
    let mut rows: Vec<_> = TEXTS.iter().map(|text| Some(*text)).collect();
    rows.insert(3, None);
    rows.push(None);
    let rows = owned(&rows);
    for array in arrays(&rows) {
        for rule in Rule::ALL {
            assert_is_right(array.as_ref(), &rows, *rule);
        }
        let slice = array.slice(2, 9);
        assert_is_right(slice.as_ref(), &rows[2..11], Rule::IriReference);
        assert_is_right(array.slice(4, 0).as_ref(), &[], Rule::Iri);
    }
}

/// More rows than the kernels process at once, whose components have lengths around the longest that a view holds.
#[test]
fn components_of_many_rows_are_right() {
    let part = |row: usize, step: usize| "é".repeat(row / step % 2) + &"a".repeat(row / step % 15);
    // The first rows have neither an authority nor a query, so that no text of these columns is in the first chunk of
    // rows.
    let rows: Vec<_> = (0..10_000)
        .map(|row| match row % 13 {
            0 => None,
            _ if row < 5000 => Some(format!("urn:{row}")),
            1 => Some("a b".to_owned()),
            2 => Some(part(row, 1) + ":"),
            3 => Some(format!("//{}@[::1]:{row}", part(row, 3))),
            4 => Some(format!("http://127.0.0.{}/", row % 300)),
            _ => Some(format!("x://{}/{}?{}#{}", part(row, 1), part(row, 2), part(row, 5), row)),
        })
        .collect();
    for array in arrays(&rows) {
        for (first, len) in
            [(0, rows.len()), (1, 4096), (5000, 5000), (5063, 4200), (4990, 64), (5004, 1)]
        {
            let rows = &rows[first..first + len];
            let parts = parse(array.slice(first, len).as_ref(), Rule::IriReference).unwrap();
            let column = |name| parts.column_by_name(name).unwrap().as_string_view().iter();
            let of = |get: fn(IriRef<'_>) -> Option<&str>| {
                rows.iter()
                    .map(move |row| get(IriRef::parse(row.as_deref()?).ok()?))
                    .collect::<Vec<_>>()
            };
            assert!(column("scheme").eq(of(|v| v.scheme())));
            assert!(column("authority").eq(of(|v| v.authority())));
            assert!(column("userinfo").eq(of(|v| v.userinfo())));
            assert!(column("host").eq(of(|v| v.host_str())));
            assert!(column("host_kind").eq(of(|v| v.host().map(|host| host.kind()))));
            assert!(column("port").eq(of(|v| v.port())));
            assert!(column("path").eq(of(|v| Some(v.path()))));
            assert!(column("query").eq(of(|v| v.query())));
            assert!(column("fragment").eq(of(|v| v.fragment())));
        }
    }
}

#[test]
fn bases_are_a_column_too() {
    let bases = StringArray::from(vec![Some("http://a/b/c"), Some("a b"), None, Some("urn:a")]);
    let references = StringViewArray::from(vec!["../é", "x", "x", "#f"]);
    let resolved = resolve(&bases, &references).unwrap();
    assert!(resolved.iter().eq([Some("http://a/é"), None, None, Some("urn:a#f")]));
    let back = relativize(&bases, &resolved).unwrap();
    assert!(back.iter().eq([Some("/é"), None, None, Some("#f")]));

    assert!(resolve(&bases, &references.slice(0, 2)).unwrap_err().to_string().contains("4 bases"));
    let base = Scalar::new(StringArray::from(vec!["a b"]));
    assert!(resolve(&base, &references).unwrap_err().to_string().contains("not an IRI"));
    let base = Scalar::new(StringArray::from(vec![None::<&str>]));
    assert!(resolve(&base, &references).unwrap_err().to_string().contains("null"));
}

#[test]
fn bytes_that_are_not_utf8_are_an_invalid_row() {
    let rows: [&[u8]; 3] = [b"http://a/", b"http://\xFF/", b"urn:b"];
    let array = BinaryArray::from(rows.to_vec());
    assert_eq!(is_valid(&array, Rule::Iri).unwrap(), vec![true, false, true].into());
    let hosts = component(&array, Rule::Iri, Component::Host).unwrap();
    assert!(hosts.iter().eq([Some("a"), None, None]));
    let errors = error(&array, Rule::Iri).unwrap();
    assert_eq!(errors.column(0).as_string_view().value(1), "ill-formed-utf8");
    let names = BinaryArray::from(vec![b"a.example".as_slice(), b"\xFF"]);
    assert_eq!(is_hostname(&names).unwrap(), vec![true, false].into());
    assert_eq!(is_idn_hostname(&names).unwrap(), vec![true, false].into());
    let encoded = percent_encode(&names, Place::Unreserved).unwrap();
    assert!(encoded.iter().eq([Some("a.example"), Some("%FF")]));
    assert!(percent_decode(&names).unwrap().iter().eq([Some("a.example"), None]));
    assert!(redact(&names, Redact::default()).unwrap().iter().eq([Some("a.example"), None]));
    assert!(archive_key(&array, Keys::new(archive::Profile::Pywb)).unwrap().is_null(1));
    let verdicts = judge(&array, &Policy::public_web()).unwrap();
    assert_eq!(verdicts.column(0).as_string_view().value(1), "refuse");
    let template = Template::parse("{+a}").unwrap();
    assert!(template_match(&array, &template, Match::new()).unwrap().is_null(1));
    assert!(template_map(&array, &template, Match::new()).unwrap().is_null(1));

    // The bytes after a slice, and the bytes of a row beside the other rows, need not be UTF-8 for the answers of the
    // rows.
    let good = "x://é/a".as_bytes();
    let rows: [&[u8]; 6] = [good, b"\xA9", good, b"\xC3", b"x://a/\xC3", b"\xA9"];
    let array = BinaryArray::from_iter_values(rows);
    for (first, len) in [(0, 1), (0, 2), (0, 6), (2, 1), (2, 2), (4, 1), (4, 2)] {
        let hosts = component(&array.slice(first, len), Rule::Iri, Component::Host).unwrap();
        let expected = [Some("é"), None, Some("é"), None, None, None];
        assert!(hosts.iter().eq(expected[first..first + len].iter().copied()), "{first} {len}");
    }
}

#[test]
fn components_and_unchanged_texts_are_not_copied() {
    let text = "http://a-long-host.example.org/and/a/long/path?and=a-query#and-a-fragment";
    let array: ArrayRef = Arc::new(StringArray::from(vec![text]));
    let there = array.as_string::<i32>().value(0).as_bytes().as_ptr_range();
    let is_borrowed = |texts: &StringViewArray| there.contains(&texts.value(0).as_ptr());
    for part in [Component::Authority, Component::Host, Component::Path, Component::Fragment] {
        assert!(is_borrowed(&component(&array, Rule::Iri, part).unwrap()), "{part:?}");
    }
    assert!(is_borrowed(&normalize(&array, Rule::Iri, Normalize::scheme()).unwrap()));
    assert!(is_borrowed(&to_uri(&array, Rule::Iri, ToUri::new()).unwrap()));
    let paths = component(&array, Rule::Iri, Component::Path).unwrap();
    assert!(is_borrowed(&percent_encode(&paths, Place::Path).unwrap()));
    assert!(is_borrowed(&percent_decode(&array).unwrap()));
    assert!(is_borrowed(&fix(&array, Rule::Iri, Profile::Rfc).unwrap()));
    assert!(is_borrowed(&masked(&array, Rule::Iri).unwrap()));
    assert!(is_borrowed(&drop_query_pairs(&array, Rule::Iri, |name| name == "or").unwrap()));
}

#[test]
fn texts_beyond_two_gibibytes_are_found() {
    let text = b"http://a-long-host.example.org/a/long/path";
    let far = (5 << 30) + 7;
    // The memory between the rows is never touched, and the row in that memory is null.
    let mut values = vec![0; far + text.len()];
    values[..text.len()].copy_from_slice(text);
    values[far..].copy_from_slice(text);
    let offsets = [0, text.len(), far, far + text.len()].map(|offset| offset as i64);
    let array = LargeBinaryArray::new(
        OffsetBuffer::new(ScalarBuffer::from(offsets.to_vec())),
        Buffer::from_vec(values),
        Some(NullBuffer::from(vec![true, false, true])),
    );
    let valid = is_valid(&array, Rule::Iri).unwrap();
    assert_eq!(valid, vec![Some(true), None, Some(true)].into());
    let hosts = component(&array, Rule::Iri, Component::Host).unwrap();
    assert!(hosts.iter().eq([
        Some("a-long-host.example.org"),
        None,
        Some("a-long-host.example.org")
    ]));
    assert_eq!(hosts.value(2).as_ptr(), array.value(2)[7..].as_ptr());
    let uris = to_uri(&array, Rule::Iri, ToUri::new()).unwrap();
    assert_eq!(uris.value(2).as_ptr(), array.value(2).as_ptr());
}

#[test]
fn other_types_are_an_error() {
    let numbers = Int8Array::from(vec![1]);
    let error = is_valid(&numbers, Rule::Iri).unwrap_err().to_string();
    assert!(error.contains("Int8"), "{error}");
    let dictionary = DictionaryArray::<Int8Type>::new(vec![0_i8].into(), Arc::new(numbers));
    assert!(parse(&dictionary, Rule::Iri).is_err());
}

#[test]
fn results_have_a_form_without_views() {
    let array = StringArray::from(vec![Some("http://a/b"), None, Some("a b")]);
    let parts = parse(&array, Rule::Iri).unwrap();
    let copied = without_views(&parts).unwrap();
    assert_eq!(copied.null_count(), 2);
    for (field, column) in copied.as_struct().fields().iter().zip(copied.as_struct().columns()) {
        assert_eq!(column.data_type(), &DataType::Utf8);
        let views = parts.column_by_name(field.name()).unwrap().as_string_view();
        assert!(column.as_string::<i32>().iter().eq(views.iter()));
    }
    let codes = lint(&array, Rule::Iri, Profile::Strict).unwrap();
    let template = Template::parse("/a").unwrap();
    let matched = template_match(&array, &template, Match::new()).unwrap();
    assert_eq!(without_views(&matched).unwrap().len(), 3);
    let list = without_views(&codes).unwrap();
    assert_eq!(list.as_list::<i32>().value_type(), DataType::Utf8);
}

/// Texts near the grammar.
fn row() -> impl Strategy<Value = Option<String>> {
    let piece = prop::sample::select(vec![
        "http:",
        "//",
        "/",
        "a",
        "é",
        "例え",
        "%C3",
        "%A9",
        "%",
        "?",
        "#",
        "@",
        ":",
        "[::1]",
        " ",
        "|",
        "..",
        "example.org",
        "b=1",
        "&",
        "\u{E000}",
        "\u{FFFF}",
        "\0",
    ]);
    prop::option::weighted(0.9, prop::collection::vec(piece, 0..9).prop_map(|p| p.concat()))
}

proptest! {
    #[test]
    fn every_kernel_agrees_with_single_calls(
        rows in prop::collection::vec(row(), 0..40),
        from in 0..40_usize,
        kind in 0..7_usize,
    ) {
        let array = &arrays(&rows)[kind];
        let from = from.min(rows.len());
        assert_is_right(array.slice(from, rows.len() - from).as_ref(), &rows[from..], Rule::IriReference);
        assert_is_right(array.as_ref(), &rows, Rule::Uri);
    }
}
