//! A plan of a run: a command line with its inputs, its outputs and at most one fault, made from a seed. A plan is
//! printed as a shell script, and what is printed is what runs. Not here: what must be on disk afterwards.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::process::Command as Process;
use std::sync::Arc;

use super::dice::Dice;
use super::world::{Packing, Powers, Step};
use crate::loss::{FORMATS, Format, mark};

/// What a command does with a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    /// It makes one result of each record: in = out + errors. The flag says whether it keeps records that it cannot
    /// change, so that none fails.
    Map { keeps_failing: bool },
    /// It makes one result of each line. Its results do not have the numbers of the records.
    Text,
    /// It prints records, or facts about them.
    Report,
}

/// A command and its arguments.
#[derive(Debug)]
pub(super) struct Command {
    pub(super) words: &'static [&'static str],
    pub(super) class: Class,
    lines_only: bool,
}

const fn map(words: &'static [&'static str]) -> Command {
    Command { words, class: Class::Map { keeps_failing: false }, lines_only: false }
}

const fn text(words: &'static [&'static str]) -> Command {
    Command { words, class: Class::Text, lines_only: true }
}

const fn report(words: &'static [&'static str]) -> Command {
    Command { words, class: Class::Report, lines_only: false }
}

static COMMANDS: [Command; 31] = [
    map(&["normalize"]),
    map(&["normalize"]),
    map(&["normalize", "--recipe", "recipe.toml"]),
    map(&["to-uri"]),
    map(&["to-iri"]),
    map(&["resolve", "--base", "http://base/"]),
    map(&["relativize", "--base", "http://base/"]),
    map(&["prepare"]),
    map(&["display"]),
    Command {
        words: &["lint", "--fix"],
        class: Class::Map { keeps_failing: true },
        lines_only: false,
    },
    text(&["escape", "--format", "html"]),
    text(&["unescape", "--format", "json"]),
    text(&["file"]),
    text(&["skeleton"]),
    text(&["bidi"]),
    text(&["interpret"]),
    text(&["template", "match", "{+a}"]),
    report(&["check"]),
    report(&["check", "--valid"]),
    report(&["check", "--invalid"]),
    report(&["parse", "--json"]),
    report(&["parse", "-g", "'{scheme} {path}'"]),
    report(&["lint"]),
    report(&["lint", "--json"]),
    Command { words: &["extract"], class: Class::Report, lines_only: true },
    report(&["dedup"]),
    report(&["dedup", "--redirects", "moved.tsv"]),
    Command { words: &["join", "--only-a", "known.txt"], class: Class::Report, lines_only: true },
    report(&["stats"]),
    report(&["stats", "--json"]),
    report(&["man", MANUAL]),
];

/// The folder of the manual pages, and several pages.
const MANUAL: &str = "manual";
const PAGES: [&str; 3] = ["manual/iri.1", "manual/iri-check.1", "manual/iri-lint.1"];

/// An input that an option names, with its text.
fn auxiliary(command: &Command) -> Option<Step> {
    command.words.iter().find_map(|word| match *word {
        "recipe.toml" => Some(Step::file(word, "[normalize]\nlevel = \"syntax\"\n")),
        "known.txt" => Some(Step::file(word, "http://b/1\nhttp://b/2\n")),
        "moved.tsv" => Some(Step::file(word, "http://b/1\thttp://b/2\n")),
        _ => None,
    })
}

/// The options of each command, as its `--help` lists them.
pub(super) struct Options(BTreeMap<&'static str, BTreeSet<String>>);

impl Options {
    pub(super) fn read() -> Self {
        let mut all = BTreeMap::new();
        for command in &COMMANDS {
            all.entry(command.words[0]).or_insert_with(|| {
                let mut help = Process::new(env!("CARGO_BIN_EXE_iri"));
                let help = help.args([command.words[0], "--help"]).output().unwrap();
                let help = String::from_utf8(help.stdout).unwrap();
                // An option is listed at the beginning of a line. The text of other options may name it too.
                let lines = help.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
                let words = lines.flat_map(|line| line.split([' ', ',', '=']).take(4));
                words.filter(|word| word.starts_with("--")).map(str::to_owned).collect()
            });
        }
        Self(all)
    }

    fn has(&self, command: &Command, option: &str) -> bool {
        // The models of fields that `parse` makes, and of records that `dedup` keeps, are in `options`.
        let of_results = ["--in-place", "--backup", "--dry-run", "--to", "--add", "--keep"];
        let of_fields = ["--dry-run", "--to", "--add", "--keep"];
        let is_other = match command.words {
            ["lint", "--fix"] => ["--to", "--add"].contains(&option),
            ["interpret"] => ["--in-place", "--backup", "--dry-run"].contains(&option),
            ["lint" | "parse", rest @ ..] if !rest.contains(&"-g") => {
                option == "--errors" || of_results.contains(&option)
            }
            ["parse" | "dedup", ..] => of_fields.contains(&option),
            _ => false,
        };
        if is_other {
            return false;
        }
        self.0.get(command.words[0]).is_some_and(|options| options.contains(option))
    }
}

/// An input.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) name: String,
    /// The name on the command line.
    pub(super) written: String,
    pub(super) packing: Packing,
    /// The bytes of the file.
    pub(super) bytes: Arc<Vec<u8>>,
    /// The bytes without the fault.
    intact: Arc<Vec<u8>>,
    /// The text of the file without its fault and without its compression.
    pub(super) text: Arc<Vec<u8>>,
    /// The numbers of the records that `normalize` can change, and of those that fail.
    pub(super) good: Vec<u32>,
    pub(super) failing: Vec<u32>,
    /// A record that is longer than the limit.
    pub(super) long: Option<String>,
    pub(super) has_two_links: bool,
}

/// How the program gets its inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum By {
    Files,
    Stdin,
    /// A FIFO as standard input, or as a file.
    Feed {
        is_file: bool,
    },
    /// `-r`.
    Folder,
}

/// What an output is before the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    New,
    Old,
    /// An old file with other rights than a new file has.
    Private,
    ReadOnly,
    Symlink,
    Dangling,
    HardLinked,
    Fifo,
    Null,
    DevStdout,
    Dash,
    Folder,
    NoFolder,
    Full,
    /// A file that the shell has opened, and emptied.
    Opened,
    /// An old file that the shell has opened to append to it.
    Appended,
    /// Another file is mounted over it.
    Mounted,
}

/// What stands at NAME.partial before the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Leftover {
    None,
    File,
    Symlink,
    HardLink,
    Folder,
}

