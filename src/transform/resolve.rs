//! What a reference means, seen from a base (RFC 3986, section 5.2; RFC 3987, section 6.5).
//!
//! Not here: the removal of dot segments (`dots`), and the way back (`relativize`).

use alloc::string::String;
use core::fmt;

use super::dots;
use crate::error::Error;
use crate::parse::Parts;
use crate::reference::kind::{Absolute, Kind};
use crate::reference::{Buf, View};

/// A base, looked at once, for many references that are to be resolved against it.
///
/// ```
/// use simd_iri::{Base, iri, iri_ref};
///
/// let base = Base::new(iri!("http://a/b/c/d;p?q"));
/// assert_eq!(base.resolve(iri_ref!("../g"))?, "http://a/b/g");
///
/// let mut text = String::new();
/// let resolved = base.resolve_into(iri_ref!("?y#é"), &mut text)?;
/// assert_eq!(resolved, "http://a/b/c/d;p?y#é");
/// assert_eq!(resolved.fragment(), Some("é"));
/// # Ok::<(), simd_iri::Error>(())
/// ```
pub struct Base<'a, K> {
    view: View<'a, K>,
    /// The path up to its last slash, with it; `/` for an empty path after an authority.
    directory: &'a str,
    /// A segment of it is a dot segment.
    has_dots: bool,
    is_lenient: bool,
}

impl<K> Clone for Base<'_, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Base<'_, K> {}

impl<K: Absolute> fmt::Debug for Base<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { view, is_lenient, .. } = self;
        f.debug_struct("Base").field("view", view).field("is_lenient", is_lenient).finish()
    }
}

