//! Makes a reference of an arbitrary string, by the guidelines of 2011 (RFC 3987, section 7.2).
//!
//! Here: the order of the steps, and the public functions. Not here: the steps (`annotated`, `encode`).

pub(crate) mod annotated;
pub(crate) mod context;
pub(crate) mod encode;
mod needed;
mod pass;
mod prescan;
pub(crate) mod repair;
mod runs;
pub(crate) mod source;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::iter;
use core::ops::Range;

use encoding_rs::{DecoderResult, Encoding};

use super::{Context, RepairSet};
use annotated::{Annotated, is_special, narrow};
use encode::Replacement;
use prescan::Settings;
use repair::{Record, Repair, RepairKind, Repairs};
use simd_iri::Base;
use simd_iri::low::{CharacterReferences, buf_of, composed, has_dot_segment, view_of};
use simd_iri::low::{Sealed, located, slice, utf8};
use simd_iri::{
    Component, Error, ErrorKind, Iri, IriBuf, IriRef, IriRefBuf, Mapped, Rule,
    component::ComponentRule, convert::AsView, errors::InvalidText, kind::IriReference,
    parser::CpuLevel,
};
use source::Rest;

/// How arbitrary strings become references.
///
/// The result is an `IRI-reference`, or an error. In the context [`Plain`](Context::Plain), a string that
/// is already an `IRI-reference` is borrowed unchanged by every [`RepairSet`]. A string with the scheme `javascript`
/// is trimmed, and otherwise never changes.
///
/// ```
/// use simd_iri_text::{Context, Prepare, RepairSet};
///
/// let prepare = Prepare::new(RepairSet::BrowserLike).context(Context::Typed);
/// assert_eq!(prepare.prepare("www.example.org/a b|c")?.view(), "https://www.example.org/a%20b%7Cc");
/// assert_eq!(prepare.prepare("<URL:http://a/b\n  c>")?.view(), "http://a/bc");
/// assert_eq!(prepare.prepare("http://a b/").unwrap_err().span(), 8..9);
/// # Ok::<(), simd_iri::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Prepare<'s> {
    context: Context,
    scheme: &'s str,
    base: Option<Iri<'s>>,
    allowed: Repairs,
    forbidden: Repairs,
}

/// A reference, and the repairs that made it.
///
/// ```
/// use simd_iri_text::{Prepare, RepairSet};
///
/// let prepared = Prepare::new(RepairSet::Strict).prepare("\thttp://a/")?;
/// assert_eq!(prepared.view(), "http://a/");
/// assert_eq!(prepared.repairs().len(), 1);
/// # Ok::<(), simd_iri::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Prepared<'a> {
    reference: Mapped<'a, IriReference>,
    repairs: Record,
}

impl<'a> Prepared<'a> {
    /// Returns the reference.
    ///
    /// ```
    /// # use simd_iri_text::{Prepare, RepairSet};
    /// assert_eq!(Prepare::new(RepairSet::Leiri).prepare("a b")?.view(), "a%20b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub fn view(&self) -> IriRef<'_> {
        self.reference.view()
    }

    /// Returns the repairs: first the repairs at the ends and before the start, then the others in the order of
    /// the input. The list has at most 1,000 repairs. [`unlisted_repairs`](Self::unlisted_repairs) counts the
    /// repairs that are not in the list.
    ///
    /// ```
    /// # use simd_iri_text::{Prepare, RepairSet};
    /// assert!(Prepare::new(RepairSet::Leiri).prepare("a")?.repairs().is_empty());
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub fn repairs(&self) -> &[Repair] {
        &self.repairs.list
    }

    /// Returns the number of repairs that are not in the list. The list is bounded, so that no input makes it
    /// large.
    ///
    /// ```
    /// # use simd_iri_text::{Prepare, RepairSet};
    /// let spaces = "a ".repeat(1_500) + "b";
    /// let prepared = Prepare::new(RepairSet::Leiri).prepare(&spaces)?;
    /// assert_eq!((prepared.repairs().len(), prepared.unlisted_repairs()), (1_000, 500));
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub const fn unlisted_repairs(&self) -> usize {
        self.repairs.unlisted
    }

    /// Returns the reference as an owner. Copies the text if it is borrowed.
    ///
    /// ```
    /// # use simd_iri::IriRefBuf;
    /// # use simd_iri_text::{Prepare, RepairSet};
    /// let owner: IriRefBuf = Prepare::new(RepairSet::Leiri).prepare("a b")?.into_owned();
    /// assert_eq!(owner, "a%20b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub fn into_owned(self) -> IriRefBuf {
        self.reference.into_owned()
    }

    /// Returns the reference. It is borrowed if the string was that reference.
    ///
    /// ```
    /// # use simd_iri_text::{Prepare, RepairSet};
    /// assert!(Prepare::new(RepairSet::Crawler).prepare("a")?.into_reference().is_borrowed());
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub fn into_reference(self) -> Mapped<'a, IriReference> {
        self.reference
    }
}

