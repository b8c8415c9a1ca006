//! Serde: origins as strings.

use serde::ser::{Serialize, Serializer};

use super::Origin;

/// The text of the origin, as `Display` writes it.
impl Serialize for Origin {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
