// The vehicles: the places of a document that hold a reference, and what makes a browser follow each of them.
//
// A vehicle has:
//   how     'load'  the browser follows it when it loads the page
//           'prolog' as 'load', and it stands before the root element
//           'sheet' as 'load', in a style sheet of its own
//           'click' the runner clicks it
//           'frame' as 'load', but the vehicle needs a document of its own, which a frame of the page shows
//           'read'  no browser follows it; the page reads the reference that the browser made
//           'never' no browser follows it, and no page can read it
//   parts   the parts of a reference that are tested in it, besides those of `read`
//   read    the property with the reference of the browser; so the fragment can be tested, too
//   text    the syntax around the reference: 'attribute', 'css', 'css-attribute', 'script' or 'field'
//   charset the charset in which a form sends its fields, if it names one
//   markup  the markup for a reference `r`; `mark` is an attribute with the identifier of the link
//
// The markup is well-formed XML and means the same in HTML.

const both = ['path', 'query'];
const all = ['path', 'query', 'host'];

const vehicle = (name, how, markup, more = {}) => ({
  name,
  how,
  markup,
  parts: both,
  text: 'attribute',
  ...more,
});

// What HTML and XHTML share.
const shared = [
  vehicle('a', 'click', (r, mark) => `<a ${mark} href="${r}">a</a>`, {
    parts: all,
    read: 'href',
    reads: ['fragment', 'user'],
  }),
  vehicle('img-src', 'load', (r, mark) => `<img ${mark} alt="" src="${r}"/>`, {
    parts: all,
    read: 'src',
    reads: ['fragment'],
  }),
  vehicle('iframe-src', 'load', (r, mark) => `<iframe ${mark} title="" src="${r}"></iframe>`, {
    parts: all,
    read: 'src',
    reads: ['fragment'],
  }),
  vehicle('script-src', 'load', (r, mark) => `<script ${mark} src="${r}"></script>`, {
    parts: all,
    read: 'src',
    reads: ['fragment'],
  }),
  vehicle('link-stylesheet', 'load', (r, mark) => `<link ${mark} rel="stylesheet" href="${r}"/>`, {
    parts: all,
    read: 'href',
    reads: ['fragment'],
  }),
  vehicle('object-data', 'load', (r) => `<object data="${r}"></object>`),
  vehicle('video-poster', 'load', (r) => `<video poster="${r}"></video>`),
  vehicle('style-attribute', 'load', (r) => `<i style="background:url('${r}')">s</i>`, {
    text: 'css-attribute',
  }),
  vehicle(
    'style-element',
    'load',
    (r, mark, id) => `<style>.${css(id)}{background:url("${r}")}</style><i class="${css(id)}">s</i>`,
    { text: 'css' },
  ),
  vehicle('svg-image-href', 'load', (r) => svg(`<image width="1" height="1" href="${r}"/>`)),
  vehicle('form', 'click', (r, mark, id) => form(mark, `/l/${id}`, `<input name="q" value="${r}"/>`), {
    text: 'field',
    parts: ['query'],
  }),
];

