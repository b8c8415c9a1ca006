"""Compares the functions of the extension with those that the Python module registers: names, numbers of parameters, types,
results and refusals. The calls are those of adapters/python/tests/sql.py. Calls each name of docs/operations.md, too.

Usage: python.py EXTENSION
"""

import importlib.util
import sys
from pathlib import Path

import duckdb

import simd_iri.duckdb

ROOT = Path(__file__).resolve().parents[3]
LIST = """
    SELECT function_name, list(len(parameters) ORDER BY len(parameters)), any_value(return_type) FROM duckdb_functions()
    WHERE function_name LIKE 'iri\\_%' ESCAPE '\\' GROUP BY 1 ORDER BY 1
"""


def of_python(name):
    """A module of the tests of the Python module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / f"adapters/python/tests/{name}.py")
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def main():
    sql, operations = of_python("sql"), of_python("operations")
    extension = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    extension.execute(f"LOAD '{sys.argv[1]}'")
    module = duckdb.connect()
    simd_iri.duckdb.register(module)
    functions = extension.sql(LIST).fetchall()
    assert functions and functions == module.sql(LIST).fetchall(), functions

    def call(operation, name, case):
        query = f"SELECT {operations.expression(sql, name, case)} FROM (SELECT $text::VARCHAR AS text)"
        return operations.plain(operation, extension.execute(query, {"text": case["input"]}).fetchone()[0])

    operations.check("SQL", call)

    count = 0
    for name, rows in sql.calls(2000):
        names = [f"a{at}" for at in range(len(rows[0]))]
        source = ", ".join(f"unnest(${name}::VARCHAR[]) AS {name}" for name in names)
        query, columns = f"SELECT {name}({', '.join(names)}) FROM (SELECT {source})", dict(zip(names, map(list, zip(*rows))))
        pair = (connection.execute(query, columns).fetchall() for connection in (extension, module))
        for row, theirs, ours in zip(rows, *pair, strict=True):
            assert theirs == ours, (name, row, theirs, ours)
            count += 1

    # Of a literal NULL, DuckDB makes a null without a call of the extension, whatever the other arguments are.
    refused = [*sql.WRONG_ARITY, *(call for call, _ in sql.WRONG_NAMES if "NULL" not in call)]
    for call in refused:
        kinds = []
        for connection in (extension, module):
            try:
                connection.sql(f"SELECT {call}").fetchall()
            except duckdb.Error as error:
                kinds.append(type(error))
                assert sql.SECRET not in str(error), error
        assert len(kinds) == 2 and kinds[0] == kinds[1], (call, kinds)
    print(f"{len(functions)} functions: {count} calls and {len(refused)} refusals are the same in the extension and in Python")


if __name__ == "__main__":
    main()
