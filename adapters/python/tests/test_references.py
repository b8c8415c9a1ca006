"""The classes `IriRef`, `Iri`, `UriRef` and `Uri`: laws of all of them together, and of each with the functions."""

import copy
import pickle
import weakref
from importlib.metadata import version

import pytest
from conftest import texts
from hypothesis import given, settings
from hypothesis import strategies as st
from test_iri import TEXTS

import simd_iri
from simd_iri import Iri, IriError, IriRef, Uri, UriRef, is_valid

RULES = {IriRef: "iri-reference", Iri: "iri", UriRef: "uri-reference", Uri: "uri"}
WIDER = {IriRef: {IriRef}, Iri: {Iri, IriRef}, UriRef: {UriRef, IriRef}, Uri: set(RULES)}
REFERENCES = st.one_of(TEXTS, st.text(alphabet="ab:/?#.%41é", max_size=15))


def objects(text):
    """An object of each class that can hold a text."""
    return [kind(text) for kind, rule in RULES.items() if is_valid(text, rule)]


def made(call):
    """The result of a call, or the fields of its error."""
    try:
        return call()
    except IriError as error:
        return str(error), *vars(error).values()
    except ValueError as error:
        return str(error)


def assert_is_right(text):
    for kind, rule in RULES.items():
        if not is_valid(text, rule):
            with pytest.raises(IriError) as raised:
                kind(text)
            # The same error, whatever holds the text.
            assert [made(lambda: kind(other)) for other in objects(text)] == [made(lambda: kind(text))] * len(objects(text))
            assert 0 <= raised.value.start <= raised.value.end <= len(text)
            continue
        one = kind(text)
        assert type(one) is kind and str(one) == text
        assert {wider for wider in RULES if isinstance(one, wider)} == WIDER[kind]
        for other in objects(text):
            assert one == other and hash(one) == hash(other) and not one < other and one <= other
            again = kind(other)
            assert type(again) is kind and str(again) == text
        for again in (copy.deepcopy(one), pickle.loads(pickle.dumps(one)), eval(repr(one)) if "@" not in text else one):
            assert type(again) is kind and again == one


@given(REFERENCES)
def test_a_class_holds_the_texts_of_its_rule(text):
    assert_is_right(text)


def test_a_class_holds_the_cases_of_its_rule():
    for text in texts():
        assert_is_right(text)


METHODS = {
    "normalize": lambda one: one.normalize(),
    "scheme": lambda one: one.normalize("scheme"),
    "to_uri": lambda one: one.to_uri(),
    "to_iri": lambda one: one.to_iri(),
    "display": lambda one: one.display(),
    "join": lambda one: one.join("../b?c"),
    "join itself": lambda one: one.join(one),
    "relativize": lambda one: one.relativize(one),
    "with_scheme": lambda one: one.with_scheme("x"),
    "without a scheme": lambda one: one.with_scheme(None),
    "with_userinfo": lambda one: one.with_userinfo("é"),
    "with_host": lambda one: one.with_host("é"),
    "with_port": lambda one: one.with_port(8),
    "with_path": lambda one: one.with_path("/é:b"),
    "with_query": lambda one: one.with_query("é"),
    "with_fragment": lambda one: one.with_fragment("é"),
}


@pytest.mark.parametrize("name", METHODS)
@given(text=REFERENCES)
@settings(max_examples=40)
def test_the_result_of_a_method_matches_the_rule_of_its_class(name, text):
    for one in objects(text):
        try:
            result = METHODS[name](one)
        except IriError:
            continue
        assert is_valid(str(result), RULES[type(result)])
        if name.startswith(("normalize", "scheme", "with")):
            assert type(result) is type(one)


@given(REFERENCES)
def test_a_method_gives_what_the_function_gives(text):
    for one in objects(text):
        rule = RULES[type(one)]
        for method, function in (
            (lambda: str(one.normalize()), lambda: simd_iri.normalize(text)),
            (lambda: str(one.normalize("scheme-idna")), lambda: simd_iri.normalize(text, "scheme-idna")),
            (lambda: str(one.to_uri(idna=True)), lambda: simd_iri.to_uri(text, idna=True)),
            (lambda: str(one.to_iri(idna=True)), lambda: simd_iri.to_iri(text, idna=True)),
            (lambda: str(one.join("../b")), lambda: simd_iri.resolve(text, "../b")),
            (lambda: str(one.relativize("http://a/b")), lambda: simd_iri.relativize(text, "http://a/b")),
            (lambda: one.registrable_domain(), lambda: simd_iri.registrable_domain(text, rule)),
            (lambda: str(one.display()), lambda: simd_iri.display(text, rule)),
            (lambda: one.origin(), lambda: simd_iri.origin(text, rule)),
            (lambda: one.query_value("a"), lambda: simd_iri.query_value(text, "a", rule)),
            (lambda: one.fingerprint("scheme"), lambda: simd_iri.fingerprint(text, "scheme", rule)),
        ):
            assert made(method) == made(function)


