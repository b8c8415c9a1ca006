//! Replaces the secrets of a block before anything of the block is written. Whatever a run writes, and wherever, it
//! writes bytes of a block: records, records that fail, and reports that quote them. So no place of the writer can
//! write a secret. Not here: what is secret, which the library knows.

/*
# The algorithm

`Hide::block` makes a block of the same records with other bytes. What is replaced depends on what the reader of the
format makes of a record:

    the address                              as an item: decoded, redacted as the options say, and encoded again
    members and columns with its name        the same
    the rest of the record                   running text, unless --field names the address
    an address that cannot be decoded        running text; and so is the rest of its record, except other addresses
    a record or a document with an error     running text, except the addresses of a document
    a record that fails when it is written   running text (`Hide::failed`)
    what is not a record, such as a comment  running text
    the header of CSV                        running text
    a record that is too long, or is open    running text, line by line (`Long::mapped`)

In running text of CSV, each field is a text of its own, and so is each value of an attribute in HTML and XML. Of a
record that can be read, the text of a string, of a literal or of a field of a log is decoded, and encoded again if it has
a secret; and no text of a page or a sitemap goes beyond its tag or its quotes. So the record stays one of its format.

A record that only its secret breaks is read after the redaction. For example, a password is not UTF-8, and the rest is
JSON. Then the record has an address, which is redacted as an item. So the passes are repeated until no running text
changes, which is usually the second pass: redacting twice is redacting once.

# Invariant

The bytes between the replaced bytes are those of the block, in the same order. So a record has the same number, and its
line is that of the file: `Block::removed` counts the separators that were in secrets.
*/

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::iter::Peekable;
use std::ops::Range;
use std::sync::Arc;

use memchr::{memchr, memchr_iter, memmem};
use simd_iri_redact::{Redact, RedactPart};
use simd_iri_text::Markup;

use crate::args::output::OutputArgs;
use crate::format::csv::{self, Row};
use crate::format::{Cell, Coding, Field, Layout, Record, json, log, ntriples, warc};
use crate::invariant::present;
use crate::io::decode::BYTE_ORDER_MARK;
use crate::pipe::block::{Block, File, separators};
use crate::pipe::long::Long;
use crate::pipe::tally::Replaced;
use crate::spans::csv::Known;

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
    /// Whether all of a record is redacted, and not its address alone.
    pub(crate) reads_all: bool,
}

/// A string of JSON.
const JSON: Quoted = Quoted { read: |raw| json::decode(raw).ok(), write: json::encode };

/// Appends a text without its secrets, and counts the values that are replaced. Returns their number.
pub(crate) fn replace(
    redact: Redact<'_>,
    text: &[u8],
    out: &mut Vec<u8>,
    replaced: &mut Replaced,
) -> u64 {
    let (mut done, mut count) = (0, 0);
    for redaction in redact.redactions(text) {
        let Range { start, end } = redaction.span();
        out.extend_from_slice(present(text.get(done..start)));
        let written = write!(out, "{redaction}");
        debug_assert!(written.is_ok(), "a vector takes all bytes");
        replaced.note(redaction.reason().name());
        (done, count) = (end, count + 1);
    }
    out.extend_from_slice(present(text.get(done..)));
    count
}

