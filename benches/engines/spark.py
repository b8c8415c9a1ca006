#!/usr/bin/env python3
"""Measures functions of `simd_iri.spark` and compares them with Spark's own and with a function of Python with urllib.

    python benches/engines/spark.py [ROWS]

It needs the packages simd-iri, pyspark, pandas and pyarrow, and a Java; `scripts/test-spark --bench` makes such an environment. CORPUS
is a file with an IRI a line; without it, addresses are made here. ROUNDS is the number of runs of each query (7).

The answers are compared first. Where Spark's function has a host, ours must have the same; where it has none, the count is
printed. In each round the queries run one after another, on one thread of Spark. A time is a median of elapsed times, in
nanoseconds a row, with the scan of a cached column; a ratio is the median of the ratios of the rounds.
"""

import os
import statistics
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
os.environ.setdefault("SPARK_LOCAL_HOSTNAME", "localhost")
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)

import pandas
from pyspark.sql import SparkSession

from simd_iri.spark import register

ROWS = int(sys.argv[1]) if len(sys.argv) > 1 else 960_000
ROUNDS = int(os.environ.get("ROUNDS", 7))

WORKS = {
    "the column alone": "length(url)",
    "iri_host": "iri_host(url)",
    "try_parse_url": "try_parse_url(url, 'HOST')",
    "Python UDF, urllib": "urllib_host(url)",
    "iri_valid": "iri_valid(url)",
    "iri_normalize": "iri_normalize(url)",
    "iri_registrable_domain": "iri_registrable_domain(url)",
}


def lines():
    if corpus := os.environ.get("CORPUS"):
        return Path(corpus).read_text(encoding="utf-8").splitlines()
    ascii_lines = [f"https://www.example{i % 97}.org/a/path/of/{i}/page.html?id={i}#top" for i in range(3000)]
    return ascii_lines + [f"https://bücher{i % 97}.example/도움말/{i}?q=é" for i in range(1000)]


def urllib_host(url):
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def main():
    conf = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.driver.memory": "2g", "spark.sql.shuffle.partitions": "1"}
    builder = SparkSession.builder.master("local[1]").appName("bench")
    for key, value in conf.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    register(spark)
    spark.udf.register("urllib_host", urllib_host, "string")
    given = lines()
    rows = (given * (ROWS // len(given) + 1))[:ROWS]
    spark.createDataFrame(pandas.DataFrame({"url": rows})).repartition(4).cache().createOrReplaceTempView("rows")

    ours, theirs = "iri_host(url)", "try_parse_url(url, 'HOST')"
    distinct = f"(SELECT DISTINCT url, {ours} AS ours, {theirs} AS theirs, iri_valid(url) AS valid FROM rows)"
    wrong = spark.sql(f"SELECT url, ours, theirs FROM {distinct} WHERE valid AND theirs IS NOT NULL AND NOT ours <=> theirs")
    if wrong := wrong.limit(3).collect():
        sys.exit(f"the answers differ: {wrong}")
    [missed] = spark.sql(f"SELECT count(*) AS n FROM {distinct} WHERE ours IS NOT NULL AND theirs IS NULL").collect()
    print(f"Spark {spark.version}, {ROWS} rows; try_parse_url has no host for {missed.n} of {len(set(given))} lines that have one")

    times = {name: [] for name in WORKS}
    # The first round compiles, and is left out.
    for number in range(ROUNDS + 1):
        for name, call in WORKS.items():
            start = time.perf_counter()
            spark.sql(f"SELECT count({call}) FROM rows").collect()
            if number > 0:
                times[name].append((time.perf_counter() - start) * 1e9 / ROWS)
    print(f"{'work':26}{'ns a row':>10}{'iri_host is so many times as fast':>36}")
    for name, each in times.items():
        ratio = statistics.median(other / ours for other, ours in zip(each, times["iri_host"]))
        print(f"{name:26}{statistics.median(each):10.0f}{ratio:36.2f}")
    spark.stop()


if __name__ == "__main__":
    main()
