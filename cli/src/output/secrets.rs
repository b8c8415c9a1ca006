//! Hides the secrets of an address that a message quotes: an argument that was refused, a file that is not there, or a
//! line that was read as a header.
//!
//! Not here: the items that a command reports. The user asks for them.

use std::borrow::Cow;

use simd_iri::text::{Redact, RedactUserinfo};

/// Returns a text with `***` in place of its password, and of the values of secret keys. A text without secrets is
/// returned as it is.
pub(crate) fn without_secrets(text: &str) -> Cow<'_, str> {
    let redact = Redact::default().userinfo(RedactUserinfo::Password);
    // `***` may be in a query, and so it is a replacement.
    redact.replacement("***").unwrap_or(redact).redact(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_hidden() {
        for (text, expected) in [
            ("http://u:secret@h b", "http://u:***@h b"),
            ("//u:se@cret:x/y z@h", "//u:***@h"),
            ("http://u@h:80/", "http://u@h:80/"),
            ("https://h/?sig=secret&a=b", "https://h/?sig=***&a=b"),
            ("https://h/cb#access_token=secret", "https://h/cb#access_token=***"),
            ("u:secret", "u:secret"),
            ("", ""),
        ] {
            assert_eq!(without_secrets(text), expected);
        }
    }
}
