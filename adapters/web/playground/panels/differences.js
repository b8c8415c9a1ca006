// Why the URL Standard and the RFCs read a text in different ways: sentences, chosen by comparing both readings.
//
// Not here: what is valid. The engine and the browser say that, and these sentences only name the section.

import { portOf } from './parts.js';

const TRIPLET = /%[0-9a-f]{2}/i;

/** Each sentence of a component, with the condition for it. The first condition that holds gives the sentence. */
const REASONS = {
  scheme: [
    [
      ({ own, other }) => own !== null && own.toLowerCase() === other,
      'URL writes the scheme in lower case (URL Standard, section 4.4, scheme state). RFC 3986, section ' +
        '6.2.2.1, leaves that to normalization.',
    ],
    [({ own }) => own === null, 'The scheme is that of the base (URL Standard, section 4.4, no scheme state).'],
  ],
  userinfo: [
    [
      ({ own, other }) => own === null && other !== '',
      'URL finds user information, because it reads up to the last “@” (URL Standard, section 4.4, authority state).',
    ],
    [
      ({ own, other }) => /^:?$/.test(own ?? '') && other === '',
      'URL drops empty user information (URL Standard, section 4.5, serializer).',
    ],
    [
      ({ own, other }) => own.replace(/:$/, '') === other,
      'URL drops the colon before an empty password (URL Standard, section 4.5, serializer).',
    ],
    [
      () => true,
      'URL percent-encodes the userinfo percent-encode set, which has “;”, “=” and all characters outside ' +
        'ASCII (URL Standard, section 1.3).',
    ],
  ],
  host: [
    [
      ({ own, other }) => own === null && other !== '',
      'A special scheme always has a host: URL reads what follows the colon as an authority, with or without ' +
        'slashes (URL Standard, section 4.4, special authority slashes state). RFC 3986, section 3, reads a ' +
        'path.',
    ],
    [
      ({ own, other }) => own !== null && own.toLowerCase() === other,
      'URL writes the host in lower case (URL Standard, section 3.5, by UTS #46). RFC 3986, section 6.2.2.1, ' +
        'leaves that to normalization.',
    ],
    [
      ({ other }) => other.startsWith('['),
      'URL compresses the IPv6 address (URL Standard, section 3.6, as in RFC 5952). RFC 3986, section 3.2.2, ' +
        'allows each spelling.',
    ],
    [
      ({ other }) => /^\d+(\.\d+){3}$/.test(other),
      'URL reads the host as an IPv4 address: fewer parts, octal and hexadecimal numbers, digits of other ' +
        'scripts (URL Standard, section 3.5, IPv4 parser). In RFC 3986, section 3.2.2, only four decimal ' +
        'numbers are an address, and this is a name.',
    ],
    [
      ({ own, other }) => other.includes('xn--') && !own.includes('xn--'),
      'URL maps the domain name to ASCII (URL Standard, section 3.3, UTS #46). RFC 3987, section 3.1, keeps ' +
        'the name, and maps it when a URI is asked for.',
    ],
    [
      ({ own }) => TRIPLET.test(own ?? ''),
      'URL decodes triplets in a host before it reads the name (URL Standard, section 3.5, host parser). In ' +
        'RFC 3986, section 3.2.2, they stay.',
    ],
    [
      ({ theirs }) => theirs.protocol === 'file:' && theirs.hostname === '',
      'In a file address, URL drops the host “localhost” (URL Standard, section 4.4, file host state). RFC ' +
        '8089, section 2, says that both mean the same.',
    ],
    [
      ({ own }) => /[^\0-\x7f]/.test(own ?? ''),
      'URL maps the host by UTS #46 (URL Standard, section 3.3), or percent-encodes it if the scheme is not ' +
        'special (section 3.5, opaque-host parser).',
    ],
  ],
  port: [
    [
      ({ own, other }) => own !== null && other === '',
      'URL drops the default port of a special scheme (URL Standard, section 4.4, port state). RFC 3986, ' +
        'section 6.2.3, leaves that to normalization.',
    ],
  ],
  path: [
    [
      ({ own, other }) => own === '' && other === '/',
      'In a special scheme, an empty path is “/” (URL Standard, section 4.4, path start state). RFC 3986, ' +
        'section 6.2.3, leaves that to normalization.',
    ],
    [
      ({ own, text, theirs }) => text.includes('\\') && own !== theirs.pathname,
      'In a special scheme, URL reads a backslash as a slash (URL Standard, section 4.4, path state). RFC ' +
        '3986 does not allow a backslash.',
    ],
    [
      ({ ours, other }) => ours.authority === null && ours.scheme !== null && other.startsWith('/'),
      'What RFC 3986, section 3.3, reads as the path begins with the host for URL (URL Standard, section 4.4, ' +
        'special authority slashes state).',
    ],
    [
      ({ own }) => /(^|\/)(\.|%2e){1,2}(\/|$)/i.test(own),
      'URL removes dot segments, and reads “%2e” as a dot (URL Standard, section 4.4, path state). RFC 3986, ' +
        'section 5.2.4, removes them when a reference is resolved.',
    ],
  ],
  query: [],
  fragment: [],
};

