#!/usr/bin/env python3
"""Runs canonicalize.py on a standalone cluster of Spark: a master and two workers on this machine.

    python engines/spark/tests/cluster.py

The counts of the input are known, because this makes it. The job runs once undisturbed, and once more while one worker is
killed with all its executors, as if its machine were lost; both must give the expected counts and the same normal forms. Then
the job reads text on the worker that is left. `scripts/test-spark` makes the environment. ROWS is the number of records.
"""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow
import pyarrow.dataset
import pyarrow.parquet
import pyspark

ROWS = int(os.environ.get("ROWS", 400_000))
# Seconds that a job and the start of the cluster may take.
JOB, START = 600, 60

JOB_FILE = Path(__file__).resolve().parent.parent / "canonicalize.py"
SPARK = Path(pyspark.__file__).parent
ENVIRONMENT = {
    **os.environ,
    "SPARK_HOME": str(SPARK),
    "SPARK_LOCAL_IP": "127.0.0.1",
    "SPARK_LOCAL_HOSTNAME": "localhost",
    "PYSPARK_PYTHON": sys.executable,
}


def records(rows):
    """Addresses of which a tenth is invalid, one in a hundred is null, and the others make classes of three spellings."""
    urls, classes = [], set()
    errors = 0
    for row in range(rows):
        if row % 10 == 3:
            url = None if row % 100 == 3 else f"http://www.example.com/{row}|b"
            errors += 1
        else:
            number = row // 4
            classes.add(number)
            host = f"www.site{number % 40}.example{number % 3}.com"
            url = [f"http://{host}/~{number}/é", f"HTTP://{host}/%7E{number}/é", f"http://{host.upper()}/a/../%7e{number}/é"][row % 3]
        urls.append(url)
    expected = {"in": rows, "errors": errors, "out": len(classes), "duplicates": rows - errors - len(classes)}
    return urls, expected


class Cluster:
    """A master and two workers. They end with the block."""

    def __init__(self, folder):
        self.folder = folder
        self.processes = []

    def __enter__(self):
        try:
            log = self.start("master", "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", "0")
            [self.address] = self.wait(log, r"Starting Spark master at (spark://\S+)")
            for name in ["worker1", "worker2"]:
                own = ["--cores", "1", "--memory", "1g", "--work-dir", str(self.folder / name), self.address]
                log = self.start(name, "org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1", *own)
                self.wait(log, r"(Successfully registered with master)")
        except BaseException:
            self.__exit__()
            raise
        return self

    def start(self, name, program, *args):
        log = self.folder / f"{name}.log"
        command = [str(SPARK / "bin" / "spark-class"), program, *args, "--webui-port", "0"]
        with open(log, "w") as out:
            # A process group of its own holds what it starts, too.
            process = subprocess.Popen(command, env=ENVIRONMENT, stdout=out, stderr=out, start_new_session=True)
        self.processes.append(process)
        return log

    def wait(self, log, pattern):
        end = time.monotonic() + START
        while time.monotonic() < end:
            if found := re.search(pattern, log.read_text()):
                return found.groups()
            time.sleep(0.2)
        sys.exit(f"{log.name}: no {pattern!r} in {START} seconds:\n{log.read_text()[-2000:]}")

    def kill(self, process):
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()

    def kill_a_worker(self):
        self.kill(self.processes.pop())

    def __exit__(self, *_):
        while self.processes:
            self.kill(self.processes.pop())


def run(cluster, folder, name, source, *args, disturb=None):
    """Runs the job, and returns its counts and where the output is. `disturb` runs after the errors are written."""
    out, errors = folder / f"{name}-out", folder / f"{name}-errors"
    conf = {
        "spark.executor.cores": "1",
        "spark.executor.memory": "640m",
        "spark.driver.memory": "768m",
        "spark.sql.shuffle.partitions": "16",
        "spark.ui.enabled": "false",
    }
    command = [str(SPARK / "bin" / "spark-submit"), "--master", cluster.address]
    command += [part for key, value in conf.items() for part in ("--conf", f"{key}={value}")]
    command += [str(JOB_FILE), str(source), "--out", str(out), "--errors", str(errors), *args]
    begin = time.monotonic()
    with open(folder / f"{name}.log", "w+") as log:
        job = subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            if disturb:
                while not (errors / "_SUCCESS").exists() and job.poll() is None and time.monotonic() < begin + JOB:
                    time.sleep(0.05)
                disturb()
                assert not (out / "_SUCCESS").exists(), "the worker was killed too late"
            printed, _ = job.communicate(timeout=JOB)
        finally:
            job.kill()
        log.seek(0)
        text = log.read()
    if job.returncode != 0:
        sys.exit(f"{name}: the job failed:\n{text[-4000:]}")
    if disturb:
        assert "ExecutorLostFailure" in text or "Lost executor" in text, "no executor was lost"
    counts = json.loads(printed.splitlines()[-1])
    print(f"{name}: {counts} in {time.monotonic() - begin:.0f} s", flush=True)
    return counts, out


def normal_forms(out):
    table = pyarrow.dataset.dataset(out, partitioning="hive").to_table(columns=["iri", "records"])
    return table.sort_by("iri")


def main():
    urls, expected = records(ROWS)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        source = folder / "links.parquet"
        table = pyarrow.table({"id": range(len(urls)), "url": urls})
        pyarrow.parquet.write_table(table, source, row_group_size=50_000)
        with Cluster(folder) as cluster:
            counts, calm = run(cluster, folder, "undisturbed", source)
            assert counts == expected, expected
            folders = {path.name for path in calm.iterdir() if path.is_dir()}
            assert folders == {f"domain=example{n}.com" for n in range(3)}, folders

            counts, disturbed = run(cluster, folder, "a worker killed", source, disturb=cluster.kill_a_worker)
            assert counts == expected, expected
            assert normal_forms(disturbed) == normal_forms(calm), "the normal forms differ"

            text = [url for url in urls[:10_000] if url is not None]
            (folder / "links.txt").write_text("\n".join(text) + "\n")
            counts, out = run(cluster, folder, "text", folder / "links.txt", "--folders", "4")
            few = records(10_000)[1]
            nulls = 10_000 - len(text)
            assert counts == {**few, "in": few["in"] - nulls, "errors": few["errors"] - nulls}, few
            folders = {path.name for path in out.iterdir() if path.is_dir()}
            assert folders <= {f"folder={n}" for n in range(4)} and folders, folders
    print("the counts are the expected ones, with a worker killed, too")


if __name__ == "__main__":
    main()
