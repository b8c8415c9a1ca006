//! What the crates of products need of the inside of the engine. It is no promise: a product names the exact version of the
//! engine. Each item is explained where it is defined.
#![forbid(unsafe_code)]

use alloc::string::String;

use crate::error::Component;
use crate::parse::{Parts, Rule, locate};
use crate::reference::{Buf, View, kind::Kind};
use crate::scan::CpuLevel;
use crate::tables;

// Names of values, messages and `Debug`: every product.
pub use crate::error::{ShownChar, debug_without_text, named};

/// What the macro `named` writes for serde.
#[cfg(feature = "serde")]
pub mod with_serde {
    pub use crate::error::ByName;
    pub use serde;
}

// Texts, byte by byte: every product.
pub use crate::parse::dfa::NonAscii;
pub use crate::scan::{
    Characters, as_chunks, find, octet, prefix, push_triplets, slice, triplet_text, utf8,
};
pub use crate::transform::is_bidi_control;

// Masks: lint, redact, text.
pub use crate::scan::{BLOCK, Block, Cpu, Job, Query, UPPER, below, encode};

// Sets of the grammar: lint, redact, template, text.
pub use crate::tables::{AsciiSet, HighSet};

/// Makes constants of the tables public.
macro_rules! sets {
    ($($name:ident: $type:ty = $meaning:literal),+ $(,)?) => {
        $(#[doc = $meaning] pub const $name: $type = tables::$name;)+
    };
}

sets! {
    DIGIT: AsciiSet = "The digits.",
    HEXDIG: AsciiSet = "The hexadecimal digits.",
    LEADS: HighSet = "The octets that begin characters of which not all are `ucschar`.",
    RESERVED: AsciiSet = "The delimiters: gen-delims and sub-delims.",
    SCHEME: AsciiSet = "What a scheme consists of.",
    SCHEME_FIRST: AsciiSet = "What begins a scheme.",
    UNRESERVED: AsciiSet = "The characters that never need a triplet.",
}

/// Returns the ASCII that a component may hold; of a host, that of a name; of others, that of a fragment.
#[must_use]
#[inline]
pub const fn ascii_of(component: Component) -> &'static AsciiSet {
    match component {
        Component::Path => &tables::PATH,
        Component::Query => &tables::QUERY,
        Component::Userinfo => &tables::USERINFO,
        Component::Host => &tables::REG_NAME,
        _ => &tables::FRAGMENT,
    }
}

// Components, schemes and paths: archive, judge, lint, rules, text.
pub use crate::parse::dfa::matches_ip_literal;
pub use crate::parse::{At, private, refined};
pub use crate::reference::Sealed;
pub use crate::tables::is_scheme;
pub use crate::transform::{
    CharacterReference, CharacterReferences, DISALLOWED, Known, NoCharacter, SegmentDots, before,
    decoded_dots, default_port, dots, has_dot_segment, has_encoded_dot, in_refresh, push_as_iri,
    push_upper_triplets, push_without_as, rewrite_components, scheme_and_host, segments,
};

/// Returns a view of a text that matches the rule of its kind and has these components, as the caller knows.
#[must_use]
#[inline]
pub const fn view_of<K: Kind>(text: &str, parts: Parts) -> View<'_, K> {
    View::new(text, parts)
}

/// Returns the owner of a text that matches the rule of its kind and has these components, as the caller knows.
#[must_use]
#[inline]
pub const fn buf_of<K: Kind>(text: String, parts: Parts) -> Buf<K> {
    Buf::new(text, parts)
}

/// Returns the offsets of the components, without the reason where a text does not match.
#[must_use]
#[inline]
pub fn located(level: CpuLevel, rule: Rule, text: &[u8]) -> Option<Parts> {
    locate(level, rule, text).ok()
}

// Domain names and addresses: archive, judge, lint, text.
pub use crate::network::{addresses, ipv4, names, range};
pub use crate::transform::{DOMAIN_NAME, LABEL_DOTS, LONGEST_LABEL, Remembered};
#[cfg(feature = "idna")]
pub use crate::transform::{
    LONGEST_NAME, Question, is_domain, is_too_long, is_unchanged, mapped, to_ascii, to_unicode,
};

#[cfg(feature = "psl")]
pub use crate::transform::is_listed;

// Characters and their tables: lint, text.
#[cfg(feature = "charset")]
pub use crate::transform::{Oddity, composed, is_reordered, may_compose};
#[cfg(any(feature = "charset", feature = "idna"))]
pub use crate::versions::latest_assigned;
