//! Queries of pairs, `name=value&name=value`: reads, writes, sorts and filters the pairs.
//!
//! No RFC defines the content of a query; RFC 3986, section 3.4, only says that it is often pairs. The convention of
//! HTML forms (`application/x-www-form-urlencoded` of the URL Standard) differs in one point: a plus sign is a space.
//! The methods with `form` in their name follow that convention, and [`FormPair`] is a pair of it. The methods are those of
//! [`View`], [`Buf`] and [`Builder`]; the module has the types of pairs. Not here: queries as a whole (`build`).

/*
# The algorithm

A query is split at each `&`, and a pair at its first `=`:

    read (`Pairs`)                 split, then decode name and value
    write (`joined`)               encode name and value, so that no character of them is a separator, then join
    sort (`sort_query_pairs`)      split, sort by the decoded names, and join the pairs as they were written
    remove (`with_kept_pairs`)     split, ask about each decoded pair, and join the other pairs as they were written

For example:

    ?b=%31&a&&b=2    pairs      ("b", "1"), ("a", ""), ("b", "2")    the empty pair is skipped
                     sorted     ?a&b=%31&b=2                         `%31` stays; the pairs of `b` keep their order
                     without b  ?a&                                  the empty piece stays

# Invariant

Sorting and removing decode names and values only to compare them or to ask about them. A pair that stays is not encoded
again, because encoding may change its spelling.
*/

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::iter::FusedIterator;

use super::{Builder, encoded};
use crate::error::Error;
use crate::parse::Delimited;
use crate::reference::kind::Kind;
use crate::reference::{self, Buf, View};
use crate::transform::percent::{QueryPart, decode};

#[cfg(feature = "serde")]
pub use super::query_serde::{QueryError, pairs_of};

/// A space, as it is written in a query of plain pairs.
pub(super) const SPACE: &str = "%20";

/// A space, as it is written in a query of pairs of a form.
pub(super) const FORM_SPACE: &str = "+";

mod sealed {
    pub trait Pair {
        /// A space, as it is written in this pair.
        const SPACE: &'static str;

        /// Returns the name and the value.
        fn texts(&self) -> (&str, &str);
    }
}

/// A pair that a query is written from: `(name, value)`, or a [`FormPair`]. Sealed.
///
/// ```
/// use simd_iri::{IriRefBuf, query::{FormPair, QueryPair}};
///
/// fn written(pair: impl QueryPair) -> IriRefBuf {
///     IriRefBuf::builder().query_pairs([pair]).build().unwrap()
/// }
/// assert_eq!(written(("q", "a b")), "?q=a%20b");
/// assert_eq!(written(FormPair("q", "a b")), "?q=a+b");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a pair of a name and a value",
    label = "not a pair of a query",
    note = "the pairs are `(name, value)` and `FormPair(name, value)` with texts such as `&str` and `String`"
)]
pub trait QueryPair: sealed::Pair {}

impl<N: AsRef<str>, V: AsRef<str>> sealed::Pair for (N, V) {
    const SPACE: &'static str = SPACE;

    fn texts(&self) -> (&str, &str) {
        (self.0.as_ref(), self.1.as_ref())
    }
}

impl<N: AsRef<str>, V: AsRef<str>> QueryPair for (N, V) {}

/// As an iterator of a list gives its pairs.
impl<P: sealed::Pair> sealed::Pair for &P {
    const SPACE: &'static str = P::SPACE;

    fn texts(&self) -> (&str, &str) {
        P::texts(self)
    }
}

impl<P: QueryPair> QueryPair for &P {}

/// A name and a value by the convention of HTML forms (`application/x-www-form-urlencoded`): a plus sign in the query
/// is a space.
///
/// [`View::query_form`] reads such pairs. Every method that writes pairs writes them by the same convention, so pairs
/// of a form do not become plain pairs by mistake. To convert a pair, write it as `(name, value)`.
///
/// ```
/// use simd_iri::{IriBuf, query::FormPair};
///
/// let mut iri: IriBuf = "http://a?q=1+%2B+1&page=2".parse()?;
/// let form = iri.clone();
/// iri.set_query_pairs(form.query_form().filter(|FormPair(name, _)| name != "page"))?;
/// assert_eq!(iri, "http://a?q=1+%2B+1");
/// iri.set_query_pairs(form.query_form().map(|FormPair(name, value)| (name, value)))?;
/// assert_eq!(iri, "http://a?q=1%20%2B%201&page=2");
/// # Ok::<(), simd_iri::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FormPair<N, V = N>(
    /// The name.
    pub N,
    /// The value.
    pub V,
);

