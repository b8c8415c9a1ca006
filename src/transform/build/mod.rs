//! Builds a reference from components (RFC 3986, section 5.3). Each component is encoded or checked, so
//! that a parse of the result gives the same components.
//!
//! Not here: text that is encoded already (`encoded_text`), edits of a reference (`edit`), and queries of pairs
//! (`query`).

/*
# The algorithm

Each method of `Builder` turns its value into the text of the component at once (`Value::written`):

    no value         the component is absent
    `Encoded` text   is checked by the rule of the component, and stays as it is
    other text       is percent-encoded. In an IRI, characters outside ASCII stay

If a value is not valid, its error is kept, and `build` returns the first error. Then `build` checks what no component
decides alone: a port needs a host, for example. Last, `compose` writes the components in their order with their
delimiters (RFC 3986, section 5.3), and notes the offset of each:

    scheme ":"   "//" userinfo "@" host ":" port   path   "?" query   "#" fragment

A parser may read a path as another component. Then the path gets a dot segment in front:

    scheme a, path //b    a:/.//b    without `/.`, `b` would be a host
    path b:c              ./b:c      without `./`, `b` would be a scheme

# Invariants

- A parse of the result gives the same components, except for that dot segment. So the result is not parsed.
- The text is at most as long as `room` says, so there is one allocation. `build` refuses a `room` of 4 GiB or more, so
  every offset fits in 32 bits.
*/

pub(crate) mod edit;
mod encoded_text;
pub(crate) mod file;
pub mod query;
#[cfg(feature = "charset")]
pub(crate) mod query_charset;
#[cfg(feature = "serde")]
pub(crate) mod query_serde;

use alloc::borrow::{Cow, ToOwned};
use alloc::string::{String, ToString};
use core::fmt;
use core::marker::PhantomData;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

pub use encoded_text::Encoded;

use super::percent::{self, Encode, EncodeSet};
use crate::error::{Component, Error, ErrorKind, debug_without_text};
use crate::parse::{ComponentRule, Parts, SchemeRule, guard};
use crate::reference::kind::{Iri, Kind};
use crate::reference::{Buf, Host, View};
use crate::scan::slice;

/// The value of a component for a [`Builder`]: text that the builder encodes, [`Encoded`] text, or no component.
///
/// `&str`, `String`, `Cow<str>`, `Option<&str>`, and `Encoded` of any of these convert into it; an `Option<String>` does
/// by `as_deref()`. So do the hosts `IpAddr`,
/// `Ipv4Addr`, `Ipv6Addr` and [`Host`].
///
/// ```
/// use simd_iri::component::{Encoded, Value};
///
/// let values: [Value<'_>; 4] = ["é".into(), None.into(), Encoded("%20").into(), Encoded(None).into()];
/// let owned = Value::from(String::from("é"));
/// ```
///
/// `Debug` does not write the text, which may hold a password.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Value<'a> {
    text: Option<Cow<'a, str>>,
    is_encoded: bool,
}

debug_without_text!([] Value<'_>, "Value", is_encoded);

impl<'a> From<Option<&'a str>> for Value<'a> {
    fn from(text: Option<&'a str>) -> Self {
        Self { text: text.map(Cow::Borrowed), is_encoded: false }
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Some(text).into()
    }
}

/// As an iterator of an array of texts gives it.
impl<'a> From<&&'a str> for Value<'a> {
    fn from(text: &&'a str) -> Self {
        (*text).into()
    }
}

impl<'a> From<&'a String> for Value<'a> {
    fn from(text: &'a String) -> Self {
        text.as_str().into()
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Cow::<str>::Owned(text).into()
    }
}

impl<'a> From<Cow<'a, str>> for Value<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        Self { text: Some(text), is_encoded: false }
    }
}

impl From<Encoded<String>> for Value<'_> {
    fn from(Encoded(text): Encoded<String>) -> Self {
        Self { is_encoded: true, ..text.into() }
    }
}

impl<'a> From<Encoded<&'a String>> for Value<'a> {
    fn from(Encoded(text): Encoded<&'a String>) -> Self {
        Encoded(text.as_str()).into()
    }
}

