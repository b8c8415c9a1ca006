//! Records: where addresses are in each format, that every other byte stays, and that no record is lost.

use std::io::Write;

use super::{Run, TempFile, run};

/// Returns the messages on standard error.
fn messages(run: &Run) -> Vec<&str> {
    run.err.lines().collect()
}

/// A text of each format, whose addresses are normal: name, arguments, text.
pub(super) const NORMAL: [(&str, &[&str], &[u8]); 12] = [
    ("a.txt", &[], b"\xEF\xBB\xBFhttp://a/\r\nhttp://b/\nhttp://c/"),
    (
        "a.csv",
        &["--field", "url"],
        b"id, \"n\"\"m\",url\r\n1,\"x,\ny\",http://a/\r\n\r\n2,\"\",\"http://b/?a,b\"\n3,,http://c/",
    ),
    ("b.csv", &["--field", "2", "--no-header", "--delimiter", ";"], b"1;http://a/\n2;\"http://b/\";x"),
    ("a.tsv", &["--field", "url"], b"id\turl\n1\thttp://a/\n"),
    (
        "a.jsonl",
        &["--field", "/page/url"],
        b" { \"page\" : {\"url\":\t\"http:\\/\\/a\\/\"}, \"n\":1e5 }\r\n\n{\"page\":{\"a\":[{}],\"url\":\"http://b/\\u00e9\"}}",
    ),
    (
        "access.log",
        &[],
        b"1.2.3.4 - - [10/Oct/2000:13:55:36 -0700] \"GET /a?b HTTP/1.1\" 200 23\n\
          ::1 - ann [10/Oct/2000:13:55:36 -0700] \"GET /\\xC3\\xA9 HTTP/1.1\" 200 23 \"-\" \"x \\\"y\\\"\"\n\
          1.2.3.4 - - [10/Oct/2000:13:55:36 -0700] \"-\" 408 0\n",
    ),
    (
        "a.nt",
        &[],
        b"# c <a b>\n<http://a/s> <http://a/p> \"<x>\\\"\"^^<http://a/t> .\n_:b <http://a/p> _:c.\n\n\
          <http://a/s> <http://a/p> \"x\"@en . # y",
    ),
    ("a.nq", &["--field", "g"], b"<a:s> <A:p> <a:o> <http://a/g> .\n<a:s> <a:p> \"o\" .\n"),
    (
        "a.cdxj",
        &[],
        b"!meta {}\ncom,example)/ 20200101000000 {\"url\": \"http://example.com/\", \"mime\": \"x\"}\n",
    ),
    (
        "sitemap.xml",
        &[],
        b"<?xml version='1.0'?>\n<urlset><!-- <loc>A:b</loc> --><url><loc>\n http://a/?b&amp;c \n</loc></url>\
          <x:loc>http://b/</x:loc></urlset>\n",
    ),
    ("a.html", &[], b"<p title='A:b'>x <a href=\"http://a/?b&amp;c\">y</a> <img src=/b>\n\xFF</p>"),
    (
        "a.warc",
        &[],
        b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 3\r\n\r\na\nb\r\n\r\n\
          WARC/1.1\r\nwarc-target-uri:  <http://a/>\r\nContent-Length: 0\r\n\r\n\r\n\r\n",
    ),
];

/// Commands that change no address of these texts.
const IDENTITIES: [&[&str]; 7] = [
    &["normalize"],
    &["resolve", "--base", "http://base/"],
    &["prepare"],
    &["display"],
    &["redact"],
    &["lint", "--fix"],
    &["check", "--as", "iri-reference", "--valid"],
];

#[test]
fn a_command_that_changes_nothing_gives_the_same_bytes() {
    for (name, args, text) in NORMAL {
        let file = TempFile::new(name, text);
        for command in IDENTITIES {
            // A relative address in these two is resolved.
            if command.first() == Some(&"resolve") && ["access.log", "a.html"].contains(&name) {
                continue;
            }
            for jobs in ["1", "2"] {
                let all = [command, args, &["-j", jobs, file.name()]].concat();
                let found = run(&all, "");
                assert_eq!(
                    (found.out.escape_ascii().to_string(), found.code),
                    (text.escape_ascii().to_string(), 0),
                    "{all:?} {}",
                    found.err
                );
            }
        }
    }
}

#[test]
fn the_result_takes_the_place_of_the_field() {
    let table: [(&[&str], &[u8], &[u8]); 12] = [
        (&["--from", "lines"], b"A:b\r\nA:c", b"a:b\r\na:c"),
        (
            &["--from", "csv", "--field", "u"],
            b"x,u\n1,A:b\n2,\"A:c\"\n",
            b"x,u\n1,a:b\n2,\"a:c\"\n",
        ),
        (
            &["--from", "csv", "--field", "1", "--no-header"],
            b"\"A:b,\",\"\"\"\"",
            b"\"a:b,\",\"\"\"\"",
        ),
        (&["--from", "tsv", "--field", "2"], b"u\tv\nx\tA:b\n", b"u\tv\nx\ta:b\n"),
        (
            &["--from", "jsonl", "--field", "/a/1"],
            b"{\"a\": [1, \"A:\\u0062\"] }",
            b"{\"a\": [1, \"a:b\"] }",
        ),
        (
            &["--from", "jsonl", "--field", "/~1~0"],
            b"{\"/~\":\"A:b\",\"/~\":\"A:c\"}",
            b"{\"/~\":\"A:b\",\"/~\":\"a:c\"}",
        ),
        (
            &["--from", "log"],
            b"h - - [t] \"GET /%7eb HTTP/1.1\" 200 1\n",
            b"h - - [t] \"GET /~b HTTP/1.1\" 200 1\n",
        ),
        (
            &["--from", "log", "--field", "referer"],
            b"h - - [t] \"GET / HTTP/1.1\" 200 1 \"HTTP://a\" \"x\"\n",
            b"h - - [t] \"GET / HTTP/1.1\" 200 1 \"http://a/\" \"x\"\n",
        ),
        (
            &["--from", "log", "--log-format", "$status \"$uri\" $time", "--field", "uri"],
            b"200 \"/%7eb\" 1\n",
            b"200 \"/~b\" 1\n",
        ),
        (&["--from", "nt", "--field", "o"], b"<A:s> <A:p> <A:o> .", b"<A:s> <A:p> <a:o> ."),
        (&["--from", "nt"], b"<A:s> <A:p> \"<A:x>\"^^<A:t> .", b"<a:s> <a:p> \"<A:x>\"^^<a:t> ."),
        (&["--from", "sitemap"], b"<loc>A:b?&amp;</loc>", b"<loc>a:b?&amp;</loc>"),
    ];
    for (args, input, expected) in table {
        let found = run(&[&["normalize"], args].concat(), input);
        assert_eq!(
            (found.out.escape_ascii().to_string(), found.err.as_str(), found.code),
            (expected.escape_ascii().to_string(), "", 0),
            "{args:?}"
        );
    }
    let page =
        run(&["resolve", "--base", "http://a/b/", "--from", "html"], "<a href='c?d&amp;e'>f</a>");
    assert_eq!(page.text(), "<a href='http://a/b/c?d&amp;e'>f</a>");
    let links = run(&["normalize", "--from", "markdown"], "[x](HTTP://a/b) <HTTP://c/>\n");
    assert_eq!(links.text(), "[x](http://a/b) <http://c/>\n");
}

