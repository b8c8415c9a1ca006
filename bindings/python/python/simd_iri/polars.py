"""The namespace ``iri`` on expressions and series of Polars. Importing this module registers it.

>>> import polars as pl, simd_iri.polars
>>> urls = pl.DataFrame({"url": ["http://www.example.co.uk/a", "a|b", None]})
>>> urls.select(host=pl.col("url").iri.host(), valid=pl.col("url").iri.is_valid()).rows()
[('www.example.co.uk', True), (None, False), (None, None)]
>>> urls["url"].iri.registrable_domain().to_list()
['example.co.uk', None, None]

Each method has the name of a kernel in ``simd_iri.arrow``, or of a component, and gives a row for each row.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

import polars as pl

from . import Iri, arrow

__all__ = ["IriExpr", "IriSeries"]

Column = TypeVar("Column")

_PARTS = pl.Struct(
    {
        name: pl.String
        for name in (
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
    }
)
_ERROR = pl.Struct(
    {
        "kind": pl.String,
        "start": pl.UInt32,
        "end": pl.UInt32,
        "component": pl.String,
        "message": pl.String,
    }
)


class _Methods(Generic[Column]):
    """The methods of both namespaces."""

    def _column(self, kernel: Callable[[pl.Series], arrow.Array], dtype) -> Column:
        raise NotImplementedError

    def _component(self, name: str, rule: str) -> Column:
        return self._column(lambda rows: arrow.component(rows, name, rule), pl.String)

    def is_valid(self, rule: str = "iri") -> Column:
        """Tells for each row whether it matches a rule."""
        return self._column(lambda rows: arrow.is_valid(rows, rule), pl.Boolean)

    def parse(self, rule: str = "iri") -> Column:
        """Returns all components, as a struct."""
        return self._column(lambda rows: arrow.parse(rows, rule), _PARTS)

    def error(self, rule: str = "iri") -> Column:
        """Returns the first violation, as a struct. Offsets are in bytes."""
        return self._column(lambda rows: arrow.error(rows, rule), _ERROR)

    def scheme(self, rule: str = "iri") -> Column:
        """Returns the scheme."""
        return self._component("scheme", rule)

    def authority(self, rule: str = "iri") -> Column:
        """Returns the authority."""
        return self._component("authority", rule)

    def userinfo(self, rule: str = "iri") -> Column:
        """Returns the user information."""
        return self._component("userinfo", rule)

    def host(self, rule: str = "iri") -> Column:
        """Returns the host."""
        return self._component("host", rule)

    def port(self, rule: str = "iri") -> Column:
        """Returns the port, as text."""
        return self._component("port", rule)

    def path(self, rule: str = "iri") -> Column:
        """Returns the path."""
        return self._component("path", rule)

    def query(self, rule: str = "iri") -> Column:
        """Returns the query."""
        return self._component("query", rule)

    def fragment(self, rule: str = "iri") -> Column:
        """Returns the fragment."""
        return self._component("fragment", rule)

    def normalize(self, level: str = "syntax", rule: str = "iri") -> Column:
        """Normalizes each row."""
        return self._column(lambda rows: arrow.normalize(rows, level, rule), pl.String)

    def to_uri(self, *, idna: bool = False, rule: str = "iri") -> Column:
        """Maps each row to a URI."""
        return self._column(lambda rows: arrow.to_uri(rows, idna=idna, rule=rule), pl.String)

    def to_iri(self, *, idna: bool = False, rule: str = "iri") -> Column:
        """Maps each row to an IRI."""
        return self._column(lambda rows: arrow.to_iri(rows, idna=idna, rule=rule), pl.String)

    def display(self, rule: str = "iri") -> Column:
        """Returns each row as it is best read."""
        return self._column(lambda rows: arrow.display(rows, rule), pl.String)

    def registrable_domain(self, rule: str = "iri") -> Column:
        """Returns the registrable domain."""
        return self._column(lambda rows: arrow.registrable_domain(rows, rule), pl.String)

    def origin(self, rule: str = "iri") -> Column:
        """Returns the origin."""
        return self._column(lambda rows: arrow.origin(rows, rule), pl.String)

    def query_value(self, name: str, rule: str = "iri") -> Column:
        """Returns the decoded value of the first pair with this name in the query."""
        return self._column(lambda rows: arrow.query_value(rows, name, rule), pl.String)

    def fingerprint(self, level: str = "syntax", rule: str = "iri") -> Column:
        """Returns a number that is the same for equivalent rows."""
        return self._column(lambda rows: arrow.fingerprint(rows, level, rule), pl.UInt64)

    def prepare(self, profile: str = "browser-like") -> Column:
        """Repairs each row."""
        return self._column(lambda rows: arrow.prepare(rows, profile), pl.String)

    def lint(self, profile: str = "rfc", rule: str = "iri") -> Column:
        """Returns the codes of the findings about each row."""
        return self._column(lambda rows: arrow.lint(rows, profile, rule), pl.List(pl.String))

    def resolve(self, base: str | Iri) -> Column:
        """Resolves each row relative to one base."""
        return self._column(lambda rows: arrow.resolve(base, rows), pl.String)

    def relativize(self, base: str | Iri) -> Column:
        """Makes each row relative to one base."""
        return self._column(lambda rows: arrow.relativize(base, rows), pl.String)


@pl.api.register_series_namespace("iri")
class IriSeries(_Methods[pl.Series]):
    """``series.iri``.

    >>> import polars as pl, simd_iri.polars
    >>> pl.Series(["HTTP://A/%7e"]).iri.normalize().to_list()
    ['http://a/~']
    """

    def __init__(self, series: pl.Series) -> None:
        self._series = series

    def _column(self, kernel, dtype) -> pl.Series:
        return pl.Series(kernel(self._series), dtype=dtype).alias(self._series.name)


@pl.api.register_expr_namespace("iri")
class IriExpr(_Methods[pl.Expr]):
    """``expression.iri``. Each part of a column is computed by itself, so that it works in streams.

    >>> import polars as pl, simd_iri.polars
    >>> pl.select(pl.lit("http://a/b").iri.path()).item()
    '/b'
    """

    def __init__(self, expr: pl.Expr) -> None:
        self._expr = expr

    def _column(self, kernel, dtype) -> pl.Expr:
        return self._expr.map_batches(
            lambda series: IriSeries(series)._column(kernel, dtype),
            return_dtype=dtype,
            is_elementwise=True,
        )
