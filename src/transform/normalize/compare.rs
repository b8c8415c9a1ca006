//! Comparison by the ladder of RFC 3987, section 5.3: equivalence, order and hash of references, without
//! writing a normalized text.
//!
//! Not here: what a key consists of (`key`).

use alloc::string::String;
use core::cmp::Ordering;
use core::hash::{Hash, Hasher};

use siphasher::sip128::{Hasher128, SipHasher13};

use super::key::key;
use super::rules::Normalize;
use crate::error::{Error, named};
use crate::reference::kind::Kind;
use crate::reference::{AsView, View};
use crate::scan::{encode_blocks, slice};
#[cfg(feature = "idna")]
use crate::transform::map::domains::with_domain;
use crate::transform::map::to_uri::ToUri;

/// A step of the comparison ladder: which differences between two references a comparison ignores (RFC 3986,
/// section 6.2; RFC 3987, section 5.3).
///
/// Each level also ignores what the level before it ignores.
///
/// ```
/// use simd_iri::{Level::*, iri};
///
/// let iri = iri!("http://a/é");
/// assert!(!iri.is_equivalent(iri!("HTTP://A/%c3%A9"), Simple));
/// assert!(iri.is_equivalent(iri!("HTTP://A/%c3%A9"), Syntax));
/// assert!(iri.is_equivalent(iri!("http://a:80/é"), Scheme));
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Level {
    /// Ignores nothing: compares the characters (RFC 3987, section 5.3.1).
    Simple,
    /// Ignores differences of case, of triplets, of dot segments, and between an IRI and the URI that it maps to
    /// (RFC 3987, section 5.3.2). It means the same in every scheme.
    Syntax,
    /// Also ignores ports and paths that the scheme implies (RFC 3987, section 5.3.3). The default, because two addresses
    /// that every client sends to one place are one address.
    #[default]
    Scheme,
    /// Also ignores differences between hosts of `http`, `https`, `ws`, `wss` and `ftp` that are the same domain
    /// name by UTS #46 (RFC 3987, section 5.3.3). A host that UTS #46 refuses is compared as it is. This level
    /// allocates.
    #[cfg(feature = "idna")]
    SchemeIdna,
}

named! {
    /// Returns the name in kebab-case.
    "simd_iri::Level" Level {
        Simple = "simple",
        Syntax = "syntax",
        Scheme = "scheme",
        #[cfg(feature = "idna")]
        SchemeIdna = "scheme-idna",
    }
}

impl Level {
    /// Returns the rules of normalization of this level. Two references of one kind with the same normal form by these
    /// rules are equivalent at this level.
    ///
    /// ```
    /// # use simd_iri::{Level, Normalize};
    /// assert_eq!(Level::Simple.rules(), Normalize::none());
    /// assert_eq!(Level::Scheme.rules(), Normalize::scheme());
    /// ```
    #[must_use]
    pub const fn rules(self) -> Normalize {
        match self {
            Self::Simple => Normalize::none(),
            Self::Syntax => Normalize::syntax(),
            Self::Scheme => Normalize::scheme(),
            #[cfg(feature = "idna")]
            Self::SchemeIdna => Normalize::scheme().idna(true),
        }
    }
}

/// The rules of the level: [`Level::rules`].
impl From<Level> for Normalize {
    fn from(level: Level) -> Self {
        level.rules()
    }
}

impl<K: Kind> View<'_, K> {
    /// Tells whether this and another reference are equivalent at a comparison level. [`Compare`] also orders and
    /// hashes, and can ignore fragments.
    ///
    /// One pass over each reference. Allocates as little as [`Compare`].
    ///
    /// ```
    /// use simd_iri::{Level, iri, uri};
    ///
    /// assert!(iri!("http://a/%7Eé").is_equivalent(uri!("http://A/~%C3%A9"), Level::Syntax));
    /// ```
    #[must_use]
    pub fn is_equivalent(self, other: impl AsView, level: Level) -> bool {
        let other = other.as_view();
        Compare::new(level).equivalent(self, other)
    }
}

