//! The outputs of a run: what the command prints, and the files that options name. Not here: files that are replaced in
//! place.
//!
//! The law: after the run, all names hold their old bytes, or all names hold the complete new bytes. The exit code says
//! which.

use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

use crate::io::files::output::{Ended, Output, Raw};
use crate::io::files::pending::Wanted;
use crate::io::files::plan::{Named, OUTPUT, is_stdout};
use crate::io::interrupt;
use crate::output::report::{self, Outcome};
use crate::output::screen;

/// How many bytes the main output collects before it writes them.
const BUFFER: usize = 1 << 16;

/// The outputs of a run. Writing to it writes to the main output: standard output, or the file of `-o`.
pub(crate) struct Outputs {
    main: BufWriter<Main>,
    /// The output of the records that fail.
    pub(crate) errors: Option<Output>,
    /// Pages: the page of `iri stats`, or the pages of the manual.
    pub(crate) pages: Vec<Output>,
    is_terminal: bool,
}

enum Main {
    Stdout(Raw),
    Named(Box<Output>),
}

impl Outputs {
    /// Opens the outputs that options name. No file of these names is touched.
    ///
    /// # Errors
    /// A message: which output cannot be written, and why.
    pub(crate) fn open(named: &[Named]) -> Result<Self, String> {
        let open = |option: &str| {
            let found = named.iter().find(|named| named.option == option);
            found.map(Output::open).transpose()
        };
        let has_names = !named.is_empty();
        let is_main_named =
            named.iter().any(|named| named.option == OUTPUT && !is_stdout(&named.path));
        let is_terminal = !is_main_named && io::stdout().is_terminal();
        let main = match is_main_named.then(|| open(OUTPUT)).transpose()?.flatten() {
            Some(output) => Main::Named(Box::new(output)),
            // If the reader of standard output stops early, the files are completed nevertheless.
            None if has_names => Main::Stdout(Raw::closing_stdout()),
            None => Main::Stdout(Raw::stdout()),
        };
        if is_main_named {
            screen::set_apart();
        }
        let main = BufWriter::with_capacity(BUFFER, main);
        let (errors, pages) = (open("--errors")?, open("--html")?.into_iter().collect());
        // A signal ends a program that waits for the reader of a named pipe.
        if has_names {
            interrupt::watch(true);
        }
        Ok(Self { main, errors, pages, is_terminal })
    }

    /// Returns standard output.
    pub(crate) fn stdout() -> Self {
        let main = BufWriter::with_capacity(BUFFER, Main::Stdout(Raw::stdout()));
        Self { main, errors: None, pages: Vec::new(), is_terminal: io::stdout().is_terminal() }
    }

    /// Tells whether the main output is a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// Returns the main output and the output of the records that fail.
    pub(crate) fn parts(&mut self) -> (&mut (dyn Write + Send), Option<&mut Output>) {
        (&mut self.main, self.errors.as_mut())
    }

    /// Ends the run: files get their names if the run is complete. Returns the exit code.
    pub(crate) fn end(mut self, result: io::Result<Outcome>) -> ExitCode {
        let result = result.and_then(|outcome| self.main.flush().map(|()| outcome));
        let (main, _) = self.main.into_parts();
        let main = match main {
            Main::Named(output) => Some(*output),
            Main::Stdout(_) => None,
        };
        let outcome = match result {
            Ok(outcome) => outcome,
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                // The reader of the output closed it early. This is not an error, but the errors before it count.
                return Outcome::worst();
            }
            Err(error) => {
                report::print_message(format_args!("cannot write: {error}"));
                Outcome::Unwritten
            }
        };
        let outputs = main.into_iter().chain(self.errors).chain(self.pages).collect();
        let outcome = end_all(outputs, outcome);
        match interrupt::exit_code() {
            Some(code) => code,
            None => outcome.into(),
        }
    }
}

/// Gives all files their names if the run is complete; otherwise gives no file its name. Returns what the exit code
/// must say.
///
/// The order keeps the law: all steps that usually fail come before the first name.
///
/// ```text
/// end      each output: write the end of the compression
/// seal     each file: set the attributes, and put the bytes on the disk
/// close    from here on, a signal is too late
/// place    each file takes its name; if one cannot, those before it give their names back
/// finish   the old files are deleted; if a step before failed or a signal came, keep the partial files instead
/// ```
fn end_all(outputs: Vec<Output>, outcome: Outcome) -> Outcome {
    let mut outcome = outcome;
    let mut ended: Vec<Ended> = Vec::new();
    for output in outputs {
        let (mut written, output) = output.end();
        // What can fail is done for all files before the first gets its name.
        if written.is_ok() && outcome.is_complete() {
            written = output.seal(false);
        }
        // One message is enough: if the run has failed to write already, or was refused, its message was printed.
        if let (Err(error), false) =
            (written, matches!(outcome, Outcome::Unwritten | Outcome::Refused))
        {
            report::print_message(format_args!("cannot write: {error}"));
            outcome = Outcome::Unwritten;
        }
        ended.push(output);
    }
    ended.retain(Ended::is_pending);
    // A run that was refused made nothing, so its files are dropped without a name.
    if ended.is_empty() || matches!(outcome, Outcome::Refused) {
        return outcome;
    }
    // From here on, a signal is too late.
    let mut is_taken = true;
    if outcome.is_complete() && interrupt::close() {
        is_taken = place_all(&mut ended);
        if is_taken {
            ended.into_iter().for_each(Ended::finish);
            return outcome;
        }
    }
    let why = match outcome {
        _ if interrupt::has_come() => "the run was interrupted",
        _ if !is_taken => "a name cannot be taken",
        Outcome::Stopped => "the run stopped before the end of the input",
        Outcome::Unwritten => "an output cannot be written",
        _ => "the run is not complete",
    };
    for output in ended {
        let name = output.name.clone();
        match output.keep() {
            Ok(Some(partial)) => report::print_message(format_args!(
                "{name}: not written, because {why}; {partial} has what was made"
            )),
            Ok(None) => report::print_message(format_args!("{name}: not written, because {why}")),
            Err(error) => report::print_message(format_args!(
                "{name}: not written, because {why}; what was made is lost: {error}"
            )),
        }
    }
    Outcome::Trouble
}

/// Gives all files their names, or none. Returns whether they have them.
fn place_all(ended: &mut [Ended]) -> bool {
    let mut placed = 0;
    for output in &mut *ended {
        if let Err(error) = output.place(Wanted::File) {
            report::print_message(format_args!("{}: {error}", output.name));
            break;
        }
        placed += 1;
    }
    if placed == ended.len() {
        return true;
    }
    for output in ended.iter_mut().take(placed).rev() {
        if let Err(error) = output.undo() {
            report::print_message(format_args!("{}: {error}", output.name));
        }
    }
    false
}

impl Write for Outputs {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.main.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.main.flush()
    }
}

impl Write for Main {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(out) => out.write(bytes),
            Self::Named(output) => output.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(out) => out.flush(),
            Self::Named(output) => output.flush(),
        }
    }
}
