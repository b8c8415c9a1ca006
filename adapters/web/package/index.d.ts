/**
 * References by RFC 3987 and RFC 3986: read, mapped to URIs and back, normalized and resolved.
 *
 * Offsets are indexes of the string, as in `slice`. Functions throw {@link IriError} for a text that does not match, and
 * `TypeError` for a name that they do not know. Half of a surrogate pair is read as U+FFFD, as in `URL`.
 *
 * ```js
 * import { Iri } from 'simd-iri';
 *
 * const iri = Iri.parse('http://例え.jp/café?q#f');
 * iri.host;               // '例え.jp'
 * iri.toUri().toString(); // 'http://%E4%BE%8B%E3%81%88.jp/caf%C3%A9?q#f'
 * ```
 */

/** A start rule of the grammar of RFC 3987 or RFC 3986. */
export type Rule =
  | 'iri'
  | 'iri-reference'
  | 'absolute-iri'
  | 'irelative-ref'
  | 'uri'
  | 'uri-reference'
  | 'absolute-uri'
  | 'relative-ref';

/** A part of a reference. */
export type Component = 'scheme' | 'authority' | 'userinfo' | 'host' | 'port' | 'path' | 'query' | 'fragment';

/**
 * A level of normalization (RFC 3987, section 5.3): `simple` changes nothing, `syntax` needs no knowledge of the scheme,
 * `scheme` removes default ports, and `scheme-idna`, of `simd-iri/idna` and larger modules, reads hosts as domain names too.
 */
export type Level = 'simple' | 'syntax' | 'scheme' | 'scheme-idna';

/** A text in place of a part of another text. */
export interface Correction {
  /** The index at which the part begins. */
  start: number;
  /** The index after the part. */
  end: number;
  /** The text to write. */
  text: string;
}

/** The reason why a text is refused. The message says what is wrong, where, and what would be right. */
export class IriError extends SyntaxError {
  constructor(message: string);
  /** The kind, such as `'character-not-allowed'`; `null` if the error is not about a place in a text. */
  readonly kind: string | null;
  /** The component with the error, such as `'path'`. */
  readonly component: string | null;
  /** The index at which the error begins. */
  readonly start: number | null;
  /** The index after the error. */
  readonly end: number | null;
  /** What would be right; `null` if the error does not tell. */
  readonly suggestion: Correction | null;
}

/** The text of a reference: a string, or an object such as {@link Iri} or `URL` whose `toString` gives the text. */
export type Text = string | (object & { toString(): string });

/** The components for `with` and `build`. `null` is an absent component, and `undefined` is a component that is not named. */
export interface Components {
  scheme?: string | null | undefined;
  userinfo?: string | null | undefined;
  host?: string | null | undefined;
  port?: number | string | null | undefined;
  path?: string | undefined;
  query?: string | null | undefined;
  fragment?: string | null | undefined;
}

/**
 * An IRI reference: an IRI, or a reference that is relative to a base.
 *
 * An absent component is `null`, and a component that is present and empty is `''`. Components are cut out of the text when
 * they are read.
 */
export class IriRef {
  /**
   * Reads a text. Takes time linear in the text. Throws {@link IriError}, and `TypeError` for a second text: a reference is
   * resolved by `Iri.parse(base).resolve(text)`.
   */
  constructor(text: Text);
  /** Reads a text, as the constructor does. */
  static parse<T>(this: new (text: Text) => T, text: Text): T;
  /** Tells whether a text matches the rule of the class. */
  static isValid(text: Text): boolean;

  /** The scheme, without its colon. */
  readonly scheme: string | null;
  /** The user information, the host and the port, without the slashes before. */
  readonly authority: string | null;
  /** The user information, without the `@`. */
  readonly userinfo: string | null;
  /** The host, with the brackets of an IP literal. */
  readonly host: string | null;
  /** The port as it is written, which may be greater than 65535; `null` also for an empty port. */
  readonly port: number | null;
  /** The path, which may be empty. */
  readonly path: string;
  /** The query, without the question mark. */
  readonly query: string | null;
  /** The fragment, without the number sign. */
  readonly fragment: string | null;

  /** Maps to a URI reference (RFC 3987, section 3.1). With `idna`, hosts become domain names in ASCII by UTS #46. */
  toUri(options?: { idna?: boolean }): UriRef;
  /** Maps to an IRI reference (RFC 3987, section 3.2): decodes what an IRI may hold. */
  toIri(options?: { idna?: boolean }): IriRef;
  /** Normalizes (RFC 3987, section 5.3). The default is `syntax`. */
  normalize(level?: Level): this;
  /** Resolves a reference relative to this IRI (RFC 3986, section 5.2). Throws if this is not an IRI. */
  resolve(reference: Text): Iri;

