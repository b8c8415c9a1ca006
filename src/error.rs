//! Errors as small values, and the texts of all messages.
//!
//! Here: [`Error`], its [`ErrorKind`] and [`Component`], and the messages. Only `Display` writes a message. Not here:
//! the search for the reason (`parse::explain`).
//!
//! A message has the problem, its byte, its component, and the correction: `'|' at byte 31 is not allowed in a query;
//! write %7C`. Invisible characters, such as control and format characters, are shown by number.
#![forbid(unsafe_code)]

mod edit;
#[cfg(any(feature = "http", feature = "url"))]
mod foreign;
mod line;
mod name;
mod template;

use core::{fmt, ops::Range};

pub use edit::Edit;
#[cfg(any(feature = "http", feature = "url"))]
pub use foreign::{ConvertError, ForeignError};
pub use line::ShownChar;
use line::{Hex, Line, Part};
#[cfg(feature = "serde")]
pub use name::ByName;
pub use name::UnknownName;
pub use name::named;
use template::{MessageTemplate, MessageValue, Piece, template};

/// Implements `Debug` for a type that holds a text which was not parsed, or a part of such a text. It writes the other
/// fields and not the text, because the text may hold a password. A typed reference writes `***` for its password.
#[doc(hidden)]
#[macro_export]
macro_rules! __debug_without_text {
    ([$($generics:tt)*] $type:ty, $name:literal $(, $field:ident)*) => {
        impl<$($generics)*> core::fmt::Debug for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct($name)$(.field(stringify!($field), &self.$field))*.finish_non_exhaustive()
            }
        }
    };
}
pub use __debug_without_text as debug_without_text;

/// The reason why an input does not match a rule: the kind, the position and the component.
///
/// A `Copy` value of 16 bytes that borrows nothing from the input and allocates nothing. `Display` writes the
/// message and a hint for the correction.
///
/// ```
/// use simd_iri::{Component, ErrorKind, Rule};
///
/// let error = Rule::Iri.parse("http://example.org/search?q=a|b").unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::NotAllowed);
/// assert_eq!(error.component(), Component::Query);
/// assert_eq!(error.span(), 29..30);
/// assert_eq!(error.to_string(), "'|' at byte 29 is not allowed in a query; write %7C");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Error {
    start: u32,
    end: u32,
    /// The character that is not allowed, or the first byte of ill-formed UTF-8; 0 for other errors.
    ch: u32,
    kind: ErrorKind,
    component: Component,
    note: Note,
}

const _: () = assert!(size_of::<Error>() <= 16);

impl Error {
    /// Returns an error about `span`, which lies within the first `u32::MAX` bytes of the input.
    #[doc(hidden)]
    #[inline]
    pub const fn new(kind: ErrorKind, component: Component, span: Range<usize>, ch: u32) -> Self {
        let (start, end) = (span.start as u32, span.end as u32);
        Self { start, end, ch, kind, component, note: Note::None }
    }

    /// Returns the error about an input of more than `limit` bytes.
    #[doc(hidden)]
    #[inline]
    pub const fn too_long(limit: u32) -> Self {
        let limit = limit as usize;
        Self::new(ErrorKind::TooLong, Component::Reference, limit..limit, 0)
    }

    /// Returns the error with another hint.
    pub(crate) const fn with_note(self, note: Note) -> Self {
        Self { note, ..self }
    }

    /// Returns the error with another span.
    #[doc(hidden)]
    #[inline]
    pub const fn with_span(self, span: Range<usize>) -> Self {
        let (start, end) = (span.start as u32, span.end as u32);
        Self { start, end, ..self }
    }

    /// Returns the error for a longer text, in which the text of this error begins at the byte `offset`.
    ///
    /// ```
    /// use simd_iri::UriRef;
    ///
    /// let request = "GET /a|b HTTP/1.1";
    /// let error = UriRef::parse(&request[4..8]).unwrap_err().moved_by(4);
    /// assert_eq!(error.span(), 6..7);
    /// assert_eq!(error.to_string(), "'|' at byte 6 is not allowed in a path; write %7C");
    /// ```
    #[must_use]
    pub const fn moved_by(self, offset: usize) -> Self {
        let offset = if offset > u32::MAX as usize { u32::MAX } else { offset as u32 };
        let (start, end) = (self.start.saturating_add(offset), self.end.saturating_add(offset));
        Self { start, end, ..self }
    }

