//! The first programs of a user of the library, by families: they compile, and give the expected answers.

use std::borrow::Cow as Text;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use simd_iri::batch::{Batch, Columns, IntoItems, Separated};
use simd_iri::query::FormPair;
use simd_iri::{component::*, convert::*, document::*, errors::*, parser::*, thin::*, *};

#[test]
fn every_owner_parses() {
    assert_eq!(IriBuf::parse("http://a/b").unwrap().path(), "/b");
    assert_eq!(IriBox::parse("http://a/b").unwrap().view().path(), "/b");
    assert_eq!(IriArc::parse("http://a/b").unwrap().view().path(), "/b");
    assert_eq!(IriStr::parse("http://a/b").unwrap().view().path(), "/b");
    assert!(UriRefBuf::parse("é").is_err() && UriBox::parse("a").is_err());
}

/// Every accessor of an owner gives the answer of its view.
macro_rules! agree {
    ($owner:expr, $view:expr) => {{
        let (owner, view) = ($owner, $view);
        assert_eq!(owner.as_str(), view.as_str());
        assert_eq!(owner.view().scheme(), view.scheme());
        assert_eq!(owner.view().scheme_opt(), view.scheme_opt());
        assert_eq!(owner.view().has_scheme(), view.has_scheme());
        assert_eq!(owner.view().is_scheme("http"), view.is_scheme("http"));
        assert_eq!((owner.view().len(), owner.view().is_empty()), (view.len(), view.is_empty()));
        assert_eq!(owner.view().component(Component::Path), view.component(Component::Path));
        assert_eq!(owner.view().without_fragment(), view.without_fragment());
        assert_eq!(owner.view().to_buf(), view.to_buf());
        assert_eq!(owner.view().port_or_default(), view.port_or_default());
        assert!(owner.view().decoded_segments().eq(view.decoded_segments()));
        assert_eq!(owner.view().to_file_path(), view.to_file_path());
        assert_eq!(owner.view().with_authority("a").ok(), view.with_authority("a").ok());
        assert_eq!(owner.view().authority(), view.authority());
        assert_eq!(owner.view().authority_ref(), view.authority_ref());
        assert_eq!(owner.view().host_and_port(), view.host_and_port());
        assert_eq!(owner.view().encoded_path(), view.encoded_path());
        assert_eq!(owner.view().encoded_query(), view.encoded_query());
        assert_eq!(owner.view().encoded_fragment(), view.encoded_fragment());
        assert_eq!(owner.view().userinfo(), view.userinfo());
        assert_eq!(owner.view().user(), view.user());
        assert_eq!(owner.view().password(), view.password());
        assert_eq!(owner.view().host(), view.host());
        assert_eq!(owner.view().host_str(), view.host_str());
        assert_eq!(owner.view().port(), view.port());
        assert_eq!(owner.view().port_u16(), view.port_u16());
        assert_eq!(owner.view().path(), view.path());
        assert_eq!(owner.view().path_form(), view.path_form());
        assert!(owner.view().segments().eq(view.segments()));
        assert_eq!(owner.view().query(), view.query());
        assert_eq!(owner.view().fragment(), view.fragment());
        assert_eq!(owner.view().is_absolute(), view.is_absolute());
        assert_eq!(owner.view().parts(), view.parts());
        assert_eq!(owner.view().as_iri_ref(), view.as_iri_ref());
        assert_eq!(owner.view().to_uri().unwrap(), view.to_uri().unwrap());
        assert_eq!(owner.view().to_iri(), view.to_iri());
        assert_eq!(owner.view().masked().to_string(), view.masked().to_string());
        assert!(owner.view().query_pairs().eq(view.query_pairs()));
        let rules = Normalize::scheme();
        assert_eq!(owner.view().normalize(rules).unwrap(), view.normalize(rules).unwrap());
        assert!(owner.view().is_equivalent(view, Level::Simple));
        assert_eq!(owner.view().with_query("é").unwrap(), view.with_query("é").unwrap());
        assert_eq!(format!("{owner:?} {owner:#?} {owner}"), format!("{view:?} {view:#?} {view}"));
    }};
}

/// A thin text and the result of a mapping have the view from which it was made.
macro_rules! split {
    ($thin:expr, $view:expr) => {{
        let (thin, view) = ($thin, $view);
        assert_eq!(
            (thin.as_str(), thin.view(), thin.view().parts()),
            (view.as_str(), view, view.parts())
        );
        assert_eq!(format!("{thin:?} {thin:#?} {thin}"), format!("{view:?} {view:#?} {view}"));
    }};
}

#[test]
fn owners_have_what_the_view_has() {
    for text in ["HTTP://u:p@é:080/a/../%7e?b=c&d#e", "urn:a", "a://[::1]?", "http://10.0.0.1"] {
        let view = Iri::parse(text).unwrap();
        agree!(IriBuf::from(view), view);
        split!(IriBox::from(view), view);
        split!(IriArc::from(view), view);
        split!(IriStr::from(view), view);
        split!(Mapped::from(view), view);
        split!(Mapped::from(IriBuf::from(view)), view);
    }
    for text in ["", "//u:p@é:1/a?b#c", "../a", "?", "a:b"] {
        let view = IriRef::parse(text).unwrap();
        agree!(IriRefBuf::from(view), view);
        split!(IriRefBox::from(view), view);
        split!(IriRefArc::from(view), view);
        split!(IriRefStr::from(view), view);
        split!(Mapped::from(view), view);
    }
}

