#!/usr/bin/env python3
"""Measures what the module for nginx costs: the CPU time of a worker for a request, with the module and without.

    benches/engines/nginx.py MODULE [WORK]     MODULE is what adapters/nginx/build prints; WORK is a part of the names of works

Two nginx run, one without the module, each with one worker, before a third one that is their upstream. In each pair of runs
both get the same requests, in turns first. A run is REQUESTS requests (500) on pipelined connections; CPU time is what the
kernel has counted for the worker, in nanoseconds. PAIRS is the number of pairs (200). A ratio is the mean of the logarithms
of the ratios of the pairs, with its interval of confidence (95 %, by Student). Latency is that of single requests, one
after another. A pair of the same nginx without the module shows the noise, and a pair with directives of nginx itself what
the same work costs there: a regular expression of `proxy_redirect`, and one of `rewrite`. A `Location` has raw bytes in its path,
as most that need a rewrite, or in its host too. The path and the host are the same in all requests. The length of `User-Agent` changes
from pair to pair, up to 260 bytes: where a block of the memory pool of a request ends depends on it, and a new block costs
as much as all that is measured here.
"""

import math
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REQUESTS = int(os.environ.get("REQUESTS", 500))
PAIRS = int(os.environ.get("PAIRS", 200))
PIPELINE = 50
TARGET = b"/articles/2026/11/a-title-of-some-words?id=4711&sort=date"

COMMON = """
{load}
daemon off;
worker_processes 1;
pid {work}/pid;
error_log {work}/error.log error;
{user}
events {{ worker_connections 512; }}
http {{
    access_log off;
    client_body_temp_path {work}/body;
    proxy_temp_path {work}/proxy;
    fastcgi_temp_path {work}/fastcgi;
    uwsgi_temp_path {work}/uwsgi;
    scgi_temp_path {work}/scgi;
    keepalive_requests 100000000;
    {body}
}}
"""
UPSTREAM = """
    server {{
        listen 127.0.0.1:{port};
        charset utf-8;
        location / {{ return 200 "{page}"; }}
        location /moved/path/ {{ return 302 "http://www.example.org/é/{page:.20}"; }}
        location /moved/host/ {{ return 302 "http://bücher.example/é/{page:.20}"; }}
    }}
"""
# By nginx itself, with a regular expression each: the target and the Location that the module makes.
OWN_TARGET = "rewrite ^/a/~(/.*)$ /a/~$1;"
OWN_LOCATION = "~^http://[^/]+/[^/]+/(.*)$ http://{host}/%C3%A9/$1"
# The Location of an upstream, and the host in the URI that it becomes.
MOVED = {b"/moved/path/": ("www.example.org", "www.example.org"), b"/moved/host/": ("bücher.example", "xn--bcher-kva.example")}
PROXY = """
    upstream up {{ server 127.0.0.1:{upstream}; keepalive 16; keepalive_requests 100000000; }}
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    server {{ listen 127.0.0.1:{port}; location / {{ {directives} proxy_pass http://up; proxy_redirect {redirect}; }} {outer} }}
"""


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


class Nginx:
    def __init__(self, body, module=None, redirect="off", **values):
        self.folder, self.port = tempfile.TemporaryDirectory(), free_port()
        work = Path(self.folder.name)
        text = COMMON.format(
            load=f"load_module {module};" if module else "", work=work, user="user root;" if os.getuid() == 0 else "",
            body=body.format(port=self.port, redirect=redirect, **values))
        (work / "conf").write_text(text)
        self.process = subprocess.Popen(["nginx", "-c", work / "conf", "-p", work, "-e", work / "error.log"])
        for _ in range(100):
            time.sleep(0.05)
            children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
            if children:
                break
        [self.worker] = children

    def cpu(self):
        return int(Path(f"/proc/{self.worker}/schedstat").read_text().split()[0])

    def stop(self):
        self.process.terminate()
        self.process.wait(10)
        self.folder.cleanup()


