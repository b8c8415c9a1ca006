//! The syntax of paths and queries in ftp, mailto, data, urn and tag, each by the RFC of the scheme. A
//! character outside ASCII counts as its triplets.
//!
//! Not here: authorities (`scheme`).

use core::ops::Range;

use super::domain::{is_domain, is_domain_name};
use crate::code::Code;
use crate::finding::Reporter;
use simd_iri::low::slice;
use simd_iri::{Component, IriRef};

/// Returns the parts of a text between delimiters, each with its byte offsets in the reference.
fn split(text: &str, start: usize, by: char) -> impl Iterator<Item = (Range<usize>, &str)> {
    let mut at = start;
    text.split(by).map(move |part| {
        let span = at..at + part.len();
        at = span.end + 1;
        (span, part)
    })
}

/// Tells whether a byte belongs to a triplet, or to a character outside ASCII, which counts as triplets.
const fn is_encoded(byte: u8) -> bool {
    byte == b'%' || !byte.is_ascii()
}

/// Checks the type at the end of the path of an ftp reference (RFC 1738, section 3.2.2).
pub(crate) fn ftp(iri: IriRef<'_>, reporter: &mut Reporter<'_>) {
    let path = iri.path();
    let is_wrong = |kind: &str| !matches!(kind, "a" | "A" | "i" | "I" | "d" | "D");
    let found = path.rsplit_once(";type=").filter(|(_, kind)| is_wrong(kind));
    if let Some((before, _)) = found {
        let start = iri.parts().path().start + before.len();
        let span = start..iri.parts().path().end;
        reporter.report(Code::SchemeFtpType, Component::Path, span, None, 0);
    }
}

/// Checks the addresses and header fields of a mailto reference (RFC 6068, section 2).
pub(crate) fn mailto(iri: IriRef<'_>, reporter: &mut Reporter<'_>) {
    let mut wrong = Neighbours::new(Code::SchemeMailtoAddress);
    for (component, span, address) in addresses(iri) {
        match Address::of(address) {
            None => wrong.add(component, span, reporter),
            Some(Address::Domain(name)) if !is_domain_name(name) => {
                let span = span.end - name.len()..span.end;
                reporter.report(Code::SchemeDomain, component, span, None, 0);
            }
            Some(_) => {}
        }
    }
    wrong.report(reporter);
    let mut wrong = Neighbours::new(Code::SchemeMailtoField);
    for (span, field) in fields(iri) {
        let is_qchar =
            |b: u8| b.is_ascii_alphanumeric() || is_encoded(b) || b"-._~!$'()*+,;:@/?".contains(&b);
        let is_field = field
            .split_once('=')
            .is_some_and(|(name, value)| name.bytes().chain(value.bytes()).all(is_qchar));
        if !is_field {
            wrong.add(Component::Query, span, reporter);
        }
    }
    wrong.report(reporter);
}

/// Parts that are wrong in the same way. Neighbours are one finding, so that `,,,,` is not five.
struct Neighbours {
    code: Code,
    /// The neighbours so far.
    found: Option<(Component, Range<usize>)>,
}

impl Neighbours {
    const fn new(code: Code) -> Self {
        Self { code, found: None }
    }

    /// Adds a part. The parts come in the order of the text.
    fn add(&mut self, component: Component, span: Range<usize>, reporter: &mut Reporter<'_>) {
        match &mut self.found {
            // One delimiter is between neighbours.
            Some((of, found)) if *of == component && found.end + 1 == span.start => {
                found.end = span.end;
            }
            _ => {
                self.report(reporter);
                self.found = Some((component, span));
            }
        }
    }

    /// Reports the parts that are not reported yet.
    fn report(&mut self, reporter: &mut Reporter<'_>) {
        if let Some((component, span)) = self.found.take() {
            reporter.report(self.code, component, span, None, 0);
        }
    }
}

/// Returns the header fields of a mailto reference, each with its byte offsets.
fn fields(iri: IriRef<'_>) -> impl Iterator<Item = (Range<usize>, &str)> {
    let start = iri.parts().query().unwrap_or_default().start;
    iri.query().into_iter().flat_map(move |query| split(query, start, '&'))
}

