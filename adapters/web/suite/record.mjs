// The record of the suite: a row for each link, and how it was made. The rows are sorted, so that two records can be
// compared line by line.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const folder = path.join(import.meta.dirname, 'results');

/** The columns. The first six are the identifier of the link. */
export const columns = [
  'charset',
  'format',
  'vehicle',
  'part',
  'sample',
  'form',
  'written',
  'chromium',
  'firefox',
  'rfc3987',
  'guidelines2011',
  'prepare',
  'to_uri',
  'to_uri_page',
  'verdict',
];

/** What stands for an answer that is not there: a rule that says nothing, or a command that does not apply. */
export const NONE = '-';

/** Returns the rows of the record by the identifiers of their links, and what `run.json` says; empty if there is none. */
export async function readRecord() {
  const text = await readFile(path.join(folder, 'links.tsv'), 'utf8').catch(() => '');
  const rows = new Map(
    text
      .split('\n')
      .slice(1, -1)
      .map((line) => {
        const row = Object.fromEntries(line.split('\t').map((cell, at) => [columns[at], cell]));
        return [idOf(row), row];
      }),
  );
  const made = JSON.parse(await readFile(path.join(folder, 'run.json'), 'utf8').catch(() => '{}'));
  return { rows, made };
}

export async function writeRecord(rows, made) {
  const sorted = [...rows.values()].sort((one, other) => (idOf(one) < idOf(other) ? -1 : 1));
  const lines = [columns, ...sorted.map((row) => columns.map((name) => row[name]))].map(
    (cells) => `${cells.join('\t')}\n`,
  );
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'links.tsv'), lines.join(''));
  await writeFile(path.join(folder, 'run.json'), `${JSON.stringify(made, null, 2)}\n`);
}

export const idOf = (row) =>
  columns
    .slice(0, 6)
    .map((name) => row[name])
    .join('.');

/**
 * Writes text so that a table can hold it and a reader can tell it apart: characters that nobody sees, and those that
 * normalization to NFC changes, are written as their numbers.
 */
export function shown(text) {
  const changes = text.normalize('NFC') !== text;
  return text.replace(/[\p{Cc}\p{Cf}\p{Cn}]|[^\0-\x7f]/gu, (one) => {
    const isSeen =
      !/[\p{Cc}\p{Cf}\p{Cn}]/u.test(one) && !(changes && (/\p{M}/u.test(one) || one.normalize('NFC') !== one));
    return isSeen ? one : `\\u{${one.codePointAt(0).toString(16)}}`;
  });
}
