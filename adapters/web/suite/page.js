'use strict';
// The table of links: filters, and a part of the rows at a time. The filters are in the fragment of the address, so a
// view can be linked.
{
  const STEP = 100;
  const { few, values, rows } = JSON.parse(document.getElementById('data').textContent);
  const form = document.getElementById('filters');
  const body = document.getElementById('rows');
  const more = document.getElementById('more');
  const titles = [...document.querySelectorAll('.links thead th')].map((head) => head.textContent);
  let found = [];
  let shown = 0;

  for (const name of few) {
    const all = name === 'verdict' ? [...new Set(values.verdict.flatMap((one) => one.split(' ')))] : values[name];
    form.elements[name].append(...[...all].sort().map((value) => new Option(value, value)));
  }

  // A row as texts: the columns with few values, what is written, and seven answers.
  const texts = rows.map((row) => {
    const cells = row.map((cell, at) => (at < few.length ? values[few[at]][cell] : cell));
    for (let at = few.length + 2; at < cells.length; at++) cells[at] ||= cells[at - 1];
    return cells;
  });

  function search() {
    const wanted = few.map((name) => form.elements[name].value);
    const text = form.elements.text.value.toLowerCase();
    found = texts.filter(
      (cells) =>
        wanted.every(
          (value, at) => !value || (few[at] === 'verdict' ? cells[at].split(' ').includes(value) : cells[at] === value),
        ) &&
        (!text ||
          identifier(cells).includes(text) ||
          cells.slice(few.length).some((cell) => cell.toLowerCase().includes(text))),
    );
    shown = 0;
    body.replaceChildren();
    show();
  }

  const identifier = (cells) => cells.slice(0, 6).join('.');

  function show() {
    for (const cells of found.slice(shown, shown + STEP)) {
      const row = document.createElement('tr');
      const head = document.createElement('th');
      head.scope = 'row';
      head.setAttribute('role', 'rowheader');
      row.setAttribute('role', 'row');
      breakable(head, identifier(cells), '.');
      row.append(head);
      const verdict = cells[few.indexOf('verdict')];
      [...cells.slice(few.length), verdict].forEach((text, at) => {
        const cell = document.createElement('td');
        cell.setAttribute('role', 'cell');
        cell.dataset.label = titles[at + 1];
        const code = document.createElement(text === verdict ? 'span' : 'bdi');
        breakable(code, text, '%');
        cell.append(code);
        row.append(cell);
      });
      const [chromium, firefox, rfc] = cells.slice(few.length + 1);
      if (chromium !== firefox) row.children[3].classList.add('differ');
      if (chromium !== rfc) row.children[2].classList.add('other');
      body.append(row);
    }
    shown = Math.min(shown + STEP, found.length);
    more.hidden = shown === found.length;
    document.getElementById('count').textContent = `${found.length.toLocaleString('en-US')} links, ${shown} shown`;
  }

  // Puts a text into an element, which may be broken into lines before a separator and nowhere else.
  function breakable(element, text, separator) {
    text.split(separator).forEach((part, at) => {
      if (at > 0) element.append(document.createElement('wbr'), separator);
      element.append(part);
    });
  }

  function write() {
    const pairs = [...new FormData(form)].filter(([, value]) => value);
    history.replaceState(null, '', `#${new URLSearchParams(pairs)}`);
  }

  // Returns whether the fragment of the address is a view of the table.
  function read() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const isView = [...wanted.keys()].some((name) => name === 'text' || few.includes(name));
    for (const name of [...few, 'text']) form.elements[name].value = (isView && wanted.get(name)) || '';
    search();
    return isView;
  }

  form.addEventListener('input', () => {
    write();
    search();
  });
  form.addEventListener('reset', () =>
    setTimeout(() => {
      write();
      search();
    }),
  );
  form.addEventListener('submit', (event) => event.preventDefault());
  more.addEventListener('click', show);
  const open = () => {
    if (read()) document.getElementById('links').scrollIntoView();
  };
  addEventListener('hashchange', open);
  open();
}
