"""The modules for other packages."""

import duckdb
import jsonschema
import polars as pl
import pydantic
import pytest
import rdflib
from conftest import cases

import simd_iri.duckdb
import simd_iri.jsonschema
import simd_iri.polars
import simd_iri.pydantic
import simd_iri.rdflib
from simd_iri import Iri, IriError, arrow

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


DUCKDB = {
    "iri_valid": arrow.is_valid,
    "iri_parse": arrow.parse,
    "iri_error": arrow.error,
    "iri_host": lambda rows: arrow.component(rows, "host"),
    "iri_host_kind": lambda rows: arrow.component(rows, "host_kind"),
    "iri_query": lambda rows: arrow.component(rows, "query"),
    "iri_normalize": arrow.normalize,
    "iri_to_uri": arrow.to_uri,
    "iri_to_iri": arrow.to_iri,
    "iri_display": arrow.display,
    "iri_registrable_domain": arrow.registrable_domain,
    "iri_origin": arrow.origin,
    "iri_fingerprint": arrow.fingerprint,
    "iri_prepare": arrow.prepare,
    "iri_lint": arrow.lint,
}


@pytest.fixture(scope="module")
def connection():
    with duckdb.connect() as connection:
        simd_iri.duckdb.register(connection)
        connection.execute("CREATE TABLE urls AS SELECT unnest(?::VARCHAR[]) AS url", [URLS * 1000])
        yield connection


@pytest.mark.parametrize("name", DUCKDB)
def test_duckdb(connection, name):
    rows = connection.sql(f"SELECT {name}(url) FROM urls").fetchall()
    assert [row for (row,) in rows] == DUCKDB[name](URLS * 1000).to_pylist()


def test_duckdb_with_a_base(connection):
    rows = connection.sql("SELECT iri_resolve('http://a/b/c', url) FROM urls LIMIT 5").fetchall()
    assert [row for (row,) in rows] == arrow.resolve("http://a/b/c", URLS).to_pylist()
    row = connection.sql("SELECT iri_relativize('http://a/b/c', 'http://a/b/d')").fetchall()
    assert row == [("d",)]


class Page(pydantic.BaseModel):
    url: simd_iri.pydantic.Iri
    more: list[simd_iri.pydantic.Iri] = []


def test_pydantic():
    page = Page(url="http://例え.jp/", more=[Iri("a:b")])
    assert page.url == Iri("http://例え.jp/") and page.more == [Iri("a:b")]
    assert Page.model_validate_json(page.model_dump_json()) == page
    assert page.model_dump() == {"url": page.url, "more": page.more}
    assert Page.model_json_schema()["properties"]["url"]["format"] == "iri"
    for wrong in ("a|b", 1, None):
        with pytest.raises(pydantic.ValidationError):
            Page(url=wrong)
    with pytest.raises(pydantic.ValidationError, match="write %7C"):
        Page.model_validate_json('{"url": "http://a/|"}')


def test_rdflib():
    graph = rdflib.Graph()
    good, bad, worse = map(rdflib.URIRef, ["http://例え.jp/", "http://a/%zz", "relative"])
    graph.add((good, bad, rdflib.Literal("1", datatype=worse)))
    graph.add((bad, good, rdflib.BNode()))
    found = dict(simd_iri.rdflib.invalid(graph))
    assert set(found) == {bad, worse} and found[bad].start == 9
    with pytest.raises(IriError):
        simd_iri.rdflib.uriref("relative")
