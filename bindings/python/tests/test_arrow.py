"""The kernels over columns: the same answers as single calls, through every way into Arrow and out of it."""

import gc
import threading

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import simd_iri
from simd_iri import Iri, IriError, arrow

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
    "prepare": (arrow.prepare, lambda text: simd_iri.prepare(text).text),
    "lint": (arrow.lint, lambda text: [f.code for f in simd_iri.lint(text, rule="iri")]),
    "resolve": (
        lambda rows: arrow.resolve("http://a/b", rows),
        lambda text: simd_iri.resolve("http://a/b", text),
    ),
}


@pytest.mark.parametrize("name", KERNELS)
@given(rows=ROWS, kind=st.sampled_from(TYPES), data=st.data())
@settings(max_examples=60, deadline=None)
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
    more = {"component": ["host"], "query_value": ["q"]}.get(kernel, [])
    call = getattr(arrow, kernel)
    if kernel in ("resolve", "relativize"):
        call = lambda rows: getattr(arrow, kernel)("http://a/b", rows)
    made = call(pa.array(URLS), *more)
    assert len(made) == len(URLS) and made.to_pylist()[2] is None
    taken = pa.array(made)
    taken.validate(full=True)
    assert taken.to_pylist() == made.to_pylist()
    assert pa.array(made.without_views()).to_pylist() == made.to_pylist()
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
    array = pa.array([url])
    taken = pa.array(arrow.component(array, "path"))
    start = taken.buffers()[2].address - array.buffers()[2].address
    assert 0 <= start < len(url)
    # The input may go before the result.
    del array
    gc.collect()
    assert taken.to_pylist() == [Iri(url).path]


def test_a_consumer_chooses_text_without_views():
    made = arrow.component(pa.array(["http://example.org/"]), "host")
    assert pa.array(made).type == pa.string_view()
    schema = pa.field("", pa.string()).__arrow_c_schema__()
    capsules = made.__arrow_c_array__(schema)
    assert pa.Array._import_from_c_capsule(*capsules).type == pa.string()
    assert pa.DataType._import_from_c_capsule(made.__arrow_c_schema__()) == pa.string_view()


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
