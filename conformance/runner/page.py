#!/usr/bin/env python3
"""Writes the page of results, index.html, from the files NAME.json that run.py wrote.

Usage: page.py [FOLDER], by default the folder "results" of the suite. The page needs no script and no other file.
"""

import html
import json
import sys
from pathlib import Path

from run import BORDERS

SUITE = Path(__file__).resolve().parent.parent
LEVELS = ["must", "should", "may", "quality", "erratum"]
# The sentences of the standards that the cases test.
SENTENCES = json.loads((SUITE / "runner/sentences.json").read_text(encoding="utf-8"))
# A cause, in words for a reader. Other reasons are words already.
CAUSES = {
    "accepts an invalid text": "accepts too much",
    "refuses a valid text": "refuses what is valid",
    "error": "refuses to make a text",
}
KINDS = [
    (
        "Libraries for URIs and IRIs",
        lambda standards: "URL Standard" not in standards,
        "These libraries say that they implement RFC 3986 or RFC 3987, or they are the usual library of a language for URIs.",
    ),
    (
        "Libraries for the URL Standard",
        lambda standards: "URL Standard" in standards,
        "These libraries implement the URL Standard of WHATWG, which browsers follow. The standard differs from RFC 3986 on "
        "purpose: it accepts texts that are not URIs, repairs them, and writes a normalized text. Where they differ, the case "
        "is grey, and says nothing about the quality of a library.",
    ),
]
STYLE = """
:root { color-scheme: light dark; --ink: #172033; --soft: #55617a; --card: #ffffff; --ground: #f4f6fa; --line: #dde3ec;
  --track: #e9eef7; --bar: #3068d8; --link: #1f5fc9; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7ecf5; --soft: #9daabf; --card: #171e29; --ground: #10151d; --line: #2a3444;
  --track: #222c3b; --bar: #6b9dff; --link: #8ab2ff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 70rem; color: var(--ink); background: var(--ground);
  font: 1rem/1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: break-word; }
h1 { margin: .5rem 0; font-size: 1.7rem; line-height: 1.2; }
h2 { margin: 2rem 0 .5rem; font-size: 1.3rem; }
h3 { margin: 1.2rem 0 .4rem; font-size: 1rem; }
p, dl { max-width: 46rem; }
a { color: var(--link); }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--bar); outline-offset: 2px; border-radius: .2rem; }
dt { font-weight: 600; }
dd { margin: 0 0 .4rem; }
table { width: 100%; border-collapse: collapse; background: var(--card); border: 1px solid var(--line); }
caption { padding: .4rem 0; text-align: start; color: var(--soft); }
th, td { padding: .35rem .6rem; text-align: start; vertical-align: top; font-weight: 400; border-block-end: 1px solid var(--line); }
thead th { font-size: .85rem; color: var(--soft); }
tbody th { font-weight: 600; }
td.number, th.number { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
.soft, .known { color: var(--soft); }
.bar { display: block; height: .3rem; margin-top: .2rem; background: var(--track); border-radius: .15rem; overflow: hidden; }
.bar span { display: block; height: 100%; background: var(--bar); }
.known .bar span { background: var(--soft); }
article { margin: .6rem 0; padding: .2rem 1rem; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
summary { padding: .35rem 0; cursor: pointer; }
article > details > summary { font-weight: 600; }
article table { border: 0; }
li { margin: .4rem 0; }
ul { padding-inline-start: 1.1rem; }
code { padding: .05em .25em; background: var(--track); border-radius: .25em; font-size: .86em; overflow-wrap: anywhere;
  font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", "Noto Sans Mono", monospace; }
@media (max-width: 44rem) {
  thead { position: absolute; inset-inline-start: -999rem; }
  tr { display: block; padding: .4rem 0; border-block-end: 1px solid var(--line); }
  th, td, td.number { display: flex; justify-content: space-between; gap: 1rem; padding: .1rem .6rem; border: 0; text-align: end; }
  tbody th { justify-content: start; text-align: start; }
  td::before { content: attr(data-label); color: var(--soft); text-align: start; }
  td:empty, .bar { display: none; }
}
"""


def text(value):
    return html.escape(str(value), quote=True)


def value(shown):
    """A value of an example: JSON, without its quotes and escapes if it is a text that shows."""
    try:
        found = json.loads(shown)
    except ValueError:
        return text(shown)
    return text(found if isinstance(found, str) and found and found.isprintable() else shown)


def total(result, level, key):
    """Of all files but that of the borders of blocks, which is counted apart."""
    files = result["files"].items()
    return sum(levels.get(level, {}).get(key, 0) for file, levels in files if file != BORDERS)


def causes(result):
    """How many sentences of the standards have failing cases of level must or should, each reason by itself."""
    return sum(row["level"] in ("must", "should") and "borders" not in row for row in result["failed"])


