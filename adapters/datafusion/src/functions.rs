//! The functions: each is a kernel of [`simd_iri_arrow`], with its parameters.

use std::sync::Arc;

use datafusion_common::arrow::array::{Array, ArrayRef, Scalar, StringViewArray};
use datafusion_common::arrow::error::ArrowError;
use simd_iri::{Compare, Rule, ToIri, ToUri};
use simd_iri_archive::Keys;
use simd_iri_arrow as arrow;
use simd_iri_arrow::Component;
use simd_iri_judge::Policy;
use simd_iri_lint::DisplayIri;
use simd_iri_lint::DisplayPolicy;
use simd_iri_rules::{QueryRules, RuleFormat, Unwrap};
use simd_iri_template::{Match, Template};
use simd_iri_text::{Extract, Prepare};

use crate::settings::{Setting, Settings};

/// A function of SQL.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) name: &'static str,
    /// The number of columns of texts that the function takes.
    pub(crate) columns: usize,
    /// The parameters after the columns. A call may leave out the last parameters.
    pub(crate) settings: &'static [Setting],
    pub(crate) kernel: Kernel,
}

/// Takes the columns, which have one length, and whether the first one has the same text in all rows.
type Kernel = fn(&[ArrayRef], bool, &Settings) -> Result<ArrayRef, ArrowError>;

/// A function of one column, with a kernel that takes it and the settings.
macro_rules! of_column {
    ($name:literal, $settings:expr, |$column:ident, $with:ident| $result:expr) => {
        Function {
            name: $name,
            columns: 1,
            settings: $settings,
            kernel: |columns, _, $with| match columns {
                [$column, ..] => Ok(shared($result?)),
                [] => Err(missing()),
            },
        }
    };
}

/// A function that returns a component of each row.
macro_rules! component {
    ($name:literal, $component:ident) => {
        of_column!($name, &[Setting::Rule], |column, with| {
            arrow::component(column, with.rule, Component::$component)
        })
    };
}

/// A function of a base and another column.
macro_rules! with_base {
    ($name:literal, $kernel:path) => {
        Function {
            name: $name,
            columns: 2,
            settings: &[],
            kernel: |columns, is_scalar, _| match columns {
                [base, column, ..] if is_scalar => {
                    let first = base.slice(0, 1);
                    // In SQL, a reference without a base gives null.
                    if arrow::is_valid(&first, Rule::Iri)?.iter().all(|is| is == Some(true)) {
                        return Ok(shared($kernel(&Scalar::new(first), column)?));
                    }
                    Ok(shared(StringViewArray::new_null(column.len())))
                }
                [base, column, ..] => Ok(shared($kernel(base, column)?)),
                _ => Err(missing()),
            },
        }
    };
}

