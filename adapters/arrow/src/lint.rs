//! The findings about each row, and rows without findings.

use std::sync::Arc;

use arrow_array::{Array, ListArray, StringViewArray};
use arrow_schema::ArrowError;
use simd_iri::{IriRef, Rule};
use simd_iri_lint::{Lint, Profile};

use crate::input::with_values;
use crate::lists::list_of;
use crate::transform::each;
use crate::views::Views;

/// Returns the codes of the findings about each row, as a list of text, in the order of the text of the row. A row
/// without findings has an empty list. A row that is null or does not match `rule` is null.
///
/// # Errors
/// `array` is neither of strings, nor of bytes, nor a dictionary of these; or there are 2^31 findings or more.
///
/// ```
/// use arrow_array::{Array, StringArray};
/// use arrow_array::cast::AsArray;
/// use simd_iri_lint::Profile;
/// use simd_iri_arrow::{Rule, lint};
///
/// let codes = lint(&StringArray::from(vec!["http://u:p@a/", "http://a/"]), Rule::Iri, Profile::Crawler)?;
/// assert!(codes.value(0).as_string_view().iter().any(|code| code == Some("spoof.password")));
/// assert!(codes.value(1).is_empty());
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn lint(array: &dyn Array, rule: Rule, profile: Profile) -> Result<ListArray, ArrowError> {
    with_values(array, |input| {
        let lint = Lint::new(profile);
        let mut codes = Views::new(0, Vec::new());
        let mut lengths = Vec::with_capacity(input.len());
        for row in input.rows() {
            let view = row.and_then(|row| IriRef::parse_as(rule, row.text()?).ok());
            lengths.push(view.map(|view| {
                let mut length = 0;
                lint.each(view, |finding| {
                    codes.push(finding.code().name(), 0);
                    length += 1;
                });
                length
            }));
        }
        list_of(Arc::new(codes.finish()), &lengths, "findings")
    })
}

/// Corrects each finding about each row that matches `rule`, if its correction means the same.
///
/// # Errors
/// `array` is neither of strings, nor of bytes, nor a dictionary of these.
///
/// ```
/// use arrow_array::StringArray;
/// use simd_iri_lint::Profile;
/// use simd_iri_arrow::{Rule, fix};
///
/// let fixed = fix(&StringArray::from(vec!["HTTP://a/%7e", "a b"]), Rule::Iri, Profile::Crawler)?;
/// assert_eq!(fixed.iter().collect::<Vec<_>>(), [Some("http://a/~"), None]);
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn fix(array: &dyn Array, rule: Rule, profile: Profile) -> Result<StringViewArray, ArrowError> {
    let lint = Lint::new(profile);
    each(array, rule, |view, push| push(lint.fix(view).ok().as_ref().map(|fixed| fixed.as_str())))
}
