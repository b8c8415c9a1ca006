// The functions and the classes over a module of WebAssembly.
//
// An entry of the package (`index.js`, `idna.js`, …) loads a module, and exports what `engine` makes of it. All functions
// have the names of the other languages, and the rules are in the module alone.

import { WIDTH, cut, isThere, whole } from './components.js';
import { memoryOf } from './memory.js';

/** Thrown for a text that is refused: what is wrong, and where. Offsets are indexes of the string. */
export class IriError extends SyntaxError {
  constructor(message, place = null) {
    super(message);
    /** The kind of the error, such as `character-not-allowed`; `null` if the error is not about a place in a text. */
    this.kind = place?.kind ?? null;
    this.component = place?.component ?? null;
    this.start = place?.start ?? null;
    this.end = place?.end ?? null;
    /** What to write in place of which part, if a text is right: `{ start, end, text }`. */
    this.suggestion = place?.suggestion ?? null;
  }
}

/** Thrown for rules of queries that are refused: what is wrong, and in which line and column, from 1. */
class RuleError extends SyntaxError {
  constructor(message, place = null) {
    super(message);
    /** The kind of the error, such as `unknown-key`. */
    this.kind = place?.kind ?? null;
    this.line = place?.line ?? null;
    this.column = place?.column ?? null;
  }
}

// As in the errors of the language, so that a program can give its own errors another name.
for (const [name, kind] of Object.entries({ IriError, RuleError })) {
  Object.defineProperty(kind.prototype, 'name', { value: name, configurable: true, writable: true });
}

/** The rule of a class, and its number. They are symbols, so that a class of a user has all names for itself. */
const RULE = Symbol('rule');
const NUMBER = Symbol('number');

const inspect = Symbol.for('nodejs.util.inspect.custom');

/** The components that `with` and `build` set. */
const SETTABLE = ['scheme', 'userinfo', 'host', 'port', 'path', 'query', 'fragment'];

/** The modules, from the smallest to the largest: each has the groups of functions of those before it. */
const IMPORTS = { core: 'simd-iri', idna: 'simd-iri/idna', check: 'simd-iri/check', full: 'simd-iri/full' };

/** How a caller knows a function of the module that has another name there. */
const CALLED = {
  setComponents: 'with',
  toUriIdna: 'toUri with the option idna',
  toIriIdna: 'toIri with the option idna',
  template: 'Template',
  templateExpand: 'expand',
  templateMatch: 'match',
  queryRules: 'QueryRules',
  applyQueryRules: 'apply',
};

/** The functions that are methods alone, or options, and the groups that have them. */
const METHODS = {
  with: 'check',
  isEquivalent: 'idna',
  'toUri with the option idna': 'idna',
  'toIri with the option idna': 'idna',
  'the level scheme-idna': 'idna',
};

/** Returns the string of a text: of a string, or of an object. */
function stringOf(text) {
  if (typeof text === 'string') return text;
  if (typeof text === 'object' && text !== null) return String(text);
  throw new TypeError(
    `a text is a string, or an object that has a string, and not ${text === null || text === undefined ? text : `a ${typeof text}`}`,
  );
}

/** The error for an unknown name, which is not repeated, because an address in its place may have a password. */
function unknown(what, names) {
  return new TypeError(`no such ${what}; write one of ${[...names].join(', ')}`);
}

/**
 * Returns the options that are given to a function: of those that it has, with the values that stand for none. An option that it
 * does not have is a mistake of the caller. An option that is true or false takes no other value, because `'false'` is true.
 */
function optionsOf(called, has, given = {}) {
  if (typeof given !== 'object' || given === null) throw new TypeError(`${called} takes an object of options`);
  const options = { ...has };
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(has, name)) throw unknown(`option of ${called}`, Object.keys(has));
    if (value === undefined || value === null) continue;
    if (typeof has[name] === 'boolean' && typeof value !== 'boolean') {
      throw new TypeError(`the option ${name} of ${called} is true or false`);
    }
    options[name] = value;
  }
  return options;
}

/** Returns the string of a component, a name or a number. */
function valueOf(value) {
  return value === null ? null : String(value);
}

