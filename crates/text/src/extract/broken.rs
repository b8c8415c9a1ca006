//! The reasons why a text that looks like a link is not one. Not here: who finds them (`detect`, `finder`).

use core::fmt;

use simd_iri::low::named;

/// The reason why a text that looks like a link is not one.
///
/// ```
/// use simd_iri_text::{Broken, Extract};
///
/// let extract = Extract::new().broken(true);
/// let found = extract.links("http://-a.example/ ann@localhost b.com").map(|link| link.broken());
/// let reasons = [Some(Broken::Host), Some(Broken::Unregistered), None];
/// assert!(found.eq(reasons));
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Broken {
    /// After `http://` there is neither the name of a host nor an IP literal (UTS #46).
    Host,
    /// User information before the host, which misleads readers (UTS #58).
    Userinfo,
    /// Letters, digits, `-` or `+` are right before the scheme.
    WithinWord,
    /// The two slashes after `http:` are missing.
    Slashes,
    /// The text before the at sign is not the local part of an e-mail address.
    LocalPart,
    /// The name has no registered top-level domain.
    Unregistered,
    /// The scheme is not among the schemes that are searched for.
    Scheme,
    /// The reference is relative, and its base is not known.
    Relative,
    /// The markup delimits a reference that has bytes that are not text.
    NotText,
}

named! {
    @sentence
    /// Returns the name in kebab-case, for machine-readable output. `Display` writes a sentence.
    "simd_iri_text::Broken" Broken {
        Host = "host",
        Userinfo = "userinfo",
        WithinWord = "within-word",
        Slashes = "slashes",
        LocalPart = "local-part",
        Unregistered = "unregistered",
        Scheme = "scheme",
        Relative = "relative",
        NotText = "not-text"
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Host => "the host is neither a domain name nor an IP literal",
            Self::Userinfo => "there is user information before the host",
            Self::WithinWord => "the scheme is the end of a longer word",
            Self::Slashes => "two slashes are missing after the scheme",
            Self::LocalPart => "the local part of the e-mail address is not valid",
            Self::Unregistered => "the top-level domain is not registered",
            Self::Scheme => "the scheme is not one that is looked for",
            Self::Relative => "the reference is relative, and its base is not known",
            Self::NotText => "there are bytes in the reference that are not text",
        })
    }
}
