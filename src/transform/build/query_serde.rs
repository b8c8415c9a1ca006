//! Serde: reads the pairs of a query into a struct, and makes pairs of a struct.
//!
//! Not here: how pairs are split, decoded and encoded (`query`).

/*
# The algorithm

A query has no types. The type that is read decides what a value is, and a value of another form is an error:

    read     the pairs are a map (`PairReader`); a name or a value (`DecodedPart`) is parsed as the type asks: "2" is a `u16` or a text
    write    a struct or a map becomes pairs, each value its text (`WrittenValue::Text`); `None` becomes nothing

For example, `q=a+b&page=2` as a form is `Search { q: "a b", page: Some(2) }`, and so are the pairs of this struct.

# Invariant

No message holds a value, which may be a secret. So the messages of serde that hold what was read are replaced.
*/

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::mem::take;

use serde::de::{
    self, Deserialize, DeserializeSeed, Deserializer, Expected, IntoDeserializer, MapAccess,
    Unexpected, Visitor,
};
use serde::forward_to_deserialize_any;
use serde::ser::{self, Impossible, Serialize, SerializeMap, SerializeStruct, Serializer};

use super::query::{FormPairs, Pairs};

impl<'a> Pairs<'a> {
    /// Reads the pairs into a struct or a map: a field for each name. A value is a text, a number, a `bool`, a variant
    /// without content, a newtype of these, or an option of these. A field that is an option may have no pair. Names
    /// without a field are skipped, unless the type refuses them.
    ///
    /// A field can be `&str` only if nothing in its value is percent-encoded. In a flattened struct and in an enum with
    /// content, serde knows only texts.
    ///
    /// # Errors
    /// A value is not what its field takes, a pair is missing, or a field has two pairs. The error names the pair.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// #[derive(serde::Deserialize, PartialEq, Debug)]
    /// struct Search {
    ///     q: String,
    ///     page: Option<u16>,
    /// }
    ///
    /// let search: Search = iri!("http://a/?q=%C3%A9&page=2&x").query_pairs().deserialize()?;
    /// assert_eq!(search, Search { q: "é".into(), page: Some(2) });
    /// let refused = iri!("http://a/?q&page=two").query_pairs().deserialize::<Search>().unwrap_err();
    /// assert_eq!(refused.to_string(), "the pair \"page\": u16 is expected");
    /// # Ok::<(), simd_iri::query::QueryError>(())
    /// ```
    #[doc(alias = "serde_urlencoded")]
    #[doc(alias = "query_as")]
    pub fn deserialize<T: Deserialize<'a>>(self) -> Result<T, QueryError> {
        T::deserialize(PairReader { pairs: self, pair: None })
    }
}

impl<'a> FormPairs<'a> {
    /// Reads the pairs of a form into a struct or a map, as [`Pairs::deserialize`] does.
    ///
    /// # Errors
    /// Those of [`Pairs::deserialize`].
    ///
    /// ```
    /// # use {simd_iri::iri, std::collections::BTreeMap};
    /// let all: BTreeMap<&str, String> = iri!("http://a/?q=1+2").query_form().deserialize()?;
    /// assert_eq!(all["q"], "1 2");
    /// # Ok::<(), simd_iri::query::QueryError>(())
    /// ```
    pub fn deserialize<T: Deserialize<'a>>(self) -> Result<T, QueryError> {
        self.0.deserialize()
    }
}

/// Returns the pairs of a struct or a map, for a method that writes pairs, such as
/// [`Buf::set_query_pairs`](crate::Buf::set_query_pairs) or [`Buf::set_query_form`](crate::Buf::set_query_form). What
/// [`Pairs::deserialize`] reads from them is equal. A field that is `None` has no pair.
///
/// # Errors
/// The value is not a struct and not a map, or a field is a list, a struct or another value that is not one text. The
/// error names the pair.
///
/// ```
/// use simd_iri::{IriBuf, query::pairs_of};
///
/// #[derive(serde::Serialize)]
/// struct Search<'a> {
///     q: &'a str,
///     page: Option<u16>,
///     exact: bool,
/// }
///
/// let mut iri = IriBuf::parse("http://a/")?;
/// let search = Search { q: "1 + é", page: None, exact: true };
/// iri.set_query_pairs(pairs_of(&search)?)?;
/// assert_eq!(iri, "http://a/?q=1%20%2B%20é&exact=true");
/// iri.set_query_form(pairs_of(&search)?)?;
/// assert_eq!(iri, "http://a/?q=1+%2B+é&exact=true");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[doc(alias = "serde_urlencoded")]
#[doc(alias = "set_query_from")]
pub fn pairs_of<T: Serialize + ?Sized>(value: &T) -> Result<Vec<(String, String)>, QueryError> {
    match value.serialize(PairWriter)? {
        WrittenValue::Pairs(pairs) => Ok(pairs),
        _ => Err(refused()),
    }
}

