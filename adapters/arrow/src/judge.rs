//! Verdicts about each row before it is fetched.

use std::sync::Arc;

use arrow_array::builder::UInt32Builder;
use arrow_array::{Array, ArrayRef, StructArray};
use arrow_buffer::NullBufferBuilder;
use arrow_schema::{ArrowError, DataType, Field, Fields};
use simd_iri_judge::{Policy, Verdict};

use crate::input::with_values;
use crate::lists::list_of;
use crate::views::Views;

/// Returns the fields of the struct that [`judge`] returns: the decision, a list of reasons, what was judged, and the URL
/// to send.
///
/// ```
/// let names: Vec<_> = simd_iri_arrow::judge_type().iter().map(|field| field.name().clone()).collect();
/// assert_eq!(names[..2], ["decision", "reasons"]);
/// assert_eq!(names[7], "url_to_send");
/// ```
#[must_use]
pub fn judge_type() -> Fields {
    let reason = Arc::new(Field::new("item", DataType::Utf8View, false));
    let field = |(name, data_type)| Field::new(name, data_type, true);
    [
        ("decision", DataType::Utf8View),
        ("reasons", DataType::List(reason)),
        ("scheme", DataType::Utf8View),
        ("host_by_rfc", DataType::Utf8View),
        ("host_by_whatwg", DataType::Utf8View),
        ("port", DataType::UInt32),
        ("address", DataType::Utf8View),
        ("url_to_send", DataType::Utf8View),
    ]
    .into_iter()
    .map(field)
    .collect()
}

/// Returns the verdict of a policy about each row, as a struct ([`judge_type`]). A reason is the text that its `Display`
/// writes, such as `address 127.0.0.0/8`. A row that is null is null; a row that is not UTF-8 is refused.
///
/// # Errors
/// `array` is neither of strings, nor of bytes, nor a dictionary of these; or there are 2^31 reasons or more.
///
/// ```
/// use arrow_array::{Array, StringArray};
/// use arrow_array::cast::AsArray;
/// use simd_iri_judge::Policy;
/// use simd_iri_arrow::judge;
///
/// let urls = StringArray::from(vec!["http://Example.com/a#b", "http://127.0.0.1/"]);
/// let verdicts = judge(&urls, &Policy::public_web())?;
/// let column = |name| verdicts.column_by_name(name).unwrap();
/// assert_eq!(column("url_to_send").as_string_view().value(0), "http://example.com/a");
/// assert!(column("url_to_send").is_null(1));
/// assert_eq!(column("reasons").as_list::<i32>().value(1).as_string_view().value(0), "address 127.0.0.0/8");
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn judge(array: &dyn Array, policy: &Policy) -> Result<StructArray, ArrowError> {
    with_values(array, |input| {
        let rows = input.len();
        let text = |of: fn(&Verdict) -> Option<String>| (of, Views::new(rows, Vec::new()));
        let mut texts = [
            text(|it| Some(it.decision().name().to_owned())),
            text(|it| it.scheme().map(str::to_owned)),
            text(|it| it.host_by_rfc().map(str::to_owned)),
            text(|it| it.host_by_whatwg().map(str::to_owned)),
            text(|it| it.address().map(|address| address.to_string())),
            text(|it| it.url_to_send().map(str::to_owned)),
        ];
        let (mut reasons, mut lengths) = (Views::new(0, Vec::new()), Vec::with_capacity(rows));
        let mut ports = UInt32Builder::with_capacity(rows);
        let mut there = NullBufferBuilder::new(rows);
        for row in input.rows() {
            let verdict = row.map(|row| policy.judge_bytes(row.bytes));
            let verdict = verdict.as_ref();
            there.append(verdict.is_some());
            for (of, texts) in &mut texts {
                texts.push_option(verdict.and_then(*of).as_deref(), 0);
            }
            ports.append_option(verdict.and_then(Verdict::port).map(u32::from));
            lengths.push(verdict.map(|verdict| {
                let found = verdict.reasons();
                found.iter().for_each(|reason| reasons.push(&reason.to_string(), 0));
                found.len()
            }));
        }
        let reasons = list_of(Arc::new(reasons.finish()), &lengths, "reasons")?;
        let [decision, scheme, by_rfc, by_whatwg, address, url] =
            texts.map(|(_, texts)| Arc::new(texts.finish()) as ArrayRef);
        let (reasons, ports) = (Arc::new(reasons), Arc::new(ports.finish()));
        let columns = vec![decision, reasons, scheme, by_rfc, by_whatwg, ports, address, url];
        StructArray::try_new(judge_type(), columns, there.finish())
    })
}
