//! The format `warc` (ISO 28500): web archives, whose records have a header of lines and a content of a
//! stated length.

use std::ops::Range;

use memchr::memchr;

use crate::format::field::{Coding, Field, Record};
pub(crate) use crate::io::archive::value;
use crate::io::archive::{self, Ending, First, content_length};
use crate::item_error::ItemError;

/// Finds the record that begins at `at`, and its target address. A record about the archive itself does not have a
/// target address.
pub(crate) fn next(ending: Ending, block: &[u8], at: usize, record: &mut Record) {
    let rest = block.get(at..).unwrap_or_default();
    if rest.trim_ascii().is_empty() {
        (record.body, record.end) = (at..block.len(), block.len());
        record.is_filler = true;
        return;
    }
    let First { header, content, end, fault } = archive::first(rest, ending);
    (record.body, record.end) = (at..at + content, at + end);
    let header = rest.get(..header).unwrap_or_default();
    if let Some(fault) = fault {
        record.error = Some(ItemError::whole("not-warc", fault.message(), header));
        return;
    }
    if let Some(target) = target(header) {
        let span = at + target.start..at + target.end;
        record.fields.push(Field { span, coding: Coding::Raw });
    }
}

/// Returns the span of the target address of a record.
pub(crate) fn target(header: &[u8]) -> Option<Range<usize>> {
    let value = value(header, "warc-target-uri")?;
    let text = header.get(value.clone())?;
    // WARC 1.0 has the address between < and >.
    let brackets = usize::from(text.len() > 1 && text.starts_with(b"<") && text.ends_with(b">"));
    Some(value.start + brackets..value.end - brackets)
}

/// Returns the length of the part of a record with an error that is not its content, and the places of its target
/// addresses. Without the length of its content, the content is not known: it may hold other records.
pub(crate) fn unread(record: &[u8]) -> (usize, Vec<Range<usize>>) {
    let length = header_length(record).unwrap_or(record.len());
    let header = record.get(..length).unwrap_or_default();
    let is_known = content_length(header).is_some_and(|stated| {
        let content = record.get(length..).unwrap_or_default();
        let rest = usize::try_from(stated).ok().and_then(|stated| content.get(stated..));
        record.starts_with(b"WARC/") && rest.is_some_and(|rest| rest.trim_ascii().is_empty())
    });
    let length = if is_known { length } else { record.len() };
    let (mut at, mut targets) = (0, Vec::new());
    for line in record.get(..length).unwrap_or_default().split_inclusive(|byte| *byte == b'\n') {
        targets.extend(target(line).map(|span| at + span.start..at + span.end));
        at += line.len();
    }
    (length, targets)
}

/// Returns the type of a record, and its number if it is a part of a record in several parts (ISO 28500, sections 5.5
/// and 5.20).
pub(crate) fn role(record: &[u8]) -> [&[u8]; 2] {
    let header = header_length(record).and_then(|length| record.get(..length));
    let header = header.unwrap_or_default();
    ["warc-type", "warc-segment-number"]
        .map(|name| value(header, name).and_then(|span| header.get(span)).unwrap_or_default())
}

/// Returns the length of the header with the empty line at its end.
pub(crate) fn header_length(record: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        let rest = record.get(at..)?;
        let length = memchr(b'\n', rest)?;
        at += length + 1;
        if rest.get(..length).is_some_and(|line| line.trim_ascii_end().is_empty()) {
            return Some(at);
        }
    }
}
