//! New texts from references: mapped to URIs and to IRIs, normalized, compared, resolved, relativized,
//! edited; and from components.
//!
//! Every transform of a whole reference writes to a buffer of the caller's, and has a thin wrapper
//! that allocates one, or lends what it was given if there is nothing to change. What comes out is
//! not parsed again: where its components lie follows from where they lay, or how they were put
//! together.
#![forbid(unsafe_code)]

mod address;
mod build;
mod character_reference;
#[cfg(feature = "repertoire")]
mod characters;
#[cfg(feature = "charset")]
mod charset;
mod compare;
mod document;
#[cfg(feature = "psl")]
mod domain;
mod dots;
mod edit;
mod file;
#[cfg(feature = "idna")]
mod hostname;
#[cfg(feature = "idna")]
mod idna;
#[cfg(feature = "repertoire")]
mod joiners;
mod key;
mod look;
mod mask;
mod normalize;
mod origin;
mod owners;
pub mod percent;
mod pieces;
mod query;
#[cfg(feature = "charset")]
mod query_charset;
mod relativize;
mod resolve;
mod schemes;
mod to_iri;
mod to_uri;
mod triplets;

pub use build::{Builder, Encoded, Value};
#[cfg(feature = "charset")]
pub use charset::{LegacyError, Unmappable};
pub use compare::{Compare, Level};
pub use document::{Document, EscapeError, Format};
pub use file::FileNameError;
#[cfg(feature = "idna")]
pub use hostname::{is_hostname, is_idn_hostname};
pub use mask::Masked;
pub use normalize::Normalize;
pub use origin::Origin;
pub use query::Pairs;
pub use relativize::{DotSegment, Relativize};
pub use resolve::{Base, BaseBuf};
pub use to_iri::ToIri;
pub use to_uri::ToUri;
pub use triplets::Policy;

// What checks and texts ask, too.
pub(crate) use character_reference::CharacterReferences;
#[cfg(feature = "repertoire")]
pub(crate) use characters::{Oddity, oddity};
#[cfg(feature = "charset")]
pub(crate) use charset::composed;
pub(crate) use dots::{decoded_dots, dots, has_dot_segment, push_without_as};
#[cfg(feature = "extract")]
pub(crate) use idna::is_domain;
#[cfg(feature = "idna")]
pub(crate) use idna::{mapped, to_ascii, to_unicode};
#[cfg(feature = "repertoire")]
pub(crate) use joiners::is_needed;
#[cfg(feature = "display")]
pub(crate) use pieces::rewrite;
pub(crate) use schemes::Known;
pub(crate) use triplets::{Certain, is_bidi_control};
