//! Where the components of a reference lie: eight byte offsets.
//!
//! Here: the offsets, the ranges that they stand for, and [`Parts::check`], which derives every relation
//! among them from the text again. Not here: how the parser finds them.
#![forbid(unsafe_code)]

use core::{fmt, ops::Range};

use crate::error::Component;

/// The byte offsets of the components of a reference (RFC 3987, section 2.2; RFC 3986, section 3).
///
/// ```text
///   https://user:pw@example.org:8042/over/there?name=ferret#nose
///   |    |  |       |          |    |          |           |    |
///   0    |  |       |          |    |          |           |    end
///        |  |       |          |    |          |           query_end
///        |  |       |          |    |          path_end
///        |  |       |          |    path       (the authority ends here)
///        |  |       |          host_end
///        |  |       host       (userinfo ends before the `@`)
///        |  authority
///        scheme_end
/// ```
///
/// An absent component has no delimiter, so that the offsets around it are equal: there is a port if
/// `host_end < path`, a query if `path_end < query_end`, a fragment if `query_end < end`, a userinfo if
/// `authority < host`, and an authority if two slashes come before it. A component that is present and
/// empty keeps its delimiter.
///
/// Offsets are in bytes of UTF-8, ascend, and are on character boundaries.
///
/// ```
/// use simd_iri::Rule;
///
/// let text = "http://[::1]:80/a?#";
/// let parts = Rule::Iri.parse(text)?;
/// assert_eq!(&text[parts.host().unwrap()], "[::1]");
/// assert_eq!(parts.port(), Some(13..15));
/// assert_eq!(parts.query(), Some(18..18));
/// assert_eq!(parts.fragment(), Some(19..19));
/// assert_eq!(parts.userinfo(), None);
/// # Ok::<(), simd_iri::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Parts {
    /// All offsets as one array, so that a kernel can load and move them at once:
    /// - `scheme_end`: the colon after the scheme, 0 without a scheme;
    /// - `authority`: the first byte after `//`, without an authority the same as `path`;
    /// - `host`: the first byte of the host;
    /// - `host_end`: the colon before the port, without a port the same as `path`;
    /// - `path`: the first byte of the path;
    /// - `path_end`: the question mark, or the end of the path if there is no query;
    /// - `query_end`: the number sign, or the end of the text;
    /// - `end`: the end of the text.
    offsets: [u32; 8],
}

const _: () = assert!(size_of::<Parts>() == 32);

/// The range between two offsets. `usize` has at least 32 bits on all supported targets.
const fn range(start: u32, end: u32) -> Range<usize> {
    start as usize..end as usize
}

impl Parts {
    /// Returns the scheme without its colon, or `None` if there is none.
    ///
    /// ```
    /// # use simd_iri::Rule;
    /// assert_eq!(Rule::IriReference.parse("urn:a")?.scheme(), Some(0..3));
    /// assert_eq!(Rule::IriReference.parse("//a")?.scheme(), None);
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[inline]
    #[must_use]
    pub const fn scheme(&self) -> Option<Range<usize>> {
        let [scheme_end, ..] = self.offsets;
        if scheme_end == 0 { None } else { Some(range(0, scheme_end)) }
    }

    /// Returns the `iauthority` without the two slashes before it, or `None` if there is none.
    ///
    /// ```
    /// # use simd_iri::Rule;
    /// assert_eq!(Rule::Iri.parse("file:///etc")?.authority(), Some(7..7));
    /// assert_eq!(Rule::Iri.parse("file:/etc")?.authority(), None);
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[inline]
    #[must_use]
    pub const fn authority(&self) -> Option<Range<usize>> {
        let [_, authority, _, _, path, ..] = self.offsets;
        if self.has_authority() { Some(range(authority, path)) } else { None }
    }

    /// Returns the `iuserinfo` without the `@` after it, or `None` if there is none.
    ///
    /// ```
    /// # use simd_iri::Rule;
    /// assert_eq!(Rule::Iri.parse("ftp://me@a/")?.userinfo(), Some(6..8));
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[inline]
    #[must_use]
    pub const fn userinfo(&self) -> Option<Range<usize>> {
        let [_, authority, host, ..] = self.offsets;
        if authority < host { Some(range(authority, host - 1)) } else { None }
    }

    /// Returns the `ihost`, with the brackets of an `IP-literal`, or `None` if there is no authority.
    ///
    /// ```
    /// # use simd_iri::Rule;
    /// assert_eq!(Rule::Iri.parse("ftp://me@a/")?.host(), Some(9..10));
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[inline]
    #[must_use]
    pub const fn host(&self) -> Option<Range<usize>> {
        let [_, _, host, host_end, ..] = self.offsets;
        if self.has_authority() { Some(range(host, host_end)) } else { None }
    }

