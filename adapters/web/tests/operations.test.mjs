// Every name that docs/operations.md has for JavaScript is called with the cases of tests/data/operations.jsonl.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { all, root } from './package.mjs';

/** The operations of the tables, and the cell of each for JavaScript. */
function rows() {
  const cells = [];
  let columns = null;
  for (const line of readFileSync(new URL('docs/operations.md', root), 'utf8').split('\n')) {
    if (!line.startsWith('| ')) columns = null;
    else {
      const row = line.slice(2, -2).split(' | ');
      if (row[0] === 'operation') columns = row;
      else if (columns?.includes('JavaScript') && row[0] !== '---') {
        cells.push([row[0].replace(' ¹', ''), row[columns.indexOf('JavaScript')]]);
      }
    }
  }
  return cells;
}

const cases = readFileSync(new URL('tests/data/operations.jsonl', root), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

const COMPONENTS = ['scheme', 'authority', 'userinfo', 'host', 'port', 'path', 'query', 'fragment'];

const asText = (value) => (value === null ? null : String(value));

/** What a name answers for a case, in the form of the cases. */
const calls = {
  IriError: ({ input }) => {
    try {
      all.Iri.parse(input);
    } catch ({ kind, start, end, component }) {
      return { kind, start, end, component };
    }
    return null;
  },
  Iri: ({ input }) => {
    const iri = all.Iri.parse(input);
    return Object.fromEntries(COMPONENTS.map((name) => [name, asText(iri[name])]));
  },
  toUri: ({ input }) => all.toUri(input),
  toIri: ({ input }) => all.toIri(input),
  'Iri.isEquivalent': ({ input, other, level }) => all.Iri.parse(input).isEquivalent(other, level),
  'Iri.with': ({ input, value }) => all.Iri.parse(input).with({ path: value }).toString(),
  violations: ({ input }) => all.violations(input).map(({ start }) => start),
  fingerprint: ({ input, level }) => String(all.fingerprint(input, level)),
  build: ({ input }) => all.build({ scheme: 'http', host: 'a', path: input }),
  resolve: ({ input, base }) => all.resolve(base, input),
  relativize: ({ input, base }) => all.relativize(base, input),
  queryValue: ({ input, name }) => all.queryValue(input, name),
  dropQueryPairs: ({ input, name }) => all.dropQueryPairs(input, [name]),
  prepare: ({ input, profile }) => all.prepare(input, profile).text,
  lint: ({ input, profile }) => all.lint(input, profile).map(({ code }) => code),
  extract: ({ input, markup }) => all.extract(input, markup).map(({ reference }) => reference),
  displayRule: ({ input, policy }) => all.displayRule(input, policy),
  judge: ({ input }) => all.judge(input).urlToSend,
  'Template.match': ({ input }) => {
    const found = all.Template.parse('/users/{id}{?q}').match(input);
    return found === null ? null : JSON.stringify(found);
  },
  'Template.expand': ({ input }) => all.Template.parse('/users/{id}{?q}').expand(JSON.parse(input)),
  'QueryRules.apply': ({ input, rules }) => new all.QueryRules(rules).apply(input),
  judgeAddress: ({ input }) => all.judgeAddress(input) === null,
  judgeRedirect: ({ input, base }) => all.judgeRedirect(input, base).urlToSend,
  embed: ({ input, direction }) => all.embed(input, { ltr: 'left-to-right', rtl: 'right-to-left' }[direction]),
};
for (const name of COMPONENTS) calls[`Iri.${name}`] = ({ input }) => asText(all.Iri.parse(input)[name]);

function called(cell, one) {
  if (calls[cell]) return calls[cell](one);
  if (cell.includes('(')) {
    // The cell is the call that a user writes.
    const made = new Function(...Object.keys(all), 'text', `return ${cell}`)(...Object.values(all), one.input);
    return Array.isArray(made) ? made.map(({ reference }) => reference) : made;
  }
  return all[cell](one.input, one.level ?? one.profile ?? one.format ?? one.rule);
}

test('each name of the page has the answers of the other languages', () => {
  let [names, count] = [0, 0];
  for (const [operation, cell] of rows()) {
    if (!cell.startsWith('`')) continue;
    names += 1;
    for (const one of cases.filter((each) => each.operation === operation)) {
      const wanted = one.differs && 'JavaScript' in one.differs ? one.differs.JavaScript : one.answer;
      let found = null;
      try {
        found = called(cell.slice(1, -1), one);
      } catch (error) {
        if (error instanceof TypeError) throw error;
      }
      assert.deepEqual(found, wanted, `${cell}: ${JSON.stringify(one)}`);
      count += 1;
    }
  }
  assert.ok(names > 45, `only ${names} names`);
  console.log(`JavaScript: ${names} names of docs/operations.md in ${count} calls`);
});

test('the page has each function of the package', () => {
  const named = new Set(rows().map(([, cell]) => cell.replaceAll('`', '').split('(')[0]));
  // Lines, explanations, and the parts of what is on the page, are not on the page.
  const others = ['IriRef', 'UriRef', 'Uri', 'countLines', 'parseLines', 'explain'];
  others.push('Template', 'QueryRules', 'RuleError');
  assert.deepEqual(
    Object.keys(all).filter((name) => !named.has(name) && !others.includes(name)),
    [],
  );
});
