// The modules are not larger than was promised, and as large as the README of the package says.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { gzipSync } from 'node:zlib';

import { folder } from './package.mjs';

const kilobytes = (name) => gzipSync(readFileSync(new URL(name, folder)), { level: 9 }).length / 1024;

/** The most KB of a module, after gzip. */
const MOST = { 'core.scalar.wasm': 60, 'core.wasm': 90, 'idna.scalar.wasm': 200, 'idna.wasm': 200 };

test('the modules are not larger than was promised', () => {
  for (const [name, most] of Object.entries(MOST)) {
    const size = kilobytes(name);
    console.log(`${name}: ${size.toFixed(1)} KB after gzip, at most ${most}`);
    assert.ok(size <= most, name);
  }
});

test('the README says the sizes', () => {
  const readme = readFileSync(new URL('README.md', folder), 'utf8');
  for (const [entry, name] of [
    ['simd-iri', 'core'],
    ['simd-iri/idna', 'idna'],
    ['simd-iri/check', 'check'],
    ['simd-iri/full', 'full'],
  ]) {
    const [, cell] = readme.match(new RegExp(`^\\| \`${entry}\` \\|.*\\| ([^|]*) KB \\|$`, 'm'));
    const files = [`${name}.wasm`, `${name}.scalar.wasm`].filter((file) => existsSync(new URL(file, folder)));
    const said = cell.split('; ').map(Number);
    assert.equal(said.length, files.length);
    // Another version of the compiler makes a module a little larger or smaller.
    files.forEach((file, i) =>
      assert.ok(Math.abs(kilobytes(file) / said[i] - 1) < 0.05, `${file}: ${kilobytes(file)} KB, not ${said[i]}`),
    );
  }
});
