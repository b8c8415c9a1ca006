"""Functions of SQL for Spark 4.1 and newer, and for servers with its protocol, such as Sail.

    from simd_iri.spark import register

    register(spark)
    spark.sql("SELECT iri_host(url), iri_normalize(url) FROM urls")

The functions run where the workers of Spark are, which need this package too. They have the names, the parameters and the
nulls of the extension of DuckDB, as those of ``simd_iri.duckdb`` have. Spark asks a function of Python only for the type of
its result, so a call with wrong arguments fails when it runs: the error names the function and the argument.
"""

from __future__ import annotations

import pyarrow
from pyspark.sql import SparkSession
from pyspark.sql.functions import arrow_udf

from ._methods import PARTS
from ._sql import FUNCTIONS, call

__all__ = ["register"]

_TYPES = {
    "truth": "boolean",
    "text": "string",
    "texts": "array<string>",
    "number": "bigint",
    "parts": "struct<" + ", ".join(f"{name}: string" for name in PARTS) + ">",
    "error": "struct<kind: string, start: int, end: int, component: string, message: string>",
}

# Spark has no unsigned numbers. Offsets fit in 31 bits.
_SIGNED_ERROR = pyarrow.struct(
    [
        ("kind", pyarrow.string()),
        ("start", pyarrow.int32()),
        ("end", pyarrow.int32()),
        ("component", pyarrow.string()),
        ("message", pyarrow.string()),
    ]
)


def register(spark: SparkSession) -> None:
    """Makes the functions of SQL that the extension of DuckDB has, with the same parameters: ``iri_valid``, ``iri_parse``
    (a struct), ``iri_error`` (a struct), ``iri_scheme``, ``iri_host`` and the other components, ``iri_normalize``,
    ``iri_to_uri``, ``iri_to_iri``, ``iri_display``, ``iri_display_in_text``, ``iri_registrable_domain``, ``iri_origin``, ``iri_query_value``,
    ``iri_drop_query_pairs``, ``iri_masked``, ``iri_key``, ``iri_fingerprint``, ``iri_prepare``, ``iri_lint``, ``iri_fix``, ``iri_skeleton``,
    ``iri_is_hostname``, ``iri_is_idn_hostname``, ``iri_percent_encode``, ``iri_percent_decode``,
    ``iri_resolve(base, reference)`` and ``iri_relativize(base, target)``. A second call makes them again.

    A fingerprint is a ``bigint`` with the same 64 bits, which may be negative.
    """
    for name, function in FUNCTIONS.items():
        spark.udf.register(name, arrow_udf(_over_columns(name), _TYPES[function.result]))


def _over_columns(name):
    """A function over arrays. Spark reads the types of its parameters."""

    def over_columns(*columns: pyarrow.Array) -> pyarrow.Array:
        return _signed(call(name, *columns))

    return over_columns


def _signed(array: pyarrow.Array) -> pyarrow.Array:
    if array.type == pyarrow.uint64():
        return array.view(pyarrow.int64())
    is_error = pyarrow.types.is_struct(array.type) and array.type.get_field_index("start") >= 0
    return array.cast(_SIGNED_ERROR) if is_error else array
