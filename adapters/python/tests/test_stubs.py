"""The stubs say what the modules have, and a type checker knows which class is which."""

import pathlib
import subprocess
import sys

import pytest
import typed
import typed_namespaces


def run(module, *arguments):
    done = subprocess.run([sys.executable, "-m", module, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """A folder in which mypy keeps what it has read."""
    return tmp_path_factory.mktemp("cache")


def settings(plugins, cache, folder):
    """The arguments for mypy with these plugins."""
    path = folder / "mypy.ini"
    path.write_text(f"[mypy]\nplugins = {plugins}\n")
    return ["--strict", f"--cache-dir={cache}", f"--config-file={path}"]


def test_stubs_have_the_names_parameters_and_defaults_of_the_modules():
    found = run("mypy.stubtest", "simd_iri._native", "simd_iri.arrow")
    assert "no issues found in 2 modules" in found


@pytest.mark.parametrize("module, plugins", [(typed, ""), (typed_namespaces, "simd_iri.mypy")])
def test_a_type_checker_finds_these_types(module, plugins, cache, tmp_path):
    # A comment that ignores an error is itself an error where there is no error to ignore.
    arguments = ["--warn-unused-ignores", *settings(plugins, cache, tmp_path)]
    assert "no issues found in 1 source file" in run("mypy", *arguments, module.__file__)


def test_the_plugin_says_what_to_import(cache, tmp_path):
    program = tmp_path / "program.py"
    program.write_text("import polars as pl\npl.col('url').iri.host()\n")
    arguments = [*settings("simd_iri.mypy", cache, tmp_path), str(program)]
    done = subprocess.run([sys.executable, "-m", "mypy", *arguments], capture_output=True, text=True)
    assert done.returncode == 1 and '"iri" is there after "import simd_iri.polars"' in done.stdout


@pytest.mark.parametrize("value, kind", typed.TYPES + typed_namespaces.TYPES)
def test_objects_have_these_types(value, kind):
    assert type(value) is kind
