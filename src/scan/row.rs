//! A row of eight offsets, stored as two registers.

/// Returns the same offsets, in two registers of 16 bytes if the target is x86-64.
///
/// Without this, the compiler stores each offset on its own, 4 bytes at a time. The caller copies the row with loads of 16
/// bytes, and a CPU forwards a load from the store before it only if one store wrote all of its bytes. Otherwise the
/// load waits until the stores have reached the cache.
///
/// Measured: `docs/performance/notes.md`, "Parse".
#[inline(always)]
pub(crate) fn row(offsets: [u32; 8]) -> [u32; 8] {
    #[cfg(all(optimized, target_arch = "x86_64"))]
    {
        use core::arch::x86_64::_mm_set_epi32;
        let [a, b, c, d, e, f, g, h]: [i32; 8] = bytemuck::must_cast(offsets);
        // SAFETY: every x86-64 CPU has SSE2.
        let halves = unsafe { [_mm_set_epi32(d, c, b, a), _mm_set_epi32(h, g, f, e)] };
        bytemuck::must_cast(halves)
    }
    #[cfg(not(all(optimized, target_arch = "x86_64")))]
    offsets
}
