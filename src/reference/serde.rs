//! Serde: every typed reference as its text, which is checked when it is read; errors and parts as structs.
//!
//! Not here: names (`error::name`), findings (`simd-iri-lint`), repairs (`simd-iri-text`), columns (`batch`).

use alloc::{boxed::Box, string::String, sync::Arc};
use core::fmt;
use core::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::kind::Kind;
use super::{Buf, Mapped};
use super::{Checked, Text, View};
use crate::parse::Parts;

impl<K: Kind> Serialize for View<'_, K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text)
    }
}

impl<K: Kind> Serialize for Buf<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<K: Kind> Serialize for Mapped<'_, K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// The code, the component, the bytes from `start` to `end`, and the message.
impl Serialize for crate::error::Error {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Error", 5)?;
        fields.serialize_field("code", &self.kind())?;
        fields.serialize_field("component", &self.component())?;
        fields.serialize_field("start", &self.span().start)?;
        fields.serialize_field("end", &self.span().end)?;
        fields.serialize_field("message", &format_args!("{self}"))?;
        fields.end()
    }
}

/// The byte range of each component, as `start` and `end`; `None` if the component is absent.
impl Serialize for Parts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Parts", 8)?;
        fields.serialize_field("scheme", &self.scheme())?;
        fields.serialize_field("authority", &self.authority())?;
        fields.serialize_field("userinfo", &self.userinfo())?;
        fields.serialize_field("host", &self.host())?;
        fields.serialize_field("port", &self.port())?;
        fields.serialize_field("path", &self.path())?;
        fields.serialize_field("query", &self.query())?;
        fields.serialize_field("fragment", &self.fragment())?;
        fields.end()
    }
}

impl<T: Text, K: Kind> Serialize for Checked<T, K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text.as_ref())
    }
}

/// Reads a string that borrows from the input.
struct Borrowed<K>(PhantomData<K>);

impl<'de, K: Kind> Visitor<'de> for Borrowed<K> {
    type Value = View<'de, K>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a borrowed string that is a valid {}", K::RULE)
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        View::parse(text).map_err(E::custom)
    }

    // The default implementation would write the text into the error, and the text may hold a password.
    fn visit_str<E: Error>(self, _: &str) -> Result<Self::Value, E> {
        Err(E::custom(
            "the string cannot be borrowed, because it has escapes or is read from a stream; use an owner",
        ))
    }
}

impl<'de: 'a, 'a, K: Kind> Deserialize<'de> for View<'a, K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Borrowed(PhantomData))
    }
}

impl<'de: 'a, 'a, K: Kind> Deserialize<'de> for Checked<&'a str, K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        View::deserialize(deserializer).map(Self::from)
    }
}

impl<'de, K: Kind> Deserialize<'de> for Buf<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl<'de, K: Kind> Deserialize<'de> for Checked<Box<str>, K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl<'de, K: Kind> Deserialize<'de> for Checked<Arc<str>, K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Buf::<K>::deserialize(deserializer).map(|buf| Self::from(buf.view()))
    }
}
