//! Splits an item into named columns: one column, or two with a tab between them. Not here: what a column
//! means.

use crate::invariant::present;
use crate::item_error::{ItemError, Message};

/// The columns of an item, each with its name.
#[derive(Clone, Copy)]
pub(crate) struct Columns<'a> {
    pub(crate) names: &'a [&'static str],
    pub(crate) texts: &'a [&'a [u8]],
}

impl<'a> Columns<'a> {
    /// Returns the position of a column in the item.
    pub(crate) fn start(self, name: &str) -> usize {
        self.iter().take_while(|(other, _)| *other != name).map(|(_, text)| text.len() + 1).sum()
    }

    /// Returns the names and the texts of the columns.
    pub(crate) fn iter(self) -> impl Iterator<Item = (&'static str, &'a [u8])> {
        self.names.iter().copied().zip(self.texts.iter().copied())
    }
}

/// Splits an item into one column for each name. A single column is the whole item, even with tabs.
///
/// # Errors
/// The item has too few or too many tabs.
pub(crate) fn split<'a>(
    names: &'static [&'static str],
    item: &'a [u8],
) -> Result<[&'a [u8]; 2], ItemError> {
    if names.len() == 1 {
        return Ok([item, b""]);
    }
    let mut columns = item.split(|byte| *byte == b'\t');
    let texts = [columns.next(), columns.next()];
    let surplus = columns.next().is_some();
    if !surplus && texts.iter().all(Option::is_some) {
        return Ok(texts.map(present));
    }
    let start = texts.iter().flatten().map(|text| text.len() + 1).sum::<usize>() - 1;
    let wrong = if surplus { "a tab too many" } else { "no tab" };
    let message = Message::made(move |f| {
        let names = names.join(" and ");
        write!(f, "{wrong} at byte {start}; write {names} with one tab between them")
    });
    Err(ItemError::at("not-a-pair", message, start..start + usize::from(surplus)))
}
