//! The claims of `docs/conformance.md` about the texts around RFC 3987, step by step: the guidelines of 2011, section
//! 5 of draft 11, sections 3 to 7 of draft-duerst-iri-01, the paper of 2001, and the departures from UTS #58. Of RFC
//! 3987 itself, this module tests only what no other module tests.

use encoding_rs::{MACINTOSH, UTF_16LE, WINDOWS_1252};
use simd_iri::{
    Base, Compare, DecodePolicy, Iri, IriRef, IriRefBuf, Level, Normalize, ToIri, ToUri,
    document::{Document, Format},
    percent,
};
use simd_iri_lint::DisplayUts58;
use simd_iri_lint::{Direction, Embed, Marks, Profile as LintProfile, interpret};
use simd_iri_text::{Context, Extract, Prepare, RepairKind, RepairSet};

use crate::support::{random, sample, texts};

fn reference(text: &str) -> IriRef<'_> {
    IriRef::parse(text).unwrap_or_else(|error| panic!("{text:?}: {error}"))
}

fn to_uri(text: &str) -> String {
    reference(text).to_uri().unwrap().as_str().to_owned()
}

fn normal(rules: Normalize, text: &str) -> String {
    reference(text).normalize(rules).unwrap().as_str().to_owned()
}

fn equal(level: Level, a: &str, b: &str) -> bool {
    reference(a).is_equivalent(reference(b), level)
}

fn codes(text: &str) -> Vec<&'static str> {
    let report = simd_iri_lint::lint(reference(text), LintProfile::Strict);
    report.iter().map(|finding| finding.code().name()).collect()
}

/// The octets of a text in UTF-8, all percent-encoded.
fn triplets(text: &str) -> String {
    text.bytes().map(|octet| format!("%{octet:02X}")).collect()
}

/// RFC 3987, by its sections.
mod rfc_3987 {
    use super::*;
    use simd_iri_lint::{Code, Severity};

    /// Section 4.1.
    #[test]
    fn bidi_formatting_is_an_error_in_every_profile() {
        for &profile in LintProfile::ALL {
            assert_eq!(Code::BidiFormatting.severity(profile), Some(Severity::Error));
            // The characters of the RFC, and those that Unicode has added.
            for c in
                "\u{200E}\u{200F}\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}\u{61C}\u{2066}\u{2069}"
                    .chars()
            {
                let text = format!("http://a/b{c}c");
                let report = simd_iri_lint::lint(reference(&text), profile);
                let found: Vec<_> = report.iter().map(|finding| finding.code().name()).collect();
                assert!(found.contains(&"bidi.formatting-character"), "{profile:?}, {c:?}");
            }
        }
    }

    /// Section 6.1 b.
    #[test]
    fn characters_that_are_better_left_out_are_found() {
        for (c, code) in [
            ('\u{A0}', "repertoire.space"),
            ('\u{3000}', "repertoire.space"),
            ('\u{200B}', "repertoire.invisible"),
            ('\u{2060}', "repertoire.invisible"),
            ('Ａ', "repertoire.compatibility"),
            ('ｶ', "repertoire.compatibility"),
            ('／', "repertoire.compatibility"),
            ('＜', "repertoire.compatibility"),
            ('｛', "repertoire.compatibility"),
        ] {
            for before in ["/b", "?b", "#b"] {
                let text = format!("{before}{c}b");
                assert!(codes(&text).contains(&code), "{text:?}: {:?}", codes(&text));
            }
        }
    }

    /// Section 8.
    #[test]
    fn each_way_of_spoofing_is_found() {
        for (text, code) in [
            ("http://a/%C0%AF..", "spoof.overlong"),
            ("http://a/b%2F..%2Fc", "spoof.encoded-delimiter"),
            ("http://a/re\u{301}", "repertoire.not-nfc"),
            ("http://pаypal.example/", "spoof.mixed-script-label"),
            ("http://a/pаypal", "spoof.mixed-script"),
            ("http://аррӏе.example/", "spoof.whole-script"),
            ("http://a/M%E4rz", "spoof.legacy-octets"),
            ("http://a/bא", "bidi.mixed-direction"),
        ] {
            assert!(codes(text).contains(&code), "{text}: {:?}", codes(text));
        }
    }
}

