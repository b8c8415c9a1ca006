#!/usr/bin/env python3
"""The law of $iri_key: what nginx answers from a cache with this key is what it answers without a cache.

    keys.py MODULE SECONDS [SEED]

MODULE is ngx_http_iri_module.so. Two processes of nginx have the same servers, names and locations; the first one keeps each
answer of the upstream under $iri_key. The upstream answers with the request that it gets. Each round makes a request and
other spellings of its Host and target, with a password or without, and sends all of them to both. Every answer must be the
same, and the cache must have given some.

Not here: what the modes do with a target (run.py).
"""

import base64
import collections
import contextlib
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

from run import get2, watched

# Each mode, and its directives.
MODES = {
    "off": "iri_request off;",
    "report": "iri_request report;",
    "check": "iri_request check;",
    "check-repair": "iri_request check; iri_repair on;",
    "normalize": "iri_request normalize;",
    "normalize-repair": "iri_request normalize; iri_repair on;",
}
# The names of a server, the value of proxy_set_header Host, and merge_slashes.
SERVERS = [
    ('default.example ""', "$proxy_host", "on"),
    ("good.example", "$host", "on"),
    ("intranet.example bücher.example xn--bcher-kva.example", "$http_host", "on"),
    ("*.wild.example .dot.example", "$host", "off"),
    (r"~^(?<name>.+)\.regex\.example$", "$name", "on"),
    ("a_b.example [::1]", "$http_host", "off"),
]
# Of each location: the rest of its head, and its body. SEND is a request to the upstream that names the location.
LOCATIONS = {
    "/": "SEND",
    "= /exact": "SEND",
    "/members/": "auth_basic members; auth_basic_user_file WORK/users; SEND",
    "~ \\.php$": "SEND",
    "/denied/": "deny all;",
    "/base/": "SENDother/;",
    "/break/": "rewrite ^/break/(.*)$ /members/$1 break; SEND",
    "/last/": "rewrite ^/last/(.*)$ /$1 last;",
    "/args/": 'set $args "a=$arg_a"; SEND',
    "/includes/": "ssi on; ssi_types *; SEND",
    "/elsewhere/": "proxy_cache off; proxy_set_header Authorization $http_authorization; proxy_pass http://echo;",
    "/inner/": "internal; SEND",
}
USER = b"Basic " + base64.b64encode(b"u:p")

# A request: its version of HTTP, its target, and its fields. PORT stands for the port of the server.
Request = collections.namedtuple("Request", "version target fields")
# An answer. A request that nginx does not answer has the status 0.
Answer = collections.namedtuple("Answer", "status server body cache key")


class Upstream(threading.Thread):
    """Answers each request with its head."""

    def __init__(self):
        super().__init__(daemon=True)
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port = self.socket.getsockname()[1]

    def run(self):
        while True:
            connection, _ = self.socket.accept()
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        with connection, contextlib.suppress(ConnectionError):
            data = b""
            while b"\r\n\r\n" not in data:
                more = connection.recv(1 << 16)
                if not more:
                    return
                data += more
            target = data.split(b" ", 2)[1]
            is_user = b"\r\nAuthorization:" in data
            more = b""
            body = re.sub(rb"\r\nAuthorization:[^\r]*", b"", data)
            if target.startswith(b"/includes/"):
                body += b'<!--# include virtual="/a" --><!--# include virtual="/members/a?b" -->'
            elif target.startswith(b"/elsewhere/"):
                # Another page inside for a user than for others.
                more = b"X-Accel-Redirect: /inner/a?" + (b"user" if is_user else b"others") + b"\r\n"
            connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n" + more + b"\r\n" + body)


