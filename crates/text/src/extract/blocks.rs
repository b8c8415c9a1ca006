//! The block structure of Markdown: quotes, lists, code, blocks of HTML, headings and paragraphs (CommonMark 0.31,
//! sections 4 and 5), and the definitions at the start of paragraphs.
//!
//! Not here: what is in the lines (`inlines`). Items are not grouped into lists: no destination depends on lists.

/*
# The algorithm

A *container* is a quote or a list item. A *leaf* is a paragraph, a heading, code or a block of HTML. At most one leaf
is open, and it is in the last open container. One pass over the lines. For each line (`Blocks::line`):

    1. `matched`    each open container takes its part of the line: `>`, or the indentation of a list item. The first
                    container that cannot take its part ends this walk. The containers before it match
    2. `continues`  if all containers match, open code or HTML takes the rest of the line, and the line is done.
                    If a container does not match, open code or HTML is closed
    3. `opens`      each marker opens a container. Then `leaf` opens a leaf that is not a paragraph. The containers
                    that do not match are closed first
    4. `words`      the rest is a line of the open paragraph, even if containers do not match (lazy continuation).
                    If no paragraph is open, the rest begins a paragraph. A blank line closes the paragraph

For example:

    line       step 1                         then
    > - a      no container is open           `>` opens a quote, `-` an item, and `a` begins a paragraph
    > b        the quote matches, not the     `b` continues the paragraph
               item: no indentation
    > ~~~      the quote matches              `~~~` closes the paragraph and the item, and opens code
    > [c](d)   the quote matches              the code takes `[c](d)`, so it is not a link
    e          nothing matches                the code is closed; `e` closes the quote and begins a paragraph

A paragraph gives up the definitions at its start when it is closed (`finish`), or when a line may underline it
(`has_heading`): after its definitions are removed, a paragraph may have no text to underline.

# Invariants

- `Leaf::lines` are ranges of the source in ascending order. The content of a leaf is these ranges, joined.
- Code is not a leaf in `Blocks::leaves`, because it has no links.
- At most `MOST` containers are open, so each character of a line is examined a bounded number of times.
- If two definitions have the same label, the first definition counts (`labels`).
*/

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::inlines::{self, definition};
use super::region::{Reference, Region};
use simd_iri::low::slice;

/// The lines of a leaf, without the parts that its containers take.
#[derive(Debug)]
pub(crate) struct Leaf {
    pub(crate) lines: Vec<Range<usize>>,
    /// Whether the leaf is a block of HTML.
    pub(crate) is_html: bool,
}

/// Returns the content of a leaf.
pub(crate) fn join(text: &str, lines: &[Range<usize>]) -> String {
    lines.iter().map(|line| slice::text(text, line.clone())).collect()
}

/// The largest number of open containers, so that the work for a line is bounded. A further marker is text.
const MOST: usize = 64;

/// A block that holds other blocks.
enum Container {
    Quote,
    /// A list item: the number of columns by which its content is indented, and whether it has no content yet.
    Item {
        indent: usize,
        is_empty: bool,
    },
}

/// The block that the next line may continue.
enum OpenBlock {
    None,
    /// The lines of the paragraph, without indentation.
    Paragraph(Vec<Range<usize>>),
    Indented,
    /// Fenced code: the character of its fence, and its length.
    Fenced(u8, usize),
    /// A block of HTML: how it ends, and its lines.
    Html(BlockEnd, Vec<Range<usize>>),
}

/// How a block of HTML ends (section 4.6).
#[derive(Clone, Copy, PartialEq, Eq)]
enum BlockEnd {
    /// With the line that has the end tag of an element of `RAW`.
    Raw,
    /// With the line that has this text.
    Text(&'static str),
    /// Before a blank line.
    Blank,
}

/// Elements whose block of HTML ends with an end tag.
const RAW: [&str; 4] = ["pre", "script", "style", "textarea"];

/// Elements whose tag begins a block of HTML, whatever follows the tag.
const BLOCKS: [&str; 62] = [
    "address",
    "article",
    "aside",
    "base",
    "basefont",
    "blockquote",
    "body",
    "caption",
    "center",
    "col",
    "colgroup",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "frame",
    "frameset",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hr",
    "html",
    "iframe",
    "legend",
    "li",
    "link",
    "main",
    "menu",
    "menuitem",
    "nav",
    "noframes",
    "ol",
    "optgroup",
    "option",
    "p",
    "param",
    "search",
    "section",
    "summary",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "title",
    "tr",
    "track",
    "ul",
];

/// A place in a line. A tab reaches to the next multiple of four columns. A container may take a part of a tab.
#[derive(Clone, Copy)]
struct Cursor<'a> {
    /// The text up to the end of the line, without its line break.
    text: &'a [u8],
    at: usize,
    column: usize,
}

