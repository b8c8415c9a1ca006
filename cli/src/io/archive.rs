//! Where the records of a web archive end (WARC, ISO 28500): after a header of lines, a content of a stated length and
//! two line breaks. Not here: what a record holds, which is in `format`.

use std::ops::Range;

use memchr::memchr;

/// The most bytes of a header. A longer header ends here; if it states no length so far, the rest of the file is
/// content.
const LONGEST_HEADER: usize = 1 << 20;

/// The line breaks after the content of a record.
const BREAKS: u64 = 4;

/// The place in an archive that comes in parts: in the header of a record, or in its content.
#[derive(Clone, Debug, Default)]
pub(crate) struct Archive {
    /// The lines of the header so far.
    header: Vec<u8>,
    /// In the content: how many bytes of the content and of the line breaks after it are still to come. `None` in the
    /// header.
    missing: Option<u64>,
}

impl Archive {
    /// Passes the next bytes of the archive up to the end of a record. Returns the position after it, or `None` if the
    /// record goes on in the next part: then all bytes are passed.
    // For example, a record whose header says `Content-Length: 2` comes in two parts. After its header, six bytes are
    // missing: the content and the line breaks.
    //
    //     part                       returns   missing after it
    //     header, ab\r\n             None      2
    //     \r\nWARC/1.1\r\n…          2         none; the next call begins in the header of the next record
    //
    // Invariant: exactly one of `header` and `missing` is in use. The header has at most `LONGEST_HEADER` bytes and a
    // line.
    pub(crate) fn end(&mut self, part: &[u8]) -> Option<usize> {
        let mut at = 0;
        while at < part.len() {
            if let Some(missing) = &mut self.missing {
                let here = part.len() - at;
                let taken = usize::try_from(*missing).map_or(here, |missing| missing.min(here));
                *missing -= taken as u64;
                at += taken;
                if *missing > 0 {
                    return None;
                }
                self.missing = None;
                return Some(at);
            }
            let rest = part.get(at..).unwrap_or_default();
            let length = memchr(b'\n', rest).map_or(rest.len(), |newline| newline + 1);
            let line = rest.get(..length).unwrap_or_default();
            self.header.extend_from_slice(line);
            at += length;
            let is_header = self.header.ends_with(b"\r\n\r\n") || self.header.ends_with(b"\n\n");
            if is_header || self.header.len() > LONGEST_HEADER {
                let length = content_length(&self.header);
                self.missing = Some(length.unwrap_or(u64::MAX).saturating_add(BREAKS));
                self.header.clear();
            }
        }
        None
    }
}

/// Returns the number of bytes of the content.
pub(crate) fn content_length(header: &[u8]) -> Option<u64> {
    let value = header.get(value(header, "content-length")?)?;
    std::str::from_utf8(value).ok()?.parse().ok()
}

/// Returns the span of the value of a field, without the white space around it.
pub(crate) fn value(header: &[u8], name: &str) -> Option<Range<usize>> {
    let mut at = 0;
    for line in header.split_inclusive(|byte| *byte == b'\n') {
        let colon = memchr(b':', line);
        let found = colon.and_then(|colon| line.split_at_checked(colon));
        if let Some((found, value)) = found {
            if found.eq_ignore_ascii_case(name.as_bytes()) {
                let value = value.get(1..)?;
                let start = at + found.len() + 1 + value.len() - value.trim_ascii_start().len();
                return Some(start..start + value.trim_ascii().len());
            }
        }
        at += line.len();
    }
    None
}
