//! The program `iri`.
#![deny(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    simd_iri_cli::main()
}

/// Calls `note_streams` before the standard library opens `/dev/null` in the place of closed streams.
// SAFETY: the system calls each function of this section once, before `main`, with the arguments of the process on most
// systems, which a function of C may ignore. The function makes three calls of the system and changes one atomic number:
// it needs nothing that is prepared later.
#[cfg(unix)]
#[expect(
    unsafe_code,
    reason = "a function that runs before the standard library is named in a section"
)]
#[used]
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
static FIRST: extern "C" fn() = note_streams;

#[cfg(unix)]
extern "C" fn note_streams() {
    simd_iri_cli::note_streams();
}