/// In a document, only addresses change, each with the escapes of its place: what a parser of the format finds, and
/// nothing else. A comment or a section around an address stays.
#[test]
fn only_the_addresses_of_a_document_change() {
    let table: [(&str, &str, &str, &[&str]); 14] = [
        (
            "html",
            "<script>u=\"HTTP://A.com/?a=1&b=2\"</script><style>url(HTTP://A.com)</style><!-- HTTP://A.com -->\
             <iframe>HTTP://A.com</iframe><title>HTTP://A.com</title><p title=HTTP://A.com>HTTP://A.com</p>",
            "<script>u=\"HTTP://A.com/?a=1&b=2\"</script><style>url(HTTP://A.com)</style><!-- HTTP://A.com -->\
             <iframe>HTTP://A.com</iframe><title>HTTP://A.com</title><p title=HTTP://A.com>HTTP://A.com</p>",
            &[],
        ),
        (
            "html",
            "<a href='A:b?c&d'><a href=\"A:b?c&amp;d'\"><a href=A:b?c&amp;lt;><img srcset='A:a 1x, A:b,c 2x'>",
            "<a href='a:b?c&d'><a href=\"a:b?c&amp;d'\"><a href=a:b?c&amp;lt;><img srcset='a:a 1x, a:b,c 2x'>",
            &[],
        ),
        (
            "html",
            "<a ping='A:a A:b' href=A:c HREF=A:d><p style=\"x:url(A:\\(b);y:url('A:b')\"><meta http-equiv=refresh content='0;url=A:b'>",
            "<a ping='a:a a:b' href=a:c HREF=A:d><p style=\"x:url(a:\\(b);y:url('a:b')\"><meta http-equiv=refresh content='0;url=a:b'>",
            &[],
        ),
        (
            "html",
            "<!-- \u{e9}\u{FEFF} <a href=A:b> --><a href=A:c",
            "<!-- \u{e9}\u{FEFF} <a href=A:b> --><a href=A:c",
            &[],
        ),
        (
            "markdown",
            "[t](A:x\\_y) `[t](A:x)` \\[t](A:x) <A:x> <a href=A:x>\n\n    [t](A:x)\n\n```\n[t](A:x)\n```\n\n[t]: A:x?a&amp;b\n",
            "[t](a:x_y) `[t](A:x)` \\[t](A:x) <A:x> <a href=a:x>\n\n    [t](A:x)\n\n```\n[t](A:x)\n```\n\n[t]: a:x?a&amp;b\n",
            &[],
        ),
        (
            "markdown",
            "<AB:x> <X@Y.z> [t](<A:b>) For i <n (see [docs](HTTP://h.com/1)). For j >n: x",
            "<ab:x> <X@Y.z> [t](<a:b>) For i <n (see [docs](http://h.com/1)). For j >n: x",
            &[],
        ),
        (
            "sitemap",
            "<loc><![CDATA[ A:x?a=1&b=2 ]]></loc><loc>A:x/<!-- c -->4</loc><x><![CDATA[<loc>A:b</loc>]]></x>",
            "<loc><![CDATA[ a:x?a=1&b=2 ]]></loc><loc>a:x/4<!-- c --></loc><x><![CDATA[<loc>A:b</loc>]]></x>",
            &[],
        ),
        (
            "sitemap",
            "<loc>A:b&#x3F;c&amp;d</loc><loc>A:b?c&d</loc><loc/><loc> </loc><locs>A:b</locs><!-- <loc>A:b</loc> -->",
            "<loc>a:b?c&amp;d</loc><loc>a:b?c&amp;d</loc><loc/><loc> </loc><locs>A:b</locs><!-- <loc>A:b</loc> -->",
            &[],
        ),
        (
            "sitemap",
            "<urlset xmlns:i='http://www.google.com/schemas/sitemap-image/1.1' xmlns:h='http://www.w3.org/1999/xhtml' xmlns:o='urn:o'>\
             <i:loc>A:b</i:loc><o:loc>A:b</o:loc><h:link rel='alternate' href = \"A:b?c&amp;d\"/><o:link href='A:b'/></urlset>",
            "<urlset xmlns:i='http://www.google.com/schemas/sitemap-image/1.1' xmlns:h='http://www.w3.org/1999/xhtml' xmlns:o='urn:o'>\
             <i:loc>a:b</i:loc><o:loc>A:b</o:loc><h:link rel='alternate' href = \"a:b?c&amp;d\"/><o:link href='A:b'/></urlset>",
            &[],
        ),
        (
            "sitemap",
            "<sitemapindex><sitemap><loc>A:b</loc></sitemap><x a='<'></sitemapindex>",
            "<sitemapindex><sitemap><loc>a:b</loc></sitemap><x a='<'></sitemapindex>",
            &["not-xml"],
        ),
        ("sitemap", "<loc>A:b</loc><loc>A:c", "<loc>a:b</loc><loc>A:c", &["not-xml"]),
        (
            "sitemap",
            "<loc>A:b&x;</loc><loc>A:<b/></loc>",
            "<loc>A:b&x;</loc><loc>A:<b/></loc>",
            &["bad-escape", "bad-escape"],
        ),
        (
            "nt",
            "VERSION \"1.2\" # c\n<A:s> <A:p> <<( <A:s> <A:p> \"<A:o>\"@en--ltr )>> .\n<A:s><A:p>_:b.\n",
            "VERSION \"1.2\" # c\n<a:s> <a:p> <<( <a:s> <a:p> \"<A:o>\"@en--ltr )>> .\n<a:s><a:p>_:b.\n",
            &[],
        ),
        (
            "nt",
            "<A:s> <A:p> <<( <A:s> <A:p> )>> .\n<A:s> <A:p> <A:o> <A:g> .\n\"l\" <A:p> <A:o> .\n<A:s> _:p <A:o> .\n",
            "",
            &["not-a-statement"; 4],
        ),
    ];
    for (format, text, expected, kinds) in table {
        let found = run(&["normalize", "--from", format], text);
        assert_eq!(found.text(), expected, "{format} {}", found.err);
        assert_eq!(found.code, i32::from(!kinds.is_empty()), "{text} {}", found.err);
        let errors = run(&["normalize", "--from", format, "--json"], text);
        let errors = errors.json();
        let errors: Vec<_> =
            errors.iter().filter_map(|object| object["error"]["kind"].as_str()).collect();
        assert_eq!(errors, kinds, "{text}");
    }
    // Bytes that are not text change no structure, and an address that holds them fails.
    let page = b"<!-- \xFF <a href=A:b> --><a href='A:\xFF'><a href=A:c>";
    let found = run(&["normalize", "--from", "html"], page);
    let expected = b"<!-- \xFF <a href=A:b> --><a href='A:\xFF'><a href=a:c>";
    assert_eq!(found.out.escape_ascii().to_string(), expected.escape_ascii().to_string());
    assert_eq!(found.code, 1, "{}", found.err);
}