/// An output with a name.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) name: String,
    written: String,
    pub(super) state: State,
    pub(super) leftover: Leftover,
}

const OLD: &str = "old text\n";
/// The beginning of a page of `iri stats`, which another page may replace.
const PAGE: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
                    <meta name=\"generator\" content=\"iri stats\">\n";
const PRECIOUS: &str = "precious\n";

impl Target {
    fn new(name: String) -> Self {
        Self { written: name.clone(), name, state: State::New, leftover: Leftover::None }
    }

    /// The name of the file that gets the bytes.
    pub(super) fn place(&self) -> String {
        match self.state {
            State::Symlink | State::Dangling => format!("far/{}", self.name),
            _ => self.name.clone(),
        }
    }

    /// The text before the run.
    pub(super) fn old(&self) -> &'static str {
        if self.name.ends_with("page.html") { PAGE } else { OLD }
    }

    /// Whether the shell has opened the file.
    pub(super) fn is_open(&self) -> bool {
        matches!(self.state, State::Opened | State::Appended)
    }

    fn steps(&self, steps: &mut Vec<Step>) {
        let name = &self.name;
        let old = |place: &str| {
            let bytes = Packing::of_name(place).pack(self.old().as_bytes());
            Step::file(place, bytes)
        };
        match self.state {
            State::New | State::Null | State::DevStdout | State::Dash | State::NoFolder => {}
            State::Full => {}
            State::Old | State::Opened | State::Appended => steps.push(old(name)),
            State::Mounted => steps.extend([old(name), Step::Mount(name.clone())]),
            State::Private | State::ReadOnly => {
                let Step::File { name, bytes, .. } = old(name) else { return };
                let mode = if self.state == State::Private { 0o600 } else { 0o444 };
                steps.push(Step::File { name, bytes, mode });
            }
            State::Symlink | State::Dangling => {
                if self.state == State::Symlink {
                    steps.push(old(&self.place()));
                }
                // Relative to the folder of the link.
                let up = "../".repeat(name.matches('/').count());
                steps.push(Step::Symlink(name.clone(), format!("{up}{}", self.place())));
            }
            State::HardLinked => {
                steps.push(old(name));
                steps.push(Step::HardLink(format!("far/other-{name}"), name.clone()));
            }
            State::Fifo => steps.push(Step::Fifo(name.clone())),
            State::Folder => steps.push(Step::Folder(name.clone())),
        }
        let partial = format!("{name}.partial");
        match self.leftover {
            Leftover::None => {}
            Leftover::File => steps.push(Step::file(&partial, "old partial\n")),
            Leftover::Symlink => {
                let up = "../".repeat(name.matches('/').count());
                steps.push(Step::Symlink(partial, format!("{up}precious")));
            }
            Leftover::HardLink => steps.push(Step::HardLink(partial, "precious".into())),
            Leftover::Folder => steps.push(Step::Folder(partial)),
        }
    }
}

/// Where the results go.
#[derive(Clone, Debug)]
pub(super) enum Sink {
    Stdout,
    File(Target),
    /// `--in-place`, with the suffix of a backup.
    InPlace {
        backup: Option<&'static str>,
    },
}

/// A part of the command line that names a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Input(usize),
    /// An input that an option names.
    Auxiliary,
    Output,
    Errors,
    Page,
    /// A manual page.
    Manual(usize),
    Stdout,
    Stderr,
}

#[derive(Clone, Debug)]
pub(super) enum Fault {
    None,
    /// Two names of one file.
    Overlap {
        one: Role,
        other: Role,
        spelling: &'static str,
        must_refuse: bool,
    },
    /// A file is named twice, the second time in another spelling.
    Twice,
    /// NAME.partial of an output is another file.
    IsPartial,
    /// A signal after this many seconds.
    Signal {
        signal: &'static str,
        after: f64,
    },
    /// A signal when the program has read this many bytes but for those in a pipe.
    SignalWhenRead {
        signal: &'static str,
        bytes: usize,
    },
    /// No file grows beyond this many KiB. `trapped` says whether the program sees an error, or is killed.
    FileSize {
        limit: u32,
        trapped: bool,
    },
    Disk {
        size: u32,
    },
    /// A compressed input ends early, or has wrong bytes in the middle.
    Damage {
        input: usize,
        is_cut: bool,
    },
    /// Another input cannot be read.
    Unreadable {
        name: &'static str,
        is_first: bool,
    },
    FailFast,
    MaxErrors(usize),
    LongRecord,
    Quote,
    ClosedPipe,
    /// An input gets a line, is made empty, or is replaced, after this many seconds.
    Changed {
        how: Change,
        after: f64,
    },
    /// When the program has read this many bytes but for those in a pipe, an output gets a name that no file can take:
    /// another file is mounted over it, or a folder is made.
    Taken {
        role: Role,
        bytes: usize,
    },
    /// The program may have this many KiB of memory.
    Memory {
        limit: u32,
    },
    /// The program may make no thread.
    NoThread,
    /// Two runs of the line at once, the second after this many seconds.
    Together {
        after: f64,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Change {
    Grow,
    Shrink,
    Replace,
}

/// The user whose limit of processes binds.
pub(super) const NOBODY: u32 = 12345;

/// The line that makes an input grow, and the text that replaces it.
pub(super) const LINE: &str = "HTTP://a/grown\n";

#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) seed: u64,
    pub(super) command: &'static Command,
    pub(super) format: &'static Format,
    pub(super) options: Vec<String>,
    pub(super) sources: Vec<Source>,
    pub(super) by: By,
    pub(super) sink: Sink,
    pub(super) errors: Option<Target>,
    pub(super) page: Option<Target>,
    pub(super) manual: Vec<Target>,
    pub(super) fault: Fault,
    /// Another name of the first input, which follows the inputs.
    again: Option<String>,
    /// What follows the command, as `>> f`.
    redirections: Vec<String>,
    /// Whether standard output, which is not used, is the file of standard error.
    is_joined: bool,
    /// Steps for other spellings.
    others: Vec<Step>,
    /// Steps for the rights of the inputs.
    rights: Vec<Step>,
}

/// Makes the text of an input and knows the numbers of its records.
struct Writer<'a> {
    format: &'static Format,
    dice: &'a mut Dice,
    source: Source,
    text: Vec<u8>,
    next: u32,
}

