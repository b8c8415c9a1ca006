//! Replaces the secrets of a block before anything of the block is written. Whatever a run writes, and wherever, it
//! writes bytes of a block: records, records that fail, and reports that quote them. So no place of the writer can
//! write a secret. Not here: what is secret, which the library knows.

/*
# The algorithm

`Hide::block` makes a block of the same records with other bytes. What is replaced depends on what the reader of the
format makes of a record:

    the address                              as an item: decoded, redacted as the options say, and encoded again
    members and columns with its name        the same
    an address that cannot be decoded        running text; and so is the rest of its record, except other addresses
    a record or a document with an error     running text, except the addresses of a document
    a record that fails when it is written   running text (`Hide::failed`)
    what is not a record, such as a comment  running text
    the header of CSV                        running text
    a record that is too long, or is open    running text, line by line (`Long::mapped`)

In running text of CSV, each field is a text of its own, and so is each value of an attribute in HTML and XML.

A record that only its secret breaks is read after the redaction. For example, a password is not UTF-8, and the rest is
JSON. Then the record has an address, which is redacted as an item. So the passes are repeated until no running text
changes, which is usually the second pass: redacting twice is redacting once.

# Invariant

The bytes between the replaced bytes are those of the block, in the same order. So a record has the same number, and its
line is that of the file: `Block::removed` counts the separators that were in secrets.
*/

use std::borrow::Cow;
use std::io;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use memchr::memchr_iter;
use simd_iri::text::{Redact, RedactPart};

use crate::args::output::OutputArgs;
use crate::format::csv::{self, Row};
use crate::format::{Cell, Coding, Field, Layout, Record, warc};
use crate::invariant::present;
use crate::io::decode::BYTE_ORDER_MARK;
use crate::pipe::block::{Block, File, separators};
use crate::pipe::long::Long;

/// The most passes over a block.
const PASSES: usize = 8;

/// How secrets are replaced.
#[derive(Clone, Copy)]
pub(crate) struct Hide<'r> {
    pub(crate) redact: Redact<'r>,
    /// What an item is: the part of `redact`.
    pub(crate) part: RedactPart,
    /// The replacement of `redact`.
    pub(crate) replacement: &'r str,
}

