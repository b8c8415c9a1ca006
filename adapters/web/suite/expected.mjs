// What the program makes of each link: `iri prepare`, `iri to-uri`, and `iri to-uri --links` for the links of pages.
//
// The program is the implementation of RFC 3987 that the table compares with browsers; parts.mjs has rules of its own.

import { spawnSync } from 'node:child_process';
import path from 'node:path';

import { encode } from './charsets.mjs';
import { reference } from './links.mjs';
import { document, ownDocument, pagesOf } from './pages.mjs';
import { partOf, REFUSED } from './parts.mjs';

/** The program. */
export const program = process.env.IRI ?? path.join(import.meta.dirname, '../../../target/release/iri');
const PORT = 9;

/**
 * Returns the answers of the program for each link, by its identifier: `prepare`, `toUri`, and `toUriPage` with the
 * query in the charset of the page. `isExtracted` is whether `iri to-uri --links` finds the link in its page, and then
 * `toUriPage` is what it prints.
 */
export function answers(links) {
  const found = new Map(links.map(({ id }) => [id, {}]));
  for (const group of groups(links)) {
    const [{ charset }] = group;
    const prepared = prepare(group);
    // A reference that cannot be repaired is one that means nothing, so that the lines stay the lines of the links.
    const toUri = (...more) =>
      run(['to-uri', '--host', 'idna', '--json', ...more], lines(prepared.map((one) => one ?? 'x:')));
    const uris = toUri();
    const inPages = toUri('--query-charset', charset, '--unmappable', 'reference');
    group.forEach((link, at) => {
      const part = (href) => (href === undefined || prepared[at] === null ? REFUSED : partOf(link, { href }));
      Object.assign(found.get(link.id), {
        prepare: prepared[at] === null ? REFUSED : partOf(link, { href: prepared[at] }),
        toUri: part(uris[at].output),
        toUriPage: part(inPages[at].output),
      });
    });
  }
  const byId = new Map(links.map((link) => [link.id, link]));
  for (const { output } of run(
    ['to-uri', '--from', 'warc', '--links', '--host', 'idna', '--query-charset', 'page', '--json'],
    archive(links),
  )) {
    const link = byId.get(/\/l\/([\w.-]+)/.exec(output ?? '')?.[1]);
    if (link && link.vehicle.text !== 'field') {
      Object.assign(found.get(link.id), { toUriPage: partOf(link, { href: output }), isExtracted: true });
    }
  }
  return found;
}

/** Returns the version of the program. */
export const version = () => spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.trim();

/** Links of one charset and one syntax, which are read in one run. The data of a form is no reference. */
function groups(links) {
  const groups = new Map();
  for (const link of links) {
    if (link.vehicle.text === 'field') continue;
    const key = `${link.charset} ${context(link)}`;
    groups.set(key, [...(groups.get(key) ?? []), link]);
  }
  return groups.values();
}

/** The syntax whose character references the program decodes. */
const context = ({ format }) => (format === 'html' ? 'html' : 'xml');

/**
 * The text of a link as the program reads it. A style sheet and a script have escapes of their own, so its characters
 * are written instead, and those that the charset lacks as numbers.
 */
function source({ vehicle, written, text, charset }) {
  if (!['css', 'script'].includes(vehicle.text)) return written;
  return [...text].map((one) => (encode(one, charset) ? one : `&#${one.codePointAt(0)};`)).join('');
}

/** Returns the reference of each link as `iri prepare` repairs it; null for one that it cannot repair. */
function prepare(group) {
  const [{ charset }] = group;
  const written = group.map((link) => {
    const text = reference(link, source(link), PORT);
    return text.startsWith('/') ? `http://page.test${text}` : text;
  });
  const answers = run(
    ['prepare', '--context', context(group[0]), '--charset', charset, '--json'],
    encode(lines(written), charset),
  );
  return answers.map(({ output }) => output ?? null);
}

const lines = (texts) => texts.map((text) => `${text}\n`).join('');

/** Runs the program, and returns the object of each line that it prints. */
function run(args, input) {
  const { stdout, stderr, status, error } = spawnSync(program, args, { input, maxBuffer: 1 << 28 });
  if (error) throw error;
  if (status > 1) throw new Error(`iri ${args.join(' ')}: ${stderr}`);
  return stdout
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

/** Returns a web archive with the documents of the suite. */
function archive(links) {
  const documents = pagesOf(links).map((page) => [page.name, document(page, PORT)]);
  for (const link of links) {
    if (link.vehicle.how === 'frame') documents.push([link.id, ownDocument(link, PORT)]);
  }
  return Buffer.concat(
    documents.flatMap(([name, { type, body }]) => {
      const http = Buffer.concat([
        Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`),
        body,
      ]);
      const head = [
        'WARC/1.0',
        'WARC-Type: response',
        `WARC-Target-URI: http://page.test/${name}`,
        `WARC-Record-ID: <urn:x:${name}>`,
        'WARC-Date: 2026-01-01T00:00:00Z',
        'Content-Type: application/http; msgtype=response',
        `Content-Length: ${http.length}`,
      ];
      return [Buffer.from(`${head.join('\r\n')}\r\n\r\n`), http, Buffer.from('\r\n\r\n')];
    }),
  );
}
