export * from './idna.js';

import type { Components, Correction, IriError, Rule, Text } from './index.js';

/** Returns every reason why a text does not match a rule, in the order of the text; with `most`, at most so many. */
export function violations(text: Text, rule?: Rule, options?: { most?: number }): IriError[];

/** Returns a reference without the pairs of the query that have one of these decoded names. */
export function dropQueryPairs(text: Text, names: string[]): string;

/**
 * Returns an IRI reference with these components. What a component cannot hold is percent-encoded, percent signs too.
 *
 * ```js
 * build({ scheme: 'https', host: 'a.example', path: '/100% é' }); // 'https://a.example/100%25%20é'
 * ```
 */
export function build(components: Components): string;

/** The format of a document. */
export type Format = 'html' | 'xml' | 'json' | 'css' | 'n-triples' | 'plain';

/** Returns a reference as a document has it. With `ascii`, the document holds only ASCII. */
export function escape(text: Text, format: Format, options?: { ascii?: boolean }): string;

/** Reads a text with the escapes of a document. */
export function unescape(text: Text, format: Format): string;

/** Returns the `file` IRI of a name of a POSIX system. */
export function fromPosixPath(name: string): string;

/** Returns the name of a POSIX system that a `file` IRI has. */
export function toPosixPath(text: Text): string;

/** Returns the `file` IRI of a name of Windows, which begins with a drive or a server. */
export function fromWindowsPath(name: string): string;

/** Returns the name of Windows that a `file` IRI has. */
export function toWindowsPath(text: Text): string;

/** A set of codes with a severity each. */
export type Profile = 'rfc' | 'rdf' | 'json-schema' | 'crawler' | 'strict';

/** What a check found in a valid reference. */
export interface Finding {
  /** The code, such as `'spoof.mixed-script-label'`. */
  code: string;
  severity: string;
  /** The index at which the finding begins. */
  start: number;
  /** The index after the finding. */
  end: number;
  component: string;
  message: string;
  /** What to write instead, and whether the reference then means the same. */
  suggestion?: Correction & { keepsMeaning: boolean };
}

/** Returns what a profile finds in a valid reference. */
export function lint(text: Text, profile?: Profile, rule?: Rule): Finding[];

/** Returns a reference in which each finding is corrected whose correction means the same. */
export function fix(text: Text, profile?: Profile, rule?: Rule): string;

/** What a code means. */
export interface Explanation {
  meaning: string;
  /** The section of the specification. */
  section: string;
  fix: string;
  /** A text with the problem; empty if no short text has it. */
  example: string;
  /** The same text without the problem. */
  fixed: string;
}

/** Explains the code of a finding, or the kind of an error. */
export function explain(code: string): Explanation;

/** Which repairs are made. */
export type RepairSet = 'strict' | 'leiri' | 'browser-like' | 'crawler' | 'rdf';

/** A change that {@link prepare} made. */
export interface Repair {
  kind: string;
  start: number;
  end: number;
}

/**
 * Repairs a string that need not be a reference, and returns the reference.
 *
 * ```js
 * prepare(' http://a/b c ').text; // 'http://a/b%20c'
 * ```
 */
export function prepare(text: Text, profile?: RepairSet): { text: string; repairs: Repair[] };

/** A browser whose rules decide which labels of a host are shown in Unicode. */
export type DisplayPolicy = 'chromium' | 'firefox';

/**
 * Returns the text as it is best read: nothing is invisible, no label of a host misleads, and a value that is not
 * UTF-8 stays as it is written. With `policy`, a label of the
 * host is shown in Unicode if this browser does so.
 *
 * ```js
 * display('http://tᴡitter.com/', 'iri', { policy: 'chromium' }); // 'http://xn--titter-345b.com/'
 * ```
 */
export function display(text: Text, rule?: Rule, options?: { policy?: DisplayPolicy | null | undefined }): string;

/**
 * Returns the rule by which a browser shows an A-label of the host; `null` if it shows each label in Unicode.
 *
 * ```js
 * displayRule('http://аст.com/', 'chromium'); // 'whole-script'
 * ```
 */
export function displayRule(text: Text, policy: DisplayPolicy, rule?: Rule): string | null;

/** Returns the text for running text: with as few escapes as the detection of links by UTS #58 allows. */
export function displayInText(text: Text, rule?: Rule): string;

/** Returns a text that is the same for references that look alike (UTS #39). */
export function skeleton(text: Text, rule?: Rule): string;

/** Returns the characters in the order of display, from left to right. */
export function visual(text: Text): string;

/** Returns the text for a paragraph of a direction, with marks around it if they are needed. */
export function embed(
  text: Text,
  direction: 'left-to-right' | 'right-to-left',
  options?: { marks?: 'embedding' | 'isolate' | 'each-part'; before?: string; after?: string },
): string;

