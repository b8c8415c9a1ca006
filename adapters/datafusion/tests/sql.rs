//! Every function in SQL, compared with the cases of `conformance/cases` and `tests/data`, with the cases of the folder that `SIMD_IRI_CASES`
//! names or of `../shared/cases` if that folder exists, and with the tables below.
#![expect(clippy::unwrap_used, reason = "a failure is a failed test")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, DictionaryArray, RecordBatch, StringArray, StringViewArray,
    StructArray,
};
use datafusion::arrow::datatypes::{DataType, Int32Type};
use datafusion::prelude::SessionContext;
use serde_json::Value;

fn context() -> SessionContext {
    let mut context = SessionContext::new();
    simd_iri_datafusion::register(&mut context).unwrap();
    context
}

/// The single column of a query over a table `t` with these columns.
async fn ask(query: &str, columns: Vec<(&str, ArrayRef)>) -> Result<ArrayRef, String> {
    let context = context();
    let table = RecordBatch::try_from_iter(columns).unwrap();
    context.register_batch("t", table).unwrap();
    let frame = context.sql(query).await.map_err(|error| error.to_string())?;
    let batches = frame.collect().await.map_err(|error| error.to_string())?;
    let arrays: Vec<_> = batches.iter().map(|batch| batch.column(0).as_ref()).collect();
    Ok(datafusion::arrow::compute::concat(&arrays).unwrap())
}

/// The only value of a query, as text.
async fn one(call: &str) -> Result<Option<String>, String> {
    let result = ask(&format!("SELECT CAST({call} AS VARCHAR)"), vec![("x", texts(["x"]))]).await?;
    Ok(strings(&result).pop().unwrap())
}

fn texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> ArrayRef {
    Arc::new(StringViewArray::from_iter_values(texts))
}

/// The texts of an array of any type of strings.
fn strings(array: &ArrayRef) -> Vec<Option<String>> {
    let array = datafusion::arrow::compute::cast(array, &DataType::Utf8View).unwrap();
    array.as_string_view().iter().map(|text| text.map(str::to_owned)).collect()
}

/// The cases that have all these fields.
fn cases(fields: &[&str]) -> Vec<Value> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let shared = std::env::var_os("SIMD_IRI_CASES").map(PathBuf::from);
    let shared = shared.unwrap_or_else(|| root.join("../shared/cases"));
    let mut found = Vec::new();
    let mut folders = vec![shared, root.join("tests/data"), root.join("conformance/cases")];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            println!("no cases at {}", folder.display());
            continue;
        };
        for path in entries.map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "jsonl") {
                let lines = std::fs::read_to_string(path).unwrap();
                found
                    .extend(lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()));
            }
        }
    }
    found.retain(|case| fields.iter().all(|field| case.get(field).is_some()));
    println!("{} cases with {fields:?}", found.len());
    assert!(!found.is_empty());
    found
}

/// The rules of the cases.
const RULES: [&str; 6] =
    ["iri", "iri-reference", "absolute-iri", "uri", "uri-reference", "absolute-uri"];

