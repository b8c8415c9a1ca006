//! A reference in the form that is easiest to read and still means the same (RFC 3987, section 7.6).
//!
//! Here: which characters are displayed as themselves; all others are percent-encoded. Not here: hosts
//! (`labels`), text that need not be a reference (`uts58`), and the order of display (`rules`).

pub(crate) mod labels;
pub(crate) mod uts58;

use alloc::string::String;

use crate::DisplayPolicy;
use simd_iri::low::{
    Oddity, buf_of, is_bidi_control, octet, push_as_iri, rewrite_components, slice, triplet_text,
    view_of,
};
use simd_iri::{
    Component, Error, Mapped, Parts, View,
    convert::{AsView, IntoView},
    kind::Kind,
    percent::decode,
};

/// How references are displayed as IRIs with the same meaning.
///
/// Triplets are decoded as [`ToIri`](simd_iri::ToIri) decodes them, and A-labels of domain names (`xn--`)
/// become their Unicode form. A component whose triplets are not UTF-8 as a whole, such as text in a legacy charset,
/// keeps its triplets as they are written, because a part of it would be decoded to characters that nobody wrote. In a
/// query, the names and values between `&`, `;` and `=` count each by itself.
///
/// Characters that readers cannot see or tell apart stay or become percent-encoded: bidi formatting characters,
/// invisible characters and white space, deprecated, private-use and unassigned characters. A label of a host that a
/// lint calls misleading (a code `spoof.…`) is displayed as its A-label, whatever its spelling; in a host that is not a
/// domain name, the characters outside ASCII are percent-encoded then.
///
/// The characters are in logical order. `Embed` adds the formatting characters that give them the
/// order of display that RFC 3987, section 4.1 requires.
///
/// The result and the original map to the same URI, except that unreserved ASCII is decoded. If the host is a
/// domain name, this holds for [`ToUri::idna`](simd_iri::ToUri::idna), and the case of letters may differ.
///
/// ```
/// use simd_iri::iri;
/// use simd_iri_lint::DisplayIri;
///
/// let display = DisplayIri::new();
/// let shown = display.map(iri!("http://xn--bcher-kva.example/%C3%A9%20%E2%80%AE"))?;
/// assert_eq!(shown, "http://bücher.example/é%20%E2%80%AE");
/// // Latin letters in one label, and Cyrillic letters that look like them in the other label.
/// let shown = display.map(iri!("http://apple.аррӏе.example/"))?;
/// assert_eq!(shown, "http://apple.xn--80ak6aa92e.example/");
/// # Ok::<(), simd_iri::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct DisplayIri {
    /// Which characters outside ASCII can be drawn; `None` if all can.
    has_glyph: Option<fn(char) -> bool>,
    /// Which labels of a host are shown in Unicode; `None` for those that do not mislead.
    policy: Option<DisplayPolicy>,
}

impl Default for DisplayIri {
    fn default() -> Self {
        Self::new()
    }
}