    /// Returns the error for the text after its first `offset` bytes: the reverse of [`Error::moved_by`]. A position
    /// within these bytes becomes 0.
    ///
    /// ```
    /// use simd_iri::UriRef;
    ///
    /// let error = UriRef::parse("//host/a|b").unwrap_err().moved_back_by(6);
    /// assert_eq!(error.span(), 2..3);
    /// ```
    #[must_use]
    pub const fn moved_back_by(self, offset: usize) -> Self {
        let offset = if offset > u32::MAX as usize { u32::MAX } else { offset as u32 };
        let (start, end) = (self.start.saturating_sub(offset), self.end.saturating_sub(offset));
        Self { start, end, ..self }
    }

    /// Returns the kind of the violation.
    ///
    /// ```
    /// use simd_iri::{ErrorKind, Rule};
    ///
    /// let error = Rule::Iri.parse("http://example.org:8O/").unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::BadPort);
    /// ```
    #[must_use]
    pub const fn kind(self) -> ErrorKind {
        self.kind
    }

    /// Returns the component that has the violation.
    ///
    /// ```
    /// use simd_iri::{Component, Rule};
    ///
    /// let error = Rule::Iri.parse("http://exa mple.org/").unwrap_err();
    /// assert_eq!(error.component(), Component::Host);
    /// ```
    #[must_use]
    pub const fn component(self) -> Component {
        self.component
    }