impl Writer<'_> {
    fn record(&mut self, template: &str, is_good: bool, padding: &str) -> String {
        let numbers = if is_good { &mut self.source.good } else { &mut self.source.failing };
        numbers.push(self.next);
        let record = template.replace('@', &format!("{}{padding}", mark(self.next)));
        self.text.extend(record.bytes());
        self.next += 1;
        record
    }

    /// Writes records. One in `failing` fails, or none if it is 0.
    fn records(&mut self, count: usize, failing: usize) {
        for _ in 0..count {
            let is_good = failing == 0 || !self.dice.one_in(failing);
            let templates = if is_good { self.format.good } else { self.format.failing };
            let template = *self.dice.pick(templates);
            self.record(template, is_good, "");
            if !self.format.bare.is_empty() && self.dice.one_in(9) {
                // It stays, as the good ones do.
                let template = *self.dice.pick(self.format.bare);
                self.record(template, true, "");
            }
            if self.dice.one_in(9) {
                self.text.extend(self.format.filler.bytes());
            }
        }
    }
}

fn extension(format: &Format) -> &'static str {
    match format.name() {
        "lines" => "txt",
        "markdown" => "md",
        "sitemap" => "xml",
        name => name,
    }
}

/// The size of the records that the generator makes when it wants a long one, and the limit.
const LONG: [usize; 3] = [5_000, 60_000, 600_000];
const LIMIT: &str = "4K";

/// What is drawn before the plan: the fault by its name, and how often.
const FAULTS: [(&str, usize); 18] = [
    ("none", 12),
    ("overlap", 22),
    ("partial", 3),
    ("signal", 8),
    ("read", 8),
    ("size", 6),
    ("disk", 5),
    ("damage", 7),
    ("unreadable", 6),
    ("stop", 8),
    ("long", 6),
    ("quote", 4),
    ("pipe", 4),
    ("changed", 8),
    ("taken", 6),
    ("memory", 6),
    ("thread", 5),
    ("together", 8),
];

impl Plan {
    /// Makes the plan of a seed.
    pub(super) fn new(seed: u64, options: &Options, powers: Powers) -> Self {
        let mut dice = Dice::new(seed);
        let total = FAULTS.iter().map(|(_, weight)| weight).sum();
        let mut place = dice.below(total);
        let kind = FAULTS.iter().find(|(_, weight)| {
            let is_here = place < *weight;
            place = place.wrapping_sub(*weight);
            is_here
        });
        let kind = kind.unwrap().0;
        // A command that can have the fault is found soon.
        loop {
            if let Some(plan) = Self::attempt(seed, kind, &mut dice, options, powers) {
                return plan;
            }
        }
    }

    fn attempt(
        seed: u64,
        kind: &'static str,
        dice: &mut Dice,
        options: &Options,
        powers: Powers,
    ) -> Option<Self> {
        let command = dice.pick(&COMMANDS);
        if command.words[0] == "man" {
            return Self::of_manual(seed, kind, dice, command, powers);
        }
        let has = |option: &str| options.has(command, option);
        let mut format = dice.pick(&FORMATS);
        let is_timed = ["signal", "read", "changed", "taken"].contains(&kind);
        if command.lines_only || kind == "changed" || (is_timed && dice.one_in(2)) {
            format = &FORMATS[0];
        }
        match kind {
            "quote" if command.lines_only => return None,
            "quote" => format = dice.pick(&FORMATS[1..3]),
            "long" if format.is_document || !has("--max-record") => return None,
            _ => {}
        }

        // Where the results go.
        let mut sink = Sink::Stdout;
        if has("--in-place") && dice.below(3) == 0 {
            let backup = (has("--backup") && kind != "none" && dice.one_in(3)).then_some(".bak");
            sink = Sink::InPlace { backup };
        } else if has("--output") && dice.below(5) != 0 {
            let packing = if dice.one_in(3) { *dice.pick(&Packing::ALL) } else { Packing::None };
            sink =
                Sink::File(Target::new(format!("out.{}{}", extension(format), packing.suffix())));
        }
        let is_in_place = matches!(sink, Sink::InPlace { .. });
        let errors =
            (has("--errors") && dice.one_in(3)).then(|| Target::new("errors.jsonl".into()));
        let page = (has("--html") && dice.one_in(2)).then(|| Target::new("page.html".into()));

        // How the inputs come.
        let mut by = match dice.below(8) {
            0 | 1 if !is_in_place => By::Stdin,
            2 if has("--recursive") && format.name() == "lines" => By::Folder,
            _ => By::Files,
        };
        if ["read", "taken"].contains(&kind) {
            by = By::Feed { is_file: dice.one_in(2) };
        } else if ["changed", "unreadable", "disk", "partial"].contains(&kind) {
            by = By::Files;
        }
        // The addresses of a document are printed one a line.
        if command.words[0] == "dedup" && format.is_document && is_in_place {
            return None;
        }
        // There are two files, of which the first is given.
        if command.words[0] == "join" && !matches!(by, By::Files | By::Feed { is_file: true }) {
            return None;
        }
        if by == (By::Feed { is_file: true }) && is_in_place {
            return None;
        }
        if is_in_place && !matches!(by, By::Files | By::Folder) {
            return None;
        }

        let count = match by {
            By::Files | By::Folder if !is_timed && command.words[0] != "join" => {
                *dice.pick(&[1, 1, 1, 2, 3])
            }
            _ => 1,
        };
        let failing = *dice.pick(&[0, 3, 3, 30]);
        let failing = if ["stop", "partial"].contains(&kind) && failing == 0 { 5 } else { failing };
        let mut sources = Vec::new();
        for number in 0..count {
            sources.push(source(dice, kind, format, failing, number, is_timed)?);
        }
        if matches!(by, By::Folder) {
            for source in &mut sources {
                source.name = format!("folder/{}", source.name);
                source.written.clone_from(&source.name);
            }
        }

        let mut words: Vec<String> = vec!["-v".into()];
        // In a folder, the names say the format.
        if by != By::Folder && command.words[0] != "extract" {
            words.extend(format.args.iter().map(|word| (*word).to_owned()));
        }
        if has("--jobs") {
            words.extend(["-j".into(), (1 + dice.below(2)).to_string()]);
        }
        if has("--keep") && command.class != Class::Report && dice.one_in(3) {
            words.extend(["--keep".into(), (*dice.pick(&["input", "empty"])).into()]);
        }
        let is_table = ["csv", "tsv", "jsonl", "log", "lines"].contains(&format.name());
        if has("--to")
            && is_table
            && count == 1
            && !is_in_place
            && kind != "quote"
            && dice.one_in(6)
        {
            let to: &[&str] = match cfg!(feature = "columnar") && matches!(sink, Sink::File(_)) {
                true => &["lines", "csv", "tsv", "jsonl", "parquet", "arrow"],
                false => &["lines", "csv", "tsv", "jsonl"],
            };
            words.extend(["--to".into(), (*dice.pick(to)).into()]);
            // The first object has the names of the fields.
            let first = sources.iter().flat_map(|source| source.text.split(|byte| *byte == b'\n'));
            let mut first = first.filter(|line| !line.trim_ascii().is_empty());
            let is_object = |line| {
                serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(line).is_ok()
            };
            if format.name() == "jsonl" && first.next().is_some_and(|line| !is_object(line)) {
                return None;
            }
        } else if has("--add")
            && command.class != Class::Report
            && ["csv", "jsonl"].contains(&format.name())
            && dice.one_in(6)
        {
            words.extend(["--add".into(), "made".into()]);
        }
        // The lines come in any order, so that only their number and their text are known.
        let is_by_line = ["lines", "jsonl", "log", "cdxj"].contains(&format.name());
        if has("--unordered")
            && command.class != Class::Report
            && is_by_line
            && !is_in_place
            && !words.contains(&"--to".into())
            && dice.one_in(4)
        {
            words.push("--unordered".into());
        }
        if kind == "none" && is_in_place && errors.is_none() && has("--dry-run") && dice.one_in(3) {
            words.push("--dry-run".into());
        }
        if kind == "long" {
            words.extend(["--max-record".into(), LIMIT.into()]);
        }

        let mut plan = Self {
            seed,
            command,
            format,
            options: words,
            sources,
            by,
            sink,
            errors,
            page,
            manual: Vec::new(),
            fault: Fault::None,
            again: None,
            redirections: Vec::new(),
            is_joined: false,
            others: Vec::new(),
            rights: Vec::new(),
        };
        plan.states(dice, kind, powers);
        plan.inflict(dice, kind, powers).then_some(plan)
    }

