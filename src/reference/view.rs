//! The view: a text and the offsets of its components. Every accessor is written here, once.

use core::fmt::{self, Write};
use core::marker::PhantomData;
use core::ops::Range;

use super::kind::{self, HasScheme, Kind};
use super::{Checked, Host, PathForm, Segments};
use crate::error::{Component, Error, UntilError};
use crate::parse::{self, Parts, Rule, Terminators};
use crate::scan::{self, CpuLevel};

/// A borrowed reference that matches the rule of its kind, and the offsets of its components.
///
/// It is `Copy` and has 48 bytes: the text and eight offsets of 32 bits. The accessors allocate nothing, decode nothing
/// and take a few instructions each. Their results live as long as the text, not only as long as the view.
///
/// [`Iri`](crate::Iri), [`IriRef`](crate::IriRef), [`Uri`](crate::Uri) and
/// [`UriRef`](crate::UriRef) are the four kinds.
///
/// ```
/// use simd_iri::Iri;
///
/// let iri = Iri::parse("https://用户@例え.jp:8042/도움말?q=क#τ")?;
/// assert_eq!(iri.scheme(), "https");
/// assert_eq!(iri.userinfo(), Some("用户"));
/// assert_eq!(iri.host_str(), Some("例え.jp"));
/// assert_eq!(iri.port_u16(), Some(8042));
/// assert_eq!(iri.path(), "/도움말");
/// assert_eq!(iri.query(), Some("q=क"));
/// assert_eq!(iri.fragment(), Some("τ"));
/// # Ok::<(), simd_iri::Error>(())
/// ```
///
/// Equality, order and hash are those of the text (RFC 3987, section 5.3.1: simple string
/// comparison).
///
/// [`View::parse`] makes a view. A method with `to_` or `with_` makes a new reference: an owner ([`Buf`](crate::Buf)),
/// or a [`Mapped`](crate::Mapped) that borrows this text if nothing changes. The [table of tasks](crate#i-want-to) has the
/// types with more options, such as [`Base`](crate::Base), [`Compare`](crate::Compare) and [`ToUri`](crate::ToUri).
pub struct View<'a, K: Kind> {
    pub(super) text: &'a str,
    pub(super) parts: Parts,
    kind: PhantomData<K>,
}

