//! The backward half of a match: from which places of a text the rest of the template can match.
#![forbid(unsafe_code)]

/*
# Purpose
A match has to choose where each value ends. A search that tries one end after the other takes exponential time for
`{/id*}{/id*}…`. Here, one sweep from right to left computes for each step of the template *all* places from which the
rest matches, a bit for each place. The choice of the values (`choice`) then asks the bits, and is never wrong.

# Steps
A template is a row of steps. A literal is a step. An expression is the step `Enter`, which is its first character, and a
step for each variable. A place is before a symbol of the text (`symbols`), or at the end.

    here(step, place)   the template can match from this place on, from this step on
    rest(place)         the template can match from this place on, after the expression

    at the end of the template:        here = the end of the text
    Literal:                           here = places where the literal stands, and here(next) at its end
    Value without a name:              here = smear(ends, class)
    Value with a name:                 here = here(next variable) or places of `name=`, then a value up to one of the ends
      where ends =                       rest, or a separator with here(next variable) after it
    Enter:                             here = rest, or the first character with here(first variable) after it

A list with `*` and without names is a run of values and separators, so its class has the separator too. A list with `*`
and names is a row of pairs: from right to left, the pairs after a place are known before the place.

# Example: `{a}-{b}` on `x-y-z`; the places are 0 to 5
    place             0 1 2 3 4 5
    text              x - y - z
    after b           . . . . . 1
    b                 1 1 1 1 1 1     the class has `-` too
    -                 . 1 . 1 . .     `-` stands there, and b can match after it
    a                 1 1 1 1 . .     smear
The forward half takes the last bit of the step `-` that `a` reaches: 3. So `a` is `x-y`.

# Cost and invariants
- A step takes a pass of the words, which are a 64th of the length; a short literal takes a pass for each character. A
  prefix, a name or a long literal takes the length.
- `States` keeps the bits of about 2√steps steps. The bits of the others are computed again, once, when the choice comes
  to them: a checkpoint is the state at the start of a block of steps.
- No recursion; no step looks left of its place.
*/

use alloc::rc::Rc;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use super::bits::{Bits, first_clear, is_set, last_set, smear};
use super::operator::Operator;
use super::symbols::{self, Symbol, Symbols};
use super::{Expression, Modifier, Part, Variable};
use simd_iri::low::{AsciiSet, UNRESERVED, slice};

/// The characters before and between values.
const DELIMITERS: AsciiSet = AsciiSet::of(b",./;&?#");

/// A literal of at most so many ASCII characters is looked for in words. A longer literal is looked for symbol by symbol.
const SHORT: usize = 16;

/// So many steps are one block: the bits of all of them take less memory than the text.
const FEW: usize = 64;

/// A step of a match.
#[derive(Clone)]
pub(super) enum Step {
    Literal(Vec<Symbol>),
    /// The first character of an expression.
    Enter(Operator),
    Value(ValueStep),
}

/// A variable as a step.
#[derive(Clone)]
pub(super) struct ValueStep {
    pub(super) operator: Operator,
    pub(super) modifier: Modifier,
    /// The byte range of the name in the template.
    pub(super) name: Range<usize>,
    /// The symbols of the name, if the operator wants names.
    symbols: Vec<Symbol>,
    class: Class,
    pub(super) is_last: bool,
}

/// The symbols of which values consist.
#[derive(Clone, Copy)]
struct Class {
    /// All symbols, or only the unreserved.
    all: bool,
    /// A list without `*` has commas.
    comma: bool,
    /// A list with `*` has separators.
    separator: Option<u8>,
    /// A character that divides values, and that is in no value.
    without: Option<u8>,
}

impl Class {
    fn of(expression: &Expression, variable: &Variable) -> Self {
        let (operator, is_list) = (expression.operator, variable.modifier == Modifier::Explode);
        let separator = operator.separator();
        let divides = is_list || expression.variables.len() > 1;
        let all = operator.keeps_reserved();
        Self {
            all,
            comma: !all && variable.modifier == Modifier::None && (separator != b',' || !divides),
            separator: Some(separator).filter(|_| is_list && !operator.is_named()),
            without: Some(separator).filter(|_| divides && !is_list),
        }
    }
}

