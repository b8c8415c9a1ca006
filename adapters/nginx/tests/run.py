#!/usr/bin/env python3
"""Tests the module in the real nginx on loopback, between a client and an upstream that are both hostile.

    run.py MODULE LIBRARY SECONDS [CASES]

MODULE is ngx_http_iri_module.so, LIBRARY the folder of libsimd_iri.so, SECONDS how long random requests are sent, and
CASES a folder of cases; those of conformance/cases and tests/data are always read. Every check that fails is an exception.
"""

import itertools
import json
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import unquote_to_bytes, urlencode

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import DataReceived, ResponseReceived, StreamEnded

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
sys.path.insert(0, str(ROOT / "adapters/python/tests"))
import operations  # noqa: E402: it is not beside this file

MODULES = Path("/usr/lib/nginx/modules")
SERVERS = ["OFF", "REPORT", "CHECK", "REPAIR", "NORMALIZE"]

# What the upstream answers for /headers/NAME: a header, and what iri_location makes of it.
HEADERS = {
    "ascii": (b"Location: http://a/b%20c", b"http://a/b%20c"),
    "relative": (b"Location: /\xc3\xa9", b"/%C3%A9"),
    # A host without a scheme has that of the request, which is http or https.
    "schemeless": ("Location: //bücher.example/é".encode(), b"//xn--bcher-kva.example/%C3%A9"),
    "schemeless-link": ("Link: <//bücher.example/é>".encode(), b"<//xn--bcher-kva.example/%C3%A9>"),
    "other-scheme": ("Link: <x://bücher.example>".encode(), b"<x://b%C3%BCcher.example>"),
    "utf8": ("Location: http://bücher.example/é?ü#ö".encode(), b"http://xn--bcher-kva.example/%C3%A9?%C3%BC#%C3%B6"),
    "latin": (b"Location: /caf\xe9", b"/caf%E9"),
    "pipe": (b"Location: /a|b{c}", b"/a%7Cb%7Bc%7D"),
    "content": (b"Content-Location: /\xc3\xa9", b"/%C3%A9"),
    "refresh": (b"Refresh: 5; url=/\xc3\xa9", b"5; url=/%C3%A9"),
    "quoted": (b"Refresh: 5; URL='/\xc3\xa9'", b"5; URL='/%C3%A9'"),
    "seconds": (b"Refresh: 5", b"5"),
    # A reference needs a time before it, and no name.
    "unnamed": (b"Refresh: 5; /\xc3\xa9", b"5; /%C3%A9"),
    "timeless": (b"Refresh: url=/\xc3\xa9", b"url=/\xc3\xa9"),
    "inner": (b"Refresh: 5; /\xc3\xa9?url='/\xe9'", b"5; /%C3%A9?url='/%E9'"),
    "tabs": (b"Refresh: 5;\turl\t=\t/\xc3\xa9", b"5;\turl\t=\t/%C3%A9"),
    "link": (b'Link: </\xc3\xa9>; rel="next <\xc3\xa9>", </a>; rel=b, <\xe9>',
             b'</%C3%A9>; rel="next <\xc3\xa9>", </a>; rel=b, <%E9>'),
    "broken": (b"Link: </\xc3\xa9", b"</\xc3\xa9"),
    "left": (b"Location: http://[\xc3\xa9]/", b"http://[\xc3\xa9]/"),
    "port": (b"Location: http://a:\xc3\xa9/", b"http://a:\xc3\xa9/"),
    # Hosts of http are domain names, also in a URI.
    "triplets": (b"Location: http://b%C3%BCcher.example/", b"http://xn--bcher-kva.example/"),
    "domain": (b"Location: http://xn--a/", b"http://xn--a/"),
    "lefts": (b"Link: <http://[\xc3\xa9]/>, </\xc3\xa9>, <http://-\xc3\xa9.example/>",
              b"<http://[\xc3\xa9]/>, </%C3%A9>, <http://-\xc3\xa9.example/>"),
    "long": (b"Link: </" + 2000 * b"\xc3\xa9" + b">", b"</" + 2000 * b"%C3%A9" + b">"),
    "plain": (b"Link: </" + 2000 * b"a" + b">", b"</" + 2000 * b"a" + b">"),
    "other": (b"X-Other: /\xc3\xa9", b"/\xc3\xa9"),
}

# How many references of these headers stay because they cannot become URIs.
LEFT = {"left": 1, "port": 1, "domain": 1, "lefts": 2}


def watched():
    """The environment of nginx, under the address sanitizer if PRELOAD names it."""
    if "PRELOAD" not in os.environ:
        return dict(os.environ)
    # nginx and LuaJIT keep memory until the process ends. Memory that is freed is kept for a while, in bounds.
    return os.environ | {"LD_PRELOAD": os.environ["PRELOAD"], "ASAN_OPTIONS": "detect_leaks=0:quarantine_size_mb=8"}


