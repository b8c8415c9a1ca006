//! Prints each public item of a library, a line an item, from the JSON that rustdoc wrote: `public-api FILE`.
//! scripts/test-promises compares the lines.

use std::error::Error;

use public_api::Builder;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args_os().nth(1).ok_or("usage: public-api FILE")?;
    // The marker traits of types are tests of tests/api.rs; derived traits are items as other traits are.
    let api = Builder::from_rustdoc_json(file)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .build()?;
    print!("{api}");
    Ok(())
}