/// The methods are those of the reference; its view has the accessors.
///
/// ```
/// # use simd_iri_text::{Prepare, RepairSet};
/// let prepared = Prepare::new(RepairSet::Leiri).prepare("http://a/b c?d")?;
/// assert_eq!((prepared.view().path(), prepared.view().query()), ("/b%20c", Some("d")));
/// # Ok::<(), simd_iri::Error>(())
/// ```
impl<'a> core::ops::Deref for Prepared<'a> {
    type Target = Mapped<'a, IriReference>;

    fn deref(&self) -> &Self::Target {
        &self.reference
    }
}

impl Sealed for Prepared<'_> {}

/// A function that takes a reference takes what was prepared.
///
/// ```
/// # use simd_iri::{Base, iri};
/// # use simd_iri_text::{Prepare, RepairSet};
/// let link = Prepare::new(RepairSet::BrowserLike).prepare(" b c ")?;
/// assert_eq!(Base::new(iri!("http://a/")).resolve(&link)?, "http://a/b%20c");
/// # Ok::<(), simd_iri::Error>(())
/// ```
impl AsView for Prepared<'_> {
    type Kind = IriReference;

    fn as_view(&self) -> IriRef<'_> {
        self.view()
    }
}

impl<'a> From<&'a Prepared<'_>> for IriRef<'a> {
    fn from(prepared: &'a Prepared<'_>) -> Self {
        prepared.view()
    }
}

/// Writes the reference.
impl fmt::Display for Prepared<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reference.fmt(f)
    }
}

impl Prepared<'_> {
    /// Returns the reference as an IRI, if it has a scheme. Copies the text if it is borrowed.
    ///
    /// # Errors
    /// The reference has no scheme. The error returns it.
    ///
    /// ```
    /// # use simd_iri::IriBuf;
    /// # use simd_iri_text::{Prepare, RepairSet};
    /// let prepare = Prepare::new(RepairSet::BrowserLike);
    /// let iri: IriBuf = prepare.prepare("http://a/b c")?.into_iri()?;
    /// assert_eq!(iri, "http://a/b%20c");
    /// assert_eq!(prepare.prepare("/b")?.into_iri().unwrap_err().into_text(), "/b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn into_iri(self) -> Result<IriBuf, InvalidText<IriRefBuf>> {
        self.reference.into_owned().try_into()
    }

    /// Returns the result with other offsets, owned. `places` replaces the offsets of all repairs at once.
    pub(super) fn moved<'b>(self, places: impl FnOnce(&mut [Range<usize>])) -> Prepared<'b> {
        let mut repairs = self.repairs;
        let mut spans: Vec<_> = repairs.list.iter().map(|repair| repair.span()).collect();
        places(&mut spans);
        for (repair, span) in repairs.list.iter_mut().zip(spans) {
            *repair = Repair::new(repair.kind(), span.start as u32, span.end as u32);
        }
        Prepared { reference: Mapped::Owned(self.reference.into_owned()), repairs }
    }
}

impl<'s> Prepare<'s> {
    /// Returns the preparation with the repairs of a set, in the context [`Plain`](Context::Plain).
    ///
    /// ```
    /// # use simd_iri_text::{Prepare, RepairSet};
    /// assert!(Prepare::new(RepairSet::Strict).prepare("a|b").is_err());
    /// ```
    #[must_use]
    pub const fn new(set: RepairSet) -> Self {
        let forbidden = Repairs::of(&[]);
        let (context, allowed) = (Context::Plain, set.repairs());
        Self { context, scheme: "https", base: None, allowed, forbidden }
    }

