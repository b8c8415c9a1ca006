//! How a name is compared with a key: as a list of words, however it spells them.
//!
//! Here: the words of a name. Not here: the keys (`sets`), and what a reader makes of a name before (`key`).

/*
A key is a list of words. In a name, words are separated by `-`, `_`, `.` or a space, or begin with an upper-case letter:

    access-token    access_token, access--token, accessToken, ACCESS_TOKEN, _access.token, accesstoken

A `*` of a key stands for any text. Beside a separator, it stands for any words, also for none:

    *-token         token, reset_token, csrfToken, not `tokenizer` and not `mytoken`
    *token          these, and `mytoken`

Both are read from their ends, because most keys have the same words there. Where they differ, the `*` that was read last
takes one byte more of the name. So a comparison takes at most the product of both lengths, and a key is short.
*/

/// Tells whether a byte stands between words.
#[inline]
pub(super) const fn is_separator(byte: u8) -> bool {
    matches!(byte, b'-' | b'_' | b'.' | b' ')
}

/// Tells whether a name has the words of a key.
pub(super) fn is_same(key: &[u8], name: &[u8]) -> bool {
    let (key, name) = match (trimmed(key), trimmed(name)) {
        // A key of separators alone is a key as it is written.
        ([], _) => return key == name,
        trimmed => trimmed,
    };
    // How much of the key and of the name is not compared, and what was not when a `*` was read.
    let (mut rest, mut left) = (key, name);
    let mut star = None;
    // Whether the name has a lower-case letter, once it is asked.
    let mut has_lower_case = None;
    loop {
        let is_same = match rest {
            [] if left.is_empty() => return true,
            [] => false,
            // Nothing of the key is before it.
            [b'*'] => return true,
            [others @ .., b'*'] => {
                (rest, star) = (others, Some((others, left)));
                true
            }
            [others @ .., byte] if is_separator(*byte) => {
                let is_beside_star = key.get(rest.len()) == Some(&b'*') || others.ends_with(b"*");
                let is_same = !is_beside_star
                    || is_boundary(name, left.len())
                    || is_within_upper_case(name, left.len())
                        && *has_lower_case
                            .get_or_insert_with(|| name.iter().any(u8::is_ascii_lowercase));
                left = before_separators(left);
                rest = others;
                is_same
            }
            [others @ .., byte] => match left {
                [before @ .., separator]
                    if is_separator(*separator) && is_boundary(key, rest.len()) =>
                {
                    left = before;
                    true
                }
                [before @ .., other] if other.eq_ignore_ascii_case(byte) => {
                    (rest, left) = (others, before);
                    true
                }
                _ => false,
            },
        };
        if !is_same {
            let Some((key, [before @ .., _])) = star else { return false };
            (rest, left, star) = (key, before, Some((key, before)));
        }
    }
}

/// Returns a text without the separators around it.
fn trimmed(text: &[u8]) -> &[u8] {
    let mut text = before_separators(text);
    while let [byte, rest @ ..] = text {
        if !is_separator(*byte) {
            break;
        }
        text = rest;
    }
    text
}

/// Returns a text without the separators at its end.
fn before_separators(text: &[u8]) -> &[u8] {
    let mut text = text;
    while let [rest @ .., byte] = text {
        if !is_separator(*byte) {
            break;
        }
        text = rest;
    }
    text
}

/// Tells whether a word begins or ends at an offset of a text: beside what is neither a letter nor a digit, after digits,
/// and where an upper-case letter begins a word: `access|Token`, `SAML|Response`.
fn is_boundary(text: &[u8], at: usize) -> bool {
    let Some((before, after)) = text.split_at_checked(at) else { return true };
    let (Some(last), Some(next)) = (before.last(), after.first()) else { return true };
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
    if !is_word(last) || !is_word(next) {
        return true;
    }
    if last.is_ascii_digit() {
        return !next.is_ascii_digit();
    }
    let begins = !last.is_ascii_uppercase() || after.get(1).is_some_and(u8::is_ascii_lowercase);
    next.is_ascii_uppercase() && begins
}

/// Tells whether an offset of a name is between two upper-case letters. If the name also has lower-case letters, a word may
/// begin there: `X|APIKey`, `X|AP|IKey`. A `*` of a key takes each of these places.
fn is_within_upper_case(name: &[u8], at: usize) -> bool {
    let is_upper = |at: usize| name.get(at).is_some_and(u8::is_ascii_uppercase);
    is_upper(at) && at.checked_sub(1).is_some_and(is_upper)
}

#[cfg(test)]
mod tests {
    use super::is_same;

    #[test]
    fn a_key_is_a_list_of_words() {
        for (key, names) in [
            (
                "access-token",
                &[
                    "access-token",
                    "Access.Token",
                    "accessToken",
                    "ACCESS_TOKEN",
                    "__access--token_",
                ][..],
            ),
            ("accessToken", &["access_token", "accesstoken", "Access Token"]),
            ("SAMLResponse", &["saml_response", "samlResponse", "SAMLResponse"]),
            (
                "*-token",
                &[
                    "token",
                    "Token",
                    "csrfToken",
                    "a.b_token",
                    "user[token",
                    "OAuth2Token",
                    "XToken",
                ],
            ),
            ("*-api-key", &["apikey", "x-api-key", "xApiKey", "X-APIKEY", "myAPIKey", "XAPIKey"]),
            ("token-*", &["token", "tokenCount", "token_a_b"]),
            ("*secret*", &["secret", "mysecretkey", "my_secret_key", "topSecret"]),
            ("a-*-b", &["a_b", "a-x-b", "aXxB", "a x y b"]),
            ("_", &["_"]),
            ("a&b", &["a&b", "A&B"]),
            ("*", &["", "x"]),
        ] {
            for name in names {
                assert!(is_same(key.as_bytes(), name.as_bytes()), "{key} {name}");
            }
        }
        for (key, names) in [
            (
                "access-token",
                &["access", "token", "access-tokens", "x-access-token", "acc-ess-token"][..],
            ),
            ("*-token", &["tokenizer", "mytoken", "page_token_count", "", "Tokens", "to-ken"]),
            ("*-api-key", &["monkeyapikey", "api", "api-keyboard"]),
            ("token-*", &["tokenizer", "a-token"]),
            ("a-*-b", &["axb", "ab"]),
            ("_", &["", "__", "-"]),
            ("a&b", &["a-b", "ab"]),
        ] {
            for name in names {
                assert!(!is_same(key.as_bytes(), name.as_bytes()), "{key} {name}");
            }
        }
    }
}
