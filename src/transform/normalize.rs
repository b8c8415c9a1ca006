//! Normalization (RFC 3986, section 6.2; RFC 3987, section 5.3): each rule a switch of its own, and
//! two levels that are sets of them.
//!
//! Not here: comparison, which needs no normalized text (`compare`), and what becomes of triplets and
//! dot segments (`triplets`, `dots`).

use alloc::string::String;
use core::fmt::{self, Write};
use core::net::Ipv6Addr;

use super::dots::{self, decoded_dots, push_without_as};
use super::look::{Look, LookAt};
use super::pieces::rewrite;
use super::schemes::Known;
use super::triplets::{Certain, Decoding, Policy};
#[cfg(feature = "idna")]
use super::{
    idna,
    to_uri::{MAX, with_domain, with_host},
};
use crate::error::{Component, Error};
use crate::parse::Parts;
use crate::reference::kind::Kind;
use crate::reference::{Buf, Cow, View};
use crate::scan::{BLOCK, Changes, CpuLevel, Job, Settle, Simd};

impl<'a, K: Kind> View<'a, K> {
    /// This reference in the normal form of a level: [`Normalize`] has the levels, and each rule by
    /// itself.
    ///
    /// A scan if it is normal already, and then it is lent; otherwise one pass and an allocation.
    ///
    /// # Errors
    /// The result has 4 GiB or more.
    ///
    /// ```
    /// use simd_iri::{Normalize, iri, uri};
    ///
    /// let iri = iri!("eXAMPLE://a/./b/../b/%63/%7bfoo%7d/ros%C3%A9");
    /// assert_eq!(iri.normalize(Normalize::syntax())?, "example://a/b/c/%7Bfoo%7D/rosé");
    /// let uri = uri!("HTTP://Example.com:80");
    /// assert_eq!(uri.normalize(Normalize::scheme())?, "http://example.com/");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[inline]
    pub fn normalize(self, rules: Normalize) -> Result<Cow<'a, K>, Error> {
        if rules.is_normal(&self) { Ok(Cow::Borrowed(self)) } else { self.normalized(rules) }
    }

    /// What is not normal for certain. Not inlined, so that the rest is.
    #[inline(never)]
    fn normalized(self, rules: Normalize) -> Result<Cow<'a, K>, Error> {
        let mut text = String::new();
        let mut parts = Parts::NONE;
        rules.write(&self, &mut text, &mut parts)?;
        Ok(Cow::of(self, Buf::new(text, parts)))
    }

    /// [`View::normalize`], which leaves nothing but the result in `text`. Nothing is allocated if
    /// there is room for the reference and 70 bytes.
    ///
    /// # Errors
    /// As there; `text` is empty then.
    ///
    /// ```
    /// # use simd_iri::{Normalize, iri};
    /// let mut text = String::new();
    /// let normal = iri!("A:/b/../c").normalize_into(Normalize::syntax(), &mut text)?;
    /// assert_eq!(normal.path(), "/c");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[inline]
    pub fn normalize_into<'t>(
        self,
        rules: Normalize,
        text: &'t mut String,
    ) -> Result<View<'t, K>, Error> {
        let mut parts = Parts::NONE;
        rules.write(&self, text, &mut parts)?;
        Ok(View::new(text, parts))
    }
}

/// Which rules normalize a reference.
///
/// | rule | RFC 3986 | `syntax` | `scheme` |
/// | --- | --- | --- | --- |
/// | [`case`](Self::case) | 6.2.2.1 | yes | yes |
/// | [`percent_encoding`](Self::percent_encoding) | 6.2.2.2 | yes | yes |
/// | [`dot_segments`](Self::dot_segments) | 6.2.2.3 | yes | yes |
/// | [`port`](Self::port) | 6.2.3 | | yes |
/// | [`empty_path`](Self::empty_path) | 6.2.3 | | yes |
/// | [`file_localhost`](Self::file_localhost) | RFC 8089, 2 | | |
/// | [`ipv6`](Self::ipv6) | RFC 5952 | | |
/// | [`urn`](Self::urn) | RFC 8141, 3.1 | | |
/// | [`mailto`](Self::mailto) | RFC 6068, 2 | | |
/// | `domain`, with the feature `idna` | UTS #46 | | |
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
    /// A bit for each.
    rules: u16,
    policy: Policy,
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

