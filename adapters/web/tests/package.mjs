// The built package, for the tests.

import { pathToFileURL } from 'node:url';

/** The folder of the project. */
export const root = new URL('../../../', import.meta.url);

const target = process.env.CARGO_TARGET_DIR
  ? pathToFileURL(`${process.env.CARGO_TARGET_DIR}/`)
  : new URL('target/', root);

/** The folder of the package. */
export const folder = new URL('npm/', target);

/** The largest module, which has all functions. */
export const all = await import(new URL('full.js', folder));
