"""The kernels over columns: the same answers as single calls, through every way into Arrow and out of it."""

import gc
import threading

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import simd_iri
from simd_iri import Iri, IriError, QueryRules, arrow

ROWS = st.lists(
    st.one_of(
        st.none(),
        st.text(alphabet="ab:/?#[]@%.-01é例\U0001f600 |", max_size=30),
        st.text(alphabet="ab/?#.:@%é |", max_size=30).map("http://example.org/".__add__),
    ),
    max_size=12,
)
TYPES = [
    pa.string(),
    pa.large_string(),
    pa.string_view(),
    pa.binary(),
    pa.large_binary(),
    pa.binary_view(),
    pa.dictionary(pa.int8(), pa.string()),
    pa.dictionary(pa.uint32(), pa.large_string()),
]
URLS = ["http://例え.jp:80/a?b#c", "a|b", None, "urn:isbn:0451450523", "", "http://u@a/é" * 3]

# The arguments of a kernel beside the rows.
MORE = {
    "component": ["host"],
    "query_value": ["q"],
    "drop_query_pairs": [["q"]],
    "display_rule": ["chromium"],
    "apply_query_rules": [QueryRules("[[drop]]\nnames = ['b']")],
    "template_match": ["http://{host}{/path*}{?q}"],
}


def single(call):
    """A function of a text that is `None` where `call` raises."""

    def answer(text):
        try:
            return None if text is None else call(text)
        except IriError:
            return None

    return answer


KERNELS = {
    "is_valid": (arrow.is_valid, lambda text: simd_iri.is_valid(text)),
    "host": (lambda rows: arrow.component(rows, "host"), lambda text: Iri(text).host),
    "query": (lambda rows: arrow.component(rows, "query"), lambda text: Iri(text).query),
    "normalize": (arrow.normalize, lambda text: str(Iri(text).normalize())),
    "to_uri": (arrow.to_uri, lambda text: str(Iri(text).to_uri())),
    "to_iri": (arrow.to_iri, lambda text: str(Iri(text).to_iri())),
    "drop_query_pairs": (
        lambda rows: arrow.drop_query_pairs(rows, ["b", ""]),
        lambda text: simd_iri.drop_query_pairs(Iri(text), ["b", ""]),
    ),
    "fix": (arrow.fix, lambda text: simd_iri.fix(text, rule="iri")),
    "skeleton": (arrow.skeleton, simd_iri.skeleton),
    "is_hostname": (arrow.is_hostname, simd_iri.is_hostname),
    "prepare": (arrow.prepare, lambda text: simd_iri.prepare(text).text),
    "lint": (arrow.lint, lambda text: [f.code for f in simd_iri.lint(text, rule="iri")]),
    "resolve": (
        lambda rows: arrow.resolve("http://a/b", rows),
        lambda text: simd_iri.resolve("http://a/b", text),
    ),
}


@pytest.mark.parametrize("name", KERNELS)
@given(rows=ROWS, kind=st.sampled_from(TYPES), data=st.data())
@settings(max_examples=60)
def test_slices_and_nulls_are_as_single_calls(name, rows, kind, data):
    kernel, call = KERNELS[name]
    start = data.draw(st.integers(0, len(rows)))
    length = data.draw(st.integers(0, len(rows) - start))
    expected = list(map(single(call), rows))
    array = pa.array(rows, pa.string()).cast(kind) if rows else pa.array([], kind)
    part = array.slice(start, length)
    made = kernel(part)
    assert len(made) == length
    assert made.to_pylist() == expected[start : start + length]
    taken = pa.array(made)
    taken.validate(full=True)
    assert taken.to_pylist() == made.to_pylist()
    assert kernel(rows).to_pylist() == expected
    chunks = pa.chunked_array([array.slice(0, start), part, array.slice(start + length)], kind)
    made = kernel(chunks)
    assert made.to_pylist() == expected
    taken = pa.chunked_array(made)
    taken.validate(full=True)
    assert taken.num_chunks == 3 and taken.to_pylist() == expected
    assert pa.array(made).to_pylist() == expected


@pytest.mark.parametrize("kernel", [k for k in arrow.__all__ if k not in ("Array",)])
def test_each_kernel_gives_a_row_for_a_row(kernel):
    more = MORE.get(kernel, [])
    call = getattr(arrow, kernel)
    if kernel in ("resolve", "relativize"):
        call = lambda rows: getattr(arrow, kernel)("http://a/b", rows)
    made = call(pa.array(URLS), *more)
    assert len(made) == len(URLS) and made.to_pylist()[2] is None
    taken = pa.array(made)
    taken.validate(full=True)
    assert taken.to_pylist() == made.to_pylist()
    assert pa.array(made.with_views()).to_pylist() == made.to_pylist()
    empty = call(pa.chunked_array([], pa.string()), *more)
    assert len(empty) == 0 and pa.chunked_array(empty).type == taken.type
    assert pa.array(empty).type == taken.type
    for wrong in (pa.array([1]), pa.array([["a"]]), 1, [1], "http://a/", b"a:b", None):
        with pytest.raises(TypeError):
            call(wrong, *more)


