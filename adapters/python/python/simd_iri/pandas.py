"""The namespace ``iri`` on series of pandas. Importing this module registers it. It needs pyarrow.

>>> import pandas as pd, simd_iri.pandas
>>> frame = pd.DataFrame({"url": ["http://www.example.co.uk/a", "a|b", None]}, index=["x", "y", "z"])
>>> frame["host"] = frame["url"].iri.host()
>>> frame["host"].dropna().to_dict()
{'x': 'www.example.co.uk'}
>>> frame["url"].iri.is_valid()
x     True
y    False
z     <NA>
Name: url, dtype: bool[pyarrow]

Each method has the name of a function of ``simd_iri.arrow``. Its result has the index and the name of the series, and a type
of Arrow. A series with a type of Arrow is not read as objects.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import pyarrow

from . import IriRef, arrow
from ._methods import Methods

__all__ = ["IriAccessor"]


@pd.api.extensions.register_series_accessor("iri")
class IriAccessor(Methods[pd.Series]):
    """``series.iri``.

    A base in a series belongs to the row with the same label. Without such a base, the result is missing.

    >>> import pandas as pd, simd_iri.pandas
    >>> pd.Series(["HTTP://A/%7e"]).iri.normalize().tolist()
    ['http://a/~']
    >>> links = pd.DataFrame({"page": ["http://a/b/c"], "link": ["../d"]})
    >>> links["link"].iri.resolve(links["page"]).tolist()
    ['http://a/d']
    """

    def __init__(self, series: pd.Series) -> None:
        self._series = series

    def _column(
        self, kind: str | tuple[str, ...], kernel: Callable[..., arrow.Array], *settings: Any, **named: Any
    ) -> pd.Series:
        made = pyarrow.chunked_array(kernel(self._series, *settings, **named))
        array = pd.arrays.ArrowExtensionArray(made)
        return pd.Series(array, index=self._series.index, name=self._series.name)

    def _with_base(
        self, kernel: Callable[..., arrow.Array], base: str | IriRef | pd.Series
    ) -> pd.Series:
        # As everywhere in pandas, rows with the same label belong together. pandas refuses other labels that are twice there.
        if isinstance(base, pd.Series) and not base.index.equals(self._series.index):
            base = base.reindex(self._series.index)
        return self._column("text", lambda rows: kernel(base, rows))
