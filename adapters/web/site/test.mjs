// The site opens from disk: no link is dead, no page asks for what is elsewhere or writes a message, the search finds
// sections, and axe-core finds nothing serious.
//
//     node adapters/web/site/test.mjs FOLDER [PICTURES]

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { browser } from '../tests/browser.mjs';

const [folder, pictures] = process.argv.slice(2);
const address = (page) => pathToFileURL(join(folder, page)).href;

const pages = readdirSync(folder).filter((name) => name.endsWith('.html') && name !== 'playground.html');
const axe = readFileSync(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

const opened = await browser('chromium');
try {
  const page = await opened.newPage();
  const [messages, requests] = [[], []];
  page.on('console', (message) => messages.push(`${page.url()}: ${message.text()}`));
  page.on('pageerror', (error) => messages.push(`${page.url()}: ${error}`));
  page.on('request', (request) => requests.push(request.url()));

  // Each link, and the anchors of each page.
  const [links, anchors] = [new Map(), new Map()];
  for (const name of pages) {
    await page.goto(address(name));
    const found = await page.evaluate(() => ({
      hrefs: [...document.querySelectorAll('a[href], img[src]')].map((link) => link.href || link.src),
      ids: [...document.querySelectorAll('[id]')].map(({ id }) => id),
    }));
    anchors.set(address(name), new Set(found.ids));
    links.set(name, found.hrefs);
  }
  let checked = 0;
  for (const [name, hrefs] of links) {
    for (const href of hrefs.filter((link) => link.startsWith('file:'))) {
      const [file, anchor] = href.split('#');
      readFileSync(new URL(file));
      const known = anchors.get(file);
      if (anchor && known) assert.ok(known.has(decodeURIComponent(anchor)), `${name}: no ${href}`);
      checked += 1;
    }
  }
  assert.ok(checked > 300, `only ${checked} links`);

  // The search, with the keyboard.
  await page.goto(address('index.html'));
  await page.keyboard.press('/');
  await page.keyboard.type('percent-encode value');
  const results = await page.$$eval('#found li a', (rows) => rows.map((row) => row.textContent));
  assert.ok(
    results.some((row) => row.includes('Operations')),
    results.join('; '),
  );
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.waitForFunction((start) => location.href !== start, {}, address('index.html'));
  await page.goto(address('index.html'));
  await page.type('#search', 'xyzzy-nothing');
  assert.equal(await page.$eval('#found h2', (row) => row.textContent), 'Nothing found');

  // What axe-core finds, in each width and each colour.
  if (pictures) mkdirSync(pictures, { recursive: true });
  for (const width of [320, 768, 1280]) {
    await page.setViewport({ width, height: 900 });
    for (const scheme of ['light', 'dark']) {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
      // All pages once, and some in each form.
      const some = ['index.html', 'operations.html', 'performance.html'];
      for (const name of width === 1280 && scheme === 'light' ? pages : some) {
        for (const direction of some.includes(name) ? ['ltr', 'rtl'] : ['ltr']) {
          await page.goto(address(name));
          await page.evaluate((value) => (document.documentElement.dir = value), direction);
          await page.evaluate(axe);
          const violations = await page.evaluate(() =>
            axe.run({ resultTypes: ['violations'], preload: false }).then((found) => found.violations),
          );
          const serious = violations.filter(({ impact }) => ['serious', 'critical'].includes(impact));
          const told = serious.map(
            ({ id, nodes }) =>
              `${id}: ${nodes
                .map(({ html }) => html)
                .slice(0, 3)
                .join(' ')}`,
          );
          assert.deepEqual(told, [], `${name}, ${width} px, ${scheme}, ${direction}`);
          const overflow = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          );
          assert.equal(overflow, 0, `${name} is wider than ${width} px`);
          if (pictures && name !== 'performance.html')
            await page.screenshot({ path: join(pictures, `${name}-${width}-${scheme}-${direction}.png`) });
        }
      }
    }
  }
  assert.deepEqual(messages, []);
  assert.deepEqual(
    requests.filter((url) => !/^(file|data):/.test(url)),
    [],
  );
  console.log(`site: ${pages.length} pages, ${checked} links, ${requests.length} requests, all for files of the site`);
} finally {
  await opened.close();
}
