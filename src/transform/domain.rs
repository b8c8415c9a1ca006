//! Registrable domains, by the list of public suffixes (<https://publicsuffix.org>), which comes with
//! the `psl` crate and is as old as that is.
//!
//! Not here: the mapping of names between their forms (`idna`).

use crate::reference::kind::Kind;
use crate::reference::{Host, View};

impl<'a, K: Kind> View<'a, K> {
    /// The registrable domain of the host: the public suffix and one label more, as it is written but
    /// without the dot of the root. `None` if there is none: of an address, of a public suffix itself, of a
    /// single label, and of a name with triplets, which [`View::to_iri`] decodes. A name whose last label
    /// is a number, decimal or hexadecimal, is an address to most programs, and has none.
    ///
    /// To group by it, take the normal form of the reference first, or compare without regard to case.
    ///
    /// A suffix in its own script is found and in its ACE form (`xn--`) too; one that is not on the list
    /// is taken to be the last label. Allocates a copy of the host.
    ///
    /// ```
    /// use simd_iri::iri;
    ///
    /// assert_eq!(iri!("http://www.Example.co.UK/a").registrable_domain(), Some("Example.co.UK"));
    /// assert_eq!(iri!("http://a.b.公司.cn").registrable_domain(), Some("b.公司.cn"));
    /// assert_eq!(iri!("http://co.uk").registrable_domain(), None);
    /// assert_eq!(iri!("http://a.example.com.").registrable_domain(), Some("example.com"));
    /// assert_eq!(iri!("http://127.0.0.1").registrable_domain(), None);
    /// assert_eq!(iri!("http://0x7f.1").registrable_domain(), None);
    /// ```
    #[must_use]
    pub fn registrable_domain(self) -> Option<&'a str> {
        match self.host()? {
            Host::RegName(name) if !name.contains('%') => of_name(name),
            _ => None,
        }
    }
}

/// The registrable domain of a name. Not generic, so that the list is compiled once.
fn of_name(name: &str) -> Option<&str> {
    let name = name.strip_suffix('.').unwrap_or(name);
    if is_number(name.rsplit('.').next().unwrap_or_default()) {
        return None;
    }
    // The list is in lower case.
    let lower = name.to_ascii_lowercase();
    let length = psl::domain(lower.as_bytes())?.as_bytes().len();
    let domain = name.get(name.len().checked_sub(length)?..)?;
    (!domain.starts_with('.')).then_some(domain)
}

/// Tells whether a label is a number as C writes it: no top-level domain is one, and programs that read
/// such a name take it for an IPv4 address (RFC 3986, section 7.4; URL Standard, section 3.5).
fn is_number(label: &str) -> bool {
    match label.as_bytes() {
        [b'0', b'x' | b'X', digits @ ..] => digits.iter().all(u8::is_ascii_hexdigit),
        digits => !digits.is_empty() && digits.iter().all(u8::is_ascii_digit),
    }
}