    /// Returns the position of the violation: byte offsets into the input, the end excluded.
    ///
    /// The range is empty if something is missing. It falls on character boundaries if the input is UTF-8.
    ///
    /// ```
    /// use simd_iri::Rule;
    ///
    /// let error = Rule::Iri.parse("http://example.org/100%/").unwrap_err();
    /// assert_eq!(error.span(), 22..23);
    /// assert_eq!(Rule::Iri.parse("/a").unwrap_err().span(), 0..0);
    /// ```
    #[must_use]
    pub const fn span(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Returns the byte offset at which the violation begins: the start of [`span`](Self::span).
    ///
    /// ```
    /// # use simd_iri::Iri;
    /// assert_eq!(Iri::parse("http://a/b c").unwrap_err().position(), 10);
    /// ```
    #[doc(alias = "offset")]
    #[doc(alias = "index")]
    #[must_use]
    pub const fn position(self) -> usize {
        self.start as usize
    }

    /// Returns the change that corrects this violation, or `None` if no change is certainly right. The message of the error
    /// says the same in words.
    ///
    /// A character that is not allowed becomes triplets. In a host, a character of ASCII is removed instead, because no
    /// domain name has it. After the change, the text matches, or its first violation is at a later byte or nearer to the end.
    ///
    /// ```
    /// use simd_iri::Iri;
    ///
    /// let text = "http://a/50% off";
    /// let mut fixed = text.to_owned();
    /// while let Some(edit) = Iri::parse(&fixed).err().and_then(|error| error.suggestion()) {
    ///     fixed = edit.apply(&fixed).unwrap();
    /// }
    /// assert_eq!(fixed, "http://a/50%25%20off");
    /// assert_eq!(Iri::parse("http://ex ample/").unwrap_err().suggestion().unwrap().as_str(), "");
    /// assert_eq!(Iri::parse("a/b").unwrap_err().suggestion(), None);
    /// ```
    #[must_use]
    pub fn suggestion(self) -> Option<Edit> {
        let Self { start, end, kind, component, note, .. } = self;
        let ch = self.character();
        let put = |text| Some(Edit::new(start, end, text));
        let before = |start, text| Some(Edit::new(start, start, text));
        match (kind, note) {
            (ErrorKind::NotAllowed, Note::AfterIpLiteral) => None,
            (ErrorKind::NotAllowed, Note::SlashFirst) => before(start, "/"),
            // The error is at the second slash.
            (ErrorKind::NotAllowed, Note::DoubleSlash) => before(start.checked_sub(1)?, "/."),
            (ErrorKind::NotAllowed, Note::Remove) => put(""),
            (ErrorKind::NotAllowed, Note::None | Note::RelativePath) => match component {
                // Another delimiter ends the host, or begins it: the text has more than a host.
                Component::Host if DELIMITERS_OF_HOST.contains(&ch) => None,
                Component::Host if ch.is_ascii() => put(""),
                _ => Some(Edit::triplets(start, end, ch)),
            },
            // A span of more than two bytes is not a triplet: it is a character reference to a percent sign.
            (ErrorKind::BadPercentEncoding, _) if end.saturating_sub(start) <= 2 => {
                Some(Edit::new(start, start.saturating_add(1), "%25"))
            }
            (ErrorKind::PrivateUse, _) => Some(Edit::triplets(start, end, ch)),
            // The error is at the first of perhaps several characters.
            (ErrorKind::NonAscii, _) => {
                Some(Edit::triplets(start, start.saturating_add(ch.len_utf8() as u32), ch))
            }
            _ => None,
        }
    }

    /// Returns the character that is not allowed. For ill-formed UTF-8, `ch` is a byte and not a character.
    fn character(self) -> char {
        char::from_u32(self.ch).unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    /// Returns the error as four numbers, for a program in another language: the start and the end of the position,
    /// the character, and a number of three bytes. The lowest byte of this number is the place of the kind in
    /// [`ErrorKind::ALL`], counted from 1. The second byte is the number of the component. The third byte selects the
    /// hint of the message.
    ///
    /// ```
    /// use simd_iri::{Error, Rule};
    ///
    /// let error = Rule::Iri.parse("http://a/b|c").unwrap_err();
    /// assert_eq!(error.to_words(), [10, 11, u32::from('|'), 0x06_01]);
    /// assert_eq!(Error::from_words(error.to_words()), Some(error));
    /// ```
    #[must_use]
    pub const fn to_words(self) -> [u32; 4] {
        let Self { start, end, ch, kind, component, note } = self;
        [start, end, ch, (kind as u32 + 1) | (component as u32) << 8 | (note as u32) << 16]
    }

    /// Returns the error that [`to_words`](Self::to_words) has written as these numbers. Returns `None` if the numbers
    /// are not an error.
    ///
    /// ```
    /// assert_eq!(simd_iri::Error::from_words([0; 4]), None);
    /// ```
    #[must_use]
    pub fn from_words([start, end, ch, codes]: [u32; 4]) -> Option<Self> {
        let [kind, component, note, rest] = codes.to_le_bytes();
        let kind = *ErrorKind::ALL.get(usize::from(kind.checked_sub(1)?))?;
        let component = *Component::ALL.get(usize::from(component))?;
        let note = *Note::ALL.get(usize::from(note))?;
        let is_place = start <= end && rest == 0;
        is_place.then_some(Self { start, end, ch, kind, component, note })
    }
}

impl core::error::Error for Error {}

/// Writes the kind, the component and the span; and the character or byte, if there is one.
///
/// ```
/// let error = simd_iri::Iri::parse("http://a/b|c").unwrap_err();
/// assert_eq!(format!("{error:?}"), "Error { kind: NotAllowed, component: Path, span: 10..11, character: '|' }");
/// ```
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_struct("Error");
        fields.field("kind", &self.kind).field("component", &self.component);
        fields.field("span", &self.span());
        match self.kind {
            ErrorKind::IllFormedUtf8 => fields.field("byte", &format_args!("0x{:02X}", self.ch)),
            // Only a place with a character can have U+0000.
            _ if self.ch == 0 && (self.start == self.end || !self.kind.has_character()) => {
                &mut fields
            }
            _ => fields.field("character", &self.character()),
        };
        if self.note != Note::None {
            fields.field("note", &self.note);
        }
        fields.finish()
    }
}

