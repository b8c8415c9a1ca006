//! Tells whether a name is a domain name, as it is written or after UTS #46 maps it.

use crate::transform::LONGEST_LABEL;

/// The longest name of the DNS, in bytes (RFC 1035, section 2.3.4).
const LONGEST_NAME: usize = 253;

/// Tells whether a name is a domain name in either form: with Unicode labels or with A-labels.
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

/// Tells whether UTS #46 accepts a name after its triplets are decoded.
#[cfg(feature = "idna")]
pub(crate) fn is_domain(name: &str) -> bool {
    let is_plain = name.is_ascii() && !name.contains('%');
    !is_plain && crate::transform::to_ascii(name).is_some()
}

/// Without the tables of UTS #46, every such name may be a domain name.
#[cfg(not(feature = "idna"))]
pub(crate) fn is_domain(name: &str) -> bool {
    !name.is_ascii() || name.contains('%')
}