impl Cursor<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Returns the number of columns of white space at the place, and the offset after that white space.
    fn indent(&self) -> (usize, usize) {
        let (mut column, mut at) = (self.column, self.at);
        loop {
            match self.text.get(at) {
                Some(b' ') => column += 1,
                Some(b'\t') => column += 4 - column % 4,
                _ => return (column - self.column, at),
            }
            at += 1;
        }
    }

    fn is_blank(&self) -> bool {
        self.indent().1 >= self.text.len()
    }

    /// Takes up to a number of columns of white space.
    fn take(&mut self, columns: usize) {
        let to = self.column + columns;
        while self.column < to {
            let next = match self.peek() {
                Some(b' ') => self.column + 1,
                Some(b'\t') => self.column + 4 - self.column % 4,
                _ => return,
            };
            self.column = next.min(to);
            self.at += usize::from(next <= to);
        }
    }

    /// Takes characters that are one column wide.
    fn pass(&mut self, length: usize) {
        self.at += length;
        self.column += length;
    }

    fn take_space(&mut self) {
        self.take(self.indent().0);
    }

    fn rest(&self) -> &[u8] {
        slice::bytes(self.text, self.at..)
    }
}

/// The blocks of a document so far.
pub(crate) struct Blocks<'a> {
    text: &'a str,
    containers: Vec<Container>,
    open: OpenBlock,
    pub(crate) leaves: Vec<Leaf>,
    /// The labels of definitions.
    pub(crate) labels: BTreeSet<String>,
    /// The destinations of definitions.
    pub(crate) regions: Vec<Region>,
}

