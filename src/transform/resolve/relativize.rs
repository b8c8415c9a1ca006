//! Relativization: finds the shortest reference that resolves to a target relative to a base. The inverse
//! of `resolve`.
//!
//! RFC 3986 has no algorithm for this. A result is right if resolving it gives the target again, byte by byte, and
//! every candidate is resolved to check that. Relativization fails only if the path of the target has a dot segment
//! and is not the path of the base: resolution removes dot segments, except in the path of the base that an empty
//! reference keeps.

/*
# The algorithm

`forms` makes at most five candidates. `Relativize::relativize` returns the shortest candidate that resolves to the
target. If two are equally short, it returns the first:

    candidate                                  if the base and the target have
    same       "", ?query or #fragment         the same scheme, authority and path
    relative   a path from the directory       the same scheme and authority
    absolute   a path that begins with `/`     the same scheme and authority
    network    // and the authority            the same scheme
    whole      the target                      anything

The directory is the path of the base up to its last slash, without dot segments. `relative_path` cuts off the part that
the directory and the path of the target share, up to a slash. Then it writes `../` for each remaining segment of the
directory, and the remaining part of the target. For example, from `http://a/b/c/d` to `http://a/b/x/y?q`:

    directory   /b/c/        shared: /b/    remaining: c/
    target      /b/x/y       shared: /b/    remaining: x/y
    relative    ../x/y?q     8 bytes: the result
    absolute    /b/x/y?q     8 bytes
    network     //a/b/x/y?q
    whole       http://a/b/x/y?q

# Invariant

No candidate needs to be right, because each is resolved and compared with the target. So the rules for special paths, such as
a path that begins with two slashes, only have to find short candidates.
*/

use alloc::string::String;
use core::fmt;

use crate::parse::{GUARD, Parts, guard};
use crate::reference::kind::{HasScheme, Kind};
use crate::reference::{AsView, Buf, View};
use crate::scan::slice;
use crate::transform::dots::dot_segment;
use crate::transform::{Base, BaseBuf};

/// The options of relativization: which forms the relative reference may have.
///
/// ```
/// use simd_iri::{Base, Relativize, iri};
///
/// let base = Base::new(iri!("http://a/b/c/d"));
/// let target = iri!("http://a/x");
/// assert_eq!(Relativize::new().relativize(base, target)?, "/x");
/// let path = Relativize::new().network_path(false).absolute_path(false);
/// assert_eq!(path.relativize(base, target)?, "../../x");
/// # Ok::<(), simd_iri::errors::DotSegment>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Relativize {
    network_path: bool,
    absolute_path: bool,
}

impl Default for Relativize {
    fn default() -> Self {
        Self::new()
    }
}

/// The error of relativization: the target has a dot segment, so that no reference resolves to it.
///
/// ```
/// use simd_iri::{Base, iri};
///
/// let error = Base::new(iri!("a:/b")).relativize(iri!("a:/c/../d")).unwrap_err();
/// assert_eq!(error.at(), 5);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DotSegment {
    at: usize,
}

impl DotSegment {
    /// Returns the byte offset in the target at which the dot segment begins.
    ///
    /// ```
    /// # use simd_iri::{Base, iri};
    /// assert_eq!(Base::new(iri!("a:b")).relativize(iri!("a:.")).unwrap_err().at(), 2);
    /// ```
    #[must_use]
    pub const fn at(self) -> usize {
        self.at
    }
}

impl fmt::Display for DotSegment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the target has a dot segment at byte {}, and no reference resolves to it; remove its dot segments first",
            self.at
        )
    }
}

impl core::error::Error for DotSegment {}

impl<K: HasScheme> Base<'_, K> {
    /// Returns the shortest reference, in bytes, that resolves to `target` relative to this base. If two references
    /// are equally short, returns the reference with a relative path. The base counts as strict, even after
    /// [`lenient`](Self::lenient). Linear in both texts; allocates a few buffers.
    ///
    /// A path that begins with `/.//` and follows no authority keeps its `/.` in the result, because without the
    /// `/.` the two slashes would begin an authority. It may lose the `/.` if the path of the base begins with
    /// `/.//` too.
    ///
    /// # Errors
    /// The path of the target has a dot segment and is not the path of the base: no reference resolves to it.
    ///
    /// ```
    /// # use simd_iri::{Base, iri};
    /// let base = Base::new(iri!("http://a/b/c?q"));
    /// assert_eq!(base.relativize(iri!("http://a/b/c?q#f"))?, "#f");
    /// assert_eq!(base.relativize(iri!("http://a/b/c"))?, "c");
    /// assert_eq!(base.relativize(iri!("http://a/b/"))?, ".");
    /// assert_eq!(base.relativize(iri!("http://é/"))?, "//é/");
    /// assert_eq!(Base::new(iri!("a:/b")).relativize(iri!("a:/.//c"))?, "/.//c");
    /// assert_eq!(Base::new(iri!("a:/b/../c")).relativize(iri!("a:/b/../c#f"))?, "#f");
    /// # Ok::<(), simd_iri::errors::DotSegment>(())
    /// ```
    #[doc(alias = "make_relative")]
    pub fn relativize(
        self,
        target: impl AsView<Kind = K>,
    ) -> Result<Buf<K::Reference>, DotSegment> {
        let target = target.as_view();
        Relativize::new().relativize(self, target)
    }
}