#[test]
fn a_record_that_fails_has_its_place() {
    let table: [(&[&str], &[u8], &str, &str); 9] = [
        (
            &["--from", "csv", "--field", "u"],
            b"x,u\n\"a\nb\",A:b\n\xC3\xA9,| \ny\n",
            "x,u\n\"a\nb\",a:b\n",
            "<stdin>:4:3: <stdin>:5:2:",
        ),
        (&["--from", "csv", "--field", "1"], b"u\na:b\n\"c", "u\na:b\n\"c", "<stdin>:3:1:"),
        (
            &["--from", "jsonl", "--field", "/u"],
            b"{\"u\":\"a:b\"}\n{\"u\":1}\n{}\n{\"u\":\"a b\"}\n{\"u\":\"a:b\",}\n[\n",
            "{\"u\":\"a:b\"}\n",
            "<stdin>:2:6: <stdin>:3:3: <stdin>:4:7: <stdin>:5:12: <stdin>:6:2:",
        ),
        (&["--from", "jsonl", "--field", "/u"], b"{\"u\":\"\\ud800\"}\n", "", "<stdin>:1:6:"),
        (&["--from", "log"], b"x\n\nh - - [t] \"GET\" 1 1\n", "\n", "<stdin>:1:1: <stdin>:3:12:"),
        (
            &["--from", "nt"],
            b"<a:b> <a:b>\n<a:b> <a:b> <a b> .\n",
            "",
            "<stdin>:1:12: <stdin>:2:15:",
        ),
        (&["--from", "cdxj"], b"a b c\n", "", "<stdin>:1:1:"),
        (
            &["--from", "sitemap"],
            b"<loc>a b</loc>\n<loc>A:c</loc>",
            "<loc>a b</loc>\n<loc>a:c</loc>",
            "<stdin>:1:7:",
        ),
        (&["--from", "warc"], b"WARC/1.0\r\nContent-Length: 9\r\n\r\nabc", "", "<stdin>:1:1:"),
    ];
    for (args, input, output, places) in table {
        let found = run(&[&["normalize"], args].concat(), input);
        // After a quote that is not closed, and in an archive that is cut, the run is not complete.
        let is_cut =
            ["a quote opens", "the archive ends"].iter().any(|part| found.err.contains(part));
        let code = if is_cut { 2 } else { 1 };
        assert_eq!((found.text(), found.code), (output, code), "{args:?} {}", found.err);
        let reported = found.err.lines().filter_map(|line| line.split_once(" error: "));
        let reported: Vec<_> = reported.map(|(place, _)| place).collect();
        assert_eq!(reported.join(" "), places, "{args:?} {}", found.err);
    }
    let found = run(&["normalize", "--from", "csv", "--field", "u"], "a,b\n1,2\n");
    assert_eq!(messages(&found), ["iri: <stdin>: no column is called 'u'; the columns are a, b"]);
    assert_eq!((found.text(), found.code), ("", 2));
}

/// Compresses with the program of a compression.
pub(super) fn compressed(text: &[u8], name: &str) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    match name {
        "gzip" => {
            gzip.write_all(text).unwrap();
            gzip.finish().unwrap()
        }
        "zstd" => zstd::encode_all(text, 1).unwrap(),
        "bzip2" => {
            let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
            bzip2.write_all(text).unwrap();
            bzip2.finish().unwrap()
        }
        _ => {
            let mut xz = liblzma::write::XzEncoder::new(Vec::new(), 1);
            xz.write_all(text).unwrap();
            xz.finish().unwrap()
        }
    }
}

#[test]
pub(super) fn compressed_input_is_recognised_by_its_first_bytes() {
    let lines = "HTTP://a/é\n".repeat(90_000);
    for name in ["gzip", "zstd", "bzip2", "xz"] {
        // Two members, as rotated logs have.
        let mut bytes = compressed(lines.as_bytes(), name);
        bytes.extend(compressed(b"A:b\n", name));
        for jobs in ["1", "2"] {
            let whole = run(&["normalize", "-j", jobs], &bytes);
            assert!(whole.text() == lines.replace("HTTP", "http") + "a:b\n", "{name}");
            assert_eq!((whole.err.as_str(), whole.code), ("", 0), "{name}");
            // A file that ends early is an error, and its complete records are printed.
            let cut = run(&["normalize", "-j", jobs], &bytes[..bytes.len() - 15]);
            assert!(cut.text().starts_with("http://a/é\n"), "{name}");
            assert_eq!(cut.code, 2, "{name} {}", cut.err);
            assert!(cut.err.starts_with("iri: <stdin>: "), "{name} {}", cut.err);
        }
    }
    // A member that is damaged.
    let mut bytes = compressed(b"a:b\n", "gzip");
    bytes.extend(b"no member");
    let found = run(&["normalize"], &bytes);
    assert_eq!((found.text(), found.code), ("a:b\n", 2), "{}", found.err);
}

#[test]
fn the_order_is_that_of_the_input_whatever_the_number_of_jobs() {
    let lines: String =
        (0..200_000).map(|number| format!("HTTP://a/{number}\n|{number}\n")).collect();
    let file = TempFile::new("order", &lines);
    let one = run(&["normalize", "-j", "1", file.name(), file.name()], "");
    for jobs in ["2", "3", "8"] {
        let many = run(&["normalize", "-j", jobs, file.name(), file.name()], "");
        assert!(many.out == one.out, "{jobs}");
        let first = many.err.lines().zip(one.err.lines()).find(|(many, one)| many != one);
        assert_eq!(first, None, "{jobs}");
        assert_eq!((many.err.len(), many.code), (one.err.len(), 1), "{jobs}");
    }
    assert_eq!(one.text().lines().count(), 400_000);
    assert!(one.err.ends_with("iri: 800000 items, 400000 done, 400000 failed\n"));
}

#[test]
fn a_record_that_is_too_long_is_an_error_of_its_own() {
    let long = format!("a:{}\n", "b".repeat(1 << 20));
    let input = format!("A:1\n{long}A:2\n{long}{long}A:3\n");
    for jobs in ["1", "2"] {
        let found = run(&["normalize", "-j", jobs, "--max-record", "300K"], &input);
        assert_eq!((found.text(), found.code), ("a:1\na:2\na:3\n", 1));
        let places: Vec<_> =
            found.err.lines().filter_map(|line| line.split_once(" error")).collect();
        let places: Vec<_> = places.iter().map(|(place, _)| *place).collect();
        assert_eq!(places, ["<stdin>:2:1:", "<stdin>:4:1:", "<stdin>:5:1:"], "{}", found.err);
        assert!(found.err.ends_with("6 items, 3 done, 3 failed\n"), "{}", found.err);
    }
}

#[test]
fn files_that_follow_each_other_keep_their_last_lines_apart() {
    let (a, b) = (TempFile::new("last-a", "A:b"), TempFile::new("last-b", "A:c"));
    assert_eq!(run(&["normalize", a.name(), b.name()], "").text(), "a:b\na:c");
    let (a, b) = (TempFile::new("head-a", "u,v\nA:b,1"), TempFile::new("head-b", "u,v\nA:c,2\n"));
    let args = ["normalize", "--from", "csv", "--field", "u", a.name(), b.name()];
    assert_eq!(run(&args, "").text(), "u,v\na:b,1\na:c,2\n");
}

#[test]
fn a_result_may_be_a_field_of_its_own() {
    let table: [(&[&str], &str, &str); 6] = [
        (
            &["--from", "csv", "--field", "u", "--add", "key"],
            "u,v\r\nA:b,1\r\n|,2\r\n\"A:c,\",3",
            "u,v,key\r\nA:b,1,a:b\r\n\"A:c,\",3,\"a:c,\"",
        ),
        (
            &["--from", "csv", "--field", "u", "--add", "key", "--keep", "input"],
            "u,v\nA:b,1\n|,2\n",
            "u,v,key\nA:b,1,a:b\n|,2,\n",
        ),
        (
            &["--from", "csv", "--field", "u", "--keep", "empty"],
            "u,v\nA:b,1\n|,2\n",
            "u,v\na:b,1\n,2\n",
        ),
        (
            &["--from", "jsonl", "--field", "/u", "--add", "k\"ey"],
            "{\"u\": \"A:b\" }\n{\"u\":\"|\"}\n",
            "{\"u\": \"A:b\",\"k\\\"ey\":\"a:b\" }\n",
        ),
        (
            &["--to", "csv", "--add", "key"],
            "A:b\n|\nA:c,\n",
            "iri,key\nA:b,a:b\n\"A:c,\",\"a:c,\"\n",
        ),
        (&["--from", "jsonl", "--field", "/u", "--to", "lines"], "{\"u\":\"A:b\"}\n", "a:b\n"),
    ];
    for (args, input, expected) in table {
        let found = run(&[&["normalize"], args].concat(), input);
        assert_eq!(found.text(), expected, "{args:?} {}", found.err);
        assert_eq!(found.code, i32::from(input.contains('|')), "{args:?} {}", found.err);
    }
    let found = run(&["normalize", "--add", "key"], "a:b\n");
    assert_eq!((found.text(), found.code), ("", 2));
}