/// Writes the accessors of [`Error`] for an error that holds it in the field `error`.
macro_rules! forward_error {
    ([$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> $type {
            /// Returns the kind of the violation: [`Error::kind`].
            ///
            /// ```
            /// # use simd_iri::{ErrorKind, Iri, IriBuf};
            /// let refused = IriBuf::try_from(String::from("a:b c")).unwrap_err();
            /// assert_eq!(refused.kind(), ErrorKind::NotAllowed);
            /// assert_eq!(Iri::parse_until("a:b c>", b'>').unwrap_err().kind(), ErrorKind::NotAllowed);
            /// ```
            #[must_use]
            pub const fn kind(&self) -> ErrorKind {
                self.error.kind()
            }

            /// Returns the component that has the violation: [`Error::component`].
            ///
            /// ```
            /// # use simd_iri::{Component, IriBuf};
            /// let refused = IriBuf::try_from(String::from("a:b c")).unwrap_err();
            /// assert_eq!(refused.component(), Component::Path);
            /// ```
            #[must_use]
            pub const fn component(&self) -> Component {
                self.error.component()
            }

            /// Returns the byte offset at which the violation begins: [`Error::position`].
            ///
            /// ```
            /// # use simd_iri::IriBuf;
            /// let refused = IriBuf::try_from(String::from("a:b c")).unwrap_err();
            /// assert_eq!(refused.position(), 3);
            /// ```
            #[must_use]
            pub const fn position(&self) -> usize {
                self.error.position()
            }

            /// Returns the byte offsets of the violation in the text: [`Error::span`].
            ///
            /// ```
            /// # use simd_iri::IriBuf;
            /// let refused = IriBuf::try_from(String::from("a:b c")).unwrap_err();
            /// assert_eq!(refused.span(), 3..4);
            /// ```
            #[must_use]
            pub const fn span(&self) -> Range<usize> {
                self.error.span()
            }
        }
    };
}

forward_error!([T] InvalidText<T>);
forward_error!([] UntilError);

/// A text that does not match a rule, and the reason. A failed conversion of an owned text returns the text in this
/// error.
///
/// ```
/// use simd_iri::{ErrorKind, UriBuf};
///
/// let refused = UriBuf::try_from(String::from("http://a/é")).unwrap_err();
/// assert_eq!((refused.kind(), refused.span()), (ErrorKind::NonAscii, 9..11));
/// assert_eq!(refused.into_text(), "http://a/é");
/// ```
///
/// `Debug` writes the reason alone. The text may hold a password, which cannot be found in a text that matches no rule.
#[derive(Clone, PartialEq, Eq)]
pub struct InvalidText<T> {
    error: Error,
    text: T,
}

debug_without_text!([T] InvalidText<T>, "InvalidText", error);

impl<T> InvalidText<T> {
    /// Returns a text with the reason.
    pub(crate) const fn new(error: Error, text: T) -> Self {
        Self { error, text }
    }

    /// Returns the first violation.
    ///
    /// ```
    /// # use simd_iri::IriBuf;
    /// let refused = IriBuf::try_from(String::from("a:b c")).unwrap_err();
    /// assert_eq!(refused.error().span(), 3..4);
    /// ```
    #[must_use]
    pub const fn error(&self) -> Error {
        self.error
    }

    /// Returns the text, unchanged.
    ///
    /// ```
    /// # use simd_iri::IriBuf;
    /// let refused = IriBuf::try_from(String::from("a:b c")).unwrap_err();
    /// assert_eq!(refused.into_text(), "a:b c");
    /// ```
    #[must_use]
    pub fn into_text(self) -> T {
        self.text
    }
}

impl<T> fmt::Display for InvalidText<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl<T> core::error::Error for InvalidText<T> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.error)
    }
}

impl<T> From<InvalidText<T>> for Error {
    fn from(refused: InvalidText<T>) -> Self {
        refused.error
    }
}

/// The reason why the text before a terminator is not a reference, and the position of the terminator.
///
/// ```
/// use simd_iri::{Iri, parser::Terminators};
///
/// let line = "<http://a/b c> .";
/// let refused = Iri::parse_until(&line[1..], &Terminators::new(b">").unwrap()).unwrap_err();
/// assert_eq!(&line[1..][refused.end()..], "> .");
/// assert_eq!(refused.to_string(), "' ' at byte 10 is not allowed in a path; write %20");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct UntilError {
    error: Error,
    end: usize,
}

impl UntilError {
    pub(crate) const fn new(error: Error, end: usize) -> Self {
        Self { error, end }
    }

    /// Returns the first violation.
    ///
    /// ```
    /// # use simd_iri::{Iri, parser::Terminators};
    /// let refused = Iri::parse_until("a:<b>", &Terminators::new(b">").unwrap()).unwrap_err();
    /// assert_eq!(refused.error().span(), 2..3);
    /// ```
    #[must_use]
    pub const fn error(self) -> Error {
        self.error
    }

