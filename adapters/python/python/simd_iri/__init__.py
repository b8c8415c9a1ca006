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
A text with a lone surrogate is never valid: a lone surrogate is one error, of one character.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address
from types import BuiltinFunctionType
from typing import NamedTuple, NoReturn

from . import _native, arrow
from ._error import IriError, RuleError, TemplateError
from ._native import (
    Iri,
    IriRef,
    Policy,
    QueryRules,
    Template,
    Uri,
    UriRef,
    archive_key,
    build,
    display,
    display_in_text,
    display_rule,
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
    redact,
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
    unwrap,
    violations,
    visual,
)

__all__ = [
    "AddressRange",
    "Finding",
    "Iri",
    "IriError",
    "IriRef",
    "Link",
    "Policy",
    "Prepared",
    "QueryRules",
    "Reason",
    "Redaction",
    "Redirect",
    "Repair",
    "RuleError",
    "Template",
    "TemplateError",
    "Uri",
    "UriRef",
    "Verdict",
    "archive_key",
    "arrow",
    "build",
    "display",
    "display_in_text",
    "display_rule",
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
    "judge",
    "judge_address",
    "judge_redirect",
    "key",
    "lint",
    "masked",
    "normalize",
    "origin",
    "port_or_default",
    "prepare",
    "query_value",
    "redact",
    "redactions",
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
    "unwrap",
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


class Redaction(NamedTuple):
    """A range of a text that ``redact`` replaces."""

    start: int
    """Where the range begins."""
    end: int
    """Where it ends."""
    reason: str
    """``"userinfo"``, ``"query-key"``, ``"fragment-key"``, ``"nested"``, ``"session-id"`` or ``"data"``."""
    key: str | None
    """The key as it is written; ``None`` if the range is not the value of a key."""
    set: str | None
    """The set that has the key; ``None`` for a key of your own and without a key."""


class AddressRange(NamedTuple):
    """A range of addresses that a policy refuses. It has no truth value, because ``if judge_address(address)`` would be true
    for an address that is refused."""

    name: str
    """The name, such as ``"10.0.0.0/8"``."""
    meaning: str
    """What the range is for."""
    is_metadata: bool
    """Whether it is the address of a metadata service of a cloud."""

    def __bool__(self) -> NoReturn:
        raise TypeError(
            "an AddressRange has no truth value; write judge_address(...) is None to ask whether an address is not refused"
        )


class Reason(NamedTuple):
    """Why ``judge`` refuses a text."""

    name: str
    """The kind, and the name of the range of an address: ``"address 10.0.0.0/8"``."""
    kind: str
    """The kind, in kebab-case; it stays the same between versions."""
    message: str
    """A sentence about the text."""
    start: int | None
    """Where the reason is in the text; ``None`` if it has no place."""
    end: int | None
    """Where the place ends."""
    range: AddressRange | None
    """The range of an address."""


class Verdict(NamedTuple):
    """The verdict of ``judge`` about a text. It has no truth value: ``if judge(url)`` would be true for a URL that is refused."""

    decision: str
    """``"refuse"``; ``"allow"`` if the host is an address that the policy permits; or ``"resolve"`` if the host is a name,
    whose addresses are to be judged."""
    reasons: list[Reason]
    """Every reason to refuse the text, in a fixed order."""
    scheme: str | None
    """The scheme."""
    host_by_rfc: str | None
    """The host as RFC 3987 reads it."""
    host_by_whatwg: str | None
    """The host as the URL Standard reads it."""
    port: int | None
    """The port of the connection."""
    address: str | None
    """The address, if the host is an address."""
    url_to_send: str | None
    """The URL to request, in ASCII; ``None`` if the text is refused."""

    def __bool__(self) -> NoReturn:
        raise TypeError(
            "a Verdict has no truth value; write verdict.url_to_send is None to ask whether the text is refused, "
            'and verdict.decision == "resolve" to ask whether the addresses of its host are still to be judged'
        )


class Redirect(NamedTuple):
    """The verdict of ``judge_redirect`` about a redirect. It has no truth value, as its verdict has none."""

    verdict: Verdict
    """The verdict about the URL to which the response redirects."""
    keeps_credentials: bool
    """Whether ``Authorization`` and cookies may go with the next request."""

    def __bool__(self) -> NoReturn:
        raise TypeError(
            "a Redirect has no truth value; write redirect.verdict.url_to_send is None to ask whether the redirect is refused"
        )


def redactions(
    text: str | IriRef,
    sets: Sequence[str] | None = None,
    *,
    keys: Sequence[str] | None = None,
    any_case: bool = False,
    raw: bool = False,
    userinfo: str = "shape",
    part: str = "reference",
    replacement: str = "REDACTED",
    semicolons: bool = False,
    whatwg: bool = False,
    nested: int | None = None,
    fragment: bool | None = None,
    session_ids: bool | None = None,
    data: bool = False,
) -> list[Redaction]:
    """Lists the ranges that ``redact`` replaces, with the same options.

    >>> from simd_iri import redactions
    >>> redactions("//é@h/?sig=x")
    [Redaction(start=2, end=3, reason='userinfo', key=None, set=None),
     Redaction(start=11, end=12, reason='query-key', key='sig', set='otel')]
    """
    found = _native.redactions(
        text,
        sets,
        keys=keys,
        any_case=any_case,
        raw=raw,
        userinfo=userinfo,
        part=part,
        replacement=replacement,
        semicolons=semicolons,
        whatwg=whatwg,
        nested=nested,
        fragment=fragment,
        session_ids=session_ids,
        data=data,
    )
    return [Redaction(*redaction) for redaction in found]


def judge(text: str | IriRef, policy: Policy | None = None) -> Verdict:
    """Judges a URL before it is fetched. The default policy allows pages of the public web. ``docs/judge.md`` says what is
    left for the caller to do. A verdict has no truth value: ask for ``url_to_send``.

    >>> from simd_iri import judge
    >>> judge("https://Example.com:443/a/../b?q#top").url_to_send
    'https://example.com/b?q'
    >>> verdict = judge("http://①②⑦.1/")
    >>> verdict.decision, [reason.name for reason in verdict.reasons]
    ('refuse', ['readings-differ', 'address 127.0.0.0/8'])
    """
    return _verdict(_native.judge(text, policy))


def judge_address(
    address: str | IPv4Address | IPv6Address, policy: Policy | None = None
) -> AddressRange | None:
    """Judges an address to which a name resolves: returns the range because of which it is refused, or ``None`` if it is
    not refused. Raises ``ValueError`` if the text is not an address.

    >>> from simd_iri import judge_address
    >>> judge_address("10.0.0.1").name, judge_address("93.184.216.34")
    ('10.0.0.0/8', None)
    """
    found = _native.judge_address(address, policy)
    return found and AddressRange(*found)


def judge_redirect(
    location: str | IriRef, base: str | IriRef, number: int = 1, policy: Policy | None = None
) -> Redirect:
    """Judges the ``Location`` of a response to a request of ``base``. The number of the redirect is 1 for the first.

    >>> from simd_iri import judge_redirect
    >>> redirect = judge_redirect("/c", "https://a.example/b")
    >>> redirect.verdict.url_to_send, redirect.keeps_credentials
    ('https://a.example/c', True)
    >>> judge_redirect("http://[::1]/", "https://a.example/b").verdict.decision
    'refuse'
    """
    verdict, keeps_credentials = _native.judge_redirect(location, base, number, policy)
    return Redirect(_verdict(verdict), keeps_credentials)


def _verdict(fields: tuple) -> Verdict:
    decision, reasons, *judged = fields
    made = [Reason(*reason, range and AddressRange(*range)) for *reason, range in reasons]
    return Verdict(decision, made, *judged)


def extract(text: str | IriRef, markup: str = "plain", *, ends: str = "strict") -> list[Link]:
    """Finds the links in a text (UTS #58). The markup is ``"plain"``, ``"log"``, ``"markdown"`` or ``"html"``. The ends of
    links are ``"strict"``, as UTS #58 has them; or ``"tight"`` or ``"ascii"``, for prose without spaces around links.

    >>> from simd_iri import extract
    >>> for link in extract("See example.com/a(b)! And mail ann@example.org."):
    ...     link.kind, link.start, link.end, link.reference
    ('domain', 4, 20, 'https://example.com/a(b)')
    ('email', 31, 46, 'mailto:ann@example.org')
    >>> [link.text for link in extract("見る→http://a.example/b。http://c.example（説明）", ends="tight")]
    ['http://a.example/b', 'http://c.example']
    """
    return [Link(*link) for link in _native.extract(text, markup, ends=ends)]


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
