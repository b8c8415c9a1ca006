//! Links libsimd_iri.so, which `adapters/c/build` makes, and the uriparser of Debian.

fn main() {
    println!("cargo::rerun-if-env-changed=SIMD_IRI");
    // Without the library, the code can be checked but not linked.
    if let Ok(folder) = std::env::var("SIMD_IRI") {
        println!("cargo::rustc-link-search=native={folder}");
        println!("cargo::rustc-link-arg=-Wl,-rpath,{folder}");
    }
    println!("cargo::rustc-link-lib=dylib=simd_iri");
    println!("cargo::rustc-link-lib=dylib=uriparser");
}
