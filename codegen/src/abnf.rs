//! ABNF text → rules: a parser for RFC 5234, section 4, whose errors have a line and a column.
//!
//! Not here: what a rule matches (`automaton`). A rule begins in the first column. Groups nest at most [`MAX_NESTING`]
//! deep, so that no text overflows the stack.
//!
//! RFC 5234 does not say what a prose-val means. Here, a prose-val names a rule and means this rule, because RFC 3986
//! writes `0<pchar>` for the empty path.

use std::sync::Arc;

use crate::error::{Error, Place};

/// The greatest depth to which groups and options may nest.
pub const MAX_NESTING: usize = 64;

/// The rules of one or more ABNF texts, by name (names are case-insensitive).
#[derive(Clone, Debug, Default)]
pub struct Grammar {
    /// In the order of their keys. They are not in a map: each user of the library would compile the code of the map,
    /// which takes longer than the code of this crate.
    rules: Vec<Rule>,
}

/// A rule: its name as first written, the place of that name, and its expression.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) name: Name,
    pub(crate) elements: Node,
}

/// A rule name and its place. Two names are equal if their texts are equal except for case, at any place.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) at: Place,
}

impl Name {
    fn key(&self) -> String {
        self.text.to_ascii_lowercase()
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.text.eq_ignore_ascii_case(&other.text)
    }
}

/// An expression. `[x]` is `*1x`.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Node {
    Alternation(Vec<Node>),
    Concatenation(Vec<Node>),
    Repetition {
        min: u32,
        max: Option<u32>,
        of: Box<Node>,
    },
    Rule(Name),
    /// A quoted string with its ASCII letters in lower case. They match both cases (RFC 5234, section 2.3).
    Text(String),
    /// Any character from the first to the last, both included.
    Range(char, char),
}

impl Grammar {
    /// Parses ABNF texts, given as (file name, text), into one grammar. A rule may be defined twice if both definitions
    /// are the same.
    ///
    /// # Errors
    /// [`Error::Syntax`] and [`Error::Redefined`].
    pub fn parse(files: &[(&str, &str)]) -> Result<Grammar, Error> {
        let mut grammar = Grammar::default();
        for (file, text) in files {
            for rule in Reader::new(file, text).rules()?.rules {
                grammar.define(rule)?;
            }
        }
        Ok(grammar)
    }

    /// Returns the names of the rules as written, sorted without regard to case.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.rules.iter().map(|rule| rule.name.text.as_str())
    }

    pub(crate) fn rule(&self, name: &str) -> Option<&Rule> {
        self.rules.get(self.place(name).ok()?)
    }

    /// Returns the index of a rule. If there is no such rule, the error is the index at which it belongs.
    fn place(&self, name: &str) -> Result<usize, usize> {
        let key = name.to_ascii_lowercase();
        self.rules.binary_search_by(|rule| rule.name.key().cmp(&key))
    }

    fn define(&mut self, rule: Rule) -> Result<(), Error> {
        match self.place(&rule.name.text) {
            Ok(at) => match self.rules.get(at) {
                Some(first) if first.elements != rule.elements => Err(Error::Redefined {
                    at: rule.name.at,
                    first: first.name.at.clone(),
                    rule: rule.name.text,
                }),
                _ => Ok(()),
            },
            Err(at) => {
                self.rules.insert(at, rule);
                Ok(())
            }
        }
    }

    /// Adds the alternatives of `name =/ alternatives`.
    fn extend(&mut self, name: Name, more: Node) -> Result<(), Error> {
        let place = self.place(&name.text);
        let Some(rule) = place.ok().and_then(|at| self.rules.get_mut(at)) else {
            let problem = format!("'=/' adds to rule {}, which is not defined before", name.text);
            return Err(Error::Syntax { at: name.at, problem });
        };
        let alternatives = |node| match node {
            Node::Alternation(nodes) => nodes,
            node => vec![node],
        };
        let old = std::mem::replace(&mut rule.elements, Node::Alternation(Vec::new()));
        let mut all = alternatives(old);
        all.append(&mut alternatives(more));
        rule.elements = Node::Alternation(all);
        Ok(())
    }
}

/// A position in a text. A method that parses a production has the name of the production.
#[derive(Clone)]
struct Reader<'a> {
    rest: &'a str,
    file: Arc<str>,
    line: u32,
    column: u32,
}

impl<'a> Reader<'a> {
    fn new(file: &str, text: &'a str) -> Self {
        Reader { rest: text, file: file.into(), line: 1, column: 1 }
    }

