//! Measures the time of the fastest peer to map, to normalize and to edit the references of each file of `CORPUS` (a
//! file, or a directory of `.txt` files with one reference a line), divided by ours. The output has the number of lines
//! that another library refuses or maps to another text. If a library gives other answers than the others for more than
//! one line in a hundred, its work is not the same, and its time is in brackets.
//!
//! `transform [FILTER] [--rounds N]`; `FILTER` is a part of the name of a work.

mod compare;
mod edits;

use std::{env, error::Error, fmt::Write, fs, hint::black_box, path::Path};

use compare::{Library, compare, parsed, whole};
use percent_encoding::{AsciiSet, utf8_percent_encode};
use simd_iri::Normalize;

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
                Ok(simd_iri::Mapped::Owned(uri)) => {
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
                if let Ok(simd_iri::Mapped::Owned(normal)) = uri.normalize(Normalize::syntax()) {
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
    let (mut rounds, mut filter) = (21, String::new());
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--rounds" => {
                rounds = arguments.next().ok_or("--rounds needs a number")?.parse()?;
            }
            option if option.starts_with('-') => return Err(format!("no option {option}").into()),
            _ => filter = argument,
        }
    }
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
        println!("{}: {} lines, {} rounds", file.display(), lines.len(), rounds);
        let mut works = vec![
            ("IRI to URI, with parse".into(), to_uri(lines)),
            ("IRI to URI, parsed".into(), to_uri_parsed(lines)),
            ("URI to IRI, parsed".into(), to_iri(lines)),
            ("normalize URI".into(), normalize_uri(lines)),
        ];
        works.extend(edits::all(lines));
        for (heading, libraries) in works {
            if heading.contains(&filter) {
                compare(&heading, libraries, lines, rounds);
            }
        }
        let heading = "normalize URI that is not normal";
        if !unnormal.is_empty() && heading.contains(&filter) {
            compare(heading, normalize_uri(unnormal), unnormal, rounds);
        }
    }
    Ok(())
}