class Nginx:
    def __init__(self, module, upstream, is_caching):
        self.folder = tempfile.TemporaryDirectory()
        work = Path(self.folder.name)
        work.chmod(0o755)
        (work / "users").write_text("u:{PLAIN}p\n")
        names = [(mode, version) for mode in MODES for version in (1, 2)]
        sockets = [socket.create_server(("127.0.0.1", 0)) for _ in names]
        self.ports = {name: each.getsockname()[1] for name, each in zip(names, sockets)}
        for each in sockets:
            each.close()
        def location(server, host, name, body):
            send = (f'proxy_set_header Host {host}; proxy_set_header X-Where "{server} {name.strip("$")}"; '
                    'proxy_set_header Authorization ""; proxy_pass http://echo')
            body = body.replace("SENDother/", send + "/other/").replace("SEND", send + ";").replace("WORK", str(work))
            return f"        location {name} {{ {body} }}\n"

        servers = "".join(
            f"""
    server {{
        listen 127.0.0.1:{self.ports[mode, 1]}{" default_server" if number == 0 else ""};
        listen 127.0.0.1:{self.ports[mode, 2]} http2{" default_server" if number == 0 else ""};
        server_name {names};
        merge_slashes {merged};
        {directives}
        add_header X-Server {number} always;
        add_header X-Cache $upstream_cache_status always;
        add_header X-Key $iri_key always;
{"".join(location(number, host, *each) for each in LOCATIONS.items())}    }}"""
            for mode, directives in MODES.items()
            for number, (names, host, merged) in enumerate(SERVERS)
        )
        text = f"""
load_module {module};
daemon off;
worker_processes 1;
pid {work}/pid;
error_log {work}/error.log crit;
{"user root;" if os.getuid() == 0 else ""}
events {{ worker_connections 512; }}
http {{
    access_log off;
    server_names_hash_bucket_size 128;
    client_body_temp_path {work}/body; proxy_temp_path {work}/proxy; fastcgi_temp_path {work}/fastcgi;
    uwsgi_temp_path {work}/uwsgi; scgi_temp_path {work}/scgi;
    proxy_cache_path {work}/cache keys_zone=all:8m;
    proxy_cache {"all" if is_caching else "off"};
    proxy_cache_key $iri_key;
    proxy_cache_valid any 1h;
    upstream echo {{ server 127.0.0.1:{upstream.port}; }}
    {servers}
}}
"""
        (work / "conf").write_text(text)
        command = ["nginx", "-c", str(work / "conf"), "-p", str(work), "-e", str(work / "error.log")]
        self.process = subprocess.Popen(command, env=watched(), stderr=(work / "stderr").open("wb"))
        for _ in range(200):
            if self.process.poll() is not None:
                raise SystemExit((work / "stderr").read_text())
            with contextlib.suppress(ConnectionError):
                socket.create_connection(("127.0.0.1", self.ports["off", 1])).close()
                break
            time.sleep(0.05)

    def get(self, mode, request, port):
        """The answer of the server for a mode."""
        put = lambda text: text.replace(b"PORT", b"%d" % port)
        target, fields = put(request.target), [(name, put(value)) for name, value in request.fields]
        own = self.ports[mode, request.version if request.version == 2 else 1]
        if request.version == 2:
            try:
                answer = get2(own, target, [field for field in fields if field[0] == b":authority"],
                              [field for field in fields if field[0] != b":authority"])
            except (AssertionError, ConnectionError):
                return Answer(0, None, None, None, None)
            return Answer(answer.status, answer["X-Server"], answer.body, answer["X-Cache"], answer["X-Key"])
        lines = b"".join(name + b": " + value + b"\r\n" for name, value in fields)
        version = b"1.%d" % (0 if request.version == 0 else 1)
        with socket.create_connection(("127.0.0.1", own), timeout=20) as raw:
            raw.sendall(b"GET " + target + b" HTTP/" + version + b"\r\n" + lines + b"Connection: close\r\n\r\n")
            data = b""
            while more := raw.recv(1 << 16):
                data += more
        head, _, body = data.partition(b"\r\n\r\n")
        line, *fields = head.split(b"\r\n")
        headers = dict(field.split(b": ", 1) for field in fields)
        status = int(line.split(b" ", 2)[1]) if line else 0
        return Answer(status, headers.get(b"X-Server"), body, headers.get(b"X-Cache"), headers.get(b"X-Key"))

    def stop(self):
        self.process.terminate()
        self.process.wait(20)
        self.folder.cleanup()


HOSTS = [b"good.example", b"good.example", b"intranet.example", b"default.example", b"x.wild.example", b"dot.example",
         b"y.regex.example", b"other.example", b"a_b.example", b"[::1]", "bücher.example".encode(), b"xn--bcher-kva.example"]
PATHS = [b"/a", b"/", b"/exact", b"/members/a", b"/members/", b"/x.php", b"/denied/a", b"/base/a", b"/break/a", b"/last/a",
         b"/args/a", b"/includes/a", b"/elsewhere/a", b"/inner/a", "/é".encode(), b"/a|b", b"/~a/b"]
QUERIES = [b"", b"", b"", b"?", b"?a=b", b"?b|c", "?é".encode()]


def other_host(source, host):
    """Another spelling of a host: some nginx reads as the same name, some as another."""
    at = source.randrange(len(host))
    letter = host[at:at + 1]
    return source.choice([
        lambda: host[:at] + b"%%%02x" % host[at] + host[at + 1:],
        lambda: host[:at] + b"%%%02X" % host[at] + host[at + 1:],
        lambda: host.upper(),
        lambda: host + b".",
        lambda: host + source.choice([b":80", b":PORT", b":81", b":", b":80@evil.example", b":PORT/a"]),
        lambda: host + source.choice([b"?x", b"#x", b"@evil.example", b"!x!", b"%3Fx", b"/a", b"?x:PORT", b"%2Fa"]),
        lambda: host.replace(b".", "。".encode(), 1),
        lambda: host[:at] + "\u00ad".encode() + host[at:],
        lambda: host[:at] + chr(ord(letter) + 0xFEE0).encode() + host[at + 1:] if letter.isalpha() else host,
        lambda: b"u@" + host,
        lambda: source.choice(HOSTS),
    ])()


