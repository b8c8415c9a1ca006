//! The components of each row.

use std::net::Ipv4Addr;
use std::sync::Arc;

use arrow_array::builder::make_view;
use arrow_array::types::ByteArrayType;
use arrow_array::{Array, ArrayRef, GenericByteArray, StringViewArray, StructArray};
use arrow_buffer::{ArrowNativeType, NullBuffer};
use arrow_schema::{ArrowError, DataType, Field, Fields};
use simd_iri::batch::{Batch, Columns, Offset};
use simd_iri::{IriRef, Rule};

use crate::input::{Input, Row, with_values};
use crate::validity::column;
use crate::views::{Cut, Part, ROWS, Rows, Set, Views};

/// A column of [`parse`].
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Component {
    /// The scheme, without its colon.
    Scheme,
    /// The authority, without the two slashes.
    Authority,
    /// The user information, without the `@`.
    Userinfo,
    /// The host; an IP literal with its brackets.
    Host,
    /// The kind of the host, as [`simd_iri::Host::kind`] names it: `reg-name`, `ipv4`, `ipv6` or `ipvfuture`.
    HostKind,
    /// The port, without its colon: decimal digits, or nothing.
    Port,
    /// The path, which every reference has.
    Path,
    /// The query, without the question mark.
    Query,
    /// The fragment, without the number sign.
    Fragment,
}

impl Component {
    /// All columns, in the order of [`parse`].
    ///
    /// ```
    /// assert_eq!(simd_iri_arrow::Component::ALL.len(), 9);
    /// ```
    pub const ALL: &'static [Self] = &[
        Self::Scheme,
        Self::Authority,
        Self::Userinfo,
        Self::Host,
        Self::HostKind,
        Self::Port,
        Self::Path,
        Self::Query,
        Self::Fragment,
    ];

    /// Returns the name of the column.
    ///
    /// ```
    /// assert_eq!(simd_iri_arrow::Component::HostKind.name(), "host_kind");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scheme => "scheme",
            Self::Authority => "authority",
            Self::Userinfo => "userinfo",
            Self::Host => "host",
            Self::HostKind => "host_kind",
            Self::Port => "port",
            Self::Path => "path",
            Self::Query => "query",
            Self::Fragment => "fragment",
        }
    }

    /// This component of a reference, or `None` if it is absent.
    fn of(self, view: IriRef<'_>) -> Option<&str> {
        match self {
            Self::Scheme => view.scheme(),
            Self::Authority => view.authority(),
            Self::Userinfo => view.userinfo(),
            Self::Host => view.host_str(),
            Self::HostKind => view.host_str().map(|host| host_kind(host.as_bytes())),
            Self::Port => view.port(),
            Self::Path => Some(view.path()),
            Self::Query => view.query(),
            Self::Fragment => view.fragment(),
        }
    }
}

/// Returns the fields of the struct that [`parse`] returns: a `Utf8View` for each of [`Component::ALL`].
///
/// ```
/// assert_eq!(simd_iri_arrow::parse_type()[3].name(), "host");
/// ```
#[must_use]
pub fn parse_type() -> Fields {
    let field = |component: &Component| Field::new(component.name(), DataType::Utf8View, true);
    Component::ALL.iter().map(field).collect()
}

/// Returns the components of each row. A row that is null or does not match `rule` is null.
///
/// # Errors
/// `array` is neither of strings, nor of bytes, nor a dictionary of these.
///
/// ```
/// use arrow_array::StringArray;
/// use arrow_array::cast::AsArray;
/// use simd_iri_arrow::{Rule, parse};
///
/// let parts = parse(&StringArray::from(vec!["http://u@example.org:80/a?b"]), Rule::Iri)?;
/// let column = |name| parts.column_by_name(name).unwrap().as_string_view().value(0);
/// assert_eq!((column("userinfo"), column("host"), column("port")), ("u", "example.org", "80"));
/// assert!(parts.column_by_name("fragment").unwrap().as_string_view().nulls().is_some());
/// # use arrow_array::Array;
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn parse(array: &dyn Array, rule: Rule) -> Result<StructArray, ArrowError> {
    with_values(array, |input| {
        let columns = columns(input, rule, Component::ALL)?;
        // The path is there in each row that matches.
        let at = Component::ALL.iter().position(|component| *component == Component::Path);
        let path = at.and_then(|at| columns.get(at));
        let nulls: Option<NullBuffer> = path.and_then(|path| path.nulls().cloned());
        let columns = columns.into_iter().map(|column| Arc::new(column) as ArrayRef).collect();
        StructArray::try_new(parse_type(), columns, nulls)
    })
}

