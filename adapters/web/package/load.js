// Loads a module of WebAssembly: from its place on the web, or from a file in Node.

/** A module with one instruction of SIMD. An engine without SIMD refuses it. */
const SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 9, 1, 7, 0, 65, 0, 253, 15, 26, 11,
]);

/** The module of Node that reads files. A constant, so that a bundler for the web does not look for it. */
const FILES = 'node:fs/promises';

/**
 * Returns the module at an address with an instance of it. A module with SIMD has a second address, where the same module is without
 * SIMD.
 */
export async function load(first, scalar = first) {
  const url = WebAssembly.validate(SIMD) ? first : scalar;
  // Only Node does not fetch files.
  if (url.protocol === 'file:' && globalThis.process?.release?.name === 'node') {
    const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ FILES);
    return instantiate(url, await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`simd-iri: ${url}: ${response.status} ${response.statusText}`);
  // Not streamed, because many servers do not send the media type that streaming needs.
  return instantiate(url, await response.arrayBuffer());
}

async function instantiate(url, bytes) {
  try {
    return await WebAssembly.instantiate(bytes);
  } catch (cause) {
    throw new Error(`simd-iri: ${url} is not a module, or the policy of the page forbids modules: ${cause.message}`, {
      cause,
    });
  }
}
