//! The parser of templates (RFC 6570, section 2). One pass.
#![forbid(unsafe_code)]

use alloc::vec::Vec;
use core::ops::Range;

use super::error::{TemplateError, TemplateErrorKind as Kind};
use super::operator::Operator;
use super::{Expression, LITERAL, MOST_VARIABLES, Modifier, Part, Variable};
use simd_iri::low::{AsciiSet, DIGIT, NonAscii, SCHEME_FIRST, octet, prefix, slice};

/// The ASCII characters of a name, without the percent sign and the dot. A scheme begins with a letter.
const NAME: AsciiSet = SCHEME_FIRST.with(&DIGIT).with(&AsciiSet::just(b'_'));

/// The operators that RFC 6570, section 2.2 reserves.
const RESERVED_OPERATORS: AsciiSet = AsciiSet::of(b"=,!@|");

/// Returns the parts of a template.
///
/// # Errors
/// The text is not a template.
pub(super) fn parts(text: &str) -> Result<Vec<Part>, TemplateError> {
    let mut reader = TemplateReader { text, at: 0, variables: 0 };
    let mut parts = Vec::new();
    while let Some(byte) = reader.byte() {
        parts.push(match byte {
            b'{' => Part::Expression(reader.expression()?),
            _ => Part::Literal(reader.literal()?),
        });
    }
    Ok(parts)
}

/// The place in a template up to which it is parsed.
struct TemplateReader<'a> {
    text: &'a str,
    at: usize,
    /// The number of variables before the place.
    variables: usize,
}

impl TemplateReader<'_> {
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Returns an error about the character at the place.
    fn error(&self, kind: Kind) -> TemplateError {
        TemplateError::at(kind, self.text, self.at)
    }

    /// Reads a literal up to the next expression or the end.
    fn literal(&mut self) -> Result<Range<usize>, TemplateError> {
        let start = self.at;
        loop {
            let rest = slice::bytes(self.text.as_bytes(), self.at..);
            self.at += prefix(rest, &LITERAL);
            match self.byte() {
                None | Some(b'{') => return Ok(start..self.at),
                Some(b'}') => return Err(self.error(Kind::NoStart)),
                Some(b'%') => self.triplet()?,
                Some(byte) => {
                    let rest = slice::bytes(self.text.as_bytes(), self.at..);
                    if NonAscii::of(rest) == NonAscii::Other {
                        return Err(self.error(Kind::NotInLiteral));
                    }
                    self.at += byte.leading_ones() as usize;
                }
            }
        }
    }

    /// Reads a triplet.
    fn triplet(&mut self) -> Result<(), TemplateError> {
        octet(self.text.as_bytes(), self.at).ok_or_else(|| self.error(Kind::BadTriplet))?;
        self.at += 3;
        Ok(())
    }

    /// Reads an expression, with its braces.
    fn expression(&mut self) -> Result<Expression, TemplateError> {
        let start = self.at;
        self.at += 1;
        let operator = match self.byte() {
            Some(byte) if RESERVED_OPERATORS.contains(byte) => {
                return Err(self.error(Kind::ReservedOperator));
            }
            byte => byte.and_then(Operator::of),
        };
        self.at += usize::from(operator.is_some());
        let mut variables = Vec::new();
        loop {
            if self.byte().is_some() && self.variables == MOST_VARIABLES {
                return Err(self.error(Kind::TooManyVariables));
            }
            let (name, modifier) = (self.name(start)?, self.modifier()?);
            variables.push(Variable { name, modifier });
            self.variables += 1;
            match self.byte() {
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                Some(_) => return Err(self.error(Kind::NotInExpression)),
                None => return Err(TemplateError::at(Kind::NoEnd, self.text, start)),
            }
        }
        self.at += 1;
        let operator = operator.unwrap_or(Operator::Simple);
        Ok(Expression { span: start..self.at, operator, variables })
    }

    /// Reads the name of a variable in the expression that begins at `expression`.
    fn name(&mut self, expression: usize) -> Result<Range<usize>, TemplateError> {
        let (start, mut after_dot) = (self.at, false);
        loop {
            match self.byte() {
                Some(byte) if NAME.contains(byte) => self.at += 1,
                Some(b'%') => self.triplet()?,
                Some(b'.') if self.at > start && !after_dot => {
                    (self.at, after_dot) = (self.at + 1, true);
                    continue;
                }
                byte if after_dot => {
                    // The second of two dots, or a dot at the end of the name.
                    self.at -= usize::from(byte != Some(b'.'));
                    return Err(self.error(Kind::BadDot));
                }
                Some(_) if self.at > start => return Ok(start..self.at),
                None if self.at > start => return Ok(start..self.at),
                Some(b',' | b'}' | b':' | b'*') => return Err(self.error(Kind::NoName)),
                Some(b'.') => return Err(self.error(Kind::BadDot)),
                Some(_) => return Err(self.error(Kind::NotInExpression)),
                None => return Err(TemplateError::at(Kind::NoEnd, self.text, expression)),
            }
            after_dot = false;
        }
    }

    /// Reads what stands after a name.
    fn modifier(&mut self) -> Result<Modifier, TemplateError> {
        match self.byte() {
            Some(b'*') => {
                self.at += 1;
                Ok(Modifier::Explode)
            }
            Some(b':') => {
                self.at += 1;
                let rest = slice::bytes(self.text.as_bytes(), self.at..);
                let digits = slice::text(self.text, self.at..self.at + prefix(rest, &DIGIT));
                let is_short = (1..=4).contains(&digits.len()) && !digits.starts_with('0');
                let length = digits.parse().ok().filter(|_| is_short);
                let length = length.ok_or_else(|| self.error(Kind::BadPrefix))?;
                self.at += digits.len();
                Ok(Modifier::Prefix(length))
            }
            _ => Ok(Modifier::None),
        }
    }
}
