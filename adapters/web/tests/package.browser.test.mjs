// The package in browsers: it loads, and has the answers that it has in Node. A browser that is not installed is named.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'node:test';

import { browser, PROGRAMS, serve } from './browser.mjs';
import { all, folder, root } from './package.mjs';

const texts = readFileSync(new URL('conformance/cases/rfc3987/to-uri.jsonl', root), 'utf8')
  .match(/"[^"\\]*"/g)
  .map((text) => text.slice(1, -1));

/** What a module answers for each text. It runs in Node and in the page. */
function answers(module, list) {
  return list.map((text) => {
    try {
      const reference = module.IriRef.parse(text);
      const { scheme, host, path, query, fragment } = reference;
      return [scheme, host, path, query, fragment, String(reference.toUri()), String(reference.normalize())];
    } catch (error) {
      return [error.message, error.kind, error.start, error.end];
    }
  });
}

for (const [name, program] of Object.entries(PROGRAMS)) {
  test(
    `${name} has the answers of Node`,
    { skip: existsSync(program) ? false : `NOT RUN: no ${program}` },
    async () => {
      const { server, address } = await serve({ npm: fileURLToPath(folder) });
      const opened = await browser(name);
      try {
        const page = await opened.newPage();
        const messages = [];
        page.on('console', (message) => messages.push(message.text()));
        await page.goto(address);
        for (const entry of ['index', 'idna', 'check', 'full']) {
          const found = await page.evaluate(
            `import('/npm/${entry}.js').then((module) => (${answers})(module, ${JSON.stringify(texts)}))`,
          );
          assert.deepEqual(found, answers(all, texts));
        }
        // Only what is imported is loaded, and each module once.
        const loaded = await page.evaluate(
          `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.wasm'))`,
        );
        assert.deepEqual(
          loaded.map((url) => url.split('/').pop()),
          ['core.wasm', 'idna.wasm', 'check.wasm', 'full.wasm'],
        );
        assert.deepEqual(messages, []);
        console.log(`${name} ${await opened.version()}: ${texts.length} texts, 4 entries`);
      } finally {
        await opened.close();
        server.close();
      }
    },
  );
}
