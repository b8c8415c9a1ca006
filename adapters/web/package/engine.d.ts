import type * as check from './check.js';
import type * as full from './full.js';
import type * as idna from './idna.js';
import type * as core from './index.js';

export { IriError } from './index.js';

/** What `WebAssembly.instantiate` makes of the bytes of a module. */
export interface Source {
  module: object;
  instance: { exports: object };
}

/**
 * Returns the functions and classes over a module of this package, for a program that loads the module in its own way. A
 * function of a group that the module does not have throws `TypeError`.
 */
export function engine(source: Source): {
  core: Omit<typeof core, 'IriError'>;
  idna: Omit<typeof idna, keyof typeof core>;
  check: Omit<typeof check, keyof typeof idna>;
  full: Omit<typeof full, keyof typeof check>;
};