class Upstream(threading.Thread):
    """Answers each request with its head. A request that is not one head, with one line for the target, is kept as an
    error: something was smuggled."""

    def __init__(self):
        super().__init__(daemon=True)
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port = self.socket.getsockname()[1]
        self.wrong = []
        self.served = 0

    def run(self):
        while True:
            connection, _ = self.socket.accept()
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        with connection:
            data = b""
            while True:
                while b"\r\n\r\n" not in data:
                    try:
                        more = connection.recv(1 << 17)
                    except ConnectionError:
                        return
                    if not more:
                        return
                    data += more
                head, data = data.split(b"\r\n\r\n", 1)
                line = head.split(b"\r\n", 1)[0]
                self.served += 1
                if data or not re.fullmatch(rb"GET /[^ \r\n\x00]* HTTP/1\.1", line):
                    self.wrong.append(head + b"\r\n\r\n" + data)
                    return
                name = re.match(rb"GET /headers/([\w-]+)", line)
                extra = HEADERS[name[1].decode()][0] + b"\r\n" if name else b""
                length = b"Content-Length: %d\r\n" % len(line)
                connection.sendall(b"HTTP/1.1 200 OK\r\n" + extra + length + b"\r\n" + line)


class Answer:
    """An answer. Its headers are names in lower case and values."""

    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def fields(self, name):
        return [value for key, value in self.headers if key == name.lower().encode()]

    def __getitem__(self, name):
        return (self.fields(name) or [b""])[0]

    @property
    def target(self):
        """The target that the upstream has received."""
        return self.body.split(b" ")[1] if self.body.startswith(b"GET ") else None


class Client:
    """A connection by HTTP/1.1 that is opened again when nginx closes it."""

    def __init__(self, port):
        self.port, self.socket = port, None

    def get(self, target, host=b"example.org"):
        for _ in range(2):
            if self.socket is None:
                self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=20)
            try:
                self.socket.sendall(b"GET " + target + b" HTTP/1.1\r\nHost: " + host + b"\r\n\r\n")
                answer = self.read()
            except ConnectionError:
                answer = None
            if answer is not None:
                return answer
            self.socket.close()
            self.socket = None
        raise AssertionError(f"no answer for {target[:200]!r}")

    def read(self):
        data = b""
        while b"\r\n\r\n" not in data:
            more = self.socket.recv(1 << 17)
            if not more:
                return None
            data += more
        head, body = data.split(b"\r\n\r\n", 1)
        line, *fields = head.split(b"\r\n")
        pairs = [field.split(b":", 1) for field in fields]
        answer = Answer(int(line.split(b" ")[1]), [(name.lower(), value.strip()) for name, value in pairs], b"")
        if answer["Transfer-Encoding"] == b"chunked":
            while not body.endswith(b"0\r\n\r\n"):
                body += self.socket.recv(1 << 17)
            # The tests read chunked bodies only as text with sizes in it.
        else:
            while len(body) < int(answer["Content-Length"] or 0):
                body += self.socket.recv(1 << 17)
        if answer["Connection"] == b"close":
            self.socket.close()
            self.socket = None
        answer.body = body
        return answer


def get2(port, target, host=((b":authority", b"example.org"),), more=()):
    """The same by HTTP/2, without TLS."""
    plain = H2Configuration(header_encoding=None, validate_outbound_headers=False, normalize_outbound_headers=False,
                            validate_inbound_headers=False)
    connection = H2Connection(plain)
    connection.initiate_connection()
    fields = [(b":method", b"GET"), (b":path", target), (b":scheme", b"http"), *host, *more]
    connection.send_headers(1, fields, end_stream=True)
    answer = Answer(0, [], b"")
    with socket.create_connection(("127.0.0.1", port), timeout=20) as raw:
        while True:
            raw.sendall(connection.data_to_send())
            data = raw.recv(1 << 17)
            assert data, f"no answer by HTTP/2 for {target[:200]!r}"
            for event in connection.receive_data(data):
                if isinstance(event, ResponseReceived):
                    answer.headers = event.headers
                    answer.status = int(answer[":status"])
                elif isinstance(event, DataReceived):
                    answer.body += event.data
                    connection.acknowledge_received_data(event.flow_controlled_length, 1)
                elif isinstance(event, StreamEnded):
                    return answer


class Nginx:
    def __init__(self, module, library, upstream):
        self.folder = tempfile.TemporaryDirectory()
        self.work = Path(self.folder.name)
        names = SERVERS + [f"{name}2" for name in SERVERS] + ["SETTINGS", "EXAMPLE"]
        sockets = [socket.create_server(("127.0.0.1", 0)) for _ in names]
        self.ports = {name: each.getsockname()[1] for name, each in zip(names, sockets)}
        for each in sockets:
            each.close()
        example = (ROOT / "adapters/lua/README.md").read_text().split("```nginx\n")[1].split("```")[0]
        values = {
            "README": example,
            **self.ports, "UPSTREAM": upstream.port, "MODULE": module, "WORK": self.work,
            "NDK": MODULES / "ndk_http_module.so", "LUA": MODULES / "ngx_http_lua_module.so",
            "LUAPATH": ROOT / "adapters/lua", "USER": "user root;" if os.getuid() == 0 else "",
        }
        text = (HERE / "nginx.conf").read_text()
        (self.work / "conf").write_text(re.sub("@([A-Z0-9]+)@", lambda name: str(values[name[1]]), text))
        environment = {**watched(), "LD_LIBRARY_PATH": str(library)}
        command = ["nginx", "-c", str(self.work / "conf"), "-p", str(self.work), "-e", str(self.work / "error.log")]
        self.process = subprocess.Popen(command, env=environment, stderr=(self.work / "stderr").open("wb"))
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.ports["OFF"])).close()
                if len(self.workers()) == 2:
                    break
            except ConnectionError:
                if self.process.poll() is not None:
                    raise SystemExit(self.log())
            time.sleep(0.05)
        self.first_workers = self.workers()
        assert len(self.first_workers) == 2

    def client(self, name):
        return Client(self.ports[name])

    def log(self):
        return "".join((self.work / name).read_text(errors="backslashreplace") for name in ["stderr", "error.log"])

    def workers(self):
        """The processes of the workers, and the memory of each in KiB."""
        found = {}
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        for child in children:
            status = Path(f"/proc/{child}/status").read_text()
            found[child] = int(re.search(r"VmRSS:\s+(\d+)", status)[1])
        return found

    def stop(self):
        self.process.terminate()
        self.process.wait(20)
        self.folder.cleanup()