/// Comparison of references at a comparison level or by a set of rules, with or without their fragments.
///
/// Two references are compared by their keys. The key of a reference ([`Compare::key`]) is the reference itself at
/// [`Level::Simple`], and otherwise the normal form of the URI that it maps to. Equivalence, order, hash and
/// fingerprint are defined by the keys, so they agree with each other.
///
/// ```
/// use std::cmp::Ordering;
/// use simd_iri::{Compare, Level, iri};
///
/// let by = Compare::new(Level::Scheme).fragment(false);
/// let (a, b) = (iri!("http://a#b"), iri!("HTTP://A:80/"));
/// assert!(by.equivalent(a, b));
/// assert_eq!(by.order(a, b), Ordering::Equal);
/// assert_eq!(by.fingerprint(a), by.fingerprint(b));
/// assert_eq!(by.key(b)?, "http://a/");
/// # Ok::<(), simd_iri::Error>(())
/// ```
///
/// Up to [`Level::Scheme`], nothing is allocated unless a path has dot segments. The methods that return or pass a key
/// allocate the key.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Compare {
    by: By,
    fragment: bool,
}

/// What decides the key of a reference.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum By {
    Level(Level),
    Rules(Normalize),
}

/// [`Compare::new`] with [`Level::Scheme`].
impl Default for Compare {
    fn default() -> Self {
        Self::new(Level::default())
    }
}

impl Compare {
    /// Compares whole references at a comparison level.
    ///
    /// ```
    /// # use simd_iri::{Compare, Level, iri};
    /// assert!(!Compare::new(Level::Simple).equivalent(iri!("a:b"), iri!("A:b")));
    /// ```
    #[must_use]
    pub const fn new(level: Level) -> Self {
        Self { by: By::Level(level), fragment: true }
    }

    /// Compares whole references by a set of rules: the key is the normal form, by these rules, of the URI that the
    /// reference maps to. With [`Normalize::urn`], the key of a URN has no r-, q- or f-component, because RFC 8141,
    /// section 3.1 ignores them.
    ///
    /// Every comparison allocates both keys. A reference whose key would have 4 GiB or more is compared as it is
    /// written.
    ///
    /// ```
    /// # use simd_iri::{Compare, Normalize, iri};
    /// let by = Compare::by(Normalize::scheme().urn(true));
    /// assert!(by.equivalent(iri!("URN:Example:a?+r?=q#f"), iri!("urn:example:a")));
    /// // RFC 8141 does not decode triplets.
    /// assert!(!by.equivalent(iri!("urn:example:%41"), iri!("urn:example:A")));
    /// ```
    #[must_use]
    pub const fn by(rules: Normalize) -> Self {
        Self { by: By::Rules(rules), fragment: true }
    }

    /// Sets whether fragments are compared. A fragment is not a part of what is retrieved (RFC 3987, section 5.1).
    ///
    /// ```
    /// # use simd_iri::{Compare, Level, iri};
    /// let by = Compare::new(Level::Simple).fragment(false);
    /// assert!(by.equivalent(iri!("a:b#c"), iri!("a:b#d")));
    /// ```
    #[must_use]
    pub const fn fragment(self, on: bool) -> Self {
        Self { fragment: on, ..self }
    }

    /// Tells whether two references have the same key.
    ///
    /// ```
    /// # use simd_iri::{Compare, Level, iri, uri_ref};
    /// assert!(Compare::new(Level::Syntax).equivalent(iri!("a:/b/../c"), uri_ref!("a:/%63")));
    /// ```
    #[must_use]
    pub fn equivalent(self, a: impl AsView, b: impl AsView) -> bool {
        let a = a.as_view();
        let b = b.as_view();
        self.order(a, b).is_eq()
    }

    /// Returns the order of the keys of two references, byte by byte.
    ///
    /// ```
    /// # use simd_iri::{Compare, Level, iri};
    /// let mut iris = [iri!("a:%63"), iri!("A:b")];
    /// iris.sort_by(|a, b| Compare::new(Level::Syntax).order(*a, *b));
    /// assert_eq!(iris, ["A:b", "a:%63"]);
    /// ```
    #[must_use]
    pub fn order(self, a: impl AsView, b: impl AsView) -> Ordering {
        let a = a.as_view();
        let b = b.as_view();
        #[cfg(feature = "idna")]
        if self.by == By::Level(Level::SchemeIdna) {
            let by = Self { by: By::Level(Level::Scheme), ..self };
            return by.order(with_domain(a).view(), with_domain(b).view());
        }
        if let By::Rules(_) = self.by {
            return self.written(a).cmp(&self.written(b));
        }
        let (a, b) = (self.of(a), self.of(b));
        if a.as_str() == b.as_str() {
            return Ordering::Equal;
        }
        match (self.is_key(a), self.is_key(b)) {
            (true, true) => a.as_str().cmp(b.as_str()),
            (true, false) => a.as_str().bytes().cmp(self.bytes(b)),
            (false, true) => self.bytes(a).cmp(b.as_str().bytes()),
            (false, false) => self.bytes(a).cmp(self.bytes(b)),
        }
    }