/// IRI processing guidelines, 2011, by the numbers of its sections.
mod guidelines {
    use super::*;

    fn prepared(prepare: Prepare<'_>, text: &str) -> String {
        prepare.prepare(text).unwrap().view().as_str().to_owned()
    }

    /// Section 4, step 1.
    #[test]
    fn white_space_at_both_ends_is_removed() {
        for profile in [RepairSet::Strict, RepairSet::BrowserLike, RepairSet::Crawler] {
            assert_eq!(prepared(Prepare::new(profile), " \r\n\ta\t\n\r "), "a");
            // No other white space of Unicode.
            assert_eq!(prepared(Prepare::new(profile), "\u{2003}a\u{3000}"), "\u{2003}a\u{3000}");
        }
        // These two profiles follow other texts, by which a space belongs to the reference.
        for profile in [RepairSet::Leiri, RepairSet::Rdf] {
            assert_eq!(prepared(Prepare::new(profile), " a"), "%20a");
        }
    }

    /// Section 4, step 2. `each` also splits at tabs and at the ends of lines.
    #[test]
    fn references_are_split_at_spaces_or_spaces_are_encoded_or_removed() {
        let prepare = Prepare::new(RepairSet::BrowserLike);
        for text in ["a  b", "a \n\tb"] {
            let each = prepare.prepare_each(text).map(|made| made.unwrap().view().to_string());
            assert_eq!(each.collect::<Vec<_>>(), ["a", "b"]);
        }
        assert_eq!(prepared(prepare, "a  b"), "a%20%20b");
        assert_eq!(prepared(prepare.allow(RepairKind::SpaceRemoved), "a  b"), "ab");
    }

    /// Section 4, step 3.
    #[test]
    fn text_in_another_encoding_is_transcoded() {
        let prepare = Prepare::new(RepairSet::BrowserLike);
        for (bytes, charset) in [(&b"/\xE9"[..], WINDOWS_1252), (b"/\0\xE9\0", UTF_16LE)] {
            assert_eq!(prepare.prepare_bytes_in(bytes, charset).unwrap().view(), "/é");
        }
    }

    /// Section 4, step 4, which leaves the question open.
    #[test]
    fn character_references_are_read_where_the_context_has_them() {
        let text = "htt&#x0070;://a/&#x0066;&#x002f;b&#x003f;c";
        for context in [Context::Html, Context::Xml] {
            let prepare = Prepare::new(RepairSet::Strict).context(context);
            assert_eq!(prepared(prepare, text), "http://a/f/b?c");
        }
        assert!(
            Prepare::new(RepairSet::Strict).prepare(text).is_err(),
            "it has a second number sign"
        );
    }

    /// Sections 5.1 to 5.5: the five components are those of RFC 3986, appendix B, and those of the
    /// authority are cut at the first `@` and at the last `:`, but not at one in brackets.
    #[test]
    fn components_are_those_of_appendix_b() {
        random(4_000, texts(), |text| {
            let Ok(view) = IriRef::parse(&text) else { return Ok(()) };
            let (rest, fragment) = cut(&text, '#');
            let (rest, query) = cut(rest, '?');
            let (scheme, rest) = match rest.find([':', '/']) {
                Some(at) if at > 0 && rest[at..].starts_with(':') => {
                    (Some(&rest[..at]), &rest[at + 1..])
                }
                _ => (None, rest),
            };
            let (authority, path) = match rest.strip_prefix("//") {
                Some(rest) => {
                    let end = rest.find('/').unwrap_or(rest.len());
                    (Some(&rest[..end]), &rest[end..])
                }
                None => (None, rest),
            };
            assert_eq!((view.scheme(), view.authority(), view.path()), (scheme, authority, path));
            assert_eq!((view.query(), view.fragment()), (query, fragment));
            let Some(authority) = authority else { return Ok(()) };
            let (userinfo, rest) = match authority.split_once('@') {
                Some((userinfo, rest)) => (Some(userinfo), rest),
                None => (None, authority),
            };
            let (host, port) = match rest.rsplit_once(':') {
                Some((host, port)) if !port.contains(']') => (host, Some(port)),
                _ => (rest, None),
            };
            assert_eq!((view.userinfo(), view.port()), (userinfo, port), "{text}");
            assert_eq!(view.host_str(), Some(host), "{text}");
            Ok(())
        });
    }