def is_(have, want, about=""):
    assert have == want, f"{about}: have {have!r}, want {want!r}"


UNRESERVED = re.compile(rb"[A-Za-z0-9._~-]")


def normal(target):
    """The normal form of a valid target, written down from RFC 3986, sections 6.2.2 and 5.2.4, and RFC 3987, 3.1."""
    path, mark, query = target.partition(b"?")

    def decoded(triplet):
        byte = bytes([int(triplet[1], 16)])
        return byte if UNRESERVED.fullmatch(byte) else triplet[0].upper()

    def canonical(text):
        text = re.sub(rb"%([0-9A-Fa-f]{2})", decoded, text)
        return re.sub(rb"[\x80-\xff]", lambda byte: b"%%%02X" % byte[0][0], text)

    rest, out = canonical(path), []
    segments = rest.split(b"/")[1:]
    for number, segment in enumerate(segments):
        is_last = number + 1 == len(segments)
        if segment in (b".", b".."):
            if segment == b".." and out:
                out.pop()
            if is_last:
                out.append(b"")
        else:
            out.append(segment)
    made = b"/" + b"/".join(out)
    # Dot segments that go leave no two slashes at the start, which a server could read as those before an authority.
    guard = b"/." if made.startswith(b"//") and not target.startswith(b"//") else b""
    return guard + made + mark + canonical(query)


def requests(nginx):
    """What each mode does with each kind of target, over HTTP/1.1 and HTTP/2."""
    utf8, latin = "/é?ü".encode(), b"/caf\xe9"
    # The target; the answers with check and with repair, as the target that the upstream has or None for 400; the same
    # with normalize and repair.
    table = [
        (b"/a/b?c=d", b"/a/b?c=d", b"/a/b?c=d", b"/a/b?c=d"),
        (utf8, utf8, utf8, b"/%C3%A9?%C3%BC"),
        (latin, None, b"/caf%E9", b"/caf%E9"),
        (b"/a?x={y|z}", None, b"/a?x=%7By%7Cz%7D", b"/a?x=%7By%7Cz%7D"),
        (b"/a?100%", None, b"/a?100%25", b"/a?100%25"),
        (b"/a?%zz", None, b"/a?%25zz", b"/a?%25zz"),
        (b"//a/b", b"//a/b", b"//a/b", b"//a/b"),
        (b"/%7euser/%2fx%2F", b"/%7euser/%2fx%2F", b"/%7euser/%2fx%2F", b"/~user/%2Fx%2F"),
        (b"/a/./b/../c", b"/a/./b/../c", b"/a/./b/../c", b"/a/c"),
        (b"/a/%2e%2E/c", b"/a/%2e%2E/c", b"/a/%2e%2E/c", b"/c"),
        (b"/%0d%0aX:%20y", b"/%0d%0aX:%20y", b"/%0d%0aX:%20y", b"/%0D%0AX:%20y"),
        (b"/a?b#c", None, None, None),
        (b"/a[b]", None, b"/a%5Bb%5D", b"/a%5Bb%5D"),
        (b"/a\\b", None, b"/a%5Cb", b"/a%5Cb"),
        (b"/a\"<>^`", None, b"/a%22%3C%3E%5E%60", b"/a%22%3C%3E%5E%60"),
        # A private-use character is allowed in a query alone.
        ("/\ue000".encode(), None, b"/%EE%80%80", b"/%EE%80%80"),
        ("/?\ue000".encode(), "/?\ue000".encode(), "/?\ue000".encode(), b"/?%EE%80%80"),
    ]
    clients = {name: nginx.client(name) for name in SERVERS}
    for target, check, repair, normalized in table:
        wanted = {"OFF": target, "REPORT": target, "CHECK": check, "REPAIR": repair, "NORMALIZE": normalized}
        for name, want in wanted.items():
            for version, answer in [(1, clients[name].get(target)), (2, get2(nginx.ports[f"{name}2"], target))]:
                about = f"{name}, HTTP/{version}, {target!r}"
                is_(answer.status, 400 if want is None else 200, about)
                if want is not None:
                    is_(answer.target, want, about)
                    is_(answer["X-Request-Uri"], want, about)
                if name in ("OFF", "REPORT", "CHECK"):
                    is_(answer["X-Iri-Error"] == b"", check is not None, about)
        if check is not None:
            is_(normalized, normal(target), "the test's own normal form")
    # What nginx refuses by itself, it refuses with the module as well.
    for target in [b"/a%zz", b"/../a", b"/a\x00b", b"/a b c", b"/\x01", b"/%00", b"*", b"example.com:443"]:
        for client in clients.values():
            is_(client.get(target).status, 400, target)
    # Each mode has its own words, and a level that a client does not fill the log with.
    for words in ["invalid", "refused", "repaired"]:
        line = f"[info] .* iri: the request target is {words}: '{{' at byte 5 is not allowed in a query; write %7B"
        assert re.search(line.replace("[", r"\[", 1), nginx.log()), line
    assert not re.search(r"\[(notice|warn|error)\].* iri:", nginx.log())
    assert nginx.log().count("in a path is not followed") == 0, "nginx refuses such a path before the module"
    # A target in absolute-form has its path in origin-form.
    is_(clients["NORMALIZE"].get(b"http://example.org/%7e/../b").target, b"/b")
    is_(clients["NORMALIZE"].get(b"http://example.org?x").target, b"/?x")
    is_(clients["CHECK"].get(b"http://example.org?x|").status, 400)
    # An internal redirect keeps the answer.
    is_(clients["NORMALIZE"].get(b"/missing").status, 404)
    # The location is chosen by the new path.
    is_(clients["NORMALIZE"].get("/x/../dir-é/y".encode()).target, b"/dir-%C3%A9/y")
    is_(clients["NORMALIZE"].get(b"/app/x/%7e").target, b"/base/x/~")
    print(f"{len(table)} targets, each with 5 servers over HTTP/1.1 and HTTP/2")


