// The laws of the package, for generated strings of JavaScript.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { all, folder } from './package.mjs';

const { Iri, IriError, IriRef, Uri, isValid } = all;

/** Numbers that look random, and that are the same in each run (the generator of Park and Miller). */
function numbers(seed) {
  let state = seed;
  return (below) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
}

// Delimiters, characters of one to four bytes in UTF-8, what no IRI has, and halves of surrogate pairs.
const PIECES = [
  ...[
    'a',
    'Z',
    '0',
    '-',
    '.',
    '~',
    '%',
    '%41',
    '%c3%a9',
    ':',
    '/',
    '//',
    '?',
    '#',
    '@',
    '[',
    ']',
    '[::1]',
    '127.0.0.1',
  ],
  ...[
    'http://',
    'urn:',
    '..',
    ':80',
    '!',
    '&',
    '=',
    '+',
    ' ',
    '"',
    '<',
    '\\',
    '|',
    '\u0000',
    '\n',
    '\u007F',
    'é',
    'ß',
    'א',
  ],
  ...[
    '例え',
    '\u200E',
    '\uE000',
    '\uFFFD',
    '\uFDD0',
    '😀',
    '𠮷',
    '\u{F0000}',
    '\uD800',
    '\uDC00',
    'ab'.repeat(40),
    'é'.repeat(200),
  ],
];

function* strings(count, seed = 3987) {
  const number = numbers(seed);
  for (let i = 0; i < count; i++) {
    const start = number(3) === 0 ? '' : ['http://', 'http://a/', 'a:', '//', '/'][number(5)];
    yield start + Array.from({ length: number(9) }, () => PIECES[number(PIECES.length)]).join('');
  }
}

/** A string as the web reads it: each half of a pair is U+FFFD. `toWellFormed` is the standard's own function. */
const wellFormed = (text) => text.toWellFormed();

