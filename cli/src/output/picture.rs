//! Draws a valid item for people: the text, a leg under each component, and a list of the components with
//! their byte offsets.

use std::io::{self, Write};
use std::ops::Range;

use simd_iri::{Host, IriRef};

use crate::invariant::present;
use crate::output::escape::{Escaped, fitting};

/// The widest text that is drawn if the width of the terminal is not known. A terminal would wrap a wider
/// text, so that the legs would not be under their components.
const WIDEST: usize = 120;

/// Writes the picture and a blank line.
///
/// ```text
/// http://me@[::1]:80/?q
/// ┬───   ┬─ ┬──── ┬─┬ ┬
/// scheme │  host  │ │ query
///        │        │ path
///        │        port
///        userinfo
/// ```
///
/// On a terminal of `width` cells, a wider text is drawn in bands, one below the other.
pub(crate) fn write(out: &mut impl Write, iri: IriRef<'_>, width: Option<usize>) -> io::Result<()> {
    let bytes = iri.as_str().as_bytes();
    let mut band = 0..bytes.len();
    loop {
        if let Some(width) = width {
            band.end = end_of_band(iri, band.start, width);
        }
        let text = part(iri, band.clone());
        writeln!(out, "{text}")?;
        if width.is_some() || text.width() <= WIDEST {
            for row in legs(iri, &band) {
                writeln!(out, "{row}")?;
            }
        }
        if band.end == bytes.len() || band.is_empty() {
            break;
        }
        band = band.end..bytes.len();
    }
    write_list(out, iri, width)?;
    writeln!(out)
}

/// Returns the end of the band that begins at `start`. The band fits in the width, and ends before a
/// component whose name would not fit at the right edge.
fn end_of_band(iri: IriRef<'_>, start: usize, width: usize) -> usize {
    let text = iri.as_str();
    // The last cell is for the leg of an empty component at the end.
    let fits = fitting(present(text.as_bytes().get(start..)), width.saturating_sub(1));
    let end = start + fits;
    for (name, range) in components(iri).filter(|(_, range)| range.start > start) {
        if range.start > end {
            break;
        }
        // An empty component may share its position and its label with another one.
        let label = name.len() + if range.is_empty() { ", path".len() } else { 0 };
        if part(iri, start..range.start).width() + label > width {
            // The delimiter goes to the next band too, so that there is a character above the leg.
            let before =
                text.get(start..range.start).and_then(|text| text.char_indices().next_back());
            return before.map(|(at, _)| start + at).filter(|at| *at > start).unwrap_or(end);
        }
    }
    end
}

/// Returns the components that are present, each before the components inside it.
fn components(iri: IriRef<'_>) -> impl Iterator<Item = (&'static str, Range<usize>)> {
    let parts = iri.parts();
    let components = [
        ("scheme", parts.scheme()),
        ("authority", parts.authority()),
        ("userinfo", parts.userinfo()),
        ("host", parts.host()),
        ("port", parts.port()),
        ("path", Some(parts.path())),
        ("query", parts.query()),
        ("fragment", parts.fragment()),
    ];
    components.into_iter().filter_map(|(name, range)| Some((name, range?)))
}

