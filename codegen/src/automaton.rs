//! Rules → minimal automaton over UTF-8 bytes.
//!
//! A rule is written out as a regular expression (`expression`). The expression becomes states (`nfa`), and
//! `regex-automata` determinizes the states. Not here: the form of the tables for the library (`emit`).

// How an automaton of regex-automata is read:
// - `MatchKind::All`: with leftmost-first semantics the order of the alternatives of dec-octet would
//   decide, and "10" would match its "1" and stop.
// - The crate reports a match one byte late, so a state accepts if its end-of-input transition leads
//   to a match state. By this reading, more states are equivalent than in the crate, and a state that leads
//   nowhere is equivalent to the dead state. `minimize` merges all equivalent states. To minimize inside the
//   crate, too, would only take longer.
#![expect(clippy::indexing_slicing, reason = "states, groups and classes index what they number")]

use regex_automata::{
    Anchored, MatchKind,
    dfa::{Automaton as _, StartKind, dense},
    util::{primitives::StateID, start},
};

use crate::{
    abnf::Grammar,
    error::Error,
    expression::{Expression, expression},
    nfa::nfa,
};

/// The limit of an automaton. The automata of the RFCs need a hundredth of this limit. It keeps a hostile grammar from
/// exhausting memory.
const MAX_BYTES: usize = 16 << 20;

/// A minimal deterministic automaton over bytes.
///
/// State 0 is dead. Every other state can be reached and can still lead to acceptance. The accepting
/// states are the last states. Two bytes are in the same class if they lead to the same state from every state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automaton {
    class_of: [u8; 256],
    classes: usize,
    /// `states × classes` successors, a row for each state.
    next: Vec<u16>,
    start: u16,
    /// For each state, a bit for each expression that it accepts.
    accepts: Vec<u8>,
}

impl Grammar {
    /// Compiles a rule into its minimal automaton.
    ///
    /// # Errors
    /// [`Error::Undefined`], [`Error::Recursive`] and [`Error::TooLarge`].
    pub fn automaton(&self, rule: &str) -> Result<Automaton, Error> {
        Automaton::of(rule, &[expression(self, rule)?])
    }
}

impl Automaton {
    /// Tells whether the automaton accepts the whole of `bytes`.
    pub fn accepts(&self, bytes: &[u8]) -> bool {
        self.is_accepting(bytes.iter().fold(self.start(), |state, &byte| self.next(state, byte)))
    }

    /// Returns the number of states, including the dead state.
    pub fn states(&self) -> usize {
        self.accepts.len()
    }

    /// Returns the number of byte classes.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// Returns the class of each byte, a number below [`classes`](Self::classes).
    pub fn class_of(&self) -> &[u8; 256] {
        &self.class_of
    }

    /// Returns the start state.
    pub fn start(&self) -> usize {
        usize::from(self.start)
    }

    /// Returns the first accepting state, or [`states`](Self::states) if there is none.
    pub fn first_accept(&self) -> usize {
        self.accepts.partition_point(|&bits| bits == 0)
    }

    /// Tells whether a state is accepting.
    pub fn is_accepting(&self, state: usize) -> bool {
        self.accepts[state] != 0
    }

    /// Returns the state after `byte`.
    pub fn next(&self, state: usize, byte: u8) -> usize {
        self.row(state)[usize::from(self.class_of[usize::from(byte)])].into()
    }

    /// Returns the bytes with which an accepted text may begin.
    pub fn first(&self) -> [bool; 256] {
        let row = self.row(self.start());
        self.class_of.map(|class| row[usize::from(class)] != 0)
    }

    /// Returns the bytes that occur in accepted texts.
    pub fn alphabet(&self) -> [bool; 256] {
        let used: Vec<bool> = (0..self.classes)
            .map(|class| (0..self.states()).any(|state| self.row(state)[class] != 0))
            .collect();
        self.class_of.map(|class| used[usize::from(class)])
    }

    /// The successors of a state, by class.
    pub(crate) fn row(&self, state: usize) -> &[u16] {
        &self.next[state * self.classes..][..self.classes]
    }

    /// The states that accept exactly the expressions of `bits`.
    pub(crate) fn accepting(&self, bits: u8) -> impl Iterator<Item = usize> {
        (0..self.states()).filter(move |&state| self.accepts[state] == bits)
    }

    /// Tells for each state whether it is one of `goals` or may still lead to a goal.
    pub(crate) fn towards(&self, goals: impl Iterator<Item = usize>) -> Vec<bool> {
        let mut open: Vec<usize> = goals.collect();
        let mut towards = vec![false; self.states()];
        while let Some(state) = open.pop() {
            if !std::mem::replace(&mut towards[state], true) {
                let leads_here = |&from: &usize| self.row(from).contains(&(state as u16));
                open.extend((0..self.states()).filter(leads_here));
            }
        }
        towards
    }

