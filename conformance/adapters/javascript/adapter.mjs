// An adapter for libraries in JavaScript: adapter.mjs NAME [FOLDER] answers for one of them; FOLDER has node_modules. The
// file protocol.md says what it reads and writes. What a library does not offer is unsupported.

import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import path from 'node:path';

const [name, folder = '.'] = process.argv.slice(2);
const require = createRequire(path.join(path.resolve(folder), 'adapter.cjs'));
const UNSUPPORTED = { unsupported: true };

const attempt = (make) => {
  try {
    return { result: make() };
  } catch (error) {
    return { error: String(error).slice(0, 200) };
  }
};
const isValid = (parse) => {
  try {
    return parse();
  } catch {
    return { valid: false };
  }
};

/** A parser of the URL Standard. */
const whatwg = (URL) => (ask) => {
  if (ask.op === 'parse' && ['iri', 'uri'].includes(ask.kind)) {
    return isValid(() => ({ valid: Boolean(new URL(ask.input)) }));
  }
  if (ask.op === 'resolve' && ask.strict) return attempt(() => new URL(ask.reference, ask.base).href);
  return UNSUPPORTED;
};

/** uri-js and fast-uri have the same interface. A parse has the field `error` if it found an error. */
const likeUriJs = (library) => (ask) => {
  const iri = ask.kind === 'iri';
  switch (ask.op) {
    case 'parse': {
      // The function takes IRIs: the option `iri` says how it gives them back.
      if (!['iri', 'iri-reference'].includes(ask.kind)) return UNSUPPORTED;
      return isValid(() => {
        const { error, scheme } = library.parse(ask.input, { iri: true });
        return { valid: error === undefined && (ask.kind.endsWith('reference') || scheme !== undefined) };
      });
    }
    case 'resolve':
      return attempt(() => library.resolve(ask.base, ask.reference, { tolerant: !ask.strict, iri }));
    case 'normalize':
      // The functions normalize by the scheme, too.
      return ask.ladder === 'scheme' ? attempt(() => library.normalize(ask.input, { iri })) : UNSUPPORTED;
    case 'compare':
      return ask.ladder === 'scheme' ? { equal: library.equal(ask.a, ask.b, { iri }) } : UNSUPPORTED;
    default:
      return UNSUPPORTED;
  }
};


/** URI.js, whose package is urijs. */
const urijs = (URI) => (ask) => {
  switch (ask.op) {
    case 'parse':
      if (!['uri', 'uri-reference'].includes(ask.kind)) return UNSUPPORTED;
      return isValid(() => {
        const found = new URI(ask.input);
        return { valid: ask.kind === 'uri-reference' || found.scheme() !== '' };
      });
    case 'resolve':
      if (!ask.strict || ask.kind !== 'uri') return UNSUPPORTED;
      return attempt(() => new URI(ask.reference).absoluteTo(ask.base).toString());
    case 'normalize':
      if (ask.ladder !== 'scheme' || ask.kind !== 'uri') return UNSUPPORTED;
      return attempt(() => new URI(ask.input).normalize().toString());
    default:
      return UNSUPPORTED;
  }
};

/** validate-iri: `validateIri` returns an error, or nothing. */
const validateIri = ({ validateIri: check, IriValidationStrategy }) => (ask) => {
  if (ask.op !== 'parse' || ask.kind !== 'iri') return UNSUPPORTED;
  return { valid: check(ask.input, IriValidationStrategy.Strict) === undefined };
};

/** relative-to-absolute-iri resolves, and does nothing else. */
const relativeToAbsolute = ({ resolve }) => (ask) =>
  ask.op === 'resolve' && ask.strict ? attempt(() => resolve(ask.reference, ask.base)) : UNSUPPORTED;

const version = (module) => require(`${module}/package.json`).version;
const LIBRARIES = {
  URL: () => [whatwg(URL), ['URL Standard'], process.versions.node],
  'uri-js': () => [likeUriJs(require('uri-js')), ['RFC 3986', 'RFC 3987'], version(name)],
  'fast-uri': () => [likeUriJs(require('fast-uri')), ['RFC 3986', 'RFC 3987'], version(name)],
  urijs: () => [urijs(require('urijs')), ['RFC 3986'], version(name)],
  'whatwg-url': () => [whatwg(require('whatwg-url').URL), ['URL Standard'], version(name)],
  'validate-iri': () => [validateIri(require('validate-iri')), ['RFC 3987'], version(name)],
  'relative-to-absolute-iri': () => [relativeToAbsolute(require(name)), ['RFC 3986'], version(name)],
};

const [answer, standards, release] = LIBRARIES[name]();
const hello = { name: name === 'URL' ? 'URL of Node' : name, version: release, language: 'JavaScript', standards };
process.stdout.write(`${JSON.stringify({ hello })}\n`);
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const ask = JSON.parse(line);
  const found = 'input_hex' in ask ? UNSUPPORTED : answer(ask);
  process.stdout.write(`${JSON.stringify({ seq: ask.seq, ...found })}\n`);
}
