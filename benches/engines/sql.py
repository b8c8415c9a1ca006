#!/usr/bin/env python3
"""Measures functions of the extension of DuckDB and compares them with a regular expression for the same work.

    adapters/duckdb/build && CORPUS=path/to/references benches/engines/sql.py

It needs DuckDB's package of Python. CORPUS is a file with an IRI a line. Variables: ROWS is the number of rows (960000),
ROUNDS the number of runs of each query (9).

Answers are compared first: the two hosts of each line must be the same, or both absent. In each round the queries run
one after another. A time is a median of CPU times, in nanoseconds a row; a ratio is the median of the ratios of the rounds.
What the scan of the column alone costs is in every time.
"""

import os
import statistics
import sys
import time
from pathlib import Path

import duckdb

ROOT = Path(__file__).resolve().parent.parent.parent
ROWS = int(os.environ.get("ROWS", 960_000))
ROUNDS = int(os.environ.get("ROUNDS", 9))

# RFC 3986, appendix B, with the authority taken apart: user information, and an IP literal or a name.
HOST = r"^[^:/?#]+://(?:[^@/?#]*@)?(\[[^\]]*\]|[^:/?#]*)"
# A shorter one, wrong with user information and IP literals.
SHORT = r"^[a-z]+://([^/:?#]+)"
# Neither tells an absent host from an empty one, nor an IRI from another text.
WORKS = {
    "the column alone": "length(url)",
    "iri_host": "iri_host(url)",
    "regexp_extract, right": f"regexp_extract(url, '{HOST}', 1)",
    "regexp_extract, short": f"regexp_extract(url, '{SHORT}', 1)",
    "iri_valid": "iri_valid(url)",
    "iri_parse": "iri_parse(url)",
    "iri_normalize": "iri_normalize(url)",
    "iri_fingerprint": "iri_fingerprint(url)",
    "iri_registrable_domain": "iri_registrable_domain(url)",
    "iri_resolve": "iri_resolve('http://a/b', url)",
}


def main():
    con = duckdb.connect(config={"allow_unsigned_extensions": "true", "threads": 1})
    con.execute(f"LOAD '{ROOT}/adapters/duckdb/target/simd_iri.duckdb_extension'")
    lines = Path(os.environ["CORPUS"]).read_text(encoding="utf-8").splitlines()
    con.execute("CREATE TABLE lines AS SELECT unnest($a::VARCHAR[]) AS url", {"a": lines})
    con.execute(f"CREATE TABLE rows AS SELECT url FROM lines, range({-(-ROWS // len(lines))}) LIMIT {ROWS}")
    [(rows, size, valid)] = con.execute("SELECT count(*), avg(strlen(url)), sum(iri_valid(url)::INT) FROM rows").fetchall()

    differ = f"coalesce(iri_host(url), '') <> {WORKS['regexp_extract, right']}"
    wrong = con.execute(f"SELECT url FROM lines WHERE iri_valid(url) AND {differ} LIMIT 3").fetchall()
    if wrong:
        sys.exit(f"the answers differ: {wrong}")
    short = f"coalesce(iri_host(url), '') <> {WORKS['regexp_extract, short']}"
    [(missed,)] = con.execute(f"SELECT count(*) FROM lines WHERE iri_valid(url) AND {short}").fetchall()
    print(f"DuckDB {duckdb.__version__}, {rows} rows of {size:.0f} bytes, {valid} valid")
    print(f"the hosts of all valid lines are the same; the short expression has another for {missed} of {len(lines)}")

    times = {name: [] for name in WORKS}
    for _ in range(ROUNDS):
        for name, call in WORKS.items():
            start = time.process_time()
            con.execute(f"SELECT count({call}) FROM rows").fetchall()
            times[name].append((time.process_time() - start) * 1e9 / rows)
    print(f"{'work':26}{'ns a row':>10}{'iri_host is so many times as fast':>36}")
    for name, each in times.items():
        ratio = statistics.median(other / ours for other, ours in zip(each, times["iri_host"]))
        print(f"{name:26}{statistics.median(each):10.1f}{ratio:36.1f}")


main()
