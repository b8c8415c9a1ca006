//! Domain names as hosts: their Unicode and ASCII forms (UTS #46; RFC 3987, sections 3.1 and 5.3.3).
//!
//! The options of UTS #46 are: nontransitional processing, STD3 rules, no hyphen at the start or end of a label, and
//! the lengths of the DNS. RFC 3987 refers to RFC 3490, which RFC 5890 replaces; UTS #46 is its form for addresses
//! that people type. Not here: the tables and the algorithm, which are in the crate `idna`.

use alloc::borrow::Cow;
use alloc::string::String;

use idna::AsciiDenyList;
use idna::uts46::{ErrorPolicy, Hyphens, ProcessingSuccess, Uts46, verify_dns_length};

use super::remembered_hosts::Question;
use super::too_long::is_too_long;
use super::u_label;
use crate::scan::{Block, Cpu, CpuLevel, Job, below};
use crate::tables::{AsciiSet, DOT};
use crate::transform::bidi_controls::is_bidi_control;
use crate::transform::domain_names::{DOMAIN_NAME, LONGEST_LABEL};
use crate::transform::percent::decode;

/// A length in bytes that no name exceeds in any form: a name has at most 253 characters, of at most four bytes each.
pub const LONGEST: usize = 1024;

/// The ASCII characters that a name must not have (STD3). The underscore is allowed, because the DNS has names such as
/// `_dmarc` (RFC 8552).
pub(super) const DENIED: AsciiDenyList =
    AsciiDenyList::new(true, " !\"#$%&'()*+,/:;<=>?@[\\]^`{|}~");

/// Returns a host in its form for the DNS; `None` if UTS #46 refuses the host, or if the host is longer than any name.
/// A host in ASCII without triplets is refused or stays as it is. An IP literal and an empty host stay.
pub fn to_ascii(host: &str) -> Option<Cow<'_, str>> {
    if is_kept(host) { Some(Cow::Borrowed(host)) } else { other_to_ascii(host) }
}

/// Tells whether [`to_ascii`] certainly returns the host as it is. Takes few instructions.
pub(crate) fn is_kept(host: &str) -> bool {
    host.is_empty() || host.starts_with('[') || is_simple(host)
}

/// [`to_ascii`] of a host that is not certainly kept.
pub(crate) fn other_to_ascii(host: &str) -> Option<Cow<'_, str>> {
    // A triplet has three bytes for one byte of the name. So a longer host is longer than any name, decoded or not.
    if host.len() > 3 * LONGEST {
        return None;
    }
    let ascii = Question::ToAscii.remembered(host, |host| {
        if let Some(ascii) = u_label::to_ascii(host) {
            return ascii;
        }
        let name = decode(host).utf8().ok().filter(|name| name.len() <= LONGEST)?;
        // Punycode takes quadratic time.
        if is_too_long(name.chars()) {
            return None;
        }
        host_of(&name).map(Cow::into_owned)
    })?;
    Some(if is_plain(host) { Cow::Borrowed(host) } else { Cow::Owned(ascii) })
}

/// Tells whether UTS #46 certainly changes no character of a host, so that it is in its preferred form already, unless it
/// is too long. The host may be in ASCII.
pub fn is_unchanged(host: &str) -> bool {
    u_label::is_unchanged(host)
}

/// Tells whether a host is in ASCII without triplets: its form for the DNS is the host itself, or UTS #46 refuses it.
pub(crate) fn is_plain(host: &str) -> bool {
    host.bytes().all(|byte| byte.is_ascii() && byte != b'%')
}

/// Tells whether a host is certainly the same in both forms: it is in ASCII without triplets, and no label begins with
/// `xn--`.
pub(crate) fn is_same(host: &str) -> bool {
    is_plain(host) && !host.contains("--")
}

/// Tells whether UTS #46 certainly accepts a host and changes nothing but the case of letters. The host has fewer than
/// 64 bytes. Each label consists of letters, digits, hyphens and underscores, is not empty, does not have a hyphen at
/// an end, and does not have hyphens in the third and fourth place, as an A-label has.
// Measured: `docs/performance/notes.md`, "Hosts".
fn is_simple(host: &str) -> bool {
    matches!(host.len(), 1..=63)
        && CpuLevel::run_best(IsSimple, host.as_bytes(), |job, host| {
            CpuLevel::best().run_wide_on(job, host)
        })
}

