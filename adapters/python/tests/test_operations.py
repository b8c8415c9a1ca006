"""Every name that docs/operations.md has for Python, Arrow, Polars and SQL is called with the cases of
tests/data/operations.jsonl. The other engines of SQL have such a test of their own."""

import ast
import inspect
import json

import duckdb
import operations
import pandas as pd
import polars as pl
import pyarrow
import sql

import simd_iri
import simd_iri.duckdb
import simd_iri.pandas
import simd_iri.polars
from simd_iri import Iri, IriError, QueryRules, Template, _sql, arrow


def parsed(name):
    """The name of a function in a cell, and the settings in the cell: `to_uri(idna=True)` is `to_uri` with `idna`."""
    name, _, settings = name.partition("(")
    call = ast.parse(f"f({settings or ')'}", mode="eval").body
    return name, {each.arg: ast.literal_eval(each.value) for each in call.keywords}


def settings_of(function, case):
    """The settings of a case that the function takes. A function without the parameter `rule` takes all references."""
    taken = inspect.signature(function).parameters
    fields = ("rule", "level", "profile", "markup", "name", "format", "direction", "charset", "policy")
    given = {name: DIRECTIONS.get(case[name], case[name]) for name in fields if name in case}
    if "names" in taken:
        given["names"] = [given.pop("name")]
    assert taken.keys() | {"rule"} >= given.keys(), (function, case)
    return {name: value for name, value in given.items() if name in taken}


def components(text):
    iri = Iri(text)
    names = ("scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment")
    return {name: as_text(getattr(iri, name)) for name in names}


def as_text(value):
    return None if value is None else str(value)


def error(text):
    try:
        Iri(text)
    except IriError as raised:
        return {name: getattr(raised, name) for name in ("kind", "start", "end", "component")}
    return None


def of_iri(name, case):
    """The value of an attribute or of a method of `Iri`."""
    value = getattr(Iri(case["input"]), name)
    return as_text(value(case["value"]) if callable(value) else value)


def more(name, case):
    """The arguments of a kernel after the rows that are not settings: the template of the cases, or the rules of a case."""
    if name == "template_match":
        return [operations.TEMPLATE]
    return [QueryRules(case["rules"])] if name == "apply_query_rules" else []


DIRECTIONS = {"ltr": "left-to-right", "rtl": "right-to-left"}

# How an answer becomes that of the cases.
FORMS = {
    "fingerprint": str,
    "violations": lambda errors: [error.start for error in errors],
    "prepare": lambda prepared: prepared.text,
    "lint": lambda findings: [finding.code for finding in findings],
    "extract": lambda links: [link.reference for link in links],
    "redactions": lambda redactions: [redaction.start for redaction in redactions],
    "judge": lambda verdict: verdict.url_to_send,
    "judge_redirect": lambda redirect: redirect.verdict.url_to_send,
    "judge_address": lambda found: found is None,
}


def of_python(_, name, case):
    text = case["input"]
    if name == "IriError":
        return error(text)
    if name == "Iri":
        return components(text)
    if name.startswith("Iri."):
        return of_iri(name.removeprefix("Iri."), case)
    if name == "build":
        return simd_iri.build(scheme="http", host="a", path=text)
    if name == "Template.match":
        values = Template(operations.TEMPLATE).match(text)
        return values and operations.written(values)
    if name == "Template.expand":
        return Template(operations.TEMPLATE).expand(json.loads(text))
    if name == "QueryRules.apply":
        return QueryRules(case["rules"]).apply(text)
    if name == "judge_redirect":
        return FORMS[name](simd_iri.judge_redirect(text, case["base"]))
    name, settings = parsed(name)
    function = getattr(simd_iri, name)
    texts = [case["base"], text] if "base" in case else [text]
    answer = function(*texts, **settings, **settings_of(function, case))
    return FORMS.get(name, lambda same: same)(answer)


