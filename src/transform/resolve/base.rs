//! Resolution: finds the target of a reference relative to a base (RFC 3986, section 5.2; RFC 3987, section
//! 6.5).
//!
//! Not here: the removal of dot segments (`dots`), and the way back (`relativize`).

use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use crate::error::{Error, InvalidText};
use crate::parse::{Parts, insert_guard};
use crate::reference::kind::{HasScheme, Iri, Kind};
use crate::reference::{Buf, IntoView, View};
use crate::scan::{push_both, slice};
use crate::transform::dot_search::{Slashes, push_dotless, slashes};
use crate::transform::dots;

/// A base for many references: its path is examined once, and each reference is resolved relative to it.
///
/// It is `Copy` and borrows the text of the base. [`BaseBuf`] owns it.
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
///
/// The base of a whole program is a `static`:
///
/// ```
/// use std::sync::LazyLock;
/// use simd_iri::{BaseBuf, iri};
///
/// static BASE: LazyLock<BaseBuf> = LazyLock::new(|| iri!("http://a/b/").into());
/// assert_eq!(BASE.resolve("c")?, "http://a/b/c");
/// # Ok::<(), simd_iri::Error>(())
/// ```
///
/// `K` is the kind of the base, [`kind::Iri`](Iri) or [`kind::Uri`](crate::kind::Uri). It is not the type of a reference:
///
/// ```
/// use simd_iri::{Base, kind};
///
/// fn of_iri(_: &Base<'_>) {}
/// fn of_uri(_: &Base<'_, kind::Uri>) {}
/// ```
///
/// ```compile_fail,E0277
/// use simd_iri::{Base, Iri};
///
/// fn of_iri(_: &Base<'_, Iri<'_>>) {}
/// ```
pub struct Base<'a, K: HasScheme = Iri> {
    view: View<'a, K>,
    /// The path up to and including its last slash; `/` for an empty path after an authority.
    directory: &'a str,
    /// Whether `directory` has a dot segment.
    has_dots: bool,
    is_lenient: bool,
}

impl<K: HasScheme> Clone for Base<'_, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K: HasScheme> Copy for Base<'_, K> {}

impl<K: HasScheme> fmt::Debug for Base<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { view, is_lenient, .. } = self;
        f.debug_struct("Base").field("view", view).field("is_lenient", is_lenient).finish()
    }
}

/// Returns the path of a base up to and including its last slash. `last` is the byte offset of that slash in the
/// path, or `None` if the path has no slash.
fn directory<K: HasScheme>(view: View<'_, K>, last: Option<usize>) -> &str {
    match last {
        // Section 5.2.3: after an authority, an empty path counts as `/`.
        None if view.authority().is_some() => "/",
        None => "",
        Some(last) => slice::text(view.path(), ..=last),
    }
}

impl<'a> Base<'a, Iri> {
    /// Parses `text` as an IRI and returns it as a base. For a URI, use `Base::new(Uri::parse(text)?)`.
    ///
    /// # Errors
    /// Those of [`View::parse`]: the text is not an IRI.
    ///
    /// ```
    /// # use simd_iri::Base;
    /// assert_eq!(Base::parse("http://a/b")?.resolve("c")?, "http://a/c");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn parse(text: &'a str) -> Result<Self, Error> {
        View::parse(text).map(Self::new)
    }
}

impl<'a, K: HasScheme> From<View<'a, K>> for Base<'a, K> {
    fn from(view: View<'a, K>) -> Self {
        Self::new(view)
    }
}

impl<'a, K: HasScheme> From<&'a Buf<K>> for Base<'a, K> {
    fn from(buf: &'a Buf<K>) -> Self {
        Self::new(buf)
    }
}

impl<'a, K: HasScheme> From<&'a BaseBuf<K>> for Base<'a, K> {
    fn from(base: &'a BaseBuf<K>) -> Self {
        base.as_base()
    }
}

impl<'a, K: HasScheme> TryFrom<&'a str> for Base<'a, K> {
    type Error = Error;

    fn try_from(text: &'a str) -> Result<Self, Error> {
        View::parse(text).map(Self::new)
    }
}

