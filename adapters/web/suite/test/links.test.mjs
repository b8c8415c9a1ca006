// The generator: how many links there are, that each is there once, and that a page has what its links say.

import assert from 'node:assert/strict';
import test from 'node:test';

import { charsets } from '../charsets.mjs';
import { isSent, links, reference } from '../links.mjs';
import { document, pagesOf } from '../pages.mjs';
import { byGuidelines, byRfc, partOf } from '../parts.mjs';
import { vehicles } from '../vehicles.mjs';

const all = links();
const has = (wanted) =>
  all.some((link) =>
    Object.entries(wanted).every(([name, value]) => (name === 'vehicle' ? link.vehicle.name : link[name]) === value),
  );

test('there are at least 3,000 links, and each identifier is there once', () => {
  assert.ok(all.length >= 3000, `${all.length} links`);
  assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
  for (const { id } of all) assert.match(id, /^[\w-]+(\.[\w-]+){5}$/);
});

test('each charset has each vehicle with a query, and in HTML with each of its parts', () => {
  for (const charset of charsets) {
    for (const [format, list] of Object.entries(vehicles)) {
      for (const vehicle of list) {
        const parts = [...vehicle.parts, ...(vehicle.reads ?? [])].filter(
          (part) => format === 'html' || part === 'query',
        );
        for (const part of parts) {
          const wanted = { charset, format, vehicle: vehicle.name, part, sample: 'has', form: 'raw' };
          assert.ok(has(wanted), JSON.stringify(wanted));
        }
      }
    }
  }
});

test('each charset has each form and each sample, in each part of an address', () => {
  for (const charset of charsets) {
    const isLegacy = !charset.startsWith('utf-');
    for (const part of ['path', 'query', 'fragment', 'host', 'user']) {
      for (const form of ['raw', 'hex', 'named', 'pct'])
        assert.ok(has({ charset, part, form, vehicle: 'a' }), `${charset} ${part} ${form}`);
      const missing = isLegacy && charset !== 'gb18030' ? 'lacks' : 'astral';
      for (const sample of ['has', missing, 'composes', 'named'])
        assert.ok(has({ charset, part, sample, vehicle: 'a' }), `${charset} ${part} ${sample}`);
    }
    for (const part of ['path', 'query', 'fragment']) {
      for (const form of isLegacy ? ['dec', 'pctc'] : ['dec'])
        assert.ok(has({ charset, part, form, vehicle: 'a' }), `${charset} ${part} ${form}`);
    }
  }
});

test('the vehicles of the index of URLs are there', () => {
  const names = new Set(vehicles.html.map(({ name }) => name));
  for (const name of [
    'a',
    'area',
    'img-src',
    'img-srcset',
    'picture-source',
    'source-src',
    'track-src',
    'video-poster',
    'object-data',
    'embed-src',
    'iframe-src',
    'script-src',
    'link-stylesheet',
    'form',
    'form-utf-8',
    'form-windows-1252',
    'a-ping',
    'body-background',
    'meta-refresh',
    'base',
    'style-attribute',
    'style-element',
    'style-import',
  ])
    assert.ok(names.has(name), name);
});

test('each page begins with a control, and is in its charset', () => {
  const pages = pagesOf(all);
  assert.equal(pages.length, charsets.length * Object.keys(vehicles).length);
  for (const page of pages) {
    assert.equal(page.links[0].sample, 'control', page.name);
    const { type, body } = document(page, 80);
    assert.ok(type.endsWith(`charset=${page.charset}`));
    const text = new TextDecoder(page.charset, { fatal: true }).decode(body);
    for (const link of page.links) {
      const isOwn = ['frame', 'sheet'].includes(link.vehicle.how);
      assert.ok(text.includes(isOwn ? `/own/${link.id}` : link.id), link.id);
      // Node 20 cannot read the euro sign of windows-1252.
      if (!isOwn && !/€/.test(link.written)) assert.ok(text.includes(reference(link, link.written, 80)), link.id);
    }
  }
});

test('a part is found in a reference and in a request', () => {
  const link = (part, name = 'a') =>
    all.find((one) => one.part === part && one.vehicle.name === name && one.charset === 'utf-8');
  for (const [part, href] of [
    ['path', (id) => `http://x.test/l/${id}/%C3%A9`],
    ['query', (id) => `http://x.test/l/${id}?%C3%A9`],
    ['fragment', (id) => `http://x.test/l/${id}#%C3%A9`],
    ['user', (id) => `http://%C3%A9@user.test:8/l/${id}`],
    ['host', (id) => `http://%C3%A9.test:8/l/${id}`],
  ])
    assert.equal(partOf(link(part), { href: href(link(part).id) }), '%C3%A9', part);
  const form = link('query', 'form');
  assert.equal(partOf(form, { target: `/l/${form.id}?q=a+b`, host: 'x.test' }), 'a+b');
  assert.equal(partOf(link('query'), { target: '/elsewhere', host: 'x.test' }), 'x.test/elsewhere');
  assert.equal(partOf(link('query'), { href: 'no address' }), '!refused');
  assert.ok(!isSent(link('fragment')) && !isSent(link('user')) && isSent(link('host')));
});

test('the two rules, by hand', () => {
  const row = (id) => all.find((one) => one.id === id);
  for (const [id, rfc, guidelines] of [
    ['shift_jis.html.a.query.has.raw', '%E3%82%BD%E8%A1%A8', '%83%5C%95%5C'],
    ['shift_jis.html.a.path.has.raw', '%E3%82%BD%E8%A1%A8', '%E3%82%BD%E8%A1%A8'],
    // Step 1b: what is converted is in NFC, and the angstrom sign becomes a letter.
    ['euc-jp.html.a.path.composes.raw', '%C3%85', '%E2%84%AB'],
    ['windows-1258.html.a.query.composes.raw', '%E1%BA%A5', '%E2%EC'],
    ['utf-16le.html.a.query.composes.raw', 'e%CC%81', 'e%CC%81'],
    ['windows-1251.html.a.query.lacks.hex', '%E1%9A%A0%F0%9F%98%80', null],
    ['utf-8.html.a.path.ascii-bar.raw', 'a%7Cb', 'a%7Cb'],
    ['utf-8.html.a.path.ascii-zz.raw', '!refused', '!refused'],
    ['utf-8.html.form.query.has.raw', null, null],
  ]) {
    assert.equal(byRfc(row(id)), rfc, id);
    assert.equal(byGuidelines(row(id)), guidelines, id);
  }
});