/// The reason why a query is not read into a type, or why a value has no pairs. The message names the pair, and does not
/// hold its value.
///
/// ```
/// use simd_iri::query::pairs_of;
///
/// let error = pairs_of(&[("tags", ["a", "b"])].into_iter().collect::<std::collections::HashMap<_, _>>());
/// assert_eq!(error.unwrap_err().name(), Some("tags"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueryError {
    name: Option<String>,
    message: String,
}

impl QueryError {
    /// Returns the decoded name of the pair, or `None` if the error is not about a pair.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// let read = iri!("a:?n=x").query_pairs().deserialize::<std::collections::HashMap<String, u8>>();
    /// assert_eq!(read.unwrap_err().name(), Some("n"));
    /// ```
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Returns the error of a pair. A name that is known already is nearer to the reason.
    fn of(self, name: &str) -> Self {
        Self { name: self.name.or_else(|| Some(name.into())), ..self }
    }
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = &self.name {
            write!(f, "the pair {name:?}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl core::error::Error for QueryError {}

impl de::Error for QueryError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { name: None, message: message.to_string() }
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        de::Error::custom(format_args!("{expected} is expected"))
    }

    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        de::Error::invalid_type(unexpected, expected)
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        de::Error::custom(format_args!("one of {} is expected", expected.join(", ")))
    }

    fn unknown_field(name: &str, expected: &'static [&'static str]) -> Self {
        let message = format!("the name is not one of {}", expected.join(", "));
        Self { name: Some(name.into()), message }
    }

    fn missing_field(name: &'static str) -> Self {
        Self { name: Some(name.into()), message: "it is missing".into() }
    }

    fn duplicate_field(name: &'static str) -> Self {
        Self { name: Some(name.into()), message: "it is there twice".into() }
    }
}

impl ser::Error for QueryError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        de::Error::custom(message)
    }
}

/// Reads pairs as a map.
struct PairReader<'a> {
    pairs: Pairs<'a>,
    /// The pair whose name has been read.
    pair: Option<(Cow<'a, str>, Cow<'a, str>)>,
}

impl<'de> Deserializer<'de> for PairReader<'de> {
    type Error = QueryError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, QueryError> {
        visitor.visit_map(self)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, QueryError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, QueryError> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de> MapAccess<'de> for PairReader<'de> {
    type Error = QueryError;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, QueryError> {
        self.pair = self.pairs.next();
        let name = self.pair.as_ref().map(|(name, _)| name.clone());
        name.map(|name| seed.deserialize(DecodedPart(name))).transpose()
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<S::Value, QueryError> {
        let (name, value) = self.pair.take().unwrap_or_default();
        seed.deserialize(DecodedPart(value)).map_err(|error| error.of(&name))
    }
}

/// A decoded name or value, which is parsed as the type asks.
struct DecodedPart<'a>(Cow<'a, str>);

macro_rules! parsed {
    ($($method:ident $visit:ident $type:ty;)+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, QueryError> {
            match self.0.parse::<$type>() {
                Ok(value) => visitor.$visit(value),
                Err(_) => Err(de::Error::invalid_type(Unexpected::Other("text"), &visitor)),
            }
        }
    )+};
}

impl<'de> Deserializer<'de> for DecodedPart<'de> {
    type Error = QueryError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, QueryError> {
        match self.0 {
            Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
            Cow::Owned(text) => visitor.visit_string(text),
        }
    }

    parsed! {
        deserialize_bool visit_bool bool;
        deserialize_i8 visit_i8 i8;
        deserialize_i16 visit_i16 i16;
        deserialize_i32 visit_i32 i32;
        deserialize_i64 visit_i64 i64;
        deserialize_i128 visit_i128 i128;
        deserialize_u8 visit_u8 u8;
        deserialize_u16 visit_u16 u16;
        deserialize_u32 visit_u32 u32;
        deserialize_u64 visit_u64 u64;
        deserialize_u128 visit_u128 u128;
        deserialize_f32 visit_f32 f32;
        deserialize_f64 visit_f64 f64;
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, QueryError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, QueryError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, QueryError> {
        visitor.visit_enum(self.0.into_deserializer())
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, QueryError> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier
    }
}