  /** The shortest reference that resolves to a target. Needs `simd-iri/idna`. */
  relativize(target: Text): IriRef;
  /** The key of {@link key}. Needs `simd-iri/idna`. */
  key(level?: Level): string;
  /** The number of {@link fingerprint}. Needs `simd-iri/idna`. */
  fingerprint(level?: Level): bigint;
  /** Tells whether two references are equivalent at a level. Needs `simd-iri/idna`. */
  isEquivalent(other: Text, level?: Level): boolean;
  /** The origin (RFC 6454) in ASCII; `null` if it is opaque. Needs `simd-iri/idna`. */
  readonly origin: string | null;
  /** The kind of the host. Needs `simd-iri/idna`. */
  readonly hostKind: HostKind | null;
  /** The port, or that of the scheme. Needs `simd-iri/idna`. */
  readonly portOrDefault: number | null;
  /** The decoded value of the first pair with a name in the query. Needs `simd-iri/idna`. */
  queryValue(name: string): string | null;
  /** A reference with other components, which are set at once. What a component cannot hold is percent-encoded. Needs `simd-iri/check`. */
  with(components: Components): this;

  /** The text. */
  toString(): string;
  /** The text, so that `JSON.stringify` writes a string. */
  toJSON(): string;
}

/** An IRI: it has a scheme. */
export class Iri extends IriRef {
  readonly scheme: string;
  toUri(options?: { idna?: boolean }): Uri;
  toIri(options?: { idna?: boolean }): Iri;
}

/** A URI reference: an IRI reference in ASCII (RFC 3986). */
export class UriRef extends IriRef {}

/** A URI: an IRI in ASCII (RFC 3986). */
export class Uri extends Iri {}

/** The kind of a host. */
export type HostKind = 'ipv4' | 'ipv6' | 'ipvfuture' | 'reg-name';

/**
 * Tells whether a text matches a rule. Throws nothing for a text.
 *
 * ```js
 * isValid('http://例え.jp/');        // true
 * isValid('http://例え.jp/', 'uri'); // false
 * ```
 */
export function isValid(text: Text, rule?: Rule): boolean;

/** Maps an IRI reference to a URI reference, as {@link IriRef.toUri}. `idna` needs `simd-iri/idna`. */
export function toUri(text: Text, options?: { idna?: boolean }): string;

/** Maps a URI reference to an IRI reference, as {@link IriRef.toIri}. `idna` needs `simd-iri/idna`. */
export function toIri(text: Text, options?: { idna?: boolean }): string;

/**
 * Normalizes an IRI reference. The default level is `scheme`.
 *
 * ```js
 * normalize('HTTP://Example.org:80/a/../%7Eb');   // 'http://example.org:80/~b'
 * normalize('HTTP://Example.org:80/', 'scheme'); // 'http://example.org/'
 * ```
 */
export function normalize(text: Text, level?: Level, rule?: Rule): string;

/**
 * Resolves a reference relative to a base, which is an IRI.
 *
 * ```js
 * resolve('http://a/b/c', '../d?é'); // 'http://a/d?é'
 * ```
 */
export function resolve(base: Text, reference: Text): string;

/**
 * Counts the lines of a text that match a rule. A line feed ends a line, with or without a carriage return before it.
 *
 * ```js
 * countLines('http://a/\na b\n'); // { lines: 2, valid: 1, invalid: 1 }
 * ```
 */
export function countLines(text: Text, rule?: Rule): { lines: number; valid: number; invalid: number };

/**
 * Parses the lines of a text at once: one call of the module for all lines.
 *
 * ```js
 * const lines = parseLines('http://a/\na b');
 * lines.column('host'); // ['a', null]
 * lines.isValid(1);     // false
 * ```
 */
export function parseLines(text: Text, rule?: Rule): Lines;

/** The lines of a text. A method throws `RangeError` for a line that is not there. */
export interface Lines extends Iterable<string> {
  /** The number of lines. */
  readonly length: number;
  /** Tells whether a line matches the rule. */
  isValid(line: number): boolean;
  /** The text of a line. */
  textAt(line: number): string;
  /** The reason why a line does not match; `null` if it matches. */
  errorAt(line: number): IriError | null;
  /** The texts of all lines. */
  toJSON(): string[];
  /** A component of each line; `null` if the line does not match, or if the component is absent. */
  column(component: Component): (string | null)[];
}