/// Returns the addresses in the path and in the fields `to` of a mailto reference, each with its byte
/// offsets.
fn addresses(iri: IriRef<'_>) -> impl Iterator<Item = (Component, Range<usize>, &str)> {
    let in_fields = fields(iri).filter_map(|(span, field)| {
        let (name, value) = field.split_once('=')?;
        let is_to = name.eq_ignore_ascii_case("to");
        is_to.then_some((Component::Query, span.start + name.len() + 1, value))
    });
    let in_path = (Component::Path, iri.parts().path().start, iri.path());
    let lists = core::iter::once(in_path).chain(in_fields).filter(|(.., list)| !list.is_empty());
    lists.flat_map(|(component, start, list)| {
        split(list, start, ',').map(move |(span, address)| (component, span, address))
    })
}

/// Returns the domain names in the addresses of a mailto reference, each with its byte offsets, in the
/// order of the text.
pub(crate) fn mail_domains(
    iri: IriRef<'_>,
) -> impl Iterator<Item = (Component, Range<usize>, &str)> {
    addresses(iri).filter_map(|(component, span, address)| match Address::of(address)? {
        Address::Domain(name) => Some((component, span.end - name.len()..span.end, name)),
        Address::Literal => None,
    })
}

/// The part of an `addr-spec` after its `@`.
enum Address<'a> {
    Domain(&'a str),
    /// A domain literal: an address in brackets. The brackets are triplets.
    Literal,
}

impl<'a> Address<'a> {
    /// Reads an `addr-spec`. The quotation marks of a quoted string and the brackets of a domain literal are triplets.
    fn of(address: &'a str) -> Option<Self> {
        let is_atext =
            |b: u8| b.is_ascii_alphanumeric() || is_encoded(b) || b"!$&'*+-/=?^_`{|}~".contains(&b);
        let is_dot_atom =
            |text: &str| text.split('.').all(|atom| !atom.is_empty() && atom.bytes().all(is_atext));
        let is_quoted =
            |text: &str| text.starts_with("%22") && text.len() > 3 && text.ends_with("%22");
        let is_literal = |text: &str| {
            let end = text.get(text.len().saturating_sub(3)..);
            text.get(..3).is_some_and(|open| open.eq_ignore_ascii_case("%5b"))
                && end.is_some_and(|close| close.eq_ignore_ascii_case("%5d"))
        };
        let at = memchr::memrchr(b'@', address.as_bytes())?;
        let (local, domain) = (slice::text(address, ..at), slice::text(address, at + 1..));
        if !(is_dot_atom(local) || is_quoted(local)) {
            None
        } else if is_literal(domain) {
            Some(Self::Literal)
        } else {
            is_dot_atom(domain).then_some(Self::Domain(domain))
        }
    }
}

/// Checks a data reference: a media type, an optional `;base64`, a comma, and the data (RFC 2397, section 3).
pub(crate) fn data(iri: IriRef<'_>, reporter: &mut Reporter<'_>) {
    let range = iri.parts().path();
    let text = iri.as_str();
    // The query is part of the data. A fragment is not part of the data.
    let end = iri.parts().query().map_or(range.end, |query| query.end);
    let whole = slice::text(text, range.start..end);
    let Some((kind, data)) = whole.split_once(',') else {
        reporter.report(Code::SchemeDataComma, Component::Path, range.end..range.end, None, 0);
        return;
    };
    // `;base64` has seven bytes. It is an extension only at the end; the other parameters belong to the media type.
    let encoded = kind.len().checked_sub(7).and_then(|at| kind.split_at_checked(at));
    let encoded = encoded.filter(|(_, name)| name.eq_ignore_ascii_case(";base64"));
    let (media_type, is_base64) = encoded.map_or((kind, false), |(before, _)| (before, true));
    if !is_media_type(media_type) {
        let span = range.start..range.start + media_type.len();
        reporter.report(Code::SchemeDataMediaType, Component::Path, span, None, 0);
    }
    if is_base64 && !is_base64_text(data) {
        let span = range.start + kind.len() + 1..end;
        reporter.report(Code::SchemeDataBase64, Component::Path, span, None, 0);
    }
}

/// Tells whether a text is a media type, `[type "/" subtype] *(";" attribute "=" value)`. It may be empty.
fn is_media_type(text: &str) -> bool {
    let is_token = |text: &str| {
        !text.is_empty()
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"%!#$&'*+-.^_`|~".contains(&b))
    };
    let mut parts = text.split(';');
    let kind = parts.next().unwrap_or_default();
    let is_kind = kind.is_empty()
        || kind.split_once('/').is_some_and(|(kind, subtype)| is_token(kind) && is_token(subtype));
    is_kind
        && parts.all(|parameter| {
            parameter.split_once('=').is_some_and(|(name, value)| {
                // The content of a quoted string is encoded.
                is_token(name) && !value.is_empty() && value.is_ascii()
            })
        })
}

