//! Tells the tests whether the library has its kernels: a build without optimization has none.

fn main() {
    println!("cargo::rerun-if-changed=script.rs");
    println!("cargo::rustc-check-cfg=cfg(optimized)");
    if std::env::var("OPT_LEVEL").is_ok_and(|level| level != "0") {
        println!("cargo::rustc-cfg=optimized");
    }
}