    /// A text before a delimiter, and what is after it.
    fn cut(text: &str, at: char) -> (&str, Option<&str>) {
        text.split_once(at).map_or((text, None), |(before, after)| (before, Some(after)))
    }

    /// Section 5.1.
    #[test]
    fn what_is_no_scheme_belongs_to_a_relative_reference() {
        let prepare = Prepare::new(RepairSet::BrowserLike);
        for (text, expected) in [("1a:b", "./1a:b"), ("a_b:c", "./a_b:c"), ("a/b:c", "a/b:c")] {
            let made = prepare.prepare(text).unwrap();
            assert_eq!((made.view().scheme(), made.view().as_str()), (None, expected));
        }
    }

    /// Section 5.2.1 ends the user information at the first `@`. We end it at the last one, as browsers do.
    #[test]
    fn user_information_ends_at_the_last_at_sign() {
        let made = Prepare::new(RepairSet::BrowserLike).prepare("http://a@b@c/").unwrap();
        assert_eq!(made.view().userinfo(), Some("a%40b"));
        assert_eq!(made.view().host_str(), Some("c"));
        assert!(Prepare::new(RepairSet::Strict).prepare("http://a@b@c/").is_err());
    }

    /// Section 5.2.2 converts the host. We convert it where a URI is asked for, and by UTS #46.
    #[test]
    fn hosts_become_names_of_the_dns_in_a_uri() {
        let text = "http://Faß.example/";
        assert_eq!(prepared(Prepare::new(RepairSet::BrowserLike), text), text);
        let uri = ToUri::new().idna(true).map(reference(text)).unwrap();
        assert_eq!(uri, "http://xn--fa-hia.example/");
        assert_eq!(to_uri(text), "http://Fa%C3%9F.example/");
    }

    /// Section 5.2.3.
    #[test]
    fn a_port_is_digits() {
        assert_eq!(reference("//a:080").port(), Some("080"));
        assert_eq!(Prepare::new(RepairSet::Strict).prepare("//a:x").unwrap_err().span(), 4..5);
    }

    /// Sections 5.3 to 5.5 encode what is not allowed, and what is not ASCII. We keep what is not ASCII and
    /// allowed, for the result is an IRI; the mapping to a URI encodes it.
    #[test]
    fn what_is_not_allowed_is_encoded_and_the_rest_where_a_uri_is_made() {
        for before in ["/", "?", "#"] {
            let made =
                prepared(Prepare::new(RepairSet::BrowserLike), &format!("{before}é \u{FFFF}|"));
            assert_eq!(made, format!("{before}é%20%EF%BF%BF%7C"));
            assert_eq!(to_uri(&made), format!("{before}%C3%A9%20%EF%BF%BF%7C"));
        }
    }

    /// Section 7.
    #[test]
    fn a_backslash_is_encoded_or_becomes_a_slash() {
        let prepare = Prepare::new(RepairSet::BrowserLike);
        for (text, expected) in [
            ("http://a/b\\c", "http://a/b/c"),
            ("http://a/?b\\c", "http://a/?b%5Cc"),
            ("urn:example:a\\b", "urn:example:a%5Cb"),
        ] {
            assert_eq!(prepared(prepare, text), expected);
        }
        assert_eq!(prepared(prepare, "http://a/b%5Cc"), "http://a/b%5Cc");
    }

    /// Section 7.1.
    #[test]
    fn each_octet_of_a_character_is_encoded_in_a_uri() {
        let mut ran = 0;
        for before in ["//u", "/", "?", "#"] {
            for c in ('\u{80}'..=char::MAX).step_by(0x1D) {
                let text = format!("{before}{c}");
                if let Ok(iri) = IriRef::parse(&text) {
                    let expected = format!("{before}{}", triplets(c.encode_utf8(&mut [0; 4])));
                    assert_eq!(iri.to_uri().unwrap(), expected.as_str());
                    ran += 1;
                }
            }
        }
        println!("{ran} characters");
        assert!(ran > 50_000);
    }
}

