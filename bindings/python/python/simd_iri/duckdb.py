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

from ._sql import COMPONENTS, FUNCTIONS, over_columns

__all__ = ["register"]

_TYPES = {
    "truth": "BOOLEAN",
    "text": "VARCHAR",
    "texts": "VARCHAR[]",
    "number": "UBIGINT",
    "parts": "STRUCT(" + ", ".join(f'"{name}" VARCHAR' for name in COMPONENTS) + ")",
    "error": 'STRUCT(kind VARCHAR, start UINTEGER, "end" UINTEGER, component VARCHAR, message VARCHAR)',
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
    for name, (kernel, columns, result) in FUNCTIONS.items():
        connection.create_function(
            name,
            over_columns(kernel, columns),
            ["VARCHAR"] * columns,
            _TYPES[result],
            type="arrow",
            null_handling="special",
        )