#[test]
fn texts_and_references_are_equal_in_every_direction() {
    let view = iri!("a:b");
    let (buf, boxed, shared) = (IriBuf::from(view), IriBox::from(view), IriArc::from(view));
    let (thin, cow) = (IriStr::from(view), iri!("a:b").to_uri().unwrap());
    macro_rules! equal {
        ($($one:expr),+; $others:tt) => { $( equal!(@ $one, $others); )+ };
        (@ $one:expr, ($($other:expr),+)) => { $( assert!($one == $other && $other == $one); )+ };
    }
    equal!(view, buf, boxed, shared, thin, cow; (view, buf, boxed, shared, thin, cow, *"a:b", "a:b",
        String::from("a:b")));
    // Other texts stand on the right.
    macro_rules! equal_to_texts {
        ($($one:expr),+) => {$(
            let (boxed_text, shared_text) = (Box::<str>::from("a:b"), Arc::<str>::from("a:b"));
            assert!($one == Text::Borrowed("a:b") && $one == boxed_text && $one == shared_text);
        )+};
    }
    equal_to_texts!(view, buf, boxed, shared, thin, cow);
    equal!(view, buf, boxed, shared, thin, cow; (uri!("a:b"), iri_ref!("a:b"), uri_ref!("a:b")));
    assert!(buf != iri!("a:c") && "a:c" != buf);
    assert_eq!(iri!("a:b").to_uri().unwrap(), uri!("a:b"));
}

#[test]
fn references_are_found_by_their_text() {
    let mut map = HashMap::from([(IriBuf::from(iri!("a:b")), 1)]);
    assert_eq!(map.get("a:b"), Some(&1));
    *map.entry("c:d".parse().unwrap()).or_default() += 1;
    assert_eq!(map.get(iri!("c:d").as_str()), Some(&1));
    let map = BTreeMap::from([(IriArc::from(iri!("a:b")), 1)]);
    assert_eq!(map.get("a:b"), Some(&1));
}

#[test]
fn kinds_widen_and_narrow() {
    let iri: Iri<'_> = iri_ref!("a:b").try_into().unwrap();
    let uri: Uri<'_> = iri.try_into().unwrap();
    let reference: UriRef<'_> = uri.into();
    let reference: IriRef<'_> = reference.into();
    let uri: Uri<'_> = reference.try_into().unwrap();
    assert_eq!((uri, uri.path()), (uri!("a:b"), "b"));

    let buf: IriRefBuf = "a:b".parse().unwrap();
    let buf: IriBuf = buf.try_into().unwrap();
    let buf: UriBuf = buf.try_into().unwrap();
    let buf: IriRefBuf = buf.into();
    assert_eq!(buf, "a:b");
    let wide = IriRefBuf::from(IriBuf::from(iri!("a:b")));
    let wide: IriRef<'_> = (&wide).into();
    assert_eq!(wide, iri!("a:b"));

    let refused = IriBuf::try_from(IriRefBuf::parse("../é").unwrap()).unwrap_err();
    assert_eq!(refused.error(), Iri::parse("../é").unwrap_err());
    assert_eq!(refused.into_text(), iri_ref!("../é"));
    assert_eq!(Uri::try_from(iri!("a:é")), Err(Uri::parse("a:é").unwrap_err()));
    assert!(UriRef::try_from(iri_ref!("é")).is_err() && Uri::try_from(uri_ref!("a")).is_err());
    assert!(Iri::try_from(uri_ref!("a")).is_err() && UriRef::try_from(iri!("a:é")).is_err());
}

/// A conversion to a narrower kind succeeds exactly if a parse does.
#[test]
fn a_reference_narrows_if_its_text_matches() {
    for text in ["", "a", "é", "a:b", "a:é", "//h", "?é#", "./a:b"] {
        let wide = IriRef::parse(text).unwrap();
        assert_eq!(Iri::try_from(wide), Iri::parse(text));
        assert_eq!(Uri::try_from(wide), Uri::parse(text));
        assert_eq!(UriRef::try_from(wide), UriRef::parse(text));
        let buf = IriRefBuf::from(wide);
        assert_eq!(IriBuf::try_from(buf.clone()).map_err(Error::from), IriBuf::parse(text));
        assert_eq!(UriBuf::try_from(buf).map_err(Error::from), UriBuf::parse(text));
    }
}

#[test]
fn owners_become_each_other() {
    let buf = IriBuf::parse("http://a/é").unwrap();
    let boxed: IriBox = buf.clone().into();
    let shared: IriArc = boxed.view().into();
    let mapped: Mapped<'_, kind::Iri> = shared.view().into();
    let again: IriBuf = mapped.into();
    assert_eq!((again.parts(), again.path()), (buf.parts(), "/é"));
    let boxed: IriBox = shared.view().into();
    let again: IriBuf = boxed.into();
    let thin: IriStr<'_> = again.view().into();
    let view: Iri<'_> = thin.into();
    assert_eq!(view, Iri::from(&again));
    let shared: IriArc = (&again).into_view().into();
    assert_eq!(shared.into_text(), Arc::from("http://a/é"));
    let text: String = again.clone().into();
    let text: String = IriBuf::try_from(text).unwrap().into();
    assert_eq!(IriArc::try_from(text).unwrap().into_text(), Arc::from("http://a/é"));
    let text: &str = view.into();
    assert_eq!(text, "http://a/é");
    let text: Text<'_, str> = iri!("a:b").to_uri().unwrap().into();
    assert!(matches!(text, Text::Borrowed(_)));
}