/// draft-duerst-iri-11, section 5: every `should`, and the examples.
mod draft_11 {
    use super::*;

    /// Section 5.1.
    #[test]
    fn relative_references_are_resolved_before_they_are_compared() {
        let (a, b) = (reference("d"), reference("../b/d"));
        assert!(!a.is_equivalent(b, Level::Scheme));
        let base = Base::new(Iri::parse("http://a/b/c").unwrap());
        assert_eq!(base.resolve(a).unwrap(), base.resolve(b).unwrap());
    }

    /// Section 5.1.
    #[test]
    fn fragments_can_be_left_out_of_a_comparison() {
        let (a, b) = (reference("http://a/#b"), reference("http://a/#c"));
        let by = Compare::new(Level::Scheme);
        assert!(!by.equivalent(a, b) && by.fragment(false).equivalent(a, b));
    }

    /// Section 5.2.
    #[test]
    fn escapes_of_the_format_are_resolved_first() {
        let plain = "http://example.org/rosé";
        for escaped in ["http://example.org/ros&#233;", "http://example.org/ros&#xE9;"] {
            for format in [Format::Html, Format::Xml] {
                assert_eq!(Document::new(format).read(escaped).unwrap(), plain);
            }
        }
        let named = "http://example.org/ros&eacute;";
        assert_eq!(Document::new(Format::Html).read(named).unwrap(), plain);
    }

    /// Sections 5.2 and 5.3.1.
    #[test]
    fn characters_are_compared_whatever_encoding_they_came_in() {
        let utf16: Vec<u8> = "http://a/é".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let a = IriRefBuf::from_legacy(&utf16, UTF_16LE).unwrap();
        let b = IriRefBuf::from_legacy(b"http://a/\xE9", WINDOWS_1252).unwrap();
        assert!(a == b && a == "http://a/é");
    }

    /// Section 5.3.1.
    #[test]
    fn a_simple_comparison_maps_nothing() {
        let same = ["http://a/~b", "http://a/%7eb", "http://a/%7Eb", "HTTP://a/~b", "http://a/é"];
        for (i, a) in same.iter().enumerate() {
            for (j, b) in same.iter().enumerate() {
                assert_eq!(equal(Level::Simple, a, b), i == j);
            }
        }
        assert!(!equal(Level::Simple, "http://a/é", "http://a/%C3%A9"));
    }

    /// Section 5.3.2.
    #[test]
    fn the_example_of_syntax_based_normalization() {
        let (a, b) =
            ("example://a/b/c/%7Bfoo%7D/ros\u{E9}", "eXAMPLE://a/./b/../b/%63/%7bfoo%7d/ros%C3%A9");
        assert!(equal(Level::Syntax, a, b));
        assert_eq!(normal(Normalize::syntax(), b), a);
    }

    /// Section 5.3.2.1.
    #[test]
    fn case_is_normalized_where_it_means_nothing() {
        for (text, expected) in [
            ("HTTP://www.EXAMPLE.com/", "http://www.example.com/"),
            ("http://a/%3a", "http://a/%3A"),
            ("http://User@a/Path?Query#Fragment", "http://User@a/Path?Query#Fragment"),
            // The case of letters outside ASCII is a matter of domain names.
            ("http://É/É", "http://É/É"),
        ] {
            assert_eq!(normal(Normalize::syntax(), text), expected);
        }
    }