def test_lists_hold_strings_bytes_and_iris():
    rows = ["a:b", b"a:b", Iri("a:b"), None, "a:\udfff", b"a:\xff"]
    assert arrow.is_valid(rows).to_pylist() == [True, True, True, None, False, False]
    assert arrow.is_valid(iter(rows)).to_pylist()[:2] == [True, True]
    kinds = [error and error["kind"] for error in arrow.error(rows).to_pylist()]
    assert kinds == [None] * 4 + ["ill-formed-utf8"] * 2
    with pytest.raises(TypeError, match="item 1 is a int"):
        arrow.is_valid(["a:b", 1])


def test_text_that_is_not_utf8_is_an_invalid_row():
    # An array whose producer says that it is UTF-8.
    data = pa.py_buffer(b"a:ba:\xff")
    offsets = pa.py_buffer((0).to_bytes(4, "little") + (3).to_bytes(4, "little") + (6).to_bytes(4, "little"))
    array = pa.Array.from_buffers(pa.string(), 2, [None, offsets, data])
    assert arrow.is_valid(array).to_pylist() == [True, False]
    assert arrow.normalize(array).to_pylist() == ["a:b", None]


def test_offsets_outside_a_buffer_are_an_error():
    ends = [0, 100, 3]
    offsets = pa.py_buffer(b"".join(end.to_bytes(4, "little") for end in ends))
    array = pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"a:b")])
    with pytest.raises(ValueError):
        arrow.is_valid(array)
    keys = pa.array([7], pa.int8())
    array = pa.DictionaryArray.from_arrays(keys, pa.array(["a:b"]), safe=False)
    with pytest.raises(ValueError):
        arrow.is_valid(array)


def test_views_refer_to_the_input():
    url = "http://a.long.host.example.org/with/a/path/of/some/length"
    for array, made in (
        (array := pa.array([url]), arrow.component(array, "path").with_views()),
        (array := pa.array([url], pa.string_view()), arrow.component(array, "path")),
    ):
        taken = pa.array(made)
        assert taken.type == pa.string_view()
        start = taken.buffers()[2].address - array.buffers()[-1].address
        assert 0 <= start < len(url)
        # The input may go before the result.
        del array, made
        gc.collect()
        assert taken.to_pylist() == [Iri(url).path]


TEXT_TYPES = {
    pa.string(): [pa.string(), pa.binary(), pa.dictionary(pa.int8(), pa.string()), pa.null()],
    pa.large_string(): [pa.large_string(), pa.large_binary(), pa.dictionary(pa.uint32(), pa.large_string())],
    pa.string_view(): [pa.string_view(), pa.binary_view()],
}


def with_texts(kind, made):
    """The type of a result, with this type of texts."""
    if pa.types.is_struct(made):
        return pa.struct([field.with_type(with_texts(kind, field.type)) for field in made])
    if pa.types.is_list(made):
        return pa.list_(made.value_field.with_type(with_texts(kind, made.value_type)))
    return kind if made == pa.string() else made


@pytest.mark.parametrize("kernel", [k for k in arrow.__all__ if k != "Array"])
def test_texts_have_the_type_of_the_input(kernel):
    more = MORE.get(kernel, [])
    call = getattr(arrow, kernel)
    if kernel in ("resolve", "relativize"):
        call = lambda rows: getattr(arrow, kernel)("http://a/b", rows)
    plain = pa.array(call(URLS, *more)).type
    for wanted, kinds in TEXT_TYPES.items():
        for kind in kinds:
            rows = URLS if kind != pa.null() else [None] * 3
            array = pa.array(rows, pa.string() if kind != pa.null() else None).cast(kind)
            made = call(array, *more)
            expected = with_texts(wanted, plain)
            taken = pa.array(made)
            taken.validate(full=True)
            assert taken.type == expected and pa.chunked_array(made).type == expected
            assert pa.DataType._import_from_c_capsule(made.__arrow_c_schema__()) == expected
            assert pa.chunked_array(call(pa.chunked_array([array, array]), *more)).type == expected
            # Each of the three types is there for those who ask for it.
            for asked in TEXT_TYPES:
                other = with_texts(asked, plain)
                for ask in (lambda t: pa.array(made, type=t), lambda t: pa.chunked_array(made, type=t)):
                    asked_for = ask(other)
                    asked_for.validate(full=True)
                    assert asked_for.type == other and asked_for.to_pylist() == made.to_pylist()
            if plain == pa.string():
                assert pa.array(made.with_views()).type == pa.string_view()


