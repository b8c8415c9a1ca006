//! Charts as SVG inside a page: bars beside rows, a divided bar, and a histogram. Their colours are in the
//! style of the page.

use std::fmt::Write;

use crate::stats::bins::Bin;
use crate::stats::summary::{Histogram, grouped};

/// The size of a histogram in its own units, with room for a count above and a number below each bar.
const WIDTH: f64 = 520.0;
const HEIGHT: f64 = 190.0;
const ABOVE: f64 = 18.0;
const BELOW: f64 = 36.0;
/// The room that a number of four characters takes.
const LABEL: f64 = 28.0;

/// Returns a bar for a count. Each count but 0 has a bar. `class` is its style: `bar` or `bad`.
pub(crate) fn bar(count: u64, longest: u64, class: &str) -> String {
    let width = scaled(count, longest, 100.0).max(if count > 0 { 0.8 } else { 0.0 });
    format!(
        "<svg viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">\
         <rect class=\"track\" width=\"100\" height=\"10\"/>\
         <rect class=\"{class}\" width=\"{width:.2}\" height=\"10\"/></svg>"
    )
}

/// Returns a bar that is divided into valid and invalid items.
pub(crate) fn validity(valid: u64, invalid: u64) -> String {
    let least = |count| if count > 0 { 0.4 } else { 0.0 };
    let width = scaled(valid, valid.saturating_add(invalid), 100.0)
        .clamp(least(valid), 100.0 - least(invalid));
    let rest = if invalid > 0 { 100.0 - width } else { 0.0 };
    format!(
        "<svg viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">\
         <rect class=\"track\" width=\"100\" height=\"10\"/>\
         <rect class=\"bar\" width=\"{width:.2}\" height=\"10\"/>\
         <rect class=\"bad\" x=\"{width:.2}\" width=\"{rest:.2}\" height=\"10\"/></svg>"
    )
}

/// Returns a histogram. Each bar can be reached with the keyboard and says what it stands for.
#[expect(clippy::cast_precision_loss, reason = "a histogram has few bins")]
pub(crate) fn histogram(histogram: &Histogram<'_>) -> String {
    let bins = &histogram.spread.bins;
    let greatest = bins.iter().map(|bin| bin.count).max().unwrap_or(0);
    // If there are fewer than eight bins, each is as wide as if there were eight.
    let step = WIDTH / bins.len().max(8) as f64;
    // There are at most 65 bins. If bars are narrow, only each second, third or fourth bar has a label.
    let every = (1..4_u8).find(|every| f64::from(*every) * step >= LABEL).unwrap_or(4);
    let room = HEIGHT - ABOVE - BELOW;
    let floor = HEIGHT - BELOW;
    let mut svg = format!(
        "<svg class=\"histogram\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"group\" aria-label=\"{}\">\
         <line class=\"axis\" x2=\"{WIDTH}\" y1=\"{floor}\" y2=\"{floor}\"/>",
        histogram.title
    );
    for (at, Bin { from, to, count }) in bins.iter().enumerate() {
        let height = scaled(*count, greatest, room).max(if *count > 0 { 1.0 } else { 0.0 });
        let left = at as f64 * step;
        let (x, y) = (step.mul_add(0.12, left), floor - height);
        let (middle, width) = (left + step / 2.0, step * 0.76);
        let says = format!("{}: {}", bin_name(*from, *to, histogram.unit), items(*count));
        let is_labelled = at % usize::from(every) == 0;
        let (above, below) = (y - 5.0, floor + 15.0);
        let more = if to > from { "+" } else { "" };
        let (shown, name) = match is_labelled {
            true if *count > 0 => (compact(*count), compact(*from) + more),
            true => (String::new(), compact(*from) + more),
            false => (String::new(), String::new()),
        };
        let _ = write!(
            svg,
            "<g tabindex=\"0\" role=\"img\" aria-label=\"{says}\"><title>{says}</title>\
             <rect x=\"{left:.2}\" width=\"{step:.2}\" height=\"{HEIGHT}\" fill=\"transparent\"/>\
             <rect class=\"bar\" x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" rx=\"2\"/>\
             <text class=\"count\" x=\"{middle:.2}\" y=\"{above:.2}\">{shown}</text>\
             <text x=\"{middle:.2}\" y=\"{below:.2}\">{name}</text></g>"
        );
    }
    let (middle, unit) = (step * bins.len() as f64 / 2.0, histogram.unit);
    let _ = write!(svg, "<text x=\"{middle:.2}\" y=\"{HEIGHT}\">{unit}</text></svg>");
    svg
}

/// Returns the numbers of a bin, in words.
pub(crate) fn bin_name(from: u64, to: u64, unit: &str) -> String {
    match from == to {
        true => format!("{} {unit}", grouped(from)),
        false => format!("{} to {} {unit}", grouped(from), grouped(to)),
    }
}

/// Returns a number of items, in words.
fn items(count: u64) -> String {
    format!("{} item{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// Returns a number with at most four characters, such as `12k`.
fn compact(number: u64) -> String {
    let (unit, suffix) = match number {
        0..1_000 => return number.to_string(),
        1_000..1_000_000 => (1_000, "k"),
        1_000_000..1_000_000_000 => (1_000_000, "M"),
        _ => (1_000_000_000, "G"),
    };
    match number / unit {
        whole @ 0..10 => format!("{whole}.{}{suffix}", number % unit / (unit / 10)),
        whole => format!("{whole}{suffix}"),
    }
}

/// Returns the length of a count, if the greatest count has the length `length`.
#[expect(clippy::cast_precision_loss, reason = "a length is shown with two decimals")]
fn scaled(count: u64, greatest: u64, length: f64) -> f64 {
    count as f64 / greatest.max(1) as f64 * length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let numbers = [0, 999, 1_000, 1_999, 12_345, 999_999, 1_234_567, 23_000_000_000];
        let shown = numbers.map(compact);
        assert_eq!(shown, ["0", "999", "1.0k", "1.9k", "12k", "999k", "1.2M", "23G"]);
    }

    #[test]
    fn a_small_part_is_seen() {
        assert!(bar(1, 1_000_000, "bar").contains("class=\"bar\" width=\"0.80\""));
        assert!(bar(0, 5, "bad").contains("class=\"bad\" width=\"0.00\""));
        assert!(validity(1_000_000, 1).contains("x=\"99.60\" width=\"0.40\""));
        assert!(validity(7, 0).contains("class=\"bar\" width=\"100.00\""));
        assert!(validity(0, 7).contains("x=\"0.00\" width=\"100.00\""));
    }
}
