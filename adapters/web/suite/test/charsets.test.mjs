// The tables of the charsets: what they encode, `TextDecoder` decodes to the same text.

import assert from 'node:assert/strict';
import test from 'node:test';

import { charsets, encode, tableOf } from '../charsets.mjs';

// Node 20 reads these bytes as control characters.
const isWrong = (charset, bytes) =>
  ['windows-1252', 'iso-8859-1'].includes(charset) && bytes[0] >= 0x80 && bytes[0] < 0xa0;

for (const charset of charsets.filter((label) => !label.startsWith('utf-') && label !== 'iso-2022-jp')) {
  test(`every character of ${charset} comes back`, () => {
    const decoder = new TextDecoder(charset, { fatal: true });
    const table = tableOf(charset);
    assert.ok(table.size >= 180, `${table.size} characters`);
    for (const [character, bytes] of table) {
      if (!isWrong(charset, bytes))
        assert.equal(decoder.decode(bytes), character, `${charset} ${bytes.toString('hex')}`);
    }
  });
}

test('every text of ISO-2022-JP comes back, and each ends in ASCII', () => {
  const decoder = new TextDecoder('iso-2022-jp', { fatal: true });
  let count = 0;
  for (const [character] of tableOf('iso-2022-jp')) {
    const bytes = encode(`a${character}b`, 'iso-2022-jp');
    count++;
    assert.equal(decoder.decode(bytes), `a${character}b`);
    assert.equal(bytes.at(-1), 'b'.charCodeAt(0));
  }
  assert.ok(count > 6800, `${count} characters`);
});

test('bytes that are known', () => {
  const rows = [
    ['ソ表', 'shift_jis', '835c955c'],
    ['日本', 'iso-2022-jp', '1b2442 467c4b5c 1b2842'],
    ['日本', 'euc-jp', 'c6fccbdc'],
    ['中ñ😀', 'gb18030', 'd6d081308a399439fc36'],
    ['功許', 'big5', 'a55cb35c'],
    ['한글', 'euc-kr', 'c7d1b1db'],
    ['é€Žž', 'windows-1252', 'e9808e9e'],
    ['€', 'iso-8859-1', '80'],
    ['â\u0301', 'windows-1258', 'e2ec'],
    ['é日', 'utf-16be', '00e965e5'],
    ['é日', 'utf-16le', 'e900e565'],
    ['é', 'macintosh', '8e'],
  ];
  for (const [text, charset, hex] of rows) {
    assert.equal(encode(text, charset)?.toString('hex'), hex.replaceAll(' ', ''), `${text} in ${charset}`);
  }
});

test('a charset without a character has no bytes for it', () => {
  for (const charset of charsets.filter((label) => !label.startsWith('utf-') && label !== 'gb18030')) {
    assert.equal(encode('a😀', charset), null, charset);
  }
});
