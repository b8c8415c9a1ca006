//! Hides the password of an address that a message quotes: an argument that was refused, or a file that is not there.
//!
//! Not here: the items that a command reports. The user asks for them.

use std::borrow::Cow;

/// Returns a text with `***` in place of what looks like the password of an address: after two slashes, the text
/// between the first colon and the last at sign. A text without them is returned as it is.
pub(crate) fn without_password(text: &str) -> Cow<'_, str> {
    let found = text.split_once("//").and_then(|(scheme, rest)| {
        let (userinfo, host) = rest.rsplit_once('@')?;
        let (user, password) = userinfo.split_once(':')?;
        (!password.is_empty()).then(|| format!("{scheme}//{user}:***@{host}"))
    });
    found.map_or(Cow::Borrowed(text), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_hidden() {
        for (text, expected) in [
            ("http://u:secret@h b", "http://u:***@h b"),
            ("//u:se@cret:x/y z@h", "//u:***@h"),
            ("http://u@h:80/", "http://u@h:80/"),
            ("http://u:@h", "http://u:@h"),
            ("u:secret", "u:secret"),
            ("", ""),
        ] {
            assert_eq!(without_password(text), expected);
        }
    }
}
