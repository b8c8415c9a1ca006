//! Runs a plan in a folder of its own, by the script that is printed for it. Not here: what must hold afterwards.

use std::fs;
use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::plan::{Fault, Plan, State};
use super::world::{Snapshot, snapshot, unmount};

/// A run that has not ended after this time hangs.
const LONGEST: Duration = Duration::from_secs(60);

/// How a run ended, and the world before and after it.
pub(super) struct Ended {
    /// The exit code, or 128 and the number of the signal.
    pub(super) code: i32,
    pub(super) out: Vec<u8>,
    pub(super) err: String,
    pub(super) hangs: bool,
    pub(super) before: Snapshot,
    pub(super) after: Snapshot,
    /// What the reader of a FIFO got.
    pub(super) got: Option<Vec<u8>>,
}

pub(super) fn run(plan: &Plan) -> Ended {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    for step in plan.steps() {
        step.apply(path);
    }
    let before = snapshot(path);
    // Whoever runs the tests may ignore signals, as `nohup` does.
    let mut bash = Command::new("env");
    bash.args(["--default-signal=INT,TERM,HUP", "bash", "-c"])
        .arg(plan.script())
        .current_dir(path)
        .env("IRI", env!("CARGO_BIN_EXE_iri"));
    bash.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let mut child = bash.spawn().unwrap();
    let (mut out, mut err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let (out, err, hangs) = thread::scope(|scope| {
        let read = |stream: &mut dyn Read| {
            let mut bytes = Vec::new();
            let _ = stream.read_to_end(&mut bytes);
            bytes
        };
        let out = scope.spawn(move || read(&mut out));
        let err = scope.spawn(move || read(&mut err));
        let hangs = !ends(&mut child);
        (out.join().unwrap(), err.join().unwrap(), hangs)
    });
    let status = child.wait().unwrap();
    let mounted = plan.targets().into_iter().filter(|(_, target)| target.state == State::Mounted);
    mounted.for_each(|(_, target)| unmount(&path.join(&target.name)));
    let mut after = snapshot(path);
    if let Fault::Disk { .. } = plan.fault {
        unmount(&path.join("disk"));
    }
    let got = after.remove("got").and_then(|_| fs::read(path.join("got")).ok());
    Ended {
        code: status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or_default()),
        out,
        err: String::from_utf8_lossy(&err).into_owned(),
        hangs,
        before,
        after,
        got,
    }
}

/// Waits until a process ends. One that hangs is killed, with what it started.
fn ends(child: &mut Child) -> bool {
    let start = Instant::now();
    let mut pause = Duration::from_micros(500);
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > LONGEST {
            let group = format!("-{}", child.id());
            let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
            return false;
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    }
    true
}
