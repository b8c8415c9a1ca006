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

pub(crate) fn gzip(text: &[u8]) -> Vec<u8> {
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
";
    for jobs in ["1", "2"] {
        let found = run(&["to-uri", "--from", "warc", "--links", "-j", jobs], &archive);
        assert_eq!(found.text(), expected, "{}", found.err);
        // A link that is not a reference fails, and so does a page without a valid address, whose relative link is
        // left out. Their position is that of the page.
        let line = archive.iter().filter(|byte| **byte == b'\n').count() - 10 + 1;
        assert!(
            found.err.starts_with(&format!("<stdin>:{line}:9: error: ")),
            "{line} {}",
            found.err
        );
        assert!(found.err.ends_with("iri: 10 items, 8 done, 2 failed\n"), "{}", found.err);
        assert!(found.err.contains("the address of the page is not an IRI"), "{}", found.err);
        assert_eq!(found.code, 1);
    }
    let file = TempFile::new("pages.warc.gz", gzip(&archive));
    let counted = run(&["stats", "--json", "--links", file.name()], "");
    assert_eq!((&counted.json()[0]["valid"], counted.code), (&json!(8), 0));
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
    assert_eq!((good_lines, found.code), (2, 2), "{}", found.text());
    for part in [
        "the page cannot be decompressed to its end",
        "compressed with Brotli",
        "the record does not end where its Content-Length says",
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

/// What browsers load has odd characters in its address. The address is repaired as its links are, and so is a base that
/// is given. So no link of such a page is lost.
#[test]
fn the_address_of_a_page_is_repaired_as_its_links_are() {
    const ODD: [&str; 14] =
        ["|", "[", "]", "^", "{", "}", "`", " ", "%", "50%", "\\", "<", "\"", "%zz"];
    let base = |number: usize| {
        let (one, two) = (ODD[number], ODD[(number * 5 + 3) % ODD.len()]);
        [
            format!("http://e.com/p{one}q/{two}r"),
            format!("http://e.com/a/b?c={one}d{two}e"),
            format!("http://e.com/{two}{one}/?{one}#{two}x"),
        ]
    };
    for number in 0..ODD.len() {
        for address in base(number) {
            // The links of a page whose base is repaired as a reference of the page is.
            let html = address.replace('"', "&quot;");
            let expected = run(&["extract", "--context", "html", "--reference"], {
                format!("<base href=\"{html}\"><a href=rel><a href='#x'><a href='?a|b'>")
            });
            let expected: Vec<&str> = expected.lines().split_off(1);
            assert_eq!(expected.len(), 3, "{address}");
            let page = b"<a href=rel><a href='#x'><a href='?a|b'>";
            let archive = response(&address, HTML, page);
            let crawler = ["normalize", "--recipe", "crawler", "--from", "warc", "--links"];
            let found = run(&crawler, archive.clone());
            assert_eq!((found.lines().len(), found.code), (3, 0), "{address}: {}", found.err);
            let found = run(&["prepare", "--from", "warc", "--links"], archive);
            assert_eq!((found.lines(), found.code), (expected.clone(), 0), "{address}");
            let given: [&[&str]; 3] =
                [&["resolve"], &["prepare"], &["extract", "--context", "html", "--reference"]];
            for command in given {
                let args = [command, &["--base", &address]].concat();
                let input = match command {
                    ["extract", ..] => String::from_utf8_lossy(page).into_owned(),
                    _ => "rel\n#x\n?a%7Cb\n".to_owned(),
                };
                let found = run(&args, input);
                assert_eq!((found.lines(), found.code), (expected.clone(), 0), "{args:?}");
            }
        }
    }
}

/// A page without a valid address is an error, and only what needs the address is left out.
#[test]
fn a_page_without_an_address_is_an_error() {
    let page = b"<a href=x><a href=//b.example/y><a href=http://c.example/z>";
    let based = b"<a href=early><base href=http://d.example/><a href=late>";
    for (target, body, expected) in [
        ("not an IRI", &page[..], &["http://c.example/z"][..]),
        ("http://a.example:|/", page, &["http://c.example/z"]),
        ("/relative", page, &["http://c.example/z"]),
        ("", page, &["http://c.example/z"]),
        // The base element holds for the links before it, too.
        (
            "not an IRI",
            based,
            &["http://d.example/early", "http://d.example/", "http://d.example/late"],
        ),
    ] {
        let found = run(&["normalize", "--from", "warc", "--links"], response(target, HTML, body));
        assert_eq!((found.lines(), found.code), (expected.to_vec(), 1), "{target}: {}", found.err);
        assert!(found.err.contains("relative links are left out"), "{target}: {}", found.err);
        let done = expected.len();
        let summary = format!("iri: {} items, {done} done, 1 failed\n", done + 1);
        assert!(found.err.ends_with(&summary), "{target}: {}", found.err);
    }
}

/// The query of a link is encoded in the charset of its page, as `encoding_rs` encodes it; other parts are in UTF-8, and so
/// are links in an attribute `style`.
#[test]
fn the_query_of_a_link_takes_the_charset_of_its_page() {
    let args = ["to-uri", "--from", "warc", "--links", "--query-charset", "page"];
    for charset in ["shift_jis", "euc-kr", "windows-1252", "koi8-r", "utf-8"] {
        let encoding = encoding_rs::Encoding::for_label(charset.as_bytes()).unwrap();
        for word in ["\u{e9}", "\u{691c}\u{7d22}", "\u{434}a", "\u{ac00}", "a"] {
            let body = format!(
                "<a href='/{word}?q={word}&amp;r#{word}'><a href='mailto:a?{word}'><p style='b:url(?{word})'>"
            );
            let (bytes, _, unmappable) = encoding.encode(&body);
            if unmappable {
                continue;
            }
            let fields = format!("Content-Type: text/html; charset={charset}");
            let found = run(&args, response("http://a.example/", &fields, &bytes));
            let triplets = |bytes: &[u8]| -> String {
                let triplet = |byte: &u8| match byte {
                    b'a' => "a".to_owned(),
                    byte => format!("%{byte:02X}"),
                };
                bytes.iter().map(triplet).collect()
            };
            let (utf8, own) = (triplets(word.as_bytes()), triplets(&encoding.encode(word).0));
            // Only http and https have such queries.
            let expected = [
                format!("http://a.example/{utf8}?q={own}&r#{utf8}"),
                format!("mailto:a?{utf8}"),
                format!("http://a.example/?{utf8}"),
            ];
            assert_eq!(found.lines(), expected, "{charset} {word} {}", found.err);
            // A file of HTML has the charset that the user names.
            let file =
                ["to-uri", "--from", "html", "--charset", charset, "--query-charset", "page"];
            let link = format!("<a href='http://a.example/{word}?{word}&amp;'>");
            let found = run(&file, &encoding.encode(&link).0);
            assert_eq!(
                found.text(),
                format!("<a href='http://a.example/{utf8}?{own}&amp;'>"),
                "{}",
                found.err
            );
        }
    }
    // A character that the charset does not have is a reference of HTML.
    let latin = "Content-Type: text/html; charset=windows-1252";
    let found = run(&args, response("http://a.example/", latin, b"<a href='?&#x434;'>"));
    assert_eq!(found.text(), "http://a.example/?%26%231076%3B\n", "{}", found.err);
    let found = run(&["to-uri", "--query-charset", "page"], "a\n");
    assert!(found.code == 2 && found.err.contains("needs --links"), "{}", found.err);
}

/// A response stays beside its request, and so do the parts of a response. Later captures go.
#[test]
fn dedup_keeps_the_response() {
    let part = |number: &str| {
        let kind = format!("continuation\r\nWARC-Segment-Number: {number}");
        record(&kind, "http://a.example/", number.as_bytes())
    };
    let request = record("request", "http://a.example/", b"GET / HTTP/1.1\r\n\r\n");
    let answer = response("http://A.example:80/", HTML, b"first");
    let info = record("warcinfo\r\nX: y", "urn:x", b"");
    let kept = [info, request.clone(), answer, part("2"), part("3")].concat();
    let later = [request, response("http://a.example/", HTML, b"second"), part("2")].concat();
    let archive = [kept.as_slice(), &later].concat();
    let found = run(&["dedup", "--level", "scheme", "--from", "warc"], &archive);
    assert_eq!(found.out.escape_ascii().to_string(), kept.escape_ascii().to_string());
    assert_eq!(found.err, "iri: 8 items, 5 kept, 3 duplicates, 0 failed\n");
    // In another input, an address has no type.
    let list = TempFile::new("pages-list.txt", "http://a.example/\n");
    let both =
        ["join", "--level", "scheme", "-", list.name(), "--from", "warc", "--from-b", "lines"];
    let both = run(&both, &archive);
    assert!(both.err.contains("7 in both"), "{}", both.err);
}

/// An archive that is written has a gzip member for each record.
#[test]
fn an_archive_in_gzip_has_a_member_for_each_record() {
    let archive: Vec<u8> = (0..100)
        .flat_map(|number| {
            record("response", &format!("HTTP://a/{number}"), &vec![b'x'; number * 97])
        })
        .collect();
    for name in ["out.warc.gz", "out.wet.gz"] {
        let out = TempFile::new(name, "");
        let made = run(&["normalize", "--from", "warc", "-o", out.name()], &archive);
        assert_eq!((made.err.as_str(), made.code), ("", 0));
        let bytes = std::fs::read(out.name()).unwrap();
        let (mut rest, mut records) = (&bytes[..], 0);
        while !rest.is_empty() {
            let mut member = flate2::bufread::GzDecoder::new(rest);
            let mut text = Vec::new();
            std::io::Read::read_to_end(&mut member, &mut text).unwrap();
            assert!(text.starts_with(b"WARC/1.0\r\n") && text.ends_with(b"\r\n\r\n"));
            rest = member.into_inner();
            records += 1;
        }
        assert_eq!(records, 100);
        assert_eq!(
            run(&["check", "--count", out.name()], "").text(),
            "100 items, 100 valid, 0 invalid as IRI\n"
        );
    }
}
