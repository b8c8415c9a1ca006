//! The result of an item, and the counts of results.

use std::io;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use simd_iri::kind::Kind;
use simd_iri::{Error, Mapped, Normalize, View};

use crate::invariant::present;
use crate::item_error::ItemError;
use crate::output::columns::Columns;
use crate::output::json::{self, serialize_bytes};
use crate::output::report::{Place, Remark};
use crate::pipe::sink::Sink;
use crate::pipe::tally::Tally;

/// The result of an item: it has lines of output.
pub(crate) trait ItemOutput {
    /// Whether the bytes after a quote that is never closed are copied. They may hold good records.
    fn copies_damage(&self) -> bool {
        true
    }

    /// Whether the place of the item is printed before each line. A reader needs it where an item may have any number of
    /// lines.
    fn has_places(&self) -> bool {
        false
    }

    /// Calls `write` with each line of output, without its separator.
    ///
    /// # Errors
    /// The errors of `write`.
    fn each_line(&self, write: &mut Line<'_>) -> io::Result<()>;

    /// Tells whether the result is the item itself. Then no line is written until [`complete`](Self::complete).
    fn is_item(&self) -> bool {
        false
    }

    /// Copies the item into the result, if the result is the item itself.
    fn complete(&mut self, _item: &[u8]) {}

    /// Returns remarks for standard error about the result of `item`, in the order of their positions.
    fn remarks(&self, _item: &[u8]) -> Vec<Remark> {
        Vec::new()
    }

    /// Returns the text that the remarks are about.
    fn remarked<'a>(&'a self, item: &'a [u8]) -> &'a [u8] {
        item
    }

    /// Counts the remarks.
    fn count(&self, _tally: &mut Tally) {}

    /// Returns the remarks about an item that has no result: its error and what else is found, in the order of their
    /// positions. Counts what is found. Without remarks, there is nothing but the error.
    fn failure(&mut self, _item: &[u8], _error: &ItemError, _tally: &mut Tally) -> Vec<Remark> {
        Vec::new()
    }

    /// Whether a result depends on the place of its item.
    fn needs_place(&self) -> bool {
        false
    }

    /// Says where the next item is. It is called only if [`needs_place`](Self::needs_place) says so.
    fn at(&mut self, _place: Place<'_>) {}
}

/// A result that is made again and again, whatever its type: what writes the results is compiled once.
pub(super) trait Slot {
    /// Returns the names of the columns of an item.
    fn names(&self) -> &'static [&'static str];

    /// Makes the result of an item.
    ///
    /// # Errors
    /// The item has no result.
    fn make(&mut self, columns: [&[u8]; 2]) -> Result<(), ItemError>;

    /// Makes the result that nothing was made of.
    fn reset(&mut self);

    fn result(&mut self) -> &mut dyn ItemOutput;

    /// Writes the result as the fields of a JSON object.
    ///
    /// # Errors
    /// The output cannot be written.
    fn write_json(&self, out: &mut Sink<'_>, place: Place<'_>, item: Columns<'_>)
    -> io::Result<()>;
}

/// A result of one type, and the function that makes it.
pub(super) struct Held<'m, T, F> {
    pub(super) names: &'static [&'static str],
    /// The second column is empty if an item is not a pair.
    pub(super) make: &'m F,
    pub(super) made: T,
}

impl<T, F> Slot for Held<'_, T, F>
where
    T: ItemOutput + Default + Serialize,
    F: Fn([&[u8]; 2], &mut T) -> Result<(), ItemError>,
{
    fn names(&self) -> &'static [&'static str] {
        self.names
    }

    fn make(&mut self, columns: [&[u8]; 2]) -> Result<(), ItemError> {
        (self.make)(columns, &mut self.made)
    }

    fn reset(&mut self) {
        self.made = T::default();
    }

    fn result(&mut self) -> &mut dyn ItemOutput {
        &mut self.made
    }

    fn write_json(
        &self,
        out: &mut Sink<'_>,
        place: Place<'_>,
        item: Columns<'_>,
    ) -> io::Result<()> {
        json::write_transformed(out, place, item, Ok(&self.made))
    }
}

/// Writes a line of output. The line is bytes, because it may be in a legacy charset.
pub(crate) type Line<'w> = dyn FnMut(&[u8]) -> io::Result<()> + 'w;

/// A result that is one line, and need not be UTF-8.
#[derive(Default)]
pub(crate) struct Bytes {
    pub(crate) output: Vec<u8>,
}

impl ItemOutput for Bytes {
    fn each_line(&self, write: &mut Line<'_>) -> io::Result<()> {
        write(&self.output)
    }
}

/// Serializes the output in the way of items: with its bytes in Base64 if it is not UTF-8.
impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        serialize_bytes(&mut map, "output", &self.output)?;
        map.end()
    }
}

/// A result that is one line of text.
#[derive(Default, Serialize)]
pub(crate) struct Text {
    pub(crate) output: String,
    #[serde(skip)]
    is_item: bool,
}

impl Text {
    /// Sets the result to a transformed reference. `is_item` tells whether the reference was the item itself, and not a
    /// copy that edits have changed.
    pub(crate) fn set<K: Kind>(&mut self, made: Mapped<'_, K>, is_item: bool) {
        self.is_item = is_item && made.is_borrowed();
        match made {
            Mapped::Owned(made) => self.output = made.into_string(),
            Mapped::Borrowed(_) if is_item => {}
            Mapped::Borrowed(made) => {
                self.output.clear();
                self.output.push_str(made.as_str());
            }
        }
    }
}

impl Text {
    /// Sets the result to the normal form of a reference, in the memory of the last result. `is_item` has the meaning
    /// that it has in [`set`](Self::set).
    ///
    /// # Errors
    /// The normal form has 4 GiB or more.
    pub(crate) fn set_normal<K: Kind>(
        &mut self,
        reference: View<'_, K>,
        rules: Normalize,
        is_item: bool,
    ) -> Result<(), Error> {
        let normal = rules.map_into(reference, &mut self.output)?;
        self.is_item = is_item && normal.as_str() == reference.as_str();
        Ok(())
    }

    /// Sets the result to a text; `None` is the item itself.
    pub(crate) fn set_text(&mut self, text: Option<String>) {
        self.is_item = text.is_none();
        self.output = text.unwrap_or_default();
    }
}

impl ItemOutput for Text {
    fn is_item(&self) -> bool {
        self.is_item
    }

    fn complete(&mut self, item: &[u8]) {
        if self.is_item {
            self.output.clear();
            // An item that is its own result is a reference, and so it is UTF-8.
            self.output.push_str(present(std::str::from_utf8(item).ok()));
        }
    }

    fn each_line(&self, write: &mut Line<'_>) -> io::Result<()> {
        write(self.output.as_bytes())
    }
}