    /// Compiles up to eight expressions into one automaton, whose states know which expressions they accept. Errors
    /// call the automaton `name`.
    pub(crate) fn of(name: &str, expressions: &[Expression]) -> Result<Automaton, Error> {
        let too_large = |limit: String| Error::TooLarge { rule: name.to_owned(), limit };
        let nfa = nfa(expressions, MAX_BYTES).map_err(|error| too_large(error.to_string()))?;
        let dfa = dense::Builder::new()
            .configure(
                dense::Config::new()
                    .start_kind(StartKind::Anchored)
                    .match_kind(MatchKind::All)
                    .accelerate(false)
                    .dfa_size_limit(Some(MAX_BYTES))
                    .determinize_size_limit(Some(MAX_BYTES)),
            )
            .build_from_nfa(&nfa)
            .map_err(|error| too_large(error.to_string()))?;
        Raw::read(&dfa)
            .and_then(|raw| raw.minimize())
            .ok_or_else(|| too_large("its automaton does not fit 16-bit states".to_owned()))
    }
}

/// An automaton as regex-automata made it: some states are equivalent. State 0 is dead.
struct Raw {
    class_of: [u8; 256],
    rows: Vec<Vec<usize>>,
    accepts: Vec<u8>,
    start: usize,
}

impl Raw {
    /// Numbers the states in the order of a walk, breadth first, from the start state.
    fn read(dfa: &dense::DFA<Vec<u32>>) -> Option<Raw> {
        let class_of: [u8; 256] = std::array::from_fn(|byte| dfa.byte_classes().get(byte as u8));
        let members = representatives(&class_of);
        let start = dfa.start_state(&start::Config::new().anchored(Anchored::Yes)).ok()?;

        let mut ids = vec![start];
        // The number of each state by its identifier, which is a multiple of the stride; 0 if the state does not have a
        // number yet.
        let at = |id: StateID| id.as_usize() >> dfa.stride2();
        let mut numbers = vec![0; at(start) + 1];
        numbers[at(start)] = 1;
        let mut raw =
            Raw { class_of, rows: vec![vec![0; members.len()]], accepts: vec![0], start: 1 };
        while let Some(&id) = ids.get(raw.rows.len() - 1) {
            let row = members.iter().map(|&byte| match dfa.next_state(id, byte) {
                next if dfa.is_dead_state(next) => 0,
                next => {
                    if numbers.len() <= at(next) {
                        numbers.resize(at(next) + 1, 0);
                    }
                    let number = &mut numbers[at(next)];
                    if *number == 0 {
                        ids.push(next);
                        *number = ids.len();
                    }
                    *number
                }
            });
            raw.rows.push(row.collect());
            let end = dfa.next_eoi_state(id);
            let matches = if dfa.is_match_state(end) { dfa.match_len(end) } else { 0 };
            let bits = (0..matches).map(|i| 1 << dfa.match_pattern(end, i).as_usize());
            raw.accepts.push(bits.fold(0, |all, bit: u8| all | bit));
        }
        Some(raw)
    }

    /// Merges equivalent states, then equivalent bytes. Returns `None` if there are more than 2¹⁶ states.
    fn minimize(&self) -> Option<Automaton> {
        let group = self.groups();
        let groups = group.iter().max().map_or(0, |&last| last + 1);
        let mut first = vec![0; groups];
        for (state, &g) in group.iter().enumerate().rev() {
            first[g] = state;
        }
        // Accepting states go last. The dead state is the first state and accepts nothing, so it stays first.
        let mut members = by_answer(&self.accepts);
        members.retain(|&state| first[group[state]] == state);
        let mut number = vec![0; groups];
        for (new, &state) in members.iter().enumerate() {
            number[group[state]] = u16::try_from(new).ok()?;
        }
        let mut columns: Vec<Vec<u16>> = Vec::new();
        let mut column_of = Vec::new();
        for class in 0..self.rows.first().map_or(0, Vec::len) {
            let next = |&state: &usize| number[group[self.rows[state][class]]];
            let column: Vec<u16> = members.iter().map(next).collect();
            let known = columns.iter().position(|other| *other == column);
            column_of.push(known.unwrap_or(columns.len()) as u8);
            if known.is_none() {
                columns.push(column);
            }
        }
        Some(Automaton {
            class_of: self.class_of.map(|class| column_of[usize::from(class)]),
            classes: columns.len(),
            next: (0..groups).flat_map(|state| columns.iter().map(move |c| c[state])).collect(),
            start: number[group[self.start]],
            accepts: members.iter().map(|&state| self.accepts[state]).collect(),
        })
    }

