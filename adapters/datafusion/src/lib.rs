//! SQL functions of DataFusion for Internationalized Resource Identifiers (RFC 3987) and URIs (RFC 3986): `iri_valid`,
//! `iri_host`, `iri_parse`, `iri_normalize`, `iri_resolve` and others, with the names that the extension of DuckDB has.
//!
//! ```
//! use datafusion::prelude::SessionContext;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> datafusion::error::Result<()> {
//! let mut context = SessionContext::new();
//! simd_iri_datafusion::register(&mut context)?;
//! let hosts = context.sql("SELECT iri_host('http://例え.jp/a?b') AS host").await?;
//! assert_eq!(hosts.to_string().await?.lines().nth(3), Some("| 例え.jp |"));
//! # Ok(())
//! # }
//! ```
//!
//! Each function calls a kernel of [`simd_iri_arrow`]. A null gives null. A text that does not match its rule gives
//! null, too, except in `iri_valid`, `iri_error` and the functions that take every text, such as `iri_redact`. Texts in results are `Utf8View` arrays that refer to the buffers
//! of the column. Optional parameters, such as the level of `iri_normalize`, are constants. The functions are
//! immutable, so DataFusion computes a call with constants once.

#![forbid(unsafe_code)]

mod functions;
mod settings;
mod udf;

use std::sync::Arc;

use datafusion_common::Result;
use datafusion_expr::ScalarUDF;
use datafusion_expr::registry::FunctionRegistry;

/// Registers all functions, for example in a `SessionContext`. They replace functions with the same names.
///
/// # Errors
/// The registry refuses functions.
pub fn register(registry: &mut dyn FunctionRegistry) -> Result<()> {
    functions().try_for_each(|function| registry.register_udf(Arc::new(function)).map(|_| ()))
}

/// Returns all functions.
pub fn functions() -> impl Iterator<Item = ScalarUDF> {
    functions::FUNCTIONS.iter().map(|function| ScalarUDF::new_from_impl(udf::Udf::new(function)))
}