/// The methods that switch a rule, and what `Debug` shows of them.
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
                rules.field("domain", &self.has(DOMAIN)).field("policy", &self.policy).finish()
            }
        }
    };
}

impl Normalize {
    /// No rule.
    ///
    /// ```
    /// # use simd_iri::{Normalize, iri};
    /// assert!(iri!("A:%61").normalize(Normalize::none())?.is_borrowed());
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub const fn none() -> Self {
        Self { rules: 0, policy: Policy::Default }
    }

    /// Syntax-based normalization: whatever the scheme, the result means the same.
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

    /// Scheme-based normalization: the rules of syntax, and those that some schemes have.
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

    /// Which triplets of an IRI [`percent_encoding`](Self::percent_encoding) decodes. Of a URI it is
    /// always those of unreserved ASCII.
    ///
    /// ```
    /// # use simd_iri::{Normalize, Policy, iri};
    /// let rules = Normalize::syntax().policy(Policy::NonAsciiOnly);
    /// assert_eq!(iri!("a:%61%c3%a9%2f").normalize(rules)?, "a:%61é%2F");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub const fn policy(self, policy: Policy) -> Self {
        Self { policy, ..self }
    }

    /// The host of `http`, `https`, `ws`, `wss` or `ftp` as the domain name that it is by UTS #46: of a
    /// URI in ASCII, of an IRI in Unicode. A host that is refused stays as it is.
    ///
    /// ```
    /// # use simd_iri::{Normalize, iri, uri};
    /// let rules = Normalize::scheme().domain(true);
    /// assert_eq!(iri!("http://xn--bcher-kva/").normalize(rules)?, "http://bücher/");
    /// assert_eq!(iri!("http://BÜCHER/").normalize(rules)?, "http://bücher/");
    /// assert_eq!(uri!("http://b%C3%BCcher/").normalize(rules)?, "http://xn--bcher-kva/");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[cfg(feature = "idna")]
    #[must_use]
    pub const fn domain(self, on: bool) -> Self {
        self.with(DOMAIN, on)
    }
}

switches! {
    /// ASCII letters of scheme and host in lower case; those outside ASCII stay.
    ///
    /// ```
    /// # use simd_iri::{Normalize, iri};
    /// let rules = Normalize::none().case(true);
    /// assert_eq!(iri!("A://Bé%C3%89/C").normalize(rules)?, "a://bé%C3%89/C");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    case = CASE,
    /// Triplets that need not be ones decoded, the others in upper case.
    ///
    /// ```
    /// # use simd_iri::{Normalize, iri, uri};
    /// let rules = Normalize::none().percent_encoding(true);
    /// assert_eq!(uri!("a:%7e%c3%a9%2f").normalize(rules)?, "a:~%C3%A9%2F");
    /// assert_eq!(iri!("a:%7e%c3%a9%2f").normalize(rules)?, "a:~é%2F");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    percent_encoding = PERCENT_ENCODING,
    /// Dot segments removed where there is a scheme. A path that would begin with two slashes
    /// without an authority before it gets `/.` in front.
    ///
    /// ```
    /// # use simd_iri::{Normalize, iri, iri_ref};
    /// let rules = Normalize::none().dot_segments(true);
    /// assert_eq!(iri!("a:/b/..//c").normalize(rules)?, "a:/.//c");
    /// assert_eq!(iri_ref!("../b").normalize(rules)?, "../b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    dot_segments = DOT_SEGMENTS,
    /// An empty port removed, and the default port of `http`, `https`, `ws`, `wss` and `ftp`.
    ///
    /// ```
    /// # use simd_iri::{Normalize, iri};
    /// let rules = Normalize::none().port(true);
    /// assert_eq!(iri!("a://b:").normalize(rules)?, "a://b");
    /// assert_eq!(iri!("https://b:0443").normalize(rules)?, "https://b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    port = PORT,
    /// An empty path made `/`, for the same schemes.
    ///
    /// ```
    /// # use simd_iri::{Normalize, iri};
    /// let rules = Normalize::none().empty_path(true);
    /// assert_eq!(iri!("ftp://b?c").normalize(rules)?, "ftp://b/?c");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    empty_path = EMPTY_PATH,
    /// The host `localhost` of a `file` IRI made empty, which means the same.
    ///
    /// ```
    /// # use simd_iri::{Normalize, iri};
    /// let rules = Normalize::none().file_localhost(true);
    /// assert_eq!(iri!("file://localhost/b").normalize(rules)?, "file:///b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    file_localhost = FILE_LOCALHOST,
    /// IPv6 addresses in the text form of RFC 5952.
    ///
    /// ```
    /// # use simd_iri::{Normalize, iri};
    /// let rules = Normalize::none().ipv6(true);
    /// assert_eq!(iri!("a://[2001:DB8:0:0::1]").normalize(rules)?, "a://[2001:db8::1]");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    ipv6 = IPV6,
    /// What makes URNs equivalent: the namespace identifier in lower case, triplets in upper case
    /// and none decoded, no r-, q- or f-component.
    ///
    /// ```
    /// # use simd_iri::{Normalize, iri};
    /// let rules = Normalize::syntax().urn(true);
    /// assert_eq!(iri!("URN:Example:A%61%2f?=b#c").normalize(rules)?, "urn:example:A%61%2F");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    urn = URN,
    /// The domains of the addresses of a `mailto` IRI in lower case.
    ///
    /// ```
    /// # use simd_iri::{Normalize, iri};
    /// let rules = Normalize::syntax().mailto(true);
    /// assert_eq!(iri!("mailto:A@B.C,D@E?cc=F@G").normalize(rules)?, "mailto:A@b.c,D@e?cc=F@G");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    mailto = MAILTO,
}

