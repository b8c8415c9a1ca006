//! The host of a CDX key: IDNA of 2003, dots, numbers that are IPv4 addresses, and the labels in reverse.
//!
//! Not here: the hosts of the other keys (`surt`), whose labels are reversed by [`push_labels`] too.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::net::Ipv4Addr;

use idna::AsciiDenyList;
use idna::uts46::{ErrorPolicy, Hyphens, ProcessingSuccess, Uts46};

use super::escape::{Classes, encode, push_decoded};
use super::neighbours::has_pair;
use super::options::{Options, Profile, Www};
use simd_iri::low::{LABEL_DOTS, LONGEST_LABEL, ipv4, is_too_long};

/// Returns the host of a CDX key, with its labels in their order. The case of letters may stay.
pub(super) fn canonical<'a>(options: &Options, classes: Classes, host: &'a [u8]) -> Cow<'a, [u8]> {
    let mut host = if classes.is_plain() {
        Cow::Borrowed(host)
    } else {
        Cow::Owned(decoded(options.profile, host))
    };
    if has_odd_dots(&host) {
        host = Cow::Owned(without_odd_dots(options.profile, &host));
    }
    // Most hosts end with a letter.
    let address =
        host.last().is_some_and(u8::is_ascii_digit).then(|| address(options.profile, &host));
    if let Some(address) = address.flatten() {
        let mut text = Vec::new();
        push_address(address, &mut text);
        host = Cow::Owned(text);
    }
    if !classes.is_plain() {
        let mut encoded = host.into_owned();
        encode(0, matches!(options.profile, Profile::Pywb), &mut encoded);
        host = Cow::Owned(encoded);
    }
    host
}

/// Returns a host without dots at its ends, and with a dot in place of several dots. pywb makes one dot of two, and so
/// two dots of three.
fn without_odd_dots(profile: Profile, mut host: &[u8]) -> Vec<u8> {
    while let Some(inner) = host.strip_prefix(b".").or_else(|| host.strip_suffix(b".")) {
        host = inner;
    }
    let mut kept = Vec::with_capacity(host.len());
    // Whether the last byte is a dot that takes the next dot in.
    let mut takes = false;
    for byte in host {
        let is_dot = *byte == b'.';
        if !(is_dot && takes) {
            kept.push(*byte);
        }
        takes = is_dot && !(takes && matches!(profile, Profile::Pywb));
    }
    kept
}

/// Returns a host without triplets, and in ASCII if IDNA of 2003 has an answer. pywb asks about the characters alone,
/// without the bytes that are not UTF-8.
fn decoded(profile: Profile, host: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(host.len());
    push_decoded(host, &mut decoded);
    if decoded.is_ascii() {
        return decoded;
    }
    let is_whole = core::str::from_utf8(&decoded).is_ok();
    let name: String = decoded.utf8_chunks().map(|chunk| chunk.valid()).collect();
    let ascii = (is_whole || matches!(profile, Profile::Pywb)).then(|| to_ascii(&name)).flatten();
    ascii.map_or(decoded, String::into_bytes)
}

/// Returns a name as ToASCII of IDNA 2003 makes it, without the rules of STD 3; `None` if it refuses a label.
///
/// The tables are those of UTS #46. Before, the characters that UTS #46 keeps and IDNA 2003 does not are mapped: `ß`,
/// `ẞ`, `ς` and the joiners. docs/archive.md of the project lists the differences that are left.
pub(super) fn to_ascii(name: &str) -> Option<String> {
    let mut ascii = String::with_capacity(2 * name.len());
    let mut labels = name.split(LABEL_DOTS).peekable();
    while let Some(label) = labels.next() {
        // An empty label is allowed at the end alone.
        let is_last = labels.peek().is_none();
        if label.is_ascii() {
            if label.len() > LONGEST_LABEL || label.is_empty() && !is_last {
                return None;
            }
            ascii.push_str(label);
        } else {
            ascii.push_str(&label_to_ascii(label)?);
        }
        if !is_last {
            ascii.push('.');
        }
    }
    Some(ascii)
}

/// Returns a label, which is not in ASCII, as ToASCII makes it.
fn label_to_ascii(label: &str) -> Option<String> {
    // Punycode takes quadratic time.
    if is_too_long(label.chars()) {
        return None;
    }
    let mut mapped = String::with_capacity(label.len());
    for c in label.chars() {
        match c {
            'ß' | 'ẞ' => mapped.push_str("ss"),
            'ς' => mapped.push('σ'),
            '\u{200C}' | '\u{200D}' => {}
            _ => mapped.push(c),
        }
    }
    let (deny, hyphens, policy) = (AsciiDenyList::EMPTY, Hyphens::Allow, ErrorPolicy::FailFast);
    let mut ascii = String::new();
    let bytes = mapped.as_bytes();
    let done =
        Uts46::new().process(bytes, deny, hyphens, policy, |_, _, _| false, &mut ascii, None);
    let ascii = match done.ok()? {
        ProcessingSuccess::Passthrough => mapped,
        ProcessingSuccess::WroteToSink => ascii,
    };
    (1..=LONGEST_LABEL).contains(&ascii.len()).then_some(ascii)
}

