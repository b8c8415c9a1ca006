//! Serde: a finding as a struct, and a report as a sequence of findings.

use alloc::string::ToString;

use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::finding::Finding;
use super::report::Report;

/// The severity, the code, the message, the section, the bytes from `start` to `end`, the component, and the
/// suggestion in words.
impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Finding", 8)?;
        fields.serialize_field("severity", &self.severity())?;
        fields.serialize_field("code", &self.code())?;
        fields.serialize_field("message", &format_args!("{self}"))?;
        fields.serialize_field("section", self.section())?;
        fields.serialize_field("start", &self.span().start)?;
        fields.serialize_field("end", &self.span().end)?;
        fields.serialize_field("component", &self.component())?;
        let suggestion = self.suggestion().map(|suggestion| suggestion.to_string());
        fields.serialize_field("suggestion", &suggestion)?;
        fields.end()
    }
}

/// The findings.
impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.findings())
    }
}
