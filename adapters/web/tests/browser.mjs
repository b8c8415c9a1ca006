// A browser with a page of the package, which a server on loopback gives out.

import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import puppeteer from 'puppeteer-core';

const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
};

/** Serves the files of directories by the first part of their paths: `{ package: '…' }`. Returns the server and its address. */
export async function serve(directories) {
  const server = createServer(async (request, response) => {
    const [, name, ...rest] = new URL(request.url, 'http://localhost').pathname.split('/');
    try {
      if (name === '') {
        response.setHeader('content-type', 'text/html');
        response.end('<!doctype html><title>simd-iri</title><link rel="icon" href="data:,">');
        return;
      }
      const file = join(directories[name], normalize('/' + rest.join('/')));
      response.setHeader('content-type', TYPES[extname(file)] ?? 'text/plain');
      response.end(await readFile(file));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { server, address: `http://127.0.0.1:${server.address().port}` };
}

/** The browsers: those that the environment names, or where Debian has them. */
export const PROGRAMS = {
  chromium: process.env.CHROMIUM ?? '/usr/bin/chromium',
  firefox: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
};

/** Starts a browser. */
export function browser(name = 'chromium') {
  const settings = { chromium: { args: ['--no-sandbox'] }, firefox: { browser: 'firefox' } };
  return puppeteer.launch({ headless: true, executablePath: PROGRAMS[name], ...settings[name] });
}
