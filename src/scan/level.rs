//! The choice of the kernel: detects the features of the CPU once, and holds the one call into each kernel.
//!
//! Not here: the kernels.

use core::fmt;
#[cfg(feature = "std")]
use core::sync::atomic::{AtomicU8, Ordering};

#[cfg(neon)]
use super::arch::neon::Neon;
use super::arch::scalar::Scalar;
#[cfg(simd128)]
use super::arch::wasm::Simd128;
#[cfg(avx2)]
use super::arch::x86_64::avx2::Avx2;
#[cfg(avx512)]
use super::arch::x86_64::avx512::Avx512;
#[cfg(avx2)]
use super::arch::x86_64::sse41::Sse41;
use super::ops::Simd;
use super::ops::encode::EncodeBlocks;
use super::ops::long::Long;
use super::ops::rewrite::RewriteBlocks;

/// A kernel with the operations that the jobs of the library use.
pub trait Cpu: Simd + Apart + Long + EncodeBlocks + RewriteBlocks {}
impl<S: Simd + Apart + Long + EncodeBlocks + RewriteBlocks> Cpu for S {}

/// A kernel that runs a part of a job as a separate function.
pub(crate) trait Apart: Simd {
    /// Runs `job` with this kernel, not inlined. If several jobs run the same job, there is one copy of its code.
    #[inline(always)]
    fn apart<J: Job>(self, job: J) -> J::Output {
        self.apart_on(job, &[])
    }

    /// [`apart`](Self::apart) for a job on a text.
    fn apart_on<J: Job>(self, job: J, text: &[u8]) -> J::Output;
}

/// Work that runs inside the kernel of a CPU family, so that the instructions of that family are inlined.
pub trait Job {
    /// The result of the work.
    type Output;

    /// Does the work. `text` is the text of the job; it is empty if the job holds all its inputs. Implementations are
    /// `#[inline(always)]`.
    ///
    /// The text is an argument of its own, so that a small job is passed in registers. A job of more than 16 bytes is
    /// passed by reference.
    fn run<S: Cpu>(self, simd: S, text: &[u8]) -> Self::Output;
}

/// A set of instructions that this CPU has, and the kernel that uses them.
///
/// A program cannot name a level that the CPU lacks: values come only from [`CpuLevel::best`] and
/// [`CpuLevel::available`]. Every level gives the same answers; only the time differs. The
/// functions of the crate use the best level. The methods of this type run the engine at a chosen CPU level,
/// for tests and benchmarks.
///
/// ```
/// use simd_iri::{Rule, parser::CpuLevel};
///
/// for level in CpuLevel::available() {
///     assert!(level.is_valid_bytes(Rule::Iri, b"http://example.org/"), "{}", level.name());
/// }
/// ```
///
/// | level | instructions |
/// | --- | --- |
/// | `scalar` | only the instructions of the target |
/// | `sse41` | SSE4.1, SSSE3, POPCNT |
/// | `avx2` | AVX2, BMI1, BMI2, LZCNT, POPCNT |
/// | `avx512` | the instructions of `avx2`, GFNI, and AVX-512 F, BW, VL, VBMI, VBMI2 and VPOPCNTDQ |
/// | `neon` | NEON |
/// | `simd128` | `simd128` of WebAssembly |
///
/// `avx512` needs Rust 1.89 or newer: an older compiler builds the crate without it. Compiled without optimization, as
/// in a debug build, the crate has `scalar` alone. At the level `sse41`,
/// parsing and validation of references and checks of UTF-8 use SIMD; nearly everything else runs without it.
///
/// With the feature `std`, the crate detects the instructions of the CPU once, at run time. Without this feature, the
/// level is the best level of the CPU that the compiler targets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CpuLevel(Kernel);

/// The kernels of the target, the slowest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Kernel {
    Scalar,
    #[cfg(avx2)]
    Sse41,
    #[cfg(avx2)]
    Avx2,
    #[cfg(avx512)]
    Avx512,
    #[cfg(neon)]
    Neon,
    #[cfg(simd128)]
    Simd128,
}

/// All kernels of the target, the slowest first.
const KERNELS: &[Kernel] = &[
    Kernel::Scalar,
    #[cfg(avx2)]
    Kernel::Sse41,
    #[cfg(avx2)]
    Kernel::Avx2,
    #[cfg(avx512)]
    Kernel::Avx512,
    #[cfg(neon)]
    Kernel::Neon,
    #[cfg(simd128)]
    Kernel::Simd128,
];