    /// Section 5.3.2.2.
    #[test]
    fn comparing_normalizes_no_characters() {
        let (composed, decomposed) = (
            "http://www.example.org/r\u{E9}sum\u{E9}",
            "http://www.example.org/re\u{301}sume\u{301}",
        );
        for level in [Level::Simple, Level::Syntax, Level::Scheme] {
            assert!(!equal(level, composed, decomposed));
            // Form KC does not change it either: half-width Katakana, full-width letters.
            assert!(!equal(level, "/ｶ", "/カ") && !equal(level, "/Ａ", "/A"));
        }
        // Typed text, and text from a legacy charset, is composed.
        assert_eq!(IriRefBuf::from_typed(decomposed).unwrap(), composed);
        assert!(codes(decomposed).contains(&"repertoire.not-nfc"));
    }

    /// Section 5.3.2.3.
    #[test]
    fn percent_encoding_of_unreserved_characters_is_undone() {
        let user = [
            "http://example.org/~user",
            "http://example.org/%7euser",
            "http://example.org/%7Euser",
        ];
        for text in user {
            assert_eq!(normal(Normalize::syntax(), text), user[0]);
            assert!(equal(Level::Syntax, text, user[0]));
        }
        assert_eq!(normal(Normalize::syntax(), "/a%2Fb"), "/a%2Fb", "reserved");
    }

    /// Section 5.3.2.4.
    #[test]
    fn dot_segments_are_removed_from_hierarchical_paths() {
        for (text, expected) in [
            ("http://a/b/./c/../d", "http://a/b/d"),
            ("http://a/../b", "http://a/b"),
            ("a:/b/../c", "a:/c"),
        ] {
            assert_eq!(normal(Normalize::syntax(), text), expected);
        }
    }

    /// Section 5.3.3.
    #[test]
    fn the_four_examples_of_scheme_based_normalization() {
        for text in [
            "http://example.com",
            "http://example.com/",
            "http://example.com:/",
            "http://example.com:80/",
        ] {
            assert_eq!(normal(Normalize::scheme(), text), "http://example.com/");
            assert!(equal(Level::Scheme, text, "http://example.com/"));
        }
    }

    /// Section 5.3.3 applies to every scheme with an authority; the library applies it only if the scheme says so.
    #[test]
    fn an_empty_path_becomes_a_slash_where_the_scheme_is_known() {
        for (text, expected) in [
            ("https://a?b", "https://a/?b"),
            ("ws://a", "ws://a/"),
            ("example://a", "example://a"),
            ("example://a:/", "example://a/"),
        ] {
            assert_eq!(normal(Normalize::scheme(), text), expected);
        }
    }

    /// Section 5.3.3.
    #[test]
    fn the_default_host_of_a_file_is_left_out() {
        let rules = Normalize::none().file_localhost(true);
        assert_eq!(normal(rules, "file://localhost/a"), "file:///a");
        assert_eq!(normal(rules, "http://localhost/a"), "http://localhost/a");
    }

    /// Section 5.3.3.
    #[test]
    fn delimiters_of_empty_components_stay() {
        for text in ["http://a/?", "http://a/#", "http://@a/", "http://:@a/", "http://u:@a/"] {
            assert_eq!(normal(Normalize::scheme(), text), text);
            assert!(
                !equal(Level::Scheme, text, "http://a/")
                    && !equal(Level::Scheme, text, "http://u@a/")
            );
        }
    }

    /// Section 5.3.3.
    #[test]
    fn domain_names_are_validated_and_compared_but_not_rewritten() {
        let (a, b) = ("http://r\u{E9}sum\u{E9}.example.org", "http://xn--rsum-bpad.example.org");
        assert!(equal(Level::SchemeIdna, a, b) && !equal(Level::Scheme, a, b));
        assert_eq!(normal(Normalize::scheme(), a), format!("{a}/"), "no ACE");
        assert!(ToUri::new().idna(true).map(reference("http://-é-.example/")).is_err());
    }

    /// Section 5.3.4.
    #[test]
    fn a_caller_adds_equivalences_of_its_own() {
        let (a, b) = (reference("http://example.com/data"), reference("http://example.com/data/"));
        let by = Compare::new(Level::Scheme);
        let rule = |key: String| key.trim_end_matches('/').to_owned();
        assert!(!by.equivalent(a, b));
        assert!(by.equivalent_by(a, b, rule).unwrap());
    }
}

/// draft-duerst-iri-01, of 2002, where it says more than RFC 3987 or something else.
mod draft_01 {
    use super::*;

