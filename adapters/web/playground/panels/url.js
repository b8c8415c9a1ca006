// The components beside those of the browser's `URL`, with the reasons of the differences (differences.js).

import { element, nodes, shown, table } from '../dom.js';
import { reasons, whyAccepted, whyRefused } from './differences.js';
import { portOf } from './parts.js';

/** The field of `URL` for each component, without its delimiter. An absent query and an empty query are the same to `URL`. */
const FIELDS = [
  ['scheme', (url) => url.protocol.replace(/:$/, '')],
  ['userinfo', (url) => (url.password === '' ? url.username : `${url.username}:${url.password}`)],
  ['host', (url) => url.hostname],
  ['port', (url) => url.port],
  ['path', (url) => url.pathname],
  ['query', (url) => url.search.replace(/^\?/, '')],
  ['fragment', (url) => url.hash.replace(/^#/, '')],
];

/** Returns what the browser makes of a text, or `null` if it refuses it. */
function ofBrowser(text, base) {
  try {
    return base === '' ? new URL(text) : new URL(text, base);
  } catch {
    return null;
  }
}

/** Returns our reference: the text, resolved against the base, or as it is repaired if it is refused. */
function ofEngine({ iri, text, resolved, engine }) {
  if (iri !== null) return { ours: resolved === null ? iri : engine.IriRef.parse(resolved), repaired: false };
  try {
    return { ours: engine.IriRef.parse(engine.prepare(text, 'browser-like').text), repaired: true };
  } catch {
    return { ours: null, repaired: false };
  }
}

function cell(text) {
  if (text === null) return element('td', 'soft', 'absent');
  return element('td', {}, text === '' ? element('span', 'soft', 'empty') : shown(text, 300));
}

function notes(sentences) {
  return sentences.length === 0
    ? element('td')
    : element(
        'td',
        {},
        element(
          'ul',
          'notes small',
          sentences.map((sentence) => element('li', {}, sentence)),
        ),
      );
}

export function url(state) {
  const { text, base, engine } = state;
  if (text === '') return null;
  const theirs = ofBrowser(text, base);
  const { ours, repaired } = ofEngine(state);
  const rows = [verdict(state, theirs)];
  if (theirs !== null && ours !== null) {
    for (const [name, read] of FIELDS) {
      const [own, other] = [name === 'port' ? portOf(ours) : ours[name], read(theirs)];
      const differs = (own ?? '') !== other;
      const why = differs ? reasons(name, { own, other, ours, theirs, text, engine }) : [];
      rows.push(row(name, differs, cell(own), cell(other === '' && own === null ? null : other), why));
    }
    const [own, other] = [ours.toString(), theirs.href];
    rows.push(row('whole', own !== other, cell(own), cell(other), own === other ? [] : [sameAs(own, other, engine)]));
  }
  const columns = [
    'Component',
    repaired ? 'Ours, after the repairs of browsers' : 'Ours, as it is written',
    'URL',
    'Why',
  ];
  return [element('div', 'scroll', table('Our components and those of URL', columns, rows, { class: 'narrow' }))];
}

function verdict({ text, base, iri, errors }, theirs) {
  const [own, other] = [iri !== null, theirs !== null];
  const why = own === other ? [] : own ? whyRefused({ text, base, iri }) : whyAccepted({ text });
  const ours = element(
    'td',
    own ? 'good' : 'bad',
    own ? 'valid' : ['refused: ', ...nodes(errors[0]?.message ?? '', 300)],
  );
  return row(
    'verdict',
    own !== other,
    ours,
    element('td', other ? 'good' : 'bad', other ? 'accepted' : 'refused'),
    why,
  );
}

function row(name, differs, own, other, why) {
  own.dataset.label = 'ours';
  other.dataset.label = 'URL';
  const head = element(
    'th',
    { scope: 'row', class: 'marked' },
    name,
    differs && element('span', 'warn small', ' differs'),
  );
  return element('tr', { class: differs ? 'differs' : null, 'data-row': name }, head, own, other, notes(why));
}

/** From which level of comparison on the two are equal. */
function sameAs(own, other, engine) {
  for (const level of ['syntax', 'scheme', 'scheme-idna']) {
    try {
      const keys = [own, other].map((text) => engine.key(text, level, 'iri-reference'));
      if (keys[0] === keys[1]) return `The two are equal at the level ${level} of RFC 3987, section 5.3.`;
    } catch {
      return 'The address of URL is not an IRI: the URL Standard allows characters that RFC 3987 does not.';
    }
  }
  return 'The two are different addresses at each level of RFC 3987, section 5.3.';
}