impl<'a> From<Encoded<Cow<'a, str>>> for Value<'a> {
    fn from(Encoded(text): Encoded<Cow<'a, str>>) -> Self {
        Self { is_encoded: true, ..text.into() }
    }
}

impl<'a> From<Encoded<Option<&'a str>>> for Value<'a> {
    fn from(Encoded(text): Encoded<Option<&'a str>>) -> Self {
        Self { is_encoded: true, ..text.into() }
    }
}

impl<'a> From<Encoded<&'a str>> for Value<'a> {
    fn from(Encoded(text): Encoded<&'a str>) -> Self {
        Encoded(Some(text)).into()
    }
}

/// A host: an address is written as a host, an IPv6 address in brackets.
impl From<IpAddr> for Value<'_> {
    fn from(address: IpAddr) -> Self {
        match address {
            IpAddr::V4(address) => address.into(),
            IpAddr::V6(address) => address.into(),
        }
    }
}

/// A host.
impl From<Ipv4Addr> for Value<'_> {
    fn from(address: Ipv4Addr) -> Self {
        address.to_string().into()
    }
}

/// A host, in brackets.
impl From<Ipv6Addr> for Value<'_> {
    fn from(address: Ipv6Addr) -> Self {
        alloc::format!("[{address}]").into()
    }
}

/// The host of another reference, as it is written there. There is no such conversion for an `Option`: the compiler
/// would not know the type of `None`.
impl<'a> From<Host<'a>> for Value<'a> {
    fn from(host: Host<'a>) -> Self {
        match host {
            Host::RegName(name) => Encoded(name).into(),
            address => address.to_string().into(),
        }
    }
}

impl<'a> Value<'a> {
    /// Returns the value of a port.
    fn number(port: Option<u16>) -> Self {
        Self { text: port.map(|port| port.to_string().into()), is_encoded: false }
    }

    /// Returns the text of this value as a component of a reference of this kind: a port or a part of a component is
    /// checked, and text of another component is encoded, unless it is `Encoded`.
    ///
    /// # Errors
    /// The text is checked and does not match the rule of the component.
    fn written<K: Kind>(self, component: Component) -> Result<Option<Cow<'a, str>>, Error> {
        use ComponentRule as C;

        match component {
            Component::Reference => Ok(None),
            Component::Scheme => self.checked::<K>(C::Scheme),
            Component::Authority => self.checked::<K>(C::Iauthority),
            Component::Userinfo => self.encoded::<K, percent::Userinfo>(C::Iuserinfo),
            Component::Host => self.host::<K>(),
            Component::Port => self.checked::<K>(C::Port),
            Component::Path => self.encoded::<K, percent::Path>(C::Ipath),
            Component::Query => self.encoded::<K, percent::Query>(C::Iquery),
            Component::Fragment => self.encoded::<K, percent::Fragment>(C::Ifragment),
        }
    }

    /// Returns the text, checked by a rule: by the rule of RFC 3986 in a URI, and of RFC 3987 in an IRI.
    fn checked<K: Kind>(self, rule: ComponentRule) -> Result<Option<Cow<'a, str>>, Error> {
        let Some(text) = self.text else { return Ok(None) };
        let is_valid =
            if K::RULE.ascii_only() { rule.validate_uri(&text) } else { rule.validate(&text) };
        is_valid.map(|()| Some(text))
    }

    /// Returns the text, percent-encoded, or checked by a rule if it is `Encoded`.
    fn encoded<K: Kind, S: EncodeSet>(
        self,
        rule: ComponentRule,
    ) -> Result<Option<Cow<'a, str>>, Error> {
        match self.text {
            Some(_) if self.is_encoded => self.checked::<K>(rule),
            Some(Cow::Borrowed(text)) => Ok(Some(encoded::<K, S>(text))),
            Some(Cow::Owned(text)) => Ok(Some(Cow::Owned(encoded::<K, S>(&text).into_owned()))),
            None => Ok(None),
        }
    }

    /// Returns the text of a host, percent-encoded or checked: an `IP-literal` is not encoded, and the text of an IPv6
    /// address gets its brackets.
    fn host<K: Kind>(self) -> Result<Option<Cow<'a, str>>, Error> {
        use percent::RegName;

        let text = self.text.as_deref().unwrap_or_default();
        // A name has neither a colon nor a bracket, and so is not searched for these.
        if !self.is_encoded && encode::<K, RegName>(text).is_kept() {
            return Ok(self.text);
        }
        let value = if memchr::memchr2(b':', b'[', text.as_bytes()).is_none() {
            self
        } else if text.parse::<Ipv6Addr>().is_ok() {
            // The text without brackets would be a name with encoded colons, which nobody means.
            Value { text: Some(["[", text, "]"].concat().into()), is_encoded: true }
        } else {
            Value { is_encoded: self.is_encoded || text.starts_with('['), ..self }
        };
        value.encoded::<K, RegName>(ComponentRule::Ihost)
    }
}

