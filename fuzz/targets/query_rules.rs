//! A file of rules, and a link, with a zero byte between them: an error of the file has its place in it. The result of the
//! rules is a reference, and is its own result unless it is a redirection. The result of an unwrapping is a reference, and
//! its levels one after another are its levels at once. A link that is wrapped around the link comes out.
#![no_main]

use libfuzzer_sys::fuzz_target;
use simd_iri::{Iri, IriRef, IriRefBuf, percent};
use simd_iri_rules::{QueryRules, RuleFormat, Unwrap};

fuzz_target!(|bytes: &[u8]| {
    let [first, rest @ ..] = bytes else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let (file, link) = text.split_once('\0').unwrap_or(("", text));
    let format = RuleFormat::ALL[usize::from(*first) % RuleFormat::ALL.len()];
    let rules = QueryRules::parse(file, format);
    if let Err(error) = &rules {
        let line = file.split('\n').nth(error.line() - 1).expect("a line of the file");
        assert!(error.column() <= line.chars().count() + 1, "{error}");
    }
    let Ok(link) = IriRef::parse(link) else { return };
    wrapped(link.as_str());
    let Ok(rules) = rules else { return };
    let applied = rules.apply(link);
    parsed(applied.reference());
    if !applied.is_redirected() {
        assert_eq!(rules.apply(applied.reference()).reference(), applied.reference().as_str());
    }
    let all = [&rules];
    levels(Unwrap::new().levels(first >> 4).rules(&all), link);
});

/// Checks that the offsets of a reference are those of its text.
fn parsed(reference: IriRef<'_>) {
    assert_eq!(IriRef::parse(reference.as_str()).map(IriRef::parts), Ok(reference.parts()));
}

/// Unwraps a link at once and level by level.
fn levels(unwrap: Unwrap<'_>, link: IriRef<'_>) {
    let unwrapped = unwrap.apply(link);
    parsed(unwrapped.reference());
    let mut by_one = IriRefBuf::from(link);
    for wrapper in unwrapped.wrappers() {
        let next = unwrap.levels(1).apply(by_one.view());
        assert_eq!(next.wrappers(), [*wrapper]);
        by_one = next.into_reference().into_owned();
    }
    assert_eq!(by_one, unwrapped.reference().as_str());
}

/// Wraps a link, and unwraps it.
fn wrapped(target: &str) {
    let Ok(target) = Iri::parse(target) else { return };
    let has_host = target.host_str().is_some_and(|host| !host.is_empty());
    if !(has_host && (target.is_scheme("http") || target.is_scheme("https"))) {
        return;
    }
    let value = percent::encode::<percent::Unreserved>(target.as_str());
    let link = format!("https://a.safelinks.protection.outlook.com/?url={value}&data=x");
    let link = IriRef::parse(&link).expect("a reference");
    assert_eq!(Unwrap::new().apply(link).reference(), target.as_str());
}
