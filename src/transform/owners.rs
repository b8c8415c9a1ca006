//! The methods of a view that transform it, for the owner of a reference.
//!
//! Not here: the work of the methods, which the file of each method describes; and the methods that change components
//! (`edit`).

use alloc::borrow::Cow as Text;
use alloc::string::String;
use alloc::vec::Vec;

#[cfg(feature = "charset")]
use encoding_rs::Encoding;

use super::build::query::{FormPairs, Pairs, QueryPair};
use super::{DotSegment, Encoded, FileNameError, Level, Masked, Normalize, Origin};
use crate::error::{Component, Error};
use crate::reference::kind::{HasScheme, Kind};
use crate::reference::{AsView, Buf, Mapped, View, delegate};

delegate! {
    [K: Kind] K;
    {
        /// Maps this reference to a URI (RFC 3987, section 3.1): each character outside ASCII becomes the triplets of
        /// its UTF-8 octets, and nothing else changes.
        to_uri() -> Result<Mapped<'_, K::Uri>, Error>;
        /// Maps this reference, usually a URI, to an IRI (RFC 3987, section 3.2): triplets become characters if they
        /// are UTF-8 and the result means the same.
        #[must_use] to_iri() -> Mapped<'_, K::Iri>;
        /// Returns the normal form of this reference by a set of [`Normalize`] rules.
        normalize(rules: impl Into<Normalize>) -> Result<Mapped<'_, K>, Error>;
        /// Tells whether this and another reference are equivalent at a comparison level.
        #[must_use] is_equivalent(other: impl AsView, level: Level) -> bool;
        /// Returns the origin (RFC 6454, section 4): the scheme, the host, and the port, or the default port of the
        /// scheme.
        #[must_use] origin() -> Option<Origin>;
        /// Tells whether this reference and another have the same origin (RFC 6454, section 5).
        #[must_use] is_same_origin(other: impl AsView) -> bool;
        /// Returns a component as a value for a [`Builder`](crate::Builder), a `with_` method or a `set_` method, which
        /// copies it as it is written: its triplets are not encoded again.
        #[must_use] encoded(component: Component) -> Encoded<Option<&str>>;
        /// Returns the path as a value that a `with_` or `set_` method copies as it is written.
        #[must_use] encoded_path() -> Encoded<&str>;
        /// Returns the query as a value that a `with_` or `set_` method copies as it is written.
        #[must_use] encoded_query() -> Encoded<Option<&str>>;
        /// Returns the fragment as a value that a `with_` or `set_` method copies as it is written.
        #[must_use] encoded_fragment() -> Encoded<Option<&str>>;
        /// Returns the text with `***` in place of the password, for logs.
        #[must_use] masked() -> Masked<'_>;
        /// Returns the port as a number; if it is absent or empty, the default port of the scheme, such as 443 for
        /// `https`.
        #[must_use] port_or_default() -> Option<u16>;
        /// Returns the host and the port for a connection: the host without brackets, and [`View::port_or_default`].
        #[must_use] host_and_port() -> Option<(&str, u16)>;
        /// Returns the segments of the path, in order, with their triplets decoded.
        decoded_segments() -> impl DoubleEndedIterator<Item = Text<'_, str>> + Clone;
        /// Returns the pairs of the query.
        #[must_use] query_pairs() -> Pairs<'_>;
        /// Returns the pairs of the query by the convention of HTML forms: a plus sign is a space.
        #[must_use] query_form() -> FormPairs<'_>;
        /// Returns the decoded value of the first of [`query_pairs`](View::query_pairs) that has this decoded name.
        #[must_use] query_value(name: &str) -> Option<Text<'_, str>>;
        /// Returns the decoded values of all [`query_pairs`](View::query_pairs) that have this decoded name, in order.
        query_values(name: &str) -> impl Iterator<Item = Text<'_, str>> + Clone;
        /// Returns this reference with a query of pairs, as [`Builder::query_pairs`](crate::Builder::query_pairs) writes
        /// them; without pairs, there is no query.
        with_query_pairs[P: QueryPair](pairs: impl IntoIterator<Item = P>) -> Result<Buf<K>, Error>;
        /// Returns this reference without the pairs that [`Buf::drop_query_pairs`] removes.
        #[must_use] without_query_pairs(is_removed: impl FnMut(&str) -> bool) -> Mapped<'_, K>;
        /// Returns the file name, in bytes, that this `file` IRI identifies on a POSIX system.
        to_posix_path() -> Result<Vec<u8>, FileNameError>;
        /// Returns the file name that this `file` IRI identifies on Windows.
        to_windows_path() -> Result<String, FileNameError>;
        /// Returns the path as a file name that is relative to a folder: the decoded segments, with a slash between them.
        to_relative_path() -> Result<String, FileNameError>;
    }
}

#[cfg(feature = "psl")]
delegate! {
    [K: Kind] K;
    {
        /// Returns the registrable domain of the host: the public suffix and the label before it, in lower case and
        /// without a dot at the end.
        #[must_use] registrable_domain() -> Option<Text<'_, str>>;
    }
}

delegate! {
    [K: HasScheme] K;
    {
        /// Resolves a reference relative to this base, and returns the target (RFC 3986, section 5.2).
        resolve['r, R: TryInto<View<'r, K::Reference>, Error: Into<Error>>](reference: R)
            -> Result<Buf<K>, Error>;
        /// The same as [`resolve`](Self::resolve).
        join['r, R: TryInto<View<'r, K::Reference>, Error: Into<Error>>](reference: R)
            -> Result<Buf<K>, Error>;
        /// Returns the shortest reference that resolves to `target` relative to this base, as
        /// [`Base::relativize`](crate::Base::relativize) does.
        relativize(target: impl AsView<Kind = K>) -> Result<Buf<K::Reference>, DotSegment>;
    }
}

#[cfg(feature = "std")]
delegate! {
    [K: Kind] K;
    {
        /// Returns the path of this system that this `file` IRI identifies: [`to_windows_path`](Self::to_windows_path)
        /// on Windows, and [`to_posix_path`](Self::to_posix_path) on other systems.
        to_file_path() -> Result<std::path::PathBuf, FileNameError>;
    }
}

#[cfg(feature = "charset")]
delegate! {
    [K: Kind] K;
    {
        /// Returns the pairs of the query, decoded with the charset of a document.
        #[must_use] query_pairs_in(charset: &'static Encoding) -> Pairs<'_>;
        /// Returns the pairs of the query as [`View::query_pairs_in`](crate::View::query_pairs_in) does, but by the
        /// convention of HTML forms: a plus sign is a space.
        #[must_use] query_form_in(charset: &'static Encoding) -> FormPairs<'_>;
        /// Returns the file name, in bytes of a legacy charset, that this `file` IRI identifies on a POSIX system.
        to_posix_path_in(charset: &'static Encoding) -> Result<Vec<u8>, FileNameError>;
    }
}