impl<N: AsRef<str>, V: AsRef<str>> sealed::Pair for FormPair<N, V> {
    const SPACE: &'static str = FORM_SPACE;

    fn texts(&self) -> (&str, &str) {
        (self.0.as_ref(), self.1.as_ref())
    }
}

impl<N: AsRef<str>, V: AsRef<str>> QueryPair for FormPair<N, V> {}

/// An iterator of the pairs of a form, decoded, in order. [`View::query_form`] returns it. Otherwise it
/// does what [`Pairs`] does.
///
/// ```
/// use simd_iri::{iri, query::FormPair};
///
/// let mut pairs = iri!("http://a?x=1+2&b+c").query_form();
/// assert_eq!(pairs.next(), Some(FormPair("x".into(), "1 2".into())));
/// assert!(pairs.eq([FormPair("b c".into(), "".into())]));
/// ```
#[derive(Clone, Debug)]
pub struct FormPairs<'a>(pub(super) Pairs<'a>);

impl<'a> Iterator for FormPairs<'a> {
    type Item = FormPair<Cow<'a, str>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(name, value)| FormPair(name, value))
    }
}

impl FusedIterator for FormPairs<'_> {}

/// An iterator of the names and values of a query, decoded, in order.
///
/// An `&` separates two pairs, and empty pairs are skipped. The first `=` of a pair ends its name. Without an `=`, the
/// value is empty. Octets that are not UTF-8 are decoded to U+FFFD.
///
/// ```
/// use simd_iri::iri;
///
/// let mut pairs = iri!("http://a?x=1%262&&é&y==%FF").query_pairs();
/// assert_eq!(pairs.next(), Some(("x".into(), "1&2".into())));
/// assert!(pairs.eq([("é".into(), "".into()), ("y".into(), "=\u{FFFD}".into())]));
/// ```
#[derive(Clone, Debug)]
pub struct Pairs<'a> {
    pub(crate) rest: core::str::Split<'a, char>,
    pub(crate) is_form: bool,
    /// The charset of the octets, if it is not UTF-8, and the function that decodes it: without this pointer, every program
    /// that reads pairs has the tables of all charsets.
    #[cfg(feature = "charset")]
    pub(crate) charset: Option<(&'static encoding_rs::Encoding, DecodeOctets)>,
}

/// Decodes a name or a value.
#[cfg(feature = "charset")]
pub(crate) type DecodeOctets = fn(&str, &'static encoding_rs::Encoding) -> String;

impl<'a> Iterator for Pairs<'a> {
    type Item = (Cow<'a, str>, Cow<'a, str>);

    fn next(&mut self) -> Option<Self::Item> {
        let (name, value) = halves(self.rest.find(|pair| !pair.is_empty())?);
        let decoded = |text: &'a str| {
            #[cfg(feature = "charset")]
            if let Some((charset, decode)) = self.charset {
                let text = if self.is_form { text.replace('+', " ") } else { text.into() };
                return Cow::Owned(decode(&text, charset));
            }
            // The plus signs become spaces before the triplets are decoded. So `%2B` is a plus sign.
            if self.is_form && text.contains('+') {
                Cow::Owned(decode(&text.replace('+', " ")).lossy().into_owned())
            } else {
                decode(text).lossy()
            }
        };
        Some((decoded(name), decoded(value)))
    }
}

impl FusedIterator for Pairs<'_> {}

/// Returns the name and the value of a pair.
pub(crate) fn halves(pair: &str) -> (&str, &str) {
    pair.split_once('=').unwrap_or((pair, ""))
}