FUNCTIONS = {
    "is_valid": simd_iri.is_valid,
    "is_valid by rule": lambda text: simd_iri.is_valid(text, "uri"),
    "is_valid by name": lambda text: simd_iri.is_valid(rule="iri-reference", text=text),
    "is_hostname": simd_iri.is_hostname,
    "is_idn_hostname": simd_iri.is_idn_hostname,
    "normalize": simd_iri.normalize,
    "to_uri": simd_iri.to_uri,
    "to_iri": simd_iri.to_iri,
    "resolve": lambda text: simd_iri.resolve("http://a/b/c", text),
    "resolve base": lambda text: simd_iri.resolve(text, "../d"),
    "relativize": lambda text: simd_iri.relativize("http://a/b/c", text),
    "relativize base": lambda text: simd_iri.relativize(text, "http://a/d"),
    "registrable_domain": simd_iri.registrable_domain,
    "origin": simd_iri.origin,
    "display": simd_iri.display,
    "query_value": lambda text: simd_iri.query_value(text, "a"),
    "fingerprint": simd_iri.fingerprint,
    "extract": simd_iri.extract,
    "prepare": simd_iri.prepare,
    "lint": simd_iri.lint,
    "violations": lambda text: [str(error) for error in simd_iri.violations(text)],
    "fix": lambda text: simd_iri.fix(text, "crawler"),
    "key": simd_iri.key,
    "host_kind": simd_iri.host_kind,
    "drop_query_pairs": lambda text: simd_iri.drop_query_pairs(text, ["a"]),
    "unwrap": simd_iri.unwrap,
    "QueryRules": simd_iri.QueryRules("[[drop]]\npatterns = ['a|b']").apply,
    "display_in_text": simd_iri.display_in_text,
    "visual": simd_iri.visual,
    "embed": lambda text: simd_iri.embed(text, "right-to-left"),
    "unembed": simd_iri.unembed,
    "skeleton": simd_iri.skeleton,
    "masked": simd_iri.masked,
    "redact": simd_iri.redact,
    "redactions": lambda text: [(found.start, found.end) for found in simd_iri.redactions(text)],
    "archive_key": simd_iri.archive_key,
    "judge": lambda text: simd_iri.judge(text).url_to_send,
    "judge_redirect": lambda text: simd_iri.judge_redirect(text, "http://a/b/c")[0].url_to_send,
    "display_rule": lambda text: simd_iri.display_rule(text, "chromium"),
    "port_or_default": simd_iri.port_or_default,
    "to_uri_in_charset": lambda text: simd_iri.to_uri_in_charset(text, "windows-1252"),
    "interpret": lambda text: simd_iri.interpret(text, "windows-1252"),
    "host_to_ascii": simd_iri.host_to_ascii,
    "host_to_unicode": simd_iri.host_to_unicode,
    "escape": lambda text: simd_iri.escape(text, "html"),
    "unescape": lambda text: simd_iri.unescape(text, "html"),
    "to_posix_path": simd_iri.to_posix_path,
    "to_windows_path": simd_iri.to_windows_path,
    "join": lambda text: Iri("http://a/b/c").join(text),
    "relativize of a class": lambda text: Iri("http://a/b/c").relativize(text),
    "Iri": lambda text: str(Iri(text)),
    "Uri": lambda text: str(Uri(text)),
    "a column": lambda text: simd_iri.arrow.error([text]).to_pylist(),
    "a base of a column": lambda text: simd_iri.arrow.resolve(text, ["../d"]).to_pylist(),
}


def test_all_functions_are_tested():
    functions = {name for name in simd_iri.__all__ if name[0].islower() and name != "arrow"}
    # These take no reference.
    assert functions - {"build", "from_posix_path", "from_windows_path", "judge_address"} <= set(FUNCTIONS)


@pytest.mark.parametrize("name", FUNCTIONS)
@given(text=REFERENCES)
@settings(max_examples=40)
def test_a_function_takes_a_reference_where_it_takes_a_text(name, text):
    call = FUNCTIONS[name]
    for one in objects(text):
        assert made(lambda: call(one)) == made(lambda: call(text))


@given(st.one_of(st.integers(-5, 70000), st.integers()))
def test_a_port_is_a_number_from_0_to_65535(port):
    iri = Iri("http://a:1/")
    if 0 <= port <= 65535:
        assert iri.with_port(port).port == port
        return
    with pytest.raises(IriError, match=f"the port {port} is out of range; write a number from 0 to 65535") as raised:
        iri.with_port(port)
    assert (raised.value.kind, raised.value.component) == ("bad-port", "port") and raised.value.hint


@pytest.mark.parametrize("wrong", ["80", 8.5, b"80", [80]])
def test_a_port_of_another_type_is_a_type_error(wrong):
    with pytest.raises(TypeError):
        Iri("http://a/").with_port(wrong)


def test_no_reference_resolves_to_a_target_with_a_dot_segment():
    with pytest.raises(IriError) as raised:
        simd_iri.relativize("a:/b", "a:/é/../d")
    error = raised.value
    assert (error.kind, error.start, error.component) == ("dot-segment", 5, "path")
    assert "character 5" in str(error) and error.hint == "remove its dot segments first"


@given(REFERENCES, st.sampled_from(["", ">40", "^9", "*<30", ".3", "s"]))
def test_formats_are_those_of_the_text(text, spec):
    for one in objects(text):
        assert format(one, spec) == format(text, spec)


def test_a_pattern_matches_the_five_components():
    for one in objects("http://u@a:1/b?c#d"):
        match one:
            case IriRef(scheme, authority, path, query, fragment):
                assert (scheme, authority, path, query, fragment) == ("http", "u@a:1", "/b", "c", "d")
            case _:
                raise AssertionError
        assert weakref.ref(one)() is one


def test_the_version_is_that_of_the_package():
    assert simd_iri.__version__ == version("simd-iri")


def test_a_subclass_in_python():
    class Page(Iri):
        """A page."""

    page = Page("http://a/b")
    assert str(page) == "http://a/b" and repr(page) == "Page('http://a/b')" and isinstance(page, IriRef)
    # Methods give the classes of this package.
    assert type(page.normalize()) is Iri
    # A copy has the attributes of the object.
    page.note = "read"
    again = copy.copy(page)
    assert type(again) is Page and again == page and again.note == "read"
    with pytest.raises(IriError):
        Page("b")
