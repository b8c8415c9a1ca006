// Why a text is refused: each error with its place, its reason, and a button that applies the correction.

import { element, nodes, shown } from '../dom.js';
import { corrected, showButton } from './correction.js';

/** The most errors that are shown. The state has one more, if there are more. */
export const MOST = 50;

/** The text around a place, with the place marked. */
function excerpt(text, start, end) {
  const from = Math.max(0, start - 40);
  return element(
    'p',
    { class: 'text', dir: 'ltr' },
    from > 0 ? '…' : '',
    nodes(text.slice(from, start)),
    element('mark', {}, start === end ? '▯' : nodes(text.slice(start, end), 80)),
    nodes(text.slice(end, end + 40)),
    end + 40 < text.length ? '…' : '',
  );
}

export function errors({ text, rule, iri, errors: found, engine, page }, change) {
  if (iri !== null) return null;
  const items = found.slice(0, MOST).map((error) => item(text, error, page, change));
  const made = [element('div', { role: 'list' }, items)];
  if (found.length > MOST) made.push(element('p', 'soft rest', `The first ${MOST} errors. There are more.`));
  if (found.filter((error) => error.suggestion).length > 1) {
    made.push(
      element(
        'p',
        'rest',
        element(
          'button',
          { type: 'button', onclick: () => change.text(correctAll(text, found)) },
          'Apply all corrections',
        ),
      ),
    );
  }
  if (page) made.push(repairs(text, engine, change));
  return made;
}

function item(text, error, page, change) {
  const { message, kind, component, start, end, suggestion } = error;
  const explanation = page && kind ? page.explain(kind) : null;
  return element(
    'div',
    { class: 'item', role: 'listitem' },
    excerpt(text, start ?? 0, end ?? 0),
    element('p', 'bad', nodes(message)),
    explanation &&
      element('p', 'small soft', `${explanation.meaning} `, element('span', {}, `${explanation.section}.`)),
    element(
      'div',
      'row small',
      kind && element('span', 'soft', `${kind}, in the ${component}`),
      start !== null && showButton(start, end, change),
      suggestion &&
        element(
          'button',
          { type: 'button', class: 'apply', onclick: () => change.text(corrected(text, suggestion)) },
          label(text, suggestion),
        ),
    ),
  );
}

function label(text, { start, end, text: instead }) {
  const old = text.slice(start, end);
  // A space by itself is not seen.
  const before = old === ' ' ? 'the space' : shown(old, 30);
  if (instead === '') return ['Remove ', before];
  return old === '' ? ['Insert ', shown(instead, 30)] : ['Write ', shown(instead, 30), ' for ', before];
}

/** Applies the corrections from the last to the first, so that the places of the others stay. */
function correctAll(text, found) {
  let before = Infinity;
  for (const { suggestion } of found.toReversed()) {
    if (suggestion === null || suggestion.end > before) continue;
    text = corrected(text, suggestion);
    before = suggestion.start;
  }
  return text;
}

/** What the repairs of a browser make of the text. */
function repairs(text, engine, change) {
  try {
    const { text: repaired, repairs } = engine.prepare(text, 'browser-like');
    const kinds = [...new Set(repairs.map((repair) => repair.kind))];
    return element(
      'div',
      'item',
      element('p', 'soft small', `As a browser repairs it (${kinds.join(', ') || 'nothing to repair'}):`),
      element('p', {}, shown(repaired, 400)),
      element(
        'p',
        {},
        element(
          'button',
          { type: 'button', class: 'repair', onclick: () => change.text(repaired) },
          'Take the repaired address',
        ),
      ),
    );
  } catch (error) {
    return element('p', 'item soft small', 'The repairs of browsers do not help here: ', nodes(error.message));
  }
}
