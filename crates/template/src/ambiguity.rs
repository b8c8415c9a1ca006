//! Places of a template at which a text may be read in several ways.
#![forbid(unsafe_code)]

use alloc::vec::Vec;
use core::ops::Range;

use super::operator::Operator;
use super::symbols::Symbol;
use super::{Expression, Modifier, Part, Template};
use simd_iri::low::{UNRESERVED, slice};

/// A place of a template at which a match may read other values than those of the expansion.
///
/// ```
/// use simd_iri_template::{AmbiguityKind, Template};
///
/// let template = Template::parse("/{a}{b}/{c}")?;
/// let found = template.ambiguities();
/// assert_eq!(found.len(), 1);
/// assert_eq!(found[0].kind(), AmbiguityKind::Next);
/// assert_eq!(found[0].span(), 1..4);
/// # Ok::<(), simd_iri_template::TemplateError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Ambiguity {
    kind: AmbiguityKind,
    span: Range<usize>,
}

/// The kind of an [`Ambiguity`].
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AmbiguityKind {
    /// What stands after the expression may be read as a part of the expression: `{a}{b}`, `{+path}/here`, `{/a}{/b}`.
    Next,
    /// A value may have the separator of the expression: `{.a*}`, `{+a*}`.
    Separator,
    /// If a variable is undefined or is a list, another variable of the expression gets its value: `{a,b}`.
    Shift,
}

impl Ambiguity {
    /// Returns the kind.
    ///
    /// ```
    /// # use simd_iri_template::{AmbiguityKind, Template};
    /// let template = Template::parse("{a,b}").unwrap();
    /// assert_eq!(template.ambiguities()[0].kind(), AmbiguityKind::Shift);
    /// ```
    #[must_use]
    pub const fn kind(&self) -> AmbiguityKind {
        self.kind
    }

    /// Returns the byte range of the expression in the template.
    ///
    /// ```
    /// # use simd_iri_template::Template;
    /// assert_eq!(Template::parse("/{.a*}").unwrap().ambiguities()[0].span(), 1..6);
    /// ```
    #[must_use]
    pub const fn span(&self) -> Range<usize> {
        self.span.start..self.span.end
    }
}

impl Template {
    /// Returns the places at which a text may be read in several ways, in the order of the template. An ambiguity is not
    /// an error. In a template without one, a match gives back the texts that an expansion was made from. A report may be
    /// cautious: `{a}-` is reported, because the class of `a` has the hyphen.
    ///
    /// ```
    /// # use simd_iri_template::Template;
    /// assert!(Template::parse("/users/{id}/files{/path*}{?q,page}")?.ambiguities().is_empty());
    /// assert_eq!(Template::parse("{+path}/here")?.ambiguities().len(), 1);
    /// # Ok::<(), simd_iri_template::TemplateError>(())
    /// ```
    ///
    /// The time is linear in the length of the template.
    #[must_use]
    pub fn ambiguities(&self) -> Vec<Ambiguity> {
        let mut found = Vec::new();
        // The first characters of what may stand after a part, from right to left: an expression may be absent.
        let (mut firsts, mut is_open) = (Vec::new(), false);
        for part in self.parts.iter().rev() {
            match part {
                Part::Literal(span) => {
                    let first = Symbol::read(slice::text(&self.text, span.clone()), 0);
                    firsts = Vec::from_iter(first.map(|(symbol, _)| symbol));
                    is_open = false;
                }
                Part::Expression(expression) => {
                    let operator = expression.operator;
                    let is_next = is_open || firsts.iter().any(|first| expression.may_have(*first));
                    let kinds = [
                        is_next.then_some(AmbiguityKind::Next),
                        expression.has_separator_in_values().then_some(AmbiguityKind::Separator),
                        expression.shifts().then_some(AmbiguityKind::Shift),
                    ];
                    let kinds = kinds.into_iter().flatten().rev();
                    found.extend(
                        kinds.map(|kind| Ambiguity { kind, span: expression.span.clone() }),
                    );
                    match operator.first().map(Symbol::plain) {
                        None => is_open = true,
                        Some(first) if !firsts.contains(&first) => firsts.push(first),
                        Some(_) => {}
                    }
                }
            }
        }
        found.reverse();
        found
    }
}

impl Expression {
    /// Tells whether the expression may have this symbol after its start, or begin with it.
    fn may_have(&self, symbol: Symbol) -> bool {
        let operator = self.operator;
        let Some(byte) = symbol.ascii() else { return true };
        let is_delimiter = |delimiter: Option<u8>| delimiter == Some(byte);
        operator.keeps_reserved()
            || UNRESERVED.contains(byte)
            || is_delimiter(operator.first())
            || !operator.is_named() && is_delimiter(Some(operator.separator()))
            || matches!(byte, b',' | b'=')
    }

    /// Tells whether a value may have the separator of a list.
    fn has_separator_in_values(&self) -> bool {
        let is_list = |modifier| modifier == Modifier::Explode;
        let divides = self.variables.len() > 1
            || self.variables.iter().any(|variable| is_list(variable.modifier));
        divides && (self.operator.keeps_reserved() || self.operator == Operator::Label)
    }

    /// Tells whether the values of several variables are known by their order alone.
    fn shifts(&self) -> bool {
        self.variables.len() > 1 && !self.operator.is_named()
    }
}