/// Returns the steps of a template.
pub(super) fn steps(text: &str, parts: &[Part]) -> Vec<Step> {
    let mut steps = Vec::new();
    for part in parts {
        match part {
            Part::Literal(span) => {
                steps.push(Step::Literal(symbols::literal(slice::text(text, span.clone()))));
            }
            Part::Expression(expression) => {
                let operator = expression.operator;
                steps.push(Step::Enter(operator));
                let mut left = expression.variables.len();
                steps.extend(expression.variables.iter().map(|variable| {
                    left -= 1;
                    let name = slice::text(text, variable.name.clone());
                    Step::Value(ValueStep {
                        operator,
                        modifier: variable.modifier,
                        name: variable.name.clone(),
                        symbols: symbols::literal(if operator.is_named() { name } else { "" }),
                        class: Class::of(expression, variable),
                        is_last: left == 0,
                    })
                }));
            }
        }
    }
    steps
}

/// A text, with the bits of its classes.
pub(super) struct Text<'a> {
    pub(super) symbols: Symbols<'a>,
    every: Bits,
    unreserved: Bits,
    /// For each ASCII character whose places are asked for, its number in `places`.
    numbers: [Option<u8>; 128],
    /// The words of the places of these characters, character by character.
    places: Vec<u64>,
}

impl<'a> Text<'a> {
    /// Returns `None` if the text is not an expansion of any template. The text is for a match of these steps.
    pub(super) fn of(text: &'a str, steps: &[Step]) -> Option<Self> {
        let symbols = Symbols::of(text)?;
        let asked = steps.iter().filter_map(|step| match step {
            Step::Literal(literal) => short(literal),
            _ => None,
        });
        let asked = asked.flatten().fold(DELIMITERS.bits, |all, byte| all | 1 << byte);
        let mut numbers = [None; 128];
        let bytes = (0..128).filter(|byte| asked >> byte & 1 == 1);
        numbers
            .iter_mut()
            .enumerate()
            .filter(|(byte, _)| asked >> byte & 1 == 1)
            .zip(0..)
            .for_each(|((_, place), number)| *place = Some(number));
        // The end is a place too, and so the bits after the last symbol are clear.
        let empty = Bits::new(symbols.len() + 1);
        let mut places = vec![0; empty.words() * bytes.count()];
        let (mut every, mut unreserved) = (empty.clone(), empty);
        for (at, symbol) in symbols.symbols.iter().enumerate() {
            every.set(at);
            let ascii = symbol.ascii();
            if ascii.is_none_or(|byte| UNRESERVED.contains(byte)) {
                unreserved.set(at);
            }
            let number = ascii.and_then(|byte| *numbers.get(usize::from(byte))?);
            let word = number.map(|number| usize::from(number) * every.words() + at / 64);
            if let Some(word) = word.and_then(|word| places.get_mut(word)) {
                *word |= 1 << (at % 64);
            }
        }
        Some(Self { symbols, every, unreserved, numbers, places })
    }

    /// Returns a word of the places of an ASCII character that is a delimiter or stands in a short literal.
    fn places(&self, byte: u8, word: usize) -> u64 {
        let number = self.numbers.get(usize::from(byte)).copied().flatten();
        let start = number.map(|number| usize::from(number) * self.every.words());
        let word = start.filter(|_| word < self.every.words()).map(|start| start + word);
        word.and_then(|word| self.places.get(word)).copied().unwrap_or_default()
    }

    /// Returns a word of the symbols of a class.
    fn class(&self, class: Class, word: usize) -> u64 {
        let base = if class.all { self.every.word(word) } else { self.unreserved.word(word) };
        let places = |byte: Option<u8>| byte.map_or(0, |byte| self.places(byte, word));
        let with = places(class.comma.then_some(b',')) | places(class.separator);
        (base | with) & !places(class.without)
    }
}

