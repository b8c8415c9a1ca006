// A list: counts, and a table of the lines that can be sorted.

import { count, element, nodes, shown } from '../dom.js';

/** The number of rows that a click adds. */
const STEP = 100;

const COLUMNS = ['scheme', 'host', 'path', 'query', 'fragment'];

/** How the table is sorted: the column, or `null` for the order of the list. */
const order = { column: null, down: false };

/** The last list, so that a click on a column does not read the list again. */
let last = { text: null, rule: null, list: null };

function read({ text, rule, engine, page }) {
  if (last.text === text && last.rule === rule && last.engine === engine) return last.list;
  const lines = engine.parseLines(text, rule);
  const columns = Object.fromEntries(COLUMNS.map((name) => [name, lines.column(name)]));
  const valid = Array.from(lines, (_, line) => lines.isValid(line));
  const hosts = new Set(columns.host.filter((host) => host !== null && host !== ''));
  const list = { lines, columns, valid, texts: [...lines], hosts: hosts.size };
  last = { text, rule, engine, list };
  return list;
}

export function list(state, change) {
  const { show } = state;
  const { lines, columns, valid, texts, hosts } = read(state);
  const validCount = valid.filter(Boolean).length;
  const chosen = texts.map((_, line) => line).filter((line) => show === '' || valid[line] === (show === 'valid'));
  const value = (line) => (order.column === 'line' ? texts[line] : columns[order.column][line]) ?? '';
  if (order.column !== null) {
    const sign = order.down ? -1 : 1;
    const values = new Map(chosen.map((line) => [line, value(line)]));
    chosen.sort((a, b) => {
      const [left, right] = [values.get(a), values.get(b)];
      return left === right ? a - b : left < right ? -sign : sign;
    });
  }
  const body = element('tbody');
  const more = element('button', { type: 'button' });
  let at = 0;
  const add = () => {
    body.append(
      ...chosen.slice(at, at + STEP).map((line) => row(line, lines, columns, valid[line], texts[line], change)),
    );
    at = Math.min(chosen.length, at + STEP);
    more.textContent = `Show ${count(Math.min(STEP, chosen.length - at))} of ${count(chosen.length - at)} more`;
    more.hidden = at === chosen.length;
  };
  more.addEventListener('click', add);
  add();
  const head = element(
    'tr',
    {},
    element('th', { scope: 'col' }, '#'),
    ['line', ...COLUMNS].map((name) => heading(name, change)),
  );
  return [
    element(
      'dl',
      'figures',
      figure('Lines', texts.length),
      figure('Valid', validCount),
      figure('Invalid', texts.length - validCount),
      figure('Hosts', hosts),
    ),
    element(
      'div',
      { class: 'scroll', role: 'region', tabindex: 0, 'aria-label': 'Table of the lines' },
      element('table', {}, element('caption', {}, 'Lines'), element('thead', {}, head), body),
    ),
    element('p', 'rest', more),
  ];
}

function figure(name, number) {
  return element('div', {}, element('dt', {}, name), element('dd', {}, count(number)));
}

function heading(name, change) {
  const isSorted = order.column === name;
  const sort = () => {
    // Up, down, and the order of the list again.
    if (!isSorted) Object.assign(order, { column: name, down: false });
    else if (!order.down) order.down = true;
    else order.column = null;
    change.again();
    document.querySelector(`#list [data-sort="${name}"]`)?.focus();
  };
  const sign = isSorted ? (order.down ? ' ▼' : ' ▲') : '';
  return element(
    'th',
    { scope: 'col', 'aria-sort': isSorted ? (order.down ? 'descending' : 'ascending') : 'none' },
    element(
      'button',
      { type: 'button', 'data-sort': name, onclick: sort },
      name,
      element('span', { 'aria-hidden': 'true' }, sign),
    ),
  );
}

function row(line, lines, columns, isValid, text, change) {
  const open = element(
    'button',
    { type: 'button', class: 'plain', 'aria-label': `Open line ${line + 1}`, onclick: () => change.open(text) },
    String(line + 1),
  );
  const cells = isValid
    ? COLUMNS.map((name) => element('td', name, columns[name][line] === null ? '' : shown(columns[name][line], 120)))
    : [element('td', { class: 'bad small', colspan: COLUMNS.length }, nodes(reason(lines, line), 300))];
  return element('tr', {}, element('td', {}, open), element('td', {}, shown(text, 120)), cells);
}

/** The first error of a line, which needs the large module. */
function reason(lines, line) {
  try {
    return lines.errorAt(line)?.message ?? '';
  } catch {
    return 'invalid';
  }
}
