//! What the modules share: the levels, the witnesses beside the library, and inputs.
//!
//! Not here: any expectation about a particular input.

use std::panic::resume_unwind;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use simd_iri::{Error, Parts, Rule, parser::CpuLevel};
use simd_iri_codegen::{Automaton, automaton};

use crate::oracle::Oracle;

/// Every level of this CPU. The test detects the features of the CPU itself: if the CPU has a level that the library
/// does not offer, every test that runs by level fails.
pub(crate) static LEVELS: LazyLock<Vec<CpuLevel>> = LazyLock::new(|| {
    let levels: Vec<_> = CpuLevel::available().collect();
    let names: Vec<_> = levels.iter().map(|level| level.name()).collect();
    assert_eq!(names, expected_levels(), "the levels of this CPU");
    println!("levels: {}", names.join(", "));
    levels
});

fn expected_levels() -> Vec<&'static str> {
    #[cfg(target_arch = "x86_64")]
    let (sse41, avx2, avx512) = {
        use std::arch::is_x86_feature_detected as has;
        let sse41 = has!("sse4.1") && has!("ssse3") && has!("popcnt");
        let avx2 = has!("avx2") && has!("bmi1") && has!("bmi2") && has!("lzcnt") && has!("popcnt");
        let vbmi = has!("avx512f") && has!("avx512bw") && has!("avx512vl") && has!("avx512vbmi");
        let vbmi = vbmi && has!("avx512vbmi2") && has!("avx512vpopcntdq") && has!("gfni");
        (sse41, avx2, avx2 && vbmi)
    };
    #[cfg(not(target_arch = "x86_64"))]
    let (sse41, avx2, avx512) = (false, false, false);
    #[cfg(target_arch = "aarch64")]
    let neon = std::arch::is_aarch64_feature_detected!("neon");
    #[cfg(not(target_arch = "aarch64"))]
    let neon = false;
    let levels = [
        ("scalar", true),
        ("sse41", sse41),
        ("avx2", avx2),
        ("avx512", avx512),
        ("neon", neon),
        ("simd128", cfg!(target_feature = "simd128")),
    ];
    // Without optimization, the library has no kernel with SIMD.
    let is_compiled = |name: &str| cfg!(optimized) || name == "scalar";
    levels
        .into_iter()
        .filter_map(|(name, has)| (has && is_compiled(name)).then_some(name))
        .collect()
}

/// The oracle, which is made once.
pub(crate) static ORACLE: LazyLock<Oracle> = LazyLock::new(Oracle::new);

/// A start rule with the automaton of the whole grammar.
pub(crate) struct Start {
    pub(crate) rule: Rule,
    pub(crate) dfa: Automaton,
}

/// All eight.
pub(crate) static STARTS: LazyLock<Vec<Start>> = LazyLock::new(|| {
    let start = |&rule: &Rule| Start { rule, dfa: automaton(rule.name()).unwrap() };
    Rule::ALL.iter().map(start).collect()
});

/// One of the eight.
pub(crate) fn start(rule: Rule) -> &'static Start {
    STARTS.iter().find(|start| start.rule == rule).unwrap()
}

impl Start {
    /// Asserts that every level gives the answer of the automaton for `bytes`, and that the levels agree in the
    /// offsets, or in the error.
    pub(crate) fn agree(&self, bytes: &[u8]) -> Result<Parts, Error> {
        let valid = self.agree_on_validity(bytes);
        let result = self.agree_on_result(bytes);
        assert_eq!(result.is_ok(), valid, "{}: {}", self.rule.name(), show(bytes));
        result
    }

    /// Asserts that every level gives the answer of the automaton for `bytes`.
    pub(crate) fn agree_on_validity(&self, bytes: &[u8]) -> bool {
        let valid = self.dfa.accepts(bytes);
        for &level in LEVELS.iter() {
            if level.is_valid_bytes(self.rule, bytes) != valid {
                let (rule, level) = (self.rule.name(), level.name());
                panic!("{rule}, {level}: the automaton says {valid}: {}", show(bytes));
            }
        }
        valid
    }

