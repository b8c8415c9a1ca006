"""Functions of SQL for DuckDB. They need the packages ``pyarrow`` and ``numpy``, with
which DuckDB passes columns to Python.

>>> import duckdb, simd_iri.duckdb
>>> connection = duckdb.connect()
>>> simd_iri.duckdb.register(connection)
>>> connection.sql("SELECT iri_host('http://例え.jp/a'), iri_valid('a|b'), iri_host(NULL)").fetchall()
[('例え.jp', False, None)]
"""

from __future__ import annotations

import duckdb
import pyarrow

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
_PARTS = "STRUCT(" + ", ".join(f'"{name}" VARCHAR' for name in _COMPONENTS) + ")"
_ERROR = 'STRUCT(kind VARCHAR, start UINTEGER, "end" UINTEGER, component VARCHAR, message VARCHAR)'

# Each function with its number of columns and the type of its result.
_FUNCTIONS = {
    "iri_valid": (arrow.is_valid, 1, "BOOLEAN"),
    "iri_parse": (arrow.parse, 1, _PARTS),
    "iri_error": (arrow.error, 1, _ERROR),
    "iri_normalize": (arrow.normalize, 1, "VARCHAR"),
    "iri_to_uri": (arrow.to_uri, 1, "VARCHAR"),
    "iri_to_iri": (arrow.to_iri, 1, "VARCHAR"),
    "iri_display": (arrow.display, 1, "VARCHAR"),
    "iri_registrable_domain": (arrow.registrable_domain, 1, "VARCHAR"),
    "iri_origin": (arrow.origin, 1, "VARCHAR"),
    "iri_fingerprint": (arrow.fingerprint, 1, "UBIGINT"),
    "iri_prepare": (arrow.prepare, 1, "VARCHAR"),
    "iri_lint": (arrow.lint, 1, "VARCHAR[]"),
    "iri_resolve": (arrow.resolve, 2, "VARCHAR"),
    "iri_relativize": (arrow.relativize, 2, "VARCHAR"),
}


def register(connection: duckdb.DuckDBPyConnection) -> None:
    """Makes SQL functions of the kernels: ``iri_valid``, ``iri_parse`` (a struct), ``iri_error`` (a struct),
    ``iri_scheme``, ``iri_host`` and the other components, ``iri_normalize``, ``iri_to_uri``, ``iri_to_iri``,
    ``iri_display``, ``iri_registrable_domain``, ``iri_origin``, ``iri_fingerprint``, ``iri_prepare``, ``iri_lint``,
    ``iri_resolve(base, reference)`` and ``iri_relativize(base, target)``.

    >>> import duckdb
    >>> from simd_iri.duckdb import register
    >>> with duckdb.connect() as connection:
    ...     register(connection)
    ...     connection.sql("SELECT iri_resolve('http://a/b/', '../c')").fetchall()
    [('http://a/c',)]
    """
    functions = dict(_FUNCTIONS)
    for name in _COMPONENTS:
        functions[f"iri_{name}"] = (_component(name), 1, "VARCHAR")
    for name, (kernel, columns, result) in functions.items():
        connection.create_function(
            name,
            _over_columns(kernel, columns),
            ["VARCHAR"] * columns,
            result,
            type="arrow",
            null_handling="special",
        )


def _component(name):
    return lambda rows: arrow.component(rows, name)


def _over_columns(kernel, columns):
    """A function with as many parameters as there are columns, which is what DuckDB asks of one."""

    def of_one(rows):
        return pyarrow.array(kernel(rows).without_views())

    def of_two(first, second):
        return pyarrow.array(kernel(first, second).without_views())

    return of_one if columns == 1 else of_two
