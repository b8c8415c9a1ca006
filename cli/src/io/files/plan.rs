//! The plan of the files of a command line: which files it reads and writes, and whether it may. The plan is checked
//! before a byte is read. Not here: how a file is opened or written.
//!
//! The law: no run writes a file that it reads, except by `--in-place`, and no run writes a file twice. Names do not
//! matter: a file is the same through links, other spellings and redirected streams.
//!
//! ```text
//! inputs   the files of the command line, those in its folders, standard input; recipes, lists of pairs and of names
//! outputs  standard output and standard error, -o, --errors, --html; NAME.partial, where an incomplete run leaves one
//! refused  an output that is an input; an output that is another output
//! ```
//!
//! A pipe, a device or a terminal has no content to lose. So only regular files count, and standard output.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::io::compress::{self, Expected};
use crate::io::files::descriptor::{self, Descriptor};
use crate::io::files::identity::Identity;
use crate::io::input::name;

/// The files that a command line names.
#[derive(Default)]
pub(crate) struct Plan {
    /// The files that are read. The name `-` is standard input.
    pub(crate) inputs: Vec<PathBuf>,
    /// Other files that are read, such as a recipe.
    pub(crate) others: Vec<PathBuf>,
    /// Whether each input is replaced by its result.
    pub(crate) in_place: bool,
    /// Whether the command prints nothing.
    pub(crate) is_silent: bool,
    pub(crate) outputs: Vec<Named>,
}

/// An output that has a name.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    /// The option, as the user writes it.
    pub(crate) option: &'static str,
    pub(crate) path: PathBuf,
    /// Whether an incomplete run leaves what it made.
    pub(crate) has_partial: bool,
    /// How a file begins that may be replaced; `None` if every file may.
    pub(crate) replaces: Option<&'static str>,
}

/// The option of the main output.
pub(crate) const OUTPUT: &str = "-o";

/// A place that only one output may write.
#[derive(PartialEq, Eq, Hash)]
enum Place {
    Regular(Identity),
    /// Standard output, if it is not a regular file.
    Stdout,
}

impl Plan {
    /// Checks the law.
    ///
    /// # Errors
    /// A message: which file has two uses.
    pub(crate) fn check(&self) -> Result<(), String> {
        // `written` has each place that is written, and the words for its use. For example, with `-o a --errors b > c`:
        //
        //     c, a, a.partial, b, b.partial
        //
        // An output whose place is in `written` already is refused. After all outputs, an input in `written` is
        // refused.
        let (mut written, mut is_stdout_free) = self.streams();
        if !is_stdout_free {
            check_stdout()?;
        }
        for Named { option, path, has_partial, replaces } in &self.outputs {
            if is_stdout(path) {
                check_stdout()?;
                // `-o -` names the main output, which is standard output already. Another option may use standard
                // output if nothing else uses it.
                if *option == OUTPUT || std::mem::take(&mut is_stdout_free) {
                    continue;
                }
                return Err(format!("standard output and {option} - are the same file"));
            }
            let shown = name(path);
            let open = descriptor::of_name(path);
            // Checked before the program opens a file, which could get this number.
            if let Some(Err(error)) = open.as_ref().map(Descriptor::check) {
                return Err(format!("{shown}: {error}"));
            }
            let place = regular(path).map_err(|error| format!("{shown}: {error}"))?;
            let Some(place) = place else { continue };
            let is_other = |head: &&str| open.is_none() && !begins_with(path, head);
            if replaces.as_ref().is_some_and(is_other) {
                return Err(format!(
                    "{shown}: this file is not a page that iri wrote, and {option} writes a page in its place; give \
                     another name, or delete the file first"
                ));
            }
            claim(&mut written, place, format!("{option} {shown}"))?;
            if *has_partial && open.is_none() {
                let partial = partial_name(path);
                let words = format!("{}, for an incomplete {option},", name(&partial));
                if let Some(place) = regular(&partial).ok().flatten() {
                    claim(&mut written, place, words)?;
                }
            }
        }
        self.check_inputs(&written)
    }