/// How a text with quotes around it is read and written.
#[derive(Clone, Copy)]
struct Quoted {
    read: fn(&[u8]) -> Option<Cow<'_, [u8]>>,
    write: fn(&[u8], &mut Vec<u8>),
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
    ) -> io::Result<Option<(Block, Replaced)>> {
        let File { layout, charset, .. } = &*block.file;
        // PERF: a line is its item, and nothing but the result of the item is written.
        let is_plain = matches!(layout, Layout::Lines(_)) && charset.is_none();
        if is_plain && block.long.is_none() && output.to.is_none() && output.add.is_none() {
            return Ok(None);
        }
        let mut replaced = Replaced::default();
        self.miss(block, record, &mut replaced);
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
        replaced: &mut Replaced,
    ) -> io::Result<(Block, u64)> {
        let file = &block.file;
        let bytes = block.bytes();
        if let Some(rows) = file.layout.rows() {
            let (buffer, rows) = rows.map(bytes, |text| {
                let mut made = Vec::new();
                replace(self.redact, text, &mut made, replaced);
                made
            })?;
            let file = File { layout: Layout::Rows(Arc::new(rows)), ..File::clone(file) };
            return Ok((
                Block::whole(Arc::new(file), buffer, block.line.clone(), block.is_first),
                0,
            ));
        }
        let mut pass = Pass::new(self, block, replaced);
        block.each(record, |record| pass.record(record));
        pass.until(bytes.len());
        let Pass { out, start, gone, removed, starts, texts, .. } = pass;
        let layout = match &file.layout {
            Layout::Pages(pages) => Some(Layout::Pages(Arc::new(pages.moved(|at| {
                let place = starts.binary_search_by_key(&at, |(old, _)| *old);
                place.ok().and_then(|place| starts.get(place)).map_or(at, |(_, new)| *new)
            })))),
            Layout::Csv(layout) if layout.has_header => Some(file.layout.clone()),
            // The names of its members are texts, too.
            Layout::Json(_) if self.reads_all && !file.names.is_empty() => {
                Some(file.layout.clone())
            }
            _ => None,
        };
        let file = match layout {
            Some(layout) => {
                let mut file = File { layout, ..File::clone(file) };
                if let Layout::Csv(_) | Layout::Json(_) = file.layout {
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
            line: block.line.clone(),
            separators: block.separators.saturating_sub(gone),
            column: block.column,
            offset: block.offset,
            removed,
            known: Known::default(),
            long: None,
        };
        Ok((hidden, texts))
    }

    /// Notes the names of the fields that are not looked at.
    fn miss(self, block: &Block, record: &mut Record, replaced: &mut Replaced) {
        // A name may be a text of a record that was not meant as a header.
        let text = self.redact.part(RedactPart::Text);
        let mut miss = |name: &str| replaced.miss(text.redact(name).into_owned());
        if let Layout::Warc(_) = block.file.layout {
            // Its length and its digest are in the header of the record.
            miss("the content of records");
        }
        if self.reads_all {
            return;
        }
        match &block.file.layout {
            Layout::Csv(layout) if layout.has_header => {
                let head = present(block.bytes().get(block.head.clone()));
                let head = head.strip_prefix(&BYTE_ORDER_MARK).unwrap_or(head);
                let names =
                    if head.is_empty() { Vec::new() } else { csv::names(head, layout.delimiter) };
                // A table may have many columns, and all of one name.
                let read: BTreeSet<usize> =
                    layout.read(&names).unwrap_or_default().into_iter().collect();
                let others = names.iter().enumerate().filter(|(number, _)| !read.contains(number));
                others.for_each(|(_, name)| miss(name));
            }
            Layout::Csv(_) => miss("the other columns"),
            Layout::Json(pointer) | Layout::Cdxj(pointer) => {
                block.each(record, |record| {
                    let body = present(block.bytes().get(record.body.clone()));
                    let start = memchr(b'{', body).unwrap_or_default();
                    let members = json::members(present(body.get(start..))).unwrap_or_default();
                    let others =
                        members.iter().filter(|(name, _)| Some(&**name) != pointer.first());
                    others.for_each(|(name, _)| miss(name));
                });
            }
            Layout::Log(layout) => layout.others().for_each(miss),
            Layout::NTriples(layout) => {
                let wanted = layout.wanted();
                ["s", "p", "o", "g"]
                    .into_iter()
                    .filter(|name| Some(*name) != wanted)
                    .for_each(miss);
            }
            Layout::Rows(_) => miss("the other columns"),
            _ => {}
        }
    }

    /// Appends running text without its secrets. Returns how many values were replaced.
    fn text(self, layout: &Layout, text: &[u8], out: &mut Vec<u8>, replaced: &mut Replaced) -> u64 {
        let mut texts = self.texts(out, replaced);
        texts.text(layout, text);
        texts.count
    }

    /// Returns what appends running text.
    fn texts<'o>(&self, out: &'o mut Vec<u8>, replaced: &'o mut Replaced) -> Texts<'o, '_> {
        Texts::new(self.redact.part(RedactPart::Text), out, replaced)
    }

    /// Returns a record that is not worked on without its secrets. A line of lines is an item.
    fn long(self, layout: &Layout, long: &Long, replaced: &mut Replaced) -> io::Result<Long> {
        let mapped = long.mapped(self.replacement.as_bytes(), |line, is_whole, out| {
            match layout {
                Layout::Lines(b'\n') if is_whole => {
                    let item = line.strip_suffix(b"\n").unwrap_or(line);
                    let item = item.strip_suffix(b"\r").unwrap_or(item);
                    let count = replace(self.redact, item, out, replaced);
                    out.extend_from_slice(present(line.get(item.len()..)));
                    count
                }
                _ if is_whole => self.text(layout, line, out, replaced),
                _ => replace(self.redact.part(RedactPart::Text), line, out, replaced),
            };
        });
        let (mapped, words) = mapped?;
        (0..words).for_each(|_| replaced.note("long-word"));
        Ok(mapped)
    }

    /// Returns the bytes of a record that fails without its secrets, as running text. The pass over its block has seen a
    /// record that can be read: it fails because another format, or another field, has no place for it.
    pub(crate) fn failed<'t>(self, layout: &Layout, body: &'t [u8]) -> Cow<'t, [u8]> {
        let mut made = Vec::new();
        match self.text(layout, body, &mut made, &mut Replaced::default()) {
            0 => Cow::Borrowed(body),
            _ => Cow::Owned(made),
        }
    }
}

