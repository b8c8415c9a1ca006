//! Replaces one component of a reference and keeps the others.
//!
//! Not here: how a value is encoded, and which components do not fit together (`build`).

#[cfg(doc)]
use super::{Builder, Encoded};
use super::{Value, dot_segment, encoded, fit, split_authority};
use crate::error::{Component, Error};
use crate::parse::Delimited;
use crate::reference::kind::Kind;
use crate::reference::{Buf, View, delegate};
use crate::transform::percent::{Segment, SegmentNc};

/// Writes the methods that replace a component: `with_NAME` of a view returns a new owner, `set_NAME` changes an owner
/// in place. The first line of the comment of `with_NAME` is the sentence that other owners have, too.
macro_rules! edits {
    ($(
        $name:ident $(<$life:lifetime>)?: $value:ty, $component:ident, $written:expr =>
        #[doc = $sentence:literal] $(#[$with_doc:meta])+ $with:ident
        $(#[$set_doc:meta])+ $set:ident;
    )+) => {
        impl<K: Kind> View<'_, K> {$(
            #[doc = $sentence]
            $(#[$with_doc])+
            pub fn $with$(<$life>)?(self, $name: impl Into<$value>) -> Result<Buf<K>, Error> {
                let $name: $value = $name.into();
                let value: Value<'_> = $written;
                // The delimiters of a component have at most two bytes, and a dot segment before a path has two.
                let room = value.text.as_ref().map_or(0, |text| text.len()) + "//".len();
                let mut buf = Buf::with_room(self, room);
                buf.put(Component::$component, value)?;
                Ok(buf)
            }
        )+}
        delegate! { [K: Kind] K; {
            $(#[doc = $sentence] $with $([$life])? ($name: impl Into<$value>) -> Result<Buf<K>, Error>;)+
        } }
        impl<K: Kind> Buf<K> {$(
            $(#[$set_doc])+
            pub fn $set$(<$life>)?(&mut self, $name: impl Into<$value>) -> Result<(), Error> {
                let $name: $value = $name.into();
                self.put(Component::$component, $written)
            }
        )+}
    };
}

edits! {
    scheme<'v>: Value<'v>, Scheme, scheme =>
    /// Returns this reference with another scheme, or without a scheme.
    /// The value is checked and not encoded: a `%` is refused. Allocates the result.
    ///
    /// # Errors
    /// The value is not a scheme; it is `None` and the kind needs a scheme; or the result has 4 GiB or more.
    ///
    /// ```
    /// # use simd_iri::{iri, iri_ref};
    /// assert_eq!(iri!("http://a/b").with_scheme("https")?, "https://a/b");
    /// // `./` keeps a parser from reading the first segment as a scheme.
    /// assert_eq!(iri_ref!("a:b:c").with_scheme(None)?, "./b:c");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    with_scheme
    /// Replaces the scheme of this reference, as [`View::with_scheme`] does. A `%` in the value is refused.
    ///
    /// # Errors
    /// Those of [`View::with_scheme`]. The reference stays as it is then.
    ///
    /// ```
    /// # use simd_iri::IriBuf;
    /// let mut iri: IriBuf = "http://a/b".parse()?;
    /// assert!(iri.set_scheme(None).is_err());
    /// iri.set_scheme("ws")?;
    /// assert_eq!(iri, "ws://a/b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    set_scheme;

    authority<'v>: Value<'v>, Authority, authority =>
    /// Returns this reference with another authority, or without an authority.
    /// The value is checked and not encoded, as in [`Builder::authority`]: a triplet such as `%20` stays, and a `%`
    /// that does not begin a triplet is refused. Allocates the result.
    ///
    /// # Errors
    /// The value is not an authority; there is an authority, and the path is not empty and does not begin with a slash;
    /// or the result has 4 GiB or more.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert_eq!(iri!("http://a:1/b").with_authority("me@c%20:2")?, "http://me@c%20:2/b");
    /// assert_eq!(iri!("file:///b").with_authority(None)?, "file:/b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    with_authority
    /// Replaces the authority of this reference, as [`View::with_authority`] does. A triplet in the value stays, and a
    /// `%` that does not begin a triplet is refused.
    ///
    /// # Errors
    /// Those of [`View::with_authority`]. The reference stays as it is then.
    ///
    /// ```
    /// # use simd_iri::IriBuf;
    /// let mut iri: IriBuf = "http://a/b".parse()?;
    /// iri.set_authority("c:8080")?;
    /// assert_eq!(iri, "http://c:8080/b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    set_authority;

    userinfo<'v>: Value<'v>, Userinfo, userinfo =>
    /// Returns this reference with another userinfo, or without userinfo. The value is encoded: a `%` becomes `%25`,
    /// unless the value is [`Encoded`], as [`View::encoded`] of another reference is. Allocates the result.
    ///
    /// # Errors
    /// There is no host; the value is [`Encoded`] and not valid; or the result has 4 GiB or more.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert_eq!(iri!("ftp://me:pw@a").with_userinfo("é")?, "ftp://é@a");
    /// assert_eq!(iri!("ftp://me:pw@a").with_userinfo(None)?, "ftp://a");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    with_userinfo
    /// Replaces the userinfo of this reference, as [`View::with_userinfo`] does. A `%` in the value becomes `%25`,
    /// unless the value is [`Encoded`], as [`View::encoded`] of another reference is.
    ///
    /// # Errors
    /// Those of [`View::with_userinfo`]. The reference stays as it is then.
    ///
    /// ```
    /// # use simd_iri::IriBuf;
    /// let mut iri: IriBuf = "ftp://a/b".parse()?;
    /// iri.set_userinfo("me")?;
    /// assert_eq!(iri, "ftp://me@a/b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    set_userinfo;

    host<'v>: Value<'v>, Host, host =>
    /// Returns this reference with another host; or, with `None`, without an authority.
    /// The value is encoded: a `%` becomes `%25`, unless the value is [`Encoded`], as [`View::encoded`] of another
    /// reference is. An `IP-literal` is checked instead. Remove userinfo and port before you remove the host. Allocates
    /// the result.
    ///
    /// # Errors
    /// The value begins with a bracket and is not an `IP-literal`, or is [`Encoded`] and not valid; there is a host,
    /// and the path is not empty and does not begin with a slash; there is userinfo or a port, but no host; or the
    /// result has 4 GiB or more.
    ///
    /// ```
    /// # use simd_iri::{iri, uri};
    /// assert_eq!(iri!("http://a:1/b").with_host("é")?, "http://é:1/b");
    /// assert_eq!(uri!("http://a:1/b").with_host("[::1]")?, "http://[::1]:1/b");
    /// assert_eq!(iri!("file:///a").with_host(None)?, "file:/a");
    /// assert!(iri!("urn:a").with_host("b").is_err());
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    with_host
    /// Replaces the host of this reference, as [`View::with_host`] does. A `%` in the value becomes `%25`, unless
    /// the value is [`Encoded`], as [`View::encoded`] of another reference is.
    ///
    /// # Errors
    /// Those of [`View::with_host`]. The reference stays as it is then.
    ///
    /// ```
    /// # use simd_iri::UriBuf;
    /// let mut uri: UriBuf = "http://a/b".parse()?;
    /// uri.set_host("é")?;
    /// assert_eq!(uri, "http://%C3%A9/b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    set_host;

    port: Option<u16>, Port, Value::number(port) =>
    /// Returns this reference with another port, or without a port.
    /// Allocates the result.
    ///
    /// # Errors
    /// There is no host, or the result has 4 GiB or more.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert_eq!(iri!("http://a/b").with_port(8080)?, "http://a:8080/b");
    /// assert_eq!(iri!("http://a:80/b").with_port(None)?, "http://a/b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    with_port
    /// Replaces the port of this reference, as [`View::with_port`] does.
    ///
    /// # Errors
    /// Those of [`View::with_port`]. The reference stays as it is then.
    ///
    /// ```
    /// # use simd_iri::IriBuf;
    /// let mut iri: IriBuf = "http://a".parse()?;
    /// iri.set_port(1)?;
    /// assert_eq!(iri, "http://a:1");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    set_port;

    path<'v>: Value<'v>, Path, path =>
    /// Returns this reference with another path.
    /// The value is encoded: a `%` becomes `%25`, unless the value is [`Encoded`], as [`View::encoded_path`] of another
    /// reference is. Slashes are kept. A path that a parser would read as another component gets a dot segment in
    /// front, as in [`Builder::path`]. Allocates the result.
    ///
    /// # Errors
    /// There is a host, and the path is not empty and does not begin with a slash; the value is [`Encoded`] and not
    /// valid; or the result has 4 GiB or more.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert_eq!(iri!("http://a/b?c").with_path("/é d")?, "http://a/é%20d?c");
    /// assert_eq!(iri!("a:b").with_path("//c")?, "a:/.//c");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    with_path
    /// Replaces the path of this reference, as [`View::with_path`] does. A `%` in the value becomes `%25`, unless
    /// the value is [`Encoded`], as [`View::encoded_path`] of another reference is.
    ///
    /// # Errors
    /// Those of [`View::with_path`]. The reference stays as it is then.
    ///
    /// ```
    /// # use simd_iri::{IriBuf, component::Encoded};
    /// let mut iri: IriBuf = "http://a/b".parse()?;
    /// assert!(iri.set_path("c").is_err());
    /// iri.set_path(Encoded("/%20"))?;
    /// assert_eq!(iri, "http://a/%20");
    /// iri.set_path("/%20")?;
    /// assert_eq!(iri, "http://a/%2520");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    set_path;

    query<'v>: Value<'v>, Query, query =>
    /// Returns this reference with another query, or without a query. The value is encoded: a `%` becomes `%25`, unless
    /// the value is [`Encoded`], as [`View::encoded_query`] of another reference is. Allocates the result.
    ///
    /// # Errors
    /// The value is [`Encoded`] and not valid, or the result has 4 GiB or more.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert_eq!(iri!("http://a?b#c").with_query("é#")?, "http://a?é%23#c");
    /// assert_eq!(iri!("http://a?b#c").with_query(None)?, "http://a#c");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    with_query
    /// Replaces the query of this reference, as [`View::with_query`] does. A `%` in the value becomes `%25`, unless
    /// the value is [`Encoded`], as [`View::encoded_query`] of another reference is.
    ///
    /// # Errors
    /// Those of [`View::with_query`]. The reference stays as it is then.
    ///
    /// ```
    /// # use simd_iri::IriBuf;
    /// let mut iri: IriBuf = "a:b".parse()?;
    /// iri.set_query("")?;
    /// assert_eq!(iri, "a:b?");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    set_query;

    fragment<'v>: Value<'v>, Fragment, fragment =>
    /// Returns this reference with another fragment, or without a fragment. The value is encoded: a `%` becomes `%25`,
    /// unless the value is [`Encoded`], as [`View::encoded_fragment`] of another reference is. Allocates the result.
    ///
    /// # Errors
    /// The value is [`Encoded`] and not valid, or the result has 4 GiB or more.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert_eq!(iri!("a:b").with_fragment("é")?, "a:b#é");
    /// assert_eq!(iri!("a:b#c").with_fragment(None)?, "a:b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    with_fragment
    /// Replaces the fragment of this reference, as [`View::with_fragment`] does. A `%` in the value becomes `%25`,
    /// unless the value is [`Encoded`], as [`View::encoded_fragment`] of another reference is.
    ///
    /// # Errors
    /// Those of [`View::with_fragment`]. The reference stays as it is then.
    ///
    /// ```
    /// # use simd_iri::{IriBuf, component::Encoded};
    /// let mut iri: IriBuf = "a:b".parse()?;
    /// assert!(iri.set_fragment(Encoded("%")).is_err());
    /// iri.set_fragment("%")?;
    /// assert_eq!(iri, "a:b#%25");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    set_fragment;
}

impl<K: Kind> Buf<K> {
    /// Replaces a component by a value, or removes it.
    #[inline]
    fn put(&mut self, component: Component, value: Value<'_>) -> Result<(), Error> {
        let value = value.written::<K>(component)?;
        let (is_some, text) = (value.is_some(), value.as_deref().unwrap_or_default());
        let delimiter = |text| if is_some { text } else { "" };
        let view = self.view();
        let scheme = view.as_iri_ref().scheme().is_some();
        let [userinfo, host, port] =
            [view.userinfo(), view.authority(), view.port()].map(|part| part.is_some());
        let path = view.path();
        match component {
            Component::Reference => Ok(()),
            Component::Scheme => {
                fit::<K>(is_some, userinfo || port, host, path)?;
                self.replace(Delimited::Scheme, [[text, delimiter(":")]])?;
                self.guard()
            }
            Component::Authority => {
                fit::<K>(scheme, false, is_some, path)?;
                let [userinfo, host, port] = split_authority(text);
                self.replace(
                    Delimited::Slashes,
                    [
                        [delimiter("//"), ""],
                        [userinfo.unwrap_or_default(), userinfo.map_or("", |_| "@")],
                        [host.unwrap_or_default(), ""],
                        [port.map_or("", |_| ":"), port.unwrap_or_default()],
                    ],
                )?;
                self.guard()
            }
            Component::Userinfo => {
                fit::<K>(scheme, is_some || port, host, path)?;
                self.replace(Delimited::Userinfo, [[text, delimiter("@")]])
            }
            Component::Host if is_some && host => self.replace(Delimited::Host, [[text]]),
            Component::Host => {
                fit::<K>(scheme, userinfo || port, is_some, path)?;
                self.replace(Delimited::Slashes, [[delimiter("//")], [""], [text]])?;
                self.guard()
            }
            Component::Port => {
                fit::<K>(scheme, is_some || userinfo, host, path)?;
                self.replace(Delimited::Port, [[delimiter(":"), text]])
            }
            Component::Path => {
                fit::<K>(scheme, userinfo || port, host, text)?;
                self.replace(Delimited::Path, [[dot_segment(text, scheme, host), text]])
            }
            Component::Query => self.replace(Delimited::Query, [[delimiter("?"), text]]),
            Component::Fragment => self.replace(Delimited::Fragment, [[delimiter("#"), text]]),
        }
    }

    /// Puts a dot segment before the path, if the components before the path need it now.
    // This cannot fail: the scheme or the slashes that are gone had two bytes or more.
    fn guard(&mut self) -> Result<(), Error> {
        let view = self.view();
        let scheme = view.as_iri_ref().scheme().is_some();
        let start = view.parts().path().start;
        match dot_segment(view.path(), scheme, view.authority().is_some()) {
            "" => Ok(()),
            segment => self.replace_span(start..start, Delimited::Path, [segment]),
        }
    }

    /// Appends a segment to the path. The segment is percent-encoded, its slashes and percent signs too. If the path
    /// ends with a slash, the segment follows that slash.
    ///
    /// A segment `.` or `..` is a dot segment, and percent-encoding cannot change that: check segments that you did not
    /// write yourself.
    ///
    /// # Errors
    /// The result has 4 GiB or more. The reference stays as it is then.
    ///
    /// ```
    /// # use simd_iri::{IriBuf, IriRefBuf};
    /// let mut iri: IriBuf = "http://a?q".parse()?;
    /// iri.push_segment("b/c")?;
    /// iri.push_segment("é")?;
    /// assert_eq!(iri, "http://a/b%2Fc/é?q");
    /// // An empty segment is a slash at the end.
    /// iri.push_segment("")?;
    /// iri.push_segment("d")?;
    /// assert_eq!(iri, "http://a/b%2Fc/é/d?q");
    /// let mut reference = IriRefBuf::builder().build()?;
    /// reference.push_segment("a:b")?;
    /// assert_eq!(reference, "a%3Ab");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[doc(alias = "path_segments_mut")]
    #[doc(alias = "appendPath")]
    pub fn push_segment(&mut self, segment: &str) -> Result<(), Error> {
        //     path     authority   segment   new path
        //     /a       any         b         /a/b
        //     /a/      any         b         /a/b
        //     empty    present     b         /b
        //     empty    absent      b         b
        //
        // The first segment without a scheme and without an authority must not hold a colon, which would end a scheme.
        let view = self.view();
        let is_first = view.path().is_empty() && view.authority().is_none();
        let slash = if is_first || view.path().ends_with('/') { "" } else { "/" };
        let segment = match is_first && !view.has_scheme() {
            true => encoded::<K, SegmentNc>(segment),
            false => encoded::<K, Segment>(segment),
        };
        let end = view.parts().path().end;
        self.replace_span(end..end, Delimited::Path, [slash, &segment])
    }

    /// Appends segments to the path, each as [`push_segment`](Self::push_segment) does.
    ///
    /// # Errors
    /// The result has 4 GiB or more. The reference stays as it is then.
    ///
    /// ```
    /// # use simd_iri::IriBuf;
    /// let mut iri: IriBuf = "http://a/b?q".parse()?;
    /// iri.push_segments(["c d", "e/f", ""])?;
    /// assert_eq!(iri, "http://a/b/c%20d/e%2Ff/?q");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[doc(alias = "extend")]
    #[doc(alias = "joinpath")]
    pub fn push_segments(
        &mut self,
        segments: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<(), Error> {
        let mut longer = self.clone();
        for segment in segments {
            longer.push_segment(segment.as_ref())?;
        }
        *self = longer;
        Ok(())
    }

    /// Removes the last segment of the path and the slash before it. A slash that begins the path stays. If the path
    /// is empty or `/`, it stays as it is, and `false` is returned.
    ///
    /// ```
    /// # use simd_iri::IriBuf;
    /// let mut iri: IriBuf = "http://a/b/c/?q".parse()?;
    /// assert!(iri.pop_segment());
    /// assert_eq!(iri, "http://a/b/c?q");
    /// assert!(iri.pop_segment() && iri.pop_segment() && !iri.pop_segment());
    /// assert_eq!(iri, "http://a/?q");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn pop_segment(&mut self) -> bool {
        let path = self.view().path();
        let root = usize::from(path.starts_with('/'));
        // For example, `/a/b` becomes `/a`, `/a` becomes `/`, and `a` becomes empty.
        let end = path.rfind('/').unwrap_or_default().max(root);
        let is_shorter = end < path.len();
        let path = self.view().parts().path();
        // A shorter text is not too long.
        is_shorter && self.replace_span(path.start + end..path.end, Delimited::Path, [""]).is_ok()
    }
}
