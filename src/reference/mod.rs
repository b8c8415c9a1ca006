//! Typed references: a text that is known to match a rule, and the offsets of its components.
//!
//! Here: the view with all accessors ([`View`]), the types that own or borrow a text ([`Buf`], [`Checked`], [`Cow`]),
//! the kinds of reference ([`kind`]), and the values of components ([`Host`], [`Segments`], [`PathForm`]). Not here:
//! functions that make a new text.
//!
//! | | IRI | IRI reference | URI | URI reference |
//! | --- | --- | --- | --- | --- |
//! | a view, 48 bytes | [`Iri`] | [`IriRef`] | [`Uri`] | [`UriRef`] |
//! | its owner | [`IriBuf`] | [`IriRefBuf`] | [`UriBuf`] | [`UriRefBuf`] |
//! | a text alone, 16 bytes | [`IriStr`] | [`IriRefStr`] | [`UriStr`] | [`UriRefStr`] |
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
mod buf;
mod checked;
mod component;
mod convert;
#[cfg(feature = "alloc")]
mod cow;
mod formats;
#[cfg(feature = "http")]
mod http;
pub mod kind;
mod owners;
#[cfg(feature = "serde")]
mod serde;
mod traits;
#[cfg(feature = "url")]
mod url;
mod view;

#[cfg(feature = "alloc")]
pub use buf::Buf;
pub use checked::{Checked, Text};
pub use component::{Host, PathForm, Segments};
pub use convert::IntoView;
#[cfg(feature = "alloc")]
pub use cow::Cow;
pub use formats::{is_iri, is_iri_reference, is_uri, is_uri_reference};
pub(crate) use owners::delegate;
#[cfg(all(feature = "serde", feature = "alloc"))]
pub(crate) use serde::serialize_name;
pub use view::View;

/// A view of an `IRI` (RFC 3987, section 2.2).
pub type Iri<'a> = View<'a, kind::Iri>;
/// A view of an `IRI-reference`: an IRI, or a reference relative to one.
pub type IriRef<'a> = View<'a, kind::IriReference>;
/// A view of a `URI` (RFC 3986, appendix A): an IRI in ASCII.
pub type Uri<'a> = View<'a, kind::Uri>;
/// A view of a `URI-reference`.
pub type UriRef<'a> = View<'a, kind::UriReference>;

/// An `IRI` that owns its text.
#[cfg(feature = "alloc")]
pub type IriBuf = Buf<kind::Iri>;
/// An `IRI-reference` that owns its text.
#[cfg(feature = "alloc")]
pub type IriRefBuf = Buf<kind::IriReference>;
/// A `URI` that owns its text.
#[cfg(feature = "alloc")]
pub type UriBuf = Buf<kind::Uri>;
/// A `URI-reference` that owns its text.
#[cfg(feature = "alloc")]
pub type UriRefBuf = Buf<kind::UriReference>;

/// A text that is an `IRI`.
pub type IriStr<'a> = Checked<&'a str, kind::Iri>;
/// A text that is an `IRI-reference`.
pub type IriRefStr<'a> = Checked<&'a str, kind::IriReference>;
/// A text that is a `URI`.
pub type UriStr<'a> = Checked<&'a str, kind::Uri>;
/// A text that is a `URI-reference`.
pub type UriRefStr<'a> = Checked<&'a str, kind::UriReference>;

/// An `IRI` in a box of 16 bytes.
#[cfg(feature = "alloc")]
pub type IriBox = Checked<alloc::boxed::Box<str>, kind::Iri>;
/// An `IRI-reference` in a box of 16 bytes.
#[cfg(feature = "alloc")]
pub type IriRefBox = Checked<alloc::boxed::Box<str>, kind::IriReference>;
/// A `URI` in a box of 16 bytes.
#[cfg(feature = "alloc")]
pub type UriBox = Checked<alloc::boxed::Box<str>, kind::Uri>;
/// A `URI-reference` in a box of 16 bytes.
#[cfg(feature = "alloc")]
pub type UriRefBox = Checked<alloc::boxed::Box<str>, kind::UriReference>;

/// A shared `IRI` of 16 bytes.
#[cfg(feature = "alloc")]
pub type IriArc = Checked<alloc::sync::Arc<str>, kind::Iri>;
/// A shared `IRI-reference` of 16 bytes.
#[cfg(feature = "alloc")]
pub type IriRefArc = Checked<alloc::sync::Arc<str>, kind::IriReference>;
/// A shared `URI` of 16 bytes.
#[cfg(feature = "alloc")]
pub type UriArc = Checked<alloc::sync::Arc<str>, kind::Uri>;
/// A shared `URI-reference` of 16 bytes.
#[cfg(feature = "alloc")]
pub type UriRefArc = Checked<alloc::sync::Arc<str>, kind::UriReference>;
