"""Expected values by the text of the RFCs: components, resolution, IRI to URI. Slow and literal.

A second witness for the cases: nothing here is from a library, and abnf.py reads the grammar.
"""

import re

# RFC 3986, appendix B.
APPENDIX_B = re.compile(r"(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?", re.S)


def split(text):
    """The five components of a valid text: None is absent."""
    found = APPENDIX_B.fullmatch(text)
    return dict(
        zip(("scheme", "authority", "path", "query", "fragment"), (found[2], found[4], found[5], found[7], found[9]))
    )


def components(text):
    """All components of a valid text. RFC 3986, section 3.2: [ userinfo "@" ] host [ ":" port ]."""
    five = split(text)
    userinfo = host = port = None
    if five["authority"] is not None:
        before, at, after = five["authority"].rpartition("@")
        userinfo = before if at else None
        host, port = re.fullmatch(r"(\[[^\]]*\]|[^:]*)(?::([0-9]*))?", after).groups()
    order = ["scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment"]
    found = five | {"userinfo": userinfo, "host": host, "port": port}
    return {name: found[name] for name in order}


def host_kind(grammar, host):
    """The first alternative of the rule `host` that matches, as section 3.2.2 says."""
    if host is None:
        return None
    if host.startswith("["):
        return "ipvfuture" if grammar.matches("IPvFuture", host[1:-1]) else "ipv6"
    return "ipv4" if grammar.matches("IPv4address", host) else "reg-name"


def remove_dot_segments(path):
    """RFC 3986, section 5.2.4, step by step."""
    out = []
    while path:
        if path.startswith("../"):
            path = path[3:]
        elif path.startswith("./"):
            path = path[2:]
        elif path.startswith("/./"):
            path = path[2:]
        elif path == "/.":
            path = "/"
        elif path.startswith("/../") or path == "/..":
            path = "/" + path[4:]
            if out:
                out.pop()
        elif path in (".", ".."):
            path = ""
        else:
            segment = re.match("/?[^/]*", path)[0]
            out.append(segment)
            path = path[len(segment) :]
    return "".join(out)


def recompose(five):
    """RFC 3986, section 5.3."""
    text = ""
    if five["scheme"] is not None:
        text += five["scheme"] + ":"
    if five["authority"] is not None:
        text += "//" + five["authority"]
    text += five["path"]
    if five["query"] is not None:
        text += "?" + five["query"]
    if five["fragment"] is not None:
        text += "#" + five["fragment"]
    return text


def resolve(base, reference, strict=True):
    """RFC 3986, sections 5.2.2 and 5.2.3."""
    base, ref = split(base), split(reference)
    if not strict and ref["scheme"] == base["scheme"]:
        ref["scheme"] = None
    target = dict(ref)
    if ref["scheme"] is not None or ref["authority"] is not None:
        target["path"] = remove_dot_segments(ref["path"])
        if ref["scheme"] is None:
            target["scheme"] = base["scheme"]
        return recompose(target)
    target |= {"scheme": base["scheme"], "authority": base["authority"]}
    if ref["path"] == "":
        target["path"] = base["path"]
        if ref["query"] is None:
            target["query"] = base["query"]
    elif ref["path"].startswith("/"):
        target["path"] = remove_dot_segments(ref["path"])
    else:
        if base["authority"] is not None and base["path"] == "":
            merged = "/" + ref["path"]
        else:
            merged = base["path"][: base["path"].rfind("/") + 1] + ref["path"]
        target["path"] = remove_dot_segments(merged)
    return recompose(target)


UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")


def normalizations(base):
    """A base with any of the normalizations of RFC 3986, section 6.2.2, which section 5.2.1 leaves to the parser.

    They are steps of their own: the case of the scheme, of the host and of triplets, the decoding of triplets, and dot
    segments. A library may do any of them.
    """

    def scheme(five):
        return five | {"scheme": five["scheme"].lower()}

    def host(five):
        before, at, after = (five["authority"] or "").rpartition("@")
        # A triplet keeps its case: that is a step of its own.
        lower = re.sub("%..|[A-Z]", lambda found: found[0] if found[0][0] == "%" else found[0].lower(), after)
        return five | {"authority": None if five["authority"] is None else before + at + lower}

    def triplets(change):
        def step(five):
            texts = {name: text and re.sub("%[0-9A-Fa-f]{2}", change, text) for name, text in five.items()}
            return five | {name: texts[name] for name in ("authority", "path", "query")}

        return step

    def decoded(found):
        character = chr(int(found[0][1:], 16))
        return character if UNRESERVED.fullmatch(character) else found[0]

    def dots(five):
        return five | {"path": remove_dot_segments(five["path"])}

    bases = [split(base)]
    for step in (scheme, host, triplets(decoded), triplets(lambda found: found[0].upper()), dots):
        bases += [each for each in map(step, bases) if each not in bases]
    return [recompose(each) for each in bases]


def resolutions(base, reference, strict=True):
    """All results that RFC 3986 allows, the expected one first.

    A parser may normalize the base (section 5.2.1). For backward compatibility, a parser may ignore the scheme of a reference
    if it is that of the base (sections 5.2.2 and 5.4.2): a library with this reading alone is right.
    """
    found = []
    for reading in [strict] + [False] * strict:
        for each in normalizations(base):
            result = resolve(each, reference, reading)
            if result not in found:
                found.append(result)
    return found


def to_uri(text):
    """RFC 3987, section 3.1, step 2."""
    return "".join(c if c.isascii() else "".join(f"%{byte:02X}" for byte in c.encode()) for c in text)
