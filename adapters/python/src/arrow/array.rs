//! The class of the results of all kernels.

use arrow_array::cast::AsArray;
use arrow_array::types::{UInt32Type, UInt64Type};
use arrow_array::{Array as _, ArrayRef};
use arrow_schema::{ArrowError, DataType};
use arrow_select::concat::concat;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyCapsule, PyDict, PyList};
use simd_iri_arrow::{TextType, text_length, with_text_type};

use super::{arrow_error, capsule};

/// The result of a kernel: an Arrow array for ``pyarrow.array``, ``polars.Series``, ``numpy.array``, a column of
/// pandas, and everything else that knows the Arrow PyCapsule interface or sequences. If the input came in chunks, so
/// does the result, as a stream.
///
/// Its texts have the type of the input: ``string``, ``large_string`` or ``string_view``, and ``string`` for a list.
/// They have the type ``large_string`` instead of ``string`` if an array has 2 GiB of text or more.
///
/// >>> from simd_iri import arrow
/// >>> hosts = arrow.component(["http://例え.jp/a", "a|b", None], "host")
/// >>> len(hosts), hosts.to_pylist()
/// (3, ['例え.jp', None, None])
/// >>> [host for host in hosts], hosts[0]
/// (['例え.jp', None, None], '例え.jp')
#[pyclass(frozen, sequence, module = "simd_iri.arrow")]
pub(crate) struct Array {
    /// The chunks, at least one, with views as their texts. All chunks have one type.
    chunks: Vec<ArrayRef>,
    /// The type of the texts for consumers. If it is `Utf8`, the text of each chunk fits.
    texts: TextType,
}

impl Array {
    /// An array of chunks, at least one, that have one type, for consumers that expect this type of text.
    pub(super) fn new(chunks: Vec<ArrayRef>, texts: TextType) -> Self {
        let texts = texts_of(texts, &chunks);
        Self { chunks, texts }
    }

    /// The type of the chunks, with views.
    fn with_views_type(&self) -> DataType {
        self.chunks.first().map_or(DataType::Null, |chunk| chunk.data_type().clone())
    }

    /// The type for consumers.
    fn data_type(&self) -> DataType {
        self.texts.within(&self.with_views_type())
    }

    /// The type of texts that a consumer asks for. A consumer that asks for another type gets the array as it is, as
    /// the interface allows.
    fn requested(&self, requested: Option<&Bound<'_, PyCapsule>>) -> PyResult<TextType> {
        let Some(wanted) = requested.map(capsule::read_type).transpose()? else {
            return Ok(self.texts);
        };
        let types = [self.texts, TextType::Utf8, TextType::LargeUtf8, TextType::Utf8View];
        let own = self.with_views_type();
        let found = types.into_iter().find(|texts| texts.within(&own) == wanted);
        Ok(texts_of(found.unwrap_or(self.texts), &self.chunks))
    }

    /// The row with this number, from the start.
    fn row<'py>(&self, py: Python<'py>, mut row: usize) -> PyResult<Option<Bound<'py, PyAny>>> {
        for chunk in &self.chunks {
            match row.checked_sub(chunk.len()) {
                Some(after) => row = after,
                None => return object(py, chunk, row).map(Some),
            }
        }
        Ok(None)
    }
}

/// The type of texts, or `LargeUtf8` in place of `Utf8` if a chunk has too much text for that.
fn texts_of(texts: TextType, chunks: &[ArrayRef]) -> TextType {
    let fits = |chunk: &ArrayRef| i32::try_from(text_length(chunk)).is_ok();
    match texts {
        TextType::Utf8 if !chunks.iter().all(fits) => TextType::LargeUtf8,
        texts => texts,
    }
}

#[pymethods]
impl Array {
    fn __len__(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }

    fn __repr__(&self) -> String {
        format!("<simd_iri.arrow.Array of {} rows, {}>", self.__len__(), self.data_type())
    }

