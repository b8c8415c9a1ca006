//! Serde: a repair as a struct.

use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::Repair;

/// The kind, the bytes from `start` to `end` of the input, and the message.
impl Serialize for Repair {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Repair", 4)?;
        fields.serialize_field("kind", &self.kind())?;
        fields.serialize_field("start", &self.span().start)?;
        fields.serialize_field("end", &self.span().end)?;
        fields.serialize_field("message", &format_args!("{self}"))?;
        fields.end()
    }
}
