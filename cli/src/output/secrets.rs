//! Quotes the texts of others in the messages of the program: arguments, names of files, headers, members, what a library
//! says about them. A message is text of a terminal and of the log of a job. So it has `***` in the place of a secret, and
//! an escape in the place of a character that is not seen.
//!
//! [`message`] does this for a whole message, whatever it quotes, and all messages pass through it. [`quote`] does it for
//! one text whose bounds are known, in which more can be found: a name with a blank, or a line break.
//!
//! Not here: the items that a command reports. The user asks for them.

use std::borrow::Cow;
use std::fmt::Write;
use std::ops::Range;
use std::sync::LazyLock;

use simd_iri_redact::{Redact, RedactPart, RedactUserinfo};

use crate::output::escape::{Escaped, is_unseen};

/// The text in the place of a secret. It may be in a query, and so it is a replacement.
const MASK: &str = "***";

/// A secret that has fewer bytes may be a part of any word.
const SHORTEST: usize = 4;

/// The most addresses within an argument that are looked at, so that an argument takes linear time.
const ADDRESSES: usize = 4;

/// The most secrets of arguments that are remembered, so that a message takes a limited time.
const MOST: usize = 4096;

/// Returns the rules for a part of a message.
fn rules(part: RedactPart) -> Redact<'static> {
    let redact = Redact::default().userinfo(RedactUserinfo::Password).part(part);
    redact.replacement(MASK).unwrap_or(redact)
}

/// Returns a text with `***` in place of its password, and of the values of secret keys. A text without secrets is
/// returned as it is.
fn without_secrets(text: &str) -> Cow<'_, str> {
    rules(RedactPart::Reference).redact(text)
}

/// Returns a text of another as a message quotes it: without its secrets, and on one line without a character that is not
/// seen.
pub(crate) fn quote(text: &str) -> String {
    let masked = message(&without_secrets(text));
    if masked.contains(['\n', '\t']) { escaped(&masked, |_| false) } else { masked }
}

/// Returns a message without the secrets of the arguments and of the addresses that it quotes, and with an escape in the
/// place of each character that is not seen, except line breaks and tabs.
pub(crate) fn message(text: &str) -> String {
    let mut text = Cow::Borrowed(text);
    for (secret, shown) in SECRETS.iter() {
        if text.contains(secret.as_str()) {
            text = Cow::Owned(text.replace(secret.as_str(), shown));
        }
    }
    let text = rules(RedactPart::Text).redact(&text).into_owned();
    if text.chars().any(is_unseen) { escaped(&text, |c| matches!(c, '\n' | '\t')) } else { text }
}

/// Returns a text with escapes in the place of the characters that are not seen, except those that `keeps` tells.
fn escaped(text: &str, keeps: impl Fn(char) -> bool) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unseen(c) && !keeps(c) {
            let written = write!(shown, "{}", c.escape_unicode());
            debug_assert!(written.is_ok(), "a string takes all characters");
        } else {
            shown.push(c);
        }
    }
    shown
}

/// The texts of the arguments of the process that hold a secret, each with the text in its place.
// A parser of an argument may quote any part of it. So the secrets are found where the whole argument is known, and are
// replaced wherever they are.
static SECRETS: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let mut found = Vec::new();
    for arg in std::env::args_os().skip(1) {
        of_argument(&arg.to_string_lossy(), &mut found);
        if found.len() > MOST {
            break;
        }
    }
    found.sort_unstable();
    found.dedup();
    // A secret may begin with another.
    found.sort_by_key(|(secret, _)| std::cmp::Reverse(secret.len()));
    found
});

