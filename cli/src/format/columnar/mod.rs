//! Files of columns: Parquet, and Arrow's IPC format. One column holds the addresses.
//!
//! A block of such a file is some of its rows: the texts of the column are the bytes of the block, and the rows
//! themselves are its layout. A worker makes a table from a block, and the tables are written in the order of the
//! blocks.
//!
//! The feature `columnar` compiles the crates that this needs. Without it, the same types have no values.

#[cfg(not(feature = "columnar"))]
mod absent;
#[cfg(feature = "columnar")]
mod read;
#[cfg(feature = "columnar")]
mod rows;
#[cfg(feature = "columnar")]
mod table;
#[cfg(feature = "columnar")]
mod write;

#[cfg(not(feature = "columnar"))]
pub(crate) use absent::{Batch, Format, Opened, Place, Rows, Table, Tables};
#[cfg(feature = "columnar")]
pub(crate) use {
    arrow_array::RecordBatch as Batch,
    read::{Format, Opened, Place},
    rows::Rows,
    table::Table,
    write::Tables,
};
