// Writes the page of the record, results/index.html: what was found, the matrices, and all rows with filters.
//
// The page holds its data, its style and its script, and asks for nothing. page.css and page.js are parts of it.

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { charsets } from './charsets.mjs';
import { isBlocked, words } from './judge.mjs';
import { links } from './links.mjs';
import { notes } from './notes.mjs';
import { inCharset, REFUSED, sameBytes } from './parts.mjs';
import { columns, NONE } from './record.mjs';

/** What a letter of a matrix means. */
const legend = {
  U: 'UTF-8, as RFC 3987 says',
  D: 'the charset of the document, as the guidelines of 2011 say',
  A: 'the host by ToASCII',
  N: 'the characters as they are, where RFC 3987 normalizes to NFC',
  M: 'a character reference, because the charset lacks the character',
  S: 'the same text as it is written: it is percent-encoded already',
  T: 'asked for twice, in different bytes',
  C: 'the charset that accept-charset names',
  R: 'refused: the browser makes no URL of it',
  O: 'otherwise',
  '–': 'not followed',
};

export const reportPath = path.join(import.meta.dirname, 'results/index.html');

export const writeReport = async (rows, made) => writeFile(reportPath, await report(rows, made));

/** Returns the page of a record. */
export async function report(rows, made) {
  const own = (name) => readFile(path.join(import.meta.dirname, name), 'utf8');
  const [style, script] = await Promise.all([own('page.css'), own('page.js')]);
  const list = links()
    .filter(({ id }) => rows.has(id))
    .map((link) => [link, rows.get(link.id)]);
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>What browsers send for internationalized links</title>
<style>
${style}</style>
</head>
<body>
<main>
${introduction(list, made)}
${findings(list)}
${forEditors()}
${matrices(list)}
${table()}
</main>
<script type="application/json" id="data">${data(list)}</script>
<script>
${script}</script>
</body>
</html>
`;
}

const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const number = (value) => value.toLocaleString('en-US');

function introduction(list, made) {
  const browsers = ['chromium', 'firefox'].filter((name) => made[name]);
  const run = browsers.map((name) => {
    const { version, date, seconds } = made[name];
    const count = list.filter(([, row]) => !isBlocked(row[name]) && row[name] !== NONE).length;
    const refused = list.filter(([, row]) => row[name] === REFUSED).length;
    return `<tr><th scope="row">${version}</th><td><time>${date}</time></td><td>${number(count - refused)}</td><td>${refused}</td><td>${number(list.length - count)}</td><td>${seconds} s</td></tr>`;
  });
  return `<h1>What browsers send for internationalized links</h1>
<p class="lead">${number(list.length)} links in ${charsets.length} charsets, followed by two browsers. For each link: the bytes that a server got, what RFC 3987 and the guidelines of 2011 say, and what the program <code>iri</code> makes of it.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Browsers"><table>
<caption>The browsers</caption>
<thead><tr><th scope="col">Browser</th><th scope="col">Day</th><th scope="col">Confirmed</th><th scope="col">Refused</th><th scope="col">Not followed</th><th scope="col">Time</th></tr></thead>
<tbody>${run.join('')}</tbody>
</table></div>
<p>The program is ${escape(made.program ?? 'iri')}. A link is <em>confirmed</em> if the server got its request. A server sees no fragment and no user information: those are read from the page. A host is <em>refused</em> if the browser makes no URL of it. This page is made from <code>links.tsv</code>, where each link is a line; the README beside it says what each column means. To cite a link, give its identifier, the browser and the day.</p>`;
}

function findings(list) {
  const count = new Map(Object.keys(words).map((word) => [word, []]));
  for (const [link, row] of list) for (const word of row.verdict.split(' ')) count.get(word)?.push(link);
  const group = (who, title) => {
    const rows = Object.entries(words).filter(([word, about]) => about.who === who && count.get(word).length > 0);
    const lines = rows.map(
      ([word, { text }]) =>
        `<div><dt><a href="#verdict=${word}">${word}</a> ${number(count.get(word).length)}</dt><dd>${escape(text)}</dd></div>`,
    );
    return `<h3>${title}</h3>\n<dl class="findings">${lines.join('\n')}</dl>`;
  };
  return `<h2 id="findings">What was found</h2>
<p>A link has one or more verdicts, which link to their rows; the number counts the links. Bytes are compared after percent-decoding, so that a different spelling of the same bytes is no difference.</p>
${group('standard', 'The rule that a browser follows')}
${group('browser', 'Where the browsers have their own ways')}
${group('program', 'Where iri answers otherwise than the browsers')}`;
}

function forEditors() {
  const items = notes.map(({ text, view }) => `<li>${escape(text)} <a href="#${escape(view)}">Rows</a></li>`);
  return `<h2 id="editors">For the editors of the standards</h2>
<p>What the table shows and the standards leave open, say otherwise, or say without effect. The statements hold for these versions of the browsers; <code>test/record.test.mjs</code> compares them with the rows.</p>
<ul class="notes">${items.join('\n')}</ul>`;
}

function matrices(list) {
  const marks = Object.entries(legend).map(
    ([mark, text]) => `<div><dt class="c${markClass(mark)}">${mark}</dt><dd>${text}</dd></div>`,
  );
  const parts = ['query', 'path', 'host', 'fragment', 'user'];
  const byVehicle = parts.map((part) => {
    const own = list.filter(([link]) => link.part === part && link.sample === 'has' && link.form === 'raw');
    return matrix(
      part,
      own,
      ([{ format, vehicle }]) => `${format} ${vehicle.name}`,
      part === 'query',
      (key) => `format=${key.split(' ')[0]}&vehicle=${key.split(' ')[1]}&part=${part}`,
    );
  });
  const byText = parts.map((part) => {
    const own = list.filter(
      ([link]) =>
        link.format === 'html' &&
        link.vehicle.name === 'a' &&
        link.part === part &&
        ['has', 'lacks', 'astral', 'composes', 'named'].includes(link.sample),
    );
    return matrix(
      part,
      own,
      ([{ sample, form }]) => `${sample} ${form}`,
      false,
      (key) => `format=html&vehicle=a&part=${part}&sample=${key.split(' ')[0]}&form=${key.split(' ')[1]}`,
    );
  });
  return `<h2 id="matrix">Charset × vehicle × part</h2>
<p>Each cell is the link with the charset's own letters, written raw: what both browsers send, or Chromium and Firefox with a slash between them. An empty cell has no link. A row links to its links.</p>
<dl class="legend">${marks.join('')}</dl>
${byVehicle.join('\n')}
<h2 id="texts">Charset × text × part</h2>
<p>The links of <code>&lt;a href&gt;</code> in HTML: text that the charset has, lacks, or has in another form than NFC; written raw, as a number, by name, or percent-encoded in UTF-8 (pct) and in the charset (pctc).</p>
${byText.join('\n')}`;
}

function matrix(part, list, keyOf, open, target) {
  const cells = new Map();
  for (const entry of list) {
    const key = keyOf(entry);
    if (!cells.has(key)) cells.set(key, new Map());
    cells.get(key).set(entry[0].charset, cell(...entry));
  }
  const head = charsets
    .map((charset) => `<th scope="col"><a href="#charset=${charset}&amp;part=${part}"><span>${charset}</span></a></th>`)
    .join('');
  const body = [...cells].map(
    ([key, row]) =>
      `<tr><th scope="row"><a href="#${target(key).replaceAll('&', '&amp;')}">${key}</a></th>${charsets.map((charset) => row.get(charset) ?? '<td></td>').join('')}</tr>`,
  );
  return `<details${open ? ' open' : ''}><summary>${part[0].toUpperCase()}${part.slice(1)}: ${cells.size} rows</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Matrix of the ${part}"><table class="matrix"><thead><tr><td></td>${head}</tr></thead><tbody>
${body.join('\n')}
</tbody></table></div></details>`;
}

function cell(link, row) {
  const [one, other] = [markOf(link, row, row.chromium), markOf(link, row, row.firefox)];
  const text = one === other ? one : `${one}/${other}`;
  return `<td class="${one === other ? `c${markClass(one)}` : 'differ'}">${text}</td>`;
}

const markClass = (mark) => (mark === '–' ? 'none' : mark);

function markOf(link, row, value) {
  if (value === NONE || isBlocked(value)) return '–';
  if (value === REFUSED) return 'R';
  if (value.includes(' ')) return 'T';
  if (link.vehicle.charset && sameBytes(value, inCharset(link, link.vehicle.charset))) return 'C';
  if (link.part === 'host') return value === row.rfc3987 ? 'A' : 'O';
  const isUtf8 = sameBytes(value, inCharset(link, 'utf-8'));
  const isCharset = sameBytes(value, inCharset(link, link.charset));
  if (isUtf8 && isCharset && link.form.startsWith('pct')) return 'S';
  if (isUtf8) return row.rfc3987 !== NONE && !sameBytes(value, row.rfc3987) ? 'N' : 'U';
  if (isCharset) return row.guidelines2011 === NONE && row.rfc3987 !== NONE ? 'M' : 'D';
  return 'O';
}

function table() {
  const filters = ['charset', 'format', 'vehicle', 'part', 'sample', 'form', 'verdict'];
  const selects = filters.map(
    (name) => `<label>${name}<select name="${name}"><option value="">all</option></select></label>`,
  );
  return `<h2 id="links">All links</h2>
<form id="filters">${selects.join('')}<label>text<input name="text" type="search" autocomplete="off"></label><button type="reset">Reset</button></form>
<p id="count" role="status"></p>
<div class="scroll" tabindex="0" role="region" aria-label="Links"><table class="links" role="table"><thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">Link</th><th scope="col" role="columnheader">Written</th><th scope="col" role="columnheader">Chromium</th><th scope="col" role="columnheader">Firefox</th><th scope="col" role="columnheader">RFC 3987</th><th scope="col" role="columnheader">Guidelines</th><th scope="col" role="columnheader"><code>prepare</code></th><th scope="col" role="columnheader"><code>to-uri</code></th><th scope="col" role="columnheader"><code>to-uri</code>, page</th><th scope="col" role="columnheader">Verdict</th></tr></thead><tbody id="rows" role="rowgroup"></tbody></table></div>
<button id="more" type="button">Show more</button>
<noscript><p>The table of links needs JavaScript. The same rows are in <code>links.tsv</code>.</p></noscript>`;
}

/**
 * The rows as JSON: the columns with few values as numbers of a list of their values. An answer that equals the one
 * to its left is an empty text, because most do.
 */
function data(list) {
  const few = ['charset', 'format', 'vehicle', 'part', 'sample', 'form', 'verdict'];
  const values = Object.fromEntries(few.map((name) => [name, [...new Set(list.map(([, row]) => row[name]))]]));
  const places = Object.fromEntries(few.map((name) => [name, new Map(values[name].map((value, at) => [value, at]))]));
  const answers = columns.slice(7, -1);
  const rows = list.map(([, row]) => [
    ...few.map((name) => places[name].get(row[name])),
    row.written,
    ...answers.map((name, at) => (at > 0 && row[name] === row[answers[at - 1]] ? '' : row[name])),
  ]);
  return JSON.stringify({ few, values, rows }).replaceAll('<', '\\u003c').replaceAll('],[', '],\n[');
}
