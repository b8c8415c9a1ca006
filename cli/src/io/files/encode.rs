//! Compression of what is written. Not here: decompression, which is in `compress`.

use std::io::{self, Write};
use std::path::Path;

use bzip2::write::BzEncoder;
use flate2::write::GzEncoder;
use liblzma::stream::{Check, Stream};
use liblzma::write::XzEncoder;

use crate::io::compress::{Codec, has_memory};
use crate::io::members::Members;

/// Endings of names that mean a compression which the program cannot write.
const UNKNOWN: [&str; 12] =
    ["7z", "br", "lz", "lz4", "lzma", "lzo", "rar", "sz", "tbz", "tgz", "z", "zip"];

/// Returns the compression that the ending of a name asks for.
///
/// # Errors
/// A message: the program cannot write that compression.
pub(crate) fn of_name(path: &Path) -> Result<Option<Codec>, String> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    match ending.as_deref() {
        Some("gz") => Ok(Some(Codec::Gzip)),
        Some("zst") => Ok(Some(Codec::Zstd)),
        Some("bz2") => Ok(Some(Codec::Bzip2)),
        Some("xz") => Ok(Some(Codec::Xz)),
        Some(ending) if UNKNOWN.contains(&ending) => Err(format!(
            "the program cannot write .{ending} files; it writes .gz, .zst, .bz2 and .xz"
        )),
        _ => Ok(None),
    }
}

/// Writes to `W`, compressed or not.
pub(crate) enum Encoder<W: Write> {
    Plain(W),
    /// gzip that has not begun. The bytes so far do not tell yet whether a web archive begins.
    Start(Option<W>, Vec<u8>),
    Gzip(GzEncoder<W>),
    /// A web archive, with a member for each record.
    Archive(Members<W>),
    Zstd(zstd::stream::write::Encoder<'static, W>),
    Bzip2(BzEncoder<W>),
    Xz(XzEncoder<W>),
}

/// The first bytes of a web archive.
const ARCHIVE: &[u8] = b"WARC/";

/// The preset of the program `xz`.
const XZ_PRESET: u32 = 6;

/// The bytes that an encoder of bzip2 takes at its best level.
const BZIP2_WRITER: usize = 8 << 20;

impl<W: Write> Encoder<W> {
    /// Begins a compression.
    ///
    /// # Errors
    /// There is no memory for it.
    pub(crate) fn new(out: W, codec: Option<Codec>) -> io::Result<Self> {
        Ok(match codec {
            None => Self::Plain(out),
            Some(Codec::Gzip) => Self::Start(Some(out), Vec::new()),
            Some(Codec::Zstd) => Self::Zstd(zstd::stream::write::Encoder::new(out, 0)?),
            Some(Codec::Bzip2) => {
                has_memory(BZIP2_WRITER)?;
                Self::Bzip2(BzEncoder::new(out, bzip2::Compression::best()))
            }
            Some(Codec::Xz) => {
                let stream = Stream::new_easy_encoder(XZ_PRESET, Check::Crc64)?;
                Self::Xz(XzEncoder::new_stream(out, stream))
            }
        })
    }

    /// Writes the end of the compression.
    ///
    /// # Errors
    /// The output cannot be written.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        // Fewer bytes than `ARCHIVE` has are not an archive. An output without a byte becomes an empty member of gzip.
        self.begin(b"", true)?;
        match self {
            Self::Start(..) => return Err(lost()),
            Self::Plain(mut out) => return out.flush(),
            Self::Archive(members) => members.finish(),
            Self::Gzip(encoder) => encoder.finish(),
            Self::Zstd(encoder) => encoder.finish(),
            Self::Bzip2(encoder) => encoder.finish(),
            Self::Xz(encoder) => encoder.finish(),
        }?
        .flush()
    }

    /// Collects the first bytes of gzip. When they tell whether this is a web archive, begins the form of gzip that
    /// fits. Returns whether the bytes were taken.
    // For example, three writes to a new output:
    //
    //     `WA`    undecided: the bytes are collected
    //     `RC/`   an archive: `WARC/` goes to a new `Archive`
    //     `1.1`   not collected: `begin` returns false, and the caller writes the bytes
    //
    // Invariant: the bytes in `Start` are fewer than `ARCHIVE` has, and begin as `ARCHIVE` does. If the first write
    // fails, the output is lost: `Start` has no output any more, and each later write fails.
    fn begin(&mut self, bytes: &[u8], is_end: bool) -> io::Result<bool> {
        let Self::Start(out, head) = self else { return Ok(false) };
        head.extend_from_slice(bytes);
        let is_undecided = head.len() < ARCHIVE.len() && ARCHIVE.starts_with(head);
        if is_undecided && !is_end {
            return Ok(true);
        }
        let head = std::mem::take(head);
        let Some(out) = out.take() else { return Ok(false) };
        if head.starts_with(ARCHIVE) {
            let mut archive = Members::new(out);
            archive.write_all(&head)?;
            *self = Self::Archive(archive);
        } else {
            let mut encoder = GzEncoder::new(out, flate2::Compression::default());
            encoder.write_all(&head)?;
            *self = Self::Gzip(encoder);
        }
        Ok(true)
    }

    /// Returns the encoder; `None` before gzip has begun.
    fn writer(&mut self) -> Option<&mut dyn Write>
    where
        W: 'static,
    {
        Some(match self {
            Self::Start(..) => return None,
            Self::Plain(out) => out,
            Self::Gzip(encoder) => encoder,
            Self::Archive(members) => members,
            Self::Zstd(encoder) => encoder,
            Self::Bzip2(encoder) => encoder,
            Self::Xz(encoder) => encoder,
        })
    }
}

/// The error of an output whose first write failed.
fn lost() -> io::Error {
    io::Error::other("an earlier part could not be written")
}

impl<W: Write + 'static> Write for Encoder<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.begin(bytes, false)? {
            return Ok(bytes.len());
        }
        match self.writer() {
            Some(encoder) => encoder.write(bytes),
            None => Err(lost()),
        }
    }

    /// Does not flush a compression, because that makes its output longer. [`finish`](Self::finish) writes all bytes.
    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(out) => out.flush(),
            _ => Ok(()),
        }
    }
}