#[test]
fn records_become_records_of_another_format() {
    let table: [(&[&str], &str, &str); 6] = [
        (
            &["--from", "csv", "--field", "u", "--to", "jsonl"],
            "u,v\nA:b,\"1\"\"\"\n",
            "{\"u\":\"a:b\",\"v\":\"1\\\"\"}\n",
        ),
        (
            &["--from", "jsonl", "--field", "/u", "--to", "csv"],
            "\n{\"v\":[1, 2],\"u\":\"A:b\",\"w\":\"x,y\"}\n{\"u\":\"A:c\"}\n",
            "v,u,w\n\"[1, 2]\",a:b,\"x,y\"\n,a:c,\n",
        ),
        (
            &["--from", "log", "--to", "tsv"],
            "h - - [t] \"GET /%7e HTTP/1.1\" 200 1\n",
            "remote_addr\tident\tremote_user\ttime_local\trequest\tstatus\tbytes\thttp_referer\thttp_user_agent\trest\tiri\n\
             h\t-\t-\tt\tGET /%7e HTTP/1.1\t200\t1\t\t\t\t/~\n",
        ),
        (&["--from", "nt", "--to", "lines"], "<A:s> <A:p> <A:o> .\n", "a:s\na:p\na:o\n"),
        (
            &["--from", "html", "--to", "jsonl"],
            "<a href='HTTP://b/?c&amp;d'>",
            "{\"iri\":\"http://b/?c&d\"}\n",
        ),
        (&["--to", "tsv"], "A:b\n", "iri\na:b\n"),
    ];
    for (args, input, expected) in table {
        let found = run(&[&["normalize"], args].concat(), input);
        assert_eq!((found.text(), found.err.as_str(), found.code), (expected, "", 0), "{args:?}");
    }
    // A field that the first record does not have has no place.
    let args = ["normalize", "--from", "jsonl", "--field", "/u", "--to", "csv"];
    let found = run(&args, "{\"u\":\"a:b\"}\n{\"u\":\"a:c\",\"v\":1}\n");
    assert_eq!((found.text(), found.code), ("u\na:b\n", 1), "{}", found.err);
}

#[test]
fn records_that_fail_are_set_aside_whole() {
    let errors = TempFile::new("errors.jsonl", "");
    let args = ["normalize", "--from", "csv", "--field", "u", "--errors", errors.name()];
    let found = run(&args, "u,v\nA:b,1\n| ,\"x\ny\"\n");
    assert_eq!((found.text(), found.code), ("u,v\na:b,1\n", 1));
    assert_eq!(messages(&found), ["iri: 2 items, 1 done, 1 failed"]);
    let set_aside = std::fs::read_to_string(errors.name()).unwrap();
    let object: serde_json::Value = serde_json::from_str(&set_aside).unwrap();
    assert_eq!(object["record"], "| ,\"x\ny\"");
    assert_eq!((&object["line"], &object["column"]), (&3.into(), &1.into()));
    assert_eq!(object["error"]["kind"], "character-not-allowed");
}

#[test]
fn output_goes_to_a_file_and_is_compressed_by_its_name() {
    for name in ["out.txt", "out.gz", "out.zst", "out.bz2", "out.xz"] {
        let file = TempFile::new(name, "old");
        let found = run(&["normalize", "--output", file.name()], "A:b\n");
        assert_eq!((found.text(), found.err.as_str(), found.code), ("", "", 0));
        // Every compression is read again.
        assert_eq!(run(&["normalize", file.name()], "").text(), "a:b\n", "{name}");
    }
    let found = run(&["normalize", "--output", "/dev/full"], "A:b\n");
    assert_eq!(
        (found.err.as_str(), found.code),
        ("iri: cannot write: /dev/full: No space left on device (os error 28)\n", 2)
    );
}

#[cfg(unix)]
#[test]
fn a_file_is_replaced_whole() {
    use std::os::unix::fs::PermissionsExt;
    let file = TempFile::new("place.csv.gz", compressed(b"u\nA:b\n|\n", "gzip"));
    std::fs::set_permissions(file.name(), std::fs::Permissions::from_mode(0o640)).unwrap();
    let link = TempFile::new("place-link.csv.gz", "");
    std::fs::remove_file(link.name()).unwrap();
    std::os::unix::fs::symlink(file.name(), link.name()).unwrap();
    let found = run(&["normalize", "--field", "u", "--in-place", link.name()], "");
    assert_eq!((found.text(), found.code), ("", 1), "{}", found.err);
    assert!(std::fs::symlink_metadata(link.name()).unwrap().is_symlink());
    assert_eq!(std::fs::metadata(file.name()).unwrap().permissions().mode() & 0o777, 0o640);
    // The record that failed is still in the file.
    let again = run(&["check", "--field", "u", "--invalid", link.name()], "");
    assert_eq!(again.text(), "u\n|\n");
    // A file that cannot be read to its end stays.
    let damaged = compressed(&b"A:b\n".repeat(1000), "gzip");
    let damaged = TempFile::new("damaged.gz", &damaged[..damaged.len() - 9]);
    let before = std::fs::read(damaged.name()).unwrap();
    let found = run(&["normalize", "--in-place", damaged.name()], "");
    assert_eq!((found.code, std::fs::read(damaged.name()).unwrap()), (2, before), "{}", found.err);
}

#[test]
fn the_run_stops_after_the_errors_that_are_allowed() {
    let input = "A:b\n|\n".repeat(100_000);
    for jobs in ["1", "2", "8"] {
        let found = run(&["normalize", "-j", jobs, "--max-errors", "70000"], &input);
        assert_eq!((found.lines().len(), found.code), (70_000, 1), "{jobs}");
        let last = messages(&found).pop().unwrap();
        assert_eq!(
            last,
            "iri: 140000 items, 70000 done, 70000 failed; stopped after 70000 that failed"
        );
    }
}

#[test]
fn the_program_says_as_much_as_is_asked() {
    let quiet = run(&["normalize", "-q"], "A:b\n|\n");
    assert_eq!((quiet.text(), quiet.err.as_str(), quiet.code), ("a:b\n", "", 1));
    let file = TempFile::new("verbose.csv.gz", compressed(b"u\nA:b\n", "gzip"));
    let verbose = run(&["normalize", "-v", "--field", "u", file.name()], "");
    let said = format!("iri: {}: read as csv, gzip", file.name());
    assert_eq!(messages(&verbose), [said.as_str(), "iri: 1 item, 1 done, 0 failed"]);
}

