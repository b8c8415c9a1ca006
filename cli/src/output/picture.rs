//! Draws a valid item for people: the text, a leg under each component, and a list of the components with
//! their byte offsets.

use std::ops::Range;

use simd_iri::{Host, IriRef};

use crate::invariant::present;
use crate::output::escape::{Escaped, fitting};

/// The widest text that is drawn if the width of the terminal is not known. A terminal would wrap a wider
/// text, so that the legs would not be under their components.
const WIDEST: usize = 120;

/// Appends the picture and a blank line.
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
pub(crate) fn append(out: &mut Vec<u8>, iri: IriRef<'_>, width: Option<usize>) {
    let bytes = iri.as_str().as_bytes();
    // PERF: most references are of visible ASCII characters, a cell and a byte each.
    let is_plain = bytes.iter().fold(true, |plain, byte| plain & byte.is_ascii_graphic());
    let drawing = Drawing { iri, is_plain };
    let mut band = 0..bytes.len();
    loop {
        if let Some(width) = width {
            band.end = end_of_band(iri, band.start, width);
        }
        drawing.append_text(out, band.clone());
        out.push(b'\n');
        if width.is_some() || drawing.cells(band.clone()) <= WIDEST {
            drawing.append_legs(out, &band);
        }
        if band.end == bytes.len() || band.is_empty() {
            break;
        }
        band = band.end..bytes.len();
    }
    drawing.append_list(out, width);
    out.push(b'\n');
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

/// The most components that are drawn: the authority is drawn as its three parts.
const MOST: usize = 7;

/// The mark and the names of components that begin at the same cell, under the text.
#[derive(Clone, Copy, Default)]
struct Leg {
    /// The first cell of the components.
    cell: usize,
    /// The width of the last component in cells: 0 if it is empty. The components before it are empty.
    width: usize,
    /// The names, from `first` to `last` in the list of components.
    first: usize,
    last: usize,
    /// Whether the component began in a band above.
    goes_on: bool,
}

/// The content of a row at a leg.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Mark {
    #[default]
    Nothing,
    /// A line to the name in a row below.
    Bar,
    /// The name.
    Name,
}

/// A reference that is drawn.
struct Drawing<'a> {
    iri: IriRef<'a>,
    /// Whether each byte is a character of one cell.
    is_plain: bool,
}

