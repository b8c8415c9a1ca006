"""The official test suite of JSON Schema, all drafts, for the formats of this package.

SIMD_IRI_JSON_SCHEMA names the folder with the drafts. ``scripts/test-python`` takes it from the sources of the package
``jsonschema``, which carry it.
"""

import json
import os
from pathlib import Path

import pytest
from jsonschema.validators import validator_for

import simd_iri.jsonschema

FORMATS = ("hostname", "idn-hostname", "iri", "iri-reference", "uri", "uri-reference")
# Which drafts have which formats, so that a suite that lacks a file fails.
FILES = {
    "draft3": ("uri",),
    "draft4": ("hostname", "uri"),
    "draft6": ("hostname", "uri", "uri-reference"),
    "draft7": FORMATS,
    "draft2019-09": FORMATS,
    "draft2020-12": FORMATS,
}
SCHEMAS = {
    "draft3": "http://json-schema.org/draft-03/schema#",
    "draft4": "http://json-schema.org/draft-04/schema#",
    "draft6": "http://json-schema.org/draft-06/schema#",
    "draft7": "http://json-schema.org/draft-07/schema#",
    "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
    "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
}
CHECKER = simd_iri.jsonschema.format_checker()


@pytest.mark.parametrize("draft, name", [(draft, name) for draft, names in FILES.items() for name in names])
def test_official_suite(draft, name):
    folder = os.environ.get("SIMD_IRI_JSON_SCHEMA")
    assert folder, "SIMD_IRI_JSON_SCHEMA names no folder; scripts/test-python sets it"
    cases = json.loads((Path(folder) / draft / "optional/format" / f"{name}.json").read_text(encoding="utf-8"))
    asked = 0
    for case in cases:
        schema = {"$schema": SCHEMAS[draft], **case["schema"]}
        validator = validator_for(schema)(schema, format_checker=CHECKER)
        for test in case["tests"]:
            assert validator.is_valid(test["data"]) == test["valid"], (test["description"], test["data"])
            asked += 1
    assert asked > 0
