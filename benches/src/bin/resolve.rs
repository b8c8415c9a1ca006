//! Measures the time of the fastest strict peer to resolve references, divided by ours. `CORPUS` names a `.csv` file
//! with a heading and then pairs of a base and a reference, or a directory of such files. All libraries write into
//! one buffer if they can. The output has the number of pairs that another library refuses or resolves to another
//! text.
//!
//! | work | what is timed |
//! | --- | --- |
//! | `parse` | the reference is parsed and resolved; its base is parsed before |
//! | `parsed` | both are parsed before |
//! | `new base` | base and reference are parsed and resolved |
//! | `page` | a base is parsed for each hundred references, and these are parsed and resolved |
//! | `href` | from a dirty `href` to the key of a crawler's frontier: ours is prepared, resolved, normalized and fingerprinted; `url` joins and hands out the text, which repairs as browsers do and normalizes less |
//!
//! `resolve [--rounds N]`

use std::{
    collections::HashMap, env, error::Error, fmt::Write, fs, hint::black_box, path::Path,
    time::Instant,
};

use simd_iri::{Compare, Normalize};
use simd_iri_benches::median::median;
use simd_iri_text::{Context, Prepare, RepairSet};

type Pair = (&'static str, &'static str);

/// Makes the text of each pair in a buffer, one after the other, and passes each to a function.
type Run = dyn Fn(&mut String, &mut dyn FnMut(&str));

/// A library, its work, and its function.
struct Library {
    name: &'static str,
    work: &'static str,
    run: Box<Run>,
}

impl Library {
    fn new(
        name: &'static str,
        work: &'static str,
        run: impl Fn(&mut String, &mut dyn FnMut(&str)) + 'static,
    ) -> Self {
        Self { name, work, run: Box::new(run) }
    }
}

/// Calls `make` with the empty buffer, and passes on what it writes, or nothing.
fn one(
    buffer: &mut String,
    each: &mut dyn FnMut(&str),
    make: impl FnOnce(&mut String) -> Option<bool>,
) {
    buffer.clear();
    if make(buffer) != Some(true) {
        buffer.clear();
    }
    each(buffer);
}

/// The references of a page, for the work `page`.
const PAGE: usize = 100;

