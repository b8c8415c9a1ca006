//! Asks the CPU to bring a text into its caches.

/// Begins to bring the first 128 bytes of `text` into the caches, and does not wait for them. Does nothing if the target
/// is not x86-64. The result of no function depends on it.
///
/// An instruction, and not a load in its place (`black_box` of the first byte).
/// Measured: `docs/performance/notes.md`, "Texts that lie anywhere".
#[inline(always)]
pub(crate) fn fetch(text: &[u8]) {
    #[cfg(all(optimized, target_arch = "x86_64"))]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let (first, len) = (text.as_ptr(), text.len());
        // A text may begin anywhere in a line of 64 bytes, so that 128 bytes may lie in three lines.
        for at in [0, len.clamp(64, 128) - 1] {
            // SAFETY: every x86-64 CPU has SSE. The instruction reads no memory that the program can observe, and every
            // address is allowed.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(first.wrapping_add(at).cast()) };
        }
    }
    #[cfg(not(all(optimized, target_arch = "x86_64")))]
    let _ = text;
}