    /// rulelist = 1*( rule / (*c-wsp c-nl) ), or nothing at all.
    fn rules(mut self) -> Result<Grammar, Error> {
        let mut grammar = Grammar::default();
        while let Some(c) = self.peek() {
            if c.is_ascii_alphabetic() {
                self.rule(&mut grammar)?;
            } else {
                self.white_space();
                if !matches!(self.peek(), None | Some(';' | '\r' | '\n')) {
                    return self.unexpected("a rule name, in the first column");
                }
            }
            self.line_end()?;
        }
        Ok(grammar)
    }

    /// rule = rulename defined-as elements
    fn rule(&mut self, grammar: &mut Grammar) -> Result<(), Error> {
        let name = self.rulename();
        self.white_space();
        if !self.eat('=') {
            return self.unexpected("'=' after the rule name");
        }
        let incremental = self.eat('/');
        self.white_space();
        let elements = self.alternation(0)?;
        if incremental {
            grammar.extend(name, elements)
        } else {
            grammar.define(Rule { name, elements })
        }
    }

    /// alternation = concatenation *(*c-wsp "/" *c-wsp concatenation), and the white space after it.
    fn alternation(&mut self, nesting: usize) -> Result<Node, Error> {
        if nesting > MAX_NESTING {
            return self.fail(format!("groups nest deeper than {MAX_NESTING}"));
        }
        let mut nodes = vec![self.concatenation(nesting)?];
        while self.eat('/') {
            self.white_space();
            nodes.push(self.concatenation(nesting)?);
        }
        Ok(one_or(nodes, Node::Alternation))
    }

    /// concatenation = repetition *(1*c-wsp repetition), and the white space after it.
    fn concatenation(&mut self, nesting: usize) -> Result<Node, Error> {
        let mut nodes = vec![self.repetition(nesting)?];
        while self.white_space() && self.at_repetition() {
            nodes.push(self.repetition(nesting)?);
        }
        Ok(one_or(nodes, Node::Concatenation))
    }

    fn at_repetition(&self) -> bool {
        self.peek().is_some_and(|c| c.is_ascii_alphanumeric() || "*([\"%<".contains(c))
    }

    /// repetition = [1*DIGIT / (*DIGIT "*" *DIGIT)] element
    fn repetition(&mut self, nesting: usize) -> Result<Node, Error> {
        let at = self.place();
        let least = self.number(10)?;
        let (min, max) = match (least, self.eat('*')) {
            (None, false) => return self.element(nesting),
            (Some(count), false) => (count, Some(count)),
            (least, true) => (least.unwrap_or(0), self.number(10)?),
        };
        if max.is_some_and(|max| max < min) {
            let problem = "a repetition's maximum is below its minimum".to_owned();
            return Err(Error::Syntax { at, problem });
        }
        Ok(Node::Repetition { min, max, of: Box::new(self.element(nesting)?) })
    }

    /// element = rulename / group / option / char-val / num-val / prose-val
    fn element(&mut self, nesting: usize) -> Result<Node, Error> {
        match self.peek() {
            Some(c) if c.is_ascii_alphabetic() => Ok(Node::Rule(self.rulename())),
            Some('(') => self.bracketed(nesting, ')'),
            Some('[') => {
                let of = Box::new(self.bracketed(nesting, ']')?);
                Ok(Node::Repetition { min: 0, max: Some(1), of })
            }
            Some('"') => Ok(Node::Text(self.enclosed('"')?.to_ascii_lowercase())),
            Some('%') => self.num_val(),
            Some('<') => {
                let at = self.place();
                Ok(Node::Rule(Name { text: self.enclosed('>')?, at }))
            }
            _ => self.unexpected("an element"),
        }
    }

    /// group = "(" *c-wsp alternation *c-wsp ")", and option likewise.
    fn bracketed(&mut self, nesting: usize, close: char) -> Result<Node, Error> {
        self.bump();
        self.white_space();
        let node = self.alternation(nesting + 1)?;
        if !self.eat(close) {
            return self.unexpected(&format!("'{close}'"));
        }
        Ok(node)
    }

    /// The printable ASCII of a char-val or prose-val, up to `close`.
    fn enclosed(&mut self, close: char) -> Result<String, Error> {
        self.bump();
        let text = self.take_while(|c| (' '..='~').contains(&c) && c != close).to_owned();
        if !self.eat(close) {
            return self.unexpected(&format!("printable ASCII or '{close}'"));
        }
        Ok(text)
    }

