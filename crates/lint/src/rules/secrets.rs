//! Values that are secret by their keys (RFC 6750, section 5.3).
//!
//! Not here: which keys are secret, and where their values are (`redact`); user information (`spoof`, `scheme`).

use crate::code::Code;
use crate::finding::Reporter;
use simd_iri::{Component, IriRef};
use simd_iri_redact::{Reason, Redact, SecretSet};

/// Every set of keys.
const RULES: Redact<'static> = Redact::none().sets(SecretSet::ALL);

/// Reports each value that is secret by its key. Linear time.
pub(crate) fn check(iri: IriRef<'_>, reporter: &mut Reporter<'_>) {
    for found in RULES.redactions(iri.as_str()) {
        let component = match found.reason() {
            Reason::QueryKey => Component::Query,
            Reason::FragmentKey => Component::Fragment,
            Reason::SessionId => Component::Path,
            // User information has codes of its own, and the other reasons are not asked for.
            _ => continue,
        };
        let set = found.set().map_or(0, |set| set as u32);
        reporter.report(Code::SpoofSecret, component, found.span(), None, set);
    }
}