impl<'a, K: HasScheme> Base<'a, K> {
    /// Creates a base from a view, or from a reference to an owner. Its fragment is ignored (section 5.1). One
    /// pass over the path.
    ///
    /// ```
    /// # use simd_iri::{Base, iri, iri_ref};
    /// let base = Base::new(iri!("http://a/b#c"));
    /// assert_eq!(base.resolve(iri_ref!(""))?, "http://a/b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub fn new(base: impl IntoView<'a, Kind = K>) -> Self {
        let view = base.into_view();
        Self::examined(view, slashes(view.path().as_bytes()))
    }

    /// [`Base::new`] with the result of the pass over the path.
    fn examined(view: View<'a, K>, found: Slashes) -> Self {
        let directory = directory(view, found.last);
        let has_dots = found.has_dot && dots::has_dot_segment(directory);
        Self { view, directory, has_dots, is_lenient: false }
    }

    /// Sets whether the scheme of a reference is ignored if it is the scheme of the base, as in parsers before
    /// RFC 3986: the backward compatibility of section 5.2.2.
    ///
    /// ```
    /// # use simd_iri::{Base, iri, iri_ref};
    /// let base = Base::new(iri!("http://a/b/c"));
    /// assert_eq!(base.resolve(iri_ref!("http:g"))?, "http:g");
    /// assert_eq!(base.lenient(true).resolve(iri_ref!("http:g"))?, "http://a/b/g");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub const fn lenient(self, on: bool) -> Self {
        Self { is_lenient: on, ..self }
    }

    /// Returns the directory without its dot segments.
    pub(crate) fn clean_directory(self) -> String {
        let mut directory = String::new();
        dots::push_without(&mut directory, dots::segments(self.directory));
        directory
    }

    /// Returns the reference that is the base.
    ///
    /// ```
    /// # use simd_iri::{Base, iri};
    /// assert_eq!(Base::new(iri!("urn:a")).view(), "urn:a");
    /// ```
    #[must_use]
    pub const fn view(self) -> View<'a, K> {
        self.view
    }

    /// Resolves a reference relative to this base, and returns the target (RFC 3986, section 5.2). The reference
    /// is a view, a reference to an owner, or a text, which is parsed.
    ///
    /// Allocates the result. [`resolve_into`](Self::resolve_into) writes into a buffer instead.
    ///
    /// # Errors
    /// The text is not a reference, or the result has 4 GiB or more.
    ///
    /// ```
    /// # use simd_iri::{Base, uri, uri_ref};
    /// let base = Base::new(uri!("file:///a/b"));
    /// assert_eq!(base.resolve(uri_ref!("./c/"))?, "file:///a/c/");
    /// assert_eq!(base.resolve("./c/")?, "file:///a/c/");
    /// assert!(base.resolve("a b").is_err());
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[doc(alias = "join")]
    #[doc(alias = "urljoin")]
    #[doc(alias = "resolve_against")]
    pub fn resolve<'r, R: TryInto<View<'r, K::Reference>, Error: Into<Error>>>(
        self,
        reference: R,
    ) -> Result<Buf<K>, Error> {
        let mut text = String::new();
        let parts = self.resolve_to(reference.try_into().map_err(Into::into)?, &mut text)?;
        Ok(Buf::new(text, parts))
    }

    /// Resolves a reference relative to this base, and replaces the content of `text` with the target. Returns a
    /// view of it.
    ///
    /// One pass over the path of the reference and one over the bytes of the result; a path with dot segments is
    /// read once more. The result is not parsed. Nothing is allocated if `text` has room for the base, the
    /// reference and three bytes.
    ///
    /// A path that would begin with two slashes and follow no authority gets `/.` in front, because a parser
    /// would take the rest of it for an authority.
    ///
    /// # Errors
    /// The reference is a text and not valid, or the result has 4 GiB or more. `text` is empty then.
    ///
    /// ```
    /// # use simd_iri::{Base, iri, iri_ref};
    /// let mut text = String::from("before");
    /// let resolved = Base::new(iri!("a:/b/c")).resolve_into(iri_ref!("..//d"), &mut text)?;
    /// assert_eq!(resolved, "a:/.//d");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn resolve_into<'t, 'r, R: TryInto<View<'r, K::Reference>, Error: Into<Error>>>(
        self,
        reference: R,
        text: &'t mut String,
    ) -> Result<View<'t, K>, Error> {
        text.clear();
        let parts = self.resolve_to(reference.try_into().map_err(Into::into)?, text)?;
        Ok(View::new(text, parts))
    }

    /// Does sections 5.2.2 and 5.3 in one step. Unless there are dot segments to remove, the target is a prefix of
    /// the base (`taken` bytes) and a suffix of the reference (the bytes from `from` on).
    ///
    /// The algorithm of section 5.2.2, with the flags of the code at its branches. Under each branch is the target: the
    /// part that it takes of the base, and the place from which on it takes the reference.
    ///
    /// ```text
    /// if R.scheme is there                         has_scheme (not if a lenient base has the same scheme)
    ///     nothing                 R from its start
    /// else if R.authority is there                 is_other, as after a scheme that a lenient base leaves out
    ///     scheme ":"              R from its authority, or from the byte after its scheme
    /// else if R.path is empty
    ///     if R.query is there
    ///         Base to its path    R from its query
    ///     else
    ///         Base to its query   R from its fragment
    /// else if R.path begins with "/"
    ///     Base to its authority   R from its path
    /// else                                         is_merged
    ///     Base to its last slash  R from its path  (`climbed` follows the dot segments at the start of R.path)
    ///     an authority, no path   the same, with a slash between the two: is_implied
    /// in each branch with a path of R: remove_dot_segments(path)
    /// ```
    ///
    /// An example: the base `http://a/b/c` and the reference `../d?q`. The directory is `/b/`. `climbed` leads it to
    /// `/` and leaves `d`. The target is the first 9 bytes of the base, `http://a/`, and the reference from byte 3 on,
    /// `d?q`.
    fn resolve_to<R: Kind>(
        self,
        reference: View<'_, R>,
        text: &mut String,
    ) -> Result<Parts, Error> {
        text.clear();
        let [base_head @ .., base_path, base_path_end, base_query_end, base_end] =
            self.view.parts().offsets();
        let [own_head @ .., path, path_end, query_end, end] = reference.parts().offsets();
        // Room for a slash in place of an empty path, and for the guard `/.`.
        let len = base_end as usize + end as usize + "/./".len();
        if u32::try_from(len).is_err() {
            return Err(Error::too_long(u32::MAX));
        }
        text.reserve(len);
        let of_base = |end: u32| slice::text(self.view.as_str(), ..end as usize);
        let own = reference.as_str();
        let of_own = |start: u32, end: u32| slice::text(own, start as usize..end as usize);

        let ([base_scheme, ..], [scheme, authority, host, host_end]) = (base_head, own_head);
        let start = if scheme > 0 { scheme + 1 } else { 0 };
        let is_same = || of_own(0, scheme).eq_ignore_ascii_case(self.view.scheme());
        let has_scheme = scheme > 0 && !(self.is_lenient && is_same());
        let is_other = has_scheme || authority > start;
        let own_path = reference.path();
        if has_scheme && !dots::has_dot_segment(own_path) {
            text.push_str(own);
            return Ok(reference.parts());
        }
        let is_merged = !is_other && !matches!(own_path.as_bytes(), [] | [b'/', ..]);

        // The target takes the first `taken` bytes of the base, and the reference from the byte `from` on: the branches
        // of the algorithm, in its order.
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
        let moved = |offset: u32| offset - from + taken;
        let (scheme_end, [authority, host, host_end, floor]) = match base_head {
            _ if has_scheme => (scheme, [authority, host, host_end, path]),
            _ if is_other => (base_scheme, [authority, host, host_end, path].map(moved)),
            [_, authority, host, host_end] => (base_scheme, [authority, host, host_end, base_path]),
        };

        // Most often, the target is a prefix of the base and the reference from its path on, without a dot segment.
        let is_usual = !is_other && !(is_merged && (self.has_dots || is_implied));
        if !is_usual || !push_dotless(of_base(taken), of_own(from, end), rest.len(), text) {
            if dots::has_dot_segment(rest) || is_merged && self.has_dots {
                text.push_str(of_base(taken.min(base_path)));
                text.push_str(if is_other { of_own(from, path) } else { "" });
                push_cleaned(is_merged.then_some(self.directory), own_path, text);
                insert_guard(text, floor as usize, authority > scheme_end + 1);
                text.push_str(of_own(path_end, end));
            } else if is_merged && is_implied {
                text.push_str(of_base(taken));
                text.push('/');
                text.push_str(of_own(from, end));
            } else {
                push_both(of_base(taken), of_own(from, end), text);
            }
        }
        let all = text.len() as u32;
        let is_base_path = !is_other && own_path.is_empty();
        let path_end = if is_base_path { base_path_end } else { all - (end - path_end) };
        let query_end = all - (end - query_end);
        Ok(Parts::at([scheme_end, authority, host, host_end, floor, path_end, query_end, all]))
    }
}

