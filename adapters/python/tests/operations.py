"""The tables of docs/operations.md and the cases of tests/data/operations.jsonl, for the tests in Python: those of the
module, of engines of SQL, and of nginx with Lua.

Not here: how an interface is called, except what the engines of SQL share.
"""

import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def rows():
    """The rows of the tables about operations: the operation, and the cell of each interface by its heading."""
    interfaces = None
    for line in (ROOT / "docs/operations.md").read_text(encoding="utf-8").splitlines():
        if not line.startswith("| "):
            interfaces = None
            continue
        operation, *cells = line.removeprefix("| ").removesuffix(" |").split(" | ")
        if operation == "operation":
            interfaces = cells
        elif interfaces and operation != "---":
            yield operation.removesuffix(" ¹"), dict(zip(interfaces, cells, strict=True))


def names(interface):
    """The names in the column of an interface, without arguments."""
    cells = (row.get(interface, "") for _, row in rows())
    return {cell.strip("`").partition("(")[0] for cell in cells if cell.startswith("`")}


def check(interface, call):
    """Calls each name in the column of an interface with each case of its operation, and compares the answers. `call`
    takes the operation, the name and a case."""
    lines = (ROOT / "tests/data/operations.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [json.loads(line) for line in lines]
    names, calls, wrong = 0, 0, []
    for operation, row in rows():
        cell = row.get(interface, "")
        if not cell.startswith("`"):
            continue
        names += 1
        for case in cases:
            if case["operation"] == operation:
                found = call(operation, cell.strip("`"), case)
                if found != case.get("differs", {}).get(interface, case["answer"]):
                    wrong.append(f"{cell}: {found!r}, not as in {case}")
                calls += 1
    assert names, f"docs/operations.md has no column {interface}"
    assert not wrong, "\n".join([interface, *wrong])
    print(f"{interface}: {names} names of docs/operations.md in {calls} calls")


# The template of the cases, which the cell of the program has.
TEMPLATE = "/users/{id}{?q}"

# The field of a case for each parameter of SQL, and what the parameter is if a later one is given.
PARAMETERS = {
    "form": (None, "percent"),
    "level": ("level", "scheme"),
    "markup": ("markup", "plain"),
    "profile": ("profile", "rfc"),
    "repairs": ("profile", "browser-like"),
    "archive": ("profile", "pywb"),
    "policy": ("policy", "chromium"),
    "set": (None, ""),
    "part": (None, "reference"),
    "ends": (None, "strict"),
    "template": (None, TEMPLATE),
    "query": (None, "ordered"),
    "place": (None, "segment"),
    "name": ("name", None),
    "rule": ("rule", None),
    "levels": (None, "1"),
    "rules": ("rules", None),
    "format": (None, "toml"),
}


def expression(sql, name, case):
    """The call of a function of SQL for a case. The text of the case is in a column `text`. `sql` is the module beside
    this one, which not every test can import."""
    if "(" in name:
        return name
    arguments, given = [], 0
    for parameter in sql.PARAMETERS[name].split():
        if parameter in ("base", "text"):
            arguments.append("text" if parameter == "text" else f"'{case['base']}'")
            given = len(arguments)
            continue
        field, default = PARAMETERS[parameter.rstrip("?")]
        arguments.append(f"'{case.get(field, default)}'")
        if field in case or not parameter.endswith("?"):
            given = len(arguments)
    return f"{name}({', '.join(arguments[:given])})"


def written(values):
    """The values of a template as the program writes them. In a column, a text is a list of one text, and a variable that is
    undefined may be there."""
    there = {name: value for name, value in values.items() if value is not None}
    texts = {name: value[0] if isinstance(value, list) and len(value) == 1 else value for name, value in there.items()}
    return json.dumps(texts, separators=(",", ":"))


def plain(operation, answer):
    """The answer of a kernel or of SQL in the form of the cases: no kind of host, no message, a fingerprint as text.
    Of errors, where they start; of links, their references; of a verdict, the URL to send."""
    if operation.startswith("URL") and answer is not None:
        return answer["url_to_send"]
    if operation.startswith("values") and answer is not None:
        return written(dict(answer))
    if isinstance(answer, dict):
        return {name: value for name, value in answer.items() if name not in ("host_kind", "message")}
    if operation == "all errors" and answer is not None:
        return [error["start"] for error in answer]
    if operation.startswith("extract"):
        return [link["reference"] for link in answer]
    if operation.startswith("fingerprint") and answer is not None:
        return str(answer % (1 << 64))
    return answer
