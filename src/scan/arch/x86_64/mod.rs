//! The kernels for x86-64.

pub(in crate::scan) mod avx2;
#[cfg(avx512)]
pub(in crate::scan) mod avx512;
pub(in crate::scan) mod sse41;