def settings(nginx):
    """iri_limit, iri_log_level and iri_status."""
    client = nginx.client("SETTINGS")
    is_(client.get(b"/a?12345678901|").target, b"/a?12345678901%7C", "15 bytes are repaired")
    is_(client.get(b"/a?123456789012|").target, b"/a?123456789012%7C", "16 bytes are repaired")
    is_(client.get(b"/a?1234567890123|").status, 404, "17 bytes are not")
    is_(client.get(b"/a?1234567890123").status, 200, "a valid target has any length")
    is_(client.get(b"/a#b").status, 404)
    assert client.get(b"/caf%E9/34567890")["X-Iri-Names"] != b""
    is_(client.get(b"/caf%E9/345678901")["X-Iri-Names"], b"")
    assert client.get(b"/caf%E9?345678901234")["X-Iri-Names"] != b"", "a query has no names"
    for words in ["is repaired: '|' at byte 14", "is refused, because iri_limit is less than its length: '|' at byte 16",
                  "cannot be repaired: "]:
        assert re.search(re.escape("[warn]") + ".*iri: the request target " + re.escape(words), nginx.log()), words


def without_effect(nginx, module):
    """A directive without effect is an error, or a warning."""
    conf = nginx.work / "other"
    repair, check, error, warn = "iri_repair on;", "iri_request check;", "[emerg]", "[warn]"
    for http, server, sign in [
        (repair, "", error), ("", repair, error), (check, repair, None), (repair, check, None), ("", check + repair, None),
        ("", "iri_request normalize;" + repair, None), ("", "iri_request off;" + repair, error), (check + repair, "iri_request off;", error),
        ("iri_request report;" + repair, check, None), ("", "iri_request report;" + repair, warn), ("iri_repair off;", "", None),
        # One server of two has it.
        (repair, check + "} server {", None), ("", check + repair + "} server {" + repair, error),
    ]:
        conf.write_text(f"load_module {module}; pid {nginx.work}/other-pid; events {{}} http {{ {http} server {{ {server} }} }}")
        command = ["nginx", "-t", "-c", str(conf), "-p", str(nginx.work), "-e", str(nginx.work / "other.log")]
        tried = subprocess.run(command, env=watched(), capture_output=True, text=True)
        about = f"{http} | {server}: {tried.stderr}"
        is_(tried.returncode, 1 if sign == error else 0, about)
        is_(re.findall(r'(\[\w+\]) "iri_repair on" repairs nothing', tried.stderr), [sign] if sign else [], about)


