//! Normalization (RFC 3986, section 6.2; RFC 3987, section 5.3): a switch for each rule, and two sets of rules
//! that have names.
//!
//! Not here: comparison, which needs no normalized text (`compare`); the decoding of triplets (`triplets`) and
//! the removal of dot segments (`dots`).

use alloc::string::String;
use core::fmt;
use core::net::Ipv6Addr;

use super::address::push_ipv6;
use super::prescan::{Prescan, PrescanJob, ShortPrescan};
use crate::error::{Component, Error};
use crate::parse::{Delimited, Parts, insert_guard};
use crate::reference::kind::Kind;
use crate::reference::{AsView, Buf, IntoView, Mapped, View};
use crate::scan::{BLOCK, Changes, Cpu, CpuLevel, Job, Query, Rewrite, encode, octet, slice};
use crate::transform::bidi_controls::is_bidi_control;
use crate::transform::components::rewrite_components;
use crate::transform::dots;
use crate::transform::dots::{decoded_dots, has_encoded_dot, push_without_as};
#[cfg(feature = "idna")]
use crate::transform::map::domains::{MAX, with_domain, with_host};
#[cfg(feature = "idna")]
use crate::transform::map::idna;
use crate::transform::schemes::{Known, written_port};
use crate::transform::triplets::{Certain, DecodePolicy, Decoding};

impl<'a, K: Kind> View<'a, K> {
    /// Returns the normal form of this reference by a set of [`Normalize`] rules.
    ///
    /// The result borrows this reference if it is normal already, which a single scan shows. Otherwise it is
    /// written in one pass and one allocation, or component by component if a rare rule applies.
    ///
    /// # Errors
    /// The result has 4 GiB or more.
    ///
    /// ```
    /// use simd_iri::{Level, Normalize, iri, uri};
    ///
    /// let iri = iri!("eXAMPLE://a/./b/../b/%63/%7bfoo%7d/ros%C3%A9");
    /// assert_eq!(iri.normalize(Normalize::syntax())?, "example://a/b/c/%7Bfoo%7D/rosé");
    /// let uri = uri!("HTTP://Example.com:80");
    /// assert_eq!(uri.normalize(Normalize::scheme())?, "http://example.com/");
    /// assert_eq!(uri.normalize(Level::Scheme)?, "http://example.com/");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[doc(alias = "normalise")]
    #[inline]
    pub fn normalize(self, rules: impl Into<Normalize>) -> Result<Mapped<'a, K>, Error> {
        let rules = rules.into();
        let scan = rules.prescan(&self, !K::RULE.ascii_only());
        if scan.is_some_and(|scan| scan.is_plain(self.as_str(), || self.path())) {
            return Ok(Mapped::Borrowed(self));
        }
        self.normalized(rules, scan)
    }

    /// [`View::normalize`] of a reference that may not be normal. It is not inlined, so that its caller can be inlined.
    #[inline(never)]
    fn normalized(self, rules: Normalize, scan: Option<Prescan>) -> Result<Mapped<'a, K>, Error> {
        let mut text = String::new();
        let mut parts = Parts::NONE;
        rules.write(&self, scan, &mut text, &mut parts)?;
        Ok(Mapped::of(self, Buf::new(text, parts)))
    }
}

/// The rules that normalize a reference, each on or off.
///
/// [`syntax`](Self::syntax) and [`scheme`](Self::scheme) are the sets of rules that RFC 3986 names:
///
/// | rule | RFC 3986 | `syntax` | `scheme` |
/// | --- | --- | --- | --- |
/// | [`case`](Self::case) | 6.2.2.1 | yes | yes |
/// | [`percent_encoding`](Self::percent_encoding) | 6.2.2.2 | yes | yes |
/// | [`dot_segments`](Self::dot_segments) | 6.2.2.3 | yes | yes |
/// | [`rootless_dots`](Self::rootless_dots) | 6.2.2.3 | | |
/// | [`rooted_dots`](Self::rooted_dots) | 5.2.2 | | |
/// | [`port`](Self::port) | 6.2.3 | | yes |
/// | [`empty_path`](Self::empty_path) | 6.2.3 | | yes |
/// | [`file_localhost`](Self::file_localhost) | RFC 8089, 2 | | |
/// | [`ipv6`](Self::ipv6) | RFC 5952 | | |
/// | [`urn`](Self::urn) | RFC 8141, 3.1 | | |
/// | [`mailto`](Self::mailto) | RFC 6068, 2 | | |
/// | `idna`, with the feature `idna` | UTS #46 | | |
///
/// ```
/// use simd_iri::{Normalize, iri};
///
/// let only = Normalize::none().dot_segments(true);
/// assert_eq!(iri!("HTTP://A/b/../%63").normalize(only)?, "HTTP://A/%63");
/// # Ok::<(), simd_iri::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Normalize {
    /// A bit for each rule.
    rules: u16,
    policy: DecodePolicy,
}

