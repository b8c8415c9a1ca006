//! An arbitrary string to a reference, by the guidelines of 2011 (RFC 3987, section 7.2).
//!
//! Here: the order of the steps, and the ways in. Not here: the steps (`draft`, `encode`).

#[cfg(feature = "extract")]
use alloc::format;
use alloc::vec::Vec;
use core::iter;
#[cfg(feature = "extract")]
use core::ops::Range;

#[cfg(feature = "charset")]
use encoding_rs::{DecoderResult, Encoding};

use super::draft::{Draft, is_white};
use super::repair::{Repair, RepairKind, Repairs};
use super::{Context, Profile};
use crate::error::Error;
#[cfg(feature = "charset")]
use crate::error::{Component, ErrorKind};
use crate::parse::ComponentRule;
use crate::reference::kind::IriReference;
use crate::reference::{Cow, IriRef, IriRefBuf};
use crate::transform::CharacterReferences;
#[cfg(feature = "charset")]
use crate::transform::composed;

/// How arbitrary strings become references.
///
/// What comes out is an `IRI-reference`, or it is an error. In the context [`Plain`](Context::Plain) a
/// string that is one already is lent as it is, by every profile. What has `javascript` for its scheme
/// is trimmed and otherwise never altered.
///
/// ```
/// use simd_iri::text::{Context, Prepare, Profile};
///
/// let prepare = Prepare::new(Profile::BrowserLike).context(Context::Typed);
/// assert_eq!(prepare.text("www.example.org/a b|c")?.view(), "https://www.example.org/a%20b%7Cc");
/// assert_eq!(prepare.text("<URL:http://a/b\n  c>")?.view(), "http://a/bc");
/// assert_eq!(prepare.text("http://a b/").unwrap_err().span(), 8..9);
/// # Ok::<(), simd_iri::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Prepare<'s> {
    context: Context,
    scheme: &'s str,
    allowed: Repairs,
    forbidden: Repairs,
}

/// A reference, and what was repaired to get it.
///
/// ```
/// use simd_iri::text::{Prepare, Profile};
///
/// let prepared = Prepare::new(Profile::Strict).text("\thttp://a/")?;
/// assert_eq!(prepared.view(), "http://a/");
/// assert_eq!(prepared.repairs().len(), 1);
/// # Ok::<(), simd_iri::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Prepared<'a> {
    reference: Cow<'a, IriReference>,
    repairs: Vec<Repair>,
}

impl<'a> Prepared<'a> {
    /// The reference.
    ///
    /// ```
    /// # use simd_iri::text::{Prepare, Profile};
    /// assert_eq!(Prepare::new(Profile::Leiri).text("a b")?.view(), "a%20b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub fn view(&self) -> IriRef<'_> {
        self.reference.view()
    }

    /// What was repaired, step by step.
    ///
    /// ```
    /// # use simd_iri::text::{Prepare, Profile};
    /// assert!(Prepare::new(Profile::Leiri).text("a")?.repairs().is_empty());
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub fn repairs(&self) -> &[Repair] {
        &self.repairs
    }

    /// The reference, borrowed if the string was one.
    ///
    /// ```
    /// # use simd_iri::text::{Prepare, Profile};
    /// assert!(Prepare::new(Profile::Crawler).text("a")?.into_reference().is_borrowed());
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub fn into_reference(self) -> Cow<'a, IriReference> {
        self.reference
    }
}

#[cfg(feature = "extract")]
impl Prepared<'_> {
    /// The same with other places, owned. `places` turns those of the repairs into others, all at once.
    pub(super) fn moved<'b>(self, places: impl FnOnce(&mut [Range<usize>])) -> Prepared<'b> {
        let mut spans: Vec<_> = self.repairs.iter().map(|repair| repair.span()).collect();
        places(&mut spans);
        let moved = self.repairs.iter().zip(spans);
        let moved = moved
            .map(|(repair, span)| Repair::new(repair.kind(), span.start as u32, span.end as u32));
        let repairs = moved.collect();
        Prepared { reference: Cow::Owned(self.reference.into_buf()), repairs }
    }
}