const _: () = assert!(size_of::<View<'_, kind::Iri>>() == 48 || size_of::<usize>() < 8);

impl<'a, K: Kind> View<'a, K> {
    /// Returns a view of a text that matches the rule. `parts` are the parts of the text.
    #[inline]
    pub(crate) const fn new(text: &'a str, parts: Parts) -> Self {
        Self { text, parts, kind: PhantomData }
    }

    /// Returns a view of a text that is known to match the rule.
    #[inline]
    pub(super) fn split(text: &'a str) -> Self {
        Self::new(text, parse::split(text))
    }

    /// Checks that the whole of `text` is a reference of this kind, and finds its components.
    ///
    /// One pass over a text of up to 127 bytes, a few passes over a longer one; no allocation.
    ///
    /// # Errors
    /// Returns the first violation of the grammar, with its byte offsets. A text of 4 GiB or more is a violation.
    ///
    /// ```
    /// use simd_iri::{Iri, IriRef};
    ///
    /// assert!(Iri::parse("http://example.org/").is_ok());
    /// assert!(IriRef::parse("../a").is_ok());
    /// let error = Iri::parse("http://example.org/a|b").unwrap_err();
    /// assert_eq!(error.span(), 20..21);
    /// ```
    #[inline]
    pub fn parse(text: &'a str) -> Result<Self, Error> {
        match parse::parse_best(K::RULE, text) {
            Ok(parts) => Ok(Self { text, parts, kind: PhantomData }),
            Err(error) => Err(error),
        }
    }

    /// [`View::parse`] for bytes, which must be UTF-8.
    ///
    /// The check of UTF-8 costs one more pass, which is fast if all bytes are ASCII.
    ///
    /// # Errors
    /// Returns the first violation, with its byte offsets. Ill-formed UTF-8 is a violation, too.
    ///
    /// ```
    /// # use simd_iri::{ErrorKind, Iri};
    /// assert_eq!(Iri::parse_bytes("http://a/é".as_bytes()).map(|iri| iri.path()), Ok("/é"));
    /// let error = Iri::parse_bytes(b"http://a/\xE9").unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::IllFormedUtf8);
    /// ```
    #[inline]
    pub fn parse_bytes(bytes: &'a [u8]) -> Result<Self, Error> {
        parse::parse_bytes(CpuLevel::best(), K::RULE, bytes)
            .map(|(text, parts)| Self::new(text, parts))
    }

    /// Parses the text before the first terminator, or the whole text if there is none: for readers of RDF, logs and
    /// markup. Returns the reference and the rest, which begins with the terminator.
    ///
    /// Two passes over the reference and none over the rest; no allocation.
    ///
    /// # Errors
    /// Returns the first violation in the text before the terminator, and the place of the terminator.
    ///
    /// ```
    /// use simd_iri::{Iri, parser::Terminators};
    ///
    /// let (iri, rest) = Iri::parse_until("http://example.org/s> <http://example.org/p>", b'>')?;
    /// assert_eq!(iri.path(), "/s");
    /// assert_eq!(rest, "> <http://example.org/p>");
    /// // A reader goes on after an error.
    /// let refused = Iri::parse_until("a b> c", b'>').unwrap_err();
    /// assert_eq!((refused.span(), refused.end()), (0..0, 3));
    /// const SPACES: Terminators = Terminators::new(b" \t\r\n").unwrap();
    /// assert_eq!(Iri::parse_until("urn:a b", &SPACES)?.1, " b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[doc(alias = "parse_prefix")]
    pub fn parse_until(
        text: &'a str,
        stop: impl Into<Terminators>,
    ) -> Result<(Self, &'a str), UntilError> {
        let end = stop.into().find(text.as_bytes());
        // A terminator is ASCII, so its place is a character boundary.
        let (reference, rest) = text.split_at_checked(end).unwrap_or((text, ""));
        match Self::parse(reference) {
            Ok(view) => Ok((view, rest)),
            Err(error) => Err(UntilError::new(error, end)),
        }
    }

    /// [`View::parse_until`] for bytes. Only the bytes before the terminator must be UTF-8.
    ///
    /// # Errors
    /// Returns the first violation in the bytes before the terminator, and the place of the terminator.
    ///
    /// ```
    /// use simd_iri::Iri;
    ///
    /// let (iri, rest) = Iri::parse_until_bytes(b"urn:a> \xFF", b'>')?;
    /// assert_eq!((iri.path(), rest), ("a", &b"> \xFF"[..]));
    /// assert_eq!(Iri::parse_until_bytes(b"urn:\xFF>", b'>').unwrap_err().end(), 5);
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn parse_until_bytes(
        bytes: &'a [u8],
        stop: impl Into<Terminators>,
    ) -> Result<(Self, &'a [u8]), UntilError> {
        let end = stop.into().find(bytes);
        let (reference, rest) = bytes.split_at_checked(end).unwrap_or((bytes, &[]));
        match Self::parse_bytes(reference) {
            Ok(view) => Ok((view, rest)),
            Err(error) => Err(UntilError::new(error, end)),
        }
    }

    /// [`View::parse`] in a constant, by the generated automaton of `IRI-reference`. Returns `None` if the text does
    /// not match. The macros [`iri!`](crate::iri), [`iri_ref!`](crate::iri_ref), [`uri!`](crate::uri) and
    /// [`uri_ref!`](crate::uri_ref) call this function, and stop the compiler if the text does not match.
    ///
    /// Linear time. At run time, use [`View::parse`].
    ///
    /// ```
    /// use simd_iri::Iri;
    ///
    /// const HOME: Option<Iri<'_>> = Iri::parse_const("http://example.org/");
    /// assert_eq!(HOME, Iri::parse("http://example.org/").ok());
    /// ```
    #[must_use]
    pub const fn parse_const(text: &'a str) -> Option<Self> {
        match parse::parse_const(K::RULE, text) {
            Some(parts) => Some(Self::new(text, parts)),
            None => None,
        }
    }

    /// Returns the reason why [`View::parse_const`] refuses a text, for the macros of literals.
    #[doc(hidden)]
    #[must_use]
    pub const fn __refusal(text: &str) -> parse::Refusal {
        parse::Refusal::of(K::RULE, text)
    }

    /// Returns the whole text.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert_eq!(iri!("urn:a").as_str(), "urn:a");
    /// ```
    #[inline]
    #[must_use]
    pub const fn as_str(self) -> &'a str {
        self.text
    }

    /// Returns the byte offsets of the components.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert_eq!(iri!("urn:a").parts().path(), 4..5);
    /// ```
    #[inline]
    #[must_use]
    pub const fn parts(self) -> Parts {
        self.parts
    }

    /// Returns the offsets of the components.
    #[inline]
    pub(crate) const fn as_parts(&self) -> &Parts {
        &self.parts
    }

    /// Returns the text of a component. Parts fall on character boundaries inside the text.
    #[inline]
    const fn slice(self, range: Range<usize>) -> &'a str {
        let part = scan::part(self.text, range.start, range.end);
        debug_assert!(part.len() == range.end - range.start, "the parts fit the text");
        part
    }

    /// Returns the text of a component that may be absent.
    #[inline]
    const fn optional(self, range: Option<Range<usize>>) -> Option<&'a str> {
        match range {
            Some(range) => Some(self.slice(range)),
            None => None,
        }
    }

    /// Returns the `scheme` of a reference of any kind, without its colon, as it is written. For generic code: `scheme`
    /// returns `&str` for the kinds that always have a scheme.
    ///
    /// ```
    /// use simd_iri::{View, iri, iri_ref, kind::Kind};
    ///
    /// fn is_web<K: Kind>(reference: View<'_, K>) -> bool {
    ///     matches!(reference.scheme_opt(), Some("http" | "https"))
    /// }
    /// assert!(is_web(iri!("http://a/")) && !is_web(iri_ref!("//a/")));
    /// ```
    #[inline]
    #[must_use]
    pub const fn scheme_opt(self) -> Option<&'a str> {
        self.optional(self.parts.scheme())
    }

    /// Tells whether there is a scheme, so that the reference is an IRI and not relative to a base.
    ///
    /// [`View::is_absolute`] also requires that there is no fragment (RFC 3986, section 4.3).
    ///
    /// ```
    /// # use simd_iri::iri_ref;
    /// assert!(iri_ref!("http://a#b").has_scheme());
    /// assert!(!iri_ref!("//a").has_scheme());
    /// ```
    #[doc(alias = "isAbsolute")]
    #[inline]
    #[must_use]
    pub const fn has_scheme(self) -> bool {
        self.parts.scheme().is_some()
    }

    /// Tells whether there is no scheme, so that the reference is relative to a base (RFC 3986, section 4.2).
    ///
    /// ```
    /// # use simd_iri::iri_ref;
    /// assert!(iri_ref!("../a").is_relative() && iri_ref!("//a").is_relative());
    /// assert!(!iri_ref!("http://a").is_relative());
    /// ```
    #[inline]
    #[must_use]
    pub const fn is_relative(self) -> bool {
        !self.has_scheme()
    }

    /// Tells whether the scheme is `name`, in any case of its letters. Without a scheme, the answer is `false`.
    ///
    /// ```
    /// # use simd_iri::{iri, iri_ref};
    /// assert!(iri!("HTTPS://a").is_scheme("https"));
    /// assert!(!iri_ref!("//a").is_scheme("https"));
    /// ```
    #[must_use]
    pub fn is_scheme(self, name: &str) -> bool {
        self.scheme_opt().is_some_and(|scheme| scheme.eq_ignore_ascii_case(name))
    }

    /// Returns the `iauthority`, which holds userinfo, host and port, as it is written; `None` if it is absent.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert_eq!(iri!("ftp://me@a:21/b").authority(), Some("me@a:21"));
    /// assert_eq!(iri!("file:///b").authority(), Some(""));
    /// assert_eq!(iri!("mailto:a@b").authority(), None);
    /// ```
    #[doc(alias = "authority_str")]
    #[doc(alias = "netloc")]
    #[doc(alias = "getRawAuthority")]
    #[inline]
    #[must_use]
    pub const fn authority(self) -> Option<&'a str> {
        self.optional(self.parts.authority())
    }

    /// Returns the authority alone as a value: the reference `//authority`, which has the same userinfo, host and port,
    /// and nothing else: without a scheme, it has no default port. Returns `None` if the authority is absent. Copies no
    /// text.
    ///
    /// ```
    /// # use simd_iri::{Host, IriRef, iri};
    /// let authority = iri!("ftp://me@a:21/b").authority_ref().unwrap();
    /// assert_eq!(authority, "//me@a:21");
    /// assert_eq!((authority.userinfo(), authority.port_u16()), (Some("me"), Some(21)));
    /// assert_eq!(authority.host(), Some(Host::RegName("a")));
    /// // An authority that is not in a reference is parsed with `//` in front.
    /// assert_eq!(IriRef::parse("//me@a:21"), Ok(authority));
    /// ```
    #[doc(alias = "Authority")]
    #[must_use]
    pub fn authority_ref(self) -> Option<View<'a, kind::IriReference>> {
        let Range { start, end } = self.parts.authority()?;
        // For example, in `ftp://me@a:21/b` the authority begins at 6, the host is from 9 to 10, and the path begins at
        // 13. In `//me@a:21`, each offset is less by 4: 2, 5, 6 and 9. The path, the query and the fragment are empty,
        // at 9.
        let [_, authority, host, host_end, path, ..] = *self.parts.as_offsets();
        // The two slashes are in the text, before the authority. Nothing is after it.
        let [host, host_end, path] = [host, host_end, path].map(|at| at - (authority - 2));
        let parts = Parts::at([0, 2, host, host_end, path, path, path, path]);
        Some(View::new(self.slice(start - 2..end), parts))
    }

    /// Returns the `iuserinfo`, without its `@`; `None` if it is absent.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert_eq!(iri!("ftp://me:pw@a/").userinfo(), Some("me:pw"));
    /// assert_eq!(iri!("ftp://@a/").userinfo(), Some(""));
    /// assert_eq!(iri!("ftp://a/").userinfo(), None);
    /// ```
    #[doc(alias = "userinfo_str")]
    #[doc(alias = "getRawUserInfo")]
    #[inline]
    #[must_use]
    pub const fn userinfo(self) -> Option<&'a str> {
        self.optional(self.parts.userinfo())
    }

    /// Returns the userinfo before its first colon; `None` if there is no userinfo. RFC 3986, section 3.2.1 deprecates
    /// the convention `user:password`.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert_eq!(iri!("ftp://me:pw@a/").user(), Some("me"));
    /// ```
    #[doc(alias = "username")]
    #[must_use]
    pub fn user(self) -> Option<&'a str> {
        self.userinfo().map(|userinfo| userinfo.split_once(':').map_or(userinfo, |(user, _)| user))
    }

    /// Returns the userinfo after its first colon; `None` if there is no colon. A password is a secret: do not log it.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert_eq!(iri!("ftp://me:p:w@a/").password(), Some("p:w"));
    /// assert_eq!(iri!("ftp://me@a/").password(), None);
    /// ```
    #[must_use]
    pub fn password(self) -> Option<&'a str> {
        self.userinfo()?.split_once(':').map(|(_, password)| password)
    }

    /// Returns the `ihost` as it is written, with the brackets of an `IP-literal`; `None` if there is no authority.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert_eq!(iri!("http://[::1]:80/").host_str(), Some("[::1]"));
    /// assert_eq!(iri!("file:///b").host_str(), Some(""));
    /// ```
    #[doc(alias = "hostname")]
    #[doc(alias = "getHost")]
    #[inline]
    #[must_use]
    pub const fn host_str(self) -> Option<&'a str> {
        self.optional(self.parts.host())
    }

    /// Returns the host as a value, an address or a name; `None` if there is no authority.
    ///
    /// Reads the host again; [`View::host_str`] does not.
    ///
    /// ```
    /// # use simd_iri::{Host, iri};
    /// assert_eq!(iri!("http://10.0.0.1/").host(), Some(Host::Ipv4([10, 0, 0, 1].into())));
    /// ```
    #[must_use]
    pub fn host(self) -> Option<Host<'a>> {
        self.host_str().map(Host::of)
    }

    /// Returns the `port` as it is written, which may be empty; `None` if there is no colon after the host.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert_eq!(iri!("http://a:080/").port(), Some("080"));
    /// assert_eq!(iri!("http://a:/").port(), Some(""));
    /// assert_eq!(iri!("http://a/").port(), None);
    /// ```
    #[doc(alias = "port_str")]
    #[inline]
    #[must_use]
    pub const fn port(self) -> Option<&'a str> {
        self.optional(self.parts.port())
    }

    /// Returns the port as a number; `None` if it is absent, empty or greater than 65,535.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert_eq!(iri!("http://a:080/").port_u16(), Some(80));
    /// assert_eq!(iri!("http://a:65536/").port_u16(), None);
    /// ```
    #[doc(alias = "port_to_u16")]
    #[doc(alias = "getPort")]
    #[must_use]
    pub fn port_u16(self) -> Option<u16> {
        self.port()?.parse().ok()
    }

    /// Returns the `ipath`, which may be empty.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert_eq!(iri!("http://a/b/c?d").path(), "/b/c");
    /// assert_eq!(iri!("http://a?d").path(), "");
    /// ```
    #[doc(alias = "path_str")]
    #[doc(alias = "getRawPath")]
    #[inline]
    #[must_use]
    pub const fn path(self) -> &'a str {
        self.slice(self.parts.path())
    }

    /// Returns the form of the path, one of the five forms of `ipath`.
    ///
    /// ```
    /// # use simd_iri::{component::PathForm, iri};
    /// assert_eq!(iri!("mailto:a@b").path_form(), PathForm::Rootless);
    /// ```
    #[must_use]
    pub fn path_form(self) -> PathForm {
        if self.parts.authority().is_some() {
            PathForm::Abempty
        } else if self.path().is_empty() {
            PathForm::Empty
        } else if self.path().starts_with('/') {
            PathForm::Absolute
        } else if self.parts.scheme().is_some() {
            PathForm::Rootless
        } else {
            PathForm::Noscheme
        }
    }

    /// Returns the segments of the path, in order.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert!(iri!("http://a/b/c/").segments().eq(["b", "c", ""]));
    /// assert_eq!(iri!("http://a/b/c.png").segments().next_back(), Some("c.png"));
    /// ```
    #[doc(alias = "path_segments")]
    #[must_use]
    pub fn segments(self) -> Segments<'a> {
        Segments::of(self.path())
    }

    /// Returns the `iquery`, without its question mark; `None` if it is absent.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert_eq!(iri!("http://a?b#c").query(), Some("b"));
    /// assert_eq!(iri!("http://a?").query(), Some(""));
    /// ```
    #[doc(alias = "query_str")]
    #[doc(alias = "getRawQuery")]
    #[inline]
    #[must_use]
    pub const fn query(self) -> Option<&'a str> {
        self.optional(self.parts.query())
    }

    /// Returns the `ifragment`, without its number sign; `None` if it is absent.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert_eq!(iri!("http://a?b#c").fragment(), Some("c"));
    /// assert_eq!(iri!("http://a?b").fragment(), None);
    /// ```
    #[doc(alias = "fragment_str")]
    #[doc(alias = "getRawFragment")]
    #[inline]
    #[must_use]
    pub const fn fragment(self) -> Option<&'a str> {
        self.optional(self.parts.fragment())
    }

    /// Returns a component, as it is written; `None` if it is absent. [`Component::Reference`] is the whole text.
    ///
    /// ```
    /// # use simd_iri::{Component, iri};
    /// assert_eq!(iri!("http://a/b").component(Component::Path), Some("/b"));
    /// assert_eq!(iri!("http://a/b").component(Component::Query), None);
    /// ```
    #[must_use]
    pub fn component(self, component: Component) -> Option<&'a str> {
        self.optional(self.parts.get(component))
    }

    /// Returns this reference without its fragment. Copies no text.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert_eq!(iri!("http://a/b?c#d").without_fragment(), "http://a/b?c");
    /// assert!(iri!("http://a/b#").without_fragment().is_absolute());
    /// ```
    #[doc(alias = "strip_fragment")]
    #[doc(alias = "urldefrag")]
    #[must_use]
    pub const fn without_fragment(self) -> Self {
        let parts = self.parts.without_fragment();
        Self::new(scan::part(self.text, 0, parts.len()), parts)
    }

    /// Returns the length of the text in bytes.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert_eq!(iri!("a:é").len(), 4);
    /// ```
    #[inline]
    #[must_use]
    pub const fn len(self) -> usize {
        self.text.len()
    }

    /// Tells whether the text is empty. Only a reference without a scheme can be empty (RFC 3986, section 4.4).
    ///
    /// ```
    /// # use simd_iri::iri_ref;
    /// assert!(iri_ref!("").is_empty() && !iri_ref!("#").is_empty());
    /// ```
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.text.is_empty()
    }

    /// Tells whether the text is an `absolute-IRI`: it has a scheme and no fragment (RFC 3986, section 4.3).
    ///
    /// ```
    /// # use simd_iri::iri_ref;
    /// assert!(iri_ref!("http://a?b").is_absolute());
    /// assert!(!iri_ref!("http://a?b#c").is_absolute());
    /// assert!(!iri_ref!("//a?b").is_absolute());
    /// ```
    #[inline]
    #[must_use]
    pub const fn is_absolute(self) -> bool {
        self.parts.scheme().is_some() && self.parts.fragment().is_none()
    }

    /// Returns the same text as an `IRI-reference`, which includes all other kinds.
    ///
    /// ```
    /// # use simd_iri::{iri_ref, uri};
    /// assert_eq!(uri!("urn:a").as_iri_ref(), iri_ref!("urn:a"));
    /// ```
    #[inline]
    #[must_use]
    pub const fn as_iri_ref(self) -> View<'a, kind::IriReference> {
        View::new(self.text, self.parts)
    }

    /// Returns the text alone, without the offsets of its components, such as [`IriStr`](crate::thin::IriStr). It takes 16
    /// bytes.
    ///
    /// ```
    /// use simd_iri::{iri, thin::IriStr};
    ///
    /// const HOME: IriStr<'_> = iri!("http://example.org/").as_checked();
    /// assert_eq!(HOME, "http://example.org/");
    /// ```
    #[inline]
    #[must_use]
    pub const fn as_checked(self) -> Checked<&'a str, K> {
        Checked::new(self.text)
    }
}