    /// Sets the context: the source of the strings.
    ///
    /// ```
    /// # use simd_iri_text::{Context, Prepare, RepairSet};
    /// let prepare = Prepare::new(RepairSet::Strict).context(Context::Xml);
    /// assert_eq!(prepare.prepare("a&#xE9;")?.view(), "aé");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub const fn context(self, context: Context) -> Self {
        Self { context, ..self }
    }

    /// Sets the scheme that is put before hosts without one, if [`RepairKind::MissingScheme`] is allowed.
    /// The default is `https`. Addresses with `@` always get `mailto`.
    ///
    /// # Errors
    /// The text is not a scheme.
    ///
    /// ```
    /// # use simd_iri_text::{Context, Prepare, RepairSet};
    /// let prepare = Prepare::new(RepairSet::Strict).context(Context::Typed).scheme("http")?;
    /// assert_eq!(prepare.prepare("www.example.org")?.view(), "http://www.example.org");
    /// assert_eq!(prepare.prepare("//a/b")?.view(), "http://a/b");
    /// assert!(prepare.scheme("ht tp").is_err());
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn scheme(self, scheme: &'s str) -> Result<Self, Error> {
        ComponentRule::Scheme.validate(scheme)?;
        Ok(Self { scheme, ..self })
    }

    /// Sets the base to which references are resolved (RFC 3986, section 5.2), so that the result has a
    /// scheme. In the sets of browsers and crawlers, a scheme that is the scheme of the base is removed first, if no
    /// authority follows: with a base of http, `http:/foo` is `/foo` ([`RepairKind::SameScheme`]).
    ///
    /// ```
    /// # use simd_iri::iri;
    /// # use simd_iri_text::{Prepare, RepairSet};
    /// let prepare = Prepare::new(RepairSet::BrowserLike).base(iri!("http://a/b/c"));
    /// assert_eq!(prepare.prepare("d e")?.view(), "http://a/b/d%20e");
    /// assert_eq!(prepare.prepare("http:/foo")?.view(), "http://a/foo");
    /// assert_eq!(prepare.prepare("https:/foo")?.view(), "https:/foo");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub fn base(self, base: impl Into<Iri<'s>>) -> Self {
        Self { base: Some(base.into()), ..self }
    }

    /// Allows a kind of repair.
    ///
    /// ```
    /// # use simd_iri_text::{Prepare, RepairKind, RepairSet};
    /// let prepare = Prepare::new(RepairSet::Strict).allow(RepairKind::NotAllowed);
    /// assert_eq!(prepare.prepare("a|b")?.view(), "a%7Cb");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub const fn allow(self, kind: RepairKind) -> Self {
        let forbidden = self.forbidden.without(kind);
        Self { allowed: self.allowed.with(kind), forbidden, ..self }
    }

    /// Forbids a kind of repair, in every context.
    ///
    /// ```
    /// # use simd_iri_text::{Prepare, RepairKind, RepairSet};
    /// let prepare = Prepare::new(RepairSet::BrowserLike).forbid(RepairKind::Backslash);
    /// assert_eq!(prepare.prepare(r"a\b")?.view(), "a%5Cb");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub const fn forbid(self, kind: RepairKind) -> Self {
        Self { forbidden: self.forbidden.with(kind), ..self }
    }

    /// Prepares a string. One pass if the string is a reference, otherwise a few passes. Allocates the result and
    /// a list of at most 1,000 repairs; with a base, also the reference that is resolved.
    ///
    /// # Errors
    /// The first violation that was not repaired, with its byte offsets in `text`; or `text` has 4 GiB or
    /// more.
    ///
    /// ```
    /// # use simd_iri_text::{Prepare, RepairSet};
    /// let prepare = Prepare::new(RepairSet::BrowserLike);
    /// assert_eq!(prepare.prepare(" /a%b[c]#d#e ")?.view(), "/a%25b%5Bc%5D#d%23e");
    /// assert_eq!(prepare.prepare(" //a:b").unwrap_err().span(), 5..6);
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn prepare<'a>(self, text: &'a str) -> Result<Prepared<'a>, Error> {
        self.part(text, 0)
    }

    /// Returns what [`prepare`](Self::prepare) changes in a string, in the order of the string: for an editor that shows
    /// the changes, or makes them. With all changes, the string is the result, before a [base](Self::base) resolves it.
    ///
    /// The list is not that of [`Prepared::repairs`]. Two repairs may be one change, such as `&lt;`, which becomes `<` and
    /// then `%3C`. The list has at most 1,000 changes. If there were more, the last change has all text after it.
    ///
    /// Takes a few times the work of [`prepare`](Self::prepare).
    ///
    /// # Errors
    /// Those of [`prepare`](Self::prepare).
    ///
    /// ```
    /// # use simd_iri_text::{Prepare, RepairSet};
    /// let mut text = String::from("<http://a/b c>");
    /// let all = Prepare::new(RepairSet::Crawler).replacements(&text)?;
    /// assert!(all.iter().map(|one| (one.span(), one.as_str())).eq([(0..1, ""), (11..12, "%20"), (13..14, "")]));
    /// // From the end, so that the spans of the changes before stay right.
    /// for one in all.iter().rev() {
    ///     text.replace_range(one.span(), one.as_str());
    /// }
    /// assert_eq!(text, "http://a/b%20c");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn replacements(self, text: &str) -> Result<Vec<Replacement>, Error> {
        if self.prepare(text)?.repairs().is_empty() {
            return Ok(Vec::new());
        }
        let mut annotated = self.annotated(text.as_bytes(), 0)?;
        self.made(&mut annotated, text.len())?;
        Ok(annotated.replacements(text))
    }

    /// Prepares bytes, which should be UTF-8.
    ///
    /// # Errors
    /// As for [`prepare`](Self::prepare); also bytes that are not UTF-8, unless [`RepairKind::IllFormed`] is
    /// allowed and makes them triplets.
    ///
    /// ```
    /// # use simd_iri_text::{Prepare, RepairSet};
    /// assert_eq!(Prepare::new(RepairSet::BrowserLike).prepare_bytes(b"/c\xE9u")?.view(), "/c%E9u");
    /// assert_eq!(Prepare::new(RepairSet::Strict).prepare_bytes(b"/c\xE9u").unwrap_err().span(), 2..3);
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn prepare_bytes<'a>(self, bytes: &'a [u8]) -> Result<Prepared<'a>, Error> {
        if let Some(text) = utf8(CpuLevel::best(), bytes) {
            return self.prepare(text);
        }
        let mut annotated = self.annotated(bytes, 0)?;
        if !annotated.allowed.contains(RepairKind::IllFormed) {
            let at = bytes.utf8_chunks().next().map_or(0, |chunk| chunk.valid().len());
            let octet = bytes.get(at).copied().unwrap_or_default();
            let (kind, span) = (ErrorKind::IllFormedUtf8, at..at + 1);
            return Err(Error::new(kind, Component::Reference, span, octet.into()));
        }
        self.made(&mut annotated, bytes.len())
    }

    /// Prepares bytes in a charset. A byte-order mark at the start overrides the charset. If the charset is not
    /// an encoding of Unicode, the text is normalized to form C (RFC 3987, section 3.1, variant b). Offsets are
    /// offsets of the bytes.
    ///
    /// # Errors
    /// As for [`prepare`](Self::prepare); also bytes that the charset does not define.
    ///
    /// ```
    /// # use simd_iri_text::{Prepare, RepairSet};
    /// let prepare = Prepare::new(RepairSet::BrowserLike);
    /// let prepared = prepare.prepare_bytes_in(b"/\xE9 |", encoding_rs::WINDOWS_1252)?;
    /// assert_eq!(prepared.view(), "/é%20%7C");
    /// assert_eq!(prepared.repairs()[0].span(), 2..3);
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn prepare_bytes_in<'a>(
        self,
        bytes: &'a [u8],
        charset: &'static Encoding,
    ) -> Result<Prepared<'a>, Error> {
        let (charset, mark) = Encoding::for_bom(bytes).unwrap_or((charset, 0));
        too_long(bytes.len())?;
        let mut text = String::with_capacity(bytes.len());
        decode(bytes, mark, charset, |piece, _| text.push_str(piece))?;
        // Offsets of the text become offsets of the bytes.
        let moved = |error: Error| {
            let span = error.span();
            let places = Places::of(bytes, mark, charset, [span.start, span.end].into());
            error.with_span(places.get(span.start)..places.get(span.end))
        };
        let mut annotated = self.annotated(text.as_bytes(), 0).map_err(moved)?;
        let is_marked = mark > 0;
        if is_marked && !annotated.allowed.contains(RepairKind::ByteOrderMark) {
            let kind = ErrorKind::NotAllowed;
            return Err(Error::new(kind, Component::Reference, 0..mark, 0xFEFF));
        }
        let prepared = self.made(&mut annotated, text.len()).map_err(moved)?;
        let Prepared { reference, repairs: Record { list, unlisted, .. } } = prepared;
        drop(text);
        let ends = list.iter().flat_map(|repair| [repair.span().start, repair.span().end]);
        let places = Places::of(bytes, mark, charset, ends.collect());
        let mut repairs = Record::new();
        if is_marked {
            repairs.push(RepairKind::ByteOrderMark, 0, mark as u32);
        }
        for repair in list {
            let (start, end) = (places.get(repair.span().start), places.get(repair.span().end));
            repairs.push(repair.kind(), start as u32, end as u32);
        }
        repairs.unlisted += unlisted;
        let mut made = reference.into_owned();
        let is_unicode = charset.output_encoding() == encoding_rs::UTF_8;
        if !is_unicode && !self.forbidden.contains(RepairKind::NotNormalized) {
            let normal = composed(made.as_str());
            if normal != made.as_str() {
                repairs.push(RepairKind::NotNormalized, 0, bytes.len() as u32);
                made = normal.parse()?;
            }
        }
        Ok(Prepared { reference: Mapped::Owned(made), repairs })
    }

    /// Prepares each of the strings between spaces (guidelines, section 4, step 2) or other ASCII white
    /// space. Offsets are offsets in `text`.
    ///
    /// ```
    /// # use simd_iri_text::{Prepare, RepairSet};
    /// let made: Result<Vec<_>, _> = Prepare::new(RepairSet::Rdf).prepare_each("a|b  c").collect();
    /// let made = made?;
    /// assert_eq!((made[0].view().as_str(), made[1].view().as_str()), ("a%7Cb", "c"));
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn prepare_each<'a>(
        self,
        text: &'a str,
    ) -> impl Iterator<Item = Result<Prepared<'a>, Error>> {
        let mut at = 0;
        let words = iter::from_fn(move || {
            let rest = text.get(at..)?;
            let start = at + rest.find(|c: char| !c.is_ascii_whitespace())?;
            let rest = text.get(start..)?;
            let length = rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len());
            at = start + length;
            Some((rest.get(..length)?, start))
        });
        words.map(move |(word, start)| self.part(word, start))
    }

    /// Prepares a string that begins at `start` of the input.
    fn part<'a>(self, text: &'a str, start: usize) -> Result<Prepared<'a>, Error> {
        too_long(start.saturating_add(text.len()))?;
        // The caller does not need the reason why a text is not a reference.
        let parts = located(CpuLevel::best(), Rule::IriReference, text.as_bytes());
        let given = parts.map(|parts| view_of(text, parts));
        if let Some(view) = given.filter(|view| self.is_clean(*view)) {
            let clean = match self.base {
                Some(base) => {
                    let made = resolved(base, view.into(), self.may_narrow());
                    made.map(|made| Mapped::of(view, made))
                }
                None => Ok(Mapped::Borrowed(view)),
            };
            #[cfg(debug_assertions)]
            if self.context != Context::Plain {
                self.compare(text, start, clean.as_ref());
            }
            return Ok(Prepared { reference: clean?, repairs: Record::new() });
        }
        let mut annotated = self.annotated(text.as_bytes(), start)?;
        let made = self.made(&mut annotated, start + text.len())?;
        let reference = match given {
            Some(given) => Mapped::of(given, made.reference.into_owned()),
            None => Mapped::Owned(made.reference.into_owned()),
        };
        Ok(Prepared { reference, repairs: made.repairs })
    }

    /// Tells whether certainly nothing changes a reference, except that it is resolved.
    fn is_clean(self, view: IriRef<'_>) -> bool {
        let is_left = || {
            let (allowed, references) = self.rules();
            let base = self.base.as_ref().map(|base| base.scheme());
            Settings { allowed, references, base }.is_clean(view)
        };
        !self.has_scheme_of_base(view) && (self.context == Context::Plain || is_left())
    }

    /// Compares the result of the prescan, which found nothing to repair, with the result of the steps.
    #[cfg(debug_assertions)]
    fn compare(self, text: &str, start: usize, clean: Result<&Mapped<'_, IriReference>, &Error>) {
        let steps = self.annotated(text.as_bytes(), start);
        let made = steps.and_then(|mut steps| self.made(&mut steps, start + text.len()));
        let is_bare = made.as_ref().is_ok_and(|made| made.repairs.list.is_empty());
        let made = made.as_ref().map(|made| made.view());
        assert_eq!(clean.map(Mapped::view), made, "the prescan is wrong: {text:?}");
        assert!(is_bare || clean.is_err(), "the prescan is wrong: {text:?} has repairs");
    }

    /// Tells whether a reference may begin with the scheme of the base, which must then be removed.
    fn has_scheme_of_base(self, view: IriRef<'_>) -> bool {
        let Some(base) = self.base else { return false };
        let is_allowed = self.allowed.but(self.forbidden).contains(RepairKind::SameScheme);
        let schemes = view.scheme().filter(|_| is_allowed).map(|own| (base.scheme(), own));
        schemes.is_some_and(|(base, own)| is_special(base) && base.eq_ignore_ascii_case(own))
            && view.authority().is_none()
    }

    /// Prepares a domain name, and perhaps a port, path, query and fragment, as a link to a page.
    pub(super) fn domain<'a>(self, text: &'a str) -> Result<Prepared<'a>, Error> {
        let mut annotated = self.annotated(text.as_bytes(), 0)?;
        annotated.allowed = annotated.allowed.with(RepairKind::MissingScheme);
        annotated.put_before(RepairKind::MissingScheme, &format!("{}://", self.scheme));
        self.made(&mut annotated, text.len())
    }

    /// Prepares an e-mail address as a link: delimiters in it become triplets (RFC 6068, section 2).
    pub(super) fn address<'a>(self, text: &'a str) -> Result<Prepared<'a>, Error> {
        let mut annotated = self.annotated(text.as_bytes(), 0)?;
        annotated.allowed = annotated.allowed.with(RepairKind::MissingScheme);
        annotated.encode_delimiters();
        annotated.put_before(RepairKind::MissingScheme, "mailto:");
        self.made(&mut annotated, text.len())
    }

    /// Returns the annotated text of bytes that begin at `start` of the input.
    fn annotated(self, bytes: &[u8], start: usize) -> Result<Annotated<'_>, Error> {
        too_long(start.saturating_add(bytes.len()))?;
        let (allowed, references) = self.rules();
        Annotated::new(Rest::new(bytes, start, references), allowed).checked(bytes, start)
    }

    /// Tells whether full-width slashes after the scheme of a reference become ASCII.
    fn may_narrow(self) -> bool {
        self.context != Context::Plain && self.rules().0.contains(RepairKind::FullWidth)
    }

    /// Returns the repairs that are allowed, and how character references are read.
    fn rules(self) -> (Repairs, Option<CharacterReferences>) {
        let allowed = self.allowed.or(Repairs::of(self.context.only())).but(self.forbidden);
        let references = match self.context {
            Context::Html => Some(CharacterReferences::HtmlAttribute),
            Context::Xml => Some(CharacterReferences::Xml),
            Context::Plain | Context::Typed => None,
        };
        (allowed, references.filter(|_| allowed.contains(RepairKind::CharacterReference)))
    }

    /// Runs the steps, in order.
    fn made<'a>(self, annotated: &mut Annotated<'_>, end: usize) -> Result<Prepared<'a>, Error> {
        annotated.trim_marks();
        annotated.unwrap();
        if !annotated.find_script() {
            let base = self.base.as_ref().map(|base| base.scheme());
            annotated.narrow(self.scheme, base);
            annotated.add_scheme(self.scheme, base);
            if let Some(base) = base {
                annotated.drop_scheme(base);
            }
            annotated.turn_slashes(base);
            annotated.mark_path();
        }
        let mut made = annotated.finish(end)?;
        if let Some(base) = self.base {
            made = resolved(base, made, self.may_narrow())?;
        }
        let repairs = core::mem::replace(&mut annotated.record, Record::off());
        Ok(Prepared { reference: Mapped::Owned(made), repairs })
    }
}

