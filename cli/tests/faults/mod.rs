//! After any run, ended in any way, each name holds its old bytes or the complete new ones, and the exit code says
//! which. A generator makes command lines with at most one fault (`plan.rs`), runs them (`run.rs`) in a folder of their
//! own (`world.rs`), and compares what is on disk afterwards with a model (`model.rs`), which does not know how the
//! program works.
//!
//! `IRI_FAULTS_RUNS` is the number of runs, and `IRI_FAULTS_SEED` the seed of the first one. The next run has the next
//! seed, so that the seed of a failure and one run make the failure again. A failure is printed as a shell script.
//! `IRI_FAULTS_KEEP` names a folder that gets the scripts of all failures.

#![expect(clippy::indexing_slicing, reason = "a failure is a failed test")]

pub(super) mod dice;
mod model;
mod plan;
mod run;
mod world;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use model::Violation;
use plan::{Fault, Options, Plan};
use world::Powers;

/// The runs of an ordinary test.
const RUNS: u64 = 800;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |value| value.parse().unwrap())
}

/// Runs a plan and compares it with the model.
fn violations(plan: &Plan) -> Vec<Violation> {
    let found = model::check(plan, &run::run(plan));
    if found.is_empty() || !matches!(plan.fault, Fault::Changed { .. }) {
        return found;
    }
    // Between the last look at a file and its replacement is a moment in which a change is not seen. It is so short
    // that it is not met again.
    let again = (0..4).map(|_| model::check(plan, &run::run(plan)));
    if again.filter(|found| !found.is_empty()).count() > 0 { found } else { Vec::new() }
}

/// The name of a fault, without its values.
fn name(fault: &Fault) -> String {
    let name = format!("{fault:?}");
    name.split([' ', '(', '{']).next().unwrap_or_default().to_owned()
}

#[test]
fn each_name_holds_its_old_bytes_or_the_complete_new_ones() {
    let (runs, first) =
        (setting("IRI_FAULTS_RUNS", super::sampled(RUNS)), setting("IRI_FAULTS_SEED", 3987));
    let powers = Powers::find();
    println!("not tested without these powers: {powers:?}");
    let options = Options::read();
    let start = Instant::now();
    let next = AtomicU64::new(first);
    let failures: Mutex<Vec<(Plan, Vec<Violation>)>> = Mutex::default();
    let kinds: Mutex<BTreeMap<String, u64>> = Mutex::default();
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= first + runs {
                        break;
                    }
                    let plan = Plan::new(seed, &options, powers);
                    *kinds.lock().unwrap().entry(name(&plan.fault)).or_default() += 1;
                    let found = violations(&plan);
                    if !found.is_empty() {
                        failures.lock().unwrap().push((plan, found));
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().unwrap();
    failures.sort_by_key(|(plan, _)| plan.seed);
    println!("{runs} runs in {:.0?}: {:?}", start.elapsed(), kinds.into_inner().unwrap());
    report(&failures);
    assert!(failures.is_empty(), "{} of {runs} runs break the law", failures.len());
}

/// Prints the rules that were broken, and the first failure of each as a script.
fn report(failures: &[(Plan, Vec<Violation>)]) {
    let mut rules: BTreeMap<(String, &str), Vec<u64>> = BTreeMap::new();
    for (plan, found) in failures {
        for violation in found {
            rules.entry((name(&plan.fault), violation.rule)).or_default().push(plan.seed);
        }
        if let Ok(folder) = std::env::var("IRI_FAULTS_KEEP") {
            let mut script = plan.print();
            for Violation { rule, text } in found {
                script.push_str(&format!("# {rule}: {}\n", text.replace('\n', "\n# ")));
            }
            world::write(&Path::new(&folder).join(format!("{}.sh", plan.seed)), &script);
        }
    }
    for ((fault, rule), seeds) in &rules {
        println!("{fault}, {rule}: {} runs, seeds {:?}", seeds.len(), &seeds[..seeds.len().min(8)]);
        let Some((plan, found)) =
            failures.iter().find(|(plan, _)| Some(&plan.seed) == seeds.first())
        else {
            continue;
        };
        let text = found.iter().find(|violation| violation.rule == *rule);
        println!("  {}", text.map_or("", |violation| &violation.text));
        println!("{}", plan.print());
    }
}