impl<'a> Blocks<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self {
            text,
            containers: Vec::new(),
            open: OpenBlock::None,
            leaves: Vec::new(),
            labels: BTreeSet::new(),
            regions: Vec::new(),
        }
    }

    /// Takes the next line, with its line break.
    pub(crate) fn line(&mut self, line: Range<usize>) {
        let end = slice::text(self.text, line.clone()).trim_end_matches(['\n', '\r']).len();
        let text = slice::bytes(self.text.as_bytes(), ..line.start + end);
        let mut cursor = Cursor { text, at: line.start, column: 0 };
        let depth = self.matched(&mut cursor);
        let is_matched = depth == self.containers.len();
        if is_matched && self.continues(&mut cursor, line.end) {
            return;
        }
        if !is_matched && !matches!(self.open, OpenBlock::Paragraph(_)) {
            self.finish();
        }
        let mut step = LineStep { depth, is_matched };
        while self.opens(&mut cursor, &mut step) {}
        if !self.leaf(&mut cursor, step, line.end) {
            self.words(cursor, step, line.end);
        }
    }

    /// Lets the open containers take their parts of a line. Returns the number of containers that match.
    fn matched(&self, cursor: &mut Cursor<'_>) -> usize {
        let takes = |container: &&Container| {
            let (indent, start) = cursor.indent();
            match container {
                Container::Quote => {
                    let is_quote = indent <= 3 && cursor.text.get(start) == Some(&b'>');
                    if is_quote {
                        quote(cursor);
                    }
                    is_quote
                }
                Container::Item { is_empty: true, .. } if cursor.is_blank() => false,
                Container::Item { .. } if cursor.is_blank() => {
                    cursor.take_space();
                    true
                }
                Container::Item { indent: needed, .. } => {
                    let is_inside = indent >= *needed;
                    if is_inside {
                        cursor.take(*needed);
                    }
                    is_inside
                }
            }
        };
        self.containers.iter().take_while(takes).count()
    }

    /// Lets open code or HTML take the rest of a line. Returns whether it did.
    fn continues(&mut self, cursor: &mut Cursor<'_>, end: usize) -> bool {
        let (indent, start) = cursor.indent();
        let is_blank = cursor.is_blank();
        match &mut self.open {
            OpenBlock::None | OpenBlock::Paragraph(_) => return false,
            OpenBlock::Indented if indent >= 4 || is_blank => return true,
            OpenBlock::Fenced(mark, length) => {
                let rest = slice::bytes(cursor.text, start..);
                let found = rest.iter().take_while(|byte| *byte == mark).count();
                let is_over = slice::bytes(rest, found..).trim_ascii().is_empty();
                if indent > 3 || found < *length || !is_over {
                    return true;
                }
            }
            OpenBlock::Html(rule, lines) if *rule != BlockEnd::Blank || !is_blank => {
                lines.push(cursor.at..end);
                if !rule.ends_in(cursor.rest()) {
                    return true;
                }
            }
            OpenBlock::Indented | OpenBlock::Html(..) => {
                self.finish();
                return false;
            }
        }
        self.finish();
        true
    }

    /// Opens a container, if its marker is next. Returns whether it did.
    fn opens(&mut self, cursor: &mut Cursor<'_>, step: &mut LineStep) -> bool {
        let (indent, start) = cursor.indent();
        if indent > 3 || step.depth >= MOST {
            return false;
        }
        let container = if cursor.text.get(start) == Some(&b'>') {
            quote(cursor);
            Container::Quote
        } else {
            let is_inside = step.is_matched && matches!(self.open, OpenBlock::Paragraph(_));
            let rest = slice::bytes(cursor.text, start..);
            // A thematic break or an underline may look like a marker, and has precedence over it.
            if is_break(rest) || is_inside && is_underline(rest) && self.has_heading() {
                return false;
            }
            let Some(length) = marker(rest, is_inside) else { return false };
            cursor.take_space();
            cursor.pass(length);
            let (columns, _) = cursor.indent();
            let is_content = !cursor.is_blank() && (1..=4).contains(&columns);
            let taken = if is_content { columns } else { 1 };
            cursor.take(taken);
            Container::Item { indent: indent + length + taken, is_empty: true }
        };
        self.close_to(step.depth);
        self.containers.push(container);
        *step = LineStep { depth: self.containers.len(), is_matched: true };
        true
    }

    /// Opens a leaf that is not a paragraph, if such a leaf begins here. Returns whether it did.
    fn leaf(&mut self, cursor: &mut Cursor<'_>, step: LineStep, end: usize) -> bool {
        let (indent, start) = cursor.indent();
        let is_paragraph = matches!(self.open, OpenBlock::Paragraph(_));
        let is_inside = is_paragraph && step.is_matched;
        let rest = slice::bytes(cursor.text, start..);
        if rest.is_empty() {
            return false;
        }
        if indent > 3 {
            // Code does not interrupt a paragraph.
            if !is_paragraph {
                self.begin(step.depth, OpenBlock::Indented);
            }
            return !is_paragraph;
        }
        if let Some(length) = heading(rest) {
            self.begin(step.depth, OpenBlock::None);
            let content =
                start + length..start + length + heading_text(slice::bytes(rest, length..));
            self.leaves.push(Leaf { lines: alloc::vec![content], is_html: false });
            return true;
        }
        if let Some((mark, length)) = fence(rest) {
            self.begin(step.depth, OpenBlock::Fenced(mark, length));
            return true;
        }
        let text = slice::text(self.text, start..cursor.text.len());
        if let Some(rule) = BlockEnd::of(text, is_paragraph) {
            self.begin(step.depth, OpenBlock::Html(rule, alloc::vec![cursor.at..end]));
            if rule.ends_in(rest) {
                self.finish();
            }
            return true;
        }
        if is_inside && is_underline(rest) && self.has_heading() {
            self.finish();
            return true;
        }
        if is_break(rest) {
            self.begin(step.depth, OpenBlock::None);
            return true;
        }
        false
    }

    /// Takes the rest of a line as text.
    fn words(&mut self, cursor: Cursor<'_>, step: LineStep, end: usize) {
        let (_, start) = cursor.indent();
        if cursor.is_blank() {
            self.finish();
            self.containers.truncate(step.depth);
            return;
        }
        match &mut self.open {
            // This may be a lazy continuation.
            OpenBlock::Paragraph(lines) => lines.push(start..end),
            _ => self.begin(step.depth, OpenBlock::Paragraph(alloc::vec![start..end])),
        }
    }

    /// Begins a leaf in the first `depth` containers.
    fn begin(&mut self, depth: usize, leaf: OpenBlock) {
        self.close_to(depth);
        self.open = leaf;
    }

    /// Closes the leaf, and all but the first `depth` containers. The last of these containers gets content.
    fn close_to(&mut self, depth: usize) {
        self.finish();
        self.containers.truncate(depth);
        if let Some(Container::Item { is_empty, .. }) = self.containers.last_mut() {
            *is_empty = false;
        }
    }

    /// Ends the document.
    pub(crate) fn close(&mut self) {
        self.finish();
    }

    /// Closes the leaf.
    fn finish(&mut self) {
        let (mut lines, is_html) = match core::mem::replace(&mut self.open, OpenBlock::None) {
            OpenBlock::Paragraph(lines) => (lines, false),
            OpenBlock::Html(_, lines) => (lines, true),
            OpenBlock::None | OpenBlock::Indented | OpenBlock::Fenced(..) => return,
        };
        if !is_html {
            self.take_definitions(&mut lines);
        }
        if !lines.is_empty() {
            self.leaves.push(Leaf { lines, is_html });
        }
    }

    /// Takes the definitions off the open paragraph. Returns whether the paragraph has text after them.
    fn has_heading(&mut self) -> bool {
        let OpenBlock::Paragraph(mut lines) = core::mem::replace(&mut self.open, OpenBlock::None)
        else {
            return false;
        };
        self.take_definitions(&mut lines);
        let has_text = !lines.is_empty();
        self.open = OpenBlock::Paragraph(lines);
        has_text
    }

    /// Takes the definitions off the start of a paragraph.
    fn take_definitions(&mut self, lines: &mut Vec<Range<usize>>) {
        let first = lines.first().and_then(|line| self.text.as_bytes().get(line.start));
        if first != Some(&b'[') {
            return;
        }
        let content = join(self.text, lines);
        let (mut at, mut line, mut offset) = (0, 0, 0);
        while let Some(found) = definition(&content, at) {
            at = found.end;
            let is_new = self.labels.insert(found.name);
            while let Some(span) = lines.get(line).filter(|_| offset < at) {
                if let Some((place, escapes)) = found.destination.clone().filter(|_| is_new) {
                    if (offset..offset + span.len()).contains(&place.start) {
                        let start = span.start + (place.start - offset);
                        let place = start..start + place.len();
                        self.regions.push(Reference::in_markdown(place, escapes));
                    }
                }
                offset += span.len();
                line += 1;
            }
        }
        lines.drain(..line);
    }
}

