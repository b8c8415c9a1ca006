//! Converts a single item to text. Not here: the conversion of whole files, which is in `decode`.

use std::borrow::Cow;

use encoding_rs::Encoding;
use memchr::memchr;
use simd_iri::{Error, ErrorKind, Rule};

use crate::invariant::present;
use crate::io::decode::ILL_FORMED;
use crate::item_error::{ItemError, Message};

/// Returns the error of an item with bytes that are invalid in the charset of its file.
pub(crate) fn ill_formed(charset: Option<&'static Encoding>, item: &[u8]) -> Option<ItemError> {
    let charset = charset?.name();
    let start = memchr(ILL_FORMED, item)?;
    let message = Message::made(move |f| {
        write!(f, "the bytes at {start} are invalid in {charset}; name another charset")
    });
    Some(ItemError::at("ill-formed-charset", message, start..start + 1))
}

/// Decodes a whole item.
///
/// # Errors
/// The item holds bytes that are invalid in the charset.
pub(crate) fn decode<'a>(
    charset: &'static Encoding,
    item: &'a [u8],
) -> Result<Cow<'a, str>, ItemError> {
    charset.decode_without_bom_handling_and_without_replacement(item).ok_or_else(|| {
        let message = "the bytes are invalid in the charset; name another charset";
        ItemError::whole("ill-formed-charset", message, item)
    })
}

/// Returns an item as text. It must be UTF-8, but need not be a reference.
pub(crate) fn utf8(item: &[u8]) -> Result<&str, ItemError> {
    if let Ok(text) = std::str::from_utf8(item) {
        return Ok(text);
    }
    let is_ill_formed = |error: &Error| error.kind() == ErrorKind::IllFormedUtf8;
    match Rule::IriReference.violations_bytes(item).find(is_ill_formed) {
        Some(error) => Err(error.into()),
        None => Ok(present(std::str::from_utf8(item).ok())),
    }
}

/// Returns bytes as a text, or the length of the part before the first bytes that are not UTF-8.
pub(crate) fn well_formed(bytes: &[u8]) -> Result<&str, usize> {
    simdutf8::basic::from_utf8(bytes).map_err(|_| {
        let error = std::str::from_utf8(bytes).err();
        error.map_or(bytes.len(), |error| error.valid_up_to())
    })
}
