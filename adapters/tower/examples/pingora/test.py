"""Sends requests through the filter for Pingora to a server on loopback, and compares the answers.

Usage: test.py PROGRAM
"""

import signal
import socket
import subprocess
import sys
import threading
import time


def address(port):
    return f"127.0.0.1:{port}"


def read_head(connection):
    """The bytes up to the end of the fields."""
    head = b""
    while b"\r\n\r\n" not in head:
        part = connection.recv(4096)
        if not part:
            break
        head += part
    return head


def serve(listener):
    """Answers each request with the target that came, and with fields in raw UTF-8."""
    while True:
        connection, _ = listener.accept()
        with connection:
            target = read_head(connection).split(b" ")[1]
            fields = "Location: /é\r\nLink: </ü>; rel=next, </a b>\r\nX-Other: é\r\n".encode()
            length = f"Content-Length: {len(target)}\r\nConnection: close\r\n\r\n".encode()
            connection.sendall(b"HTTP/1.1 200 OK\r\n" + fields + length + target)


def get(port, target):
    """Status, fields and body of the answer to a request with this target."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        request = b"GET " + target + b" HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        connection.sendall(request)
        answer = b""
        while part := connection.recv(4096):
            answer += part
    head, body = answer.split(b"\r\n\r\n", 1)
    status, *fields = head.split(b"\r\n")
    return int(status.split(b" ")[1]), fields, body


def expect(found, wanted):
    if found != wanted:
        raise SystemExit(f"found  {found!r}\nwanted {wanted!r}")


def main(program):
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=serve, args=(listener,), daemon=True).start()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    upstream = listener.getsockname()[1]
    proxy = subprocess.Popen([program, address(port), address(upstream)])
    try:
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                time.sleep(0.1)
        for target, normal in [
            (b"/a/../%7eb%2f?%41", b"/~b%2F?A"),
            (b"/a/..//b", b"/.//b"),
            (b"//a/b", b"//a/b"),
        ]:
            status, fields, body = get(port, target)
            expect((status, body), (200, normal))
            lower = [field.lower() for field in fields]
            for field in [b"location: /%c3%a9", b"link: </%c3%bc>; rel=next, </a b>", "x-other: é".encode()]:
                expect([field in lower, field], [True, field])
        status, _, body = get(port, b"/a|b")
        reason = b"'|' at byte 2 is not allowed in a path; write %7C"
        expect((status, body), (400, b"The request target is not valid: " + reason + b"\n"))
        expect(get(port, "/é".encode())[0], 400)
        expect(get(port, b"/caf\xe9")[0], 400)
        print("The filter for Pingora answers as it should.")
    finally:
        # At once; SIGTERM would let requests end first, for minutes.
        proxy.send_signal(signal.SIGINT)
        proxy.wait(timeout=20)


main(sys.argv[1])
