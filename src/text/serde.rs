//! Serde: a repair as a struct, and names as strings.

use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::{Repair, RepairKind};
use crate::reference::serialize_name;

serialize_name!(RepairKind);
#[cfg(feature = "extract")]
serialize_name!(super::LinkKind, super::Broken);

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
