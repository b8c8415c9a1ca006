//! Reads the known differences, `known-differences.tsv`, and checks that each of them still exists.
//!
//! A line is `peer, rule, what, pattern, example, ours, theirs, reason`, with a tab between them.
//! `what` is `valid` or the name of a component. The entry covers every text that the pattern
//! matches, in which `*` stands for anything; the example is one of them. The answers are those to
//! the example: a text in quotes, which is empty for `valid`, or `-` for no, or an absent component.

use std::sync::LazyLock;

use crate::{
    Difference, differences,
    peers::{PEERS, Peer},
};

struct Known {
    peer: &'static str,
    rule: &'static str,
    what: &'static str,
    pattern: &'static str,
    example: &'static str,
    ours: &'static str,
    theirs: &'static str,
}

static KNOWN: LazyLock<Vec<Known>> = LazyLock::new(|| {
    let lines = include_str!("../../known-differences.tsv").lines();
    lines.filter(|line| !line.starts_with('#')).map(Known::read).collect()
});

impl Known {
    fn read(line: &'static str) -> Self {
        let columns: Vec<&str> = line.split('\t').collect();
        match columns[..] {
            [peer, rule, what, pattern, example, ours, theirs, reason] if !reason.is_empty() => {
                Self { peer, rule, what, pattern, example, ours, theirs }
            }
            _ => panic!("a known difference has eight columns: {line}"),
        }
    }

    fn is_about(&self, peer: &Peer, difference: &Difference) -> bool {
        self.peer == peer.name && self.rule == peer.rule.name() && self.what == difference.what
    }
}

/// Tells whether an entry covers a difference.
pub fn covers(peer: &Peer, difference: &Difference, text: &str) -> bool {
    let covers = |known: &Known| known.is_about(peer, difference) && matches(known.pattern, text);
    KNOWN.iter().any(covers)
}

/// Asserts that every entry covers its example, and that the answers to the example have not changed.
pub fn check() {
    for known in &*KNOWN {
        let Known { example, pattern, .. } = known;
        assert!(matches(pattern, example), "{pattern} does not match {example}");
        let still_differs = PEERS.iter().any(|peer| {
            differences(peer, example).iter().any(|difference| {
                let answers = [&difference.ours, &difference.theirs].map(shown);
                known.is_about(peer, difference) && answers == [known.ours, known.theirs]
            })
        });
        let Known { peer, rule, what, .. } = known;
        assert!(still_differs, "{peer} by {rule}, {what}: no such difference, of {example}");
    }
    eprintln!("known differences: {}", KNOWN.len());
}

fn shown(answer: &Option<String>) -> String {
    answer.as_ref().map_or_else(|| "-".into(), |text| format!("\"{text}\""))
}

/// Tells whether `text` consists of the parts of `pattern`, with anything at each `*` between them.
fn matches(pattern: &str, text: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let Some(mut text) = text.strip_prefix(first) else {
        return false;
    };
    let (middle, last) = rest.rsplit_once('*').unwrap_or(("", rest));
    for piece in middle.split('*') {
        match text.split_once(piece) {
            Some((_, after)) => text = after,
            None => return false,
        }
    }
    text.ends_with(last)
}
