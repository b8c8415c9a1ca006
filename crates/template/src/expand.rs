//! Expansion (RFC 6570, section 3).
#![forbid(unsafe_code)]

use alloc::string::String;

use super::error::ExpandError;
use super::symbols::Symbol;
use super::value::{Value, Variables};
use super::{Expression, LITERAL, Modifier, Part, Template, Variable};
use simd_iri::low::{NonAscii, UNRESERVED, is_bidi_control, octet, prefix, slice, triplet_text};

impl Template {
    /// Expands the template to a URI reference: percent-encodes every character that is not allowed. A variable without a
    /// value is left out. Linear time.
    ///
    /// The result is a URI reference if the literals of the template and the operators of its expressions always make one.
    /// For example, `{a}:{b}` is `1:` if `a` is `1`, and `{+a}` and `{#a}` keep `#`, `[` and `]`. Parse the result to be
    /// sure.
    ///
    /// ```
    /// use simd_iri::UriRefBuf;
    /// use simd_iri_template::{Template, Variables};
    ///
    /// let template = Template::parse("/{user}/é{?q*}")?;
    /// let uri = template.expand(&Variables::from([("user", "a/b"), ("q", "50%")]))?;
    /// assert_eq!(uri, "/a%2Fb/%C3%A9?q=50%25");
    /// let reference = UriRefBuf::try_from(uri)?;
    /// assert_eq!(reference.query(), Some("q=50%25"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A variable with a prefix has a list or a map as its value.
    pub fn expand(&self, variables: &Variables<'_>) -> Result<String, ExpandError> {
        self.expanded(&self.parts, variables, false)
    }

    /// Expands the template to an IRI reference, as [`expand`](Self::expand) does, but keeps `ucschar`, and in the values
    /// and literals of a query also `iprivate`. Bidi formatting characters are encoded (RFC 3987, section 4.1). The URI
    /// of the result is what `expand` returns.
    ///
    /// ```
    /// use simd_iri_template::{Template, Variables};
    ///
    /// let template = Template::parse("http://例え.jp/{a}")?;
    /// assert_eq!(template.expand_iri(&Variables::from([("a", "é b")]))?, "http://例え.jp/é%20b");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A variable with a prefix has a list or a map as its value.
    pub fn expand_iri(&self, variables: &Variables<'_>) -> Result<String, ExpandError> {
        self.expanded(&self.parts, variables, true)
    }

    /// Expands these parts of the template.
    pub(super) fn expanded(
        &self,
        parts: &[Part],
        variables: &Variables<'_>,
        is_iri: bool,
    ) -> Result<String, ExpandError> {
        let mut out = Writer { out: String::new(), is_iri, read: 0, query: false, fragment: false };
        for part in parts {
            match part {
                Part::Literal(span) => {
                    out.encoded(slice::text(&self.text, span.clone()), true, true);
                }
                Part::Expression(expression) => {
                    self.expand_part(expression, variables, &mut out)?
                }
            }
        }
        Ok(out.out)
    }

    fn expand_part(
        &self,
        expression: &Expression,
        variables: &Variables<'_>,
        out: &mut Writer,
    ) -> Result<(), ExpandError> {
        let mut before = expression.operator.first();
        for variable in &expression.variables {
            let name = self.name(variable);
            let Some(value) = variables.get(name).filter(|value| !value.is_undefined()) else {
                continue;
            };
            out.byte(before);
            before = Some(expression.operator.separator());
            out.value(expression, variable, name, value)?;
        }
        Ok(())
    }
}

/// The expansion so far.
struct Writer {
    out: String,
    is_iri: bool,
    /// The number of bytes of `out` up to which `query` and `fragment` are known.
    read: usize,
    /// A `?` has been written.
    query: bool,
    /// A `#` has been written.
    fragment: bool,
}

impl Writer {
    fn byte(&mut self, byte: Option<u8>) {
        self.out.extend(byte.map(char::from));
    }

