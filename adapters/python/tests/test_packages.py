"""The modules for other packages."""

import gc
import inspect
import json

import duckdb
import jsonschema
import pandas as pd
import polars as pl
import pyarrow as pa
import pydantic
import pytest
import rdflib
import sql
from conftest import cases

import simd_iri.duckdb
import simd_iri.jsonschema
import simd_iri.pandas
import simd_iri.polars
import simd_iri.pydantic
import simd_iri.rdflib
from simd_iri import Iri, IriError, IriRef, QueryRules, Uri, UriRef, _sql, arrow, is_valid
from simd_iri._methods import PARTS, Methods

URLS = ["http://u@www.example.co.uk:80/a/../%7eb?q=%C3%A9#f", "a|b", None, "urn:isbn:0451450523", ""]
SYNTAX = cases("rfc*/parse/*.jsonl")


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


@pytest.mark.parametrize("kind", ["iri", "iri-reference", "uri", "uri-reference"])
def test_the_cause_of_an_error_of_json_schema(kind):
    schema = jsonschema.Draft202012Validator({"format": kind}, format_checker=simd_iri.jsonschema.format_checker())
    for case in SYNTAX:
        if case["kind"] == kind and not case["valid"]:
            [error] = schema.iter_errors(case["input"])
            [row] = arrow.error([case["input"]], kind).to_pylist()
            assert type(error.cause) is IriError
            assert (error.cause.kind, error.cause.component) == (row["kind"], row["component"])


def test_names_of_hosts_in_json_schema():
    checker = simd_iri.jsonschema.format_checker()
    assert checker.conforms("例え.jp", "idn-hostname") and not checker.conforms("例え.jp", "hostname")
    assert checker.conforms("a.example", "hostname") and not checker.conforms("-a", "hostname")


METHODS = [
    ("is_valid", ()),
    ("parse", ()),
    ("error", ()),
    *[(name, ("uri",)) for name in PARTS],
    ("normalize", ("scheme",)),
    ("to_uri", ()),
    ("to_iri", ()),
    ("display", ()),
    ("registrable_domain", ()),
    ("origin", ()),
    ("query_value", ("q",)),
    ("drop_query_pairs", (["q"],)),
    ("unwrap", (2, "iri-reference")),
    ("apply_query_rules", (QueryRules("$removeparam=q", "adguard"), "iri-reference")),
    ("masked", ()),
    ("skeleton", ()),
    ("fix", ("crawler",)),
    ("is_hostname", ()),
    ("is_idn_hostname", ()),
    ("percent_encode", ("query-part",)),
    ("percent_decode", ()),
    ("key", ("scheme",)),
    ("display_in_text", ()),
    ("violations", ("uri",)),
    ("fingerprint", ()),
    ("prepare", ("rdf",)),
    ("lint", ("crawler",)),
    ("extract", ("markdown",)),
    ("redact", (["common"],)),
    ("archive_key", ("wayback",)),
    ("template_match", ("http://{host}{/path*}{?q}",)),
    ("judge", ()),
    ("display_rule", ("firefox",)),
    ("resolve", ("http://a/b",)),
    ("relativize", (Iri("http://a/b"),)),
]
WITH_BASE = ("resolve", "relativize")


def test_the_namespace_has_each_function_of_a_column():
    public = {name for name in dir(Methods) if not name.startswith("_")}
    assert public == {name for name, _ in METHODS}
    # Each component has a method of its own.
    assert public == set(arrow.__all__) - {"Array", "component"}
    for name in public - set(WITH_BASE):
        method, function = (inspect.signature(getattr(of, name)).parameters for of in (Methods, arrow))
        assert [(p.kind, p.default) for p in [*method.values()][1:]] == [
            (p.kind, p.default) for p in [*function.values()][1:]
        ]


def rows_of(name, arguments, rows):
    """What the function of a column gives."""
    kernel = getattr(arrow, name)
    made = kernel(*arguments, rows) if name in WITH_BASE else kernel(rows, *arguments)
    return made.to_pylist()


@pytest.mark.parametrize("name, arguments", METHODS, ids=[name for name, _ in METHODS])
def test_polars(name, arguments):
    frame = pl.DataFrame({"url": pl.concat([pl.Series(URLS), pl.Series(URLS)])})
    expected = rows_of(name, arguments, URLS) * 2
    series = getattr(frame["url"].iri, name)(*arguments)
    assert series.to_list() == expected and series.name == "url"
    column = getattr(pl.col("url").iri, name)(*arguments)
    lazy = frame.lazy().select(column)
    assert lazy.collect()["url"].to_list() == expected
    assert lazy.collect_schema()["url"] == lazy.collect()["url"].dtype == series.dtype
    assert frame.slice(3, 4).select(column)["url"].to_list() == expected[3:7]
    assert frame.clear().select(column)["url"].dtype == series.dtype


BASES = ["http://a/b/c", "x:y", None, "no base", "http://例え.jp"]