    /// Returns the `port` without the colon before it, or `None` if there is no port. A port may be empty.
    ///
    /// ```
    /// # use simd_iri::Rule;
    /// assert_eq!(Rule::Iri.parse("ftp://a:21")?.port(), Some(8..10));
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[inline]
    #[must_use]
    pub const fn port(&self) -> Option<Range<usize>> {
        let [_, _, _, host_end, path, ..] = self.offsets;
        if host_end < path { Some(range(host_end + 1, path)) } else { None }
    }

    /// Returns the `ipath`, which is always present and may be empty.
    ///
    /// ```
    /// # use simd_iri::Rule;
    /// assert_eq!(Rule::Iri.parse("ftp://a/b?c")?.path(), 7..9);
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[inline]
    #[must_use]
    pub const fn path(&self) -> Range<usize> {
        let [.., path, path_end, _, _] = self.offsets;
        range(path, path_end)
    }

    /// Returns the `iquery` without the question mark before it, or `None` if there is none.
    ///
    /// ```
    /// # use simd_iri::Rule;
    /// assert_eq!(Rule::Iri.parse("ftp://a/b?c")?.query(), Some(10..11));
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[inline]
    #[must_use]
    pub const fn query(&self) -> Option<Range<usize>> {
        let [.., path_end, query_end, _] = self.offsets;
        if path_end < query_end { Some(range(path_end + 1, query_end)) } else { None }
    }

    /// Returns the `ifragment` without the number sign before it, or `None` if there is none.
    ///
    /// ```
    /// # use simd_iri::Rule;
    /// assert_eq!(Rule::Iri.parse("ftp://a/b#c")?.fragment(), Some(10..11));
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[inline]
    #[must_use]
    pub const fn fragment(&self) -> Option<Range<usize>> {
        let [.., query_end, end] = self.offsets;
        if query_end < end { Some(range(query_end + 1, end)) } else { None }
    }

    /// Returns a component as its accessor does, or `None` if it is absent. [`Component::Reference`] is the whole text.
    ///
    /// ```
    /// # use simd_iri::{Component, Rule};
    /// assert_eq!(Rule::Iri.parse("ftp://a:21")?.get(Component::Port), Some(8..10));
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub const fn get(&self, component: Component) -> Option<Range<usize>> {
        match component {
            Component::Reference => Some(0..self.len()),
            Component::Scheme => self.scheme(),
            Component::Authority => self.authority(),
            Component::Userinfo => self.userinfo(),
            Component::Host => self.host(),
            Component::Port => self.port(),
            Component::Path => Some(self.path()),
            Component::Query => self.query(),
            Component::Fragment => self.fragment(),
        }
    }

    /// Returns the components that are present with their byte ranges, in the order of the text. The authority is before
    /// its userinfo, host and port.
    ///
    /// ```
    /// # use simd_iri::{Component::*, Rule};
    /// let parts = Rule::Iri.parse("a://b/c#")?;
    /// assert!(parts.iter().eq([(Scheme, 0..1), (Authority, 4..5), (Host, 4..5), (Path, 5..7), (Fragment, 8..8)]));
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn iter(
        &self,
    ) -> impl DoubleEndedIterator<Item = (Component, Range<usize>)> + Clone + use<> {
        let parts = *self;
        let components = Component::ALL.iter().filter(|part| **part != Component::Reference);
        components.filter_map(move |component| Some((*component, parts.get(*component)?)))
    }

    /// Returns the parts of the text without its fragment.
    pub(crate) const fn without_fragment(self) -> Self {
        let [a, b, c, d, e, f, query_end, _] = self.offsets;
        Self::at([a, b, c, d, e, f, query_end, query_end])
    }

    /// Returns the length of the text in bytes.
    ///
    /// ```
    /// # use simd_iri::Rule;
    /// assert_eq!(Rule::Iri.parse("urn:a")?.len(), 5);
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[expect(clippy::len_without_is_empty, reason = "the length of the text, not a count of parts")]
    #[inline]
    #[must_use]
    pub const fn len(&self) -> usize {
        let [.., end] = self.offsets;
        end as usize
    }

    /// Returns all offsets, in the order of the text: `scheme_end`, `authority`, `host`, `host_end`, `path`,
    /// `path_end`, `query_end`, `end`. The picture above shows them.
    ///
    /// ```
    /// # use simd_iri::Rule;
    /// assert_eq!(Rule::Iri.parse("a://b/c?d")?.offsets(), [1, 4, 4, 5, 5, 7, 9, 9]);
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub const fn offsets(&self) -> [u32; 8] {
        self.offsets
    }

