//! The types of this room without the feature `columnar`. They have no values, so functions with parameters of these
//! types are never called. They are structs with a private field and not empty enums, so that the compiler reports no
//! dead code in the functions that use them.

use std::convert::Infallible;
use std::io::{self, Write};
use std::marker::PhantomData;
use std::path::Path;

use crate::args::output::To;
use crate::args::records::From;
use crate::format::field::{Record, Value};

/// A table that a worker has made.
pub(crate) type Batch = Infallible;

/// A format of columns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Format(Infallible);

impl Format {
    /// Returns the format of an output, if it is one of columns.
    ///
    /// # Errors
    /// The output has a format of columns.
    pub(crate) fn of_output(to: Option<To>) -> Result<Option<Self>, String> {
        match to {
            Some(To::Parquet | To::Arrow) => Err(unknown()),
            _ => Ok(None),
        }
    }
}

fn unknown() -> String {
    "this program was built without the feature columnar, so it knows neither parquet nor arrow; \
     cargo install simd-iri-cli --features columnar builds it with it"
        .to_owned()
}

/// Where the addresses of a file are.
#[derive(Clone, Debug)]
pub(crate) struct Place(Infallible);

impl Place {
    /// Returns the place of the addresses in files of a format of columns.
    ///
    /// # Errors
    /// Always.
    pub(crate) fn new(_: From, _: Option<&str>) -> Result<Self, String> {
        Err(unknown())
    }

    pub(crate) fn open(&self, _: &Path, _: bool) -> Result<Opened, String> {
        match self.0 {}
    }
}

/// A file whose rows are read.
pub(crate) struct Opened(Infallible);

impl Opened {
    pub(crate) fn names(&self) -> Vec<String> {
        match self.0 {}
    }

    pub(crate) fn next(&mut self) -> io::Result<Option<(Vec<u8>, Rows)>> {
        match self.0 {}
    }
}

/// Some rows of a file.
#[derive(Debug)]
pub(crate) struct Rows(Infallible);

impl Rows {
    pub(crate) fn next(&self, _: usize, _: &mut Record) {
        match self.0 {}
    }

    pub(crate) fn map(
        &self,
        _: &[u8],
        _: impl FnMut(&[u8]) -> Vec<u8>,
    ) -> io::Result<(Vec<u8>, Self)> {
        match self.0 {}
    }

    pub(crate) fn line(&self, _: usize) -> u64 {
        match self.0 {}
    }
}

/// The treatment of the records of a block.
pub(crate) struct Table<'b>(Infallible, PhantomData<&'b ()>);

impl<'b> Table<'b> {
    pub(crate) fn of_rows(rows: &'b Rows, _: Option<&'b str>) -> Self {
        match rows.0 {}
    }

    pub(crate) fn of_texts(format: Format, _: Vec<String>) -> Self {
        match format.0 {}
    }

    pub(crate) fn keep(&mut self, _: Option<&[u8]>) {
        match self.0 {}
    }

    pub(crate) fn leave_out(&mut self) {
        match self.0 {}
    }

    pub(crate) fn add(&mut self, _: &[Value<'_>], _: (Option<&[u8]>, usize)) {
        match self.0 {}
    }

    pub(crate) fn finish(self) -> io::Result<Batch> {
        match self.0 {}
    }
}

/// A file of columns that is written.
pub(crate) struct Tables<'o>(Infallible, PhantomData<&'o mut (dyn Write + Send)>);

impl<'o> Tables<'o> {
    pub(crate) fn new(format: Format, _: &'o mut (dyn Write + Send)) -> Self {
        match format.0 {}
    }

    pub(crate) fn write(&mut self, _: &Batch) -> io::Result<()> {
        match self.0 {}
    }

    pub(crate) fn finish(self) -> io::Result<bool> {
        match self.0 {}
    }
}
