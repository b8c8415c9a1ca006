//! Facts about single schemes that the grammar does not have: default ports, and whether hosts are domain names.

use crate::scan::slice;

/// A scheme for which some module has a rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names of the schemes")]
pub enum Known {
    Http,
    Https,
    Ws,
    Wss,
    Ftp,
    File,
    Urn,
    Mailto,
    Data,
    Tag,
}

/// The names of these schemes, in lower case.
const NAMES: [(&str, Known); 10] = [
    ("https", Known::Https),
    ("http", Known::Http),
    ("ws", Known::Ws),
    ("wss", Known::Wss),
    ("ftp", Known::Ftp),
    ("file", Known::File),
    ("urn", Known::Urn),
    ("mailto", Known::Mailto),
    ("data", Known::Data),
    ("tag", Known::Tag),
];

impl Known {
    /// Returns the scheme with this name, in any case.
    pub fn of(name: &str) -> Option<Self> {
        let known = NAMES.iter().find(|(known, _)| name.eq_ignore_ascii_case(known));
        known.map(|(_, scheme)| *scheme)
    }

    /// Returns the name in lower case.
    pub(crate) fn name(self) -> &'static str {
        let known = NAMES.iter().find(|(_, scheme)| *scheme == self);
        known.map_or("", |(name, _)| *name)
    }

    /// Returns the default port, if there is one.
    #[inline]
    pub fn port(self) -> Option<u16> {
        default_port(self.name())
    }

    /// Tells whether hosts are names in the DNS. They are in `http`, `https`, `ws`, `wss` and `ftp`.
    #[inline]
    pub const fn has_domains(self) -> bool {
        matches!(self, Self::Http | Self::Https | Self::Ws | Self::Wss | Self::Ftp)
    }

    /// Tells whether an empty path after an authority means the same as `/`.
    #[inline]
    pub const fn has_root(self) -> bool {
        self.has_domains()
    }
}

/// The default ports of the schemes that IANA has registered (<https://www.iana.org/assignments/uri-schemes>),
/// each with the document that defines it. Only schemes whose references have an authority are here; the port of
/// `sip:` or `stun:` is part of the path.
const PORTS: &[(&str, u16)] = &[
    // Permanent.
    ("aaa", 3868),         // RFC 6733
    ("aaas", 5658),        // RFC 6733
    ("acap", 674),         // RFC 2244
    ("cap", 1026),         // RFC 4324
    ("coap", 5683),        // RFC 7252
    ("coap+tcp", 5683),    // RFC 8323
    ("coap+ws", 80),       // RFC 8323
    ("coaps", 5684),       // RFC 7252
    ("coaps+tcp", 5684),   // RFC 8323
    ("coaps+ws", 443),     // RFC 8323
    ("dict", 2628),        // RFC 2229
    ("ftp", 21),           // RFC 1738
    ("gopher", 70),        // RFC 4266
    ("http", 80),          // RFC 9110
    ("https", 443),        // RFC 9110
    ("icap", 1344),        // RFC 3507
    ("imap", 143),         // RFC 5092
    ("ipp", 631),          // RFC 3510
    ("ipps", 631),         // RFC 7472
    ("iris.beep", 702),    // RFC 3983
    ("iris.lwz", 715),     // RFC 4993
    ("iris.xpc", 713),     // RFC 4992
    ("iris.xpcs", 714),    // RFC 4992
    ("ldap", 389),         // RFC 4516
    ("mtqp", 1038),        // RFC 3887
    ("mupdate", 3905),     // RFC 3656
    ("nfs", 2049),         // RFC 2224
    ("nntp", 119),         // RFC 5538
    ("pop", 110),          // RFC 2384
    ("rtsp", 554),         // RFC 7826
    ("rtsps", 322),        // RFC 7826
    ("rtspu", 554),        // RFC 2326
    ("sieve", 4190),       // RFC 5804
    ("snmp", 161),         // RFC 4088
    ("soap.beep", 605),    // RFC 4227
    ("soap.beeps", 605),   // RFC 4227
    ("telnet", 23),        // RFC 4248
    ("tftp", 69),          // RFC 3617
    ("tip", 3372),         // RFC 2371
    ("tn3270", 23),        // RFC 6270
    ("vemmi", 575),        // RFC 2122
    ("vnc", 5900),         // RFC 7869
    ("ws", 80),            // RFC 6455
    ("wss", 443),          // RFC 6455
    ("xmlrpc.beep", 602),  // RFC 3529
    ("xmlrpc.beeps", 602), // RFC 3529
    ("z39.50r", 210),      // RFC 2056
    ("z39.50s", 210),      // RFC 2056
    // Provisional and historical. The ports are from the registry of service names.
    ("finger", 79),     // RFC 1288
    ("git", 9418),      // service `git`
    ("ldaps", 636),     // service `ldaps`
    ("mqtt", 1883),     // service `mqtt`
    ("mqtts", 8883),    // service `secure-mqtt`
    ("prospero", 1525), // RFC 4157
    ("redis", 6379),    // service `redis`
    ("rsync", 873),     // RFC 5781
    ("rtmp", 1935),     // service `macromedia-fcs`
    ("sftp", 22),       // service `ssh`
    ("smb", 445),       // service `microsoft-ds`
    ("ssh", 22),        // service `ssh`
    ("svn", 3690),      // service `svn`
    ("wais", 210),      // RFC 4156
];

/// Returns the default port of a scheme, whose name is in any case. Compares the name with each entry.
pub fn default_port(scheme: &str) -> Option<u16> {
    let known = PORTS.iter().find(|(name, _)| scheme.eq_ignore_ascii_case(name));
    known.map(|(_, port)| *port)
}

/// Returns a port as scheme-based normalization writes it: without leading zeros, and empty if it is the default port
/// of the scheme (RFC 3986, section 6.2.3).
pub(crate) fn written_port<'a>(port: &'a str, scheme: Option<&str>) -> &'a str {
    let digits = port.trim_start_matches('0');
    if digits.is_empty() {
        // An empty port, or port 0.
        return slice::text(port, port.len().saturating_sub(1)..);
    }
    let default = scheme.and_then(default_port);
    let is_default = digits.parse().is_ok_and(|port: u16| default == Some(port));
    if is_default { "" } else { digits }
}
