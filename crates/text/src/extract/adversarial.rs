//! Tests that extraction takes linear time: they count how many characters it reads of hostile texts. A
//! block of 64 bytes in registers counts as one.

use super::reader::READ;
use crate::Ends;
use crate::Extract;
use crate::Markup;
use crate::Schemes;

/// Returns the number of characters that are read to find the links of a text.
fn read(extract: Extract<'_>, text: &str) -> usize {
    READ.set(0);
    let links = extract.links(text).count();
    assert!(links <= text.len());
    READ.get()
}

#[test]
fn no_character_is_read_more_than_a_few_times() {
    #[rustfmt::skip]
    let pieces = [
        "(", "[", ")", "http://a/(", "http://", "http://http://", "http:", "https://a", "a.",
        "a.a.", "com.", "-.com", ".com", "a.com", "a.com.", "a.com:", "a.com:1", "a.com:1:", "@",
        "a@", "@a", "x.com@", "x.com@x.", "a@b.com", "a@b.com@", "a@@b.com", "a..b@c.com",
        "/a@b.com/", ",", "a,", "http://a,", "http://a,b", "http://a:b", "http://a@", "http://a:",
        "http://-", "mailto:", "mailto:a", "mailto:a@", "mailto:a@b?", "mailto:a@b?c", "urn:",
        "a:", "ab::", "ab:,", "ab:(", "ab://", "a+", "+a:", "xhttp://a", "x://a.com", "\"",
        "\"http://a", "<http://a", "'http:", "](http://a", "&", "&#", "&#1", "http://a/&#1",
        "http://a?", "http://a#", "http://a#:~:", "http://a/*", "http://a/.", "http://a/\u{202A}",
        "http://a/\u{202C}", "http://[", "http://[1", "http://[::1]", "例", "例。", "例。com", "例.com",
        "。", "é.É", "É.", "ｃｏｍ．", "http://例", "http://é\u{301}", "例@", "xn--a.", "http://xn--",
        "_a.com", "a_", "\u{200B}a.com", "%", "a.%", "a...", "a.com...", "http://a...", "_", "a.com_",
        "\\", "\\/", "\\u0061", "a\\u002ecom", "&amp;", "&copy", "&NotEqual", "<a ", "<a b='", "<a href=", "<!--",
        "-->", "<script>", "</", "<base href=http://a>", "](", "](<", "](a(", "](a) ", "`", "``", "` ", "\n`", "[", "[a",
        "[a]: ", "\n[a]:", "\n```\n", "~~~", "\n\n", "<ab:", "<ab:c> ", "a\\_b.com",
        "http://a中", "中http://a.com中", "http://a/中（", "http://中。", "http://a.com中:", "_a.com中", "a.中com", "中。com", "中。a.com", "a.com。",
        "中a@", "ab://中。", "ab://a.com中", "a.com中@", "。a.com中ann@", "（http://a.com", "<http://a/中（", "http://a/中（甲", "http://a/中（）",
    ];
    let tails = ["", "com", "@a.com", "!"];
    const TIMES: usize = 60;
    let mut most = 0;
    let of = |schemes| Extract::new().schemes(schemes);
    let extracts = [
        of(Schemes::Web),
        of(Schemes::Any),
        of(Schemes::Only(&["ab", "urn", "http"])),
        of(Schemes::Any).markup(Markup::Markdown),
        of(Schemes::Any).markup(Markup::Html),
        of(Schemes::Any).broken(true),
        of(Schemes::Web).markup(Markup::Markdown).broken(true).relative(true),
        of(Schemes::Web).markup(Markup::Log),
        of(Schemes::Any).ends(Ends::Tight),
        of(Schemes::Any).ends(Ends::Ascii),
        of(Schemes::Web).markup(Markup::Log).ends(Ends::Tight).broken(true),
    ];
    for extract in extracts {
        for piece in pieces {
            for tail in tails {
                let text = piece.repeat(TIMES) + tail;
                let (read, bytes) = (read(extract, &text), text.len());
                assert!(
                    read <= 8 * bytes + 100,
                    "{read} of {bytes}: {piece:?} {tail:?} {extract:?}"
                );
                most = most.max(read * 10 / bytes);
            }
        }
    }
    println!("at most {}.{} characters are read for a byte", most / 10, most % 10);
}
