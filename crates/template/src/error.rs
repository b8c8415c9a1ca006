//! The errors of a template and of an expansion, and the texts of their messages.
#![forbid(unsafe_code)]

use core::fmt;
use core::ops::Range;

use simd_iri::low::{ShownChar, triplet_text};

/// The reason why a text is not a template, and its place. `Display` writes the message, with the correction.
///
/// ```
/// use simd_iri_template::{Template, TemplateErrorKind};
///
/// let error = Template::parse("/{=id}").unwrap_err();
/// assert_eq!(error.kind(), TemplateErrorKind::ReservedOperator);
/// assert_eq!(error.span(), 2..3);
/// assert_eq!(error.to_string(), "the operator '=' at byte 2 is reserved; the operators are + # . / ; ? &");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TemplateError {
    kind: TemplateErrorKind,
    start: usize,
    /// The character at the place, or U+0000 at the end of the text.
    ch: char,
}

/// The kind of a [`TemplateError`].
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TemplateErrorKind {
    /// A character that a literal may not have.
    NotInLiteral,
    /// A `%` without two hexadecimal digits after it, in a literal or in a name.
    BadTriplet,
    /// A `}` that ends no expression.
    NoStart,
    /// A `{` whose expression has no end.
    NoEnd,
    /// One of `= , ! @ |` after the `{`, which RFC 6570 reserves.
    ReservedOperator,
    /// No name where a variable should be.
    NoName,
    /// A dot at the end of a name, or after another dot.
    BadDot,
    /// After `:`, something else than a number from 1 to 9999.
    BadPrefix,
    /// A character that an expression may not have at this place.
    NotInExpression,
    /// More than 10,000 variables.
    TooManyVariables,
}

impl TemplateError {
    /// Returns an error about the character at a byte offset of the template.
    pub(super) fn at(kind: TemplateErrorKind, text: &str, start: usize) -> Self {
        let ch = text.get(start..).and_then(|rest| rest.chars().next()).unwrap_or_default();
        Self { kind, start, ch }
    }

    /// Returns the kind of the error.
    ///
    /// ```
    /// # use simd_iri_template::{Template, TemplateErrorKind};
    /// assert_eq!(Template::parse("{}").unwrap_err().kind(), TemplateErrorKind::NoName);
    /// ```
    #[must_use]
    pub const fn kind(self) -> TemplateErrorKind {
        self.kind
    }

    /// Returns the place: byte offsets of the character that is not allowed. The range is empty at the end of the text.
    ///
    /// ```
    /// # use simd_iri_template::Template;
    /// assert_eq!(Template::parse("/a}").unwrap_err().span(), 2..3);
    /// ```
    #[must_use]
    pub const fn span(self) -> Range<usize> {
        let length = if self.ch == '\0' { 0 } else { self.ch.len_utf8() };
        self.start..self.start + length
    }

    /// Returns the error as numbers, for an interface that cannot hold the type: the byte offset, the character at the
    /// place, and a number of the kind, which is not 0.
    ///
    /// ```
    /// use simd_iri_template::{Template, TemplateError};
    ///
    /// let error = Template::parse("/a b").unwrap_err();
    /// assert_eq!(error.to_words(), [2, u32::from(' '), 1]);
    /// assert_eq!(TemplateError::from_words(error.to_words()), Some(error));
    /// ```
    #[must_use]
    pub fn to_words(self) -> [u32; 3] {
        let start = u32::try_from(self.start).unwrap_or(u32::MAX);
        [start, self.ch.into(), self.kind as u32 + 1]
    }

    /// Returns the error that [`to_words`](Self::to_words) has written as these numbers. Returns `None` if the numbers
    /// are not an error.
    ///
    /// ```
    /// assert_eq!(simd_iri_template::TemplateError::from_words([0; 3]), None);
    /// ```
    #[must_use]
    pub fn from_words([start, ch, kind]: [u32; 3]) -> Option<Self> {
        let kind = *KINDS.get(usize::try_from(kind.checked_sub(1)?).ok()?)?;
        Some(Self { kind, start: start as usize, ch: char::from_u32(ch)? })
    }
}

