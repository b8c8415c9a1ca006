"""What mypy says about the namespace ``iri`` with the plugin ``simd_iri.mypy``. `test_stubs.py` checks this file, and asks each
object for its class.
"""

import pandas as pd
import polars as pl
from typing_extensions import assert_type

import simd_iri.pandas
import simd_iri.polars
from simd_iri import Iri

base = Iri("http://a/b/c")
column, series, rows = pl.col("url"), pl.Series(["http://a/"]), pd.Series(["http://a/"])

TYPES: list[tuple[object, type]] = [
    (assert_type(column.iri, simd_iri.polars.IriExpr), simd_iri.polars.IriExpr),
    (assert_type(column.iri.host(), pl.Expr), pl.Expr),
    (assert_type(column.iri.resolve(pl.col("page")), pl.Expr), pl.Expr),
    (assert_type(column.iri.resolve(base), pl.Expr), pl.Expr),
    (assert_type(series.iri.host(), pl.Series), pl.Series),
    (assert_type(series.iri.relativize(series), pl.Series), pl.Series),
    (assert_type(rows.iri, simd_iri.pandas.IriAccessor), simd_iri.pandas.IriAccessor),
]


def wrong() -> None:
    """Calls with errors of types, which nobody makes."""
    column.iri.no_such_method()  # type: ignore[attr-defined]
    series.iri.host(1)  # type: ignore[arg-type]
    series.iri.resolve(column)  # type: ignore[arg-type]
