// Works with the built page as a reader does: by clicks and keys, from disk. What the reader then sees is compared with
// values that were written by hand. Any request, any message of the console, and any serious finding of axe fails the test.
//
//     node test.mjs PAGE [PICTURES]

import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { browser } from '../tests/browser.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const file = resolve(process.argv[2] ?? join(here, '../../../target/playground/index.html'));
const pictures = resolve(process.argv[3] ?? join(here, '../../../target/screenshots'));
const address = pathToFileURL(file).href;

/** The most milliseconds from opening the page to the first answer. */
const BAR = 500;

await mkdir(pictures, { recursive: true });
const axe = await readFile(join(here, '../node_modules/axe-core/axe.min.js'), 'utf8');
const chromium = await browser();
/** Console messages, errors and requests. Each is a failure. */
const noise = [];

async function open(fragment = '') {
  const page = await chromium.newPage();
  await page.setViewport({ width: 1280, height: 900 });
  page.on('console', (message) => noise.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => noise.push(`error: ${error.message}`));
  page.on('request', (request) => request.url().split('#')[0] === address || noise.push(`request: ${request.url()}`));
  page.on('dialog', (dialog) => noise.push(`dialog: ${dialog.message()}`) && dialog.dismiss());
  await page.goto(address + fragment);
  await page.waitForFunction(() => performance.getEntriesByName('all').length > 0);
  return page;
}

let page = await open();

/** Types a text as by pasting it, and waits until it is shown. */
async function paste(text, values = {}) {
  await page.evaluate(
    (text, values) => {
      for (const name of ['reads', 'base', 'other']) document.getElementById(name).value = values[name] ?? '';
      document.getElementById('rule').value = values.rule ?? 'iri-reference';
      document.getElementById('text').value = text;
      performance.clearMarks();
      document.getElementById('text').dispatchEvent(new Event('input', { bubbles: true }));
    },
    text,
    values,
  );
  await page.waitForFunction(() => performance.getEntriesByName('all').length > 0, { timeout: 15000 });
}

const seen = (selector) => page.$eval(selector, (element) => element.innerText);
const all = (selector) => page.$$eval(selector, (elements) => elements.map((element) => element.innerText));
const value = () => page.$eval('#text', (field) => field.value);
const isShown = (id) => page.$eval(`#${id}`, (section) => !section.hidden);
const status = () => seen('#status');
/** Waits until the page says that it has copied: a browser copies when it is ready. */
const isCopied = () => page.waitForFunction(() => document.getElementById('status').textContent === 'Copied.');

/** The texts of the cells of a table, row by row. */
const cells = (selector) =>
  page.$$eval(`${selector} tbody tr`, (rows) => rows.map((row) => [...row.cells].map((cell) => cell.innerText)));

/** The row of the comparison with `URL`: ours, theirs, and why. */
const urlRow = (name) =>
  page.$eval(`#url [data-row=${name}]`, (row) => ({
    differs: row.classList.contains('differs'),
    cells: [...row.cells].slice(1).map((cell) => cell.innerText),
  }));