def section(spec):
    """A link to a section of a standard."""
    _, number, *place = spec.split()
    name = f"appendix-{place[1]}" if place[0] == "appendix" else f"section-{place[0]}"
    return f'<a href="https://www.rfc-editor.org/rfc/rfc{number}#{name}">{text(spec)}</a>'


def asked(count):
    return count["passed"] + count["failed"] + count["known"]


def share(passed, of):
    """A share, which is 100 % for all alone."""
    if not of:
        return ""
    percent = 100 * passed / of
    rounded = f"{percent:.1f}"
    if rounded == "100.0" and passed != of:
        rounded = "99.9"
    return f"{rounded.removesuffix('.0')} %"


def cell(label, words, kind="number", more=""):
    return f'<td class="{kind}" data-label="{label}">{words}{more}</td>'


def level_cell(result, level):
    count = {key: total(result, level, key) for key in ("passed", "failed", "known", "skipped")}
    of = asked(count)
    if not of:
        return cell(level, "")
    if level == "may":
        # Both answers are right: a share would look like a grade.
        return cell(level, f'<span>{count["passed"]:,} <span class="soft">of {of:,}</span></span>')
    bar = f'<span class="bar"><span style="width: {100 * count["passed"] / of:.1f}%"></span></span>'
    return cell(level, f'<span>{share(count["passed"], of)} <span class="soft">of {of:,}</span></span>', more=bar)


def borders_cell(result):
    counts = result["files"].get(BORDERS, {}).values()
    of = sum(map(asked, counts))
    passed = sum(count["passed"] for count in counts)
    return cell("block borders", f'{passed:,} <span class="soft">of {of:,}</span>' if of else "")


def overview(results, kind):
    heading, _, words = kind
    rows = []
    for name, result in results:
        known = sum(total(result, level, "known") for level in LEVELS)
        skipped = sum(total(result, level, "skipped") for level in LEVELS) + sum(result["not_run"].values())
        rows.append(
            f"<tr{' class=known' if 'URL Standard' in result['standards'] else ''}>"
            f'<th scope="row"><a href="#{text(name)}">{text(result["library"])}</a></th>'
            + cell(
                "language",
                f'<span>{text(result["language"])} <span class="soft">{text(result["version"])}</span></span>',
                "",
            )
            + "".join(level_cell(result, level) for level in LEVELS[:3])
            + cell("causes", str(causes(result) or ""))
            + borders_cell(result)
            + cell("known differences", f'<span class="known">{known:,}</span>' if known else "")
            + cell("not offered", f"{skipped:,}" if skipped else "")
            + "</tr>"
        )
    heads = ["must", "should", "may", "causes", "block borders", "known differences", "not offered"]
    head = "".join(f'<th scope="col" class="number">{each}</th>' for each in heads)
    return (
        f'<h2>{heading}</h2>\n<p>{words}</p>\n<table>\n<thead><tr><th scope="col">library</th><th scope="col">language, '
        f"version</th>{head}</tr></thead>\n<tbody>\n" + "\n".join(rows) + "\n</tbody></table>"
    )


def by_file(result):
    rows = []
    for file, levels in result["files"].items():
        for level, count in levels.items():
            if not asked(count):
                continue
            known = f'<span class="known">{count["known"]:,}</span>' if count["known"] else ""
            rows.append(
                f'<tr><th scope="row">{text(file)}</th>'
                + cell("level", level, "")
                + cell("passed", f"{count['passed']:,}")
                + cell("failed", f"{count['failed']:,}" if count["failed"] else "")
                + cell("known differences", known)
                + cell("share", share(count["passed"], asked(count)))
                + "</tr>"
            )
    heads = ["passed", "failed", "known differences", "share"]
    head = "".join(f'<th scope="col" class="number">{each}</th>' for each in heads)
    return (
        '<table>\n<thead><tr><th scope="col">file</th><th scope="col">level</th>'
        f"{head}</tr></thead>\n<tbody>\n" + "\n".join(rows) + "\n</tbody></table>"
    )


def shown_case(row):
    example = dict(row["example"])
    identifier, op = example.pop("id"), example.pop("op")
    parts = ", ".join(f"{text(key)} <code>{value(each)}</code>" for key, each in example.items())
    return f"{op} with {parts} <span class=\"soft\">({text(identifier)})</span>"


