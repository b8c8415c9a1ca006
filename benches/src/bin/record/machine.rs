//! What a figure depends on: the day, the processor, the system, the compiler
//! and the versions of the libraries.

use std::{error::Error, fs, process::Command};

/// The instructions that the kernels use, by their names in Linux.
const FLAGS: [&str; 12] = [
    "ssse3",
    "sse4_1",
    "sse4_2",
    "popcnt",
    "avx2",
    "bmi1",
    "bmi2",
    "abm",
    "avx512f",
    "avx512bw",
    "avx512vl",
    "avx512vbmi",
];
const LIBRARIES: [&str; 12] = [
    "simd-iri",
    "oxiri",
    "iri-rfc3987",
    "fluent-uri",
    "iri-string",
    "iri-rs",
    "iref",
    "url",
    "ada-url",
    "sorug",
    "memchr",
    "simdutf8",
];

/// The names of the facts, in the order in which they are shown.
pub fn facts(rounds: &str) -> Result<Vec<(String, String)>, Box<dyn Error>> {
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let has = field(&cpu, "flags", ':');
    let has: Vec<&str> = has.split_whitespace().collect();
    let flags: Vec<&str> = FLAGS.into_iter().filter(|flag| has.contains(flag)).collect();
    let system = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let facts = [
        ("date", output("date", &["-u", "+%Y-%m-%d"])?),
        ("processor", field(&cpu, "model name", ':')),
        ("family, model, stepping", {
            let part = |name| field(&cpu, name, ':');
            format!("{}, {}, {}", part("cpu family"), part("model"), part("stepping"))
        }),
        ("instructions", flags.join(" ")),
        ("cores", std::thread::available_parallelism()?.to_string()),
        (
            "system",
            format!("{}, {}", field(&system, "PRETTY_NAME", '='), output("uname", &["-s"])?),
        ),
        ("compiler", output("rustc", &["--version"])?),
        ("libraries", versions().join(", ")),
        ("rounds a run", rounds.to_owned()),
    ];
    Ok(facts.map(|(name, value)| (name.to_owned(), value)).into())
}

fn output(program: &str, arguments: &[&str]) -> Result<String, Box<dyn Error>> {
    let output = Command::new(program).args(arguments).output()?;
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

/// The value of the first line with that name.
fn field(lines: &str, name: &str, separator: char) -> String {
    let named = |line: &str| {
        let (key, value) = line.split_once(separator)?;
        (key.trim() == name).then(|| value.trim().trim_matches('"').to_owned())
    };
    lines.lines().find_map(named).unwrap_or_else(|| "unknown".into())
}

/// The versions in the lock file.
fn versions() -> Vec<String> {
    let lock = include_str!("../../../Cargo.lock");
    let version = |name: &str| {
        let (_, package) = lock.split_once(&format!("name = \"{name}\"\n"))?;
        Some(format!("{name} {}", field(package, "version", '=')))
    };
    LIBRARIES.into_iter().filter_map(version).collect()
}
