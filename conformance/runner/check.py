#!/usr/bin/env python3
"""Checks the cases, and then the suite itself with an adapter that passes and with adapters that have a fault.

Usage: check.py GRAMMAR [ADAPTER...]. GRAMMAR is a folder with the grammars of the RFCs, *.abnf. ADAPTER is a command of an
adapter that passes all cases of level must and should. Without an adapter, the cases alone are checked.

1. Each case is valid by the schema; the number of each id is that of its line; no input stands twice in a file.
2. Each case of parse is valid or invalid as the grammar says, which abnf.py reads; its components are those of
   reference.py. So is each resolution, and each IRI to URI by percent-encoding.
3. Each case tests a sentence of sentences.json. generate.py makes the file that is there, and page.py the page. The changelog has the number of cases.
4. The adapter passes; with each fault of mutant.py, it fails, and is started again after a crash.
"""

import json
import re
import sys
from pathlib import Path

import generate
import mutant
import page
import reference
import run
from abnf import Grammar

SUITE = Path(__file__).resolve().parent.parent
TYPES = {"string": str, "integer": int, "boolean": bool, "object": dict, "array": list, "null": type(None)}
KEYWORDS = {
    "$ref", "oneOf", "type", "enum", "pattern", "required", "properties", "additionalProperties", "items", "minItems",
    "maxItems",
}  # fmt: skip


def invalid(schema, value, root):
    """Why a value is not of a schema, or None. The keywords that the schema of cases uses; another is an error."""
    assert set(schema) <= KEYWORDS | {"$schema", "title", "$defs"}, schema
    if "$ref" in schema:
        return invalid(root["$defs"][schema["$ref"].removeprefix("#/$defs/")], value, root)
    if "oneOf" in schema:
        reasons = [invalid(each, value, root) for each in schema["oneOf"]]
        return None if reasons.count(None) == 1 else f"none or several of {reasons}"
    names = schema.get("type", [])
    names = [names] if isinstance(names, str) else names
    if names and not any(type(value) is TYPES[name] for name in names):
        return f"{value!r} is not a {' or '.join(names)}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{value!r} is not of {schema['enum']}"
    if "pattern" in schema and not re.search(schema["pattern"], value):
        return f"{value!r} is not like {schema['pattern']}"
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            return f"{len(value)} items"
        return next(filter(None, (invalid(schema.get("items", {}), each, root) for each in value)), None)
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        if missing := set(schema.get("required", [])) - set(value):
            return f"without {sorted(missing)}"
        if schema.get("additionalProperties") is False and (more := set(value) - set(properties)):
            return f"with {sorted(more)}"
        return next(filter(None, (invalid(properties.get(name, {}), value[name], root) for name in value)), None)
    return None


def check_file(file, cases, schema, grammar):
    """The errors of a file of cases."""
    asked = {}
    for number, case in enumerate(cases, 1):

        def error(words):
            return f"{case.get('id')}: {words}"

        # The reasons of the definition for this operation are the words that help.
        definition = schema["$defs"].get(case.get("op"), schema)
        if reason := invalid(definition, case, schema):
            yield error(reason)
            continue
        if case["id"] != f"{file}#{number:04d}":
            yield error(f"is on line {number}")
        key = json.dumps(run.request(case), sort_keys=True) + case.get("pct", "")
        if key in asked:
            yield error(f"asks what {asked[key]} asks")
        asked[key] = case["id"]
        yield from map(error, check_answer(case, grammar))


def check_answer(case, grammar):
    """Where the expected value of a case differs from the second witness."""
    op = case["op"]
    if op == "parse":
        if ("input" in case) == ("input_hex" in case):
            yield "not one of input and input_hex"
            return
        try:
            text = run.text(case["input"]) if "input" in case else bytes.fromhex(case["input_hex"]).decode()
        except UnicodeDecodeError:
            text = None
        valid = text is not None and grammar.matches(case["kind"], text)
        if valid != case["valid"]:
            yield f"is {'valid' if valid else 'invalid'} by the grammar"
        if ("components" in case) != (valid and isinstance(case.get("input"), str)):
            yield "components belong to a valid text that is not repeated"
        if valid and "components" in case:
            found = reference.components(text)
            if found != case["components"]:
                yield f"components are {found}"
            if reference.host_kind(grammar, found["host"]) != case.get("host_kind"):
                yield "another kind of host"
            if run.recomposed(found) != text:
                yield "law 1"
    elif op == "resolve":
        found = reference.resolutions(case["base"], case["reference"], case["mode"] == "strict")
        if found[0] != case["expected"] or found != case.get("expected_any", [case["expected"]]):
            yield f"resolves to {found!r}"
    elif op == "to_uri" and case["options"]["host"] == "percent":
        if reference.to_uri(case["input"]) != case["expected"]:
            yield "another URI"
    for name in ("input", "expected", "base", "reference", "a", "b"):
        if (
            op not in ("parse", "visual")
            and isinstance(case.get(name), str)
            and not grammar.matches("IRI-reference", case[name])
        ):
            yield f"{name} is not an IRI reference"


