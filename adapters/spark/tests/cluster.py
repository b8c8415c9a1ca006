#!/usr/bin/env python3
"""Runs canonicalize.py on a standalone cluster of Spark: a master and two workers on this machine.

    python adapters/spark/tests/cluster.py

The counts of the input are known, because this makes it. The job runs once undisturbed, and once more while one worker is
killed with all its executors, as if its machine were lost; both must give the expected counts and the same normal forms. Then
the job reads text on the worker that is left. `scripts/test-spark` makes the environment. ROWS is the number of records.

Here too: the cluster and the run of a job for `network.py`, which gives each worker a network of its own, and for
`cost.py`, which reads what a run costs.
"""

import dataclasses
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import typing
from pathlib import Path

import pyarrow
import pyarrow.dataset
import pyarrow.parquet
import pyspark

ROWS = int(os.environ.get("ROWS", 400_000))
# Seconds that a job, and the start of a part of the cluster, may take.
JOB, START = 1200, 180

JOB_FILE = Path(__file__).resolve().parent.parent / "canonicalize.py"
SPARK = Path(pyspark.__file__).parent
# What a job of the tests needs on two workers of one core.
CONF = {
    "spark.executor.cores": "1",
    "spark.executor.memory": "640m",
    "spark.driver.memory": "768m",
    "spark.sql.shuffle.partitions": "16",
    "spark.ui.enabled": "false",
}


@dataclasses.dataclass(frozen=True)
class Host:
    """Where processes run: an address, its name, and the command that runs another command there."""

    address: str = "127.0.0.1"
    name: str = "localhost"
    enter: tuple[str, ...] = ()

    def environment(self, **more):
        own = {"SPARK_LOCAL_IP": self.address, "SPARK_LOCAL_HOSTNAME": self.name}
        return {**os.environ, "SPARK_HOME": str(SPARK), "PYSPARK_PYTHON": sys.executable, **own, **more}


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
    """A master beside the driver, and workers of one core. They end with the block. `lost` is how many seconds the master waits
    for a worker that is silent."""

    def __init__(self, folder, driver=Host(), workers=(Host(), Host()), lost=60):
        self.folder, self.driver, self.hosts, self.lost = folder, driver, workers, lost
        self.processes = []

    def __enter__(self):
        try:
            silence = {"SPARK_MASTER_OPTS": f"-Dspark.worker.timeout={self.lost}"}
            args = ["--host", self.driver.address, "--port", "0"]
            self.log = self.start("master", self.driver, "org.apache.spark.deploy.master.Master", args, silence)
            [self.address] = self.wait(self.log, r"Starting Spark master at (spark://\S+)")
            for number, host in enumerate(self.hosts, 1):
                self.start_worker(f"worker{number}", host)
        except BaseException:
            self.__exit__()
            raise
        return self

    def start_worker(self, name, host):
        own = ["--cores", "1", "--memory", "1g", "--work-dir", str(self.folder / name), self.address]
        # Each worker has the files of its shuffles in a folder of its own.
        local = {"SPARK_LOCAL_DIRS": str(self.folder / f"{name}-local")}
        log = self.start(name, host, "org.apache.spark.deploy.worker.Worker", ["--host", host.address, *own], local)
        self.wait(log, r"(Successfully registered with master)")

    def start(self, name, host, program, args, environment):
        log = self.folder / f"{name}.log"
        command = [*host.enter, str(SPARK / "bin" / "spark-class"), program, *args, "--webui-port", "0"]
        with open(log, "w") as out:
            # A session of its own holds what it starts, too.
            process = subprocess.Popen(
                command, env=host.environment(**environment), stdout=out, stderr=out, start_new_session=True
            )
        self.processes.append(process)
        return log

    def wait(self, log, pattern, seconds=START):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if found := re.search(pattern, log.read_text()):
                return found.groups()
            time.sleep(0.2)
        sys.exit(f"{log.name}: no {pattern!r} in {seconds} seconds:\n{log.read_text()[-2000:]}")

    def kill(self, process):
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()

    def kill_a_worker(self):
        self.kill(self.processes.pop())

    def shuffled(self):
        """The files of shuffles that the last worker has."""
        walk = os.walk(self.folder / f"worker{len(self.hosts)}-local")
        return {os.path.join(place, file) for place, _, files in walk for file in files if re.fullmatch(r"shuffle_.*\.data", file)}

    def __exit__(self, *_):
        while self.processes:
            self.kill(self.processes.pop())


