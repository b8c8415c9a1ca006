"""Internationalized Resource Identifiers (RFC 3987) and URIs (RFC 3986).

>>> from simd_iri import Iri, is_valid
>>> iri = Iri("http://例え.jp:8042/도움말?q=क")
>>> iri.host, iri.port, iri.query
('例え.jp', 8042, 'q=क')
>>> iri.to_uri(idna=True).host
'xn--r8jz45g.jp'
>>> is_valid("http://example.org/a|b")
False

``simd_iri.arrow`` does the same to columns of text. ``simd_iri.jsonschema``, ``simd_iri.pandas``, ``simd_iri.polars``,
``simd_iri.duckdb``, ``simd_iri.spark``, ``simd_iri.pydantic`` and ``simd_iri.rdflib`` are for these packages, none of which is
a dependency.

A text is a ``str`` or an ``IriRef``, whose subclasses are ``Iri``, ``UriRef`` and ``Uri``. All offsets are in its characters.
A text with a lone surrogate is never valid.
"""

from __future__ import annotations

import os
from types import BuiltinFunctionType
from typing import NamedTuple

from . import _native, arrow
from ._error import IriError
from ._native import (
    Iri,
    IriRef,
    Uri,
    UriRef,
    build,
    display,
    display_in_text,
    drop_query_pairs,
    embed,
    escape,
    fingerprint,
    fix,
    from_windows_path,
    host_kind,
    host_to_ascii,
    host_to_unicode,
    interpret,
    is_hostname,
    is_idn_hostname,
    is_valid,
    key,
    masked,
    normalize,
    origin,
    port_or_default,
    query_value,
    registrable_domain,
    relativize,
    resolve,
    skeleton,
    to_iri,
    to_uri,
    to_uri_in_charset,
    to_windows_path,
    unembed,
    unescape,
    violations,
    visual,
)

__all__ = [
    "Finding",
    "Iri",
    "IriError",
    "IriRef",
    "Link",
    "Prepared",
    "Repair",
    "Uri",
    "UriRef",
    "arrow",
    "build",
    "display",
    "display_in_text",
    "drop_query_pairs",
    "embed",
    "escape",
    "extract",
    "fingerprint",
    "fix",
    "from_posix_path",
    "from_windows_path",
    "host_kind",
    "host_to_ascii",
    "host_to_unicode",
    "interpret",
    "is_hostname",
    "is_idn_hostname",
    "is_valid",
    "key",
    "lint",
    "masked",
    "normalize",
    "origin",
    "port_or_default",
    "prepare",
    "query_value",
    "registrable_domain",
    "relativize",
    "resolve",
    "skeleton",
    "to_iri",
    "to_posix_path",
    "to_uri",
    "to_uri_in_charset",
    "to_windows_path",
    "unembed",
    "unescape",
    "violations",
    "visual",
]

__version__: str = _native.__version__

# Functions are pickled by the name of their module, for example to be sent to a worker of Spark.
for _name in __all__:
    if isinstance(globals().get(_name), BuiltinFunctionType):
        globals()[_name].__module__ = __name__


class Link(NamedTuple):
    """A link in a text, as ``extract`` finds it. Its representation has ``***`` in place of a password."""

    text: str
    """The link as it is written."""
    kind: str
    """``"iri"``, ``"domain"``, ``"email"`` or, in HTML and Markdown, ``"relative"``."""
    start: int
    """Where the link begins."""
    end: int
    """Where it ends."""
    reference: str | None
    """The reference that it means; ``None`` if that cannot be made valid."""

    def __repr__(self) -> str:
        reference = None if self.reference is None else masked(self.reference)
        return (
            f"Link(text={masked(self.text)!r}, kind={self.kind!r}, start={self.start!r}, "
            f"end={self.end!r}, reference={reference!r})"
        )


class Repair(NamedTuple):
    """A repair that ``prepare`` made."""

    kind: str
    """What was done, in kebab-case."""
    start: int
    """Where the repaired part of the input begins."""
    end: int
    """Where it ends; equal to ``start`` where something was inserted."""