/// The percent-encoded form of a value for a reference of this kind.
fn encode<K: Kind, S: EncodeSet>(value: &str) -> Encode<'_, S> {
    match K::RULE.ascii_only() {
        true => percent::encode::<S>(value),
        false => percent::encode_iri::<S>(value),
    }
}

/// Percent-encodes a value for a reference of this kind. An IRI keeps characters outside ASCII.
pub(super) fn encoded<K: Kind, S: EncodeSet>(value: &str) -> Cow<'_, str> {
    let encode = encode::<K, S>(value);
    if encode.is_kept() {
        return Cow::Borrowed(value);
    }
    let mut text = String::new();
    encode.push_to(&mut text);
    Cow::Owned(text)
}

/// Checks what no component decides alone: whether components fit together in a reference of this kind.
fn fit<K: Kind>(scheme: bool, userinfo_or_port: bool, host: bool, path: &str) -> Result<(), Error> {
    let missing = |kind, component| Err(Error::new(kind, component, 0..0, 0));
    if K::RULE.scheme() == SchemeRule::Required && !scheme {
        return missing(ErrorKind::MissingScheme, Component::Scheme);
    }
    if !host && userinfo_or_port {
        return missing(ErrorKind::UnexpectedEnd, Component::Host);
    }
    if host && !matches!(path.bytes().next(), None | Some(b'/')) {
        ComponentRule::IpathAbempty.validate(path)?;
    }
    Ok(())
}

/// Returns the dot segment that must stand before a path, or nothing.
fn dot_segment(path: &str, scheme: bool, host: bool) -> &'static str {
    match guard(path.bytes(), host) {
        // Without a scheme, a colon in the first segment would end a scheme (RFC 3986, section 4.2).
        "" if !host
            && !scheme
            && path.split('/').next().is_some_and(|first| first.contains(':')) =>
        {
            "./"
        }
        guard => guard,
    }
}

/// Returns the userinfo, the host and the port of a valid authority.
// For example, `me@[::1]:80` is split at the `@`, and at the first colon after the bracket:
//
//     rest       [::1]:80
//     literal    5, so the search for a colon begins after the bracket
//     result     me, [::1], 80
fn split_authority(authority: &str) -> [Option<&str>; 3] {
    let (userinfo, rest) = match authority.split_once('@') {
        Some((userinfo, rest)) => (Some(userinfo), rest),
        None => (None, authority),
    };
    // The colons of an IP literal are in brackets.
    let literal = rest.find(']').map_or(0, |end| end + 1);
    match slice::text(rest, literal..).find(':').map(|colon| literal + colon) {
        Some(colon) => {
            [userinfo, Some(slice::text(rest, ..colon)), Some(slice::text(rest, colon + 1..))]
        }
        None => [userinfo, Some(rest), None],
    }
}