impl<K: HasScheme> BaseBuf<K> {
    /// Returns the shortest reference that resolves to `target` relative to this base, as [`Base::relativize`] does.
    ///
    /// # Errors
    /// Those of [`Base::relativize`].
    ///
    /// ```
    /// # use simd_iri::{BaseBuf, iri};
    /// assert_eq!(BaseBuf::parse("http://a/b/c")?.relativize(iri!("http://a/b/d")).unwrap(), "d");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn relativize(
        &self,
        target: impl AsView<Kind = K>,
    ) -> Result<Buf<K::Reference>, DotSegment> {
        self.as_base().relativize(target)
    }
}

impl<K: HasScheme> View<'_, K> {
    /// Returns the shortest reference that resolves to `target` relative to this base, as [`Base::relativize`] does.
    /// For several targets, make a [`Base`], which examines this path once.
    ///
    /// # Errors
    /// Those of [`Base::relativize`].
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert_eq!(iri!("http://a/b/c").relativize(iri!("http://a/d"))?, "/d");
    /// # Ok::<(), simd_iri::errors::DotSegment>(())
    /// ```
    #[doc(alias = "make_relative")]
    pub fn relativize(
        self,
        target: impl AsView<Kind = K>,
    ) -> Result<Buf<K::Reference>, DotSegment> {
        Base::new(self).relativize(target)
    }
}