#[test]
fn folders_are_read_in_the_order_of_their_names() {
    let folder = std::env::temp_dir().join(format!("iri-{}-tree", std::process::id()));
    std::fs::create_dir_all(folder.join("b")).unwrap();
    for (name, text) in [("b/x.txt", "A:2\n"), ("a.txt", "A:1\n"), ("c.csv", "u\nA:3\n")] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let root = folder.to_str().unwrap();
    let found = run(&["normalize", "--field", "1", "-r", root, "--to", "lines"], "");
    // Lines have no field, so each file that is lines is trouble of its own.
    assert_eq!((found.text(), found.code), ("a:3\n", 2), "{}", found.err);
    std::fs::remove_file(folder.join("c.csv")).unwrap();
    let found = run(&["normalize", "--recursive", root], "");
    assert_eq!((found.text(), found.err.as_str(), found.code), ("a:1\na:2\n", "", 0));
    let changed = run(&["normalize", "-r", "--in-place", root], "");
    assert_eq!((changed.err.as_str(), changed.code), ("", 0));
    assert_eq!(std::fs::read_to_string(folder.join("b/x.txt")).unwrap(), "a:2\n");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn templates_have_pairs_of_the_query_and_places() {
    let template = r"{file}:{line}\t{registrable_domain}\t{query:q}\\{{{query:z}";
    let found = run(&["parse", "-g", template], "x:\nhttp://a.b.co.uk/?p&q=%C3%A9&q=2\n");
    assert_eq!(found.lines()[1], "<stdin>:2\tb.co.uk\té\\{");
}

#[test]
fn the_program_has_manual_pages_and_completions() {
    let folder = std::env::temp_dir().join(format!("iri-{}-man", std::process::id()));
    let found = run(&["man", folder.to_str().unwrap()], "");
    assert_eq!((found.text(), found.code), ("", 0), "{}", found.err);
    let page = std::fs::read_to_string(folder.join("iri-normalize.1")).unwrap();
    assert!(page.contains("in\\-place") && page.contains("Examples"), "{page}");
    let pages = std::fs::read_dir(&folder).unwrap().count();
    std::fs::remove_dir_all(&folder).unwrap();
    let help = run(&["--help"], "");
    let commands = help.lines().into_iter().skip_while(|line| *line != "Commands:").skip(1);
    let commands =
        commands.take_while(|line| !line.is_empty()).filter(|line| line.starts_with("  "));
    // A page for each command but help, and one for the program.
    assert!(pages >= commands.count(), "{pages}");
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = run(&["completions", shell], "");
        assert!(script.text().contains("max-record") && script.code == 0, "{shell}");
    }
}

/// An interrupt ends the run, and the summary says what was done.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_prints_the_summary() {
    use std::io::Read;
    for jobs in ["1", "2"] {
        let mut child = super::iri_with_signals(&["normalize", "-j", jobs]).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(b"A:b\n").unwrap();
        let mut line = [0; 4];
        child.stdout.as_mut().unwrap().read_exact(&mut line).unwrap();
        assert_eq!(&line, b"a:b\n");
        let kill =
            std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(kill.unwrap().success());
        let mut err = String::new();
        child.stderr.as_mut().unwrap().read_to_string(&mut err).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130), "{jobs}");
        assert_eq!(err, "iri: 1 item, 1 done, 0 failed; interrupted\n", "{jobs}");
        drop(stdin);
    }
}

#[test]
fn labels_have_colors_where_they_are_wanted() {
    let found = run(&["check", "--color", "always"], "a:b\n|\n");
    assert!(found.text().starts_with("<stdin>:2:1: \x1B[1;31merror\x1B[0m: "), "{}", found.text());
    assert!(!run(&["check", "--color", "auto"], "|\n").text().contains('\x1B'));
    let on_terminal = |set: &str| {
        let line = format!("{set} {} check -i '|'", env!("CARGO_BIN_EXE_iri"));
        let script =
            std::process::Command::new("script").args(["-qec", &line, "/dev/null"]).output();
        String::from_utf8(script.unwrap().stdout).unwrap()
    };
    assert!(on_terminal("NO_COLOR= TERM=xterm").contains("\x1B[1;31merror"));
    assert!(!on_terminal("NO_COLOR=1 TERM=xterm").contains('\x1B'));
    assert!(!on_terminal("NO_COLOR= TERM=dumb").contains('\x1B'));
}

#[test]
fn without_an_order_no_record_is_lost_and_none_is_torn() {
    let long = format!("HTTP://long/{}\n", "%7E".repeat(3 << 20));
    let lines: String =
        (0..100_000).map(|number| format!("HTTP://a/{number}\n|{number}\n")).collect();
    let file = TempFile::new("unordered", [lines.as_str(), &long, &lines].concat());
    let sorted = |args: &[&str]| {
        let found = run(&[&["normalize", file.name()], args].concat(), "");
        let mut lines: Vec<_> = found.text().lines().map(str::to_owned).collect();
        let mut errors: Vec<_> = found.err.lines().map(str::to_owned).collect();
        lines.sort_unstable();
        errors.sort_unstable();
        (lines, errors, found.code)
    };
    let ordered = sorted(&["-j", "1"]);
    for jobs in ["1", "2", "8"] {
        assert!(sorted(&["--unordered", "-j", jobs]) == ordered, "{jobs}");
        // A header still comes first.
        let table = run(&["normalize", "--unordered", "-j", jobs, "--to", "csv", file.name()], "");
        assert!(table.text().starts_with("iri\n"), "{jobs}");
    }
}

/// Blocks whose lines are their own results give the same output as every other block.
#[test]
fn lines_that_are_their_own_results_are_checked_too() {
    let lines = "http://a/b\na b\n%zz\n\n?q#f\nhttp://[::1]/\n|\n".repeat(9_000);
    for command in [&["to-uri"][..], &["to-uri", "--lenient"], &["to-iri"]] {
        for args in [&[][..], &["--max-errors", "700"], &["--keep", "input"], &["--keep", "empty"]]
        {
            let command = [command, args].concat();
            let fast = run(&command, &lines);
            let one = run(&[&command[..], &["-j", "1"]].concat(), &lines);
            // With this option, each item is mapped.
            let each = run(&[&command[..], &["--host", "idna"]].concat(), &lines);
            for other in [one, each] {
                assert!(other.out == fast.out && other.err == fast.err, "{command:?}");
                assert_eq!(other.code, fast.code, "{command:?}");
            }
        }
    }
}

#[test]
fn pairs_are_lines_whatever_the_name_of_the_file_says() {
    let file = TempFile::new("pairs.csv", "http://a/b\tc\n");
    let found = run(&["resolve", "--pairs", file.name()], "");
    assert_eq!((found.text(), found.err.as_str(), found.code), ("http://a/c\n", "", 0));
    let found = run(&["check", file.name()], "");
    assert!(
        found.err.contains("need --field") && found.err.contains("--from lines"),
        "{}",
        found.err
    );
}

/// Files that are opened before their turn keep their order, and so do the messages about them.
#[test]
fn many_compressed_files_keep_their_order() {
    let mut names = Vec::new();
    let mut expected = String::new();
    for number in 0..30 {
        let text: String =
            (0..40_000 / (number + 1)).map(|line| format!("A:{number}/{line}\n")).collect();
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(text.as_bytes()).unwrap();
        let packed = gzip.finish().unwrap();
        // One file breaks off, one is another one, and one is missing.
        let packed = if number == 7 { &packed[..packed.len() - 4] } else { &packed };
        names.push(TempFile::new(&format!("ahead-{number}.gz"), packed));
        expected.push_str(&text.to_ascii_lowercase());
        if number == 11 {
            names.push(TempFile::new("ahead-missing", ""));
            std::fs::remove_file(names[names.len() - 1].name()).unwrap();
        }
    }
    let names: Vec<&str> = names.iter().map(TempFile::name).collect();
    let mut errors = None;
    for jobs in ["1", "2", "16"] {
        let found = run(&[&["normalize", "-v", "-j", jobs], &names[..]].concat(), "");
        assert!(found.text() == expected, "{jobs}");
        assert_eq!(found.code, 2);
        assert!(found.err.contains("ahead-7.gz: ") && found.err.contains("ahead-missing: "));
        assert_eq!(*errors.get_or_insert_with(|| found.err.clone()), found.err, "{jobs}");
    }
}

