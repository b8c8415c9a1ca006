import type * as full from './full.js';

export { IriError } from './index.js';

/**
 * Returns the functions and classes over an instance of a module of this package, for a program that loads the module in its
 * own way. A function that the module does not have throws `TypeError`.
 */
export function engine(instance: WebAssembly.Instance): Record<'core' | 'idna' | 'check' | 'full', Omit<typeof full, 'IriError'>>;
