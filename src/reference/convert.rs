//! Conversions: between the types that hold a reference, between the kinds of reference, and between references
//! and the strings of the standard library. A conversion between references parses nothing, except to find the reason
//! of a failure. Not here: conversions of owned texts (`owned`).

use super::kind::{self, Kind};
use super::{Checked, Text, View};
use crate::error::Error;
use crate::parse::SchemeRule;
use crate::scan::is_ascii;

/// The types that hold a reference: a view, an owner, and Rust references to these. A function takes such an argument
/// if its result borrows nothing from the argument. Sealed.
///
/// ```
/// use simd_iri::{IriBuf, convert::AsView, iri};
///
/// fn path_length(reference: impl AsView) -> usize {
///     reference.as_view().path().len()
/// }
/// let owner = IriBuf::from(iri!("a:b"));
/// assert_eq!((path_length(&owner), path_length(owner), path_length(iri!("c:de"))), (1, 1, 2));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not hold a parsed reference",
    label = "not a view and not an owner of a reference",
    note = "parse a text first: `Iri::parse(text)?`, `IriRef::parse(text)?`, `Uri::parse(text)?` or `UriRef::parse(text)?`"
)]
pub trait AsView: sealed::Sealed {
    /// The kind of the reference.
    type Kind: Kind;

    /// Returns the view, which borrows from this value.
    ///
    /// ```
    /// # use simd_iri::{IriBuf, convert::AsView};
    /// assert_eq!(IriBuf::parse("a:b")?.as_view().path(), "b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    fn as_view(&self) -> View<'_, Self::Kind>;
}

/// The types that can be borrowed as a view: a view, a text without offsets, such as [`IriStr`](crate::thin::IriStr), and a
/// Rust reference to an owner. A function takes such an argument if its result may borrow from the argument. Sealed.
///
/// ```
/// use simd_iri::{IriBuf, convert::IntoView, iri};
///
/// fn path<'a>(reference: impl IntoView<'a>) -> &'a str {
///     reference.into_view().path()
/// }
/// let owner = IriBuf::from(iri!("a:b"));
/// assert_eq!((path(&owner), path(iri!("c:d"))), ("b", "d"));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be borrowed as a reference",
    label = "not a view, and not a Rust reference to an owner",
    note = "borrow an owner: `&owner`",
    note = "parse a text first: `Iri::parse(text)?`, `IriRef::parse(text)?`, `Uri::parse(text)?` or `UriRef::parse(text)?`"
)]
pub trait IntoView<'a>: sealed::Sealed {
    /// The kind of the reference.
    type Kind: Kind;

    /// Returns the view.
    ///
    /// ```
    /// # use simd_iri::{IriBuf, convert::IntoView};
    /// assert_eq!((&IriBuf::parse("a:b")?).into_view().path(), "b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    fn into_view(self) -> View<'a, Self::Kind>;
}

pub(crate) mod sealed {
    /// A type of this crate, or of a crate beside it.
    pub trait Sealed {}
}

impl<'a, K: Kind> IntoView<'a> for View<'a, K> {
    type Kind = K;

    #[inline]
    fn into_view(self) -> Self {
        self
    }
}

impl<'a, K: Kind> IntoView<'a> for Checked<&'a str, K> {
    type Kind = K;

    #[inline]
    fn into_view(self) -> View<'a, K> {
        View::split(self.text)
    }
}

impl<'a, T: AsView> IntoView<'a> for &'a T {
    type Kind = T::Kind;

    #[inline]
    fn into_view(self) -> View<'a, T::Kind> {
        self.as_view()
    }
}

impl<T: AsView + ?Sized> sealed::Sealed for &T {}
impl<T: AsView + ?Sized> AsView for &T {
    type Kind = T::Kind;

    #[inline]
    fn as_view(&self) -> View<'_, T::Kind> {
        T::as_view(self)
    }
}

/// As `dedup_by` of a `Vec` gives its items.
impl<T: AsView + ?Sized> sealed::Sealed for &mut T {}
impl<T: AsView + ?Sized> AsView for &mut T {
    type Kind = T::Kind;

    #[inline]
    fn as_view(&self) -> View<'_, T::Kind> {
        T::as_view(self)
    }
}

