//! A policy: what may be fetched. Not here: the steps that apply it (`steps`).

use alloc::string::String;
use alloc::vec::Vec;
use core::net::IpAddr;

use super::address::{AddressRange, Ranges};
use super::names::{NameError, Names};
use simd_iri::low::{
    debug_without_text,
    range::{IpRange, RangeError},
};

/// What may be fetched: schemes, ports, hosts and addresses.
///
/// A policy begins as [`Policy::public_web`], and each method changes one thing. Its `Debug` does not write the names
/// of hosts.
///
/// ```
/// use simd_iri_judge::{Decision, Policy};
///
/// let policy = Policy::public_web().ports(&[443]).only_domain("example.com")?;
/// assert_eq!(policy.judge("https://api.example.com/").decision(), Decision::Resolve);
/// assert_eq!(policy.judge("http://api.example.com/").decision(), Decision::Refuse);
/// assert_eq!(policy.judge("https://example.org/").decision(), Decision::Refuse);
/// # Ok::<(), simd_iri_judge::NameError>(())
/// ```
#[derive(Clone)]
pub struct Policy {
    schemes: Vec<String>,
    ports: Vec<u16>,
    strips_userinfo: bool,
    refuses_literals: bool,
    max_redirects: u32,
    /// The allow-list. If it is empty, each host is allowed.
    pub(super) only: Names,
    pub(super) refused: Names,
    pub(super) permitted: Names,
    ranges: Ranges,
}

debug_without_text!([] Policy, "Policy", ports, strips_userinfo, refuses_literals, max_redirects);

/// [`Policy::public_web`].
impl Default for Policy {
    fn default() -> Self {
        Self::public_web()
    }
}

impl Policy {
    /// Returns the policy for pages of the public web: the schemes `http` and `https`, the ports 80 and 443, no user
    /// information, no host of a private network, and at most five redirects.
    ///
    /// ```
    /// # use simd_iri_judge::{Decision, Policy};
    /// assert_eq!(Policy::public_web().judge("http://93.184.216.34/").decision(), Decision::Allow);
    /// assert_eq!(Policy::public_web().judge("http://10.0.0.1/").decision(), Decision::Refuse);
    /// ```
    #[must_use]
    pub fn public_web() -> Self {
        Self {
            schemes: ["http", "https"].map(String::from).into(),
            ports: [80, 443].into(),
            strips_userinfo: false,
            refuses_literals: false,
            max_redirects: 5,
            only: Names::default(),
            refused: Names::default(),
            permitted: Names::default(),
            ranges: Ranges::default(),
        }
    }

    /// Sets the schemes that are allowed, in any case. The host after each of them is read as a name that the client
    /// looks up.
    ///
    /// ```
    /// # use simd_iri_judge::{Decision, Policy};
    /// let policy = Policy::public_web().schemes(&["https"]);
    /// assert_eq!(policy.judge("http://example.com/").decision(), Decision::Refuse);
    /// ```
    #[must_use]
    pub fn schemes(mut self, schemes: &[&str]) -> Self {
        self.schemes = schemes.iter().map(|scheme| scheme.to_ascii_lowercase()).collect();
        self
    }

    /// Sets the ports that are allowed. A URL without a port has the default port of its scheme. Port 0 is never
    /// allowed.
    ///
    /// ```
    /// # use simd_iri_judge::{Decision, Policy};
    /// let policy = Policy::public_web().ports(&[80, 443, 8080]);
    /// assert_eq!(policy.judge("http://example.com:8080/").decision(), Decision::Resolve);
    /// ```
    #[must_use]
    pub fn ports(mut self, ports: &[u16]) -> Self {
        self.ports = ports.into();
        self
    }

