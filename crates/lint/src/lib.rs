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
//! | `preferred.…` | the preferred spelling among equivalent spellings | draft-duerst-iri-10, section 5.4; for ports RFC 3986, section 3.2.3 |
//!
//! For most references, one pass shows that no check has a finding.
//!
//! ```
//! use simd_iri::iri;
//! use simd_iri_lint::{Code, Profile, lint};
//!
//! let report = lint(iri!("http://a/\u{202E}gnp.exe"), Profile::Rfc);
//! for finding in &report {
//!     assert_eq!(finding.code(), Code::BidiFormatting);
//!     assert_eq!(finding.code().name(), "bidi.formatting-character");
//! }
//! # assert_eq!(report.findings().len(), 1);
//! ```
//!
//! Not here: what is valid, and mapping or normalizing references, which are the engine's (`simd-iri`).
#![cfg_attr(not(test), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

mod prescan;

mod facts;

mod apply;
mod bidi;
mod browsers;
mod code;
mod composition;
mod display;
mod explanation;
mod finding;
mod fix;
mod interpret;
mod joiners;
mod lint;
mod message;
mod report;
mod rules;
#[cfg(feature = "serde")]
mod serde;
mod severity;
mod suggestion;

use simd_iri::low::latest_assigned;
use simd_iri::versions::DataTable;

pub use bidi::{
    embed::{Direction, Embed, Marks, unembed},
    visual::{visual, visual_offsets},
};
pub use browsers::{DisplayPolicy, DisplayRule, Shown};
pub use code::Code;
pub use display::{DisplayIri, uts58::DisplayUts58};
pub use explanation::Explanation;
pub use finding::Finding;
pub use interpret::{Interpretation, charsets, interpret};
pub use lint::{Lint, lint};
pub use report::Report;
pub use rules::skeleton::skeleton;
pub use severity::{Profile, Severity};
pub use suggestion::Suggestion;

use rules::host::{is_label_misleading, is_misleading};
use rules::meant::mapped;

/// The tables of data about characters that this crate adds to those of the engine and of `simd-iri-text`: the directions of
/// characters (UAX #9), their scripts (UAX #24), look-alikes, and the characters that Unicode allows in identifiers
/// (UTS #39), as the display policies of browsers have them.
///
/// ```
/// use simd_iri_lint::TABLES;
///
/// assert_eq!(TABLES.map(|table| table.name()), ["bidi", "scripts", "confusables", "identifiers"]);
/// ```
pub const TABLES: [DataTable; 4] = [
    DataTable::new("bidi", latest_assigned),
    DataTable::new("scripts", || unicode_script::UNICODE_VERSION.into()),
    DataTable::new("confusables", || unicode_security::UNICODE_VERSION.into()),
    DataTable::new("identifiers", || browsers::IDENTIFIER_VERSION.into()),
];
