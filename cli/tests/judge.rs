//! `iri judge`. The tests of the library check the verdicts.

use serde_json::json;

use crate::{TempFile, run};

#[test]
fn a_url_to_send_is_a_line_and_a_refusal_is_an_error() {
    let items = "https://Example.com/a/../b#c\nhttp://127.1:8080/\nhttp://93.184.216.34\n";
    let found = run(&["judge"], items);
    assert_eq!((found.text(), found.code), ("https://example.com/b\nhttp://93.184.216.34/\n", 1));
    let message = "<stdin>:2:8: error: refused: RFC 3987 and the URL Standard read different hosts or ports; \
                   the address is in 127.0.0.0/8 (loopback); the policy does not allow the port";
    assert!(found.err.contains(message), "{}", found.err);
    assert!(found.err.contains("3 items, 2 not refused, 1 refused"), "{}", found.err);
    assert_eq!(run(&["judge", "-i", "http://example.com/"], "").code, 0);
}

#[test]
fn an_object_has_all_reasons() {
    let found = run(&["judge", "--json"], "http://127.1:8080/\nhttp://example.com/\n");
    assert_eq!(found.code, 1);
    let objects = found.json();
    assert_eq!(objects[0]["decision"], "refuse");
    let names: Vec<_> =
        objects[0]["reasons"].as_array().unwrap().iter().map(|reason| &reason["name"]).collect();
    assert_eq!(names, ["readings-differ", "address 127.0.0.0/8", "port"]);
    let address = &objects[0]["reasons"][1];
    assert_eq!((&address["kind"], &address["range"]), (&json!("address"), &json!("127.0.0.0/8")));
    assert_eq!((&address["start"], &address["end"]), (&json!(7), &json!(12)));
    assert_eq!(objects[0]["url_to_send"], json!(null));
    assert_eq!(objects[1]["decision"], "resolve");
    assert_eq!(objects[1]["reasons"], json!([]));
    assert_eq!(objects[1]["url_to_send"], "http://example.com/");
    // A limit counts refused items.
    let found = run(&["judge", "--json", "--fail-fast"], "a\nb\n");
    assert_eq!((found.lines().len(), found.code), (1, 1));
    for option in ["--add=x", "--to=csv", "--errors=x"] {
        assert_eq!(run(&["judge", "--json", option], "").code, 2, "{option}");
    }
}

#[test]
fn records_of_every_format_are_judged() {
    let table = "n,url\n1,http://a.b/é\n2,http://10.0.0.1/\n";
    let csv = ["judge", "--from", "csv", "--field", "url", "-q"];
    let found = run(&[&csv[..], &["--add", "send", "--keep", "empty"]].concat(), table);
    let expected = "n,url,send\n1,http://a.b/é,http://a.b/%C3%A9\n2,http://10.0.0.1/,\n";
    assert_eq!((found.text(), found.code), (expected, 1));
    let found =
        run(&["judge", "--from", "markdown", "--json"], "[a](http://b.c/) [d](http://[::1]/)\n");
    let decisions: Vec<_> = found.json().iter().map(|object| object["decision"].clone()).collect();
    assert_eq!(decisions, ["resolve", "refuse"]);
    let found = run(
        &["judge", "--from", "jsonl", "--field", "/u", "--json"],
        "{\"u\":\"http://b.c/\"}\n{}\n",
    );
    assert_eq!(found.json()[0]["decision"], "resolve");
    let file = TempFile::new("judged", "http://B.c/\nhttp://10.0.0.1/\n");
    assert_eq!(run(&["judge", "--in-place", file.name()], "").code, 1);
    assert_eq!(std::fs::read_to_string(file.name()).unwrap(), "http://b.c/\nhttp://10.0.0.1/\n");
}

#[test]
fn redirects_and_addresses_are_judged() {
    let from = ["judge", "--redirect-from", "https://a.example/b", "-i"];
    let found = run(&[&from[..], &["c", "http://a.example/", "//a.example:443"]].concat(), "");
    assert_eq!(found.text(), "https://a.example/c\nhttps://a.example/\n");
    assert!(
        found.err.contains("<item>:2:1: error: refused: the redirect leaves https"),
        "{}",
        found.err
    );
    let objects = run(&[&from[..], &["c", "//b.example/", "--json"]].concat(), "").json();
    let keeps: Vec<_> = objects.iter().map(|object| object["keeps_credentials"].clone()).collect();
    assert_eq!(keeps, [true, false]);
    let late = ["judge", "--redirect-number", "3", "--max-redirects", "2", "--redirect-from"];
    let found = run(&[&late[..], &["http://a.example/", "-i", "c"]].concat(), "");
    assert!(found.err.contains("too many redirects"), "{}", found.err);
    let found = run(&["judge", "--address"], "10.0.0.1\n1.1.1.1\n2606:2800::1\n::ffff:7f00:1\na\n");
    assert_eq!((found.text(), found.code), ("1.1.1.1\n2606:2800::1\n", 1));
    assert!(found.err.contains("<stdin>:1:1: error: refused: the address is in 10.0.0.0/8"));
    assert!(
        found.err.contains(
            "<stdin>:4:1: error: refused: the address is in ::ffff:0:0/96 of 127.0.0.0/8"
        )
    );
    assert!(found.err.contains("<stdin>:5:1: error: this is not an IP address"), "{}", found.err);
    assert_eq!(run(&["judge", "--address", "--redirect-from", "http://a/"], "").code, 2);
}

#[test]
fn the_options_make_the_policy() {
    for (options, item, code) in [
        (&["--scheme", "https"][..], "http://example.com/", 1),
        (&["--scheme", "HTTPS,http"], "http://example.com/", 0),
        (&["--port", "80,8080"], "http://example.com:8080/", 0),
        (&["--port", "80"], "https://example.com/", 1),
        (&["--strip-userinfo"], "http://a@example.com/", 0),
        (&[], "http://a@example.com/", 1),
        (&["--no-literals"], "http://93.184.216.34/", 1),
        (&["--only-host", "b.example"], "http://b.example/", 0),
        (&["--only-host", "b.example"], "http://a.b.example/", 1),
        (&["--only-domain", "b.example"], "http://a.b.example/", 0),
        (&["--refuse-domain", "b.example"], "http://a.b.example/", 1),
        (&["--permit-domain", "lan"], "http://a.lan/", 0),
        (&["--permit-domain", "internal"], "http://metadata.google.internal/", 1),
        (&["--permit-range", "10.0.0.0/8"], "http://10.0.0.1/", 0),
        (&["--permit-range", "169.254.0.0/16"], "http://169.254.169.254/", 1),
        (&["--refuse-range", "93.0.0.0/8"], "http://93.184.216.34/", 1),
        (&["--nat64-prefix", "2600:1::/96"], "http://[2600:1::a00:1]/", 1),
        (&["--policy", "public-web"], "http://example.com/", 0),
    ] {
        let found = run(&[&["judge"], options, &["-i", item]].concat(), "");
        assert_eq!(found.code, code, "{options:?} {item}: {}", found.err);
    }
    for options in [
        ["--only-host", "a/b"],
        ["--only-domain", "1.1.1.1"],
        ["--permit-range", "10.0.0.1/8"],
        ["--nat64-prefix", "10.0.0.0/8"],
        ["--scheme", "a b"],
        ["--port", "65536"],
        ["--policy", "safe"],
        ["--redirect-number", "2"],
    ] {
        assert_eq!(
            run(&[&["judge"], &options[..], &["-i", "a"]].concat(), "").code,
            2,
            "{options:?}"
        );
    }
}