    /// Returns the byte offset of the terminator, or the length of the input if there is none.
    ///
    /// ```
    /// # use simd_iri::{Iri, parser::Terminators};
    /// let end = |text| Iri::parse_until(text, &Terminators::new(b">").unwrap()).unwrap_err().end();
    /// assert_eq!((end("a b> c"), end("a b")), (3, 3));
    /// ```
    #[must_use]
    pub const fn end(self) -> usize {
        self.end
    }
}

impl fmt::Display for UntilError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl core::error::Error for UntilError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.error)
    }
}

impl From<UntilError> for Error {
    fn from(refused: UntilError) -> Self {
        refused.error
    }
}

/// Allows conversions that cannot fail where a conversion that can fail is expected.
impl From<core::convert::Infallible> for Error {
    fn from(never: core::convert::Infallible) -> Self {
        match never {}
    }
}

/// The reason why offsets and values are not a column.
///
/// ```
/// use simd_iri::batch::TextColumn;
///
/// let error = TextColumn::new(&[0, 3], b"a").unwrap_err();
/// assert_eq!(error.to_string(), "offset 1 is past the end of the values");
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ColumnError {
    /// There is no offset. Even an empty column has one offset, which is its end.
    NoOffset,
    /// An offset is less than 0, or less than the offset before it.
    Descending {
        /// The index of the offset.
        index: usize,
    },
    /// An offset is past the end of the values.
    OutOfBounds {
        /// The index of the offset.
        index: usize,
    },
    /// A validity bitmap has fewer bits than the column has items.
    FewBits {
        /// The number of items.
        items: usize,
    },
}

impl fmt::Display for ColumnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoOffset => {
                f.write_str("a column has one offset more than items, and so at least one")
            }
            Self::Descending { index } => {
                write!(f, "offset {index} is less than 0 or than the one before it")
            }
            Self::OutOfBounds { index } => {
                write!(f, "offset {index} is past the end of the values")
            }
            Self::FewBits { items } => {
                write!(f, "the validity bitmap has fewer bits than the {items} items")
            }
        }
    }
}

impl core::error::Error for ColumnError {}

/// The note of an error. The hint follows from it, and from the kind, the component and the character.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Note {
    /// No note.
    None,
    /// The character stands after the `]` of an IP literal, where the host has ended.
    AfterIpLiteral,
    /// The text before the colon may be meant as the first segment of a relative path.
    RelativePath,
    /// The expected form of path begins with `/`.
    SlashFirst,
    /// The expected form of path does not begin with `//`.
    DoubleSlash,
    /// The character begins something that must be removed.
    Remove,
}

impl Note {
    /// All notes, in the order of their numbers.
    const ALL: [Self; 6] = [
        Self::None,
        Self::AfterIpLiteral,
        Self::RelativePath,
        Self::SlashFirst,
        Self::DoubleSlash,
        Self::Remove,
    ];
}

// The list has every note: the last note is at its place.
const _: () = assert!(Note::ALL.len() == Note::Remove as usize + 1);

