//! The world of a run: a folder, the steps that make it, and what is in it before and after the run. Each step can be
//! done here, and can be printed as a line of a shell script. Not here: which steps a plan has, and what must hold
//! afterwards.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File, Metadata, Permissions};
use std::io::{Read, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, chown, symlink};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use rustix::fs::{CWD, FileType, Mode, XattrFlags};

use crate::records::compressed;

/// The name of the extended attribute that files have.
const ATTRIBUTE: &str = "user.iri.test";

/// A step that makes a part of the world. Names are relative to its folder.
#[derive(Clone, Debug)]
pub(super) enum Step {
    File {
        name: String,
        bytes: Arc<Vec<u8>>,
        mode: u32,
    },
    Folder(String),
    /// A symbolic link: its name and its target.
    Symlink(String, String),
    /// Another name of a file: the new name and the file.
    HardLink(String, String),
    Fifo(String),
    /// A file gets this user and group. Needs root.
    Owner(String, u32),
    /// A file gets an extended attribute with this value.
    Attribute(String, &'static str),
    /// A copy of the program, because another user may not read the folder of the build. Then the folder and all in
    /// it get this user and group. Needs root.
    Hand(u32),
    /// The file `precious` is mounted over a file. Needs root.
    Mount(String),
    /// A folder becomes a small disk of this many KiB. Needs root.
    Disk(String, u32),
}

impl Step {
    pub(super) fn file(name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        Self::File { name: name.to_owned(), bytes: Arc::new(bytes.into()), mode: 0o644 }
    }

    pub(super) fn apply(&self, folder: &Path) {
        match self {
            Self::File { name, bytes, mode } => {
                fs::write(folder.join(name), &**bytes).unwrap();
                fs::set_permissions(folder.join(name), Permissions::from_mode(*mode)).unwrap();
            }
            Self::Folder(name) => fs::create_dir_all(folder.join(name)).unwrap(),
            Self::Symlink(name, target) => symlink(target, folder.join(name)).unwrap(),
            Self::HardLink(name, file) => {
                fs::hard_link(folder.join(file), folder.join(name)).unwrap();
            }
            Self::Fifo(name) => {
                let mode = Mode::from(0o644);
                rustix::fs::mknodat(CWD, folder.join(name), FileType::Fifo, mode, 0).unwrap();
            }
            Self::Owner(name, id) => chown(folder.join(name), Some(*id), Some(*id)).unwrap(),
            Self::Hand(id) => {
                // Another process copies it: a file that this process has open for writing may be open in a child of
                // another run, and then it cannot run.
                let mut hand = Command::new("bash");
                hand.args(["-c", &format!("cp \"$IRI\" copy; {}", hand_over(*id))]);
                hand.env("IRI", env!("CARGO_BIN_EXE_iri")).current_dir(folder);
                assert!(hand.status().unwrap().success());
            }
            Self::Mount(name) => {
                let mut mount = Command::new("mount");
                mount.args(["--bind", "precious", name]).current_dir(folder);
                assert!(mount.status().unwrap().success());
            }
            Self::Attribute(name, value) => {
                let path = folder.join(name);
                rustix::fs::setxattr(path, ATTRIBUTE, value.as_bytes(), XattrFlags::empty())
                    .unwrap();
            }
            Self::Disk(name, size) => {
                let mut mount = Command::new("mount");
                mount.args(["-t", "tmpfs", "-o", &format!("size={size}k"), "tmpfs"]);
                assert!(mount.arg(folder.join(name)).status().unwrap().success());
            }
        }
    }