impl<'s> Prepare<'s> {
    /// The repairs of a profile, in the context [`Plain`](Context::Plain).
    ///
    /// ```
    /// # use simd_iri::text::{Prepare, Profile};
    /// assert!(Prepare::new(Profile::Strict).text("a|b").is_err());
    /// ```
    #[must_use]
    pub const fn new(profile: Profile) -> Self {
        let forbidden = Repairs::of(&[]);
        Self { context: Context::Plain, scheme: "https", allowed: profile.repairs(), forbidden }
    }

    /// Where strings come from.
    ///
    /// ```
    /// # use simd_iri::text::{Context, Prepare, Profile};
    /// let prepare = Prepare::new(Profile::Strict).context(Context::Xml);
    /// assert_eq!(prepare.text("a&#xE9;")?.view(), "aé");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub const fn context(self, context: Context) -> Self {
        Self { context, ..self }
    }

    /// The scheme for hosts without one, where [`RepairKind::MissingScheme`] may be repaired: `https` if
    /// it is not said otherwise. Addresses with `@` get `mailto` all the same.
    ///
    /// # Errors
    /// It is no scheme.
    ///
    /// ```
    /// # use simd_iri::text::{Context, Prepare, Profile};
    /// let prepare = Prepare::new(Profile::Strict).context(Context::Typed).scheme("http")?;
    /// assert_eq!(prepare.text("www.example.org")?.view(), "http://www.example.org");
    /// assert_eq!(prepare.text("//a/b")?.view(), "http://a/b");
    /// assert!(prepare.scheme("ht tp").is_err());
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn scheme(self, scheme: &'s str) -> Result<Self, Error> {
        ComponentRule::Scheme.validate(scheme)?;
        Ok(Self { scheme, ..self })
    }

    /// Lets something be repaired.
    ///
    /// ```
    /// # use simd_iri::text::{Prepare, Profile, RepairKind};
    /// let prepare = Prepare::new(Profile::Strict).allow(RepairKind::NotAllowed);
    /// assert_eq!(prepare.text("a|b")?.view(), "a%7Cb");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub const fn allow(self, kind: RepairKind) -> Self {
        let forbidden = self.forbidden.without(kind);
        Self { allowed: self.allowed.with(kind), forbidden, ..self }
    }

    /// Lets something not be repaired, in no context.
    ///
    /// ```
    /// # use simd_iri::text::{Prepare, Profile, RepairKind};
    /// let prepare = Prepare::new(Profile::BrowserLike).forbid(RepairKind::Backslash);
    /// assert_eq!(prepare.text(r"a\b")?.view(), "a%5Cb");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub const fn forbid(self, kind: RepairKind) -> Self {
        Self { forbidden: self.forbidden.with(kind), ..self }
    }

    /// Prepares a string. One pass if it is a reference; a few otherwise, and 12 bytes are allocated for
    /// each character.
    ///
    /// # Errors
    /// What is wrong and was not repaired, with its place in `text`. A text of 4 GiB or more is one.
    ///
    /// ```
    /// # use simd_iri::text::{Prepare, Profile};
    /// let prepare = Prepare::new(Profile::BrowserLike);
    /// assert_eq!(prepare.text(" /a%b[c]#d#e ")?.view(), "/a%25b%5Bc%5D#d%23e");
    /// assert_eq!(prepare.text(" //a:b").unwrap_err().span(), 5..6);
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn text<'a>(self, text: &'a str) -> Result<Prepared<'a>, Error> {
        self.part(text, 0)
    }

    /// Prepares bytes, which should be UTF-8.
    ///
    /// # Errors
    /// As [`text`](Self::text); so are bytes that are not UTF-8, unless
    /// [`RepairKind::IllFormed`] lets them become triplets.
    ///
    /// ```
    /// # use simd_iri::text::{Prepare, Profile};
    /// assert_eq!(Prepare::new(Profile::BrowserLike).bytes(b"/c\xE9u")?.view(), "/c%E9u");
    /// assert_eq!(Prepare::new(Profile::Strict).bytes(b"/c\xE9u").unwrap_err().span(), 2..3);
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn bytes<'a>(self, bytes: &'a [u8]) -> Result<Prepared<'a>, Error> {
        if let Ok(text) = str::from_utf8(bytes) {
            return self.text(text);
        }
        let mut draft = self.draft(bytes.len())?;
        let mut at = 0;
        for chunk in bytes.utf8_chunks() {
            self.push(&mut draft, chunk.valid(), at)?;
            at += chunk.valid().len();
            for octet in chunk.invalid() {
                draft.push_octet(*octet, at)?;
                at += 1;
            }
        }
        let made = self.repaired(&mut draft, at)?;
        Ok(Prepared { reference: Cow::Owned(made), repairs: draft.repairs })
    }

    /// Prepares bytes in a charset, unless they begin with a byte-order mark, which knows better. Text
    /// from a charset other than those of Unicode is normalized to form C (RFC 3987, section 3.1,
    /// variant b). Places are those of the bytes.
    ///
    /// # Errors
    /// As [`text`](Self::text); so are bytes that mean nothing in the charset.
    ///
    /// ```
    /// # use simd_iri::text::{Prepare, Profile};
    /// let prepare = Prepare::new(Profile::BrowserLike);
    /// let prepared = prepare.bytes_in(b"/\xE9 |", encoding_rs::WINDOWS_1252)?;
    /// assert_eq!(prepared.view(), "/é%20%7C");
    /// assert_eq!(prepared.repairs()[0].span(), 2..3);
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[cfg(feature = "charset")]
    pub fn bytes_in<'a>(
        self,
        bytes: &'a [u8],
        charset: &'static Encoding,
    ) -> Result<Prepared<'a>, Error> {
        let (charset, mark) = Encoding::for_bom(bytes).unwrap_or((charset, 0));
        let mut draft = self.draft(bytes.len())?;
        let (text, places) = decoded(bytes, mark, charset)?;
        if mark > 0 && !draft.repair(RepairKind::ByteOrderMark, 0, mark as u32) {
            let kind = ErrorKind::NotAllowed;
            return Err(Error::new(kind, Component::Reference, 0..mark, 0xFEFF));
        }
        self.push(&mut draft, &text, 0)?;
        // Until now they are places of the text.
        let moved = |at: u32| places.get(at as usize).copied().unwrap_or(bytes.len() as u32);
        for unit in &mut draft.units {
            (unit.start, unit.end) = (moved(unit.start), moved(unit.end));
        }
        let first = usize::from(mark > 0);
        for repair in draft.repairs.iter_mut().skip(first) {
            let span = repair.span();
            let (start, end) = (moved(span.start as u32), moved(span.end as u32));
            *repair = Repair::new(repair.kind(), start, end);
        }
        let mut made = self.repaired(&mut draft, bytes.len())?;
        let is_unicode = charset.output_encoding() == encoding_rs::UTF_8;
        if !is_unicode && draft.allowed.contains(RepairKind::NotNormalized) {
            let normal = composed(made.as_str());
            if normal != made.as_str() {
                draft.repair(RepairKind::NotNormalized, 0, bytes.len() as u32);
                made = normal.parse()?;
            }
        }
        Ok(Prepared { reference: Cow::Owned(made), repairs: draft.repairs })
    }

    /// Prepares each of the strings between spaces (guidelines, section 4, step 2) or other ASCII white
    /// space. Places are those in `text`.
    ///
    /// ```
    /// # use simd_iri::text::{Prepare, Profile};
    /// let made: Result<Vec<_>, _> = Prepare::new(Profile::Rdf).each("a|b  c").collect();
    /// let made = made?;
    /// assert_eq!((made[0].view().as_str(), made[1].view().as_str()), ("a%7Cb", "c"));
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn each<'a>(self, text: &'a str) -> impl Iterator<Item = Result<Prepared<'a>, Error>> {
        let mut at = 0;
        let words = iter::from_fn(move || {
            let rest = text.get(at..)?;
            let start = at + rest.find(|c| !is_white(c))?;
            let rest = text.get(start..)?;
            let length = rest.find(is_white).unwrap_or(rest.len());
            at = start + length;
            Some((rest.get(..length)?, start))
        });
        words.map(move |(word, start)| self.part(word, start))
    }

    /// Prepares a string that begins at `start` of the input.
    fn part<'a>(self, text: &'a str, start: usize) -> Result<Prepared<'a>, Error> {
        let mut draft = self.draft(start.saturating_add(text.len()))?;
        if self.context == Context::Plain
            && let Ok(view) = IriRef::parse(text)
        {
            return Ok(Prepared { reference: Cow::Borrowed(view), repairs: draft.repairs });
        }
        self.push(&mut draft, text, start)?;
        let made = self.repaired(&mut draft, start + text.len())?;
        let reference = match IriRef::parse(text) {
            Ok(given) => Cow::of(given, made),
            Err(_) => Cow::Owned(made),
        };
        Ok(Prepared { reference, repairs: draft.repairs })
    }

    /// Prepares a domain name, with what may come after it, as a link to a page.
    #[cfg(feature = "extract")]
    pub(super) fn domain<'a>(self, text: &'a str) -> Result<Prepared<'a>, Error> {
        let mut draft = self.draft(text.len())?;
        draft.allowed = draft.allowed.with(RepairKind::MissingScheme);
        self.push(&mut draft, text, 0)?;
        draft.put_before(RepairKind::MissingScheme, &format!("{}://", self.scheme));
        let made = self.repaired(&mut draft, text.len())?;
        Ok(Prepared { reference: Cow::Owned(made), repairs: draft.repairs })
    }

    /// Prepares an address of e-mail as a link: what would be a delimiter in it becomes triplets (RFC 6068,
    /// section 2).
    #[cfg(feature = "extract")]
    pub(super) fn address<'a>(self, text: &'a str) -> Result<Prepared<'a>, Error> {
        let mut draft = self.draft(text.len())?;
        draft.allowed = draft.allowed.with(RepairKind::MissingScheme);
        self.push(&mut draft, text, 0)?;
        draft.encode_delimiters();
        draft.put_before(RepairKind::MissingScheme, "mailto:");
        let made = self.repaired(&mut draft, text.len())?;
        Ok(Prepared { reference: Cow::Owned(made), repairs: draft.repairs })
    }

    /// A draft of an input of so many bytes.
    fn draft(self, length: usize) -> Result<Draft, Error> {
        if length > u32::MAX as usize {
            return Err(Error::too_long(u32::MAX));
        }
        let allowed = self.allowed.and(Repairs::of(self.context.only()));
        #[cfg(feature = "charset")]
        let allowed = allowed.with(RepairKind::NotNormalized);
        Ok(Draft::new(allowed.but(self.forbidden)))
    }

    /// Appends text.
    fn push(self, draft: &mut Draft, text: &str, start: usize) -> Result<(), Error> {
        match self.context {
            Context::Html => draft.push_marked_up(text, start, CharacterReferences::HtmlAttribute),
            Context::Xml => draft.push_marked_up(text, start, CharacterReferences::Xml),
            Context::Plain | Context::Typed => {
                draft.push_text(text, start);
                Ok(())
            }
        }
    }

    /// The steps, in order.
    fn repaired(self, draft: &mut Draft, end: usize) -> Result<IriRefBuf, Error> {
        draft.remove_mark();
        draft.trim_ends();
        draft.unwrap();
        // Its text is a program: every change would make it another one.
        let is_script = draft.scheme().is_some_and(|name| name.eq_ignore_ascii_case("javascript"));
        if !is_script {
            draft.remove_white_space();
            draft.narrow();
            draft.add_scheme(self.scheme);
            draft.turn_slashes();
            draft.mark_path();
            draft.encode();
        }
        draft.finish(end)
    }
}

