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
#[cfg(feature = "lint")]
mod characters;
mod document;
mod domain_names;
mod dot_search;
mod dots;
#[cfg(feature = "lint")]
mod joiners;
mod map;
mod normalize;
mod owners;
pub mod percent;
mod prescan;
#[cfg(any(feature = "lint", feature = "idna"))]
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
pub(crate) use map::field::in_refresh;
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
pub(crate) use character_reference::CharacterReferences;
#[cfg(feature = "lint")]
pub(crate) use characters::{Oddity, oddity};
#[cfg(feature = "lint")]
pub(crate) use characters::{is_reordered, may_compose, stays_after};
pub(crate) use components::rewrite;
pub(crate) use domain_names::{DOMAIN_NAME, LABEL_DOT_BYTES, LABEL_DOTS};
pub use domain_names::{LONGEST_LABEL, is_label_dot};
pub(crate) use dots::dots;
pub(crate) use dots::has_dot_segment;
pub(crate) use dots::has_encoded_dot;
pub use dots::{decoded_dots, push_without_as, segments};
#[cfg(feature = "lint")]
pub(crate) use joiners::is_needed;
#[cfg(all(feature = "charset", any(feature = "lint", feature = "text")))]
pub(crate) use map::charset::composed;
#[cfg(all(feature = "idna", feature = "lint"))]
pub(crate) use map::idna::LONGEST as LONGEST_NAME;
#[cfg(feature = "text")]
pub(crate) use map::idna::is_domain;
#[cfg(all(feature = "idna", any(feature = "lint", feature = "text")))]
pub(crate) use map::idna::to_ascii;
#[cfg(all(feature = "idna", feature = "lint"))]
pub(crate) use map::idna::{is_unchanged, mapped, to_unicode};
#[cfg(feature = "lint")]
pub(crate) use map::remembered_hosts::{Question, remembered};
pub(crate) use map::to_uri::DISALLOWED;
#[cfg(feature = "idna")]
pub use map::too_long::is_too_long;
pub(crate) use prescan::SegmentDots;
pub(crate) use prescan::{before, scheme_and_host};
#[cfg(feature = "lint")]
pub(crate) use remembered::{BITS, Remembered};
pub(crate) use schemes::Known;
pub use schemes::default_port;
pub(crate) use triplets::BIDI_CONTROL_PAIRS;
pub(crate) use triplets::Certain;
#[cfg(feature = "lint")]
pub(crate) use triplets::push_as_iri;
