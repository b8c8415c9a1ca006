//! Conversions: between the types that hold a reference, between the kinds of reference, and between references
//! and the strings of the standard library. A conversion between references parses nothing, except to find the reason
//! of a failure. Not here: conversions of owned texts (`owned`).

use super::kind::{self, Kind};
use super::{Checked, Text, View};
use crate::error::{Error, InvalidText};
use crate::parse::SchemeRule;
use crate::scan::is_ascii;

/// The types that can be borrowed as a view: a view, and a Rust reference to an owner. Sealed.
///
/// ```
/// use simd_iri::{IntoView, IriBuf, iri};
///
/// fn path<'a>(reference: impl IntoView<'a>) -> &'a str {
///     reference.into_view().path()
/// }
/// let owner = IriBuf::from(iri!("a:b"));
/// assert_eq!((path(&owner), path(iri!("c:d"))), ("b", "d"));
/// ```
pub trait IntoView<'a>: sealed::Sealed {
    /// The kind of the reference.
    type Kind: Kind;

    /// Returns the view.
    fn into_view(self) -> View<'a, Self::Kind>;
}

pub(super) mod sealed {
    pub trait Sealed {}
}

impl<K> sealed::Sealed for View<'_, K> {}
impl<'a, K: Kind> IntoView<'a> for View<'a, K> {
    type Kind = K;

    fn into_view(self) -> Self {
        self
    }
}

/// Converts a reference to an owner into its view.
macro_rules! impl_view {
    ([$($generics:tt)*] $owner:ty) => {
        impl<$($generics)*> sealed::Sealed for &$owner {}
        impl<'a, $($generics)*> IntoView<'a> for &'a $owner {
            type Kind = K;

            fn into_view(self) -> View<'a, K> { self.view() }
        }
        impl<'a, $($generics)*> From<&'a $owner> for View<'a, K> {
            #[inline]
            fn from(owner: &'a $owner) -> Self { owner.view() }
        }
    };
}

impl_view!([T: Text, K: Kind] Checked<T, K>);

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
        impl<'a, T: Text> From<&'a Checked<T, kind::$from>> for View<'a, kind::$to> {
            #[inline]
            fn from(checked: &'a Checked<T, kind::$from>) -> Self { checked.view().into() }
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
        impl<T: Text> TryFrom<Checked<T, kind::$from>> for Checked<T, kind::$to> {
            type Error = InvalidText<Checked<T, kind::$from>>;

            fn try_from(checked: Checked<T, kind::$from>) -> Result<Self, Self::Error> {
                match matches::<_, kind::$to>(checked.view()) {
                    Ok(()) => Ok(Self::new(checked.text)),
                    Err(error) => Err(InvalidText::new(error, checked)),
                }
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
        impl Default for Checked<&str, kind::$kind> {
            fn default() -> Self { View::default().into() }
        }
    )+};
}

impl_default!(IriReference, UriReference);
