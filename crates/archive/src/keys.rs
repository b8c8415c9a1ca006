//! The builder of keys, and a key.
//!
//! Not here: how a key is made (`cdx`, `surt`), and ranges of keys (`range`).

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::aggressive::aggressive_into;
use super::options::{Options, Profile, Www};
use super::range::{KeyRange, Scope, range};
use super::{cdx, surt};
use simd_iri::low::debug_without_text;

/// Returns the key of a text as a profile makes it, without options. Same as [`Keys::key`].
///
/// ```
/// use simd_iri_archive::{Profile, key};
///
/// assert_eq!(key("http://Example.com/a/", Profile::Wayback).as_str(), "com,example)/a");
/// assert!(key("data:,a", Profile::Wayback).is_rejected());
/// ```
#[must_use]
pub fn key(text: &str, profile: Profile) -> Key {
    Keys::new(profile).key(text)
}

/// The key of a text, and whether the profile rejects the text.
///
/// ```
/// use simd_iri_archive::{Profile, key};
///
/// let key = key("http://example.com/", Profile::Pywb);
/// assert_eq!(key.as_str(), "com,example)/");
/// assert_eq!(key.to_string(), "com,example)/");
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    text: String,
    is_rejected: bool,
}

debug_without_text!([] Key, "Key", is_rejected);

impl Key {
    /// Returns the text of the key.
    ///
    /// ```
    /// # use simd_iri_archive::{Profile, key};
    /// assert_eq!(key("http://a.example/", Profile::Pywb).as_str(), "example,a)/");
    /// ```
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the text of the key.
    ///
    /// ```
    /// # use simd_iri_archive::{Profile, key};
    /// assert_eq!(key("http://a.example/", Profile::Pywb).into_string(), "example,a)/");
    /// ```
    #[must_use]
    pub fn into_string(self) -> String {
        self.text
    }

    /// Tells whether the profile has no key for the text. Then the key is the text itself, as in the indexes of the
    /// tools.
    ///
    /// ```
    /// # use simd_iri_archive::{Profile, key};
    /// let key = key("http://a.example:port/", Profile::Pywb);
    /// assert!(key.is_rejected());
    /// assert_eq!(key.as_str(), "http://a.example:port/");
    /// ```
    #[must_use]
    pub const fn is_rejected(&self) -> bool {
        self.is_rejected
    }
}

impl AsRef<str> for Key {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

/// Writes the text of the key.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// How keys are made: a profile, and options that change it.
///
/// An option that a profile does not need has no effect: the options `www`, `slash`, `session_ids` and `sort` change
/// CDX keys alone, and `aggressive` changes [`Profile::Urlcanon`] and [`Profile::Ssurt`] alone.
///
/// ```
/// use simd_iri_archive::{Keys, Profile, Www};
///
/// let keys = Keys::new(Profile::Pywb).www(Www::Keep).slash(true);
/// assert_eq!(keys.key("http://www2.ndl.example/a/").as_str(), "example,ndl,www2)/a/");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Keys {
    options: Options,
    aggressive: bool,
}

impl Keys {
    /// Returns the keys of a profile.
    ///
    /// ```
    /// # use simd_iri_archive::{Keys, Profile};
    /// assert_eq!(Keys::new(Profile::Pywb).key("http://a.example").as_str(), "example,a)/");
    /// ```
    #[must_use]
    pub const fn new(profile: Profile) -> Self {
        Self { options: Options::of(profile), aggressive: false }
    }

    /// Returns the profile.
    ///
    /// ```
    /// # use simd_iri_archive::{Keys, Profile};
    /// assert_eq!(Keys::new(Profile::Ssurt).profile(), Profile::Ssurt);
    /// ```
    #[must_use]
    pub const fn profile(self) -> Profile {
        self.options.profile
    }

    /// Sets how often `www.` is stripped from the front of a host. By default, [`Www::All`] for
    /// [`Profile::Wayback`] and [`Www::One`] for [`Profile::Pywb`].
    ///
    /// ```
    /// # use simd_iri_archive::{Keys, Profile, Www};
    /// let keys = Keys::new(Profile::Pywb).www(Www::Keep);
    /// assert_eq!(keys.key("http://www.a.example/").as_str(), "example,a,www)/");
    /// ```
    #[must_use]
    pub const fn www(mut self, www: Www) -> Self {
        self.options.www = www;
        self
    }

    /// Sets whether a slash at the end of a path stays. By default, it does not stay in a CDX key.
    ///
    /// ```
    /// # use simd_iri_archive::{Keys, Profile};
    /// assert_eq!(Keys::new(Profile::Pywb).slash(true).key("http://a/b/").as_str(), "a)/b/");
    /// ```
    #[must_use]
    pub const fn slash(mut self, stays: bool) -> Self {
        self.options.slash = stays;
        self
    }