    /// Section 3.1.
    #[test]
    fn the_mapping_keeps_uris_and_is_idempotent() {
        random(2_000, texts(), |text| {
            let Ok(view) = IriRef::parse(&text) else { return Ok(()) };
            let uri = view.to_uri().unwrap();
            assert!(uri.as_str().is_ascii());
            assert!(uri.view().to_uri().unwrap().is_borrowed());
            assert!(!text.is_ascii() || uri == text.as_str());
            Ok(())
        });
    }

    /// Section 3.2, steps 2 to 5.
    #[test]
    fn only_strictly_legal_utf_8_of_characters_that_fit_is_decoded() {
        let map = ToIri::new().policy(DecodePolicy::NonAsciiOnly);
        for (uri, iri) in [
            ("/%C3%A9", "/é"),
            ("/%41%2F", "/%41%2F"),
            ("/%E9", "/%E9"),
            ("/%C0%AF", "/%C0%AF"),
            ("/%ED%A0%80", "/%ED%A0%80"),
            ("/%E2%80%AE", "/%E2%80%AE"),
            ("/%C3%A9%E9%C3%A9", "/é%E9é"),
        ] {
            let made = map.map(reference(uri));
            assert_eq!(made, iri);
            assert_eq!(made.view().to_uri().unwrap(), uri, "it maps back");
        }
    }

    /// Section 4.1. RFC 3987 dropped the third restriction, which is a code of the strict profile only.
    #[test]
    fn the_three_restrictions_on_components_are_codes() {
        for (text, code) in [
            ("http://a/bא", "bidi.mixed-direction"),
            ("http://a/א\u{200E}ב", "bidi.formatting-character"),
            ("http://a/א-1-ב", "bidi.other-class"),
        ] {
            assert!(codes(text).contains(&code), "{text}: {:?}", codes(text));
        }
        let report = simd_iri_lint::lint(reference("http://a/א-1-ב"), LintProfile::Rfc);
        assert!(!report.iter().any(|finding| finding.code().name().starts_with("bidi.")));
    }

    /// Section 4.2.
    #[test]
    fn each_part_is_put_between_marks() {
        let iri = reference("http://a/אב/c");
        let marks = |direction| Embed::new(direction).marks(Marks::EachPart).map(iri).into_owned();
        let parts = "http://a/\u{200E}אב\u{200E}/c";
        assert_eq!(marks(Direction::LeftToRight), parts);
        assert_eq!(marks(Direction::RightToLeft), format!("\u{202A}{parts}\u{202C}"));
    }

    /// Section 5.1 c.
    #[test]
    fn variants_for_compatibility_are_found() {
        for text in ["/Ａ", "/ｶ", "/ﬁ"] {
            assert!(codes(text).contains(&"repertoire.compatibility"), "{text}");
        }
    }

    /// Section 5.4.
    #[test]
    fn references_beyond_ascii_are_resolved_like_others() {
        let base = Base::new(Iri::parse("http://例え.jp/あ/い?う").unwrap());
        assert_eq!(base.resolve(reference("../え#お")).unwrap(), "http://例え.jp/え#お");
    }

    /// Section 7.
    #[test]
    fn overlong_sequences_stand_for_nothing() {
        assert!(codes("/%C0%AF..").contains(&"spoof.overlong"));
        assert_eq!(ToIri::new().map(reference("/%C0%AF..")), "/%C0%AF..");
        assert_eq!(normal(Normalize::syntax(), "/a/%C0%AF../b"), "/a/%C0%AF../b");
    }

    /// Section 7.
    #[test]
    fn a_spelling_in_another_case_is_another_resource() {
        assert!(!equal(
            Level::Scheme,
            "http://big.site/PopularPage.html",
            "http://big.site/popularpage.html"
        ));
    }
}

/// M. Dürst, Internationalized Resource Identifiers: From Specification to Testing, 2001.
mod paper_2001 {
    use super::*;

