// Redaction, verdicts, keys of archives, templates, policies of browsers and ends of links have the answers of the cases of
// tests/data, which the library has too.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { all, root } from './package.mjs';

const { IriError, Template } = all;

/** The cases of a file of tests/data. */
function cases(file) {
  const lines = readFileSync(new URL(`tests/data/${file}.jsonl`, root), 'utf8')
    .trim()
    .split('\n');
  console.log(`${lines.length} cases of ${file}.jsonl`);
  return lines.map((line) => JSON.parse(line));
}

const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());

test('each text is redacted as its case says, and again the same', () => {
  for (const { input, options, redacted, why } of cases('redaction')) {
    const given = {};
    for (const [name, value] of Object.entries(options)) {
      if (name === 'set') given.sets = value === 'none' ? [] : [value];
      else given[camel(name)] = value;
    }
    assert.equal(all.redact(input, given), redacted, `${input}: ${why}`);
    assert.equal(all.redact(redacted, given), redacted, `${input}: ${why}`);
  }
});

test('the options of a redaction', () => {
  assert.equal(
    all.redact('?a&b=1&c%3D=2&sig=3', { keys: ['a&b', 'b', 'c='] }),
    '?a&b=REDACTED&c%3D=REDACTED&sig=REDACTED',
  );
  assert.equal(all.redact('?sig=1', { sets: undefined, keys: null }), '?sig=REDACTED');
  assert.equal(all.redact('?sig=1&code=2', { sets: 'oauth' }), '?sig=1&code=REDACTED');
  assert.equal(all.redact('/a;jsessionid=x', { sets: [], sessionIds: true }), '/a;jsessionid=REDACTED');
  for (const options of [
    { set: 'oauth' },
    { raw: 'yes' },
    { raw: [true, true] },
    { nested: -1 },
    { nested: 256 },
    'oauth',
  ]) {
    assert.throws(() => all.redact('a', options), TypeError, JSON.stringify(options));
  }
  assert.throws(() => all.redact('a', { replacement: 'é&' }), { name: 'IriError', start: 1, end: 2 });
  assert.equal(all.redact('//u:\uD800@h/é?sig=\uDC00'), '//REDACTED:REDACTED@h/é?sig=REDACTED');
});

test('each URL has the verdict of its case', () => {
  for (const { judged, verdict, reasons, host_by_rfc, host_by_whatwg, why } of cases('judge')) {
    const found = all.judge(judged);
    assert.deepEqual(
      [found.decision, found.reasons.map(({ name }) => name), found.hostByRfc, found.hostByWhatwg],
      [verdict, reasons, host_by_rfc, host_by_whatwg],
      `${judged}: ${why}`,
    );
    assert.equal(found.urlToSend === null, verdict === 'refuse', judged);
    for (const { start, end } of found.reasons) {
      if (start !== null) assert.ok(0 <= start && start <= end && end <= judged.length, judged);
    }
    if (found.urlToSend !== null) assert.equal(all.judge(found.urlToSend).urlToSend, found.urlToSend);
    if (found.address !== null && ['http', 'https'].includes(found.scheme)) {
      const range = all.judgeAddress(found.address);
      assert.deepEqual(range, found.reasons.find(({ kind }) => kind === 'address')?.range ?? null, judged);
    }
  }
});

test('a policy, a place in units, and a redirect', () => {
  const [reason] = all.judge('http://é@😀.example:22/', { ports: [22] }).reasons;
  assert.deepEqual([reason.name, reason.start, reason.end, reason.range], ['userinfo', 7, 9, null]);
  assert.equal(all.judge('http://u@a.example:22/', { ports: [22, 80], stripUserinfo: true }).decision, 'resolve');
  assert.equal(all.judge('http://a.example/', { onlyHosts: ['b.example'] }).reasons[0].kind, 'not-listed');
  assert.equal(
    all.judge('http://x.a.example/', { onlyHosts: ['b.example'], onlyDomains: ['a.example'] }).decision,
    'resolve',
  );
  assert.equal(all.judge('http://10.1.2.3/', { permitRanges: ['10.0.0.0/8'] }).decision, 'allow');
  assert.equal(all.judge('http://a.example/', { ports: [] }).reasons[0].kind, 'port');
  // A list of the only hosts that is empty would allow every host.
  for (const policy of [
    { onlyHosts: [] },
    { onlyDomains: [] },
    { onlyHost: ['a'] },
    { ports: [65536] },
    { ports: ['x'] },
  ]) {
    assert.throws(() => all.judge('http://a.example/', policy), TypeError, JSON.stringify(policy));
  }
  for (const policy of [{ permitRanges: ['10.0.0.0/33'] }, { onlyHosts: ['a b'] }, { nat64Prefixes: ['::/95'] }]) {
    assert.throws(() => all.judge('http://a.example/', policy), IriError, JSON.stringify(policy));
  }
  assert.throws(() => all.judgeAddress('127.1'), IriError);
  const redirect = all.judgeRedirect('//user@é.example/', 'https://a.example/', 1);
  assert.deepEqual(
    [redirect.reasons[0].name, redirect.reasons[0].start, redirect.keepsCredentials],
    ['userinfo', 2, false],
  );
  assert.equal(all.judgeRedirect('/b', 'https://a.example/').keepsCredentials, true);
  assert.equal(all.judgeRedirect('http://a.example/', 'https://a.example/').reasons[0].kind, 'downgrade');
  assert.equal(all.judgeRedirect('/b', 'https://a.example/', 6).reasons[0].kind, 'too-many-redirects');
  assert.equal(all.judgeRedirect('/b', 'https://a.example/', 6, { maxRedirects: 6 }).decision, 'resolve');
  for (const number of [-1, 0.5, NaN, ''])
    assert.throws(() => all.judgeRedirect('/b', 'https://a.example/', number), TypeError);
});