impl Hide<'_> {
    /// Returns a block without its secrets, and how many values were replaced in it. Returns `None` if the block needs
    /// no redaction beyond that of its items.
    ///
    /// # Errors
    /// A temporary file cannot be read or written, or the texts of a column have 2 GiB or more.
    pub(crate) fn block(
        self,
        block: &Block,
        output: &OutputArgs,
        record: &mut Record,
    ) -> io::Result<Option<(Block, u64)>> {
        let File { layout, charset, .. } = &*block.file;
        // PERF: a line is its item, and nothing but the result of the item is written.
        let is_plain = matches!(layout, Layout::Lines(_)) && charset.is_none();
        if is_plain && block.long.is_none() && output.to.is_none() && output.add.is_none() {
            return Ok(None);
        }
        let mut replaced = 0;
        let long = block.long.as_ref().map(|long| self.long(layout, long, &mut replaced));
        let (mut hidden, mut texts) = self.pass(block, record, &mut replaced)?;
        for _ in 1..PASSES {
            if texts == 0 {
                break;
            }
            (hidden, texts) = self.pass(&hidden, record, &mut replaced)?;
        }
        hidden.long = long.transpose()?;
        Ok(Some((hidden, replaced)))
    }

    /// Replaces the secrets of a block once. Also returns how many values of running text were replaced.
    fn pass(
        self,
        block: &Block,
        record: &mut Record,
        replaced: &mut u64,
    ) -> io::Result<(Block, u64)> {
        let file = &block.file;
        let bytes = block.bytes();
        if let Some(rows) = file.layout.rows() {
            let (buffer, rows) = rows.map(bytes, |text| {
                let mut made = Vec::new();
                *replaced += self.redact.push_bytes_to(text, &mut made) as u64;
                made
            })?;
            let file = File { layout: Layout::Rows(Arc::new(rows)), ..File::clone(file) };
            return Ok((Block::whole(Arc::new(file), buffer, block.line, block.is_first), 0));
        }
        let mut pass = Pass::new(self, block);
        let _ = block.each(record, |record| {
            pass.record(record);
            ControlFlow::Continue(())
        });
        pass.until(bytes.len());
        *replaced += pass.replaced;
        let Pass { out, start, gone, removed, starts, texts, .. } = pass;
        let layout = match &file.layout {
            Layout::Pages(pages) => Some(Layout::Pages(Arc::new(pages.moved(|at| {
                let place = starts.binary_search_by_key(&at, |(old, _)| *old);
                place.ok().and_then(|place| starts.get(place)).map_or(at, |(_, new)| *new)
            })))),
            Layout::Csv(layout) if layout.has_header => Some(file.layout.clone()),
            _ => None,
        };
        let file = match layout {
            Some(layout) => {
                let mut file = File { layout, ..File::clone(file) };
                if let Layout::Csv(_) = file.layout {
                    let text = self.redact.part(RedactPart::Text);
                    let names = file.names.iter().map(|name| text.redact(name).into_owned());
                    file.names = names.collect();
                }
                Arc::new(file)
            }
            None => Arc::clone(file),
        };
        let hidden = Block {
            file,
            range: start..out.len(),
            head: 0..start,
            buffer: out,
            is_first: block.is_first,
            is_last: block.is_last,
            line: block.line,
            separators: block.separators.saturating_sub(gone),
            column: block.column,
            offset: block.offset,
            removed,
            long: None,
        };
        Ok((hidden, texts))
    }

    /// Appends running text without its secrets. Returns how many values were replaced.
    fn text(self, layout: &Layout, text: &[u8], out: &mut Vec<u8>) -> u64 {
        match layout {
            Layout::Csv(layout) => self.rows(layout.delimiter, text, out),
            Layout::Links(_) | Layout::Sitemap => self.attributes(text, out),
            _ => self.redact.part(RedactPart::Text).push_bytes_to(text, out) as u64,
        }
    }

    /// Does what [`text`](Self::text) does, with each field of rows of CSV. A field whose quote is not closed is a text
    /// as it is written.
    fn rows(self, delimiter: u8, text: &[u8], out: &mut Vec<u8>) -> u64 {
        let redact = self.redact.part(RedactPart::Text);
        let (mut at, mut done, mut count, mut made) = (0, 0, 0, Vec::new());
        while at < text.len() {
            let mut row = Row::new(delimiter, text, at);
            while let Some(span) = row.next() {
                out.extend_from_slice(present(text.get(done..span.start)));
                done = span.end;
                let raw = present(text.get(span));
                if row.is_open {
                    count += redact.push_bytes_to(raw, out);
                    continue;
                }
                made.clear();
                match redact.push_bytes_to(&csv::decode(raw), &mut made) {
                    0 => out.extend_from_slice(raw),
                    more => {
                        let cell = Cell { delimiter, is_alone: false };
                        csv::encode(raw, &made, cell, out);
                        count += more;
                    }
                }
            }
            at = row.end;
        }
        out.extend_from_slice(present(text.get(done..)));
        count as u64
    }

    /// Does what [`text`](Self::text) does, with each value of an attribute: it begins after white space, a name, an
    /// equals sign, and perhaps an apostrophe, which ends no word of running text.
    fn attributes(self, text: &[u8], out: &mut Vec<u8>) -> u64 {
        let redact = self.redact.part(RedactPart::Text);
        let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_:".contains(byte);
        let (mut done, mut count) = (0, 0);
        for equals in memchr_iter(b'=', text) {
            let before = text.get(done..equals).unwrap_or_default();
            let name = before.iter().rev().take_while(is_name).count();
            let space = before.iter().rev().nth(name);
            if name > 0 && space.is_some_and(u8::is_ascii_whitespace) {
                let end = equals + 1 + usize::from(text.get(equals + 1) == Some(&b'\''));
                count += redact.push_bytes_to(present(text.get(done..end)), out);
                done = end;
            }
        }
        count += redact.push_bytes_to(present(text.get(done..)), out);
        count as u64
    }

    /// Returns a record that is not worked on without its secrets. A line of lines is an item.
    fn long(self, layout: &Layout, long: &Long, replaced: &mut u64) -> io::Result<Long> {
        let mapped = long.mapped(self.replacement.as_bytes(), |line, is_whole, out| {
            *replaced += match layout {
                Layout::Lines(b'\n') if is_whole => {
                    let item = line.strip_suffix(b"\n").unwrap_or(line);
                    let item = item.strip_suffix(b"\r").unwrap_or(item);
                    let count = self.redact.push_bytes_to(item, out);
                    out.extend_from_slice(present(line.get(item.len()..)));
                    count as u64
                }
                _ if is_whole => self.text(layout, line, out),
                _ => self.redact.part(RedactPart::Text).push_bytes_to(line, out) as u64,
            };
        });
        let (mapped, words) = mapped?;
        *replaced += words;
        Ok(mapped)
    }

    /// Returns the bytes of a record that fails without its secrets, as running text. The pass over its block has seen a
    /// record that can be read: it fails because another format, or another field, has no place for it.
    pub(crate) fn failed<'t>(self, layout: &Layout, body: &'t [u8]) -> Cow<'t, [u8]> {
        let mut made = Vec::new();
        match self.text(layout, body, &mut made) {
            0 => Cow::Borrowed(body),
            _ => Cow::Owned(made),
        }
    }
}

