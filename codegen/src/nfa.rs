//! Regular expressions over characters → nondeterministic automata over the bytes of UTF-8, in the form of
//! `regex-automata`.
//!
//! Not here: how the automata become deterministic (`automaton`).

use regex_automata::{
    nfa::thompson::{BuildError, Builder, NFA, Transition},
    util::primitives::StateID,
};

use crate::expression::Expression;

/// Returns the automaton of some expressions, of at most `size` bytes. The automaton tells which of the expressions it
/// accepts.
pub(crate) fn nfa(expressions: &[Expression], size: usize) -> Result<NFA, BuildError> {
    let mut builder = Builder::new();
    builder.set_size_limit(Some(size))?;
    let mut states = States { builder, known: Vec::new() };
    let mut starts = Vec::new();
    for expression in expressions {
        states.builder.start_pattern()?;
        let end = states.builder.add_match()?;
        let start = states.before(expression, end)?;
        states.builder.finish_pattern(start)?;
        starts.push(start);
    }
    let start = states.builder.add_union(starts)?;
    states.builder.build(start, start)
}

/// The states that are made. If an expression is twice before the same state, its states are made once, so that there
/// is less to determinize. For example, the alternatives of an IPv6 address end alike.
struct States<'e> {
    builder: Builder,
    /// For each state, the expressions before it and their first states.
    known: Vec<Vec<(&'e Expression, StateID)>>,
}

impl<'e> States<'e> {
    /// Adds the states of an expression, after which the automaton is in the state `next`. Returns the first state of
    /// the expression.
    fn before(&mut self, expression: &'e Expression, next: StateID) -> Result<StateID, BuildError> {
        if self.known.len() <= next.as_usize() {
            self.known.resize(next.as_usize() + 1, Vec::new());
        }
        let known = self.known.get(next.as_usize()).into_iter().flatten();
        for (other, state) in known {
            if *other == expression {
                return Ok(*state);
            }
        }
        let start = self.new_before(expression, next)?;
        if let Some(known) = self.known.get_mut(next.as_usize()) {
            known.push((expression, start));
        }
        Ok(start)
    }

    /// [`before`](Self::before) for an expression that has no states before `next` yet.
    fn new_before(
        &mut self,
        expression: &'e Expression,
        next: StateID,
    ) -> Result<StateID, BuildError> {
        match expression {
            Expression::Characters(ranges) => {
                let sequences: Vec<Sequence> =
                    ranges.iter().flat_map(|(first, last)| sequences(*first, *last)).collect();
                let sequences: Vec<&[ByteRange]> = sequences.iter().map(Vec::as_slice).collect();
                before_bytes(&mut self.builder, &sequences, next, &mut Vec::new())
            }
            Expression::Alternation(nodes) => {
                let starts: Result<Vec<_>, _> =
                    nodes.iter().map(|node| self.before(node, next)).collect();
                self.builder.add_union(starts?)
            }
            Expression::Concatenation(nodes) => {
                nodes.iter().rev().try_fold(next, |next, node| self.before(node, next))
            }
            Expression::Repetition { min, max, of } => {
                let mut start = next;
                match max {
                    // Any number of copies: a state that leads into a copy and to `next`. The copy leads back to this
                    // state.
                    None => {
                        start = self.builder.add_union(Vec::new())?;
                        let copy = self.before(of, start)?;
                        self.builder.patch(start, copy)?;
                        self.builder.patch(start, next)?;
                    }
                    // Each optional copy leads to the next copy. It may be skipped, together with all copies after it.
                    Some(max) => {
                        for _ in *min..*max {
                            let copy = self.before(of, start)?;
                            start = self.builder.add_union(vec![copy, next])?;
                        }
                    }
                }
                (0..*min).try_fold(start, |next, _| self.before(of, next))
            }
        }
    }
}

/// Some bytes, from the first to the last.
type ByteRange = (u8, u8);
/// For each byte of a character the bytes that may be there.
type Sequence = Vec<ByteRange>;

/// The states before `next` that exist already, each with the sequences that lead from it to `next`.
type Known<'a> = Vec<(Vec<&'a [ByteRange]>, StateID)>;

