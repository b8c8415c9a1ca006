"""Reads a grammar in ABNF (RFC 5234) and matches texts with its rules.

A rule becomes a regular expression of Python, because no rule of RFC 3986 and RFC 3987 uses itself. The expressions are
matched with all ways of backtracking: the order of alternatives does not matter. Nothing here knows what a URI is.

Here is the notation that the two RFCs use. Anything else in a grammar is an error.
"""

import re
from pathlib import Path

TOKEN = re.compile(
    r"\s*(?:(?P<name>[A-Za-z][A-Za-z0-9-]*)|(?P<text>\"[^\"]*\")|(?P<code>%x[0-9A-Fa-f]+(?:-[0-9A-Fa-f]+|(?:\.[0-9A-Fa-f]+)*))"
    r"|(?P<repeat>\d*\*\d*|\d+)|(?P<mark>[()\[\]/])|(?P<prose><[^>]*>))"
)


def definitions(text):
    """The rules of a grammar: names and bodies. A line that begins with a blank continues a rule."""
    lines = [re.sub(r"(\"[^\"]*\")|;.*", r"\1", line).rstrip() for line in text.splitlines()]
    joined = "\n".join(line for line in lines if line)
    for definition in re.split(r"\n(?=\S)", joined):
        name, _, body = definition.partition("=")
        if not body:
            raise ValueError(f"not a rule: {definition!r}")
        yield name.strip(), body


class Grammar:
    def __init__(self, folder):
        self.bodies, self.expressions, self.compiled = {}, {}, {}
        for path in sorted(Path(folder).glob("*.abnf")):
            for name, body in definitions(path.read_text(encoding="utf-8")):
                self.bodies[name.lower()] = body

    def matches(self, rule, text):
        """Whether the whole text is of a rule."""
        rule = rule.lower()
        if rule not in self.compiled:
            self.compiled[rule] = re.compile(self.expression(rule))
        return self.compiled[rule].fullmatch(text) is not None

    def expression(self, rule):
        rule = rule.lower()
        if rule not in self.expressions:
            if rule not in self.bodies:
                raise ValueError(f"no rule {rule}")
            tokens, at, body = [], 0, self.bodies[rule]
            while body[at:].strip():
                found = TOKEN.match(body, at)
                if not found:
                    raise ValueError(f"{rule}: not read: {body[at:]!r}")
                tokens.append((found.lastgroup, found[found.lastgroup]))
                at = found.end()
            made, rest = self.alternation(tokens)
            if rest:
                raise ValueError(f"{rule}: not read: {rest}")
            self.expressions[rule] = made
        return self.expressions[rule]

    def alternation(self, tokens):
        choices = []
        while True:
            made, tokens = self.concatenation(tokens)
            choices.append(made)
            if not tokens or tokens[0] != ("mark", "/"):
                break
            tokens = tokens[1:]
        return (choices[0] if len(choices) == 1 else f"(?:{'|'.join(choices)})"), tokens

    def concatenation(self, tokens):
        made = ""
        while tokens and tokens[0] not in (("mark", "/"), ("mark", ")"), ("mark", "]")):
            times = ""
            kind, value = tokens[0]
            if kind == "repeat":
                least, star, most = value.partition("*")
                times = f"{{{least or 0},{most}}}" if star else f"{{{least}}}"
                tokens = tokens[1:]
            element, tokens = self.element(tokens)
            made += f"(?:{element}){times}" if times else element
        return made, tokens

    def element(self, tokens):
        (kind, value), tokens = tokens[0], tokens[1:]
        if kind == "name":
            return f"(?:{self.expression(value)})", tokens
        if kind == "text":
            # Letters of a quoted text match in either case.
            ends = [f"[{c.lower()}{c.upper()}]" if c.isascii() and c.isalpha() else re.escape(c) for c in value[1:-1]]
            return "".join(ends), tokens
        if kind == "code":
            digits = value[2:]
            if "-" in digits:
                first, last = (int(each, 16) for each in digits.split("-"))
                return f"[\\U{first:08x}-\\U{last:08x}]", tokens
            return "".join(re.escape(chr(int(each, 16))) for each in digits.split(".")), tokens
        if kind == "prose":
            # The RFCs write path-empty as 0<pchar>: the name of a rule.
            return f"(?:{self.expression(value[1:-1])})", tokens
        if (kind, value) in (("mark", "("), ("mark", "[")):
            made, tokens = self.alternation(tokens)
            closing = ")" if value == "(" else "]"
            if not tokens or tokens[0] != ("mark", closing):
                raise ValueError(f"no {closing}")
            return f"(?:{made})" + "?" * (value == "["), tokens[1:]
        raise ValueError(f"not read: {value}")
