//! Redacts the secrets of references before they are logged: user information, and the values of secret keys.
//!
//! ```
//! use simd_iri_redact::Redact;
//!
//! let redacted = Redact::default().redact("https://me:s3cret@h/?sig=x");
//! assert_eq!(redacted, "https://REDACTED:REDACTED@h/?sig=REDACTED");
//! ```
//!
//! Here: the options and the results. Not here: where secrets are (`find`), which keys are secret (`sets`, `key`).
#![cfg_attr(not(test), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

mod authority;
mod find;
mod key;
mod redacted;
mod sets;
mod signs;
mod spelling;
mod words;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write};
use core::iter;
use core::ops::Range;

pub use find::Redactions;
use key::SecretKeys;
pub use redacted::Redacted;
pub use sets::SecretSet;
use simd_iri::low::{named, slice};
use simd_iri::{Component, Error, ErrorKind, component::ComponentRule, errors::UnknownName};

/// How the secrets of a text are redacted.
///
/// The text is a reference, or what should be one: an invalid reference in a log is where secrets are. No text is an
/// error. Every byte outside the secrets stays as it is. Redacting a redacted text changes nothing.
///
/// ```
/// use simd_iri_redact::{Redact, SecretSet};
///
/// let redact = Redact::default();
/// assert_eq!(redact.redact("https://me:s3cret@h/?q=a b&sig=x"), "https://REDACTED:REDACTED@h/?q=a b&sig=REDACTED");
/// assert_eq!(redact.redact("/cb?code=x&q=y#access_token=z"), "/cb?code=REDACTED&q=y#access_token=REDACTED");
/// let redact = Redact::new(SecretSet::Otel).keys(&["pin"]);
/// assert_eq!(redact.redact("/?sig=x&pin=y&token=z"), "/?sig=REDACTED&pin=REDACTED&token=z");
/// ```
///
/// # What is secret
/// - User information, in every form: [`userinfo`](Self::userinfo). It is everything before the last `@` of the
///   authority. The schemes `http`, `https`, `ws`, `wss` and `ftp` have an authority also with other slashes than two,
///   as in browsers. A password may hold a `/`, a `?` or a `#`, if what is before it is not a host with a port.
/// - The values of keys in the query: the text after the first `=` of a pair, up to the next `&`. SecretKeys are those of the
///   [sets](Self::set) and [own](Self::keys) keys. They are compared as they are written, and as a server reads them.
/// - The values of keys in the [fragment](Self::fragment), and [session identifiers](Self::session_ids) in the path, in
///   the sets that have them.
/// - By option, references [in values](Self::nested), and the content of [`data:`](Self::data).
///
/// References with the schemes `mailto`, `tel` and `javascript` stay as they are.
///
/// # Cost
/// One pass over the text. Nothing is allocated if nothing is redacted, unless a key has triplets or references are
/// nested.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[must_use]
pub struct Redact<'s> {
    keys: SecretKeys<'s>,
    userinfo: RedactUserinfo,
    part: RedactPart,
    replacement: &'s str,
    semicolons: bool,
    whatwg: bool,
    nested: Option<u8>,
    fragment: Option<bool>,
    session_ids: Option<bool>,
    /// Whether the content of `data:` is redacted.
    keeps_no_data: bool,
}

/// What is written in the place of user information.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum RedactUserinfo {
    /// `REDACTED:REDACTED` if there is a colon, otherwise `REDACTED`.
    #[default]
    Shape,
    /// `REDACTED:REDACTED`, as in the example of OpenTelemetry.
    Both,
    /// The name of the user stays, and the text after the first colon is redacted (RFC 3986, section 7.5).
    Password,
    /// Nothing, and the `@` is removed too (RFC 9110, section 4.2.4).
    Drop,
}

named! {
    /// Returns the name in lower case.
    "simd_iri_redact::RedactUserinfo" RedactUserinfo {
        Shape = "shape",
        Both = "both",
        Password = "password",
        Drop = "drop",
    }
}

