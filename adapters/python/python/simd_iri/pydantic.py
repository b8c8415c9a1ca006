"""The classes ``Iri``, ``IriRef``, ``Uri`` and ``UriRef`` in models of Pydantic. They are those of ``simd_iri``.

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

A field takes an object of its class, or a text. In JSON it is a text, whose schema has a format: ``iri``,
``iri-reference``, ``uri`` or ``uri-reference``. An error shows the input, as all errors of Pydantic do, but with ``***`` in
place of a password.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from pydantic_core import PydanticKnownError, core_schema

from . import Iri, IriError, IriRef, Uri, UriRef, _native

__all__ = ["Iri", "IriRef", "Uri", "UriRef"]

# A subclass comes before its parents.
_FORMATS = {Uri: "uri", Iri: "iri", UriRef: "uri-reference", IriRef: "iri-reference"}


class _Hidden(str):
    """An input for the error about it, without its password."""

    error: IriError


# An error shows the type of its input.
_Hidden.__name__ = _Hidden.__qualname__ = "str"


def _read(kind: type[IriRef], value: Any) -> IriRef | _Hidden:
    if isinstance(value, kind):
        return value
    if not isinstance(value, (str, IriRef)):
        raise PydanticKnownError("string_type")
    try:
        return kind(value)
    except IriError as error:
        shown = _native.masked(value)
        if shown == str(value):
            raise
        hidden = _Hidden(shown)
        hidden.error = error
        return hidden


def _check(value: IriRef | _Hidden) -> IriRef:
    """Raises the error about a hidden input. Pydantic shows the input of the function that raises."""
    if isinstance(value, _Hidden):
        raise value.error
    return value


# A class of the native module asks for these two when Pydantic asks it.
def _core_schema(kind: type[IriRef]) -> core_schema.CoreSchema:
    steps = [
        core_schema.no_info_plain_validator_function(step)
        for step in (partial(_read, kind), _check)
    ]
    text = core_schema.plain_serializer_function_ser_schema(str, when_used="json")
    return core_schema.chain_schema(steps, serialization=text)


def _json_schema(kind: type[IriRef]) -> dict[str, Any]:
    name = next(name for parent, name in _FORMATS.items() if issubclass(kind, parent))
    return {"type": "string", "format": name}