    /// Makes the plan of a command that has no input.
    fn of_manual(
        seed: u64,
        kind: &'static str,
        dice: &mut Dice,
        command: &'static Command,
        powers: Powers,
    ) -> Option<Self> {
        let mut plan = Self {
            seed,
            command,
            format: &FORMATS[0],
            options: Vec::new(),
            sources: Vec::new(),
            by: By::Files,
            sink: Sink::Stdout,
            errors: None,
            page: None,
            manual: Vec::new(),
            fault: Fault::None,
            again: None,
            redirections: Vec::new(),
            is_joined: false,
            others: Vec::new(),
            rights: Vec::new(),
        };
        for name in PAGES {
            let mut target = Target::new(name.to_owned());
            let states = [State::New, State::Old, State::Symlink, State::Dangling, State::Private];
            target.state = *dice.pick(&states);
            plan.manual.push(target);
        }
        let is_possible = ["none", "signal", "size"].contains(&kind);
        (is_possible && plan.inflict(dice, kind, powers)).then_some(plan)
    }

    /// Draws what the outputs are before the run, and the rights of the inputs.
    fn states(&mut self, dice: &mut Dice, kind: &str, powers: Powers) {
        use State::{
            Appended, Dangling, Dash, DevStdout, Fifo, Folder, Full, HardLinked, Mounted, New,
            NoFolder, Null, Old, Opened, Private, ReadOnly, Symlink,
        };
        let calm = [New, Old, Old, Private, ReadOnly, Symlink, Dangling, HardLinked];
        let odd = [Fifo, Null, DevStdout, Dash, Folder, NoFolder, Full, Mounted];
        // Without the right to mount, an ordinary file.
        let odd = odd.map(|state| if state == Mounted && !powers.mount { Old } else { state });
        let has_file = |sink: &Sink| matches!(sink, Sink::File(_));
        let is_columnar = self.is_columnar();
        let has_output = has_file(&self.sink);
        let mut outputs: Vec<(&mut Target, bool)> = Vec::new();
        if let Sink::File(target) = &mut self.sink {
            outputs.push((target, true));
        }
        outputs.extend(self.errors.iter_mut().map(|target| (target, false)));
        outputs.extend(self.page.iter_mut().map(|target| (target, false)));
        for (target, is_output) in outputs {
            target.state = *dice.pick(&calm);
            // A file that is open already stays as it is, so that it may stand beside a fault.
            let may_be_open = ["none", "read", "damage", "stop", "thread"].contains(&kind);
            if may_be_open && !is_columnar && dice.one_in(6) {
                target.state = *dice.pick(&[Opened, Appended]);
            }
            // One odd output is enough, and not beside another fault.
            if kind == "none" && dice.one_in(3) && (is_output || !has_output) && !is_columnar {
                target.state = *dice.pick(&odd);
            }
            match target.state {
                Null => target.written = "/dev/null".into(),
                DevStdout if is_output => target.written = "/dev/stdout".into(),
                Dash if is_output => target.written = "-".into(),
                // Both would go to standard output.
                DevStdout | Dash => target.state = Old,
                NoFolder => target.written = format!("missing/{}", target.name),
                Full => target.written = "/dev/full".into(),
                Opened | Appended => {
                    // Two outputs are two descriptors.
                    let number = if is_output { 7 } else { 8 };
                    let folder = *dice.pick(&["/dev/fd", "/proc/self/fd"]);
                    target.written = format!("{folder}/{number}");
                    let spelling = if target.state == Opened { ">" } else { ">>" };
                    self.redirections.push(format!("{number}{spelling}{}", target.name));
                }
                _ => {}
            }
            if dice.one_in(3) {
                let all = [Leftover::File, Leftover::Folder, Leftover::Symlink, Leftover::HardLink];
                // Of two outputs, one may lead to a third file. If both did, they would be one.
                let count = if has_output && !is_output { 2 } else { all.len() };
                target.leftover = *dice.pick(&all[..count]);
            }
        }
        let is_named = match &self.sink {
            Sink::Stdout => false,
            Sink::File(target) => !matches!(target.state, DevStdout | Dash),
            Sink::InPlace { .. } => !self.has("--dry-run"),
        };
        self.is_joined = is_named && kind != "overlap" && dice.one_in(2);
        if self.is_in_place() {
            for source in &mut self.sources {
                // A hard link is not possible from one disk to another.
                if kind != "disk" && dice.one_in(6) {
                    source.has_two_links = true;
                    let name = format!("far/linked-{}", source.name.replace('/', "-"));
                    self.rights.push(Step::HardLink(name, source.name.clone()));
                }
                // A symbolic link stays one.
                if self.by == By::Files && kind != "overlap" && kind != "disk" && dice.one_in(6) {
                    source.written = format!("link-{}", source.name);
                    self.others.push(Step::Symlink(source.written.clone(), source.name.clone()));
                }
                if powers.owner && dice.one_in(3) {
                    self.rights.push(Step::Owner(source.name.clone(), 1234));
                }
                if powers.attributes && kind != "disk" && dice.one_in(3) {
                    self.rights.push(Step::Attribute(source.name.clone(), "kept"));
                }
            }
        }
    }