impl Normalize {
    /// The same rules with some of them on or off.
    const fn with(self, rules: u16, on: bool) -> Self {
        let rules = if on { self.rules | rules } else { self.rules & !rules };
        Self { rules, ..self }
    }

    /// Tells whether one of some rules is on.
    const fn has(self, rules: u16) -> bool {
        self.rules & rules != 0
    }

    /// Tells, for certain, that nothing changes.
    #[inline]
    fn is_normal<K: Kind>(self, view: &View<'_, K>) -> bool {
        let parts = view.as_parts();
        !self.is_rare(parts)
            && Look::at(view.as_str(), parts, !K::RULE.ascii_only()).is_plain(|| view.path())
    }

    /// Tells whether a rule may apply that looks at more than single characters.
    const fn is_rare(self, parts: &Parts) -> bool {
        let [.., host_end, path, path_end, _, _] = parts.offsets();
        self.has(FILE_LOCALHOST | IPV6 | URN | MAILTO | DOMAIN)
            || self.has(PORT) && host_end < path
            || self.has(EMPTY_PATH) && path == path_end
    }

    /// Writes what these rules make of a reference.
    fn write<K: Kind>(
        self,
        view: &View<'_, K>,
        text: &mut String,
        parts: &mut Parts,
    ) -> Result<(), Error> {
        text.clear();
        // Before a path there may come `/.`, or a slash be one. What is settled takes a block more.
        let room = view.as_str().len() + "/./".len();
        if u32::try_from(room).is_err() {
            return Err(Error::too_long(u32::MAX));
        }
        text.reserve(room + BLOCK);
        if !self.settle(view, text, parts) {
            *parts = self.rewrite(*view, text);
        }
        Ok(())
    }

    /// Writes a reference without a look at each component; tells whether that is possible.
    fn settle<K: Kind>(self, view: &View<'_, K>, out: &mut String, parts: &mut Parts) -> bool {
        let given = view.as_parts();
        if !self.has(PERCENT_ENCODING) || self.is_rare(given) {
            return false;
        }
        let Some(changes) = self.decoding::<K>().changes() else { return false };
        let text = view.as_str();
        let job = Settling { rules: self, changes, text, given, out, parts };
        CpuLevel::best().run(job)
    }

    /// What is decoded of a reference of a kind.
    fn decoding<K: Kind>(self) -> Decoding {
        Decoding::of(self.policy, K::RULE.ascii_only())
    }

