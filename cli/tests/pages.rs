//! `--links`: the links of the pages in a web archive.

use std::io::Write;

use serde_json::json;

use super::{TempFile, run};

/// A record of an archive.
fn record(kind: &str, target: &str, content: &[u8]) -> Vec<u8> {
    let length = content.len();
    let header = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {target}\r\nContent-Length: {length}\r\n\r\n"
    );
    [header.as_bytes(), content, b"\r\n\r\n"].concat()
}

/// A response with these fields, each before its line break.
fn response(target: &str, fields: &str, body: &[u8]) -> Vec<u8> {
    let header = format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n");
    record("response", target, &[header.as_bytes(), body].concat())
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text).unwrap();
    gzip.finish().unwrap()
}

const HTML: &str = "Content-Type: text/html";

#[test]
fn links_are_resolved_relative_to_their_page() {
    let archive = [
        record("warcinfo", "urn:x", b"software: a\r\n"),
        record("request", "http://a.example/b/c", b"GET /b/c HTTP/1.1\r\n\r\n"),
        response(
            "<http://a.example/b/c>",
            HTML,
            b"<a href='d e'>x</a><img src=//b.example/f><a href=mailto:ann@b.example><p>http://c.example/",
        ),
        response(
            "http://a.example/",
            "content-type: TEXT/HTML ; x",
            b"<a href=a><base href=/g/><a href='../h?&amp;i#j'><base href=/k/><a href=l>",
        ),
        response("http://a.example/", "Content-Type: text/plain", b"<a href=no>"),
        response("http://a.example/", "X: y", b"<a href=no>"),
        response("not an IRI", HTML, b"<a href=relative><a href='http://[/'>"),
    ]
    .concat();
    let expected = "http://a.example/b/d%20e
http://b.example/f
mailto:ann@b.example
http://a.example/g/a
http://a.example/g/
http://a.example/h?&i#j
http://a.example/k/
http://a.example/g/l
relative
";
    for jobs in ["1", "2"] {
        let found = run(&["to-uri", "--from", "warc", "--links", "-j", jobs], &archive);
        assert_eq!(found.text(), expected, "{}", found.err);
        // A link that is not a reference fails, and its position is that of its page.
        let line = archive.iter().filter(|byte| **byte == b'\n').count() - 10 + 1;
        assert!(
            found.err.starts_with(&format!("<stdin>:{line}:9: error: ")),
            "{line} {}",
            found.err
        );
        assert!(found.err.ends_with("iri: 10 items, 9 done, 1 failed\n"), "{}", found.err);
        assert_eq!(found.code, 1);
    }
    let file = TempFile::new("pages.warc.gz", gzip(&archive));
    let counted = run(&["stats", "--json", "--links", file.name()], "");
    assert_eq!((&counted.json()[0]["valid"], counted.code), (&json!(9), 1));
    let first = run(&["dedup", "--links", "--level", "scheme", file.name(), file.name()], "");
    assert_eq!(first.text(), expected);
    let rows = run(&["normalize", "--links", "--to", "csv", "-q", file.name()], "");
    assert_eq!(rows.lines()[..2], ["iri", "http://a.example/b/d%20e"]);
    // Without the option, the addresses of the records.
    let targets = run(&["normalize", "-q", file.name()], "");
    assert!(targets.text().contains("WARC/1.0") && targets.text().contains("urn:x"));
}

#[test]
fn a_page_has_its_charset_chunks_and_compression() {
    let page = "<a href='/\u{e9}'>".as_bytes();
    let (latin, ..) = encoding_rs::WINDOWS_1252.encode("<a href='/\u{e9}'>");
    let koi = b"<meta charset=koi8-r><a href='/\xC1'>";
    let chunked =
        [b"5\r\n<a hr\r\n".as_slice(), b"D;x=y\r\nef='/\xC3\xA9'><p>\r\n0\r\n\r\n"].concat();
    let packed = gzip(page);
    let both = [format!("{:x}\r\n", packed.len()).as_bytes(), &packed, b"\r\n0\r\n\r\n"].concat();
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    zlib.write_all(page).unwrap();
    let zlib = zlib.finish().unwrap();
    let utf8 = "Content-Type: text/html; charset=utf-8";
    let coded = |coding: &str| format!("{utf8}\r\nContent-Encoding: {coding}");
    let in_chunks = format!("{utf8}\r\nTransfer-Encoding: chunked");
    for (fields, body, expected) in [
        (utf8, page, "http://a.example/é"),
        (HTML, &latin, "http://a.example/é"),
        (HTML, koi, "http://a.example/а"),
        (&in_chunks, &chunked, "http://a.example/é"),
        (&in_chunks, page, "http://a.example/é"),
        (&coded("gzip"), &packed, "http://a.example/é"),
        (&coded("gzip"), page, "http://a.example/é"),
        (&coded("br"), page, "http://a.example/é"),
        (&coded("deflate"), &zlib, "http://a.example/é"),
        (&format!("{in_chunks}\r\nContent-Encoding: gzip"), &both, "http://a.example/é"),
    ] {
        let archive = response("http://a.example/", fields, body);
        let found = run(&["to-iri", "--from", "warc", "--links"], archive);
        assert_eq!(
            (found.lines(), found.err.as_str(), found.code),
            (vec![expected], "", 0),
            "{fields}"
        );
    }
}

/// A page that cannot be read is a record with an error, and the pages after it are read.
#[test]
fn a_page_that_cannot_be_read_is_counted() {
    let good = response("http://a.example/", HTML, b"<a href=b>");
    let packed = gzip("<a href=c>".repeat(1000).as_bytes());
    let gzipped = "Content-Type: text/html\r\nContent-Encoding: gzip";
    let brotli = "Content-Type: text/html\r\nContent-Encoding: br";
    let archive = [
        response("http://b.example/", gzipped, &packed[..packed.len() - 12]),
        good.clone(),
        response("http://b.example/", brotli, b"\x8B\x03"),
        good.clone(),
        good[..good.len() - 8].to_vec(),
    ]
    .concat();
    let args = ["normalize", "--from", "warc", "--links"];
    let found = run(&args, &archive);
    let good_lines = found.lines().iter().filter(|line| **line == "http://a.example/b").count();
    assert_eq!((good_lines, found.code), (2, 1), "{}", found.text());
    for part in [
        "the page cannot be decompressed to its end",
        "compressed with Brotli",
        "the file ends before the content of the record",
        ", 3 failed",
    ] {
        assert!(found.err.contains(part), "{part}: {}", found.err);
    }
    // A page that grows beyond the longest record.
    let bomb = gzip(&[b"<a href=d>".repeat(10).as_slice(), &vec![b' '; 4 << 20]].concat());
    let bomb = response("http://b.example/", gzipped, &bomb);
    let found = run(&[&args[..], &["--max-record", "1M"]].concat(), bomb);
    assert_eq!((found.lines().len(), found.code), (10, 1));
    assert!(found.err.contains("the page is longer than 1048576 bytes"), "{}", found.err);
}

#[test]
fn links_are_for_archives_only() {
    let found = run(&["check", "--links"], "a:b\n");
    let message = "iri: <stdin>: --from lines has no --links\n";
    assert!(found.err.starts_with(message) && found.code == 2, "{}", found.err);
    assert_eq!(run(&["normalize", "--links", "--in-place", "a.warc"], "").code, 2);
}
