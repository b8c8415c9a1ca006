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
