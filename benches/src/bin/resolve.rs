//! How many times the fastest strict peer's time ours is to resolve references, each against the
//! base that it comes with: `CORPUS` names a `.csv`, a heading and then pairs, or a directory of
//! such. Bases are parsed before; a reference is parsed and resolved, into one buffer where the
//! library can do so. Where another library refuses a pair, or resolves it to another text, it says
//! of how many.
//!
//! `resolve [--rounds N]`

use std::{
    collections::HashMap, env, error::Error, fmt::Write, fs, hint::black_box, path::Path,
    time::Instant,
};

use simd_iri_benches::measure::median;

type Pair = (&'static str, &'static str);

/// Resolves all pairs into a buffer, one after the other, and hands out each result.
type Run = dyn Fn(&mut String, &mut dyn FnMut(&str));

/// A library, and how it is asked.
struct Library {
    name: &'static str,
    run: Box<Run>,
}

/// A library that makes something of a base once, and resolves references against it then.
fn library<B: 'static>(
    name: &'static str,
    pairs: &'static [Pair],
    base: impl Fn(&'static str) -> Option<B>,
    resolve: impl Fn(&B, &'static str, &mut String) -> bool + 'static,
) -> Library {
    let bases: Vec<B> = pairs.iter().filter_map(|(text, _)| base(text)).collect();
    assert_eq!(bases.len(), pairs.len(), "{name} refuses a base");
    let run = move |buffer: &mut String, each: &mut dyn FnMut(&str)| {
        for (base, (_, reference)) in bases.iter().zip(pairs) {
            buffer.clear();
            if !resolve(base, reference, buffer) {
                buffer.clear();
            }
            each(buffer);
        }
    };
    Library { name, run: Box::new(run) }
}

fn libraries(pairs: &'static [Pair]) -> Vec<Library> {
    vec![
        library(
            "simd-iri",
            pairs,
            |base| simd_iri::Iri::parse(base).ok().map(simd_iri::Base::new),
            |base, reference, buffer| {
                simd_iri::IriRef::parse(reference)
                    .is_ok_and(|reference| base.resolve_into(reference, buffer).is_ok())
            },
        ),
        library(
            "oxiri",
            pairs,
            |base| oxiri::Iri::parse(base).ok(),
            |base, reference, buffer| {
                oxiri::IriRef::parse(reference)
                    .is_ok_and(|reference| base.resolve_into(&reference, buffer).is_ok())
            },
        ),
        library(
            "iri-rs",
            pairs,
            |base| iri_rs::Iri::parse(base).ok(),
            |base, reference, buffer| {
                iri_rs::IriRef::parse(reference)
                    .is_ok_and(|reference| reference.resolve_into(base, buffer).is_ok())
            },
        ),
        library(
            "iri-string",
            pairs,
            |base| {
                let base = iri_string::types::IriStr::new(base).ok()?.to_absolute();
                Some(iri_string::resolve::FixedBaseResolver::new(base))
            },
            |base, reference, buffer| {
                iri_string::types::IriReferenceStr::new(reference)
                    .is_ok_and(|reference| write!(buffer, "{}", base.resolve(reference)).is_ok())
            },
        ),
        library(
            "fluent-uri",
            pairs,
            |base| fluent_uri::Iri::parse(base.split('#').next()?).ok(),
            |base, reference, buffer| {
                let reference = fluent_uri::IriRef::parse(reference).ok();
                let resolved = reference.and_then(|reference| reference.resolve_against(base).ok());
                resolved.is_some_and(|resolved| {
                    buffer.push_str(resolved.as_str());
                    true
                })
            },
        ),
        library(
            "iri-rfc3987",
            pairs,
            |base| iri_rfc3987::Iri::parse(base.split('#').next()?).ok(),
            |base, reference, buffer| {
                let reference = iri_rfc3987::IriRef::parse(reference).ok();
                let resolved = reference.and_then(|reference| reference.resolve_against(base).ok());
                resolved.is_some_and(|resolved| {
                    buffer.push_str(resolved.as_str());
                    true
                })
            },
        ),
    ]
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let rounds = match arguments.as_slice() {
        [] => 21,
        [option, number] if option == "--rounds" => number.parse()?,
        _ => return Err("resolve [--rounds N]".into()),
    };
    let folder = env::var("CORPUS")?;
    let files = match Path::new(&folder) {
        file if file.is_file() => vec![file.to_path_buf()],
        folder => fs::read_dir(folder)?
            .map(|entry| Ok(entry?.path()))
            .collect::<Result<_, Box<dyn Error>>>()?,
    };
    for file in files.iter().filter(|file| file.extension().is_some_and(|name| name == "csv")) {
        let text: &'static str = fs::read_to_string(file)?.leak();
        let pairs: Vec<Pair> =
            text.lines().skip(1).filter_map(|line| line.split_once(',')).collect();
        compare(&file.to_string_lossy(), pairs.leak(), rounds);
    }
    Ok(())
}

fn compare(name: &str, pairs: &'static [Pair], rounds: usize) {
    let libraries = libraries(pairs);
    let mut buffer = String::new();
    let mut answers: Vec<Vec<String>> = Vec::new();
    for library in &libraries {
        let mut texts = Vec::new();
        (library.run)(&mut buffer, &mut |text| texts.push(text.to_owned()));
        answers.push(texts);
    }
    let [ours, ..] = answers.as_slice() else { return };
    println!("{name}: {} pairs, {rounds} rounds", pairs.len());
    let mut times: HashMap<&str, Vec<f64>> = HashMap::new();
    for round in 0..rounds {
        for turn in 0..libraries.len() {
            let library = &libraries[(round + turn) % libraries.len()];
            let (mut bytes, start) = (0, Instant::now());
            (library.run)(black_box(&mut buffer), &mut |text| bytes += text.len());
            let time = start.elapsed().as_nanos() as f64 / pairs.len() as f64;
            black_box(bytes);
            times.entry(library.name).or_default().push(time);
        }
    }
    let of = |name: &str| times.get(name).map_or(f64::NAN, |rounds| median(rounds));
    for (library, texts) in libraries.iter().zip(&answers) {
        let others = texts.iter().zip(ours).filter(|(text, ours)| text != ours).count();
        let time = of(library.name);
        let ratio = time / of("simd-iri");
        println!("  {:<12} {time:>8.1} ns/pair {ratio:>6.2}  {others} other answers", library.name);
    }
}
