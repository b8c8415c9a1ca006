#!/usr/bin/env python3
"""Writes cases/generated/abnf.jsonl: random texts, whether they are valid by the grammar, and their components.

Usage: generate.py GRAMMAR [--seed N] [--count N]. The same seed makes the same file. abnf.py, which reads the grammar,
decides what is valid; reference.py divides the text.
"""

import argparse
import json
from pathlib import Path
from random import Random

import reference
from abnf import Grammar

SUITE = Path(__file__).resolve().parent.parent
SEED, COUNT = 3987, 600
KINDS = [
    "iri",
    "iri-reference",
    "absolute-iri",
    "irelative-ref",
    "uri",
    "uri-reference",
    "absolute-uri",
    "relative-ref",
]
# Delimiters more often than the rest, so that components begin and end. The characters are the edges of ranges.
PIECES = [
    *[":", "/", "?", "#", "@", "//", "://", "[", "]", ".", "..", "/./", "/../"] * 2,
    *["a", "Z", "0", "-", "+", "~", "_", "!", "$", "&", "'", "(", ")", "*", ",", ";", "="],
    *["%41", "%c3%A9", "%2F", "%", "%4", "%zz", " ", "|", "^", "`", "{", "\"", "<", "\\", "\x00", "\x7f"],
    *["http", "urn", "x.y", "[::1]", "[1:2::7:8]", "[v1.a]", "127.0.0.1", "256.0.0.1", ":80", ":", "u:p@"],
    *["\u00a0", "\ud7ff", "\uf900", "\ufdcf", "\ufdd0", "\ufdf0", "\uffef", "\ufff0", "\ufffd", "é", "中"],
    *["\U00010000", "\U0001fffd", "\U0001fffe", "\U000e0fff", "\U000e1000", "\U000efffd", "\ue000", "\uf8ff", "\U000f0000", "\U0010fffd"],
]  # fmt: skip


def cases(grammar, seed, count):
    random = Random(seed)

    def pick(items):
        # `random()` gives the same numbers in each version of Python, unlike `choice`.
        return items[int(random.random() * len(items))]

    found, seen, balance = [], set(), 0
    while len(found) < count:
        kind = KINDS[len(found) % len(KINDS)]
        text = "".join(pick(PIECES) for _ in range(1 + int(random.random() * 9)))
        valid = grammar.matches(kind, text)
        # As many valid texts as invalid texts, and each once.
        if (kind, text) in seen or (balance > 0) == valid and balance:
            continue
        balance += 1 if valid else -1
        seen.add((kind, text))
        case = {
            "id": f"generated/abnf#{len(found) + 1:04d}",
            "op": "parse",
            "kind": kind,
            "input": text,
            "valid": valid,
        }
        if valid:
            case["components"] = reference.components(text)
            if case["components"]["host"] is not None:
                case["host_kind"] = reference.host_kind(grammar, case["components"]["host"])
        spec = "RFC 3987 2.2" if "iri" in kind or kind == "irelative-ref" else "RFC 3986 appendix A"
        found.append(case | {"level": "must", "spec": spec, "origin": f"generated, seed {seed}"})
    return found


def lines(grammar, seed=SEED, count=COUNT):
    return "".join(json.dumps(case) + "\n" for case in cases(grammar, seed, count))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("grammar", type=Path, help="a folder with the grammars of the RFCs, *.abnf")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--count", type=int, default=COUNT)
    args = parser.parse_args()
    made = lines(Grammar(args.grammar), args.seed, args.count)
    (SUITE / "cases/generated/abnf.jsonl").write_text(made, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
