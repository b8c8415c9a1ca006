"""The SQL functions of Spark and the job of `engines/spark`, on Sail. `scripts/test-python --spark` runs this: the packages
are large."""

import importlib.util
from pathlib import Path

import pyarrow
import pyarrow.dataset
import pyarrow.parquet
import pytest
from pysail.spark import SparkConnectServer
from pyspark.sql import SparkSession

from simd_iri import arrow
from simd_iri.spark import register

URLS = ["http://u@www.example.co.uk:80/a/../%7eb?q=%C3%A9#f", "a|b", None, "urn:isbn:0451450523", ""]


@pytest.fixture(scope="module")
def spark():
    server = SparkConnectServer()
    server.start()
    _, port = server.listening_address
    session = SparkSession.builder.remote(f"sc://localhost:{port}").getOrCreate()
    register(session)
    rows = [(number, url) for number, url in enumerate(URLS * 20)]
    session.createDataFrame(rows, "number int, url string").createOrReplaceTempView("urls")
    yield session
    session.stop()
    server.stop()


def host(rows):
    return arrow.component(rows, "host")


FUNCTIONS = {
    "iri_valid": arrow.is_valid,
    "iri_parse": arrow.parse,
    "iri_error": arrow.error,
    "iri_host": host,
    "iri_normalize": arrow.normalize,
    "iri_to_uri": arrow.to_uri,
    "iri_to_iri": arrow.to_iri,
    "iri_display": arrow.display,
    "iri_registrable_domain": arrow.registrable_domain,
    "iri_origin": arrow.origin,
    "iri_prepare": arrow.prepare,
    "iri_lint": arrow.lint,
}


def column(spark, expression):
    rows = spark.sql(f"SELECT number, {expression} AS made FROM urls ORDER BY number").collect()
    made = [row.made for row in rows]
    return [cell.asDict() if hasattr(cell, "asDict") else cell for cell in made]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(spark, name):
    assert column(spark, f"{name}(url)") == FUNCTIONS[name](URLS * 20).to_pylist()


def test_a_fingerprint_has_the_same_bits(spark):
    made = column(spark, "iri_fingerprint(url)")
    unsigned = [None if cell is None else cell % (1 << 64) for cell in made]
    assert unsigned == arrow.fingerprint(URLS * 20).to_pylist()


def test_a_base(spark):
    made = column(spark, "iri_resolve('http://a/b/c', url)")
    assert made == arrow.resolve("http://a/b/c", URLS * 20).to_pylist()


def test_canonicalize(spark, tmp_path):
    path = Path(__file__).resolve().parents[3] / "engines/spark/canonicalize.py"
    spec = importlib.util.spec_from_file_location("canonicalize", path)
    job = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(job)

    urls = ["http://www.a.example.com/~x", "HTTP://www.a.example.com/%7Ex", "http://b.example.org/", "a|b", None] * 10
    source, out, errors = (str(tmp_path / name) for name in ["links.parquet", "out", "errors"])
    pyarrow.parquet.write_table(pyarrow.table({"id": range(50), "url": urls}), source)
    counts = job.canonicalize(spark, [source], None, out, errors)
    assert counts == {"in": 50, "errors": 20, "out": 2, "duplicates": 28}
    rows = pyarrow.dataset.dataset(out, partitioning="hive").to_table().sort_by("iri").to_pylist()
    assert [(row["iri"], row["records"], row["domain"]) for row in rows] == [
        ("http://b.example.org/", 10, "example.org"),
        ("http://www.a.example.com/~x", 20, "example.com"),
    ]
    aside = pyarrow.dataset.dataset(errors).to_table().to_pylist()
    kinds = [row["error"] and row["error"]["kind"] for row in aside]
    assert sorted(kinds, key=str) == [None] * 10 + ["missing-scheme"] * 10, kinds
