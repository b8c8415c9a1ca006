// The page: what is typed, and which panels show it.
//
// The first answer comes from the small module, which has the components and the errors. All panels follow when the large
// module is there. A panel is a function of the state that returns its nodes, or `null` if it has nothing to show.

import { copy, count, element, nodes, say } from './dom.js';
import { BY_HAND, FIRST, ofEngine } from './examples.js';
import { loadCore, loadPage } from './modules.js';
import { characters } from './panels/characters.js';
import { code } from './panels/code.js';
import { directions } from './panels/directions.js';
import { MOST, errors } from './panels/errors.js';
import { findings } from './panels/findings.js';
import { forms } from './panels/forms.js';
import { ladder } from './panels/ladder.js';
import { links } from './panels/links.js';
import { list } from './panels/list.js';
import { linkOnHover, parts } from './panels/parts.js';
import { steps } from './panels/steps.js';
import { url } from './panels/url.js';
import { DEFAULTS, read, write } from './permalink.js';

/** The panels of each way to read the text. The panels of `EARLY` need the small module alone. */
const PANELS = {
  address: { parts, errors, url, findings, forms, steps, ladder, directions, code, characters },
  list: { list },
  links: { links },
};
const EARLY = new Set(['parts', 'errors', 'list']);

/** The kinds, as the program calls them. */
const RULES = [
  'iri-reference',
  'iri',
  'absolute-iri',
  'irelative-ref',
  'uri-reference',
  'uri',
  'absolute-uri',
  'relative-ref',
];

/** From this length on, the page waits until typing pauses. */
const LONG = 5000;
const PAUSE = 250;

const field = (name) => document.getElementById(name);

let core = null;
let page = null;
const examples = [];
/** The pause after which a long text is shown. */
let timer = null;

function typed() {
  return Object.fromEntries([...Object.keys(DEFAULTS), 'show'].map((name) => [name, field(name).value]));
}

/** Fills fields. A field that is not named gets its default. */
function fill(values) {
  for (const [name, value] of Object.entries({ ...DEFAULTS, ...values })) {
    const input = field(name);
    input.value = value;
    // A link may name a choice that is not there.
    if (input.value !== value && input.tagName === 'SELECT') input.value = DEFAULTS[name];
  }
}

/** How a text is read: as it is chosen, or by its lines. */
function readsOf({ text, reads, rule }, engine) {
  if (reads !== '') return reads;
  if (!text.replace(/\n$/, '').includes('\n')) return 'address';
  const { lines, valid } = engine.countLines(text, rule);
  return 2 * valid >= lines ? 'list' : 'links';
}

/** Adds what all panels need: the reference or the errors, and what it resolves to. */
function examine(state, engine) {
  const { rule, base } = state;
  // The line break at the end of a pasted line is not part of the address.
  const text = state.text.replace(/\n$/, '');
  const made = { ...state, text, engine, page, iri: null, errors: [], resolved: null };
  try {
    const iri = engine.IriRef.parse(text);
    if (engine.isValid(text, rule)) made.iri = iri;
  } catch (error) {
    made.errors = [error];
  }
  // The small module knows the first error by the kind `iri-reference` alone.
  if (made.iri === null && page) made.errors = page.violations(text, rule, { most: MOST + 1 });
  if (made.iri !== null && base !== '') {
    try {
      made.resolved = engine.resolve(base, text);
    } catch (error) {
      made.baseError = error.message;
    }
  }
  return made;
}

function summary(reads, state) {
  if (state.text === '' && reads === 'address') return 'The empty text is a reference to its base.';
  if (reads === 'list') {
    const { lines, valid } = state.engine.countLines(state.text, state.rule);
    return `${count(valid)} of ${count(lines)} lines match the kind ${state.rule}.`;
  }
  if (reads === 'links') return 'A text with addresses.';
  if (state.baseError) return `The base is refused: ${state.baseError}`;
  if (state.iri !== null) return `Valid: matches the kind ${state.rule}.`;
  if (state.errors.length === 0) return `Does not match the kind ${state.rule}.`;
  if (state.errors.length === 1) return '1 error.';
  return state.errors.length > MOST ? `More than ${MOST} errors.` : `${state.errors.length} errors.`;
}

