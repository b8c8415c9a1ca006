// Two addresses on the ladder of comparison (RFC 3987, section 5.3).

import { element, nodes, shown } from '../dom.js';

const RUNGS = [
  ['simple', 'The same characters (RFC 3987, section 5.3.1).'],
  ['syntax', 'The same but for case, triplets and dot segments, and as IRI and URI (section 5.3.2).'],
  ['scheme', 'The same but for ports and paths that the scheme implies (section 5.3.3).'],
  ['scheme-idna', 'The same but for the spelling of the domain name (section 5.3.3, UTS #46).'],
];

export function ladder({ text, iri, other, engine }) {
  if (iri === null) return null;
  if (other === '')
    return [element('p', 'soft small', 'Type a second address to see from which level on the two are equal.')];
  const rungs = [];
  for (const [level, meaning] of RUNGS) {
    let keys;
    try {
      keys = [text, other].map((each) => engine.key(each, level, 'iri-reference'));
    } catch (error) {
      return [element('p', 'bad', nodes(error.message))];
    }
    const isEqual = keys[0] === keys[1];
    rungs.push(
      element(
        'li',
        { class: isEqual ? 'equal' : 'different' },
        element(
          'div',
          'row',
          element('strong', {}, level),
          element('span', isEqual ? 'good' : 'bad', isEqual ? 'equal' : 'different'),
        ),
        element('p', 'small soft', meaning),
        (isEqual ? keys.slice(0, 1) : keys).map((key) => element('p', 'small', shown(key, 300))),
      ),
    );
  }
  return [element('ol', 'ladder', rungs)];
}
