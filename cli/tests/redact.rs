//! `iri redact`: secrets are replaced in every format, and nothing else changes.

use super::{TempFile, run};

#[test]
fn secrets_are_replaced_in_every_format() {
    let cases: &[(&str, &[&str], &str, &str)] = &[
        ("a.txt", &[], "//u:p@h\nx y\n?sig=", "//REDACTED:REDACTED@h\nx y\n?sig=REDACTED"),
        (
            "a.csv",
            &["--field", "u"],
            "n,u\n1,\"?a=\"\"&sig=x\"\n",
            "n,u\n1,\"?a=\"\"&sig=REDACTED\"\n",
        ),
        (
            "a.jsonl",
            &["--field", "/u"],
            "{\"u\":\"https:\\/\\/u:p@h?a\\u0026sig=x\",\"n\": 1}\n",
            "{\"u\":\"https://REDACTED:REDACTED@h?a&sig=REDACTED\",\"n\": 1}\n",
        ),
        (
            "access.log",
            &["--part", "target"],
            "h - - [22/Nov/2026:10:00:00 +0000] \"GET //a@b?sig=x HTTP/1.1\" 200 5 \"-\" \"c\"\n",
            "h - - [22/Nov/2026:10:00:00 +0000] \"GET //a@b?sig=REDACTED HTTP/1.1\" 200 5 \"-\" \"c\"\n",
        ),
        (
            "a.nt",
            &[],
            "<http://u:p@a/> <http://b/> <http://c/?sig=x> .\n",
            "<http://REDACTED:REDACTED@a/> <http://b/> <http://c/?sig=REDACTED> .\n",
        ),
        (
            "a.html",
            &[],
            "<a href='?a&amp;sig=x'>sig=x</a>",
            "<a href='?a&amp;sig=REDACTED'>sig=x</a>",
        ),
        ("a.md", &[], "[sig=x](http://u:p@a/)\n", "[sig=x](http://REDACTED:REDACTED@a/)\n"),
        (
            "sitemap.xml",
            &[],
            "<urlset><url><loc>http://a/?sig=x&amp;b</loc></url></urlset>",
            "<urlset><url><loc>http://a/?sig=REDACTED&amp;b</loc></url></urlset>",
        ),
        (
            "b.log",
            &["--from", "lines", "--part", "text"],
            "a (//u:p@h/), b=c\n",
            "a (//REDACTED:REDACTED@h/), b=c\n",
        ),
    ];
    for (name, args, text, expected) in cases {
        let file = TempFile::new(&format!("redact-{name}"), text);
        let found = run(&[&["redact"][..], args, &[file.name()]].concat(), "");
        assert_eq!((found.text(), found.code), (*expected, 0), "{name}: {}", found.err);
        let twice = run(&[&["redact"][..], args, &["--in-place", file.name()]].concat(), "");
        assert_eq!(twice.code, 0, "{}", twice.err);
        let found = run(&[&["redact"][..], args, &[file.name()]].concat(), "");
        assert_eq!(found.text(), *expected, "{name}");
    }
}

#[test]
fn bytes_that_are_not_text_are_redacted() {
    let found = run(&["redact"], &b"//u:\xFF@h/\xFE\n\xFF\n"[..]);
    assert_eq!(found.out, b"//REDACTED:REDACTED@h/\xFE\n\xFF\n");
    assert_eq!(found.code, 0);
}

