//! The accessors of the view for every type that holds a reference. [`delegate`] writes methods for the owners. Each
//! method calls the method of [`View`] with the same name.

use super::kind::{self, Absolute, Kind};
use super::{Host, PathForm, Segments, View};

use crate::error::Component;
use crate::parse::Parts;

/// Gives every owner of a kind methods that call the method of its view with the same name.
macro_rules! delegate {
    (
        [$($generics:tt)*] $kind:ty;
        $methods:tt
    ) => {
        #[cfg(feature = "alloc")]
        crate::reference::delegate!(@ [$($generics)*] crate::reference::Buf<$kind>, "", $methods);
        #[cfg(feature = "alloc")]
        crate::reference::delegate!(@ [$($generics)*] crate::reference::Cow<'_, $kind>, "", $methods);
        crate::reference::delegate!(
            @ [T: crate::reference::Text, $($generics)*] crate::reference::Checked<T, $kind>,
            " Splits the text again, as every accessor of this type does: keep the view for several.",
            $methods
        );
    };
    (
        @ [$($generics:tt)*] $owner:ty, $cost:literal,
        { $($(#[$meta:meta])* $name:ident $([$($params:tt)*])? ($($arg:ident: $type:ty),*) -> $result:ty;)+ }
    ) => {
        impl<$($generics)*> $owner {$(
            #[doc = concat!("[`View::", stringify!($name), "`](crate::View::", stringify!($name),
                ") of [the view](Self::view).", $cost)]
            $(#[$meta])*
            #[inline]
            pub fn $name $(<$($params)*>)? (&self, $($arg: $type),*) -> $result {
                self.view().$name($($arg),*)
            }
        )+}
    };
}
pub(crate) use delegate;

delegate! {
    [K: Kind] K;
    {
        #[must_use] parts() -> Parts;
        #[must_use] scheme_opt() -> Option<&str>;
        #[must_use] has_scheme() -> bool;
        #[must_use] is_scheme(name: &str) -> bool;
        #[must_use] authority() -> Option<&str>;
        #[must_use] authority_ref() -> Option<View<'_, kind::IriReference>>;
        #[must_use] userinfo() -> Option<&str>;
        #[must_use] user() -> Option<&str>;
        #[must_use] password() -> Option<&str>;
        #[must_use] host_str() -> Option<&str>;
        #[must_use] host() -> Option<Host<'_>>;
        #[must_use] port() -> Option<&str>;
        #[must_use] port_u16() -> Option<u16>;
        #[must_use] path() -> &str;
        #[must_use] path_form() -> PathForm;
        #[must_use] segments() -> Segments<'_>;
        #[must_use] query() -> Option<&str>;
        #[must_use] fragment() -> Option<&str>;
        #[must_use] component(component: Component) -> Option<&str>;
        #[must_use] without_fragment() -> View<'_, K>;
        #[must_use] len() -> usize;
        #[must_use] is_empty() -> bool;
        #[must_use] is_absolute() -> bool;
        #[must_use] as_iri_ref() -> View<'_, kind::IriReference>;
    }
}

#[cfg(feature = "alloc")]
delegate! { [K: Kind] K; { #[must_use] to_buf() -> super::Buf<K>; } }

delegate! { [K: Absolute] K; { #[must_use] scheme() -> &str; } }
delegate! { [] kind::IriReference; { #[must_use] scheme() -> Option<&str>; } }
delegate! { [] kind::UriReference; { #[must_use] scheme() -> Option<&str>; } }
