#!/usr/bin/env python3
"""Asks libraries for the answers to the cases, and writes a file of results for each library.

Usage: run.py [--libraries FILE] [--results FOLDER] [--cases FOLDER] [--strict] [NAME...]

NAME is a library of adapters/libraries.json, or of the FILE of --libraries; without a name, all libraries of the file run.
protocol.md says what an adapter reads and writes. The cases that fail are printed by their cause. With --strict, the exit
code is 1 if a case of level must or should fails.

Needs Python 3.10 with its standard library alone, and a system like Unix.
"""

import argparse
import json
import os
import re
import select
import shlex
import subprocess
import sys
import time
from fnmatch import fnmatchcase
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
LEVELS = ["must", "should", "may", "quality", "erratum"]
# The file in which one wrong character stands at each border of a block: many cases of one question.
BORDERS = "bytes/borders"
COMPONENTS = ["scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment"]
# Seconds for the first line of an adapter, which may have to start a virtual machine, and for each case.
START, LIMIT = 30, 5
# An adapter that crashes so often in a file is not asked about the rest of the file: each crash may take five seconds.
CRASHES = 20
# Bytes of a line. No case is near; an adapter that writes without end is stopped.
LONGEST = 1 << 24


def read(folder):
    """The cases by file, as a dict from the name of the file without its suffix."""
    files = {}
    # The cases of the standards before the cases that only an odd library fails.
    order = ["rfc3986", "rfc3987", "generated", "bytes"]
    paths = sorted(folder.rglob("*.jsonl"))
    for path in sorted(paths, key=lambda path: order.index(path.relative_to(folder).parts[0])):
        with path.open(encoding="utf-8", newline="\n") as lines:
            files[path.relative_to(folder).with_suffix("").as_posix()] = [json.loads(line) for line in lines]
    assert files, f"no cases in {folder}"
    return files


def text(value):
    """A text of a case: itself, or texts that are repeated and joined."""
    return value if isinstance(value, str) else "".join(piece * times for piece, times in value["repeat"])


def language(*texts):
    """Whether texts are about URIs or IRIs: a library of RFC 3986 alone answers for ASCII alone."""
    return "uri" if all(each.isascii() for each in texts) else "iri"


def request(case):
    """What an adapter is asked."""
    op = case["op"]
    asked = {"op": op}
    if op == "parse":
        asked["kind"] = case["kind"]
        if "input_hex" in case:
            asked["input_hex"] = case["input_hex"]
        else:
            asked["input"] = text(case["input"])
    elif op == "resolve":
        asked |= {"base": case["base"], "reference": case["reference"], "strict": case["mode"] == "strict"}
        asked["kind"] = language(case["base"], case["reference"])
    elif op == "normalize":
        asked |= {"input": case["input"], "ladder": case["ladder"]}
        named = {"unreserved": "uri", "iunreserved": "iri"}
        asked["kind"] = named.get(case["pct"]) or language(case["input"])
    elif op == "compare":
        asked |= {"a": case["a"], "b": case["b"], "ladder": case["ladder"], "kind": language(case["a"], case["b"])}
    elif op == "to_uri":
        asked |= {"input": case["input"], "host": case["options"]["host"]}
    elif op == "to_ascii":
        asked["input"] = case["host"]
    else:
        asked["input"] = case["input"]
    if "idna" in case.get("requires", []):
        asked["idna"] = True
    return asked


class Crash(Exception):
    """The adapter ended, wrote what is not an answer, or took too long. The message is the reason of the failure."""


