//! The differences of two texts, as a unified diff without context. Not here: how the second text was made.
//!
//! Both texts are read once, line by line, so that memory does not grow with them.
//!
//! ```text
//! while the next lines are equal: skip both
//! read ahead: up to WINDOW lines of each text; find the first pair of equal lines by the sum of their places
//! remove the old lines before the pair, and add the new lines before the pair
//! ```
//!
//! Without a pair in the window, the whole window is removed and added. So the result is always a correct diff. It is
//! not always the shortest.
//!
//! ```text
//! old  a  b  c  d        @@ -2,2 +2 @@    b and c were removed, X was added; d is the pair
//! new  a  X  d
//! ```

use std::collections::{HashMap, VecDeque};
use std::io::{self, BufRead, Write};

use crate::output::escape;

/// How many lines are read ahead to find a pair.
const WINDOW: usize = 256;

/// A text that is read line by line.
struct Lines<R> {
    source: R,
    ahead: VecDeque<Vec<u8>>,
    /// The number of the next line, from 1.
    number: u64,
    is_over: bool,
}

impl<R: BufRead> Lines<R> {
    fn new(source: R) -> Self {
        Self { source, ahead: VecDeque::new(), number: 1, is_over: false }
    }

    /// Reads ahead until `count` lines are in memory, or until the text is over.
    fn fill(&mut self, count: usize) -> io::Result<()> {
        while self.ahead.len() < count && !self.is_over {
            let mut line = Vec::new();
            self.source.read_until(b'\n', &mut line)?;
            match line.is_empty() {
                true => self.is_over = true,
                false => self.ahead.push_back(line),
            }
        }
        Ok(())
    }

    /// Writes the next `count` lines with a mark before each, and goes on after them.
    fn write(
        &mut self,
        count: usize,
        mark: &[u8],
        terminal: bool,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        for line in self.ahead.drain(..count) {
            out.write_all(mark)?;
            escape::write_text(&mut &mut *out, &line, terminal)?;
            if !line.ends_with(b"\n") {
                out.write_all(b"\n\\ No newline at end of file\n")?;
            }
        }
        self.number += count as u64;
        Ok(())
    }

    /// Returns the place of the next lines, as a hunk names it.
    fn place(&self, count: usize) -> String {
        match count {
            // An empty range is named by the line before it.
            0 => format!("{},0", self.number - 1),
            1 => self.number.to_string(),
            count => format!("{},{count}", self.number),
        }
    }
}

/// Writes the differences of two texts, which have one name. Returns whether there are differences.
///
/// # Errors
/// A text cannot be read, or the output cannot be written.
pub(crate) fn write(
    name: &str,
    old: impl BufRead,
    new: impl BufRead,
    terminal: bool,
    out: &mut dyn Write,
) -> io::Result<bool> {
    let (mut old, mut new) = (Lines::new(old), Lines::new(new));
    let mut is_changed = false;
    loop {
        old.fill(1)?;
        new.fill(1)?;
        match (old.ahead.front(), new.ahead.front()) {
            (None, None) => return Ok(is_changed),
            (a, b) if a == b => {
                for lines in [&mut old.ahead, &mut new.ahead] {
                    lines.pop_front();
                }
                old.number += 1;
                new.number += 1;
                continue;
            }
            _ => {}
        }
        if !std::mem::replace(&mut is_changed, true) {
            writeln!(out, "--- {name}\n+++ {name}")?;
        }
        old.fill(WINDOW)?;
        new.fill(WINDOW)?;
        let (removed, added) = pair(&old.ahead, &new.ahead);
        writeln!(out, "@@ -{} +{} @@", old.place(removed), new.place(added))?;
        old.write(removed, b"-", terminal, out)?;
        new.write(added, b"+", terminal, out)?;
    }
}

/// Returns the places of the first pair of equal lines; without a pair, the numbers of all lines.
fn pair(old: &VecDeque<Vec<u8>>, new: &VecDeque<Vec<u8>>) -> (usize, usize) {
    let mut places = HashMap::new();
    for (place, line) in old.iter().enumerate() {
        places.entry(line).or_insert(place);
    }
    let pairs = new.iter().enumerate().filter_map(|(b, line)| Some((*places.get(line)?, b)));
    pairs.min_by_key(|(a, b)| a + b).unwrap_or((old.len(), new.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Applies a diff to a text, as the program `patch` does.
    fn patched(old: &str, diff: &str) -> String {
        let old: Vec<&str> = old.split_inclusive('\n').collect();
        let (mut new, mut at) = (String::new(), 0);
        let mut lines = diff.split_inclusive('\n').skip(2).peekable();
        while let Some(hunk) = lines.next() {
            if let Some(place) = hunk.strip_prefix("@@ -") {
                let (start, count) = match place.split(' ').next().unwrap().split_once(',') {
                    Some((start, count)) => (start.parse().unwrap(), count.parse().unwrap()),
                    None => (place.split(' ').next().unwrap().parse::<usize>().unwrap(), 1_usize),
                };
                let start = if count == 0 { start } else { start - 1 };
                new.extend(old[at..start].iter().copied());
                at = start + count;
            } else if let Some(line) = hunk.strip_prefix('+') {
                let is_open = lines.peek().is_some_and(|next| next.starts_with('\\'));
                new.push_str(if is_open { line.trim_end_matches('\n') } else { line });
            }
        }
        new.extend(old[at..].iter().copied());
        new
    }

    /// Every pair of texts of up to four lines of two kinds, with and without a last newline.
    #[test]
    fn a_diff_makes_the_new_text_of_the_old() {
        let mut texts = vec![String::new()];
        for length in 1..=4 {
            for bits in 0..1 << length {
                let line = |place| if bits >> place & 1 == 1 { "a\n" } else { "b\n" };
                let text: String = (0..length).map(line).collect();
                texts.push(text.trim_end_matches('\n').to_owned());
                texts.push(text);
            }
        }
        for old in &texts {
            for new in &texts {
                let mut diff = Vec::new();
                let changed = write("f", old.as_bytes(), new.as_bytes(), false, &mut diff).unwrap();
                let diff = String::from_utf8(diff).unwrap();
                assert_eq!(changed, old != new);
                assert_eq!(changed, !diff.is_empty());
                assert_eq!(patched(old, &diff), *new, "{old:?} {diff}");
            }
        }
    }
}