    /// Returns the standard streams that may be written, and whether standard output has no use. Standard error may be
    /// the same file as standard output: the shell opened that file once.
    fn streams(&self) -> (HashMap<Place, String>, bool) {
        let is_main = |output: &Named| output.option == OUTPUT && !is_stdout(&output.path);
        let is_used = !self.in_place && !self.is_silent && !self.outputs.iter().any(is_main);
        let mut written = HashMap::new();
        // An output may be standard error itself, which the shell opened once for both.
        let is_output = self.outputs.iter().any(|output| stream(&output.path) == Some(2));
        if let Some(file) = Identity::of_open(io::stderr()).filter(|_| !is_output) {
            written.insert(Place::Regular(file), "standard error".to_owned());
        }
        // Standard output that is a regular file is never free: the shell has opened it, and may have emptied it.
        let out = stdout();
        if is_used || out != Place::Stdout {
            written.insert(out, "standard output".to_owned());
        }
        (written, !is_used)
    }

    /// Checks that no input is written, and that none is replaced twice.
    fn check_inputs(&self, written: &HashMap<Place, String>) -> Result<(), String> {
        let mut replaced = HashMap::new();
        for input in self.inputs.iter().chain(&self.others) {
            let is_stdin = input.as_os_str() == "-";
            let place = match is_stdin {
                true => Identity::of_open(io::stdin()).map(Place::Regular),
                // A file that cannot be found is reported when it is opened.
                false => regular(input).ok().flatten(),
            };
            let Some(place) = place else { continue };
            if let Some(words) = written.get(&place) {
                let shown = name(input);
                return Err(format!("{shown}: this file is both input and output: {words}"));
            }
            if self.in_place {
                claim(&mut replaced, place, name(input))?;
            }
        }
        Ok(())
    }
}

/// Notes the use of a file.
///
/// # Errors
/// A message: the file has a use already.
fn claim(written: &mut HashMap<Place, String>, place: Place, words: String) -> Result<(), String> {
    if let Some(before) = written.get(&place) {
        return Err(format!("{before} and {words} are the same file"));
    }
    written.insert(place, words);
    Ok(())
}

/// Checks that standard output can be written.
///
/// # Errors
/// A message: why it cannot be written.
fn check_stdout() -> Result<(), String> {
    descriptor::stdout().map(drop).map_err(|error| format!("standard output: {error}"))
}

fn stdout() -> Place {
    Identity::of_open(io::stdout()).map_or(Place::Stdout, Place::Regular)
}

/// Tells whether a file begins with a text, which may be compressed, or has no byte that could be lost.
fn begins_with(path: &Path, head: &str) -> bool {
    let read = File::open(path).and_then(|file| {
        if file.metadata()?.len() == 0 {
            return Ok(true);
        }
        let (text, _) = compress::input(Box::new(file), Expected::default())?;
        let mut found = Vec::new();
        text.take(head.len() as u64).read_to_end(&mut found)?;
        Ok(found == head.as_bytes())
    });
    match read {
        Ok(begins) => begins,
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

/// Returns the place of a regular file, or of a name that no file has. Other kinds of files do not count. The name of an
/// open file stands for the file.
fn regular(path: &Path) -> io::Result<Option<Place>> {
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return Ok(None);
    }
    Identity::of_name(path).map(|file| Some(Place::Regular(file)))
}

/// Tells whether a name means standard output.
pub(crate) fn is_stdout(path: &Path) -> bool {
    path == Path::new("-") || stream(path) == Some(1)
}

/// Returns the number of the standard stream that a name means.
fn stream(path: &Path) -> Option<u32> {
    descriptor::of_name(path).filter(Descriptor::is_stream).map(|open| open.number)
}

/// Returns the name of what an incomplete run made.
pub(crate) fn partial_name(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".partial");
    PathBuf::from(name)
}