/// The targets of a log are addresses of a site: of one that is given, or of the host in each line.
#[test]
fn targets_are_addresses_of_a_site() {
    let log = "1.2.3.4 - - [x] \"GET /a/../%7eb HTTP/1.1\" 200 1\n\
               1.2.3.4 - - [x] \"GET http://c.example/ HTTP/1.1\" 200 1\n\
               1.2.3.4 - - [x] \"OPTIONS * HTTP/1.1\" 200 1\n\
               1.2.3.4 - - [x] \"GET //d/| HTTP/1.1\" 200 1\n";
    let site = ["--from", "log", "--site", "https://a.example:1/x?y"];
    let found = run(&[&["normalize", "--keep", "input"], &site[..]].concat(), log);
    let expected = log.replace("/a/../%7eb", "https://a.example:1/~b");
    assert_eq!(found.text(), expected);
    // Bytes and columns are those of the address.
    assert!(found.err.starts_with("<stdin>:4:45: error: '|' at byte 23 "), "{}", found.err);
    // A result that is the address itself takes the place of the target, too.
    let kept = run(&[&["to-uri", "-q"], &site[..]].concat(), log);
    assert!(
        kept.text().contains("\"GET https://a.example:1/a/../%7eb HTTP/1.1\""),
        "{}",
        kept.text()
    );
    let checked = run(&[&["check", "--count"], &site[..]].concat(), log);
    let count = "3 items, 2 valid, 1 invalid as IRI reference\n";
    assert_eq!((checked.text(), checked.code), (count, 1), "{}", checked.err);
    for command in
        [&["parse", "-g", "{host}"][..], &["lint"], &["dedup"], &["display"], &["stats", "--json"]]
    {
        let found = run(&[command, &site[..]].concat(), log);
        assert!(found.code < 2, "{command:?} {}", found.err);
    }
    let stats = run(&[&["stats", "--json"], &site[..]].concat(), log).json();
    assert_eq!(stats[0]["hosts"]["top"].as_array().unwrap().len(), 2, "{}", stats[0]);
    // The host of each line.
    let format = "$host $scheme \"$request\"";
    let args = [
        "normalize",
        "--from",
        "log",
        "--log-format",
        format,
        "--host-field",
        "$host",
        "--to",
        "lines",
    ];
    let lines =
        "B.example https \"GET /a HTTP/1.1\"\n- - \"GET /b HTTP/1.1\"\nc:80 http \"GET /c\"\n";
    let found = run(&args, lines);
    assert_eq!(found.lines(), ["https://b.example/a", "/b", "http://c/c"], "{}", found.err);
    let found = run(&[&args[..], &["--site", "wss://d.example"]].concat(), lines);
    assert_eq!(found.lines()[1], "wss://d.example/b");
    for (args, part) in [
        (&["check", "--site", "https://a"][..], "--from lines has no --site"),
        (&["check", "--from", "log", "--site", "urn:a"], "write a scheme and a host"),
        (&["check", "--from", "log", "--host-field", "host"], "the log has no field 'host'"),
    ] {
        let found = run(args, "a\n");
        assert!(found.err.contains(part) && found.code == 2, "{}", found.err);
    }
}

/// The target of CONNECT is an authority: the item has two slashes before it, and the line has none.
#[test]
fn the_target_of_connect_is_an_authority() {
    let line = |target: &str| format!("h - - [t] \"CONNECT {target} HTTP/1.1\" 200 1\n");
    for (target, item, normal) in [
        ("A.example:443", "//A.example:443", "a.example:443"),
        ("[::1]:443", "//[::1]:443", "[::1]:443"),
        ("A:", "//A:", "//a"),
        ("caf\\xC3\\xA9:1", "//caf\u{e9}:1", "caf\\xC3\\xA9:1"),
        ("HTTP://a/", "HTTP://a/", "http://a/"),
        ("//A:1", "//A:1", "//a:1"),
        ("/%7e", "/%7e", "/~"),
    ] {
        let input = line(target);
        let parsed = run(&["parse", "--json", "--from", "log"], &input).json();
        assert_eq!(parsed[0]["input"], item);
        let site = ["parse", "--json", "--from", "log", "--site", "https://s"];
        let of_site = run(&site, &input).json();
        let expected = if target == "/%7e" {
            "https://s/%7e"
        } else if target == "//A:1" {
            "https://s//A:1"
        } else {
            item
        };
        assert_eq!(of_site[0]["input"], expected);
        let normalized = run(&["normalize", "--from", "log"], &input);
        assert_eq!((normalized.text(), normalized.err.as_str()), (&*line(normal), ""));
        // What was written is read as what was meant.
        let again = run(&["normalize", "--from", "log"], &normalized.out);
        assert_eq!(again.out, normalized.out);
        assert_eq!(
            run(&["to-uri", "--from", "log", "--site", "https://s", "--to", "lines", "-q"], &input)
                .text()
                .trim_end(),
            run(&["to-uri", "-i", expected], "").text().trim_end()
        );
    }
    // Results that would be read as another address keep their slashes.
    let replaced = run(&["resolve", "--base", "https://b/", "--from", "log"], line("a:1"));
    assert_eq!(replaced.text(), line("https://a:1"));
    for (line, host) in
        [("CONNECT a.example:1 1", "a.example"), ("GET a.example:1 1", ""), ("GET /a 1", "")]
    {
        let format = "$request_method $request_uri $status";
        let args = [
            "parse",
            "-g",
            "{host}",
            "--from",
            "log",
            "--log-format",
            format,
            "--field",
            "request_uri",
        ];
        assert_eq!(run(&args, format!("{line}\n")).text(), format!("{host}\n"), "{line}");
    }
    let stats = run(&["stats", "--json", "--from", "log"], line("a.example:443")).json();
    assert_eq!(
        (&stats[0]["schemes"]["counted"], &stats[0]["ports"]["counted"]),
        (&0.into(), &1.into())
    );
}

