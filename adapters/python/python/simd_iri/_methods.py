"""The methods of the namespace ``iri``, the same in each package that has columns: a method for each function of
``simd_iri.arrow``.

Not here: how a package passes a column and takes a result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from . import IriRef, Policy, QueryRules, Template, arrow

Column = TypeVar("Column")

PARTS = (
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
# The kind of each field of a verdict.
VERDICT = {
    "decision": "text",
    "reasons": "texts",
    "scheme": "text",
    "host_by_rfc": "text",
    "host_by_whatwg": "text",
    "port": "port",
    "address": "text",
    "url_to_send": "text",
}


class Methods(Generic[Column]):
    """The methods of a column of texts. Each gives a row for each row, and a missing row for a missing row.

    The kinds of results are ``truth``, ``text``, ``texts``, ``number``, ``parts``, ``error``, ``errors``, ``links`` and
    ``verdict``; and for a template, a tuple of ``values`` and the names of its variables.
    """

    def _column(self, kind: str | tuple[str, ...], kernel: Callable[..., arrow.Array], *settings: Any, **named: Any) -> Column:
        """A column of results of this kind: those of the kernel for the texts and these settings."""
        raise NotImplementedError

    def _with_base(self, kernel: Callable[..., arrow.Array], base: str | IriRef | Column) -> Column:
        """A column of texts: the results of the kernel for the base, or the base of each row, and the texts."""
        raise NotImplementedError

    def is_valid(self, rule: str = "iri") -> Column:
        """Tells for each row whether it matches a rule."""
        return self._column("truth", arrow.is_valid, rule)

    def is_hostname(self) -> Column:
        """Tells for each row whether it is the name of a host (RFC 1123)."""
        return self._column("truth", arrow.is_hostname)

    def is_idn_hostname(self) -> Column:
        """Tells for each row whether it is the name of a host with letters of all scripts, by IDNA2008."""
        return self._column("truth", arrow.is_idn_hostname)

    def parse(self, rule: str = "iri") -> Column:
        """Returns all components, as a struct."""
        return self._column("parts", arrow.parse, rule)

    def error(self, rule: str = "iri") -> Column:
        """Returns the first violation, as a struct. Offsets are in bytes."""
        return self._column("error", arrow.error, rule)

    def violations(self, rule: str = "iri") -> Column:
        """Returns every violation, as a list of structs. Offsets are in bytes."""
        return self._column("errors", arrow.violations, rule)

    def scheme(self, rule: str = "iri") -> Column:
        """Returns the scheme."""
        return self._column("text", arrow.scheme, rule)

    def authority(self, rule: str = "iri") -> Column:
        """Returns the authority."""
        return self._column("text", arrow.authority, rule)

    def userinfo(self, rule: str = "iri") -> Column:
        """Returns the user information."""
        return self._column("text", arrow.userinfo, rule)

    def host(self, rule: str = "iri") -> Column:
        """Returns the host."""
        return self._column("text", arrow.host, rule)

    def host_kind(self, rule: str = "iri") -> Column:
        """Returns the kind of the host: ``"reg-name"``, ``"ipv4"``, ``"ipv6"`` or ``"ipvfuture"``."""
        return self._column("text", arrow.host_kind, rule)

    def port(self, rule: str = "iri") -> Column:
        """Returns the port, as text."""
        return self._column("text", arrow.port, rule)

    def path(self, rule: str = "iri") -> Column:
        """Returns the path."""
        return self._column("text", arrow.path, rule)

    def query(self, rule: str = "iri") -> Column:
        """Returns the query."""
        return self._column("text", arrow.query, rule)

    def fragment(self, rule: str = "iri") -> Column:
        """Returns the fragment."""
        return self._column("text", arrow.fragment, rule)

    def normalize(self, level: str = "scheme", rule: str = "iri") -> Column:
        """Normalizes each row."""
        return self._column("text", arrow.normalize, level, rule)

    def to_uri(self, *, idna: bool = False, rule: str = "iri") -> Column:
        """Maps each row to a URI."""
        return self._column("text", arrow.to_uri, idna=idna, rule=rule)

    def to_iri(self, *, idna: bool = False, rule: str = "iri") -> Column:
        """Maps each row to an IRI."""
        return self._column("text", arrow.to_iri, idna=idna, rule=rule)

    def display(self, rule: str = "iri", *, policy: str | None = None) -> Column:
        """Returns each row as it is best read, or as the browser of the policy shows it."""
        return self._column("text", arrow.display, rule, policy=policy)

    def display_rule(self, policy: str, rule: str = "iri") -> Column:
        """Returns the rule by which a browser shows an A-label in the host."""
        return self._column("text", arrow.display_rule, policy, rule)

    def display_in_text(self, rule: str = "iri") -> Column:
        """Returns each row for running text."""
        return self._column("text", arrow.display_in_text, rule)

    def registrable_domain(self, rule: str = "iri") -> Column:
        """Returns the registrable domain."""
        return self._column("text", arrow.registrable_domain, rule)

    def origin(self, rule: str = "iri") -> Column:
        """Returns the origin."""
        return self._column("text", arrow.origin, rule)

    def query_value(self, name: str, rule: str = "iri") -> Column:
        """Returns the decoded value of the first pair with this name in the query."""
        return self._column("text", arrow.query_value, name, rule)

    def drop_query_pairs(self, names: list[str], rule: str = "iri") -> Column:
        """Leaves out the pairs of the query that have one of these decoded names."""
        return self._column("text", arrow.drop_query_pairs, names, rule)

    def unwrap(self, levels: int = 1, rule: str = "iri", *, rules: QueryRules | None = None) -> Column:
        """Takes the link in each row out of its wrappers, and out of those of the rules."""
        return self._column("text", arrow.unwrap, levels, rule, rules=rules)

    def apply_query_rules(self, rules: QueryRules, rule: str = "iri") -> Column:
        """Leaves out the pairs of the query that the rules name."""
        return self._column("text", arrow.apply_query_rules, rules, rule)

    def masked(self, rule: str = "iri") -> Column:
        """Returns each row with ``***`` in place of a password."""
        return self._column("text", arrow.masked, rule)

    def skeleton(self, rule: str = "iri") -> Column:
        """Returns a text that is the same for rows that look alike."""
        return self._column("text", arrow.skeleton, rule)

    def percent_encode(self, place: str = "segment") -> Column:
        """Percent-encodes each row, a value, for a place in a URI."""
        return self._column("text", arrow.percent_encode, place)

    def percent_decode(self) -> Column:
        """Decodes the triplets of each row, a value."""
        return self._column("text", arrow.percent_decode)

    def key(self, level: str = "scheme", rule: str = "iri") -> Column:
        """Returns a text that is the same for equivalent rows."""
        return self._column("text", arrow.key, level, rule)

    def fingerprint(self, level: str = "scheme", rule: str = "iri") -> Column:
        """Returns a number that is the same for equivalent rows."""
        return self._column("number", arrow.fingerprint, level, rule)

    def prepare(self, profile: str = "browser-like") -> Column:
        """Repairs each row."""
        return self._column("text", arrow.prepare, profile)

    def lint(self, profile: str = "rfc", rule: str = "iri") -> Column:
        """Returns the codes of the findings about each row."""
        return self._column("texts", arrow.lint, profile, rule)

    def fix(self, profile: str = "rfc", rule: str = "iri") -> Column:
        """Corrects each finding about each row, if its correction means the same."""
        return self._column("text", arrow.fix, profile, rule)

    def extract(self, markup: str = "plain", *, ends: str = "strict") -> Column:
        """Returns the links in each row, a text, as a list of structs. Offsets are in bytes."""
        return self._column("links", arrow.extract, markup, ends=ends)

    def redact(
        self,
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
    ) -> Column:
        """Returns each row, any text, without its secrets. The options are those of ``simd_iri.redact``."""
        return self._column(
            "text",
            arrow.redact,
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

    def archive_key(self, profile: str = "pywb") -> Column:
        """Returns the key by which a web archive finds each row, any text."""
        return self._column("text", arrow.archive_key, profile)

    def template_match(
        self,
        template: str | IriRef | Template,
        *,
        query_as_set: bool = False,
        known_pairs_only: bool = False,
        single_pairs_only: bool = False,
    ) -> Column:
        """Returns the values of the variables of a template, as a struct of lists of texts. The options are those of
        ``Template.match``."""
        template = template if isinstance(template, Template) else Template(template)
        return self._column(
            ("values", *template.variables),
            arrow.template_match,
            template,
            query_as_set=query_as_set,
            known_pairs_only=known_pairs_only,
            single_pairs_only=single_pairs_only,
        )

    def judge(self, policy: Policy | None = None) -> Column:
        """Returns the verdict about each row before it is fetched, as a struct."""
        return self._column("verdict", arrow.judge, policy)

    def resolve(self, base: str | IriRef | Column) -> Column:
        """Resolves each row relative to one base, or to the base of the row in another column."""
        return self._with_base(arrow.resolve, base)

    def relativize(self, base: str | IriRef | Column) -> Column:
        """Makes each row relative to one base, or to the base of the row in another column."""
        return self._with_base(arrow.relativize, base)
