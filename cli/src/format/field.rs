//! The places of addresses in a record, and how text is written there.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};
use std::ops::Range;

use simd_iri::text::Escapes;

use crate::item_error::{ItemError, Message};
use crate::output::secrets::without_secrets;

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
    /// As a field of CSV with this delimiter. The span includes the quotes.
    Csv(u8),
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
#[derive(Debug)]
pub(crate) struct Value<'b> {
    /// The text, or the text of the JSON value.
    pub(crate) text: Cow<'b, [u8]>,
    /// Whether the text is JSON other than a string.
    pub(crate) is_json: bool,
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
    format!("the records have a field '{name}' already; write another name after --add")
}

/// The name of a field without a name: its number.
pub(super) struct Number(pub(super) usize);

impl Display for Number {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "number {}", self.0)
    }
}

/// Returns the error of a record with a field at `start` that the first record lacks.
pub(super) fn surplus(start: usize, name: impl Display + Send + Sync + 'static) -> ItemError {
    ItemError {
        kind: "surplus-field",
        message: Message::made(move |f| {
            let name = name.to_string();
            write!(f, "the first record has no field like this: {}", without_secrets(&name))
        }),
        start,
        end: start,
        component: None,
        of: None,
    }
}