impl<'a, K: HasScheme> View<'a, K> {
    /// Returns the `scheme`, without its colon, as it is written.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert_eq!(iri!("HTTP://a").scheme(), "HTTP");
    /// ```
    #[inline]
    #[must_use]
    pub const fn scheme(self) -> &'a str {
        match self.scheme_opt() {
            Some(scheme) => scheme,
            None => "",
        }
    }
}

impl<'a> View<'a, kind::IriReference> {
    /// Returns the `scheme`, without its colon, as it is written.
    ///
    /// ```
    /// # use simd_iri::iri_ref;
    /// assert_eq!(iri_ref!("urn:a").scheme(), Some("urn"));
    /// assert_eq!(iri_ref!("./urn:a").scheme(), None);
    /// ```
    #[inline]
    #[must_use]
    pub const fn scheme(self) -> Option<&'a str> {
        self.scheme_opt()
    }

    /// Checks that the whole of `text` matches `rule`. Every rule describes IRI references.
    ///
    /// # Errors
    /// Returns the first violation of the grammar, with its byte offsets.
    ///
    /// ```
    /// use simd_iri::{ErrorKind, IriRef, Rule};
    ///
    /// let error = IriRef::parse_as(Rule::AbsoluteUri, "http://a#b").unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::FragmentNotAllowed);
    /// ```
    #[inline]
    pub fn parse_as(rule: Rule, text: &'a str) -> Result<Self, Error> {
        parse::parse_best(rule, text).map(|parts| Self::new(text, parts))
    }

    /// [`parse_as`](Self::parse_as) for bytes, which must be UTF-8.
    ///
    /// # Errors
    /// Returns the first violation, with its byte offsets. Ill-formed UTF-8 is a violation, too.
    ///
    /// ```
    /// use simd_iri::{ErrorKind, IriRef, Rule};
    ///
    /// let error = IriRef::parse_as_bytes(Rule::AbsoluteIri, b"http://a/\xE9").unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::IllFormedUtf8);
    /// ```
    #[inline]
    pub fn parse_as_bytes(rule: Rule, bytes: &'a [u8]) -> Result<Self, Error> {
        parse::parse_bytes(CpuLevel::best(), rule, bytes)
            .map(|(text, parts)| Self::new(text, parts))
    }
}

