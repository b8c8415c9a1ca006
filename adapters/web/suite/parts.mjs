// Where the text of a link stands in what a browser or the program made of its reference, and what the two rules say it
// becomes: RFC 3987, section 3.1, and the guidelines of 2011, section 6.1.
//
// The rules here are short and their own. They check the program, which maps whole references.

import { encode } from './charsets.mjs';
import { isLegacy } from './links.mjs';

/** What stands for a reference that has no result. */
export const REFUSED = '!refused';

/** Returns the part of a link in a reference with a scheme and an authority, or in a target and its host. */
export function partOf(link, { href, target, host }) {
  const [, authority, rest] =
    href === undefined ? [null, host, target] : (/^https?:\/\/([^/?#]*)(.*)$/s.exec(href) ?? []);
  if (authority === undefined) return REFUSED;
  const inside = within(link, authority.replace(/:\d+$/, ''), rest);
  // A reference of another shape is printed whole.
  return visible(inside ?? `${authority}${rest}`);
}

function within({ id, part, vehicle }, authority, rest) {
  const path = `/l/${id}`;
  switch (part) {
    case 'host':
      return authority.endsWith('.test') ? authority.slice(0, -'.test'.length) : null;
    case 'user':
      return authority.endsWith('@user.test') ? authority.slice(0, -'@user.test'.length) : null;
    case 'path':
      return rest.startsWith(`${path}/`) ? rest.slice(path.length + 1).replace(/\/end$|\/$/, '') : null;
    case 'query': {
      if (!rest.startsWith(`${path}?`)) return null;
      return vehicle.text === 'field' ? rest.slice(path.length + 1).replace(/^q=/, '') : rest.slice(path.length + 1);
    }
    case 'fragment':
      return rest.startsWith(`${path}#`) ? rest.slice(path.length + 1) : null;
  }
}

/** Writes what a table cannot show: control characters and bytes outside ASCII that a browser sent raw. */
const visible = (text) =>
  text.replace(/[\0-\x20\x7f-\x9f]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);

const hexadecimal = (bytes) =>
  [...bytes].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

/**
 * Percent-encodes what is outside ASCII by a function to bytes, and the ASCII that no reference holds, which the RFC
 * allows an application to encode. Brackets, a lone percent sign and control characters are not among that ASCII.
 */
function percentEncode(text, bytes) {
  if (/[\0-\x1f\x7f[\]]|%(?![0-9a-f]{2})/i.test(text)) return REFUSED;
  return text.replace(/[^\0-\x7f]+|[ "<>\\^`{|}]/gu, (run) => hexadecimal(bytes(run)));
}

/**
 * What a link's text becomes by RFC 3987, section 3.1; null for the data of a form, which is no reference,
 * and for a host, which the program maps (ToASCII).
 *
 * Step 1b normalizes what is converted from a charset that is no form of Unicode. The RFC does not say whether a
 * character reference is converted; here it is not, because it names a character of Unicode.
 */
export function byRfc(link) {
  if (link.vehicle.text === 'field' || link.part === 'host') return null;
  const text = isLegacy(link) && link.form === 'raw' ? link.text.normalize('NFC') : link.text;
  return percentEncode(text, (run) => Buffer.from(run));
}

/**
 * What a link's text becomes by the guidelines of 2011: as in the RFC, but a query in the charset of the document if
 * that is no form of Unicode (6.1), and without normalization, of which section 4 does not speak. Null where they say
 * nothing: for a character that the charset lacks, and for forms. The program maps a host.
 */
export function byGuidelines(link) {
  const { charset, part, vehicle, text } = link;
  if (vehicle.text === 'field' || part === 'host') return null;
  const isOwn = part === 'query' && isLegacy(link);
  if (isOwn && encode(text, charset) === null) return null;
  return percentEncode(text, (run) => (isOwn ? encode(run, charset) : Buffer.from(run)));
}

/**
 * What a link's text becomes if it is encoded in a charset, and a character that the charset lacks is written as a
 * decimal reference of HTML: `utf-8` for the characters as they are.
 */
export function inCharset({ text, vehicle }, charset) {
  const unicode = charset.startsWith('utf-');
  const bytes = (run) => {
    if (unicode) return Buffer.from(run);
    const known = [...run].map((one) => (encode(one, charset) ? one : `&#${one.codePointAt(0)};`)).join('');
    return encode(known, charset);
  };
  if (vehicle.text === 'field') return hexadecimal(bytes(text));
  return percentEncode(text, bytes);
}

/** Whether two results are the same bytes, whatever is percent-encoded in them. */
export const sameBytes = (one, other) => one === other || decode(one) === decode(other);

const decode = (text) => text.replace(/%([0-9a-f]{2})/gi, (_, digits) => String.fromCharCode(parseInt(digits, 16)));
