//! Compiles the grammar into the tables that `src/tables.rs` includes. The compiler is in `codegen`.

use std::{env, error::Error, fs, path::Path, process::Command};

use simd_iri_codegen::{Endian, generate};

fn main() -> Result<(), Box<dyn Error>> {
    // The grammar is compiled into `simd-iri-codegen`, so only a new version of this crate changes the tables.
    println!("cargo::rerun-if-changed=build.rs");
    let out = env::var("OUT_DIR")?;
    let endian = match env::var("CARGO_CFG_TARGET_ENDIAN")?.as_str() {
        "big" => Endian::Big,
        _ => Endian::Little,
    };
    for (name, content) in generate(endian)?.files {
        fs::write(Path::new(&out).join(name), content)?;
    }
    for cfg in ["optimized", "avx2", "avx512", "neon", "simd128"] {
        println!("cargo::rustc-check-cfg=cfg({cfg})");
    }
    // `inline(always)` without optimization reserves stack for every value of every inlined function. Two functions
    // have this attribute only with optimization. So a normalization without optimization takes 8 KiB of stack, and not
    // 64 KiB.
    if env::var("OPT_LEVEL")? != "0" {
        println!("cargo::rustc-cfg=optimized");
        for kernel in kernels(&env::var("CARGO_CFG_TARGET_ARCH")?)? {
            println!("cargo::rustc-cfg={kernel}");
        }
    }
    Ok(())
}

/// Returns the kernels with SIMD for a target. A library without optimization does not have these kernels. Each
/// intrinsic would be a call, so the kernels for SSE4.1 and AVX2 would take longer than code without SIMD. They would
/// also take a fifth of the time to compile the library.
fn kernels(arch: &str) -> Result<&'static [&'static str], Box<dyn Error>> {
    Ok(match arch {
        // The intrinsics for AVX-512 are stable from Rust 1.89 on.
        "x86_64" if rust_minor()? >= 89 => &["avx2", "avx512"],
        "x86_64" => &["avx2"],
        "aarch64" => &["neon"],
        // An engine refuses a module with instructions that the engine does not have. So the program that compiles the
        // module chooses, and not the library when it runs.
        "wasm32" if has_feature("simd128") => &["simd128"],
        _ => &[],
    })
}

/// Tells whether the target has a feature for all of its code.
fn has_feature(name: &str) -> bool {
    let features = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    features.split(',').any(|feature| feature == name)
}

/// Returns the minor version of the compiler: 89 for Rust 1.89.
fn rust_minor() -> Result<u32, Box<dyn Error>> {
    let output = Command::new(env::var("RUSTC")?).arg("--version").output()?;
    let version = String::from_utf8(output.stdout)?;
    let minor = version.split('.').nth(1).ok_or("no version of rustc")?;
    Ok(minor.parse()?)
}