    /// Asserts that every level finds the same offsets in `bytes`, or the same error.
    pub(crate) fn agree_on_result(&self, bytes: &[u8]) -> Result<Parts, Error> {
        let mut results = LEVELS.iter().map(|&level| (level, level.parse_bytes(self.rule, bytes)));
        let (_, first) = results.next().unwrap();
        for (level, result) in results {
            assert_eq!(result, first, "{}, {}: {}", self.rule.name(), level.name(), show(bytes));
        }
        first
    }
}

/// An input as a failed test shows it.
pub(crate) fn show(bytes: &[u8]) -> String {
    format!("b\"{}\"", bytes.escape_ascii())
}

/// One byte for each class of bytes that the grammar of IRI-reference distinguishes.
pub(crate) fn representatives() -> Vec<u8> {
    let dfa = &start(Rule::IriReference).dfa;
    let of = dfa.class_of();
    (0..dfa.classes())
        .map(|class| of.iter().position(|&c| usize::from(c) == class).unwrap() as u8)
        .collect()
}

/// Every string of `N` bytes from `bytes`, whose first byte is `bytes[first]`.
pub(crate) fn strings<const N: usize>(bytes: &[u8], first: usize, mut each: impl FnMut(&[u8; N])) {
    for number in 0..bytes.len().pow(N as u32 - 1) {
        let mut digits = number;
        let mut text = [bytes[first]; N];
        for byte in &mut text[1..] {
            *byte = bytes[digits % bytes.len()];
            digits /= bytes.len();
        }
        each(&text);
    }
}

/// Of an exhaustive or random test, one in so many inputs is tried. The number is 1, unless `SIMD_IRI_SAMPLE` says
/// otherwise. On an emulated CPU, all inputs would take too long.
pub(crate) static SAMPLE: LazyLock<usize> = LazyLock::new(|| {
    let named = std::env::var("SIMD_IRI_SAMPLE").ok();
    named.map_or(1, |number| number.parse().expect("SIMD_IRI_SAMPLE is a number"))
});

/// Of `jobs`, one in so many is done, and at least one. Prints a note if not all are done.
pub(crate) fn sample(jobs: usize) -> usize {
    let sample = (*SAMPLE).min(jobs.div_ceil(4)).max(1);
    if sample > 1 {
        println!("a sample: 1 in {sample} of {jobs}");
    }
    sample
}

/// The same as [`count`], for the jobs of a test that is exhaustive, or for a sample of them.
pub(crate) fn count_all(jobs: usize, job: impl Fn(usize) -> usize + Sync) -> usize {
    let sample = sample(jobs);
    count(jobs.div_ceil(sample), |number| job(number * sample))
}

/// Does `0..jobs` on all processors and adds up their counts.
pub(crate) fn count(jobs: usize, job: impl Fn(usize) -> usize + Sync) -> usize {
    let next = AtomicUsize::new(0);
    let work = || {
        let taken = std::iter::from_fn(|| {
            let number = next.fetch_add(1, Ordering::Relaxed);
            (number < jobs).then_some(number)
        });
        taken.map(&job).sum::<usize>()
    };
    std::thread::scope(|scope| {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        // This thread works, too: WebAssembly has no other thread.
        let others: Vec<_> = (1..processors).map(|_| scope.spawn(work)).collect();
        let own = work();
        let others = others.into_iter();
        own + others
            .map(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic)))
            .sum::<usize>()
    })
}

/// The offsets at which tests put something: three blocks of 64 bytes and a little more.
pub(crate) const OFFSETS: usize = 201;