// RFC 3986, appendix B, with the parts of an authority. It is right for each valid reference.
const REFERENCE =
  /^(?:([^:/?#]+):)?(?:\/\/((?:([^/?#]*)@)?(\[[^\]]*\]|[^:/?#]*)(?::([^/?#]*))?))?([^?#]*)(?:\?([^#]*))?(?:#([^]*))?$/u;

test('components are those of the regular expression of RFC 3986, on the string itself', () => {
  let valid = 0;
  for (const text of strings(200_000)) {
    if (!IriRef.isValid(text)) continue;
    valid += 1;
    const reference = new IriRef(text);
    const [, scheme, authority, userinfo, host, port, path, query, fragment] = REFERENCE.exec(text);
    const port_ = port ? Number(port) : null;
    const wanted = {
      scheme,
      authority,
      userinfo,
      host: authority === undefined ? undefined : host,
      path,
      query,
      fragment,
    };
    for (const [name, value] of Object.entries(wanted)) {
      assert.equal(reference[name], value ?? null, `${name} of ${JSON.stringify(text)}`);
    }
    assert.equal(reference.port, port_, JSON.stringify(text));
    assert.equal(String(reference), text);
  }
  assert.ok(valid > 20_000, `${valid} valid strings`);
});

test('a text is valid, or it has an error whose place is in the text', () => {
  let invalid = 0;
  for (const text of strings(50_000, 4)) {
    const errors = all.violations(text);
    assert.equal(isValid(text), errors.length === 0, JSON.stringify(text));
    if (errors.length === 0) continue;
    invalid += 1;
    assert.throws(
      () => new Iri(text),
      (error) => {
        assert.ok(error instanceof IriError && error instanceof SyntaxError);
        assert.deepEqual({ ...error }, { ...errors[0] });
        assert.equal(error.message, errors[0].message);
        return true;
      },
    );
    for (const { start, end } of errors) {
      assert.ok(0 <= start && start <= end && end <= text.length, JSON.stringify(text));
      // No place is between the halves of a pair.
      for (const place of [start, end])
        assert.ok(!/[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(text.slice(place - 1, place + 1)) || place === 0);
    }
  }
  assert.ok(invalid > 10_000);
});

test('after a suggestion, the next error is at a later place, or nearer to the end', () => {
  let applied = 0;
  for (const text of strings(50_000, 5)) {
    const [first] = all.violations(text, 'iri-reference');
    if (!first?.suggestion) continue;
    const { start, end, text: right } = first.suggestion;
    const mended = text.slice(0, start) + right + text.slice(end);
    const [next] = all.violations(mended, 'iri-reference');
    const isLater =
      next === undefined || next.start > first.start || mended.length - next.start < text.length - first.start;
    assert.ok(isLater, JSON.stringify([text, mended]));
    applied += 1;
  }
  assert.ok(applied > 5_000, `${applied}`);
});

test('half of a surrogate pair is read as U+FFFD', () => {
  for (const text of strings(20_000, 6)) {
    assert.equal(isValid(text), isValid(wellFormed(text)), JSON.stringify(text));
    assert.equal(wellFormed(all.masked(text)), all.masked(wellFormed(text)));
  }
});

test('each function takes each string, whatever its first and second text are', () => {
  // Short texts of each width, as a first text and as a further text.
  for (const width of ['a', 'é', '例', '𠮷', '\uD800']) {
    for (const length of [0, 1, 2, 3, 5, 600]) {
      const text = width.repeat(length);
      const iri = new Iri('http://a/p?é=1');
      assert.equal(iri.queryValue(text), text === 'é' ? '1' : null);
      const decoded = decodeURIComponent(iri.with({ path: `/${text}` }).path.replaceAll('%EF%BF%BD', '\uFFFD'));
      assert.equal(decoded, `/${wellFormed(text)}`);
      assert.equal(all.dropQueryPairs('http://a/?x=1&b', [text, 'x']), 'http://a/?b');
      assert.equal(all.unembed(all.embed('http://a/', 'right-to-left', { before: text, after: text })), 'http://a/');
      if (width !== '\uD800') assert.equal(all.resolve(`http://${text}/`, `/${text}`), `http://${text}/${text}`);
    }
  }
});

test('a reference keeps its class', () => {
  for (const text of strings(50_000, 11)) {
    if (!all.UriRef.isValid(text)) continue;
    const reference = new all.UriRef(text);
    assert.ok(reference.normalize('scheme-idna') instanceof all.UriRef, text);
    assert.ok(all.UriRef.isValid(reference.with({ fragment: 'é' })), text);
  }
  assert.equal(String(new Uri('http://a/caf%C3%A9').normalize()), 'http://a/caf%C3%A9');
  assert.equal(
    String(new Uri('http://xn--bcher-kva.example/').normalize('scheme-idna')),
    'http://xn--bcher-kva.example/',
  );
});

test('components are set at once, in any order', () => {
  const urn = new Iri('urn:b');
  for (const components of [
    { path: '/x', host: 'a', port: 80 },
    { host: 'a', port: 80, path: '/x' },
  ]) {
    assert.equal(String(urn.with(components)), 'urn://a:80/x');
  }
  assert.equal(String(urn.with({ query: undefined, fragment: 'f' })), 'urn:b#f');
  assert.equal(String(urn.with({})), 'urn:b');
  for (const name of ['reference', 'authority', 'Authority', 'toString', '__proto__ ']) {
    assert.throws(() => urn.with({ [name]: 'x' }), TypeError);
  }
  assert.equal(all.build({}), '');
  assert.equal(all.build({ path: undefined, host: 'é' }), '//é');
});

test('a list of names without a name drops nothing, and each name is dropped', () => {
  assert.equal(all.dropQueryPairs('http://a/?=1&b', []), 'http://a/?=1&b');
  assert.equal(all.dropQueryPairs('http://a/?=1&b', ['']), 'http://a/?b');
  assert.equal(all.dropQueryPairs('http://a/?a%26b=1&a%25=2&%EF%BF%BD&c', ['a&b', 'a%', '\uD800']), 'http://a/?c');
  const [pairs, names] = [50_000, 50_000].map((count) => Array.from({ length: count }, (_, i) => `n${i}`));
  const start = performance.now();
  assert.equal(all.dropQueryPairs(`http://a/?${pairs.join('&')}`, names), 'http://a/');
  assert.ok(performance.now() - start < 5_000);
});

test('what is not a name or a text is a TypeError', () => {
  for (const name of ['constructor', '__proto__', 'toString', 'valueOf', 'zz', '', null, 1]) {
    const calls = {
      isValid: () => isValid('a:b', name),
      countLines: () => all.countLines('a:b', name),
      parseLines: () => all.parseLines('a:b', name),
      column: () => all.parseLines('a:b').column(name),
      normalize: () => all.normalize('a:b', name),
      key: () => all.key('a:b', 'syntax', name),
      lint: () => all.lint('a:b', name),
      escape: () => all.escape('a:b', name),
      explain: () => all.explain({ toString: () => String(name) }),
      extract: () => all.extract('a:b', name),
      ends: () => all.extract('a:b', 'plain', { ends: String(name) }),
      policy: () => all.display('a:b', 'iri', { policy: String(name) }),
      displayRule: () => all.displayRule('a:b', name),
      archiveKey: () => all.archiveKey('a:b', name),
      sets: () => all.redact('a:b', { sets: [name] }),
      part: () => all.redact('a:b', { part: String(name) }),
    };
    for (const [what, call] of Object.entries(calls)) assert.throws(call, TypeError, `${what} ${name}`);
    assert.throws(() => new Iri('a:b').with({ [name]: 'x' }), TypeError);
  }
  for (const text of [undefined, null, 1, true, Symbol('x'), 1n]) {
    for (const call of [
      isValid,
      all.toUri,
      all.normalize,
      all.masked,
      all.countLines,
      Iri.parse.bind(Iri),
      all.extract,
    ]) {
      assert.throws(() => call(text), TypeError);
    }
    assert.throws(() => all.resolve('a:b', text), TypeError);
    assert.throws(() => all.resolve(text, 'a:b'), TypeError);
  }
});

test('no message shows a password', () => {
  // An address in the place of a name or of a component, as when arguments are exchanged, and an address that is refused.
  const address = 'http://me:s3cret@a/|';
  const calls = [
    ...[
      'isValid',
      'violations',
      'countLines',
      'parseLines',
      'origin',
      'hostKind',
      'skeleton',
      'display',
      'normalize',
      'lint',
      'fix',
    ],
    ...[
      'key',
      'fingerprint',
      'escape',
      'unescape',
      'prepare',
      'extract',
      'embed',
      'registrableDomain',
      'portOrDefault',
    ],
  ].map((name) => () => all[name]('a:b', address));
  for (const options of [
    { [address]: 'x' },
    { sets: [address] },
    { part: address },
    { nested: address },
    { raw: address },
  ]) {
    calls.push(() => all.redact('a:b', options));
  }
  for (const name of [
    'ports',
    'onlyHosts',
    'permitDomains',
    'refuseRanges',
    'nat64Prefixes',
    'stripUserinfo',
    address,
  ]) {
    calls.push(() => all.judge('a:b', { [name]: [address] }));
  }
  calls.push(
    () => all.judgeAddress(address),
    () => all.judgeRedirect('a:b', 'a:b', address),
    () => all.archiveKey('a:b', address),
    () => all.archiveKey('a:b', 'pywb', { [address]: true }),
    () => all.displayRule('a:b', address),
    () => new all.Template('{a}').match('a', { [address]: true }),
    () => all.redact('a:b', { replacement: address }),
    () => all.explain(address),
    () => all.parseLines('a:b').column(address),
    () => new Iri('a:b').with({ [address]: 'x' }),
  );
  calls.push(
    () => new Iri(address),
    () => all.resolve(address, 'b'),
    () => all.toUri(address),
    () => all.hostToAscii(address),
  );
  for (const call of calls) {
    assert.throws(
      call,
      (error) => !`${error.stack} ${JSON.stringify(error)}`.includes('s3cret') || assert.fail(error),
      String(call),
    );
  }
});

test('after a text that is too large, the module is as before', async () => {
  const { engine } = await import(new URL('engine.js', folder));
  const source = await WebAssembly.instantiate(readFileSync(new URL('full.wasm', folder)));
  const { core, check, full } = engine(source);
  const rules = new full.QueryRules("[[drop]]\nnames = ['a']\n[[wrapper]]\nhost = 'h'\nparameter = 'a'");
  // The errors of the text do not fit into the memory.
  assert.throws(() => check.violations(`http://a/${'|'.repeat(12_000_000)}`), RangeError);
  assert.equal(core.isValid('http://a/é'), true);
  assert.equal(String(new core.Iri('http://a/é').toUri()), 'http://a/%C3%A9');
  // The module that has begun again has the rules.
  assert.equal(full.unwrap('http://h/?a=http://b', 1, rules), 'http://b');
  assert.equal(rules.apply('/?a&b'), '/?b');
});

test('memory above 2 GB is memory', async () => {
  const { engine } = await import(new URL('engine.js', folder));
  const source = await WebAssembly.instantiate(readFileSync(new URL('core.wasm', folder)));
  const { core } = engine(source);
  source.instance.exports.memory.grow(2200 * 16);
  const long = `http://a/${'é'.repeat(2_000_000)}`;
  assert.equal(core.isValid(long), true);
  assert.equal(core.toUri(long).length, 9 + 6 * 2_000_000);
  assert.equal(core.isValid('http://a/é'), true);
});

test('classes of users, and what tests of users compare', () => {
  class Mine extends Iri {
    static rule = 'x';
    static number = 7;
  }
  assert.throws(() => new Mine('zzz'), IriError);
  assert.equal(Mine.isValid('a:b'), true);
  assert.ok(new Mine('a:b').normalize() instanceof Mine);
  assert.notDeepStrictEqual(new Iri('a:b'), new Iri('a:c'));
  assert.deepStrictEqual(new Iri('a:b'), new Iri('a:b'));
  assert.notDeepStrictEqual(all.parseLines('a:b'), all.parseLines('c:d\ne:f'));
  assert.equal(JSON.stringify(all.parseLines('a:b\nc')), '["a:b","c"]');
  for (const line of [-1, 1, 0.5, NaN, '0']) {
    for (const method of ['isValid', 'textAt', 'errorAt'])
      assert.throws(() => all.parseLines('a:b')[method](line), RangeError);
  }
  const error = new IriError('boom');
  error.name = 'Mine';
  assert.deepEqual([error.message, error.name, error.kind], ['boom', 'Mine', null]);
  assert.throws(() => all.unescape('ééé\\uZZ', 'json'), { start: 3, message: /index 3/ });
});

test('strings of each length are read as they are, whatever was read before', () => {
  const lengths = [0, 1, 2, 15, 16, 17, 63, 64, 65, 511, 512, 513, 1000, 1 << 16, (1 << 16) + 1, 3_000_000, 5, 200_000];
  for (const letter of ['a', 'é', '例', '𠮷']) {
    for (const length of lengths) {
      const path = `/${letter.repeat(length)}`;
      const iri = new Iri(`http://h.example${path}?q#f`);
      assert.equal(iri.path, path);
      assert.equal(iri.fragment, 'f');
      assert.equal(iri.toUri().path, encodeURI(path));
      assert.equal(all.resolve(`http://base.example${path}`, `x${path}`), `http://base.example/x${path}`);
    }
  }
});

test('the lines of a text are parsed as each line is', () => {
  for (const seed of [7, 8, 9]) {
    const lines = [...strings(3000, seed)].map((line) => line.replaceAll('\n', ''));
    for (const end of ['\n', '\r\n']) {
      const text = lines.join(end) + end;
      const parsed = all.parseLines(text);
      assert.deepEqual([...parsed], lines);
      assert.equal(parsed.length, lines.length);
      lines.forEach((line, i) => assert.deepEqual(parsed.errorAt(i)?.message, all.violations(line)[0]?.message, line));
      const valid = lines.filter((line) => isValid(line)).length;
      assert.deepEqual(all.countLines(text), { lines: lines.length, valid, invalid: lines.length - valid });
      for (const name of ['scheme', 'authority', 'userinfo', 'host', 'path', 'query', 'fragment']) {
        const wanted = lines.map((line) => (isValid(line) ? new Iri(line)[name] : null));
        assert.deepEqual(parsed.column(name), wanted, name);
      }
    }
  }
  assert.deepEqual(all.countLines(''), { lines: 0, valid: 0, invalid: 0 });
  assert.deepEqual(all.countLines('a:b'), { lines: 1, valid: 1, invalid: 0 });
});

test('the modules with SIMD and without SIMD have the same answers', async () => {
  const { engine } = await import(new URL('engine.js', folder));
  for (const name of ['core', 'idna']) {
    const [simd, scalar] = await Promise.all(
      ['', '.scalar'].map(async (kind) => {
        const { core } = engine(await WebAssembly.instantiate(readFileSync(new URL(`${name}${kind}.wasm`, folder))));
        return core;
      }),
    );
    const answer = (module, text) => {
      try {
        const iri = new module.IriRef(text);
        return [iri.scheme, iri.authority, iri.path, iri.query, String(iri.toUri()), String(iri.normalize('scheme'))];
      } catch (error) {
        return [error.message, error.start, error.end];
      }
    };
    for (const text of strings(30_000, 10))
      assert.deepEqual(answer(simd, text), answer(scalar, text), JSON.stringify(text));
  }
});

test('classes and functions take what users give them', () => {
  const iri = Iri.parse('http://例え.jp/a');
  assert.equal(JSON.stringify({ iri }), '{"iri":"http://例え.jp/a"}');
  assert.equal(`${iri}`, 'http://例え.jp/a');
  assert.ok(new Iri(iri) instanceof IriRef);
  assert.ok(iri.toUri() instanceof Uri);
  assert.ok(IriRef.parse('../a').toUri() instanceof all.UriRef);
  assert.ok(IriRef.parse('../a').toIri() instanceof IriRef);
  assert.equal(new Iri(new URL('http://example.org/a')).host, 'example.org');
  assert.equal(String(iri.resolve('../b')), 'http://例え.jp/b');
  assert.equal(String(iri.toUri({ idna: true })), 'http://xn--r8jz45g.jp/a');
  assert.equal(iri.with({ query: 'a b', fragment: null }).query, 'a%20b');
  assert.throws(() => isValid('a:b', 'url'), TypeError);
  assert.throws(() => Iri.parse('../a'), /scheme/);
  assert.throws(() => Iri.parse('😀 b:c'), { start: 0 });
  assert.throws(() => Iri.parse('a:😀\n'), /index 4/);
});

test('a function of a larger module says so', async () => {
  const core = await import(new URL('index.js', folder));
  assert.equal(core.hostToAscii, undefined);
  const iri = core.Iri.parse('http://a/');
  // The words that the caller has written, and the module to import.
  for (const [called, module, run] of [
    ['toUri with the option idna', 'idna', () => core.toUri('http://é/', { idna: true })],
    ['toIri with the option idna', 'idna', () => iri.toIri({ idna: true })],
    ['the level scheme-idna', 'idna', () => core.normalize('http://a/', 'scheme-idna')],
    ['origin', 'idna', () => iri.origin],
    ['hostKind', 'idna', () => iri.hostKind],
    ['portOrDefault', 'idna', () => iri.portOrDefault],
    ['queryValue', 'idna', () => iri.queryValue('q')],
    ['relativize', 'idna', () => iri.relativize('http://a/b')],
    ['key', 'idna', () => iri.key()],
    ['fingerprint', 'idna', () => iri.fingerprint()],
    ['isEquivalent', 'idna', () => iri.isEquivalent('http://a/')],
    ['with', 'check', () => iri.with({ path: '/' })],
  ]) {
    const message = `${called} needs a larger module: import simd-iri/${module}`;
    assert.throws(run, { name: 'TypeError', message });
  }
});

test('an option that a function does not have is an error', () => {
  const { build, display, embed, escape, extract, judge, judgeAddress, judgeRedirect, redact, violations } = all;
  const template = new all.Template('/{a}{?b}');
  const functions = {
    toUri: [(options) => all.toUri('http://é/', options), { idna: true }],
    toIri: [(options) => Iri.parse('http://a/').toIri(options), { idna: true }],
    violations: [(options) => violations('a|b', 'iri', options), { most: 1 }],
    escape: [(options) => escape('a:é', 'html', options), { ascii: true }],
    display: [(options) => display('a:b', 'iri', options), { policy: 'chromium' }],
    embed: [(options) => embed('a:b', 'left-to-right', options), { marks: 'isolate', before: 'a', after: 'b' }],
    extract: [(options) => extract('a.example', 'plain', options), { ends: 'tight' }],
    expand: [(options) => template.expand({ a: 'b' }, options), { iri: true }],
    match: [(options) => template.match('/a', options), { queryAsSet: true }],
    redact: [(options) => redact('/', options), { raw: true }],
    archiveKey: [(options) => all.archiveKey('http://a/', 'pywb', options), undefined],
    judge: [(options) => judge('http://a/', options), { ports: [80] }],
    judgeAddress: [(options) => judgeAddress('10.0.0.1', options), { ports: [80] }],
    judgeRedirect: [(options) => judgeRedirect('/', 'http://a/', 1, options), { ports: [80] }],
    QueryRules: [(options) => new all.QueryRules('', 'adguard', options), { keepMark: true }],
  };
  for (const [name, [run, right]] of Object.entries(functions)) {
    for (const options of [undefined, {}, right, { absent: undefined, ...right }.absent, { ...right }]) run(options);
    // Misspelled, of another function, and no options.
    for (const wrong of [
      { idnaa: true },
      { ...right, most: 1, ends: 'x', iri: true },
      { Idna: false },
      true,
      'idna',
      null,
      1,
    ]) {
      assert.throws(() => run(wrong), { name: 'TypeError', message: new RegExp(`\\b${name}\\b`) }, `${name} ${wrong}`);
    }
  }
  for (const wrong of ['true', 'false', 0, 1, []]) {
    assert.throws(() => all.toUri('http://é/', { idna: wrong }), {
      message: 'the option idna of toUri is true or false',
    });
  }
  for (const run of [build, (components) => Iri.parse('http://a/').with(components)]) {
    for (const wrong of [{ hots: 'a' }, { authority: 'a' }, { scheme: 'http', URL: 'a' }, 'a', null])
      assert.throws(() => run(wrong), TypeError);
  }
});

test('a text beside another one, a large port and an invalid base are not passed over', () => {
  for (const Class of [all.IriRef, Iri, all.UriRef, all.Uri]) {
    assert.throws(() => new Class('a:b', 'http://c/'), { name: 'TypeError', message: /Iri\.parse\(base\)\.resolve/ });
    assert.throws(() => Class.parse('a:b', 'http://c/'), TypeError);
    assert.equal(String(new Class('a:b', undefined)), 'a:b');
  }
  for (const [text, port] of [
    ['', null],
    [':', null],
    [':0', 0],
    [':65535', 65535],
    [':65536', 65536],
    [':99999', 99999],
    [':00080', 80],
  ]) {
    assert.equal(Iri.parse(`http://a${text}/`).port, port);
  }
  for (const run of [all.resolve, all.relativize]) {
    assert.throws(() => run('../b', 'a:c'), {
      name: 'IriError',
      message: /^the base is no IRI: no scheme at index 0/,
      start: 0,
    });
    assert.throws(() => run('a:b', 'c:d|e'), { name: 'IriError', message: /^'\|' at index 3/ });
  }
  assert.throws(() => Iri.parse(), { name: 'TypeError', message: /and not undefined$/ });
});