def of_arrow(operation, name, case):
    name, settings = parsed(name.removeprefix("arrow."))
    function = getattr(arrow, name)
    texts = [case["base"], [case["input"]]] if "base" in case else [[case["input"]]]
    rows = function(*texts, *more(name, case), **settings, **settings_of(function, case))
    return operations.plain(operation, rows.to_pylist()[0])


def of_series(series, to_list):
    """A call of a method of a series of Polars or of pandas."""

    def call(operation, name, case):
        name, settings = parsed(name.removeprefix(".iri."))
        function = getattr(series([case["input"]]).iri, name)
        base = [case["base"]] if "base" in case else more(name, case)
        rows = function(*base, **settings, **settings_of(function, case))
        return operations.plain(operation, to_list(rows)[0])

    return call


def none_of_error(call):
    """A call that returns `None` instead of an error. A kernel raises only about a base that is given for all rows."""

    def called(operation, name, case):
        try:
            return call(operation, name, case)
        except IriError:
            return None
        except ValueError:
            # A file has no name in this system, or a name has no IRI.
            assert "path" in name, (name, case)
            return None

    return called


def test_python():
    operations.check("Python", none_of_error(of_python))


def test_arrow():
    operations.check("Arrow", none_of_error(of_arrow))


def test_polars():
    operations.check("Polars", none_of_error(of_series(pl.Series, pl.Series.to_list)))


def test_pandas():
    # A list of pandas has other nulls than `None`.
    to_list = lambda rows: pyarrow.array(rows).to_pylist()
    operations.check("Polars", none_of_error(of_series(pd.Series, to_list)))


def public(owner):
    return {name for name in dir(owner) if not name.startswith("_") and callable(getattr(owner, name))}


def test_the_page_has_each_function():
    # `component` takes the name of a component.
    arrays = {f"arrow.{name}" for name in public(arrow) - {"Array", "component"}}
    assert operations.names("Arrow") == arrays
    assert operations.names("Polars") == {f".iri.{name}" for name in public(simd_iri.polars.IriSeries)}
    assert operations.names("Polars") == {f".iri.{name}" for name in public(simd_iri.pandas.IriAccessor)}
    assert operations.names("SQL") == set(_sql.FUNCTIONS)
    functions = {name for name in simd_iri.__all__ if not isinstance(getattr(simd_iri, name), type)} - {"arrow"}
    named = operations.names("Python")
    assert functions <= named
    assert {f"Template.{name}" for name in public(Template)} <= named
    assert {f"QueryRules.{name}" for name in public(QueryRules)} <= named
    # The other methods are functions of one text, too, or as `with_path`.
    methods = {name for name in dir(Iri) if not name.startswith(("_", "with_"))} - functions - {"join"}
    assert methods <= {name.removeprefix("Iri.") for name in named}


def test_the_functions_of_sql_are_those_that_were_promised():
    connection = duckdb.connect()
    simd_iri.duckdb.register(connection)
    query = """
        SELECT function_name || '(' || array_to_string(parameter_types, ', ') || ') -> ' || return_type AS line
        FROM duckdb_functions() WHERE starts_with(function_name, 'iri_') ORDER BY line
    """
    found = [line for (line,) in connection.sql(query).fetchall()]
    # docs/versions.md says what a change of this file means. The other engines have these functions: the tests above, those of
    # adapters/duckdb and of adapters/datafusion compare the names.
    assert found == (operations.ROOT / "tests/promises/sql.txt").read_text(encoding="utf-8").splitlines()


def test_duckdb():
    connection = duckdb.connect()
    simd_iri.duckdb.register(connection)

    def call(operation, name, case):
        query = f"SELECT {operations.expression(sql, name, case)} FROM (SELECT $text::VARCHAR AS text)"
        return operations.plain(operation, connection.execute(query, {"text": case["input"]}).fetchone()[0])

    operations.check("SQL", call)