/// Adds the secrets of an argument: of `ARG`, of `VALUE` in `--option=VALUE`, of `name=value` as in a query, and of an
/// address behind a folder or behind the dashes of an option. Also adds the parts of the argument that have a line break or
/// a tab, with escapes in their place: [`message`] keeps those of the message itself.
fn of_argument(arg: &str, found: &mut Vec<(String, String)>) {
    let (name, value) = arg.split_once('=').unwrap_or((arg, ""));
    for text in [arg, name, value] {
        if text.contains(['\n', '\t']) {
            // A short text may be a part of the message itself.
            let quote = if text.len() < SHORTEST { "'" } else { "" };
            let shown = escaped(text, |_| false);
            found.push((format!("{quote}{text}{quote}"), format!("{quote}{shown}{quote}")));
        }
    }
    let mut texts = vec![arg.to_owned(), value.to_owned(), format!("?{arg}"), format!("?{value}")];
    texts.push(arg.trim_start_matches('-').to_owned());
    for (slashes, _) in arg.match_indices("://").take(ADDRESSES) {
        let before = arg.get(..slashes).unwrap_or_default();
        let start = before.rfind(|c: char| !c.is_ascii_alphanumeric()).map_or(0, |end| {
            end + before.get(end..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8)
        });
        texts.extend(arg.get(start..).map(str::to_owned));
    }
    for text in texts {
        for part in [RedactPart::Reference, RedactPart::Text] {
            for redaction in rules(part).redactions(&text) {
                let Range { start, end } = redaction.span();
                let (Some(before), Some(after)) = (text.get(..start), text.get(end..)) else {
                    continue;
                };
                // A value that is an address is looked at by itself.
                let is_other = |secret: &&str| !secret.is_empty() && !secret.contains("://");
                let Some(secret) = text.get(start..end).filter(is_other) else { continue };
                // A short secret is replaced with what is around it. So `:p@` becomes `:***@`, and no other `p` changes.
                let is_short = secret.len() < SHORTEST;
                let before = before.chars().next_back().filter(|_| is_short);
                let after = after.chars().next().filter(|_| is_short);
                let around = |middle: &str| -> String {
                    before.into_iter().chain(middle.chars()).chain(after).collect()
                };
                let mask = around(MASK);
                found.push((around(secret), mask.clone()));
                // The program may have made a name safe to print before it is in a message.
                let shown = Escaped(secret.as_bytes()).to_string();
                let debug = secret.escape_debug().to_string();
                let others = [shown, debug, escaped(secret, |_| false)].into_iter();
                found.extend(
                    others
                        .filter(|other| other != secret)
                        .map(|other| (around(&other), mask.clone())),
                );
            }
        }
    }
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
            (
                "a\u{1B}[31m\u{9B}\u{202E}\u{200B}\u{AD}é\n",
                r"a\u{1b}[31m\u{9b}\u{202e}\u{200b}\u{ad}é\u{a}",
            ),
            ("", ""),
        ] {
            assert_eq!(quote(text), expected);
        }
        let said = "a 'http://u:secret@h/' is\n\tno /?sig=secret\u{1B}, 'b'";
        assert_eq!(message(said), "a 'http://u:***@h/' is\n\tno /?sig=***\\u{1b}, 'b'");
    }

    #[test]
    fn an_argument_has_its_secrets_wherever_it_is_quoted() {
        for (arg, said, expected) in [
            ("{http://u:secret@h/}", "no 'secret@h/}'", "no '***@h/}'"),
            ("--set=password=secret", "no 'password=secret'", "no 'password=***'"),
            ("password=p", "not p: password=p", "not p: password=***"),
            ("//u:p@h/p", "p of 'u:p@h/p'", "p of 'u:***@h/p'"),
            ("http://u:se\u{1B}cret@h", r"'se\u{1b}cret'", "'***'"),
            ("a=b", "a=b", "a=b"),
            ("/d/http://u:se/cret@h/", "/d/http://u:se/cret@h/: no", "/d/http://u:***@h/: no"),
            ("--//u:secret@h/", "no '--//u:secret@h/'", "no '--//u:***@h/'"),
            (
                "--from=http://h/?token=se cret",
                "'http://h/?token=se cret'",
                "'http://h/?token=***'",
            ),
            ("--from=a\tb\nFAKE", "no 'a\tb\nFAKE'\n", "no 'a\\u{9}b\\u{a}FAKE'\n"),
            ("\nX", "no '\nX'\n", "no '\\u{a}X'\n"),
        ] {
            let mut found = Vec::new();
            of_argument(arg, &mut found);
            found.sort_by_key(|(secret, _)| std::cmp::Reverse(secret.len()));
            let said = found
                .iter()
                .fold(said.to_owned(), |said, (secret, shown)| said.replace(secret, shown));
            assert_eq!(said, expected, "{arg}");
        }
    }
}
