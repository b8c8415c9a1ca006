"""The cases of `conformance/cases` through Python: single calls and columns."""

import pytest
from conftest import cases

import simd_iri
from simd_iri import Iri, IriError, arrow

COMPONENTS = ["scheme", "authority", "userinfo", "host", "path", "query", "fragment"]
SYNTAX = cases("rfc*/parse/*.jsonl") + cases("generated/parse.jsonl")
KINDS = sorted({case["kind"] for case in SYNTAX})


@pytest.mark.parametrize("kind", KINDS)
def test_syntax(kind):
    ours = [case for case in SYNTAX if case["kind"] == kind]
    rows = [case["input"] for case in ours]
    valid = [case["valid"] for case in ours]
    assert any(valid) and not all(valid)
    assert [simd_iri.is_valid(row, kind) for row in rows] == valid
    assert arrow.is_valid(rows, kind).to_pylist() == valid
    errors = arrow.error(rows, kind).to_pylist()
    assert [error is None for error in errors] == valid
    for case, parts in zip(ours, arrow.parse(rows, kind).to_pylist()):
        assert (parts is not None) == case["valid"], case["id"]
        if parts is not None and "components" in case:
            wanted = case["components"]
            assert {name: parts[name] for name in wanted} == wanted, case["id"]


def test_components_and_errors_of_one_iri():
    count = 0
    for case in SYNTAX:
        if case["kind"] != "iri":
            continue
        if not case["valid"]:
            with pytest.raises(IriError) as raised:
                Iri(case["input"])
            error = raised.value
            assert 0 <= error.start <= error.end <= len(case["input"]), case["id"]
            assert error.kind and error.component and error.hint, case["id"]
        elif "components" in case:
            iri, wanted = Iri(case["input"]), case["components"]
            assert {name: getattr(iri, name) for name in COMPONENTS} == {
                name: wanted[name] for name in COMPONENTS
            }, case["id"]
            port = wanted["port"]
            assert iri.port == (int(port) if port else None)
            count += 1
    assert count > 100


@pytest.mark.parametrize("name", ["rfc3986/resolve/*.jsonl", "generated/resolve.jsonl"])
def test_resolve(name):
    ours = [case for case in cases(name) if case.get("mode", "strict") == "strict"]
    bases = [case["base"] for case in ours]
    references = [case["reference"] for case in ours]
    expected = [case["expected"] for case in ours]
    assert list(map(simd_iri.resolve, bases, references)) == expected
    assert [str(Iri(base).join(ref)) for base, ref in zip(bases, references)] == expected
    assert arrow.resolve(bases, references).to_pylist() == expected
    one = [case for case in ours if case["base"] == bases[0]]
    made = arrow.resolve(Iri(bases[0]), [case["reference"] for case in one])
    assert made.to_pylist() == [case["expected"] for case in one]


@pytest.mark.parametrize("name", ["rfc3987/to-uri.jsonl", "generated/to-uri.jsonl"])
def test_to_uri(name):
    for case in cases(name):
        idna = case.get("options", {}).get("host") == "idna"
        assert simd_iri.to_uri(case["input"], idna=idna) == case["expected"], case["id"]
        row = arrow.to_uri([case["input"]], idna=idna, rule="iri-reference")
        assert row.to_pylist() == [case["expected"]], case["id"]


@pytest.mark.parametrize("name", ["rfc3987/from-uri.jsonl", "generated/from-uri.jsonl"])
def test_to_iri(name):
    for case in cases(name):
        assert simd_iri.to_iri(case["input"]) == case["expected"], case["id"]
        row = arrow.to_iri([case["input"]], rule="iri-reference")
        assert row.to_pylist() == [case["expected"]], case["id"]


@pytest.mark.parametrize("name", ["rfc*/normalize.jsonl", "generated/normalize.jsonl"])
def test_normalize(name):
    for case in cases(name):
        if case["pct"] not in ("any", "iunreserved"):
            continue
        assert simd_iri.normalize(case["input"], case["ladder"]) == case["expected"], case["id"]


def test_bytes_that_are_not_utf8():
    for kind in ("iri", "iri-reference"):
        ours = [case for case in cases("bytes/not-utf8.jsonl") if case["kind"] == kind]
        rows = [bytes.fromhex(case["input_hex"]) for case in ours]
        assert arrow.is_valid(rows, kind).to_pylist() == [False] * len(rows)
        kinds = {error["kind"] for error in arrow.error(rows, kind).to_pylist()}
        assert kinds == {"ill-formed-utf8"}