impl<'a, K: Absolute> Base<'a, K> {
    /// A base. Its fragment has no meaning (section 5.1). One pass over the path.
    ///
    /// ```
    /// # use simd_iri::{Base, iri, iri_ref};
    /// let base = Base::new(iri!("http://a/b#c"));
    /// assert_eq!(base.resolve(iri_ref!(""))?, "http://a/b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub fn new(view: View<'a, K>) -> Self {
        let path = view.path();
        let directory = match path.rfind('/') {
            // Section 5.2.3: after an authority, an empty path is that of the root.
            None if view.authority().is_some() => "/",
            None => "",
            Some(last) => path.get(..=last).unwrap_or_default(),
        };
        Self { view, directory, has_dots: dots::has_dot_segment(directory), is_lenient: false }
    }

    /// The same base, which takes a reference with its own scheme for one without a scheme, as
    /// parsers before RFC 3986 did: the backward compatibility of section 5.2.2.
    ///
    /// ```
    /// # use simd_iri::{Base, iri, iri_ref};
    /// let base = Base::new(iri!("http://a/b/c"));
    /// assert_eq!(base.resolve(iri_ref!("http:g"))?, "http:g");
    /// assert_eq!(base.lenient().resolve(iri_ref!("http:g"))?, "http://a/b/g");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub const fn lenient(self) -> Self {
        Self { is_lenient: true, ..self }
    }

    /// The same base, strict.
    pub(super) const fn strict(self) -> Self {
        Self { is_lenient: false, ..self }
    }

    /// The directory without dot segments.
    pub(super) fn clean_directory(self) -> String {
        let mut directory = String::new();
        dots::push_without(&mut directory, self.directory.split('/'));
        directory
    }

    /// The base itself.
    ///
    /// ```
    /// # use simd_iri::{Base, iri};
    /// assert_eq!(Base::new(iri!("urn:a")).view(), "urn:a");
    /// ```
    #[must_use]
    pub const fn view(self) -> View<'a, K> {
        self.view
    }

    /// Resolves a reference. Allocates the result; the rest as [`resolve_into`](Self::resolve_into).
    ///
    /// # Errors
    /// The result has 4 GiB or more.
    ///
    /// ```
    /// # use simd_iri::{Base, uri, uri_ref};
    /// assert_eq!(Base::new(uri!("file:///a/b")).resolve(uri_ref!("./c/"))?, "file:///a/c/");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn resolve<'r>(
        self,
        reference: impl Into<View<'r, K::Reference>>,
    ) -> Result<Buf<K>, Error> {
        let mut text = String::new();
        let parts = self.resolve_to(reference.into(), &mut text)?;
        Ok(Buf::new(text, parts))
    }

    /// Resolves a reference and leaves nothing but the result in `text`.
    ///
    /// One pass over the path and one over the bytes of the result, more only over paths with dot
    /// segments; nothing is parsed, and nothing allocated if `text` has room for both and three bytes.
    ///
    /// A path that would begin with two slashes without an authority before it gets `/.` in front:
    /// the result never means another authority.
    ///
    /// # Errors
    /// The result has 4 GiB or more; `text` is empty then.
    ///
    /// ```
    /// # use simd_iri::{Base, iri, iri_ref};
    /// let mut text = String::from("before");
    /// let resolved = Base::new(iri!("a:/b/c")).resolve_into(iri_ref!("..//d"), &mut text)?;
    /// assert_eq!(resolved, "a:/.//d");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn resolve_into<'t, 'r>(
        self,
        reference: impl Into<View<'r, K::Reference>>,
        text: &'t mut String,
    ) -> Result<View<'t, K>, Error> {
        let parts = self.resolve_to(reference.into(), text)?;
        Ok(View::new(text, parts))
    }

    /// Section 5.2.2, and 5.3 on the way. What the result has of the base is its beginning, and what
    /// it has of the reference is its end, unless there are dot segments between the two.
    fn resolve_to<R: Kind>(
        self,
        reference: View<'_, R>,
        text: &mut String,
    ) -> Result<Parts, Error> {
        text.clear();
        let [base_head @ .., base_path, base_path_end, base_query_end, base_end] =
            self.view.parts().offsets();
        let [own_head @ .., path, path_end, query_end, end] = reference.parts().offsets();
        // A slash for an empty path, and `/.` before two.
        let len = base_end as usize + end as usize + "/./".len();
        if u32::try_from(len).is_err() {
            return Err(Error::too_long(u32::MAX));
        }
        text.reserve(len);
        let of_base = |end: u32| piece(self.view.as_str(), 0, end);
        let of_own = |start: u32, end: u32| piece(reference.as_str(), start, end);

        let ([base_scheme, ..], [scheme, authority, host, host_end]) = (base_head, own_head);
        let start = if scheme > 0 { scheme + 1 } else { 0 };
        let is_same = || of_own(0, scheme).eq_ignore_ascii_case(self.view.scheme());
        let has_scheme = scheme > 0 && !(self.is_lenient && is_same());
        let is_other = has_scheme || authority > start;
        let own_path = of_own(path, path_end);
        let is_merged = !is_other && !matches!(own_path.as_bytes(), [] | [b'/', ..]);

        // How much there is of the base, and from where on of the reference.
        let is_implied = base_path == base_path_end && !self.directory.is_empty();
        let mut rest = own_path;
        let (taken, from) = match own_path.as_bytes() {
            _ if has_scheme => (0, 0),
            _ if is_other => (base_scheme + 1, start),
            [] if path_end < query_end => (base_path_end, path_end),
            [] => (base_query_end, path_end),
            [b'/', ..] => (base_path, path),
            _ if is_implied => (base_path, path),
            _ => {
                let mut directory = self.directory;
                if !self.has_dots && directory.starts_with('/') {
                    (directory, rest) = dots::climbed(directory, own_path);
                }
                (base_path + directory.len() as u32, path_end - rest.len() as u32)
            }
        };
        // Modulo 2³²: a lenient base may have its scheme in fewer bytes.
        let moved = |offset: u32| offset.wrapping_sub(from).wrapping_add(taken);
        let (scheme_end, [authority, host, host_end, floor]) = match base_head {
            _ if has_scheme => (scheme, [authority, host, host_end, path]),
            _ if is_other => (base_scheme, [authority, host, host_end, path].map(moved)),
            [_, authority, host, host_end] => (base_scheme, [authority, host, host_end, base_path]),
        };

        if dots::has_dot_segment(rest) || is_merged && self.has_dots {
            text.push_str(of_base(taken.min(base_path)));
            text.push_str(if is_other { of_own(from, path) } else { "" });
            // The last slash of the directory is the one between the two.
            let directory = if is_merged { self.directory.strip_suffix('/') } else { None };
            let before = directory.map(|path| path.split('/')).into_iter().flatten();
            dots::push_without(text, before.chain(own_path.split('/')));
            let path = text.get(floor as usize..).unwrap_or_default();
            if authority == scheme_end + 1 && path.starts_with("//") {
                text.insert_str(floor as usize, "/.");
            }
            text.push_str(of_own(path_end, end));
        } else {
            text.push_str(of_base(taken));
            text.push_str(if is_merged && is_implied { "/" } else { "" });
            text.push_str(of_own(from, end));
        }
        let all = text.len() as u32;
        let is_base_path = !is_other && own_path.is_empty();
        let path_end = if is_base_path { base_path_end } else { all - (end - path_end) };
        let query_end = all - (end - query_end);
        Ok(Parts::at([scheme_end, authority, host, host_end, floor, path_end, query_end, all]))
    }
}

/// The piece of a text between two of its offsets.
#[inline]
fn piece(text: &str, start: u32, end: u32) -> &str {
    debug_assert!(text.get(start as usize..end as usize).is_some());
    text.get(start as usize..end as usize).unwrap_or_default()
}