/// Checks the length of an input.
///
/// # Errors
/// The input has 4 GiB or more.
const fn too_long(length: usize) -> Result<(), Error> {
    if length > u32::MAX as usize { Err(Error::too_long(u32::MAX)) } else { Ok(()) }
}

/// Resolves a reference relative to a base. A reference with a scheme changes only if its path begins with
/// a slash and has dot segments. In other paths, such as the path of `urn:a/../b`, dots have no meaning to
/// browsers. `may_narrow` tells whether full-width slashes after a scheme become ASCII when the result is
/// prepared again.
fn resolved(base: Iri<'_>, reference: IriRefBuf, may_narrow: bool) -> Result<IriRefBuf, Error> {
    let view = reference.view();
    let has_dots = view.path().starts_with('/') && has_dot_segment(view.path());
    if view.scheme().is_some() && !has_dots {
        return Ok(reference);
    }
    let resolved = Base::new(base).resolve(view)?;
    let parts = resolved.view().parts();
    let resolved = buf_of(resolved.into_string(), parts);
    if may_narrow { with_narrow_start(resolved) } else { Ok(resolved) }
}

/// Puts a dot segment before a path that begins with slashes of which some are full-width, if there is no authority.
/// Without it, the next repair would read these slashes as the slashes before an authority: `./／／` relative to `foo:b` is
/// `foo:./／／`, and not `foo:／／`, which becomes `foo://`.
fn with_narrow_start(reference: IriRefBuf) -> Result<IriRefBuf, Error> {
    let view = reference.view();
    let is_special = view.scheme().is_some_and(is_special);
    let is_slash = |c: &char| narrow(*c) == '/' || is_special && narrow(*c) == '\\';
    let slashes = view.path().chars().take(3).take_while(is_slash);
    let (count, wide) =
        slashes.fold((0, 0), |(count, wide), c| (count + 1, wide + usize::from(!c.is_ascii())));
    // Browsers read any number of slashes as two.
    let are_read = count == 2 || is_special && count > 0;
    if view.authority().is_some() || wide == 0 || !are_read {
        return Ok(reference);
    }
    let [scheme_end, ..] = view.parts().places();
    let (scheme, rest) = slice::split(view.as_str(), scheme_end + 1);
    // The dot segment of `foo:/./／` would be removed the next time.
    format!("{scheme}./{rest}").parse()
}

