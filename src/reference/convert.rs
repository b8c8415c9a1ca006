//! Conversions: between the types that hold a reference, between the kinds of reference, and between references
//! and the strings of the standard library. A conversion between references parses nothing, and keeps the
//! allocation of an owner where it can.

#[cfg(feature = "alloc")]
use alloc::{boxed::Box, string::String, sync::Arc};
#[cfg(feature = "alloc")]
use core::str::FromStr;

use super::kind::{self, Kind};
#[cfg(feature = "alloc")]
use super::{Buf, Cow};
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

mod sealed {
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

#[cfg(feature = "alloc")]
impl_view!([K: Kind] Buf<K>);
#[cfg(feature = "alloc")]
impl_view!([K: Kind] Cow<'_, K>);
impl_view!([T: Text, K: Kind] Checked<T, K>);

/// Converts a kind into one that includes all its texts.
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
        #[cfg(feature = "alloc")]
        impl From<Buf<kind::$from>> for Buf<kind::$to> {
            #[inline]
            fn from(buf: Buf<kind::$from>) -> Self { Self::new(buf.text, buf.parts) }
        }
        #[cfg(feature = "alloc")]
        impl<'a> From<&'a Buf<kind::$from>> for View<'a, kind::$to> {
            #[inline]
            fn from(buf: &'a Buf<kind::$from>) -> Self { buf.view().into() }
        }
        #[cfg(feature = "alloc")]
        impl From<View<'_, kind::$from>> for Buf<kind::$to> {
            fn from(view: View<'_, kind::$from>) -> Self { Buf::from_view(view.into()) }
        }
        #[cfg(feature = "alloc")]
        impl<'a> From<Cow<'a, kind::$from>> for Cow<'a, kind::$to> {
            fn from(cow: Cow<'a, kind::$from>) -> Self {
                match cow {
                    Cow::Borrowed(view) => Self::Borrowed(view.into()),
                    Cow::Owned(buf) => Self::Owned(buf.into()),
                }
            }
        }
        #[cfg(feature = "alloc")]
        impl<'a> From<&'a Cow<'_, kind::$from>> for View<'a, kind::$to> {
            fn from(cow: &'a Cow<'_, kind::$from>) -> Self { cow.view().into() }
        }
        #[cfg(feature = "alloc")]
        impl From<Cow<'_, kind::$from>> for Buf<kind::$to> {
            fn from(cow: Cow<'_, kind::$from>) -> Self { cow.into_buf().into() }
        }
    )+};
}

impl_widening!(
    Iri => IriReference, Uri => Iri, Uri => UriReference, Uri => IriReference,
    UriReference => IriReference
);

/// Checks that the text of a reference matches the rule of another kind. Kinds differ in whether a scheme is required,
/// and in whether characters outside ASCII are allowed.
fn matches<J: Kind, K: Kind>(view: View<'_, J>) -> Result<(), Error> {
    let has_scheme = view.has_scheme() || K::RULE.scheme() != SchemeRule::Required;
    if has_scheme && (!K::RULE.ascii_only() || is_ascii(view.text)) {
        return Ok(());
    }
    // Finds the reason.
    View::<K>::parse(view.text).map(drop)
}

/// Converts a kind into one that includes only some of its texts. Parses only to find the reason of a failure.
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
        #[cfg(feature = "alloc")]
        impl TryFrom<Buf<kind::$from>> for Buf<kind::$to> {
            type Error = InvalidText<Buf<kind::$from>>;

            fn try_from(buf: Buf<kind::$from>) -> Result<Self, Self::Error> {
                match matches::<_, kind::$to>(buf.view()) {
                    Ok(()) => Ok(Self::new(buf.text, buf.parts)),
                    Err(error) => Err(InvalidText::new(error, buf)),
                }
            }
        }
        #[cfg(feature = "alloc")]
        impl TryFrom<View<'_, kind::$from>> for Buf<kind::$to> {
            type Error = Error;

            fn try_from(view: View<'_, kind::$from>) -> Result<Self, Error> {
                View::<kind::$to>::try_from(view).map(Buf::from_view)
            }
        }
        #[cfg(feature = "alloc")]
        impl<'a> TryFrom<&'a Buf<kind::$from>> for View<'a, kind::$to> {
            type Error = Error;

            fn try_from(buf: &'a Buf<kind::$from>) -> Result<Self, Error> { buf.view().try_into() }
        }
        #[cfg(feature = "alloc")]
        impl<'a> TryFrom<Cow<'a, kind::$from>> for Cow<'a, kind::$to> {
            type Error = InvalidText<Cow<'a, kind::$from>>;

            fn try_from(cow: Cow<'a, kind::$from>) -> Result<Self, Self::Error> {
                match (matches::<_, kind::$to>(cow.view()), cow) {
                    (Err(error), cow) => Err(InvalidText::new(error, cow)),
                    (Ok(()), Cow::Borrowed(view)) => {
                        Ok(Self::Borrowed(View::new(view.text, view.parts)))
                    }
                    (Ok(()), Cow::Owned(buf)) => Ok(Self::Owned(Buf::new(buf.text, buf.parts))),
                }
            }
        }
    )+};
}

