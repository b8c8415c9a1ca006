"""The functions of SQL that several engines have."""

from __future__ import annotations

import pyarrow

from . import arrow

COMPONENTS = (
    "scheme",
    "authority",
    "userinfo",
    "host",
    "host_kind",
    "port",
    "path",
    "query",
    "fragment",
)


def _component(name):
    return lambda rows: arrow.component(rows, name)


# Each function with its kernel, the number of its columns, and what its result is; each engine has a type for that.
FUNCTIONS = {
    "iri_valid": (arrow.is_valid, 1, "truth"),
    "iri_parse": (arrow.parse, 1, "parts"),
    "iri_error": (arrow.error, 1, "error"),
    **{f"iri_{name}": (_component(name), 1, "text") for name in COMPONENTS},
    "iri_normalize": (arrow.normalize, 1, "text"),
    "iri_to_uri": (arrow.to_uri, 1, "text"),
    "iri_to_iri": (arrow.to_iri, 1, "text"),
    "iri_display": (arrow.display, 1, "text"),
    "iri_registrable_domain": (arrow.registrable_domain, 1, "text"),
    "iri_origin": (arrow.origin, 1, "text"),
    "iri_fingerprint": (arrow.fingerprint, 1, "number"),
    "iri_prepare": (arrow.prepare, 1, "text"),
    "iri_lint": (arrow.lint, 1, "texts"),
    "iri_resolve": (arrow.resolve, 2, "text"),
    "iri_relativize": (arrow.relativize, 2, "text"),
}


def over_columns(kernel, columns, finish=lambda array: array):
    """A function over arrays of pyarrow with a parameter for each column, as engines require.
    Not all engines know views."""

    def of_one(rows: pyarrow.Array) -> pyarrow.Array:
        return finish(pyarrow.array(kernel(rows).without_views()))

    def of_two(first: pyarrow.Array, second: pyarrow.Array) -> pyarrow.Array:
        return finish(pyarrow.array(kernel(first, second).without_views()))

    return of_one if columns == 1 else of_two