impl<'a> View<'a, kind::UriReference> {
    /// Returns the `scheme`, without its colon, as it is written.
    ///
    /// ```
    /// # use simd_iri::uri_ref;
    /// assert_eq!(uri_ref!("urn:a").scheme(), Some("urn"));
    /// assert_eq!(uri_ref!("a").scheme(), None);
    /// ```
    #[inline]
    #[must_use]
    pub const fn scheme(self) -> Option<&'a str> {
        self.scheme_opt()
    }
}

impl<K: Kind> Clone for View<'_, K> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<K: Kind> Copy for View<'_, K> {}

impl<'a, K: Kind> TryFrom<&'a str> for View<'a, K> {
    type Error = Error;

    #[inline]
    fn try_from(text: &'a str) -> Result<Self, Error> {
        Self::parse(text)
    }
}

/// As an iterator of an array of texts gives it.
impl<'a, K: Kind> TryFrom<&&'a str> for View<'a, K> {
    type Error = Error;

    fn try_from(text: &&'a str) -> Result<Self, Error> {
        Self::parse(text)
    }
}

impl<'a, K: Kind> TryFrom<&'a [u8]> for View<'a, K> {
    type Error = Error;

    #[inline]
    fn try_from(bytes: &'a [u8]) -> Result<Self, Error> {
        Self::parse_bytes(bytes)
    }
}

