//! Replaces one component of a reference and keeps the others.
//!
//! Not here: what a value becomes, and what makes a result impossible (`build`).

use alloc::string::String;

use super::{Builder, Encoded, Value, encoded};
use crate::error::Error;
use crate::reference::kind::Kind;
use crate::reference::{Buf, View, delegate};
use crate::scan::slice;
use crate::transform::percent::{Segment, SegmentNc};

/// The methods that change a component: of a view, to a new owner; of an owner, in place.
macro_rules! edits {
    ($($name:ident $(<$life:lifetime>)?: $value:ty => $(#[$with_doc:meta])+ $with:ident $(#[$set_doc:meta])+ $set:ident;)+) => {
        impl<K: Kind> View<'_, K> {$(
            $(#[$with_doc])+
            pub fn $with$(<$life>)?(self, $name: impl Into<$value>) -> Result<Buf<K>, Error> {
                let $name: $value = $name.into();
                Builder::from(self).$name($name).build()
            }
        )+}
        delegate! { [K: Kind] K; {
            $($with $([$life])? ($name: impl Into<$value>) -> Result<Buf<K>, Error>;)+
        } }
        impl<K: Kind> Buf<K> {$(
            $(#[$set_doc])+
            pub fn $set$(<$life>)?(&mut self, $name: impl Into<$value>) -> Result<(), Error> {
                *self = self.view().$with($name)?;
                Ok(())
            }
        )+}
    };
}

edits! {
    scheme<'v>: Value<'v> =>
    /// This reference with another scheme, or with none. Allocates the result, as its siblings do.
    ///
    /// # Errors
    /// As [`Builder::build`]: not a scheme, or none where the kind has one.
    ///
    /// ```
    /// # use simd_iri::{iri, iri_ref};
    /// assert_eq!(iri!("http://a/b").with_scheme("https")?, "https://a/b");
    /// // A segment must not be taken for a scheme.
    /// assert_eq!(iri_ref!("a:b:c").with_scheme(None)?, "./b:c");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    with_scheme
    /// [`View::with_scheme`], in place.
    ///
    /// # Errors
    /// As there; nothing has changed then.
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

    userinfo<'v>: Value<'v> =>
    /// This reference with another userinfo, or with none.
    ///
    /// # Errors
    /// As [`Builder::build`]: there is no host, or the value was given encoded and does not match.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert_eq!(iri!("ftp://me:pw@a").with_userinfo("é")?, "ftp://é@a");
    /// assert_eq!(iri!("ftp://me:pw@a").with_userinfo(None)?, "ftp://a");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    with_userinfo
    /// [`View::with_userinfo`], in place.
    ///
    /// # Errors
    /// As there; nothing has changed then.
    ///
    /// ```
    /// # use simd_iri::IriBuf;
    /// let mut iri: IriBuf = "ftp://a/b".parse()?;
    /// iri.set_userinfo("me")?;
    /// assert_eq!(iri, "ftp://me@a/b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    set_userinfo;

    host<'v>: Value<'v> =>
    /// This reference with another host, or without an authority. Userinfo and port are to be removed
    /// before the host is, for they are not without it.
    ///
    /// # Errors
    /// As [`Builder::build`]: an IP literal that is none; a path that cannot follow an authority, or a
    /// userinfo or a port that would be without one.
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
    /// [`View::with_host`], in place.
    ///
    /// # Errors
    /// As there; nothing has changed then.
    ///
    /// ```
    /// # use simd_iri::UriBuf;
    /// let mut uri: UriBuf = "http://a/b".parse()?;
    /// uri.set_host("é")?;
    /// assert_eq!(uri, "http://%C3%A9/b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    set_host;

    port: Option<u16> =>
    /// This reference with another port, or with none.
    ///
    /// # Errors
    /// As [`Builder::build`]: there is no host.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert_eq!(iri!("http://a/b").with_port(8080)?, "http://a:8080/b");
    /// assert_eq!(iri!("http://a:80/b").with_port(None)?, "http://a/b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    with_port
    /// [`View::with_port`], in place.
    ///
    /// # Errors
    /// As there; nothing has changed then.
    ///
    /// ```
    /// # use simd_iri::IriBuf;
    /// let mut iri: IriBuf = "http://a".parse()?;
    /// iri.set_port(1)?;
    /// assert_eq!(iri, "http://a:1");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    set_port;

    path<'v>: Value<'v> =>
    /// This reference with another path, of which slashes are kept; it may get a dot segment in front,
    /// as [`Builder::path`] says.
    ///
    /// # Errors
    /// As [`Builder::build`]: no slash at the start after an authority, or the value was given encoded
    /// and does not match.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert_eq!(iri!("http://a/b?c").with_path("/é d")?, "http://a/é%20d?c");
    /// assert_eq!(iri!("a:b").with_path("//c")?, "a:/.//c");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    with_path
    /// [`View::with_path`], in place.
    ///
    /// # Errors
    /// As there; nothing has changed then.
    ///
    /// ```
    /// # use simd_iri::{Encoded, IriBuf};
    /// let mut iri: IriBuf = "http://a/b".parse()?;
    /// assert!(iri.set_path("c").is_err());
    /// iri.set_path(Encoded("/%20"))?;
    /// assert_eq!(iri, "http://a/%20");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    set_path;

    query<'v>: Value<'v> =>
    /// This reference with another query, or with none.
    ///
    /// # Errors
    /// As [`Builder::build`]: the value was given encoded and does not match.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert_eq!(iri!("http://a?b#c").with_query("é#")?, "http://a?é%23#c");
    /// assert_eq!(iri!("http://a?b#c").with_query(None)?, "http://a#c");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    with_query
    /// [`View::with_query`], in place.
    ///
    /// # Errors
    /// As there; nothing has changed then.
    ///
    /// ```
    /// # use simd_iri::IriBuf;
    /// let mut iri: IriBuf = "a:b".parse()?;
    /// iri.set_query("")?;
    /// assert_eq!(iri, "a:b?");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    set_query;

    fragment<'v>: Value<'v> =>
    /// This reference with another fragment, or with none.
    ///
    /// # Errors
    /// As [`Builder::build`]: the value was given encoded and does not match.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert_eq!(iri!("a:b").with_fragment("é")?, "a:b#é");
    /// assert_eq!(iri!("a:b#c").with_fragment(None)?, "a:b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    with_fragment
    /// [`View::with_fragment`], in place.
    ///
    /// # Errors
    /// As there; nothing has changed then.
    ///
    /// ```
    /// # use simd_iri::{Encoded, IriBuf};
    /// let mut iri: IriBuf = "a:b".parse()?;
    /// assert!(iri.set_fragment(Encoded("%")).is_err());
    /// iri.set_fragment("%")?;
    /// assert_eq!(iri, "a:b#%25");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    set_fragment;
}

impl<K: Kind> Buf<K> {
    /// Appends a segment to the path, with what it holds encoded, slashes too. After a slash at the end
    /// it takes the place of the empty segment there.
    ///
    /// `.` and `..` are dot segments, encoded or not: who is handed segments looks out for them.
    ///
    /// # Errors
    /// The result has 4 GiB or more; nothing has changed then.
    ///
    /// ```
    /// # use simd_iri::{IriBuf, IriRefBuf};
    /// let mut iri: IriBuf = "http://a?q".parse()?;
    /// iri.push_segment("b/c")?;
    /// iri.push_segment("é")?;
    /// assert_eq!(iri, "http://a/b%2Fc/é?q");
    /// // An empty one is a slash at the end.
    /// iri.push_segment("")?;
    /// iri.push_segment("d")?;
    /// assert_eq!(iri, "http://a/b%2Fc/é/d?q");
    /// let mut reference = IriRefBuf::builder().build()?;
    /// reference.push_segment("a:b")?;
    /// assert_eq!(reference, "a%3Ab");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn push_segment(&mut self, segment: &str) -> Result<(), Error> {
        let view = self.view();
        let is_first = view.path().is_empty() && view.authority().is_none();
        let mut path = String::from(view.path());
        if !is_first && !path.ends_with('/') {
            path.push('/');
        }
        path.push_str(&match is_first && view.as_iri_ref().scheme().is_none() {
            true => encoded::<K, SegmentNc>(segment),
            false => encoded::<K, Segment>(segment),
        });
        self.set_path(Encoded(path.as_str()))
    }

    /// Removes the last segment of the path and the slash before it, but for one at the start. Tells
    /// whether there was a segment, other than the empty one of `/`.
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
        let end = path.rfind('/').unwrap_or_default().max(root);
        let before = slice::text(path, ..end);
        let is_shorter = before.len() < path.len();
        *self = Builder::from(self.view()).known_path(before).compose();
        is_shorter
    }
}
