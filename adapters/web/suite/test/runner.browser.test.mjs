// The command, with Chromium: it notices a link that is lost, and a control that is lost.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import test from 'node:test';

const command = path.join(import.meta.dirname, '../run');
const run = (...args) =>
  spawnSync(command, ['--browser', 'chromium', '--sample', '50', ...args], {
    encoding: 'utf8',
    timeout: 240_000,
  });

test('a sample is as the record says', () => {
  const { status, stdout } = run();
  assert.match(stdout, /differences to the record: 0/);
  assert.match(stdout, /110 confirmed, 0 missing/);
  assert.equal(status, 0);
});

for (const [what, id] of [
  ['a control that is clicked', 'big5.html.a.query.control.raw'],
  ['a control that is loaded', 'utf-8.atom.html-img.query.control.raw'],
]) {
  test(`${what} is missed`, () => {
    const { status, stdout } = run('--lose', id);
    assert.ok(stdout.includes(`LOST ${id}`), stdout);
    assert.match(stdout, /109 confirmed, 1 missing/);
    assert.match(stdout, /differences to the record: [1-9]/);
    assert.equal(status, 1);
  });
}

test('an unknown browser and a record of a sample are refused', () => {
  for (const args of [['--browser', 'lynx'], ['--sample', '0'], ['--record']])
    assert.equal(run(...args).status, 2, args.join(' '));
});
