//! Masks to [`Parts`]: finds where the components of a reference lie, or that a text is not a reference.
//!
//! Here: the grammar of RFC 3987, section 2.2, as questions to a text that is seen through masks (`masked`). The
//! parser (`grammar::Locate`) is written once for all start rules, lengths and CPU levels. Also here: the rules of
//! single components (`component`), and the search for the error of an invalid text (`explain`). Not here: which
//! characters a set holds (`tables`), what the components mean (`reference`), and many texts at once (`batch`).
//!
//! ```text
//! scheme     ends at the first byte that a scheme cannot hold, if that is a colon
//! authority  begins after `//` and ends at the first `/`, `?` or `#`
//! path       ends at the first `?` before the `#`
//! query      ends at the first ASCII byte that neither path nor query can hold, if that is a `#`
//! fragment   is the rest
//! ```
//!
//! Between these delimiters, one set says what a host may hold. A second set says what a path and a query may hold, and
//! a third set what a fragment may hold. The rare parts of an authority (`@`, a port, an `IP-literal`) have a function
//! of their own.
#![forbid(unsafe_code)]

pub(crate) mod dfa;

mod component;
pub(crate) mod cursor;
mod edit;
mod explain;
mod grammar;
mod guard;
mod ip;
mod leads;
mod literal;
mod masked;
mod memo;
mod parts;
mod questions;
mod rare;
mod rule;
mod short;
mod terminators;
mod validate;
mod walk;

pub(crate) use edit::Delimited;
pub use explain::Violations;
pub(crate) use explain::{Matched, explain};
pub(crate) use grammar::locate;
pub(crate) use grammar::split;
pub(crate) use grammar::{explain_ill_formed, parse_best, parse_bytes};
pub(crate) use guard::{GUARD, guard, insert_guard};
pub use leads::private;
pub use leads::{At, refined};
pub use literal::Refusal;
pub(crate) use literal::parse_const;
pub use memo::Memo;
pub use parts::Parts;
pub(crate) use rare::{Near, Rare, decide};
pub(crate) use rule::SchemeRule;
pub use rule::{ComponentRule, Rule};
pub use terminators::Terminators;
pub(crate) use validate::is_valid_if_rare;
