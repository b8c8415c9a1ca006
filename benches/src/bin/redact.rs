//! Measures how many bytes a second a redaction reads in references without a secret, which most references are. The
//! others are the plain loop and the regular expression that a user would write; both know less spellings of a key. The
//! texts are the items of each corpus that all call free of secrets, one by one and as the lines of one running text.
//!
//! `redact [--rounds N]`

use std::{borrow::Cow, env, error::Error, hint::black_box, time::Instant};

use regex::bytes::Regex;
use simd_iri_benches::{corpora, median::time};
use simd_iri_redact::{Redact, RedactPart, SecretSet};

/// Tells whether a reference has user information, or the value of a key of the newest set of OpenTelemetry.
fn plain(text: &str) -> bool {
    let (rest, query) = text.split_once('?').unwrap_or((text, ""));
    let query = query.split('#').next().unwrap_or_default();
    let keys = SecretSet::Otel.keys();
    let is_secret = |pair: &str| pair.split_once('=').is_some_and(|(key, _)| keys.contains(&key));
    rest.contains('@') || query.split('&').any(is_secret)
}

fn is_changed(redact: &Redact<'_>, text: &str) -> bool {
    matches!(redact.redact(text), Cow::Owned(_))
}

fn expression() -> Result<Regex, regex::Error> {
    let keys = SecretSet::Otel.keys().join("|");
    Regex::new(&format!("//[^/?#]*@|[?&](?:{keys})="))
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let rounds = match arguments.as_slice() {
        [] => 21,
        [option, number] if option == "--rounds" => number.parse()?,
        _ => return Err("redact [--rounds N]".into()),
    };
    let expression = expression()?;
    let all = SecretSet::ALL.iter().fold(Redact::none(), |redact, set| redact.set(*set));
    let usual = Redact::default();
    println!("GB/s; the last column is that of running text");
    println!(
        "{:<22} {:>7} {:>6} {:>6} {:>6} {:>6} {:>6}",
        "", "items", "ours", "all", "loop", "regex", "text"
    );
    for corpus in corpora::all()? {
        let text = usual.part(RedactPart::Text);
        let is_free = |item: &&str| {
            let found = [usual, all].iter().any(|redact| is_changed(redact, item))
                || text.redactions(item).next().is_some();
            !found && !plain(item) && !expression.is_match(item.as_bytes())
        };
        let items: Vec<&str> = corpus.items.iter().copied().filter(is_free).collect();
        let lines = items.join("\n");
        let works: [&dyn Fn() -> usize; 5] = [
            &|| count(&items, |item| is_changed(&usual, item)),
            &|| count(&items, |item| is_changed(&all, item)),
            &|| count(&items, plain),
            &|| count(&items, |item| expression.is_match(item.as_bytes())),
            &|| text.redactions(&lines).count(),
        ];
        let mut times = works.map(|_| Vec::new());
        for round in 0..rounds {
            for turn in 0..works.len() {
                let number = (round + turn) % works.len();
                let start = Instant::now();
                assert_eq!(works[number](), 0, "{}", corpus.name);
                times[number].push(start.elapsed().as_nanos() as f64);
            }
        }
        print!("{:<22} {:>7}", corpus.name, items.len());
        for times in times {
            print!(" {:>6.2}", lines.len() as f64 / time(&times));
        }
        println!();
    }
    Ok(())
}

fn count(items: &[&str], is_found: impl Fn(&str) -> bool) -> usize {
    items.iter().filter(|item| is_found(black_box(item))).count()
}