/// What a value is written as.
enum WrittenValue {
    Pairs(Vec<(String, String)>),
    Text(String),
    Nothing,
}

/// Writes any value. The caller refuses what has no place: pairs as a value, or a text in place of pairs.
struct PairWriter;

fn refused() -> QueryError {
    de::Error::custom(
        "pairs are written from a struct or a map, whose values are texts, numbers, bools or options of these",
    )
}

macro_rules! texts {
    ($($method:ident $type:ty;)+) => {$(
        fn $method(self, value: $type) -> Result<WrittenValue, QueryError> {
            Ok(WrittenValue::Text(value.to_string()))
        }
    )+};
}

macro_rules! refusals {
    ($($method:ident $(<$of:ident>)? ($($type:ty),*) -> $result:ty;)+) => {$(
        fn $method $(<$of: Serialize + ?Sized>)? (self, $(_: $type),*) -> Result<$result, QueryError> {
            Err(refused())
        }
    )+};
}

impl Serializer for PairWriter {
    type Ok = WrittenValue;
    type Error = QueryError;
    type SerializeSeq = Impossible<WrittenValue, QueryError>;
    type SerializeTuple = Self::SerializeSeq;
    type SerializeTupleStruct = Self::SerializeSeq;
    type SerializeTupleVariant = Self::SerializeSeq;
    type SerializeMap = PairsWriter;
    type SerializeStruct = PairsWriter;
    type SerializeStructVariant = Self::SerializeSeq;

    texts! {
        serialize_bool bool;
        serialize_i8 i8;
        serialize_i16 i16;
        serialize_i32 i32;
        serialize_i64 i64;
        serialize_i128 i128;
        serialize_u8 u8;
        serialize_u16 u16;
        serialize_u32 u32;
        serialize_u64 u64;
        serialize_u128 u128;
        serialize_f32 f32;
        serialize_f64 f64;
        serialize_char char;
        serialize_str &str;
    }

    refusals! {
        serialize_bytes(&[u8]) -> WrittenValue;
        serialize_unit() -> WrittenValue;
        serialize_unit_struct(&'static str) -> WrittenValue;
        serialize_newtype_variant<T>(&'static str, u32, &'static str, &T) -> WrittenValue;
        serialize_seq(Option<usize>) -> Self::SerializeSeq;
        serialize_tuple(usize) -> Self::SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Self::SerializeStructVariant;
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<WrittenValue, QueryError> {
        Ok(WrittenValue::Text(variant.into()))
    }

    fn serialize_none(self) -> Result<WrittenValue, QueryError> {
        Ok(WrittenValue::Nothing)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<WrittenValue, QueryError> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<WrittenValue, QueryError> {
        value.serialize(self)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<PairsWriter, QueryError> {
        Ok(PairsWriter::default())
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<PairsWriter, QueryError> {
        Ok(PairsWriter::default())
    }
}

/// Writes the pairs of a struct or a map.
#[derive(Default)]
struct PairsWriter {
    pairs: Vec<(String, String)>,
    /// The key of a map whose value comes next.
    name: String,
}

impl PairsWriter {
    fn push<T: Serialize + ?Sized>(&mut self, name: String, value: &T) -> Result<(), QueryError> {
        match value.serialize(PairWriter).map_err(|error| error.of(&name))? {
            WrittenValue::Text(text) => self.pairs.push((name, text)),
            WrittenValue::Nothing => {}
            WrittenValue::Pairs(_) => return Err(refused().of(&name)),
        }
        Ok(())
    }
}

impl SerializeMap for PairsWriter {
    type Ok = WrittenValue;
    type Error = QueryError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), QueryError> {
        let WrittenValue::Text(name) = key.serialize(PairWriter)? else { return Err(refused()) };
        self.name = name;
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), QueryError> {
        let name = take(&mut self.name);
        self.push(name, value)
    }

    fn end(self) -> Result<WrittenValue, QueryError> {
        Ok(WrittenValue::Pairs(self.pairs))
    }
}

impl SerializeStruct for PairsWriter {
    type Ok = WrittenValue;
    type Error = QueryError;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), QueryError> {
        self.push(name.into(), value)
    }

    fn end(self) -> Result<WrittenValue, QueryError> {
        Ok(WrittenValue::Pairs(self.pairs))
    }
}
