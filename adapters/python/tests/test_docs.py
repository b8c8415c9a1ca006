"""Every public item has documentation, and its examples run; those of the README too."""

import doctest
import importlib
import inspect
import pathlib

import pytest

import simd_iri

MODULES = ["simd_iri"] + [
    f"simd_iri.{name}" for name in ("arrow", "duckdb", "jsonschema", "pandas", "polars", "pydantic", "rdflib")
]
# A class of errors writes its name with its module.
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL


def items():
    for name in MODULES:
        module = importlib.import_module(name)
        yield name, module
        for public in module.__all__:
            item = getattr(module, public)
            if inspect.isclass(item) or inspect.isroutine(item):
                yield f"{name}.{public}", item
            if inspect.isclass(item):
                for member, value in vars(item).items():
                    if not member.startswith("_") and inspect.isroutine(value):
                        yield f"{name}.{public}.{member}", value


ITEMS = dict(items())
# Named tuples, which an example of a function shows, and a method whose result every example shows.
NAMED_TUPLES = {"AddressRange", "Finding", "Link", "Prepared", "Reason", "Redaction", "Redirect", "Repair", "Verdict"}
WITHOUT_EXAMPLE = NAMED_TUPLES | {"to_pylist", "count", "index"}


@pytest.mark.parametrize("name", ITEMS)
def test_examples(name):
    text = inspect.getdoc(ITEMS[name])
    assert text
    names = {public: getattr(simd_iri, public) for public in simd_iri.__all__}
    names["__name__"] = "__main__"
    test = doctest.DocTestParser().get_doctest(text, names, name, None, 0)
    assert test.examples or name.rpartition(".")[2] in WITHOUT_EXAMPLE
    assert doctest.DocTestRunner(optionflags=FLAGS).run(test).failed == 0


def test_readme():
    readme = pathlib.Path(__file__).parents[1] / "README.md"
    failed, run = doctest.testfile(str(readme), module_relative=False, optionflags=FLAGS)
    assert run > 5 and failed == 0


def test_properties_are_documented():
    properties = [name for name, value in vars(simd_iri.IriRef).items() if inspect.isdatadescriptor(value)]
    assert len(properties) == 8
    assert all(inspect.getdoc(getattr(simd_iri.IriRef, name)) for name in properties)
