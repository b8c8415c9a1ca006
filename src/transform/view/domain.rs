//! Registrable domains, by the list of public suffixes (<https://publicsuffix.org>). The crate `psl`
//! contains the list, so it is as old as that crate.
//!
//! Not here: the mapping of names between their forms (`idna`).

use alloc::borrow::Cow;

use crate::network::ipv4::is_number;
use crate::reference::kind::Kind;
use crate::reference::{Host, View};
use crate::transform::LONGEST_LABEL;

impl<'a, K: Kind> View<'a, K> {
    /// Returns the registrable domain of the host: the public suffix and the label before it, in lower case and
    /// without a dot at the end. Allocates it if the host has upper-case letters.
    ///
    /// Returns `None` for an address, a public suffix, a single label, and a name with triplets, which
    /// [`View::to_iri`] decodes. A name whose last label is a decimal or hexadecimal number also has none, because most
    /// programs read it as an IPv4 address.
    ///
    /// A suffix is found with U-labels and with A-labels (`xn--`). If no suffix of the list matches, the last label is
    /// the suffix.
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

/// Returns the registrable domain of a name. Not generic, so that the list is compiled once.
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

/// Returns the registrable domain of a name in lower case.
fn in_list(name: &str) -> Option<&str> {
    let length = psl::domain(name.as_bytes())?.as_bytes().len();
    let domain = name.get(name.len().checked_sub(length)?..)?;
    (!domain.starts_with('.')).then_some(domain)
}

/// Tells whether the list has an ICANN rule for a label or for names below it.
///
/// The function of `psl` is the function that `in_list` uses too, and it takes a name below the label. For each type of
/// iterator over labels, and in each crate, the compiler would make the code of the whole list again, 600 KB.
pub fn is_listed(label: &[u8]) -> bool {
    let mut name = [b'-'; LONGEST_LABEL + 2];
    let Some(name) = name.get_mut(..label.len() + 2) else { return false };
    let Some((_, [dot, rest @ ..])) = name.split_first_mut() else { return false };
    *dot = b'.';
    rest.copy_from_slice(label);
    psl::suffix(name).is_some_and(|suffix| suffix.typ() == Some(psl::Type::Icann))
}
