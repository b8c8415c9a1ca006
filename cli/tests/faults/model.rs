//! The model: what must be on disk after a run, by the words of the help of the program and of the law. The complete
//! result of a command line is that of a run without a fault into new files; for several commands and formats the
//! model knows it, or the numbers of its records, by itself. Not here: how a run is made.

use std::collections::BTreeSet;

use super::plan::{By, Change, Class, Fault, LINE, Leftover, Plan, Role, Sink, State, Target};
use super::run::{Ended, run};
use super::world::{Entry, Packing, Thing, members, unpacked};
use crate::loss::marks;

/// A rule of the law that a run broke, and how.
#[derive(Clone, Debug)]
pub(super) struct Violation {
    pub(super) rule: &'static str,
    pub(super) text: String,
}

/// What the model expects of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    /// Exit code 2, and nothing is touched.
    Refused,
    RefusedOrComplete,
    Complete,
    /// The old files stay.
    Incomplete,
    /// An output cannot be opened.
    CannotWrite,
    /// Complete, or the old files stay.
    Either,
}

/// Compares a run of a plan with the model.
pub(super) fn check(plan: &Plan, ended: &Ended) -> Vec<Violation> {
    let is_refused = matches!(plan.fault, Fault::IsPartial) && ended.code == 2;
    // A command line that is refused without a fault too.
    if is_refused {
        let (calm, found, explained) = (ended, Vec::new(), BTreeSet::new());
        let mut judge = Judge { plan, calm, ended, found, explained };
        judge.refused();
        judge.rest();
        return judge.found;
    }
    let calm = run(&plan.calm());
    let mut judge =
        Judge { plan, calm: &calm, ended, found: Vec::new(), explained: BTreeSet::new() };
    judge.calm_run();
    if judge.found.is_empty() {
        judge.faulty_run();
    }
    judge.found
}

struct Judge<'a> {
    plan: &'a Plan,
    /// The run without the fault.
    calm: &'a Ended,
    ended: &'a Ended,
    found: Vec<Violation>,
    /// The names whose state is explained.
    explained: BTreeSet<String>,
}

fn show(bytes: &[u8]) -> String {
    let shown = bytes.get(..bytes.len().min(80)).unwrap_or_default();
    format!("{} bytes \"{}\"", bytes.len(), shown.escape_ascii())
}

fn describe(entry: Option<&Entry>) -> String {
    match entry.map(|entry| &entry.thing) {
        None => "no file".to_owned(),
        Some(Thing::File(bytes)) => show(bytes),
        Some(thing) => format!("{thing:?}"),
    }
}

/// The numbers of a summary: of all items, and of each kind, as `4 items, 3 done, 1 failed`.
fn summary(err: &str) -> Option<Vec<(String, u64)>> {
    let mut lines = err.lines().rev().filter_map(|line| line.strip_prefix("iri: "));
    lines.find_map(|line| {
        let parts = line.split(';').next()?.split(", ");
        let pairs: Option<Vec<(String, u64)>> = parts
            .map(|part| {
                let (number, name) = part.split_once(' ')?;
                Some((name.to_owned(), number.parse().ok()?))
            })
            .collect();
        pairs.filter(|pairs| {
            pairs
                .first()
                .is_some_and(|(name, _)| name.starts_with("item") || name.starts_with("statement"))
        })
    })
}

fn failed(err: &str) -> Option<u64> {
    summary(err)?.into_iter().find(|(name, _)| name.starts_with("failed")).map(|(_, count)| count)
}

/// The lines of a text in the order of their bytes, each with a line end.
fn sorted(text: &[u8]) -> Vec<Vec<u8>> {
    let mut lines: Vec<Vec<u8>> =
        text.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    if let Some(last) = lines.last_mut().filter(|line| !line.ends_with(b"\n")) {
        last.push(b'\n');
    }
    lines.sort_unstable();
    lines
}

/// Whether each line of a part is one of the lines of the whole, as often. The last line of the part may be torn.
fn is_part(part: &[u8], whole: &[u8]) -> bool {
    let end = part.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let mut rest = sorted(whole).into_iter();
    let lines = sorted(part.get(..end).unwrap_or_default());
    lines.into_iter().all(|line| rest.any(|other| other == line))
}

/// The records in a file of `--errors`.
fn records(errors: &[u8]) -> Vec<String> {
    let lines = errors.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let objects = lines.filter_map(|line| serde_json::from_slice::<serde_json::Value>(line).ok());
    objects.filter_map(|object| Some(object.get("record")?.as_str()?.to_owned())).collect()
}

