//! Hosts that are domain names, between their forms for people and for the DNS (UTS #46; RFC 3987,
//! sections 3.1 and 5.3.3).
//!
//! The profile is that of registries: not transitional, STD3 rules, no hyphens first, last or third and
//! fourth, the lengths of the DNS. RFC 3490, which RFC 3987 names, has been superseded by RFC 5890,
//! of which UTS #46 is the form for addresses that people type. Not here: the tables and the algorithm,
//! which `idna` has.

use alloc::borrow::Cow;
use alloc::string::String;

use idna::AsciiDenyList;
use idna::uts46::{DnsLength, Hyphens, Uts46};

use super::percent::decode;
use super::triplets::is_bidi_control;

/// No name has more bytes, in whichever form: 253 characters of at most four bytes.
const LONGEST: usize = 1024;

/// A host in the form for the DNS; `None` if it is refused. A host in ASCII without triplets is as it
/// should be. A longer host than any name is not looked at.
pub(crate) fn to_ascii(host: &str) -> Option<Cow<'_, str>> {
    if host.is_ascii() && !host.contains('%') {
        return Some(Cow::Borrowed(host));
    }
    let name = decode(host).utf8().ok().filter(|name| name.len() <= LONGEST)?;
    let ascii = ascii_of(&name)?;
    Some(Cow::Owned(ascii))
}

/// Tells whether a name, without triplets and perhaps in ASCII, is one that the DNS can have.
#[cfg(feature = "extract")]
pub(crate) fn is_domain(name: &str) -> bool {
    name.len() <= LONGEST && ascii_of(name).is_some()
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
fn ascii_of(name: &str) -> Option<String> {
    let (deny, length) = (AsciiDenyList::STD3, DnsLength::VerifyAllowRootDot);
    let ascii = Uts46::new().to_ascii(name.as_bytes(), deny, Hyphens::CheckFirstLast, length);
    ascii.ok().map(Cow::into_owned)
}

/// A host in the form for people, where that can be undone: labels that are A-labels become U-labels.
/// `None` if it stays as it is.
pub(crate) fn to_unicode(host: &str) -> Option<String> {
    if !host.is_ascii() || host.contains('%') || host.len() > LONGEST {
        return None;
    }
    let (deny, hyphens) = (AsciiDenyList::STD3, Hyphens::CheckFirstLast);
    let mut shown = String::with_capacity(host.len());
    for (number, label) in host.split('.').enumerate() {
        shown.push_str(if number > 0 { "." } else { "" });
        let (unicode, result) = Uts46::new().to_unicode(label.as_bytes(), deny, hyphens);
        let is_shown =
            result.is_ok() && !unicode.is_ascii() && !unicode.chars().any(is_bidi_control);
        shown.push_str(if is_shown { &unicode } else { label });
    }
    let comes_back = shown != host && ascii_of(&shown).is_some_and(|back| back == host);
    comes_back.then_some(shown)
}