def ask(port, target, count, pipeline, agent=b"bench"):
    """Sends requests, and returns the time of each batch in seconds, and the first answer."""
    head = b" HTTP/1.1\r\nHost: www.example.org\r\nUser-Agent: " + agent + b"\r\nAccept: */*\r\n\r\n"
    request = b"GET " + target + head
    times, first = [], None
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for _ in range(count // pipeline):
            begin, data, whole = time.perf_counter(), b"", None
            connection.sendall(request * pipeline)
            while whole is None or len(data) < whole * pipeline:
                more = connection.recv(1 << 18)
                assert more, "nginx has closed the connection"
                data += more
                if whole is None and b"\r\n\r\n" in data:
                    head = data.index(b"\r\n\r\n") + 4
                    whole = head + int(re.search(rb"Content-Length: (\d+)", data[:head])[1])
            times.append(time.perf_counter() - begin)
            # All answers are alike.
            first = first or data[:whole]
            assert data == first * pipeline or len(data) == whole * pipeline
    return times, first


def measure(one, other, target):
    """Returns for each pair the CPU time of a request and the throughput of both; and the latencies of each."""
    rows, latencies = [], {one: [], other: []}
    for number in range(PAIRS + 1):
        row, agent = {}, b"bench/" + b"1" * (number * 8 % 256)
        for nginx in (one, other) if number % 2 else (other, one):
            begin = nginx.cpu()
            times, _ = ask(nginx.port, target, REQUESTS, PIPELINE, agent)
            row[nginx] = ((nginx.cpu() - begin) / REQUESTS, REQUESTS / sum(times))
            latencies[nginx] += ask(nginx.port, target, 20, 1, agent)[0]
        if number:  # The first pair warms both.
            rows.append((row[one], row[other]))
    return rows, latencies[one], latencies[other]


def interval(values):
    """The mean of the middle half of ratios, and half the width of its interval of confidence."""
    logs = sorted(math.log(value) for value in values)
    cut = len(logs) // 4
    middle = logs[cut:-cut]
    winsorized = [middle[0]] * cut + middle + [middle[-1]] * cut
    half = 1.98 * statistics.stdev(winsorized) / (0.5 * math.sqrt(len(logs)))
    return math.exp(statistics.mean(middle)), half


def main():
    module, wanted = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    upstream = Nginx(UPSTREAM, page="x" * 400)
    plain = Nginx(PROXY, upstream=upstream.port, directives="", outer="")
    again = Nginx(PROXY, upstream=upstream.port, directives="", outer="")
    own = {target: Nginx(PROXY, redirect=OWN_LOCATION.format(host=host), upstream=upstream.port, directives="", outer=OWN_TARGET)
           for target, (_, host) in MOVED.items()}
    with_module = {
        "check": Nginx(PROXY, module, upstream=upstream.port, directives="iri_location on;", outer="iri_request check;"),
        "normalize": Nginx(PROXY, module, upstream=upstream.port, directives="iri_location on;",
                           outer="iri_request normalize; iri_repair on;"),
    }
    try:
        # The answers are compared before.
        for moved, (given, host) in MOVED.items():
            _, without = ask(plain.port, moved, 1, 1)
            assert f"Location: http://{given}/é/".encode() in without, without
            for nginx in (own[moved], *with_module.values()):
                _, answer = ask(nginx.port, moved, 1, 1)
                assert f"Location: http://{host}/%C3%A9/".encode() in answer, answer
                assert ask(nginx.port, TARGET, 1, 1)[1][-400:] == ask(plain.port, TARGET, 1, 1)[1][-400:]
        works = [
            ("the same nginx twice", again, TARGET),
            ("check, nothing changes", with_module["check"], TARGET),
            ("normalize, nothing changes", with_module["normalize"], TARGET),
            ("check, Location with raw path", with_module["check"], b"/moved/path/"),
            ("by nginx, the same", own[b"/moved/path/"], b"/moved/path/"),
            ("check, Location with raw host", with_module["check"], b"/moved/host/"),
            ("by nginx, the same", own[b"/moved/host/"], b"/moved/host/"),
            ("normalize, target rewritten", with_module["normalize"], b"/a/./%7e" + TARGET),
            ("by nginx, the same", own[b"/moved/path/"], b"/a/./%7e" + TARGET),
        ]
        print(f"{PAIRS} pairs of {REQUESTS} requests; ratios are with the module to without")
        print(f"{'':30}{'CPU us':>8}{'CPU ratio':>18}{'throughput ratio':>18}{'p99 us':>8}{'without':>8}")
        for name, nginx, target in works:
            if wanted not in name:
                continue
            rows, without, latency = measure(plain, nginx, target)
            cells = [interval([pair[1][field] / pair[0][field] for pair in rows]) for field in range(2)]
            shown = [f"{mean:.3f} +- {half:.3f}" for mean, half in cells]
            cpu = statistics.median(pair[1][0] for pair in rows) / 1000
            tail, tail_without = (sorted(each)[-len(each) // 100] * 1e6 for each in (latency, without))
            print(f"{name:30}{cpu:8.2f}{shown[0]:>18}{shown[1]:>18}{tail:8.0f}{tail_without:8.0f}", flush=True)
    finally:
        for nginx in [upstream, plain, again, *own.values(), *with_module.values()]:
            nginx.stop()


main()
