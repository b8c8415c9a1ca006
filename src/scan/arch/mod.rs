//! The kernels: the operations with the instructions of each CPU family. `scalar` defines the masks. Not here: the choice
//! of the kernel (`level`).

#[cfg(any(avx2, neon, simd128))]
mod halves;
#[cfg(neon)]
pub(super) mod neon;
pub(super) mod scalar;
#[cfg(simd128)]
pub(super) mod wasm;
#[cfg(avx2)]
pub(super) mod x86_64;
