//! References in fields of HTTP: their positions, and the values after URIs replace them.

use simd_iri::http_message::*;
use simd_iri::*;

/// The references of a value, as parts of that value.
fn references(field: Field, value: &str) -> Vec<&str> {
    field.references(value.as_bytes()).map(|place| &value[place]).collect()
}

#[test]
fn references_are_where_the_field_has_them() {
    let none: &[&str] = &[];
    for (field, value, expected) in [
        (Field::Location, "/a b", &["/a b"][..]),
        (Field::Location, "\t/a ", &["/a"]),
        (Field::Location, "", &[""]),
        (Field::Location, "  ", &[""]),
        (Field::Link, "<>", &[""]),
        (Field::Link, "<a>,<b>;rel=\"x\", <c>", &["a", "b", "c"]),
        (Field::Link, "<a>; title=\"<b>, \\\"<c>\", <d>", &["a", "d"]),
        (Field::Link, "<a\"b>; rel=x, <c\"d>", &["a\"b", "c\"d"]),
        (Field::Link, "<a>; title=\"<b>", &["a"]),
        (Field::Link, "<a>; title=\"\\", &["a"]),
        (Field::Link, "<a>, <b", &["a"]),
        (Field::Link, "a", none),
        (Field::Refresh, "5", none),
        (Field::Refresh, "5;", none),
        (Field::Refresh, "url=/a", none),
        (Field::Refresh, "5url=/a", none),
        (Field::Refresh, "5;/a", &["/a"]),
        (Field::Refresh, "5 /a", &["/a"]),
        (Field::Refresh, " 0.5 , /a ", &["/a"]),
        (Field::Refresh, "5; uRl = /a b", &["/a b"]),
        (Field::Refresh, "5; url", &["url"]),
        (Field::Refresh, "5; urls/a", &["urls/a"]),
        (Field::Refresh, "5; url='/a\"' b", &["/a\""]),
        (Field::Refresh, "5; url=\"/a b", &["/a b"]),
        (Field::Refresh, "5; 'é'", &["é"]),
        (Field::Refresh, "5; url=''", none),
    ] {
        assert_eq!(references(field, value), expected, "{field:?}: {value}");
    }
}

#[test]
fn names_of_fields_are_read_in_any_case() {
    assert_eq!(Field::of("LOCATION"), Some(Field::Location));
    assert_eq!(Field::of("content-location"), Some(Field::Location));
    assert_eq!(Field::of("Link"), Some(Field::Link));
    assert_eq!(Field::of("refresh"), Some(Field::Refresh));
    assert_eq!(Field::of("Referer"), None);
}

#[test]
fn only_references_change_and_the_others_are_counted() {
    for (field, value, expected, left) in [
        (Field::Location, "/é", "/%C3%A9", 0),
        (Field::Location, "http://é/?ü#ß", "http://%C3%A9/?%C3%BC#%C3%9F", 0),
        (Field::Location, "/é b", "/é b", 1),
        (Field::Location, " é\t", " %C3%A9\t", 0),
        (
            Field::Link,
            "<é>; title=é, <b c>, <%C3%A9>, <ü>",
            "<%C3%A9>; title=é, <b c>, <%C3%A9>, <%C3%BC>",
            1,
        ),
        (Field::Refresh, "0; url='é'é", "0; url='%C3%A9'é", 0),
        (Field::Refresh, "é", "é", 0),
    ] {
        let mapped = ToUri::new().map_field(field, value.as_bytes());
        assert_eq!(String::from_utf8_lossy(&mapped.value), expected);
        assert_eq!(mapped.left, left, "{value}");
        assert_eq!(matches!(mapped.value, std::borrow::Cow::Borrowed(_)), value == expected);
    }
    let latin = ToUri::new().map_field(Field::Location, b"/caf\xE9");
    assert_eq!((&*latin.value, latin.left), (&b"/caf\xE9"[..], 1));
}

#[test]
fn the_mapping_is_that_of_its_options() {
    let mapped = ToUri::new().idna(true).map_field(Field::Location, "http://é/".as_bytes());
    assert_eq!(*mapped.value, *b"http://xn--9ca/");
    let refused = ToUri::new().idna(true).map_field(Field::Location, "http://é_/".as_bytes());
    assert_eq!(refused.left, 1);
}

#[test]
fn a_mapping_of_the_caller_replaces_references() {
    let mut text = b"old".to_vec();
    let mut replaced = |value: &str| {
        let mapped = Field::Link.replace_into(value.as_bytes(), &mut text, |given, put| {
            match given {
                b"one" => put("1"),
                b"two" => ["t", "w", ""].into_iter().for_each(put),
                b"none" => put(""),
                b"bad" => return Err(()),
                _ => {}
            }
            Ok(())
        });
        (String::from_utf8(mapped.value.into_owned()).unwrap(), mapped.left)
    };
    for (value, expected, left) in [
        ("<one>, <two>; a=\"<one>\"", "<1>, <tw>; a=\"<one>\"", 0),
        ("<a>, <none>, <b>", "<a>, <>, <b>", 0),
        ("<bad>, <one>, <bad>", "<bad>, <1>, <bad>", 2),
        ("<bad>", "<bad>", 1),
        ("<a>", "<a>", 0),
        ("", "", 0),
    ] {
        assert_eq!(replaced(value), (expected.to_owned(), left), "{value}");
    }
}