    /// Tables 1 and 2.
    #[test]
    fn a_name_in_three_encodings() {
        assert_eq!(to_uri("März"), "M%C3%A4rz");
        assert_eq!(ToIri::new().map(reference("M%C3%A4rz")), "März");
        for (uri, charset) in [("M%E4rz", WINDOWS_1252), ("M%8Arz", MACINTOSH)] {
            // A URI in a legacy encoding is an IRI as it stands.
            assert_eq!(ToIri::new().map(reference(uri)), uri);
            let names = interpret(uri, &[charset]).unwrap();
            assert_eq!(names[0].view(), "März");
        }
    }

    /// Section 2.
    #[test]
    fn a_percent_sign_in_a_value_is_encoded() {
        assert_eq!(percent::encode::<percent::Segment>("100%/#").to_string(), "100%25%2F%23");
        assert!(equal(Level::Syntax, "/%61", "/a"));
    }

    /// Section 2, other proposed solutions.
    #[test]
    fn four_digits_after_percent_u_are_no_syntax() {
        assert!(IriRef::parse("/M%u00E4rz").is_err());
        let made = Prepare::new(RepairSet::BrowserLike).prepare("/M%u00E4rz").unwrap();
        assert_eq!(made.view(), "/M%25u00E4rz");
        assert_eq!(interpret("/M%u00E4rz", &[encoding_rs::UTF_8]).unwrap()[0].view(), "/März");
    }

    /// Section 3.
    #[test]
    fn a_document_holds_an_iri_in_its_own_encoding() {
        let iri = reference("März");
        let html = Document::new(Format::Html);
        assert_eq!(html.charset(WINDOWS_1252).write(iri), "März");
        assert_eq!(html.ascii(true).write(iri), "M&#xE4;rz");
        assert_eq!(IriRefBuf::from_legacy(b"M\xE4rz", WINDOWS_1252).unwrap(), "März");
    }

    /// Section 3: what must be checked before a URI becomes an IRI.
    #[test]
    fn what_does_not_suit_an_iri_stays_encoded() {
        let careful = ToIri::new().policy(DecodePolicy::Conservative);
        for text in [
            // Not allocated; not in form C; two spaces; a ligature.
            "/%CD%B8",
            "/%CE%B1%CC%81",
            "/%C2%A0",
            "/%E3%80%80",
            "/%EF%AC%81",
            // Bidi formatting characters, by every policy.
            "/%E2%80%8E",
        ] {
            assert_eq!(careful.map(reference(text)), text);
        }
        assert_eq!(careful.map(reference("/%C3%A4")), "/ä");
    }

    /// Section 3, the quotation of XLink.
    #[test]
    fn excluded_ascii_is_escaped_on_demand() {
        for c in " <>\"{}|\\^`".chars() {
            let text = format!("/{c}");
            assert!(IriRef::parse(&text).is_err());
            let uri = ToUri::new().map_lenient(&text).unwrap();
            assert_eq!(uri, format!("/{}", triplets(c.encode_utf8(&mut [0; 1]))).as_str());
        }
    }

    /// Section 4.
    #[test]
    fn a_domain_name_may_be_percent_encoded() {
        assert_eq!(to_uri("http://bücher.example/"), "http://b%C3%BCcher.example/");
        let back = ToIri::new().map(reference("http://b%C3%BCcher.example/"));
        assert_eq!(back, "http://bücher.example/");
    }
}

/// The departures of the library from UTS #58.
mod uts58 {
    use super::*;

    fn links(text: &str) -> Vec<&str> {
        Extract::new().links(text).map(|link| &text[link.span()]).collect()
    }

