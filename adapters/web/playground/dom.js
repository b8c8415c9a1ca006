// Makes elements. Text of the user becomes text nodes alone, and never markup.

/** The most units of a text that are shown. */
const MOST = 2000;

/** Returns an element: its classes by a string or its attributes by an object, and what is in it. Children may be absent. */
export function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  const given = typeof attributes === 'string' ? { class: attributes } : (attributes ?? {});
  for (const [name, value] of Object.entries(given)) {
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, '');
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

// Controls, formatting characters, private use, halves of pairs, and spaces other than U+0020.
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

/** The code point of the first character of a text, such as `U+202E`. */
export function codeOf(text) {
  return `U+${text.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Returns the nodes of a text in which each character is seen, and which is not longer than a reader can read. */
export function nodes(text, most = MOST) {
  const shown = text.length > most ? text.slice(0, most) : text;
  const made = [];
  let at = 0;
  for (const match of shown.matchAll(UNSEEN)) {
    if (match.index > at) made.push(shown.slice(at, match.index));
    made.push(element('span', 'hidden-character', codeOf(match[0])));
    if (match[0] === '\n') made.push('\n');
    at = match.index + match[0].length;
  }
  if (at < shown.length) made.push(shown.slice(at));
  if (text.length > most) made.push(element('span', 'more', ` … ${count(text.length - most)} more`));
  return made;
}

/** Returns an element with text of the user, from left to right and apart from the text around it. */
export function shown(text, most) {
  return element('bdi', { class: 'text', dir: 'ltr' }, nodes(text, most));
}

/** A number for a reader. */
export function count(number) {
  return number.toLocaleString('en');
}

/** Says a sentence to the reader, and to a screen reader. */
export function say(sentence) {
  document.getElementById('status').textContent = sentence;
}

/** A button that copies a text. `what` says to a screen reader what it copies. */
export function copyButton(text, what) {
  return element(
    'button',
    { type: 'button', class: 'copy', 'aria-label': `Copy ${what}`, onclick: () => copy(text) },
    'Copy',
  );
}

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // A browser may not give the clipboard to a page from disk.
    const field = element('textarea', { 'aria-hidden': 'true' });
    field.value = text;
    document.body.append(field);
    const back = document.activeElement;
    field.select();
    document.execCommand('copy');
    field.remove();
    back?.focus();
  }
  say('Copied.');
}

/** A table: its caption for a screen reader, the names of its columns, and its rows. */
export function table(caption, columns, rows, attributes = {}) {
  return element(
    'table',
    attributes,
    element('caption', {}, caption),
    element(
      'thead',
      {},
      element(
        'tr',
        {},
        columns.map((column) => (column instanceof Node ? column : element('th', { scope: 'col' }, column))),
      ),
    ),
    element('tbody', {}, rows),
  );
}
