//! The bridge to DuckDB's C API: loading, registration, vectors as rows and as results. The `unsafe` code is here,
//! except the entry in `lib.rs`.
//!
//! Not here: what a function does (`functions`).
//!
//! DuckDB calls [`simd_iri_init_c_api`](crate::simd_iri_init_c_api) when it loads the extension. That registers each
//! function with [`call`] as its code and a pointer to its entry in the table. For each chunk of rows, DuckDB
//! calls [`call`], which wraps the vectors in [`Rows`] and a writer and calls the entry's safe function.
//!
//! A writer of the type `Values<T>` exists only for a vector whose elements are `T`, because [`Work`] alone says both
//! which type a function has in SQL and which writer it gets.
#![expect(unsafe_code, reason = "DuckDB's interface is one of C")]

use std::borrow::Cow;
use std::ffi::{CStr, CString, c_char, c_void};
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use libduckdb_sys::{
    DUCKDB_TYPE_DUCKDB_TYPE_BOOLEAN, DUCKDB_TYPE_DUCKDB_TYPE_UBIGINT,
    DUCKDB_TYPE_DUCKDB_TYPE_UINTEGER, DUCKDB_TYPE_DUCKDB_TYPE_VARCHAR, duckdb_connection,
    duckdb_data_chunk, duckdb_database, duckdb_delete_callback_t, duckdb_ext_api_v1,
    duckdb_extension_access, duckdb_extension_info, duckdb_function_info, duckdb_list_entry,
    duckdb_logical_type, duckdb_scalar_function, duckdb_scalar_function_set,
    duckdb_scalar_function_t, duckdb_state, duckdb_state_DuckDBSuccess, duckdb_string_t,
    duckdb_string_t__bindgen_ty_1, duckdb_string_t__bindgen_ty_1__bindgen_ty_1,
    duckdb_string_t__bindgen_ty_1__bindgen_ty_2, duckdb_type, duckdb_vector, idx_t,
};

/// The version of the C API whose functions this file uses. Later versions of DuckDB have these functions, too.
const VERSION: &CStr = c"v1.2.0";

/// The length of the longest text that an element of a vector itself holds.
const INLINE: usize = 12;

/// The number of bytes in a block of texts. A longer text is not put into a block.
const BLOCK: usize = 1 << 14;

/// A function of SQL. All its parameters are `VARCHAR`.
pub(crate) struct Function {
    /// The name in SQL.
    pub(crate) name: &'static CStr,
    /// The number of parameters without the optional ones.
    pub(crate) required: usize,
    /// The number of optional parameters.
    pub(crate) optional: usize,
    /// The work of the function on the rows of a chunk, which decides the type of its result.
    pub(crate) work: Work,
}

/// The result for a chunk: an error ends the query.
pub(crate) type Done = Result<(), String>;

/// Code that pushes one result for each row, by the type of the results.
pub(crate) enum Work {
    /// `BOOLEAN`
    Booleans(fn(&Rows<'_>, &mut Values<'_, bool>) -> Done),
    /// `UBIGINT`
    Numbers(fn(&Rows<'_>, &mut Values<'_, u64>) -> Done),
    /// `VARCHAR`
    Texts(fn(&Rows<'_>, &mut Texts<'_>) -> Done),
    /// `VARCHAR[]`
    Lists(fn(&Rows<'_>, &mut Lists<'_>) -> Done),
    /// `STRUCT` with these fields
    Records(Fields, fn(&Rows<'_>, &mut Records<'_>) -> Done),
    /// `STRUCT[]` with these fields
    RecordLists(Fields, fn(&Rows<'_>, &mut RecordLists<'_>) -> Done),
    /// `MAP(VARCHAR, VARCHAR[])`: in memory, a list of the structs [`ENTRY`].
    Maps(fn(&Rows<'_>, &mut RecordLists<'_>) -> Done),
}

/// The fields of an entry of a map.
const ENTRY: Fields = &[(c"key", Field::Text), (c"value", Field::Texts)];

/// The names and types of the fields of a struct.
pub(crate) type Fields = &'static [(&'static CStr, Field)];

/// The type of a field of a struct.
#[derive(Clone, Copy)]
pub(crate) enum Field {
    /// `VARCHAR`
    Text,
    /// `UINTEGER`
    Number,
    /// `VARCHAR[]`
    Texts,
}

/// The value of a field of a struct.
#[derive(Clone, Copy)]
pub(crate) enum Value<'a> {
    Text(&'a str),
    Number(u32),
    Texts(&'a [Cow<'a, str>]),
}