    /// num-val = "%" (bin-val / dec-val / hex-val); each a value, values joined by ".", or a range.
    fn num_val(&mut self) -> Result<Node, Error> {
        self.bump();
        let radix = match self.peek().map(|c| c.to_ascii_lowercase()) {
            Some('b') => 2,
            Some('d') => 10,
            Some('x') => 16,
            _ => return self.unexpected("'b', 'd' or 'x' after '%'"),
        };
        self.bump();
        let at = self.place();
        let first = self.character(radix)?;
        if self.eat('-') {
            let last = self.character(radix)?;
            if last < first {
                let problem = "a range ends before it begins".to_owned();
                return Err(Error::Syntax { at, problem });
            }
            return Ok(Node::Range(first, last));
        }
        let mut nodes = vec![Node::Range(first, first)];
        while self.eat('.') {
            let next = self.character(radix)?;
            nodes.push(Node::Range(next, next));
        }
        Ok(one_or(nodes, Node::Concatenation))
    }

    fn character(&mut self, radix: u32) -> Result<char, Error> {
        let at = self.place();
        let Some(value) = self.number(radix)? else {
            return self.unexpected(&format!("a digit of base {radix}"));
        };
        char::from_u32(value).ok_or_else(|| {
            let problem = format!("{value:X} (hexadecimal) is not a Unicode scalar value");
            Error::Syntax { at, problem }
        })
    }

    fn number(&mut self, radix: u32) -> Result<Option<u32>, Error> {
        let at = self.place();
        let digits = self.take_while(|c| c.is_digit(radix));
        if digits.is_empty() {
            return Ok(None);
        }
        match u32::from_str_radix(digits, radix) {
            Ok(value) => Ok(Some(value)),
            Err(_) => Err(Error::Syntax { at, problem: "the number is too large".to_owned() }),
        }
    }

    /// rulename = ALPHA *(ALPHA / DIGIT / "-"); the caller has seen the ALPHA.
    fn rulename(&mut self) -> Name {
        let at = self.place();
        let text = self.take_while(|c| c.is_ascii_alphanumeric() || c == '-').to_owned();
        Name { text, at }
    }

    /// *c-wsp: blanks, and line ends if the next line begins with a blank. Tells whether there was any.
    fn white_space(&mut self) -> bool {
        let before = self.rest.len();
        loop {
            self.take_while(is_blank);
            let mut ahead = self.clone();
            if ahead.line_end().is_err() || !ahead.peek().is_some_and(is_blank) {
                return self.rest.len() < before;
            }
            *self = ahead;
        }
    }

    /// c-nl = comment / CRLF. A lone LF or the end of the text also ends a line.
    fn line_end(&mut self) -> Result<(), Error> {
        if self.peek() == Some(';') {
            self.take_while(|c| c != '\n');
        }
        self.eat('\r');
        if self.rest.is_empty() || self.eat('\n') {
            return Ok(());
        }
        self.unexpected("white space, '/' or the end of the rule")
    }

    fn place(&self) -> Place {
        Place { file: self.file.clone(), line: self.line, column: self.column }
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn bump(&mut self) {
        let mut chars = self.rest.chars();
        if chars.next() == Some('\n') {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
        self.rest = chars.as_str();
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.bump();
        }
        found
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let text = self.rest;
        while self.peek().is_some_and(&wanted) {
            self.bump();
        }
        text.get(..text.len() - self.rest.len()).unwrap_or_default()
    }

    fn fail<T>(&self, problem: impl Into<String>) -> Result<T, Error> {
        Err(Error::Syntax { at: self.place(), problem: problem.into() })
    }

    fn unexpected<T>(&self, wanted: &str) -> Result<T, Error> {
        match self.peek() {
            None => self.fail(format!("expected {wanted}, found the end of the text")),
            Some('\r' | '\n') => self.fail(format!("expected {wanted}, found the end of the line")),
            Some(c) => self.fail(format!("expected {wanted}, found {c:?}")),
        }
    }
}

fn is_blank(c: char) -> bool {
    c == ' ' || c == '\t'
}

/// Returns the only node, or all nodes under `many`.
fn one_or(mut nodes: Vec<Node>, many: fn(Vec<Node>) -> Node) -> Node {
    match nodes.pop() {
        Some(node) if nodes.is_empty() => node,
        last => {
            nodes.extend(last);
            many(nodes)
        }
    }
}