/// Returns one component of each row. A row that is null, does not match `rule`, or has no such component is null.
///
/// # Errors
/// `array` is neither of strings, nor of bytes, nor a dictionary of these.
///
/// ```
/// use arrow_array::StringArray;
/// use simd_iri_arrow::{Component, Rule, component};
///
/// let urls = StringArray::from(vec!["a:b?", "a:b", "a b"]);
/// let queries = component(&urls, Rule::Iri, Component::Query)?;
/// assert_eq!(queries.iter().collect::<Vec<_>>(), [Some(""), None, None]);
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn component(
    array: &dyn Array,
    rule: Rule,
    component: Component,
) -> Result<StringViewArray, ArrowError> {
    with_values(array, |input| {
        let column = columns(input, rule, &[component])?.pop();
        column.ok_or_else(|| ArrowError::ComputeError("there is no column".to_owned()))
    })
}

/// The columns of these components.
fn columns(
    input: Input<'_>,
    rule: Rule,
    components: &[Component],
) -> Result<Vec<StringViewArray>, ArrowError> {
    let columns = components.iter().map(|_| Views::new(input.len(), input.buffers()));
    let mut columns: Vec<Views> = columns.collect();
    let pairs = || components.iter().copied();
    match input {
        Input::Utf8(array) => in_values(array, rule, Cut::Utf8, pairs, &mut columns)?,
        Input::LargeUtf8(array) => in_values(array, rule, Cut::Utf8, pairs, &mut columns)?,
        Input::Binary(array) => in_values(array, rule, Cut::Bytes, pairs, &mut columns)?,
        Input::LargeBinary(array) => in_values(array, rule, Cut::Bytes, pairs, &mut columns)?,
        Input::Utf8View(_) | Input::BinaryView(_) => input.rows().for_each(|row| {
            let view = row.and_then(|row| IriRef::parse_as(rule, row.text()?).ok());
            let buffer = row.map_or(0, |Row { buffer, .. }| buffer);
            for (component, column) in pairs().zip(&mut columns) {
                column.push_option(view.and_then(|view| component.of(view)), buffer);
            }
        }),
    }
    Ok(columns.into_iter().map(Views::finish).collect())
}

/// Appends the components of each row to the columns.
fn in_values<T: ByteArrayType<Offset: Offset>, C: Iterator<Item = Component>>(
    array: &GenericByteArray<T>,
    rule: Rule,
    cut: Cut,
    components: impl Fn() -> C,
    columns: &mut [Views],
) -> Result<(), ArrowError> {
    let (batch, values) = (Batch::new(rule), array.value_data());
    let mut offsets = Columns::with_capacity(ROWS);
    for first in (0..array.len()).step_by(ROWS) {
        let part = array.slice(first, ROWS.min(array.len() - first));
        offsets.clear();
        batch.columns(column(&part)?, &mut offsets);
        let mut matching: Set = [!0; ROWS / 64];
        let failed = offsets.errors().iter().map(|(row, _)| row).chain(offsets.nulls());
        for row in failed.map(|row| *row as usize) {
            if let Some(word) = matching.get_mut(row / 64) {
                *word &= !(1 << (row % 64));
            }
        }
        let ends = (part.value_offsets().first(), part.value_offsets().last());
        let hull = match ends {
            (Some(start), Some(end)) => start.as_usize()..end.as_usize(),
            _ => 0..0,
        };
        let text = values.get(hull.clone()).unwrap_or_default();
        let cut = match cut {
            _ if text.is_ascii() => Cut::Ascii,
            // One pass over all rows costs less than a pass over each part.
            Cut::Bytes if std::str::from_utf8(text).is_ok() => Cut::Utf8,
            cut => cut,
        };
        let values = values.get(..hull.end).unwrap_or_default();
        let rows = Rows { values, starts: offsets.starts(), matching: &matching, cut };
        for (component, column) in components().zip(&mut *columns) {
            push(component, &rows, &offsets, column)?;
        }
    }
    Ok(())
}

