//! New references from references and from components: mapping, normalization, resolution, relativization, building
//! and editing. Also comparison, which needs the normal form but does not write it.
//!
//! A transform of a whole reference writes into a buffer of the caller. A thin wrapper allocates the buffer, or
//! returns the borrowed input if nothing changes. The result is not parsed again: the offsets of its components are
//! computed while it is written.
#![forbid(unsafe_code)]

mod components;

mod bidi_controls;
mod build;
mod character_reference;
#[cfg(feature = "charset")]
mod characters;
mod document;
mod domain_names;
mod dot_search;
mod dots;
mod map;
mod normalize;
mod owners;
pub mod percent;
mod prescan;
mod remembered;
mod resolve;
mod schemes;
#[cfg(feature = "serde")]
mod serde;
mod target;
mod triplets;
mod view;

pub use build::file::FileNameError;
pub use build::{Builder, Encoded, Value, query};
pub use document::{Document, EscapeError, Format};
#[cfg(feature = "charset")]
pub use map::charset::{LegacyError, Unmappable, composed};
pub use map::field::{Field, FieldReferences, MappedField, in_refresh};
pub use map::to_iri::ToIri;
pub use map::to_uri::{DISALLOWED, ToUri};
#[cfg(feature = "idna")]
pub use map::{
    host::{host_to_ascii, host_to_unicode},
    hostname::{is_hostname, is_idn_hostname},
    idna::{LONGEST as LONGEST_NAME, is_domain, is_unchanged, mapped, to_ascii, to_unicode},
    remembered_hosts::Question,
    too_long::is_too_long,
};
pub use normalize::compare::{Compare, Level};
pub use normalize::rules::Normalize;
pub use resolve::base::{Base, BaseBuf};
pub use resolve::relativize::{DotSegment, Relativize};
pub use target::{Target, TargetForm};
pub use triplets::DecodePolicy;
#[cfg(feature = "psl")]
pub use view::domain::is_listed;
pub use view::mask::{Masked, masked};
pub use view::origin::Origin;

// What the crates of products use, too (`low`).
pub use bidi_controls::is_bidi_control;
pub use character_reference::{CharacterReference, CharacterReferences, NoCharacter};
#[cfg(feature = "charset")]
pub use characters::{Oddity, is_reordered, may_compose};
pub use components::rewrite_components;
pub use domain_names::{DOMAIN_NAME, LABEL_DOTS, LONGEST_LABEL};
pub use dots::{decoded_dots, dots, has_dot_segment, has_encoded_dot, push_without_as, segments};
pub use prescan::{SegmentDots, before, scheme_and_host};
pub use remembered::Remembered;
pub use schemes::{Known, default_port};
pub(crate) use triplets::BIDI_CONTROL_PAIRS;
pub use triplets::{push_as_iri, push_upper_triplets};
