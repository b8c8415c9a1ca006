"""The SQL functions of Spark and the job of `adapters/spark`, on Sail, or on Spark itself in this process with SIMD_IRI_ENGINE=spark.
`scripts/test-python --spark` and `scripts/test-spark` run this: the packages are large."""

import importlib.util
import os
import sys
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from simd_iri.spark import register

ENGINE = os.environ.get("SIMD_IRI_ENGINE", "sail")
# A job on Spark takes seconds.
SEEDS = {"sail": 40, "spark": 8}[ENGINE]


def module(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


ROOT = Path(__file__).resolve().parents[3]
JOB = module(ROOT / "adapters/spark/canonicalize.py")
GENERATED = module(ROOT / "adapters/spark/tests/generated.py")
SQL = module(ROOT / "adapters/python/tests/sql.py")
OPERATIONS = module(ROOT / "adapters/python/tests/operations.py")


@pytest.fixture(scope="module")
def spark():
    if ENGINE == "spark":
        os.environ["PYSPARK_PYTHON"] = sys.executable
        os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
        settings = {
            "spark.ui.enabled": "false",
            "spark.sql.shuffle.partitions": "4",
            # A partition with more than this is too large.
            "spark.sql.adaptive.advisoryPartitionSizeInBytes": "32k",
            # Spark joins partitions up to 1 MB, which is all that the tests have.
            "spark.sql.adaptive.coalescePartitions.minPartitionSize": "1k",
        }
        session = SparkSession.builder.master("local[2]").config(map=settings).getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
        yield session
        session.stop()
        return
    from pysail.spark import SparkConnectServer

    server = SparkConnectServer()
    server.start()
    _, port = server.listening_address
    session = SparkSession.builder.remote(f"sc://localhost:{port}").getOrCreate()
    yield session
    session.stop()
    server.stop()


@pytest.fixture(scope="module")
def sql(spark):
    # Registering twice is no error.
    register(spark)
    register(spark)
    return spark.sql


def plain(name, cell):
    """A cell as the kernels give it. Spark has no unsigned numbers."""
    if name == "iri_fingerprint" and cell is not None:
        return cell % (1 << 64)
    return as_dicts(cell)


def as_dicts(cell):
    """A cell with a dictionary in place of each row of Spark. A map of Spark has no order."""
    if isinstance(cell, dict):
        return dict(sorted(cell.items()))
    if isinstance(cell, list):
        return [as_dicts(item) for item in cell]
    return cell.asDict() if hasattr(cell, "asDict") else cell


CALLS = list(SQL.calls())


@pytest.mark.parametrize("name, rows", CALLS, ids=[f"{name}-{len(rows[0])}" for name, rows in CALLS])
def test_functions(spark, sql, name, rows):
    names = [f"a{at}" for at in range(len(rows[0]))]
    schema = ", ".join(["number int", *(f"{name} string" for name in names)])
    numbered = [(number, *row) for number, row in enumerate(rows)]
    spark.createDataFrame(numbered, schema).createOrReplaceTempView("calls")
    literal = ", ".join(["NULL"] * len(names))
    made = sql(f"SELECT number, {name}({', '.join(names)}) AS made, {name}({literal}) AS none FROM calls").collect()
    made.sort(key=lambda row: row.number)
    assert [plain(name, row.made) for row in made] == [SQL.expected(name, row) for row in rows]
    assert {row.none for row in made} == {None}


def test_the_names_of_the_page(spark, sql):
    """Those of docs/operations.md."""

    def call(operation, name, case):
        spark.createDataFrame([(case["input"],)], "text string").createOrReplaceTempView("page")
        [(made,)] = sql(f"SELECT {OPERATIONS.expression(SQL, name, case)} FROM page").collect()
        return OPERATIONS.plain(operation, as_dicts(made))

    OPERATIONS.check("SQL", call)


@pytest.mark.parametrize("call", [*SQL.WRONG_ARITY, "iri_host(7)", "iri_normalize('a:b', 7)"])
def test_wrong_arguments_are_named(sql, call):
    with pytest.raises(Exception) as raised:
        sql(f"SELECT {call}").collect()
    name = call.partition("(")[0]
    words = [f"{name}: argument"] if "7" in call else [f"{name} takes"]
    assert all(word in str(raised.value) for word in words), str(raised.value)


@pytest.mark.parametrize("call, words", SQL.WRONG_NAMES)
def test_wrong_names_are_named(sql, call, words):
    with pytest.raises(Exception) as raised:
        sql(f"SELECT {call}").collect()
    assert all(word in str(raised.value) for word in words), str(raised.value)
    assert SQL.SECRET not in str(raised.value)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_canonicalize(spark, tmp_path, seed):
    GENERATED.check(JOB, spark, tmp_path, seed)


def test_canonicalize_refuses_before_it_reads(spark, tmp_path):
    GENERATED.check_refusals(JOB, spark, tmp_path)


def test_canonicalize_spreads_what_is_skewed(spark, tmp_path):
    GENERATED.check_skew(JOB, spark, tmp_path, divides=ENGINE == "spark")
