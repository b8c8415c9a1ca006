//! Parses, maps and normalizes at every length class of the parser on a thread whose stack is 64 KiB. Half of it is
//! used before, so that 32 KiB are left. A stack that is too small ends the program with a signal.
//!
//! `small-stack time` prints the nanoseconds of a parse instead, to compare this profile with release.

use std::{env, error::Error, hint::black_box, thread, time::Instant};

use simd_iri::{Iri, Normalize};

const STACK: usize = 64 << 10;

/// Short, of more than one block of 64 bytes, and of many blocks; with and without non-ASCII characters,
/// dot segments and triplets, which are rewritten.
fn texts() -> Vec<String> {
    let mixed = "HTTP://user@EXAMPLE.org:80/%7euser/../b%c3%a9/./c?q=%e2%82%ac#é".to_owned();
    let foreign = "https://例え.jp/引き/割り?q=納豆#top".to_owned();
    let literal = "http://[2001:DB8::1]:8080/a/./b".to_owned();
    let long =
        [&mixed, &foreign].map(|text| text.replace('?', &format!("{}?", "/é/../x".repeat(50))));
    let plain = format!("http://example.org/{}", "segment/".repeat(100));
    [vec![mixed, foreign, literal, "urn:isbn:0".to_owned(), plain], long.to_vec()].concat()
}

fn parse_map_normalize(text: &str) -> Result<(), Box<dyn Error + Send + Sync>> {
    let iri = Iri::parse(text)?;
    let uri = iri.to_uri()?;
    let normal = iri.normalize(Normalize::syntax())?;
    if !uri.as_str().is_ascii() || normal.view().normalize(Normalize::syntax())? != normal {
        return Err(text.into());
    }
    match Iri::parse("http://example.org/a|b") {
        Ok(_) => Err("'|' is valid".into()),
        Err(_) => Ok(()),
    }
}

/// Uses half of the stack while the work is done.
#[inline(never)]
fn on_half_of_the_stack() -> Result<(), Box<dyn Error + Send + Sync>> {
    let taken = [0_u8; STACK / 2];
    black_box(&taken);
    let result = texts().iter().try_for_each(|text| parse_map_normalize(text));
    black_box(&taken);
    result
}

fn print_time() {
    let text = "https://example.org/over/there/and/back/again?name=ferret#nose";
    let times = (0..7).map(|_| {
        let start = Instant::now();
        for _ in 0..200_000 {
            let _ = black_box(Iri::parse(black_box(text)));
        }
        start.elapsed().as_nanos() / 200_000
    });
    println!("{} ns a parse", times.min().unwrap_or_default());
}

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    if env::args().nth(1).as_deref() == Some("time") {
        print_time();
        return Ok(());
    }
    let thread = thread::Builder::new().stack_size(STACK).spawn(on_half_of_the_stack)?;
    thread.join().map_err(|_| "the thread panicked")??;
    println!("parse, to_uri and normalize: at most 32 KiB of stack");
    Ok(())
}