def long_targets(nginx):
    for length in [1023, 1024, 1025, 4096, 32 * 1024]:
        path = b"/" + b"a/../%7e" * ((length - 1) // 8)
        answer = nginx.client("NORMALIZE").get(path)
        is_(answer.target, normal(path), length)
        is_(get2(nginx.ports["NORMALIZE2"], path).target, normal(path), length)
        text = b"/" + b"\xc3\xa9" * ((length - 1) // 2)
        is_(nginx.client("NORMALIZE").get(text).target, normal(text), length)
        is_(nginx.client("CHECK").get(text + b"|").status, 400)
        # By default, a target of at most 2,048 bytes is repaired.
        repaired = nginx.client("REPAIR").get(text + b"|")
        is_(repaired.target, normal(text) + b"%7C" if len(text) < 2048 else None, length)
        is_(repaired.status, 200 if len(text) < 2048 else 400, length)
    is_(nginx.client("NORMALIZE").get(b"/" + b"a" * 70_000).status, 414)


def never(nginx, upstream):
    """What normalization never does: it changes no segment but by the RFC, and no target leaves the prefix of a
    location."""
    client, plain = nginx.client("NORMALIZE"), nginx.client("OFF")
    pieces = [b"..", b"%2e%2e", b".%2E", b"%2f", b"/", b".", b"x", b"\xc3\xa9"]
    count = within = refused = 0
    for length in range(1, 5):
        for chosen in itertools.product(pieces, repeat=length):
            rest = b"".join(chosen)
            count += 1
            answer = client.get(b"/app/" + rest)
            if answer.status == 400:
                # nginx reads %2f as a slash, and may find more .. than segments. It refuses that without the module too,
                # or refuses the normal form.
                refused += 1
                assert 400 in (plain.get(b"/app/" + rest).status, plain.get(normal(b"/app/" + rest)).status), rest
                continue
            target, uri = answer.target, unquote_to_bytes(answer["X-Uri"])
            if uri.startswith(b"/app/"):
                within += 1
                assert target.startswith(b"/base/"), (rest, target)
                assert b".." not in re.split(rb"/|%2[fF]", target), (rest, target)
            else:
                # No other location changes the target.
                is_(target, normal(b"/app/" + rest), rest)
                is_(target.lower().count(b"%2f"), normal(b"/app/" + rest).lower().count(b"%2f"), rest)
            # nginx itself reads the normal form as the same path.
            is_(plain.get(answer["X-Request-Uri"])["X-Uri"], answer["X-Uri"], rest)
    assert within > 1000 and not upstream.wrong
    print(f"{count} paths with dots and slashes: {within} in the location, {refused} refused by nginx")


def headers(nginx):
    checked, off = nginx.client("CHECK"), nginx.client("OFF")
    for name, (line, want) in HEADERS.items():
        field, given = line.split(b": ", 1)
        field = field.decode()
        answer = checked.get(b"/headers/" + name.encode())
        assert want in answer.fields(field), (name, answer.headers)
        assert given in off.get(b"/headers/" + name.encode()).fields(field), name
        # By HTTP/2 as well.
        assert want in get2(nginx.ports["CHECK2"], b"/headers/" + name.encode()).fields(field), name
    # add_header as well.
    assert b"</%C3%A9>; rel=help" in checked.get(b"/a").fields("Link") and "</é>; rel=help".encode() in off.get(b"/a").fields("Link")
    for name in HEADERS:
        # nginx writes the log after the answer.
        want, end = f"{nginx.ports['CHECK']} /headers/{name} {LEFT.get(name, 0)}\n", time.monotonic() + 10
        while want not in (nginx.work / "left.log").read_text(errors="backslashreplace"):
            assert time.monotonic() < end, want
            time.sleep(0.05)
    print(f"{len(HEADERS)} headers of responses")


def variables(nginx):
    off, deep = nginx.client("OFF"), nginx.client("NORMALIZE")
    key = lambda target, host=b"example.org", client=off: client.get(target, host)["X-Iri-Key"]
    port = nginx.ports["OFF"]
    # What keys.py proves is that no two requests share a key. Here is that a key is what README.md says.
    is_(key(b"/%7e/a?b"), b"http://example.org:%d/%%7e/a?b" % port)
    is_(key(b"/a|b"), b"http://example.org:%d/a|b" % port)
    is_(key(b"/a", b"Example.ORG"), b"http://example.org:%d@Example.ORG/a" % port)
    is_(key(b"/a", b"example.org.:80"), b"http://example.org:%d@example.org.:80/a" % port)
    is_(key(b"/b", b"a?%@!x"), b"http://a%%3F%%25%%40%%21x:%d/b" % port)
    is_(key(b"/b", b"[::1]"), b"http://[::1]:%d/b" % port)
    is_(key(b"http://a.example?x", b"b.example"), b"http://a.example:%d@b.example!%%2F!x?x" % port)
    host, port = "bücher.example".encode(), nginx.ports["NORMALIZE"]
    is_(key("/é/%7e/./|".encode(), b"example.org", deep), b"http://example.org:%d/%%C3%%A9/~/%%7C" % port)
    is_(key(b"/missing", b"example.org", deep), b"http://example.org:%d!%%2Fmissing!/missing" % port, "an internal redirect")
    is_(key(b"/", host, deep), b"http://b%%C3%%BCcher.example:%d/" % port)
    is_(off.get(b"/", b"xn--bcher-kva.example")["X-Iri-Host"], host)
    is_(off.get(b"/", b"[::1]:80")["X-Iri-Host"], b"[::1]")
    # A person reads them: no bidi control is among the characters, whatever the layer before has decoded.
    for control in "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069":
        triplets = "".join(f"%{byte:02X}" for byte in control.encode()).encode()
        for text in (control.encode(), triplets):
            is_(off.get(b"/", b"a" + text + b".example")["X-Iri-Host"], b"a" + triplets + b".example")
            is_(off.get(b"/a" + text + b"b")["X-Iri-Path"], b"/a" + triplets + b"b")
            assert control.encode() not in off.get(b"/%E9" + text)["X-Iri-Names"], control
    is_(off.get(b"/%e3%81%82/./%7e?%C3%A9")["X-Iri-Path"], "/あ/~".encode())
    is_(off.get(b"/a|b")["X-Iri-Path"], b"")
    assert "/café".encode() in off.get(b"/caf%E9")["X-Iri-Names"].split(b" ")
    assert "/café".encode() in off.get(b"/caf\xe9?x")["X-Iri-Names"].split(b" ")
    assert "/ア".encode() in off.get(b"/%83A")["X-Iri-Names"].split(b" ")
    is_(off.get(b"/a")["X-Iri-Names"], b"/a")
    is_(off.get(b"/a?b|c")["X-Iri-Error"], b"'|' at byte 4 is not allowed in a query; write %7C")
    fragment = b"'#' at byte 2 begins a fragment, which an absolute IRI and a request target do not have; remove it"
    is_(off.get(b"/a#b")["X-Iri-Error"], fragment)


# Targets and what the log has for them. No log has the text SECRET.
REDACTED = [
    (b"/a?b=c", "/a?b=c"),
    (b"/a?sig=SECRET&b=c", "/a?sig=REDACTED&b=c"),
    (b"/a?s%69g=SECRET", "/a?s%69g=REDACTED"),
    (b"/a?b=1;sig=SECRET", "/a?b=1;sig=REDACTED"),
    (b"/a?sig=1;SECRET&c", "/a?sig=REDACTED&c"),
    (b"/\xff\xe9?sig=\xffSECRET\xe9&\xff", r"/\xFF\xE9?sig=REDACTED&\xFF"),
    ("/é?sig=üSECRET".encode(), r"/\xC3\xA9?sig=REDACTED"),
    (b"/a?next=%2Fb%3Fsig%3DSECRET", "/a?next=REDACTED"),
    (b"/a?sig=SEC\"SECRET", "/a?sig=REDACTED"),
    (b"//u:p@h/?sig=SECRET", "//u:p@h/?sig=REDACTED"),
    (b"http://example.org/a?sig=SECRET", "http://example.org/a?sig=REDACTED"),
    (b"http://example.org?sig=SECRET", "http://example.org?sig=REDACTED"),
    # nginx refuses these, and logs them.
    (b"http://SECRET:SECRET@example.org/a?sig=SECRET", "http://REDACTED:REDACTED@example.org/a?sig=REDACTED"),
    (b"/a b?sig=SECRET", "/a b?sig=REDACTED"),
    (b"/a?sig=1 SECRET", "/a?sig=REDACTED"),
    (b"/%zz?sig=SECRET", "/%zz?sig=REDACTED"),
    (b"/\x01?sig=SECRET", r"/\x01?sig=REDACTED"),
    (b"*?sig=SECRET", "*?sig=REDACTED"),
    (b"a:1?sig=SECRET", "a:1?sig=REDACTED"),
]


def logged(nginx, target):
    """The target of a request in the log."""
    log, start = nginx.work / "redacted.log", f'{nginx.ports["OFF"]} "'
    known, end = log.read_text().count(start), time.monotonic() + 10
    nginx.client("OFF").get(target)
    while log.read_text().count(start) == known:
        assert time.monotonic() < end, target
        time.sleep(0.02)
    # The method and the version, which are dashes if nginx refuses the line, are around the target.
    return log.read_text().rpartition(start)[2].partition(" ")[2].rpartition(" ")[0]


def redacted(nginx):
    """No secret of a target reaches the log of $iri_redacted."""
    log = nginx.work / "redacted.log"
    for target, want in REDACTED:
        is_(logged(nginx, target), want, target)
    # By HTTP/2, with the sets of the server, after a rewrite of the target, and a line that is too long.
    get2(nginx.ports["OFF2"], b"/a?b;s%69g=SECRET")
    nginx.client("SETTINGS").get(b"/a;jsessionid=SECRET?code=SECRET&sig=1")
    nginx.client("NORMALIZE").get(b"/%7e|?s%69g=SECRET")
    nginx.client("OFF").get(b"/?sig=" + b"SECRET" * 12_000)
    wanted = [f'{nginx.ports["OFF2"]} "GET /a?b;s%69g=REDACTED HTTP/2.0"',
              f'{nginx.ports["SETTINGS"]} "GET /a;jsessionid=REDACTED?code=REDACTED&sig=REDACTED HTTP/1.1"',
              f'{nginx.ports["NORMALIZE"]} "GET /%7e|?s%69g=REDACTED HTTP/1.1"', '/?sig=REDACTED']
    end = time.monotonic() + 10
    while not all(text in log.read_text() for text in wanted):
        assert time.monotonic() < end, log.read_text()[-500:]
        time.sleep(0.02)
    assert "SECRET" not in log.read_text()
    # A name that no set has.
    conf = (nginx.work / "conf").read_text().replace("iri_redact oauth,common;", "iri_redact oauth,comon;")
    (nginx.work / "wrong").write_text(conf)
    command = ["nginx", "-t", "-c", str(nginx.work / "wrong"), "-p", str(nginx.work), "-e", str(nginx.work / "wrong.log")]
    checked = subprocess.run(command, env=watched(), capture_output=True, text=True)
    assert checked.returncode != 0 and '"iri_redact" directive has a name that no set of keys has' in checked.stderr, checked
    print(f"{len(REDACTED)} targets without their secrets in the log")


def cases(nginx, folders):
    """Every case that a target can carry has its answer in $iri_error."""
    client, ran, refused = nginx.client("OFF"), 0, 0
    targets = {}
    for folder in folders:
        for path in sorted(Path(folder).rglob("*.jsonl")):
            for line in path.read_text(encoding="utf-8").splitlines():
                case = json.loads(line)
                if "valid" not in case or not isinstance(case.get("input"), str):
                    continue
                text, parts = case["input"], case.get("components")
                if case["valid"] and parts and (parts["path"] or "").startswith("/"):
                    query = "" if parts["query"] is None else "?" + parts["query"]
                    targets[(parts["path"] + query).encode()] = True
                elif not case["valid"] and case.get("kind") == "iri-reference" and re.match("/[^/]", text):
                    targets[text.encode()] = False
    for target, is_valid in targets.items():
        if len(target) > 60_000 or re.search(rb"[\x00-\x20\x7f]", target):
            continue
        answer = client.get(target)
        if answer.status == 400:
            # nginx refuses some by its own rules, such as %00 and more .. than segments.
            refused += 1
            continue
        ran += 1
        is_(answer["X-Iri-Error"] == b"", is_valid, target)
    assert ran > 100, ran
    print(f"{ran} cases as targets; nginx itself refuses {refused} others")


def lua(nginx):
    answer = nginx.client("NORMALIZE").get(b"/lua")
    assert answer.status == 200, nginx.log()
    print(re.search(rb"\d+ calls inside .*", answer.body)[0].decode())
    print(re.search(rb"\d+ ns .*", answer.body)[0].decode())
    example = nginx.client("EXAMPLE")
    for target, status in [(b"/a?b", 200), (b"/a|b", 400), (b"http://a?b", 200), (b"http://a", 200), (b"http://a?|", 400)]:
        is_(example.get(target).status, status, target)


# What the functions of the module for Lua take after their texts.
LUA = {
    "iri.is_valid": ["text", "rule"],
    "iri.parse": ["text", "rule"],
    "iri.normalize": ["text", "level", "rule"],
    "iri.prepare": ["text", "profile"],
    "iri.key": ["text", "level"],
    "iri.compare": ["text", "other", "level"],
    "iri.resolve": ["base", "text"],
    "iri.relativize": ["base", "text"],
    "iri.query_value": ["text", "name"],
    "iri.drop_query_pairs": ["text", "name"],
    "iri.to_uri_in_charset": ["text", "charset"],
    "iri.interpret": ["text", "charset"],
    "iri.fingerprint": ["text", "level"],
    "iri.escape": ["text", "format"],
    "iri.unescape": ["text", "format"],
    "iri.field_to_uri": ["field", "text"],
}


TEXTS_OF_LUA = ("other", "base", "field", "name", "charset", "value", "rules")


def names_of_lua(nginx):
    """Calls each name of docs/operations.md for Lua."""
    client = nginx.client("OFF")

    def call(operation, name, case):
        expression = name
        if "(" not in name:
            setting = lambda kind: f"iri.{kind}.{case[kind].replace('-', '_')}" if kind in case else "nil"
            arguments = (each if each == "text" or each in TEXTS_OF_LUA else setting(each) for each in LUA.get(name, ["text"]))
            expression = f"{name}({', '.join(arguments)})"
        if operation == "first error":
            expression = f"select(3, {expression})"
        expression = {
            "iri.judge": "(iri.judge(text) or {}).url",
            "iri.template_match": """(function() local m = iri.template_match("/users/{id}{?q}", text)
                if not m then return nil end
                local all = {}
                for _, name in ipairs { "id", "q" } do
                    local value = m[name]
                    if type(value) == "table" then value = '["' .. table.concat(value, '","') .. '"]'
                    elseif value then value = '"' .. value .. '"' end
                    if value then all[#all + 1] = ('"%s":%s'):format(name, value) end
                end
                return "{" .. table.concat(all, ",") .. "}" end)()""",
            "iri.template_expand": """(function() local values = {}
                for name, value in text:gmatch('"(%w+)":"([^"]*)"') do values[name] = value end
                return iri.template_expand("/users/{id}{?q}", values) end)()""",
            "iri.set_component": "iri.set_component(text, iri.component.path, value)",
            "iri.build": "iri.build { scheme = 'http', host = 'a', path = text }",
            "iri.violations": "(function() local all = {} for i, it in ipairs(iri.violations(text)) do all[i] = it.first - 1 end return table.concat(all, ' ') end)()",
        }.get(name, expression)
        texts = {name: case[name] for name in TEXTS_OF_LUA if name in case}
        query = urlencode({"expression": expression, "text": case["input"], **texts})
        # Chunks have their sizes before them.
        lines = client.get(b"/lua?" + query.encode()).body.decode().split("\r\n")[1::2]
        kind, *fields = "".join(lines).splitlines()
        found = dict(field.split("=", 1) for field in fields)
        if operation == "components" and kind == "table":
            return {name: found.get(name) for name in case["answer"]}
        if operation == "first error" and kind == "table":
            place = {"start": int(found["first"]) - 1, "end": int(found["last"])}
            return {"kind": found["kind"], **place, "component": found["component"]}
        value = {"nil": lambda _: None, "boolean": "true".__eq__, "number": int, "string": str}[kind](found.get(""))
        if operation == "all errors":
            return [int(start) for start in value.split()]
        # `iri.compare` gives an order.
        return value == 0 if operation == "is equivalent" and value is not None else value

    operations.check("Lua", call)
    listed = "(function() local n = {} for k, v in pairs(iri) do n[k] = type(v) end return n end)()"
    lines = client.get(b"/lua?" + urlencode({"expression": listed}).encode()).body.decode()
    functions = {f"iri.{name}" for name in re.findall(r"(\w+)=function", lines)}
    is_(functions, operations.names("Lua"), "the functions of docs/operations.md")


def names_of_nginx(nginx):
    """Uses each directive and variable that docs/operations.md has for nginx."""

    def sent(server, case):
        target = nginx.client(server).get(case["input"].encode()).target
        return None if target is None else target.decode()

    def located(case):
        HEADERS["page"] = (f"{case['field']}: {case['input']}".encode(), case["answer"].encode())
        # The last one: add_header has another `Link`.
        return nginx.client("CHECK").get(b"/headers/page").fields(case["field"])[0].decode()

    off = nginx.client("OFF")
    calls = {
        "iri_request check": lambda case: nginx.client("CHECK").get(case["input"].encode()).status == 200,
        "iri_repair on": lambda case: sent("REPAIR", case),
        "iri_request normalize": lambda case: sent("NORMALIZE", case),
        "$iri_redacted": lambda case: logged(nginx, case["input"].encode()),
        "$iri_names": lambda case: off.get(case["input"].encode())["X-Iri-Names"].decode(),
        "$iri_host_unicode": lambda case: off.get(b"/", case["input"].encode())["X-Iri-Host"].decode(),
        "iri_location on": located,
    }
    operations.check("nginx", lambda _, name, case: calls[name](case))


def hostile(nginx, upstream, seconds):
    """Random requests, from several connections at once."""
    end, sent, failures = time.monotonic() + seconds, [0] * 4, []
    pieces = [b"/", b"..", b".", b"%2e", b"%2f", b"%zz", b"%", b"\xc3\xa9", b"\xe9", b"\xff", b"|", b"{}", b"?", b"#", b"a" * 40,
              b"%C3%A9", b"\xee\x80\x80", b"%0d%0a", b"//", b"\\", b":", b"@", b"a" * 2000, b"%E9" * 300, b"\xc3\xa9" * 8000]
    attacks = [b"GET /a\r\nX: y HTTP/1.1\r\nHost: a\r\n\r\n", b"GET /\x00 HTTP/1.1\r\nHost: a\r\n\r\n", b"\x16\x03\x01",
               b"GET /%0d%0a%0d%0aGET%20/smuggled HTTP/1.1\r\nHost: a\r\n\r\n", b"GET  /a HTTP/1.1\r\n\r\n",
               b"GET /a HTTP/1.1\r\nHost: \xff\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\xff" * 50]

    def work(number):
        try:
            source = random.Random(3987 + number)
            clients = [nginx.client(name) for name in SERVERS]
            while time.monotonic() < end:
                sent[number] += 1
                kind = source.random()
                if kind < 0.02:
                    with socket.create_connection(("127.0.0.1", source.choice(list(nginx.ports.values())))) as raw:
                        raw.sendall(source.choice(attacks))
                        if source.random() < 0.5:
                            raw.settimeout(0.02)
                            try:
                                raw.recv(1000)
                            except OSError:
                                pass
                elif kind < 0.1:
                    source.choice(clients).get(b"/headers/" + source.choice(list(HEADERS)).encode())
                else:
                    count = source.randrange(12)
                    target = b"/" + b"".join(source.choice(pieces) for _ in range(count))
                    answer = source.choice(clients).get(target)
                    assert answer.status in (200, 400, 404, 414), (answer.status, target)
        except Exception as error:  # shown by the caller
            failures.append(error)

    def burst():
        threads = [threading.Thread(target=work, args=(number,)) for number in range(len(sent))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]

    # The first part warms the memory of the workers, the rest must not make it grow.
    whole, end = seconds, time.monotonic() + seconds / 3
    burst()
    before = nginx.workers()
    end = time.monotonic() + 2 * whole / 3
    burst()
    after = nginx.workers()
    is_(list(before), list(after), "a worker was lost")
    is_(list(before), list(nginx.first_workers), "a worker was lost")
    # The address sanitizer keeps 8 MiB of freed memory, and its own records of it.
    slack = 32 * 1024 if "PRELOAD" in os.environ else 2048
    for worker, memory in after.items():
        assert memory < before[worker] * 1.1 + slack, f"a worker grew from {before[worker]} to {memory} KiB"
    assert not upstream.wrong, upstream.wrong[0][:500]
    log = nginx.log()
    for sign in ["AddressSanitizer", "exited on signal", "panicked", "[alert]", "[emerg]"]:
        assert sign not in log, log[log.index(sign):][:3000]
    grown = ", ".join(f"{before[worker]} to {after[worker]} KiB" for worker in after)
    print(f"{sum(sent)} hostile requests in {seconds} s, {upstream.served} of all reached the upstream; workers {grown}")


def main():
    module, library, seconds, *folders = sys.argv[1:]
    upstream = Upstream()
    upstream.start()
    nginx = Nginx(module, library, upstream)
    try:
        requests(nginx)
        settings(nginx)
        without_effect(nginx, module)
        long_targets(nginx)
        never(nginx, upstream)
        headers(nginx)
        variables(nginx)
        redacted(nginx)
        cases(nginx, [ROOT / "conformance/cases", ROOT / "tests/data", *folders])
        lua(nginx)
        names_of_lua(nginx)
        names_of_nginx(nginx)
        hostile(nginx, upstream, float(seconds))
    finally:
        nginx.stop()


if __name__ == "__main__":
    main()