#[test]
fn strings_are_parsed_by_every_way() {
    let text = String::from("a:b");
    assert_eq!(Iri::try_from(&text).unwrap(), "a:b");
    assert_eq!(IriStr::try_from(text.as_str()).unwrap(), "a:b");
    assert_eq!(IriBuf::try_from(text.as_str()).unwrap(), IriBuf::try_from("a:b").unwrap());
    assert_eq!(IriArc::try_from(text.clone()).unwrap(), IriArc::parse("a:b").unwrap());
    assert_eq!(IriBox::try_from(text.clone()).unwrap(), "a:b".parse::<IriBox>().unwrap());
    assert_eq!("a:b".parse::<IriArc>().unwrap(), IriArc::try_from(Arc::from("a:b")).unwrap());
    assert_eq!(IriBuf::try_from(&b"a:b"[..]).unwrap(), "a:b");
    fn question_mark(text: String) -> Result<IriArc, Error> {
        let _ = UriRefBuf::parse("a")?;
        let _ = Iri::parse_until("a:b", Terminators::new(b">").unwrap())?;
        let _ = IriBox::try_from(text.clone())?;
        Ok(IriBuf::try_from(text)?.into())
    }
    assert!(question_mark("a b".into()).is_err() && question_mark("a:b".into()).is_ok());
}

#[test]
fn bases_are_views_owners_and_texts() {
    let (buf, reference) = (IriBuf::parse("http://a/b").unwrap(), IriRefBuf::parse("c").unwrap());
    let shared = IriArc::from(buf.view());
    for base in [Base::new(&buf), Base::new(&shared), Base::new(iri!("http://a/b"))] {
        assert_eq!(base.resolve(&reference).unwrap(), "http://a/c");
        assert_eq!(base.resolve(iri_ref!("c")).unwrap(), "http://a/c");
        assert_eq!(base.resolve(iri!("x:c")).unwrap(), "x:c");
        assert_eq!(base.resolve("c").unwrap(), "http://a/c");
        assert_eq!(base.resolve(&String::from("c")).unwrap(), "http://a/c");
        assert_eq!(base.resolve("c d").unwrap_err().span(), 1..2);
        let mut text = String::from("before");
        assert!(base.resolve_into("%", &mut text).is_err() && text.is_empty());
    }
    assert_eq!(Base::parse("http://a/b").unwrap().resolve("c").unwrap(), "http://a/c");
    assert_eq!(buf.resolve("c").unwrap(), iri!("http://a/b").resolve(&reference).unwrap());
    assert_eq!(shared.view().resolve(IriRefArc::parse("c").unwrap().view()).unwrap(), "http://a/c");
}

/// Every function with a second reference takes it as a view, as an owner, and as a Rust reference to either.
#[test]
fn second_references_are_views_and_owners() {
    let (base, view) = (iri!("http://a/b/c"), iri!("HTTP://a:80/b/%64"));
    let by = Compare::new(Level::Scheme);
    let target = iri!("http://a/b/d");
    macro_rules! answers {
        ($($value:expr, $target:expr;)+) => {$(
            assert!(target.is_equivalent($value, Level::Scheme) && by.equivalent($value, target));
            assert!(base.is_same_origin($value) && IriBuf::from(base).is_same_origin($value));
            assert!(by.order($value, target).is_eq() && by.order(target, $value).is_eq());
            assert_eq!(by.key($value).unwrap(), target.as_str());
            assert_eq!(by.fingerprint($value), by.fingerprint(target));
            assert!(by.equivalent_by(target, $value, |key| key).unwrap());
            assert_eq!(Document::new(Format::Html).write($value), view.as_str());
            assert_eq!(Normalize::scheme().map_into($value, &mut String::new()).unwrap(), target);
            assert_eq!(ToUri::new().map_into($value, &mut String::new()).unwrap(), view);
            assert_eq!(ToIri::new().map_into($value, &mut String::new()).as_str(), "HTTP://a:80/b/d");
            assert_eq!(Base::new(base).relativize($target).unwrap(), "d");
            assert_eq!(base.relativize($target).unwrap(), "d");
            assert_eq!(Relativize::new().relativize(base, $target).unwrap(), "d");
            assert!(!simd_iri_lint::lint($value, simd_iri_lint::Profile::Strict).is_empty());
        )+};
    }
    let (buf, boxed, shared) = (IriBuf::from(view), IriBox::from(view), IriArc::from(view));
    let (thin, cow) = (IriStr::from(view), Mapped::from(view));
    answers! {
        view, target; &view, &target; &&view, &&target;
        &buf, &IriBuf::from(target); buf.clone(), IriBuf::from(target);
        &boxed, &IriBox::from(target); boxed.clone(), IriBox::from(target);
        &shared, &IriArc::from(target); shared.clone(), IriArc::from(target);
        thin, IriStr::from(target); &thin, &IriStr::from(target);
        cow.clone(), Mapped::from(target); &cow, &Mapped::from(target);
    }
    // A result that borrows from its argument needs a Rust reference to an owner.
    macro_rules! borrows {
        ($($value:expr),+) => {$(
            assert_eq!(Normalize::scheme().map($value).unwrap(), target);
            assert!(ToUri::new().map($value).unwrap().is_borrowed());
            assert_eq!(ToIri::new().map($value), "HTTP://a:80/b/d");
            assert_eq!(Base::new($value).resolve("d").unwrap(), "HTTP://a:80/b/d");
        )+};
    }
    borrows!(view, &view, thin, &thin, &buf, &boxed, &shared, &cow);
    assert_eq!(base.resolve(view).unwrap(), view);
    assert_eq!(base.resolve(&buf).unwrap(), view);
    // A kind that does not include the kind of the argument is checked.
    let uri = uri!("http://a/b/c");
    macro_rules! narrows {
        ($($value:expr),+) => {$( assert_eq!(uri.resolve($value).unwrap(), view); )+};
    }
    narrows!(view, &buf, thin.view(), boxed.view(), shared.view(), cow.view());
    let owned = BaseBuf::new(base.into());
    assert_eq!(Relativize::new().relativize(&owned, target).unwrap(), "d");
    assert_eq!(Relativize::new().relativize(&IriBuf::from(base), target).unwrap(), "d");
    assert_eq!(owned.relativize(target).unwrap(), "d");
}

/// The kind of a base is `Iri` where no kind is named.
struct Page<'a> {
    base: Option<Base<'a>>,
}