/// The kinds of violations, which a program can distinguish.
///
/// [`Error`] has the position; its message has the correction.
///
/// ```
/// use simd_iri::{ErrorKind::*, Rule};
///
/// for (input, kind) in [
///     ("http://a/<b>", NotAllowed),
///     ("http://a/100%", BadPercentEncoding),
///     ("http://a/\u{E000}", PrivateUse),
///     ("1http://a/", BadScheme),
///     ("http://[::1::]/", BadIpLiteral),
///     ("http://a:b/", BadPort),
///     ("http://a@b@c/", SecondAt),
///     ("//a/", MissingScheme),
///     ("http://[::1", UnexpectedEnd),
/// ] {
///     assert_eq!(Rule::Iri.parse(input).unwrap_err().kind(), kind);
/// }
/// assert_eq!(Rule::Iri.parse_bytes(b"http://a/\xFF").unwrap_err().kind(), IllFormedUtf8);
/// assert_eq!(Rule::IrelativeRef.parse("a:b").unwrap_err().kind(), ColonInFirstSegment);
/// assert_eq!(Rule::AbsoluteIri.parse("a:b#c").unwrap_err().kind(), FragmentNotAllowed);
/// assert_eq!(Rule::Uri.parse("http://a/é").unwrap_err().kind(), NonAscii);
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ErrorKind {
    /// A character that its component does not allow (RFC 3987 section 2.2).
    NotAllowed,
    /// A `%` without two hexadecimal digits after it (RFC 3986 section 2.1).
    BadPercentEncoding,
    /// Bytes that are not UTF-8 (RFC 3629 section 4), one error for each maximal ill-formed part.
    IllFormedUtf8,
    /// A private-use character outside a query (`iprivate`, RFC 3987 section 2.2).
    PrivateUse,
    /// A scheme that is empty, does not begin with a letter, or holds a character that a scheme
    /// does not allow (RFC 3986 section 3.1).
    BadScheme,
    /// Text in brackets that is not an IP literal; or, where an IP address alone is expected, text that is not an IP
    /// address (RFC 3986 section 3.2.2).
    BadIpLiteral,
    /// A character in a port that is not a digit (RFC 3986 section 3.2.3).
    BadPort,
    /// An `@` in an authority that already has an `@` (RFC 3986 section 3.2).
    SecondAt,
    /// A `:` in the first segment of a relative path (RFC 3986 section 4.2).
    ColonInFirstSegment,
    /// No scheme where the rule requires one (RFC 3987 section 2.2).
    MissingScheme,
    /// A fragment where the rule does not allow a fragment: `absolute-IRI`, `absolute-URI` (RFC 3986 section 4.3).
    FragmentNotAllowed,
    /// Characters outside ASCII where a URI is expected (RFC 3986 section 2).
    NonAscii,
    /// The input ends too early: an IP literal has no `]`, or something required is missing.
    UnexpectedEnd,
    /// A host that is not a domain name by UTS #46, where a domain name is expected (RFC 3987 section 3.1).
    BadDomain,
    /// A character that the chosen charset does not have.
    Unmappable,
    /// In XML, a character reference to a number that is not a character (XML 1.0 section 4.1).
    BadCharacterReference,
    /// An input of more than `u32::MAX` bytes, because offsets have 32 bits. In a stream, an item of more bytes than
    /// the limit.
    TooLong,
}

named! {
    /// Returns the name in kebab-case, which stays the same between versions: for logs and machine-readable output.
    "simd_iri::ErrorKind" ErrorKind {
        NotAllowed = "character-not-allowed",
        BadPercentEncoding = "bad-percent-encoding",
        IllFormedUtf8 = "ill-formed-utf8",
        PrivateUse = "private-use-character",
        BadScheme = "bad-scheme",
        BadIpLiteral = "bad-ip-literal",
        BadPort = "bad-port",
        SecondAt = "second-at",
        ColonInFirstSegment = "colon-in-first-segment",
        MissingScheme = "missing-scheme",
        FragmentNotAllowed = "fragment-not-allowed",
        NonAscii = "non-ascii",
        UnexpectedEnd = "unexpected-end",
        BadDomain = "bad-domain",
        Unmappable = "unmappable-character",
        BadCharacterReference = "bad-character-reference",
        TooLong = "too-long",
    }
}

impl ErrorKind {
    /// Tells whether an error of this kind is about a character, wherever its span is not empty.
    fn has_character(self) -> bool {
        matches!(self, Self::NotAllowed | Self::BadPort | Self::BadScheme)
    }
}

// The list has every kind: the last kind is at its place.
const _: () = assert!(ErrorKind::ALL.len() == ErrorKind::TooLong as usize + 1);

/// A component of a reference (RFC 3986 section 3), as an error names it.
///
/// ```
/// use simd_iri::{Component, Rule};
///
/// let error = Rule::Iri.parse("http://a/#b#c").unwrap_err();
/// assert_eq!(error.component(), Component::Fragment);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Component {
    /// The reference as a whole.
    Reference,
    /// The scheme (RFC 3986 section 3.1).
    Scheme,
    /// The authority as a whole (RFC 3986 section 3.2).
    Authority,
    /// The user information before the `@` (RFC 3986 section 3.2.1).
    Userinfo,
    /// The host, an IP literal with its brackets (RFC 3986 section 3.2.2).
    Host,
    /// The port (RFC 3986 section 3.2.3).
    Port,
    /// The path (RFC 3986 section 3.3).
    Path,
    /// The query after the `?` (RFC 3986 section 3.4).
    Query,
    /// The fragment after the `#` (RFC 3986 section 3.5).
    Fragment,
}

