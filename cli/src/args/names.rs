//! The format that the name of a file says. Not here: what a format is.

use std::path::Path;

use crate::args::records::From;

/// The suffixes of the compressions, which are recognised by the first bytes of a file.
const COMPRESSED: [&str; 5] = ["gz", "zst", "zstd", "bz2", "xz"];

/// Words in the names of logs that do not hold requests.
const OTHER_LOGS: [&str; 4] = ["error", "errors", "err", "debug"];

/// Returns the format for the name of a file, which may have the suffix of a compression.
pub(crate) fn of_file(path: &Path) -> Option<From> {
    of_name(&path.file_name()?.to_string_lossy())
}

/// Returns the format for a name without folders.
pub(crate) fn of_name(name: &str) -> Option<From> {
    let name = name.to_ascii_lowercase();
    let name = without_compression(&name);
    if is_access_log(name) {
        return Some(From::Log);
    }
    let (stem, suffix) = name.rsplit_once('.')?;
    Some(match suffix {
        "txt" => From::Lines,
        "csv" => From::Csv,
        "tsv" | "tab" => From::Tsv,
        "jsonl" | "ndjson" => From::Jsonl,
        "nt" => From::Nt,
        "nq" => From::Nq,
        "cdxj" => From::Cdxj,
        "parquet" | "pq" => From::Parquet,
        "arrow" | "feather" => From::Arrow,
        "warc" | "wet" | "wat" => From::Warc,
        "html" | "htm" | "xhtml" => From::Html,
        "md" | "markdown" => From::Markdown,
        "xml" if stem.contains("sitemap") => From::Sitemap,
        "xml" => From::Xml,
        _ => return None,
    })
}

/// Returns a name in lower case without the suffix of a compression.
fn without_compression(name: &str) -> &str {
    let compressed = name.rsplit_once('.').filter(|(_, suffix)| COMPRESSED.contains(suffix));
    compressed.map_or(name, |(name, _)| name)
}

/// The formats of documents of data. No command reads their records, but their strings may hold links.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Data {
    Json,
    Yaml,
}

/// Returns the format of a document of data for the name of a file.
pub(crate) fn of_data(path: &Path) -> Option<Data> {
    let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
    match without_compression(&name).rsplit_once('.')?.1 {
        "json" | "har" => Some(Data::Json),
        "yaml" | "yml" => Some(Data::Yaml),
        _ => None,
    }
}

/// Tells whether a name in lower case is the name of a log of requests, rotated or not: `access.log`, `access_log`,
/// `a.example.log.1`, `access.log-20261124`, `access_log.2026-11-24.txt`. Such a name ends in `.log` or in
/// `access_log`, and numbers may follow. No word of the name is in [`OTHER_LOGS`].
fn is_access_log(name: &str) -> bool {
    let is_other = |word: &str| OTHER_LOGS.contains(&word);
    if name.split(|c: char| !c.is_ascii_alphanumeric()).any(is_other) {
        return false;
    }
    let is_log = |name: &str| {
        let base = without_numbers(name);
        base.ends_with(".log") || base.ends_with("access_log")
    };
    // The names of the logs of Tomcat end in `.txt`.
    let is_text = |name: &str| without_numbers(name).ends_with("access_log");
    is_log(name) || name.strip_suffix(".txt").is_some_and(is_text)
}

/// Returns a name without the numbers and dates that the rotation of logs puts at its end.
fn without_numbers(name: &str) -> &str {
    let name = name.strip_suffix(".old").unwrap_or(name);
    let mut name = name;
    while let Some((before, last)) = name.rsplit_once(['.', '-', '_']) {
        if last.is_empty() || !last.bytes().all(|byte| byte.is_ascii_digit()) {
            break;
        }
        name = before;
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each name of a list, with each rotation and each compression, in both cases.
    #[test]
    fn a_log_of_requests_is_known_whatever_its_rotation() {
        let rotations = [
            "",
            ".1",
            ".12",
            "-20261124",
            "-2026112403",
            ".20261124",
            "-2026-11-24",
            ".2026-11-24",
            "-20261124-1795478400",
            "_20261124",
            ".old",
            ".1.old",
        ];
        let known =
            ["access.log", "access_log", "ssl_access_log", "a.example-access.log", "a.example.log"];
        let others =
            ["error.log", "error_log", "ssl_error_log", "php-errors.log", "my_log", "syslog"];
        for rotation in rotations {
            for compression in ["", ".gz", ".zst", ".bz2", ".xz"] {
                for (names, expected) in [(&known[..], Some(From::Log)), (&others[..], None)] {
                    for name in names {
                        let name = format!("{name}{rotation}{compression}");
                        assert_eq!(of_name(&name), expected, "{name}");
                        assert_eq!(of_name(&name.to_ascii_uppercase()), expected, "{name}");
                    }
                }
            }
        }
        assert_eq!(of_name("localhost_access_log.2026-11-24.txt"), Some(From::Log));
        assert_eq!(of_name("change_log.txt"), Some(From::Lines));
        for name in
            ["log", "1", "", ".gz", "catalog", "changelog", "log.1", "access", "a.log.b", "x.json"]
        {
            assert_eq!(of_name(name), None, "{name}");
        }
    }
}
