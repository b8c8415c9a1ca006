//! The table of links, from small files.

use simd_iri_codegen::{Error, LinkData, links};

const TERM: &str = "\
# Date: 2001-02-03, 00:00:00 GMT
# @missing: 0000..10FFFF; Hard
0021..0022    ; Soft    # 1.1   [2] (!..\")
0028          ; Open    # 10.0      (()

0029          ; Close   # 9.2       ())
0041..0042    ; Include # 1.1   [2] (A..B)
";
const BRACKET: &str = "0029 ; 0028 #1.1 () ⇒ ()\n";
const EMAIL: &str = "0022 # 1.1\n0042..0043 # 1.1\n";

#[test]
fn the_table_has_each_change_once() {
    let text = links(LinkData { term: TERM, bracket: BRACKET, email: EMAIL }).unwrap();
    assert!(text.starts_with("//! The properties of UTS #58 in Unicode 10.0, data of 2001-02-03."));
    assert!(
        text.contains("\npub(crate) const UNICODE_VERSION: (u8, u8, u8) = (10, 0, 0);\n"),
        "{text}"
    );
    let changes = "[u32; 11] = [\n    0x1, 0x212, 0x22A, 0x231, 0x284, 0x293, 0x2A1, 0x410, 0x428, 0x439, 0x441,\n];";
    assert!(text.contains(changes), "{text}");
    assert!(text.contains("[(char, char); 1] = [\n    ('\\u{29}', '\\u{28}'),\n];"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
}

#[test]
fn a_line_of_another_form_is_an_error() {
    for (term, bracket, email, place) in [
        ("41 ; Maybe", "", "", "LinkTerm.txt:1:1: no value of Link_Term"),
        ("\n41", "", "", "LinkTerm.txt:2:1: not two fields"),
        ("42..41 ; Soft", "", "", "LinkTerm.txt:1:1: no range of code points"),
        ("110000 ; Soft", "", "", "LinkTerm.txt:1:1: no range of code points"),
        ("", "29 ; 28 ; 27", "", "LinkBracket.txt:1:1: not two fields"),
        ("", "29 ; 27..28", "", "LinkBracket.txt:1:1: no character"),
        ("", "", "41 ; Yes", "LinkEmail.txt:1:1: not one field"),
    ] {
        let error: Error = links(LinkData { term, bracket, email }).unwrap_err();
        assert_eq!(error.to_string(), place);
    }
}