/// The bytes of a block that are made so far.
struct Pass<'b, 'r> {
    hide: Hide<'r>,
    block: &'b Block,
    out: Vec<u8>,
    /// Where the records begin in `out`.
    start: usize,
    /// The bytes of the block up to here are in `out`, or were replaced.
    done: usize,
    /// How many separators were replaced.
    gone: u64,
    removed: Vec<(usize, u64)>,
    /// The start of each record in the block, and in `out`. Only for the links of an archive.
    starts: Vec<(usize, usize)>,
    /// How many values were replaced, and how many of them in running text.
    replaced: u64,
    texts: u64,
    /// The addresses of a record, and the text of an address.
    fields: Vec<Field>,
    item: Vec<u8>,
}

impl<'b, 'r> Pass<'b, 'r> {
    /// Begins with the bytes before the records: a byte-order mark, and the header of CSV.
    fn new(hide: Hide<'r>, block: &'b Block) -> Self {
        let head = present(block.bytes().get(block.head.clone()));
        let names = head.strip_prefix(&BYTE_ORDER_MARK).unwrap_or(head);
        let mut out = Vec::with_capacity(block.bytes().len());
        out.extend_from_slice(present(head.get(..head.len() - names.len())));
        let texts = hide.text(&block.file.layout, names, &mut out);
        Self {
            hide,
            block,
            start: out.len(),
            out,
            done: block.range.start,
            gone: 0,
            removed: Vec::new(),
            starts: Vec::new(),
            replaced: texts,
            texts,
            fields: Vec::new(),
            item: Vec::new(),
        }
    }

    /// Copies the bytes before `at`.
    fn until(&mut self, at: usize) {
        self.out.extend_from_slice(present(self.block.bytes().get(self.done..at)));
        self.done = at;
    }