#[test]
fn what_is_typed_first_exists() {
    const HOME: IriStr<'_> = iri!("http://a/b").as_checked();
    let page = Page { base: Some(Base::from(HOME.into_view())) };
    assert_eq!(page.base.unwrap().resolve("c").unwrap(), "http://a/c");

    let mut iri = iri!("https://a/b%20c/?q=1#f").to_buf();
    assert!(iri.is_scheme("https") && iri.port_or_default() == Some(443) && iri.len() == 22);
    assert_eq!(iri.without_fragment(), "https://a/b%20c/?q=1");
    assert!(iri.decoded_segments().eq(["b c", ""]));
    let parts: Vec<_> =
        iri.parts().iter().map(|(part, range)| (part, &iri.as_str()[range])).collect();
    assert_eq!(parts[0], (Component::Scheme, "https"));
    iri.append_query_pair("page", "2").unwrap();
    iri.retain_query_pairs(|name, value| (name, value) != ("q", "1"));
    iri.set_authority("c:8080").unwrap();
    assert_eq!(iri, "https://c:8080/b%20c/?page=2#f");

    // A component of another reference is not encoded again.
    let other = iri!("https://b/p%20q?r=%26&s#%25");
    let mut out = iri!("http://a/").to_buf();
    out.set_path(other.encoded_path()).unwrap();
    out.set_query(other.encoded_query()).unwrap();
    out.set_fragment(other.encoded_fragment()).unwrap();
    assert_eq!(out, "http://a/p%20q?r=%26&s#%25");
    assert_eq!(out.with_path("/%20").unwrap().path(), "/%2520");
    let query: Encoded<&str> = other.encoded_query().transpose().unwrap();
    let (name, value) = query.split('&').next().unwrap().split_once('=').unwrap();
    assert!(name.as_str() == "r" && value.as_str() == "%26" && value.decodes_to("&"));
    assert_eq!(value.decode().utf8().unwrap(), "&");
    assert!(query.split('&').all(|pair| pair != Encoded("t")));

    // Pairs of a form stay pairs of a form.
    let form = iri!("http://a/?q=a+b&utm_x=1");
    let mut out = form.to_buf();
    out.set_query_pairs(form.query_form().filter(|pair| !pair.0.starts_with("utm_"))).unwrap();
    assert_eq!(out, "http://a/?q=a+b");
    for FormPair(name, value) in out.query_form() {
        assert!(name == "q" && value == "a b");
    }
    let map: HashMap<_, _> = form.query_form().map(|FormPair(n, v)| (n, v)).collect();
    assert_eq!(map["q"], "a b");

    // An authority, and the address of its host.
    let local = iri!("http://me@[::1]/a");
    assert_eq!(local.authority_ref(), iri!("ftp://me@[::1]").authority_ref());
    let addresses = std::net::ToSocketAddrs::to_socket_addrs(&local.host_and_port().unwrap());
    assert_eq!(addresses.unwrap().next(), Some("[::1]:80".parse().unwrap()));

    let text = String::from("a b");
    assert_eq!(Rule::Iri.validate(&text), Rule::Iri.parse(&text).map(drop));
    assert!(
        Rule::IriReference.violations(&text).count() == 1
            && !ComponentRule::Ipv6Address.is_valid("::g")
    );
    assert_eq!("Syntax".parse(), Ok(Level::Syntax));
    let refused = IriRef::parse_until("a b> c", b'>').unwrap_err();
    assert_eq!((refused.span(), refused.kind()), (1..2, ErrorKind::NotAllowed));
    let source = std::error::Error::source(&refused).unwrap();
    assert_eq!(source.downcast_ref::<Error>(), Some(&refused.error()));
    assert_eq!(Document::html().write(uri!("a:?b&c")), "a:?b&amp;c");
    {
        use simd_iri_text::{Prepare, Prepared, RepairSet};
        let prepared: Prepared<'_> =
            Prepare::new(RepairSet::BrowserLike).prepare(" a:b?c").unwrap();
        assert_eq!((prepared.view().query(), prepared.to_string().as_str()), (Some("c"), "a:b?c"));
        assert_eq!(prepared.into_iri().unwrap(), "a:b?c");
    }
}

/// A base that owns its text resolves as a base that borrows its text does.
#[test]
fn owned_bases_resolve_as_borrowed_ones() {
    for base in ["http://a", "http://a/", "http://a/b/../c?d#e", "urn:a", "urn:a/b", "a:", "a:/b"] {
        let (owned, borrowed) = (BaseBuf::parse(base).unwrap(), Base::parse(base).unwrap());
        for reference in ["", "a", "../a", "//b", "/c", "?d", "#e", "urn:f", "a:g", "./h/./../i"] {
            assert_eq!(owned.resolve(reference), borrowed.resolve(reference));
            let lenient = owned.clone().lenient(true);
            assert_eq!(lenient.resolve(reference), borrowed.lenient(true).resolve(reference));
            let again = BaseBuf::from(lenient.as_base());
            assert_eq!(again.resolve(reference), lenient.resolve(reference));
        }
    }
    let uris: BaseBuf<kind::Uri> = "http://a/b".parse().unwrap();
    assert_eq!(uris.resolve("c").unwrap(), uri!("http://a/c"));
    assert!(uris.resolve("é").is_err());
}

#[test]
fn constants_have_components() {
    const IRI: Iri<'_> = iri!("http://u:p@例え.jp:80/a?b#c");
    const PATH: &str = IRI.path();
    const SCHEME: &str = IRI.scheme();
    const HOST: Option<&str> = IRI.host_str();
    const OTHERS: [Option<&str>; 5] =
        [IRI.authority(), IRI.userinfo(), IRI.port(), IRI.query(), IRI.fragment()];
    const RELATIVE: Option<&str> = iri_ref!("a").scheme();
    assert_eq!((SCHEME, HOST, PATH, RELATIVE), ("http", Some("例え.jp"), "/a", None));
    let others = ["u:p@例え.jp:80", "u:p", "80", "b", "c"].map(Some);
    assert_eq!(OTHERS, others);
}

