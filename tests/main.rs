//! The tests of the library: one binary, its cases in `data/`.
//!
//! Three witnesses must agree: the library at every level of the CPU, the automata that `codegen` builds from the
//! whole grammar, and an oracle that reads the ABNF by itself. No test is skipped silently: the tests print what ran,
//! how often and on which levels (`--nocapture` shows it).
//!
//! | module | proves |
//! | --- | --- |
//! | `oracle` | (the third witness) |
//! | `support` | (what the modules share: levels, witnesses, inputs) |
//! | `cases` | (reads `data/` and, if they exist, the shared cases) |
//! | `suite` | every case has its answer, through every entry point |
//! | `exhaustive` | levels = automata = oracle, on every byte, place and character |
//! | `violations` | all errors of an invalid text are reported |
//! | `batch` | batches, columns and streams = the parser, item by item |
//! | `components` | the rules of single components |
//! | `reference` | the laws of the typed references |
//! | `resolve` | resolution = the pseudo code of the RFC; a relativized reference resolves to its target |
//! | `transform` | mapping, normalizing and comparing = plain transcriptions of the RFCs, and their laws |
//! | `fields` | every reference in a field of HTTP is found, and nothing else changes |
//! | `bidi` | references are displayed as in the examples of the RFC, in every context |
//! | `build` | built and edited references have exactly the intended components; pairs and file names are read back |
//! | `query_serde` | a struct that is set as a query is read back; what has no place in a query is refused with its name |
//! | `target` | a target of a request means what it means behind an authority |
//! | `template` | expansions are those of RFC 6570; a match is the definition, in linear time |
//! | `percent` | values become components and are read back |
//! | `hosts` | hosts as domain names = the tests of Unicode, and the way back |
//! | `hostnames` | names of hosts by RFC 1123 and IDNA2008, rule by rule |
//! | `charset` | typed text and legacy charsets make no delimiter |
//! | `document` | a written document has only characters of its repertoire, and is read back |
//! | `lint` | each finding is where it should be and nowhere else; a fix is equivalent, and is its own fix |
//! | `judge` | no disguise of an internal host is let through; a second reader agrees on the host; the URL to send is what is judged |
//! | `explanations` | each explanation has an example with the code and one without it |
//! | `prepare` | arbitrary strings become references or errors, and every repair is reported |
//! | `display` | a displayed reference means the same, is visible, and is found again in running text |
//! | `browsers` | each label has the rule of each browser; the rule does not depend on the spelling |
//! | `extract` | links in running text = the sample of Unicode; cuts and levels make no difference |
//! | `prose` | links in Chinese, Japanese and Korean prose: cases, a corpus judged by reading, and never longer than strict |
//! | `readers` | HTML and Markdown have the references that other parsers find; what is written over a reference is read back |
//! | `query_rules` | wrapped links come out as they were put in; rules of files remove what they name, and nothing else |
//! | `redact` | no secret of a generated reference is left, and nothing else changes |
//! | `planted` | (references with secrets) |
//! | `peers` | (the other parsers of HTML and Markdown) |
//! | `connections` | no password of a connection string becomes a link |
//! | `archive` | keys of web archives are those of the tools, and obey their laws |
//! | `cost` | the time of every operation is linear in its item, in whatever way the item is made |
//! | `crawler` | the equivalences of crawlers follow from options, or the exception has a reason |
//! | `operations` | each name of `docs/operations.md` for Rust has its answers, and is on the page of the crate |
//! | `debug` | `Debug` of no public type writes a password |
//! | `defects` | wrong answers that were found in use are right now |
//! | `standards` | the drafts, the guidelines and the paper around RFC 3987, and the departures from UTS #58 |
//! | `api` | sizes, marker traits, no allocation |
//! | `probes` | the first programs of a user compile |
//! | `unicode` | the page of versions, the crates and the sources agree; tables that differ meet only for a reason |
//! | `layers` | modules import in one direction; only `codegen` knows the grammar; `unsafe` is only in `src/scan`; owners have the comments of the view |
#![expect(clippy::string_slice, reason = "a wrong offset is a failed test")]

/// The checkout.
#[cfg(test)]
pub(crate) const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

#[cfg(test)]
mod api;
#[cfg(test)]
mod archive;
#[cfg(test)]
mod batch;
#[cfg(test)]
mod bidi;
#[cfg(test)]
mod browsers;
#[cfg(test)]
mod build;
#[cfg(test)]
mod cases;
#[cfg(test)]
mod charset;
#[cfg(test)]
mod components;
#[cfg(test)]
mod connections;
#[cfg(test)]
mod cost;
#[cfg(test)]
mod crawler;
#[cfg(test)]
mod debug;
#[cfg(test)]
mod defects;
#[cfg(test)]
mod display;
#[cfg(test)]
mod document;
#[cfg(test)]
mod exhaustive;
#[cfg(test)]
mod explanations;
#[cfg(test)]
mod extract;
#[cfg(test)]
mod fields;
#[cfg(test)]
mod hostnames;
#[cfg(test)]
mod hosts;
#[cfg(test)]
mod judge;
#[cfg(test)]
mod layers;
#[cfg(test)]
mod lint;
#[cfg(test)]
mod operations;
#[cfg(test)]
mod oracle;
#[cfg(test)]
mod peers;
#[cfg(test)]
mod percent;
#[cfg(test)]
mod planted;
#[cfg(test)]
mod prepare;
#[cfg(test)]
mod probes;
#[cfg(test)]
mod prose;
#[cfg(test)]
mod query_rules;
#[cfg(test)]
mod query_serde;
#[cfg(test)]
mod readers;
#[cfg(test)]
mod redact;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod resolve;
#[cfg(test)]
mod standards;
#[cfg(test)]
mod suite;
#[cfg(test)]
mod support;
#[cfg(test)]
mod target;
#[cfg(test)]
mod template;
#[cfg(test)]
mod transform;
#[cfg(test)]
mod unicode;
#[cfg(test)]
mod violations;
#[cfg(test)]
mod whatwg;
