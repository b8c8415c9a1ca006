"""The namespace ``iri`` on expressions and series of Polars. Importing this module registers it.

>>> import polars as pl, simd_iri.polars
>>> urls = pl.DataFrame({"url": ["http://www.example.co.uk/a", "a|b", None]})
>>> urls.select(host=pl.col("url").iri.host(), valid=pl.col("url").iri.is_valid()).rows()
[('www.example.co.uk', True), (None, False), (None, None)]
>>> urls["url"].iri.registrable_domain().to_list()
['example.co.uk', None, None]

Each method has the name of a function of ``simd_iri.arrow``, and gives a row for each row. mypy knows the namespace
with the plugin ``simd_iri.mypy``; for other type checkers, ``IriExpr(pl.col("url")).host()`` is the same expression.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl

from . import IriRef, arrow
from ._methods import PARTS, VERDICT, Methods

__all__ = ["IriExpr", "IriSeries"]

_ERROR = pl.Struct(
    {
        "kind": pl.String,
        "start": pl.UInt32,
        "end": pl.UInt32,
        "component": pl.String,
        "message": pl.String,
    }
)
_TYPES = {
    "truth": pl.Boolean(),
    "text": pl.String(),
    "texts": pl.List(pl.String),
    "number": pl.UInt64(),
    "parts": pl.Struct({name: pl.String for name in PARTS}),
    "error": _ERROR,
    "errors": pl.List(_ERROR),
    "links": pl.List(
        pl.Struct(
            {
                "text": pl.String,
                "kind": pl.String,
                "start": pl.UInt32,
                "end": pl.UInt32,
                "reference": pl.String,
            }
        )
    ),
    "port": pl.UInt32(),
}
_TYPES["verdict"] = pl.Struct({name: _TYPES[kind] for name, kind in VERDICT.items()})


def _type_of(kind: str | tuple[str, ...]) -> Any:
    """The type of a column of results of this kind."""
    if isinstance(kind, str):
        return _TYPES[kind]
    return pl.Struct({name: pl.List(pl.String) for name in kind[1:]})


@pl.api.register_series_namespace("iri")
class IriSeries(Methods[pl.Series]):
    """``series.iri``.

    >>> import polars as pl, simd_iri.polars
    >>> pl.Series(["HTTP://A/%7e"]).iri.normalize().to_list()
    ['http://a/~']
    """

    def __init__(self, series: pl.Series) -> None:
        self._series = series

    def _column(
        self, kind: str | tuple[str, ...], kernel: Callable[..., arrow.Array], *settings: Any, **named: Any
    ) -> pl.Series:
        made = kernel(self._series, *settings, **named)
        return pl.Series(made, dtype=_type_of(kind)).alias(self._series.name)

    def _with_base(
        self, kernel: Callable[..., arrow.Array], base: str | IriRef | pl.Series
    ) -> pl.Series:
        rows = self._series
        if isinstance(base, pl.Series):
            # A column with one row, such as a literal, stands for all rows.
            if len(base) == 1:
                base = base.new_from_index(0, len(rows))
            elif len(rows) == 1:
                rows = rows.new_from_index(0, len(base))
        return IriSeries(rows)._column("text", lambda rows: kernel(base, rows))


@pl.api.register_expr_namespace("iri")
class IriExpr(Methods[pl.Expr]):
    """``expression.iri``. Each part of a column is computed by itself, so that it works in streams.

    >>> import polars as pl, simd_iri.polars
    >>> pl.select(pl.lit("http://a/b").iri.path()).item()
    '/b'
    >>> links = pl.DataFrame({"page": ["http://a/b/c"], "link": ["../d"]})
    >>> links.select(pl.col("link").iri.resolve(pl.col("page"))).item()
    'http://a/d'
    """

    def __init__(self, expr: pl.Expr) -> None:
        self._expr = expr

    def _column(
        self, kind: str | tuple[str, ...], kernel: Callable[..., arrow.Array], *settings: Any, **named: Any
    ) -> pl.Expr:
        return self._expr.map_batches(
            lambda series: IriSeries(series)._column(kind, kernel, *settings, **named),
            return_dtype=_type_of(kind),
            is_elementwise=True,
        )

    def _with_base(
        self, kernel: Callable[..., arrow.Array], base: str | IriRef | pl.Expr
    ) -> pl.Expr:
        if not isinstance(base, pl.Expr):
            return self._column("text", lambda rows: kernel(base, rows))
        return pl.map_batches(
            [self._expr, base],
            lambda columns: IriSeries(columns[0])._with_base(kernel, columns[1]),
            return_dtype=_TYPES["text"],
            is_elementwise=True,
        )