#[test]
fn values_are_shown() {
    let view = iri!("http://u:pw@a/");
    assert_eq!(format!("{view:?}"), "\"http://u:***@a/\"");
    assert_eq!(format!("{:?}", IriArc::from(view)), format!("{view:?}"));
    assert_eq!(format!("{:?}", iri_ref!("a/é'?")), "\"a/é'?\"");
    for text in ["http://u:pw@a/", "//u:é'@a"] {
        let reference = IriRef::parse(text).unwrap();
        assert_eq!(format!("{reference:?}"), format!("{:?}", reference.masked().to_string()));
        assert!(!format!("{reference:#?}").contains(reference.password().unwrap()));
    }
    assert!(format!("{view:#?}").contains("path: \"/\""));
    let error = Iri::parse("a:b c").unwrap_err();
    assert_eq!(format!("{} {}", error.kind(), error.component()), "character-not-allowed path");
    for text in ["http://[::1]/", "http://[v1.x]", "http://10.0.0.1", "http://é", "file:///"] {
        let iri = Iri::parse(text).unwrap();
        assert_eq!(Some(&*iri.host().unwrap().to_string()), iri.host_str());
    }
}

#[test]
fn the_empty_reference_is_the_default() {
    assert_eq!(IriRefBuf::default(), "");
    assert_eq!(UriRefBuf::default(), IriRef::default());
    assert_eq!(IriRef::default(), IriRef::parse("").unwrap());
    assert_eq!(Builder::<kind::IriReference>::default().build().unwrap(), "");
}

#[test]
fn builders_take_owned_texts() {
    let host = String::from("b");
    let built = IriBuf::builder()
        .scheme(String::from("a"))
        .host(&host)
        .path(format!("/{}", "c d"))
        .query(Text::Borrowed("é"))
        .fragment(Encoded(String::from("%20")));
    assert_eq!(built.build().unwrap(), "a://b/c%20d?é#%20");
    assert!(IriRefBuf::builder().path(Encoded(String::from("%"))).build().is_err());
    assert_eq!(iri!("a:b").with_scheme(String::from("c")).unwrap(), "c:b");
    assert_eq!(iri_ref!("a:b").with_scheme(None).unwrap(), "b");
}

#[test]
fn errors_tell_where_the_terminator_is() {
    let stop = Terminators::new(b">").unwrap();
    let (iri, rest) = Iri::parse_until_bytes(b"a:b> .", stop).unwrap();
    assert_eq!((iri.as_str(), rest), ("a:b", &b"> ."[..]));
    for text in ["a b> .", "é|>", ">", "|", "", "a:b"] {
        let expected = text.find('>').unwrap_or(text.len());
        let (one, other) =
            (Iri::parse_until(text, stop), Iri::parse_until_bytes(text.as_bytes(), stop));
        assert_eq!(one.map(|(iri, _)| iri), other.map(|(iri, _)| iri));
        let end = one.map_or_else(|refused| refused.end(), |(_, rest)| text.len() - rest.len());
        assert_eq!(end, expected);
    }
    assert_eq!(Iri::parse_until_bytes(b"a:\xFF>", stop).unwrap_err().end(), 3);
}

#[test]
fn batches_take_slices_and_hand_over() {
    let batch = Batch::new(Rule::Iri);
    let texts = ["a:b", "c", "", "d:é", "e f"];
    let owned: Vec<String> = texts.iter().map(|text| String::from(*text)).collect();
    assert_eq!(batch.count(&texts[..]), batch.count(&texts));
    assert_eq!(batch.count(&owned), batch.count(&texts));
    assert_eq!(batch.count(&texts).valid, 2);
    assert_eq!(batch.count(&texts[..0]).items, 0);
    for (item, text) in batch.parse(&texts).zip(texts) {
        assert_eq!((item.start(), item.text()), (0, Some(text)));
        assert_eq!(item.view(), IriRef::parse_as(Rule::Iri, text).ok());
        assert_eq!(item.error(), Iri::parse(text).err());
    }
    assert!(batch.valid(&texts).eq(["a:b", "d:é"].map(str::as_bytes)));
    assert!(batch.invalid(&owned).eq(["c", "", "e f"].map(str::as_bytes)));

    let (mut one, mut other) = (Columns::with_capacity(5), Columns::new());
    batch.columns(&texts, &mut one);
    batch.columns(Separated::lines(texts.join("\n").as_bytes()), &mut other);
    let (one, other) = (one.into_parts(), other.into_parts());
    assert_eq!((one.path, one.end, one.errors), (other.path, other.end, other.errors));
    fn generic<'a>(items: impl IntoItems<'a>) -> u64 {
        Batch::new(Rule::Iri).count(items).items
    }
    assert_eq!(generic(&texts) + generic(Separated::lines(b"a\nb")), 7);
}

#[test]
fn formats_have_a_call_each() {
    assert!(is_iri("a:é") && is_iri_reference("é") && is_uri("a:b") && is_uri_reference("b"));
    assert!(!is_iri("é") && !is_iri_reference("|") && !is_uri("a:é") && !is_uri_reference("é"));
}

#[test]
fn what_is_stored_is_written_and_read() {
    let error = Iri::parse("a:b c").unwrap_err();
    let json = serde_json::to_value((error, Rule::Uri, iri!("a:é").to_uri().unwrap())).unwrap();
    assert_eq!(
        json,
        serde_json::json!([{
            "code": "character-not-allowed", "component": "path", "start": 3, "end": 4,
            "message": error.to_string(),
        }, "URI", "a:%C3%A9"])
    );
    assert_eq!(serde_json::from_str::<Rule>("\"IRI\"").unwrap(), Rule::Iri);
}