/// The works of a library that parses bases and references and resolves them.
fn works<B: 'static, R: 'static>(
    name: &'static str,
    pairs: &'static [Pair],
    base: impl Fn(&'static str) -> Option<B> + Copy + 'static,
    reference: impl Fn(&'static str) -> Option<R> + Copy + 'static,
    resolve: impl Fn(&B, &R, &mut String) -> bool + Copy + 'static,
) -> [Library; 4] {
    let bases = move || -> Vec<B> { pairs.iter().filter_map(|(text, _)| base(text)).collect() };
    let bases_of_parsed = bases();
    assert_eq!(bases_of_parsed.len(), pairs.len(), "{name} refuses a base");
    let references: Vec<_> = pairs.iter().map(|(_, text)| reference(text)).collect();
    let bases = bases();
    [
        Library::new(name, "parse", move |buffer, each| {
            for (base, (_, text)) in bases.iter().zip(pairs) {
                one(buffer, each, |out| Some(resolve(base, &reference(text)?, out)));
            }
        }),
        Library::new(name, "parsed", move |buffer, each| {
            for (base, reference) in bases_of_parsed.iter().zip(&references) {
                one(buffer, each, |out| Some(resolve(base, reference.as_ref()?, out)));
            }
        }),
        Library::new(name, "new base", move |buffer, each| {
            for (of, text) in pairs {
                one(buffer, each, |out| Some(resolve(&base(of)?, &reference(text)?, out)));
            }
        }),
        Library::new(name, "page", move |buffer, each| {
            for page in pairs.chunks(PAGE) {
                let Some(base) = page.first().and_then(|(of, _)| base(of)) else { continue };
                for (_, text) in page {
                    one(buffer, each, |out| Some(resolve(&base, &reference(text)?, out)));
                }
            }
        }),
    ]
}

fn libraries(pairs: &'static [Pair]) -> Vec<Library> {
    let mut libraries = Vec::new();
    libraries.extend(works(
        "simd-iri",
        pairs,
        |base| simd_iri::Iri::parse(base).ok().map(simd_iri::Base::new),
        |reference| simd_iri::IriRef::parse(reference).ok(),
        |base, reference, buffer| base.resolve_into(*reference, buffer).is_ok(),
    ));
    libraries.extend(works(
        "oxiri",
        pairs,
        |base| oxiri::Iri::parse(base).ok(),
        |reference| oxiri::IriRef::parse(reference).ok(),
        |base, reference, buffer| base.resolve_into(reference, buffer).is_ok(),
    ));
    libraries.extend(works(
        "iri-rs",
        pairs,
        |base| iri_rs::Iri::parse(base).ok(),
        |reference| iri_rs::IriRef::parse(reference).ok(),
        |base, reference, buffer| reference.resolve_into(base, buffer).is_ok(),
    ));
    libraries.extend(works(
        "iri-string",
        pairs,
        |base| {
            let base = iri_string::types::IriStr::new(base).ok()?.to_absolute();
            Some(iri_string::resolve::FixedBaseResolver::new(base))
        },
        |reference| iri_string::types::IriReferenceStr::new(reference).ok(),
        |base, reference, buffer| write!(buffer, "{}", base.resolve(*reference)).is_ok(),
    ));
    libraries.extend(works(
        "fluent-uri",
        pairs,
        |base| fluent_uri::Iri::parse(base.split('#').next()?).ok(),
        |reference| fluent_uri::IriRef::parse(reference).ok(),
        |base, reference, buffer| {
            reference.resolve_against(base).is_ok_and(|resolved| {
                buffer.push_str(resolved.as_str());
                true
            })
        },
    ));
    libraries.extend(works(
        "iri-rfc3987",
        pairs,
        |base| iri_rfc3987::Iri::parse(base.split('#').next()?).ok(),
        |reference| iri_rfc3987::IriRef::parse(reference).ok(),
        |base, reference, buffer| {
            reference.resolve_against(base).is_ok_and(|resolved| {
                buffer.push_str(resolved.as_str());
                true
            })
        },
    ));
    libraries.extend(hrefs(pairs));
    libraries
}

/// The steps of a crawler from the value of an attribute to the key of its frontier.
fn hrefs(pairs: &'static [Pair]) -> [Library; 2] {
    [
        Library::new("simd-iri", "href", move |buffer, each| {
            let compare = Compare::by(Normalize::scheme());
            let prepare = Prepare::new(RepairSet::BrowserLike).context(Context::Html);
            let mut resolved = String::new();
            for page in pairs.chunks(PAGE) {
                let Some(of) = page.first().and_then(|(of, _)| simd_iri::Iri::parse(of).ok())
                else {
                    continue;
                };
                let base = simd_iri::Base::new(of);
                for (_, text) in page {
                    one(buffer, each, |out| {
                        let prepared = prepare.prepare(text).ok()?;
                        let target = base.resolve_into(prepared.view(), &mut resolved).ok()?;
                        let normal = Normalize::scheme().map_into(target, out).ok()?;
                        black_box(compare.fingerprint(normal));
                        Some(true)
                    });
                }
            }
        }),
        Library::new("url", "href", move |buffer, each| {
            for page in pairs.chunks(PAGE) {
                let Some(base) = page.first().and_then(|(of, _)| url::Url::parse(of).ok()) else {
                    continue;
                };
                for (_, text) in page {
                    one(buffer, each, |out| {
                        out.push_str(base.join(text).ok()?.as_str());
                        Some(true)
                    });
                }
            }
        }),
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
    println!("{name}: {} pairs, {rounds} rounds", pairs.len());
    let libraries = libraries(pairs);
    for work in ["parse", "parsed", "new base", "page", "href"] {
        let of_work: Vec<_> = libraries.iter().filter(|library| library.work == work).collect();
        println!("{work}");
        measure(&of_work, pairs.len(), rounds);
    }
}

/// Measures libraries on the same work. The first library is ours.
fn measure(libraries: &[&Library], items: usize, rounds: usize) {
    let mut buffer = String::new();
    let mut answers: Vec<Vec<String>> = Vec::new();
    for library in libraries {
        let mut texts = Vec::new();
        (library.run)(&mut buffer, &mut |text| texts.push(text.to_owned()));
        answers.push(texts);
    }
    let [ours, ..] = answers.as_slice() else { return };
    let mut times: HashMap<&str, Vec<f64>> = HashMap::new();
    for round in 0..rounds {
        for turn in 0..libraries.len() {
            let library = libraries[(round + turn) % libraries.len()];
            let (mut bytes, start) = (0, Instant::now());
            (library.run)(black_box(&mut buffer), &mut |text| bytes += text.len());
            let time = start.elapsed().as_nanos() as f64 / items as f64;
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
