//! The components of each row.

use std::sync::Arc;

use arrow_array::types::ByteArrayType;
use arrow_array::{Array, ArrayRef, GenericByteArray, StringViewArray, StructArray};
use arrow_buffer::NullBuffer;
use arrow_schema::{ArrowError, DataType, Field, Fields};
use simd_iri::batch::{Batch, Offset};
use simd_iri::{Host, IriRef, Rule};

use crate::input::{Input, Row, slice_at, with_values};
use crate::validity::column;
use crate::views::Views;

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
    /// The production of the RFC that the host is: `reg-name`, `IPv4address`, `IPv6address` or `IPvFuture`.
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
            Self::HostKind => view.host().map(|host| match host {
                Host::Ipv4(_) => "IPv4address",
                Host::Ipv6(_) => "IPv6address",
                Host::IpvFuture(_) => "IPvFuture",
                Host::RegName(_) => "reg-name",
            }),
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
    let mut push = |view: Option<IriRef<'_>>, buffer| {
        for (component, column) in components.iter().zip(&mut columns) {
            column.push_option(view.and_then(|view| component.of(view)), buffer);
        }
    };
    match input {
        Input::Utf8(array) => in_values(array, rule, push)?,
        Input::LargeUtf8(array) => in_values(array, rule, push)?,
        Input::Binary(array) => in_values(array, rule, push)?,
        Input::LargeBinary(array) => in_values(array, rule, push)?,
        Input::Utf8View(_) | Input::BinaryView(_) => input.rows().for_each(|row| {
            let view = row.and_then(|row| IriRef::parse_as(rule, row.text()?).ok());
            push(view, row.map_or(0, |Row { buffer, .. }| buffer));
        }),
    }
    Ok(columns.into_iter().map(Views::finish).collect())
}

/// Calls `push` with each row, if it matches, and the number of its buffer.
fn in_values<T: ByteArrayType<Offset: Offset>>(
    array: &GenericByteArray<T>,
    rule: Rule,
    mut push: impl FnMut(Option<IriRef<'_>>, usize),
) -> Result<(), ArrowError> {
    for item in Batch::new(rule).parse(column(array)?) {
        push(item.view(), slice_at(item.start() as usize));
    }
    Ok(())
}