/** The nodes of a panel, or the error of the engine in their place. */
function nodesOf(panel, state) {
  try {
    return panel(state, change);
  } catch (error) {
    if (error.name !== 'IriError') throw error;
    return [element('p', 'bad', nodes(error.message))];
  }
}

function show() {
  clearTimeout(timer);
  const engine = page ?? core;
  if (engine === null) return;
  const values = typed();
  const reads = readsOf(values, engine);
  const state = reads === 'address' ? examine(values, engine) : { ...values, engine, page };
  for (const section of document.querySelectorAll('#results section')) {
    const panel = PANELS[reads][section.id];
    const made = panel && (page || EARLY.has(section.id)) ? nodesOf(panel, state) : null;
    section.hidden = made === null;
    section.querySelector('.body').replaceChildren(...(made ?? []));
  }
  say(summary(reads, state));
  performance.mark(page ? 'all' : 'first');
}

/** Shows after a change: at once, or after a pause if the text is long. What is typed is no longer the example. */
function later() {
  field('example').value = '';
  clearTimeout(timer);
  if (field('text').value.length < LONG) show();
  else timer = setTimeout(show, PAUSE);
}

/** What the panels may change. */
const change = {
  /** Puts a text in place of the text of the field, as if it was typed, so that the reader can undo it. */
  text(text) {
    field('text').focus();
    field('text').select();
    const isTyped = text.length < LONG && document.execCommand('insertText', false, text);
    if (!isTyped) field('text').value = text;
    show();
  },
  /** Selects a part of the text in the field. */
  select(start, end) {
    field('text').focus();
    field('text').setSelectionRange(start, end);
  },
  /** Reads a text as one address. */
  open(text) {
    fill({ ...typed(), text, reads: 'address' });
    field('text').focus();
    show();
  },
  again: show,
};

function addExamples(groups) {
  for (const [name, group] of groups) {
    const options = group.map(([title, values]) => element('option', { value: examples.push(values) - 1 }, title));
    field('example').append(element('optgroup', { label: name }, options));
  }
}

function copyLink() {
  const values = typed();
  // Only the large module masks passwords.
  const fragment = page && write(values, readsOf(values, page), page);
  if (fragment === null) return say(page ? 'The text is too long for a link.' : 'The page is still loading.');
  history.replaceState(null, '', fragment);
  return copy(location.href);
}

function start() {
  field('rule').append(...RULES.map((rule) => element('option', {}, rule)));
  field('example').append(element('option', { value: '' }, 'choose one'));
  addExamples(BY_HAND);
  fill({ text: FIRST, ...read(location.hash) });

  field('form').addEventListener('submit', (event) => event.preventDefault());
  for (const name of ['text', 'base', 'other']) field(name).addEventListener('input', later);
  for (const name of ['reads', 'rule', 'profile', 'show']) field(name).addEventListener('change', show);
  field('example').addEventListener('change', ({ target }) => {
    if (target.value === '') return;
    fill(examples[target.value]);
    show();
  });
  field('link').addEventListener('click', copyLink);
  field('turn').addEventListener('click', ({ target }) => {
    const isTurned = document.documentElement.dir !== 'rtl';
    document.documentElement.dir = isTurned ? 'rtl' : 'ltr';
    target.setAttribute('aria-pressed', isTurned);
  });
  addEventListener('hashchange', () => {
    const values = read(location.hash);
    if (Object.keys(values).length === 0) return;
    fill(values);
    show();
  });
  linkOnHover(field('results'));
}

start();
core = await loadCore();
show();
page = await loadPage();
addExamples(ofEngine(page));
show();