/// Decodes bytes. Calls `each` with each part of the text and the offset of its bytes.
fn decode(
    bytes: &[u8],
    mark: usize,
    charset: &'static Encoding,
    mut each: impl FnMut(&str, usize),
) -> Result<(), Error> {
    let mut decoder = charset.new_decoder_without_bom_handling();
    // No byte makes a longer text than this.
    let mut piece = String::with_capacity(32);
    let mut start = mark;
    for at in mark..=bytes.len() {
        // After the last byte, the decoder gets an empty input, and reports an incomplete character.
        let (byte, is_last) = (bytes.get(at..=at).unwrap_or_default(), at == bytes.len());
        piece.clear();
        let (result, _) = decoder.decode_to_string_without_replacement(byte, &mut piece, is_last);
        if let DecoderResult::Malformed(..) = result {
            let (kind, end) = (ErrorKind::IllFormedUtf8, (at + 1).min(bytes.len()));
            let octet = bytes.get(start).copied().unwrap_or_default();
            return Err(Error::new(kind, Component::Reference, start..end, octet.into()));
        }
        if !piece.is_empty() {
            each(&piece, start);
            start = at + 1;
        }
    }
    Ok(())
}

/// Offsets in a text, in ascending order, each with the offset in the bytes from which the text was
/// decoded.
struct Places(Vec<(usize, usize)>);

impl Places {
    /// Decodes the bytes again: no offset of a character is stored.
    fn of(bytes: &[u8], mark: usize, charset: &'static Encoding, mut wanted: Vec<usize>) -> Self {
        wanted.sort_unstable();
        wanted.dedup();
        let mut places: Vec<_> = wanted.iter().map(|place| (*place, bytes.len())).collect();
        let (mut length, mut rest) = (0, places.iter_mut().peekable());
        if rest.peek().is_some() {
            // The bytes were decoded before without an error.
            let _ = decode(bytes, mark, charset, |piece, start| {
                length += piece.len();
                while let Some((_, place)) = rest.next_if(|(wanted, _)| *wanted < length) {
                    *place = start;
                }
            });
        }
        Self(places)
    }

    fn get(&self, place: usize) -> usize {
        let at = self.0.binary_search_by_key(&place, |(wanted, _)| *wanted);
        at.ok().and_then(|at| self.0.get(at)).map_or(place, |(_, place)| *place)
    }
}
