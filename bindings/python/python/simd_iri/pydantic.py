"""A type for models of Pydantic.

>>> from pydantic import BaseModel
>>> from simd_iri.pydantic import Iri
>>> class Page(BaseModel):
...     url: Iri
>>> page = Page(url="http://例え.jp/a")
>>> page.url.host, page.model_dump_json()
('例え.jp', '{"url":"http://例え.jp/a"}')
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import core_schema

from . import Iri as _Iri

__all__ = ["Iri"]


class _Schema:
    @staticmethod
    def __get_pydantic_core_schema__(source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        text = core_schema.no_info_after_validator_function(_Iri, core_schema.str_schema())
        return core_schema.json_or_python_schema(
            json_schema=text,
            python_schema=core_schema.union_schema(
                [core_schema.is_instance_schema(_Iri), text], mode="left_to_right"
            ),
            serialization=core_schema.plain_serializer_function_ser_schema(str, when_used="json"),
        )

    @staticmethod
    def __get_pydantic_json_schema__(
        schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return {"type": "string", "format": "iri"}


Iri = Annotated[_Iri, _Schema]
"""A ``simd_iri.Iri``, or a text that is one. In JSON it is a text, whose schema has the format ``iri``."""
