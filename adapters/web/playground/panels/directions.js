// In which order the characters are stored, and in which order they are displayed.

import { codeOf, count, element } from '../dom.js';

/** The most characters of a strip. */
const MOST = 300;

/** The most units of a text whose order is computed. */
const LONGEST = 20000;

const UNSEEN = /^[\p{C}\p{Z}]$/u;

function cell({ start, strong, code, name }, text) {
  const own = text.slice(start, start + (text.codePointAt(start) > 0xffff ? 2 : 1));
  const isUnseen = UNSEEN.test(own);
  return element(
    'li',
    { class: strong ?? 'weak', title: `${code} ${name}` },
    isUnseen ? element('span', 'hidden-character', codeOf(own)) : own,
  );
}

function strip(name, cells) {
  return [
    element('h3', {}, name),
    element('ol', { class: 'strip', 'aria-label': name, dir: 'ltr' }, cells.slice(0, MOST)),
  ];
}

export function directions({ text, iri, engine }) {
  if (iri === null) return null;
  if (text.length > LONGEST) return [element('p', 'soft', `The text is longer than ${count(LONGEST)} units.`)];
  const characters = engine.characters(text);
  if (
    !characters.some(
      ({ direction, strong }) => strong === 'rtl' || direction === 'AN' || /^(RL|LR|FS|PD)/.test(direction),
    )
  ) {
    return [
      element('p', 'soft', 'All characters run from left to right. The order of display is the order of the text.'),
    ];
  }
  const of = new Map(characters.map((character) => [character.start, character]));
  const displayed = engine.visualOffsets(text).map((start) => of.get(start));
  return [
    element(
      'p',
      'small soft',
      'Strong characters: ',
      element('span', 'key ltr'),
      ' left to right, ',
      element('span', 'key rtl'),
      ' right to left.',
    ),
    ...strip(
      'Order of the text',
      characters.map((character) => cell(character, text)),
    ),
    ...strip(
      'Order of display, from the left',
      displayed.map((character) => cell(character, text)),
    ),
    characters.length > MOST
      ? element('p', 'soft small', `The first ${MOST} of ${count(characters.length)} characters.`)
      : null,
  ].filter(Boolean);
}
