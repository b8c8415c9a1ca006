//! `iri template`: values on the command line and in JSON, one object for each item, and an account of all items.

use super::run;

#[test]
fn values_are_texts_lists_and_maps() {
    for (args, expected) in [
        (&["/{a}", "--var", "a=x y"][..], "/x%20y"),
        (&["/{a}", "--var", "a="], "/"),
        (&["{?a*}", "--var", "a=x,y"], "?a=x&a=y"),
        (&["{?a*}", "--text", "a=x,y"], "?a=x%2Cy"),
        (&["{?a*}", "--map", "a=k=1,l=2=3"], "?k=1&l=2%3D3"),
        (&["/é{a}", "--iri", "--var", "a=é"], "/éé"),
        (&["{a}{b}", "--var", "a=1", "--var", "b=2"], "12"),
    ] {
        let found = run(&[&["template", "expand"], args].concat(), "");
        assert_eq!((found.text(), found.code), (&*format!("{expected}\n"), 0), "{args:?}");
    }
    for (args, says) in [
        (&["/{a", "--var", "a=1"][..], "the expression at byte 1 has no end"),
        (&["/{a}", "--var", "a"], "write a name and a value"),
        (&["/{a}", "--map", "a=1"], "write keys and values"),
        (&["/{a:3}", "--var", "a=1,2"], "the variable at byte 2 has a prefix"),
    ] {
        let found = run(&[&["template", "expand"], args].concat(), "");
        assert_eq!((found.text(), found.code), ("", 2), "{args:?}");
        assert!(found.err.contains(says), "{}", found.err);
    }
}

#[test]
fn every_json_object_is_expanded_or_fails() {
    let objects = r#"{"a":"x/y","list":["1",2,null,true],"none":null}
{"a":7,"keys":{"k":"v","n":null}}
{"a":[["deep"]]}
[]
{"a":
{}"#;
    let found =
        run(&["template", "expand", "/{a}{?list*,keys*,none}{&b}", "--var", "b=1", "-"], objects);
    let lines = found.lines();
    assert_eq!(lines, ["/x%2Fy?list=1&list=2&list=true&b=1", "/7?k=v&b=1", "/&b=1"]);
    assert_eq!(found.code, 1);
    assert!(found.err.contains("6 items, 3 done, 3 failed"), "{}", found.err);
    let found =
        run(&["template", "expand", "/{a:1}", "--json"], "{\"a\":[\"x\"]}\n{\"a\":\"xy\"}\n")
            .json();
    assert_eq!(found[0]["error"]["kind"], "prefix-of-list");
    assert_eq!(found[1]["output"], "/x");
}

#[test]
fn no_error_repeats_a_value() {
    let objects = "\"s3cret\"\n{\"a\":[[\"s3cret\"]]}\n{\"a\":\"s3cret\"";
    let found = run(&["template", "expand", "/{a}"], objects);
    assert_eq!((found.text(), found.code), ("", 1));
    assert!(!found.err.contains("s3cret"), "{}", found.err);
}

#[test]
fn every_item_has_its_values_or_fails() {
    let items = "/users/a%20b/1,2\n/users/x\n/other\n/users/%FF\n/users/a|b\n";
    let found = run(&["template", "match", "/users/{id}{/list}"], items);
    assert_eq!(found.lines(), [r#"{"id":"a b","list":["1","2"]}"#, r#"{"id":"x"}"#]);
    assert_eq!(found.code, 1);
    assert!(found.err.contains("<stdin>:3:1: error: the template does not match"), "{}", found.err);
    assert!(found.err.contains("5 items, 2 done, 3 failed"), "{}", found.err);
    let objects = run(&["template", "match", "/users/{id}{/list}", "--json"], items).json();
    assert_eq!(objects.len(), 5);
    assert_eq!(objects[0]["variables"]["list"][1], "2");
    assert_eq!(objects[2]["error"]["kind"], "no-match");
}

#[test]
fn the_query_may_be_a_set() {
    let set = ["template", "match", "--query-as-set"];
    let with = |args: &[&str]| run(&[&set[..], args].concat(), "");
    let found = with(&["/s{?q,page}", "-i", "/s?page=2&x=1&q=a+b"]);
    assert_eq!(found.text(), "{\"q\":\"a+b\",\"page\":\"2\"}\n");
    assert_eq!(with(&["/s{?q}", "--known-pairs", "-i", "/s?q=1&x=2"]).code, 1);
    assert_eq!(with(&["/s{?q}", "--single-pairs", "-i", "/s?q=1&q=2"]).code, 1);
    let refused = with(&["/s", "-i", "/s"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("ends in expressions with ? or &"), "{}", refused.err);
}

#[test]
fn values_are_a_column_of_a_table() {
    let table = "n,url\n1,/users/7\n2,/x\n";
    let csv = ["--from", "csv", "--field", "url", "--add", "values", "--keep", "empty"];
    let found = run(&[&["template", "match", "/users/{id}"], &csv[..]].concat(), table);
    assert_eq!(found.lines(), ["n,url,values", "1,/users/7,\"{\"\"id\"\":\"\"7\"\"}\"", "2,/x,"]);
}

#[test]
fn a_hostile_template_takes_linear_time() {
    let template = (0..1000).map(|number| format!("{{a{number}}}")).collect::<String>();
    let text = "a".repeat(100_000) + "/\n";
    assert_eq!(run(&["template", "match", &template], &text).code, 1);
}
