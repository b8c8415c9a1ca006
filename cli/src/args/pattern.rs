//! Patterns of names of files, in the syntax of `.gitignore`.

use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// Returns patterns as an object that matches names relative to a folder.
///
/// # Errors
/// A text is not a pattern.
pub(crate) fn patterns(texts: &[String]) -> Result<Gitignore, ignore::Error> {
    let mut builder = GitignoreBuilder::new("");
    for text in texts {
        // In a file of patterns, a line that begins with one of these characters is not a usual pattern.
        let is_other = text.starts_with(['!', '#']);
        let line = if is_other { format!("\\{text}") } else { text.clone() };
        builder.add_line(None, &line)?;
    }
    builder.build()
}

/// Checks a pattern of the command line.
///
/// # Errors
/// A message: what is wrong with the pattern.
pub(crate) fn pattern(text: &str) -> Result<String, String> {
    if text.trim().is_empty() {
        return Err("write a pattern, such as '*.csv' or 'old/'".to_owned());
    }
    patterns(&[text.to_owned()]).map(|_| text.to_owned()).map_err(|error| error.to_string())
}