const CASE: u16 = 1 << 0;
const PERCENT_ENCODING: u16 = 1 << 1;
const DOT_SEGMENTS: u16 = 1 << 2;
const PORT: u16 = 1 << 3;
const EMPTY_PATH: u16 = 1 << 4;
const FILE_LOCALHOST: u16 = 1 << 5;
const IPV6: u16 = 1 << 6;
const URN: u16 = 1 << 7;
const MAILTO: u16 = 1 << 8;
const DOMAIN: u16 = 1 << 9;
const ROOTLESS_DOTS: u16 = 1 << 10;
const ROOTED_DOTS: u16 = 1 << 11;

/// Writes the methods that switch a rule on or off, and `Debug`, which shows which rules are on.
macro_rules! switches {
    ($($(#[$doc:meta])+ $name:ident = $rule:ident),+ $(,)?) => {
        impl Normalize {$(
            $(#[$doc])+
            #[must_use]
            pub const fn $name(self, on: bool) -> Self {
                self.with($rule, on)
            }
        )+}

        impl fmt::Debug for Normalize {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let mut rules = f.debug_struct("Normalize");
                $(rules.field(stringify!($name), &self.has($rule));)+
                rules.field("idna", &self.has(DOMAIN)).field("policy", &self.policy).finish()
            }
        }
    };
}

/// [`Normalize::scheme`], the rules of the default [`Level`](crate::Level).
impl Default for Normalize {
    fn default() -> Self {
        Self::scheme()
    }
}

impl Normalize {
    /// Switches every rule off.
    ///
    /// ```
    /// # use simd_iri::{Normalize, iri};
    /// assert!(iri!("A:%61").normalize(Normalize::none())?.is_borrowed());
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub const fn none() -> Self {
        Self { rules: 0, policy: DecodePolicy::Default }
    }

    /// Syntax-based normalization (RFC 3986, section 6.2.2): the result means the same in every scheme.
    ///
    /// ```
    /// # use simd_iri::{Normalize, uri};
    /// assert_eq!(uri!("http://A:80").normalize(Normalize::syntax())?, "http://a:80");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub const fn syntax() -> Self {
        Self::none().case(true).percent_encoding(true).dot_segments(true)
    }

    /// Scheme-based normalization (RFC 3986, section 6.2.3): the rules of [`syntax`](Self::syntax), the default
    /// ports of schemes, and `/` for an empty path.
    ///
    /// ```
    /// # use simd_iri::{Normalize, uri};
    /// assert_eq!(uri!("http://A:80").normalize(Normalize::scheme())?, "http://a/");
    /// assert_eq!(uri!("other://A:80").normalize(Normalize::scheme())?, "other://a:80");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub const fn scheme() -> Self {
        Self::syntax().port(true).empty_path(true)
    }

    /// The rules for the target of an HTTP request that is a path: the rules of [`syntax`](Self::syntax), and
    /// [`rooted_dots`](Self::rooted_dots). [`TargetForm::normalize`](crate::http_message::TargetForm::normalize) also reads `//a`
    /// as a path.
    ///
    /// ```
    /// # use simd_iri::{Normalize, uri_ref};
    /// assert_eq!(uri_ref!("/a/../%7Eb").normalize(Normalize::request_target())?, "/~b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub const fn request_target() -> Self {
        Self::syntax().rooted_dots(true)
    }

    /// Normalizes a reference by these rules: [`View::normalize`].
    ///
    /// # Errors
    /// The result has 4 GiB or more.
    ///
    /// ```
    /// # use simd_iri::{Normalize, iri};
    /// assert_eq!(Normalize::syntax().map(iri!("A:b"))?, "a:b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[inline]
    pub fn map<'a, K: Kind>(
        self,
        view: impl IntoView<'a, Kind = K>,
    ) -> Result<Mapped<'a, K>, Error> {
        let view = view.into_view();
        view.normalize(self)
    }

    /// Replaces the content of `text` with the normal form of a reference, and returns a view of it. Nothing is
    /// allocated if `text` has room for the reference and 70 bytes.
    ///
    /// # Errors
    /// The result has 4 GiB or more. In this case, `text` is empty.
    ///
    /// ```
    /// # use simd_iri::{Normalize, iri};
    /// let mut text = String::new();
    /// let normal = Normalize::syntax().map_into(iri!("A:/b/../c"), &mut text)?;
    /// assert_eq!(normal.path(), "/c");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[inline]
    pub fn map_into<'t, K: Kind>(
        self,
        view: impl AsView<Kind = K>,
        text: &'t mut String,
    ) -> Result<View<'t, K>, Error> {
        let view = view.as_view();
        let mut parts = Parts::NONE;
        self.write(&view, None, text, &mut parts)?;
        Ok(View::new(text, parts))
    }

    /// Sets which triplets of an IRI [`percent_encoding`](Self::percent_encoding) decodes. In a URI, it always decodes
    /// the triplets of unreserved ASCII characters.
    ///
    /// ```
    /// # use simd_iri::{Normalize, DecodePolicy, iri};
    /// let rules = Normalize::syntax().policy(DecodePolicy::NonAsciiOnly);
    /// assert_eq!(iri!("a:%61%c3%a9%2f").normalize(rules)?, "a:%61é%2F");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub const fn policy(self, policy: DecodePolicy) -> Self {
        Self { policy, ..self }
    }

    /// Sets whether the host of `http`, `https`, `ws`, `wss` and `ftp` is mapped as a domain name by UTS #46: to ASCII
    /// in a URI, to Unicode in an IRI. A host that UTS #46 refuses stays as it is. `to_uri` percent-encodes a host in Unicode;
    /// [`ToUri::idna`](crate::ToUri::idna) writes it in ASCII.
    ///
    /// ```
    /// # use simd_iri::{Normalize, iri, uri};
    /// let rules = Normalize::scheme().idna(true);
    /// assert_eq!(iri!("http://xn--bcher-kva/").normalize(rules)?, "http://bücher/");
    /// assert_eq!(iri!("http://BÜCHER/").normalize(rules)?, "http://bücher/");
    /// assert_eq!(uri!("http://b%C3%BCcher/").normalize(rules)?, "http://xn--bcher-kva/");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[cfg(feature = "idna")]
    #[must_use]
    pub const fn idna(self, on: bool) -> Self {
        self.with(DOMAIN, on)
    }
}

