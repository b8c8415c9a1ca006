"""The class `Iri`, its errors, and the functions over one text."""

import copy
import gc
import pickle
import sys
import sysconfig
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

import simd_iri
from simd_iri import Iri, IriError, IriRef, Uri, UriRef, is_valid

# Texts that are often valid, with characters of one to four bytes.
ALPHABET = "ab:/?#[]@%.-0189éक例\U0001f600 |"
TEXTS = st.one_of(
    st.text(alphabet=ALPHABET, max_size=40),
    st.text(alphabet=ALPHABET, max_size=20).map("http://a/".__add__),
    st.text(max_size=20).map("x:".__add__),
)
# Every character of Python, lone surrogates among them.
ANYTHING = st.text(alphabet=st.characters(codec=None, exclude_categories=()), max_size=20)


@given(TEXTS)
def test_a_text_is_an_iri_or_has_an_error_in_it(text):
    try:
        iri = Iri(text)
    except IriError as error:
        assert not is_valid(text)
        assert 0 <= error.start <= error.end <= len(text)
        assert f"character {error.start}" in str(error)
        return
    assert is_valid(text)
    assert str(iri) == text
    assert Iri(str(iri)) == iri and hash(Iri(text)) == hash(iri)
    has_password = ":" in (iri.userinfo or "").rstrip(":")
    assert has_password or eval(repr(iri)) == iri
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(iri, protocol)) == iri
    assert copy.deepcopy(iri) == iri
    whole = iri.scheme + ":"
    whole += "" if iri.authority is None else "//" + iri.authority
    whole += iri.path
    whole += "" if iri.query is None else "?" + iri.query
    whole += "" if iri.fragment is None else "#" + iri.fragment
    assert whole == text
    assert is_valid(str(iri.to_uri()), "uri")
    assert iri.normalize().normalize() == iri.normalize()
    assert simd_iri.normalize(text) == str(iri.normalize())
    assert simd_iri.to_uri(text) == str(iri.to_uri())
    assert simd_iri.to_iri(text) == str(iri.to_iri())
    assert iri.join("") == iri.with_fragment(None) or "." in iri.path


@given(ANYTHING)
def test_any_string_gives_an_answer(text):
    iri = "x:" + text
    surrogates = [i for i, c in enumerate(iri) if "\ud800" <= c <= "\udfff"]
    for call in (Iri, simd_iri.normalize, simd_iri.to_uri, simd_iri.to_iri, simd_iri.lint):
        try:
            call(iri)
            assert not surrogates
        except IriError as error:
            assert 0 <= error.start <= error.end <= len(iri)
    if surrogates:
        assert not is_valid(iri, "iri-reference")
    for link in simd_iri.extract(iri):
        assert iri[link.start : link.end] == link.text
    prepared = simd_iri.prepare(iri)
    assert is_valid(prepared.text, "iri-reference")
    assert all(0 <= r.start <= r.end <= len(iri) for r in prepared.repairs)
    for with_value in (Iri("http://a/").with_path, Iri("http://a/").with_query):
        try:
            with_value("/" + text)
            assert not surrogates
        except IriError as error:
            assert 0 <= error.start <= error.end <= len(text) + 1


# Texts with one lone surrogate, in the middle of other characters.
ONE_SURROGATE = st.tuples(st.text(alphabet="ab/é例\U0001f600", max_size=9), st.integers(0xD800, 0xDFFF), st.text(alphabet="ab/é例", max_size=9))


