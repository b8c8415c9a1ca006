//! Every function that `docs/operations.md` has for SQL is called with the cases of `tests/data/operations.jsonl`.
#![expect(clippy::unwrap_used, reason = "a failure is a failed test")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, RecordBatch, StringViewArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, UInt32Type, UInt64Type};
use datafusion::execution::FunctionRegistry;
use datafusion::prelude::SessionContext;
use serde_json::{Value, json};
use tokio::runtime::Builder;

#[path = "../../../tests/operations/table.rs"]
mod table;

use table::Case;

#[test]
fn each_function_of_the_page_has_its_answers() {
    let runtime = Builder::new_current_thread().build().unwrap();
    table::check("SQL", |operation, name, case| {
        let query = format!("SELECT {} FROM t", call(name, case));
        let answer = runtime.block_on(ask(&query, case.input()));
        let field = match operation {
            "all errors" => "start",
            "URL to send, if nothing speaks against a fetch" => {
                return answer.get("url_to_send").cloned();
            }
            "values of a template" => return Some(written(&answer)),
            _ if operation.starts_with("extract") => "reference",
            _ => return Some(answer),
        };
        Some(answer.as_array().unwrap().iter().map(|item| item[field].clone()).collect())
    });
}

#[test]
fn the_page_has_each_function() {
    let mut context = SessionContext::new();
    let before = context.udfs();
    simd_iri_datafusion::register(&mut context).unwrap();
    let functions = context.udfs().difference(&before).cloned().collect::<BTreeSet<_>>();
    assert_eq!(functions, table::names("SQL").into_iter().map(str::to_owned).collect());
}

/// The answer of a query over a table `t` with a text in its column `text`.
async fn ask(query: &str, text: &str) -> Value {
    let mut context = SessionContext::new();
    simd_iri_datafusion::register(&mut context).unwrap();
    let column: ArrayRef = Arc::new(StringViewArray::from_iter_values([text]));
    context.register_batch("t", RecordBatch::try_from_iter([("text", column)]).unwrap()).unwrap();
    let batches = context.sql(query).await.unwrap().collect().await.unwrap();
    answer(batches.first().unwrap().column(0))
}

/// The values of a template as the program writes them: here, a text is a list of one text.
fn written(values: &Value) -> Value {
    let Some(values) = values.as_object() else { return Value::Null };
    let text = |value: &Value| match value.as_array().map(Vec::as_slice) {
        Some([only]) => only.clone(),
        _ => value.clone(),
    };
    let texts: BTreeMap<_, _> = values.iter().map(|(name, value)| (name, text(value))).collect();
    json!(serde_json::to_string(&texts).unwrap())
}

/// The call of a function for a case. A rule is the last parameter; the parameter before it has its default then.
fn call(name: &str, case: &Case) -> String {
    if name.contains('(') {
        return name.to_owned();
    }
    if let Some(base) = case.get("base") {
        return format!("{name}('{base}', text)");
    }
    if name == "iri_template_match" {
        return format!("{name}(text, '/users/{{id}}{{?q}}')");
    }
    let settings = ["level", "profile", "markup", "name", "policy", "rules"];
    let setting = settings.iter().find_map(|setting| case.get(setting));
    let rule = case.get("rule");
    let has_host = ["iri_to_iri", "iri_to_uri"].contains(&name);
    let default = rule.filter(|_| has_host).map(|_| "percent");
    let settings = [setting.or(default), rule];
    let settings: String = settings.iter().flatten().map(|name| format!(", '{name}'")).collect();
    format!("{name}(text{settings})")
}

/// The first row of an array in the form of the cases: no host kind and no message, and a fingerprint as text.
fn answer(array: &ArrayRef) -> Value {
    if array.is_null(0) {
        return Value::Null;
    }
    match array.data_type() {
        DataType::Boolean => json!(array.as_boolean().value(0)),
        DataType::UInt32 => json!(array.as_primitive::<UInt32Type>().value(0)),
        DataType::UInt64 => json!(array.as_primitive::<UInt64Type>().value(0).to_string()),
        DataType::Struct(_) => {
            let fields = array.as_struct();
            let names = fields.column_names().into_iter().zip(fields.columns());
            let names = names.filter(|(name, _)| !["host_kind", "message"].contains(name));
            names.map(|(name, column)| (name.to_owned(), answer(column))).collect()
        }
        DataType::Map(..) => {
            let entries = array.as_map().value(0);
            let names = entries.column(0);
            let name = |row| answer(&names.slice(row, 1)).as_str().unwrap().to_owned();
            let pair = |row| (name(row), answer(&entries.column(1).slice(row, 1)));
            (0..entries.len()).map(pair).collect()
        }
        DataType::List(_) => {
            let list = array.as_list::<i32>().value(0);
            (0..list.len()).map(|row| answer(&list.slice(row, 1))).collect()
        }
        _ => json!(cast(array, &DataType::Utf8View).unwrap().as_string_view().value(0)),
    }
}
