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


def module(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


SPARK = Path(__file__).resolve().parents[3] / "engines/spark"
JOB, GENERATED = module(SPARK / "canonicalize.py"), module(SPARK / "tests/generated.py")


@pytest.mark.parametrize("seed", range(40))
def test_canonicalize(spark, tmp_path, seed):
    GENERATED.check(JOB, spark, tmp_path, seed)


def test_canonicalize_refuses_before_it_reads(spark, tmp_path):
    GENERATED.check_refusals(JOB, spark, tmp_path)
