//! The methods of a view that transform it, for every type that owns a reference.
//!
//! Not here: the work of the methods, which the file of each method describes; and the methods that change components
//! (`edit`).

use alloc::borrow::Cow as Text;
use alloc::string::String;
use alloc::vec::Vec;

#[cfg(feature = "charset")]
use encoding_rs::Encoding;

use super::{
    DotSegment, Encoded, FileNameError, FormPairs, Level, Masked, Normalize, Origin, Pairs,
};
use crate::error::{Component, Error};
use crate::reference::kind::{Absolute, Kind};
use crate::reference::{AsView, Buf, Cow, View, delegate};

delegate! {
    [K: Kind] K;
    {
        to_uri() -> Result<Cow<'_, K::Uri>, Error>;
        #[must_use] to_iri() -> Cow<'_, K::Iri>;
        normalize(rules: Normalize) -> Result<Cow<'_, K>, Error>;
        #[must_use] is_equivalent(other: impl AsView, level: Level) -> bool;
        #[must_use] origin() -> Option<Origin>;
        #[must_use] is_same_origin(other: impl AsView) -> bool;
        #[must_use] encoded(component: Component) -> Encoded<Option<&str>>;
        #[must_use] encoded_path() -> Encoded<&str>;
        #[must_use] encoded_query() -> Encoded<Option<&str>>;
        #[must_use] encoded_fragment() -> Encoded<Option<&str>>;
        #[must_use] masked() -> Masked<'_>;
        #[must_use] port_or_default() -> Option<u16>;
        #[must_use] host_and_port() -> Option<(&str, u16)>;
        decoded_segments() -> impl DoubleEndedIterator<Item = Text<'_, str>> + Clone;
        #[must_use] query_pairs() -> Pairs<'_>;
        #[must_use] query_form() -> FormPairs<'_>;
        to_posix_path() -> Result<Vec<u8>, FileNameError>;
        to_windows_path() -> Result<String, FileNameError>;
    }
}

#[cfg(feature = "psl")]
delegate! { [K: Kind] K; { #[must_use] registrable_domain() -> Option<Text<'_, str>>; } }

delegate! {
    [K: Absolute] K;
    {
        resolve['r, R: TryInto<View<'r, K::Reference>, Error: Into<Error>>](reference: R)
            -> Result<Buf<K>, Error>;
        relativize(target: impl AsView<Kind = K>) -> Result<Buf<K::Reference>, DotSegment>;
    }
}

#[cfg(feature = "std")]
delegate! { [K: Kind] K; { to_file_path() -> Result<std::path::PathBuf, FileNameError>; } }

#[cfg(feature = "charset")]
delegate! {
    [K: Kind] K;
    {
        #[must_use] query_pairs_in(charset: &'static Encoding) -> Pairs<'_>;
        #[must_use] query_form_in(charset: &'static Encoding) -> FormPairs<'_>;
        to_posix_path_in(charset: &'static Encoding) -> Result<Vec<u8>, FileNameError>;
    }
}