/// What the text is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum RedactPart {
    /// A reference, with or without a scheme.
    #[default]
    Reference,
    /// The target of an HTTP request: a text that begins with a slash has no authority.
    Target,
    /// A query. One `?` before it is no part of its first key. A `#` does not end it.
    Query,
    /// Running text: prose, a line of a log, or a document. Each word that may be a reference is redacted to its end,
    /// without the punctuation after it. The text of words that are not references stays: `password=x` is not redacted,
    /// `/?password=x` is.
    Text,
}

named! {
    /// Returns the name in lower case.
    "simd_iri_redact::RedactPart" RedactPart {
        Reference = "reference",
        Target = "target",
        Query = "query",
        Text = "text",
    }
}

/// Why a range is redacted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// It is user information, or the password in it.
    Userinfo,
    /// It is the value of a secret key in the query.
    QueryKey,
    /// It is the value of a secret key in the fragment.
    FragmentKey,
    /// It is a value or a segment that is a reference with a secret.
    Nested,
    /// It is the session identifier in a path.
    SessionId,
    /// It is the content of a `data:` reference.
    Data,
}

named! {
    /// Returns the name in kebab-case.
    "simd_iri_redact::Reason" Reason {
        Userinfo = "userinfo",
        QueryKey = "query-key",
        FragmentKey = "fragment-key",
        Nested = "nested",
        SessionId = "session-id",
        Data = "data",
    }
}

/// A range of a text that is redacted. `Display` writes the text that stands in its place. It holds no text of the
/// input.
///
/// ```
/// use simd_iri_redact::{Reason, Redact, SecretSet};
///
/// let text = "//u@h/?code=x";
/// let all: Vec<_> = Redact::new(SecretSet::OAuth).redactions(text).collect();
/// assert_eq!((all[0].span(), all[0].reason(), all[0].to_string()), (2..3, Reason::Userinfo, "REDACTED".to_owned()));
/// assert_eq!((all[1].span(), all[1].reason(), all[1].set()), (12..13, Reason::QueryKey, Some(SecretSet::OAuth)));
/// assert_eq!(&text[all[1].key()], "code");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Redaction<'s> {
    start: usize,
    end: usize,
    key: (usize, usize),
    reason: Reason,
    set: Option<SecretSet>,
    written: Written,
    replacement: &'s str,
}

/// What is written in the place of a range.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Written {
    Nothing,
    Once,
    /// With a colon between both.
    Twice,
    /// With the length of the range, in bytes.
    Length(usize),
}

/// A part of a redacted text.
enum RedactedPiece<'s> {
    Kept(Range<usize>),
    Redacted(Redaction<'s>),
}

impl Redaction<'_> {
    /// Returns the range of the input, as byte offsets.
    ///
    /// ```
    /// # use simd_iri_redact::Redact;
    /// assert_eq!(Redact::default().redactions("?sig=x").next().unwrap().span(), 5..6);
    /// ```
    #[must_use]
    pub const fn span(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Returns why the range is redacted.
    ///
    /// ```
    /// # use simd_iri_redact::{Reason, Redact};
    /// assert_eq!(Redact::default().redactions("?sig=x").next().unwrap().reason(), Reason::QueryKey);
    /// ```
    #[must_use]
    pub const fn reason(&self) -> Reason {
        self.reason
    }

    /// Returns the range of the key in the input, as byte offsets: the text before the `=`. The range is empty if there
    /// is no key.
    ///
    /// ```
    /// # use simd_iri_redact::Redact;
    /// assert_eq!(Redact::default().redactions("?sig=x").next().unwrap().key(), 1..4);
    /// ```
    #[must_use]
    pub const fn key(&self) -> Range<usize> {
        self.key.0..self.key.1
    }

    /// Returns the set that has the key; of several sets, the first in the order of [`SecretSet::ALL`]. An own key has
    /// no set.
    ///
    /// ```
    /// # use simd_iri_redact::{Redact, SecretSet};
    /// assert_eq!(Redact::default().redactions("?sig=x").next().unwrap().set(), Some(SecretSet::Otel));
    /// ```
    #[must_use]
    pub const fn set(&self) -> Option<SecretSet> {
        self.set
    }
}