    /// Writes a reference component by component.
    fn rewrite<K: Kind>(self, view: View<'_, K>, text: &mut String) -> Parts {
        let scheme = view.as_iri_ref().scheme();
        let known = scheme.and_then(Known::of);
        #[cfg(feature = "idna")]
        if self.has(DOMAIN) && known.is_some_and(Known::has_domains) && view.as_str().len() <= MAX {
            let named = with_domain(view);
            // Names are the same in any case.
            let host = named.view().host_str().unwrap_or_default().to_ascii_lowercase();
            let shown = if K::RULE.ascii_only() { None } else { idna::to_unicode(&host) };
            let shown = shown.map(|shown| with_host(named.view(), &shown));
            let named = shown.map_or(named, Cow::Owned);
            return self.with(DOMAIN, false).rewrite(named.view(), text);
        }
        let is_urn = self.has(URN) && known == Some(Known::Urn);
        let is_mailto = self.has(MAILTO) && known == Some(Known::Mailto);
        let decoding = self.decoding::<K>();
        let decoding = Decoding {
            ascii: decoding.ascii && !is_urn,
            ucschar: decoding.ucschar && !is_urn,
            ..decoding
        };
        let removes_dots = self.has(DOT_SEGMENTS) && scheme.is_some();
        let has_authority = view.authority().is_some();
        let parts = rewrite(view, text, |component, value, out| {
            let start = out.len();
            match component {
                Component::Scheme => out.push_str(value),
                Component::Host => self.push_host(value, known, decoding, out),
                Component::Port if self.has(PORT) && is_implied(value, known) => {}
                Component::Port => out.push_str(value),
                Component::Path if value.is_empty() => {
                    let is_root = has_authority && known.is_some_and(Known::has_root);
                    out.push_str(if self.has(EMPTY_PATH) && is_root { "/" } else { "" });
                }
                Component::Path if removes_dots => {
                    let segments = value.split('/');
                    let decodes = self.has(PERCENT_ENCODING) && decoding.ascii;
                    let dots = if decodes { decoded_dots } else { dots::dots };
                    push_without_as(out, segments, dots, |segment, out| {
                        self.push_decoded(segment, decoding, out);
                    });
                    if !has_authority {
                        repair(out, start);
                    }
                }
                _ => self.push_decoded(value, decoding, out),
            }
            let written = out.get_mut(start..).unwrap_or_default();
            match component {
                Component::Scheme if self.has(CASE) => written.make_ascii_lowercase(),
                Component::Host if self.has(CASE) => lower_but_triplets(written),
                Component::Path if is_urn => lower_namespace(written),
                Component::Path if is_mailto => lower_domains(written),
                _ => {}
            }
        });
        if is_urn { without_urn_components(text, parts) } else { parts }
    }

    /// Writes a component whose triplets may be decoded.
    fn push_decoded(self, value: &str, decoding: Decoding, out: &mut String) {
        if self.has(PERCENT_ENCODING) {
            decoding.push(value, out);
        } else {
            out.push_str(value);
        }
    }

    /// Writes a host.
    fn push_host(self, host: &str, known: Option<Known>, decoding: Decoding, out: &mut String) {
        let start = out.len();
        let literal = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        let address =
            literal.filter(|_| self.has(IPV6)).and_then(|text| text.parse::<Ipv6Addr>().ok());
        if let Some(address) = address {
            // The standard library writes RFC 5952; a string takes all that is written.
            let _ = write!(out, "[{address}]");
            return;
        }
        if literal.is_some() {
            out.push_str(host);
        } else {
            self.push_decoded(host, decoding, out);
        }
        let is_file = self.has(FILE_LOCALHOST) && known == Some(Known::File);
        if is_file && out.get(start..).is_some_and(|host| host.eq_ignore_ascii_case("localhost")) {
            out.truncate(start);
        }
    }
}

/// [`Normalize::settle`], inside of a kernel.
struct Settling<'a> {
    rules: Normalize,
    changes: Changes,
    text: &'a str,
    given: &'a Parts,
    out: &'a mut String,
    parts: &'a mut Parts,
}

