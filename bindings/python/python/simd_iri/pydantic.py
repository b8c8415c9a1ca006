"""The class ``Iri`` in models of Pydantic. ``simd_iri.Iri`` is the same class.

>>> from pydantic import BaseModel
>>> from simd_iri import Iri
>>> class Page(BaseModel):
...     url: Iri
>>> page = Page(url="http://例え.jp/a")
>>> page.url.host, page.model_dump_json()
('例え.jp', '{"url":"http://例え.jp/a"}')
>>> Page(url="http://例え.jp/a|b")
Traceback (most recent call last):
pydantic_core._pydantic_core.ValidationError: 1 validation error for Page

A field takes an ``Iri`` or a text that is one. In JSON it is a text, whose schema has the format ``iri``. An error shows the
input, as all errors of Pydantic do, but with ``***`` in place of a password.
"""

from __future__ import annotations

from typing import Any

from pydantic_core import PydanticKnownError, core_schema

from . import Iri, IriError, _native

__all__ = ["Iri"]


class _Hidden(str):
    """An input for the error about it, without its password."""

    error: IriError


# An error shows the type of its input.
_Hidden.__name__ = _Hidden.__qualname__ = "str"


def _read(value: Any) -> Iri | _Hidden:
    if isinstance(value, Iri):
        return value
    if not isinstance(value, str):
        raise PydanticKnownError("string_type")
    try:
        return Iri(value)
    except IriError as error:
        shown = _native.masked(value)
        if shown == value:
            raise
        hidden = _Hidden(shown)
        hidden.error = error
        return hidden


def _check(value: Iri | _Hidden) -> Iri:
    """Raises the error about a hidden input. Pydantic shows the input of the function that raises."""
    if isinstance(value, _Hidden):
        raise value.error
    return value


# The class of the native module asks for these two when Pydantic asks it.
def _core_schema() -> core_schema.CoreSchema:
    steps = [core_schema.no_info_plain_validator_function(step) for step in (_read, _check)]
    text = core_schema.plain_serializer_function_ser_schema(str, when_used="json")
    return core_schema.chain_schema(steps, serialization=text)


def _json_schema() -> dict[str, Any]:
    return {"type": "string", "format": "iri"}