/// The places from which the rest of a template matches.
#[derive(Clone)]
pub(super) struct State {
    /// From this step on.
    pub(super) here: Rc<Bits>,
    /// After the expression of this step.
    rest: Rc<Bits>,
}

/// What may stand after a value.
struct Followers<'a> {
    /// The places from which the rest matches after the expression.
    rest: &'a Bits,
    /// The places from which the next variables match.
    next: Option<&'a Bits>,
    separator: u8,
}

impl Followers<'_> {
    /// Returns a word of the places at which a value may end.
    fn word(&self, text: &Text<'_>, word: usize) -> u64 {
        let next = self.next.map_or(0, |next| next.before(word));
        self.rest.word(word) | if next == 0 { 0 } else { next & text.places(self.separator, word) }
    }

    fn has(&self, text: &Text<'_>, at: usize) -> bool {
        self.rest.has(at) || self.goes_on(text, at)
    }

    /// Tells whether a separator stands at a place, and the next variables match after it.
    fn goes_on(&self, text: &Text<'_>, at: usize) -> bool {
        self.next.is_some_and(|next| next.has(at + 1)) && text.symbols.is(at, self.separator)
    }
}

impl ValueStep {
    /// Returns what may stand after the value. `after` is the state after the step, and `here` the state of the step.
    fn ends<'a>(&self, here: Option<&'a Bits>, after: &'a State) -> Followers<'a> {
        let (rest, next) = match self.is_last {
            true => (&*after.here, None),
            false => (&*after.rest, Some(&*after.here)),
        };
        // The next pair of a list with names may be of the same variable.
        let is_row = self.modifier == Modifier::Explode && self.operator.is_named();
        let next = if is_row { here.or(next) } else { next };
        Followers { rest, next, separator: self.operator.separator() }
    }

    /// Returns the end of the longest value that begins at `start`, and ends at `least` or after it.
    fn value_end(
        &self,
        text: &Text<'_>,
        start: usize,
        least: usize,
        ends: &Followers<'_>,
    ) -> Option<usize> {
        let mut run = first_clear(|word| text.class(self.class, word), start);
        if let Modifier::Prefix(length) = self.modifier {
            run = run.min(start + usize::from(length));
        }
        if run < least {
            return None;
        }
        last_set(|word| ends.word(text, word), least, run)
    }

    /// Returns where the value begins and ends if its pair begins at `at`: the longest value.
    fn pair(&self, text: &Text<'_>, at: usize, ends: &Followers<'_>) -> Option<Range<usize>> {
        if !text.symbols.has(at, &self.symbols) {
            return None;
        }
        let after = at + self.symbols.len();
        let may_be_short = !self.operator.has_empty_equals();
        let value = text.symbols.is(after, b'=').then(|| {
            let start = after + 1;
            let least = start + usize::from(may_be_short);
            Some(start..self.value_end(text, start, least, ends)?)
        });
        let short = || (may_be_short && ends.has(text, after)).then_some(after..after);
        value.flatten().or_else(short)
    }

    /// Returns the value that begins at `at`, where the state of the step has a bit. With a name, `at` is before the name,
    /// and the result is `None` if the pair is of a later variable.
    pub(super) fn find(
        &self,
        text: &Text<'_>,
        at: usize,
        here: &State,
        after: &State,
    ) -> Option<Range<usize>> {
        let ends = self.ends(Some(&here.here), after);
        if self.operator.is_named() {
            return self.pair(text, at, &ends);
        }
        Some(at..self.value_end(text, at, at, &ends)?)
    }

    /// Tells whether a next value follows the value that ends at `end`: of another variable, or, in a row of pairs, of
    /// this variable.
    pub(super) fn goes_on(&self, text: &Text<'_>, end: usize, here: &State, after: &State) -> bool {
        self.ends(Some(&here.here), after).goes_on(text, end)
    }

    /// Tells whether these symbols may be one value of the variable.
    pub(super) fn allows(&self, text: &Text<'_>, value: &Range<usize>) -> bool {
        let is_short = match self.modifier {
            Modifier::Prefix(length) => value.len() <= usize::from(length),
            _ => true,
        };
        is_short && is_set(|word| text.class(self.class, word), value)
    }

