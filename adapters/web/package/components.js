// The components of a reference, cut out of a text at offsets that the module found.
//
// `offsets` has nine numbers for each reference, from `at`: where the reference begins in the text, and then, counted from
// there, the end of the scheme, the starts of the authority and of the host, the end of the host, the start and the end of
// the path, the end of the query, and the end. They ascend. An absent component has no delimiter between its offsets:
//
//     http://a:80/b?c      0   4 7 7 8 11 13 15 15
//     urn:b                0   3 4 4 4  4  5  5  5

const SCHEME_END = 1,
  AUTHORITY = 2,
  HOST = 3,
  HOST_END = 4,
  PATH = 5,
  PATH_END = 6,
  QUERY_END = 7,
  END = 8;

/** The numbers of a reference. */
export const WIDTH = 9;

/** The function of each component: the string, or `null` if the component is absent. */
export const cut = {
  scheme: (text, offsets, at) => between(text, offsets, at, 0, offsets[at + SCHEME_END], offsets[at + SCHEME_END] > 0),
  authority: (text, offsets, at) =>
    between(text, offsets, at, offsets[at + AUTHORITY], offsets[at + PATH], hasAuthority(offsets, at)),
  userinfo: (text, offsets, at) =>
    between(
      text,
      offsets,
      at,
      offsets[at + AUTHORITY],
      offsets[at + HOST] - 1,
      offsets[at + AUTHORITY] < offsets[at + HOST],
    ),
  host: (text, offsets, at) =>
    between(text, offsets, at, offsets[at + HOST], offsets[at + HOST_END], hasAuthority(offsets, at)),
  port: (text, offsets, at) =>
    between(
      text,
      offsets,
      at,
      offsets[at + HOST_END] + 1,
      offsets[at + PATH],
      offsets[at + HOST_END] < offsets[at + PATH],
    ),
  path: (text, offsets, at) => between(text, offsets, at, offsets[at + PATH], offsets[at + PATH_END], true),
  query: (text, offsets, at) =>
    between(
      text,
      offsets,
      at,
      offsets[at + PATH_END] + 1,
      offsets[at + QUERY_END],
      offsets[at + PATH_END] < offsets[at + QUERY_END],
    ),
  fragment: (text, offsets, at) =>
    between(
      text,
      offsets,
      at,
      offsets[at + QUERY_END] + 1,
      offsets[at + END],
      offsets[at + QUERY_END] < offsets[at + END],
    ),
};

/** Returns the text of a reference. */
export function whole(text, offsets, at) {
  return between(text, offsets, at, 0, offsets[at + END], true);
}

/** Tells whether there is a reference at `at`: the module writes 2³² − 1 first if a text is not valid. */
export function isThere(offsets, at) {
  return offsets[at + SCHEME_END] < 0xffffffff;
}

function between(text, offsets, at, start, end, isThere) {
  return isThere ? text.slice(offsets[at] + start, offsets[at] + end) : null;
}

// Two slashes stand before an authority. Without an authority, its offset is that of the path.
function hasAuthority(offsets, at) {
  const schemeEnd = offsets[at + SCHEME_END];
  return offsets[at + AUTHORITY] === (schemeEnd === 0 ? 2 : schemeEnd + 3);
}