impl Drawing<'_> {
    fn cells(&self, range: Range<usize>) -> usize {
        if self.is_plain { range.len() } else { part(self.iri, range).width() }
    }

    fn append_text(&self, out: &mut Vec<u8>, range: Range<usize>) {
        let bytes = present(self.iri.as_str().as_bytes().get(range));
        if self.is_plain {
            out.extend_from_slice(bytes);
        } else {
            Escaped(bytes).append_to(out);
        }
    }

    /// Appends the rows under a band of the text: the extent of each component, and the names. A component
    /// that began in a band above has an ellipsis before its name.
    ///
    /// From right to left, each name goes into the highest row that has room for it. A line through the
    /// rows above leads to it. A row holds a mark for each leg, so no row is a text before it is printed.
    fn append_legs(&self, out: &mut Vec<u8>, band: &Range<usize>) {
        let mut legs = [Leg::default(); MOST];
        let mut names = [""; MOST];
        let (mut count, mut named) = (0, 0);
        let is_last = band.end == self.iri.as_str().len();
        // The components of the authority are drawn instead of the authority.
        for (name, range) in components(self.iri).filter(|(name, _)| *name != "authority") {
            let begins = range.start >= band.start && (range.start < band.end || is_last);
            let goes_on = range.start < band.start && range.end > band.start;
            if !begins && !goes_on {
                continue;
            }
            let start = range.start.max(band.start);
            let cell = self.cells(band.start..start);
            let width = self.cells(start..range.end.min(band.end));
            if let Some(slot) = names.get_mut(named) {
                *slot = name;
            }
            let before = legs.get_mut(..count).and_then(<[Leg]>::last_mut);
            match before {
                // An empty component and the next one may begin at the same cell.
                Some(last) if last.cell == cell => (last.width, last.last) = (width, named),
                _ => {
                    if let Some(leg) = legs.get_mut(count) {
                        *leg = Leg { cell, width, first: named, last: named, goes_on };
                        count += 1;
                    }
                }
            }
            named += 1;
        }
        let legs = present(legs.get(..count));

        let mut rows = [[Mark::Nothing; MOST]; MOST];
        let mut height = 0;
        for (number, leg) in legs.iter().enumerate().rev() {
            let end = leg.cell + label_width(leg, &names);
            let is_free = |row: &[Mark; MOST]| {
                let taken = row.iter().zip(legs).find(|(mark, _)| **mark != Mark::Nothing);
                taken.is_none_or(|(_, right)| end < right.cell)
            };
            let fit = rows.iter().take(height).position(is_free).unwrap_or(height);
            height = height.max(fit + 1);
            for (row, marks) in rows.iter_mut().enumerate().take(fit + 1) {
                if let Some(mark) = marks.get_mut(number) {
                    *mark = if row == fit { Mark::Name } else { Mark::Bar };
                }
            }
        }

        let mut at = 0;
        for Leg { cell, width, .. } in legs {
            pad(out, cell.saturating_sub(at));
            out.extend_from_slice(if *width == 0 { "╷" } else { "┬" }.as_bytes());
            rule(out, width.saturating_sub(1) * '─'.len_utf8());
            at = cell + (*width).max(1);
        }
        out.push(b'\n');
        for row in rows.iter().take(height) {
            let mut at = 0;
            for (mark, leg) in row.iter().zip(legs).filter(|(mark, _)| **mark != Mark::Nothing) {
                pad(out, leg.cell.saturating_sub(at));
                if *mark == Mark::Bar {
                    out.extend_from_slice("│".as_bytes());
                    at = leg.cell + 1;
                    continue;
                }
                if leg.goes_on {
                    out.extend_from_slice("…".as_bytes());
                }
                for (place, name) in present(names.get(leg.first..=leg.last)).iter().enumerate() {
                    out.extend_from_slice(if place > 0 { b", " } else { b"" });
                    out.extend_from_slice(name.as_bytes());
                }
                at = leg.cell + label_width(leg, &names);
            }
            out.push(b'\n');
        }
    }

    /// Appends a line for each component: its name, its byte offsets, its text. On a terminal of `width`
    /// cells, a long text continues on the next line.
    fn append_list(&self, out: &mut Vec<u8>, width: Option<usize>) {
        for (name, range) in components(self.iri) {
            let line = out.len();
            out.extend_from_slice(indented(name));
            let (mut start, mut end) = (itoa::Buffer::new(), itoa::Buffer::new());
            let (start, end) = (start.format(range.start), end.format(range.end));
            pad(out, 6_usize.saturating_sub(start.len() + end.len()));
            out.extend_from_slice(start.as_bytes());
            out.extend_from_slice(b"..");
            out.extend_from_slice(end.as_bytes());
            pad(out, 2);
            let head = out.len() - line;
            let note = match name {
                _ if range.is_empty() => "(empty)",
                "host" => match self.iri.host() {
                    Some(Host::Ipv4(_)) => "  (an IPv4 address)",
                    Some(Host::Ipv6(_)) => "  (an IPv6 address)",
                    Some(Host::IpvFuture(_)) => "  (an IP address of a future version)",
                    Some(Host::RegName(_)) => "  (a registered name)",
                    None => "",
                },
                _ => "",
            };
            match width {
                None => self.append_text(out, range),
                Some(width) => self.append_folded(out, range, head, note.len(), width),
            }
            out.extend_from_slice(note.as_bytes());
            out.push(b'\n');
        }
    }

    /// Appends a text that continues below its beginning. If a note of some cells does not fit after the text, goes
    /// to the next line.
    fn append_folded(
        &self,
        out: &mut Vec<u8>,
        range: Range<usize>,
        head: usize,
        note: usize,
        width: usize,
    ) {
        let room = width.saturating_sub(head).max(1);
        let mut rest = present(self.iri.as_str().as_bytes().get(range));
        let mut used = 0;
        while !rest.is_empty() {
            let (row, after) = present(rest.split_at_checked(fitting(rest, room)));
            used = Escaped(row).width();
            Escaped(row).append_to(out);
            // A character that is too wide for the room is written anyway.
            let is_stuck = row.is_empty();
            if is_stuck {
                Escaped(after).append_to(out);
            }
            rest = if is_stuck { b"" } else { after };
            if !rest.is_empty() {
                out.push(b'\n');
                pad(out, head);
            }
        }
        if note > room.saturating_sub(used) {
            out.push(b'\n');
            pad(out, width.saturating_sub(note).min(head));
        }
    }
}

/// Returns the name of a component as its line begins: a part of the authority is indented more.
const fn indented(name: &str) -> &'static [u8; 13] {
    match name.as_bytes() {
        b"scheme" => b"  scheme     ",
        b"authority" => b"  authority  ",
        b"userinfo" => b"    userinfo ",
        b"host" => b"    host     ",
        b"port" => b"    port     ",
        b"path" => b"  path       ",
        b"query" => b"  query      ",
        _ => b"  fragment   ",
    }
}

/// Returns the width of the names of a leg.
fn label_width(leg: &Leg, names: &[&str; MOST]) -> usize {
    let names = present(names.get(leg.first..=leg.last));
    let commas = 2 * (names.len() - 1);
    names.iter().map(|name| name.len()).sum::<usize>() + commas + usize::from(leg.goes_on)
}

fn pad(out: &mut Vec<u8>, cells: usize) {
    out.resize(out.len() + cells, b' ');
}

/// Lines, of which parts are copied.
const RULER: &str = "────────────────────────────────────────────────────────────────";

/// Appends lines.
fn rule(out: &mut Vec<u8>, mut bytes: usize) {
    while bytes > 0 {
        let part = RULER.get(..bytes.min(RULER.len())).unwrap_or(RULER);
        out.extend_from_slice(part.as_bytes());
        bytes -= part.len();
    }
}