#[tokio::test]
async fn validity_and_components_are_those_of_the_cases() {
    let cases = cases(&["input", "kind", "valid"]);
    let cases: Vec<_> = cases.iter().filter(|case| case["input"].is_string()).collect();
    let mut asked = 0;
    for rule in simd_iri::Rule::ALL {
        let is_of = |case: &&&Value| {
            let kind = case["kind"].as_str().unwrap();
            RULES.contains(&kind) && kind.eq_ignore_ascii_case(rule.name())
        };
        let cases: Vec<_> = cases.iter().filter(is_of).collect();
        if cases.is_empty() {
            continue;
        }
        let inputs = texts(cases.iter().map(|case| case["input"].as_str().unwrap()));
        let name = rule.name();
        let query = format!("SELECT iri_valid(a, '{name}') FROM t");
        let valid = ask(&query, vec![("a", Arc::clone(&inputs))]).await.unwrap();
        let query = format!("SELECT iri_parse(a, '{name}') FROM t");
        let parsed = ask(&query, vec![("a", Arc::clone(&inputs))]).await.unwrap();
        let parsed: &StructArray = parsed.as_struct();
        for component in
            ["scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment"]
        {
            let query = format!("SELECT iri_{component}(a, '{name}') FROM t");
            let found = strings(&ask(&query, vec![("a", Arc::clone(&inputs))]).await.unwrap());
            assert_eq!(found, strings(parsed.column_by_name(component).unwrap()), "{component}");
            for (case, found) in cases.iter().zip(found) {
                if let Some(parts) = case.get("components").filter(|parts| !parts.is_null()) {
                    assert_eq!(found.as_deref(), parts[component].as_str(), "{component} {case}");
                    asked += 1;
                }
            }
        }
        for (row, case) in cases.iter().enumerate() {
            assert_eq!(valid.as_boolean().value(row), case["valid"].as_bool().unwrap(), "{case}");
        }
    }
    assert!(asked > 100, "{asked}");
}

#[tokio::test]
async fn references_are_resolved_as_in_the_cases() {
    let mut cases = cases(&["base", "reference", "expected", "mode"]);
    cases.retain(|case| case["mode"] == "strict");
    let column = |name: &str| texts(cases.iter().map(|case| case[name].as_str().unwrap()));
    let columns = vec![("base", column("base")), ("reference", column("reference"))];
    let found = strings(&ask("SELECT iri_resolve(base, reference) FROM t", columns).await.unwrap());
    for (case, found) in cases.iter().zip(&found) {
        assert_eq!(found.as_deref(), case["expected"].as_str(), "{case}");
    }
}

