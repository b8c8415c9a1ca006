//! URI → IRI (RFC 3987, section 3.2), steps 1 to 5 in one pass.
//!
//! Not here: which triplets are decoded (`triplets`).

use alloc::string::String;

#[cfg(feature = "idna")]
use super::{
    domains::{MAX, with_host},
    idna,
};
use crate::parse::Parts;
use crate::reference::kind::Kind;
use crate::reference::{AsView, Buf, IntoView, Mapped, View};
use crate::scan::{BLOCK, position};
use crate::tables::PERCENT;
use crate::transform::triplets::{DecodePolicy, Decoding, rewrite_certain};

impl<'a, K: Kind> View<'a, K> {
    /// Maps this reference, usually a URI, to an IRI (RFC 3987, section 3.2): triplets become characters if they are
    /// UTF-8 and the result means the same. Each character is decoded by itself: an octet that is not UTF-8 stays, and the
    /// characters beside it do not.
    ///
    /// One pass; allocates only if there are triplets. [`ToIri`] has the options.
    ///
    /// ```
    /// use simd_iri::uri;
    ///
    /// assert_eq!(uri!("http://example.org/D%C3%BCrst").to_iri(), "http://example.org/Dürst");
    /// // Not UTF-8, a delimiter, and a bidi formatting character.
    /// let kept = uri!("http://example.org/%FC%2F%E2%80%AE");
    /// assert!(kept.to_iri().is_borrowed());
    /// ```
    #[inline]
    #[must_use]
    pub fn to_iri(self) -> Mapped<'a, K::Iri> {
        ToIri::new().map(self)
    }
}

/// The mapping of URIs to IRIs, with its options.
///
/// ```
/// use simd_iri::{ToIri, uri};
///
/// let map = ToIri::new().private(true);
/// assert_eq!(map.map(uri!("a:%EE%80%80?%EE%80%80")), "a:%EE%80%80?\u{E000}");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ToIri {
    policy: DecodePolicy,
    private: bool,
    #[cfg(feature = "idna")]
    idna: bool,
}

