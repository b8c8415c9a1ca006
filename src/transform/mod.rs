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
pub use map::charset::{LegacyError, Unmappable};
pub use map::field::in_refresh;
pub use map::field::{Field, FieldReferences, MappedField};
#[cfg(feature = "idna")]
pub use map::host::{host_to_ascii, host_to_unicode};
#[cfg(feature = "idna")]
pub use map::hostname::{is_hostname, is_idn_hostname};
pub use map::to_iri::ToIri;
pub use map::to_uri::ToUri;
pub use normalize::compare::{Compare, Level};
pub use normalize::rules::Normalize;
pub use resolve::base::{Base, BaseBuf};
pub use resolve::relativize::{DotSegment, Relativize};
pub use target::{Target, TargetForm};
pub use triplets::Policy;
pub use view::mask::{Masked, masked};
pub use view::origin::Origin;

// Used by `check` and `text` too.
pub use bidi_controls::is_bidi_control;
pub use character_reference::{CharacterReference, CharacterReferences, NoCharacter};
#[cfg(feature = "charset")]
pub use characters::{Oddity, oddity};
#[cfg(feature = "charset")]
pub use characters::{is_reordered, may_compose, stays_after};
pub use components::rewrite_components;
pub use domain_names::{DOMAIN_NAME, LABEL_DOT_BYTES, LABEL_DOTS};
pub use domain_names::{LONGEST_LABEL, is_label_dot};
pub use dots::dots;
pub use dots::has_dot_segment;
pub use dots::has_encoded_dot;
pub use dots::{decoded_dots, push_without_as, segments};
#[cfg(feature = "charset")]
pub use map::charset::composed;
#[cfg(feature = "idna")]
pub use map::idna::LONGEST as LONGEST_NAME;
pub use map::idna::is_domain;
#[cfg(feature = "idna")]
pub use map::idna::to_ascii;
#[cfg(feature = "idna")]
pub use map::idna::{is_unchanged, mapped, to_unicode};
pub use map::remembered_hosts::{Question, remembered};
pub use map::to_uri::DISALLOWED;
#[cfg(feature = "idna")]
pub use map::too_long::is_too_long;
pub use prescan::SegmentDots;
pub use prescan::{before, scheme_and_host};
pub use remembered::{BITS, Remembered};
pub use schemes::Known;
pub use schemes::default_port;
pub(crate) use triplets::BIDI_CONTROL_PAIRS;
pub use triplets::Certain;
pub use triplets::push_as_iri;
