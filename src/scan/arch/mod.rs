//! The kernels: the operations with the instructions of each CPU family. `scalar` defines the masks. Not here: the choice
//! of the kernel (`level`).

#[cfg(any(avx2, neon))]
mod halves;
#[cfg(neon)]
pub(super) mod neon;
pub(super) mod scalar;
#[cfg(avx2)]
pub(super) mod x86_64;
