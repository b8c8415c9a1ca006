"""An adapter for libraries in Python: adapter.py NAME answers for one of them. protocol.md says what it reads and writes.

A library answers by its own functions alone: what it does not offer is unsupported.
"""

import importlib.metadata
import json
import platform
import subprocess
import sys


class Unsupported(Exception):
    """The library does not offer this."""


def parts(**components):
    return {"valid": True, "components": components}


def answer_text(make, *errors):
    """The answer of a function that makes a text. Any exception refuses the input."""
    try:
        return {"result": make()}
    except Unsupported:
        raise
    except errors or Exception as error:
        return {"error": f"{type(error).__name__}: {error}"[:200]}


def is_valid(parse):
    try:
        return parse()
    except RecursionError:
        raise
    except Exception:
        return {"valid": False}


URI_KINDS = ("uri", "uri-reference", "absolute-uri", "relative-ref")


def uri_kind(kind, scheme, fragment):
    """For a library that reads any reference: whether the reference is of a kind."""
    return (
        kind == "uri-reference"
        or kind == "uri"
        and bool(scheme)
        or kind == "absolute-uri"
        and bool(scheme)
        and fragment is None
        or kind == "relative-ref"
        and not scheme
    )


def rfc3986(ask):
    from rfc3986 import normalize_uri, uri_reference, validators

    op = ask["op"]
    if op == "parse" and ask["kind"] in URI_KINDS:
        text = ask["input"]

        def parse():
            found = uri_reference(text)
            check = validators.Validator().check_validity_of(
                "scheme", "userinfo", "host", "port", "path", "query", "fragment"
            )
            check.validate(found)
            if not uri_kind(ask["kind"], found.scheme, found.fragment):
                return {"valid": False}
            authority = found.authority_info() if found.authority else {}
            return parts(
                scheme=found.scheme, authority=found.authority, userinfo=authority.get("userinfo"), host=authority.get("host"),
                port=authority.get("port"), path=found.path or "", query=found.query, fragment=found.fragment,
            )  # fmt: skip

        return is_valid(parse)
    if op == "resolve" and ask["kind"] == "uri" and ask["strict"]:
        return answer_text(lambda: uri_reference(ask["reference"]).resolve_with(ask["base"], strict=True).unsplit())
    if op == "normalize" and ask["kind"] == "uri" and ask["ladder"] == "syntax":
        return answer_text(lambda: normalize_uri(ask["input"]))
    if op == "compare" and ask["kind"] == "uri" and ask["ladder"] == "syntax":
        return {"equal": uri_reference(ask["a"]).normalized_equality(uri_reference(ask["b"]))}
    raise Unsupported


RFC3987 = {
    "iri": "IRI", "iri-reference": "IRI_reference", "absolute-iri": "absolute_IRI", "irelative-ref": "irelative_ref",
    "uri": "URI", "uri-reference": "URI_reference", "absolute-uri": "absolute_URI", "relative-ref": "relative_ref",
}  # fmt: skip


def rfc3987(ask):
    import rfc3987 as library

    op = ask["op"]
    if op == "parse":

        def parse():
            found = library.parse(ask["input"], rule=RFC3987[ask["kind"]])
            return parts(
                **{name: found[name] for name in ("scheme", "authority", "path", "query", "fragment") if name in found}
            )

        return is_valid(parse)
    if op == "resolve" and ask["strict"]:
        return answer_text(lambda: library.resolve(ask["base"], ask["reference"]))
    raise Unsupported


def rfc3987_syntax(ask):
    import rfc3987_syntax as library

    rules = {
        "iri": "iri",
        "iri-reference": "iri_reference",
        "absolute-iri": "absolute_iri",
        "irelative-ref": "irelative_ref",
    }
    if ask["op"] == "parse" and ask["kind"] in rules:
        return {"valid": bool(library.is_valid_syntax(rules[ask["kind"]], ask["input"]))}
    raise Unsupported


