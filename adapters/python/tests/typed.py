"""What a type checker says about the module. `test_stubs.py` checks this file with mypy, and asks each object for its class."""

from typing_extensions import assert_type

from simd_iri import (
    Iri,
    IriRef,
    QueryRules,
    Template,
    Uri,
    UriRef,
    Verdict,
    is_valid,
    judge,
    normalize,
    redact,
    registrable_domain,
    resolve,
    unwrap,
)



class Page(Iri):
    """A subclass, whose methods give the classes of the module."""


iri_ref, iri, uri_ref, uri = IriRef("http://é/?q"), Iri("http://é/"), UriRef("a:b/c"), Uri("a:b/c")

TYPES: list[tuple[object, type]] = [
    (assert_type(iri_ref.to_uri(), UriRef), UriRef),
    (assert_type(iri_ref.to_iri(), IriRef), IriRef),
    (assert_type(iri_ref.join("b"), Iri), Iri),
    (assert_type(iri_ref.relativize("http://é/"), IriRef), IriRef),
    (assert_type(iri_ref.normalize(), IriRef), IriRef),
    (assert_type(iri_ref.with_path("/é"), IriRef), IriRef),
    (assert_type(iri.to_uri(), Uri), Uri),
    (assert_type(iri.to_iri(), Iri), Iri),
    (assert_type(iri.join("é"), Iri), Iri),
    (assert_type(iri.relativize("http://é/c"), IriRef), IriRef),
    (assert_type(iri.normalize("scheme"), Iri), Iri),
    (assert_type(iri.with_port(80), Iri), Iri),
    (assert_type(Page("a:b").normalize(), Iri), Iri),
    (assert_type(iri.scheme, str), str),
    (assert_type(uri_ref.to_uri(), UriRef), UriRef),
    (assert_type(uri_ref.to_iri(), IriRef), IriRef),
    (assert_type(uri_ref.display(), IriRef), IriRef),
    (assert_type(uri_ref.join("b"), Uri), Uri),
    (assert_type(uri_ref.relativize("a:b"), UriRef), UriRef),
    (assert_type(uri_ref.normalize(), UriRef), UriRef),
    (assert_type(uri_ref.with_query("é"), UriRef), UriRef),
    (assert_type(uri.to_uri(), Uri), Uri),
    (assert_type(uri.to_iri(), Iri), Iri),
    (assert_type(uri.display(), Iri), Iri),
    (assert_type(uri.join("b"), Uri), Uri),
    (assert_type(uri.relativize("a:b"), UriRef), UriRef),
    (assert_type(uri.normalize(), Uri), Uri),
    (assert_type(uri.with_fragment("é"), Uri), Uri),
    (assert_type(uri.scheme, str), str),
    (assert_type(normalize(uri), str), str),
    (assert_type(resolve(iri, uri_ref), str), str),
    (assert_type(unwrap(iri_ref, 2, rules=QueryRules("")), str), str),
    (assert_type(QueryRules("", "adguard").apply(iri), str), str),
    (assert_type(is_valid(iri_ref, "uri"), bool), bool),
    (assert_type(uri.fingerprint(), int), int),
    (assert_type(registrable_domain("urn:a"), str | None), type(None)),
    (assert_type(redact("a"), str), str),
    (assert_type(redact(b"a"), bytes), bytes),
    (assert_type(judge("a"), Verdict), Verdict),
    (assert_type(Template("{a}").expand({"a": ["b"], "c": 1}), str), str),
    (assert_type(Template("{a}").match("b"), dict[str, str | list[str]] | None), dict),
]

# A subclass is usable where its parents are, and not the other way round.
wider: list[IriRef] = [iri, uri_ref, uri, Iri(uri), UriRef(iri.to_uri())]
both: tuple[Iri, UriRef] = (uri, uri)
narrower: Iri = iri_ref  # type: ignore[assignment]
narrowest: Uri = iri  # type: ignore[assignment]
