//! What is known of single schemes, which no grammar says.

/// A scheme of which something is known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Known {
    Http,
    Https,
    Ws,
    Wss,
    Ftp,
    File,
    Urn,
    Mailto,
}

/// Each in lower case.
const NAMES: [(&str, Known); 8] = [
    ("https", Known::Https),
    ("http", Known::Http),
    ("ws", Known::Ws),
    ("wss", Known::Wss),
    ("ftp", Known::Ftp),
    ("file", Known::File),
    ("urn", Known::Urn),
    ("mailto", Known::Mailto),
];

impl Known {
    /// The scheme of a name, in any case.
    pub(crate) fn of(name: &str) -> Option<Self> {
        let known = NAMES.iter().find(|(known, _)| name.eq_ignore_ascii_case(known));
        known.map(|(_, scheme)| *scheme)
    }

    /// The name in lower case.
    pub(super) fn name(self) -> &'static str {
        let known = NAMES.iter().find(|(_, scheme)| *scheme == self);
        known.map_or("", |(name, _)| *name)
    }

    /// The port that is meant if there is none: RFC 9110, section 4.2; RFC 6455, section 3; RFC 1738,
    /// section 3.2.
    pub(crate) const fn port(self) -> Option<u16> {
        match self {
            Self::Http | Self::Ws => Some(80),
            Self::Https | Self::Wss => Some(443),
            Self::Ftp => Some(21),
            Self::File | Self::Urn | Self::Mailto => None,
        }
    }

    /// Tells whether hosts are names of the DNS.
    #[cfg(feature = "idna")]
    pub(super) const fn has_domains(self) -> bool {
        self.port().is_some()
    }

    /// Tells whether an empty path after an authority means the same as `/`.
    pub(super) const fn has_root(self) -> bool {
        self.port().is_some()
    }
}