def rdflib(ask):
    from rdflib import URIRef
    from rdflib.term import _is_valid_uri

    op = ask["op"]
    if op == "parse" and ask["kind"] == "iri-reference":
        # The check that a serializer makes.
        return {"valid": bool(_is_valid_uri(ask["input"]))}
    if op == "resolve" and ask["strict"]:
        return answer_text(lambda: str(URIRef(ask["reference"], base=ask["base"])))
    raise Unsupported


def urllib_parse(ask):
    from urllib.parse import urljoin, urlsplit

    op = ask["op"]
    if op == "parse" and ask["kind"] in URI_KINDS:

        def parse():
            found = urlsplit(ask["input"])
            found.port
            if not uri_kind(ask["kind"], found.scheme, found.fragment or None):
                return {"valid": False}
            # Schemes and hosts are given in lower case, and ports as numbers: these are not compared.
            return parts(authority=found.netloc, path=found.path, query=found.query, fragment=found.fragment)

        return is_valid(parse)
    if op == "resolve" and ask["kind"] == "uri" and ask["strict"]:
        return answer_text(lambda: urljoin(ask["base"], ask["reference"]))
    raise Unsupported


def uritools(ask):
    import uritools as library

    op = ask["op"]
    if op == "parse" and ask["kind"] in URI_KINDS:

        def parse():
            found = library.urisplit(ask["input"])
            # The functions that decode a component check it.
            found.getscheme(), found.gethost(), found.getport(), found.getpath(), found.getquery(), found.getfragment()
            if not uri_kind(ask["kind"], found.scheme, found.fragment):
                return {"valid": False}
            return parts(
                scheme=found.scheme, authority=found.authority, userinfo=found.userinfo, host=found.host, port=found.port,
                path=found.path, query=found.query, fragment=found.fragment,
            )  # fmt: skip

        return is_valid(parse)
    if op == "resolve" and ask["kind"] == "uri":
        return answer_text(lambda: library.urijoin(ask["base"], ask["reference"], ask["strict"]))
    raise Unsupported


def yarl(ask):
    from yarl import URL

    op = ask["op"]
    # The function takes IRIs.
    if op == "parse" and ask["kind"] in ("iri", "iri-reference"):

        def parse():
            found = URL(ask["input"])
            found.port, found.host
            return {"valid": bool(found.scheme) or ask["kind"] == "iri-reference"}

        return is_valid(parse)
    if op == "resolve" and ask["kind"] == "uri" and ask["strict"]:
        return answer_text(lambda: str(URL(ask["base"], encoded=True).join(URL(ask["reference"], encoded=True))))
    raise Unsupported


def hyperlink(ask):
    from hyperlink import URL

    op = ask["op"]
    # The function takes IRIs.
    if op == "parse" and ask["kind"] in ("iri", "iri-reference"):

        def parse():
            found = URL.from_text(ask["input"])
            return {"valid": bool(found.scheme) or ask["kind"].endswith("reference")}

        return is_valid(parse)
    if op == "resolve" and ask["strict"]:
        return answer_text(lambda: URL.from_text(ask["base"]).click(ask["reference"]).to_text())
    if op == "normalize" and ask["ladder"] == "syntax":
        return answer_text(lambda: URL.from_text(ask["input"]).normalize().to_text())
    if op == "to_uri" and ask["host"] == "idna":
        return answer_text(lambda: URL.from_text(ask["input"]).to_uri().to_text())
    if op == "from_uri":
        return answer_text(lambda: URL.from_text(ask["input"]).to_iri().to_text())
    raise Unsupported


def httpx(ask):
    from httpx import URL

    op = ask["op"]
    # The function takes IRIs.
    if op == "parse" and ask["kind"] in ("iri", "iri-reference"):

        def parse():
            found = URL(ask["input"])
            return {"valid": bool(found.scheme) or ask["kind"].endswith("reference")}

        return is_valid(parse)
    if op == "resolve" and ask["strict"]:
        return answer_text(lambda: str(URL(ask["base"]).join(ask["reference"])))
    raise Unsupported