/// Writes the text that stands in the place of the range.
impl fmt::Display for Redaction<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f)
    }
}

impl Redaction<'_> {
    /// Returns the redaction of a text that begins `by` bytes before.
    fn moved(self, by: usize) -> Self {
        let key = (self.key.0 + by, self.key.1 + by);
        Self { start: self.start + by, end: self.end + by, key, ..self }
    }

    fn write(&self, out: &mut impl Write) -> fmt::Result {
        let replacement = self.replacement;
        if self.written != Written::Nothing {
            out.write_str(replacement)?;
        }
        match self.written {
            Written::Nothing | Written::Once => Ok(()),
            Written::Twice => {
                out.write_char(':')?;
                out.write_str(replacement)
            }
            Written::Length(length) => write!(out, "({length})"),
        }
    }
}

/// The most levels of nested references.
const MOST_LEVELS: u8 = 4;

/// The redaction of user information and of the keys of [`SecretSet::DEFAULT`].
impl Default for Redact<'_> {
    fn default() -> Self {
        // What is known of the keys is computed by the compiler.
        const DEFAULT: Redact<'static> = Redact::none().sets(SecretSet::DEFAULT);
        DEFAULT
    }
}

impl<'s> Redact<'s> {
    /// Returns the redaction of user information and of the keys of a set.
    ///
    /// ```
    /// # use simd_iri_redact::{Redact, SecretSet};
    /// let redact = Redact::new(SecretSet::AzureSas);
    /// assert_eq!(redact.redact("https://h/c?sp=r&sig=x"), "https://h/c?sp=r&sig=REDACTED");
    /// ```
    pub const fn new(set: SecretSet) -> Self {
        Self::none().set(set)
    }

    /// Returns the redaction of user information alone.
    ///
    /// ```
    /// # use simd_iri_redact::Redact;
    /// assert_eq!(Redact::none().redact("//u:p@h/?sig=x"), "//REDACTED:REDACTED@h/?sig=x");
    /// ```
    pub const fn none() -> Self {
        Self {
            keys: SecretKeys::NONE,
            userinfo: RedactUserinfo::Shape,
            part: RedactPart::Reference,
            replacement: "REDACTED",
            semicolons: false,
            whatwg: false,
            nested: None,
            fragment: None,
            session_ids: None,
            keeps_no_data: false,
        }
    }

    /// Returns the redaction with sets by their names, separated by commas: [`SecretSet::DEFAULT`] for the empty text, and
    /// user information alone for `none`. Other languages, commands and settings of servers name sets so.
    ///
    /// # Errors
    /// A name is not that of a set.
    ///
    /// ```
    /// # use simd_iri_redact::{Redact, SecretSet};
    /// assert_eq!(Redact::by_names("gcs,oauth")?, Redact::new(SecretSet::Gcs).set(SecretSet::OAuth));
    /// assert_eq!(Redact::by_names("")?, Redact::default());
    /// assert_eq!(Redact::by_names("none")?, Redact::none());
    /// assert!(Redact::by_names("gcs,none").is_err());
    /// # Ok::<(), simd_iri::errors::UnknownName>(())
    /// ```
    pub fn by_names(names: &str) -> Result<Self, UnknownName> {
        match names {
            "" => Ok(Self::default()),
            "none" => Ok(Self::none()),
            _ => names
                .split(',')
                .try_fold(Self::none(), |redact, name| Ok(redact.set(name.parse()?))),
        }
    }

    /// Adds the keys of some sets.
    #[doc(hidden)]
    pub const fn sets(self, sets: &[SecretSet]) -> Self {
        let (mut redact, mut rest) = (self, sets);
        while let [set, others @ ..] = rest {
            redact = redact.set(*set);
            rest = others;
        }
        redact
    }