/// Appends a path without its dot segments. It is relative to the directory if there is one.
fn push_cleaned(directory: Option<&str>, path: &str, text: &mut String) {
    // Between two paths, `push_without` writes the slash that ends the directory.
    let directory = directory.and_then(|directory| directory.strip_suffix('/'));
    let before = directory.map(dots::segments).into_iter().flatten();
    dots::push_without(text, before.chain(dots::segments(path)));
}

impl<'a, K: HasScheme> View<'a, K> {
    /// Resolves a reference relative to this base, and returns the target (RFC 3986, section 5.2). Allocates the
    /// target. To resolve several references, make a [`Base`], which examines this path once.
    ///
    /// # Errors
    /// Those of [`Base::resolve`]: the text is not a reference, or the result has 4 GiB or more.
    ///
    /// ```
    /// # use simd_iri::{iri, iri_ref};
    /// assert_eq!(iri!("http://a/b").resolve(iri_ref!("c"))?, "http://a/c");
    /// assert_eq!(iri!("http://a/b").resolve("../é")?, "http://a/é");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[doc(alias = "urljoin")]
    #[doc(alias = "resolve_against")]
    pub fn resolve<'r, R: TryInto<View<'r, K::Reference>, Error: Into<Error>>>(
        self,
        reference: R,
    ) -> Result<Buf<K>, Error> {
        Base::new(self).resolve(reference)
    }