    /// All offsets as indices, in the order of the text.
    ///
    /// `array::map` does the same, but builds without LTO do not inline it into the kernels.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn places(&self) -> [usize; 8] {
        let [a, b, c, d, e, f, g, h] = self.offsets;
        [
            a as usize, b as usize, c as usize, d as usize, e as usize, f as usize, g as usize,
            h as usize,
        ]
    }

    /// A reference to all offsets, in the order of the text.
    #[inline(always)]
    pub(crate) const fn as_offsets(&self) -> &[u32; 8] {
        &self.offsets
    }

    /// [`as_offsets`](Self::as_offsets), to change them.
    #[inline(always)]
    pub(crate) const fn offsets_mut(&mut self) -> &mut [u32; 8] {
        &mut self.offsets
    }

    /// The parts of the empty text.
    pub(crate) const NONE: Self = Self::at([0; 8]);

    /// The parts with these offsets, in the order of the text.
    #[inline(always)]
    pub(crate) const fn at(offsets: [u32; 8]) -> Self {
        Self { offsets }
    }

    /// Tells whether there is an authority: only its two slashes can be between the colon of the scheme
    /// and the offset of the authority.
    const fn has_authority(&self) -> bool {
        let [scheme_end, authority, ..] = self.offsets;
        let after_scheme = if scheme_end == 0 { 0 } else { scheme_end + 1 };
        authority > after_scheme
    }

    /// Tells whether the offsets fit `text`: each delimiter is where the offsets say, and no component holds
    /// a delimiter that would end it.
    ///
    /// Made for tests, and for offsets that do not come from a parser. Does not check which characters a component has
    /// besides delimiters. Linear in the text, no allocation.
    ///
    /// ```
    /// # use simd_iri::Rule;
    /// let parts = Rule::Iri.parse("ftp://a/b#c")?;
    /// assert!(parts.check("ftp://a/b#c"));
    /// assert!(!parts.check("ftp://a/b?c"));
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub fn check(&self, text: &str) -> bool {
        let [scheme_end, authority, host, host_end, path, path_end, query_end, end] = self.offsets;
        let slice = |start: u32, end: u32| text.get(range(start, end));
        let holds = |start, end, delimiters: &[char]| {
            slice(start, end).is_some_and(|part| !part.contains(delimiters))
        };
        let delimiter = |at: u32, byte: u8| text.as_bytes().get(at as usize) == Some(&byte);
        let after_scheme = if scheme_end == 0 { 0 } else { scheme_end + 1 };

        let scheme = scheme_end == 0
            || holds(0, scheme_end, &[':', '/', '?', '#']) && delimiter(scheme_end, b':');
        let authority = if self.has_authority() {
            let userinfo = self.userinfo().is_none_or(|userinfo| {
                text.get(userinfo).is_some_and(|part| !part.contains('@'))
                    && delimiter(host - 1, b'@')
            });
            let host = match slice(host, host_end) {
                Some(literal) if literal.starts_with('[') => literal.ends_with(']'),
                Some(name) => !name.contains([':', '@', '[', ']']),
                None => false,
            };
            let port = self.port().is_none_or(|port| {
                delimiter(host_end, b':')
                    && text.get(port).is_some_and(|part| part.bytes().all(|b| b.is_ascii_digit()))
            });
            slice(after_scheme, authority) == Some("//")
                && holds(authority, path, &['/', '?', '#'])
                && (userinfo && host && port)
                && (path == path_end || delimiter(path, b'/'))
        } else {
            let here = authority;
            let first_segment = slice(path, path_end)
                .map(|path| path.split_once('/').map_or(path, |(segment, _)| segment));
            [after_scheme, host, host_end, path].iter().all(|at| *at == here)
                && slice(here, path_end).is_some_and(|path| !path.starts_with("//"))
                && (scheme_end > 0 || first_segment.is_some_and(|first| !first.contains(':')))
        };
        let rest = holds(path, path_end, &['?', '#'])
            && (path_end == query_end || delimiter(path_end, b'?'))
            && holds(path_end, query_end, &['#'])
            && (query_end == end || delimiter(query_end, b'#'))
            && self.fragment().is_none_or(|f| text.get(f).is_some_and(|part| !part.contains('#')));
        scheme && authority && rest && text.len() == self.len()
    }
}

impl fmt::Debug for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [scheme_end, authority, host, host_end, path, path_end, query_end, end] = self.offsets;
        f.debug_struct("Parts")
            .field("scheme_end", &scheme_end)
            .field("authority", &authority)
            .field("host", &host)
            .field("host_end", &host_end)
            .field("path", &path)
            .field("path_end", &path_end)
            .field("query_end", &query_end)
            .field("end", &end)
            .finish()
    }
}
