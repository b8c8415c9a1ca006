// Says for a row which rule each browser followed, and where the program answers otherwise.

import { isLegacy } from './links.mjs';
import { inCharset, REFUSED, sameBytes } from './parts.mjs';
import { NONE } from './record.mjs';

/** The words of a verdict, and what each means. `who` says whom it concerns: `standard`, `browser` or `program`. */
export const words = {
  'as-rfc3987': {
    who: 'standard',
    text: 'A browser sends what RFC 3987, section 3.1, says: UTF-8, percent-encoded; a host by ToASCII.',
  },
  spelling: {
    who: 'standard',
    text: 'The bytes are those of RFC 3987, and only the spelling differs: what is percent-encoded, or its digits.',
  },
  'document-charset': {
    who: 'standard',
    text: 'A query is sent in the charset of the document, as the guidelines of 2011 (6.1) and the URL Standard say, and not in UTF-8, as RFC 3987 says.',
  },
  'missing-as-reference': {
    who: 'standard',
    text: 'The charset lacks a character of the query, and the browser sends its decimal character reference (%26%23128512%3B). The URL Standard says so; RFC 3987 and the guidelines say nothing of it.',
  },
  'utf-8-query': {
    who: 'standard',
    text: 'A query is sent in UTF-8 although the charset of the document is another: RFC 3987 says so, the guidelines (6.1) do not. Style sheets and some scripts do this.',
  },
  'not-normalized': {
    who: 'standard',
    text: 'The text was converted from a charset that is no form of Unicode. RFC 3987 normalizes it to NFC (3.1, step 1b); browsers do not.',
  },
  'ascii-otherwise': {
    who: 'standard',
    text: 'ASCII that no IRI holds (section 2.2): a browser sends, removes or changes it as the URL Standard says. RFC 3987 lets an application encode some of it, and refuses the rest.',
  },
  'dot-segments': {
    who: 'standard',
    text: 'The browser resolves %2e as a dot segment, as the URL Standard says. RFC 3986 leaves percent-encoded dots to normalization.',
  },
  'host-refused': {
    who: 'browser',
    text: 'A browser makes no URL of this host, and iri maps it to a domain name.',
  },
  'host-accepted': {
    who: 'browser',
    text: 'A browser accepts a host that is no domain name by UTS #46 with all of its checks (hyphens, STD3 rules, the length of a label, valid xn-- labels). RFC 3987 asks for the STD3 rules.',
  },
  'host-mapped': { who: 'browser', text: 'A browser maps this host otherwise than UTS #46.' },
  'sent-twice': {
    who: 'browser',
    text: 'A browser asks twice for one link, in different bytes.',
  },
  'browsers-differ': { who: 'browser', text: 'Chromium and Firefox send different bytes.' },
  'form-data': {
    who: 'standard',
    text: 'A field of a form, which is no reference: HTML says that it is sent in the charset of accept-charset, or of the document, and UTF-8 for UTF-16.',
  },
  'not-followed': { who: 'browser', text: 'No browser follows this vehicle, so nothing was sent.' },
  'one-follows': { who: 'browser', text: 'One of the browsers does not follow this vehicle.' },
  otherwise: { who: 'browser', text: 'A browser sends what none of the rules above gives.' },
  'program-normalizes': {
    who: 'program',
    text: 'iri to-uri --charset answers in NFC, as RFC 3987 says (3.1, step 1b), and no browser does.',
  },
  'program-charset': {
    who: 'program',
    text: 'iri to-uri --links encodes the query in the charset of the page, as the guidelines say, and both browsers use UTF-8 in this vehicle.',
  },
  'program-utf-8': {
    who: 'program',
    text: 'iri does not read references at this place. Both browsers use UTF-8 here, so iri to-uri without --query-charset gives their bytes.',
  },
  'program-keeps-dots': {
    who: 'program',
    text: 'iri to-uri keeps %2e as it is (RFC 3986, section 6.2.2.3, is a later step: iri normalize), and browsers resolve it.',
  },
  'program-refuses': { who: 'program', text: 'iri has no result where both browsers have one.' },
  'program-accepts': { who: 'program', text: 'iri has a result where both browsers have none.' },
  'program-differs': {
    who: 'program',
    text: 'iri answers otherwise than both browsers, and no rule here says why.',
  },
};

export const isBlocked = (value) => value.startsWith('!') && value !== REFUSED;

/** Returns the words for a row, sorted, with spaces between them. */
export function verdict(link, row) {
  const values = [row.chromium, row.firefox];
  const present = values.filter((value) => value !== NONE && !isBlocked(value));
  if (present.length === 0) return values.includes(NONE) && !values.some(isBlocked) ? NONE : 'not-followed';
  const found = new Set(present.flatMap((value) => wordsOf(link, row, value)));
  if (values.some(isBlocked)) found.add('one-follows');
  if (present.length === 2 && !sameBytes(...present)) found.add('browsers-differ');
  const own = row.to_uri_page;
  if (
    own !== NONE &&
    !present.some((value) => sameBytes(value, own) || value.split(' ').some((one) => sameBytes(one, own)))
  ) {
    found.add(ownWord(link, row, present));
  }
  return [...found].sort().join(' ');
}

/** The charset in which HTML says that a form sends its fields. */
export const formCharset = (link) => link.vehicle.charset ?? (isLegacy(link) ? link.charset : 'utf-8');

function wordsOf(link, row, value) {
  const { part, sample, text, charset } = link;
  if (link.vehicle.text === 'field')
    return [sameBytes(value, inCharset(link, formCharset(link))) ? 'form-data' : 'otherwise'];
  if (value.includes(' ')) return ['sent-twice'];
  const isOwnCharset = part === 'query' && isLegacy(link);
  if (value === row.rfc3987 || sameBytes(value, row.rfc3987)) {
    const words = [value === row.rfc3987 ? 'as-rfc3987' : 'spelling'];
    return isOwnCharset && !sameBytes(value, inCharset(link, charset)) ? [...words, 'utf-8-query'] : words;
  }
  if (part === 'host') {
    return [value === REFUSED ? 'host-refused' : row.rfc3987 === REFUSED ? 'host-accepted' : 'host-mapped'];
  }
  if (isOwnCharset && sameBytes(value, inCharset(link, charset))) {
    return [row.guidelines2011 === NONE ? 'missing-as-reference' : 'document-charset'];
  }
  if (sameBytes(value, inCharset(link, 'utf-8'))) return ['not-normalized'];
  if (sample === 'ascii-dots') return ['dot-segments'];
  return [/^[\0-\x7f]*$/.test(text) ? 'ascii-otherwise' : 'otherwise'];
}

function ownWord(link, row, present) {
  const own = row.to_uri_page;
  if (own === REFUSED) return 'program-refuses';
  if (present.every((value) => value === REFUSED)) return 'program-accepts';
  if (link.sample === 'ascii-dots') return 'program-keeps-dots';
  const normalized = link.text.normalize('NFC');
  if (normalized !== link.text && sameBytes(own, inCharset({ ...link, text: normalized }, 'utf-8')))
    return 'program-normalizes';
  if (!sameBytes(own, inCharset(link, link.charset))) return 'program-differs';
  return link.isExtracted
    ? 'program-charset'
    : present.some((value) => sameBytes(value, row.to_uri))
      ? 'program-utf-8'
      : 'program-differs';
}
