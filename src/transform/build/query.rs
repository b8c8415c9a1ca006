//! Queries of pairs, `name=value&name=value`: reads, writes, sorts and filters the pairs.
//!
//! No RFC says what a query consists of; RFC 3986, section 3.4, only knows that it often carries pairs.
//! What HTML forms do (`application/x-www-form-urlencoded` of the URL Standard) differs in one point, a
//! plus sign for a space, and has methods of its own, named for it. Not here: queries as a whole
//! (`build`).

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::iter::FusedIterator;

use super::{Builder, encoded};
use crate::error::Error;
use crate::reference::kind::Kind;
use crate::reference::{Buf, View};
use crate::transform::percent::{QueryPart, decode};

/// The names and values of a query, decoded, in order.
///
/// What stands between two `&` is a pair unless it is empty; its first `=` ends the name, and without
/// one the value is empty. What is decoded to no UTF-8 has U+FFFD in it.
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
    /// The charset of the octets, if it is another than UTF-8.
    #[cfg(feature = "charset")]
    pub(crate) charset: Option<&'static encoding_rs::Encoding>,
}

impl<'a> Iterator for Pairs<'a> {
    type Item = (Cow<'a, str>, Cow<'a, str>);

    fn next(&mut self) -> Option<Self::Item> {
        let (name, value) = halves(self.rest.find(|pair| !pair.is_empty())?);
        let decoded = |text: &'a str| {
            #[cfg(feature = "charset")]
            if let Some(charset) = self.charset {
                let text = if self.is_form { text.replace('+', " ") } else { text.into() };
                return Cow::Owned(crate::transform::map::charset::decoded(&text, charset));
            }
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

/// The name and the value of a pair.
fn halves(pair: &str) -> (&str, &str) {
    pair.split_once('=').unwrap_or((pair, ""))
}

impl<'a, K: Kind> View<'a, K> {
    /// The pairs of the query; a plus sign is one. Without a query there is none. One pass; allocates
    /// for what has triplets.
    ///
    /// ```
    /// # use simd_iri::iri_ref;
    /// let names = iri_ref!("?a=1&b+c").query_pairs().map(|(name, _)| name);
    /// assert!(names.eq(["a", "b+c"]));
    /// ```
    #[must_use]
    pub fn query_pairs(self) -> Pairs<'a> {
        Pairs {
            rest: self.query().unwrap_or_default().split('&'),
            is_form: false,
            #[cfg(feature = "charset")]
            charset: None,
        }
    }

    /// [`View::query_pairs`] by the convention of HTML forms: a plus sign is a space.
    ///
    /// ```
    /// # use simd_iri::iri_ref;
    /// let names = iri_ref!("?a=1&b+c%2B").query_form().map(|(name, _)| name);
    /// assert!(names.eq(["a", "b c+"]));
    /// ```
    #[must_use]
    pub fn query_form(self) -> Pairs<'a> {
        Pairs { is_form: true, ..self.query_pairs() }
    }
}

impl<K: Kind> Builder<'_, K> {
    /// The `iquery`, as pairs of names and values; without any, there is no query. They are encoded so
    /// that either convention reads the same.
    ///
    /// ```
    /// # use simd_iri::{IriRefBuf, UriRefBuf};
    /// let pairs = [("q", "a b&c"), ("é", "+")];
    /// assert_eq!(IriRefBuf::builder().query_pairs(pairs).build()?, "?q=a%20b%26c&é=%2B");
    /// assert_eq!(UriRefBuf::builder().query_pairs(pairs).build()?, "?q=a%20b%26c&%C3%A9=%2B");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub fn query_pairs(
        self,
        pairs: impl IntoIterator<Item = (impl AsRef<str>, impl AsRef<str>)>,
    ) -> Self {
        self.known_query(joined::<K>(pairs, "%20"))
    }

    /// [`Builder::query_pairs`] by the convention of HTML forms: a space becomes a plus sign.
    ///
    /// ```
    /// # use simd_iri::IriRefBuf;
    /// let built = IriRefBuf::builder().query_form([("q", "a b+c")]).build()?;
    /// assert_eq!(built, "?q=a+b%2Bc");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub fn query_form(
        self,
        pairs: impl IntoIterator<Item = (impl AsRef<str>, impl AsRef<str>)>,
    ) -> Self {
        self.known_query(joined::<K>(pairs, "+"))
    }
}

/// The query that has these pairs.
fn joined<K: Kind>(
    pairs: impl IntoIterator<Item = (impl AsRef<str>, impl AsRef<str>)>,
    space: &str,
) -> Option<String> {
    let mut query: Option<String> = None;
    let mut before = "";
    for (name, value) in pairs {
        let mut push = |before: &str, text: &str| {
            let out = query.get_or_insert_default();
            out.push_str(before);
            for (i, word) in text.split(' ').enumerate() {
                out.push_str(if i > 0 { space } else { "" });
                out.push_str(&encoded::<K, QueryPart>(word));
            }
        };
        push(before, name.as_ref());
        push("=", value.as_ref());
        before = "&";
    }
    query
}

impl<K: Kind> Buf<K> {
    /// Puts a query of pairs in place of the one that there is, as [`Builder::query_pairs`] writes it.
    ///
    /// # Errors
    /// The result has 4 GiB or more; nothing has changed then.
    ///
    /// ```
    /// # use simd_iri::IriBuf;
    /// let mut iri: IriBuf = "http://a?b#c".parse()?;
    /// iri.set_query_pairs([("q", "1 + 1")])?;
    /// assert_eq!(iri, "http://a?q=1%20%2B%201#c");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn set_query_pairs(
        &mut self,
        pairs: impl IntoIterator<Item = (impl AsRef<str>, impl AsRef<str>)>,
    ) -> Result<(), Error> {
        *self = Builder::from(self.view()).query_pairs(pairs).build()?;
        Ok(())
    }

    /// [`Buf::set_query_pairs`] by the convention of HTML forms, as [`Builder::query_form`] writes it.
    ///
    /// # Errors
    /// As there.
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
        pairs: impl IntoIterator<Item = (impl AsRef<str>, impl AsRef<str>)>,
    ) -> Result<(), Error> {
        *self = Builder::from(self.view()).query_form(pairs).build()?;
        Ok(())
    }

    /// Sorts the pairs of the query by the bytes of their names, decoded; those of the same name stay in
    /// order. Each pair stays as it is written; empty ones go.
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
        *self = Builder::from(self.view()).known_query(query).compose();
    }

    /// Drops the pairs of the query whose name, decoded, is to go, such as those that only say where a
    /// link was found. Everything else stays as it is written, empty pairs too. A query goes if pairs were
    /// dropped and none is left.
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
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn drop_query_pairs(&mut self, mut goes: impl FnMut(&str) -> bool) {
        let Some(query) = self.view().query() else { return };
        let all: Vec<&str> = query.split('&').collect();
        let mut pairs = all.clone();
        pairs.retain(|pair| pair.is_empty() || !goes(&decode(halves(pair).0).lossy()));
        if pairs.len() == all.len() {
            return;
        }
        let has_some = pairs.iter().any(|pair| !pair.is_empty());
        let query = has_some.then(|| pairs.join("&"));
        *self = Builder::from(self.view()).known_query(query).compose();
    }
}

/// The pairs of a query as they are written.
fn written<K: Kind>(view: View<'_, K>) -> Vec<&str> {
    let pairs = view.query().unwrap_or_default().split('&');
    pairs.filter(|pair| !pair.is_empty()).collect()
}