impl<'a, K: Kind> View<'a, K> {
    /// Returns the pairs of the query. A plus sign is a plus sign. Without a query, there are no pairs. One pass;
    /// allocates each name and value that has triplets.
    ///
    /// ```
    /// # use simd_iri::iri_ref;
    /// let names = iri_ref!("?a=1&b+c").query_pairs().map(|(name, _)| name);
    /// assert!(names.eq(["a", "b+c"]));
    /// ```
    #[doc(alias = "parse_qsl")]
    #[must_use]
    pub fn query_pairs(self) -> Pairs<'a> {
        Pairs {
            rest: self.query().unwrap_or_default().split('&'),
            is_form: false,
            #[cfg(feature = "charset")]
            charset: None,
        }
    }

    /// Returns the pairs of the query by the convention of HTML forms: a plus sign is a space. Otherwise it does what
    /// [`View::query_pairs`] does. The type of the pairs says the convention: see [`FormPair`].
    ///
    /// ```
    /// # use simd_iri::{iri_ref, query::FormPair};
    /// let names = iri_ref!("?a=1&b+c%2B").query_form().map(|FormPair(name, _)| name);
    /// assert!(names.eq(["a", "b c+"]));
    /// ```
    #[must_use]
    pub fn query_form(self) -> FormPairs<'a> {
        FormPairs(Pairs { is_form: true, ..self.query_pairs() })
    }

    /// Returns the decoded value of the first of [`query_pairs`](View::query_pairs) that has this decoded name.
    ///
    /// ```
    /// # use simd_iri::iri_ref;
    /// assert_eq!(iri_ref!("?p=0&q=%C3%A9&q=1").query_value("q").as_deref(), Some("é"));
    /// assert_eq!(iri_ref!("?p").query_value("p").as_deref(), Some(""));
    /// assert_eq!(iri_ref!("?p").query_value("q"), None);
    /// ```
    #[must_use]
    pub fn query_value(self, name: &str) -> Option<Cow<'a, str>> {
        self.query_values(name).next()
    }

    /// Returns the decoded values of all [`query_pairs`](View::query_pairs) that have this decoded name, in order.
    ///
    /// ```
    /// # use simd_iri::iri_ref;
    /// assert!(iri_ref!("?tag=a&q&%74ag=%C3%A9").query_values("tag").eq(["a", "é"]));
    /// assert_eq!(iri_ref!("?q").query_values("tag").next(), None);
    /// ```
    #[doc(alias = "getAll")]
    pub fn query_values(self, name: &str) -> impl Iterator<Item = Cow<'a, str>> + Clone {
        self.query_pairs().filter(move |(of, _)| of == name).map(|(_, value)| value)
    }

    /// Returns this reference with a query of pairs, as [`Builder::query_pairs`] writes them; without pairs, there is no
    /// query. Allocates the result.
    ///
    /// # Errors
    /// The result has 4 GiB or more.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// assert_eq!(iri!("http://a?b#c").with_query_pairs([("q", "1 + 1")])?, "http://a?q=1%20%2B%201#c");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn with_query_pairs<P: QueryPair>(
        self,
        pairs: impl IntoIterator<Item = P>,
    ) -> Result<Buf<K>, Error> {
        Builder::from(self).query_pairs(pairs).build()
    }

    /// Returns this reference without the pairs that [`Buf::drop_query_pairs`] removes. Borrows this reference if no pair
    /// is removed.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// let iri = iri!("http://a?utm_id=x&q=%71");
    /// assert_eq!(iri.without_query_pairs(|name| name.starts_with("utm_")), "http://a?q=%71");
    /// assert!(iri.without_query_pairs(|name| name == "r").is_borrowed());
    /// ```
    #[must_use]
    pub fn without_query_pairs(
        self,
        mut is_removed: impl FnMut(&str) -> bool,
    ) -> reference::Mapped<'a, K> {
        match self.kept_query(|(name, _)| !is_removed(&decode(name).lossy())) {
            None => reference::Mapped::Borrowed(self),
            Some(query) => {
                reference::Mapped::Owned(Builder::from(self).known_query(query).compose())
            }
        }
    }

    /// Returns the query with the pairs for whose written name and value `stays` returns `true`; `None` if all pairs
    /// stay.
    fn kept_query(self, mut stays: impl FnMut((&str, &str)) -> bool) -> Option<Option<String>> {
        kept_pairs(self.query()?, |pair| stays(halves(pair)))
    }
}

