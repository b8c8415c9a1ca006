//! The kinds of repairs, and the record of a repair. Not here: how a repair is made.

use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use simd_iri::low::named;

/// A repair of an arbitrary string, and its place.
///
/// ```
/// use simd_iri_text::{Prepare, RepairKind, RepairSet};
///
/// let prepared = Prepare::new(RepairSet::BrowserLike).prepare(r" http:\\a/b c")?;
/// assert_eq!(prepared.view(), "http://a/b%20c");
/// let [trimmed, first, second, space] = prepared.repairs() else { panic!("four repairs") };
/// assert_eq!((trimmed.kind(), trimmed.span()), (RepairKind::Trimmed, 0..1));
/// assert_eq!((first.kind(), second.span()), (RepairKind::Backslash, 7..8));
/// assert_eq!(space.to_string(), "bytes 11..12: a space was percent-encoded");
/// # Ok::<(), simd_iri::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Repair {
    kind: RepairKind,
    start: u32,
    end: u32,
}

impl Repair {
    pub(crate) const fn new(kind: RepairKind, start: u32, end: u32) -> Self {
        Self { kind, start, end }
    }

    /// Returns the kind of the repair.
    ///
    /// ```
    /// # use simd_iri_text::{Prepare, RepairKind, RepairSet};
    /// let prepared = Prepare::new(RepairSet::BrowserLike).prepare("100%")?;
    /// assert_eq!(prepared.repairs()[0].kind(), RepairKind::StrayPercent);
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub const fn kind(self) -> RepairKind {
        self.kind
    }

    /// Returns the byte offsets in the input. The range is empty if the repair inserts something.
    ///
    /// ```
    /// # use simd_iri_text::{Prepare, RepairSet};
    /// let prepared = Prepare::new(RepairSet::BrowserLike).prepare("a b")?;
    /// assert_eq!(prepared.repairs()[0].span(), 1..2);
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub const fn span(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bytes {}..{}: {}", self.start, self.end, self.kind.words())
    }
}

/// The kinds of repairs. A [`RepairSet`](crate::RepairSet) is a set of kinds, which
/// [`Prepare::allow`](crate::Prepare::allow) and [`forbid`](crate::Prepare::forbid) change.
///
/// ```
/// use simd_iri_text::{Prepare, RepairKind, RepairSet};
///
/// let prepare = Prepare::new(RepairSet::Strict);
/// assert!(prepare.prepare("a b").is_err());
/// assert_eq!(prepare.allow(RepairKind::Space).prepare("a b")?.view(), "a%20b");
/// assert_eq!(prepare.allow(RepairKind::SpaceRemoved).prepare("a b")?.view(), "ab");
/// # Ok::<(), simd_iri::Error>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum RepairKind {
    /// A byte-order mark at the start is removed.
    ByteOrderMark,
    /// Space, carriage return, line feed and tab at either end are removed (guidelines, section 4, step 1);
    /// in the context of HTML, form feed too, which is white space there.
    Trimmed,
    /// Control characters U+0000 to U+001F at either end, and the white space among them, are removed (URL
    /// Standard, section 4.4).
    TrimmedControl,
    /// In the contexts of HTML and XML: a character reference becomes its character.
    CharacterReference,
    /// In the context of typed text: `<…>`, quotes on both sides, or `URL:` at the start (RFC 3986,
    /// appendix C) are removed.
    Wrapper,
    /// In the context of typed text: bidi formatting characters and other invisible characters are removed
    /// at either end.
    Invisible,
    /// In the context of typed text: `https:` is put before `//`; `https://` before a name with a dot,
    /// `localhost` or an IP literal, each perhaps with a port; `mailto:` before an address with `@`.
    /// [`Prepare::scheme`](crate::Prepare::scheme) replaces https by another scheme.
    MissingScheme,
    /// Line breaks and tabs inside are removed; in the context of typed text, the spaces around them too
    /// (RFC 3986, appendix C).
    LineBreak,
    /// Spaces inside are removed.
    SpaceRemoved,
    /// A space inside becomes `%20`.
    Space,
    /// Full-width ASCII in scheme and authority, and the ideographic full stop there, become ASCII.
    FullWidth,
    /// With a [base](crate::Prepare::base): the scheme of the reference is removed, if it is the scheme of
    /// the base and is http, https, ws, wss, ftp or file, and if no authority follows. The rest is relative to
    /// the base (RFC 3986, section 5.2.2, and URL Standard, section 4.4).
    SameScheme,
    /// `\` in authority or path becomes `/`, if the scheme is http, https, ws, wss, ftp or file. A reference
    /// without a scheme has the scheme of the base; without a base, `\` becomes `/` too.
    Backslash,
    /// One slash, or more than two, after http, https, ws, wss or ftp and its colon become two. So do more than two slashes
    /// at the start, if the [base](crate::Prepare::base) has one of these schemes.
    Slashes,
    /// In a reference to a file, `C|` for a drive becomes `C:`, and `///` is put before a drive that
    /// follows no slash or is in the place of a host (URL Standard, section 4.4; RFC 8089, section E.2.2).
    Drive,
    /// All `@` of an authority except for the last become `%40`: user information ends at the last `@`, as in
    /// browsers.
    SecondAt,
    /// `%` without two hexadecimal digits after it becomes `%25`.
    StrayPercent,
    /// `#` in a fragment becomes `%23`.
    SecondHash,
    /// `[` and `]` outside an IP literal become `%5B` and `%5D`.
    Bracket,
    /// ASCII that no component allows, other than controls and spaces, becomes triplets: `<`, `>`, `"`,
    /// `{`, `}`, `|`, `\`, `^` and the grave accent.
    NotAllowed,
    /// A control character becomes a triplet, line breaks and tabs too.
    Control,
    /// U+FFFD, which replaces text that was lost before, becomes triplets.
    Replacement,
    /// Other characters outside ASCII that the grammar does not allow in their component become triplets:
    /// private-use characters, noncharacters, tags.
    NotUcschar,
    /// In a host, spaces, controls and ASCII that no component allows become triplets.
    InHost,
    /// Bytes that are not UTF-8 become triplets.
    IllFormed,
    /// `./` is put before a first segment with a colon that does not end a scheme (RFC 3986, section 4.2).
    DotSegment,
    /// Text from a legacy charset is normalized to form C (RFC 3987, section 3.1, variant b).
    NotNormalized,
}

