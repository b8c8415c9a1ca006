#!/usr/bin/env python3
"""Runs the example of the README for Spark 3.5 and 4.0 in this process.

    python adapters/spark/tests/older.py VERSION

VERSION, such as 3.5, is that of the installed PySpark. `scripts/test-spark` makes an environment for each. The results are
compared with those of the calls for a single text.
"""

import os
import re
import sys
from pathlib import Path

os.environ["PYSPARK_PYTHON"] = sys.executable
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"

from pyspark.sql import SparkSession

import simd_iri
from simd_iri import arrow

README = Path(__file__).resolve().parent.parent / "README.md"


def example():
    """The first block of Python of the section."""
    section = README.read_text(encoding="utf-8").split("\n## Spark 3.5 and 4.0\n")[1].split("\n## ")[0]
    return re.search(r"```python\n(.*?)```", section, re.DOTALL)[1]


def single(address):
    """The row that the query must give."""
    if address is None:
        return None, None, None, None
    try:
        iri = simd_iri.Iri(address)
    except simd_iri.IriError:
        return address, False, None, None
    [domain] = arrow.registrable_domain([address]).to_pylist()
    return address, True, str(iri.normalize()), domain


def main():
    quiet = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"}
    spark = SparkSession.builder.master("local[2]").config(map=quiet).getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    assert spark.version.startswith(sys.argv[1] + "."), spark.version
    kinds = [f"HTTP://www.Example{{}}.co.uk/%7e{{}}/é", "a|b {}", "http://例え.jp/{}", "urn:x:{}~", ""]
    addresses = [kinds[row % len(kinds)].replace("{}", str(row)) for row in range(1_000)]
    # A partition of nulls alone has no text from which a type could be read; another has some.
    addresses += [None] * 1_000
    addresses[500:600:7] = [None] * len(addresses[500:600:7])
    table = spark.sparkContext.parallelize([(address,) for address in addresses], 4)
    spark.createDataFrame(table, "url string").createOrReplaceTempView("links")

    # The name of this module: what it defines is sent to the workers.
    names = {"spark": spark, "__name__": "__main__"}
    exec(compile(example(), str(README), "exec"), names)
    rows = [tuple(row) for row in names["table"].collect()]
    assert len(rows) == len(addresses)
    for row, address in zip(rows, addresses):
        assert row == single(address), (row, single(address))
    spark.stop()
    print(f"Spark {spark.version}: the example gives the rows of single calls")


if __name__ == "__main__":
    main()