    /// Tells whether a comma in a value makes the value a list.
    pub(super) fn has_commas(&self) -> bool {
        self.class.comma
    }

    /// Computes the bits of a value without a name.
    fn value_bits(&self, text: &Text<'_>, after: &State) -> Bits {
        let ends = self.ends(None, after);
        let Modifier::Prefix(length) = self.modifier else {
            let mut carry = false;
            return after.here.made_down(|word| {
                let bits = smear(ends.word(text, word), text.class(self.class, word), carry);
                carry = bits & 1 == 1;
                bits
            });
        };
        // The number of symbols from a place to the nearest end that a value reaches.
        let (length, mut distance) = (u32::from(length), u32::MAX);
        after.here.made_down(|word| {
            let (ends, class) = (ends.word(text, word), text.class(self.class, word));
            if ends == 0 && distance >= length {
                distance = u32::MAX;
                return 0;
            }
            let mut bits = 0;
            for bit in (0..u64::BITS).rev() {
                distance = match (ends >> bit & 1, class >> bit & 1) {
                    (1, _) => 0,
                    (_, 1) => distance.saturating_add(1),
                    _ => u32::MAX,
                };
                bits |= u64::from(distance <= length) << bit;
            }
            bits
        })
    }

    /// Computes the bits of a value with a name.
    ///
    /// A pair has no separator. So a pair can only begin at a place from which an end is reached without one, and only
    /// these places are compared with the name. In a list with `*`, a pair that is found is an end for the pair before.
    fn pair_bits(&self, text: &Text<'_>, after: &State) -> Bits {
        let (first, separator) =
            (self.operator.first().unwrap_or_default(), self.operator.separator());
        let mut here =
            if self.is_last { after.here.made_down(|_| 0) } else { (*after.here).clone() };
        let ends = self.ends(None, after);
        let mut carry = false;
        let reach = here.made_down(|word| {
            let others = text.every.word(word) & !text.places(separator, word);
            let bits = smear(ends.word(text, word), others, carry);
            carry = bits & 1 == 1;
            bits
        });
        let starts = |word| text.places(first, word) | text.places(separator, word);
        let is_list = self.modifier == Modifier::Explode;
        let near = |word| starts(word) & if is_list { u64::MAX } else { reach.before(word) };
        // Whether a pair of the list begins after the delimiter before, which is at the end of this pair.
        let mut goes_on = false;
        for delimiter in reach.places(near) {
            let start = delimiter + 1;
            if (goes_on || reach.has(start))
                && self.pair(text, start, &self.ends(Some(&here), after)).is_some()
            {
                here.set(start);
            }
            goes_on = here.has(start) && text.symbols.is(delimiter, separator);
        }
        here
    }
}

impl Step {
    /// Computes the state of the step from the state after it.
    fn state(&self, text: &Text<'_>, after: &State) -> State {
        let (here, rest) = match self {
            Self::Literal(literal) => {
                (Rc::new(occurrences(text, literal, &after.here)), &after.rest)
            }
            Self::Enter(operator) => match operator.first() {
                None => (after.here.clone(), &after.rest),
                Some(first) => {
                    let word = |word| {
                        after.rest.word(word) | after.here.before(word) & text.places(first, word)
                    };
                    (Rc::new(after.here.made_down(word)), &after.rest)
                }
            },
            Self::Value(value) => {
                let bits = match value.operator.is_named() {
                    true => value.pair_bits(text, after),
                    false => value.value_bits(text, after),
                };
                (Rc::new(bits), if value.is_last { &after.here } else { &after.rest })
            }
        };
        State { here, rest: rest.clone() }
    }
}

/// Returns the characters of a literal that is short and ASCII.
fn short(literal: &[Symbol]) -> Option<impl DoubleEndedIterator<Item = u8>> {
    let is_short = literal.len() <= SHORT && literal.iter().all(|symbol| symbol.ascii().is_some());
    is_short.then(|| literal.iter().filter_map(|symbol| symbol.ascii()))
}

