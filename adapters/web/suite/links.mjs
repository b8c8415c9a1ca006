// The links of the suite: which text stands in which part of which vehicle, in which charset and form.
//
// The identifier of a link says what it tests: charset.format.vehicle.part.sample.form. A reference has the identifier
// in its path, in ASCII, so that the server knows the link whatever a browser makes of the rest.

import { charsets, encode, isUnicode } from './charsets.mjs';
import { ascii, bidi, hosts, samplesOf } from './samples.mjs';
import { vehicles } from './vehicles.mjs';

// Charsets in which formats besides HTML test a path, too. In the other charsets they test a query, in which
// charsets differ.
const withPaths = new Set(['utf-8', 'utf-16le', 'windows-1251', 'windows-1258', 'shift_jis']);
const mixed = new Set(['utf-8', 'windows-1251']);
const fromRightToLeft = ['utf-8', 'windows-1255', 'windows-1256', 'iso-8859-8'];

/** Returns all links, each once, in the order of the pages. */
export function links() {
  const list = [];
  for (const charset of charsets) {
    for (const format of Object.keys(vehicles)) {
      list.push(control(charset, format));
      for (const vehicle of vehicles[format]) list.push(...linksOf(charset, format, vehicle));
    }
    list.push(...specials(charset));
  }
  return list;
}

/** A link of ASCII, which must not fail. Every page has one, and it is the first that is followed. */
function control(charset, format) {
  const name = { html: 'a', xhtml: 'a', svg: 'a-href', xml: 'html-a', atom: 'html-img' }[format];
  const vehicle = vehicles[format].find((one) => one.name === name);
  return link(charset, format, vehicle, 'query', 'control', 'raw', 'abc', 'abc');
}

/** The links of a vehicle: the charset's own letters everywhere, all samples in the vehicles `a` and the forms. */
function* linksOf(charset, format, vehicle) {
  const parts = [...vehicle.parts, ...(vehicle.reads ?? [])];
  for (const part of parts) {
    if (format !== 'html' && part !== 'query' && !withPaths.has(charset)) continue;
    for (const sample of samplesOf(charset)) {
      for (const form of sample.forms) {
        if (!chosen(format, vehicle, part, sample.name, form)) continue;
        if (part === 'host' && form === 'pctc') continue;
        const [text, written] = write(sample, form, charset, vehicle.text, format);
        if (written !== null) yield link(charset, format, vehicle, part, sample.name, form, text, written);
      }
    }
  }
}

/**
 * Whether a link is in the suite. All products would be more than a hundred thousand, so each question has its own
 * links.
 */
function chosen(format, vehicle, part, sample, form) {
  const { name, text } = vehicle;
  // Charset × vehicle × part.
  if (sample === 'has' && form === 'raw') return true;
  // Charset × part × sample × form. A host and user information depend neither on the charset nor on decimal numbers.
  if (format === 'html' && name === 'a')
    return ['path', 'query', 'fragment'].includes(part) || !['dec', 'pctc'].includes(form);
  // What a form sends depends on the charset and the characters, not on how the page writes them.
  if (text === 'field')
    return (
      (sample !== 'has' && (form === 'hex' || form === 'named') && format === 'html') ||
      (sample === 'lacks' && form === 'hex')
    );
  if (part !== 'query' || form !== 'hex') return false;
  // How numbers and missing characters fare where another parser reads them.
  if (text === 'css-attribute' || text === 'css') return sample === 'has' || sample === 'lacks';
  return sample === 'lacks' && ['a', 'img-src', 'html-img', 'image-href', 'meta-refresh'].includes(name);
}

/** The links that few charsets have: ASCII that a reference cannot hold, text from right to left, and hosts. */
function* specials(charset) {
  const [a] = vehicles.html;
  const rows = [];
  if (mixed.has(charset)) {
    for (const [name, text] of Object.entries(ascii)) rows.push([`ascii-${name}`, text, ['path', 'query', 'fragment']]);
  }
  if (fromRightToLeft.includes(charset)) {
    for (const [name, text] of Object.entries(bidi)) {
      // A slash ends the host.
      rows.push([`bidi-${name}`, text, ['path', 'query', 'fragment', ...(name === 'slash' ? [] : ['host'])]]);
    }
  }
  if (charset === 'utf-8') {
    for (const [name, text] of Object.entries(hosts)) rows.push([`host-${name}`, text, ['host']]);
  }
  for (const [sample, text, parts] of rows) {
    const form = encode(text, charset) ? 'raw' : 'hex';
    const [, written] = write({ text }, form, charset, 'attribute', 'html');
    for (const part of parts) yield link(charset, 'html', a, part, sample, form, text, written);
  }
}

function link(charset, format, vehicle, part, sample, form, text, written) {
  const id = [charset, format, vehicle.name, part, sample, form].join('.');
  return { id, charset, format, vehicle, part, sample, form, text, written };
}

/** Returns the text of a sample in a form, and how a document writes it; null if the syntax has no such form. */
function write(sample, form, charset, syntax, format) {
  const { text } = sample;
  const isXml = format !== 'html';
  switch (form) {
    case 'raw':
      return [text, syntax === 'attribute' || syntax === 'field' ? escaped(text) : text];
    case 'pct':
      return [percent(Buffer.from(text)), percent(Buffer.from(text))];
    case 'pctc':
      return [percent(encode(text, charset)), percent(encode(text, charset))];
    case 'named':
      return [text, isXml || !['attribute', 'field'].includes(syntax) ? null : sample.entity];
    default:
      return [text, syntax === 'script' ? null : numbers(text, form, syntax)];
  }
}

/** Writes each character outside ASCII as a number: of HTML and XML, or, in a style sheet, of CSS. */
function numbers(text, form, syntax) {
  return text.replace(/[^\0-\x7f]/gu, (character) => {
    const code = character.codePointAt(0);
    if (syntax === 'css') return `\\${code.toString(16)} `;
    return form === 'dec' ? `&#${code};` : `&#x${code.toString(16)};`;
  });
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

const percent = (bytes) => [...bytes].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

/** Returns the reference of a link with a text in its part. `port` is the port of the server. */
export function reference({ id, part, vehicle }, text, port) {
  if (vehicle.text === 'field') return text;
  switch (part) {
    case 'path':
      return `/l/${id}/${text}`;
    case 'query':
      return `/l/${id}?${text}`;
    case 'fragment':
      return `/l/${id}#${text}`;
    case 'host':
      return `http://${text}.test:${port}/l/${id}`;
    case 'user':
      return `http://${text}@user.test:${port}/l/${id}`;
  }
}

/** Whether the server sees the part of a link. The other parts are read from the page. */
export const isSent = ({ part, vehicle }) => vehicle.how !== 'read' && part !== 'fragment' && part !== 'user';

/** Whether the charset of a link is no form of Unicode. */
export const isLegacy = ({ charset }) => !isUnicode(charset);
