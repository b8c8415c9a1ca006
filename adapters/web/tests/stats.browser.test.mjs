// The page of `iri stats --html` on a narrow screen and on wide screens: no two texts overlap, and axe-core finds nothing
// serious.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import test from 'node:test';

import { browser } from './browser.mjs';
import { folder } from './package.mjs';

const program = process.env.IRI ?? fileURLToPath(new URL('../debug/iri', folder));
const axe = readFileSync(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

/** Pairs of texts that overlap, by the boxes that the browser draws. It runs in the page. */
function overlaps() {
  const texts = [...document.querySelectorAll('td, th, text, dt, dd, h1, h2, p')].filter(
    (each) => each.textContent.trim() !== '' && each.checkVisibility(),
  );
  const boxes = texts.map((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    const box = range.getBoundingClientRect();
    // What a cell cuts off is not drawn.
    const cell = each.getBoundingClientRect();
    const right = getComputedStyle(each).overflow === 'hidden' ? Math.min(box.right, cell.right) : box.right;
    return { text: each.textContent.trim(), left: box.left, right, top: box.top, bottom: box.bottom };
  });
  const shown = boxes.filter(({ left, right, top, bottom }) => right > left && bottom > top);
  const found = [];
  shown.forEach((a, i) => {
    for (const b of shown.slice(i + 1)) {
      const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (width > 0.5 && height > 3) found.push(`${a.text} / ${b.text}`);
    }
  });
  return found;
}

test('nothing overlaps on the page of iri stats', async () => {
  const place = mkdtempSync(join(tmpdir(), 'simd-iri-'));
  const opened = await browser('chromium');
  try {
    const file = join(place, 'page.html');
    const lines = Array.from({ length: 30_000 }, (_, i) => {
      const name =
        i % 7 ? `www.a-rather-long-name-${i % 9}.example.${i % 3 ? 'org' : 'co.uk'}` : 'xn--bcher-kva.example:8080';
      return `https://${name}/${'segment/'.repeat(i % 13)}${i}?identifier=${i}&q=é`;
    });
    const { status, stderr } = spawnSync(program, ['stats', '--html', file], {
      input: lines.join('\n'),
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    const page = await opened.newPage();
    for (const width of [320, 480, 768, 1280]) {
      await page.setViewport({ width, height: 900 });
      await page.goto(pathToFileURL(file).href);
      assert.deepEqual(await page.evaluate(overlaps), [], `${width} px`);
      const least = await page.$$eval('text', (texts) =>
        Math.min(...texts.map((each) => each.getBoundingClientRect().height)),
      );
      assert.ok(least > 9, `${width} px: the labels are ${least} px high`);
      await page.evaluate(axe);
      const serious = await page.evaluate(() =>
        axe
          .run({ preload: false })
          .then(({ violations }) =>
            violations.filter(({ impact }) => ['serious', 'critical'].includes(impact)).map(({ id }) => id),
          ),
      );
      assert.deepEqual(serious, [], `${width} px`);
    }
    await page.setViewport({ width: 320, height: 900 });
    await page.screenshot({ path: process.env.PICTURE ?? join(place, 'page.png'), fullPage: true });
  } finally {
    await opened.close();
    rmSync(place, { recursive: true });
  }
});
