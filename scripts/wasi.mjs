// Runs a program for WASI in Node, with the arguments and the environment of this program:
//
//     node scripts/wasi.mjs PROGRAM [ARGUMENT…]
//
// The program reads the whole file system, because tests read their cases.
import { readFile } from "node:fs/promises";
import { argv, env, exit } from "node:process";
import { WASI } from "node:wasi";

const [program, ...args] = argv.slice(2);
const wasi = new WASI({ version: "preview1", args: [program, ...args], env, preopens: { "/": "/" } });
// Node 18 has no `getImportObject`.
const imports = { wasi_snapshot_preview1: wasi.wasiImport };
const { instance } = await WebAssembly.instantiate(await readFile(program), imports);
exit(wasi.start(instance));