impl Relativize {
    /// Allows all forms.
    ///
    /// ```
    /// assert_eq!(simd_iri::Relativize::new(), simd_iri::Relativize::default());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { network_path: true, absolute_path: true }
    }

    /// Allows or forbids references that begin with two slashes (RFC 3986, section 4.2).
    ///
    /// ```
    /// # use simd_iri::{Base, Relativize, iri};
    /// let (base, target) = (Base::new(iri!("http://a/")), iri!("http://b/"));
    /// assert_eq!(Relativize::new().relativize(base, target)?, "//b/");
    /// assert_eq!(Relativize::new().network_path(false).relativize(base, target)?, "http://b/");
    /// # Ok::<(), simd_iri::errors::DotSegment>(())
    /// ```
    #[must_use]
    pub const fn network_path(self, allowed: bool) -> Self {
        Self { network_path: allowed, ..self }
    }

    /// Allows or forbids references that begin with a single slash (RFC 3986, section 4.2).
    ///
    /// ```
    /// # use simd_iri::{Base, Relativize, iri};
    /// let (base, target) = (Base::new(iri!("a:/b/c")), iri!("a:/d"));
    /// assert_eq!(Relativize::new().relativize(base, target)?, "/d");
    /// assert_eq!(Relativize::new().absolute_path(false).relativize(base, target)?, "../d");
    /// # Ok::<(), simd_iri::errors::DotSegment>(())
    /// ```
    #[must_use]
    pub const fn absolute_path(self, allowed: bool) -> Self {
        Self { absolute_path: allowed, ..self }
    }

    /// Returns the shortest reference of an allowed form that resolves to `target`, as [`Base::relativize`] does.
    /// If no such reference exists, returns the whole target. The base is a [`Base`], a view, or a reference to an owner.
    ///
    /// # Errors
    /// The path of the target has a dot segment and is not the path of the base: no reference resolves to it.
    ///
    /// ```
    /// # use simd_iri::{Base, Relativize, uri};
    /// let base = Base::new(uri!("urn:a"));
    /// assert_eq!(Relativize::new().relativize(base, uri!("urn:b:c"))?, "./b:c");
    /// # Ok::<(), simd_iri::errors::DotSegment>(())
    /// ```
    pub fn relativize<'b, K: HasScheme>(
        self,
        base: impl Into<Base<'b, K>>,
        target: impl AsView<Kind = K>,
    ) -> Result<Buf<K::Reference>, DotSegment> {
        let target = target.as_view();
        // With a lenient base, even the whole target would be resolved as a relative reference.
        let base = base.into().lenient(false);
        let mut best: Option<(String, Parts)> = None;
        let mut resolved = String::new();
        for form in self.forms(base, target).into_iter().flatten() {
            // Of forms that are equally short, the first one is preferred.
            let is_shorter = best.as_ref().is_none_or(|(best, _)| form.len() < best.len());
            let parts = K::Reference::RULE.parse(&form).ok();
            let means = |parts: &Parts| {
                let reference: View<'_, K::Reference> = View::new(&form, *parts);
                let found = base.resolve_into(reference, &mut resolved);
                found.is_ok_and(|found| found.as_str() == target.as_str())
            };
            if let Some(parts) = parts.filter(|_| is_shorter).filter(means) {
                best = Some((form, parts));
            }
        }
        let (text, parts) = best.ok_or_else(|| {
            let guard = guard_of(target).len();
            let rest = slice::text(target.path(), guard..);
            let at = target.parts().path().start + guard + dot_segment(rest).unwrap_or_default();
            DotSegment { at }
        })?;
        Ok(Buf::new(text, parts))
    }

    /// Returns the candidates: references that may resolve to the target. Preferred candidates are first. The last
    /// candidate is the target.
    fn forms<K: HasScheme>(self, base: Base<'_, K>, target: View<'_, K>) -> [Option<String>; 5] {
        let from = base.view();
        let whole = Some(String::from(target.as_str()));
        if from.scheme() != target.scheme() {
            return [None, None, None, None, whole];
        }
        let after = |start: usize| slice::text(target.as_str(), start..);
        let parts = target.parts();
        let network = (self.network_path && target.authority().is_some())
            .then(|| String::from(after(parts.scheme().unwrap_or_default().end + 1)));
        if from.authority() != target.authority() {
            return [network, None, None, None, whole];
        }
        let same = (from.path() == target.path()).then(|| {
            // A reference with neither path nor query takes the query of the base.
            let is_same_query = from.query() == target.query();
            let path_end = parts.path().end;
            let query_end = parts.query().map_or(path_end, |query| query.end);
            String::from(after(if is_same_query { query_end } else { path_end }))
        });
        let absolute = (self.absolute_path && target.path().starts_with('/')).then(|| {
            // Two slashes would begin an authority.
            let guard = if target.path().starts_with("//") { "/." } else { "" };
            [guard, after(parts.path().start)].concat()
        });
        let directory = base.clean_directory();
        let guard = guard_of(target);
        let path = slice::text(target.path(), guard.len()..);
        let keeps_guard = !guard.is_empty() && self.absolute_path && !directory.starts_with("//");
        let relative =
            (!keeps_guard).then(|| relative_path(&directory, path) + after(parts.path().end));
        [same, relative, absolute, network, whole]
    }
}

/// Returns the guard with which the path of a target begins, or an empty text.
fn guard_of<K: Kind>(target: View<'_, K>) -> &'static str {
    let after = target.path().strip_prefix(GUARD);
    after.map_or("", |path| guard(path.bytes(), target.authority().is_some()))
}

/// Returns the relative path from a directory to a path.
fn relative_path(directory: &str, target: &str) -> String {
    // The length of the common part, up to and including its last slash.
    let common = directory.bytes().zip(target.bytes()).take_while(|(a, b)| a == b).count();
    let shared = slice::bytes(directory.as_bytes(), ..common);
    let shared = memchr::memrchr(b'/', shared).map_or(0, |last| last + 1);
    let ups = directory.bytes().skip(shared).filter(|byte| *byte == b'/').count();
    // `..` above the first segment of a path without a root is the root: `../c` from `a:b/` is `a:/c`.
    let is_root_above = shared == 0 && ups > 0 && target.starts_with('/');
    let rest = slice::text(target, shared + usize::from(is_root_above)..);
    let mut relative = String::new();
    for _ in 0..ups {
        relative.push_str("../");
    }
    if rest.is_empty() {
        // `..` at the end of a path means `../`.
        relative.pop();
        if ups == 0 {
            relative.push('.');
        }
    } else {
        // `./` in front, where the path would begin with a slash, or with a segment that looks like a scheme.
        let segment = rest.split('/').next().unwrap_or_default();
        if ups == 0 && (segment.is_empty() || segment.contains(':')) {
            relative.push_str("./");
        }
        relative.push_str(rest);
    }
    relative
}
