//! A valid item as a picture for people: the text, a leg under each component, and a list of the
//! components with their byte offsets.

use std::io::{self, Write};
use std::ops::Range;

use simd_iri::{Host, IriRef};

use crate::invariant::present;
use crate::output::escape::{Escaped, fitting};

/// A wider text would be wrapped by the terminal, and the legs would stand under nothing.
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
/// On a terminal of `width` cells, a text that is wider is drawn in bands, one below the other.
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

/// Where a band ends that begins at `start`: what fits, and ends before a component whose name would
/// not fit at the right edge.
fn end_of_band(iri: IriRef<'_>, start: usize, width: usize) -> usize {
    let text = iri.as_str();
    // The last cell is for the leg of an empty component at the end.
    let fits = fitting(present(text.as_bytes().get(start..)), width.saturating_sub(1));
    let end = start + fits;
    for (name, range) in components(iri).filter(|(_, range)| range.start > start) {
        if range.start > end {
            break;
        }
        // An empty component may share its place and its label with another one.
        let label = name.len() + if range.is_empty() { ", path".len() } else { 0 };
        if part(iri, start..range.start).width() + label > width {
            // With the delimiter before it, so that something is above its leg.
            let before =
                text.get(start..range.start).and_then(|text| text.char_indices().next_back());
            return before.map(|(at, _)| start + at).filter(|at| *at > start).unwrap_or(end);
        }
    }
    end
}

/// The components that are there, each before those inside it.
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

/// A component as it is shown.
fn part(iri: IriRef<'_>, range: Range<usize>) -> Escaped<'_> {
    Escaped(present(iri.as_str().as_bytes().get(range)))
}

/// A component under the text.
struct Leg {
    /// Where it begins, in cells of the terminal.
    cell: usize,
    /// How wide it is: 0 for an empty one.
    width: usize,
    label: String,
}

/// The rows under a band of the text: how far each component reaches, and the names. A component that
/// began in a band above has an ellipsis before its name.
fn legs(iri: IriRef<'_>, band: &Range<usize>) -> Vec<String> {
    let mut legs: Vec<Leg> = Vec::new();
    let is_last = band.end == iri.as_str().len();
    // The authority is shown by its parts.
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
            // An empty component and the next may begin at the same place.
            Some(last) if last.cell == cell => {
                last.width = width;
                last.label = format!("{}, {label}", last.label);
            }
            _ => legs.push(Leg { cell, width, label }),
        }
    }

    let mut reach = Row::default();
    let mut names: Vec<Row> = Vec::new();
    // From the right, each name stands in the highest row that has room for it, and a line leads
    // to it through the rows above.
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

/// A row of texts at cells, from the right to the left.
#[derive(Default)]
struct Row(Vec<(usize, String)>);

impl Row {
    fn put(&mut self, cell: usize, text: String) {
        self.0.push((cell, text));
    }

    /// The leftmost cell that is taken.
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

/// Writes a line for each component: its name, its bytes, its text. On a terminal of `width` cells, a
/// text that is too long goes on below.
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
            // What is too wide for the room stays whole.
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
