//! The trait of DataFusion for a function: the types of its parameters and of its result, and the call.

use std::hash::{Hash, Hasher};

use datafusion_common::arrow::array::{Array, ArrayRef, new_empty_array};
use datafusion_common::arrow::datatypes::DataType;
use datafusion_common::{Result, ScalarValue, exec_err, plan_err};
use datafusion_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility};

use crate::functions::Function;
use crate::settings::Settings;

/// A function in the form that DataFusion takes.
#[derive(Debug)]
pub(crate) struct Udf {
    function: &'static Function,
    signature: Signature,
}

impl Udf {
    pub(crate) fn new(function: &'static Function) -> Self {
        Self { function, signature: Signature::user_defined(Volatility::Immutable) }
    }
}

/// Two functions have different names.
impl PartialEq for Udf {
    fn eq(&self, other: &Self) -> bool {
        self.function.name == other.function.name
    }
}

impl Eq for Udf {}

impl Hash for Udf {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.function.name.hash(state);
    }
}

impl ScalarUDFImpl for Udf {
    fn name(&self) -> &str {
        self.function.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    /// The type of the result, from a call without rows.
    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        let none = ColumnarValue::Array(new_empty_array(&DataType::Utf8View));
        let columns = vec![none; self.function.columns];
        Ok(self.function.call(&columns, 0, &Settings::default())?.data_type().clone())
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let Function { name, columns, settings, .. } = self.function;
        let needed = settings.iter().filter(|setting| setting.is_needed()).count();
        let (least, most) = (columns + needed, columns + settings.len());
        if !(least..=most).contains(&types.len()) {
            return plan_err!("{name} takes {least} to {most} arguments, not {}", types.len());
        }
        types
            .iter()
            .enumerate()
            .map(|(at, given)| match given {
                DataType::Null => Ok(DataType::Utf8View),
                given if at >= *columns => match given {
                    DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Ok(DataType::Utf8),
                    _ => plan_err!("argument {} of {name} is a name, not {given}", at + 1),
                },
                given if is_text(given) => Ok(given.clone()),
                given => plan_err!("argument {} of {name} is a text, not {given}", at + 1),
            })
            .collect()
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let Function { name, columns, settings, .. } = self.function;
        let Some((texts, named)) = args.args.split_at_checked(*columns) else {
            return exec_err!("{name} takes {columns} arguments or more");
        };
        let all_constant = texts.iter().all(|text| matches!(text, ColumnarValue::Scalar(_)));
        let rows = if all_constant { 1 } else { args.number_rows };
        let result = match Settings::new(name, *columns, settings, named)? {
            Some(settings) => self.function.call(texts, rows, &settings)?,
            // A null setting gives null.
            None => ScalarValue::try_from(args.return_type())?.to_array_of_size(rows)?,
        };
        Ok(match all_constant {
            true => ColumnarValue::Scalar(ScalarValue::try_from_array(&result, 0)?),
            false => ColumnarValue::Array(result),
        })
    }
}

/// Whether the kernels read arrays of this type.
fn is_text(kind: &DataType) -> bool {
    match kind {
        DataType::Dictionary(_, values) => is_text(values),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => true,
        _ => false,
    }
}

impl Function {
    /// Calls the kernel with the wanted number of rows.
    fn call(
        &self,
        columns: &[ColumnarValue],
        rows: usize,
        settings: &Settings,
    ) -> Result<ArrayRef> {
        let arrays = columns.iter().map(|column| column.to_array(rows));
        let arrays = arrays.collect::<Result<Vec<_>>>()?;
        let base = columns.first().filter(|_| self.columns == 2);
        let is_scalar = matches!(base, Some(ColumnarValue::Scalar(_))) && rows > 0;
        Ok((self.kernel)(&arrays, is_scalar, settings)?)
    }
}