/// Tells whether a host begins or ends with a dot, or has two dots together.
fn has_odd_dots(host: &[u8]) -> bool {
    host.starts_with(b".")
        || host.ends_with(b".")
        || has_pair(host, |a, b| (a == b'.') & (b == b'.'))
}

/// Returns the IPv4 address that a host is.
///
/// Digits alone are a number, of which the last 32 bits count. Wayback reads four numbers, all octal if the first
/// number begins with `0`. pywb lets the C library read two to four numbers.
fn address(profile: Profile, host: &[u8]) -> Option<Ipv4Addr> {
    if host.iter().all(u8::is_ascii_digit) {
        let digits = host.iter().map(|digit| u32::from(digit - b'0'));
        let number =
            digits.fold(0_u32, |number, digit| number.wrapping_mul(10).wrapping_add(digit));
        return Some(Ipv4Addr::from(number));
    }
    let is_octal = host.starts_with(b"0");
    let highest = if is_octal { b'7' } else { b'9' };
    let mut values = [0; 4];
    let mut parts = host.split(|byte| *byte == b'.');
    let mut count = 0;
    for (value, part) in values.iter_mut().zip(&mut parts) {
        if part.is_empty() || !part.iter().all(|byte| (b'0'..=highest).contains(byte)) {
            return None;
        }
        let radix = match profile {
            Profile::Pywb if part.starts_with(b"0") => 8,
            Profile::Pywb => 10,
            _ if is_octal => 8,
            _ => 10,
        };
        *value = u32::from_str_radix(core::str::from_utf8(part).ok()?, radix).ok()?;
        count += 1;
    }
    if parts.next().is_some() || count < 4 && !matches!(profile, Profile::Pywb) {
        return None;
    }
    joined(values.get(..count)?)
}

/// Returns the address of one to four numbers: each is a byte, and the last number fills the bytes that are left.
fn joined(parts: &[u32]) -> Option<Ipv4Addr> {
    let (last, bytes) = parts.split_last()?;
    let left = 4_u32.checked_sub(u32::try_from(bytes.len()).ok()?)?;
    if u64::from(*last) >= 1 << (8 * left) || bytes.iter().any(|byte| *byte > 255) {
        return None;
    }
    let high = bytes.iter().zip([24, 16, 8]).fold(0, |high, (byte, shift)| high | byte << shift);
    Some(Ipv4Addr::from(high | last))
}

/// Appends an address in decimal.
pub(super) fn push_address(address: Ipv4Addr, out: &mut Vec<u8>) {
    for (number, byte) in address.octets().into_iter().enumerate() {
        if number > 0 {
            out.push(b'.');
        }
        push_number(u32::from(byte), out);
    }
}

/// Appends a number in decimal.
pub(super) fn push_number(number: u32, out: &mut Vec<u8>) {
    let start = out.len();
    let mut rest = number;
    loop {
        out.push(b'0' + (rest % 10) as u8);
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.get_mut(start..).unwrap_or_default().reverse();
}

/// Returns a host without the labels `www` at its front: `www.`, `www2.` and so on.
pub(super) fn without_www(mut host: &[u8], www: Www) -> &[u8] {
    if matches!(www, Www::Keep) {
        return host;
    }
    while let Some((name, rest)) = host.split_first_chunk::<3>() {
        if !name.eq_ignore_ascii_case(b"www") {
            break;
        }
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let Some((b'.', rest)) = rest.get(digits..).and_then(<[u8]>::split_first) else { break };
        host = rest;
        if matches!(www, Www::One) {
            break;
        }
    }
    host
}

/// Appends the labels of a host from the last to the first, with a comma between two labels.
pub(super) fn push_labels(host: &[u8], out: &mut Vec<u8>) {
    let mut rest = host;
    while let Some(dot) = memchr::memrchr(b'.', rest) {
        out.extend_from_slice(rest.get(dot + 1..).unwrap_or_default());
        out.push(b',');
        rest = rest.get(..dot).unwrap_or_default();
    }
    out.extend_from_slice(rest);
}

/// Tells whether a host is an IPv4 address in four decimal numbers.
pub(super) fn is_dotted(host: &[u8]) -> bool {
    host.len() <= 15
        && core::str::from_utf8(host).is_ok_and(|host| host.parse::<Ipv4Addr>().is_ok())
}

/// Tells whether a host is an IP address for the URL Standard: an IPv6 address in brackets, or an IPv4 address in any
/// form.
pub(super) fn is_address(host: &[u8]) -> bool {
    host.starts_with(b"[") && host.ends_with(b"]") || any_address(host).is_some()
}

/// Returns the IPv4 address that a host is by the URL Standard: one to four numbers, each decimal, octal or hexadecimal.
pub(super) fn any_address(host: &[u8]) -> Option<Ipv4Addr> {
    let address = ipv4::address(core::str::from_utf8(host).ok()?)?;
    Some(Ipv4Addr::from_bits(address))
}
