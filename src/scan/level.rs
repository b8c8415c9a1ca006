//! Which kernel runs: what the CPU offers, found out once, and the one call into each kernel.

#[cfg(feature = "std")]
use core::sync::atomic::{AtomicU8, Ordering};

#[cfg(avx512)]
use super::avx512;
#[cfg(target_arch = "aarch64")]
use super::neon;
use super::{Job, scalar};
#[cfg(target_arch = "x86_64")]
use super::{avx2, sse41};

/// A set of instructions that this CPU has, and the kernel that is written with them.
///
/// There is no way to name a level that the CPU lacks: values come from [`CpuLevel::best`] and
/// [`CpuLevel::available`] alone. Every level gives the same answers; only the time differs.
/// Most callers never need one.
///
/// ```
/// use simd_iri::{CpuLevel, Rule};
///
/// for level in CpuLevel::available() {
///     assert!(Rule::Iri.is_valid_bytes_at(level, b"http://example.org/"), "{}", level.name());
/// }
/// ```
///
/// | level | instructions |
/// | --- | --- |
/// | `scalar` | none beyond the target's own |
/// | `sse41` | SSE4.1, SSSE3, POPCNT |
/// | `avx2` | AVX2, BMI1, BMI2, LZCNT, POPCNT |
/// | `avx512` | those, GFNI, and AVX-512 F, BW, VL, VBMI, VBMI2 and VPOPCNTDQ |
/// | `neon` | NEON |
///
/// `avx512` needs Rust 1.89 or newer: with an older compiler, the crate is built without it.
///
/// With the feature `std` the CPU is asked at run time, once. Without it, the level is the one
/// that the compiler was told to target.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CpuLevel(Kernel);

/// The kernels, from the simplest to the fastest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Kernel {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Sse41,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(avx512)]
    Avx512,
    #[cfg(target_arch = "aarch64")]
    Neon,
}

/// Every kernel of the target.
const KERNELS: &[Kernel] = &[
    Kernel::Scalar,
    #[cfg(target_arch = "x86_64")]
    Kernel::Sse41,
    #[cfg(target_arch = "x86_64")]
    Kernel::Avx2,
    #[cfg(avx512)]
    Kernel::Avx512,
    #[cfg(target_arch = "aarch64")]
    Kernel::Neon,
];

/// Tells whether this CPU has all of the listed features.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
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
    /// Tells whether this CPU can run the kernel: the check behind each `unsafe` of `run`.
    fn is_available(self) -> bool {
        match self {
            Self::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Self::Sse41 => has!("sse4.1" "ssse3" "popcnt"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => has!("avx2" "bmi1" "bmi2" "lzcnt" "popcnt"),
            #[cfg(avx512)]
            Self::Avx512 => {
                Self::Avx2.is_available()
                    && has!("avx512f" "avx512bw" "avx512vl" "avx512vbmi" "avx512vbmi2")
                    && has!("avx512vpopcntdq" "gfni")
            }
            #[cfg(target_arch = "aarch64")]
            Self::Neon => has!("neon"),
        }
    }
}

impl CpuLevel {
    /// The fastest level of this CPU. Costs a load of a static after the first call.
    ///
    /// ```
    /// # use simd_iri::CpuLevel;
    /// assert_eq!(CpuLevel::available().last(), Some(CpuLevel::best()));
    /// ```
    #[inline]
    #[must_use]
    pub fn best() -> Self {
        #[cfg(feature = "std")]
        {
            // One relaxed load, where `is_available` would test nine features of the CPU.
            match BEST.load(Ordering::Relaxed) {
                #[cfg(avx512)]
                level if level == Kernel::Avx512 as u8 => Self(Kernel::Avx512),
                #[cfg(target_arch = "x86_64")]
                level if level == Kernel::Avx2 as u8 => Self(Kernel::Avx2),
                #[cfg(target_arch = "x86_64")]
                level if level == Kernel::Sse41 as u8 => Self(Kernel::Sse41),
                #[cfg(target_arch = "aarch64")]
                level if level == Kernel::Neon as u8 => Self(Kernel::Neon),
                level if level == Kernel::Scalar as u8 => Self(Kernel::Scalar),
                _ => detect(),
            }
        }
        #[cfg(not(feature = "std"))]
        {
            Self::available().last().unwrap_or(Self(Kernel::Scalar))
        }
    }

    /// Every level of this CPU, the slowest first: for tests and measurements.
    ///
    /// ```
    /// # use simd_iri::CpuLevel;
    /// assert!(CpuLevel::available().any(|level| level.name() == "scalar"));
    /// ```
    pub fn available() -> impl Iterator<Item = Self> {
        KERNELS.iter().filter(|kernel| kernel.is_available()).map(|kernel| Self(*kernel))
    }

    /// The name of the level, in lower case.
    ///
    /// ```
    /// # use simd_iri::CpuLevel;
    /// assert_eq!(CpuLevel::available().next().map(CpuLevel::name), Some("scalar"));
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self.0 {
            Kernel::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Kernel::Sse41 => "sse41",
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => "avx2",
            #[cfg(avx512)]
            Kernel::Avx512 => "avx512",
            #[cfg(target_arch = "aarch64")]
            Kernel::Neon => "neon",
        }
    }

    /// Does a job with the kernel of this level.
    #[cfg_attr(optimized, inline(always))]
    pub(crate) fn run<J: Job>(self, job: J) -> J::Output {
        match self.0 {
            Kernel::Scalar => scalar::run(job),
            // SAFETY: a `CpuLevel` of this kernel is only made after `is_available` said yes.
            #[cfg(target_arch = "x86_64")]
            Kernel::Sse41 => unsafe { sse41::run(job) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => unsafe { avx2::run(job) },
            // SAFETY: as above.
            #[cfg(avx512)]
            Kernel::Avx512 => unsafe { avx512::run(job) },
            // SAFETY: as above.
            #[cfg(target_arch = "aarch64")]
            Kernel::Neon => unsafe { neon::run(job) },
        }
    }
}

/// The best kernel as a number, or `UNKNOWN`.
#[cfg(feature = "std")]
static BEST: AtomicU8 = AtomicU8::new(UNKNOWN);
#[cfg(feature = "std")]
const UNKNOWN: u8 = u8::MAX;

#[cfg(feature = "std")]
#[cold]
fn detect() -> CpuLevel {
    let best = CpuLevel::available().last().unwrap_or(CpuLevel(Kernel::Scalar));
    BEST.store(best.0 as u8, Ordering::Relaxed);
    best
}