mod http_types {
    use http::{HeaderValue, Uri as HttpUri};
    use simd_iri::{errors::*, *};

    #[test]
    fn what_http_holds_comes_back() {
        for text in [
            "http://a/b?c",
            "https://u@[::1]:80/?",
            "/a//b?c=d",
            "/",
            "*",
            "//a:80",
            "//a",
            "x://a/%C3%A9",
            "HTTP://EXAMPLE.org/",
        ] {
            let reference = UriRefBuf::parse(text).unwrap();
            let http = HttpUri::try_from(&reference).unwrap();
            let back = UriRefBuf::try_from(http.clone()).unwrap();
            assert!(back == text || back.is_equivalent(reference.view(), Level::Scheme), "{text}");
            assert_eq!(HttpUri::try_from(back).unwrap(), http);
        }
        assert_eq!(HttpUri::try_from(uri!("http://a")).unwrap(), "http://a/");
    }

    #[test]
    fn what_http_does_not_hold_is_an_error() {
        use ConvertError::*;
        for (text, error) in [
            ("http://a/#b", Fragment),
            ("#", Fragment),
            ("http://é/", NonAscii),
            ("", Form),
            ("a", Form),
            ("a/b", Form),
            ("a:80", NoAuthority),
            ("urn:a", NoAuthority),
            ("?a", Form),
            ("//a/b", Form),
            ("//a?b", Form),
            ("*?a", Form),
            ("../a", Form),
            ("http://a:99999/", Misread),
        ] {
            let found = HttpUri::try_from(IriRef::parse(text).unwrap());
            assert_eq!(found.unwrap_err(), error, "{text}");
        }
        for text in ["http://", "file:///a"] {
            let error = HttpUri::try_from(IriRef::parse(text).unwrap()).unwrap_err();
            // The error is that of `http` about the text, and the message has its words.
            let source = HttpUri::try_from(text).unwrap_err().to_string();
            assert_eq!(std::error::Error::source(&error).unwrap().to_string(), source, "{text}");
            assert!(matches!(&error, Refused(_)) && error.to_string().contains(&source), "{error}");
        }
    }

    #[test]
    fn no_form_of_http_is_taken_for_another() {
        let reference = |text: &'static str| UriRefBuf::try_from(HttpUri::from_static(text));
        let connect = reference("localhost:443").unwrap();
        assert_eq!((connect.scheme(), connect.authority()), (None, Some("localhost:443")));
        let path = reference("//a/b").unwrap();
        assert_eq!((path.authority(), path.path()), (None, "/.//a/b"));
        assert_eq!(reference("*").unwrap(), "*");
        assert!(UriBuf::try_from(HttpUri::from_static("localhost:443")).is_err());
        assert!(UriBuf::try_from(HttpUri::from_static("/a")).is_err());
        let strange = HttpUri::from_static("/a\"b");
        assert_eq!(UriRefBuf::try_from(strange.clone()).unwrap_err().into_text(), strange);
    }

    #[test]
    fn locations_are_references() {
        let value = HeaderValue::try_from(uri_ref!("../a?b#c")).unwrap();
        assert_eq!(UriRef::try_from(&value).unwrap(), uri_ref!("../a?b#c"));
        assert_eq!(UriRefBuf::try_from(&value).unwrap(), "../a?b#c");
        assert_eq!(HeaderValue::try_from(iri!("a:é").to_uri().unwrap()).unwrap(), "a:%C3%A9");
        assert_eq!(HeaderValue::try_from(iri!("a:é")).unwrap_err(), ConvertError::NonAscii);
        let latin = HeaderValue::from_bytes(b"/caf\xE9").unwrap();
        assert!(IriRef::try_from(&latin).is_err());
    }
}

mod url_types {
    use simd_iri::{component::*, errors::*, *};
    use url::Url;

    #[test]
    fn references_become_urls_and_come_back() {
        for (text, url) in [
            ("http://a/b?c#d", "http://a/b?c#d"),
            ("http://a", "http://a/"),
            ("HTTP://É.example:80/a/../é", "http://xn--9ca.example/%C3%A9"),
            ("file:/a", "file:///a"),
            ("file://localhost/a", "file:///a"),
            ("urn:a:b", "urn:a:b"),
            ("mailto:a@b", "mailto:a@b"),
            ("a:///b", "a:///b"),
            ("http://0x7f.1/", "http://127.0.0.1/"),
        ] {
            let found = Url::try_from(IriBuf::parse(text).unwrap()).unwrap();
            assert_eq!(found.as_str(), url);
            assert_eq!(UriBuf::try_from(&found).unwrap(), url);
            assert_eq!(Iri::try_from(&found).unwrap(), url);
            assert_eq!(IriRefBuf::try_from(found).unwrap(), url);
        }
    }

    #[test]
    fn what_urls_do_not_hold_is_an_error() {
        use ConvertError::*;
        for (text, error) in [
            ("http:a", Misread),
            ("http:/a", Misread),
            ("http:///a", Misread),
            ("file:a", Misread),
            ("file://C:/a", Misread),
            ("a", Form),
            ("//a/b", Form),
            ("", Form),
        ] {
            let reference = IriRef::parse(text).unwrap();
            assert_eq!(Url::try_from(reference), Err(error), "{text}");
        }
        for text in ["http://", "http://a:99999/", "http://[v1.a]/", "http://1.2.3.256/"] {
            let error = Url::try_from(IriRef::parse(text).unwrap()).unwrap_err();
            let source: &url::ParseError =
                std::error::Error::source(&error).and_then(|source| source.downcast_ref()).unwrap();
            assert_eq!(Url::parse(text), Err(*source));
            assert!(
                matches!(&error, Refused(_)) && error.to_string().contains(&source.to_string()),
                "{error}"
            );
        }
        let url = Url::parse("http://a/?b|c").unwrap();
        assert_eq!(UriBuf::try_from(url.clone()).unwrap_err().into_text(), url);
    }