/// How far a line was read: the number of containers that match, and whether all open containers match.
#[derive(Clone, Copy)]
struct LineStep {
    depth: usize,
    is_matched: bool,
}

impl BlockEnd {
    /// Returns the rule of the block of HTML that begins with a text, or `None` if no block begins. `in_paragraph`
    /// tells whether the block would interrupt a paragraph.
    fn of(text: &str, in_paragraph: bool) -> Option<Self> {
        let rest = text.strip_prefix('<')?;
        let name_of = |text: &str| text.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let (name, after) = rest.split_at_checked(name_of(rest))?;
        let is_in =
            |names: &[&str], name: &str| names.iter().any(|known| name.eq_ignore_ascii_case(known));
        let is_over = |after: &str| after.is_empty() || after.starts_with([' ', '\t', '>']);
        if is_in(&RAW, name) && is_over(after) {
            return Some(Self::Raw);
        }
        for (start, end) in [("!--", "-->"), ("?", "?>"), ("![CDATA[", "]]>")] {
            if rest.starts_with(start) {
                return Some(Self::Text(end));
            }
        }
        if rest
            .strip_prefix('!')
            .is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()))
        {
            return Some(Self::Text(">"));
        }
        let name = rest.strip_prefix('/').unwrap_or(rest);
        let (name, after) = name.split_at_checked(name_of(name))?;
        if is_in(&BLOCKS, name) && (is_over(after) || after.starts_with("/>")) {
            return Some(Self::Blank);
        }
        let length = inlines::tag(text).filter(|_| !in_paragraph)?;
        text.get(length..)?.trim_ascii().is_empty().then_some(Self::Blank)
    }

    /// Tells whether a line ends a block with this rule.
    fn ends_in(self, line: &[u8]) -> bool {
        match self {
            Self::Raw => memchr::memchr_iter(b'<', line).any(|at| {
                let tag = slice::bytes(line, at + 1..);
                RAW.iter().any(|name| {
                    let found =
                        tag.strip_prefix(b"/").and_then(|tag| tag.split_at_checked(name.len()));
                    found.is_some_and(|(found, after)| {
                        found.eq_ignore_ascii_case(name.as_bytes()) && after.starts_with(b">")
                    })
                })
            }),
            Self::Text(end) => memchr::memmem::find(line, end.as_bytes()).is_some(),
            Self::Blank => false,
        }
    }
}