def test_pyarrow_computes_with_results():
    hosts = pa.array(arrow.component(pa.array(["http://B/", "http://a/", None]), "host"))
    assert pc.equal(hosts, "B").to_pylist() == [True, False, None]
    assert pc.is_in(hosts, pa.array(["a"])).to_pylist() == [False, True, False]
    assert pc.utf8_lower(hosts).to_pylist() == ["b", "a", None]
    assert pc.fill_null(hosts, "c").to_pylist() == ["B", "a", "c"]
    assert hosts.take(pc.sort_indices(hosts)).to_pylist() == ["B", "a", None]
    table = pa.table({"host": hosts}).join(pa.table({"host": ["a"], "n": [1]}), "host")
    assert sorted(table["n"].to_pylist(), key=str) == [1, None, None]
    assert pa.array(arrow.component(URLS, "host"), type=pa.large_string()).type == pa.large_string()


def test_a_request_for_another_type_gives_what_there_is():
    made = arrow.component(pa.array(["http://example.org/"]), "host")
    for asked in (pa.int8(), pa.struct([("a", pa.string())]), pa.list_(pa.string())):
        capsules = made.__arrow_c_array__(pa.field("", asked).__arrow_c_schema__())
        assert pa.Array._import_from_c_capsule(*capsules).type == pa.string()


@given(rows=ROWS, cuts=st.lists(st.integers(0, 12), max_size=3))
def test_results_are_sequences(rows, cuts):
    array = pa.array(rows, pa.string())
    ends = sorted({0, len(rows), *(cut for cut in cuts if cut < len(rows))})
    chunks = pa.chunked_array([array[a:b] for a, b in zip(ends, ends[1:])], pa.string())
    for kernel in (arrow.is_valid, arrow.normalize, arrow.lint, arrow.error, arrow.fingerprint):
        made = kernel(chunks)
        expected = made.to_pylist()
        assert len(made) == len(rows)
        assert list(made) == expected == [made[row] for row in range(len(rows))]
        assert [made[row - len(rows)] for row in range(len(rows))] == expected
        for outside in (len(rows), -len(rows) - 1, 1 << 62, -(1 << 62)):
            with pytest.raises(IndexError):
                made[outside]
        assert (None in made) == (None in expected)
        for array in (np.asarray(made), np.array(made)):
            assert array.shape == (len(rows),) and array.tolist() == expected
            assert array.flags.writeable
            numbers = {arrow.is_valid: np.dtype(bool), arrow.fingerprint: np.dtype("uint64")}
            has_numbers = kernel in numbers and None not in expected
            assert array.dtype == (numbers[kernel] if has_numbers else np.dtype(object))
    assert np.asarray(arrow.is_valid(["a:b"]), dtype="i8").tolist() == [1]
    with pytest.raises(ValueError, match="copy"):
        np.array(arrow.is_valid(["a:b"]), copy=False)


def test_a_series_of_pandas():
    urls = ["http://a/b", "a|b", None, float("nan"), np.float32("nan"), pd.NA, pd.NaT, np.datetime64("NaT")]
    valid = [True, False] + [None] * 6
    columns = [
        urls,
        pd.Series(urls, dtype=object),
        pd.Index(urls, dtype=object),
        pd.Series(urls, dtype=object, index=range(7, -1, -1)),
        np.array(urls, dtype=object),
    ]
    assert [arrow.is_valid(column).to_pylist() for column in columns] == [valid] * len(columns)
    texts = ["http://a/b", "a|b", None, None]
    for dtype in ["string", "string[python]", "string[pyarrow]", "category", pd.ArrowDtype(pa.string())]:
        series = pd.Series(texts, dtype=dtype)
        for column in (series, series.array, series[1:], series[[True, False, True, False]], pd.Index(series)):
            expected = [{"http://a/b": True, "a|b": False}.get(text) for text in list(column)]
            assert arrow.is_valid(column).to_pylist() == expected, dtype
    for kind in (pa.large_string(), pa.string_view(), pa.null(), pa.dictionary(pa.int8(), pa.string())):
        column = pd.Series(pa.array([None] if kind == pa.null() else ["a:b"]).cast(kind), dtype=pd.ArrowDtype(kind))
        assert arrow.is_valid(column).to_pylist() == [None if kind == pa.null() else True]
    for missing in (pd.Series([None, None]), pd.Series([np.nan, np.nan]), pd.Series([], dtype=object), pd.Series([pd.NA])):
        assert arrow.is_valid(missing).to_pylist() == [None] * len(missing)
    assert arrow.resolve("http://a/", pd.Series(["b", pd.NA])).to_pylist() == ["http://a/b", None]
    for wrong in (pd.Series([1]), pd.Series([1.5]), pd.Series(["a:b", 1]), pd.Series([True]), pd.Series([1], dtype="Int64"), pd.Series(pd.to_datetime(["2026-01-01"]))):
        with pytest.raises(TypeError):
            arrow.is_valid(wrong)


