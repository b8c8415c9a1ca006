//! Measures the time of the fastest peer to map, to normalize and to edit the references of each file of `CORPUS` (a
//! file, or a directory of `.txt` files with one reference a line), divided by ours. The output has the number of lines
//! that another library refuses or maps to another text. If a library gives other answers than the others for more than
//! one line in a hundred, its work is not the same, and its time is in brackets.
//!
//! `transform [--rounds N]`

use std::{
    collections::HashMap,
    env,
    error::Error,
    fmt::Write,
    fs,
    hint::black_box,
    path::Path,
    time::{Duration, Instant},
};

use percent_encoding::{AsciiSet, utf8_percent_encode};
use simd_iri::Normalize;
use simd_iri_benches::median::median;

/// Writes one result into the buffer, which is empty. Tells whether there is a result.
type Make = dyn Fn(usize, &mut String) -> bool;

/// Writes all results into the buffer, one after the other. Returns the time.
type Round = dyn Fn(&mut String) -> Duration;

/// A library, with a function for the result of a line by its number, and one for those of all lines. One call does
/// all lines, so that calls are not measured.
struct Library {
    name: &'static str,
    make: Box<Make>,
    round: Box<Round>,
}

/// A library that parses each line every time.
fn whole(
    name: &'static str,
    lines: &'static [String],
    make: impl Fn(&'static str, &mut String) -> bool + Copy + 'static,
) -> Library {
    let round = move |buffer: &mut String| timed(lines, buffer, |line, buffer| make(line, buffer));
    let make = move |number: usize, buffer: &mut String| make(&lines[number], buffer);
    Library { name, make: Box::new(make), round: Box::new(round) }
}

/// The number of lines that are parsed before they are measured: so small that their values are still in the cache,
/// as in a program that maps what it has just parsed.
const FRESH: usize = 1000;

/// A library for which the lines are parsed before.
fn parsed<P: 'static>(
    name: &'static str,
    lines: &'static [String],
    parse: impl Fn(&'static str) -> Option<P> + Copy + 'static,
    make: impl Fn(&P, &mut String) + Copy + 'static,
) -> Library {
    let make = move |value: &Option<P>, buffer: &mut String| match value {
        Some(value) => {
            make(value, buffer);
            true
        }
        None => false,
    };
    let round = move |buffer: &mut String| {
        let mut time = Duration::ZERO;
        for lines in lines.chunks(FRESH) {
            let values: Vec<_> = lines.iter().map(|line| parse(line)).collect();
            time += timed(&values, buffer, make);
        }
        time
    };
    let make = move |number: usize, buffer: &mut String| make(&parse(&lines[number]), buffer);
    Library { name, make: Box::new(make), round: Box::new(round) }
}

/// Makes a text of each value in the buffer, and returns the time.
fn timed<'a, V>(
    values: &'a [V],
    buffer: &mut String,
    make: impl Fn(&'a V, &mut String) -> bool,
) -> Duration {
    let (start, mut bytes) = (Instant::now(), 0);
    for value in values {
        buffer.clear();
        make(value, black_box(buffer));
        bytes += buffer.len();
    }
    black_box(bytes);
    start.elapsed()
}

/// The ASCII that `percent-encoding` encodes besides the characters outside ASCII: none.
const NOTHING: &AsciiSet = &AsciiSet::EMPTY;

fn to_uri(lines: &'static [String]) -> Vec<Library> {
    vec![
        whole("simd-iri", lines, |line, buffer| {
            simd_iri::Iri::parse(line)
                .is_ok_and(|iri| simd_iri::ToUri::new().map_into(iri, buffer).is_ok())
        }),
        // The usual function, which does not copy a text that is a URI already.
        whole("simd-iri, borrowed", lines, |line, buffer| {
            simd_iri::Iri::parse(line).is_ok_and(|iri| match iri.to_uri() {
                Ok(simd_iri::Cow::Owned(uri)) => {
                    buffer.push_str(uri.as_str());
                    true
                }
                borrowed => borrowed.is_ok(),
            })
        }),
        whole("fluent-uri", lines, |line, buffer| {
            fluent_uri::Iri::parse(line).is_ok_and(|iri| {
                buffer.push_str(iri.to_uri().as_str());
                true
            })
        }),
        whole("iri-string", lines, |line, buffer| {
            iri_string::types::IriStr::new(line)
                .is_ok_and(|iri| write!(buffer, "{}", iri.encode_to_uri()).is_ok())
        }),
    ]
}

fn to_uri_parsed(lines: &'static [String]) -> Vec<Library> {
    vec![
        parsed(
            "simd-iri",
            lines,
            |line| simd_iri::Iri::parse(line).ok(),
            |iri, buffer| {
                black_box(simd_iri::ToUri::new().map_into(*iri, buffer).is_ok());
            },
        ),
        parsed(
            "percent-encoding",
            lines,
            |line| simd_iri::Iri::parse(line).ok(),
            |iri, buffer| {
                buffer.extend(utf8_percent_encode(iri.as_str(), NOTHING));
            },
        ),
        parsed(
            "fluent-uri",
            lines,
            |line| fluent_uri::Iri::parse(line).ok(),
            |iri, buffer| {
                buffer.push_str(iri.to_uri().as_str());
            },
        ),
        parsed(
            "iri-string",
            lines,
            |line| iri_string::types::IriStr::new(line).ok(),
            |iri, buffer| {
                black_box(write!(buffer, "{}", iri.encode_to_uri()).is_ok());
            },
        ),
    ]
}

/// No peer maps URIs to IRIs. The normalization of an IRI does the same if nothing else is to be normalized.
fn to_iri(lines: &'static [String]) -> Vec<Library> {
    let mut libraries = normalize_iri(lines);
    libraries[0] = parsed(
        "simd-iri",
        lines,
        |line| simd_iri::Iri::parse(line).ok(),
        |iri, buffer| {
            black_box(simd_iri::ToIri::new().map_into(*iri, buffer));
        },
    );
    libraries
}

fn normalize_iri(lines: &'static [String]) -> Vec<Library> {
    vec![
        parsed(
            "simd-iri",
            lines,
            |line| simd_iri::Iri::parse(line).ok(),
            |iri, buffer| {
                black_box(Normalize::syntax().map_into(*iri, buffer).is_ok());
            },
        ),
        parsed(
            "fluent-uri",
            lines,
            |line| fluent_uri::Iri::parse(line).ok(),
            |iri, buffer| {
                buffer.push_str(iri.normalize().as_str());
            },
        ),
        parsed(
            "iri-string",
            lines,
            |line| iri_string::types::IriStr::new(line).ok(),
            |iri, buffer| {
                black_box(write!(buffer, "{}", iri.normalize()).is_ok());
            },
        ),
    ]
}

fn normalize_uri(lines: &'static [String]) -> Vec<Library> {
    vec![
        parsed(
            "simd-iri",
            lines,
            |line| simd_iri::Uri::parse(line).ok(),
            |uri, buffer| {
                black_box(Normalize::syntax().map_into(*uri, buffer).is_ok());
            },
        ),
        // The usual function, which does not copy a text in normal form.
        parsed(
            "simd-iri, borrowed",
            lines,
            |line| simd_iri::Uri::parse(line).ok(),
            |uri, buffer| {
                if let Ok(simd_iri::Cow::Owned(normal)) = uri.normalize(Normalize::syntax()) {
                    buffer.push_str(normal.as_str());
                }
            },
        ),
        parsed(
            "fluent-uri",
            lines,
            |line| fluent_uri::Uri::parse(line).ok(),
            |uri, buffer| {
                buffer.push_str(uri.normalize().as_str());
            },
        ),
        parsed(
            "iri-string",
            lines,
            |line| iri_string::types::UriStr::new(line).ok(),
            |uri, buffer| {
                black_box(write!(buffer, "{}", uri.normalize()).is_ok());
            },
        ),
    ]
}

/// Parses a line, copies it to an owner, and sets a fragment.
fn set_fragment(lines: &'static [String]) -> Vec<Library> {
    vec![
        whole("simd-iri", lines, |line, buffer| {
            simd_iri::IriBuf::parse(line).is_ok_and(|mut iri| {
                let is_set = iri.set_fragment(black_box("section-2")).is_ok();
                *buffer = iri.into_string();
                is_set
            })
        }),
        whole("fluent-uri", lines, |line, buffer| {
            let fragment = fluent_uri::pct_enc::EStr::new(black_box("section-2"));
            fluent_uri::Iri::parse(line).is_ok_and(|iri| {
                let mut iri = iri.to_owned();
                iri.set_fragment(fragment);
                *buffer = iri.into_string();
                true
            })
        }),
    ]
}

/// Parses a line, copies it to an owner, and sets a path. `fluent-uri` builds the components again.
fn set_path(lines: &'static [String]) -> Vec<Library> {
    use fluent_uri::build::Builder;

    vec![
        whole("simd-iri", lines, |line, buffer| {
            simd_iri::IriBuf::parse(line).is_ok_and(|mut iri| {
                let is_set = iri.set_path(black_box("/new/path.html")).is_ok();
                *buffer = iri.into_string();
                is_set
            })
        }),
        whole("fluent-uri", lines, |line, buffer| {
            let path = fluent_uri::pct_enc::EStr::new(black_box("/new/path.html"));
            let (Ok(iri), Some(path)) = (fluent_uri::Iri::parse(line), path) else { return false };
            let start = fluent_uri::Iri::builder().scheme(iri.scheme());
            let built = match iri.authority() {
                Some(authority) => start
                    .authority(authority)
                    .path(path)
                    .optional(Builder::query, iri.query())
                    .optional(Builder::fragment, iri.fragment())
                    .build(),
                None => start
                    .path(path)
                    .optional(Builder::query, iri.query())
                    .optional(Builder::fragment, iri.fragment())
                    .build(),
            };
            built.is_ok_and(|iri| {
                *buffer = iri.into_string();
                true
            })
        }),
    ]
}

/// Scheme and host in upper case, triplets in lower case, and a dot segment at the end of the path.
fn unnormal(line: &str) -> Option<String> {
    let uri = simd_iri::Uri::parse(line).ok()?;
    let authority = uri.authority()?.to_ascii_uppercase();
    let mut path = String::new();
    for (number, piece) in uri.path().split('%').enumerate() {
        let (digits, rest) = piece.split_at(if number == 0 { 0 } else { 2 });
        path += if number == 0 { "" } else { "%" };
        path += &digits.to_ascii_lowercase();
        path += rest;
    }
    let rest = &line[uri.parts().path().end..];
    Some(format!("{}://{authority}{path}/./a{rest}", uri.scheme().to_ascii_uppercase()))
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let rounds = match arguments.as_slice() {
        [] => 21,
        [option, number] if option == "--rounds" => number.parse()?,
        _ => return Err("transform [--rounds N]".into()),
    };
    let folder = env::var("CORPUS")?;
    let mut files = match Path::new(&folder) {
        file if file.is_file() => vec![file.to_path_buf()],
        folder => fs::read_dir(folder)?
            .map(|entry| Ok(entry?.path()))
            .collect::<Result<_, Box<dyn Error>>>()?,
    };
    files.sort();
    for file in files.iter().filter(|file| file.extension().is_some_and(|name| name == "txt")) {
        let text = fs::read_to_string(file)?;
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let unnormal: Vec<String> = lines.iter().filter_map(|line| unnormal(line)).collect();
        let (lines, unnormal): (&'static [String], &'static [String]) =
            (lines.leak(), unnormal.leak());
        println!("{}: {} lines, {rounds} rounds", file.display(), lines.len());
        compare("IRI to URI, with parse", to_uri(lines), lines, rounds);
        compare("IRI to URI, parsed", to_uri_parsed(lines), lines, rounds);
        compare("URI to IRI, parsed", to_iri(lines), lines, rounds);
        compare("normalize URI", normalize_uri(lines), lines, rounds);
        compare("set a fragment, with parse and copy", set_fragment(lines), lines, rounds);
        compare("set a path, with parse and copy", set_path(lines), lines, rounds);
        if !unnormal.is_empty() {
            let heading = "normalize URI that is not normal";
            compare(heading, normalize_uri(unnormal), unnormal, rounds);
        }
    }
    Ok(())
}

fn compare(heading: &str, libraries: Vec<Library>, lines: &[String], rounds: usize) {
    let count = lines.len();
    let mut buffer = String::new();
    let answers: Vec<Vec<String>> = libraries
        .iter()
        .map(|library| {
            let answer = |number| {
                buffer.clear();
                let made = (library.make)(number, &mut buffer);
                // If the result is the line itself, nothing is written.
                match (made, buffer.is_empty()) {
                    (true, false) => buffer.clone(),
                    (true, true) => lines[number].clone(),
                    (false, _) => String::new(),
                }
            };
            (0..count).map(answer).collect()
        })
        .collect();
    let mut times: HashMap<&str, Vec<f64>> = HashMap::new();
    for round in 0..rounds {
        for turn in 0..libraries.len() {
            let library = &libraries[(round + turn) % libraries.len()];
            let time = (library.round)(&mut buffer).as_nanos() as f64 / count as f64;
            times.entry(library.name).or_default().push(time);
        }
    }
    let of = |name: &str| times.get(name).map_or(f64::NAN, |rounds| median(rounds));
    println!("  {heading}");
    for (library, texts) in libraries.iter().zip(&answers) {
        let others = texts.iter().zip(&answers[0]).filter(|(text, ours)| text != ours).count();
        let (time, is_same) = (of(library.name), others * 100 <= count);
        let (open, close) = if is_same { (' ', ' ') } else { ('(', ')') };
        let ratio = time / of("simd-iri");
        let name = library.name;
        println!("    {name:<16}{open}{time:>8.1} ns {ratio:>6.2}{close} {others} other answers");
    }
}