    /// Adds the keys of a set.
    ///
    /// ```
    /// # use simd_iri_redact::{Redact, SecretSet};
    /// let redact = Redact::new(SecretSet::Gcs).set(SecretSet::AzureSas);
    /// assert_eq!(redact.redact("?sig=x&Signature=y"), "?sig=REDACTED&Signature=REDACTED");
    /// ```
    pub const fn set(self, set: SecretSet) -> Self {
        Self { keys: self.keys.with_set(set), ..self }
    }

    /// Sets the own keys. A key is a list of words, however a name spells them. A `*` stands for any text, and beside a
    /// separator of words for any words, also for none.
    ///
    /// ```
    /// # use simd_iri_redact::Redact;
    /// let redact = Redact::none().keys(&["user-pin", "*-code"]);
    /// assert_eq!(redact.redact("?userPin=x&USER_PIN=y&pin=z"), "?userPin=REDACTED&USER_PIN=REDACTED&pin=z");
    /// assert_eq!(redact.redact("?code=x&zip.code=y&barcode=z"), "?code=REDACTED&zip.code=REDACTED&barcode=z");
    /// ```
    pub const fn keys(self, keys: &'s [&'s str]) -> Self {
        Self { keys: self.keys.with_own(keys), ..self }
    }

    /// Sets whether the keys of OpenTelemetry are lists of words, too. The default is `false`: they are compared byte by
    /// byte, as the convention says.
    ///
    /// ```
    /// # use simd_iri_redact::{Redact, SecretSet};
    /// assert_eq!(Redact::new(SecretSet::Otel).any_case(true).redact("?SIG=x"), "?SIG=REDACTED");
    /// ```
    pub const fn any_case(self, any_case: bool) -> Self {
        Self { keys: SecretKeys { any_case, ..self.keys }, ..self }
    }

    /// Sets whether keys are compared only as they are written. The default is `false`: triplets are decoded, a `+` is
    /// a space, and what browsers ignore is ignored.
    ///
    /// ```
    /// # use simd_iri_redact::Redact;
    /// assert_eq!(Redact::default().redact("?%73ig=x"), "?%73ig=REDACTED");
    /// assert_eq!(Redact::default().raw(true).redact("?%73ig=x"), "?%73ig=x");
    /// ```
    pub const fn raw(self, raw: bool) -> Self {
        Self { keys: SecretKeys { raw, ..self.keys }, ..self }
    }

    /// Sets what is written in the place of user information.
    ///
    /// ```
    /// # use simd_iri_redact::{Redact, RedactUserinfo};
    /// let redact = |userinfo| Redact::default().userinfo(userinfo).redact("//u:p@h").into_owned();
    /// assert_eq!(redact(RedactUserinfo::Password), "//u:REDACTED@h");
    /// assert_eq!(redact(RedactUserinfo::Drop), "//h");
    /// ```
    pub const fn userinfo(self, userinfo: RedactUserinfo) -> Self {
        Self { userinfo, ..self }
    }

    /// Sets what the text is.
    ///
    /// ```
    /// # use simd_iri_redact::{Redact, RedactPart};
    /// assert_eq!(Redact::default().part(RedactPart::Query).redact("q=a&sig=x"), "q=a&sig=REDACTED");
    /// assert_eq!(Redact::default().part(RedactPart::Target).redact("//a@b?sig=x"), "//a@b?sig=REDACTED");
    /// let text = Redact::default().part(RedactPart::Text);
    /// assert_eq!(text.redact("See (https://u:p@h/?sig=x), a@b."), "See (https://REDACTED:REDACTED@h/?sig=REDACTED), a@b.");
    /// ```
    pub const fn part(self, part: RedactPart) -> Self {
        Self { part, ..self }
    }

    /// Sets the replacement. The default is `REDACTED`. A replacement with brackets, such as `[Filtered]`, makes a text
    /// that is not a reference; `%5BFiltered%5D` does not.
    ///
    /// # Errors
    /// The replacement is empty, or has a character that is not allowed in a query, or that would end the value: one of
    /// `/?:@&=;`.
    ///
    /// ```
    /// # use simd_iri_redact::Redact;
    /// assert_eq!(Redact::default().replacement("*")?.redact("//u:p@h/?sig=x"), "//*:*@h/?sig=*");
    /// assert_eq!(Redact::default().replacement("a&b").unwrap_err().span(), 1..2);
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn replacement(self, replacement: &'s str) -> Result<Self, Error> {
        let is_allowed = |c: char| {
            let is_query = ComponentRule::Iquery.validate(c.encode_utf8(&mut [0; 4])).is_ok();
            (is_query && !matches!(c, '/' | '?' | ':' | '@' | '&' | '=' | ';')) || "[]%".contains(c)
        };
        if replacement.is_empty() {
            // A segment without a text would make two slashes of the slashes around it.
            ComponentRule::IsegmentNz.validate(replacement)?;
        }
        match replacement.char_indices().find(|(_, c)| !is_allowed(*c)) {
            None => Ok(Self { replacement, ..self }),
            Some((at, c)) => {
                let (kind, span) = (ErrorKind::NotAllowed, at..at + c.len_utf8());
                Err(Error::new(kind, Component::Query, span, c.into()))
            }
        }
    }

    /// Sets whether a semicolon separates pairs, too. The default is `false`.
    ///
    /// ```
    /// # use simd_iri_redact::Redact;
    /// assert_eq!(Redact::default().semicolons(true).redact("?a=1;sig=x"), "?a=1;sig=REDACTED");
    /// ```
    pub const fn semicolons(self, semicolons: bool) -> Self {
        Self { semicolons, ..self }
    }

    /// Sets whether a backslash ends an authority, as in browsers. The default is `false`: then a backslash ends it
    /// only after a backslash that begins it, which no reference has.
    ///
    /// ```
    /// # use simd_iri_redact::Redact;
    /// assert_eq!(Redact::default().redact(r"https://h\a@b"), r"https://REDACTED@b");
    /// assert_eq!(Redact::default().whatwg(true).redact(r"https://h\a@b"), r"https://h\a@b");
    /// assert_eq!(Redact::default().redact(r"https:\\u@h\a@b"), r"https:\\REDACTED@h\a@b");
    /// ```
    pub const fn whatwg(self, whatwg: bool) -> Self {
        Self { whatwg, ..self }
    }

    /// Sets how often a value or a segment is decoded to find a secret in it. If there is one, the whole value is
    /// redacted. The default is 1 in running text, and otherwise 0; more than 4 is 4. User information of an address in a path that is not encoded is
    /// redacted too, alone.
    ///
    /// ```
    /// # use simd_iri_redact::Redact;
    /// let redact = Redact::default().nested(1);
    /// assert_eq!(redact.redact("?u=https%3A%2F%2Fu%3Ap%40h&v=%2Fa"), "?u=REDACTED&v=%2Fa");
    /// assert_eq!(redact.redact("/web/http://u:p@h/"), "/web/http://REDACTED:REDACTED@h/");
    /// ```
    pub const fn nested(self, levels: u8) -> Self {
        Self { nested: Some(if levels < MOST_LEVELS { levels } else { MOST_LEVELS }), ..self }
    }

    /// Sets whether the pairs of the fragment are redacted. By default, they are with the sets
    /// [`OAuth`](SecretSet::OAuth) and [`Common`](SecretSet::Common).
    ///
    /// ```
    /// # use simd_iri_redact::{Redact, SecretSet};
    /// assert_eq!(Redact::new(SecretSet::Otel).fragment(true).redact("#/a?sig=x"), "#/a?sig=REDACTED");
    /// assert_eq!(Redact::new(SecretSet::OAuth).fragment(false).redact("#token=x"), "#token=x");
    /// ```
    pub const fn fragment(self, fragment: bool) -> Self {
        Self { fragment: Some(fragment), ..self }
    }

    /// Sets whether `;jsessionid=` in a path is redacted. By default, it is with the set [`Common`](SecretSet::Common).
    ///
    /// ```
    /// # use simd_iri_redact::{Redact, SecretSet};
    /// let redact = Redact::new(SecretSet::Otel).session_ids(true);
    /// assert_eq!(redact.redact("/a;jsessionid=x/b"), "/a;jsessionid=REDACTED/b");
    /// ```
    pub const fn session_ids(self, session_ids: bool) -> Self {
        Self { session_ids: Some(session_ids), ..self }
    }

    /// Sets whether the content of `data:` is redacted, except in running text. Its length in bytes is written after
    /// the replacement. The default is `false`.
    ///
    /// ```
    /// # use simd_iri_redact::Redact;
    /// assert_eq!(Redact::default().data(true).redact("data:text/plain,abc"), "data:text/plain,REDACTED(3)");
    /// ```
    pub const fn data(self, data: bool) -> Self {
        Self { keeps_no_data: data, ..self }
    }

    /// Returns the text without its secrets. Borrows the text if it has none.
    ///
    /// The result has at most `2 * r + 2` bytes more than the text for user information or data, and `r` bytes more for
    /// each other range, if `r` is the length of the replacement.
    ///
    /// ```
    /// # use simd_iri_redact::Redact;
    /// let text = Redact::default().redact("/?q=a");
    /// assert!(matches!(text, std::borrow::Cow::Borrowed("/?q=a")));
    /// ```
    #[must_use]
    pub fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let Some(mut found) = Redactions::of(self, text.as_bytes()) else {
            return Cow::Borrowed(text);
        };
        let Some(first) = found.next() else { return Cow::Borrowed(text) };
        let mut redacted = String::with_capacity(text.len() + 2 * self.replacement.len());
        push(text, iter::once(first).chain(found), &mut redacted);
        Cow::Owned(redacted)
    }

    /// Does what [`redact`](Self::redact) does, with bytes that need not be UTF-8.
    ///
    /// ```
    /// # use simd_iri_redact::Redact;
    /// assert_eq!(&*Redact::default().redact_bytes(b"//u:\xFF@h/\xFF"), b"//REDACTED:REDACTED@h/\xFF");
    /// ```
    #[must_use]
    pub fn redact_bytes<'t>(&self, bytes: &'t [u8]) -> Cow<'t, [u8]> {
        let Some(mut found) = Redactions::of(self, bytes) else { return Cow::Borrowed(bytes) };
        let Some(first) = found.next() else { return Cow::Borrowed(bytes) };
        let mut redacted = Vec::with_capacity(bytes.len() + 2 * self.replacement.len());
        push_bytes(bytes, iter::once(first).chain(found), &mut redacted);
        Cow::Owned(redacted)
    }

    /// Appends the text without its secrets to `out`. Returns the number of ranges that were redacted.
    ///
    /// ```
    /// # use simd_iri_redact::Redact;
    /// let mut line = String::from("GET ");
    /// assert_eq!(Redact::default().push_to("/?sig=x&sig=y", &mut line), 2);
    /// assert_eq!(line, "GET /?sig=REDACTED&sig=REDACTED");
    /// ```
    pub fn push_to(&self, text: &str, out: &mut String) -> usize {
        push(text, self.redactions(text), out)
    }

    /// Does what [`push_to`](Self::push_to) does, with bytes that need not be UTF-8.
    ///
    /// ```
    /// # use simd_iri_redact::Redact;
    /// let mut line = Vec::new();
    /// assert_eq!(Redact::default().push_bytes_to(b"/\xFF?sig=x", &mut line), 1);
    /// assert_eq!(line, b"/\xFF?sig=REDACTED");
    /// ```
    pub fn push_bytes_to(&self, bytes: &[u8], out: &mut Vec<u8>) -> usize {
        push_bytes(bytes, self.redactions(bytes), out)
    }

    /// Returns the ranges that are redacted, in the order of the text. They do not overlap. A range that holds its
    /// replacement already is not among them.
    ///
    /// ```
    /// # use simd_iri_redact::Redact;
    /// let redact = Redact::default();
    /// assert_eq!(redact.redactions("?sig=x&a=b&sig=REDACTED").map(|one| one.span()).collect::<Vec<_>>(), [5..6]);
    /// assert_eq!(redact.redactions(b"\xFF?sig=x&sig=y").count(), 2);
    /// ```
    pub fn redactions<'t, T: AsRef<[u8]> + ?Sized>(&self, text: &'t T) -> Redactions<'s, 't> {
        Redactions::of(self, text.as_ref()).unwrap_or_else(|| Redactions::none(self))
    }

    /// Returns the text as a value whose `Display` and `Debug` write it without its secrets.
    ///
    /// ```
    /// # use simd_iri_redact::Redact;
    /// assert_eq!(format!("{:?}", Redact::default().wrap("//u:p@h")), r#""//REDACTED:REDACTED@h""#);
    /// ```
    pub const fn wrap<T>(self, text: T) -> Redacted<'s, T> {
        Redacted { rules: self, text }
    }

    /// Returns how often a value is decoded to find a secret in it. A line of a log has references in references, which a
    /// caller who has a reference can ask for.
    #[inline]
    fn levels(&self) -> u8 {
        self.nested.unwrap_or(u8::from(self.part == RedactPart::Text))
    }

    /// Tells whether the pairs of the fragment are redacted.
    fn has_fragment(&self) -> bool {
        let is_usual = || self.keys.sets.iter().any(SecretSet::is_in_fragments);
        self.fragment.unwrap_or_else(is_usual)
    }

    /// Tells whether session identifiers in the path are redacted.
    fn has_session_ids(&self) -> bool {
        self.session_ids.unwrap_or(self.keys.sets.has(SecretSet::Common))
    }
}

