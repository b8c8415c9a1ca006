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
pub(crate) fn split<'a, const N: usize>(
    names: &[&'static str; N],
    item: &'a [u8],
) -> Result<[&'a [u8]; N], ItemError> {
    if N == 1 {
        return Ok([item; N]);
    }
    let mut columns = item.split(|byte| *byte == b'\t');
    let texts = [(); N].map(|()| columns.next());
    let surplus = columns.next().is_some();
    if !surplus && texts.iter().all(Option::is_some) {
        return Ok(texts.map(present));
    }
    // The error is at the end of the columns that were found.
    let start = texts.iter().flatten().map(|text| text.len() + 1).sum::<usize>() - 1;
    let wrong = if surplus { "a tab too many" } else { "no tab" };
    let names = *names;
    Err(ItemError {
        kind: "not-a-pair",
        message: Message::made(move |f| {
            let names = names.join(" and ");
            write!(f, "{wrong} at byte {start}; write {names} with one tab between them")
        }),
        start,
        end: start + usize::from(surplus),
        component: None,
        of: None,
    })
}
