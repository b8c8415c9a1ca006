// The texts of the links: for each charset a text that it has, a text that it lacks, a text that is not in NFC, and a
// text with a name in HTML. Further texts are written in some charsets alone: ASCII that no reference may hold, hosts,
// and text from right to left.
//
// Not here: where in a reference a text stands, and in which form it is written (links.mjs).

/**
 * `has` is letters of the charset. In Shift_JIS and Big5, a letter ends with the byte 5C, a backslash in ASCII.
 * `composes` is not in NFC, and the charset has it. Without `composes`, a combining accent is written as a number.
 * `named` is a name of HTML and its character.
 */
const own = {
  'utf-8': { has: 'é日', composes: 'e\u0301', named: ['eacute', 'é'] },
  'utf-16le': { has: 'é日', composes: 'e\u0301', named: ['eacute', 'é'] },
  'utf-16be': { has: 'é日', composes: 'e\u0301', named: ['eacute', 'é'] },
  'windows-1250': { has: 'žř', named: ['zcaron', 'ž'] },
  'windows-1251': { has: 'яж', named: ['yacy', 'я'] },
  'windows-1252': { has: 'é€', named: ['eacute', 'é'] },
  'windows-1253': { has: 'λω', named: ['lambda', 'λ'] },
  'windows-1255': { has: 'שא', named: ['copy', '©'] },
  'windows-1256': { has: 'سپ', named: ['copy', '©'] },
  'windows-1258': { has: 'ươ', composes: 'â\u0301', named: ['ecirc', 'ê'] },
  'windows-874': { has: 'กา', named: ['hellip', '…'] },
  'iso-8859-1': { has: 'é€', named: ['eacute', 'é'] },
  'iso-8859-2': { has: 'žř', named: ['zcaron', 'ž'] },
  'iso-8859-7': { has: 'λω', named: ['lambda', 'λ'] },
  'iso-8859-8': { has: 'שא', named: ['copy', '©'] },
  macintosh: { has: 'éß', named: ['eacute', 'é'] },
  shift_jis: { has: 'ソ表', composes: '\u212b', named: ['times', '×'] },
  'euc-jp': { has: '日本', composes: '\u212b', named: ['times', '×'] },
  'iso-2022-jp': { has: '日本', composes: '\u212b', named: ['times', '×'] },
  gb18030: { has: '中ñ', composes: 'e\u0301', named: ['times', '×'] },
  big5: { has: '功許', named: ['times', '×'] },
  'euc-kr': { has: '한글', composes: '\uf90a', named: ['times', '×'] },
};

/**
 * Returns the texts of a charset: each has a name, its characters, and the forms in which it is written.
 *
 * `raw` is the bytes of the charset, `dec` and `hex` are numbers of characters, `named` is a name of HTML, `pct` is
 * percent-encoded UTF-8, and `pctc` is percent-encoded bytes of the charset.
 */
export function samplesOf(charset) {
  const { has, composes, named } = own[charset];
  const legacy = !charset.startsWith('utf-');
  const lacks = legacy && charset !== 'gb18030';
  return [
    { name: 'has', text: has, forms: ['raw', 'dec', 'hex', 'pct', ...(legacy ? ['pctc'] : [])] },
    // An astral character and a rune. The forms of Unicode and GB18030 have them.
    { name: lacks ? 'lacks' : 'astral', text: 'ᚠ😀', forms: lacks ? ['dec', 'hex'] : ['raw', 'hex'] },
    { name: 'composes', text: composes ?? 'e\u0301', forms: composes ? ['raw', 'hex'] : ['hex'] },
    { name: 'named', text: named[1], forms: ['named'], entity: `&${named[0]};` },
  ];
}

/** ASCII that no reference may hold, or that starts another part of it, and percent signs without two digits. */
export const ascii = {
  space: 'a b',
  quote: 'a"b',
  less: 'a<b',
  greater: 'a>b',
  backslash: 'a\\b',
  circumflex: 'a^b',
  grave: 'a`b',
  brace: 'a{b}',
  bar: 'a|b',
  apostrophe: "a'b",
  bracket: 'a[b]',
  percent: 'a%b',
  zz: 'a%zz',
  ampersand: 'a&b',
  tab: 'a\tb',
  lower: 'a%c3%a9',
  nul: 'a%00b',
  dots: 'a/%2e%2E/b',
};

/** Text from right to left, with and without marks of direction. */
export const bidi = {
  hebrew: 'שלום',
  arabic: 'سلام',
  digits: 'שלום12',
  mixed: 'aשb',
  start: '1ש',
  lrm: 'ש\u200eא',
  rlo: 'a\u202eb',
  slash: 'ש/א',
  isolates: '\u2067ש\u2069',
};

/** Hosts, which only UTF-8 pages write, because a host has the same bytes in each charset. */
export const hosts = {
  eszett: 'faß',
  sigma: 'λόγος',
  upper: 'BÜCHER',
  fullwidth: 'ａｂ',
  ideographic: 'a。b',
  dotted: 'İa',
  zwj: 'क्\u200dष',
  zwnj: 'نامه\u200cای',
  shy: 'a\u00adb',
  lrm: 'a\u200eb',
  emoji: '😀',
  mixed: 'aя',
  hyphens: 'ab--cé',
  edge: '-é',
  fake: 'xn--a',
  puny: 'xn--bcher-kva',
  decomposed: 'bu\u0308cher',
  bidi: 'aש',
  rtl: 'שלום',
  rtldigit: 'ש1',
  digitrtl: '1ש',
  pct: 'b%C3%BCcher',
  pctlegacy: 'b%FCcher',
  pctdot: 'a%2Eb',
  pctslash: 'a%2Fb',
  underscore: 'a_é',
  mark: '\u0301a',
  long: 'é'.repeat(64),
  unassigned: 'a\u0378',
  symbol: 'a≠',
  slashlike: 'a\u2044b',
  numberlike: '１２７',
  cyrillic: 'раура',
  thai: 'ไทย',
  hangul: '한글',
};
