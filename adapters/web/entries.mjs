// Writes the entries of the package: each loads a module, and exports its functions by their names.
//
//     node entries.mjs DIRECTORY

import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [directory] = process.argv.slice(2);
const { engine } = await import(pathToFileURL(join(directory, 'engine.js')));

/** The groups of functions, from the smallest module to the largest. Each module has the groups before it. */
const modules = ['core', 'idna', 'check', 'full'];

const groups = engine(await WebAssembly.instantiate(await readFile(join(directory, 'full.wasm'))));

for (const [place, name] of modules.entries()) {
  const own = modules.slice(0, place + 1);
  const files = existsSync(join(directory, `${name}.scalar.wasm`)) ? [name, `${name}.scalar`] : [name];
  const lines = [
    `import { engine } from './engine.js';`,
    `import { load } from './load.js';`,
    '',
    `const { ${own.join(', ')} } = engine(`,
    `  await load(${files.map((file) => `new URL('./${file}.wasm', import.meta.url)`).join(', ')}),`,
    ');',
    '',
    `export { IriError } from './engine.js';`,
    ...own.map((group) => `export const { ${Object.keys(groups[group]).join(', ')} } = ${group};`),
    '',
  ];
  await writeFile(join(directory, name === 'core' ? 'index.js' : `${name}.js`), lines.join('\n'));
}