    /// Appends the step as a line of a script.
    pub(super) fn print(&self, script: &mut String) {
        let written = match self {
            Self::File { name, bytes, mode } => {
                let text = BASE64_STANDARD.encode(compressed(bytes, "gzip"));
                writeln!(script, "base64 -d <<< {text} | gzip -dc > {name}; chmod {mode:o} {name}")
            }
            Self::Folder(name) => writeln!(script, "mkdir -p {name}"),
            Self::Symlink(name, target) => writeln!(script, "ln -s {target} {name}"),
            Self::HardLink(name, file) => writeln!(script, "ln {file} {name}"),
            Self::Fifo(name) => writeln!(script, "mkfifo {name}"),
            Self::Owner(name, id) => writeln!(script, "chown {id}:{id} {name}"),
            Self::Hand(id) => writeln!(script, "cp \"$IRI\" copy; {}", hand_over(*id)),
            Self::Mount(name) => writeln!(script, "mount --bind precious {name}"),
            Self::Attribute(name, value) => {
                writeln!(script, "setfattr -n {ATTRIBUTE} -v {value} {name}")
            }
            Self::Disk(name, size) => {
                writeln!(script, "mount -t tmpfs -o size={size}k tmpfs {name}")
            }
        };
        written.unwrap();
    }
}

fn hand_over(id: u32) -> String {
    format!("chmod 755 . copy; chown -R -h {id}:{id} .")
}

/// Whether a file in this folder can have extended attributes and another owner, and whether a disk can be mounted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Powers {
    pub(super) attributes: bool,
    pub(super) owner: bool,
    pub(super) mount: bool,
    /// Whether a limit of processes binds another user.
    pub(super) limited: bool,
}

impl Powers {
    /// Tries each in a new folder.
    pub(super) fn find() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let attributes = rustix::fs::setxattr(&file, ATTRIBUTE, b"x", XattrFlags::empty()).is_ok();
        let owner = chown(&file, Some(1234), Some(1234)).is_ok();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"]).arg(folder.path());
        let mount = mount.stderr(Stdio::null()).status().is_ok_and(|status| status.success());
        if mount {
            unmount(folder.path());
        }
        let mut limited = Command::new("setpriv");
        limited.args(["--reuid=12345", "--clear-groups", "prlimit", "--nproc=0"]);
        let limited = limited.arg("true").stderr(Stdio::null());
        let limited = limited.status().is_ok_and(|status| status.success());
        Self { attributes, owner, mount, limited }
    }
}

pub(super) fn unmount(folder: &Path) {
    let _ = Command::new("umount").arg("-l").arg(folder).status();
}

/// What a name stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Thing {
    File(Vec<u8>),
    Folder,
    Symlink(String),
    Fifo,
    Other,
}

/// A name in the world.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) thing: Thing,
    pub(super) inode: (u64, u64),
    pub(super) mode: u32,
    pub(super) owner: (u32, u32),
    pub(super) attribute: Option<Vec<u8>>,
}

impl Entry {
    fn new(path: &Path, metadata: &Metadata) -> Self {
        let kind = metadata.file_type();
        let thing = if kind.is_file() {
            Thing::File(fs::read(path).unwrap_or_default())
        } else if kind.is_dir() {
            Thing::Folder
        } else if kind.is_symlink() {
            Thing::Symlink(fs::read_link(path).unwrap().to_str().unwrap().to_owned())
        } else if kind.is_fifo() {
            Thing::Fifo
        } else {
            Thing::Other
        };
        let mut value = [0; 64];
        let attribute = kind.is_file().then(|| rustix::fs::getxattr(path, ATTRIBUTE, &mut value));
        let attribute = attribute.and_then(Result::ok).map(|length| value[..length].to_vec());
        Self {
            thing,
            inode: (metadata.dev(), metadata.ino()),
            mode: metadata.mode() & 0o7777,
            owner: (metadata.uid(), metadata.gid()),
            attribute,
        }
    }

