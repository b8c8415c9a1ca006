"""The stubs say what the modules have, and a type checker knows which class is which."""

import pathlib
import subprocess
import sys

import pytest
import typed


def run(module, *arguments):
    done = subprocess.run([sys.executable, "-m", module, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_stubs_have_the_names_parameters_and_defaults_of_the_modules():
    found = run("mypy.stubtest", "simd_iri._native", "simd_iri.arrow")
    assert "no issues found in 2 modules" in found


def test_a_type_checker_finds_these_types(tmp_path):
    # A comment that ignores an error is itself an error where there is no error to ignore.
    found = run("mypy", "--strict", "--warn-unused-ignores", "--cache-dir", str(tmp_path), typed.__file__)
    assert "no issues found in 1 source file" in found


@pytest.mark.parametrize("value, kind", typed.TYPES)
def test_objects_have_these_types(value, kind):
    assert type(value) is kind