/// Returns a component as it is printed.
fn part(iri: IriRef<'_>, range: Range<usize>) -> Escaped<'_> {
    Escaped(present(iri.as_str().as_bytes().get(range)))
}

/// The mark and the name of a component, under the text.
struct Leg {
    /// The first cell of the component.
    cell: usize,
    /// The width of the component in cells: 0 if it is empty.
    width: usize,
    label: String,
}

/// Returns the rows under a band of the text: the extent of each component, and the names. A component
/// that began in a band above has an ellipsis before its name.
fn legs(iri: IriRef<'_>, band: &Range<usize>) -> Vec<String> {
    let mut legs: Vec<Leg> = Vec::new();
    let is_last = band.end == iri.as_str().len();
    // The components of the authority are drawn instead of it.
    for (name, range) in components(iri).filter(|(name, _)| *name != "authority") {
        let begins = range.start >= band.start && (range.start < band.end || is_last);
        let goes_on = range.start < band.start && range.end > band.start;
        if !begins && !goes_on {
            continue;
        }
        let start = range.start.max(band.start);
        let cell = part(iri, band.start..start).width();
        let width = part(iri, start..range.end.min(band.end)).width();
        let label = if goes_on { format!("…{name}") } else { name.to_owned() };
        match legs.last_mut() {
            // An empty component and the next one may begin at the same cell.
            Some(last) if last.cell == cell => {
                last.width = width;
                last.label = format!("{}, {label}", last.label);
            }
            _ => legs.push(Leg { cell, width, label }),
        }
    }

    let mut reach = Row::default();
    let mut names: Vec<Row> = Vec::new();
    // From right to left, each name goes into the highest row that has room for it. A line through the
    // rows above leads to it.
    for Leg { cell, width, label } in legs.into_iter().rev() {
        reach.put(cell, width.checked_sub(1).map_or("╷".into(), |rest| format!("┬{:─<rest$}", "")));
        let end = cell + label.chars().count();
        let fit = names.iter().position(|row| end < row.left()).unwrap_or(names.len());
        names.resize_with(names.len().max(fit + 1), Row::default);
        for above in names.iter_mut().take(fit) {
            above.put(cell, "│".to_owned());
        }
        if let Some(row) = names.get_mut(fit) {
            row.put(cell, label);
        }
    }
    std::iter::once(&reach).chain(&names).map(Row::render).collect()
}

/// A row of texts, each with its first cell, from right to left.
#[derive(Default)]
struct Row(Vec<(usize, String)>);

impl Row {
    fn put(&mut self, cell: usize, text: String) {
        self.0.push((cell, text));
    }

    /// Returns the leftmost cell that is taken.
    fn left(&self) -> usize {
        self.0.last().map_or(usize::MAX, |(cell, _)| *cell)
    }

    fn render(&self) -> String {
        let (mut row, mut width) = (String::new(), 0);
        for (cell, text) in self.0.iter().rev() {
            row.extend(std::iter::repeat_n(' ', cell.saturating_sub(width)));
            row.push_str(text);
            width = cell + text.chars().count();
        }
        row
    }
}

/// Writes a line for each component: its name, its byte offsets, its text. On a terminal of `width`
/// cells, a long text continues on the next line.
fn write_list(out: &mut impl Write, iri: IriRef<'_>, width: Option<usize>) -> io::Result<()> {
    for (name, range) in components(iri) {
        let inner = matches!(name, "userinfo" | "host" | "port");
        let name = format!("{}{name}", if inner { "  " } else { "" });
        let bytes = format!("{}..{}", range.start, range.end);
        let head = format!("  {name:<10} {bytes:>8}  ");
        let note = match iri.host() {
            _ if range.is_empty() => "(empty)",
            Some(host) if name == "  host" => match host {
                Host::Ipv4(_) => "  (an IPv4 address)",
                Host::Ipv6(_) => "  (an IPv6 address)",
                Host::IpvFuture(_) => "  (an IP address of a future version)",
                Host::RegName(_) => "  (a registered name)",
            },
            _ => "",
        };
        let room = width.map_or(usize::MAX, |width| width.saturating_sub(head.len()).max(1));
        write!(out, "{head}")?;
        let mut rest = present(iri.as_str().as_bytes().get(range));
        let mut used = 0;
        while !rest.is_empty() {
            let (row, after) = present(rest.split_at_checked(fitting(rest, room)));
            used = Escaped(row).width();
            write!(out, "{}", Escaped(row))?;
            // A character that is too wide for the room is written anyway.
            let stuck = row.is_empty();
            if stuck {
                write!(out, "{}", Escaped(after))?;
            }
            rest = if stuck { b"" } else { after };
            if !rest.is_empty() {
                write!(out, "\n{:1$}", "", head.len())?;
            }
        }
        if note.len() > room.saturating_sub(used) {
            let indent = width.unwrap_or(0).saturating_sub(note.len()).min(head.len());
            write!(out, "\n{:indent$}", "")?;
        }
        writeln!(out, "{note}")?;
    }
    Ok(())
}
