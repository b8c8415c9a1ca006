//! Ranges of keys: what a search for an address, a prefix, a host or a domain reads of a sorted index.
//!
//! Not here: the keys themselves (`keys`).

use alloc::string::String;

use super::options::Profile;
use simd_iri::low::{debug_without_text, named};

/// How much a search in an index finds.
///
/// ```
/// use simd_iri_archive::Scope;
///
/// assert_eq!("domain".parse(), Ok(Scope::Domain));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scope {
    /// The address alone.
    Exact,
    /// The addresses whose key begins with the key of the address.
    Prefix,
    /// All addresses of the host.
    Host,
    /// All addresses of the host and of the names below it.
    Domain,
}

named! {
    /// Returns the name in lower case.
    "simd_iri_archive::Scope" Scope { Exact = "exact", Prefix = "prefix", Host = "host", Domain = "domain" }
}

/// A range of keys, in the order of bytes: from a key on, up to another key, which is not in the range.
///
/// A line of an index is in the range if it begins with a key of the range and a space or a tab.
///
/// ```
/// use simd_iri_archive::{Keys, Profile, Scope};
///
/// let range = Keys::new(Profile::Pywb).range("http://a.example/b", Scope::Exact).unwrap();
/// assert!(range.contains("example,a)/b") && range.contains("example,a)/b 20261127000000 {}"));
/// assert!(!range.contains("example,a)/b/c"));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct KeyRange {
    start: String,
    end: String,
}

debug_without_text!([] KeyRange, "KeyRange");

impl KeyRange {
    /// Returns the text from which on keys are in the range.
    ///
    /// ```
    /// # use simd_iri_archive::{Keys, Profile, Scope};
    /// let range = Keys::new(Profile::Pywb).range("http://a/b", Scope::Exact).unwrap();
    /// assert_eq!(range.start(), "a)/b");
    /// ```
    #[must_use]
    pub fn start(&self) -> &str {
        &self.start
    }

    /// Returns the text from which on keys are not in the range.
    ///
    /// ```
    /// # use simd_iri_archive::{Keys, Profile, Scope};
    /// let range = Keys::new(Profile::Pywb).range("http://a/b", Scope::Exact).unwrap();
    /// assert_eq!(range.end(), "a)/b!");
    /// ```
    #[must_use]
    pub fn end(&self) -> &str {
        &self.end
    }

    /// Tells whether a key, or a line of an index, is in the range.
    ///
    /// ```
    /// # use simd_iri_archive::{Keys, Profile, Scope};
    /// let range = Keys::new(Profile::Pywb).range("http://a/b", Scope::Prefix).unwrap();
    /// assert!(range.contains("a)/b?c") && !range.contains("a)/c"));
    /// ```
    #[must_use]
    pub fn contains(&self, key: &str) -> bool {
        *self.start <= *key && *key < *self.end
    }
}

/// Returns the range of a scope for a text and its key.
pub(super) fn range(profile: Profile, text: &str, key: String, scope: Scope) -> Option<KeyRange> {
    let (start, end) = match scope {
        Scope::Exact => (key.clone(), key + "!"),
        Scope::Prefix => {
            let mut start = key;
            // A CDX key loses the slash and the question mark at the end.
            for end in ['/', '?'] {
                if profile.is_cdx() && text.ends_with(end) && !start.ends_with(end) {
                    start.push(end);
                }
            }
            let end = after_all(&start)?;
            (start, end)
        }
        Scope::Host | Scope::Domain => match profile {
            Profile::Wayback | Profile::Pywb | Profile::Heritrix | Profile::Urlcanon => {
                of_host(&key, scope)?
            }
            Profile::Ssurt => of_ssurt(&key, scope)?,
        },
    };
    Some(KeyRange { start, end })
}

/// Returns the range of the host of a key that has its host before `)`.
///
/// ```text
/// key                     host                              domain
/// com,example)/a          com,example)/ to com,example*     com,example)/ to com,example-
/// com)/                   com)/ to com*                     com, to com-
/// http://(com,example,)/  …example,) to …example,*          …example, to …example-
/// ```
fn of_host(key: &str, scope: Scope) -> Option<(String, String)> {
    let (host, _) = key.split_once(')')?;
    let of = |start: &str, after: &str, end: &str| ([start, after].concat(), [start, end].concat());
    // With a comma at the end, everything after it is of this host or of the names below it.
    let name = host.split_once("(").map_or(host, |(_, name)| name);
    let with_comma = name.rfind(',').filter(|comma| {
        let port = name.get(comma + 1..).unwrap_or_default();
        port.is_empty() || port.starts_with(':')
    });
    Some(match (scope, with_comma) {
        (Scope::Domain, Some(comma)) => {
            let before = host.len() - name.len() + comma;
            of(host.get(..before)?, ",", "-")
        }
        (Scope::Domain, None) if !name.contains(',') => of(host, ",", "-"),
        (Scope::Domain, None) => of(host, ")/", "-"),
        (_, Some(_)) => of(host, ")", "*"),
        (_, None) => of(host, ")/", "*"),
    })
}

/// Returns the range of the host of an SSURT, such as `com,example,//http:/a`, with all its ports.
fn of_ssurt(key: &str, scope: Scope) -> Option<(String, String)> {
    let (host, _) = key.split_once("//")?;
    let name = host.strip_suffix(',').unwrap_or(host);
    Some(match scope {
        Scope::Domain => ([name, ","].concat(), [name, "-"].concat()),
        _ => ([host, "//"].concat(), [host, "/0"].concat()),
    })
}

/// Returns the first text after all texts that begin with `start`: its last character is replaced by the next one. `None`
/// if there is no such text: all texts begin with the empty text.
fn after_all(start: &str) -> Option<String> {
    let mut end = String::from(start);
    // U+10FFFF has no next character. Then the character before it is replaced.
    while let Some(last) = end.pop() {
        let next =
            if last == '\u{D7FF}' { Some('\u{E000}') } else { char::from_u32(last as u32 + 1) };
        if let Some(next) = next {
            end.push(next);
            return Some(end);
        }
    }
    None
}
