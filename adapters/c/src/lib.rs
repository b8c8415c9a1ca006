//! The C interface of [simd-iri](https://docs.rs/simd-iri): `include/simd_iri.h` describes it for people.
//!
//! `interface` and `texts` have the functions that C calls. `call` reads their arguments and catches every panic.
//! `memory` turns pointers into slices. `types` has the structures and the constants. `work` has the work of each
//! function, in safe Rust: it calls the library. `target` has the targets of HTTP requests, `template` the templates, and
//! `rules` the wrapped links and the rules for queries.

mod call;
mod interface;
mod memory;
mod rules;
mod target;
mod template;
mod texts;
mod types;
mod work;

pub use interface::*;
pub use texts::*;
pub use types::*;