/// [`is_simple`] as a job, for a text of 1 to 63 bytes.
///
/// ```text
/// host      a - b . c d
/// dots      0 0 0 1 0 0
/// hyphens   0 1 0 0 0 0
/// firsts    1 0 0 0 1 0      the first byte of each label
/// ends      0 0 0 1 0 0 1    the byte after each label
/// ```
///
/// A byte in `firsts` and `ends` is an empty label. A hyphen in `firsts`, or before a byte of `ends`, is at an end of a
/// label. Two hyphens from the third byte of a label on may be the hyphens of an A-label (`a_labels`).
struct IsSimple;

impl Job for IsSimple {
    type Output = bool;

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, host: &[u8]) -> bool {
        const HYPHEN: AsciiSet = AsciiSet::just(b'-');
        let block = simd.load(host, 0);
        let (dots, hyphens) = (block.ascii(&DOT), block.ascii(&HYPHEN));
        let others = !block.ascii(&DOMAIN_NAME) & below(host.len());
        // The first byte of each label, and the byte after its last one.
        let (firsts, ends) = (dots << 1 | 1, dots | 1 << host.len());
        let a_labels = firsts << 2 & hyphens & hyphens >> 1;
        others | firsts & ends | hyphens & (firsts | ends >> 1) | a_labels == 0
    }
}

/// Tells whether a name without triplets, in Unicode or ASCII, can be a name in the DNS.
pub fn is_domain(name: &str) -> bool {
    let is_domain = |name: &str| match u_label::to_ascii(name) {
        Some(ascii) => ascii.is_some(),
        None => !is_too_long(name.chars()) && ascii_of(name, AsciiDenyList::STD3).is_some(),
    };
    let answer = |name: &str| is_domain(name).then(String::new);
    name.len() <= LONGEST && Question::Domain.remembered(name, answer).is_some()
}

/// Applies ToASCII of UTS #46 to a host. Labels in ASCII may have underscores.
fn host_of(name: &str) -> Option<Cow<'_, str>> {
    let ascii = ascii_of(name, DENIED)?;
    // A U-label with an underscore would have an A-label with an underscore, and is refused. A U-label must not begin
    // with `xn--` (UTS #46, section 4.1, rule 4). The crate does not check this for A-labels.
    let is_refused = |label: &[u8]| {
        label.starts_with(b"xn--") && label.contains(&b'_')
            || label.starts_with(b"xn--xn--") && {
                let (letters, _) = Uts46::new().to_unicode(label, DENIED, Hyphens::Allow);
                letters.starts_with("xn--")
            }
    };
    (!ascii.as_bytes().split(|byte| *byte == b'.').any(is_refused)).then_some(ascii)
}

/// Returns a name without triplets as UTS #46 maps it, with U-labels. A name that is not valid is mapped as far as
/// possible; U+FFFD replaces the parts that are not valid. A name of more than [`LONGEST`] bytes stays as it is. So does a
/// name that is too long for the DNS, if it may have an A-label: Punycode takes quadratic time.
pub fn mapped(name: &str) -> Cow<'_, str> {
    if name.len() > LONGEST
        || u_label::is_mapped_to_itself(name)
        || name.len() > LONGEST_LABEL && name.contains("--") && is_too_long(name.chars())
    {
        return Cow::Borrowed(name);
    }
    let mapped = Question::Mapped.remembered(name, |name| {
        if let Some(letters) = u_label::of_a_label(name) {
            return Some(letters);
        }
        match Uts46::new().to_unicode(name.as_bytes(), AsciiDenyList::EMPTY, Hyphens::Allow).0 {
            Cow::Borrowed(_) => None,
            Cow::Owned(mapped) => Some(mapped),
        }
    });
    mapped.map_or(Cow::Borrowed(name), Cow::Owned)
}

/// Applies ToASCII of UTS #46 to a name. The result is borrowed if it is the name itself.
fn ascii_of(name: &str, deny: AsciiDenyList) -> Option<Cow<'_, str>> {
    let mut ascii = String::with_capacity(if name.is_ascii() { 0 } else { 2 * name.len() });
    let (hyphens, policy) = (Hyphens::CheckFirstLast, ErrorPolicy::FailFast);
    let bytes = name.as_bytes();
    let done =
        Uts46::new().process(bytes, deny, hyphens, policy, |_, _, _| false, &mut ascii, None);
    let ascii = match done.ok()? {
        ProcessingSuccess::Passthrough => Cow::Borrowed(name),
        ProcessingSuccess::WroteToSink => Cow::Owned(ascii),
    };
    verify_dns_length(&ascii, true).then_some(ascii)
}

