//! Any text: other strict parsers of RFC 3987 say the same of it as ours, whether it matches and
//! what its components are.
#![no_main]

mod peers;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for peer in &peers::PEERS {
        let ours = peers::ours(peer.rule, text);
        let theirs = (peer.parse)(text);
        match (ours, theirs) {
            (None, None) => {}
            (Some(ours), Some(theirs)) => {
                for (field, theirs) in theirs {
                    let ours = ours.iter().find(|(name, _)| *name == field).unwrap().1.clone();
                    assert_eq!(ours, theirs, "{} {} {field}: {text:?}", peer.name, peer.rule);
                }
            }
            (ours, theirs) => panic!(
                "{} {}: ours {}, theirs {}: {text:?}",
                peer.name,
                peer.rule,
                ours.is_some(),
                theirs.is_some()
            ),
        }
    }
});