/// A text of a log is a request if it has a method, a target of one of the four forms and a version; and nothing of
/// another text is an address. The rule is written a second time here, and tried with each combination of these words.
#[test]
fn what_is_no_request_has_no_address() {
    let methods =
        ["GET", "CONNECT", "PRI", "M-SEARCH", "-", "", "G(T", "\\x16\\x03", "http://a/", "/a"];
    // Each target, and whether it is one for all methods, for all but CONNECT, or for CONNECT alone.
    let targets: [(&str, &str); 26] = [
        ("/", "all"),
        ("/a?b=http://c/", "all"),
        ("//a/|", "all"),
        ("http://a/", "all"),
        ("a+b.1-c://d", "all"),
        ("urn:a:1", "other"),
        ("urn:a", "other"),
        ("*", "all"),
        ("a.example:443", "connect"),
        ("[::1]:443", "connect"),
        ("a:", "connect"),
        ("a.example", ""),
        ("a.example:x1", "other"),
        ("[::1]", ""),
        ("1a:/b", ""),
        ("", ""),
        ("-", ""),
        ("?a", ""),
        ("a/b", ""),
        ("mstshash=Administr", ""),
        ("\\xE0\\x00", ""),
        ("/a b", ""),
        ("/a\tb", ""),
        ("/a\\x09b", ""),
        ("/a ", ""),
        (" /a", ""),
    ];
    let versions = [
        "HTTP/1.1",
        "HTTP/1.0",
        "HTTP/2",
        "HTTP/2.0",
        "HTTP/10.12",
        "HTTP/",
        "HTTP/1.",
        "HTTP/.1",
        "HTTP/1.1.1",
        "http/1.1",
        "HTTP/1.1x",
        "HTTP/1.1?sig=a",
        "SIP/2.0",
        "HTTP",
        "",
        "-",
        "/x",
        "\tHTTP/1.1",
    ];
    let mut log = String::new();
    let (mut expected, mut line) = (Vec::new(), 0);
    for method in methods {
        for (target, form) in targets {
            for version in versions.map(Some).into_iter().chain([None]) {
                let is_target = match form {
                    "connect" => method == "CONNECT",
                    "other" => method != "CONNECT",
                    other => other == "all",
                };
                let is_method = ["GET", "CONNECT", "PRI", "M-SEARCH", "-"].contains(&method);
                let is_request = match version {
                    Some(version) => ["HTTP/1.1", "HTTP/1.0", "HTTP/2", "HTTP/2.0", "HTTP/10.12"]
                        .contains(&version),
                    None => method == "GET",
                };
                line += 1;
                if !(is_method && is_target && is_request) {
                    expected.push(line);
                }
                let version = version.map(|version| format!(" {version}")).unwrap_or_default();
                log += &format!("h - - [t] \"{method} {target}{version}\" 400 1\n");
            }
        }
    }
    let found = run(&["check", "--from", "log"], &log);
    let (mut none, mut of_items) = (Vec::new(), 0);
    for message in found.text().lines().filter_map(|line| line.strip_prefix("<stdin>:")) {
        let (line, message) = message.split_once(':').unwrap();
        if message.starts_with("12: error: this is no request") {
            none.push(line.parse::<i32>().unwrap());
        } else if !message.contains("'|' at byte 4") {
            of_items += 1;
        }
    }
    let differs = none.iter().zip(&expected).find(|(found, expected)| found != expected);
    assert_eq!((differs, none.len(), of_items), (None, expected.len(), 0), "{:.300}", found.err);
    // What is between the first and the last word of such a text is nowhere an address.
    let found = run(&["normalize", "-q", "--from", "log", "--to", "lines"], &log);
    let mut lines: Vec<_> = found.text().lines().collect();
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), 10, "{lines:?}");
    // The whole text is in the file of errors, and stays in its place.
    let tls = "h - - [t] \"\\x16\\x03\\x01 \\x00u\" 400 1\nh - - [t] \"GET /%7e HTTP/1.1\" 200 1\n";
    let found = run(&["normalize", "--from", "log", "--keep", "input"], tls);
    assert_eq!((found.text(), found.code), (&*tls.replace("%7e", "~"), 1));
}

/// Every field of a log is in the output of a conversion, whatever the log has after its format.
#[test]
fn a_log_keeps_all_its_fields() {
    let start = "192.0.2.1 - ann [22/Nov/2026:10:00:00 +0000] \"GET /%7e HTTP/1.1\" 200 5";
    let names = "remote_addr,ident,remote_user,time_local,request,status,bytes,http_referer,http_user_agent";
    let values = "192.0.2.1,-,ann,22/Nov/2026:10:00:00 +0000,GET /%7e HTTP/1.1,200,5";
    for (end, expected) in [
        ("", ",,,"),
        (" \"http://r/\" \"a \\\"b\\\", c\"", ",http://r/,\"a \"\"b\"\", c\","),
        (" \"-\" \"x\" \"203.0.113.9\" 0.5", ",-,x,\"\"\"203.0.113.9\"\" 0.5\""),
    ] {
        let args = ["normalize", "--from", "log", "--to"];
        let found = run(&[&args[..], &["csv"]].concat(), format!("\n{start}{end}\n"));
        let expected = format!("{names},rest,iri\n{values}{expected},/~\n");
        assert_eq!((found.text(), found.err.as_str()), (&*expected, ""));
        let object =
            run(&[&args[..], &["jsonl"]].concat(), format!("{start}{end}\n")).json().remove(0);
        let object = object.as_object().unwrap();
        assert_eq!(object.len(), 11);
        // No word of the line is lost.
        let all: String =
            object.values().map(|value| value.as_str().unwrap()).collect::<Vec<_>>().join(" ");
        let words = end.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        assert!(words.clone().all(|word| all.contains(word)), "{all}");
    }
    // A later line with more than the first is not cut.
    let longer = format!("{start}\n{start} \"-\" \"x\" more\n");
    let found = run(&["normalize", "--from", "log", "--to", "csv"], longer);
    assert_eq!((found.lines().len(), found.code), (3, 0));
    assert!(found.text().ends_with(",-,x,more,/~\n"), "{}", found.text());
    // No variable has the name of what follows the format.
    let format = "$remote_addr \"$request\" $rest";
    let found =
        run(&["normalize", "--from", "log", "--log-format", format], "a \"GET / HTTP/1.1\" b\n");
    assert_eq!((found.text(), found.code), ("", 2), "{}", found.err);
}

/// A new field has a new name, in every format that has names.
#[test]
fn a_new_field_has_a_new_name() {
    let table: [(&[&str], &str); 9] = [
        (&["--from", "csv", "--field", "u", "--add", "v"], "u,v\nA:b,1\n"),
        (&["--from", "csv", "--field", "u", "--add", "u"], "u,v\nA:b,1\n"),
        (&["--from", "csv", "--field", "u", "--add", "v"], "u,\"v\"\nA:b,1\n"),
        (&["--from", "csv", "--field", "u", "--add", "v", "--to", "jsonl"], "u,v\nA:b,1\n"),
        (
            &["--from", "jsonl", "--field", "/u", "--add", "v", "--to", "csv"],
            "{\"u\":\"A:b\",\"v\":1}\n",
        ),
        (
            &["--from", "jsonl", "--field", "/u/x", "--to", "csv"],
            "{\"u\":{\"x\":\"A:b\"},\"iri\":1}\n",
        ),
        (
            &["--from", "log", "--add", "status", "--to", "csv"],
            "h - - [t] \"GET / HTTP/1.1\" 200 1\n",
        ),
        (&["--to", "csv", "--add", "iri"], "A:b\n"),
        (&["--from", "jsonl", "--field", "/u", "--add", "/v"], "{\"u\":\"A:b\"}\n"),
    ];
    for (args, input) in table {
        let found = run(&[&["normalize"], args].concat(), input);
        assert_eq!((found.text(), found.code), ("", 2), "{args:?} {}", found.err);
        let says = found.err.contains("already; write another name")
            || found.err.contains("not a pointer");
        assert!(says, "{}", found.err);
    }
    // In JSON, each record has its own names.
    for name in ["\"v\"", "\"\\u0076\"", "\"v\" "] {
        let input = format!(
            "{{\"u\":\"A:b\"}}\n{{{name}:1,\"u\":\"A:c\"}}\n{{\"u\":\"A:d\",\"x\":{{\"v\":1}}}}\n"
        );
        for from in ["jsonl", "cdxj"] {
            let prefix = if from == "cdxj" { "a 1 " } else { "" };
            let input: String = input.lines().map(|line| format!("{prefix}{line}\n")).collect();
            let found = run(&["normalize", "--from", from, "--field", "/u", "--add", "v"], input);
            let expected = format!(
                "{prefix}{{\"u\":\"A:b\",\"v\":\"a:b\"}}\n{prefix}{{\"u\":\"A:d\",\"x\":{{\"v\":1}},\"v\":\"a:d\"}}\n"
            );
            assert_eq!((found.text(), found.code), (&*expected, 1), "{}", found.err);
            assert!(found.err.contains("field 'v' already"), "{}", found.err);
        }
    }
    let found =
        run(&["dedup", "--from", "csv", "--field", "u", "--count", "--add", "v"], "u,v\nA:b,1\n");
    assert_eq!((found.text(), found.code), ("", 2), "{}", found.err);
    // To lines, no name is written.
    let lines = run(
        &["normalize", "--from", "jsonl", "--field", "/u/x", "--to", "lines"],
        "{\"u\":{\"x\":\"A:b\"},\"iri\":1}\n",
    );
    assert_eq!((lines.text(), lines.code), ("a:b\n", 0));
}

