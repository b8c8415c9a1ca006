//! Reads the text of a field, and writes another text in its place.

use std::borrow::Cow;

use crate::format::field::{Coding, bytes};
use crate::format::{csv, json, log, ntriples, sitemap};
use crate::io::text::utf8;
use crate::item_error::ItemError;

impl Coding {
    /// Returns the text of a field.
    ///
    /// # Errors
    /// The field has an escape that stands for no text.
    pub(crate) fn decode(self, raw: &[u8]) -> Result<Cow<'_, [u8]>, ItemError> {
        match self {
            Self::Raw | Self::Record => Ok(Cow::Borrowed(raw)),
            Self::Csv(_) => Ok(csv::decode(raw)),
            Self::Json => json::decode(raw),
            Self::NTriples => ntriples::decode(raw),
            Self::Element => sitemap::decode(raw),
            Self::XmlAttribute(_) => sitemap::decode_text(raw),
            Self::Markup(escapes) => Ok(bytes(escapes.read(utf8(raw)?))),
            Self::Log => Ok(log::decode(raw)),
            Self::LogAuthority => Ok(log::decode_authority(raw)),
        }
    }

    /// Appends a text as it is written in a field that was `raw` before.
    pub(crate) fn encode(self, raw: &[u8], text: &[u8], out: &mut Vec<u8>) {
        match self {
            Self::Raw | Self::Record => out.extend_from_slice(text),
            Self::Csv(cell) => csv::encode(raw, text, cell, out),
            Self::Json => json::encode(text, out),
            Self::NTriples => ntriples::encode(text, out),
            Self::Element => sitemap::encode(raw, text, out),
            Self::XmlAttribute(quote) => sitemap::encode_text(text, Some(quote), out),
            Self::Markup(escapes) => {
                let written = utf8(raw).and_then(|raw| Ok(escapes.write(raw, utf8(text)?)));
                out.extend_from_slice(written.as_deref().map_or(text, str::as_bytes));
            }
            Self::Log => log::encode(text, out),
            Self::LogAuthority => log::encode_authority(text, out),
        }
    }
}
