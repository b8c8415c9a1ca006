//! Opinions about valid references: directions, characters, look-alikes, rules of schemes, and preferred
//! spellings.
//!
//! A [`Lint`] is a choice of codes and severities, most often that of a [`Profile`]. It gives its
//! [`Finding`]s one by one, or as a [`Report`]. No finding makes a reference less valid, and none is
//! ever looked up: what is said follows from the text alone.
//!
//! | codes | what is looked at | from |
//! | --- | --- | --- |
//! | `bidi.…` | the directions of components | RFC 3987, section 4 |
//! | `repertoire.…` | normal forms, and characters that are better encoded | RFC 3987, sections 5.3.2.2 and 6.1 |
//! | `spoof.…` | what misleads readers or programs | RFC 3986, section 7; RFC 3987, section 8 |
//! | `scheme.…` | the rules of http, https, ws, wss, ftp, file, mailto, data, urn and tag | RFC 3987, sections 3.1 and 6.4, and the RFCs of these schemes |
//! | `preferred.…` | which spelling is the best of equivalent ones | draft-duerst-iri-10, section 5.4 |
//!
//! One pass says for most references that there is nothing to say.
//!
//! ```
//! use simd_iri::check::{Code, Profile};
//! use simd_iri::iri;
//!
//! let report = iri!("http://a/\u{202E}gnp.exe").lint(Profile::Rfc);
//! for finding in &report {
//!     assert_eq!(finding.code(), Code::BidiFormatting);
//!     assert_eq!(finding.code().name(), "bidi.formatting-character");
//! }
//! # assert_eq!(report.findings().len(), 1);
//! ```
//!
//! Not here: what is valid (`parse`), and new texts that are not corrections (`transform`).
#![forbid(unsafe_code)]

mod prescan;

mod apply;
mod bidi;
mod code;
mod explanation;
mod finding;
mod fix;
#[cfg(feature = "charset")]
mod interpret;
mod lint;
mod message;
mod report;
mod rules;
mod suggestion;

#[cfg(feature = "bidi")]
pub use bidi::embed::{Direction, Embed, Marks, unembed};
pub use code::{Code, Profile, Severity, UnknownCode};
pub use explanation::Explanation;
pub use finding::Finding;
#[cfg(feature = "charset")]
pub use interpret::{Interpretation, charsets, interpret};
pub use lint::Lint;
pub use report::Report;
pub use suggestion::Suggestion;

// What texts ask, too.
#[cfg(feature = "display")]
pub(crate) use rules::scripts::is_misleading;
