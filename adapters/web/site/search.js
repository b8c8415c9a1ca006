// The search of the site: sections that have all words of a query, those with the words in a heading first.
//
// `SECTIONS` comes from `index.js`: page, title of the page, heading, anchor and text of each section.

const MOST = 30;

const field = document.getElementById('search');
const found = document.getElementById('found');

/** The characters of a text without marks and capital letters. */
const plain = (text) =>
  text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();

const sections = SECTIONS.map(([page, title, heading, anchor, text]) => {
  return { page, title, heading, anchor, text, head: plain(`${title} ${heading}`), body: plain(text) };
});

/** The sections for a query, the best first. */
function search(query) {
  const words = plain(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const score = ({ head, body }) => {
    let sum = 0;
    for (const word of words) {
      if (head.includes(word)) sum += 10;
      else if (body.includes(word)) sum += 1;
      else return 0;
    }
    return sum;
  };
  const scored = sections.map((section) => [score(section), section]).filter(([points]) => points > 0);
  return scored.sort(([a], [b]) => b - a).map(([, section]) => section);
}

/** The part of a text around the first word of a query. */
function excerpt({ text, body }, query) {
  const at = Math.max(0, body.indexOf(plain(query).split(/\s+/)[0]) - 60);
  return `${at > 0 ? '…' : ''}${text.slice(at, at + 180)}${text.length > at + 180 ? '…' : ''}`;
}

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function show() {
  const query = field.value.trim();
  const results = search(query);
  found.hidden = query === '';
  found.replaceChildren();
  if (query === '') return;
  found.append(element('h2', results.length === 0 ? 'Nothing found' : `${results.length} sections`));
  const list = found.appendChild(document.createElement('ol'));
  for (const section of results.slice(0, MOST)) {
    const row = list.appendChild(document.createElement('li'));
    const name = section.heading === section.title ? section.title : `${section.title}: ${section.heading}`;
    row.append(
      element('a', name, { href: `${section.page}#${section.anchor}` }),
      element('p', excerpt(section, query)),
    );
  }
}

field.addEventListener('input', show);
document.getElementById('search-form').addEventListener('submit', (event) => {
  event.preventDefault();
  found.querySelector('a')?.focus();
});
// A slash goes to the search, as on many sites.
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && !event.target.closest('input, textarea')) {
    event.preventDefault();
    field.focus();
  }
});
// On a narrow screen the list of pages is closed.
if (matchMedia('(max-width: 50rem)').matches) document.querySelector('.menu').open = false;