    /// The standard derives its properties from those of characters. If the crate with those properties is of a newer
    /// version of Unicode, this has added a few characters.
    #[test]
    fn the_table_fits_the_properties_of_characters() {
        use icu_properties::props::BidiPairedBracketType::{Close, Open};
        use icu_properties::props::{
            BidiMirroringGlyph, DefaultIgnorableCodePoint, Deprecated, GeneralCategory, LineBreak,
            TerminalPunctuation,
        };
        use icu_properties::{CodePointMapData, CodePointSetData};

        let category = CodePointMapData::<GeneralCategory>::new();
        let glyph = CodePointMapData::<BidiMirroringGlyph>::new();
        let deprecated = CodePointSetData::new::<Deprecated>();
        let ignorable = CodePointSetData::new::<DefaultIgnorableCodePoint>();
        let terminal = CodePointSetData::new::<TerminalPunctuation>();
        let line_break = CodePointMapData::<LineBreak>::new();
        let (mut ran, mut newer, mut pairs, mut wrong) = (0, 0, 0, Vec::new());
        for c in ('\0'..=char::MAX).step_by(sample(0x11_0000)) {
            let bidi = matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
            if category.get(c) == GeneralCategory::Unassigned || bidi {
                continue;
            }
            let bracket = glyph.get(c);
            let (medial, last) = match category.get(c) {
                _ if deprecated.contains(c) => (false, false),
                GeneralCategory::Control
                | GeneralCategory::PrivateUse
                | GeneralCategory::SpaceSeparator
                | GeneralCategory::LineSeparator
                | GeneralCategory::ParagraphSeparator => (false, false),
                _ if c == '<' || bracket.paired_bracket_type == Open => (true, true),
                _ if c == '>' || bracket.paired_bracket_type == Close => (false, false),
                _ if terminal.contains(c) || line_break.get(c) == LineBreak::Quotation => {
                    (true, false)
                }
                // A departure from UTS #58: no link ends with an ellipsis (docs/conformance.md).
                _ if c == '\u{2026}' => (true, false),
                // Another one: no link ends with a character that is not seen.
                _ if ignorable.contains(c) => (true, false),
                _ => (true, true),
            };
            let is_whole = |text: &str| links(text) == [text];
            let [found_medial, found_last] =
                [format!("example.com/a{c}b"), format!("example.com/a{c}")]
                    .map(|text| is_whole(&text));
            ran += 1;
            if medial && !found_medial && !found_last {
                newer += 1;
                continue;
            }
            if (found_medial, found_last) != (medial, last) {
                wrong.push(c);
            }
            if let (Open, Some(close)) = (bracket.paired_bracket_type, bracket.mirroring_glyph) {
                let text = format!("example.com/{c}a{close}");
                assert!(deprecated.contains(c) || is_whole(&text), "{text}");
                pairs += 1;
            }
        }
        assert!(wrong.is_empty(), "{wrong:?}");
        let is_newer = simd_iri_text::LINKS.version() != crate::unicode::version("properties");
        assert!(newer * 20 < ran && (is_newer || newer == 0), "{newer} of {ran}");
        println!("{ran} characters, {newer} of them newer, {pairs} pairs of brackets");
    }

    #[test]
    fn no_link_ends_with_a_bidi_control() {
        for c in "\u{61C}\u{200E}\u{200F}".chars() {
            assert_eq!(links(&format!("example.com/a{c}")), ["example.com/a"]);
            assert_eq!(links(&format!("example.com/a{c}b")), [format!("example.com/a{c}b")]);
        }
        assert_eq!(links("\u{202A}example.com/a\u{202C}b"), ["example.com/a"]);
    }

    #[test]
    fn the_129th_open_bracket_ends_a_link() {
        for open in [127, 128, 129, 1000] {
            let text = format!("example.com/{}", "(".repeat(open));
            assert_eq!(links(&text), [&text[..text.len().min("example.com/".len() + 128)]]);
        }
    }

    #[test]
    fn bidi_controls_backslashes_and_plus_signs_stay_encoded() {
        for text in
            ["http://a.example/b%E2%80%8Ec", "http://a.example/b%5Cc", "http://a.example/?b%2Bc"]
        {
            assert_eq!(DisplayUts58::new().map(reference(text)), text);
        }
    }

    #[test]
    fn of_other_schemes_unreserved_characters_alone_are_decoded() {
        assert_eq!(DisplayUts58::new().map(reference("x:a%20%C3%A9%5B")), "x:a%20é%5B");
        assert_eq!(
            DisplayUts58::new().map(reference("http://h/a%20%C3%A9%5Bb")),
            "http://h/a%20é[b"
        );
    }
}
