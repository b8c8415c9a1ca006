// Prints the times of the package beside those of `URL`, in Node and in each browser that is installed.
//
//     node speed.mjs [--release]    with --release, fails if a ratio is below what was promised
//
// The lines are those of ../../shared/corpus if they are present, and lines of the project's own tests otherwise.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { browser, PROGRAMS, serve } from './tests/browser.mjs';
import { folder, root } from './tests/package.mjs';
import { speed } from './tests/speed.mjs';

const LINES = 4000;

/** The least ratio of `URL` to ours, of what is parsed, read and counted; the second number is for `multilingual_iri`. */
const LEAST = {
  Node: { parse: [2.3, 2.3], 'one string to a count': [2.5, 2.5] },
  chromium: { parse: [3.5, 2.5], 'host and path': [3, 1.5], 'one string to a count': [4, 4] },
  firefox: { parse: [8, 8] },
};

/** Texts by their names. */
function texts() {
  const names = ['web_ascii', 'multilingual_iri', 'mixed'];
  const corpus = new URL('../shared/corpus/', root);
  if (!existsSync(corpus)) {
    const lines = readFileSync(new URL('tests/data/links.jsonl', root), 'utf8').match(/https?:\/\/[^"\\ ]+/g);
    return { own: Array.from({ length: LINES }, (_, i) => lines[i % lines.length]).join('\n') };
  }
  const first = (name) =>
    readFileSync(new URL(`${name}.txt`, corpus), 'utf8')
      .split('\n')
      .slice(0, LINES)
      .join('\n');
  return Object.fromEntries(names.map((name) => [name, first(name)]));
}

let isSlow = false;

function print(engine, name, { lines, rows }) {
  for (const { name: work, ours, url, ratio } of rows) {
    const least = LEAST[engine][work]?.[name === 'multilingual_iri' ? 1 : 0];
    const isBelow = least !== undefined && ratio < least;
    isSlow ||= isBelow;
    const times = `${ours.toFixed(0)} ns a line, URL ${url.toFixed(0)} ns, ratio ${ratio.toFixed(2)}`;
    console.log(
      `${engine}, ${name} (${lines} lines), ${work}: ${times}${least ? `, at least ${least}` : ''}${isBelow ? ': MISSED' : ''}`,
    );
  }
}

const sources = texts();
const core = await import(new URL('index.js', folder));
for (const [name, text] of Object.entries(sources)) print('Node', name, speed(core, text));

const { server, address } = await serve({
  npm: fileURLToPath(folder),
  tests: fileURLToPath(new URL('tests', import.meta.url)),
});
for (const [engine, program] of Object.entries(PROGRAMS)) {
  if (!existsSync(program)) {
    console.log(`NOT RUN: ${engine}, because there is no ${program}`);
    continue;
  }
  const opened = await browser(engine);
  try {
    const page = await opened.newPage();
    await page.goto(address);
    for (const [name, text] of Object.entries(sources)) {
      const measured = await page.evaluate(
        (source) =>
          Promise.all([import('/npm/index.js'), import('/tests/speed.mjs')]).then(([module, { speed }]) =>
            speed(module, source),
          ),
        text,
      );
      print(engine, name, measured);
    }
  } finally {
    await opened.close();
  }
}
server.close();

if (isSlow && process.argv.includes('--release')) process.exit(1);