named! {
    /// Returns the name in kebab-case, which stays the same between versions: for logs and machine-readable output.
    "simd_iri_text::RepairKind" RepairKind {
        ByteOrderMark = "byte-order-mark",
        Trimmed = "trimmed",
        TrimmedControl = "trimmed-control",
        CharacterReference = "character-reference",
        Wrapper = "wrapper",
        Invisible = "invisible",
        MissingScheme = "missing-scheme",
        LineBreak = "line-break",
        SpaceRemoved = "space-removed",
        Space = "space",
        FullWidth = "full-width",
        SameScheme = "same-scheme",
        Backslash = "backslash",
        Slashes = "slashes",
        Drive = "drive",
        SecondAt = "second-at",
        StrayPercent = "stray-percent",
        SecondHash = "second-hash",
        Bracket = "bracket",
        NotAllowed = "not-allowed",
        Control = "control",
        Replacement = "replacement-character",
        NotUcschar = "not-ucschar",
        InHost = "in-host",
        IllFormed = "ill-formed-utf8",
        DotSegment = "dot-segment",
        NotNormalized = "not-normalized",
    }
}

impl RepairKind {
    /// Returns a description of the repair, in words.
    const fn words(self) -> &'static str {
        match self {
            Self::ByteOrderMark => "a byte-order mark was left out",
            Self::Trimmed => "white space at an end was left out",
            Self::TrimmedControl => "control characters at an end were left out",
            Self::CharacterReference => "a character reference became its character",
            Self::Wrapper => "a wrapper was left out",
            Self::Invisible => "invisible characters at an end were left out",
            Self::MissingScheme => "a scheme was put before",
            Self::LineBreak => "a line break or tab was left out",
            Self::SpaceRemoved => "spaces were left out",
            Self::Space => "a space was percent-encoded",
            Self::FullWidth => "a full-width character became ASCII",
            Self::SameScheme => "the scheme of the base was left out",
            Self::Backslash => "a backslash became a slash",
            Self::Slashes => "the slashes after the scheme became two",
            Self::Drive => "the drive was written as in \"file:///C:\"",
            Self::SecondAt => "an '@' within the userinfo was percent-encoded",
            Self::StrayPercent => "a stray '%' was percent-encoded",
            Self::SecondHash => "a second '#' was percent-encoded",
            Self::Bracket => "a bracket was percent-encoded",
            Self::NotAllowed => "a character that is not allowed was percent-encoded",
            Self::Control => "a control character was percent-encoded",
            Self::Replacement => "U+FFFD was percent-encoded",
            Self::NotUcschar => "a character outside ASCII that is not allowed was percent-encoded",
            Self::InHost => "a character of the host was percent-encoded",
            Self::IllFormed => "a byte that is not UTF-8 was percent-encoded",
            Self::DotSegment => "\"./\" was put before the path",
            Self::NotNormalized => "the text was normalized to form C",
        }
    }
}

/// The number of repairs of a string that are listed. Other repairs are only counted, so a list has at most
/// 12 KB.
const LISTED: usize = 1_000;

/// The repairs of a string.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) list: Vec<Repair>,
    /// The number of repairs that are not in the list.
    pub(crate) unlisted: usize,
    is_on: bool,
}

impl Record {
    pub(crate) const fn new() -> Self {
        Self { list: Vec::new(), unlisted: 0, is_on: true }
    }

    /// Returns a record that records nothing, for passes that only search.
    pub(crate) const fn off() -> Self {
        Self { list: Vec::new(), unlisted: 0, is_on: false }
    }

    pub(crate) fn push(&mut self, kind: RepairKind, start: u32, end: u32) {
        match self.is_on {
            true if self.list.len() < LISTED => self.list.push(Repair::new(kind, start, end)),
            true => self.unlisted += 1,
            false => {}
        }
    }

    /// Tells whether nothing was repaired.
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Tells whether further repairs are at most counted.
    pub(super) fn counts_only(&self) -> bool {
        !self.is_on || self.list.len() >= LISTED
    }

    /// Counts repairs that are not listed, because the list is full ([`counts_only`](Self::counts_only)).
    pub(super) fn count(&mut self, repairs: usize) {
        if self.is_on {
            self.unlisted += repairs;
        }
    }
}

/// A set of kinds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Repairs(u32);

impl Repairs {
    pub(crate) const fn of(kinds: &[RepairKind]) -> Self {
        let (mut set, mut rest) = (Self(0), kinds);
        while let [kind, tail @ ..] = rest {
            set = set.with(*kind);
            rest = tail;
        }
        set
    }

    pub(crate) const fn with(self, kind: RepairKind) -> Self {
        Self(self.0 | 1 << kind as u8)
    }

    pub(crate) const fn without(self, kind: RepairKind) -> Self {
        Self(self.0 & !(1 << kind as u8))
    }

    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn but(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(crate) const fn contains_all(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    pub(crate) const fn contains(self, kind: RepairKind) -> bool {
        self.0 >> kind as u8 & 1 == 1
    }
}
