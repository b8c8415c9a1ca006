//! Domain names as hosts: their Unicode and ASCII forms (UTS #46; RFC 3987, sections 3.1 and 5.3.3).
//!
//! The options of UTS #46 are: nontransitional processing, STD3 rules, no hyphen at the start or end of a label, and
//! the lengths of the DNS. RFC 3987 refers to RFC 3490, which RFC 5890 replaces; UTS #46 is its form for addresses
//! that people type. Not here: the tables and the algorithm, which are in the crate `idna`.

use alloc::borrow::Cow;
use alloc::string::String;

use idna::AsciiDenyList;
use idna::uts46::{DnsLength, Hyphens, Uts46};

use crate::transform::bidi_controls::is_bidi_control;
use crate::transform::percent::decode;

/// A length in bytes that no name exceeds in any form: a name has at most 253 characters, of at most four bytes each.
const LONGEST: usize = 1024;

/// The ASCII characters that a name must not have (STD3). The underscore is allowed, because the DNS has names such as
/// `_dmarc` (RFC 8552).
const DENIED: AsciiDenyList = AsciiDenyList::new(true, " !\"#$%&'()*+,/:;<=>?@[\\]^`{|}~");

/// Returns a host in its form for the DNS; `None` if UTS #46 refuses it, or if it is longer than any name. A host in
/// ASCII without triplets is refused or stays as it is. An IP literal and an empty host stay.
pub(crate) fn to_ascii(host: &str) -> Option<Cow<'_, str>> {
    if host.is_empty() || host.starts_with('[') {
        return Some(Cow::Borrowed(host));
    }
    let name = decode(host).utf8().ok().filter(|name| name.len() <= LONGEST)?;
    let ascii = host_of(&name)?;
    Some(if is_plain(host) { Cow::Borrowed(host) } else { Cow::Owned(ascii) })
}

/// Tells whether a host is in ASCII without triplets: its form for the DNS is the host itself, or UTS #46 refuses it.
pub(crate) fn is_plain(host: &str) -> bool {
    host.bytes().all(|byte| byte.is_ascii() && byte != b'%')
}

/// Tells whether it is certain that a host is the same in both forms: it is in ASCII without triplets, and no label
/// begins with `xn--`.
pub(crate) fn is_same(host: &str) -> bool {
    is_plain(host) && !host.contains("--")
}

/// Tells whether a name without triplets, in Unicode or ASCII, can be a name in the DNS.
#[cfg(feature = "extract")]
pub(crate) fn is_domain(name: &str) -> bool {
    name.len() <= LONGEST && ascii_of(name, AsciiDenyList::STD3).is_some()
}

/// Applies ToASCII of UTS #46 to a host. Labels in ASCII may have underscores.
fn host_of(name: &str) -> Option<String> {
    let ascii = ascii_of(name, DENIED)?;
    // A U-label with an underscore would have an A-label with one, and is refused. A U-label must not begin with `xn--`
    // (UTS #46, section 4.1, rule 4), which the crate does not check for A-labels.
    let is_refused = |label: &str| {
        label.starts_with("xn--") && label.contains('_')
            || label.starts_with("xn--xn--") && {
                let (letters, _) =
                    Uts46::new().to_unicode(label.as_bytes(), DENIED, Hyphens::Allow);
                letters.starts_with("xn--")
            }
    };
    (!ascii.split('.').any(is_refused)).then_some(ascii)
}

/// Returns a name without triplets as UTS #46 maps it, with U-labels. A name that is not valid is mapped as far as
/// possible, with U+FFFD in place of the rest. A name that is too long stays as it is.
#[cfg(feature = "check")]
pub(crate) fn mapped(name: &str) -> Cow<'_, str> {
    if name.len() > LONGEST {
        return Cow::Borrowed(name);
    }
    Uts46::new().to_unicode(name.as_bytes(), AsciiDenyList::EMPTY, Hyphens::Allow).0
}

/// Applies ToASCII of UTS #46 to a name.
fn ascii_of(name: &str, deny: AsciiDenyList) -> Option<String> {
    let length = DnsLength::VerifyAllowRootDot;
    let ascii = Uts46::new().to_ascii(name.as_bytes(), deny, Hyphens::CheckFirstLast, length);
    ascii.ok().map(Cow::into_owned)
}

/// Returns a host with U-labels in place of its A-labels, if ToASCII gives the same host back. `None` if the host stays
/// as it is. A host with triplets stays: the caller decodes them first.
pub(crate) fn to_unicode(host: &str) -> Option<String> {
    if host.contains('%') || host.len() > LONGEST {
        return None;
    }
    let (deny, hyphens) = (AsciiDenyList::STD3, Hyphens::CheckFirstLast);
    let mut shown = String::with_capacity(host.len());
    for (number, label) in host.split('.').enumerate() {
        shown.push_str(if number > 0 { "." } else { "" });
        let unicode = label.is_ascii().then(|| {
            let (unicode, result) = Uts46::new().to_unicode(label.as_bytes(), deny, hyphens);
            result.is_ok().then_some(unicode)
        });
        let unicode = unicode
            .flatten()
            .filter(|unicode| !unicode.is_ascii() && !unicode.chars().any(is_bidi_control));
        // ToASCII would give an upper-case label back in lower case.
        let unicode = unicode.filter(|_| !label.bytes().any(|byte| byte.is_ascii_uppercase()));
        shown.push_str(unicode.as_deref().unwrap_or(label));
    }
    if shown == host {
        return None;
    }
    let back = host_of(&shown)?;
    let is_same = if host.is_ascii() { back == host } else { Some(back) == host_of(host) };
    is_same.then_some(shown)
}
