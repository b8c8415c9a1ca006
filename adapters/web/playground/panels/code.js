// The address as a literal in a program, and as an argument of a command.

import { copyButton, element, nodes } from '../dom.js';

const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

/** A literal between quotation marks. `escape` writes the escape of a code point. */
function literal(text, escape) {
  const safe = text.replace(/["\\]/g, '\\$&').replace(UNSEEN, (c) => escape(c.codePointAt(0)));
  return `"${safe}"`;
}

const hex = (code, width) => code.toString(16).padStart(width, '0');

// Rust has no escape for half of a pair. The engine reads it as U+FFFD.
const rust = (text) => literal(text.replace(/\p{Cs}/gu, '\ufffd'), (code) => `\\u{${hex(code, 1)}}`);
const python = (text) => literal(text, (code) => (code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`));
const javascript = (text) => literal(text, (code) => `\\u{${hex(code, 1)}}`);

/** A word of a shell. Characters that are not seen are bytes in the form of Bash. No argument holds U+0000. */
function shell(text) {
  if (text.includes('\0')) return null;
  if (text.search(UNSEEN) < 0) return `'${text.replaceAll("'", `'\\''`)}'`;
  const bytes = (c) => [...new TextEncoder().encode(c)].map((byte) => `\\x${hex(byte, 2)}`).join('');
  return `$'${text.replace(/['\\]/g, '\\$&').replace(UNSEEN, bytes)}'`;
}

const LANGUAGES = [
  ['Rust', (text) => `let iri = simd_iri::IriRef::parse(${rust(text)})?;`],
  ['Python', (text) => `iri = simd_iri.IriRef(${python(text)})`],
  ['JavaScript', (text) => `const iri = IriRef.parse(${javascript(text)});`],
  ['Command', (text) => shell(text) && `iri parse -i ${shell(text)}`],
];

/** The longest text that is a line of code. */
const LONGEST = 5000;

export function code({ text }) {
  if (text === '' || text.length > LONGEST) return null;
  return LANGUAGES.map(([name, make]) => [name, make(text)])
    .filter(([, line]) => line !== null)
    .map(([name, line]) =>
      element(
        'div',
        'line',
        element('div', 'row', element('h3', {}, name), copyButton(line, `as ${name}`)),
        element('pre', { id: `as-${name.toLowerCase()}` }, nodes(line, LONGEST)),
      ),
    );
}
