//! The laws of queries as structs: what is set from a struct is read back, and what has no place in a query is refused
//! with the name of its pair.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;

use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use simd_iri::query::{QueryError, pairs_of};
use simd_iri::{Iri, IriBuf, IriRefBuf, UriBuf, iri};

use crate::support::*;

#[derive(Clone, Copy, Serialize, Deserialize, PartialEq, Debug)]
enum Order {
    Up,
    #[serde(rename = "from the end")]
    Down,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Meters<T>(T);

/// A field of each form that a query can hold.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Flat {
    text: String,
    #[serde(rename = "a+b &é=%\u{202E}")]
    renamed: String,
    letter: char,
    signed: i64,
    small: u8,
    wide: u128,
    wide_signed: i128,
    float: f64,
    short: f32,
    yes: bool,
    order: Order,
    meters: Meters<u32>,
    maybe: Option<String>,
    maybe_number: Option<Meters<i16>>,
    address: Option<IpAddr>,
    link: IriRefBuf,
    #[serde(flatten)]
    others: BTreeMap<String, String>,
}

fn flat() -> impl Strategy<Value = Flat> {
    const PIECES: &[&str] =
        &["a", "+", " ", "%", "%41", "&", "=", "é", "日", "#", "\0", "\u{FFFD}", "\u{E000}", ";"];
    let text = || {
        proptest::collection::vec(proptest::sample::select(PIECES), 0..6)
            .prop_map(|pieces| pieces.concat())
    };
    let order = proptest::sample::select(&[Order::Up, Order::Down][..]);
    let link = proptest::sample::select(&["", "../é?a=b&c#d", "http://a/%26+"][..]);
    let others = proptest::collection::btree_map(text().prop_map(|name| name + "~"), text(), 0..3);
    let float = || {
        use proptest::num::f64::*;
        POSITIVE | NEGATIVE | NORMAL | SUBNORMAL | ZERO | INFINITE
    };
    let numbers = (any::<i64>(), any::<u8>(), any::<u128>(), any::<i128>(), float());
    let texts = (text(), text(), proptest::option::of(text()), any::<char>());
    let options = (proptest::option::of(any::<i16>()), proptest::option::of(any::<IpAddr>()));
    (numbers, texts, options, any::<(bool, u32)>(), order, link, others).prop_map(
        |(numbers, texts, options, (yes, meters), order, link, others)| {
            let (signed, small, wide, wide_signed, float) = numbers;
            let (text, renamed, maybe, letter) = texts;
            Flat {
                text,
                renamed,
                letter,
                signed,
                small,
                wide,
                wide_signed,
                float,
                short: float as f32,
                yes,
                order,
                meters: Meters(meters),
                maybe,
                maybe_number: options.0.map(Meters),
                address: options.1,
                link: IriRefBuf::parse(link).unwrap(),
                others,
            }
        },
    )
}

#[test]
fn what_is_set_from_a_struct_is_read_back() {
    random(10_000, flat(), |value| {
        let pairs = pairs_of(&value).unwrap();
        let options =
            [value.maybe.is_some(), value.maybe_number.is_some(), value.address.is_some()];
        let present = options.iter().filter(|is_some| **is_some).count();
        assert_eq!(pairs.len(), 13 + present + value.others.len(), "{pairs:?}");

        let mut iri = IriBuf::parse("http://a/?before#f").unwrap();
        iri.set_query_pairs(&pairs).unwrap();
        assert_eq!(iri.query_pairs().deserialize::<Flat>().as_ref(), Ok(&value), "{iri}");
        let mut uri = UriBuf::parse("http://a/").unwrap();
        uri.set_query_pairs(&pairs).unwrap();
        assert_eq!(uri.query_pairs().deserialize::<Flat>().as_ref(), Ok(&value), "{uri}");
        // Plain pairs are read by both conventions, and pairs of a form by their own.
        assert_eq!(iri.query_form().deserialize::<Flat>().as_ref(), Ok(&value), "{iri}");
        iri.set_query_form(&pairs).unwrap();
        assert!(!iri.as_str().contains("%20"), "{iri}");
        assert_eq!(iri.query_form().deserialize::<Flat>().as_ref(), Ok(&value), "{iri}");

        // A newtype, an option and a map of texts around the struct are read back, too.
        assert_eq!(pairs_of(&Some(Meters(&value))).as_ref(), Ok(&pairs));
        let read = iri.query_form().deserialize::<Option<Meters<Flat>>>();
        assert_eq!(read, Ok(Some(Meters(value))));
        let map: HashMap<String, String> = iri.query_form().deserialize().unwrap();
        assert_eq!(map, pairs.iter().cloned().collect());
        iri.set_query_pairs(pairs_of(&map).unwrap()).unwrap();
        assert_eq!(iri.query_pairs().deserialize(), Ok(map));
        Ok(())
    });
}

