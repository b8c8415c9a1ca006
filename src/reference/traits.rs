//! The traits of text for every type that holds a reference: comparison, hash, display and borrowing. Equality, order
//! and hash are those of the text, so they agree with one another and with `str`.

use alloc::string::String;
use core::borrow::Borrow;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};

use super::kind::Kind;
use super::{Buf, Mapped};
use super::{Checked, Text, View};

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
        impl<$($generics)*> Eq for $type {}
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

impl_text!([K: Kind] View<'_, K>, text);
impl_text!([K: Kind] Buf<K>, text.as_str());
impl_text!([K: Kind] Mapped<'_, K>, as_str());
impl_text!([T: Text, K: Kind] Checked<T, K>, text.as_ref());

/// Implements equality with every type that holds a text, and equality of texts with it. References of different kinds
/// are equal if they have the same text.
macro_rules! impl_eq {
    (@ [$($generics:tt)*] $type:ty) => {
        impl<O: AsRef<str> + ?Sized, $($generics)*> PartialEq<O> for $type {
            #[inline]
            fn eq(&self, other: &O) -> bool { AsRef::<str>::as_ref(self) == other.as_ref() }
        }
    };
    (@ [$($generics:tt)*] $type:ty, $text:ty) => {
        impl<$($generics)*> PartialEq<$type> for $text {
            #[inline]
            fn eq(&self, other: &$type) -> bool { AsRef::<str>::as_ref(self) == other.as_ref() }
        }
    };
    ($($generics:tt $type:ty;)+) => {$(
        impl_eq!(@ $generics $type);
        impl_eq!(@ $generics $type, str);
        impl_eq!(@ $generics $type, &str);
        impl_eq!(@ $generics $type, String);
    )+};
}

impl_eq! {
    [K: Kind] View<'_, K>;
    [K: Kind] Buf<K>;
    [K: Kind] Mapped<'_, K>;
    [T: Text, K: Kind] Checked<T, K>;
}