    /// Adds the fault. Returns false if this plan cannot have it.
    fn inflict(&mut self, dice: &mut Dice, kind: &str, powers: Powers) -> bool {
        self.fault = match kind {
            "none" => Fault::None,
            "overlap" => return self.overlap(dice),
            "partial" => {
                if !self.has_map_results() {
                    return false;
                }
                let Sink::File(output) = &mut self.sink else { return false };
                (output.state, output.leftover) = (State::Old, Leftover::None);
                let partial = format!("{}.partial", output.name);
                if let Some(errors) = &mut self.errors {
                    *errors = Target::new(partial);
                    errors.state = *dice.pick(&[State::New, State::Old]);
                    Fault::IsPartial
                } else {
                    let source = &mut self.sources[0];
                    (source.name, source.written) = (partial.clone(), partial);
                    Fault::IsPartial
                }
            }
            "signal" => {
                let signal = dice.pick(&["INT", "INT", "TERM", "HUP", "KILL"]);
                Fault::Signal { signal, after: dice.spread(0.001, 0.2) }
            }
            "read" => {
                let signal = dice.pick(&["INT", "INT", "TERM", "HUP", "KILL"]);
                let all = self.sources[0].bytes.len();
                // A pipe holds 64 KiB, and the program must have read something.
                if all < 150_000 {
                    return false;
                }
                Fault::SignalWhenRead { signal, bytes: 140_000 + dice.below(all - 140_000) }
            }
            "size" => {
                let trapped = !dice.one_in(3);
                Fault::FileSize { limit: *dice.pick(&[0, 1, 2, 8, 64, 300]), trapped }
            }
            "disk" => {
                if !powers.mount {
                    return false;
                }
                let mut bytes = 0;
                if self.is_in_place() {
                    for source in &mut self.sources {
                        source.name = format!("disk/{}", source.name);
                        source.written.clone_from(&source.name);
                        bytes += source.bytes.len();
                    }
                    self.rights.retain_mut(|step| match step {
                        Step::Owner(name, _) => {
                            *name = format!("disk/{name}");
                            true
                        }
                        _ => false,
                    });
                } else {
                    let Sink::File(target) = &mut self.sink else { return false };
                    target.name = format!("disk/{}", target.name);
                    target.written.clone_from(&target.name);
                    target.state = *dice.pick(&[State::New, State::Old]);
                    target.leftover = Leftover::None;
                }
                // Each file takes whole pages.
                let pages = bytes / 4096 + 4 * self.sources.len();
                let size = u32::try_from(4 * (pages + dice.below(20))).unwrap();
                Fault::Disk { size: size.max(24) }
            }
            "damage" => {
                let input = dice.below(self.sources.len());
                let source = &mut self.sources[input];
                if source.packing == Packing::None || source.bytes.len() < 100 {
                    return false;
                }
                let mut bytes = source.bytes.to_vec();
                let place = bytes.len() / 10 + dice.below(bytes.len() * 8 / 10);
                let is_cut = !dice.one_in(3);
                if !is_cut {
                    let end = (place + 16).min(bytes.len());
                    for byte in &mut bytes[place..end] {
                        *byte ^= 0x55;
                    }
                } else {
                    bytes.truncate(place);
                }
                source.bytes = Arc::new(bytes);
                Fault::Damage { input, is_cut }
            }
            "unreadable" => {
                let name = *dice.pick(&["missing.txt", "empty", "dangling.txt"]);
                Fault::Unreadable { name, is_first: dice.one_in(2) }
            }
            "stop" => {
                if !self.has_map_results() {
                    return false;
                }
                match dice.one_in(2) {
                    true => Fault::FailFast,
                    false => Fault::MaxErrors(1 + dice.below(5)),
                }
            }
            "long" => Fault::LongRecord,
            "quote" => Fault::Quote,
            "pipe" => {
                if !matches!(self.sink, Sink::Stdout) {
                    return false;
                }
                Fault::ClosedPipe
            }
            "taken" => {
                let all = self.sources[0].bytes.len();
                let named: Vec<Role> = self.targets().iter().map(|(role, _)| *role).collect();
                if all < 150_000 || named.is_empty() {
                    return false;
                }
                let role = *dice.pick(&named);
                let is_mounted = powers.mount && dice.one_in(2);
                let Some(target) = self.target_mut(role) else { return false };
                target.state = if is_mounted { State::Old } else { State::New };
                Fault::Taken { role, bytes: 70_000 + dice.below(all - 70_000) }
            }
            "memory" => {
                Fault::Memory { limit: 1024 * *dice.pick(&[8, 12, 16, 24, 32, 48, 80, 150, 400]) }
            }
            "thread" => {
                // Nor may this user set the owner of a file, or write where it is not allowed.
                self.rights.retain(|step| !matches!(step, Step::Owner(..)));
                for role in [Role::Output, Role::Errors, Role::Page] {
                    let target = self.target_mut(role);
                    if let Some(target) = target.filter(|it| it.state == State::ReadOnly) {
                        target.state = State::Old;
                    }
                }
                self.others.push(Step::Hand(NOBODY));
                if !powers.limited {
                    return false;
                }
                Fault::NoThread
            }
            "together" => {
                // A second run on the file has no errors, and other results than these.
                let is_repeatable = !self.is_in_place()
                    || self.command.words == ["normalize"] && self.errors.is_none();
                let has_columns = self.has("--add") || self.has("--to");
                if !is_repeatable || has_columns || matches!(self.sink, Sink::Stdout) {
                    return false;
                }
                Fault::Together { after: dice.spread(0.0005, 0.05) }
            }
            _ => {
                let how = *dice.pick(&[Change::Grow, Change::Shrink, Change::Replace]);
                Fault::Changed { how, after: dice.spread(0.001, 0.1) }
            }
        };
        true
    }