impl Job for Settling<'_> {
    type Output = bool;

    #[cfg_attr(optimized, inline(always))]
    fn run<S: Simd>(self, simd: S) -> bool {
        let Self { rules, mut changes, text, given, out, parts } = self;
        let [scheme_end, authority, host, host_end, path, path_end, ..] = given.offsets();
        let (start, end) = (path as usize, path_end as usize);
        // PERF: what is normal takes half the time, what is not a tenth more
        // (in benches: cargo run --release --bin transform).
        let look = LookAt { text: text.as_bytes(), parts: given, is_iri: changes.above };
        if look.run(simd).is_plain(|| text.get(start..end).unwrap_or_default()) {
            out.push_str(text);
            *parts = *given;
            return true;
        }
        if rules.has(CASE) {
            changes.lower = [scheme_end as usize, host as usize, host_end as usize];
        }
        let is_cleaned = rules.has(DOT_SEGMENTS) && scheme_end > 0;
        let is_rooted = start < end && text.as_bytes().get(start) == Some(&b'/');
        if is_cleaned && is_rooted {
            changes.path = start..end;
        } else if is_cleaned && has_encoded_dots(text.get(start..end).unwrap_or_default()) {
            return false;
        }
        let (changes, places) = (&changes, given.as_offsets());
        let Some(places) = Settle::<Certain, _>::of(text, changes, places, &mut *out).run(simd)
        else {
            return false;
        };
        *parts = Parts::at(places);
        let has_authority = authority > scheme_end + 1;
        if is_cleaned && !has_authority && repair(out, start) {
            let [before @ .., path_end, query_end, end] = places;
            let [scheme_end, authority, host, host_end, path] = before;
            let [path_end, query_end, end] = [path_end, query_end, end].map(|place| place + 2);
            *parts =
                Parts::at([scheme_end, authority, host, host_end, path, path_end, query_end, end]);
        }
        true
    }
}

/// Tells whether a path that does not begin with a slash has dot segments, encoded or not.
#[cold]
fn has_encoded_dots(path: &str) -> bool {
    path.split('/').any(|segment| decoded_dots(segment).is_some())
}

/// Puts `/.` before a path without an authority that would be one; tells whether it had to.
fn repair(text: &mut String, path: usize) -> bool {
    let is_wrong = text.get(path..).is_some_and(|path| path.starts_with("//"));
    if is_wrong {
        text.insert_str(path, "/.");
    }
    is_wrong
}

/// Tells whether a port, with its colon, says nothing that the scheme does not say.
pub(super) fn is_implied(port: &str, scheme: Option<Known>) -> bool {
    let digits = port.trim_start_matches(':').trim_start_matches('0');
    port == ":" || digits.parse().is_ok_and(|port| scheme.and_then(Known::port) == Some(port))
}

/// Makes letters lower-case that are no digits of triplets.
fn lower_but_triplets(text: &mut str) {
    let mut rest = text;
    while let Some(percent) = memchr::memchr(b'%', rest.as_bytes()) {
        let (before, triplet) = rest.split_at_mut(percent);
        before.make_ascii_lowercase();
        rest = triplet.get_mut(3..).unwrap_or_default();
    }
    rest.make_ascii_lowercase();
}

/// Makes the namespace identifier lower-case with which the path of a URN begins.
fn lower_namespace(path: &mut str) {
    let end = path.find(':').unwrap_or_default();
    path.get_mut(..end).unwrap_or_default().make_ascii_lowercase();
}

/// Makes the domains lower-case in addresses that commas separate.
fn lower_domains(path: &mut str) {
    let mut rest = path;
    while let Some(at) = memchr::memchr(b'@', rest.as_bytes()) {
        let domain = rest.get_mut(at..).unwrap_or_default();
        let end = domain.find(',').unwrap_or(domain.len());
        let (domain, after) = domain.split_at_mut(end);
        lower_but_triplets(domain);
        rest = after;
    }
}

/// A URN without what is no part of its name: r-, q- and f-components.
fn without_urn_components(text: &mut String, parts: Parts) -> Parts {
    let [before @ .., path_end, query_end, _] = parts.offsets();
    let query = text.get(path_end as usize..query_end as usize).unwrap_or_default();
    let end = if query.starts_with("?+") || query.starts_with("?=") { path_end } else { query_end };
    text.truncate(end as usize);
    let [scheme_end, authority, host, host_end, path] = before;
    Parts::at([scheme_end, authority, host, host_end, path, path_end, end, end])
}