switches! {
    /// Writes the ASCII letters of scheme and host in lower case. Letters outside ASCII stay.
    ///
    /// ```
    /// # use simd_iri::{Normalize, iri};
    /// let rules = Normalize::none().case(true);
    /// assert_eq!(iri!("A://Bé%C3%89/C").normalize(rules)?, "a://bé%C3%89/C");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    case = CASE,
    /// Decodes the triplets of characters that need not be encoded, and writes the other triplets in upper case. In
    /// an IRI, percent-encodes the bidi formatting characters, which RFC 3987, section 4.1 forbids: U+061C,
    /// U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069.
    ///
    /// ```
    /// # use simd_iri::{Normalize, iri, uri};
    /// let rules = Normalize::none().percent_encoding(true);
    /// assert_eq!(uri!("a:%7e%c3%a9%2f").normalize(rules)?, "a:~%C3%A9%2F");
    /// assert_eq!(iri!("a:%7e%c3%a9%2f").normalize(rules)?, "a:~é%2F");
    /// assert_eq!(iri!("a:b\u{202E}").normalize(rules)?, "a:b%E2%80%AE");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    percent_encoding = PERCENT_ENCODING,
    /// Removes the dot segments of a path that begins with a slash, if there is a scheme. If the path would then begin
    /// with two slashes and does not follow an authority, `/.` is put before it.
    ///
    /// With [`percent_encoding`](Self::percent_encoding), a dot may be written as the triplet `%2E`, whatever the
    /// policy decodes.
    ///
    /// A rootless path keeps its dot segments, because `data:/b` does not mean the same as `data:,a/../b`.
    /// [`rootless_dots`](Self::rootless_dots) also removes the dot segments of rootless paths.
    ///
    /// ```
    /// # use simd_iri::{Normalize, iri, iri_ref};
    /// let rules = Normalize::none().dot_segments(true);
    /// assert_eq!(iri!("a:/b/..//c").normalize(rules)?, "a:/.//c");
    /// assert_eq!(iri_ref!("../b").normalize(rules)?, "../b");
    /// assert_eq!(iri!("data:,a/../b").normalize(rules)?, "data:,a/../b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    dot_segments = DOT_SEGMENTS,
    /// Applies [`dot_segments`](Self::dot_segments) also to rootless paths, as RFC 3986, section 6.2.2.3 advises for
    /// every scheme. In most schemes without a hierarchy, dots have no meaning, so that the result may identify
    /// another resource.
    ///
    /// ```
    /// # use simd_iri::{Normalize, iri};
    /// let rules = Normalize::syntax().rootless_dots(true);
    /// assert_eq!(iri!("a:b/./c").normalize(rules)?, "a:b/c");
    /// assert_eq!(iri!("a:b/../c").normalize(rules)?, "a:/c");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    rootless_dots = ROOTLESS_DOTS,
    /// Applies [`dot_segments`](Self::dot_segments) also to a path that begins with a slash in a reference without a
    /// scheme. The target of an HTTP request is such a reference. The reference resolves to the same IRI, because
    /// resolution removes dot segments (RFC 3986, section 5.2.2).
    ///
    /// ```
    /// # use simd_iri::{Normalize, iri_ref};
    /// let rules = Normalize::syntax().rooted_dots(true);
    /// assert_eq!(iri_ref!("/a/%2E%2e/b").normalize(rules)?, "/b");
    /// assert_eq!(iri_ref!("/a/..//b").normalize(rules)?, "/.//b");
    /// assert_eq!(iri_ref!("a/../b").normalize(rules)?, "a/../b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    rooted_dots = ROOTED_DOTS,
    /// Removes an empty port, the leading zeros of a port, and the default port of the scheme. Default ports are
    /// known for the schemes in the registry of IANA that have an authority and define a port, such as `https`,
    /// `ftp`, `ldap` and `coap`. A port of only zeros becomes `0`.
    ///
    /// ```
    /// # use simd_iri::{Normalize, iri};
    /// let rules = Normalize::none().port(true);
    /// assert_eq!(iri!("a://b:").normalize(rules)?, "a://b");
    /// assert_eq!(iri!("https://b:0443").normalize(rules)?, "https://b");
    /// assert_eq!(iri!("ldap://b:389/").normalize(rules)?, "ldap://b/");
    /// assert_eq!(iri!("a://b:0081").normalize(rules)?, "a://b:81");
    /// assert_eq!(iri!("a://b:00").normalize(rules)?, "a://b:0");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    port = PORT,
    /// Writes `/` in place of an empty path in `http`, `https`, `ws`, `wss` and `ftp`.
    ///
    /// ```
    /// # use simd_iri::{Normalize, iri};
    /// let rules = Normalize::none().empty_path(true);
    /// assert_eq!(iri!("ftp://b?c").normalize(rules)?, "ftp://b/?c");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    empty_path = EMPTY_PATH,
    /// Removes the host `localhost` of a `file` IRI, because an empty host means the same (RFC 8089, section 2).
    /// If there is userinfo or a port, which `file` IRIs do not have, the host stays.
    ///
    /// ```
    /// # use simd_iri::{Normalize, iri};
    /// let rules = Normalize::none().file_localhost(true);
    /// assert_eq!(iri!("file://localhost/b").normalize(rules)?, "file:///b");
    /// assert_eq!(iri!("file://u@localhost/b").normalize(rules)?, "file://u@localhost/b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    file_localhost = FILE_LOCALHOST,
    /// Writes IPv6 addresses in the text form of RFC 5952. The last 32 bits become an IPv4 address (section 5)
    /// after the prefixes `::ffff:0:0/96` (RFC 4291), `::ffff:0:0:0/96` (RFC 2765) and `64:ff9b::/96` (RFC 6052),
    /// but not after `::/96`, which RFC 4291 deprecates.
    ///
    /// ```
    /// # use simd_iri::{Normalize, iri};
    /// let rules = Normalize::none().ipv6(true);
    /// assert_eq!(iri!("a://[2001:DB8:0:0::1]").normalize(rules)?, "a://[2001:db8::1]");
    /// assert_eq!(iri!("a://[64:ff9b::102:304]").normalize(rules)?, "a://[64:ff9b::1.2.3.4]");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    ipv6 = IPV6,
    /// Writes URNs in the form in which RFC 8141, section 3.1 compares them: scheme and namespace identifier in
    /// lower case, triplets in upper case. In a URN, no triplet is decoded and no dot segment removed, whatever the
    /// other rules are.
    ///
    /// The r-, q- and f-components stay in the text. A comparison by this rule
    /// ([`Compare::by`](crate::Compare::by)) ignores them.
    ///
    /// ```
    /// # use simd_iri::{Normalize, iri};
    /// let rules = Normalize::syntax().urn(true);
    /// assert_eq!(iri!("URN:Example:A%61%2f?=b#c").normalize(rules)?, "urn:example:A%61%2F?=b#c");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    urn = URN,
    /// Writes the domains of the addresses in the path of a `mailto` IRI in lower case. The part before the last `@`
    /// of an address keeps its case, as RFC 5321, section 2.4 demands. A quoted string begins and ends with `%22`;
    /// an `@` or a comma in it is part of the string.
    ///
    /// ```
    /// # use simd_iri::{Normalize, iri};
    /// let rules = Normalize::syntax().mailto(true);
    /// assert_eq!(iri!("mailto:A@B.C,D@E?cc=F@G").normalize(rules)?, "mailto:A@b.c,D@e?cc=F@G");
    /// assert_eq!(iri!("mailto:%22a@B%22@C.D").normalize(rules)?, "mailto:%22a@B%22@c.d");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    mailto = MAILTO,
}

