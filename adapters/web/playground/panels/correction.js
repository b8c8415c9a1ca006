// A correction of a part of the text, as the engine gives it: `{ start, end, text }`. Errors and findings have corrections.

import { element } from '../dom.js';

/** Returns the text after a correction. */
export function corrected(text, { start, end, text: instead }) {
  return text.slice(0, start) + instead + text.slice(end);
}

/** Returns a button that selects a part of the text. */
export function showButton(start, end, change) {
  return element(
    'button',
    { type: 'button', class: 'plain', onclick: () => change.select(start, end) },
    `Show ${start}–${end}`,
  );
}