#[test]
fn the_options_are_those_of_the_library() {
    for (args, item, expected) in [
        (&["--set", "none"][..], "//u@h?sig=x", "//REDACTED@h?sig=x"),
        (
            &["--set", "oauth,common"],
            "?code=x&SID=y&Policy=z",
            "?code=REDACTED&SID=REDACTED&Policy=z",
        ),
        (
            &["--set", "otel-1.29", "--set", "oauth"],
            "?X-Amz-Signature=a&code=b",
            "?X-Amz-Signature=a&code=REDACTED",
        ),
        (
            &["--key", "a,b", "--key", "c"],
            "?a,b=x&c=y&sig=z&a=1",
            "?a,b=REDACTED&c=REDACTED&sig=REDACTED&a=1",
        ),
        (&["--key", "*-c"], "?aC=y&c=z&ac=q", "?aC=REDACTED&c=REDACTED&ac=q"),
        (&["--set", "otel", "--any-case"], "?SIG=z", "?SIG=REDACTED"),
        (&["--raw"], "?%73ig=x", "?%73ig=x"),
        (&["--userinfo", "password", "--replacement", "*"], "//u:p@h?sig=x", "//u:*@h?sig=*"),
        (&["--userinfo", "drop"], "//u:p@h", "//h"),
        (&["--userinfo", "both"], "//u@h", "//REDACTED:REDACTED@h"),
        (&["--part", "query"], "sig=x#y", "sig=REDACTED"),
        (&["--semicolons"], "?a;sig=x;b", "?a;sig=REDACTED;b"),
        (&["--whatwg"], "http://h\\a@b", "http://h\\a@b"),
        (&["--nested", "1"], "?a=%3Fsig%3Dx", "?a=REDACTED"),
        (&["--fragment", "true"], "#sig=x", "#sig=REDACTED"),
        (&["--session-ids", "true"], "/a;jsessionid=x", "/a;jsessionid=REDACTED"),
        (&["--data"], "data:,abc", "data:,REDACTED(3)"),
    ] {
        let found = run(&[&["redact"][..], args, &["-i", item]].concat(), "");
        assert_eq!(found.text().trim_end(), expected, "{args:?}: {}", found.err);
    }
}

#[test]
fn a_refused_option_says_why_and_writes_no_secret() {
    for (args, message) in [
        (&["--json"][..], "--json would print the items with their secrets"),
        (&["--replacement", "a&b"], "'&' at byte 1"),
        (&["--set", "x"], "otel-1.42"),
        (&["--nested", "5"], "0..=4"),
    ] {
        let found = run(&[&["redact", "-i", "//u:s3cret@h"][..], args].concat(), "");
        assert_eq!(found.code, 2, "{args:?}");
        assert!(found.err.contains(message), "{args:?}: {}", found.err);
        assert!(!found.err.contains("s3cret") && found.out.is_empty(), "{args:?}");
    }
    let file = TempFile::new("redact-dry-run.txt", "//u:s3cret@h\n");
    let found = run(&["redact", "--in-place", "--dry-run", file.name()], "");
    assert!(found.err.contains("--dry-run would print the items with their secrets"));
    assert_eq!((found.text(), found.code), ("", 2));
}