/// Tells whether this CPU has all of the listed features.
#[cfg(any(avx2, neon))]
macro_rules! has {
    ($($feature:tt)+) => {{
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        let has = $(std::arch::is_x86_feature_detected!($feature))&&+;
        #[cfg(all(feature = "std", target_arch = "aarch64"))]
        let has = $(std::arch::is_aarch64_feature_detected!($feature))&&+;
        #[cfg(not(feature = "std"))]
        let has = $(cfg!(target_feature = $feature))&&+;
        has
    }};
}

impl Kernel {
    /// Tells whether this CPU can run the kernel. Each `unsafe` of [`CpuLevel`] relies on this check.
    fn is_available(self) -> bool {
        match self {
            Self::Scalar => true,
            #[cfg(avx2)]
            Self::Sse41 => has!("sse4.1" "ssse3" "popcnt"),
            #[cfg(avx2)]
            Self::Avx2 => has_avx2(),
            #[cfg(avx512)]
            Self::Avx512 => {
                has_avx2()
                    && has!("avx512f" "avx512bw" "avx512vl" "avx512vbmi" "avx512vbmi2")
                    && has!("avx512vpopcntdq" "gfni")
            }
            #[cfg(neon)]
            Self::Neon => has!("neon"),
            #[cfg(simd128)]
            Self::Simd128 => true,
        }
    }
}

/// Tells whether this CPU can run the kernel `avx2`.
// One function for the two kernels that need these features, which keeps the code small.
#[cfg(avx2)]
#[inline(never)]
fn has_avx2() -> bool {
    has!("avx2" "bmi1" "bmi2" "lzcnt" "popcnt")
}

impl CpuLevel {
    /// Returns the fastest level of this CPU. After the first call, it costs a load of a static.
    ///
    /// ```
    /// # use simd_iri::parser::CpuLevel;
    /// assert_eq!(CpuLevel::available().last(), Some(CpuLevel::best()));
    /// ```
    #[inline]
    #[must_use]
    pub fn best() -> Self {
        #[cfg(feature = "std")]
        {
            // One relaxed load instead of the tests of `is_available`.
            match BEST.load(Ordering::Relaxed) {
                #[cfg(avx512)]
                level if level == Kernel::Avx512 as u8 => Self(Kernel::Avx512),
                #[cfg(avx2)]
                level if level == Kernel::Avx2 as u8 => Self(Kernel::Avx2),
                #[cfg(avx2)]
                level if level == Kernel::Sse41 as u8 => Self(Kernel::Sse41),
                #[cfg(neon)]
                level if level == Kernel::Neon as u8 => Self(Kernel::Neon),
                #[cfg(simd128)]
                level if level == Kernel::Simd128 as u8 => Self(Kernel::Simd128),
                level if level == Kernel::Scalar as u8 => Self(Kernel::Scalar),
                _ => detect(),
            }
        }
        #[cfg(not(feature = "std"))]
        {
            Self::available().last().unwrap_or(Self(Kernel::Scalar))
        }
    }

    /// Returns every level of this CPU, the slowest first. Made for tests and measurements.
    ///
    /// ```
    /// # use simd_iri::parser::CpuLevel;
    /// assert!(CpuLevel::available().any(|level| level.name() == "scalar"));
    /// ```
    pub fn available() -> impl Iterator<Item = Self> {
        KERNELS.iter().filter(|kernel| kernel.is_available()).map(|kernel| Self(*kernel))
    }

