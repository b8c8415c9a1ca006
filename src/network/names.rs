//! Names of hosts that are not of the public internet, and the names of metadata services.
//!
//! Not here: names that only a look-up shows to be internal.

/// Names of internal hosts, and suffixes of such names after a dot: RFC 6761, section 6.3; RFC 6762,
/// section 3; RFC 8375; and `internal`, which ICANN has reserved for private use.
const LOCAL: [&str; 4] = ["localhost", "local", "home.arpa", "internal"];

/// More suffixes of names that are not in the DNS of the public internet. `onion` is of RFC 7686, `test` and `invalid`
/// of RFC 6761, `alt` of RFC 9476, `home` and `corp` are not delegated because of private use (ICANN), `svc` and
/// `cluster.local` are names in clusters, and the others are usual in private networks.
const SPECIAL: [&str; 11] = [
    "localdomain",
    "intranet",
    "lan",
    "home",
    "corp",
    "private",
    "svc",
    "onion",
    "test",
    "invalid",
    "alt",
];

/// The names of metadata services: Google (3), AWS (2), Tencent, Equinix (2), Rancher.
const METADATA: [&str; 9] = [
    "metadata.google.internal",
    "metadata",
    "metadata.goog",
    "instance-data",
    "instance-data.ec2.internal",
    "metadata.tencentyun.com",
    "metadata.packet.net",
    "metadata.platformequinix.com",
    "rancher-metadata",
];

/// Tells whether a name without a final dot is the name of a metadata service, in any case.
pub fn is_metadata(name: &[u8]) -> bool {
    METADATA.iter().any(|metadata| name.eq_ignore_ascii_case(metadata.as_bytes()))
}

/// Tells whether a name without a final dot names this machine or a machine in its network.
pub fn is_local(name: &[u8]) -> bool {
    LOCAL.iter().any(|local| is_below(name, local))
}

/// Tells whether a name without a final dot is not a name of the public internet: it is local, it has a suffix that is
/// not in the public DNS, or it has a single label.
pub fn is_special(name: &[u8]) -> bool {
    is_local(name)
        || SPECIAL.iter().any(|special| is_below(name, special))
        || memchr::memchr(b'.', name).is_none()
}

/// Tells whether a name is a domain or a name below the domain, in any case. Neither has a final dot.
pub fn is_below(name: &[u8], domain: &str) -> bool {
    let rest = name.len().checked_sub(domain.len()).and_then(|at| name.split_at_checked(at));
    rest.is_some_and(|(before, end)| {
        end.eq_ignore_ascii_case(domain.as_bytes()) && matches!(before, [] | [.., b'.'])
    })
}
