//! Recognises compressed input by its name and its first bytes, and decompresses it, a part at a time. Not here:
//! charsets, which `decode` converts afterwards.
//!
//! A name and bytes that contradict each other are an error: a file whose name says gzip and which is empty was cut off,
//! and one that has other bytes is no gzip. Without a name, as for standard input, the bytes decide alone.

use std::hint;
use std::io::{self, Cursor, ErrorKind, Read};
use std::ops::RangeInclusive;
use std::path::Path;

use liblzma::stream::{CONCATENATED, Stream};

use crate::args::input::Decompress;
pub(crate) use crate::io::decode::Source;
use crate::io::{gzip, head, interrupt};

/// A compression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Codec {
    Gzip,
    Zstd,
    Bzip2,
    Xz,
}

/// What a name or first bytes say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Codec(Codec),
    /// What the program does not read: its name, and a command that does.
    Other(&'static str, &'static str),
}

const COMPRESS: Kind = Kind::Other("compress", "gzip -dc");
const LZ4: Kind = Kind::Other("LZ4", "lz4 -dc");
const BROTLI: Kind = Kind::Other("Brotli", "brotli -dc");
const ZIP: Kind = Kind::Other("ZIP", "unzip -p");
const SEVEN_ZIP: Kind = Kind::Other("7-Zip", "7z x -so");
const LZIP: Kind = Kind::Other("lzip", "lzip -dc");
const LZMA: Kind = Kind::Other("LZMA", "xz -dc");
const LZOP: Kind = Kind::Other("lzop", "lzop -dc");
const RAR: Kind = Kind::Other("RAR", "unrar p -inul");
const SNAPPY: Kind = Kind::Other("Snappy", "snzip -dc");

/// How files begin. One byte may be any of a range.
struct Magic {
    kind: Kind,
    bytes: &'static [u8],
    any: Option<(usize, RangeInclusive<u8>)>,
}

const fn magic(kind: Kind, bytes: &'static [u8]) -> Magic {
    Magic { kind, bytes, any: None }
}

/// bzip2 with the first bytes of a block, or of the end: a text may begin with `BZh`.
const fn bzip2(bytes: &'static [u8; 10]) -> Magic {
    Magic { kind: Kind::Codec(Codec::Bzip2), bytes, any: Some((3, b'1'..=b'9')) }
}

static MAGIC: [Magic; 18] = [
    magic(Kind::Codec(Codec::Gzip), b"\x1F\x8B\x08"),
    magic(Kind::Codec(Codec::Zstd), b"\x28\xB5\x2F\xFD"),
    // A frame that is skipped (RFC 8878, section 3.1.2), as of pzstd and of zstd that is seekable.
    Magic {
        kind: Kind::Codec(Codec::Zstd),
        bytes: b"\x50\x2A\x4D\x18",
        any: Some((0, 0x50..=0x5F)),
    },
    bzip2(b"BZh1\x31\x41\x59\x26\x53\x59"),
    bzip2(b"BZh1\x17\x72\x45\x38\x50\x90"),
    magic(Kind::Codec(Codec::Xz), b"\xFD7zXZ\0"),
    magic(COMPRESS, b"\x1F\x9D"),
    magic(LZ4, b"\x04\x22\x4D\x18"),
    magic(LZ4, b"\x02\x21\x4C\x18"),
    magic(ZIP, b"PK\x03\x04"),
    magic(ZIP, b"PK\x05\x06"),
    magic(ZIP, b"PK\x07\x08"),
    magic(SEVEN_ZIP, b"7z\xBC\xAF\x27\x1C"),
    magic(LZIP, b"LZIP\x01"),
    magic(LZMA, b"]\0\0"),
    magic(LZOP, b"\x89LZO\0"),
    magic(RAR, b"Rar!\x1A\x07"),
    magic(SNAPPY, b"\xFF\x06\0\0sNaPpY"),
];

impl Magic {
    /// Tells whether bytes may be the first bytes of such a file: the shorter of the two begins the longer.
    fn fits(&self, head: &[u8]) -> bool {
        let is_any = |at: usize, byte: u8| {
            self.any.as_ref().is_some_and(|(place, range)| *place == at && range.contains(&byte))
        };
        let mut pairs = self.bytes.iter().zip(head).enumerate();
        pairs.all(|(at, (expected, byte))| expected == byte || is_any(at, *byte))
    }

    fn is_part(&self, head: &[u8]) -> bool {
        head.len() < self.bytes.len() && self.fits(head)
    }
}

impl Kind {
    fn of_bytes(head: &[u8]) -> Option<Self> {
        let mut found = MAGIC.iter().filter(|magic| head.len() >= magic.bytes.len());
        found.find(|magic| magic.fits(head)).map(|magic| magic.kind)
    }

    /// Returns what the ending of a name says.
    fn of_name(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_string_lossy().to_ascii_lowercase();
        Some(match ending.as_str() {
            "gz" => Self::Codec(Codec::Gzip),
            "zst" | "zstd" => Self::Codec(Codec::Zstd),
            "bz2" => Self::Codec(Codec::Bzip2),
            "xz" => Self::Codec(Codec::Xz),
            "z" => COMPRESS,
            "lz4" => LZ4,
            "br" => BROTLI,
            "zip" => ZIP,
            "7z" => SEVEN_ZIP,
            "lz" => LZIP,
            "lzma" => LZMA,
            "lzo" => LZOP,
            "rar" => RAR,
            "sz" => SNAPPY,
            _ => return None,
        })
    }
}