/// Returns a host with U-labels in place of its A-labels, if ToASCII gives the same host back. Returns `None` if the
/// host stays as it is. A host with triplets stays: the caller decodes them first.
pub fn to_unicode(host: &str) -> Option<String> {
    // Only a label with two hyphens can be an A-label.
    if host.contains('%') || host.len() > LONGEST || !host.contains("--") {
        return None;
    }
    // ToASCII would give no host back.
    if host.len() > LONGEST_LABEL && is_too_long(host.chars()) {
        return None;
    }
    Question::ToUnicode.remembered(host, to_unicode_anew)
}

/// [`to_unicode`] of a host that may have an A-label.
fn to_unicode_anew(host: &str) -> Option<String> {
    let (deny, hyphens) = (AsciiDenyList::STD3, Hyphens::CheckFirstLast);
    let mut shown = String::with_capacity(host.len());
    for (number, label) in host.split('.').enumerate() {
        shown.push_str(if number > 0 { "." } else { "" });
        let unicode = label.is_ascii().then(|| {
            if let Some(letters) = u_label::of_a_label(label) {
                return Some(Cow::Owned(letters));
            }
            let (unicode, result) = Uts46::new().to_unicode(label.as_bytes(), deny, hyphens);
            result.is_ok().then_some(unicode)
        });
        let unicode = unicode
            .flatten()
            .filter(|unicode| !unicode.is_ascii() && !unicode.chars().any(is_bidi_control));
        // For an upper-case label, ToASCII would give a label in lower case back.
        let unicode = unicode.filter(|_| !label.bytes().any(|byte| byte.is_ascii_uppercase()));
        shown.push_str(unicode.as_deref().unwrap_or(label));
    }
    if shown == host {
        return None;
    }
    let back = other_to_ascii(&shown)?;
    let is_same = if host.is_ascii() { back == host } else { Some(back) == host_of(host) };
    is_same.then_some(shown)
}

#[cfg(test)]
mod tests {
    use super::{IsSimple, host_of, is_simple};
    use crate::scan::CpuLevel;

    /// The definition, byte by byte.
    fn is_defined(host: &str) -> bool {
        host.split('.').all(|label| {
            let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
            !label.is_empty()
                && label.chars().all(is_plain)
                && !(label.starts_with('-') || label.ends_with('-'))
                && label.get(2..4) != Some("--")
        })
    }

    #[test]
    fn a_simple_host_is_its_own_form_for_the_dns() {
        let of_length = |count| {
            (0..8_usize.pow(count)).map(move |number| {
                let letter = |at| b"aX0-_.n%"[number / 8_usize.pow(at) % 8] as char;
                (0..count).map(letter).collect::<String>()
            })
        };
        let mut seed = 1_u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % below
        };
        // Hosts of up to 63 bytes. In most of them, at most one byte is not simple.
        let long = |_| {
            let letter = |at: usize| if at % 9 == 8 { '.' } else { ['a', 'Z', '7', '_'][at % 4] };
            let mut host: Vec<char> = (0..1 + random(63)).map(letter).collect();
            let place = random(host.len());
            host[place] = ['-', '.', 'b', '%', '\0', '\u{7F}', '/', '{'][random(8)];
            let host: String = host.into_iter().collect();
            if random(4) == 0 { host.replacen('a', "é", 1) } else { host }
        };
        let mut simple = 0;
        for host in (0..=6).flat_map(of_length).chain((0..200_000).map(long)) {
            if matches!(host.len(), 1..=63) {
                for level in CpuLevel::available() {
                    let found = level.run_wide_on(IsSimple, host.as_bytes());
                    assert_eq!(found, is_defined(&host), "{host:?}, {level}");
                }
            }
            if is_simple(&host) {
                assert_eq!(host_of(&host).as_deref(), Some(&*host.to_ascii_lowercase()), "{host}");
                simple += 1;
            }
        }
        assert!(simple > 50_000, "{simple}");
        assert!(!is_simple(&"a".repeat(64)) && !is_simple(""));
    }
}
