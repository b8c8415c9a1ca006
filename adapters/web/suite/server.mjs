// A server on loopback that writes down the bytes of each request.
//
// It reads the request itself, byte by byte as latin1, because a library may change or refuse a target. It answers a
// link with 204, so that a page stays where it is, and the documents of the suite with their bytes.

import net from 'node:net';

const LONGEST_HEAD = 65536;

/** A server. `find` returns the document of a path, or undefined; it gets the port, too. */
export class Server {
  #seen = new Map();
  #waiting = new Map();
  #sockets = new Set();
  #find;
  #lost;
  #net = net.createServer((socket) => this.#serve(socket));

  /** The server forgets the requests of `lost`, so that a test can lose a link. */
  constructor(find, lost) {
    this.#find = find;
    this.#lost = lost;
  }

  /** Starts on a free port of 127.0.0.1. */
  async start() {
    await new Promise((resolve, reject) => this.#net.once('error', reject).listen(0, '127.0.0.1', resolve));
    this.port = this.#net.address().port;
  }

  stop() {
    for (const socket of this.#sockets) socket.destroy();
    this.#net.close();
  }

  /** Returns the requests of a link: method, target and host, each once. */
  requests(id) {
    return [...(this.#seen.get(id)?.values() ?? [])];
  }

  /** Whether a request of a link comes within a time, in milliseconds. */
  seen(id, time) {
    if (this.#seen.has(id)) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        resolve(false);
      }, time);
      this.#waiting.set(id, () => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }

  #serve(socket) {
    this.#sockets.add(socket);
    socket
      .on('close', () => this.#sockets.delete(socket))
      .on('error', () => socket.destroy())
      .setNoDelay(true);
    let rest = Buffer.alloc(0);
    socket.on('data', (data) => {
      rest = Buffer.concat([rest, data]);
      for (;;) {
        const end = rest.indexOf('\r\n\r\n');
        if (end < 0) return rest.length > LONGEST_HEAD && socket.destroy();
        const head = rest.toString('latin1', 0, end);
        const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
        if (rest.length < end + 4 + length) return length > LONGEST_HEAD && socket.destroy();
        rest = rest.subarray(end + 4 + length);
        socket.write(this.#answer(head));
      }
    });
  }

  #answer(head) {
    const [, method, target] = /^(\S+) (.*) HTTP\/1/.exec(head) ?? [null, '', ''];
    const host = /^host: *(.*)$/im.exec(head)?.[1].trimEnd() ?? '';
    const [, id] = /^\/l\/([\w.-]+)/.exec(target) ?? [];
    if (id) {
      this.#note(id, { method, target, host });
      return answer('204 No Content');
    }
    if (target === '/none') return answer('204 No Content');
    const found = this.#find(target, this.port);
    return found ? answer('200 OK', found) : answer('404 Not Found');
  }

  #note(id, request) {
    if (id === this.#lost) return;
    const all = this.#seen.get(id) ?? new Map();
    this.#seen.set(id, all.set(`${request.method} ${request.target} ${request.host}`, request));
    this.#waiting.get(id)?.();
    this.#waiting.delete(id);
  }
}

function answer(status, { type, body } = {}) {
  const fields = ['Access-Control-Allow-Origin: *', 'Cache-Control: no-store'];
  if (type) fields.push(`Content-Type: ${type}`);
  if (!status.startsWith('204')) fields.push(`Content-Length: ${body?.length ?? 0}`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${fields.join('\r\n')}\r\n\r\n`), body ?? Buffer.alloc(0)]);
}