impl Normalize {
    /// Returns these rules with the given rules switched on or off.
    const fn with(self, rules: u16, on: bool) -> Self {
        let rules = if on { self.rules | rules } else { self.rules & !rules };
        Self { rules, ..self }
    }

    /// Tells whether any of the given rules is on.
    const fn has(self, rules: u16) -> bool {
        self.rules & rules != 0
    }

    /// Tells whether every rule that is on is a rule of [`scheme`](Self::scheme).
    pub(crate) const fn is_of_scheme(self) -> bool {
        self.rules & !Self::scheme().rules == 0
    }

    /// Returns what a pass over the reference finds; `None` if a rule applies or may apply that the pass does not know.
    /// With `is_iri`, triplets of characters outside ASCII may be decoded.
    #[inline]
    pub(super) fn prescan<K: Kind>(self, view: &View<'_, K>, is_iri: bool) -> Option<Prescan> {
        let of = if self.has(ROOTED_DOTS) { Prescan::with_rooted_dots } else { Prescan::of };
        let scan = || of(view.as_str(), view.as_parts(), is_iri);
        (!self.is_rare(view) && !self.changes_ends(view)).then(scan)
    }

    /// Tells whether a rule may apply that [`OnePass`] does not have, and that does not only replace a port or a path.
    #[inline]
    fn is_rare<K: Kind>(self, view: &View<'_, K>) -> bool {
        self.has(FILE_LOCALHOST | IPV6 | URN | MAILTO | ROOTLESS_DOTS | DOMAIN)
            && self.is_rare_here(view)
    }

