//! `Debug` of no public value writes a password: neither of a reference, nor of an error that holds the text, nor of what
//! searches or reads a text. The last test reads the sources: every public type that holds a text is in the list.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use simd_iri::batch::{Batch, ByteSlice, Columns, Separated, Slice, Spanned, Stream, TextColumn};
use simd_iri::{
    Base, BaseBuf, Iri, IriBuf, IriRef, IriRefBuf, Normalize, Rule, ToUri, UriBuf,
    charset::LegacyError,
    component::{Encoded, Value},
    encoding_rs,
    http_message::{Field, Target},
    kind,
    parser::Memo,
    percent,
};
use simd_iri_judge as judge;
use simd_iri_lint::{Direction, Embed, Lint, Profile};
use simd_iri_redact::Redact;
use simd_iri_rules::{QueryRules, RuleFormat, Unwrap};
use simd_iri_template::{Template, Variables};
use simd_iri_text::{Extract, LinkStream, Markup, Prepare, RepairSet, Schemes};

const SECRET: &str = "s3cr3tpw";
/// A reference with the password, and a text that is no reference.
const VALID: &str = "http://me:s3cr3tpw@h.example/a";
const INVALID: &str = "http://me:s3cr3tpw@h.example/a b";
/// The password where a parser finds no userinfo, or only with its escapes.
const OTHERS: [&str; 4] = [
    "http://me:s3cr3tpw@h.example:x/",
    "http:me:s3cr3tpw@h.example",
    "http:\\/\\/me:s3cr3tpw@h.example\\/",
    "postgres://me:s3cr3tpw@h.example/a",
];

