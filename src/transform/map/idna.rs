//! Domain names as hosts: their Unicode and ASCII forms (UTS #46; RFC 3987, sections 3.1 and 5.3.3).
//!
//! The profile is that of registries: not transitional, STD3 rules, no hyphens first, last or third and
//! fourth, the lengths of the DNS. RFC 3490, which RFC 3987 names, has been superseded by RFC 5890,
//! of which UTS #46 is the form for addresses that people type. Not here: the tables and the algorithm,
//! which `idna` has.

use alloc::borrow::Cow;
use alloc::string::String;

use idna::AsciiDenyList;
use idna::uts46::{DnsLength, Hyphens, Uts46};

use crate::transform::bidi_controls::is_bidi_control;
use crate::transform::percent::decode;

/// No name has more bytes, in whichever form: 253 characters of at most four bytes.
const LONGEST: usize = 1024;

/// What a name in ASCII must not have (STD3), but for the underscore, which names of services have in
/// the DNS (RFC 8552).
const DENIED: AsciiDenyList = AsciiDenyList::new(true, " !\"#$%&'()*+,/:;<=>?@[\\]^`{|}~");

/// A host in the form for the DNS; `None` if it is refused. A host that is in ASCII without triplets is
/// refused or stays as it is. A longer host than any name is refused. An IP literal is no name and stays,
/// and so does an empty host.
pub(crate) fn to_ascii(host: &str) -> Option<Cow<'_, str>> {
    if host.is_empty() || host.starts_with('[') {
        return Some(Cow::Borrowed(host));
    }
    let is_plain = host.is_ascii() && !host.contains('%');
    let name = decode(host).utf8().ok().filter(|name| name.len() <= LONGEST)?;
    let ascii = host_of(&name)?;
    Some(if is_plain { Cow::Borrowed(host) } else { Cow::Owned(ascii) })
}

/// Tells whether a name, without triplets and perhaps in ASCII, is one that the DNS can have.
#[cfg(feature = "extract")]
pub(crate) fn is_domain(name: &str) -> bool {
    name.len() <= LONGEST && ascii_of(name, AsciiDenyList::STD3).is_some()
}

/// ToASCII of a host, in which labels in ASCII may have underscores.
fn host_of(name: &str) -> Option<String> {
    let ascii = ascii_of(name, DENIED)?;
    // A label of other letters with an underscore is an A-label with one. None of other letters begins as
    // an A-label does (UTS #46, section 4.1, rule 4), which is not asked of A-labels where hyphens may be.
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

/// A name without triplets as UTS #46 maps it, with U-labels. A name that is not valid is mapped as far as
/// possible; U+FFFD stands for what cannot be mapped. A name that is too long stays as it is.
pub(crate) fn mapped(name: &str) -> Cow<'_, str> {
    if name.len() > LONGEST {
        return Cow::Borrowed(name);
    }
    Uts46::new().to_unicode(name.as_bytes(), AsciiDenyList::EMPTY, Hyphens::Allow).0
}

/// ToASCII of a name.
fn ascii_of(name: &str, deny: AsciiDenyList) -> Option<String> {
    let length = DnsLength::VerifyAllowRootDot;
    let ascii = Uts46::new().to_ascii(name.as_bytes(), deny, Hyphens::CheckFirstLast, length);
    ascii.ok().map(Cow::into_owned)
}

/// A host in the form for people, where that can be undone: A-labels become U-labels, and other labels
/// stay. `None` if it stays as it is. A host with triplets stays: they are to be decoded before.
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
        // Only the form that ToASCII gives comes back.
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
