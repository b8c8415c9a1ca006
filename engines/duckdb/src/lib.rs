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
