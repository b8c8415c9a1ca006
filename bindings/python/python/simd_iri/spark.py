"""Functions of SQL for Spark 4.1 and newer, and for servers with its protocol, such as Sail.

    from simd_iri.spark import register

    register(spark)
    spark.sql("SELECT iri_host(url), iri_normalize(url) FROM urls")

The functions run where the workers of Spark are, which need this package too. They have the names that
``simd_iri.duckdb`` has.
"""

from __future__ import annotations

import pyarrow
from pyspark.sql import SparkSession
from pyspark.sql.functions import arrow_udf

from ._sql import COMPONENTS, FUNCTIONS, over_columns

__all__ = ["register"]

_TYPES = {
    "truth": "boolean",
    "text": "string",
    "texts": "array<string>",
    "number": "bigint",
    "parts": "struct<" + ", ".join(f"{name}: string" for name in COMPONENTS) + ">",
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
    """Makes SQL functions of the kernels: ``iri_valid``, ``iri_parse`` (a struct), ``iri_error`` (a struct),
    ``iri_scheme``, ``iri_host`` and the other components, ``iri_normalize``, ``iri_to_uri``, ``iri_to_iri``,
    ``iri_display``, ``iri_registrable_domain``, ``iri_origin``, ``iri_fingerprint``, ``iri_prepare``, ``iri_lint``,
    ``iri_resolve(base, reference)`` and ``iri_relativize(base, target)``.

    A fingerprint is a ``bigint`` with the same 64 bits, which may be negative.
    """
    for name, (kernel, columns, result) in FUNCTIONS.items():
        function = over_columns(kernel, columns, finish=_signed)
        spark.udf.register(name, arrow_udf(function, _TYPES[result]))


def _signed(array: pyarrow.Array) -> pyarrow.Array:
    if array.type == pyarrow.uint64():
        return array.view(pyarrow.int64())
    is_error = pyarrow.types.is_struct(array.type) and array.type.get_field_index("start") >= 0
    return array.cast(_SIGNED_ERROR) if is_error else array
