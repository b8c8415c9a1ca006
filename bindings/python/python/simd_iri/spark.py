"""Functions of SQL for Spark 4.1 and newer, and for what speaks its protocol, such as Sail.

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

from . import arrow

__all__ = ["register"]

_COMPONENTS = (
    "scheme",
    "authority",
    "userinfo",
    "host",
    "host_kind",
    "port",
    "path",
    "query",
    "fragment",
)
_PARTS = "struct<" + ", ".join(f"{name}: string" for name in _COMPONENTS) + ">"
_ERROR = "struct<kind: string, start: int, end: int, component: string, message: string>"

# Each function with its number of columns and the type of its result.
_FUNCTIONS = {
    "iri_valid": (arrow.is_valid, 1, "boolean"),
    "iri_parse": (arrow.parse, 1, _PARTS),
    "iri_error": (arrow.error, 1, _ERROR),
    "iri_normalize": (arrow.normalize, 1, "string"),
    "iri_to_uri": (arrow.to_uri, 1, "string"),
    "iri_to_iri": (arrow.to_iri, 1, "string"),
    "iri_display": (arrow.display, 1, "string"),
    "iri_registrable_domain": (arrow.registrable_domain, 1, "string"),
    "iri_origin": (arrow.origin, 1, "string"),
    "iri_fingerprint": (arrow.fingerprint, 1, "bigint"),
    "iri_prepare": (arrow.prepare, 1, "string"),
    "iri_lint": (arrow.lint, 1, "array<string>"),
    "iri_resolve": (arrow.resolve, 2, "string"),
    "iri_relativize": (arrow.relativize, 2, "string"),
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
    functions = dict(_FUNCTIONS)
    for name in _COMPONENTS:
        functions[f"iri_{name}"] = (_component(name), 1, "string")
    for name, (kernel, columns, result) in functions.items():
        spark.udf.register(name, arrow_udf(_over_columns(kernel, columns), result))


def _component(name):
    return lambda rows: arrow.component(rows, name)


def _over_columns(kernel, columns):
    """A function of pyarrow's arrays with as many parameters as there are columns."""

    def of_one(rows: pyarrow.Array) -> pyarrow.Array:
        return _signed(pyarrow.array(kernel(rows).without_views()))

    def of_two(first: pyarrow.Array, second: pyarrow.Array) -> pyarrow.Array:
        return _signed(pyarrow.array(kernel(first, second).without_views()))

    return of_one if columns == 1 else of_two


def _signed(array: pyarrow.Array) -> pyarrow.Array:
    if array.type == pyarrow.uint64():
        return array.view(pyarrow.int64())
    is_error = pyarrow.types.is_struct(array.type) and array.type.get_field_index("start") >= 0
    return array.cast(_SIGNED_ERROR) if is_error else array
