//! Why a file of rules cannot be read, or a rule of it is not applied, and where.

use core::fmt;

use simd_iri::low::named;

/// The reason why a file of rules cannot be read, or why a rule is not applied, and its place. `Display` writes the
/// message. It quotes nothing of the file.
///
/// ```
/// use simd_iri_rules::{QueryRules, RuleErrorKind, RuleFormat};
///
/// let text = "[[drop]]\nnames = [\"a\"]\npatterns = [\"b\", \"(c\"]";
/// let error = QueryRules::parse(text, RuleFormat::Toml).unwrap_err();
/// assert_eq!((error.line(), error.column(), error.kind()), (3, 18, RuleErrorKind::Pattern));
/// assert_eq!(error.to_string(), "line 3, column 18: the pattern is not a regular expression");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RuleError {
    kind: RuleErrorKind,
    line: usize,
    column: usize,
}

/// The kind of a [`RuleError`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum RuleErrorKind {
    /// The text does not follow the syntax of its format.
    Syntax,
    /// `drop` or `wrapper` is not an array of tables.
    Unread,
    /// A table or a key that a file of rules does not have.
    UnknownKey,
    /// A key of TOML that is there twice.
    Twice,
    /// A key that must be there is not there.
    MissingKey,
    /// A value of another type than its key has.
    WrongType,
    /// A value that its key does not have.
    WrongValue,
    /// The pattern is not a regular expression.
    Pattern,
    /// The pattern looks around itself or repeats a group, which takes more than linear time.
    LookAround,
    /// The patterns would take too much memory.
    TooLarge,
    /// The file has the format of ClearURLs of 2026, which is not read.
    NewFormat,
    /// The line of a filter list is a rule of another kind.
    OtherRule,
    /// The filter depends on what an address does not say, or has an unknown modifier.
    Modifier,
}

named! {
    /// Returns the name in kebab-case.
    "simd_iri_rules::RuleErrorKind" RuleErrorKind {
        Syntax = "syntax",
        Unread = "unread",
        UnknownKey = "unknown-key",
        Twice = "twice",
        MissingKey = "missing-key",
        WrongType = "wrong-type",
        WrongValue = "wrong-value",
        Pattern = "pattern",
        LookAround = "look-around",
        TooLarge = "too-large",
        NewFormat = "new-format",
        OtherRule = "other-rule",
        Modifier = "modifier",
    }
}

impl RuleError {
    /// Returns an error at a byte offset of a text, or at the character that has the byte. One pass over the text before
    /// the offset.
    pub(super) fn at(kind: RuleErrorKind, text: &str, offset: usize) -> Self {
        let before = (0..=offset).rev().find_map(|at| text.get(..at)).unwrap_or(text);
        let line = before.rsplit('\n').next().unwrap_or_default();
        let lines = before.bytes().filter(|byte| *byte == b'\n').count();
        Self { kind, line: lines + 1, column: line.chars().count() + 1 }
    }

    /// Returns an error at a line and a column.
    pub(super) const fn in_line(kind: RuleErrorKind, line: usize, column: usize) -> Self {
        Self { kind, line, column }
    }

    /// Returns the kind of the error.
    ///
    /// ```
    /// # use simd_iri_rules::{QueryRules, RuleErrorKind, RuleFormat};
    /// assert_eq!(QueryRules::parse("{", RuleFormat::ClearUrls).unwrap_err().kind(), RuleErrorKind::Syntax);
    /// ```
    #[must_use]
    pub const fn kind(self) -> RuleErrorKind {
        self.kind
    }

    /// Returns the number of the line, from 1.
    ///
    /// ```
    /// # use simd_iri_rules::{QueryRules, RuleFormat};
    /// assert_eq!(QueryRules::parse("\n[[", RuleFormat::Toml).unwrap_err().line(), 2);
    /// ```
    #[must_use]
    pub const fn line(self) -> usize {
        self.line
    }

    /// Returns the number of the character in its line, from 1.
    ///
    /// ```
    /// # use simd_iri_rules::{QueryRules, RuleFormat};
    /// let text = "[[drop]]\nnames = ['é', 1]";
    /// assert_eq!(QueryRules::parse(text, RuleFormat::Toml).unwrap_err().column(), 15);
    /// ```
    #[must_use]
    pub const fn column(self) -> usize {
        self.column
    }

    /// Returns the error as numbers, for an interface that cannot hold the type: the line, the column, and a number of the
    /// kind, which is not 0.
    ///
    /// ```
    /// use simd_iri_rules::{QueryRules, RuleError, RuleFormat};
    ///
    /// let error = QueryRules::parse("\n[[", RuleFormat::Toml).unwrap_err();
    /// assert_eq!(error.to_words(), [2, 3, 1]);
    /// assert_eq!(RuleError::from_words(error.to_words()), Some(error));
    /// ```
    #[must_use]
    pub fn to_words(self) -> [u32; 3] {
        let [line, column] =
            [self.line, self.column].map(|at| u32::try_from(at).unwrap_or(u32::MAX));
        [line, column, self.kind as u32 + 1]
    }

    /// Returns the error that [`to_words`](Self::to_words) has written as these numbers. Returns `None` if the numbers
    /// are not an error.
    ///
    /// ```
    /// assert_eq!(simd_iri_rules::RuleError::from_words([0; 3]), None);
    /// ```
    #[must_use]
    pub fn from_words([line, column, kind]: [u32; 3]) -> Option<Self> {
        let kind = *RuleErrorKind::ALL.get(usize::try_from(kind.checked_sub(1)?).ok()?)?;
        Some(Self { kind, line: line as usize, column: column as usize })
    }
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = match self.kind {
            RuleErrorKind::Syntax => "the text does not follow the syntax of its format",
            RuleErrorKind::Unread => {
                "a file of rules has strings, arrays of strings, and tables such as [[drop]] and [[wrapper]]"
            }
            RuleErrorKind::UnknownKey => {
                "the name is unknown; [[drop]] has host, names and patterns; [[wrapper]] has host, path, parameter \
                 and decode"
            }
            RuleErrorKind::Twice => "the key is there twice",
            RuleErrorKind::MissingKey => {
                "a key is missing: [[drop]] needs names or patterns; [[wrapper]] needs host, and parameter unless \
                 decode is proofpoint3; a provider needs urlPattern"
            }
            RuleErrorKind::WrongType => "the value has another type than its key has",
            RuleErrorKind::WrongValue => {
                "the value is not a value of its key; decode is percent, proofpoint2 or proofpoint3"
            }
            RuleErrorKind::Pattern => "the pattern is not a regular expression",
            RuleErrorKind::LookAround => {
                "the pattern looks around itself or repeats a group, which takes more than linear time"
            }
            RuleErrorKind::TooLarge => "the patterns take too much memory up to here",
            RuleErrorKind::NewFormat => {
                "the file has the format of ClearURLs of 2026, which is not read; use data.min.json"
            }
            RuleErrorKind::OtherRule => "the line has no modifier removeparam",
            RuleErrorKind::Modifier => {
                "the filter has a modifier about the page, or an unknown modifier or value"
            }
        };
        write!(f, "line {}, column {}: {message}", self.line, self.column)
    }
}

impl core::error::Error for RuleError {}