/// All functions, by name.
pub(crate) static FUNCTIONS: &[Function] = &[
    of_column!(
        "iri_apply_query_rules",
        &[Setting::Rules, Setting::Format, Setting::Rule],
        |column, with| {
            match &with.rules {
                Some(rules) => arrow::apply_query_rules(column, with.rule, rules),
                None => arrow::apply_query_rules(column, with.rule, &no_rules()?),
            }
        }
    ),
    of_column!("iri_archive_key", &[Setting::Archive], |column, with| {
        arrow::archive_key(column, Keys::new(with.archive))
    }),
    component!("iri_authority", Authority),
    of_column!("iri_display", &[Setting::Rule, Setting::Policy], |column, with| {
        let shape = DisplayIri::new();
        let shape = with.policy.map_or(shape, |policy| shape.policy(policy));
        arrow::display(column, with.rule, shape)
    }),
    of_column!("iri_display_in_text", &[Setting::Rule], |column, with| {
        arrow::display_in_text(column, with.rule)
    }),
    of_column!("iri_display_rule", &[Setting::NeededPolicy, Setting::Rule], |column, with| {
        arrow::display_rule(column, with.rule, with.policy.unwrap_or(DisplayPolicy::Chromium))
    }),
    of_column!("iri_drop_query_pairs", &[Setting::Name, Setting::Rule], |column, with| {
        arrow::drop_query_pairs(column, with.rule, |name| name == with.name)
    }),
    of_column!("iri_error", &[Setting::Rule], |column, with| arrow::error(column, with.rule)),
    of_column!("iri_extract", &[Setting::Markup, Setting::Ends], |column, with| {
        arrow::extract(column, Extract::new().markup(with.markup).ends(with.ends))
    }),
    of_column!("iri_fingerprint", &[Setting::Level, Setting::Rule], |column, with| {
        arrow::fingerprint(column, with.rule, Compare::new(with.level))
    }),
    of_column!("iri_fix", &[Setting::Profile, Setting::Rule], |column, with| {
        arrow::fix(column, with.rule, with.profile)
    }),
    component!("iri_fragment", Fragment),
    component!("iri_host", Host),
    of_column!("iri_is_hostname", &[], |column, _with| arrow::is_hostname(column)),
    of_column!("iri_is_idn_hostname", &[], |column, _with| arrow::is_idn_hostname(column)),
    of_column!("iri_judge", &[], |column, _with| arrow::judge(column, &Policy::public_web())),
    of_column!("iri_key", &[Setting::Level, Setting::Rule], |column, with| {
        arrow::key(column, with.rule, Compare::new(with.level))
    }),
    of_column!("iri_lint", &[Setting::Profile, Setting::Rule], |column, with| {
        arrow::lint(column, with.rule, with.profile)
    }),
    of_column!("iri_masked", &[Setting::Rule], |column, with| arrow::masked(column, with.rule)),
    of_column!("iri_normalize", &[Setting::Level, Setting::Rule], |column, with| {
        arrow::normalize(column, with.rule, with.level.rules())
    }),
    of_column!("iri_origin", &[Setting::Rule], |column, with| arrow::origin(column, with.rule)),
    of_column!("iri_parse", &[Setting::Rule], |column, with| arrow::parse(column, with.rule)),
    component!("iri_path", Path),
    of_column!("iri_percent_decode", &[], |column, _with| arrow::percent_decode(column)),
    of_column!("iri_percent_encode", &[Setting::Place], |column, with| {
        arrow::percent_encode(column, with.place)
    }),
    component!("iri_port", Port),
    of_column!("iri_prepare", &[Setting::Repairs], |column, with| {
        arrow::prepare(column, Prepare::new(with.repairs))
    }),
    component!("iri_query", Query),
    of_column!("iri_query_value", &[Setting::Name, Setting::Rule], |column, with| {
        arrow::query_value(column, with.rule, &with.name)
    }),
    of_column!("iri_redact", &[Setting::Set, Setting::Part], |column, with| {
        arrow::redact(column, with.redact.part(with.part))
    }),
    of_column!("iri_registrable_domain", &[Setting::Rule], |column, with| {
        arrow::registrable_domain(column, with.rule)
    }),
    with_base!("iri_relativize", arrow::relativize),
    with_base!("iri_resolve", arrow::resolve),
    component!("iri_scheme", Scheme),
    of_column!("iri_skeleton", &[Setting::Rule], |column, with| arrow::skeleton(column, with.rule)),
    of_column!("iri_template_match", &[Setting::Template, Setting::Query], |column, with| {
        let options = Match::new().query_as_set(with.query_is_set);
        match &with.template {
            Some(template) => arrow::template_map(column, template, options),
            None => arrow::template_map(column, &empty_template()?, options),
        }
    }),
    of_column!("iri_to_iri", &[Setting::Host, Setting::Rule], |column, with| {
        arrow::to_iri(column, with.rule, ToIri::new().idna(with.is_idna))
    }),
    of_column!("iri_to_uri", &[Setting::Host, Setting::Rule], |column, with| {
        arrow::to_uri(column, with.rule, ToUri::new().idna(with.is_idna))
    }),
    of_column!("iri_unwrap", &[Setting::Levels, Setting::Rule], |column, with| {
        arrow::unwrap(column, with.rule, Unwrap::new().levels(with.levels))
    }),
    component!("iri_userinfo", Userinfo),
    of_column!("iri_valid", &[Setting::Rule], |column, with| arrow::is_valid(column, with.rule)),
    of_column!("iri_violations", &[Setting::Rule], |column, with| {
        arrow::violations(column, with.rule)
    }),
];

/// The template of a call without rows, which asks for the type of the result.
fn empty_template() -> Result<Template, ArrowError> {
    Template::parse("").map_err(|error| ArrowError::InvalidArgumentError(error.to_string()))
}

/// The rules of a call without rows, which asks for the type of the result.
fn no_rules() -> Result<QueryRules, ArrowError> {
    QueryRules::parse("", RuleFormat::Toml)
        .map_err(|error| ArrowError::InvalidArgumentError(error.to_string()))
}

/// DataFusion has checked the number of arguments.
fn missing() -> ArrowError {
    ArrowError::InvalidArgumentError("a column is missing".to_owned())
}

/// An array of a kernel, for DataFusion.
fn shared(array: impl Array + 'static) -> ArrayRef {
    Arc::new(array)
}
