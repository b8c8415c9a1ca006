//! Before anything is timed: ours and every strict peer give the same answer
//! for every item, to parse and to validate, and where a corpus was made with
//! known answers, those. There is no list of exceptions; none is needed.

use crate::{
    corpora::Corpus,
    libraries::{Kind, Library, Work},
};

/// # Panics
/// Two answers differ: a time would then compare different work.
pub fn check(corpus: &Corpus, libraries: &[Library]) {
    for work in [Work::Parse, Work::Validate] {
        let jobs: Vec<_> = libraries
            .iter()
            .filter(|library| library.kind != Kind::Whatwg)
            .filter_map(|library| Some((&library.name, library.job(work, corpus.start)?)))
            .collect();
        for (index, text) in corpus.items.iter().enumerate() {
            let known = corpus.valid.as_ref().map(|valid| valid[index]);
            let expected = known.unwrap_or_else(|| jobs[0].1.accepts(text));
            for (name, job) in &jobs {
                assert_eq!(
                    job.accepts(text),
                    expected,
                    "{name}, {work:?} as {}, item {index} of {}: {text:?}",
                    corpus.start.name(),
                    corpus.name,
                );
            }
        }
    }
}