    /// Sets whether the ids of sessions stay in paths and queries. By default, they do not stay in a CDX key.
    ///
    /// ```
    /// # use simd_iri_archive::{Keys, Profile};
    /// let keys = Keys::new(Profile::Pywb);
    /// let text = "http://a/?sid=0123456789abcdef0123456789abcdef&b";
    /// assert_eq!(keys.key(text).as_str(), "a)/?b");
    /// assert_eq!(keys.session_ids(true).key(text).as_str(), "a)/?b&sid=0123456789abcdef0123456789abcdef");
    /// ```
    #[must_use]
    pub const fn session_ids(mut self, stay: bool) -> Self {
        self.options.session_ids = stay;
        self
    }

    /// Sets whether the pairs of a query are sorted. By default, they are in a CDX key.
    ///
    /// ```
    /// # use simd_iri_archive::{Keys, Profile};
    /// assert_eq!(Keys::new(Profile::Pywb).sort(false).key("http://a/?c&b").as_str(), "a)/?c&b");
    /// ```
    #[must_use]
    pub const fn sort(mut self, sorted: bool) -> Self {
        self.options.sort = sorted;
        self
    }

    /// Sets whether letters become lower case: in the path and the query of a CDX key, whose host is always in lower
    /// case, and everywhere for [`Profile::Heritrix`]. By default, they do. The other profiles never change letters.
    ///
    /// ```
    /// # use simd_iri_archive::{Keys, Profile};
    /// assert_eq!(Keys::new(Profile::Pywb).case(false).key("http://A/B").as_str(), "a)/B");
    /// assert_eq!(Keys::new(Profile::Heritrix).case(false).key("http://A/B").as_str(), "http://(A,)/B");
    /// ```
    #[must_use]
    pub const fn case(mut self, lower: bool) -> Self {
        self.options.case = lower;
        self
    }

    /// Sets whether the key begins with the scheme and `://(`. By default, a CDX key does not. It has no effect on
    /// [`Profile::Ssurt`].
    ///
    /// ```
    /// # use simd_iri_archive::{Keys, Profile};
    /// assert_eq!(Keys::new(Profile::Pywb).scheme(true).key("http://a.b/").as_str(), "http://(b,a)/");
    /// assert_eq!(Keys::new(Profile::Urlcanon).scheme(false).key("http://a.b/").as_str(), "b,a,)/");
    /// ```
    #[must_use]
    pub const fn scheme(mut self, written: bool) -> Self {
        self.options.scheme = written;
        self
    }

    /// Sets whether a comma comes after the last label of the host. By default, a CDX key does not have it.
    ///
    /// ```
    /// # use simd_iri_archive::{Keys, Profile};
    /// assert_eq!(Keys::new(Profile::Urlcanon).comma(false).key("http://a.b/").as_str(), "http://(b,a)/");
    /// ```
    #[must_use]
    pub const fn comma(mut self, written: bool) -> Self {
        self.options.comma = written;
        self
    }

    /// Sets whether the numbers of an IPv4 address are in reverse, as labels are. By default, they are in a CDX key.
    ///
    /// ```
    /// # use simd_iri_archive::{Keys, Profile};
    /// let keys = Keys::new(Profile::Pywb);
    /// assert_eq!(keys.key("http://192.0.2.1/").as_str(), "1,2,0,192)/");
    /// assert_eq!(keys.reverse_ip(false).key("http://192.0.2.1/").as_str(), "192.0.2.1)/");
    /// ```
    #[must_use]
    pub const fn reverse_ip(mut self, reversed: bool) -> Self {
        self.options.reverse_ip = reversed;
        self
    }

    /// Sets whether [`Profile::Urlcanon`] and [`Profile::Ssurt`] make the key of the canonical address of
    /// [`aggressive`](super::aggressive), as brozzler does. By default, they do not.
    ///
    /// ```
    /// # use simd_iri_archive::{Keys, Profile};
    /// let keys = Keys::new(Profile::Urlcanon).aggressive(true);
    /// assert_eq!(keys.key("https://www.a.example/B/").as_str(), "http://(example,a,)/b");
    /// ```
    #[must_use]
    pub const fn aggressive(mut self, aggressive: bool) -> Self {
        self.aggressive = aggressive;
        self
    }