    /// [`is_rare`](Self::is_rare), if a rule is on that is neither in `syntax` nor in `scheme`.
    #[inline(never)]
    fn is_rare_here<K: Kind>(self, view: &View<'_, K>) -> bool {
        let [_, _, host, host_end, path, path_end, ..] = view.as_parts().offsets();
        let begins = |at: u32, byte| view.as_str().as_bytes().get(at as usize) == Some(&byte);
        self.has(IPV6) && host < host_end && begins(host, b'[')
            || self.has(ROOTLESS_DOTS) && path < path_end && !begins(path, b'/')
            || self.has(FILE_LOCALHOST | URN | MAILTO)
                && matches!(known(view), Some(Known::File | Known::Urn | Known::Mailto))
            || self.has(DOMAIN) && has_other_domain(*view)
    }

    /// Tells whether the port or the empty path of a reference is replaced.
    // One question for both rules, because `syntax` has neither.
    #[inline]
    fn changes_ends<K: Kind>(self, view: &View<'_, K>) -> bool {
        self.has(PORT | EMPTY_PATH) && (self.other_port(view).is_some() || self.adds_root(view))
    }

    /// Returns the port that takes the place of the port of a reference, if it is another port. An empty text is no
    /// port.
    #[inline]
    fn other_port<'v, K: Kind>(self, view: &View<'v, K>) -> Option<&'v str> {
        let [.., host_end, path, _, _, _] = view.as_parts().offsets();
        if self.has(PORT) && host_end < path { other_port(view) } else { None }
    }

    /// Tells whether a slash takes the place of the empty path of a reference.
    #[inline]
    fn adds_root<K: Kind>(self, view: &View<'_, K>) -> bool {
        let [.., path, path_end, _, _] = view.as_parts().offsets();
        self.has(EMPTY_PATH) && path == path_end && has_root(view)
    }

    /// Replaces the content of `text` with the normal form of a reference, and sets its `parts`. `scan` is the result
    /// of [`Normalize::prescan`], if it is known.
    fn write<K: Kind>(
        self,
        view: &View<'_, K>,
        scan: Option<Prescan>,
        text: &mut String,
        parts: &mut Parts,
    ) -> Result<(), Error> {
        text.clear();
        let (given, is_iri) = (view.as_parts(), !K::RULE.ascii_only());
        let (is_known, is_rare) = (scan.is_some(), scan.is_none() && self.is_rare(view));
        let scan = match scan {
            None if !is_rare => match Prescan::of_short(view.as_str(), given, is_iri, Some(text)) {
                ShortPrescan::Normal => {
                    *parts = *given;
                    return self.write_ends(view, text, parts);
                }
                ShortPrescan::MayChange => Some(Prescan::MAY_CHANGE),
                ShortPrescan::Unknown => None,
            },
            scan => scan,
        };
        // Room for the guard `/.` and for a slash in place of an empty path; the kernels write whole blocks.
        let room = view.as_str().len() + "/./".len();
        if u32::try_from(room).is_err() {
            return Err(Error::too_long(u32::MAX));
        }
        text.reserve(room + BLOCK);
        if !is_rare && self.write_in_one_pass(view, scan, text, parts) {
            // The prescan is made only of a reference whose port and path stay.
            if !is_known {
                return self.write_ends(view, text, parts);
            }
        } else {
            *parts = self.rewrite(*view, text);
            // Percent-encoded bidi formatting characters are three times as long.
            if u32::try_from(text.len()).is_err() {
                text.clear();
                return Err(Error::too_long(u32::MAX));
            }
        }
        Ok(())
    }

    /// Replaces what [`OnePass`] does not replace: the port and the empty path of a reference.
    fn write_ends<K: Kind>(
        self,
        view: &View<'_, K>,
        text: &mut String,
        parts: &mut Parts,
    ) -> Result<(), Error> {
        if let Some(port) = self.other_port(view) {
            let colon = if port.is_empty() { "" } else { ":" };
            parts.replace(text, Delimited::Port, [[colon, port]])?;
        }
        if self.adds_root(view) {
            parts.replace(text, Delimited::Path, [["/"]])?;
        }
        Ok(())
    }

    /// Writes the normal form in one pass of masks. Returns `false` if that is not possible.
    fn write_in_one_pass<K: Kind>(
        self,
        view: &View<'_, K>,
        scan: Option<Prescan>,
        out: &mut String,
        parts: &mut Parts,
    ) -> bool {
        let given = view.as_parts();
        let one_pass = self.rules & (PERCENT_ENCODING | ROOTED_DOTS) == PERCENT_ENCODING;
        if !one_pass {
            return false;
        }
        let text = view.as_str();
        let Some(changes) = self.decoding::<K>().changes() else { return false };
        // The pass sees a dot in a triplet only if it decodes the triplet.
        if !changes.ascii && self.has(DOT_SEGMENTS) && has_encoded_dot(view.path()) {
            return false;
        }
        OnePass { rules: self, scan, changes, text, given, out, parts }.write()
    }

    /// Returns which triplets are decoded in references of this kind.
    fn decoding<K: Kind>(self) -> Decoding {
        Decoding::of(self.policy, K::RULE.ascii_only())
    }

    /// Returns the part of a normal form that is compared. With the rule for URNs, the r-, q- and f-components of a
    /// URN are left out (RFC 8141, section 3.1).
    pub(crate) fn compared<'v, K: Kind>(self, normal: View<'v, K>) -> &'v str {
        let text = normal.as_str();
        let scheme = normal.as_iri_ref().scheme();
        if !self.has(URN) || scheme.and_then(Known::of) != Some(Known::Urn) {
            return text;
        }
        let [.., path_end, query_end, _] = normal.parts().offsets();
        let is_component = normal.query().is_some_and(|query| query.starts_with(['+', '=']));
        slice::text(text, ..if is_component { path_end } else { query_end } as usize)
    }

    /// Appends the normal form to `text`, component by component. Returns where its components are.
    fn rewrite<K: Kind>(self, view: View<'_, K>, text: &mut String) -> Parts {
        let scheme = view.as_iri_ref().scheme();
        let known = known(&view);
        #[cfg(feature = "idna")]
        if self.has(DOMAIN)
            && known.is_some_and(Known::has_domains)
            && has_other_domain(view)
            && view.as_str().len() <= MAX
        {
            return self.with(DOMAIN, false).rewrite(with_normal_domain(view).view(), text);
        }
        let is_urn = self.has(URN) && known == Some(Known::Urn);
        let is_mailto = self.has(MAILTO) && known == Some(Known::Mailto);
        let decoding = self.decoding::<K>();
        let decoding = Decoding {
            ascii: decoding.ascii && !is_urn,
            ucschar: decoding.ucschar && !is_urn,
            ..decoding
        };
        let is_rooted = view.path().starts_with('/');
        let is_cleaned = is_rooted || scheme.is_some() && self.has(ROOTLESS_DOTS);
        let is_known = scheme.is_some() || self.has(ROOTED_DOTS);
        let removes_dots = self.has(DOT_SEGMENTS) && is_known && is_cleaned && !is_urn;
        let has_authority = view.authority().is_some();
        let rules = self.with(CASE, self.has(CASE) || is_urn);
        let rules = rules.with(PERCENT_ENCODING, self.has(PERCENT_ENCODING) || is_urn);
        let port = match self.other_port(&view) {
            Some("") => None,
            other => other.or(view.port()),
        };
        let is_bare = view.userinfo().is_none() && port.is_none();
        let is_file = is_bare && self.has(FILE_LOCALHOST) && known == Some(Known::File);
        rewrite_components(view, text, |component, value, out| {
            let start = out.len();
            match component {
                Component::Scheme => out.push_str(value),
                Component::Host => {
                    rules.push_host(value, decoding, out);
                    let is_local = |host: &str| host.eq_ignore_ascii_case("localhost");
                    if is_file && is_local(slice::text(out, start..)) {
                        out.truncate(start);
                    }
                }
                Component::Port => {
                    out.push_str(if port.is_some() { ":" } else { "" });
                    out.push_str(port.unwrap_or_default());
                }
                Component::Path if value.is_empty() => {
                    out.push_str(if self.adds_root(&view) { "/" } else { "" });
                }
                Component::Path if removes_dots => {
                    let segments = dots::segments(value);
                    // A dot in a triplet is a dot, even if the policy does not decode it: otherwise the result would
                    // not be equivalent.
                    let dots = if self.has(PERCENT_ENCODING) { decoded_dots } else { dots::dots };
                    push_without_as(out, segments, dots, |segment, out| {
                        rules.push_decoded(segment, decoding, out);
                    });
                    insert_guard(out, start, has_authority);
                }
                _ => rules.push_decoded(value, decoding, out),
            }
            let written = slice::text_mut(out, start..);
            match component {
                Component::Scheme if rules.has(CASE) => written.make_ascii_lowercase(),
                Component::Host if rules.has(CASE) => lower_but_triplets(written),
                Component::Path if is_urn => lower_namespace(written),
                Component::Path if is_mailto => lower_domains(written),
                _ => {}
            }
        })
    }

    /// Appends a component, with its triplets normalized and its bidi formatting characters percent-encoded.
    fn push_decoded(self, value: &str, decoding: Decoding, out: &mut String) {
        if !self.has(PERCENT_ENCODING) {
            out.push_str(value);
            return;
        }
        let mut rest = value;
        while let Some(at) = rest.find(is_bidi_control) {
            let (before, control) = slice::split(rest, at);
            decoding.push(before, out);
            let length = control.chars().next().map_or(0, char::len_utf8);
            let (control, after) = slice::split(control, length);
            encode(control.as_bytes(), Query::NonAscii, out);
            rest = after;
        }
        decoding.push(rest, out);
    }

    /// Appends a host.
    fn push_host(self, host: &str, decoding: Decoding, out: &mut String) {
        let literal = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        let address =
            literal.filter(|_| self.has(IPV6)).and_then(|text| text.parse::<Ipv6Addr>().ok());
        match (address, literal) {
            (Some(address), _) => push_ipv6(address, out),
            (None, Some(_)) => out.push_str(host),
            (None, None) => self.push_decoded(host, decoding, out),
        }
    }
}