/// Adds the states of sequences of bytes. The sequences ascend, and the first ranges of two sequences are the same or
/// disjoint.
/// Sequences that end alike share the states of their ends, so that there is less to determinize.
fn before_bytes<'a>(
    builder: &mut Builder,
    sequences: &[&'a [ByteRange]],
    next: StateID,
    known: &mut Known<'a>,
) -> Result<StateID, BuildError> {
    if let Some((_, state)) = known.iter().find(|(others, _)| others == sequences) {
        return Ok(*state);
    }
    let mut transitions = Vec::new();
    // Sequences with the same first range share its transition.
    for alike in sequences.chunk_by(|a, b| a.first() == b.first()) {
        let rests: Vec<&[ByteRange]> =
            alike.iter().filter_map(|all| all.split_first()).map(|(_, rest)| rest).collect();
        let is_last = rests.iter().all(|rest| rest.is_empty());
        let next = if is_last { next } else { before_bytes(builder, &rests, next, known)? };
        let first = alike.first().and_then(|all| all.first());
        transitions.extend(first.map(|&(start, end)| Transition { start, end, next }));
    }
    let state = builder.add_sparse(transitions)?;
    known.push((sequences.to_vec(), state));
    Ok(state)
}

/// Returns the bytes of the characters from `first` to `last` in UTF-8, in ascending order.
///
/// A range of characters is cut where the number of bytes changes. Then each part is cut until, after the first byte
/// that differs, every byte can have all its values. For example, U+0080 to U+10FF is `C2-DF 80-BF`, `E0 A0-BF 80-BF`
/// and `E1 80-83 80-BF`.
fn sequences(first: char, last: char) -> Vec<Sequence> {
    let mut found = Vec::new();
    let mut open = vec![(first, last)];
    while let Some((first, last)) = open.pop() {
        match cut(first, last) {
            // The lower part is read first, because it is the last entry of `open`.
            Some((end, start)) => open.extend([(start, last), (first, end)]),
            None => {
                let (mut low, mut high) = ([0; 4], [0; 4]);
                let low = first.encode_utf8(&mut low).bytes();
                found.push(low.zip(last.encode_utf8(&mut high).bytes()).collect());
            }
        }
    }
    found
}

/// Returns the last character of a lower part and the first character of an upper part, into which the characters from
/// `first` to `last` must be cut. Returns `None` if one sequence covers all these characters.
///
/// ```text
/// if the number of bytes changes in the range, or the surrogates are in it: cut there
/// for the last 6, 12 and 18 bits (`tail`), if the bits before the tail (`head`) differ in `first` and `last`:
///     if the tail of `first` is not all zeros:    cut after the last character with the head of `first`
///     if the tail of `last` is not all ones:      cut before the first character with the head of `last`
///
/// U+0080 to U+10FF    cut after U+07FF, the last character of two bytes
/// U+0080 to U+07FF    one sequence: C2-DF 80-BF
/// U+0800 to U+10FF    12 bits: the heads are 0 and 1, and the tail of U+0800 is not 0: cut after U+0FFF
/// ```
fn cut(first: char, last: char) -> Option<(char, char)> {
    /// The last characters of one, two and three bytes, and the last character before the surrogates.
    const LENGTHS: [char; 4] = ['\u{7F}', '\u{7FF}', '\u{D7FF}', '\u{FFFF}'];
    /// The bits of a character that are in its last byte, and in its last two and three bytes.
    const BITS: [u32; 3] = [6, 12, 18];

    let after = |end: char| (end..=char::MAX).nth(1).map(|start| (end, start));
    if let Some(end) = LENGTHS.into_iter().find(|end| (first..last).contains(end)) {
        return after(end);
    }
    if last <= '\u{7F}' {
        return None;
    }
    let (low, high) = (u32::from(first), u32::from(last));
    BITS.into_iter()
        .map(|bits| (1 << bits) - 1)
        .filter(|mask| low & !mask != high & !mask)
        .find_map(|mask| {
            if low & mask != 0 {
                char::from_u32(low | mask).and_then(after)
            } else if high & mask != mask {
                char::from_u32((high & !mask) - 1).and_then(after)
            } else {
                None
            }
        })
}