def other_target(source, target):
    """Another spelling of a target, which normalization, nginx or a careless key reads as the same one, or as another."""
    path, mark, query = target.partition(b"?")
    path = path or b"/"
    slash = source.choice([at for at, byte in enumerate(path) if byte == 0x2F] or [0])
    at = source.randrange(len(path))
    return source.choice([
        lambda: path[:at] + b"%%%02x" % path[at] + path[at + 1:] + mark + query,
        lambda: path[:at] + b"%%%02X" % path[at] + path[at + 1:] + mark + query,
        lambda: path[:slash] + source.choice([b"/.", b"/x/..", b"/%2e", b"/x/%2E%2e", b"//..", b"/", b"/x//.."]) + path[slash:]
        + mark + query,
        lambda: source.choice([b"/a/..", b"/.", b"/", b"/x/../.", b"//evil.example/..", b"/%2e"]) + b"/" + path.lstrip(b"/") + mark
        + query,
        lambda: path + source.choice([b"/.", b"/..", b"/../", b"%2f", b"%2F..", b"/x/../../", b"//../"]) + mark + query,
        lambda: path + source.choice([b"?", b"?x", b"?a=%62", b"?x:PORT/a", b"#x", b"?!", b"%3F", b"?a=b&a=c"]),
        lambda: b"/?x:PORT" + path,
        lambda: path.replace("é".encode(), b"%C3%A9").replace(b"|", b"%7C").replace(b"~", b"%7e") + mark + query,
        lambda: path + mark + query.replace(b"|", b"%7c").replace("é".encode(), b"%c3%a9"),
        lambda: path.upper() + mark + query,
        lambda: source.choice(PATHS) + mark + query,
    ])()


def request(source, is_second, host, target):
    """A request in one of the ways to say Host and target, by HTTP/2 or by HTTP/1."""
    user = source.choice([[], [(b"authorization", USER)]])
    if is_second:
        names = source.choice([[b":authority"]] * 4 + [[b"host"], [b":authority", b"host"], []])
        fields = [(name, source.choice([host, host, other_host(source, host)])) for name in names]
        return Request(2, target, [*fields, *user])
    kind = source.random()
    if kind < 0.1:
        # nginx takes the host from the target.
        target = target.removeprefix(b"/") if target.startswith(b"/?") and source.random() < 0.5 else target
        field = source.choice([host, b"good.example", other_host(source, host)])
        return Request(1, b"http://" + host + target, [(b"Host", field), *user])
    if kind < 0.13:
        return Request(0, target, user)
    if kind < 0.16:
        return Request(1, target, [(b"Host", host), (b"host", other_host(source, host)), *user])
    return Request(1, target, [(b"Host", host), *user])


def main():
    module, seconds, *seed = sys.argv[1:]
    seed = int(seed[0]) if seed else random.randrange(1 << 32)
    source = random.Random(seed)
    upstream = Upstream()
    upstream.start()
    caching, plain = Nginx(module, upstream, True), Nginx(module, upstream, False)
    sent, hits, statuses = 0, dict.fromkeys(caching.ports, 0), collections.Counter()
    try:
        end = time.monotonic() + float(seconds)
        while time.monotonic() < end:
            mode = source.choice(list(MODES))
            spellings = [(source.choice(HOSTS), source.choice(PATHS) + source.choice(QUERIES))]
            for _ in range(5):
                host, target = source.choice(spellings)
                if source.random() < 0.6:
                    target = other_target(source, target)
                if source.random() < 0.5:
                    host = other_host(source, host)
                spellings.append((host, target))
            is_second = source.random() < 0.3
            requests = [request(source, is_second, *source.choice(spellings)) for _ in range(8)]
            for number, each in enumerate(requests):
                # The port in a request is that of the cache, in both.
                port = caching.ports[mode, 2 if each.version == 2 else 1]
                have, want = (nginx.get(mode, each, port) for nginx in (caching, plain))
                sent += 1
                hits[mode, 2 if each.version == 2 else 1] += have.cache == b"HIT"
                statuses[have.status] += 1
                if have[:3] != want[:3]:
                    before = "\n".join(f"    {one}" for one in requests[:number])
                    raise SystemExit(f"{mode}, seed {seed}, request {sent}: {each}\nwith a cache: {have}\nwithout: {want}"
                                     f"\nafter:\n{before}")
    finally:
        caching.stop()
        plain.stop()
    assert min(hits.values()) > sent / 2000, f"the cache answered too few requests to prove anything: {hits}"
    assert statuses[401] > sent / 200, f"too few requests needed a password: {statuses}"
    found = ", ".join(f"{status} {count}" for status, count in sorted(statuses.items()))
    print(f"keys: {sent} requests with and without a cache in {seconds} s, {sum(hits.values())} from the cache; {found}")


if __name__ == "__main__":
    main()
