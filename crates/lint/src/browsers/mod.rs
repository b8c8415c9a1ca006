//! Display policies of browsers: whether a browser shows a label of a host in Unicode, and which rule decides.
//!
//! The rules are those of one revision of each browser, which `DisplayPolicy::date` dates. Not here: the warnings that
//! browsers show beside a host, and what is reported about a label (`rules`).

mod chromium;
mod firefox;
mod identifiers;
mod letters;
mod policy;
mod rule;

pub(crate) use chromium::chromium_allows;
pub(crate) use identifiers::IDENTIFIER_VERSION;
pub use policy::{DisplayPolicy, Shown};
pub use rule::DisplayRule;