/// Returns the port that scheme-based normalization writes, if it is not the port of the reference.
#[inline(never)]
fn other_port<'v, K: Kind>(view: &View<'v, K>) -> Option<&'v str> {
    let port = view.port()?;
    let written = written_port(port, view.as_iri_ref().scheme());
    (port.is_empty() || written != port).then_some(written)
}

/// Tells whether an empty path means the same as `/` in a reference.
#[inline(never)]
fn has_root<K: Kind>(view: &View<'_, K>) -> bool {
    view.authority().is_some() && known(view).is_some_and(Known::has_root)
}

/// Returns the scheme of a reference, if it is known.
fn known<K: Kind>(view: &View<'_, K>) -> Option<Known> {
    view.as_iri_ref().scheme().and_then(Known::of)
}

/// Tells whether the host of a reference may have another form as a domain name.
#[cfg(feature = "idna")]
fn has_other_domain<K: Kind>(view: View<'_, K>) -> bool {
    !view.host_str().is_none_or(idna::is_same)
}

/// Without UTS #46, no host has another form.
#[cfg(not(feature = "idna"))]
const fn has_other_domain<K: Kind>(_: View<'_, K>) -> bool {
    false
}

/// [`Normalize::write_in_one_pass`] as a job.
struct OnePass<'a> {
    rules: Normalize,
    scan: Option<Prescan>,
    changes: Changes,
    text: &'a str,
    given: &'a Parts,
    out: &'a mut String,
    parts: &'a mut Parts,
}