/** The percent-encode set of each component. */
const SETS = {
  path:
    'URL percent-encodes the path percent-encode set, which has all characters outside ASCII (URL Standard, ' +
    'section 1.3). The IRI keeps them, and RFC 3987, section 3.1, maps them when a URI is asked for.',
  query:
    'URL percent-encodes the query percent-encode set, which has all characters outside ASCII, and in special ' +
    'schemes the apostrophe (URL Standard, section 1.3). The IRI keeps them.',
  fragment:
    'URL percent-encodes the fragment percent-encode set, which has all characters outside ASCII and the ' +
    'grave accent (URL Standard, section 1.3). The IRI keeps them.',
};

/** Returns why a component differs: sentences. */
export function reasons(name, sides) {
  const { own, other, text } = sides;
  const first = REASONS[name].find(([holds]) => holds(sides));
  const found = first ? [first[1]] : [];
  const gained = (other.match(/%/g) ?? []).length > ((own ?? '').match(/%/g) ?? []).length;
  if (gained && SETS[name]) found.push(SETS[name]);
  if (/[\t\n\r]/.test(text) && found.length === 0) found.push(REMOVED);
  if (found.length === 0) found.push('The two standards write this component in different ways.');
  return found;
}

const REMOVED =
  'URL removes tabs and line breaks everywhere (URL Standard, section 4.4, step 3). RFC 3987 does not allow them.';

/** Returns why the browser accepts a text that the grammar refuses. */
export function whyAccepted({ text }) {
  const found = [];
  if (/^[\0-\x20]|[\0-\x20]$/.test(text))
    found.push('URL strips controls and spaces at both ends (URL Standard, section 4.4, step 1).');
  if (/[\t\n\r]/.test(text)) found.push(REMOVED);
  if (text.includes('\\'))
    found.push('In a special scheme, URL reads a backslash as a slash (URL Standard, section 4.4).');
  found.push(
    'What RFC 3987 refuses is often a validation error in the URL Standard (section 1.1): the parser goes on, ' +
      'and writes the character as it is or percent-encoded.',
  );
  return found;
}

/** Returns why the browser refuses a text that the grammar allows. */
export function whyRefused({ base, iri }) {
  if (iri.scheme === null && base === '')
    return [
      'URL needs a scheme or a base (URL Standard, section 4.4, no scheme state). RFC 3986, section 4.2, has ' +
        'relative references.',
    ];
  if (iri.scheme === null) return ['URL cannot resolve this against the base (URL Standard, section 4.4).'];
  if (Number(portOf(iri)) > 65535)
    return [
      'A port has at most 16 bits (URL Standard, section 4.4, port state). RFC 3986, section 3.2.3, has no limit.',
    ];
  if (iri.host === '')
    return [
      'A special scheme needs a host (URL Standard, section 4.4, host state). RFC 3986, section 3.2.2, allows ' +
        'an empty host; the scheme may forbid it.',
    ];
  if (iri.host?.startsWith('['))
    return [
      'URL knows IPv6 addresses alone between brackets (URL Standard, section 3.5). RFC 3986, section 3.2.2, ' +
        'also has addresses of later versions.',
    ];
  if (iri.host !== null)
    return [
      'URL refuses the host: it is not a domain name by UTS #46, has a forbidden domain code point, or ends ' +
        'in a number and is not an IPv4 address (URL Standard, section 3.5). RFC 3986, section 3.2.2, allows ' +
        'each registered name.',
    ];
  return ['URL refuses this form of the scheme (URL Standard, section 4.4).'];
}