/// Tells whether a text is base64 (RFC 4648, section 4). Its characters may be triplets, and the padding may be absent.
// Four digits are three octets. The last group may have two or three digits, and padding fills it up to four:
//
//     YWJj    four digits                 YWI=, YWI    three digits
//     YQ==    two digits and padding      YQ           two digits
//     Y       one digit is too few        YWI==        too much padding
fn is_base64_text(text: &str) -> bool {
    let (mut digits, mut padding, mut at) = (0_usize, 0_usize, 0);
    let bytes = text.as_bytes();
    while let Some(byte) = bytes.get(at) {
        let octet = simd_iri::low::octet(bytes, at);
        at += if octet.is_some() { 3 } else { 1 };
        match octet.unwrap_or(*byte) {
            b'=' => padding += 1,
            b if padding == 0 && (b.is_ascii_alphanumeric() || b == b'+' || b == b'/') => {
                digits += 1
            }
            _ => return false,
        }
    }
    match digits % 4 {
        0 => padding == 0,
        2 => padding == 2 || padding == 0,
        3 => padding == 1 || padding == 0,
        _ => false,
    }
}

/// Checks a URN: a namespace identifier, a colon, a name, and r- and q-components (RFC 8141, section 2).
pub(crate) fn urn(iri: IriRef<'_>, reporter: &mut Reporter<'_>) {
    let (path, start) = (iri.path(), iri.parts().path().start);
    let (namespace, name) = path.split_once(':').unwrap_or((path, ""));
    let inner = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
    let is_namespace = (2..=32).contains(&namespace.len())
        && namespace.bytes().all(inner)
        && !namespace.starts_with('-')
        && !namespace.ends_with('-');
    let end = start + namespace.len();
    if !is_namespace {
        reporter.report(Code::SchemeUrnNamespace, Component::Path, start..end, None, 0);
    }
    if name.is_empty() || name.starts_with('/') {
        reporter.report(
            Code::SchemeUrnName,
            Component::Path,
            // Without a colon after the namespace, the span is empty, at the end of the path.
            iri.parts().path().end.min(end + 1)..iri.parts().path().end,
            None,
            0,
        );
    }
    if let (Some(query), Some(range)) = (iri.query(), iri.parts().query()) {
        let component = query.strip_prefix(['+', '=']);
        if component.is_none_or(|text| text.is_empty() || text.starts_with(['?', '/'])) {
            let span = range.start - 1..range.end;
            reporter.report(Code::SchemeUrnComponent, Component::Query, span, None, 0);
        }
    }
}

/// Checks a tag: `authorityName "," date ":" specific` (RFC 4151, section 2.1).
pub(crate) fn tag(iri: IriRef<'_>, reporter: &mut Reporter<'_>) {
    let (path, start) = (iri.path(), iri.parts().path().start);
    let entity = path.split_once(':').map(|(entity, _)| entity);
    let is_entity = entity.and_then(|entity| entity.split_once(',')).is_some_and(|(name, date)| {
        let domain = match name.split_once('@') {
            Some((local, domain)) => {
                let is_char = |b: u8| b.is_ascii_alphanumeric() || b"-._".contains(&b);
                (!local.is_empty() && local.bytes().all(is_char)).then_some(domain)
            }
            None => Some(name),
        };
        domain.is_some_and(|domain| is_dns_name(domain) || is_domain(domain)) && is_date(date)
    });
    if !is_entity {
        let span = start..start + entity.map_or(path.len(), str::len);
        reporter.report(Code::SchemeTagEntity, Component::Path, span, None, 0);
    }
}

/// Tells whether a name is a `DNSname`: labels of letters, digits and inner hyphens.
fn is_dns_name(name: &str) -> bool {
    name.split('.').all(|label| {
        !label.is_empty()
            && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    })
}

/// Tells whether a text is a date: `year ["-" month ["-" day]]`.
fn is_date(date: &str) -> bool {
    let mut numbers = date.split('-');
    let mut number = |length: usize, range: core::ops::RangeInclusive<u16>| match numbers.next() {
        Some(text) => {
            let is_digits = text.len() == length && text.bytes().all(|b| b.is_ascii_digit());
            is_digits && text.parse().is_ok_and(|number| range.contains(&number))
        }
        // The month and the day may be absent. The year has four digits and is required.
        None => length < 4,
    };
    number(4, 0..=9999) && number(2, 1..=12) && number(2, 1..=31) && numbers.next().is_none()
}