/// Declares the functions of DuckDB that this file calls, and reads them out of DuckDB's table. The compiler compares
/// each type with the type in the bindings.
macro_rules! api {
    ($($name:ident: fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// Functions of DuckDB, copied from its table, which lives only while the extension is loaded.
        struct Api {
            $($name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl Api {
            /// Reads the table; `None` if it lacks a function.
            ///
            /// # Safety
            /// `table` is a table that DuckDB returned for [`VERSION`]. It may be shorter than its type, which is the
            /// type of the newest version. So only the fields below are read: [`VERSION`] has all of them.
            unsafe fn read(table: *const duckdb_ext_api_v1) -> Option<Self> {
                // SAFETY: the caller's promise. Each field is read by itself, through a pointer.
                unsafe { Some(Self { $($name: (*table).$name?,)* }) }
            }
        }
    };
}

api! {
    duckdb_connect: fn(duckdb_database, *mut duckdb_connection) -> duckdb_state;
    duckdb_disconnect: fn(*mut duckdb_connection);
    duckdb_create_logical_type: fn(duckdb_type) -> duckdb_logical_type;
    duckdb_create_list_type: fn(duckdb_logical_type) -> duckdb_logical_type;
    duckdb_create_map_type: fn(duckdb_logical_type, duckdb_logical_type) -> duckdb_logical_type;
    duckdb_create_struct_type: fn(*mut duckdb_logical_type, *mut *const c_char, idx_t) -> duckdb_logical_type;
    duckdb_destroy_logical_type: fn(*mut duckdb_logical_type);
    duckdb_data_chunk_get_size: fn(duckdb_data_chunk) -> idx_t;
    duckdb_data_chunk_get_column_count: fn(duckdb_data_chunk) -> idx_t;
    duckdb_data_chunk_get_vector: fn(duckdb_data_chunk, idx_t) -> duckdb_vector;
    duckdb_vector_get_data: fn(duckdb_vector) -> *mut c_void;
    duckdb_vector_get_validity: fn(duckdb_vector) -> *mut u64;
    duckdb_vector_ensure_validity_writable: fn(duckdb_vector);
    duckdb_vector_assign_string_element_len: fn(duckdb_vector, idx_t, *const c_char, idx_t);
    duckdb_list_vector_get_child: fn(duckdb_vector) -> duckdb_vector;
    duckdb_list_vector_set_size: fn(duckdb_vector, idx_t) -> duckdb_state;
    duckdb_list_vector_reserve: fn(duckdb_vector, idx_t) -> duckdb_state;
    duckdb_struct_vector_get_child: fn(duckdb_vector, idx_t) -> duckdb_vector;
    duckdb_create_scalar_function: fn() -> duckdb_scalar_function;
    duckdb_destroy_scalar_function: fn(*mut duckdb_scalar_function);
    duckdb_scalar_function_set_name: fn(duckdb_scalar_function, *const c_char);
    duckdb_scalar_function_add_parameter: fn(duckdb_scalar_function, duckdb_logical_type);
    duckdb_scalar_function_set_return_type: fn(duckdb_scalar_function, duckdb_logical_type);
    duckdb_scalar_function_set_extra_info: fn(duckdb_scalar_function, *mut c_void, duckdb_delete_callback_t);
    duckdb_scalar_function_set_function: fn(duckdb_scalar_function, duckdb_scalar_function_t);
    duckdb_scalar_function_get_extra_info: fn(duckdb_function_info) -> *mut c_void;
    duckdb_scalar_function_set_error: fn(duckdb_function_info, *const c_char);
    duckdb_create_scalar_function_set: fn(*const c_char) -> duckdb_scalar_function_set;
    duckdb_destroy_scalar_function_set: fn(*mut duckdb_scalar_function_set);
    duckdb_add_scalar_function_to_set: fn(duckdb_scalar_function_set, duckdb_scalar_function) -> duckdb_state;
    duckdb_register_scalar_function_set: fn(duckdb_connection, duckdb_scalar_function_set) -> duckdb_state;
}

/// The functions of the DuckDB that has loaded this extension.
static API: OnceLock<Api> = OnceLock::new();

/// Registers functions in the database that loads the extension. Returns whether all are registered; if not, DuckDB
/// knows why.
///
/// # Safety
/// The arguments are those of [`simd_iri_init_c_api`](crate::simd_iri_init_c_api).
pub(crate) unsafe fn load(
    info: duckdb_extension_info,
    access: *const duckdb_extension_access,
    functions: &'static [Function],
) -> bool {
    // SAFETY: the caller's promise.
    unsafe { register(info, access, functions) }.is_some_and(|result| match result {
        Ok(()) => true,
        Err(message) => {
            let message = c_string(&message);
            // SAFETY: `access` is valid, and DuckDB copies the message.
            if let Some(set_error) = unsafe { (*access).set_error } {
                // SAFETY: as above.
                unsafe { set_error(info, message.as_ptr()) };
            }
            false
        }
    })
}

/// Registers all functions in the database that loads the extension. Returns `None` if DuckDB gives no access, which it
/// reports itself.
///
/// # Safety
/// The arguments are those of [`simd_iri_init_c_api`](crate::simd_iri_init_c_api).
unsafe fn register(
    info: duckdb_extension_info,
    access: *const duckdb_extension_access,
    functions: &'static [Function],
) -> Option<Done> {
    // SAFETY: `access` is valid. DuckDB returns null if it does not support the version.
    let table = unsafe { (*access).get_api?(info, VERSION.as_ptr()) }.cast::<duckdb_ext_api_v1>();
    if table.is_null() {
        return None;
    }
    // SAFETY: `table` is the table for `VERSION`.
    let Some(read) = (unsafe { Api::read(table) }) else {
        return Some(Err("this version of DuckDB lacks functions of its C API 1.2".to_owned()));
    };
    let api = API.get_or_init(|| read);
    // SAFETY: `access` is valid; the pointer to the database is null or valid during the call.
    let database = unsafe { (*access).get_database?(info).as_ref()? };
    let mut connection: duckdb_connection = std::ptr::null_mut();
    // SAFETY: the database is valid, and `connection` has room for the result.
    if unsafe { (api.duckdb_connect)(*database, &raw mut connection) } != duckdb_state_DuckDBSuccess
    {
        return Some(Err("there is no connection to the database".to_owned()));
    }
    let done = functions.iter().try_for_each(|function| api.register(connection, function));
    // SAFETY: the connection was opened above and is not used again.
    unsafe { (api.duckdb_disconnect)(&raw mut connection) };
    Some(done)
}

impl Api {
    /// Registers a function with each number of parameters that it can have.
    fn register(&self, connection: duckdb_connection, function: &'static Function) -> Done {
        // SAFETY: every handle below is created here, is used before it is destroyed, and is destroyed once. DuckDB
        // copies names and types. The extra information lives forever, is only read, and has no destructor.
        let state = unsafe {
            let mut set = (self.duckdb_create_scalar_function_set)(function.name.as_ptr());
            let mut text = self.simple(DUCKDB_TYPE_DUCKDB_TYPE_VARCHAR);
            let mut result = self.type_of(&function.work);
            for parameters in function.required..=function.required + function.optional {
                let mut overload = (self.duckdb_create_scalar_function)();
                (self.duckdb_scalar_function_set_name)(overload, function.name.as_ptr());
                for _ in 0..parameters {
                    (self.duckdb_scalar_function_add_parameter)(overload, text);
                }
                (self.duckdb_scalar_function_set_return_type)(overload, result);
                let extra = std::ptr::from_ref(function).cast_mut().cast();
                (self.duckdb_scalar_function_set_extra_info)(overload, extra, None);
                (self.duckdb_scalar_function_set_function)(overload, Some(call));
                (self.duckdb_add_scalar_function_to_set)(set, overload);
                (self.duckdb_destroy_scalar_function)(&raw mut overload);
            }
            let state = (self.duckdb_register_scalar_function_set)(connection, set);
            (self.duckdb_destroy_logical_type)(&raw mut result);
            (self.duckdb_destroy_logical_type)(&raw mut text);
            (self.duckdb_destroy_scalar_function_set)(&raw mut set);
            state
        };
        if state == duckdb_state_DuckDBSuccess {
            return Ok(());
        }
        Err(format!("DuckDB did not accept the function {}", function.name.to_string_lossy()))
    }

    /// Returns a type without parts. The caller destroys it.
    fn simple(&self, of: duckdb_type) -> duckdb_logical_type {
        // SAFETY: the function takes the number of any type.
        unsafe { (self.duckdb_create_logical_type)(of) }
    }

    /// Returns the type of the results of a function. The caller destroys it.
    fn type_of(&self, work: &Work) -> duckdb_logical_type {
        match work {
            Work::Booleans(_) => self.simple(DUCKDB_TYPE_DUCKDB_TYPE_BOOLEAN),
            Work::Numbers(_) => self.simple(DUCKDB_TYPE_DUCKDB_TYPE_UBIGINT),
            Work::Texts(_) => self.simple(DUCKDB_TYPE_DUCKDB_TYPE_VARCHAR),
            Work::Lists(_) => self.field(Field::Texts),
            Work::Records(fields, _) => self.record_of(fields),
            Work::RecordLists(fields, _) => self.list_of(self.record_of(fields)),
            Work::Maps(_) => self.map_of(self.field(Field::Text), self.field(Field::Texts)),
        }
    }

    /// Returns the type of a field. The caller destroys it.
    fn field(&self, field: Field) -> duckdb_logical_type {
        match field {
            Field::Text => self.simple(DUCKDB_TYPE_DUCKDB_TYPE_VARCHAR),
            Field::Number => self.simple(DUCKDB_TYPE_DUCKDB_TYPE_UINTEGER),
            Field::Texts => self.list_of(self.simple(DUCKDB_TYPE_DUCKDB_TYPE_VARCHAR)),
        }
    }

    /// Returns the type of maps from `key` to `value`, which it destroys. The caller destroys the result.
    fn map_of(
        &self,
        mut key: duckdb_logical_type,
        mut value: duckdb_logical_type,
    ) -> duckdb_logical_type {
        // SAFETY: DuckDB copies the types, each of which is destroyed once.
        unsafe {
            let map = (self.duckdb_create_map_type)(key, value);
            (self.duckdb_destroy_logical_type)(&raw mut key);
            (self.duckdb_destroy_logical_type)(&raw mut value);
            map
        }
    }

    /// Returns the type of lists of `item`, which it destroys. The caller destroys the result.
    fn list_of(&self, mut item: duckdb_logical_type) -> duckdb_logical_type {
        // SAFETY: DuckDB copies the type, which is destroyed once.
        unsafe {
            let list = (self.duckdb_create_list_type)(item);
            (self.duckdb_destroy_logical_type)(&raw mut item);
            list
        }
    }

    /// Returns the type of a struct. The caller destroys it.
    fn record_of(&self, fields: Fields) -> duckdb_logical_type {
        let mut names: Vec<*const c_char> = fields.iter().map(|(name, _)| name.as_ptr()).collect();
        let mut types: Vec<_> = fields.iter().map(|(_, field)| self.field(*field)).collect();
        let count = fields.len() as idx_t;
        // SAFETY: there are as many types and names as the call says. DuckDB copies them; each type is destroyed once.
        unsafe {
            let record =
                (self.duckdb_create_struct_type)(types.as_mut_ptr(), names.as_mut_ptr(), count);
            types.iter_mut().for_each(|field| (self.duckdb_destroy_logical_type)(field));
            record
        }
    }
}

/// Called by DuckDB for each chunk of rows, from any of its threads.
///
/// # Safety
/// DuckDB calls this for a function that [`Api::register`] has registered: `info` has its extra information, `input`
/// has its parameters as flat vectors of `VARCHAR`, and `output` is a flat vector of the type of its result.
unsafe extern "C" fn call(
    info: duckdb_function_info,
    input: duckdb_data_chunk,
    output: duckdb_vector,
) {
    let Some(api) = API.get() else { return };
    // SAFETY: the extra information is the pointer to a static function that `register` has put there.
    let function =
        unsafe { &*(api.duckdb_scalar_function_get_extra_info)(info).cast::<Function>() };
    // A panic must not unwind into DuckDB, so it becomes an error of the query.
    let done = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: the caller's promise.
        unsafe { function.work.run(api, &Rows::new(api, input), output) }
    }));
    let message = match done {
        Ok(Ok(())) => return,
        Ok(Err(message)) => message,
        Err(_) => "an internal error; please report it".to_owned(),
    };
    let message = c_string(&format!("{}: {message}", function.name.to_string_lossy()));
    // SAFETY: `info` is valid during this call, and DuckDB copies the message.
    unsafe { (api.duckdb_scalar_function_set_error)(info, message.as_ptr()) };
}

