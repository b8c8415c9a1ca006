//! The function `is_valid` as CPython calls it. Without PyO3's part of a call, a call takes 20 ns instead of 31 ns, the
//! loop of the measurement included (`benches/engines/python.py`).
//!
//! Here: the calls whose arguments are right. All other calls go to the function that PyO3 makes, which raises the
//! errors.

#![expect(unsafe_code, reason = "CPython passes pointers")]

use std::ffi::{CStr, CString, c_char};
use std::{ptr, slice, str};

use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple};
use simd_iri::Rule;

use crate::{functions, names};

/// The function that PyO3 makes.
static GENERAL: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// Adds the function to the module, with the name, the signature and the documentation of the function that PyO3 makes.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let general = pyo3::wrap_pyfunction!(functions::is_valid, module)?;
    let signature: String = general.getattr("__text_signature__")?.extract()?;
    let doc: String = general.getattr("__doc__")?.extract()?;
    let doc = CString::new(format!("is_valid{signature}\n--\n\n{doc}"))?;
    // CPython keeps pointers to the definition and the texts in it.
    let definition = Box::leak(Box::new(ffi::PyMethodDef {
        ml_name: c"is_valid".as_ptr(),
        ml_meth: ffi::PyMethodDefPointer { PyCFunctionFastWithKeywords: is_valid },
        ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
        ml_doc: doc.into_raw(),
    }));
    // SAFETY: the definition lives forever, its texts end with a zero, its function has the type that its flags say,
    // and the module and its name are live objects. The result is a new reference, or null with an exception set.
    let function = unsafe {
        let (module, name) = (module.as_ptr(), module.name()?);
        let function = ffi::PyCFunction_NewEx(definition, module, name.as_ptr());
        Bound::from_owned_ptr_or_err(py, function)?
    };
    if GENERAL.set(py, general.into_any().unbind()).is_err() {
        return Err(PyRuntimeError::new_err("the module is made only once"));
    }
    module.add("is_valid", function)
}

/// `is_valid(text, rule=None)`.
///
/// # Safety
/// Only CPython calls it, by the protocol of `METH_FASTCALL | METH_KEYWORDS`: the thread is attached; `arguments` are
/// `positional` live objects and after them one for each name of the tuple `keywords`, which may be null.
unsafe extern "C" fn is_valid(
    _module: *mut ffi::PyObject,
    arguments: *const *mut ffi::PyObject,
    positional: ffi::Py_ssize_t,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: by the protocol.
    unsafe {
        if let Some(answer) = quick(arguments, positional, keywords) {
            let answer = if answer { ffi::Py_True() } else { ffi::Py_False() };
            ffi::Py_INCREF(answer);
            return answer;
        }
        general(arguments, positional, keywords)
    }
}

/// The answer, or `None` if an argument is of another type, unknown or missing. No exception is set then.
///
/// # Safety
/// As for [`is_valid`].
#[inline(always)]
unsafe fn quick(
    arguments: *const *mut ffi::PyObject,
    positional: ffi::Py_ssize_t,
    keywords: *mut ffi::PyObject,
) -> Option<bool> {
    // SAFETY: by the protocol.
    unsafe {
        if positional == 1 && keywords.is_null() {
            return Some(Rule::Iri.is_valid(utf8(*arguments)?));
        }
        let [text, name] = parameters(arguments, positional, keywords)?;
        let rule = if name.is_null() { Rule::Iri } else { rule(name)? };
        Some(rule.is_valid(utf8(text)?))
    }
}