@pytest.mark.parametrize("name", WITH_BASE)
def test_polars_has_bases_in_a_column(name):
    frame = pl.DataFrame({"base": BASES * 3, "url": URLS * 3})
    expected = getattr(arrow, name)(BASES * 3, URLS * 3).to_pylist()
    column = getattr(pl.col("url").iri, name)(pl.col("base"))
    for engine in ("in-memory", "streaming"):
        made = frame.lazy().select(column).collect(engine=engine)
        assert made.columns == ["url"] and made["url"].to_list() == expected
    assert frame.lazy().select(column).collect_schema() == {"url": pl.String}
    assert getattr(frame["url"].iri, name)(frame["base"]).to_list() == expected
    assert frame.clear().select(column).height == 0
    # A filter and another expression are columns too.
    some = frame.filter(pl.col("base").is_not_null()).select(getattr(pl.col("url").iri, name)(pl.col("base") + ""))
    assert some["url"].to_list() == [row for row, base in zip(expected, BASES * 3) if base is not None]
    # A literal stands for all rows, on both sides.
    one = frame.select(getattr(pl.col("url").iri, name)(pl.lit("http://a/b/c")))
    assert one["url"].to_list() == getattr(arrow, name)("http://a/b/c", URLS * 3).to_pylist()
    one = frame.select(made=getattr(pl.lit("http://a/d").iri, name)(pl.col("base")))
    assert one["made"].to_list() == getattr(arrow, name)(BASES * 3, ["http://a/d"] * 15).to_pylist()
    with pytest.raises(ValueError, match="5 bases for 15 references"):
        getattr(frame["url"].iri, name)(pl.Series(BASES))


PANDAS_TYPES = [object, "str", "string", "string[python]", "category"] + [
    pd.ArrowDtype(kind)
    for kind in (pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string()))
]


@pytest.mark.parametrize("name, arguments", METHODS, ids=[name for name, _ in METHODS])
def test_pandas(name, arguments):
    expected = rows_of(name, arguments, URLS)
    index = pd.Index(["a", "b", "b", "c", "d"], name="label")
    for dtype in PANDAS_TYPES:
        series = pd.Series(URLS, dtype=dtype, index=index, name="url")
        made = getattr(series.iri, name)(*arguments)
        assert type(made) is pd.Series and made.name == "url" and made.index is series.index
        assert isinstance(made.dtype, pd.ArrowDtype)
        assert pa.array(made.array).to_pylist() == expected, dtype
        part = getattr(series.iloc[1:3].iri, name)(*arguments)
        assert pa.array(part.array).to_pylist() == expected[1:3] and list(part.index) == ["b", "b"]
        empty = getattr(series[:0].iri, name)(*arguments)
        assert len(empty) == 0 and pa.types.is_string(made.dtype.pyarrow_dtype) == pa.types.is_string(empty.dtype.pyarrow_dtype)


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA])
def test_what_is_missing_in_pandas_is_missing_in_results(missing):
    series = pd.Series(["http://a/", missing], dtype=object)
    for made in (series.iri.host(), series.iri.is_valid(), series.iri.extract(), series.iri.parse()):
        assert made.isna().tolist() == [False, True]


@pytest.mark.parametrize("name", WITH_BASE)
def test_pandas_has_bases_in_a_column(name):
    frame = pd.DataFrame({"base": BASES, "url": URLS}, index=list("edcba"))
    expected = getattr(arrow, name)(BASES, URLS).to_pylist()
    made = getattr(frame["url"].iri, name)(frame["base"])
    assert pa.array(made.array).to_pylist() == expected and list(made.index) == list("edcba")
    # Rows with the same label belong together, and a row without a base is missing.
    assert getattr(frame["url"].iri, name)(frame["base"].sort_index()).equals(made)
    fewer = getattr(frame["url"].iri, name)(frame["base"][1:])
    assert fewer.isna().iloc[0] and fewer[1:].equals(made[1:])


def test_pandas_makes_no_objects_of_a_column_of_arrow(monkeypatch):
    series = pd.Series(URLS * 10, dtype=pd.ArrowDtype(pa.string()))

    def refuse(*_):
        raise AssertionError("read as objects")

    for member in ("__iter__", "__getitem__", "to_numpy", "__array__"):
        monkeypatch.setattr(pd.arrays.ArrowExtensionArray, member, refuse)
    made = series.iri.host()
    monkeypatch.undo()
    assert pa.array(made.array).to_pylist() == arrow.host(URLS * 10).to_pylist()


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
    # The extension asks its own functions whether its README lists them (adapters/duckdb/tests).
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


CLASSES = {"iri": Iri, "iri-reference": IriRef, "uri": Uri, "uri-reference": UriRef}


@pytest.mark.parametrize("rule", CLASSES)
def test_pydantic_has_each_class(rule):
    kind = CLASSES[rule]
    model = pydantic.create_model("Model", url=kind)
    for mode in ("validation", "serialization"):
        assert model.model_json_schema(mode=mode)["properties"]["url"] == {"title": "Url", "type": "string", "format": rule}
    for text in ("http://é/", "http://a/", "b", "é", "a|b"):
        inputs = [text, *(other(text) for name, other in CLASSES.items() if is_valid(text, name))]
        for given in inputs:
            if is_valid(text, rule):
                made = model(url=given)
                assert type(made.url) is kind or isinstance(given, kind)
                assert json.loads(made.model_dump_json()) == {"url": text}
            else:
                with pytest.raises(pydantic.ValidationError) as raised:
                    model(url=given)
                [error] = raised.value.errors()
                assert error["loc"] == ("url",) and isinstance(error["ctx"]["error"], IriError)


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
