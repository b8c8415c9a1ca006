//! The Python module `simd_iri._native`. The package `simd_iri` around it, in `python/`, has the documentation for
//! users.
//!
//! `text` reads Python strings, `names` reads the names of rules, `error` raises `IriError`, `held` has what an object
//! holds, and `reference` the classes `IriRef`, `Iri`, `UriRef` and `Uri`. `functions` has the functions over one text,
//! `documents` those for people, documents and file systems, `redaction` those that hide secrets, `judge` the verdicts
//! about URLs, `rules` the class `QueryRules` and wrapped links, and `template` the class `Template`. `quick` calls
//! `is_valid` at less cost, and `arrow` has the kernels over arrays.

mod arrow;
mod documents;
mod error;
mod functions;
mod held;
mod judge;
mod names;
mod quick;
mod redaction;
mod reference;
mod rules;
mod template;
mod text;

/// The native part of the package `simd_iri`.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use crate::documents::{
        display_in_text, embed, escape, from_posix_path, from_windows_path, skeleton,
        to_posix_path, to_windows_path, unembed, unescape, visual,
    };
    #[pymodule_export]
    use crate::functions::{
        archive_key, build, display, display_rule, drop_query_pairs, extract, fingerprint, fix,
        host_kind, host_to_ascii, host_to_unicode, interpret, is_hostname, is_idn_hostname, key,
        lint, masked, normalize, origin, port_or_default, prepare, query_value, registrable_domain,
        relativize, resolve, to_iri, to_uri, to_uri_in_charset, violations,
    };
    #[pymodule_export]
    use crate::held::Reference;
    #[pymodule_export]
    use crate::judge::{Policy, judge_address, judge_redirect, judge_text};
    #[pymodule_export]
    use crate::redaction::{redact, redactions};
    #[pymodule_export]
    use crate::reference::{Iri, Uri, UriRef};
    #[pymodule_export]
    use crate::rules::{QueryRules, unwrap};
    #[pymodule_export]
    use crate::template::Template;
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        crate::reference::add_second_parent(module.py())?;
        crate::quick::add(module)
    }

    /// The kernels, and the class of their results.
    #[pyo3::pymodule]
    mod arrow {
        #[pymodule_export]
        use crate::arrow::{
            Array, apply_query_rules, archive_key, authority, component, display, display_in_text,
            display_rule, drop_query_pairs, error, extract, fingerprint, fix, fragment, host,
            host_kind, is_hostname, is_idn_hostname, is_valid, judge, key, lint, masked, normalize,
            origin, parse, path, percent_decode, percent_encode, port, prepare, query, query_value,
            redact, registrable_domain, relativize, resolve, scheme, skeleton, template_map,
            template_match, to_iri, to_uri, unwrap, userinfo, violations,
        };
    }
}
