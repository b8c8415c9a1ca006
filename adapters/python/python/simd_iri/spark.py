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

from ._methods import PARTS, VERDICT
from ._sql import FUNCTIONS, call

__all__ = ["register"]

_ERROR = "struct<kind: string, start: int, end: int, component: string, message: string>"
_TYPES = {
    "truth": "boolean",
    "text": "string",
    "texts": "array<string>",
    "number": "bigint",
    "parts": "struct<" + ", ".join(f"{name}: string" for name in PARTS) + ">",
    "error": _ERROR,
    "errors": f"array<{_ERROR}>",
    "links": "array<struct<text: string, kind: string, start: int, end: int, reference: string>>",
    "values": "map<string, array<string>>",
    "port": "int",
}
_TYPES["verdict"] = "struct<" + ", ".join(f"{name}: {_TYPES[kind]}" for name, kind in VERDICT.items()) + ">"


def register(spark: SparkSession) -> None:
    """Makes the functions of SQL that the extension of DuckDB has, with the same parameters: ``iri_valid``,
    ``iri_parse`` (a struct), ``iri_error`` (a struct), ``iri_violations`` (a list of structs), ``iri_scheme``,
    ``iri_host`` and the other components, ``iri_normalize``, ``iri_to_uri``, ``iri_to_iri``, ``iri_display``,
    ``iri_display_in_text``, ``iri_registrable_domain``, ``iri_origin``, ``iri_query_value``, ``iri_drop_query_pairs``,
    ``iri_unwrap``, ``iri_apply_query_rules``, ``iri_masked``, ``iri_key``, ``iri_fingerprint``, ``iri_prepare``,
    ``iri_lint``, ``iri_fix``, ``iri_skeleton``, ``iri_is_hostname``, ``iri_is_idn_hostname``, ``iri_percent_encode``,
    ``iri_percent_decode``, ``iri_extract`` (a list of structs), ``iri_redact``, ``iri_archive_key``,
    ``iri_template_match`` (a map), ``iri_judge`` (a struct), ``iri_display_rule``, ``iri_resolve(base, reference)`` and
    ``iri_relativize(base, target)``. A second call makes them again.

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
    """The array without unsigned numbers, which Spark does not have. A fingerprint keeps its bits, and offsets fit in 31
    bits."""
    if array.type == pyarrow.uint64():
        return array.view(pyarrow.int64())
    return array.cast(_signed_type(array.type))


def _signed_type(kind: pyarrow.DataType) -> pyarrow.DataType:
    if pyarrow.types.is_struct(kind):
        return pyarrow.struct([field.with_type(_signed_type(field.type)) for field in kind])
    if pyarrow.types.is_list(kind):
        return pyarrow.list_(kind.value_field.with_type(_signed_type(kind.value_type)))
    return pyarrow.int32() if kind == pyarrow.uint32() else kind
