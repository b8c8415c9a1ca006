// Writes the documents of the suite: a page for each charset and format, a document for each link that needs its own,
// and style sheets.
//
// The header field and the document declare the same charset. UTF-16 is declared by the header field alone in HTML.

import { charsets, encode } from './charsets.mjs';
import { reference } from './links.mjs';
import { samplesOf } from './samples.mjs';
import { vehicles } from './vehicles.mjs';

const types = {
  html: 'text/html',
  xhtml: 'application/xhtml+xml',
  svg: 'image/svg+xml',
  xml: 'application/xml',
  // Chromium shows application/atom+xml as text.
  atom: 'application/xml',
};

/** Returns the pages: their names, charsets, formats and links. */
export function pagesOf(links) {
  const pages = [];
  for (const charset of charsets) {
    for (const format of Object.keys(vehicles)) {
      const own = links.filter((link) => link.charset === charset && link.format === format);
      if (own.length > 0) pages.push({ name: `${charset}.${format}`, charset, format, links: own });
    }
  }
  return pages;
}

/** Returns the document of a page, as a media type and bytes. */
export function document({ charset, format, links }, port) {
  const text = templates[format](
    charset,
    links.map((link) => [link, markup(link, port)]),
  );
  return { type: `${types[format]}; charset=${charset}`, body: encode(text, charset) };
}

/** Returns the document of a link with a document of its own: a frame or a style sheet. */
export function ownDocument(link, port) {
  const { vehicle, charset, format } = link;
  const inside = vehicle.markup(reference(link, link.written, port), mark(link), link.id);
  const of = (type, text) => ({ type: `${type}; charset=${charset}`, body: encode(text, charset) });
  if (vehicle.how === 'sheet') return of('text/css', inside);
  if (format !== 'html') return of(types[format], `<?xml version="1.0" encoding="${charset}"?>${inside}`);
  return of(types.html, `<!DOCTYPE html>${meta(charset)}<title>f</title>${inside}`);
}

/** The text by which the runner checks that a browser reads a page as it was written. */
export const probe = (charset) => samplesOf(charset)[0].text;

const mark = ({ id }) => `data-i="${id}"`;

function markup(link, port) {
  const { vehicle, id, format } = link;
  const frame = format === 'xml' ? 'h:iframe' : 'iframe';
  if (vehicle.how === 'frame') return `<${frame} title="" src="/own/${id}"></${frame}>`;
  if (vehicle.how === 'sheet')
    return `<link rel="stylesheet" href="/own/${id}"/><i class="${id.replaceAll('.', '-')}">s</i>`;
  return vehicle.markup(reference(link, link.written, port), mark(link), id);
}

const meta = (charset) => (charset.startsWith('utf-16') ? '' : `<meta charset="${charset}">`);

const join = (rows, isProlog) =>
  rows
    .filter(([{ vehicle }]) => (vehicle.how === 'prolog') === isProlog)
    .map(([, text]) => text)
    .join('\n');

const xml = (charset, rows, root) =>
  `<?xml version="1.0" encoding="${charset}"?>\n${join(rows, true)}\n${root(join(rows, false))}\n`;

const templates = {
  html: (charset, rows) =>
    `<!DOCTYPE html><html lang="en"><head>${meta(charset)}<title>${charset}</title></head><body><p id="probe">${probe(charset)}</p>\n${join(rows, false)}\n</body></html>\n`,
  xhtml: (charset, rows) =>
    xml(
      charset,
      rows,
      (body) =>
        `<html xmlns="http://www.w3.org/1999/xhtml" xmlns:xlink="http://www.w3.org/1999/xlink"><head><title>${charset}</title></head><body><p id="probe">${probe(charset)}</p>\n${body}\n</body></html>`,
    ),
  svg: (charset, rows) =>
    xml(
      charset,
      rows,
      (body) =>
        `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="99" height="99"><text id="probe" y="9">${probe(charset)}</text>\n${body}\n</svg>`,
    ),
  xml: (charset, rows) =>
    xml(
      charset,
      rows,
      (body) =>
        `<list xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:h="http://www.w3.org/1999/xhtml"><h:p id="probe">${probe(charset)}</h:p>\n${body}\n</list>`,
    ),
  atom: (charset, rows) =>
    xml(
      charset,
      rows,
      (body) =>
        `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:h="http://www.w3.org/1999/xhtml"><id>urn:x:${charset}</id><title>t</title><updated>2026-01-01T00:00:00Z</updated><h:p id="probe">${probe(charset)}</h:p>\n<entry><id>urn:x:e</id><title>e</title><updated>2026-01-01T00:00:00Z</updated>\n${body}\n</entry></feed>`,
    ),
};
