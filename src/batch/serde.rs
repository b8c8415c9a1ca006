//! Serde: a count and columns as structs.

use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::Columns;
use super::Count;

/// The numbers of all, valid, null and invalid items.
impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Count", 4)?;
        fields.serialize_field("items", &self.items)?;
        fields.serialize_field("valid", &self.valid)?;
        fields.serialize_field("null", &self.null)?;
        fields.serialize_field("invalid", &self.invalid)?;
        fields.end()
    }
}

/// Each column under its name.
impl Serialize for Columns {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Columns", 11)?;
        fields.serialize_field("starts", self.starts())?;
        fields.serialize_field("scheme_end", self.scheme_end())?;
        fields.serialize_field("authority", self.authority())?;
        fields.serialize_field("host", self.host())?;
        fields.serialize_field("host_end", self.host_end())?;
        fields.serialize_field("path", self.path())?;
        fields.serialize_field("path_end", self.path_end())?;
        fields.serialize_field("query_end", self.query_end())?;
        fields.serialize_field("end", self.end())?;
        fields.serialize_field("errors", self.errors())?;
        fields.serialize_field("nulls", self.nulls())?;
        fields.end()
    }
}