test('each address has the keys of its case', () => {
  for (const { address, keys, why } of cases('archive')) {
    for (const [profile, key] of Object.entries(keys)) {
      assert.equal(all.archiveKey(address, profile), key ?? address, `${profile} ${address}: ${why}`);
    }
  }
  assert.equal(
    all.archiveKey('http://www2.ndl.example/a/', 'pywb', { www: 'keep', slash: true }),
    'example,ndl,www2)/a/',
  );
  assert.equal(all.archiveKey('http://192.0.2.1/', 'pywb', { reverseIp: false }), '192.0.2.1)/');
});

test('each template is one, and finds the values of its case', () => {
  for (const { input, options, expected, why } of cases('templates')) {
    if (options.op === 'parse') {
      if (expected) new Template(input);
      else assert.throws(() => new Template(input), { kind: 'template' }, `${input}: ${why}`);
      continue;
    }
    const template = Template.parse(options.template);
    const found = template.match(input, { queryAsSet: options.query === 'set' });
    assert.deepEqual(found, expected, `${options.template} of ${input}: ${why}`);
    // The law: the values expand to the text again, up to the spelling of triplets.
    if (found !== null && options.query !== 'set') {
      assert.deepEqual(template.match(template.expand(found)), found, `${options.template} of ${input}`);
    }
  }
});

test('values of each type, and the errors of templates', () => {
  const template = new Template('/{a}{/list*}{?map*,none,empty}');
  assert.deepEqual(
    [template.variables, template.level, template.endsInQuery],
    [['a', 'list', 'map', 'none', 'empty'], 4, true],
  );
  const map = { 'k=&%': 1, l: null, é: true };
  const values = { a: new URL('http://b/'), list: ['x', null, 2n], map, none: undefined, empty: '' };
  const expanded = '/http%3A%2F%2Fb%2F/x/2?k%3D%26%25=1&%C3%A9=true&empty=';
  assert.equal(template.expand(values), expanded);
  assert.equal(template.expand(new Map(Object.entries({ ...values, map: new Map(Object.entries(map)) }))), expanded);
  assert.equal(template.expand({ ...values, list: [], map: {} }, { iri: true }), '/http%3A%2F%2Fb%2F?empty=');
  assert.equal(new Template('{?a}').expand({ a: 'é=&%' }, { iri: true }), '?a=é%3D%26%25');
  assert.equal(new Template('{a}').expand(Object.create({ a: 1 })), '');
  assert.deepEqual(Object.entries(new Template('{__proto__}').match('x')), [['__proto__', 'x']]);
  assert.equal(`${template}${JSON.stringify({ template })}`.startsWith('/{a}'), true);
  assert.deepStrictEqual(new Template('{a}'), Template.parse('{a}'));
  assert.throws(() => template.expand({ a: [['x']] }), TypeError);
  assert.throws(() => template.expand({ list: [{}] }), TypeError);
  assert.throws(() => template.match('/', { queryasset: true }), TypeError);
  assert.throws(() => new Template('é{a'), {
    name: 'IriError',
    kind: 'template',
    start: 1,
    end: 2,
    message: /index 1 /,
  });
  assert.throws(() => new Template('é{a:1}').expand({ a: ['x'] }), {
    kind: 'prefix-of-list',
    start: 2,
    message: /index 2 /,
  });
});

