export * from './check.js';

import type { Rule, Text } from './index.js';

/** A link in running text. */
export interface Link {
  /** The characters of the link. */
  text: string;
  kind: string;
  start: number;
  end: number;
  /** The reference that the link means; `null` if it means none. */
  reference: string | null;
}

/**
 * Where a link in prose ends: `strict` by UTS #58, `tight` at the punctuation of Chinese, Japanese and Korean, `ascii` after
 * the host also at letters outside ASCII.
 */
export type Ends = 'strict' | 'tight' | 'ascii';

/**
 * Returns the links of a text (UTS #58).
 *
 * ```js
 * extract('请看http://a.example/b。', 'plain', { ends: 'tight' })[0].text; // 'http://a.example/b'
 * ```
 */
export function extract(
  text: Text,
  markup?: 'plain' | 'log' | 'markdown' | 'html',
  options?: { ends?: Ends | undefined },
): Link[];

/**
 * Returns the registrable domain, by the list of public suffixes; `null` if there is none.
 *
 * ```js
 * registrableDomain('http://www.example.co.uk/'); // 'example.co.uk'
 * ```
 */
export function registrableDomain(text: Text, rule?: Rule): string | null;

/** The policy by which URLs are judged, in place of that for pages of the public web. */
export interface Policy {
  /** The schemes that are allowed, by default `http` and `https`. */
  schemes?: string[] | undefined;
  /** The ports that are allowed, by default 80 and 443. */
  ports?: number[] | undefined;
  /** Whether user information is left out of the URL to send, in place of refusing the text. */
  stripUserinfo?: boolean | undefined;
  /** Whether every host that is an address is refused. */
  refuseLiterals?: boolean | undefined;
  /** How many redirects may follow one another, by default 5. */
  maxRedirects?: number | undefined;
  /** The only hosts that are allowed, besides those of `onlyDomains`. */
  onlyHosts?: string[] | undefined;
  /** The only domains that are allowed, with all names below them. */
  onlyDomains?: string[] | undefined;
  /** Domains that are refused, with all names below them. */
  refuseDomains?: string[] | undefined;
  /** Domains of a private network that are permitted, with all names below them. */
  permitDomains?: string[] | undefined;
  /** Ranges of addresses that are refused, such as `203.0.113.0/24`. */
  refuseRanges?: string[] | undefined;
  /** Ranges of addresses that are permitted, such as `10.0.0.0/8`. */
  permitRanges?: string[] | undefined;
  /** Prefixes of translators of the own network, such as `2001:db8::/96`. */
  nat64Prefixes?: string[] | undefined;
}

/** A range of addresses that are refused. */
export interface AddressRange {
  /** The name, such as `10.0.0.0/8`. */
  name: string;
  /** The words of the table about the range, such as `loopback`. */
  meaning: string;
  /** Whether the address is that of a metadata service of a cloud. */
  isMetadata: boolean;
}

/** A reason to refuse a text. */
export interface Reason {
  /** The kind, and the name of the range of an address. */
  name: string;
  /** The kind, such as `readings-differ`. */
  kind: string;
  message: string;
  /** The index at which the reason begins; `null` if it has no place in the text. */
  start: number | null;
  /** The index after the reason. */
  end: number | null;
  /** The range of the address; `null` if the reason is not about an address. */
  range: AddressRange | null;
}

/** What a policy says about a text. */
export interface Verdict {
  /** With `resolve`, the host is a name: look it up once, and judge each address with {@link judgeAddress}. */
  decision: 'refuse' | 'allow' | 'resolve';
  /** All reasons to refuse the text, in a fixed order. */
  reasons: Reason[];
  scheme: string | null;
  /** The host by RFC 3987. */
  hostByRfc: string | null;
  /** The host by the URL Standard. */
  hostByWhatwg: string | null;
  port: number | null;
  /** The address, if the URL Standard reads an address as host. */
  address: string | null;
  /** The URL to request in place of the text; `null` if the text is refused. */
  urlToSend: string | null;
}

/**
 * Judges a URL before it is fetched. Opens no connection and looks up no name.
 *
 * ```js
 * judge('https://Example.com:443/a/../b?q#top').urlToSend; // 'https://example.com/b?q'
 * judge('http://127.1/').decision;                         // 'refuse'
 * ```
 */
export function judge(text: Text, policy?: Policy): Verdict;

