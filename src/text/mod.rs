//! Text and references: makes references from strings that people write (`prepare`), finds links in running
//! text (`extract`), displays references (`display`), and takes off what was put on them: wrappers (`unwrap`), and pairs
//! that rules name (`query_rules`). `Redact` is here by name: the checks use it, too.
//!
//! Every repair is reported with its position. `DisplayIri` makes an IRI, and `DisplayUts58` makes text. Not
//! here: what is valid (`parse`), and the mapping of valid references (`transform`).
#![forbid(unsafe_code)]

#[cfg(feature = "lint")]
mod display;
#[cfg(feature = "text")]
mod extract;
#[cfg(any(feature = "lint", feature = "text"))]
mod link_tables;
#[cfg(feature = "text")]
mod prepare;
#[cfg(feature = "rules")]
mod query_rules;
#[cfg(all(feature = "text", feature = "serde"))]
mod serde;
#[cfg(feature = "rules")]
mod unwrap;
#[cfg(feature = "rules")]
mod wrapped;

#[cfg(feature = "redact")]
pub use crate::redact::{
    Reason, Redact, RedactPart, RedactUserinfo, Redacted, Redaction, Redactions, SecretSet,
};
#[cfg(feature = "lint")]
pub use display::{DisplayIri, uts58::DisplayUts58};
#[cfg(feature = "text")]
pub use extract::{
    Ends, Extract, Link, LinkKind, Links, Markup, Schemes, broken::Broken, escapes::Escapes,
    link_stream::LinkStream,
};
#[cfg(any(feature = "lint", feature = "text"))]
pub(crate) use link_tables::LINK_VERSION;
#[cfg(feature = "text")]
pub use prepare::{
    Prepare, Prepared,
    context::{Context, RepairSet},
    encode::Replacement,
    repair::{Repair, RepairKind},
};
#[cfg(feature = "rules")]
pub use query_rules::{Applied, QueryRules, RuleError, RuleErrorKind, RuleFormat};
#[cfg(feature = "rules")]
pub use unwrap::{Unwrap, Unwrapped};
#[cfg(feature = "rules")]
pub use wrapped::found::{StillWrapped, Wrapper};