/// The kinds in the order of their numbers.
const KINDS: [TemplateErrorKind; 10] = [
    TemplateErrorKind::NotInLiteral,
    TemplateErrorKind::BadTriplet,
    TemplateErrorKind::NoStart,
    TemplateErrorKind::NoEnd,
    TemplateErrorKind::ReservedOperator,
    TemplateErrorKind::NoName,
    TemplateErrorKind::BadDot,
    TemplateErrorKind::BadPrefix,
    TemplateErrorKind::NotInExpression,
    TemplateErrorKind::TooManyVariables,
];

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, start: at, ch } = *self;
        let shown = ShownChar(ch);
        match kind {
            TemplateErrorKind::NotInLiteral => {
                write!(f, "{shown} at byte {at} is not allowed in a literal; write ")?;
                ch.encode_utf8(&mut [0; 4])
                    .bytes()
                    .try_for_each(|byte| f.write_str(triplet_text(byte)))
            }
            TemplateErrorKind::BadTriplet => write!(
                f,
                "'%' at byte {at} is not followed by two hexadecimal digits; write %25 for a percent sign"
            ),
            TemplateErrorKind::NoStart => {
                write!(
                    f,
                    "'}}' at byte {at} ends no expression; write %7D, or {{ before the expression"
                )
            }
            TemplateErrorKind::NoEnd => {
                write!(
                    f,
                    "the expression at byte {at} has no end; write }} after its last variable"
                )
            }
            TemplateErrorKind::ReservedOperator => {
                write!(
                    f,
                    "the operator {shown} at byte {at} is reserved; the operators are + # . / ; ? &"
                )
            }
            TemplateErrorKind::NoName => write!(
                f,
                "the name of a variable is missing at byte {at}; a name has letters, digits, '_' and triplets"
            ),
            TemplateErrorKind::BadDot => {
                write!(f, "the dot at byte {at} is not between two characters of a name; remove it")
            }
            TemplateErrorKind::BadPrefix => write!(
                f,
                "the length of a prefix at byte {at} is not a number from 1 to 9999 without a zero before it; \
                 write :3 for three characters"
            ),
            TemplateErrorKind::NotInExpression => write!(
                f,
                "{shown} at byte {at} is not allowed in an expression; a variable is a name of letters, digits, '_', \
                 triplets and single dots, with :3 or * after it, and ',' separates variables"
            ),
            TemplateErrorKind::TooManyVariables => {
                write!(
                    f,
                    "the variable at byte {at} is one too many; a template has at most 10000 variables"
                )
            }
        }
    }
}

impl core::error::Error for TemplateError {}

/// The reason why a template cannot be expanded: a variable with a prefix, such as `{a:3}`, has a list or a map as its
/// value. A prefix is of a text (RFC 6570, section 2.4.1).
///
/// ```
/// use simd_iri_template::{Template, Variables};
///
/// let template = Template::parse("/{a:3}")?;
/// let error = template.expand(&Variables::from([("a", ["x", "y"])])).unwrap_err();
/// assert_eq!(error.span(), 2..3);
/// assert_eq!(
///     error.to_string(),
///     "the variable at byte 2 has a prefix, and its value is a list or a map; remove the prefix, or give it a text"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ExpandError {
    pub(super) name: Range<usize>,
}

impl ExpandError {
    /// Returns the byte range of the name of the variable in the template.
    ///
    /// ```
    /// # use simd_iri_template::{Template, Variables};
    /// let template = Template::parse("{list:1}").unwrap();
    /// assert_eq!(template.expand(&Variables::from([("list", ["x"])])).unwrap_err().span(), 1..5);
    /// ```
    #[must_use]
    pub const fn span(&self) -> Range<usize> {
        self.name.start..self.name.end
    }

    /// Returns the error as numbers, for an interface that cannot hold the type: the byte offsets of the name.
    ///
    /// ```
    /// # use simd_iri_template::{ExpandError, Template, Variables};
    /// let template = Template::parse("{list:1}").unwrap();
    /// let error = template.expand(&Variables::from([("list", ["x"])])).unwrap_err();
    /// assert_eq!(error.to_words(), [1, 5]);
    /// assert_eq!(ExpandError::from_words([1, 5]), error);
    /// ```
    #[must_use]
    pub fn to_words(&self) -> [u32; 2] {
        [self.name.start, self.name.end].map(|at| u32::try_from(at).unwrap_or(u32::MAX))
    }

    /// Returns the error that [`to_words`](Self::to_words) has written as these numbers.
    ///
    /// ```
    /// assert_eq!(simd_iri_template::ExpandError::from_words([1, 5]).span(), 1..5);
    /// ```
    #[must_use]
    pub const fn from_words([start, end]: [u32; 2]) -> Self {
        Self { name: start as usize..end as usize }
    }
}

impl fmt::Display for ExpandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the variable at byte {} has a prefix, and its value is a list or a map; remove the prefix, or give it \
             a text",
            self.name.start
        )
    }
}

impl core::error::Error for ExpandError {}