/// Running text without its secrets.
struct Texts<'o, 'r> {
    redact: Redact<'r>,
    out: &'o mut Vec<u8>,
    replaced: &'o mut Replaced,
    /// How many values were replaced.
    count: u64,
    /// The text that was made last.
    made: Vec<u8>,
}

impl<'o, 'r> Texts<'o, 'r> {
    fn new(redact: Redact<'r>, out: &'o mut Vec<u8>, replaced: &'o mut Replaced) -> Self {
        Self { redact, out, replaced, count: 0, made: Vec::new() }
    }

    fn add(&mut self, text: &[u8]) {
        self.count += replace(self.redact, text, self.out, self.replaced);
    }

    /// Appends a text that is written as `raw`. A text with a secret is written anew.
    fn add_decoded(&mut self, raw: &[u8], text: &[u8], write: impl FnOnce(&[u8], &mut Vec<u8>)) {
        self.made.clear();
        match replace(self.redact, text, &mut self.made, self.replaced) {
            0 => self.out.extend_from_slice(raw),
            more => {
                write(&self.made, self.out);
                self.count += more;
            }
        }
    }

    /// Appends text of a format.
    fn text(&mut self, layout: &Layout, text: &[u8]) {
        match layout {
            Layout::Csv(layout) => self.rows(layout.delimiter, text),
            Layout::Links(_) | Layout::Sitemap => self.attributes(text),
            // The strings of what is no JSON may be whole nevertheless.
            Layout::Json(_) | Layout::Cdxj(_) => {
                let mut made = Vec::with_capacity(text.len());
                let mut strings = Texts::new(self.redact, &mut made, self.replaced);
                strings.quoted(JSON, text);
                self.count += strings.count;
                self.add(&made);
            }
            _ => self.add(text),
        }
    }