/// Converts a reference to a type that holds a reference into a view.
macro_rules! impl_view {
    ([$($generics:tt)*] $owner:ty, $view:ident) => {
        impl<$($generics)*> sealed::Sealed for $owner {}
        impl<$($generics)*> AsView for $owner {
            type Kind = K;

            #[inline]
            fn as_view(&self) -> View<'_, K> { self.$view() }
        }
        impl<'a, $($generics)*> From<&'a $owner> for View<'a, K> {
            #[inline]
            fn from(owner: &'a $owner) -> Self { owner.$view() }
        }
    };
}

impl_view!([K: Kind] View<'_, K>, clone);
impl_view!([T: Text, K: Kind] Checked<T, K>, view);

/// Converts a kind into a kind that includes all its texts.
macro_rules! impl_widening {
    ($($from:ident => $to:ident),+) => {$(
        impl<'a> From<View<'a, kind::$from>> for View<'a, kind::$to> {
            #[inline]
            fn from(view: View<'a, kind::$from>) -> Self { Self::new(view.text, view.parts) }
        }
        impl<T: Text> From<Checked<T, kind::$from>> for Checked<T, kind::$to> {
            #[inline]
            fn from(checked: Checked<T, kind::$from>) -> Self { Self::new(checked.text) }
        }
    )+};
}

/// Calls a macro with each kind and a kind that includes all its texts.
macro_rules! each_wider {
    ($make:ident) => {
        $make!(
            Iri => IriReference, Uri => Iri, Uri => UriReference, Uri => IriReference,
            UriReference => IriReference
        );
    };
}
each_wider!(impl_widening);

/// Checks that the text of a reference matches the rule of another kind. Kinds differ in whether a scheme is required,
/// and in whether characters outside ASCII are allowed.
pub(super) fn matches<J: Kind, K: Kind>(view: View<'_, J>) -> Result<(), Error> {
    // An `Iri` needs a scheme, a `UriReference` needs only ASCII, and a `Uri` needs both. Besides, the four kinds have
    // one grammar. So two quick tests replace a parse.
    let has_scheme = view.has_scheme() || K::RULE.scheme() != SchemeRule::Required;
    if has_scheme && (!K::RULE.ascii_only() || is_ascii(view.text)) {
        return Ok(());
    }
    // The parser finds the reason.
    View::<K>::parse(view.text).map(drop)
}

/// Converts a kind into a kind that includes only some of its texts. Parses only to find the reason of a failure.
macro_rules! impl_narrowing {
    ($($from:ident => $to:ident),+) => {$(
        impl<'a> TryFrom<View<'a, kind::$from>> for View<'a, kind::$to> {
            type Error = Error;

            fn try_from(view: View<'a, kind::$from>) -> Result<Self, Error> {
                matches::<_, kind::$to>(view).map(|()| Self::new(view.text, view.parts))
            }
        }
    )+};
}

/// Calls a macro with each kind and a kind that includes only some of its texts.
macro_rules! each_narrower {
    ($make:ident) => {
        $make!(
            IriReference => Iri, IriReference => UriReference, IriReference => Uri, Iri => Uri,
            Iri => UriReference, UriReference => Uri, UriReference => Iri
        );
    };
}
each_narrower!(impl_narrowing);

impl<'a, K: Kind> From<View<'a, K>> for &'a str {
    #[inline]
    fn from(view: View<'a, K>) -> Self {
        view.text
    }
}

impl<'a, K: Kind> From<Checked<&'a str, K>> for View<'a, K> {
    #[inline]
    fn from(checked: Checked<&'a str, K>) -> Self {
        checked.into_view()
    }
}

impl<'a, K: Kind> From<Checked<&'a str, K>> for &'a str {
    #[inline]
    fn from(checked: Checked<&'a str, K>) -> Self {
        checked.text
    }
}

/// The empty reference (RFC 3986, section 4.4).
macro_rules! impl_default {
    ($($kind:ident),+) => {$(
        impl Default for View<'_, kind::$kind> {
            fn default() -> Self { Self::new("", crate::parse::Parts::NONE) }
        }
    )+};
}

impl_default!(IriReference, UriReference);
