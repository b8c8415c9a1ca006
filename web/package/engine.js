// The functions and the classes over a module of WebAssembly.
//
// An entry of the package (`index.js`, `idna.js`, …) loads a module, and exports what `engine` makes of it. All functions
// have the names of the other languages, and the rules are in the module alone.

import { WIDTH, cut, isThere, whole } from './components.js';
import { memoryOf } from './memory.js';

/** Thrown for a text that is refused: what is wrong, and where. Offsets are indexes of the string. */
export class IriError extends SyntaxError {
  constructor({ message, place }) {
    super(message);
    /** The kind of the error, such as `character-not-allowed`; `null` if the error is not about a place in a text. */
    this.kind = place?.kind ?? null;
    this.component = place?.component ?? null;
    this.start = place?.start ?? null;
    this.end = place?.end ?? null;
    /** What to write in place of which part, if a text is right: `{ start, end, text }`. */
    this.suggestion = place?.suggestion ?? null;
  }

  get name() {
    return 'IriError';
  }
}

/** Returns the functions and classes over an instance of a module, in groups by the feature that they need. */
export function engine(instance) {
  const memory = memoryOf(instance);
  const { wasm, put, offsets } = memory;
  const { parse } = wasm;

  /** The places of names in a list of the module, which separates them by spaces. */
  const places = (names) => Object.fromEntries(names.split(' ').map((name, place) => [name, place]));
  // The function with number 0 gives the names of all functions.
  const functions = places(memory.call(0, []));
  const rules = places(memory.call(functions.rules, []).toLowerCase());

  function refused() {
    return new IriError(memory.error());
  }

  /** Calls a function of the module with texts; `null` is a text that is not there. */
  function call(name, ...texts) {
    const number = functions[name];
    if (number === undefined) throw new TypeError(`${name} needs a larger module of simd-iri`);
    const answer = memory.call(number, texts.map((text) => (text === null ? null : String(text))));
    if (answer === undefined) throw refused();
    return answer;
  }

  /** Calls a function whose answer is JSON. */
  function callJson(name, ...texts) {
    return JSON.parse(call(name, ...texts));
  }

  function numberOf(rule) {
    const number = rules[rule] ?? rules[String(rule).toLowerCase()];
    if (number === undefined) throw new TypeError(`'${rule}' is not a rule; the rules are ${Object.keys(rules).join(', ')}`);
    return number;
  }

  // The fields are own properties, so that two references are deeply equal if and only if their texts and classes are. They
  // are not part of the interface.
  class IriRef {
    static rule = 'iri-reference';
    static number = rules['iri-reference'];

    constructor(text) {
      if (typeof text !== 'string') text = String(text);
      if (parse(new.target.number, put(text, 0), text.length) === 0) throw refused();
      this._text = text;
      this._offsets = offsets(text.length);
    }

    static parse(text) {
      return new this(text);
    }

    static isValid(text) {
      return isValid(text, this.rule);
    }

    get scheme() {
      return cut.scheme(this._text, this._offsets, 0);
    }

    get authority() {
      return cut.authority(this._text, this._offsets, 0);
    }

    get userinfo() {
      return cut.userinfo(this._text, this._offsets, 0);
    }

    get host() {
      return cut.host(this._text, this._offsets, 0);
    }

    get port() {
      const port = cut.port(this._text, this._offsets, 0);
      return port && Number(port) < 65536 ? Number(port) : null;
    }

    get path() {
      return cut.path(this._text, this._offsets, 0);
    }

    get query() {
      return cut.query(this._text, this._offsets, 0);
    }

    get fragment() {
      return cut.fragment(this._text, this._offsets, 0);
    }

    get origin() {
      return origin(this._text, 'iri-reference');
    }

    get hostKind() {
      return hostKind(this._text, 'iri-reference');
    }

    get portOrDefault() {
      return portOrDefault(this._text, 'iri-reference');
    }

    queryValue(name) {
      return queryValue(this._text, name, 'iri-reference');
    }

    with(components) {
      let text = this._text;
      for (const [name, value] of Object.entries(components)) {
        text = call('setComponent', text, name, value);
      }
      return new this.constructor(text);
    }

    toUri(options) {
      const Made = this instanceof Iri ? Uri : UriRef;
      return new Made(toUri(this._text, options));
    }

    toIri(options) {
      const Made = this instanceof Iri ? Iri : IriRef;
      return new Made(toIri(this._text, options));
    }

    normalize(level) {
      return new this.constructor(normalize(this._text, level));
    }

    resolve(reference) {
      return new Iri(resolve(this._text, reference));
    }

    relativize(target) {
      return new IriRef(relativize(this._text, target));
    }

    key(level) {
      return key(this._text, level, 'iri-reference');
    }

    fingerprint(level) {
      return fingerprint(this._text, level, 'iri-reference');
    }

    isEquivalent(other, level) {
      return this.key(level) === key(other, level, 'iri-reference');
    }

    toString() {
      return this._text;
    }

    toJSON() {
      return this._text;
    }

    [Symbol.for('nodejs.util.inspect.custom')](_depth, _options, inspect) {
      return `${this.constructor.name} ${inspect(this._text)}`;
    }
  }

  class Iri extends IriRef {
    static rule = 'iri';
    static number = rules['iri'];
  }

  class UriRef extends IriRef {
    static rule = 'uri-reference';
    static number = rules['uri-reference'];
  }

  class Uri extends Iri {
    static rule = 'uri';
    static number = rules['uri'];
  }

  /** The lines of a text, parsed at once. */
  class Lines {
    #text;
    #rule;
    #rows;

    constructor(text, rule, rows) {
      this.#text = text;
      this.#rule = rule;
      this.#rows = rows;
    }

    get length() {
      return this.#rows.length / WIDTH;
    }

    isValid(line) {
      return isThere(this.#rows, WIDTH * line);
    }

    textAt(line) {
      return whole(this.#text, this.#rows, WIDTH * line);
    }

    errorAt(line) {
      const text = this.textAt(line);
      return parse(this.#rule, put(text, 0), text.length) === 0 ? refused() : null;
    }

    column(component) {
      const part = cut[component];
      if (part === undefined) throw new TypeError(`'${component}' is not a component`);
      return Array.from(this, (_, line) => (this.isValid(line) ? part(this.#text, this.#rows, WIDTH * line) : null));
    }

    *[Symbol.iterator]() {
      for (let line = 0; line < this.length; line++) yield this.textAt(line);
    }
  }

  function isValid(text, rule = 'iri') {
    if (typeof text !== 'string') text = String(text);
    return wasm.is_valid(numberOf(rule), put(text, 0)) !== 0;
  }

  function countLines(text, rule = 'iri') {
    wasm.count(numberOf(rule), put(String(text), 0));
    const [lines, valid] = memory.numbers(2);
    return { lines, valid, invalid: lines - valid };
  }

  function parseLines(text, rule = 'iri') {
    text = String(text);
    const number = numberOf(rule);
    const lines = wasm.rows(number, put(text, 0));
    return new Lines(text, number, memory.words(WIDTH * lines));
  }

  function violations(text, rule = 'iri', { most = null } = {}) {
    return callJson('violations', text, rule, most).map((error) => new IriError(error));
  }

  const hostKind = (text, rule = 'iri') => call('hostKind', text, rule);
  const origin = (text, rule = 'iri') => call('origin', text, rule);
  const queryValue = (text, name, rule = 'iri') => call('queryValue', text, rule, name);
  const masked = (text) => call('masked', text);
  const toUri = (text, { idna = false } = {}) => call(idna ? 'toUriIdna' : 'toUri', text, 'iri-reference');
  const toIri = (text, { idna = false } = {}) => call(idna ? 'toIriIdna' : 'toIri', text, 'iri-reference');
  const normalize = (text, level = 'syntax') => call('normalize', text, 'iri-reference', level);
  const resolve = (base, reference) => call('resolve', reference, base);
  const relativize = (base, target) => call('relativize', target, base);
  const key = (text, level = 'syntax', rule = 'iri') => call('key', text, rule, level);
  const fingerprint = (text, level = 'syntax', rule = 'iri') => BigInt(call('fingerprint', text, rule, level));
  const dropQueryPairs = (text, names) => call('dropQueryPairs', text, names.map(encodeURIComponent).join('&'));
  const escape = (text, format, { ascii = false } = {}) => call('escape', text, format, ascii ? 'ascii' : '');
  const unescape = (text, format) => call('unescape', text, format, '');
  const fromPosixPath = (name) => call('fromPosixPath', name);
  const toPosixPath = (text) => call('toPosixPath', text);
  const fromWindowsPath = (name) => call('fromWindowsPath', name);
  const toWindowsPath = (text) => call('toWindowsPath', text);

  function portOrDefault(text, rule = 'iri') {
    const port = call('portOrDefault', text, rule);
    return port === null ? null : Number(port);
  }

  function build({ scheme = null, userinfo = null, host = null, port = null, path = '', query = null, fragment = null }) {
    return call('build', scheme, userinfo, host, port, path, query, fragment);
  }

  const hostToAscii = (host) => call('hostToAscii', host);
  const hostToUnicode = (host) => call('hostToUnicode', host);
  const isHostname = (text) => call('isHostname', text) !== null;
  const isIdnHostname = (text) => call('isIdnHostname', text) !== null;

  const lint = (text, profile = 'rfc', rule = 'iri-reference') => callJson('lint', text, rule, profile);
  const fix = (text, profile = 'rfc', rule = 'iri-reference') => call('fix', text, rule, profile);
  const explain = (code) => callJson('explain', code);
  const prepare = (text, profile = 'browser-like') => callJson('prepare', text, profile);
  const display = (text, rule = 'iri') => call('display', text, rule);
  const displayInText = (text, rule = 'iri') => call('displayInText', text, rule);
  const skeleton = (text, rule = 'iri') => call('skeleton', text, rule);
  const visual = (text) => call('visual', text);
  const unembed = (text) => call('unembed', text);

  function embed(text, direction, { marks = 'embedding', before = '', after = '' } = {}) {
    return call('embed', text, direction, marks, before, after);
  }

  const extract = (text, markup = 'plain') => callJson('extract', text, markup);
  const registrableDomain = (text, rule = 'iri') => call('registrableDomain', text, rule);

  // These are for the playground alone, whose module is not in the package.
  const characters = (text) => callJson('characters', text);
  const visualOffsets = (text) => callJson('visualOffsets', text);
  const steps = (text) => callJson('steps', text);
  const codes = () => callJson('codes');

  return {
    core: { IriRef, Iri, UriRef, Uri, isValid, toUri, toIri, normalize, resolve, countLines, parseLines },
    idna: {
      relativize,
      key,
      fingerprint,
      hostKind,
      origin,
      portOrDefault,
      queryValue,
      masked,
      hostToAscii,
      hostToUnicode,
      isHostname,
      isIdnHostname,
    },
    check: {
      violations,
      dropQueryPairs,
      build,
      escape,
      unescape,
      fromPosixPath,
      toPosixPath,
      fromWindowsPath,
      toWindowsPath,
      lint,
      fix,
      explain,
      prepare,
      display,
      displayInText,
      skeleton,
      visual,
      embed,
      unembed,
    },
    full: { extract, registrableDomain },
    page: { characters, visualOffsets, steps, codes },
  };
}
