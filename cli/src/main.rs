//! The program `iri`.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    simd_iri_cli::main()
}
