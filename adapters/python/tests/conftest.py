"""The cases of the repository, which the tests of the library read too."""

import json
import os
import pathlib
from functools import cache

import hypothesis

# The machine may have other work: an example that takes long is not an error.
hypothesis.settings.register_profile("tests", deadline=None)
hypothesis.settings.load_profile("tests")

# CASES names another folder with the files of conformance/cases.
ROOT = pathlib.Path(__file__).parents[3]
CONFORMANCE = pathlib.Path(os.environ.get("CASES") or ROOT / "conformance" / "cases")
DATA = ROOT / "tests" / "data"
# More cases, where this folder is.
SHARED = pathlib.Path(os.environ.get("SIMD_IRI_CASES") or ROOT.parent / "shared" / "cases")


def read(path):
    with path.open(encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines if line.strip()]
    assert found, path
    return found


def cases(pattern):
    """The cases of the files in `conformance/cases` that a pattern names."""
    found = [case for path in sorted(CONFORMANCE.glob(pattern)) for case in read(path)]
    assert found, pattern
    return found


@cache
def texts():
    """Each text of a case, once: inputs, bases, references, targets and results, valid or not."""
    keys = ("input", "base", "reference", "target", "expected", "a", "b")
    paths = [*sorted(CONFORMANCE.rglob("*.jsonl")), *sorted(DATA.glob("*.jsonl")), *sorted(SHARED.glob("*.jsonl"))]
    found = {case.get(key) for path in paths for case in read(path) for key in keys if isinstance(case.get(key), str)}
    assert len(found) > 2000
    return sorted(found)


def pytest_terminal_summary(terminalreporter):
    if texts.cache_info().currsize:
        shared = f" and {SHARED}" if SHARED.is_dir() else f"; there is no {SHARED}"
        terminalreporter.write_line(f"{len(texts())} texts of cases, from {CONFORMANCE}, {DATA}{shared}")
