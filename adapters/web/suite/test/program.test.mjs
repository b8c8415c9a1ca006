// The program on the same pages: `iri extract` finds the links of HTML with the characters that they have, in every
// charset. The expected text is that of the sample.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test from 'node:test';

import { program } from '../expected.mjs';
import { isSent, links } from '../links.mjs';
import { document, pagesOf } from '../pages.mjs';
import { partOf } from '../parts.mjs';

// Where iri reads references in HTML.
const isRead = ({ vehicle, sample }) =>
  (vehicle.text === 'attribute' || vehicle.text === 'css-attribute') &&
  vehicle.how !== 'frame' &&
  !sample.startsWith('ascii');

for (const page of pagesOf(links()).filter(({ format }) => format === 'html')) {
  test(`iri extract finds the links of ${page.name}`, () => {
    const { body } = document(page, 80);
    const { stdout, stderr, status } = spawnSync(
      program,
      ['extract', '--context', 'html', '--charset', page.charset, '--reference', '--base', 'http://page.test/'],
      { input: body, encoding: 'utf8' },
    );
    assert.equal(status, 0, stderr);
    const found = new Map(stdout.split('\n').map((line) => [/\/l\/([\w.-]+)/.exec(line)?.[1], line]));
    const expected = page.links.filter(isRead);
    assert.ok(expected.filter(isSent).length > 60);
    for (const link of expected) {
      const href = found.get(link.id);
      assert.ok(href, `${link.id} is not found`);
      assert.equal(partOf(link, { href }).normalize('NFC'), link.text.normalize('NFC'), link.id);
    }
  });
}