@given(ONE_SURROGATE)
def test_a_lone_surrogate_is_one_error_at_one_place(parts):
    before, surrogate, after = parts
    before = "http://a/" + before
    text = before + chr(surrogate) + after
    place = (len(before), len(before) + 1)
    about = f"a lone surrogate at character {place[0]} stands for no character; remove it, or replace it by '\\ufffd'"
    errors = simd_iri.violations(text)
    calls = [
        Iri, IriRef, simd_iri.normalize, simd_iri.to_uri, simd_iri.lint, simd_iri.fix, simd_iri.unembed, simd_iri.key,
        lambda text: simd_iri.prepare(text, "rdf"), lambda text: simd_iri.unescape(text, "html"),
        lambda text: simd_iri.escape(text, "html"), lambda text: simd_iri.interpret(text, "shift_jis"),
    ]
    for call in calls:
        with pytest.raises(IriError) as raised:
            call(text)
        errors.append(raised.value)
    assert len(errors) == 1 + len(calls)
    for error in errors:
        assert (error.kind, error.start, error.end, str(error)) == ("ill-formed-utf8", *place, about)
        assert error.hint == "remove it, or replace it by '\\ufffd'"
    repairs = simd_iri.prepare(text).repairs
    assert [(repair.start, repair.end) for repair in repairs if repair.kind == "ill-formed-utf8"] == [place]
    assert simd_iri.prepare(text).text == simd_iri.prepare(before + "\ufffd" + after).text
    verdict = simd_iri.judge(text)
    assert [(reason.kind, reason.message) for reason in verdict.reasons] == [("not-utf8", "a lone surrogate stands for no character")]


@given(ANYTHING, ANYTHING, ANYTHING)
def test_what_is_cut_from_a_text_is_a_part_of_it(before, inside, after):
    text = f"{before} http://a/{inside} {after}"
    for link in simd_iri.extract(text):
        assert link.text == text[link.start : link.end]
    url = f"//u:{inside}@h/{after}?sig={inside}"
    for place in simd_iri.redactions(url, ["otel"]):
        assert place.key is None or place.key in url
    # What is masked stays out, and all other characters stay as they are.
    start, masked, end = url.partition("***")[0], simd_iri.masked(url), url.rpartition("@")[2]
    assert masked.endswith("@" + end) and (masked == url or "***" in masked)
    assert simd_iri.masked(before) == before or "***" in simd_iri.masked(before)


def test_lone_surrogates_have_a_place():
    with pytest.raises(IriError) as raised:
        Iri("http://é/\ud83d\ude00")
    error = raised.value
    assert (error.kind, error.start, error.end) == ("ill-formed-utf8", 9, 10)
    for component in ["scheme", "userinfo", "host", "path", "query", "fragment"]:
        with pytest.raises(IriError) as raised:
            getattr(Iri("http://a/"), f"with_{component}")("é\udfff")
        error = raised.value
        assert (error.start, error.end, error.component) == (1, 2, component)
    assert simd_iri.masked("\ud800//u:p\udfff@h\ud801") == "\ud800//u:***@h\ud801"
    assert simd_iri.extract("http://a/\ud800")[0].text == "http://a/\ud800"
    assert simd_iri.redactions("?s\udfffig=x", [], keys=["s\ufffdig"]) == []
    text = "é \ud800 http://a.example/b \udc00\ud83d\ude00 c.org"
    assert [text[link.start : link.end] for link in simd_iri.extract(text)] == [
        "http://a.example/b",
        "c.org",
    ]


def test_an_error_is_a_value_error_and_is_pickled():
    with pytest.raises(ValueError) as raised:
        Iri("http://例え.jp/a|b")
    error = raised.value
    assert str(error) == "'|' at character 14 is not allowed in a path; write %7C"
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is IriError and vars(again) == vars(error) and str(again) == str(error)


def test_an_error_is_made_again_of_a_message():
    with pytest.raises(IriError) as raised:
        Iri("a|b")
    again = type(raised.value)(f"row 3: {raised.value}")
    assert str(again) == f"row 3: {raised.value}"
    assert (again.kind, again.start, again.end, again.component, again.hint) == ("", 0, 0, "reference", None)
    assert str(IriError()) == "" and pickle.loads(pickle.dumps(again)).args == again.args


# What surrounds a password, also where the text is no IRI.
AROUND = st.text(alphabet="ab:/?#[]@\\|% é", max_size=6)


