"""The modules for other packages."""

import gc
import json

import duckdb
import jsonschema
import polars as pl
import pydantic
import pytest
import rdflib
import sql
from conftest import cases

import simd_iri.duckdb
import simd_iri.jsonschema
import simd_iri.polars
import simd_iri.pydantic
import simd_iri.rdflib
from simd_iri import Iri, IriError, _sql, arrow

URLS = ["http://u@www.example.co.uk:80/a/../%7eb?q=%C3%A9#f", "a|b", None, "urn:isbn:0451450523", ""]
SYNTAX = cases("rfc_syntax.jsonl")


@pytest.mark.parametrize("kind", ["iri", "iri-reference", "uri", "uri-reference"])
def test_formats_of_json_schema(kind):
    checker = simd_iri.jsonschema.format_checker()
    schema = jsonschema.Draft202012Validator({"format": kind}, format_checker=checker)
    ours = [case for case in SYNTAX if case["kind"] == kind]
    assert [schema.is_valid(case["input"]) for case in ours] == [case["valid"] for case in ours]
    assert schema.is_valid(1) and schema.is_valid(None)
    # The formats of everyone else stay as they are.
    others = jsonschema.FormatChecker()
    assert others.checkers.get(kind) != checker.checkers[kind]
    assert set(others.checkers) <= set(checker.checkers)


def test_names_of_hosts_in_json_schema():
    checker = simd_iri.jsonschema.format_checker()
    assert checker.conforms("例え.jp", "idn-hostname") and not checker.conforms("例え.jp", "hostname")
    assert checker.conforms("a.example", "hostname") and not checker.conforms("-a", "hostname")


METHODS = [
    ("is_valid", (), arrow.is_valid),
    ("parse", (), arrow.parse),
    ("error", (), arrow.error),
    *[
        (name, (), lambda rows, name=name: arrow.component(rows, name))
        for name in ("scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment")
    ],
    ("normalize", ("scheme",), lambda rows: arrow.normalize(rows, "scheme")),
    ("to_uri", (), arrow.to_uri),
    ("to_iri", (), arrow.to_iri),
    ("display", (), arrow.display),
    ("registrable_domain", (), arrow.registrable_domain),
    ("origin", (), arrow.origin),
    ("query_value", ("q",), lambda rows: arrow.query_value(rows, "q")),
    ("fingerprint", (), arrow.fingerprint),
    ("prepare", (), arrow.prepare),
    ("lint", ("crawler",), lambda rows: arrow.lint(rows, "crawler")),
    ("resolve", ("http://a/b",), lambda rows: arrow.resolve("http://a/b", rows)),
    ("relativize", ("http://a/b",), lambda rows: arrow.relativize("http://a/b", rows)),
]


def test_all_methods_of_polars_are_tested():
    public = {name for name in dir(simd_iri.polars.IriSeries) if not name.startswith("_")}
    assert public == {name for name, _, _ in METHODS}


@pytest.mark.parametrize("name, arguments, kernel", METHODS, ids=[name for name, *_ in METHODS])
def test_polars(name, arguments, kernel):
    frame = pl.DataFrame({"url": pl.concat([pl.Series(URLS), pl.Series(URLS)])})
    expected = kernel(URLS).to_pylist() * 2
    series = getattr(frame["url"].iri, name)(*arguments)
    assert series.to_list() == expected and series.name == "url"
    column = getattr(pl.col("url").iri, name)(*arguments)
    lazy = frame.lazy().select(column)
    assert lazy.collect()["url"].to_list() == expected
    assert lazy.collect_schema()["url"] == lazy.collect()["url"].dtype == series.dtype
    assert frame.slice(3, 4).select(column)["url"].to_list() == expected[3:7]
    assert frame.clear().select(column)["url"].dtype == series.dtype


@pytest.fixture(scope="module")
def connection():
    with duckdb.connect() as connection:
        simd_iri.duckdb.register(connection)
        yield connection


def ask(connection, name, rows):
    """The results of a function of SQL for rows of arguments."""
    names = [f"a{at}" for at in range(len(rows[0]))]
    source = ", ".join(f"unnest(${name}::VARCHAR[]) AS {name}" for name in names)
    columns = dict(zip(names, map(list, zip(*rows))))
    found = connection.execute(f"SELECT {name}({', '.join(names)}) FROM (SELECT {source})", columns)
    return [result for (result,) in found.fetchall()]


CALLS = list(sql.calls())


def test_functions_of_sql_are_those_of_the_extension():
    # The extension asks its own functions whether its README lists them (engines/duckdb/tests).
    assert set(_sql.FUNCTIONS) == set(sql.PARAMETERS)
    for name, function in _sql.FUNCTIONS.items():
        parameters = sql.PARAMETERS[name].split()
        needed = [parameter for parameter in parameters if not parameter.endswith("?")]
        assert function.counts == range(len(needed), len(parameters) + 1), name


