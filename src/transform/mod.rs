//! New texts from references: mapped to URIs and to IRIs, normalized, compared, resolved, relativized,
//! edited; and from components.
//!
//! Every transform of a whole reference writes to a buffer of the caller's, and has a thin wrapper
//! that allocates one, or lends what it was given if there is nothing to change. What comes out is
//! not parsed again: where its components lie follows from where they lay, or how they were put
//! together.
#![forbid(unsafe_code)]

mod components;

mod bidi_controls;
mod build;
mod character_reference;
#[cfg(feature = "repertoire")]
mod characters;
mod document;
mod dots;
#[cfg(feature = "repertoire")]
mod joiners;
mod map;
mod normalize;
mod owners;
pub mod percent;
mod resolve;
mod schemes;
#[cfg(feature = "serde")]
mod serde;
mod triplets;
mod view;

pub use build::file::FileNameError;
pub use build::query::Pairs;
pub use build::{Builder, Encoded, Value};
pub use document::{Document, EscapeError, Format};
#[cfg(feature = "charset")]
pub use map::charset::{LegacyError, Unmappable};
#[cfg(feature = "idna")]
pub use map::hostname::{is_hostname, is_idn_hostname};
pub use map::to_iri::ToIri;
pub use map::to_uri::ToUri;
pub use normalize::compare::{Compare, Level};
pub use normalize::rules::Normalize;
pub use resolve::base::{Base, BaseBuf};
pub use resolve::relativize::{DotSegment, Relativize};
pub use triplets::Policy;
pub use view::mask::Masked;
pub use view::origin::Origin;

// What checks and texts ask, too.
pub(crate) use bidi_controls::is_bidi_control;
pub(crate) use character_reference::CharacterReferences;
#[cfg(feature = "repertoire")]
pub(crate) use characters::{Oddity, oddity};
#[cfg(feature = "display")]
pub(crate) use components::rewrite;
pub(crate) use dots::{decoded_dots, dots, has_dot_segment, push_without_as};
#[cfg(feature = "repertoire")]
pub(crate) use joiners::is_needed;
#[cfg(feature = "charset")]
pub(crate) use map::charset::composed;
#[cfg(feature = "extract")]
pub(crate) use map::idna::is_domain;
#[cfg(feature = "idna")]
pub(crate) use map::idna::{mapped, to_ascii, to_unicode};
pub(crate) use schemes::Known;
pub(crate) use triplets::Certain;