    /// Returns the key of a text. It never fails: a text that the profile rejects is its own key, and
    /// [`Key::is_rejected`] tells so.
    ///
    /// Linear in the text, besides the order of the pairs of a query; allocates the key, and more if the text has
    /// triplets, characters outside ASCII, dot segments or pairs out of order.
    ///
    /// ```
    /// # use simd_iri_archive::{Keys, Profile};
    /// let keys = Keys::new(Profile::Wayback);
    /// assert_eq!(keys.key("dns:www.example.com").as_str(), "com,example,www)");
    /// assert_eq!(keys.key("").as_str(), "-");
    /// assert!(keys.key("urn:isbn:1").is_rejected());
    /// ```
    #[must_use]
    pub fn key(self, text: &str) -> Key {
        let mut key = String::new();
        let is_rejected = !self.key_into(text, &mut key);
        Key { text: key, is_rejected }
    }

    /// Writes the key of a text to `key`, which is cleared first, and tells whether the profile has a key for the text.
    /// If it has none, `key` is the text. Uses the memory of `key`.
    ///
    /// ```
    /// # use simd_iri_archive::{Keys, Profile};
    /// let (keys, mut key) = (Keys::new(Profile::Pywb), String::new());
    /// assert!(keys.key_into("http://a.example/", &mut key));
    /// assert_eq!(key, "example,a)/");
    /// assert!(!keys.key_into("http://a.example:b/", &mut key));
    /// assert_eq!(key, "http://a.example:b/");
    /// ```
    pub fn key_into(self, text: &str, key: &mut String) -> bool {
        let mut bytes = core::mem::take(key).into_bytes();
        let has_key = self.key_bytes_into(text.as_bytes(), &mut bytes);
        // The parts of a text in UTF-8 are cut at ASCII, and the rest of a key is ASCII.
        match String::from_utf8(bytes) {
            Ok(made) => {
                *key = made;
                has_key
            }
            Err(_) => {
                key.push_str(text);
                false
            }
        }
    }

    /// Writes the key of bytes to `key`, as [`key_into`](Self::key_into) does for a text. The bytes need not be UTF-8:
    /// the addresses in an archive are not always. A CDX key is in ASCII, unless the profile rejects the bytes; the
    /// other keys keep the bytes.
    ///
    /// ```
    /// # use simd_iri_archive::{Keys, Profile};
    /// let mut key = Vec::new();
    /// assert!(Keys::new(Profile::Pywb).key_bytes_into(b"http://a/\xE9", &mut key));
    /// assert_eq!(key, b"a)/%e9");
    /// ```
    pub fn key_bytes_into(self, text: &[u8], key: &mut Vec<u8>) -> bool {
        key.clear();
        let options = &self.options;
        let canonical = |aggressive: bool| {
            let mut canonical = Vec::new();
            if aggressive {
                aggressive_into(text, &mut canonical);
                return Cow::Owned(canonical);
            }
            Cow::Borrowed(text)
        };
        let made = match options.profile {
            Profile::Wayback | Profile::Pywb => cdx::push(options, text, key),
            Profile::Heritrix => surt::heritrix(options, text, key),
            Profile::Urlcanon => surt::urlcanon(options, &canonical(self.aggressive), key),
            Profile::Ssurt => surt::ssurt(options, &canonical(self.aggressive), key),
        };
        if made.is_none() {
            key.clear();
            key.extend_from_slice(text);
        }
        made.is_some()
    }

    /// Returns the range of the keys that a search for a text finds in a sorted index: for the text alone, for the
    /// texts that begin with it, for its host, or for its domain. Returns `None` if the scope is a host or a domain and
    /// the key has no host, and if the scope is a prefix and the key is empty.
    ///
    /// ```
    /// use simd_iri_archive::{Keys, Profile, Scope};
    ///
    /// let of = |scope| {
    ///     let range = Keys::new(Profile::Pywb).range("http://example.com/a/", scope).unwrap();
    ///     [range.start().to_owned(), range.end().to_owned()]
    /// };
    /// assert_eq!(of(Scope::Exact), ["com,example)/a", "com,example)/a!"]);
    /// assert_eq!(of(Scope::Prefix), ["com,example)/a/", "com,example)/a0"]);
    /// assert_eq!(of(Scope::Host), ["com,example)/", "com,example*"]);
    /// assert_eq!(of(Scope::Domain), ["com,example)/", "com,example-"]);
    /// assert!(Keys::new(Profile::Urlcanon).range("", Scope::Prefix).is_none());
    /// ```
    #[must_use]
    pub fn range(self, text: &str, scope: Scope) -> Option<KeyRange> {
        let key = self.key(text);
        range(self.options.profile, text, key.into_string(), scope)
    }
}