/**
 * Judges an address to which a name resolves: returns the range because of which it is refused; `null` if it is not refused.
 *
 * ```js
 * judgeAddress('10.0.0.1').name; // '10.0.0.0/8'
 * ```
 */
export function judgeAddress(address: Text, policy?: Policy): AddressRange | null;

/**
 * Judges the `Location` of a response to a request of `base`, which is the `urlToSend` of the request. `number` is 1 for the
 * first redirect. `keepsCredentials` says whether `Authorization` and cookies may go with the next request.
 *
 * ```js
 * judgeRedirect('../b', 'https://example.com/a/').urlToSend; // 'https://example.com/b'
 * ```
 */
export function judgeRedirect(
  location: Text,
  base: Text,
  number?: number,
  policy?: Policy,
): Verdict & { keepsCredentials: boolean };

/** A tool whose keys are made. */
export type ArchiveProfile = 'wayback' | 'pywb' | 'heritrix' | 'urlcanon' | 'ssurt';

/** What a key has or does, unlike those of its profile. */
export interface ArchiveOptions {
  /** How often `www.` is stripped from the front of a host. */
  www?: 'all' | 'one' | 'keep' | undefined;
  /** Whether a slash at the end of a path stays. */
  slash?: boolean | undefined;
  /** Whether the ids of sessions stay. */
  sessionIds?: boolean | undefined;
  /** Whether the pairs of a query are sorted. */
  sort?: boolean | undefined;
  /** Whether letters become lower case. */
  case?: boolean | undefined;
  /** Whether the key begins with the scheme. */
  scheme?: boolean | undefined;
  /** Whether a comma comes after the last label of the host. */
  comma?: boolean | undefined;
  /** Whether the numbers of an IPv4 address are in reverse. */
  reverseIp?: boolean | undefined;
  /** Whether the key is that of the canonical address of urlcanon's aggressive rules. */
  aggressive?: boolean | undefined;
}

/**
 * Returns the key by which web archives find an address. A text that the profile rejects is its own key.
 *
 * ```js
 * archiveKey('https://www.Example.com/a/?c=1&b=2#top'); // 'com,example)/a?b=2&c=1'
 * ```
 */
export function archiveKey(text: Text, profile?: ArchiveProfile, options?: ArchiveOptions): string;

/** The format of rules for queries: tables of TOML, a catalog of ClearURLs, or a filter list of AdGuard or uBlock Origin. */
export type RuleFormat = 'toml' | 'clearurls' | 'adguard';

/** Thrown for rules that do not follow their format. The message quotes nothing of the rules. */
export class RuleError extends SyntaxError {
  constructor(message: string, place?: { kind: string; line: number; column: number } | null);
  /** The kind, such as `unknown-key`. */
  readonly kind: string | null;
  /** The number of the line, from 1. */
  readonly line: number | null;
  /** The number of the character in its line, from 1. */
  readonly column: number | null;
}

/** The options of rules. */
export interface RuleOptions {
  /** Whether pairs that say who referred a buyer stay: `referralMarketing` of ClearURLs. */
  allowReferral?: boolean | undefined;
  /** Whether the `?` of a query stays if all its pairs go. */
  keepMark?: boolean | undefined;
}

/**
 * Rules that remove pairs of queries. Their text is read once.
 *
 * ```js
 * const rules = new QueryRules("[[drop]]\nnames = ['utm_*']");
 * rules.apply('https://a.example/?utm_source=x&q=1'); // 'https://a.example/?q=1'
 * ```
 */
export class QueryRules {
  /** Reads rules. Throws {@link RuleError} for a text that does not follow its format. */
  constructor(text: Text, format?: RuleFormat, options?: RuleOptions);
  /** The format of the text. */
  readonly format: RuleFormat;
  /** How many rules there are: names, patterns, wrappers, or lines of a filter list. */
  readonly count: number;
  /** Why lines of a filter list are not applied, in their order. */
  readonly skipped: RuleError[];
  /** Returns a reference without the pairs of the query that the rules name. */
  apply(text: Text): string;
}

/**
 * Returns a link without the wrappers that mail filters and sites have put around it, up to a number of levels, which is 1 by
 * default and at most 5; the text itself if it is not wrapped. With rules, their wrappers are unwrapped, too.
 *
 * ```js
 * unwrap('https://www.google.com/url?q=https%3A%2F%2Fa.example%2F%3Fb&sa=D'); // 'https://a.example/?b'
 * ```
 */
export function unwrap(text: Text, levels?: number, rules?: QueryRules | null): string;
