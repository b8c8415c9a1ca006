//! The Python module `simd_iri._native`. The package `simd_iri` around it, in `python/`, has the documentation for
//! users.
//!
//! `text` reads Python strings, `names` reads the names of rules, `error` raises `IriError`, `iri` is the class `Iri`,
//! `functions` has the functions over one text, `quick` calls `is_valid` at less cost, and `arrow` has the kernels over
//! arrays.

mod arrow;
mod error;
mod functions;
mod iri;
mod names;
mod quick;
mod text;

/// The native part of the package `simd_iri`.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use crate::functions::{
        extract, is_hostname, is_idn_hostname, lint, masked, normalize, prepare, resolve, to_iri,
        to_uri,
    };
    #[pymodule_export]
    use crate::iri::Iri;
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::quick::add(module)
    }

    /// The kernels, and the class of their results.
    #[pyo3::pymodule]
    mod arrow {
        #[pymodule_export]
        use crate::arrow::{
            Array, component, display, error, fingerprint, is_valid, lint, normalize, origin,
            parse, prepare, query_value, registrable_domain, relativize, resolve, to_iri, to_uri,
        };
    }
}