    pub(super) fn bytes(&self) -> Option<&[u8]> {
        match &self.thing {
            Thing::File(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// Whether this is the same file with the same bytes.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.inode == other.inode && self.thing == other.thing
    }

    pub(super) fn rights(&self) -> (u32, (u32, u32), Option<&[u8]>) {
        (self.mode, self.owner, self.attribute.as_deref())
    }
}

/// All names in a folder and in the folders in it.
pub(super) type Snapshot = BTreeMap<String, Entry>;

pub(super) fn snapshot(folder: &Path) -> Snapshot {
    let (mut all, mut pending) = (Snapshot::new(), vec![folder.to_path_buf()]);
    while let Some(path) = pending.pop() {
        for entry in fs::read_dir(path).unwrap() {
            let path = entry.unwrap().path();
            // A file may go away while the folder is read.
            let Ok(metadata) = fs::symlink_metadata(&path) else { continue };
            if metadata.is_dir() {
                pending.push(path.clone());
            }
            let name = path.strip_prefix(folder).unwrap().to_str().unwrap();
            all.insert(name.to_owned(), Entry::new(&path, &metadata));
        }
    }
    all
}

/// The compressions of files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Packing {
    None,
    Gzip,
    Zstd,
    Bzip2,
    Xz,
}

impl Packing {
    pub(super) const ALL: [Self; 5] = [Self::None, Self::Gzip, Self::Zstd, Self::Bzip2, Self::Xz];

    pub(super) fn suffix(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Gzip => ".gz",
            Self::Zstd => ".zst",
            Self::Bzip2 => ".bz2",
            Self::Xz => ".xz",
        }
    }

    /// The compression that a name says.
    pub(super) fn of_name(name: &str) -> Self {
        let named = |packing: &Self| *packing != Self::None && name.ends_with(packing.suffix());
        Self::ALL.into_iter().find(named).unwrap_or(Self::None)
    }

    /// The compression that the first bytes say.
    pub(super) fn of_bytes(bytes: &[u8]) -> Self {
        match bytes {
            [0x1F, 0x8B, ..] => Self::Gzip,
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Self::Zstd,
            [b'B', b'Z', b'h', ..] => Self::Bzip2,
            [0xFD, b'7', b'z', b'X', b'Z', ..] => Self::Xz,
            _ => Self::None,
        }
    }

    pub(super) fn pack(self, text: &[u8]) -> Vec<u8> {
        match self {
            Self::None => text.to_vec(),
            Self::Gzip => compressed(text, "gzip"),
            // With a checksum, as the program `zstd` writes it.
            Self::Zstd => {
                let mut zstd = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
                zstd.include_checksum(true).unwrap();
                zstd.write_all(text).unwrap();
                zstd.finish().unwrap()
            }
            Self::Bzip2 => compressed(text, "bzip2"),
            Self::Xz => compressed(text, "xz"),
        }
    }
}

/// A text that was compressed, or the part of it that can be read, and whether all of it can be read.
pub(super) struct Unpacked {
    pub(super) text: Vec<u8>,
    pub(super) is_whole: bool,
}

/// Decompresses by the decoders of the crates, without a part of the program.
pub(super) fn unpacked(bytes: &[u8]) -> Unpacked {
    let mut text = Vec::new();
    let mut reader: Box<dyn Read> = match Packing::of_bytes(bytes) {
        Packing::None => return Unpacked { text: bytes.to_vec(), is_whole: true },
        Packing::Gzip => {
            // Zeros may follow the last member.
            let end = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
            let zeros = bytes.len() - end;
            let bytes = if zeros >= 512 { &bytes[..bytes.len() - 512] } else { bytes };
            Box::new(flate2::read::MultiGzDecoder::new(bytes))
        }
        Packing::Zstd => Box::new(zstd::stream::read::Decoder::new(bytes).unwrap()),
        Packing::Bzip2 => Box::new(bzip2::read::MultiBzDecoder::new(bytes)),
        Packing::Xz => Box::new(liblzma::read::XzDecoder::new_multi_decoder(bytes)),
    };
    // What was read before an error stays in the text.
    let is_whole = reader.read_to_end(&mut text).is_ok();
    Unpacked { text, is_whole }
}

/// Returns the number of members of a gzip file.
pub(super) fn members(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    let mut count = 0;
    while rest.starts_with(&[0x1F, 0x8B]) {
        let mut reader = flate2::bufread::GzDecoder::new(rest);
        if std::io::copy(&mut reader, &mut std::io::sink()).is_err() {
            break;
        }
        rest = reader.into_inner();
        count += 1;
    }
    count
}

/// Writes a text to a file.
pub(super) fn write(path: &Path, text: &str) {
    File::create(path).and_then(|mut file| file.write_all(text.as_bytes())).unwrap();
}
