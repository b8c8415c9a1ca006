"""The stubs say what the modules have: the same names, parameters and defaults."""

import ast
import inspect
import pathlib

import pytest

import simd_iri
from simd_iri import _native, arrow

FOLDER = pathlib.Path(simd_iri.__file__).parent


def parameters(function):
    """The names of the parameters of a function in a stub, those by keyword alone after a star, and the defaults."""
    of = function.args
    names = [a.arg for a in of.args] + ["*"] + [a.arg for a in of.kwonlyargs]
    return names, [ast.literal_eval(default) for default in of.defaults + of.kw_defaults]


def at_run_time(function):
    """The same of a function."""
    found = inspect.signature(function).parameters.values()
    alone = [p.name for p in found if p.kind is p.KEYWORD_ONLY]
    names = [p.name for p in found if p.name not in alone] + ["*"] + alone
    return names, [p.default for p in found if p.default is not p.empty]


def public(names):
    return {name for name in names if not name.startswith("_")}


@pytest.mark.parametrize("module", [_native, arrow], ids=["_native", "arrow"])
def test_stubs(module):
    name = module.__name__.rpartition(".")[2]
    stub = ast.parse((FOLDER / f"{name}.pyi").read_text("utf-8"))
    functions = {node.name: node for node in stub.body if isinstance(node, ast.FunctionDef)}
    classes = {node.name: node for node in stub.body if isinstance(node, ast.ClassDef)}
    routines = {n for n, value in vars(module).items() if inspect.isroutine(value)}
    assert set(functions) == public(routines)
    count = 0
    for name, function in functions.items():
        assert parameters(function) == at_run_time(getattr(module, name)), name
        count += 1
    assert count >= 10
    for name, node in classes.items():
        if not hasattr(module, name):
            continue  # A protocol, which only types need.
        members = {item.name: item for item in node.body if isinstance(item, ast.FunctionDef)}
        found = getattr(module, name)
        assert public(members) == public(vars(found))
        for member in public(members):
            if inspect.isroutine(vars(found)[member]):
                assert parameters(members[member]) == at_run_time(vars(found)[member]), member
