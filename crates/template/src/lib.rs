//! Templates of references (RFC 6570, levels 1 to 4): parse, expand, and match.
//!
//! A template is a text with expressions in braces. An expansion puts values into the place of the expressions, and a
//! match reads the values from a reference again.
//!
//! ```
//! use simd_iri_template::{Template, Variables};
//!
//! let template = Template::parse("https://example.org/{lang}/search{?q,page}")?;
//! let variables = Variables::from([("lang", "ja"), ("q", "例え b")]);
//! let uri = template.expand(&variables)?;
//! assert_eq!(uri, "https://example.org/ja/search?q=%E4%BE%8B%E3%81%88%20b");
//! assert_eq!(template.expand_iri(&variables)?, "https://example.org/ja/search?q=例え%20b");
//!
//! let captures = template.match_uri(&uri).unwrap();
//! assert_eq!(captures.text("q"), Some("例え b"));
//! assert_eq!(captures.text("page"), None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! RFC 6570 does not define a match. [`Template::match_uri`] has the definition of this crate. The time of a match is
//! linear in the length of the text, whatever the template.
#![cfg_attr(not(test), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

mod ambiguity;
mod bits;
mod captures;
mod choice;
mod error;
mod expand;
mod operator;
mod parse;
mod query;
mod sweep;
mod symbols;
mod value;

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;
use core::str::FromStr;

pub use ambiguity::{Ambiguity, AmbiguityKind};
pub use captures::{Capture, Captures};
pub use error::{ExpandError, TemplateError, TemplateErrorKind};
pub use query::Match;
pub use value::{Value, Variables};

use operator::Operator;
use simd_iri::low::{AsciiSet, RESERVED, UNRESERVED, debug_without_text, slice};
use sweep::Step;

/// The ASCII characters of a literal. The ABNF of RFC 6570 leaves out the apostrophe, which its own examples have.
const LITERAL: AsciiSet = UNRESERVED.with(&RESERVED);

/// The largest number of variables in a template.
const MOST_VARIABLES: usize = 10_000;

/// A template of references (RFC 6570): literals, and expressions in braces.
///
/// `Display` and [`as_str`](Self::as_str) give the text back. `Debug` does not write the text.
///
/// ```
/// use simd_iri_template::Template;
///
/// let template = Template::parse("/users/{id}{?fields*}")?;
/// assert!(template.variables().eq(["id", "fields"]));
/// assert_eq!(template.level(), 4);
///
/// let error = Template::parse("/users/{id").unwrap_err();
/// assert_eq!(error.span(), 7..8);
/// assert_eq!(error.to_string(), "the expression at byte 7 has no end; write } after its last variable");
/// # Ok::<(), simd_iri_template::TemplateError>(())
/// ```
#[derive(Clone)]
pub struct Template {
    text: Box<str>,
    parts: Vec<Part>,
    /// The parts as steps of a match.
    steps: Vec<Step>,
    /// A variable is at several places.
    has_repeated: bool,
}

debug_without_text!([] Template, "Template");

/// A part of a template.
#[derive(Clone)]
enum Part {
    /// The byte range of a literal, which is not empty.
    Literal(Range<usize>),
    Expression(Expression),
}

/// An expression of a template.
#[derive(Clone)]
struct Expression {
    /// The byte range with the braces.
    span: Range<usize>,
    operator: Operator,
    /// At least one variable.
    variables: Vec<Variable>,
}

/// A variable of an expression.
#[derive(Clone)]
struct Variable {
    /// The byte range of the name.
    name: Range<usize>,
    modifier: Modifier,
}

/// What stands after the name of a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Modifier {
    None,
    /// `*`
    Explode,
    /// `:3`, with the number of characters
    Prefix(u16),
}

impl Template {
    /// Parses a template. A literal may have characters outside ASCII (`ucschar` and `iprivate`). Linear time.
    ///
    /// ```
    /// # use simd_iri_template::Template;
    /// assert!(Template::parse("http://例え.jp/{+path}").is_ok());
    /// let error = Template::parse("/a b/{id}").unwrap_err();
    /// assert_eq!(error.to_string(), "' ' at byte 2 is not allowed in a literal; write %20");
    /// ```
    ///
    /// # Errors
    /// The first place that is not a template by the grammar of RFC 6570, or the place of the variable number 10,001.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        let parts = parse::parts(text)?;
        let steps = sweep::steps(text, &parts);
        let mut template = Self { text: text.into(), parts, steps, has_repeated: false };
        let all: usize = template.expressions().map(|expression| expression.variables.len()).sum();
        template.has_repeated = template.variables().count() < all;
        Ok(template)
    }

    /// Returns the text of the template.
    ///
    /// ```
    /// # use simd_iri_template::Template;
    /// assert_eq!(Template::parse("/{id}")?.as_str(), "/{id}");
    /// # Ok::<(), simd_iri_template::TemplateError>(())
    /// ```
    #[must_use]
    pub const fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns each name of a variable once, in the order in which the names first appear. A name is as it is written:
    /// `%41` is another name than `A`.
    ///
    /// ```
    /// # use simd_iri_template::Template;
    /// assert!(Template::parse("{b}{a,b:3}")?.variables().eq(["b", "a"]));
    /// # Ok::<(), simd_iri_template::TemplateError>(())
    /// ```
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        let mut seen = BTreeSet::new();
        let variables = self.expressions().flat_map(|expression| &expression.variables);
        variables.map(|variable| self.name(variable)).filter(move |name| seen.insert(*name))
    }

    /// Returns the level of the template (RFC 6570, section 1.2), 1 to 4: level 2 has the operators `+` and `#`, level 3
    /// the other operators and several variables in an expression, level 4 the modifiers `:` and `*`.
    ///
    /// ```
    /// # use simd_iri_template::Template;
    /// for (level, text) in [(1, "/{a}"), (2, "{+a}"), (3, "{a,b}"), (3, "{?a}"), (4, "{a:3}")] {
    ///     assert_eq!(Template::parse(text)?.level(), level);
    /// }
    /// # Ok::<(), simd_iri_template::TemplateError>(())
    /// ```
    #[must_use]
    pub fn level(&self) -> u8 {
        self.expressions().map(Expression::level).max().unwrap_or(1)
    }

    /// Returns the expressions in their order.
    fn expressions(&self) -> impl Iterator<Item = &Expression> {
        self.parts.iter().filter_map(|part| match part {
            Part::Literal(_) => None,
            Part::Expression(expression) => Some(expression),
        })
    }

    /// Returns the name of a variable of this template.
    fn name(&self, variable: &Variable) -> &str {
        slice::text(&self.text, variable.name.clone())
    }
}

impl Expression {
    fn level(&self) -> u8 {
        if self.variables.iter().any(|variable| variable.modifier != Modifier::None) {
            return 4;
        }
        self.operator.level().max(if self.variables.len() > 1 { 3 } else { 1 })
    }
}

impl FromStr for Template {
    type Err = TemplateError;

    fn from_str(text: &str) -> Result<Self, TemplateError> {
        Self::parse(text)
    }
}

/// Writes the text of the template.
impl core::fmt::Display for Template {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(&self.text)
    }
}

/// Equality of the texts.
impl PartialEq for Template {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Template {}

impl From<Template> for String {
    fn from(template: Template) -> Self {
        template.text.into()
    }
}