    /// The same as [`resolve`](Self::resolve).
    ///
    /// # Errors
    /// Those of `resolve`.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert_eq!(iri!("http://a/b").join("../é")?, "http://a/é");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn join<'r, R: TryInto<View<'r, K::Reference>, Error: Into<Error>>>(
        self,
        reference: R,
    ) -> Result<Buf<K>, Error> {
        self.resolve(reference)
    }
}

/// A [`Base`] that owns its text, for use as a field of a struct.
///
/// ```
/// use simd_iri::{BaseBuf, Error, IriBuf};
///
/// struct Reader {
///     base: BaseBuf,
/// }
///
/// let mut reader = Reader { base: BaseBuf::new(IriBuf::parse("http://a/b")?) };
/// assert_eq!(reader.base.resolve("c")?, "http://a/c");
/// reader.base = BaseBuf::parse("http://d/")?;
/// assert_eq!(reader.base.resolve("c")?, "http://d/c");
/// # Ok::<(), Error>(())
/// ```
pub struct BaseBuf<K: HasScheme = Iri> {
    buf: Buf<K>,
    /// The byte offset of the last slash in the path.
    last_slash: Option<u32>,
    has_dots: bool,
    is_lenient: bool,
}

impl BaseBuf<Iri> {
    /// Parses `text` as an IRI and copies it. For a URI, use `"…".parse::<BaseBuf<kind::Uri>>()`.
    ///
    /// # Errors
    /// Those of [`View::parse`]: the text is not an IRI.
    ///
    /// ```
    /// # use simd_iri::BaseBuf;
    /// assert!(BaseBuf::parse("http://a/b").is_ok() && BaseBuf::parse("b").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<Self, Error> {
        text.parse()
    }
}