def check_cases(grammar):
    schema = json.loads((SUITE / "schema/case.schema.json").read_text(encoding="utf-8"))
    files = run.read(SUITE / "cases")
    asked = {run.sentence(case) for cases in files.values() for case in cases}
    if asked != set(page.SENTENCES):
        return files, [f"sentences.json: without {asked - set(page.SENTENCES)}, unused {set(page.SENTENCES) - asked}"]
    errors = [error for file, cases in files.items() for error in check_file(file, cases, schema, grammar)]
    if (SUITE / "cases/generated/abnf.jsonl").read_text(encoding="utf-8") != generate.lines(grammar):
        errors.append("generated/abnf: generate.py makes another file")
    count = f"{sum(map(len, files.values())):,} cases in {len(files)} files"
    changes = (SUITE / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## ")[1]
    version = (SUITE / "VERSION").read_text(encoding="utf-8").strip()
    if not changes.startswith(f"{version}\n") or count not in changes:
        errors.append(f"CHANGELOG.md: the first version is not {version} with {count}")
    results = page.read(SUITE / "results")
    if any(result["suite"] != version for result in results.values()):
        errors.append(f"results: not of version {version}; run run.py --results results, then page.py")
    elif (SUITE / "results/index.html").read_text(encoding="utf-8") != page.page(results):
        errors.append("results/index.html: page.py makes another page")
    for path in sorted((SUITE / "known").glob("*.json")):
        for entry in json.loads(path.read_text(encoding="utf-8")):
            if not {"cases", "why"} <= set(entry) <= {"cases", "op", "reason", "why", "source"}:
                errors.append(f"{path.name}: {entry}")
    return files, errors


def results(command, files):
    return run.run("", run.Adapter(command), files, [])


def failed(found):
    return sum(group["count"] for group in found["failed"] if group["level"] in ("must", "should"))


def check_suite(command, files):
    """The errors of the runner: the adapter must pass, and its mutants must not."""
    found = results(command, files)
    if failed(found) or found["not_run"]:
        yield f"{command[0]} fails: {json.dumps(found['failed'][:5], indent=1)}"
    program = [sys.executable, str(SUITE / "runner/mutant.py")]
    # A few cases of each file are enough for a mutant.
    run.CRASHES = 2
    few = {file: cases[:: max(1, len(cases) // 15)] for file, cases in files.items()}
    for fault in mutant.FAULTS:
        if not failed(results([*program, fault.__name__, *command], few)):
            yield f"no case fails with the fault {fault.__name__}"
    unsupported = results([*program, "knows_no_operation", *command], few)
    counts = [count for levels in unsupported["files"].values() for count in levels.values()]
    if failed(unsupported) or any(count["passed"] for count in counts):
        yield "what is not offered is not skipped"
    # After a crash, the next case has its answer. Too many crashes end a file.
    after = results([*program, "crashes", *command], few)
    crashes = [group["count"] for group in after["failed"] if group["reason"] == "crash"]
    if not crashes or any(after["files"][file]["must"]["failed"] for file in few if "parse" in file):
        yield "a crash of one case is the failure of another"
    run.LIMIT = 1
    late = results([*program, "sleeps", *command], {"rfc3986/compare": files["rfc3986/compare"][:1]})
    if [group["reason"] for group in late["failed"]] != ["no answer in 1 seconds"]:
        yield f"an adapter that is late: {late['failed']}"


def check_the_check(grammar):
    """Faulty cases are found: each change of a case gives an error."""
    schema = json.loads((SUITE / "schema/case.schema.json").read_text(encoding="utf-8"))
    base = {
        "id": "a/b#0001",
        "op": "parse",
        "kind": "uri",
        "input": "a://b?",
        "valid": True,
        "level": "must",
        "spec": "RFC 3986 3",
    }
    parts = {
        "scheme": "a",
        "authority": "b",
        "userinfo": None,
        "host": "b",
        "port": None,
        "path": "",
        "query": "",
        "fragment": None,
    }
    good = base | {"components": parts, "host_kind": "reg-name"}
    assert not list(check_file("a/b", [good], schema, grammar))
    for change in [
        {"id": "a/b#0002"}, {"id": "a/b"}, {"valid": False}, {"level": "maybe"}, {"more": 1}, {"kind": "url"}, {"spec": "RFC"},
        {"components": parts | {"query": None}}, {"components": parts | {"port": ""}}, {"host_kind": "ipv4"},
        {"input": "a://b|"}, {"input": {"repeat": [["a", "b", "c"]]}}, {"input_hex": "61"}, {"tags": []},
    ]:  # fmt: skip
        assert list(check_file("a/b", [good | change], schema, grammar)), change
    assert list(check_file("a/b", [good, good | {"id": "a/b#0002"}], schema, grammar)), "the same input twice"


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    grammar = Grammar(sys.argv[1])
    check_the_check(grammar)
    files, errors = check_cases(grammar)
    count = sum(map(len, files.values()))
    print(f"{count:,} cases in {len(files)} files, compared with the schema, the grammar and the reference")
    if command := sys.argv[2:]:
        errors += check_suite(command, files)
        print(f"the adapter and {len(mutant.FAULTS)} faults")
    for error in errors:
        print(error)
    sys.exit(bool(errors))


if __name__ == "__main__":
    main()
