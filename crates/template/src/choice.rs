//! The forward half of a match: the choice of the values, from left to right.
#![forbid(unsafe_code)]

/*
The bits of `sweep` tell from which places the rest of the template matches. So the choice is made once at each step:

    place = 0
    for each step:
        Literal   place += its length
        Enter     the expression is there if its first character stands at the place, and its first variable
                  can match after it
        Value     take the longest value whose end has a bit
                  if a separator stands there and the next variable can match after it, go on after it
                  else the expression ends

Example: `{/a,b}` on `/x/y`. `/` stands at 0, and `a` can match from 1. The longest value from 1 ends at 2. A separator
stands there, and `b` can match from 3, so `b` is `y`.

More values of an expression are preferred to fewer: a separator is in no value of an expression with several variables,
so the longest value before a separator ends there. Only a list with `*` takes values that later variables could have.
`shared` gives these variables one value each, as far as their prefixes and commas allow it.
*/

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use super::Modifier;
use super::sweep::{States, Step, Text, ValueStep};

/// The value of a variable: the items of a list, or one text.
pub(super) struct FoundValue<'t> {
    pub(super) step: &'t ValueStep,
    /// Ranges of symbols.
    pub(super) items: Vec<Range<usize>>,
    pub(super) is_list: bool,
}

/// Returns the values of the variables that a match finds. Returns `None` if the steps do not match the whole text.
pub(super) fn choose<'t>(steps: &'t [Step], text: &Text<'_>) -> Option<Vec<FoundValue<'t>>> {
    let mut states = States::of(steps, text)?;
    let (mut found, mut at) = (Vec::new(), 0);
    // Whether the expression goes on, where its values begin, and the values without names so far.
    let (mut is_open, mut start, mut values) = (false, 0, Vec::new());
    for (number, step) in steps.iter().enumerate() {
        match step {
            Step::Literal(literal) => at += literal.len(),
            Step::Enter(operator) => {
                let (_, after) = states.around(number)?;
                is_open = match operator.first() {
                    None => true,
                    Some(first) => text.symbols.is(at, first) && after.here.has(at + 1),
                };
                at += usize::from(is_open && operator.first().is_some());
                start = at;
            }
            Step::Value(value) if is_open => {
                let (here, after) = states.around(number)?;
                if value.operator.is_named() {
                    let mut items = Vec::new();
                    while is_open {
                        let Some(item) = value.find(text, at, &here, &after) else { break };
                        at = item.end;
                        items.push(item);
                        is_open = value.goes_on(text, at, &here, &after);
                        at += usize::from(is_open);
                        if value.modifier != Modifier::Explode {
                            break;
                        }
                    }
                    if !items.is_empty() {
                        found.push(FoundValue::of(value, items, text));
                    }
                } else {
                    let item = value.find(text, at, &here, &after)?;
                    is_open = value.goes_on(text, item.end, &here, &after);
                    at = item.end + usize::from(is_open);
                    values.push((value, item));
                    if !is_open {
                        let whole = start..at;
                        // An empty expression without a first character has no value.
                        if !whole.is_empty() || value.operator.first().is_some() {
                            let later = steps.get(number + 1..).unwrap_or_default();
                            found.extend(shared(&values, later, whole, text));
                        }
                        values.clear();
                    }
                }
            }
            Step::Value(_) => {}
        }
    }
    Some(found)
}

/// Returns the values of an expression without names. `later` are the steps after its last variable that has a value.
fn shared<'t>(
    values: &[(&'t ValueStep, Range<usize>)],
    later: &'t [Step],
    whole: Range<usize>,
    text: &Text<'_>,
) -> Vec<FoundValue<'t>> {
    let as_chosen =
        || values.iter().map(|(step, value)| FoundValue::of(step, vec![value.clone()], text));
    let list = values.iter().position(|(step, _)| step.modifier == Modifier::Explode);
    let (Some(list), Some((last, _))) = (list, values.last()) else { return as_chosen().collect() };
    let later = later.iter().map_while(|step| match step {
        Step::Value(step) if !last.is_last => Some(step),
        _ => None,
    });
    let steps: Vec<&ValueStep> = values.iter().map(|(step, _)| *step).chain(later).collect();
    let mut items = split(text, whole, last.operator.separator());
    let present = steps.len().min(items.len());
    if present == values.len() {
        return as_chosen().collect();
    }
    let for_list = items.len() - present + 1;
    let mut found = Vec::new();
    for (number, step) in steps.into_iter().take(present).enumerate() {
        let count = if number == list { for_list } else { 1 };
        let after = items.split_off(count.min(items.len()));
        let own = core::mem::replace(&mut items, after);
        if !own.iter().all(|item| step.allows(text, item)) {
            return as_chosen().collect();
        }
        found.push(FoundValue::of_items(step, own, text));
    }
    found
}

impl<'t> FoundValue<'t> {
    /// Returns the value of a variable. The items are pairs, or the whole value without a name.
    fn of(step: &'t ValueStep, items: Vec<Range<usize>>, text: &Text<'_>) -> Self {
        let is_run = step.modifier == Modifier::Explode && !step.operator.is_named();
        match items.as_slice() {
            [whole] if is_run => {
                Self::of_items(step, split(text, whole.clone(), step.operator.separator()), text)
            }
            _ => Self::of_items(step, items, text),
        }
    }

    /// Returns the value of a variable with these items.
    fn of_items(step: &'t ValueStep, items: Vec<Range<usize>>, text: &Text<'_>) -> Self {
        let is_list = step.modifier == Modifier::Explode;
        match items.as_slice() {
            [value] if !is_list && step.has_commas() && has_comma(text, value) => {
                Self { step, items: split(text, value.clone(), b','), is_list: true }
            }
            _ => Self { step, items, is_list },
        }
    }
}

fn has_comma(text: &Text<'_>, value: &Range<usize>) -> bool {
    value.clone().any(|at| text.symbols.is(at, b','))
}

/// Returns the parts of a range of symbols between a separator.
fn split(text: &Text<'_>, whole: Range<usize>, separator: u8) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = whole.start;
    for at in whole.clone() {
        if text.symbols.is(at, separator) {
            parts.push(start..at);
            start = at + 1;
        }
    }
    parts.push(start..whole.end);
    parts
}
