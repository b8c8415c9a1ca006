//! The tests of the library: one binary, its cases in `data/`.
//!
//! Three witnesses must agree: the library at every level of the CPU, the automata that `codegen`
//! builds from the whole grammar, and an oracle that reads the ABNF by itself. Nothing is skipped in
//! silence: what ran, how often and on which levels is printed (`--nocapture` shows it).
//!
//! | module | proves |
//! | --- | --- |
//! | `oracle` | (the third witness) |
//! | `support` | (what the modules share: levels, witnesses, inputs) |
//! | `cases` | (reads `data/` and, where they are, the shared cases) |
//! | `suite` | every case, by every way in |
//! | `exhaustive` | levels = automata = oracle, on inputs that leave no byte, place or character out |
//! | `violations` | what is reported of an invalid text |
//! | `batch` | batches, columns and streams = the parser, item by item |
//! | `components` | the rules of the components by themselves |
//! | `reference` | the laws of the typed references |
//! | `resolve` | resolution = the pseudo code of the RFC; what is relativized resolves to itself |
//! | `transform` | mapping, normalizing and comparing = plain transcriptions of the RFCs, and their laws |
//! | `fields` | references in fields of HTTP are found where they are, and nothing else changes |
//! | `bidi` | references are displayed as the examples of the RFC are, wherever they stand |
//! | `build` | what is built and edited has just the components that were meant; pairs and file names come back |
//! | `percent` | values become components and come back |
//! | `hosts` | hosts as domain names = the tests of Unicode, and the way back |
//! | `hostnames` | names of hosts by RFC 1123 and IDNA2008, rule by rule |
//! | `charset` | typed text and legacy charsets make no delimiter |
//! | `document` | what is written into a document is in its repertoire, and read as what it was |
//! | `lint` | each finding where it should be and nowhere else; what is fixed is equivalent, and stays so |
//! | `explanations` | each code is explained by an example that has it and one that has not |
//! | `prepare` | arbitrary strings become references or errors, and every repair is told of |
//! | `display` | what is shown means the same, is seen, and is found again in running text |
//! | `extract` | links in running text = the sample of Unicode; cuts and levels make no difference |
//! | `crawler` | what crawlers take for the same follows from options, or it is said why not |
//! | `defects` | the wrong answers that use has found are right now |
//! | `standards` | what the drafts, the guidelines and the paper around RFC 3987 say, and the departures from UTS #58 |
//! | `api` | sizes, marker traits, no allocation |
//! | `probes` | what a user types first compiles |
//! | `layers` | the sources keep the one-way flow and the two ONLYs of the design |
#![expect(clippy::string_slice, reason = "a wrong offset is a failed test")]

#[cfg(test)]
mod api;
#[cfg(test)]
mod batch;
#[cfg(test)]
#[cfg(feature = "bidi")]
mod bidi;
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
#[cfg(feature = "idna")]
mod crawler;
#[cfg(test)]
mod defects;
#[cfg(test)]
#[cfg(feature = "display")]
mod display;
#[cfg(test)]
#[cfg(feature = "charset")]
mod document;
#[cfg(test)]
mod exhaustive;
#[cfg(test)]
#[cfg(all(
    feature = "bidi",
    feature = "charset",
    feature = "idna",
    feature = "repertoire",
    feature = "spoof"
))]
mod explanations;
#[cfg(test)]
#[cfg(feature = "extract")]
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
mod layers;
#[cfg(test)]
#[cfg(feature = "check")]
mod lint;
#[cfg(test)]
mod oracle;
#[cfg(test)]
mod percent;
#[cfg(test)]
#[cfg(feature = "prepare")]
mod prepare;
#[cfg(test)]
mod probes;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod resolve;
#[cfg(test)]
#[cfg(all(feature = "bidi", feature = "charset", feature = "display", feature = "extract"))]
mod standards;
#[cfg(test)]
mod suite;
#[cfg(test)]
mod support;
#[cfg(test)]
mod transform;
#[cfg(test)]
mod violations;
#[cfg(test)]
#[cfg(feature = "prepare")]
mod whatwg;