    fn __getitem__<'py>(&self, py: Python<'py>, row: isize) -> PyResult<Bound<'py, PyAny>> {
        let len = self.__len__();
        let from_start = if row < 0 { row.checked_add_unsigned(len) } else { Some(row) };
        let found = from_start.and_then(|row| usize::try_from(row).ok());
        let found = found.map(|row| self.row(py, row)).transpose()?.flatten();
        found.ok_or_else(|| PyIndexError::new_err(format!("no row {row}; there are {len}")))
    }

    fn __iter__(array: Bound<'_, Self>) -> RowIterator {
        RowIterator { array: array.unbind(), chunk: 0, row: 0 }
    }

    /// The rows for NumPy: ``bool`` or ``uint64`` if no row is null, and otherwise the objects of
    /// ``to_pylist``.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(PyValueError::new_err("an array for NumPy is always a copy"));
        }
        let numpy = py.import("numpy")?;
        let made = match self.numbers() {
            Some((name, bytes)) => {
                numpy.call_method1("frombuffer", (PyByteArray::new(py, &bytes), name))?
            }
            None => {
                let rows = self.to_pylist(py)?;
                numpy.call_method1("fromiter", (&rows, "object", rows.len()))?
            }
        };
        match dtype {
            Some(dtype) => made.call_method1("astype", (dtype,)),
            None => Ok(made),
        }
    }

    /// Returns the rows as objects of Python.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for chunk in &self.chunks {
            for row in 0..chunk.len() {
                list.append(object(py, chunk, row)?)?;
            }
        }
        Ok(list)
    }

    /// Returns the same rows with texts of the type ``string_view``, which refer to the input and are not copied.
    ///
    /// >>> from simd_iri import arrow
    /// >>> arrow.normalize(["HTTP://A"])
    /// <simd_iri.arrow.Array of 1 rows, Utf8>
    /// >>> arrow.normalize(["HTTP://A"]).with_views()
    /// <simd_iri.arrow.Array of 1 rows, Utf8View>
    fn with_views(&self) -> Self {
        Self { chunks: self.chunks.clone(), texts: TextType::Utf8View }
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::schema_capsule(py, &self.data_type())
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyCapsule>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        let texts = self.requested(requested_schema)?;
        let array = py.detach(|| {
            let chunks: Vec<_> = self.chunks.iter().map(AsRef::as_ref).collect();
            let one = concat(&chunks)?;
            with_text_type(&one, texts_of(texts, std::slice::from_ref(&one)))
        });
        let array = array.map_err(arrow_error)?;
        Ok((capsule::schema_capsule(py, array.data_type())?, capsule::array_capsule(py, &array)?))
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let texts = self.requested(requested_schema)?;
        let data_type = texts.within(&self.with_views_type());
        capsule::stream_capsule(py, data_type, self.chunks.clone(), texts)
    }
}

impl Array {
    /// The rows as the bytes of an array of NumPy and the name of its type, if the rows are truths or numbers and no
    /// row is null.
    fn numbers(&self) -> Option<(&'static str, Vec<u8>)> {
        if self.chunks.iter().any(|chunk| chunk.null_count() > 0) {
            return None;
        }
        let chunks = self.chunks.iter();
        match self.with_views_type() {
            DataType::Boolean => {
                let truths = chunks.flat_map(|chunk| chunk.as_boolean().values().iter());
                Some(("bool", truths.map(u8::from).collect()))
            }
            DataType::UInt64 => {
                let numbers = chunks.flat_map(|chunk| chunk.as_primitive::<UInt64Type>().values());
                Some(("uint64", numbers.flat_map(|number| number.to_ne_bytes()).collect()))
            }
            _ => None,
        }
    }
}

/// Gives the rows of an array one after the other.
#[pyclass(module = "simd_iri.arrow")]
pub(crate) struct RowIterator {
    array: Py<Array>,
    /// The number of the chunk that has the next row. If `row` is past its end, the next chunk follows.
    chunk: usize,
    row: usize,
}

#[pymethods]
impl RowIterator {
    fn __iter__(iter: PyRef<'_, Self>) -> PyRef<'_, Self> {
        iter
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        while let Some(chunk) = self.array.get().chunks.get(self.chunk) {
            if self.row < chunk.len() {
                self.row += 1;
                return object(py, chunk, self.row - 1).map(Some);
            }
            (self.chunk, self.row) = (self.chunk + 1, 0);
        }
        Ok(None)
    }
}

/// A row as an object of Python. The types are the types of the kernels: a list may hold
/// structs, and a map holds lists.
fn object<'py>(py: Python<'py>, array: &ArrayRef, row: usize) -> PyResult<Bound<'py, PyAny>> {
    if array.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    match array.data_type() {
        DataType::Utf8View => array.as_string_view().value(row).into_bound_py_any(py),
        DataType::Utf8 => array.as_string::<i32>().value(row).into_bound_py_any(py),
        DataType::LargeUtf8 => array.as_string::<i64>().value(row).into_bound_py_any(py),
        DataType::Boolean => array.as_boolean().value(row).into_bound_py_any(py),
        DataType::UInt32 => array.as_primitive::<UInt32Type>().value(row).into_bound_py_any(py),
        DataType::UInt64 => array.as_primitive::<UInt64Type>().value(row).into_bound_py_any(py),
        DataType::Struct(fields) => {
            let dict = PyDict::new(py);
            for (field, column) in fields.iter().zip(array.as_struct().columns()) {
                dict.set_item(field.name(), object(py, column, row)?)?;
            }
            Ok(dict.into_any())
        }
        DataType::List(_) => {
            let items = array.as_list::<i32>().value(row);
            let items = (0..items.len()).map(|item| object(py, &items, item));
            Ok(PyList::new(py, items.collect::<PyResult<Vec<_>>>()?)?.into_any())
        }
        DataType::Map(..) => {
            let (dict, entries) = (PyDict::new(py), array.as_map().value(row));
            if let [names, values] = entries.columns() {
                for entry in 0..entries.len() {
                    dict.set_item(object(py, names, entry)?, object(py, values, entry)?)?;
                }
            }
            Ok(dict.into_any())
        }
        other => {
            Err(PyTypeError::new_err(ArrowError::NotYetImplemented(other.to_string()).to_string()))
        }
    }
}
