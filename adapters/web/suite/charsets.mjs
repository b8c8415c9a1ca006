// The charsets of the test pages: how a page is written in bytes, and which bytes a character has.
//
// The tables are made by decoding: every sequence of one and two bytes, and the sequences of four bytes of GB18030 for
// the Basic Multilingual Plane, go through `TextDecoder`. So no table is typed here. Only ISO-2022-JP
// has states: escape sequences that say how the bytes after them are read.
//
// Not here: which texts are written (samples.mjs).

/** The label of each charset. */
export const charsets = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1255',
  'windows-1256',
  'windows-1258',
  'windows-874',
  'iso-8859-1',
  'iso-8859-2',
  'iso-8859-7',
  'iso-8859-8',
  'macintosh',
  'shift_jis',
  'euc-jp',
  'iso-2022-jp',
  'gb18030',
  'big5',
  'euc-kr',
];

/** Whether the text of a charset is Unicode already, so that RFC 3987 does not normalize it (section 3.1, step 1c). */
export const isUnicode = (charset) => charset.startsWith('utf-');

const twoBytes = new Set(['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr']);
const tables = new Map();
const decoders = new Map();

// The escape sequences of ISO-2022-JP before pairs, and before ASCII.
const WIDE = Buffer.from('\x1b$B');
const NARROW = Buffer.from('\x1b(B');

/** Returns the bytes of a text in a charset, or null if the charset lacks a character of the text. */
export function encode(text, charset) {
  if (charset === 'utf-8') return Buffer.from(text, 'utf8');
  if (charset === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (charset === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  if (charset === 'iso-2022-jp') return encodeWithStates(text);
  const table = tableOf(charset);
  const parts = [...text].map((character) => table.get(character) ?? astral(character, charset));
  return parts.includes(undefined) ? null : Buffer.concat(parts);
}

/**
 * Returns the table from each character of a charset to its bytes.
 *
 * Two sequences of bytes may be the same character, such as the rows of NEC and IBM in Shift_JIS. A sequence that the
 * encoders of the Encoding Standard do not write comes last, so that it does not replace another (`rank`).
 *
 * ISO-8859-1 is windows-1252 in browsers. Node 20 reads the bytes 80 to 9F of both as control characters, so these are
 * decoded as windows-1254, which has the same characters there, and 8E and 9E as windows-1250.
 */
export function tableOf(charset) {
  const known = tables.get(charset);
  if (known) return known;
  const table = new Map();
  for (const bytes of sequences(charset)) {
    const character = decoded(charset, bytes);
    // A lone character, and not a control character that stands for a byte without a meaning.
    if (character === null || [...character].length !== 1 || /[\x80-\x9f\ue000-\uf8ff\ufffd]/u.test(character))
      continue;
    const before = table.get(character);
    if (!before || rank(charset, bytes) < rank(charset, before)) table.set(character, bytes);
  }
  tables.set(charset, table);
  return table;
}

function* sequences(charset) {
  for (let byte = 0; byte < 256; byte++) yield Buffer.of(byte);
  if (charset === 'iso-2022-jp') {
    for (let lead = 0x21; lead < 0x7f; lead++)
      for (let trail = 0x21; trail < 0x7f; trail++) yield Buffer.of(lead, trail);
  }
  if (!twoBytes.has(charset)) return;
  for (let lead = 0x81; lead < 0xff; lead++) {
    for (let trail = 0x40; trail < 0xff; trail++) yield Buffer.of(lead, trail);
  }
  if (charset !== 'gb18030') return;
  for (let pointer = 0; pointer < 39420; pointer++) yield fourBytes(pointer);
}

/**
 * Returns the four bytes of a pointer of GB18030. Pointer 0 is 81 30 81 30; the last byte counts from 30 to 39, the
 * third from 81 to FE, and so on.
 */
function fourBytes(pointer) {
  const digit = (size, radix, first) => (Math.floor(pointer / size) % radix) + first;
  return Buffer.of(digit(12600, 126, 0x81), digit(1260, 10, 0x30), digit(10, 126, 0x81), digit(1, 10, 0x30));
}

/** Returns the bytes of a character after U+FFFF, which GB18030 alone has: they are in the order of Unicode. */
function astral(character, charset) {
  const code = character.codePointAt(0);
  return charset === 'gb18030' && code > 0xffff ? fourBytes(code - 0x10000 + 189000) : undefined;
}

/**
 * Returns 1 for a sequence that the Encoding Standard does not write if another has the same character:
 * the rows of NEC and IBM in Shift_JIS (pointers 8272 to 8835) and the rows before A1 in Big5 (Hong Kong).
 */
function rank(charset, bytes) {
  if (bytes.length === 1) return 0;
  const [lead] = bytes;
  if (charset === 'shift_jis') return lead === 0xed || lead === 0xee ? 1 : 0;
  if (charset === 'big5') return lead < 0xa1 ? 1 : 0;
  return 0;
}

function decoded(charset, bytes) {
  const [byte, trail] = bytes;
  const isLatin = charset === 'windows-1252' || charset === 'iso-8859-1';
  if (isLatin && byte >= 0x80 && byte < 0xa0)
    return decoded(byte === 0x8e || byte === 0x9e ? 'windows-1250' : 'windows-1254', bytes);
  const isPair = charset === 'iso-2022-jp' && trail !== undefined;
  try {
    return decoderOf(charset).decode(isPair ? Buffer.concat([WIDE, bytes, NARROW]) : bytes);
  } catch {
    return null;
  }
}

function decoderOf(charset) {
  if (!decoders.has(charset)) decoders.set(charset, new TextDecoder(charset, { fatal: true }));
  return decoders.get(charset);
}

/** ISO-2022-JP: pairs of seven bits stand between WIDE and NARROW. */
function encodeWithStates(text) {
  const parts = [];
  let wide = false;
  for (const character of text) {
    const bytes = tableOf('iso-2022-jp').get(character);
    if (!bytes) return null;
    if ((bytes.length === 2) !== wide) {
      wide = !wide;
      parts.push(wide ? WIDE : NARROW);
    }
    parts.push(bytes);
  }
  if (wide) parts.push(NARROW);
  return Buffer.concat(parts);
}