def whatwg(parse):
    """A parser of the URL Standard: a function of a text and a base, which returns the serialized URL."""

    def answer(ask):
        if ask["op"] == "parse" and ask["kind"] in ("iri", "uri"):
            return is_valid(lambda: parse(ask["input"], None) and {"valid": True})
        if ask["op"] == "resolve" and ask["strict"]:
            return answer_text(lambda: parse(ask["reference"], ask["base"]))
        raise Unsupported

    return answer


def can_ada(text, base):
    import can_ada as library

    if base is not None:
        raise Unsupported
    return str(library.parse(text))


def ada_url(text, base):
    import ada_url as library

    return library.URL(text, base).href


def whatwg_url(text, base):
    import whatwg_url as library

    return library.parse_url(text, base).href


def uriparser():
    """The library for C."""
    import ctypes
    import ctypes.util
    from ctypes import POINTER, Structure, byref, c_char_p, c_int, c_void_p, create_string_buffer

    class Range(Structure):
        _fields_ = [("first", c_void_p), ("after", c_void_p)]

        def text(self):
            return None if not self.first else ctypes.string_at(self.first, self.after - self.first).decode("latin-1")

    class Segment(Structure):
        pass

    Segment._fields_ = [("range", Range), ("next", POINTER(Segment)), ("reserved", c_void_p)]

    class Uri(Structure):
        _fields_ = [
            ("scheme", Range), ("userinfo", Range), ("host", Range), ("ip4", c_void_p), ("ip6", c_void_p), ("future", Range),
            ("port", Range), ("head", POINTER(Segment)), ("tail", POINTER(Segment)), ("query", Range), ("fragment", Range),
            ("absolute", c_int), ("owner", c_int), ("reserved", c_void_p),
        ]  # fmt: skip

    c = ctypes.CDLL(ctypes.util.find_library("uriparser"))
    c.uriParseSingleUriA.argtypes = [POINTER(Uri), c_char_p, c_void_p]

    class Failed(Exception):
        pass

    # The texts to which the ranges point.
    kept = []

    def parsed(text):
        if "\0" in text or not text.isascii():
            raise Failed("not a string of C in ASCII")
        uri, buffer = Uri(), create_string_buffer(text.encode())
        kept.append(buffer)
        if c.uriParseSingleUriA(byref(uri), ctypes.cast(buffer, c_char_p), None):
            raise Failed("invalid")
        return uri

    def string(uri):
        size = c_int()
        if c.uriToStringCharsRequiredA(byref(uri), byref(size)):
            raise Failed("no length")
        room = create_string_buffer(size.value + 1)
        if c.uriToStringA(room, byref(uri), size.value + 1, None):
            raise Failed("no text")
        return room.value.decode("latin-1")

    def components(uri):
        host, segments, at = uri.host.text(), [], uri.head
        while at:
            segments.append(at.contents.range.text() or "")
            at = at.contents.next
        if host is not None and (uri.ip6 or uri.future.first):
            host = f"[{host}]"
        rooted = uri.absolute or (host is not None and segments)
        return {
            "scheme": uri.scheme.text(), "userinfo": uri.userinfo.text(), "host": host, "port": uri.port.text(),
            "path": "/" * bool(rooted) + "/".join(segments), "query": uri.query.text(), "fragment": uri.fragment.text(),
        }  # fmt: skip

    def resolve(ask):
        result = Uri()
        code = c.uriAddBaseUriExA(
            byref(result), byref(parsed(ask["reference"])), byref(parsed(ask["base"])), int(not ask["strict"])
        )
        if code:
            raise Failed(f"code {code}")
        return string(result)

    def normalize(ask):
        uri = parsed(ask["input"])
        if code := c.uriNormalizeSyntaxA(byref(uri)):
            raise Failed(f"code {code}")
        return string(uri)

    def answer(ask):
        kept.clear()
        op = ask["op"]
        if op == "parse" and ask["kind"] in URI_KINDS:
            try:
                found = components(parsed(ask["input"]))
            except Failed:
                return {"valid": False}
            is_kind = uri_kind(ask["kind"], found["scheme"], found["fragment"])
            return {"valid": True, "components": found} if is_kind else {"valid": False}
        if op == "resolve" and ask["kind"] == "uri":
            return answer_text(lambda: resolve(ask), Failed)
        if op == "normalize" and ask["kind"] == "uri" and ask["ladder"] == "syntax":
            return answer_text(lambda: normalize(ask), Failed)
        raise Unsupported

    return answer