/// Returns the text of pairs without those for which `stays` returns `false`, or `None` inside if only empty pieces
/// stay. Returns `None` if all pairs stay.
pub fn kept_pairs<'q>(
    pairs: &'q str,
    mut stays: impl FnMut(&'q str) -> bool,
) -> Option<Option<String>> {
    // The pairs that stay; `None` while no pair is removed.
    let mut kept: Option<Vec<&str>> = None;
    // For example, `c` is removed from `a&b&c&d`. At `c`, `kept` becomes `a`, `b`. At `d`, it becomes `a`, `b`,
    // `d`.
    //
    // Nothing is allocated if no pair is removed.
    for (number, pair) in pairs.split('&').enumerate() {
        let stays = stays(pair);
        match &mut kept {
            Some(kept) if stays => kept.push(pair),
            None if !stays => kept = Some(pairs.split('&').take(number).collect()),
            _ => {}
        }
    }
    let kept = kept?;
    // If only empty pieces stay, the whole text is removed.
    let has_some = kept.iter().any(|pair| !pair.is_empty());
    Some(has_some.then(|| kept.join("&")))
}

impl<K: Kind> Builder<'_, K> {
    /// Sets the `iquery` to pairs of names and values. Without pairs, there is no query. A percent sign becomes `%25`,
    /// a plus sign `%2B`, and a space `%20`, so that [`View::query_pairs`] and [`View::query_form`] read the same
    /// pairs. In a [`FormPair`], a space becomes a plus sign.
    ///
    /// ```
    /// # use simd_iri::{IriRefBuf, UriRefBuf};
    /// let pairs = [("q", "a b&c"), ("é", "+")];
    /// assert_eq!(IriRefBuf::builder().query_pairs(pairs).build()?, "?q=a%20b%26c&é=%2B");
    /// assert_eq!(UriRefBuf::builder().query_pairs(pairs).build()?, "?q=a%20b%26c&%C3%A9=%2B");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub fn query_pairs<P: QueryPair>(self, pairs: impl IntoIterator<Item = P>) -> Self {
        self.known_query(joined::<K, P>(pairs, P::SPACE))
    }

    /// Sets the `iquery` to pairs by the convention of HTML forms, also if they are not [`FormPair`]: a space becomes a
    /// plus sign. Otherwise it does what [`Builder::query_pairs`] does.
    ///
    /// ```
    /// # use simd_iri::IriRefBuf;
    /// let built = IriRefBuf::builder().query_form([("q", "a b+c")]).build()?;
    /// assert_eq!(built, "?q=a+b%2Bc");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub fn query_form(self, pairs: impl IntoIterator<Item = impl QueryPair>) -> Self {
        self.known_query(joined::<K, _>(pairs, FORM_SPACE))
    }
}

/// Returns the query with these pairs, or `None` if there are no pairs.
fn joined<K: Kind, P: QueryPair>(
    pairs: impl IntoIterator<Item = P>,
    space: &str,
) -> Option<String> {
    let mut query: Option<String> = None;
    let mut before = "";
    for pair in pairs {
        let (name, value) = pair.texts();
        let mut push = |before: &str, text: &str| {
            let out = query.get_or_insert_default();
            out.push_str(before);
            for (i, word) in text.split(' ').enumerate() {
                out.push_str(if i > 0 { space } else { "" });
                out.push_str(&encoded::<K, QueryPart>(word));
            }
        };
        push(before, name);
        push("=", value);
        before = "&";
    }
    query
}

impl<K: Kind> Buf<K> {
    /// Replaces the query by pairs, as [`Builder::query_pairs`] writes them: a percent sign becomes `%25`, and the
    /// pairs of [`View::query_form`] stay pairs of a form. To change some pairs and keep the others as they are
    /// written, use [`append_query_pair`](Self::append_query_pair) and
    /// [`retain_query_pairs`](Self::retain_query_pairs).
    ///
    /// # Errors
    /// The result has 4 GiB or more. The reference stays as it is then.
    ///
    /// ```
    /// # use simd_iri::IriBuf;
    /// let mut iri: IriBuf = "http://a?b#c".parse()?;
    /// iri.set_query_pairs([("q", "1 + 1")])?;
    /// assert_eq!(iri, "http://a?q=1%20%2B%201#c");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[doc(alias = "urlencode")]
    pub fn set_query_pairs<P: QueryPair>(
        &mut self,
        pairs: impl IntoIterator<Item = P>,
    ) -> Result<(), Error> {
        self.put_query(joined::<K, P>(pairs, P::SPACE).as_deref())
    }