#[tokio::test]
async fn each_function_answers() {
    for (call, expected) in [
        ("iri_valid('http://例え.jp/')", Some("true")),
        ("iri_valid('a|b')", Some("false")),
        ("iri_valid('a', 'IRI-reference')", Some("true")),
        ("iri_valid(NULL)", None),
        ("iri_host('http://u@例え.jp:80/a')", Some("例え.jp")),
        ("iri_query('a:b')", None),
        ("iri_query('a:b?')", Some("")),
        ("get_field(iri_parse('http://[::1]/'), 'host_kind')", Some("ipv6")),
        ("get_field(iri_error('http://a/b|c'), 'start')", Some("10")),
        ("get_field(iri_error('http://a/'), 'kind')", None),
        ("iri_normalize('HTTP://a:80/%7eb')", Some("http://a/~b")),
        ("iri_normalize('HTTP://a:80/%7eb', 'syntax')", Some("http://a:80/~b")),
        ("iri_normalize('b|c')", None),
        ("iri_normalize('a:b', NULL)", None),
        (
            "iri_fingerprint('http://a:80', 'scheme') = iri_fingerprint('HTTP://a/', 'scheme')",
            Some("true"),
        ),
        (
            "iri_to_uri('http://bücher.example/é', 'idna')",
            Some("http://xn--bcher-kva.example/%C3%A9"),
        ),
        ("iri_to_iri('http://a/%C3%A9')", Some("http://a/é")),
        ("iri_to_iri('http://xn--bcher-kva.example/')", Some("http://xn--bcher-kva.example/")),
        ("iri_to_iri('http://xn--bcher-kva.example/', 'idna')", Some("http://bücher.example/")),
        ("iri_to_iri('../%C3%A9', 'percent', 'URI-reference')", Some("../é")),
        ("iri_fix('HTTP://a/%7e', 'crawler')", Some("http://a/~")),
        ("iri_fix('a|b', 'crawler')", None),
        ("iri_skeleton('http://ѕсоре.example/')", Some("http://scope.exarnple/")),
        ("iri_is_hostname('www.example.com')", Some("true")),
        ("iri_is_hostname('例え.jp')", Some("false")),
        ("iri_is_hostname(NULL)", None),
        ("array_length(iri_violations('http://a/b|c?d|e'))", Some("2")),
        ("get_field(iri_violations('http://a/b|c?d|e')[2], 'start')", Some("14")),
        ("iri_violations(NULL) IS NULL", Some("true")),
        ("get_field(iri_extract('See example.com.')[1], 'reference')", Some("https://example.com")),
        ("get_field(iri_extract('[a](http://b/é)', 'markdown')[1], 'end')", Some("15")),
        ("iri_key('HTTP://A/é/%7e')", Some("http://a/%C3%A9/~")),
        ("iri_key('http://a:80', 'scheme')", Some("http://a/")),
        ("iri_key('../a', 'syntax', 'IRI-reference')", Some("../a")),
        (
            "get_field(iri_extract('見る→http://a.example/b。', 'plain', 'tight')[1], 'end')",
            Some("27"),
        ),
        ("iri_redact('ftp://u:p@a/x y?sig=b')", Some("ftp://REDACTED:REDACTED@a/x y?sig=REDACTED")),
        ("iri_redact('then /?code=b.', 'oauth', 'text')", Some("then /?code=REDACTED.")),
        ("iri_redact('/?code=a&sig=b&q=c')", Some("/?code=REDACTED&sig=REDACTED&q=c")),
        ("iri_redact('/?code=a&sig=b&q=c', 'gcs,oauth')", Some("/?code=REDACTED&sig=b&q=c")),
        ("iri_archive_key('http://www.Example.com/A/?b&a')", Some("com,example)/a?a&b")),
        ("iri_archive_key('http://www.a.example/', 'heritrix')", Some("http://(example,a,www,)/")),
        ("iri_archive_key('http://a.com:99999/')", None),
        ("iri_template_match('/users/7', '/users/{id}')['id'][1]", Some("7")),
        ("iri_template_match('/s?b=2&x&a=1', '/s{?a,b}', 'set')['b'][1]", Some("2")),
        ("iri_template_match('/users/7/8', '/users/{id}')['id'][1]", None),
        (
            "iri_unwrap('https://www.google.com/url?q=https://a.example/')",
            Some("https://a.example/"),
        ),
        ("iri_unwrap('/a', '1', 'IRI-reference')", Some("/a")),
        (
            "iri_unwrap('https://www.google.com/url?q=https://l.instagram.com/?u=https://a.example', '2')",
            Some("https://a.example"),
        ),
        (
            "iri_apply_query_rules('http://a/?b&c', '[[drop]]\nnames = [''b'']')",
            Some("http://a/?c"),
        ),
        (
            "iri_apply_query_rules('http://a/?b&c', '$removeparam=b', 'adguard')",
            Some("http://a/?c"),
        ),
        ("iri_apply_query_rules('/?b', '$removeparam=b', 'adguard')", None),
        ("iri_apply_query_rules('/?b', '$removeparam=b', 'adguard', 'IRI-reference')", Some("/")),
        ("iri_apply_query_rules('http://a/?b', NULL)", None),
        ("iri_judge('http://127.1/')['decision']", Some("refuse")),
        ("iri_judge('http://127.1/')['reasons'][2]", Some("address 127.0.0.0/8")),
        ("iri_judge('http://Example.com/a#b')['url_to_send']", Some("http://example.com/a")),
        ("iri_display('http://аст.com/', 'IRI', 'chromium')", Some("http://xn--80a8ad.com/")),
        ("iri_display_rule('http://аст.com/', 'chromium')", Some("whole-script")),
        ("iri_display_rule('http://аст.ru/', 'chromium')", None),
        ("iri_display_in_text('http://a/b.')", Some("http://a/b%2E")),
        ("iri_percent_encode('50% é/b&c')", Some("50%25%20%C3%A9%2Fb&c")),
        ("iri_percent_encode('50% é/b&c', 'query-part')", Some("50%25%20%C3%A9/b%26c")),
        ("iri_percent_decode('50%25%20%C3%A9%2Fb')", Some("50% é/b")),
        ("iri_percent_decode('%FF')", None),
        ("iri_is_idn_hostname('例え.jp')", Some("true")),
        ("iri_display('http://xn--bcher-kva.example/')", Some("http://bücher.example/")),
        ("iri_resolve('http://a/b/c', '../é')", Some("http://a/é")),
        ("iri_resolve('a|b', '../é')", None),
        ("iri_resolve(NULL, 'a')", None),
        ("iri_relativize('http://a/b/c', 'http://a/b/d')", Some("d")),
        ("iri_registrable_domain('http://www.example.co.uk/')", Some("example.co.uk")),
        ("iri_origin('HTTP://A:080/b')", Some("http://a")),
        ("iri_query_value('http://a/?q=%C3%A9', 'q')", Some("é")),
        ("iri_drop_query_pairs('http://a/?q=1&r=2#f', 'q')", Some("http://a/?r=2#f")),
        ("iri_drop_query_pairs('?q', 'q', 'IRI-reference')", Some("")),
        ("iri_drop_query_pairs('http://a/?q', NULL)", None),
        ("iri_masked('ftp://me:s3cret@a/b?c')", Some("ftp://me:***@a/b?c")),
        ("iri_masked('//u:p@a')", None),
        ("iri_prepare(' http://a/b c')", Some("http://a/b%20c")),
    ] {
        assert_eq!(one(call).await.as_ref().map(Option::as_deref), Ok(expected), "{call}");
    }
    let found =
        ask("SELECT iri_lint('http://a:80/', 'strict') FROM t", vec![("x", texts(["x"]))]).await;
    let codes = strings(&found.unwrap().as_list::<i32>().value(0));
    assert!(codes.contains(&Some("preferred.default-port".to_owned())), "{codes:?}");
    assert_eq!(simd_iri_datafusion::functions().count(), 42);
}

