// Each character, with its code point, its name, its script and its direction.

import { count, element, shown, table } from '../dom.js';

/** The number of rows that a click adds. */
const STEP = 64;

export function characters({ text, engine }) {
  if (text === '') return null;
  // The rows of a long text are made piece by piece, at characters that are whole.
  const body = element('tbody');
  const more = element('button', { type: 'button' });
  let at = 0;
  const add = () => {
    let end = Math.min(text.length, at + STEP);
    if (/[\ud800-\udbff]/.test(text[end - 1] ?? '') && end < text.length) end += 1;
    const from = at;
    body.append(...engine.characters(text.slice(from, end)).map((character) => row(character, text, from)));
    at = end;
    more.textContent = `Show ${count(Math.min(STEP, text.length - at))} more`;
    more.hidden = at === text.length;
  };
  more.addEventListener('click', add);
  add();
  const made = table('Characters', ['Place', 'Character', 'Code point', 'Name', 'Script', 'Direction'], [], {
    class: 'narrow flow',
  });
  made.querySelector('tbody').replaceWith(body);
  return [made, element('p', 'rest', more)];
}

function row({ start, end, code, name, script, direction, strong }, text, from) {
  return element(
    'tr',
    {},
    element('td', { class: 'soft', 'data-label': 'Place' }, `${from + start}`),
    element('td', {}, shown(text.slice(from + start, from + end))),
    element('td', {}, element('code', {}, code)),
    element('td', {}, name),
    element('td', { 'data-label': 'Script' }, script),
    element(
      'td',
      { 'data-label': 'Direction', class: strong === 'rtl' ? 'bad' : null },
      strong ? `${direction}, strong` : direction,
    ),
  );
}
