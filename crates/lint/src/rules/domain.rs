//! Tells whether a name is a domain name, as it is written or after UTS #46 has mapped it.

use simd_iri::low::LONGEST_LABEL;

/// The longest name of the DNS, in bytes (RFC 1035, section 2.3.4).
const LONGEST_NAME: usize = 253;

/// Tells whether a name is a domain name, as it is written or after UTS #46 has mapped it.
pub(crate) fn is_domain_name(name: &str) -> bool {
    is_name(name) || is_domain(name)
}

/// Tells whether a name in ASCII is a domain name.
fn is_name(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    let is_label = |label: &str| {
        (1..=LONGEST_LABEL).contains(&label.len())
            && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
    };
    name.len() <= LONGEST_NAME && name.split('.').all(is_label)
}

/// Tells whether a name has triplets or characters outside ASCII, and UTS #46 accepts the decoded name.
pub(crate) fn is_domain(name: &str) -> bool {
    let is_plain = name.is_ascii() && !name.contains('%');
    !is_plain && simd_iri::low::to_ascii(name).is_some()
}