/** Returns a text without the marks of {@link embed}. */
export function unembed(text: Text): string;

/** A set of keys whose values are secret. */
export type SecretSet =
  | 'otel'
  | 'otel-1.29'
  | 'otel-1.42'
  | 'otel-1.45'
  | 'aws-sigv4'
  | 'aws-sigv2'
  | 'cloudfront'
  | 'azure-sas'
  | 'gcs'
  | 'oauth'
  | 'common';

/** How {@link redact} redacts. An option that is not there has the default. */
export interface RedactOptions {
  /** The sets of secret keys, by default `['otel', 'oauth', 'common']`. With an empty list, user information alone is redacted. */
  sets?: SecretSet[] | undefined;
  /** Secret keys in addition to the sets: lists of words, such as `user-pin` or `*-pin`, however a name spells them. */
  keys?: string[] | undefined;
  /** Whether the keys of OpenTelemetry are lists of words, too, and not compared byte by byte. */
  anyCase?: boolean | undefined;
  /** Whether keys are compared only as they are written, without decoding them. */
  raw?: boolean | undefined;
  /** What is written in the place of user information. */
  userinfo?: 'shape' | 'both' | 'password' | 'drop' | undefined;
  /** What the text is; `text` is running text. */
  part?: 'reference' | 'target' | 'query' | 'text' | undefined;
  /** What is written in the place of a secret, by default `REDACTED`. */
  replacement?: string | undefined;
  /** Whether a semicolon separates pairs, too. */
  semicolons?: boolean | undefined;
  /** Whether a backslash ends an authority, as in browsers. */
  whatwg?: boolean | undefined;
  /** How often a value is decoded to find a secret in it, 0 to 4; by default 1 in running text, otherwise 0. */
  nested?: number | undefined;
  /** Whether the pairs of the fragment are redacted, by default with the sets `oauth` and `common`. */
  fragment?: boolean | undefined;
  /** Whether `;jsessionid=` in a path is redacted, by default with the set `common`. */
  sessionIds?: boolean | undefined;
  /** Whether the content of `data:` is redacted. */
  data?: boolean | undefined;
}

/**
 * Returns a text without its secrets, for logs: user information, and the values of secret keys. The text need not be a
 * reference.
 *
 * ```js
 * redact('https://me:s3cret@h/?q=a b&sig=x'); // 'https://REDACTED:REDACTED@h/?q=a b&sig=REDACTED'
 * ```
 */
export function redact(text: Text, options?: RedactOptions): string;

/** A text of a value. Other objects than lists and maps are texts by their strings. */
export type TemplateItem = string | number | bigint | boolean | Text | null | undefined;

/** The value of a variable: a text, a list or a map. `null` and `undefined` are no value. */
export type TemplateValue =
  TemplateItem | readonly TemplateItem[] | ReadonlyMap<string, TemplateItem> | { readonly [key: string]: TemplateItem };

/** The options of a match. */
export interface MatchOptions {
  /** Whether the pairs of the query are in any order, and other pairs and the fragment are ignored. */
  queryAsSet?: boolean | undefined;
  /** With `queryAsSet`: whether a pair that the template does not have is no match. */
  knownPairsOnly?: boolean | undefined;
  /** With `queryAsSet`: whether a repeated pair is no match, unless its variable has a `*`. */
  singlePairsOnly?: boolean | undefined;
}

/**
 * A template of references (RFC 6570).
 *
 * ```js
 * const template = Template.parse('/users/{id}{?q}');
 * template.expand({ id: 'é', q: ['x', 'y'] }); // '/users/%C3%A9?q=x,y'
 * template.match('/users/a%20b');              // { id: 'a b' }
 * ```
 */
export class Template {
  /** Parses a template. Throws {@link IriError} for a text that is not a template. */
  constructor(text: Text);
  /** Parses a template, as `new Template` does. */
  static parse(text: Text): Template;
  /** Each name of a variable once. */
  readonly variables: string[];
  /** The level of the template, 1 to 4 (RFC 6570, section 1.2). */
  readonly level: number;
  /** Whether the template ends in expressions with `?` or `&`. `queryAsSet` is for such a template. */
  readonly endsInQuery: boolean;
  /**
   * Puts values into the place of the expressions, and returns a URI reference; with `iri`, characters outside ASCII stay.
   * Throws {@link IriError} for a list or a map in the place of a variable with a prefix.
   */
  expand(
    variables: { readonly [name: string]: TemplateValue } | ReadonlyMap<string, TemplateValue>,
    options?: { iri?: boolean },
  ): string;
  /** Reads the values of the variables from a text: a text or a list each; `null` if the template does not match. */
  match(text: Text, options?: MatchOptions): { [name: string]: string | string[] } | null;
  /** The text of the template. */
  toString(): string;
  /** The text of the template. */
  toJSON(): string;
}
