#!/usr/bin/env python3
"""Runs canonicalize.py in local-cluster mode with executors that have no wheel, and get it by --archives.

    python adapters/spark/tests/archives.py WHEEL PYTHON

PYTHON is the interpreter of the executors. It has pyarrow and pandas, and must not have simd-iri. The driver runs with the
interpreter of this program, which has simd-iri. First a task without the archive must fail, because there is no simd-iri.
With the archive, each task must find simd-iri in the archive and nowhere else, and the job must give the expected counts.
`scripts/test-spark` makes both environments.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from cluster import CONF, JOB, JOB_FILE, SPARK, Host, records, write_records

ROWS = 20_000
WHERE = Path(__file__).resolve().parent / "where.py"


def submit(folder, python, archives, program, *args):
    conf = {**CONF, "spark.executorEnv.PYTHONPATH": "./iri"}
    command = [str(SPARK / "bin" / "spark-submit"), "--master", "local-cluster[2,1,1024]", *archives]
    command += [part for key, value in conf.items() for part in ("--conf", f"{key}={value}")]
    command += [str(program), *map(str, args)]
    environment = Host().environment(PYSPARK_DRIVER_PYTHON=sys.executable, PYSPARK_PYTHON=python)
    return subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=JOB)


def printed(done):
    if done.returncode != 0:
        sys.exit(f"the job failed:\n{done.stderr[-4000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def main():
    wheel, python = sys.argv[1:]
    alone = subprocess.run([python, "-c", "import simd_iri"], capture_output=True, text=True)
    assert "No module named 'simd_iri'" in alone.stderr, f"{python} has simd_iri: {alone.stderr}"
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        # A wheel is a zip archive. Spark knows archives by the ends of their names.
        shutil.copy(wheel, folder / "iri.zip")
        archives = ["--archives", "iri.zip#iri"]

        without = submit(folder, python, [], WHERE)
        assert without.returncode != 0 and "No module named 'simd_iri'" in without.stderr, without.stderr[-4000:]

        places = printed(submit(folder, python, archives, WHERE))
        for interpreter, file in places:
            assert interpreter == python, places
            assert re.search(r"/app-[^/]+/[01]/iri/simd_iri/_native[^/]*$", file), places
        assert len(places) == 2, f"two executors: {places}"

        urls, expected = records(ROWS)
        write_records(urls, folder / "links.parquet")
        outputs = ["--out", folder / "out", "--errors", folder / "errors"]
        counts = printed(submit(folder, python, archives, JOB_FILE, folder / "links.parquet", *outputs))
        assert counts == expected, (counts, expected)
    print(f"executors without the wheel get it by --archives: {counts}")


if __name__ == "__main__":
    main()
