export * from './index.js';

import type { HostKind, Level, Rule, Text } from './index.js';

/**
 * Returns the shortest reference that resolves to a target, relative to a base. Both are IRIs.
 *
 * ```js
 * relativize('http://a/b/c', 'http://a/b/d?e'); // 'd?e'
 * ```
 */
export function relativize(base: Text, target: Text): string;

/**
 * Returns the key of a reference: the same text for references that are equivalent at a level.
 *
 * ```js
 * key('HTTP://a/%7e'); // 'http://a/~'
 * ```
 */
export function key(text: Text, level?: Level, rule?: Rule): string;

/** Returns a number of 64 bits, the same for references that are equivalent at a level. */
export function fingerprint(text: Text, level?: Level, rule?: Rule): bigint;

/** Returns the kind of the host; `null` without a host. */
export function hostKind(text: Text, rule?: Rule): HostKind | null;

/**
 * Returns the origin (RFC 6454), in ASCII, with A-labels; `null` if it is opaque.
 *
 * ```js
 * origin('HTTP://A:80/b'); // 'http://a'
 * ```
 */
export function origin(text: Text, rule?: Rule): string | null;

/** Returns the port of a reference, or the port that its scheme implies; `null` also for a port greater than 65535. */
export function portOrDefault(text: Text, rule?: Rule): number | null;

/**
 * Returns the decoded value of the first pair with a name in the query. A plus sign is a plus sign.
 *
 * ```js
 * queryValue('http://a/?q=%C3%A9&b', 'q'); // 'é'
 * ```
 */
export function queryValue(text: Text, name: string, rule?: Rule): string | null;

/**
 * Returns a text with `***` in place of what may be a password, for logs. The text need not be a reference.
 *
 * ```js
 * masked('ftp://me:s3cret@a/b'); // 'ftp://me:***@a/b'
 * ```
 */
export function masked(text: Text): string;

/**
 * Returns a host without a port in ASCII, as the DNS needs it (UTS #46).
 *
 * ```js
 * hostToAscii('bücher.example'); // 'xn--bcher-kva.example'
 * ```
 */
export function hostToAscii(host: Text): string;

/** Returns a host without a port in Unicode, as people read it. */
export function hostToUnicode(host: Text): string;

/** Tells whether a text is the name of a host (RFC 1123, section 2.1). */
export function isHostname(text: Text): boolean;

/** Tells whether a text is the name of a host with letters of all scripts, by IDNA2008. */
export function isIdnHostname(text: Text): boolean;
