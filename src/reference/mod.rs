//! Typed references: a text that is known to match a rule, and the offsets of its components.
//!
//! Here: the view with all accessors ([`View`]), the types that own or borrow a text ([`Buf`], [`Checked`], [`Mapped`]),
//! the kinds of reference ([`kind`]), and the values of components ([`Host`], [`Segments`], [`PathForm`]). Not here:
//! functions that make a new text.
//!
//! | | IRI | IRI reference | URI | URI reference |
//! | --- | --- | --- | --- | --- |
//! | a view, 48 bytes | [`Iri`] | [`IriRef`] | [`Uri`] | [`UriRef`] |
//! | its owner | [`IriBuf`] | [`IriRefBuf`] | [`UriBuf`] | [`UriRefBuf`] |
//! | a text alone, 16 bytes | [`IriStr`] | [`IriRefStr`] | [`UriStr`] | [`UriRefStr`] |
#![forbid(unsafe_code)]

mod buf;
mod checked;
mod component;
// `owned` uses the macros of this module, too.
#[macro_use]
mod convert;
mod formats;
#[cfg(feature = "http")]
mod http;
pub mod kind;
mod mapped;
mod owned;
mod owners;
#[cfg(feature = "serde")]
mod serde;
mod traits;
#[cfg(feature = "url")]
mod url;
mod view;

pub use buf::{Buf, IntoText};
pub use checked::{Checked, Text};
pub use component::{Host, PathForm, Segments};
pub use convert::sealed::Sealed;
pub use convert::{AsView, IntoView};
pub use formats::{is_iri, is_iri_reference, is_uri, is_uri_reference};
pub use mapped::Mapped;
pub use owned::{
    IriArc, IriBox, IriBuf, IriRefArc, IriRefBox, IriRefBuf, UriArc, UriBox, UriBuf, UriRefArc,
    UriRefBox, UriRefBuf,
};
pub(crate) use owners::delegate;
pub use view::View;

/// A view of an IRI: a borrowed text with a scheme, and the offsets of its components (RFC 3987, section 2.2).
///
/// ```
/// use simd_iri::{Base, Iri, Level};
///
/// let iri = Iri::parse("http://例え.jp/a/%7Eb?q=é#top")?;
/// assert_eq!((iri.host_str(), iri.path(), iri.query()), (Some("例え.jp"), "/a/%7Eb", Some("q=é")));
/// assert_eq!(iri.normalize(Level::Syntax.rules())?, "http://例え.jp/a/~b?q=é#top");
/// assert_eq!(Base::new(iri).resolve("../c")?, "http://例え.jp/c");
/// assert_eq!(Iri::parse("http://a/b c").unwrap_err().span(), 10..11);
/// # Ok::<(), simd_iri::Error>(())
/// ```
///
/// All methods are on the page of [`View`]. To keep an IRI without its text, make an [`IriBuf`] ([`View::to_buf`]); to
/// write an IRI into the program, use [`iri!`](crate::iri); for a reference such as `../c`, see [`IriRef`]. The [table
/// of tasks](crate#i-want-to) begins with what you want to do.
pub type Iri<'a> = View<'a, kind::Iri>;
/// A view of an `IRI-reference`: an IRI, or a reference relative to an IRI.
pub type IriRef<'a> = View<'a, kind::IriReference>;
/// A view of a `URI` (RFC 3986, appendix A): an IRI in ASCII.
pub type Uri<'a> = View<'a, kind::Uri>;
/// A view of a `URI-reference`.
pub type UriRef<'a> = View<'a, kind::UriReference>;

/// A text that is known to be an IRI, without the offsets of its components: 16 bytes, to store many.
///
/// ```
/// use simd_iri::{iri, thin::IriStr};
///
/// let links = [IriStr::parse("http://a.example/b")?, IriStr::from(iri!("urn:isbn:0451450523"))];
/// assert_eq!(links.map(|link| link.as_str().len()), [18, 19]);
/// let view = links[0].view();
/// assert_eq!((view.host_str(), view.path()), (Some("a.example"), "/b"));
/// # Ok::<(), simd_iri::Error>(())
/// ```
///
/// All methods are on the page of [`Checked`]. [`Checked::view`] finds the offsets again, and does not validate again.
/// For a text that has an owner, see [`IriBox`](crate::thin::IriBox) and [`IriArc`](crate::thin::IriArc).
pub type IriStr<'a> = Checked<&'a str, kind::Iri>;
/// A text that is an `IRI-reference`.
pub type IriRefStr<'a> = Checked<&'a str, kind::IriReference>;
/// A text that is a `URI`.
pub type UriStr<'a> = Checked<&'a str, kind::Uri>;
/// A text that is a `URI-reference`.
pub type UriRefStr<'a> = Checked<&'a str, kind::UriReference>;