impl Work {
    /// Runs the code for a chunk of rows. Makes a row null if the code has pushed no result for it.
    ///
    /// # Safety
    /// `output` is a flat vector of the type that `type_of` tells, with room for as many values as there are rows, and
    /// nobody else uses it during the call.
    unsafe fn run(&self, api: &Api, rows: &Rows<'_>, output: duckdb_vector) -> Done {
        // SAFETY: in each arm, `type_of` has told DuckDB the type of the elements of this writer.
        unsafe {
            match self {
                Self::Booleans(work) => {
                    let mut values = Values::new(api, output, rows.len);
                    work(rows, &mut values)?;
                    values.finish();
                }
                Self::Numbers(work) => {
                    let mut values = Values::new(api, output, rows.len);
                    work(rows, &mut values)?;
                    values.finish();
                }
                Self::Texts(work) => {
                    let mut texts = Texts::new(Values::new(api, output, rows.len));
                    work(rows, &mut texts)?;
                    texts.finish()?;
                }
                Self::Lists(work) => {
                    let mut lists = Lists::new(Values::new(api, output, rows.len));
                    work(rows, &mut lists)?;
                    return lists.finish();
                }
                Self::Records(fields, work) => {
                    let mut records = Records::new(api, output, rows.len, fields);
                    work(rows, &mut records)?;
                    records.finish()?;
                }
                Self::RecordLists(fields, work) => {
                    let mut lists = RecordLists::new(Values::new(api, output, rows.len), fields);
                    work(rows, &mut lists)?;
                    return lists.finish();
                }
                Self::Maps(work) => {
                    let mut maps = RecordLists::new(Values::new(api, output, rows.len), ENTRY);
                    work(rows, &mut maps)?;
                    return maps.finish();
                }
            }
        }
        Ok(())
    }
}

