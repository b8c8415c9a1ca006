// The addresses in a running text: the text with the addresses marked, and a table.

import { count, element, nodes, shown, table } from '../dom.js';

/** The most addresses in the table, and the most units of the text that are shown. */
const MOST = 200;
const LONGEST = 10000;

export function links({ text, engine }, change) {
  const found = engine.extract(text, 'plain');
  const shownText = element('p', { class: 'text', dir: 'ltr' });
  let at = 0;
  for (const { start, end } of found) {
    if (end > LONGEST) break;
    shownText.append(
      ...nodes(text.slice(at, start), LONGEST),
      element('bdi', { class: 'part host', dir: 'ltr' }, nodes(text.slice(start, end))),
    );
    at = end;
  }
  shownText.append(...nodes(text.slice(at), Math.max(0, LONGEST - at)));
  const rows = found.slice(0, MOST).map(({ text: link, kind, start, end, reference }) =>
    element(
      'tr',
      {},
      element(
        'td',
        {},
        element(
          'button',
          { type: 'button', class: 'plain', onclick: () => change.select(start, end) },
          `${start}–${end}`,
        ),
      ),
      element('td', {}, kind),
      element('td', {}, shown(link, 200)),
      element(
        'td',
        {},
        reference === null
          ? element('span', 'bad', 'not an address')
          : element(
              'button',
              {
                type: 'button',
                class: 'plain',
                'aria-label': `Open ${reference.slice(0, 80)}`,
                onclick: () => change.open(reference),
              },
              shown(reference, 200),
            ),
      ),
    ),
  );
  return [
    element(
      'p',
      'soft small',
      `${count(found.length)} ${found.length === 1 ? 'address' : 'addresses'}, found by UTS #58.`,
    ),
    shownText,
    found.length === 0
      ? null
      : table('Addresses', ['Place', 'Kind', 'In the text', 'As an address'], rows, { class: 'narrow' }),
    found.length > MOST ? element('p', 'soft rest', `${count(found.length - MOST)} more.`) : null,
  ].filter(Boolean);
}
