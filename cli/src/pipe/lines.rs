//! The number of the line in which a block begins. If workers read parts of a file at once, it is known when all parts before
//! are read.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::invariant::present;

/// The line in which the records of a block begin.
#[derive(Clone)]
pub(crate) enum Line {
    /// Its number, from 1.
    Known(u64),
    /// The line in which this part of a file begins.
    Part(Arc<Lines>, usize),
}

impl Line {
    /// Returns the number. This waits until all parts before are read.
    pub(crate) fn number(&self) -> u64 {
        match self {
            Self::Known(line) => *line,
            Self::Part(lines, part) => lines.start(*part),
        }
    }
}

/// The lines in which the parts of a file begin.
// Invariant: who takes a part adds its lines before it asks for a number, whether the part could be read or not. So each wait
// ends.
pub(crate) struct Lines {
    state: Mutex<State>,
    moved: Condvar,
}

struct State {
    /// Where each part begins whose parts before are read. It is never empty.
    starts: Vec<u64>,
    /// The lines of the parts that were read before another part before them.
    counts: BTreeMap<usize, u64>,
    /// How many workers wait.
    waiting: usize,
}

impl Lines {
    /// Returns the lines of parts of which the first begins in this line.
    pub(crate) fn new(first: u64) -> Self {
        let state = State { starts: vec![first], counts: BTreeMap::new(), waiting: 0 };
        Self { state: Mutex::new(state), moved: Condvar::new() }
    }

    /// Notes how many lines a part has.
    pub(crate) fn add(&self, part: usize, lines: u64) {
        let mut state = self.lock();
        let State { starts, counts, waiting } = &mut *state;
        counts.insert(part, lines);
        while let Some(lines) = counts.remove(&(starts.len() - 1)) {
            let start = present(starts.last().copied());
            starts.push(start + lines);
        }
        // PERF: a wake-up asks the system, and few commands print lines.
        if *waiting > 0 {
            self.moved.notify_all();
        }
    }

    /// Returns the line in which a part begins. This waits until all parts before are read.
    pub(crate) fn start(&self, part: usize) -> u64 {
        let mut state = self.lock();
        loop {
            if let Some(start) = state.starts.get(part) {
                return *start;
            }
            state.waiting += 1;
            state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;

    use super::{Line, Lines};
    use crate::random::Random;

    /// Parts are read in any order, and who asks for a line waits for the parts before.
    #[test]
    fn a_part_begins_after_the_lines_of_the_parts_before() {
        let mut random = Random(7);
        for _ in 0..200 {
            let counts: Vec<u64> = (0..9).map(|_| random.below(5) as u64).collect();
            let lines = Arc::new(Lines::new(3));
            let asked = (0..=counts.len()).map(|part| Line::Part(Arc::clone(&lines), part));
            let waits: Vec<_> = asked.map(|line| thread::spawn(move || line.number())).collect();
            let mut parts: Vec<usize> = (0..counts.len()).collect();
            while !parts.is_empty() {
                let part = parts.swap_remove(random.below(parts.len()));
                lines.add(part, counts[part]);
            }
            for (part, wait) in waits.into_iter().enumerate() {
                assert_eq!(wait.join().unwrap(), 3 + counts[..part].iter().sum::<u64>());
            }
        }
    }
}
