//! The accessors of the view for the owner, which has the offsets, too: [`delegate`] writes the methods. Each method
//! calls the method of [`View`] with the same name, and its comment is the first sentence of that method.

use super::kind::{self, HasScheme, Kind};
use super::{Host, PathForm, Segments, View};

use crate::error::Component;
use crate::parse::Parts;

/// Gives the owner of a kind methods that call the method of its view with the same name.
macro_rules! delegate {
    (
        [$($generics:tt)*] $kind:ty;
        { $($(#[$meta:meta])* $name:ident $([$($params:tt)*])? ($($arg:ident: $type:ty),*) -> $result:ty;)+ }
    ) => {
        impl<$($generics)*> crate::reference::Buf<$kind> {$(
            $(#[$meta])*
            #[doc = concat!("\n[`View::", stringify!($name), "`](crate::View::", stringify!($name),
                ") has an example and the details.")]
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
        /// Returns the byte offsets of the components.
        #[must_use] parts() -> Parts;
        /// Returns the `scheme` of a reference of any kind, without its colon, as it is written.
        #[must_use] scheme_opt() -> Option<&str>;
        /// Tells whether there is a scheme, so that the reference is an IRI and not relative to a base.
        #[must_use] has_scheme() -> bool;
        /// Tells whether there is no scheme, so that the reference is relative to a base (RFC 3986, section 4.2).
        #[must_use] is_relative() -> bool;
        /// Tells whether the scheme is `name`, in any case of its letters.
        #[must_use] is_scheme(name: &str) -> bool;
        /// Returns the `iauthority`, which holds userinfo, host and port, as it is written; `None` if it is absent.
        #[must_use] authority() -> Option<&str>;
        /// Returns the authority alone as a value: the reference `//authority`, which has the same userinfo, host and port,
        /// and nothing else: without a scheme, it has no default port.
        #[must_use] authority_ref() -> Option<View<'_, kind::IriReference>>;
        /// Returns the `iuserinfo`, without its `@`; `None` if it is absent.
        #[must_use] userinfo() -> Option<&str>;
        /// Returns the userinfo before its first colon; `None` if there is no userinfo.
        #[must_use] user() -> Option<&str>;
        /// Returns the userinfo after its first colon; `None` if there is no colon.
        #[must_use] password() -> Option<&str>;
        /// Returns the `ihost` as it is written, with the brackets of an `IP-literal`; `None` if there is no authority.
        #[must_use] host_str() -> Option<&str>;
        /// Returns the host as a value, an address or a name; `None` if there is no authority.
        #[must_use] host() -> Option<Host<'_>>;
        /// Returns the `port` as it is written, which may be empty; `None` if there is no colon after the host.
        #[must_use] port() -> Option<&str>;
        /// Returns the port as a number; `None` if it is absent, empty or greater than 65,535.
        #[must_use] port_u16() -> Option<u16>;
        /// Returns the `ipath`, which may be empty.
        #[must_use] path() -> &str;
        /// Returns the form of the path, one of the five forms of `ipath`.
        #[must_use] path_form() -> PathForm;
        /// Returns the segments of the path, in order.
        #[must_use] segments() -> Segments<'_>;
        /// Returns the `iquery`, without its question mark; `None` if it is absent.
        #[must_use] query() -> Option<&str>;
        /// Returns the `ifragment`, without its number sign; `None` if it is absent.
        #[must_use] fragment() -> Option<&str>;
        /// Returns a component, as it is written; `None` if it is absent.
        #[must_use] component(component: Component) -> Option<&str>;
        /// Returns this reference without its fragment.
        #[must_use] without_fragment() -> View<'_, K>;
        /// Returns the length of the text in bytes.
        #[must_use] len() -> usize;
        /// Tells whether the text is empty.
        #[must_use] is_empty() -> bool;
        /// Tells whether the text is an `absolute-IRI`: it has a scheme and no fragment (RFC 3986, section 4.3).
        #[must_use] is_absolute() -> bool;
        /// Returns the same text as an `IRI-reference`, which includes all other kinds.
        #[must_use] as_iri_ref() -> View<'_, kind::IriReference>;
    }
}

delegate! {
    [K: Kind] K;
    {
        /// Returns an owner of a copy of the text.
        #[must_use] to_buf() -> super::Buf<K>;
    }
}

delegate! {
    [K: HasScheme] K;
    {
        /// Returns the `scheme`, without its colon, as it is written.
        #[must_use] scheme() -> &str;
    }
}
delegate! {
    [] kind::IriReference;
    {
        /// Returns the `scheme`, without its colon, as it is written.
        #[must_use] scheme() -> Option<&str>;
    }
}
delegate! {
    [] kind::UriReference;
    {
        /// Returns the `scheme`, without its colon, as it is written.
        #[must_use] scheme() -> Option<&str>;
    }
}