/**
 * Writes records of strings as one string, as `given.rs` reads it: an ampersand ends a record, and an equals sign begins each
 * string after its first.
 */
function written(records) {
  const escaped = (text) => String(text).replace(/[%&=]/g, encodeURIComponent);
  return records.map((record) => `${record.map(escaped).join('=')}&`).join('');
}

/** Writes options: numbers, strings, and lists of them. `undefined` and `null` are options that are not given. */
function writtenOptions(called, options = {}) {
  if (typeof options !== 'object' || options === null) throw new TypeError(`${called} takes an object of options`);
  const given = Object.entries(options).filter(([, value]) => value !== undefined && value !== null);
  return written(given.map(([name, value]) => [name, ...[value].flat()]));
}

/** Returns the string of a value in a template, or `null` for a value that is not there. */
function itemOf(value) {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value) || isMap(value)) throw new TypeError('an item of a list or a map is a list or a map');
  return String(value);
}

/** Tells whether a value is a map. Other objects, such as `URL`, are values by their strings. */
function isMap(value) {
  if (typeof value !== 'object' || value === null) return false;
  return value instanceof Map || [Object.prototype, null].includes(Object.getPrototypeOf(value));
}

const pairsOf = (map) => [...(map instanceof Map ? map : Object.entries(map))];

/** Returns the record of a variable, as `templates.rs` reads it. */
function recordOf([name, value]) {
  if (Array.isArray(value)) return [name, 'list', ...value.map(itemOf).filter((item) => item !== null)];
  if (!isMap(value)) return [name, 'text', itemOf(value)];
  const pairs = pairsOf(value).map(([key, item]) => [key, itemOf(item)]);
  return [name, 'map', ...pairs.filter(([, item]) => item !== null).flat()];
}

/**
 * Returns the functions and classes over a module, in groups by the feature that they need. The source is what
 * `WebAssembly.instantiate` makes of the bytes of a module.
 */