#[test]
fn the_conventions_stay_apart() {
    #[derive(Deserialize)]
    struct Of<'a> {
        #[serde(borrow)]
        q: std::borrow::Cow<'a, str>,
        borrowed: Option<&'a str>,
        link: Option<Iri<'a>>,
    }
    let iri = iri!("http://a/?q=1+%2B&borrowed=b&link=urn:c");
    assert_eq!(iri.query_pairs().deserialize::<Of<'_>>().unwrap().q, "1++");
    let of: Of<'_> = iri.query_form().deserialize().unwrap();
    assert_eq!((&*of.q, of.borrowed, of.link), ("1 +", Some("b"), Some(iri!("urn:c"))));
}

#[test]
fn a_struct_in_the_charset_of_a_document() {
    use simd_iri::{charset::Unmappable, encoding_rs::SHIFT_JIS};

    let pairs = pairs_of(&BTreeMap::from([("q", "日 1")])).unwrap();
    let mut iri = IriBuf::parse("http://a/").unwrap();
    iri.set_query_form_in(&pairs, SHIFT_JIS, Unmappable::Error).unwrap();
    assert_eq!(iri, "http://a/?q=%93%FA+1");
    let read = iri.query_form_in(SHIFT_JIS).deserialize::<HashMap<String, String>>();
    assert_eq!(read.unwrap()["q"], "日 1");
}

#[derive(Deserialize, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
struct Search {
    q: String,
    page: Option<u16>,
    order: Option<Order>,
    count: Option<std::num::NonZeroU8>,
    yes: Option<bool>,
    tags: Option<Vec<String>>,
    nothing: Option<()>,
    link: Option<IriBuf>,
    nested: Option<BTreeMap<String, String>>,
    variant: Option<Result<u8, u8>>,
}

#[test]
fn what_is_refused_has_the_name_of_its_pair() {
    let refused = |query: &str| {
        let iri = IriRefBuf::builder().query(simd_iri::component::Encoded(query)).build().unwrap();
        let error = iri.query_pairs().deserialize::<Search>().unwrap_err();
        (error.name().map(str::to_owned), error.to_string())
    };
    for (query, name, message) in [
        ("", "q", "it is missing"),
        ("q=1&q=2", "q", "it is there twice"),
        ("q&page=two", "page", "u16 is expected"),
        ("q&page=", "page", "u16 is expected"),
        ("q&page=65536", "page", "u16 is expected"),
        ("q&page=-1", "page", "u16 is expected"),
        ("q&page=%31%20", "page", "u16 is expected"),
        ("q&order=down", "order", "one of Up, from the end is expected"),
        ("q&count=0", "count", "a nonzero u8 is expected"),
        ("q&yes=1", "yes", "a boolean is expected"),
        ("q&tags=a", "tags", "a sequence is expected"),
        ("q&nothing", "nothing", "unit is expected"),
        ("q&link=s3cr3t", "link", "no scheme at byte 0; begin with one, such as \"https:\""),
        ("q&nested=a", "nested", "a map is expected"),
        ("q&variant=Ok", "variant", "newtype variant is expected"),
        (
            "q&%C3%A9=s3cr3t",
            "é",
            "the name is not one of q, page, order, count, yes, tags, nothing, link, nested, variant",
        ),
    ] {
        let expected = (Some(name.to_owned()), format!("the pair {name:?}: {message}"));
        assert_eq!(refused(query), expected, "{query}");
    }

    fn unread<T: for<'a> Deserialize<'a> + std::fmt::Debug>() -> QueryError {
        iri!("a:?b=c").query_pairs().deserialize::<T>().unwrap_err()
    }
    for error in [unread::<u8>(), unread::<Vec<(String, String)>>(), unread::<Order>()] {
        assert_eq!(error.name(), None);
        assert!(error.to_string().ends_with(" is expected"), "{error}");
    }
}

#[test]
fn what_cannot_be_written_has_the_name_of_its_pair() {
    fn of<T: Serialize>(name: &'static str, value: T) {
        let error = pairs_of(&BTreeMap::from([(name, value)])).unwrap_err();
        assert_eq!(error.name(), Some(name));
        let message = error.to_string();
        assert!(
            message.starts_with(&format!("the pair {name:?}: pairs are written ")),
            "{message}"
        );
    }
    #[derive(Serialize)]
    struct Nothing;
    of("tags", ["a"]);
    of("tags", vec![1, 2]);
    of("tuple", (1, "a"));
    of("nested", BTreeMap::from([("a", "b")]));
    of("unit", ());
    of("nothing", Nothing);
    of("variant", Result::<u8, u8>::Ok(1));
    // The name that is nearest to the reason.
    let nested = pairs_of(&BTreeMap::from([("a", BTreeMap::from([("b", [1])]))]));
    assert_eq!(nested.unwrap_err().name(), Some("b"));

    for error in [
        pairs_of("a=b").unwrap_err(),
        pairs_of(&1).unwrap_err(),
        pairs_of(&[("a", "b")]).unwrap_err(),
        pairs_of(&None::<Meters<u8>>).unwrap_err(),
        pairs_of(&HashMap::from([(None::<u8>, 1)])).unwrap_err(),
    ] {
        assert_eq!(error.name(), None);
        assert!(error.to_string().starts_with("pairs are written from a struct"), "{error}");
    }
    assert_eq!(pairs_of(&HashMap::<u8, u8>::new()), Ok(Vec::new()));
}