    /// Feeds the fingerprint of a reference to a hasher. References with the same key have the same hash.
    ///
    /// ```
    /// use std::hash::{DefaultHasher, Hasher};
    /// use simd_iri::{Compare, Level, iri};
    ///
    /// let hash = |iri| {
    ///     let mut state = DefaultHasher::new();
    ///     Compare::new(Level::Syntax).hash(iri, &mut state);
    ///     state.finish()
    /// };
    /// assert_eq!(hash(iri!("a:b")), hash(iri!("A:%62")));
    /// ```
    pub fn hash(self, view: impl AsView, state: &mut impl Hasher) {
        let view = view.as_view();
        self.fingerprint(view).hash(state);
    }

    /// Returns the lower 64 bits of the [`fingerprint`](Self::fingerprint), as columns and the program have them.
    ///
    /// ```
    /// # use simd_iri::{Compare, Level, iri};
    /// let by = Compare::new(Level::Syntax);
    /// assert_eq!(by.fingerprint64(iri!("HTTP://A")), 16_413_461_712_245_480_959);
    /// ```
    #[must_use]
    pub fn fingerprint64(self, view: impl AsView) -> u64 {
        self.fingerprint(view) as u64
    }

    /// Returns a fingerprint of 128 bits: the SipHash-1-3 of the bytes of the key of the reference, with zeros as
    /// the key of the hash.
    ///
    /// Equal keys have equal fingerprints. Different keys almost never have equal fingerprints. The value is the same
    /// in every version of this library. It does not protect against an attacker who searches for references with the
    /// same fingerprint.
    ///
    /// ```
    /// # use simd_iri::{Compare, Level, iri};
    /// let by = Compare::new(Level::Scheme);
    /// assert_eq!(by.fingerprint(iri!("http://a")), by.fingerprint(iri!("http://a:80/")));
    /// assert_ne!(by.fingerprint(iri!("http://a")), by.fingerprint(iri!("http://b")));
    /// ```
    #[must_use]
    pub fn fingerprint(self, view: impl AsView) -> u128 {
        let view = view.as_view();
        #[cfg(feature = "idna")]
        if self.by == By::Level(Level::SchemeIdna) {
            let by = Self { by: By::Level(Level::Scheme), ..self };
            return by.fingerprint(with_domain(view).view());
        }
        let hasher = SipHasher13::new();
        if let By::Rules(_) = self.by {
            return hasher.hash(self.written(view).as_bytes()).as_u128();
        }
        let view = self.of(view);
        let text = view.as_str().as_bytes();
        match self.form(view) {
            KeyForm::Key => hasher.hash(text).as_u128(),
            // The hash does not depend on where its input is cut, so that blocks need not be joined.
            KeyForm::Mapped => {
                let mut state = hasher;
                encode_blocks(text, |block| state.write(block));
                state.finish128().as_u128()
            }
            KeyForm::Other => {
                let mut pieces = Pieces { state: hasher, buffer: [0; 64], length: 0 };
                key(view, self.is_scheme()).for_each(|piece| pieces.push(piece));
                pieces.flush();
                pieces.state.finish128().as_u128()
            }
        }
    }

