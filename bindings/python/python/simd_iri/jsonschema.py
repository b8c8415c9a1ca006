"""Formats of JSON Schema for the package ``jsonschema``.

>>> import jsonschema
>>> from simd_iri.jsonschema import format_checker
>>> schema = {"type": "string", "format": "iri"}
>>> jsonschema.validate("http://例え.jp/", schema, format_checker=format_checker())
>>> jsonschema.validate("http://例え.jp/a|b", schema, format_checker=format_checker())
Traceback (most recent call last):
jsonschema.exceptions.ValidationError: 'http://例え.jp/a|b' is not a 'iri'
"""

from __future__ import annotations

from functools import partial

from jsonschema import FormatChecker

from . import is_hostname, is_idn_hostname, is_valid

__all__ = ["format_checker"]

_FORMATS = {
    "iri": partial(is_valid, rule="iri"),
    "iri-reference": partial(is_valid, rule="iri-reference"),
    "uri": partial(is_valid, rule="uri"),
    "uri-reference": partial(is_valid, rule="uri-reference"),
    "hostname": is_hostname,
    "idn-hostname": is_idn_hostname,
}


def format_checker() -> FormatChecker:
    """Returns a checker with the formats ``iri``, ``iri-reference``, ``uri``, ``uri-reference``, ``hostname`` and
    ``idn-hostname`` of this package, and with all others that ``jsonschema`` has.

    >>> from simd_iri.jsonschema import format_checker
    >>> format_checker().conforms("http://例え.jp/", "uri"), format_checker().conforms(1, "uri")
    (False, True)
    """
    checker = FormatChecker()
    for name, check in _FORMATS.items():
        checker.checks(name)(_of_strings(check))
    return checker


def _of_strings(check):
    """A format says nothing about what is not a string."""
    return lambda value: not isinstance(value, str) or check(value)