    /// Does what [`text`](Self::text) does, with a part of a record that can be read.
    fn read_text(&mut self, layout: &Layout, inside: &mut Inside, text: &[u8]) {
        let literal = Quoted { read: ntriples::decode_literal, write: ntriples::encode_literal };
        match layout {
            Layout::Json(_) | Layout::Cdxj(_) => self.quoted(JSON, text),
            Layout::NTriples(_) => self.quoted(literal, text),
            Layout::Links(Markup::Html) | Layout::Sitemap => self.markup(inside, text),
            // The text after the last variable of a log may be more values in quotes.
            Layout::Log(_) => {
                let read = |raw: &[u8]| {
                    let value = raw.get(1..raw.len().checked_sub(1)?)?;
                    Some(Cow::Owned(log::decode(value).into_owned()))
                };
                let write = |text: &[u8], out: &mut Vec<u8>| {
                    out.push(b'"');
                    log::encode(text, out);
                    out.push(b'"');
                };
                self.quoted(Quoted { read, write }, text);
            }
            _ => self.text(layout, text),
        }
    }

    /// Does what [`text`](Self::text) does, with each text between two tags, each comment, each value of an attribute, and
    /// what else is in a tag.
    fn markup(&mut self, inside: &mut Inside, text: &[u8]) {
        let mut rest = text;
        while !rest.is_empty() {
            let end = match inside {
                Inside::Text => memchr(b'<', rest),
                Inside::Tag => rest.iter().position(|byte| b"<>\"'".contains(byte)),
                Inside::Quotes(quote) => memchr(*quote, rest),
                Inside::Comment => memmem::find(rest, b"-->").map(|at| at + 2),
            };
            let (piece, after) =
                rest.split_at_checked(end.unwrap_or(rest.len())).unwrap_or_default();
            match inside {
                // A value may have no quotes.
                Inside::Tag => self.attributes(piece),
                _ => self.add(piece),
            }
            let Some((byte, more)) = after.split_first() else { break };
            self.out.push(*byte);
            *inside = match (&inside, byte) {
                (Inside::Text, _) if more.starts_with(b"!--") => Inside::Comment,
                (Inside::Text, _) | (Inside::Quotes(_), _) | (Inside::Tag, b'<') => Inside::Tag,
                (Inside::Tag, b'>') | (Inside::Comment, _) => Inside::Text,
                (Inside::Tag, quote) => Inside::Quotes(*quote),
            };
            rest = more;
        }
    }

    /// Does what [`text`](Self::text) does, with each text in quotes, and each text between two of them.
    fn quoted(&mut self, Quoted { read, write }: Quoted, text: &[u8]) {
        let mut at = 0;
        while at < text.len() {
            let rest = present(text.get(at..));
            let open = memchr(b'"', rest).unwrap_or(rest.len());
            self.add(present(rest.get(..open)));
            let rest = present(rest.get(open..));
            // The rest is no text in quotes if no quote closes it.
            let close = rest.get(1..).and_then(ntriples::literal).map(|length| length + 1);
            let raw = present(rest.get(..close.unwrap_or(rest.len())));
            match close.and_then(|_| read(raw)) {
                Some(inside) => self.add_decoded(raw, &inside, write),
                None => self.add(raw),
            }
            at += open + raw.len();
        }
    }

    /// Does what [`text`](Self::text) does, with each field of rows of CSV. A field whose quote is not closed is a text
    /// as it is written.
    fn rows(&mut self, delimiter: u8, text: &[u8]) {
        let (mut at, mut done) = (0, 0);
        while at < text.len() {
            let mut row = Row::new(delimiter, text, at);
            while let Some(span) = row.next() {
                self.out.extend_from_slice(present(text.get(done..span.start)));
                done = span.end;
                let raw = present(text.get(span));
                let cell = Cell { delimiter, is_alone: false };
                match row.is_open {
                    true => self.add(raw),
                    false => self.add_decoded(raw, &csv::decode(raw), |text, out| {
                        csv::encode(raw, text, cell, out);
                    }),
                }
            }
            at = row.end;
        }
        self.out.extend_from_slice(present(text.get(done..)));
    }