/// Bytes as text, and for each byte of it, and for its end, where what it stands for begins.
#[cfg(feature = "charset")]
fn decoded(
    bytes: &[u8],
    mark: usize,
    charset: &'static Encoding,
) -> Result<(alloc::string::String, Vec<u32>), Error> {
    let mut decoder = charset.new_decoder_without_bom_handling();
    let (mut text, mut places) = (alloc::string::String::new(), Vec::new());
    // No byte makes more text than this.
    const ROOM: usize = 32;
    let mut start = mark;
    for at in mark..=bytes.len() {
        let (byte, is_last) = (bytes.get(at..=at).unwrap_or_default(), at == bytes.len());
        text.reserve(ROOM);
        let (result, _) = decoder.decode_to_string_without_replacement(byte, &mut text, is_last);
        if let DecoderResult::Malformed(..) = result {
            let (kind, end) = (ErrorKind::IllFormedUtf8, (at + 1).min(bytes.len()));
            let octet = bytes.get(start).copied().unwrap_or_default();
            return Err(Error::new(kind, Component::Reference, start..end, octet.into()));
        }
        if text.len() > places.len() {
            places.resize(text.len(), start as u32);
            start = at + 1;
        }
    }
    places.push(bytes.len() as u32);
    Ok((text, places))
}
