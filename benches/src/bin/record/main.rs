//! Measures every kind of work on every corpus with every library in three runs, each a process of its own. Writes
//! the results to `docs/performance/record.tsv`, and from it `docs/performance/summary.svg` and the tables of
//! `docs/performance.md`.
//!
//! `record [--rounds N]` measures; `record --render` only writes the tables and the picture again. `CORPUS` adds real
//! files. `../record` is the script that also counts instructions.

mod machine;
mod record;
mod summary;
mod tables;

use std::{env, error::Error, fs, path::Path, process::Command};

use simd_iri_benches::{agreement, corpora, libraries, measure::measure, work::Work};

use record::{Record, Row};

const RUNS: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let (mut rounds, mut one_run, mut render) = ("9".to_owned(), false, false);
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--rounds" => rounds = arguments.next().ok_or("--rounds needs a number")?,
            "--one-run" => one_run = true,
            "--render" => render = true,
            _ => return Err(format!("no option {argument}").into()),
        }
    }
    if one_run {
        return run(rounds.parse()?);
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let file = root.join("docs/performance/record.tsv");
    if !render {
        fs::create_dir_all(root.join("docs/performance"))?;
        fs::write(&file, measured(&rounds)?.to_string())?;
    }
    let record = Record::read(&fs::read_to_string(&file)?)?;
    fs::write(root.join("docs/performance/summary.svg"), summary::draw(&record))?;
    let document = root.join("docs/performance.md");
    let instructions =
        fs::read_to_string(root.join("benches/instructions.tsv")).map_err(|error| {
            format!("{error}: scripts/instructions --renew writes instructions.tsv")
        })?;
    let text = fs::read_to_string(&document)?;
    fs::write(&document, tables::refreshed(&text, &record, &instructions)?)?;
    Ok(())
}

/// One run, a row a line, on the standard output.
fn run(rounds: usize) -> Result<(), Box<dyn Error>> {
    let libraries = libraries::all();
    for corpus in corpora::all()? {
        agreement::check(&corpus, &libraries);
        for work in Work::ALL {
            for row in measure(&corpus, &libraries, work, rounds.max(1)) {
                println!("{}", Row::new(work, &corpus, &row));
            }
        }
    }
    Ok(())
}

fn measured(rounds: &str) -> Result<Record, Box<dyn Error>> {
    let mut record = Record::new(machine::facts(rounds)?);
    for run in 1..=RUNS {
        eprintln!("run {run} of {RUNS}");
        let program = env::current_exe()?;
        let output = Command::new(program).args(["--one-run", "--rounds", rounds]).output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into());
        }
        record.add_run(&String::from_utf8(output.stdout)?)?;
    }
    Ok(record)
}
