"""Writes the pages of the site into a folder: the documents of the project as HTML, and the index for the search.

    python3 adapters/web/site/pages.py FOLDER

A link between two documents becomes a link between two pages, and a file that a document links to is copied. A link whose
target is not there is an error.

Not here: API documents, the playground and the browser table, which `scripts/site` puts beside the pages.
"""

import html
import json
import posixpath
import re
import shutil
import sys
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).resolve().parent

# The groups of the navigation: a heading, and pages by the name in the navigation: the file of the page and its source.
GROUPS = {
    "Start": {
        "Overview": ("index.html", "README.md"),
        "Playground": ("playground.html", None),
        "Cookbook": ("cookbook.html", "docs/cookbook.md"),
        "From URIs to IRIs": ("upgrading.html", "docs/upgrading.md"),
        "Links in text": ("extract.html", "docs/extract.md"),
        "Repairs and browsers": ("prepare.html", "docs/prepare.md"),
        "Redaction": ("redact.html", "docs/redact.md"),
        "Rules for queries": ("query-rules.html", "docs/query-rules.md"),
        "Verdicts before a fetch": ("judge.html", "docs/judge.md"),
        "Templates": ("templates.html", "docs/templates.md"),
        "Keys of web archives": ("archive.html", "docs/archive.md"),
    },
    "Use": {
        "Operations": ("operations.html", "docs/operations.md"),
        "Rust": ("api/simd_iri/index.html", None),
        "The program iri": ("program.html", "cli/README.md"),
        "JavaScript": ("javascript.html", "adapters/web/package/README.md"),
        "Python": ("python.html", "adapters/python/README.md"),
        "C and C++": ("c.html", "adapters/c/README.md"),
        "Go, Apache, Java": ("embedding.html", "docs/embedding.md"),
        "Arrow": ("arrow.html", "adapters/arrow/README.md"),
        "DuckDB": ("duckdb.html", "adapters/duckdb/README.md"),
        "DataFusion": ("datafusion.html", "adapters/datafusion/README.md"),
        "Spark": ("spark.html", "adapters/spark/README.md"),
        "tower": ("tower.html", "adapters/tower/README.md"),
        "nginx": ("nginx.html", "adapters/nginx/README.md"),
        "Lua": ("lua.html", "adapters/lua/README.md"),
    },
    "Know": {
        "Conformance": ("conformance.html", "docs/conformance.md"),
        "Suite for libraries": ("suite.html", "conformance/README.md"),
        "Browsers": ("browsers/index.html", None),
        "Performance": ("performance.html", "docs/performance.md"),
        "Scale": ("scale.html", "docs/scale.md"),
        "Threats": ("threats.html", "docs/threats.md"),
        "Versions": ("versions.html", "docs/versions.md"),
        "Unicode": ("unicode.html", "docs/unicode.md"),
        "Glossary": ("glossary.html", "docs/glossary.md"),
        "Architecture": ("architecture.html", "docs/architecture.md"),
        "Changes": ("changes.html", "CHANGELOG.md"),
    },
}

PAGES = {source: page for group in GROUPS.values() for page, source in group.values() if source}


def slug(heading, taken):
    """The anchor of a heading, as the documents use it: that of GitHub."""
    name = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
    count = taken[name] = taken.get(name, -1) + 1
    return f"{name}-{count}" if count else name


