//! Pairs of a query in the charset of a document: servers that predate UTF-8 read and write the octets of
//! another charset (RFC 3987, sections 7.2 and 7.8; processing guidelines, section 6.1).
//!
//! Not here: the definition of pairs (`query`), and the mapping of whole references (`charset`).

use alloc::borrow::Cow;
use alloc::string::String;

use encoding_rs::{Encoding, UTF_8};

use super::Builder;
use super::query::{DecodeOctets, FORM_SPACE, FormPairs, Pairs, QueryPair};
use crate::error::{Component, Error, ErrorKind};
use crate::reference::kind::Kind;
use crate::reference::{Buf, View};
use crate::transform::map::charset::{QueryCharset, Unmappable, decoded};
use crate::transform::percent::{QueryPart, encode};

impl<'a, K: Kind> View<'a, K> {
    /// Returns the pairs of the query, decoded with the charset of a document. Triplets are octets of that charset.
    /// Characters outside ASCII that are not encoded stay. Octets that are invalid in the charset become U+FFFD. If
    /// the charset is UTF-16, triplets are octets of UTF-8, as browsers write them. Otherwise it does what
    /// [`View::query_pairs`] does.
    ///
    /// ```
    /// # use simd_iri::iri_ref;
    /// // The second octet of a character may be ASCII, and is then not always a triplet.
    /// let mut pairs = iri_ref!("?q=%93%FA%96%7B&%83A=é").query_pairs_in(encoding_rs::SHIFT_JIS);
    /// assert_eq!(pairs.next(), Some(("q".into(), "日本".into())));
    /// assert_eq!(pairs.next(), Some(("ア".into(), "é".into())));
    /// ```
    #[must_use]
    pub fn query_pairs_in(self, charset: &'static Encoding) -> Pairs<'a> {
        let charset = Some(charset.output_encoding()).filter(|charset| *charset != UTF_8);
        Pairs {
            charset: charset.map(|charset| (charset, decoded as DecodeOctets)),
            ..self.query_pairs()
        }
    }

    /// Returns the pairs of the query as [`View::query_pairs_in`] does, but by the convention of HTML forms: a plus
    /// sign is a space.
    ///
    /// ```
    /// # use simd_iri::{iri_ref, query::FormPair};
    /// let mut pairs = iri_ref!("?q=%93%FA+1").query_form_in(encoding_rs::SHIFT_JIS);
    /// assert_eq!(pairs.next(), Some(FormPair("q".into(), "日 1".into())));
    /// ```
    #[must_use]
    pub fn query_form_in(self, charset: &'static Encoding) -> FormPairs<'a> {
        FormPairs(Pairs { is_form: true, ..self.query_pairs_in(charset) })
    }
}

impl<K: Kind> Builder<'_, K> {
    /// Sets the query to pairs in the charset of a document, as browsers submit forms: the octets of each character
    /// outside ASCII become triplets, in an IRI too. `unmappable` decides what happens to a character that the charset
    /// does not have. If the charset is UTF-16, the octets are octets of UTF-8.
    ///
    /// [`Builder::build`] returns the error of [`Unmappable::Error`]. Its span is in bytes of the name or value.
    ///
    /// ```
    /// # use simd_iri::{ErrorKind, IriRefBuf, charset::Unmappable};
    /// # let builder = IriRefBuf::builder;
    /// let pairs = [("q", "日 &"), ("é", "1")];
    /// let charset = encoding_rs::SHIFT_JIS;
    /// let error = builder().query_pairs_in(pairs, charset, Unmappable::Error).build();
    /// assert_eq!(error.unwrap_err().kind(), ErrorKind::Unmappable);
    /// let built = builder().query_pairs_in(pairs, charset, Unmappable::Reference).build()?;
    /// assert_eq!(built, "?q=%93%FA%20%26&%26%23233%3B=1");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub fn query_pairs_in<P: QueryPair>(
        self,
        pairs: impl IntoIterator<Item = P>,
        charset: &'static Encoding,
        unmappable: Unmappable,
    ) -> Self {
        self.charset_query(joined(pairs, P::SPACE, QueryCharset::new(charset, unmappable)))
    }