#[test]
fn the_summary_counts_the_values() {
    let found = run(&["redact", "--summary", "json"], "//u:p@h?sig=x\na\n?sig=REDACTED\n");
    assert!(found.err.contains(r#""done":3,"failed":0,"replaced":2"#), "{}", found.err);
    let found = run(&["normalize", "--summary", "json"], "a\n");
    assert!(!found.err.contains("replaced"), "{}", found.err);
    // A record that is not read has no secret in its report, and its secrets are counted.
    let found = run(
        &["redact", "--from", "jsonl", "--field", "/u"],
        "{\"u\":\"//u:s3cret@h\n{\"u\":\"a\"}\n",
    );
    assert_eq!((found.text(), found.code), ("{\"u\":\"a\"}\n", 1));
    assert!(
        !found.err.contains("s3cret")
            && found.err.contains("1 failed, 1 value replaced (1 userinfo)"),
        "{}",
        found.err
    );
}

#[test]
fn the_summary_names_the_kinds_of_values_and_what_was_not_looked_at() {
    let csv = "n,u,x\n1,//u:p@h?sig=x,see http://u:p@h/\n";
    let json = "{\"n\":1,\"u\":\"//u:p@h?sig=x\",\"x\":\"/?sig=y\"}\n";
    let log = "h - - [t] \"GET /?sig=x HTTP/1.1\" 200 5 \"http://u:p@h/\" \"-\"\n";
    for (args, text, says) in [
        (&["csv"][..], csv, "3 values replaced (1 query-key, 2 userinfo)\n"),
        (
            &["csv", "--field", "u"],
            csv,
            "2 values replaced (1 query-key, 1 userinfo); not looked at: n, x\n",
        ),
        (&["csv", "--field", "2", "--no-header"], csv, "; not looked at: the other columns\n"),
        (&["jsonl"], json, "3 values replaced (2 query-key, 1 userinfo)\n"),
        (&["jsonl", "--field", "/u"], json, "; not looked at: n, x\n"),
        (&["log"], log, "2 values replaced (1 query-key, 1 userinfo)\n"),
        (
            &["log", "--field", "referer"],
            log,
            "not looked at: bytes, http_user_agent, ident, remote_addr, remote_user, request, rest, status, time_local\n",
        ),
        (
            &["nt", "--field", "s"],
            "<a:s> <a:p> <a:o> .\n",
            "0 values replaced; not looked at: g, o, p\n",
        ),
    ] {
        let found = run(&[&["redact", "-v", "--from"][..], args].concat(), text);
        assert_eq!(found.code, 0, "{}", found.err);
        assert!(found.err.ends_with(says), "{args:?}: {}", found.err);
        // Who names a field knows that the others stay.
        let found = run(&[&["redact", "--from"][..], args].concat(), text);
        assert_eq!((found.err.as_str(), found.code), ("", 0), "{args:?}");
    }
    let json = run(&["redact", "--from", "csv", "--summary", "json"], csv);
    assert!(json.err.contains(r#""replaced":3,"query-key":1,"userinfo":2"#), "{}", json.err);
    // What nobody excluded is named without being asked.
    let archive = "WARC/1.0\r\nX: http://u:p@h/\r\nContent-Length: 0\r\n\r\n\r\n\r\n";
    let found = run(&["redact", "--from", "warc"], archive);
    assert_eq!(found.text(), archive.replace("u:p", "REDACTED:REDACTED"));
    assert!(found.err.ends_with("; not looked at: the content of records\n"), "{}", found.err);
    // Names are texts of the file, too, and a summary is short.
    let names: String = (0..50).map(|number| format!("//u:secret@h/{number},")).collect();
    let found =
        run(&["redact", "-v", "--from", "csv", "--field", "u"], format!("{names}u\n{names}a\n"));
    assert!(!found.err.contains("secret") && found.err.ends_with(", …\n"), "{}", found.err);
    assert!(found.err.len() < 2000, "{}", found.err);
}

/// Without `--field`, the other fields are redacted as running text, and what is written is a record of the same
/// format.
#[test]
fn every_field_of_a_record_is_redacted() {
    for (args, text, expected) in [
        (
            &["csv"][..],
            "u,v\n\"http://u:p@h/ \"\"x\"\"\",?sig=x\n",
            "u,v\n\"http://R:R@h/ \"\"x\"\"\",?sig=R\n",
        ),
        (
            &["jsonl"],
            "{\"a\":{\"//u:p@h\":[\"http:\\/\\/u:p\\u0040h\\/ \\\"\", 1.50]}}\n",
            "{\"a\":{\"//R:R@h\":[\"http://R:R@h/ \\\"\", 1.50]}}\n",
        ),
        (
            &["jsonl", "--to", "csv"],
            "{\"a\":1,\"/?sig=x\":\"/?sig=y\"}\n",
            "a,/?sig=R\n1,/?sig=R\n",
        ),
        (
            &["log"],
            "h - - [t] \"G\\xC3 //u:p\\x40h/\" 400 5 \"http://u:p@h\" \"a\" \"/?sig=\\x41\"\n",
            "h - - [t] \"G\\xC3 //R:R@h/\" 400 5 \"http://R:R@h\" \"a\" \"/?sig=R\"\n",
        ),
        (
            &["log"],
            "h - - [t] \"GET /?next=http://u:p@h/&x=1 HTTP/1.1\" 200 5\n",
            "h - - [t] \"GET /?next=R&x=1 HTTP/1.1\" 200 5\n",
        ),
        (
            &["nt"],
            "<a:s> <a:p> \"http://u:p\\u0040h/\\n\\\"\"^^<//u:p@h> . # //u:p@h\n",
            "<a:s> <a:p> \"http://R:R@h/\\n\\\"\"^^<//R:R@h> . # //R:R@h\n",
        ),
        (
            &["cdxj"],
            "com)/ 1 {\"url\":\"a:\",\"b\":\"//u:p@h\"}\n",
            "com)/ 1 {\"url\":\"a:\",\"b\":\"//R:R@h\"}\n",
        ),
        (
            &["html"],
            "<img alt='/?sig=x'/><!-- //u:p@h --><p title=\"http://u:p\" id=\"x@y\">/?sig=x</p>",
            "<img alt='/?sig=R'/><!-- //R:R@h --><p title=\"http://R:R\" id=\"x@y\">/?sig=R</p>",
        ),
    ] {
        let found = run(
            &[&["redact", "--replacement", "R", "--keep", "input", "-q", "--from"][..], args]
                .concat(),
            text,
        );
        assert_eq!(found.text(), expected);
    }
    for option in [&["--add", "n"][..], &["--to", "lines"]] {
        let found = run(&[&["redact", "--from", "csv"][..], option].concat(), "a\nb\n");
        assert_eq!((found.text(), found.code), ("", 2));
        assert!(found.err.contains("needs --field"), "{}", found.err);
    }
}

#[test]
fn what_cannot_be_read_is_redacted_as_running_text() {
    let cases: &[(&str, &[&str], &str, &str)] = &[
        (
            "a.jsonl",
            &["--field", "/u"],
            "{\"u\":\"http://u:p@h\",\"u\":[\"//v:q@h\"],\"u\":\"?sig=a b\"}\n{\"u\":\"//u:p@h\n",
            "{\"u\":\"http://REDACTED:REDACTED@h\",\"u\":[\"//REDACTED:REDACTED@h\"],\"u\":\"?sig=REDACTED\"}\n\
             {\"u\":\"//REDACTED:REDACTED@h\n",
        ),
        (
            "a.csv",
            &["--field", "u"],
            "n,u,u\n1,?sig=x,?sig=y\n?sig=z\n2,http://u:p@h/\n",
            "n,u,u\n1,?sig=REDACTED,?sig=REDACTED\n?sig=REDACTED\n2,http://REDACTED:REDACTED@h/\n",
        ),
        (
            // The first row was not meant as names. A replacement with a delimiter needs quotes.
            "b.csv",
            &["--field", "2", "--replacement", "a,b"],
            "1,?sig=x\n?sig=y\n",
            "1,\"?sig=a,b\"\n\"?sig=a,b\"\n",
        ),
        (
            "a.nt",
            &[],
            "# <//u:p@h>\n<a:s> <http://u:p@a/> <\\q?sig=x> .\n<?sig=x\n",
            "# <//REDACTED:REDACTED@h>\n<a:s> <http://REDACTED:REDACTED@a/> <\\q?sig=REDACTED> .\n<?sig=REDACTED\n",
        ),
        (
            "a.html",
            &[],
            "sig=x <a href='?sig=x'>y</a><a title='?a=b' href='//u:p@h",
            "sig=x <a href='?sig=REDACTED'>y</a><a title='?a=b' href='//REDACTED:REDACTED@h",
        ),
        (
            "sitemap.xml",
            &[],
            "<urlset><loc>?sig=x</loc></url><loc>//u:p@h</loc>",
            "<urlset><loc>?sig=REDACTED</loc></url><loc>//REDACTED:REDACTED@h</loc>",
        ),
        (
            "access.log",
            &[],
            "- - - [t] \"//u:p@h\"\n?sig=x y\n",
            "- - - [t] \"//REDACTED:REDACTED@h\"\n?sig=REDACTED y\n",
        ),
    ];
    for (name, args, text, expected) in cases {
        let file = TempFile::new(&format!("redact-unread-{name}"), text);
        let all = [&["redact", "--keep", "input"][..], args, &[file.name()]].concat();
        let found = run(&all, "");
        assert_eq!(found.text(), *expected, "{name}: {}", found.err);
        let found = run(&[&["redact"][..], args, &["--in-place", file.name()]].concat(), "");
        assert!(found.code < 2, "{name}: {}", found.err);
        assert_eq!(std::fs::read_to_string(file.name()).unwrap(), *expected, "{name}");
    }
}

#[test]
fn a_record_that_fails_after_it_is_read_has_no_secret() {
    let cases: &[(&[&str], &str)] = &[
        (&["jsonl", "--field", "/u"], "{\"u\":\"\\ud800\",\"a\":\"//u:secret@h\"}\n"),
        (&["cdxj"], "h)/?sig=secret 2020 {\"url\":\"\\ud800\",\"a\":\"//u:secret@h\"}\n"),
        (&["nt"], "<a:> <\\uD800> \"//u:secret@h\" . # ?sig=secret\n"),
        (&["csv", "--field", "1", "--to", "jsonl"], "a,b\n//u:secret@h,b,c,//u:secret@h\n"),
        (
            &["jsonl", "--field", "/u", "--to", "csv"],
            "{\"u\":\"x\"}\n{\"u\":\"x\",\"a\":\"//u:secret@h\"}\n",
        ),
        (
            &["jsonl", "--field", "/u", "--to", "lines"],
            "{\"u\":\"x\\ny\",\"a\":\"//u:secret@h\"}\n",
        ),
        (&["csv", "--field", "a", "--to", "lines"], "b,a\n//u:secret@h,\"x\ny\"\n"),
        (
            &["jsonl", "--field", "/u", "--add", "n"],
            "{\"u\":\"x\",\"n\":1,\"a\":\"//u:secret@h\"}\n",
        ),
    ];
    let errors = TempFile::new("redact-errors.jsonl", "");
    for (args, text) in cases {
        for kept in [&[][..], &["--keep", "input"], &["--errors", errors.name()]] {
            let all = [&["redact", "--from"][..], args, kept].concat();
            let found = run(&all, text);
            assert_eq!(found.code, 1, "{all:?} {}", found.err);
            let aside = std::fs::read_to_string(errors.name()).unwrap();
            let written = format!("{}{}{aside}", found.text(), found.err);
            assert!(!written.contains("secret"), "{all:?} {written}");
        }
    }
}

#[test]
fn a_field_of_the_output_that_holds_the_address_is_redacted() {
    let log = "h - - [t] \"GET /?sig=secret HTTP/1.1\" 200 5\n";
    let json = "{\"a\":{\"u\":\"//u:secret@h\"}}\n";
    for (from, text) in [(&["log"][..], log), (&["jsonl", "--field", "/a/u"], json)] {
        let found = run(&[&["redact", "--to", "jsonl", "--from"][..], from].concat(), text);
        assert_eq!((found.text().matches("REDACTED").count() > 1, found.code), (true, 0));
        assert!(!found.text().contains("secret"), "{}", found.text());
    }
}

#[test]
fn what_follows_a_quote_that_is_never_closed_is_left_out() {
    let text = "n,u\n1,http://u:p@a/\n2,\"http://u:secret@b/\n3,http://u:secret@c/?sig=secret\n";
    let file = TempFile::new("redact-open.csv", text);
    for more in [&[][..], &["--to", "jsonl"]] {
        let found = run(&[&["redact", "--field", "u"][..], more, &[file.name()]].concat(), "");
        assert_eq!(found.code, 2, "{}", found.err);
        assert!(found.text().contains("REDACTED:REDACTED@a"), "{}", found.text());
        assert!(!found.text().contains("secret"), "{}", found.text());
        assert!(found.err.contains("a quote opens a field") && !found.err.contains("secret"));
    }
    // The other commands keep these bytes, which may hold good records.
    let found = run(&["normalize", "--field", "u", file.name()], "");
    assert!(found.text().contains("secret"), "{}", found.text());
}

#[test]
fn a_message_that_quotes_an_address_has_no_secret() {
    let url = "https://u:secret@h/?a=b&sig=secret&token=secret";
    let row = format!("1,{url}\n");
    let file = TempFile::new("redact-row.csv", &row);
    for args in [
        &["redact", "--field", "url", file.name()][..],
        &["redact", url],
        &["redact", "--set", url],
        &["check", url],
        &["check", "--charset", url],
    ] {
        let found = run(args, "");
        assert!(found.code != 0 && found.err.contains("***"), "{args:?}: {}", found.err);
        assert!(!found.err.contains("secret"), "{args:?}: {}", found.err);
    }
    let names = "a,".repeat(60) + &"b".repeat(200);
    let file = TempFile::new("redact-names.csv", format!("{names}\n"));
    let found = run(&["redact", "--field", "url", file.name()], "");
    assert!(found.err.contains(", …") && found.err.len() < 400, "{}", found.err);
}
