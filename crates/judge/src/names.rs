//! The names of hosts that a policy has: its allow-list, and the domains that it refuses or permits.
//!
//! Not here: the names that every policy refuses (the engine).

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::standard::{self, StandardHost};
use simd_iri::low::names::is_below;

/// A text is not a host that a policy can name. The error does not hold the text.
///
/// ```
/// use simd_iri_judge::Policy;
///
/// let error = Policy::public_web().only_host("a/b").unwrap_err();
/// assert_eq!(error.to_string(), "not a host; write a name such as example.com, or an address");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NameError;

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a host; write a name such as example.com, or an address")
    }
}

impl core::error::Error for NameError {}

/// Hosts, and domains with all names below them, in the form for the DNS.
#[derive(Clone, Default)]
pub(super) struct Names {
    hosts: Vec<String>,
    domains: Vec<String>,
}

impl Names {
    /// Adds a name or an address.
    pub(super) fn add_host(&mut self, text: &str) -> Result<(), NameError> {
        self.hosts.push(form(text, false)?);
        Ok(())
    }

    /// Adds a name and all names below it. A dot at its start is removed.
    pub(super) fn add_domain(&mut self, text: &str) -> Result<(), NameError> {
        self.domains.push(form(text.strip_prefix('.').unwrap_or(text), true)?);
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.hosts.is_empty() && self.domains.is_empty()
    }

    /// Tells whether a host is one of the hosts, or is in one of the domains. A name has no final dot.
    pub(super) fn has(&self, host: &str) -> bool {
        self.hosts.iter().any(|known| known == host)
            || self.domains.iter().any(|domain| is_below(host.as_bytes(), domain))
    }
}

/// Returns a host as the URL Standard writes it, without a final dot.
fn form(text: &str, is_domain: bool) -> Result<String, NameError> {
    let host = if text.is_empty() { None } else { standard::host(text, true) };
    match host {
        Some(StandardHost::Name(name)) => {
            let name = name.strip_suffix('.').unwrap_or(&name);
            // The URL Standard takes `*.example` and `a,b`, which a caller means otherwise.
            let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
            let is_label = |label: &str| !label.is_empty() && label.bytes().all(is_letter);
            let is_name = name.split('.').all(is_label);
            if is_name { Ok(name.into()) } else { Err(NameError) }
        }
        Some(host @ StandardHost::Address(_)) if !is_domain => Ok(host.text().into_owned()),
        _ => Err(NameError),
    }
}