    /// Sets whether user information is left out of [`Verdict::url_to_send`](super::Verdict::url_to_send). Otherwise, a
    /// text with user information is refused, even if the user information is empty.
    ///
    /// ```
    /// # use simd_iri_judge::Policy;
    /// let policy = Policy::public_web().strip_userinfo(true);
    /// let verdict = policy.judge("http://ines:secret@example.com/");
    /// assert_eq!(verdict.url_to_send(), Some("http://example.com/"));
    /// ```
    #[must_use]
    pub const fn strip_userinfo(mut self, strip: bool) -> Self {
        self.strips_userinfo = strip;
        self
    }

    /// Sets whether every host that is an address is refused.
    ///
    /// ```
    /// # use simd_iri_judge::{Decision, Policy};
    /// let policy = Policy::public_web().refuse_literals(true);
    /// assert_eq!(policy.judge("http://93.184.216.34/").decision(), Decision::Refuse);
    /// ```
    #[must_use]
    pub const fn refuse_literals(mut self, refuse: bool) -> Self {
        self.refuses_literals = refuse;
        self
    }

    /// Sets the number of redirects that may follow one another.
    ///
    /// ```
    /// # use simd_iri_judge::{Decision, Policy};
    /// let policy = Policy::public_web().max_redirects(1);
    /// let second = policy.judge_redirect("/c", "http://example.com/b", 2);
    /// assert_eq!(second.verdict().decision(), Decision::Refuse);
    /// ```
    #[must_use]
    pub const fn max_redirects(mut self, count: u32) -> Self {
        self.max_redirects = count;
        self
    }

    /// Adds a host to the allow-list: a name, in Unicode or ASCII, or an address. If the allow-list is not empty, every
    /// other host is refused. The allow-list does not permit what another rule refuses.
    ///
    /// # Errors
    /// The text is not a host.
    ///
    /// ```
    /// # use simd_iri_judge::{Decision, Policy};
    /// let policy = Policy::public_web().only_host("bücher.example")?;
    /// assert_eq!(policy.judge("http://xn--bcher-kva.example/").decision(), Decision::Resolve);
    /// assert_eq!(policy.judge("http://a.bücher.example/").decision(), Decision::Refuse);
    /// # Ok::<(), simd_iri_judge::NameError>(())
    /// ```
    pub fn only_host(mut self, host: &str) -> Result<Self, NameError> {
        self.only.add_host(host)?;
        Ok(self)
    }

    /// Adds a domain, and all names below it, to the allow-list. A dot at its start is ignored.
    ///
    /// # Errors
    /// The text is not a name.
    ///
    /// ```
    /// # use simd_iri_judge::{Decision, Policy};
    /// let policy = Policy::public_web().only_domain("example.com")?;
    /// assert_eq!(policy.judge("http://a.example.com/").decision(), Decision::Resolve);
    /// assert_eq!(policy.judge("http://notexample.com/").decision(), Decision::Refuse);
    /// # Ok::<(), simd_iri_judge::NameError>(())
    /// ```
    pub fn only_domain(mut self, domain: &str) -> Result<Self, NameError> {
        self.only.add_domain(domain)?;
        Ok(self)
    }

    /// Refuses a domain and all names below it, such as a name of the own network.
    ///
    /// # Errors
    /// The text is not a name.
    ///
    /// ```
    /// # use simd_iri_judge::{Decision, Policy};
    /// let policy = Policy::public_web().refuse_domain("prod.example.com")?;
    /// assert_eq!(policy.judge("http://db.prod.example.com/").decision(), Decision::Refuse);
    /// # Ok::<(), simd_iri_judge::NameError>(())
    /// ```
    pub fn refuse_domain(mut self, domain: &str) -> Result<Self, NameError> {
        self.refused.add_domain(domain)?;
        Ok(self)
    }

    /// Permits a domain, and all names below it, that is otherwise refused as a name of a private network. The names of
    /// metadata services stay refused. The addresses of the name are still judged; see
    /// [`permit_range`](Self::permit_range).
    ///
    /// # Errors
    /// The text is not a name.
    ///
    /// ```
    /// # use simd_iri_judge::{Decision, Policy};
    /// let policy = Policy::public_web().permit_domain("internal")?;
    /// assert_eq!(policy.judge("http://models.internal/").decision(), Decision::Resolve);
    /// assert_eq!(policy.judge("http://metadata.google.internal/").decision(), Decision::Refuse);
    /// # Ok::<(), simd_iri_judge::NameError>(())
    /// ```
    pub fn permit_domain(mut self, domain: &str) -> Result<Self, NameError> {
        self.permitted.add_domain(domain)?;
        Ok(self)
    }

