"""The functions of SQL, in one table from which all engines register them. They are those of the extension of DuckDB, with its
parameters and its nulls.

Here: the table, and a call over arrays of pyarrow. Not here: the types of an engine, and how it registers a function.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import pyarrow

from . import QueryRules, RuleError, TemplateError, arrow
from ._methods import PARTS
from ._native import arrow as _kernels


class Function(NamedTuple):
    """A function. A null argument gives null, and so does a text that does not match the rule."""

    result: str
    """What it returns; each engine has a type for that."""
    kernel: Callable
    """Takes the texts by place and the settings by name, and returns a result for each row."""
    texts: tuple[str, ...] = ("text",)
    """The parameters that are texts."""
    settings: tuple[str, ...] = ("rule",)
    """The parameters after them, which choose how the texts are read. A call may leave out the last ones."""
    needed: int = 0
    """How many settings a call cannot leave out."""
    unchecked: str | None = None
    """A setting that cannot be checked alone, because another one says how it is read. The kernel names it in its errors."""

    @property
    def parameters(self) -> tuple[str, ...]:
        """All parameters."""
        return self.texts + self.settings

    @property
    def counts(self) -> range:
        """The numbers of arguments that a call may have."""
        return range(len(self.texts) + self.needed, len(self.parameters) + 1)


def _with_host(kernel):
    """A kernel whose setting ``host`` is the form of hosts."""

    def with_host(rows, host="percent", rule="iri"):
        if host not in ("percent", "idna"):
            raise ValueError("no such form of hosts; write one of percent, idna")
        return kernel(rows, idna=host == "idna", rule=rule)

    return with_host


def _drop_query_pairs(rows, name="", rule="iri"):
    return arrow.drop_query_pairs(rows, [name], rule)


def _query_value(rows, name="", rule="iri"):
    return arrow.query_value(rows, name, rule)


def _redact(rows, set="", part="reference"):
    # As in Rust: the empty text is the default, and `none` is user information alone.
    sets = {"": None, "none": []}.get(set, set.split(","))
    return arrow.redact(rows, sets, part=part)


def _display_rule(rows, policy="chromium", rule="iri"):
    return arrow.display_rule(rows, policy, rule)


def _unwrap(rows, levels="1", rule="iri"):
    if levels not in ("1", "2", "3", "4", "5"):
        raise ValueError("no such number of levels; write one of 1, 2, 3, 4, 5")
    return arrow.unwrap(rows, int(levels), rule)


def _apply_query_rules(rows, rules=None, format="toml", rule="iri"):
    if rules is None:  # A setting is checked.
        rules = '{"providers": {}}' if format == "clearurls" else ""
    return arrow.apply_query_rules(rows, _query_rules(rules, format), rule)


@lru_cache(maxsize=4)
def _query_rules(text, format):
    """Rules are nearly always the same in all calls, and a list may take longer to parse than a call."""
    try:
        return QueryRules(text, format)
    except RuleError as error:
        raise ValueError(f"iri_apply_query_rules: argument 2, the rules: {error}") from None


def _template_match(rows, template="{?query}", query="ordered"):
    if query not in ("ordered", "set"):
        raise ValueError("no such query; write one of ordered, set")
    try:
        return _kernels.template_map(rows, template, query == "set")
    except TemplateError:
        raise
    except ValueError:
        message = (
            "iri_template_match: argument 3, the query: a set needs a template that ends in expressions with ? or &, "
            "without another ?; write ordered"
        )
        raise ValueError(message) from None


FUNCTIONS = {
    "iri_valid": Function("truth", arrow.is_valid),
    "iri_is_hostname": Function("truth", arrow.is_hostname, settings=()),
    "iri_is_idn_hostname": Function("truth", arrow.is_idn_hostname, settings=()),
    "iri_parse": Function("parts", arrow.parse),
    "iri_error": Function("error", arrow.error),
    "iri_violations": Function("errors", arrow.violations),
    **{
        f"iri_{part}": Function("text", getattr(arrow, part))
        for part in PARTS
        if part != "host_kind"  # Only a field of what iri_parse returns.
    },
    "iri_normalize": Function("text", arrow.normalize, settings=("level", "rule")),
    "iri_key": Function("text", arrow.key, settings=("level", "rule")),
    "iri_fingerprint": Function("number", arrow.fingerprint, settings=("level", "rule")),
    "iri_to_uri": Function("text", _with_host(arrow.to_uri), settings=("host", "rule")),
    "iri_to_iri": Function("text", _with_host(arrow.to_iri), settings=("host", "rule")),
    "iri_resolve": Function("text", arrow.resolve, ("base", "reference"), ()),
    "iri_relativize": Function("text", arrow.relativize, ("base", "target"), ()),
    "iri_registrable_domain": Function("text", arrow.registrable_domain),
    "iri_origin": Function("text", arrow.origin),
    "iri_query_value": Function("text", _query_value, settings=("name", "rule"), needed=1),
    "iri_drop_query_pairs": Function("text", _drop_query_pairs, settings=("name", "rule"), needed=1),
    "iri_unwrap": Function("text", _unwrap, settings=("levels", "rule")),
    "iri_apply_query_rules": Function(
        "text", _apply_query_rules, settings=("rules", "format", "rule"), needed=1, unchecked="rules"
    ),
    "iri_masked": Function("text", arrow.masked),
    "iri_prepare": Function("text", arrow.prepare, settings=("profile",)),
    "iri_extract": Function("links", arrow.extract, settings=("markup", "ends")),
    "iri_redact": Function("text", _redact, settings=("set", "part")),
    "iri_archive_key": Function("text", arrow.archive_key, settings=("profile",)),
    "iri_template_match": Function("values", _template_match, settings=("template", "query"), needed=1),
    "iri_judge": Function("verdict", arrow.judge, settings=()),
    "iri_lint": Function("texts", arrow.lint, settings=("profile", "rule")),
    "iri_fix": Function("text", arrow.fix, settings=("profile", "rule")),
    "iri_skeleton": Function("text", arrow.skeleton),
    "iri_percent_encode": Function("text", arrow.percent_encode, settings=("place",)),
    "iri_percent_decode": Function("text", arrow.percent_decode, settings=()),
    "iri_display": Function("text", arrow.display, settings=("rule", "policy")),
    "iri_display_rule": Function("text", _display_rule, settings=("policy", "rule"), needed=1),
    "iri_display_in_text": Function("text", arrow.display_in_text),
}


def call(name: str, *columns: pyarrow.Array) -> pyarrow.Array:
    """Calls a function with arrays of one length. Raises ``ValueError`` and ``TypeError``, whose messages name the function
    and the argument.

    A setting is nearly always the same in all rows. Where it is not, the rows with one setting are computed together:

        texts     levels      the kernel runs over    the results are put back
        A         syntax      A, C with syntax        row 0, row 2
        B         scheme      B with scheme           row 1
        C         syntax
        D         null                                row 3 is null
    """
    function = FUNCTIONS[name]
    _check_types(name, function, columns)
    texts, settings = columns[: len(function.texts)], columns[len(function.texts) :]
    if not settings:
        return pyarrow.array(function.kernel(*texts))
    distinct = [column.unique().to_pylist() for column in settings]
    for at, (setting, values) in enumerate(zip(function.settings, distinct), len(texts) + 1):
        for value in values:
            if value is not None and setting != function.unchecked:
                _check_setting(name, at, setting, value)
    if all(len(values) == 1 for values in distinct):
        return _with_settings(function, texts, [value for (value,) in distinct])

    rows_of: dict[tuple, list[int]] = {}
    for row, key in enumerate(zip(*(column.to_pylist() for column in settings))):
        rows_of.setdefault(key, []).append(row)
    if not rows_of:
        return pyarrow.array(function.kernel(*texts))
    made = [
        _with_settings(function, [text.take(pyarrow.array(rows)) for text in texts], key)
        for key, rows in rows_of.items()
    ]
    places = [0] * len(texts[0])
    for place, row in enumerate(row for rows in rows_of.values() for row in rows):
        places[row] = place
    return pyarrow.concat_arrays(made).take(pyarrow.array(places))


def _with_settings(function, texts, values) -> pyarrow.Array:
    """The results for texts with the same settings. A null among the settings gives nulls."""
    if None in values:
        none = pyarrow.array(function.kernel(*(text.slice(0, 0) for text in texts)))
        return pyarrow.nulls(len(texts[0]), none.type)
    return pyarrow.array(function.kernel(*texts, **dict(zip(function.settings, values))))


def _check_types(name, function, columns) -> None:
    if len(columns) not in function.counts:
        first, last = function.counts[0], function.counts[-1]
        expected = f"{first}" if first == last else f"{first} to {last}"
        arguments = ", ".join(function.parameters)
        raise TypeError(
            f"{name} takes {expected} arguments ({arguments}), not {len(columns)}"
        )
    for at, (parameter, column) in enumerate(zip(function.parameters, columns), 1):
        kind = column.type
        if pyarrow.types.is_dictionary(kind):
            kind = kind.value_type
        is_text = any(is_kind(kind) for is_kind in _TEXTS)
        if not is_text and (at > len(function.texts) or not any(is_kind(kind) for is_kind in _BYTES)):
            raise TypeError(f"{name}: argument {at}, the {parameter}, is a text, not {column.type}")


# A literal NULL has a type of its own.
_TEXTS = (
    pyarrow.types.is_string,
    pyarrow.types.is_large_string,
    pyarrow.types.is_string_view,
    pyarrow.types.is_null,
)
_BYTES = (pyarrow.types.is_binary, pyarrow.types.is_large_binary, pyarrow.types.is_binary_view)


@lru_cache(maxsize=256)
def _check_setting(name, at, setting, value) -> None:
    """Raises the error about a setting that has no such value. The kernel knows, which runs over no rows."""
    function = FUNCTIONS[name]
    try:
        function.kernel(*([] for _ in function.texts), **{setting: value})
    except ValueError as error:
        raise ValueError(f"{name}: argument {at}, the {setting}: {error}") from None
