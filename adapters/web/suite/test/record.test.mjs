// The record: it has every link, every row is explained, and the page is made from it.

import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';

import { words } from '../judge.mjs';
import { links } from '../links.mjs';
import { notes } from '../notes.mjs';
import { inCharset, sameBytes } from '../parts.mjs';
import { idOf, readRecord } from '../record.mjs';
import { report, reportPath } from '../report.mjs';

const { rows, made } = await readRecord();
const all = links();

test('the record has the links of the generator', () => {
  assert.deepEqual([...rows.keys()].sort(), all.map(({ id }) => id).sort());
  assert.equal(made.links, all.length);
});

test('each link is confirmed or has a reason', () => {
  const reasons = ['!refused', '!not-followed'];
  for (const link of all) {
    const row = rows.get(link.id);
    for (const name of ['chromium', 'firefox']) {
      assert.ok(row[name] !== '-' && row[name] !== '', link.id);
      if (row[name].startsWith('!')) assert.ok(reasons.includes(row[name]), `${link.id}: ${row[name]}`);
      if (link.sample === 'control') assert.equal(row[name], 'abc', link.id);
      if (row[name] === '!refused') assert.equal(link.part, 'host', link.id);
      assert.equal(row[name] === '!not-followed', link.vehicle.how === 'never', link.id);
    }
  }
});

test('each row has a verdict that says why', () => {
  for (const [id, { verdict }] of rows) {
    for (const word of verdict.split(' ')) {
      assert.ok(word in words, `${id}: ${word}`);
      assert.ok(!['otherwise', 'program-differs'].includes(word), `${id}: ${word}`);
    }
  }
});

test('where browsers and the program differ from RFC 3987, by hand', () => {
  const row = (id) => rows.get(id);
  const document = row('shift_jis.html.a.query.has.raw');
  assert.equal(document.chromium, '%83\\%95\\');
  assert.equal(document.rfc3987, '%E3%82%BD%E8%A1%A8');
  assert.equal(document.verdict, 'document-charset');
  assert.equal(row('windows-1258.html.a.path.composes.raw').verdict, 'not-normalized');
  assert.equal(row('windows-1252.html.a.query.lacks.dec').firefox, '%26%235792%3B%26%23128512%3B');
  assert.equal(row('iso-8859-1.html.a.query.has.raw').chromium, '%E9%80');
  assert.equal(row('big5.html.meta-refresh.query.has.raw').firefox, '%E5%8A%9F%E8%A8%B1');
  assert.equal(row('utf-8.html.a.host.host-eszett.raw').chromium, 'xn--fa-hia');
});

// What notes.mjs says of queries in charsets that are no form of Unicode: D for the charset, U for UTF-8; first
// Chromium, then Firefox.
const ways = {
  'style-element': 'DU',
  'sheet-url': 'DU',
  'style-attribute': 'UU',
  'sheet-import': 'UU',
  'pi-stylesheet': 'DD',
  'pi-xslt': 'DU',
  'meta-refresh': 'DU',
  'script-href': 'DU',
  'script-fetch': 'UU',
  'script-xhr': 'DD',
  'script-beacon': 'DD',
  'script-worker': 'DD',
  'script-image': 'DD',
  'script-location': 'DD',
  a: 'DD',
};

test('the notes for editors hold in every charset', () => {
  let count = 0;
  for (const link of all) {
    const { charset, vehicle, part, sample, form } = link;
    if (!(vehicle.name in ways) || charset.startsWith('utf-') || part !== 'query' || sample !== 'has' || form !== 'raw')
      continue;
    count++;
    const row = rows.get(link.id);
    const expected = { D: inCharset(link, charset), U: inCharset(link, 'utf-8') };
    assert.ok(sameBytes(row.chromium, expected[ways[vehicle.name][0]]), `${link.id}: ${row.chromium}`);
    assert.ok(sameBytes(row.firefox, expected[ways[vehicle.name][1]]), `${link.id}: ${row.firefox}`);
  }
  assert.ok(count >= 19 * Object.keys(ways).length, `${count} links`);
  const bar = rows.get('utf-8.html.a.path.ascii-bar.raw');
  assert.deepEqual([bar.chromium, bar.firefox], ['a%7Cb', 'a|b']);
  const fake = rows.get('utf-8.html.a.host.host-fake.raw');
  assert.deepEqual([fake.chromium, fake.firefox, fake.to_uri], ['xn--a', '!refused', '!refused']);
});

test('each note shows rows', () => {
  for (const { view } of notes) {
    const wanted = [...new URLSearchParams(view)];
    const found = [...rows.values()].filter((row) =>
      wanted.every(([name, value]) =>
        name === 'text' ? idOf(row).includes(value) : row[name].split(' ').includes(value),
      ),
    );
    assert.ok(found.length > 0, view);
  }
});

test('the page is the page of the record, and both are small', async () => {
  assert.equal(await readFile(reportPath, 'utf8'), await report(rows, made));
  const sizes = await Promise.all(
    ['links.tsv', 'index.html'].map((name) => stat(path.join(path.dirname(reportPath), name))),
  );
  assert.ok(sizes[0].size + sizes[1].size < 1.5e6);
});

test('the page asks for nothing', async () => {
  const page = await readFile(reportPath, 'utf8');
  assert.doesNotMatch(page, /<(?:link|img|iframe|script src)/);
  assert.match(page, /default-src 'none'/);
});