named! {
    /// Returns the name in lower case.
    "simd_iri::Component" Component {
        Reference = "reference",
        Scheme = "scheme",
        Authority = "authority",
        Userinfo = "userinfo",
        Host = "host",
        Port = "port",
        Path = "path",
        Query = "query",
        Fragment = "fragment",
    }
}

impl Component {
    /// Returns the article of the name.
    #[doc(hidden)]
    pub const fn article(self) -> &'static str {
        match self {
            Self::Authority => "an",
            _ => "a",
        }
    }
}

// The list has every component: the last component is at its place.
const _: () = assert!(Component::ALL.len() == Component::Fragment as usize + 1);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = Line::new(f);
        self.put(&mut line)?;
        line.flush()
    }
}

impl Part for Error {
    fn put(self, line: &mut Line<'_, '_>) -> fmt::Result {
        let Self { component, .. } = self;
        let edit = self.suggestion();
        let edit = edit.as_ref().map_or("", Edit::as_str);
        let (message, hint) = self.message(edit.is_empty());
        for piece in message.chain(hint) {
            match piece {
                Piece::Text(text) => line.text(text),
                // The message about ill-formed UTF-8 does not use the character.
                Piece::Value(MessageValue::Shown) => ShownChar(self.character()).put(line),
                Piece::Value(MessageValue::At) => self.start.put(line),
                Piece::Value(MessageValue::Article) => line.text(component.article()),
                Piece::Value(MessageValue::Name) => line.text(component.name()),
                Piece::Value(MessageValue::Octet) => Hex(self.ch, 2).put(line),
                Piece::Value(MessageValue::Edit) => line.text(edit),
            }?;
        }
        Ok(())
    }
}