#[tokio::test]
async fn columns_of_all_types_of_text_are_read() {
    let rows = ["http://a/", "a|b", "http://bücher.example/x"];
    let columns: [ArrayRef; 3] = [
        texts(rows),
        Arc::new(StringArray::from_iter_values(rows)),
        Arc::new(rows.into_iter().collect::<DictionaryArray<Int32Type>>()),
    ];
    for column in columns {
        let found = ask("SELECT iri_host(a) FROM t", vec![("a", column)]).await.unwrap();
        assert_eq!(*found.data_type(), DataType::Utf8View);
        let expected = [Some("a".to_owned()), None, Some("bücher.example".to_owned())];
        assert_eq!(strings(&found), expected);
    }
    let column = vec![("a", texts(["b", "../c", "|"]))];
    let found = ask("SELECT iri_resolve('http://a/x/y', a) FROM t", column).await.unwrap();
    assert_eq!(
        strings(&found),
        [Some("http://a/x/b".to_owned()), Some("http://a/c".to_owned()), None]
    );
    let column = vec![("a", texts(["http://a/x/y", "|"]))];
    let found = ask("SELECT iri_resolve(a, 'b') FROM t", column).await.unwrap();
    assert_eq!(strings(&found), [Some("http://a/x/b".to_owned()), None]);
}

#[tokio::test]
async fn constants_are_computed_once() {
    let context = context();
    let plan = context.sql("SELECT iri_host('http://a.example/')").await.unwrap();
    let plan = plan.into_optimized_plan().unwrap().to_string();
    assert!(plan.contains("Utf8View(\"a.example\")"), "{plan}");
}