impl Judge<'_> {
    fn complain(&mut self, rule: &'static str, text: impl Into<String>) {
        self.found.push(Violation { rule, text: text.into() });
    }

    fn must(&mut self, holds: bool, rule: &'static str, text: impl FnOnce() -> String) {
        if !holds {
            self.complain(rule, text());
        }
    }

    /// The complete bytes of an output, from the run without a fault.
    fn complete(&self, role: Role) -> Option<&[u8]> {
        let name = match role {
            Role::Stdout => return Some(&self.calm.out),
            Role::Input(number) => &self.plan.sources[number].name,
            role => {
                let (_, target) = self.plan.targets().into_iter().find(|(it, _)| *it == role)?;
                if !matches!(self.plan.calm().sink, Sink::File(_)) && role == Role::Output {
                    return Some(&self.calm.out);
                }
                &target.name
            }
        };
        self.calm.after.get(name)?.bytes()
    }

    /// The bytes of the results of the run without a fault.
    fn results(&self) -> Vec<u8> {
        match &self.plan.sink {
            Sink::InPlace { .. } => {
                let sources = 0..self.plan.sources.len();
                let all = sources.filter_map(|number| self.complete(Role::Input(number)));
                all.flat_map(|bytes| unpacked(bytes).text).collect()
            }
            Sink::File(_) => unpacked(self.complete(Role::Output).unwrap_or_default()).text,
            Sink::Stdout => self.calm.out.clone(),
        }
    }

    /// The run without a fault obeys the model's own knowledge of formats and counts.
    fn calm_run(&mut self) {
        let (plan, calm) = (self.plan, self.calm);
        if calm.hangs || !(0..2).contains(&calm.code) {
            let text = format!("code {} without a fault: {}", calm.code, calm.err.trim_end());
            return self.complain("calm", text);
        }
        for (role, target) in plan.calm().targets() {
            let bytes = self.complete(role).map(<[u8]>::to_vec);
            let Some(bytes) = bytes else {
                self.complain("calm", format!("{} was not made: {}", target.name, calm.err));
                continue;
            };
            if role == Role::Output && !plan.is_columnar() {
                self.packing(&target.name, Packing::of_name(&target.name), &bytes);
            }
        }
        self.counts();
        self.knowledge();
    }

    /// A file has this compression, and all of it can be read.
    fn packing(&mut self, name: &str, packing: Packing, bytes: &[u8]) {
        let found = Packing::of_bytes(bytes);
        let is_empty = packing == Packing::None && bytes.is_empty();
        self.must(found == packing || is_empty, "packing", || {
            format!("{name} is {found:?}, not {packing:?}: {}", show(bytes))
        });
        let whole = unpacked(bytes);
        self.must(whole.is_whole, "packing", || format!("{name} cannot be read to its end"));
        if self.plan.format.name() == "warc" && packing == Packing::Gzip && !self.plan.has("--to") {
            let mut parts = whole.text.windows(10).filter(|part| part == b"WARC/1.0\r\n");
            let count = parts.by_ref().count();
            // An output that is not an archive, or is empty, is one member.
            self.must(count == 0 || members(bytes) == count, "members", || {
                format!("{name} has {count} records in {} members of gzip", members(bytes))
            });
        }
    }

    /// Each command keeps its equation of counts.
    fn counts(&mut self) {
        let plan = self.plan;
        let has_summary = matches!(plan.command.class, Class::Map { keeps_failing: false })
            || ["check", "dedup"].contains(&plan.command.words[0]);
        if !has_summary {
            return;
        }
        let Some(all) = summary(&self.calm.err) else {
            return self.complain("counts", format!("no summary: {}", self.calm.err));
        };
        let parts: u64 = all.iter().skip(1).map(|(_, count)| count).sum();
        self.must(all.first().is_some_and(|(_, count)| *count == parts), "counts", || {
            format!("the parts are not the whole: {all:?}")
        });
        let failing = all.last().map_or(0, |(_, count)| *count);
        if plan.command.class == (Class::Map { keeps_failing: false }) {
            let failing = failed(&self.calm.err).unwrap_or(failing);
            self.must(self.calm.code == i32::from(failing > 0), "code", || {
                format!("code {} with {failing} records that fail", self.calm.code)
            });
        }
    }

    /// What the model knows about results without asking the program: the numbers of the records, and for several
    /// formats the text.
    fn knowledge(&mut self) {
        let plan = self.plan;
        let Class::Map { keeps_failing } = plan.command.class else { return };
        let by_mark = !plan.has("--to") && plan.value("--keep") != Some("empty");
        if !by_mark || plan.has("--add") {
            return;
        }
        let aside = self.complete(Role::Errors).map(|bytes| unpacked(bytes).text);
        let aside: Option<Vec<u32>> = aside.map(|text| {
            let records = records(&text);
            records.iter().flat_map(|record| marks(record.as_bytes())).collect()
        });
        let results = self.results();
        let out = marks(&results);
        let (mut all, mut failing) = (Vec::new(), Vec::new());
        for source in &plan.sources {
            let mut numbers: Vec<u32> =
                source.good.iter().chain(&source.failing).copied().collect();
            numbers.sort_unstable();
            all.extend(numbers);
            failing.extend(source.failing.iter().copied());
        }
        let keeps = plan.value("--keep") == Some("input")
            || plan.format.is_document
            || (keeps_failing && plan.errors.is_none() && !plan.has("--keep"))
            || (plan.is_in_place() && plan.errors.is_none());
        if keeps {
            self.must(out == all, "lost records", || {
                format!("{} of {} records are in the output", out.len(), all.len())
            });
        } else if let Some(aside) = &aside {
            let sorted = |mut numbers: Vec<u32>| {
                numbers.sort_unstable();
                numbers
            };
            let both = sorted([&out[..], aside].concat());
            self.must(both == sorted(all.clone()), "lost records", || {
                let (out, aside, all) = (out.len(), aside.len(), all.len());
                format!("{out} in the output and {aside} in --errors, of {all} records")
            });
        }
        let failed = failed(&self.calm.err);
        if let (Some(failed), Some(aside)) = (failed, &aside) {
            self.must(failed == aside.len() as u64, "counts", || {
                format!("{failed} failed, {} are in --errors", aside.len())
            });
        }
        let is_normalize = plan.command.words[0] == "normalize";
        if is_normalize {
            if let Some(failed) = failed {
                self.must(failed == failing.len() as u64, "counts", || {
                    format!("{failed} failed, not {}", failing.len())
                });
            }
            let by_line = ["lines", "tsv", "log", "cdxj"].contains(&plan.format.name());
            if by_line && plan.by != By::Folder {
                let expected: Vec<u8> =
                    plan.sources.iter().flat_map(|source| self.normalized(source, keeps)).collect();
                self.must(expected == results, "wrong bytes", || {
                    format!("expected {}, found {}", show(&expected), show(&results))
                });
            }
        }
        for long in plan.sources.iter().filter_map(|source| source.long.as_ref()) {
            let holds = |text: &[u8]| text.windows(long.len()).any(|part| part == long.as_bytes());
            if keeps {
                self.must(holds(&results), "long record", || {
                    format!("a record of {} bytes is not unchanged in the output", long.len())
                });
            } else if let Some(errors) = self.complete(Role::Errors) {
                let set_aside = records(errors);
                let found = set_aside.iter().any(|record| record.trim_end() == long.trim_end());
                self.must(found, "long record", || {
                    format!("a record of {} bytes is not whole in --errors", long.len())
                });
            }
        }
    }

    /// The result of `normalize` for an input of which each line is at most one record.
    fn normalized(&self, source: &super::plan::Source, keeps: bool) -> Vec<u8> {
        let failing: BTreeSet<u32> = source.failing.iter().copied().collect();
        let mut made = Vec::new();
        for line in source.text.split_inclusive(|byte| *byte == b'\n') {
            let is_failing = marks(line).first().is_some_and(|number| failing.contains(number));
            match is_failing {
                true if keeps => made.extend(line),
                true => {}
                false => {
                    let text = String::from_utf8_lossy(line);
                    let text = text
                        .replace("HTTP://", "http://")
                        .replace("%7e", "~")
                        .replace("A.example", "a.example");
                    made.extend(text.bytes());
                }
            }
        }
        made
    }

    fn verdict(&self) -> Verdict {
        let plan = self.plan;
        match &plan.fault {
            Fault::None => {
                for (role, target) in plan.targets() {
                    match target.state {
                        State::Folder | State::NoFolder | State::Mounted => {
                            return Verdict::CannotWrite;
                        }
                        State::Full if self.complete(role).is_some_and(|made| !made.is_empty()) => {
                            return Verdict::CannotWrite;
                        }
                        _ => {}
                    }
                }
                Verdict::Complete
            }
            Fault::Overlap { must_refuse: true, .. } => Verdict::Refused,
            Fault::Overlap { .. } | Fault::Twice => Verdict::RefusedOrComplete,
            Fault::IsPartial if self.ended.code == 2 => Verdict::Refused,
            Fault::IsPartial => self.stopped(1),
            Fault::Signal { .. } => Verdict::Either,
            Fault::SignalWhenRead { .. }
            | Fault::Damage { .. }
            | Fault::Unreadable { .. }
            | Fault::Quote => Verdict::Incomplete,
            Fault::FileSize { limit, .. } => self.room(*limit as usize * 1024),
            Fault::Disk { size } => self.room(*size as usize * 1024),
            Fault::FailFast => self.stopped(1),
            Fault::MaxErrors(most) => self.stopped(*most as u64),
            Fault::LongRecord | Fault::ClosedPipe | Fault::NoThread => Verdict::Complete,
            Fault::Taken { .. } => Verdict::Incomplete,
            Fault::Changed { .. } | Fault::Memory { .. } | Fault::Together { .. } => {
                Verdict::Either
            }
        }
    }

    /// Whether there is room for the files that are written.
    fn room(&self, bytes: usize) -> Verdict {
        let targets = self.plan.targets();
        let is_on_disk = |target: &Target| match self.plan.fault {
            Fault::Disk { .. } => target.name.starts_with("disk/"),
            _ => true,
        };
        let on_disk = targets.iter().filter(|(_, target)| is_on_disk(target));
        let mut roles: Vec<Role> = on_disk.map(|(role, _)| *role).collect();
        if self.plan.is_in_place() {
            roles.extend((0..self.plan.sources.len()).map(Role::Input));
        }
        let sizes = roles.iter().filter_map(|role| self.complete(*role)).map(<[u8]>::len);
        let largest = sizes.max().unwrap_or(0);
        match () {
            () if roles.is_empty() => Verdict::Complete,
            () if self.plan.is_in_place() || largest <= bytes => Verdict::Either,
            () => Verdict::Incomplete,
        }
    }

    fn stopped(&self, most: u64) -> Verdict {
        match failed(&self.calm.err) {
            Some(failed) if failed >= most => match self.plan.is_in_place() {
                true if self.plan.sources.len() > 1 => Verdict::Either,
                _ => Verdict::Incomplete,
            },
            Some(_) => Verdict::Complete,
            None => Verdict::Either,
        }
    }

    /// Whether the program cannot clean up.
    fn is_killed(&self) -> bool {
        match self.plan.fault {
            Fault::Signal { signal, .. } | Fault::SignalWhenRead { signal, .. } => signal == "KILL",
            Fault::FileSize { trapped: false, .. } => self.ended.code == 128 + 25,
            // Rust ends a program that gets no memory.
            Fault::Memory { .. } => self.ended.code >= 126,
            _ => false,
        }
    }

    fn faulty_run(&mut self) {
        let (plan, ended) = (self.plan, self.ended);
        if ended.hangs {
            return self.complain("hangs", "the run does not end");
        }
        let crashes = [128 + 4, 128 + 6, 128 + 7, 128 + 8, 128 + 11];
        let panics = ended.err.contains("panicked at");
        let is_out_of_memory = matches!(plan.fault, Fault::Memory { .. });
        self.must((is_out_of_memory || !crashes.contains(&ended.code)) && !panics, "crash", || {
            format!("code {}: {}", ended.code, ended.err)
        });
        if plan.has("--dry-run") {
            // A file that would not be replaced has several names.
            let is_kept = plan.sources.iter().any(|source| source.has_two_links);
            let holds = if is_kept { ended.code == 2 } else { ended.code < 2 };
            self.must(holds, "code", || format!("code {}: {}", ended.code, ended.err));
            return self.rest();
        }
        let mut verdict = self.verdict();
        if verdict == Verdict::RefusedOrComplete {
            verdict = if ended.code == 2 { Verdict::Refused } else { Verdict::Complete };
        }
        match verdict {
            Verdict::Refused => self.refused(),
            _ => {
                self.code(verdict);
                let outcomes: Vec<bool> = plan
                    .targets()
                    .into_iter()
                    .filter_map(|(role, target)| self.target(role, target, verdict))
                    .collect();
                let agree = outcomes.iter().all(|made| Some(made) == outcomes.first());
                let is_cut_off = plan.is_manual() || plan.fault_is_signal() || self.is_killed();
                self.must(agree || is_cut_off, "together", || {
                    "one output is complete and another is not".to_owned()
                });
                if plan.is_in_place() {
                    for number in 0..plan.sources.len() {
                        self.in_place(number, verdict);
                    }
                } else if matches!(plan.sink, Sink::Stdout) {
                    self.stream(&ended.out, Role::Stdout, verdict);
                }
            }
        }
        self.rest();
    }

    /// The exit code says which.
    fn code(&mut self, verdict: Verdict) {
        let (plan, ended) = (self.plan, self.ended);
        let code = ended.code;
        let kept = plan.is_in_place() && plan.sources.iter().any(|source| source.has_two_links);
        let (holds, expected) = match verdict {
            _ if kept && verdict == Verdict::Complete => {
                (code == 2, "2, as a file is not replaced")
            }
            Verdict::Complete if matches!(plan.fault, Fault::ClosedPipe) => {
                (code < 2 || code == 128 + 13, "0 or 1")
            }
            Verdict::Complete => (code == self.calm.code, "that of the run without a fault"),
            Verdict::Incomplete => match plan.fault {
                Fault::FailFast | Fault::IsPartial => ([1, 2].contains(&code), "1 or 2"),
                // A run that is complete has 1 too if records fail.
                Fault::MaxErrors(_)
                    if plan.targets().iter().all(|(_, target)| target.is_open())
                        && !plan.is_in_place() =>
                {
                    ([1, 2].contains(&code), "1 or 2")
                }
                Fault::MaxErrors(_) => (code == 2, "2, as 1 would say that the run is complete"),
                Fault::SignalWhenRead { .. } => (code >= 128, "that of a signal"),
                Fault::FileSize { trapped: false, .. } => (code == 2 || code == 128 + 25, "2"),
                _ => (code == 2, "2"),
            },
            Verdict::CannotWrite => (code == 2, "2"),
            _ => (true, ""),
        };
        self.must(holds, "code", || {
            format!("code {code}, not {expected}: {}", ended.err.trim_end())
        });
    }

    /// Nothing is touched.
    fn refused(&mut self) {
        let (plan, ended) = (self.plan, self.ended);
        self.must(ended.code == 2, "not refused", || {
            format!("code {}: {}", ended.code, ended.err.trim_end())
        });
        let to_stderr = matches!(plan.fault, Fault::Overlap { one: Role::Stderr, .. });
        self.must(to_stderr || !ended.err.is_empty(), "silent", || "no message".to_owned());
        self.must(ended.out.is_empty(), "not refused", || {
            format!("standard output has {}", show(&ended.out))
        });
        // What the shell does with a stream before the program runs.
        let Fault::Overlap { one, other, spelling, .. } = plan.fault else { return };
        if !matches!(one, Role::Stdout | Role::Stderr) {
            return;
        }
        let name = match other {
            Role::Input(number) => plan.sources[number].name.clone(),
            Role::Auxiliary => plan.command.words.last().map(|word| (*word).to_owned()).unwrap(),
            role => {
                let found = plan.targets().into_iter().find(|(it, _)| *it == role);
                found.map(|(_, target)| target.name.clone()).unwrap()
            }
        };
        let (old, new) = (ended.before.get(&name), ended.after.get(&name));
        let (old, new) = (old.and_then(Entry::bytes), new.and_then(Entry::bytes));
        let (old, new) = (old.unwrap_or_default(), new.unwrap_or_default());
        let holds = match (one, spelling) {
            (Role::Stdout, ">") => new.is_empty(),
            (Role::Stdout, _) => new == old,
            _ => new.starts_with(old),
        };
        // The hard link of the file has the same bytes.
        let inode = ended.after.get(&name).map(|entry| entry.inode);
        let same = ended.after.iter().filter(|(_, entry)| Some(entry.inode) == inode);
        let same: Vec<String> = same.map(|(name, _)| name.clone()).collect();
        self.explained.extend(same);
        self.must(holds, "touched", || format!("{name}: {} became {}", show(old), show(new)));
    }

    /// Whether two texts are the same, or their lines are if they come in any order.
    fn agree(&self, one: &[u8], other: &[u8]) -> bool {
        one == other || (self.plan.has("--unordered") && sorted(one) == sorted(other))
    }

    /// A stream has all bytes, or those of the first records.
    fn stream(&mut self, bytes: &[u8], role: Role, verdict: Verdict) {
        if matches!(self.plan.fault, Fault::ClosedPipe | Fault::Overlap { .. }) {
            return;
        }
        let complete = self.complete(role).unwrap_or_default().to_vec();
        if verdict == Verdict::Complete {
            self.must(self.agree(bytes, &complete), "stream", || {
                format!("expected {}, found {}", show(&complete), show(bytes))
            });
        } else if !matches!(self.plan.fault, Fault::Changed { .. }) {
            self.prefix("the stream", bytes, &complete, role);
        }
    }

    /// A part of an output has the first records of the complete one.
    fn prefix(&mut self, name: &str, part: &[u8], complete: &[u8], role: Role) {
        let plan = self.plan;
        // Facts about some records are not the beginning of the facts about all.
        let is_page = role == Role::Page || plan.command.words[0] == "stats";
        if is_page || (plan.is_columnar() && role == Role::Output) {
            return;
        }
        let is_torn = self.is_killed()
            || matches!(plan.fault, Fault::FileSize { .. } | Fault::Disk { .. })
            || plan.targets().iter().any(|(_, target)| target.state == State::Full);
        let (part, complete) = (unpacked(part), unpacked(complete).text);
        let mut expected = complete.clone();
        if let (Fault::Quote, Class::Map { .. }, true) =
            (&plan.fault, plan.command.class, role != Role::Errors && !plan.has("--to"))
        {
            // The bytes from the quote go through unchanged.
            let source = &plan.sources[0];
            if plan.sources.len() == 1 {
                expected.extend(source.bytes.get(source.text.len()..).unwrap_or_default());
                self.must(part.text == expected, "quote", || {
                    let (found, expected) = (show(&part.text), show(&expected));
                    format!("{name}: the bytes after the quote: expected {expected}, found {found}")
                });
            }
            return;
        }
        // The files after the damaged one follow. Wrong bytes are seen after they were read.
        let is_cut = !matches!(plan.fault, Fault::Damage { is_cut: false, .. });
        let has_kept = plan.is_in_place() && plan.sources.iter().any(|it| it.has_two_links);
        // So do the errors of the files after one that cannot be written in place.
        let goes_on = matches!(plan.fault, Fault::Damage { .. } | Fault::Quote)
            || (plan.is_in_place()
                && matches!(plan.fault, Fault::FileSize { .. } | Fault::Disk { .. }));
        if !is_cut || has_kept || (plan.sources.len() > 1 && goes_on) {
            return;
        }
        if let (Fault::Quote, Class::Report) = (&plan.fault, plan.command.class) {
            // What is said about the rest follows.
            return self.must(part.text.starts_with(&expected), "prefix", || {
                format!("{name} does not have the records before the quote")
            });
        }
        if let (Fault::Quote, Role::Errors) = (&plan.fault, role) {
            // The record of the quote follows.
            return self.must(part.text.starts_with(&expected), "prefix", || {
                format!("{name} does not have the errors before the quote")
            });
        }
        // A line end may stand before a next file that cannot be read.
        if matches!(plan.fault, Fault::Unreadable { .. }) {
            expected.push(b'\n');
        }
        let holds = match plan.has("--unordered") {
            true => is_part(&part.text, &expected),
            false => expected.starts_with(&part.text),
        };
        self.must(holds, "prefix", || {
            let same = part.text.iter().zip(&expected).take_while(|(a, b)| a == b).count();
            let rest = part.text.get(same.saturating_sub(20)..).unwrap_or_default();
            format!("{name} is not a beginning of the output: from byte {same}: {}", show(rest))
        });
        let is_by_line = role == Role::Errors || !plan.format.is_document;
        let is_whole = part.text.is_empty() || part.text.len() >= complete.len();
        self.must(!is_by_line || is_torn || is_whole || part.text.ends_with(b"\n"), "torn", || {
            let end = part.text.get(part.text.len().saturating_sub(40)..).unwrap_or_default();
            format!("{name} ends within a record: {}", show(end))
        });
        self.must(is_torn || part.is_whole, "torn", || {
            format!("{name} cannot be decompressed to its end")
        });
    }

    /// A named output. Returns whether it is complete, if it is a file.
    fn target(&mut self, role: Role, target: &Target, verdict: Verdict) -> Option<bool> {
        let (plan, ended) = (self.plan, self.ended);
        // Each page is a file of its own.
        let is_page = matches!(role, Role::Manual(_)) && verdict == Verdict::Incomplete;
        let verdict = if is_page { Verdict::Either } else { verdict };
        match target.state {
            State::Null | State::Full | State::NoFolder => return None,
            State::Folder => return None,
            State::DevStdout | State::Dash => {
                self.stream(&ended.out, role, verdict);
                return None;
            }
            // It is mounted away again after the run.
            State::Mounted => {
                self.explained.insert(target.name.clone());
                let new = ended.after.get(&target.name);
                let text = new.and_then(Entry::bytes).map(|bytes| unpacked(bytes).text);
                self.must(
                    text.as_deref() == Some(target.old().as_bytes()),
                    "old file lost",
                    || format!("{} has {}", target.name, describe(new)),
                );
                return None;
            }
            State::Opened | State::Appended => {
                self.explained.insert(target.name.clone());
                let old = ended.before.get(&target.name).and_then(Entry::bytes).unwrap_or_default();
                let old = if target.state == State::Appended { old } else { &[] };
                // The errors of a file that is not replaced are not there.
                let has_kept = plan.is_in_place() && plan.sources.iter().any(|it| it.has_two_links);
                let new = ended.after.get(&target.name).and_then(Entry::bytes).unwrap_or_default();
                match new.strip_prefix(old) {
                    Some(_) if has_kept => {}
                    Some(made) => self.stream(made, role, verdict),
                    None => {
                        self.complain("old file lost", format!("{}: {}", target.name, show(new)))
                    }
                }
                return None;
            }
            State::Fifo => {
                let got = ended.got.clone().unwrap_or_default();
                self.stream(&got, role, verdict);
                return None;
            }
            _ => {}
        }
        let place = target.place();
        self.explained.insert(place.clone());
        let (old, new) = (ended.before.get(&place), ended.after.get(&place));
        let complete = self.complete(role).unwrap_or_default().to_vec();
        let mut is_complete = new.and_then(Entry::bytes).is_some_and(|bytes| {
            bytes == complete || {
                let (a, b) = (unpacked(bytes), unpacked(&complete));
                let same = a.is_whole && self.agree(&a.text, &b.text);
                same && Packing::of_bytes(bytes) == Packing::of_bytes(&complete)
            }
        });
        if let Fault::Changed { how, .. } = plan.fault {
            is_complete |=
                new.and_then(Entry::bytes).is_some_and(|bytes| self.was_changed(bytes, role, how));
        }
        if let (Fault::Overlap { one: Role::Stderr, .. }, Some(bytes)) =
            (&plan.fault, new.and_then(Entry::bytes))
        {
            is_complete |= bytes.starts_with(&complete);
        }
        let is_old = match (old, new) {
            (Some(old), Some(new)) => old.is_same(new),
            (old, new) => old.is_none() && new.is_none(),
        };
        // A run that does not replace a file may be complete, or not.
        let has_kept = plan.is_in_place() && plan.sources.iter().any(|it| it.has_two_links);
        let verdict = match verdict {
            Verdict::Complete if has_kept => Verdict::Either,
            verdict => verdict,
        };
        let is_plain = ended.code < 2 && !has_kept;
        let lost = format!("{place} has {} after code {}", describe(new), ended.code);
        match verdict {
            Verdict::Complete => self.must(is_complete, "not complete", || lost),
            Verdict::Either if is_plain => self.must(is_complete, "not complete", || lost),
            Verdict::Either => {
                self.must(is_complete || is_old, "neither old nor complete", || lost)
            }
            _ => self.must(is_old, "old file lost", || lost),
        }
        let made = match verdict {
            Verdict::Complete => true,
            Verdict::Either => is_complete && !is_old,
            _ => false,
        };
        if let (true, Some(old), Some(new)) = (is_complete, old, new) {
            self.must(old.mode == new.mode, "mode of an output", || {
                format!("{place}: mode {:o} became {:o}", old.mode, new.mode)
            });
        }
        self.leftover(role, target, made, verdict);
        Some(made)
    }

    /// Whether this is the complete result of an input that was changed before it was read.
    fn was_changed(&self, bytes: &[u8], role: Role, how: Change) -> bool {
        if how == Change::Shrink {
            return true;
        }
        let changed = run(&self.plan.changed().calm());
        let name = self.plan.targets().into_iter().find(|(it, _)| *it == role);
        let made = name
            .and_then(|(_, target)| changed.after.get(&target.name)?.bytes().map(<[u8]>::to_vec));
        made.is_some_and(|made| self.agree(&unpacked(&made).text, &unpacked(bytes).text))
    }

    /// NAME.partial exists exactly if the output is incomplete, and has its first records.
    fn leftover(&mut self, role: Role, target: &Target, made: bool, verdict: Verdict) {
        let (plan, ended) = (self.plan, self.ended);
        let mut name = format!("{}.partial", target.name);
        let other = format!("{}.partial", target.place());
        // Beside a link, or beside its target.
        if ended.after.contains_key(&other) && target.place() != target.name {
            name = other;
        }
        let (old, new) = (ended.before.get(&name), ended.after.get(&name));
        let is_old = match (old, new) {
            (Some(old), Some(new)) => old.is_same(new),
            (old, new) => old.is_none() && new.is_none(),
        };
        if let Fault::IsPartial = plan.fault {
            return;
        }
        // A manual page is made again easily.
        if let Role::Manual(_) = role {
            return;
        }
        self.explained.insert(name.clone());
        // The run that could not take the name keeps what it made.
        if let (Fault::Together { .. }, Some(part)) = (&plan.fault, new.and_then(Entry::bytes)) {
            let (part, complete) =
                (unpacked(part).text, unpacked(self.complete(role).unwrap_or_default()).text);
            return self.must(is_old || self.agree(&part, &complete), "partial", || {
                format!("{name} has {}", describe(new))
            });
        }
        if made {
            let holds = is_old || new.is_none();
            return self.must(holds, "partial", || {
                format!("{name} has {} though the run is complete", describe(new))
            });
        }
        if target.leftover == Leftover::Folder {
            return self.must(is_old, "partial", || format!("{name} was a folder"));
        }
        if self.is_killed() && is_old {
            return;
        }
        let Some(part) = new.and_then(Entry::bytes).filter(|_| !is_old) else {
            // Nothing was made: the signal ended the program before its outputs were open, or there was nothing to read.
            let none_made = match plan.fault {
                // Or it came before the first block was done.
                Fault::Signal { .. } => true,
                Fault::Unreadable { .. } | Fault::FileSize { .. } | Fault::Disk { .. } => true,
                Fault::Memory { .. } => true,
                // The file was emptied before it was read.
                Fault::Changed { how: Change::Shrink, .. } => true,
                // Of an archive that is cut, there may be no text.
                Fault::Damage { .. } => true,
                // The signal may come before the first block is done.
                Fault::SignalWhenRead { .. } => ended.err.contains("interrupted"),
                _ => verdict == Verdict::CannotWrite,
            };
            // An output that had nothing leaves nothing: there is no complete one, or no record before the stop.
            let is_empty = self.complete(role).is_some_and(|made| unpacked(made).text.is_empty());
            let is_stopped =
                matches!(plan.fault, Fault::FailFast | Fault::MaxErrors(_) | Fault::IsPartial);
            // Nor is there a record of a file that is not replaced, as it has several names.
            let has_kept = plan.sources.iter().any(|source| source.has_two_links);
            let none_made = none_made || is_empty || has_kept || is_stopped && role == Role::Output;
            return self.must(none_made, "partial", || {
                format!("{name}: what was made is not there: {}", describe(new))
            });
        };
        let (part, complete) = (part.to_vec(), self.complete(role).unwrap_or_default().to_vec());
        if !matches!(plan.fault, Fault::Changed { .. }) {
            self.prefix(&name, &part, &complete, role);
        }
        self.must(self.is_killed() || ended.err.contains(".partial"), "silent", || {
            format!("no message names {name}: {}", ended.err)
        });
    }

    /// A file that is replaced.
    fn in_place(&mut self, number: usize, verdict: Verdict) {
        let (plan, ended) = (self.plan, self.ended);
        let source = &plan.sources[number];
        let name = &source.name;
        self.explained.insert(name.clone());
        let (old, new) = (ended.before.get(name), ended.after.get(name));
        let (Some(old), Some(new)) = (old, new) else {
            return self.complain("lost", format!("{name} is no more there"));
        };
        let complete = self.complete(Role::Input(number)).unwrap_or_default().to_vec();
        let bytes = new.bytes().unwrap_or_default();
        let is_old = old.is_same(new);
        let whole = unpacked(bytes);
        let is_complete = whole.is_whole && whole.text == unpacked(&complete).text;
        let lost = format!("{name} has {} after code {}", describe(Some(new)), ended.code);
        let says = ended.err.contains(name.as_str());
        if let Fault::Changed { how, .. } = plan.fault {
            return self.changed(number, how, bytes);
        }
        if source.has_two_links {
            self.must(is_old, "hard link", || format!("{name} has two links and was replaced"));
            let ran = matches!(verdict, Verdict::Complete);
            return self.must(!ran || says, "silent", || format!("no reason for {name}"));
        }
        let is_input_fault = match plan.fault {
            Fault::Damage { input, .. } => Some(input == number),
            Fault::Unreadable { .. } => Some(false),
            Fault::Quote => Some(true),
            _ => None,
        };
        match (is_input_fault, verdict) {
            (Some(true), _) => {
                self.must(is_old, "old file lost", || lost);
                self.must(says, "silent", || format!("no message names {name}"));
            }
            (Some(false), _) | (None, Verdict::Complete) => {
                self.must(is_complete, "not complete", || lost);
            }
            (None, Verdict::Either) if ended.code < 2 && plan.fault_is_signal() => {
                self.must(is_complete, "not complete", || lost);
            }
            (None, Verdict::Either) => {
                self.must(is_complete || is_old, "neither old nor complete", || lost);
            }
            _ => self.must(is_old, "old file lost", || lost),
        }
        if !is_old && is_complete {
            let was = Packing::of_bytes(old.bytes().unwrap_or_default());
            self.packing(name, was, bytes);
            self.must(old.rights() == new.rights(), "rights", || {
                format!("{name}: {:?} became {:?}", old.rights(), new.rights())
            });
        }
        self.backup(name, old, is_old);
    }

    /// The backup has the old bytes, and nothing is overwritten.
    fn backup(&mut self, name: &str, old: &Entry, is_old: bool) {
        let Sink::InPlace { backup: Some(suffix) } = &self.plan.sink else { return };
        // A link is named, and its target is copied.
        let sources = self.plan.sources.iter();
        let written = sources.filter(|source| source.name == name).map(|source| &source.written);
        let places = written.map(String::as_str).chain([name]);
        let places = places.map(|name| format!("{name}{suffix}"));
        let mut places: Vec<String> = places.collect();
        places.sort_by_key(|place| !self.ended.after.contains_key(place));
        let Some(name) = places.into_iter().next() else { return };
        let copy = self.ended.after.get(&name);
        self.explained.insert(name.clone());
        if let Some(copy) = copy {
            self.must(copy.bytes() == old.bytes(), "backup", || {
                format!("{name} has {}", describe(Some(copy)))
            });
        } else {
            self.must(is_old, "backup", || format!("{name} was not made"));
        }
    }

    /// A file that another program changed during the run is not replaced.
    fn changed(&mut self, number: usize, how: Change, bytes: &[u8]) {
        let source = &self.plan.sources[number];
        let (old, line) = (source.bytes.to_vec(), LINE.as_bytes());
        let made = self.complete(Role::Input(number)).unwrap_or_default().to_vec();
        let changed = run(&self.plan.changed().calm());
        let made_later = changed.after.get(&source.name).and_then(Entry::bytes).unwrap_or_default();
        let mut allowed: Vec<Vec<u8>> = match how {
            Change::Grow => {
                vec![[&old, line].concat(), [&made, line].concat(), made_later.to_vec()]
            }
            Change::Shrink => vec![Vec::new()],
            Change::Replace => vec![line.to_vec(), made_later.to_vec()],
        };
        // The file that comes in its place has one name.
        if source.has_two_links && how != Change::Replace {
            allowed.truncate(1);
        }
        let name = source.name.clone();
        self.must(allowed.iter().any(|allowed| allowed == bytes), "change lost", || {
            format!("{name} has {} after {how:?}", show(bytes))
        });
        for entry in self.ended.after.keys().filter(|entry| entry.ends_with(".bak")) {
            self.explained.insert(entry.clone());
        }
        let kept = how == Change::Grow
            && made != old
            && allowed.first().is_some_and(|allowed| allowed == bytes);
        self.must(!kept || self.ended.code == 2, "code", || {
            format!("code {}, but {name} was not replaced", self.ended.code)
        });
    }

    /// Every other name is as it was, and no temporary file stays.
    fn rest(&mut self) {
        let (ended, explained) = (self.ended, self.explained.clone());
        let names: BTreeSet<&String> = ended.before.keys().chain(ended.after.keys()).collect();
        for name in names {
            if explained.contains(name) {
                continue;
            }
            match (ended.before.get(name), ended.after.get(name)) {
                (Some(old), Some(new)) => {
                    let is_same = old.is_same(new) && old.rights() == new.rights();
                    let is_folder = old.thing == Thing::Folder && new.thing == Thing::Folder;
                    let changed = self.is_changed_on_purpose(name);
                    self.must(is_same || is_folder || changed, "touched", || {
                        format!("{name}: {} became {}", describe(Some(old)), describe(Some(new)))
                    });
                }
                (Some(_), None) => {
                    let moved = name == "other.txt";
                    self.must(moved, "touched", || format!("{name} is no more there"));
                }
                (None, Some(new))
                    if self.plan.is_manual() && self.calm.after.contains_key(name) =>
                {
                    let complete = self.calm.after.get(name).and_then(Entry::bytes);
                    self.must(new.bytes() == complete, "neither old nor complete", || {
                        format!("{name} has {}", describe(Some(new)))
                    });
                }
                (None, Some(_)) => {
                    let base = name.rsplit('/').next().unwrap_or(name);
                    let says = base.starts_with(".iri-") || base.ends_with(".partial");
                    self.must(self.is_killed() && says, "temporary file", || {
                        format!("{name} stays: {}", describe(ended.after.get(name)))
                    });
                }
                (None, None) => {}
            }
        }
    }

    /// Whether the script itself changes this file.
    fn is_changed_on_purpose(&self, name: &str) -> bool {
        let is_changed = matches!(self.plan.fault, Fault::Changed { .. });
        // The other name of a file has its bytes.
        let is_name = name == "other.txt" || name.starts_with("far/linked-");
        is_changed && (is_name || self.plan.sources.iter().any(|it| it.name == name))
    }
}

impl Plan {
    fn fault_is_signal(&self) -> bool {
        matches!(self.fault, Fault::Signal { .. } | Fault::SignalWhenRead { .. })
    }
}