def glib():
    """GUri of GLib, for C."""
    import ctypes
    import ctypes.util
    from ctypes import c_char_p, c_int, c_void_p

    c = ctypes.CDLL(ctypes.util.find_library("glib-2.0"))
    c.g_uri_resolve_relative.restype = c_void_p
    # G_URI_FLAGS_ENCODED: nothing is decoded.
    encoded = c_int(1 << 3)

    def answer(ask):
        texts = [ask[name] for name in ("input", "base", "reference") if name in ask]
        if any("\0" in text for text in texts):
            return {"valid": False} if ask["op"] == "parse" else {"error": "not a string of C"}
        if ask["op"] == "parse" and ask["kind"] == "uri":
            return {"valid": bool(c.g_uri_is_valid(c_char_p(ask["input"].encode()), encoded, None))}
        if ask["op"] == "resolve" and ask["kind"] == "uri" and ask["strict"]:
            base, reference = ask["base"].encode(), ask["reference"].encode()
            found = c.g_uri_resolve_relative(c_char_p(base), c_char_p(reference), encoded, None)
            return {"result": ctypes.string_at(found).decode()} if found else {"error": "refused"}
        raise Unsupported

    return answer


RFC, BOTH, URL_STANDARD = ["RFC 3986"], ["RFC 3986", "RFC 3987"], ["URL Standard"]
LIBRARIES = {
    "rfc3986": (rfc3986, RFC, {}),
    "rfc3987": (rfc3987, BOTH, {}),
    "rfc3987-syntax": (rfc3987_syntax, ["RFC 3987"], {}),
    "rdflib": (rdflib, ["RFC 3987"], {}),
    "urllib.parse": (urllib_parse, RFC, {"absent": "empty"}),
    "uritools": (uritools, RFC, {}),
    "yarl": (yarl, RFC, {}),
    "hyperlink": (hyperlink, BOTH, {"features": ["idna"]}),
    "httpx": (httpx, BOTH, {}),
    "can_ada": (whatwg(can_ada), URL_STANDARD, {}),
    "ada-url": (whatwg(ada_url), URL_STANDARD, {}),
    "whatwg-url": (whatwg(whatwg_url), URL_STANDARD, {}),
}
# Libraries for C: loaded when they are asked for. The version is that of the package of the system.
IN_C = {"uriparser": (uriparser, "liburiparser1"), "GLib": (glib, "libglib2.0-0")}


def main():
    sys.stdin.reconfigure(encoding="utf-8", newline="\n")
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    name = sys.argv[1]
    language = "Python"
    if name in IN_C:
        load, package = IN_C[name]
        library, standards, more, language = load(), RFC, {}, "C"
        asked = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True)
        version = asked.stdout or "unknown"
    else:
        library, standards, more = LIBRARIES[name]
        version = platform.python_version() if name == "urllib.parse" else importlib.metadata.version(name)
    # Libraries are loaded before the first request, which has less time.
    for kind in ("uri", "iri"):
        try:
            library({"op": "parse", "kind": kind, "input": "a:b"})
        except Unsupported:
            pass
    hello = {"name": name, "version": version, "language": language, "standards": standards} | more
    print(json.dumps({"hello": hello}), flush=True)
    for line in sys.stdin:
        ask = json.loads(line)
        try:
            if "input_hex" in ask:
                raise Unsupported
            answer = library(ask)
        except Unsupported:
            answer = {"unsupported": True}
        print(json.dumps({"seq": ask["seq"]} | answer), flush=True)


main()