    /// The rows of "Names that you may know" in the cookbook: what `url` does, and what the row writes for it.
    #[test]
    fn the_rows_of_the_cookbook_do_what_url_does() {
        for text in [
            "http://h/b%20c/d?k=a+b&k=50%25&=&x",
            "http://h/%2Fx//y/?",
            "https://h/?q=%C3%A9&a=b=c",
        ] {
            let (url, iri) = (Url::parse(text).unwrap(), Iri::parse(text).unwrap());
            // The first segment of a path that begins with a slash is what follows the slash.
            assert!(url.path_segments().unwrap().eq(iri.segments()), "{text}");
            let form = iri
                .query_form()
                .map(|query::FormPair(name, value)| (name.to_string(), value.to_string()));
            assert!(url.query_pairs().into_owned().eq(form), "{text}");
        }
        for path in ["/a", "/a%20b", "/%2Fa//b", "/"] {
            for query in ["k=50%25&r=%2Fx", "", "a=b+c"] {
                let (mut url, mut buf) = (
                    Url::parse("http://h/x?y#z").unwrap(),
                    IriBuf::parse("http://h/x?y#z").unwrap(),
                );
                url.set_path(path);
                buf.set_path(Encoded(path)).unwrap();
                url.set_query(Some(query));
                buf.set_query(Encoded(query)).unwrap();
                url.set_fragment(None);
                buf.set_fragment(None::<&str>).unwrap();
                assert_eq!(buf, url.as_str());
                assert_eq!(
                    buf.segments().collect::<Vec<_>>(),
                    url.path_segments().unwrap().collect::<Vec<_>>()
                );
            }
        }
        // Without `Encoded`, a percent sign is data.
        let mut buf = IriBuf::parse("http://h/").unwrap();
        buf.set_path("/a%20b").unwrap();
        assert_eq!(buf, "http://h/a%2520b");
    }

    #[test]
    fn the_origin_is_that_of_url() {
        for text in [
            "https://例え.jp/a",
            "https://xn--r8jz45g.jp:443/",
            "http://EXAMPLE.org:8080/",
            "http://bücher.example",
            "http://[0::1]/",
        ] {
            let (url, iri) = (Url::parse(text).unwrap(), Iri::parse(text).unwrap());
            assert_eq!(
                iri.origin().unwrap().to_string(),
                url.origin().ascii_serialization(),
                "{text}"
            );
        }
    }
}

/// Segments are drawn from pieces that lead out of a folder when they are joined, spelled in several ways.
#[test]
fn a_relative_path_stays_below_its_folder() {
    let pieces = [
        "a", "..", ".", "%2e%2e", "%2E.", "..%2F", "%5c..", "C:", "c%3A", "%00", "", "é", "%FF",
        "b%20c", "...", ".. ", "x:y",
    ];
    let folder = std::path::Path::new("/srv/site");
    let (mut some, mut none) = (0, 0);
    for first in pieces {
        for second in pieces {
            for third in pieces {
                let path = format!("{first}/{second}/{third}").replace(' ', "%20");
                let iri = IriBuf::parse(format!("http://h/{path}")).unwrap();
                let Ok(name) = iri.to_relative_path() else {
                    none += 1;
                    continue;
                };
                some += 1;
                // As POSIX and as Windows read the name.
                for segment in name.split(['/', '\\']) {
                    assert!(!matches!(segment.trim_end_matches(' '), "." | ".."), "{path}: {name}");
                }
                assert!(
                    !name.starts_with(['/', '\\']) && !name.contains(['\\', '\0']),
                    "{path}: {name}"
                );
                assert!(name.as_bytes().get(1) != Some(&b':'), "{path}: {name}");
                assert!(folder.join(&name).starts_with(folder), "{path}: {name}");
                // Each name comes from the segments that are there.
                let kept = iri.decoded_segments().filter(|segment| !matches!(&**segment, "" | "."));
                assert_eq!(name, kept.collect::<Vec<_>>().join("/"));
            }
        }
    }
    assert!(some > 200 && none > 1000, "{some} {none}");
    for (text, error) in [
        ("http://h/a/%2e%2e/b", FileNameError::Above),
        ("http://h/..%2Fetc", FileNameError::Separator),
        ("http://h/a%5Cb", FileNameError::Separator),
        ("http://h/a%00", FileNameError::Nul),
        ("http://h/C:/b", FileNameError::Drive),
        ("http://h/%FF", FileNameError::NotUtf8),
    ] {
        assert_eq!(Iri::parse(text).unwrap().to_relative_path(), Err(error), "{text}");
    }
    assert_eq!(Iri::parse("http://h").unwrap().to_relative_path().unwrap(), "");
}

/// What is there by mistake is removed, whatever it is.
#[test]
fn what_is_before_a_scheme_by_mistake_is_removed() {
    for before in [" ", "\t", "\n", "\u{A0}", "\u{FEFF}", "\u{200B}", "\u{202A}", "\0", "\u{3000}"]
    {
        let error = Iri::parse(&format!("{before}http://a/")).unwrap_err().to_string();
        assert!(
            error.ends_with(" at byte 0 is not allowed in a scheme; remove it"),
            "{before:?}: {error}"
        );
    }
    for before in ["1", "-", "é", "|"] {
        let error = Iri::parse(&format!("{before}http://a/")).unwrap_err().to_string();
        assert!(error.contains("begin it with a letter"), "{before:?}: {error}");
    }
}

