//! The class of the results of all kernels.

use arrow_array::cast::AsArray;
use arrow_array::types::{UInt32Type, UInt64Type};
use arrow_array::{Array as _, ArrayRef};
use arrow_schema::{ArrowError, DataType};
use arrow_select::concat::concat;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};

use super::{arrow_error, capsule};

/// The result of a kernel: an Arrow array for ``pyarrow.array``, ``polars.Series`` and everything else that knows the
/// Arrow PyCapsule interface. If the input came in chunks, so does the result, as a stream.
///
/// >>> from simd_iri import arrow
/// >>> hosts = arrow.component(["http://例え.jp/a", "a|b", None], "host")
/// >>> len(hosts), hosts.to_pylist()
/// (3, ['例え.jp', None, None])
#[pyclass(frozen, module = "simd_iri.arrow")]
pub(crate) struct Array {
    data_type: DataType,
    chunks: Vec<ArrayRef>,
}

impl Array {
    /// An array of chunks that have one type.
    pub(super) fn new(data_type: DataType, chunks: Vec<ArrayRef>) -> Self {
        Self { data_type, chunks }
    }

    /// The array in the form that a consumer asks for. The only other form is the one without views. A consumer who
    /// asks for anything else gets the array as it is, as the interface allows.
    fn requested(
        &self,
        requested: Option<&Bound<'_, PyCapsule>>,
    ) -> PyResult<(DataType, Vec<ArrayRef>)> {
        let own = || (self.data_type.clone(), self.chunks.clone());
        let Some(wanted) = requested.map(capsule::read_type).transpose()? else { return Ok(own()) };
        if wanted == self.data_type {
            return Ok(own());
        }
        let plain = self.without_views()?;
        Ok(if plain.data_type == wanted { (plain.data_type, plain.chunks) } else { own() })
    }
}

#[pymethods]
impl Array {
    fn __len__(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }

    fn __repr__(&self) -> String {
        format!("<simd_iri.arrow.Array of {} rows, {}>", self.__len__(), self.data_type)
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

    /// Returns a copy whose texts are of the type ``string`` instead of ``string_view``, for programs that do not know
    /// views.
    ///
    /// >>> from simd_iri import arrow
    /// >>> arrow.normalize(["HTTP://A"]).without_views()
    /// <simd_iri.arrow.Array of 1 rows, Utf8>
    fn without_views(&self) -> PyResult<Self> {
        let chunks = self.chunks.iter().map(|chunk| simd_iri_arrow::without_views(chunk));
        let mut chunks = chunks.collect::<Result<Vec<_>, _>>().map_err(arrow_error)?;
        let large = |chunk: &ArrayRef| chunk.data_type() == &DataType::LargeUtf8;
        if chunks.iter().any(large) && !chunks.iter().all(large) {
            // A chunk of 2 GiB or more has another type than the others; together they have one.
            let views: Vec<_> = self.chunks.iter().map(AsRef::as_ref).collect();
            let one = concat(&views).and_then(|one| simd_iri_arrow::without_views(&one));
            chunks = vec![one.map_err(arrow_error)?];
        }
        let data_type = chunks.first().map_or(DataType::Null, |chunk| chunk.data_type().clone());
        Ok(Self { data_type, chunks })
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::schema_capsule(py, &self.data_type)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyCapsule>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        let (data_type, chunks) = self.requested(requested_schema)?;
        let chunks: Vec<_> = chunks.iter().map(AsRef::as_ref).collect();
        let array = concat(&chunks).map_err(arrow_error)?;
        Ok((capsule::schema_capsule(py, &data_type)?, capsule::array_capsule(py, &array)?))
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let (data_type, chunks) = self.requested(requested_schema)?;
        capsule::stream_capsule(py, data_type, chunks)
    }
}

/// A row as an object of Python. The types are those of the kernels: a struct or a list holds no other one.
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
        other => {
            Err(PyTypeError::new_err(ArrowError::NotYetImplemented(other.to_string()).to_string()))
        }
    }
}