    /// Replaces the query by pairs, as [`Builder::query_form`] writes them by the convention of HTML forms.
    ///
    /// # Errors
    /// The result has 4 GiB or more. The reference stays as it is then.
    ///
    /// ```
    /// # use simd_iri::IriBuf;
    /// let mut iri: IriBuf = "http://a?b#c".parse()?;
    /// iri.set_query_form([("q", "1 + 1")])?;
    /// assert_eq!(iri, "http://a?q=1+%2B+1#c");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn set_query_form(
        &mut self,
        pairs: impl IntoIterator<Item = impl QueryPair>,
    ) -> Result<(), Error> {
        self.put_query(joined::<K, _>(pairs, FORM_SPACE).as_deref())
    }

    /// Appends a pair to the query, as [`Builder::query_pairs`] writes it. The query before it stays as it is written.
    /// Triplets are text: `%` becomes `%25`. Allocates the result.
    ///
    /// # Errors
    /// The result has 4 GiB or more. The reference stays as it is then.
    ///
    /// ```
    /// # use simd_iri::IriBuf;
    /// let mut iri: IriBuf = "http://a/?q=%71+x#b".parse()?;
    /// iri.append_query_pair("page", "2 & 3")?;
    /// assert_eq!(iri, "http://a/?q=%71+x&page=2%20%26%203#b");
    /// let mut iri: IriBuf = "http://a/".parse()?;
    /// iri.append_query_pair("page", "2")?;
    /// assert_eq!(iri, "http://a/?page=2");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[doc(alias = "append_pair")]
    #[doc(alias = "query_pairs_mut")]
    pub fn append_query_pair(
        &mut self,
        name: impl AsRef<str>,
        value: impl AsRef<str>,
    ) -> Result<(), Error> {
        let name = encoded::<K, QueryPart>(name.as_ref());
        let value = encoded::<K, QueryPart>(value.as_ref());
        self.append_to_query([&name, "=", &value])
    }

    /// Appends pairs to the query, as [`append_query_pair`](Self::append_query_pair) appends a pair. Without pairs, the
    /// reference stays as it is.
    ///
    /// # Errors
    /// The result has 4 GiB or more. The reference stays as it is then.
    ///
    /// ```
    /// # use simd_iri::IriBuf;
    /// let mut iri: IriBuf = "http://a/?q=%71#b".parse()?;
    /// iri.append_query_pairs([("page", "2"), ("é", "a&b")])?;
    /// assert_eq!(iri, "http://a/?q=%71&page=2&é=a%26b#b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[doc(alias = "extend_pairs")]
    pub fn append_query_pairs<P: QueryPair>(
        &mut self,
        pairs: impl IntoIterator<Item = P>,
    ) -> Result<(), Error> {
        match joined::<K, P>(pairs, P::SPACE) {
            Some(pairs) => self.append_to_query([&pairs, "", ""]),
            None => Ok(()),
        }
    }

    /// Appends a pair or pairs, in pieces, and the sign before them.
    #[inline]
    fn append_to_query(&mut self, [one, two, three]: [&str; 3]) -> Result<(), Error> {
        let sign = match self.view().query() {
            None => "?",
            Some("") => "",
            Some(_) => "&",
        };
        let [.., end, _] = self.view().parts().offsets();
        let end = end as usize;
        self.replace_span(end..end, Delimited::Query, [sign, one, two, three])
    }

    /// Sets the value of a name: writes the pair, as [`Builder::query_pairs`] writes it, in the place of the first pair with
    /// this decoded name, and removes the other pairs with this name. Without such a pair, appends the pair. The other pairs
    /// stay as they are written. Allocates the result.
    ///
    /// # Errors
    /// The result has 4 GiB or more. The reference stays as it is then.
    ///
    /// ```
    /// # use simd_iri::IriBuf;
    /// let mut iri: IriBuf = "http://a/?q=%71+x&page=1&r&page=7#b".parse()?;
    /// iri.set_query_pair("page", "2")?;
    /// assert_eq!(iri, "http://a/?q=%71+x&page=2&r#b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn set_query_pair(
        &mut self,
        name: impl AsRef<str>,
        value: impl AsRef<str>,
    ) -> Result<(), Error> {
        let name = name.as_ref();
        let pair = joined::<K, _>([(name, value)], SPACE).unwrap_or_default();
        let is_named = |given: &str| !given.is_empty() && decode(halves(given).0).lossy() == name;
        let mut is_written = false;
        let mut pairs: Vec<&str> = Vec::new();
        let query = self.view().query().filter(|query| !query.is_empty());
        for given in query.into_iter().flat_map(|query| query.split('&')) {
            let is_named = is_named(given);
            if !is_named {
                pairs.push(given);
            } else if !is_written {
                pairs.push(&pair);
            }
            is_written |= is_named;
        }
        if !is_written {
            pairs.push(&pair);
        }
        let query = pairs.join("&");
        self.put_query(Some(&query))
    }

    /// Calls `stays` with the decoded name and value of each pair, and removes the pairs for which it returns `false`.
    /// The pairs that stay are not encoded again: they stay as they are written, byte for byte. Otherwise it does what
    /// [`drop_query_pairs`](Self::drop_query_pairs) does.
    ///
    /// ```
    /// # use simd_iri::IriBuf;
    /// let mut iri: IriBuf = "http://a?a&utm_x=1&b=%2F+c&%FF=1".parse()?;
    /// iri.retain_query_pairs(|name, _| !name.starts_with("utm_"));
    /// assert_eq!(iri, "http://a?a&b=%2F+c&%FF=1");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[doc(alias = "retain")]
    pub fn retain_query_pairs(&mut self, mut stays: impl FnMut(&str, &str) -> bool) {
        self.keep_pairs(|(name, value)| stays(&decode(name).lossy(), &decode(value).lossy()));
    }

    /// Sorts the pairs of the query by the bytes of their decoded names. Pairs with the same name keep their order.
    /// Each pair stays as it is written, and empty pairs are removed. Allocates the result.
    ///
    /// ```
    /// # use simd_iri::IriBuf;
    /// let mut iri: IriBuf = "http://a?c&%62=%62&&c=1&a".parse()?;
    /// iri.sort_query_pairs();
    /// assert_eq!(iri, "http://a?a&%62=%62&c&c=1");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn sort_query_pairs(&mut self) {
        let mut pairs = written(self.view());
        // A component of a reference has no stray percent sign.
        pairs.sort_by_cached_key(|pair| decode(halves(pair).0).bytes().unwrap_or_default());
        let query = self.view().query().map(|_| pairs.join("&"));
        // The query is not longer than it was.
        let _ = self.put_query(query.as_deref());
    }

    /// Removes the pairs of the query for whose decoded name `is_removed` returns `true`, such as parameters that are
    /// used for tracking. All other pairs stay as they are written. An empty piece, as between `&&`, is a pair whose
    /// name is empty. If pairs are removed and only empty pieces are left, the query is removed. Allocates the result.
    ///
    /// ```
    /// # use simd_iri::IriBuf;
    /// let mut iri: IriBuf = "http://a?utm%5Fsource=x&q=%71&utm_id#b".parse()?;
    /// iri.drop_query_pairs(|name| name.starts_with("utm_"));
    /// assert_eq!(iri, "http://a?q=%71#b");
    /// iri.drop_query_pairs(|name| name == "q");
    /// assert_eq!(iri, "http://a#b");
    /// let mut iri: IriBuf = "http://a?&b&&".parse()?;
    /// iri.drop_query_pairs(|_| false);
    /// assert_eq!(iri, "http://a?&b&&");
    /// iri.drop_query_pairs(|name| name != "b");
    /// assert_eq!(iri, "http://a?b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[doc(alias = "remove_query_pairs")]
    pub fn drop_query_pairs(&mut self, mut is_removed: impl FnMut(&str) -> bool) {
        self.keep_pairs(|(name, _)| !is_removed(&decode(name).lossy()));
    }

    /// Keeps the pairs of the query for whose written name and value `stays` returns `true`.
    fn keep_pairs(&mut self, stays: impl FnMut((&str, &str)) -> bool) {
        if let Some(query) = self.view().kept_query(stays) {
            // The query is shorter than it was.
            let _ = self.put_query(query.as_deref());
        }
    }

    /// Replaces the query by a text that is known to match its rule, or removes the query.
    pub(super) fn put_query(&mut self, query: Option<&str>) -> Result<(), Error> {
        let before = query.map_or("", |_| "?");
        self.replace(Delimited::Query, [[before, query.unwrap_or_default()]])
    }
}

/// Returns the pairs of a query as they are written, without empty pairs.
fn written<K: Kind>(view: View<'_, K>) -> Vec<&str> {
    let pairs = view.query().unwrap_or_default().split('&');
    pairs.filter(|pair| !pair.is_empty()).collect()
}