    /// Does what [`text`](Self::text) does, with each value of an attribute: it begins after white space, a name, an
    /// equals sign, and perhaps an apostrophe, which ends no word of running text.
    fn attributes(&mut self, text: &[u8]) {
        let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_:".contains(byte);
        let mut done = 0;
        for equals in memchr_iter(b'=', text) {
            let before = text.get(done..equals).unwrap_or_default();
            let name = before.iter().rev().take_while(is_name).count();
            let space = before.iter().rev().nth(name);
            if name > 0 && space.is_some_and(u8::is_ascii_whitespace) {
                let end = equals + 1 + usize::from(text.get(equals + 1) == Some(&b'\''));
                self.add(present(text.get(done..end)));
                done = end;
            }
        }
        self.add(present(text.get(done..)));
    }
}

/// What a place of a page or a sitemap is inside.
#[derive(Clone, Copy)]
enum Inside {
    Text,
    Tag,
    /// The value of an attribute, with this quote.
    Quotes(u8),
    Comment,
}

/// Tells whether the fields of a line of a log are known. A text that is no request does not hide them.
fn is_log(record: &Record) -> bool {
    !record.is_filler && record.error.as_ref().is_none_or(|error| error.kind == log::NO_REQUEST)
}

/// The bytes of a block that are made so far.
struct Pass<'b, 'r, 'c> {
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
    /// What was replaced, and how many of the values in what cannot be read.
    replaced: &'c mut Replaced,
    texts: u64,
    /// The addresses of a record, and the text of an address.
    fields: Vec<Field>,
    item: Vec<u8>,
    /// What the end of the last text of a document is inside.
    inside: Inside,
}