    /// Sets the query as [`Builder::query_pairs_in`] does, but by the convention of HTML forms: a space becomes a plus
    /// sign.
    ///
    /// ```
    /// # use simd_iri::{UriRefBuf, charset::Unmappable};
    /// let pairs = [("q", "日 1")];
    /// let builder = UriRefBuf::builder();
    /// let built = builder.query_form_in(pairs, encoding_rs::SHIFT_JIS, Unmappable::Error).build()?;
    /// assert_eq!(built, "?q=%93%FA+1");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub fn query_form_in(
        self,
        pairs: impl IntoIterator<Item = impl QueryPair>,
        charset: &'static Encoding,
        unmappable: Unmappable,
    ) -> Self {
        self.charset_query(joined(pairs, FORM_SPACE, QueryCharset::new(charset, unmappable)))
    }

    /// Sets the query to a text that is known to match its rule, or keeps the error for [`Builder::build`].
    fn charset_query(mut self, query: Result<Option<String>, Error>) -> Self {
        let query = self.kept(query.map(|query| query.map(Cow::Owned)));
        Self { query, ..self }
    }
}

impl<K: Kind> Buf<K> {
    /// Replaces the query by pairs in the charset of a document, as [`Builder::query_pairs_in`] writes them.
    ///
    /// # Errors
    /// The charset does not have a character, and `unmappable` is [`Unmappable::Error`]; or the result has 4 GiB or
    /// more. The reference stays as it is then.
    ///
    /// ```
    /// # use simd_iri::{IriBuf, charset::Unmappable};
    /// let mut iri: IriBuf = "http://a?b#c".parse()?;
    /// iri.set_query_pairs_in([("q", "日")], encoding_rs::EUC_JP, Unmappable::Error)?;
    /// assert_eq!(iri, "http://a?q=%C6%FC#c");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn set_query_pairs_in<P: QueryPair>(
        &mut self,
        pairs: impl IntoIterator<Item = P>,
        charset: &'static Encoding,
        unmappable: Unmappable,
    ) -> Result<(), Error> {
        let query = joined(pairs, P::SPACE, QueryCharset::new(charset, unmappable))?;
        self.put_query(query.as_deref())
    }

    /// Replaces the query by pairs in the charset of a document, as [`Builder::query_form_in`] writes them.
    ///
    /// # Errors
    /// The charset does not have a character, and `unmappable` is [`Unmappable::Error`]; or the result has 4 GiB or
    /// more. The reference stays as it is then.
    ///
    /// ```
    /// # use simd_iri::{IriBuf, charset::Unmappable};
    /// let mut iri: IriBuf = "http://a".parse()?;
    /// iri.set_query_form_in([("q", "é 1")], encoding_rs::WINDOWS_1252, Unmappable::Error)?;
    /// assert_eq!(iri, "http://a?q=%E9+1");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn set_query_form_in(
        &mut self,
        pairs: impl IntoIterator<Item = impl QueryPair>,
        charset: &'static Encoding,
        unmappable: Unmappable,
    ) -> Result<(), Error> {
        let query = joined(pairs, FORM_SPACE, QueryCharset::new(charset, unmappable))?;
        self.put_query(query.as_deref())
    }
}

/// Returns the query with these pairs in a charset, or `None` if there are no pairs.
fn joined(
    pairs: impl IntoIterator<Item = impl QueryPair>,
    space: &str,
    charset: QueryCharset,
) -> Result<Option<String>, Error> {
    let mut query: Option<String> = None;
    for pair in pairs {
        let (name, value) = pair.texts();
        let before = if query.is_some() { "&" } else { "" };
        let out = query.get_or_insert_default();
        for (before, text) in [(before, name), ("=", value)] {
            out.push_str(before);
            let push_ascii = |ascii: &str, out: &mut String| {
                for (number, word) in ascii.split(' ').enumerate() {
                    out.push_str(if number > 0 { space } else { "" });
                    encode::<QueryPart>(word).push_to(out);
                }
            };
            charset.push(text, out, push_ascii).map_err(|(at, c)| {
                let span = at..at + c.len_utf8();
                Error::new(ErrorKind::Unmappable, Component::Query, span, u32::from(c))
            })?;
        }
    }
    Ok(query)
}
