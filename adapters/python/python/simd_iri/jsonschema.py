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

from jsonschema import FormatChecker

from . import Iri, IriError, IriRef, Uri, UriRef, is_hostname, is_idn_hostname, is_valid

__all__ = ["format_checker"]

_REFERENCES = {"iri": Iri, "iri-reference": IriRef, "uri": Uri, "uri-reference": UriRef}
_HOSTS = {"hostname": is_hostname, "idn-hostname": is_idn_hostname}


def format_checker() -> FormatChecker:
    """Returns a checker with the formats ``iri``, ``iri-reference``, ``uri``, ``uri-reference``, ``hostname`` and
    ``idn-hostname`` of this package, and with all others that ``jsonschema`` has. The ``cause`` of an error about a
    reference is an ``IriError``.

    >>> from simd_iri.jsonschema import format_checker
    >>> format_checker().conforms("http://例え.jp/", "uri"), format_checker().conforms(1, "uri")
    (False, True)
    """
    checker = FormatChecker()
    for name, kind in _REFERENCES.items():
        checker.checks(name, raises=IriError)(_of_strings(_checked(name, kind)))
    for name, check in _HOSTS.items():
        checker.checks(name)(_of_strings(check))
    return checker


def _checked(rule, kind):
    """A check that makes an object only for the error that the constructor raises."""
    return lambda text: is_valid(text, rule) or bool(kind(text))


def _of_strings(check):
    """A format says nothing about what is not a string."""
    return lambda value: not isinstance(value, str) or check(value)