impl<K: HasScheme> BaseBuf<K> {
    /// Creates a base from an owner. One pass over the path; nothing is allocated.
    ///
    /// ```
    /// # use simd_iri::{BaseBuf, UriBuf};
    /// let base = BaseBuf::new(UriBuf::parse("http://a/b")?);
    /// assert_eq!(base.as_base().view(), "http://a/b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub fn new(buf: Buf<K>) -> Self {
        let found = slashes(buf.path().as_bytes());
        let Base { has_dots, is_lenient, .. } = Base::examined(buf.view(), found);
        let last_slash = found.last.map(|last| last as u32);
        Self { buf, last_slash, has_dots, is_lenient }
    }

    /// Returns this base with the backward compatibility of [`Base::lenient`].
    ///
    /// ```
    /// # use simd_iri::BaseBuf;
    /// assert_eq!(BaseBuf::parse("http://a/b")?.lenient(true).resolve("http:c")?, "http://a/c");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub fn lenient(self, on: bool) -> Self {
        Self { is_lenient: on, ..self }
    }

    /// Returns the borrowed base, which has all methods. Takes a few instructions.
    ///
    /// ```
    /// # use simd_iri::{BaseBuf, iri};
    /// let base = BaseBuf::parse("http://a/b/c")?;
    /// assert_eq!(base.as_base().relativize(iri!("http://a/b/d")).unwrap(), "d");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub fn as_base(&self) -> Base<'_, K> {
        let Self { has_dots, is_lenient, .. } = *self;
        let view = self.buf.view();
        let directory = directory(view, self.last_slash.map(|last| last as usize));
        Base { view, directory, has_dots, is_lenient }
    }

    /// Returns the reference that is the base.
    ///
    /// ```
    /// # use simd_iri::BaseBuf;
    /// assert_eq!(BaseBuf::parse("http://a/b")?.view().path(), "/b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub fn view(&self) -> View<'_, K> {
        self.buf.view()
    }

    /// Returns the owner of the text.
    ///
    /// ```
    /// # use simd_iri::BaseBuf;
    /// assert_eq!(BaseBuf::parse("http://a/b")?.into_buf(), "http://a/b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub fn into_buf(self) -> Buf<K> {
        self.buf
    }

    /// Resolves a reference relative to this base, as [`Base::resolve`] does. Allocates the result.
    ///
    /// # Errors
    /// The text is not a reference, or the result has 4 GiB or more.
    ///
    /// ```
    /// # use simd_iri::{BaseBuf, iri_ref};
    /// assert_eq!(BaseBuf::parse("http://a/b")?.resolve(iri_ref!("c"))?, "http://a/c");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[doc(alias = "join")]
    #[doc(alias = "urljoin")]
    #[doc(alias = "resolve_against")]
    pub fn resolve<'r, R: TryInto<View<'r, K::Reference>, Error: Into<Error>>>(
        &self,
        reference: R,
    ) -> Result<Buf<K>, Error> {
        self.as_base().resolve(reference)
    }

    /// Resolves a reference relative to this base, and replaces the content of `text` with the target, as
    /// [`Base::resolve_into`] does.
    ///
    /// # Errors
    /// The reference is a text and not valid, or the result has 4 GiB or more. `text` is empty then.
    ///
    /// ```
    /// # use simd_iri::BaseBuf;
    /// let mut text = String::new();
    /// assert_eq!(BaseBuf::parse("http://a/b")?.resolve_into("c", &mut text)?, "http://a/c");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn resolve_into<'t, 'r, R: TryInto<View<'r, K::Reference>, Error: Into<Error>>>(
        &self,
        reference: R,
        text: &'t mut String,
    ) -> Result<View<'t, K>, Error> {
        self.as_base().resolve_into(reference, text)
    }
}

impl<K: HasScheme> From<Buf<K>> for BaseBuf<K> {
    fn from(buf: Buf<K>) -> Self {
        Self::new(buf)
    }
}

impl<K: HasScheme> From<View<'_, K>> for BaseBuf<K> {
    fn from(view: View<'_, K>) -> Self {
        Self::new(view.into())
    }
}

impl<K: HasScheme> From<Base<'_, K>> for BaseBuf<K> {
    fn from(base: Base<'_, K>) -> Self {
        Self { is_lenient: base.is_lenient, ..Self::new(base.view.into()) }
    }
}

impl<K: HasScheme> FromStr for BaseBuf<K> {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Buf::parse(text).map(Self::new)
    }
}

impl<K: HasScheme> TryFrom<&str> for BaseBuf<K> {
    type Error = Error;

    fn try_from(text: &str) -> Result<Self, Error> {
        text.parse()
    }
}

impl<K: HasScheme> TryFrom<String> for BaseBuf<K> {
    type Error = InvalidText<String>;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Buf::try_from(text).map(Self::new)
    }
}

impl<K: HasScheme> Clone for BaseBuf<K> {
    fn clone(&self) -> Self {
        Self { buf: self.buf.clone(), ..*self }
    }
}

impl<K: HasScheme> fmt::Debug for BaseBuf<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_base().fmt(f)
    }
}