/// The rows of a chunk: the arguments of as many calls.
pub(crate) struct Rows<'a> {
    columns: Vec<Column<'a>>,
    len: usize,
}

/// One argument in all rows.
#[derive(Clone, Copy)]
struct Column<'a> {
    /// The texts. Where a row is null, the element has no value.
    texts: &'a [MaybeUninit<duckdb_string_t>],
    /// A bit for each row, which is 0 if the row is null. Without the bits, no row is null.
    valid: Option<&'a [u64]>,
}

impl<'a> Rows<'a> {
    /// Reads a chunk.
    ///
    /// # Safety
    /// The vectors of the chunk are flat and of `VARCHAR`, and live and do not change for `'a`.
    unsafe fn new(api: &Api, chunk: duckdb_data_chunk) -> Self {
        // SAFETY: the caller's promise. A vector has data for each row of the chunk; its validity is null, or has a
        // bit for each row, in words of 64.
        unsafe {
            let len = (api.duckdb_data_chunk_get_size)(chunk) as usize;
            let column = |at| {
                let vector = (api.duckdb_data_chunk_get_vector)(chunk, at);
                let valid = (api.duckdb_vector_get_validity)(vector);
                let words = len.div_ceil(64);
                let data: *const MaybeUninit<duckdb_string_t> =
                    (api.duckdb_vector_get_data)(vector).cast_const().cast();
                Column {
                    // An empty chunk may have no data.
                    texts: if data.is_null() { &[] } else { std::slice::from_raw_parts(data, len) },
                    valid: (!valid.is_null()).then(|| std::slice::from_raw_parts(valid, words)),
                }
            };
            let columns = (0..(api.duckdb_data_chunk_get_column_count)(chunk)).map(column);
            Self { columns: columns.collect(), len }
        }
    }

