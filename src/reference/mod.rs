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
// `owned` uses the macros of this module, too.
#[macro_use]
mod convert;
#[cfg(feature = "alloc")]
mod cow;
mod formats;
#[cfg(feature = "http")]
mod http;
pub mod kind;
#[cfg(feature = "alloc")]
mod owned;
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
pub use convert::{AsView, IntoView};
#[cfg(feature = "alloc")]
pub use cow::Cow;
pub use formats::{is_iri, is_iri_reference, is_uri, is_uri_reference};
#[cfg(feature = "alloc")]
pub use owned::{
    IriArc, IriBox, IriBuf, IriRefArc, IriRefBox, IriRefBuf, UriArc, UriBox, UriBuf, UriRefArc,
    UriRefBox, UriRefBuf,
};
pub(crate) use owners::delegate;
pub use view::View;

/// A view of an `IRI` (RFC 3987, section 2.2).
pub type Iri<'a> = View<'a, kind::Iri>;
/// A view of an `IRI-reference`: an IRI, or a reference relative to an IRI.
pub type IriRef<'a> = View<'a, kind::IriReference>;
/// A view of a `URI` (RFC 3986, appendix A): an IRI in ASCII.
pub type Uri<'a> = View<'a, kind::Uri>;
/// A view of a `URI-reference`.
pub type UriRef<'a> = View<'a, kind::UriReference>;

/// A text that is an `IRI`.
pub type IriStr<'a> = Checked<&'a str, kind::Iri>;
/// A text that is an `IRI-reference`.
pub type IriRefStr<'a> = Checked<&'a str, kind::IriReference>;
/// A text that is a `URI`.
pub type UriStr<'a> = Checked<&'a str, kind::Uri>;
/// A text that is a `URI-reference`.
pub type UriRefStr<'a> = Checked<&'a str, kind::UriReference>;
