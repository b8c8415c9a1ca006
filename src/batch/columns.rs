//! Offsets by columns: one vector for each of the eight offsets, with one row for each item.
//!
//! Not here: how the offsets are found (`cursors`, `parse`).

use alloc::vec::Vec;

use super::chunk::Chunk;
use super::found::Found;
use super::{Batch, Failed};
use crate::error::Error;
use crate::parse::Parts;

/// The offsets of many items, one vector for each offset. [`Batch::columns`](super::Batch::columns)
/// fills it.
///
/// Row *i* is item *i*. `starts` are byte offsets into the buffer. The other offsets are in bytes relative
/// to the start of the item, as in [`Parts`]. For an item that is invalid or null, `end` is its length and
/// all other relative offsets are 0; [`Columns::errors`] and [`Columns::nulls`] list these items.
///
/// ```
/// use simd_iri::{Rule, batch::{Batch, Columns, Separated}};
///
/// let mut columns = Columns::new();
/// Batch::new(Rule::Iri).columns(Separated::lines(b"http://a/b?c#d\nno\n"), &mut columns);
/// assert_eq!(columns.host(), [7, 0]);
/// assert_eq!(columns.end(), [14, 2]);
/// assert_eq!(columns.errors().len(), 1);
/// assert_eq!(columns.errors()[0].0, 1);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Columns {
    starts: Vec<u64>,
    scheme_end: Vec<u32>,
    authority: Vec<u32>,
    host: Vec<u32>,
    host_end: Vec<u32>,
    path: Vec<u32>,
    path_end: Vec<u32>,
    query_end: Vec<u32>,
    end: Vec<u32>,
    errors: Vec<(u64, Error)>,
    nulls: Vec<u64>,
}

/// The vectors of [`Columns`]. [`Columns::into_parts`] returns them. The method of `Columns` with the same
/// name describes each vector.
///
/// ```
/// # use simd_iri::batch::{ColumnVecs, Columns};
/// let ColumnVecs { starts, path, .. } = Columns::new().into_parts();
/// assert!(starts.is_empty() && path.is_empty());
/// ```
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ColumnVecs {
    /// [`Columns::starts`].
    pub starts: Vec<u64>,
    /// [`Columns::scheme_end`].
    pub scheme_end: Vec<u32>,
    /// [`Columns::authority`].
    pub authority: Vec<u32>,
    /// [`Columns::host`].
    pub host: Vec<u32>,
    /// [`Columns::host_end`].
    pub host_end: Vec<u32>,
    /// [`Columns::path`].
    pub path: Vec<u32>,
    /// [`Columns::path_end`].
    pub path_end: Vec<u32>,
    /// [`Columns::query_end`].
    pub query_end: Vec<u32>,
    /// [`Columns::end`].
    pub end: Vec<u32>,
    /// [`Columns::errors`].
    pub errors: Vec<(u64, Error)>,
    /// [`Columns::nulls`].
    pub nulls: Vec<u64>,
}

impl Columns {
    /// Returns columns without a row. Allocates nothing.
    ///
    /// ```
    /// # use simd_iri::batch::Columns;
    /// assert_eq!(Columns::new().len(), 0);
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns columns without a row, with room for `rows` rows. Allocates only this room.
    ///
    /// ```
    /// # use simd_iri::batch::Columns;
    /// assert!(Columns::with_capacity(1000).is_empty());
    /// ```
    #[must_use]
    pub fn with_capacity(rows: usize) -> Self {
        let mut columns = Self { starts: Vec::with_capacity(rows), ..Self::default() };
        columns.offsets_mut().into_iter().for_each(|column| column.reserve_exact(rows));
        columns
    }

    /// Returns the vectors. Copies nothing.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Columns, Separated}};
    /// let mut columns = Columns::new();
    /// Batch::new(Rule::Iri).columns(Separated::lines(b"a:b"), &mut columns);
    /// assert_eq!(columns.into_parts().path, vec![2]);
    /// ```
    #[must_use]
    pub fn into_parts(self) -> ColumnVecs {
        let Self { starts, scheme_end, authority, host, host_end, path, .. } = self;
        let Self { path_end, query_end, end, errors, nulls, .. } = self;
        ColumnVecs {
            starts,
            scheme_end,
            authority,
            host,
            host_end,
            path,
            path_end,
            query_end,
            end,
            errors,
            nulls,
        }
    }

    /// Returns the number of rows.
    ///
    /// ```
    /// # use simd_iri::batch::Columns;
    /// assert_eq!(Columns::default().len(), 0);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Tells whether there is no row.
    ///
    /// ```
    /// # use simd_iri::batch::Columns;
    /// assert!(Columns::new().is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// Removes all rows and keeps the memory.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Columns, Separated}};
    /// let mut columns = Columns::new();
    /// Batch::new(Rule::Iri).columns(Separated::lines(b"a:b"), &mut columns);
    /// columns.clear();
    /// assert!(columns.is_empty());
    /// ```
    pub fn clear(&mut self) {
        let Self { starts, errors, nulls, .. } = self;
        starts.clear();
        errors.clear();
        nulls.clear();
        self.offsets_mut().into_iter().for_each(Vec::clear);
    }

    /// Returns the byte offset in the buffer at which each item begins.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Columns, Separated}};
    /// # let mut columns = Columns::new();
    /// Batch::new(Rule::Iri).columns(Separated::lines(b"a:b\nc:d"), &mut columns);
    /// assert_eq!(columns.starts(), [0, 4]);
    /// ```
    #[must_use]
    pub fn starts(&self) -> &[u64] {
        &self.starts
    }