/// The types that were formatted.
#[derive(Default)]
struct Seen(BTreeSet<&'static str>);

impl Seen {
    /// Formats a value of a type in both ways, and the bytes in it as numbers.
    fn hides(&mut self, name: &'static str, value: &dyn Debug) {
        self.0.insert(name);
        let numbers: Vec<String> = SECRET.bytes().take(4).map(|byte| byte.to_string()).collect();
        for text in [format!("{value:?}"), format!("{value:#?}")] {
            assert!(!text.contains(SECRET), "{name}: {text}");
            let joined: String = text.split_whitespace().collect();
            assert!(!joined.contains(&numbers.join(",")), "{name}: {text}");
        }
    }
}

/// Formats a value of every public type that holds a text.
fn all() -> Seen {
    let mut seen = Seen::default();
    let iri = Iri::parse(VALID).unwrap();
    seen.hides("View", &iri);
    seen.hides("Buf", &IriBuf::from(iri));
    seen.hides("Mapped", &iri.to_uri().unwrap());
    seen.hides("Checked", &simd_iri::thin::IriStr::parse(VALID).unwrap());
    seen.hides("Checked", &simd_iri::thin::Checked::<Arc<str>, kind::Iri>::parse(VALID).unwrap());
    seen.hides("Masked", &iri.masked());
    seen.hides("Base", &Base::new(iri));
    seen.hides("BaseBuf", &BaseBuf::from(IriBuf::from(iri)));
    seen.hides("Origin", &iri.origin().unwrap());
    seen.hides("Target", &Target::parse(VALID).unwrap());
    let template = Template::parse("http://me:s3cr3tpw@h.example/{a}{?b*}").unwrap();
    let captures = template.match_uri("http://me:s3cr3tpw@h.example/s3cr3tpw?b=s3cr3tpw").unwrap();
    seen.hides("Template", &template);
    seen.hides("Captures", &captures);
    captures.iter().for_each(|capture| seen.hides("Capture", capture));
    captures.iter().for_each(|capture| seen.hides("Value", capture.value()));
    seen.hides("Variables", &Variables::from(&captures));
    seen.hides("TemplateError", &Template::parse("s3cr3tpw{").unwrap_err());
    let refused = IriBuf::try_from(INVALID.to_owned()).unwrap_err();
    seen.hides("InvalidText", &refused);
    seen.hides("Error", &refused.error());
    seen.hides(
        "InvalidText",
        &simd_iri::thin::Checked::<Box<str>, kind::Iri>::try_from(String::from(INVALID))
            .unwrap_err(),
    );
    seen.hides(
        "InvalidText",
        &simd_iri::thin::Checked::<Arc<str>, kind::Iri>::try_from(Arc::from(INVALID)).unwrap_err(),
    );
    seen.hides("InvalidText", &BaseBuf::<kind::Iri>::try_from(INVALID.to_owned()).unwrap_err());
    let with_bracket = http::Uri::from_static("http://me:s3cr3tpw@h.example/{");
    seen.hides("InvalidText", &UriBuf::try_from(with_bracket).unwrap_err());
    let with_bracket = url::Url::parse("http://me:s3cr3tpw@h.example/?[").unwrap();
    seen.hides("InvalidText", &UriBuf::try_from(with_bracket).unwrap_err());
    seen.hides(
        "LegacyError",
        &IriBuf::from_legacy(INVALID.as_bytes(), encoding_rs::WINDOWS_1252).unwrap_err(),
    );
    seen.hides("LegacyError", &LegacyError::IllFormed { at: 1 });
    let builder = || IriRefBuf::builder().scheme("http").host("h");
    seen.hides("Builder", &builder().userinfo("me:s3cr3tpw"));
    seen.hides("Builder", &builder().userinfo(Encoded("me:s3cr3tpw")));
    seen.hides("Builder", &simd_iri::Builder::from(iri));
    seen.hides("Value", &Value::from("me:s3cr3tpw"));
    seen.hides("Encoded", &Encoded("me:s3cr3tpw"));
    seen.hides("Encode", &percent::encode::<percent::Path>("me:s3cr3tpw"));
    seen.hides("Decode", &percent::decode("me:s3cr3tpw"));
    for text in [VALID, INVALID].into_iter().chain(OTHERS) {
        let bytes = text.as_bytes();
        let keys = simd_iri_archive::Keys::new(simd_iri_archive::Profile::Heritrix);
        seen.hides("Key", &keys.key(text));
        seen.hides("KeyRange", &keys.range(text, simd_iri_archive::Scope::Exact).unwrap());
        seen.hides("Violations", &Rule::Iri.violations_bytes(bytes));
        let mut memo = Memo::new(Rule::Iri);
        let _ = memo.parse(text);
        seen.hides("Memo", &memo);
        if let Err(error) = Iri::parse(text) {
            seen.hides("Error", &error);
        }
        let batch = Batch::new(Rule::Iri);
        let texts = [text];
        seen.hides("Separated", &Separated::lines(bytes));
        seen.hides("Slice", &Slice::new(&texts));
        seen.hides("ByteSlice", &ByteSlice::new(&texts));
        seen.hides("Spanned", &Spanned::new(bytes, &[(0, bytes.len() as u32)]).unwrap());
        seen.hides("TextColumn", &TextColumn::new(&[0_i32, bytes.len() as i32], bytes).unwrap());
        seen.hides("Parsed", &batch.parse(Separated::lines(bytes)));
        seen.hides("Parsed", &batch.parse(&texts));
        for item in batch.parse(Separated::lines(bytes)) {
            seen.hides("Item", &item);
        }
        seen.hides("Selected", &batch.not_normal(Separated::lines(bytes), Normalize::syntax()));
        let mut columns = Columns::default();
        batch.columns(Separated::lines(bytes), &mut columns);
        seen.hides("Columns", &columns);
        let mut stream = Stream::new(batch, b'\n', 1 << 10).unwrap();
        stream.push(bytes, |item| drop(format!("{item:?}")));
        seen.hides("Stream", &stream);
        for markup in Markup::ALL {
            let extract = Extract::new().schemes(Schemes::Any).markup(*markup).broken(true);
            seen.hides("Extract", &extract);
            seen.hides("Links", &extract.links(text));
            for link in extract.links(text) {
                seen.hides("Link", &link);
                if let Ok(prepared) = link.prepare() {
                    let is_hierarchical = prepared.view().authority().is_some();
                    if is_hierarchical && !prepared.view().path().contains(SECRET) {
                        seen.hides("Prepared", &prepared);
                    }
                }
            }
            let mut links = LinkStream::new(extract, 1 << 10);
            links.push(bytes, |_, _| {});
            seen.hides("LinkStream", &links);
        }
        let prepare = Prepare::new(RepairSet::BrowserLike).base(iri);
        seen.hides("Prepare", &prepare);
        if let Ok(prepared) = prepare.prepare(text) {
            if !prepared.view().path().contains(SECRET) {
                seen.hides("Prepared", &prepared);
            }
        }
        // The last of so many changes has the rest of the text.
        let many = format!("/{}#{text}", " ".repeat(1_100));
        for one in Prepare::new(RepairSet::BrowserLike).replacements(&many).unwrap_or_default() {
            seen.hides("Replacement", &one);
        }
        let redact = Redact::default();
        seen.hides("Redact", &redact);
        seen.hides("Redactions", &redact.redactions(text));
        redact.redactions(text).for_each(|one| seen.hides("Redaction", &one));
        seen.hides("Redacted", &redact.wrap(text));
        let rules = QueryRules::parse("$removeparam=a", RuleFormat::AdGuard).unwrap();
        seen.hides("QueryRules", &rules);
        if let Ok(view) = IriRef::parse(text) {
            seen.hides("Applied", &rules.apply(view));
            seen.hides("Unwrapped", &Unwrap::new().apply(view));
        }
        seen.hides("Unwrap", &Unwrap::new());
        seen.hides("FieldReferences", &Field::Link.references(bytes));
        seen.hides("MappedField", &ToUri::new().map_field(Field::Location, bytes));
        seen.hides("Embed", &Embed::new(Direction::LeftToRight).before(text).after(text));
        if let Ok(iri) = IriRef::parse(text) {
            seen.hides("Report", &Lint::new(Profile::Strict).report(iri));
        }
    }
    let legacy = IriRef::parse("http://me:s3cr3tpw@h.example/%E9").unwrap();
    let found = simd_iri_lint::interpret(legacy.as_str(), &[encoding_rs::WINDOWS_1252]).unwrap();
    assert!(!found.is_empty());
    found.iter().for_each(|found| seen.hides("Interpretation", found));
    let pairs = IriRef::parse("http://me:s3cr3tpw@h.example/?a=b").unwrap();
    seen.hides("Pairs", &pairs.query_pairs());
    seen.hides("FormPairs", &pairs.query_form());
    let secret = IriRef::parse("?a=s3cr3tpw").unwrap().query_pairs();
    let refused = secret.deserialize::<std::collections::HashMap<String, u8>>();
    seen.hides("QueryError", &refused.unwrap_err());
    seen.hides("Segments", &pairs.segments());
    seen.hides("Host", &pairs.host().unwrap());
    let policy = judge::Policy::public_web().only_host("s3cr3tpw.example").unwrap();
    seen.hides("Policy", &policy);
    for text in OTHERS.into_iter().chain([VALID, INVALID]) {
        seen.hides("Verdict", &policy.judge(text));
        seen.hides("Redirect", &policy.judge_redirect(text, VALID, 1));
    }
    seen
}

#[test]
fn no_password_is_written() {
    let seen = all();
    // The rest is written: a value without a secret can be told from another one.
    assert_eq!(format!("{:?}", Iri::parse(VALID).unwrap()), "\"http://me:***@h.example/a\"");
    assert!(
        format!("{:?}", IriBuf::try_from(INVALID.to_owned()).unwrap_err()).contains("NotAllowed")
    );
    assert!(format!("{:?}", IriRefBuf::builder().host("h").userinfo("a")).contains("***"));
    assert!(!format!("{:?}", IriRefBuf::builder().host("h")).contains("***"));
    println!("{} types", seen.0.len());
}

/// The messages of errors: of parsers, of `http` and of serde, whose own messages hold the text that was read.
#[test]
fn no_message_has_a_password() {
    #[derive(Deserialize)]
    struct Record<'a> {
        #[serde(borrow)]
        _view: Option<Iri<'a>>,
    }
    let mut messages = Vec::new();
    for text in [VALID, INVALID].into_iter().chain(OTHERS) {
        let json = serde_json::to_string(text).unwrap();
        messages.extend(serde_json::from_str::<IriBuf>(&json).err().map(|error| error.to_string()));
        messages
            .extend(serde_json::from_str::<Iri<'_>>(&json).err().map(|error| error.to_string()));
        messages.extend(
            serde_json::from_str::<simd_iri::thin::IriStr<'_>>(&json)
                .err()
                .map(|error| error.to_string()),
        );
        // A reader cannot lend the text.
        messages.extend(
            serde_json::from_reader::<_, IriBuf>(json.as_bytes())
                .err()
                .map(|error| error.to_string()),
        );
        let value = serde_json::Value::String(text.to_owned());
        let owned: Result<Iri<'_>, serde_json::Error> = Iri::deserialize(value.clone());
        let error = owned.unwrap_err();
        messages.extend([error.to_string(), format!("{error:?}")]);
        // With an escape, the text is not borrowed.
        let escaped = json.replacen('h', "\\u0068", 1);
        let error = serde_json::from_str::<Iri<'_>>(&escaped).unwrap_err();
        messages.extend([error.to_string(), format!("{error:?}")]);
        let record = format!("{{\"_view\":{escaped}}}");
        messages.extend(
            serde_json::from_str::<Record<'_>>(&record).err().map(|error| error.to_string()),
        );
        messages.extend(Iri::parse(text).err().map(|error| error.to_string()));
        messages.extend(IriBuf::try_from(text.to_owned()).err().map(|error| error.to_string()));
        messages.extend(Iri::parse(text).ok().and_then(|iri| {
            http::Uri::try_from(iri.with_fragment("x").ok()?)
                .err()
                .map(|error| format!("{error} {error:?}"))
        }));
        messages.extend(rule_errors(text));
    }
    assert!(messages.len() > 30, "{}", messages.len());
    for message in messages {
        assert!(!message.contains(SECRET), "{message}");
    }
}

fn rule_errors(text: &str) -> Vec<String> {
    let rules = Rule::ALL.iter().filter_map(|rule| rule.parse(text).err());
    rules.map(|error| format!("{error} {error:?}")).collect()
}

/// The public types whose definition mentions a text, and that hold none with userinfo: the reason.
const HARMLESS: &[(&str, &str)] = &[
    ("Question", "its variants have no values"),
    ("Explanation", "its texts are those of the library"),
    ("Separated", "is formatted"),
    ("Chunk", "is not formatted, and no user of the library can name it"),
    ("MaskedPart", "is what hides a password"),
    ("Edit", "its text is a correction"),
    ("Refusal", "its text is a reason"),
    ("UnknownName", "its texts are those of the library"),
    ("Rule", "its variants have the names of types"),
    ("Iri", "a kind, without values"),
    ("IriReference", "a kind, without values"),
    ("Uri", "a kind, without values"),
    ("UriReference", "a kind, without values"),
    ("ToUri", "its texts are names of schemes"),
    ("Schemes", "its texts are names of schemes"),
    ("LinkKind", "its variants have the names of types"),
    ("DataVersion", "its text is a version"),
    ("IpRange", "an address and a number"),
    ("AddressRange", "its texts are those of the library"),
    ("DataTable", "its text is a name"),
    ("At", "a block of a text: of the inside, and is not formatted"),
    ("Bytes", "a block in registers: of the inside, and is not formatted"),
    ("Query", "a question to a block: of the inside"),
    ("AsciiSet", "a set of characters: of the inside"),
    ("HighSet", "a set of bytes: of the inside"),
    ("AddressRow", "its text is that of the library: of the inside"),
    ("ByName", "a type without a value: of the inside"),
];

#[test]
fn every_public_type_with_a_text_is_formatted() {
    let seen = all().0;
    let mut pending =
        Vec::from(["src", "crates"].map(|folder| Path::new(crate::ROOT).join(folder)));
    let (mut count, mut missing) = (0, Vec::new());
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        for (name, body) in public_types(&path) {
            let words: Vec<&str> = body
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .filter(|word| !word.is_empty())
                .collect();
            let is_text = |word: &&str| {
                [
                    "str",
                    "String",
                    "u8",
                    "Cow",
                    "Mapped",
                    "Bytes",
                    "View",
                    "Buf",
                    "Iri",
                    "IriRef",
                    "IriRefBuf",
                    "Url",
                    "T",
                    "S",
                    "InvalidText",
                ]
                .contains(word)
            };
            let has_lifetime = body.contains('\'');
            if !words.iter().any(is_text) && !has_lifetime {
                continue;
            }
            count += 1;
            let is_known =
                seen.contains(name.as_str()) || HARMLESS.iter().any(|(known, _)| *known == name);
            if !is_known {
                missing.push(format!("{name} of {}", path.display()));
            }
        }
    }
    assert!(count > 25, "{count}");
    assert!(missing.is_empty(), "format them in `all`, or say why they are harmless: {missing:#?}");
}

/// The public types of a file, each with the fields of its definition.
fn public_types(path: &PathBuf) -> Vec<(String, String)> {
    let text = fs::read_to_string(path).unwrap();
    // Of fields with documentation, the code alone.
    let code: Vec<&str> =
        text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let code = code.join("\n");
    let mut found = Vec::new();
    for keyword in ["\npub struct ", "\npub enum "] {
        for (at, _) in code.match_indices(keyword) {
            let rest = &code[at + keyword.len()..];
            let name: String =
                rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            let end =
                rest.find("\n}").into_iter().chain(rest.find(";\n")).min().unwrap_or(rest.len());
            found.push((name, rest[..end].to_owned()));
        }
    }
    found
}
