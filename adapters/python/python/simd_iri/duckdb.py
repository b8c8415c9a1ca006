"""Functions of SQL for DuckDB. They need the packages ``pyarrow`` and ``numpy``, with
which DuckDB passes columns to Python.

>>> import duckdb, simd_iri.duckdb
>>> connection = duckdb.connect()
>>> simd_iri.duckdb.register(connection)
>>> connection.sql("SELECT iri_host('http://例え.jp/a'), iri_valid('a|b'), iri_host(NULL)").fetchall()
[('例え.jp', False, None)]
"""

from __future__ import annotations

from threading import Lock

import duckdb

from ._methods import PARTS, VERDICT
from ._sql import FUNCTIONS, call

__all__ = ["register"]

_ERROR = 'STRUCT(kind VARCHAR, start UINTEGER, "end" UINTEGER, component VARCHAR, message VARCHAR)'
_TYPES = {
    "truth": "BOOLEAN",
    "text": "VARCHAR",
    "texts": "VARCHAR[]",
    "number": "UBIGINT",
    "parts": "STRUCT(" + ", ".join(f'"{name}" VARCHAR' for name in PARTS) + ")",
    "error": _ERROR,
    "errors": _ERROR + "[]",
    "links": 'STRUCT("text" VARCHAR, kind VARCHAR, start UINTEGER, "end" UINTEGER, reference VARCHAR)[]',
    "values": "MAP(VARCHAR, VARCHAR[])",
    "port": "UINTEGER",
}
_TYPES["verdict"] = "STRUCT(" + ", ".join(f"{name} {_TYPES[kind]}" for name, kind in VERDICT.items()) + ")"


def _with_parameters(name, count):
    """A function with so many parameters, which DuckDB counts."""
    return {
        1: lambda a: call(name, a),
        2: lambda a, b: call(name, a, b),
        3: lambda a, b, c: call(name, a, b, c),
        4: lambda a, b, c, d: call(name, a, b, c, d),
    }[count]


# DuckDB keeps pointers to the functions, also after the connection has gone that made them.
_CALLS = {(name, n): _with_parameters(name, n) for name, f in FUNCTIONS.items() for n in f.counts}
_LOCK = Lock()


def register(connection: duckdb.DuckDBPyConnection) -> None:
    """Makes the functions of SQL that the extension of DuckDB has, with the same parameters: ``iri_valid``,
    ``iri_parse`` (a struct), ``iri_error`` (a struct), ``iri_violations`` (a list of structs), ``iri_scheme``,
    ``iri_host`` and the other components, ``iri_normalize``, ``iri_to_uri``, ``iri_to_iri``, ``iri_display``,
    ``iri_display_in_text``, ``iri_registrable_domain``, ``iri_origin``, ``iri_query_value``, ``iri_drop_query_pairs``,
    ``iri_unwrap``, ``iri_apply_query_rules``, ``iri_masked``, ``iri_key``, ``iri_fingerprint``, ``iri_prepare``,
    ``iri_lint``, ``iri_fix``, ``iri_skeleton``, ``iri_is_hostname``, ``iri_is_idn_hostname``, ``iri_percent_encode``,
    ``iri_percent_decode``, ``iri_extract`` (a list of structs), ``iri_redact``, ``iri_archive_key``,
    ``iri_template_match`` (a map), ``iri_judge`` (a struct), ``iri_display_rule``, ``iri_resolve(base, reference)`` and
    ``iri_relativize(base, target)``. All connections to the database have them. What is there already stays.

    >>> import duckdb
    >>> from simd_iri.duckdb import register
    >>> with duckdb.connect() as connection:
    ...     register(connection)
    ...     connection.sql("SELECT iri_resolve('http://a/b/', '../c'), iri_normalize('http://A:80', 'scheme')").fetchall()
    [('http://a/c', 'http://a/')]
    """
    with _LOCK:
        asking = connection.cursor()
        found = asking.execute(
            "SELECT function_name, len(parameters) FROM duckdb_functions() WHERE function_type = 'scalar'"
        )
        there = set(found.fetchall())
        # A connection makes no two functions of one name, but a second connection adds another number of parameters.
        makers = [connection.cursor() for _ in range(max(len(f.counts) for f in FUNCTIONS.values()))]
        for name, function in FUNCTIONS.items():
            for maker, count in zip(makers, function.counts):
                if (name, count) not in there:
                    maker.create_function(
                        name,
                        _CALLS[name, count],
                        ["VARCHAR"] * count,
                        _TYPES[function.result],
                        type="arrow",
                        null_handling="special",
                    )
