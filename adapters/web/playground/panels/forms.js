// The forms of an address: as a URI, for readers, resolved, masked, and what it belongs to.

import { copyButton, element, nodes, shown } from '../dom.js';

/** Each form: its name, and the function that makes it. */
const FORMS = [
  ['Resolved against the base', ({ resolved }) => resolved],
  ['URI', ({ text, engine }) => engine.toUri(text)],
  ['URI with an ASCII host', ({ text, engine }) => engine.toUri(text, { idna: true })],
  ['IRI', ({ text, engine }) => engine.toIri(text, { idna: true })],
  ['For readers', ({ text, engine }) => engine.display(text, 'iri-reference')],
  ['Inside a text (UTS #58)', ({ text, engine }) => engine.displayInText(text, 'iri-reference')],
  ['With the password masked', ({ text, engine }) => engine.masked(text)],
  ['Skeleton of look-alikes (UTS #39)', ({ text, engine }) => engine.skeleton(text, 'iri-reference')],
  ['Origin', ({ text, engine }) => engine.origin(text, 'iri-reference')],
  ['Registrable domain', ({ text, engine }) => engine.registrableDomain(text, 'iri-reference')],
  ['Kind of the host', ({ text, engine }) => engine.hostKind(text, 'iri-reference')],
];

export function forms(state) {
  if (state.iri === null) return null;
  const rows = FORMS.flatMap(([name, make]) => {
    let form;
    try {
      form = make(state);
    } catch (error) {
      return [element('dt', {}, name), element('dd', 'bad small', nodes(error.message))];
    }
    if (form === null) return [];
    return [
      element('dt', {}, name, copyButton(form, name)),
      element('dd', {}, form === '' ? element('span', 'soft', 'empty') : shown(form, 400)),
    ];
  });
  return [element('dl', {}, rows)];
}