    /// Writes the value of a variable, with its name if the operator wants it.
    fn value(
        &mut self,
        expression: &Expression,
        variable: &Variable,
        name: &str,
        value: &Value<'_>,
    ) -> Result<(), ExpandError> {
        let operator = expression.operator;
        let separator = match variable.modifier {
            Modifier::Explode => Some(operator.separator()),
            _ => None,
        };
        let mut before = None;
        match (value, variable.modifier) {
            (Value::Text(text), modifier) => {
                let text = match modifier {
                    Modifier::Prefix(length) => shortened(text, length, operator.keeps_reserved()),
                    _ => text,
                };
                self.name(expression, name, text.is_empty());
                self.item(expression, text);
            }
            (_, Modifier::Prefix(_)) => {
                return Err(ExpandError { name: variable.name.clone() });
            }
            (Value::List(items), _) => {
                if separator.is_none() {
                    self.name(
                        expression,
                        name,
                        matches!(items.as_slice(), [only] if only.is_empty()),
                    );
                }
                for item in items {
                    self.byte(before);
                    if separator.is_some() {
                        self.name(expression, name, item.is_empty());
                    }
                    self.item(expression, item);
                    before = Some(separator.unwrap_or(b','));
                }
            }
            (Value::Map(pairs), _) => {
                if separator.is_none() {
                    self.name(expression, name, false);
                }
                for (key, item) in pairs {
                    self.byte(before);
                    self.item(expression, key);
                    let is_short =
                        operator.is_named() && !operator.has_empty_equals() && item.is_empty();
                    match separator {
                        Some(_) if is_short => {}
                        Some(_) => self.byte(Some(b'=')),
                        None => self.byte(Some(b',')),
                    }
                    self.item(expression, item);
                    before = Some(separator.unwrap_or(b','));
                }
            }
        }
        Ok(())
    }

    /// Writes the name of a variable if the operator wants it, and the equals sign unless the value is empty and the
    /// operator leaves it out.
    fn name(&mut self, expression: &Expression, name: &str, is_empty: bool) {
        let operator = expression.operator;
        if operator.is_named() {
            self.out.push_str(name);
            self.byte(Some(b'=').filter(|_| !is_empty || operator.has_empty_equals()));
        }
    }

    /// Writes a value, encoded as the operator wants it.
    fn item(&mut self, expression: &Expression, text: &str) {
        let operator = expression.operator;
        self.encoded(text, operator.keeps_reserved(), operator.has_empty_equals());
    }

    /// Writes a text in which all characters are percent-encoded but the unreserved. With `reserved`, reserved characters
    /// and triplets stay too. `may_be_private` tells whether `iprivate` stays in the query of an IRI.
    fn encoded(&mut self, text: &str, reserved: bool, may_be_private: bool) {
        let set = if reserved { &LITERAL } else { &UNRESERVED };
        let mut at = 0;
        loop {
            let rest = slice::text(text, at..);
            let kept = prefix(rest.as_bytes(), set);
            self.out.push_str(slice::text(rest, ..kept));
            let rest = slice::text(rest, kept..);
            let Some(character) = rest.chars().next() else { return };
            let length = if reserved && octet(rest.as_bytes(), 0).is_some() {
                self.out.push_str(slice::text(rest, ..3));
                3
            } else {
                if self.keeps(rest, character, may_be_private) {
                    self.out.push(character);
                } else {
                    let bytes = rest.bytes().take(character.len_utf8());
                    bytes.for_each(|byte| self.out.push_str(triplet_text(byte)));
                }
                character.len_utf8()
            };
            at += kept + length;
        }
    }

    /// Tells whether an IRI keeps the character at the start of `rest`, which is outside the set of ASCII characters.
    fn keeps(&mut self, rest: &str, character: char, may_be_private: bool) -> bool {
        if !self.is_iri || character.is_ascii() || is_bidi_control(character) {
            return false;
        }
        match NonAscii::of(rest.as_bytes()) {
            NonAscii::Ucschar => true,
            NonAscii::Private => may_be_private && self.is_in_query(),
            NonAscii::Other => false,
        }
    }

    /// Tells whether what is written next is part of the query. Each byte is read once.
    fn is_in_query(&mut self) -> bool {
        for byte in slice::bytes(self.out.as_bytes(), self.read..) {
            self.query |= *byte == b'?';
            self.fragment |= *byte == b'#';
        }
        self.read = self.out.len();
        self.query && !self.fragment
    }
}

/// Returns the first `length` characters of a value. If triplets stay triplets, the triplets of a character are one
/// character, and so is a triplet that is not part of a character.
fn shortened(text: &str, length: u16, keeps_triplets: bool) -> &str {
    let mut at = 0;
    for _ in 0..length {
        let next = match keeps_triplets {
            true => Symbol::read(text, at).map(|(_, length)| length),
            false => slice::text(text, at..).chars().next().map(char::len_utf8),
        };
        at += next.unwrap_or_default();
    }
    slice::text(text, ..at)
}
