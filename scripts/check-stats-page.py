"""Compares what a browser found in the page of `iri stats` with the numbers of --json, and looks at the
pictures that it made. Called by scripts/test-stats-page."""

import html.parser
import json
import pathlib
import struct
import sys
import urllib.parse
import zlib

work, pictures = map(pathlib.Path, sys.argv[1:])


class Page(html.parser.HTMLParser):
    """Collects the numbers and the keys of a page by the section that they are in, and how many elements
    can be reached with the keyboard."""

    def __init__(self, text):
        super().__init__()
        self.place = None
        self.is_key = False
        self.numbers = {}
        self.keys = {}
        self.title = ""
        self.is_title = False
        self.stops = 0
        self.tags = set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.add(tag)
        self.stops += attributes.get("tabindex") == "0"
        assert not any(name.startswith("on") or name in ("src", "href") for name in attributes), attributes
        if attributes.get("id") and tag in ("div", "section", "span"):
            self.place = attributes["id"]
        if tag == "data":
            self.numbers.setdefault(self.place, []).append(int(attributes["value"]))
        if tag == "bdi":
            self.is_key = True
            self.keys.setdefault(self.place, []).append("")
        self.is_title = tag == "title" and not self.title

    def handle_endtag(self, tag):
        if tag == "bdi":
            self.is_key = False
        if tag == "title":
            self.is_title = False

    def handle_data(self, text):
        if self.is_key:
            self.keys[self.place][-1] += text
        if self.is_title:
            self.title += text


def visible(key):
    """A key as the page shows it: hidden characters are escaped."""
    hidden = lambda c: ord(c) < 32 or c in "\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
    return "".join(f"\\u{{{ord(c):x}}}" if hidden(c) else c for c in key)


def equal(what, found, expected):
    assert found == expected, f"{what}: the page has {found}, --json has {expected}"


def compare():
    numbers = json.loads((work / "numbers.json").read_text())
    page = Page((work / "dom.html").read_text())
    equal("title", page.title, "Addresses in <b>links&.txt")
    equal("items", page.numbers["items"], [numbers["items"]])
    equal("sum", numbers["items"], numbers["valid"] + numbers["invalid"])
    equal("valid", page.numbers["valid"], [numbers["valid"]])
    equal("invalid", page.numbers["invalid"], [numbers["invalid"]])
    for name, estimate in numbers["distinct"].items():
        equal(name, page.numbers[f"distinct-{name}"], [estimate["count"]])
    compared = 0
    for name, values in numbers.items():
        if not isinstance(values, dict) or name == "distinct":
            continue
        if "top" in values:
            rows = values["top"]
            expected = [values["counted"], *([values["error"]] if values["error"] else [])]
            expected += [row["count"] for row in rows] + ([values["others"]] if values["others"] else [])
            equal(name, page.keys[name], [visible(row["key"]) for row in rows])
            equal(name, sum(row["count"] for row in rows) + values["others"], values["counted"])
        else:
            rows = values["bins"]
            expected = [row["count"] for row in rows]
            equal(name, sum(expected), numbers["valid"])
        equal(name, page.numbers[name], expected)
        compared += len(rows)
    assert not numbers["distinct"]["items"]["exact"] and compared > 50, compared
    assert "script" not in page.tags and "img" not in page.tags, page.tags
    assert page.stops == compared, f"{page.stops} elements for {compared} rows and bins can be reached"
    print(f"page: {compared} rows and bins, {page.stops} of them can be reached with the keyboard")


def requests():
    """The browser asks for addresses of its own, which it does not get. None of them may be in the page."""
    log = json.loads((work / "requests.json").read_text())
    start = log["constants"]["logEventTypes"]["URL_REQUEST_START_JOB"]
    starts = [event["params"] for event in log["events"] if event["type"] == start]
    hosts = {urllib.parse.urlsplit(params["url"]).hostname for params in starts if "url" in params}
    text = (work / "dom.html").read_text()
    of_page = [host for host in hosts if host and host in text]
    assert not of_page, f"the page made the browser ask {of_page}"
    print(f"page: {len(log['events'])} events of the network, none of the page")


def picture(path):
    """Returns the width, the height and the rows of bytes of a PNG file with 8 bits a channel."""
    data = path.read_bytes()
    assert data.startswith(b"\x89PNG"), path
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
            assert depth == 8 and colour in (2, 6), (depth, colour)
            step = 3 if colour == 2 else 4
        packed += body if kind == b"IDAT" else b""
        at += length + 12
    plain, rows, before = zlib.decompress(packed), [], bytes(width * step)
    for start in range(0, len(plain), width * step + 1):
        way, row = plain[start], bytearray(plain[start + 1 : start + 1 + width * step])
        for i in range(len(row)):
            left = row[i - step] if i >= step else 0
            up, corner = before[i], before[i - step] if i >= step else 0
            if way == 1:
                row[i] = (row[i] + left) & 255
            elif way == 2:
                row[i] = (row[i] + up) & 255
            elif way == 3:
                row[i] = (row[i] + (left + up) // 2) & 255
            elif way == 4:
                guess = left + up - corner
                near = min((left, up, corner), key=lambda value: abs(guess - value))
                row[i] = (row[i] + near) & 255
        rows.append(row)
        before = row
    return width, height, step, rows


def look():
    for name in ("light", "dark"):
        for wide in (1280, 480):
            path = pictures / f"{name}-{wide}.png"
            width, height, step, rows = picture(path)
            pixels = [bytes(row[at : at + 3]) for row in rows[::4] for at in range(0, width * step, 4 * step)]
            colours = {colour: pixels.count(colour) for colour in set(pixels)}
            light = sum(map(sum, pixels)) / len(pixels) / 3
            assert (light > 200) if name == "light" else (light < 60), f"{path}: the mean is {light:.0f}"
            bar = bytes.fromhex("3068d8" if name == "light" else "6b9dff")
            share = colours.get(bar, 0) / len(pixels)
            assert share > 0.005 and len(colours) > 20, f"{path}: {share:.2%} are bars, {len(colours)} colours"
            print(f"page: {path.name} has {width} x {height} pixels, {len(colours)} colours, {share:.1%} are bars")


compare()
requests()
look()
