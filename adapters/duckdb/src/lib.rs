//! An extension of [DuckDB] with functions of SQL for Internationalized Resource Identifiers ([RFC 3987]) and URIs
//! ([RFC 3986]), on the engine `simd-iri`. README.md lists them and says how to build and load it.
//!
//! `functions` has the functions, which call the library. `duckdb` has the interface to DuckDB.
//!
//! [DuckDB]: https://duckdb.org/
//! [RFC 3986]: https://www.rfc-editor.org/rfc/rfc3986
//! [RFC 3987]: https://www.rfc-editor.org/rfc/rfc3987

mod duckdb;
mod functions;

use libduckdb_sys::{duckdb_extension_access, duckdb_extension_info};

/// Called by DuckDB when it loads the extension: the name is the name of the file and a suffix for its kind. Returns
/// whether all functions are registered; if not, DuckDB knows why.
///
/// # Safety
/// DuckDB calls this, with its own pointers, which are valid during the call.
#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "DuckDB's interface is one of C")]
unsafe extern "C" fn simd_iri_init_c_api(
    info: duckdb_extension_info,
    access: *const duckdb_extension_access,
) -> bool {
    // SAFETY: the caller's promise.
    unsafe { duckdb::load(info, access, functions::FUNCTIONS) }
}
