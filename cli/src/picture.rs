//! A valid item as a picture for people: the text, a leg under each component, and a list of the
//! components with their byte offsets.

use std::io::{self, Write};
use std::ops::Range;

use simd_iri::{Host, IriRef};

use crate::escape::Escaped;

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
pub(crate) fn write(out: &mut impl Write, iri: IriRef<'_>) -> io::Result<()> {
    let text = Escaped(iri.as_str().as_bytes());
    writeln!(out, "{text}")?;
    if text.width() <= WIDEST {
        for row in legs(iri) {
            writeln!(out, "{row}")?;
        }
    }
    write_list(out, iri)?;
    writeln!(out)
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
    Escaped(iri.as_str().as_bytes().get(range).unwrap_or_default())
}

/// A component under the text.
struct Leg {
    /// Where it begins, in cells of the terminal.
    cell: usize,
    /// How wide it is: 0 for an empty one.
    width: usize,
    label: String,
}

/// The rows under the text: how far each component reaches, and the names.
fn legs(iri: IriRef<'_>) -> Vec<String> {
    let mut legs: Vec<Leg> = Vec::new();
    // The authority is shown by its parts.
    for (label, range) in components(iri).filter(|(name, _)| *name != "authority") {
        let cell = part(iri, 0..range.start).width();
        let width = part(iri, range).width();
        match legs.last_mut() {
            // An empty component and the next may begin at the same place.
            Some(last) if last.cell == cell => {
                last.width = width;
                last.label = format!("{}, {label}", last.label);
            }
            _ => legs.push(Leg { cell, width, label: label.to_owned() }),
        }
    }

    let mut reach = Row::default();
    let mut names: Vec<Row> = Vec::new();
    // From the right, each name stands in the highest row that has room for it, and a line leads
    // to it through the rows above.
    for Leg { cell, width, label } in legs.into_iter().rev() {
        reach.put(cell, width.checked_sub(1).map_or("╷".into(), |rest| format!("┬{:─<rest$}", "")));
        let end = cell + label.len();
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

/// Writes a line for each component: its name, its bytes, its text.
fn write_list(out: &mut impl Write, iri: IriRef<'_>) -> io::Result<()> {
    for (name, range) in components(iri) {
        let inner = matches!(name, "userinfo" | "host" | "port");
        let name = format!("{}{name}", if inner { "  " } else { "" });
        let bytes = format!("{}..{}", range.start, range.end);
        write!(out, "  {name:<10} {bytes:>8}  {}", part(iri, range.clone()))?;
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
        writeln!(out, "{note}")?;
    }
    Ok(())
}