    /// Replaces the secrets of a record.
    // The addresses are replaced in the order of their places. What is running text, is so between them:
    //
    //     <urlset><loc>http://a/</loc><loc>http://b/?sig=c</urlset>
    //     text         address  text                                  the document has an error
    fn record(&mut self, record: &Record) {
        let layout = &self.block.file.layout;
        if let Layout::Pages(_) = layout {
            self.until(record.body.start);
            self.starts.push((record.body.start, self.out.len()));
        }
        let mut fields = std::mem::take(&mut self.fields);
        fields.clear();
        let cannot_be_read = |field: &Field| {
            let raw = present(self.block.bytes().get(field.span.clone()));
            field.coding.decode(raw).is_err()
        };
        let is_unread = record.error.is_some() || record.is_filler;
        let fails = !layout.is_document() && record.fields.iter().any(cannot_be_read);
        let mut text =
            if is_unread || fails { record.body.clone() } else { record.end..record.end };
        match layout {
            // The line is the address of a page.
            Layout::Pages(_) if is_unread => {
                fields.push(Field { span: record.body.clone(), coding: Coding::Raw });
            }
            Layout::Warc if is_unread => {
                let body = present(self.block.bytes().get(record.body.clone()));
                let (length, target) = warc::unread(body);
                text.end = text.start + length;
                fields.extend(target.map(|target| {
                    let span = text.start + target.start..text.start + target.end;
                    Field { span, coding: Coding::Raw }
                }));
            }
            _ if !is_unread || layout.is_document() => {
                fields.extend(record.fields.iter().chain(&record.twins).cloned());
                fields.sort_by_key(|field| field.span.start);
                if let (Some(cut), false) = (&record.cut, is_unread) {
                    text = cut.clone();
                }
            }
            _ => {}
        }
        let mut at = text.start;
        for field in &fields {
            if at < field.span.start.min(text.end) {
                self.text(at..field.span.start.min(text.end));
            }
            self.field(field);
            at = at.max(field.span.end);
        }
        if at < text.end {
            self.text(at..text.end);
        }
        self.note(record.end);
        self.fields = fields;
    }

    /// Replaces the secrets of an address.
    fn field(&mut self, field: &Field) {
        let block = self.block;
        let raw = present(block.bytes().get(field.span.clone()));
        // Of two members with one name, the first may be another value than a string.
        let is_value = field.coding != Coding::Json || raw.starts_with(b"\"");
        let item = field.coding.decode(raw).ok().filter(|_| is_value);
        let Some(item) = item else { return self.text(field.span.clone()) };
        let part = match (field.coding, self.hide.part) {
            // It is written with two slashes before it.
            (Coding::LogAuthority, RedactPart::Target) => RedactPart::Reference,
            // The site comes before it, and has the authority.
            (Coding::Log, RedactPart::Reference) if block.file.layout.changes_items() => {
                RedactPart::Target
            }
            (_, part) => part,
        };
        self.item.clear();
        let count = self.hide.redact.part(part).push_bytes_to(&item, &mut self.item);
        if count > 0 {
            self.until(field.span.start);
            let start = self.out.len();
            field.coding.encode(raw, &self.item, &mut self.out);
            self.replaced += count as u64;
            self.end(field.span.clone(), start);
        }
    }

    /// Replaces the secrets of running text.
    fn text(&mut self, span: Range<usize>) {
        let block = self.block;
        self.until(span.start);
        let start = self.out.len();
        let text = present(block.bytes().get(span.clone()));
        let count = self.hide.text(&block.file.layout, text, &mut self.out);
        self.replaced += count;
        self.texts += count;
        self.end(span, start);
    }

    /// Ends a replacement, which begins at `start` in `out`.
    fn end(&mut self, span: Range<usize>, start: usize) {
        let (block, end) = (self.block, span.end);
        self.done = end;
        let count = |bytes: Option<&[u8]>| separators(block.file.separator, present(bytes));
        let (old, new) = (count(block.bytes().get(span)), count(self.out.get(start..)));
        self.gone += old.saturating_sub(new);
        self.note(end);
    }

    /// Notes how many separators are missing before a place in the block, up to which all bytes are in `out` or are
    /// copied later.
    fn note(&mut self, at: usize) {
        let count = self.block.removed(at) + self.gone;
        if count != self.removed.last().map_or(0, |(_, count)| *count) {
            self.removed.push((self.out.len() + at.saturating_sub(self.done), count));
        }
    }
}