impl DisplayIri {
    /// Returns a display that shows every visible character.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// # use simd_iri_lint::DisplayIri;
    /// assert_eq!(DisplayIri::new().map(iri!("a:%E4%B8%AD"))?, "a:中");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { has_glyph: None, policy: None }
    }

    /// Sets which characters outside ASCII can be drawn. Other characters are percent-encoded. If a label of a
    /// domain name has such a character, the label is displayed as its A-label.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// # use simd_iri_lint::DisplayIri;
    /// let latin = DisplayIri::new().glyphs(|c| c <= 'ÿ');
    /// assert_eq!(latin.map(iri!("http://例え.jp/é/é中"))?, "http://xn--r8jz45g.jp/é/é%E4%B8%AD");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub const fn glyphs(self, has_glyph: fn(char) -> bool) -> Self {
        Self { has_glyph: Some(has_glyph), ..self }
    }

    /// Sets the browser that decides which labels of a domain name are displayed in Unicode. All other labels are displayed
    /// as their A-labels.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// # use simd_iri_lint::{DisplayIri, DisplayPolicy};
    /// let chromium = DisplayIri::new().policy(DisplayPolicy::Chromium);
    /// assert_eq!(chromium.map(iri!("http://xn--bcher-kva.example/"))?, "http://bücher.example/");
    /// assert_eq!(chromium.map(iri!("http://tᴡitter.com/"))?, "http://xn--titter-345b.com/");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub const fn policy(self, policy: DisplayPolicy) -> Self {
        Self { policy: Some(policy), ..self }
    }

    /// Returns the IRI to display. Borrows the reference if nothing changes; otherwise takes a few passes
    /// and an allocation.
    ///
    /// # Errors
    /// The result could have 4 GiB or more.
    ///
    /// ```
    /// # use simd_iri::iri_ref;
    /// # use simd_iri_lint::DisplayIri;
    /// assert_eq!(DisplayIri::new().map(iri_ref!("%D7%A9\u{200F}"))?, "ש%E2%80%8F");
    /// assert!(DisplayIri::new().map(iri_ref!("a%20b"))?.is_borrowed());
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn map<'a, K: Kind>(
        self,
        view: impl IntoView<'a, Kind = K>,
    ) -> Result<Mapped<'a, K::Iri>, Error> {
        let view = view.into_view();
        let (decoded, host) = self.decoded(view)?;
        if host.is_none() && self.shows_all(decoded.as_str()) {
            return Ok(decoded);
        }
        let given = view_of(view.as_str(), view.parts());
        let mut text = String::new();
        let parts = self.write(decoded.view(), host.as_deref(), &mut text);
        Ok(Mapped::of(given, buf_of(text, parts)))
    }

    /// Writes the IRI to display to `text`, which is cleared first, and returns a view of it. Allocates the
    /// decoded reference if it differs from the given one, and a host that is mapped.
    ///
    /// # Errors
    /// The result could have 4 GiB or more; `text` is empty then.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// # use simd_iri_lint::DisplayIri;
    /// let mut text = String::new();
    /// let shown = DisplayIri::new().map_into(iri!("a:%C3%A9#b"), &mut text)?;
    /// assert_eq!((shown.path(), shown.fragment()), ("é", Some("b")));
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn map_into<'t, K: Kind>(
        self,
        view: impl AsView<Kind = K>,
        text: &'t mut String,
    ) -> Result<View<'t, K::Iri>, Error> {
        let view = view.as_view();
        text.clear();
        let (decoded, host) = self.decoded(view)?;
        if host.is_none() && self.shows_all(decoded.as_str()) {
            text.push_str(decoded.as_str());
            return Ok(view_of(text, decoded.view().parts()));
        }
        let parts = self.write(decoded.view(), host.as_deref(), text);
        Ok(view_of(text, parts))
    }

    /// Returns a reference with its triplets decoded, and its host for display if that is another host.
    fn decoded<'a, K: Kind>(
        self,
        view: View<'a, K>,
    ) -> Result<(Mapped<'a, K::Iri>, Option<String>), Error> {
        let decoded = decoded(view);
        if !has_room(decoded.as_str()) {
            return Err(Error::too_long(u32::MAX));
        }
        let host = labels::shown(decoded.view().as_iri_ref(), self);
        Ok((decoded, host))
    }

    /// Tells whether every character of a text is displayed as itself.
    fn shows_all(self, text: &str) -> bool {
        text.is_ascii() || text.chars().all(|c| c.is_ascii() || self.is_seen(c))
    }

    /// Appends a reference whose triplets are decoded. Replaces its host by `host`, if there is one. Returns
    /// where its components are.
    fn write<K: Kind>(self, decoded: View<'_, K>, host: Option<&str>, text: &mut String) -> Parts {
        text.reserve(decoded.as_str().len());
        rewrite_components(decoded, text, |component, value, out| {
            match host.filter(|_| component == Component::Host) {
                Some(host) => out.push_str(host),
                None => self.push(value, out),
            }
        })
    }

    /// Appends a component whose triplets are decoded.
    pub(super) fn push(self, component: &str, out: &mut String) {
        // Characters that are displayed as themselves are appended in runs.
        let mut done = 0;
        for (at, c) in component.char_indices() {
            if !c.is_ascii() && !self.is_seen(c) {
                out.push_str(slice::text(component, done..at));
                push_triplets(c, out);
                done = at + c.len_utf8();
            }
        }
        out.push_str(slice::text(component, done..));
    }

    /// Tells whether a character outside ASCII is displayed as itself.
    pub(super) fn is_seen(self, c: char) -> bool {
        let is_hidden = Oddity::of(c).is_some_and(|oddity| oddity != Oddity::Compatibility);
        !is_hidden && !is_bidi_control(c) && self.has_glyph.is_none_or(|has_glyph| has_glyph(c))
    }
}

/// Returns a reference with the triplets decoded of each value that is UTF-8 as a whole. Triplets of other values stay as
/// they are written.
fn decoded<K: Kind>(view: View<'_, K>) -> Mapped<'_, K::Iri> {
    let decoded = view.to_iri();
    // What is not UTF-8 is left as a triplet.
    if !has_high_triplet(decoded.as_str()) || decode(view.as_str()).utf8().is_ok() {
        return decoded;
    }
    let mut text = String::with_capacity(view.as_str().len());
    let parts = rewrite_components(view, &mut text, |component, value, out| {
        for value in values(component, value) {
            match decode(value).utf8() {
                Ok(_) => push_as_iri(value, out),
                Err(_) => out.push_str(value),
            }
        }
    });
    Mapped::of(view_of(view.as_str(), view.parts()), buf_of(text, parts))
}

/// Tells whether a text has a triplet of an octet above 0x7F.
fn has_high_triplet(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'%', bytes).any(|at| octet(bytes, at).is_some_and(|octet| octet > 0x7F))
}

/// The values of a component, each with the delimiter after it: the names and values of a query, and any other component
/// as a whole.
fn values(component: Component, text: &str) -> impl Iterator<Item = &str> {
    let delimiters: &[char] = if component == Component::Query { &['&', ';', '='] } else { &[] };
    text.split_inclusive(delimiters)
}

/// Tells whether the result has less than 4 GiB even if all characters outside ASCII are encoded. A host in
/// its other form has less than 4 KiB.
fn has_room(text: &str) -> bool {
    const MOST: usize = (u32::MAX - (1 << 12)) as usize;
    // Only a text that is long enough to matter is counted.
    let non_ascii = || text.bytes().filter(|byte| !byte.is_ascii()).count();
    text.len() <= MOST / 3 || text.len() + 2 * non_ascii() <= MOST
}

/// Appends the triplets of a character.
pub(super) fn push_triplets(c: char, out: &mut String) {
    for octet in c.encode_utf8(&mut [0; 4]).bytes() {
        out.push_str(triplet_text(octet));
    }
}