impl ToIri {
    /// The mapping with [`DecodePolicy::Default`]. Private-use characters and A-labels stay as they are.
    ///
    /// ```
    /// # use simd_iri::{ToIri, uri};
    /// assert_eq!(ToIri::new().map(uri!("a:%61")), "a:a");
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self {
            policy: DecodePolicy::Default,
            private: false,
            #[cfg(feature = "idna")]
            idna: false,
        }
    }

    /// Sets which triplets are decoded.
    ///
    /// ```
    /// # use simd_iri::{DecodePolicy, ToIri, uri};
    /// let map = ToIri::new().policy(DecodePolicy::NonAsciiOnly);
    /// assert_eq!(map.map(uri!("a:%61%c3%a9%c3")), "a:%61é%C3");
    /// ```
    #[must_use]
    pub const fn policy(self, policy: DecodePolicy) -> Self {
        Self { policy, ..self }
    }

    /// Sets whether private-use characters (`iprivate`) are decoded in queries. The grammar allows them in no other
    /// component.
    ///
    /// ```
    /// # use simd_iri::{ToIri, uri};
    /// assert_eq!(ToIri::new().private(true).map(uri!("a:?%EE%80%80")), "a:?\u{E000}");
    /// ```
    #[must_use]
    pub const fn private(self, decoded: bool) -> Self {
        Self { private: decoded, ..self }
    }

    /// Sets whether A-labels become U-labels by UTS #46 in the hosts of `http`, `https`, `ws`, `wss` and `ftp`, if
    /// [`ToUri::idna`](crate::ToUri::idna) gives the same host back. Triplets of the host are decoded first.
    ///
    /// ```
    /// # use simd_iri::{ToIri, uri};
    /// let map = ToIri::new().idna(true);
    /// assert_eq!(map.map(uri!("http://xn--bcher-kva.example")), "http://bücher.example");
    /// assert_eq!(map.map(uri!("http://x%6e--bcher-kva.example")), "http://bücher.example");
    /// // No U-label maps to `xn--a`, so that the host stays as a whole.
    /// assert_eq!(map.map(uri!("http://xn--a.xn--bcher-kva")), "http://xn--a.xn--bcher-kva");
    /// ```
    #[cfg(feature = "idna")]
    #[must_use]
    pub const fn idna(self, on: bool) -> Self {
        Self { idna: on, ..self }
    }

    /// Maps a reference. One pass; allocates only if there are triplets, or a host may have A-labels to map.
    ///
    /// ```
    /// # use simd_iri::{ToIri, uri_ref};
    /// assert_eq!(ToIri::new().map(uri_ref!("%E3%81%82?%20")), "あ?%20");
    /// ```
    #[inline]
    #[must_use]
    pub fn map<'a, K: Kind>(self, view: impl IntoView<'a, Kind = K>) -> Mapped<'a, K::Iri> {
        let view = view.into_view();
        let given = View::new(view.as_str(), view.parts());
        if memchr::memchr(b'%', view.as_str().as_bytes()).is_none() && !self.shows_host(view) {
            return Mapped::Borrowed(given);
        }
        self.mapped(view)
    }

    /// [`map`](Self::map) of a reference that may change. It is not inlined, so that `map` can be inlined.
    #[inline(never)]
    fn mapped<'a, K: Kind>(self, view: View<'a, K>) -> Mapped<'a, K::Iri> {
        let mut text = String::new();
        let parts = self.map_into(view, &mut text).parts();
        Mapped::of(View::new(view.as_str(), view.parts()), Buf::new(text, parts))
    }

    /// Replaces the content of `text` with the result of [`map`](Self::map), and returns a view of it. Unless the host
    /// is mapped, the result is not longer than the reference, and nothing is allocated if `text` has room for the
    /// reference and 64 bytes.
    ///
    /// ```
    /// # use simd_iri::{ToIri, uri};
    /// let mut text = String::new();
    /// let iri = ToIri::new().map_into(uri!("a:%C3%A9#b"), &mut text);
    /// assert_eq!(iri.path(), "é");
    /// ```
    pub fn map_into<'t, K: Kind>(
        self,
        view: impl AsView<Kind = K>,
        text: &'t mut String,
    ) -> View<'t, K::Iri> {
        let view = view.as_view();
        #[cfg(feature = "idna")]
        if self.shows_host(view) {
            let parts = Self { idna: false, ..self }.map_into(view, text).parts();
            let decoded = View::<K::Iri>::new(text, parts);
            let shown = idna::to_unicode(decoded.host_str().unwrap_or_default());
            let Some(shown) = shown.map(|host| with_host(decoded, &host)) else {
                return View::new(text, parts);
            };
            text.clear();
            text.push_str(shown.as_str());
            return View::new(text, shown.view().parts());
        }
        text.clear();
        // The kernels write whole blocks.
        text.reserve(view.as_str().len() + BLOCK);
        // Measured: `docs/performance/notes.md`, "Normalization and mappings".
        if position(view.as_str().as_bytes(), &PERCENT) == view.as_str().len() {
            text.push_str(view.as_str());
            return View::new(text, view.parts());
        }
        let decoding = Decoding::of(self.policy, false);
        let parts = view.as_parts();
        let places = decoding
            .changes()
            .and_then(|changes| rewrite_certain(view.as_str(), &changes, parts.as_offsets(), text));
        if let Some(places) = places {
            return View::new(text, Parts::at(places));
        }
        let query = view.parts().query().filter(|_| self.private).unwrap_or_default();
        let at = |place| Decoding { private: query.contains(&(place as usize)), ..decoding };
        let places = decoding.push_with(view.as_str(), parts.offsets(), at, text);
        View::new(text, Parts::at(places))
    }

    /// Tells whether the host may have A-labels that become U-labels.
    #[cfg(feature = "idna")]
    fn shows_host<K: Kind>(self, view: View<'_, K>) -> bool {
        let scheme = view.as_iri_ref().scheme().and_then(crate::transform::Known::of);
        let has_room = view.as_str().len() <= MAX;
        self.idna && has_room && scheme.is_some_and(crate::transform::Known::has_domains)
    }

    /// Without the feature `idna`, no host changes.
    #[cfg(not(feature = "idna"))]
    const fn shows_host<K: Kind>(self, _: View<'_, K>) -> bool {
        false
    }
}
