//! Serde: levels of comparison and origins as strings.

use serde::ser::{Serialize, Serializer};

use super::{Level, Origin};
use crate::reference::serialize_name;

serialize_name!(Level);

/// The text of the origin, as `Display` writes it.
impl Serialize for Origin {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