/// Writes the text in quotes, with `***` for a password. `{:#?}` writes the components.
///
/// ```
/// # use simd_iri::iri;
/// assert_eq!(format!("{:?}", iri!("http://me:secret@a/")), "\"http://me:***@a/\"");
/// assert!(format!("{:#?}", iri!("http://a/")).contains("authority: Some("));
/// ```
impl<K: Kind> fmt::Debug for View<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = MaskedPart { view: *self, range: 0..self.text.len() };
        if !f.alternate() {
            return text.fmt(f);
        }
        let authority = self.parts.authority().map(|range| MaskedPart { view: *self, range });
        f.debug_struct(K::RULE.name())
            .field("text", &text)
            .field("scheme", &self.scheme_opt())
            .field("authority", &authority)
            .field("path", &self.path())
            .field("query", &self.query())
            .field("fragment", &self.fragment())
            .finish()
    }
}

/// A part of a reference for `Debug`: in quotes, with `***` in place of the password.
struct MaskedPart<'a, K: Kind> {
    view: View<'a, K>,
    /// The byte range of the part. If the reference has a password, the password lies in the range.
    range: Range<usize>,
}

impl<K: Kind> fmt::Debug for MaskedPart<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The three pieces are one text in quotes: `"http://me:`, `***`, and `@a/"`. A password lies at the end of the
        // userinfo, so its start is the end of the userinfo less its length.
        let Self { view, range } = self;
        let password = view.password().filter(|password| !password.is_empty());
        let (Some(password), Some(userinfo)) = (password, view.parts.userinfo()) else {
            return view.slice(range.clone()).fmt(f);
        };
        // `Debug` escapes the text before and the text after the password, and would put each in quotes of its own.
        let start = userinfo.end - password.len();
        write!(f, "\"")?;
        write!(Unquoted(f), "{:?}", view.slice(range.start..start))?;
        write!(f, "***")?;
        write!(Unquoted(f), "{:?}", view.slice(userinfo.end..range.end))?;
        write!(f, "\"")
    }
}

/// Writes a text without the quotation marks that `Debug` adds. No reference holds a quotation mark.
struct Unquoted<'a, 'f>(&'a mut fmt::Formatter<'f>);

impl fmt::Write for Unquoted<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.split('"').try_for_each(|piece| self.0.write_str(piece))
    }
}