class Meter(threading.Thread):
    """The processor time of sessions of processes. Spark's own figures lack the time of Python. A process is seen ten times a
    second; what it takes after it was seen the last time is lost."""

    def __init__(self, sessions):
        super().__init__(daemon=True)
        self.sessions, self.ended = set(sessions), threading.Event()
        self.before = self.sample()
        self.now = dict(self.before)

    def sample(self):
        found = {}
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = stat.read_text().rpartition(")")[2].split()
            except OSError:
                continue
            # The session, the ticks as a user and in the kernel, and the start, which tells processes with one number apart.
            if int(fields[3]) in self.sessions:
                found[stat.parent.name, fields[19]] = int(fields[11]) + int(fields[12])
        return found

    def run(self):
        while not self.ended.wait(0.1):
            self.now.update(self.sample())

    def stop(self):
        """Returns the seconds since the start."""
        self.ended.set()
        self.join()
        return (sum(self.now.values()) - sum(self.before.values())) / os.sysconf("SC_CLK_TCK")


class Done(typing.NamedTuple):
    """A job that ended."""

    counts: dict
    out: Path
    seconds: float
    # Of all processors: the workers with their executors and their Python, the master, and the driver.
    processors: float


def run(cluster, folder, name, source, *args, disturb=None, program=JOB_FILE, conf={}):
    """Runs the job. `disturb` runs after the errors are written, when the last worker has a file of the shuffle, which is lost
    with the worker."""
    out, errors = folder / f"{name}-out", folder / f"{name}-errors"
    command = [*cluster.driver.enter, str(SPARK / "bin" / "spark-submit"), "--master", cluster.address]
    command += [part for key, value in {**CONF, **conf}.items() for part in ("--conf", f"{key}={value}")]
    command += [str(program), str(source), "--out", str(out), "--errors", str(errors), *args]
    shuffled, begin = cluster.shuffled(), time.monotonic()
    meter = Meter(process.pid for process in cluster.processes)
    with open(folder / f"{name}.log", "w+") as log:
        job = subprocess.Popen(
            command, env=cluster.driver.environment(), stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True
        )
        meter.sessions.add(job.pid)
        meter.start()
        try:
            if disturb:
                while not ((errors / "_SUCCESS").exists() and cluster.shuffled() - shuffled):
                    if job.poll() is not None or time.monotonic() > begin + JOB:
                        break
                    time.sleep(0.05)
                disturb()
                assert not (out / "_SUCCESS").exists(), "the worker was lost too late"
            printed, _ = job.communicate(timeout=JOB)
        finally:
            cluster.kill(job)
            processors = meter.stop()
        seconds = time.monotonic() - begin
        log.seek(0)
        text = log.read()
    if job.returncode != 0:
        sys.exit(f"{name}: the job failed:\n{text[-4000:]}")
    if disturb:
        assert "ExecutorLostFailure" in text or "Lost executor" in text, "no executor was lost"
    counts = json.loads(printed.splitlines()[-1])
    print(f"{name}: {counts} in {seconds:.0f} s, {processors:.0f} s of processors", flush=True)
    return Done(counts, out, seconds, processors)


def end_in_order():
    """Makes an exception of the signal of `kill` and `timeout`, so that everything that was started ends, too."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended by a signal"))


def write_records(urls, file):
    """Writes a table of addresses with a column of numbers."""
    table = pyarrow.table({"id": range(len(urls)), "url": urls})
    pyarrow.parquet.write_table(table, file, row_group_size=50_000)


def normal_forms(out):
    table = pyarrow.dataset.dataset(out, partitioning="hive").to_table(columns=["iri", "records"])
    return table.sort_by("iri")


def main():
    end_in_order()
    urls, expected = records(ROWS)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        source = folder / "links.parquet"
        write_records(urls, source)
        with Cluster(folder) as cluster:
            calm = run(cluster, folder, "undisturbed", source)
            assert calm.counts == expected, expected
            folders = {path.name for path in calm.out.iterdir() if path.is_dir()}
            assert folders == {f"domain=example{n}.com" for n in range(3)}, folders

            disturbed = run(cluster, folder, "a worker killed", source, disturb=cluster.kill_a_worker)
            assert disturbed.counts == expected, expected
            assert normal_forms(disturbed.out) == normal_forms(calm.out), "the normal forms differ"

            text = [url for url in urls[:10_000] if url is not None]
            (folder / "links.txt").write_text("\n".join(text) + "\n")
            lines = run(cluster, folder, "text", folder / "links.txt", "--folders", "4")
            few = records(10_000)[1]
            nulls = 10_000 - len(text)
            assert lines.counts == {**few, "in": few["in"] - nulls, "errors": few["errors"] - nulls}, few
            folders = {path.name for path in lines.out.iterdir() if path.is_dir()}
            assert folders <= {f"folder={n}" for n in range(4)} and folders, folders
    print("the counts are the expected ones, with a worker killed, too")


if __name__ == "__main__":
    main()