impl OnePass<'_> {
    /// Not generic, so that the kernels are compiled in this crate.
    fn write(self) -> bool {
        CpuLevel::best().run_wide(self)
    }
}

impl Job for OnePass<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, _: &[u8]) -> bool {
        let Self { rules, scan, mut changes, text, given, out, parts } = self;
        let [scheme_end, authority, host, host_end, path, path_end, ..] = given.offsets();
        let (start, end) = (path as usize, path_end as usize);
        // Measured: `docs/performance/notes.md`, "Normalization and mappings".
        let scan = match scan {
            Some(scan) => scan,
            None => {
                let is_iri = changes.above;
                PrescanJob::<false> { text: text.as_bytes(), parts: given, is_iri }.run(simd, &[])
            }
        };
        if scan.is_plain(text, || slice::text(text, start..end)) {
            out.push_str(text);
            *parts = *given;
            return true;
        }
        // The pass cannot percent-encode, because its result must not be longer than the text.
        if scan.has_controls(text) {
            return false;
        }
        if rules.has(CASE) {
            changes.lower = [scheme_end as usize, host as usize, host_end as usize];
        }
        let is_cleaned = rules.has(DOT_SEGMENTS) && scheme_end > 0;
        let is_rooted = start < end && text.as_bytes().get(start) == Some(&b'/');
        if is_cleaned && is_rooted {
            changes.path = start..end;
        }
        let (changes, places) = (&changes, given.as_offsets());
        let rewrite = Rewrite::<Certain, 8>::of(text, changes, places, &mut *out);
        let Some(places) = simd.apart(rewrite) else {
            return false;
        };
        *parts = Parts::at(places);
        let has_authority = authority > scheme_end + 1;
        let inserted = if is_cleaned { insert_guard(out, start, has_authority) } else { 0 };
        if inserted > 0 {
            let [before @ .., path_end, query_end, end] = places;
            let [scheme_end, authority, host, host_end, path] = before;
            let moved = [path_end, query_end, end].map(|place| place + inserted as u32);
            let [path_end, query_end, end] = moved;
            *parts =
                Parts::at([scheme_end, authority, host, host_end, path, path_end, query_end, end]);
        }
        true
    }
}