export const vehicles = {
  html: [
    ...shared,
    vehicle('area', 'click', (r, mark) => `<map name="m"><area ${mark} alt="" href="${r}"/></map>`, {
      read: 'href',
      reads: ['fragment'],
    }),
    vehicle('img-srcset', 'load', (r) => `<img alt="" srcset="${r} 1x"/>`),
    vehicle('picture-source', 'load', (r) => `<picture><source srcset="${r}"/><img alt=""/></picture>`),
    vehicle('input-image-src', 'load', (r) => `<input type="image" alt="" src="${r}"/>`),
    vehicle('video-src', 'load', (r) => `<video preload="auto" src="${r}"></video>`),
    vehicle('audio-src', 'load', (r) => `<audio preload="auto" src="${r}"></audio>`),
    vehicle('source-src', 'load', (r) => `<video preload="auto"><source src="${r}"/></video>`),
    vehicle('track-src', 'load', (r) => `<video><track default="default" kind="subtitles" src="${r}"/></video>`),
    vehicle('embed-src', 'load', (r) => `<embed type="image/png" src="${r}"/>`),
    vehicle('script-module', 'load', (r) => `<script type="module" src="${r}"></script>`),
    vehicle('link-preload', 'load', (r) => `<link rel="preload" as="image" href="${r}"/>`),
    vehicle('link-canonical', 'read', (r, mark) => `<link ${mark} rel="canonical" href="${r}"/>`, {
      read: 'href',
    }),
    vehicle('blockquote-cite', 'read', (r, mark) => `<blockquote ${mark} cite="${r}">b</blockquote>`, {
      read: 'cite',
    }),
    vehicle('table-background', 'load', (r) => `<table background="${r}"><tr><td>t</td></tr></table>`),
    vehicle('td-background', 'load', (r) => `<table><tr><td background="${r}">t</td></tr></table>`),
    vehicle('body-background', 'frame', (r) => `<body background="${r}">b</body>`),
    vehicle('style-import', 'load', (r) => `<style>@import "${r}";</style>`, { text: 'css' }),
    vehicle('sheet-url', 'sheet', (r, mark, id) => `.${css(id)}{background:url("${r}")}`, { text: 'css' }),
    vehicle('sheet-import', 'sheet', (r) => `@import "${r}";`, { text: 'css' }),
    vehicle('svg-image-xlink', 'load', (r) => svg(`<image width="1" height="1" xlink:href="${r}"/>`)),
    vehicle('form-action', 'click', (r, mark) => form(mark, r, '', ' method="post"'), {
      read: 'action',
      reads: ['fragment'],
    }),
    vehicle(
      'formaction',
      'click',
      (r, mark) => `<form method="post"><button ${mark} formaction="${r}">f</button></form>`,
    ),
    vehicle(
      'form-utf-8',
      'click',
      (r, mark, id) => form(mark, `/l/${id}`, `<input name="q" value="${r}"/>`, ' accept-charset="utf-8"'),
      { text: 'field', charset: 'utf-8', parts: ['query'] },
    ),
    vehicle(
      'form-windows-1252',
      'click',
      (r, mark, id) => form(mark, `/l/${id}`, `<input name="q" value="${r}"/>`, ' accept-charset="windows-1252"'),
      { text: 'field', charset: 'windows-1252', parts: ['query'] },
    ),
    vehicle('a-ping', 'click', (r, mark) => `<a ${mark} ping="${r}" href="/none">p</a>`),
    vehicle('meta-refresh', 'frame', (r) => `<meta http-equiv="refresh" content="0; url=${r}">`),
    vehicle('base', 'frame', (r) => `<base href="${r}/"><img alt="" src="end">`, { parts: ['path', 'host'] }),
    vehicle('frame-src', 'frame', (r) => `<frameset><frame src="${r}"></frameset>`),
    vehicle('script-location', 'frame', (r) => `<script>location.href = "${r}"</script>`, { text: 'script' }),
    vehicle('script-fetch', 'load', (r) => `<script>fetch("${r}", { mode: "no-cors" })</script>`, {
      text: 'script',
    }),
    vehicle(
      'script-xhr',
      'load',
      (r) => `<script>{ const x = new XMLHttpRequest(); x.open("GET", "${r}"); x.send() }</script>`,
      { text: 'script' },
    ),
    vehicle('script-beacon', 'load', (r) => `<script>navigator.sendBeacon("${r}")</script>`, {
      text: 'script',
    }),
    vehicle('script-worker', 'load', (r) => `<script>new Worker("${r}")</script>`, { text: 'script' }),
    vehicle('script-image', 'load', (r) => `<script>new Image().src = "${r}"</script>`, { text: 'script' }),
  ],
  xhtml: [...shared, vehicle('pi-stylesheet', 'prolog', (r) => `<?xml-stylesheet type="text/css" href="${r}"?>`)],
  svg: [
    vehicle('a-href', 'click', (r, mark) => `<a ${mark} href="${r}"><text y="9">a</text></a>`),
    vehicle('a-xlink', 'click', (r, mark) => `<a ${mark} xlink:href="${r}"><text y="9">a</text></a>`),
    vehicle('image-href', 'load', (r) => `<image width="1" height="1" href="${r}"/>`),
    vehicle('image-xlink', 'load', (r) => `<image width="1" height="1" xlink:href="${r}"/>`),
    vehicle('use-href', 'load', (r) => `<use href="${r}#u"/>`),
    vehicle(
      'fe-image',
      'load',
      (r, mark, id) =>
        `<filter id="${css(id)}"><feImage href="${r}"/></filter><rect width="9" height="9" filter="url(#${css(id)})"/>`,
    ),
    vehicle('script-href', 'load', (r) => `<script href="${r}"></script>`),
    vehicle('style-import', 'load', (r) => `<style>@import "${r}";</style>`, { text: 'css' }),
    vehicle('style-attribute', 'load', (r) => `<text style="mask-image:url('${r}')">s</text>`, {
      text: 'css-attribute',
    }),
    vehicle('pi-stylesheet', 'prolog', (r) => `<?xml-stylesheet type="text/css" href="${r}"?>`),
  ],
  xml: [
    vehicle('pi-stylesheet', 'prolog', (r) => `<?xml-stylesheet type="text/css" href="${r}"?>`),
    // A browser reads the first sheet of XSLT alone, so each has its own document.
    vehicle('pi-xslt', 'frame', (r) => `<?xml-stylesheet type="text/xsl" href="${r}"?><list/>`),
    vehicle('html-a', 'click', (r, mark) => `<h:a ${mark} href="${r}">a</h:a>`),
    vehicle('html-img', 'load', (r) => `<h:img alt="" src="${r}"/>`),
    vehicle('xlink-simple', 'never', (r, mark) => `<link ${mark} xlink:type="simple" xlink:href="${r}">x</link>`),
    vehicle('xml-base', 'never', (r) => `<part xml:base="${r}/"><h:img alt="" src="end"/></part>`, {
      parts: ['path'],
    }),
  ],
  atom: [
    vehicle('pi-stylesheet', 'prolog', (r) => `<?xml-stylesheet type="text/css" href="${r}"?>`),
    vehicle('html-img', 'load', (r) => `<content type="xhtml"><h:div><h:img alt="" src="${r}"/></h:div></content>`),
    vehicle('link-href', 'never', (r, mark) => `<link ${mark} href="${r}"/>`),
    vehicle('content-src', 'never', (r) => `<content type="image/png" src="${r}"/>`),
  ],
};

/** Returns a name for classes and identifiers: the identifier of a link without dots. */
const css = (id) => id.replaceAll('.', '-');

const svg = (inside) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="1" height="1">${inside}</svg>`;

const form = (mark, action, inside, more = '') => `<form ${mark} action="${action}"${more}>${inside}</form>`;
