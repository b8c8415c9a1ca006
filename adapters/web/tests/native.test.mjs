// The package has the same answers as the program, for the project's own cases, and for the cases and references of others
// where they are present. The program is $IRI, or that of a build with `cargo build`.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'node:test';

import { all, folder, root } from './package.mjs';

const program = process.env.IRI ?? fileURLToPath(new URL('../debug/iri', folder));

/** The texts of all lines of files: lines of text, and every string in lines of JSON. */
function texts() {
  const found = new Set();
  const strings = (value) => {
    if (typeof value === 'string') found.add(value);
    else if (value && typeof value === 'object') Object.values(value).forEach(strings);
  };
  const folders = ['conformance/cases/', 'tests/data/', '../shared/cases/', '../shared/corpus/'];
  for (const each of folders.map((name) => new URL(name, root)).filter((one) => existsSync(one))) {
    for (const name of readdirSync(each, { recursive: true }).filter((file) => /\.(jsonl|txt|csv)$/.test(file))) {
      for (const line of readFileSync(new URL(name, each), 'utf8').split('\n')) {
        if (name.endsWith('.jsonl')) strings(line === '' ? null : JSON.parse(line));
        else found.add(line);
      }
    }
  }
  // The program reads a text a line. A string of JSON may also have half of a surrogate pair, which UTF-8 does not have.
  return [...found].filter((text) => !/[\r\n]/.test(text) && text.isWellFormed() && text !== '');
}

/** What the program writes for each text: a line, or the object of a line of JSON. */
function answers(list, ...command) {
  const { stdout, stderr, error } = spawnSync(program, command, {
    input: list.join('\n') + '\n',
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  if (error) throw error;
  const lines = stdout.split('\n').slice(0, -1);
  assert.equal(lines.length, list.length, `${command.join(' ')}: ${stderr.slice(0, 500)}`);
  return lines.map((line) => JSON.parse(line));
}

const list = texts();

/** Calls a function, and returns its answer, or the kind, the component and the message of its error. */
function attempt(run) {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof all.IriError)) throw error;
    return `${error.kind} in ${error.component}: ${error.message}`;
  }
}

/** The same for an answer of the program, whose messages name bytes. */
function failed({ kind, component, message, start }, text) {
  const index = Buffer.from(text).subarray(0, start).toString().length;
  return `${kind} in ${component}: ${message.replace(`byte ${start}`, `index ${index}`)}`;
}

/** Compares an answer for each text. */
function compare(command, ofProgram, ofPackage) {
  const rows = answers(list, ...command.split(' '), '--json');
  list.forEach((text, i) => {
    const wanted = rows[i].error ? failed(rows[i].error, text) : ofProgram(rows[i]);
    assert.deepEqual(
      attempt(() => ofPackage(text)),
      wanted,
      `${command}: ${JSON.stringify(text)}`,
    );
  });
}

const COMPONENTS = ['scheme', 'authority', 'userinfo', 'host', 'path', 'query', 'fragment'];
const components = (of) => Object.fromEntries(COMPONENTS.map((name) => [name, of[name]]));

const output = (row) => row.output;

const operations = {
  parse: [components, (text) => components(all.IriRef.parse(text))],
  'to-uri': [output, (text) => all.toUri(text)],
  'to-uri --host idna': [output, (text) => all.toUri(text, { idna: true })],
  'to-iri': [output, (text) => all.toIri(text)],
  normalize: [output, (text) => all.normalize(text)],
  'normalize --level scheme-idna': [output, (text) => all.normalize(text, 'scheme-idna')],
  'resolve --base http://b.example/c/d?e': [output, (text) => all.resolve('http://b.example/c/d?e', text)],
  display: [output, (text) => all.display(text, 'iri-reference')],
  prepare: [output, (text) => all.prepare(text).text],
  'display --policy chromium': [
    ({ output, rule }) => [output, rule],
    (text) => [
      all.display(text, 'iri-reference', { policy: 'chromium' }),
      all.displayRule(text, 'chromium', 'iri-reference'),
    ],
  ],
  'archive-key --profile heritrix': [output, (text) => all.archiveKey(text, 'heritrix')],
  'judge --strip-userinfo': [
    ({ decision, reasons, url_to_send }) => [decision, reasons.map(({ name }) => name), url_to_send],
    (text) => {
      const { decision, reasons, urlToSend } = all.judge(text, { stripUserinfo: true });
      return [decision, reasons.map(({ name }) => name), urlToSend];
    },
  ],
  lint: [
    (row) => row.findings.map(({ code, severity, component }) => [code, severity, component]),
    (text) => all.lint(text).map(({ code, severity, component }) => [code, severity, component]),
  ],
};

for (const [command, [ofProgram, ofPackage]] of Object.entries(operations)) {
  test(`the package has the answers of iri ${command}`, () => {
    assert.ok(list.length > 5_000, `${list.length} texts`);
    compare(command, ofProgram, ofPackage);
    console.log(`iri ${command}: the same for ${list.length} texts`);
  });
}

// With --json, the program would print the secrets, and refuses.
test('the package has the answers of iri redact', () => {
  for (const [part, sets] of [
    ['reference', 'otel'],
    ['target', 'otel,oauth'],
    ['text', 'oauth,common'],
  ]) {
    const command = ['redact', '--set', sets, '--part', part];
    const { stdout } = spawnSync(program, command, {
      input: list.join('\n') + '\n',
      encoding: 'utf8',
      maxBuffer: 1 << 30,
    });
    const lines = stdout.split('\n').slice(0, -1);
    assert.equal(lines.length, list.length);
    list.forEach((text, i) =>
      assert.equal(all.redact(text, { sets: sets.split(','), part }), lines[i], `${command}: ${text}`),
    );
    console.log(`iri ${command.join(' ')}: the same for ${list.length} texts`);
  }
});
