//! Owners of texts: their names, and conversions from them and to them. A conversion between references parses nothing,
//! and keeps the allocation of an owner where it can. Not here: conversions of borrowed texts (`convert`).

use alloc::{boxed::Box, string::String, sync::Arc};
use core::str::FromStr;

use super::convert::{AsView, matches, sealed};
use super::kind::{self, Kind};
use super::{Buf, Checked, Mapped, View};
use crate::error::{Error, InvalidText};

/// An IRI that owns its text, and the offsets of its components.
///
/// ```
/// use simd_iri::IriBuf;
///
/// let mut iri = IriBuf::parse("http://a.example/b?utm_source=c&q=d")?;
/// iri.drop_query_pairs(|name| name.starts_with("utm_"));
/// iri.push_segment("é")?;
/// assert_eq!(iri, "http://a.example/b/é?q=d");
/// assert_eq!(iri.host_str(), Some("a.example"));
/// assert_eq!(iri.to_uri()?, "http://a.example/b/%C3%A9?q=d");
/// # Ok::<(), simd_iri::Error>(())
/// ```
///
/// All methods are on the page of [`Buf`]: the methods of a view, and the methods that change an owner. To make an IRI
/// of components, use `IriBuf::builder` ([`Builder`](crate::Builder)). `IriBuf::try_from(string)` copies no text. A
/// function takes a view, [`Iri`](crate::Iri), which [`Buf::view`] returns.
pub type IriBuf = Buf<kind::Iri>;

/// An `IRI-reference` that owns its text.
pub type IriRefBuf = Buf<kind::IriReference>;

/// A `URI` that owns its text.
pub type UriBuf = Buf<kind::Uri>;

/// A `URI-reference` that owns its text.
pub type UriRefBuf = Buf<kind::UriReference>;

/// An `IRI` in a box of 16 bytes.
pub type IriBox = Checked<alloc::boxed::Box<str>, kind::Iri>;

/// An `IRI-reference` in a box of 16 bytes.
pub type IriRefBox = Checked<alloc::boxed::Box<str>, kind::IriReference>;

/// A `URI` in a box of 16 bytes.
pub type UriBox = Checked<alloc::boxed::Box<str>, kind::Uri>;

/// A `URI-reference` in a box of 16 bytes.
pub type UriRefBox = Checked<alloc::boxed::Box<str>, kind::UriReference>;

/// A shared `IRI` of 16 bytes.
pub type IriArc = Checked<alloc::sync::Arc<str>, kind::Iri>;

/// A shared `IRI-reference` of 16 bytes.
pub type IriRefArc = Checked<alloc::sync::Arc<str>, kind::IriReference>;

/// A shared `URI` of 16 bytes.
pub type UriArc = Checked<alloc::sync::Arc<str>, kind::Uri>;

/// A shared `URI-reference` of 16 bytes.
pub type UriRefArc = Checked<alloc::sync::Arc<str>, kind::UriReference>;

impl_view!([K: Kind] Buf<K>, view);
impl_view!([K: Kind] Mapped<'_, K>, view);

/// Converts a kind into a kind that includes all its texts.
macro_rules! impl_widening {
    ($($from:ident => $to:ident),+) => {$(
        impl From<Buf<kind::$from>> for Buf<kind::$to> {
            #[inline]
            fn from(buf: Buf<kind::$from>) -> Self { Self::new(buf.text, buf.parts) }
        }
        impl<'a> From<&'a Buf<kind::$from>> for View<'a, kind::$to> {
            #[inline]
            fn from(buf: &'a Buf<kind::$from>) -> Self { buf.view().into() }
        }
    )+};
}

each_wider!(impl_widening);

/// Converts a kind into a kind that includes only some of its texts. Parses only to find the reason of a failure.
macro_rules! impl_narrowing {
    ($($from:ident => $to:ident),+) => {$(
        impl TryFrom<Buf<kind::$from>> for Buf<kind::$to> {
            type Error = InvalidText<Buf<kind::$from>>;

            fn try_from(buf: Buf<kind::$from>) -> Result<Self, Self::Error> {
                match matches::<_, kind::$to>(buf.view()) {
                    Ok(()) => Ok(Self::new(buf.text, buf.parts)),
                    Err(error) => Err(InvalidText::new(error, buf)),
                }
            }
        }
        impl<'a> TryFrom<&'a Buf<kind::$from>> for View<'a, kind::$to> {
            type Error = Error;

            fn try_from(buf: &'a Buf<kind::$from>) -> Result<Self, Error> { buf.view().try_into() }
        }
    )+};
}

each_narrower!(impl_narrowing);

/// The empty reference (RFC 3986, section 4.4).
macro_rules! impl_default {
    ($($kind:ident),+) => {$(
        impl Default for Buf<kind::$kind> {
            fn default() -> Self { Self::new(String::new(), crate::parse::Parts::NONE) }
        }
    )+};
}

impl_default!(IriReference, UriReference);

/// Parses the text that a value of the standard library holds.
macro_rules! impl_parse_held {
    ($($held:ty),+) => {$(
        impl<'a, K: Kind> TryFrom<&'a $held> for View<'a, K> {
            type Error = Error;

            fn try_from(text: &'a $held) -> Result<Self, Error> {
                Self::parse(text)
            }
        }
    )+};
}
impl_parse_held!(String, Box<str>, alloc::borrow::Cow<'_, str>);

impl<K: Kind> TryFrom<&str> for Buf<K> {
    type Error = Error;

    fn try_from(text: &str) -> Result<Self, Error> {
        Self::parse(text)
    }
}

impl<K: Kind> TryFrom<&[u8]> for Buf<K> {
    type Error = Error;

    fn try_from(bytes: &[u8]) -> Result<Self, Error> {
        Self::parse_bytes(bytes)
    }
}

/// Converts one type that holds a reference into another, by the conversion of their texts.
macro_rules! impl_owner {
    ($($from:ty => $to:ty: |$value:ident| $made:expr;)+) => {$(
        impl<'a, K: Kind> From<$from> for $to {
            fn from($value: $from) -> Self { $made }
        }
    )+};
}

