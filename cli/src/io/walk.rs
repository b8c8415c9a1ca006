//! Finds the files below folders. Not here: how they are read.
//!
//! A file that is named is read, whatever it is. A file in a folder is read if the user would expect it:
//!
//! ```text
//! regular        not a pipe, not a device; not a symbolic link, so that each file is read once, and only in the folder
//! wanted         not excluded; included, if --include is given
//! not hidden     unless --hidden
//! not ignored    by a .gitignore of its folder, or of a folder above it in the same repository, unless --no-ignore
//! of a format    its name says the format, or --from does
//! ```

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::gitignore::Gitignore;
use ignore::{DirEntry, WalkBuilder};

use crate::args::input::{InputArgs, WalkArgs};
use crate::args::names;
use crate::args::pattern::patterns;
use crate::args::records::From;
use crate::io::compress::{self, Expected};
use crate::io::{decode, sniff};

/// The files of a command line.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) files: Vec<PathBuf>,
    /// How many files were left out because nothing says their format.
    pub(crate) unknown: u64,
}

/// Returns the files below each folder of the arguments, and the files of the arguments, in order. Files of a folder
/// are in the order of their names.
///
/// # Errors
/// A folder cannot be read.
pub(crate) fn files(args: &InputArgs) -> io::Result<Found> {
    let mut found = Found::default();
    for root in &args.files {
        // The name `-` is standard input, and never a folder.
        if root.as_os_str() == "-" || !root.is_dir() {
            found.files.push(root.clone());
            continue;
        }
        let globs = Arc::new(Globs::new(root, &args.walk).map_err(io::Error::other)?);
        for entry in walker(root, &args.walk, Arc::clone(&globs)).build() {
            let entry = entry.map_err(io::Error::other)?;
            let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
            if !is_file || !globs.includes(entry.path()) {
                continue;
            }
            if has_format(entry.path(), args) {
                found.files.push(entry.into_path());
            } else {
                found.unknown += 1;
            }
        }
    }
    Ok(found)
}

/// Returns the walk through a folder.
fn walker(root: &Path, args: &WalkArgs, globs: Arc<Globs>) -> WalkBuilder {
    let mut walker = WalkBuilder::new(root);
    walker
        .standard_filters(false)
        .hidden(!args.hidden)
        .git_ignore(!args.no_ignore)
        // A folder that is not in a repository may have a `.gitignore` too.
        .require_git(false)
        .parents(!args.no_ignore && is_in_repository(root))
        .follow_links(false)
        .sort_by_file_name(|a, b| a.cmp(b))
        .filter_entry(move |entry: &DirEntry| {
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            entry.depth() == 0 || !globs.excludes(entry.path(), is_folder)
        });
    walker
}

/// Tells whether a folder is in a repository of git. If so, each `.gitignore` above it counts, up to the root of the
/// repository.
fn is_in_repository(folder: &Path) -> bool {
    let Ok(folder) = folder.canonicalize() else { return false };
    folder.ancestors().any(|above| above.join(".git").exists())
}

/// Tells whether the name of a file says its format, or the arguments do.
fn has_format(path: &Path, args: &InputArgs) -> bool {
    if args.records.from.is_some() {
        return true;
    }
    match names::of_file(path) {
        // Items that end at a NUL byte are lines.
        Some(From::Lines) => true,
        Some(_) if args.null => false,
        Some(From::Xml) => is_sitemap(path, args),
        other => other.is_some() || args.documents && names::of_data(path).is_some(),
    }
}

/// Tells whether an XML file is a sitemap. A file that cannot be read counts as a sitemap, so that the run says why.
pub(crate) fn is_sitemap(path: &Path, args: &InputArgs) -> bool {
    let head = File::open(path)
        .and_then(|file| compress::input(Box::new(file), Expected::of(path, args.decompress)))
        .and_then(|(source, _)| decode::input(source, args.charset, None))
        .and_then(|input| sniff::beginning(input.source, sniff::XML_LENGTH));
    head.map_or(true, |(head, _)| sniff::is_sitemap(&head))
}

/// The patterns of `--include` and `--exclude`, in the syntax of `.gitignore`.
struct Globs {
    root: PathBuf,
    include: Option<Gitignore>,
    exclude: Gitignore,
}

impl Globs {
    fn new(root: &Path, args: &WalkArgs) -> Result<Self, ignore::Error> {
        let include = if args.include.is_empty() { None } else { Some(patterns(&args.include)?) };
        Ok(Self { root: root.to_owned(), include, exclude: patterns(&args.exclude)? })
    }

    /// Returns the place of a file below the folder, to which the patterns apply.
    fn place<'p>(&self, path: &'p Path) -> &'p Path {
        path.strip_prefix(&self.root).unwrap_or(path)
    }

    fn excludes(&self, path: &Path, is_folder: bool) -> bool {
        self.exclude.matched(self.place(path), is_folder).is_ignore()
    }

    /// Tells whether a file is included, or a folder above it.
    fn includes(&self, path: &Path) -> bool {
        let place = self.place(path);
        self.include.as_ref().is_none_or(|include| {
            !place.has_root() && include.matched_path_or_any_parents(place, false).is_ignore()
        })
    }
}

/// Returns the message about files without a format, if there are some.
pub(crate) fn unknown(found: &Found) -> Option<String> {
    let files = match found.unknown {
        0 => return None,
        1 => "1 file is left out because its name does".to_owned(),
        count => format!("{count} files are left out because their names do"),
    };
    Some(format!("{files} not say a format; --from FORMAT reads all files of unknown formats"))
}
