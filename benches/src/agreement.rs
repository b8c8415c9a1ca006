//! Checks before any measurement that ours and every strict peer give the same answer for every item and every kind
//! of work. For a corpus with known answers, these must be the answers. If a peer returns an offset of a component,
//! ours must return the same. There is no list of exceptions.

use crate::{corpora::Corpus, libraries::Library, work::Work};

/// # Panics
/// Two answers differ, so that a time would compare different work.
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