mod owners {
    use super::{Arc, Box, Buf, Checked, Kind, Mapped, String, View};

    type Shared<K> = Checked<Arc<str>, K>;
    type Boxed<K> = Checked<Box<str>, K>;
    type Text<'a> = alloc::borrow::Cow<'a, str>;

    impl_owner! {
        View<'a, K> => Buf<K>: |view| Buf::from_view(view);
        View<'a, K> => Mapped<'a, K>: |view| Self::Borrowed(view);
        View<'a, K> => Boxed<K>: |view| Self::new(Box::from(view.text));
        View<'a, K> => Shared<K>: |view| Self::new(Arc::from(view.text));
        View<'a, K> => String: |view| Self::from(view.text);

        Buf<K> => Mapped<'a, K>: |buf| Self::Owned(buf);
        Buf<K> => Boxed<K>: |buf| Self::new(buf.text.into_boxed_str());
        Buf<K> => Shared<K>: |buf| Self::new(Arc::from(buf.text));
        Buf<K> => String: |buf| buf.text;

        Boxed<K> => Buf<K>: |boxed| {
            // The box has no offsets. They are found before the text moves, and nothing is copied.
            let parts = boxed.view().parts();
            Self::new(String::from(boxed.text), parts)
        };

        Mapped<'a, K> => Buf<K>: |mapped| mapped.into_owned();
        Mapped<'a, K> => String: |mapped| mapped.into_owned().text;
    }

    impl<'a, K: Kind> From<Mapped<'a, K>> for Text<'a> {
        fn from(mapped: Mapped<'a, K>) -> Self {
            match mapped {
                Mapped::Borrowed(view) => Self::Borrowed(view.text),
                Mapped::Owned(buf) => Self::Owned(buf.text),
            }
        }
    }
}

/// Converts a text, which is parsed. If an owned text is not a reference, the error returns it.
macro_rules! impl_parse {
    ($($owner:ty),+) => {$(
        impl<K: Kind> FromStr for $owner {
            type Err = Error;

            fn from_str(text: &str) -> Result<Self, Error> { View::<K>::parse(text).map(Self::from) }
        }
        impl<K: Kind> TryFrom<String> for $owner {
            type Error = InvalidText<String>;

            fn try_from(text: String) -> Result<Self, Self::Error> {
                match View::<K>::parse(&text) {
                    Ok(view) => {
                        // The offsets count the bytes of the text. So they stay right when the text moves to its new
                        // owner.
                        let parts = view.parts;
                        Ok(Buf::<K>::new(text, parts).into())
                    }
                    Err(error) => Err(InvalidText::new(error, text)),
                }
            }
        }
    )+};
}

impl_parse!(Buf<K>, Checked<Box<str>, K>, Checked<Arc<str>, K>);

impl<K: Kind> TryFrom<Arc<str>> for Checked<Arc<str>, K> {
    type Error = InvalidText<Arc<str>>;

    fn try_from(text: Arc<str>) -> Result<Self, Self::Error> {
        match View::<K>::parse(&text) {
            Ok(_) => Ok(Self::new(text)),
            Err(error) => Err(InvalidText::new(error, text)),
        }
    }
}
