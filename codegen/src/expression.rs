//! Rules → regular expressions: a rule with all rules that it uses, written out into one expression over characters.
//!
//! Not here: the automaton of an expression (`nfa`, `automaton`).

use std::collections::BinaryHeap;

use crate::{
    abnf::{Grammar, Name, Node},
    error::Error,
};

/// The limits of a rule. The grammar of the RFCs needs a hundredth of these limits. They keep a hostile grammar from
/// exhausting stack, memory and time.
const MAX_DEPTH: usize = 256;
const MAX_NODES: usize = 1 << 16;
/// An optional copy counts as this number of parts. The cost of `*9 x` is the square of 9, because each of its states
/// may skip to the end. The cost of 9 required copies is 9.
const OPTIONAL: usize = 4;

/// A regular expression over characters.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Expression {
    /// One character of these ranges, both ends included. The ranges ascend and do not touch.
    Characters(Vec<(char, char)>),
    /// One of these expressions. An empty alternation matches nothing.
    Alternation(Vec<Expression>),
    /// All of these expressions, one after the other.
    Concatenation(Vec<Expression>),
    /// At least `min` and at most `max` copies.
    Repetition { min: u32, max: Option<u32>, of: Box<Expression> },
}

/// A rule written out into one regular expression over characters.
///
/// # Errors
/// [`Error::Undefined`], [`Error::Recursive`] and [`Error::TooLarge`].
pub(crate) fn expression(grammar: &Grammar, rule: &str) -> Result<Expression, Error> {
    let Some(found) = grammar.rule(rule) else {
        return Err(Error::Undefined { at: None, rule: rule.to_owned() });
    };
    Expander { grammar, root: rule, open: vec![&found.name], nodes: 0 }.expand(&found.elements, 0)
}

/// One character of any of these ranges, which may overlap.
pub(crate) fn characters(ranges: impl IntoIterator<Item = (char, char)>) -> Expression {
    // A heap sorts the ranges. Each user of `simd-iri` compiles this code, and the sort of a list is more code.
    let ranges = BinaryHeap::from_iter(ranges).into_sorted_vec();
    let mut merged: Vec<(char, char)> = Vec::new();
    for (first, last) in ranges {
        match merged.last_mut() {
            Some((_, end)) if u32::from(first) <= u32::from(*end) + 1 => *end = last.max(*end),
            _ => merged.push((first, last)),
        }
    }
    Expression::Characters(merged)
}

/// One of these expressions. Alternatives of one character become one set, so that the automaton has fewer states. For
/// example, `pchar` is an alternation of rules of single characters.
fn alternation(nodes: Vec<Expression>) -> Expression {
    let (mut ranges, mut others) = (Vec::new(), Vec::new());
    let inner = nodes.into_iter().flat_map(|node| match node {
        Expression::Alternation(nodes) => nodes,
        node => vec![node],
    });
    for node in inner {
        match node {
            Expression::Characters(more) => ranges.extend(more),
            other => others.push(other),
        }
    }
    if others.is_empty() {
        return characters(ranges);
    }
    if !ranges.is_empty() {
        others.push(characters(ranges));
    }
    Expression::Alternation(others)
}

/// All of these expressions, one after the other. A single expression is not wrapped, so that an alternation can
/// recognise a set.
fn concatenation(mut nodes: Vec<Expression>) -> Expression {
    match (nodes.pop(), nodes.is_empty()) {
        (Some(one), true) => one,
        (last, _) => {
            nodes.extend(last);
            Expression::Concatenation(nodes)
        }
    }
}

/// Writes out a rule. `open` has the rules that contain this rule.
struct Expander<'g> {
    grammar: &'g Grammar,
    root: &'g str,
    open: Vec<&'g Name>,
    nodes: usize,
}

impl<'g> Expander<'g> {
    fn expand(&mut self, node: &'g Node, depth: usize) -> Result<Expression, Error> {
        self.count(1, depth)?;
        let depth = depth + 1;
        Ok(match node {
            Node::Alternation(nodes) => alternation(self.expand_all(nodes, depth)?),
            Node::Concatenation(nodes) => concatenation(self.expand_all(nodes, depth)?),
            Node::Repetition { min, max, of } => {
                let before = self.nodes;
                let of = Box::new(self.expand(of, depth)?);
                // One copy is counted already.
                let needed = (*min).max(1);
                let optional = max.map_or(0, |max| max.saturating_sub(needed)) as usize;
                let copies =
                    (needed as usize - 1).saturating_add(optional.saturating_mul(OPTIONAL));
                self.count((self.nodes - before).saturating_mul(copies), depth)?;
                Expression::Repetition { min: *min, max: *max, of }
            }
            Node::Rule(name) => self.expand_rule(name, depth)?,
            Node::Text(text) => text_expression(text),
            Node::Range(first, last) => characters([(*first, *last)]),
        })
    }

    /// Counts the parts of the rule, written out, and checks the limits.
    fn count(&mut self, parts: usize, depth: usize) -> Result<(), Error> {
        self.nodes = self.nodes.saturating_add(parts);
        if depth > MAX_DEPTH || self.nodes > MAX_NODES {
            let limit = format!("{MAX_DEPTH} levels or {MAX_NODES} parts when written out");
            return Err(Error::TooLarge { rule: self.root.to_owned(), limit });
        }
        Ok(())
    }

    fn expand_all(&mut self, nodes: &'g [Node], depth: usize) -> Result<Vec<Expression>, Error> {
        nodes.iter().map(|node| self.expand(node, depth)).collect()
    }

    fn expand_rule(&mut self, name: &'g Name, depth: usize) -> Result<Expression, Error> {
        let Some(rule) = self.grammar.rule(&name.text) else {
            return Err(Error::Undefined { at: Some(name.at.clone()), rule: name.text.clone() });
        };
        if self.open.contains(&name) {
            return Err(Error::Recursive { at: name.at.clone(), rule: name.text.clone() });
        }
        self.open.push(name);
        let expression = self.expand(&rule.elements, depth)?;
        self.open.pop();
        Ok(expression)
    }
}

/// A text in quotes, whose ASCII letters match both cases (RFC 5234, section 2.3).
fn text_expression(text: &str) -> Expression {
    let either = |c: char| {
        let (lower, upper) = (c.to_ascii_lowercase(), c.to_ascii_uppercase());
        characters([(lower, lower), (upper, upper)])
    };
    concatenation(text.chars().map(either).collect())
}
