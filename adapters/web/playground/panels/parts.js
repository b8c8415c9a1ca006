// The components: the text with a colour for each, as in the picture of `iri parse`, and a table.

import { element, nodes, shown, table } from '../dom.js';

/** Returns the components and the delimiters of a reference in their order. A delimiter has no name. */
function piecesOf(iri) {
  const pieces = [];
  let at = 0;
  function piece(name, text) {
    pieces.push({ name, text, start: at, end: at + text.length });
    at += text.length;
  }
  // A component that is absent has no delimiter.
  function component(before, name, text, after) {
    if (text === null) return;
    piece(null, before);
    piece(name, text);
    piece(null, after);
  }
  component('', 'scheme', iri.scheme, ':');
  if (iri.authority !== null) piece(null, '//');
  component('', 'userinfo', iri.userinfo, '@');
  component('', 'host', iri.host, '');
  component(':', 'port', portOf(iri), '');
  component('', 'path', iri.path, '');
  component('?', 'query', iri.query, '');
  component('#', 'fragment', iri.fragment, '');
  return pieces;
}

/** The port as it is written. `iri.port` is a number of 16 bits. */
export function portOf({ authority, userinfo, host }) {
  if (authority === null) return null;
  const before = (userinfo === null ? 0 : userinfo.length + 1) + host.length;
  return authority.length > before ? authority.slice(before + 1) : null;
}

/** Lights the component with a name everywhere, as long as the pointer or the focus is on it. */
export function linkOnHover(root) {
  const light = (event) => {
    const name =
      event.type === 'pointerout' || event.type === 'focusout'
        ? null
        : event.target.closest?.('[data-part]')?.dataset.part;
    for (const each of root.querySelectorAll('[data-part]')) each.classList.toggle('lit', each.dataset.part === name);
  };
  for (const type of ['pointerover', 'pointerout', 'focusin', 'focusout']) root.addEventListener(type, light);
}

export function parts({ iri }) {
  if (iri === null) return null;
  const pieces = piecesOf(iri);
  const picture = element(
    'p',
    { class: 'text picture', dir: 'ltr' },
    pieces.map(({ name, text }) =>
      name === null
        ? element('span', 'delimiter', text)
        : element('bdi', { class: `part ${name}`, 'data-part': name, dir: 'ltr', title: name }, nodes(text)),
    ),
  );
  const rows = pieces
    .filter(({ name }) => name !== null)
    .map(({ name, text, start, end }) =>
      element(
        'tr',
        { 'data-part': name, tabindex: 0 },
        element('th', { scope: 'row', class: name }, name),
        element('td', {}, text === '' ? element('span', 'soft', 'empty') : shown(text, 400)),
        element('td', 'number soft', `${start}–${end}`),
      ),
    );
  const columns = ['Component', 'Text', element('th', { scope: 'col', class: 'number' }, 'Place')];
  return [picture, table('Components', columns, rows)];
}