class Adapter:
    """A running adapter. It is started again after a crash."""

    def __init__(self, command):
        self.command, self.process, self.seq = command, None, 0
        self.hello = self.start()

    def start(self):
        pipe = subprocess.PIPE
        try:
            self.process = subprocess.Popen(self.command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
        except OSError as error:
            raise Crash(f"crash: {error}") from error
        self.rest = b""
        os.set_blocking(self.process.stdin.fileno(), False)
        hello = self.exchange(b"", START).get("hello")
        if not isinstance(hello, dict):
            raise Crash("crash: the first line is not that of an adapter")
        return hello

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process.stdin.close()
            self.process.stdout.close()
            self.process = None

    def exchange(self, sent, limit):
        """Writes bytes and reads a line, both within a time: an adapter may answer before it has read all."""
        end = time.monotonic() + limit
        stdin, stdout = self.process.stdin.fileno(), self.process.stdout.fileno()
        while True:
            line, found, rest = self.rest.partition(b"\n")
            if found and not sent:
                self.rest = rest
                try:
                    answer = json.loads(line)
                except (ValueError, RecursionError):
                    answer = None
                if isinstance(answer, dict):
                    return answer
                raise Crash("crash: a line that is not an object of JSON")
            if len(self.rest) > LONGEST:
                raise Crash("crash: a line without end")
            left = end - time.monotonic()
            ready = select.select([stdout], [stdin] if sent else [], [], max(left, 0))
            if left <= 0 or not any(ready):
                raise Crash(f"no answer in {limit} seconds")
            if ready[1]:
                try:
                    sent = sent[os.write(stdin, sent[: 1 << 16]) :]
                except OSError as error:
                    raise Crash("crash") from error
            if ready[0]:
                read = os.read(stdout, 1 << 16)
                if not read:
                    raise Crash("crash")
                self.rest += read

    def ask(self, asked):
        """The answer to a request. A crash ends the adapter, and the next request starts it again."""
        try:
            if self.process is None:
                self.start()
            self.seq += 1
            line = json.dumps({"seq": self.seq} | asked, separators=(",", ":"))
            answer = self.exchange(line.encode() + b"\n", LIMIT)
            if answer.get("seq") != self.seq:
                raise Crash("crash: an answer to another request")
            return answer
        except Crash:
            self.stop()
            raise


class Unsupported(Exception):
    """The library does not have the operation."""


class Wrong(Exception):
    """The reason why an answer is wrong, and the answer."""

    def __init__(self, reason, answer=None):
        super().__init__(reason)
        self.reason, self.answer = reason, answer


def shown(value):
    """A value of an answer in a file of results: short."""
    found = json.dumps(value, ensure_ascii=True)
    return found if len(found) <= 200 else found[:160] + "…"


def recomposed(components):
    """RFC 3986, section 5.3."""
    made = ""
    for name, before, after in [
        ("scheme", "", ":"),
        ("authority", "//", ""),
        ("path", "", ""),
        ("query", "?", ""),
        ("fragment", "#", ""),
    ]:
        if components[name] is not None:
            made += before + components[name] + after
    return made


def case_normalized(uri):
    """RFC 3986, section 6.2.2.1: the case of the scheme, the host and the triplets."""
    scheme, userinfo, host, rest = re.fullmatch(
        r"([^:/?#]+:)?(//(?:[^/?#@]*@)?)?((?<=[/@])[^/?#]*)?(.*)", uri, re.S
    ).groups("")
    return re.sub("%[0-9A-Fa-f]{2}", lambda found: found[0].upper(), scheme.lower() + userinfo + host.lower() + rest)


def judge_parse(case, answer, asked, merges):
    valid = answer.get("valid")
    if valid is not True and valid is not False:
        raise Wrong("error", answer.get("error"))
    if valid != case["valid"]:
        raise Wrong("accepts an invalid text" if valid else "refuses a valid text", answer.get("error"))
    found = answer.get("components")
    if not valid or found is None:
        return
    if not isinstance(found, dict):
        raise Wrong("error", "the components are not an object")
    for name in COMPONENTS:
        if name not in found or "components" not in case:
            continue
        expected = case["components"][name]
        if merges and name != "path" and not found[name]:
            if expected == "":
                raise Wrong(f"does not tell an empty {name} from an absent {name}")
            if expected is None:
                continue
        if found[name] != expected:
            raise Wrong(f"another {name}", {"found": found[name], "expected": expected})
    kind = answer.get("host_kind")
    if kind is not None and "host_kind" in case and kind != case["host_kind"]:
        raise Wrong("another kind of host", {"found": kind, "expected": case["host_kind"]})
    # Law 1. A case with components has just been compared.
    if not merges and "components" not in case and set(found) >= {"scheme", "authority", "path", "query", "fragment"}:
        if recomposed(found) != asked["input"]:
            raise Wrong("law: the components make another text", None)


def value_of(answer):
    """The result of an operation that makes a text."""
    if "error" in answer:
        raise Wrong("error", answer["error"])
    if "result" not in answer:
        raise Wrong("error", "no result")
    return answer["result"]


def judge(case, ask, merges):
    """Returns if the answers are right; raises Wrong, Unsupported or Crash."""

    def asked_of(asked):
        answer = ask(asked)
        if answer.get("unsupported"):
            raise Unsupported
        return answer

    asked = request(case)
    answer = asked_of(asked)
    op = case["op"]
    if op == "parse":
        return judge_parse(case, answer, asked, merges)
    if op == "compare":
        if not isinstance(answer.get("equal"), bool):
            raise Wrong("error", answer.get("error"))
        if answer["equal"] != case["equal"]:
            raise Wrong("says equal" if answer["equal"] else "says different")
        # Law 4.
        if asked_of(asked | {"a": case["b"], "b": case["a"]}).get("equal") != answer["equal"]:
            raise Wrong("law: the order of a comparison matters")
        return None
    expected = case["ascii"] if op == "to_ascii" else case["expected"]
    if expected is None and "error" in answer:
        return None
    found = value_of(answer)
    allowed = case.get("expected_any", [expected])
    if found not in allowed:
        texts = isinstance(found, str) and isinstance(expected, str)
        same = texts and op == "resolve" and case_normalized(found) == case_normalized(expected)
        reason = "another result: upper and lower case are changed" if same else "another result"
        raise Wrong(reason, {"found": found, "expected": expected})
    # Laws 2 and 3.
    if op in ("normalize", "to_uri") and value_of(asked_of(asked | {"input": found})) != found:
        raise Wrong(f"law: {op} of its result is another text")
    return None


def ranges(ids):
    """Identifiers of one file or several, in few words: file#0001-0004,0009."""
    found = {}
    for each in ids:
        file, number = each.split("#")
        spans = found.setdefault(file, [])
        if spans and spans[-1][1] + 1 == int(number):
            spans[-1][1] += 1
        else:
            spans.append([int(number)] * 2)
    words = {
        file: ",".join(f"{a:04d}" if a == b else f"{a:04d}-{b:04d}" for a, b in spans) for file, spans in found.items()
    }
    return [f"{file}#{spans}" for file, spans in words.items()]


def is_about(known, case, reason):
    """Whether a known difference is about a failure."""
    return (
        fnmatchcase(case["id"], known["cases"])
        and known.get("op", case["op"]) == case["op"]
        and known.get("reason", reason) == reason
    )


def sentence(case):
    """The name of the sentence of sentences.json that a case tests: a section, or the rule of the grammar that is asked for."""
    if case["op"] == "parse" and case["spec"] in ("RFC 3986 appendix A", "RFC 3987 2.2"):
        return case["kind"]
    return case["spec"].split(" step ")[0]


def run(name, adapter, files, known):
    """The results of a library."""
    hello = adapter.hello
    merges = hello.get("absent") == "empty"
    features = set(hello.get("features", []))
    counts, groups, differences, not_run = {}, {}, {}, {}
    for file, cases in files.items():
        crashes = 0
        for case in cases:
            if crashes == CRASHES:
                not_run[file] = not_run.get(file, 0) + 1
                continue
            count = counts.setdefault(file, {}).setdefault(
                case["level"], dict.fromkeys(["passed", "failed", "known", "skipped"], 0)
            )
            try:
                if not features.issuperset(case.get("requires", [])):
                    raise Unsupported
                judge(case, adapter.ask, merges)
                count["passed"] += 1
            except Unsupported:
                count["skipped"] += 1
            except (Wrong, Crash) as error:
                reason, answer = (error.reason, error.answer) if isinstance(error, Wrong) else (str(error), None)
                crashes += isinstance(error, Crash)
                why = next((entry["why"] for entry in known if is_about(entry, case, reason)), None)
                count["known" if why else "failed"] += 1
                # A cause: what is wrong, and the sentence that says so. The borders of blocks are one question, asked often.
                key = (reason, case["level"], why, sentence(case), file == BORDERS)
                group = (differences if why else groups).setdefault(key, {"ids": []})
                if not group["ids"]:
                    group["spec"] = case["spec"].split(" step ")[0]
                    asked = request(case)
                    shown_of = {key: shown(asked[key]) for key in asked if key not in ("op", "strict")}
                    group["example"] = {"id": case["id"], "op": case["op"]} | shown_of
                    if answer is not None:
                        parts = answer if isinstance(answer, dict) else {"answer": answer}
                        group["example"] |= {key: shown(part) for key, part in parts.items()}
                group["ids"].append(case["id"])
    adapter.stop()

    def listed(found):
        rows = [
            {"reason": reason, "level": level, "count": len(group["ids"])}
            | ({"why": why} if why else {})
            | ({"borders": True} if borders else {})
            | {"spec": group["spec"], "sentence": name, "example": group["example"], "ids": ranges(group["ids"])}
            for (reason, level, why, name, borders), group in found.items()
        ]
        return sorted(rows, key=lambda row: (LEVELS.index(row["level"]), -row["count"], row["reason"]))

    version = (SUITE / "VERSION").read_text(encoding="utf-8").strip()
    return {
        "suite": version,
        "library": hello.get("name", name),
        "version": hello.get("version"),
        "language": hello.get("language"),
        "standards": hello.get("standards", []),
        "features": sorted(features),
        "absent": hello.get("absent", "null"),
        "note": hello.get("note"),
        "files": counts,
        "not_run": not_run,
        "failed": listed(groups),
        "known": listed(differences),
    }


def command(words, place):
    """The command of an adapter: {suite} is the folder of the suite, {built} the folder of the built adapters."""
    return [word.format(suite=SUITE, built=place) for word in shlex.split(words)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--libraries", type=Path, default=SUITE / "adapters/libraries.json")
    parser.add_argument("--built", type=Path, default=Path(os.environ.get("CONFORMANCE_BUILT", SUITE / "target")))
    parser.add_argument("--cases", type=Path, default=SUITE / "cases")
    parser.add_argument("--results", type=Path, help="write NAME.json for each library into this folder")
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    libraries = json.loads(args.libraries.read_text(encoding="utf-8"))
    unknown = [name for name in args.names if name not in libraries]
    if unknown:
        parser.error(f"no library {', '.join(unknown)}; there are {', '.join(libraries)}")
    files = read(args.cases)
    missing, wrong = [], 0
    for name in args.names or libraries:
        try:
            adapter = Adapter(command(libraries[name], args.built.resolve()))
        except Crash as error:
            missing.append(name)
            print(f"{name}: NOT RUN: {error}")
            continue
        # What the library does by design, and what all libraries of its standard do by design.
        slugs = [name, *(standard.lower().replace(" ", "-") for standard in adapter.hello.get("standards", []))]
        paths = [SUITE / "known" / f"{slug}.json" for slug in slugs]
        known = [entry for path in paths if path.is_file() for entry in json.loads(path.read_text(encoding="utf-8"))]
        results = run(name, adapter, files, known)
        if args.results:
            args.results.mkdir(parents=True, exist_ok=True)
            made = json.dumps(results, ensure_ascii=True, indent=1) + "\n"
            (args.results / f"{name}.json").write_text(made, encoding="utf-8")
        words = []
        for level in LEVELS:
            of = [levels[level] for levels in results["files"].values() if level in levels]
            passed, failed, known_of, skipped = (
                sum(count[key] for count in of) for key in ["passed", "failed", "known", "skipped"]
            )
            if passed + failed + known_of:
                words.append(
                    f"{level} {passed} of {passed + failed + known_of} (known {known_of}, not offered {skipped})"
                )
            wrong += failed if level in ("must", "should") else 0
        rest = (
            f"; not run after {CRASHES} crashes in a file: {sum(results['not_run'].values())}"
            if results["not_run"]
            else ""
        )
        print(f"{name} {results['version']}: {'; '.join(words)}{rest}", flush=True)
        for group in results["failed"]:
            print(f"  {group['level']}: {group['reason']} ({group['spec']}): {group['count']} cases: {' '.join(group['ids'])}")
            print(f"    for example {json.dumps(group['example'])}")
    if args.strict and (wrong or missing):
        sys.exit(1)
    if missing and args.names:
        sys.exit(2)


if __name__ == "__main__":
    main()
