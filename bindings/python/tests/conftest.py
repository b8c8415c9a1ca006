"""The cases of the repository, which the tests of the library read too."""

import json
import os
import pathlib

# CASES names another folder with files of the same names.
DATA = pathlib.Path(os.environ.get("CASES") or pathlib.Path(__file__).parents[3] / "tests" / "data")


def cases(name):
    """The cases of a file in `tests/data`."""
    with (DATA / name).open(encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines if line.strip()]
    assert found, name
    return found
