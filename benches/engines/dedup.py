#!/usr/bin/env python3
"""Measures `iri dedup` on exact lines, and compares it with `select distinct` of DuckDB and `unique` of Polars.

    CORPUS=path/to/references benches/engines/dedup.py target/dist/iri

It needs the packages of DuckDB and Polars for Python. CORPUS is a file with an IRI a line, or a directory of such files
(.txt). Variables: ROWS is the number of lines (3000000), ROUNDS the number of runs of each program (5).

A line is a line of the corpus that is an IRI, with a number from 0 to 19 in its query. Each program reads the file, and
writes each line once. iri also checks each line, and keeps the order. Answers are compared first: the lines must be the
same, in any order. In each round the programs run one after another. A time is the CPU time of a process with one
thread. The time of a process of Python that only imports the package is subtracted. A ratio is the median of the ratios of
the rounds. DuckDB and Polars take the memory that they want, so iri is measured with `--memory 1G`, and also without the
option.
"""

import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

ROWS = int(os.environ.get("ROWS", 3_000_000))
ROUNDS = int(os.environ.get("ROUNDS", 5))

DUCKDB = r"""
import sys, duckdb
con = duckdb.connect(config={"threads": 1, "preserve_insertion_order": "false"})
form = "header=false, delim='\x01', quote='', escape=''"
lines = f"read_csv('{sys.argv[1]}', {form}, columns={{'line': 'VARCHAR'}})"
con.execute(f"COPY (SELECT DISTINCT line FROM {lines}) TO '{sys.argv[2]}' (FORMAT csv, HEADER false, DELIMITER '\x01', QUOTE '')")
"""
POLARS = r"""
import sys, polars
lines = polars.read_csv(sys.argv[1], has_header=False, separator="\x01", quote_char=None, new_columns=["line"])
lines.unique().write_csv(sys.argv[2], include_header=False, separator="\x01", quote_style="never")
"""


def lines_of(iri, corpus):
    """Returns the lines of the corpus that are IRIs."""
    files = sorted(corpus.glob("*.txt")) if corpus.is_dir() else [corpus]
    command = [iri, "check", "-q", "--valid", *files]
    return [line for line in subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout.decode().split("\n") if line]


def cpu_seconds(command):
    """Returns the CPU time of a run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL, env=os.environ | {"POLARS_MAX_THREADS": "1"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    [iri] = sys.argv[1:] or sys.exit(__doc__)
    lines = lines_of(iri, Path(os.environ["CORPUS"]))
    choose = random.Random(3987)
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder, "rows")
        with rows.open("w", encoding="utf-8") as file:
            for _ in range(ROWS):
                base, hash_sign, fragment = choose.choice(lines).partition("#")
                mark = "&" if "?" in base else "?"
                file.write(f"{base}{mark}n={choose.randrange(20)}{hash_sign}{fragment}\n")
        dedup = [iri, "dedup", "-q", "-j", "1", "--level", "simple"]
        programs = {
            "iri dedup --memory 1G": lambda out: [*dedup, "--memory", "1G", rows, "-o", out],
            "iri dedup": lambda out: [*dedup, rows, "-o", out],
            f"DuckDB {version('duckdb')}": lambda out: [sys.executable, "-c", DUCKDB, rows, out],
            f"Polars {version('polars')}": lambda out: [sys.executable, "-c", POLARS, rows, out],
        }
        answers = {}
        for number, (name, command) in enumerate(programs.items()):
            out = Path(folder, str(number))
            cpu_seconds(command(out))
            answers[name] = sorted(out.read_bytes().splitlines())
        expected = sorted(set(rows.read_bytes().splitlines()))
        if wrong := [name for name, answer in answers.items() if answer != expected]:
            sys.exit(f"the answers differ: {', '.join(wrong)}")
        print(f"{ROWS:,} lines of {rows.stat().st_size / ROWS:.0f} bytes, {len(expected):,} different")
        del answers, expected

        times = {name: [] for name in programs}
        for _ in range(ROUNDS):
            for name, command in programs.items():
                package = name.split()[0].lower()
                start = 0 if package == "iri" else cpu_seconds([sys.executable, "-c", f"import {package}"])
                times[name].append(cpu_seconds(command("/dev/null")) - start)
        ours = times["iri dedup --memory 1G"], times["iri dedup"]
        print(f"{'program':24}{'CPU, s':>8}{'ours / its, 1 GB':>18}{'ours / its':>12}")
        for name, each in times.items():
            ratios = (statistics.median(our / its for our, its in zip(own, each)) for own in ours)
            print("{:24}{:8.2f}{:18.2f}{:12.2f}".format(name, statistics.median(each), *ratios))


if __name__ == "__main__":
    main()