/// Builds a reference from components.
///
/// Components are set in any order, and the last value of each component counts. In a value, the builder
/// percent-encodes every percent sign, every character that the component cannot hold, and in a URI every character
/// outside ASCII. [`Encoded`] text is checked instead. [`build`](Self::build) returns the first error.
///
/// ```
/// use simd_iri::{IriBuf, UriBuf, component::Encoded, iri};
///
/// let iri = IriBuf::builder()
///     .scheme("https")
///     .host("例え.jp")
///     .port(8042)
///     .path("/100%/a b")
///     .query("q=é#")
///     .build()?;
/// assert_eq!(iri, "https://例え.jp:8042/100%25/a%20b?q=é%23");
/// let uri = UriBuf::builder().scheme("mailto").path("é@a").build()?;
/// assert_eq!(uri, "mailto:%C3%A9@a");
///
/// use simd_iri::Builder;
/// let other = Builder::from(iri!("http://a/b%20c?d")).query(Encoded("%65")).fragment("f");
/// assert_eq!(other.build()?, "http://a/b%20c?%65#f");
/// # Ok::<(), simd_iri::Error>(())
/// ```
#[doc(alias = "UriBuilder")]
#[doc(alias = "urlunsplit")]
pub struct Builder<'a, K: Kind = Iri> {
    scheme: Option<Cow<'a, str>>,
    userinfo: Option<Cow<'a, str>>,
    host: Option<Cow<'a, str>>,
    port: Option<Cow<'a, str>>,
    path: Cow<'a, str>,
    query: Option<Cow<'a, str>>,
    fragment: Option<Cow<'a, str>>,
    /// The error of the first value that is not valid.
    error: Option<Error>,
    kind: PhantomData<K>,
}

impl<K: Kind> View<'_, K> {
    /// The same as [`Buf::builder`].
    ///
    /// ```
    /// # use simd_iri::Iri;
    /// assert_eq!(Iri::builder().scheme("http").host("a").build()?, "http://a");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub const fn builder<'b>() -> Builder<'b, K> {
        Buf::builder()
    }
}

impl<K: Kind> Buf<K> {
    /// Returns a [`Builder`] whose path is empty and which has no other component.
    ///
    /// ```
    /// # use simd_iri::IriRefBuf;
    /// assert_eq!(IriRefBuf::builder().build()?, "");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub const fn builder<'a>() -> Builder<'a, K> {
        Builder {
            scheme: None,
            userinfo: None,
            host: None,
            port: None,
            path: Cow::Borrowed(""),
            query: None,
            fragment: None,
            error: None,
            kind: PhantomData,
        }
    }
}

/// Takes all components of a reference as they are. Building them without a change gives the same reference.
impl<'a, K: Kind> From<View<'a, K>> for Builder<'a, K> {
    fn from(view: View<'a, K>) -> Self {
        Self {
            scheme: view.as_iri_ref().scheme().map(Cow::Borrowed),
            userinfo: view.userinfo().map(Cow::Borrowed),
            host: view.host_str().map(Cow::Borrowed),
            port: view.port().map(Cow::Borrowed),
            path: Cow::Borrowed(view.path()),
            query: view.query().map(Cow::Borrowed),
            fragment: view.fragment().map(Cow::Borrowed),
            ..Buf::builder()
        }
    }
}

impl<'a, K: Kind> Builder<'a, K> {
    /// Sets the `scheme`. Nothing is percent-encoded in it.
    ///
    /// ```
    /// # use simd_iri::UriRefBuf;
    /// assert_eq!(UriRefBuf::builder().scheme("a").build()?, "a:");
    /// assert!(UriRefBuf::builder().scheme("1").build().is_err());
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub fn scheme(mut self, name: impl Into<Value<'a>>) -> Self {
        self.scheme = self.kept(name.into().written::<K>(Component::Scheme));
        self
    }