const tests = {
  async 'components have colours, places, and light up together'() {
    await paste('http://me@例え.jp:80/a?b#');
    assert.deepEqual(await cells('#parts'), [
      ['scheme', 'http', '0–4'],
      ['userinfo', 'me', '7–9'],
      ['host', '例え.jp', '10–15'],
      ['port', '80', '16–18'],
      ['path', '/a', '18–20'],
      ['query', 'b', '21–22'],
      ['fragment', 'empty', '23–23'],
    ]);
    assert.equal(await seen('#parts .picture'), 'http://me@例え.jp:80/a?b#');
    await page.hover('#parts .part.host');
    assert.deepEqual(await all('#parts tr.lit th'), ['host']);
    await page.focus('#parts tr[data-part=path]');
    assert.deepEqual(await all('#parts .part.lit'), ['/a']);
    const colours = await page.$$eval('#parts .part', (parts) => parts.map((part) => getComputedStyle(part).color));
    assert.equal(new Set(colours).size, 7);
  },

  async 'an empty port and an absent authority stay what they are'() {
    await paste('a://h:/');
    assert.deepEqual((await cells('#parts'))[2], ['port', 'empty', '6–6']);
    await paste('urn:b');
    assert.deepEqual(await cells('#parts'), [
      ['scheme', 'urn', '0–3'],
      ['path', 'b', '4–5'],
    ]);
    await paste('//[::1]?');
    assert.deepEqual(await cells('#parts'), [
      ['host', '[::1]', '2–7'],
      ['path', 'empty', '7–7'],
      ['query', 'empty', '8–8'],
    ]);
  },

  async 'an error has its place and its reason, and a button applies the correction'() {
    await paste('http://a/b|c');
    assert.equal(await status(), '1 error.');
    assert.equal(await isShown('parts'), false);
    assert.equal(await seen('#errors mark'), '|');
    assert.match(await seen('#errors'), /'\|' at index 10 is not allowed in a path; write %7C/);
    assert.match(await seen('#errors'), /the vertical bar, .* are allowed nowhere/);
    await page.click('#errors .plain');
    assert.deepEqual(await page.$eval('#text', (field) => [field.selectionStart, field.selectionEnd]), [10, 11]);
    await page.click('#errors .apply');
    assert.equal(await value(), 'http://a/b%7Cc');
    assert.equal(await status(), 'Valid: matches the kind iri-reference.');
    // A correction can be undone.
    await page.keyboard.down('Control');
    await page.keyboard.press('z');
    await page.keyboard.up('Control');
    assert.equal(await value(), 'http://a/b|c');
    assert.equal(await status(), '1 error.');
  },

  async 'all corrections apply at once, and the repairs of browsers are offered'() {
    await paste('http://a/b c|d%');
    assert.equal(await status(), '3 errors.');
    await page.$$eval('#errors button', (buttons) =>
      buttons.find((button) => button.innerText === 'Apply all corrections').click(),
    );
    assert.equal(await value(), 'http://a/b%20c%7Cd%25');
    await paste('http:\\\\a\\b');
    await page.click('#errors .repair');
    assert.equal(await value(), 'http://a/b');
  },

  async 'the kind decides what is an error'() {
    await paste('/a', { rule: 'iri' });
    assert.match(await seen('#errors'), /missing-scheme/);
    await page.select('#rule', 'irelative-ref');
    assert.equal(await status(), 'Valid: matches the kind irelative-ref.');
    await paste('http://é/', { rule: 'uri' });
    assert.match(await seen('#errors'), /non-ascii|not-ascii/);
  },

  async 'the forms are those of the RFCs'() {
    await paste('http://bücher.example/é', { base: 'http://x/' });
    const forms = await page.$$eval('#forms dd', (values) => values.map((value) => value.innerText));
    assert.equal(forms[0], 'http://bücher.example/é');
    assert.equal(forms[1], 'http://b%C3%BCcher.example/%C3%A9');
    assert.equal(forms[2], 'http://xn--bcher-kva.example/%C3%A9');
    await paste('http://u:secret@xn--bcher-kva.example/%C3%A9');
    assert.match(await seen('#forms'), /http:\/\/u:\*\*\*@xn--bcher-kva\.example/);
    assert.match(await seen('#forms'), /IRI\s+Copy\s+http:\/\/u:secret@bücher\.example\/é/);
  },

  async 'a relative address resolves against the base'() {
    await paste('../g?y#s', { base: 'http://a/b/c/d;p?q' });
    assert.match(await seen('#forms'), /Resolved against the base\s+Copy\s+http:\/\/a\/b\/g\?y#s/);
    assert.deepEqual((await urlRow('whole')).cells.slice(0, 2), ['http://a/b/g?y#s', 'http://a/b/g?y#s']);
    await paste('../g', { base: 'b' });
    assert.match(await status(), /^The base is refused/);
  },

  async 'each step of normalization changes what it says'() {
    await paste('HTTP://Example.org:80/%7Ea/./b');
    const steps = await page.$$eval('#steps li', (items) =>
      items.map((item) => [item.className, item.querySelector('bdi')?.innerText ?? null]),
    );
    assert.deepEqual(steps, [
      ['changed', 'http://example.org:80/%7Ea/./b'],
      ['changed', 'http://example.org:80/~a/./b'],
      ['changed', 'http://example.org:80/~a/b'],
      ['changed', 'http://example.org/~a/b'],
      ['soft', null],
      ['soft', null],
    ]);
    await paste('http://example.org/~a');
    assert.match(await seen('#steps'), /The address is in normal form\./);
  },

  async 'a finding says what it means, and a click fixes it'() {
    await paste('http://example.org/a/../b');
    assert.match(await seen('#findings'), /warning\s+preferred\.dot-segments/);
    await page.click('#findings summary');
    assert.match(await seen('#findings details'), /RFC 3986/);
    await page.click('#findings .fix');
    assert.equal(await value(), 'http://example.org/b');
    assert.equal(await seen('#findings .body'), 'No findings by this profile.');
    await paste('http://example.org:80/a/../b');
    await page.click('#findings .fix-all');
    assert.equal(await value(), 'http://example.org/b');
    await paste('http://example.org/a/../b');
    await page.select('#profile', 'json-schema');
    assert.equal(await seen('#findings .body'), 'No findings by this profile.');
    await page.select('#profile', 'strict');
  },

  async 'the strips have the order of the text and the order of display'() {
    await paste('a:אב/c');
    const strips = await page.$$eval('#directions ol', (strips) =>
      strips.map((strip) => [...strip.children].map((item) => `${item.innerText} ${item.className}`)),
    );
    assert.deepEqual(strips, [
      ['a ltr', ': weak', 'א rtl', 'ב rtl', '/ weak', 'c ltr'],
      ['a ltr', ': weak', 'ב rtl', 'א rtl', '/ weak', 'c ltr'],
    ]);
    // The cells lie from left to right, also on a page from right to left.
    const lefts = await page.$$eval('#directions ol:last-of-type li', (items) =>
      items.map((item) => item.getBoundingClientRect().left),
    );
    assert.deepEqual(
      lefts,
      lefts.toSorted((a, b) => a - b),
    );
    await paste('http://a/é');
    assert.match(await seen('#directions'), /All characters run from left to right/);
  },

  async 'each character has its code point, name, script and direction'() {
    await paste('aא😀ب\u202E');
    assert.deepEqual(await cells('#characters'), [
      ['0', 'a', 'U+0061', 'LATIN SMALL LETTER A', 'Latin', 'L, strong'],
      ['1', 'א', 'U+05D0', 'HEBREW LETTER ALEF', 'Hebrew', 'R, strong'],
      ['2', '😀', 'U+1F600', 'GRINNING FACE', 'Common', 'ON'],
      ['4', 'ب', 'U+0628', 'ARABIC LETTER BEH', 'Arabic', 'AL, strong'],
      ['5', 'U+202E', 'U+202E', 'RIGHT-TO-LEFT OVERRIDE', 'Common', 'RLO'],
    ]);
    await paste('語한\u{e000}\ufdd0\0');
    assert.deepEqual(
      (await cells('#characters')).map((row) => row[3]),
      [
        'CJK UNIFIED IDEOGRAPH-8A9E',
        'HANGUL SYLLABLE HAN',
        '<private-use-E000>',
        '<noncharacter-FDD0>',
        '<control-0000>',
      ],
    );
    // A pair lies on the border of the pieces in which the rows are made.
    await paste(`${'a'.repeat(63)}😀b`);
    assert.equal((await cells('#characters')).length, 64);
    await page.click('#characters .rest button');
    assert.deepEqual(
      (await cells('#characters')).slice(-2).map((row) => row[2]),
      ['U+1F600', 'U+0062'],
    );
  },

  async 'two addresses stand on the ladder'() {
    const rungs = () => all('#ladder li strong + span');
    await paste('HTTP://Example.org:80/%7Ea', { other: 'http://example.org/~a' });
    assert.deepEqual(await rungs(), ['different', 'different', 'equal', 'equal']);
    await paste('http://bücher.example/', { other: 'http://xn--bcher-kva.example/' });
    assert.deepEqual(await rungs(), ['different', 'different', 'different', 'equal']);
    await page.type('#other', '|');
    assert.match(await seen('#ladder .bad'), /not allowed/);
  },

  async 'the rows of URL that differ are marked and explained'() {
    const cases = [
      ['HTTP://a/', 'scheme', ['HTTP', 'http'], /lower case/],
      ['http://A/', 'host', ['A', 'a'], /lower case/],
      ['http://a:80/', 'port', ['80', 'empty'], /default port/],
      ['http://0x7f.1/', 'host', ['0x7f.1', '127.0.0.1'], /IPv4/],
      ['http://bücher.example/', 'host', ['bücher.example', 'xn--bcher-kva.example'], /UTS #46/],
      ['http://[1:0::2]/', 'host', ['[1:0::2]', '[1::2]'], /compresses/],
      ['http://a', 'path', ['empty', '/'], /empty path/],
      ['http://a/b/../c', 'path', ['/b/../c', '/c'], /dot segments/],
      ['http://a/é', 'path', ['/é', '/%C3%A9'], /percent-encode set/],
      ['http://a/?é', 'query', ['é', '%C3%A9'], /percent-encode set/],
      ['http://a/#é', 'fragment', ['é', '%C3%A9'], /percent-encode set/],
      ["http://a/?'", 'query', ["'", '%27'], /percent-encode set/],
      ['http:a/b', 'host', ['absent', 'a'], /special scheme/],
      ['http://a%2Dc/', 'host', ['a%2Dc', 'a-c'], /decodes triplets/],
      ['http://u:@a/', 'userinfo', ['u:', 'u'], /empty password/],
      ['http://u;@a/', 'userinfo', ['u;', 'u%3B'], /userinfo percent-encode set/],
    ];
    for (const [text, name, sides, why] of cases) {
      await paste(text);
      const row = await urlRow(name);
      assert.equal(row.differs, true, text);
      assert.deepEqual(row.cells.slice(0, 2), sides, text);
      assert.match(row.cells[2], why, text);
      assert.match(row.cells[2], /URL Standard, section|RFC/, text);
    }
    await paste('http://a/b?c#d');
    assert.equal(await page.$$eval('#url .differs', (rows) => rows.length), 0);
  },

  async 'a verdict that differs is explained'() {
    const cases = [
      ['a', ['valid', 'refused'], /needs a scheme or a base/],
      ['http://a:99999/', ['valid', 'refused'], /16 bits/],
      ['http:///', ['valid', 'refused'], /needs a host/],
      ['http://[x/', ['refused', 'refused'], /^$/],
      ['http://[v1.a]/', ['valid', 'refused'], /later versions/],
      ['http://a%00/', ['valid', 'refused'], /refuses the host/],
      [' http://a/', ['refused', 'accepted'], /strips controls and spaces/],
      ['http://a/\tb', ['refused', 'accepted'], /removes tabs/],
      ['http:\\\\a', ['refused', 'accepted'], /backslash/],
    ];
    for (const [text, [own, other], why] of cases) {
      await paste(text);
      const { cells } = await urlRow('verdict');
      assert.deepEqual([cells[0].split(':')[0], cells[1]], [own, other], text);
      assert.match(cells[2], why, text);
    }
    // After the repairs, the components are compared.
    await paste('http:\\\\A\\b');
    assert.deepEqual((await urlRow('path')).cells.slice(0, 2), ['/b', '/b']);
  },

  async 'a list has counts, and sorts up, down and back'() {
    await paste('http://b/1\nhttp://a/2\nbad|\nhttp://b/3\n');
    assert.equal(await status(), '3 of 4 lines match the kind iri-reference.');
    assert.deepEqual(await all('#list dd'), ['4', '3', '1', '2']);
    const numbers = async () => (await cells('#list')).map((row) => row[0]).join('');
    assert.equal(await numbers(), '1234');
    await page.click('#list [data-sort=host]');
    assert.equal(await numbers(), '3214');
    await page.click('#list [data-sort=host]');
    assert.equal(await numbers(), '1423');
    assert.equal(await page.$eval('#list th[aria-sort=descending]', (head) => head.innerText.split(' ')[0]), 'host');
    await page.click('#list [data-sort=host]');
    assert.equal(await numbers(), '1234');
    await page.select('#show', 'invalid');
    assert.match((await cells('#list'))[0][2], /'\|' at index 3 is not allowed/);
    assert.equal((await cells('#list')).length, 1);
    await page.select('#show', '');
    await page.click('#list [aria-label="Open line 2"]');
    assert.equal(await value(), 'http://a/2');
    assert.equal(await isShown('parts'), true);
  },

  async 'a text has its addresses'() {
    await paste('See http://a.example/é, or\nwww.b.example.com.', { reads: 'links' });
    const rows = await cells('#links');
    assert.deepEqual(
      rows.map((row) => [row[0], row[2]]),
      [
        ['4–22', 'http://a.example/é'],
        ['27–44', 'www.b.example.com'],
      ],
    );
    await page.click('#links td:first-child button');
    assert.deepEqual(await page.$eval('#text', (field) => [field.selectionStart, field.selectionEnd]), [4, 22]);
    await page.click('#links td:last-child button');
    assert.equal(await value(), 'http://a.example/é');
  },

  async 'the address is copied as a line of code'() {
    await paste('http://a/"\\\'\u202E😀');
    assert.equal(await seen('#as-rust'), 'let iri = simd_iri::IriRef::parse("http://a/\\"\\\\\'\\u{202e}😀")?;');
    assert.equal(await seen('#as-python'), 'iri = simd_iri.IriRef("http://a/\\"\\\\\'\\u202e😀")');
    assert.equal(await seen('#as-command'), "iri parse -i $'http://a/\"\\\\\\'\\xe2\\x80\\xae😀'");
    await paste("a'b");
    assert.equal(await seen('#as-command'), "iri parse -i 'a'\\''b'");
    // What is copied is pasted.
    await page.click('#code button[aria-label="Copy as Python"]');
    await isCopied();
    await page.focus('#base');
    await page.keyboard.down('Control');
    await page.keyboard.press('v');
    await page.keyboard.up('Control');
    assert.equal(await page.$eval('#base', (field) => field.value), 'iri = simd_iri.IriRef("a\'b")');
    await page.$eval('#base', (field) => (field.value = ''));
    await page.evaluate(() => {
      globalThis.copied = [];
      Object.defineProperty(navigator, 'clipboard', {
        configurable: true,
        value: { writeText: async (text) => globalThis.copied.push(text) },
      });
    });
    await page.click('#code button[aria-label="Copy as Rust"]');
    assert.deepEqual(await page.evaluate(() => globalThis.copied), ['let iri = simd_iri::IriRef::parse("a\'b")?;']);
    await isCopied();
  },

  async 'each example is what it says'() {
    const options = await page.$$eval('#example option', (options) =>
      options
        .filter((option) => option.value !== '')
        .map((option) => [option.parentElement.label, option.innerText, option.value]),
    );
    const sizes = new Map();
    for (const [group] of options) sizes.set(group, (sizes.get(group) ?? 0) + 1);
    assert.deepEqual([...sizes.keys()], ['Addresses', 'Scripts', 'Attacks', 'Errors', 'Findings']);
    assert.ok(sizes.get('Errors') >= 12 && sizes.get('Findings') >= 40, [...sizes].join());
    for (const [group, name, option] of options) {
      await page.select('#example', option);
      if (group === 'Errors') assert.match(await seen('#errors'), new RegExp(`${name}, in the`), name);
      if (group === 'Findings') assert.ok((await all('#findings code')).includes(name), name);
      if (group === 'Scripts') assert.equal(await isShown('parts'), true, name);
      if (group === 'Scripts' && /Arabic|Hebrew/.test(name))
        assert.equal(await page.$$eval('#directions ol', (strips) => strips.length), 2);
    }
  },

  async 'a link has what is typed, without passwords, and opens again'() {
    await page.evaluate(() =>
      Object.defineProperty(navigator, 'clipboard', {
        configurable: true,
        value: { writeText: async (text) => (globalThis.copied = [text]) },
      }),
    );
    await paste('http://me:s3cret@a/é?b=1&c#d+e', { other: 'http://me:s3cret@b/', base: 'ftp://me:s3cret@c/' });
    await page.click('#link');
    const [link] = await page.evaluate(() => globalThis.copied);
    assert.equal(link, await page.evaluate(() => location.href));
    assert.ok(!decodeURIComponent(link).includes('s3cret'), link);
    assert.ok(link.includes('#text=http%3A%2F%2Fme%3A***%40a%2F%C3%A9%3Fb%3D1%26c%23d%2Be&base='), link);
    const old = page;
    page = await open(link.slice(link.indexOf('#')));
    assert.equal(await value(), 'http://me:***@a/é?b=1&c#d+e');
    assert.equal(await page.$eval('#other', (field) => field.value), 'http://me:***@b/');
    await page.close();
    page = old;
    for (const list of ['http://u:s3cret@a/\nhttp://b/\nhttp://u:s3cret@c/', 'http://u:s3\ncret@a/']) {
      await paste(list);
      await page.click('#link');
      const link = decodeURIComponent(await page.evaluate(() => location.href));
      assert.ok(!/s3|cret/.test(link), link);
    }
    await paste('a'.repeat(10000));
    await page.click('#link');
    assert.equal(await status(), 'The text is too long for a link.');
  },

  async 'a hostile link does nothing'() {
    const old = page;
    const hostile = encodeURIComponent('<img src=x onerror=alert(1)><script>alert(2)</script>');
    for (const fragment of [
      `#text=${hostile}&base=${hostile}&other=${hostile}&rule=${hostile}&reads=${hostile}`,
      '#text=%E9%80%&%',
      '#text=%00%ED%A0%80',
      '#__proto__=1&text=a',
    ]) {
      page = await open(fragment);
      assert.equal(await page.$$eval('img, script', (elements) => elements.length), 3, fragment);
      assert.notEqual(await status(), '');
      await page.close();
    }
    page = old;
  },

  async 'hostile texts are shown, and no character hides'() {
    await paste('<img src=x onerror=alert(1)><svg/onload=alert(2)>');
    assert.equal(await page.$$eval('img, svg', (elements) => elements.length), 0);
    await paste('http://a/\u202Egnp.exe');
    assert.equal(await seen('#parts .part.path'), '/U+202Egnp.exe');
    await paste('a\0b\ud800c');
    assert.match(await seen('#errors'), /U\+0000/);
    await page.click('#link');
    await paste('');
    assert.equal(await status(), 'The empty text is a reference to its base.');
  },

  async 'long texts and long lists are shown in time'() {
    const lines = Array.from({ length: 100000 }, (_, i) => `http://host${i % 1000}.example/${i}`).join('\n');
    const texts = {
      'an address of 1 MB': `http://a/${'é'.repeat(1 << 19)}`,
      // More would take the browser minutes for the layout of the field.
      '30,000 changes of direction': `http://a/${'ש1-'.repeat(15000)}`,
      '1 MB of spaces': ' '.repeat(1 << 20),
      '1 MB of text': 'See http://a.example/b and more. '.repeat(32768),
      '1 MB of dots': `http://a${'/..'.repeat(349000)}`,
      '100,000 lines': lines,
    };
    for (const [name, text] of Object.entries(texts)) {
      // Most of the time goes into the layout of the field, which is the browser's own.
      await page.evaluate((text) => {
        const field = document.getElementById('text');
        for (const name of ['reads', 'base', 'other']) document.getElementById(name).value = '';
        field.value = text;
        field.getBoundingClientRect();
      }, text);
      const time = await page.evaluate(async () => {
        performance.clearMarks();
        const start = performance.now();
        document.getElementById('text').dispatchEvent(new Event('input', { bubbles: true }));
        while (performance.getEntriesByName('all').length === 0) await new Promise((done) => setTimeout(done, 10));
        return performance.now() - start;
      });
      console.log(`      ${name}: ${time.toFixed(0)} ms`);
      assert.ok(time < 5000, `${name}: ${time} ms`);
    }
    assert.deepEqual(await all('#list dd'), ['100,000', '100,000', '0', '1,000']);
    await page.click('#list [data-sort=path]');
    await page.click('#list .rest button');
    assert.equal((await cells('#list')).length, 200);
  },

  async 'the keyboard reaches everything'() {
    await paste('http://example.org/a/../b|c');
    await page.focus('#text');
    const reached = [];
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press('Tab');
      reached.push(await page.evaluate(() => document.activeElement.id || document.activeElement.className));
    }
    for (const name of ['example', 'reads', 'rule', 'base', 'link', 'apply', 'copy'])
      assert.ok(reached.includes(name), `${name} in ${reached}`);
    await page.focus('#errors .apply');
    await page.keyboard.press('Enter');
    assert.equal(await value(), 'http://example.org/a/../b%7Cc');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'text');
  },

  async 'the page turns to right to left'() {
    await paste('http://a/b');
    await page.click('#turn');
    assert.equal(await page.evaluate(() => document.documentElement.dir), 'rtl');
    // An address still runs from left to right.
    const [scheme, path] = await page.$$eval('#parts .part', (parts) =>
      [parts.at(0), parts.at(-1)].map((part) => part.getBoundingClientRect().left),
    );
    assert.ok(scheme < path);
    await page.click('#turn');
  },

  async 'the policy of the page forbids all but its own script and style'() {
    const policy = await page.$eval('meta[http-equiv]', (meta) => meta.content);
    assert.match(
      policy,
      /^default-src 'none'; script-src 'sha256-[^']+' 'wasm-unsafe-eval'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'$/,
    );
  },

  async 'axe finds nothing serious in any width, colour and direction'() {
    const inputs = {
      address: 'http://user:pw@bücher.example:80/שלום/a/../b?c#d',
      error: 'http://a/b c|d',
      list: 'http://b/1\nhttp://a/2\nbad|\nhttp://b/3',
      links: 'See http://a.example/é, or\nwww.b.example.com.',
    };
    for (const [name, text] of Object.entries(inputs)) {
      await paste(text, { other: 'http://a/', reads: name === 'links' ? 'links' : '' });
      for (const width of [320, 768, 1280]) {
        await page.setViewport({ width, height: 900 });
        for (const colour of ['light', 'dark']) {
          await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: colour }]);
          for (const direction of ['ltr', 'rtl']) {
            const where = `${name}-${width}-${colour}-${direction}`;
            await page.evaluate((direction) => (document.documentElement.dir = direction), direction);
            // The policy does not let the page load axe: the test runs it.
            await page.evaluate(axe);
            const { violations } = await page.evaluate(() => globalThis.axe.run());
            const serious = violations.map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes[0].html}`);
            assert.deepEqual(serious, [], where);
            const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
            assert.ok(widths[0] <= widths[1], `${where}: ${widths}`);
            if (direction === 'ltr' || width === 768)
              await page.screenshot({
                path: join(pictures, `${where}.png`),
                fullPage: true,
                captureBeyondViewport: false,
              });
          }
        }
      }
    }
    await page.evaluate(() => (document.documentElement.dir = 'ltr'));
  },
};

const only = process.env.ONLY;
let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  if (only && !name.includes(only)) continue;
  try {
    await test();
    assert.deepEqual(noise.splice(0), []);
    console.log(`ok    ${name}`);
  } catch (error) {
    failed += 1;
    noise.length = 0;
    console.log(`FAIL  ${name}\n      ${error.message.replaceAll('\n', '\n      ')}`);
  }
}
await page.close().catch(() => {});

// On a machine that does other work, the least of few times is too long.
const times = [];
while (times.length < 5 || (Math.min(...times) > BAR && times.length < 20)) {
  page = await open();
  times.push(await page.evaluate(() => performance.getEntriesByName('first')[0].startTime));
  await page.close();
}
times.sort((a, b) => a - b);
assert.ok(times[0] <= BAR, `the first parse is after ${times[0]} ms`);
console.log(
  `first parse after opening from disk: least ${times[0].toFixed(0)} ms, median ${times[times.length >> 1].toFixed(0)} ms of ${times.length}`,
);
await chromium.close();
process.exitCode = failed > 0 ? 1 : 0;
