//! The kernels over arrays, with the names that they have in Rust. Each component has a function of its own too.
//!
//! `capsule` moves arrays through the PyCapsule interface and has all unsafe code; `input` reads the arguments of
//! Python; `array` is the class of all results; `kernels` has a function for each kernel.

mod array;
mod capsule;
mod input;
mod kernels;

pub(crate) use array::Array;
pub(crate) use kernels::*;

use arrow_schema::ArrowError;
use pyo3::PyErr;
use pyo3::exceptions::PyValueError;

/// The Python exception for an error of Arrow.
#[cold]
fn arrow_error(error: ArrowError) -> PyErr {
    match error {
        ArrowError::InvalidArgumentError(message) => PyValueError::new_err(message),
        other => PyValueError::new_err(other.to_string()),
    }
}