def test_results_are_columns_of_pandas():
    frame = pd.DataFrame({"u": ["http://a/b", "a|b", None]})
    frame["v"] = arrow.is_valid(frame["u"])
    frame["n"] = arrow.normalize(frame["u"])
    frame["codes"] = arrow.lint(frame["u"])
    assert frame["v"].tolist() == [True, False, None]
    assert [None if pd.isna(cell) else cell for cell in frame["n"]] == ["http://a/b", None, None]
    assert frame["codes"].iloc[0] == [] and frame["codes"].iloc[1] is None
    frame = frame.iloc[:2].copy()
    frame["v"] = arrow.is_valid(frame["u"])
    assert frame["v"].dtype == bool and frame[frame["v"]]["u"].tolist() == ["http://a/b"]
    assert pd.Series(arrow.fingerprint(["a:b"])).dtype == "uint64"


def test_a_series_of_arrow_is_not_read_as_objects():
    class Counted:
        """A series whose objects nobody may ask for."""

        __module__ = "pandas.tests"
        array = pd.Series(["a:b", None], dtype=pd.ArrowDtype(pa.string())).array

        def __iter__(self):
            raise AssertionError("read as objects")

    assert arrow.is_valid(Counted()).to_pylist() == [True, None]


def test_a_capsule_is_read_once():
    class Twice:
        def __init__(self, array):
            self.capsules = array.__arrow_c_array__()

        def __arrow_c_array__(self, requested_schema=None):
            return self.capsules

    twice = Twice(pa.array(["a:b"]))
    assert arrow.is_valid(twice).to_pylist() == [True]
    with pytest.raises(ValueError, match="released before"):
        arrow.is_valid(twice)

    class Stream(Twice):
        __arrow_c_array__ = property()

        def __init__(self, array):
            self.capsule = array.__arrow_c_stream__()

        def __arrow_c_stream__(self, requested_schema=None):
            return self.capsule

    twice = Stream(pa.chunked_array([["a:b"]]))
    assert arrow.is_valid(twice).to_pylist() == [True]
    with pytest.raises(ValueError, match="released before"):
        arrow.is_valid(twice)


def test_capsules_of_another_kind_are_an_error():
    class Wrong:
        def __init__(self, *capsules):
            self.capsules = capsules

        def __arrow_c_array__(self, requested_schema=None):
            return self.capsules

    schema, array = pa.array(["a:b"]).__arrow_c_array__()
    for capsules in ((array, schema), (schema, schema), (1, 2), (schema,)):
        with pytest.raises((ValueError, TypeError)):
            arrow.is_valid(Wrong(*capsules))


def test_an_error_of_a_stream_is_raised():
    class Broken:
        def __arrow_c_stream__(self, requested_schema=None):
            def batches():
                yield pa.record_batch({"a": ["a:b"]})
                raise RuntimeError("no more")

            schema = pa.schema({"a": pa.string()})
            return pa.RecordBatchReader.from_batches(schema, batches()).__arrow_c_stream__()

    # The reader gives structs, so that the type is refused before any batch is asked for.
    with pytest.raises(TypeError, match="Struct"):
        arrow.is_valid(Broken())


def test_bases_are_one_or_a_column():
    references = pa.array(["../d", None, "e"])
    bases = pa.array(["http://a/b/c", "http://a/", "no base"])
    assert arrow.resolve(bases, references).to_pylist() == ["http://a/d", None, None]
    assert arrow.relativize(bases, pa.array(["http://a/b/d"] * 3)).to_pylist() == ["d", "b/d", None]
    with pytest.raises(ValueError, match="1 bases for 3 references"):
        arrow.resolve(bases.slice(0, 1), references)
    for wrong in ("no base", "a:\udfff"):
        with pytest.raises(IriError):
            arrow.resolve(wrong, references)


