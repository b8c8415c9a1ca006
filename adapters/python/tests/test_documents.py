"""Laws of the functions that write a reference for people, documents and file systems, and of those that list or correct what
is wrong, on generated texts."""

import os
import pathlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sql import VALUES
from test_references import REFERENCES

import simd_iri
from simd_iri import IriError, IriRef

FIELDS = ("kind", "start", "end", "component", "hint")


def valid(text):
    """The text, if it is an IRI reference; otherwise a reference that has it as its query."""
    if simd_iri.is_valid(text, "iri-reference"):
        return text
    return simd_iri.build(path="/p", query=text.encode("utf-8", "replace").decode())


@pytest.mark.parametrize("rule", VALUES["rule"])
@given(REFERENCES)
def test_the_first_violation_is_the_error_that_is_raised(rule, text):
    found = simd_iri.violations(text, rule)
    assert all(isinstance(error, IriError) for error in found)
    assert [error.start for error in found] == sorted(error.start for error in found)
    assert (not found) == simd_iri.is_valid(text, rule)
    if found:
        with pytest.raises(IriError) as raised:
            simd_iri.host_kind(text, rule)
        assert [getattr(found[0], name) for name in FIELDS] == [getattr(raised.value, name) for name in FIELDS]


@pytest.mark.parametrize("format", ["html", "xml", "json", "css", "n-triples", "plain"])
@pytest.mark.parametrize("is_ascii", [False, True])
@given(REFERENCES)
def test_what_a_document_has_is_read_back(format, is_ascii, text):
    reference = valid(text)
    written = simd_iri.escape(reference, format, ascii=is_ascii)
    assert written.isascii() or not is_ascii
    if format != "plain" or not is_ascii:
        assert simd_iri.unescape(written, format) == reference


@pytest.mark.parametrize("direction", ["left-to-right", "right-to-left"])
@pytest.mark.parametrize("marks", ["embedding", "isolate", "each-part"])
@given(REFERENCES)
def test_marks_around_a_reference_are_removed(direction, marks, text):
    reference = simd_iri.unembed(valid(text))
    if simd_iri.is_valid(reference, "iri-reference"):
        embedded = simd_iri.embed(reference, direction, marks=marks, before="a", after="א")
        assert simd_iri.unembed(embedded) == reference


@given(REFERENCES)
def test_the_order_of_display_has_the_characters_of_the_reference(text):
    assert sorted(simd_iri.visual(valid(text))) == sorted(valid(text))


@given(st.binary(max_size=20).filter(lambda name: b"\0" not in name))
def test_a_name_of_a_file_is_read_back(name):
    path = os.fsdecode(b"/" + name)
    iri = simd_iri.from_posix_path(path)
    assert simd_iri.from_posix_path(b"/" + name) == iri
    assert simd_iri.is_valid(iri) and simd_iri.to_posix_path(iri) == path


def test_a_name_of_a_file_may_be_a_path_object_and_is_absolute():
    assert simd_iri.from_posix_path(pathlib.PurePosixPath("/a b")) == "file:///a%20b"
    assert simd_iri.to_windows_path(simd_iri.from_windows_path(r"\\server\share\é")) == r"\\server\share\é"
    for wrong in [lambda: simd_iri.from_posix_path("a"), lambda: simd_iri.to_posix_path("http://a/")]:
        with pytest.raises(ValueError):
            wrong()


@pytest.mark.parametrize("profile", ["rfc", "rdf", "json-schema", "crawler", "strict"])
@given(REFERENCES)
def test_what_is_fixed_stays_as_it_is(profile, text):
    fixed = simd_iri.fix(valid(text), profile)
    assert simd_iri.fix(fixed, profile) == fixed


@pytest.mark.parametrize("level", VALUES["level"])
@given(REFERENCES, REFERENCES)
def test_equal_keys_have_equal_fingerprints(level, one, two):
    keys = [simd_iri.key(valid(text), level, "iri-reference") for text in (one, two)]
    prints = [simd_iri.fingerprint(valid(text), level, "iri-reference") for text in (one, two)]
    assert (keys[0] == keys[1]) == (prints[0] == prints[1])


@given(REFERENCES)
def test_no_pair_is_dropped_without_its_name(text):
    reference = valid(text)
    assert simd_iri.drop_query_pairs(reference, []) == reference
    everything = ["", "a", "b", "é", "q"]
    dropped = IriRef(simd_iri.drop_query_pairs(reference, everything))
    assert all(simd_iri.query_value(dropped, name, "iri-reference") is None for name in everything)


@given(*[st.one_of(st.none(), st.text(st.characters(codec="utf-8"), max_size=8))] * 3)
def test_components_are_those_that_were_given(path, query, fragment):
    built = IriRef(simd_iri.build(scheme="x", host="h", port=1, path="/" + (path or ""), query=query, fragment=fragment))
    assert (built.scheme, built.host, built.port) == ("x", "h", 1)
    assert (built.query is None, built.fragment is None) == (query is None, fragment is None)
    with pytest.raises(IriError):
        simd_iri.build(scheme="1")