impl Codec {
    /// Returns the name of the compression.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Bzip2 => "bzip2",
            Self::Xz => "xz",
        }
    }

    fn decoder(self, source: Source) -> io::Result<Source> {
        Ok(match self {
            Self::Gzip => Box::new(gzip::Members::new(source)),
            Self::Zstd => Box::new(zstd::stream::read::Decoder::new(source)?),
            Self::Bzip2 => {
                has_memory(BZIP2_READER)?;
                Box::new(bzip2::read::MultiBzDecoder::new(source))
            }
            Self::Xz => {
                let stream = Stream::new_auto_decoder(u64::MAX, CONCATENATED)?;
                Box::new(liblzma::read::XzDecoder::new_stream(source, stream))
            }
        })
    }
}

/// The bytes that a decoder of bzip2 takes.
const BZIP2_READER: usize = 4 << 20;

/// Checks that a codec can have memory. `bzip2` panics if it has none.
///
/// # Errors
/// There is no memory.
pub(crate) fn has_memory(bytes: usize) -> io::Result<()> {
    let mut room = Vec::<u8>::new();
    room.try_reserve_exact(bytes).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    // Otherwise, the compiler leaves out the memory.
    hint::black_box(room.as_ptr());
    Ok(())
}

/// What is known of a source before it is read.
#[derive(Clone, Copy, Default)]
pub(crate) struct Expected {
    named: Option<Kind>,
    /// The compression that the user has named.
    choice: Decompress,
}

impl Expected {
    /// What the name of a file and the option `--decompress` say.
    pub(crate) fn of(file: &Path, choice: Decompress) -> Self {
        Self { named: Kind::of_name(file), choice }
    }

    /// Returns the compression of a source with these first bytes.
    ///
    /// # Errors
    /// A message: the file is cut off, it is not what its name says, or the program does not read it. The kind of the
    /// error is [`ErrorKind::Unsupported`] if the file can be read as it is.
    fn codec(self, head: &head::Head) -> io::Result<Option<Codec>> {
        let fail = |message: String| Err(io::Error::new(ErrorKind::Unsupported, message));
        let (wanted, says) = match self.choice {
            Decompress::None => return Ok(None),
            Decompress::Auto => (self.named, "its name says"),
            Decompress::Gzip => (Some(Kind::Codec(Codec::Gzip)), "--decompress says"),
            Decompress::Zstd => (Some(Kind::Codec(Codec::Zstd)), "--decompress says"),
            Decompress::Bzip2 => (Some(Kind::Codec(Codec::Bzip2)), "--decompress says"),
            Decompress::Xz => (Some(Kind::Codec(Codec::Xz)), "--decompress says"),
        };
        let found = Kind::of_bytes(&head.bytes);
        let is_part = |codec: Codec| {
            let mut of_codec = MAGIC.iter().filter(|magic| magic.kind == Kind::Codec(codec));
            head.is_all && of_codec.any(|magic| magic.is_part(&head.bytes))
        };
        match (wanted, found) {
            // A signal ends a source early, and the run too.
            _ if interrupt::has_come() => Ok(None),
            (_, Some(Kind::Other(name, command))) | (Some(Kind::Other(name, command)), None) => {
                fail(format!("this is {name}, which is not read; {command} decompresses it"))
            }
            (Some(Kind::Codec(codec)), Some(Kind::Codec(found))) if codec != found => {
                let (codec, found) = (codec.name(), found.name());
                fail(format!(
                    "{says} {codec}, and its bytes are {found}; --decompress {found} reads them"
                ))
            }
            (_, Some(Kind::Codec(codec))) => Ok(Some(codec)),
            (Some(Kind::Codec(codec)), None) if head.bytes.is_empty() => {
                fail(format!("the file is empty, and {says} {}: it is cut off", codec.name()))
            }
            (Some(Kind::Codec(codec)), None) if is_part(codec) => {
                fail(format!("{} is cut off in its first bytes", codec.name()))
            }
            (Some(Kind::Codec(codec)), None) => {
                fail(format!("{says} {}, and its first bytes are not", codec.name()))
            }
            (None, None) => {
                // Without a name, a few letters are a text, even if they begin a compression.
                const ALL: [Codec; 4] = [Codec::Gzip, Codec::Zstd, Codec::Bzip2, Codec::Xz];
                let is_text = head.bytes.len() < 4 && head.bytes.is_ascii();
                let is_text = is_text && !head.bytes.contains(&0x1F);
                match ALL.into_iter().find(|codec| !is_text && is_part(*codec)) {
                    Some(codec) => fail(format!("{} is cut off in its first bytes", codec.name())),
                    None => Ok(None),
                }
            }
        }
    }
}

/// Reads the first bytes of a source, and returns them and its compression.
///
/// # Errors
/// The source cannot be read; and the errors of [`Expected::codec`].
pub(crate) fn recognize(
    source: &mut impl Read,
    expected: Expected,
) -> io::Result<(Vec<u8>, Option<Codec>)> {
    if expected.choice == Decompress::None {
        return Ok((Vec::new(), None));
    }
    let head = head::read(source, |head| MAGIC.iter().any(|magic| magic.is_part(head)))?;
    let codec = expected.codec(&head)?;
    Ok((head.bytes, codec))
}

/// Tells whether bytes begin as a compression does.
pub(crate) fn is_compressed(bytes: &[u8]) -> bool {
    matches!(Kind::of_bytes(bytes), Some(Kind::Codec(_)))
}

/// Returns the source as it is, or decompressed if it is compressed.
///
/// # Errors
/// The errors of [`recognize`].
pub(crate) fn input(mut source: Source, expected: Expected) -> io::Result<(Source, Option<Codec>)> {
    let (head, codec) = recognize(&mut source, expected)?;
    let source: Source = Box::new(Cursor::new(head).chain(source));
    let Some(codec) = codec else { return Ok((source, None)) };
    Ok((codec.decoder(source)?, Some(codec)))
}
