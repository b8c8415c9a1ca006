//! Texts of Python: strings as UTF-8, and offsets in characters.

use std::borrow::Cow;
use std::ops::Range;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PySlice, PyString};

use crate::held::Reference;

/// The text of a Python string, or of an object of `IriRef` or its subclasses.
pub(crate) enum Text<'a> {
    /// The text in UTF-8.
    Utf8(Cow<'a, str>),
    /// A text with lone surrogates. Each of them is the one byte [`SURROGATE`], so that the library finds one error in it, of
    /// one character. The string has the surrogates themselves.
    Surrogates { bytes: Vec<u8>, string: Py<PyString> },
}

/// The byte in the place of a lone surrogate. No byte of UTF-8 is this one.
pub(crate) const SURROGATE: u8 = 0xFF;

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
                Err(_) => {
                    let string = string.to_owned();
                    Self::Surrogates { bytes: with_surrogates(&string)?, string: string.unbind() }
                }
            }));
        }
        let reference = object.cast::<Reference>().ok();
        Ok(reference.map(|reference| Self::Utf8(Cow::Borrowed(reference.get().text()))))
    }

    /// The bytes, which are UTF-8 unless there are lone surrogates.
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Utf8(text) => text.as_bytes(),
            Self::Surrogates { bytes, .. } => bytes,
        }
    }

    /// The text, or `None` if there are lone surrogates.
    pub(crate) fn utf8(&self) -> Option<&str> {
        match self {
            Self::Utf8(text) => Some(text),
            Self::Surrogates { .. } => None,
        }
    }

    /// The text with U+FFFD in place of each lone surrogate. It has the same characters otherwise.
    pub(crate) fn replaced(&self) -> Cow<'_, str> {
        let bytes = match self {
            Self::Utf8(text) => return Cow::Borrowed(text),
            Self::Surrogates { bytes, .. } => bytes,
        };
        let mut text = String::with_capacity(bytes.len() + 2);
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            if !chunk.invalid().is_empty() {
                text.push(char::REPLACEMENT_CHARACTER);
            }
        }
        Cow::Owned(text)
    }

    /// A part of the text, as Python cuts it: `span` is the place of the part in the text or in [`replaced`](Self::replaced),
    /// and `characters` is the same place in characters.
    pub(crate) fn part<'py>(
        &self,
        py: Python<'py>,
        span: Range<usize>,
        characters: Range<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::Utf8(text) => {
                Ok(PyString::new(py, text.get(span).unwrap_or_default()).into_any())
            }
            Self::Surrogates { string, .. } => {
                // A string has at most `isize::MAX` characters.
                let [start, end] = [characters.start, characters.end].map(|at| at as isize);
                string.bind(py).get_item(PySlice::new(py, start, end, 1))
            }
        }
    }
}

/// The bytes of a string with lone surrogates, with one byte for each of them.
#[cold]
fn with_surrogates(string: &Bound<'_, PyString>) -> PyResult<Vec<u8>> {
    let bytes = string.call_method1("encode", ("utf-8", "surrogatepass"))?;
    let mut single = Vec::new();
    for chunk in bytes.extract::<&[u8]>()?.utf8_chunks() {
        single.extend_from_slice(chunk.valid().as_bytes());
        // Each of the three bytes of a surrogate is a chunk of its own, and the first byte is always this byte.
        if chunk.invalid() == [0xED] {
            single.push(SURROGATE);
        }
    }
    Ok(single)
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
