//! Shows the numbers as tables of text with bars, which fit the terminal.

use std::io::{self, Write};

use crate::invariant::present;
use crate::output::escape::{Escaped, fitting};
use crate::stats::summary::{Summary, about, grouped, share};

/// The least width of a bar.
const SHORTEST: usize = 6;
/// The width of a share, and of the spaces around the columns.
const SHARE: usize = 7;
const SPACES: usize = 2 + 2 + 2 + 2;

/// A line of a table.
struct Line {
    key: String,
    width: usize,
    count: u64,
    of: u64,
    /// Whether the line stands for several keys. Then it does not have a bar.
    is_rest: bool,
}

/// A table.
struct Table {
    heading: String,
    lines: Vec<Line>,
}

/// Writes the numbers in lines of at most `width` cells.
///
/// # Errors
/// The output cannot be written.
pub(crate) fn write(out: &mut impl Write, summary: &Summary, width: usize) -> io::Result<()> {
    let Summary { kind, items, valid, invalid, distinct, .. } = summary;
    let (valid, invalid) = (grouped(*valid), grouped(*invalid));
    let plural = if *items == 1 { "" } else { "s" };
    let items = grouped(*items);
    let sum = format!("{items} item{plural}: {valid} valid, {invalid} invalid as {kind}");
    write_wrapped(out, &sum, width)?;
    if summary.valid > 0 {
        let [items, hosts, domains] = [distinct.items, distinct.hosts, distinct.domains].map(about);
        write_wrapped(out, &format!("Distinct items: {items}"), width)?;
        write_wrapped(out, &format!("Distinct hosts: {hosts}"), width)?;
        write_wrapped(out, &format!("Distinct registrable domains: {domains}"), width)?;
    }
    let tables = tables(summary);
    let lines = || tables.iter().flat_map(|table| &table.lines);
    // The widths of the columns, for all tables together:
    //
    //     2 keys 2 counts 2 share 2 bar    = width
    //
    // A key takes at most two fifths of the width, and leaves at least `SHORTEST` cells to the bar. A bar may be
    // shorter only if the terminal is very narrow.
    let counts = lines().map(|line| grouped(line.count).len()).max().unwrap_or(0);
    let most = width.saturating_sub(SPACES + counts + SHARE + SHORTEST).max(4);
    let keys = lines().map(|line| line.width).max().unwrap_or(0).min(most).min(width * 2 / 5);
    let bar_width = width.saturating_sub(SPACES + keys + counts + SHARE);
    for table in &tables {
        writeln!(out)?;
        write_wrapped(out, &table.heading, width)?;
        let longest = table.lines.iter().filter(|line| !line.is_rest).map(|line| line.count).max();
        for line in &table.lines {
            let (key, pad) = padded(line, keys);
            let (count, share) = (grouped(line.count), share(line.count, line.of));
            write!(out, "  {key}{:pad$}  {count:>counts$}  {share:>SHARE$}", "")?;
            let bar = match longest {
                Some(longest) if !line.is_rest => bar(line.count, longest, bar_width),
                _ => String::new(),
            };
            match bar.is_empty() {
                true => writeln!(out)?,
                false => writeln!(out, "  {bar}")?,
            }
        }
    }
    Ok(())
}

/// Writes a sentence of ASCII in lines of at most `width` cells, if its words are shorter.
fn write_wrapped(out: &mut impl Write, text: &str, width: usize) -> io::Result<()> {
    let mut used = 0;
    for word in text.split(' ') {
        match used {
            0 => used = word.len(),
            _ if used + 1 + word.len() <= width => {
                write!(out, " ")?;
                used += 1 + word.len();
            }
            _ => {
                write!(out, "\n    ")?;
                used = 4 + word.len();
            }
        }
        write!(out, "{word}")?;
    }
    writeln!(out)
}

fn tables(summary: &Summary) -> Vec<Table> {
    let lists = summary.lists().into_iter().filter(|list| list.counted.counted > 0).map(|list| {
        let of = list.of;
        let mut lines: Vec<_> =
            list.counted.top.iter().map(|row| line(&row.key, row.count, of)).collect();
        if list.counted.others > 0 {
            let key = match list.counted.other_keys {
                Some(keys) => format!("({} more)", grouped(keys as u64)),
                None => "(more)".to_owned(),
            };
            lines.push(Line { is_rest: true, ..line(&key, list.counted.others, of) });
        }
        let (title, unit) = (list.title, list.unit.of(list.counted.counted));
        let counted = grouped(list.counted.counted);
        let error = match list.counted.error {
            0 => String::new(),
            error => format!("; counts up to {} too low", grouped(error)),
        };
        Table { heading: format!("{title} ({counted} {unit}{error})"), lines }
    });
    let histograms = summary.histograms().map(|histogram| {
        let spread = histogram.spread;
        let lines = spread.bins.iter().map(|bin| {
            let key = match bin.from == bin.to {
                true => grouped(bin.from),
                false => format!("{}-{}", grouped(bin.from), grouped(bin.to)),
            };
            line(&key, bin.count, summary.valid)
        });
        let (title, unit) = (histogram.title, histogram.unit);
        let (least, greatest) = (grouped(spread.least), grouped(spread.greatest));
        let heading = format!("{title} ({least} to {greatest} {unit}, mean {:.1})", spread.mean);
        Table { heading, lines: lines.collect() }
    });
    lists.chain(histograms).collect()
}

/// Returns a line. The key takes one line, whatever characters it has.
fn line(key: &str, count: u64, of: u64) -> Line {
    let shown = Escaped(key.as_bytes());
    Line { key: shown.to_string(), width: shown.width(), count, of, is_rest: false }
}

/// Returns a key that fits in some cells, and the number of cells that it leaves.
fn padded(line: &Line, cells: usize) -> (String, usize) {
    let mut key = line.key.clone();
    let mut width = line.width;
    if width > cells {
        let end = fitting(key.as_bytes(), cells.saturating_sub(1));
        key = format!("{}…", present(key.get(..end)));
        width = Escaped(key.as_bytes()).width();
    }
    if !key.is_ascii() {
        // Without this mark, a terminal would order the numbers after a key in Arabic from right to left.
        key.push('\u{200E}');
    }
    (key, cells.saturating_sub(width))
}

/// Returns a bar, whose length is exact to an eighth of a cell. Each count but 0 has a bar.
fn bar(count: u64, longest: u64, cells: usize) -> String {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = u128::from(count) * cells as u128 * 8 / u128::from(longest.max(1));
    let eighths = usize::try_from(eighths).unwrap_or(0).max(usize::from(count > 0));
    let part = PARTS.get(eighths % 8).copied().unwrap_or_default();
    "█".repeat(eighths / 8) + part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_have_the_length_of_their_counts() {
        assert_eq!([0, 1, 500, 1000].map(|count| bar(count, 1000, 4)), ["", "▏", "██", "████"]);
        assert_eq!(bar(15, 16, 2), "█▉");
        assert_eq!(bar(u64::MAX, u64::MAX, 3), "███");
    }

    #[test]
    fn keys_are_padded_by_their_cells() {
        let shown = |key| padded(&line(key, 1, 1), 6);
        assert_eq!(shown("abc"), ("abc".to_owned(), 3));
        assert_eq!(shown("例え"), ("例え\u{200E}".to_owned(), 2));
        assert_eq!(shown("例え例え"), ("例え…\u{200E}".to_owned(), 1));
        assert_eq!(shown("a\nb"), ("a\\u{a}b".get(..5).unwrap().to_owned() + "…\u{200E}", 0));
    }
}