/// For each component a long reference that is otherwise valid, and the place of the component in it.
pub(crate) fn carriers() -> Vec<(&'static str, String)> {
    let long = |piece: &str| piece.repeat(210 / piece.len());
    let tail = "/p/q?r=s#t";
    let carriers = vec![
        ("scheme", long("a+9-.") + "://h" + tail),
        ("userinfo", format!("http://{}@h{tail}", long("us:er"))),
        ("userinfo", format!("//{}@", long("%C3%A9"))),
        ("host", format!("http://{}{tail}", long("name."))),
        ("host", format!("http://u@{}:80{tail}", long("例え."))),
        ("host", format!("//{}.1.1.1", long("1"))),
        ("IP literal", format!("http://[v1.{}]:80{tail}", long("a:!"))),
        ("IP literal", format!("http://{}@[2001:db8::FF:1.2.3.4]:80{tail}", &long("u")[..160])),
        ("IP literal", format!("//{}@[1:2:3:4:5:6:7:8]/{}", &long("u")[..112], &long("p")[..80])),
        ("port", format!("http://h:{}{tail}", long("8"))),
        ("port", format!("//[::1]:{}", long("0123456789"))),
        ("path", format!("http://h/{}?r#t", long("seg;v=1/"))),
        ("path", format!("urn:{}", long("a:b@c"))),
        ("path", format!("/{}", long("дом/"))),
        ("path", long("%E4%B8%AD")),
        ("path", long("😀-🏽/")),
        ("query", format!("http://h/?{}#t", long("k=v&"))),
        ("query", format!("?{}", long("\u{E000}é/?"))),
        ("fragment", format!("http://h/#{}", long("a/b?c"))),
        ("fragment", format!("#{}", long("ﷰ\u{F900}%20"))),
    ];
    assert!(
        carriers.iter().all(|(_, text)| text.len() > OFFSETS
            && start(Rule::IriReference).dfa.accepts(text.as_bytes()))
    );
    carriers
}

/// Tests a law on random inputs, and prints their number.
pub(crate) fn random<S: Strategy>(
    cases: u32,
    strategy: S,
    law: impl Fn(S::Value) -> Result<(), TestCaseError>,
) {
    let cases = cases.div_ceil(*SAMPLE as u32);
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new(config).run(&strategy, law).unwrap_or_else(|failure| panic!("{failure}"));
    println!("{cases} random inputs");
}

/// Texts of parts that matter: delimiters, `%`, brackets, addresses, the edges of the ranges of `ucschar` and
/// `iprivate`; sometimes shifted by a long run of letters.
pub(crate) fn texts() -> impl Strategy<Value = String> {
    let edges = [ORACLE.edges("ucschar"), ORACLE.edges("iprivate")].concat();
    let edges: Vec<String> = edges.into_iter().map(String::from).collect();
    const WORDS: &[&str] = &[
        "a", "Z", "1", "25", "f", "v1.", "-", ".", "~", "!", "=", ";", "+", "http:", "//", "[::1]",
        "[", "]", "::", "1.2.3.4", "256", "@", "%41", "%c3%A9", "%", "%4", "é", "中", "😀", " ",
        "<", "|", "\\", "\0", "\x7F",
    ];
    let piece = prop_oneof![
        4 => proptest::sample::select(&[":", "/", "?", "#", "@"][..]).prop_map(str::to_owned),
        4 => proptest::sample::select(WORDS).prop_map(str::to_owned),
        1 => proptest::sample::select(edges),
    ];
    let pad = prop_oneof![3 => Just(0_usize), 1 => 0..140_usize];
    (proptest::collection::vec(piece, 0..12), pad, any::<proptest::sample::Index>()).prop_map(
        |(mut pieces, pad, at)| {
            pieces.insert(at.index(pieces.len() + 1), "x".repeat(pad));
            pieces.concat()
        },
    )
}

/// Like [`texts`], with up to two bytes inserted anywhere.
pub(crate) fn byte_strings() -> impl Strategy<Value = Vec<u8>> {
    let stray = (any::<proptest::sample::Index>(), any::<u8>());
    (texts(), proptest::collection::vec(stray, 0..=2)).prop_map(|(text, strays)| {
        let mut bytes = text.into_bytes();
        for (at, byte) in strays {
            bytes.insert(at.index(bytes.len() + 1), byte);
        }
        bytes
    })
}