    /// Sets the `iauthority`: userinfo, host and port at once, as they are written. The value is checked and not
    /// encoded, because a delimiter in it cannot be told from text. `None` means no authority.
    ///
    /// ```
    /// # use simd_iri::{IriRefBuf, iri};
    /// let built = |authority| IriRefBuf::builder().authority(authority).build();
    /// assert_eq!(built("me@é:80")?, "//me@é:80");
    /// assert_eq!(built("[::1]:80")?, "//[::1]:80");
    /// assert!(built("a b").is_err());
    /// // The authority of another reference stays as it is.
    /// assert_eq!(IriRefBuf::builder().authority(iri!("a://%41:1").authority()).build()?, "//%41:1");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub fn authority(mut self, value: impl Into<Value<'a>>) -> Self {
        let value = value.into().written::<K>(Component::Authority);
        (self.userinfo, self.host, self.port) = match self.kept(value) {
            None => (None, None, None),
            Some(Cow::Borrowed(authority)) => {
                let [userinfo, host, port] = split_authority(authority);
                (userinfo.map(Into::into), host.map(Into::into), port.map(Into::into))
            }
            Some(Cow::Owned(authority)) => {
                let parts = split_authority(&authority);
                let [userinfo, host, port] =
                    parts.map(|part| part.map(|part| part.to_owned().into()));
                (userinfo, host, port)
            }
        };
        self
    }

    /// Sets the `iuserinfo`. A `%` becomes `%25`, unless the value is [`Encoded`]. Colons are kept: the first colon
    /// separates the user name from a password. RFC 3986, section 3.2.1 deprecates passwords in references.
    ///
    /// ```
    /// # use simd_iri::IriRefBuf;
    /// assert_eq!(IriRefBuf::builder().userinfo("a@b").host("c").build()?, "//a%40b@c");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub fn userinfo(mut self, value: impl Into<Value<'a>>) -> Self {
        self.userinfo = self.kept(value.into().written::<K>(Component::Userinfo));
        self
    }

    /// Sets the `ihost`: a name, an address, or the host of another reference. Text that begins with a bracket is an
    /// `IP-literal`, which is checked instead of encoded. The text of an IPv6 address gets its brackets. In a name, a `%`
    /// becomes `%25`, unless the value is [`Encoded`]. An empty host makes an empty authority; `None` means no authority.
    ///
    /// ```
    /// # use core::net::Ipv6Addr;
    /// # use simd_iri::{IriRefBuf, iri};
    /// let built = |host| IriRefBuf::builder().host(host).build();
    /// assert_eq!(built("é:1")?, "//é%3A1");
    /// assert_eq!(built("[::1]")?, "//[::1]");
    /// assert_eq!(built("::1")?, "//[::1]");
    /// assert_eq!(IriRefBuf::builder().host(Ipv6Addr::LOCALHOST).build()?, "//[::1]");
    /// let host = iri!("a://b%41").host().unwrap();
    /// assert_eq!(IriRefBuf::builder().host(host).build()?, "//b%41");
    /// assert!(built("[é]").is_err());
    /// assert_eq!(built("")?, "//");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[doc(alias = "ip")]
    #[doc(alias = "ipv6")]
    #[must_use]
    pub fn host(mut self, value: impl Into<Value<'a>>) -> Self {
        self.host = self.kept(value.into().written::<K>(Component::Host));
        self
    }

    /// Sets the `ihost` to an IP address.
    ///
    /// ```
    /// # use core::net::{Ipv4Addr, Ipv6Addr};
    /// # use simd_iri::UriRefBuf;
    /// assert_eq!(UriRefBuf::builder().address(Ipv4Addr::LOCALHOST).build()?, "//127.0.0.1");
    /// assert_eq!(UriRefBuf::builder().address(Ipv6Addr::LOCALHOST).build()?, "//[::1]");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[doc(alias = "set_ip_host")]
    #[must_use]
    pub fn address(self, address: impl Into<IpAddr>) -> Self {
        self.host(address.into())
    }

    /// Sets the `port`.
    ///
    /// ```
    /// # use simd_iri::UriRefBuf;
    /// assert_eq!(UriRefBuf::builder().host("a").port(80).build()?, "//a:80");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub fn port(mut self, number: impl Into<Option<u16>>) -> Self {
        self.port = Value::number(number.into()).text;
        self
    }

    /// Sets the `ipath`. A `%` becomes `%25`, unless the value is [`Encoded`]. Slashes are kept. `None` means the empty
    /// path.
    ///
    /// A path that a parser would read as another component gets a dot segment in front, which does not change its
    /// meaning (RFC 3986, section 4.2): `/.` before `//` if there is no host; `./` before a first segment with a colon
    /// if there is neither scheme nor host.
    ///
    /// ```
    /// # use simd_iri::IriRefBuf;
    /// let built = |path| IriRefBuf::builder().path(path).build();
    /// assert_eq!(built("a b/é?")?, "a%20b/é%3F");
    /// assert_eq!(built("//a")?, "/.//a");
    /// assert_eq!(built("a:b")?, "./a:b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub fn path(mut self, value: impl Into<Value<'a>>) -> Self {
        self.path = self.kept(value.into().written::<K>(Component::Path)).unwrap_or_default();
        self
    }

    /// Sets a component that is known only at run time: what the method with its name does. A port is checked text here.
    /// [`Component::Reference`] is not a part of a reference, so nothing changes.
    ///
    /// ```
    /// # use simd_iri::{Builder, Component, iri};
    /// let set = |component, text: &'static str| Builder::from(iri!("http://a/b")).component(component, text).build();
    /// assert_eq!(set(Component::Path, "/50%")?, "http://a/50%25");
    /// assert_eq!(set(Component::Port, "8080")?, "http://a:8080/b");
    /// assert!(set(Component::Port, "http").is_err());
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub fn component(mut self, component: Component, value: impl Into<Value<'a>>) -> Self {
        let value = value.into();
        match component {
            Component::Reference => self,
            Component::Scheme => self.scheme(value),
            Component::Authority => self.authority(value),
            Component::Userinfo => self.userinfo(value),
            Component::Host => self.host(value),
            Component::Port => {
                self.port = self.kept(value.written::<K>(Component::Port));
                self
            }
            Component::Path => self.path(value),
            Component::Query => self.query(value),
            Component::Fragment => self.fragment(value),
        }
    }

    /// Sets the `ipath` to these segments, with a slash before each. Slashes and percent signs in a segment are
    /// percent-encoded.
    ///
    /// A segment `.` or `..` is a dot segment, and percent-encoding cannot change that: check segments that you did
    /// not write yourself.
    ///
    /// ```
    /// # use simd_iri::IriRefBuf;
    /// assert_eq!(IriRefBuf::builder().segments(["a/b", "c", ""]).build()?, "/a%2Fb/c/");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub fn segments(mut self, segments: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let mut path = String::new();
        for segment in segments {
            path.push('/');
            path.push_str(&encoded::<K, percent::Segment>(segment.as_ref()));
        }
        self.path = Cow::Owned(path);
        self
    }

    /// Sets the `iquery`. A `%` becomes `%25`, unless the value is [`Encoded`]. [`query_pairs`](Self::query_pairs) sets
    /// it to names and values.
    ///
    /// ```
    /// # use simd_iri::IriRefBuf;
    /// assert_eq!(IriRefBuf::builder().query("a=1&b#").build()?, "?a=1&b%23");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub fn query(mut self, value: impl Into<Value<'a>>) -> Self {
        self.query = self.kept(value.into().written::<K>(Component::Query));
        self
    }

    /// Sets the `ifragment`. A `%` becomes `%25`, unless the value is [`Encoded`].
    ///
    /// ```
    /// # use simd_iri::IriRefBuf;
    /// assert_eq!(IriRefBuf::builder().fragment("a#b").build()?, "#a%23b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub fn fragment(mut self, value: impl Into<Value<'a>>) -> Self {
        self.fragment = self.kept(value.into().written::<K>(Component::Fragment));
        self
    }

    /// Sets the path to a text that is known to match its rule.
    pub(super) fn known_path(self, path: &'a str) -> Self {
        Self { path: Cow::Borrowed(path), ..self }
    }

    /// Sets the query to a text that is known to match its rule.
    pub(super) fn known_query(self, query: Option<String>) -> Self {
        Self { query: query.map(Cow::Owned), ..self }
    }

    /// Returns the value. If it is an error, keeps the error for [`Builder::build`] and returns `None`.
    fn kept(&mut self, value: Result<Option<Cow<'a, str>>, Error>) -> Option<Cow<'a, str>> {
        value.unwrap_or_else(|error| {
            self.error.get_or_insert(error);
            None
        })
    }

    /// Returns the reference with these components. One pass over them and one allocation.
    ///
    /// # Errors
    /// A value is not valid: a scheme, an `IP-literal` or an [`Encoded`] text that does not match its rule. Or the
    /// components do not fit together: the kind needs a scheme and there is none; there is userinfo or a port and no
    /// host; there is a host, and the path is not empty and does not begin with a slash; the result has 4 GiB or more.
    /// The span of the error is in bytes of the value.
    ///
    /// ```
    /// use simd_iri::{Component, ErrorKind, IriBuf};
    ///
    /// let error = IriBuf::builder().host("a").build().unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::MissingScheme);
    /// let error = IriBuf::builder().scheme("a").port(1).build().unwrap_err();
    /// assert_eq!(error.component(), Component::Host);
    /// let error = IriBuf::builder().scheme("a").host("b").path("c").build().unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "'c' at byte 0 is not allowed in a path; begin this form of path with '/'"
    /// );
    /// ```
    pub fn build(self) -> Result<Buf<K>, Error> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let needs_host = self.userinfo.is_some() || self.port.is_some();
        fit::<K>(self.scheme.is_some(), needs_host, self.host.is_some(), &self.path)?;
        if u32::try_from(self.room()).is_err() {
            return Err(Error::too_long(u32::MAX));
        }
        Ok(self.compose())
    }

    /// Returns the largest length in bytes that the text can have.
    fn room(&self) -> usize {
        let Self { scheme, userinfo, host, port, path, query, fragment, .. } = self;
        let others = [scheme, userinfo, host, port, query, fragment];
        let lengths = others.map(|part| part.as_ref().map_or(0, |text| text.len()));
        // All delimiters together, and the two bytes of a dot segment before the path.
        lengths.iter().sum::<usize>() + path.len() + "://@:/.?#".len()
    }

    /// Writes the components with their delimiters (RFC 3986, section 5.3). The caller knows that they fit together.
    // For example, the scheme `a`, the host `b`, the port `1` and the path `/c`:
    //
    //     text                            a://b:1/c
    //     end of the scheme               1
    //     starts of authority and host    4 4
    //     end of the host                 5
    //     start and end of the path       7 9
    //     ends of query and fragment      9 9
    //
    // `push` returns the offset before the delimiter as the start. So a start is used only if no delimiter is before
    // the component, or if it is part of the component: a dot segment is part of the path.
    pub(super) fn compose(self) -> Buf<K> {
        let mut text = String::with_capacity(self.room());
        let Self { scheme, userinfo, host, port, path, query, fragment, .. } = self;
        let before_path = dot_segment(&path, scheme.is_some(), host.is_some());
        /// Appends a component with its delimiters. Returns the offsets of its start and end.
        fn push(text: &mut String, before: &str, part: Option<&str>, after: &str) -> [u32; 2] {
            let start = text.len() as u32;
            let Some(part) = part else { return [start; 2] };
            text.extend([before, part]);
            let end = text.len() as u32;
            text.push_str(after);
            [start, end]
        }
        let [_, scheme_end] = push(&mut text, "", scheme.as_deref(), ":");
        push(&mut text, "//", host.as_deref().map(|_| ""), "");
        let [authority, _] = push(&mut text, "", userinfo.as_deref(), "@");
        let [host_start, host_end] = push(&mut text, "", host.as_deref(), "");
        push(&mut text, ":", port.as_deref(), "");
        let [path_start, path_end] = push(&mut text, before_path, Some(&path), "");
        let [_, query_end] = push(&mut text, "?", query.as_deref(), "");
        let [_, end] = push(&mut text, "#", fragment.as_deref(), "");
        let parts = Parts::at([
            scheme_end, authority, host_start, host_end, path_start, path_end, query_end, end,
        ]);
        Buf::new(text, parts)
    }
}

/// [`Buf::builder`].
impl<K: Kind> Default for Builder<'_, K> {
    fn default() -> Self {
        Buf::builder()
    }
}

impl<K: Kind> Clone for Builder<'_, K> {
    fn clone(&self) -> Self {
        let Self { scheme, userinfo, host, port, path, query, fragment, error, kind } = self;
        Self {
            scheme: scheme.clone(),
            userinfo: userinfo.clone(),
            host: host.clone(),
            port: port.clone(),
            path: path.clone(),
            query: query.clone(),
            fragment: fragment.clone(),
            error: *error,
            kind: *kind,
        }
    }
}

/// Writes the components. A userinfo may hold a password, so `***` is written in its place.
impl<K: Kind> fmt::Debug for Builder<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder")
            .field("scheme", &self.scheme)
            .field("userinfo", &self.userinfo.as_ref().map(|_| format_args!("***")))
            .field("host", &self.host)
            .field("port", &self.port)
            .field("path", &self.path)
            .field("query", &self.query)
            .field("fragment", &self.fragment)
            .field("error", &self.error)
            .finish()
    }
}
