//! Values that a component stands for: the decoded segments of a path, the port that a scheme implies, and the host and
//! port of a connection.
//!
//! Not here: the components as they are written (`reference::view`), and the pairs of a query (`build::query`).

use alloc::borrow::Cow;

use crate::reference::kind::Kind;
use crate::reference::{Host, View};
use crate::transform::percent::decode;
use crate::transform::schemes::default_port;

impl<'a, K: Kind> View<'a, K> {
    /// Returns the port as a number; if it is absent or empty, the default port of the scheme, such as 443 for `https`.
    /// Returns `None` if there is neither, if there is no authority, or if the port is greater than 65,535.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert_eq!(iri!("https://a:8443/").port_or_default(), Some(8443));
    /// assert_eq!(iri!("https://a/").port_or_default(), Some(443));
    /// assert_eq!(iri!("other://a/").port_or_default(), None);
    /// assert_eq!(iri!("http:a").port_or_default(), None);
    /// ```
    #[doc(alias = "port_or_known_default")]
    #[must_use]
    pub fn port_or_default(self) -> Option<u16> {
        self.authority()?;
        match self.port() {
            None | Some("") => self.scheme_opt().and_then(default_port),
            Some(_) => self.port_u16(),
        }
    }

    /// Returns the host and the port for a connection: the host without brackets, and [`View::port_or_default`]. The
    /// pair implements `ToSocketAddrs` of the standard library.
    ///
    /// Returns `None` if the host is absent, empty or an `IPvFuture`, or if there is no port. A name stays as it is
    /// written: a resolver needs the name in ASCII, which `ToUri::idna` writes. A resolver may read a name such as
    /// `0x7f.1` as an IPv4 address: check the address that it returns.
    ///
    /// ```
    /// use std::net::{SocketAddr, ToSocketAddrs};
    /// use simd_iri::iri;
    ///
    /// assert_eq!(iri!("https://a/").host_and_port(), Some(("a", 443)));
    /// assert_eq!(iri!("other://a").host_and_port(), None);
    /// let local = iri!("http://[::1]:8080/").host_and_port().unwrap();
    /// let expected: SocketAddr = "[::1]:8080".parse().unwrap();
    /// assert!(local.to_socket_addrs()?.eq([expected]));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[doc(alias = "socket_addrs")]
    #[doc(alias = "to_socket_addrs")]
    #[must_use]
    pub fn host_and_port(self) -> Option<(&'a str, u16)> {
        let host = match self.host()? {
            Host::RegName("") | Host::IpvFuture(_) => return None,
            _ => self.host_str()?.trim_matches(['[', ']']),
        };
        Some((host, self.port_or_default()?))
    }

    /// Returns the segments of the path, in order, with their triplets decoded. A decoded segment may be `..`, and may hold a
    /// slash, a backslash or a NUL: for a file name, take [`to_relative_path`](Self::to_relative_path), which refuses them.
    /// Octets that are not UTF-8 become U+FFFD. Allocates each segment that has triplets.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert!(iri!("http://a/b%20c/d%2Fe").decoded_segments().eq(["b c", "d/e"]));
    /// ```
    #[doc(alias = "path_segments")]
    #[doc(alias = "unquote")]
    pub fn decoded_segments(
        self,
    ) -> impl DoubleEndedIterator<Item = Cow<'a, str>> + Clone + use<'a, K> {
        self.segments().map(|segment| decode(segment).lossy())
    }
}