    /// The bytes of argument `at` in a row, or `None` if it is null or the call has fewer arguments.
    #[inline]
    pub(crate) fn get(&self, at: usize, row: usize) -> Option<&'a [u8]> {
        self.columns.get(at)?.get(row)
    }

    /// Whether the calls have an argument `at`.
    pub(crate) fn has(&self, at: usize) -> bool {
        at < self.columns.len()
    }

    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        self.len
    }
}

impl<'a> Column<'a> {
    /// The bytes of the argument in a row, or `None` if it is null.
    #[inline]
    fn get(self, row: usize) -> Option<&'a [u8]> {
        let text = self.texts.get(row)?;
        if let Some(valid) = self.valid
            && valid.get(row / 64)? >> (row % 64) & 1 == 0
        {
            return None;
        }
        // SAFETY: the row is not null, so that its element has a value. Its length decides which form it has: up to
        // `INLINE` bytes are in the element itself, more are where its pointer points. Both live for `'a`.
        unsafe {
            let value = &text.assume_init_ref().value;
            let len = value.inlined.length as usize;
            let data = if len <= INLINE {
                (&raw const value.inlined.inlined).cast::<u8>()
            } else {
                value.pointer.ptr.cast_const().cast()
            };
            Some(std::slice::from_raw_parts(data, len))
        }
    }
}

/// Which rows of a vector are null.
struct Presence<'a> {
    api: &'a Api,
    vector: duckdb_vector,
    rows: usize,
    /// The bits of the rows; a null pointer as long as no row is null.
    bits: *mut u64,
}

impl<'a> Presence<'a> {
    /// # Safety
    /// The vector is flat, has room for as many rows, and is used by nobody else during `'a`.
    unsafe fn new(api: &'a Api, vector: duckdb_vector, rows: usize) -> Self {
        // SAFETY: the caller's promise.
        let bits = unsafe { (api.duckdb_vector_get_validity)(vector) };
        Self { api, vector, rows, bits }
    }

    #[inline]
    fn set(&mut self, row: usize, present: bool) {
        if row >= self.rows || (present && self.bits.is_null()) {
            return;
        }
        // SAFETY: the vector is valid. Made writable, it has a bit for each row, and the row is a row of the vector.
        unsafe {
            if self.bits.is_null() {
                (self.api.duckdb_vector_ensure_validity_writable)(self.vector);
                self.bits = (self.api.duckdb_vector_get_validity)(self.vector);
            }
            let (word, bit) = (self.bits.add(row / 64), 1 << (row % 64));
            if present { *word |= bit } else { *word &= !bit }
        }
    }
}

