//! The rules: each file finds what one group of codes reports.
//!
//! | rules | codes |
//! | --- | --- |
//! | `host`, `lookalikes`, `scripts`, `mojibake`, `digits`, `spoof`, `secrets`, `internal` | `spoof.…` |
//! | `escapes` | `spoof.…` and `preferred.…` about triplets |
//! | `preferred` | `preferred.…` |
//! | `repertoire` | `repertoire.…` |
//! | `scheme`, `syntax` | `scheme.…` |
//! | `raw` | findings about a text that is not a reference |
//!
//! They share `components` (the parts of a reference), `meant` (the characters for which a text stands), `unit`
//! (the meaning of triplets), `script` and `skeleton` (UTS #39), and `domain`. Not here: directions (`bidi`), the order of the rules
//! (`lint`), and the tables of addresses and names (the engine).

pub(crate) mod components;
pub(crate) mod digits;
pub(crate) mod domain;
pub(crate) mod escapes;
pub(crate) mod host;
pub(crate) mod internal;
pub(crate) mod lookalikes;
pub(crate) mod meant;
pub(crate) mod mojibake;
pub(crate) mod preferred;
pub(crate) mod raw;
pub(crate) mod repertoire;
pub(crate) mod scheme;
pub(crate) mod script;
pub(crate) mod scripts;
pub(crate) mod secrets;
pub(crate) mod skeleton;
pub(crate) mod spoof;
pub(crate) mod syntax;
pub(crate) mod unit;