impl Error {
    /// Returns the message in two halves; most often, the second half is the hint. `no_edit` is whether there is no new
    /// text that corrects the error.
    fn message(self, no_edit: bool) -> (MessageTemplate, MessageTemplate) {
        let Self { start: at, component, .. } = self;
        let ch = self.character();
        let nothing = template!("");
        match self.kind {
            ErrorKind::NotAllowed => (
                template!("{shown} at byte {at} is not allowed in {article} {name}; "),
                self.hint(ch, no_edit),
            ),
            ErrorKind::BadPercentEncoding => (
                template!(
                    "'%' at byte {at} in {article} {name} is not followed by two hexadecimal digits; "
                ),
                template!("write %25 for a literal '%'"),
            ),
            ErrorKind::IllFormedUtf8 => (
                template!("0x{octet} at byte {at} in {article} {name} begins ill-formed UTF-8; "),
                template!("convert the text to UTF-8"),
            ),
            ErrorKind::PrivateUse => (
                template!(
                    "private-use character {shown} at byte {at} is not allowed in {article} {name}, "
                ),
                template!("only in a query; write {edit}"),
            ),
            ErrorKind::BadScheme => {
                let message = match at {
                    _ if self.start == self.end => {
                        template!("the scheme at byte {at} is empty; write one before the ':'")
                    }
                    // A blank, a line end, a byte-order mark: what a text has by mistake.
                    0 if ch == ' ' || !line::is_shown(ch) => {
                        template!("{shown} at byte {at} is not allowed in a scheme; remove it")
                    }
                    0 => template!(
                        "{shown} at byte {at} is not allowed in a scheme; begin it with a letter"
                    ),
                    _ => template!(
                        "{shown} at byte {at} is not allowed in a scheme; write letters, digits, '+', '-' or '.'"
                    ),
                };
                let hint = match self.note {
                    Note::RelativePath => template!(", or begin a relative path with \"./\""),
                    _ => nothing,
                };
                (message, hint)
            }
            ErrorKind::BadIpLiteral => (
                template!("the IP address at byte {at} in {article} {name} is not valid; "),
                match ch {
                    '%' => template!(
                        "remove the zone identifier, which is not part of an IRI (RFC 9844)"
                    ),
                    '[' => template!(
                        "write IPv6 as [2001:db8::1], and IPv4 as 192.0.2.1 without brackets"
                    ),
                    _ => template!("write IPv6 as 2001:db8::1, and IPv4 as 192.0.2.1"),
                },
            ),
            ErrorKind::BadPort => (
                template!("{shown} at byte {at} is not allowed in a port; write digits alone"),
                match ch {
                    ':' => template!(", and an IPv6 address in brackets"),
                    _ => nothing,
                },
            ),
            ErrorKind::SecondAt => (
                template!(
                    "'@' at byte {at} is not allowed in {article} {name} that already has one; "
                ),
                template!("write %40 for the '@' before it"),
            ),
            ErrorKind::ColonInFirstSegment => (
                template!(
                    "':' at byte {at} is not allowed in the first segment of a relative path; "
                ),
                template!("put \"./\" before the path"),
            ),
            ErrorKind::MissingScheme => {
                (template!("no scheme at byte {at}; begin with one, such as \"https:\""), nothing)
            }
            ErrorKind::FragmentNotAllowed => (
                template!(
                    "'#' at byte {at} begins a fragment, which an absolute IRI and a request target do not have; "
                ),
                template!("remove it"),
            ),
            ErrorKind::NonAscii => (
                template!("{shown} at byte {at} in {article} {name} is not ASCII, as a URI is; "),
                if self.span().len() == ch.len_utf8() {
                    template!("map the IRI to a URI first, or write {edit}")
                } else {
                    template!("map the IRI to a URI first, or write {edit} and so on")
                },
            ),
            // A host ends too early after its first byte only inside an IP literal.
            ErrorKind::UnexpectedEnd if at > 0 && component == Component::Host => {
                (template!("the {name} ends at byte {at} within an IP literal; add ']'"), nothing)
            }
            ErrorKind::UnexpectedEnd => (
                template!("nothing at byte {at} where {article} {name} is required; write one"),
                nothing,
            ),
            ErrorKind::BadDomain => (
                template!("the {name} at byte {at} is no domain name by UTS #46; "),
                template!("correct it, or have it percent-encoded"),
            ),
            ErrorKind::Unmappable => (
                template!("{shown} at byte {at} in {article} {name} is not in the charset; "),
                template!("write it in UTF-8, or have it referred to by number"),
            ),
            ErrorKind::BadCharacterReference => (
                template!(
                    "the character reference at byte {at} in {article} {name} stands for no character of XML; "
                ),
                template!("write another character"),
            ),
            ErrorKind::TooLong => (
                template!("{article} {name} of more than {at} bytes is too long; shorten it"),
                nothing,
            ),
        }
    }

    /// Returns the hint about a character that is not allowed: the right text, or what else to do. `no_edit` is that of
    /// [`message`](Self::message).
    fn hint(self, ch: char, no_edit: bool) -> MessageTemplate {
        match self.note {
            Note::AfterIpLiteral => {
                return template!(
                    "the host ends with its ']', which only a port with its ':' may follow"
                );
            }
            Note::SlashFirst => return template!("begin this form of path with '/'"),
            Note::DoubleSlash => return template!("put \"/.\" before a path that begins so"),
            Note::Remove => return template!("remove it"),
            Note::None | Note::RelativePath => {}
        }
        match (ch, self.component) {
            ('\\', Component::Query | Component::Fragment) => template!("write {edit}"),
            ('\\', Component::Host) => {
                template!("write '/' if a separator was meant, or remove it")
            }
            ('\\', _) => template!("write {edit}, or '/' if a separator was meant"),
            ('[' | ']', Component::Host) => {
                template!("remove it; brackets are only for the IP literal of a host")
            }
            ('[' | ']', _) => {
                template!("write {edit}; brackets are only for the IP literal of a host")
            }
            (ch, Component::Host) if DELIMITERS_OF_HOST.contains(&ch) => {
                template!("write only the host, without the text before or after it")
            }
            _ if no_edit => template!("remove it"),
            _ if ch.is_control() => template!("remove it, or write {edit}"),
            _ => template!("write {edit}"),
        }
    }
}

/// The characters that end a host or begin it. A text with them has more than a host, and a browser reads a backslash as
/// a slash.
const DELIMITERS_OF_HOST: [char; 8] = ['\\', '/', '?', '#', '@', ':', '[', ']'];
