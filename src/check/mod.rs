//! Opinions about valid references: directions, characters, look-alikes, rules of schemes, and preferred
//! spellings.
//!
//! A [`Lint`] is a set of codes and severities, usually the set of a [`Profile`]. It returns its [`Finding`]s one by
//! one, or as a [`Report`]. A reference with findings is valid. A lint opens no connection and reads no file: every
//! finding follows from the text alone.
//!
//! | codes | subject | source |
//! | --- | --- | --- |
//! | `bidi.…` | the directions of components | RFC 3987, section 4 |
//! | `repertoire.…` | normal forms, and characters that should be encoded | RFC 3987, sections 5.3.2.2 and 6.1 |
//! | `spoof.…` | what misleads readers or programs | RFC 3986, section 7; RFC 3987, section 8 |
//! | `scheme.…` | rules of schemes, such as http or mailto | RFC 3987, sections 3.1 and 6.4; RFCs of the schemes |
//! | `preferred.…` | the preferred spelling among equivalent spellings | draft-duerst-iri-10, section 5.4 |
//!
//! For most references, one pass shows that no check has a finding.
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
//! Not here: what is valid (`parse`), and mapping or normalizing references (`transform`).
#![forbid(unsafe_code)]

mod prescan;

mod facts;

mod apply;
mod bidi;
mod browsers;
mod code;
mod explanation;
mod finding;
mod fix;
#[cfg(feature = "charset")]
mod interpret;
mod lint;
mod message;
mod owners;
mod report;
mod rules;
#[cfg(feature = "serde")]
mod serde;
mod suggestion;

pub use bidi::embed::{Direction, Embed, Marks, unembed};
pub(crate) use browsers::IDENTIFIER_VERSION;
pub use browsers::{DisplayPolicy, DisplayRule, Shown};
pub use code::{Code, Profile, Severity};
pub use explanation::Explanation;
pub use finding::Finding;
#[cfg(feature = "charset")]
pub use interpret::{Interpretation, charsets, interpret};
pub use lint::Lint;
pub use report::Report;
pub use suggestion::Suggestion;

// `text` uses these, too.
pub(crate) use rules::host::{is_label_misleading, is_misleading};
pub(crate) use rules::meant::mapped;