class Prepared(NamedTuple):
    """The result of ``prepare``. Its representation has ``***`` in place of a password."""

    text: str
    """An IRI reference."""
    repairs: list[Repair]
    """The first 1,000 repairs, in the order of the input."""

    def __repr__(self) -> str:
        return f"Prepared(text={masked(self.text)!r}, repairs={self.repairs!r})"


class Finding(NamedTuple):
    """What ``lint`` reports about a valid reference."""

    code: str
    """The code, such as ``"spoof.password"``; it stays the same between versions."""
    severity: str
    """``"error"``, ``"warning"`` or ``"note"``."""
    start: int
    """Where the finding begins."""
    end: int
    """Where it ends."""
    component: str
    """The component: ``"scheme"``, ``"host"``, ``"path"``, ..."""
    message: str
    """What is wrong, and what would be right."""


def extract(text: str | IriRef, markup: str = "plain") -> list[Link]:
    """Finds the links in a text (UTS #58). The markup is ``"plain"``, ``"log"``, ``"markdown"`` or ``"html"``.

    >>> from simd_iri import extract
    >>> for link in extract("See example.com/a(b)! And mail ann@example.org."):
    ...     link.kind, link.start, link.end, link.reference
    ('domain', 4, 20, 'https://example.com/a(b)')
    ('email', 31, 46, 'mailto:ann@example.org')
    """
    return [Link(*link) for link in _native.extract(text, markup)]


def prepare(text: str | IriRef, profile: str = "browser-like") -> Prepared:
    r"""Repairs a text and lists the repairs. The profile is ``"strict"``, ``"leiri"``, ``"browser-like"``, ``"crawler"`` or
    ``"rdf"``. Raises ``IriError`` about what the profile does not repair.

    >>> from simd_iri import prepare
    >>> prepared = prepare(" http:\\\\a/b c")
    >>> prepared.text
    'http://a/b%20c'
    >>> prepared.repairs[-1]
    Repair(kind='space', start=11, end=12)
    """
    prepared, repairs = _native.prepare(text, profile)
    return Prepared(prepared, [Repair(*repair) for repair in repairs])


def lint(text: str | IriRef, profile: str = "rfc", rule: str = "iri-reference") -> list[Finding]:
    """Reports what is risky or not preferred in a valid reference. The profile is ``"rfc"``, ``"rdf"``,
    ``"json-schema"``, ``"crawler"`` or ``"strict"``. Raises ``IriError`` if the text does not match the rule.

    >>> from simd_iri import lint
    >>> [(finding.code, finding.start, finding.end) for finding in lint("http://é:p@a/", "crawler")]
    [('scheme.userinfo', 7, 10), ('spoof.password', 9, 10)]
    """
    return [Finding(*finding) for finding in _native.lint(text, profile, rule)]


def from_posix_path(path: str | bytes | os.PathLike) -> str:
    """Returns the ``file`` IRI of a name of Linux, macOS or another POSIX system, which begins with a slash. Raises
    ``ValueError`` about another name. A name is bytes; in a ``str``, lone surrogates stand for bytes that are not UTF-8, as
    ``os.fsdecode`` writes them.

    >>> from simd_iri import from_posix_path
    >>> from_posix_path("/a b/é")
    'file:///a%20b/é'
    """
    name = os.fspath(path)
    return _native.from_posix_path(
        name if isinstance(name, bytes) else name.encode("utf-8", "surrogateescape")
    )


def to_posix_path(text: str | IriRef) -> str:
    """Returns the name of a POSIX system that a ``file`` IRI has. In the name, lone surrogates stand for bytes that are not
    UTF-8, as ``os.fsencode`` reads them. Raises ``IriError`` if the text is not an IRI, and ``ValueError`` if the IRI has no
    such name.

    >>> from simd_iri import to_posix_path
    >>> to_posix_path("file:///a%20b/%C3%A9")
    '/a b/é'
    """
    return bytes(_native.to_posix_path(text)).decode("utf-8", "surrogateescape")
