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

/** Returns the text as it is best read: nothing is invisible, and no label of a host misleads. */
export function display(text: Text, rule?: Rule): string;

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