/// Appends one component of these rows. A component is present by the rule of [`simd_iri::Parts`].
fn push(
    component: Component,
    rows: &Rows<'_>,
    offsets: &Columns,
    column: &mut Views,
) -> Result<(), ArrowError> {
    let (scheme_end, authority) = (offsets.scheme_end(), offsets.authority());
    let (host, host_end, path) = (offsets.host(), offsets.host_end(), offsets.path());
    let (path_end, query_end, end) = (offsets.path_end(), offsets.query_end(), offsets.end());
    // An authority begins after two slashes. So it is absent if its offset is just after the colon of the scheme, or 0.
    let has_authority = |end: u32, authority: u32| authority != end + u32::from(end > 0);
    let between = |begins, ends, there| Part { begins, delimiter: 0, ends, last: 0, there };
    let differ = |first, second| rows_with(first, second, |first, second| first != second);
    let after = |delimiters, ends| Part {
        begins: delimiters,
        delimiter: 1,
        ends,
        last: 0,
        there: differ(delimiters, ends),
    };
    let part = match component {
        Component::Scheme => {
            between(&[0; ROWS], scheme_end, rows_with(scheme_end, scheme_end, |end, _| end > 0))
        }
        Component::Authority => {
            between(authority, path, rows_with(scheme_end, authority, has_authority))
        }
        Component::Userinfo => {
            Part { last: 1, ..between(authority, host, differ(authority, host)) }
        }
        Component::Host | Component::HostKind => {
            between(host, host_end, rows_with(scheme_end, authority, has_authority))
        }
        Component::Port => after(host_end, path),
        Component::Path => between(path, path_end, [!0; ROWS / 64]),
        Component::Query => after(path_end, query_end),
        Component::Fragment => after(query_end, end),
    };
    if component == Component::HostKind {
        let is_rare = |first| matches!(first, b'[' | b'0'..=b'9');
        let view = |host: &[u8]| make_view(host_kind(host).as_bytes(), 0, 0);
        column.push_names(rows, &part, view(b""), is_rare, view);
        return Ok(());
    }
    column.push_parts(rows, &part)
}

/// The rows for which `test` is true. `test` gets the offset of a row in each of the two columns.
fn rows_with(first: &[u32], second: &[u32], test: impl Fn(u32, u32) -> bool) -> Set {
    let mut set = [0; ROWS / 64];
    for (word, (first, second)) in set.iter_mut().zip(first.chunks(64).zip(second.chunks(64))) {
        let mut found = [0_u8; 64];
        for (found, (first, second)) in found.iter_mut().zip(first.iter().zip(second)) {
            *found = u8::from(test(*first, *second));
        }
        // A multiplication gathers 8 bytes, each 0 or 1, in the highest byte: bit i of that byte is byte i. The factor
        // is the sum of 2^(7 j) for j from 1 to 8. So byte i gives the bits 8 i + 7 j. These are all different, so that
        // there is no carry, and j = 8 - i gives bit 56 + i. For example, byte 0 = 1 and byte 3 = 1 give the byte
        // 0b1001.
        for (place, found) in (0..).step_by(8).zip(found.chunks_exact(8)) {
            let found = found.try_into().map_or(0, u64::from_le_bytes);
            *word |= (found.wrapping_mul(0x0102_0408_1020_4080) >> 56) << place;
        }
    }
    set
}

/// The [`simd_iri::Host::kind`] of a valid host.
fn host_kind(host: &[u8]) -> &'static str {
    match host {
        [b'[', b'v' | b'V', ..] => "ipvfuture",
        [b'[', ..] => "ipv6",
        // The standard library reads an `IPv4address` and nothing else.
        [b'0'..=b'9', ..]
            if std::str::from_utf8(host).is_ok_and(|host| host.parse::<Ipv4Addr>().is_ok()) =>
        {
            "ipv4"
        }
        _ => "reg-name",
    }
}
