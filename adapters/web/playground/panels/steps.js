// The normal form, a rule after the other.

import { copyButton, element, shown } from '../dom.js';

/** What each rule does. */
const MEANINGS = {
  case: 'The scheme and the host in lower case, and the digits of triplets in upper case.',
  'percent-encoding': 'No percent-encoding where it means nothing.',
  'dot-segments': 'No “.” and no “..” in the path.',
  port: 'No port that the scheme implies.',
  'empty-path': 'A slash for the empty path, if the scheme says so.',
  idna: 'The host as UTS #46 writes it.',
};

export function steps({ text, iri, engine }) {
  if (iri === null) return null;
  const all = engine.steps(text);
  let before = text;
  const items = all.map(({ rule, section, text: after }) => {
    const changed = after !== before;
    before = after;
    return element(
      'li',
      { class: changed ? 'changed' : 'soft' },
      element('span', {}, changed ? element('strong', {}, rule) : rule, ` (${section}): `),
      element('span', 'small', changed ? MEANINGS[rule] : 'nothing to do.'),
      changed && element('p', {}, shown(after, 400)),
    );
  });
  const normal = all.at(-1).text;
  return [
    element('ol', {}, items),
    element(
      'div',
      'row',
      element('span', 'soft small', normal === text ? 'The address is in normal form.' : 'Normal form:'),
      copyButton(normal, 'the normal form'),
    ),
    normal === text ? null : element('p', {}, shown(normal, 400)),
  ].filter(Boolean);
}
