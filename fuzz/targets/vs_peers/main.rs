//! Any text: other strict parsers of RFC 3987 give the same answer as the library, for each start rule that they have
//! and for the components.
//!
//! If they do not, the ABNF of section 2.2 decides (the target `parse` and the tests compare the library with it),
//! and `known-differences.tsv` lists the difference. That file is exact: a difference that is not in it is a failure,
//! and so is an entry whose difference no longer exists.
#![no_main]

mod known;
mod peers;

use libfuzzer_sys::fuzz_target;
use peers::{PEERS, Peer};

/// A question that two libraries answer differently.
struct Difference {
    /// `valid`, or the name of a component.
    what: &'static str,
    ours: Option<String>,
    theirs: Option<String>,
}

fuzz_target!(
    init: known::check(),
    |text: &str| {
        for peer in &PEERS {
            for difference in differences(peer, text) {
                let Difference { what, ours, theirs } = &difference;
                assert!(
                    known::covers(peer, &difference, text),
                    "{} by {}, {what}: ours {ours:?}, theirs {theirs:?}, of {text:?}",
                    peer.name,
                    peer.rule,
                );
            }
        }
    }
);

/// All questions about a text that `peer` answers in another way.
fn differences(peer: &Peer, text: &str) -> Vec<Difference> {
    let answers = (peers::ours(peer.rule, text), (peer.parse)(text));
    let (Some(ours), Some(theirs)) = answers else {
        let [ours, theirs] = [answers.0, answers.1].map(|answer| answer.map(|_| String::new()));
        let valid = Difference { what: "valid", ours, theirs };
        return if valid.ours == valid.theirs { vec![] } else { vec![valid] };
    };
    let of_ours = |what| ours.iter().find(|(name, _)| *name == what).unwrap().1.clone();
    theirs
        .into_iter()
        .map(|(what, theirs)| Difference { what, ours: of_ours(what), theirs })
        .filter(|difference| difference.ours != difference.theirs)
        .collect()
}