    /// The group of each state. Two states share a group if the same texts are accepted from both. Takes n log n steps
    /// for each class (Hopcroft's algorithm). To compare the states round by round would take n² steps for a chain of n
    /// states.
    fn groups(&self) -> Vec<usize> {
        let classes = self.rows.first().map_or(0, Vec::len);
        let before: Vec<Before> = (0..classes).map(|class| self.before(class)).collect();
        let mut partition = Partition::new(&self.accepts);
        // For each group A, each class, and each group B: by this class, all states of B lead to A, or no state of B
        // does. If A is split, only the smaller part must be checked again. If A is still open, both parts must be
        // checked.
        let mut open: Vec<usize> = (0..partition.groups.len()).collect();
        let mut is_open = vec![true; open.len()];
        while let Some(group) = open.pop() {
            is_open[group] = false;
            let goals = partition.members(group).to_vec();
            for before in &before {
                for &goal in &goals {
                    before.states(goal).for_each(|state| partition.mark(state));
                }
                for [kept, fresh] in partition.split() {
                    is_open.push(true);
                    let kept_is_smaller =
                        partition.members(kept).len() < partition.members(fresh).len();
                    if !is_open[kept] && kept_is_smaller {
                        is_open[kept] = true;
                        is_open[fresh] = false;
                        open.push(kept);
                    } else {
                        open.push(fresh);
                    }
                }
            }
        }
        partition.group
    }

    /// The states before each state, by a class: a counting sort of all states by the state that they lead to.
    fn before(&self, class: usize) -> Before {
        let mut starts = vec![0; self.rows.len() + 1];
        for row in &self.rows {
            starts[row[class]] += 1;
        }
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut states = vec![0; self.rows.len()];
        for (state, row) in self.rows.iter().enumerate() {
            let start = &mut starts[row[class]];
            *start -= 1;
            states[*start] = state;
        }
        Before { starts, states }
    }
}

/// For each state, the states that lead to it: a range of `states`.
struct Before {
    starts: Vec<usize>,
    states: Vec<usize>,
}

impl Before {
    fn states(&self, of: usize) -> impl Iterator<Item = usize> {
        self.states[self.starts[of]..self.starts[of + 1]].iter().copied()
    }
}

/// The states, each in a group. The states of a group lie together, with the marked states first.
struct Partition {
    states: Vec<usize>,
    /// The index in `states` of each state.
    place: Vec<usize>,
    /// The group of each state.
    group: Vec<usize>,
    /// The start and end of each group in `states`, and the number of its marked states.
    groups: Vec<(usize, usize, usize)>,
    /// The groups with marked states.
    marked: Vec<usize>,
}

impl Partition {
    /// A group for each answer.
    fn new(accepts: &[u8]) -> Self {
        let states = by_answer(accepts);
        let (mut place, mut group) = (vec![0; states.len()], vec![0; states.len()]);
        let mut groups = Vec::new();
        let mut start = 0;
        for alike in states.chunk_by(|&a, &b| accepts[a] == accepts[b]) {
            for (at, &state) in alike.iter().enumerate() {
                place[state] = start + at;
                group[state] = groups.len();
            }
            groups.push((start, start + alike.len(), 0));
            start += alike.len();
        }
        Partition { states, place, group, groups, marked: Vec::new() }
    }

    fn members(&self, group: usize) -> &[usize] {
        let (start, end, _) = self.groups[group];
        &self.states[start..end]
    }

    /// Marks a state, which is not marked yet: an automaton leads from a state to one state by a class.
    fn mark(&mut self, state: usize) {
        let group = self.group[state];
        let (start, _, marked) = &mut self.groups[group];
        if *marked == 0 {
            self.marked.push(group);
        }
        let (from, to) = (self.place[state], *start + *marked);
        *marked += 1;
        self.states.swap(from, to);
        self.place[self.states[from]] = from;
        self.place[state] = to;
    }

    /// Splits each group that has marked states and other states: the marked states become a new group. Unmarks all
    /// states. Returns the old and the new group of each split.
    fn split(&mut self) -> Vec<[usize; 2]> {
        let mut parts = Vec::new();
        for group in std::mem::take(&mut self.marked) {
            let (start, end, marked) = self.groups[group];
            let border = start + marked;
            if border == end {
                self.groups[group] = (start, end, 0);
                continue;
            }
            self.groups[group] = (border, end, 0);
            let fresh = self.groups.len();
            self.groups.push((start, border, 0));
            for &state in &self.states[start..border] {
                self.group[state] = fresh;
            }
            parts.push([group, fresh]);
        }
        parts
    }
}

/// Returns the states in the order of their answers, and then of their numbers. It does not use the sort of the
/// standard library: each user of `simd-iri` would compile that sort, which takes longer.
fn by_answer(accepts: &[u8]) -> Vec<usize> {
    let mut states = Vec::new();
    for answer in 0..=accepts.iter().max().copied().unwrap_or_default() {
        states.extend((0..accepts.len()).filter(|&state| accepts[state] == answer));
    }
    states
}

/// A byte of each class.
fn representatives(class_of: &[u8; 256]) -> Vec<u8> {
    let classes = class_of.iter().max().map_or(0, |&last| usize::from(last) + 1);
    let mut members = vec![0; classes];
    for (byte, &class) in class_of.iter().enumerate().rev() {
        members[usize::from(class)] = byte as u8;
    }
    members
}
