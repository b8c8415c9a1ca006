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

#[cfg(test)]
mod api;
#[cfg(test)]
#[cfg(feature = "archive")]
mod archive;
#[cfg(test)]
mod batch;
#[cfg(test)]
#[cfg(feature = "lint")]
mod bidi;
#[cfg(test)]
#[cfg(feature = "lint")]
mod browsers;
#[cfg(test)]
mod build;
#[cfg(test)]
mod cases;
#[cfg(test)]
#[cfg(feature = "charset")]
mod charset;
#[cfg(test)]
mod components;
#[cfg(test)]
#[cfg(feature = "text")]
mod connections;
#[cfg(test)]
#[cfg(all(
    feature = "archive",
    feature = "lint",
    feature = "charset",
    feature = "text",
    feature = "judge",
    feature = "rules"
))]
mod cost;
#[cfg(test)]
#[cfg(feature = "idna")]
mod crawler;
#[cfg(test)]
#[cfg(all(
    feature = "archive",
    feature = "lint",
    feature = "charset",
    feature = "text",
    feature = "http",
    feature = "judge",
    feature = "rules",
    feature = "redact",
    feature = "serde",
    feature = "template",
    feature = "url"
))]
mod debug;
#[cfg(test)]
mod defects;
#[cfg(test)]
#[cfg(feature = "lint")]
mod display;
#[cfg(test)]
#[cfg(feature = "charset")]
mod document;
#[cfg(test)]
mod exhaustive;
#[cfg(test)]
#[cfg(all(feature = "lint", feature = "charset", feature = "idna"))]
mod explanations;
#[cfg(test)]
#[cfg(feature = "text")]
mod extract;
#[cfg(test)]
mod fields;
#[cfg(test)]
#[cfg(feature = "idna")]
mod hostnames;
#[cfg(test)]
#[cfg(feature = "idna")]
mod hosts;
#[cfg(test)]
#[cfg(feature = "judge")]
mod judge;
#[cfg(test)]
mod layers;
#[cfg(test)]
#[cfg(feature = "lint")]
mod lint;
#[cfg(test)]
#[cfg(all(
    feature = "archive",
    feature = "lint",
    feature = "charset",
    feature = "text",
    feature = "judge",
    feature = "redact",
    feature = "serde",
    feature = "template"
))]
mod operations;
#[cfg(test)]
mod oracle;
#[cfg(test)]
#[cfg(feature = "text")]
mod peers;
#[cfg(test)]
mod percent;
#[cfg(test)]
#[cfg(all(feature = "redact", feature = "serde"))]
mod planted;
#[cfg(test)]
#[cfg(feature = "text")]
mod prepare;
#[cfg(test)]
mod probes;
#[cfg(test)]
#[cfg(feature = "text")]
mod prose;
#[cfg(test)]
#[cfg(all(feature = "rules", feature = "serde"))]
mod query_rules;
#[cfg(test)]
#[cfg(feature = "serde")]
mod query_serde;
#[cfg(test)]
#[cfg(feature = "text")]
mod readers;
#[cfg(test)]
#[cfg(all(feature = "redact", feature = "serde"))]
mod redact;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod resolve;
#[cfg(test)]
#[cfg(all(feature = "lint", feature = "charset", feature = "text"))]
mod standards;
#[cfg(test)]
mod suite;
#[cfg(test)]
mod support;
#[cfg(test)]
mod target;
#[cfg(test)]
#[cfg(all(feature = "lint", feature = "charset", feature = "text", feature = "template"))]
mod template;
#[cfg(test)]
mod transform;
#[cfg(test)]
#[cfg(all(feature = "lint", feature = "charset", feature = "text"))]
mod unicode;
#[cfg(test)]
mod violations;
#[cfg(test)]
#[cfg(feature = "text")]
mod whatwg;
