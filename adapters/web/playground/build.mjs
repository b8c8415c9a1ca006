// Writes the playground as one file of HTML, which loads nothing: the scripts, the style and the modules of WebAssembly are
// in it, and its policy allows these scripts and this style alone.
//
//     node build.mjs PACKAGE MODULE OUTPUT
//
// PACKAGE is the directory of the npm package, MODULE the module with the feature `page`. The modules are scalar, so that
// one page works in each browser.

import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const [directory, module, output] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));

/** Returns a script or a style as one text. */
async function bundle(entry) {
  const { outputFiles } = await build({
    entryPoints: [join(here, entry)],
    alias: { 'simd-iri/engine': resolve(directory, 'engine.js') },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  // The parser of HTML makes a line feed of each line end, and the hash is of what it makes.
  return outputFiles[0].text.replaceAll('\r', '');
}

const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const packed = async (file) => gzipSync(await readFile(file), { level: 9 }).toString('base64');

const [script, style] = [await bundle('app.js'), await bundle('style.css')];
const parts = {
  POLICY: `default-src 'none'; script-src ${hash(script)} 'wasm-unsafe-eval'; style-src ${hash(style)}; base-uri 'none'; form-action 'none'`,
  STYLE: style,
  CORE: await packed(join(directory, 'core.scalar.wasm')),
  SCRIPT: script,
  PAGE: await packed(module),
};
const template = await readFile(join(here, 'index.html'), 'utf8');
const page = template.replace(/(?<=[">])(POLICY|STYLE|CORE|SCRIPT|PAGE)(?=["<])/g, (name) => parts[name]);
await writeFile(output, page);