    /// Gives an output the name of another file.
    fn overlap(&mut self, dice: &mut Dice) -> bool {
        if self.is_in_place() && self.by == By::Files && dice.one_in(4) {
            let name = self.sources[0].name.clone();
            let (spelling, path) = self.alias(dice, &name, true);
            self.again = Some(path);
            // A hard link is a reason of its own.
            for source in &mut self.sources {
                source.has_two_links = false;
            }
            self.rights.retain(|step| !matches!(step, Step::HardLink(..)));
            self.fault = Fault::Twice;
            return spelling != "hard link";
        }
        let auxiliary = auxiliary(self.command).is_some();
        let mut outputs = vec![Role::Stdout, Role::Stdout, Role::Stderr];
        let named = [
            (matches!(self.sink, Sink::File(_)), Role::Output),
            (self.errors.is_some(), Role::Errors),
            (self.page.is_some(), Role::Page),
        ];
        // Named outputs are the most likely.
        for role in named.iter().filter(|(is_there, _)| *is_there).map(|(_, role)| *role) {
            outputs.extend([role; 6]);
        }
        let one = *dice.pick(&outputs);
        let mut others: Vec<Role> = (0..self.sources.len()).map(Role::Input).collect();
        others.extend(auxiliary.then_some(Role::Auxiliary));
        others.extend(named.iter().filter(|(is_there, _)| *is_there).map(|(_, role)| *role));
        others.retain(|role| *role != one);
        let other = *dice.pick(&others);

        // Plain files, so that there is no other reason to refuse.
        let simple = [State::New, State::Old];
        let state = *dice.pick(&simple);
        for role in [Role::Output, Role::Errors, Role::Page] {
            if let Some(target) = self.target_mut(role) {
                target.state = state;
                target.leftover = Leftover::None;
                target.written.clone_from(&target.name);
            }
        }
        let file = match other {
            Role::Input(number) => self.sources[number].name.clone(),
            Role::Auxiliary => match auxiliary_name(self.command) {
                Some(name) => name.to_owned(),
                None => return false,
            },
            role => match self.target_mut(role) {
                Some(target) => target.name.clone(),
                None => return false,
            },
        };
        let exists =
            !matches!(other, Role::Output | Role::Errors | Role::Page) || state == State::Old;
        let is_stdin = self.by == By::Stdin;
        let silent = !matches!(self.sink, Sink::Stdout);

        if matches!(one, Role::Stdout | Role::Stderr) {
            if !exists {
                return false;
            }
            let number = if one == Role::Stdout { 1 } else { 2 };
            let spelling = match one {
                // The shell empties the file before the program runs.
                Role::Stdout => *dice.pick(&[">", ">>", ">>", "<>"]),
                _ => ">>",
            };
            let path = self.alias(dice, &file, exists).1;
            self.redirections.push(format!("{number}{spelling}{path}"));
            // A stream to which nothing is written does no harm.
            let must_refuse = one == Role::Stdout && !silent;
            self.fault = Fault::Overlap { one, other, spelling, must_refuse };
            return true;
        }
        let (spelling, path) = if is_stdin && matches!(other, Role::Input(_)) && dice.one_in(3) {
            ("/dev/stdin", "/dev/stdin".to_owned())
        } else {
            self.alias(dice, &file, exists)
        };
        // Which of the two has the other spelling.
        let swaps = dice.one_in(2) && spelling != "/dev/stdin";
        let name = if swaps { file.clone() } else { path.clone() };
        if swaps {
            match other {
                Role::Input(number) => self.sources[number].written = path,
                Role::Auxiliary => return false,
                role => {
                    if let Some(target) = self.target_mut(role) {
                        target.written = path;
                    }
                }
            }
        }
        if let Some(target) = self.target_mut(one) {
            target.written = name;
            target.state = State::New;
        }
        self.fault = Fault::Overlap { one, other, spelling, must_refuse: true };
        true
    }

    /// Makes another spelling of a name.
    fn alias(&mut self, dice: &mut Dice, file: &str, exists: bool) -> (&'static str, String) {
        let base = file.rsplit('/').next().unwrap_or(file);
        // A suffix stays, so that the compression does too.
        let mut link = |step: Step, path: String, spelling| {
            self.others.push(step);
            (spelling, path)
        };
        match dice.below(if exists { 9 } else { 8 }) {
            0 | 1 => ("same", file.to_owned()),
            2 => ("dot", format!("./{file}")),
            3 => ("up", format!("empty/../{file}")),
            4 => ("absolute", format!("\"$PWD\"/{file}")),
            5 | 6 => {
                let path = format!("link-{base}");
                link(Step::Symlink(path.clone(), file.to_owned()), path, "symlink")
            }
            7 => {
                let step = Step::Symlink("here".into(), ".".into());
                link(step, format!("here/{file}"), "folder")
            }
            _ => {
                let path = format!("hard-{base}");
                link(Step::HardLink(path.clone(), file.to_owned()), path, "hard link")
            }
        }
    }

    fn target_mut(&mut self, role: Role) -> Option<&mut Target> {
        match role {
            Role::Errors => self.errors.as_mut(),
            Role::Page => self.page.as_mut(),
            Role::Output => match &mut self.sink {
                Sink::File(target) => Some(target),
                _ => None,
            },
            _ => None,
        }
    }

    /// The outputs with a name.
    pub(super) fn targets(&self) -> Vec<(Role, &Target)> {
        let mut all = Vec::new();
        if let Sink::File(target) = &self.sink {
            all.push((Role::Output, target));
        }
        all.extend(self.errors.iter().map(|target| (Role::Errors, target)));
        all.extend(self.page.iter().map(|target| (Role::Page, target)));
        let pages = self.manual.iter().enumerate();
        all.extend(pages.map(|(number, target)| (Role::Manual(number), target)));
        all
    }

    pub(super) fn is_in_place(&self) -> bool {
        matches!(self.sink, Sink::InPlace { .. })
    }

    fn has_map_results(&self) -> bool {
        matches!(self.command.class, Class::Map { keeps_failing: false })
    }

    pub(super) fn has(&self, option: &str) -> bool {
        self.options.iter().any(|word| word == option)
    }

    pub(super) fn value(&self, option: &str) -> Option<&str> {
        let place = self.options.iter().position(|word| word == option)?;
        self.options.get(place + 1).map(String::as_str)
    }

    pub(super) fn is_manual(&self) -> bool {
        !self.manual.is_empty()
    }

    pub(super) fn is_columnar(&self) -> bool {
        matches!(self.value("--to"), Some("parquet" | "arrow"))
    }