/// Returns the places where a literal stands and `rest` has a bit at its end.
///
/// For each character of a short literal, from the last to the first, the bits move by one place, and those stay where the
/// character stands. A longer literal takes linear time, too (Knuth, Morris, Pratt): `borders` has, for each length of a
/// start of the literal, the length of the longest shorter start that is its end.
fn occurrences(text: &Text<'_>, literal: &[Symbol], rest: &Bits) -> Bits {
    let mut here = rest.made_down(|_| 0);
    let Some((first, last)) = rest.ends() else { return here };
    if let Some(bytes) = short(literal) {
        return bytes.rev().fold(rest.clone(), |after, byte| {
            after.made_down(|word| match after.before(word) {
                0 => 0,
                bits => bits & text.places(byte, word),
            })
        });
    }
    let mut borders = vec![0; literal.len() + 1];
    let longer = |mut length: usize, symbol: Symbol, borders: &[usize]| loop {
        if literal.get(length) == Some(&symbol) {
            return length + 1;
        }
        if length == 0 {
            return 0;
        }
        length = borders.get(length).copied().unwrap_or_default();
    };
    let mut length = 0;
    for (number, symbol) in literal.iter().enumerate().skip(1) {
        length = longer(length, *symbol, &borders);
        if let Some(border) = borders.get_mut(number + 1) {
            *border = length;
        }
    }
    let start = first.saturating_sub(literal.len());
    length = 0;
    for (symbol, end) in
        text.symbols.symbols.get(start..last).unwrap_or_default().iter().zip(start + 1..)
    {
        length = longer(length, *symbol, &borders);
        if length == literal.len() && rest.has(end) {
            here.set(end - length);
        }
    }
    here
}

/// The states of all steps: those of one block of steps, and a checkpoint at the start of each block.
pub(super) struct States<'t, 'u> {
    steps: &'t [Step],
    text: &'t Text<'u>,
    /// The number of steps of a block.
    block: usize,
    /// The state at the start of each block that is not computed again yet, and at the end, the first block last.
    checkpoints: Vec<State>,
    /// The states of the steps of the block that begins at step `start`, and the state after them.
    states: Vec<State>,
    start: usize,
}

impl<'t, 'u> States<'t, 'u> {
    /// Returns `None` if the template does not match.
    pub(super) fn of(steps: &'t [Step], text: &'t Text<'u>) -> Option<Self> {
        let mut end = Bits::new(text.symbols.len() + 1);
        end.set(text.symbols.len());
        let end = Rc::new(end);
        let block = if steps.len() <= FEW { steps.len() } else { steps.len().isqrt() }.max(1);
        let mut states =
            Self { steps, text, block, checkpoints: Vec::new(), states: Vec::new(), start: 0 };
        let mut after = State { here: end.clone(), rest: end };
        for start in (0..steps.len()).step_by(block).rev() {
            states.checkpoints.push(after.clone());
            states.fill(start, after);
            after = states.states.first()?.clone();
            // The rest of an expression counts too, because the expression may be absent.
            if after.here.is_empty() && after.rest.is_empty() {
                return None;
            }
        }
        states.checkpoints.pop();
        after.here.has(0).then_some(states)
    }

    /// Computes the states of the block that begins at a step, from the state after the block.
    fn fill(&mut self, start: usize, after: State) {
        let end = (start + self.block).min(self.steps.len());
        self.states.clear();
        self.start = start;
        let steps = self.steps.get(start..end).unwrap_or_default();
        let mut last = after;
        for step in steps.iter().rev() {
            let state = step.state(self.text, &last);
            self.states.push(core::mem::replace(&mut last, state));
        }
        self.states.push(last);
        self.states.reverse();
    }

    /// Returns the state of a step and the state after the step. The number of the step may not be less than in the call
    /// before.
    pub(super) fn around(&mut self, step: usize) -> Option<(State, State)> {
        while step >= self.start + self.block {
            let after = self.checkpoints.pop()?;
            self.fill(self.start + self.block, after);
        }
        let at = step - self.start;
        Some((self.states.get(at)?.clone(), self.states.get(at + 1)?.clone()))
    }
}
