//! What every type that holds a reference can do because it is a text: compare, hash, show, lend;
//! and the conversions to a kind that the text matches as well. Equality, order and hash are those
//! of the text, so that they agree with one another and with `str`.

use core::borrow::Borrow;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};

#[cfg(feature = "alloc")]
use super::kind::Kind;
#[cfg(feature = "alloc")]
use super::{Buf, Cow};
use super::{Checked, Text, View, kind};

macro_rules! impl_text {
    ([$($generics:tt)*] $type:ty, $($text:tt)+) => {
        impl<$($generics)*> AsRef<str> for $type {
            #[inline]
            fn as_ref(&self) -> &str { self.$($text)+ }
        }
        impl<$($generics)*> Borrow<str> for $type {
            #[inline]
            fn borrow(&self) -> &str { self.as_ref() }
        }
        impl<$($generics)*> PartialEq for $type {
            #[inline]
            fn eq(&self, other: &Self) -> bool { self.as_ref() == other.as_ref() }
        }
        impl<$($generics)*> Eq for $type {}
        impl<$($generics)*> PartialEq<str> for $type {
            #[inline]
            fn eq(&self, other: &str) -> bool { self.as_ref() == other }
        }
        impl<$($generics)*> PartialEq<&str> for $type {
            #[inline]
            fn eq(&self, other: &&str) -> bool { self.as_ref() == *other }
        }
        impl<$($generics)*> PartialOrd for $type {
            #[inline]
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> { Some(self.cmp(other)) }
        }
        impl<$($generics)*> Ord for $type {
            #[inline]
            fn cmp(&self, other: &Self) -> Ordering { self.as_ref().cmp(other.as_ref()) }
        }
        impl<$($generics)*> Hash for $type {
            #[inline]
            fn hash<H: Hasher>(&self, state: &mut H) { self.as_ref().hash(state) }
        }
        impl<$($generics)*> fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.pad(self.as_ref()) }
        }
    };
}

impl_text!([K] View<'_, K>, text);
#[cfg(feature = "alloc")]
impl_text!([K] Buf<K>, text.as_str());
#[cfg(feature = "alloc")]
impl_text!([K: Kind] Cow<'_, K>, as_str());
impl_text!([T: Text, K] Checked<T, K>, text.as_ref());

macro_rules! impl_widening {
    ($($from:ident => $to:ident),+) => {$(
        impl<'a> From<View<'a, kind::$from>> for View<'a, kind::$to> {
            #[inline]
            fn from(view: View<'a, kind::$from>) -> Self { Self::new(view.text, view.parts) }
        }
        #[cfg(feature = "alloc")]
        impl From<Buf<kind::$from>> for Buf<kind::$to> {
            #[inline]
            fn from(buf: Buf<kind::$from>) -> Self { Self::new(buf.text, buf.parts) }
        }
        impl<T: Text> From<Checked<T, kind::$from>> for Checked<T, kind::$to> {
            #[inline]
            fn from(checked: Checked<T, kind::$from>) -> Self { Self::new(checked.text) }
        }
    )+};
}

impl_widening!(
    Iri => IriReference, Uri => Iri, Uri => UriReference, Uri => IriReference,
    UriReference => IriReference
);