#[tokio::test]
async fn errors_say_what_is_right() {
    for (call, expected) in [
        ("iri_host()", "iri_host takes 1 to 2 arguments"),
        ("iri_query_value('a:b')", "iri_query_value takes 2 to 3 arguments"),
        ("iri_host(7)", "argument 1 of iri_host is a text, not Int64"),
        (
            "iri_host('a:b', 'url')",
            "iri_host: argument 2, the rule: there is no rule \"url\"; known are IRI, ",
        ),
        ("iri_resolve('http://a/')", "iri_resolve takes 2 to 2 arguments, not 1"),
        ("iri_normalize('a:b', 'full')", "known are simple, syntax, scheme, scheme-idna"),
        (
            "iri_normalize(x, x)",
            "iri_normalize: argument 2, the level, is a column; write a constant",
        ),
        ("iri_to_uri('a:b', 'ace')", "the form of hosts: there is no form of hosts \"ace\"; known"),
        ("iri_to_iri('a:b', 'IRI')", "the form of hosts: there is no form of hosts \"IRI\"; known"),
        ("iri_extract('a', 'xml')", "the markup: there is no markup \"xml\"; known are plain, "),
        ("iri_extract('a', 'plain', 'loose')", "known are strict, tight, ascii"),
        (
            "iri_redact('a', 'oidc')",
            "the set of keys: there is no set of keys \"oidc\"; known are ",
        ),
        ("iri_archive_key('a', 'surt')", "the profile: there is no profile \"surt\"; known are "),
        ("iri_display('a:b', 'IRI', 'safari')", "the policy: there is no policy \"safari\"; known"),
        ("iri_display_rule('a:b')", "iri_display_rule takes 2 to 3 arguments, not 1"),
        (
            "iri_template_match('a', '{a')",
            "iri_template_match: argument 2, the template: the expression at byte 0 has no end",
        ),
        (
            "iri_template_match('a', '/{a}', 'set')",
            "iri_template_match: argument 3, the query: the template does not end in expressions",
        ),
        (
            "iri_unwrap('a:b', '6')",
            "the number of levels: there is no number of levels \"6\"; known are 1, 2, 3, 4, 5",
        ),
        (
            "iri_apply_query_rules('a:b', '[[drop]]\nnmes = []')",
            "argument 2, the rules: line 2, column 1: the name is unknown",
        ),
        (
            "iri_apply_query_rules('a:b', '{}', 'clearurls')",
            "iri_apply_query_rules: argument 2, the rules: line 1, column 1: a key is missing",
        ),
        ("iri_apply_query_rules('a:b', '', 'json')", "known are toml, clearurls, adguard"),
        ("iri_percent_encode('a', 'IRI')", "the place: there is no place \"IRI\"; known are any, "),
        ("iri_is_hostname('a', 'IRI')", "iri_is_hostname takes 1 to 1 arguments, not 2"),
        ("iri_fix('a:b', 'full')", "the profile: there is no profile \"full\"; known are "),
        ("iri_lint('a:b', 'full')", "the profile: there is no profile \"full\"; known are "),
        ("iri_prepare('a:b', 'full')", "the profile: there is no profile \"full\"; known are "),
    ] {
        let query = format!("SELECT {call} FROM t");
        let error = ask(&query, vec![("x", texts(["a:b"]))]).await.unwrap_err();
        assert!(error.contains(expected), "{call}: {error}");
    }
}

#[tokio::test]
async fn no_error_repeats_an_address_in_the_place_of_a_name() {
    for function in ["iri_host", "iri_normalize", "iri_lint", "iri_prepare", "iri_to_uri"] {
        for address in ["http://bob:hunter2@a.example/", "bob:hunter2@a.example", "hunter2/"] {
            let error = one(&format!("{function}('a:b', '{address}')")).await.unwrap_err();
            assert!(!error.contains("hunter2"), "{function}: {error}");
            assert!(error.contains(&format!("{function}: argument 2")), "{function}: {error}");
        }
    }
}

#[tokio::test]
async fn a_rule_has_its_name_in_any_case() {
    for rule in ["IRI-reference", "iri-reference", "IRI-REFERENCE"] {
        let found = one(&format!("iri_path('b/c', '{rule}')")).await;
        assert_eq!(found, Ok(Some("b/c".to_owned())), "{rule}");
    }
}