    /// Returns the name of the level, in lower case.
    ///
    /// ```
    /// # use simd_iri::parser::CpuLevel;
    /// assert_eq!(CpuLevel::available().next().map(CpuLevel::name), Some("scalar"));
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self.0 {
            Kernel::Scalar => "scalar",
            #[cfg(avx2)]
            Kernel::Sse41 => "sse41",
            #[cfg(avx2)]
            Kernel::Avx2 => "avx2",
            #[cfg(avx512)]
            Kernel::Avx512 => "avx512",
            #[cfg(neon)]
            Kernel::Neon => "neon",
            #[cfg(simd128)]
            Kernel::Simd128 => "simd128",
        }
    }

    /// Runs a job with the kernel of this level.
    ///
    /// The job is compiled once for each kernel: more than half of the code of the library is compiled several times.
    /// So only work that takes most of the time of some program runs as a job, such as parsing.
    #[inline(always)]
    pub(crate) fn run<J: Job>(self, job: J) -> J::Output {
        self.run_on(job, &[])
    }

    /// The same as [`run`](Self::run), for work that the oldest CPUs do without SIMD. The job is not compiled for
    /// SSE4.1. Its code for SSE4.1 would be the largest, because a block needs four registers.
    #[doc(hidden)]
    #[inline(always)]
    pub fn run_wide<J: Job>(self, job: J) -> J::Output {
        self.run_wide_on(job, &[])
    }

    /// [`run`](Self::run) for a job on a text.
    #[doc(hidden)]
    #[inline(always)]
    pub fn run_on<J: Job>(self, job: J, text: &[u8]) -> J::Output {
        #[cfg(avx2)]
        if self.0 == Kernel::Sse41 {
            // SAFETY: a `CpuLevel` of this kernel is made only after `is_available` returned true.
            return unsafe { job.sse41(text) };
        }
        self.run_wide_or(job, text, InKernel::scalar)
    }

    /// [`run_wide`](Self::run_wide) for a job on a text.
    #[doc(hidden)]
    #[inline(always)]
    pub fn run_wide_on<J: Job>(self, job: J, text: &[u8]) -> J::Output {
        self.run_wide_or(job, text, InKernel::scalar)
    }

    /// [`run_wide_on`](Self::run_wide_on), with `otherwise` in place of the job without SIMD.
    #[inline(always)]
    pub(crate) fn run_wide_or<J: Job>(
        self,
        job: J,
        text: &[u8],
        otherwise: impl FnOnce(J, &[u8]) -> J::Output,
    ) -> J::Output {
        match self.0 {
            Kernel::Scalar => otherwise(job, text),
            #[cfg(avx2)]
            Kernel::Sse41 => otherwise(job, text),
            // SAFETY: a `CpuLevel` of this kernel is made only after `is_available` returned true.
            #[cfg(avx2)]
            Kernel::Avx2 => unsafe { job.avx2(text) },
            // SAFETY: a `CpuLevel` of this kernel is made only after `is_available` returned true.
            #[cfg(avx512)]
            Kernel::Avx512 => unsafe { job.avx512(text) },
            // SAFETY: a `CpuLevel` of this kernel is made only after `is_available` returned true.
            #[cfg(neon)]
            Kernel::Neon => unsafe { job.neon(text) },
            #[cfg(simd128)]
            Kernel::Simd128 => job.simd128(text),
        }
    }

    /// Runs a job on a text with the best kernel if that is a wide kernel of x86-64, and `otherwise` for all other
    /// levels.
    ///
    /// `CpuLevel::best` and a `match` of its result make a jump through a table. This function needs a load and a
    /// comparison. Measured: `docs/performance/notes.md`, "Validation".
    #[doc(hidden)]
    #[inline(always)]
    pub fn run_best<J: Job>(
        job: J,
        text: &[u8],
        otherwise: impl FnOnce(J, &[u8]) -> J::Output,
    ) -> J::Output {
        #[cfg(all(feature = "std", avx2))]
        match BEST.load(Ordering::Relaxed) {
            // SAFETY: `detect` stores this kernel only after `is_available` returned true.
            #[cfg(avx512)]
            best if best == Kernel::Avx512 as u8 => return unsafe { job.avx512(text) },
            // SAFETY: `detect` stores this kernel only after `is_available` returned true.
            best if best == Kernel::Avx2 as u8 => return unsafe { job.avx2(text) },
            _ => {}
        }
        otherwise(job, text)
    }

    /// Runs a job on a text with the kernel for AVX-512 if that is the best kernel, and `otherwise` for all other
    /// levels. Only in this kernel, a question to a block is two or three instructions.
    #[inline(always)]
    pub(crate) fn run_avx512<J: Job>(
        job: J,
        text: &[u8],
        otherwise: impl FnOnce(J, &[u8]) -> J::Output,
    ) -> J::Output {
        #[cfg(all(feature = "std", avx512))]
        if BEST.load(Ordering::Relaxed) == Kernel::Avx512 as u8 {
            // SAFETY: `detect` stores this kernel only after `is_available` returned true.
            return unsafe { job.avx512(text) };
        }
        otherwise(job, text)
    }
}

crate::error::named!(@serialize CpuLevel);

impl fmt::Display for CpuLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A job with the kernel of each CPU family. These are functions of a trait and not free functions, because the
/// compiler puts a function of a trait where the type of the job is. So the jobs of two modules are compiled apart, and
/// a program has only the constants of the jobs that it runs.
trait InKernel: Job {
    /// Runs the job with the kernel `scalar`. Not inlined, like the functions of the other kernels, so that a job is
    /// compiled once.
    fn scalar(self, text: &[u8]) -> Self::Output;

    /// Runs the job with the kernel `sse41`.
    ///
    /// # Safety
    /// The CPU has the instructions that [`Kernel::is_available`] asks for.
    #[cfg(avx2)]
    unsafe fn sse41(self, text: &[u8]) -> Self::Output;

    /// Runs the job with the kernel `avx2`.
    ///
    /// # Safety
    /// The CPU has the instructions that [`Kernel::is_available`] asks for.
    #[cfg(avx2)]
    unsafe fn avx2(self, text: &[u8]) -> Self::Output;

