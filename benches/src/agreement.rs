//! Before anything is timed: ours and every strict peer give the same answer
//! for every item and for every kind of work, and where a corpus was made with
//! known answers, those; and where a peer tells an offset of a component, ours
//! is the same. There is no list of exceptions; none is needed.

use crate::{
    corpora::Corpus,
    libraries::{Library, Work},
};

/// # Panics
/// Two answers differ: a time would then compare different work.
pub fn check(corpus: &Corpus, libraries: &[Library]) {
    let ours = libraries.iter().find_map(|library| library.job(Work::Columns, corpus.start));
    let ours = ours.expect("the first library is ours").answers(corpus);
    assert_eq!(ours.len(), corpus.items.len(), "{}: a row for each line", corpus.name);
    for (index, valid) in corpus.valid.iter().flatten().enumerate() {
        assert_eq!(ours[index].is_some(), *valid, "{}: {:?}", corpus.name, corpus.items[index]);
    }
    let accepted = ours.iter().flatten().count();
    for library in libraries.iter().filter(|library| library.kind.answers()) {
        for work in Work::ALL {
            let Some(job) = library.job(work, corpus.start) else { continue };
            let at = format!("{}, {} of {}", library.name, work.name(), corpus.name);
            assert_eq!(job.count(corpus), accepted, "{at}");
            let answers = job.answers(corpus);
            assert_eq!(answers.len(), ours.len(), "{at}");
            for (index, (told, ours)) in answers.iter().zip(&ours).enumerate() {
                let text = corpus.items[index];
                assert_eq!(told.is_some(), ours.is_some(), "{at}, item {index}: {text:?}");
                for (told, ours) in told.iter().flatten().zip(ours.iter().flatten()) {
                    assert!(told.is_none() || told == ours, "{at}, item {index}: {text:?}");
                }
            }
        }
    }
}