    /// Returns the offset of the colon after each scheme; 0 if there is no scheme.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Columns, Separated}};
    /// # let mut columns = Columns::new();
    /// Batch::new(Rule::Iri).columns(Separated::lines(b"http://u@h:80/p?q#f"), &mut columns);
    /// assert_eq!(columns.scheme_end(), [4]);
    /// ```
    #[must_use]
    pub fn scheme_end(&self) -> &[u32] {
        &self.scheme_end
    }

    /// Returns the offset of the first byte of each authority; the offset of the path if there is no
    /// authority.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Columns, Separated}};
    /// # let mut columns = Columns::new();
    /// Batch::new(Rule::Iri).columns(Separated::lines(b"http://u@h:80/p?q#f"), &mut columns);
    /// assert_eq!(columns.authority(), [7]);
    /// ```
    #[must_use]
    pub fn authority(&self) -> &[u32] {
        &self.authority
    }

    /// Returns the offset of the first byte of each host; the offset of the path if there is no authority.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Columns, Separated}};
    /// # let mut columns = Columns::new();
    /// Batch::new(Rule::Iri).columns(Separated::lines(b"http://u@h:80/p?q#f"), &mut columns);
    /// assert_eq!(columns.host(), [9]);
    /// ```
    #[must_use]
    pub fn host(&self) -> &[u32] {
        &self.host
    }

    /// Returns the offset of the colon before each port; the offset of the path if there is no port.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Columns, Separated}};
    /// # let mut columns = Columns::new();
    /// Batch::new(Rule::Iri).columns(Separated::lines(b"http://u@h:80/p?q#f"), &mut columns);
    /// assert_eq!(columns.host_end(), [10]);
    /// ```
    #[must_use]
    pub fn host_end(&self) -> &[u32] {
        &self.host_end
    }

    /// Returns the offset of the first byte of each path.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Columns, Separated}};
    /// # let mut columns = Columns::new();
    /// Batch::new(Rule::Iri).columns(Separated::lines(b"http://u@h:80/p?q#f"), &mut columns);
    /// assert_eq!(columns.path(), [13]);
    /// ```
    #[must_use]
    pub fn path(&self) -> &[u32] {
        &self.path
    }

    /// Returns the offset at which each path ends: the offset of the question mark if there is a query.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Columns, Separated}};
    /// # let mut columns = Columns::new();
    /// Batch::new(Rule::Iri).columns(Separated::lines(b"http://u@h:80/p?q#f"), &mut columns);
    /// assert_eq!(columns.path_end(), [15]);
    /// ```
    #[must_use]
    pub fn path_end(&self) -> &[u32] {
        &self.path_end
    }

    /// Returns the offset of the number sign of each item; the length of the item if there is no fragment.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Columns, Separated}};
    /// # let mut columns = Columns::new();
    /// Batch::new(Rule::Iri).columns(Separated::lines(b"http://u@h:80/p?q#f"), &mut columns);
    /// assert_eq!(columns.query_end(), [17]);
    /// ```
    #[must_use]
    pub fn query_end(&self) -> &[u32] {
        &self.query_end
    }

    /// Returns the length of each item in bytes.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Columns, Separated}};
    /// # let mut columns = Columns::new();
    /// Batch::new(Rule::Iri).columns(Separated::lines(b"http://u@h:80/p?q#f"), &mut columns);
    /// assert_eq!(columns.end(), [19]);
    /// ```
    #[must_use]
    pub fn end(&self) -> &[u32] {
        &self.end
    }

    /// Returns the rows of the items that do not match the rule, in order, each with its first violation.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Columns, Separated}};
    /// # let mut columns = Columns::new();
    /// Batch::new(Rule::Iri).columns(Separated::lines(b"a:b\nc d\n"), &mut columns);
    /// let [(row, error)] = columns.errors() else { panic!() };
    /// assert_eq!((*row, error.span()), (1, 0..0));
    /// ```
    #[must_use]
    pub fn errors(&self) -> &[(u64, Error)] {
        &self.errors
    }

    /// Returns the rows of the items that are null, in order.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, TextColumn, Columns}};
    /// # let mut columns = Columns::new();
    /// let column = TextColumn::new(&[0, 3, 3], b"a:b")?.with_validity(&[0b01], 0)?;
    /// Batch::new(Rule::Iri).columns(column, &mut columns);
    /// assert_eq!(columns.nulls(), [1]);
    /// # Ok::<(), simd_iri::batch::ColumnError>(())
    /// ```
    #[must_use]
    pub fn nulls(&self) -> &[u64] {
        &self.nulls
    }

    /// The columns of the offsets, in the order of [`Parts`].
    fn offsets_mut(&mut self) -> [&mut Vec<u32>; 8] {
        let Self { scheme_end, authority, host, host_end, path, path_end, query_end, end, .. } =
            self;
        [scheme_end, authority, host, host_end, path, path_end, query_end, end]
    }

    /// Appends the rows of a chunk.
    pub(super) fn append(&mut self, batch: Batch, chunk: &mut Chunk<'_>, failed: &Failed) {
        let first = self.starts.len() as u64;
        for number in chunk.null.or(failed.items) {
            let (row, bytes) = (first + u64::from(number), chunk.item(number));
            if chunk.null.contains(number) {
                self.nulls.push(row);
            } else {
                self.errors.push((row, failed.explain(batch, chunk, number, bytes)));
            }
            let end = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
            chunk.found.rows.set(number, Parts::at([0, 0, 0, 0, 0, 0, 0, end]));
        }
        self.starts.extend(chunk.spans().map(|span| span.start as u64));
        let Found { rows, len, .. } = &chunk.found;
        for (column, rows) in self.offsets_mut().into_iter().zip(&rows.0) {
            column.extend_from_slice(rows.get(..*len).unwrap_or_default());
        }
    }
}
