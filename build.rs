//! Compiles the grammar into the tables that `src/tables.rs` includes. The compiler is in `codegen`.

use std::{env, error::Error, fs, path::Path, process::Command};

use simd_iri_codegen::{Endian, generate};

fn main() -> Result<(), Box<dyn Error>> {
    // The grammar is compiled into `simd-iri-codegen`, so only a new version of it changes the tables.
    println!("cargo::rerun-if-changed=build.rs");
    let out = env::var("OUT_DIR")?;
    let endian = match env::var("CARGO_CFG_TARGET_ENDIAN")?.as_str() {
        "big" => Endian::Big,
        _ => Endian::Little,
    };
    for (name, content) in generate(endian)?.files {
        fs::write(Path::new(&out).join(name), content)?;
    }
    // `inline(always)` without optimization reserves stack for every value of every inlined function: a parse would
    // take megabytes. So functions have it only with optimization.
    println!("cargo::rustc-check-cfg=cfg(optimized)");
    if env::var("OPT_LEVEL")? != "0" {
        println!("cargo::rustc-cfg=optimized");
    }
    // The kernel for AVX-512 needs intrinsics that are stable from Rust 1.89 on.
    println!("cargo::rustc-check-cfg=cfg(avx512)");
    if env::var("CARGO_CFG_TARGET_ARCH")? == "x86_64" && rust_minor()? >= 89 {
        println!("cargo::rustc-cfg=avx512");
    }
    Ok(())
}

/// Returns the minor version of the compiler: 89 for Rust 1.89.
fn rust_minor() -> Result<u32, Box<dyn Error>> {
    let output = Command::new(env::var("RUSTC")?).arg("--version").output()?;
    let version = String::from_utf8(output.stdout)?;
    let minor = version.split('.').nth(1).ok_or("no version of rustc")?;
    Ok(minor.parse()?)
}
