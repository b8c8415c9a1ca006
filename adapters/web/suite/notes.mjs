// What the record shows that the standards leave open, say otherwise, or say without effect: for their editors.
//
// `view` is the filter of the page with the rows that show it.

export const notes = [
  {
    text: 'RFC 3987, 3.1, step 1b: text from a charset that is no form of Unicode is normalized to NFC. No browser does so, in any part.',
    view: 'verdict=not-normalized',
  },
  {
    text: 'RFC 3987, 3.1, step 1b, does not say whether a character reference, such as &#x301; in a page in windows-1252, counts as converted from the charset. Browsers do not normalize it; iri does not either.',
    view: 'sample=composes&form=hex',
  },
  {
    text: 'Guidelines of 2011, 6.1: a query is in the charset of the document. Browsers follow this in most places of HTML, XHTML, SVG and XML. RFC 3987 has no such exception.',
    view: 'verdict=document-charset',
  },
  {
    text: 'Guidelines of 2011, 6.1, say nothing of a character that the charset lacks. Browsers send a decimal character reference, which a server cannot tell from the same text typed by a person. The URL Standard says so.',
    view: 'verdict=missing-as-reference',
  },
  {
    text: 'Guidelines of 2011, 6.1, except charsets that are "UCS-based". GB18030 has all characters of Unicode, and browsers treat it as any other charset: the query is in GB18030.',
    view: 'charset=gb18030&part=query',
  },
  {
    text: 'url() in a style sheet: the CSS Working Group resolved on UTF-8 (csswg-drafts issue 9301). Firefox uses UTF-8 everywhere. Chromium uses UTF-8 in the style attribute and in @import, and the charset of the document in <style> and in a linked sheet.',
    view: 'vehicle=style-element&part=query',
  },
  {
    text: '@import in <style> of HTML: both browsers ask twice if the query has letters outside ASCII, once in the charset of the document and once in UTF-8. What reads ahead seems to follow another rule than the parser of CSS.',
    view: 'verdict=sent-twice',
  },
  {
    text: '@import in <style> of HTML with escapes of CSS: Firefox asks for a reference with the backslashes, and for the right reference.',
    view: 'vehicle=style-import&form=hex',
  },
  {
    text: 'A style sheet of <?xml-stylesheet?>: both browsers use the charset of the document (csswg-drafts issue 9297 asks for this). For a sheet of XSLT, Chromium uses the charset of the document, and Firefox uses UTF-8.',
    view: 'text=.pi-&part=query',
  },
  {
    text: 'meta refresh: Chromium uses the charset of the document, Firefox uses UTF-8.',
    view: 'vehicle=meta-refresh&part=query',
  },
  {
    text: 'script href in SVG: Chromium uses the charset of the document, Firefox uses UTF-8. In HTML both use the charset of the document.',
    view: 'vehicle=script-href&part=query',
  },
  {
    text: 'References in scripts: fetch uses UTF-8; XMLHttpRequest, sendBeacon, Worker, Image and location use the charset of the document.',
    view: 'text=.script-&part=query',
  },
  {
    text: 'A vertical bar in a path: Chromium percent-encodes it, Firefox sends it as it is.',
    view: 'sample=ascii-bar&part=path',
  },
  {
    text: 'RFC 3987, 3.1, sets UseSTD3ASCIIRules for hosts. Both browsers accept an underscore, a hyphen at the start, and a label of more than 63 bytes.',
    view: 'verdict=host-accepted',
  },
  {
    text: 'The label xn--a, which stands for U+0080: Chromium asks for it, Firefox refuses it.',
    view: 'sample=host-fake',
  },
  {
    text: 'xlink:href outside SVG, xml:base, and the links of Atom: no browser follows them.',
    view: 'verdict=not-followed',
  },
];