/// Writes letters in lower case, but not the digits of triplets.
fn lower_but_triplets(text: &mut str) {
    let mut rest = text;
    while let Some(percent) = memchr::memchr(b'%', rest.as_bytes()) {
        let (before, triplet) = rest.split_at_mut(percent);
        before.make_ascii_lowercase();
        rest = slice::text_mut(triplet, 3..);
    }
    rest.make_ascii_lowercase();
}

/// Replaces the domain name of a reference by its U-labels. A URI, and a name that has none, gets its A-labels in lower
/// case.
#[cfg(feature = "idna")]
fn with_normal_domain<K: Kind>(view: View<'_, K>) -> Mapped<'_, K> {
    let named = with_domain(view);
    // Case does not distinguish domain names.
    let host = named.view().host_str().unwrap_or_default().to_ascii_lowercase();
    let shown = idna::to_unicode(&host);
    let shown = shown.map(|shown| if K::RULE.ascii_only() { host } else { shown });
    let shown = shown.map(|shown| with_host(named.view(), &shown));
    shown.map_or(named, Mapped::Owned)
}

/// Writes the namespace identifier, with which the path of a URN begins, in lower case.
fn lower_namespace(path: &mut str) {
    let end = path.find(':').unwrap_or_default();
    lower_but_triplets(slice::text_mut(path, ..end));
}

/// Writes the domains of addresses in lower case. Commas separate the addresses, and the domain is the text after the
/// last `@` of an address. In a quoted string, from `%22` to `%22`, an `@` or a comma does not separate.
fn lower_domains(path: &mut str) {
    let (mut is_quoted, mut domain, mut at) = (false, None, 0);
    while let Some(byte) = path.as_bytes().get(at).copied() {
        let decoded = octet(path.as_bytes(), at);
        match decoded.unwrap_or(byte) {
            b'"' if decoded.is_some() => is_quoted = !is_quoted,
            // In a quoted string, a backslash quotes the next character.
            b'\\' if is_quoted && decoded.is_some() => {
                at += 3;
                at += if octet(path.as_bytes(), at).is_some() { 3 } else { 1 };
                continue;
            }
            b'@' if decoded.is_none() && !is_quoted => domain = Some(at),
            b',' if decoded.is_none() && !is_quoted => {
                lower_range(path, domain.take(), at);
            }
            _ => {}
        }
        at += if decoded.is_some() { 3 } else { 1 };
    }
    lower_range(path, domain.filter(|_| !is_quoted), path.len());
}

/// Writes the text from `start` to `end` in lower case, if there is a `start`.
fn lower_range(text: &mut str, start: Option<usize>, end: usize) {
    if let Some(start) = start {
        lower_but_triplets(slice::text_mut(text, start..end));
    }
}
