//! The places of addresses in a record, and how text is written there.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};
use std::ops::Range;

use simd_iri_text::Escapes;

use crate::item_error::{ItemError, Message};
use crate::output::secrets::quote;

/// The place of an address: its bytes in the block, and how text is written there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) span: Range<usize>,
    pub(crate) coding: Coding,
}

/// How text is written in a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    /// As it is.
    Raw,
    /// As a field of CSV. The span includes the quotes.
    Csv(Cell),
    /// As a string of JSON. The span includes the quotes.
    Json,
    /// With the escapes of N-Triples, between `<` and `>`, which the span does not include.
    NTriples,
    /// As the content of an element of XML.
    Element,
    /// As an attribute of XML, with this quote. The span does not include the quotes.
    XmlAttribute(u8),
    /// As a reference in HTML or Markdown.
    Markup(Escapes),
    /// With the escapes of a web server's log.
    Log,
    /// As an authority, with the escapes of a web server's log. The text has two slashes before it.
    LogAuthority,
    /// The record itself, because no field of it is the address.
    Record,
}

/// The place of a field in a row of CSV.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) delimiter: u8,
    /// Whether the row has no other field. Without a text and without quotes, such a row would be a blank line, which is
    /// not a row.
    pub(crate) is_alone: bool,
}

/// The places of the scheme and of the host of a request, in the block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Site {
    pub(crate) scheme: Option<Range<usize>>,
    pub(crate) host: Option<Range<usize>>,
}

/// A record in a block, and the places of its addresses.
#[derive(Debug, Default)]
pub(crate) struct Record {
    /// The first byte after the record and its terminator.
    pub(crate) end: usize,
    /// The record without its terminator.
    pub(crate) body: Range<usize>,
    /// The addresses, in the order of their places.
    pub(crate) fields: Vec<Field>,
    /// The places that have the name of the address, too: members of JSON before the last, and columns of CSV after the
    /// first. No command reads them as addresses.
    pub(crate) twins: Vec<Field>,
    /// The tag that the end of a document cuts. It is not a tag, and so it has no address.
    pub(crate) cut: Option<Range<usize>>,
    /// The reason why the record has no field, if it should have a field.
    pub(crate) error: Option<ItemError>,
    /// Where a log has the site of the request.
    pub(crate) site: Site,
    /// Whether these bytes are not a record, such as a blank line or a comment. They are copied.
    pub(crate) is_filler: bool,
}

/// A field of a record in another format.
#[derive(Clone, Debug)]
pub(crate) enum Value<'b> {
    Text(Cow<'b, [u8]>),
    /// JSON other than a string.
    Json(&'b [u8]),
    /// The record does not have the field.
    Absent,
}

impl Value<'_> {
    /// Returns the text, or the text of the JSON value. It is empty if the field is absent.
    pub(crate) fn text(&self) -> &[u8] {
        match self {
            Self::Text(text) => text,
            Self::Json(json) => json,
            Self::Absent => b"",
        }
    }
}

/// Returns a text as bytes.
pub(crate) fn bytes(text: Cow<'_, str>) -> Cow<'_, [u8]> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

/// Returns the message about a new field whose name another field has already.
pub(crate) fn exists(name: &str) -> String {
    let name = quote(name);
    format!("the records have a field '{name}' already; write another name after --add")
}

/// The name of a field without a name: its number.
pub(super) struct Number(pub(super) usize);

impl Coding {
    /// Tells whether a field holds nothing but UTF-8.
    pub(crate) const fn is_text(self) -> bool {
        match self {
            // A log has an escape for each byte.
            Self::Raw | Self::Record | Self::Csv(_) | Self::Log | Self::LogAuthority => false,
            Self::Json | Self::NTriples | Self::Element => true,
            Self::XmlAttribute(_) | Self::Markup(_) => true,
        }
    }
}

impl Display for Number {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "number {}", self.0)
    }
}

/// Returns the error of a record that has a name twice: the second time before `span`.
pub(super) fn twin(span: Range<usize>, name: String) -> ItemError {
    let message = Message::made(move |f| {
        let name = quote(&name);
        write!(f, "the record has the name '{name}' twice, and the output has one place for it")
    });
    ItemError::at("twin-field", message, span)
}

/// Returns the error of a record with a field at `start` that the first record lacks.
pub(super) fn surplus(start: usize, name: impl Display + Send + Sync + 'static) -> ItemError {
    let message = Message::made(move |f| {
        let name = name.to_string();
        write!(f, "the first record has no field like this: {}", quote(&name))
    });
    ItemError::at("surplus-field", message, start..start)
}