class Document:
    """A document of the project and its page."""

    def __init__(self, source, folder):
        self.source, self.folder, self.page = source, folder, PAGES[source]
        self.sections, self.title = [], None
        tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse((ROOT / source).read_text("utf-8"))
        self.body = self.render(tokens)

    def render(self, tokens):
        taken, made = {}, []
        for place, token in enumerate(tokens):
            if token.type == "heading_open":
                heading = text_of(tokens[place + 1])
                token.attrSet("id", slug(heading, taken))
                self.title = self.title or heading
                self.sections.append([heading, token.attrGet("id"), ""])
            elif token.type in ("inline", "fence", "code_block") and self.sections:
                self.sections[-1][2] += " " + text_of(token)
            if token.type == "table_open":
                made.append(region("table", self.sections[-1][0] if self.sections else self.title))
            for child in token.children or []:
                for name in ("href", "src"):
                    if child.attrGet(name):
                        child.attrSet(name, self.link(child.attrGet(name)))
            if token.attrs.pop("style", None) == "text-align:right":
                token.attrSet("class", "end")
            if token.type == "th_open":
                token.attrSet("scope", "col")
            made.append(token)
            if token.type == "table_close":
                made.append(raw("</div>"))
        renderer = MarkdownIt("commonmark", {"html": True}).enable("table")
        body = renderer.renderer.render(made, renderer.options, {})
        # A block of code may be wider than the screen, and is reached with the keyboard then.
        return body.replace("<pre>", '<pre tabindex="0">').replace(
            '<th scope="col"></th>', "<td></td>")

    def link(self, target):
        """The link of the page for a link of the document."""
        if re.match(r"[a-z]+:|#", target):
            return target
        path, _, anchor = target.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(self.source), path))
        if path in PAGES:
            return PAGES[path] + (f"#{anchor}" if anchor else "")
        file = ROOT / path
        if file.is_dir():
            return self.link_of_file(f"{path}/README.md") if (file / "README.md").exists() else self.link_of_folder(path)
        return self.link_of_file(path)

    def link_of_file(self, path):
        if path in PAGES:
            return PAGES[path]
        if not (ROOT / path).is_file():
            raise SystemExit(f"{self.source}: there is no {path}")
        # A browser shows the source of a text only if its name is that of a text.
        name = "files/" + path + ("" if Path(path).suffix in (".html", ".svg", ".txt", ".tsv", ".png") else ".txt")
        place = self.folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, place)
        return name

    def link_of_folder(self, path):
        """A text with the names in a folder that has no README."""
        name = f"files/{path}.txt"
        place = self.folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("".join(f"{each.name}\n" for each in sorted((ROOT / path).iterdir())), "utf-8")
        return name


def raw(text):
    return Token("html_block", "", 0, content=text)


def region(name, label):
    """The start of a part that is wider than the screen, and is reached with the keyboard."""
    return raw(f'<div class="wide" role="region" tabindex="0" aria-label="{html.escape(label)}: {name}">')


def text_of(token):
    if token.children:
        return "".join(child.content for child in token.children if child.type in ("text", "code_inline", "softbreak"))
    return token.content


def navigation(current):
    rows = []
    for heading, group in GROUPS.items():
        rows.append(f"<h2>{heading}</h2><ul>")
        for name, (page, _) in group.items():
            mark = ' aria-current="page"' if page == current else ""
            rows.append(f'<li><a href="{page}"{mark}>{html.escape(name)}</a></li>')
        rows.append("</ul>")
    return "".join(rows)


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    template = (HERE / "page.html").read_text("utf-8")
    style = (ROOT / "cli/src/stats/page.css").read_text("utf-8") + (HERE / "style.css").read_text("utf-8")
    (folder / "style.css").write_text(style, "utf-8")
    index = []
    for source, page in PAGES.items():
        document = Document(source, folder)
        fields = {"TITLE": html.escape(document.title), "NAVIGATION": navigation(page), "BODY": document.body}
        # In one pass, so that no field is looked for in another field.
        made = re.sub(r"\{\{(TITLE|NAVIGATION|BODY)\}\}", lambda field: fields[field[1]], template)
        (folder / page).write_text(made, "utf-8")
        index += [[page, document.title, heading, anchor, " ".join(text.split())] for heading, anchor, text in document.sections]
    # A script, because a page from disk may not read a file of data.
    (folder / "index.js").write_text(f"const SECTIONS = {json.dumps(index, ensure_ascii=False)};\n", "utf-8")
    shutil.copyfile(HERE / "search.js", folder / "search.js")
    print(f"{len(PAGES)} pages, {len(index)} sections")


main()
