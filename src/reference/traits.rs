//! The traits of text for every type that holds a reference: comparison, hash, display and borrowing. Equality, order
//! and hash are those of the text, so they agree with one another and with `str`.

use alloc::{boxed::Box, string::String, sync::Arc};
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

/// Implements equality with another type that holds a text. `=>` is one direction; a comma is both directions.
macro_rules! impl_eq {
    ($([$($generics:tt)*] $one:ty => $other:ty;)+) => {$(
        impl<$($generics)*> PartialEq<$other> for $one {
            #[inline]
            fn eq(&self, other: &$other) -> bool {
                AsRef::<str>::as_ref(self) == AsRef::<str>::as_ref(other)
            }
        }
    )+};
    ($($generics:tt $one:ty, $($other:ty),+;)+) => {$($(
        impl_eq!($generics $one => $other;);
        impl_eq!($generics $other => $one;);
    )+)+};
}

// References of different kinds are equal if they have the same text.
impl_eq! {
    [J: Kind, K: Kind] View<'_, K> => View<'_, J>;
    [T: Text, U: Text, J: Kind, K: Kind] Checked<T, K> => Checked<U, J>;
}
impl_eq! {
    [T: Text, J: Kind, K: Kind] Checked<T, K>, View<'_, J>;
    [K: Kind] View<'_, K>, str, &str;
    [T: Text, K: Kind] Checked<T, K>, str, &str;
}
impl_eq! {
    [J: Kind, K: Kind] Buf<K> => Buf<J>;
    [J: Kind, K: Kind] Mapped<'_, K> => Mapped<'_, J>;
}
impl_eq! {
    [J: Kind, K: Kind] Buf<K>, View<'_, J>;
    [J: Kind, K: Kind] Mapped<'_, K>, View<'_, J>, Buf<J>;
    [T: Text, J: Kind, K: Kind] Checked<T, K>, Buf<J>;
    [T: Text, J: Kind, K: Kind] Checked<T, K>, Mapped<'_, J>;
    [K: Kind] Buf<K>, str, &str;
    [K: Kind] Mapped<'_, K>, str, &str;
    [K: Kind] View<'_, K>, String, alloc::borrow::Cow<'_, str>, Box<str>, Arc<str>;
    [K: Kind] Buf<K>, String, alloc::borrow::Cow<'_, str>, Box<str>, Arc<str>;
    [K: Kind] Mapped<'_, K>, String, alloc::borrow::Cow<'_, str>, Box<str>, Arc<str>;
    [T: Text, K: Kind] Checked<T, K>, String, alloc::borrow::Cow<'_, str>, Box<str>, Arc<str>;
}