export function engine(source) {
  const memory = memoryOf(source);
  const { parse } = memory;

  /** The places of names in a list of the module, which separates them by spaces. */
  const places = (names) => new Map(names.split(' ').map((name, place) => [name, place]));
  // The function with number 0 gives the names of all functions.
  const functions = places(memory.call(0, []));
  const rules = places(memory.call(functions.get('rules'), []).toLowerCase());

  function refused() {
    const { message, place } = memory.error();
    return new IriError(message, place);
  }

  /** The error for a function that the module does not have: it names the function and the module that has it. */
  function missing(called) {
    const group = METHODS[called] ?? Object.keys(groups).find((group) => Object.hasOwn(groups[group], called));
    return new TypeError(`${called} needs a larger module: import ${IMPORTS[group] ?? 'another one'}`);
  }

  /** Calls a function of the module with strings; `null` is a string that is not there. */
  function callWith(name, strings) {
    const [number, called] = [functions.get(name), CALLED[name] ?? name];
    if (number === undefined) throw missing(called);
    const answer = memory.call(number, strings, called);
    if (answer === undefined) throw refused();
    return answer;
  }

  /** Calls a function of the module with a text, and with names or components. */
  function call(name, text, ...values) {
    return callWith(name, [stringOf(text), ...values.map(valueOf)]);
  }

  /** Calls a function of a base and another text. An error about the base says so. */
  function relative(name, base, text) {
    const string = stringOf(base);
    try {
      return call(name, text, string);
    } catch (error) {
      if (error instanceof IriError && parse(rules.get('iri'), string) === null) {
        const { message, place } = memory.error();
        throw new IriError(`the base is no IRI: ${message}`, place);
      }
      throw error;
    }
  }

  /** Calls a function whose answer is JSON. */
  function callJson(name, text, ...values) {
    return JSON.parse(call(name, text, ...values));
  }

  function numberOf(rule) {
    const number = rules.get(rule) ?? rules.get(String(rule).toLowerCase());
    if (number === undefined) throw unknown('rule', rules.keys());
    return number;
  }

  /** Returns the name of a level that the module has. */
  function levelOf(level) {
    if (String(level).toLowerCase() === 'scheme-idna' && !functions.has('toUriIdna')) {
      throw missing('the level scheme-idna');
    }
    return level;
  }

  // The fields are own properties, so that two references are deeply equal if and only if their texts and classes are. They
  // are not part of the interface.
  class IriRef {
    static [RULE] = 'iri-reference';
    static [NUMBER] = rules.get('iri-reference');

    constructor(text, base) {
      if (base !== undefined)
        throw new TypeError('a reference is made of one text: write Iri.parse(base).resolve(text)');
      if (typeof text !== 'string') text = stringOf(text);
      const offsets = parse(new.target[NUMBER], text);
      if (offsets === null) throw refused();
      this._text = text;
      this._offsets = offsets;
    }

    static parse(text, base) {
      return new this(text, base);
    }

    static isValid(text) {
      return isValid(text, this[RULE]);
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
      return port ? Number(port) : null;
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
      const changed = Object.entries(checked('with', components)).filter(([, value]) => value !== undefined);
      const names = changed.map(([name]) => `${name} `).join('');
      const values = changed.map(([, value]) => value);
      return new this.constructor(call('setComponents', this._text, this.constructor[RULE], names, ...values));
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
      return new this.constructor(normalize(this._text, level, this.constructor[RULE]));
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
      if (!functions.has('key')) throw missing('isEquivalent');
      return this.key(level) === key(other, level, 'iri-reference');
    }

    toString() {
      return this._text;
    }

    toJSON() {
      return this._text;
    }

    [inspect](_depth, _options, show) {
      return `${this.constructor.name} ${show(this._text)}`;
    }
  }

  class Iri extends IriRef {
    static [RULE] = 'iri';
    static [NUMBER] = rules.get('iri');
  }

  class UriRef extends IriRef {
    static [RULE] = 'uri-reference';
    static [NUMBER] = rules.get('uri-reference');
  }

  class Uri extends Iri {
    static [RULE] = 'uri';
    static [NUMBER] = rules.get('uri');
  }

  /** The lines of a text, parsed at once. The fields are own properties, as those of `IriRef`. */
  class Lines {
    constructor(text, rule, rows) {
      this._text = text;
      this._rule = rule;
      this._rows = rows;
    }

    get length() {
      return this._rows.length / WIDTH;
    }

    /** Returns the place of the row of a line. */
    #row(line) {
      if (Number.isInteger(line) && 0 <= line && line < this.length) return WIDTH * line;
      throw new RangeError(`there is no line ${line}: the text has ${this.length}`);
    }

    isValid(line) {
      return isThere(this._rows, this.#row(line));
    }

    textAt(line) {
      return whole(this._text, this._rows, this.#row(line));
    }

    errorAt(line) {
      return parse(this._rule, this.textAt(line)) === null ? refused() : null;
    }

    column(component) {
      if (!Object.hasOwn(cut, component)) throw unknown('component', Object.keys(cut));
      const part = cut[component];
      return Array.from(this, (_, line) => (this.isValid(line) ? part(this._text, this._rows, WIDTH * line) : null));
    }

    *[Symbol.iterator]() {
      for (let line = 0; line < this.length; line++) yield this.textAt(line);
    }

    toJSON() {
      return [...this];
    }

    [inspect](_depth, _options, show) {
      return `Lines ${show([...this])}`;
    }
  }

  /** A template of references. The field is an own property, as those of `IriRef`. */
  class Template {
    constructor(text) {
      this._text = stringOf(text);
      this._facts = callJson('template', this._text);
    }

    static parse(text) {
      return new this(text);
    }

    get variables() {
      return [...this._facts.variables];
    }

    get level() {
      return this._facts.level;
    }

    get endsInQuery() {
      return this._facts.endsInQuery;
    }

    expand(variables, options) {
      const { iri } = optionsOf('expand', { iri: false }, options);
      const given = pairsOf(variables).filter(([, value]) => value !== undefined && value !== null);
      return call('templateExpand', this._text, written(given.map(recordOf)), iri ? 'iri' : '');
    }

    match(text, options) {
      return JSON.parse(call('templateMatch', this._text, stringOf(text), writtenOptions('match', options)));
    }

    toString() {
      return this._text;
    }

    toJSON() {
      return this._text;
    }

    [inspect](_depth, _options, show) {
      return `${this.constructor.name} ${show(this._text)}`;
    }
  }

  /** The number by which the module keeps the rules of an object. No number is given twice. */
  const numbers = new WeakMap();
  let last = 0;
  const ended = new FinalizationRegistry((number) => call('endQueryRules', number));

  /**
   * Calls a function with a text, values, and the number of rules. A module that has begun again after a failure does not have
   * the rules, and gets them again.
   */
  function callWithRules(name, rules, text, ...values) {
    const number = numbers.get(rules);
    if (number === undefined) throw new TypeError('rules are an object of QueryRules');
    const answer = call(name, text, ...values, number);
    if (answer !== null) return answer;
    read(rules, number);
    return call(name, text, ...values, number);
  }

  /** Gives the text of rules to the module, which keeps them by a number, and returns what it says about them. */
  function read({ _text, _format, _options }, number) {
    return callJson('queryRules', _text, _format, number, writtenOptions('QueryRules', _options));
  }

  /** Rules that remove pairs of queries. The fields are own properties, as those of `IriRef`. */
  class QueryRules {
    constructor(text, format = 'toml', options = {}) {
      this._text = stringOf(text);
      this._format = format;
      this._options = typeof options === 'object' && options !== null ? { ...options } : options;
      const number = String((last += 1));
      const { error, ...facts } = read(this, number);
      if (error !== null) throw new RuleError(error.message, error);
      this._facts = facts;
      numbers.set(this, number);
      ended.register(this, number);
    }

    get format() {
      return this._format;
    }

    get count() {
      return this._facts.count;
    }

    get skipped() {
      return this._facts.skipped.map((place) => new RuleError(place.message, place));
    }

    apply(text) {
      return callWithRules('applyQueryRules', this, text);
    }

    [inspect]() {
      return `${this.constructor.name} { ${this.count} rules in the format ${this._format} }`;
    }
  }

  const unwrap = (text, levels = 1, rules = null) =>
    rules === null ? call('unwrap', text, levels) : callWithRules('unwrap', rules, text, levels);

  function isValid(text, rule = 'iri') {
    return memory.isValid(numberOf(rule), stringOf(text));
  }

  function countLines(text, rule = 'iri') {
    const [lines, valid] = memory.count(numberOf(rule), stringOf(text));
    return { lines, valid, invalid: lines - valid };
  }

  function parseLines(text, rule = 'iri') {
    const [string, number] = [stringOf(text), numberOf(rule)];
    return new Lines(string, number, memory.rows(number, string, WIDTH));
  }

  function violations(text, rule = 'iri', options) {
    const { most } = optionsOf('violations', { most: null }, options);
    return callJson('violations', text, rule, most).map(({ message, place }) => new IriError(message, place));
  }

  const hostKind = (text, rule = 'iri') => call('hostKind', text, rule);
  const origin = (text, rule = 'iri') => call('origin', text, rule);
  const queryValue = (text, name, rule = 'iri') => call('queryValue', text, rule, name);
  const masked = (text) => call('masked', text);
  /** Calls one of two functions, as the option `idna` says. */
  const mapped = (name, text, options) =>
    call(
      options !== undefined && optionsOf(name, { idna: false }, options).idna ? `${name}Idna` : name,
      text,
      'iri-reference',
    );
  const toUri = (text, options) => mapped('toUri', text, options);
  const toIri = (text, options) => mapped('toIri', text, options);
  const normalize = (text, level = 'scheme', rule = 'iri-reference') => call('normalize', text, rule, levelOf(level));
  const resolve = (base, reference) => relative('resolve', base, reference);
  const relativize = (base, target) => relative('relativize', base, target);
  const key = (text, level = 'scheme', rule = 'iri') => call('key', text, rule, levelOf(level));
  const fingerprint = (text, level = 'scheme', rule = 'iri') => BigInt(call('fingerprint', text, rule, levelOf(level)));

  // An ampersand ends each name, so that the ampersands of names are escaped.
  function dropQueryPairs(text, names) {
    const ended = names.map((name) => `${String(name).replaceAll('%', '%25').replaceAll('&', '%26')}&`);
    return call('dropQueryPairs', text, ended.join(''));
  }

  const escape = (text, format, options) =>
    call('escape', text, format, optionsOf('escape', { ascii: false }, options).ascii ? 'ascii' : '');
  const unescape = (text, format) => call('unescape', text, format, '');
  const fromPosixPath = (name) => call('fromPosixPath', name);
  const toPosixPath = (text) => call('toPosixPath', text);
  const fromWindowsPath = (name) => call('fromWindowsPath', name);
  const toWindowsPath = (text) => call('toWindowsPath', text);

  function portOrDefault(text, rule = 'iri') {
    const port = call('portOrDefault', text, rule);
    return port === null ? null : Number(port);
  }

  /** Returns components of which each can be set. */
  function checked(called, components) {
    if (typeof components !== 'object' || components === null)
      throw new TypeError(`${called} takes an object of components`);
    if (Object.keys(components).every((name) => SETTABLE.includes(name))) return components;
    throw unknown(`component for ${called}`, SETTABLE);
  }

  function build(components) {
    const { path = '', ...others } = checked('build', components);
    return callWith(
      'build',
      SETTABLE.map((name) => valueOf((name === 'path' ? path : others[name]) ?? null)),
    );
  }

  const hostToAscii = (host) => call('hostToAscii', host);
  const hostToUnicode = (host) => call('hostToUnicode', host);
  const isHostname = (text) => call('isHostname', text) !== null;
  const isIdnHostname = (text) => call('isIdnHostname', text) !== null;

  const lint = (text, profile = 'rfc', rule = 'iri-reference') => callJson('lint', text, rule, profile);
  const fix = (text, profile = 'rfc', rule = 'iri-reference') => call('fix', text, rule, profile);
  const explain = (code) => callJson('explain', code);
  const prepare = (text, profile = 'browser-like') => callJson('prepare', text, profile);
  const display = (text, rule = 'iri', options) =>
    call('display', text, rule, optionsOf('display', { policy: null }, options).policy);
  const displayRule = (text, policy, rule = 'iri') => call('displayRule', text, rule, policy);
  const displayInText = (text, rule = 'iri') => call('displayInText', text, rule);
  const skeleton = (text, rule = 'iri') => call('skeleton', text, rule);
  const visual = (text) => call('visual', text);
  const unembed = (text) => call('unembed', text);

  function embed(text, direction, options) {
    const { marks, before, after } = optionsOf('embed', { marks: 'embedding', before: '', after: '' }, options);
    return call('embed', text, direction, marks, before, after);
  }

  const redact = (text, options) => call('redact', text, writtenOptions('redact', options));
  const archiveKey = (text, profile = 'pywb', options) =>
    call('archiveKey', text, profile, writtenOptions('archiveKey', options));
  const judge = (text, policy) => callJson('judge', text, writtenOptions('judge', policy));
  const judgeAddress = (address, policy) => callJson('judgeAddress', address, writtenOptions('judgeAddress', policy));
  const judgeRedirect = (location, base, number = 1, policy) =>
    callJson('judgeRedirect', location, writtenOptions('judgeRedirect', policy), stringOf(base), number);

  const extract = (text, markup = 'plain', options) =>
    callJson('extract', text, markup, optionsOf('extract', { ends: 'strict' }, options).ends);
  const registrableDomain = (text, rule = 'iri') => call('registrableDomain', text, rule);

  // These are for the playground alone, whose module is not in the package.
  const characters = (text) => callJson('characters', text);
  const visualOffsets = (text) => callJson('visualOffsets', text);
  const steps = (text) => callJson('steps', text);
  const codes = () => callJson('codes', '');

  const groups = {
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
      displayRule,
      displayInText,
      skeleton,
      visual,
      embed,
      unembed,
      redact,
      Template,
    },
    full: {
      extract,
      registrableDomain,
      judge,
      judgeAddress,
      judgeRedirect,
      archiveKey,
      unwrap,
      QueryRules,
      RuleError,
    },
    page: { characters, visualOffsets, steps, codes },
  };
  return groups;
}