impl_narrowing!(
    IriReference => Iri, IriReference => UriReference, IriReference => Uri, Iri => Uri,
    Iri => UriReference, UriReference => Uri, UriReference => Iri
);

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

#[cfg(feature = "alloc")]
impl<'a, K: Kind> TryFrom<&'a String> for View<'a, K> {
    type Error = Error;

    fn try_from(text: &'a String) -> Result<Self, Error> {
        Self::parse(text)
    }
}

#[cfg(feature = "alloc")]
impl<'a, K: Kind> TryFrom<&'a String> for Checked<&'a str, K> {
    type Error = Error;

    fn try_from(text: &'a String) -> Result<Self, Error> {
        Self::parse(text)
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
        #[cfg(feature = "alloc")]
        impl Default for Buf<kind::$kind> {
            fn default() -> Self { Self::new(String::new(), crate::parse::Parts::NONE) }
        }
        #[cfg(feature = "alloc")]
        impl Default for Cow<'_, kind::$kind> {
            fn default() -> Self { Self::Borrowed(View::default()) }
        }
        #[cfg(feature = "alloc")]
        impl Default for Checked<Box<str>, kind::$kind> {
            fn default() -> Self { View::default().into() }
        }
        #[cfg(feature = "alloc")]
        impl Default for Checked<Arc<str>, kind::$kind> {
            fn default() -> Self { View::default().into() }
        }
    )+};
}

impl_default!(IriReference, UriReference);

/// Converts one type that holds a reference into another, by the conversion of their texts.
#[cfg(feature = "alloc")]
macro_rules! impl_owner {
    ($($from:ty => $to:ty: |$value:ident| $made:expr;)+) => {$(
        impl<'a, K: Kind> From<$from> for $to {
            fn from($value: $from) -> Self { $made }
        }
    )+};
}

#[cfg(feature = "alloc")]
mod owners {
    use super::{Arc, Box, Buf, Checked, Cow, Kind, String, View};

    type Shared<K> = Checked<Arc<str>, K>;
    type Boxed<K> = Checked<Box<str>, K>;
    type Thin<'a, K> = Checked<&'a str, K>;
    type Text<'a> = alloc::borrow::Cow<'a, str>;

    impl_owner! {
        View<'a, K> => Buf<K>: |view| Buf::from_view(view);
        View<'a, K> => Cow<'a, K>: |view| Self::Borrowed(view);
        View<'a, K> => Boxed<K>: |view| Self::new(Box::from(view.text));
        View<'a, K> => Shared<K>: |view| Self::new(Arc::from(view.text));
        View<'a, K> => String: |view| Self::from(view.text);
        View<'a, K> => Box<str>: |view| Self::from(view.text);
        View<'a, K> => Arc<str>: |view| Self::from(view.text);
        View<'a, K> => Text<'a>: |view| Self::Borrowed(view.text);

        Thin<'a, K> => Buf<K>: |thin| Buf::from_view(thin.view());
        Thin<'a, K> => Cow<'a, K>: |thin| Self::Borrowed(thin.into_view());
        Thin<'a, K> => Boxed<K>: |thin| Self::new(Box::from(thin.text));
        Thin<'a, K> => Shared<K>: |thin| Self::new(Arc::from(thin.text));
        Thin<'a, K> => String: |thin| Self::from(thin.text);

        Buf<K> => Cow<'a, K>: |buf| Self::Owned(buf);
        Buf<K> => Boxed<K>: |buf| Self::new(buf.text.into_boxed_str());
        Buf<K> => Shared<K>: |buf| Self::new(Arc::from(buf.text));
        Buf<K> => String: |buf| buf.text;
        Buf<K> => Box<str>: |buf| buf.text.into_boxed_str();
        Buf<K> => Arc<str>: |buf| Self::from(buf.text);
        Buf<K> => Text<'a>: |buf| Self::Owned(buf.text);
        &'a Buf<K> => Cow<'a, K>: |buf| Self::Borrowed(buf.view());
        &'a Buf<K> => Thin<'a, K>: |buf| buf.view().into();
        &'a Buf<K> => Boxed<K>: |buf| buf.view().into();
        &'a Buf<K> => Shared<K>: |buf| buf.view().into();

        Boxed<K> => Buf<K>: |boxed| {
            let parts = boxed.parts();
            Self::new(String::from(boxed.text), parts)
        };
        Boxed<K> => Cow<'a, K>: |boxed| Self::Owned(boxed.into());
        Boxed<K> => Shared<K>: |boxed| Self::new(Arc::from(boxed.text));
        Boxed<K> => String: |boxed| Self::from(boxed.text);
        Boxed<K> => Box<str>: |boxed| boxed.text;
        &'a Boxed<K> => Thin<'a, K>: |boxed| Self::new(&boxed.text);

        Shared<K> => Buf<K>: |shared| Buf::from_view(shared.view());
        Shared<K> => Cow<'a, K>: |shared| Self::Owned(shared.into());
        Shared<K> => Boxed<K>: |shared| Self::new(Box::from(&*shared.text));
        Shared<K> => String: |shared| Self::from(&*shared.text);
        Shared<K> => Arc<str>: |shared| shared.text;
        &'a Shared<K> => Thin<'a, K>: |shared| Self::new(&shared.text);

        Cow<'a, K> => Buf<K>: |cow| cow.into_buf();
        Cow<'a, K> => Boxed<K>: |cow| cow.into_buf().into();
        Cow<'a, K> => Shared<K>: |cow| Self::from(cow.view());
        Cow<'a, K> => String: |cow| cow.into_buf().text;
        &'a Cow<'_, K> => Thin<'a, K>: |cow| cow.view().into();
    }