/// Writes one value for each row.
///
/// Invariant: the vector has elements of the type `T`, at `data`, for `present.rows` rows.
pub(crate) struct Values<'a, T> {
    present: Presence<'a>,
    data: *mut T,
    next: usize,
    of: PhantomData<&'a mut [T]>,
}

impl<'a, T> Values<'a, T> {
    /// # Safety
    /// The promise of [`Presence::new`]; and the elements of the vector are `T`.
    unsafe fn new(api: &'a Api, vector: duckdb_vector, rows: usize) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            let data = (api.duckdb_vector_get_data)(vector).cast();
            Self { present: Presence::new(api, vector, rows), data, next: 0, of: PhantomData }
        }
    }

    /// Writes the result of the next row; `None` is a null. After the last row it does nothing.
    #[inline]
    pub(crate) fn push(&mut self, value: Option<T>) {
        if self.next >= self.present.rows {
            return;
        }
        self.present.set(self.next, value.is_some());
        if let Some(value) = value {
            // SAFETY: by the invariant there is an element for the row.
            unsafe { self.data.add(self.next).write(value) };
        }
        self.next += 1;
    }

    /// Makes the rows null that have no result.
    fn finish(&mut self) {
        while self.next < self.present.rows {
            self.push(None);
        }
    }
}

/// Writes one text for each row.
///
/// DuckDB copies a text that an element does not hold itself. One call for many texts costs less than a call for each
/// text:
///
/// 1. `push` appends a long text to a block, and remembers the row and the place of the text in the block.
/// 2. `flush` gives the whole block to DuckDB as the text of the first waiting row. DuckDB copies the block into the
///    memory of the vector.
/// 3. `flush` then writes the elements of all waiting rows: each points to its place in that copy.
///
/// For example, if the texts of rows 4 and 6 wait, with 20 and 30 bytes, the block has 50 bytes. Then row 4 points to
/// byte 0 of the copy, and row 6 to byte 20.
pub(crate) struct Texts<'a> {
    values: Values<'a, duckdb_string_t>,
    block: String,
    /// The rows whose texts are in the block, and where each text begins and ends there.
    waiting: Vec<(usize, Range<usize>)>,
}

impl<'a> Texts<'a> {
    fn new(values: Values<'a, duckdb_string_t>) -> Self {
        Self { values, block: String::new(), waiting: Vec::new() }
    }

    /// Writes the result of the next row; `None` is a null. After the last row it does nothing.
    ///
    /// # Errors
    /// The text has 4 GiB or more, which DuckDB cannot hold.
    #[inline]
    pub(crate) fn push(&mut self, text: Option<&str>) -> Done {
        match text {
            Some(text) if text.len() > INLINE => self.push_long(text)?,
            Some(text) => self.values.push(Some(inlined(text))),
            None => self.values.push(None),
        }
        Ok(())
    }

    fn push_long(&mut self, text: &str) -> Done {
        let row = self.values.next;
        if row >= self.values.present.rows {
            return Ok(());
        }
        self.values.present.set(row, true);
        self.values.next += 1;
        if text.len() > BLOCK {
            return self.assign(row, text);
        }
        if self.block.len() + text.len() > BLOCK {
            self.flush()?;
        }
        if self.block.capacity() == 0 {
            self.block.reserve_exact(BLOCK);
            self.waiting.reserve_exact(self.values.present.rows);
        }
        let start = self.block.len();
        self.block.push_str(text);
        self.waiting.push((row, start..self.block.len()));
        Ok(())
    }

    /// Writes the texts of the block.
    fn flush(&mut self) -> Done {
        let Some(first) = self.waiting.first().map(|(row, _)| *row) else { return Ok(()) };
        let block = std::mem::take(&mut self.block);
        self.assign(first, &block)?;
        // SAFETY: `assign` has written this element, in the form with a pointer, because the block is longer than
        // `INLINE`: so its pointer points to a copy of the block. The copy lives as long as the elements of the vector:
        // DuckDB never frees the text of a single element. Each range lies in the block, and each row is a row of
        // the vector.
        unsafe {
            let copy = (*self.values.data.add(first)).value.pointer.ptr;
            for (row, Range { start, end }) in self.waiting.drain(..) {
                let (ptr, length) = (copy.add(start), (end - start) as u32);
                let prefix = ptr.cast::<[c_char; 4]>().read();
                let pointer = duckdb_string_t__bindgen_ty_1__bindgen_ty_1 { length, prefix, ptr };
                let value = duckdb_string_t__bindgen_ty_1 { pointer };
                self.values.data.add(row).write(duckdb_string_t { value });
            }
        }
        self.block = block;
        self.block.clear();
        Ok(())
    }

