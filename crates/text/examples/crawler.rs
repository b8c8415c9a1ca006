//! The link step of a crawler: reads a page, resolves its links, and prints each address once, normalized.
//!
//! `cargo run -p simd-iri-text --example crawler -- PAGE.html` reads a file. Without a file, it prints:
//!
//! ```text
//! ftp://[broken/: the host ends at byte 13 within an IP literal; add ']'
//! http://example.org/
//! https://example.org/%C3%BC
//! https://example.org/list/a%20b
//! ```
//!
//! The page has a `<base>`, which is the base of all its links.

use std::collections::BTreeSet;
use std::error::Error;
use std::{env, fs};

use simd_iri::{Base, Compare, Level, iri};
use simd_iri_text::{Extract, Markup};

const SAMPLE: &str = r#"
<base href="/list/">
<a href="a b">relative</a> <a href="/list/./a%20b#top">the same</a> <a href="/ü">outside ASCII</a>
<a href="HTTP://Example.org:80">capital letters</a> <a href="ftp://[broken/">not an address</a>
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let page = env::args().nth(1).map_or(Ok(SAMPLE.to_owned()), fs::read_to_string)?;
    let extract = Extract::new().markup(Markup::Html).text(false).relative(true);
    let links: Vec<_> = extract.links(&page).collect();
    // The address of the page, unless the page has a base of its own, which is relative to its address.
    let mut base = iri!("https://example.org/pages/index.html").to_buf();
    if let Some(link) = links.iter().find(|link| link.is_base()) {
        base = base.resolve(link.prepare()?.view())?;
    }
    let base = Base::from(&base);
    let compare = Compare::new(Level::Scheme).fragment(false);
    let mut found = BTreeSet::new();
    for link in links.iter().filter(|link| !link.is_base()) {
        match link.prepare() {
            Ok(reference) => _ = found.insert(compare.key(base.resolve(reference.view())?)?),
            Err(error) => println!("{}: {error}", link.as_str()),
        }
    }
    found.iter().for_each(|address| println!("{address}"));
    Ok(())
}