test('links come out of their wrappers', () => {
  const link = 'https://www.google.com/url?q=https://l.instagram.com/?u=https://a.example/%25';
  assert.equal(all.unwrap(link, 0), link);
  assert.equal(all.unwrap('https://l.instagram.com/?u=https://a.example/?é'), 'https://a.example/?é');
  assert.equal(all.unwrap(new URL('https://l.instagram.com/?u=https://a.example')), 'https://a.example');
  const rules = new all.QueryRules("[[wrapper]]\nhost = 'out.example'\nparameter = 'to'");
  const own = 'https://out.example/?to=https://l.instagram.com/?u=https://a.example';
  assert.equal(all.unwrap(own), own);
  assert.equal(all.unwrap(own, 1, rules), 'https://l.instagram.com/?u=https://a.example');
  assert.equal(all.unwrap(own, 2, rules), 'https://a.example');
  for (const wrong of [{ levels: 256 }, { levels: -1 }, { levels: 'x' }, { rules: '' }, { rules: {} }]) {
    assert.throws(() => all.unwrap(link, wrong.levels, wrong.rules), TypeError, JSON.stringify(wrong));
  }
  assert.throws(() => all.unwrap('//['), all.IriError);
});

test('rules for queries', () => {
  const { QueryRules, RuleError } = all;
  const catalog = '{"providers": {"a": {"urlPattern": "^", "rules": ["b"], "referralMarketing": ["tag"]}}}';
  assert.equal(new QueryRules(catalog, 'clearurls').apply('/?tag=é&b'), '/');
  assert.equal(new QueryRules(catalog, 'clearurls', { allowReferral: true }).apply('/?tag=é&b'), '/?tag=é');
  assert.equal(new QueryRules(catalog, 'clearurls', { keepMark: true }).apply('/?b#c'), '/?#c');
  const rules = new QueryRules('$removeparam=a\n||b^\n$removeparam=c,domain=d', 'adguard');
  assert.deepEqual([rules.format, rules.count, rules.apply('/?a&b')], ['adguard', 1, '/?b']);
  assert.deepEqual(
    rules.skipped.map(({ name, kind, line, column }) => [name, kind, line, column]),
    [
      ['RuleError', 'other-rule', 2, 1],
      ['RuleError', 'modifier', 3, 16],
    ],
  );
  assert.deepStrictEqual(new QueryRules(''), new QueryRules(''));
  assert.throws(() => new QueryRules("[[drop]]\nnmes = ['geheim']"), {
    name: 'RuleError',
    kind: 'unknown-key',
    line: 2,
    column: 1,
    message: /^line 2, column 1: the name is unknown(?!.*geheim)/,
  });
  assert.ok(new RuleError('') instanceof SyntaxError);
  for (const wrong of [['', 'json'], ['', 'toml', { keep: true }], ['', 'toml', { keepMark: 'yes' }], [7]]) {
    assert.throws(() => new QueryRules(...wrong), TypeError, JSON.stringify(wrong));
  }
  assert.throws(() => rules.apply('//['), all.IriError);
});

test('each label is shown as the browser of its case shows it', () => {
  for (const { label, top, why, ...browsers } of cases('browsers')) {
    for (const policy of ['chromium', 'firefox']) {
      const rule = browsers[policy];
      const text = `http://${label}.${top}/`;
      const found = all.displayRule(text, policy);
      assert.equal(found, rule, `${policy} ${label}.${top}: ${why}`);
      const host = new all.Iri(all.display(text, 'iri', { policy })).host;
      assert.equal(host.startsWith('xn--'), rule !== null, `${policy} ${label}.${top}: ${why}`);
    }
  }
  assert.equal(all.display('http://tᴡitter.com/'), all.display('http://tᴡitter.com/', 'iri', { policy: null }));
});

test('each prose has the links of its case', () => {
  let checked = 0;
  for (const { prose, markup = 'plain', tight, ascii, bare, any_scheme, why } of cases('prose_cases')) {
    // The package searches for the schemes of the web, and always for names without a scheme.
    if (any_scheme) continue;
    for (const [ends, links] of Object.entries({ tight, ascii })) {
      const found = all.extract(prose, markup, { ends });
      assert.deepEqual(
        found.map(({ text }) => text).filter((text) => bare || /^[a-z]+:/i.test(text)),
        links,
        `${ends} ${prose}: ${why}`,
      );
      for (const { text, start, end } of found) assert.equal(prose.slice(start, end), text);
      checked += 1;
    }
  }
  assert.ok(checked > 600, `${checked}`);
});
