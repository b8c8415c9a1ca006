//! What a key is made of: the profiles, which are the rules of a tool, and the options that change a profile.
//!
//! Not here: the rules themselves (`cdx`, `surt`).

use simd_iri::low::named;

/// A tool whose keys are made. Each tool has its own rules, and docs/archive.md of the project lists where the rules
/// differ.
///
/// ```
/// use simd_iri_archive::{Profile, key};
///
/// let text = "http://user:pw@www.Example.com:81/A/?b&a#f";
/// let keys = [
///     (Profile::Wayback, "com,example:81)/a?a&b"),
///     (Profile::Pywb, "com,example:81)/a?a&b"),
///     (Profile::Heritrix, "http://(com,example,www,:81@user:pw)/a/?b&a#f"),
///     (Profile::Urlcanon, "http://(com,Example,www,:81)/A/?b&a#f"),
///     (Profile::Ssurt, "com,Example,www,//81:http@user:pw:/A/?b&a#f"),
/// ];
/// assert!(keys.iter().all(|(profile, wanted)| key(text, *profile).as_str() == *wanted));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Profile {
    /// The CDX key of the Wayback Machine, OpenWayback and `webarchive-commons` (Java). It strips `www.` again and
    /// again, and knows six schemes.
    Wayback,
    /// The CDX key of pywb, of the Python package `surt` and of Common Crawl. It strips `www.` once, and keeps a text
    /// with a scheme and no authority, such as `urn:a`.
    Pywb,
    /// The SURT of the crawler Heritrix: lower case, and no other change.
    Heritrix,
    /// The SURT of urlcanon, which brozzler and warcprox use: no change of a component, without user information.
    Urlcanon,
    /// The SSURT of urlcanon, from which the address can be read back.
    Ssurt,
}

named! {
    /// Returns the name in lower case.
    "simd_iri_archive::Profile" Profile {
        Wayback = "wayback",
        Pywb = "pywb",
        Heritrix = "heritrix",
        Urlcanon = "urlcanon",
        Ssurt = "ssurt",
    }
}

impl Profile {
    /// The profile of Common Crawl, whose keys are the keys of pywb.
    ///
    /// ```
    /// use simd_iri_archive::Profile;
    ///
    /// assert_eq!(Profile::COMMON_CRAWL, Profile::Pywb);
    /// ```
    pub const COMMON_CRAWL: Self = Self::Pywb;

    /// Tells whether the key is a CDX key, which has no scheme and whose address is canonicalized.
    ///
    /// ```
    /// use simd_iri_archive::Profile;
    ///
    /// assert!(Profile::Pywb.is_cdx());
    /// assert!(!Profile::Heritrix.is_cdx());
    /// ```
    #[must_use]
    pub const fn is_cdx(self) -> bool {
        matches!(self, Self::Wayback | Self::Pywb)
    }
}

/// How often a label `www` with or without digits is stripped from the front of a host.
///
/// ```
/// use simd_iri_archive::{Keys, Profile, Www};
///
/// let of = |www| Keys::new(Profile::Pywb).www(www).key("http://www.www2.a.example/").into_string();
/// assert_eq!(of(Www::All), "example,a)/");
/// assert_eq!(of(Www::One), "example,a,www2)/");
/// assert_eq!(of(Www::Keep), "example,a,www2,www)/");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Www {
    /// As often as it is there.
    All,
    /// Once.
    One,
    /// Never.
    Keep,
}

named! {
    /// Returns the name in lower case.
    "simd_iri_archive::Www" Www { All = "all", One = "one", Keep = "keep" }
}

/// A profile and its options.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Options {
    pub(super) profile: Profile,
    pub(super) www: Www,
    pub(super) slash: bool,
    pub(super) session_ids: bool,
    pub(super) sort: bool,
    pub(super) case: bool,
    pub(super) scheme: bool,
    pub(super) comma: bool,
    pub(super) reverse_ip: bool,
}

impl Options {
    /// Returns the options that a profile has by itself.
    pub(super) const fn of(profile: Profile) -> Self {
        let is_cdx = profile.is_cdx();
        let www = match profile {
            Profile::Wayback => Www::All,
            Profile::Pywb => Www::One,
            Profile::Heritrix | Profile::Urlcanon | Profile::Ssurt => Www::Keep,
        };
        Self {
            profile,
            www,
            slash: !is_cdx,
            session_ids: !is_cdx,
            sort: is_cdx,
            case: is_cdx || matches!(profile, Profile::Heritrix),
            scheme: !is_cdx,
            comma: !is_cdx,
            reverse_ip: is_cdx,
        }
    }
}