@given(rows=ROWS, cuts=st.tuples(st.lists(st.integers(0, 12)), st.lists(st.integers(0, 12))), data=st.data())
def test_chunks_of_two_columns_need_not_agree(rows, cuts, data):
    bases = [data.draw(st.sampled_from(["http://a/b/c", "x:y", None, "no base"])) for _ in rows]
    kinds = data.draw(st.tuples(st.sampled_from(TYPES), st.sampled_from(TYPES)))
    columns, bounds = [], set()
    for column, kind, cut in zip((bases, rows), kinds, cuts):
        array = pa.array(column, pa.string()).cast(kind) if column else pa.array([], kind)
        # Some chunks are empty.
        ends = sorted([0, len(rows), *(end for end in cut if end < len(rows))])
        bounds.update(ends)
        columns.append(pa.chunked_array([array[a:b] for a, b in zip(ends, ends[1:])], kind))
    for kernel in (arrow.resolve, arrow.relativize):
        made = kernel(*columns)
        alone = [
            None if base is None or not simd_iri.is_valid(base) else kernel(base, [row]).to_pylist()[0]
            for base, row in zip(bases, rows)
        ]
        assert made.to_pylist() == alone
        chunks = pa.chunked_array(made)
        chunks.validate(full=True)
        # A piece ends where a chunk of one of them ends, so that no chunk was copied into another.
        assert [len(chunk) for chunk in chunks.chunks] == [b - a for a, b in zip(sorted(bounds), sorted(bounds)[1:])] or not rows
    if rows:
        with pytest.raises(ValueError, match="bases for"):
            arrow.resolve(columns[0].slice(1), columns[1])


def test_two_columns_may_have_more_than_2_gib():
    # A column with 2.2 GiB of text: the same 64 MiB, 35 times. Nearly all rows are invalid at their first byte, so that the
    # test takes less time.
    part = pa.array([b"\xff" * (1 << 20)] * 63 + [b"http://a/b/c"])
    bases = pa.chunked_array([part] * 35)
    assert bases.nbytes > 2**31
    references = pa.chunked_array([["../d"] * len(bases)])
    for made, wanted in ((arrow.resolve(bases, references), "http://a/d"), (arrow.relativize(bases, bases), "")):
        assert pa.chunked_array(made).to_pylist() == ([None] * 63 + [wanted]) * 35
    # A dictionary has each value once, however many rows there are.
    keys = pa.array([0] * 4096, pa.int32())
    bases = pa.DictionaryArray.from_arrays(keys, pa.array([f"http://a/{'x' * 1000}/"]))
    made = arrow.resolve(bases.slice(0, 2), pa.array(["../b"] * 2))
    assert made.to_pylist() == ["http://a/b"] * 2
    bases = pa.DictionaryArray.from_arrays(keys, part.slice(0, 1))
    assert pa.array(arrow.resolve(bases, pa.array(["../b"] * 4096))).null_count == 4096


def test_texts_above_2_gib_are_large():
    # Results are views, which take no memory for the text until they are copied, and here they are not.
    keys = pa.array([0] * 1500, pa.int32())
    part = pa.DictionaryArray.from_arrays(keys, pa.array([f"http://a/{'x' * (1 << 20)}"]))
    paths = arrow.component(pa.chunked_array([part] * 2), "path")
    # Each chunk is below 2 GiB, and so a stream has strings.
    assert pa.DataType._import_from_c_capsule(paths.__arrow_c_schema__()) == pa.string()
    assert pa.DataType._import_from_c_capsule(paths.with_views().__arrow_c_schema__()) == pa.string_view()
    # Here one array has more.
    keys = pa.array([0] * 3000, pa.int32())
    paths = arrow.component(pa.DictionaryArray.from_arrays(keys, part.dictionary), "path")
    assert pa.DataType._import_from_c_capsule(paths.__arrow_c_schema__()) == pa.large_string()


def test_memory_is_given_back():
    before = pa.total_allocated_bytes()
    for _ in range(50):
        array = pa.chunked_array([["http://example.org/" + "a" * 1000] * 100] * 2)
        made = arrow.parse(array)
        made.__arrow_c_array__(), made.__arrow_c_stream__(), made.__arrow_c_schema__()
        pa.array(made), pa.chunked_array(made)
        arrow.is_valid(array)
    del array, made
    gc.collect()
    assert pa.total_allocated_bytes() <= before


def test_threads_run_together():
    array = pa.array(URLS * 2000)
    expected = arrow.normalize(array).to_pylist()
    results = []

    def work():
        results.append(arrow.normalize(array).to_pylist() == expected)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 4
