// What the lint finds: each finding with what it means, and a button that fixes it.

import { element, nodes, shown } from '../dom.js';
import { corrected, showButton } from './correction.js';

/** The most findings that are shown. */
const MOST = 50;

const CLASSES = { error: 'bad', warning: 'warn', note: 'soft' };

export function findings({ text, iri, profile, engine }, change) {
  if (iri === null) return null;
  const all = engine.lint(text, profile);
  if (all.length === 0) return [element('p', 'good', 'No findings by this profile.')];
  const made = [
    element(
      'div',
      { role: 'list' },
      all.slice(0, MOST).map((finding) => item(text, finding, engine, change)),
    ),
  ];
  if (all.length > MOST) made.push(element('p', 'soft rest', `${all.length - MOST} more findings.`));
  const fixed = engine.fix(text, profile);
  if (fixed !== text) {
    made.push(
      element(
        'p',
        'rest',
        element(
          'button',
          { type: 'button', class: 'fix-all', onclick: () => change.text(fixed) },
          'Fix all that has a fix',
        ),
      ),
    );
  }
  return made;
}

function item(text, { code, severity, start, end, message, suggestion }, engine, change) {
  const { meaning, section, fix } = engine.explain(code);
  return element(
    'div',
    { class: 'item', role: 'listitem' },
    element('div', 'row', element('span', `tag ${CLASSES[severity]}`, severity), element('code', {}, code)),
    element('p', {}, nodes(message)),
    element(
      'details',
      {},
      element('summary', 'small soft', 'What it means'),
      element('p', 'small', meaning),
      element('p', 'small', `${fix} ${section}.`),
    ),
    element(
      'div',
      'row small',
      showButton(start, end, change),
      suggestion &&
        element(
          'button',
          { type: 'button', class: 'fix', onclick: () => change.text(corrected(text, suggestion)) },
          suggestion.text === '' ? 'Remove it' : ['Write ', shown(suggestion.text, 40)],
        ),
      suggestion && !suggestion.keepsMeaning && element('span', 'soft', 'This may change what the address means.'),
    ),
  );
}
