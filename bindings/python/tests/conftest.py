"""The cases of the repository, which the tests of the library read too."""

import json
import pathlib

DATA = pathlib.Path(__file__).parents[3] / "tests" / "data"


def cases(name):
    """The cases of a file in `tests/data`."""
    with (DATA / name).open(encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines if line.strip()]
    assert found, name
    return found