    /// The same command line with new outputs and without the fault.
    pub(super) fn calm(&self) -> Self {
        let mut calm = self.clone();
        // A name of an input is a part of the errors, so that it stays.
        let is_renamed = matches!(self.fault, Fault::Overlap { .. } | Fault::Twice);
        for source in &mut calm.sources {
            source.bytes = source.intact.clone();
            if is_renamed {
                source.written.clone_from(&source.name);
            }
            source.has_two_links = false;
        }
        let renew = |target: &mut Target| *target = Target::new(target.name.clone());
        if let Sink::File(target) = &mut calm.sink {
            match target.state {
                State::Fifo
                | State::DevStdout
                | State::Dash
                | State::Null
                | State::Full
                | State::Opened
                | State::Appended => {
                    calm.sink = Sink::Stdout;
                    calm.is_joined = false;
                }
                _ => renew(target),
            }
        }
        calm.errors.as_mut().map(renew);
        calm.page.as_mut().map(renew);
        calm.manual.iter_mut().for_each(renew);
        calm.fault = match calm.fault {
            Fault::LongRecord => Fault::LongRecord,
            _ => Fault::None,
        };
        calm.options.retain(|word| word != "--dry-run" && word != "--unordered");
        calm.again = None;
        calm.redirections.clear();
        if is_renamed {
            calm.others.clear();
        }
        calm.rights.clear();
        calm
    }

    /// The same command line with the input as it is after another program has changed it.
    pub(super) fn changed(&self) -> Self {
        let mut changed = self.clone();
        if let (Fault::Changed { how, .. }, Some(source)) =
            (&self.fault, changed.sources.first_mut())
        {
            let mut text = source.intact.to_vec();
            match how {
                Change::Grow => text.extend(LINE.bytes()),
                Change::Shrink => text.clear(),
                Change::Replace => text = LINE.into(),
            }
            source.intact = Arc::new(text);
        }
        changed
    }

    /// The steps that make the world.
    pub(super) fn steps(&self) -> Vec<Step> {
        let mut steps: Vec<Step> =
            ["far", "empty", "disk"].map(|name| Step::Folder(name.into())).into();
        steps.push(Step::Folder("far/disk".into()));
        if !self.manual.is_empty() {
            steps.extend([MANUAL, "far/manual"].map(|name| Step::Folder(name.into())));
        }
        steps.push(Step::file("precious", PRECIOUS));
        if let Fault::Disk { size } = self.fault {
            steps.push(Step::Disk("disk".into(), size));
        }
        steps.extend(auxiliary(self.command));
        if self.by == By::Folder {
            steps.push(Step::Folder("folder".into()));
            // What is in a folder beside the inputs.
            steps.push(Step::file("folder/.hidden.txt", "HTTP://a/hidden\n"));
            steps.push(Step::file("folder/Makefile", "Build: HTTP://a/\n"));
            steps.push(Step::Fifo("folder/pipe.txt".into()));
            steps.push(Step::Symlink("folder/dangling.txt".into(), "nowhere".into()));
        }
        for source in &self.sources {
            let (name, bytes) = (source.name.clone(), source.bytes.clone());
            steps.push(Step::File { name, bytes, mode: 0o640 });
        }
        for (_, target) in self.targets() {
            target.steps(&mut steps);
        }
        if let By::Feed { .. } = self.by {
            steps.push(Step::Fifo("feed".into()));
        }
        match self.fault {
            Fault::Unreadable { name: "dangling.txt", .. } => {
                steps.push(Step::Symlink("dangling.txt".into(), "nowhere".into()));
            }
            Fault::Changed { how: Change::Replace, .. } => {
                steps.push(Step::file("other.txt", LINE));
            }
            _ => {}
        }
        steps.extend(self.others.iter().cloned());
        steps.extend(self.rights.iter().cloned());
        steps
    }

    /// The command line of the program alone.
    fn line(&self) -> String {
        let mut words: Vec<String> = vec!["\"$IRI\"".into()];
        words.extend(self.command.words.iter().map(|word| (*word).to_owned()));
        words.extend(self.options.iter().cloned());
        match self.fault {
            // So that there is a file of that name.
            Fault::FailFast | Fault::IsPartial => words.push("--fail-fast".into()),
            Fault::MaxErrors(most) => words.extend(["--max-errors".into(), most.to_string()]),
            _ => {}
        }
        match &self.sink {
            Sink::Stdout => {}
            Sink::File(target) => words.extend(["-o".into(), target.written.clone()]),
            Sink::InPlace { backup } => {
                words.push("--in-place".into());
                if let Some(suffix) = backup {
                    words.extend(["--backup".into(), (*suffix).into()]);
                }
            }
        }
        for (option, target) in [("--errors", &self.errors), ("--html", &self.page)] {
            if let Some(target) = target {
                words.extend([option.into(), target.written.clone()]);
            }
        }
        let mut files: Vec<String> = match self.by {
            By::Files => self.sources.iter().map(|source| source.written.clone()).collect(),
            By::Stdin | By::Feed { is_file: false } => Vec::new(),
            By::Feed { is_file: true } => vec!["feed".into()],
            By::Folder => vec!["-r".into(), "folder".into()],
        };
        if let Fault::Unreadable { name, is_first } = self.fault {
            let place = if is_first { 0 } else { files.len() };
            files.insert(place, name.to_owned());
        }
        words.extend(files);
        words.extend(self.again.clone());
        match self.by {
            By::Stdin => words.push(format!("< {}", self.sources[0].written)),
            By::Feed { is_file: false } => words.push("< feed".into()),
            _ => {}
        }
        words.extend(self.redirections.iter().cloned());
        if self.is_joined {
            words.push(">&2".into());
        }
        words.join(" ")
    }