@given(AROUND, st.sampled_from(["http://", "ftp:", "//", "", "http:/", "x+y://"]), AROUND, AROUND)
def test_no_error_shows_a_password(before, scheme, inside, after):
    text = f"{scheme}me:ge{inside}heim@a{after}"
    for call in (Iri, simd_iri.normalize, simd_iri.to_uri, simd_iri.to_iri, simd_iri.prepare, simd_iri.lint):
        try:
            call(before + text)
        except IriError as error:
            assert "heim" not in str(error) + repr(error)
    # In a text that is no reference, all before the last @ is hidden, whatever is in it.
    if not simd_iri.is_valid(text, "iri-reference"):
        assert "heim" not in simd_iri._native.masked(text)


def test_representations_show_no_password():
    iri = Iri("http://me:geheim@a/b")
    assert repr(iri) == "Iri('http://me:***@a/b')" and str(iri) == f"{iri}" == "http://me:geheim@a/b"
    assert f"{Iri('a:b'):>5}" == "  a:b"
    link = simd_iri.Link("http://me:geheim@a/", "iri", 0, 19, "http://me:geheim@a/")
    assert "geheim" in link.text and "geheim" not in repr(link) and "***" in repr(link)
    prepared = simd_iri.prepare("http:\\\\me:geheim@a.example/b c")
    assert "geheim" in prepared.text and "geheim" not in repr(prepared)
    for call in (lambda t: is_valid("a:b", t), lambda t: simd_iri.normalize("a:b", t), lambda t: simd_iri.lint("a:b", t)):
        with pytest.raises(ValueError, match="write one of") as raised:
            call("http://me:geheim@a/")
        assert "geheim" not in str(raised.value)


def test_order_is_that_of_the_text():
    texts = ["urn:b", "a:é", "urn:a", "a:\U0001f600", "a:z"]
    assert [str(iri) for iri in sorted(map(Iri, texts))] == sorted(texts)
    assert Iri("a:b") <= Iri("a:b") < Iri("a:c")
    assert Iri("a:b") != "a:b" and Iri("a:b") != None
    with pytest.raises(TypeError):
        Iri("a:b") < "a:b"
    assert len({Iri("a:b"), Iri("a:b"), Iri("a:c")}) == 2


def test_an_iri_does_not_change():
    iri = Iri("http://a/b")
    for name in ("host", "path", "anything"):
        with pytest.raises(AttributeError):
            setattr(iri, name, "c")
    assert iri.with_path("/c") == Iri("http://a/c") and str(iri) == "http://a/b"


def test_components_are_replaced():
    iri = Iri("http://u@a:1/b?c#d")
    assert str(iri.with_userinfo(None).with_port(None)) == "http://a/b?c#d"
    assert str(iri.with_query(None).with_fragment(None)) == "http://u@a:1/b"
    assert str(iri.with_query("%41")) == "http://u@a:1/b?%2541#d"
    assert str(iri.with_query("%41", encoded=True)) == "http://u@a:1/b?%41#d"
    assert str(iri.with_scheme("ftp").with_host("例え.jp")) == "ftp://u@例え.jp:1/b?c#d"
    with pytest.raises(IriError) as raised:
        iri.with_query("é%4", encoded=True)
    assert raised.value.start == 1
    for wrong in (lambda: iri.with_host(None), lambda: iri.with_scheme("1")):
        with pytest.raises(IriError):
            wrong()


def test_wrong_types_and_names():
    for wrong in (None, 1, b"a:b", ["a:b"]):
        for call in (Iri, is_valid, simd_iri.normalize, simd_iri.extract):
            with pytest.raises(TypeError):
                call(wrong)
    for call in (
        lambda: is_valid("a:b", "url"),
        lambda: simd_iri.normalize("a:b", "all"),
        lambda: simd_iri.prepare("a:b", "x"),
        lambda: simd_iri.lint("a:b", "x"),
        lambda: simd_iri.extract("a:b", "x"),
    ):
        with pytest.raises(ValueError, match="write one of"):
            call()


