//! Compression of what is written. Not here: decompression, which is in `compress`.

use std::io::{self, Write};
use std::path::Path;

use bzip2::write::BzEncoder;
use flate2::write::GzEncoder;
use liblzma::write::XzEncoder;

use crate::io::compress::Codec;

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
    Gzip(GzEncoder<W>),
    Zstd(zstd::stream::write::Encoder<'static, W>),
    Bzip2(BzEncoder<W>),
    Xz(XzEncoder<W>),
}

/// The preset of the program `xz`.
const XZ_PRESET: u32 = 6;

impl<W: Write> Encoder<W> {
    /// Begins a compression.
    ///
    /// # Errors
    /// There is no memory for it.
    pub(crate) fn new(out: W, codec: Option<Codec>) -> io::Result<Self> {
        Ok(match codec {
            None => Self::Plain(out),
            Some(Codec::Gzip) => Self::Gzip(GzEncoder::new(out, flate2::Compression::default())),
            Some(Codec::Zstd) => Self::Zstd(zstd::stream::write::Encoder::new(out, 0)?),
            Some(Codec::Bzip2) => Self::Bzip2(BzEncoder::new(out, bzip2::Compression::best())),
            Some(Codec::Xz) => Self::Xz(XzEncoder::new(out, XZ_PRESET)),
        })
    }

    /// Writes the end of the compression.
    ///
    /// # Errors
    /// The output cannot be written.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self {
            Self::Plain(mut out) => return out.flush(),
            Self::Gzip(encoder) => encoder.finish(),
            Self::Zstd(encoder) => encoder.finish(),
            Self::Bzip2(encoder) => encoder.finish(),
            Self::Xz(encoder) => encoder.finish(),
        }?
        .flush()
    }

    fn writer(&mut self) -> &mut dyn Write
    where
        W: 'static,
    {
        match self {
            Self::Plain(out) => out,
            Self::Gzip(encoder) => encoder,
            Self::Zstd(encoder) => encoder,
            Self::Bzip2(encoder) => encoder,
            Self::Xz(encoder) => encoder,
        }
    }
}

impl<W: Write + 'static> Write for Encoder<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes)
    }

    /// Does not flush a compression, which would make its output longer. [`finish`](Self::finish) does.
    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(out) => out.flush(),
            _ => Ok(()),
        }
    }
}
