"""Names in graphs of RDFLib, which itself only refuses nine characters.

>>> from rdflib import Graph
>>> from simd_iri.rdflib import invalid
>>> graph = Graph().parse(data="<http://a/%zz> <urn:p> <urn:o> .", format="turtle")
>>> [(str(name), error.hint) for name, error in invalid(graph)]
[('http://a/%zz', "write %25 for a literal '%'")]
"""

from __future__ import annotations

from collections.abc import Iterator

from rdflib import Graph, Literal, URIRef

from . import Iri, IriError, IriRef, resolve

__all__ = ["invalid", "uriref"]


def uriref(text: str | IriRef, base: str | IriRef | None = None) -> URIRef:
    """Makes a name of an IRI or, with a base, of a reference that is resolved relative to it. Raises ``IriError``.

    >>> from simd_iri.rdflib import uriref
    >>> uriref("../é", base="http://a/b/c")
    rdflib.term.URIRef('http://a/é')
    """
    return URIRef(str(Iri(text)) if base is None else resolve(base, text))


def invalid(graph: Graph) -> Iterator[tuple[URIRef, IriError]]:
    """Yields each name in a graph that is not an IRI, once, with its error: subjects, predicates, objects and datatypes.

    >>> from rdflib import Graph
    >>> from simd_iri.rdflib import invalid
    >>> list(invalid(Graph().parse(data="<urn:s> <urn:p> <urn:o> .", format="turtle")))
    []
    """
    seen = set()
    for triple in graph:
        for term in triple:
            name = term.datatype if isinstance(term, Literal) else term
            if isinstance(name, URIRef) and name not in seen:
                seen.add(name)
                try:
                    Iri(str(name))
                except IriError as error:
                    yield name, error