/// The arguments for `text` and `rule`; the second may be null. `None` if the call has other parameters.
///
/// # Safety
/// As for [`is_valid`].
unsafe fn parameters(
    arguments: *const *mut ffi::PyObject,
    positional: ffi::Py_ssize_t,
    keywords: *mut ffi::PyObject,
) -> Option<[*mut ffi::PyObject; 2]> {
    // SAFETY: by the protocol, there are so many positional arguments, and after them one for each name of the tuple.
    unsafe {
        let mut found = [ptr::null_mut(); 2];
        let positional = positional as usize;
        for (number, argument) in (0..positional).map(|number| *arguments.add(number)).enumerate() {
            *found.get_mut(number)? = argument;
        }
        let named = if keywords.is_null() { 0 } else { ffi::PyTuple_Size(keywords) };
        for number in 0..named {
            let name = ffi::PyTuple_GetItem(keywords, number);
            let is = |text: &CStr| ffi::PyUnicode_CompareWithASCIIString(name, text.as_ptr()) == 0;
            let [text, rule] = &mut found;
            let place = match () {
                () if is(c"rule") => rule,
                () if is(c"text") => text,
                () => return None,
            };
            if !place.is_null() {
                return None;
            }
            *place = *arguments.add(positional + number as usize);
        }
        found.first().is_some_and(|text| !text.is_null()).then_some(found)
    }
}

/// The rule with this name; without a name, the rule of the default. `None` if there is no such rule, or the object is
/// not a string.
///
/// # Safety
/// The thread is attached, and `object` is live.
unsafe fn rule(object: *mut ffi::PyObject) -> Option<Rule> {
    // SAFETY: the caller's promise. The name is used only here.
    unsafe {
        if ffi::Py_IsNone(object) != 0 {
            return Some(Rule::Iri);
        }
        names::rule_of(utf8(object)?)
    }
}

/// The text of a string, or `None` if it has lone surrogates, or the object is not a string.
///
/// # Safety
/// The thread is attached. `object` is live, and stays so while the text is used.
#[inline(always)]
unsafe fn utf8<'a>(object: *mut ffi::PyObject) -> Option<&'a str> {
    let mut size = 0;
    // SAFETY: the object is live. CPython says what is not a string itself.
    let text: *const c_char = unsafe { ffi::PyUnicode_AsUTF8AndSize(object, &raw mut size) };
    if text.is_null() {
        // SAFETY: the thread is attached. The exception was just set.
        unsafe { ffi::PyErr_Clear() };
        return None;
    }
    // SAFETY: the string, which never changes, owns `size` bytes of UTF-8 here.
    unsafe { Some(str::from_utf8_unchecked(slice::from_raw_parts(text.cast(), size as usize))) }
}

/// Calls the function that PyO3 makes.
///
/// # Safety
/// As for [`is_valid`].
#[cold]
unsafe fn general(
    arguments: *const *mut ffi::PyObject,
    positional: ffi::Py_ssize_t,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    let call = |py: Python<'_>| -> PyResult<Py<PyAny>> {
        let general = GENERAL.get(py).ok_or_else(|| PyRuntimeError::new_err("no module"))?;
        // SAFETY: by the protocol there are so many arguments, and all are live. Null stands for no tuple.
        let (positional, named, keywords) = unsafe {
            let argument = |number| Bound::from_borrowed_ptr(py, *arguments.add(number));
            let positional = positional as usize;
            let keywords = Bound::from_borrowed_ptr_or_opt(py, keywords);
            let keywords = keywords.map(|names| names.cast_into_unchecked::<PyTuple>());
            let count = keywords.as_ref().map_or(0, |keywords| keywords.len());
            (
                (0..positional).map(argument).collect::<Vec<_>>(),
                (positional..positional + count).map(argument).collect::<Vec<_>>(),
                keywords,
            )
        };
        let by_name = PyDict::new(py);
        for (name, value) in keywords.iter().flatten().zip(named) {
            by_name.set_item(name, value)?;
        }
        general.call(py, PyTuple::new(py, positional)?, Some(&by_name))
    };
    Python::attach(|py| match call(py) {
        Ok(answer) => answer.into_ptr(),
        Err(error) => {
            error.restore(py);
            ptr::null_mut()
        }
    })
}