@pytest.mark.parametrize("name, rows", CALLS, ids=[f"{name}-{len(rows[0])}" for name, rows in CALLS])
def test_duckdb(connection, name, rows):
    expected = [sql.expected(name, row) for row in rows]
    assert ask(connection, name, rows) == expected
    # More rows than a chunk has, and the same settings in all of them.
    text, *settings = next(row for row in rows if None not in row)
    if name not in ("iri_resolve", "iri_relativize"):
        texts = sql.TEXTS * 400 + [None]
        found = ask(connection, name, [[text, *settings] for text in texts])
        assert found == [sql.expected(name, [text, *settings]) for text in sql.TEXTS] * 400 + [None]
    assert ask(connection, name, [[None] * len(rows[0])]) == [None]
    assert connection.sql(f"SELECT {name}({', '.join(['NULL'] * len(rows[0]))})").fetchall() == [(None,)]


def test_duckdb_refuses_wrong_arguments(connection):
    for call in [*sql.WRONG_ARITY, "iri_host()", "iri_host([])"]:
        with pytest.raises(duckdb.BinderException, match=call.partition("(")[0]):
            connection.sql(f"SELECT {call}")
    for call, words in sql.WRONG_NAMES:
        with pytest.raises(duckdb.InvalidInputException) as raised:
            connection.sql(f"SELECT {call}").fetchall()
        assert all(word in str(raised.value) for word in words), str(raised.value)
        assert sql.SECRET not in str(raised.value)


def test_duckdb_registers_twice(tmp_path):
    path = str(tmp_path / "file.duckdb")
    query = "SELECT iri_host('http://a/'), iri_host('http://a/', 'URI')"
    with duckdb.connect(path) as connection:
        connection.begin()
        for _ in range(3):
            simd_iri.duckdb.register(connection)
            simd_iri.duckdb.register(connection.cursor())
        connection.rollback()
        gc.collect()
        assert connection.sql(query).fetchall() == connection.cursor().sql(query).fetchall() == [("a", "a")]
    with duckdb.connect(path, read_only=True) as connection:
        # A database does not keep the functions.
        with pytest.raises(duckdb.CatalogException):
            connection.sql(query)
        simd_iri.duckdb.register(connection)
        assert connection.sql(query).fetchall() == [("a", "a")]


def test_duckdb_keeps_a_result_that_is_being_read(connection):
    pending = connection.execute("SELECT * FROM range(10000)")
    first = pending.fetchmany(1)
    simd_iri.duckdb.register(connection)
    assert len(first + pending.fetchall()) == 10000


class Page(pydantic.BaseModel):
    url: simd_iri.pydantic.Iri
    more: list[simd_iri.pydantic.Iri] = []


def test_pydantic():
    page = Page(url="http://例え.jp/", more=[Iri("a:b")])
    assert page.url == Iri("http://例え.jp/") and page.more == [Iri("a:b")]
    assert Page.model_validate_json(page.model_dump_json()) == page
    assert page.model_dump() == {"url": page.url, "more": page.more}
    assert simd_iri.pydantic.Iri is Iri
    for mode in ("validation", "serialization"):
        assert Page.model_json_schema(mode=mode)["properties"]["url"]["format"] == "iri"
    with pytest.raises(pydantic.ValidationError, match="write %7C"):
        Page.model_validate_json('{"url": "http://a/|"}')


@pytest.mark.parametrize("wrong, kind", [("a|b", "value_error"), (1, "string_type"), (None, "string_type"), ("http://u:p@|", "value_error")])
def test_an_error_of_pydantic_is_one_at_the_field(wrong, kind):
    for call, place in (
        (lambda: Page(url=wrong), ("url",)),
        (lambda: Page.model_validate_json(json.dumps({"url": wrong})), ("url",)),
        (lambda: Page(url="a:b", more=["a:b", wrong]), ("more", 1)),
        (lambda: Optional(url=wrong) if wrong is not None else Page(url=None), ("url",)),
    ):
        with pytest.raises(pydantic.ValidationError) as raised:
            call()
        [error] = raised.value.errors()
        assert error["loc"] == place and error["type"] == kind, error
        if kind == "value_error":
            assert isinstance(error["ctx"]["error"], IriError)


class Optional(pydantic.BaseModel):
    url: Iri | None = None


@pytest.mark.parametrize(
    "wrong",
    ["http://me:geheim@a/|", "http://me:ge/geheim@a", "me:geheim @a", "http:\\\\me:geheim@a", "http://me:x@geheim@a", "http:/me:geheim@a|", "//me://geheim@a|"],
)
def test_pydantic_shows_no_password(wrong):
    with pytest.raises(pydantic.ValidationError) as raised:
        Page(url=wrong)
    error = raised.value
    for shown in (str(error), repr(error), repr(error.errors()), error.json()):
        assert "geheim" not in shown and "***" in shown, shown
    assert "input_type=str" in str(error)


def test_rdflib():
    graph = rdflib.Graph()
    good, bad, worse = map(rdflib.URIRef, ["http://例え.jp/", "http://a/%zz", "relative"])
    graph.add((good, bad, rdflib.Literal("1", datatype=worse)))
    graph.add((bad, good, rdflib.BNode()))
    found = dict(simd_iri.rdflib.invalid(graph))
    assert set(found) == {bad, worse} and found[bad].start == 9
    with pytest.raises(IriError):
        simd_iri.rdflib.uriref("relative")