    /// The commands of the shell, in the folder of the world. `$IRI` is the program.
    pub(super) fn script(&self) -> String {
        let line = self.line();
        let first = self.sources.first().map_or("", |source| &source.name);
        let fifo = self.targets().into_iter().find(|(_, target)| target.state == State::Fifo);
        if let Some((_, target)) = fifo {
            let name = &target.name;
            // The last line lets `cat` end if the program has not opened the FIFO.
            return format!(
                "cat {name} > got &\n{line}\ncode=$?\nexec 9<>{name}; exec 9>&-; wait\nexit $code\n"
            );
        }
        match self.fault {
            Fault::Signal { signal, after } => {
                format!("( sleep {after:.4}; kill -{signal} $$ ) > /dev/null 2>&1 &\nexec {line}\n")
            }
            Fault::SignalWhenRead { signal, bytes } => format!(
                "{{ head -c {bytes} {first}; kill -{signal} $$; sleep 3; }} 2> /dev/null > feed &\n\
                 exec {line}\n"
            ),
            Fault::FileSize { limit, trapped } => {
                let trap = if trapped { "trap '' XFSZ\n" } else { "" };
                format!("{trap}ulimit -c 0 -f {limit}\nexec {line}\n")
            }
            Fault::Taken { role, bytes } => {
                let target = self.targets().into_iter().find(|(it, _)| *it == role);
                let Some((_, target)) = target else { return line };
                let name = &target.name;
                let (take, leave) = match target.state {
                    State::Old => {
                        (format!("mount --bind precious {name}"), format!("umount {name}"))
                    }
                    _ => (format!("mkdir {name}"), format!("rmdir {name}")),
                };
                // The program has opened its outputs before it has read more than a pipe holds.
                format!(
                    "{{ head -c {bytes}; {take}; cat; }} < {first} > feed &\n{line}\ncode=$?\nwait\n{leave}\nexit $code\n"
                )
            }
            Fault::Memory { limit } => format!("ulimit -c 0 -v {limit}\nexec {line}\n"),
            Fault::NoThread => {
                let user = format!("setpriv --reuid={NOBODY} --regid={NOBODY} --clear-groups");
                let line = line.replacen("\"$IRI\"", "./copy", 1);
                // The redirections are those of this shell, which may open each file.
                format!("exec {user} prlimit --nproc=0 {line}\n")
            }
            // Of two exit codes, the better one says that the outputs are complete.
            Fault::Together { after } => format!(
                "{line} &\nsleep {after:.4}\n{line}\ncode=$?\nwait $!\nfirst=$?\n\
                 exit $((first < code ? first : code))\n"
            ),
            Fault::ClosedPipe => {
                format!("{line} | head -n 1 > /dev/null\nexit ${{PIPESTATUS[0]}}\n")
            }
            Fault::Changed { how, after } => {
                let change = match how {
                    Change::Grow => format!("printf '{}\\n' >> {first}", LINE.trim_end()),
                    Change::Shrink => format!(": > {first}"),
                    Change::Replace => format!("mv -f other.txt {first}"),
                };
                format!("( sleep {after:.4}; {change} ) &\n{line}\ncode=$?\nwait\nexit $code\n")
            }
            _ if matches!(self.by, By::Feed { .. }) => {
                format!("cat {first} > feed &\nexec {line}\n")
            }
            _ => format!("{line}\n"),
        }
    }

    /// The whole run as a script that makes its own folder.
    pub(super) fn print(&self) -> String {
        let mut script = format!(
            "#!/usr/bin/env bash\n# Seed {}. IRI is the path of the program.\nset -u\n\
             cd \"$(mktemp -d)\" && pwd\n",
            self.seed
        );
        for step in self.steps() {
            step.print(&mut script);
        }
        write!(script, "# The run.\n{}", self.script()).unwrap();
        script
    }
}

fn auxiliary_name(command: &Command) -> Option<&'static str> {
    command.words.iter().find(|word| ["recipe.toml", "moved.tsv"].contains(*word)).copied()
}

/// Makes an input.
fn source(
    dice: &mut Dice,
    kind: &str,
    format: &'static Format,
    failing: usize,
    number: usize,
    is_timed: bool,
) -> Option<Source> {
    let mut packing = if dice.one_in(3) { *dice.pick(&Packing::ALL) } else { Packing::None };
    match kind {
        "damage" => packing = *dice.pick(&Packing::ALL[1..]),
        // Changes are made to plain text.
        "changed" | "quote" | "read" => packing = Packing::None,
        _ if is_timed && packing != Packing::None => packing = Packing::Gzip,
        _ => {}
    }
    if format.name() == "warc" && kind != "damage" && dice.one_in(2) {
        packing = Packing::Gzip;
    }
    let count = match kind {
        _ if is_timed => 12_000,
        "damage" | "disk" | "size" | "pipe" => *dice.pick(&[60, 900, 9_000]),
        _ => *dice.pick(&[1, 8, 60, 60, 900]),
    };
    let letter = ["a", "b", "c"].get(number)?;
    let name = format!("{letter}.{}{}", extension(format), packing.suffix());
    let source = Source {
        written: name.clone(),
        name,
        packing,
        bytes: Arc::default(),
        intact: Arc::default(),
        text: Arc::default(),
        good: Vec::new(),
        failing: Vec::new(),
        long: None,
        has_two_links: false,
    };
    let mut writer = Writer { format, dice, source, text: format.head.into(), next: 0 };
    if kind == "quote" {
        // No quote comes after it.
        let template = if format.name() == "csv" { "@,HTTP://a/\n" } else { "@\tHTTP://a/\n" };
        for _ in 0..count {
            writer.record(template, true, "");
        }
    } else if kind == "long" {
        writer.records(count / 2, failing);
        let template = *writer.dice.pick(format.good);
        let padding = "b".repeat(*writer.dice.pick(&LONG));
        let long = writer.record(template, false, &padding);
        writer.source.long = Some(long);
        writer.records(count / 2, failing);
    } else {
        writer.records(count, failing);
    }
    let Writer { mut source, text, mut next, dice, .. } = writer;
    let mut bytes = packed(packing, format, &text);
    if packing == Packing::Gzip && kind != "damage" && dice.one_in(6) {
        // As tapes and `tar` leave them.
        bytes.extend([0; 512]);
    }
    source.intact = Arc::new(bytes);
    source.bytes = source.intact.clone();
    if kind == "quote" {
        let separator = if format.name() == "csv" { ',' } else { '\t' };
        let mut broken = text.clone();
        for start in ["\"", "", "", ""] {
            let line = format!("{start}{}{separator}HTTP://a/\n", mark(next));
            broken.extend(line.bytes());
            next += 1;
        }
        source.bytes = Arc::new(broken);
    }
    source.text = Arc::new(text);
    Some(source)
}

/// Compresses a text: in gzip, each record of a web archive is a member of its own.
fn packed(packing: Packing, format: &Format, text: &[u8]) -> Vec<u8> {
    if format.name() != "warc" || packing != Packing::Gzip {
        return packing.pack(text);
    }
    let text = std::str::from_utf8(text).unwrap();
    let records = text.split("WARC/1.0").skip(1);
    records.flat_map(|record| packing.pack(format!("WARC/1.0{record}").as_bytes())).collect()
}