/// Records that are read as lines because nothing says their format get a hint, and the hint reads them.
#[test]
fn records_without_a_format_get_a_hint_that_reads_them() {
    let table = [
        ("id,url\n1,http://a/\n", "--from csv --field url"),
        ("id;the url\n1;http://a/\n", "--from csv --delimiter ';' --field 'the url'"),
        ("id\turl\n1\thttp://a/\n", "--from tsv --field url"),
        ("a,u\n1,http://a/\n", "--from csv --field u"),
        ("1|http://a/\n2|http://b/\n", "--from csv --delimiter '|' --no-header --field 2"),
        ("{\"id\":1,\"a/b\":\"http://a/\"}\n", "--from jsonl --field /a~1b"),
        ("h - - [t] \"GET /a HTTP/1.1\" 200 1\n", "--from log"),
        ("<a:s> <a:p> \"x\" .\n", "--from nq"),
        ("# c\n<a:s> <a:p> <a:o> <a:g> .\n", "--from nq"),
        ("a 1 {\"url\":\"http://a/\"}\n", "--from cdxj"),
        ("<?xml version='1.0'?>\n<!-- <a> --><urlset><loc>a:b</loc></urlset>\n", "--from sitemap"),
        ("<!doctype HTML>\n<a href=http://a/>x</a>\n", "--from html"),
        (
            "WARC/1.0\r\nWARC-Target-URI: http://a/\r\nContent-Length: 0\r\n\r\n\r\n\r\n",
            "--from warc",
        ),
    ];
    for (input, options) in table {
        let found = run(&["check"], input);
        assert_eq!(found.err.matches("looks like").count(), 1, "{input} {}", found.err);
        assert!(found.err.contains(&format!("; {options} reads it\n")), "{options} {}", found.err);
        let words: Vec<String> = options
            .split('\'')
            .enumerate()
            .flat_map(|(number, part)| match number % 2 {
                0 => part.split_whitespace().map(str::to_owned).collect(),
                _ => vec![part.to_owned()],
            })
            .collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let read = run(&[&["check", "--count"], &words[..]].concat(), input);
        assert_eq!((read.code, read.err.as_str()), (0, ""), "{options}");
        assert!(!read.text().starts_with("0 items"), "{options}");
    }
    for (args, input) in [
        (&["check"][..], "http://a/,b\n|\n"),
        (&["check"], "|\n"),
        (&["check"], ""),
        (&["check", "-q"], "id,url\n1,http://a/\n"),
        (&["check", "--from", "lines"], "id,url\n1,http://a/\n"),
        (&["escape"], "{\"url\":\"http://a/\"}\n"),
    ] {
        let found = run(args, input);
        assert!(!found.err.contains("looks like"), "{input} {}", found.err);
    }
    // A name in the input does not write to the terminal.
    let found = run(&["check"], "\u{1b}[31m,b\nhttp://a/,1\n");
    assert!(found.err.contains("looks like") && !found.err.contains('\u{1b}'), "{}", found.err);
}

/// A row that another delimiter would divide gets the hint that reads it.
#[test]
fn another_delimiter_is_named() {
    for (delimiter, option) in [
        (';', "--from csv --delimiter ';'"),
        ('\t', "--from tsv"),
        ('|', "--from csv --delimiter '|'"),
    ] {
        let input = format!("id{delimiter}url\n1{delimiter}http://a/\n");
        for field in ["url", "2"] {
            let found = run(&["check", "--from", "csv", "--field", field], &input);
            let said = found.err.clone() + found.text();
            assert!(said.contains(&format!("with {option} there is such a column")), "{said}");
        }
    }
    let found = run(&["check", "--from", "tsv", "--field", "url"], "id,url\n1,http://a/\n");
    assert!(found.err.contains("with --from csv there is"), "{}", found.err);
    let found = run(&["check", "--from", "csv", "--field", "nothing"], "id;url\n1;http://a/\n");
    assert!(!found.err.contains("there is"), "{}", found.err);
}

/// Other names of formats.
#[test]
fn formats_have_the_names_that_people_type() {
    for (name, input) in [
        ("ndjson", "{\"u\":\"a:b\"}\n"),
        ("json", "{\"u\":\"a:b\"}\n"),
        ("md", "<http://a/>\n"),
        ("combined", "h - - [t] \"GET a:b HTTP/1.1\" 200 1\n"),
        (
            "xml",
            "<!DOCTYPE x [<!ENTITY a \"b>\">]><x:urlset xmlns:x='http://www.sitemaps.org/schemas/sitemap/0.9'><x:loc>a:b</x:loc></x:urlset>",
        ),
        ("xml", "\u{feff}<sitemapindex><loc>a:b</loc></sitemapindex>"),
    ] {
        let field: &[&str] = if name.ends_with("json") { &["--field", "/u"] } else { &[] };
        let found = run(&[&["check", "--count", "--from", name], field].concat(), input);
        assert!(
            found.text().starts_with("1 item, 1 valid"),
            "{name} {} {}",
            found.text(),
            found.err
        );
    }
    for input in ["<rss><loc>a:b</loc></rss>", "a:b\n", "", "<urlsets/>"] {
        let found = run(&["check", "--from", "xml"], input);
        assert!(found.code == 2 && found.err.contains("is not a sitemap"), "{input} {}", found.err);
    }
}

/// Zeros after a member of gzip are padding, as `zcat` takes them.
#[test]
fn zeros_after_gzip_are_padding() {
    let mut bytes = compressed(b"A:b\n", "gzip");
    bytes.extend([0; 1000]);
    bytes.extend(compressed(b"A:c\n", "gzip"));
    bytes.extend(vec![0; 200_000]);
    for jobs in ["1", "2"] {
        let found = run(&["normalize", "-j", jobs], &bytes);
        assert_eq!((found.text(), found.err.as_str(), found.code), ("a:b\na:c\n", "", 0));
    }
}

/// A statement has the same addresses with white space between its parts and without it, and before a comment.
#[test]
fn white_space_between_the_parts_of_a_statement_does_not_matter() {
    let objects = [
        "<A:o>",
        "_:b",
        "_:b.c",
        "\"x\"",
        "\"x.#\"",
        "\"x\"@en",
        "\"x\"^^<A:t>",
        "<<(<A:x> <A:y> _:z)>>",
    ];
    for (from, graphs) in [("nt", &[""][..]), ("nq", &["", "<A:g>"])] {
        for subject in ["<A:s>", "_:s"] {
            for (object, graph) in
                objects.iter().flat_map(|object| graphs.iter().map(move |graph| (object, graph)))
            {
                for comment in ["", "#", "# <A:n> .", "#\"."] {
                    let written =
                        |space: &str| [subject, "<A:p>", object, graph, ".", comment].join(space);
                    let of =
                        |line: &str| run(&["normalize", "--from", from, "--to", "lines"], line);
                    let (close, wide) = (of(&written("")), of(&written(" \t ")));
                    assert_eq!((close.err.as_str(), close.code), ("", 0), "{}", written(""));
                    assert_eq!(close.out, wide.out, "{}", written(""));
                }
            }
        }
    }
}