def groups(rows, kind):
    """The rows by cause: what is wrong, and below it each sentence of a standard with which the answers disagree."""
    items = []
    found = {}
    for row in rows:
        words = CAUSES.get(row["reason"], row["reason"])
        words += ", at borders of blocks" if "borders" in row else ""
        found.setdefault((words, row["level"], row.get("why", "")), []).append(row)
    for (words, level, why), of in found.items():
        count = sum(row["count"] for row in of)
        sentences = "".join(
            f"<li>{section(row['spec'])}: <q>{text(SENTENCES[row['sentence']])}</q><br>{row['count']:,} "
            f"{'case' if row['count'] == 1 else 'cases'}, for example: {shown_case(row)}. <details><summary>the cases</summary>"
            + " ".join(f"<code>{text(each)}</code>" for each in row["ids"])
            + "</details></li>"
            for row in of
        )
        items.append(
            f"<li><strong>{text(words)}</strong>: {count:,} {'case' if count == 1 else 'cases'} of level {level}."
            f"{' ' + text(why) if why else ''}<ul>{sentences}</ul></li>"
        )
    return f'<ul class="{kind}">' + "\n".join(items) + "</ul>" if items else ""


def library(name, result):
    known = f"<h3>Known differences</h3>{groups(result['known'], 'known')}" if result["known"] else ""
    failed = f"<h3>What differs from the expected values</h3>{groups(result['failed'], '')}" if result["failed"] else ""
    if not failed and not known:
        failed = "<p>No case failed.</p>"
    skipped = [f"{sum(count['skipped'] for count in levels.values()):,} of {text(file)}" for file, levels in result["files"].items()
               if any(count["skipped"] for count in levels.values())]  # fmt: skip
    rest = f'<p class="soft">Not offered, and not counted: {", ".join(skipped)}.</p>' if skipped else ""
    if result["not_run"]:
        files = ", ".join(f"{count:,} of {text(file)}" for file, count in result["not_run"].items())
        rest += f'<p class="soft">Not run, because the library gave no answer in time, or ended, in 20 cases of the file: {files}.</p>'
    absent = ""
    if result["absent"] == "empty":
        absent = "<p>The library gives an empty text for a component that is absent. A case with an empty component fails.</p>"
    must = share(
        total(result, "must", "passed"), sum(total(result, "must", key) for key in ("passed", "failed", "known"))
    )
    return (
        f"<article><details><summary>{text(result['library'])} {text(result['version'])}, "
        f'{text(result["language"])} <span class="soft">({", ".join(map(text, result["standards"]))}; must {must})</span></summary>\n'
        # A link to an element of a closed `details` opens it.
        f'<div id="{text(name)}">{absent}{failed}{known}\n<h3>By file and level</h3>\n{by_file(result)}\n{rest}</div></details></article>'
    )


def page(results):
    version = next(iter(results.values()))["suite"]
    count = max(
        sum(sum(asked(c) + c["skipped"] for c in levels.values()) for levels in r["files"].values())
        for r in results.values()
    )
    ordered = sorted(results.items(), key=lambda item: (item[1]["library"].lower(), item[0]))
    overviews, articles = [], []
    for kind in KINDS:
        of = [(name, result) for name, result in ordered if kind[1](result["standards"])]
        if of:
            overviews.append(overview(of, kind))
            articles += [library(name, result) for name, result in of]
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Conformance of libraries for IRIs and URIs</title>
<style>{STYLE}</style>
</head>
<body>
<h1>Conformance of libraries for IRIs and URIs</h1>
<p>{len(results)} libraries, {count:,} cases, version {text(version)} of the suite. Each library is asked, through an adapter, about
the cases of the operations that it offers. The libraries are in the order of their names.</p>
<p>A case that fails is not always an error of the library. Some libraries are made for other ends: they accept more than the
standard, because their users have such texts, or they normalize what they return. If something here is wrong or unfair,
correct the adapter of the library or its list of known differences.</p>
<dl>
<dt>must, should, may</dt>
<dd>The share of the cases asked that have the expected answer, by the word of the standard. Where the standard says may, both
answers are right, and the number says how many are the expected answer.</dd>
<dt>causes</dt>
<dd>How many things are behind the failed cases of must and should: an answer of one sort that disagrees with one sentence of a
standard is one cause, however many cases ask for it.</dd>
<dt>block borders</dt>
<dd>Cases with a wrong character at each border of a block of 16 to 64 bytes. They are one question, asked many times, for
libraries that read blocks, and are in no other column.</dd>
<dt class="known">known differences</dt>
<dd class="known">The library differs by design, and its documentation or its standard says so. They do not count as
passed.</dd>
<dt>not offered</dt>
<dd>The library does not have the operation. These cases do not count.</dd>
</dl>
{"".join(overviews)}
<h2>Each library</h2>
{"".join(articles)}
</body>
</html>
"""


def read(folder):
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))}


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else SUITE / "results"
    results = read(folder)
    if not results:
        sys.exit(f"no results in {folder}")
    (folder / "index.html").write_text(page(results), encoding="utf-8", newline="\n")
    print(f"{len(results)} libraries: {folder / 'index.html'}")


if __name__ == "__main__":
    main()
