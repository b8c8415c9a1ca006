//! The static library of another program in Rust, for `program.c`. It allocates, and it catches a panic.

/// Returns the number of digits of all numbers below `count`; 0 for many numbers.
#[no_mangle]
pub extern "C" fn other_digits(count: usize) -> usize {
    let count = std::panic::catch_unwind(|| {
        assert!(count < 1000, "on purpose");
        (0..count).map(|number| format!("{number}").len()).sum()
    });
    count.unwrap_or(0)
}