    /// Lets DuckDB copy a text as the text of a row, which must be a row of the vector.
    fn assign(&self, row: usize, text: &str) -> Done {
        if u32::try_from(text.len()).is_err() {
            return Err("a result has 4 GiB or more".to_owned());
        }
        let Presence { api, vector, .. } = self.values.present;
        let (start, len) = (text.as_ptr().cast(), text.len() as idx_t);
        // SAFETY: the elements of the vector are texts, and there is one for the row. DuckDB copies the text,
        // which is UTF-8 and not too long.
        unsafe { (api.duckdb_vector_assign_string_element_len)(vector, row as idx_t, start, len) };
        Ok(())
    }

    /// Writes the texts that wait, and makes the rows null that have no result.
    fn finish(&mut self) -> Done {
        self.values.finish();
        self.flush()
    }
}

/// The element that holds a text of up to [`INLINE`] bytes itself.
#[inline]
fn inlined(text: &str) -> duckdb_string_t {
    let mut inlined = [0; INLINE];
    inlined.iter_mut().zip(text.bytes()).for_each(|(to, byte)| *to = byte as c_char);
    let length = text.len().min(INLINE) as u32;
    let inlined = duckdb_string_t__bindgen_ty_1__bindgen_ty_2 { length, inlined };
    duckdb_string_t { value: duckdb_string_t__bindgen_ty_1 { inlined } }
}

/// Writes one list of texts for each row.
pub(crate) struct Lists<'a> {
    entries: Values<'a, duckdb_list_entry>,
    /// The items of all lists, one after the other.
    texts: Vec<Cow<'static, str>>,
}

impl<'a> Lists<'a> {
    fn new(entries: Values<'a, duckdb_list_entry>) -> Self {
        Self { entries, texts: Vec::new() }
    }

    /// Writes the result of the next row: a list of the texts that `fill` appends, or a null if it returns false.
    pub(crate) fn push(&mut self, fill: impl FnOnce(&mut Vec<Cow<'static, str>>) -> bool) {
        let start = self.texts.len();
        let is_there = fill(&mut self.texts);
        let length = self.texts.len().saturating_sub(start) as u64;
        self.entries.push(is_there.then_some(duckdb_list_entry { offset: start as u64, length }));
    }

    /// Writes the items of all lists.
    fn finish(&mut self) -> Done {
        self.entries.finish();
        let Presence { api, vector, .. } = self.entries.present;
        let len = self.texts.len();
        // SAFETY: the vector has lists as its elements, whose items are texts.
        unsafe {
            let child = items_of(api, vector, len)?;
            let mut items = Texts::new(Values::new(api, child, len));
            self.texts.iter().try_for_each(|text| items.push(Some(text)))?;
            items.finish()
        }
    }
}

/// Makes room for the items of all lists of a vector, and returns the vector of the items.
///
/// # Safety
/// The elements of the vector are lists, and nobody else uses the vector.
unsafe fn items_of(api: &Api, vector: duckdb_vector, len: usize) -> Result<duckdb_vector, String> {
    // SAFETY: the caller's promise. The vector has room for the items before its child is asked for, because reserving
    // moves the child's data.
    unsafe {
        if (api.duckdb_list_vector_reserve)(vector, len as idx_t) != duckdb_state_DuckDBSuccess
            || (api.duckdb_list_vector_set_size)(vector, len as idx_t) != duckdb_state_DuckDBSuccess
        {
            return Err("there is no room for the items of lists".to_owned());
        }
        Ok((api.duckdb_list_vector_get_child)(vector))
    }
}

/// Writes one list of structs for each row.
///
/// DuckDB makes room for the items of all lists of a vector at once, so the structs wait in `items` until all rows are
/// done.
pub(crate) struct RecordLists<'a> {
    entries: Values<'a, duckdb_list_entry>,
    fields: Fields,
    items: Items,
}

/// The structs of lists, one after the other.
#[derive(Default)]
pub(crate) struct Items {
    /// The texts of all fields.
    texts: String,
    records: Vec<Vec<Option<Waiting>>>,
}