    /// Runs the job with the kernel `avx512`.
    ///
    /// # Safety
    /// The CPU has the instructions that [`Kernel::is_available`] asks for.
    #[cfg(avx512)]
    unsafe fn avx512(self, text: &[u8]) -> Self::Output;

    /// Runs the job with the kernel `neon`.
    ///
    /// # Safety
    /// The CPU has the instructions that [`Kernel::is_available`] asks for.
    #[cfg(neon)]
    unsafe fn neon(self, text: &[u8]) -> Self::Output;

    /// Runs the job with the kernel `simd128`.
    #[cfg(simd128)]
    fn simd128(self, text: &[u8]) -> Self::Output;
}

impl<J: Job> InKernel for J {
    #[inline(never)]
    fn scalar(self, text: &[u8]) -> J::Output {
        self.run(Scalar, text)
    }

    #[cfg(avx2)]
    #[target_feature(enable = "sse4.1,ssse3,popcnt")]
    unsafe fn sse41(self, text: &[u8]) -> J::Output {
        // SAFETY: the caller promises the instructions.
        self.run(unsafe { Sse41::new() }, text)
    }

    #[cfg(avx2)]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn avx2(self, text: &[u8]) -> J::Output {
        // SAFETY: the caller promises the instructions.
        self.run(unsafe { Avx2::new() }, text)
    }

    #[cfg(avx512)]
    #[target_feature(
        enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq,gfni,bmi1,bmi2,lzcnt,popcnt"
    )]
    unsafe fn avx512(self, text: &[u8]) -> J::Output {
        // SAFETY: the caller promises the instructions.
        self.run(unsafe { Avx512::new() }, text)
    }

    #[cfg(neon)]
    #[target_feature(enable = "neon")]
    unsafe fn neon(self, text: &[u8]) -> J::Output {
        // SAFETY: the caller promises the instructions.
        self.run(unsafe { Neon::new() }, text)
    }

    #[cfg(simd128)]
    #[inline(never)]
    fn simd128(self, text: &[u8]) -> J::Output {
        self.run(Simd128, text)
    }
}

impl Apart for Scalar {
    #[inline(always)]
    fn apart_on<J: Job>(self, job: J, text: &[u8]) -> J::Output {
        job.scalar(text)
    }
}

// Each of the following functions is compiled without the instructions of its kernel. So the compiler cannot inline the
// job into the caller, which is compiled with these instructions. `#[inline(never)]` on the job is not enough: rustc
// 1.95 does not hand `#[inline(never)]` on to LLVM for a function with `#[target_feature]`.

#[cfg(avx2)]
impl Apart for Sse41 {
    #[inline(never)]
    fn apart_on<J: Job>(self, job: J, text: &[u8]) -> J::Output {
        // SAFETY: `self` shows that the instructions are there.
        unsafe { job.sse41(text) }
    }
}

#[cfg(avx2)]
impl Apart for Avx2 {
    #[inline(never)]
    fn apart_on<J: Job>(self, job: J, text: &[u8]) -> J::Output {
        // SAFETY: `self` shows that the instructions are there.
        unsafe { job.avx2(text) }
    }
}

#[cfg(avx512)]
impl Apart for Avx512 {
    #[inline(never)]
    fn apart_on<J: Job>(self, job: J, text: &[u8]) -> J::Output {
        // SAFETY: `self` shows that the instructions are there.
        unsafe { job.avx512(text) }
    }
}

#[cfg(neon)]
impl Apart for Neon {
    #[inline(never)]
    fn apart_on<J: Job>(self, job: J, text: &[u8]) -> J::Output {
        // SAFETY: `self` shows that the instructions are there.
        unsafe { job.neon(text) }
    }
}

#[cfg(simd128)]
impl Apart for Simd128 {
    #[inline(always)]
    fn apart_on<J: Job>(self, job: J, text: &[u8]) -> J::Output {
        job.simd128(text)
    }
}

/// The best kernel as a number, or [`UNKNOWN`].
#[cfg(feature = "std")]
static BEST: AtomicU8 = AtomicU8::new(UNKNOWN);
/// The number that stands for no kernel: the instructions of the CPU are not detected yet.
#[cfg(feature = "std")]
const UNKNOWN: u8 = u8::MAX;

/// Detects the best level and stores it. Several threads may do this at once: they store the same level.
#[cfg(feature = "std")]
#[cold]
fn detect() -> CpuLevel {
    let best = CpuLevel::available().last().unwrap_or(CpuLevel(Kernel::Scalar));
    BEST.store(best.0 as u8, Ordering::Relaxed);
    best
}
