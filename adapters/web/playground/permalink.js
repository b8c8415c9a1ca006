// What is typed, as the fragment of the address of the page, without passwords.
//
//     #text=http%3A%2F%2Fa%2F&rule=iri

/** The most units of a link: longer links do not survive most programs. */
const MOST = 8000;

/** What is typed, and what stands for a name that a link does not have. */
export const DEFAULTS = { text: '', reads: '', rule: 'iri-reference', base: '', other: '', profile: 'strict' };

const NAMES = Object.keys(DEFAULTS);

/** Returns the fragment for what is typed, or `null` if it is too long. */
export function write(state, reads, engine) {
  const length = NAMES.reduce((sum, name) => sum + state[name].length, 0);
  if (length > MOST) return null;
  const safe = { ...state, text: masked(state.text, reads, engine) };
  for (const name of ['base', 'other']) safe[name] = engine.masked(state[name]);
  const pairs = NAMES.filter((name) => safe[name] !== DEFAULTS[name]).map((name) => `${name}=${encode(safe[name])}`);
  return `#${pairs.join('&')}`;
}

// The engine masks all that may be a password in a text. Each line is masked by itself, so that the lines between two
// passwords stay. A line of a list that is not valid may be half an address, with the password on both sides of the break.
function masked(text, reads, engine) {
  if (reads === 'address') return engine.masked(text);
  const lines = text.split('\n');
  const safe = lines.map((line) => engine.masked(line)).join('\n');
  const isWhole = reads === 'links' || lines.every((line) => engine.isValid(line, 'iri-reference'));
  return isWhole ? safe : engine.masked(safe);
}

// A half of a surrogate pair has no percent-encoding. It becomes U+FFFD.
function encode(text) {
  return encodeURIComponent(new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text)));
}

/** Returns what a fragment has of the names. A fragment that is not of this form has nothing. */
export function read(fragment) {
  const pairs = new URLSearchParams(fragment.replace(/^#/, ''));
  return Object.fromEntries(NAMES.filter((name) => pairs.has(name)).map((name) => [name, pairs.get(name)]));
}