/// Calls `piece` with each piece of a redacted text. Returns the number of redactions.
fn each<'s, E>(
    length: usize,
    found: impl Iterator<Item = Redaction<'s>>,
    mut piece: impl FnMut(RedactedPiece<'s>) -> Result<(), E>,
) -> Result<usize, E> {
    let (mut done, mut count) = (0, 0);
    for redaction in found {
        piece(RedactedPiece::Kept(done..redaction.start))?;
        piece(RedactedPiece::Redacted(redaction))?;
        done = redaction.end;
        count += 1;
    }
    piece(RedactedPiece::Kept(done..length))?;
    Ok(count)
}

/// Appends a redacted text. Returns the number of redactions.
fn push<'s>(text: &str, found: impl Iterator<Item = Redaction<'s>>, out: &mut String) -> usize {
    let pushed = each(text.len(), found, |piece| match piece {
        RedactedPiece::Kept(range) => out.write_str(slice::text(text, range)),
        RedactedPiece::Redacted(redaction) => redaction.write(out),
    });
    // A `String` takes everything that is written.
    pushed.unwrap_or_default()
}

/// Does what [`push`] does, with bytes.
fn push_bytes<'s>(
    bytes: &[u8],
    found: impl Iterator<Item = Redaction<'s>>,
    out: &mut Vec<u8>,
) -> usize {
    let pushed = each(bytes.len(), found, |piece| match piece {
        RedactedPiece::Kept(range) => {
            out.extend_from_slice(slice::bytes(bytes, range));
            Ok(())
        }
        RedactedPiece::Redacted(redaction) => redaction.write(&mut AppendedBytes(out)),
    });
    pushed.unwrap_or_default()
}

/// AppendedBytes to which text is appended.
struct AppendedBytes<'o>(&'o mut Vec<u8>);

impl Write for AppendedBytes<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
    }
}