/// The value of a field of a struct that waits. A text is a part of [`Items::texts`].
enum Waiting {
    Text(Range<usize>),
    Number(u32),
    Texts(Vec<Cow<'static, str>>),
}

impl Items {
    /// Appends a struct: the fields in their order.
    pub(crate) fn push(&mut self, fields: &[Option<Value<'_>>]) {
        let texts = &mut self.texts;
        let mut wait = |value: Value<'_>| match value {
            Value::Text(text) => {
                let start = texts.len();
                texts.push_str(text);
                Waiting::Text(start..texts.len())
            }
            Value::Number(number) => Waiting::Number(number),
            Value::Texts(texts) => Waiting::Texts(owned(texts).collect()),
        };
        self.records.push(fields.iter().map(|field| field.map(&mut wait)).collect());
    }
}

/// Copies texts.
fn owned(texts: &[Cow<'_, str>]) -> impl Iterator<Item = Cow<'static, str>> {
    texts.iter().map(|text| Cow::Owned(text.clone().into_owned()))
}

impl<'a> RecordLists<'a> {
    fn new(entries: Values<'a, duckdb_list_entry>, fields: Fields) -> Self {
        Self { entries, fields, items: Items::default() }
    }

    /// Writes the result of the next row: a list of the structs that `fill` appends, or a null if it returns false.
    pub(crate) fn push(&mut self, fill: impl FnOnce(&mut Items) -> bool) {
        let start = self.items.records.len();
        let is_there = fill(&mut self.items);
        let length = self.items.records.len().saturating_sub(start) as u64;
        self.entries.push(is_there.then_some(duckdb_list_entry { offset: start as u64, length }));
    }

    /// Writes the items of all lists.
    fn finish(mut self) -> Done {
        self.entries.finish();
        let Presence { api, vector, .. } = self.entries.present;
        let Items { texts, records: waiting } = &self.items;
        // SAFETY: the vector has lists as its elements, whose items are structs with these fields.
        let mut records = unsafe {
            let child = items_of(api, vector, waiting.len())?;
            Records::new(api, child, waiting.len(), self.fields)
        };
        for record in waiting {
            let fields = record.iter().map(|field| match field.as_ref()? {
                Waiting::Text(place) => texts.get(place.clone()).map(Value::Text),
                Waiting::Number(number) => Some(Value::Number(*number)),
                Waiting::Texts(texts) => Some(Value::Texts(texts)),
            });
            records.push(Some(&fields.collect::<Vec<_>>()))?;
        }
        records.finish()
    }
}

/// Writes one struct for each row.
pub(crate) struct Records<'a> {
    present: Presence<'a>,
    children: Vec<Child<'a>>,
    next: usize,
}

/// Writes one field of a struct.
enum Child<'a> {
    Texts(Texts<'a>),
    Numbers(Values<'a, u32>),
    Lists(Lists<'a>),
}

impl<'a> Records<'a> {
    /// # Safety
    /// The promise of [`Presence::new`]; and the elements of the vector are structs with these fields.
    unsafe fn new(api: &'a Api, vector: duckdb_vector, rows: usize, fields: Fields) -> Self {
        // SAFETY: the caller's promise. The vector of each field has elements of its type, for as many rows.
        unsafe {
            let child = |(at, (_, field)): (usize, &(_, Field))| {
                let vector = (api.duckdb_struct_vector_get_child)(vector, at as idx_t);
                match field {
                    Field::Text => Child::Texts(Texts::new(Values::new(api, vector, rows))),
                    Field::Number => Child::Numbers(Values::new(api, vector, rows)),
                    Field::Texts => Child::Lists(Lists::new(Values::new(api, vector, rows))),
                }
            };
            let children = fields.iter().enumerate().map(child).collect();
            Self { present: Presence::new(api, vector, rows), children, next: 0 }
        }
    }

    /// Writes the result of the next row: the fields in their order, or `None` for a null. A field without a value, or
    /// with a value of another type, is null. After the last row it does nothing.
    ///
    /// # Errors
    /// The errors of [`Texts::push`].
    pub(crate) fn push(&mut self, fields: Option<&[Option<Value<'_>>]>) -> Done {
        self.present.set(self.next, fields.is_some());
        self.next += 1;
        let mut fields = fields.unwrap_or_default().iter();
        for child in &mut self.children {
            match (child, fields.next().copied().flatten()) {
                (Child::Texts(texts), Some(Value::Text(text))) => texts.push(Some(text))?,
                (Child::Texts(texts), _) => texts.push(None)?,
                (Child::Numbers(numbers), Some(Value::Number(number))) => {
                    numbers.push(Some(number));
                }
                (Child::Numbers(numbers), _) => numbers.push(None),
                (Child::Lists(lists), Some(Value::Texts(texts))) => lists.push(|items| {
                    items.extend(owned(texts));
                    true
                }),
                (Child::Lists(lists), _) => lists.push(|_| false),
            }
        }
        Ok(())
    }

    /// Makes the rows null that have no result.
    fn finish(&mut self) -> Done {
        while self.next < self.present.rows {
            self.present.set(self.next, false);
            self.next += 1;
        }
        for child in &mut self.children {
            match child {
                Child::Texts(texts) => texts.finish()?,
                Child::Numbers(numbers) => numbers.finish(),
                Child::Lists(lists) => lists.finish()?,
            }
        }
        Ok(())
    }
}

/// A text for C, up to its first zero.
fn c_string(text: &str) -> CString {
    let text = text.split('\0').next().unwrap_or_default();
    CString::new(text).unwrap_or_default()
}