    impl<'a, K: Kind> From<Cow<'a, K>> for Text<'a> {
        fn from(cow: Cow<'a, K>) -> Self {
            match cow {
                Cow::Borrowed(view) => Self::Borrowed(view.text),
                Cow::Owned(buf) => Self::Owned(buf.text),
            }
        }
    }
}

/// Converts a text, which is parsed. If an owned text is not a reference, the error returns it.
#[cfg(feature = "alloc")]
macro_rules! impl_parse {
    ($($owner:ty: $($text:ty),+;)+) => {$(
        impl<K: Kind> FromStr for $owner {
            type Err = Error;

            fn from_str(text: &str) -> Result<Self, Error> { View::<K>::parse(text).map(Self::from) }
        }
        impl<K: Kind> TryFrom<&str> for $owner {
            type Error = Error;

            fn try_from(text: &str) -> Result<Self, Error> { text.parse() }
        }
        impl<K: Kind> TryFrom<&String> for $owner {
            type Error = Error;

            fn try_from(text: &String) -> Result<Self, Error> { text.parse() }
        }
        impl<K: Kind> TryFrom<&[u8]> for $owner {
            type Error = Error;

            fn try_from(bytes: &[u8]) -> Result<Self, Error> {
                View::<K>::parse_bytes(bytes).map(Self::from)
            }
        }
        $(
        impl<'a, K: Kind> TryFrom<$text> for $owner {
            type Error = InvalidText<$text>;

            fn try_from(text: $text) -> Result<Self, Self::Error> {
                match View::<K>::parse(&text) {
                    Ok(view) => {
                        let parts = view.parts;
                        Ok(Buf::<K>::new(text.into(), parts).into())
                    }
                    Err(error) => Err(InvalidText::new(error, text)),
                }
            }
        }
        )+
    )+};
}

#[cfg(feature = "alloc")]
impl_parse! {
    Buf<K>: String, Box<str>, alloc::borrow::Cow<'a, str>;
    Checked<Box<str>, K>: String, Box<str>, alloc::borrow::Cow<'a, str>;
    Checked<Arc<str>, K>: String, Box<str>, alloc::borrow::Cow<'a, str>;
}

#[cfg(feature = "alloc")]
impl<K: Kind> TryFrom<Arc<str>> for Checked<Arc<str>, K> {
    type Error = InvalidText<Arc<str>>;

    fn try_from(text: Arc<str>) -> Result<Self, Self::Error> {
        match View::<K>::parse(&text) {
            Ok(_) => Ok(Self::new(text)),
            Err(error) => Err(InvalidText::new(error, text)),
        }
    }
}

#[cfg(feature = "alloc")]
impl<'a, K: Kind> TryFrom<&'a str> for Cow<'a, K> {
    type Error = Error;

    fn try_from(text: &'a str) -> Result<Self, Error> {
        View::parse(text).map(Self::Borrowed)
    }
}

#[cfg(feature = "alloc")]
impl<K: Kind> TryFrom<String> for Cow<'_, K> {
    type Error = InvalidText<String>;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Buf::try_from(text).map(Self::Owned)
    }
}

#[cfg(feature = "alloc")]
impl<'a, K: Kind> TryFrom<alloc::borrow::Cow<'a, str>> for Cow<'a, K> {
    type Error = InvalidText<alloc::borrow::Cow<'a, str>>;

    fn try_from(text: alloc::borrow::Cow<'a, str>) -> Result<Self, Self::Error> {
        match text {
            alloc::borrow::Cow::Borrowed(text) => {
                Self::try_from(text).map_err(|error| InvalidText::new(error, text.into()))
            }
            alloc::borrow::Cow::Owned(text) => Self::try_from(text)
                .map_err(|refused| InvalidText::new(refused.error(), refused.into_text().into())),
        }
    }
}