def test_all_calls_of_is_valid_agree():
    for text, rule, valid in (("a:é", "iri", True), ("a:é", "URI", False), ("a|b", "uri", False)):
        calls = (
            lambda: is_valid(text, rule),
            lambda: is_valid(text, rule=rule),
            lambda: is_valid(text=text, rule=rule),
            lambda: is_valid(rule=rule, text=text),
            lambda: is_valid(*(text, rule), **{}),
        )
        assert [call() for call in calls] == [valid] * len(calls)
    for text, valid in (("a:é", True), ("é", False), ("a:\ud800", False), ("", False)):
        calls = (
            lambda: is_valid(text),
            lambda: is_valid(text=text),
            lambda: is_valid(text, None),
            lambda: is_valid(text, rule=None),
            lambda: is_valid(rule=None, text=text),
        )
        assert [call() for call in calls] == [valid] * len(calls)
    assert all(type(is_valid(text)) is bool for text in ("a:b", "a"))

    class Text(str):
        pass

    assert is_valid(Text("a:b"), Text("uri"))
    name = "".join(["ru", "le"])  # not the object that the compiler makes of a keyword
    assert is_valid("a:b", **{name: "uri"})


@pytest.mark.parametrize(
    "arguments, names, message",
    [
        ((), {}, "missing 1 required positional argument: 'text'"),
        ((), {"rule": "uri"}, "missing 1 required positional argument: 'text'"),
        (("a:b", "uri", "c"), {}, "takes from 1 to 2 positional arguments but 3 were given"),
        (("a:b",), {"text": "a:b"}, "multiple values for argument 'text'"),
        (("a:b", "uri"), {"rule": "uri"}, "multiple values for argument 'rule'"),
        (("a:b",), {"Rule": "uri"}, "unexpected keyword argument 'Rule'"),
        (("a:b",), {"rule": 1}, "'int' object"),
        (("a:b", b"uri"), {}, "'bytes' object"),
    ],
)
def test_wrong_calls_of_is_valid(arguments, names, message):
    with pytest.raises(TypeError, match=message):
        is_valid(*arguments, **names)


def test_references_are_counted():
    text = "http://example.org/" + "é" * 50
    iri = Iri(text)
    wrong = text + "|"
    objects = (text, wrong, Iri, IriRef, UriRef, Uri, IriError, "iri", True, False, None)

    def work():
        Iri(text).path, is_valid(text), iri.join(text), iri.to_uri(), hash(iri), iri < iri
        is_valid(iri), IriRef(iri).to_uri().to_iri(), Uri(iri.to_uri()), iri.relativize(iri), simd_iri.resolve(iri, iri)
        simd_iri.extract(text), simd_iri.prepare(wrong), simd_iri.lint(text)
        is_valid(text, "iri"), is_valid(text, rule="iri"), is_valid(text, None), is_valid(wrong)
        for call in (Iri, simd_iri.normalize, lambda wrong: is_valid(wrong, rule="x")):
            try:
                call(wrong)
            except ValueError:
                pass

    def counts():
        # A free-threaded Python keeps a count for each thread; the collection adds them up.
        gc.collect()
        return [sys.getrefcount(thing) for thing in objects]

    work()
    before = counts()
    for _ in range(1000):
        work()
    after = counts()
    assert all(abs(a - b) < 10 for a, b in zip(before, after))


def test_a_free_threaded_python_stays_so():
    has_lock = getattr(sys, "_is_gil_enabled", lambda: True)()
    assert has_lock != bool(sysconfig.get_config_var("Py_GIL_DISABLED"))


def test_threads_share_an_iri():
    iri, seen, errors = Iri("http://u@例え.jp:1/a/../b?c"), set(), []

    def work():
        try:
            for _ in range(2000):
                seen.add((str(iri.normalize()), hash(iri), iri.host))
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors and len(seen) == 1


@pytest.mark.parametrize("module", [simd_iri, simd_iri.arrow], ids=["simd_iri", "arrow"])
def test_functions_are_pickled_by_name(module):
    for name in module.__all__:
        thing = getattr(module, name)
        if thing is not simd_iri.arrow:
            assert pickle.loads(pickle.dumps(thing)) is thing
            assert thing.__module__ == module.__name__, name
