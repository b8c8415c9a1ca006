//! Registrable domains, by the list of public suffixes (<https://publicsuffix.org>). The crate `psl`
//! contains the list, so it is as old as that crate.
//!
//! Not here: the mapping of names between their forms (`idna`).

use alloc::borrow::Cow;

use crate::reference::kind::Kind;
use crate::reference::{Host, View};

impl<'a, K: Kind> View<'a, K> {
    /// The registrable domain of the host: the public suffix and one label more, in lower case and without
    /// the dot of the root, so that hosts are in one group however they are written. `None` if there is none: of an address, of a public suffix itself, of a
    /// single label, and of a name with triplets, which [`View::to_iri`] decodes. A name whose last label
    /// is a number, decimal or hexadecimal, is an address to most programs, and has none.
    ///
    /// A suffix in its own script is found and in its ACE form (`xn--`) too; one that is not on the list
    /// is taken to be the last label. Allocates a copy of the host if it has upper-case letters.
    ///
    /// ```
    /// use simd_iri::iri;
    ///
    /// let domain = |iri: simd_iri::Iri<'static>| iri.registrable_domain();
    /// assert_eq!(domain(iri!("http://www.Example.co.UK/a")), Some("example.co.uk".into()));
    /// assert_eq!(domain(iri!("http://a.b.公司.cn")), Some("b.公司.cn".into()));
    /// assert_eq!(iri!("http://co.uk").registrable_domain(), None);
    /// assert_eq!(iri!("http://a.example.com.").registrable_domain(), Some("example.com".into()));
    /// assert_eq!(iri!("http://127.0.0.1").registrable_domain(), None);
    /// assert_eq!(iri!("http://0x7f.1").registrable_domain(), None);
    /// ```
    #[must_use]
    pub fn registrable_domain(self) -> Option<Cow<'a, str>> {
        match self.host()? {
            Host::RegName(name) if !name.contains('%') => of_name(name),
            _ => None,
        }
    }
}

/// The registrable domain of a name. Not generic, so that the list is compiled once.
fn of_name(name: &str) -> Option<Cow<'_, str>> {
    let name = name.strip_suffix('.').unwrap_or(name);
    if is_number(name.rsplit('.').next().unwrap_or_default()) {
        return None;
    }
    // The list is in lower case.
    if name.contains(char::is_uppercase) {
        let lower = name.to_lowercase();
        return in_list(&lower).map(|domain| Cow::Owned(domain.into()));
    }
    in_list(name).map(Cow::Borrowed)
}

/// The registrable domain of a name in lower case.
fn in_list(name: &str) -> Option<&str> {
    let length = psl::domain(name.as_bytes())?.as_bytes().len();
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