/// Returns the length of the marks of a heading and of the white space after them, if a line is a heading.
fn heading(line: &[u8]) -> Option<usize> {
    let marks = line.iter().take_while(|byte| **byte == b'#').count();
    let after = slice::bytes(line, marks..);
    let space = after.len() - after.trim_ascii_start().len();
    ((1..=6).contains(&marks) && (space > 0 || after.is_empty())).then_some(marks + space)
}

/// Returns the length of the text of a heading, without the marks that close it.
fn heading_text(text: &[u8]) -> usize {
    let text = text.trim_ascii_end();
    let marks = text.iter().rev().take_while(|byte| **byte == b'#').count();
    let before = slice::bytes(text, ..text.len() - marks);
    let is_apart = before.last().is_none_or(u8::is_ascii_whitespace);
    if is_apart { before.len() } else { text.len() }
}

/// Returns the character and the length of a fence of code, if a line is a fence.
fn fence(line: &[u8]) -> Option<(u8, usize)> {
    let mark = *line.first().filter(|byte| matches!(byte, b'`' | b'~'))?;
    let length = line.iter().take_while(|byte| **byte == mark).count();
    let is_fence = mark == b'~' || !slice::bytes(line, length..).contains(&b'`');
    (length >= 3 && is_fence).then_some((mark, length))
}

/// Tells whether a line underlines a heading.
fn is_underline(line: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    let first = line.first().filter(|byte| matches!(byte, b'=' | b'-'));
    first.is_some_and(|first| line.iter().all(|byte| byte == first))
}

/// Tells whether a line is a thematic break.
fn is_break(line: &[u8]) -> bool {
    let Some(mark) = line.first().filter(|byte| matches!(byte, b'*' | b'-' | b'_')) else {
        return false;
    };
    let marks = line.iter().filter(|byte| *byte == mark).count();
    marks >= 3 && line.iter().all(|byte| byte == mark || matches!(byte, b' ' | b'\t'))
}

/// Returns the length of the marker of a list item. An item interrupts a paragraph only if the item has text, and if
/// its number, if it has a number, is 1.
fn marker(line: &[u8], in_paragraph: bool) -> Option<usize> {
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mark = line.get(digits)?;
    let is_marker = match digits {
        0 => matches!(mark, b'*' | b'+' | b'-'),
        1..=9 => matches!(mark, b'.' | b')'),
        _ => false,
    };
    let (number, after) = (slice::bytes(line, ..digits), slice::bytes(line, digits + 1..));
    let is_apart = matches!(after.first(), None | Some(b' ' | b'\t'));
    // `01` is the number 1 too.
    let is_first = digits == 0
        || number.iter().rev().skip(1).all(|digit| *digit == b'0') && number.ends_with(b"1");
    let interrupts = !in_paragraph || !after.trim_ascii().is_empty() && is_first;
    (is_marker && is_apart && interrupts).then_some(digits + 1)
}

/// Takes the marker of a quote and one column after it.
fn quote(cursor: &mut Cursor<'_>) {
    cursor.take_space();
    cursor.pass(1);
    cursor.take(1);
}