    /// Refuses the addresses of a range, such as those of the own network.
    ///
    /// ```
    /// # use simd_iri_judge::{Decision, Policy};
    /// let policy = Policy::public_web().refuse_range("93.184.216.0/24".parse().unwrap());
    /// assert_eq!(policy.judge("http://93.184.216.34/").decision(), Decision::Refuse);
    /// ```
    #[must_use]
    pub fn refuse_range(mut self, range: IpRange) -> Self {
        self.ranges.refused.push(range);
        self
    }

    /// Permits the addresses of a range that is otherwise refused. The addresses of metadata services stay refused, and
    /// so does an IPv6 address that holds an IPv4 address that is refused. Of the ranges of the caller, the most
    /// specific range decides.
    ///
    /// ```
    /// # use simd_iri_judge::{Decision, Policy};
    /// let policy = Policy::public_web().permit_range("169.254.0.0/16".parse().unwrap());
    /// assert_eq!(policy.judge("http://169.254.1.1/").decision(), Decision::Allow);
    /// assert_eq!(policy.judge("http://169.254.169.254/").decision(), Decision::Refuse);
    /// ```
    #[must_use]
    pub fn permit_range(mut self, range: IpRange) -> Self {
        self.ranges.permitted.push(range);
        self
    }

    /// Adds the prefix of a translator of the own network (NAT64). An address with this prefix stands for the IPv4
    /// address in it, which decides (RFC 6052, section 2.2).
    ///
    /// # Errors
    /// The range is not of IPv6, or its length is not 32, 40, 48, 56, 64 or 96.
    ///
    /// ```
    /// # use simd_iri_judge::Policy;
    /// let policy = Policy::public_web().nat64_prefix("2600:100::/96".parse()?)?;
    /// let range = policy.judge_address("2600:100::7f00:1".parse()?).unwrap();
    /// assert_eq!(range.to_string(), "2600:100::/96 of 127.0.0.0/8");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn nat64_prefix(mut self, prefix: IpRange) -> Result<Self, RangeError> {
        if prefix.first().is_ipv4() || !matches!(prefix.length(), 32 | 40 | 48 | 56 | 64 | 96) {
            return Err(RangeError);
        }
        self.ranges.nat64.push(prefix);
        Ok(self)
    }

    /// Judges an address, such as an address to which a name resolves: returns the range because of which it is
    /// refused, or `None`. Compares the address with each range; allocates nothing.
    ///
    /// ```
    /// # use simd_iri_judge::Policy;
    /// let policy = Policy::public_web().permit_range("10.0.0.0/8".parse().unwrap());
    /// assert!(policy.judge_address("10.1.2.3".parse().unwrap()).is_none());
    /// assert!(policy.judge_address("192.168.0.1".parse().unwrap()).is_some());
    /// ```
    #[must_use]
    pub fn judge_address(&self, address: IpAddr) -> Option<AddressRange> {
        self.ranges.judge(address)
    }

    /// Tells whether a scheme in lower case is allowed.
    pub(super) fn allows_scheme(&self, scheme: &str) -> bool {
        self.schemes.iter().any(|allowed| allowed == scheme)
    }

    pub(super) fn allows_port(&self, port: Option<u16>) -> bool {
        port.is_some_and(|port| port != 0 && self.ports.contains(&port))
    }

    pub(super) const fn strips_userinfo(&self) -> bool {
        self.strips_userinfo
    }

    pub(super) const fn refuses_literals(&self) -> bool {
        self.refuses_literals
    }

    pub(super) const fn allows_redirect(&self, number: u32) -> bool {
        number <= self.max_redirects
    }
}
