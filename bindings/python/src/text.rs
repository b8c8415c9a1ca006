//! Texts of Python: strings as UTF-8, and offsets in characters.

use std::borrow::Cow;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::held::Reference;

/// The text of a Python string, or of an object of `IriRef` or its subclasses.
pub(crate) enum Text<'a> {
    /// The text in UTF-8.
    Utf8(Cow<'a, str>),
    /// A text with lone surrogates. Each surrogate is three bytes, as if UTF-8 encoded it. The bytes are not UTF-8.
    Surrogates(Vec<u8>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Text<'a> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match Self::read(object)? {
            Some(text) => Ok(text),
            None => {
                let name = object.get_type().name()?;
                Err(PyTypeError::new_err(format!(
                    "expected a str or an IriRef, found '{name}' object"
                )))
            }
        }
    }
}

impl<'a> Text<'a> {
    /// The text of an object, or `None` if the object is not a text.
    pub(crate) fn read(object: Borrowed<'a, '_, PyAny>) -> PyResult<Option<Self>> {
        if let Ok(string) = object.cast::<PyString>() {
            return Ok(Some(match object.extract() {
                Ok(text) => Self::Utf8(text),
                Err(_) => Self::Surrogates(with_surrogates(&string)?),
            }));
        }
        let reference = object.cast::<Reference>().ok();
        Ok(reference.map(|reference| Self::Utf8(Cow::Borrowed(reference.get().text()))))
    }

    /// The bytes, which are UTF-8 unless there are lone surrogates.
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Utf8(text) => text.as_bytes(),
            Self::Surrogates(bytes) => bytes,
        }
    }

    /// The text, or `None` if there are lone surrogates.
    pub(crate) fn utf8(&self) -> Option<&str> {
        match self {
            Self::Utf8(text) => Some(text),
            Self::Surrogates(_) => None,
        }
    }

    /// The text with U+FFFD in place of each lone surrogate. Offsets stay: both have three bytes.
    pub(crate) fn replaced(&self) -> Cow<'_, str> {
        let bytes = match self {
            Self::Utf8(text) => return Cow::Borrowed(text),
            Self::Surrogates(bytes) => bytes,
        };
        let mut text = String::with_capacity(bytes.len());
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            // Each of the three bytes is a chunk of its own, and the first byte is always this byte.
            if chunk.invalid() == [0xED] {
                text.push(char::REPLACEMENT_CHARACTER);
            }
        }
        Cow::Owned(text)
    }
}

#[cold]
fn with_surrogates(string: &Bound<'_, PyString>) -> PyResult<Vec<u8>> {
    let bytes = string.call_method1("encode", ("utf-8", "surrogatepass"))?;
    Ok(bytes.cast::<PyBytes>()?.as_bytes().to_vec())
}

/// Turns offsets in bytes into offsets in characters. Ascending offsets take one pass over the text for all calls
/// together.
pub(crate) struct Characters<'a> {
    bytes: &'a [u8],
    byte: usize,
    character: usize,
}

impl<'a> Characters<'a> {
    /// Counts in `bytes`, which are the bytes of a [`Text`].
    pub(crate) fn of(bytes: &'a [u8]) -> Self {
        Self { bytes, byte: 0, character: 0 }
    }

    /// The number of characters that begin before `byte`.
    pub(crate) fn before(&mut self, byte: usize) -> usize {
        if byte < self.byte {
            *self = Self::of(self.bytes);
        }
        let passed = self.bytes.get(self.byte..byte).or_else(|| self.bytes.get(self.byte..));
        // In UTF-8, the bytes 10xxxxxx continue a character.
        let begins = |byte: &&u8| **byte & 0xC0 != 0x80;
        self.character += passed.unwrap_or_default().iter().filter(begins).count();
        self.byte = byte;
        self.character
    }
}