    /// Returns the key of a reference. Allocates it.
    ///
    /// # Errors
    /// The key has 4 GiB or more.
    ///
    /// ```
    /// # use simd_iri::{Compare, Level, iri};
    /// assert_eq!(Compare::new(Level::Syntax).key(iri!("A:é"))?, "a:%C3%A9");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn key(self, view: impl AsView) -> Result<String, Error> {
        let view = view.as_view();
        let rules = match self.by {
            By::Level(Level::Simple) => return Ok(String::from(self.of(view).as_str())),
            By::Level(level) => level.rules(),
            By::Rules(rules) => rules,
        };
        let uri = ToUri::new().map(self.of(view))?;
        let normal = uri.view().normalize(rules)?;
        Ok(String::from(rules.compared(normal.view())))
    }

    /// Replaces the content of `text` with the key of a reference. Up to [`Level::Scheme`], nothing is allocated if
    /// `text` has room and the reference needs no change but triplets.
    ///
    /// # Errors
    /// The key has 4 GiB or more. In this case, `text` is empty.
    ///
    /// ```
    /// # use simd_iri::{Compare, Level, iri};
    /// let mut text = String::from("the key before");
    /// Compare::new(Level::Syntax).key_into(iri!("A:é"), &mut text)?;
    /// assert_eq!(text, "a:%C3%A9");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn key_into(self, view: impl AsView, text: &mut String) -> Result<(), Error> {
        let view = view.as_view();
        text.clear();
        let form = match self.by {
            By::Level(Level::Simple | Level::Syntax | Level::Scheme) => self.form(self.of(view)),
            // A domain or a single rule may change what the form does not know.
            _ => KeyForm::Other,
        };
        match form {
            KeyForm::Key => text.push_str(self.of(view).as_str()),
            KeyForm::Mapped => {
                ToUri::new().map_into(self.of(view), text)?;
            }
            KeyForm::Other => *text = self.key(view)?,
        }
        Ok(())
    }

    /// Returns the key of a reference, or the reference as it is if the key would have 4 GiB or more.
    fn written<K: Kind>(self, view: View<'_, K>) -> String {
        self.key(view).unwrap_or_else(|_| String::from(self.of(view).as_str()))
    }

    /// Tells whether the keys of two references are equal after the function `rule` has rewritten each key. This is
    /// protocol-based normalization (RFC 3987, section 5.3.4): `rule` knows a single site or protocol.
    ///
    /// # Errors
    /// A key has 4 GiB or more.
    ///
    /// ```
    /// # use simd_iri::{Compare, Level, iri};
    /// // On this site a slash at the end means nothing.
    /// let rule = |key: String| key.trim_end_matches('/').to_owned();
    /// let by = Compare::new(Level::Scheme);
    /// assert!(by.equivalent_by(iri!("http://a/b/"), iri!("http://A/b"), rule)?);
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn equivalent_by<T: PartialEq>(
        self,
        a: impl AsView,
        b: impl AsView,
        rule: impl Fn(String) -> T,
    ) -> Result<bool, Error> {
        let a = a.as_view();
        let b = b.as_view();
        Ok(rule(self.key(a)?) == rule(self.key(b)?))
    }

    /// Returns the part of a reference that is compared: the whole reference, or the reference without its fragment.
    fn of<K: Kind>(self, view: View<'_, K>) -> View<'_, K> {
        if self.fragment { view } else { view.without_fragment() }
    }

    /// Tells whether it is certain that a reference is its own key.
    fn is_key<K: Kind>(self, view: View<'_, K>) -> bool {
        self.form(view) == KeyForm::Key
    }

    /// Returns how the key of a reference is found.
    fn form<K: Kind>(self, view: View<'_, K>) -> KeyForm {
        let rules = match self.by {
            By::Level(Level::Simple) => return KeyForm::Key,
            By::Level(level) => level.rules(),
            By::Rules(rules) => rules,
        };
        // The key is a URI, so that no character outside ASCII is decoded.
        let Some(scan) = rules.prescan(&view, false) else { return KeyForm::Other };
        let text = view.as_str();
        match scan.is_plain(text, || view.path()) {
            true if K::RULE.ascii_only() || scan.is_ascii() => KeyForm::Key,
            true => KeyForm::Mapped,
            false => KeyForm::Other,
        }
    }

    /// Tells whether the key is the key of [`Level::Scheme`].
    fn is_scheme(self) -> bool {
        self.by == By::Level(Level::Scheme)
    }

    /// Returns the bytes of the key of a reference.
    fn bytes<K: Kind>(self, view: View<'_, K>) -> impl Iterator<Item = u8> {
        key(view, self.is_scheme()).flatten().copied()
    }
}

/// What is known about the key of a reference.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KeyForm {
    /// The key is the reference.
    Key,
    /// The key is the reference with triplets in place of the bytes outside ASCII.
    Mapped,
    /// Nothing is known.
    Other,
}

/// A hasher, and the short pieces that wait for it, so that not each triplet is a call.
struct Pieces {
    state: SipHasher13,
    buffer: [u8; 64],
    /// The number of bytes in the buffer.
    length: usize,
}

impl Pieces {
    fn push(&mut self, piece: &[u8]) {
        match *piece {
            [byte] => self.push_short([byte]),
            [percent, first, second] => self.push_short([percent, first, second]),
            _ => {
                self.flush();
                self.state.write(piece);
            }
        }
    }

    fn push_short<const N: usize>(&mut self, piece: [u8; N]) {
        if self.length + N > self.buffer.len() {
            self.flush();
        }
        if let Some(room) = self.buffer.get_mut(self.length..self.length + N) {
            room.copy_from_slice(&piece);
            self.length += N;
        }
    }

    fn flush(&mut self) {
        self.state.write(slice::bytes(&self.buffer, ..self.length));
        self.length = 0;
    }
}