impl<'b, 'r, 'c> Pass<'b, 'r, 'c> {
    /// Begins with the bytes before the records: a byte-order mark, and the header of CSV.
    fn new(hide: Hide<'r>, block: &'b Block, replaced: &'c mut Replaced) -> Self {
        let head = present(block.bytes().get(block.head.clone()));
        let names = head.strip_prefix(&BYTE_ORDER_MARK).unwrap_or(head);
        let mut out = Vec::with_capacity(block.bytes().len());
        out.extend_from_slice(present(head.get(..head.len() - names.len())));
        let texts = hide.text(&block.file.layout, names, &mut out, replaced);
        Self {
            hide,
            block,
            start: out.len(),
            out,
            done: block.range.start,
            gone: 0,
            removed: Vec::new(),
            starts: Vec::new(),
            replaced,
            texts,
            fields: Vec::new(),
            item: Vec::new(),
            inside: Inside::Text,
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
        let is_text = is_unread || fails;
        let mut text = if is_text || self.hide.reads_all {
            record.body.clone()
        } else {
            record.end..record.end
        };
        match layout {
            // The line is the address of a page.
            Layout::Pages(_) if is_unread => {
                fields.push(Field { span: record.body.clone(), coding: Coding::Raw });
            }
            Layout::Warc(_) if is_unread => {
                let body = present(self.block.bytes().get(record.body.clone()));
                let (length, targets) = warc::unread(body);
                text.end = text.start + length;
                fields.extend(targets.into_iter().map(|target| {
                    let span = text.start + target.start..text.start + target.end;
                    Field { span, coding: Coding::Raw }
                }));
            }
            _ if !is_unread || layout.is_document() => {
                let is_address = |field: &&Field| field.coding != Coding::Record;
                let read = record.fields.iter().chain(&record.twins).filter(is_address);
                fields.extend(read.cloned());
                fields.sort_by_key(|field| field.span.start);
                if let (Some(cut), false, false) = (&record.cut, is_unread, self.hide.reads_all) {
                    text = cut.clone();
                }
                // What cannot be read has no content that is known.
                if let (Layout::Warc(_), false, false) = (layout, is_text, is_unread) {
                    let body = present(self.block.bytes().get(text.clone()));
                    text.end = text.start + warc::header_length(body).unwrap_or_default();
                }
            }
            _ => {}
        }
        let parts = match layout {
            Layout::Log(layout) if is_log(record) && !text.is_empty() => {
                let line = present(self.block.bytes().get(record.body.clone()));
                let rest = layout.variables();
                let parts = layout.values(line).into_iter().enumerate().map(|(number, span)| {
                    let span = text.start + span.start..text.start + span.end;
                    let coding = if number < rest { Coding::Log } else { Coding::Raw };
                    Field { span, coding }
                });
                parts.collect()
            }
            _ => Vec::new(),
        };
        let mut at = text.start;
        let mut parts = parts.into_iter().peekable();
        for field in &fields {
            let until = field.span.start.min(text.end);
            self.between(at..until, &mut parts, !is_text);
            self.field(field);
            at = at.max(field.span.end);
        }
        self.between(at..text.end, &mut parts, !is_text);
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
        let Some(item) = item else { return self.text(field.span.clone(), false) };
        let part = match (field.coding, self.hide.part) {
            // It is written with two slashes before it.
            (Coding::LogAuthority, RedactPart::Target) => RedactPart::Reference,
            // The site comes before it, and has the authority.
            (Coding::Log, RedactPart::Reference) if block.file.layout.changes_items() => {
                RedactPart::Target
            }
            (_, part) => part,
        };
        self.written(field, &item, part);
    }

    /// Writes a field without the secrets of its text. Returns how many values were replaced.
    fn written(&mut self, field: &Field, text: &[u8], part: RedactPart) -> u64 {
        self.item.clear();
        let count = replace(self.hide.redact.part(part), text, &mut self.item, self.replaced);
        if count > 0 {
            self.until(field.span.start);
            let (start, raw) = (self.out.len(), self.block.bytes().get(field.span.clone()));
            field.coding.encode(present(raw), &self.item, &mut self.out);
            self.end(field.span.clone(), start);
        }
        count
    }

    /// Replaces the secrets of what is between two addresses. If the parts of the record are known, each is a text.
    fn between(
        &mut self,
        span: Range<usize>,
        parts: &mut Peekable<impl Iterator<Item = Field>>,
        is_read: bool,
    ) {
        if span.is_empty() {
            return;
        }
        if parts.peek().is_none() {
            return self.text(span, is_read);
        }
        // For example, the parts are `h`, `GET /a HTTP/1.1` and `200`, and the address is `/a`. Then the texts are `h`
        // and `GET `, and after the address ` HTTP/1.1` and `200`.
        while let Some(part) = parts.peek() {
            let start = part.span.start.max(span.start);
            let end = part.span.end.min(span.end);
            if start < end {
                match part.coding {
                    Coding::Raw => self.text(start..end, is_read),
                    coding => self.part(&Field { span: start..end, coding }),
                }
            }
            if part.span.end > span.end {
                return;
            }
            parts.next();
        }
    }

    /// Replaces the secrets of a text that is a field.
    fn part(&mut self, field: &Field) {
        let raw = present(self.block.bytes().get(field.span.clone()));
        let Ok(text) = field.coding.decode(raw) else { return };
        self.texts += self.written(field, &text, RedactPart::Text);
    }

    /// Replaces the secrets of running text.
    fn text(&mut self, span: Range<usize>, is_read: bool) {
        let block = self.block;
        self.until(span.start);
        let start = self.out.len();
        let text = present(block.bytes().get(span.clone()));
        let (hide, layout) = (self.hide, &block.file.layout);
        if is_read {
            hide.texts(&mut self.out, self.replaced).read_text(layout, &mut self.inside, text);
        } else {
            self.texts += hide.text(layout, text, &mut self.out, self.replaced);
        }
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
