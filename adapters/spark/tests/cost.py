#!/usr/bin/env python3
"""Measures what canonicalize.py costs on a cluster of two workers, and computes a billion rows from it.

    python adapters/spark/tests/cost.py [FEWER MORE]

FEWER and MORE are numbers of rows (1000000 and 3000000), which have no order, so that duplicates are far apart. The job runs
once on each, and must give the expected counts. From Spark's event log come the bytes of shuffles, as they are sent and
before compression, the processor time that Spark counts (of the JVM alone), and the skew: the bytes that the largest task
reads of a shuffle, divided by the median of the tasks of its stage. The processor time of all processes, with Python, is
measured. The difference of both runs, in which the start of the job is not, is multiplied until it is a billion rows.
"""

import collections
import json
import random
import statistics
import sys
import tempfile
from pathlib import Path

from cluster import Cluster, end_in_order, records, run, write_records

BILLION = 1_000_000_000


def event_log(folder: Path):
    """Makes the folder of the event log of a job, and returns the configuration of the job."""
    folder.mkdir()
    off = {f"spark.eventLog.{name}": "false" for name in ("compress", "rolling.enabled")}
    return {"spark.eventLog.enabled": "true", "spark.eventLog.dir": folder.as_uri(), **off}


def figures(folder: Path):
    """Reads the event log of a job: the sums of all tasks, and the largest skew of a stage that reads a hundredth of all bytes or
    more."""
    [log] = folder.iterdir()
    sums, stages = collections.Counter(), collections.defaultdict(list)
    for line in log.open(encoding="utf-8"):
        event = json.loads(line)
        if event["Event"] == "SparkListenerStageCompleted":
            sizes = [each["Value"] for each in event["Stage Info"]["Accumulables"] if each["Name"] == "data size"]
            sums["before compression"] += sum(map(int, sizes))
        if event["Event"] != "SparkListenerTaskEnd":
            continue
        assert event["Task End Reason"]["Reason"] == "Success", event["Task End Reason"]
        metrics = event["Task Metrics"]
        reads = metrics["Shuffle Read Metrics"]
        read = reads["Remote Bytes Read"] + reads["Local Bytes Read"]
        sums["tasks"] += 1
        sums["written"] += metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
        sums["read"] += read
        sums["from the other worker"] += reads["Remote Bytes Read"]
        sums["spilled"] += metrics["Disk Bytes Spilled"]
        sums["cpu"] += metrics["Executor CPU Time"] / 1e9
        sums["run"] += metrics["Executor Run Time"] / 1e3
        if read:
            stages[event["Stage ID"]].append(read)
    large = [reads for reads in stages.values() if sum(reads) >= sums["read"] / 100]
    sums["skew"] = max(max(reads) / statistics.median(reads) for reads in large)
    return sums


def measure(cluster, folder, rows):
    urls, expected = records(rows)
    random.Random(rows).shuffle(urls)
    write_records(urls, folder / f"{rows}.parquet")
    del urls
    logs = folder / f"{rows}-events"
    done = run(cluster, folder, str(rows), folder / f"{rows}.parquet", conf=event_log(logs))
    assert done.counts == expected, expected
    sums = figures(logs)
    # Nothing was lost, so each byte that was written to a shuffle was read once.
    assert sums["read"] == sums["written"] > 0, sums
    sums["elapsed"], sums["processors"] = done.seconds, done.processors
    return sums


def main():
    end_in_order()
    fewer, more = map(int, sys.argv[1:] or (1_000_000, 3_000_000))
    with tempfile.TemporaryDirectory() as place, Cluster(Path(place)) as cluster:
        few, many = (measure(cluster, Path(place), rows) for rows in (fewer, more))
    print(f"{'':24}{fewer:>16,}{more:>16,}{'a billion rows':>18}")
    for name in ("before compression", "written", "read", "spilled"):
        billion = (many[name] - few[name]) / (more - fewer) * BILLION
        print(f"{name + ', MB':24}{few[name] / 1e6:16.1f}{many[name] / 1e6:16.1f}{billion / 1e9:15.1f} GB")
    for name in ("cpu", "run", "processors"):
        # Of the tasks in the JVM; of the tasks with their waits; of all processes.
        hours = (many[name] - few[name]) / (more - fewer) * BILLION / 3600
        print(f"{name + ', s':24}{few[name]:16.1f}{many[name]:16.1f}{hours:9.1f} core hours")
    for name in ("elapsed", "tasks", "skew"):
        print(f"{name:24}{few[name]:16.2f}{many[name]:16.2f}")


if __name__ == "__main__":
    main()
