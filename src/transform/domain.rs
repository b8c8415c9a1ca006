//! Registrable domains, by the list of public suffixes (<https://publicsuffix.org>), which comes with
//! the `psl` crate and is as old as that is.
//!
//! Not here: the mapping of names between their forms (`idna`).

use crate::reference::kind::Kind;
use crate::reference::{Host, View};

impl<'a, K: Kind> View<'a, K> {
    /// The registrable domain of the host: the public suffix and one label more, as it is written.
    /// `None` if there is none: of an address, of a public suffix itself, of a single label, and of a
    /// name with triplets, which [`View::to_iri`] decodes.
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
    /// assert_eq!(iri!("http://127.0.0.1").registrable_domain(), None);
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
    // The list is in lower case.
    let lower = name.to_ascii_lowercase();
    let length = psl::domain(lower.as_bytes())?.as_bytes().len();
    let domain = name.get(name.len().checked_sub(length)?..)?;
    (!domain.starts_with('.')).then_some(domain)
}
