// The types declare what the modules export, and the examples of the README have the results that they say.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import test from 'node:test';

import { folder } from './package.mjs';

const ENTRIES = {
  'simd-iri': 'index.js',
  'simd-iri/idna': 'idna.js',
  'simd-iri/check': 'check.js',
  'simd-iri/full': 'full.js',
};

/** Runs a function in a new folder in which the package is installed. */
async function installed(run) {
  const place = mkdtempSync(join(tmpdir(), 'simd-iri-'));
  try {
    mkdirSync(join(place, 'node_modules'));
    symlinkSync(fileURLToPath(folder), join(place, 'node_modules/simd-iri'));
    return await run(place);
  } finally {
    rmSync(place, { recursive: true });
  }
}

function compile(place) {
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2024,dom'];
  const compiler = fileURLToPath(new URL('../node_modules/.bin/tsc', import.meta.url));
  execFileSync(compiler, [...options, 'test.mts'], {
    cwd: place,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
}

test('the types declare each export of each entry', () =>
  installed(async (place) => {
    const lines = [];
    for (const [entry, file] of Object.entries(ENTRIES)) {
      const names = Object.keys(await import(new URL(file, folder)));
      const local = `all${lines.length}`;
      // A name too many and a name too few are errors of the compiler.
      lines.push(`import * as ${local} from '${entry}';`);
      lines.push(`export const of_${local}: { [name in keyof typeof ${local}]: true } = {`);
      lines.push(...names.map((name) => `  ${name}: true,`), '};');
    }
    writeFileSync(join(place, 'test.mts'), lines.join('\n'));
    compile(place);
    // The test can fail.
    writeFileSync(join(place, 'test.mts'), lines.join('\n').replace('  isValid: true,\n', ''));
    assert.throws(() => compile(place));
  }));

test('users get the types that they expect', () =>
  installed((place) => {
    writeFileSync(
      join(place, 'test.mts'),
      `
import { Iri, IriError, IriRef, Uri, parseLines } from 'simd-iri';
import { lint, type Finding } from 'simd-iri/check';
import { QueryRules, RuleError, Template, extract, judge, judgeAddress, redact, unwrap, type Verdict } from 'simd-iri/full';

const iri: Iri = Iri.parse('http://a/');
const scheme: string = iri.scheme;
const host: string | null = iri.host;
const uri: Uri = iri.toUri({ idna: true });
const normal: Iri = iri.normalize('scheme');
const key: bigint = iri.fingerprint();
const other: IriRef = new IriRef(new URL('http://a/'));
const findings: Finding[] = lint(iri, 'strict');
const hosts: (string | null)[] = parseLines('a:b').column('host');
try { Iri.parse('a b'); } catch (error) { if (error instanceof IriError) { const start: number | null = error.start; } }
const logged: string = redact(iri, { sets: ['oauth'], part: 'text', nested: 1 });
const verdict: Verdict = judge(iri, { ports: [80], onlyHosts: ['a.example'] });
const range: string | undefined = judgeAddress('10.0.0.1')?.name;
const values = new Map<string, string | string[]>([['a', ['b']]]);
const expanded: string = new Template('{a}').expand(values, { iri: true }) + new Template('{a}').expand({ a: [1, null] });
const found: string | string[] | undefined = Template.parse('{a}').match(iri, { queryAsSet: true })?.a;
extract('', 'plain', { ends: 'tight' });
const rules = new QueryRules('', 'adguard', { keepMark: true });
const link: string = unwrap(iri, 2, rules) + rules.apply(iri);
const skipped: RuleError[] = rules.skipped;
// @ts-expect-error: the format has another name
new QueryRules('', 'json');
// @ts-expect-error: the option has another name
redact(iri, { set: 'oauth' });
// @ts-expect-error: the option has another name
judge(iri, { onlyHost: ['a.example'] });
// @ts-expect-error: the level is a name
iri.normalize(2);
// @ts-expect-error: the component has another name
parseLines('').column('hostname');
`,
    );
    compile(place);
  }));

test('the examples of the README have the results that they say', () =>
  installed(async (place) => {
    const readme = readFileSync(new URL('README.md', folder), 'utf8');
    const examples = [...readme.matchAll(/```js\n([^]*?)```/g)].map(([, code]) => code);
    let checked = 0;
    for (const [i, code] of examples.entries()) {
      // A result stands behind the statement: `isValid('a'); // false`.
      const tested = code.replace(/^( *)(?!const )(.+?); *\/\/ (.*)$/gm, (_, space, expression, result) => {
        checked += 1;
        return `${space}assert.deepEqual(${expression}, ${result});`;
      });
      const file = join(place, `example${i}.mjs`);
      writeFileSync(file, `import assert from 'node:assert/strict';\n${tested}`);
      await import(pathToFileURL(file));
    }
    assert.equal(checked, [...readme.matchAll(/; *\/\/ /g)].length, 'each result is checked');
    assert.ok(checked >= 10);
  }));
