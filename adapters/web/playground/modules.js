// The two modules of WebAssembly in the page. The small one makes the first answer, the large one all others.

import { engine } from 'simd-iri/engine';

/** Returns the functions of the module in the element with an id. */
async function load(id) {
  const text = document.getElementById(id).textContent;
  const packed = Uint8Array.fromBase64
    ? Uint8Array.fromBase64(text)
    : Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  const { core, idna, check, full, page } = engine(
    await WebAssembly.instantiate(await new Response(stream).arrayBuffer()),
  );
  return { ...core, ...idna, ...check, ...full, ...page };
}

export const loadCore = () => load('core');

/** Waits until the page is there and the browser has nothing else to do. */
export async function loadPage() {
  if (document.readyState === 'loading')
    await new Promise((done) => addEventListener('DOMContentLoaded', done, { once: true }));
  await new Promise((done) => (globalThis.requestIdleCallback ?? setTimeout)(done));
  return load('page');
}
