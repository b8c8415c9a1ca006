//! The names of query pairs that are used for tracking. The list is data: `tracking.toml` has each name with its
//! source.

use std::collections::HashSet;
use std::sync::LazyLock;

use serde::Deserialize;

/// The file, which has a table for each source.
pub(crate) const TEXT: &str = include_str!("tracking.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    source: Vec<Source>,
}

/// The names that one company or program documents.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Source {
    #[cfg_attr(not(test), expect(dead_code, reason = "it tells people where the names are from"))]
    document: String,
    names: Vec<String>,
}

static NAMES: LazyLock<HashSet<String>> = LazyLock::new(|| {
    // The file is part of the program, and a test reads it.
    let list: List = toml::from_str(TEXT).unwrap_or(List { source: Vec::new() });
    list.source.into_iter().flat_map(|source| source.names).collect()
});

/// Tells whether a pair with this name is used only for tracking.
pub(crate) fn is_tracking(name: &str) -> bool {
    NAMES.contains(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_there_once_with_its_source() {
        let list: List = toml::from_str(TEXT).unwrap();
        let names: usize = list.source.iter().map(|source| source.names.len()).sum();
        assert_eq!(names, NAMES.len());
        for source in &list.source {
            assert!(!source.document.is_empty() && !source.names.is_empty());
        }
        assert!(is_tracking("utm_source") && !is_tracking("q") && !is_tracking("UTM_SOURCE"));
    }
}