/// What the second reader typed first.
#[test]
fn items_of_iterators_are_taken_as_they_come() {
    let base = Base::parse("http://a/b").unwrap();
    let (texts, boxed) = (["c", "d e", "../f"], Box::<str>::from("g"));
    let found: Vec<_> = texts.iter().filter_map(|text| base.resolve(text).ok()).collect();
    assert_eq!(found, ["http://a/c", "http://a/f"]);
    assert_eq!(base.resolve(&boxed).unwrap(), "http://a/g");
    assert_eq!(base.resolve(&std::borrow::Cow::Borrowed("g")).unwrap(), "http://a/g");
    for host in &["a", "é"] {
        let built = IriBuf::builder().scheme("x").host(host).build().unwrap();
        assert_eq!(built.host_str(), Some(*host));
    }
    let parsed: Result<Vec<Iri<'_>>, _> = ["a:b", "c:d"].iter().map(Iri::try_from).collect();
    assert_eq!(parsed.unwrap().len(), 2);

    let texts = ["http://a/%7e", "http://A/~", "http://b/"];
    let mut owners: Vec<IriBuf> = texts.iter().map(|text| text.parse().unwrap()).collect();
    let mut views: Vec<Iri<'_>> = texts.iter().map(|text| Iri::parse(text).unwrap()).collect();
    owners.dedup_by(|a, b| a.is_equivalent(b, Level::Syntax));
    views.dedup_by_key(|view| Compare::new(Level::Syntax).fingerprint(view));
    assert_eq!((owners.len(), views.len()), (2, 2));

    let decoded = simd_iri::percent::decode("caf%E9");
    assert!(decoded.utf8().is_err());
    assert_eq!(decoded.bytes().unwrap(), &b"caf\xE9"[..]);
    let owned: IriBuf =
        Iri::parse("HTTP://a").unwrap().normalize(Normalize::syntax()).unwrap().into_owned();
    assert_eq!(owned, "http://a");
}

/// What the third reader typed first.
#[test]
fn borrowed_pairs_are_pairs() {
    let pairs = vec![(String::from("a"), String::from("1 2")), (String::from("é"), String::new())];
    let built = IriRefBuf::builder().query_pairs(&pairs).build().unwrap();
    assert_eq!(built, "?a=1%202&é=");
    let mut set: IriRefBuf = "x".parse().unwrap();
    set.set_query_pairs(&pairs).unwrap();
    assert_eq!(set, "x?a=1%202&é=");
    let form: Vec<_> = pairs.iter().map(|(name, value)| FormPair(name, value)).collect();
    set.set_query_pairs(&form).unwrap();
    assert_eq!(set, "x?a=1+2&é=");
    assert_eq!(IriBuf::parse_bytes(b"a:b").unwrap(), "a:b");
}

/// The calls of the table "Names that you may know" in the cookbook.
#[test]
fn names_of_other_libraries_have_a_name_here() {
    let iri = Iri::parse("https://u:p@example.org/a/b%20c?x=1+2&y=%C3%A9#f").unwrap();
    let mut buf: IriBuf = iri.to_owned();
    assert_eq!(IriBuf::parse(String::from("a:b")).unwrap(), "a:b");
    assert_eq!(IriBuf::parse(Text::Borrowed("a:b")).unwrap(), "a:b");
    assert_eq!(IriBuf::parse(Box::<str>::from("a:b")).unwrap(), "a:b");
    assert_eq!(iri.join("../c").unwrap(), "https://u:p@example.org/c");
    assert_eq!(buf.join("../c").unwrap(), iri.resolve("../c").unwrap());
    assert_eq!(iri.relativize(iri!("https://u:p@example.org/a/d")).unwrap(), "d");
    assert_eq!((iri.host_str(), iri.user()), (Some("example.org"), Some("u")));
    assert_eq!((iri.password(), iri.port_or_default()), (Some("p"), Some(443)));
    assert!(iri.decoded_segments().eq(["a", "b c"]));
    assert!(
        iri.query_form().eq([("x", "1 2"), ("y", "é")].map(|(a, b)| FormPair(a.into(), b.into())))
    );
    assert!(iri.query_pairs().eq([("x", "1+2"), ("y", "é")].map(|(a, b)| (a.into(), b.into()))));
    assert!(iri.origin().unwrap() == "https://example.org");
    assert!(iri.origin().unwrap() != "https://example.org:80" && iri.origin().unwrap() != *"https");
    assert_eq!(iri.authority_ref().unwrap().host_str(), Some("example.org"));
    assert_eq!(iri.normalize(Level::Syntax).unwrap(), iri.normalize(Normalize::syntax()).unwrap());
    assert_eq!(buf.normalize(Level::Scheme).unwrap(), iri.normalize(Normalize::scheme()).unwrap());
    assert!(
        IriRef::parse("//a").unwrap().is_relative() && !iri.is_relative() && !buf.is_relative()
    );
    assert_eq!(Iri::builder().scheme("a").path("b").build().unwrap(), "a:b");
    assert!(iri.encoded_path().split('/').any(|segment| segment.decodes_to("b c")));
    assert_eq!(percent::encode::<percent::QueryPart>("a&b").to_string(), "a%26b");
    let refused = IriBuf::try_from(String::from("a:b c")).unwrap_err();
    assert_eq!((refused.position(), refused.error().position()), (3, 3));
    assert_eq!(refused.into_text(), "a:b c");
    buf.push_segment("d").unwrap();
    buf.append_query_pair("z", "&").unwrap();
    let mut other = buf.clone();
    other.append_query_pairs([("a", "b c"), ("d", "")]).unwrap();
    buf.append_query_pairs([("", ""); 0]).unwrap();
    assert_eq!(other.query(), Some("x=1+2&y=%C3%A9&z=%26&a=b%20c&d="));
    buf.set_fragment(None::<&str>).unwrap();
    assert_eq!(buf, "https://u:p@example.org/a/b%20c/d?x=1+2&y=%C3%A9&z=%26");
}
