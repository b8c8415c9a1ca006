//! Recognises compressed input by its first bytes and decompresses it, a part at a time. Not here:
//! charsets, which `decode` converts afterwards.

use std::io::{self, Cursor, ErrorKind, Read};

use crossbeam_channel::{Receiver, Sender, bounded};

use crate::invariant::present;
pub(crate) use crate::io::decode::Source;
use crate::io::{gzip, head};

/// A compression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Codec {
    Gzip,
    Zstd,
    Bzip2,
    Xz,
}

/// The first bytes of each compression.
const MAGIC: [(&[u8], Codec); 4] = [
    (b"\x1F\x8B\x08", Codec::Gzip),
    (b"\x28\xB5\x2F\xFD", Codec::Zstd),
    (b"BZh", Codec::Bzip2),
    (b"\xFD7zXZ\0", Codec::Xz),
];

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
            Self::Bzip2 => Box::new(bzip2::read::MultiBzDecoder::new(source)),
            Self::Xz => Box::new(liblzma::read::XzDecoder::new_multi_decoder(source)),
        })
    }
}

/// Returns the compression of a source, by its first bytes.
///
/// # Errors
/// The source cannot be read.
pub(crate) fn codec(source: &mut impl Read) -> io::Result<Option<Codec>> {
    let head = head::read(source, MAGIC.iter().map(|(magic, _)| *magic))?;
    Ok(MAGIC.iter().find(|(magic, _)| head.starts_with(magic)).map(|(_, codec)| *codec))
}

/// Tells whether bytes begin as a compression does.
pub(crate) fn is_compressed(bytes: &[u8]) -> bool {
    MAGIC.iter().any(|(magic, _)| bytes.starts_with(magic))
}

/// Returns the source as it is, or decompressed if it begins as a compression does. If `ahead` is set,
/// another thread decompresses up to [`AHEAD`] parts in advance.
///
/// # Errors
/// The source cannot be read.
pub(crate) fn input(mut source: Source, ahead: bool) -> io::Result<(Source, Option<Codec>)> {
    let head = head::read(&mut source, MAGIC.iter().map(|(magic, _)| *magic))?;
    let codec = MAGIC.iter().find(|(magic, _)| head.starts_with(magic)).map(|(_, codec)| *codec);
    let source: Source = Box::new(Cursor::new(head).chain(source));
    let Some(codec) = codec else { return Ok((source, None)) };
    let decoder = codec.decoder(source)?;
    let source = if ahead { Ahead::new(decoder) } else { decoder };
    Ok((source, Some(codec)))
}

/// How many parts are decompressed in advance.
const AHEAD: usize = 16;

/// How many bytes a part has.
const PART: usize = 1 << 17;

/// A source that another thread reads.
// The way of the buffers:
//
//     thread   take a spare buffer, or make a buffer ──▶ fill it ──▶ send the part
//     reader   receive a part ──▶ read it to its end ──▶ send its buffer back
//
// A new buffer is made only if no buffer is spare. Then all buffers are in the channel of parts (`AHEAD`), in the
// thread or in the reader. So there are at most `AHEAD` and 2 buffers. The thread also ends if the reader is dropped:
// then its part cannot be sent.
struct Ahead {
    parts: Receiver<io::Result<Part>>,
    spare: Sender<Vec<u8>>,
    part: Part,
    taken: usize,
}

/// The bytes of a read: a buffer, and how much of it was filled.
#[derive(Default)]
struct Part(Vec<u8>, usize);

impl Ahead {
    /// Returns a source that another thread reads; the source itself if the system makes no thread.
    fn new(source: Source) -> Source {
        let (filled, parts) = bounded(AHEAD);
        // The channel has room for every buffer, so a buffer is given back without waiting.
        let (spare, emptied) = bounded::<Vec<u8>>(AHEAD + 2);
        let (sender, receiver) = bounded::<Source>(1);
        let reading = move || {
            let Ok(mut source) = receiver.recv() else { return };
            loop {
                let mut room: Vec<u8> = emptied.try_recv().unwrap_or_default();
                room.resize(PART, 0);
                // The bytes of a read are sent at once, because the next read may wait for a slow source.
                let read = match source.read(&mut room) {
                    Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                    read => read,
                };
                // The last part has no bytes, or is an error.
                let is_last = !matches!(read, Ok(1..));
                if filled.send(read.map(|count| Part(room, count))).is_err() || is_last {
                    return;
                }
            }
        };
        if std::thread::Builder::new().spawn(reading).is_err() {
            return source;
        }
        let _ = sender.send(source);
        Box::new(Self { parts, spare, part: Part::default(), taken: 0 })
    }
}

impl Read for Ahead {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if self.taken == self.part.1 {
            // The other thread ends after it has sent its last part.
            let Ok(part) = self.parts.recv() else { return Ok(0) };
            let Part(before, _) = std::mem::replace(&mut self.part, part?);
            self.taken = 0;
            let _ = self.spare.try_send(before);
        }
        let Part(bytes, length) = &self.part;
        let rest = present(bytes.get(self.taken..*length));
        let count = rest.len().min(room.len());
        present(room.get_mut(..count)).copy_from_slice(present(rest.get(..count)));
        self.taken += count;
        Ok(count)
    }
}
